/*
 * Schedules of collective operations, played with real vectors: what one step sends another
 * receives, with the same length; and in the end all have what they should.
 */
#include "group.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "message/schedule.h"
#include "node/program.h"

enum { MOST = 40, LONGEST = 200, QUEUE = 64 };

/* Vectors of bytes; a byte of a sum wraps. */
struct player {
    unsigned char data[LONGEST * MOST];
    uint32_t at; /* its step */
    bool sent, done;
};

struct message {
    uint32_t from, to;
    uint64_t bytes;
    unsigned char data[LONGEST * MOST];
};

static struct player player[MOST];
static struct message *queue[QUEUE * MOST];
static size_t queued;

static unsigned char value_of(uint32_t rank, uint64_t at)
{
    return (unsigned char)(rank * 37 + at * 11 + at / 7);
}

static bool take(uint32_t from, uint32_t to, struct message *m)
{
    for (size_t i = 0; i < queued; i++)
        if (queue[i]->from == from && queue[i]->to == to) {
            *m = *queue[i];
            free(queue[i]);
            memmove(&queue[i], &queue[i + 1], (--queued - i) * sizeof(queue[0]));
            return true;
        }
    return false;
}

/* Goes on with a process as far as it can; whether it did anything. */
static bool go_on(const struct schedule *s, uint32_t rank)
{
    static struct message m;
    struct player *p = &player[rank];
    struct schedule_step step;
    if (p->done || !schedule_step(s, rank, p->at, &step)) {
        bool news = !p->done;
        p->done = true;
        return news;
    }
    bool sends = step.to != NOBODY && !p->sent;
    if (sends) {
        struct message *out = malloc(sizeof(*out));
        assert_true(queued < QUEUE * MOST && step.to < s->processes && step.to != rank);
        out->from = rank, out->to = step.to, out->bytes = step.out_bytes;
        memcpy(out->data, p->data + step.out_at, step.out_bytes);
        queue[queued++] = out;
        p->sent = true;
    }
    if (step.from != NOBODY && !take(step.from, rank, &m))
        return sends;
    if (step.from != NOBODY) {
        assert_int_equal(m.bytes, step.in_bytes);
        for (uint64_t i = 0; i < m.bytes; i++)
            p->data[step.in_at + i] =
                (unsigned char)((step.combine ? p->data[step.in_at + i] : 0) + m.data[i]);
    }
    p->at++;
    p->sent = false;
    return true;
}

static bool is_gather(enum schedule_kind kind)
{
    return kind == SCHEDULE_ALLGATHER_DOUBLING || kind == SCHEDULE_ALLGATHER_RING;
}

static bool is_reduce(enum schedule_kind kind)
{
    return kind == SCHEDULE_REDUCE || kind == SCHEDULE_REDUCE_HALVING;
}

static bool is_broadcast(enum schedule_kind kind)
{
    return kind == SCHEDULE_BROADCAST || kind == SCHEDULE_BROADCAST_SCATTER ||
           kind == SCHEDULE_BROADCAST_RING;
}

static unsigned char wanted(const struct schedule *s, uint64_t at)
{
    unsigned char sum = 0;
    if (is_gather(s->kind))
        return value_of((uint32_t)(at / s->bytes), at % s->bytes);
    if (is_broadcast(s->kind))
        return value_of(s->root, at);
    for (uint32_t rank = 0; rank < s->processes; rank++)
        sum = (unsigned char)(sum + value_of(rank, at));
    return sum;
}

static void play(const struct schedule *s)
{
    uint64_t bytes = is_gather(s->kind) ? s->bytes * s->processes : s->bytes;
    memset(player, 0, sizeof(player));
    for (uint32_t rank = 0; rank < s->processes; rank++)
        for (uint64_t i = 0; i < s->bytes; i++)
            player[rank].data[is_gather(s->kind) ? rank * s->bytes + i : i] = value_of(rank, i);
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t rank = 0; rank < s->processes; rank++)
            moved = go_on(s, rank) || moved;
    }
    assert_int_equal(queued, 0);
    for (uint32_t rank = 0; rank < s->processes; rank++) {
        assert_true(player[rank].done);
        assert_int_equal(player[rank].at, schedule_steps(s, rank));
        bool gets = s->kind != SCHEDULE_BARRIER && (!is_reduce(s->kind) || rank == s->root);
        for (uint64_t i = 0; gets && i < bytes; i++)
            assert_int_equal(player[rank].data[i], wanted(s, i));
    }
}

