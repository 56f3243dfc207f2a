/*
 * A node's memory: who is alone has its own rate, as far as memory has it; who is not waits for
 * those before, or for its share; together users never have more than the total; what cannot be a
 * state is recognised. Times by hand: a byte takes memory two cycles here.
 */
#include "archives.h"
#include "group.h"

#include "base/random.h"
#include "node/memory.h"

enum { USERS = 4, BYTE = 2 };

/* 200 cycles per us, 100 MB/s. */
static struct memories *memory_of(uint32_t users)
{
    struct memories *m =
        memories_create(&(struct memory_params){.total_mb_per_s = 100}, users, 200, 1);
    memories_prepare(m, 0, 1);
    return m;
}

/* In cycles: a transfer that begins in a cycle, with a rate of its own, and when it ends. */
static cycle_t use(struct memories *m, cycle_t now, cycle_t start, uint64_t bytes, cycle_t own)
{
    fine_t end =
        memory_use(m, &m->part[0].node[0], fine_at(now), fine_at(start), bytes, fine_at(own));
    assert_int_equal(end % (1 << FRACTION_BITS), 0);
    return end >> FRACTION_BITS;
}

static void without_a_rate_there_is_no_limit(void **state)
{
    (void)state;
    assert_null(memories_create(&(struct memory_params){.total_mb_per_s = 0}, 2, 200, 1));
    assert_int_equal(memory_check(&(struct memory_params){.total_mb_per_s = 0}), WEFT_OK);
    assert_int_equal(memory_check(&(struct memory_params){.total_mb_per_s = 1}), WEFT_OK);
    assert_int_equal(memory_check(&(struct memory_params){.total_mb_per_s = 0.5}), WEFT_BAD_INPUT);
    memories_destroy(NULL);
}

static void who_is_alone_has_its_own_rate(void **state)
{
    (void)state;
    struct memories *m = memory_of(USERS);
    assert_int_equal(use(m, 10, 10, 100, 300), 310); /* slower than memory */
    assert_int_equal(use(m, 310, 310, 100, 300), 610);
    assert_int_equal(use(m, 900, 900, 100, 50), 900 + 100 * BYTE); /* faster than memory has it */
    assert_int_equal(use(m, 2000, 2000, 0, 7), 2007);
    assert_int_equal(m->part[0].node[0].busy, fine_at(300 * BYTE));
    assert_int_equal(m->part[0].node[0].waited, fine_at(150));
    memories_destroy(m);
}

/* 100 bytes take memory 200 cycles: one after the other, by their own rates or by memory's. */
static void who_is_not_waits_for_those_before(void **state)
{
    (void)state;
    struct memories *m = memory_of(USERS);
    assert_int_equal(use(m, 0, 0, 100, 300), 300);
    assert_int_equal(use(m, 0, 0, 100, 300), 400);
    assert_int_equal(use(m, 0, 0, 100, 300), 600);
    assert_int_equal(use(m, 400, 400, 100, 500), 900); /* 200 to go, and 200 of its own */
    assert_int_equal(m->part[0].node[0].waited, fine_at(0 + 100 + 300 + 0));
    memories_destroy(m);
}

/* A short transfer does not wait for the whole of a long one: as many more as there may be other
 * users, each as long as itself. */
static void nobody_waits_for_more_than_a_share(void **state)
{
    (void)state;
    struct memories *m = memory_of(USERS);
    assert_int_equal(use(m, 0, 0, 100000, 100), 200000);
    assert_int_equal(use(m, 0, 0, 10, 5), USERS * 10 * BYTE);
    assert_int_equal(m->part[0].node[0].until, fine_at(200000 + 10 * BYTE)); /* that is owed */
    memories_destroy(m);
}

/* Work that is asked for ahead of its time is done at once: memory is not idle until then. */
static void what_is_asked_for_ahead_does_not_keep_memory(void **state)
{
    (void)state;
    struct memories *m = memory_of(USERS);
    assert_int_equal(use(m, 0, 100000, 100, 200), 100200);
    assert_int_equal(use(m, 200, 200, 100, 200), 400);
    memories_destroy(m);
}

/* Users that work without a break, of any number, with transfers of one length or of any, share the
 * total evenly when they could take more, and have what they can when they could not. */
static void users_share_the_total(void **state)
{
    (void)state;
    for (uint32_t users = 1; users <= USERS; users++)
        for (cycle_t own = 50; own <= 800; own *= 2) { /* of 100 bytes, which take memory 200 */
            struct memories *m = memory_of(USERS);
            cycle_t free[USERS] = {0}, end = 400000;
            uint64_t done[USERS] = {0};
            for (cycle_t now = 0; now < end; now++)
                for (uint32_t i = 0; i < users; i++)
                    for (; free[i] <= now; done[i]++)
                        free[i] = use(m, now, free[i], 100, own);
            double alone = own > 200 ? (double)own : 200, shared = 200.0 * users;
            for (uint32_t i = 0; i < users; i++)
                assert_near((double)end / (double)done[i], alone > shared ? alone : shared,
                            0.02 * shared);
            memories_destroy(m);
        }
}

static void together_they_never_have_more(void **state)
{
    (void)state;
    struct memories *m = memory_of(USERS);
    cycle_t free[USERS] = {0}, end = 1000000;
    uint64_t bytes = 0, draw = 0;
    for (cycle_t now = 0; now < end; now++)
        for (uint32_t i = 0; i < USERS; i++)
            if (free[i] <= now) {
                uint64_t next = random_below(random_mix(++draw), i ? 50 : 5000);
                free[i] = use(m, now, now, next, next / 4);
                bytes += next;
            }
    assert_true(bytes * BYTE <= end + USERS * 5000 * BYTE);
    assert_true(bytes * BYTE >= end - USERS * 5000 * BYTE); /* and memory is never idle */
    memories_destroy(m);
}

static void archived_memory(void *m, struct archive *a)
{
    memories_archive(m, 0, a);
}

static void what_cannot_be_is_recognised(void **state)
{
    (void)state;
    static const struct node_memory real = {.until = 100, .busy = 100, .waited = 7};
    static const struct node_memory forged[] = {
        {.until = 99, .busy = 100, .waited = 7}, /* it has worked longer than there was time */
        {.until = UINT64_MAX, .busy = 100, .waited = 7},
        {.until = 100, .busy = 100, .waited = UINT64_MAX}};
    struct memories *m = memory_of(USERS), *other = memory_of(USERS);
    for (size_t i = 0; i <= sizeof(forged) / sizeof(forged[0]); i++) {
        m->part[0].node[0] = i ? forged[i - 1] : real;
        struct saved saved = save(archived_memory, m);
        assert_int_equal(load(archived_memory, other, &saved), i == 0);
        if (!i)
            assert_memory_equal(&other->part[0].node[0], &real, sizeof(real));
        free(saved.bytes);
    }
    memories_destroy(m);
    memories_destroy(other);
}

GROUP(node_memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_rate_there_is_no_limit),
        cmocka_unit_test(who_is_alone_has_its_own_rate),
        cmocka_unit_test(who_is_not_waits_for_those_before),
        cmocka_unit_test(nobody_waits_for_more_than_a_share),
        cmocka_unit_test(what_is_asked_for_ahead_does_not_keep_memory),
        cmocka_unit_test(users_share_the_total),
        cmocka_unit_test(together_they_never_have_more),
        cmocka_unit_test(what_cannot_be_is_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
