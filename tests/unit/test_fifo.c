/*
 * The nic of a torus node, through its face: every send is cut into packets that arrive once, with
 * the send's cargo, whatever FIFOs, links and cuts there are; the processor takes its time for each
 * packet that it writes and reads; and programs that the nic runs by itself.
 *
 * Times: a packet of B bytes, header included, is in its FIFO when the processor has written it;
 * then 3 cycles of arbitration, 16 a hop, 1 to the reception FIFO, B on the link; then the
 * processor reads it. What that costs it, test_core.c has; a cycle of the processor is a quarter of
 * one of the link.
 */
#include "group.h"
#include "nics.h"

#include "fabric/torus/network.h"
#include "node/fifo/fifo.h"

enum { HEADER = 16, PAYLOAD = 240, HOP = 16, OUT = 6, WRITE = 12, IN = 7, READ = 50, WAITS = 5 };

#define TIMES                                                                                      \
    "machine.node.packet_write_cycles=48 machine.node.packet_read_cycles=200 "                     \
    "machine.node.packet_out_cycles=24 machine.node.packet_in_cycles=28 "
#define BARE NO_CORES

/* How often a core waits while it reads a packet: for the header, then for each 64 bytes. */
static uint64_t waits(uint64_t size)
{
    return 1 + (size - HEADER + 63) / 64;
}

/* Bytes on the link of a packet with so much payload. */
static uint64_t wire(uint64_t payload)
{
    return (payload + HEADER + 31) / 32 * 32;
}

static void traits_are_those_of_a_processor_with_fifos(void **state)
{
    (void)state;
    struct nics n;
    nics_init(&n, "bluegene-l", "machine.dims=2x1x1", 1);
    const struct nic_traits *t = &n.nic->traits;
    assert_int_equal(t->packet_payload, PAYLOAD);
    assert_false(t->ordered);
    assert_false(t->engine);
    assert_int_equal(t->queues, 1);
    assert_int_equal(t->routes, 1);
    assert_near(t->cycles_per_us, 175, 0);
    uint64_t route[4];
    assert_int_equal(nic_routes(n.nic, 0, 1, 4, route), 1);
    assert_int_equal(route[0], 0);
    nics_fini(&n);
}

/* ---- sends ---- */

static const char *const machines[] = {
    "machine.dims=2x1x1",
    "machine.dims=2x2x2 " BARE,
    "machine.dims=3x2x1 machine.node.injection_fifo_bytes=256 "
    "machine.node.reception_fifo_bytes=256",
    "machine.dims=2x2x2 machine.node.hints=hardware machine.node.consumer_mb_per_s=60 "
    "machine.node.reception_fifo_bytes=512",
    "machine.dims=4x2x1 machine.wrap=false machine.link.bit_error_rate=1e-4",
    "machine.dims=2x2x2 machine.router.dynamic_vcs=0 machine.node.injection_fifo_bytes=1024",
};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

static void every_send_arrives_once_with_its_cargo(void **state)
{
    (void)state;
    nics_test_random("bluegene-l", machines, MACHINES, "run.bricks=2x1x1", NICS_NO_ORDER);
}

static void sends_are_posted_from_all_calls(void **state)
{
    (void)state;
    nics_test_chain("bluegene-l", machines, MACHINES, 4000, NICS_NO_ORDER);
}

/* ---- times ---- */

static void a_packet_takes_what_its_parts_take(void **state)
{
    (void)state;
    static const uint64_t bytes[] = {0, 1, 16, 17, 48, 100, 239, 240};
    for (uint32_t hops = 1; hops <= 4; hops++)
        for (unsigned b = 0; b < sizeof(bytes) / sizeof(bytes[0]); b++)
            for (unsigned flags = 0; flags <= NIC_ADAPTIVE; flags += NIC_ADAPTIVE) {
                struct nics n;
                cycle_t at = 1000 + b;
                nics_init(&n, "bluegene-l", TIMES "machine.dims=8x1x1", 1);
                struct posting *p = nics_add(&n, 7, at,
                                             (struct nic_send){.to = (7 + hops) % 8,
                                                               .bytes = bytes[b],
                                                               .ready = fine_at(at + 50),
                                                               .flags = (uint8_t)flags});
                nics_run(&n);
                nics_check(&n);
                unsigned size = wire(bytes[b]);
                fine_t free = fine_at(at + 50 + OUT) + fine_at(WRITE) * size / 256;
                cycle_t written = fine_cycle_after(free);
                assert_int_equal(p->free, free);
                assert_int_equal(p->sent_when, fine_at(written));
                fine_t there = fine_at(written + 3 + HOP * hops + 1 + size + IN);
                fine_t read = fine_at(READ) * waits(size) / WAITS;
                assert_int_equal(p->first, fine_at(fine_cycle_after(there + read)));
                nics_fini(&n);
            }
}

