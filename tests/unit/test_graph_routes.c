/* Routes walked link by link, their lengths against plain searches, and sets of disjoint routes
 * against trying all. */
#include "group.h"
#include "graphs.h"

/* Walks over living links; marks the nodes between the ends, none of which is marked already. */
static void walk(const struct graph *g, uint32_t from, uint32_t to, const struct graph_route *route,
                 bool *marked)
{
    uint32_t node = from;
    for (uint32_t hop = 0; hop < route->hops; hop++) {
        assert_true(route->port[hop] < g->degree);
        node = next_node(g, node, route->port[hop]);
        assert_true(node < g->nodes);
        if (hop + 1 == route->hops)
            break;
        assert_true(node != from && node != to && !marked[node]);
        marked[node] = true;
    }
    assert_int_equal(node, to);
}

static void check_shortest_routes(const struct graph *g)
{
    uint32_t *hops = malloc(g->nodes * sizeof(*hops));
    bool *marked = malloc(g->nodes);
    struct graph_routes tables;
    struct graph_route route;
    assert_int_equal(graph_routes_init(&tables, g), WEFT_OK);
    for (uint32_t from = 0; from < g->nodes; from++) {
        search(g, from, hops);
        for (uint32_t to = 0; to < g->nodes; to++) {
            bool found = graph_route(&tables, from, to, &route);
            assert_int_equal(found, from != to && hops[to] <= GRAPH_ROUTE_HOPS);
            memset(marked, 0, g->nodes);
            if (found) {
                walk(g, from, to, &route, marked);
                assert_int_equal(route.hops, hops[to]);
            }
        }
    }
    graph_routes_fini(&tables);
    free(hops);
    free(marked);
}

/* A tree has every other living node once, nearest first, and the first port of its route. */
static void check_trees(const struct graph *g)
{
    uint32_t *hops = malloc(g->nodes * sizeof(*hops)), *queue = malloc(g->nodes * sizeof(*queue));
    struct graph_routes tables;
    struct graph_route route;
    struct graph_trees trees;
    assert_int_equal(graph_routes_init(&tables, g), WEFT_OK);
    graph_trees_init(&trees, &tables);
    for (uint32_t to = 0; to < g->nodes; to++) {
        uint32_t far = 1;
        if (g->dead[to])
            continue;
        graph_trees_to(&trees, to);
        graph_hops(g, to, hops, queue);
        assert_int_equal(trees.count, g->nodes - g->dead_nodes - 1);
        for (uint32_t i = 0; i < trees.count; i++) {
            uint32_t node = trees.order[i];
            assert_true(hops[node] >= far && hops[node] != UINT32_MAX);
            far = hops[node];
            hops[node] = UINT32_MAX;
            assert_true(graph_route(&tables, node, to, &route));
            assert_int_equal(trees.port[node], route.port[0]);
        }
    }
    graph_trees_fini(&trees);
    graph_routes_fini(&tables);
    free(hops);
    free(queue);
}

static void tables_hold_shortest_routes(void **state)
{
    (void)state;
    struct graph g = make("kautz:3:4"), ties = read_graph(irregular);
    check_shortest_routes(&ties);
    check_shortest_routes(&g);
    graph_kill_node(&g, 10);
    graph_kill_link(&g, 77, 0);
    check_shortest_routes(&g);
    check_trees(&g);
    check_trees(&ties);
    graph_fini(&g);
    graph_fini(&ties);
}

static void ties_are_spread(void **state)
{
    (void)state;
    enum { WAYS = 4, ENDS = 56 };
    struct graph g; /* 0 leads to 1..4, each of them to 5, whence a line leads back to 0 */
    struct graph_routes tables;
    unsigned taken[WAYS] = {0};
    graph_init(&g, 6 + ENDS, WAYS);
    for (uint32_t way = 1; way <= WAYS; way++) {
        graph_connect(&g, 0, way);
        graph_connect(&g, way, 5);
    }
    for (uint32_t end = 0; end < ENDS; end++)
        graph_connect(&g, 5 + end, 6 + end);
    graph_connect(&g, 5 + ENDS, 0);
    assert_int_equal(graph_finish(&g, "g", NULL), WEFT_OK);
    assert_int_equal(graph_routes_init(&tables, &g), WEFT_OK);
    for (uint32_t end = 0; end < ENDS; end++)
        taken[graph_route_port(&tables, 0, 6 + end)]++;
    for (unsigned way = 0; way < WAYS; way++)
        assert_in_range(taken[way], 8, 24);
    graph_routes_fini(&tables);
    graph_fini(&g);
}

static uint32_t check_disjoint(const struct graph *g, uint32_t from, uint32_t to, uint32_t most,
                               uint32_t *longest)
{
    struct graph_route route[GRAPH_ONE_WAY_LINKS];
    bool *marked = calloc(g->nodes, 1);
    uint32_t count = graph_disjoint_routes(g, from, to, most, route), total = 0;
    assert_true(count <= most);
    for (uint32_t i = 0; i < count; i++) {
        walk(g, from, to, &route[i], marked);
        total += route[i].hops;
        if (i > 0) {
            assert_true(route[i].hops >= route[i - 1].hops);
            assert_int_not_equal(route[i].port[0], route[i - 1].port[0]);
        }
    }
    free(marked);
    *longest = count ? route[count - 1].hops : 0;
    return count ? total << 8 | count : 0;
}

