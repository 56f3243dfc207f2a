/*
 * Hint bits: the directions in which a packet may be routed (TORUS, "Torus network").
 *
 * By hardware: each node has two cut-off registers per dimension. To a larger coordinate: plus if
 * it is at most cutoff_plus, else minus; to a smaller one: minus if it is at least cutoff_minus,
 * else plus. Here they are set for minimal routing; at half a ring both ways are equally long, and
 * nodes alternate by the parity of their coordinates, so that links share the load evenly.
 * By software: minimal too; at half a ring the messages of a node alternate, and packets that are
 * not part of a message draw at random.
 */
#ifndef WEFT_FABRIC_TORUS_ROUTE_H
#define WEFT_FABRIC_TORUS_ROUTE_H

#include "fabric/torus/params.h"
#include "topology/torus/torus.h"

enum hint_source { HINTS_HARDWARE, HINTS_SOFTWARE };

/* A node's pair of cut-off registers in one dimension. */
struct cutoffs {
    int32_t plus, minus;
};

struct cutoffs hints_cutoffs(const struct torus *t, unsigned dim, const uint32_t *coordinate);

/* Sets hint bits and hops of a packet from one node to another. Bit d of `draw` decides
 * software ties along dimension d. */
void hints_set(const struct torus *t, enum hint_source source, uint32_t from, uint32_t to,
               uint64_t draw, struct torus_packet *packet);

/*
 * Dead nodes and links, and the hint bits that route around them (TORUS, "Torus network": the
 * hardware cannot route around dead nodes or links, but software can set the hint bits so that they
 * are avoided, with full connectivity for up to three faulty nodes that are not collinear).
 *
 * A sender whose link is dead never reports it as available, so a dynamic packet takes another of
 * its hinted directions. A packet is stuck only at a node where all its directions left are dead:
 *
 *        d            o is dead, and so is every way from n to d if only y+ is left there:
 *        o            a dead end. The way around: y-, along the rest of the ring.
 *        n
 *
 * So for each pair, software chooses the shortest directions whose box has no dead end. A packet
 * with a fixed path needs that path to be intact. A link that is dead one way is useless the other
 * way too: its acknowledgments would not come back.
 */

enum { FAULTS_MAX = 48 };

struct torus_faults {
    uint32_t nodes, links;
    uint32_t node[FAULTS_MAX];
    struct {
        uint32_t node;
        uint8_t port;
    } link[FAULTS_MAX];
    /* Living nodes with ports that lead nowhere, derived from the above. */
    uint32_t wounded;
    struct {
        uint32_t node;
        uint32_t coordinate[TORUS_ROUTER_DIMS]; /* in its home (wiring.h) */
        uint8_t ports;
    } wound[FAULTS_MAX * (TORUS_PORTS + 2)];
};

/* From "1/2/3,4/5/6" and "1/2/3:x+,..."; "none" or "": none. */
weft_status faults_parse(const struct torus *torus, const char *nodes, const char *links,
                         struct torus_faults *faults);

static inline bool faults_any(const struct torus_faults *f)
{
    return f->nodes || f->links;
}

bool faults_is_dead(const struct torus_faults *f, uint32_t node);

/* Ports of a node that lead nowhere. */
unsigned faults_ports(const struct torus_faults *f, uint32_t node);

/* Whether the torus that a node is in (its home, wiring.h) has a living node with such a port. */
bool faults_are_near(const struct torus_faults *f, const struct torus *torus, uint32_t node);

/* The node behind a port; TORUS_NO_NODE where there is no link, or a dead one. */
uint32_t faults_neighbour(const struct torus_faults *f, const struct torus *torus, uint32_t node,
                          unsigned port);

/* "1/2/3:x+", as machine.dead_links names a link. */
const char *faults_link_text(const struct torus *torus, uint32_t node, unsigned port,
                             char text[64]);

/* WEFT_BAD_INPUT: there is no link behind a port that a key names. An axis with one node, of a
 * partition too, has no links. */
weft_status faults_check_link(const struct torus *torus, const char *key, uint32_t node,
                              unsigned port);

/*
 * Sets hint bits and hops of a packet (its flags say whether it is dynamic) from one node to
 * another. Bit d of `draw` decides between equally long directions along dimension d. `order`: that
 * of ports on a fixed path. False: no hint bits lead there.
 */
bool faults_route(const struct torus_faults *f, const struct torus *torus, const uint8_t *order,
                  uint32_t from, uint32_t to, uint64_t draw, struct torus_packet *packet);

/* WEFT_BAD_INPUT, naming the first pair of nodes, joined by links, without a route that dynamic
 * packets, or packets with fixed paths, may need. */
weft_status faults_connected(const struct torus_faults *f, const struct torus *torus,
                             const uint8_t *order, bool dynamic, bool fixed);

/*
 * How a node addresses a packet: by hint bits or, if its home has dead nodes or links, by those
 * that lead around them.
 */

struct torus_addressing {
    const struct torus *torus;
    const struct torus_faults *faults; /* NULL: none */
    enum hint_source hints;
    bool plain;                 /* neither dead nodes and links nor boxes that are wired apart */
    uint8_t order[TORUS_PORTS]; /* of ports on a fixed path */
    bool dynamic;               /* there are dynamic VCs */
};

struct torus_addressing addressing_make(const struct torus *torus,
                                        const struct torus_params *params,
                                        const struct torus_derived *derived,
                                        const struct torus_faults *faults, enum hint_source hints);

/* Sets hint bits and hops of a packet, whose flags say whether it is dynamic. Bit d of `draw`
 * decides between equally long directions along dimension d. */
void address_packet(const struct torus_addressing *a, uint32_t from, uint32_t to, uint64_t draw,
                    struct torus_packet *packet);

/* The port by which a packet leaves on its fixed path; a dynamic one most likely, too. */
unsigned address_first_port(const struct torus_addressing *a, const struct torus_packet *packet);

#endif
