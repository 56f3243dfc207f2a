/*
 * One answer: every pattern on every machine that offers what it needs, as packets and as messages,
 * gives the same digest and the same counters for 1, 2, 3, 4 and 8 threads and for three ways to
 * cut a machine, and no invariant is broken in any of them. A new row in the table of patterns is
 * tested without any change here. The argument "small" (for TSan, whose verdict is then what
 * counts) runs each once on a small machine, on three threads.
 */
#include "base/text/text.h"
#include "models.h"
#include "study/study.h"

#define KNOWN_DIGEST       0x6a42ffa8a36a4577ull
#define KNOWN_GRAPH_DIGEST 0x69c8e79a1c4bf0eeull

/* A machine of a family: its size, and settings of packets and of messages, which come last. */
struct machine {
    const char *size, *packets, *messages;
};

/* Threads, and a setting that cuts the machine. */
struct way {
    uint32_t threads;
    const char *cut;
};

enum { MACHINES_MOST = 4, SMALL_MACHINES = 2, WAYS = 7 };

/* What is run of a family: settings of all its machines, the machines, and how each is cut. */
struct bench {
    const char *fabric, *nic, *machine, *settings;
    struct machine machines[MACHINES_MOST];
    struct way ways[WAYS];
};

/* On the second torus and the second graph links make errors when messages are sent. */
static const struct bench benches[] = {
    {"torus",
     "fifo",
     "bluegene-l",
     "workload.load=1.1 workload.cycles=3000 workload.warmup_cycles=1000 "
     "workload.packet_bytes=32,96,256 workload.high_share=0.1 workload.dynamic_share=0.8 "
     "workload.groups=2 workload.message_bytes=5000 run.interval_cycles=500",
     {{"machine.dims=4x4x4", "workload.packets_per_pair=3",
       "workload.messages=2 workload.message_bytes=1000"},
      {"machine.dims=3x5x4", "workload.packets_per_pair=2",
       "workload.messages=1 workload.message_bytes=500 machine.link.bit_error_rate=1e-5 "
       "machine.node.interrupts=true machine.node.reception_watermark_bytes=512 "
       "machine.node.injection_watermark_bytes=256"},
      {"machine.dims=8x8x1",
       "workload.packets_per_pair=3 machine.node.injection_fifo_bytes=0 "
       "machine.node.reception_fifo_bytes=0 machine.router.request_cycles=3 "
       "machine.router.vc_transfers=3",
       "workload.messages=1 workload.message_bytes=3000 " NO_CORES},
      {"machine.dims=8x8x8",
       "workload.packets_per_pair=1 workload.cycles=1500 workload.warmup_cycles=500",
       "workload.messages=1 workload.message_bytes=100"}},
     {{2, ""},
      {3, ""},
      {4, ""},
      {8, ""},
      {1, "run.bricks=2x1x1"},
      {2, "run.bricks=1x3x1"},
      {3, "run.bricks=2x2x2"}}},
    {"crosspoint",
     "dma",
     "sc5832",
     "workload.load=1.1 workload.cycles=1000 workload.warmup_cycles=300 "
     "workload.packet_bytes=0,8,128 run.interval_cycles=500 workload.messages=2 "
     "workload.packets_per_pair=3 machine.node.rails_bytes=2000",
     {{"machine.graph=kautz:2:4", "workload.message_bytes=1100 machine.router.crosspoint_packets=4",
       "workload.message_bytes=1100 workload.processes_per_node=2 workload.messages=1 "
       "machine.router.crosspoint_packets=4 machine.node.memory_total_mb_per_s=1000"},
      {"machine.graph=" WEFT_TEST_DATA "/tests/fuzz/corpus/graph/irregular",
       "workload.message_bytes=3000 machine.link.bit_error_rate=1e-5",
       "workload.message_bytes=3000 machine.link.bit_error_rate=1e-5"},
      {"machine.graph=kautz:3:3",
       "workload.message_bytes=400 machine.link.wire_cycles=3 machine.router.bypass_cycles=1",
       "workload.message_bytes=400 workload.messages=1 machine.link.wire_cycles=3 "
       "machine.router.bypass_cycles=1"}},
     {{2, ""},
      {3, ""},
      {4, ""},
      {8, ""},
      {1, "run.partitions=2"},
      {2, "run.partitions=7"},
      {3, "run.partitions=5"}}},
    {"tofu",
     "tni",
     "k-computer",
     "workload.load=1.1 workload.cycles=700 workload.warmup_cycles=200 "
     "workload.packet_bytes=0,8,2008 run.interval_cycles=500 workload.messages=1 "
     "workload.packets_per_pair=2 machine.node.rails_bytes=5000 machine.node.rails=4",
     {{"machine.dims=2x1x1x2x3x2", "workload.message_bytes=9000 machine.tni.path=turn",
       "workload.message_bytes=17000 workload.processes_per_node=2 "
       "machine.node.rendezvous=get machine.node.rails=1 "
       "machine.node.memory_total_mb_per_s=7000"},
      {"machine.dims=1x1x1x2x3x2",
       "workload.message_bytes=3000 machine.link.bit_error_rate=1e-5 "
       "machine.dead_nodes=0/0/0/1/1/0",
       "workload.message_bytes=17000 machine.link.bit_error_rate=1e-5"},
      {"machine.dims=1x1x3x2x3x2 machine.wrap=false",
       "workload.message_bytes=400 machine.dead_boards=0/0/1/2 machine.router.vc_bytes=2048",
       "workload.message_bytes=400 machine.dead_links=0/0/1/0/2/0:z-"}},
     {{2, ""},
      {3, ""},
      {4, ""},
      {8, ""},
      {1, "run.bricks=1x1x1x2x1x1"},
      {2, "run.bricks=1x1x1x2x3x1"},
      {3, "run.bricks=1x1x1x1x1x2"}}},
    {"switches",
     "adapter",
     "dragonfly",
     "workload.load=0.9 workload.cycles=1500 workload.warmup_cycles=500 "
     "workload.packet_bytes=0,8,64 machine.adapter.payload_bytes=64 run.interval_cycles=500 "
     "workload.messages=1 workload.packets_per_pair=3 machine.node.processors=2 "
     "machine.node.eager_bytes=1000",
     {{"machine.graph=dragonfly:2:3:2", "workload.message_bytes=1100",
       "workload.message_bytes=1100 workload.processes_per_node=2"},
      {"machine.graph=dragonfly:2:3:2:4",
       "workload.message_bytes=3000 machine.routing.algorithm=valiant "
       "machine.routing.via=switch machine.routing.vc_rule=hop machine.switch.vcs=6 "
       "machine.host.lanes=3 machine.switch.arbiter=rotating",
       "workload.message_bytes=3000 machine.host.lanes=2 machine.routing.algorithm=valiant"},
      {"machine.graph=dragonfly:3:2:3",
       "workload.message_bytes=400 machine.routing.algorithm=minimal "
       "machine.routing.choice=fixed machine.switch.transit_first=true machine.switch.speedup=1 "
       "machine.switch.output_words=0",
       "workload.message_bytes=400 machine.routing.algorithm=minimal machine.switch.cycles=0 "
       "machine.link.wire_cycles=1"}},
     {{2, ""},
      {3, ""},
      {4, ""},
      {8, ""},
      {1, "run.partitions=2"},
      {2, "run.partitions=7"},
      {3, "run.partitions=5"}}},
    {"ideal",
     "ports",
     "ideal",
     "workload.load=0.9 workload.cycles=3000 workload.warmup_cycles=1000 machine.node.processors=2 "
     "workload.packet_bytes=8,240 run.interval_cycles=500",
     {{"machine.topology=torus:3x5x4", "machine.nodes=0 workload.packets_per_pair=3",
       "machine.nodes=0 workload.messages=2 workload.message_bytes=5000 "
       "workload.processes_per_node=2 machine.node.memory_total_mb_per_s=900"},
      {"machine.topology=mesh:8x8x1", "machine.nodes=0 machine.hop_ns=13.7",
       "machine.nodes=0 machine.hop_ns=13.7 workload.messages=1 workload.message_bytes=500"},
      {"machine.topology=torus:7x1x9",
       "machine.nodes=0 machine.latency_ns=1 machine.port.gap_ns=333.3",
       "machine.nodes=0 machine.latency_ns=1 machine.port.gap_ns=333.3 machine.node.byte_ns=0.7 "
       "workload.messages=1 workload.message_bytes=900"}},
     {{2, ""},
      {3, ""},
      {4, ""},
      {8, ""},
      {1, "run.partitions=2"},
      {2, "run.partitions=5"},
      {3, "run.partitions=17"}}},
    {"torus",
     "dma",
     "bluegene-p",
     "workload.load=1.1 workload.cycles=2000 workload.warmup_cycles=500 "
     "workload.packet_bytes=16,112,240 workload.message_bytes=5000 run.interval_cycles=500",
     {{"machine.dims=4x4x2", "workload.packets_per_pair=3",
       "workload.messages=2 workload.message_bytes=1000 workload.processes_per_node=2 "
       "machine.node.memory_total_mb_per_s=500"},
      {"machine.dims=3x5x2", "workload.packets_per_pair=2",
       "workload.messages=1 workload.message_bytes=3000 machine.link.bit_error_rate=1e-5"}},
     {{2, ""},
      {3, ""},
      {4, ""},
      {8, ""},
      {1, "run.bricks=2x1x1"},
      {2, "run.bricks=1x3x1"},
      {3, "run.bricks=2x2x2"}}},
};
enum { BENCHES = sizeof(benches) / sizeof(benches[0]) };

