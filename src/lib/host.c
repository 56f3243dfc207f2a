/*
 * Messages waiting for their cycle, messages under way, and the order in which deliveries are
 * reported.
 *
 *   host_inject ──> outbox of the sender ── woken, in its cycle ──> nic_post ─ ... ─> arrived
 *                                                                                       │
 *   told <── host_tell, in order <── parcel box of the receiver's partition <───────────┘
 *
 * A message is given to the nic in its own cycle and not before. So it cannot hold up a message for
 * an earlier cycle, and it makes no difference how long before its cycle it was injected.
 */
#include "lib/library.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/slots.h"
#include "machine/family.h"

/* A message, from its injection until its delivery is reported. While the network runs, only the
 * receiver's partition writes it. */
struct parcel {
    weft_message message;
    uint64_t number;  /* of messages injected before it */
    uint64_t arrived; /* bytes */
    fine_t last;      /* when the last packet so far arrived */
    uint32_t next;    /* in the list of free parcels */
};

/* Messages of one partition that have arrived whole but have not been reported. */
struct parcel_box {
    uint32_t *parcel;
    uint32_t count, capacity;
} __attribute__((aligned(64)));

/* One node's messages whose cycle has not come yet: a heap, the next message first. Filled while
 * the session is idle, emptied by the node's partition. */
struct outbox {
    uint32_t *parcel;
    uint32_t count, capacity;
};

struct host {
    struct nic_client client;
    struct slots parcels;   /* struct parcel; grows only while the session is idle */
    struct parcel_box *box; /* [partition] */
    uint32_t boxes;
    struct outbox *outbox; /* [node] */
    uint32_t nodes;
    struct nic *nic; /* set by the first message */
    uint64_t injected, delivered;
};

static struct parcel *parcel_at(const struct host *h, uint32_t index)
{
    return (struct parcel *)h->parcels.item + index;
}

static void prepare(void *ctx, uint32_t partition, uint32_t nodes)
{
    (void)ctx, (void)partition, (void)nodes;
}

/* ---- waiting for their cycle ---- */

static bool goes_before(const struct host *h, uint32_t a, uint32_t b)
{
    const struct parcel *x = parcel_at(h, a), *y = parcel_at(h, b);
    return x->message.cycle != y->message.cycle ? x->message.cycle < y->message.cycle
                                                : x->number < y->number;
}

static void outbox_push(const struct host *h, struct outbox *o, uint32_t parcel)
{
    LIST_RESERVE(o->parcel, o->count + 1, o->capacity);
    uint32_t at = o->count++;
    for (; at > 0 && goes_before(h, parcel, o->parcel[(at - 1) / 2]); at = (at - 1) / 2)
        o->parcel[at] = o->parcel[(at - 1) / 2];
    o->parcel[at] = parcel;
}

static uint32_t outbox_pop(const struct host *h, struct outbox *o)
{
    uint32_t first = o->parcel[0], last = o->parcel[--o->count], at = 0;
    for (uint32_t child; (child = 2 * at + 1) < o->count; at = child) {
        if (child + 1 < o->count && goes_before(h, o->parcel[child + 1], o->parcel[child]))
            child++;
        if (!goes_before(h, o->parcel[child], last))
            break;
        o->parcel[at] = o->parcel[child];
    }
    o->parcel[at] = last;
    return first;
}

static void woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct host *h = ctx;
    struct outbox *o = &h->outbox[at->node];
    while (o->count && parcel_at(h, o->parcel[0])->message.cycle <= now) {
        uint32_t index = outbox_pop(h, o);
        const weft_message *message = &parcel_at(h, index)->message;
        struct nic_send send = {.to = message->to,
                                .bytes = message->bytes,
                                .cargo = index,
                                .birth = message->cycle,
                                .ready = fine_at(message->cycle),
                                .flags = NIC_STREAM | NIC_ADAPTIVE};
        nic_post(h->nic, at, &send);
    }
}

/* ---- arriving ---- */

static void arrived(void *ctx, const struct nic_node *at, const struct nic_arrival *a, fine_t when)
{
    struct host *h = ctx;
    struct parcel_box *box = &h->box[at->partition];
    uint32_t index = (uint32_t)a->cargo;
    struct parcel *parcel = parcel_at(h, index);
    parcel->arrived += a->bytes;
    parcel->last = fine_max(parcel->last, when);
    if (parcel->arrived >= parcel->message.bytes)
        *LIST_ADD(box->parcel, box->count, box->capacity) = index;
}

