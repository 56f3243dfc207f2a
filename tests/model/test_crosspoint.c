/*
 * The crosspoint fabric on small graphs whose answer is known by a formula: times from the
 * parameters, what limits a link, the rule of virtual channels, what each workload sends, deadlock
 * where nothing prevents it. Links with errors are tested in test_crosspoint_links.c.
 *
 * Times, in cycles of 5 ns: a packet of B bytes has 2 + B / 8 words, at least 4, each of which
 * takes a cycle, and keeps a link busy for one more; a hop takes 10 from grant to grant, 6 of them
 * on the wire; from the last switch to the engine it takes 4. An event takes a processor 30,
 * microcode 48.
 */
#include <unistd.h>

#include "group.h"
#include "../unit/graphs.h"
#include "fabric/crosspoint/network.h"
#include "workload/workload.h"

#define IRREGULAR WEFT_TEST_DATA "/tests/fuzz/corpus/graph/irregular"

enum {
    HOP = 10,
    BYPASS = 4,
    LINK = 1,
    SEND = 30,
    RECEIVE = 30,
    EVENT = 48,
    FULL = 128,
    SHORT_WORDS = 4
};

static struct run_result run_graph(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One thread, with checks; it must end well, and whatever was sent must have arrived. */
static struct run_result run_graph(const char *format, ...)
{
    char settings[1024];
    struct run_result r;
    va_list args;
    va_start(args, format);
    vsnprintf(settings, sizeof(settings), format, args);
    va_end(args);
    if (run_on("sc5832", settings, 1, true, &r) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
    assert_int_equal(r.measure.delivered, r.measure.generated);
    assert_int_equal(r.measure.delivered, r.measure.injected);
    run_result_fini(&r);
    return r;
}

static uint64_t words(uint64_t bytes)
{
    uint64_t count = 2 + (bytes + 7) / 8;
    return count < SHORT_WORDS ? SHORT_WORDS : count;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- times ---- */

/* The first node that is so many hops from node 0, as a ping-pong takes it; and the way back. */
static uint32_t ways(const char *graph, uint32_t hops, uint32_t *there, uint32_t *back)
{
    struct graph g = make(graph);
    uint32_t *from = malloc(2 * g.nodes * sizeof(*from)), *to = from + g.nodes, node = 1;
    search(&g, 0, from);
    while (node + 1 < g.nodes && from[node] != hops)
        node++;
    search(&g, node, to);
    *there = from[node];
    *back = to[0];
    free(from);
    graph_fini(&g);
    return node;
}

static const struct {
    const char *graph;
    uint32_t hops;
} distances[] = {{"kautz:1:1", 1}, {"kautz:2:1", 1}, {"kautz:2:3", 1}, {"kautz:2:3", 2},
                 {"kautz:2:3", 3}, {"kautz:3:3", 3}, {IRREGULAR, 4}};
enum { DISTANCES = sizeof(distances) / sizeof(distances[0]) };

/* Of a message in packets that software makes, so many hops. */
static uint64_t eager_cycles(uint64_t bytes, uint32_t hops)
{
    uint64_t made = 0, out = 0, in = 0, done = 0;
    do {
        uint64_t piece = bytes < FULL ? bytes : FULL;
        made += SEND;
        out = larger(made, out) + EVENT;
        in = larger(out + hops * HOP + BYPASS + words(piece), in) + EVENT;
        done = larger(done, in) + RECEIVE;
        bytes -= piece;
    } while (bytes);
    return done;
}

static void a_short_message_takes_what_its_parts_take(void **state)
{
    (void)state;
    static const uint32_t bytes[] = {1, 8, 9, 100, 128, 129, 300, 1024};
    for (unsigned i = 0; i < DISTANCES; i++)
        for (unsigned b = 0; b < sizeof(bytes) / sizeof(bytes[0]); b++) {
            uint32_t there, back;
            ways(distances[i].graph, distances[i].hops, &there, &back);
            struct run_result r =
                run_graph("machine.graph=%s workload.pattern=pingpong workload.hops=%u "
                          "workload.messages=3 workload.message_bytes=%u",
                          distances[i].graph, distances[i].hops, bytes[b]);
            assert_int_equal(r.cycles,
                             3 * (eager_cycles(bytes[b], there) + eager_cycles(bytes[b], back)));
            assert_near(r.one_way_cycles, (double)r.cycles / 6, 1e-9);
            assert_int_equal(r.measure.bypassed, r.measure.hops - r.measure.delivered);
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
        {"machine.router.bypass_cycles=0", -4 * 4},
        {"machine.router.buffer_cycles=9", 0}, /* nothing waits */
        {"machine.link.control_bytes=128", 0},
        {"machine.node.send_ns=1150", 200},
        {"machine.node.receive_ns=1150", 200},
        {"machine.dma.event_ns=0", -2 * EVENT},
        {"machine.link.overhead_words=9", 0}, /* nothing follows */
        {"machine.dma.mb_per_s=14", 0},       /* of streams only */
        {"machine.router.clock_mhz=100", -(SEND + RECEIVE + 2 * EVENT) / 2},
        {"machine.routing.vc_start=highest", 0},
        {"machine.link.protocol=true", 0},
    };
    uint32_t there, back;
    ways("kautz:2:3", 3, &there, &back);
    assert_int_equal(back, 3);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct run_result r = run_graph("machine.graph=kautz:2:3 workload.pattern=pingpong "
                                        "workload.hops=3 workload.messages=1 "
                                        "workload.message_bytes=100 %s",
                                        cases[i].setting);
        if ((int)r.cycles != 2 * ((int)eager_cycles(100, 3) + cases[i].more))
            fail_msg("%s: %d cycles", cases[i].setting, (int)r.cycles);
    }
}

/* With an engine that moves a word a cycle, and no fractions of cycles: the link is slower. */
static uint64_t rendezvous_cycles(uint64_t bytes, uint32_t there, uint32_t back)
{
    uint64_t request = SEND + EVENT + there * HOP + BYPASS + SHORT_WORDS + EVENT + RECEIVE;
    uint64_t answer = SEND + EVENT + back * HOP + BYPASS + SHORT_WORDS + EVENT;
    uint64_t sent = request + answer, in = 0;
    for (; bytes; sent += words(FULL) + LINK) {
        uint64_t piece = bytes < FULL ? bytes : FULL;
        in = larger(sent + there * HOP + BYPASS + words(piece), in) + piece / 8;
        bytes -= piece;
    }
    return in + EVENT + RECEIVE; /* the engine tells software at the end only */
}

static void a_long_message_meets_first(void **state)
{
    (void)state;
    static const uint32_t bytes[] = {1032, 1152, 5000, 12800};
    for (unsigned i = 0; i < DISTANCES; i++)
        for (unsigned b = 0; b < sizeof(bytes) / sizeof(bytes[0]); b++) {
            uint32_t there, back;
            ways(distances[i].graph, distances[i].hops, &there, &back);
            struct run_result r =
                run_graph("machine.graph=%s workload.pattern=pingpong workload.hops=%u "
                          "workload.messages=2 workload.message_bytes=%u machine.dma.mb_per_s=1600",
                          distances[i].graph, distances[i].hops, bytes[b]);
            assert_int_equal(r.cycles, 2 * (rendezvous_cycles(bytes[b], there, back) +
                                            rendezvous_cycles(bytes[b], back, there)));
            /* Each with a request and an answer. */
            assert_int_equal(r.measure.delivered, 4 * (2 + (bytes[b] + FULL - 1) / FULL));
            assert_int_equal(r.measure.payload_bytes, 4 * bytes[b]);
        }
}

/* Ten packets leave by the port of the engine, 18 words each, the last of them moved at 8 bytes a
 * cycle; then microcode tells the processor, which can send the next message. */
static void a_sender_is_told_that_its_stream_has_left(void **state)
{
    (void)state;
    uint64_t cycles[2], hop = HOP + BYPASS + SHORT_WORDS;
    for (unsigned more = 0; more < 2; more++)
        cycles[more] = run_graph("machine.graph=kautz:1:1 workload.pattern=pairs "
                                 "workload.exchange=one_way workload.messages=%u "
                                 "workload.message_bytes=1280 machine.dma.mb_per_s=1600",
                                 1 + more)
                           .cycles;
    uint64_t request = SEND + EVENT + hop + EVENT + RECEIVE, answer = SEND + EVENT + hop + EVENT;
    assert_int_equal(cycles[0], rendezvous_cycles(1280, 1, 1));
    assert_int_equal(cycles[1] - cycles[0],
                     request + answer + 9 * words(FULL) + FULL / 8 - 1 + EVENT + RECEIVE);
}

/* Two senders make packets faster than the engine takes them: the more room there is in front of
 * it, the earlier they leave the network. */
static void room_before_the_engine_empties_the_network(void **state)
{
    (void)state;
    double before = 1e9;
    for (unsigned packets = 1; packets <= 16; packets *= 2) {
        struct run_result r = run_graph("machine.graph=kautz:2:1 workload.pattern=hotspot "
                                        "workload.messages=20 workload.message_bytes=1024 "
                                        "machine.node.send_ns=0 machine.dma.receive_packets=%u",
                                        packets);
        assert_true(r.response_mean < before);
        before = r.response_mean;
    }
}

/* Twenty messages of one packet. Room goes back with what returns, or when more than half is free;
 * messages that do not fit ask first. */
static void eager_messages_need_room(void **state)
{
    (void)state;
    static const struct {
        uint32_t room;
        const char *exchange;
        uint32_t packets; /* in all */
    } cases[] = {{128, "one_way", 20},    {40, "one_way", 20},        {39, "one_way", 20 + 1},
                 {16, "one_way", 20 + 2}, {8, "one_way", 20 + 4},     {2, "turns", 2 * 20},
                 {3, "both", 2 * 20},     {1, "turns", 2 * (20 + 20)}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct run_result r = run_graph("machine.graph=kautz:1:1 workload.pattern=pairs "
                                        "workload.messages=20 workload.message_bytes=100 "
                                        "workload.exchange=%s machine.node.eager_packets=%u",
                                        cases[i].exchange, cases[i].room);
        assert_int_equal(r.measure.delivered, cases[i].packets);
    }
    /* One sends twice as fast as the other takes: requests, answers, one packet each. */
    struct run_result r = run_graph("machine.graph=kautz:1:1 workload.pattern=pairs "
                                    "workload.messages=20 workload.message_bytes=100 "
                                    "workload.exchange=one_way machine.node.eager_packets=4 "
                                    "machine.node.receive_ns=9000");
    assert_true(r.measure.delivered > 20 + 20 / 3);
    assert_near(run_result_figure(&r, "messages_received"), 20, 0);
}

static void a_message_within_a_node_is_copied(void **state)
{
    (void)state;
    /* 1000 MB/s are 5 bytes a cycle. */
    struct run_result r = run_graph("machine.graph=kautz:1:1 workload.pattern=pairs "
                                    "workload.exchange=one_way workload.messages=1 "
                                    "workload.processes_per_node=2 workload.processes=2 "
                                    "workload.message_bytes=5000");
    assert_int_equal(r.cycles, SEND + 1000 + RECEIVE);
    assert_int_equal(r.measure.generated, 0);
    assert_near(run_result_figure(&r, "messages_received"), 1, 0);
}

/* ---- what a link carries ---- */

/* Cycles of one message of so many full packets between two nodes. */
static uint64_t stream_cycles(uint32_t packets, const char *more)
{
    return run_graph("machine.graph=kautz:1:1 workload.pattern=pairs workload.exchange=one_way "
                     "workload.messages=1 workload.message_bytes=%u %s",
                     packets * FULL, more)
        .cycles;
}

/* What `packets` more take, once the stream flows. */
static uint64_t slope(uint32_t packets, const char *more)
{
    return stream_cycles(60 + packets, more) - stream_cycles(60, more);
}

#define TWO_RAILS "machine.graph=kautz:2:1 machine.node.rails=2 machine.node.rails_bytes=2000 "

static void a_stream_takes_19_cycles_a_full_packet(void **state)
{
    (void)state;
    assert_int_equal(slope(100, ""), 100 * 19);
    assert_int_equal(slope(100, "machine.dma.mb_per_s=1600"), 100 * 19);
    /* Over two rails it is the ports of both nodes that they share, or the engines: 18.29. */
    assert_int_equal(slope(100, TWO_RAILS "machine.dma.mb_per_s=1e5"), 100 * 18);
    assert_int_equal(slope(98, TWO_RAILS), 98 * 128 / 7);
    /* The engine is slower than the link below 1600 * 16 / 19. */
    assert_int_equal(slope(100, "machine.dma.mb_per_s=800"), 100 * 32);
    assert_int_equal(slope(100, "machine.dma.mb_per_s=1280"), 100 * 20);
    /* Without the link's own word a packet takes 18 of the link and 18.29 of the engine. */
    assert_int_equal(slope(98, "machine.link.overhead_words=0"), 98 * 128 / 7);
}

/*
 * A link that is long: a packet's entry and its number are free again when the next switch has
 * passed on its last word and a control packet of one byte, the shortest, has come back; then the
 * packet that waited is read from its buffer.
 */
static void a_round_trip_carries_what_there_are_numbers_or_entries_for(void **state)
{
    (void)state;
    enum { WIRE = 1000, TRIP = (BYPASS + WIRE) + 18 + (1 + WIRE) };
    static const struct {
        const char *setting;
        uint32_t packets, buffer_cycles;
    } cases[] = {
        /* Of 16 numbers one is never in use. */
        {"machine.router.vcs=1", 15, 1},
        {"machine.router.vcs=1 machine.router.buffer_cycles=0", 15, 0},
        {"machine.router.vcs=2", 15, 1},
        /* Of 16 entries each other VC has one for itself. */
        {"machine.router.vcs=3", 14, 1},
        {"machine.router.vcs=4", 13, 1},
        {"machine.router.vcs=4 machine.router.buffer_cycles=20", 13, 20},
        {"machine.router.vcs=1 machine.router.crosspoint_packets=4", 4, 1},
        {"machine.router.vcs=3 machine.router.crosspoint_packets=4", 2, 1},
        {"machine.router.vcs=1 machine.router.crosspoint_packets=1", 1, 1},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char more[256];
        snprintf(more, sizeof(more), "machine.link.wire_cycles=%d machine.link.control_bytes=1 %s",
                 WIRE, cases[i].setting);
        uint64_t cycles = slope(2 * cases[i].packets, more);
        if (cycles != 2 * (TRIP + cases[i].buffer_cycles))
            fail_msg("%s: %llu cycles", more, (unsigned long long)cycles);
    }
}

/* With one entry, packets keep step with the control packets: these follow each other without a
 * pause, and news wait for the next one to begin. */
static void news_wait_for_the_next_control_packet(void **state)
{
    (void)state;
    for (uint32_t bytes = 11; bytes <= 128; bytes += 13) {
        char more[256];
        uint32_t wire = 3 * bytes, away = (BYPASS + wire) + 19 + wire + 1;
        snprintf(more, sizeof(more),
                 "machine.link.wire_cycles=%u machine.link.control_bytes=%u machine.router.vcs=1 "
                 "machine.router.crosspoint_packets=1 run.seed=%u",
                 wire, bytes, bytes);
        assert_int_equal(slope(10, more), 10 * bytes * (1 + (away + bytes - 1) / bytes));
        strcat(more, " machine.link.protocol=true");
        assert_int_equal(slope(10, more), 10 * bytes * (1 + (away + bytes - 1) / bytes));
    }
}

/* ---- routes ---- */

/* What the hops of one packet from each node to each other are by VC, and all. */
struct expected_hops {
    uint64_t all, by_vc[MEASURE_VCS];
};

static void add_route(const struct graph *g, uint32_t from, const struct graph_route *route,
                      uint32_t start_vc, struct expected_hops *e)
{
    uint32_t node[GRAPH_ROUTE_HOPS + 1] = {from}, peaks = 0;
    for (uint32_t hop = 0; hop < route->hops; hop++)
        node[hop + 1] = next_node(g, node[hop], route->port[hop]);
    for (uint32_t hop = 1; hop < route->hops; hop++)
        peaks += node[hop] > node[hop - 1] && node[hop] > node[hop + 1];
    uint32_t vc = start_vc == UINT32_MAX ? peaks : start_vc;
    for (uint32_t hop = 0; hop < route->hops; hop++) {
        vc -= hop > 0 && node[hop] > node[hop - 1] && node[hop] > node[hop + 1];
        assert_true(vc < MEASURE_VCS);
        e->by_vc[vc]++;
        e->all++;
    }
    assert_true(start_vc != UINT32_MAX || vc == 0); /* it ends on VC 0 */
}

static struct expected_hops expected_hops(const struct graph *g, uint32_t start_vc)
{
    struct expected_hops e = {0};
    struct graph_routes routes;
    struct graph_route route;
    graph_routes_init(&routes, g);
    for (uint32_t from = 0; from < g->nodes; from++)
        for (uint32_t to = 0; to < g->nodes; to++)
            if (graph_route(&routes, from, to, &route))
                add_route(g, from, &route, start_vc, &e);
    graph_routes_fini(&routes);
    return e;
}

static uint64_t sum_of_distances(const struct graph *g)
{
    uint32_t *hops = malloc(g->nodes * sizeof(*hops));
    uint64_t sum = 0;
    for (uint32_t from = 0; from < g->nodes; from++) {
        search(g, from, hops);
        for (uint32_t to = 0; to < g->nodes; to++)
            sum += g->dead[from] || g->dead[to] ? 0 : hops[to];
    }
    free(hops);
    return sum;
}

static const char *const graphs[] = {"kautz:1:1", "kautz:2:1", "kautz:2:3",
                                     "kautz:3:3", "kautz:2:5", IRREGULAR};
enum { GRAPHS = sizeof(graphs) / sizeof(graphs[0]) };

static void vcs_are_decremented_at_peaks(void **state)
{
    (void)state;
    bool several = false;
    for (unsigned i = 0; i < GRAPHS; i++)
        for (unsigned highest = 0; highest < 2; highest++) {
            struct graph g = make(graphs[i]);
            struct expected_hops e = expected_hops(&g, highest ? 4 : UINT32_MAX);
            struct run_result r = run_graph("machine.graph=%s workload.message_bytes=8 "
                                            "workload.messages=1 machine.router.vcs=5 "
                                            "machine.routing.vc_start=%s",
                                            graphs[i], highest ? "highest" : "exact");
            assert_int_equal(r.measure.hops, e.all);
            assert_int_equal(e.all, sum_of_distances(&g));
            assert_memory_equal(r.measure.hops_by_vc, e.by_vc, sizeof(e.by_vc));
            several |= e.by_vc[1] && e.by_vc[2];
            graph_fini(&g);
        }
    assert_true(several);
}

/* The bound of a damaged graph is that of the whole one, less the links that it has lost; a graph
 * of degree 4 has four routes that share nothing, however many a message uses. */
static void a_survey_knows_what_is_dead_and_what_is_wide(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        double bound, routes;
    } cases[] = {{"machine.graph=kautz:2:3", 12 * 2 / 6.0, 2},
                 {"machine.graph=kautz:2:3 machine.dead_links=0>10", 12 * 2 / 6.0 - 1, 1},
                 {"machine.graph=kautz:2:3 machine.dead_nodes=0", 0, 1},
                 {"machine.graph=kautz:3:4 machine.dead_nodes=5", 108 * 3 / 8.0 - 6, 2},
                 {"machine.graph=kautz:4:3", 80 * 4 / 6.0, 4},
                 {"machine.graph=kautz:4:3 machine.node.rails=1", 80 * 4 / 6.0, 4}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct run_result r = run_graph("workload.pattern=survey %s", cases[i].settings);
        assert_near(run_result_figure(&r, "bisection_bound"), cases[i].bound, 1e-9);
        assert_near(run_result_figure(&r, "disjoint_routes_least"), cases[i].routes, 0);
    }
}

static void a_ping_pong_within_a_node_goes_through_memory(void **state)
{
    (void)state;
    struct run_result r = run_graph("machine.graph=kautz:2:3 workload.pattern=pingpong "
                                    "workload.hops=0 workload.processes_per_node=2 "
                                    "workload.messages=3 workload.message_bytes=500");
    assert_int_equal(r.measure.delivered, 0);
    assert_near(r.one_way_cycles, SEND + 500 / 5 + RECEIVE, 0); /* 1000 MB/s: 5 bytes a cycle */
}

static void a_survey_says_what_the_graph_is(void **state)
{
    (void)state;
    struct graph g = make("kautz:2:3");
    struct expected_hops e = expected_hops(&g, UINT32_MAX);
    struct run_result r = run_graph("machine.graph=kautz:2:3 workload.pattern=survey");
    double vcs = 0;
    while (e.by_vc[(unsigned)vcs])
        vcs++;
    assert_near(run_result_figure(&r, "nodes"), 12, 0);
    assert_near(run_result_figure(&r, "links"), 24, 0);
    assert_near(run_result_figure(&r, "diameter"), 3, 0);
    assert_near(run_result_figure(&r, "mean_distance"), (double)e.all / (12 * 11), 1e-12);
    assert_near(run_result_figure(&r, "vcs_needed"), vcs, 0);
    assert_near(run_result_figure(&r, "diameter_any_node_dead"), 5, 0); /* k + 2 for d = 2 */
    assert_near(run_result_figure(&r, "disjoint_routes_least"), 2, 0);
    assert_int_equal(r.measure.generated, 0);
    graph_fini(&g);
}

static void dead_nodes_and_links_are_gone_around(void **state)
{
    (void)state;
    static const struct {
        const char *graph, *nodes, *links;
    } cases[] = {
        {"kautz:2:3", "5", "none"},         {"kautz:3:3", "0,17,35", "none"},
        {"kautz:3:3", "none", "0>35,35>1"}, {"kautz:3:3", "4", "0>35,1>32,2>27"},
        {"kautz:2:4", "23", "0>23,1>21"},   {IRREGULAR, "none", "1>0,3>5"},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct config c;
        struct graph g;
        machine_init(&c);
        assert_int_equal(config_choose(&c, "crosspoint", NULL), WEFT_OK);
        assert_int_equal(config_set(&c, "machine.graph", cases[i].graph, ""), WEFT_OK);
        assert_int_equal(config_set(&c, "machine.dead_nodes", cases[i].nodes, ""), WEFT_OK);
        assert_int_equal(config_set(&c, "machine.dead_links", cases[i].links, ""), WEFT_OK);
        if (crosspoint_config_graph(config_section(&c, &crosspoint_section), &g) != WEFT_OK)
            fail_msg("%s", weft_last_error());
        uint64_t living = g.nodes - g.dead_nodes;
        struct run_result r = run_graph("machine.graph=%s machine.dead_nodes=%s "
                                        "machine.dead_links=%s workload.message_bytes=8 "
                                        "workload.messages=1 machine.router.vcs=8",
                                        cases[i].graph, cases[i].nodes, cases[i].links);
        assert_int_equal(r.measure.delivered, living * (living - 1));
        assert_int_equal(r.measure.hops, sum_of_distances(&g));
        assert_near(run_result_figure(&r, "messages_received"), (double)(living * (living - 1)), 0);
        graph_fini(&g);
        config_fini(&c);
    }
}

/* Hops of a message's packets over rails; how many rails there are. */
static uint32_t add_rails(const struct graph *g, uint32_t from, uint32_t to, uint32_t rails,
                          uint64_t bytes, uint64_t *hops)
{
    struct graph_route route[GRAPH_ONE_WAY_LINKS];
    uint32_t found = graph_disjoint_routes(g, from, to, rails, route);
    for (uint32_t i = 0; i < found; i++) {
        uint64_t share = bytes / (found - i);
        *hops += (share + FULL - 1) / FULL * route[i].hops;
        bytes -= share;
    }
    return found;
}

/* From rails_bytes on a message is cut into equal parts, one for each route that shares nothing
 * with the others. */
static void rails_are_disjoint_routes(void **state)
{
    (void)state;
    enum { BYTES = 6000, PACKETS = (BYTES + FULL - 1) / FULL };
    struct graph g = make("kautz:3:3");
    for (uint32_t far = 1; far <= 3; far++)
        for (uint32_t rails = 1; rails <= 4; rails++) {
            uint32_t there, back, node = ways("kautz:3:3", far, &there, &back), found;
            uint64_t hops = 2 * (there + back); /* requests and answers */
            found = add_rails(&g, 0, node, rails, BYTES, &hops);
            assert_int_equal(found, add_rails(&g, node, 0, rails, BYTES, &hops));
            assert_int_equal(found, rails < 3 ? rails : 3);
            for (uint32_t less = 0; less < 2; less++) {
                struct run_result r = run_graph(
                    "machine.graph=kautz:3:3 workload.pattern=pingpong workload.hops=%u "
                    "workload.messages=1 workload.message_bytes=%d machine.node.rails_bytes=%d "
                    "machine.node.rails=%u machine.router.vcs=8",
                    far, BYTES, BYTES + less, rails);
                bool several = rails > 1 && !less;
                assert_near(run_result_figure(&r, "rails_per_message"), several ? found : -1.0, 0);
                assert_int_equal(r.measure.hops, several ? hops : (there + back) * (2 + PACKETS));
                assert_int_equal(r.measure.payload_bytes, 2 * BYTES);
            }
        }
    graph_fini(&g);
}

/* ---- workloads ---- */

static void assert_messages(double expected, double payload, const char *settings)
{
    struct run_result r = run_graph("%s", settings);
    if (run_result_figure(&r, "messages_received") != expected)
        fail_msg("%s: %g messages, not %g", settings, run_result_figure(&r, "messages_received"),
                 expected);
    if (payload >= 0 && (double)r.measure.payload_bytes != payload)
        fail_msg("%s: %g bytes, not %g", settings, (double)r.measure.payload_bytes, payload);
}

static void scripts_send_what_their_formulas_say(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {100, 2000};
    for (unsigned s = 0; s < 2; s++)
        for (uint32_t per_node = 1; per_node <= 2; per_node++)
            for (uint32_t n = 1; n <= 12 * per_node; n += n < 4 ? 1 : 7) {
                static const char *const exchanges[] = {"both", "one_way", "turns"};
                char text[400];
                int at = snprintf(text, sizeof(text),
                                  "machine.graph=kautz:2:3 workload.messages=3 "
                                  "workload.processes_per_node=%u workload.processes=%u "
                                  "workload.message_bytes=%u workload.pattern=",
                                  per_node, n, sizes[s]);
                char *end = text + at;
                double bytes = per_node == 1 ? (double)sizes[s] : -1.0; /* else some are copied */
                if (n == 1)
                    continue; /* no process has a step: see below */
                strcpy(end, "alltoall");
                assert_messages(3.0 * n * (n - 1), bytes * 3 * n * (n - 1), text);
                strcpy(end, "ring");
                assert_messages(3.0 * 2 * n, bytes * 3 * 2 * n, text);
                strcpy(end, "hotspot");
                assert_messages(3.0 * (n - 1), bytes * 3 * (n - 1), text);
                for (unsigned e = 0; e < 3; e++) {
                    double pairs = n / 2, each = e == 1 ? 3 : 6;
                    snprintf(end, sizeof(text) - (size_t)at, "pairs workload.exchange=%s",
                             exchanges[e]);
                    assert_messages(pairs * each, bytes * pairs * each, text);
                }
                snprintf(end, sizeof(text) - (size_t)at, "pairs workload.pairs=1");
                assert_messages(6, bytes * 6, text);
            }
    /* A matrix of 3 x 3 blocks: three pairs off its diagonal. */
    assert_messages(3 * 2 * 5, 3 * 2 * 5 * 240,
                    "machine.graph=kautz:2:3 workload.pattern=pairs workload.pairing=transpose "
                    "workload.messages=5");
}

/* Messages and bytes of one allreduce (Thakur, Rabenseifner, Gropp 2005). */
static void allreduce_formula(uint32_t processes, uint64_t bytes, bool doubling, double *messages,
                              double *payload)
{
    uint32_t core = 1, rounds = 0;
    for (; 2 * core <= processes; rounds++)
        core *= 2;
    uint32_t rest = processes - core;
    *messages = 2.0 * rest + (double)core * rounds * (doubling ? 1 : 2);
    *payload = 2.0 * rest * (double)bytes;
    /* Halving: all but its own block; then back. */
    *payload += (double)bytes * (doubling ? (double)core * rounds : 2.0 * (core - 1));
}

static void an_allreduce_has_log_p_rounds(void **state)
{
    (void)state;
    static const struct {
        uint32_t processes, bytes;
        const char *algorithm;
        bool doubling;
    } cases[] = {
        {2, 512, "doubling", true},   {8, 512, "doubling", true},   {8, 512, "halving", false},
        {16, 8000, "doubling", true}, {16, 8000, "halving", false}, {16, 2048, "auto", true},
        {16, 2049, "auto", false},    {3, 512, "doubling", true},   {3, 512, "halving", false},
        {11, 100, "doubling", true},  {11, 4001, "halving", false}, {23, 8000, "auto", false},
        {24, 1000, "auto", true},     {24, 50000, "auto", false},   {1, 8, "auto", true},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[300];
        double messages, payload;
        allreduce_formula(cases[i].processes, cases[i].bytes, cases[i].doubling, &messages,
                          &payload);
        snprintf(text, sizeof(text),
                 "machine.graph=kautz:2:4 workload.pattern=allreduce workload.messages=2 "
                 "workload.processes=%u workload.message_bytes=%u workload.algorithm=%s",
                 cases[i].processes, cases[i].bytes, cases[i].algorithm);
        if (cases[i].processes == 1)
            assert_int_equal(run_graph("%s", text).measure.generated, 0);
        else
            assert_messages(2 * messages, 2 * payload, text);
    }
}

/*
 * Of a matrix of 3 x 3 blocks on two nodes of six processes, two send from one to the other, much
 * faster than microcode can: it takes their queues in turn, so each has a packet every 96 cycles.
 */
static void queues_of_a_node_take_turns(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_on("sc5832",
                            "machine.graph=kautz:1:1 workload.pattern=pairs "
                            "workload.pairing=transpose workload.exchange=one_way "
                            "workload.processes_per_node=6 workload.messages=0 "
                            "workload.message_bytes=100 workload.cycles=9600 "
                            "workload.warmup_cycles=960 machine.node.send_ns=100",
                            1, true, &r),
                     WEFT_OK);
    assert_near(run_result_figure(&r, "least_bytes_per_process_second"), 100 / (96 * 5e-9), 1e6);
    run_result_fini(&r);
}

