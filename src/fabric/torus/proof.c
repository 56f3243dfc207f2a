/* The channel dependency graph of the escape VCs, and what its cycles mean. */
#include "fabric/torus/proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/torus/network.h"

/* A channel is a number: (node * ports + port) * classes + class. */
struct graph {
    const struct torus *torus;
    const struct torus_params *params;
    const struct torus_faults *faults;
    struct torus_derived derived;
    unsigned classes;          /* 2: a dateline pair */
    uint32_t most_hops[3];     /* that a packet makes along a dimension */
    uint8_t rank[TORUS_PORTS]; /* of each port in the escape's order */
    uint32_t channels;
};

enum { EDGES_MOST = 2 * TORUS_PORTS };

static uint32_t channel_of(const struct graph *g, uint32_t node, unsigned port, unsigned class)
{
    return (node * TORUS_PORTS + port) * g->classes + class;
}

static uint32_t channel_node(const struct graph *g, uint32_t channel)
{
    return channel / g->classes / TORUS_PORTS;
}

static unsigned channel_port(const struct graph *g, uint32_t channel)
{
    return channel / g->classes % TORUS_PORTS;
}

/* Hops behind the dateline of its ring at which a link lies; UINT32_MAX: there is no dateline. */
static uint32_t hops_behind(const struct graph *g, uint32_t node, unsigned port)
{
    uint32_t c[TORUS_MAX_DIMS];
    unsigned d = port / 2;
    uint32_t size = g->torus->size[d], line = (uint32_t)g->params->dateline[d];
    if (!g->torus->wrap[d] || g->params->dateline[d] < 0 || line >= size)
        return UINT32_MAX;
    torus_coordinates(g->torus, node, c);
    uint32_t first = port & 1 ? line : (line + 1) % size; /* the node behind it */
    return port & 1 ? (first + size - c[d]) % size : (c[d] + size - first) % size;
}

/* Whether a packet can ever ask for a channel. */
static bool is_used(const struct graph *g, uint32_t node, unsigned port, unsigned class)
{
    if (port / 2 >= g->torus->dims || g->most_hops[port / 2] == 0 ||
        faults_neighbour(g->faults, g->torus, node, port) == TORUS_NO_NODE)
        return false;
    if (class == 0)
        return true;
    /* It has crossed the dateline and gone on from there. */
    uint32_t behind = hops_behind(g, node, port);
    return behind != UINT32_MAX && behind + 2 <= g->most_hops[port / 2];
}

/* The channels for which a packet in this one may wait. */
static unsigned list_edges(const struct graph *g, uint32_t channel, uint32_t edge[EDGES_MOST])
{
    unsigned port = channel_port(g, channel), class = channel % g->classes, count = 0;
    uint32_t node = channel_node(g, channel);
    if (!is_used(g, node, port, class))
        return 0;
    uint32_t next = torus_neighbour(g->torus, node, port);
    bool crosses = g->classes == 2 && torus_crosses_dateline(g->torus, g->params, node, port);
    unsigned on = class || crosses;
    if (g->most_hops[port / 2] >= 2 && is_used(g, next, port, on))
        edge[count++] = channel_of(g, next, port, on);
    for (unsigned turn = 0; turn < TORUS_PORTS; turn++)
        for (unsigned c = 0; c < g->classes && g->rank[turn] > g->rank[port]; c++)
            if (turn / 2 != port / 2 && is_used(g, next, turn, c))
                edge[count++] = channel_of(g, next, turn, c);
    return count;
}

/* ---- strongly connected components, after Tarjan, without recursion ---- */

struct search {
    uint32_t *low, *number; /* number 0: not seen yet */
    uint32_t *component;    /* UINT32_MAX: none yet */
    uint32_t *stack, *path;
    uint8_t *at; /* the edge of each channel on the path that is next */
    uint32_t stacked, depth, seen, components;
};

static void search_init(struct search *s, uint32_t channels)
{
    *s = (struct search){.seen = 0};
    s->low = weft_alloc(channels, sizeof(*s->low));
    s->number = weft_alloc(channels, sizeof(*s->number));
    s->component = weft_alloc(channels, sizeof(*s->component));
    s->stack = weft_alloc(channels, sizeof(*s->stack));
    s->path = weft_alloc(channels, sizeof(*s->path));
    s->at = weft_alloc(channels, sizeof(*s->at));
    memset(s->component, 0xff, channels * sizeof(*s->component));
}

static void search_fini(struct search *s)
{
    free(s->low);
    free(s->number);
    free(s->component);
    free(s->stack);
    free(s->path);
    free(s->at);
}

static void enter(struct search *s, uint32_t channel)
{
    s->number[channel] = s->low[channel] = ++s->seen;
    s->stack[s->stacked++] = channel;
    s->at[channel] = 0;
    s->path[s->depth++] = channel;
}

