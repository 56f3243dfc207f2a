/* Questions to a configuration, whatever its machine. */
#ifndef WEFT_MACHINE_MACHINE_H
#define WEFT_MACHINE_MACHINE_H

#include "config/config.h"
#include "engine/wheel.h"
#include "workload/work.h"

struct run_params {
    uint64_t seed;
    cycle_t interval_cycles, stall_cycles;
    bool detail;
};

extern const struct key_section run_section;
extern const struct key_table run_keys;

/* Starts a configuration with the keys of all machine families. */
void machine_init(struct config *c);

/* Checks that the keys fit together, once all are set. */
weft_status machine_finish(struct config *c);

/* Makes a torus or an ideal network as large as so many processes need, unless its size was given
 * beside its file; the same for the ranks of a trace, if the pattern reads one. */
weft_status machine_fit(struct config *c, uint32_t processes);
weft_status machine_fit_trace(struct config *c);

/* What is known of a configuration; nodes and damage only once it is finished. */
struct machine_facts {
    uint32_t nodes, dead_nodes; /* nodes: dead ones included */
    bool damaged;               /* some node or link is dead, or out of service for a time */
    double cycles_per_second;
    uint32_t processors; /* per node */
    uint32_t tasks;      /* processes per node, unless the workload says; 0: one */
    struct packet_sizes sizes;
};
struct machine_facts machine_facts(const struct config *c);

/* Whether a cycle is not as long as on the machine that its file is based on, and what that means,
 * in words. */
bool machine_clock_moved(const struct config *c, char text[CONFIG_TEXT]);

/* "8x8x8", "kautz:3:6" */
const char *machine_size_text(const struct config *c, char text[CONFIG_TEXT]);

/* A hash of everything that can change a result. */
uint64_t machine_hash(const struct config *c);

/* The same with this program or library, by which results are named. */
uint64_t machine_result_hash(const struct config *c);

/* Whether a result says that it is of this configuration. */
bool machine_is_of(const struct config *c, const struct yaml *result);

/* Of which kinds (enum run_kind, machine/figures.h) a run of this configuration is, as bits. */
unsigned machine_run_kinds(const struct config *c);

/* Whether the pattern has a use for a key. */
bool machine_uses(const struct config *c, const char *key);

/* What a finished configuration does; false: nothing is sent. */
bool machine_work(const struct config *c, struct work *work);

/* WEFT_BAD_INPUT: two machines would not do the same work. */
weft_status machine_check_same_work(const struct config *c, const struct config *other);

/* The workload in words: ", 256 B packets, load 0.5". */
void machine_describe(const struct config *c, char text[CONFIG_TEXT]);

/* A rough estimate of what a run will cost, in packet-hops. */
double machine_weight(const struct config *c);

#endif
