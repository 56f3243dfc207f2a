/*
 * One answer: every workload on four machines gives the same digest and the same counters for 1, 2,
 * 3, 4 and 8 threads and for three ways to cut it, and no invariant is broken in any of them.
 * "small" as an argument leaves out the largest machine (for slow sanitizers).
 */
#include "testing.h"

#define KNOWN_DIGEST 0x01e31e855de1a441ull

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
        machine_count = 2;
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
        cmocka_unit_test(seeds_differ),
        cmocka_unit_test(the_digest_of_a_known_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
