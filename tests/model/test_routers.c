/*
 * The parts of the router, each tested by what it must do: escapes keep a jammed network moving,
 * the uncorrected bubble rule does not; priorities, paths, FIFOs, arbitration and measures work as
 * documented.
 */
#include "group.h"
#include "testing.h"

/* Injection goes before packets in the network, twice the traffic it can carry, eight sizes: VCs
 * fill up and everything hangs on the escape. */
#define JAM                                                                                        \
    "workload.pattern=uniform workload.load=2 workload.cycles=60000 "                              \
    "workload.packet_bytes=32,64,96,128,160,192,224,256 machine.router.in_network_share=0 "

static const char *const escapes[] = {
    "machine.router.escape=bubble machine.router.escape_order=dimension",
    "machine.router.escape=bubble machine.router.escape_order=direction",
    "machine.router.escape=dateline machine.router.escape_order=dimension",
    "machine.router.escape=dateline machine.router.escape_order=direction",
};

static void every_escape_keeps_a_jam_moving(void **state)
{
    (void)state;
    static const char *const machines[] = {"4x4x4", "3x5x7"};
    for (unsigned m = 0; m < 2; m++)
        for (unsigned i = 0; i < 4; i++) {
            char settings[512];
            snprintf(settings, sizeof(settings), JAM "machine.dims=%s %s", machines[m], escapes[i]);
            struct run_result r = run_ok(settings);
            assert_int_equal(r.measure.injected, r.measure.delivered);
            double escaped = 1 - r.vc[0].share - r.vc[1].share;
            assert_true(escaped > 0.1); /* it was in use */
        }
}

/* Rings whose free space breaks into pieces smaller than a packet. */
#define FRAGMENT                                                                                   \
    "machine.dims=16x16x1 workload.packet_bytes=32,256 workload.packets_per_pair=10 "              \
    "workload.packets_per_visit=10 workload.dynamic_share=0 machine.router.in_network_share=0 "    \
    "run.seed=1 "

static void the_uncorrected_bubble_rule_deadlocks_and_says_where(void **state)
{
    (void)state;
    struct run_result r;
    weft_status status =
        run_machine(FRAGMENT "machine.router.bubble_rule=actual_size", 2, true, &r);
    assert_int_equal(status, WEFT_FAILED);
    assert_true(r.deadlock);
    assert_non_null(strstr(weft_last_error(), "16 buffers wait for each other:"));
    assert_non_null(strstr(r.deadlock_text, "receiver x"));
    assert_non_null(strstr(r.deadlock_text, "VC BN"));
    run_result_fini(&r);
}

static void the_corrected_bubble_rule_completes_the_same_run(void **state)
{
    (void)state;
    struct run_result r = run_ok(FRAGMENT "machine.router.bubble_rule=full_size");
    assert_int_equal(r.measure.injected, r.measure.delivered);
}

static void a_deadlock_is_found_on_any_number_of_threads(void **state)
{
    (void)state;
    struct run_result one, four;
    run_machine(FRAGMENT "machine.router.bubble_rule=actual_size", 1, false, &one);
    run_machine(FRAGMENT "machine.router.bubble_rule=actual_size", 4, false, &four);
    assert_true(one.deadlock && four.deadlock);
    assert_int_equal(one.measure.digest, four.measure.digest);
    assert_string_equal(one.deadlock_text, four.deadlock_text);
    run_result_fini(&one);
    run_result_fini(&four);
}

static void dynamic_routing_beats_deterministic(void **state)
{
    (void)state;
    struct run_result dynamic = run_ok("machine.dims=8x8x4 workload.packets_per_pair=2");
    struct run_result fixed =
        run_ok("machine.dims=8x8x4 workload.packets_per_pair=2 workload.dynamic_share=0");
    assert_true(dynamic.fraction_of_peak > fixed.fraction_of_peak + 0.05);
    assert_near(fixed.vc[2].share, 1, 0); /* all on the bubble VC */
    assert_true(dynamic.vc[2].share < 0.02);
}

