/*
 * Invariants of a network of switches at rest between windows, and why it does not move.
 *
 * Every packet of the pool is in exactly one queue or on one wire. Room is conserved: of each VC of
 * each input, what its sender believes free, what credits are bringing back, and what packets hold
 * or will hold, add up to the buffer.
 */
#include <stdlib.h>

#include "base/memory.h"
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
        add_words(a, p, p->members[local], packet->port, packet->vc, packet->words);
        break;
    case SWITCHES_CREDIT:
        add_behind(a, p, p->members[local], what >> 24, what >> 16 & 255, what & 0xffff);
        break;
    case SWITCHES_ROOM:
        add_words(a, p, p->members[h->at], h->port + (what >> 24), what >> 16 & 255, what & 0xffff);
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
                add_words(a, p, p->members[p->host[local].at], p->host[local].port + lane, vc,
                          p->lane[(size_t)local * p->params->lanes + lane].room[vc]);
}

static void audit_part(struct audit *a, const struct network_part *base)
{
    const struct switches_part *p = (const struct switches_part *)base;
    for (uint32_t local = 0; local < p->switches; local++)
        audit_switch(a, p, local);
    audit_lanes(a, p);
}

static weft_status compare(const struct switches_network *n, const struct audit *a)
{
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
    struct switches_network *n = (struct switches_network *)base;
    size_t inputs = (size_t)n->routing->graph->nodes * n->ports * n->routing->params.vcs;
    struct audit a = {.network = base,
                      .count = memory_alloc(inputs + 1, sizeof(*a.count)),
                      .counts = inputs,
                      .event = audit_event,
                      .part = audit_part};
    weft_status status = audit_take(&a);
    if (status == WEFT_OK)
        status = compare(n, &a);
    free(a.count);
    return status;
}

/* ---- who waits for whom ---- */

/* Buffers are the queues of the switches. */

static bool member_node(const struct network_part *base, uint32_t local, uint32_t *node)
{
    const struct switches_part *p = (const struct switches_part *)base;
    if (local == p->switches)
        return false;
    *node = p->members[local];
    return true;
}

/* What the head of a queue can always fall back on is what it waits for. */
static struct waiting_head look_at_head(const struct network_part *base, uint32_t local,
                                        uint32_t place)
{
    const struct switches_part *p = (const struct switches_part *)base;
    const struct switches_queue *q = &switches_queues(p, local)[place];
    const struct switches_head *h = &switches_heads(p, local)[place];
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
    head.place = vc * p->ports + e->port;
    return head;
}

static size_t print_buffer(const struct network *base, uint32_t node, uint32_t place,
                           uint32_t occupied, char *text, size_t size, size_t at)
{
    const struct switches_network *n = (const struct switches_network *)base;
    return text_append(text, size, at, "  switch %u input %u VC%u, %u packets, waits for\n", node,
                       place % n->ports, place / n->ports, occupied);
}

void switches_explain(const struct network *base, char *text, size_t size)
{
    const struct switches_network *n = (const struct switches_network *)base;
    struct waiting_buffers buffers = {.nodes = n->routing->graph->nodes,
                                      .per_node = n->ports * n->routing->params.vcs,
                                      .node = member_node,
                                      .head = look_at_head,
                                      .print = print_buffer,
                                      .otherwise =
                                          "a process waits for a message that does not come"};
    waiting_explain(base, &buffers, text, size);
}
