/*
 * The audit: room is conserved. Of each VC of each input, what its sender believes free, what
 * credits are bringing back, and what packets hold or will hold, add up to the buffer.
 *
 * The inspection: a packet can be routed to its destination, and the sets of an output are what its
 * switch's queues make of them.
 */
#include "fabric/switches/state.h"

#include "base/text/text.h"
#include "fabric/check.h"

/* Counts are words of the inputs' buffers, which are numbered as queues. */
static void add_words(struct audit *a, const struct switches_part *p, uint32_t node, unsigned port,
                      unsigned vc, uint32_t words)
{
    *audit_count(a, node, vc * p->ports + port) += words;
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

static void audit_switch(struct audit *a, const struct network_part *base, uint32_t local)
{
    const struct switches_part *p = (const struct switches_part *)base;
    const struct switches_switch *s = &p->node[local];
    for (unsigned port = 0; port < s->ports; port++)
        for (unsigned vc = 0; vc < p->params->vcs; vc++) {
            const struct switches_output *o = &p->output[(size_t)local * p->ports + port];
            if (o->is_lane)
                add_words(a, p, s->node, port, vc,
                          p->lane[(size_t)o->to * p->params->lanes + o->port].room[vc]);
            else
                add_behind(a, p, s->node, port, vc, o->room[vc]);
            for (uint32_t i = switches_queues(p, local)[vc * p->ports + port].head; i != NO_PACKET;
                 i = p->pool[i].next) {
                add_words(a, p, s->node, port, vc, p->pool[i].words);
                a->packets++;
            }
        }
}

static weft_status compare(const struct network *base, uint32_t node, uint32_t buffer,
                           uint32_t words)
{
    const struct switches_network *n = (const struct switches_network *)base;
    const struct switches_params *p = &n->routing->params;
    uint32_t vc = buffer / n->ports, port = buffer % n->ports;
    if (port >= switches_ports(p, n->routing->graph, node) || words == p->vc_words)
        return WEFT_OK;
    return RUN_FAILED(
        ("invariant broken: VC %u of input %u of switch %u accounts for %u words of %u", vc, port,
         node, words, p->vc_words),
        NO_REMEDY);
}

/* ---- who waits for whom ---- */

/* Buffers are the queues of the switches. */

/* What the head of a queue can always fall back on is what it waits for. */
static struct waiting_head head_waiting(const struct network_part *base, uint32_t local,
                                        uint32_t buffer)
{
    const struct switches_part *p = (const struct switches_part *)base;
    const struct switches_queue *q = &switches_queues(p, local)[buffer];
    const struct switches_head *h = &switches_heads(p, local)[buffer];
    const struct graph *g = p->routing->graph;
    const struct switches_switch *s = &p->node[local];
    struct waiting_head head = {.occupied = part_queue_length(PART_POOL(p), q->head)};
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

static size_t print_buffer(const struct network *base, uint32_t node, uint32_t buffer,
                           uint32_t occupied, char *text, size_t size, size_t at)
{
    const struct switches_network *n = (const struct switches_network *)base;
    return text_append(text, size, at, "  switch %u input %u VC%u, %u packets, waits for\n", node,
                       buffer % n->ports, buffer / n->ports, occupied);
}

/* ---- whether a state that was read can be one ---- */

/* Events of a switch. */
struct pending {
    uint64_t watched;                   /* outputs for which a LOOK event was found */
    uint64_t ready[SWITCHES_SET_WORDS]; /* queues with a READY event */
};

/* The sets of a switch's outputs, as its queues make them: [port * set_words]. */
typedef uint64_t wanting_sets[GRAPH_MAX_PORTS * SWITCHES_SET_WORDS];

static bool fits(const struct switches_part *p, uint32_t local, const struct switches_packet *k)
{
    const struct graph_routes *r = p->routing->routes;
    const struct graph *g = p->routing->graph;
    const struct packet_way *way = &k->way;
    return local < p->base.member_count && k->port < p->node[local].ports &&
           k->vc < p->params->vcs && k->words >= 1 && k->words <= p->params->vc_words &&
           k->source < g->hosts && k->destination < g->hosts &&
           way->leaf == r->leaf[g->host_switch[k->destination]] &&
           (way->via == GRAPH_NONE || way->via < r->leaves);
}

/* ---- events ---- */

static bool is_credit(const struct switches_part *p, uint32_t what, uint32_t ports)
{
    return what >> 24 < ports && (what >> 16 & 255) < p->params->vcs &&
           (what & 0xffff) <= p->params->vc_words;
}

static bool is_event(const struct network_part *base, void *pending, cycle_t time, event_t e,
                     const void *packet)
{
    const struct switches_part *p = (const struct switches_part *)base;
    struct pending *found = pending;
    uint32_t local = event_node(e), what = event_payload(e), vcs = p->params->vcs;
    bool here = local < p->base.member_count, host = local < p->base.nodes;
    (void)time;
    switch (event_kind(e)) {
    case SWITCHES_ARRIVE:
        return fits(p, local, packet);
    case SWITCHES_CREDIT:
        return here && is_credit(p, what, p->node[local].links);
    case SWITCHES_LOOK:
        return here && is_credit(p, what, p->node[local].ports) && !(what & 0xffff) &&
               inspect_once(&found->watched, what >> 24);
    case SWITCHES_READY:
        return here && what < p->ports * vcs && inspect_once(&found->ready[what / 64], what % 64);
    case SWITCHES_ROOM:
        return host && is_credit(p, what, p->params->lanes);
    case SWITCHES_SERVE:
        return host;
    default:
        return false;
    }
}

/* ---- a switch ---- */

/* Ports that a queue's head may want: lanes of its host or, of another switch's, links. */
static bool wants_right(const struct switches_part *p, uint32_t local, uint32_t number)
{
    const struct switches_switch *s = &p->node[local];
    const struct switches_queue *q = &switches_queues(p, local)[number];
    const struct switches_head *h = &switches_heads(p, local)[number];
    const struct switches_packet *packet = &p->pool[q->head];
    uint64_t links = s->links < 64 ? (1ull << s->links) - 1 : UINT64_MAX;
    bool here = p->routing->graph->host_switch[packet->destination] == s->node;
    unsigned all = (1u << p->params->vcs) - 1;
    if (h->words != packet->words)
        return false;
    if (here && q->wants == switches_lanes(p, s, packet->destination))
        return !h->escape_vcs;
    if (h->escape_vcs && !(h->escape_port < 64 && q->wants >> h->escape_port & 1))
        return false;
    return !(q->wants & ~links) && (h->vcs || h->escape_vcs) && !((h->vcs | h->escape_vcs) & ~all);
}

static bool take_queue(const struct inspection *a, uint32_t local, uint32_t number,
                       wanting_sets wanting)
{
    const struct switches_part *p = (const struct switches_part *)a->part;
    const struct pending *found = (const struct pending *)a->pending + local;
    const struct switches_queue *q = &switches_queues(p, local)[number];
    const struct switches_head *h = &switches_heads(p, local)[number];
    if (!inspect_queue(a, q->head, q->tail))
        return false;
    for (uint32_t i = q->head; i != NO_PACKET; i = p->pool[i].next)
        if (!fits(p, local, &p->pool[i]) || p->pool[i].vc * p->ports + p->pool[i].port != number)
            return false;
    bool pending = found->ready[number / 64] >> number % 64 & 1;
    if (h->pending != pending)
        return false;
    if (q->head == NO_PACKET)
        return !q->wants && !pending;
    if ((q->wants != 0) == pending)
        return false; /* its head is ready, or will be */
    if (q->wants && !wants_right(p, local, number))
        return false;
    for (uint64_t ports = q->wants; ports; ports &= ports - 1)
        wanting[(size_t)__builtin_ctzll(ports) * p->set_words + number / 64] |= 1ull << number % 64;
    return true;
}

static bool is_output(const struct switches_part *p, uint32_t local, unsigned port,
                      const wanting_sets wanting)
{
    const struct switches_output *o = &p->output[(size_t)local * p->ports + port];
    const uint64_t *set = &wanting[(size_t)port * p->set_words];
    uint32_t all = 0;
    uint64_t any = 0;
    for (unsigned vc = 0; vc < p->params->vcs; vc++) {
        if (o->room[vc] > p->params->vc_words)
            return false;
        all += o->room[vc];
    }
    for (uint32_t word = 0; word < p->set_words; word++)
        any |= set[word];
    return o->all_room == all && o->last < p->ports * p->params->vcs &&
           (any != 0) == (p->node[local].wanted >> port & 1) &&
           memcmp(set, switches_wanting(p, local, port), p->set_words * sizeof(*set)) == 0;
}

static const char *switch_flaw(const struct inspection *a, uint32_t local)
{
    const struct switches_part *p = (const struct switches_part *)a->part;
    const struct pending *found = (const struct pending *)a->pending + local;
    const struct switches_switch *s = &p->node[local];
    wanting_sets wanting = {0};
    if (s->look || s->arrivals != NO_PACKET || s->due != NO_QUEUE || s->dirty)
        return "a switch is not at rest";
    if (s->watched != found->watched || (s->ports < 64 && s->wanted >> s->ports))
        return "the outputs of a switch are not valid";
    for (uint32_t number = 0; number < p->ports * p->params->vcs; number++)
        if (!take_queue(a, local, number, wanting))
            return "a queue of a switch is not valid";
    for (unsigned port = 0; port < s->ports; port++)
        if (!is_output(p, local, port, wanting))
            return "an output of a switch is not valid";
    return NULL;
}

static const char *hosts_flaw(const struct network_part *base)
{
    const struct switches_part *p = (const struct switches_part *)base;
    for (size_t i = 0; i < (size_t)base->nodes * p->params->lanes; i++)
        for (unsigned vc = 0; vc < p->params->vcs; vc++)
            if (p->lane[i].room[vc] > p->params->vc_words)
                return "a lane of a host is not valid";
    for (uint32_t local = 0; local < base->nodes; local++)
        if (p->host[local].dirty || p->host[local].serve)
            return "a host is not at rest";
    return NULL;
}

const struct network_checks switches_checks = {.pending_size = sizeof(struct pending),
                                               .is_event = is_event,
                                               .router_flaw = switch_flaw,
                                               .rest_flaw = hosts_flaw,
                                               .audit_event = audit_event,
                                               .audit_router = audit_switch,
                                               .compare = compare,
                                               .head = head_waiting,
                                               .print_buffer = print_buffer};
