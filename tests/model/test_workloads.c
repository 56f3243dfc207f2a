/* Workloads send what they say: every pair, every node of a line or plane, nothing twice. */
#include "group.h"
#include "models.h"

#include <unistd.h>

#include "base/text/text.h"

/* Calls the workload's program for all nodes and counts packets by (from, to). */
static uint32_t *count_pairs_on(const char *machine, const char *settings, uint32_t *nodes)
{
    struct test_model t;
    model_make(&t, machine, settings, 1);
    const struct workload *w = t.model->workload;
    assert_int_equal(w->as, LAYER_PACKETS);
    uint32_t n = *nodes = t.model->site.nodes;
    uint64_t all = 0;
    uint32_t *pairs = calloc((size_t)n * n, sizeof(*pairs));
    for (uint32_t node = 0; node < n; node++) {
        struct step step = {.to = NOBODY};
        for (uint32_t k = 0; w->program.step(w->program.ctx, node, k, &step); k++, all++) {
            assert_true(step.to < n && step.to != node);
            assert_in_range(step.bytes, 1, t.model->site.packet_payload);
            pairs[(size_t)node * n + step.to]++;
            step = (struct step){.to = NOBODY};
        }
    }
    assert_int_equal(all, w->deliveries);
    model_drop(&t);
    return pairs;
}

static uint32_t *count_pairs(const char *settings, uint32_t *nodes)
{
    return count_pairs_on("bluegene-l", settings, nodes);
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
        char torus[256], graph[256];
        uint32_t n, g;
        snprintf(torus, sizeof(torus), "machine.dims=3x5x2 %s", variants[i]);
        snprintf(graph, sizeof(graph), "machine.graph=kautz:2:3 workload.as=packets %s",
                 variants[i]);
        uint32_t *pairs = count_pairs(torus, &n), *arcs = count_pairs_on("sc5832", graph, &g);
        assert_true(n == 30 && g == 12);
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n; b++)
                assert_int_equal(pairs[a * n + b], a == b ? 0 : i ? 7 : 1);
        for (uint32_t a = 0; a < g; a++)
            for (uint32_t b = 0; b < g; b++)
                assert_int_equal(arcs[a * g + b], a == b ? 0 : i ? 7 : 1);
        free(pairs);
        free(arcs);
    }
}

