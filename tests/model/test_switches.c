/*
 * Networks of switches: times by formula, what routing reaches, proofs and the flaws that they
 * find, one answer however the network is cut.
 */
#include "group.h"
#include "testing.h"

#include "fabric/switches/network.h"
#include "machine/family.h"

static struct run_result run_switches(const char *machine, const char *settings, uint32_t threads)
{
    struct run_result r;
    if (run_on(machine, settings, threads, true, &r) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
    run_result_fini(&r);
    return r;
}

/* One packet alone: a lane, a switch and a wire for each hop, a switch and a lane, its words. */
static void a_packet_alone_takes_its_hops(void **state)
{
    (void)state;
    static const struct {
        const char *graph;
        unsigned hops, wires;
    } ways[] = {{"full:2:1", 1, 4}, {"torus:5x1x1", 2, 8}, {"mesh:9x1", 8, 32}, {"full:1:2", 0, 0}};
    for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        char settings[400];
        snprintf(settings, sizeof(settings),
                 "machine.graph=%s machine.routing.algorithm=minimal workload.pattern=pingpong "
                 "workload.as=packets "
                 "workload.hops=%u workload.messages=1 workload.message_bytes=16",
                 ways[i].graph, ways[i].hops);
        struct run_result r = run_switches("dragonfly", settings, 1);
        double one_way = 4 + 4 * (ways[i].hops + 1) + ways[i].wires + 4 + 4;
        assert_near(r.one_way_cycles, one_way, 1);
    }
}

/* Kim et al. 2008, Figure 8: what the three routings carry of even and of adversarial traffic. */
static double carried(const char *pattern, const char *algorithm, const char *load)
{
    char settings[300];
    snprintf(settings, sizeof(settings),
             "machine.graph=dragonfly:2:4:2 workload.pattern=%s machine.routing.algorithm=%s "
             "workload.load=%s workload.cycles=6000 workload.warmup_cycles=3000 "
             "workload.drain_cycles=1",
             pattern, algorithm, load);
    return run_switches("dragonfly", settings, 1).fraction_of_peak;
}

static void minimal_routing_collapses_and_valiant_carries_half(void **state)
{
    (void)state;
    assert_near(carried("nextgroup", "minimal", "0.6"), 1. / 8, 0.01); /* 1 / (a h) */
    assert_near(carried("nextgroup", "valiant", "0.4"), 0.4, 0.01);
    assert_near(carried("nextgroup", "valiant", "0.9"), 0.5, 0.05);
    assert_true(carried("nextgroup", "ugal", "0.35") > 0.34);
    assert_near(carried("uniform", "minimal", "0.7"), 0.7, 0.01);
    assert_near(carried("uniform", "ugal", "0.7"), 0.7, 0.01);
    assert_true(carried("uniform", "valiant", "0.7") < 0.52);
}

/* What a machine's proof says. */
static weft_status prove(const char *settings, char text[4096])
{
    struct config c;
    configure(&c, "dragonfly", settings);
    if (machine_finish(&c) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
    weft_status status = family_of(&c)->prove(&c, text, 4096);
    config_fini(&c);
    return status;
}

static void every_rule_is_proved_on_every_kind_of_graph(void **state)
{
    (void)state;
    static const char *const graphs[] = {"dragonfly:2:4:2",  "dragonfly:2:4:2:5",   "fattree:8:3",
                                         "xgft:4,3,2:1,2,2", "hyperx:4x4:2",        "full:6:2",
                                         "torus:4x4x4",      "torus:5x3",           "torus:2x2x2",
                                         "mesh:4x4",         "torus:4x4x8:xz4,yz4", "torus:4x8:-y",
                                         "torus:3x3x3x3",    "torus:1x1x1"};
    for (unsigned g = 0; g < sizeof(graphs) / sizeof(graphs[0]); g++)
        for (const struct routing_rule *rule = routing_rules; rule->choice.name; rule++)
            for (unsigned fixed = 0; fixed < 2; fixed++) {
                char settings[300], text[4096];
                snprintf(settings, sizeof(settings),
                         "machine.graph=%s machine.routing.algorithm=%s machine.switch.vcs=8 "
                         "machine.routing.choice=%s",
                         graphs[g], rule->choice.name, fixed ? "fixed" : "adaptive");
                if (prove(settings, text) != WEFT_OK)
                    fail_msg("%s: %s", settings, text);
            }
}

/* Flaws of dragonflies that others have shipped. */
static void flaws_are_found(void **state)
{
    (void)state;
    char text[4096];
    /* Two local hops in one group on the same VC. */
    assert_int_equal(prove("machine.routing.via=switch", text), WEFT_FAILED);
    assert_string_equal(text, "possible; 2 channels wait for each other:\n"
                              "  switch 0 > 1 (local), VC 0\n  switch 1 > 0 (local), VC 0");
    /* One VC too few. */
    assert_int_equal(prove("machine.switch.vcs=2 machine.routing.too_few_vcs=last", text),
                     WEFT_FAILED);
    assert_non_null(strstr(text, "(global), VC 1"));
    /* A torus without datelines. */
    assert_int_equal(prove("machine.graph=torus:4x4 machine.routing.vc_rule=single "
                           "machine.routing.algorithm=minimal",
                           text),
                     WEFT_FAILED);
    struct run_result r;
    assert_int_equal(run_on("dragonfly", "machine.switch.vcs=2", 1, false, &r), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "-s machine.switch.vcs=2: machine.switch.vcs = 2, but routes of "
                        "machine.graph need 3; use that many");
}

/* What a proof calls possible happens; the run ends, and says where. */
static void a_deadlock_is_explained(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_on("dragonfly",
                            "machine.graph=torus:8x8 machine.routing.vc_rule=single "
                            "machine.routing.algorithm=minimal machine.switch.vcs=1 "
                            "workload.pattern=uniform workload.load=1 workload.cycles=20000 "
                            "machine.host.lanes=4",
                            1, true, &r),
                     WEFT_FAILED);
    assert_non_null(strstr(weft_last_error(), "buffers wait for each other"));
    assert_non_null(strstr(weft_last_error(), "VC0, 16 packets, waits for"));
    run_result_fini(&r);
}

