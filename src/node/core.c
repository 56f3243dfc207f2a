/* The keys of a core, and what packets cost it. */
#include "node/core.h"

#define AT(field) offsetof(struct core_params, field)

static const char *const modes[] = {"heater", "coprocessor", "virtual_node", NULL};

static const struct key rows[] = {
    {"machine.node.mode", KEY_CHOICE, AT(mode), "", NULL, .choices = modes,
     .help = "messages: who the second core works for"},
    {"machine.node.memory_write_cycles", KEY_REAL, AT(memory_write_cycles), "processor cycles",
     NULL, 0, 1e6, .help = "messages: core time to write a full packet whose data are in memory"},
    {"machine.node.cache_bytes", KEY_U32, AT(cache_bytes), "B", NULL, 0, KEY_U32_TOP,
     .help = "messages: buffers above this size are not in the cache"},
    {"machine.node.line_bytes", KEY_U32, AT(line_bytes), "B", NULL, 1, 4096,
     .help = "messages: cache line; a coprocessor receives into buffers that begin with one"},
    {"machine.node.memory_bytes_per_cycle", KEY_REAL, AT(memory_bytes_per_cycle),
     "B/processor cycle", NULL, 1e-3, 1e6, .help = "messages: rate of copies in memory"},
    {"machine.node.flush_cycles", KEY_REAL, AT(flush_cycles), "processor cycles", NULL, 0, 1e9,
     .help = "messages: core time to flush its cache"},
    {"machine.node.interrupts", KEY_BOOL, AT(interrupts), "", NULL,
     .help = "messages: packets that come, and room for one that waits, interrupt a program that "
             "works"},
    {"machine.node.interrupt_cycles", KEY_REAL, AT(interrupt_cycles), "processor cycles", NULL, 0,
     1e9, .help = "messages: core time of an interrupt"},
    {"machine.node.virtual_fifo_bytes", KEY_U32, AT(virtual_fifo_bytes), "B", NULL, 256, 1 << 20,
     .help = "messages: each FIFO in the scratchpad, for messages within a node"},
};

const struct key_section core_section = {sizeof(struct core_params)};
const struct key_table core_keys = {rows, sizeof(rows) / sizeof(rows[0]), &core_section};

/* A packet takes as long as its share of a full one. */
static double share_of(const struct core_params *c, uint32_t packet_bytes)
{
    return (double)packet_bytes / c->packet_bytes;
}

double core_write_cycles(const struct core_params *c, uint32_t packet_bytes, uint64_t buffer_bytes)
{
    double full = buffer_bytes > c->cache_bytes ? c->memory_write_cycles : c->write_cycles;
    return full * share_of(c, packet_bytes);
}

double core_read_cycles(const struct core_params *c, uint32_t packet_bytes)
{
    return c->read_cycles * share_of(c, packet_bytes);
}
