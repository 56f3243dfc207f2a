/* Workloads send what they say: every pair, every node of a line or plane, nothing twice. */
#include "testing.h"

#include "workload/workload.h"

/* Calls the workload's program for all nodes and counts packets by (from, to). */
static uint32_t *count_pairs(const char *settings, struct config *c, uint32_t *nodes)
{
    struct workload *w;
    char text[512];
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    machine_init(c);
    assert_int_equal(config_machine(c, "bluegene-l"), WEFT_OK);
    snprintf(text, sizeof(text), "%s", settings);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        if (config_override(c, word) != WEFT_OK)
            fail_msg("%s", weft_last_error());
    assert_int_equal(workload_create(&c->workload, &c->torus, &c->router, 16, 1, &w), WEFT_OK);
    uint32_t n = *nodes = c->torus.nodes;
    uint32_t *pairs = calloc((size_t)n * n, sizeof(*pairs));
    for (uint32_t node = 0; node < n; node++) {
        struct send send = {.chunks = 0};
        for (uint32_t k = 0; w->program.packet(w->program.ctx, node, k, &send); k++) {
            assert_true(send.destination < n && send.destination != node);
            assert_in_range(send.chunks, 1, 8);
            pairs[(size_t)node * n + send.destination]++;
            send = (struct send){.chunks = 0};
        }
    }
    workload_destroy(w);
    config_fini(c);
    return pairs;
}

static void alltoall_sends_to_every_other_node(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "workload.packets_per_pair=1",
        "workload.packets_per_pair=7",
        "workload.packets_per_pair=7 workload.packets_per_visit=1",
        "workload.packets_per_pair=7 workload.packets_per_visit=3",
        "workload.packets_per_pair=7 workload.packets_per_visit=100",
    };
    for (unsigned i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        char settings[256];
        struct config c;
        uint32_t n;
        snprintf(settings, sizeof(settings), "machine.dims=3x5x2 %s", variants[i]);
        uint32_t *pairs = count_pairs(settings, &c, &n);
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n; b++)
                assert_int_equal(pairs[a * n + b], a == b ? 0 : i ? 7 : 1);
        free(pairs);
    }
}

static void lines_and_planes_stay_inside(void **state)
{
    (void)state;
    for (unsigned within = 1; within <= 2; within++)
        for (unsigned dim = 0; dim < 3; dim++) {
            char settings[256];
            struct config c;
            uint32_t n;
            snprintf(settings, sizeof(settings),
                     "machine.dims=3x4x2 workload.within=%s workload.dim=%c",
                     within == 1 ? "line" : "plane", "xyz"[dim]);
            uint32_t *pairs = count_pairs(settings, &c, &n);
            for (uint32_t a = 0; a < n; a++)
                for (uint32_t b = 0; b < n; b++) {
                    uint32_t ca[6], cb[6];
                    torus_coordinates(&c.torus, a, ca);
                    torus_coordinates(&c.torus, b, cb);
                    bool inside = true;
                    for (unsigned d = 0; d < 3; d++)
                        if ((d == dim) != (within == 1) && ca[d] != cb[d])
                            inside = false;
                    assert_int_equal(pairs[a * n + b], inside && a != b);
                }
            free(pairs);
        }
}

static void bytes_become_packets(void **state)
{
    (void)state;
    struct run_result r = run_ok("machine.dims=2x2x1 workload.bytes_per_pair=500");
    assert_int_equal(r.measure.delivered, 12 * 3); /* 240 + 240 + 20 */
    assert_int_equal(r.measure.payload_bytes, 12 * 500);
}

static void hotspot_is_outside_to_inside(void **state)
{
    (void)state;
    struct config c;
    uint32_t n;
    uint32_t *pairs =
        count_pairs("machine.dims=4x4x4 workload.pattern=hotspot workload.hot_dims=2x2x1 "
                    "workload.packets_per_pair=3",
                    &c, &n);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            bool hot_a = a % 4 < 2 && a / 4 % 4 < 2 && a / 16 < 1;
            bool hot_b = b % 4 < 2 && b / 4 % 4 < 2 && b / 16 < 1;
            assert_int_equal(pairs[a * n + b], !hot_a && hot_b ? 3 : 0);
        }
    free(pairs);
}

