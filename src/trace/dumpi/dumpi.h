/*
 * What the readers of DUMPI traces share: a call, whichever form of the trace has it; those who
 * read calls (text.c, binary.c); what a rank's datatypes and communicators are (types.c, comms.c);
 * and what calls mean as records (records.c, operations.c).
 */
#ifndef WEFT_TRACE_DUMPI_DUMPI_H
#define WEFT_TRACE_DUMPI_DUMPI_H

#include "base/map.h"
#include "trace/dumpi/functions.h"
#include "trace/record.h"
#include "trace/requests.h"

/* ---- a call: what was called, when, and those of its arguments that matter ---- */

/* Which clock its times are of. */
enum dumpi_clock { DUMPI_CLOCK_NONE, DUMPI_CLOCK_WALL, DUMPI_CLOCK_CPU };

/* Handles of objects that MPI predefines have DUMPI's numbers (its common/constants.h). */
enum { DUMPI_COMM_NULL = 1, DUMPI_COMM_WORLD, DUMPI_COMM_SELF };

/* An argument: a number, or several. */
struct dumpi_value {
    int64_t value;       /* of several: the first one, or 0 */
    size_t first, count; /* of an array, in dumpi_call.number */
    uint64_t where;
};

struct dumpi_call {
    const char *path;
    bool binary; /* `where` is a byte of the file, not a line */
    enum dumpi_function function;
    const char *name; /* "MPI_Send" */
    uint64_t where;
    enum dumpi_clock clock;
    int64_t entered_ns, left_ns;
    uint64_t given; /* a bit of each argument that it has */
    struct dumpi_value argument[DUMPI_ARGUMENTS];
    int64_t *number;
    size_t numbers, room;
};

/* Makes it another one, without arguments. */
void dumpi_call_begin(struct dumpi_call *c, enum dumpi_function function, uint64_t where);

/* A new argument; `number` of an array is then filled by dumpi_call_add(). */
struct dumpi_value *dumpi_call_give(struct dumpi_call *c, enum dumpi_argument argument,
                                    uint64_t where);
void dumpi_call_add(struct dumpi_call *c, struct dumpi_value *value, int64_t number);

/* NULL: it has no such argument. */
static inline const struct dumpi_value *dumpi_call_find(const struct dumpi_call *c,
                                                        enum dumpi_argument argument)
{
    return c->given >> argument & 1 ? &c->argument[argument] : NULL;
}

