/*
 * What each link and each node of a machine did, as arrays over the whole machine: gathered at the
 * end of a run from all partitions and ranks.
 *
 * The ends of links are vertices: nodes; on a machine of switches, hosts and then switches.
 */
#ifndef WEFT_MACHINE_LINKS_H
#define WEFT_MACHINE_LINKS_H

#include "fabric/network.h"
#include "topology/torus/torus.h"

enum { LINK_DIRECTIONS = 12 };

/* How a family numbers its links. */
struct link_map {
    uint32_t vertices, switches; /* switches: the last vertices, behind hosts; 0: none */
    struct torus shape; /* that has the coordinates of nodes, or of switches; dims 0: none */
    const char *direction[LINK_DIRECTIONS];
    uint32_t directions, of_hosts; /* of_hosts: the last ones, of links between host and switch */
    uint64_t numbers;              /* links have numbers below this; not every number has one */
    double queue[MEASURE_VCS];     /* what the queue of a VC holds */
    double rooms;                  /* places behind a VC that may lack room */
    uint32_t *switch_of;           /* [host]: the vertex of its switch; NULL: there are no hosts */
};

enum link_state {
    LINK_GOOD,
    LINK_BAD,
    LINK_DEAD,
    LINK_STATES
}; /* bad: it makes errors more often */

extern const char *const link_state_names[LINK_STATES];

static inline enum link_state link_state(bool dead, bool bad)
{
    return dead ? LINK_DEAD : bad ? LINK_BAD : LINK_GOOD;
}

/* Where the counters of one end of a link are. */
struct link_slot {
    uint32_t partition, slot;
};

#define NO_PARTITION UINT32_MAX

struct machine_link {
    uint32_t from, to;
    uint8_t direction;
    enum link_state state;
    uint64_t busy; /* cycles measured; 0 at ranks that do not have its sender */
    /* Only with run.detail; without a partition: there is no such counter. */
    struct link_slot sender, receiver;
};

struct run_links {
    struct link_map map; /* with its array */
    uint64_t count;
    uint32_t vcs;
    uint32_t *from, *to; /* [link], as all up to `busy` */
    uint8_t *direction, *state;
    uint64_t *busy;
    /* With run.detail; else NULL: [link * vcs + vc] */
    uint64_t *vc_busy, *vc_packets, *vc_blocked, *vc_queued;
    uint8_t *timeline;    /* [row * count + link], 255: busy all the time; NULL: none */
    uint8_t *vc_timeline; /* [(row * count + link) * vcs + vc]; NULL: none, or too large */
    size_t rows;
    cycle_t row_cycles; /* of a row */
};

struct run_nodes {
    uint32_t count;
    struct detail_node *node;
    bool *dead;
};

void run_links_free(struct run_links *links);
void run_nodes_free(struct run_nodes *nodes);

/* A vertex as users name it: "1/2/3", "17", or "switch 5". */
enum { VERTEX_TEXT = TORUS_PLACE_TEXT + 16 };
const char *vertex_text(const struct link_map *map, uint32_t vertex, char text[VERTEX_TEXT]);

#endif
