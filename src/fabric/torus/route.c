/* Hint bits: minimal, or around what is dead. */
#include "fabric/torus/route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "config/keys.h"

/* ---- hint bits ---- */

struct cutoffs hints_cutoffs(const struct torus *t, unsigned dim, const uint32_t *coordinate)
{
    int32_t size = (int32_t)t->size[dim], here = (int32_t)coordinate[dim];
    if (!t->wrap[dim])
        return (struct cutoffs){size - 1, 0};
    uint32_t parity = 0;
    for (unsigned d = 0; d < t->dims; d++)
        parity ^= coordinate[d];
    /* The last coordinate that is at most (or, for odd nodes, less than) half a ring away. */
    int32_t half = size / 2, below_half = (size - 1) / 2;
    return parity & 1 ? (struct cutoffs){here + below_half, here - half}
                      : (struct cutoffs){here + half, here - below_half};
}

/* No branches on where the packet goes: they could not be predicted. */
void hints_set(const struct torus *t, enum hint_source source, uint32_t from, uint32_t to,
               uint64_t draw, struct torus_packet *packet)
{
    uint32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    torus_coordinates(t, from, a);
    torus_coordinates(t, to, b);
    unsigned hint = 0;
    for (unsigned d = 0; d < t->dims; d++) {
        bool ahead = b[d] > a[d], plus = ahead;
        uint32_t hops = ahead ? b[d] - a[d] : a[d] - b[d];
        if (t->wrap[d]) {
            uint32_t ring = t->size[d], around = ring - hops;
            uint32_t forth = ahead ? hops : around; /* if it goes plus */
            hops = hops < around ? hops : around;
            plus = 2 * forth < ring + (draw >> d & 1);
            if (source == HINTS_HARDWARE) {
                struct cutoffs c = hints_cutoffs(t, d, a);
                plus = ahead ? (int32_t)b[d] <= c.plus : (int32_t)b[d] < c.minus;
            }
        }
        packet->hops[d] = (uint16_t)hops;
        hint |= (unsigned)(hops != 0) << (2 * d + !plus);
    }
    packet->hint = (uint8_t)hint;
}

/* ---- faults, as keys name them ---- */

const char *faults_link_text(const struct torus *t, uint32_t node, unsigned port, char text[64])
{
    char place[TORUS_NODE_TEXT];
    snprintf(text, 64, "%s:%s", torus_node_text(t, node, place), torus_port_name(port));
    return text;
}

weft_status faults_check_link(const struct torus *t, const char *key, uint32_t node, unsigned port)
{
    char link[64];
    if (torus_neighbour(t, node, port) != TORUS_NO_NODE)
        return WEFT_OK;
    return BAD_INPUT(key,
                     ("%s: %s no link %s", key, t->wiring ? "partitions have" : "this machine has",
                      faults_link_text(t, node, port, link)),
                     ("name others"));
}

static bool parse_port(const struct torus *t, const char **at, uint8_t *port)
{
    for (unsigned p = 0; p < 2 * t->dims && p < TORUS_PORTS; p++)
        if (strncmp(*at, torus_port_name(p), 2) == 0) {
            *port = (uint8_t)p;
            *at += 2;
            return true;
        }
    return false;
}

bool faults_is_dead(const struct torus_faults *f, uint32_t node)
{
    for (uint32_t i = 0; i < f->nodes; i++)
        if (f->node[i] == node)
            return true;
    return false;
}