static void any_number_of_vcs_and_paths_works(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "machine.router.dynamic_vcs=0",
        "machine.router.dynamic_vcs=1",
        "machine.router.dynamic_vcs=4",
        "machine.router.paths=1",
        "machine.router.paths=4",
        "machine.router.dynamic_vcs=4 machine.router.escape=dateline machine.router.paths=4",
        "machine.router.dynamic_vc_bytes=512 machine.router.escape_vc_bytes=512",
        "machine.router.dynamic_vc_bytes=2048 machine.router.escape_vc_bytes=2048",
        "machine.router.vc_choice=random machine.router.receiver_slq_share=0",
        "machine.router.sender_slq_share=0",
        "machine.router.in_network_share=0.5",
        "machine.router.bypass_dynamic_bytes=512",
        "machine.router.bypass_dynamic_bytes=-1",
        "machine.router.arbitration_cycles=0 machine.router.pipeline_cycles=0",
        "machine.link.ack_bytes=0 machine.link.gap_bytes=0",
        "machine.router.wire_cycles=200",
        "machine.node.hints=hardware",
    };
    for (unsigned i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        char settings[512];
        snprintf(settings, sizeof(settings),
                 "machine.dims=4x4x4 workload.packets_per_pair=4 workload.packet_bytes=32,256 %s",
                 variants[i]);
        struct run_result r = run_ok(settings);
        assert_int_equal(r.measure.delivered, 64 * 63 * 4);
    }
}

static void one_path_is_slower_than_two(void **state)
{
    (void)state;
    struct run_result one = run_ok("machine.dims=4x4x4 workload.pattern=uniform workload.load=0.8 "
                                   "machine.router.paths=1");
    struct run_result two = run_ok("machine.dims=4x4x4 workload.pattern=uniform workload.load=0.8");
    assert_true(one.response_mean > two.response_mean);
}

/* 101 packets one after the other on each link: 100 pauses, and one before the first. */
static void a_free_link_is_asked_for_after_request_cycles(void **state)
{
    (void)state;
    uint64_t cycles[3];
    for (unsigned i = 0; i < 3; i++) {
        char settings[512];
        snprintf(settings, sizeof(settings),
                 "machine.dims=2x1x1 machine.wrap=false workload.packets_per_pair=101 "
                 "machine.node.injection_fifo_bytes=0 " NO_CORES "machine.router.request_cycles=%u",
                 3 * i);
        cycles[i] = run_ok(settings).cycles;
    }
    assert_int_equal(cycles[1] - cycles[0], 100 * 3);
    assert_int_equal(cycles[2] - cycles[1], 101 * 3); /* 3: no later than the first arbitration */
}

static void a_bypass_over_a_filled_vc_is_used_more(void **state)
{
    (void)state;
    struct run_result none = run_ok("machine.dims=4x4x4 workload.pattern=uniform workload.load=0.8 "
                                    "machine.router.bypass_dynamic_bytes=-1");
    struct run_result empty =
        run_ok("machine.dims=4x4x4 workload.pattern=uniform workload.load=0.8");
    struct run_result filled =
        run_ok("machine.dims=4x4x4 workload.pattern=uniform workload.load=0.8 "
               "machine.router.bypass_dynamic_bytes=512");
    assert_int_equal(none.measure.bypassed, 0);
    assert_true(empty.measure.bypassed > 0);
    assert_true(filled.measure.bypassed > empty.measure.bypassed);
}

static void high_priority_goes_first(void **state)
{
    (void)state;
    /* All traffic normal, or a twentieth of it high: that share must see far shorter queues. */
    struct run_result normal =
        run_ok("machine.dims=4x4x4 workload.pattern=uniform workload.load=1.2 "
               "workload.cycles=30000 machine.node.injection_fifo_bytes=0");
    struct run_result mixed = run_ok(
        "machine.dims=4x4x4 workload.pattern=uniform workload.load=1.2 workload.cycles=30000 "
        "machine.node.injection_fifo_bytes=0 workload.high_share=0.05");
    assert_near(mixed.vc[3].share, 0.05, 0.01);
    uint64_t fast_normal = 0, fast_mixed = 0;
    for (unsigned b = 0; histogram_lower(b) < 700; b++) {
        fast_normal += normal.measure.response.bucket[b];
        fast_mixed += mixed.measure.response.bucket[b];
    }
    double share_normal = (double)fast_normal / (double)normal.measure.response.count;
    double share_mixed = (double)fast_mixed / (double)mixed.measure.response.count;
    assert_true(share_mixed > share_normal + 0.02);
}

