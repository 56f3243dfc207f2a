/* The keys of a torus machine, and the parameters derived from them. */
#include "fabric/torus/params.h"
#include "fabric/torus/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- derived parameters ---- */

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
                d->port_vcs[hint] |= (uint64_t)d->dynamic_mask << 8 * order[i];
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
    bool pair = p->escape == ESCAPE_DATELINE;
    uint32_t full = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES;
    memset(d, 0, sizeof(*d));
    if (p->dynamic_vcs)
        TRY(check_vc("machine.router.dynamic_vc_bytes", p->dynamic_vc_bytes, full));
    uint32_t escape_packets = p->escape == ESCAPE_BUBBLE ? 2 : 1;
    TRY(check_vc("machine.router.escape_vc_bytes", p->escape_vc_bytes, escape_packets * full));
    TRY(check_vc("machine.router.high_vc_bytes", p->high_vc_bytes, 2 * full));
    if (p->transfer_cycles + p->wire_cycles + p->pipeline_cycles + p->arbitration_cycles == 0)
        return BAD_INPUT("machine.router.wire_cycles", ("the stages of a hop take no time"),
                         ("give machine.router.wire_cycles or another stage at least 1"));

    d->escape_vc = p->dynamic_vcs;
    d->high_vc = p->dynamic_vcs + 1 + pair;
    d->vcs = d->high_vc + 1;
    d->receiver_queues = d->vcs + 1;
    d->queues = TORUS_PORTS * d->receiver_queues + TORUS_FIFOS;
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

/* ---- keys ---- */

#define AT(field) offsetof(struct torus_config, field)

static const char *const escapes[] = {"bubble", "dateline", "none", NULL};
static const char *const orders[] = {"dimension", "direction", NULL};
static const char *const bubble_rules[] = {"full_size", "actual_size", NULL};
static const char *const vc_choices[] = {"jsq", "random", NULL};