static weft_status parse_list(const struct torus *t, const char *key, const char *list, bool links,
                              struct torus_faults *f)
{
    uint32_t *count = links ? &f->links : &f->nodes;
    for (const char *at = list; strcmp(list, "none") != 0 && *at;) {
        uint32_t node;
        uint8_t port = 0;
        char item[32];
        at += strspn(at, " ");
        key_list_item(at, item);
        if (*count == FAULTS_MAX)
            return BAD_INPUT(key, ("%s has over %d", key, FAULTS_MAX), ("use fewer"));
        if (!torus_parse_node(t, t->dims, &at, &node) ||
            (links && (*at++ != ':' || !parse_port(t, &at, &port))))
            return BAD_INPUT(
                key, ("%s: '%s' is not a %s of this machine", key, item, links ? "link" : "node"),
                ("use %s, joined by commas, or none",
                 links ? "1/2/3:x+ with x+ to z-" : "coordinates as 1/2/3"));
        if (links) {
            TRY(faults_check_link(t, key, node, port));
            f->link[*count].node = node;
            f->link[*count].port = port;
            ++*count;
        } else if (!faults_is_dead(f, node)) {
            f->node[*count] = node;
            ++*count;
        }
        at += strspn(at, " ");
        if (*at && *at++ != ',')
            return BAD_INPUT(key, ("%s = '%.60s' is not a list", key, list),
                             ("join places by commas"));
    }
    return WEFT_OK;
}

static void wound(struct torus_faults *f, const struct torus *t, uint32_t node, unsigned port)
{
    uint32_t i = 0, c[TORUS_MAX_DIMS];
    if (faults_is_dead(f, node))
        return;
    while (i < f->wounded && f->wound[i].node != node)
        i++;
    if (i == f->wounded) {
        f->wound[f->wounded++].node = node;
        f->wound[i].ports = 0;
        wiring_home(t, node, c);
        memcpy(f->wound[i].coordinate, c, sizeof(f->wound[i].coordinate));
    }
    f->wound[i].ports |= (uint8_t)(1u << port);
}

weft_status faults_parse(const struct torus *t, const char *nodes, const char *links,
                         struct torus_faults *f)
{
    memset(f, 0, sizeof(*f));
    TRY(parse_list(t, "machine.dead_nodes", nodes, false, f));
    TRY(parse_list(t, "machine.dead_links", links, true, f));
    for (uint32_t i = 0; i < f->nodes; i++)
        for (unsigned port = 0; port < 2 * t->dims; port++) {
            uint32_t from = torus_neighbour(t, f->node[i], port);
            if (from != TORUS_NO_NODE)
                wound(f, t, from, torus_opposite(port));
        }
    for (uint32_t i = 0; i < f->links; i++) {
        wound(f, t, f->link[i].node, f->link[i].port);
        wound(f, t, torus_neighbour(t, f->link[i].node, f->link[i].port),
              torus_opposite(f->link[i].port));
    }
    return WEFT_OK;
}

unsigned faults_ports(const struct torus_faults *f, uint32_t node)
{
    for (uint32_t i = 0; i < f->wounded; i++)
        if (f->wound[i].node == node)
            return f->wound[i].ports;
    return 0;
}

bool faults_are_near(const struct torus_faults *f, const struct torus *t, uint32_t node)
{
    for (uint32_t i = 0; i < f->wounded; i++)
        if (wiring_joins(t, node, f->wound[i].node))
            return true;
    return false;
}

uint32_t faults_neighbour(const struct torus_faults *f, const struct torus *t, uint32_t node,
                          unsigned port)
{
    bool dead = faults_any(f) && ((faults_ports(f, node) >> port & 1) || faults_is_dead(f, node));
    return dead ? TORUS_NO_NODE : torus_neighbour(t, node, port);
}

/* ---- routing ---- */

/* A choice of directions: a port and its hops in each dimension. */
struct way {
    uint8_t hint;
    uint8_t port[TORUS_ROUTER_DIMS];
    uint16_t hops[TORUS_ROUTER_DIMS];
    uint32_t length;
};

/* Hops along a dimension in one direction. */
static uint32_t hops_towards(const struct torus *t, unsigned dim, uint32_t from, uint32_t to,
                             bool minus)
{
    uint32_t a = minus ? to : from, b = minus ? from : to;
    return b >= a ? b - a : b + t->size[dim] - a;
}

