/* Counting paths, and pairs without one. */
#include "fabric/tofu/route.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/memory.h"

/* ---- paths ---- */

/* How many of the twelve paths are different: within a group, some go over the same links. */
static uint32_t count_different(const struct tofu_routing *r, uint32_t from, uint32_t to)
{
    uint64_t hash[TOFU_PATHS]; /* of each route's links, in order */
    uint32_t count = 0;
    for (unsigned number = 1; number <= TOFU_PATHS; number++) {
        struct tofu_path path = {(uint8_t)number, (uint8_t)tofu_group_of(r, from), 0};
        tofu_route_t route;
        uint32_t i = 0;
        if (!tofu_route_make(r, from, to, path, &route))
            continue;
        for (hash[count] = 0; route; route = tofu_route_advance(route))
            hash[count] = (hash[count] + tofu_route_port(route) + 1) * 0x9e3779b97f4a7c15u;
        while (hash[i] != hash[count])
            i++;
        count += i == count;
    }
    return count;
}

static void note(uint32_t count, uint32_t *least, uint32_t *most)
{
    *least = !*most || count < *least ? count : *least;
    *most = count > *most ? count : *most;
}

struct tofu_path_counts tofu_count_paths(const struct tofu_routing *r, bool apart)
{
    struct tofu_path_counts c = {0};
    struct tofu_path path[TOFU_PATHS];
    uint32_t groups = r->shape->nodes / TOFU_GROUP_NODES;
    for (uint32_t to = 1; to < r->shape->nodes; to++) {
        uint32_t count =
            apart ? tofu_route_disjoint(r, 0, to, TOFU_PATHS, path) : count_different(r, 0, to);
        protected_call_poll();
        if (to % groups)
            note(count, &c.between_least, &c.between_most);
        else
            note(count, &c.within_least, &c.within_most);
    }
    return c;
}

/* ---- cuts ---- */

static uint64_t count_cut(const struct tofu_routing *r)
{
    struct tofu_path path;
    tofu_route_t route;
    uint64_t cut = 0;
    protected_call_poll();
    for (uint32_t from = 0; from < r->shape->nodes; from++)
        for (uint32_t to = 0; to < r->shape->nodes; to++)
            cut += from != to && !tofu_is_dead(r->faults, from) && !tofu_is_dead(r->faults, to) &&
                   !tofu_route_choose(r, from, to, 1, &path, &route);
    return cut;
}

/* With a node, its board or its group dead. */
static uint64_t count_without(const struct tofu_routing *whole, uint32_t node, enum tofu_unit unit)
{
    struct tofu_faults *faults = memory_alloc(1, sizeof(*faults));
    struct tofu_routing r = *whole;
    r.faults = faults;
    tofu_faults_kill(r.shape, node, unit, faults);
    uint64_t cut = count_cut(&r);
    free(faults);
    return cut;
}

struct tofu_cut_counts tofu_count_cuts(const struct tofu_routing *r)
{
    struct tofu_cut_counts cuts = {0};
    uint32_t c[TORUS_MAX_DIMS];
    for (uint32_t node = 0; node < r->shape->nodes; node++) {
        torus_coordinates(r->shape, node, c);
        cuts.node += count_without(r, node, TOFU_UNIT_NODE);
        if (!c[TOFU_A] && !c[TOFU_C])
            cuts.board += count_without(r, node, TOFU_UNIT_BOARD);
        if (!c[TOFU_A] && !c[TOFU_C] && !c[TOFU_B])
            cuts.group += count_without(r, node, TOFU_UNIT_GROUP);
    }
    return cuts;
}
