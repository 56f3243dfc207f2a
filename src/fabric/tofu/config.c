/* The keys of a Tofu machine, and the parameters derived from them. */
#include "fabric/tofu/network.h"

#include <string.h>

/* ---- derived parameters ---- */

weft_status tofu_params_derive(const struct tofu_params *p, struct tofu_derived *d)
{
    *d = (struct tofu_derived){.hop_cycles = p->receive_cycles + p->route_cycles +
                                             p->switch_cycles + p->send_cycles + p->wire_cycles,
                               .control_cycles =
                                   1 + p->receive_cycles + p->send_cycles + p->wire_cycles,
                               .vc_lines = p->vc_bytes / TOFU_LINE_BYTES,
                               .retransmission_lines = p->retransmission_bytes / TOFU_LINE_BYTES};
    if (!d->hop_cycles)
        return BAD_INPUT("machine.router.switch_cycles machine.link.wire_cycles",
                         ("a hop takes no time"),
                         ("use machine.router.switch_cycles or machine.link.wire_cycles above 0"));
    if (p->vc_bytes % TOFU_LINE_BYTES || d->vc_lines < TOFU_MAX_LINES)
        return BAD_INPUT("machine.router.vc_bytes",
                         ("machine.router.vc_bytes = %u does not hold a packet of %d", p->vc_bytes,
                          TOFU_MAX_LINES * TOFU_LINE_BYTES),
                         ("use a multiple of %d from there on", TOFU_LINE_BYTES));
    if (p->retransmission_bytes % TOFU_LINE_BYTES || d->retransmission_lines < TOFU_MAX_LINES)
        return BAD_INPUT("machine.link.retransmission_bytes",
                         ("machine.link.retransmission_bytes = %u does not hold a packet of %d",
                          p->retransmission_bytes, TOFU_MAX_LINES * TOFU_LINE_BYTES),
                         ("use a multiple of %d from there on", TOFU_LINE_BYTES));
    return WEFT_OK;
}

const char *tofu_vc_name(unsigned vc)
{
    static const char *const names[TOFU_VCS] = {"C0", "C1", "I0", "I1"};
    return names[vc];
}

/* ---- keys ---- */

#define AT(field) offsetof(struct tofu_config, field)

static const char *const arbiters[] = {"transit", "turns", NULL};

static const struct key rows[] = {
    {"machine.dims", KEY_OTHER, AT(shape), "", NULL, .format = &torus_dims_format,
     .help = "nodes along x, y, z, a, b and c; the last three are 2x3x2"},
    {"machine.wrap", KEY_OTHER, AT(shape), "", NULL, .format = &torus_wrap_format,
     .help = "rings (true) or lines (false), for x, y and z; a and c are lines, b is a ring"},
    {"machine.io_plane", KEY_BOOL, AT(io_plane), "", NULL,
     .help = "nodes with z = 0 are I/O nodes, whose packets use the other group of channels"},
    {"machine.dead_nodes", KEY_TEXT, AT(dead_nodes), "", NULL,
     .help = "as 1/2/3/0/1/0 (x, y, z, a, b and c), joined by commas; software routes around them"},
    {"machine.dead_boards", KEY_TEXT, AT(dead_boards), "", NULL,
     .help = "system boards of four nodes, as 1/2/3/2 (x, y, z and b), joined by commas"},
    {"machine.dead_groups", KEY_TEXT, AT(dead_groups), "", NULL,
     .help = "node groups of twelve, as 1/2/3 (x, y and z), joined by commas"},
    {"machine.dead_links", KEY_TEXT, AT(dead_links), "", NULL,
     .help = "node and port as 1/2/3/0/1/0:x+ (dead both ways), joined by commas"},
    {"machine.swap", KEY_TEXT, AT(swap), "", NULL,
     .help = "out of service for a time: a node as 1/2/3/0/1/0@1000-5000, a board as "
             "1/2/3/2@1000-5000 or a group as 1/2/3@1000- with no end (cycles), with fail: before "
             "it if it fails; joined by commas"},
    {"machine.link.mb_per_s", KEY_REAL, AT(router.link_mb_per_s), "MB/s", NULL, 1e-3, 1e9,
     .help = "link bandwidth, one way; one cycle is a line of 8 bytes"},
    {"machine.link.wire_cycles", KEY_U32, AT(router.wire_cycles), "cycles", NULL, 0, 100000,
     .help = "cable"},
    {"machine.link.retransmission_bytes", KEY_U32, AT(router.retransmission_bytes), "B", NULL, 2048,
     1 << 19, .help = "retransmission buffer of each link"},
    {"machine.link.control_lines", KEY_U32, AT(router.control_lines), "lines", NULL, 0, 16,
     .help =
         "on the way back for each packet: acknowledgment and credit; with the link protocol, one "
         "of each"},
    {"machine.link.refresh_cycles", KEY_U32, AT(router.refresh_cycles), "cycles", NULL, 1, 1 << 20,
     .help = "after which a control line that was lost is repeated"},
    ERRORS_KEYS(AT(router.protocol), AT(router.errors), "numbers and retransmission",
                "packets and control lines"),
    ERRORS_BAD_LINKS_KEY(AT(bad_links), "1/2/3/0/1/0:x+"),
    ERRORS_BAD_RATE_KEY(AT(router.errors)),
    {"machine.router.receive_cycles", KEY_U32, AT(router.receive_cycles), "cycles", NULL, 0, 1024,
     .help = "deserialiser and input of a router"},
    {"machine.router.route_cycles", KEY_U32, AT(router.route_cycles), "cycles", NULL, 0, 1024,
     .help = "choice of an output"},
    {"machine.router.switch_cycles", KEY_U32, AT(router.switch_cycles), "cycles", NULL, 0, 1024,
     .help = "arbitration and crossbar"},
    {"machine.router.send_cycles", KEY_U32, AT(router.send_cycles), "cycles", NULL, 0, 1024,
     .help = "output and serialiser"},
    {"machine.router.vc_bytes", KEY_U32, AT(router.vc_bytes), "B", NULL, 2048, 1 << 18,
     .help = "receive buffer of each virtual channel"},
    {"machine.router.vcs", KEY_U32, AT(router.vcs), "", NULL, 1, TOFU_VCS,
     .help = "virtual channels: two for computing, two for I/O; with fewer, some share one"},
    {"machine.router.arbiter", KEY_CHOICE, AT(router.arbiter), "", NULL, .choices = arbiters,
     .help = "transit: packets under way before those that engines inject; turns: all in turn"},
    {"machine.router.compute_order", KEY_TEXT, AT(compute_order), "", NULL,
     .help = "order of x, y and z in the channels that compute nodes use"},
    {"machine.router.io_order", KEY_TEXT, AT(io_order), "", NULL,
     .help = "order of x, y and z in the channels that I/O nodes use"},
    {"run.bricks", KEY_TEXT, AT(bricks), "", "auto",
     .help = "cuts of each axis into partitions, as 2x2x1x1x1x1; results do not depend on it"},
};