static void a_line_fill_reaches_every_node(void **state)
{
    (void)state;
    struct run_result r = run_ok("machine.dims=5x3x2 workload.pattern=linefill "
                                 "workload.message_bytes=9600");
    assert_int_equal(r.measure.injected, 40 * 6);
    assert_int_equal(r.measure.delivered, 40 * 6 * 4);
    struct run_result copies = run_ok("machine.dims=5x3x2 workload.pattern=linefill "
                                      "workload.message_bytes=9600 workload.deposit=false");
    assert_int_equal(copies.measure.injected, 40 * 6 * 4);
    assert_int_equal(copies.measure.delivered, r.measure.delivered);
    assert_true(copies.cycles > 3 * r.cycles);
}

static void a_plane_fill_reaches_every_node(void **state)
{
    (void)state;
    static const char *const machines[] = {"4x4x2", "2x5x3", "3x1x2", "8x8x1"};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned dim = 0; dim < 3; dim++) {
            char settings[256];
            struct torus t;
            torus_parse(machines[i], &t);
            uint64_t plane = t.nodes / t.size[dim];
            snprintf(settings, sizeof(settings),
                     "machine.dims=%s workload.pattern=planefill workload.dim=%c "
                     "workload.message_bytes=9600",
                     machines[i], "xyz"[dim]);
            struct run_result r = run_ok(settings);
            assert_int_equal(r.measure.delivered, 40 * (plane - 1) * t.size[dim]);
        }
}

static void permutations_are_permutations(void **state)
{
    (void)state;
    static const char *const machines[] = {"4x4x4", "3x5x7", "8x8x1", "2x3x1"};
    for (unsigned p = 0; p < PATTERN_COUNT; p++) {
        bool fixed = p == PATTERN_TRANSPOSE || p == PATTERN_BITCOMPLEMENT ||
                     p == PATTERN_BITREVERSE || p == PATTERN_TORNADO || p == PATTERN_SHUFFLE ||
                     p == PATTERN_PERMUTATION;
        if (!fixed)
            continue;
        for (unsigned m = 0; m < 4; m++) {
            struct torus t;
            struct workload w = {.torus = &t, .permutation_key = 99};
            w.params.pattern = (enum pattern)p;
            torus_parse(machines[m], &t);
            char seen[128] = {0};
            for (uint32_t node = 0; node < t.nodes; node++) {
                struct send send = {.chunks = 0};
                if (!pattern_send(&w, node, 0, &send))
                    continue;
                assert_false(seen[send.destination]);
                seen[send.destination] = 1;
            }
        }
    }
}

static void patterns_of_the_literature(void **state)
{
    (void)state;
    struct torus t;
    struct workload w = {.torus = &t};
    struct send send;
    torus_parse("8x8x8", &t);
    const struct {
        enum pattern pattern;
        uint32_t from, to;
    } known[] = {
        {PATTERN_TRANSPOSE, 1 + 8 * 2 + 64 * 3, 3 + 8 * 2 + 64 * 1},
        {PATTERN_BITCOMPLEMENT, 1 + 8 * 2 + 64 * 3, 6 + 8 * 5 + 64 * 4},
        {PATTERN_BITREVERSE, 1, 256},
        {PATTERN_TORNADO, 0, 3 + 8 * 3 + 64 * 3},
        {PATTERN_SHUFFLE, 256 + 3, 6 + 1},
    };
    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        w.params.pattern = known[i].pattern;
        assert_true(pattern_send(&w, known[i].from, 0, &send));
        assert_int_equal(send.destination, known[i].to);
    }
}

