/*
 * One answer: every workload on four tori and three graphs gives the same digest and the same
 * counters for 1, 2, 3, 4 and 8 threads and for three ways to cut it, and no invariant is broken in
 * any of them. "small" as an argument leaves out the largest machines (for slow sanitizers).
 */
#include "testing.h"

#include "workload/digraph_workload.h"

#define KNOWN_DIGEST       0x01e31e855de1a441ull
#define KNOWN_GRAPH_DIGEST 0x5f27103b441f2bddull

struct machine {
    const char *dims, *extra;
};

static const struct machine machines[] = {
    {"4x4x4", "workload.packets_per_pair=3"},
    {"3x5x7", "workload.packets_per_pair=2"},
    {"8x8x1", "workload.packets_per_pair=3"},
    {"8x8x8", "workload.packets_per_pair=1 workload.cycles=1500 workload.warmup_cycles=500"},
};

static unsigned machine_count = 4;

/* Graphs; on the irregular one links make errors. */
static const struct machine graphs[] = {
    {"kautz:2:4", "workload.message_bytes=1100 workload.processes_per_node=2 "
                  "workload.messages=1 "
                  "machine.router.buffer_packets=4"},
    {WEFT_TEST_DATA "/tests/fuzz/corpus/graph/irregular",
     "workload.message_bytes=3000 machine.link.bit_error_rate=1e-5"},
    {"kautz:3:3", "workload.message_bytes=400 workload.messages=1 machine.link.wire_cycles=3 "
                  "machine.router.bypass_cycles=1"},
};

static unsigned graph_count = 3;

static void settings_of(char *text, size_t size, const struct machine *m, enum pattern p,
                        const char *bricks)
{
    snprintf(text, size,
             "machine.dims=%s workload.pattern=%s workload.load=1.1 workload.cycles=3000 "
             "workload.warmup_cycles=1000 workload.packet_bytes=32,96,256 workload.high_share=0.1 "
             "workload.dynamic_share=0.8 workload.groups=2 workload.message_bytes=5000 "
             "run.interval_cycles=500 %s %s",
             m->dims, pattern_name(p), m->extra, bricks);
}

static void assert_same(const struct run_result *a, const struct run_result *b, const char *what)
{
    if (a->measure.digest != b->measure.digest || a->cycles != b->cycles)
        fail_msg("%s: digest %016llx, not %016llx", what, (unsigned long long)b->measure.digest,
                 (unsigned long long)a->measure.digest);
    assert_int_equal(a->measure.hops, b->measure.hops);
    assert_int_equal(a->measure.unblocking, b->measure.unblocking);
    assert_int_equal(a->measure.bypassed, b->measure.bypassed);
    assert_memory_equal(a->measure.busy, b->measure.busy, sizeof(a->measure.busy));
    assert_memory_equal(a->measure.occupied, b->measure.occupied, sizeof(a->measure.occupied));
    assert_memory_equal(a->measure.unavailable, b->measure.unavailable,
                        sizeof(a->measure.unavailable));
    assert_memory_equal(&a->measure.response, &b->measure.response, sizeof(a->measure.response));
    assert_int_equal(a->measure.rows, b->measure.rows);
    assert_memory_equal(a->measure.row, b->measure.row, a->measure.rows * sizeof(*a->measure.row));
    assert_int_equal(a->measure.names, b->measure.names);
    assert_memory_equal(a->measure.hops_by_vc, b->measure.hops_by_vc,
                        sizeof(a->measure.hops_by_vc));
    assert_memory_equal(a->measure.link, b->measure.link, sizeof(a->measure.link));
    assert_int_equal(a->figures, b->figures);
    for (uint32_t i = 0; i < a->figures; i++)
        assert_near(b->figure[i].value, a->figure[i].value, 0);
}

