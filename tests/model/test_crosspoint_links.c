/*
 * Links of the crosspoint fabric with errors: whatever happens to bits, every packet arrives once
 * at its destination, the same on any number of threads; without errors the link protocol changes
 * nothing; a link that never gets through is named.
 *
 * A packet's name is its node and its number in the order in which the node sends. That order does
 * not depend on times if a node has one process that sends eagerly, or always to the same partner:
 * then the names of what arrived must be the same as on a machine without errors.
 */
#include "group.h"
#include "testing.h"

#include "workload/workload.h"

#define IRREGULAR WEFT_TEST_DATA "/tests/fuzz/corpus/graph/irregular"

/* What was sent must have arrived. */
static struct run_result run_links(const char *settings, const char *more, uint32_t threads)
{
    char text[1024];
    struct run_result r;
    snprintf(text, sizeof(text), "%s %s", settings, more);
    if (run_on("sc5832", text, threads, true, &r) != WEFT_OK)
        fail_msg("%s: %s", text, weft_last_error());
    if (r.measure.delivered != r.measure.generated)
        fail_msg("%s: %llu of %llu packets", text, (unsigned long long)r.measure.delivered,
                 (unsigned long long)r.measure.generated);
    run_result_fini(&r);
    return r;
}

static void without_errors_the_protocol_changes_nothing(void **state)
{
    (void)state;
    static const char *const graphs[] = {"kautz:2:3", "kautz:3:3", IRREGULAR};
    static const char *const more[] = {
        "workload.message_bytes=700 workload.messages=2",
        "workload.message_bytes=3000 workload.messages=1 machine.node.rails_bytes=2000 "
        "machine.router.crosspoint_packets=4 machine.link.wire_cycles=60 workload.packet_bytes=8,128",
    };
    unsigned runs = 0;
    for (unsigned g = 0; g < 3; g++)
        for (unsigned m = 0; m < 2; m++)
            for (size_t row = 0; row < 2 * pattern_count; row++) {
                const struct pattern *p = patterns[row / 2];
                bool messages = row % 2;
                char settings[512];
                if ((p->needs & (SITE_COORDINATES | SITE_GROUPS | SITE_IO)) ||
                    !(messages ? p->messages : p->packets) || p->kind == PATTERN_MPI ||
                    p->kind == PATTERN_PARTS || p->from_file)
                    continue; /* a survey sends nothing; others need an executable, parts or a file
                               */
                snprintf(settings, sizeof(settings),
                         "machine.graph=%s workload.pattern=%s workload.as=%s workload.load=1.2 "
                         "workload.cycles=4000 workload.warmup_cycles=500 %s",
                         graphs[g], p->name, messages ? "messages" : "packets", more[m]);
                runs++;
                struct run_result a = run_links(settings, "", 1);
                struct run_result b = run_links(settings, "machine.link.protocol=true", 1);
                if (a.measure.digest != b.measure.digest || a.cycles != b.cycles)
                    fail_msg("%s: another digest", settings);
                assert_false(a.link_protocol);
                assert_true(b.link_protocol);
                assert_int_equal(a.measure.bypassed, b.measure.bypassed);
                assert_memory_equal(a.measure.busy, b.measure.busy, sizeof(a.measure.busy));
                assert_memory_equal(a.measure.occupied, b.measure.occupied,
                                    sizeof(a.measure.occupied));
                assert_int_equal(b.measure.link[LINK_PACKETS], b.measure.hops);
                assert_int_equal(b.measure.link[LINK_RETRANSMITTED], 0);
                assert_int_equal(b.measure.link[LINK_RECOVERIES], 0);
                assert_int_equal(b.link_report.links_given_up, 0);
            }
    assert_true(runs >= 3 * 2 * (10 + 6));
}

