/* Going through all events, messages and tables, of all partitions and ranks. */
#include "fabric/check.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/text/text.h"
#include "engine/ranks.h"
#include "topology/dependency.h"

/* The packet that a partition's event brings; NULL: none. */
static const void *packet_of(const struct network_part *p, event_t e)
{
    struct part_pool pool = network_pool(p);
    return network_event_brings(p->kind, e)
               ? (const char *)pool.packet + event_payload(e) * pool.size
               : NULL;
}

/* ---- whether a state that was read can be one ---- */

bool inspect_queue(const struct inspection *a, uint32_t head, uint32_t tail)
{
    struct part_pool pool = network_pool(a->part);
    uint32_t last;
    return visited_list(a->packets, (struct visited_items){pool.packet, pool.size, pool.next_at},
                        head, &last) &&
           (head == NO_PACKET || tail == last);
}

/* The events of a partition, as they are visited. */
struct events_visit {
    const struct inspection *a;
    bool wrong;
};

static void inspect_event(void *arg, cycle_t time, event_t e)
{
    struct events_visit *v = arg;
    const struct network_part *p = v->a->part;
    const struct network_checks *checks = p->kind->checks;
    uint32_t local = event_node(e);
    if (network_event_brings(p->kind, e))
        v->wrong = v->wrong || !visited_mark(v->a->packets, event_payload(e));
    v->wrong = v->wrong ||
               !checks->is_event(
                   p, local < p->member_count ? v->a->pending + local * checks->pending_size : NULL,
                   time, e, packet_of(p, e));
}

static const char *inspect(const struct inspection *a)
{
    const struct network_checks *checks = a->part->kind->checks;
    struct events_visit v = {.a = a};
    wheel_visit(&a->part->wheel, inspect_event, &v);
    const char *flaw = v.wrong ? "an event is not valid" : NULL;
    for (uint32_t local = 0; local < a->part->member_count && !flaw; local++)
        flaw = checks->router_flaw(a, local);
    return flaw || !checks->rest_flaw ? flaw : checks->rest_flaw(a->part);
}

static const char *part_state_flaw(const struct network *n, const struct network_part *p)
{
    struct visited packets;
    struct inspection a = {.part = p, .packets = &packets};
    const char *flaw = part_flaw(p, network_pool(p), &packets);
    cycle_t now = n->engine.now;
    a.pending = memory_alloc(p->member_count, n->kind->checks->pending_size);
    if (!flaw && (p->wheel.now > now || wheel_next(&p->wheel) < now))
        flaw = "a partition stands at another cycle";
    if (!flaw)
        flaw = inspect(&a);
    if (!flaw && !visited_is_full(&packets))
        flaw = "a packet is in no place";
    free(a.pending);
    visited_fini(&packets);
    return flaw;
}

static const char *messages_flaw(const struct network *n, const struct channel *channel,
                                 const struct channel_buffer *b)
{
    const struct network_part *to = network_part(n, channel->to);
    const unsigned char *body = b->body;
    uint32_t bodies = 0;
    for (uint32_t m = 0; m < b->count; m++) {
        event_t e = b->message[m].event;
        bool packet = network_event_brings(n->kind, e);
        if (packet && bodies++ == b->body_count)
            return "a message between partitions lacks its packet";
        if (!(n->kind->travels >> event_kind(e) & 1) ||
            !n->kind->checks->is_event(to, NULL, b->message[m].time, e, packet ? body : NULL))
            return "a message between partitions is not valid";
        if (packet)
            body += channel->body_size;
    }
    return bodies == b->body_count ? NULL : "a packet between partitions is nobody's";
}

