/*
 * A memory that the processors and engines of a node share, on whole machines: processes that copy
 * or stream at once share its rate; one that is alone, and all where memory is fast enough, take as
 * long as without a limit; results are the same on any threads, and of a run that was resumed.
 *
 * On Blue Gene/L a core streams 4.3 bytes a cycle of 700 MHz: 3010 MB/s.
 */
#include "group.h"
#include "models.h"

#include <unistd.h>

#include "forged.h"
#include "machine/run.h"

/* ---- programs ---- */

enum { PROCESSES_MOST_HERE = 16 };

static double took[PROCESSES_MOST_HERE]; /* seconds of each process */
static uint64_t streamed;                /* bytes of each */

static void stream(weft_task *t)
{
    double then = weft_seconds(t);
    weft_stream(t, streamed);
    took[t->rank] = weft_seconds(t) - then;
}

/* The second process of a node has nothing to do. */
static void stream_alone(weft_task *t)
{
    if (!t->slot)
        stream(t);
}

/* Runs a program on all processes of a machine. */
static void run_program(const char *machine, const char *settings, void (*program)(weft_task *t))
{
    struct test_model t;
    struct mapping mapping;
    char all[400];
    snprintf(all, sizeof(all), "workload.pattern=ring workload.as=messages %s", settings);
    model_make(&t, machine, all, 1);
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
    assert_true(processes <= PROCESSES_MOST_HERE);
    memset(took, 0, sizeof(took));
    struct processes *made = processes_create(&o);
    processes_destroy(m->processes);
    m->processes = made;
    m->nic->client = processes_client(made);
    model_run(m->network, 1);
    mapping_fini(&mapping);
    model_drop(&t);
}

#define PAIR  "machine.dims=1x1x1 machine.node.mode=virtual_node "
#define TOTAL "machine.node.memory_total_mb_per_s="

/* Two cores at once: each has its own rate, or half of the total, up to a piece more or less. */
static void two_cores_share_memory(void **state)
{
    (void)state;
    static const struct {
        const char *total;
        double rate; /* bytes per second of each */
    } cases[] = {{"0", 3010e6},    {"1000", 500e6},  {"3010", 1505e6},
                 {"4000", 2000e6}, {"6020", 3010e6}, {"9000", 3010e6}};
    streamed = 3 << 20;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char settings[200];
        snprintf(settings, sizeof(settings), PAIR TOTAL "%s", cases[i].total);
        run_program("bluegene-l", settings, stream);
        for (unsigned core = 0; core < 2; core++)
            assert_near((double)streamed / took[core], cases[i].rate, 0.02 * cases[i].rate);
    }
}

/* As long as memory is not slower than the core, the time is the same to the last bit. */
static void one_core_has_its_own_rate(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 1000, 32768, 32769, 1000000};
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        streamed = sizes[i];
        run_program("bluegene-l", PAIR, stream_alone);
        double free = took[0];
        assert_near(free, (double)streamed / 3010e6, 1e-9);
        run_program("bluegene-l", PAIR TOTAL "3100", stream_alone);
        assert_near(took[0], free, 1e-13 * (double)(1 + streamed / 32768)); /* a piece is rounded */
        run_program("bluegene-l", PAIR TOTAL "1505", stream_alone);
        assert_near(took[0], 2 * free, 1e-9);
    }
}

/* Six processes of an SC5832 node, which copy 1000 MB/s each: 2000 MB/s of a copy are read and
 * written, 1000 of a stream. */
static void six_processors_share_memory(void **state)
{
    (void)state;
    streamed = 8 << 20;
    run_program("sc5832", "machine.graph=kautz:1:1 workload.processes_per_node=6 " TOTAL "3000",
                stream);
    for (unsigned i = 0; i < 12; i++)
        assert_near((double)streamed / took[i], 500e6, 10e6);
    run_program("sc5832", "machine.graph=kautz:1:1 workload.processes_per_node=6 " TOTAL "6000",
                stream);
    for (unsigned i = 0; i < 12; i++)
        assert_near((double)streamed / took[i], 1000e6, 1);
}

/* ---- runs ---- */

struct measured {
    uint64_t digest;
    double seconds, busy, waited;
};

