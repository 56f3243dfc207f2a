/* Chains of barrier gates, on a network of our own that delays packets at random. */
#include "group.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "node/tni/gates.h"

enum { NODES_MOST = 70, PACKETS_MOST = 4096, ROUNDS = 5 };

struct packet {
    uint64_t cargo;
    fine_t when;
    uint32_t to;
};

/* All that is under way, and what nodes have seen. */
struct bench {
    struct nic_gates *gates;
    struct packet packet[PACKETS_MOST];
    uint32_t packets, sent[NODES_MOST], over[NODES_MOST], nodes;
    fine_t ended[NODES_MOST], entered;
    uint64_t random;
};

static struct nic_node place(uint32_t node)
{
    return (struct nic_node){.partition = node % 2, .local = node / 2, .node = node};
}

static void send(void *ctx, const struct nic_node *at, uint32_t to, uint32_t bytes, uint64_t cargo,
                 fine_t ready)
{
    struct bench *b = ctx;
    (void)bytes;
    assert_true(to < b->nodes && to != at->node && b->packets < PACKETS_MOST);
    b->sent[at->node]++;
    b->packet[b->packets++] = (struct packet){cargo, ready + random_next(&b->random) % 500, to};
}

static void over(void *ctx, const struct nic_node *at, fine_t when)
{
    struct bench *b = ctx;
    b->over[at->node]++;
    b->ended[at->node] = when;
}

static void set_up(struct bench *b, uint32_t nodes, uint64_t seed)
{
    static const struct gates_params params = {.start_ns = 10, .gate_ns = 5, .finish_ns = 20};
    uint32_t member[NODES_MOST], processes[NODES_MOST];
    *b = (struct bench){.nodes = nodes, .random = random_key(seed, nodes, RANDOM_ORDER)};
    struct gates_options o = {.params = &params,
                              .face = {b, send, over},
                              .cycles_per_us = 1000,
                              .partitions = 2,
                              .nodes = nodes};
    b->gates = gates_create(&o);
    for (uint32_t i = 0; i < nodes; i++) {
        member[i] = (i * 7 + 3) % nodes; /* in another order than the nodes' */
        processes[i] = 1;
    }
    if (nodes % 7 == 0)
        for (uint32_t i = 0; i < nodes; i++)
            member[i] = i;
    b->gates->arrange(b->gates, member, processes, nodes);
    gates_prepare(b->gates, 0, (nodes + 1) / 2);
    gates_prepare(b->gates, 1, nodes / 2);
}

/* Delivers the packet that comes first. */
static void deliver(struct bench *b)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < b->packets; i++)
        if (b->packet[i].when < b->packet[first].when)
            first = i;
    struct packet p = b->packet[first];
    struct nic_node at = place(p.to);
    b->packet[first] = b->packet[--b->packets];
    gates_arrived(b->gates, &at, p.cargo, p.when);
}

/* Every node enters as soon as it may, so that quick ones are an operation ahead. */
static void play(struct bench *b, uint32_t rounds, enum nic_operation operation,
                 const double *value, double result[NODES_MOST])
{
    uint32_t entered[NODES_MOST] = {0}, done = 0;
    while (done < b->nodes) {
        uint32_t node = random_below(random_next(&b->random), b->nodes);
        struct nic_node at = place(node);
        if (entered[node] == b->over[node] && entered[node] < rounds) {
            fine_t now = b->ended[node] + random_next(&b->random) % 300;
            entered[node]++;
            b->gates->enter(b->gates, &at, now, operation, operation ? 8 : 0,
                            operation ? &value[node] : NULL);
        } else if (b->packets && random_next(&b->random) % 2) {
            deliver(b);
        }
        for (done = 0; done < b->nodes && b->over[done] == rounds; done++)
            ;
    }
    assert_int_equal(b->packets, 0);
    for (uint32_t i = 0; i < b->nodes && operation; i++) {
        struct nic_node at = place(i);
        b->gates->take(b->gates, &at, 8, &result[i]);
    }
}

/* Nodes beyond a power of two send one packet and get one; the others exchange one in each of
 * log2 P gates. */