const char *network_flaw(const struct network *n)
{
    const struct engine *e = &n->engine;
    const char *flaw = engine_flaw(e);
    for (uint32_t i = e->first; i < e->end && !flaw; i++)
        flaw = part_state_flaw(n, network_part(n, i));
    for (uint32_t c = 0; c < 2 * e->channels && !flaw; c++)
        if (engine_rank(e, e->channel[c / 2].to) == ranks_me())
            flaw = messages_flaw(n, &e->channel[c / 2], &e->channel[c / 2].buffer[c % 2]);
    return flaw;
}

/* ---- whether everything is in one place ---- */

/* A partition whose events are visited. */
struct visit {
    struct audit *audit;
    const struct network_part *part;
};

static void visit_event(void *arg, cycle_t time, event_t e)
{
    struct visit *v = arg;
    const struct network_part *p = v->part;
    (void)time;
    v->audit->packets += network_event_brings(p->kind, e);
    p->kind->checks->audit_event(v->audit, p, e, packet_of(p, e));
}

static weft_status audit_part(struct audit *a, const struct network_part *p)
{
    struct visit v = {a, p};
    a->packets = 0;
    wheel_visit(&p->wheel, visit_event, &v);
    for (uint32_t local = 0; local < p->member_count; local++)
        p->kind->checks->audit_router(a, p, local);
    if (a->packets != p->packets)
        return RUN_FAILED(("invariant broken: partition %u holds %u packets; %llu were found",
                           p->index, p->packets, (unsigned long long)a->packets),
                          NO_REMEDY);
    return WEFT_OK;
}

/* Messages that their partition has not yet received. */
static void audit_messages(struct audit *a, const struct channel *channel,
                           const struct channel_buffer *b)
{
    const struct network_kind *kind = a->network->kind;
    const unsigned char *body = b->body;
    for (uint32_t m = 0; m < b->count; m++) {
        event_t e = b->message[m].event;
        bool packet = network_event_brings(kind, e);
        kind->checks->audit_event(a, network_part(a->network, channel->to), e,
                                  packet ? body : NULL);
        if (packet)
            body += channel->body_size;
    }
}

static weft_status compare(const struct audit *a)
{
    const struct network *n = a->network;
    if (ranks_max(a->twice))
        return RUN_FAILED(("invariant broken: two packets are in one entry"), NO_REMEDY);
    for (uint32_t node = 0; node < n->routers; node++)
        for (uint32_t buffer = 0; buffer < n->buffers; buffer++)
            TRY(n->kind->checks->compare(n, node, buffer, *audit_count(a, node, buffer)));
    return WEFT_OK;
}

static weft_status audit(struct audit *a)
{
    const struct engine *e = &a->network->engine;
    weft_status status = WEFT_OK;
    for (uint32_t i = e->first; i < e->end && status == WEFT_OK; i++)
        status = audit_part(a, network_part(a->network, i));
    for (uint32_t c = 0; c < 2 * e->channels; c++)
        if (engine_rank(e, e->channel[c / 2].to) == ranks_me()) /* or it is another rank's */
            audit_messages(a, &e->channel[c / 2], &e->channel[c / 2].buffer[c % 2]);
    ranks_sum_32(a->count, (size_t)a->network->routers * a->network->buffers);
    if (ranks_max(status != WEFT_OK) && status == WEFT_OK)
        return RUN_FAILED(("invariant broken in another rank"), NO_REMEDY);
    return status == WEFT_OK ? compare(a) : status;
}

weft_status network_audit(const struct network *n)
{
    if (!n->kind->checks->audit_event)
        return WEFT_OK;
    struct audit a = {.network = n};
    a.count = memory_alloc((size_t)n->routers * n->buffers, sizeof(*a.count));
    weft_status status = audit(&a);
    free(a.count);
    return status;
}

weft_status network_check(const struct network *n)
{
    /* A run that has ended stands at no cycle. */
    const char *flaw = n->engine.now == CYCLE_NEVER ? NULL : network_flaw(n);
    return flaw ? RUN_FAILED(("invariant broken: %s", flaw), NO_REMEDY) : network_audit(n);
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
