/*
 * Collective operations of programs: the program `collectives` checks what it gets; here it runs on
 * all machines, in all modes, by all means; with one digest for any cut.
 */
#include "group.h"
#include "models.h"
#include "sanitizers.h"
#include "testing.h"

/* As many as there are kinds of reductions; fewer where each costs much more. */
enum { ROUNDS = TSAN ? 1 : ASAN ? 4 : 12 };

#define PROGRAM "workload.pattern=program workload.program=collectives "
#define VIRTUAL "machine.node.mode=virtual_node "

static const struct {
    const char *machine, *settings, *cut;
} runs[] = {
    {"bluegene-l", "machine.dims=1x1x1", ""},
    {"bluegene-l", "machine.dims=1x1x1 " VIRTUAL, ""},
    {"bluegene-l", "machine.dims=2x1x1 workload.collectives=packets", "run.bricks=2x1x1"},
    {"bluegene-l", "machine.dims=3x3x2", "run.bricks=3x1x2"},
    {"bluegene-l", "machine.dims=3x3x2 workload.collectives=messages", "run.bricks=1x3x2"},
    {"bluegene-l", "machine.dims=3x3x2 workload.collectives=packets", "run.bricks=1x3x1"},
    {"bluegene-l", "machine.dims=3x3x2 machine.wrap=false workload.collectives=packets",
     "run.bricks=3x3x1"},
    {"bluegene-l", "machine.dims=3x2x2 " VIRTUAL, "run.bricks=3x2x2"},
    {"bluegene-l", "machine.dims=3x2x2 workload.collectives=messages " VIRTUAL, "run.bricks=3x1x1"},
    {"bluegene-l",
     "machine.dims=3x3x2 machine.dead_nodes=1/1/1 machine.message.protocol=adaptive_eager",
     "run.bricks=3x1x1"},
    {"bluegene-l", "machine.dims=3x3x2 machine.link.bit_error_rate=1e-5", "run.bricks=1x3x1"},
    {"bluegene-l",
     "machine.dims=3x3x2 machine.link.bit_error_rate=1e-5 workload.collectives=packets",
     "run.bricks=3x3x2"},
    {"bluegene-l", "machine.dims=3x3x2 workload.processes=7", "run.bricks=3x1x1"},
    {"bluegene-l", "machine.dims=3x3x2 workload.mapping=ZYXT machine.tree.arity=1",
     "run.bricks=1x3x1"},
    {"bluegene-l", "machine.dims=3x3x2 machine.node.interrupts=true", "run.bricks=3x1x1"},
    {"bluegene-l",
     "machine.dims=3x2x2 machine.node.interrupts=true workload.collectives=messages " VIRTUAL,
     "run.bricks=3x2x1"},
    {"bluegene-l", "machine.dims=3x3x2 machine.node.interrupts=true workload.collectives=packets",
     "run.bricks=3x3x1"},
    {"bluegene-l", "machine.dims=3x2x2 workload.collectives=packets " VIRTUAL, "run.bricks=3x2x1"},
    {"bluegene-l",
     "machine.dims=3x3x2 machine.dead_nodes=1/1/1 machine.message.protocol=adaptive_eager "
     "workload.collectives=packets",
     "run.bricks=3x1x1"},
    {"bluegene-l", "machine.dims=3x3x2 workload.collectives=packets workload.processes=7",
     "run.bricks=1x3x2"},
    {"sc5832", "machine.graph=kautz:2:3 workload.processes_per_node=2", "run.partitions=3"},
    {"ideal", "machine.nodes=13", "run.partitions=4"},
};

static void every_result_is_right(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        uint64_t digest[2];
        for (unsigned k = 0; k < 2; k++) {
            char settings[400];
            struct run_result r;
            snprintf(settings, sizeof(settings), PROGRAM "workload.arguments=%d %s %s", ROUNDS,
                     runs[i].settings, k ? runs[i].cut : "");
            weft_status status = run_on(runs[i].machine, settings, 1 + k, k == 0, &r);
            if (status != WEFT_OK)
                fail_msg("%s: %s", settings, weft_last_error());
            digest[k] = r.measure.digest;
            run_result_fini(&r);
        }
        if (digest[0] != digest[1])
            fail_msg("%s: digests differ", runs[i].settings);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "machine.dims=2x2x2 workload.collectives=tree workload.processes=3",
    };
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char settings[400];
        struct run_result r;
        snprintf(settings, sizeof(settings), PROGRAM "%s", wrong[i]);
        assert_int_equal(run_on("bluegene-l", settings, 1, false, &r), WEFT_BAD_INPUT);
    }
    struct run_result r;
    assert_int_equal(run_on("sc5832", PROGRAM "workload.collectives=tree", 1, false, &r),
                     WEFT_BAD_INPUT);
    assert_int_equal(run_on("sc5832", PROGRAM "workload.collectives=packets", 1, false, &r),
                     WEFT_BAD_INPUT);
}

GROUP(collect)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_result_is_right),
                                       cmocka_unit_test(what_cannot_be_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