/* All of a channel's edges are done: it may close a component. */
static void leave(struct search *s)
{
    uint32_t channel = s->path[--s->depth], member;
    if (s->depth && s->low[channel] < s->low[s->path[s->depth - 1]])
        s->low[s->path[s->depth - 1]] = s->low[channel];
    if (s->low[channel] != s->number[channel])
        return;
    do {
        member = s->stack[--s->stacked];
        s->component[member] = s->components;
    } while (member != channel);
    s->components++;
}

static void find_components(const struct graph *g, struct search *s)
{
    uint32_t edge[EDGES_MOST];
    for (uint32_t start = 0; start < g->channels; start++) {
        if (s->number[start])
            continue;
        for (enter(s, start); s->depth;) {
            uint32_t channel = s->path[s->depth - 1];
            unsigned edges = list_edges(g, channel, edge);
            if (s->at[channel] == edges) {
                leave(s);
                continue;
            }
            uint32_t next = edge[s->at[channel]++];
            if (!s->number[next])
                enter(s, next);
            else if (s->component[next] == UINT32_MAX && s->number[next] < s->low[channel])
                s->low[channel] = s->number[next];
        }
    }
}

/* ---- what a cycle means ---- */

static void print_channel(const struct graph *g, uint32_t channel, char *text, size_t size)
{
    uint32_t c[TORUS_MAX_DIMS];
    size_t length = strlen(text);
    torus_coordinates(g->torus, channel_node(g, channel), c);
    snprintf(text + length, size - length, "\n  node (%u,%u,%u) port %s VC %s", c[0],
             g->torus->dims > 1 ? c[1] : 0, g->torus->dims > 2 ? c[2] : 0,
             torus_port_name(channel_port(g, channel)),
             torus_vc_name(g->params, g->derived.escape_vc + channel % g->classes));
}

/* Breadth first from a channel, within its component, back to it. */
struct walk {
    uint32_t *from;  /* UINT32_MAX: not reached */
    uint32_t *queue; /* channels reached */
    uint32_t reached;
};

/* The length of the shortest cycle through a channel; 0: there is none below `most`. */
static uint32_t walk_cycle(const struct graph *g, const struct search *s, struct walk *w,
                           uint32_t start, uint32_t most)
{
    uint32_t edge[EDGES_MOST], head = 0, length = 1, level_end = 1;
    for (uint32_t i = 0; i < w->reached; i++)
        w->from[w->queue[i]] = UINT32_MAX;
    w->from[start] = UINT32_MAX;
    w->reached = 0;
    w->queue[w->reached++] = start;
    for (; head < w->reached && length < most; head++) {
        unsigned edges = list_edges(g, w->queue[head], edge);
        for (unsigned i = 0; i < edges; i++) {
            if (s->component[edge[i]] != s->component[start] || w->from[edge[i]] != UINT32_MAX)
                continue;
            w->from[edge[i]] = w->queue[head];
            if (edge[i] == start)
                return length;
            w->queue[w->reached++] = edge[i];
        }
        if (head + 1 == level_end) {
            level_end = w->reached;
            length++;
        }
    }
    return 0;
}

/* A channel with an edge within its component: all cycles go through such. */
static bool is_on_cycle(const struct graph *g, const struct search *s, uint32_t channel,
                        bool *one_ring)
{
    uint32_t edge[EDGES_MOST];
    unsigned edges = list_edges(g, channel, edge);
    bool found = false;
    for (unsigned i = 0; i < edges; i++)
        if (s->component[edge[i]] == s->component[channel]) {
            found = true;
            *one_ring &= channel_port(g, edge[i]) == channel_port(g, channel);
        }
    return found;
}

/* A channel on the shortest cycle, UINT32_MAX if there is none. Components that are rings are
 * walked once; of one that is more, some channels are tried. */
static uint32_t find_cycle(const struct graph *g, const struct search *s, bool *one_ring)
{
    enum { TRIES = 4096 };
    struct walk w = {.reached = 0};
    uint32_t best = UINT32_MAX, shortest = UINT32_MAX, last = UINT32_MAX, tries = 0;
    w.from = weft_alloc(g->channels, sizeof(*w.from));
    w.queue = weft_alloc(g->channels, sizeof(*w.queue));
    memset(w.from, 0xff, g->channels * sizeof(*w.from));
    *one_ring = true;
    for (uint32_t channel = 0; channel < g->channels; channel++) {
        if (!is_on_cycle(g, s, channel, one_ring) || s->component[channel] == last ||
            tries++ >= TRIES)
            continue;
        last = *one_ring ? s->component[channel] : UINT32_MAX;
        uint32_t length = walk_cycle(g, s, &w, channel, shortest);
        if (length) {
            shortest = length;
            best = channel;
        }
    }
    free(w.from);
    free(w.queue);
    return best;
}