static void bounded_fifos_lose_nothing(void **state)
{
    (void)state;
    struct run_result r = run_ok(
        "machine.dims=4x4x4 workload.packets_per_pair=5 workload.packet_bytes=32,256 "
        "workload.groups=2 workload.high_share=0.1 machine.node.injection_fifo_bytes=1024 "
        "machine.node.reception_fifo_bytes=1024 machine.node.consumer_mb_per_s=300 "
        "machine.node.injection_watermark_bytes=512 machine.node.reception_watermark_bytes=512");
    assert_int_equal(r.measure.delivered, 64 * 63 * 5);
    assert_true(r.injection_watermarks > 0);
    assert_true(r.reception_watermarks > 0);
}

/* All six receivers share the high priority FIFO: it must not be promised twice. */
static void the_high_reception_fifo_is_not_overrun(void **state)
{
    (void)state;
    struct run_result r =
        run_ok("machine.dims=4x4x4 workload.pattern=hotspot workload.packets_per_pair=20 "
               "workload.high_share=1 machine.node.reception_fifo_bytes=256");
    assert_int_equal(r.measure.delivered, 63 * 20);
    r = run_ok(
        "machine.dims=4x4x4 workload.pattern=uniform workload.high_share=0.5 workload.load=0.9 "
        "workload.cycles=10000 machine.node.reception_fifo_bytes=1024 "
        "machine.node.consumer_mb_per_s=400 machine.node.injection_fifo_bytes=1024");
    assert_near(r.vc[3].share, 0.5, 0.03);
}

/* Programs make their packets as FIFOs empty, high priority ones and answers too. */
static void programs_do_not_flood_the_machine(void **state)
{
    (void)state;
    struct run_result r =
        run_ok("machine.dims=4x4x2 workload.packets_per_pair=300 workload.high_share=1");
    assert_int_equal(r.measure.delivered, 32 * 31 * 300);
    r = run_ok("machine.dims=2x1x1 workload.pattern=pingpong workload.message_bytes=10000000 "
               "workload.messages=1");
    assert_int_equal(r.measure.payload_bytes, 20000000);
}

static void long_idle_times_are_neither_stalls_nor_busy_links(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_machine("machine.dims=2x2x2 workload.pattern=uniform workload.load=1e-7 "
                                 "workload.cycles=20000000000",
                                 1, false, &r),
                     WEFT_OK);
    assert_true(r.measure.delivered > 100);
    assert_true(r.measure.response.max < 2000);
    run_result_fini(&r);
    /* Gaps of more than 2^32 cycles: routers keep the low halves of times. */
    assert_int_equal(run_machine("machine.dims=2x2x2 workload.pattern=uniform workload.load=1e-9 "
                                 "workload.cycles=2000000000000",
                                 1, false, &r),
                     WEFT_OK);
    assert_true(r.measure.delivered > 100);
    assert_true(r.measure.response.max < 2000);
    run_result_fini(&r);
    r = run_ok(
        "machine.dims=2x2x2 workload.pattern=uniform workload.load=1e-20 workload.cycles=10000");
    assert_int_equal(r.measure.delivered, 0);
}

static void reading_does_not_throw_writing_away(void **state)
{
    (void)state;
    struct run_result none =
        run_ok(NO_CORES "machine.dims=4x4x4 machine.node.packet_write_cycles=4000");
    struct run_result some =
        run_ok(NO_CORES "machine.dims=4x4x4 machine.node.packet_write_cycles=4000 "
                        "machine.node.packet_read_cycles=4");
    assert_near((double)some.cycles, (double)none.cycles, 400); /* 63 reads of one cycle */
}

static void a_slow_consumer_sets_the_pace(void **state)
{
    (void)state;
    /* 63 senders to one node that reads 100 MB/s: the links could bring six times 175. */
    struct run_result r = run_ok(
        NO_CORES "machine.dims=4x4x4 workload.pattern=hotspot workload.packets_per_pair=20 "
                 "machine.node.reception_fifo_bytes=1024 machine.node.consumer_mb_per_s=100");
    assert_near((double)r.cycles, 63 * 20 * 256 * 1.75, 0.02 * 63 * 20 * 256 * 1.75);
}

