/* Derived parameters of Tofu. */
#include "fabric/tofu/params.h"

weft_status tofu_params_derive(const struct tofu_params *p, struct tofu_derived *d)
{
    *d = (struct tofu_derived){.hop_cycles = p->receive_cycles + p->route_cycles +
                                             p->switch_cycles + p->send_cycles + p->wire_cycles,
                               .control_cycles =
                                   1 + p->receive_cycles + p->send_cycles + p->wire_cycles,
                               .buffer_lines = p->buffer_bytes / TOFU_LINE_BYTES,
                               .retransmission_lines = p->retransmission_bytes / TOFU_LINE_BYTES};
    if (!d->hop_cycles)
        return BAD_INPUT("machine.router.switch_cycles machine.link.wire_cycles",
                         ("a hop takes no time"),
                         ("use machine.router.switch_cycles or machine.link.wire_cycles above 0"));
    if (p->buffer_bytes % TOFU_LINE_BYTES || d->buffer_lines < TOFU_MAX_LINES)
        return BAD_INPUT("machine.router.vc_bytes",
                         ("machine.router.vc_bytes = %u does not hold a packet of %d",
                          p->buffer_bytes, TOFU_MAX_LINES * TOFU_LINE_BYTES),
                         ("use a multiple of %d from there on", TOFU_LINE_BYTES));
    if (p->retransmission_bytes % TOFU_LINE_BYTES || d->retransmission_lines < TOFU_MAX_LINES)
        return BAD_INPUT("machine.link.retransmission_bytes",
                         ("machine.link.retransmission_bytes = %u does not hold a packet of %d",
                          p->retransmission_bytes, TOFU_MAX_LINES * TOFU_LINE_BYTES),
                         ("use a multiple of %d from there on", TOFU_LINE_BYTES));
    return WEFT_OK;
}

bool tofu_params_need_protocol(const struct tofu_derived *d)
{
    return d->hop_cycles + d->control_cycles + 2 * TOFU_MAX_LINES > d->retransmission_lines;
}

const char *tofu_vc_name(unsigned vc)
{
    static const char *const names[TOFU_VCS] = {"C0", "C1", "I0", "I1"};
    return names[vc];
}
