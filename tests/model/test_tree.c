/*
 * The tree network and the global interrupts, against what can be worked out by hand: with software
 * that costs nothing, a packet of 266 bytes takes 133 cycles of a link of 350 MB/s, a hop 14; what
 * goes up and down a tree of some depth takes twice that many hops. And one digest for any cut.
 */
#include "group.h"
#include "models.h"
#include "sanitizers.h"
#include "testing.h"

#include "base/random.h"
#include "node/mapped/tree_classes.h"

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
    enum { PACKETS = SANITIZED ? 100 : 300 };
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

static void a_link_that_lets_nothing_through_is_named(void **state)
{
    (void)state;
    struct run_result r;
    assert_int_equal(run_machine(ALLREDUCE "machine.dims=2x1x1 workload.messages=1 "
                                           "machine.link.bit_error_rate=1e-2",
                                 1, false, &r),
                     WEFT_FAILED);
    assert_non_null(strstr(weft_last_error(), "on the tree has sent a packet 1024 times in vain"));
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

/* ---- single packets of scripts ---- */

#define PAIR "workload.pattern=pairs workload.algorithm=tree workload.list=0-%u "

static void a_single_packet_takes_its_hops_and_its_length(void **state)
{
    (void)state;
    for (unsigned i = 1; i < MACHINES; i++)
        for (uint32_t arity = 1; arity <= 4; arity++) {
            char pair[200];
            uint32_t depth = depth_of(machines[i].nodes, arity);
            if (depth > 200)
                continue;
            snprintf(pair, sizeof(pair), PAIR "workload.exchange=turns ", machines[i].nodes - 1);
            assert_int_equal(cycles_of(pair, machines[i].size, arity,
                                       "workload.messages=1 workload.message_bytes=256"),
                             2 * (1 + HOP * depth + PACKET));
        }
}

/* With what cores pay for a packet of the tree: as for one of the torus (MSG, 3). */
static void a_single_packet_costs_the_cores(void **state)
{
    (void)state;
    struct run_result r = run_ok("workload.pattern=pairs workload.algorithm=tree "
                                 "workload.list=0-1 workload.exchange=turns workload.messages=100 "
                                 "machine.dims=2x1x1 workload.message_bytes=256 "
                                 "machine.message.poll_cycles=0");
    double processor = (82 + 50 + 82 + 204) / 4.0; /* cycles of the network */
    assert_near((double)r.cycles / 200, processor + HOP + PACKET, 3);
}

static void single_packets_fill_a_link(void **state)
{
    (void)state;
    enum { PACKETS = 1000 };
    struct run_result r =
        run_ok(FREE "workload.pattern=pairs workload.algorithm=tree workload.list=0-1 "
                    "workload.exchange=one_way workload.messages=1000 machine.dims=2x1x1 "
                    "workload.message_bytes=256");
    assert_in_range(r.cycles, PACKETS * PACKET, PACKETS * PACKET + 100);
}

/* ---- I/O nodes ---- */

#define IO "workload.pattern=io "

static double figure_of(const char *settings, const char *name)
{
    struct run_result r;
    if (run_machine(settings, 1, true, &r) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
    double value = run_result_figure(&r, name);
    run_result_fini(&r);
    return value;
}

/* One process, software that costs nothing: the packets of the call one after the other, the call
 * itself, the Ethernet, and the packets of the answer. 20 us are 3500 cycles, and a byte at 125
 * MB/s 1.4. */
static void a_call_takes_its_packets_and_the_ethernet(void **state)
{
    (void)state;
    static const unsigned bytes[] = {0, 1, 224, 225, 5000, 87520};
    for (unsigned i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
        for (unsigned read = 0; read < 2; read++) {
            char settings[600];
            unsigned packets = (bytes[i] + 32 + 255) / 256;
            snprintf(settings, sizeof(settings),
                     FREE IO "machine.dims=1x1x1 workload.messages=1 workload.message_bytes=%u "
                             "workload.operation=%s",
                     bytes[i], read ? "read" : "write");
            double expected = 2 * (HOP + PACKET) + (packets - 1) * PACKET + 3500 + 1.4 * bytes[i];
            assert_near((double)run_ok(settings).cycles, expected, 6);
        }
    /* What is longer than the daemon's buffer takes several calls. */
    assert_near(figure_of(IO "machine.dims=2x1x1 workload.messages=1 "
                             "workload.message_bytes=200000",
                          "io_calls"),
                2 * 3, 0);
    /* The mean time of a call is a figure, whether or not programs are interrupted. */
    assert_near(figure_of(FREE IO "machine.dims=1x1x1 workload.messages=3 "
                                  "workload.message_bytes=5000",
                          "io_response_seconds") *
                    175e6,
                2 * (HOP + PACKET) + 19 * PACKET + 3500 + 1.4 * 5000, 6);
}

/* 64 processes share what limits them: the Ethernet, the link of the tree or the daemon's core. */
static void the_slowest_limits_io(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *busy;
        double mb_per_s; /* of all bytes that packets carry */
    } limits[] = {
        {"", "io_ethernet_busy", 125},
        {"machine.io.mb_per_s=50", "io_ethernet_busy", 50},
        {"machine.io.mb_per_s=10000", "io_link_busy", 350 * 256 / 266.0},
        {"machine.io.mb_per_s=10000 machine.tree.mb_per_s=1000", "io_daemon_busy",
         256 / (82 + 204.0) * 700},
        {"machine.io.mb_per_s=10000 machine.node.packet_read_cycles=700", "io_daemon_busy",
         256 / (82 + 700.0) * 700},
    };
    for (unsigned i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
        for (unsigned read = SANITIZED ? i % 2 : 0; read < 2; read += SANITIZED ? 2 : 1) {
            char settings[700];
            struct run_result r;
            double rate = limits[i].mb_per_s;
            /* To the compute nodes, writing is what the daemon does. */
            if (read && strcmp(limits[i].busy, "io_daemon_busy") == 0)
                continue;
            snprintf(settings, sizeof(settings),
                     IO "machine.dims=4x4x4 machine.io.call_us=0 workload.messages=1 "
                        "workload.message_bytes=87520 workload.operation=%s %s",
                     read ? "read" : "write", limits[i].settings);
            assert_int_equal(run_machine(settings, 1, !SANITIZED, &r), WEFT_OK);
            assert_near(run_result_figure(&r, "io_bytes_per_second") / 1e6 / rate, 1, 0.03);
            assert_near(run_result_figure(&r, limits[i].busy), 1, 0.03);
            run_result_fini(&r);
        }
}

/* Sets of 64 nodes, the last of which may be smaller; also around dead nodes, and with any shape of
 * the tree. Every call of every process comes back. */
static void every_node_has_an_io_node(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        unsigned nodes, ios;
    } sets[] = {{"machine.dims=1x1x1", 1, 1},
                {"machine.dims=4x4x4", 64, 1},
                {"machine.dims=5x13x1", 65, 2},
                {"machine.dims=8x4x4", 128, 2},
                {"machine.dims=8x4x4 machine.tree.arity=1 machine.tree.hop_cycles=2", 128, 2},
                {"machine.dims=8x4x4 machine.tree.arity=4", 128, 2},
                {"machine.dims=7x3x1 machine.io.nodes_per=2", 21, 11},
                {"machine.dims=7x3x1 machine.io.nodes_per=3 machine.tree.arity=3", 21, 7},
                {"machine.dims=4x4x4 machine.dead_nodes=0/0/0,1/1/1,2/2/2 "
                 "machine.message.protocol=adaptive_eager",
                 61, 1}};
    for (unsigned i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        char settings[500];
        snprintf(settings, sizeof(settings),
                 IO "%s workload.messages=3 workload.message_bytes=1000", sets[i].settings);
        assert_near(figure_of(settings, "io_nodes"), sets[i].ios, 0);
        assert_near(figure_of(settings, "io_calls"), 3 * sets[i].nodes, 0);
    }
}

static void both_processes_of_a_node_write(void **state)
{
    (void)state;
    const char *settings = IO "machine.dims=2x2x2 machine.node.mode=virtual_node "
                              "workload.messages=5 workload.message_bytes=3000";
    assert_near(figure_of(settings, "io_calls"), 8 * 2 * 5, 0);
}

static void one_digest_of_points_and_io(void **state)
{
    (void)state;
    static const char *const whats[] = {
        IO "workload.message_bytes=5000 machine.io.nodes_per=7",
        IO "workload.message_bytes=5000 workload.operation=read machine.io.nodes_per=16",
        "workload.pattern=pairs workload.algorithm=tree workload.messages=10",
        IO "workload.message_bytes=3000 machine.node.mode=virtual_node machine.io.nodes_per=30 "
           "machine.io.buffer_bytes=2000"};
    static const char *const cuts[] = {"run.bricks=2x1x1", "run.bricks=2x2x2", "run.bricks=4x5x3"};
    for (unsigned i = 0; i < 8; i += SANITIZED ? 3 : 1) {
        char settings[700];
        struct run_result one;
        snprintf(settings, sizeof(settings),
                 "machine.dims=4x5x3 workload.messages=2 %s machine.link.bit_error_rate=%s ",
                 whats[i % 4], i / 4 ? "3e-5" : "0");
        assert_int_equal(run_machine(settings, 1, true, &one), WEFT_OK);
        for (unsigned c = 0; c < 3; c++) {
            struct run_result other;
            char cut[800];
            snprintf(cut, sizeof(cut), "%s%s", settings, cuts[c]);
            assert_int_equal(run_machine(cut, 1 + c, true, &other), WEFT_OK);
            assert_true(one.measure.digest == other.measure.digest && one.cycles == other.cycles);
            assert_int_equal(one.figures, other.figures);
            for (uint32_t f = 0; f < one.figures; f++)
                assert_near(other.figure[f].value, one.figure[f].value, 0);
            run_result_fini(&other);
        }
        run_result_fini(&one);
    }
}

/* ---- classes ---- */

/* On a heap of two children per node, node i of a whole machine has the number i. */
static void a_class_goes_by_the_smallest_part_of_the_tree(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t root, route; /* of class 1: a bit for each node */
    } sets[] = {{"nodes:0-14", 0, 0x7fff},
                {"nodes:7,8", 3, 1 << 3 | 1 << 7 | 1 << 8},
                {"nodes:7,9", 1, 1 << 1 | 1 << 3 | 1 << 4 | 1 << 7 | 1 << 9},
                {"nodes:12", 12, 1 << 12},
                {"nodes:2,13", 2, 1 << 2 | 1 << 6 | 1 << 13},
                {"3x1x1@1/0/0", 0, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3},
                {"nodes:5,6;nodes:6", 2, 1 << 2 | 1 << 5 | 1 << 6}};
    const struct torus t = {.dims = 3, .nodes = 15, .size = {5, 3, 1}, .wrap = {true, true, true}};
    for (unsigned i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        struct tree_classes c;
        uint16_t route[15] = {0};
        uint32_t root, nodes = 0;
        if (tree_classes_parse(sets[i].text, &t, NULL, 2, &c) != WEFT_OK)
            fail_msg("%s: %s", sets[i].text, weft_last_error());
        root = tree_class_route(1, c.member, 15, 2, route);
        for (unsigned number = 0; number < 15; number++)
            nodes |= route[number] ? 1u << number : 0;
        assert_int_equal(root, sets[i].root);
        assert_int_equal(nodes, sets[i].route);
        tree_classes_fini(&c);
    }
}

static void classes_that_could_wait_for_each_other_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"nodes:3,4;nodes:7,9",
                                        "nodes:1,3,4;nodes:1,9,8",
                                        "nodes:15",
                                        "nodes:",
                                        "nodes:3-2",
                                        "nodes:1;",
                                        "",
                                        "6x1x1@0/0/0",
                                        "1x1x1@5/0/0",
                                        "1x1x1@0/0/0,",
                                        "box",
                                        ("nodes:1;nodes:1;nodes:1;nodes:1;nodes:1;nodes:1;nodes:1;"
                                         "nodes:1;nodes:1;nodes:1;nodes:1;nodes:1")};
    static const char *const right[] = {"none", "nodes:3,7;nodes:9,4", "nodes:3,4,7,9;nodes:3,4",
                                        "nodes:1,3;nodes:1,4"};
    const struct torus t = {.dims = 3, .nodes = 15, .size = {5, 3, 1}, .wrap = {true, true, true}};
    struct tree_classes c;
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        if (tree_classes_parse(wrong[i], &t, NULL, 2, &c) != WEFT_BAD_INPUT)
            fail_msg("'%s' was taken", wrong[i]);
    for (unsigned i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
        if (tree_classes_parse(right[i], &t, NULL, 2, &c) != WEFT_OK)
            fail_msg("%s: %s", right[i], weft_last_error());
        tree_classes_fini(&c);
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

/* Runs a machine whose nodes do nothing but what the client does when they are woken. */
static void run_client(const char *settings, struct nic **nic, void *ctx,
                       void (*woken)(void *ctx, const struct nic_node *at, cycle_t now))
{
    struct test_model t;
    model_make(&t, "bluegene-l", settings, 1);
    *nic = t.model->nic;
    (*nic)->client =
        (struct nic_client){.ctx = ctx, .prepare = post_prepare, .woken = woken, .room = post_room};
    model_run(t.model->network, 1);
    model_drop(&t);
}

static void post_woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct post *p = ctx;
    struct nic_tree *tree = p->nic->tree;
    struct nic_tree_packet packet = {.route = TREE_POINT};
    cycle_t there;
    while (p->sent[at->node] < EACH && tree->has_room(tree, at, 1)) {
        packet.target = target_of(at->node, p->sent[at->node]++);
        packet.cargo = random_mix((uint64_t)at->node << 32 | packet.target);
        tree->inject(tree, at, &packet);
    }
    while (tree->peek(tree, at, 1, &packet, &there)) {
        if (there > now) {
            nic_wake(p->nic, at, there);
            return;
        }
        assert_int_equal(packet.route, TREE_POINT);
        assert_int_equal(packet.target, at->node);
        assert_true(packet.cargo == random_mix((uint64_t)packet.source << 32 | at->node));
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
        struct post p = {.nic = NULL};
        for (uint32_t node = 0; node < NODES; node++)
            for (uint32_t number = 0; number < EACH; number++)
                p.expected[target_of(node, number)]++;
        run_client(settings[i], &p.nic, &p, post_woken);
        assert_memory_equal(p.got, p.expected, sizeof(p.got));
    }
}

