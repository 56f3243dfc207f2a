/*
 * A run's state in a file, to continue from after the process has died.
 *
 *   "WEFTSAVE", version, layout     which build wrote it: only that build reads it
 *   head                            what `weft run` was told
 *   keys                            the configuration: the keys that were set, as KEY=VALUE
 *   state                           partition by partition, as it lies in memory
 *   checksum
 *
 * The partitions are part of the state: a run continues with the same cut, on any number of
 * threads. A file is written under another name and then renamed, so that there is always a whole
 * one or none.
 */
#ifndef WEFT_MACHINE_CHECKPOINT_H
#define WEFT_MACHINE_CHECKPOINT_H

#include "base/file/archive.h"
#include "config/config.h"

enum { CHECKPOINT_CUTS = 8 };

struct checkpoint_head {
    char output[4096];                /* path of the result; "": none */
    double every;                     /* seconds between checkpoints */
    uint32_t cuts[CHECKPOINT_CUTS];   /* of the machine, along each dimension; else partitions */
    uint64_t look;                    /* when the window of measurement is looked at next */
    double cpu_seconds, wall_seconds; /* spent so far */
};

/* A file that was read. */
struct checkpoint {
    const char *path; /* the caller's */
    struct checkpoint_head head;
    struct config config; /* not yet finished */
    struct archive state; /* positioned at the state */
    void *bytes;
};

weft_status checkpoint_save(const char *path, const struct checkpoint_head *head,
                            const struct config *config, void (*state)(void *, struct archive *),
                            void *arg);

/* WEFT_BAD_INPUT, with one line, for anything but a whole checkpoint of this version. */
weft_status checkpoint_load(const char *path, struct checkpoint **checkpoint);
weft_status checkpoint_parse(const char *path, void *bytes, size_t size,
                             struct checkpoint **checkpoint);
void checkpoint_free(struct checkpoint *checkpoint);

#endif
