/* Records, packed: a byte for each small number, of which most numbers are. */
#define _GNU_SOURCE
#include "trace/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

weft_status recording_create(struct recording **recording)
{
    struct recording *r = memory_alloc(1, sizeof(*r));
    weft_status status = spool_create(&r->spool);
    if (status != WEFT_OK)
        free(r);
    else
        *recording = r;
    return status;
}

void recording_destroy(struct recording *r)
{
    if (!r)
        return;
    spool_destroy(r->spool);
    for (uint32_t i = 0; i < r->comms; i++)
        for (unsigned k = 0; k < 2; k++)
            free(r->comm[i].side[k].member);
    free(r->comm);
    free(r);
}

/* ---- packing ---- */

/* What a record of a kind has, besides kind and flags. */
enum part {
    HAS_MESSAGE = 1, /* comm, peer, tag, bytes, mode, by */
    HAS_SLOT = 2,
    HAS_LIST = 4,
    HAS_AMOUNT = 8,
    HAS_OPERATION = 16, /* operation, op, type, element, comm, peer, bytes, other, slot */
    HAS_COMM = 32,
};

static const uint8_t parts[RECORD_KINDS] = {
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

/* Bytes on their way to a stream. */
struct packing {
    struct recording *to;
    uint32_t rank;
    size_t size;
    unsigned char bytes[256];
};

enum { LONGEST = 10 }; /* bytes of a number */

static void flush(struct packing *p)
{
    spool_put(p->to->spool, p->rank, p->bytes, p->size);
    p->size = 0;
}

/* Seven bits a byte, the lowest first; the last byte is below 128. */
static void put(struct packing *p, uint64_t value)
{
    if (p->size + LONGEST > sizeof(p->bytes))
        flush(p);
    for (; value >= 0x80; value >>= 7)
        p->bytes[p->size++] = (unsigned char)(value | 0x80);
    p->bytes[p->size++] = (unsigned char)value;
}

static uint64_t get(struct spool_reader *r)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        int byte = spool_byte(r);
        WEFT_CHECK(byte >= 0, "a record of a trace ends too early");
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    return value;
}

/* Numbers of which -1 has a meaning, one more than they are. */
static void put_signed(struct packing *p, int32_t value)
{
    put(p, (uint64_t)((int64_t)value + 1));
}

static int32_t get_signed(struct spool_reader *r)
{
    return (int32_t)((int64_t)get(r) - 1);
}

static void put_amount(struct packing *p, double amount)
{
    uint64_t bits;
    memcpy(&bits, &amount, sizeof(bits));
    /* Few traces have more than whole numbers here, and those are short from this end. */
    put(p, __builtin_bswap64(bits));
}

static double get_amount(struct spool_reader *r)
{
    uint64_t bits = __builtin_bswap64(get(r));
    double amount;
    memcpy(&amount, &bits, sizeof(amount));
    return amount;
}

void recording_put(struct recording *to, uint32_t rank, const struct record *e)
{
    struct packing p = {.to = to, .rank = rank};
    unsigned has = parts[e->kind];
    put(&p, e->kind);
    put(&p, e->flags);
    if (has & HAS_MESSAGE) {
        put(&p, e->mode | (unsigned)e->by << 4);
        put(&p, e->comm);
        put_signed(&p, e->peer);
        put(&p, e->tag + 1u);
        put(&p, e->bytes + 1);
    }
    if (has & HAS_OPERATION) {
        put(&p, e->operation);
        put(&p, e->op);
        put(&p, e->type);
        put(&p, e->element);
        put(&p, e->comm);
        put_signed(&p, e->peer);
        put(&p, e->bytes);
        put(&p, e->other);
    }
    if (has & HAS_SLOT)
        put(&p, e->slot);
    if (has & HAS_COMM)
        put(&p, e->comm);
    if (has & HAS_AMOUNT)
        put_amount(&p, e->amount);
    if (has & HAS_LIST) {
        put(&p, e->listed);
        for (uint32_t i = 0; i < e->listed; i++)
            put(&p, e->list[i]);
    }
    flush(&p);
    to->records++;
}

/* ---- reading ---- */

void record_open(struct record_reader *r, const struct recording *from, uint32_t rank)
{
    *r = (struct record_reader){.list = NULL};
    spool_open(&r->bytes, from->spool, rank);
}

void record_close(struct record_reader *r)
{
    spool_close(&r->bytes);
    free(r->list);
    *r = (struct record_reader){.list = NULL};
}

static void get_list(struct record_reader *r, struct record *e)
{
    e->listed = (uint32_t)get(&r->bytes);
    if (e->listed > r->room) {
        r->room = e->listed;
        r->list = memory_grow(r->list, r->room, sizeof(*r->list));
    }
    for (uint32_t i = 0; i < e->listed; i++)
        r->list[i] = get(&r->bytes);
    e->list = r->list;
}

static void get_message(struct spool_reader *b, struct record *e)
{
    uint64_t how = get(b);
    e->mode = how & 15;
    e->by = (uint8_t)(how >> 4);
    e->comm = (uint32_t)get(b);
    e->peer = get_signed(b);
    e->tag = (uint32_t)get(b) - 1u;
    e->bytes = get(b) - 1;
}

static void get_operation(struct spool_reader *b, struct record *e)
{
    e->operation = (uint16_t)get(b);
    e->op = (uint8_t)get(b);
    e->type = (uint16_t)get(b);
    e->element = (uint16_t)get(b);
    e->comm = (uint32_t)get(b);
    e->peer = get_signed(b);
    e->bytes = get(b);
    e->other = get(b);
}

void record_next(struct record_reader *r, struct record *e)
{
    struct spool_reader *b = &r->bytes;
    int kind = spool_byte(b);
    *e = (struct record){.kind = RECORD_END};
    if (kind < 0)
        return;
    WEFT_CHECK(kind > RECORD_END && kind < RECORD_KINDS, "a record of a trace is of kind %d", kind);
    unsigned has = parts[kind];
    e->kind = (enum record_kind)kind;
    e->flags = (uint8_t)get(b);
    if (has & HAS_MESSAGE)
        get_message(b, e);
    if (has & HAS_OPERATION)
        get_operation(b, e);
    if (has & HAS_SLOT)
        e->slot = (uint32_t)get(b);
    if (has & HAS_COMM)
        e->comm = (uint32_t)get(b);
    if (has & HAS_AMOUNT)
        e->amount = get_amount(b);
    if (has & HAS_LIST)
        get_list(r, e);
}
