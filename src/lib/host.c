/*
 * Messages waiting for their cycle, messages under way, and the order in which deliveries are
 * reported.
 *
 *   host_inject ──> outbox of the sender ── woken, in its cycle ──> nic_post ─ ... ─> arrived
 *                                                                                       │
 *   told <── host_tell, in order <── letter box of the receiver's partition <───────────┘
 *
 * A message is given to the nic in its own cycle and not before. So it cannot hold up a message for
 * an earlier cycle, and it makes no difference how long before its cycle it was injected.
 */
#include "lib/host.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/slots.h"

/* A message, from its injection until its delivery is reported. While the network runs, only the
 * receiver's partition writes it. */
struct letter {
    weft_message message;
    uint64_t number;  /* of messages injected before it */
    uint64_t arrived; /* bytes */
    fine_t last;      /* when the last packet so far arrived */
    uint32_t next;    /* in the list of free letters */
};

/* Messages of one partition that have arrived whole but have not been reported. */
struct letter_box {
    uint32_t *letter;
    uint32_t count, capacity;
} __attribute__((aligned(64)));

/* One node's messages whose cycle has not come yet: a heap, the next message first. Filled while
 * the session is idle, emptied by the node's partition. */
struct outbox {
    uint32_t *letter;
    uint32_t count, capacity;
};

struct host {
    struct nic_client client;
    struct slots letters;   /* struct letter; grows only while the session is idle */
    struct letter_box *box; /* [partition] */
    uint32_t boxes;
    struct outbox *outbox; /* [node] */
    uint32_t nodes;
    struct nic *nic; /* set by the first message */
    uint64_t injected, delivered;
};

static struct letter *letter_at(const struct host *h, uint32_t index)
{
    return (struct letter *)h->letters.item + index;
}

static void prepare(void *ctx, uint32_t partition, uint32_t nodes)
{
    (void)ctx, (void)partition, (void)nodes;
}

/* ---- waiting for their cycle ---- */

static bool goes_before(const struct host *h, uint32_t a, uint32_t b)
{
    const struct letter *x = letter_at(h, a), *y = letter_at(h, b);
    return x->message.cycle != y->message.cycle ? x->message.cycle < y->message.cycle
                                                : x->number < y->number;
}

static void outbox_push(const struct host *h, struct outbox *o, uint32_t letter)
{
    if (o->count == o->capacity) {
        uint32_t capacity = o->capacity ? 2 * o->capacity : 8;
        o->letter = memory_grow(o->letter, capacity, sizeof(*o->letter));
        o->capacity = capacity;
    }
    uint32_t at = o->count++;
    for (; at > 0 && goes_before(h, letter, o->letter[(at - 1) / 2]); at = (at - 1) / 2)
        o->letter[at] = o->letter[(at - 1) / 2];
    o->letter[at] = letter;
}

static uint32_t outbox_pop(const struct host *h, struct outbox *o)
{
    uint32_t first = o->letter[0], last = o->letter[--o->count], at = 0;
    for (uint32_t child; (child = 2 * at + 1) < o->count; at = child) {
        if (child + 1 < o->count && goes_before(h, o->letter[child + 1], o->letter[child]))
            child++;
        if (!goes_before(h, o->letter[child], last))
            break;
        o->letter[at] = o->letter[child];
    }
    o->letter[at] = last;
    return first;
}

static void woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct host *h = ctx;
    struct outbox *o = &h->outbox[at->node];
    while (o->count && letter_at(h, o->letter[0])->message.cycle <= now) {
        uint32_t index = outbox_pop(h, o);
        const weft_message *message = &letter_at(h, index)->message;
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
    struct letter_box *box = &h->box[at->partition];
    uint32_t index = (uint32_t)a->cargo;
    struct letter *letter = letter_at(h, index);
    letter->arrived += a->bytes;
    letter->last = fine_max(letter->last, when);
    if (letter->arrived < letter->message.bytes)
        return;
    if (box->count == box->capacity) {
        uint32_t capacity = box->capacity ? 2 * box->capacity : 64;
        box->letter = memory_grow(box->letter, capacity, sizeof(*box->letter));
        box->capacity = capacity;
    }
    box->letter[box->count++] = index;
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
    slots_init(&h->letters, sizeof(struct letter), offsetof(struct letter, next));
    return h;
}

void host_destroy(struct host *h)
{
    if (!h)
        return;
    for (uint32_t i = 0; i < h->boxes; i++)
        free(h->box[i].letter);
    free(h->box);
    for (uint32_t i = 0; i < h->nodes; i++)
        free(h->outbox[i].letter);
    free(h->outbox);
    slots_fini(&h->letters);
    free(h);
}

const struct nic_client *host_client(struct host *h)
{
    return &h->client;
}

void host_inject(struct host *h, struct session *session, const weft_message *message)
{
    if (!h->box) {
        h->nic = session_nic(session);
        h->box = memory_alloc_lines(h->nic->partitions, sizeof(*h->box));
        h->boxes = h->nic->partitions;
    }
    struct nic_node at = session_node(session, message->from);
    uint32_t index = slots_get(&h->letters);
    *letter_at(h, index) = (struct letter){.message = *message, .number = h->injected};
    outbox_push(h, &h->outbox[message->from], index);
    nic_wake(h->nic, &at, message->cycle);
    session_rouse(session, message->cycle);
    h->injected++;
}

/* ---- reporting deliveries ---- */

struct told_letter {
    cycle_t when;
    const struct letter *letter;
};

static int earlier(const void *a, const void *b)
{
    const struct told_letter *x = a, *y = b;
    const weft_message *p = &x->letter->message, *q = &y->letter->message;
    if (x->when != y->when)
        return x->when < y->when ? -1 : 1;
    if (p->to != q->to)
        return p->to < q->to ? -1 : 1;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return x->letter->number < y->letter->number ? -1 : 1;
}

/* Takes the letters of a box that are due before a cycle. */
static size_t take_due(struct host *h, struct letter_box *box, cycle_t until,
                       struct told_letter *due, size_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < box->count; i++) {
        const struct letter *letter = letter_at(h, box->letter[i]);
        cycle_t when = fine_cycle_after(letter->last);
        if (when < until)
            due[count++] = (struct told_letter){when, letter};
        else
            box->letter[kept++] = box->letter[i];
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
    struct told_letter *due = memory_alloc(most, sizeof(*due));
    weft_delivery *all =
        memory_alloc(most, sizeof(*all)); /* first: out of memory, no letter is lost */
    for (uint32_t i = 0; i < h->boxes; i++)
        count = take_due(h, &h->box[i], until, due, count);
    qsort(due, count, sizeof(*due), earlier);
    for (size_t i = 0; i < count; i++) {
        all[i] = (weft_delivery){.message = due[i].letter->message, .cycle = due[i].when};
        slots_put(&h->letters, (uint32_t)(due[i].letter - letter_at(h, 0)));
    }
    free(due);
    h->delivered += count;
    for (size_t i = 0; i < count && told; i++)
        told(arg, &all[i]); /* the host may inject from here */
    free(all);
}

uint64_t host_injected(const struct host *h)
{
    return h->injected;
}

uint64_t host_delivered(const struct host *h)
{
    return h->delivered;
}
