/* Graphs by rule, which networks take them, and minimal routes through them against a search of
 * each pair. */
#include "group.h"
#include "graphs.h"

static const struct {
    const char *text;
    uint32_t hosts, switches, links, diameter;
    double mean;
} known[] = {
    {"full:5:2", 10, 5, 20, 1, 8. / 9},
    {"hyperx:3x4:1", 12, 12, 12 * 5, 2, (2 + 3 + 2 * 6) / 11.},
    {"dragonfly:4:8:4", 1056, 264, 264 * 11, 3, 0},
    {"dragonfly:1:2:1", 6, 6, 12, 3, 0},
    {"dragonfly:1:2:2:3", 6, 6, 18, 2, 0},
    {"dragonfly:2:3:1:1", 6, 3, 6, 1, 0},
    {"fattree:4:3", 16, 20, 64, 4, 0},
    {"fattree:8:2", 32, 12, 64, 2, 0},
    {"fattree:6:1", 6, 1, 0, 0, 0},
    {"xgft:4,3:1,2", 12, 5, 12, 2, 0},
    {"torus:4x4x8", 128, 128, 768, 8, 128. / 127 * 4},
    {"torus:2x1x1", 2, 2, 4, 1, 1},
    {"torus:1x1x1", 1, 1, 0, 0, 0},
    {"mesh:3x3", 9, 9, 24, 4, 2},
    {"torus:3x3:-y", 9, 9, 18 + 12, 3, 0},
    {"torus:4x4x8:xz4,yz4", 128, 128, 768, 6, 0},
    {"torus:3x3x3x3x3", 243, 243, 2430, 5, 0},
};

static void rules_make_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct graph g = make_switches(known[i].text);
        struct graph_routes r;
        check_ends(&g);
        assert_int_equal(g.hosts, known[i].hosts);
        assert_int_equal(g.nodes, known[i].switches);
        assert_int_equal(g.links, known[i].links);
        assert_int_equal(graph_routes_init(&r, &g), WEFT_OK);
        if (r.diameter != known[i].diameter)
            fail_msg("%s: diameter %u", known[i].text, r.diameter);
        if (known[i].mean > 0)
            assert_near(r.mean_distance, known[i].mean, 1e-9);
        graph_routes_fini(&r);
        graph_fini(&g);
    }
}

/* Distances by trying all ways, as heavy as links are: the slow way. */
static void relax(const struct graph *g, uint32_t to, uint32_t *distance)
{
    for (uint32_t node = 0; node < g->nodes; node++)
        distance[node] = node == to ? 0 : 1000000;
    for (bool nearer = true; nearer;) {
        nearer = false;
        for (uint32_t node = 0; node < g->nodes; node++)
            for (unsigned port = 0; port < g->ports[node]; port++) {
                const struct graph_end *e = &g->to[(size_t)node * g->degree + port];
                uint32_t there = distance[e->node] + g->weight[e->sort];
                nearer |= there < distance[node];
                distance[node] = there < distance[node] ? there : distance[node];
            }
    }
}

static void every_port_of_a_minimal_route_comes_nearer(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "dragonfly:1:4:2:5",   "fattree:4:3",          "hyperx:3x3:2",
        "torus:4x2x3",         "torus:4x4:xy2",        "mesh:3x5",
        "dragonfly:1:3:2",     "xgft:2,2,2:1,2,3",     "torus:5x3:-x",
        "torus:5x6x7:xz5,yz6", "torus:2x2x4x3:xz2,-a", "torus:4x5x6:xy2,xz3",
        "mesh:2x1x4",          "dragonfly:1:8:4", /* more leaves than a batch has */
        "hyperx:7x7x7" /* more ways than a byte can number */};
    for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++) {
        struct graph g = make_switches(texts[t]);
        struct graph_routes r;
        uint32_t *distance = malloc(g.nodes * sizeof(*distance));
        assert_int_equal(graph_routes_init(&r, &g), WEFT_OK);
        for (uint32_t leaf = 0; leaf < r.leaves; leaf++) {
            relax(&g, r.leaf_at[leaf], distance);
            for (uint32_t node = 0; node < g.nodes; node++) {
                uint64_t ports = 0;
                for (unsigned port = 0; port < g.ports[node]; port++) {
                    const struct graph_end *e = &g.to[(size_t)node * g.degree + port];
                    if (distance[e->node] + g.weight[e->sort] != distance[node])
                        continue;
                    ports |= 1ull << port;
                    assert_int_equal(graph_routes_hops(&r, e->node, leaf) + 1,
                                     graph_routes_hops(&r, node, leaf));
                }
                assert_int_equal(graph_routes_ports(&r, node, leaf), ports);
            }
        }
        free(distance);
        graph_routes_fini(&r);
        graph_fini(&g);
    }
}

