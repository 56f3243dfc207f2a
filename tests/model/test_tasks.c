/*
 * Programs on fibers. Whatever messages they send, in whatever order, of any length, alignment and
 * shape, with any protocol, mode, machine, cut and errors on links: what arrives is what was sent,
 * byte for byte, and there is one digest.
 *
 * The traffic of a test is a list that all processes know: message k has a sender, a receiver, a
 * tag, a length and a shape that follow from k. Each process posts its part, some of it at once and
 * in an order of its own, and checks what it gets.
 */
#include "group.h"
#include "models.h"
#include "sanitizers.h"

#include "base/random.h"
#include "machine/run.h"
#include "node/mapped/mapped.h"

/* Fifty thousand messages in all; fewer where each costs much more. SHARE 1: a million. */
enum { SHARE = TSAN ? 600 : ASAN ? 60 : 20 };

enum { WINDOW = 8, LONGEST = 6000, TAGS = 3 };

/* ---- the traffic ---- */

struct traffic {
    uint32_t messages, longest;
    bool open; /* some receives leave their source or tag open */
    uint64_t checked;
};

static struct traffic traffic;

struct item {
    uint32_t from, to, tag;
    size_t bytes;
};

static struct item item_at(uint32_t k, uint32_t processes)
{
    uint64_t draw = random_mix(k + 77);
    struct item i = {.from = (uint32_t)(draw % processes), .tag = (uint32_t)(draw >> 40) % TAGS};
    i.to = (uint32_t)((draw >> 20) % processes);
    /* Lengths around those of packets and of protocols are the most likely. */
    uint64_t size = random_mix(draw);
    static const size_t edges[] = {0, 1, 16, 207, 208, 209, 240, 448, 449, 1024, 1025, 2048};
    i.bytes = size % 3 ? edges[size / 3 % (sizeof(edges) / sizeof(edges[0]))] + size / 64 % 3
                       : size / 3 % traffic.longest;
    i.bytes = i.bytes > traffic.longest ? traffic.longest : i.bytes;
    return i;
}

static unsigned char byte_at(uint32_t k, size_t at)
{
    return (unsigned char)(random_mix(k) + at * 13 + at / 251);
}

/* Room for a message in some shape: at any alignment, in one piece or in strips. */
struct room {
    unsigned char *memory;
    weft_data data;
};

static void make_room(weft_task *t, struct room *r, size_t bytes, uint64_t draw)
{
    size_t strip = draw % 4 == 0 && bytes > 8 ? 1 + draw / 4 % 7 : 0;
    size_t count = strip ? (bytes + strip - 1) / strip : 1,
           stride = strip ? strip + draw / 64 % 9 : 0;
    size_t shift = draw % 4 == 1 ? draw / 256 % 32 : 0;
    if (strip && bytes % strip)
        strip = 0, count = 1;
    r->memory = weft_alloc(t, shift + (strip ? count * stride : bytes) + 64);
    r->data = strip ? (weft_data){r->memory + shift, strip, count, stride}
                    : weft_block(r->memory + shift, bytes);
}

static unsigned char *room_byte(const struct room *r, size_t at)
{
    return (unsigned char *)r->data.at + at / r->data.bytes * r->data.stride + at % r->data.bytes;
}

/* ---- the program ---- */

struct pending {
    struct room room;
    weft_request request;
    uint32_t k; /* UINT32_MAX: not known, the source or tag is open */
    bool receives;
};

static void finish(weft_task *t, struct pending *p)
{
    weft_info info = weft_wait(t, p->request);
    if (p->receives) {
        struct item i = item_at(p->k, t->size);
        if (info.source != i.from || info.tag != i.tag || info.bytes != i.bytes)
            weft_fail(t, "another message was received");
        for (size_t at = 0; at < i.bytes; at++)
            if (*room_byte(&p->room, at) != byte_at(p->k, at))
                weft_fail(t, "a byte is wrong");
        __atomic_fetch_add(&traffic.checked, 1, __ATOMIC_RELAXED);
    }
    weft_release(t, p->room.memory);
}