static void lines_and_planes_stay_inside(void **state)
{
    (void)state;
    for (unsigned within = 1; within <= 2; within++)
        for (unsigned dim = 0; dim < 3; dim++) {
            char settings[256];
            struct torus t;
            uint32_t n;
            torus_parse("3x4x2", &t);
            snprintf(settings, sizeof(settings),
                     "machine.dims=3x4x2 workload.within=%s workload.dim=%c",
                     within == 1 ? "line" : "plane", "xyz"[dim]);
            uint32_t *pairs = count_pairs(settings, &n);
            for (uint32_t a = 0; a < n; a++)
                for (uint32_t b = 0; b < n; b++) {
                    uint32_t ca[6], cb[6];
                    torus_coordinates(&t, a, ca);
                    torus_coordinates(&t, b, cb);
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
    uint32_t n;
    uint32_t *pairs =
        count_pairs("machine.dims=4x4x4 workload.pattern=hotspot workload.hot_dims=2x2x1 "
                    "workload.packets_per_pair=3",
                    &n);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            bool hot_a = a % 4 < 2 && a / 4 % 4 < 2 && a / 16 < 1;
            bool hot_b = b % 4 < 2 && b / 4 % 4 < 2 && b / 16 < 1;
            assert_int_equal(pairs[a * n + b], !hot_a && hot_b ? 3 : 0);
        }
    free(pairs);
    /* A graph has no boxes: its hot spot is the first living node. */
    pairs = count_pairs_on("sc5832",
                           "machine.graph=kautz:2:3 machine.dead_nodes=0 workload.as=packets "
                           "workload.pattern=hotspot workload.packets_per_pair=3",
                           &n);
    for (uint32_t a = 1; a < n; a++)
        for (uint32_t b = 1; b < n; b++)
            assert_int_equal(pairs[a * n + b], a != 1 && b == 1 ? 3 : 0);
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

static uint32_t node_at(const struct site *site, uint32_t place)
{
    return site->node_at ? site->node_at[place] : place;
}

/* Patterns in which a place has one partner, for all machines, and those that draw one. */
static bool is_fixed(const struct pattern *p)
{
    return p->partner && !(p->needs & SITE_GROUPS) &&
           !text_has_word("uniform hotregion matrix pairs", p->name);
}

/* No two places have the same partner, on a torus and on a graph with dead nodes. */
static void permutations_are_permutations(void **state)
{
    (void)state;
    static const char *const sizes[] = {"machine.dims=4x4x4",
                                        "machine.dims=3x5x7",
                                        "machine.dims=8x8x1",
                                        "machine.dims=2x3x1",
                                        "machine.graph=kautz:2:3",
                                        "machine.graph=kautz:3:3",
                                        "machine.graph=kautz:3:3 machine.dead_nodes=0,17,35"};
    unsigned fixed = 0;
    for (size_t p = 0; p < pattern_count; p++)
        for (unsigned m = 0; is_fixed(patterns[p]) && m < sizeof(sizes) / sizeof(*sizes); m++) {
            bool torus = strncmp(sizes[m], "machine.dims", 12) == 0;
            if ((patterns[p]->needs & SITE_COORDINATES) && !torus)
                continue;
            char settings[200];
            struct test_model t;
            snprintf(settings, sizeof(settings), "%s workload.pattern=%s", sizes[m],
                     patterns[p]->name);
            model_make(&t, torus ? "bluegene-l" : "sc5832", settings, 1);
            const struct workload *w = t.model->workload;
            char seen[128] = {0};
            uint32_t senders = 0;
            for (uint32_t place = 0; place < t.model->site.endpoints; place++) {
                struct step step = {.to = NOBODY};
                uint32_t node = node_at(&t.model->site, place);
                if (!w->program.step(w->program.ctx, node, 0, &step))
                    continue;
                assert_true(step.to < t.model->site.nodes && step.to != node);
                assert_false(seen[step.to]);
                seen[step.to] = 1;
                senders++;
                /* And always the same. */
                uint32_t to = step.to;
                assert_true(w->program.step(w->program.ctx, node, 5, &step));
                assert_int_equal(step.to, to);
            }
            assert_int_equal(senders, w->senders);
            assert_true(senders > 0);
            fixed++;
            model_drop(&t);
        }
    assert_int_equal(fixed, 4 * 6 + 3 * 5);
}

static void patterns_of_the_literature(void **state)
{
    (void)state;
    const struct {
        const char *pattern;
        uint32_t from, to;
    } known[] = {
        {"transpose", 1 + 8 * 2 + 64 * 3, 3 + 8 * 2 + 64 * 1},
        {"bitcomplement", 1 + 8 * 2 + 64 * 3, 6 + 8 * 5 + 64 * 4},
        {"bitreverse", 1, 256},
        {"tornado", 0, 3 + 8 * 3 + 64 * 3},
        {"shuffle", 256 + 3, 6 + 1},
    };
    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct test_model t;
        char settings[100];
        struct step step = {.to = NOBODY};
        snprintf(settings, sizeof(settings), "machine.dims=8x8x8 workload.pattern=%s",
                 known[i].pattern);
        model_make(&t, "bluegene-l", settings, 1);
        const struct program *p = &t.model->workload->program;
        assert_true(p->step(p->ctx, known[i].from, 0, &step));
        assert_int_equal(step.to, known[i].to);
        model_drop(&t);
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

/* Every layer of a pattern plays the same game: on a graph, packets of an engine that has nothing
 * else to do; on a torus, messages that a processor cuts into packets. */
static void a_ping_pong_is_as_long_in_packets_as_in_messages(void **state)
{
    (void)state;
    static const char *const layers[] = {"packets", "messages"};
    for (unsigned i = 0; i < 2; i++) {
        char settings[300];
        struct run_result r;
        snprintf(settings, sizeof(settings),
                 "machine.dims=4x4x4 workload.pattern=pingpong workload.messages=7 "
                 "workload.message_bytes=1000 workload.hops=3 workload.as=%s "
                 "machine.message.protocol=eager",
                 layers[i]);
        r = run_ok(settings);
        assert_int_equal(r.measure.delivered, 2 * 7 * 5);
        assert_int_equal(r.measure.hops, 2 * 7 * 5 * 3);
        assert_int_equal(r.measure.payload_bytes, 2 * 7 * 1000);
        snprintf(settings, sizeof(settings),
                 "machine.graph=kautz:2:3 workload.pattern=pingpong workload.messages=7 "
                 "workload.message_bytes=1000 workload.hops=3 workload.as=%s",
                 layers[i]);
        assert_int_equal(run_on("sc5832", settings, 1, true, &r), WEFT_OK);
        assert_int_equal(r.measure.delivered, 2 * 7 * 8);
        assert_int_equal(r.measure.payload_bytes, 2 * 7 * 1000);
        assert_int_equal(r.measure.hops, 2 * 7 * 8 * 3); /* as far back as there */
        run_result_fini(&r);
    }
}

/* What runs on a torus as messages sends what the same script sends on a graph. */
static void scripts_send_the_same_on_a_torus(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        double messages; /* of 12 processes, 3 rounds */
    } cases[] = {{"alltoall", 3 * 12 * 11},
                 {"hotspot", 3 * 11},
                 {"pairs", 3 * 12},
                 {"pairs workload.exchange=one_way", 3 * 6},
                 {"ring", 3 * 2 * 12},
                 {"allreduce workload.algorithm=doubling", 3 * (2 * 4 + 8 * 3)},
                 {"alltoall workload.algorithm=post_all", 3 * 12 * 11},
                 {"broadcast workload.algorithm=binomial", 3 * 11},
                 {"reduce", 3 * 11},
                 {"allgather workload.algorithm=ring", 3 * 12 * 11}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (uint64_t bytes = 1; bytes < 3000; bytes = 3 * bytes + 100) {
            char settings[300];
            struct run_result r;
            snprintf(settings, sizeof(settings),
                     "machine.dims=2x3x2 workload.as=messages workload.messages=3 "
                     "machine.message.protocol=eager machine.message.metadata_bytes=0 "
                     "workload.message_bytes=%u workload.pattern=%s",
                     (unsigned)bytes, cases[i].pattern);
            r = run_ok(settings);
            assert_near(run_result_figure(&r, "messages_received"), cases[i].messages, 0);
            assert_int_equal(r.measure.payload_bytes, (uint64_t)cases[i].messages * bytes);
            assert_int_equal(r.measure.delivered,
                             (uint64_t)cases[i].messages * ((bytes + 239) / 240));
        }
}

/* A message of no bytes is a packet like any other, whoever makes it; and a message of a node to
 * itself is one too, though no packet shows it: the digest does. */
static void messages_of_no_bytes_arrive(void **state)
{
    (void)state;
    static const char *const machine[] = {"bluegene-l", "sc5832", "ideal"};
    static const char *const size[] = {"machine.dims=2x3x2", "machine.graph=kautz:2:3",
                                       "machine.nodes=12"};
    static const char *const pattern[] = {"pairs",     "ring",      "alltoall",
                                          "allreduce", "broadcast", "pingpong"};
    static const double messages[] = {3 * 12, 3 * 2 * 12, 3 * 12 * 11, 3 * (2 * 4 + 8 * 3),
                                      3 * 11, 3 * 2};
    for (unsigned m = 0; m < 3; m++)
        for (unsigned i = 0; i < sizeof(pattern) / sizeof(pattern[0]); i++) {
            char settings[300];
            struct run_result r;
            snprintf(settings, sizeof(settings),
                     "%s workload.as=messages workload.messages=3 workload.message_bytes=0 "
                     "workload.pattern=%s",
                     size[m], pattern[i]);
            assert_int_equal(run_on(machine[m], settings, 1, true, &r), WEFT_OK);
            assert_near(run_result_figure(&r, "messages_received"), messages[i], 0);
            assert_int_equal(r.measure.payload_bytes, 0);
            run_result_fini(&r);
        }
}

static void messages_in_a_node_are_in_the_digest(void **state)
{
    (void)state;
    static const char *const machine[] = {"sc5832", "ideal machine.node.processors=6"};
    for (unsigned m = 0; m < 2; m++) {
        uint64_t digest[2];
        for (unsigned bytes = 0; bytes < 2; bytes++) {
            char name[16], settings[300];
            struct run_result r;
            const char *more = strchr(machine[m], ' ');
            snprintf(name, sizeof(name), "%.*s", (int)strcspn(machine[m], " "), machine[m]);
            snprintf(settings, sizeof(settings),
                     "workload.pattern=allreduce workload.processes_per_node=6 "
                     "workload.processes=6 workload.messages=1 workload.message_bytes=%u%s",
                     1000 * bytes, more ? more : "");
            assert_int_equal(run_on(name, settings, 1, true, &r), WEFT_OK);
            assert_int_equal(r.measure.delivered, 0);
            digest[bytes] = r.measure.digest;
            run_result_fini(&r);
        }
        assert_true(digest[0] && digest[1] && digest[0] != digest[1]);
    }
}

static void all_processors_of_a_node_can_be_used(void **state)
{
    (void)state;
    for (unsigned processors = 1; processors <= 8; processors++) {
        char settings[200];
        struct run_result r;
        snprintf(settings, sizeof(settings),
                 "machine.graph=kautz:2:3 machine.node.processors=%u workload.pattern=ring "
                 "workload.processes_per_node=0 workload.messages=1",
                 processors);
        assert_int_equal(run_on("sc5832", settings, 1, true, &r), WEFT_OK);
        assert_near(run_result_figure(&r, "processes"), 12 * processors, 0);
        run_result_fini(&r);
    }
}

/* With bursts or without, an open loop offers workload.load: on each nic, with streams of FIFOs and
 * with high priority. Where a node can send several packets at once, bursts make packets wait. */
static void bursts_offer_the_same_load(void **state)
{
    (void)state;
    static const char *const machines[][2] = {
        {"bluegene-l", "machine.dims=4x4x4 workload.high_share=0.3"},
        {"bluegene-l-sim2003", "machine.dims=4x4x4 workload.high_share=0.3"},
        {"bluegene-l-sim2003", "machine.dims=4x4x4"},
        {"k-computer", "machine.dims=2x1x1x2x3x2"},
        {"sc5832", "machine.graph=kautz:3:3"}, /* one way out of a node */
        {"ideal", "machine.nodes=36"}};
    for (unsigned m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
        double response = 0;
        for (unsigned burst = 0; burst < 2; burst++) {
            char settings[300];
            struct run_result r;
            snprintf(settings, sizeof(settings),
                     "%s workload.pattern=uniform workload.load=0.3 workload.cycles=600000 "
                     "workload.burst=%s workload.burst_packets=12",
                     machines[m][1], burst ? "geometric" : "none");
            assert_int_equal(run_on(machines[m][0], settings, 1, false, &r), WEFT_OK);
            assert_near(r.fraction_of_peak, 0.3, 0.02);
            assert_true(r.steady);
            assert_true(!burst || m >= 4 || r.response_mean > 1.5 * response);
            response = r.response_mean;
            run_result_fini(&r);
        }
    }
}

/* A rate matrix of ones is uniform traffic, packet by packet; one of a permutation's pairs has its
 * bound. */
static void a_matrix_of_ones_is_uniform(void **state)
{
    (void)state;
    static const char *const machines[][2] = {
        {"bluegene-l", "machine.dims=4x3x2"},
        {"sc5832", "machine.graph=kautz:2:4"},
        {"k-computer", "machine.dims=2x1x1x2x3x2"},
        {"ideal", "machine.nodes=24"},
    };
    for (unsigned m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
        char settings[2][300], path[] = "/tmp/weft-rates-XXXXXX";
        FILE *f = fdopen(mkstemp(path), "w");
        for (unsigned row = 0; row < 24; row++)
            for (unsigned column = 0; column < 24; column++)
                fprintf(f, "%d%c", row != column, column < 23 ? ' ' : '\n');
        fclose(f);
        struct run_result r[2];
        for (unsigned i = 0; i < 2; i++) {
            snprintf(settings[i], sizeof(settings[i]),
                     "%s workload.load=0.4 workload.cycles=4000 workload.pattern=%s "
                     "workload.file=%s",
                     machines[m][1], i ? "matrix" : "uniform", path);
            assert_int_equal(run_on(machines[m][0], settings[i], 1, true, &r[i]), WEFT_OK);
            run_result_fini(&r[i]);
        }
        assert_true(r[0].measure.delivered > 100);
        assert_int_equal(r[0].measure.digest, r[1].measure.digest);
        assert_near(r[0].fraction_of_peak, r[1].fraction_of_peak, 1e-9);
        unlink(path);
    }
}

/* A packet from a file takes as long as any, from its time on, however late that is; one that is
 * cut into packets, and a file that asks for more than the network can take, arrive whole. */
static void packets_of_a_file_start_at_their_times(void **state)
{
    (void)state;
    static const char *const machines[][2] = {
        {"bluegene-l", "machine.dims=4x3x2 machine.link.protocol=true"},
        {"bluegene-l-sim2003", "machine.dims=4x3x2"},
        {"sc5832", "machine.graph=kautz:2:4"},
        {"k-computer", "machine.dims=2x1x1x2x3x2"},
        {"ideal", "machine.nodes=24"},
    };
    static const char *const texts[] = {"0 3 5 100\n", "1000 3 5 100\n",
                                        "1000 3 5 100\n900000000 5 3 100\n",
                                        "7 0 1 100000\n7 1 2 100000\n7 3 2 100000\n7 2 0 0\n"};
    for (unsigned m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
        struct run_result r[4];
        for (unsigned i = 0; i < 4; i++) {
            char settings[300], path[] = "/tmp/weft-packets-XXXXXX";
            FILE *f = fdopen(mkstemp(path), "w");
            fputs(texts[i], f);
            fclose(f);
            snprintf(settings, sizeof(settings),
                     "%s workload.pattern=file workload.as=packets workload.file=%s",
                     machines[m][1], path);
            if (run_on(machines[m][0], settings, 1, true, &r[i]) != WEFT_OK)
                fail_msg("%s: %s", settings, weft_last_error());
            run_result_fini(&r[i]);
            unlink(path);
        }
        assert_int_equal(r[1].cycles, r[0].cycles + 1000);
        assert_near(r[1].response_mean, r[0].response_mean, 0);
        assert_in_range(r[2].cycles, 900000000, 900001000);
        assert_int_equal(r[2].measure.delivered, 2);
        assert_int_equal(r[3].measure.payload_bytes, 300000);
    }
}

/* The same of messages: eager ones and long ones, early and late. Two that cross wait for nobody.
 */
static void messages_of_a_file_start_at_their_times(void **state)
{
    (void)state;
    static const char *const machines[][2] = {
        {"bluegene-l", "machine.dims=4x3x2"},
        {"bluegene-l", "machine.dims=4x3x2 machine.node.mode=virtual_node"},
        {"bluegene-l", "machine.dims=4x3x2 machine.node.interrupts=true"},
        {"sc5832", "machine.graph=kautz:2:4"},
        {"k-computer", "machine.dims=2x1x1x2x3x2"},
        {"ideal", "machine.nodes=24"},
    };
    static const char *const texts[] = {"0 3 5 100\n", "100000 3 5 100\n",
                                        "0 3 5 100000\n7 5 3 100000\n",
                                        "100000 3 5 100000\n100007 5 3 100000\n9e8 3 5 1\n"};
    static const double messages[] = {1, 1, 2, 3};
    for (unsigned m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
        struct run_result r[4];
        for (unsigned i = 0; i < 4; i++) {
            char settings[300], path[] = "/tmp/weft-messages-XXXXXX";
            FILE *f = fdopen(mkstemp(path), "w");
            fputs(texts[i], f);
            fclose(f);
            snprintf(settings, sizeof(settings),
                     "%s workload.pattern=file workload.as=messages workload.file=%s",
                     machines[m][1], path);
            if (run_on(machines[m][0], settings, 1, true, &r[i]) != WEFT_OK)
                fail_msg("%s: %s", settings, weft_last_error());
            assert_near(run_result_figure(&r[i], "messages_received"), messages[i], 0);
            run_result_fini(&r[i]);
            unlink(path);
        }
        /* A processor that polls may be a poll later. */
        assert_in_range(r[1].cycles, r[0].cycles + 100000 - 1, r[0].cycles + 100000 + 100);
        assert_in_range(r[3].cycles, 900000000, 900010000);
        assert_true(r[2].cycles < 500000);
    }
}

/* Of one pair, a link is the bound: those that are neighbours use all of it, and those that differ
 * in two coordinates have two links to leave by. */
static void named_pairs_have_the_bound_of_their_links(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        double links;
    } cases[] = {{"0/0/0-1/0/0", 1}, {"0/0/0-2/1/0", 2}, {"0/0/0-1/1/1", 3}, {"0/0/0-4/0/0", 2}};
    double slot = 0;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char settings[300];
        struct test_model t;
        snprintf(settings, sizeof(settings),
                 "machine.dims=8x8x8 workload.pattern=pairs workload.as=packets "
                 "workload.exchange=one_way workload.list=%s",
                 cases[i].list);
        model_make(&t, "bluegene-l", settings, 1);
        const struct workload *w = t.model->workload;
        assert_int_equal(w->senders, 1);
        slot = i ? slot : 1 / w->rate_bound;
        assert_near(1 / w->rate_bound, slot / cases[i].links, 1e-6);
        model_drop(&t);
    }
}

static void what_a_machine_cannot_do_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "machine.dims=4x4x4 workload.pattern=pingpong workload.hops=7",
        "machine.dims=4x4x4 workload.pattern=hotspot workload.hot_dims=5x1x1",
        "machine.dims=4x4x4 workload.pattern=hotspot workload.hot_dims=2x2",
        "machine.dims=4x4 workload.pattern=linefill workload.dim=z",
        "machine.dims=64x64x64 workload.packets_per_pair=100000",
        "machine.dims=4x4x4 run.bricks=2x2",
        "machine.dims=4096x4096x100",
        "machine.dims=4x4x4 workload.pattern=uniform workload.as=messages",
        "machine.dims=4x4x4 workload.pattern=ring workload.as=packets",
        "machine.dims=4x4x4 workload.pattern=ring workload.processes_per_node=2",
        "machine.dims=4x4x4 workload.pattern=pingpong workload.as=messages workload.hops=7",
        "machine.dims=4x4x4 workload.pattern=ring workload.message_bytes=4294967296",
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
                                 "workload.cycles=8000 machine.dead_nodes=1/2/3,4/4/4,6/0/7",
                                 2, true, &r),
                     WEFT_OK);
    assert_int_equal(r.measure.delivered, r.measure.generated);
    run_result_fini(&r);
}

