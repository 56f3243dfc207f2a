/*
 * A call of a DUMPI trace, whichever form of the trace has it: what was called, when, and those of
 * its arguments that matter. text.h and binary.h read calls; records.h says what
 * they mean.
 *
 * Handles of objects that MPI predefines have DUMPI's numbers (its common/constants.h).
 */
#ifndef WEFT_TRACE_DUMPI_CALL_H
#define WEFT_TRACE_DUMPI_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/dumpi/functions.h"

/* Which clock its times are of. */
enum dumpi_clock { DUMPI_CLOCK_NONE, DUMPI_CLOCK_WALL, DUMPI_CLOCK_CPU };

enum { DUMPI_COMM_NULL = 1, DUMPI_COMM_WORLD, DUMPI_COMM_SELF };

/* An argument: a number, or several. */
struct dumpi_value {
    int64_t value;       /* of several: the first one, or 0 */
    size_t first, count; /* of an array, in dumpi_call.number */
    uint64_t place;
};

struct dumpi_call {
    const char *path;
    bool binary; /* places are bytes, not lines */
    enum dumpi_function function;
    const char *name; /* "MPI_Send" */
    uint64_t place;
    enum dumpi_clock clock;
    int64_t entered_ns, left_ns;
    uint64_t given; /* a bit of each argument that it has */
    struct dumpi_value argument[DUMPI_ARGUMENTS];
    int64_t *number;
    size_t numbers, room;
};

void dumpi_call_fini(struct dumpi_call *c);

/* Makes it another one, without arguments. */
void dumpi_call_begin(struct dumpi_call *c, enum dumpi_function function, uint64_t place);

/* A new argument; `number` of an array is then filled by dumpi_call_add(). */
struct dumpi_value *dumpi_call_give(struct dumpi_call *c, enum dumpi_argument argument,
                                    uint64_t place);
void dumpi_call_add(struct dumpi_call *c, struct dumpi_value *value, int64_t number);

static inline bool dumpi_call_has(const struct dumpi_call *c, enum dumpi_argument argument)
{
    return c->given >> argument & 1;
}

/* NULL: it has no such argument. */
static inline const struct dumpi_value *dumpi_call_find(const struct dumpi_call *c,
                                                        enum dumpi_argument argument)
{
    return dumpi_call_has(c, argument) ? &c->argument[argument] : NULL;
}

/* The numbers of an array; NULL: it has none. */
static inline const int64_t *dumpi_call_numbers(const struct dumpi_call *c,
                                                const struct dumpi_value *value)
{
    return value->count ? c->number + value->first : NULL;
}

/* The number of an argument; WEFT_BAD_INPUT: there is none within these limits. */
weft_status dumpi_call_take(const struct dumpi_call *c, enum dumpi_argument argument, int64_t least,
                            int64_t most, int64_t *value);

/* A complaint about a call, or an argument if there is one: "MPI_Send has no count". */
weft_status dumpi_call_refuse(const struct dumpi_call *c, const struct dumpi_value *value,
                              const char *what);

/* Likewise, where another trace helps, not another file of it. */
weft_status dumpi_call_blame(const struct dumpi_call *c, const struct dumpi_value *value,
                             const char *what, const char *remedy);

#endif
