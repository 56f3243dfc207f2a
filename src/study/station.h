/*
 * Runs of a batch on other ranks (`mpirun -n R weft sweep`): the first rank hands them out, and the
 * others, its stations, compute them one process per run, as the first rank does itself.
 *
 *   rank 0                                    every other rank
 *   station_order(rank, place, config)  --->  forks a process that runs it
 *   station_take(&answer, &text)        <---  its result's text, or its error
 *   station_halt_all()                  --->  kills what still runs
 *   station_dismiss()                   --->  station_serve() returns
 *
 * Nothing but these messages connects them: a result is written by the first rank alone, into a
 * folder that the others need not see. Files that a configuration names, they must be able to read.
 */
#ifndef WEFT_STUDY_STATION_H
#define WEFT_STUDY_STATION_H

#include "study/worker.h"

/* First rank: has a rank run a configuration. `place`: the caller's own number for it. */
void station_order(uint32_t rank, uint64_t place, const struct config *config, uint32_t threads);

/* What became of an order. */
struct station_answer {
    uint64_t place;
    uint64_t bytes; /* of the result's text, which follows; 0: it failed */
    struct error error;
};

/* First rank: takes an answer, if there is one. The caller frees *text. */
bool station_take(struct station_answer *answer, char **text);

/* First rank: all stations drop what they run; answers under way are thrown away. */
void station_halt_all(void);

/* First rank: lets all stations go. Nothing happens if there are none. */
void station_dismiss(void);

/* Every other rank: works until it is dismissed. */
void station_serve(worker_text text);

#endif
