/*
 * Nics of small machines, driven by a client that posts what a test lists and keeps what it is
 * told. Built as a run builds them; any number of partitions and threads.
 *
 *   nics_init(&n, "sc5832", settings, threads)   nics_add(&n, from, at, send) ...
 *   nics_run(&n)          n.posting[i] says what became of it
 *   nics_check(&n)        what is true of every nic
 *   nics_fini(&n)
 *
 * Tests that every nic has to pass are here too: nics_test_random(), nics_test_chain(),
 * nics_test_wakes() and nics_test_awaits().
 */
#ifndef WEFT_TESTS_NICS_H
#define WEFT_TESTS_NICS_H

#include "models.h"

#include "base/random.h"
#include "node/nic.h"

enum { NICS_NODES_MOST = 64, NICS_POSTINGS_MOST = 20000 };

/* A send that is to be posted, and what was told of it. Its source and its destination may be run
 * by two threads: each writes its own part. */
struct posting {
    uint32_t from;
    cycle_t at; /* posted in this cycle: the client has itself woken */
    struct nic_send send;

    /* Of the source. */
    struct posting *next; /* that it has not posted, while this one is not */
    bool posted;
    cycle_t posted_at;
    fine_t free; /* that nic_post() returned */
    uint32_t sent;
    fine_t sent_when;
    bool sent_as_posted;

    /* Of the destination. */
    uint64_t bytes;
    uint32_t packets, lasts, number, last_number; /* first and last, among all that came there */
    fine_t first, latest;
} __attribute__((aligned(64)));

struct nics_node {
    struct posting *pending, **end; /* not posted yet, as they were added; NULL: none ever */
    uint64_t woken, arrived;
    cycle_t now; /* of the last call */
    bool started;
    const char *wrong; /* the first thing that should not be */
} __attribute__((aligned(64)));

struct nics {
    struct test_model model;
    struct nic *nic;
    struct network *network;
    uint32_t nodes, threads;
    struct nics_node node[NICS_NODES_MOST];
    struct posting *posting;
    uint32_t postings;
    uint32_t prepared; /* nodes */
    /* More that a test does when something happens; NULL: nothing. */
    void (*arrived)(struct nics *n, const struct nic_node *at, struct posting *p, fine_t when);
    void (*sent)(struct nics *n, const struct nic_node *at, struct posting *p, fine_t when);
    void *ctx;
};

#define NICS_EXPECT(n, at, condition)                                                              \
    do {                                                                                           \
        if (!(condition) && !(n)->node[(at)->node].wrong)                                          \
            (n)->node[(at)->node].wrong = #condition;                                              \
    } while (0)

/* The cargo of a posting: its number, under bits of all kinds. */
static inline uint64_t nics_cargo(uint32_t number)
{
    return (random_mix(number + 1) & ~(uint64_t)0xffffffff) | number;
}

/* ---- the client ---- */

static inline void nics_post_now(struct nics *n, const struct nic_node *at, struct posting *p)
{
    p->posted = true;
    p->posted_at = nic_now(n->nic, at->partition);
    p->free = nic_post(n->nic, at, &p->send);
}

static inline void nics_prepare(void *ctx, uint32_t partition, uint32_t nodes)
{
    struct nics *n = ctx;
    (void)partition;
    __atomic_fetch_add(&n->prepared, nodes, __ATOMIC_RELAXED);
}

static inline void nics_woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct nics *n = ctx;
    struct nics_node *node = &n->node[at->node];
    NICS_EXPECT(n, at, nic_now(n->nic, at->partition) == now);
    NICS_EXPECT(n, at, now >= node->now);
    node->now = now;
    node->woken++;
    for (struct posting **link = &node->pending; *link;) {
        struct posting *p = *link;
        if (!p->posted && p->at <= now)
            nics_post_now(n, at, p);
        else if (!p->posted && !node->started)
            nic_wake(n->nic, at, p->at);
        if (!p->posted)
            link = &p->next;
        else if (!(*link = p->next))
            node->end = link;
    }
    node->started = true;
}

