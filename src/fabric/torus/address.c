/* Hint bits, around whatever is dead. */
#include "fabric/torus/address.h"

#include <string.h>

struct torus_addressing addressing_make(const struct torus *torus,
                                        const struct torus_params *params,
                                        const struct torus_derived *derived,
                                        const struct torus_faults *faults, enum hint_source hints)
{
    struct torus_addressing a = {.torus = torus,
                                 .faults = faults && faults_any(faults) ? faults : NULL,
                                 .hints = hints,
                                 .dynamic = params->dynamic_vcs > 0};
    memcpy(a.order, derived->escape_order, sizeof(a.order));
    return a;
}

void address_packet(const struct torus_addressing *a, uint32_t from, uint32_t to, uint64_t draw,
                    struct torus_packet *packet)
{
    if (!a->faults) {
        hints_set(a->torus, a->hints, from, to, draw, packet);
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
