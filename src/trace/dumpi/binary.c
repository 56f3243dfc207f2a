/*
 * DUMPI's binary form, PREFIX-0003.bin, as libdumpi writes one for each rank:
 *
 *   | magic | biases of the clocks | calls ... | end | header | footer | keys and values |
 *   | names of counters | sizes of datatypes | names of functions | index |
 *
 * The index is the last 40 to 64 bytes: magic, and where each record is; it is found by its magic.
 * Numbers are big-endian. What fails is reported once, as "FILE:byte N: ..."; from then on there
 * are only zeros. A call is
 *
 *   | function (2) | flags (1) | thread (2) | CPU's times (12) | wall clock's times (12) |
 *   | counters: how many (1), each before and after (16) | arguments ... |
 *
 * of which flags say what is there. A time is seconds (2), from a bias of the whole file, and
 * nanoseconds (4), at which the call was entered, and then at which it was left. How arguments lie
 * is in functions.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/dumpi/dumpi.h"

/* Releases have SST's numbers by now; the newest one's form is that of 0.6.9. */
enum { MAJOR_MOST = 15, INDEX_MOST = 64, TYPES_MOST = 1 << 15 };

static const uint64_t magic = 0xffaadd44554d5049, footer_magic = 0xf007fee7;

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

enum { SECOND_NS = 1000000000, BUFFER = 1 << 16 };

struct field_layout {
    struct dumpi_field field[DUMPI_FIELDS_MOST];
    unsigned count;
};

struct dumpi_binary {
    struct dumpi_reader reader;
    FILE *stream;
    uint64_t size, limit; /* bytes of it, and those before the end of what may be read now */
    uint64_t base;        /* of the buffer's first byte */
    size_t at, end;       /* in the buffer */
    weft_status status;
    unsigned version;      /* 10000 * major + 100 * minor + patch */
    int32_t cpu_s, wall_s; /* what seconds count from */
    int64_t second[2];     /* of the last time by either clock: 16 bits of it are there */
    bool over;
    unsigned flags;                          /* of the call */
    struct field_layout layout[DUMPI_OTHER]; /* of functions that were met */
    unsigned char buffer[BUFFER];
};

/* A complaint about a byte, unless there was one before: from then on, the file is over. */
#define REFUSE(B, BYTE, ...)                                                                       \
    ((B)->status =                                                                                 \
         (B)->status != WEFT_OK                                                                    \
             ? (B)->status                                                                         \
             : BAD_PLACE(("%s:byte %llu", (B)->reader.call.path, (unsigned long long)(BYTE)),      \
                         (__VA_ARGS__), ("use a whole file that libdumpi has written")))

/* ---- bytes ---- */

static void seek(struct dumpi_binary *b, uint64_t to)
{
    b->base = to;
    b->at = b->end = 0;
    if (fseeko(b->stream, (off_t)to, SEEK_SET) != 0)
        REFUSE(b, to, "it cannot be read: %s", strerror(errno));
}

/* Where the next byte is. */
static uint64_t byte_at(const struct dumpi_binary *b)
{
    return b->base + b->at;
}

static uint64_t bytes_left(const struct dumpi_binary *b)
{
    return b->limit - byte_at(b);
}

static const unsigned char *take_more(struct dumpi_binary *b, size_t bytes)
{
    static const unsigned char zeros[8];
    size_t rest = b->end - b->at;
    uint64_t left = bytes_left(b);
    if (b->status != WEFT_OK)
        return zeros;
    if (left < bytes) {
        REFUSE(b, b->limit, "it ends within a record");
        return zeros;
    }
    memmove(b->buffer, b->buffer + b->at, rest);
    b->base += b->at;
    size_t room = left < BUFFER ? (size_t)left : BUFFER;
    b->at = 0;
    b->end = rest + fread(b->buffer + rest, 1, room - rest, b->stream);
    if (b->end < bytes) {
        REFUSE(b, b->base + b->end, "it cannot be read: %s",
               ferror(b->stream) ? strerror(errno) : "it has become shorter");
        return zeros;
    }
    b->at = bytes;
    return b->buffer;
}

/* The next bytes, at most 8; zeros if there are not so many. */
static const unsigned char *take(struct dumpi_binary *b, size_t bytes)
{
    if (__builtin_expect(b->end - b->at < bytes, 0))
        return take_more(b, bytes);
    const unsigned char *from = b->buffer + b->at;
    b->at += bytes;
    return from;
}

