/* Directed graphs against plain counting: sizes and diameters of Kautz graphs, distances, every
 * single failure, graphs of one node or two; and cuts. */
#include "group.h"
#include "graphs.h"
#include "sanitizers.h"

/* The diameter over living nodes, and the sum of distances; UINT32_MAX: cut. */
static uint32_t plain_diameter(const struct graph *g, uint64_t *sum)
{
    uint32_t *hops = malloc(g->nodes * sizeof(*hops)), most = 0;
    *sum = 0;
    for (uint32_t a = 0; a < g->nodes; a++) {
        search(g, a, hops);
        for (uint32_t b = 0; b < g->nodes && !g->dead[a]; b++)
            if (!g->dead[b]) {
                most = hops[b] > most ? hops[b] : most;
                *sum += hops[b];
            }
    }
    free(hops);
    return most;
}

static struct graph copy(const struct graph *g)
{
    struct graph c = *g;
    c.ports = NULL;
    c.first_host = c.host_switch = NULL;
    size_t bytes = g->nodes * g->degree * sizeof(*g->to);
    c.to = memcpy(malloc(bytes), g->to, bytes);
    c.from = memcpy(malloc(bytes), g->from, bytes);
    c.dead = memcpy(malloc(g->nodes), g->dead, g->nodes);
    return c;
}

static void kautz_graphs_have_their_size_degree_and_diameter(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t nodes, degree, diameter;
    } known[] = {{"kautz:3:1", 4, 3, 1},   {"kautz:3:2", 12, 3, 2},  {"kautz:3:4", 108, 3, 4},
                 {"kautz:3:5", 324, 3, 5}, {"kautz:3:6", 972, 3, 6}, {"kautz:1:1", 2, 1, 1},
                 {"kautz:2:5", 48, 2, 5},  {"kautz:7:3", 392, 7, 3}, {"kautz:7:1", 8, 7, 1}};
    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct graph g = make(known[i].text);
        struct graph_survey survey = graph_survey(&g);
        assert_int_equal(g.nodes, known[i].nodes);
        assert_int_equal(g.degree, known[i].degree);
        assert_int_equal(g.links, g.nodes * g.degree); /* every port of every node has one */
        assert_true(survey.connected);
        assert_int_equal(survey.diameter, known[i].diameter);
        check_tables(&g);
        graph_fini(&g);
    }
}

static void the_survey_agrees_with_plain_searches(void **state)
{
    (void)state;
    struct graph g = make("kautz:3:6");
    uint64_t sum;
    struct graph_survey survey = graph_survey(&g);
    assert_int_equal(plain_diameter(&g, &sum), survey.diameter);
    assert_near(survey.mean_distance, (double)sum / (972.0 * 971), 1e-12);
    assert_near(survey.mean_distance, 5.462, 0.0005);
    graph_kill_node(&g, 17);
    graph_kill_link(&g, 900, 2);
    survey = graph_survey(&g);
    assert_int_equal(plain_diameter(&g, &sum), survey.diameter);
    assert_near(survey.mean_distance, (double)sum / (971.0 * 970), 1e-12);
    graph_fini(&g);
}

/* The largest diameter of copies in which one thing each is dead, counted plainly. */
static void check_failures(const struct graph *g, uint32_t link_dead, uint32_t node_dead)
{
    uint32_t most[2] = {0};
    uint64_t sum;
    for (uint32_t node = 0; node < g->nodes; node++)
        for (uint32_t port = 0; port <= g->degree; port++) {
            struct graph c = copy(g);
            if (port < g->degree)
                graph_kill_link(&c, node, port);
            else
                graph_kill_node(&c, node);
            uint32_t hops = plain_diameter(&c, &sum), *of = &most[port == g->degree];
            *of = hops > *of ? hops : *of;
            graph_fini(&c);
        }
    assert_int_equal(most[0], link_dead);
    assert_int_equal(most[1], node_dead);
    assert_int_equal(graph_diameter_link_dead(g), link_dead);
    assert_int_equal(graph_diameter_node_dead(g), node_dead);
}

