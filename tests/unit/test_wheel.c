/*
 * Every event comes out once, in its cycle, however far ahead it was pushed and however many there
 * are; a restored wheel continues as the original would, even if the original had grown.
 */
#include "group.h"
#include "archives.h"

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

/* ---- more events than it was made for ---- */

enum { MANY = 200000 };

static void a_wheel_grows_with_its_events(void **state)
{
    (void)state;
    for (uint64_t cycles = 1; cycles <= 2000; cycles = 40 * cycles + 9) { /* 2000: far ones, too */
        struct wheel w;
        cycle_t time;
        uint64_t sum, taken = 0;
        wheel_init(&w, 0);
        uint32_t blocks = w.blocks;
        for (uint64_t i = 0; i < MANY; i++)
            wheel_push(&w, 10 + i % cycles, 10 + i % cycles);
        assert_true(w.blocks > 2 * blocks);
        for (unsigned count; (count = take(&w, &time, &sum)) > 0; taken += count)
            assert_int_equal(sum, time * count);
        assert_int_equal(taken, MANY);
        wheel_fini(&w);
    }
}

static void far_events_that_come_near_make_it_grow(void **state)
{
    (void)state;
    struct wheel w;
    cycle_t time;
    uint64_t sum;
    wheel_init(&w, 0);
    uint32_t blocks = w.blocks;
    for (uint64_t i = 0; i < MANY; i++)
        wheel_push(&w, 5000, i);
    wheel_push(&w, 4500, 1);
    assert_int_equal(w.blocks, blocks);
    assert_int_equal(take(&w, &time, &sum), 1);
    assert_true(w.blocks > blocks);
    assert_int_equal(take(&w, &time, &sum), MANY);
    assert_int_equal(sum, (uint64_t)MANY * (MANY - 1) / 2);
    wheel_fini(&w);
}

static void it_may_grow_while_a_cycle_is_read(void **state)
{
    (void)state;
    struct wheel w;
    cycle_t time;
    uint64_t sum, read = 0, count = 0;
    wheel_init(&w, 0);
    uint32_t blocks = w.blocks;
    for (uint64_t i = 1; i <= 1000; i++)
        wheel_push(&w, 7, i);
    for (struct wheel_chain c = wheel_take(&w, 7); c.block; c = wheel_next_block(&w, c))
        for (uint32_t i = 0; i < c.count; i++, count++) {
            read += wheel_events(&w, c)[i];
            for (int k = 0; k < 100; k++)
                wheel_push(&w, 7 + k % 3, 1); /* for this very cycle, too */
        }
    assert_true(w.blocks > blocks);
    assert_int_equal(count, 1000);
    assert_int_equal(read, 500500);
    static const unsigned expected[] = {34000, 33000, 33000};
    for (unsigned k = 0; k < 3; k++) {
        assert_int_equal(take(&w, &time, &sum), expected[k]);
        assert_int_equal(time, 7 + k);
        assert_int_equal(sum, expected[k]);
    }
    assert_true(wheel_next(&w) == CYCLE_NEVER);
    wheel_fini(&w);
}

static void add_up(void *arg, cycle_t time, event_t event)
{
    *(uint64_t *)arg += time == event;
}

static void all_pending_events_are_visited(void **state)
{
    (void)state;
    struct wheel w;
    uint64_t visited = 0;
    wheel_init(&w, 0);
    for (uint64_t i = 0; i < MANY; i++)
        wheel_push(&w, i % 3000, i % 3000);
    wheel_visit(&w, add_up, &visited);
    assert_int_equal(visited, MANY);
    wheel_fini(&w);
}

/* ---- archives ---- */

static void archive_wheel(void *state, struct archive *a)
{
    wheel_archive(state, a);
}

/* A wheel in the middle of its life: some blocks free, some events near, some far. */
static void make(struct wheel *w, uint64_t events)
{
    cycle_t time;
    uint64_t sum;
    wheel_init(w, 0);
    for (uint64_t i = 0; i < events; i++)
        wheel_push(w, random_draw(8, i) % 2000, i);
    for (int i = 0; i < 100; i++)
        take(w, &time, &sum);
}

static void a_saved_wheel_goes_on_as_the_original_would(void **state)
{
    (void)state;
    static const uint64_t events[] = {0, 3000, MANY}; /* the last has grown, the reader has not */
    for (int k = 0; k < 3; k++) {
        struct wheel w, copy;
        make(&w, events[k]);
        wheel_init(&copy, 0);
        struct saved saved = save(archive_wheel, &w);
        assert_true(load(archive_wheel, &copy, &saved));
        assert_int_equal(copy.now, w.now);
        for (uint64_t i = 0; i < 50000; i++) {
            wheel_push(&w, w.now + i % 1500, i);
            wheel_push(&copy, copy.now + i % 1500, i);
        }
        for (unsigned count = 1; count;) {
            cycle_t time, copy_time;
            uint64_t sum, copy_sum;
            count = take(&w, &time, &sum);
            assert_int_equal(take(&copy, &copy_time, &copy_sum), count);
            assert_int_equal(copy_time, time);
            assert_int_equal(copy_sum, sum);
        }
        wheel_fini(&w);
        wheel_fini(&copy);
        free(saved.bytes);
    }
}

static void events_at_no_cycle_to_come_are_refused(void **state)
{
    (void)state;
    struct wheel w, copy;
    make(&w, 3000);
    struct saved saved = save(archive_wheel, &w);
    size_t pair = sizeof(struct wheel_far), first = sizeof(w.now) + sizeof(w.events);
    size_t at[] = {0, first, first + 1000 * pair}; /* now, an event, another one */
    uint64_t wrong[] = {w.now - 1, CYCLE_END, UINT64_MAX}; /* the last: they end there */
    for (int which = 0; which < 3; which++)
        for (int i = which == 0; i < 3; i++) {
            uint64_t before;
            memcpy(&before, saved.bytes + at[which], 8);
            memcpy(saved.bytes + at[which], &wrong[i], 8);
            wheel_init(&copy, 0);
            assert_false(load(archive_wheel, &copy, &saved));
            wheel_fini(&copy);
            memcpy(saved.bytes + at[which], &before, 8);
        }
    wheel_fini(&w);
    free(saved.bytes);
}

GROUP(wheel)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_wheel_has_no_next),
        cmocka_unit_test(events_come_in_time_and_once),
        cmocka_unit_test(far_events_are_not_clamped),
        cmocka_unit_test(many_events_of_one_cycle),
        cmocka_unit_test(a_wheel_grows_with_its_events),
        cmocka_unit_test(far_events_that_come_near_make_it_grow),
        cmocka_unit_test(it_may_grow_while_a_cycle_is_read),
        cmocka_unit_test(all_pending_events_are_visited),
        cmocka_unit_test(a_saved_wheel_goes_on_as_the_original_would),
        cmocka_unit_test(events_at_no_cycle_to_come_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
