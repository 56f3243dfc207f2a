/*
 * Room for eager messages: nobody puts more into a place than it holds, what is taken out goes back
 * in time, with messages or by itself, and both ends agree; for random traffic of several processes
 * against plain arrays. States that cannot be are recognized.
 */
#include "group.h"
#include "testing.h"

#include "base/random.h"
#include "message/offload/offload.h"

enum { PROCESSES = 5, STEPS = 20000 };

static uint64_t pair_of(uint32_t process, uint32_t other)
{
    return (uint64_t)process << 32 | other;
}

/* Packets of `from` in its place at `to`; taken out, but not given back; room on its way back. */
static uint32_t there[PROCESSES][PROCESSES], owed[PROCESSES][PROCESSES];

static void give(struct room *r, uint32_t from, uint32_t to, uint32_t packets)
{
    owed[from][to] -= packets;
    assert_true(!packets || room_regain(r, pair_of(from, to), packets));
}

static void send(struct room *r, uint32_t from, uint32_t to, uint32_t packets, uint32_t most)
{
    uint32_t back, put = there[from][to] + owed[from][to];
    bool fits = put + packets <= most;
    assert_int_equal(room_take(r, pair_of(from, to), packets, &back), fits);
    assert_int_equal(back, fits ? owed[to][from] : 0);
    if (!fits)
        return;
    there[from][to] += packets;
    give(r, to, from, back);
}

static void receive(struct room *r, uint32_t from, uint32_t to, uint32_t packets, uint32_t most)
{
    if (packets > there[from][to])
        return;
    there[from][to] -= packets;
    owed[from][to] += packets;
    uint32_t back = room_owe(r, pair_of(to, from), packets);
    assert_int_equal(back, 2 * owed[from][to] > most ? owed[from][to] : 0);
    give(r, from, to, back);
}

static void both_ends_agree(void **state)
{
    (void)state;
    for (uint32_t most = 1; most < 40; most += 6) {
        struct room r = {.most = most};
        memset(there, 0, sizeof(there));
        memset(owed, 0, sizeof(owed));
        for (uint32_t i = 0; i < STEPS; i++) {
            uint64_t draw = random_draw(random_key(most, 0, 0), i);
            uint32_t from = draw % PROCESSES,
                     to = (from + 1 + draw / 8 % (PROCESSES - 1)) % PROCESSES;
            uint32_t packets = 1 + draw / 64 % (most + 1);
            if (draw >> 40 & 1)
                send(&r, from, to, packets, most);
            else
                receive(&r, from, to, packets, most);
            assert_true(room_is_sound(&r));
        }
        map_fini(&r.pairs);
    }
}

static void without_a_limit_nothing_is_counted(void **state)
{
    (void)state;
    struct room r = {.most = 0};
    uint32_t back;
    assert_true(room_take(&r, 1, 1000000, &back));
    assert_int_equal(back, 0);
    assert_int_equal(room_owe(&r, 1, 1000000), 0);
    assert_int_equal(r.pairs.count, 0);
}

static void what_cannot_be_is_seen(void **state)
{
    (void)state;
    struct room r = {.most = 10};
    uint32_t back;
    assert_false(room_regain(&r, 1, 1));
    assert_true(room_take(&r, 1, 10, &back));
    assert_false(room_take(&r, 1, 1, &back));
    assert_false(room_regain(&r, 1, 11));
    *map_find(&r.pairs, 1) = 11u << 16;
    assert_false(room_is_sound(&r));
    *map_find(&r.pairs, 1) = 11;
    assert_false(room_is_sound(&r));
    map_fini(&r.pairs);
}

GROUP(room)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ends_agree),
        cmocka_unit_test(without_a_limit_nothing_is_counted),
        cmocka_unit_test(what_cannot_be_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
