/*
 * Partitions of Blue Gene/L that link chips keep apart: each does what a machine of its own size
 * does, whoever is beside it, on any number of threads and however the machine is cut.
 *
 * Midplanes have 2x2x2 nodes here.
 */
#include "group.h"
#include "models.h"

#include "fabric/torus/network.h"
#include "workload/parts/parts.h"

#define CELL  "jobs.cell=2x2x2 "
#define LARGE "machine.dims=6x8x6 " CELL

static weft_status configure_parts(struct config *c, const char *machine, const char *settings,
                                   const char *parts)
{
    configure(c, machine, settings);
    assert_int_equal(config_set(c, "workload.pattern", "parts", "test"), WEFT_OK);
    assert_int_equal(config_set(c, "workload.parts", parts, "test"), WEFT_OK);
    return machine_finish(c);
}

static weft_status try_parts(const char *machine, const char *settings, const char *parts,
                             uint32_t threads, struct run_result *r)
{
    struct config c;
    struct run_options o = {.threads = threads, .check = true};
    weft_status status = configure_parts(&c, machine, settings, parts);
    if (status == WEFT_OK)
        status = run_config(&c, &o, r);
    config_fini(&c);
    return status;
}

static struct run_result run_parts(const char *machine, const char *settings, const char *parts,
                                   uint32_t threads)
{
    struct run_result r;
    if (try_parts(machine, settings, parts, threads, &r) != WEFT_OK)
        fail_msg("%s: %s: %s", settings, parts, weft_last_error());
    return r;
}

/* ---- as on a machine of its own ---- */

static void assert_same_part(const struct run_part *a, const struct run_part *b, const char *what)
{
    if (a->digest != b->digest)
        fail_msg("%s: digest %016llx, not %016llx", what, (unsigned long long)b->digest,
                 (unsigned long long)a->digest);
    assert_true(a->delivered > 0);
    assert_int_equal(a->delivered, b->delivered);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->left_out, b->left_out);
    assert_int_equal(a->responses, b->responses);
    assert_int_equal(a->response_99, b->response_99);
    assert_near(b->seconds, a->seconds, 0);
    assert_near(b->response_mean, a->response_mean, 0);
    assert_near(b->fraction_of_peak, a->fraction_of_peak, 0);
    assert_near(b->process_rate, a->process_rate, 0);
}

/* Where a box of so many midplanes lies among others, some around an end of the machine. */
struct lie {
    const char *size, *dims, *at;
};
static const struct lie lies[] = {
    {"2x1x1", "4x2x2", "@1/2/1"}, {"1x2x2", "2x4x4", "@1/2/1"}, {"2x2x1", "4x4x2", "@2/3/2"},
    {"1x1x1", "2x2x2", "@2/3/1"}, {"1x3x1", "2x6x2", "@2/2/1"}, {"1x4x1", "2x8x2", "@1/0/2"},
};
enum { SHAPES = sizeof(lies) / sizeof(lies[0]) };

/* On the machine of its own, a part is the whole machine. */
static void assert_own(const struct lie *s, const char *machine, const char *settings,
                       const char *pattern, const char *other)
{
    char own[400], large[400], alone[400], beside[700], what[1200];
    snprintf(own, sizeof(own), CELL "machine.dims=%s %s", s->dims, settings);
    snprintf(large, sizeof(large), LARGE "%s", settings);
    snprintf(alone, sizeof(alone), "%s %s", s->size, pattern);
    snprintf(beside, sizeof(beside), "1x1x1@0/0/0 %s; %s%s %s; 1x1x1@0/1/2 %s", other, s->size,
             s->at, pattern, other);
    snprintf(what, sizeof(what), "%s %s: %s", machine, settings, beside);
    struct run_result a = run_parts(machine, own, alone, 1);
    struct run_result b = run_parts(machine, large, beside, 1);
    assert_same_part(&a.part[0], &b.part[1], what);
    run_result_fini(&a);
    run_result_fini(&b);
}

#define OPEN "workload.as=packets workload.warmup_cycles=500 workload.cycles=2000 "

static void packets_do_what_they_do_on_a_machine_of_that_size(void **state)
{
    (void)state;
    static const char *const loads[] = {"alltoall packets_per_pair=2",
                                        "hotregion load=0.3",
                                        "uniform load=0.7",
                                        "neighbour load=0.5",
                                        "uniform load=0.4 burst=pareto",
                                        "bitcomplement load=0.4 packet_bytes=32,64,256"};
    for (unsigned i = 0; i < 6; i++)
        for (unsigned s = i % 2; s < SHAPES; s += 2) {
            const char *as = i ? OPEN : "workload.as=packets";
            const char *other = i ? "uniform load=0.95" : "alltoall packets_per_pair=3";
            assert_own(&lies[s], "bluegene-l", as, loads[i], other);
        }
}