static void begin(weft_task *t, struct pending *p, uint32_t k, bool receives)
{
    struct item i = item_at(k, t->size);
    uint64_t draw = random_mix(k * 2654435761u + receives);
    *p = (struct pending){.k = k, .receives = receives};
    make_room(t, &p->room, i.bytes, draw);
    for (size_t at = 0; !receives && at < i.bytes; at++)
        *room_byte(&p->room, at) = byte_at(k, at);
    p->request = receives ? weft_start_receive_data(t, i.from, &p->room.data, i.tag)
                          : weft_start_send_data(t, i.to, &p->room.data, i.tag);
}

/* Every process goes through the list, with some messages under way at a time. Whoever waits for
 * the oldest never waits for ever: both ends have the same order. */
static void exchange(weft_task *t)
{
    struct pending pending[WINDOW];
    uint32_t first = 0, count = 0;
    for (uint32_t k = 0; k < traffic.messages; k++) {
        struct item i = item_at(k, t->size);
        for (unsigned end = 0; end < 2; end++) {
            bool receives = end == 0;
            if ((receives ? i.to : i.from) != t->rank)
                continue;
            bool own = i.from == i.to && !receives; /* its receive must not be waited for */
            for (; !own && (count > WINDOW - 2 || (count && random_mix(k ^ count) % 4 == 0));
                 count--)
                finish(t, &pending[first++ % WINDOW]);
            begin(t, &pending[(first + count++) % WINDOW], k, receives);
        }
        if (i.to == t->rank && k % 11 == 0)
            weft_compute(t, (double)(k % 5000));
    }
    while (count--)
        finish(t, &pending[first++ % WINDOW]);
}

/* ---- running it ---- */

static struct processes_result achieved; /* by the last program */
static struct watermark_counts crossed;

static uint64_t run_program(const char *machine, const char *settings, uint32_t threads,
                            void (*program)(weft_task *t))
{
    struct test_model t;
    struct mapping mapping;
    model_make(&t, machine, settings, threads);
    struct model *m = t.model;
    uint32_t per_node = m->workload->per_node, processes = m->workload->processes;
    struct mapping_options mo = {.dims = 1,
                                 .size = {m->site.nodes},
                                 .letters = "N",
                                 .per_node = per_node,
                                 .processes = processes};
    assert_int_equal(mapping_create(&mo, "NT", &mapping), WEFT_OK);
    struct task_group group = {.program = {.main = program, .stack_bytes = 1 << 17},
                               .processes = processes,
                               .mapping = &mapping,
                               .per_node = per_node};
    struct processes_options o = {.nic = m->nic,
                                  .software = config_section(&t.config, &software_section),
                                  .cores = m->cores,
                                  .steps = m->steps,
                                  .group = &group,
                                  .groups = 1,
                                  .processes = processes,
                                  .per_node = per_node,
                                  .mapping = &mapping,
                                  .nodes = m->site.nodes,
                                  .measure_to = CYCLE_NEVER};
    struct processes *processes_made = processes_create(&o);
    m->nic->client = processes_client(processes_made);
    model_run(m->network, threads);
    if (network_totals(m->network).awaited)
        fail_msg("%s: %u processes wait", settings, (unsigned)network_totals(m->network).awaited);
    achieved = processes_result(processes_made);
    if (m->nic->kind->fifos)
        crossed = mapped_watermarks(m->nic);
    struct measure measure;
    network_measure(m->network, network_now(m->network), &measure);
    uint64_t digest = measure.digest;
    measure_fini(&measure);
    processes_destroy(processes_made);
    mapping_fini(&mapping);
    model_drop(&t);
    return digest;
}

struct stage {
    const char *machine, *settings;
    uint32_t messages; /* thousands */
};

#define RING "workload.pattern=ring workload.as=messages "