enum { SHARE = 20, SENDERS = 6 };

/* In a heap of seven nodes, all others send to the root, which reads. */
struct rush {
    struct nic *nic;
    uint32_t sent[SENDERS + 1], got[SENDERS + 1], all;
};

static void rush_woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct rush *p = ctx;
    struct nic_tree *tree = p->nic->tree;
    struct nic_tree_packet packet = {.route = TREE_POINT};
    cycle_t there;
    while (at->node && p->sent[at->node] < 4 * SHARE && tree->has_room(tree, at, 1)) {
        p->sent[at->node]++;
        tree->inject(tree, at, &packet);
    }
    while (tree->peek(tree, at, 1, &packet, &there)) {
        if (there > now) {
            nic_wake(p->nic, at, there);
            return;
        }
        tree->read(tree, at, 1, NULL);
        if (p->all++ < SENDERS * SHARE)
            p->got[packet.source]++;
    }
}

/* A node's processor and its children have the same share of its link. */
static void inputs_take_turns(void **state)
{
    (void)state;
    struct rush p = {.nic = NULL};
    run_client(ALLREDUCE "machine.dims=7x1x1 machine.tree.arity=2", &p.nic, &p, rush_woken);
    assert_int_equal(p.all, SENDERS * 4 * SHARE);
    for (uint32_t node = 1; node <= SENDERS; node++)
        if (p.got[node] + 3 < SHARE || p.got[node] > SHARE + 3)
            fail_msg("of the first packets, node %u sent %u", node, p.got[node]);
}

