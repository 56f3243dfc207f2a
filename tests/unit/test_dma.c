/*
 * DMA engines, through the nic's face: every send arrives once, with its cargo and in order,
 * whatever links and cuts there are, on a graph and on a torus; microcode takes its time for each
 * event and serves queues in turn; streams share the engine; routes share nothing.
 *
 * Times, in cycles of 5 ns: a packet of B bytes has 2 + B / 8 words, 4 at least, each a cycle, and
 * keeps a link busy for one more; a hop from grant to grant 10; from the last switch to the engine
 * 4; microcode 48. The engine streams 8 bytes a cycle here.
 */
#include "group.h"
#include "nics.h"

#include "topology/graph/routes.h"

enum { HOP = 10, BYPASS = 4, EVENT = 48, FULL = 128 };

#define EXACT "machine.dma.mb_per_s=1600 "

static uint64_t words(uint64_t bytes)
{
    uint64_t count = 2 + (bytes + 7) / 8;
    return count < 4 ? 4 : count;
}

static fine_t move(uint64_t bytes)
{
    return fine_at(bytes) / 8;
}

/* Two nodes with a link each way. */
static void pair_init(struct nics *n)
{
    nics_init(n, "sc5832", EXACT "machine.graph=kautz:1:1", 1);
}

static void traits_are_those_of_an_engine(void **state)
{
    (void)state;
    struct nics n;
    nics_init(&n, "sc5832", "machine.graph=kautz:2:2", 1);
    const struct nic_traits *t = &n.nic->traits;
    assert_int_equal(t->packet_payload, FULL);
    assert_true(t->ordered);
    assert_true(t->engine);
    assert_int_equal(t->queues, 6);
    assert_true(t->routes >= 2);
    assert_near(t->cycles_per_us, 200, 0);
    nics_fini(&n);
}

/* ---- sends ---- */

static const char *const machines[] = {
    "machine.graph=kautz:1:1",
    "machine.graph=kautz:2:2",
    "machine.graph=kautz:2:2 machine.router.crosspoint_packets=4 machine.link.wire_cycles=40",
    "machine.graph=kautz:2:2 machine.link.bit_error_rate=1e-4",
    "machine.graph=kautz:3:1 machine.dma.event_ns=0 machine.dma.mb_per_s=1e5",
    "machine.graph=kautz:2:2 machine.dma.payload_bytes=16 machine.node.processors=1",
};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

static void every_send_arrives_once_in_order_with_its_cargo(void **state)
{
    (void)state;
    nics_test_random("sc5832", machines, MACHINES, "run.partitions=2", NICS_QUEUE_ORDER);
}

static void sends_are_posted_from_all_calls(void **state)
{
    (void)state;
    nics_test_chain("sc5832", machines, MACHINES, 3000, NICS_QUEUE_ORDER);
}

/* ---- times ---- */

/* Hops from node to node of a Kautz graph with words of two attachments. */
static uint32_t hops_between(const char *graph, uint32_t from, uint32_t to)
{
    struct graph g;
    struct graph_routes routes;
    struct graph_route route;
    assert_int_equal(graph_parse_direct(graph, &g), WEFT_OK);
    graph_routes_init(&routes, &g);
    assert_true(graph_route(&routes, from, to, &route));
    graph_routes_fini(&routes);
    graph_fini(&g);
    return route.hops;
}

/* What becomes of a packet that node 0 posts in cycle 100 to be ready in 130, with no other. */
static struct posting lone_packet(uint32_t to, uint64_t bytes, enum nic_flag flags)
{
    struct nics n;
    nics_init(&n, "sc5832", EXACT "machine.graph=kautz:2:2", 1);
    const struct posting *p = nics_add(
        &n, 0, 100,
        (struct nic_send){.to = to, .bytes = bytes, .ready = fine_at(130), .flags = flags});
    nics_run(&n);
    nics_check(&n);
    struct posting told = *p;
    nics_fini(&n);
    return told;
}

static const uint64_t lengths[] = {0, 1, 8, 9, 100, 128};
enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

static void an_event_takes_what_its_parts_take(void **state)
{
    (void)state;
    for (uint32_t to = 1; to < 6; to++)
        for (unsigned i = 0; i < LENGTHS; i++) {
            struct posting p = lone_packet(to, lengths[i], 0);
            fine_t way = fine_at(hops_between("kautz:2:2", 0, to) * HOP + BYPASS);
            assert_int_equal(p.free, fine_at(100)); /* the processor goes on at once */
            assert_int_equal(p.sent_when, fine_at(130 + EVENT));
            assert_int_equal(p.first, p.sent_when + way + fine_at(words(lengths[i]) + EVENT));
        }
}

