/* Chains of gates, and what they carry. */
#include "node/tni/gates.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/slots.h"
#include "base/memory.h"
#include "node/attachments.h"
#include "node/tni/sum.h"

/* Gates of a node: 0 takes the packet of a node beyond the power of two, the last brings the result
 * to such a node; those between are exchanges. */
enum { GATES_MOST = 26, IDLE = 255 };

union operand {
    struct tofu_sum sum; /* OPERATION_ADD_REAL; else */
    unsigned char bytes[TREE_OPERAND_MOST];
};

struct gate_node {
    fine_t reached;             /* by the chain, so far; before it starts: by the last process */
    uint32_t came;              /* gates whose packets wait, */
    fine_t came_at[GATES_MOST]; /* since then, */
    uint32_t attachment[GATES_MOST]; /* with these operands */
    uint8_t gate;                    /* that the chain waits at; IDLE */
    uint8_t joined;                  /* processes of the node that take part so far */
    uint8_t operation, width;        /* enum nic_operation */
    bool data;                       /* it has an operand: */
    union operand operand;
};

struct gates_part {
    struct gate_node *node; /* [local] */
    uint32_t nodes;
} __attribute__((aligned(64)));

struct gates {
    struct nic_gates base;
    struct gates_face face;
    fine_t start_time, gate_time, finish_time;
    uint32_t partitions;
    uint32_t count, power, exchanges; /* nodes that take part; P = 2^exchanges of them exchange */
    uint32_t *number;                 /* [node], among them */
    uint32_t *member;                 /* [number]: node, */
    uint32_t *processes;              /* and its processes */
    struct attachments *attachments;
    struct gates_part *part;
};

static struct gate_node *node_at(const struct gates *g, const struct nic_node *at)
{
    return &g->part[at->partition].node[at->local];
}

/* ---- operands ---- */

/* The operand of a process. */
static union operand operand_of(const struct gate_node *n, const void *data)
{
    union operand operand = {.sum = {.seen = 0}};
    double value;
    if (n->operation == OPERATION_ADD_REAL) {
        memcpy(&value, data, sizeof(value));
        operand.sum = tofu_sum_of(value);
    } else {
        memcpy(operand.bytes, data, n->width);
    }
    return operand;
}

/* Another operand is combined with what is here, or takes its place. */
static void join(struct gate_node *n, const union operand *other, bool replaces)
{
    if (replaces)
        n->operand = *other;
    else if (n->operation == OPERATION_ADD_REAL)
        tofu_sum_add(&n->operand.sum, &other->sum);
    else
        alu_combine((enum nic_operation)n->operation, n->width, n->operand.bytes, other->bytes,
                    n->width);
}

static uint32_t write_letter(struct gates *g, const struct nic_node *at, const struct gate_node *n)
{
    if (!n->data)
        return ATTACHMENT_NONE;
    uint32_t attachment = attachment_new(g->attachments, at->partition, TOFU_SUM_BYTES);
    unsigned char *bytes = attachment_at(g->attachments, attachment)->data;
    if (n->operation == OPERATION_ADD_REAL)
        tofu_sum_pack(&n->operand.sum, bytes);
    else
        memcpy(bytes, n->operand.bytes, TREE_OPERAND_MOST);
    return attachment;
}

/* What a packet has brought joins what is here. */
static void read_letter(struct gates *g, struct gate_node *n, uint32_t attachment, bool replaces)
{
    if (attachment == ATTACHMENT_NONE || !n->data)
        return;
    const unsigned char *bytes = attachment_at(g->attachments, attachment)->data;
    union operand other;
    if (n->operation == OPERATION_ADD_REAL) {
        bool right = tofu_sum_unpack(bytes, &other.sum);
        WEFT_CHECK(right, "a gate was sent what is no sum");
    } else {
        memcpy(other.bytes, bytes, TREE_OPERAND_MOST);
    }
    join(n, &other, replaces);
    attachment_free(g->attachments, attachment);
}

