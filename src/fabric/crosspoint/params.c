/* Derived parameters of the crosspoint fabric. */
#include "fabric/crosspoint/params.h"

static weft_status check_vcs(const struct crosspoint_params *p)
{
    if (p->vcs > p->buffer_packets)
        return BAD_INPUT(
            "machine.router.vcs machine.router.crosspoint_packets",
            ("machine.router.vcs = %u: each needs an entry of its own in a crosspoint buffer of %u",
             p->vcs, p->buffer_packets),
            ("use fewer VCs, or more machine.router.crosspoint_packets"));
    return WEFT_OK;
}

weft_status crosspoint_params_derive(const struct crosspoint_params *p, const struct graph *g,
                                     struct crosspoint_derived *d)
{
    *d = (struct crosspoint_derived){.ports = g->degree + 1};
    while (1u << d->route_bits < d->ports)
        d->route_bits++;
    d->most_hops = d->route_bits ? CROSSPOINT_ROUTE_BITS / d->route_bits : CROSSPOINT_ROUTE_BITS;
    d->hop_cycles = p->bypass_cycles + p->wire_cycles;
    d->control_cycles = p->control_bytes + p->wire_cycles;
    d->all_entries = (uint16_t)((1u << p->buffer_packets) - 1);
    uint32_t shared = d->all_entries & ~((1u << p->vcs) - 1);
    for (unsigned vc = 0; vc < p->vcs; vc++)
        d->vc_entries[vc] = (uint16_t)(shared | 1u << vc);
    if (!d->hop_cycles)
        return BAD_INPUT("machine.router.bypass_cycles machine.link.wire_cycles",
                         ("a hop takes no time"),
                         ("use machine.router.bypass_cycles or machine.link.wire_cycles above 0"));
    return check_vcs(p);
}

const char *crosspoint_vc_name(unsigned vc)
{
    static const char *const names[CROSSPOINT_VCS] = {"VC0", "VC1", "VC2", "VC3",
                                                      "VC4", "VC5", "VC6", "VC7"};
    return names[vc];
}

uint32_t crosspoint_decrements_along(const struct crosspoint_params *p, const struct graph *g,
                                     uint32_t from, const struct graph_route *route)
{
    uint32_t x = from, count = 0;
    for (uint32_t hop = 0; hop + 1 < route->hops; hop++) {
        uint32_t y = g->to[x * g->degree + route->port[hop]].node;
        uint32_t z = g->to[y * g->degree + route->port[hop + 1]].node;
        count += crosspoint_decrements(p->vc_rule, x, y, z);
        x = y;
    }
    return count;
}
