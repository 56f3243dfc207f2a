/*
 * Tofu on small machines whose answer is known by hand: times from the parameters, what limits a
 * link, trunking, which channels are used, what a proof of freedom from deadlock needs, and that
 * every packet arrives once whatever happens to bits.
 *
 * Times, in cycles of 1.6 ns: a packet of B bytes has 5 + B / 8 lines, each of which takes a cycle;
 * a hop takes 62 from grant to grant, a control line 39 back. So that no times have fractions,
 * software takes 60 to send and to receive, and an engine 250 to start and to finish.
 */
#include "group.h"
#include "testing.h"

#include "fabric/tofu/route.h"
#include "machine/family.h"

#define EXACT                                                                                      \
    "machine.tni.start_ns=400 machine.tni.finish_ns=400 machine.node.send_ns=96 "                  \
    "machine.node.receive_ns=96 "

enum { HOP = 62, CONTROL = 39, SOFTWARE = 60, START = 250, FINISH = 250, FULL = 2008, LINES = 256 };

static struct run_result run_tofu(uint32_t threads, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* With checks; it must end well, and whatever was sent must have arrived. */
static struct run_result run_tofu(uint32_t threads, const char *format, ...)
{
    char settings[1024];
    struct run_result r;
    va_list args;
    va_start(args, format);
    vsnprintf(settings, sizeof(settings), format, args);
    va_end(args);
    if (run_on("k-computer", settings, threads, true, &r) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
    if (r.measure.delivered != r.measure.generated || r.measure.delivered != r.measure.injected)
        fail_msg("%s: %llu of %llu packets", settings, (unsigned long long)r.measure.delivered,
                 (unsigned long long)r.measure.generated);
    run_result_fini(&r);
    return r;
}

/* Lines of a message in packets. */
static uint64_t lines(uint64_t bytes)
{
    return bytes / FULL * LINES + (bytes % FULL || !bytes ? 5 + (bytes % FULL + 7) / 8 : 0);
}

/* ---- times ---- */

/* Of a message that is sent at once, over so many hops. Virtual cut-through adds its lines once;
 * software takes packet after packet. */
static uint64_t eager_cycles(uint64_t bytes, uint32_t hops)
{
    uint64_t at = SOFTWARE + START + (uint64_t)hops * HOP, done = 0;
    do {
        uint64_t piece = bytes < FULL ? bytes : FULL;
        at += lines(piece);
        done = (at + FINISH > done ? at + FINISH : done) + SOFTWARE;
        bytes -= piece;
    } while (bytes);
    return done;
}

/* A request, its answer, and all packets one after the other. */
static uint64_t rendezvous_cycles(uint64_t bytes, uint32_t hops)
{
    uint64_t way = (uint64_t)hops * HOP;
    return SOFTWARE + START + way + lines(0) + FINISH + SOFTWARE + SOFTWARE + START + way +
           lines(0) + FINISH + START + way + lines(bytes) + FINISH + SOFTWARE;
}

static const struct {
    const char *dims;
    uint32_t diameter;
} machines[] = {{"1x1x1x2x3x2", 3}, {"2x1x1x2x3x2", 4}, {"5x1x1x2x3x2", 5}, {"2x3x4x2x3x2", 7}};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

static void a_message_takes_what_its_parts_take(void **state)
{
    (void)state;
    static const uint32_t bytes[] = {0, 1, 8, 9, 100, FULL, FULL + 1, 8 * FULL, 16385, 100 * FULL};
    for (unsigned m = 0; m < MACHINES; m++)
        for (uint32_t hops = 1; hops <= machines[m].diameter; hops++)
            for (unsigned b = 0; b < sizeof(bytes) / sizeof(bytes[0]); b++) {
                struct run_result r =
                    run_tofu(1,
                             EXACT "machine.dims=%s workload.pattern=pingpong workload.hops=%u "
                                   "workload.messages=3 workload.message_bytes=%u",
                             machines[m].dims, hops, bytes[b]);
                assert_int_equal(r.cycles,
                                 6 * (bytes[b] <= 16384 ? eager_cycles(bytes[b], hops)
                                                        : rendezvous_cycles(bytes[b], hops)));
                assert_int_equal(r.measure.hops, r.measure.delivered * hops);
                assert_int_equal(r.measure.payload_bytes, 6 * bytes[b]);
            }
}

static void each_parameter_adds_its_time(void **state)
{
    (void)state;
    static const struct {
        const char *setting;
        int more; /* cycles of a message of one packet over 3 hops */
    } cases[] = {
        {"machine.link.wire_cycles=16", 3 * 10},
        {"machine.router.receive_cycles=0", -3 * 16},
        {"machine.router.route_cycles=20", 3 * 10},
        {"machine.router.switch_cycles=15", 3},
        {"machine.router.send_cycles=0", -3 * 16},
        {"machine.router.vc_bytes=2048", 0}, /* nothing waits */
        {"machine.router.vcs=2", 0},
        {"machine.router.compute_order=xyz", 0},
        {"machine.link.control_lines=16", 0}, /* nothing goes the other way */
        {"machine.link.protocol=true", 0},
        {"machine.node.send_ns=416", 200},
        {"machine.node.receive_ns=416", 200},
        {"machine.tni.start_ns=480", 50},
        {"machine.tni.finish_ns=480", 50},
        {"machine.tni.command=memory", 150}, /* 240 ns */
        {"machine.tni.command=memory machine.tni.fetch_ns=0", 0},
        {"machine.tni.header_bytes=32", -1},
        {"machine.tni.payload_bytes=1000", 0},
        {"machine.tni.engines=1", 0},
        {"machine.link.mb_per_s=2500", -(2 * SOFTWARE + START + FINISH) / 2},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct run_result r =
            run_tofu(1,
                     EXACT "machine.dims=1x1x1x2x3x2 workload.pattern=pingpong workload.hops=3 "
                           "workload.messages=1 workload.message_bytes=100 %s",
                     cases[i].setting);
        if ((int)r.cycles != 2 * ((int)eager_cycles(100, 3) + cases[i].more))
            fail_msg("%s: %d cycles", cases[i].setting, (int)r.cycles);
    }
}

/* Between two nodes along a: a relay elsewhere along b or c costs a hop there and one back. */
static void a_relay_costs_its_hops(void **state)
{
    (void)state;
    for (unsigned number = 1; number <= TOFU_PATHS; number++) {
        unsigned offset = number - 1, hops = 1 + 2 * (offset / 2 % 3 != 0) + 2 * (offset / 6);
        struct run_result r =
            run_tofu(1,
                     EXACT "machine.dims=1x1x1x2x3x2 workload.pattern=pingpong workload.hops=1 "
                           "workload.messages=1 workload.message_bytes=8 machine.tni.path=%u",
                     number);
        assert_int_equal(r.cycles, 2 * eager_cycles(8, hops));
    }
}

/* ---- what links and engines carry ---- */

/* What so many full packets more take between two neighbours, once they flow. */
static uint64_t slope(uint32_t packets, const char *exchange, const char *more)
{
    uint64_t cycles[2];
    for (unsigned i = 0; i < 2; i++)
        cycles[i] = run_tofu(1,
                             EXACT "machine.dims=1x1x1x2x3x2 workload.pattern=pairs "
                                   "workload.processes=2 workload.messages=1 workload.exchange=%s "
                                   "workload.message_bytes=%u %s",
                             exchange, FULL * (240 + i * packets), more)
                        .cycles;
    return cycles[1] - cycles[0];
}

/* 2008 bytes in 256 cycles of 1.6 ns: 4902 MB/s. */
static void an_engine_fills_a_link(void **state)
{
    (void)state;
    assert_int_equal(slope(100, "one_way", ""), 100 * LINES);
    assert_int_equal(slope(100, "one_way", "machine.tni.engines=1"), 100 * LINES);
    assert_int_equal(slope(100, "one_way", "machine.link.protocol=true"), 100 * LINES);
}

/* A link, and three detours over b+, b- and c: as fast as the engines are many. */
static void trunking_adds_up_engines(void **state)
{
    (void)state;
    for (uint32_t engines = 1; engines <= 4; engines++)
        for (uint32_t rails = 1; rails <= 4; rails++) {
            char more[128];
            uint32_t used = rails < engines ? rails : engines;
            snprintf(more, sizeof(more),
                     "machine.node.rails=%u machine.node.rails_bytes=20000 machine.tni.engines=%u",
                     rails, engines);
            assert_int_equal(slope(100 * used, "one_way", more), 100 * LINES);
        }
}

/* For each packet, the lines that acknowledge one the other way. */
static void a_link_that_is_full_both_ways_carries_control_lines(void **state)
{
    (void)state;
    for (uint32_t control = 0; control <= 16; control += 4) {
        char more[64];
        snprintf(more, sizeof(more), "machine.link.control_lines=%u", control);
        assert_int_equal(slope(100, "both", more), 100 * (LINES + control));
    }
    assert_int_equal(slope(100, "both", ""), 100 * (LINES + 2));
}

/* Room is free again when a packet has passed on and a control line has come back. */
static void a_round_trip_carries_what_there_is_room_for(void **state)
{
    (void)state;
    enum { LONG = 1000, TRIP = LINES + HOP + CONTROL, LONG_TRIP = TRIP + 2 * (LONG - 6) };
    static const struct {
        const char *setting;
        uint32_t packets, trip;
    } cases[] = {
        {"machine.router.vc_bytes=2048", 1, TRIP},
        {"machine.router.vc_bytes=4088", 1, TRIP}, /* no room for two */
        {"machine.router.vc_bytes=4096", 2, 2 * LINES},
        {"machine.link.wire_cycles=1000", 4, LONG_TRIP},
        {"machine.link.wire_cycles=1000 machine.link.retransmission_bytes=4096", 2, LONG_TRIP},
        {"machine.link.wire_cycles=1000 machine.link.retransmission_bytes=65536", 4, LONG_TRIP},
        {"machine.link.wire_cycles=1000 machine.link.retransmission_bytes=65536 "
         "machine.router.vc_bytes=20000",
         9, LONG_TRIP},
        {"machine.link.wire_cycles=1000 machine.link.retransmission_bytes=65536 "
         "machine.router.vc_bytes=20480",
         10, 10 * LINES},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t cycles = slope(12 * cases[i].packets, "one_way", cases[i].setting);
        if (cycles != 12 * cases[i].trip)
            fail_msg("%s: %llu cycles", cases[i].setting, (unsigned long long)cycles);
    }
}

/* ---- channels ---- */

/* One packet from each node to each other. */
#define ALL_TO_ALL "workload.pattern=alltoall workload.as=packets workload.packets_per_pair=1 "

/* Within a group, from each to each: a 1/2, b 2/3 and c 1/2 hops on average. */
enum { GROUP_HOPS = 12 * 12 * 5 / 3 };

static void io_nodes_use_the_channels_of_io(void **state)
{
    (void)state;
    /* Two groups along z, a ring of two. From each 144 packets go along z: half of them by each of
     * the two cables, one of which is the ring's last link, on the higher channel. All take that
     * within the destination's group. */
    struct run_result r = run_tofu(1, ALL_TO_ALL "machine.dims=1x1x2x2x3x2");
    const uint64_t expected[] = {72, 72 + 2 * GROUP_HOPS, 72, 72 + 2 * GROUP_HOPS};
    assert_memory_equal(r.measure.hops_by_vc, expected, sizeof(expected));
    r = run_tofu(1, ALL_TO_ALL "machine.dims=1x1x2x2x3x2 machine.io_plane=false");
    const uint64_t compute[] = {144, 144 + 4 * GROUP_HOPS, 0, 0};
    assert_memory_equal(r.measure.hops_by_vc, compute, sizeof(compute));
    /* A ring of three: one hop of each two passes its last link. */
    r = run_tofu(1, ALL_TO_ALL "machine.dims=3x1x1x2x3x2");
    const uint64_t ring[] = {0, 0, 4 * 144, 2 * 144 + 9 * GROUP_HOPS};
    assert_memory_equal(r.measure.hops_by_vc, ring, sizeof(ring));
    /* A line: none does. */
    r = run_tofu(1, ALL_TO_ALL "machine.dims=3x1x1x2x3x2 machine.wrap=false");
    const uint64_t line[] = {0, 0, 8 * 144, 9 * GROUP_HOPS};
    assert_memory_equal(r.measure.hops_by_vc, line, sizeof(line));
}

/* Paths without a relay are shortest, whatever the shape. */
static void packets_take_shortest_paths(void **state)
{
    (void)state;
    static const char *const shapes[] = {"machine.dims=1x1x1x2x3x2", "machine.dims=2x1x1x2x3x2",
                                         "machine.dims=2x1x1x2x3x2 machine.wrap=false",
                                         "machine.dims=3x2x1x2x3x2",
                                         "machine.dims=1x4x2x2x3x2 machine.wrap=true,false,true"};
    for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        struct run_result all = run_tofu(1, ALL_TO_ALL "%s", shapes[i]);
        struct run_result survey;
        char settings[256];
        snprintf(settings, sizeof(settings), "workload.pattern=survey %s", shapes[i]);
        assert_int_equal(run_on("k-computer", settings, 1, true, &survey), WEFT_OK);
        double nodes = run_result_figure(&survey, "nodes");
        assert_near((double)all.measure.hops,
                    nodes * (nodes - 1) * run_result_figure(&survey, "mean_distance"), 1e-6);
        assert_int_equal(all.measure.delivered, (uint64_t)(nodes * (nodes - 1)));
        run_result_fini(&survey);
    }
}

/* ---- deadlock ---- */

static weft_status prove(const char *settings, char *text, size_t size)
{
    struct config c;
    configure(&c, "k-computer", settings);
    assert_int_equal(machine_finish(&c), WEFT_OK);
    weft_status status = family_of(&c)->check_routes(&c);
    if (status == WEFT_OK)
        status = family_of(&c)->prove(&c, text, size);
    config_fini(&c);
    return status;
}

static void four_channels_are_needed(void **state)
{
    (void)state;
    static const char *const shapes[] = {"machine.dims=1x1x1x2x3x2", "machine.dims=3x2x1x2x3x2",
                                         "machine.dims=2x1x4x2x3x2",
                                         "machine.dims=3x1x3x2x3x2 machine.wrap=false",
                                         "machine.dims=3x3x1x2x3x2 machine.router.io_order=zxy"};
    for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        for (unsigned vcs = 1; vcs <= 4; vcs++) {
            char settings[256], text[4096];
            snprintf(settings, sizeof(settings), "%s machine.router.vcs=%u", shapes[i], vcs);
            assert_int_equal(prove(settings, text, sizeof(text)), vcs < 4 ? WEFT_FAILED : WEFT_OK);
        }
}

static void four_channels_are_enough_whatever_board_is_dead(void **state)
{
    (void)state;
    for (unsigned board = 0; board < 3 * 2 * 2 * 3; board++) {
        char settings[256], text[4096];
        snprintf(settings, sizeof(settings),
                 "machine.dims=3x2x2x2x3x2 machine.dead_boards=%u/%u/%u/%u", board % 3,
                 board / 3 % 2, board / 6 % 2, board / 12);
        if (prove(settings, text, sizeof(text)) != WEFT_OK)
            fail_msg("%s: %s", settings, text);
        strcat(settings, " machine.router.vcs=3");
        assert_int_equal(prove(settings, text, sizeof(text)), WEFT_FAILED);
    }
}

/* Under more load than there is room for, on all paths in turn, with the smallest buffers. */
static void saturation_is_no_deadlock(void **state)
{
    (void)state;
    static const char *const shapes[] = {"machine.dims=4x2x1x2x3x2",
                                         "machine.dims=1x1x4x2x3x2 machine.dead_boards=0/0/2/1",
                                         "machine.dims=3x3x1x2x3x2 machine.dead_groups=1/1/0"};
    for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        run_tofu(1,
                 "%s workload.pattern=uniform workload.load=1.5 workload.cycles=2500 "
                 "workload.warmup_cycles=500 machine.router.vc_bytes=2048 "
                 "machine.tni.path=turn",
                 shapes[i]);
}

/* New packets of four engines starve those under way, if all have the same right to a link. */
static void packets_under_way_go_first(void **state)
{
    (void)state;
    static const char ring[] =
        "machine.dims=8x1x1x2x3x2 workload.pattern=uniform workload.load=1.5 "
        "workload.cycles=20000 ";
    struct run_result transit = run_tofu(1, "%s", ring);
    struct run_result turns = run_tofu(1, "%s machine.router.arbiter=turns", ring);
    assert_true(transit.fraction_of_peak > 0.75);
    assert_true(turns.fraction_of_peak < 0.55);
    assert_true(run_result_figure(&turns, "fairness") < 0.6);
    assert_true(run_result_figure(&transit, "fairness") > 0.9);
}

/* ---- errors ---- */

/* A packet's name is its node and its number in the order in which the node sends. These send in an
 * order that does not depend on times. */
static const char *const named[] = {
    "machine.dims=1x1x1x2x3x2 workload.pattern=alltoall workload.as=messages "
    "workload.message_bytes=3000 workload.messages=1 workload.processes=12 "
    "machine.node.eager_packets=64 machine.tni.engines=1 ",
    "machine.dims=2x1x1x2x3x2 workload.pattern=hotspot workload.message_bytes=100 "
    "workload.messages=8 ",
    "machine.dims=3x1x2x2x3x2 workload.pattern=pairs workload.message_bytes=60000 "
    "workload.messages=1 workload.exchange=one_way machine.router.vc_bytes=2048 "
    "machine.tni.engines=1 ",
    "machine.dims=2x2x1x2x3x2 workload.pattern=pairs workload.message_bytes=5000 "
    "workload.messages=3 workload.exchange=turns machine.tni.path=9 ",
};
enum { NAMED = sizeof(named) / sizeof(named[0]) };

/* The same on one and on two threads; the packets of a machine without errors. */
static struct run_result assert_mended(const char *settings, const char *errors)
{
    struct run_result clean = run_tofu(1, "%s", settings);
    struct run_result r = run_tofu(1, "%s %s", settings, errors);
    struct run_result many = run_tofu(2, "%s %s", settings, errors);
    const uint64_t *n = r.measure.link;
    if (r.measure.names != clean.measure.names)
        fail_msg("%s %s: other packets", settings, errors);
    assert_int_equal(r.measure.delivered, clean.measure.delivered);
    assert_int_equal(r.measure.payload_bytes, clean.measure.payload_bytes);
    assert_int_equal(n[LINK_CORRUPTED], n[LINK_PACKET_CRC]);
    assert_int_equal(n[LINK_ESCAPED], 0);
    assert_int_equal(r.link_report.links_given_up, 0);
    assert_true(n[LINK_RETRANSMITTED] == 0 || n[LINK_RECOVERIES] > 0);
    assert_int_equal(many.measure.digest, r.measure.digest);
    assert_memory_equal(many.measure.link, n, sizeof(many.measure.link));
    return r;
}

static void errors_are_mended(void **state)
{
    (void)state;
    static const char *const errors[] = {
        "machine.link.bit_error_rate=1e-6",
        "machine.link.bit_error_rate=1e-5 machine.link.burst_bits=500",
        "machine.link.bit_error_rate=1e-4 machine.link.refresh_cycles=50",
        "machine.link.bit_error_rate=1e-4 machine.link.burst_bits=30 machine.link.wire_cycles=300",
    };
    uint64_t sum[LINK_COUNTS] = {0};
    for (unsigned w = 0; w < NAMED; w++)
        for (unsigned e = 0; e < sizeof(errors) / sizeof(errors[0]); e++) {
            struct run_result r = assert_mended(named[w], errors[e]);
            for (unsigned i = 0; i < LINK_COUNTS; i++)
                sum[i] += r.measure.link[i];
        }
    /* All that can happen to a link has. */
    assert_true(sum[LINK_RETRANSMITTED] > 0);
    assert_true(sum[LINK_GHOSTS] > 0);
    assert_true(sum[LINK_ACK_CRC] > 0);
    assert_true(sum[LINK_OUT_OF_ORDER] > 0);
}

static void a_link_that_is_bad_for_a_time_goes_on_afterwards(void **state)
{
    (void)state;
    static const char *const rates[] = {"0.003", "0.5", "1"};
    for (unsigned w = 0; w < NAMED; w++)
        for (unsigned i = 0; i < 3; i++) {
            char errors[256];
            snprintf(errors, sizeof(errors),
                     "machine.link.bad_links=0/0/0/0/0/0:a@100-9000,0/0/0/1/0/0:a@300-20000,"
                     "0/0/0/0/1/1:b-@0-4000 machine.link.bad_error_rate=%s "
                     "machine.link.bit_error_rate=%s",
                     rates[i], i == 1 ? "1e-5" : "0");
            assert_mended(named[w], errors);
        }
}

/* Where most packets are hit, ghosts are no fewer than packets, but none brings forth others. */
static void ghosts_die_out(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 3; seed++) {
        char errors[128];
        snprintf(errors, sizeof(errors), "machine.link.bit_error_rate=1e-3 run.seed=%u", seed);
        struct run_result r = assert_mended(named[1], errors);
        assert_true(r.measure.link[LINK_GHOSTS] > r.measure.delivered);
    }
}