static unsigned machine_count = MACHINES_MOST;

static bool small(void)
{
    return machine_count == SMALL_MACHINES;
}

/* What the others are compared with: one thread. The small set has three, and no others. */
static const struct way *first_way(const struct bench *b)
{
    static const struct way alone = {1, ""};
    return small() ? &b->ways[WAYS - 1] : &alone;
}

static const struct bench *bench_of(const struct family *f)
{
    for (unsigned i = 0; i < BENCHES; i++)
        if (strcmp(benches[i].fabric, f->schema.fabric) == 0 &&
            strcmp(benches[i].nic, f->schema.nic) == 0)
            return &benches[i];
    return NULL;
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
    assert_int_equal(a->injection_watermarks, b->injection_watermarks);
    assert_int_equal(a->reception_watermarks, b->reception_watermarks);
    assert_int_equal(a->figures, b->figures);
    for (uint32_t i = 0; i < a->figures; i++)
        assert_near(b->figure[i].value, a->figure[i].value, 0);
}

/* Some nodes that all machines have; settings are separated by spaces, so that these have tabs. */
#define PARTS "workload.parts=nodes:0,2\talltoall;nodes:5,6\talltoall"

/* A pattern on a family, as packets or as messages: a test of its own. */
struct subject {
    const struct bench *bench;
    const struct pattern *pattern;
    enum layer as;
    char name[96];
};