/* Software makes packets `gap` apart; microcode needs its time for each, at both ends. */
static void events_of_several_packets_keep_the_slowest_pace(void **state)
{
    (void)state;
    for (uint32_t gap = 20; gap <= 100; gap += 40)
        for (uint32_t packets = 1; packets <= 9; packets++) {
            struct nics n;
            uint64_t pace = gap > EVENT ? gap : EVENT;
            pair_init(&n);
            struct posting *p =
                nics_add(&n, 0, 100,
                         (struct nic_send){.to = 1, .bytes = packets * FULL, .gap = fine_at(gap)});
            nics_run(&n);
            nics_check(&n);
            assert_int_equal(p->sent_when, fine_at(100 + EVENT + (packets - 1) * pace));
            assert_int_equal(p->latest - p->first, fine_at((packets - 1) * pace));
            nics_fini(&n);
        }
}

static void a_stream_needs_no_microcode(void **state)
{
    (void)state;
    for (uint32_t to = 1; to < 6; to++)
        for (unsigned i = 0; i < LENGTHS; i++) {
            struct posting p = lone_packet(to, lengths[i], NIC_STREAM);
            fine_t way = fine_at(hops_between("kautz:2:2", 0, to) * HOP + BYPASS);
            assert_int_equal(p.first, fine_at(130 + words(lengths[i])) + way + move(lengths[i]));
        }
}

/* A link takes 19 cycles for a full packet, an engine of 800 MB/s 32. */
static void a_stream_flows_at_the_slowest_pace(void **state)
{
    (void)state;
    for (unsigned slow = 0; slow < 2; slow++) {
        struct nics n;
        nics_init(&n, "sc5832",
                  slow ? "machine.graph=kautz:1:1 machine.dma.mb_per_s=800"
                       : "machine.graph=kautz:1:1 machine.dma.mb_per_s=1600",
                  1);
        struct posting *p = nics_add(
            &n, 0, 0, (struct nic_send){.to = 1, .bytes = 101 * FULL, .flags = NIC_STREAM});
        nics_run(&n);
        nics_check(&n);
        assert_int_equal(p->packets, 101);
        assert_int_equal(p->latest - p->first, fine_at(100 * (slow ? 32 : 19)));
        nics_fini(&n);
    }
}

/* A memory of 800 MB/s, at either end: 32 cycles for a full packet. One of 1600 MB/s, if as much
 * comes as goes: half of it each way. One of 3200 MB/s has both. */
static void a_stream_flows_at_the_pace_of_memory(void **state)
{
    (void)state;
    static const struct {
        const char *total;
        bool both;
        uint64_t pace;
    } cases[] = {{"800", false, 32}, {"1600", false, 19}, {"1600", true, 32}, {"3200", true, 19}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct nics n;
        char settings[200];
        snprintf(settings, sizeof(settings),
                 EXACT "machine.graph=kautz:1:1 machine.node.memory_total_mb_per_s=%s",
                 cases[i].total);
        nics_init(&n, "sc5832", settings, 1);
        struct posting *p[2] = {NULL, NULL};
        for (uint32_t node = 0; node < 1u + cases[i].both; node++)
            p[node] =
                nics_add(&n, node, 0,
                         (struct nic_send){.to = !node, .bytes = 401 * FULL, .flags = NIC_STREAM});
        nics_run(&n);
        nics_check(&n);
        for (uint32_t node = 0; node < 1u + cases[i].both; node++)
            assert_near((double)(p[node]->latest - p[node]->first) / fine_at(400),
                        (double)cases[i].pace, cases[i].both ? 0.02 * (double)cases[i].pace : 0);
        nics_fini(&n);
    }
}

/* Microcode takes 48 cycles for an event; 64 bytes, of a memory of 80 MB/s, 160. */
static void an_event_waits_for_memory(void **state)
{
    (void)state;
    enum { EVENTS = 20 };
    struct nics n;
    nics_init(&n, "sc5832", EXACT "machine.graph=kautz:1:1 machine.node.memory_total_mb_per_s=80",
              1);
    for (unsigned i = 0; i < EVENTS; i++)
        nics_add(&n, 0, 0, (struct nic_send){.to = 1, .bytes = 64});
    nics_run(&n);
    nics_check(&n);
    for (unsigned i = 0; i < EVENTS; i++)
        assert_int_equal(n.posting[i].sent_when, fine_at(160 * (i + 1)));
    nics_fini(&n);
}