static void a_processor_combines_at_its_rate(void **state)
{
    (void)state;
    /* Two processes exchange once; each then works for a byte every 0.8 cycles (250 MB/s). */
    struct run_result r = run_graph("machine.graph=kautz:1:1 workload.pattern=allreduce "
                                    "workload.messages=1 workload.message_bytes=1000");
    struct run_result fast = run_graph("machine.graph=kautz:1:1 workload.pattern=allreduce "
                                       "workload.messages=1 workload.message_bytes=1000 "
                                       "machine.node.reduce_mb_per_s=1e9");
    assert_near((double)(r.cycles - fast.cycles), 800, 1);
}

static void offered_packets_are_carried(void **state)
{
    (void)state;
    static const struct {
        const char *graph, *pattern;
        double load;
    } cases[] = {
        {"kautz:3:3", "uniform", 0.1},     {"kautz:3:3", "uniform", 0.4},
        {"kautz:2:4", "uniform", 0.6},     {"kautz:3:3", "neighbour", 0.5},
        {"kautz:2:4", "permutation", 0.4}, {"kautz:3:3", "bitcomplement", 0.4},
        {"kautz:3:3", "transpose", 0.4},   {"kautz:2:4", "shuffle", 0.4},
        {"kautz:2:4", "bitreverse", 0.4},  {IRREGULAR, "uniform", 0.5},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct run_result r = run_graph("machine.graph=%s workload.pattern=%s workload.load=%g "
                                        "workload.cycles=60000 workload.warmup_cycles=3000",
                                        cases[i].graph, cases[i].pattern, cases[i].load);
        if (r.fraction_of_peak < 0.92 * cases[i].load || r.fraction_of_peak > 1.08 * cases[i].load)
            fail_msg("%s %s: load %g, carried %g", cases[i].graph, cases[i].pattern, cases[i].load,
                     r.fraction_of_peak);
        assert_true(run_result_figure(&r, "busiest_link_utilisation") < 1);
    }
}