static inline void nics_arrived(void *ctx, const struct nic_node *at, const struct nic_arrival *a,
                                fine_t when)
{
    struct nics *n = ctx;
    uint32_t index = (uint32_t)a->cargo;
    NICS_EXPECT(n, at, index < n->postings && a->cargo == nics_cargo(index));
    if (index >= n->postings)
        return;
    struct posting *p = &n->posting[index];
    cycle_t now = nic_now(n->nic, at->partition);
    NICS_EXPECT(n, at, a->source == p->from);
    NICS_EXPECT(n, at, at->node == p->send.to);
    NICS_EXPECT(n, at, when >= fine_at(now) && when >= p->send.ready);
    p->first = p->packets ? p->first : when;
    p->number = p->packets ? p->number : (uint32_t)n->node[at->node].arrived;
    p->last_number = (uint32_t)n->node[at->node].arrived++;
    p->latest = fine_max(p->latest, when);
    p->bytes += a->bytes;
    p->packets++;
    bool overtaking = n->nic->traits.overtaking && p->send.flags & NIC_STREAM;
    NICS_EXPECT(n, at,
                !n->nic->traits.ordered || overtaking || a->last == (p->bytes == p->send.bytes));
    p->lasts += a->last;
    if (n->arrived)
        n->arrived(n, at, p, when);
}

static inline void nics_sent(void *ctx, const struct nic_node *at, const struct nic_send *send,
                             fine_t when)
{
    struct nics *n = ctx;
    uint32_t index = (uint32_t)send->cargo;
    NICS_EXPECT(n, at, index < n->postings && send->cargo == nics_cargo(index));
    if (index >= n->postings)
        return;
    struct posting *p = &n->posting[index];
    const struct nic_send *s = &p->send;
    NICS_EXPECT(n, at, at->node == p->from && p->posted);
    p->sent++;
    p->sent_when = when;
    p->sent_as_posted = send->to == s->to && send->bytes == s->bytes && send->cargo == s->cargo &&
                        send->route == s->route && send->birth == s->birth &&
                        send->ready == s->ready && send->gap == s->gap && send->flags == s->flags &&
                        send->queue == s->queue;
    if (n->sent)
        n->sent(n, at, p, when);
}

/* ---- life cycle ---- */

/* A machine whose nic serves the test; settings are those of the machine. */
static inline void nics_init(struct nics *n, const char *machine, const char *settings,
                             uint32_t threads)
{
    memset(n, 0, sizeof(*n));
    struct nic_client client = {.ctx = n,
                                .prepare = nics_prepare,
                                .woken = nics_woken,
                                .arrived = nics_arrived,
                                .sent = nics_sent};
    model_make_for(&n->model, machine, settings, threads, &client);
    n->nic = n->model.model->nic;
    n->network = n->model.model->network;
    n->nodes = n->model.model->site.nodes;
    n->threads = threads;
    assert_true(n->nodes <= NICS_NODES_MOST);
    n->posting = aligned_alloc(64, NICS_POSTINGS_MOST * sizeof(*n->posting));
}

static inline void nics_fini(struct nics *n)
{
    free(n->posting);
    model_drop(&n->model);
}

/* One more send, in a cycle; ready then unless it says later. Its cargo is set here. */
static inline struct posting *nics_add(struct nics *n, uint32_t from, cycle_t at,
                                       struct nic_send send)
{
    assert_true(n->postings < NICS_POSTINGS_MOST);
    uint32_t number = n->postings++;
    struct posting *p = &n->posting[number];
    memset(p, 0, sizeof(*p));
    send.cargo = nics_cargo(number);
    send.ready = fine_max(send.ready, fine_at(at));
    send.birth = at;
    p->from = from;
    p->at = at;
    p->send = send;
    struct nics_node *node = &n->node[from];
    *(node->end ? node->end : &node->pending) = p;
    node->end = &p->next;
    return p;
}

/* Runs until nothing happens any more. */
static inline void nics_run(struct nics *n)
{
    model_run(n->network, n->threads);
    assert_int_equal(n->prepared, n->nodes);
    for (uint32_t i = 0; i < n->nodes; i++) {
        if (n->node[i].wrong)
            fail_msg("at node %u: not %s", i, n->node[i].wrong);
        assert_true(n->node[i].started);
    }
}

static inline uint64_t nics_packets(const struct nics *n, const struct posting *p)
{
    uint64_t full = n->nic->traits.packet_payload;
    return p->send.bytes ? (p->send.bytes + full - 1) / full : 1;
}

/* What is true of every nic: each send was posted when the client was to be woken for it, left
 * once, and came once, with all its bytes, later than it left. */
