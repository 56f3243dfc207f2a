/* Records, packed: a byte for each small number, of which most numbers are. */
#include "trace/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/file/output.h"
#include "base/list.h"
#include "base/memory.h"

/* Small, as there is one for each of perhaps 32,768 streams; large enough for a hundred calls. */
enum { BLOCK = 1024, HEAD = sizeof(uint64_t), ROOM = BLOCK - HEAD };

struct record_stream {
    unsigned char *block;   /* that is being filled; NULL: none yet */
    uint64_t first, number; /* of the first block, and of this one */
    uint64_t bytes;
    uint32_t end; /* of what is filled */
};

weft_status recording_create(struct recording **recording)
{
    int file;
    TRY(temporary_open(&file));
    *recording = memory_alloc(1, sizeof(**recording));
    (*recording)->file = file;
    return WEFT_OK;
}

void recording_destroy(struct recording *r)
{
    if (!r)
        return;
    close(r->file);
    for (uint32_t i = 0; i < r->streams; i++)
        free(r->stream[i].block);
    for (uint32_t i = 0; i < r->comms; i++)
        for (unsigned k = 0; k < 2; k++)
            free(r->comm[i].side[k].member);
    free(r->stream);
    free(r->comm);
    free(r);
}

bool recording_find(const struct recording_comm *c, uint32_t rank, uint32_t *position,
                    unsigned *side)
{
    for (unsigned s = 0; s < 2; s++)
        for (uint32_t i = 0; i < c->side[s].members; i++)
            if (c->side[s].member[i] == rank) {
                *side = s;
                *position = i;
                return true;
            }
    return false;
}

/* ---- streams ---- */

static void write_block(struct recording *r, const struct record_stream *s, uint64_t next)
{
    memcpy(s->block, &next, HEAD);
    ssize_t done = pwrite(r->file, s->block, BLOCK, (off_t)(s->number * BLOCK));
    if (done != BLOCK && !r->error)
        r->error = done < 0 ? errno : ENOSPC;
}

static struct record_stream *stream_of(struct recording *r, uint32_t rank)
{
    LIST_ZERO(r->stream, rank + 1, r->streams);
    struct record_stream *s = &r->stream[rank];
    if (!s->block) {
        s->block = memory_alloc(1, BLOCK);
        s->first = s->number = r->blocks++;
        s->end = HEAD;
    }
    return s;
}

static void put_byte(struct recording *r, struct record_stream *s, unsigned char byte)
{
    if (s->end == BLOCK) { /* it is full, and there is more */
        write_block(r, s, r->blocks);
        s->number = r->blocks++;
        s->end = HEAD;
    }
    s->block[s->end++] = byte;
    s->bytes++;
}

weft_status recording_seal(struct recording *r)
{
    for (uint32_t i = 0; i < r->streams; i++) {
        struct record_stream *s = &r->stream[i];
        if (s->block)
            write_block(r, s, 0);
        free(s->block);
        s->block = NULL;
    }
    return r->error ? temporary_failed(r->error) : WEFT_OK;
}

static void load_block(struct record_reader *r, uint64_t number)
{
    ssize_t done = pread(r->from->file, r->block, BLOCK, (off_t)(number * BLOCK));
    WEFT_CHECK(done == BLOCK, "the temporary file of a trace cannot be read: %s",
               done < 0 ? strerror(errno) : "it is shorter than it was");
    r->at = HEAD;
    r->end = HEAD + (uint32_t)(r->left < ROOM ? r->left : ROOM);
    r->left -= r->end - HEAD;
}

/* The next byte; -1: there is none. */
static int next_byte(struct record_reader *r)
{
    if (__builtin_expect(r->at == r->end, 0)) {
        uint64_t next;
        if (!r->left)
            return -1;
        memcpy(&next, r->block, HEAD);
        load_block(r, next);
    }
    return r->block[r->at++];
}

void record_open(struct record_reader *r, const struct recording *from, uint32_t rank)
{
    *r = (struct record_reader){.from = from};
    if (rank >= from->streams || !from->stream[rank].bytes)
        return;
    r->left = from->stream[rank].bytes;
    r->block = memory_alloc(1, BLOCK);
    load_block(r, from->stream[rank].first);
}