/* ---- the chain ---- */

static void send(struct gates *g, const struct nic_node *at, struct gate_node *n, uint32_t to,
                 unsigned gate)
{
    uint32_t bytes = n->operation == OPERATION_NONE       ? 0
                     : n->operation == OPERATION_ADD_REAL ? TOFU_SUM_BYTES
                                                          : TREE_OPERAND_MOST;
    uint64_t cargo = gate | (uint64_t)write_letter(g, at, n) << 32;
    g->face.send(g->face.ctx, at, g->member[to], bytes, cargo, n->reached);
}

static void finish(struct gates *g, const struct nic_node *at, struct gate_node *n)
{
    n->gate = IDLE;
    n->joined = 0;
    g->face.over(g->face.ctx, at, n->reached + g->finish_time);
}

/* Sends the packet of an exchange and waits for the other; after the last exchange it is over. */
static void go_to(struct gates *g, const struct nic_node *at, struct gate_node *n, unsigned gate)
{
    uint32_t me = g->number[at->node];
    n->gate = (uint8_t)gate;
    if (gate <= g->exchanges) {
        send(g, at, n, me ^ 1u << (gate - 1), gate);
        return;
    }
    if (me + g->power < g->count)
        send(g, at, n, me + g->power, g->exchanges + 1);
    finish(g, at, n);
}

/* Passes all gates whose packets have come. */
static void go_on(struct gates *g, const struct nic_node *at, struct gate_node *n)
{
    while (n->gate != IDLE && n->came >> n->gate & 1) {
        unsigned gate = n->gate;
        bool last = gate == g->exchanges + 1;
        n->came &= ~(1u << gate);
        n->reached = fine_max(n->reached, n->came_at[gate]) + g->gate_time;
        read_letter(g, n, n->attachment[gate], last);
        if (last)
            finish(g, at, n);
        else
            go_to(g, at, n, gate + 1);
    }
}

static void start(struct gates *g, const struct nic_node *at, struct gate_node *n)
{
    uint32_t me = g->number[at->node];
    n->reached += g->start_time;
    if (me >= g->power) {
        send(g, at, n, me - g->power, 0);
        n->gate = (uint8_t)(g->exchanges + 1);
    } else if (me + g->power < g->count) {
        n->gate = 0;
    } else {
        go_to(g, at, n, 1);
    }
    go_on(g, at, n);
}

static void enter(struct nic_gates *gates, const struct nic_node *at, fine_t when,
                  enum nic_operation operation, unsigned width, const void *data)
{
    struct gates *g = (struct gates *)gates;
    struct gate_node *n = node_at(g, at);
    WEFT_CHECK(n->gate == IDLE, "node %u enters an operation that it is in", at->node);
    if (!n->joined) {
        n->reached = when;
        n->operation = (uint8_t)operation;
        n->width = (uint8_t)width;
        n->data = data != NULL;
    }
    if (n->operation != operation || n->width != width)
        RUN_ABANDONED(("processes of node %u combine different things", at->node), NO_REMEDY);
    n->reached = fine_max(n->reached, when);
    if (data) {
        union operand operand = operand_of(n, data);
        join(n, &operand, !n->joined);
    }
    if (++n->joined == g->processes[g->number[at->node]])
        start(g, at, n);
}

void gates_arrived(struct nic_gates *gates, const struct nic_node *at, uint64_t cargo, fine_t when)
{
    struct gates *g = (struct gates *)gates;
    struct gate_node *n = node_at(g, at);
    unsigned gate = cargo & 255;
    WEFT_CHECK(gate <= g->exchanges + 1 && !(n->came >> gate & 1),
               "node %u was sent a second packet for gate %u", at->node, gate);
    n->came |= 1u << gate;
    n->came_at[gate] = when;
    n->attachment[gate] = (uint32_t)(cargo >> 32);
    go_on(g, at, n);
}