const struct key_section tofu_section = {sizeof(struct tofu_config)};
const struct key_table tofu_keys = {rows, sizeof(rows) / sizeof(rows[0]), &tofu_section};

static weft_status check_order(const char *key, const char *text)
{
    bool right = strlen(text) == 3 && strchr(text, 'x') && strchr(text, 'y') && strchr(text, 'z');
    if (!right)
        return BAD_INPUT(key, ("%s = '%.60s' is no order of x, y and z", key, text),
                         ("use each of them once, as in zxy"));
    return WEFT_OK;
}

static bool find_link(const void *ctx, const char *text, uint32_t *node, uint32_t *port)
{
    return tofu_find_link(&((const struct tofu_config *)ctx)->shape, text, node, port);
}

weft_status tofu_config_finish(struct tofu_config *c)
{
    struct tofu_derived derived;
    struct tofu_fault_texts texts = {c->dead_nodes, c->dead_boards, c->dead_groups, c->dead_links};
    TRY(tofu_shape_finish(&c->shape));
    TRY(check_order("machine.router.compute_order", c->compute_order));
    TRY(check_order("machine.router.io_order", c->io_order));
    TRY(tofu_faults_parse(&c->shape, &texts, &c->faults));
    if (c->faults.nodes == c->shape.nodes)
        return BAD_INPUT("machine.dead_nodes machine.dead_boards machine.dead_groups",
                         ("no node is alive"), ("name fewer"));
    TRY(tofu_swaps_parse(&c->shape, &c->faults, c->swap, &c->swaps));
    TRY(errors_parse_bad(c->bad_links, "1/2/3/0/1/0:x+", find_link, c, &c->router.errors));
    TRY(tofu_params_derive(&c->router, &derived));
    /* If a retransmission buffer can be full while acknowledgments are under way, packets that
     * leave without a pause would have to wait for them, which only the protocol knows. */
    uint32_t under_way = derived.hop_cycles + derived.control_cycles + 2 * TOFU_MAX_LINES;
    c->router.protocol |= errors_any(&c->router.errors) || under_way > derived.retransmission_lines;
    return WEFT_OK;
}

static void parse_order(const char *text, uint8_t order[3])
{
    for (unsigned i = 0; i < 3; i++)
        order[i] = (uint8_t)(text[i] - 'x');
}

struct tofu_routing tofu_config_routing(const struct tofu_config *c)
{
    struct tofu_routing r = {.shape = &c->shape, .faults = &c->faults, .io_plane = c->io_plane};
    parse_order(c->compute_order, r.order[TOFU_GROUP_COMPUTE]);
    parse_order(c->io_order, r.order[TOFU_GROUP_IO]);
    return r;
}