static void messages_do_too(void **state)
{
    (void)state;
    static const char *const loads[] = {"alltoall message_bytes=500 messages=1",
                                        "ring message_bytes=3000 messages=3",
                                        "broadcast message_bytes=9000 messages=1",
                                        "allreduce message_bytes=2000 messages=1",
                                        "program program=fft",
                                        "exchange message_bytes=900 messages=2"};
    for (unsigned i = 0; i < 6; i++)
        for (unsigned s = i % 3; s < SHAPES; s += 3)
            assert_own(&lies[s], "bluegene-l", "workload.as=messages", loads[i],
                       "alltoall message_bytes=900 messages=1");
}

/* Whatever the router draws, decides or checks by where a node is. */
static void so_do_routers_of_all_kinds(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "machine.node.hints=hardware",
        "machine.node.hints=software machine.router.vc_choice=random",
        "machine.router.escape=dateline machine.router.dynamic_vcs=1",
        "machine.link.bit_error_rate=1e-5",
        "machine.node.injection_fifo_bytes=1024 machine.node.reception_fifo_bytes=1024",
        "workload.high_share=0.2 workload.dynamic_share=0.5"};
    for (unsigned i = 0; i < 6; i++) {
        char both[400];
        snprintf(both, sizeof(both), OPEN "%s", settings[i]);
        assert_own(&lies[i % SHAPES], "bluegene-l", both, "uniform load=0.8", "uniform load=0.95");
        assert_own(&lies[(i + 2) % SHAPES], "bluegene-l", both, "alltoall",
                   "alltoall packets_per_pair=2");
    }
}

/* Engines that make packets are known by their number in the partition as well. */
static void so_do_nodes_with_an_engine(void **state)
{
    (void)state;
    assert_own(&lies[0], "bluegene-p", OPEN, "uniform load=0.8", "uniform load=0.9");
    assert_own(&lies[1], "bluegene-p", "workload.as=messages",
               "alltoall message_bytes=3000 messages=1", "ring messages=4");
}

/* A node of a partition and a link, by the coordinates of the machine and of the partition. */
static void so_do_packets_that_go_around_dead_nodes_and_links(void **state)
{
    (void)state;
    static const char pattern[] = "alltoall packets_per_pair=2";
    static const char beside[] =
        "1x1x1@0/0/0 alltoall; 2x2x1@2/3/2 alltoall packets_per_pair=2; 1x1x1@1/0/0 alltoall";
    char alone[200];
    snprintf(alone, sizeof(alone), "2x2x1 %s", pattern);
    struct run_result a = run_parts("bluegene-l",
                                    CELL "machine.dims=4x4x2 machine.dead_nodes=2/3/1 "
                                         "machine.dead_links=0/1/0:x+ workload.as=packets",
                                    alone, 1);
    struct run_result b = run_parts("bluegene-l",
                                    LARGE "machine.dead_nodes=0/1/5 "
                                          "machine.dead_links=4/7/4:x+ workload.as=packets",
                                    beside, 1);
    struct run_result whole = run_parts("bluegene-l", LARGE "workload.as=packets", beside, 1);
    assert_int_equal(a.part[0].left_out, 1);
    assert_same_part(&a.part[0], &b.part[1], "dead nodes");
    assert_same_part(&whole.part[0], &b.part[0], "what is dead in another partition");
    assert_same_part(&whole.part[2], &b.part[2], "what is dead in another partition");
    assert_true(whole.part[1].digest != b.part[1].digest);
    run_result_fini(&a);
    run_result_fini(&b);
    run_result_fini(&whole);
}