static void one_digest_for(enum pattern p)
{
    static const struct {
        uint32_t threads;
        const char *bricks;
    } ways[] = {{2, ""},
                {3, ""},
                {4, ""},
                {8, ""},
                {1, "run.bricks=2x1x1"},
                {2, "run.bricks=1x3x1"},
                {3, "run.bricks=2x2x2"}};
    for (unsigned m = 0; m < machine_count; m++) {
        char settings[600];
        struct run_result one, other;
        settings_of(settings, sizeof(settings), &machines[m], p, "");
        if (run_machine(settings, 1, true, &one) != WEFT_OK)
            fail_msg("%s: %s", settings, weft_last_error());
        for (unsigned w = 0; w < sizeof(ways) / sizeof(ways[0]); w++) {
            settings_of(settings, sizeof(settings), &machines[m], p, ways[w].bricks);
            if (run_machine(settings, ways[w].threads, true, &other) != WEFT_OK)
                fail_msg("%s: %s", settings, weft_last_error());
            assert_same(&one, &other, settings);
            run_result_fini(&other);
        }
        run_result_fini(&one);
    }
}

#define PATTERN_TEST(name, pattern)                                                                \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        one_digest_for(pattern);                                                                   \
    }

PATTERN_TEST(alltoall, PATTERN_ALLTOALL)
PATTERN_TEST(uniform, PATTERN_UNIFORM)
PATTERN_TEST(hotregion, PATTERN_HOTREGION)
PATTERN_TEST(hotspot, PATTERN_HOTSPOT)
PATTERN_TEST(neighbour, PATTERN_NEIGHBOUR)
PATTERN_TEST(pingpong, PATTERN_PINGPONG)
PATTERN_TEST(linefill, PATTERN_LINEFILL)
PATTERN_TEST(planefill, PATTERN_PLANEFILL)
PATTERN_TEST(transpose, PATTERN_TRANSPOSE)
PATTERN_TEST(bitcomplement, PATTERN_BITCOMPLEMENT)
PATTERN_TEST(bitreverse, PATTERN_BITREVERSE)
PATTERN_TEST(tornado, PATTERN_TORNADO)
PATTERN_TEST(shuffle, PATTERN_SHUFFLE)
PATTERN_TEST(permutation, PATTERN_PERMUTATION)

/* ---- graphs ---- */

static void run_graph(const struct machine *m, enum pattern p, uint32_t threads,
                      uint32_t partitions, struct run_result *r)
{
    char settings[700];
    snprintf(settings, sizeof(settings),
             "machine.graph=%s workload.pattern=%s workload.load=1.1 workload.cycles=1000 "
             "workload.warmup_cycles=300 workload.packet_bytes=0,8,128 run.interval_cycles=500 "
             "workload.messages=2 machine.node.rails_bytes=2000 run.partitions=%u %s",
             m->dims, pattern_name(p), partitions, m->extra);
    if (run_on("sc5832", settings, threads, true, r) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
}

static void one_digest_for_graphs(enum pattern p)
{
    static const struct {
        uint32_t threads, partitions;
    } cuts[] = {{2, 0}, {3, 0}, {4, 0}, {8, 0}, {1, 2}, {2, 7}, {3, 5}};
    for (unsigned m = 0; m < graph_count; m++) {
        struct run_result one, other;
        char what[64];
        run_graph(&graphs[m], p, 1, 0, &one);
        for (unsigned i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
            run_graph(&graphs[m], p, cuts[i].threads, cuts[i].partitions, &other);
            snprintf(what, sizeof(what), "%s, graph %u, %u threads, %u partitions", pattern_name(p),
                     m, cuts[i].threads, cuts[i].partitions);
            assert_same(&one, &other, what);
            run_result_fini(&other);
        }
        run_result_fini(&one);
    }
}

static void every_workload_on_graphs(void **state)
{
    (void)state;
    for (unsigned p = 0; p < PATTERN_COUNT; p++)
        if (digraph_workload_has((enum pattern)p))
            one_digest_for_graphs((enum pattern)p);
}

/* Measured for a time, with messages under way at its end. */
static void messages_without_end_on_graphs(void **state)
{
    (void)state;
    static const enum pattern patterns[] = {PATTERN_ALLTOALL, PATTERN_PAIRS, PATTERN_RING};
    for (unsigned i = 0; i < 3; i++) {
        struct machine endless = {"kautz:3:3", "workload.messages=0 workload.message_bytes=1500 "
                                               "workload.processes_per_node=3"};
        struct run_result one, other;
        run_graph(&endless, patterns[i], 1, 0, &one);
        run_graph(&endless, patterns[i], 2, 5, &other);
        assert_same(&one, &other, pattern_name(patterns[i]));
        assert_true(one.open && run_result_figure(&one, "messages_received") > 0);
        run_result_fini(&one);
        run_result_fini(&other);
    }
}

static void seeds_differ(void **state)
{
    (void)state;
    struct run_result a = run_ok("machine.dims=4x4x4 run.seed=1"),
                      b = run_ok("machine.dims=4x4x4 run.seed=2"),
                      again = run_ok("machine.dims=4x4x4 run.seed=1");
    assert_int_not_equal(a.measure.digest, b.measure.digest);
    assert_int_equal(a.measure.digest, again.measure.digest);
}

/* Pinned: a change of simulated results must say so. The same on every kind of computer. */
static void the_digest_of_a_known_graph_run(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_on("sc5832",
                            "machine.graph=kautz:3:3 workload.pattern=uniform workload.load=0.9 "
                            "workload.cycles=5000 workload.packet_bytes=8,128",
                            1, true, &r),
                     WEFT_OK);
    if (r.measure.digest != KNOWN_GRAPH_DIGEST)
        fail_msg("digest %016llx", (unsigned long long)r.measure.digest);
    run_result_fini(&r);
}