static uint64_t take_unsigned(struct dumpi_binary *b, size_t bytes)
{
    const unsigned char *from = take(b, bytes);
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | from[i];
    return value;
}

static int32_t take_i32(struct dumpi_binary *b)
{
    return (int32_t)take_unsigned(b, 4);
}

/* Steps over bytes; they must be there. */
static void skip(struct dumpi_binary *b, uint64_t bytes)
{
    uint64_t to = byte_at(b) + bytes;
    if (bytes <= b->end - b->at)
        b->at += (size_t)bytes;
    else if (bytes > bytes_left(b))
        REFUSE(b, b->limit, "it ends within a record");
    else
        seek(b, to);
}

/* ---- records ---- */

/* In the order of the index. */
enum { SIZES, NAMES, COUNTERS, HEADER, CALLS_MADE, FOOTER, KEYS, RECORDS };

struct record_index {
    uint64_t start;       /* of the index itself */
    uint64_t at[RECORDS]; /* 0: there is none */
};

/* Older ones are shorter: they lack the first records. */
static void find_index(struct dumpi_binary *b, struct record_index *x)
{
    for (unsigned lacking = 0; lacking <= HEADER && b->status == WEFT_OK; lacking++) {
        uint64_t bytes = INDEX_MOST - 8 * lacking;
        if (b->size < 8 + bytes)
            break;
        seek(b, x->start = b->size - bytes);
        if (take_unsigned(b, 8) != magic)
            continue;
        for (unsigned i = lacking; i < RECORDS; i++)
            x->at[i] = take_unsigned(b, 8);
        return;
    }
    REFUSE(b, b->size,
           "it has no index at its end: it is cut off, or the program did "
           "not come to MPI_Finalize()");
}

static void check_index(struct dumpi_binary *b, const struct record_index *x)
{
    static const char *const names[] = {
        [SIZES] = "datatypes",  [NAMES] = "names",   [COUNTERS] = "counters", [HEADER] = "header",
        [CALLS_MADE] = "calls", [FOOTER] = "footer", [KEYS] = "keys"};
    for (unsigned i = 0; i < RECORDS; i++) {
        bool needed = i >= HEADER && i <= FOOTER;
        if ((needed && x->at[i] < 8) || x->at[i] > x->start)
            REFUSE(b, x->start, "its index has the %s at byte %llu, where none can be", names[i],
                   (unsigned long long)x->at[i]);
    }
}

/* Goes to a record, which must be over where the next one begins. */
static void go_to(struct dumpi_binary *b, const struct record_index *x, unsigned record)
{
    b->limit = x->start;
    for (unsigned i = 0; i < RECORDS; i++)
        if (x->at[i] > x->at[record] && x->at[i] < b->limit)
            b->limit = x->at[i];
    if (b->status == WEFT_OK)
        seek(b, x->at[record]);
}

static void read_version(struct dumpi_binary *b)
{
    uint64_t at = byte_at(b);
    unsigned major = (unsigned)take_unsigned(b, 1), minor = (unsigned)take_unsigned(b, 1),
             patch = (unsigned)take_unsigned(b, 1);
    b->version = 10000 * major + 100 * minor + patch;
    if (b->status == WEFT_OK && (major > MAJOR_MOST || minor > 99 || patch > 99))
        b->status = BAD_PLACE(
            ("%s:byte %llu", b->reader.call.path, (unsigned long long)at),
            ("it is of DUMPI's version %u.%u.%u, which is not known", major, minor, patch),
            ("use one up to %d, or the text of its dumpi2ascii", MAJOR_MOST));
}

static void read_sizes(struct dumpi_binary *b)
{
    uint64_t at = byte_at(b);
    uint32_t count = (uint32_t)take_unsigned(b, 4);
    if (b->status != WEFT_OK)
        return;
    if (count > TYPES_MOST || 4 * (uint64_t)count > bytes_left(b)) {
        REFUSE(b, at, "sizes of %u datatypes do not fit into it", count);
        return;
    }
    b->reader.type_sizes = count;
    b->reader.type_size = memory_alloc(count + 1, sizeof(*b->reader.type_size));
    for (uint32_t i = 0; i < count; i++)
        b->reader.type_size[i] = take_i32(b);
}

