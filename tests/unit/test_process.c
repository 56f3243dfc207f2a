/*
 * Processes exchange what their programs say, in order, whatever packets do on their way: on a nic
 * of the test's own, where every send is seen and packets overtake each other by chance, and on
 * small machines of all kinds.
 *
 * Every message has a length of its own, and a process that is sent another length than its program
 * expects stops the run: so a program that comes to its end has matched every message.
 */
#include "archives.h"
#include "child.h"
#include "fake_nic.h"
#include "group.h"
#include "models.h"
#include "sanitizers.h"

#include "message/process.h"

enum { SEND = 30, RECEIVE = 30, EAGER = FAKE_EAGER, FULL = FAKE_FULL };

/* ---- programs ---- */

/* What the steps of a program are made from. */
struct script {
    bool (*step)(const struct script *s, uint32_t who, uint32_t number, struct step *step);
    uint32_t processes, steps;
    uint64_t longest;
};

/* The length of message `number` from one process to another. */
static uint64_t length(const struct script *s, uint32_t from, uint32_t to, uint32_t number)
{
    return random_mix(from * 1000003ull + to * 10007ull + number) % (s->longest + 1);
}

static bool script_step(void *ctx, uint32_t who, uint32_t number, struct step *step)
{
    const struct script *s = ctx;
    *step = (struct step){.to = NOBODY, .from = NOBODY};
    return s->step(s, who, number, step);
}

static void send_to(const struct script *s, uint32_t who, uint32_t to, uint32_t number,
                    struct step *step)
{
    step->to = to;
    step->bytes = length(s, who, to, number);
}

static void receive_from(const struct script *s, uint32_t who, uint32_t from, uint32_t number,
                         struct step *step)
{
    step->from = from;
    step->from_bytes = length(s, from, who, number);
}

/* All send and receive at once, to one at a distance and from one as far away. */
static bool shift(const struct script *s, uint32_t who, uint32_t number, struct step *step)
{
    uint32_t n = s->processes, far = 1 + number % (n - 1);
    if (number >= s->steps)
        return false;
    send_to(s, who, (who + far) % n, number, step);
    receive_from(s, who, (who + n - far) % n, number, step);
    step->reduce_bytes = number % 4 ? 0 : 100;
    return true;
}

/* The first sends to the second, and does nothing else. */
static bool pipeline(const struct script *s, uint32_t who, uint32_t number, struct step *step)
{
    if (number >= s->steps || who > 1)
        return false;
    if (who == 0)
        send_to(s, 0, 1, number, step);
    else
        receive_from(s, 1, 0, number, step);
    return true;
}

/* All send to the first, which takes the messages of the last process first, and so on: those of
 * all others wait. */
static bool hot_spot(const struct script *s, uint32_t who, uint32_t number, struct step *step)
{
    uint32_t others = s->processes - 1;
    if (number >= (who ? s->steps : s->steps * others))
        return false;
    if (who)
        send_to(s, who, 0, number, step);
    else
        receive_from(s, 0, others - number / s->steps, number % s->steps, step);
    return true;
}

/* Bytes that all processes receive in all. */
static uint64_t bytes_of(const struct script *s)
{
    uint64_t bytes = 0;
    for (uint32_t who = 0; who < s->processes; who++) {
        struct step step;
        for (uint32_t number = 0; script_step((void *)s, who, number, &step); number++)
            bytes += step.from == NOBODY ? 0 : step.from_bytes;
    }
    return bytes;
}

/* ---- on the test's own nic ---- */

struct rig {
    struct fake_nic nic;
    struct script script;
    struct processes_options options;
    struct processes *processes;
    struct mapping mapping;
    const bool *dead;
};

static void rig_init(struct rig *r, const struct nic_traits *traits, struct script script,
                     uint32_t nodes, uint32_t per_node)
{
    memset(r, 0, sizeof(*r));
    fake_init(&r->nic, nodes, *traits);
    r->script = script;
    r->options = (struct processes_options){
        .nic = &r->nic.nic,
        .software = &fake_software,
        .program = {.ctx = &r->script, .step = script_step, .stop_at = CYCLE_NEVER},
        .processes = script.processes,
        .per_node = per_node,
        .nodes = nodes,
        .measure_to = CYCLE_NEVER};
}

