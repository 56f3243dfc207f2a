/*
 * Bytes as calls. A call is
 *
 *   | function (2) | flags (1) | thread (2) | CPU's times (12) | wall clock's times (12) |
 *   | counters: how many (1), each before and after (16) | arguments ... |
 *
 * of which flags say what is there. A time is seconds (2), from a bias of the whole file, and
 * nanoseconds (4), at which the call was entered, and then at which it was left. How arguments lie
 * is in functions.h.
 */
#include "trace/dumpi/binary.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/dumpi/file.h"

/* Behind MPI's functions: the program's own, of which there are addresses, and the end. */
enum { FUNCTION_ENTERED = DUMPI_OTHER + 1, FUNCTION_LEFT, STREAM_END };

enum flag {
    HAS_STATUS = 3, /* any of the two */
    HAS_CPU_TIME = 4,
    HAS_WALL_TIME = 8,
    HAS_THREAD = 64,
    HAS_COUNTERS = 128,
    UNKNOWN_FLAGS = 48,
};

enum { SECOND_NS = 1000000000 };

struct layout {
    struct dumpi_field field[DUMPI_FIELDS_MOST];
    uint8_t count;
    bool known;
};

struct dumpi_binary {
    struct dumpi_file file;
    struct dumpi_call call;
    int64_t second[2]; /* of the last time by either clock: 16 bits of it are there */
    bool over;
    unsigned flags;
    struct layout layout[DUMPI_OTHER]; /* of functions that were met */
};

weft_status dumpi_binary_open(const char *path, struct dumpi_binary **binary)
{
    struct dumpi_binary *b = memory_alloc(1, sizeof(*b));
    weft_status status = dumpi_file_open(&b->file, path);
    b->call.path = path;
    b->call.binary = true;
    if (status != WEFT_OK)
        free(b);
    else
        *binary = b;
    return status;
}

void dumpi_binary_close(struct dumpi_binary *b)
{
    dumpi_file_close(&b->file);
    dumpi_call_fini(&b->call);
    free(b);
}

const int32_t *dumpi_binary_sizes(const struct dumpi_binary *b, uint32_t *count)
{
    *count = b->file.type_sizes;
    return b->file.type_size;
}

/* ---- times ---- */

/* Seconds begin again after 65536; the next time is near the last one. */
static int64_t take_time(struct dumpi_binary *b, bool wall)
{
    struct dumpi_file *f = &b->file;
    uint64_t at = dumpi_file_at(f);
    uint16_t low = dumpi_file_u16(f);
    int64_t *last = &b->second[wall];
    uint32_t ns = dumpi_file_u32(f);
    *last += (int16_t)(low - (uint16_t)*last);
    if (wall && ns >= SECOND_NS)
        dumpi_file_refuse(f, at, "%s has a time with %u nanoseconds", b->call.name, ns);
    return (*last + (wall ? f->wall_s : f->cpu_s)) * SECOND_NS + ns;
}

/* By the wall clock; without one, the processor's counts. */
static void take_times(struct dumpi_binary *b)
{
    struct dumpi_call *c = &b->call;
    for (int wall = 0; wall < 2; wall++) {
        if (!(b->flags & (wall ? HAS_WALL_TIME : HAS_CPU_TIME)))
            continue;
        c->clock = wall ? DUMPI_CLOCK_WALL : DUMPI_CLOCK_CPU;
        c->entered_ns = take_time(b, wall);
        c->left_ns = take_time(b, wall);
    }
}

/* ---- arguments ---- */

/* How many elements come, of so many bytes at least. */
static uint32_t take_count(struct dumpi_binary *b, uint64_t bytes)
{
    struct dumpi_file *f = &b->file;
    uint64_t at = dumpi_file_at(f);
    int32_t count = (int32_t)dumpi_file_u32(f);
    if (f->status == WEFT_OK && count >= 0 && (uint64_t)count * bytes <= dumpi_file_left(f))
        return (uint32_t)count;
    dumpi_file_refuse(f, at, "%s has an array of %d elements, which does not fit", b->call.name,
                      (int)count);
    return 0;
}

static void skip_array(struct dumpi_binary *b, unsigned bytes)
{
    uint64_t count = take_count(b, bytes);
    dumpi_file_skip(&b->file, count * bytes);
}

static void skip_statuses(struct dumpi_binary *b)
{
    if (b->flags & HAS_STATUS)
        skip_array(b, b->file.version >= 603 ? 14 : 10);
}

/* Arrays of arrays, to a depth. */
static void skip_arrays(struct dumpi_binary *b, unsigned bytes, unsigned depth)
{
    if (!depth) {
        skip_array(b, bytes);
        return;
    }
    uint32_t count = take_count(b, 4);
    for (uint32_t i = 0; i < count && b->file.status == WEFT_OK; i++)
        skip_arrays(b, bytes, depth - 1);
}

/* Of a program's arguments there may be none at all, which is less than 0. */
static void skip_texts(struct dumpi_binary *b, bool twice)
{
    struct dumpi_file *f = &b->file;
    int32_t count = (int32_t)dumpi_file_u32(f);
    if (twice)
        dumpi_file_skip(f, 4);
    for (int32_t i = 0; i < count && f->status == WEFT_OK; i++)
        skip_array(b, 1);
}

