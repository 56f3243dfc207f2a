/*
 * What a run fails of. Simulated processes may fail on several threads before all of them stop at
 * the end of a window. What is reported is the earliest of these failures in simulated time, and of
 * several at once that of the lowest number: the same on any number of threads.
 */
#ifndef WEFT_ENGINE_FAILURE_H
#define WEFT_ENGINE_FAILURE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/status.h"
#include "engine/fine.h"

enum { FAILURE_OF_NOBODY = UINT32_MAX }; /* the number of a failure that is no process's */

struct failures {
    pthread_mutex_t lock;
    atomic_bool any;
    fine_t when;
    uint32_t number; /* the process; FAILURE_OF_NOBODY */
    int code;        /* with which the process has ended the program; 0: it has not */
    struct error error;
};

void failures_init(struct failures *f);
void failures_fini(struct failures *f);

/* Adds this thread's last failure; it replaces one of the same process at the same time. */
void failures_add(struct failures *f, fine_t when, uint32_t number, int code);

/* From now on this thread works for a run; NULL: for none. */
void failures_enter(struct failures *f);

/* Adds this thread's last failure to its run's, which goes on to the end of the window without the
 * process; false: it works for none. */
bool failures_add_here(fine_t when, uint32_t number, int code);

static inline bool failures_any(const struct failures *f)
{
    return atomic_load_explicit(&f->any, memory_order_acquire);
}

#endif
