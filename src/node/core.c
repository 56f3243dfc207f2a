/* The keys of a core, and what packets cost it. */
#include "node/core.h"

#define AT(field) offsetof(struct core_params, field)

static const char *const modes[] = {"heater", "coprocessor", "virtual_node", NULL};

static const struct key rows[] = {
    {"machine.clock_mhz", KEY_REAL, AT(clock_mhz), "MHz", NULL, 1, 1e6, .help = "processor clock"},
    {"machine.node.packet_out_cycles", KEY_REAL, AT(out_cycles), "processor cycles", NULL, 0, 1e6,
     .help = "core time before a packet is written: status of a FIFO, header (closed workloads)"},
    {"machine.node.packet_write_cycles", KEY_REAL, AT(write_cycles), "processor cycles", NULL, 0,
     1e6, .help = "core time to write a full packet into a bounded FIFO (closed workloads)"},
    {"machine.node.packet_in_cycles", KEY_REAL, AT(in_cycles), "processor cycles", NULL, 0, 1e6,
     .help = "core time before a packet is read: status of the FIFOs, its handler (closed "
             "workloads)"},
    {"machine.node.packet_read_cycles", KEY_REAL, AT(read_cycles), "processor cycles", NULL, 0, 1e6,
     .help = "core time to read a full packet from a FIFO (closed workloads)"},
    {"machine.node.load_bytes", KEY_U32, AT(load_bytes), "B", NULL, 1, CORE_FULL_PACKET,
     .help = "of a packet, that a core reads with one instruction; the first has the header"},
    {"machine.node.loads_at_once", KEY_U32, AT(loads_at_once), "", NULL, 1, CORE_FULL_PACKET,
     .help = "that a core has under way; then it waits for them"},
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

struct core_cost core_write_cost(const struct core_params *c, uint32_t packet_bytes,
                                 uint64_t buffer_bytes)
{
    double full = buffer_bytes > c->cache_bytes ? c->memory_write_cycles : c->write_cycles;
    return (struct core_cost){.software = c->out_cycles,
                              .access = full * ((double)packet_bytes / CORE_FULL_PACKET)};
}

/* How often a core waits for loads. */
static uint32_t waits_of(const struct core_params *c, uint32_t packet_bytes)
{
    uint32_t loads = (packet_bytes + c->load_bytes - 1) / c->load_bytes;
    return 1 + (loads - 1 + c->loads_at_once - 1) / c->loads_at_once;
}

struct core_cost core_read_cost(const struct core_params *c, uint32_t packet_bytes)
{
    double share = (double)waits_of(c, packet_bytes) / waits_of(c, CORE_FULL_PACKET);
    return (struct core_cost){.software = c->in_cycles, .access = c->read_cycles * share};
}