/* A minimal route through a dragonfly has one global link at most, even where two would be shorter
 * in hops. */
static void a_dragonfly_takes_one_global_link(void **state)
{
    (void)state;
    struct graph g = make_switches("dragonfly:2:4:2");
    struct graph_routes r;
    assert_int_equal(graph_routes_init(&r, &g), WEFT_OK);
    for (uint32_t from = 0; from < g.nodes; from++)
        for (uint32_t leaf = 0; leaf < r.leaves; leaf++) {
            uint32_t node = from, to = r.leaf_at[leaf], globals = 0;
            while (node != to) {
                unsigned port = (unsigned)__builtin_ctzll(graph_routes_ports(&r, node, leaf));
                const struct graph_end *e = &g.to[(size_t)node * g.degree + port];
                globals += g.is_long[e->sort];
                node = e->node;
            }
            assert_int_equal(globals, from / g.group != to / g.group);
        }
    graph_routes_fini(&r);
    graph_fini(&g);
}

/* Twisting makes all dimensions of 4x4x8 carry the same (Camara et al. 2010): distances from a node
 * fall, and each dimension has a third of the hops. */
/* Every minimal route between groups takes the gate, if there is one for every two of them. */
static void routes_between_groups_take_their_gate(void **state)
{
    (void)state;
    struct graph g = make_switches("dragonfly:2:3:2");
    struct graph_routes r;
    uint32_t groups = g.nodes / g.group;
    assert_int_equal(graph_routes_init(&r, &g), WEFT_OK);
    assert_non_null(r.gate);
    for (uint32_t from = 0; from < g.nodes; from++)
        for (uint32_t leaf = 0; leaf < r.leaves; leaf++) {
            uint32_t at = from, last = from, goal = r.leaf_at[leaf] / g.group;
            if (from / g.group == goal)
                continue;
            while (at / g.group != goal) {
                unsigned port = (unsigned)__builtin_ctzll(graph_routes_ports(&r, at, leaf));
                last = at;
                at = graph_end_at(&g, at, port)->node;
            }
            assert_int_equal(r.gate[from / g.group * groups + goal].from, last);
            assert_int_equal(r.gate[from / g.group * groups + goal].to, at);
        }
    graph_routes_fini(&r);
    graph_fini(&g);
    g = make_switches("dragonfly:1:4:2:5"); /* two links between groups */
    assert_int_equal(graph_routes_init(&r, &g), WEFT_OK);
    assert_null(r.gate);
    graph_routes_fini(&r);
    graph_fini(&g);
}

static void a_twist_evens_out_a_torus(void **state)
{
    (void)state;
    struct graph plain = make_switches("torus:4x4x8"),
                 twisted = make_switches("torus:4x4x8:xz4,yz4");
    struct graph_routes p, t;
    assert_int_equal(graph_routes_init(&p, &plain), WEFT_OK);
    assert_int_equal(graph_routes_init(&t, &twisted), WEFT_OK);
    assert_true(t.mean_distance < p.mean_distance);
    assert_true(graph_torus(&plain)->dims == 3 && !graph_torus(&twisted));
    graph_routes_fini(&p);
    graph_routes_fini(&t);
    graph_fini(&plain);
    graph_fini(&twisted);
}

