/*
 * An array that may be longer than memory should hold: it lies in a temporary file, and a few pages
 * of it in memory. Elements are zero until they are written; the file is in $TMPDIR
 * (base/file/output.h).
 */
#ifndef WEFT_TRACE_OTF2_PAGED_ARRAY_H
#define WEFT_TRACE_OTF2_PAGED_ARRAY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct paged_array;

/* Elements of this many bytes, a power of two. WEFT_FAILED: there is no place for the file. */
weft_status paged_array_create(size_t element, struct paged_array **array);
void paged_array_destroy(struct paged_array *array);

/* An element, to be changed or only read; valid until the next call. */
void *paged_array_change(struct paged_array *array, uint64_t index);
const void *paged_array_read(struct paged_array *array, uint64_t index);

/* WEFT_FAILED: not all of it could be written or read again. */
weft_status paged_array_check(const struct paged_array *array);

#endif
