/* Making, walking and choosing routes. */
#include "fabric/tofu/route.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/random.h"

/* ---- making ---- */

/* A field of phase 2; false: there is no such way. At half a ring, half of a group's nodes are sent
 * to each way. */
static bool axis_field(const struct torus *t, unsigned axis, const uint32_t *a, const uint32_t *b,
                       bool around, uint64_t *field)
{
    bool tie = false;
    int32_t offset = torus_offset(t, axis, a[axis], b[axis], &tie);
    if (tie && (b[TOFU_A] + b[TOFU_B] + b[TOFU_C]) & 1)
        offset = -offset;
    if (around && (!offset || !t->wrap[axis]))
        return false;
    if (around)
        offset += offset > 0 ? -(int32_t)t->size[axis] : (int32_t)t->size[axis];
    uint32_t hops = (uint32_t)(offset < 0 ? -offset : offset);
    *field = hops ? (uint64_t)hops << ROUTE_HOPS | (2 * axis + (offset < 0)) : 0;
    return true;
}

/* Two bits for a way along b. */
static uint64_t along_b(uint32_t from, uint32_t to)
{
    return (to + 3 - from) % 3;
}

bool tofu_route_make(const struct tofu_routing *r, uint32_t from, uint32_t to,
                     struct tofu_path path, tofu_route_t *route)
{
    uint32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS], offset = path.number - 1u;
    uint64_t field;
    torus_coordinates(r->shape, from, a);
    torus_coordinates(r->shape, to, b);
    uint32_t relay_a = (a[TOFU_A] + offset) % 2, relay_b = (a[TOFU_B] + offset / 2) % 3,
             relay_c = (a[TOFU_C] + offset / 6) % 2;
    *route = along_b(a[TOFU_B], relay_b) << ROUTE_B1 | (uint64_t)(relay_c ^ a[TOFU_C]) << ROUTE_C1 |
             (uint64_t)(relay_a ^ a[TOFU_A]) << ROUTE_A1 |
             (uint64_t)(relay_a ^ b[TOFU_A]) << ROUTE_A3 |
             (uint64_t)(relay_c ^ b[TOFU_C]) << ROUTE_C3 | along_b(relay_b, b[TOFU_B]) << ROUTE_B3;
    for (unsigned i = 0; i < 3; i++) {
        unsigned axis = r->order[path.group][i];
        if (!axis_field(r->shape, axis, a, b, path.around >> axis & 1, &field))
            return false;
        *route |= field << (ROUTE_XYZ + ROUTE_FIELD * i);
    }
    return true;
}

bool tofu_route_is_one(tofu_route_t route)
{
    uint64_t xyz = route >> ROUTE_XYZ;
    bool right = (route & 3) != 3 && (route >> ROUTE_B3 & 3) != 3 && !(xyz >> 3 * ROUTE_FIELD);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t field = xyz >> ROUTE_FIELD * i & 0xffff;
        right = right && (!field || (field >> ROUTE_HOPS && (field & 7) < TOFU_PORT_A));
    }
    return right;
}

bool tofu_route_is_whole(const struct tofu_routing *r, uint32_t from, uint32_t to,
                         tofu_route_t route)
{
    while (route) {
        unsigned port = tofu_route_port(route);
        if (!tofu_link_lives(r->faults, r->shape, from, port))
            return false;
        from = tofu_neighbour(r->shape, from, port);
        route = tofu_route_advance(route);
    }
    return from == to;
}

/* ---- choosing ---- */

static bool try_path(const struct tofu_routing *r, uint32_t from, uint32_t to,
                     struct tofu_path path, tofu_route_t *route)
{
    return tofu_route_make(r, from, to, path, route) && tofu_route_is_whole(r, from, to, *route);
}