static const struct stage stages[] = {
    {"bluegene-l", "machine.dims=3x2x2", 120},
    {"bluegene-l", "machine.dims=2x1x1 machine.message.protocol=one_packet", 60},
    {"bluegene-l", "machine.dims=3x3x1 machine.message.protocol=eager machine.node.mode=heater",
     90},
    {"bluegene-l", "machine.dims=3x2x2 machine.message.protocol=adaptive_eager", 90},
    {"bluegene-l",
     "machine.dims=4x3x1 machine.message.protocol=adaptive_eager machine.node.mode=virtual_node",
     90},
    {"bluegene-l", "machine.dims=3x2x2 machine.message.protocol=rendezvous", 90},
    {"bluegene-l",
     "machine.dims=3x2x2 machine.message.protocol=rendezvous machine.node.mode=virtual_node", 80},
    {"bluegene-l", "machine.dims=2x2x2 machine.node.mode=virtual_node", 80},
    {"bluegene-l", "machine.dims=1x1x1 machine.node.mode=virtual_node", 40},
    {"bluegene-l", "machine.dims=3x2x1 machine.link.bit_error_rate=3e-5", 20},
    {"bluegene-l",
     "machine.dims=3x2x1 machine.message.protocol=adaptive_eager machine.link.bit_error_rate=3e-5",
     20},
    {"bluegene-l",
     "machine.dims=3x3x1 machine.node.reception_fifo_bytes=256 "
     "machine.node.injection_fifo_bytes=256 machine.message.eager_bytes=300",
     40},
    {"bluegene-l", "machine.dims=3x2x2 machine.node.interrupts=true", 40},
    {"bluegene-l",
     "machine.dims=3x2x2 machine.node.interrupts=true machine.node.mode=virtual_node "
     "machine.node.reception_watermark_bytes=768 machine.node.injection_watermark_bytes=256",
     40},
    {"sc5832", "machine.graph=kautz:2:3 workload.processes_per_node=2", 120},
    {"sc5832", "machine.graph=kautz:3:1 machine.node.rails_bytes=1500", 60},
    {"ideal", "machine.nodes=9", 100},
};
enum { STAGES = sizeof(stages) / sizeof(stages[0]) };

static void every_byte_arrives(void **state)
{
    (void)state;
    uint64_t all = 0;
    for (unsigned i = 0; i < STAGES; i++) {
        char settings[400];
        uint64_t digest[2];
        traffic =
            (struct traffic){.messages = stages[i].messages * 1000 / SHARE / 2, .longest = LONGEST};
        for (unsigned threads = 1; threads <= 2; threads++) {
            snprintf(settings, sizeof(settings), RING "%s", stages[i].settings);
            digest[threads - 1] = run_program(stages[i].machine, settings, threads, exchange);
        }
        if (traffic.checked != 2 * traffic.messages || digest[0] != digest[1])
            fail_msg("%s: %llu messages, digests %016llx and %016llx", settings,
                     (unsigned long long)traffic.checked, (unsigned long long)digest[0],
                     (unsigned long long)digest[1]);
        all += traffic.checked;
    }
    assert_true(all >= 1000000 / SHARE);
}

/* ---- tests, probes, wildcards, truncation ---- */

enum { ROUNDS = TSAN ? 15 : 50 };

/* All send to the first, which takes them as they come, by all means that there are. */
static void crowd(weft_task *t)
{
    char data[64] = {0};
    if (t->rank) {
        for (uint32_t i = 0; i < ROUNDS; i++) {
            size_t bytes = 1 + (t->rank + i) % sizeof(data);
            memset(data, (int)(t->rank + i), bytes);
            weft_send(t, 0, data, bytes, i);
        }
        return;
    }
    uint32_t next[64] = {0}; /* of each sender */
    for (uint32_t k = 0; k < ROUNDS * (t->size - 1); k++) {
        weft_info info = {.source = 0};
        if (k % 3 == 0) {
            info = weft_probe(t, WEFT_ANY, WEFT_ANY);
            weft_info got = weft_receive(t, info.source, data, sizeof(data), info.tag);
            if (got.bytes != info.bytes || got.source != info.source)
                weft_fail(t, "a probe told something else");
        } else if (k % 3 == 1) {
            double then = weft_seconds(t);
            while (!weft_look(t, WEFT_ANY, WEFT_ANY, &info))
                if (weft_seconds(t) <= then)
                    weft_fail(t, "time stands still");
            weft_receive(t, info.source, data, sizeof(data), info.tag);
        } else {
            weft_request request = weft_start_receive(t, WEFT_ANY, data, sizeof(data), WEFT_ANY);
            while (!weft_test(t, request, &info))
                weft_compute(t, 10);
        }
        if (info.tag != next[info.source]++)
            weft_fail(t, "a message came out of order");
        if (info.bytes != 1 + (info.source + info.tag) % sizeof(data) ||
            data[info.bytes - 1] != (char)(info.source + info.tag))
            weft_fail(t, "a message is wrong");
    }
}