static const char *layer_text(enum layer as)
{
    return as == LAYER_MESSAGES ? "messages" : as == LAYER_PACKETS ? "packets" : "auto";
}

/* The file of a pattern that needs one. */
static const char *file_of(const struct pattern *p)
{
    if (strcmp(p->name, "goal") == 0)
        return " workload.file=" WEFT_TEST_DATA "/tests/goal/mixed.goal";
    if (strcmp(p->name, "replay") == 0)
        return " workload.file=" WEFT_TEST_DATA "/tests/matrix/replay.ti";
    return !p->from_file             ? ""
           : p->kind == PATTERN_OPEN ? " workload.file=" WEFT_TEST_DATA "/tests/matrix/matrix.txt"
                                     : " workload.file=" WEFT_TEST_DATA "/tests/matrix/file.txt";
}

static struct run_result run_way(const struct subject *s, const struct machine *m,
                                 const struct way *way, char what[900])
{
    struct run_result r;
    snprintf(what, 900,
             "%s %s workload.pattern=%s workload.program=halo workload.as=%s " PARTS "%s %s %s",
             s->bench->settings, m->size, s->pattern->name, layer_text(s->as), file_of(s->pattern),
             s->as == LAYER_MESSAGES ? m->messages : m->packets, way->cut);
    if (run_on(s->bench->machine, what, way->threads, true, &r) != WEFT_OK)
        fail_msg("%s: %s", what, weft_last_error());
    return r;
}