/* The shortest whole one of the twelve paths in a group of channels. */
static bool find_path(const struct tofu_routing *r, uint32_t from, uint32_t to, unsigned group,
                      unsigned around, struct tofu_path *path, tofu_route_t *route)
{
    uint32_t best = UINT32_MAX;
    for (unsigned number = 1; number <= TOFU_PATHS; number++) {
        struct tofu_path p = {(uint8_t)number, (uint8_t)group, (uint8_t)around};
        tofu_route_t found;
        if (!tofu_route_make(r, from, to, p, &found) || tofu_route_hops(found) >= best ||
            !tofu_route_is_whole(r, from, to, found))
            continue;
        best = tofu_route_hops(found);
        *path = p;
        *route = found;
    }
    return best != UINT32_MAX;
}

bool tofu_route_choose(const struct tofu_routing *r, uint32_t from, uint32_t to, unsigned number,
                       struct tofu_path *path, tofu_route_t *route)
{
    unsigned group = tofu_group_of(r, from);
    *path = (struct tofu_path){(uint8_t)number, (uint8_t)group, 0};
    if (!tofu_faults_any(r->faults))
        return tofu_route_make(r, from, to, *path, route);
    if (try_path(r, from, to, *path, route))
        return true;
    for (unsigned around = 0; around < 8; around++)
        for (unsigned other = 0; other < TOFU_GROUPS; other++)
            if (find_path(r, from, to, group ^ other, around, path, route))
                return true;
    return false;
}

/* ---- paths that share nothing ---- */

enum { HOPS_MOST = 64 };

/* Writes the links of a route, as node * TOFU_LINKS + port; returns how many, at most HOPS_MOST. */
static unsigned list_links(const struct torus *t, uint32_t from, tofu_route_t route,
                           uint64_t link[HOPS_MOST])
{
    unsigned count = 0;
    for (; route && count < HOPS_MOST; route = tofu_route_advance(route)) {
        unsigned port = tofu_route_port(route);
        link[count++] = (uint64_t)from * TOFU_LINKS + port;
        from = tofu_neighbour(t, from, port);
    }
    return count;
}

static bool share_a_link(const struct torus *t, uint32_t from, tofu_route_t a, tofu_route_t b)
{
    uint64_t links_a[HOPS_MOST], links_b[HOPS_MOST];
    unsigned count_a = list_links(t, from, a, links_a), count_b = list_links(t, from, b, links_b);
    for (unsigned i = 0; i < count_a; i++)
        for (unsigned k = 0; k < count_b; k++)
            if (links_a[i] == links_b[k])
                return true;
    return false;
}

/* Takes the shortest path that shares no link with those taken already. */
static bool take_path(const struct tofu_routing *r, uint32_t from, uint32_t to, unsigned group,
                      tofu_route_t *taken, unsigned count, struct tofu_path *path)
{
    uint32_t best = UINT32_MAX;
    for (unsigned number = 1; number <= TOFU_PATHS; number++) {
        struct tofu_path p = {(uint8_t)number, (uint8_t)group, 0};
        tofu_route_t route;
        bool free = try_path(r, from, to, p, &route) && tofu_route_hops(route) < best;
        for (unsigned i = 0; i < count && free; i++)
            free = !share_a_link(r->shape, from, route, taken[i]);
        if (!free)
            continue;
        best = tofu_route_hops(route);
        *path = p;
        taken[count] = route;
    }
    return best != UINT32_MAX;
}

unsigned tofu_route_disjoint(const struct tofu_routing *r, uint32_t from, uint32_t to,
                             unsigned most, struct tofu_path *path)
{
    tofu_route_t taken[TOFU_PATHS];
    unsigned count = 0;
    while (count < most && count < TOFU_PATHS &&
           take_path(r, from, to, tofu_group_of(r, from), taken, count, &path[count]))
        count++;
    if (!count && most && tofu_route_choose(r, from, to, 1, path, taken))
        count = 1; /* only by a detour */
    return count;
}

/* ---- all pairs ---- */

