/*
 * The ideal network by formula, to the cycle: with overheads o, latency L, hop time h, gap g and
 * byte times G (ports) and O (processors), a message of n bytes over d hops takes
 *
 *   T(n, d) = o_send + n O + L + d h + n G + n O + o_receive
 *
 * one way if it is sent eagerly; in steps in which every process sends and receives at once, nobody
 * waits for a port, and a step takes T. A rendezvous is a request, an answer and the message.
 */
#include "group.h"
#include "testing.h"

#include <math.h>
#include <unistd.h>

/* Values that are not whole nanoseconds. */
#define PARAMETERS                                                                                 \
    "machine.latency_ns=91.3 machine.port.mb_per_s=700 machine.node.send_ns=71.4 "                 \
    "machine.node.receive_ns=291.4 machine.node.byte_ns=0.13 machine.node.eager_bytes=2000 "

static const double G = 1e3 / 700, O = 0.13, SEND = 71.4, RECEIVE = 291.4, LATENCY = 91.3;

static double one_way(double bytes, double hops, double hop_ns)
{
    return SEND + LATENCY + hops * hop_ns + bytes * (G + 2 * O) + RECEIVE;
}

static uint64_t cycles_of(const char *settings)
{
    struct run_result r;
    char all[600];
    snprintf(all, sizeof(all), PARAMETERS "%s", settings);
    if (run_on("ideal", all, 2, true, &r) != WEFT_OK)
        fail_msg("%s: %s", all, weft_last_error());
    run_result_fini(&r);
    return r.cycles;
}

/* Times are rounded to 1/65536 ns each: over a thousand of them a cycle may be too much by one. */
static void assert_cycles(uint64_t cycles, double expected)
{
    if (fabs((double)cycles - ceil(expected)) > 1)
        fail_msg("%llu cycles, not %.3f", (unsigned long long)cycles, expected);
}

static void a_ping_pong_takes_two_one_ways_a_round(void **state)
{
    (void)state;
    assert_cycles(cycles_of("workload.pattern=pingpong machine.nodes=2 workload.messages=7 "
                            "workload.message_bytes=240"),
                  14 * one_way(240, 0, 0));
    assert_cycles(cycles_of("workload.pattern=pingpong machine.nodes=1000 workload.messages=3 "
                            "workload.message_bytes=2000"),
                  6 * one_way(2000, 0, 0));
}

static void distance_counts_by_hops_of_any_topology(void **state)
{
    (void)state;
    assert_cycles(cycles_of("workload.pattern=pingpong machine.nodes=0 machine.hop_ns=90.7 "
                            "machine.topology=torus:8x8x8 workload.hops=9 workload.messages=2 "
                            "workload.message_bytes=100"),
                  4 * one_way(100, 9, 90.7));
    assert_cycles(cycles_of("workload.pattern=pingpong machine.nodes=0 machine.hop_ns=90.7 "
                            "machine.topology=mesh:9x2 workload.hops=9 workload.messages=2 "
                            "workload.message_bytes=100"),
                  4 * one_way(100, 9, 90.7));
}

static void an_all_to_all_takes_a_one_way_a_step(void **state)
{
    (void)state;
    assert_cycles(cycles_of("workload.pattern=alltoall machine.nodes=60 workload.messages=1 "
                            "workload.message_bytes=777"),
                  59 * one_way(777, 0, 0));
    assert_cycles(cycles_of("workload.pattern=alltoall machine.nodes=17 workload.messages=3 "
                            "workload.message_bytes=1"),
                  3 * 16 * one_way(1, 0, 0));
}

static void a_ring_takes_two_one_ways_a_message(void **state)
{
    (void)state;
    assert_cycles(cycles_of("workload.pattern=ring machine.nodes=100 workload.messages=5 "
                            "workload.message_bytes=1500"),
                  10 * one_way(1500, 0, 0));
}

/* A request and an answer of no bytes, one after the other, and the message, which the engine sends
 * from the next whole cycle on: its overheads are the requester's and the receiver's. */
static void a_rendezvous_is_three_messages(void **state)
{
    (void)state;
    double meeting = one_way(0, 0, 0) + SEND + LATENCY;
    double data = 5000 * (G + 2 * O) + LATENCY + RECEIVE;
    double cycles = (double)cycles_of("workload.pattern=pingpong machine.nodes=2 "
                                      "workload.messages=2 workload.message_bytes=5000");
    assert_true(cycles >= 4 * (meeting + data) && cycles <= 4 * (meeting + data + 1) + 1);
}

/* All send to one: its port is the bound, and after the first message it is never idle. */
static void a_hot_spot_is_as_fast_as_its_port(void **state)
{
    (void)state;
    uint64_t cycles = cycles_of("workload.pattern=hotspot workload.as=packets machine.nodes=50 "
                                "workload.packets_per_pair=40 workload.packet_bytes=240 "
                                "machine.node.byte_ns=0");
    double port = 49 * 40 * 240 * G;
    assert_true((double)cycles >= port && (double)cycles < port + 600);
}

