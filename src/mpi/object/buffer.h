/* Memory of the program, from which buffered messages leave: a rank's, a communicator's or a
 * session's. */
#ifndef WEFT_MPI_OBJECT_BUFFER_H
#define WEFT_MPI_OBJECT_BUFFER_H

#include <stdint.h>

struct send_buffer {
    void *at;
    uint64_t bytes, used; /* bytes 0: there is none */
};

#endif
