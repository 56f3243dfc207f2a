/*
 * What a crosspoint fabric offers to the engines of its nodes (fabric/face.h). A route is a routing
 * string and the VC to start on (KAUTZ, 4.1 and 4.2), which the sender's software chooses.
 */
#ifndef WEFT_FABRIC_CROSSPOINT_FACE_H
#define WEFT_FABRIC_CROSSPOINT_FACE_H

#include "fabric/crosspoint/network.h"

struct crosspoint_face {
    struct face face;
    const struct graph *graph;
    const struct graph_routes *routes;
    const struct crosspoint_params *params;
    struct crosspoint_derived derived;
};

weft_status crosspoint_face_init(struct crosspoint_face *f, const struct graph *graph,
                                 const struct graph_routes *routes,
                                 const struct crosspoint_params *params);

/* Words of a packet with this much payload. */
uint32_t crosspoint_words(uint32_t bytes);

/* The packet as its receiver's nic sees it. */
struct face_packet crosspoint_face_packet(const struct crosspoint_packet *packet);

#endif