static void rig_start(struct rig *r)
{
    fake_map(&r->mapping, r->options.processes, r->options.nodes, r->options.per_node, r->dead);
    r->options.mapping = &r->mapping;
    r->processes = processes_create(&r->options);
    r->nic.nic.client = processes_client(r->processes);
    fake_start(&r->nic);
}

static void rig_run(struct rig *r)
{
    rig_start(r);
    fake_run_until(&r->nic, CYCLE_NEVER);
    assert_int_equal(r->nic.part.awaited, 0); /* all have come to their end */
}

static void rig_fini(struct rig *r)
{
    processes_destroy(r->processes);
    mapping_fini(&r->mapping);
    fake_fini(&r->nic);
}

static void programs_come_to_their_end(void **state)
{
    (void)state;
    static const struct script scripts[] = {
        {shift, 2, 50, 300},      {shift, 6, 60, 5000},   {shift, 6, 60, 40000},
        {pipeline, 2, 200, 5000}, {hot_spot, 6, 50, 300}, {hot_spot, 6, 50, 20000},
        {shift, 6, 100, 0},
    };
    for (unsigned i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
        for (unsigned per_node = 1; per_node <= 3; per_node++)
            for (unsigned k = 0; k < 2; k++) {
                /* Its streams are slow, or not. */
                struct rig r;
                uint32_t nodes = (scripts[i].processes + per_node - 1) / per_node;
                rig_init(&r, &fake_engine, scripts[i], nodes, per_node);
                r.nic.stream_longer = k ? 5000 : 0;
                rig_run(&r);
                struct processes_result got = processes_result(r.processes);
                uint64_t sends = 0, receives = 0;
                for (uint32_t who = 0; who < scripts[i].processes; who++) {
                    struct step step;
                    for (uint32_t n = 0; script_step(&r.script, who, n, &step); n++) {
                        sends += step.to != NOBODY;
                        receives += step.from != NOBODY;
                    }
                }
                assert_int_equal(sends, receives);
                assert_int_equal(got.messages, receives);
                assert_int_equal(got.bytes, bytes_of(&scripts[i]));
                assert_int_equal(got.active, scripts[i].processes);
                rig_fini(&r);
            }
}

/* ---- how a message travels ---- */

/* One message of `bytes` from the first process to the second. */
static bool one_message(const struct script *s, uint32_t who, uint32_t number, struct step *step)
{
    if (number || who > 1)
        return false;
    *(who ? &step->from : &step->to) = !who;
    step->bytes = step->from_bytes = s->longest;
    return true;
}

static void send_one(struct rig *r, const struct nic_traits *traits, uint64_t bytes)
{
    rig_init(r, traits, (struct script){one_message, 2, 1, bytes}, 2, 1);
    rig_run(r);
    struct processes_result got = processes_result(r->processes);
    assert_int_equal(got.messages, 1);
    assert_int_equal(got.bytes, bytes);
}

static void short_messages_are_eager(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 1, FULL, FULL + 1, EAGER};
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct rig r;
        uint64_t packets = sizes[i] ? (sizes[i] + FULL - 1) / FULL : 1;
        send_one(&r, &fake_engine, sizes[i]);
        assert_int_equal(r.nic.posts, 1);
        const struct fake_post *p = &r.nic.post[0];
        assert_int_equal(p->from, 0);
        assert_int_equal(p->send.to, 1);
        assert_int_equal(p->send.bytes, sizes[i]);
        assert_int_equal(p->send.flags & NIC_STREAM, 0);
        assert_int_equal(p->send.ready, fine_at(SEND));
        assert_int_equal(p->send.gap, fine_at(SEND));
        assert_int_equal(r.nic.notifies, 0);
        /* Made, carried and taken: packets follow each other as they are made. */
        assert_int_equal(processes_result(r.processes).ended,
                         packets * SEND + FAKE_LATENCY + RECEIVE);
        rig_fini(&r);
    }
}