static void messages_come_in_order_by_all_means(void **state)
{
    (void)state;
    for (unsigned i = 0; i < STAGES; i++) {
        char settings[400];
        snprintf(settings, sizeof(settings), RING "%s", stages[i].settings);
        uint64_t one = run_program(stages[i].machine, settings, 1, crowd);
        assert_true(run_program(stages[i].machine, settings, 2, crowd) == one);
    }
}

static void short_buffers(weft_task *t)
{
    static const size_t sizes[] = {0, 1, 100, 1000, 5000};
    unsigned char out[5000], in[5000];
    for (unsigned i = 0; i < 25; i++) {
        size_t sent = sizes[i % 5], room = sizes[i / 5];
        memset(out, (int)i + 1, sizeof(out));
        memset(in, 0, sizeof(in));
        if (t->rank == 0) {
            weft_send(t, 1, out, sent, i);
        } else if (t->rank == 1) {
            weft_info info = weft_receive(t, 0, in, room, i);
            size_t got = sent < room ? sent : room;
            if (info.bytes != sent || (got && in[got - 1] != i + 1) || (got < 5000 && in[got]))
                weft_fail(t, "a shorter buffer got something else");
        }
    }
}

static void a_short_buffer_gets_the_beginning(void **state)
{
    (void)state;
    for (unsigned i = 0; i < STAGES; i++) {
        char settings[400];
        snprintf(settings, sizeof(settings), RING "%s", stages[i].settings);
        run_program(stages[i].machine, settings, 1, short_buffers);
    }
}

/* ---- the second processor ---- */

static void add_seven(void *number)
{
    *(int *)number += 7;
}

static void help_each_other(weft_task *t)
{
    int number = 0;
    double start = weft_seconds(t);
    weft_co_start(t, add_seven, &number, 700000);
    weft_compute(t, 700000);
    weft_co_join(t);
    double ms = 1e3 * (weft_seconds(t) - start);
    bool coprocessor = t->argc;
    if (number != 7)
        weft_fail(t, "the work was not done");
    if (coprocessor ? ms < 1 || ms > 1.05 : ms < 2)
        weft_fail(t, "the work took another time");
}

static void a_coprocessor_works_beside_its_master(void **state)
{
    (void)state;
    static char *word[] = {(char *)"coprocessor"};
    for (unsigned i = 0; i < 2; i++) {
        struct test_model t;
        struct mapping mapping;
        model_make(&t, "bluegene-l",
                   i ? RING "machine.dims=2x1x1 machine.node.mode=coprocessor"
                     : RING "machine.dims=2x1x1 machine.node.mode=heater",
                   1);
        struct model *m = t.model;
        struct mapping_options mo = {
            .dims = 1, .size = {2}, .letters = "N", .per_node = 1, .processes = 2};
        assert_int_equal(mapping_create(&mo, "NT", &mapping), WEFT_OK);
        struct task_group group = {.program = {.main = help_each_other,
                                               .argc = (int)i,
                                               .argv = word,
                                               .stack_bytes = 1 << 16},
                                   .processes = 2,
                                   .mapping = &mapping,
                                   .per_node = 1};
        struct processes_options o = {.nic = m->nic,
                                      .software = config_section(&t.config, &software_section),
                                      .cores = m->cores,
                                      .steps = m->steps,
                                      .group = &group,
                                      .groups = 1,
                                      .processes = 2,
                                      .per_node = 1,
                                      .mapping = &mapping,
                                      .nodes = 2,
                                      .measure_to = CYCLE_NEVER};
        struct processes *p = processes_create(&o);
        m->nic->client = processes_client(p);
        model_run(m->network, 1);
        assert_int_equal(network_totals(m->network).awaited, 0);
        processes_destroy(p);
        mapping_fini(&mapping);
        model_drop(&t);
    }
}

/* ---- the tree and the torus at once ---- */

static double delay;

static void message_then_tree(weft_task *t)
{
    char data[100] = {0};
    int64_t one = 1;
    if (t->rank == 0)
        weft_receive(t, 1, data, sizeof(data), 0);
    else if (t->rank == 1) {
        weft_compute(t, delay);
        weft_send(t, 0, data, sizeof(data), 0);
    }
    weft_allreduce(t, &one, 1, WEFT_INT64, WEFT_SUM);
    if (one != t->size)
        weft_fail(t, "not all were added");
}

