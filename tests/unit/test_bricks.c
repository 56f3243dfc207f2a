/* Bricks cover the machine: every node is in one brick, at one place, for sizes that divide and
 * sizes that do not. */
#include "group.h"
#include "testing.h"

#include "topology/torus/bricks.h"

static void assert_covers(const struct torus *t, const struct bricks *b)
{
    char *seen = calloc(t->nodes, 1);
    for (uint32_t brick = 0; brick < b->count; brick++) {
        struct box box = bricks_box(b, brick);
        uint32_t nodes = box_nodes(t, &box);
        assert_true(nodes > 0);
        for (uint32_t local = 0; local < nodes; local++) {
            uint32_t node = bricks_node(b, brick, local), where, place;
            assert_true(node < t->nodes);
            assert_false(seen[node]);
            seen[node] = 1;
            bricks_find(b, node, &where, &place);
            assert_int_equal(where, brick);
            assert_int_equal(place, local);
        }
    }
    for (uint32_t n = 0; n < t->nodes; n++)
        assert_true(seen[n]);
    free(seen);
}

static void every_node_has_one_place(void **state)
{
    (void)state;
    static const char *const sizes[] = {"1x1x1", "2x1x1", "3x5x7", "8x8x8", "17x3x9", "16x16x16"};
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (uint32_t least = 1; least < 40; least += 6) {
            struct torus t;
            struct bricks b;
            torus_parse(sizes[i], &t);
            bricks_init(&b, &t, &(struct bricks_wish){.most_nodes = 512, .least = least});
            assert_true(t.nodes / b.count <= 512);
            assert_true(b.count >= (least < t.nodes ? least : t.nodes));
            assert_covers(&t, &b);
        }
}

static void cuts_as_told(void **state)
{
    (void)state;
    struct torus t;
    struct bricks b;
    uint32_t cuts[TORUS_MAX_DIMS] = {2, 3, 100};
    torus_parse("3x5x7", &t);
    bricks_init_cuts(&b, &t, cuts);
    assert_int_equal(b.count, 2 * 3 * 7);
    assert_covers(&t, &b);
}

static void bricks_stay_large_and_become_many(void **state)
{
    (void)state;
    static const struct {
        const char *dims;
        uint32_t threads, count;
    } cases[] = {{"8x8x8", 1, 1},    {"8x8x8", 2, 2},      {"8x8x8", 16, 16},  {"16x16x16", 2, 4},
                 {"32x32x32", 1, 2}, {"32x32x32", 16, 32}, {"64x32x32", 1, 4}, {"1x1x1", 4, 1},
                 {"16x16x16", 3, 3}, {"32x32x32", 24, 24}, {"32x32x32", 6, 24}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct torus t;
        struct bricks b;
        uint32_t n = cases[i].threads;
        torus_parse(cases[i].dims, &t);
        bricks_init(&b, &t, &(struct bricks_wish){16384, n, n > 1 ? 4 * n : 1, 1024});
        assert_int_equal(b.count, cases[i].count);
    }
}

GROUP(bricks)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_has_one_place),
        cmocka_unit_test(cuts_as_told),
        cmocka_unit_test(bricks_stay_large_and_become_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