/* In the first cycle as in any other; with next to nothing to move, too. */
static void streams_may_start_at_once(void **state)
{
    (void)state;
    fine_t took[2][3];
    for (unsigned late = 0; late < 2; late++) {
        static const uint64_t bytes[3] = {0, 1, 1000};
        struct nics n;
        pair_init(&n);
        for (unsigned i = 0; i < 3; i++)
            nics_add(&n, 0, late * 1000,
                     (struct nic_send){.to = 1, .bytes = bytes[i], .flags = NIC_STREAM});
        nics_run(&n);
        nics_check(&n);
        for (unsigned i = 0; i < 3; i++)
            took[late][i] = n.posting[i].latest - fine_at(late * 1000);
        nics_fini(&n);
    }
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(took[0][i], took[1][i]);
}

/* ---- sharing ---- */

/* Microcode takes an event of each queue in turn, whoever posted more and first. */
static void queues_take_turns(void **state)
{
    (void)state;
    enum { EVENTS = 10, QUEUES = 3 };
    struct nics n;
    pair_init(&n);
    for (unsigned queue = 0; queue < QUEUES; queue++)
        for (unsigned i = 0; i < EVENTS; i++)
            nics_add(&n, 0, 0, (struct nic_send){.to = 1, .bytes = 8, .queue = (uint8_t)queue});
    nics_run(&n);
    nics_check(&n);
    for (unsigned queue = 0; queue < QUEUES; queue++)
        for (unsigned i = 0; i < EVENTS; i++)
            assert_int_equal(n.posting[queue * EVENTS + i].sent_when,
                             fine_at(EVENT * (i * QUEUES + queue + 1)));
    nics_fini(&n);
}

/* A packet of each in turn: streams of one length end together, a short one soon. */
static void streams_take_turns(void **state)
{
    (void)state;
    enum { LONG = 40 };
    struct nics n;
    pair_init(&n);
    struct nic_send send = {.to = 1, .bytes = LONG * FULL, .flags = NIC_STREAM};
    struct posting *a = nics_add(&n, 0, 0, send), *b = nics_add(&n, 0, 0, send);
    send.bytes = 2 * FULL;
    struct posting *brief = nics_add(&n, 0, 0, send);
    nics_run(&n);
    nics_check(&n);
    assert_int_equal(b->latest - a->latest, fine_at(19));
    assert_int_equal(brief->last_number, 5); /* the sixth packet of all */
    assert_int_equal(b->last_number, 2 * LONG + 2 - 1);
    nics_fini(&n);
}

/* What comes in and what goes out share microcode; what comes in goes first. */
static void microcode_is_one_for_both_ways(void **state)
{
    (void)state;
    enum { EVENTS = 50 };
    struct nics n;
    pair_init(&n);
    for (unsigned i = 0; i < EVENTS; i++)
        for (uint32_t node = 0; node < 2; node++)
            nics_add(&n, node, 0, (struct nic_send){.to = !node, .bytes = 8});
    nics_run(&n);
    nics_check(&n);
    /* Each engine handles twice as many events as it sends. */
    fine_t last = 0;
    for (uint32_t i = 0; i < n.postings; i++)
        last = fine_max(last, n.posting[i].latest);
    assert_true(last >= fine_at(2 * EVENTS * EVENT));
    assert_true(last <= fine_at((2 * EVENTS + 2) * EVENT + 2 * HOP));
    nics_fini(&n);
}

static void notices_take_microcode(void **state)
{
    (void)state;
    struct nics n;
    struct nic_node at = {0, 1, 1};
    pair_init(&n);
    nics_run(&n);
    assert_int_equal(nic_notify(n.nic, &at, fine_at(1000)), fine_at(1000 + EVENT));
    assert_int_equal(nic_notify(n.nic, &at, fine_at(1000)), fine_at(1000 + 2 * EVENT));
    assert_int_equal(nic_notify(n.nic, &at, fine_at(5000)), fine_at(5000 + EVENT));
    nics_fini(&n);
}

/* ---- routes ---- */