/* The third flaw: a fixed order of VCs starves some, which the figures show. */
static void a_fixed_order_starves(void **state)
{
    (void)state;
    static const char settings[] =
        "machine.graph=dragonfly:2:4:2 workload.pattern=uniform workload.load=0.95 "
        "machine.routing.algorithm=minimal workload.cycles=4000 workload.warmup_cycles=2000 "
        "workload.drain_cycles=1 machine.switch.arbiter=";
    char text[400];
    double longest[2];
    static const char *const arbiters[2] = {"oldest", "fixed"};
    for (unsigned i = 0; i < 2; i++) {
        snprintf(text, sizeof(text), "%s%s", settings, arbiters[i]);
        struct run_result r = run_switches("dragonfly", text, 1);
        longest[i] = run_result_figure(&r, "head_wait_most_vc2");
    }
    assert_true(longest[1] > 3 * longest[0]);
}

/* One answer, on graphs that tests/matrix leaves out. */
static void no_cut_changes_the_answer(void **state)
{
    (void)state;
    static const char *const runs[] = {
        "machine.graph=fattree:8:3 workload.pattern=uniform workload.load=0.9",
        "machine.graph=hyperx:4x4:2 machine.routing.algorithm=ugal machine.switch.vcs=4 "
        "workload.pattern=transpose workload.load=0.6",
        "machine.graph=torus:4x4x4 machine.switch.vcs=4 workload.pattern=tornado workload.load=0.9 "
        "machine.routing.algorithm=minimal machine.host.lanes=6",
        "machine.graph=torus:4x4x8:xz4,yz4 machine.switch.vcs=4 workload.pattern=uniform "
        "workload.load=1 machine.routing.algorithm=minimal machine.host.lanes=6 "
        "machine.switch.transit_first=true",
        "machine.graph=full:12:4 workload.pattern=allreduce workload.message_bytes=3000 "
        "machine.routing.algorithm=valiant",
        "machine.graph=xgft:4,8:1,4 workload.pattern=alltoall workload.message_bytes=2000 "
        "workload.messages=1"};
    for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        char settings[400];
        uint64_t digest = 0;
        for (unsigned way = 0; way < 4; way++) {
            snprintf(settings, sizeof(settings),
                     "%s workload.cycles=1500 workload.warmup_cycles=500 run.partitions=%u",
                     runs[i], 1 + 3 * way);
            struct run_result r = run_switches("dragonfly", settings, 1 + way);
            if (way && r.measure.digest != digest)
                fail_msg("%s: another digest", settings);
            digest = r.measure.digest;
        }
    }
}

/* Messages that overtake each other on adaptive routes and several lanes are put in order again:
 * programs that depend on it end well, and nothing is lost. */
