/*
 * Datatypes: which bytes of memory make up an element, and in which order they travel. A type is a
 * tree: its leaves are basic types, its inner nodes repeat other types at displacements, regularly
 * or by a list. So a type takes memory by how it was described, not by what it covers.
 *
 *   regular    count blocks, `stride` bytes apart, of `length` children, an extent apart
 *   listed     blocks, each with its own displacement, length and child
 *
 * Types are counted: whoever keeps one holds it (type_hold), and gives it up (type_release).
 */
#ifndef WEFT_MPI_OBJECT_TYPE_H
#define WEFT_MPI_OBJECT_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpi/object/signature.h"
#include "mpi_calls.h"

struct attribute;
struct type;

/* What sets a bound of a type. Marks (MPI_LB, MPI_UB, MPI_Type_create_resized) outweigh data,
 * within types that are made of this one, too. */
enum type_bound { BOUND_NONE, BOUND_DATA, BOUND_MARK };

struct type_block {
    int64_t at, length;
    struct type *child;
};

enum origin_list { ORIGIN_INTEGERS, ORIGIN_ADDRESSES, ORIGIN_COUNTS, ORIGIN_LISTS };

/* How a program made it: for those that ask (MPI_Type_get_contents). */
struct type_origin {
    int combiner;
    size_t length[ORIGIN_LISTS];
    int64_t *number[ORIGIN_LISTS]; /* each has room for all numbers */
    size_t types;
    struct type **type; /* held */
};

struct type {
    uint32_t holders;
    enum basic basic;
    bool predefined, committed;
    bool dense; /* elements follow each other without gaps, each in one piece that begins at 0 */
    uint8_t alignment;
    int64_t size;        /* bytes that travel, */
    uint64_t signature;  /* and of which values (signature.h) */
    int64_t low, extent; /* as the program sees it: where the next element begins */
    enum type_bound low_bound, high_bound;
    int64_t true_low, true_high;
    /* Regular: */
    int64_t count, length, stride;
    struct type *child; /* NULL: listed, or basic */
    /* Listed: */
    struct type_block *block;
    size_t blocks;
    struct type_origin origin;
    char name[128];
    uintptr_t handle;             /* 0: it has none */
    struct attribute *attributes; /* comm.h */
};

struct type *type_hold(struct type *t);
void type_release(struct type *t);

/* ---- making types; they take the child's side, and fail by NULL if a number overflows ---- */

struct type *type_regular(struct type *child, int64_t count, int64_t length, int64_t stride);
struct type *type_listed(const struct type_block *block, size_t blocks);
struct type *type_resized(struct type *child, int64_t low, int64_t extent);

/* An array's part, and a process's share of an array: orders and distributions as MPI names them.
 */
struct type_array {
    int dims;
    struct numbers size, subsize, start;
    bool fortran;
    struct type *child;
};
struct type *type_subarray(const struct type_array *a);

struct type_shares {
    int processes, rank, dims;
    struct numbers size;
    const int *distribution, *argument, *grid;
    bool fortran;
    struct type *child;
};
struct type *type_darray(const struct type_shares *s);

/* ---- data ---- */

/* Elements of a type in memory. */
struct block {
    void *at;
    int64_t count;
    struct type *type;
};

static inline uint64_t block_length(const struct block *b)
{
    return (uint64_t)(b->count * b->type->size);
}

/* Where elements, of which there are some, begin and end, from their address on. */
static inline void block_span(const struct block *b, int64_t *low, int64_t *high)
{
    int64_t last = (b->count - 1) * b->type->extent;
    *low = b->type->true_low + (last < 0 ? last : 0);
    *high = b->type->true_high + (last > 0 ? last : 0);
}

/* Copies the first bytes of elements, in the order in which they travel, into one piece, and back.
 */
void block_pack(const struct block *b, uint64_t bytes, void *to);
void block_unpack(const struct block *b, uint64_t bytes, const void *from);

/* Data of a type that is repeated from a place on: `bytes` of them, after `skip` others. */
struct type_range {
    int64_t at;
    uint64_t skip, bytes;
};

/* Calls piece() for each piece of them, in their order. */
void type_tile(const struct type *t, const struct type_range *range,
               void (*piece)(void *arg, uintptr_t at, uint64_t bytes), void *arg);

/* Basic elements in the first bytes of a message of this type; MPI_UNDEFINED: it ends within one.
 */
int64_t type_elements(const struct type *t, uint64_t bytes);

/* And bytes of so many basic elements. */
uint64_t type_bytes(const struct type *t, int64_t elements);

/* The one basic type that all of it is made of; NULL: there are several. */
const struct type *type_basic(const struct type *t);

/* ---- basic types ---- */

/* The handles of basic types are small numbers of the standard ABI, from BASICS_FIRST on. */
enum { BASICS_FIRST = 0x201, BASICS_END = 0x300 };

/* The type of a handle's number; NULL: there is none. It lives as long as the program. */
struct type *basics_find(unsigned handle);

/* The handle of the type of a class and size, as of Fortran's kinds; 0: there is none. */
unsigned basics_match(enum basic basic, unsigned bytes);

/* The handle of the pair of a value and a place; 0: there is none. */
unsigned basics_pair(const struct type *value, const struct type *place);

/* ---- operations on vectors of basic elements: inout = in op inout, as MPI defines them ---- */

/* The name of an operation: "sum". */
const char *op_name(enum op_kind kind);

/* Whether an operation is defined for a basic type. */
bool op_is_defined(enum op_kind kind, const struct type *basic);

/* ---- operations as programs have them ---- */

struct op {
    uint32_t holders;
    uint8_t kind; /* enum op_kind; 0: the program's own */
    bool commutes, predefined;
    MPI_User_function *function;
    MPI_User_function_c *large; /* instead of that one */
    uintptr_t handle;
};

/* An operation that MPI has; NULL: there is none with this handle. */
struct op *op_predefined(uintptr_t handle);

void op_release(struct op *op);

/* inout = in op inout, of `count` elements. */
void op_combine(const struct op *op, const struct type *t, const void *in, void *inout,
                int64_t count);

#endif