/* Processor time per byte is the processor's: it takes messages one by one, too. */
static void a_hot_spot_of_messages_is_as_fast_as_its_processor(void **state)
{
    (void)state;
    uint64_t cycles = cycles_of("workload.pattern=hotspot workload.as=messages machine.nodes=20 "
                                "workload.messages=10 workload.message_bytes=1000 "
                                "machine.node.byte_ns=5 machine.node.receive_ns=0");
    double processor = 19 * 10 * 1000 * 5.0;
    assert_true((double)cycles >= processor && (double)cycles < 1.1 * processor);
}

/* Sends take the port when they are ready, whoever posted first: the processes of a node that talk
 * to different nodes do not wait for each other while the port is idle. */
static void a_port_is_not_kept_for_a_send_to_come(void **state)
{
    (void)state;
    static const char *const settings = "workload.pattern=pairs machine.nodes=%u "
                                        "machine.node.processors=4 workload.processes_per_node=%u "
                                        "workload.messages=20 workload.message_bytes=100 "
                                        "machine.latency_ns=100000";
    char text[300];
    snprintf(text, sizeof(text), settings, 8, 1);
    double one = (double)cycles_of(text);
    snprintf(text, sizeof(text), settings, 8, 4);
    double four = (double)cycles_of(text);
    assert_true(four < 1.02 * one);
}

/* A gap that is longer than a message's bytes is what a port needs for each. */
static void short_messages_are_limited_by_the_gap(void **state)
{
    (void)state;
    uint64_t cycles = cycles_of("workload.pattern=hotspot workload.as=packets machine.nodes=2 "
                                "workload.packets_per_pair=1000 workload.packet_bytes=8 "
                                "machine.port.gap_ns=50 machine.node.byte_ns=0");
    assert_cycles(cycles, 999 * 50 + LATENCY + 8 * G);
}

static void refuse(const char *settings, const char *why)
{
    struct run_result r;
    assert_int_equal(run_on("ideal", settings, 1, false, &r), WEFT_BAD_INPUT);
    if (!strstr(weft_last_error(), why))
        fail_msg("%s", weft_last_error());
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    refuse("machine.topology=torus:8x8x8 machine.nodes=100", "machine.topology has 512");
    refuse("machine.nodes=0", "the machine has no nodes");
    refuse("machine.topology=torus:8x machine.nodes=0", "machine.topology: ");
    refuse("workload.pattern=tornado", "needs coordinates");
    refuse("workload.pattern=uniform workload.packet_bytes=1000", "a packet holds 240");
    refuse("workload.pattern=pingpong machine.nodes=2 workload.message_bytes=4000000000 "
           "machine.port.mb_per_s=0.001",
           "may take 4000000 s of simulated time");
    refuse("workload.pattern=pingpong machine.nodes=1", "needs two nodes");
    refuse("workload.pattern=alltoall workload.as=packets workload.within=line",
           "workload.within needs coordinates");
    refuse("workload.pattern=hotspot workload.as=packets workload.hot_dims=2x2",
           "workload.hot_dims needs coordinates");
    refuse("workload.pattern=pingpong workload.hops=0", "is within a node, which has one process");
    refuse("workload.pattern=pingpong workload.hops=2", "no node is that far from the first");
}

/* A two-way chain of nodes as a graph file, and its ends as far apart as it says. */
static void write_chain(const char *path, uint32_t nodes)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (uint32_t node = 0; node < nodes; node++) {
        fprintf(f, "%u:", node);
        if (node)
            fprintf(f, " %u", node - 1);
        if (node + 1 < nodes)
            fprintf(f, " %u", node + 1);
        fprintf(f, "\n");
    }
    fclose(f);
}

static void long_chains_have_long_distances(void **state)
{
    (void)state;
    char path[] = "/tmp/weft-chain-XXXXXX", settings[200];
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    write_chain(path, 256);
    snprintf(
        settings, sizeof(settings),
        "machine.topology=%s machine.nodes=0 workload.pattern=pingpong workload.hops=255 "
        "workload.messages=1 workload.message_bytes=1 machine.hop_ns=10 machine.node.byte_ns=0",
        path);
    uint64_t far = cycles_of(settings);
    snprintf(
        settings, sizeof(settings),
        "machine.topology=%s machine.nodes=0 workload.pattern=pingpong workload.hops=1 "
        "workload.messages=1 workload.message_bytes=1 machine.hop_ns=10 machine.node.byte_ns=0",
        path);
    assert_int_equal(far - cycles_of(settings), 2 * 254 * 10);
    write_chain(path, 300);
    snprintf(settings, sizeof(settings), "machine.topology=%s machine.nodes=0", path);
    refuse(settings, "has a diameter of 299 hops");
    unlink(path);
}

