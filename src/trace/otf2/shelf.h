/*
 * An array that may be longer than memory should hold: it lies in a temporary file, and a few pages
 * of it in memory. Elements are zero until they are written; the file is in $TMPDIR
 * (base/file/temporary.h).
 */
#ifndef WEFT_TRACE_OTF2_SHELF_H
#define WEFT_TRACE_OTF2_SHELF_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct shelf;

/* Elements of this many bytes, a power of two. WEFT_FAILED: there is no place for the file. */
weft_status shelf_create(size_t element, struct shelf **shelf);
void shelf_destroy(struct shelf *shelf);

/* An element, to be changed or only read; valid until the next call. */
void *shelf_change(struct shelf *shelf, uint64_t index);
const void *shelf_read(struct shelf *shelf, uint64_t index);

/* WEFT_FAILED: not all of it could be written or read again. */
weft_status shelf_check(const struct shelf *shelf);

#endif
