/* Going through all events, messages and tables, of all partitions and ranks. */
#include "fabric/check.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/text/text.h"
#include "engine/ranks.h"
#include "topology/dependency.h"

/* A partition whose events are visited. */
struct visit {
    struct audit *audit;
    const struct network_part *part;
};

static void visit_event(void *arg, cycle_t time, event_t e)
{
    struct visit *v = arg;
    const struct network_kind *kind = v->audit->network->kind;
    const char *packet = NULL;
    (void)time;
    if (kind->brings >> event_kind(e) & 1) {
        memcpy(&packet, (const char *)v->part + kind->pool_at, sizeof(packet));
        packet += event_payload(e) * kind->packet_size;
        v->audit->packets++;
    }
    v->audit->event(v->audit, v->part, e, packet);
}

static weft_status take_part(struct audit *a, const struct network_part *p)
{
    struct visit v = {a, p};
    a->packets = 0;
    wheel_visit(&p->wheel, visit_event, &v);
    a->part(a, p);
    if (a->packets != p->packets)
        return RUN_FAILED(("invariant broken: partition %u holds %u packets; %llu were found",
                           p->index, p->packets, (unsigned long long)a->packets),
                          NO_REMEDY);
    return WEFT_OK;
}

/* Messages that their partition has not yet received. */
static void take_messages(struct audit *a, const struct channel *channel,
                          const struct channel_buffer *b)
{
    const struct network_part *to = network_part(a->network, channel->to);
    const unsigned char *body = b->body;
    for (uint32_t m = 0; m < b->count; m++) {
        bool brings = a->network->kind->brings >> event_kind(b->message[m].event) & 1;
        a->event(a, to, b->message[m].event, brings ? body : NULL);
        if (brings)
            body += channel->body_size;
    }
}

static weft_status take_all(struct audit *a)
{
    const struct engine *e = &a->network->engine;
    weft_status status = WEFT_OK;
    for (uint32_t i = e->first; i < e->end && status == WEFT_OK; i++)
        status = take_part(a, network_part(a->network, i));
    for (uint32_t c = 0; c < 2 * e->channels; c++)
        if (engine_rank(e, e->channel[c / 2].to) == ranks_me()) /* or it is another rank's */
            take_messages(a, &e->channel[c / 2], &e->channel[c / 2].buffer[c % 2]);
    ranks_sum_32(a->count, a->counts);
    if (ranks_max(status != WEFT_OK) && status == WEFT_OK)
        return RUN_FAILED(("invariant broken in another rank"), NO_REMEDY);
    return status == WEFT_OK ? a->compare(a) : status;
}

weft_status audit_take(struct audit *a)
{
    a->count = memory_alloc(a->counts + 1, sizeof(*a->count));
    weft_status status = take_all(a);
    free(a->count);
    return status;
}

/* ---- who waits for whom ---- */

/* Packets wait for room in other buffers. A cycle of buffers, each waiting for the next, cannot
 * resolve itself. */

/* A buffer of the machine, numbered node * n->buffers + buffer. Zero in all ranks but its own. */
struct waiting {
    uint32_t next; /* 1 + number of the buffer that the head waits for; 0: none */
    uint32_t occupied;
};

static void gather_part(const struct network *n, const struct network_part *p, struct waiting *all)
{
    for (uint32_t local = 0; local < p->member_count; local++)
        for (uint32_t buffer = 0; buffer < n->buffers; buffer++) {
            struct waiting_head head = n->kind->checks->head(p, local, buffer);
            head.waits &= head.node < n->routers && head.buffer < n->buffers;
            all[(size_t)p->members[local] * n->buffers + buffer] =
                (struct waiting){.next = head.waits ? 1 + head.node * n->buffers + head.buffer : 0,
                                 .occupied = head.occupied};
        }
}

static struct waiting *gather(const struct network *n)
{
    size_t count = (size_t)n->routers * n->buffers;
    struct waiting *all = memory_alloc(count, sizeof(*all));
    for (uint32_t i = n->engine.first; i < n->engine.end; i++)
        gather_part(n, network_part(n, i), all);
    ranks_sum_32((uint32_t *)all, 2 * count);
    return all;
}

static unsigned list_next(const void *all, uint32_t buffer, uint32_t edge[DEPENDENCY_MOST_EDGES])
{
    uint32_t next = ((const struct waiting *)all)[buffer].next;
    if (next)
        edge[0] = next - 1;
    return next != 0;
}

static void print_cycle(const struct network *n, const struct waiting *all, const uint32_t *cycle,
                        uint32_t length, char *text, size_t size)
{
    enum { SHOWN = 16 };
    size_t at = text_append(text, size, 0, "%u buffers wait for each other:\n", length);
    for (uint32_t i = 0; i < length && i < SHOWN; i++)
        at = n->kind->checks->print_buffer(n, cycle[i] / n->buffers, cycle[i] % n->buffers,
                                           all[cycle[i]].occupied, text, size, at);
    if (length > SHOWN)
        at = text_append(text, size, at, "  ... (%u more)\n", length - SHOWN);
    text_append(text, size, at, "  the first one again\n");
}

void network_explain(const struct network *n, char *text, size_t size)
{
    if (!n->kind->checks->head) {
        text_append(text, size, 0, "%s\n", n->kind->stuck);
        return;
    }
    struct waiting *all = gather(n);
    struct dependency graph = {.channels = n->routers * n->buffers, .list = list_next, .ctx = all};
    uint32_t *cycle, length = dependency_find_cycle(&graph, &cycle);
    if (length)
        print_cycle(n, all, cycle, length, text, size);
    else
        text_append(text, size, 0, "no cycle of waiting buffers was found; %s\n", n->kind->stuck);
    free(cycle);
    free(all);
}