static void every_failure_is_tried(void **state)
{
    (void)state;
    struct graph kautz = make("kautz:3:4"), ring;
    check_failures(&kautz, 5, 5);
    graph_kill_node(&kautz, 40);
    check_failures(&kautz, 6, 6);
    graph_init(&ring, 9, 2); /* links both ways: one node dead leaves a line of eight */
    for (uint32_t i = 0; i < 9; i++) {
        graph_connect(&ring, i, (i + 1) % 9);
        graph_connect(&ring, (i + 1) % 9, i);
    }
    check_failures(&ring, 8, 7);
    graph_fini(&kautz);
    graph_fini(&ring);
}

static void a_failure_lengthens_the_diameter_of_the_largest_by_one(void **state)
{
    (void)state;
    unsigned diameter = SANITIZED ? 5 : 6;
    struct graph g = make(SANITIZED ? "kautz:3:5" : "kautz:3:6");
    assert_int_equal(graph_diameter_link_dead(&g), diameter + 1);
    assert_int_equal(graph_diameter_node_dead(&g), diameter + 1);
    graph_fini(&g);
}

static void what_is_dead_is_gone_from_both_tables(void **state)
{
    (void)state;
    struct graph g = make("kautz:3:4");
    for (int twice = 0; twice < 2; twice++) {
        graph_kill_link(&g, 3, 1);
        graph_kill_node(&g, 50);
        assert_int_equal(g.links, 324 - 1 - 6);
        assert_int_equal(g.dead_nodes, 1);
        check_tables(&g);
    }
    for (uint32_t port = 0; port < 3; port++) {
        assert_int_equal(g.to[50 * 3 + port].node, GRAPH_NONE);
        assert_int_equal(g.from[50 * 3 + port].node, GRAPH_NONE);
    }
    graph_fini(&g);
}

static void a_cut_graph_names_its_first_cut_pair(void **state)
{
    (void)state;
    struct graph g = read_graph("0: 1\n1: 0 2\n2: 3\n3: 2\n");
    struct graph_survey survey = graph_survey(&g);
    assert_false(survey.connected);
    assert_int_equal(survey.cut_from, 2);
    assert_int_equal(survey.cut_to, 0);
    assert_int_equal(graph_diameter_link_dead(&g), UINT32_MAX);
    assert_int_equal(graph_diameter_node_dead(&g), UINT32_MAX);
    graph_fini(&g);

    g = make("kautz:3:6"); /* the pair lies beyond the first block of sources */
    for (uint32_t port = 0; port < 3; port++)
        graph_kill_link(&g, 700, port);
    survey = graph_survey(&g);
    assert_false(survey.connected);
    assert_int_equal(survey.cut_from, 700);
    assert_int_equal(survey.cut_to, 0);
    graph_fini(&g);
}

static void graphs_of_one_and_two_nodes(void **state)
{
    (void)state;
    struct graph one = read_graph("0:"), two = read_graph("0: 1\n1: 0"),
                 apart = read_graph("0:\n1:");
    struct graph_route route;
    struct graph_routes tables;
    assert_int_equal(one.degree, 0);
    assert_true(graph_survey(&one).connected);
    assert_int_equal(graph_survey(&one).diameter, 0);
    assert_near(graph_survey(&one).mean_distance, 0, 0);
    assert_int_equal(graph_diameter_link_dead(&one), 0);
    assert_int_equal(graph_diameter_node_dead(&one), 0);
    assert_int_equal(graph_survey(&two).diameter, 1);
    assert_int_equal(graph_diameter_link_dead(&two), UINT32_MAX);
    assert_int_equal(graph_diameter_node_dead(&two), 0);
    assert_false(graph_survey(&apart).connected);
    assert_int_equal(graph_diameter_link_dead(&apart), UINT32_MAX);
    assert_int_equal(graph_disjoint_routes(&one, 0, 0, 3, &route), 0);
    assert_int_equal(graph_disjoint_routes(&apart, 0, 1, 3, &route), 0);
    assert_int_equal(graph_disjoint_routes(&two, 0, 1, 1, &route), 1);
    assert_int_equal(route.hops, 1);
    graph_routes_init(&tables, &two);
    assert_true(graph_route(&tables, 1, 0, &route));
    assert_false(graph_route(&tables, 1, 1, &route));
    graph_routes_fini(&tables);
    graph_fini(&one);
    graph_fini(&two);
    graph_fini(&apart);
}