/* Without dynamic VCs, too, where packets around faults have only their fixed path. */
static void faults_elsewhere_change_nothing(void **state)
{
    (void)state;
    static const char *const dead[] = {
        "machine.dead_nodes=1/1/1 ",                              /* in an idle midplane */
        "machine.dead_links=5/7/5:x+ ",                           /* in another partition */
        "machine.dead_nodes=1/1/1 machine.dead_links=5/7/5:x+ "}; /* in both */
    static const char *const machines[] = {"bluegene-l", "bluegene-p"};
    static const char parts[] = "1x1x1@0/0/1 alltoall packets_per_pair=3; 1x2x1@2/2/2 alltoall";
    for (unsigned i = 0; i < 4; i++) {
        char settings[300], none[300];
        snprintf(none, sizeof(none), LARGE "workload.as=packets machine.router.dynamic_vcs=%u ",
                 i / 2);
        struct run_result whole = run_parts(machines[i % 2], none, parts, 1);
        for (unsigned k = 0; k < 3; k++) {
            snprintf(settings, sizeof(settings), "%s%s", none, dead[k]);
            struct run_result r = run_parts(machines[i % 2], settings, parts, 1);
            assert_same_part(&whole.part[0], &r.part[0], settings);
            run_result_fini(&r);
        }
        run_result_fini(&whole);
    }
}

static void hardware_sets_hint_bits_beside_faults_in_idle_midplanes(void **state)
{
    (void)state;
    static const char hints[] = LARGE "workload.as=packets machine.node.hints=hardware";
    static const char parts[] = "1x1x1@0/0/1 alltoall; 1x2x1@2/2/2 alltoall";
    char settings[300];
    snprintf(settings, sizeof(settings), "%s machine.dead_nodes=1/1/1", hints);
    struct run_result a = run_parts("bluegene-l", hints, "1x1x1@0/0/1 alltoall", 1);
    struct run_result b = run_parts("bluegene-l", settings, "1x1x1@0/0/1 alltoall", 1);
    assert_same_part(&a.part[0], &b.part[0], settings);
    run_result_fini(&a);
    run_result_fini(&b);
    snprintf(settings, sizeof(settings), "%s machine.dead_nodes=5/5/5", hints);
    assert_int_equal(try_parts("bluegene-l", settings, parts, 1, &a), WEFT_BAD_INPUT);
    assert_non_null(strstr(weft_last_error(), "hardware cannot set hint bits"));
}

/* The digest of a run with one partition is that of the machine without any. */
static void a_single_partition_has_the_digest_of_its_machine(void **state)
{
    (void)state;
    static const char *const loads[] = {"uniform", "alltoall"};
    for (unsigned i = 0; i < 2; i++) {
        char settings[300], part[100];
        struct run_result plain;
        snprintf(settings, sizeof(settings),
                 OPEN "machine.dims=4x2x2 workload.pattern=%s workload.load=0.6", loads[i]);
        snprintf(part, sizeof(part), "2x1x1@1/2/1 %s%s", loads[i], i ? "" : " load=0.6");
        if (run_machine(settings, 1, true, &plain) != WEFT_OK)
            fail_msg("%s", weft_last_error());
        struct run_result r = run_parts("bluegene-l", LARGE OPEN, part, 1);
        assert_int_equal(plain.measure.digest, r.part[0].digest);
        assert_int_equal(plain.measure.digest, r.measure.digest);
        run_result_fini(&plain);
        run_result_fini(&r);
    }
}

/* ---- apart ---- */

static void a_partition_does_the_same_whatever_others_do(void **state)
{
    (void)state;
    static const char *const others[] = {"uniform load=0.1", "uniform load=1.2", "tornado load=0.9",
                                         "neighbour load=1"};
    static const char *const places[] = {"1x4x1@1/0/0", "2x2x2@1/2/1", "1x1x3@1/3/0",
                                         "1x4x3@1/0/0"};
    char parts[200];
    struct run_result first =
        run_parts("bluegene-l", LARGE OPEN, "1x1x1@0/0/0 uniform load=0.9", 1);
    for (unsigned i = 0; i < 4; i++) {
        snprintf(parts, sizeof(parts), "1x1x1@0/0/0 uniform load=0.9; %s %s", places[i], others[i]);
        struct run_result r = run_parts("bluegene-l", LARGE OPEN, parts, 1);
        assert_same_part(&first.part[0], &r.part[0], parts);
        assert_int_equal(r.measure.digest, r.part[0].digest + r.part[1].digest);
        run_result_fini(&r);
    }
    run_result_fini(&first);
}

/* The links that packets took join nodes of one partition; idle midplanes have none that is busy.
 */
static void no_packet_takes_a_link_of_another_partition(void **state)
{
    (void)state;
    struct run_result r = run_parts("bluegene-l", LARGE OPEN "run.detail=true",
                                    "2x1x1@1/2/1 uniform; 1x2x2@0/0/2 uniform", 1);
    unsigned links = 0, busy = 0;
    for (size_t i = 0; i < r.links->count; i++) {
        uint16_t from = r.part_of[r.links->from[i]], to = r.part_of[r.links->to[i]];
        assert_int_equal(from, to);
        assert_true(from || !r.links->busy[i]);
        links += from != 0;
        busy += r.links->busy[i] > 0;
    }
    assert_int_equal(links, 6 * 8 * (2 + 4));
    assert_true(busy > links * 0.9);
    run_result_fini(&r);
}