/* All ways, one per choice of directions, shortest first. */
static unsigned list_ways(const struct torus *t, const uint32_t *a, const uint32_t *b,
                          uint64_t draw, struct way way[8])
{
    unsigned count = 0;
    for (unsigned turn = 0; turn < 8; turn++) {
        unsigned choice = turn ^ (~draw & 7); /* bit d: minus; the drawn choice goes first */
        struct way w = {.length = 0};
        bool there = true;
        for (unsigned d = 0; d < t->dims; d++) {
            bool minus = choice >> d & 1;
            if (a[d] == b[d]) {
                there &= !minus; /* no hops there: count it once */
                continue;
            }
            there &= t->wrap[d] || minus == (b[d] < a[d]);
            w.port[d] = (uint8_t)(2 * d + minus);
            w.hops[d] = (uint16_t)hops_towards(t, d, a[d], b[d], minus);
            w.hint |= (uint8_t)(1u << w.port[d]);
            w.length += w.hops[d];
        }
        there &= choice < 1u << t->dims;
        unsigned at = count;
        for (; there && at > 0 && way[at - 1].length > w.length; at--)
            way[at] = way[at - 1];
        if (there) {
            way[at] = w;
            count++;
        }
    }
    return count;
}

/* Whether some node in the way's box has only dead ports left to go. `from`: coordinates in the
 * home of the node that the way begins at. */
static bool has_dead_end(const struct torus_faults *f, const struct torus *machine, uint32_t node,
                         const uint32_t *from, const struct way *w)
{
    const struct torus *t = wiring_torus(machine, node);
    for (uint32_t i = 0; i < f->wounded; i++) {
        unsigned left = 0;
        bool inside = wiring_joins(machine, node, f->wound[i].node);
        for (unsigned d = 0; d < t->dims && inside; d++) {
            uint32_t done = hops_towards(t, d, from[d], f->wound[i].coordinate[d], w->port[d] & 1);
            inside = done <= w->hops[d];
            if (done < w->hops[d])
                left |= 1u << w->port[d];
        }
        if (inside && left && !(left & ~(unsigned)f->wound[i].ports))
            return true;
    }
    return false;
}

static bool is_whole(const struct torus_faults *f, const struct torus *t, const uint8_t *order,
                     uint32_t from, const struct way *w)
{
    for (unsigned i = 0; i < TORUS_PORTS; i++) {
        unsigned port = order[i], d = port / 2;
        if (!(w->hint >> port & 1))
            continue;
        for (unsigned hop = 0; hop < w->hops[d]; hop++) {
            if (faults_ports(f, from) >> port & 1)
                return false;
            from = torus_neighbour(t, from, port);
        }
    }
    return true;
}

bool faults_route(const struct torus_faults *f, const struct torus *t, const uint8_t *order,
                  uint32_t from, uint32_t to, uint64_t draw, struct torus_packet *packet)
{
    struct way way[8];
    uint32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    const struct torus *home = wiring_home(t, from, a);
    if (!wiring_joins(t, from, to))
        return false;
    wiring_home(t, to, b);
    unsigned ways = list_ways(home, a, b, draw, way);
    for (unsigned i = 0; i < ways; i++) {
        bool good = packet->flags & TORUS_DYNAMIC ? !has_dead_end(f, t, from, a, &way[i])
                                                  : is_whole(f, t, order, from, &way[i]);
        if (!good)
            continue;
        packet->hint = way[i].hint;
        memcpy(packet->hops, way[i].hops, sizeof(packet->hops));
        return true;
    }
    return false;
}

/* ---- all pairs ---- */