/* A latency beyond run.stall_cycles is not a deadlock. */
static void long_latencies_are_no_deadlock(void **state)
{
    (void)state;
    double slow = 2e6;
    uint64_t cycles = cycles_of("workload.pattern=ring machine.nodes=3 workload.messages=1 "
                                "machine.node.send_ns=2000000 machine.latency_ns=2000000");
    assert_true((double)cycles > 2 * slow);
}

/* Far more packets are under way at once than the pool has places for at the start. */
static void the_pool_grows_with_what_is_under_way(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_on("ideal",
                            "workload.pattern=hotspot workload.as=packets machine.nodes=2 "
                            "workload.packets_per_pair=200000 workload.packet_bytes=1 "
                            "machine.latency_ns=1000000",
                            1, true, &r),
                     WEFT_OK);
    assert_int_equal(r.measure.delivered, 200000);
    run_result_fini(&r);
}

/* A topology gives distances; a node still has one port. */
static void bounds_are_those_of_ports_on_any_topology(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_on("ideal",
                            "workload.pattern=hotspot workload.as=packets machine.nodes=0 "
                            "machine.topology=torus:4x4x4 workload.packets_per_pair=50",
                            1, false, &r),
                     WEFT_OK);
    assert_true(r.fraction_of_peak > 0.95 && r.fraction_of_peak <= 1);
    run_result_fini(&r);
    /* The middle of three hears two. */
    assert_int_equal(run_on("ideal",
                            "workload.pattern=neighbour machine.nodes=0 machine.topology=mesh:3 "
                            "workload.load=0.5 workload.cycles=400000",
                            1, false, &r),
                     WEFT_OK);
    assert_true(r.utilisation_by_port[1] > 0.24 && r.utilisation_by_port[1] < 0.28);
    run_result_fini(&r);
}

static void no_share_exceeds_one(void **state)
{
    (void)state;
    static const char *const sizes[] = {
        "workload.packets_per_pair=1",       "workload.packets_per_pair=2",
        "workload.packets_per_pair=7",       "workload.bytes_per_pair=8",
        "workload.bytes_per_pair=500",       "workload.packet_bytes=8,240 run.seed=1",
        "workload.packet_bytes=8 run.seed=2"};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct run_result r;
        char settings[200];
        snprintf(settings, sizeof(settings),
                 "workload.pattern=alltoall workload.as=packets machine.nodes=2 "
                 "machine.port.gap_ns=1000 %s",
                 sizes[i]);
        assert_int_equal(run_on("ideal", settings, 1, false, &r), WEFT_OK);
        assert_true(r.fraction_of_peak > 0.02 && r.fraction_of_peak <= 1);
        assert_true(r.link_utilisation > 0 && r.link_utilisation <= 1);
        run_result_fini(&r);
    }
}

/* The baseline has no congestion of its own: a rendezvous costs its request and answer, no more. */
static void an_alltoall_by_rendezvous_comes_to_its_bound(void **state)
{
    (void)state;
    static const char *const limits[] = {"machine.node.eager_bytes=200000",
                                         "machine.node.eager_bytes=1024"};
    double seconds[2];
    for (unsigned i = 0; i < 2; i++) {
        char settings[300];
        struct run_result r;
        snprintf(settings, sizeof(settings),
                 "machine.nodes=64 workload.pattern=alltoall workload.algorithm=post_all "
                 "workload.message_bytes=100000 workload.messages=1 %s",
                 limits[i]);
        assert_int_equal(run_on("ideal", settings, 1, false, &r), WEFT_OK);
        seconds[i] = r.sim_seconds;
        run_result_fini(&r);
    }
    assert_near(seconds[0], 63 * 100000 / 1050e6, 1e-5);
    assert_near(seconds[1], seconds[0], 0.01 * seconds[0]);
}

GROUP(ideal)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ping_pong_takes_two_one_ways_a_round),
        cmocka_unit_test(distance_counts_by_hops_of_any_topology),
        cmocka_unit_test(an_all_to_all_takes_a_one_way_a_step),
        cmocka_unit_test(a_ring_takes_two_one_ways_a_message),
        cmocka_unit_test(a_rendezvous_is_three_messages),
        cmocka_unit_test(an_alltoall_by_rendezvous_comes_to_its_bound),
        cmocka_unit_test(a_hot_spot_is_as_fast_as_its_port),
        cmocka_unit_test(a_hot_spot_of_messages_is_as_fast_as_its_processor),
        cmocka_unit_test(a_port_is_not_kept_for_a_send_to_come),
        cmocka_unit_test(short_messages_are_limited_by_the_gap),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(long_chains_have_long_distances),
        cmocka_unit_test(long_latencies_are_no_deadlock),
        cmocka_unit_test(the_pool_grows_with_what_is_under_way),
        cmocka_unit_test(bounds_are_those_of_ports_on_any_topology),
        cmocka_unit_test(no_share_exceeds_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