/* What a run measures has a name that a sweep knows. */
static void assert_names_known(const struct run_result *r, const char *what)
{
    for (uint32_t i = 0; i < r->figures; i++)
        if (!metric_is_known(r->figure[i].name))
            fail_msg("%s: machine/figures.c has no row for %s", what, r->figure[i].name);
}

static void one_digest(void **state)
{
    const struct subject *s = *state;
    unsigned machines = 0;
    while (machines < MACHINES_MOST && s->bench->machines[machines].size)
        machines++;
    for (unsigned m = 0; m < machine_count && m < machines; m++) {
        const struct machine *machine = &s->bench->machines[m];
        if (small() && m != (s->as == LAYER_MESSAGES)) /* packets on one, messages on the other */
            continue;
        char what[900];
        struct run_result one = run_way(s, machine, first_way(s->bench), what);
        bool io = s->pattern->needs & SITE_IO; /* not on the torus */
        if (io ? run_result_figure(&one, "io_calls") <= 0
               : s->as != LAYER_AUTO && !one.measure.delivered)
            fail_msg("%s: nothing was sent", what);
        assert_names_known(&one, what);
        /* Machines take turns, so that every pattern goes all ways. */
        for (unsigned w = m; w < WAYS && !small(); w += machines) {
            struct run_result other = run_way(s, machine, &s->bench->ways[w], what);
            assert_same(&one, &other, what);
            run_result_fini(&other);
        }
        run_result_fini(&one);
    }
}

/* Bursts on every nic: with bounded FIFOs and without, of equal parts and beside each other. */
static void one_digest_of_bursts(void **state)
{
    (void)state;
    static const char *const kinds[] = {"geometric", "pareto"};
    for (unsigned b = 0; b < BENCHES; b++)
        for (unsigned m = 0; m < machine_count && benches[b].machines[m].size; m++) {
            struct machine machine = benches[b].machines[m];
            char packets[300], what[900];
            snprintf(packets, sizeof(packets), "%s workload.burst=%s workload.burst_packets=5",
                     machine.packets, kinds[m % 2]);
            machine.packets = packets;
            struct subject s = {&benches[b], patterns[1], LAYER_PACKETS, ""};
            struct run_result one = run_way(&s, &machine, first_way(&benches[b]), what);
            for (unsigned w = 2; w < WAYS && !small(); w += 2) {
                struct run_result other = run_way(&s, &machine, &benches[b].ways[w], what);
                assert_same(&one, &other, what);
                run_result_fini(&other);
            }
            assert_true(one.measure.delivered > 0);
            run_result_fini(&one);
        }
}

/* Messages without end, measured for a time, with some under way at its end. */
static void one_digest_without_end(void **state)
{
    (void)state;
    static const struct machine machines[BENCHES] = {
        {"machine.dims=3x5x2", NULL,
         "workload.messages=0 workload.message_bytes=1500 workload.cycles=9000"},
        {"machine.graph=kautz:3:3", NULL,
         "workload.messages=0 workload.message_bytes=1500 workload.processes_per_node=3"},
        {"machine.dims=2x1x1x2x3x2", NULL,
         "workload.messages=0 workload.message_bytes=1500 workload.cycles=9000"},
        {"machine.graph=dragonfly:2:3:2", NULL,
         "workload.messages=0 workload.message_bytes=1500 workload.cycles=9000"},
        {"machine.topology=torus:3x5x2", NULL,
         "machine.nodes=0 workload.messages=0 workload.message_bytes=1500 workload.cycles=9000"},
        {"machine.dims=3x5x2", NULL,
         "workload.messages=0 workload.message_bytes=1500 workload.cycles=9000"}};
    for (unsigned b = 0; b < BENCHES; b++)
        for (size_t p = 0; p < pattern_count; p++) {
            struct subject s = {&benches[b], patterns[p], LAYER_MESSAGES, ""};
            const struct pattern *pattern = patterns[p];
            bool ends = pattern->kind == PATTERN_PROGRAM || pattern->kind == PATTERN_MPI ||
                        pattern->count || pattern->from_file ||
                        text_has_word("pingpong allreduce broadcast reduce allgather barrier io",
                                      pattern->name) ||
                        (pattern->needs & SITE_COORDINATES && (b == 1 || b == 3)); /* graphs */
            char what[900];
            if (!pattern->messages || ends)
                continue;
            struct run_result one = run_way(&s, &machines[b], first_way(&benches[b]), what);
            assert_true(one.open && one.measure.delivered > 0);
            /* Of a hot spot on a torus, those near it may be crowded out for ever. */
            assert_true(strcmp(pattern->name, "hotspot") == 0 ||
                        run_result_figure(&one, "messages_received") > 0);
            for (unsigned w = 4; w < WAYS && !small(); w++) {
                struct run_result other = run_way(&s, &machines[b], &benches[b].ways[w], what);
                assert_same(&one, &other, what);
                run_result_fini(&other);
            }
            run_result_fini(&one);
        }
}

