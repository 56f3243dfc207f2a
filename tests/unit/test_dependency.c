/* Components and the shortest cycle of small graphs known by hand, of random graphs against
 * reachability and distances of all pairs, and of a ring too long for recursion. */
#include "group.h"
#include "testing.h"

#include "base/random.h"
#include "topology/dependency.h"

/* A graph as a list of edges, ended by a channel that there is not. */
struct edges {
    uint32_t channels;
    const uint32_t (*edge)[2];
};

static unsigned list_edges(const void *ctx, uint32_t channel, uint32_t out[DEPENDENCY_MOST_EDGES])
{
    const struct edges *e = ctx;
    unsigned count = 0;
    for (size_t i = 0; e->edge[i][0] < e->channels; i++)
        if (e->edge[i][0] == channel)
            out[count++] = e->edge[i][1];
    return count;
}

#define END                                                                                        \
    {                                                                                              \
        UINT32_MAX, 0                                                                              \
    }

/* The components must say the same; the cycle comes back, to be freed. */
static uint32_t find(uint32_t channels, const uint32_t (*edge)[2], uint32_t *component,
                     uint32_t **cycle)
{
    struct edges edges = {channels, edge};
    struct dependency graph = {.channels = channels, .list = list_edges, .ctx = &edges};
    bool any = dependency_components(&graph, component);
    uint32_t length = dependency_cycle(&graph, component, cycle);
    assert_int_equal(any, length > 0);
    assert_int_equal(length > 0, *cycle != NULL);
    return length;
}

static void no_cycle_every_channel_alone(void **state)
{
    (void)state;
    static const uint32_t edge[][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {0, 4}, END};
    uint32_t component[5], *cycle;
    assert_int_equal(find(5, edge, component, &cycle), 0);
    for (unsigned a = 0; a < 5; a++)
        for (unsigned b = 0; b < a; b++)
            assert_int_not_equal(component[a], component[b]);
}

static void no_channel_no_cycle(void **state)
{
    (void)state;
    static const uint32_t edge[][2] = {END};
    uint32_t component[1], *cycle;
    assert_int_equal(find(0, edge, component, &cycle), 0);
    assert_int_equal(find(1, edge, component, &cycle), 0);
}

static void a_channel_that_waits_for_itself(void **state)
{
    (void)state;
    static const uint32_t edge[][2] = {{0, 1}, {1, 2}, {2, 2}, {2, 3}, END};
    uint32_t component[4], *cycle;
    assert_int_equal(find(4, edge, component, &cycle), 1);
    assert_int_equal(cycle[0], 2);
    free(cycle);
}

/* A triangle that leads to a pair, which leads nowhere else. */
static void two_components(void **state)
{
    (void)state;
    static const uint32_t edge[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4},
                                       {4, 3}, {4, 5}, {6, 0}, END};
    uint32_t component[7], *cycle;
    assert_int_equal(find(7, edge, component, &cycle), 2);
    assert_int_equal(cycle[0], 3);
    assert_int_equal(cycle[1], 4);
    free(cycle);
    static const uint32_t group[7] = {0, 0, 0, 3, 3, 5, 6};
    for (unsigned a = 0; a < 7; a++)
        for (unsigned b = 0; b < 7; b++)
            assert_int_equal(component[a] == component[b], group[a] == group[b]);
}

/* One component: a ring of six from 0 on, a shortcut that makes a cycle of four, and behind it one
 * of three, away from 0. */
static void the_shortest_of_several_cycles(void **state)
{
    (void)state;
    static const uint32_t edge[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5},
                                       {5, 0}, {1, 4}, {4, 2}, END};
    uint32_t component[6], *cycle;
    assert_int_equal(find(6, edge, component, &cycle), 3);
    assert_int_equal(cycle[0], 2);
    assert_int_equal(cycle[1], 3);
    assert_int_equal(cycle[2], 4);
    free(cycle);
}

