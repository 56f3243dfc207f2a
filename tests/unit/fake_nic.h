/*
 * A nic without a network, for tests of its clients: every packet takes a time that the test sets.
 * What was posted is kept, in order. One partition, one thread.
 *
 *   fake_init(&f, nodes, traits)   f.nic.client = ...   fake_run(&f)   fake_fini(&f)
 *
 * Traits and software to choose from are here too.
 */
#ifndef WEFT_TESTS_FAKE_NIC_H
#define WEFT_TESTS_FAKE_NIC_H

#include "testing.h"

#include "base/random.h"
#include "message/process.h"
#include "node/nic.h"

/* Calls of the fake itself are not counted where calls are (test_process_cost.c). */
#define FAKE static inline __attribute__((no_instrument_function))

/* Of every packet, from its post to its arrival; and how long before that the client is told. */
enum { FAKE_LATENCY = 100, FAKE_AHEAD = 5 };

/* ---- what there is to choose from ---- */

enum { FAKE_EAGER = 1024, FAKE_FULL = 128 };

/* As on the SC5832: 200 cycles to a microsecond. */
static const struct software_params fake_software = {.send_ns = 150,
                                                     .receive_ns = 150,
                                                     .eager_bytes = FAKE_EAGER,
                                                     .rails_bytes = 8192,
                                                     .rails = 3,
                                                     .memory_mb_per_s = 1000,
                                                     .reduce_mb_per_s = 250};

/* An engine that keeps order. */
static const struct nic_traits fake_engine = {.packet_payload = FAKE_FULL,
                                              .ordered = true,
                                              .engine = true,
                                              .queues = 8,
                                              .routes = 4,
                                              .cycles_per_us = 200};

/* Processes node by node, on those that are not dead. */
FAKE void fake_map(struct mapping *m, uint32_t processes, uint32_t nodes, uint32_t per_node,
                   const bool *dead)
{
    struct mapping_options o = {.dims = 1,
                                .size = {nodes},
                                .letters = "N",
                                .per_node = per_node,
                                .dead = dead,
                                .processes = processes};
    assert_int_equal(mapping_create(&o, "TN", m), WEFT_OK);
}

/* ---- the nic ---- */

enum fake_what { FAKE_WAKE, FAKE_ARRIVAL, FAKE_SENT };

struct fake_event {
    cycle_t at;
    uint64_t number; /* of two at once the older comes first */
    enum fake_what what;
    uint32_t node;
    fine_t when;
    struct nic_arrival arrival;
    struct nic_send send;
};

/* A send, by whom and when it was posted. */
struct fake_post {
    uint32_t from;
    cycle_t at;
    struct nic_send send;
};

struct fake_nic {
    struct nic nic;
    struct network_part part; /* its time, and what was recorded */
    struct nic_part own;
    uint32_t nodes;
    cycle_t stream_longer;    /* and those of streams so much: events overtake them */
    struct fake_event *event; /* a heap */
    size_t events, capacity;
    uint64_t numbers;
    struct fake_post *post;
    size_t posts, post_capacity;
    uint64_t wakes, notifies;
    uint32_t *sequence; /* [node], of packets */
};

/* ---- the future ---- */

FAKE bool fake_before(const struct fake_event *a, const struct fake_event *b)
{
    return a->at != b->at ? a->at < b->at : a->number < b->number;
}

FAKE void fake_swap(struct fake_event *a, struct fake_event *b)
{
    struct fake_event c = *a;
    *a = *b;
    *b = c;
}

FAKE void fake_push(struct fake_nic *f, struct fake_event e)
{
    if (f->events == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 64;
        f->event = realloc(f->event, f->capacity * sizeof(*f->event));
    }
    e.number = f->numbers++;
    size_t i = f->events++;
    f->event[i] = e;
    for (; i && fake_before(&f->event[i], &f->event[(i - 1) / 2]); i = (i - 1) / 2)
        fake_swap(&f->event[i], &f->event[(i - 1) / 2]);
}

FAKE struct fake_event fake_pop(struct fake_nic *f)
{
    struct fake_event first = f->event[0];
    f->event[0] = f->event[--f->events];
    for (size_t i = 0, child; (child = 2 * i + 1) < f->events; i = child) {
        child += child + 1 < f->events && fake_before(&f->event[child + 1], &f->event[child]);
        if (!fake_before(&f->event[child], &f->event[i]))
            break;
        fake_swap(&f->event[i], &f->event[child]);
    }
    return first;
}

/* ---- the face ---- */

