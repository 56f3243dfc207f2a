/* Shares of a team: in each stretch every partition has one member, and all agree which. */
#include "group.h"
#include "testing.h"

#include "engine/sharing.h"

enum { PARTS = 12, MEMBERS = 3, FIRST = 4 };

static const bool none_urgent[FIRST + PARTS];

struct team_of_shares {
    struct sharing sharing;
    struct share share[MEMBERS];
};

static void team_init(struct team_of_shares *t, const bool *urgent)
{
    sharing_init(&t->sharing, MEMBERS, FIRST, FIRST + PARTS, urgent);
    t->sharing.paced = true;
    for (uint32_t m = 0; m < MEMBERS; m++) {
        share_init(&t->share[m], &t->sharing, m);
        share_start(&t->share[m], 0);
    }
}

static void team_fini(struct team_of_shares *t)
{
    for (uint32_t m = 0; m < MEMBERS; m++)
        share_fini(&t->share[m]);
    sharing_fini(&t->sharing);
}

/* The next stretch, after one in which each partition took as much work and the members so long. */
static void next(struct team_of_shares *t, const uint64_t time[MEMBERS], uint64_t window_time)
{
    for (uint32_t p = 0; p < PARTS; p++)
        t->sharing.work[p] += 100;
    memcpy(t->sharing.time, time, MEMBERS * sizeof(*time));
    t->sharing.window_time = window_time;
    for (uint32_t m = 0; m < MEMBERS; m++)
        share_next(&t->share[m], &t->sharing);
}

/* Each partition is on one list; how many the first member has. */
static uint32_t check_shares(const struct team_of_shares *t)
{
    uint32_t seen[FIRST + PARTS] = {0};
    for (uint32_t m = 0; m < MEMBERS; m++) {
        assert_int_equal(t->share[m].alone, t->share[0].alone);
        assert_int_equal(t->share[m].last, t->share[0].last);
        for (uint32_t i = 0; i < t->share[m].partitions; i++)
            seen[t->share[m].partition[i]]++;
    }
    for (uint32_t p = 0; p < PARTS; p++)
        assert_int_equal(seen[FIRST + p], 1);
    return t->share[0].partitions;
}

static void large_windows_are_shared(void **state)
{
    (void)state;
    static const uint64_t even[] = {4000, 4100, 3900}, slow_first[] = {8000, 4000, 4000};
    struct team_of_shares t;
    team_init(&t, none_urgent);
    assert_int_equal(check_shares(&t), 4);
    next(&t, even, 5000);
    assert_false(t.share[0].alone);
    assert_int_equal(check_shares(&t), 4);
    assert_int_equal(t.share[0].last, 2 * SHARED_STRETCH - 1);
    next(&t, slow_first, 9000);
    assert_int_equal(check_shares(&t), 2); /* half as fast as the others */
    team_fini(&t);
}

static void small_windows_are_run_by_one(void **state)
{
    (void)state;
    static const uint64_t small[] = {300, 350, 250}, alone[] = {900, 350, 250},
                          large[] = {9000, 350, 250};
    struct team_of_shares t;
    team_init(&t, none_urgent);
    next(&t, small, 2000);
    assert_true(t.share[0].alone); /* a short trial */
    assert_int_equal(check_shares(&t), PARTS);
    assert_int_equal(t.share[0].last, 2 * SHARED_STRETCH - 1);
    next(&t, alone, 2000);
    assert_true(t.share[0].alone);
    assert_int_equal(check_shares(&t), PARTS);
    assert_int_equal(t.share[0].last, 2 * SHARED_STRETCH + ALONE_STRETCH - 1);
    /* More traffic: all have their old shares again. */
    next(&t, large, 2000);
    assert_false(t.share[0].alone);
    assert_int_equal(check_shares(&t), 4);
    team_fini(&t);
}

static void a_trial_that_does_not_pay_is_not_repeated_soon(void **state)
{
    (void)state;
    static const uint64_t small[] = {900, 900, 900}, alone[] = {2500, 900, 900};
    struct team_of_shares t;
    uint32_t stretches = 0;
    team_init(&t, none_urgent);
    next(&t, small, 2000);
    assert_true(t.share[0].alone);
    for (next(&t, alone, 2000); !t.share[0].alone; next(&t, small, 2000)) {
        check_shares(&t);
        stretches++;
    }
    assert_int_equal(stretches, PATIENCE);
    team_fini(&t);
}

static void the_others_are_asked_again(void **state)
{
    (void)state;
    static const uint64_t small[] = {300, 350, 250};
    struct team_of_shares t;
    uint32_t stretches = 0;
    team_init(&t, none_urgent);
    for (next(&t, small, 2000); t.share[0].alone; next(&t, small, 2000))
        stretches++;
    assert_int_equal(stretches, ALONE_STRETCHES);
    assert_int_equal(check_shares(&t), 4);
    next(&t, small, 2000);
    assert_true(t.share[0].alone); /* still small */
    team_fini(&t);
}

static void unless_they_must_share(void **state)
{
    (void)state;
    static const uint64_t small[] = {300, 350, 250};
    struct team_of_shares t;
    team_init(&t, none_urgent);
    t.sharing.always = true;
    next(&t, small, 2000);
    assert_false(t.share[0].alone);
    team_fini(&t);
}

static void or_none_may_move(void **state)
{
    (void)state;
    static const uint64_t slow_first[] = {8000, 4000, 4000}, small[] = {300, 350, 250};
    struct team_of_shares t;
    team_init(&t, none_urgent);
    t.sharing.stays = true;
    next(&t, slow_first, 9000);
    assert_int_equal(check_shares(&t), 4);
    next(&t, small, 9000);
    assert_false(t.share[0].alone);
    team_fini(&t);
}

static void urgent_ones_come_first(void **state)
{
    (void)state;
    static const bool urgent[FIRST + PARTS] = {[FIRST + 1] = true, [FIRST + 3] = true};
    static const uint32_t expected[] = {FIRST + 1, FIRST + 3, FIRST, FIRST + 2};
    struct team_of_shares t;
    team_init(&t, urgent);
    assert_memory_equal(t.share[0].partition, expected, sizeof(expected));
    check_shares(&t);
    team_fini(&t);
}

GROUP(sharing)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_windows_are_shared),
        cmocka_unit_test(small_windows_are_run_by_one),
        cmocka_unit_test(a_trial_that_does_not_pay_is_not_repeated_soon),
        cmocka_unit_test(the_others_are_asked_again),
        cmocka_unit_test(unless_they_must_share),
        cmocka_unit_test(or_none_may_move),
        cmocka_unit_test(urgent_ones_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