static struct measured run(const char *machine, const char *settings, uint32_t threads)
{
    struct run_result r;
    if (run_on(machine, settings, threads, true, &r) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
    struct measured f = {.digest = r.measure.digest,
                         .seconds = r.sim_seconds,
                         .busy = run_result_figure(&r, "memory_busy"),
                         .waited = run_result_figure(&r, "memory_wait_seconds")};
    run_result_fini(&r);
    return f;
}

/* Messages within a node are copied: six pairs of processes at once, 12 x 100 KB read and written
 * at 2400 MB/s, take 1 ms; alone 100 us each. */
static void copies_within_a_node_share_memory(void **state)
{
    (void)state;
    static const char *const settings =
        "machine.graph=kautz:1:1 workload.pattern=pairs workload.list=0-1,2-3,4-5,6-7,8-9,10-11 "
        "workload.processes_per_node=6 workload.message_bytes=100000 workload.messages=1 ";
    char limited[400];
    struct measured free = run("sc5832", settings, 1);
    assert_near(free.seconds, 100e-6, 1e-6);
    assert_true(free.busy < 0); /* it is no figure of such a run */
    snprintf(limited, sizeof(limited), "%s" TOTAL "2400", settings);
    struct measured slow = run("sc5832", limited, 1);
    assert_near(slow.seconds, 6 * 200e3 / 2400e6, 1e-6);
    assert_near(slow.busy, 1, 0.01);
    snprintf(limited, sizeof(limited), "%s" TOTAL "1e6", settings);
    struct measured fast = run("sc5832", limited, 1);
    assert_true(fast.digest == free.digest && fast.waited == 0);
}

/* Tofu's engines fetch and store 1 MB at 1000 MB/s, each way after the other; with both ways at
 * once there is half of that for each; over three links at 4.9 GB/s each. */
static void engines_share_memory(void **state)
{
    (void)state;
    static const char *const settings =
        "machine.dims=1x1x1x2x3x2 workload.pattern=pairs workload.list=0-1 "
        "workload.message_bytes=1000000 workload.messages=4 machine.node.rails_bytes=10000 "
        "machine.node.rails=3 ";
    char text[400];
    for (unsigned both = 0; both < 2; both++) {
        snprintf(text, sizeof(text), "%sworkload.exchange=%s " TOTAL "1000", settings,
                 both ? "both" : "turns");
        struct measured slow = run("k-computer", text, 1);
        assert_near(slow.seconds / 4, 2e-3, 4e-5); /* two messages, in turn or at half the rate */
        assert_near(slow.busy * 12 / 2, 1, 0.05);  /* of twelve nodes, two work */
        snprintf(text, sizeof(text), "%sworkload.exchange=%s " TOTAL "44000", settings,
                 both ? "both" : "turns");
        assert_true(run("k-computer", text, 1).seconds < 0.3 * slow.seconds);
    }
}

static const struct {
    const char *machine, *settings, *total;
} machines[] = {
    {"bluegene-l",
     "machine.dims=2x2x2 machine.node.mode=virtual_node workload.pattern=allreduce "
     "workload.message_bytes=100000 workload.messages=2 ",
     "500"},
    {"bluegene-l",
     "machine.dims=2x2x2 machine.node.mode=virtual_node workload.pattern=allreduce "
     "workload.algorithm=tree workload.message_bytes=100000 workload.messages=2 ",
     "500"},
    {"bluegene-l",
     "machine.dims=2x2x2 workload.pattern=alltoall workload.as=messages "
     "workload.message_bytes=50000 workload.messages=1 ",
     "200"},
    {"bluegene-p",
     "machine.dims=2x2x2 workload.pattern=ring workload.message_bytes=50000 "
     "workload.messages=2 workload.processes_per_node=4 ",
     "800"},
    {"sc5832",
     "machine.graph=kautz:2:2 workload.pattern=allreduce workload.message_bytes=50000 "
     "workload.messages=1 workload.processes_per_node=6 machine.node.rails_bytes=10000 ",
     "2000"},
    {"k-computer",
     "machine.dims=1x1x1x2x3x2 workload.pattern=alltoall workload.message_bytes=50000 "
     "workload.messages=1 workload.processes_per_node=2 ",
     "6000"},
    {"k-computer",
     "machine.dims=1x1x1x2x3x2 workload.pattern=ring workload.message_bytes=500000 "
     "workload.messages=1 machine.node.rails=4 machine.node.rails_bytes=10000 ",
     "6000"},
    {"ideal",
     "machine.nodes=4 machine.node.processors=2 workload.pattern=allreduce "
     "workload.message_bytes=50000 workload.messages=1 workload.processes_per_node=2 ",
     "2000"},
    {"dragonfly",
     "machine.graph=dragonfly:1:2:1 workload.pattern=allreduce workload.message_bytes=50000 "
     "workload.messages=1 workload.processes_per_node=2 machine.node.processors=2 ",
     "5000"},
};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

/* Limited, a run takes longer, and has the same result on any threads. */
static void a_slow_memory_counts_on_every_machine(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MACHINES; i++) {
        char settings[400];
        struct measured free = run(machines[i].machine, machines[i].settings, 1);
        snprintf(settings, sizeof(settings), "%s" TOTAL "%s", machines[i].settings,
                 machines[i].total);
        struct measured slow = run(machines[i].machine, settings, 1);
        struct measured again = run(machines[i].machine, settings, 3);
        if (slow.seconds <= 1.01 * free.seconds || slow.waited <= 0 || slow.busy <= 0 ||
            slow.busy > 1.01)
            fail_msg("%s %s: %g s, %g s limited, busy %g, waited %g s", machines[i].machine,
                     settings, free.seconds, slow.seconds, slow.busy, slow.waited);
        assert_true(again.digest == slow.digest);
        assert_true(again.busy == slow.busy && again.waited == slow.waited);
    }
}