/* The packets of a send set out one `gap` after the other; it is sent with the last. */
FAKE fine_t fake_post(struct nic *nic, const struct nic_node *at, const struct nic_send *send)
{
    struct fake_nic *f = (struct fake_nic *)nic;
    uint64_t full = nic->traits.packet_payload, left = send->bytes;
    fine_t out = fine_max(send->ready, fine_at(f->part.wheel.now));
    assert_true(send->to < f->nodes && send->to != at->node);
    assert_true(send->queue < nic->traits.queues);
    if (f->posts == f->post_capacity) {
        f->post_capacity = f->post_capacity ? 2 * f->post_capacity : 64;
        f->post = realloc(f->post, f->post_capacity * sizeof(*f->post));
    }
    f->post[f->posts++] = (struct fake_post){at->node, f->part.wheel.now, *send};
    for (bool last = false; !last; out += last ? 0 : send->gap) {
        uint64_t bytes = left < full ? left : full;
        cycle_t longer = send->flags & NIC_STREAM ? f->stream_longer : 0;
        fine_t when = out + fine_at(FAKE_LATENCY + longer);
        left -= bytes;
        last = !left;
        fake_push(f, (struct fake_event){.at = (when >> FRACTION_BITS) - FAKE_AHEAD,
                                         .what = FAKE_ARRIVAL,
                                         .node = send->to,
                                         .when = when,
                                         .arrival = {.source = at->node,
                                                     .sequence = f->sequence[at->node]++,
                                                     .bytes = (uint32_t)bytes,
                                                     .cargo = send->cargo,
                                                     .last = last && nic->traits.ordered}});
    }
    fake_push(f, (struct fake_event){.at = fine_cycle_after(out) + 1,
                                     .what = FAKE_SENT,
                                     .node = at->node,
                                     .when = out,
                                     .send = *send});
    return nic->traits.engine ? fine_at(f->part.wheel.now) : out;
}

FAKE uint32_t fake_routes(struct nic *nic, uint32_t from, uint32_t to, uint32_t most,
                          uint64_t *route)
{
    uint32_t count = most < nic->traits.routes ? most : nic->traits.routes;
    for (uint32_t i = 0; i < count; i++)
        route[i] = 1 + i + 100 * (uint64_t)(to + 1) + 10000 * (uint64_t)(from + 1);
    return count;
}

FAKE void fake_wake(struct nic *nic, const struct nic_node *at, cycle_t when)
{
    struct fake_nic *f = (struct fake_nic *)nic;
    assert_true(when > f->part.wheel.now);
    f->wakes++;
    fake_push(f, (struct fake_event){.at = when, .what = FAKE_WAKE, .node = at->node});
}

FAKE fine_t fake_notify(struct nic *nic, const struct nic_node *at, fine_t when)
{
    (void)at;
    ((struct fake_nic *)nic)->notifies++;
    return when;
}

/* ---- life cycle ---- */

FAKE void fake_init(struct fake_nic *f, uint32_t nodes, struct nic_traits traits)
{
    static const struct nic_kind kind = {
        .post = fake_post, .routes = fake_routes, .wake = fake_wake, .notify = fake_notify};
    *f = (struct fake_nic){.nic = {.kind = &kind, .traits = traits, .partitions = 1},
                           .nodes = nodes,
                           .sequence = calloc(nodes, sizeof(*f->sequence))};
    f->own.network = &f->part;
    f->nic.part = &f->own;
}

FAKE void fake_fini(struct fake_nic *f)
{
    free(f->event);
    free(f->post);
    free(f->sequence);
}

/* Every node is woken at the start, as nics do. */
FAKE void fake_start(struct fake_nic *f)
{
    f->nic.client.prepare(f->nic.client.ctx, 0, f->nodes);
    for (uint32_t node = 0; node < f->nodes; node++)
        fake_push(f, (struct fake_event){.at = 0, .what = FAKE_WAKE, .node = node});
}

/* Runs what happens before a cycle; false: nothing is left. */
FAKE bool fake_run_until(struct fake_nic *f, cycle_t until)
{
    const struct nic_client *c = &f->nic.client;
    while (f->events && f->event[0].at < until) {
        struct fake_event e = fake_pop(f);
        struct nic_node at = {0, e.node, e.node};
        f->part.wheel.now = e.at;
        if (e.what == FAKE_WAKE)
            c->woken(c->ctx, &at, f->part.wheel.now);
        else if (e.what == FAKE_ARRIVAL)
            c->arrived(c->ctx, &at, &e.arrival, e.when);
        else
            c->sent(c->ctx, &at, &e.send, e.when);
    }
    return f->events > 0;
}

FAKE void fake_run(struct fake_nic *f)
{
    fake_start(f);
    fake_run_until(f, CYCLE_NEVER);
}

#endif