/* Two nodes: the bound is the link's 19 cycles a packet, or the engine's, and it is reached. */
static void the_bound_is_the_links_or_the_engines(void **state)
{
    (void)state;
    static const struct {
        const char *setting;
        double cycles;
    } cases[] = {{"machine.dma.mb_per_s=10000", 19},
                 {"machine.dma.mb_per_s=400", 64},
                 {"machine.dma.mb_per_s=10000 workload.packet_bytes=0,128", (5 + 19) / 2.0}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct run_result r = run_graph("machine.graph=kautz:1:1 workload.pattern=uniform "
                                        "workload.load=1.5 workload.cycles=40000 %s",
                                        cases[i].setting);
        assert_near((double)r.measure.window_delivered, 2 * 40000 / cases[i].cycles,
                    0.01 * 2 * 40000 / cases[i].cycles);
        assert_near(r.fraction_of_peak, 1, 0.01);
    }
}

static void one_node_alone_ends_at_once(void **state)
{
    (void)state;
    char path[] = "/tmp/weft-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, "0:\n", 3) == 3);
    close(file);
    unsigned runs = 0;
    for (size_t p = 0; p < pattern_count; p++)
        for (unsigned messages = 0; messages < 2; messages++) {
            const struct pattern *pattern = patterns[p];
            bool survey = pattern->kind == PATTERN_SURVEY;
            if ((pattern->needs & (SITE_COORDINATES | SITE_GROUPS | SITE_IO)) ||
                strcmp(pattern->name, "pingpong") == 0 || pattern->kind == PATTERN_MPI ||
                pattern->kind == PATTERN_PARTS || pattern->from_file ||
                !(survey || (messages ? pattern->messages : pattern->packets) != NULL))
                continue; /* a ping-pong has no partner, and says so */
            struct run_result r = run_graph("machine.graph=%s workload.pattern=%s workload.as=%s",
                                            path, pattern->name,
                                            survey     ? "auto"
                                            : messages ? "messages"
                                                       : "packets");
            assert_int_equal(r.measure.delivered, 0);
            assert_true(r.link_utilisation == 0 && r.response_mean == 0);
            runs++;
        }
    assert_true(runs >= 9 + 5 + 1);
    unlink(path);
}

