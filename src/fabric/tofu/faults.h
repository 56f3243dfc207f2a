/*
 * What is dead or under maintenance: nodes, system boards, node groups and links (TOFU, "Multipath
 * routing function" and "Torus mapping and fault tolerance"). Software chooses paths around all of
 * it (route.h). A dead link is dead both ways.
 */
#ifndef WEFT_FABRIC_TOFU_FAULTS_H
#define WEFT_FABRIC_TOFU_FAULTS_H

#include "fabric/tofu/shape.h"

enum { TOFU_FAULTS_MOST = 48 }; /* of each sort */

struct tofu_faults {
    uint32_t nodes, links; /* how many are dead */
    uint32_t node[TOFU_FAULTS_MOST * (1 + TOFU_BOARD_NODES + TOFU_GROUP_NODES)]; /* ascending */
    struct {
        uint32_t node;
        uint8_t port;
    } link[TOFU_FAULTS_MOST];
};

struct tofu_fault_texts {
    const char *nodes;  /* "1/2/3/0/1/0,...": x, y, z, a, b and c */
    const char *boards; /* "1/2/3/2,...": x, y, z and b */
    const char *groups; /* "1/2/3,...": x, y and z */
    const char *links;  /* "1/2/3/0/1/0:x+,..." */
};

/* "none" or "": none of a sort. */
weft_status tofu_faults_parse(const struct torus *shape, const struct tofu_fault_texts *texts,
                              struct tofu_faults *faults);

static inline bool tofu_faults_any(const struct tofu_faults *f)
{
    return f->nodes || f->links;
}

bool tofu_is_dead(const struct tofu_faults *f, uint32_t node);

/* Whether a link can carry packets: it exists, and neither it nor an end of it is dead. */
bool tofu_link_lives(const struct tofu_faults *f, const struct torus *shape, uint32_t node,
                     unsigned port);

/* "1/2/3/0/1/0:x+", as machine.dead_links names a link. */
const char *tofu_link_text(const struct torus *shape, uint32_t node, unsigned port, char text[64]);

/* Finds the one link that a text names. */
bool tofu_find_link(const struct torus *shape, const char *text, uint32_t *node, uint32_t *port);

#endif
