/*
 * Small machines whose answer is known by a formula.
 *
 * Times: a packet of B bytes takes B + 6 byte times of a link, its acknowledgment 8 on the way
 * back. A hop takes 16 cycles from grant to grant, plus 4 if the packet enters a VC FIFO.
 */
#include "group.h"
#include "models.h"

/* What is left is the network's. */
#define BARE NO_CORES

static void a_link_busy_both_ways_carries_256_of_270(void **state)
{
    (void)state;
    struct run_result r =
        run_ok(BARE "machine.dims=2x1x1 machine.wrap=false workload.packets_per_pair="
                    "1000");
    assert_near((double)r.cycles, 1000 * 270, 400);
    assert_near(r.link_utilisation, 1, 0.002);
    assert_near(r.payload_utilisation, 240 / 270.0, 0.002);
    assert_near(r.fraction_of_peak, 1, 0.002);
}

static void a_link_busy_one_way_carries_256_of_262(void **state)
{
    (void)state;
    struct run_result r =
        run_ok(BARE "machine.dims=2x1x1 machine.wrap=false workload.pattern=hotspot "
                    "workload.packets_per_pair=1000");
    assert_int_equal(r.measure.delivered, 1000);
    /* The last packets of one FIFO, alone, each wait for arbitration's three cycles. */
    assert_near((double)r.cycles, 1000 * 262, 400);
    /* One direction carries data, the other only its acknowledgments. */
    assert_near(r.utilisation_by_port[1], 1, 0.002);
    assert_near(r.utilisation_by_port[0], 8 / 262.0, 0.001);
}

static void small_packets_occupy_38_and_8(void **state)
{
    (void)state;
    struct run_result r =
        run_ok(BARE "machine.dims=2x1x1 machine.wrap=false workload.packet_bytes=32 "
                    "workload.packets_per_pair=1000");
    assert_near((double)r.cycles, 1000 * 46, 400);
}

static void a_ring_of_two_uses_both_its_links(void **state)
{
    (void)state;
    struct run_result r = run_ok(BARE "machine.dims=2x1x1 workload.packets_per_pair=1000");
    assert_near(r.utilisation_by_port[0], r.utilisation_by_port[1], 0.02);
    assert_true(r.fraction_of_peak > 0.95);
    assert_true((double)r.cycles >= 500 * 270);
}

/* Cycles of one packet of 64 bytes over so many hops, from birth to last byte. */
static double one_way(unsigned hops, const char *more)
{
    char settings[640];
    snprintf(settings, sizeof(settings),
             BARE "machine.dims=16x8x8 workload.pattern=pingpong workload.messages=1 "
                  "workload.message_bytes=48 workload.hops=%u %s",
             hops, more);
    return run_ok(settings).one_way_cycles;
}

static void latency_is_linear_in_hops(void **state)
{
    (void)state;
    /* Arbitration 3, then 16 a hop, 1 to the reception FIFO, 64 bytes. */
    for (unsigned hops = 1; hops <= 16; hops += 3)
        assert_near(one_way(hops, ""), 3 + 16 * hops + 1 + 64, 0);
    for (unsigned hops = 1; hops <= 16; hops += 5)
        assert_near(one_way(hops, "machine.router.bypass_dynamic_bytes=-1"),
                    3 + (16 + 4) * hops + 1 + 64, 0);
    for (unsigned hops = 1; hops <= 16; hops += 5)
        assert_near(one_way(hops, "workload.dynamic_share=0"), 3 + 16 * hops + 1 + 64, 0);
}

static void the_processor_adds_its_cycles(void **state)
{
    (void)state;
    double bare = one_way(1, "");
    double real =
        one_way(1, "machine.node.packet_write_cycles=48 machine.node.packet_read_cycles=200 "
                   "machine.node.packet_out_cycles=40 machine.node.packet_in_cycles=60");
    /* A packet of a quarter of the full size is written in 3 cycles of the link, after 10; and read
     * in 20, two waits of the five of a full one, after 15. The run ends when the last one has been
     * read. */
    assert_near(real, bare + 10 + 3 + 15 + 20, 1.01);
}

static void a_ring_of_neighbours_is_full_at_load_one(void **state)
{
    (void)state;
    struct run_result r = run_ok("machine.dims=8x1x1 workload.pattern=neighbour workload.load=1.5 "
                                 "workload.cycles=40000");
    assert_near(r.fraction_of_peak, 1, 0.01);
    assert_near(r.link_utilisation, 1, 0.01);
}

