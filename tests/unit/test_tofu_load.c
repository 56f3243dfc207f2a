/*
 * What links of Tofu carry: flows between boxes are the sum of their pairs, each along its own
 * route, whatever the axes, the paths and the plane of I/O; and what a run finds on its links is
 * what was expected.
 */
#include "group.h"
#include "sanitizers.h"
#include "testing.h"

#include <math.h>

#include "fabric/tofu/load.h"

static void make(struct torus *t, struct tofu_faults *f, struct tofu_routing *r, const char *dims,
                 const char *wrap, bool io_plane)
{
    memset(f, 0, sizeof(*f));
    assert_int_equal(torus_parse(dims, t), WEFT_OK);
    for (unsigned axis = TOFU_X; axis <= TOFU_Z; axis++)
        t->wrap[axis] = wrap[axis] == 'r';
    assert_int_equal(tofu_shape_finish(t), WEFT_OK);
    *r = (struct tofu_routing){.shape = t,
                               .faults = f,
                               .order = {{TOFU_Z, TOFU_X, TOFU_Y}, {TOFU_Y, TOFU_X, TOFU_Z}},
                               .io_plane = io_plane};
}

/* Nodes that a flow joins: they differ only where they may. */
static bool is_pair(const struct torus *t, const struct box_flow *flow, uint32_t from, uint32_t to)
{
    uint32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    torus_coordinates(t, from, a);
    torus_coordinates(t, to, b);
    for (unsigned d = 0; d < TOFU_AXES; d++)
        if (!(flow->dims >> d & 1) && a[d] != b[d])
            return false;
    return from != to;
}

static void compare(const struct tofu_routing *r, unsigned path, const struct box_flow *flow,
                    const char *what)
{
    const struct torus *t = r->shape;
    struct tofu_load boxes, pairs;
    tofu_load_init(&boxes, r, path);
    tofu_load_init(&pairs, r, path);
    tofu_load_add_boxes(&boxes, flow);
    for (uint32_t i = 0; i < box_nodes(t, &flow->from); i++)
        for (uint32_t k = 0; k < box_nodes(t, &flow->to); k++) {
            uint32_t from = box_node(t, &flow->from, i), to = box_node(t, &flow->to, k);
            if (is_pair(t, flow, from, to))
                tofu_load_add(&pairs, from, to, flow->packets);
        }
    for (size_t i = 0; i < (size_t)t->nodes * TOFU_LINKS; i++)
        if (fabs(boxes.link[i] - pairs.link[i]) > 1e-9)
            fail_msg("%s, path %u, dimensions 0x%x: node %zu, %s: %g instead of %g", what, path,
                     flow->dims, i / TOFU_LINKS, tofu_port_name(i % TOFU_LINKS), boxes.link[i],
                     pairs.link[i]);
    tofu_load_fini(&boxes);
    tofu_load_fini(&pairs);
}

static const struct {
    const char *dims, *wrap;
} shapes[] = {{"1x1x1x2x3x2", "rrr"},
              {"2x1x2x2x3x2", "rrr"},
              {"4x1x2x2x3x2", "rrl"},
              {"1x3x4x2x3x2", "rrr"},
              {"3x2x2x2x3x2", "lrr"}};

static void boxes_are_the_sum_of_their_pairs(void **state)
{
    (void)state;
    static const uint32_t masks[] = {0x3f, 1 << TOFU_X, 1 << TOFU_X | 1 << TOFU_Z,
                                     1 << TOFU_A | 1 << TOFU_B, 0x3f & ~(1 << TOFU_C)};
    for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        for (unsigned k = 0; k < 2 * sizeof(masks) / sizeof(masks[0]); k += SANITIZED ? 3 : 1) {
            struct torus t;
            struct tofu_faults faults;
            struct tofu_routing r;
            make(&t, &faults, &r, shapes[i].dims, shapes[i].wrap, k % 2);
            struct box_flow flow = {.dims = masks[k / 2], .packets = 0.5};
            memcpy(flow.from.size, t.size, sizeof(t.size));
            memcpy(flow.to.size, t.size, sizeof(t.size));
            for (unsigned path = 0; path <= TOFU_PATHS; path += 1 + path % 3 * 2)
                compare(&r, path, &flow, shapes[i].dims);
            /* To a smaller box, which is not at the origin; and from there. */
            for (unsigned d = 0; d < TOFU_AXES; d++) {
                flow.to.size[d] = (t.size[d] + 1) / 2;
                flow.to.at[d] = t.size[d] - flow.to.size[d];
            }
            compare(&r, 1, &flow, shapes[i].dims);
            compare(&r, 0, &flow, shapes[i].dims);
            struct box back = flow.from;
            flow.from = flow.to;
            flow.to = back;
            compare(&r, 8, &flow, shapes[i].dims);
        }
}

/* Two orders of axes meet on the plane of I/O, whose links carry (2 z - 1) / z times as much. */
static void the_plane_of_io_is_the_bound(void **state)
{
    (void)state;
    static const char settings[] = "machine.dims=4x3x3x2x3x2 workload.pattern=alltoall "
                                   "workload.as=packets workload.packets_per_pair=1 ";
    char without[300];
    struct run_result with_plane, plain;
    snprintf(without, sizeof(without), "%s machine.io_plane=false", settings);
    assert_int_equal(run_on("k-computer", settings, 1, false, &with_plane), WEFT_OK);
    assert_int_equal(run_on("k-computer", without, 1, false, &plain), WEFT_OK);
    assert_near(with_plane.bound_cycles / plain.bound_cycles, 5.0 / 3, 1e-9);
    assert_true(with_plane.fraction_of_peak > 0.7 && with_plane.fraction_of_peak < 1);
    run_result_fini(&with_plane);
    run_result_fini(&plain);
}

/* Load 1 is what the busiest link can carry. */
static void load_means_what_it_says(void **state)
{
    (void)state;
    static const char *const traffic[] = {
        "uniform",
        "hotregion workload.hot_share=0.4",
        "hotregion workload.hot_share=0.4 workload.hot_apart=true",
        "tornado",
        "transpose",
        "uniform machine.tni.path=turn"};
    for (unsigned i = 0; i < sizeof(traffic) / sizeof(traffic[0]); i++) {
        char settings[400];
        struct run_result r;
        snprintf(settings, sizeof(settings),
                 "machine.dims=3x2x4x2x3x2 workload.load=0.3 workload.warmup_cycles=20000 "
                 "workload.cycles=400000 workload.pattern=%s",
                 traffic[i]);
        if (run_on("k-computer", settings, 1, false, &r) != WEFT_OK)
            fail_msg("%s: %s", settings, weft_last_error());
        /* Some link of many is busier by chance. */
        double busiest = run_result_figure(&r, "busiest_link_utilisation");
        if (busiest < 0.29 || busiest > 0.36)
            fail_msg("%s: the busiest link is busy for %.3f of the time", settings, busiest);
        run_result_fini(&r);
    }
}

GROUP(tofu_load)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_are_the_sum_of_their_pairs),
                                       cmocka_unit_test(the_plane_of_io_is_the_bound),
                                       cmocka_unit_test(load_means_what_it_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
