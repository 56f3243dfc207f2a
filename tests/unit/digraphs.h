/* What the tests of directed graphs share: graphs made in one line, and plain searches. */
#ifndef WEFT_TESTS_DIGRAPHS_H
#define WEFT_TESTS_DIGRAPHS_H

#include "testing.h"

#include "base/random.h"
#include "topology/graph/digraph.h"

static inline struct digraph make(const char *text)
{
    struct digraph g;
    if (digraph_parse(text, &g) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    return g;
}

static inline struct digraph read_graph(const char *text)
{
    struct digraph g;
    if (digraph_read_text("g", text, strlen(text), &g) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    return g;
}

static inline uint32_t next_node(const struct digraph *g, uint32_t node, uint32_t port)
{
    return g->to[node * g->degree + port].node;
}

/* Hops from a node to all others, forwards. */
static inline void search(const struct digraph *g, uint32_t from, uint32_t *hops)
{
    uint32_t *queue = malloc(g->nodes * sizeof(*queue)), head = 0, tail = 0;
    memset(hops, 0xff, g->nodes * sizeof(*hops));
    hops[from] = 0;
    for (queue[tail++] = from; head < tail; head++)
        for (uint32_t port = 0; port < g->degree; port++) {
            uint32_t next = next_node(g, queue[head], port);
            if (next != DIGRAPH_NO_NODE && hops[next] == UINT32_MAX) {
                hops[next] = hops[queue[head]] + 1;
                queue[tail++] = next;
            }
        }
    free(queue);
}

/* An irregular graph with many ties: 0 and 5 are joined by three ways of two hops. */
static const char irregular[] = "0: 1 2 3\n1: 5 0\n2: 5\n3: 5 4\n4: 0\n5: 6 4\n6: 0 7\n7: 6\n";

static inline void check_tables(const struct digraph *g)
{
    uint64_t links = 0;
    for (uint32_t node = 0; node < g->nodes; node++)
        for (uint32_t port = 0; port < g->degree; port++) {
            struct digraph_end to = g->to[node * g->degree + port];
            struct digraph_end from = g->from[node * g->degree + port];
            if (to.node != DIGRAPH_NO_NODE) {
                links++;
                assert_int_equal(g->from[to.node * g->degree + to.port].node, node);
                assert_int_equal(g->from[to.node * g->degree + to.port].port, port);
                assert_int_equal(digraph_port(g, node, to.node), port);
                assert_int_not_equal(to.node, node);
            }
            if (from.node != DIGRAPH_NO_NODE)
                assert_int_equal(g->to[from.node * g->degree + from.port].node, node);
        }
    assert_int_equal(links, g->links);
}

#endif