/* ---- cuts ---- */

/* Sizes of parts, all within 10 % and one node of the mean; links between parts. */
static uint32_t check_cut(const struct graph *g, uint32_t parts)
{
    uint32_t *part = malloc(g->nodes * sizeof(*part)), *size = calloc(parts, sizeof(*size)),
             cut = 0;
    graph_cut(g, parts, part);
    for (uint32_t node = 0; node < g->nodes; node++) {
        assert_true(part[node] < parts);
        size[part[node]]++;
        for (uint32_t port = 0; port < g->degree; port++) {
            uint32_t next = next_node(g, node, port);
            cut += next != GRAPH_NONE && part[next] != part[node];
        }
    }
    double mean = (double)g->nodes / parts;
    for (uint32_t p = 0; p < parts; p++)
        assert_near(size[p], mean, mean / 10 + 1);
    free(part);
    free(size);
    return cut;
}

static void cuts_are_even(void **state)
{
    (void)state;
    static const char *const names[] = {"kautz:3:2", "kautz:3:4", "kautz:3:6"};
    static const uint32_t parts[] = {1, 2, 3, 4, 7, 8, 16};
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct graph g = make(names[i]);
        graph_kill_node(&g, 5);
        for (unsigned p = 0; p < sizeof(parts) / sizeof(parts[0]); p++)
            if (parts[p] <= g.nodes)
                check_cut(&g, parts[p]);
        check_cut(&g, g.nodes);
        graph_fini(&g);
    }
    struct graph one = read_graph("0:"), two = read_graph("0: 1\n1:"), loose;
    check_cut(&one, 1);
    check_cut(&two, 1);
    check_cut(&two, 2);
    graph_init(&loose, 64, 1); /* no link at all */
    check_cut(&loose, 8);
    graph_fini(&one);
    graph_fini(&two);
    graph_fini(&loose);
}

static void no_part_is_empty(void **state)
{
    (void)state;
    for (uint32_t nodes = 28; nodes <= 60; nodes++) { /* trees, of which METIS alone misses some */
        struct graph tree;
        uint32_t part[60], parts = nodes / 4;
        bool filled[15] = {false};
        graph_init(&tree, nodes, 6);
        for (uint32_t i = 1; i < nodes; i++)
            graph_connect(&tree, (i - 1) / 6, i);
        graph_cut(&tree, parts, part);
        for (uint32_t i = 0; i < nodes; i++)
            filled[part[i]] = true;
        for (uint32_t p = 0; p < parts; p++)
            assert_true(filled[p]);
        graph_fini(&tree);
    }
}

static void cuts_go_through_few_links(void **state)
{
    (void)state;
    struct graph line, kautz = make("kautz:3:6");
    graph_init(&line, 400, 1);
    for (uint32_t i = 0; i + 1 < 400; i++) /* along a line, its nodes numbered at random */
        graph_connect(&line, random_permute(1, 400, i), random_permute(1, 400, i + 1));
    assert_true(check_cut(&line, 4) <= 10);
    assert_true(check_cut(&kautz, 4) < 2916 * 6 / 10); /* at random 3 of 4 links are cut */
    graph_fini(&line);
    graph_fini(&kautz);
}

GROUP(graph)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kautz_graphs_have_their_size_degree_and_diameter),
        cmocka_unit_test(the_survey_agrees_with_plain_searches),
        cmocka_unit_test(every_failure_is_tried),
        cmocka_unit_test(a_failure_lengthens_the_diameter_of_the_largest_by_one),
        cmocka_unit_test(what_is_dead_is_gone_from_both_tables),
        cmocka_unit_test(a_cut_graph_names_its_first_cut_pair),
        cmocka_unit_test(graphs_of_one_and_two_nodes),
        cmocka_unit_test(cuts_are_even),
        cmocka_unit_test(no_part_is_empty),
        cmocka_unit_test(cuts_go_through_few_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