static void long_messages_meet_first(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {EAGER + 1, 5000, 8191};
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct rig r;
        send_one(&r, &fake_engine, sizes[i]);
        assert_int_equal(r.nic.posts, 3);
        const struct fake_post *request = &r.nic.post[0], *answer = &r.nic.post[1],
                               *data = &r.nic.post[2];
        assert_true(request->from == 0 && answer->from == 1 && data->from == 0);
        assert_true(request->send.to == 1 && answer->send.to == 0 && data->send.to == 1);
        assert_true(request->send.bytes == 0 && answer->send.bytes == 0);
        assert_false((request->send.flags | answer->send.flags) & NIC_STREAM);
        assert_true(data->send.flags & NIC_STREAM);
        assert_int_equal(data->send.bytes, sizes[i]);
        assert_int_equal(data->send.route, 0); /* the best there is */
        cycle_t asked = SEND + FAKE_LATENCY + RECEIVE, told = asked + SEND + FAKE_LATENCY;
        assert_int_equal(answer->send.ready, fine_at(asked + SEND));
        assert_int_equal(data->send.ready, fine_at(told)); /* without the processor */
        assert_int_equal(r.nic.notifies, 1);
        assert_int_equal(processes_result(r.processes).ended, told + FAKE_LATENCY + RECEIVE);
        rig_fini(&r);
    }
}

static void the_longest_go_over_rails(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {8192, 8193, 100000};
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct rig r;
        uint64_t sum = 0;
        send_one(&r, &fake_engine, sizes[i]);
        assert_int_equal(r.nic.posts, 2 + 3);
        for (unsigned rail = 0; rail < 3; rail++) {
            const struct nic_send *s = &r.nic.post[2 + rail].send;
            assert_true(s->flags & NIC_STREAM);
            assert_in_range(s->bytes, sizes[i] / 3, sizes[i] / 3 + 1);
            assert_int_not_equal(s->route, 0);
            for (unsigned k = 0; k < rail; k++)
                assert_int_not_equal(s->route, r.nic.post[2 + k].send.route);
            sum += s->bytes;
        }
        assert_int_equal(sum, sizes[i]);
        assert_int_equal(r.nic.notifies, 1); /* once, for all of them */
        struct processes_result got = processes_result(r.processes);
        assert_true(got.rail_messages == 1 && got.rail_streams == 3);
        rig_fini(&r);
    }
}

/* No more rails than packets, nor than there are routes. */
static void rails_are_as_many_as_there_can_be(void **state)
{
    (void)state;
    static const struct {
        uint32_t rails, routes;
        uint64_t payload, bytes;
        uint32_t expected;
    } cases[] = {{7, 4, 128, 9000, 4}, {2, 4, 128, 9000, 2},   {7, 4, 4000, 9000, 3},
                 {1, 4, 128, 9000, 1}, {7, 4, 65536, 9000, 1}, {7, 1, 128, 9000, 1}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig r;
        struct nic_traits traits = fake_engine;
        struct software_params more = fake_software;
        traits.packet_payload = cases[i].payload;
        traits.routes = cases[i].routes;
        more.rails = cases[i].rails;
        rig_init(&r, &traits, (struct script){one_message, 2, 1, cases[i].bytes}, 2, 1);
        r.options.software = &more;
        rig_run(&r);
        assert_int_equal(r.nic.posts, 2 + cases[i].expected);
        rig_fini(&r);
    }
}

/* The second expects a byte more than it is sent. */
static bool two_opinions(const struct script *s, uint32_t who, uint32_t number, struct step *step)
{
    bool more = one_message(s, who, number, step);
    step->from_bytes++;
    return more;
}

static void run_two_opinions(void *bytes)
{
    struct rig r;
    rig_init(&r, &fake_engine, (struct script){two_opinions, 2, 1, *(uint64_t *)bytes}, 2, 1);
    rig_run(&r);
}

/* Eager, and with a request. */
static void a_message_of_another_length_stops_the_run(void **state)
{
    (void)state;
    uint64_t sizes[] = {100, 5000};
    assert_aborts(run_two_opinions, &sizes[0], "process 1 was sent 100 bytes but expects 101");
    assert_aborts(run_two_opinions, &sizes[1], "process 1 was sent 5000 bytes but expects 5001");
}

/* ---- within a node ---- */