/* In a heap of fifteen nodes, 8 to 10 send to the root, and 7, whose way they share, to all. */
struct casts {
    struct nic *nic;
    uint32_t sent[15], points, casts, casts_by_then;
};

static void casts_woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct casts *p = ctx;
    struct nic_tree *tree = p->nic->tree;
    bool is_caster = at->node == 7;
    struct nic_tree_packet packet = {.route = is_caster ? TREE_CAST : TREE_POINT};
    cycle_t there;
    while (at->node >= 7 && at->node <= 10 && p->sent[at->node] < (is_caster ? 50 : 200) &&
           tree->has_room(tree, at, 1)) {
        p->sent[at->node]++;
        tree->inject(tree, at, &packet);
    }
    for (unsigned vc = 0; vc < 2; vc++)
        while (tree->peek(tree, at, vc, &packet, &there)) {
            if (there > now) {
                nic_wake(p->nic, at, there);
                break;
            }
            tree->read(tree, at, vc, NULL);
            p->casts += vc == 0 && at->node == 14;
            if (vc == 1 && ++p->points == 300)
                p->casts_by_then = p->casts;
        }
}

static void casts_on_their_way_up_take_turns_with_points(void **state)
{
    (void)state;
    struct casts p = {.nic = NULL};
    run_client(ALLREDUCE "machine.dims=15x1x1 machine.tree.arity=2", &p.nic, &p, casts_woken);
    assert_int_equal(p.points, 600);
    assert_int_equal(p.casts, 50);
    if (p.casts_by_then < 40)
        fail_msg("%u casts had come with half of the points", p.casts_by_then);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        BARRIER "workload.processes=5 machine.node.mode=virtual_node",
        BARRIER "workload.processes=5",
        BARRIER "machine.dims=256x256x65", /* numbers of nodes in packets have 22 bits */
        BROADCAST "workload.messages=0",
        "workload.pattern=reduce workload.algorithm=tree",
        "workload.pattern=pairs workload.algorithm=tree workload.message_bytes=257",
        IO "workload.messages=0",
        IO "machine.io.nodes_per=0",
        IO "machine.io.nodes_per=1",
        IO "machine.link.mb_per_s=1e6 machine.tree.mb_per_s=0.001"};
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
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
        cmocka_unit_test(a_link_that_lets_nothing_through_is_named),
        cmocka_unit_test(one_digest_however_it_is_cut),
        cmocka_unit_test(a_single_packet_takes_its_hops_and_its_length),
        cmocka_unit_test(a_single_packet_costs_the_cores),
        cmocka_unit_test(single_packets_fill_a_link),
        cmocka_unit_test(a_call_takes_its_packets_and_the_ethernet),
        cmocka_unit_test(the_slowest_limits_io),
        cmocka_unit_test(every_node_has_an_io_node),
        cmocka_unit_test(both_processes_of_a_node_write),
        cmocka_unit_test(one_digest_of_points_and_io),
        cmocka_unit_test(a_class_goes_by_the_smallest_part_of_the_tree),
        cmocka_unit_test(classes_that_could_wait_for_each_other_are_refused),
        cmocka_unit_test(packets_to_one_node_arrive_there),
        cmocka_unit_test(inputs_take_turns),
        cmocka_unit_test(casts_on_their_way_up_take_turns_with_points),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