static void read_records(struct dumpi_binary *b)
{
    struct record_index x = {.start = 0};
    if (b->size < 8 || take_unsigned(b, 8) != magic)
        REFUSE(b, 0, "its first bytes are not those of a DUMPI trace");
    find_index(b, &x);
    check_index(b, &x);
    go_to(b, &x, HEADER);
    read_version(b);
    go_to(b, &x, FOOTER);
    if (take_unsigned(b, 8) != footer_magic)
        REFUSE(b, x.at[FOOTER], "its footer does not begin as one");
    /* It counts calls of each function, and so tells how many functions there were. */
    if (bytes_left(b) < 2 * 4 * (DUMPI_OTHER + 1))
        REFUSE(b, x.at[FOOTER], "its footer counts calls of fewer than %d functions", DUMPI_OTHER);
    if (x.at[SIZES]) {
        go_to(b, &x, SIZES);
        read_sizes(b);
    }
    go_to(b, &x, CALLS_MADE);
    b->cpu_s = take_i32(b);
    b->wall_s = take_i32(b);
}

/* ---- times ---- */

/* Seconds begin again after 65536; the next time is near the last one. */
static int64_t take_time(struct dumpi_binary *b, bool wall)
{
    uint64_t at = byte_at(b);
    uint16_t low = (uint16_t)take_unsigned(b, 2);
    int64_t *last = &b->second[wall];
    uint32_t ns = (uint32_t)take_unsigned(b, 4);
    *last += (int16_t)(low - (uint16_t)*last);
    if (wall && ns >= SECOND_NS)
        REFUSE(b, at, "%s has a time with %u nanoseconds", b->reader.call.name, ns);
    return (*last + (wall ? b->wall_s : b->cpu_s)) * SECOND_NS + ns;
}

/* By the wall clock; without one, the processor's counts. */
static void take_times(struct dumpi_binary *b)
{
    struct dumpi_call *c = &b->reader.call;
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
    uint64_t at = byte_at(b);
    int32_t count = take_i32(b);
    if (b->status == WEFT_OK && count >= 0 && (uint64_t)count * bytes <= bytes_left(b))
        return (uint32_t)count;
    REFUSE(b, at, "%s has an array of %d elements, which does not fit", b->reader.call.name,
           (int)count);
    return 0;
}

/* An array of arrays of ... of elements. */
static void skip_arrays(struct dumpi_binary *b, unsigned bytes, unsigned depth)
{
    uint64_t count = take_count(b, depth ? 4 : bytes);
    if (!depth) {
        skip(b, count * bytes);
        return;
    }
    for (uint64_t i = 0; i < count && b->status == WEFT_OK; i++)
        skip_arrays(b, bytes, depth - 1);
}

static int64_t take_number(struct dumpi_binary *b, enum dumpi_shape shape)
{
    return shape == DUMPI_I8    ? (int64_t)take_unsigned(b, 1)
           : shape == DUMPI_I16 ? (int16_t)take_unsigned(b, 2)
           : shape == DUMPI_I32 ? take_i32(b)
                                : (int64_t)take_unsigned(b, 8);
}

static void take_argument(struct dumpi_binary *b, const struct dumpi_field *field)
{
    struct dumpi_value *v = dumpi_call_give(&b->reader.call, field->argument, byte_at(b));
    bool shorts = field->shape == DUMPI_SHORTS;
    if (!shorts && field->shape != DUMPI_INTS) {
        v->value = take_number(b, field->shape);
        return;
    }
    uint32_t count = take_count(b, shorts ? 2 : 4);
    for (uint32_t i = 0; i < count; i++)
        dumpi_call_add(&b->reader.call, v, take_number(b, shorts ? DUMPI_I16 : DUMPI_I32));
}