/* ---- resumed ---- */

/* Stops a run at half of its time, and goes on from its checkpoint. */
static struct measured run_in_two(const char *machine, const char *settings, double seconds)
{
    char path[] = "/tmp/weft-memory-XXXXXX";
    struct config c;
    struct session *s;
    struct checkpoint *from;
    struct run_result r;
    close(mkstemp(path));
    struct run_options o = {.threads = 1, .checkpoint = path, .every = 1e6};
    configure(&c, machine, settings);
    assert_int_equal(machine_finish(&c), WEFT_OK);
    cycle_t half = (cycle_t)(seconds / 2 * machine_facts(&c).cycles_per_second);
    assert_int_equal(session_open(&c, &o, &s), WEFT_OK);
    assert_int_equal(session_run(s, half), WEFT_OK);
    assert_false(session_is_over(s));
    assert_int_equal(s->engine.at_rest(s->engine.arg, s->outcome.now), WEFT_OK);
    session_close(s);
    config_fini(&c);
    assert_int_equal(checkpoint_load(path, &from), WEFT_OK);
    unlink(path);
    assert_int_equal(machine_finish(&from->config), WEFT_OK);
    struct run_options resumed = {.threads = 2, .resume = from};
    if (run_config(&from->config, &resumed, &r) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
    struct measured f = {.digest = r.measure.digest,
                         .seconds = r.sim_seconds,
                         .busy = run_result_figure(&r, "memory_busy"),
                         .waited = run_result_figure(&r, "memory_wait_seconds")};
    run_result_fini(&r);
    checkpoint_free(from);
    return f;
}

static void a_resumed_run_has_the_same_memory(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MACHINES; i++) {
        char settings[400];
        snprintf(settings, sizeof(settings), "%s" TOTAL "%s", machines[i].settings,
                 machines[i].total);
        struct measured whole = run(machines[i].machine, settings, 1);
        struct measured parts = run_in_two(machines[i].machine, settings, whole.seconds);
        if (parts.digest != whole.digest || parts.busy != whole.busy ||
            parts.waited != whole.waited)
            fail_msg("%s %s: another result", machines[i].machine, settings);
    }
}

GROUP(shared_memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_cores_share_memory),
        cmocka_unit_test(one_core_has_its_own_rate),
        cmocka_unit_test(six_processors_share_memory),
        cmocka_unit_test(copies_within_a_node_share_memory),
        cmocka_unit_test(engines_share_memory),
        cmocka_unit_test(a_slow_memory_counts_on_every_machine),
        cmocka_unit_test(a_resumed_run_has_the_same_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