void record_close(struct record_reader *r)
{
    free(r->block);
    free(r->list);
    *r = (struct record_reader){.from = NULL};
}

/* ---- packing ---- */

/* A record on its way into a stream, or out of one. */
struct packing {
    struct recording *to; /* NULL: it comes out of `from` */
    struct record_stream *stream;
    struct record_reader *from;
};

/* Seven bits a byte, the lowest first; the last byte is below 128. */
static void put_number(const struct packing *p, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_byte(p->to, p->stream, (unsigned char)(value | 0x80));
    put_byte(p->to, p->stream, (unsigned char)value);
}

static uint64_t get_number(struct record_reader *r)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        int byte = next_byte(r);
        WEFT_CHECK(byte >= 0, "a record of a trace ends too early");
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    return value;
}

/* Each way is compiled apart: which one a record goes is known where it is packed. */
#define BOTH_WAYS static inline __attribute__((always_inline))

/* Puts a number, or gets one; returns it. */
BOTH_WAYS uint64_t pack(const struct packing *p, uint64_t value)
{
    struct record_reader *r = p->from;
    if (!p->to)
        return r->at < r->end && r->block[r->at] < 0x80 ? r->block[r->at++] : get_number(r);
    put_number(p, value);
    return value;
}

/* Numbers of which -1 has a meaning go as one more than they are. */
BOTH_WAYS void pack_message(const struct packing *p, struct record *e)
{
    uint64_t how = pack(p, e->mode | (unsigned)e->by << 4);
    e->mode = how & 15;
    e->by = (uint8_t)(how >> 4);
    e->comm = (uint32_t)pack(p, e->comm);
    e->peer = (int32_t)(pack(p, (uint64_t)e->peer + 1) - 1);
    e->tag = (uint32_t)pack(p, e->tag + 1u) - 1u;
    e->bytes = pack(p, e->bytes + 1) - 1;
}

BOTH_WAYS void pack_operation(const struct packing *p, struct record *e)
{
    e->operation = (uint16_t)pack(p, e->operation);
    e->op = (uint8_t)pack(p, e->op);
    e->type = (uint16_t)pack(p, e->type);
    e->element = (uint16_t)pack(p, e->element);
    e->comm = (uint32_t)pack(p, e->comm);
    e->peer = (int32_t)(pack(p, (uint64_t)e->peer + 1) - 1);
    e->bytes = pack(p, e->bytes);
    e->other = pack(p, e->other);
}

/* Few traces have more than whole numbers here, and those are short from this end. */
BOTH_WAYS void pack_amount(const struct packing *p, struct record *e)
{
    uint64_t bits;
    memcpy(&bits, &e->amount, sizeof(bits));
    bits = __builtin_bswap64(pack(p, __builtin_bswap64(bits)));
    memcpy(&e->amount, &bits, sizeof(bits));
}

BOTH_WAYS void pack_list(const struct packing *p, struct record *e)
{
    e->listed = (uint32_t)pack(p, e->listed);
    if (!p->to) {
        LIST_RESERVE(p->from->list, e->listed, p->from->room);
        e->list = p->from->list;
    }
    for (uint32_t i = 0; i < e->listed; i++)
        e->list[i] = pack(p, e->list[i]);
}

/* What a record of a kind has, besides kind and flags. */
enum content {
    HAS_MESSAGE = 1, /* comm, peer, tag, bytes, mode, by */
    HAS_SLOT = 2,
    HAS_LIST = 4,
    HAS_AMOUNT = 8,
    HAS_OPERATION = 16, /* operation, op, type, element, comm, peer, bytes, other */
    HAS_COMM = 32,
};