/* Whatever a core does when a packet of the tree comes, it finds it later. */
static void torus_traffic_does_not_hide_the_tree(void **state)
{
    (void)state;
    const char *settings = "workload.pattern=program workload.program=collectives "
                           "machine.dims=2x1x1";
    for (delay = 1; delay < 2500; delay += 25 * (SANITIZED ? 4 : 1))
        run_program("bluegene-l", settings, 1, message_then_tree);
}

/* Broadcasts of the tree, with computation of random length before. */
static void broadcasts(weft_task *t)
{
    unsigned char data[501];
    for (uint32_t i = 0; i < (SANITIZED ? 500 : 1500); i++) {
        uint32_t root = (uint32_t)(random_mix(i) % t->size), bytes = i % 3 * 250 + 1;
        for (uint32_t k = 0; k < bytes; k++)
            data[k] = (unsigned char)(t->rank == root ? i + k : 0);
        uint64_t draw = random_mix((uint64_t)t->rank << 32 | i);
        weft_compute(t, (t->rank == root ? 0 : (double)(draw % 1500)) + 0.25 * (draw >> 32 & 3));
        weft_broadcast(t, root, data, bytes);
        for (uint32_t k = 0; k < bytes; k++)
            if (data[k] != (unsigned char)(i + k))
                weft_fail(t, "something else was broadcast");
    }
}

/* With classes, the core that waits takes early packets out of the FIFO that both cores read. */
static void two_processes_share_a_fifo_of_the_tree(void **state)
{
    (void)state;
    run_program("bluegene-l",
                "workload.pattern=program workload.program=collectives machine.dims=3x1x1 "
                "machine.tree.classes=nodes:0 machine.node.mode=virtual_node "
                "machine.node.interrupts=true machine.message.post_cycles=0",
                1, broadcasts);
}

/* ---- scripts and programs ---- */

static double longest_ms;

/* Nothing crosses a link for longer than the limit of a stall. */
static void messages_within_a_node_are_no_deadlock(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_machine("machine.dims=1x1x1 machine.node.mode=virtual_node "
                                 "workload.pattern=pairs workload.pairs=1 workload.messages=1 "
                                 "workload.message_bytes=300000 run.stall_cycles=20000",
                                 1, true, &r),
                     WEFT_OK);
    assert_true(r.cycles > 100000);
    run_result_fini(&r);
}

static void add_vectors(weft_task *t)
{
    enum { COUNT = 10000 };
    uint64_t *data = weft_alloc(t, COUNT * sizeof(*data));
    for (uint64_t i = 0; i < COUNT; i++)
        data[i] = i + t->rank;
    weft_allreduce(t, data, COUNT, WEFT_UINT64, WEFT_SUM);
    for (uint64_t i = 0; i < COUNT; i++)
        if (data[i] != t->size * i + t->size * (t->size - 1ull) / 2)
            weft_fail(t, "a sum is wrong");
    double ms = 1e3 * weft_seconds(t);
    longest_ms = ms > longest_ms ? ms : longest_ms;
    weft_release(t, data);
}

/* Combining takes a program as long as a script. */
static void a_program_takes_the_time_of_a_script(void **state)
{
    (void)state;
    struct run_result r;
    longest_ms = 0;
    run_program("ideal", RING "machine.nodes=8", 1, add_vectors);
    assert_int_equal(run_on("ideal",
                            "machine.nodes=8 workload.pattern=allreduce "
                            "workload.message_bytes=80000 workload.messages=1",
                            1, true, &r),
                     WEFT_OK);
    assert_near(longest_ms, 1e3 * r.sim_seconds, 1e-3 * longest_ms);
    run_result_fini(&r);
}

/* ---- interrupts ---- */

static double sender_ms, worker_ms;

/* The first process works for 10 ms; messages that it waits for after that come meanwhile, or not.
 */
static void send_to_a_worker(weft_task *t)
{
    enum { BYTES = 50000, MESSAGES = 4 };
    unsigned char *data = weft_alloc(t, BYTES);
    weft_request request[MESSAGES];
    double start = weft_seconds(t);
    if (t->rank == 1) {
        for (uint32_t i = 0; i < MESSAGES; i++)
            weft_send(t, 0, data, BYTES, i);
        sender_ms = 1e3 * (weft_seconds(t) - start);
    } else if (t->rank == 0) {
        for (uint32_t i = 0; i < MESSAGES; i++)
            request[i] = weft_start_receive(t, 1, data, BYTES, i);
        weft_compute(t, 7e6);
        weft_wait_all(t, request, MESSAGES, NULL);
        worker_ms = 1e3 * (weft_seconds(t) - start);
    }
    weft_release(t, data);
}