static const struct key rows[] = {
    {"machine.dims", KEY_OTHER, AT(torus), "", NULL, .format = &torus_dims_format,
     .help = "nodes along x, y and z"},
    {"machine.wrap", KEY_OTHER, AT(torus), "", NULL, .format = &torus_wrap_format,
     .help = "rings (true) or lines (false), for all dimensions or for each"},
    {"machine.dead_nodes", KEY_TEXT, AT(dead_nodes), "", NULL,
     .help = "as 1/2/3, joined by commas; software routes around them"},
    {"machine.dead_links", KEY_TEXT, AT(dead_links), "", NULL,
     .help = "node and direction as 1/2/3:x+ (dead both ways), joined by commas"},
    {"machine.software_header_bytes", KEY_U32, AT(software_header_bytes), "B", NULL, 0, 31,
     .help = "bytes of each packet that are not payload"},
    {"machine.link.mb_per_s", KEY_REAL, AT(router.link_mb_per_s), "MB/s", NULL, 1e-3, 1e9,
     .help = "link bandwidth, one way; one cycle is one byte time"},
    {"machine.link.trailer_bytes", KEY_U32, AT(router.trailer_bytes), "B", NULL, 0, 64,
     .help = "CRC and valid byte after a packet"},
    {"machine.link.gap_bytes", KEY_U32, AT(router.gap_bytes), "B", NULL, 0, 64,
     .help = "between packets"},
    {"machine.link.ack_bytes", KEY_U32, AT(router.ack_bytes), "B", NULL, 0, 64,
     .help = "acknowledgment with tokens"},
    ERRORS_KEYS(AT(router.link.protocol), AT(router.link.errors),
                "sequence numbers and retransmission", "packets and acknowledgments"),
    ERRORS_BAD_LINKS_KEY(AT(bad_links), "1/2/3:x+"),
    ERRORS_BAD_RATE_KEY(AT(router.link.errors)),
    {"machine.link.crc_bits", KEY_U32, AT(router.link.crc_bits), "bits", NULL, 0, 24,
     .help = "bits of the packet CRC that receivers check"},
    {"machine.link.retransmission_bytes", KEY_U32, AT(router.link.retransmission_bytes), "B", NULL,
     260, 65536, .help = "retransmission FIFO of each sender"},
    {"machine.link.timeout_cycles", KEY_U32, AT(router.link.timeout_cycles), "cycles", NULL, 64,
     65535, .help = "cycles without an acknowledgment before a sender resends everything"},
    {"machine.link.ack_delay_cycles", KEY_U32, AT(router.link.ack_delay_cycles), "cycles", NULL, 1,
     65535, .help = "cycles before a packet is acknowledged even if its space is not free"},
    {"machine.link.idle_ack_cycles", KEY_U32, AT(router.link.idle_ack_cycles), "cycles", NULL, 1,
     1 << 20, .help = "cycles before a lost acknowledgment is repeated on an idle link"},
    {"machine.router.transfer_cycles", KEY_U32, AT(router.transfer_cycles), "cycles", NULL, 0, 64,
     .help = "from receiver to sender"},
    {"machine.router.wire_cycles", KEY_U32, AT(router.wire_cycles), "cycles", NULL, 0, 256,
     .help = "serialiser, cable, deserialiser"},
    {"machine.router.pipeline_cycles", KEY_U32, AT(router.pipeline_cycles), "cycles", NULL, 0, 64,
     .help = "input pipeline"},
    {"machine.router.arbitration_cycles", KEY_U32, AT(router.arbitration_cycles), "cycles", NULL, 0,
     64, .help = "pipelined arbitration"},
    {"machine.router.request_cycles", KEY_U32, AT(router.request_cycles), "cycles", NULL, 0, 64,
     .help = "from a link or VC becoming free to the first request for it"},
    {"machine.router.vc_fifo_cycles", KEY_U32, AT(router.vc_fifo_cycles), "cycles", NULL, 0, 64,
     .help = "extra for a packet that enters a VC FIFO"},
    {"machine.router.dynamic_vcs", KEY_U32, AT(router.dynamic_vcs), "", NULL, 0, 4,
     .help = "dynamic virtual channels"},
    {"machine.router.dynamic_vc_bytes", KEY_U32, AT(router.dynamic_vc_bytes), "B", NULL, 0, 8160,
     .help = "buffer of each dynamic VC"},
    {"machine.router.escape_vc_bytes", KEY_U32, AT(router.escape_vc_bytes), "B", NULL, 0, 8160,
     .help = "buffer of each escape VC"},
    {"machine.router.high_vc_bytes", KEY_U32, AT(router.high_vc_bytes), "B", NULL, 0, 8160,
     .help = "buffer of the high priority VC"},
    {"machine.router.escape", KEY_CHOICE, AT(router.escape), "", NULL, .choices = escapes,
     .help = "what keeps the router free of deadlock; none: nothing does"},
    {"machine.router.escape_order", KEY_CHOICE, AT(router.escape_order), "", NULL,
     .choices = orders, .help = "order of hops on the escape VC, and of deterministic packets"},
    {"machine.router.dateline", KEY_TEXT, AT(dateline), "", NULL,
     .help = "of a dateline pair: after which coordinate of each dimension; highest; none"},
    {"machine.router.bubble_rule", KEY_CHOICE, AT(router.bubble_rule), "", NULL,
     .choices = bubble_rules,
     .help = "how packets on the bubble VC are accounted; actual_size can deadlock"},
    {"machine.router.paths", KEY_U32, AT(router.paths), "", NULL, 1, 4,
     .help = "paths from each receiver to the senders"},
    {"machine.router.vc_transfers", KEY_U32, AT(router.vc_transfers), "", NULL, 1, 6,
     .help = "packets that may leave a VC at the same time, each by a path or bus of its own"},
    {"machine.router.bypass_dynamic_bytes", KEY_I32, AT(router.bypass_dynamic_bytes), "B", NULL, -1,
     8160, .help = "a packet may bypass a dynamic VC that holds at most this; -1: never"},
    {"machine.router.bypass_escape_bytes", KEY_I32, AT(router.bypass_escape_bytes), "B", NULL, -1,
     8160, .help = "the same for escape and high priority VCs"},
    {"machine.router.vc_choice", KEY_CHOICE, AT(router.vc_choice), "", NULL, .choices = vc_choices,
     .help = "how a packet chooses direction and VC"},
    {"machine.router.receiver_slq_share", KEY_REAL, AT(router.receiver_slq_share), "", NULL, 0, 1,
     .help = "share of cycles in which a receiver serves its longest queue; else random"},
    {"machine.router.sender_slq_share", KEY_REAL, AT(router.sender_slq_share), "", NULL, 0, 1,
     .help = "the same for senders"},
    {"machine.router.slq_period_cycles", KEY_U32, AT(router.slq_period_cycles), "cycles", NULL, 1,
     65535, .help = "period in which SLQ cycles and random cycles alternate"},
    {"machine.router.in_network_share", KEY_REAL, AT(router.in_network_share), "", NULL, 0, 1,
     .help = "share of cycles in which packets in the network go before injection"},
    {"machine.router.arbitration_gap", KEY_BOOL, AT(router.arbitration_gap), "", NULL,
     .help = "the flaw that verification found: a one-cycle gap between two passes of a blocked "
             "receiver"},
    {"machine.node.injection_fifo_bytes", KEY_U32, AT(router.injection_fifo_bytes), "B", NULL, 0,
     1 << 20, .help = "each; 0: unbounded"},
    {"machine.node.reception_fifo_bytes", KEY_U32, AT(router.reception_fifo_bytes), "B", NULL, 0,
     8160, .help = "each; 0: unbounded"},
    {"run.bricks", KEY_TEXT, AT(bricks), "", "auto",
     .help = "cuts of each dimension into partitions, as 2x2x1; results do not depend on it"},
};