/* Above this many nodes only pairs in line with something dead, those that turn there or between
 * two dead groups, and some at random, are tried. */
enum { ALL_PAIRS_NODES = 2048, RANDOM_PAIRS = 1 << 18 };

static weft_status check_pair(const struct tofu_routing *r, uint32_t from, uint32_t to)
{
    struct tofu_path path;
    tofu_route_t route;
    char a[TORUS_NODE_TEXT], b[TORUS_NODE_TEXT];
    bool rings = r->shape->wrap[TOFU_X] && r->shape->wrap[TOFU_Y] && r->shape->wrap[TOFU_Z];
    protected_call_poll();
    if (from == to || tofu_is_dead(r->faults, from) || tofu_is_dead(r->faults, to) ||
        tofu_route_choose(r, from, to, 1, &path, &route))
        return WEFT_OK;
    return BAD_INPUT(
        "machine.dead_nodes machine.dead_boards machine.dead_groups machine.dead_links",
        ("no path leads from node %s to node %s around what is dead",
         torus_node_text(r->shape, from, a), torus_node_text(r->shape, to, b)),
        ("%s", rings ? "name fewer" : "name fewer, or make the axes rings"));
}

/* All pairs of nodes whose groups lie on one line, along an axis, with a given node's. */
static weft_status check_line(const struct tofu_routing *r, uint32_t node, unsigned axis)
{
    const struct torus *t = r->shape;
    uint32_t length = t->size[axis] * TOFU_GROUP_NODES, a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    torus_coordinates(t, node, a);
    torus_coordinates(t, node, b);
    for (uint32_t pair = 0; pair < length * length; pair++) {
        uint32_t i = pair / length, k = pair % length;
        a[axis] = i / TOFU_GROUP_NODES;
        b[axis] = k / TOFU_GROUP_NODES;
        a[TOFU_A] = i % 2, a[TOFU_B] = i / 2 % 3, a[TOFU_C] = i / 6 % 2;
        b[TOFU_A] = k % 2, b[TOFU_B] = k / 2 % 3, b[TOFU_C] = k / 6 % 2;
        TRY(check_pair(r, torus_node(t, a), torus_node(t, b)));
    }
    return WEFT_OK;
}

/* All pairs that turn from one axis to another at a given node. */
static weft_status check_turn(const struct tofu_routing *r, uint32_t node, unsigned first,
                              unsigned second)
{
    const struct torus *t = r->shape;
    uint32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    torus_coordinates(t, node, a);
    torus_coordinates(t, node, b);
    for (uint32_t pair = 0; pair < t->size[first] * t->size[second]; pair++) {
        a[first] = pair / t->size[second];
        b[second] = pair % t->size[second];
        TRY(check_pair(r, torus_node(t, a), torus_node(t, b)));
    }
    return WEFT_OK;
}

static weft_status check_lines(const struct tofu_routing *r, uint32_t node)
{
    for (unsigned axis = TOFU_X; axis <= TOFU_Z; axis++)
        TRY(check_line(r, node, axis));
    for (unsigned axis = TOFU_X; axis <= TOFU_Z; axis++) {
        TRY(check_turn(r, node, axis, (axis + 1) % 3));
        TRY(check_turn(r, node, axis, (axis + 2) % 3));
    }
    return WEFT_OK;
}

/* Whether a dead node is the first of its group that is listed: their lines are the same. */
static bool is_first(const struct tofu_routing *r, uint32_t i)
{
    const struct tofu_faults *f = r->faults;
    uint32_t groups = r->shape->nodes / TOFU_GROUP_NODES, k = 0;
    while (f->node[k] % groups != f->node[i] % groups)
        k++;
    return k == i;
}

static bool is_whole_group(const struct tofu_routing *r, uint32_t node)
{
    uint32_t groups = r->shape->nodes / TOFU_GROUP_NODES;
    for (uint32_t i = node % groups; i < r->shape->nodes; i += groups)
        if (!tofu_is_dead(r->faults, i))
            return false;
    return true;
}