static void interrupts_let_messages_through(void **state)
{
    (void)state;
    double polling;
    const char *modes[] = {"machine.node.mode=heater", "machine.node.mode=virtual_node"};
    for (unsigned i = 0; i < 2; i++) {
        char settings[200];
        snprintf(settings, sizeof(settings), RING "machine.dims=2x1x1 %s", modes[i]);
        run_program("bluegene-l", settings, 1, send_to_a_worker);
        assert_true(sender_ms > 10 && worker_ms > 11);
        polling = worker_ms;
        strcat(settings, " machine.node.interrupts=true");
        run_program("bluegene-l", settings, 1, send_to_a_worker);
        assert_true(sender_ms < 2 && worker_ms < polling);
        /* What handling takes, the worker does not work. */
        assert_true(worker_ms > 10.2);
    }
}

/* ---- watermarks ---- */

#define LINE RING "machine.dims=3x1x1 machine.node.mode=heater machine.node.interrupts=true "

/* Counts what interrupted a program, and what the cores spent on that. */
static void run_watermark(const char *program, uint32_t reception, uint32_t injection,
                          void (*body)(weft_task *t))
{
    char settings[400];
    snprintf(settings, sizeof(settings),
             LINE "%s machine.node.reception_watermark_bytes=%u "
                  "machine.node.injection_watermark_bytes=%u",
             program, reception, injection);
    run_program("bluegene-l", settings, 1, body);
}

static double worked_us, waited_us;

/* Eight messages of one packet of 128 bytes (80 of data, 32 of the envelope, 16 of the header) come
 * 10,000 cycles after each other while the first process works. It is then told when it can go on:
 * each interrupt has put that off. */
static void packets_to_a_worker(weft_task *t)
{
    enum { BYTES = 80, MESSAGES = 8 };
    unsigned char data[MESSAGES][BYTES] = {{0}};
    weft_request request[MESSAGES];
    if (t->rank == 1) {
        weft_compute(t, 20000); /* all receives are posted */
        for (uint32_t i = 0; i < MESSAGES; i++) {
            weft_send(t, 0, data[i], BYTES, i);
            weft_compute(t, 10000);
        }
    } else if (t->rank == 0) {
        for (uint32_t i = 0; i < MESSAGES; i++)
            request[i] = weft_start_receive(t, 1, data[i], BYTES, i);
        double start = weft_seconds(t);
        weft_compute(t, 200000);
        worked_us = 1e6 * (weft_seconds(t) - start);
        weft_wait_all(t, request, MESSAGES, NULL);
        waited_us = 1e6 * (weft_seconds(t) - start);
    }
}

/* At w bytes every w / 128th packet interrupts; each interrupt takes 1000 cycles of 700 MHz. All
 * eight packets are handled while the program works, or six of them; none below a watermark. */
static void a_reception_watermark_spares_interrupts(void **state)
{
    (void)state;
    static const struct {
        uint32_t mark, interrupts, crossings;
        bool all; /* are handled then */
    } rows[] = {{0, 8, 0, true},    {32, 8, 8, true},   {256, 4, 4, true}, {512, 2, 2, true},
                {768, 1, 1, false}, {1024, 1, 1, true}, {160, 4, 4, true}};
    double each = 1000 / 700.0, first = 0, all = 0;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        run_watermark("", rows[i].mark, 0, packets_to_a_worker);
        assert_int_equal(achieved.reception_interrupts, rows[i].interrupts);
        assert_int_equal(achieved.injection_interrupts, 0);
        assert_int_equal(crossed.reception, rows[i].crossings);
        assert_near(achieved.spent[0][WORK_INTERRUPT], 1000.0 * rows[i].interrupts, 1);
        first = i ? first : worked_us - 8 * each;
        all = i ? all : waited_us - 8 * each;
        if (rows[i].all)
            assert_near(worked_us, first + rows[i].interrupts * each, 0.02);
        else
            assert_true(worked_us < first + rows[i].interrupts * each - 0.5);
        /* Found at the next poll, the two that are left take as long to handle. */
        assert_near(waited_us, all + rows[i].interrupts * each, 0.1);
    }
}