static void a_message_within_a_node_goes_through_memory(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 5, 5000, 1000000};
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct rig r;
        rig_init(&r, &fake_engine, (struct script){one_message, 2, 1, sizes[i]}, 1, 2);
        rig_run(&r);
        struct processes_result got = processes_result(r.processes);
        assert_int_equal(r.nic.posts, 0);
        assert_true(r.nic.wakes > 0);
        assert_int_equal(got.messages, 1);
        assert_int_equal(got.bytes, sizes[i]);
        assert_int_equal(got.ended, SEND + sizes[i] / 5 + RECEIVE); /* 5 bytes a cycle */
        rig_fini(&r);
    }
}

/* Of the messages of a shift, those that leave their node are posted, and no others. */
static void only_messages_between_nodes_are_posted(void **state)
{
    (void)state;
    for (uint32_t per_node = 1; per_node <= 8; per_node *= 2) {
        struct rig r;
        uint64_t between = 0;
        rig_init(&r, &fake_engine, (struct script){shift, 8, 70, 1000}, 8 / per_node, per_node);
        rig_run(&r);
        for (uint32_t who = 0; who < 8; who++)
            for (uint32_t number = 0; number < 70; number++) {
                struct step step;
                assert_true(script_step(&r.script, who, number, &step));
                between += who / per_node != step.to / per_node;
            }
        assert_int_equal(r.nic.posts, between);
        assert_int_equal(processes_result(r.processes).bytes, bytes_of(&r.script));
        rig_fini(&r);
    }
}

/* ---- who waits for whom ---- */

/* The first sends a long message; the second wants one of the third first, which works for a long
 * time before it sends. */
static bool out_of_turn(const struct script *s, uint32_t who, uint32_t number, struct step *step)
{
    if (number >= (who ? 2 : 1))
        return false;
    if (who == 0)
        send_to(s, 0, 1, 0, step);
    else if (who == 1)
        receive_from(s, 1, number ? 0 : 2, 0, step);
    else if (number == 0)
        step->reduce_bytes = 100000; /* 80,000 cycles */
    else
        send_to(s, 2, 1, 0, step);
    return true;
}

static void a_request_is_answered_when_its_step_comes(void **state)
{
    (void)state;
    struct rig r;
    cycle_t third = CYCLE_NEVER, answered = CYCLE_NEVER;
    rig_init(&r, &fake_engine, (struct script){out_of_turn, 3, 2, 40000}, 3, 1);
    assert_true(length(&r.script, 0, 1, 0) > EAGER);
    rig_run(&r);
    for (size_t i = 0; i < r.nic.posts; i++) {
        const struct fake_post *p = &r.nic.post[i];
        if (p->from == 2 && third == CYCLE_NEVER)
            third = p->send.ready >> FRACTION_BITS;
        if (p->from == 1 && p->send.to == 0)
            answered = p->send.ready >> FRACTION_BITS;
    }
    assert_int_equal(third, 80000 + SEND);
    assert_true(answered != CYCLE_NEVER && answered > third + FAKE_LATENCY);
    assert_int_equal(processes_result(r.processes).messages, 2);
    rig_fini(&r);
}

/* ---- who there is ---- */

static void processes_live_on_living_nodes(void **state)
{
    (void)state;
    static const bool dead[6] = {true, false, false, true, false, false};
    static const uint32_t living[4] = {1, 2, 4, 5};
    struct rig r;
    rig_init(&r, &fake_engine, (struct script){shift, 4, 30, 500}, 6, 1);
    r.dead = dead;
    rig_run(&r);
    assert_int_equal(r.nic.posts, 4 * 30);
    for (size_t i = 0; i < r.nic.posts; i++)
        assert_false(dead[r.nic.post[i].from] || dead[r.nic.post[i].send.to]);
    assert_int_equal(r.nic.post[0].from, living[0]);
    assert_int_equal(r.nic.post[0].send.to, living[1]); /* the process beside it */
    assert_int_equal(processes_result(r.processes).active, 4);
    rig_fini(&r);
}

static void places_without_a_process_do_nothing(void **state)
{
    (void)state;
    struct rig r;
    rig_init(&r, &fake_engine, (struct script){shift, 5, 20, 500}, 4, 2);
    rig_run(&r);
    struct processes_result got = processes_result(r.processes);
    assert_int_equal(got.active, 5);
    assert_int_equal(got.receivers, 5);
    assert_int_equal(got.messages, 5 * 20);
    for (size_t i = 0; i < r.nic.posts; i++)
        assert_true(r.nic.post[i].from <= 2 && r.nic.post[i].send.to <= 2);
    rig_fini(&r);
}

