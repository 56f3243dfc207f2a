/* Every event comes out once, in its cycle, however far ahead it was pushed. */
#include "testing.h"

#include "base/random.h"
#include "engine/wheel.h"

/* Takes the events of the next cycle; their number, and their sum into *sum. */
static unsigned take(struct wheel *w, cycle_t *time, uint64_t *sum)
{
    unsigned count = 0;
    *sum = 0;
    *time = wheel_next(w);
    if (*time == CYCLE_NEVER)
        return 0;
    for (struct wheel_chain c = wheel_take(w, *time); c.block; c = wheel_next_block(w, c))
        for (uint32_t i = 0; i < c.count; i++, count++)
            *sum += wheel_events(w, c)[i];
    return count;
}

static void an_empty_wheel_has_no_next(void **state)
{
    (void)state;
    struct wheel w;
    wheel_init(&w, 30000);
    assert_true(wheel_next(&w) == CYCLE_NEVER);
    wheel_fini(&w);
}

static void events_come_in_time_and_once(void **state)
{
    (void)state;
    struct wheel w;
    cycle_t time;
    uint64_t sum, expected = 0, got = 0, pushed = 0, taken = 0;
    wheel_init(&w, 30000);
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t draw = random_draw(3, i);
        cycle_t at = w.now + 1 + (i % 3 ? draw % 900 : draw % 100000);
        wheel_push(&w, at, at);
        expected += at;
        pushed++;
        if (i % 5 == 0) {
            unsigned count = take(&w, &time, &sum);
            assert_int_equal(sum, time * count); /* all events of that cycle, and no others */
            got += sum;
            taken += count;
        }
    }
    cycle_t last = w.now;
    for (unsigned count; (count = take(&w, &time, &sum)) > 0; last = time) {
        assert_true(time > last);
        assert_int_equal(sum, time * count);
        got += sum;
        taken += count;
    }
    assert_int_equal(taken, pushed);
    assert_int_equal(got, expected);
    wheel_fini(&w);
}

static void far_events_are_not_clamped(void **state)
{
    (void)state;
    struct wheel w;
    cycle_t time;
    uint64_t sum;
    const cycle_t far[] = {1023, 1024, 1025, 2048, 1000000, 1000000000000, 1ull << 60};
    wheel_init(&w, 30000);
    for (size_t i = sizeof(far) / sizeof(far[0]); i-- > 0;)
        wheel_push(&w, far[i], i);
    for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
        assert_int_equal(take(&w, &time, &sum), 1);
        assert_int_equal(time, far[i]);
        assert_int_equal(sum, i);
    }
    wheel_fini(&w);
}

static void many_events_of_one_cycle(void **state)
{
    (void)state;
    struct wheel w;
    cycle_t time;
    uint64_t sum;
    wheel_init(&w, 30000);
    for (uint64_t i = 1; i <= 1000; i++)
        wheel_push(&w, 77, i);
    assert_int_equal(take(&w, &time, &sum), 1000);
    assert_int_equal(sum, 500500);
    assert_true(w.fresh_block < 100);
    for (unsigned round = 0; round < 50; round++) { /* blocks are reused, not taken anew */
        for (uint64_t i = 1; i <= 1000; i++)
            wheel_push(&w, w.now + 3, i);
        assert_int_equal(take(&w, &time, &sum), 1000);
    }
    assert_true(w.fresh_block < 100);
    wheel_fini(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_wheel_has_no_next),
        cmocka_unit_test(events_come_in_time_and_once),
        cmocka_unit_test(far_events_are_not_clamped),
        cmocka_unit_test(many_events_of_one_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
