/*
 * The barrier interface of a Tofu node (TOFU, "Integrated collective function"): operations of all
 * nodes of a job by hardware, without their processors. A barrier gate waits for one packet and
 * sends one; gates are chained:
 *
 *   node 0   start ─> gate 1 ─> gate 2 ─> gate 3 ─> gate 4 ─> end
 *                      | ^       | ^       | ^       | ^
 *                      v |       v |       v |       v |
 *   node             1         2         4         8
 *
 * Gate k exchanges packets with the node whose number differs in bit k - 1: four gates synchronise
 * sixteen nodes. Of N nodes, the first P = 2^k <= N do that; each of the others sends a packet to
 * one of them before, and gets one after.
 *
 * The packets of an allreduce carry an operand: an integer of up to 64 bits, combined as by the ALU
 * of a tree node, or a double as two numbers of 160 bits, whose sum does not depend on the order
 * (node/tni/sum.h). Operands are attachments: as for programs, all in one process of the simulator.
 *
 * The processes of a node join in its memory; the last one starts the gates. A packet of the next
 * operation may come before this one is over at a node, but never before the gate that it is for
 * has passed: a place per gate is enough.
 */
#ifndef WEFT_NODE_TNI_GATES_H
#define WEFT_NODE_TNI_GATES_H

#include "node/nic.h"

struct gates_params {
    double start_ns;  /* from the processor's command to the first gate */
    double gate_ns;   /* from a packet at its gate to the next gate's */
    double finish_ns; /* from the last gate to when the processor sees it */
};

/* What gates ask of the rest of the node. */
struct gates_face {
    void *ctx;
    /* Sends a packet to the barrier interface of a node; `bytes`: of its operand. */
    void (*send)(void *ctx, const struct nic_node *at, uint32_t to, uint32_t bytes, uint64_t cargo,
                 fine_t ready);
    void (*over)(void *ctx, const struct nic_node *at, fine_t when);
};

struct gates_options {
    const struct gates_params *params;
    struct gates_face face;
    double cycles_per_us;
    uint32_t partitions, nodes; /* of the machine */
};

struct nic_gates *gates_create(const struct gates_options *options);
void gates_destroy(struct nic_gates *gates);
void gates_prepare(struct nic_gates *gates, uint32_t partition, uint32_t nodes);
void gates_archive(struct nic_gates *gates, uint32_t partition, struct archive *archive);

/* A packet has come, all of it at `when`. */
void gates_arrived(struct nic_gates *gates, const struct nic_node *at, uint64_t cargo, fine_t when);

#endif
