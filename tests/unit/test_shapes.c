/* Boxes for jobs: the paper's list, and that every box fits and has enough nodes, dead ones
 * included. */
#include "group.h"
#include "sanitizers.h"
#include "testing.h"

#include "base/random.h"
#include "topology/places/places.h"

static struct shapes_options six_axes(uint32_t x, uint32_t y, uint32_t z)
{
    return (struct shapes_options){
        .space = {x, y, z}, .factor = {2, 3, 2}, .choice = SHAPES_VIEW, .waste = 0.5};
}

static uint32_t volume(const uint32_t size[SPACE_AXES])
{
    return size[0] * size[1] * size[2];
}

static bool has(const struct shapes *s, uint32_t x, uint32_t y, uint32_t z)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->list[i].size[0] == x && s->list[i].size[1] == y && s->list[i].size[2] == z)
            return true;
    return false;
}

static void assert_all_differ(const struct shapes *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_memory_not_equal(s->list[i].size, s->list[k].size, sizeof(s->list[i].size));
}

/* TOFU, "High system utilization": all shapes that can map a view of 12 x 12 x 6. */
static void the_paper_s_view_has_nine_boxes_on_six_axes(void **state)
{
    (void)state;
    static const uint32_t listed[9][3] = {{6, 6, 2}, {6, 2, 6}, {2, 6, 6}, {6, 4, 3}, {6, 3, 4},
                                          {4, 6, 3}, {4, 3, 6}, {3, 6, 4}, {3, 4, 6}};
    struct shapes_options o = six_axes(24, 18, 16);
    struct shapes s = shapes_of_view(&o, (uint32_t[]){12, 12, 6});
    assert_int_equal(s.count, 9);
    assert_int_equal(s.cells, 72);
    for (unsigned i = 0; i < 9; i++)
        assert_true(has(&s, listed[i][0], listed[i][1], listed[i][2]));
    shapes_fini(&s);
    o.space[0] = o.space[1] = o.space[2] = 5; /* those that do not fit are none */
    s = shapes_of_view(&o, (uint32_t[]){12, 12, 6});
    assert_int_equal(s.count, 0);
    shapes_fini(&s);
}

static void the_paper_s_view_has_three_boxes_on_three_axes(void **state)
{
    (void)state;
    struct shapes_options o = {.space = {24, 18, 16}, .factor = {1, 1, 1}};
    struct shapes s = shapes_of_view(&o, (uint32_t[]){12, 12, 6});
    assert_int_equal(s.count, 3);
    assert_true(has(&s, 12, 12, 6) && has(&s, 12, 6, 12) && has(&s, 6, 12, 12));
    shapes_fini(&s);
}

static void sort_view(uint32_t v[SPACE_AXES])
{
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 2; k++)
            if (v[k] > v[k + 1]) {
                uint32_t swap = v[k];
                v[k] = v[k + 1];
                v[k + 1] = swap;
            }
}

/* Every box is taken for the view that was asked for: 6x4x3 groups for 12 x 12 x 6, though they
 * have 12 x 8 x 9 as well, which is more like a cube. */
static void boxes_keep_the_view_that_was_asked_for(void **state)
{
    (void)state;
    struct shapes_options o = six_axes(24, 18, 16);
    uint32_t asked[SPACE_AXES] = {6, 12, 12}, view[SPACE_AXES], others = 0;
    struct shapes s = shapes_of_view(&o, asked);
    for (uint32_t i = 0; i < s.count; i++) {
        struct extent compact = shapes_compact(&o, s.list[i].size);
        shapes_view(&o, &s.list[i], view);
        sort_view(view);
        assert_memory_equal(view, asked, sizeof(view));
        shapes_view(&o, &compact, view);
        sort_view(view);
        others += memcmp(view, asked, sizeof(view)) != 0;
    }
    assert_int_equal(others, 6);
    shapes_fini(&s);
}