static void any_threads_and_any_cut_give_one_answer(void **state)
{
    (void)state;
    static const char parts[] = "1x1x1@0/0/0 uniform load=0.95; 2x1x2@2/2/2 uniform load=0.7";
    static const char messages[] = "2x2x1@2/3/2 alltoall message_bytes=700 messages=1; 1x1x1 ring";
    static const char *const cuts[] = {"", "run.bricks=3x4x3", "run.bricks=5x1x2"};
    struct run_result one = run_parts("bluegene-l", LARGE OPEN, parts, 1);
    struct run_result two = run_parts("bluegene-l", LARGE "workload.as=messages", messages, 1);
    for (unsigned i = 0; i < 3; i++) {
        char settings[300];
        snprintf(settings, sizeof(settings), LARGE OPEN "%s", cuts[i]);
        struct run_result a = run_parts("bluegene-l", settings, parts, 2 + i % 2);
        snprintf(settings, sizeof(settings), LARGE "workload.as=messages %s", cuts[i]);
        struct run_result b = run_parts("bluegene-l", settings, messages, 2 + i % 2);
        assert_int_equal(a.measure.digest, one.measure.digest);
        assert_int_equal(b.measure.digest, two.measure.digest);
        assert_same_part(&one.part[1], &a.part[1], cuts[i]);
        assert_same_part(&two.part[0], &b.part[0], cuts[i]);
        run_result_fini(&a);
        run_result_fini(&b);
    }
    run_result_fini(&one);
    run_result_fini(&two);
}

/* ---- what can be said before a run ---- */