/* The number of an argument, or what stands for one that it has not. */
static inline int64_t dumpi_call_number(const struct dumpi_call *c, enum dumpi_argument argument,
                                        int64_t otherwise)
{
    const struct dumpi_value *v = dumpi_call_find(c, argument);
    return v ? v->value : otherwise;
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

/* ---- calls of a rank, one after the other: memory holds one ---- */

/* What a reader of either form begins with. */
struct dumpi_reader {
    struct dumpi_call call;
    /* The next call; at the end its function is DUMPI_END. */
    weft_status (*next)(struct dumpi_reader *reader);
    void (*close)(struct dumpi_reader *reader);
    int32_t *type_size; /* [type_sizes], of datatypes by their numbers; NULL: it does not say */
    uint32_t type_sizes;
};

/* WEFT_BAD_INPUT: it cannot be opened, is no file of DUMPI's, or not whole. The path must stay. */
weft_status dumpi_text_open(const char *path, struct dumpi_reader **reader);
weft_status dumpi_binary_open(const char *path, struct dumpi_reader **reader);

/*
 * ---- datatypes of a rank: how many bytes their elements have ----
 *
 * A type that the program makes has the size that its parts give it. One that nothing has made, as
 * those of Fortran, has the size that the trace says at its end; a text says none.
 */

struct dumpi_types {
    struct map own;      /* handle: bytes, of those that the program made */
    struct map asked;    /* likewise, as MPI_Type_size() told it */
    const int32_t *size; /* [sizes], by handle, of the whole trace of the rank; 0: not known */
    uint32_t sizes;
};

void dumpi_types_fini(struct dumpi_types *t);

/* The number of a type, communicator or operation that MPI predefines, by its name without MPI_;
 * -1: there is none. */
int64_t dumpi_handle_by_name(const char *name);

/* "sum"; NULL: it is none of MPI's. */
const char *dumpi_op_name(int64_t number);

struct dumpi_element {
    uint64_t bytes;
    uint16_t number; /* of a basic type, in the standard ABI of MPI, or 0 */
};

/* What an element is. */
weft_status dumpi_types_take(const struct dumpi_types *t, const struct dumpi_call *c,
                             enum dumpi_argument argument, struct dumpi_element *element);

/* The same of one of several types, for which `value` is blamed. */
weft_status dumpi_types_find(const struct dumpi_types *t, const struct dumpi_call *c,
                             const struct dumpi_value *value, int64_t handle,
                             struct dumpi_element *element);

/* Bytes of so many elements. */
weft_status dumpi_types_size(const struct dumpi_types *t, const struct dumpi_call *c,
                             enum dumpi_argument count, enum dumpi_argument type, uint64_t *bytes);

/* A complaint about more bytes than MPI counts. */
weft_status dumpi_types_refuse(const struct dumpi_call *c);

/* MPI_Type_...() */
void dumpi_types_do(struct dumpi_types *t, const struct dumpi_call *c);

/*
 * ---- communicators, of which a trace has nothing but each rank's own handles ----
 *
 * One is known by what all of its members say: that it is the nth that was made from another one,
 * and of which colour. Members are in the order of keys, and then of the one that it was made from;
 * or, if all of them ask MPI_Comm_rank(), in the order that they are told. Its members are known
 * once all ranks have been read.
 */

struct dumpi_comms {
    uint32_t me;
    struct map known;        /* handle: number of a communicator, of this rank */
    struct map splits;       /* number: how many were made from it, by this rank */
    struct map own_rank;     /* number: this rank's rank in it, if that is known */
    struct dumpi_made *made; /* [number - COMM_FIRST] */
    uint32_t makes;
    struct map found; /* hash of an origin: the last one that has it */
};

void dumpi_comms_fini(struct dumpi_comms *m);

/* Another rank's calls come. */
void dumpi_comms_begin(struct dumpi_comms *m, uint32_t rank);

weft_status dumpi_comms_take(const struct dumpi_comms *m, const struct dumpi_call *c,
                             enum dumpi_argument argument, uint32_t *comm);

/* A call that makes one; *made 0: this rank is no member. */
weft_status dumpi_comms_make(struct dumpi_comms *m, const struct dumpi_call *c, uint32_t *parent,
                             uint32_t *made);

/* MPI_Comm_rank() */
void dumpi_comms_tell(struct dumpi_comms *m, const struct dumpi_call *c);

/* All ranks have been read: tells the recording who belongs to which. */
void dumpi_comms_settle(struct dumpi_comms *m, struct recording *to);

/* ---- calls as records: messages, requests, collective operations, the time between calls ---- */

/* A request that can be started again. */
struct dumpi_persistent {
    int64_t handle;
    struct record record;
};

struct dumpi_records {
    struct recording *to;            /* whose number of ranks is known */
    enum call call[DUMPI_OTHER + 1]; /* of functions; CALLS: Weft has none */
    struct dumpi_comms comms;
    /* Of the rank at hand. */
    struct dumpi_types types;
    bool begun;             /* MPI_Init() was called, and MPI_Finalize() was not */
    enum dumpi_clock clock; /* of the last call, */
    int64_t left_ns;        /* and when it ended */
    struct trace_requests requests;
    struct dumpi_persistent *persistent;
    size_t persistents, persistent_room;
};

void dumpi_records_init(struct dumpi_records *r, struct recording *to);
void dumpi_records_fini(struct dumpi_records *r);

/* Takes all calls of a rank; ranks come in their order. */
weft_status dumpi_records_read(struct dumpi_records *r, uint32_t rank, struct dumpi_reader *in);

/* Fills the record of a collective operation by a call's arguments; the caller frees its list. */
weft_status dumpi_operation_fill(const struct dumpi_records *r, const struct dumpi_call *c,
                                 const struct collective_kind *kind, struct record *e);

#endif