/* A FIFO without bounds takes a message as a whole, on any number of threads. */
static void unbounded_fifos_are_unbounded(void **state)
{
    (void)state;
    static const char *const messages[] = {"300000", "5000000"};
    for (unsigned i = 0; i < 2; i++) {
        char settings[300];
        struct run_result one, two;
        snprintf(settings, sizeof(settings),
                 "machine.dims=2x1x1 workload.pattern=pairs workload.exchange=one_way "
                 "workload.messages=1 workload.message_bytes=%s",
                 messages[i]);
        if (run_on("bluegene-l-sim2003", settings, 1, true, &one) != WEFT_OK ||
            run_on("bluegene-l-sim2003", settings, 2, true, &two) != WEFT_OK)
            fail_msg("%s: %s", settings, weft_last_error());
        assert_true(one.measure.digest == two.measure.digest && one.measure.delivered > 1000);
        run_result_fini(&one);
        run_result_fini(&two);
    }
}

/* When the measurement ends, some processes have no partner any more. */
static void endless_patterns_end_without_deadlock(void **state)
{
    (void)state;
    static const char *const runs[][2] = {
        {"fat-tree", "machine.graph=fattree:4:2 workload.pattern=hotspot"},
        {"k-computer", "machine.dims=2x2x2x2x3x2 workload.pattern=ring run.seed=12"},
        {"torus-pod", "machine.graph=torus:4x4x2 workload.pattern=ring run.seed=12"},
        {"bluegene-l", "machine.dims=3x2x2 workload.pattern=hotspot workload.as=messages"},
    };
    for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        char settings[300];
        struct run_result r;
        snprintf(settings, sizeof(settings), "workload.messages=0 %s", runs[i][1]);
        if (run_on(runs[i][0], settings, 1, false, &r) != WEFT_OK)
            fail_msg("%s: %s", settings, weft_last_error());
        assert_false(r.deadlock);
        run_result_fini(&r);
    }
}

GROUP(workloads)
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
        cmocka_unit_test(a_ping_pong_is_as_long_in_packets_as_in_messages),
        cmocka_unit_test(scripts_send_the_same_on_a_torus),
        cmocka_unit_test(messages_of_no_bytes_arrive),
        cmocka_unit_test(unbounded_fifos_are_unbounded),
        cmocka_unit_test(endless_patterns_end_without_deadlock),
        cmocka_unit_test(messages_in_a_node_are_in_the_digest),
        cmocka_unit_test(all_processors_of_a_node_can_be_used),
        cmocka_unit_test(bursts_offer_the_same_load),
        cmocka_unit_test(a_matrix_of_ones_is_uniform),
        cmocka_unit_test(packets_of_a_file_start_at_their_times),
        cmocka_unit_test(messages_of_a_file_start_at_their_times),
        cmocka_unit_test(named_pairs_have_the_bound_of_their_links),
        cmocka_unit_test(what_a_machine_cannot_do_is_refused),
        cmocka_unit_test(dead_nodes_are_left_out_and_led_around),
        cmocka_unit_test(neighbours_of_dead_nodes_send_to_the_living),
        cmocka_unit_test(a_full_machine_with_dead_nodes_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