static void take(const struct nic_gates *gates, const struct nic_node *at, unsigned width,
                 void *data)
{
    const struct gate_node *n = node_at((const struct gates *)gates, at);
    if (n->operation == OPERATION_ADD_REAL) {
        double value = tofu_sum_value(&n->operand.sum);
        memcpy(data, &value, sizeof(value));
    } else {
        memcpy(data, n->operand.bytes, width);
    }
}

/* ---- life cycle ---- */

static void arrange(struct nic_gates *gates, const uint32_t *node, const uint32_t *processes,
                    uint32_t count)
{
    struct gates *g = (struct gates *)gates;
    g->count = count;
    g->member = memory_alloc(count, sizeof(*g->member));
    g->processes = memory_alloc(count, sizeof(*g->processes));
    for (uint32_t i = 0; i < count; i++) {
        g->member[i] = node[i];
        g->processes[i] = processes[i];
        g->number[node[i]] = i;
    }
    for (g->power = 1; 2 * g->power <= count; g->power *= 2)
        g->exchanges++;
    WEFT_CHECK(g->exchanges + 2 < GATES_MOST, "%u nodes need more gates than there are", count);
}

struct nic_gates *gates_create(const struct gates_options *o)
{
    struct gates *g = memory_alloc(1, sizeof(*g));
    double cycles = o->cycles_per_us * 1e-3;
    *g = (struct gates){.base = {.arrange = arrange, .enter = enter, .take = take},
                        .face = o->face,
                        .start_time = fine_length(o->params->start_ns * cycles),
                        .gate_time = fine_length(o->params->gate_ns * cycles),
                        .finish_time = fine_length(o->params->finish_ns * cycles),
                        .partitions = o->partitions};
    g->number = memory_alloc(o->nodes, sizeof(*g->number));
    g->attachments = attachments_create(o->partitions);
    g->part = memory_alloc_lines(o->partitions, sizeof(*g->part));
    return &g->base;
}

void gates_destroy(struct nic_gates *gates)
{
    struct gates *g = (struct gates *)gates;
    for (uint32_t i = 0; i < g->partitions; i++)
        free(g->part[i].node);
    attachments_destroy(g->attachments);
    free(g->part);
    free(g->number);
    free(g->member);
    free(g->processes);
    free(g);
}

void gates_prepare(struct nic_gates *gates, uint32_t partition, uint32_t nodes)
{
    struct gates *g = (struct gates *)gates;
    struct gates_part *s = &g->part[partition];
    if (!g->count)
        return; /* there are no processes */
    s->nodes = nodes;
    s->node = memory_alloc(nodes, sizeof(*s->node));
    for (uint32_t local = 0; local < nodes; local++)
        s->node[local].gate = IDLE;
}

/* Programs, whose operands have attachments, cannot be saved. */
static bool is_node(const struct gates *g, const struct gate_node *n)
{
    uint32_t gates = g->exchanges + 2;
    bool right = (n->gate == IDLE || n->gate < gates) && !(n->came >> gates) &&
                 n->operation <= OPERATION_ADD_REAL && n->width <= TREE_OPERAND_MOST &&
                 visited_is_bool(&n->data) && !n->data;
    for (uint32_t gate = 0; gate < gates && right; gate++)
        right = !(n->came >> gate & 1) || n->attachment[gate] == ATTACHMENT_NONE;
    return right;
}

void gates_archive(struct nic_gates *gates, uint32_t partition, struct archive *a)
{
    const struct gates *g = (const struct gates *)gates;
    struct gates_part *s = &g->part[partition];
    archive_bytes(a, s->node, s->nodes * sizeof(*s->node));
    for (uint32_t local = 0; archive_has_read(a) && local < s->nodes; local++)
        archive_sound(a, is_node(g, &s->node[local]) ? NULL : "a barrier gate is not valid");
}