static void all_pairs_have_three_disjoint_routes(void **state)
{
    (void)state;
    struct graph g = make("kautz:3:4");
    uint32_t hops[108], longest;
    struct graph_route route[3];
    for (uint32_t from = 0; from < g.nodes; from++) {
        search(&g, from, hops);
        for (uint32_t to = 0; to < g.nodes; to++) {
            uint32_t found = check_disjoint(&g, from, to, 3, &longest);
            assert_int_equal(found & 0xff, from == to ? 0 : 3);
            if (from == to)
                continue;
            assert_true(longest <= 4 + 2);
            graph_disjoint_routes(&g, from, to, 3, route);
            assert_int_equal(route[0].hops, hops[to]);
        }
    }
    graph_fini(&g);
}

static void routes_avoid_the_dead(void **state)
{
    (void)state;
    struct graph g = make("kautz:3:4");
    uint32_t longest;
    graph_kill_node(&g, 10);
    graph_kill_link(&g, 77, 0);
    for (uint32_t from = 0; from < g.nodes; from++)
        for (uint32_t to = 0; to < g.nodes; to++) {
            uint32_t count = check_disjoint(&g, from, to, 3, &longest) & 0xff;
            if (from == to || from == 10 || to == 10)
                assert_int_equal(count, 0);
            else /* of three, each of the two failures takes at most one */
                assert_in_range(count, 1, 3);
        }
    graph_fini(&g);
}

/* Fewest hops together of `left` more disjoint routes by trying all, from source port `port` on. */
static void try_all(const struct graph *g, uint32_t from, uint32_t to, uint32_t node,
                    uint64_t marked, uint32_t port, uint32_t left, uint32_t total, uint32_t *best)
{
    if (node == to) {
        node = from;
        left--;
    }
    if (left == 0 && total < *best)
        *best = total;
    if (left == 0 || total + left >= *best)
        return;
    for (uint32_t p = node == from ? port : 0; p < g->degree; p++) {
        uint32_t next = next_node(g, node, p);
        if (next == GRAPH_NONE || next == from || (marked >> next & 1))
            continue;
        try_all(g, from, to, next, marked | (uint64_t)(next != to) << next,
                node == from ? p + 1 : port, left, total + 1, best);
    }
}

static void check_fewest_hops(const struct graph *g)
{
    for (uint32_t from = 0; from < g->nodes; from++)
        for (uint32_t to = 0; to < g->nodes; to++) {
            uint32_t possible = 0, longest;
            for (uint32_t most = 1; from != to && most <= g->degree; most++) {
                uint32_t best = UINT32_MAX;
                try_all(g, from, to, from, 0, 0, most, 0, &best);
                possible = best != UINT32_MAX ? best << 8 | most : possible;
                assert_int_equal(check_disjoint(g, from, to, most, &longest), possible);
            }
        }
}

static void no_other_disjoint_routes_have_fewer_hops(void **state)
{
    (void)state;
    static const char *const kautz[] = {"kautz:1:1", "kautz:2:2", "kautz:2:3", "kautz:3:2",
                                        "kautz:4:1"};
    for (unsigned i = 0; i < sizeof(kautz) / sizeof(kautz[0]); i++) {
        struct graph g = make(kautz[i]);
        check_fewest_hops(&g);
        graph_fini(&g);
    }
    struct graph g = read_graph(irregular);
    check_fewest_hops(&g);
    graph_fini(&g);
    for (uint64_t seed = 0; seed < 300; seed++) { /* any 10 nodes, of degree 1 to 4 */
        uint64_t draws = random_key(seed, 0, RANDOM_LINK);
        uint32_t degree = 1 + (uint32_t)(seed % 4);
        graph_init(&g, 10, degree);
        for (uint32_t i = 0; i < 10 * degree; i++) {
            uint32_t from = i % 10, to = random_below(random_next(&draws), 10);
            bool room = false;
            for (uint32_t port = 0; port < degree; port++)
                room |= g.from[to * degree + port].node == GRAPH_NONE;
            if (from != to && room && graph_port(&g, from, to) == degree)
                graph_connect(&g, from, to);
        }
        check_fewest_hops(&g);
        graph_fini(&g);
    }
}

static void routes_too_long_are_dropped(void **state)
{
    (void)state;
    for (uint32_t ring = 30; ring <= 40; ring++) {
        struct graph g; /* a ring, and a way of two hops from 0 to its last node */
        struct graph_route route[2];
        struct graph_routes tables;
        graph_init(&g, ring + 1, 2);
        for (uint32_t node = 0; node < ring; node++)
            graph_connect(&g, node, (node + 1) % ring);
        graph_connect(&g, 0, ring);
        graph_connect(&g, ring, ring - 1);
        assert_int_equal(graph_finish(&g, "g", NULL), WEFT_OK);
        bool fits = ring - 1 <= GRAPH_ROUTE_HOPS;
        assert_int_equal(graph_disjoint_routes(&g, 0, ring - 1, 2, route), fits ? 2 : 1);
        assert_int_equal(route[0].hops, 2);
        graph_kill_node(&g, ring);
        assert_int_equal(graph_disjoint_routes(&g, 0, ring - 1, 2, route), fits);
        assert_int_equal(graph_routes_init(&tables, &g), WEFT_OK);
        assert_int_equal(graph_route(&tables, 0, ring - 1, route), fits);
        graph_routes_fini(&tables);
        graph_fini(&g);
    }
}

GROUP(graph_routes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_hold_shortest_routes),
        cmocka_unit_test(ties_are_spread),
        cmocka_unit_test(all_pairs_have_three_disjoint_routes),
        cmocka_unit_test(routes_avoid_the_dead),
        cmocka_unit_test(no_other_disjoint_routes_have_fewer_hops),
        cmocka_unit_test(routes_too_long_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