/* Names may differ then: nothing is lost, and threads agree. */
static void errors_are_mended_under_load(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "machine.dims=2x1x2x2x3x2 workload.pattern=uniform workload.load=1.2 workload.cycles=3000 "
        "workload.warmup_cycles=500 machine.link.bit_error_rate=1e-5",
        "machine.dims=1x1x1x2x3x2 workload.pattern=uniform workload.load=2 workload.cycles=3000 "
        "workload.warmup_cycles=500 machine.router.vc_bytes=2048 "
        "machine.link.bit_error_rate=1e-4 workload.packet_bytes=0,2008 machine.tni.path=turn",
        "machine.dims=2x1x1x2x3x2 workload.pattern=alltoall workload.as=messages "
        "workload.message_bytes=20000 workload.messages=1 machine.link.bit_error_rate=3e-5 "
        "machine.link.burst_bits=100 machine.node.rails=4 machine.node.rails_bytes=10000 "
        "machine.dead_nodes=1/0/0/0/1/0",
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct run_result one = run_tofu(1, "%s", cases[i]), many = run_tofu(3, "%s", cases[i]);
        assert_true(one.measure.link[LINK_RETRANSMITTED] > 0);
        assert_int_equal(many.measure.digest, one.measure.digest);
        assert_memory_equal(many.measure.link, one.measure.link, sizeof(one.measure.link));
    }
}