static weft_status check_pair(const struct torus_faults *f, const struct torus *t,
                              const uint8_t *order, uint32_t from, uint32_t to, bool dynamic)
{
    struct torus_packet packet = {.flags = dynamic ? TORUS_DYNAMIC : 0};
    char a[TORUS_NODE_TEXT], b[TORUS_NODE_TEXT];
    protected_call_poll();
    if (from == to || !wiring_joins(t, from, to) || faults_route(f, t, order, from, to, 0, &packet))
        return WEFT_OK;
    return BAD_INPUT(
        "machine.dead_nodes machine.dead_links",
        ("machine.dead_nodes, machine.dead_links: no hint bits lead %s packet from node %s to node "
         "%s around them",
         dynamic ? "a dynamic" : "a fixed-path", torus_node_text(t, from, a),
         torus_node_text(t, to, b)),
        ("%s",
         dynamic ? "name fewer" : "use workload.dynamic_share = 1 and workload.high_share = 0"));
}

/* Whether a node is on a line with a wound, along any dimension. */
static bool is_in_line(const struct torus_faults *f, const struct torus *t, uint32_t node)
{
    uint32_t c[TORUS_MAX_DIMS];
    wiring_home(t, node, c);
    for (uint32_t i = 0; i < f->wounded; i++) {
        unsigned same = 0;
        for (unsigned d = 0; d < t->dims; d++)
            same += f->wound[i].coordinate[d] == c[d];
        if (same + 1 >= t->dims && wiring_joins(t, node, f->wound[i].node))
            return true;
    }
    return false;
}

weft_status faults_connected(const struct torus_faults *f, const struct torus *t,
                             const uint8_t *order, bool dynamic, bool fixed)
{
    /* A dead end with one port left lies in line with the destination; nodes with several dead
     * ports need not, but are few. */
    unsigned pockets = 0;
    for (uint32_t i = 0; i < f->wounded; i++)
        pockets += (f->wound[i].ports & (f->wound[i].ports - 1)) != 0;
    bool all = fixed || pockets > 1;
    for (uint32_t to = 0; to < t->nodes && faults_any(f); to++) {
        if (faults_is_dead(f, to) || wiring_idles(t, to) || !(all || is_in_line(f, t, to)))
            continue;
        for (uint32_t from = 0; from < t->nodes; from++) {
            if (faults_is_dead(f, from))
                continue;
            if (dynamic)
                TRY(check_pair(f, t, order, from, to, true));
            if (fixed)
                TRY(check_pair(f, t, order, from, to, false));
        }
    }
    return WEFT_OK;
}

struct torus_addressing addressing_make(const struct torus *torus,
                                        const struct torus_params *params,
                                        const struct torus_derived *derived,
                                        const struct torus_faults *faults, enum hint_source hints)
{
    struct torus_addressing a = {.torus = torus,
                                 .faults = faults && faults_any(faults) ? faults : NULL,
                                 .hints = hints,
                                 .plain = !torus->wiring && !(faults && faults_any(faults)),
                                 .dynamic = params->dynamic_vcs > 0};
    memcpy(a.order, derived->escape_order, sizeof(a.order));
    return a;
}

void address_packet(const struct torus_addressing *a, uint32_t from, uint32_t to, uint64_t draw,
                    struct torus_packet *packet)
{
    if (a->plain) {
        hints_set(a->torus, a->hints, from, to, draw, packet);
        return;
    }
    WEFT_CHECK(wiring_joins(a->torus, from, to), "no link joins node %u and node %u", from, to);
    if (!a->faults || !faults_are_near(a->faults, a->torus, from)) {
        hints_set(wiring_torus(a->torus, from), a->hints, wiring_number(a->torus, from),
                  wiring_number(a->torus, to), draw, packet);
        return;
    }
    if (!a->dynamic)
        packet->flags &= (uint8_t)~TORUS_DYNAMIC; /* only its fixed path is left */
    bool found = faults_route(a->faults, a->torus, a->order, from, to, draw, packet);
    WEFT_CHECK(found, "no route from node %u to node %u", from, to);
}

unsigned address_first_port(const struct torus_addressing *a, const struct torus_packet *packet)
{
    for (unsigned i = 0; i < TORUS_PORTS; i++)
        if (packet->hint >> a->order[i] & 1)
            return a->order[i];
    return 0;
}
