/*
 * Minimal routes, leaf by leaf: the distance of every switch by a search from the leaf, then the
 * ports of each switch that come nearer. Few different sets of ports occur at a switch, so an entry
 * of the table is a set's number.
 */
#include "topology/wiring.h"

#include <stdlib.h>

#include "base/attempt.h"
#include "base/memory.h"

enum { FAR_AWAY = UINT16_MAX, SETS_MOST = UINT16_MAX };

/* The different sets of ports of one switch. */
struct sets {
    uint64_t *set;
    uint32_t count, capacity, last;
};

struct search {
    struct wiring_routes *routes;
    const struct wiring *wiring;
    uint32_t leaf;
    uint16_t *distance; /* [switch], by weight */
    uint16_t *hops;     /* [switch], of a route of that weight */
    uint32_t *queue;    /* a ring of switches whose neighbours may have come nearer */
    bool *queued;
    struct sets *sets; /* [switch] */
};

/* Distances to a leaf; those that were taken too long are corrected as shorter ways are found. */
static void find_distances(struct search *s, uint32_t to)
{
    const struct wiring *w = s->wiring;
    uint32_t count = 1, first = 0;
    for (uint32_t node = 0; node < w->switches; node++)
        s->distance[node] = FAR_AWAY;
    s->distance[to] = s->hops[to] = 0;
    s->queue[0] = to;
    while (count) {
        uint32_t node = s->queue[first];
        first = first + 1 < w->switches ? first + 1 : 0;
        count--;
        s->queued[node] = false;
        for (unsigned port = 0; port < w->ports[node]; port++) {
            const struct wiring_end *e = wiring_end_at(w, node, port);
            uint32_t there = s->distance[node] + w->weight[e->sort];
            if (there >= s->distance[e->node])
                continue;
            s->distance[e->node] = (uint16_t)there;
            s->hops[e->node] = (uint16_t)(s->hops[node] + 1);
            if (s->queued[e->node])
                continue;
            s->queued[e->node] = true;
            uint32_t last = first + count++;
            s->queue[last < w->switches ? last : last - w->switches] = e->node;
        }
    }
}

static uint64_t ports_nearer(const struct search *s, uint32_t node)
{
    const struct wiring *w = s->wiring;
    uint64_t set = 0;
    for (unsigned port = 0; port < w->ports[node]; port++) {
        const struct wiring_end *e = wiring_end_at(w, node, port);
        if (s->distance[e->node] + w->weight[e->sort] == s->distance[node])
            set |= 1ull << port;
    }
    return set;
}

/* The number of a set among those of a switch; SETS_MOST: it has too many. */
static uint32_t number_of(struct sets *s, uint64_t set)
{
    if (s->count && s->set[s->last] == set)
        return s->last;
    for (s->last = 0; s->last < s->count; s->last++)
        if (s->set[s->last] == set)
            return s->last;
    if (s->count == SETS_MOST)
        return SETS_MOST;
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 8;
        s->set = memory_grow(s->set, s->capacity, sizeof(*s->set));
    }
    s->set[s->count] = set;
    return s->last = s->count++;
}

static weft_status add_leaf(struct search *s)
{
    struct wiring_routes *r = s->routes;
    const struct wiring *w = s->wiring;
    uint32_t to = r->leaf_at[s->leaf];
    size_t row = (size_t)s->leaf * w->switches;
    find_distances(s, to);
    for (uint32_t node = 0; node < w->switches; node++) {
        if (s->distance[node] == FAR_AWAY)
            return BAD_INPUT("machine.graph",
                             ("machine.graph has no route from switch %u to switch %u", node, to),
                             ("link them, if only through others"));
        uint32_t hops = s->hops[node];
        if (hops > WIRING_MAX_HOPS)
            return BAD_INPUT("machine.graph",
                             ("machine.graph has a route of more than %d hops, from switch %u to "
                              "switch %u",
                              WIRING_MAX_HOPS, node, to),
                             ("use a graph of smaller diameter"));
        uint32_t number = number_of(&s->sets[node], ports_nearer(s, node));
        WEFT_CHECK(number < SETS_MOST, "switch %u has too many sets of ports", node);
        r->choice[row + node] = (uint16_t)number;
        r->hops[row + node] = (uint8_t)hops;
        if (r->leaf[node] != WIRING_NONE && hops > r->diameter)
            r->diameter = hops;
        r->mean_distance +=
            (double)hops * wiring_hosts_at(w, node) * wiring_hosts_at(w, to); /* a sum so far */
    }
    return WEFT_OK;
}