/* Where the numbers that there are, or the entries, limit what a link carries. */
static void the_limits_of_a_link_are_the_same(void **state)
{
    (void)state;
    static const char *const limits[] = {
        "machine.router.vcs=1", /* 15 numbers */
        "machine.router.vcs=4", /* 13 entries */
        "machine.router.vcs=1 machine.router.crosspoint_packets=2 machine.router.buffer_cycles=7",
    };
    for (unsigned i = 0; i < 3; i++) {
        char settings[400];
        snprintf(settings, sizeof(settings),
                 "machine.graph=kautz:1:1 workload.pattern=pairs workload.message_bytes=12800 "
                 "machine.link.wire_cycles=700 %s",
                 limits[i]);
        struct run_result a = run_links(settings, "", 1);
        struct run_result b = run_links(settings, "machine.link.protocol=true", 1);
        assert_int_equal(a.measure.digest, b.measure.digest);
    }
}

/* ---- errors ---- */

/* Workloads whose packets' names do not depend on times. */
static const char *const named[] = {
    "machine.graph=kautz:3:3 workload.pattern=alltoall workload.message_bytes=300 "
    "workload.messages=1",
    "machine.graph=kautz:2:3 workload.pattern=ring workload.message_bytes=1024 "
    "workload.messages=5",
    "machine.graph=kautz:2:3 workload.pattern=hotspot workload.message_bytes=100 "
    "workload.messages=30",
    "machine.graph=kautz:2:4 workload.pattern=allreduce workload.message_bytes=1000 "
    "workload.messages=3 workload.processes=21",
    "machine.graph=kautz:3:3 workload.pattern=pairs workload.message_bytes=12000 "
    "workload.messages=1 machine.node.rails_bytes=10000",
    "machine.graph=" IRREGULAR " workload.pattern=alltoall workload.message_bytes=1000 "
    "workload.messages=2 machine.router.crosspoint_packets=4",
};
enum { NAMED = sizeof(named) / sizeof(named[0]) };

/* The same on 1, 2 and 4 threads; the packets of a machine without errors. */
static struct run_result assert_mended(const char *settings, const char *errors)
{
    struct run_result clean = run_links(settings, "", 1);
    struct run_result r = run_links(settings, errors, 1);
    const uint64_t *n = r.measure.link;
    if (r.measure.names != clean.measure.names)
        fail_msg("%s %s: other packets", settings, errors);
    assert_int_equal(r.measure.delivered, clean.measure.delivered);
    assert_int_equal(r.measure.payload_bytes, clean.measure.payload_bytes);
    assert_int_equal(n[LINK_CORRUPTED], n[LINK_PACKET_CRC]);
    assert_int_equal(n[LINK_ESCAPED], 0);
    assert_int_equal(n[LINK_DUPLICATES], 0); /* what is acknowledged is not sent again */
    assert_int_equal(r.link_report.links_given_up, 0);
    assert_true(n[LINK_RETRANSMITTED] == 0 || n[LINK_RECOVERIES] > 0);
    for (uint32_t threads = 2; threads <= 4; threads += 2) {
        struct run_result many = run_links(settings, errors, threads);
        assert_int_equal(many.measure.digest, r.measure.digest);
        assert_memory_equal(many.measure.link, n, sizeof(many.measure.link));
    }
    return r;
}

static void errors_are_mended(void **state)
{
    (void)state;
    static const char *const errors[] = {
        "machine.link.bit_error_rate=1e-6",
        "machine.link.bit_error_rate=1e-5 machine.link.burst_bits=500",
        "machine.link.bit_error_rate=1e-4 machine.link.burst_bits=30 machine.link.wire_cycles=50",
        "machine.link.bit_error_rate=1e-4 machine.routing.vc_start=highest",
        "machine.link.bit_error_rate=1e-3 machine.link.control_bytes=40",
    };
    uint64_t sum[LINK_COUNTS] = {0};
    for (unsigned w = 0; w < NAMED; w++)
        for (unsigned e = 0; e < sizeof(errors) / sizeof(errors[0]); e++) {
            struct run_result r = assert_mended(named[w], errors[e]);
            assert_true(e < 2 || r.measure.link[LINK_RETRANSMITTED] > 0);
            for (unsigned i = 0; i < LINK_COUNTS; i++)
                sum[i] += r.measure.link[i];
        }
    /* All that can happen to a link has. */
    assert_true(sum[LINK_GHOSTS] > 0);
    assert_true(sum[LINK_ACK_CRC] > 0);
    assert_true(sum[LINK_OUT_OF_ORDER] > 0);
}