/* The view of a box whose surface is least, by trying all. */
static void views_are_the_most_compact(void **state)
{
    (void)state;
    static const uint8_t b_at[3][3] = {{3, 2, 2}, {2, 3, 2}, {2, 2, 3}};
    struct shapes_options o = six_axes(24, 18, 16);
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t size[3] = {1 + i % 10, 1 + i / 10 % 10, 1 + i / 100}, view[3], least = UINT32_MAX;
        struct extent compact = shapes_compact(&o, size);
        const uint8_t *factor = compact.factor;
        shapes_view(&o, &compact, view);
        for (unsigned k = 0; k < 3; k++) {
            uint32_t a = size[0] * b_at[k][0], b = size[1] * b_at[k][1], c = size[2] * b_at[k][2];
            uint32_t surface = a * b + b * c + c * a;
            least = surface < least ? surface : least;
        }
        assert_int_equal(view[0] * view[1] + view[1] * view[2] + view[2] * view[0], least);
        for (unsigned d = 0; d < 3; d++)
            assert_int_equal(view[d], size[d] * o.factor[factor[d]]);
        assert_true(factor[0] != factor[1] && factor[1] != factor[2] && factor[2] != factor[0]);
    }
}

/* Whether some box of a space has so many cells. */
static bool has_room(const struct shapes_options *o, uint32_t nodes)
{
    return (uint64_t)volume(o->space) * volume(o->factor) >= nodes;
}

static void every_box_fits_and_has_enough_nodes(void **state)
{
    (void)state;
    static const uint32_t spaces[][3] = {{24, 18, 16}, {4, 3, 3}, {1, 1, 1}, {16, 1, 1}, {3, 5, 7}};
    for (unsigned k = 0; k < sizeof(spaces) / sizeof(spaces[0]); k++)
        for (enum shapes_choice choice = SHAPES_SINGLE; choice <= SHAPES_ANY; choice++) {
            struct shapes_options o = six_axes(spaces[k][0], spaces[k][1], spaces[k][2]);
            uint32_t most = volume(o.space) * 12;
            o.choice = choice;
            for (uint32_t nodes = 1; nodes <= most + 1; nodes += 1 + most / 400) {
                struct shapes s = shapes_for(&o, nodes);
                uint32_t least = UINT32_MAX;
                assert_int_equal(s.count > 0, has_room(&o, nodes));
                assert_true(choice != SHAPES_SINGLE || s.count <= 1);
                assert_true(choice != SHAPES_ROTATIONS || s.count <= 6);
                assert_all_differ(&s);
                for (uint32_t i = 0; i < s.count; i++) {
                    uint32_t cells = volume(s.list[i].size);
                    for (unsigned d = 0; d < 3; d++)
                        assert_true(s.list[i].size[d] >= 1 && s.list[i].size[d] <= o.space[d]);
                    assert_true(cells * 12 >= nodes);
                    assert_true(cells <= volume(s.list[0].size));
                    assert_true(choice == SHAPES_ANY || cells == volume(s.list[0].size));
                    least = cells < least ? cells : least;
                }
                assert_true(!s.count || s.cells == least);
                shapes_fini(&s);
            }
        }
}

/* A compact box wastes no more than it may, if any box does. */
static void compact_boxes_waste_no_more_than_they_may(void **state)
{
    (void)state;
    struct shapes_options o = six_axes(24, 18, 16);
    o.choice = SHAPES_SINGLE;
    o.waste = 0.1;
    for (uint32_t nodes = 1; nodes <= 60000; nodes += 97) {
        struct shapes s = shapes_for(&o, nodes);
        uint32_t cells = (nodes + 11) / 12, most = (uint32_t)(nodes * 1.1 / 12) + 1;
        bool exists = false;
        for (uint32_t x = 1; x <= 24 && !exists; x++)
            for (uint32_t y = 1; y <= 18; y++)
                for (uint32_t z = 1; z <= 16; z++)
                    exists |= x * y * z >= cells && x * y * z <= most;
        if (exists)
            assert_true(s.cells <= most);
        shapes_fini(&s);
    }
}