/* One message in 17 packets of 256 bytes, into an injection FIFO of four, and then work. */
static void packets_from_a_worker(weft_task *t)
{
    enum { PACKETS = 17, BYTES = 208 + (PACKETS - 1) * 240 };
    static unsigned char out[BYTES], in[BYTES];
    if (t->rank == 1) {
        weft_receive(t, 0, in, BYTES, 0);
        waited_us = 1e6 * weft_seconds(t);
    } else if (t->rank == 0) {
        weft_request request = weft_start_send(t, 1, out, BYTES, 0);
        weft_compute(t, 100000);
        worked_us = 1e6 * weft_seconds(t);
        weft_wait_all(t, &request, 1, NULL);
    }
}

/* The first packet is written when the message is posted. Then, or when it leaves (a watermark of
 * 32 bytes), an interrupt fills the FIFO; after that, one each time the content has fallen to the
 * watermark writes what then has room. */
static void an_injection_watermark_spares_interrupts(void **state)
{
    (void)state;
    static const uint32_t mark[] = {0, 768, 512, 256, 32}, interrupts[] = {14, 14, 8, 6, 4};
    double came = 0;
    for (unsigned i = 0; i < 5; i++) {
        run_watermark("machine.node.interrupt_cycles=100 machine.message.protocol=eager", 0,
                      mark[i], packets_from_a_worker);
        assert_int_equal(achieved.injection_interrupts, interrupts[i]);
        assert_int_equal(achieved.reception_interrupts, 0);
        if (i < 2)
            came = waited_us;
        else /* the link is idle before the FIFO is filled again, or not */
            assert_true(mark[i] > 32 ? waited_us > came - 0.5 && waited_us < came + 2
                                     : waited_us > came + 0.5);
    }
}

/* The receiver works for a millisecond, below a watermark that one packet does not reach: a sender
 * that waits for its answer waits that long, and no longer. */
static void ask_a_worker(weft_task *t)
{
    char data[16] = {0};
    if (t->rank == 1) {
        weft_send(t, 0, data, sizeof(data), 0);
        weft_receive(t, 0, data, sizeof(data), 1);
        waited_us = 1e6 * weft_seconds(t);
    } else if (t->rank == 0) {
        weft_compute(t, 700000);
        weft_receive(t, 1, data, sizeof(data), 0);
        weft_send(t, 1, data, sizeof(data), 1);
    }
}

static void packets_below_a_watermark_wait_for_a_poll(void **state)
{
    (void)state;
    run_watermark("", 1024, 32, ask_a_worker);
    assert_int_equal(achieved.reception_interrupts, 0);
    assert_true(waited_us > 1000 && waited_us < 1010);
}

/* Without interrupts watermarks count, and change nothing. */
static void without_interrupts_watermarks_count(void **state)
{
    (void)state;
    uint64_t plain = run_program("bluegene-l", RING "machine.dims=3x1x1", 1, packets_to_a_worker);
    assert_int_equal(crossed.reception, 0);
    uint64_t counted = run_program("bluegene-l",
                                   RING "machine.dims=3x1x1 "
                                        "machine.node.reception_watermark_bytes=512 "
                                        "machine.node.injection_watermark_bytes=128",
                                   1, packets_to_a_worker);
    assert_true(plain == counted);
    assert_int_equal(crossed.reception, 1); /* all eight wait, at last */
    assert_int_equal(crossed.injection, 8);
    assert_int_equal(achieved.reception_interrupts + achieved.injection_interrupts, 0);
}

GROUP(tasks)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_arrives),
        cmocka_unit_test(messages_come_in_order_by_all_means),
        cmocka_unit_test(a_short_buffer_gets_the_beginning),
        cmocka_unit_test(a_coprocessor_works_beside_its_master),
        cmocka_unit_test(torus_traffic_does_not_hide_the_tree),
        cmocka_unit_test(two_processes_share_a_fifo_of_the_tree),
        cmocka_unit_test(messages_within_a_node_are_no_deadlock),
        cmocka_unit_test(a_program_takes_the_time_of_a_script),
        cmocka_unit_test(interrupts_let_messages_through),
        cmocka_unit_test(a_reception_watermark_spares_interrupts),
        cmocka_unit_test(an_injection_watermark_spares_interrupts),
        cmocka_unit_test(packets_below_a_watermark_wait_for_a_poll),
        cmocka_unit_test(without_interrupts_watermarks_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