static const uint8_t contents[RECORD_KINDS] = {
    [RECORD_COMPUTE] = HAS_AMOUNT,
    [RECORD_SLEEP] = HAS_AMOUNT,
    [RECORD_SEND] = HAS_MESSAGE,
    [RECORD_RECEIVE] = HAS_MESSAGE,
    [RECORD_START_SEND] = HAS_MESSAGE | HAS_SLOT,
    [RECORD_START_RECEIVE] = HAS_MESSAGE | HAS_SLOT,
    [RECORD_WAIT] = HAS_LIST,
    [RECORD_TEST] = HAS_SLOT,
    [RECORD_OPERATION] = HAS_OPERATION | HAS_SLOT | HAS_LIST,
    [RECORD_COMM] = HAS_COMM,
    [RECORD_PROBE] = HAS_MESSAGE,
    [RECORD_COPY] = HAS_AMOUNT,
    [RECORD_COMBINE] = HAS_AMOUNT,
    [RECORD_CANCEL] = HAS_SLOT,
};

/* All behind the kind. */
BOTH_WAYS void pack_record(const struct packing *p, struct record *e)
{
    unsigned has = contents[e->kind];
    e->flags = (uint8_t)pack(p, e->flags);
    if (has & HAS_MESSAGE)
        pack_message(p, e);
    if (has & HAS_OPERATION)
        pack_operation(p, e);
    if (has & HAS_SLOT)
        e->slot = (uint32_t)pack(p, e->slot);
    if (has & HAS_COMM)
        e->comm = (uint32_t)pack(p, e->comm);
    if (has & HAS_AMOUNT)
        pack_amount(p, e);
    if (has & HAS_LIST)
        pack_list(p, e);
}

void recording_put(struct recording *to, uint32_t rank, const struct record *e)
{
    struct packing p = {.to = to, .stream = stream_of(to, rank)};
    struct record copy = *e;
    put_byte(to, p.stream, (unsigned char)e->kind);
    pack_record(&p, &copy);
}

void record_next(struct record_reader *r, struct record *e)
{
    int kind = next_byte(r);
    *e = (struct record){.kind = RECORD_END};
    if (kind < 0)
        return;
    WEFT_CHECK(kind > RECORD_END && kind < RECORD_KINDS, "a record of a trace is of kind %d", kind);
    e->kind = (enum record_kind)kind;
    pack_record(&(struct packing){.from = r}, e);
}

/* ---- names ---- */

const struct type *datatype_named(const char *name)
{
    for (unsigned handle = BASICS_FIRST; handle < BASICS_END; handle++) {
        const struct type *t = basics_find(handle);
        if (t && strcasecmp(t->name + strlen("MPI_"), name) == 0)
            return t;
    }
    return NULL;
}

const struct type *datatype_of_simgrid(uint64_t number)
{
    /* Handles, in the order of its table of datatypes; 0: Weft has none. Those of Fortran's types
     * there have the same sizes as C's here. */
    static const uint16_t handles[] = {
        0x214, 0x209, 0x243, 0x208, 0x20a, 0x210, 0x247, 0x20b, 0x244, 0x245, 0x20c, 0x20d,
        0x20e, 0x20f, 0x220, 0x23c, 0x238, 0x240, 0x248, 0x250, 0x258, 0x241, 0x249, 0x251,
        0x259, 0x212, 0x216, 0x224, 0x201, 0x203, 0x228, 0x22a, 0x229, 0x22c, 0x22b, 0x230,
        0x231, 0,     0x21a, 0x2d2, 0x2da, 0,     0x2db, 0x2e3, 0,     0x2c1, 0x2c9, 0x2d1,
        0x2d9, 0,     0x22d, 0x239, 0x213, 0x217, 0x225, 0,     0,     0x207, 0,     0x202};
    bool known = number < sizeof(handles) / sizeof(handles[0]);
    return known ? basics_find(handles[number]) : NULL;
}

unsigned reduction_named(const char *name)
{
    for (unsigned kind = OP_SUM; kind <= OP_NO_OP; kind++) {
        const char *own = op_name((enum op_kind)kind);
        if (own && strcmp(own, name) == 0)
            return kind;
    }
    return strcmp(name, "own") == 0       ? RECORD_OP_OWN
           : strcmp(name, "ordered") == 0 ? RECORD_OP_ORDERED
                                          : 0;
}

void record_guess_elements(struct record *e, uint64_t bytes)
{
    e->op = OP_SUM;
    e->type = (uint16_t)(uintptr_t)(bytes % 8 == 0   ? MPI_DOUBLE
                                    : bytes % 4 == 0 ? MPI_INT
                                                     : MPI_UINT8_T);
}
