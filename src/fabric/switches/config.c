/* The keys of a network of switches. */
#include "fabric/switches/network.h"

#define AT(field) offsetof(struct switches_config, field)

static const char *const choices[] = {"adaptive", "fixed", NULL};
static const char *const vias[] = {"auto", "group", "switch", NULL};
static const char *const rules[] = {"auto", "hop", "global", "dateline", "single", NULL};
static const char *const too_few[] = {"refuse", "last", NULL};
static const char *const arbiters[] = {"oldest", "rotating", "fixed", NULL};

static const struct key rows[] = {
    {"machine.graph", KEY_TEXT, AT(graph), "", NULL,
     .help = "dragonfly:HOSTS:SWITCHES:LINKS[:GROUPS], fattree:PORTS:LEVELS, "
             "xgft:M1,M2,...:1,W2,..., hyperx:SIZES:HOSTS, full:SWITCHES:HOSTS, "
             "torus:SIZES[:TWISTS], mesh:SIZES, or a file with one line `SWITCH HOSTS: TO TO ...` "
             "per switch"},
    {"machine.link.mb_per_s", KEY_REAL, AT(params.mb_per_s), "MB/s", NULL, 1, 1e9,
     .help = "bandwidth of a link, each way"},
    {"machine.link.word_bytes", KEY_U32, AT(params.word_bytes), "B", NULL, 1, 4096,
     .help = "what a link moves in a cycle: a cycle is word_bytes / mb_per_s"},
    {"machine.link.overhead_words", KEY_U32, AT(params.overhead_words), "words", NULL, 0, 64,
     .help = "of a packet on a link, besides its payload"},
    {"machine.link.wire_cycles", KEY_U32, AT(params.wire_cycles), "cycles", NULL, 1, 60000,
     .help = "along a link between switches"},
    {"machine.link.long_wire_cycles", KEY_U32, AT(params.long_wire_cycles), "cycles", NULL, 1,
     60000, .help = "along a global link of a dragonfly"},
    {"machine.host.lanes", KEY_U32, AT(params.lanes), "", NULL, 1, SWITCHES_LANES,
     .help =
         "links between a host and its switch, each with the bandwidth of a link and an engine; "
         "if there is one for each link of the switch, and routes are minimal, packets use the "
         "lane with the number of the link that they leave by"},
    {"machine.host.wire_cycles", KEY_U32, AT(params.host_wire_cycles), "cycles", NULL, 1, 60000,
     .help = "along such a link"},
    {"machine.switch.cycles", KEY_U32, AT(params.switch_cycles), "cycles", NULL, 0, 60000,
     .help = "from input to output of a switch, without contention"},
    {"machine.switch.vcs", KEY_U32, AT(params.vcs), "", NULL, 1, SWITCHES_VCS,
     .help = "virtual channels of each link"},
    {"machine.switch.vc_words", KEY_U32, AT(params.vc_words), "words", NULL, 1, 65535,
     .help = "of each virtual channel of an input"},
    {"machine.switch.output_words", KEY_U32, AT(params.output_words), "words", NULL, 0, 65535,
     .help = "that may wait at an output for its link; used with a speedup above 1"},
    {"machine.switch.speedup", KEY_REAL, AT(params.speedup), "", NULL, 1, 64,
     .help = "of the crossbar against a link"},
    {"machine.switch.arbiter", KEY_CHOICE, AT(params.arbiter), "", NULL, .choices = arbiters,
     .help =
         "of an output: oldest, the head that has waited longest; rotating, those behind the last "
         "winner first; fixed, the lowest VC and input first, which starves others"},
    {"machine.switch.transit_first", KEY_BOOL, AT(params.transit_first), "", NULL,
     .help = "with arbiter oldest: packets that come by links go before those of a switch's own "
             "hosts, which keeps an overloaded network moving"},
    {"machine.routing.algorithm", KEY_CHOICE, AT(params.algorithm), "", NULL,
     .rows = &routing_rules[0].choice, .row_size = sizeof(routing_rules[0]), .help = ""},
    {"machine.routing.choice", KEY_CHOICE, AT(params.choice), "", NULL, .choices = choices,
     .help = "among the ports of minimal routes: adaptive takes the emptiest that is open, fixed "
             "always the same for a pair of hosts"},
    {"machine.routing.via", KEY_CHOICE, AT(params.via), "", NULL, .choices = vias,
     .help = "what detours lead through; auto: a group, if there are groups. On a dragonfly, "
             "switch needs vc_rule hop: with global, two hops within a group share a VC and can "
             "deadlock"},
    {"machine.routing.vc_rule", KEY_CHOICE, AT(params.vc_rule), "", NULL, .choices = rules,
     .help = "what a packet's VCs depend on: hop, the hops made; global, the global links behind "
             "it; dateline, whether it has gone around its ring; single, nothing. auto: dateline "
             "on tori, global on dragonflies, single on fat trees, otherwise hop"},
    {"machine.routing.too_few_vcs", KEY_CHOICE, AT(params.too_few_vcs), "", NULL,
     .choices = too_few,
     .help = "if routes need more VCs than there are: refuse, or let packets stay on the last "
             "VC, which can deadlock"},
    {"machine.routing.ring_words", KEY_U32, AT(params.ring_words), "words", NULL, 0, 65535,
     .help = "tori, adaptive: words of a virtual channel that stay free when a packet enters a "
             "ring, so that an overloaded ring keeps moving"},
    {"machine.routing.bias_words", KEY_U32, AT(params.bias_words), "words", NULL, 0, 1e6,
     .help = "ugal: how much longer a minimal route's queue may be before a detour is taken"},
    {"machine.routing.bias_trips", KEY_REAL, AT(params.bias_trips), "round trips", NULL, 0, 1e3,
     .help = "ugal: and by how many words more, in round trips over the link: credits that are "
             "under way look like a queue"},
    {"run.partitions", KEY_U32, AT(partitions), "", "0", 0, 4096,
     .help = "partitions of the switches; 0: by the number of threads; results do not depend on "
             "it"},
};