static void barriers_end_for_any_number_of_nodes(void **state)
{
    (void)state;
    struct bench *b = malloc(sizeof(*b));
    for (uint32_t nodes = 1; nodes <= NODES_MOST; nodes++) {
        uint32_t power = 1, exchanges = 0, sum = 0;
        for (; 2 * power <= nodes; power *= 2)
            exchanges++;
        set_up(b, nodes, 1);
        play(b, ROUNDS, OPERATION_NONE, NULL, NULL);
        for (uint32_t i = 0; i < nodes; i++)
            sum += b->sent[i];
        assert_int_equal(sum, ROUNDS * (power * exchanges + 2 * (nodes - power)));
        gates_destroy(b->gates);
    }
    free(b);
}

/* TOFU, Figure 6. */
static void four_gates_synchronise_sixteen_nodes(void **state)
{
    (void)state;
    struct bench *b = malloc(sizeof(*b));
    set_up(b, 16, 2);
    play(b, 1, OPERATION_NONE, NULL, NULL);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(b->sent[i], 4);
    gates_destroy(b->gates);
    free(b);
}

/* Nobody leaves a barrier before everybody has entered it. */
static void nobody_is_early(void **state)
{
    (void)state;
    struct bench *b = malloc(sizeof(*b));
    for (uint32_t nodes = 2; nodes <= 40; nodes++) {
        set_up(b, nodes, 3);
        for (uint32_t i = 0; i < nodes; i++) {
            struct nic_node at = place(i);
            b->gates->enter(b->gates, &at, i == nodes - 1 ? 1000000 : 0, OPERATION_NONE, 0, NULL);
        }
        while (b->packets)
            deliver(b);
        for (uint32_t i = 0; i < nodes; i++) {
            assert_int_equal(b->over[i], 1);
            assert_true(b->ended[i] > 1000000);
        }
        gates_destroy(b->gates);
    }
    free(b);
}

/* The bits of a sum are the same at all nodes, in whatever order packets come. */
static void sums_are_the_same_everywhere(void **state)
{
    (void)state;
    struct bench *b = malloc(sizeof(*b));
    double value[NODES_MOST], result[NODES_MOST], first = 0;
    for (uint32_t nodes = 1; nodes <= NODES_MOST; nodes += 3)
        for (uint64_t seed = 0; seed < 5; seed++) {
            double exact = 0;
            for (uint32_t i = 0; i < nodes; i++) {
                value[i] = (i % 2 ? 1e15 : -1e15) + i;
                exact += i;
            }
            exact += nodes % 2 ? -1e15 : 0;
            set_up(b, nodes, seed);
            play(b, 2, OPERATION_ADD_REAL, value, result);
            first = seed ? first : result[0];
            for (uint32_t i = 0; i < nodes; i++)
                assert_memory_equal(&result[i], &first, sizeof(first));
            assert_true(first == exact);
            gates_destroy(b->gates);
        }
    free(b);
}

static void integers_are_combined(void **state)
{
    (void)state;
    struct bench *b = malloc(sizeof(*b));
    double value[NODES_MOST], result[NODES_MOST];
    uint64_t sum = 0, most = 0, image;
    for (uint32_t i = 0; i < 13; i++) {
        image = 0x1111111111111111u * (i % 5) + i;
        sum += image;
        most = image > most ? image : most;
        memcpy(&value[i], &image, 8);
    }
    for (unsigned max = 0; max < 2; max++) {
        set_up(b, 13, max);
        play(b, 3, max ? OPERATION_MAX : OPERATION_ADD, value, result);
        for (uint32_t i = 0; i < 13; i++) {
            memcpy(&image, &result[i], 8);
            assert_true(image == (max ? most : sum));
        }
        gates_destroy(b->gates);
    }
    free(b);
}

GROUP(gates)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_end_for_any_number_of_nodes),
        cmocka_unit_test(four_gates_synchronise_sixteen_nodes),
        cmocka_unit_test(nobody_is_early),
        cmocka_unit_test(sums_are_the_same_everywhere),
        cmocka_unit_test(integers_are_combined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