/* ---- time ---- */

static void a_program_without_end_is_stopped(void **state)
{
    (void)state;
    struct rig r;
    rig_init(&r, &fake_engine, (struct script){shift, 4, UINT32_MAX, 700}, 4, 1);
    r.options.program.stop_at = 20000;
    r.options.measure_from = 5000;
    r.options.measure_to = 15000;
    rig_start(&r);
    assert_true(fake_run_until(&r.nic, 10000));
    assert_int_equal(r.nic.part.awaited, 4); /* have begun, and are not done */
    assert_false(fake_run_until(&r.nic, CYCLE_NEVER));
    struct processes_result got = processes_result(r.processes);
    assert_true(got.ended >= 20000);
    for (size_t i = 0; i < r.nic.posts; i++)
        assert_true(r.nic.post[i].at < 20000);
    /* Half of the time, and half of the bytes. */
    uint64_t sent = 0;
    for (size_t i = 0; i < r.nic.posts; i++)
        sent += r.nic.post[i].send.bytes;
    assert_near((double)got.bytes / (double)sent, 0.5, 0.05);
    rig_fini(&r);
}

/* ---- archives ---- */

static void archive_processes(void *processes, struct archive *a)
{
    processes_archive(processes, a);
}

/* Stopped in the middle, with messages early, in pieces and within nodes. */
static void an_archive_goes_on_as_if_nothing_had_been(void **state)
{
    (void)state;
    static const struct script scripts[] = {{shift, 6, 60, 20000}, {hot_spot, 6, 40, 2000}};
    for (unsigned i = 0; i < 4; i++) {
        struct rig whole, cut;
        const struct nic_traits *traits = i % 2 ? &fake_engine : &fake_engine;
        rig_init(&whole, traits, scripts[i / 2], 3, 2);
        rig_init(&cut, traits, scripts[i / 2], 3, 2);
        rig_run(&whole);
        cycle_t middle = whole.nic.post[whole.nic.posts / 2].at;
        rig_start(&cut);
        assert_true(fake_run_until(&cut.nic, middle));
        struct saved saved = save(archive_processes, cut.processes);
        struct processes *back = processes_create(&cut.options);
        struct nic_client client = processes_client(back);
        client.prepare(client.ctx, 0, 3);
        assert_true(load(archive_processes, back, &saved));
        processes_destroy(cut.processes);
        cut.processes = back;
        cut.nic.nic.client = client;
        fake_run_until(&cut.nic, CYCLE_NEVER);
        struct processes_result a = processes_result(whole.processes),
                                b = processes_result(cut.processes);
        assert_int_equal(a.ended, b.ended);
        assert_int_equal(a.messages, b.messages);
        assert_int_equal(a.bytes, b.bytes);
        assert_int_equal(a.rail_streams, b.rail_streams);
        assert_int_equal(whole.nic.posts, cut.nic.posts);
        free(saved.bytes);
        rig_fini(&whole);
        rig_fini(&cut);
    }
}

/* ---- on machines ---- */

/* What a script came to on a machine. */
struct outcome {
    struct processes_result result;
    uint64_t events;
};

static struct outcome run_script(const char *machine, const char *settings, struct script *script,
                                 uint32_t per_node, uint32_t threads)
{
    struct test_model t;
    char text[300];
    snprintf(text, sizeof(text), "workload.pattern=ring workload.as=messages %s", settings);
    model_make(&t, machine, text, threads);
    struct model *m = t.model;
    struct mapping mapping;
    fake_map(&mapping, script->processes, m->site.nodes, per_node, NULL);
    struct processes_options o = {
        .nic = m->nic,
        .software = config_section(&t.config, &software_section),
        .cores = m->cores,
        .steps = m->steps,
        .program = {.ctx = script, .step = script_step, .stop_at = CYCLE_NEVER},
        .processes = script->processes,
        .per_node = per_node,
        .mapping = &mapping,
        .nodes = m->site.nodes,
        .measure_to = CYCLE_NEVER};
    struct processes *processes = processes_create(&o);
    m->nic->client = processes_client(processes);
    model_run(m->network, threads);
    assert_int_equal(network_totals(m->network).awaited, 0);
    struct outcome outcome = {processes_result(processes), network_totals(m->network).events};
    assert_int_equal(outcome.result.bytes, bytes_of(script));
    processes_destroy(processes);
    mapping_fini(&mapping);
    model_drop(&t);
    return outcome;
}

