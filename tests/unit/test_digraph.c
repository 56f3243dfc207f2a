/* Directed graphs against plain counting: sizes and diameters of Kautz graphs, distances, every
 * single failure, graphs of one node or two; and cuts. */
#include "digraphs.h"

/* The diameter over living nodes, and the sum of distances; UINT32_MAX: cut. */
static uint32_t plain_diameter(const struct digraph *g, uint64_t *sum)
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

static struct digraph copy(const struct digraph *g)
{
    struct digraph c = *g;
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
        struct digraph g = make(known[i].text);
        struct digraph_survey survey = digraph_survey(&g);
        assert_int_equal(g.nodes, known[i].nodes);
        assert_int_equal(g.degree, known[i].degree);
        assert_int_equal(g.links, g.nodes * g.degree); /* every port of every node has one */
        assert_true(survey.connected);
        assert_int_equal(survey.diameter, known[i].diameter);
        check_tables(&g);
        digraph_fini(&g);
    }
}

static void the_survey_agrees_with_plain_searches(void **state)
{
    (void)state;
    struct digraph g = make("kautz:3:6");
    uint64_t sum;
    struct digraph_survey survey = digraph_survey(&g);
    assert_int_equal(plain_diameter(&g, &sum), survey.diameter);
    assert_near(survey.mean_distance, (double)sum / (972.0 * 971), 1e-12);
    assert_near(survey.mean_distance, 5.462, 0.0005);
    digraph_kill_node(&g, 17);
    digraph_kill_link(&g, 900, 2);
    survey = digraph_survey(&g);
    assert_int_equal(plain_diameter(&g, &sum), survey.diameter);
    assert_near(survey.mean_distance, (double)sum / (971.0 * 970), 1e-12);
    digraph_fini(&g);
}

/* The largest diameter of copies in which one thing each is dead, counted plainly. */
static void check_failures(const struct digraph *g, uint32_t link_dead, uint32_t node_dead)
{
    uint32_t most[2] = {0};
    uint64_t sum;
    for (uint32_t node = 0; node < g->nodes; node++)
        for (uint32_t port = 0; port <= g->degree; port++) {
            struct digraph c = copy(g);
            if (port < g->degree)
                digraph_kill_link(&c, node, port);
            else
                digraph_kill_node(&c, node);
            uint32_t hops = plain_diameter(&c, &sum), *of = &most[port == g->degree];
            *of = hops > *of ? hops : *of;
            digraph_fini(&c);
        }
    assert_int_equal(most[0], link_dead);
    assert_int_equal(most[1], node_dead);
    assert_int_equal(digraph_diameter_link_dead(g), link_dead);
    assert_int_equal(digraph_diameter_node_dead(g), node_dead);
}

static void every_failure_is_tried(void **state)
{
    (void)state;
    struct digraph kautz = make("kautz:3:4"), ring;
    check_failures(&kautz, 5, 5);
    digraph_kill_node(&kautz, 40);
    check_failures(&kautz, 6, 6);
    digraph_init(&ring, 9, 2); /* links both ways: one node dead leaves a line of eight */
    for (uint32_t i = 0; i < 9; i++) {
        digraph_connect(&ring, i, (i + 1) % 9);
        digraph_connect(&ring, (i + 1) % 9, i);
    }
    check_failures(&ring, 8, 7);
    digraph_fini(&kautz);
    digraph_fini(&ring);
}

static void a_failure_lengthens_the_diameter_of_the_largest_by_one(void **state)
{
    (void)state;
    struct digraph g = make("kautz:3:6");
    assert_int_equal(digraph_diameter_link_dead(&g), 7);
    assert_int_equal(digraph_diameter_node_dead(&g), 7);
    digraph_fini(&g);
}

static void what_is_dead_is_gone_from_both_tables(void **state)
{
    (void)state;
    struct digraph g = make("kautz:3:4");
    for (int twice = 0; twice < 2; twice++) {
        digraph_kill_link(&g, 3, 1);
        digraph_kill_node(&g, 50);
        assert_int_equal(g.links, 324 - 1 - 6);
        assert_int_equal(g.dead_nodes, 1);
        check_tables(&g);
    }
    for (uint32_t port = 0; port < 3; port++) {
        assert_int_equal(g.to[50 * 3 + port].node, DIGRAPH_NO_NODE);
        assert_int_equal(g.from[50 * 3 + port].node, DIGRAPH_NO_NODE);
    }
    digraph_fini(&g);
}

static void a_cut_graph_names_its_first_cut_pair(void **state)
{
    (void)state;
    struct digraph g = read_graph("0: 1\n1: 0 2\n2: 3\n3: 2\n");
    struct digraph_survey survey = digraph_survey(&g);
    assert_false(survey.connected);
    assert_int_equal(survey.cut_from, 2);
    assert_int_equal(survey.cut_to, 0);
    assert_int_equal(digraph_diameter_link_dead(&g), UINT32_MAX);
    assert_int_equal(digraph_diameter_node_dead(&g), UINT32_MAX);
    digraph_fini(&g);

    g = make("kautz:3:6"); /* the pair lies beyond the first block of sources */
    for (uint32_t port = 0; port < 3; port++)
        digraph_kill_link(&g, 700, port);
    survey = digraph_survey(&g);
    assert_false(survey.connected);
    assert_int_equal(survey.cut_from, 700);
    assert_int_equal(survey.cut_to, 0);
    digraph_fini(&g);
}

