/* What the tests of graphs share: graphs made in one line, and plain searches. */
#ifndef WEFT_TESTS_GRAPHS_H
#define WEFT_TESTS_GRAPHS_H

#include "testing.h"

#include "base/random.h"
#include "topology/graph/routes.h"

static inline struct graph make(const char *text)
{
    struct graph g;
    if (graph_parse_direct(text, &g) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    return g;
}

static inline struct graph make_switches(const char *text)
{
    struct graph g;
    if (graph_parse_switches(text, &g) != WEFT_OK)
        fail_msg("%s: %s", text, weft_last_error());
    return g;
}

static inline struct graph read_graph(const char *text)
{
    struct graph g;
    if (graph_read_text("g", text, strlen(text), &g) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    return g;
}

static inline uint32_t next_node(const struct graph *g, uint32_t node, uint32_t port)
{
    return g->to[node * g->degree + port].node;
}

/* Hops from a node to all others, forwards. */
static inline void search(const struct graph *g, uint32_t from, uint32_t *hops)
{
    uint32_t *queue = malloc(g->nodes * sizeof(*queue)), head = 0, tail = 0;
    memset(hops, 0xff, g->nodes * sizeof(*hops));
    hops[from] = 0;
    for (queue[tail++] = from; head < tail; head++)
        for (uint32_t port = 0; port < g->degree; port++) {
            uint32_t next = next_node(g, queue[head], port);
            if (next != GRAPH_NONE && hops[next] == UINT32_MAX) {
                hops[next] = hops[queue[head]] + 1;
                queue[tail++] = next;
            }
        }
    free(queue);
}

/* An irregular graph with many ties: 0 and 5 are joined by three ways of two hops. */
static const char irregular[] = "0: 1 2 3\n1: 5 0\n2: 5\n3: 5 4\n4: 0\n5: 6 4\n6: 0 7\n7: 6\n";

static inline void check_tables(const struct graph *g)
{
    uint64_t links = 0;
    for (uint32_t node = 0; node < g->nodes; node++)
        for (uint32_t port = 0; port < g->degree; port++) {
            struct graph_end to = g->to[node * g->degree + port];
            struct graph_end from = g->from[node * g->degree + port];
            if (to.node != GRAPH_NONE) {
                links++;
                assert_int_equal(g->from[to.node * g->degree + to.port].node, node);
                assert_int_equal(g->from[to.node * g->degree + to.port].port, port);
                assert_int_equal(graph_port(g, node, to.node), port);
                assert_int_not_equal(to.node, node);
            }
            if (from.node != GRAPH_NONE)
                assert_int_equal(g->to[from.node * g->degree + from.port].node, node);
        }
    assert_int_equal(links, g->links);
}

/* Both ends of every link know each other, and agree. */
static inline void check_ends(const struct graph *g)
{
    uint64_t links = 0;
    for (uint32_t node = 0; node < g->nodes; node++)
        for (unsigned port = 0; port < g->degree; port++) {
            const struct graph_end *e = &g->to[(size_t)node * g->degree + port];
            assert_int_equal(e->node != GRAPH_NONE, port < g->ports[node]);
            if (e->node == GRAPH_NONE)
                continue;
            const struct graph_end *back = &g->to[(size_t)e->node * g->degree + e->port];
            assert_int_equal(back->node, node);
            assert_int_equal(back->port, port);
            assert_int_equal(back->sort, e->sort);
            assert_int_equal(back->wraps, e->wraps);
            links++;
        }
    assert_int_equal(links, g->links);
    for (uint32_t host = 0; host < g->hosts; host++) {
        uint32_t node = g->host_switch[host];
        assert_true(host >= g->first_host[node] && host < g->first_host[node + 1]);
    }
}

#endif