/* Whether a way from a group to another, in the order of a group of channels, turns in one of two
 * others. */
static bool turns_in(const struct tofu_routing *r, unsigned group, const uint32_t *from,
                     const uint32_t *to, const uint32_t *first, const uint32_t *second)
{
    uint32_t c[3] = {from[0], from[1], from[2]};
    for (unsigned i = 0; i < 2; i++) {
        c[r->order[group][i]] = to[r->order[group][i]];
        if (memcmp(c, first, sizeof(c)) == 0 || memcmp(c, second, sizeof(c)) == 0)
            return true;
    }
    return false;
}

/* All pairs that turn in one of two dead groups in either order of axes. If nothing in line is cut
 * off, rings lead around a dead group, but where a way turns: no pair of groups is cut off by more
 * than two. */
static weft_status check_corners(const struct tofu_routing *r, uint32_t one, uint32_t other)
{
    const struct torus *t = r->shape;
    uint32_t dead[2][TORUS_MAX_DIMS], a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    torus_coordinates(t, one, dead[0]);
    torus_coordinates(t, other, dead[1]);
    for (unsigned ends = 0; ends < 64; ends++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            a[axis] = dead[ends >> axis & 1][axis];
            b[axis] = dead[ends >> axis >> 3 & 1][axis];
        }
        if (!turns_in(r, TOFU_GROUP_COMPUTE, a, b, dead[0], dead[1]) ||
            !turns_in(r, TOFU_GROUP_IO, a, b, dead[0], dead[1]))
            continue;
        for (uint32_t pair = 0; pair < TOFU_GROUP_NODES * TOFU_GROUP_NODES; pair++) {
            uint32_t i = pair / TOFU_GROUP_NODES, k = pair % TOFU_GROUP_NODES;
            a[TOFU_A] = i % 2, a[TOFU_B] = i / 2 % 3, a[TOFU_C] = i / 6;
            b[TOFU_A] = k % 2, b[TOFU_B] = k / 2 % 3, b[TOFU_C] = k / 6;
            TRY(check_pair(r, torus_node(t, a), torus_node(t, b)));
        }
    }
    return WEFT_OK;
}

/* Those of a dead group and all listed before it. */
static weft_status check_groups(const struct tofu_routing *r, uint32_t i)
{
    const struct tofu_faults *f = r->faults;
    if (!is_whole_group(r, f->node[i]))
        return WEFT_OK;
    for (uint32_t k = 0; k < i; k++)
        if (is_first(r, k) && is_whole_group(r, f->node[k]))
            TRY(check_corners(r, f->node[i], f->node[k]));
    return WEFT_OK;
}

static weft_status check_some(const struct tofu_routing *r)
{
    const struct tofu_faults *f = r->faults;
    uint64_t state = random_key(1, 0, RANDOM_PAIR);
    for (uint32_t i = 0; i < f->nodes; i++)
        if (is_first(r, i)) {
            TRY(check_lines(r, f->node[i]));
            TRY(check_groups(r, i));
        }
    for (uint32_t i = 0; i < f->links; i++)
        TRY(check_lines(r, f->link[i].node));
    for (uint32_t i = 0; i < RANDOM_PAIRS; i++) {
        uint32_t from = random_below(random_next(&state), r->shape->nodes);
        TRY(check_pair(r, from, random_below(random_next(&state), r->shape->nodes)));
    }
    return WEFT_OK;
}

weft_status tofu_check_paths(const struct tofu_routing *r)
{
    uint32_t nodes = tofu_faults_any(r->faults) ? r->shape->nodes : 0;
    if (nodes > ALL_PAIRS_NODES)
        return check_some(r);
    for (uint32_t from = 0; from < nodes; from++)
        for (uint32_t to = 0; to < nodes; to++)
            TRY(check_pair(r, from, to));
    return WEFT_OK;
}