/* The same run with a row of the timeline for so many cycles. */
static struct run_result with_rows_of(cycle_t cycles)
{
    struct run_result r;
    char settings[200];
    snprintf(settings, sizeof(settings),
             "machine.dims=4x4x4 workload.packets_per_pair=3 machine.router.dynamic_vcs=1 "
             "run.interval_cycles=%llu",
             (unsigned long long)cycles);
    assert_int_equal(run_machine(settings, 3, true, &r), WEFT_OK);
    return r;
}

static void the_timeline_adds_up(void **state)
{
    (void)state;
    struct run_result r = with_rows_of(1000);
    uint64_t delivered = 0, hops = 0, busy = 0, acks = 0;
    for (size_t i = 0; i < r.measure.rows; i++) {
        delivered += r.measure.row[i].delivered;
        acks += r.measure.row[i].acks;
        for (unsigned v = 0; v < MEASURE_VCS; v++)
            hops += r.measure.row[i].hops[v];
        for (unsigned p = 0; p < MEASURE_PORTS; p++)
            busy += r.measure.row[i].busy[p];
    }
    assert_int_equal(delivered, r.measure.delivered);
    assert_int_equal(hops, r.measure.hops);
    assert_int_equal(acks, r.measure.hops); /* one for each packet and link */
    assert_int_equal(busy, r.measure.hops * 270);
    run_result_fini(&r);
}

/* A run counts what links do up to its last delivery, as a row does that ends there; other rows of
 * the timeline count the rest, too. Here that is one acknowledgment, of the packet that comes last:
 * it leaves when trailer and gap have followed the packet's last byte. */
static void links_are_busy_up_to_the_last_delivery(void **state)
{
    (void)state;
    enum { ACK = 8 };
    struct run_result any = with_rows_of(1000);
    struct run_result r = with_rows_of(any.measure.last_delivery);
    uint64_t before = 0, after = 0, counted = 0;
    assert_int_equal(r.measure.rows, 2);
    for (unsigned p = 0; p < MEASURE_PORTS; p++) {
        assert_int_equal(r.measure.busy[p], any.measure.busy[p]);
        assert_true(r.measure.busy[p] <= r.measure.row[0].busy[p]);
        counted += r.measure.busy[p];
        before += r.measure.row[0].busy[p];
        after += r.measure.row[1].busy[p];
    }
    assert_int_equal(before + after, r.measure.hops * 270);
    assert_int_equal(after, ACK);
    assert_int_equal(counted, before);
    run_result_fini(&any);
    run_result_fini(&r);
}

static void acknowledgments_that_nobody_waits_for_take_no_event(void **state)
{
    (void)state;
    struct run_result r = run_ok("machine.dims=8x8x8 workload.pattern=uniform workload.load=1 "
                                 "workload.cycles=10000 machine.node.injection_fifo_bytes=0");
    assert_int_equal(r.measure.acks, r.measure.hops);
    assert_true((double)r.events < 3.3 * (double)r.measure.hops);
    /* Where buffers are short of room, most let somebody move. */
    r = run_ok("machine.dims=8x8x8 workload.pattern=uniform workload.load=1 workload.cycles=10000 "
               "machine.router.dynamic_vc_bytes=256");
    assert_int_equal(r.measure.acks, r.measure.hops);
    assert_true((double)r.events > 3.6 * (double)r.measure.hops);
}

/* Longer than a note's time can tell. */
static void acknowledgments_outlive_long_silence(void **state)
{
    (void)state;
    struct run_result r, threads;
    const char *settings = "machine.dims=2x2x2 workload.pattern=uniform workload.load=0.00002 "
                           "workload.cycles=100000000 run.interval_cycles=10000000";
    uint64_t acks = 0;
    assert_int_equal(run_machine(settings, 1, true, &r), WEFT_OK);
    for (size_t i = 0; i < r.measure.rows; i++)
        acks += r.measure.row[i].acks;
    assert_int_equal(r.measure.acks, r.measure.hops);
    assert_int_equal(acks, r.measure.hops);
    assert_int_equal(run_machine(settings, 4, false, &threads), WEFT_OK);
    assert_int_equal(threads.measure.digest, r.measure.digest);
    assert_int_equal(threads.measure.acks, r.measure.acks);
    run_result_fini(&r);
    run_result_fini(&threads);
}