static void refused(const char *text, const char *message)
{
    struct graph g;
    assert_int_equal(graph_parse_switches(text, &g), WEFT_BAD_INPUT);
    if (strncmp(weft_last_error(), message, strlen(message)) != 0)
        fail_msg("%s: %s", text, weft_last_error());
    assert_null(g.to);
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"dragonfly:4:8", "'dragonfly:4:8' is not a dragonfly; use dragonfly:HOSTS"},
        {"dragonfly:4:8:4:34", "'dragonfly:4:8:4:34' is not a dragonfly"},
        {"dragonfly:0:8:4", "'dragonfly:0:8:4' is not a dragonfly"},
        {"dragonfly:4:60:4:2", "'dragonfly:4:60:4:2' needs switches with 67 ports; use at most 64"},
        {"dragonfly:1:64:1:2 ", "'dragonfly:1:64:1:2 ' is not a dragonfly"},
        {"fattree:7:3", "'fattree:7:3' is not a fat tree"},
        {"fattree:16:9", "'fattree:16:9' has more than 8 levels; use fewer"},
        {"fattree:2000000:3", "'fattree:2000000:3' has a number above 1048576; use smaller ones"},
        {"xgft:2,2,2,2,2,2,2,2,2:1,1,1,1,1,1,1,1,1",
         "'xgft:2,2,2,2,2,2,2,2,2:1,1,1,1,1,1,1,1,1' has more than 8 levels; use fewer"},
        {"hyperx:2x2x2x2x2x2x2", "'hyperx:2x2x2x2x2x2x2' has more than 6 dimensions; use fewer"},
        {"hyperx:2x2x2x2x2x2x2x2x2:2", "'hyperx:2x2x2x2x2x2x2x2x2:2' has more than 6 dimensions"},
        {"fattree:64:4", "'fattree:64:4' has more than 131072 switches"},
        {"xgft:4,4:2,2", "'xgft:4,4:2,2' is not an extended generalised fat tree"},
        {"xgft:4,4:1", "'xgft:4,4:1' is not an extended generalised fat tree"},
        {"hyperx:8y8", "'hyperx:8y8' is not a HyperX"},
        {"full:80:1", "'full:80:1' needs switches with 80 ports"},
        {"torus:4x0", "'4x0' is not a machine size"},
        {"torus:4x4:xz2", "'torus:4x4:xz2': twist 'xz2' names no dimension of it; write ring, "},
        {"torus:4x4:xy4", "'torus:4x4:xy4': twist 'xy4' moves too far; use 1 to 3"},
        {"torus:4x4:xy0", "'torus:4x4:xy0': twist 'xy0' moves by nothing; use 1 to 3"},
        {"torus:4x4:xy", "'torus:4x4:xy': twist 'xy' has no amount; write ring, "},
        {"torus:4x4:xy2z", "'torus:4x4:xy2z': twist 'xy2z' goes on behind its end"},
        {"torus:4x4:xx1", "'torus:4x4:xx1': twist 'xx1' moves along its own dimension"},
        {"torus:4x4x1:xz1", "'torus:4x4x1:xz1': twist 'xz1' is of a dimension of size 1"},
        {"torus:4x4:xy2,xy2", "'torus:4x4:xy2,xy2': twist 'xy2' is there already; name each once"},
        {"torus:4x4:-y,-y", "'torus:4x4:-y,-y': twist '-y' names a line again; name each line "},
        {"mesh:4x4:-y", "'mesh:4x4:-y': twist '-y' names a line again; name each line once, and "},
        {"mesh:4x4:xy2", "'mesh:4x4:xy2': twist 'xy2', but x is a line; twist rings along rings"},
        {"torus:4x4:xy2,-y", "'torus:4x4:xy2,-y': twist 'xy2', but y is a line; twist rings"},
        {"torus:4x4:", "'torus:4x4:': twist '' names no dimension of it"},
        {"torus:4x4x4:xy2,yz2", "'torus:4x4x4:xy2,yz2': twist 'xy2', but y is twisted itself"},
        {"torus:4x4:xy2,yx2", "'torus:4x4:xy2,yx2': twist 'xy2', but y is twisted itself"},
        {"torus:64x64x64", "'torus:64x64x64' has more than 131072 switches"},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        refused(wrong[i][0], wrong[i][1]);
}

/* What a direct network has no room for, and switches no links. */
static void what_is_of_the_other_kind_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"dragonfly:4:8:4", "'dragonfly:4:8:4' has more than 7 links at a node; use fewer"},
        {"full:4:2", "'full:4:2' has 2 hosts at switch 0, and here every node is its own host"},
        {"fattree:4:2", "'fattree:4:2' has 2 hosts at switch 0"},
        {"torus:2x3",
         "'torus:2x3' has two links from node 0 to node 1; use a graph with one: ports "},
        {"mesh:64x64x32", "'mesh:64x64x32' has more than 65536 nodes; use fewer"},
    };
    struct graph g;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_int_equal(graph_parse_direct(wrong[i][0], &g), WEFT_BAD_INPUT);
        if (strncmp(weft_last_error(), wrong[i][1], strlen(wrong[i][1])) != 0)
            fail_msg("%s: %s", wrong[i][0], weft_last_error());
    }
    assert_int_equal(graph_parse_direct("torus:3x3:xy1", &g), WEFT_OK);
    graph_fini(&g);
    refused("kautz:3:2",
            "'kautz:3:2' has one-way links, and those of switches are two-way; use a ");
}

GROUP(graph_rules)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_make_what_they_say),
        cmocka_unit_test(every_port_of_a_minimal_route_comes_nearer),
        cmocka_unit_test(a_dragonfly_takes_one_global_link),
        cmocka_unit_test(routes_between_groups_take_their_gate),
        cmocka_unit_test(a_twist_evens_out_a_torus),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(what_is_of_the_other_kind_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
