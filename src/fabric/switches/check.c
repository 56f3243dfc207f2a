/*
 * Invariants of a network of switches at rest between windows, and why it does not move.
 *
 * Every packet of the pool is in exactly one queue or on one wire. Room is conserved: of each VC of
 * each input, what its sender believes free, what credits are bringing back, and what packets hold
 * or will hold, add up to the buffer.
 */
#include "base/text/text.h"
#include "fabric/check.h"
#include "fabric/switches/state.h"

/* Counts are words of the inputs' buffers: [(switch * ports + input port) * vcs + vc]. */
static void add_words(struct audit *a, const struct switches_part *p, uint32_t node, unsigned port,
                      unsigned vc, uint32_t words)
{
    a->count[((size_t)node * p->ports + port) * p->params->vcs + vc] += words;
}

/* Words behind an output of a switch: at the input that its link leads to. */
static void add_behind(struct audit *a, const struct switches_part *p, uint32_t node, unsigned port,
                       unsigned vc, uint32_t words)
{
    const struct graph_end *e = graph_end_at(p->routing->graph, node, port);
    add_words(a, p, e->node, e->port, vc, words);
}

static void audit_event(struct audit *a, const struct network_part *base, event_t e,
                        const void *body)
{
    const struct switches_part *p = (const struct switches_part *)base;
    const struct switches_packet *packet = body;
    uint32_t what = event_payload(e), local = event_node(e);
    const struct switches_host *h = &p->host[local];
    switch (event_kind(e)) {
    case SWITCHES_ARRIVE:
        add_words(a, p, p->base.members[local], packet->port, packet->vc, packet->words);
        break;
    case SWITCHES_CREDIT:
        add_behind(a, p, p->base.members[local], what >> 24, what >> 16 & 255, what & 0xffff);
        break;
    case SWITCHES_ROOM:
        add_words(a, p, p->base.members[h->at], h->port + (what >> 24), what >> 16 & 255,
                  what & 0xffff);
        break;
    default:
        break;
    }
}

static void audit_switch(struct audit *a, const struct switches_part *p, uint32_t local)
{
    const struct switches_switch *s = &p->node[local];
    for (unsigned port = 0; port < s->ports; port++)
        for (unsigned vc = 0; vc < p->params->vcs; vc++) {
            if (port < s->links)
                add_behind(a, p, s->node, port, vc,
                           p->output[(size_t)local * p->ports + port].room[vc]);
            for (uint32_t i = switches_queues(p, local)[vc * p->ports + port].head; i != NO_PACKET;
                 i = p->pool[i].next) {
                add_words(a, p, s->node, port, vc, p->pool[i].words);
                a->packets++;
            }
        }
}

static void audit_lanes(struct audit *a, const struct switches_part *p)
{
    for (uint32_t local = 0; local < p->base.nodes; local++)
        for (unsigned lane = 0; lane < p->params->lanes; lane++)
            for (unsigned vc = 0; vc < p->params->vcs; vc++)
                add_words(a, p, p->base.members[p->host[local].at], p->host[local].port + lane, vc,
                          p->lane[(size_t)local * p->params->lanes + lane].room[vc]);
}

static void audit_part(struct audit *a, const struct network_part *base)
{
    const struct switches_part *p = (const struct switches_part *)base;
    for (uint32_t local = 0; local < p->base.member_count; local++)
        audit_switch(a, p, local);
    audit_lanes(a, p);
}

static weft_status compare(const struct audit *a)
{
    const struct switches_network *n = (const struct switches_network *)a->network;
    const struct graph *g = n->routing->graph;
    const struct switches_params *p = &n->routing->params;
    for (uint32_t node = 0; node < g->nodes; node++) {
        uint32_t ports = switches_ports(p, g, node);
        for (uint32_t i = 0; i < ports * p->vcs; i++) {
            uint32_t words = a->count[(size_t)node * n->ports * p->vcs + i];
            if (words != p->buffer_words)
                return RUN_FAILED(("invariant broken: VC %u of input %u of switch %u accounts for "
                                   "%u words of %u",
                                   i % p->vcs, i / p->vcs, node, words, p->buffer_words),
                                  NO_REMEDY);
        }
    }
    return WEFT_OK;
}

weft_status switches_check(struct network *base)
{
    const struct switches_network *n = (const struct switches_network *)base;
    struct audit a = {.network = base,
                      .counts = (size_t)base->routers * n->ports * n->routing->params.vcs,
                      .event = audit_event,
                      .part = audit_part,
                      .compare = compare};
    return audit_take(&a);
}

/* ---- who waits for whom ---- */

/* Buffers are the queues of the switches. */

/* What the head of a queue can always fall back on is what it waits for. */
struct waiting_head switches_waiting(const struct network_part *base, uint32_t local,
                                     uint32_t buffer)
{
    const struct switches_part *p = (const struct switches_part *)base;
    const struct switches_queue *q = &switches_queues(p, local)[buffer];
    const struct switches_head *h = &switches_heads(p, local)[buffer];
    const struct graph *g = p->routing->graph;
    const struct switches_switch *s = &p->node[local];
    struct waiting_head head = {.occupied = 0};
    for (uint32_t i = q->head; i != NO_PACKET; i = p->pool[i].next)
        head.occupied++;
    if (q->head == NO_PACKET || !q->wants)
        return head;
    unsigned port = h->escape_vcs ? h->escape_port : (unsigned)__builtin_ctzll(q->wants);
    if (port >= s->links)
        return head;
    const struct graph_end *e = graph_end_at(g, s->node, port);
    unsigned vc = (unsigned)__builtin_ctz(h->escape_vcs ? h->escape_vcs : h->vcs);
    head.waits = true;
    head.node = e->node;
    head.buffer = vc * p->ports + e->port;
    return head;
}

size_t switches_print_buffer(const struct network *base, uint32_t node, uint32_t buffer,
                             uint32_t occupied, char *text, size_t size, size_t at)
{
    const struct switches_network *n = (const struct switches_network *)base;
    return text_append(text, size, at, "  switch %u input %u VC%u, %u packets, waits for\n", node,
                       buffer % n->ports, buffer / n->ports, occupied);
}