const struct key_section switches_section = {sizeof(struct switches_config)};
const struct key_table switches_keys = {rows, sizeof(rows) / sizeof(rows[0]), &switches_section};

weft_status switches_config_graph(const struct switches_config *c, struct graph *g)
{
    return network_blame_key(graph_parse_switches(c->graph, g), "machine.graph");
}

/* Every switch has enough ports for its hosts' lanes. */
static weft_status check_lanes(const struct switches_config *c, const struct graph *g)
{
    for (uint32_t node = 0; node < g->nodes; node++) {
        uint32_t ports = switches_ports(&c->params, g, node);
        if (ports > GRAPH_MAX_PORTS)
            return BAD_INPUT("machine.host.lanes machine.graph",
                             ("machine.host.lanes = %u: switch %u would need %u ports",
                              c->params.lanes, node, ports),
                             ("use at most %d", GRAPH_MAX_PORTS));
    }
    return WEFT_OK;
}

weft_status switches_config_finish(struct switches_config *c, uint32_t packet_bytes)
{
    struct graph g;
    weft_status status = switches_config_graph(c, &g);
    if (status == WEFT_OK)
        status = check_lanes(c, &g);
    c->hosts = g.hosts;
    c->switches = g.nodes;
    graph_fini(&g);
    if (status != WEFT_OK)
        return status;
    uint32_t words = switches_words(&c->params, packet_bytes);
    if (c->params.ring_words && words + c->params.ring_words > c->params.vc_words)
        return BAD_INPUT(
            "machine.routing.ring_words",
            ("machine.routing.ring_words = %u leave no room for a full packet of %u in "
             "machine.switch.vc_words = %u",
             c->params.ring_words, words, c->params.vc_words),
            ("use fewer"));
    if (words > c->params.vc_words)
        return BAD_INPUT(
            "machine.switch.vc_words machine.adapter.payload_bytes",
            ("machine.switch.vc_words = %u, but a full packet has %u", c->params.vc_words, words),
            ("use %s",
             words > UINT16_MAX ? "a smaller machine.adapter.payload_bytes" : "that many or more"));
    return WEFT_OK;
}