/* And the other way of its cable: what acknowledges packets there goes by the bad link. */
static void a_link_bad_for_ever_is_named(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_on("k-computer",
                            "machine.dims=1x1x1x2x3x2 machine.link.bad_links=0/0/0/1/0/0:a@100- "
                            "run.stall_cycles=200000 workload.pattern=alltoall "
                            "workload.message_bytes=300",
                            1, true, &r),
                     WEFT_FAILED);
    assert_true(r.deadlock);
    assert_non_null(strstr(weft_last_error(), "2 links have sent over and over in vain"));
    assert_non_null(strstr(weft_last_error(), ": 0/0/0/0/0/0:a 0/0/0/1/0/0:a"));
    run_result_fini(&r);
}

GROUP(tofu)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_takes_what_its_parts_take),
        cmocka_unit_test(each_parameter_adds_its_time),
        cmocka_unit_test(a_relay_costs_its_hops),
        cmocka_unit_test(an_engine_fills_a_link),
        cmocka_unit_test(trunking_adds_up_engines),
        cmocka_unit_test(a_link_that_is_full_both_ways_carries_control_lines),
        cmocka_unit_test(a_round_trip_carries_what_there_is_room_for),
        cmocka_unit_test(io_nodes_use_the_channels_of_io),
        cmocka_unit_test(packets_take_shortest_paths),
        cmocka_unit_test(four_channels_are_needed),
        cmocka_unit_test(four_channels_are_enough_whatever_board_is_dead),
        cmocka_unit_test(saturation_is_no_deadlock),
        cmocka_unit_test(packets_under_way_go_first),
        cmocka_unit_test(errors_are_mended),
        cmocka_unit_test(a_link_that_is_bad_for_a_time_goes_on_afterwards),
        cmocka_unit_test(ghosts_die_out),
        cmocka_unit_test(errors_are_mended_under_load),
        cmocka_unit_test(a_link_bad_for_ever_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