static void every_family_is_tested(void **state)
{
    (void)state;
    for (unsigned i = 0; families[i]; i++)
        if (!bench_of(families[i]))
            fail_msg("machines with a %s fabric are not tested here", families[i]->schema.fabric);
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
                            "workload.warmup_cycles=10000 workload.cycles=5000 "
                            "workload.packet_bytes=8,128",
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
                                 "workload.warmup_cycles=10000 workload.cycles=5000 "
                                 "workload.packet_bytes=32,256");
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

/* What the first of its machines offers to patterns. */
static unsigned offers_of(const struct family *f)
{
    struct config c;
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    machine_init(&c);
    if (config_machine(&c, bench_of(f)->machine) != WEFT_OK ||
        config_override(&c, bench_of(f)->machines[0].size) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    unsigned offers = f->offers(&c);
    config_fini(&c);
    return offers;
}

/* Patterns that do with threads what others do: the small set goes without them. */
static bool is_like_others(const struct pattern *p)
{
    static const char *const others = "broadcast reduce allgather barrier grid transpose tornado "
                                      "bitreverse bitcomplement shuffle nextgroup permutation";
    return text_has_word(others, p->name);
}

/* All patterns on a family: one test for each layer that a pattern has. */
static size_t add_subjects(const struct family *f, struct subject *subject)
{
    size_t count = 0;
    for (size_t p = 0; bench_of(f) && p < pattern_count; p++)
        for (enum layer as = LAYER_AUTO; as <= LAYER_MESSAGES; as++) {
            const struct pattern *pattern = patterns[p];
            bool has = as == LAYER_MESSAGES  ? pattern->messages != NULL
                       : as == LAYER_PACKETS ? pattern->packets != NULL
                                             : pattern->kind == PATTERN_SURVEY;
            bool skips = (small() && is_like_others(pattern)) ||
                         pattern->kind == PATTERN_MPI; /* an executable: tests/mpi */
            if ((pattern->needs & ~offers_of(f)) || !has || skips)
                continue;
            struct subject *s = &subject[count++];
            *s = (struct subject){.bench = bench_of(f), .pattern = pattern, .as = as};
            snprintf(s->name, sizeof(s->name), "%s_as_%s_on_a_%s", pattern->name, layer_text(as),
                     f->schema.fabric);
        }
    return count;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "small") == 0)
        machine_count = SMALL_MACHINES;
    const struct CMUnitTest fixed[] = {
        cmocka_unit_test(every_family_is_tested),
        cmocka_unit_test(one_digest_of_bursts),
        cmocka_unit_test(one_digest_without_end),
        cmocka_unit_test(long_gaps_do_not_depend_on_the_cut),
        cmocka_unit_test(seeds_differ),
        cmocka_unit_test(the_digest_of_a_known_run),
        cmocka_unit_test(the_digest_of_a_known_graph_run),
    };
    static struct subject subject[256];
    static struct CMUnitTest tests[256];
    size_t subjects = 0, count = 0;
    for (unsigned i = 0; families[i]; i++)
        subjects += add_subjects(families[i], subject + subjects);
    for (size_t i = 0; i < subjects; i++)
        tests[count++] = (struct CMUnitTest){
            .name = subject[i].name, .test_func = one_digest, .initial_state = &subject[i]};
    size_t threaded = 3, all = sizeof(fixed) / sizeof(fixed[0]);
    for (size_t i = 0; i < (small() ? threaded : all); i++)
        tests[count++] = fixed[i];
    return _cmocka_run_group_tests("matrix", tests, count, NULL, NULL);
}
