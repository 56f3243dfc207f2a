/* From the machine's parameters to the router's tables. */
#include "fabric/torus/params.h"

#include <string.h>

/* Classes of moves onto a fixed VC: which VC, and whether they need room for one packet or two. */
static void derive_classes(const struct torus_params *p, struct torus_derived *d)
{
    bool pair = p->escape == ESCAPE_DATELINE;
    uint32_t vc[4] = {d->escape_vc, d->escape_vc + pair, d->high_vc, d->high_vc};
    bool bubble = p->escape == ESCAPE_BUBBLE;
    bool two_packets[4] = {false, bubble, false, true};
    d->room_asked[0] = d->dynamic_mask;
    for (unsigned c = 0; c < 4; c++) {
        d->class_vc[c] = (uint8_t)vc[c];
        d->class_packets[c] = two_packets[c] ? 2 : 1;
        d->room_asked[two_packets[c]] |= (uint8_t)(1u << vc[c]);
    }
    for (unsigned v = 0; v < d->vcs; v++)
        d->most_asked[v] =
            (d->room_asked[1] >> v & 1 ? 2 : d->room_asked[0] >> v & 1) * TORUS_MAX_CHUNKS;
}

static void derive_ports(const struct torus_params *p, struct torus_derived *d)
{
    static const uint8_t by_dimension[] = {0, 1, 2, 3, 4, 5}; /* x+ x- y+ y- z+ z- */
    static const uint8_t by_direction[] = {0, 2, 4, 1, 3, 5}; /* x+ y+ z+ x- y- z- */
    const uint8_t *order = p->escape_order == ORDER_DIMENSION ? by_dimension : by_direction;
    memcpy(d->escape_order, order, sizeof(d->escape_order));
    for (unsigned hint = 0; hint < 64; hint++)
        for (unsigned i = TORUS_PORTS; i-- > 0;)
            if (hint >> order[i] & 1) {
                d->escape_port[hint] = order[i];
                d->port_lanes[hint] |= (uint64_t)d->dynamic_mask << 8 * order[i];
            }
}

static void derive_vcs(const struct torus_params *p, struct torus_derived *d)
{
    for (unsigned v = 0; v < d->vcs && v < TORUS_VCS; v++) {
        bool dynamic = v < p->dynamic_vcs, high = v >= d->high_vc;
        bool bubble = high || (!dynamic && p->escape == ESCAPE_BUBBLE);
        uint32_t bytes = dynamic ? p->dynamic_vc_bytes
                         : high  ? p->high_vc_bytes
                                 : p->escape_vc_bytes;
        int32_t bypass = dynamic ? p->bypass_dynamic_bytes : p->bypass_escape_bytes;
        d->capacity[v] = (uint16_t)(bytes / TORUS_CHUNK_BYTES);
        d->bypass_chunks[v] = (int16_t)(bypass < 0 ? -1 : bypass / TORUS_CHUNK_BYTES);
        d->full_size[v] = bubble && p->bubble_rule == BUBBLE_FULL_SIZE;
        for (unsigned chunks = 0; chunks < 256; chunks++) {
            unsigned quarter = 4 * chunks / d->capacity[v];
            d->level[v][chunks] = (uint8_t)(quarter < 3 ? quarter : 3);
        }
    }
}

static weft_status check_vc(const char *key, uint32_t bytes, uint32_t least)
{
    if (bytes % TORUS_CHUNK_BYTES != 0 || bytes < least || bytes > 255 * TORUS_CHUNK_BYTES)
        return BAD_INPUT(key, ("%s = %u is not valid", key, bytes),
                         ("use a multiple of 32 from %u to %u", least, 255 * TORUS_CHUNK_BYTES));
    return WEFT_OK;
}

weft_status torus_params_derive(const struct torus_params *p, struct torus_derived *d)
{
    weft_status status;
    bool pair = p->escape == ESCAPE_DATELINE;
    uint32_t full = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES;
    memset(d, 0, sizeof(*d));
    if (p->dynamic_vcs && (status = check_vc("machine.router.dynamic_vc_bytes", p->dynamic_vc_bytes,
                                             full)) != WEFT_OK)
        return status;
    uint32_t escape_packets = p->escape == ESCAPE_BUBBLE ? 2 : 1;
    TRY(check_vc("machine.router.escape_vc_bytes", p->escape_vc_bytes, escape_packets * full));
    TRY(check_vc("machine.router.high_vc_bytes", p->high_vc_bytes, 2 * full));
    if (p->transfer_cycles + p->wire_cycles + p->pipeline_cycles + p->arbitration_cycles == 0)
        return BAD_INPUT("machine.router.wire_cycles", ("the stages of a hop take no time"),
                         ("give machine.router.wire_cycles or another stage at least 1"));

    d->escape_vc = p->dynamic_vcs;
    d->high_vc = p->dynamic_vcs + 1 + pair;
    d->vcs = d->high_vc + 1;
    d->lanes = d->vcs + 1;
    d->queues = TORUS_PORTS * d->lanes + TORUS_FIFOS;
    d->dynamic_mask = (uint8_t)((1u << p->dynamic_vcs) - 1);
    derive_classes(p, d);
    derive_ports(p, d);
    derive_vcs(p, d);

    uint32_t stages = p->wire_cycles + p->pipeline_cycles + p->arbitration_cycles;
    d->hop_cycles = p->transfer_cycles + stages;
    d->ack_cycles = p->transfer_cycles + p->ack_bytes + stages + p->request_cycles;
    uint32_t after = p->trailer_bytes + p->gap_bytes, delivery = d->hop_cycles + p->transfer_cycles;
    d->tail_cycles = after > delivery ? after - delivery : 0;
    for (uint32_t chunks = 1; chunks <= TORUS_MAX_CHUNKS; chunks++)
        d->slot_cycles[chunks] = chunks * TORUS_CHUNK_BYTES + p->trailer_bytes + p->gap_bytes;
    d->receiver_slq_cycles = (uint32_t)(p->receiver_slq_share * p->slq_period_cycles);
    d->sender_slq_cycles = (uint32_t)(p->sender_slq_share * p->slq_period_cycles);
    d->in_network = (uint32_t)(p->in_network_share * 65536);
    return WEFT_OK;
}

const char *torus_vc_name(const struct torus_params *p, unsigned vc)
{
    static const char *const dynamic[] = {"D0", "D1", "D2", "D3"};
    if (vc < p->dynamic_vcs)
        return dynamic[vc];
    if (p->escape != ESCAPE_DATELINE)
        return vc == p->dynamic_vcs ? "BN" : "BP";
    return vc == p->dynamic_vcs ? "EL" : vc == p->dynamic_vcs + 1 ? "EH" : "BP";
}
