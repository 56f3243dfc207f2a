/* The link protocol: whatever happens to bits, packets arrive once, and the link CRCs find errors
 * that the packet CRCs miss. */
#include "group.h"
#include "testing.h"

/* What the same workload delivers over links that make no errors. */
static uint64_t names_without_errors(const char *more)
{
    char settings[600];
    struct run_result r;
    snprintf(settings, sizeof(settings),
             "machine.dims=4x4x4 workload.pattern=alltoall workload.packets_per_pair=4 %s "
             "machine.link.bit_error_rate=0 machine.link.bad_links=none",
             more);
    assert_int_equal(run_machine(settings, 1, false, &r), WEFT_OK);
    assert_false(r.link_protocol);
    run_result_fini(&r);
    return r.measure.names;
}

/* Runs an all-to-all on 4x4x4 with settings added; all packets must arrive. */
static struct run_result run_links(const char *more, uint32_t threads)
{
    char settings[600];
    struct run_result r;
    snprintf(settings, sizeof(settings),
             "machine.dims=4x4x4 workload.pattern=alltoall workload.packets_per_pair=4 %s", more);
    if (run_machine(settings, threads, true, &r) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
    assert_int_equal(r.measure.delivered, 64 * 63 * 4);
    assert_int_equal(r.measure.injected, 64 * 63 * 4);
    return r;
}

static void without_errors_nothing_is_sent_twice(void **state)
{
    (void)state;
    struct run_result r = run_links("machine.link.protocol=true", 1);
    assert_int_equal(r.measure.link[LINK_PACKETS], r.measure.hops);
    assert_int_equal(r.measure.link[LINK_RETRANSMITTED], 0);
    assert_int_equal(r.link_report.differing, 0);
    run_result_fini(&r);
}

static void errors_are_mended(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "machine.link.bit_error_rate=1e-7",
        "machine.link.bit_error_rate=1e-5",
        "machine.link.bit_error_rate=1e-4",
        "machine.link.bit_error_rate=1e-3 workload.packet_bytes=32,64",
        "machine.link.bit_error_rate=1e-5 machine.link.burst_bits=32",
        "machine.link.bit_error_rate=1e-5 workload.packet_bytes=32,96,256 workload.high_share=0.2 "
        "workload.dynamic_share=0.5",
        "machine.link.bad_links=1/1/1:x+@1000-30000,2/0/3:z-@500-9000 "
        "machine.link.bad_error_rate=0.3",
        "machine.link.bit_error_rate=3e-5 machine.node.injection_fifo_bytes=1024 "
        "machine.node.reception_fifo_bytes=1024 machine.router.escape=dateline",
        "machine.link.bit_error_rate=1e-5 machine.link.retransmission_bytes=260",
        "machine.link.bit_error_rate=1e-5 machine.link.burst_bits=2048",
        "machine.link.bit_error_rate=1e-5 machine.link.retransmission_bytes=65536 "
        "workload.packet_bytes=32 machine.link.timeout_cycles=20000 "
        "machine.router.dynamic_vc_bytes=8160",
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct run_result one = run_links(cases[i], 1);
        const uint64_t *n = one.measure.link;
        assert_int_equal(one.measure.names, names_without_errors(cases[i])); /* each once */
        assert_int_equal(n[LINK_CORRUPTED], n[LINK_HEADER_CRC] + n[LINK_PACKET_CRC]);
        assert_int_equal(n[LINK_ESCAPED], 0);
        assert_int_equal(one.link_report.differing, 0);
        assert_int_equal(one.link_report.links_given_up, 0);
        assert_true(i == 0 || n[LINK_RETRANSMITTED] > 0);
        for (uint32_t threads = 2; threads <= 4; threads++) {
            struct run_result many = run_links(cases[i], threads);
            assert_int_equal(many.measure.digest, one.measure.digest);
            assert_memory_equal(many.measure.link, n, sizeof(many.measure.link));
            run_result_fini(&many);
        }
        run_result_fini(&one);
    }
}

static void a_burst_goes_on_in_the_next_packets(void **state)
{
    (void)state;
    struct run_result one =
        run_links("machine.link.bit_error_rate=1e-4 workload.packet_bytes=32", 1);
    struct run_result burst = run_links("machine.link.bit_error_rate=1e-4 workload.packet_bytes=32 "
                                        "machine.link.burst_bits=2048",
                                        1);
    assert_true(burst.measure.link[LINK_CORRUPTED] > 4 * one.measure.link[LINK_CORRUPTED]);
    run_result_fini(&one);
    run_result_fini(&burst);
}

static void the_rarest_errors_do_not_come(void **state)
{
    (void)state;
    struct run_result r = run_links("machine.link.bit_error_rate=1e-300", 1);
    assert_int_equal(r.measure.link[LINK_FLIPPED], 0);
    run_result_fini(&r);
}

