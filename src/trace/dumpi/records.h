/*
 * What the calls of a DUMPI trace mean as records: messages, requests, collective operations, and
 * the time between calls.
 */
#ifndef WEFT_TRACE_DUMPI_RECORDS_H
#define WEFT_TRACE_DUMPI_RECORDS_H

#include "trace/dumpi/call.h"
#include "trace/record.h"

struct dumpi_records;

/* Of a recording whose number of ranks is known. */
struct dumpi_records *dumpi_records_create(struct recording *to);
void dumpi_records_destroy(struct dumpi_records *r);

/* Calls of another rank come, in their order. What the trace says of the sizes of its datatypes, by
 * their numbers, must stay until they are over; NULL: nothing. */
void dumpi_records_begin(struct dumpi_records *r, uint32_t rank, const int32_t *type_size,
                         uint32_t type_sizes);
weft_status dumpi_records_add(struct dumpi_records *r, const struct dumpi_call *c);

/* All ranks have been read. */
void dumpi_records_end(struct dumpi_records *r);

#endif
