/*
 * Broadcasts and all-to-alls of packets: every byte comes, once, whatever the machine's shape; and
 * one digest for any cut.
 */
#include "group.h"
#include "models.h"
#include "testing.h"

#define BROADCAST "workload.pattern=broadcast workload.algorithm=deposit "
#define EACH      "workload.pattern=alltoall workload.as=messages workload.algorithm=packets "
#define VIRTUAL   "machine.node.mode=virtual_node "
#define VARIED    "workload.sizes=varied "
#define ERRORS    "machine.link.bit_error_rate=1e-5 "

static struct run_result run_with(const char *what, const char *shape, uint32_t bytes,
                                  uint32_t times, const char *cut, uint32_t threads)
{
    char settings[700];
    struct run_result r;
    snprintf(settings, sizeof(settings),
             "%s machine.dims=%s workload.message_bytes=%u workload.messages=%u %s", what, shape,
             bytes, times, cut);
    assert_int_equal(run_machine(settings, threads, true, &r), WEFT_OK);
    return r;
}

static const struct {
    const char *shape;
    uint64_t nodes;
} machines[] = {{"1x1x1", 1}, {"2x1x1", 2}, {"1x7x1", 7}, {"4x4x1", 16}, {"3x5x7", 105}};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

static void all_bytes_come(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 240, 241, 5000};
    for (unsigned m = 0; m < MACHINES; m++)
        for (unsigned wrap = 0; wrap < 2; wrap++)
            for (unsigned s = 0; s < 4; s++) {
                const char *cut = wrap ? "machine.wrap=true" : "machine.wrap=false";
                uint64_t bytes = 3ull * sizes[s] * (machines[m].nodes - 1);
                struct run_result r =
                    run_with(BROADCAST, machines[m].shape, sizes[s], 3, cut, 1 + s);
                assert_true(r.measure.payload_bytes == bytes);
                run_result_fini(&r);
                if (machines[m].nodes > 100 && sizes[s] > 1000)
                    continue; /* takes long */
                r = run_with(EACH, machines[m].shape, sizes[s], 3, cut, 1 + s);
                assert_true(r.measure.payload_bytes == bytes * machines[m].nodes);
                run_result_fini(&r);
            }
}

static void one_digest_however_it_is_cut(void **state)
{
    (void)state;
    static const char *const whats[] = {BROADCAST, BROADCAST ERRORS, BROADCAST "machine.wrap=false",
                                        EACH,      EACH VARIED,      EACH VIRTUAL VARIED ERRORS};
    static const char *const cuts[] = {"run.bricks=2x1x1", "run.bricks=2x2x2", "run.bricks=4x5x3"};
    for (unsigned i = 0; i < sizeof(whats) / sizeof(whats[0]); i++) {
        struct run_result one = run_with(whats[i], "4x5x3", 700, 3, "", 1);
        for (unsigned c = 0; c < 3; c++) {
            struct run_result other = run_with(whats[i], "4x5x3", 700, 3, cuts[c], 1 + c);
            assert_true(one.measure.digest == other.measure.digest && one.cycles == other.cycles);
            run_result_fini(&other);
        }
        run_result_fini(&one);
    }
}

/* Half of two links of a ring of four, all of which carry data: 175 MB/s each, less what packets
 * and acknowledgments take. */
static void a_ring_has_twice_the_bandwidth_of_a_line(void **state)
{
    (void)state;
    struct run_result line = run_with(BROADCAST, "4x1x1", 500000, 1, "machine.wrap=false", 1);
    struct run_result ring = run_with(BROADCAST, "4x1x1", 500000, 1, "machine.wrap=true", 1);
    double ratio = (double)line.cycles / (double)ring.cycles;
    assert_true(ratio > 1.9 && ratio < 2.05);
    run_result_fini(&line);
    run_result_fini(&ring);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        BROADCAST VIRTUAL,
        BROADCAST "workload.processes=5",
        BROADCAST "workload.messages=0",
        BROADCAST "machine.dead_nodes=1/1/1",
        BROADCAST "machine.dead_links=1/1/1:x+",
        EACH "workload.messages=0",
        EACH VARIED "workload.message_bytes=3000000000",
    };
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct run_result r;
        assert_int_equal(run_machine(wrong[i], 1, false, &r), WEFT_BAD_INPUT);
    }
}

GROUP(spread)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bytes_come),
        cmocka_unit_test(one_digest_however_it_is_cut),
        cmocka_unit_test(a_ring_has_twice_the_bandwidth_of_a_line),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