/* One packet over every route of every pair takes the hops of routes that share nothing. */
static void routes_share_nothing(void **state)
{
    (void)state;
    static const char *const graphs[] = {"kautz:2:2", "kautz:3:1", "kautz:1:1"};
    static const uint32_t degrees[] = {2, 3, 1};
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t most = 1; most <= 4; most++) {
            struct nics n;
            struct graph g;
            char settings[100];
            uint64_t hops = 0;
            snprintf(settings, sizeof(settings), "machine.graph=%s machine.router.vcs=8",
                     graphs[i]);
            nics_init(&n, "sc5832", settings, 1);
            assert_int_equal(graph_parse_direct(graphs[i], &g), WEFT_OK);
            for (uint32_t from = 0; from < n.nodes; from++)
                for (uint32_t to = 0; to < n.nodes; to++) {
                    uint64_t route[8];
                    struct graph_route path[GRAPH_ONE_WAY_LINKS];
                    if (from == to)
                        continue;
                    uint32_t count = nic_routes(n.nic, from, to, most, route);
                    assert_int_equal(count, most < degrees[i] ? most : degrees[i]);
                    assert_int_equal(graph_disjoint_routes(&g, from, to, most, path), count);
                    for (uint32_t k = 0; k < count; k++) {
                        hops += path[k].hops;
                        assert_int_not_equal(route[k], 0);
                        for (uint32_t j = 0; j < k; j++)
                            assert_int_not_equal(route[k], route[j]);
                        nics_add(&n, from, 0,
                                 (struct nic_send){.to = to,
                                                   .bytes = 100,
                                                   .route = route[k],
                                                   .flags = k % 2 ? NIC_STREAM : 0});
                    }
                }
            nics_run(&n);
            nics_check(&n);
            assert_int_equal(network_totals(n.network).hops, hops);
            graph_fini(&g);
            nics_fini(&n);
        }
}

/* ---- on a torus ---- */

static const char *const tori[] = {
    "machine.dims=2x2x2",
    "machine.dims=4x3x2 machine.wrap=false",
    "machine.dims=3x3x3 machine.link.bit_error_rate=1e-4",
    "machine.dims=4x2x2 machine.node.injection_fifo_bytes=256",
    "machine.dims=4x2x2 machine.node.reception_fifo_bytes=256",
    "machine.dims=2x2x2 machine.node.reception_fifo_bytes=0 machine.dma.payload_bytes=16",
};
enum { TORI = sizeof(tori) / sizeof(tori[0]) };

static void a_torus_keeps_the_order_of_queues(void **state)
{
    (void)state;
    nics_test_random("bluegene-p", tori, TORI, "run.bricks=2x1x1", NICS_QUEUE_ORDER);
}

static void sends_are_posted_from_all_calls_on_a_torus(void **state)
{
    (void)state;
    nics_test_chain("bluegene-p", tori, TORI, 2000, NICS_QUEUE_ORDER);
}

/* A link carries 240 bytes of payload in 256 + 4 + 2 byte times of 425 MB/s. */
static void a_stream_keeps_a_link_busy(void **state)
{
    (void)state;
    enum { BYTES = 240 * 1000 };
    struct nics n;
    nics_init(&n, "bluegene-p", "machine.dims=4x1x1", 1);
    struct posting *p =
        nics_add(&n, 0, 0, (struct nic_send){.to = 1, .bytes = BYTES, .flags = NIC_STREAM});
    nics_run(&n);
    nics_check(&n);
    assert_in_range((p->latest - p->first) >> FRACTION_BITS, 999 * 262, 1002 * 262);
    nics_fini(&n);
}

/* ---- wakes, processes ---- */

static void the_client_is_woken_when_it_asked(void **state)
{
    (void)state;
    nics_test_wakes("sc5832", "machine.graph=kautz:2:2");
    nics_test_wakes("bluegene-p", "machine.dims=2x2x2");
}

static void awaited_processes_are_counted(void **state)
{
    (void)state;
    nics_test_awaits("sc5832", "machine.graph=kautz:1:1");
}

GROUP(dma)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traits_are_those_of_an_engine),
        cmocka_unit_test(every_send_arrives_once_in_order_with_its_cargo),
        cmocka_unit_test(sends_are_posted_from_all_calls),
        cmocka_unit_test(an_event_takes_what_its_parts_take),
        cmocka_unit_test(events_of_several_packets_keep_the_slowest_pace),
        cmocka_unit_test(a_stream_needs_no_microcode),
        cmocka_unit_test(a_stream_flows_at_the_slowest_pace),
        cmocka_unit_test(a_stream_flows_at_the_pace_of_memory),
        cmocka_unit_test(an_event_waits_for_memory),
        cmocka_unit_test(streams_may_start_at_once),
        cmocka_unit_test(queues_take_turns),
        cmocka_unit_test(streams_take_turns),
        cmocka_unit_test(microcode_is_one_for_both_ways),
        cmocka_unit_test(notices_take_microcode),
        cmocka_unit_test(routes_share_nothing),
        cmocka_unit_test(a_torus_keeps_the_order_of_queues),
        cmocka_unit_test(sends_are_posted_from_all_calls_on_a_torus),
        cmocka_unit_test(a_stream_keeps_a_link_busy),
        cmocka_unit_test(the_client_is_woken_when_it_asked),
        cmocka_unit_test(awaited_processes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