static weft_status prove(const char *settings, const char *parts, char *text, size_t size)
{
    struct config c;
    if (configure_parts(&c, "bluegene-l", settings, parts) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    weft_status status = family_of(&c)->check_routes(&c);
    if (status == WEFT_OK)
        status = family_of(&c)->prove(&c, text, size);
    config_fini(&c);
    return status;
}

/* Without datelines a ring is a cycle of channels where it is longer than three nodes: two
 * midplanes, but not one. */
static void proofs_follow_the_rings_of_partitions(void **state)
{
    (void)state;
    static char text[1 << 16];
    static const char none[] = LARGE "machine.router.escape=dateline machine.router.dateline=none";
    static const char highest[] = LARGE "machine.router.escape=dateline";
    assert_int_equal(prove(none, "1x1x1 alltoall; 1x1x1@1/1/1 alltoall", text, sizeof(text)),
                     WEFT_OK);
    assert_int_equal(prove(none, "1x1x1 alltoall; 2x1x1@1/1/1 alltoall", text, sizeof(text)),
                     WEFT_FAILED);
    assert_non_null(strstr(text, "node (2,2,2) port x+"));
    assert_non_null(strstr(text, "node (5,2,2) port x+"));
    assert_int_equal(prove(highest, "1x1x1 alltoall; 2x1x1@1/1/1 alltoall", text, sizeof(text)),
                     WEFT_OK);
    assert_int_equal(prove(LARGE, "2x2x2@2/3/2 alltoall", text, sizeof(text)), WEFT_OK);
    assert_non_null(strstr(text, "the bubble's rings keep room"));
}

/* A fault counts in its own partition, and is named by the machine's coordinates. */
static void proofs_follow_the_faults_of_partitions(void **state)
{
    (void)state;
    static char text[1 << 16];
    static const char idle[] = LARGE "workload.as=packets machine.dead_nodes=5/1/1";
    static const char used[] = LARGE "workload.as=packets machine.dead_nodes=4/1/1";
    static const char rings[] = LARGE "workload.as=packets machine.router.escape=dateline "
                                      "machine.router.dateline=none machine.dead_nodes=5/1/1";
    static const char parts[] = "2x1x1@0/0/0 uniform; 1x1x1@0/1/0 uniform";
    assert_int_equal(prove(idle, parts, text, sizeof(text)), WEFT_OK);
    assert_int_equal(prove(used, "1x1x1@2/0/0 uniform", text, sizeof(text)), WEFT_FAILED);
    assert_non_null(strstr(text, "3 nodes next to dead ones, as 5/1/1, have no escape"));
    assert_int_equal(prove(rings, "1x1x1@0/0/0 uniform", text, sizeof(text)), WEFT_OK);
}

/* ---- bad input ---- */

static void assert_refused(const char *settings, const char *parts, const char *what)
{
    struct run_result r;
    char all[300];
    snprintf(all, sizeof(all), LARGE "%s", settings);
    assert_int_equal(try_parts("bluegene-l", all, parts, 1, &r), WEFT_BAD_INPUT);
    if (!strstr(weft_last_error(), what))
        fail_msg("'%s': %s, not %s", parts, weft_last_error(), what);
}

static void what_cannot_be_wired_is_refused(void **state)
{
    (void)state;
    assert_refused("", "2x1x1 ring; 1x1x1@1/0/0 ring",
                   "part 2: 1x1x1@1/0/0 has cells of part 1, 2x1x1");
    assert_refused("", "1x2x1 ring; 1x1x1@1/0/0 ring; 1x2x1@0/2/0 ring",
                   "part 3: 1x2x1@0/2/0 needs the wire along y that part 1, 1x2x1, takes");
    assert_refused("", "1x2x1@0/1/0 ring; 2x2x1@2/3/0 ring", "part 2: 2x2x1@2/3/0 needs the wire");
    assert_refused("", "1x1x1 ring; nodes:300-310 ring",
                   "part 2: nodes:300-310 is a list of nodes, and part 1 (1x1x1) is a partition");
    assert_refused("", "cells:8 ring; 1x1x1 ring", "part 1: cells:8 is a list of nodes");
    assert_refused("", "1x1x1 ring axes=1", "is a torus as it is");
    assert_refused("", "4x1x1 ring", "does not fit into the machine");
    assert_refused("", "1x1x1@0/4/0 ring", "is not a box of cells");
    assert_refused("machine.wrap=false", "1x1x1 ring", "are rings along each axis");
    assert_refused("machine.router.escape=dateline machine.router.dateline=3,1,1", "1x1x1 ring",
                   "is beyond the 2 nodes along x of part 1");
    assert_refused("jobs.cell=4x4x4", "1x1x1 ring", "cannot be cut into");
    assert_refused("jobs.cell=1x2x2 machine.link.bad_links=3/1/0:y-@0-,2/1/0:x-@5-", "1x1x1 ring",
                   "machine.link.bad_links: partitions have no link 2/1/0:x-");
    assert_refused("jobs.cell=1x2x2 machine.dead_links=3/0/0:x+", "1x1x1 ring",
                   "machine.dead_links: partitions have no link 3/0/0:x+");
    assert_refused("machine.dead_nodes=0/0/0,2/0/0 jobs.cell=6x8x6", "1x1x1 ring messages=1",
                   "machine.dead_nodes");
}

/* One midplane of a row, all of them, and rows beside each other need no wire of each other. */
static void partitions_with_wires_of_their_own_are_not(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "1x1x1@0/0/0 ring; 1x1x1@1/0/0 ring; 1x1x1@2/0/0 ring",
        "2x1x1@0/0/0 ring; 2x1x1@0/1/0 ring; 2x1x1@0/0/1 ring; 1x1x1@2/0/0 ring",
        "3x4x1@0/0/0 ring; 3x4x1@0/0/1 ring; 3x4x1@0/0/2 ring"};
    for (unsigned i = 0; i < 3; i++) {
        struct run_result r = run_parts("bluegene-l", LARGE "workload.messages=1", parts[i], 1);
        run_result_fini(&r);
    }
}

GROUP(partitions)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_do_what_they_do_on_a_machine_of_that_size),
        cmocka_unit_test(messages_do_too),
        cmocka_unit_test(so_do_routers_of_all_kinds),
        cmocka_unit_test(so_do_nodes_with_an_engine),
        cmocka_unit_test(so_do_packets_that_go_around_dead_nodes_and_links),
        cmocka_unit_test(faults_elsewhere_change_nothing),
        cmocka_unit_test(hardware_sets_hint_bits_beside_faults_in_idle_midplanes),
        cmocka_unit_test(a_single_partition_has_the_digest_of_its_machine),
        cmocka_unit_test(a_partition_does_the_same_whatever_others_do),
        cmocka_unit_test(no_packet_takes_a_link_of_another_partition),
        cmocka_unit_test(any_threads_and_any_cut_give_one_answer),
        cmocka_unit_test(proofs_follow_the_rings_of_partitions),
        cmocka_unit_test(proofs_follow_the_faults_of_partitions),
        cmocka_unit_test(what_cannot_be_wired_is_refused),
        cmocka_unit_test(partitions_with_wires_of_their_own_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