const struct key_section torus_section = {sizeof(struct torus_config)};
const struct key_table torus_keys = {rows, sizeof(rows) / sizeof(rows[0]), &torus_section};

/* ---- texts ---- */

static weft_status find_datelines(struct torus_config *c)
{
    const char *text = c->dateline;
    bool highest = strcmp(text, "highest") == 0, none = strcmp(text, "none") == 0;
    for (unsigned d = 0; d < c->torus.dims; d++) {
        char item[32], *end;
        c->router.dateline[d] = highest ? (int32_t)c->torus.size[d] - 1 : -1;
        if (highest || none)
            continue;
        text = text ? key_list_item(text, item) : NULL;
        long line = strtol(item, &end, 10);
        if (end == item || *end || line < 0 || line > UINT16_MAX ||
            !text != (d + 1 == c->torus.dims))
            return BAD_INPUT("machine.router.dateline",
                             ("machine.router.dateline = '%.60s' is not valid", c->dateline),
                             ("use highest, none, or a coordinate per dimension as 7,7,7"));
        c->router.dateline[d] = (int32_t)line;
    }
    return WEFT_OK;
}

/* Finds the one link that a text names. */
static bool find_link(const void *ctx, const char *text, uint32_t *node, uint32_t *port)
{
    const struct torus_config *c = ctx;
    struct torus_faults one;
    if (faults_parse(&c->torus, "none", text, &one) != WEFT_OK || one.links != 1)
        return false;
    *node = one.link[0].node;
    *port = one.link[0].port;
    return true;
}

static weft_status find_errors(struct torus_config *c)
{
    TRY(errors_parse_bad(c->bad_links, "1/2/3:x+", find_link, c, &c->router.link.errors));
    c->router.link.protocol |= errors_any(&c->router.link.errors);
    if (c->router.link.protocol && c->router.ack_bytes != 8)
        return BAD_INPUT("machine.link.ack_bytes",
                         ("machine.link.ack_bytes = %u: the link protocol has acknowledgments of 8",
                          c->router.ack_bytes),
                         ("use 8"));
    if (c->router.link.protocol && c->router.trailer_bytes != 4)
        return BAD_INPUT("machine.link.trailer_bytes",
                         ("machine.link.trailer_bytes = %u: the link protocol has trailers of 4",
                          c->router.trailer_bytes),
                         ("use 4"));
    return WEFT_OK;
}

weft_status torus_config_finish(struct torus_config *c)
{
    struct torus_derived derived;
    if (c->torus.dims > TORUS_ROUTER_DIMS)
        return BAD_INPUT(
            "machine.dims",
            ("machine.dims has %u dimensions; this router has links for 3", c->torus.dims),
            ("use at most %d, or a torus of switches, as -m torus-pod -s machine.graph=torus:%s",
             TORUS_ROUTER_DIMS, torus_text(&c->torus, (char[80]){0})));
    for (unsigned d = c->torus.dims; d < c->torus.wraps; d++)
        if (c->torus.wrap[d] != c->torus.wrap[d - 1])
            return BAD_INPUT("machine.wrap",
                             ("machine.wrap has %u values; machine.dims has %u dimensions",
                              c->torus.wraps, c->torus.dims),
                             ("use one for each, or one for all"));
    for (unsigned d = 0; d < c->torus.dims; d++)
        if (c->torus.size[d] > UINT16_MAX)
            return BAD_INPUT("machine.dims",
                             ("machine.dims = %u along a dimension is too large", c->torus.size[d]),
                             ("use at most 65535"));
    TRY(find_datelines(c));
    TRY(faults_parse(&c->torus, c->dead_nodes, c->dead_links, &c->faults));
    TRY(find_errors(c));
    return torus_params_derive(&c->router, &derived);
}