static void all_get_what_they_should(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 1, 8, 63, 64, 200};
    for (uint32_t n = 1; n <= 33; n++)
        for (enum schedule_kind kind = SCHEDULE_BARRIER; kind <= SCHEDULE_ALLREDUCE_HALVING; kind++)
            for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
                bool doubles =
                    kind == SCHEDULE_ALLGATHER_DOUBLING || kind == SCHEDULE_BROADCAST_SCATTER;
                struct schedule s = {
                    .kind = kind, .processes = n, .unit = sizes[i] % 8 ? 1 : 8, .bytes = sizes[i]};
                if (doubles && !schedule_can_double(n))
                    continue;
                if (is_broadcast(kind) || is_reduce(kind))
                    s.root = (n * 7 + i) % n;
                play(&s);
            }
}

/* Peers and bytes of a process of 16 with 160 bytes: near and many first, and back. */
static void halving_begins_and_ends_with_the_nearest(void **state)
{
    (void)state;
    static const uint32_t far[] = {1, 2, 4, 8, 8, 4, 2, 1}, bytes[] = {80, 40, 20, 10};
    struct schedule s = {
        .kind = SCHEDULE_ALLREDUCE_HALVING, .processes = 16, .unit = 1, .bytes = 160};
    for (uint32_t rank = 0; rank < 16; rank++)
        for (uint32_t at = 0; at < 8; at++) {
            struct schedule_step step;
            assert_true(schedule_step(&s, rank, at, &step));
            assert_true(step.to == (rank ^ far[at]) && step.from == step.to);
            assert_int_equal(step.out_bytes, bytes[at < 4 ? at : 7 - at]);
            assert_int_equal(step.in_bytes, step.out_bytes);
        }
}

static void choices_are_those_of_mpich(void **state)
{
    (void)state;
    static const struct schedule_limits limits = {2048, 12288, 524288};
    assert_int_equal(schedule_broadcast_kind(&limits, 16, 12287), SCHEDULE_BROADCAST);
    assert_int_equal(schedule_broadcast_kind(&limits, 7, 1000000), SCHEDULE_BROADCAST);
    assert_int_equal(schedule_broadcast_kind(&limits, 16, 12288), SCHEDULE_BROADCAST_SCATTER);
    assert_int_equal(schedule_broadcast_kind(&limits, 12, 12288), SCHEDULE_BROADCAST_RING);
    assert_int_equal(schedule_broadcast_kind(&limits, 16, 524288), SCHEDULE_BROADCAST_RING);
    assert_int_equal(schedule_allgather_kind(&limits, 16, 32767), SCHEDULE_ALLGATHER_DOUBLING);
    assert_int_equal(schedule_allgather_kind(&limits, 16, 32768), SCHEDULE_ALLGATHER_RING);
    assert_int_equal(schedule_allreduce_kind(&limits, 16, 2048), SCHEDULE_ALLREDUCE_DOUBLING);
    assert_int_equal(schedule_allreduce_kind(&limits, 16, 2049), SCHEDULE_ALLREDUCE_HALVING);
    assert_int_equal(schedule_allreduce_kind(&limits, 4096, 8192), SCHEDULE_ALLREDUCE_DOUBLING);
    assert_int_equal(schedule_reduce_kind(&limits, 16, 2048), SCHEDULE_REDUCE);
    assert_int_equal(schedule_reduce_kind(&limits, 16, 2049), SCHEDULE_REDUCE_HALVING);
}

GROUP(schedule)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_get_what_they_should),
                                       cmocka_unit_test(halving_begins_and_ends_with_the_nearest),
                                       cmocka_unit_test(choices_are_those_of_mpich)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