static void sent(void *ctx, const struct nic_node *at, const struct nic_send *send, fine_t when)
{
    (void)ctx, (void)at, (void)send, (void)when;
}

/* ---- life cycle ---- */

struct host *host_create(uint32_t nodes)
{
    struct host *h = memory_alloc(1, sizeof(*h));
    h->outbox = memory_alloc(nodes, sizeof(*h->outbox));
    h->nodes = nodes;
    h->client = (struct nic_client){
        .ctx = h, .prepare = prepare, .woken = woken, .arrived = arrived, .sent = sent};
    slots_init(&h->parcels, sizeof(struct parcel), offsetof(struct parcel, next));
    return h;
}

void host_destroy(struct host *h)
{
    if (!h)
        return;
    for (uint32_t i = 0; i < h->boxes; i++)
        free(h->box[i].parcel);
    free(h->box);
    for (uint32_t i = 0; i < h->nodes; i++)
        free(h->outbox[i].parcel);
    free(h->outbox);
    slots_fini(&h->parcels);
    free(h);
}

const struct nic_client *host_client(struct host *h)
{
    return &h->client;
}

void host_inject(struct host *h, struct session *session, const weft_message *message)
{
    if (!h->box) {
        h->nic = session_model(session)->nic;
        h->box = memory_alloc_lines(h->nic->partitions, sizeof(*h->box));
        h->boxes = h->nic->partitions;
    }
    struct nic_node at = model_locate(session_model(session), message->from);
    uint32_t index = slots_get(&h->parcels);
    *parcel_at(h, index) = (struct parcel){.message = *message, .number = h->injected};
    outbox_push(h, &h->outbox[message->from], index);
    nic_wake(h->nic, &at, message->cycle);
    session_rouse(session, message->cycle);
    h->injected++;
}

/* ---- reporting deliveries ---- */

struct told_parcel {
    cycle_t when;
    const struct parcel *parcel;
};

static int earlier(const void *a, const void *b)
{
    const struct told_parcel *x = a, *y = b;
    const weft_message *p = &x->parcel->message, *q = &y->parcel->message;
    if (x->when != y->when)
        return x->when < y->when ? -1 : 1;
    if (p->to != q->to)
        return p->to < q->to ? -1 : 1;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return x->parcel->number < y->parcel->number ? -1 : 1;
}

/* Takes the parcels of a box that are due before a cycle. */
static size_t take_due(struct host *h, struct parcel_box *box, cycle_t until,
                       struct told_parcel *due, size_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < box->count; i++) {
        const struct parcel *parcel = parcel_at(h, box->parcel[i]);
        cycle_t when = fine_cycle_after(parcel->last);
        if (when < until)
            due[count++] = (struct told_parcel){when, parcel};
        else
            box->parcel[kept++] = box->parcel[i];
    }
    box->count = kept;
    return count;
}

void host_tell(struct host *h, cycle_t until,
               void (*told)(void *arg, const weft_delivery *delivery), void *arg)
{
    size_t most = 0, count = 0;
    for (uint32_t i = 0; i < h->boxes; i++)
        most += h->box[i].count;
    if (!most)
        return;
    struct told_parcel *due = memory_alloc(most, sizeof(*due));
    weft_delivery *all =
        memory_alloc(most, sizeof(*all)); /* first: out of memory, no parcel is lost */
    for (uint32_t i = 0; i < h->boxes; i++)
        count = take_due(h, &h->box[i], until, due, count);
    qsort(due, count, sizeof(*due), earlier);
    for (size_t i = 0; i < count; i++) {
        all[i] = (weft_delivery){.message = due[i].parcel->message, .cycle = due[i].when};
        slots_put(&h->parcels, (uint32_t)(due[i].parcel - parcel_at(h, 0)));
    }
    free(due);
    h->delivered += count;
    for (size_t i = 0; i < count && told; i++)
        told(arg, &all[i]); /* the host may inject from here */
    free(all);
}

void host_count(const struct host *h, weft_counters *counters)
{
    counters->messages_injected = h->injected;
    counters->messages_delivered = h->delivered;
}