static void messages_keep_their_order(void **state)
{
    (void)state;
    struct run_result r = run_switches(
        "dragonfly",
        "machine.graph=dragonfly:2:4:2 machine.host.lanes=4 workload.pattern=program "
        "workload.program=halo machine.routing.algorithm=valiant machine.adapter.payload_bytes=64",
        2);
    assert_true(r.measure.delivered > 0);
    assert_int_equal(r.measure.delivered, r.measure.generated);
}

/* Fixed routes spread over all ways up a fat tree, and detours over all links between groups. */
static void fixed_routes_and_detours_use_all_links(void **state)
{
    (void)state;
    struct run_result tree = run_switches(
        "fat-tree",
        "machine.graph=fattree:8:3 machine.routing.choice=fixed workload.pattern=uniform "
        "workload.load=0.5 workload.cycles=8000 workload.warmup_cycles=4000 "
        "workload.drain_cycles=1",
        1);
    assert_true(tree.fraction_of_peak > 0.45);
    struct run_result few =
        run_switches("dragonfly",
                     "machine.graph=dragonfly:2:4:2:5 machine.routing.algorithm=valiant "
                     "workload.pattern=nextgroup workload.load=0.45 workload.cycles=6000 "
                     "workload.warmup_cycles=3000 workload.drain_cycles=1",
                     1);
    assert_true(few.fraction_of_peak > 0.44);
}

/* A message is there when all of its packets are, however short the last one on its own lane. */
static void a_longer_message_takes_longer(void **state)
{
    (void)state;
    double before = 0;
    for (uint32_t bytes = 1000; bytes < 1050; bytes += 8) {
        char settings[200];
        snprintf(settings, sizeof(settings),
                 "machine.graph=torus:2 workload.pattern=pingpong workload.as=messages "
                 "workload.message_bytes=%u",
                 bytes);
        struct run_result r = run_switches("torus-pod", settings, 1);
        assert_true(r.one_way_cycles >= before);
        before = r.one_way_cycles;
    }
}

/*
 * Jouppi et al. 2023: twisting raises all-to-all throughput 1.6 times on 4x4x8 and 1.3 times on
 * 4x8x8. By the links alone it could be 1.74 and 1.39: mean hops along the longest dimension
 * against a third of all hops.
 */
static double alltoall_cycles(const char *graph)
{
    char settings[300];
    snprintf(settings, sizeof(settings),
             "machine.graph=%s workload.pattern=alltoall workload.as=packets "
             "workload.packets_per_pair=4",
             graph);
    return (double)run_switches("torus-pod", settings, 2).cycles;
}

static void twisting_pays(void **state)
{
    (void)state;
    assert_near(alltoall_cycles("torus:4x4x8") / alltoall_cycles("torus:4x4x8:xz4,yz4"), 1.7, 0.1);
    assert_near(alltoall_cycles("torus:4x8x8") / alltoall_cycles("torus:4x8x8:xy4,xz4"), 1.37, 0.1);
}

/* What is under way over a long wire is no queue: with light traffic, packets go straight. */
static void long_wires_are_no_reason_for_a_detour(void **state)
{
    (void)state;
    static const char *const wires[] = {"40", "400"};
    for (unsigned i = 0; i < 2; i++) {
        char settings[400];
        struct run_result r;
        snprintf(settings, sizeof(settings),
                 "machine.graph=dragonfly:2:4:2 machine.routing.algorithm=ugal "
                 "machine.switch.vc_words=2048 machine.link.wire_cycles=40 "
                 "machine.link.long_wire_cycles=%s workload.pattern=uniform workload.load=0.1 "
                 "workload.cycles=20000",
                 wires[i]);
        assert_int_equal(run_on("dragonfly", settings, 1, false, &r), WEFT_OK);
        assert_in_range((uint64_t)(1e4 * run_result_figure(&r, "detour_share")), 0, 100);
        run_result_fini(&r);
    }
}

GROUP(switches)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_alone_takes_its_hops),
        cmocka_unit_test(minimal_routing_collapses_and_valiant_carries_half),
        cmocka_unit_test(every_rule_is_proved_on_every_kind_of_graph),
        cmocka_unit_test(flaws_are_found),
        cmocka_unit_test(a_deadlock_is_explained),
        cmocka_unit_test(a_fixed_order_starves),
        cmocka_unit_test(long_wires_are_no_reason_for_a_detour),
        cmocka_unit_test(no_cut_changes_the_answer),
        cmocka_unit_test(messages_keep_their_order),
        cmocka_unit_test(fixed_routes_and_detours_use_all_links),
        cmocka_unit_test(a_longer_message_takes_longer),
        cmocka_unit_test(twisting_pays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
