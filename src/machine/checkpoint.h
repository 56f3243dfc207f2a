/*
 * A run's state in a file, to go on from after the process has died.
 *
 *   "WEFTSAVE", version, layout     which build wrote it: only that one reads it
 *   head                            what `weft run` was told
 *   keys                            the configuration: those that were set, as KEY=VALUE
 *   state                           partition by partition, as it lies in memory
 *   checksum
 *
 * The partitions are part of the state: a run goes on with the same cut, on any number of threads.
 * A file is written beside its place and renamed, so that there is always a whole one or none.
 */
#ifndef WEFT_MACHINE_CHECKPOINT_H
#define WEFT_MACHINE_CHECKPOINT_H

#include "base/archive.h"
#include "config/config.h"

enum { CHECKPOINT_CUTS = 8 };

struct checkpoint_head {
    char output[4096];                /* where the result goes; "": nowhere */
    double every;                     /* seconds between checkpoints */
    uint32_t cuts[CHECKPOINT_CUTS];   /* of the machine into partitions, as its family has them */
    double cpu_seconds, wall_seconds; /* spent so far */
};

/* A file that was read. */
struct checkpoint {
    struct checkpoint_head head;
    struct config config; /* not yet finished */
    struct archive state; /* stands at the state */
    void *bytes;
};

weft_status checkpoint_save(const char *path, const struct checkpoint_head *head,
                            const struct config *config, void (*state)(void *, struct archive *),
                            void *arg);

/* WEFT_BAD_INPUT, with one line, for whatever is no whole checkpoint of this version. */
weft_status checkpoint_load(const char *path, struct checkpoint **checkpoint);
weft_status checkpoint_parse(const char *path, void *bytes, size_t size,
                             struct checkpoint **checkpoint);
void checkpoint_free(struct checkpoint *checkpoint);

#endif