/* One after the other, sends too; the sixth packet and the seventh share a FIFO. */
static void the_processor_writes_packet_by_packet(void **state)
{
    (void)state;
    for (uint32_t packets = 1; packets <= 20; packets++) {
        struct nics n;
        nics_init(&n, "bluegene-l", TIMES "machine.dims=2x1x1", 1);
        struct nic_send send = {.to = 1, .bytes = packets * PAYLOAD};
        struct posting *first = nics_add(&n, 0, 100, send), *second = nics_add(&n, 0, 100, send);
        struct posting *late = nics_add(&n, 0, 90000, send);
        nics_run(&n);
        nics_check(&n);
        /* What is posted in a cycle is begun in the next. */
        assert_int_equal(first->free, fine_at(101 + packets * (OUT + WRITE)));
        assert_int_equal(second->free, first->free + fine_at(packets * (OUT + WRITE)));
        assert_int_equal(late->free, fine_at(90001 + packets * (OUT + WRITE)));
        assert_true(first->sent_when >= first->free && second->sent_when >= second->free);
        assert_true(packets > 6 || first->sent_when == first->free);
        nics_fini(&n);
    }
}

/* Packets of six neighbours come at once, and are read one after the other. */
static void the_processor_reads_packet_by_packet(void **state)
{
    (void)state;
    struct nics n;
    nics_init(&n, "bluegene-l", TIMES "machine.dims=3x3x3", 1);
    const struct torus *t = n.model.model->site.torus;
    uint32_t c[TORUS_MAX_DIMS] = {1, 1, 1}, centre = torus_node(t, c);
    for (unsigned port = 0; port < 6; port++)
        nics_add(&n, torus_neighbour(t, centre, port), 0,
                 (struct nic_send){.to = centre, .bytes = PAYLOAD});
    nics_run(&n);
    nics_check(&n);
    fine_t there = fine_at(1 + OUT + WRITE + 3 + HOP + 1 + 256);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(n.posting[i].first,
                         there + fine_at((IN + READ) * (n.posting[i].number + 1)));
    nics_fini(&n);
}

/* A FIFO of two packets takes the third when the first has left. */
static void a_full_fifo_holds_packets_back(void **state)
{
    (void)state;
    static const char *const settings[] = {
        BARE "machine.dims=2x1x1 machine.wrap=false machine.node.injection_fifo_bytes=0",
        BARE "machine.dims=2x1x1 machine.wrap=false machine.node.injection_fifo_bytes=512",
        BARE "machine.dims=2x1x1 machine.wrap=false machine.node.injection_fifo_bytes=16384"};
    fine_t sent[3];
    for (unsigned i = 0; i < 3; i++) {
        struct nics n;
        nics_init(&n, "bluegene-l", settings[i], 1);
        struct posting *p = nics_add(&n, 0, 0, (struct nic_send){.to = 1, .bytes = 60 * PAYLOAD});
        nics_run(&n);
        nics_check(&n);
        sent[i] = p->sent_when;
        nics_fini(&n);
    }
    /* A FIFO takes its last packet when all but two, or one, of its ten have left; on a link of 262
     * cycles each, that of the FIFO which was served last. An unbounded FIFO is given one at a
     * time. */
    assert_in_range(sent[1] >> FRACTION_BITS, 262 * (60 - 6 * 2), 262 * 58 + 30);
    assert_in_range(sent[0] >> FRACTION_BITS, 262 * (60 - 6 * 1), 262 * 59 + 30);
    assert_int_equal(sent[2], fine_at(1)); /* all fit */
}

/* ---- order, wakes, processes ---- */

/* It does not claim to keep order, and it does not: or the layer above would not be tested. */
static void packets_overtake_each_other(void **state)
{
    (void)state;
    struct nics n;
    uint32_t overtaken = 0;
    nics_init(&n, "bluegene-l", "machine.dims=4x4x1", 1);
    for (uint32_t node = 1; node < n.nodes; node++)
        for (unsigned i = 0; i < 30; i++)
            nics_add(
                &n, node, 0,
                (struct nic_send){.to = 0, .bytes = i % 2 ? 240 : 1000, .flags = NIC_ADAPTIVE});
    nics_run(&n);
    nics_check(&n);
    for (uint32_t i = 1; i < n.postings; i++)
        overtaken += n.posting[i].from == n.posting[i - 1].from &&
                     n.posting[i].last_number < n.posting[i - 1].last_number;
    assert_true(overtaken > 20);
    nics_fini(&n);
}

static void the_client_is_woken_when_it_asked(void **state)
{
    (void)state;
    nics_test_wakes("bluegene-l", "machine.dims=2x2x1");
}

static void awaited_processes_are_counted(void **state)
{
    (void)state;
    nics_test_awaits("bluegene-l", "machine.dims=2x1x1");
}

