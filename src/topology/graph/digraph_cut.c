/* A directed graph as one that can be cut: links count whichever way they lead. */
#include "topology/graph/cut.h"
#include "topology/graph/digraph.h"

void digraph_cut(const struct digraph *g, uint32_t parts, uint32_t *part)
{
    struct cut_graph c;
    cut_init(&c, g->nodes, 2 * g->links);
    for (uint32_t node = 0; node < g->nodes; node++) {
        cut_node(&c, node);
        for (size_t i = (size_t)node * g->degree; i < (size_t)(node + 1) * g->degree; i++) {
            if (g->to[i].node != DIGRAPH_NO_NODE)
                cut_link(&c, node, g->to[i].node);
            if (g->from[i].node != DIGRAPH_NO_NODE)
                cut_link(&c, node, g->from[i].node);
        }
    }
    cut(&c, parts, part);
    cut_fini(&c);
}