static void a_ping_pong_has_its_own_processes(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_on("sc5832",
                            "machine.graph=kautz:2:4 workload.pattern=pingpong "
                            "workload.processes_per_node=2 workload.processes=44",
                            1, true, &r),
                     WEFT_BAD_INPUT);
    r = run_graph("machine.graph=kautz:2:4 workload.pattern=pingpong workload.messages=1 "
                  "workload.processes_per_node=2");
    assert_near(run_result_figure(&r, "messages_received"), 2, 0);
    assert_near(run_result_figure(&r, "processes"), 2, 0);
}

/* ---- deadlock ---- */

#define FLOOD                                                                                      \
    "workload.pattern=uniform workload.load=3 workload.cycles=8000 workload.warmup_cycles=500 "    \
    "run.stall_cycles=20000 "                                                                      \
    "machine.dma.mb_per_s=10000 "

static void without_the_rule_buffers_wait_for_each_other(void **state)
{
    (void)state;
    static const char *const cases[] = {"kautz:2:3", "kautz:3:3"};
    for (unsigned i = 0; i < 2; i++) {
        char settings[400];
        struct run_result r;
        snprintf(settings, sizeof(settings),
                 FLOOD "machine.graph=%s machine.routing.vc_rule=none machine.router.vcs=1 "
                       "machine.router.crosspoint_packets=1",
                 cases[i]);
        for (uint32_t threads = 1; threads <= 2; threads++) {
            assert_int_equal(run_on("sc5832", settings, threads, true, &r), WEFT_FAILED);
            assert_true(r.deadlock);
            assert_non_null(strstr(weft_last_error(), "buffers wait for each other:\n  node "));
            assert_non_null(strstr(weft_last_error(), "VC0, 1 packets, waits for\n"));
            assert_true(r.measure.delivered < r.measure.generated);
            run_result_fini(&r);
        }
    }
}

