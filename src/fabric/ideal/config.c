/* The keys of an ideal network, and its distances. */
#include "fabric/ideal/network.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/memory.h"

#define AT(field) offsetof(struct ideal_config, field)

static const struct key rows[] = {
    {"machine.nodes", KEY_U32, AT(nodes_given), "", NULL, 0, IDEAL_NODES_MOST,
     .help = "number of nodes; 0: as many as machine.topology has"},
    {"machine.topology", KEY_TEXT, AT(topology), "", NULL,
     .help = "for distances: none, torus:8x8x8, mesh:8x8x8, kautz:3:6, or a graph file (graphs: at "
             "most 16384 nodes)"},
    {"machine.latency_ns", KEY_REAL, AT(latency_ns), "ns", NULL, 1, 1e9,
     .help = "from the sender's port to the receiver's (L)"},
    {"machine.hop_ns", KEY_REAL, AT(hop_ns), "ns", NULL, 0, 1e9,
     .help = "extra for each hop of machine.topology"},
    {"machine.payload_bytes", KEY_U32, AT(packet_bytes), "B", NULL, 1, 65536,
     .help = "size of a full packet, in patterns of packets; messages stay whole"},
    {"run.partitions", KEY_U32, AT(partitions), "", "0", 0, 4096,
     .help = "0: by the number of threads; results do not depend on it"},
};

const struct key_section ideal_section = {sizeof(struct ideal_config)};
const struct key_table ideal_keys = {rows, sizeof(rows) / sizeof(rows[0]), &ideal_section};

/* The nodes of the topology, or 0 if it has none. */
static weft_status read_topology(const char *text, struct torus *torus, struct graph *graph)
{
    bool wrap = strncmp(text, "torus:", 6) == 0, grid = wrap || strncmp(text, "mesh:", 5) == 0;
    const char *sizes = text + (wrap ? 6 : 5);
    if (strcmp(text, "none") == 0)
        return WEFT_OK;
    if (!grid)
        return network_blame_key(graph_parse_direct(text, graph), "machine.topology");
    weft_status status = network_blame_key(torus_parse(sizes, torus), "machine.topology");
    for (unsigned d = 0; d < torus->dims; d++)
        torus->wrap[d] = wrap;
    return status;
}

weft_status ideal_config_finish(struct ideal_config *c)
{
    struct torus torus = {.dims = 0};
    struct graph graph = {.nodes = 0};
    TRY(read_topology(c->topology, &torus, &graph));
    uint32_t nodes = torus.dims ? torus.nodes : graph.nodes;
    bool is_graph = graph.nodes > 0;
    graph_fini(&graph);
    if (is_graph && nodes > IDEAL_GRAPH_NODES)
        return BAD_INPUT(
            "machine.topology",
            ("machine.topology has %u nodes: too many for a table of distances", nodes),
            ("use at most %d", IDEAL_GRAPH_NODES));
    if (nodes > IDEAL_NODES_MOST)
        return BAD_INPUT("machine.topology", ("machine.topology has %u nodes", nodes),
                         ("use at most %d", IDEAL_NODES_MOST));
    if (nodes && c->nodes_given && c->nodes_given != nodes)
        return BAD_INPUT("machine.nodes machine.topology",
                         ("machine.nodes = %u: machine.topology has %u", c->nodes_given, nodes),
                         ("use machine.nodes = 0, or the same number"));
    c->nodes = nodes ? nodes : c->nodes_given;
    if (!c->nodes)
        return BAD_INPUT("machine.nodes machine.topology", ("the machine has no nodes"),
                         ("set machine.nodes or machine.topology"));
    return WEFT_OK;
}

/* ---- distances ---- */

static void measure_graph(struct ideal_topology *t)
{
    uint32_t *hops = memory_alloc(t->nodes, sizeof(*hops));
    uint32_t *queue = memory_alloc(t->nodes, sizeof(*queue));
    t->hops = memory_alloc((size_t)t->nodes * t->nodes, 1);
    for (uint32_t to = 0; to < t->nodes; to++) {
        graph_hops(&t->graph, to, hops, queue);
        for (uint32_t from = 0; from < t->nodes; from++)
            t->hops[(size_t)to * t->nodes + from] = (uint8_t)hops[from];
        protected_call_poll();
    }
    free(queue);
    free(hops);
}

weft_status ideal_topology_init(struct ideal_topology *t, const struct ideal_config *c)
{
    *t = (struct ideal_topology){.nodes = c->nodes};
    TRY(read_topology(c->topology, &t->torus, &t->graph));
    t->diameter = t->torus.dims ? torus_diameter(&t->torus) : t->nodes > 1;
    if (!t->graph.nodes)
        return WEFT_OK;
    struct graph_survey survey = graph_survey(&t->graph);
    if (!survey.connected)
        return BAD_INPUT("machine.topology",
                         ("machine.topology has no route from node %u to node %u", survey.cut_from,
                          survey.cut_to),
                         ("use a graph in which every node reaches every other"));
    if (survey.diameter > UINT8_MAX)
        return BAD_INPUT("machine.topology",
                         ("machine.topology has a diameter of %u hops", survey.diameter),
                         ("use a graph of at most %d, a torus or a mesh", UINT8_MAX));
    t->diameter = survey.diameter;
    measure_graph(t);
    return WEFT_OK;
}

void ideal_topology_fini(struct ideal_topology *t)
{
    graph_fini(&t->graph);
    free(t->hops);
}

uint32_t ideal_distance(const struct ideal_topology *t, uint32_t from, uint32_t to)
{
    if (t->torus.dims)
        return torus_distance(&t->torus, from, to);
    if (t->hops)
        return t->hops[(size_t)to * t->nodes + from];
    return from != to;
}
