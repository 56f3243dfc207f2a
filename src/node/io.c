/* The keys of I/O nodes. */
#include "node/io.h"

#define AT(field) offsetof(struct io_params, field)

static const struct key rows[] = {
    {"machine.io.nodes_per", KEY_U32, AT(nodes_per), "", NULL, 0, 1 << 16,
     .help = "compute nodes of a processing set, which has one I/O node; 0: no I/O nodes"},
    {"machine.io.mb_per_s", KEY_REAL, AT(mb_per_s), "MB/s", NULL, 1e-3, 1e9,
     .help = "between an I/O node and storage, each way"},
    {"machine.io.call_us", KEY_REAL, AT(call_us), "us", NULL, 0, 1e6,
     .help = "processor time of an I/O node for a call, besides its packets"},
};

const struct key_section io_section = {sizeof(struct io_params)};
const struct key_table io_keys = {rows, sizeof(rows) / sizeof(rows[0]), &io_section};
