/* Where the libraries of a program are. */
#ifndef WEFT_IMAGE_SEARCH_H
#define WEFT_IMAGE_SEARCH_H

#include "image/elf.h"

enum { SEARCH_PATH_MOST = 4096 };

/* Finds a library that a file needs: in the folders that the file names, those of LD_LIBRARY_PATH,
 * and the system's. */
weft_status search_library(const struct elf *by, const char *name, char path[SEARCH_PATH_MOST]);

/* Whether all ranks can share the computer's own copy of a library: it keeps nothing of a rank, or
 * Weft keeps that for it. */
bool search_is_shared(const char *name);

/* Whether a file is a compiler's library: it names functions that few programs have it call. */
bool search_is_compilers(const char *path);

/* Whether a library is one that Weft stands in for: an MPI library. */
bool search_is_ours(const char *name);

/* Why a program that needs a library cannot run; NULL: it can. */
const char *search_refuses(const char *name);

#endif
