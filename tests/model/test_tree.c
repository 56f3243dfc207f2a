/*
 * The tree network and the global interrupts, against what can be worked out by hand: with software
 * that costs nothing, a packet of 266 bytes takes 133 cycles of a link of 350 MB/s, a hop 14; what
 * goes up and down a tree of some depth takes twice that many hops. And one digest for any cut.
 */
#include "group.h"
#include "models.h"
#include "sanitizers.h"
#include "testing.h"

#define FREE                                                                                       \
    NO_CORES "machine.message.post_cycles=0 machine.message.poll_cycles=0 "                        \
             "machine.node.memory_write_cycles=0 "

#define ALLREDUCE "workload.pattern=allreduce workload.algorithm=tree "
#define RECAST    "workload.pattern=allreduce workload.algorithm=recast "
#define BROADCAST "workload.pattern=broadcast workload.algorithm=tree "
#define BARRIER   "workload.pattern=barrier workload.algorithm=interrupt "

enum { HOP = 14, PACKET = 133 };

static uint64_t cycles_of(const char *what, const char *size, uint32_t arity, const char *more)
{
    char settings[800];
    snprintf(settings, sizeof(settings), FREE "%s machine.dims=%s machine.tree.arity=%u %s", what,
             size, arity, more);
    struct run_result r = run_ok(settings);
    return r.cycles;
}

/* Levels below the root of a heap. */
static uint32_t depth_of(uint32_t nodes, uint32_t arity)
{
    uint32_t depth = 0;
    for (uint32_t i = nodes - 1; i; i = (i - 1) / arity)
        depth++;
    return depth;
}

static const struct {
    const char *size;
    uint32_t nodes;
} machines[] = {{"1x1x1", 1},  {"2x1x1", 2},    {"3x1x1", 3},  {"3x5x7", 105},
                {"8x8x1", 64}, {"16x8x4", 512}, {"5x5x5", 125}};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

static void one_packet_takes_its_hops_and_its_length(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MACHINES; i++)
        for (uint32_t arity = 1; arity <= 4; arity++) {
            uint32_t depth = depth_of(machines[i].nodes, arity);
            if (depth > 200)
                continue; /* a chain */
            const char *one = "workload.messages=1 workload.message_bytes=256";
            assert_int_equal(cycles_of(ALLREDUCE, machines[i].size, arity, one),
                             1 + 2 * HOP * depth + PACKET);
            assert_int_equal(cycles_of(BROADCAST, machines[i].size, arity, one),
                             depth ? 1 + HOP * depth + PACKET : 0);
        }
}

/* A packet follows the other, whatever the depth: the link's bandwidth. */
static void long_operations_fill_the_links(void **state)
{
    (void)state;
    enum { PACKETS = SANITIZED ? 100 : 1000 };
    static const char *const whats[] = {ALLREDUCE, RECAST, BROADCAST};
    char settings[80];
    snprintf(settings, sizeof(settings), "workload.messages=1 workload.message_bytes=%d",
             PACKETS * 256);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned m = 1; m < MACHINES; m++) {
            uint64_t cycles = cycles_of(whats[i], machines[m].size, 2, settings);
            assert_in_range(cycles, PACKETS * PACKET, PACKETS * PACKET + 1000);
        }
}

static void a_barrier_takes_the_time_of_its_wires(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MACHINES; i++) {
        double ns = 220 + 2 * 40 * depth_of(machines[i].nodes, 2);
        uint64_t cycles = cycles_of(BARRIER, machines[i].size, 2, "workload.messages=100");
        assert_near((double)cycles / 100, ns * 0.175, 2);
    }
}

static void dead_nodes_take_no_part(void **state)
{
    (void)state;
    const char *one = "workload.messages=1 workload.message_bytes=256 "
                      "machine.dead_nodes=0/0/0,1/1/1,2/2/2 "
                      "machine.message.protocol=adaptive_eager";
    uint32_t depth = depth_of(61, 2);
    assert_int_equal(cycles_of(ALLREDUCE, "4x4x4", 2, one), 1 + 2 * HOP * depth + PACKET);
}

static void errors_on_links_cost_time_and_nothing_else(void **state)
{
    (void)state;
    static const char *const whats[] = {ALLREDUCE, RECAST, BROADCAST};
    for (unsigned i = 0; i < 3; i++) {
        char settings[700];
        uint64_t before = 0;
        for (unsigned rate = 0; rate < 4; rate++) {
            snprintf(settings, sizeof(settings),
                     "%s machine.dims=4x4x4 workload.messages=2 workload.message_bytes=%d "
                     "machine.link.bit_error_rate=%g",
                     whats[i], SANITIZED ? 20000 : 50000, (double[]){0, 1e-6, 1e-5, 1e-4}[rate]);
            struct run_result r = run_ok(settings);
            assert_true(r.cycles > before);
            before = r.cycles;
        }
    }
}