static void more_choices_have_all_that_fewer_have(void **state)
{
    (void)state;
    struct shapes_options o = six_axes(24, 18, 16);
    uint32_t sum[SHAPES_SCATTERED] = {0};
    for (uint32_t nodes = 100; nodes < 20000; nodes += 333) {
        struct shapes s[SHAPES_SCATTERED];
        for (enum shapes_choice choice = SHAPES_SINGLE; choice <= SHAPES_ANY; choice++) {
            o.choice = choice;
            s[choice] = shapes_for(&o, nodes);
            sum[choice] += s[choice].count;
            assert_memory_equal(s[choice].list[0].size, s[0].list[0].size, sizeof(s[0].list->size));
        }
        for (unsigned choice = 1; choice < SHAPES_SCATTERED; choice++)
            for (uint32_t i = 0; i < s[choice - 1].count; i++) {
                const uint32_t *size = s[choice - 1].list[i].size;
                assert_true(has(&s[choice], size[0], size[1], size[2]));
            }
        for (unsigned choice = 0; choice < SHAPES_SCATTERED; choice++)
            shapes_fini(&s[choice]);
    }
    for (unsigned choice = 1; choice < SHAPES_SCATTERED; choice++)
        assert_true(sum[choice] > sum[choice - 1]);
}

/* ---- spares ---- */

/* Whether a box has a view of so many nodes whichever of its nodes is dead. */
static bool does_without_any(const struct ground *g, const struct place *p, uint32_t nodes,
                             bool *dead)
{
    struct box box = ground_box(g, p);
    struct view_plan plan = ground_plan(g, p, SPACE_AXES);
    bool enough = true;
    for (uint32_t node = 0; node < g->torus.nodes && enough; node++) {
        struct view v;
        uint32_t cell = ground_cell(g, node);
        uint32_t at[3] = {cell % g->box.size[0], cell / g->box.size[0] % g->box.size[1],
                          cell / g->box.size[0] / g->box.size[1]};
        if (at[0] >= p->size[0] || at[1] >= p->size[1] || at[2] >= p->size[2])
            continue;
        dead[node] = true;
        enough = view_create(&g->torus, &box, &plan, dead, &v) == WEFT_OK && v.shape.nodes >= nodes;
        dead[node] = false;
        view_fini(&v);
    }
    return enough;
}

static void large_jobs_can_do_without_any_one_node(void **state)
{
    (void)state;
    static const char *const machines[] = {"4x3x3x2x3x2", "12x2x1x2x3x2", "5x4x2x2x3x2",
                                           "6x5x1x2x3x2"};
    for (unsigned k = 0; k < sizeof(machines) / sizeof(machines[0]); k++) {
        struct ground g = {.cell = {1, 1, 1, 2, 3, 2}};
        struct shapes_options o = {
            .choice = SHAPES_ANY, .waste = 0.5, .large_nodes = 30, .spares = 1};
        assert_int_equal(torus_parse(machines[k], &g.torus), WEFT_OK);
        g.torus.wrap[3] = g.torus.wrap[5] = false;
        memcpy(g.box.size, g.torus.size, sizeof(g.box.size));
        ground_shapes(&g, &o);
        bool *dead = calloc(g.torus.nodes, sizeof(*dead));
        uint32_t boxes = 0;
        assert_int_equal(shapes_spares(&o, 29), 0);
        assert_int_equal(shapes_spares(&o, 30), 1);
        for (uint32_t nodes = 30; nodes < g.torus.nodes; nodes += SANITIZED ? 26 : 13) {
            struct shapes s = shapes_for(&o, nodes);
            for (uint32_t i = 0; i < s.count; i++, boxes++) {
                struct place p = {.at = {0}};
                memcpy(p.size, s.list[i].size, sizeof(p.size));
                if (!does_without_any(&g, &p, nodes, dead))
                    fail_msg("%s: %u nodes, box %ux%ux%u", machines[k], nodes, p.size[0], p.size[1],
                             p.size[2]);
            }
            shapes_fini(&s);
        }
        assert_true(boxes > 10);
        free(dead);
    }
}

