/* Floods: every node gets every colour once, and no link carries two. */
#include "group.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "topology/torus/flood.h"

/* Sends one colour from node to node, as its packets would; counts copies and uses of links. */
static void spread(const struct flood *f, uint32_t root, unsigned colour, uint32_t node,
                   unsigned *copies, unsigned *uses)
{
    struct flood_way way[FLOOD_WAYS_MOST];
    unsigned ways = flood_ways(f, root, colour, node, way);
    for (unsigned i = 0; i < ways; i++) {
        uint32_t at = node;
        for (unsigned hop = 0; hop < way[i].hops; hop++) {
            uses[at * TORUS_MAX_PORTS + way[i].port]++;
            at = torus_neighbour(f->torus, at, way[i].port);
            assert_int_not_equal(at, TORUS_NO_NODE);
            copies[at]++;
            assert_int_equal(copies[at], 1);
            spread(f, root, colour, at, copies, uses);
        }
    }
}

static void check(const char *dims, const char *wrap, unsigned colours)
{
    struct torus t;
    assert_int_equal(torus_parse(dims, &t), WEFT_OK);
    for (unsigned d = 0; d < t.dims; d++)
        t.wrap[d] = wrap[d] == '1';
    struct flood f = flood_make(&t, ~0u);
    assert_int_equal(f.colours, colours);
    unsigned *copies = malloc(t.nodes * sizeof(*copies));
    unsigned *uses = malloc((size_t)t.nodes * TORUS_MAX_PORTS * sizeof(*uses));
    for (uint32_t root = 0; root < t.nodes; root++) {
        memset(uses, 0, (size_t)t.nodes * TORUS_MAX_PORTS * sizeof(*uses));
        for (unsigned colour = 0; colour < f.colours; colour++) {
            memset(copies, 0, t.nodes * sizeof(*copies));
            spread(&f, root, colour, root, copies, uses);
            for (uint32_t node = 0; node < t.nodes; node++)
                assert_int_equal(copies[node], node != root);
        }
        for (size_t link = 0; link < (size_t)t.nodes * TORUS_MAX_PORTS; link++)
            assert_true(uses[link] <= 1);
    }
    free(copies);
    free(uses);
}

static void on_lines(void **state)
{
    (void)state;
    check("1x1x1", "111", 0);
    check("2x1x1", "000", 1);
    check("2x1x1", "111", 2);
    check("7x1x1", "000", 1);
    check("1x1x7", "111", 2);
}

static void on_planes(void **state)
{
    (void)state;
    check("4x4x1", "000", 2);
    check("4x4x1", "111", 4);
    check("2x1x5", "111", 4);
    check("3x5x1", "100", 2);
    check("5x2x1", "010", 2);
}

static void on_spaces(void **state)
{
    (void)state;
    check("4x4x4", "000", 3);
    check("4x3x2", "111", 6);
    check("3x5x7", "111", 6);
    check("3x4x5", "101", 3);
    check("2x2x2", "000", 3);
    check("2x2x2", "111", 6);
}

GROUP(flood)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_lines), cmocka_unit_test(on_planes),
                                       cmocka_unit_test(on_spaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