static void messages_match_on_every_machine(void **state)
{
    (void)state;
    static const struct {
        const char *machine, *settings, *cut;
        uint32_t nodes, per_node;
    } cases[] = {
        {"bluegene-l", "machine.dims=2x2x2", "run.bricks=2x1x1", 8, 1},
        {"bluegene-l", "machine.dims=4x2x1 machine.node.injection_fifo_bytes=256",
         "run.bricks=2x1x1", 8, 1},
        {"bluegene-l", "machine.dims=2x2x2 machine.link.bit_error_rate=3e-5", "run.bricks=1x2x1", 8,
         1},
        {"sc5832", "machine.graph=kautz:2:2", "run.partitions=3", 6, 1},
        {"sc5832", "machine.graph=kautz:2:2 machine.node.rails_bytes=1500", "run.partitions=2", 6,
         3},
        {"sc5832", "machine.graph=kautz:3:1 machine.link.bit_error_rate=1e-4", "run.partitions=2",
         4, 2},
        {"ideal", "machine.nodes=5 machine.node.processors=2", "run.partitions=2", 5, 2},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (unsigned k = 0; k < 3; k++) {
            struct script script = {.step = k == 0   ? shift
                                            : k == 1 ? hot_spot
                                                     : pipeline,
                                    .processes = cases[i].nodes * cases[i].per_node,
                                    .steps = (k == 0 ? 60 : 40) / (SANITIZED ? 4 : 1),
                                    .longest = k == 2 ? 300 : 4000};
            char settings[200];
            snprintf(settings, sizeof(settings), "%s %s", cases[i].settings, cases[i].cut);
            struct outcome one =
                run_script(cases[i].machine, cases[i].settings, &script, cases[i].per_node, 1);
            for (uint32_t threads = 1; threads <= 2; threads++) {
                struct outcome other =
                    run_script(cases[i].machine, settings, &script, cases[i].per_node, threads);
                assert_int_equal(other.result.ended, one.result.ended);
                assert_int_equal(other.result.messages, one.result.messages);
            }
        }
}

/* Four times the messages, early or not, are about four times the events. */
static void events_are_linear_in_messages(void **state)
{
    (void)state;
    static const struct {
        const char *machine, *settings;
        uint32_t nodes;
    } cases[] = {{"bluegene-l", "machine.dims=2x2x2", 8}, {"sc5832", "machine.graph=kautz:2:2", 6}};
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t longest = 200; longest <= 3000; longest += 2800) {
            struct script few = {hot_spot, cases[i].nodes, SANITIZED ? 25 : 100, longest},
                          many = few;
            many.steps *= 4;
            double one = (double)run_script(cases[i].machine, cases[i].settings, &few, 1, 1).events;
            double four =
                (double)run_script(cases[i].machine, cases[i].settings, &many, 1, 1).events;
            if (four > 5 * one || four < 3 * one)
                fail_msg("%s: %g events, then %g", cases[i].machine, one, four);
        }
}

GROUP(process)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_come_to_their_end),
        cmocka_unit_test(short_messages_are_eager),
        cmocka_unit_test(long_messages_meet_first),
        cmocka_unit_test(the_longest_go_over_rails),
        cmocka_unit_test(rails_are_as_many_as_there_can_be),
        cmocka_unit_test(a_message_of_another_length_stops_the_run),
        cmocka_unit_test(a_message_within_a_node_goes_through_memory),
        cmocka_unit_test(only_messages_between_nodes_are_posted),
        cmocka_unit_test(a_request_is_answered_when_its_step_comes),
        cmocka_unit_test(processes_live_on_living_nodes),
        cmocka_unit_test(places_without_a_process_do_nothing),
        cmocka_unit_test(a_program_without_end_is_stopped),
        cmocka_unit_test(an_archive_goes_on_as_if_nothing_had_been),
        cmocka_unit_test(messages_match_on_every_machine),
        cmocka_unit_test(events_are_linear_in_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