/* Who reads packets knows. */
static void notices_take_no_time(void **state)
{
    (void)state;
    struct nics n;
    struct nic_node at = {0, 1, 1};
    nics_init(&n, "bluegene-l", "machine.dims=2x1x1", 1);
    nics_run(&n);
    assert_int_equal(nic_notify(n.nic, &at, 12345), 12345);
    nics_fini(&n);
}

/* ---- programs of its own ---- */

/* What a program was told, by source and sequence. */
struct told {
    const struct torus *torus;
    uint32_t steps;
    uint32_t count[8][256], answers[8];
    uint64_t bytes;
    bool wrong;
};

static bool program_step(void *ctx, uint32_t who, uint32_t number, struct step *step)
{
    const struct told *t = ctx;
    if (number >= t->steps)
        return false;
    *step = (struct step){.to = (who + 1 + number % 7) % 8,
                          .bytes = 1 + (who * 13 + number * 5) % PAYLOAD,
                          .tag = (uint8_t)(number % 200),
                          .flags = number % 3 ? STEP_ADAPTIVE : 0};
    if (number % 10 == 9)
        step->flags = STEP_HIGH;
    if (number % 4 == 1)
        step->flags |= STEP_SECOND;
    return true;
}

/* Every packet of the program is answered, with a tag that the program does not use. */
static void program_received(void *ctx, struct replies *replies, const struct receipt *r,
                             cycle_t when)
{
    struct told *t = ctx;
    struct step sent;
    if (r->tag >= 200) {
        t->answers[r->node]++;
        t->wrong |= r->sequence < 1u << 31; /* those of answers come from the top */
        return;
    }
    t->wrong |= !program_step(t, r->source, r->sequence, &sent) || sent.to != r->node ||
                sent.bytes != r->bytes || sent.tag != r->tag;
    t->count[r->source][r->sequence]++;
    t->bytes += r->bytes;
    struct step answer = {.to = r->source, .bytes = r->bytes / 2, .tag = 200};
    replies->send(replies, &answer, when);
}

static void a_program_is_run_once_and_its_answers(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "machine.dims=2x2x2",
        "machine.dims=2x2x2 machine.node.injection_fifo_bytes=512 "
        "machine.node.reception_fifo_bytes=512",
        "machine.dims=2x2x2 " BARE,
    };
    for (unsigned i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        struct config c;
        struct nic *fifos;
        struct torus_network *network;
        configure(&c, "bluegene-l", settings[i]);
        assert_int_equal(machine_finish(&c), WEFT_OK);
        struct torus_config *t = config_section(&c, &torus_section);
        struct told told = {.torus = &t->torus, .steps = 200};
        struct fifos_options o = {.torus = &t->torus,
                                  .router = &t->router,
                                  .faults = &t->faults,
                                  .params = config_section(&c, &fifo_section),
                                  .cores = config_section(&c, &core_section),
                                  .software_header_bytes = HEADER,
                                  .program = {.ctx = &told,
                                              .step = program_step,
                                              .received = program_received,
                                              .stop_at = CYCLE_NEVER},
                                  .seed = 1};
        bricks_init_cuts(&o.bricks, &t->torus, (uint32_t[TORUS_MAX_DIMS]){2, 1, 1, 1, 1, 1});
        assert_int_equal(fifos_create(&o, &fifos), WEFT_OK);
        struct torus_network_options no = {.torus = &t->torus,
                                           .params = &t->router,
                                           .faults = &t->faults,
                                           .client = fifos_client(fifos),
                                           .bricks = o.bricks,
                                           .seed = 1,
                                           .plan = {.to = CYCLE_NEVER},
                                           .software_header_bytes = HEADER};
        assert_int_equal(torus_network_create(&no, &network), WEFT_OK);
        struct network *n = (struct network *)network;
        model_run(n, 1);
        assert_false(told.wrong);
        for (uint32_t from = 0; from < 8; from++) {
            assert_int_equal(told.answers[from], told.steps);
            for (uint32_t number = 0; number < told.steps; number++)
                assert_int_equal(told.count[from][number], 1);
        }
        network_destroy(n);
        nic_destroy(fifos);
        config_fini(&c);
    }
}

GROUP(fifo)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traits_are_those_of_a_processor_with_fifos),
        cmocka_unit_test(every_send_arrives_once_with_its_cargo),
        cmocka_unit_test(sends_are_posted_from_all_calls),
        cmocka_unit_test(a_packet_takes_what_its_parts_take),
        cmocka_unit_test(the_processor_writes_packet_by_packet),
        cmocka_unit_test(the_processor_reads_packet_by_packet),
        cmocka_unit_test(a_full_fifo_holds_packets_back),
        cmocka_unit_test(packets_overtake_each_other),
        cmocka_unit_test(the_client_is_woken_when_it_asked),
        cmocka_unit_test(awaited_processes_are_counted),
        cmocka_unit_test(notices_take_no_time),
        cmocka_unit_test(a_program_is_run_once_and_its_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