static void with_the_rule_they_never_do(void **state)
{
    (void)state;
    static const struct {
        const char *graph;
        uint32_t vcs;
    } cases[] = {{"kautz:2:3", 2}, {"kautz:3:3", 2}, {"kautz:2:5", 3}, {IRREGULAR, 2}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (unsigned start = 0; start < 2; start++)
            for (unsigned seed = 1; seed <= 3; seed++)
                run_graph(FLOOD "machine.graph=%s machine.router.vcs=%u run.seed=%u "
                                "machine.router.crosspoint_packets=%u machine.routing.vc_start=%s",
                          cases[i].graph, cases[i].vcs, seed, cases[i].vcs,
                          start ? "highest" : "exact");
}

GROUP(crosspoint)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_message_takes_what_its_parts_take),
        cmocka_unit_test(each_parameter_adds_its_time),
        cmocka_unit_test(a_long_message_meets_first),
        cmocka_unit_test(a_sender_is_told_that_its_stream_has_left),
        cmocka_unit_test(room_before_the_engine_empties_the_network),
        cmocka_unit_test(eager_messages_need_room),
        cmocka_unit_test(a_message_within_a_node_is_copied),
        cmocka_unit_test(a_stream_takes_19_cycles_a_full_packet),
        cmocka_unit_test(a_round_trip_carries_what_there_are_numbers_or_entries_for),
        cmocka_unit_test(news_wait_for_the_next_control_packet),
        cmocka_unit_test(vcs_are_decremented_at_peaks),
        cmocka_unit_test(a_survey_says_what_the_graph_is),
        cmocka_unit_test(a_survey_knows_what_is_dead_and_what_is_wide),
        cmocka_unit_test(a_ping_pong_within_a_node_goes_through_memory),
        cmocka_unit_test(dead_nodes_and_links_are_gone_around),
        cmocka_unit_test(rails_are_disjoint_routes),
        cmocka_unit_test(scripts_send_what_their_formulas_say),
        cmocka_unit_test(an_allreduce_has_log_p_rounds),
        cmocka_unit_test(queues_of_a_node_take_turns),
        cmocka_unit_test(a_processor_combines_at_its_rate),
        cmocka_unit_test(offered_packets_are_carried),
        cmocka_unit_test(the_bound_is_the_links_or_the_engines),
        cmocka_unit_test(one_node_alone_ends_at_once),
        cmocka_unit_test(a_ping_pong_has_its_own_processes),
        cmocka_unit_test(without_the_rule_buffers_wait_for_each_other),
        cmocka_unit_test(with_the_rule_they_never_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
