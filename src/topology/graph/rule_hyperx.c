/* hyperx:8x8:4: all switches of a row linked with each other (Ahn et al. 2009); full:16:4: one row.
 */
#include "topology/graph/rules.h"

static weft_status make_hyperx(const char *text, const struct rule_numbers *sizes, uint32_t hosts,
                               struct graph *g)
{
    struct torus t = {.dims = sizes->count, .nodes = 1};
    uint64_t nodes = 1, ports = hosts;
    for (unsigned d = 0; d < t.dims; d++) {
        t.size[d] = sizes->value[d];
        nodes *= t.size[d];
        ports += t.size[d] - 1;
        if (nodes > GRAPH_MAX_NODES)
            return rule_too_many_switches(text);
    }
    if (ports > GRAPH_MAX_PORTS)
        return rule_too_many_ports(text, ports);
    t.nodes = (uint32_t)nodes;
    graph_init(g, t.nodes, (uint32_t)(ports - hosts));
    g->sorts = t.dims;
    for (unsigned d = 0; d < t.dims; d++) {
        g->sort_name[d] = t.dims == 1 ? "links" : rule_dimension_names[d];
        for (uint32_t node = 0; node < t.nodes; node++) {
            uint32_t at[TORUS_MAX_DIMS];
            torus_coordinates(&t, node, at);
            while (++at[d] < t.size[d])
                graph_join(g, node, torus_node(&t, at), (uint8_t)d, false);
        }
    }
    return rule_finish(g, text, t.nodes, hosts);
}

weft_status rule_hyperx(const char *text, const char *at, struct graph *g)
{
    struct rule_numbers sizes;
    uint32_t hosts;
    if (!rule_numbers(&at, 'x', &sizes) || !rule_more(&at, 1, &hosts) || *at)
        return BAD_INPUT(NULL, ("'%.60s' is not a HyperX", text),
                         ("use hyperx:SIZES:HOSTS, as hyperx:8x8:4"));
    if (sizes.count > TORUS_MAX_DIMS)
        return rule_too_many(text, "dimensions", TORUS_MAX_DIMS);
    return make_hyperx(text, &sizes, hosts, g);
}

weft_status rule_full(const char *text, const char *at, struct graph *g)
{
    struct rule_numbers sizes;
    uint32_t hosts;
    if (!rule_numbers(&at, '\0', &sizes) || !rule_more(&at, 1, &hosts) || *at)
        return BAD_INPUT(NULL, ("'%.60s' is not a full mesh", text),
                         ("use full:SWITCHES:HOSTS, as full:16:4"));
    return make_hyperx(text, &sizes, hosts, g);
}