/* The ends of a link then speak of different packets: no reason to complain. */
static void packets_under_way_at_the_end_are_no_escapes(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_machine("machine.dims=4x4x4 workload.pattern=uniform workload.load=0.9 "
                                 "workload.cycles=5000 workload.warmup_cycles=100 "
                                 "workload.drain_cycles=10 machine.link.bit_error_rate=1e-5",
                                 1, true, &r),
                     WEFT_OK);
    assert_int_equal(r.link_report.differing, 0);
    run_result_fini(&r);
}

static void what_a_short_crc_lets_by_is_found_at_the_end(void **state)
{
    (void)state;
    struct run_result r = run_links("machine.link.bit_error_rate=1e-5 machine.link.crc_bits=1", 2);
    uint64_t escaped = r.measure.link[LINK_ESCAPED];
    assert_true(escaped > 100);
    assert_true(r.link_report.differing > 0 && r.link_report.differing <= escaped);
    assert_int_equal(r.link_report.named, 16);
    run_result_fini(&r);
}

static void a_single_error_is_found_by_its_link(void **state)
{
    (void)state;
    /* One link is bad for about one packet, and no CRC is looked at. */
    struct run_result r = run_links("machine.link.bad_links=1/2/3:y+@9000-9300 "
                                    "machine.link.bad_error_rate=0.001 machine.link.crc_bits=0",
                                    1);
    assert_int_equal(r.link_report.differing, r.measure.link[LINK_ESCAPED] > 0);
    for (uint32_t i = 0; i < r.link_report.named; i++) {
        assert_string_equal(r.link_report.first[i].name, "1/2/3:y+");
    }
    run_result_fini(&r);
}

static void a_stuck_link_is_named(void **state)
{
    (void)state;
    struct run_result r;
    weft_status status =
        run_machine("machine.dims=4x4x4 workload.pattern=alltoall run.stall_cycles=200000 "
                    "machine.link.bad_links=1/1/1:x+@100- machine.link.bad_error_rate=1",
                    2, false, &r);
    assert_int_equal(status, WEFT_FAILED);
    assert_non_null(strstr(weft_last_error(), "1/1/1:x+"));
    run_result_fini(&r);
}

static void the_same_data_have_the_same_checksums(void **state)
{
    (void)state;
    /* Unbounded FIFOs get the same packets, whatever happens on links. */
    struct run_result a =
        run_links("machine.link.bit_error_rate=1e-5 machine.node.injection_fifo_bytes=0", 1);
    struct run_result b =
        run_links("machine.link.protocol=true machine.node.injection_fifo_bytes=0", 1);
    assert_memory_equal(a.link_report.checksum, b.link_report.checksum, 64 * 8 * sizeof(uint32_t));
    struct run_result c = run_links("machine.link.protocol=true workload.packet_bytes=224", 1);
    assert_memory_not_equal(a.link_report.checksum, c.link_report.checksum,
                            64 * 8 * sizeof(uint32_t));
    run_result_fini(&a);
    run_result_fini(&b);
    run_result_fini(&c);
}

/* All nodes of a small partition step at once, and are marked again by what their links heard. */
static void steps_may_mark_their_node_again(void **state)
{
    (void)state;
    struct run_result r = run_ok("machine.dims=6x2x1 machine.router.dynamic_vc_bytes=544 "
                                 "machine.link.protocol=true workload.pattern=neighbour "
                                 "workload.packet_bytes=32,64,96 workload.high_share=0.5 "
                                 "workload.load=1.5 run.bricks=2x1x1");
    assert_int_equal(r.measure.injected, r.measure.delivered);
}

/* Links have things to say when no packet is under way: no deadlock, and not the end. */
static void silence_between_packets_is_no_stall(void **state)
{
    (void)state;
    struct run_result r = run_ok("machine.dims=8x8x1 machine.link.protocol=true "
                                 "machine.router.wire_cycles=100 workload.pattern=neighbour "
                                 "workload.load=0.003 workload.cycles=300000 "
                                 "run.stall_cycles=1000");
    assert_false(r.deadlock);
    assert_true(r.cycles >= 310000); /* to the end of the traffic */
    assert_int_equal(r.measure.injected, r.measure.delivered);
}

GROUP(links)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_errors_nothing_is_sent_twice),
        cmocka_unit_test(errors_are_mended),
        cmocka_unit_test(a_burst_goes_on_in_the_next_packets),
        cmocka_unit_test(the_rarest_errors_do_not_come),
        cmocka_unit_test(packets_under_way_at_the_end_are_no_escapes),
        cmocka_unit_test(what_a_short_crc_lets_by_is_found_at_the_end),
        cmocka_unit_test(a_single_error_is_found_by_its_link),
        cmocka_unit_test(a_stuck_link_is_named),
        cmocka_unit_test(the_same_data_have_the_same_checksums),
        cmocka_unit_test(steps_may_mark_their_node_again),
        cmocka_unit_test(silence_between_packets_is_no_stall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
