/* Claims of the papers that take seconds, each with its source and tolerance. */
#include "testing.h"

static void long_messages_to_all_T080(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_machine("workload.packets_per_pair=10", 2, false, &r), WEFT_OK);
    assert_true(r.fraction_of_peak > 0.98);
    assert_true(r.vc[2].share < 0.01); /* T068: little on the bubble VC */
    run_result_fini(&r);
}

static void a_hot_region_T084(void **state)
{
    (void)state;
    struct run_result r =
        run_ok("workload.pattern=hotspot workload.packets_per_pair=5 workload.hot_dims=2x2x2");
    assert_near(r.fraction_of_peak, 0.95, 0.06);
}

static void line_and_plane_fill_T085_T086(void **state)
{
    (void)state;
    struct run_result r = run_ok("workload.pattern=linefill workload.message_bytes=200000");
    assert_true(r.fraction_of_peak > 0.99);
    r = run_ok("workload.pattern=planefill workload.message_bytes=400000 workload.groups=2");
    assert_true(r.fraction_of_peak > 0.96);
}

static void a_hop_takes_90_ns_M036(void **state)
{
    (void)state;
    struct run_result one = run_ok("workload.pattern=pingpong workload.hops=1");
    struct run_result five = run_ok("workload.pattern=pingpong workload.hops=5");
    double ns = (five.one_way_cycles - one.one_way_cycles) / 4 / 0.175;
    assert_near(ns, 90, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_messages_to_all_T080),
        cmocka_unit_test(a_hot_region_T084),
        cmocka_unit_test(line_and_plane_fill_T085_T086),
        cmocka_unit_test(a_hop_takes_90_ns_M036),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