/* In every second case control packets are lost as well, on all links. */
static void a_link_that_is_bad_for_a_time_goes_on_afterwards(void **state)
{
    (void)state;
    static const char *const rates[] = {"0.003", "0.02", "0.5", "1"};
    static const char *const links[] = {"0>35@300-20000,7>14@1-5000",
                                        "0>11@300-20000",
                                        "1>9@100-9000,0>11@0-500",
                                        "0>23@300-20000",
                                        "0>35@300-20000",
                                        "0>1@300-20000,6>0@1-8000"};
    for (unsigned w = 0; w < NAMED; w++)
        for (unsigned i = 0; i < 4; i++) {
            char errors[256];
            snprintf(errors, sizeof(errors),
                     "machine.link.bad_links=%s machine.link.bad_error_rate=%s "
                     "machine.link.bit_error_rate=%s",
                     links[w], rates[i], i % 2 ? "3e-4" : "0");
            struct run_result r = assert_mended(named[w], errors);
            assert_true(r.measure.link[LINK_RETRANSMITTED] > 0);
            assert_true((r.measure.link[LINK_ACK_CRC] > 0) == (i % 2));
        }
}

/* Names may differ then: nothing is lost, and threads agree. */
static void errors_are_mended_under_load(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "machine.graph=kautz:3:3 workload.pattern=uniform workload.load=1.5 workload.cycles=3000 "
        "workload.warmup_cycles=500 "
        "machine.link.bit_error_rate=1e-4",
        "machine.graph=kautz:2:4 workload.pattern=uniform workload.load=3 workload.cycles=1500 "
        "workload.warmup_cycles=500 "
        "machine.router.crosspoint_packets=4 machine.link.bit_error_rate=1e-3 "
        "workload.packet_bytes=0,128",
        "machine.graph=kautz:2:3 workload.message_bytes=3000 workload.messages=1 "
        "workload.processes_per_node=2 machine.link.bit_error_rate=3e-5 "
        "machine.link.burst_bits=100",
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct run_result one = run_links(cases[i], "", 1);
        assert_true(one.measure.link[LINK_RETRANSMITTED] > 0);
        for (uint32_t threads = 2; threads <= 4; threads += 2) {
            struct run_result many = run_links(cases[i], "", threads);
            assert_int_equal(many.measure.digest, one.measure.digest);
            assert_memory_equal(many.measure.link, one.measure.link, sizeof(one.measure.link));
        }
    }
}

static void the_rarest_errors_do_not_come(void **state)
{
    (void)state;
    struct run_result r = run_links(named[0], "machine.link.bit_error_rate=1e-300", 1);
    assert_int_equal(r.measure.link[LINK_FLIPPED], 0);
    assert_int_equal(r.measure.digest, run_links(named[0], "", 1).measure.digest);
}

static void a_link_bad_for_ever_is_named(void **state)
{
    (void)state;
    static const char *const workloads[] = {
        "workload.pattern=alltoall workload.message_bytes=300",
        "workload.pattern=uniform workload.load=0.5 workload.cycles=5000",
    };
    for (unsigned i = 0; i < 2; i++)
        for (uint32_t threads = 1; threads <= 2; threads++) {
            char settings[400];
            struct run_result r;
            snprintf(settings, sizeof(settings),
                     "machine.graph=kautz:2:3 machine.link.bad_links=4>3@100- "
                     "run.stall_cycles=100000 %s",
                     workloads[i]);
            assert_int_equal(run_on("sc5832", settings, threads, true, &r), WEFT_FAILED);
            assert_true(r.deadlock);
            assert_non_null(strstr(weft_last_error(), "1 link has sent over and over in vain"));
            assert_non_null(strstr(weft_last_error(), ": 4>3"));
            run_result_fini(&r);
        }
}

GROUP(crosspoint_links)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_errors_the_protocol_changes_nothing),
        cmocka_unit_test(the_limits_of_a_link_are_the_same),
        cmocka_unit_test(errors_are_mended),
        cmocka_unit_test(a_link_that_is_bad_for_a_time_goes_on_afterwards),
        cmocka_unit_test(errors_are_mended_under_load),
        cmocka_unit_test(the_rarest_errors_do_not_come),
        cmocka_unit_test(a_link_bad_for_ever_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