/* The last of the first cycle closes it before it closes a shorter one: no ring. */
static void a_chord_after_the_closing_edge(void **state)
{
    (void)state;
    static const uint32_t edge[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, END};
    uint32_t component[3], *cycle;
    assert_int_equal(find(3, edge, component, &cycle), 2);
    assert_int_equal(cycle[0], 1);
    assert_int_equal(cycle[1], 2);
    free(cycle);
}

static unsigned list_ring(const void *ctx, uint32_t channel, uint32_t out[DEPENDENCY_MOST_EDGES])
{
    out[0] = (channel + 1) % *(const uint32_t *)ctx;
    return 1;
}

static void a_ring_of_a_million_channels(void **state)
{
    (void)state;
    uint32_t channels = 1000000, *cycle;
    uint32_t *component = calloc(channels, sizeof(*component));
    struct dependency graph = {.channels = channels, .list = list_ring, .ctx = &channels};
    assert_true(dependency_components(&graph, component));
    assert_int_equal(dependency_cycle(&graph, component, &cycle), channels);
    for (uint32_t i = 0; i < channels; i++)
        if (component[i] != component[0] || cycle[i] != i)
            fail_msg("channel %u is not where it should be", i);
    free(component);
    free(cycle);
}

/* ---- against all pairs ---- */

enum { NODES = 12 };

/* Hops from a channel to each, and back to itself; 0: no way. By Floyd and Warshall. */
static void measure_all(const uint32_t (*edge)[2], uint32_t far[NODES][NODES])
{
    memset(far, 0, NODES * sizeof(*far));
    for (size_t i = 0; edge[i][0] < NODES; i++)
        far[edge[i][0]][edge[i][1]] = 1;
    for (unsigned k = 0; k < NODES; k++)
        for (unsigned a = 0; a < NODES; a++)
            for (unsigned b = 0; b < NODES; b++) {
                uint32_t by = far[a][k] + far[k][b];
                if (far[a][k] && far[k][b] && (!far[a][b] || by < far[a][b]))
                    far[a][b] = by;
            }
}

static void check_cycle(const uint32_t *cycle, uint32_t length, uint32_t far[NODES][NODES])
{
    for (uint32_t i = 0; i < length; i++)
        assert_int_equal(far[cycle[i]][cycle[(i + 1) % length]], 1);
}

static void random_graphs_agree_with_all_pairs(void **state)
{
    (void)state;
    uint64_t draw = 0, key = random_key(1, 0, 0);
    for (unsigned graph = 0; graph < 3000; graph++) {
        uint32_t edge[2 * NODES + 1][2], far[NODES][NODES], component[NODES], *cycle;
        uint32_t edges = random_below(random_draw(key, draw++), 2 * NODES), shortest = 0;
        for (uint32_t i = 0; i < edges; i++)
            for (unsigned end = 0; end < 2; end++)
                edge[i][end] = random_below(random_draw(key, draw++), NODES);
        edge[edges][0] = UINT32_MAX;
        measure_all((const uint32_t(*)[2])edge, far);
        for (unsigned a = 0; a < NODES; a++)
            if (far[a][a] && (!shortest || far[a][a] < shortest))
                shortest = far[a][a];
        assert_int_equal(find(NODES, (const uint32_t(*)[2])edge, component, &cycle), shortest);
        check_cycle(cycle, shortest, far);
        for (unsigned a = 0; a < NODES; a++)
            for (unsigned b = 0; b < NODES; b++)
                assert_int_equal(component[a] == component[b], a == b || (far[a][b] && far[b][a]));
        free(cycle);
    }
}

GROUP(dependency)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cycle_every_channel_alone),
        cmocka_unit_test(no_channel_no_cycle),
        cmocka_unit_test(a_channel_that_waits_for_itself),
        cmocka_unit_test(two_components),
        cmocka_unit_test(the_shortest_of_several_cycles),
        cmocka_unit_test(a_chord_after_the_closing_edge),
        cmocka_unit_test(a_ring_of_a_million_channels),
        cmocka_unit_test(random_graphs_agree_with_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
