/*
 * Components after Tarjan (1972), with the bookkeeping of Pearce (2016): nine bytes per channel,
 * and no recursion, since a ring of a million channels would be a million calls deep. A channel has
 * one number at a time:
 *
 *     0                       not seen yet
 *     1, 2, ...               open: number of the earliest open channel it is known to lead to, at
 *                             first its own
 *     2^32 - 1, 2^32 - 2, ... closed: number of its component
 *
 * An open channel is either on the path from the start of the search or, with all its edges done,
 * in the pile until its component closes. It is never in both, so the two share an array:
 *
 *     stack:  path -> |  free  | <- pile
 */
#include "topology/dependency.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/memory.h"

/* Every long-running part of this file is a loop over this. */
static unsigned list_edges(const struct dependency *graph, uint32_t channel,
                           uint32_t edge[DEPENDENCY_MOST_EDGES])
{
    protected_call_poll();
    return graph->list(graph->ctx, channel, edge);
}

/* A flag beside the next edge to look at: the channel leads to an earlier open one, so its
 * component began there. */
enum { LEADS_BACK = 0x8000 };

_Static_assert((int)DEPENDENCY_MOST_EDGES < (int)LEADS_BACK,
               "the number of an edge and a flag fit");

struct search {
    const struct dependency *graph;
    uint32_t *number; /* [channel] */
    uint32_t *stack;
    uint16_t *next; /* [channel] edge to look at next, and LEADS_BACK */
    uint32_t depth, pile;
    uint32_t opened, closed; /* numbers given last */
    bool cycle;
};

static void open_channel(struct search *s, uint32_t channel)
{
    s->number[channel] = ++s->opened;
    s->stack[s->depth++] = channel;
}

/* Takes the last channel off the path; with those piled up since, it may form a component. */
static void close_channel(struct search *s)
{
    uint32_t channel = s->stack[--s->depth], first = s->number[channel];
    if (s->next[channel] & LEADS_BACK) {
        s->stack[--s->pile] = channel;
        return;
    }
    s->number[channel] = --s->closed;
    while (s->pile < s->graph->channels && s->number[s->stack[s->pile]] >= first) {
        s->number[s->stack[s->pile++]] = s->closed;
        s->cycle = true;
    }
}

/* Continues with the last channel of the path. An edge to a channel not yet seen is looked at again
 * once that channel is done. */
static void go_on(struct search *s)
{
    uint32_t edge[DEPENDENCY_MOST_EDGES], channel = s->stack[s->depth - 1];
    unsigned edges = list_edges(s->graph, channel, edge);
    for (unsigned i = s->next[channel] & ~LEADS_BACK; i < edges; i++, s->next[channel]++) {
        uint32_t to = s->number[edge[i]];
        s->cycle |= edge[i] == channel;
        if (!to) {
            open_channel(s, edge[i]);
            return;
        }
        if (to < s->number[channel]) {
            s->number[channel] = to;
            s->next[channel] |= LEADS_BACK;
        }
    }
    close_channel(s);
}

bool dependency_components(const struct dependency *graph, uint32_t *component)
{
    struct search s = {.graph = graph,
                       .number = component,
                       .stack = memory_alloc(graph->channels, sizeof(*s.stack)),
                       .next = memory_alloc(graph->channels, sizeof(*s.next)),
                       .pile = graph->channels};
    memset(component, 0, graph->channels * sizeof(*component));
    for (uint32_t start = 0; start < graph->channels; start++) {
        if (component[start])
            continue;
        for (open_channel(&s, start); s.depth;)
            go_on(&s);
    }
    free(s.stack);
    free(s.next);
    return s.cycle;
}

/* ---- the shortest cycle ---- */

/* Breadth-first search from a channel, within its component, until it is met again. */
struct walk {
    const struct dependency *graph;
    const uint32_t *component;
    uint32_t *from;  /* [channel] its predecessor; UINT32_MAX: not reached */
    uint32_t *queue; /* channels reached, nearest first */
    uint32_t reached;
    bool is_ring; /* no channel so far had a choice */
};

/* Looks along the edges of a channel; true: one leads back to the start. */
static bool spread(struct walk *w, uint32_t channel)
{
    uint32_t edge[DEPENDENCY_MOST_EDGES], start = w->queue[0], inside = 0;
    unsigned edges = list_edges(w->graph, channel, edge);
    bool back = false;
    for (unsigned i = 0; i < edges; i++) {
        if (w->component[edge[i]] != w->component[start])
            continue;
        inside++;
        back |= edge[i] == start;
        if (w->from[edge[i]] != UINT32_MAX)
            continue;
        w->from[edge[i]] = channel;
        if (edge[i] != start)
            w->queue[w->reached++] = edge[i];
    }
    w->is_ring &= inside == 1;
    return back;
}

/* The length of the shortest cycle through a channel; 0: none is shorter than `most`. */
static uint32_t walk_round(struct walk *w, uint32_t start, uint32_t most)
{
    uint32_t length = 1, level_end = 1;
    w->is_ring = true;
    w->reached = 0;
    w->queue[w->reached++] = start;
    for (uint32_t head = 0; head < w->reached && length < most; head++) {
        if (spread(w, w->queue[head]))
            return length;
        if (head + 1 == level_end) {
            level_end = w->reached;
            length++;
        }
    }
    return 0;
}

uint32_t dependency_cycle(const struct dependency *graph, const uint32_t *component,
                          uint32_t **cycle)
{
    enum { TRIES = 4096 };
    struct walk w = {.graph = graph,
                     .component = component,
                     .from = memory_alloc(graph->channels, sizeof(*w.from)),
                     .queue = memory_alloc(graph->channels, sizeof(*w.queue))};
    uint32_t shortest = UINT32_MAX;
    *cycle = NULL;
    memset(w.from, 0xff, graph->channels * sizeof(*w.from));
    for (uint32_t start = 0, tries = 0; start < graph->channels && tries < TRIES; start++) {
        if (w.from[start] != UINT32_MAX)
            continue;
        uint32_t length = walk_round(&w, start, shortest);
        tries += length || w.reached > 1; /* others lead to none of their own component */
        if (length) {
            shortest = length;
            *cycle = memory_grow(*cycle, length, sizeof(**cycle));
            for (uint32_t i = length, at = start; i-- > 0;)
                (*cycle)[i] = at = w.from[at];
        }
        /* A component that is a ring has no other cycle: its channels stay marked. */
        if (!length || !w.is_ring)
            for (uint32_t i = 0; i < w.reached; i++)
                w.from[w.queue[i]] = UINT32_MAX;
    }
    free(w.from);
    free(w.queue);
    return *cycle ? shortest : 0;
}

uint32_t dependency_find_cycle(const struct dependency *graph, uint32_t **cycle)
{
    uint32_t *component = memory_alloc((size_t)graph->channels + 1, sizeof(*component)), length = 0;
    *cycle = NULL;
    if (dependency_components(graph, component))
        length = dependency_cycle(graph, component, cycle);
    free(component);
    return length;
}
