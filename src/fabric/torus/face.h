/*
 * What a torus offers to engines that make packets (fabric/face.h). They write into the bounded
 * injection FIFOs: packets in order into that of their first direction, adaptive ones into any that
 * has room, that one first. What arrives stays in its reception FIFO until the engine has taken it.
 */
#ifndef WEFT_FABRIC_TORUS_FACE_H
#define WEFT_FABRIC_TORUS_FACE_H

#include "fabric/face.h"
#include "fabric/torus/address.h"
#include "fabric/torus/network.h"

struct torus_face {
    struct face face;
    struct torus_addressing addressing;
    const struct torus_params *router;
    uint32_t header_bytes; /* of software, in each packet */
    struct face_client client;
};

/* Payload of a full packet. */
uint32_t torus_face_payload(uint32_t header_bytes);

weft_status torus_face_init(struct torus_face *f, const struct torus *torus,
                            const struct torus_params *router, const struct torus_faults *faults,
                            uint32_t header_bytes);

/* The client to give to the network, for an engine that is the client of this face. */
struct torus_client torus_face_client(struct torus_face *f, struct face_client client);

#endif