static int64_t take_number(struct dumpi_file *f, enum dumpi_shape shape)
{
    return shape == DUMPI_I8    ? dumpi_file_u8(f)
           : shape == DUMPI_I16 ? (int16_t)dumpi_file_u16(f)
           : shape == DUMPI_I32 ? (int32_t)dumpi_file_u32(f)
                                : (int64_t)dumpi_file_u64(f);
}

static void take_array(struct dumpi_binary *b, enum dumpi_argument argument, bool shorts)
{
    struct dumpi_value *v = dumpi_call_give(&b->call, argument, dumpi_file_at(&b->file));
    uint32_t count = take_count(b, shorts ? 2 : 4);
    for (uint32_t i = 0; i < count; i++)
        dumpi_call_add(&b->call, v, take_number(&b->file, shorts ? DUMPI_I16 : DUMPI_I32));
}

static void take_argument(struct dumpi_binary *b, const struct dumpi_field *field)
{
    enum dumpi_shape shape = (enum dumpi_shape)field->shape;
    enum dumpi_argument argument = (enum dumpi_argument)field->argument;
    if (shape == DUMPI_INTS || shape == DUMPI_SHORTS) {
        take_array(b, argument, shape == DUMPI_SHORTS);
        return;
    }
    struct dumpi_value *v = dumpi_call_give(&b->call, argument, dumpi_file_at(&b->file));
    v->value = take_number(&b->file, shape);
}

static void skip_field(struct dumpi_binary *b, enum dumpi_shape shape)
{
    unsigned version = b->file.version;
    switch (shape) {
    case DUMPI_I8:
    case DUMPI_I16:
    case DUMPI_I32:
    case DUMPI_I64:
        dumpi_file_skip(&b->file, 1U << (shape - DUMPI_I8));
        break;
    case DUMPI_BYTES:
    case DUMPI_SHORTS:
    case DUMPI_INTS:
        skip_array(b, 1U << (shape - DUMPI_BYTES));
        break;
    case DUMPI_ROWS:
        skip_arrays(b, 4, 1);
        break;
    case DUMPI_TEXTS:
    case DUMPI_INIT_TEXTS:
        skip_texts(b, shape == DUMPI_INIT_TEXTS && version < 602);
        break;
    case DUMPI_TEXT_LISTS:
        skip_arrays(b, 1, 2);
        break;
    case DUMPI_STATUS:
        skip_statuses(b);
        break;
    case DUMPI_CART_INTS:
        skip_field(b, version < 608 ? DUMPI_I32 : DUMPI_INTS);
        break;
    case DUMPI_STRUCT_INTS:
        skip_field(b, version < 609 ? DUMPI_I32 : DUMPI_INTS);
        break;
    case DUMPI_SHAPES:
        break;
    }
}

static bool is_root(const struct dumpi_call *c)
{
    return c->argument[DUMPI_COMMRANK].value == c->argument[DUMPI_ROOT].value;
}

static void take_arguments(struct dumpi_binary *b)
{
    struct layout *l = &b->layout[b->call.function];
    if (!l->known)
        l->count = (uint8_t)dumpi_function_fields(b->call.function, l->field);
    l->known = true;
    for (unsigned i = 0; i < l->count && b->file.status == WEFT_OK; i++) {
        const struct dumpi_field *field = &l->field[i];
        if (field->at_root && !is_root(&b->call))
            continue;
        if (field->argument < DUMPI_ARGUMENTS)
            take_argument(b, field);
        else
            skip_field(b, (enum dumpi_shape)field->shape);
    }
}

/* ---- calls ---- */

/* What every call has. */
static void take_head(struct dumpi_binary *b)
{
    struct dumpi_file *f = &b->file;
    b->flags = dumpi_file_u8(f);
    if (b->flags & UNKNOWN_FLAGS)
        dumpi_file_refuse(f, dumpi_file_at(f) - 1,
                          "%s has flags 0x%02x, of which some are not known", b->call.name,
                          b->flags);
    if (b->flags & HAS_THREAD)
        dumpi_file_skip(f, 2);
    take_times(b);
    if (b->flags & HAS_COUNTERS)
        dumpi_file_skip(f, 16 * (uint64_t)dumpi_file_u8(f));
}

static void take_call(struct dumpi_binary *b)
{
    struct dumpi_file *f = &b->file;
    uint64_t at = dumpi_file_at(f);
    unsigned function = dumpi_file_left(f) ? dumpi_file_u16(f) : STREAM_END;
    b->over = function == STREAM_END;
    if (function < DUMPI_OTHER) {
        dumpi_call_begin(&b->call, (enum dumpi_function)function, at);
        take_head(b);
        take_arguments(b);
    } else if (function == FUNCTION_ENTERED || function == FUNCTION_LEFT) {
        dumpi_call_begin(&b->call, DUMPI_OTHER, at);
        take_head(b);
        dumpi_file_skip(f, 8);
    } else if (function != STREAM_END) {
        dumpi_file_refuse(f, at, "it has a call of function %u, which does not exist", function);
    }
}

/* Nothing that matters comes after MPI_Finalize(), where old versions had other ends. */
weft_status dumpi_binary_next(struct dumpi_binary *b, const struct dumpi_call **call)
{
    struct dumpi_file *f = &b->file;
    *call = &b->call;
    do {
        if (b->over) {
            dumpi_call_begin(&b->call, DUMPI_END, dumpi_file_at(f));
            return WEFT_OK;
        }
        take_call(b);
    } while (f->status == WEFT_OK && (b->over || b->call.function == DUMPI_OTHER));
    b->over = b->call.function == DUMPI_Finalize;
    return f->status;
}