static inline void nics_check(const struct nics *n)
{
    for (uint32_t i = 0; i < n->postings; i++) {
        const struct posting *p = &n->posting[i];
        if (!p->posted || p->posted_at != p->at)
            fail_msg("send %u: posted in cycle %llu, not %llu", i, (unsigned long long)p->posted_at,
                     (unsigned long long)p->at);
        if (p->bytes != p->send.bytes || p->packets != nics_packets(n, p))
            fail_msg("send %u of %llu bytes: %llu bytes in %u packets", i,
                     (unsigned long long)p->send.bytes, (unsigned long long)p->bytes, p->packets);
        assert_int_equal(p->sent, 1);
        assert_true(p->sent_as_posted);
        assert_true(p->sent_when >= p->send.ready && p->sent_when < p->latest);
        assert_true(p->free >= fine_at(p->posted_at));
        assert_int_equal(p->lasts, n->nic->traits.ordered ? 1 : 0);
    }
}

/* What keeps the order in which it was posted, one send whole before the next. */
enum nics_order {
    NICS_NO_ORDER,
    NICS_QUEUE_ORDER, /* what software sends from one queue to one node; streams take turns */
};

/* Sends of one queue to one node beside each other, in the order in which they were posted. */
static inline int nics_compare(const void *left, const void *right)
{
    const struct posting *a = *(const struct posting *const *)left;
    const struct posting *b = *(const struct posting *const *)right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->send.to != b->send.to)
        return a->send.to < b->send.to ? -1 : 1;
    if (a->send.queue != b->send.queue)
        return a->send.queue < b->send.queue ? -1 : 1;
    if (a->posted_at != b->posted_at)
        return a->posted_at < b->posted_at ? -1 : 1;
    return a < b ? -1 : 1; /* of one cycle: as they were listed */
}

static inline bool nics_same_queue(const struct posting *a, const struct posting *b)
{
    return a->from == b->from && a->send.to == b->send.to && a->send.queue == b->send.queue;
}

/* As each has come whole before the next begins, so have all before it. */
static inline void nics_assert_order(const struct nics *n, enum nics_order order)
{
    if (order != NICS_QUEUE_ORDER)
        return;
    const struct posting **sorted = malloc(n->postings * sizeof(const struct posting *));
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->postings; i++)
        if (!(n->posting[i].send.flags & NIC_STREAM))
            sorted[count++] = &n->posting[i];
    qsort(sorted, count, sizeof(*sorted), nics_compare);
    for (uint32_t i = 1; i < count; i++)
        if (nics_same_queue(sorted[i - 1], sorted[i]))
            assert_true(sorted[i - 1]->last_number < sorted[i]->number);
    free(sorted);
}

/* ---- random sends ---- */

/* So many sends between all nodes, of all lengths, at all times, with all flags the nic knows. */
static inline void nics_add_random(struct nics *n, uint32_t count, cycle_t span, uint64_t seed)
{
    uint64_t draw = seed;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = random_below(random_next(&draw), n->nodes);
        uint32_t to = (from + 1 + random_below(random_next(&draw), n->nodes - 1)) % n->nodes;
        cycle_t at = i % 4 ? random_next(&draw) % span : 0;
        uint64_t bytes = random_next(&draw) % (i % 5 ? 300 : 3000);
        bool stream = n->nic->traits.engine && random_next(&draw) % 2;
        struct nic_send send = {
            .to = to,
            .bytes = i % 17 ? bytes : 0,
            .ready = fine_at(at) + random_next(&draw) % fine_at(200),
            .gap = stream ? 0 : random_next(&draw) % fine_at(40),
            .flags = (uint8_t)((stream ? NIC_STREAM : 0) | (i % 3 ? NIC_ADAPTIVE : 0)),
            .queue = (uint8_t)random_below(random_next(&draw), n->nic->traits.queues)};
        nics_add(n, from, at, send);
    }
}

/* Two runs of the same sends, cut in two ways, were told the same. */
static inline void nics_assert_same(const struct nics *a, const struct nics *b)
{
    assert_int_equal(a->postings, b->postings);
    for (uint32_t i = 0; i < a->postings; i++) {
        const struct posting *p = &a->posting[i], *q = &b->posting[i];
        if (p->first != q->first || p->latest != q->latest || p->sent_when != q->sent_when ||
            p->free != q->free || p->number != q->number)
            fail_msg("send %u is not the same in another cut", i);
    }
}

/* ---- tests that every nic has to pass ---- */

/* Every send arrives once, in order, with its cargo, on each of `count` machines; and alike if a
 * machine is whole, cut in two by the setting `cut`, or cut and run by two threads. */
