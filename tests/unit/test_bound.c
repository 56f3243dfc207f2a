/* The closed form for even traffic equals adding up all pairs; peaks known by hand. */
#include "group.h"
#include "testing.h"

#include "topology/torus/bound.h"

/* Packets through the plane after a coordinate. */
static double load(const struct bound *b, unsigned dim, uint32_t plane, bool minus)
{
    double sum = 0;
    for (uint32_t i = 0; i <= plane; i++)
        sum += b->step[dim][i][minus];
    return sum;
}

static void even_traffic_equals_all_pairs(void **state)
{
    (void)state;
    static const char *const sizes[] = {"2x1x1", "4x4x4", "3x5x7", "8x8x1", "6x2x3"};
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (int wrap = 0; wrap < 2; wrap++) {
            struct torus t;
            struct bound sum, closed;
            torus_parse(sizes[i], &t);
            for (unsigned d = 0; d < t.dims; d++)
                t.wrap[d] = wrap;
            bound_init(&sum, &t);
            bound_init(&closed, &t);
            for (uint32_t a = 0; a < t.nodes; a++)
                for (uint32_t b = 0; b < t.nodes; b++)
                    if (a != b)
                        bound_add(&sum, a, b, 3.0 / (t.nodes - 1));
            bound_add_uniform(&closed, 7, 3);
            for (unsigned d = 0; d < t.dims; d++)
                for (uint32_t plane = 0; plane < t.size[d]; plane++)
                    for (int minus = 0; minus < 2; minus++)
                        assert_near(load(&closed, d, plane, minus), load(&sum, d, plane, minus),
                                    1e-9);
            bound_fini(&sum);
            bound_fini(&closed);
        }
}

static double peak(const char *size)
{
    struct torus t;
    struct bound b;
    torus_parse(size, &t);
    bound_init(&b, &t);
    bound_add_uniform(&b, 7, 1);
    double share = bound_peak_utilisation(&b, 262, 8);
    bound_fini(&b);
    return share;
}

static void peaks_of_the_paper(void **state)
{
    (void)state;
    assert_near(peak("32x32x32"), 1, 1e-9);
    assert_near(peak("64x32x32"), 2.0 / 3, 1e-9); /* T070 */
    assert_near(peak("32x16x16"), 2.0 / 3, 1e-9);
}

static void one_flow_one_way(void **state)
{
    (void)state;
    struct torus t;
    struct bound b;
    torus_parse("8x1x1", &t);
    bound_init(&b, &t);
    bound_add(&b, 6, 1, 10); /* plus, over the closing link: planes 6, 7, 0 */
    assert_near(load(&b, 0, 6, false), 10, 0);
    assert_near(load(&b, 0, 7, false), 10, 0);
    assert_near(load(&b, 0, 0, false), 10, 0);
    assert_near(load(&b, 0, 1, false), 0, 0);
    assert_near(bound_worst(&b, 262, 8), 2620, 0);
    bound_fini(&b);
}

GROUP(bound)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_traffic_equals_all_pairs),
        cmocka_unit_test(peaks_of_the_paper),
        cmocka_unit_test(one_flow_one_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
