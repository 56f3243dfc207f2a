/*
 * How a node addresses a packet: by hint bits (hints.h) or, beside dead nodes and links, by those
 * that lead around them (faults.h).
 */
#ifndef WEFT_FABRIC_TORUS_ADDRESS_H
#define WEFT_FABRIC_TORUS_ADDRESS_H

#include "fabric/torus/faults.h"
#include "fabric/torus/hints.h"
#include "fabric/torus/params.h"

struct torus_addressing {
    const struct torus *torus;
    const struct torus_faults *faults; /* NULL: none */
    enum hint_source hints;
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