static void the_digest_of_a_known_run(void **state)
{
    (void)state;
    struct run_result r = run_ok("machine.dims=4x4x4 workload.pattern=uniform workload.load=0.9 "
                                 "workload.cycles=5000 workload.packet_bytes=32,256");
    if (r.measure.digest != KNOWN_DIGEST)
        fail_msg("digest %016llx", (unsigned long long)r.measure.digest);
}

/* Gaps of more than 2^31 cycles between the events of a partition: routers keep low halves. */
static void long_gaps_do_not_depend_on_the_cut(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "machine.dims=2x1x1 workload.pattern=uniform workload.load=1e-7 "
        "workload.cycles=100000000000",
        "machine.dims=4x4x4 workload.pattern=uniform workload.load=1e-8 "
        "workload.cycles=1000000000000"};
    for (unsigned i = 0; i < 2; i++) {
        struct run_result one, other;
        assert_int_equal(run_machine(settings[i], 1, false, &one), WEFT_OK);
        assert_int_equal(run_machine(settings[i], 2, false, &other), WEFT_OK);
        assert_true(one.measure.response.max < 2000);
        assert_same(&one, &other, settings[i]);
        run_result_fini(&one);
        run_result_fini(&other);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "small") == 0)
        machine_count = graph_count = 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_gaps_do_not_depend_on_the_cut),
        cmocka_unit_test(alltoall),
        cmocka_unit_test(uniform),
        cmocka_unit_test(hotregion),
        cmocka_unit_test(hotspot),
        cmocka_unit_test(neighbour),
        cmocka_unit_test(pingpong),
        cmocka_unit_test(linefill),
        cmocka_unit_test(planefill),
        cmocka_unit_test(transpose),
        cmocka_unit_test(bitcomplement),
        cmocka_unit_test(bitreverse),
        cmocka_unit_test(tornado),
        cmocka_unit_test(shuffle),
        cmocka_unit_test(permutation),
        cmocka_unit_test(every_workload_on_graphs),
        cmocka_unit_test(messages_without_end_on_graphs),
        cmocka_unit_test(seeds_differ),
        cmocka_unit_test(the_digest_of_a_known_run),
        cmocka_unit_test(the_digest_of_a_known_graph_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
