/*
 * Forged checkpoints (forged.h): of every family and kind of state a run is interrupted, single
 * bytes all over its state are changed under a checksum that fits, and each is gone on from. It is
 * refused with one line, fails or ends; the test itself lives on. Of each run a number must be
 * refused. Unchanged it goes on.
 */
#include "group.h"
#include "sanitizers.h"
#include "testing.h"

#include <unistd.h>

#include "base/random.h"
#include "forged.h"

enum { VARIANTS = 120, INTERRUPTED_AT = 100000, CYCLES = 300, MOST_NODES = 64 };

struct file {
    unsigned char *bytes;
    size_t size;
};

static struct file read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    struct file file = {.size = (size_t)ftell(f)};
    rewind(f);
    file.bytes = malloc(file.size);
    assert_int_equal(fread(file.bytes, 1, file.size, f), file.size);
    fclose(f);
    return file;
}

/* The state of a run that would go on for long, in a cycle: the same on every machine. */
static struct file interrupted(const char *machine, const char *settings)
{
    char path[] = "/tmp/weft-forged-XXXXXX";
    struct config c;
    struct session *s;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    struct run_options o = {.threads = 1, .checkpoint = path, .every = 1e6};
    configure(&c, machine, settings);
    assert_int_equal(machine_finish(&c), WEFT_OK);
    if (session_open(&c, &o, &s) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    assert_int_equal(session_run(s, INTERRUPTED_AT), WEFT_OK);
    assert_false(session_is_over(s));
    assert_int_equal(s->engine.at_rest(s->engine.arg, s->outcome.now), WEFT_OK);
    session_close(s);
    config_fini(&c);
    struct file file = read_file(path);
    unlink(path);
    return file;
}

/* At least so many variants must be refused: the fewest that were in 40 states of the same run,
 * each of another cycle. Which bytes are hit changes with the state and its layout, by no more than
 * that; checks that are lost cost more. */
static void forge(const char *machine, const char *settings, unsigned least)
{
    static unsigned runs;
    if (ASAN && runs++ % 2) /* which takes long: half of them */
        return;
    struct file real = interrupted(machine, settings);
    unsigned char *copy = malloc(real.size);
    size_t state = forged_state(real.bytes, real.size), end = real.size - sizeof(uint64_t);
    uint64_t random = 1;
    unsigned refused = 0;
    assert_true(state > 0);
    memcpy(copy, real.bytes, real.size);
    if (forged_resume(copy, real.size, MOST_NODES, CYCLES) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
    for (unsigned i = 0; i < VARIANTS; i++) {
        size_t at = state + (end - state) * i / VARIANTS;
        at += random_next(&random) % ((end - state) / VARIANTS);
        while (at + 1 < end && !real.bytes[at] && i % 4) /* most of a state is zeros */
            at++;
        memcpy(copy, real.bytes, real.size);
        copy[at] ^= (unsigned char)(i % 2 ? 1u << random_next(&random) % 8 : 0xff);
        forged_sign(copy, real.size);
        refused += forged_resume(copy, real.size, MOST_NODES, CYCLES) == WEFT_BAD_INPUT;
    }
    if (refused < least)
        fail_msg("%s: %u of %d were refused, not %u", settings, refused, VARIANTS, least);
    free(copy);
    free(real.bytes);
}

#define TORUS    "machine.dims=2x2x2 "
#define GRAPH    "machine.graph=kautz:2:2 "
#define TOFU     "machine.dims=1x1x1x2x3x2 "
#define SWITCHES "machine.graph=dragonfly:1:2:1 "
#define ENDLESS  "workload.messages=100000000 "
#define OPEN     "workload.pattern=uniform workload.cycles=1000000000 "
#define ERRORS   "machine.link.bit_error_rate=1e-4 "

static void a_forged_torus_does_no_harm(void **unused)
{
    (void)unused;
    forge("bluegene-l", TORUS OPEN "workload.load=0.9 run.bricks=2x1x1", 24);
    forge("bluegene-l", TORUS OPEN "workload.load=0.7 " ERRORS, 8);
    forge("bluegene-l", TORUS OPEN "workload.load=0.9 run.detail=true run.interval_cycles=5000",
          45);
    forge("bluegene-l", TORUS ENDLESS "workload.pattern=pingpong", 84);
    forge("bluegene-l",
          TORUS "workload.pattern=alltoall workload.packets_per_pair=100000000 "
                "machine.node.injection_fifo_bytes=512 "
                "machine.node.reception_fifo_bytes=512",
          65);
    forge("bluegene-l", TORUS ENDLESS "workload.pattern=ring workload.message_bytes=2000", 71);
    forge("bluegene-l",
          TORUS ENDLESS "workload.pattern=ring workload.message_bytes=2000 "
                        "machine.node.mode=virtual_node",
          65);
    forge("bluegene-l",
          TORUS ENDLESS "workload.pattern=grid workload.message_bytes=2000 "
                        "machine.message.protocol=adaptive_eager",
          64);
    forge("bluegene-l",
          TORUS ENDLESS "workload.pattern=allreduce workload.algorithm=tree "
                        "workload.message_bytes=20000",
          78);
    forge("bluegene-l",
          TORUS ENDLESS "workload.pattern=pairs workload.algorithm=tree workload.message_bytes=9",
          60);
    forge("bluegene-l",
          TORUS ENDLESS "workload.pattern=io workload.message_bytes=9000 machine.io.nodes_per=3",
          60);
    forge("bluegene-l",
          TORUS ENDLESS "workload.pattern=io workload.message_bytes=9000 workload.operation=read "
                        "machine.node.mode=virtual_node",
          60);
    forge("bluegene-l",
          TORUS ENDLESS "workload.pattern=broadcast workload.algorithm=deposit "
                        "workload.message_bytes=20000",
          69);
    forge("bluegene-l",
          TORUS ENDLESS "workload.pattern=alltoall workload.as=messages "
                        "workload.algorithm=packets workload.sizes=varied",
          72);
    forge("bluegene-l",
          TORUS ENDLESS "workload.pattern=ring workload.message_bytes=50000 "
                        "machine.node.mode=virtual_node machine.node.memory_total_mb_per_s=900",
          55);
    forge("bluegene-p", TORUS OPEN "workload.load=0.9", 20);
    forge("bluegene-p", TORUS ENDLESS "workload.pattern=ring workload.message_bytes=5000", 20);
    /* Partitions that are wired apart, and midplanes in none. */
    forge("bluegene-l",
          "machine.dims=4x2x2 jobs.cell=2x1x1 workload.pattern=parts workload.as=packets "
          "workload.cycles=1000000000 "
          "workload.parts=1x2x2@0/0/0\tuniform\tload=0.9;1x1x1@1/0/0\tuniform\tload=0.9",
          24);
    /* Receivers without links, which no packet can come to. */
    forge("bluegene-l", "machine.dims=4x2 " OPEN "workload.load=0.9", 23);
    forge("bluegene-l", "machine.dims=5 machine.wrap=false " OPEN "workload.load=0.9 " ERRORS, 8);
}

static void forged_switches_do_no_harm(void **unused)
{
    (void)unused;
    forge("dragonfly", SWITCHES OPEN "workload.load=0.9 run.partitions=2", 20);
    forge("dragonfly",
          SWITCHES ENDLESS "workload.pattern=ring workload.message_bytes=3000 "
                           "machine.host.lanes=2 machine.routing.algorithm=valiant",
          38);
    forge("torus-pod", "machine.graph=torus:3x2 " OPEN "workload.load=1.2", 37);
}

static void a_forged_graph_does_no_harm(void **unused)
{
    (void)unused;
    forge("sc5832", GRAPH OPEN "workload.load=0.9", 19);
    forge("sc5832", GRAPH OPEN "workload.load=0.5 run.partitions=2 " ERRORS, 14);
    forge("sc5832",
          GRAPH ENDLESS "workload.pattern=ring workload.message_bytes=200000 "
                        "workload.processes_per_node=2",
          61);
}

static void a_forged_graph_with_a_memory_does_no_harm(void **unused)
{
    (void)unused;
    forge("sc5832",
          GRAPH ENDLESS "workload.pattern=ring workload.message_bytes=20000 "
                        "workload.processes_per_node=6 machine.node.memory_total_mb_per_s=3000",
          40);
}

static void a_forged_graph_with_a_dead_link_does_no_harm(void **unused)
{
    (void)unused;
    forge("sc5832", GRAPH OPEN "workload.load=0.5 machine.dead_links=0>5 " ERRORS, 16);
}

static void a_forged_tofu_does_no_harm(void **unused)
{
    (void)unused;
    forge("k-computer", TOFU OPEN "workload.load=0.9", 30);
    forge("k-computer", TOFU OPEN "workload.load=0.7 " ERRORS, 27);
    forge("k-computer",
          TOFU ENDLESS "workload.pattern=ring workload.message_bytes=20000 machine.tni.path=turn",
          72);
    forge("k-computer",
          TOFU ENDLESS "workload.pattern=alltoall workload.as=messages "
                       "workload.message_bytes=20000 machine.node.rails=4 "
                       "machine.node.rails_bytes=10000 " ERRORS,
          58);
    forge("k-computer",
          "machine.dims=2x1x1x2x3x2 " OPEN "workload.load=0.5 "
          "machine.dead_nodes=1/0/0/1/1/1 run.bricks=2x1x1x1x1x1",
          36);
    forge("k-computer",
          "machine.dims=2x1x1x2x3x2 " OPEN "workload.load=0.5 "
          "machine.swap=1/0/0/1/1/1@50000-150000,fail:0/0/0/0@20000-30000,0/0/0/2@90000-",
          30);
    forge("k-computer",
          "machine.dims=2x1x1x2x3x2 " ENDLESS "workload.pattern=alltoall workload.as=messages "
          "workload.message_bytes=4000 workload.processes=2 machine.tni.path=2 "
          "machine.swap=0/0/0/1/0/0@99000-100000",
          60);
}

static void a_forged_ideal_machine_does_no_harm(void **unused)
{
    (void)unused;
    forge("ideal", "machine.nodes=8 " ENDLESS "workload.pattern=ring run.partitions=2", 82);
    forge("ideal", "machine.nodes=8 " OPEN "workload.load=0.5", 16);
}

GROUP(forged)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forged_torus_does_no_harm),
        cmocka_unit_test(a_forged_graph_does_no_harm),
        cmocka_unit_test(a_forged_graph_with_a_memory_does_no_harm),
        cmocka_unit_test(forged_switches_do_no_harm),
        cmocka_unit_test(a_forged_graph_with_a_dead_link_does_no_harm),
        cmocka_unit_test(a_forged_tofu_does_no_harm),
        cmocka_unit_test(a_forged_ideal_machine_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