static void print_cycle(const struct graph *g, const struct search *s, uint32_t start, char *text,
                        size_t size)
{
    struct walk w = {.reached = 0};
    w.from = weft_alloc(g->channels, sizeof(*w.from));
    w.queue = weft_alloc(g->channels, sizeof(*w.queue));
    memset(w.from, 0xff, g->channels * sizeof(*w.from));
    uint32_t length = walk_cycle(g, s, &w, start, UINT32_MAX), at = start;
    for (uint32_t i = length; i-- > 0;) { /* backwards: each channel's number is kept in queue */
        at = w.from[at];
        w.queue[i] = at;
    }
    for (uint32_t i = 0; i < length; i++)
        print_channel(g, w.queue[i], text, size);
    free(w.from);
    free(w.queue);
}

/* Why the rings of a bubble VC always keep room for a packet; NULL if they need not. */
static const char *bubble_holds(const struct graph *g, const struct proof_traffic *traffic)
{
    if (g->params->bubble_rule == BUBBLE_FULL_SIZE)
        return "every packet on it is accounted as a full one";
    return traffic->small_packets ? NULL : "all packets are full ones";
}

static weft_status judge(const struct graph *g, const struct search *s,
                         const struct proof_traffic *traffic, char *text, size_t size)
{
    bool one_ring;
    uint32_t start = find_cycle(g, s, &one_ring);
    const char *why = bubble_holds(g, traffic);
    bool bubble = g->params->escape == ESCAPE_BUBBLE;
    if (start == UINT32_MAX) {
        snprintf(text, size, "no cycle of channels among the escape VCs (%u channels)",
                 g->channels);
        return WEFT_OK;
    }
    if (bubble && one_ring && why) {
        snprintf(text, size,
                 "the bubble's rings keep room for a packet: two are needed to enter, and %s; "
                 "no other cycle of channels (%u channels)",
                 why, g->channels);
        return WEFT_OK;
    }
    if (bubble && one_ring)
        snprintf(text, size,
                 "packets of less than full size can break up the room that the bubble rule keeps "
                 "(machine.router.bubble_rule = actual_size); channels that can wait for each "
                 "other:");
    else
        snprintf(text, size, "channels can wait for each other in a cycle:");
    print_cycle(g, s, start, text, size);
    return WEFT_FAILED;
}

/* Dynamic packets must find their escape wherever they are. */
static weft_status check_escapes(const struct graph *g, const struct proof_traffic *traffic,
                                 char *text, size_t size)
{
    if (!traffic->dynamic || !g->faults->wounded)
        return WEFT_OK;
    const uint32_t *c = g->faults->wound[0].coordinate;
    snprintf(
        text, size,
        "not proved: %u nodes beside dead ones, as (%u,%u,%u), have no escape for packets whose "
        "escape direction is dead; such packets arrive, by another of their hinted "
        "directions, but may have to wait for dynamic VCs alone",
        g->faults->wounded, c[0], g->torus->dims > 1 ? c[1] : 0, g->torus->dims > 2 ? c[2] : 0);
    return WEFT_FAILED;
}

weft_status torus_prove(const struct torus *t, const struct torus_params *p,
                        const struct torus_faults *f, const struct proof_traffic *traffic,
                        char *text, size_t size)
{
    struct graph g = {.torus = t, .params = p, .faults = f};
    struct search search;
    weft_status status = torus_params_derive(p, &g.derived);
    if (status != WEFT_OK)
        return status;
    text[0] = '\0';
    g.classes = p->escape == ESCAPE_DATELINE ? 2 : 1;
    g.channels = t->nodes * TORUS_PORTS * g.classes;
    for (unsigned i = 0; i < TORUS_PORTS; i++)
        g.rank[g.derived.escape_order[i]] = (uint8_t)i;
    /* Half a ring; around dead ones, and in fills, it may be nearly all of it. */
    for (unsigned d = 0; d < t->dims; d++)
        g.most_hops[d] =
            t->wrap[d] && !faults_any(f) && !traffic->long_ways ? t->size[d] / 2 : t->size[d] - 1;
    search_init(&search, g.channels);
    find_components(&g, &search);
    status = judge(&g, &search, traffic, text, size);
    search_fini(&search);
    bool rings = false;
    for (unsigned d = 0; d < t->dims; d++)
        rings |= t->wrap[d] && g.most_hops[d] > 1;
    if (status == WEFT_OK && traffic->high && rings && !bubble_holds(&g, traffic)) {
        snprintf(text, size,
                 "high priority packets of less than full size can break up the room that "
                 "their bubble VC keeps (machine.router.bubble_rule = actual_size)");
        status = WEFT_FAILED;
    }
    if (status == WEFT_OK)
        status = check_escapes(&g, traffic, text, size);
    return status;
}