static void one_digest_however_it_is_cut(void **state)
{
    (void)state;
    static const char *const whats[] = {ALLREDUCE, RECAST, BROADCAST, BARRIER};
    static const char *const cuts[] = {"run.bricks=2x1x1", "run.bricks=2x2x2", "run.bricks=4x5x3"};
    for (unsigned i = 0; i < 8; i++) {
        char settings[700];
        struct run_result one;
        snprintf(settings, sizeof(settings),
                 "%s machine.dims=4x5x3 workload.messages=5 %s machine.link.bit_error_rate=%s ",
                 whats[i % 4],
                 i % 4 == 3 ? "machine.message.poll_cycles=1" : "workload.message_bytes=3000",
                 i / 4 ? "3e-5" : "0");
        assert_int_equal(run_machine(settings, 1, true, &one), WEFT_OK);
        for (unsigned c = 0; c < 3; c++) {
            struct run_result other;
            char cut[800];
            snprintf(cut, sizeof(cut), "%s%s", settings, cuts[c]);
            assert_int_equal(run_machine(cut, 1 + c, true, &other), WEFT_OK);
            assert_true(one.measure.digest == other.measure.digest && one.cycles == other.cycles);
            run_result_fini(&other);
        }
        run_result_fini(&one);
    }
}

/* ---- packets to one node ---- */

enum { NODES = 30, EACH = 20 };

/* Every node sends to some others, and reads what comes; each sender's come once. */
struct post {
    struct nic *nic;
    uint32_t sent[NODES], got[NODES], expected[NODES];
};

static uint32_t target_of(uint32_t node, uint32_t number)
{
    return (node * 7 + number * 11 + 3) % NODES;
}

static void post_prepare(void *ctx, uint32_t partition, uint32_t nodes)
{
    (void)ctx, (void)partition, (void)nodes;
}

static void post_room(void *ctx, const struct nic_node *at, cycle_t now)
{
    (void)ctx, (void)at, (void)now;
}

static void post_woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct post *p = ctx;
    struct nic_tree *tree = p->nic->tree;
    struct nic_tree_packet packet = {.route = TREE_POINT};
    cycle_t there;
    while (p->sent[at->node] < EACH && tree->has_room(tree, at, 1)) {
        packet.target = target_of(at->node, p->sent[at->node]++);
        tree->inject(tree, at, &packet);
    }
    while (tree->peek(tree, at, 1, &packet, &there)) {
        if (there > now) {
            nic_wake(p->nic, at, there);
            return;
        }
        assert_int_equal(packet.route, TREE_POINT);
        assert_int_equal(packet.target, at->node);
        tree->read(tree, at, 1, NULL);
        p->got[at->node]++;
    }
}

static void packets_to_one_node_arrive_there(void **state)
{
    (void)state;
    static const char *const settings[] = {ALLREDUCE "machine.dims=3x5x2",
                                           ALLREDUCE "machine.dims=3x5x2 machine.tree.arity=3 "
                                                     "machine.tree.link_packets=1 "
                                                     "machine.link.bit_error_rate=3e-5",
                                           ALLREDUCE "machine.dims=3x5x2 run.bricks=1x5x1"};
    for (unsigned i = 0; i < 3; i++) {
        struct test_model t;
        model_make(&t, "bluegene-l", settings[i], 1);
        struct post p = {.nic = t.model->nic};
        for (uint32_t node = 0; node < NODES; node++)
            for (uint32_t number = 0; number < EACH; number++)
                p.expected[target_of(node, number)]++;
        p.nic->client = (struct nic_client){
            .ctx = &p, .prepare = post_prepare, .woken = post_woken, .room = post_room};
        model_run(t.model->network, 1);
        assert_memory_equal(p.got, p.expected, sizeof(p.got));
        model_drop(&t);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        BARRIER "workload.processes=5 machine.node.mode=virtual_node",
        BARRIER "workload.processes=5", BROADCAST "workload.messages=0",
        "workload.pattern=reduce workload.algorithm=tree"};
    for (unsigned i = 0; i < 4; i++) {
        struct run_result r;
        assert_int_equal(run_machine(wrong[i], 1, false, &r), WEFT_BAD_INPUT);
    }
}

GROUP(tree)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_packet_takes_its_hops_and_its_length),
        cmocka_unit_test(long_operations_fill_the_links),
        cmocka_unit_test(a_barrier_takes_the_time_of_its_wires),
        cmocka_unit_test(dead_nodes_take_no_part),
        cmocka_unit_test(errors_on_links_cost_time_and_nothing_else),
        cmocka_unit_test(one_digest_however_it_is_cut),
        cmocka_unit_test(packets_to_one_node_arrive_there),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
