/* What an MPI program can be given: what its calls cost, and how it computes. */
#ifndef WEFT_MPI_OPTIONS_H
#define WEFT_MPI_OPTIONS_H

#include "config/keys.h"

struct world;

/* What MPI calls cost, in processor cycles. */
struct mpi_params {
    double call_cycles;     /* any call */
    double send_cycles;     /* starting to send, besides what the message layer takes; */
    double way_cycles[4];   /* and more, by how it goes: enum task_way (message/task.h) */
    double receive_cycles;  /* starting to receive */
    double finish_cycles;   /* handing over a message that was received */
    double alltoall_cycles; /* an all-to-all of the message layer's own, */
    double each_cycles;     /* and more for each that it exchanges something with */
    double block_cycles;    /* a basic block of a program whose blocks are counted */
};

/* Whether what is received are the values that were sent (object/signature.h). */
enum check_types { CHECK_TYPES_NO, CHECK_TYPES_VALUES, CHECK_TYPES_ALL };

extern const struct key_section mpi_section;
extern const struct key_table mpi_keys;
extern const struct key_table packets_keys; /* of machines whose message layer writes packets */

/* How long a program computes between its calls. */
enum compute {
    COMPUTE_NONE,     /* no time at all, unless it says so: MPIX_Compute() */
    COMPUTE_MEASURED, /* as long as here, times a factor */
    COMPUTE_COUNTED,  /* by the basic blocks that it goes through */
};

#endif