static void skip_field(struct dumpi_binary *b, enum dumpi_shape shape)
{
    unsigned version = b->version;
    int32_t texts;
    switch (shape) {
    case DUMPI_I8:
    case DUMPI_I16:
    case DUMPI_I32:
    case DUMPI_I64:
        skip(b, 1U << (shape - DUMPI_I8));
        break;
    case DUMPI_BYTES:
    case DUMPI_SHORTS:
    case DUMPI_INTS:
        skip_arrays(b, 1U << (shape - DUMPI_BYTES), 0);
        break;
    case DUMPI_ROWS:
        skip_arrays(b, 4, 1);
        break;
    case DUMPI_TEXTS:
    case DUMPI_INIT_TEXTS:
        texts = take_i32(b); /* below 0: there are none (arguments of a program) */
        if (shape == DUMPI_INIT_TEXTS && version < 602)
            skip(b, 4);
        for (int32_t i = 0; i < texts && b->status == WEFT_OK; i++)
            skip_arrays(b, 1, 0);
        break;
    case DUMPI_TEXT_LISTS:
        skip_arrays(b, 1, 2);
        break;
    case DUMPI_STATUS:
        if (b->flags & HAS_STATUS)
            skip_arrays(b, version >= 603 ? 14 : 10, 0);
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

static void take_arguments(struct dumpi_binary *b)
{
    const struct dumpi_call *c = &b->reader.call;
    struct field_layout *l = &b->layout[c->function];
    if (!l->count)
        l->count = dumpi_function_fields(c->function, l->field);
    for (unsigned i = 0; i < l->count && b->status == WEFT_OK; i++) {
        const struct dumpi_field *field = &l->field[i];
        if (field->at_root && c->argument[DUMPI_COMMRANK].value != c->argument[DUMPI_ROOT].value)
            continue;
        if (field->argument < DUMPI_ARGUMENTS)
            take_argument(b, field);
        else
            skip_field(b, field->shape);
    }
}

/* ---- calls ---- */

/* What every call has. */
static void take_head(struct dumpi_binary *b)
{
    b->flags = (unsigned)take_unsigned(b, 1);
    if (b->flags & UNKNOWN_FLAGS)
        REFUSE(b, byte_at(b) - 1, "%s has flags 0x%02x, of which some are not known",
               b->reader.call.name, b->flags);
    if (b->flags & HAS_THREAD)
        skip(b, 2);
    take_times(b);
    if (b->flags & HAS_COUNTERS)
        skip(b, 16 * take_unsigned(b, 1));
}

static void take_call(struct dumpi_binary *b)
{
    uint64_t at = byte_at(b);
    unsigned function = bytes_left(b) ? (unsigned)take_unsigned(b, 2) : STREAM_END;
    b->over = function == STREAM_END;
    if (function < DUMPI_OTHER) {
        dumpi_call_begin(&b->reader.call, (enum dumpi_function)function, at);
        take_head(b);
        take_arguments(b);
    } else if (function == FUNCTION_ENTERED || function == FUNCTION_LEFT) {
        dumpi_call_begin(&b->reader.call, DUMPI_OTHER, at);
        take_head(b);
        skip(b, 8);
    } else if (function != STREAM_END) {
        REFUSE(b, at, "it has a call of function %u, which does not exist", function);
    }
}

/* Nothing that matters comes after MPI_Finalize(), where old versions had other ends. */
static weft_status next_call(struct dumpi_reader *reader)
{
    struct dumpi_binary *b = (struct dumpi_binary *)reader;
    do {
        if (b->over) {
            dumpi_call_begin(&reader->call, DUMPI_END, byte_at(b));
            return WEFT_OK;
        }
        take_call(b);
    } while (b->status == WEFT_OK && (b->over || reader->call.function == DUMPI_OTHER));
    b->over = reader->call.function == DUMPI_Finalize;
    return b->status;
}

/* ---- life cycle ---- */

static void close_binary(struct dumpi_reader *reader)
{
    struct dumpi_binary *b = (struct dumpi_binary *)reader;
    if (b->stream)
        fclose(b->stream);
    free(reader->type_size);
    free(reader->call.number);
    free(b);
}

static weft_status open_binary(struct dumpi_binary *b, const char *path)
{
    b->stream = fopen(path, "rb");
    if (!b->stream || fseeko(b->stream, 0, SEEK_END) != 0)
        return BAD_INPUT(NULL, ("%s: %s", path, strerror(errno)),
                         ("name a trace that can be read"));
    setvbuf(b->stream, NULL, _IONBF, 0); /* it has a buffer of its own */
    off_t size = ftello(b->stream);
    b->limit = b->size = size > 0 ? (uint64_t)size : 0;
    seek(b, 0);
    read_records(b);
    return b->status;
}

weft_status dumpi_binary_open(const char *path, struct dumpi_reader **reader)
{
    struct dumpi_binary *b = memory_alloc(1, sizeof(*b));
    b->reader = (struct dumpi_reader){
        .call = {.path = path, .binary = true}, .next = next_call, .close = close_binary};
    weft_status status = open_binary(b, path);
    if (status == WEFT_OK)
        *reader = &b->reader;
    else
        close_binary(&b->reader);
    return status;
}