/* Five groups whose view is 10 x 3 x 2: of a ring a dead node costs one coordinate of the ten, and
 * 54 nodes are left; of a line one of the three, and 40 are. Of four groups, two of the eight. */
static void spares_use_a_ring_that_the_box_spans(void **state)
{
    (void)state;
    struct shapes_options o = six_axes(5, 1, 1);
    o.lost[1] = 1;
    o.large_nodes = o.spares = 1;
    for (unsigned ring = 0; ring <= 1; ring++) {
        uint32_t most[] = {ring ? 54 : 40, ring ? 36 : 32};
        for (unsigned i = 0; i < 2; i++) {
            o.space[0] = 5 - i;
            o.ring[0] = ring;
            struct shapes some = shapes_for(&o, most[i]), none = shapes_for(&o, most[i] + 1);
            assert_int_equal(some.count, 1);
            assert_int_equal(none.count, 0);
            shapes_fini(&some);
        }
    }
}

/* 6x6x6 groups and 9x6x4 have the same view, 12 x 12 x 18: a dead node costs a coordinate of the
 * 18 that turn round in b in the one, of 12 in the other. */
static void boxes_of_the_view_that_lose_too_much_are_dropped(void **state)
{
    (void)state;
    struct shapes_options o = six_axes(9, 6, 6);
    o.lost[1] = 1;
    o.large_nodes = o.spares = 1;
    struct shapes either = shapes_for(&o, 2592 / 12 * 11), one = shapes_for(&o, 2592 / 18 * 17);
    assert_int_equal(either.count, 3);
    assert_true(has(&either, 9, 6, 4) && has(&either, 9, 4, 6) && has(&either, 6, 6, 6));
    assert_int_equal(one.count, 1);
    assert_true(has(&one, 6, 6, 6));
    shapes_fini(&either);
    shapes_fini(&one);
}

/* Where no axis turns round, no dead node can be left out. */
static void jobs_of_three_axes_have_no_spares(void **state)
{
    (void)state;
    struct ground g = {.box = {{0}, {32, 16, 16}}, .cell = {8, 8, 8}, .wired = true};
    struct shapes_options o = {.choice = SHAPES_VIEW, .large_nodes = 1024, .spares = 1};
    assert_int_equal(torus_parse("32x16x16", &g.torus), WEFT_OK);
    ground_shapes(&g, &o);
    struct shapes large = shapes_for(&o, 1024), small = shapes_for(&o, 1023);
    assert_int_equal(large.count, 0);
    assert_int_equal(small.cells, 2);
    shapes_fini(&small);
}

GROUP(shapes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paper_s_view_has_nine_boxes_on_six_axes),
        cmocka_unit_test(the_paper_s_view_has_three_boxes_on_three_axes),
        cmocka_unit_test(boxes_keep_the_view_that_was_asked_for),
        cmocka_unit_test(views_are_the_most_compact),
        cmocka_unit_test(every_box_fits_and_has_enough_nodes),
        cmocka_unit_test(compact_boxes_waste_no_more_than_they_may),
        cmocka_unit_test(more_choices_have_all_that_fewer_have),
        cmocka_unit_test(large_jobs_can_do_without_any_one_node),
        cmocka_unit_test(spares_use_a_ring_that_the_box_spans),
        cmocka_unit_test(boxes_of_the_view_that_lose_too_much_are_dropped),
        cmocka_unit_test(jobs_of_three_axes_have_no_spares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