static void graphs_of_one_and_two_nodes(void **state)
{
    (void)state;
    struct digraph one = read_graph("0:"), two = read_graph("0: 1\n1: 0"),
                   apart = read_graph("0:\n1:");
    struct digraph_route route;
    struct digraph_routes tables;
    assert_int_equal(one.degree, 0);
    assert_true(digraph_survey(&one).connected);
    assert_int_equal(digraph_survey(&one).diameter, 0);
    assert_near(digraph_survey(&one).mean_distance, 0, 0);
    assert_int_equal(digraph_diameter_link_dead(&one), 0);
    assert_int_equal(digraph_diameter_node_dead(&one), 0);
    assert_int_equal(digraph_survey(&two).diameter, 1);
    assert_int_equal(digraph_diameter_link_dead(&two), UINT32_MAX);
    assert_int_equal(digraph_diameter_node_dead(&two), 0);
    assert_false(digraph_survey(&apart).connected);
    assert_int_equal(digraph_diameter_link_dead(&apart), UINT32_MAX);
    assert_int_equal(digraph_disjoint_routes(&one, 0, 0, 3, &route), 0);
    assert_int_equal(digraph_disjoint_routes(&apart, 0, 1, 3, &route), 0);
    assert_int_equal(digraph_disjoint_routes(&two, 0, 1, 1, &route), 1);
    assert_int_equal(route.hops, 1);
    digraph_routes_init(&tables, &two);
    assert_true(digraph_route(&two, &tables, 1, 0, &route));
    assert_false(digraph_route(&two, &tables, 1, 1, &route));
    digraph_routes_fini(&tables);
    digraph_fini(&one);
    digraph_fini(&two);
    digraph_fini(&apart);
}

/* ---- cuts ---- */

/* Sizes of parts, all within 10 % and one node of the mean; links between parts. */
static uint32_t check_cut(const struct digraph *g, uint32_t parts)
{
    uint32_t *part = malloc(g->nodes * sizeof(*part)), *size = calloc(parts, sizeof(*size)),
             cut = 0;
    digraph_cut(g, parts, part);
    for (uint32_t node = 0; node < g->nodes; node++) {
        assert_true(part[node] < parts);
        size[part[node]]++;
        for (uint32_t port = 0; port < g->degree; port++) {
            uint32_t next = next_node(g, node, port);
            cut += next != DIGRAPH_NO_NODE && part[next] != part[node];
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
        struct digraph g = make(names[i]);
        digraph_kill_node(&g, 5);
        for (unsigned p = 0; p < sizeof(parts) / sizeof(parts[0]); p++)
            if (parts[p] <= g.nodes)
                check_cut(&g, parts[p]);
        check_cut(&g, g.nodes);
        digraph_fini(&g);
    }
    struct digraph one = read_graph("0:"), two = read_graph("0: 1\n1:"), loose;
    check_cut(&one, 1);
    check_cut(&two, 1);
    check_cut(&two, 2);
    digraph_init(&loose, 64, 1); /* no link at all */
    check_cut(&loose, 8);
    digraph_fini(&one);
    digraph_fini(&two);
    digraph_fini(&loose);
}

static void no_part_is_empty(void **state)
{
    (void)state;
    for (uint32_t nodes = 28; nodes <= 60; nodes++) { /* trees, of which METIS alone misses some */
        struct digraph tree;
        uint32_t part[60], parts = nodes / 4;
        bool filled[15] = {false};
        digraph_init(&tree, nodes, 6);
        for (uint32_t i = 1; i < nodes; i++)
            digraph_connect(&tree, (i - 1) / 6, i);
        digraph_cut(&tree, parts, part);
        for (uint32_t i = 0; i < nodes; i++)
            filled[part[i]] = true;
        for (uint32_t p = 0; p < parts; p++)
            assert_true(filled[p]);
        digraph_fini(&tree);
    }
}

static void cuts_go_through_few_links(void **state)
{
    (void)state;
    struct digraph line, kautz = make("kautz:3:6");
    digraph_init(&line, 400, 1);
    for (uint32_t i = 0; i + 1 < 400; i++) /* along a line, its nodes numbered at random */
        digraph_connect(&line, random_permute(1, 400, i), random_permute(1, 400, i + 1));
    assert_true(check_cut(&line, 4) <= 10);
    assert_true(check_cut(&kautz, 4) < 2916 * 6 / 10); /* at random 3 of 4 links are cut */
    digraph_fini(&line);
    digraph_fini(&kautz);
}

int main(void)
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