static void find_leaves(struct wiring_routes *r)
{
    const struct wiring *w = r->wiring;
    r->leaf = memory_alloc(w->switches, sizeof(*r->leaf));
    r->leaf_at = memory_alloc(w->switches, sizeof(*r->leaf_at));
    for (uint32_t node = 0; node < w->switches; node++) {
        r->leaf[node] = WIRING_NONE;
        if (!wiring_hosts_at(w, node))
            continue;
        r->leaf[node] = r->leaves;
        r->leaf_at[r->leaves++] = node;
    }
}

/* All sets of ports, one switch's after the other's. */
static void join_sets(struct wiring_routes *r, struct sets *sets)
{
    uint32_t count = 0;
    r->first_set = memory_alloc(r->wiring->switches, sizeof(*r->first_set));
    for (uint32_t node = 0; node < r->wiring->switches; node++) {
        r->first_set[node] = count;
        count += sets[node].count;
    }
    r->set = memory_alloc((size_t)count + 1, sizeof(*r->set));
    for (uint32_t node = 0; node < r->wiring->switches; node++) {
        for (uint32_t i = 0; i < sets[node].count; i++)
            r->set[r->first_set[node] + i] = sets[node].set[i];
        free(sets[node].set);
    }
}

uint64_t wiring_routes_memory(const struct wiring *w)
{
    uint64_t leaves = 0;
    for (uint32_t node = 0; node < w->switches; node++)
        leaves += wiring_hosts_at(w, node) > 0;
    return leaves * w->switches * (sizeof(uint16_t) + sizeof(uint8_t));
}

weft_status wiring_routes_init(struct wiring_routes *r, const struct wiring *w)
{
    *r = (struct wiring_routes){.wiring = w};
    find_leaves(r);
    size_t entries = (size_t)r->leaves * w->switches;
    r->choice = memory_alloc(entries, sizeof(*r->choice));
    r->hops = memory_alloc(entries, sizeof(*r->hops));
    struct search s = {.routes = r,
                       .wiring = w,
                       .distance = memory_alloc(w->switches, sizeof(*s.distance)),
                       .hops = memory_alloc(w->switches, sizeof(*s.hops)),
                       .queue = memory_alloc(w->switches, sizeof(*s.queue)),
                       .queued = memory_alloc(w->switches, sizeof(*s.queued)),
                       .sets = memory_alloc(w->switches, sizeof(*s.sets))};
    weft_status status = WEFT_OK;
    for (s.leaf = 0; s.leaf < r->leaves && status == WEFT_OK; s.leaf++) {
        attempt_poll();
        status = add_leaf(&s);
    }
    double pairs = (double)w->hosts * ((double)w->hosts - 1);
    r->mean_distance = pairs > 0 ? r->mean_distance / pairs : 0;
    join_sets(r, s.sets);
    free(s.distance);
    free(s.hops);
    free(s.queue);
    free(s.queued);
    free(s.sets);
    return status;
}

void wiring_routes_fini(struct wiring_routes *r)
{
    free(r->leaf);
    free(r->leaf_at);
    free(r->choice);
    free(r->hops);
    free(r->first_set);
    free(r->set);
    *r = (struct wiring_routes){0};
}
