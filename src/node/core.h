/*
 * A processor core and its time. A core does one thing at a time and is busy with it until some
 * moment; whoever needs it waits. What a node has to say of its cores (MSG, 3 and 5.1) is here:
 * clock, mode, what reading and writing packets costs, memory, caches that are not coherent.
 *
 * Modes say who does what, and nothing else: which core serves which process and reads which group
 * of reception FIFOs (core_reads, core_process).
 *
 *   heater         one core does everything; the other only keeps the chip warm
 *   coprocessor    one process; the second core reads the second group of FIFOs
 *   virtual_node   two processes, each with a core, a group of FIFOs and half of the memory
 */
#ifndef WEFT_NODE_CORE_H
#define WEFT_NODE_CORE_H

#include "config/keys.h"
#include "engine/fine.h"

enum { CORES_MOST = 2 };
enum { CORE_FULL_PACKET = 256 }; /* bytes, header included, of the torus and of the tree */

enum core_mode { MODE_HEATER, MODE_COPROCESSOR, MODE_VIRTUAL_NODE };

/* Times are in processor cycles; write and read: of a full packet. */
struct core_params {
    enum core_mode mode;
    double clock_mhz;
    double out_cycles, in_cycles; /* of any packet, before it is written, and read */
    double write_cycles, memory_write_cycles, read_cycles; /* write: from cache, from memory */
    uint32_t load_bytes, loads_at_once;                    /* of packets that are read */
    uint32_t cache_bytes;                                  /* larger buffers are in memory */
    uint32_t line_bytes;           /* of a cache: what the cores must not share */
    double memory_bytes_per_cycle; /* of a copy */
    double flush_cycles;           /* of the whole L1 cache of a core */
    bool interrupts;               /* packets interrupt a program that works; else it must poll */
    double interrupt_cycles;
    uint32_t virtual_fifo_bytes; /* of a virtual FIFO in the scratchpad */
};

extern const struct key_section core_section;
extern const struct key_table core_keys;

static inline uint32_t core_count(enum core_mode mode)
{
    return mode == MODE_HEATER ? 1 : 2;
}

/*
 * What a core pays for a packet (MSG, 5.3), in processor cycles:
 *
 *   out    reads the status of an injection FIFO, makes the header
 *   write  stores that do not wait: by the packet's size, and by where its data are
 *   in     reads the status of the reception FIFOs, finds the handler that the header names
 *   read   loads that do wait: the header alone, since it decides where the rest goes, then as many
 *          at once as the processor has under way before it stalls; every wait takes as long
 */
struct core_cost {
    double software, access; /* out and write, or in and read */
};

/* Bytes of packets include the header; data are of a buffer of `buffer_bytes`. */
struct core_cost core_write_cost(const struct core_params *c, uint32_t packet_bytes,
                                 uint64_t buffer_bytes);
struct core_cost core_read_cost(const struct core_params *c, uint32_t packet_bytes);

/* Processes of a node. */
static inline uint32_t core_processes(enum core_mode mode)
{
    return mode == MODE_VIRTUAL_NODE ? 2 : 1;
}

/* The core that reads a group of reception FIFOs. */
static inline uint32_t core_reader(enum core_mode mode, unsigned group)
{
    return mode == MODE_HEATER ? 0 : group;
}

/* The core that a process runs on. */
static inline uint32_t core_main(enum core_mode mode, uint32_t process)
{
    return mode == MODE_VIRTUAL_NODE ? process : 0;
}

/* The process that a core serves. */
static inline uint32_t core_process(enum core_mode mode, uint32_t core)
{
    return mode == MODE_VIRTUAL_NODE ? core : 0;
}

/* What a core spends its time on. */
enum core_work {
    WORK_IDLE,     /* polls, and finds nothing */
    WORK_PROGRAM,  /* of the user */
    WORK_SOFTWARE, /* of the message layer, apart from what follows */
    WORK_WRITE,    /* packets */
    WORK_READ,
    WORK_COPY,
    WORK_FLUSH,
    WORK_INTERRUPT,
    WORKS,
};

struct core {
    fine_t until;        /* busy until then, or idle since */
    fine_t spent[WORKS]; /* idle: not counted */
};

/* Works for a while, starting when it is free. */
static inline void core_spend(struct core *c, enum core_work work, fine_t time)
{
    c->until += time;
    c->spent[work] += time;
}

#endif
