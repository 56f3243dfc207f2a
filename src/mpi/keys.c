/* The keys of MPI's costs. */
#include <stddef.h>

#include "mpi/options.h"

#define COST(name, field, text)                                                                    \
    {                                                                                              \
        "machine.mpi." name, KEY_REAL, offsetof(struct mpi_params, field), "processor cycles",     \
            NULL, 0, 1e9, .help = text                                                             \
    }

static const struct key rows[] = {
    COST("call_cycles", call_cycles, "an MPI call, whatever it does"),
    COST("send_cycles", send_cycles, "an MPI message is started, beyond the message layer's work"),
    COST("eager_cycles", way_cycles[1], "and more if it has several packets, and goes eagerly"),
    COST("rendezvous_cycles", way_cycles[3], "and more if it goes by rendezvous"),
    COST("receive_cycles", receive_cycles, "an MPI receive is started: it is looked for"),
    COST("finish_cycles", finish_cycles, "a message that was received is handed over: its status"),
    COST("block_cycles", block_cycles, "a basic block, of programs built with mpicc --count"),
};

/* Of machines whose message layer writes packets. */
static const struct key packets_rows[] = {
    COST("adaptive_cycles", way_cycles[2], "and more if it goes by adaptive eager: the token"),
    COST("alltoall_cycles", alltoall_cycles, "the message layer's own all-to-all begins"),
    COST("each_cycles", each_cycles,
         "and more for each process that gets something and gives something; half for "
         "one that does either"),
};

const struct key_section mpi_section = {sizeof(struct mpi_params)};
const struct key_table mpi_keys = {rows, sizeof(rows) / sizeof(rows[0]), &mpi_section};
const struct key_table packets_keys = {packets_rows, sizeof(packets_rows) / sizeof(packets_rows[0]),
                                       &mpi_section};
