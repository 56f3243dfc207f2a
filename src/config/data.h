/*
 * Where machines/, studies/, claims/ and view/ are: in the folder that data_set() named, in
 * $WEFT_DATA, beside the installed library, or where this build was to be installed. The folders of
 * a host that embeds Weft are never searched.
 */
#ifndef WEFT_CONFIG_DATA_H
#define WEFT_CONFIG_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { DATA_PATH = 4096 };

/* Names the folder; NULL: none. Copies the text. Call it before anything else, from one thread. */
void data_set(const char *folder);

const char *data_folder(void);

/* WEFT_BAD_INPUT if there is no machines/ in that folder. */
weft_status data_check(void);

/* WEFT_BAD_INPUT for a machine or study that is not in its folder, or for the missing folder. */
weft_status data_unknown(const char *folder, const char *kind, const char *name,
                         const char *command);

/* The sorted names of machines or studies, and how many. The caller frees each and the list. */
size_t data_list(const char *folder, char ***names);

/* Finds a file by name in a folder of the data, or takes a path as it is. */
void data_find(const char *folder, const char *name, char *path, size_t size);

/* The folder of MPI, with include/, lib/, bin/ and programs/: beside a build's program or library,
 * or where it was installed with them. False: there is none. */
bool data_mpi(char folder[DATA_PATH]);

/* A hash of the running code: another build may compute different results. */
uint64_t data_program(void);

#endif