static void offered_load_is_carried(void **state)
{
    (void)state;
    static const double loads[] = {0.1, 0.3, 0.6};
    for (unsigned i = 0; i < 3; i++) {
        char settings[256];
        snprintf(
            settings, sizeof(settings),
            "machine.dims=4x4x4 workload.pattern=uniform workload.cycles=100000 workload.load=%g",
            loads[i]);
        struct run_result r = run_ok(settings);
        assert_near(r.fraction_of_peak, loads[i], 0.03 * loads[i] + 0.004);
        assert_near(r.link_utilisation, loads[i], 0.03 * loads[i] + 0.004);
        assert_true(r.response_interval > 0 && r.response_interval < 0.1 * r.response_mean);
        assert_int_equal(r.measure.injected, r.measure.delivered);
    }
}

static void a_line_has_its_bottleneck_in_the_middle(void **state)
{
    (void)state;
    /* 4 x 4 packets cross the middle of a line of 8 each way, from each end: 16 x 270, of which
     * trailer, gap and acknowledgment of the last one lie behind its last byte. */
    struct run_result r =
        run_ok("machine.dims=8x1x1 machine.wrap=false workload.packets_per_pair=1");
    assert_near(r.bound_cycles, 16 * 270 - 14, 1e-6);
    assert_true((double)r.cycles >= r.bound_cycles);
}

/* A share is never above 1, however few packets there are and however fast the router is. */
static void shares_of_a_few_packets_are_shares(void **state)
{
    static const char *const patterns_of_few[] = {"alltoall", "hotspot", "linefill", "planefill"};
    static const char *const dims[] = {"2x1x1", "4x1x1", "3x5x1", "2x2x2"};
    (void)state;
    for (unsigned p = 0; p < 4; p++)
        for (unsigned d = 0; d < 4; d++)
            for (unsigned packets = 1; packets < 4; packets++) {
                char settings[640];
                snprintf(settings, sizeof(settings),
                         "workload.pattern=%s machine.dims=%s workload.packets_per_pair=%u "
                         "workload.message_bytes=%u " BARE "machine.router.wire_cycles=0 "
                         "machine.router.pipeline_cycles=0 machine.router.transfer_cycles=0",
                         patterns_of_few[p], dims[d], packets, 240 * packets);
                struct run_result r = run_ok(settings);
                bool shares = r.fraction_of_peak <= 1 && r.link_utilisation <= 1;
                for (unsigned port = 0; port < MEASURE_PORTS; port++)
                    shares &= r.utilisation_by_port[port] <= 1;
                if (!shares)
                    fail_msg("%s: of peak %g", settings, r.fraction_of_peak);
            }
}

static void one_node_alone_ends_at_once(void **state)
{
    (void)state;
    unsigned runs = 0;
    for (size_t p = 0; p < pattern_count; p++)
        for (unsigned messages = 0; messages < 2; messages++) {
            const struct pattern *pattern = patterns[p];
            char settings[128];
            if ((pattern->needs & (SITE_TOPOLOGY | SITE_GROUPS)) ||
                !(messages ? pattern->messages : pattern->packets))
                continue;
            if (strcmp(pattern->name, "pingpong") == 0 || pattern->kind == PATTERN_MPI ||
                pattern->kind == PATTERN_PARTS || pattern->from_file)
                continue; /* one has no partner, and says so; others need files, or parts */
            snprintf(settings, sizeof(settings),
                     "machine.dims=1x1x1 workload.pattern=%s workload.as=%s", pattern->name,
                     messages ? "messages" : "packets");
            struct run_result r = run_ok(settings);
            assert_int_equal(r.measure.delivered, 0);
            assert_true(r.link_utilisation == 0 && r.response_mean == 0);
            runs++;
        }
    assert_true(runs >= 13 + 5);
}

GROUP(formulas)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_busy_both_ways_carries_256_of_270),
        cmocka_unit_test(a_link_busy_one_way_carries_256_of_262),
        cmocka_unit_test(small_packets_occupy_38_and_8),
        cmocka_unit_test(a_ring_of_two_uses_both_its_links),
        cmocka_unit_test(latency_is_linear_in_hops),
        cmocka_unit_test(the_processor_adds_its_cycles),
        cmocka_unit_test(a_ring_of_neighbours_is_full_at_load_one),
        cmocka_unit_test(offered_load_is_carried),
        cmocka_unit_test(a_line_has_its_bottleneck_in_the_middle),
        cmocka_unit_test(shares_of_a_few_packets_are_shares),
        cmocka_unit_test(one_node_alone_ends_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