static inline void nics_test_random(const char *machine, const char *const *settings,
                                    unsigned count, const char *cut, enum nics_order order)
{
    for (unsigned m = 0; m < count; m++) {
        struct nics n[3];
        for (unsigned w = 0; w < 3; w++) {
            char text[400];
            snprintf(text, sizeof(text), "%s %s", settings[m], w ? cut : "");
            nics_init(&n[w], machine, text, w < 2 ? 1 : 2);
            nics_add_random(&n[w], 600, 20000, m + 1);
            nics_run(&n[w]);
            nics_check(&n[w]);
            nics_assert_order(&n[w], order);
            nics_assert_same(&n[0], &n[w]);
        }
        for (unsigned w = 0; w < 3; w++)
            nics_fini(&n[w]);
    }
}

/* One send more, drawn by `salt`, while there are fewer than n->ctx says. A stream that is ready at
 * once may only be posted while an engine serves (dma.h). */
static inline void nics_chain_post(struct nics *n, const struct nic_node *at, uint32_t salt,
                                   bool serving)
{
    uint64_t draw = random_mix(salt);
    bool engine = n->nic->traits.engine;
    cycle_t now = nic_now(n->nic, at->partition);
    if (n->postings >= *(const uint32_t *)n->ctx)
        return;
    struct nic_send send = {.to = (at->node + 1 + random_below(draw, n->nodes - 1)) % n->nodes,
                            .bytes = draw % 1500,
                            .flags = !engine          ? NIC_ADAPTIVE
                                     : draw >> 20 & 1 ? NIC_STREAM
                                                      : 0,
                            .queue = (uint8_t)(draw % n->nic->traits.queues),
                            .ready = fine_at(now + (engine && !serving))};
    nics_post_now(n, at, nics_add(n, at->node, now, send));
}

static inline void nics_chain_arrived(struct nics *n, const struct nic_node *at, struct posting *p,
                                      fine_t when)
{
    (void)when;
    if (p->bytes == p->send.bytes)
        nics_chain_post(n, at, (uint32_t)(p - n->posting) * 2, false);
}

static inline void nics_chain_sent(struct nics *n, const struct nic_node *at, struct posting *p,
                                   fine_t when)
{
    (void)when;
    nics_chain_post(n, at, (uint32_t)(p - n->posting) * 2 + 1, true);
}

/* Sends are posted from all calls: everything that happens posts again, until there are `most`. */
static inline void nics_test_chain(const char *machine, const char *const *settings, unsigned count,
                                   uint32_t most, enum nics_order order)
{
    for (unsigned m = 0; m < count; m++) {
        struct nics n;
        nics_init(&n, machine, settings[m], 1);
        n.arrived = nics_chain_arrived;
        n.sent = nics_chain_sent;
        n.ctx = &most;
        for (uint32_t node = 0; node < n.nodes; node++)
            nics_add(&n, node, 0,
                     (struct nic_send){.to = (node + 1) % n.nodes, .bytes = 700 * node});
        nics_run(&n);
        nics_check(&n);
        nics_assert_order(&n, order);
        assert_int_equal(n.postings, most);
        nics_fini(&n);
    }
}

/* The client is woken when it asked, near and far, together and one by one, 50 times a node, which
 * is more than an engine keeps in mind: nics_check() looks at the cycles. */
static inline void nics_test_wakes(const char *machine, const char *settings)
{
    struct nics n;
    nics_init(&n, machine, settings, 1);
    for (uint32_t i = 0; i < 50 * n.nodes; i++)
        nics_add(&n, i % n.nodes, i % 50 ? 1 + random_draw(7, i) % 3000 : 10000000 + i,
                 (struct nic_send){.to = (i + 1) % n.nodes,
                                   .bytes = i,
                                   .flags = n.nic->traits.engine && i % 2 ? NIC_STREAM : 0});
    nics_run(&n);
    nics_check(&n);
    nics_fini(&n);
}

/* Processes that have not ended are counted, one by one and several at once. */
static inline void nics_test_awaits(const char *machine, const char *settings)
{
    struct nics n;
    nics_init(&n, machine, settings, 1);
    nics_run(&n);
    assert_int_equal(network_totals(n.network).awaited, 0);
    nic_await(n.nic, 0, 1);
    nic_await(n.nic, 0, 2);
    nic_await(n.nic, 0, -1);
    assert_int_equal(network_totals(n.network).awaited, 2);
    nics_fini(&n);
}

#endif