static void a_ping_pong_plays_its_rounds(void **state)
{
    (void)state;
    struct run_result r = run_ok("machine.dims=4x4x4 workload.pattern=pingpong workload.messages=7 "
                                 "workload.message_bytes=1000 workload.hops=3");
    assert_int_equal(r.measure.delivered, 2 * 7 * 5);
    assert_int_equal(r.measure.hops, 2 * 7 * 5 * 3);
}

static void what_a_machine_cannot_do_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "machine.dims=4x4x4 workload.pattern=pingpong workload.hops=7",
        "machine.dims=4x4x4 workload.pattern=hotspot workload.hot_dims=5x1x1",
        "machine.dims=4x4x4 workload.pattern=hotspot workload.hot_dims=2x2",
        "machine.dims=4x4 workload.pattern=linefill workload.dim=z",
        "machine.dims=4x4x4 machine.wrap=false workload.pattern=planefill",
        "machine.dims=64x64x64 workload.packets_per_pair=100000",
        "machine.dims=4x4x4 run.bricks=2x2",
        "machine.dims=4096x4096x100",
    };
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct run_result r;
        assert_int_equal(run_machine(wrong[i], 1, false, &r), WEFT_BAD_INPUT);
    }
}

static void dead_nodes_are_left_out_and_led_around(void **state)
{
    (void)state;
    const char *settings = "machine.dims=4x4x4 workload.pattern=alltoall "
                           "workload.packets_per_pair=3 machine.dead_nodes=0/1/2,3/3/3,2/0/1 "
                           "machine.dead_links=1/1/1:x+,2/2/2:z-";
    uint64_t digest = 0;
    for (uint32_t threads = 1; threads <= 4; threads *= 2) {
        struct run_result r;
        assert_int_equal(run_machine(settings, threads, true, &r), WEFT_OK);
        assert_int_equal(r.measure.delivered, 61 * 60 * 3);
        /* Three nodes with six links each way, and two more links each way. */
        assert_int_equal(r.links_by_port[0], 64 - 2 * 3 - 1);
        assert_int_equal(r.links_by_port[5], 64 - 2 * 3 - 1);
        assert_true(threads == 1 || r.measure.digest == digest);
        digest = r.measure.digest;
        run_result_fini(&r);
    }
}

static void neighbours_of_dead_nodes_send_to_the_living(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_machine("machine.dims=4x4x4 workload.pattern=neighbour workload.load=0.5 "
                                 "workload.cycles=5000 machine.dead_nodes=0/0/0 "
                                 "machine.dead_links=2/1/3:x+",
                                 2, true, &r),
                     WEFT_OK);
    assert_true(r.measure.delivered > 1000);
    run_result_fini(&r);
}

static void a_full_machine_with_dead_nodes_goes_on(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_machine("machine.dims=8x8x8 workload.pattern=uniform workload.load=2 "
                                 "workload.cycles=20000 machine.dead_nodes=1/2/3,4/4/4,6/0/7",
                                 2, true, &r),
                     WEFT_OK);
    assert_int_equal(r.measure.delivered, r.measure.generated);
    run_result_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alltoall_sends_to_every_other_node),
        cmocka_unit_test(lines_and_planes_stay_inside),
        cmocka_unit_test(bytes_become_packets),
        cmocka_unit_test(hotspot_is_outside_to_inside),
        cmocka_unit_test(a_line_fill_reaches_every_node),
        cmocka_unit_test(a_plane_fill_reaches_every_node),
        cmocka_unit_test(permutations_are_permutations),
        cmocka_unit_test(patterns_of_the_literature),
        cmocka_unit_test(a_ping_pong_plays_its_rounds),
        cmocka_unit_test(what_a_machine_cannot_do_is_refused),
        cmocka_unit_test(dead_nodes_are_left_out_and_led_around),
        cmocka_unit_test(neighbours_of_dead_nodes_send_to_the_living),
        cmocka_unit_test(a_full_machine_with_dead_nodes_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