/* The same run whole and cut, on as many threads as parts, comes to the same end. */
static void assert_same_when_cut(const char *settings, const char *cuts, uint32_t parts,
                                 weft_status status)
{
    struct run_result whole, cut;
    char text[1024];
    snprintf(text, sizeof(text), "%s run.bricks=1x1x1", settings);
    assert_int_equal(run_machine(text, 1, true, &whole), status);
    snprintf(text, sizeof(text), "%s run.bricks=%s", settings, cuts);
    assert_int_equal(run_machine(text, parts, true, &cut), status);
    assert_int_equal(whole.deadlock, status == WEFT_FAILED);
    assert_int_equal(cut.deadlock, whole.deadlock);
    assert_int_equal(cut.measure.digest, whole.measure.digest);
    assert_int_equal(cut.measure.acks, whole.measure.acks);
    assert_int_equal(cut.measure.rows, whole.measure.rows);
    run_result_fini(&whole);
    run_result_fini(&cut);
}

/* A consumer so slow that partitions sleep for longer than a note's time can tell, while what they
 * sent waits elsewhere. */
static void a_partition_may_sleep_for_long(void **state)
{
    (void)state;
    assert_same_when_cut("machine.dims=3x1x1 machine.router.wire_cycles=256 "
                         "machine.node.reception_fifo_bytes=256 "
                         "machine.node.consumer_mb_per_s=0.003 workload.pattern=hotspot "
                         "workload.packet_bytes=32,256 workload.packets_per_pair=60 "
                         "machine.router.dynamic_vcs=1 machine.router.dynamic_vc_bytes=256",
                         "3x1x1", 3, WEFT_OK);
}

/* One whose packets stand still for so long that it is called a deadlock: on every cut alike. */
static void a_stall_is_the_same_on_every_cut(void **state)
{
    (void)state;
    assert_same_when_cut(
        "machine.dims=1x2x1 machine.router.escape=none machine.router.dynamic_vcs=4 "
        "machine.router.vc_choice=random machine.router.transfer_cycles=2 "
        "machine.router.pipeline_cycles=0 machine.router.vc_fifo_cycles=64 "
        "machine.router.wire_cycles=256 machine.link.ack_bytes=0 "
        "machine.node.reception_fifo_bytes=1024 machine.node.packet_read_cycles=0 "
        "machine.node.consumer_mb_per_s=1 workload.pattern=neighbour workload.packet_bytes=32 "
        "workload.dynamic_share=0.9 workload.high_share=0.5 workload.load=0.6 "
        "workload.warmup_cycles=1000 workload.cycles=9999 run.seed=35 run.interval_cycles=100 "
        "run.stall_cycles=3000",
        "1x2x1", 2, WEFT_FAILED);
}

GROUP(routers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_escape_keeps_a_jam_moving),
        cmocka_unit_test(the_uncorrected_bubble_rule_deadlocks_and_says_where),
        cmocka_unit_test(the_corrected_bubble_rule_completes_the_same_run),
        cmocka_unit_test(a_deadlock_is_found_on_any_number_of_threads),
        cmocka_unit_test(dynamic_routing_beats_deterministic),
        cmocka_unit_test(any_number_of_vcs_and_paths_works),
        cmocka_unit_test(one_path_is_slower_than_two),
        cmocka_unit_test(a_free_link_is_asked_for_after_request_cycles),
        cmocka_unit_test(a_bypass_over_a_filled_vc_is_used_more),
        cmocka_unit_test(high_priority_goes_first),
        cmocka_unit_test(bounded_fifos_lose_nothing),
        cmocka_unit_test(the_high_reception_fifo_is_not_overrun),
        cmocka_unit_test(programs_do_not_flood_the_machine),
        cmocka_unit_test(long_idle_times_are_neither_stalls_nor_busy_links),
        cmocka_unit_test(reading_does_not_throw_writing_away),
        cmocka_unit_test(a_slow_consumer_sets_the_pace),
        cmocka_unit_test(the_timeline_adds_up),
        cmocka_unit_test(links_are_busy_up_to_the_last_delivery),
        cmocka_unit_test(acknowledgments_that_nobody_waits_for_take_no_event),
        cmocka_unit_test(acknowledgments_outlive_long_silence),
        cmocka_unit_test(a_partition_may_sleep_for_long),
        cmocka_unit_test(a_stall_is_the_same_on_every_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
