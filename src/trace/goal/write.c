/* Traces on their way to a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/file/output.h"
#include "trace/goal/goal.h"

enum { BUFFER_BYTES = 1 << 16 };

struct goal_writer {
    struct output_file file;
    bool binary, owned;   /* owned: the file is to be committed */
    uint32_t ranks, rank; /* rank: the one that is being written; GOAL_NONE: none */
    uint64_t at;          /* bytes so far */
    size_t filled;
    unsigned char buffer[BUFFER_BYTES];
    uint32_t ops; /* of this rank */

    /* Binary: this rank, and what is written last. */
    struct goal_op *op;
    struct goal_edge *edge;
    uint32_t op_room, edges, edge_room;
    uint8_t most_cpu, most_nic;
    uint64_t (*extent)[2]; /* [rank]: start, end; 0: it is not written */
};

/* ---- bytes ---- */

static void flush(struct goal_writer *w)
{
    output_write(&w->file, w->buffer, w->filled);
    w->filled = 0;
}

/* A few bytes. */
static void put(struct goal_writer *w, const void *bytes, size_t size)
{
    if (size > BUFFER_BYTES - w->filled)
        flush(w);
    memcpy(w->buffer + w->filled, bytes, size);
    w->filled += size;
    w->at += size;
}

/* Little endian. */
static size_t pack(unsigned char *to, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
    return bytes;
}

static void put_u32(struct goal_writer *w, uint32_t value)
{
    unsigned char bytes[4];
    put(w, bytes, pack(bytes, value, sizeof(bytes)));
}

static void put_text(struct goal_writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static void put_number(struct goal_writer *w, uint64_t value)
{
    char digits[20];
    size_t at = sizeof(digits);
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    put(w, digits + at, sizeof(digits) - at);
}

/* " tag 5" */
static void put_field(struct goal_writer *w, const char *name, uint64_t value)
{
    put_text(w, name);
    put_number(w, value);
}

/* ---- text ---- */

static void begin_text(struct goal_writer *w, uint32_t rank)
{
    put_field(w, "\nrank ", rank);
    put_text(w, " {\n");
}

static void text_op(struct goal_writer *w, const struct goal_op *op)
{
    put_field(w, "l", w->ops);
    put_field(w,
              op->kind == GOAL_SEND      ? ": send "
              : op->kind == GOAL_RECEIVE ? ": recv "
                                         : ": calc ",
              op->size);
    if (op->kind != GOAL_CALC) {
        put_text(w, op->kind == GOAL_SEND ? "b to " : "b from ");
        if (op->peer == GOAL_ANY)
            put_text(w, "-1");
        else
            put_number(w, op->peer);
        if (op->tag == GOAL_ANY)
            put_text(w, " tag -1");
        else if (op->tag)
            put_field(w, " tag ", op->tag);
    }
    if (op->cpu)
        put_field(w, " cpu ", op->cpu);
    if (op->nic)
        put_field(w, " nic ", op->nic);
    put_text(w, "\n");
}

/* ---- binary ---- */

/* The edges of a rank, by what they wait for: first for its end, then for its start. */
struct waiting {
    uint32_t *needs; /* [op] */
    uint32_t *first; /* [2 * op + start], and one beyond the last */
    uint32_t *list;
};

static struct waiting sort_edges(const struct goal_writer *w)
{
    size_t lists = 2 * (size_t)w->ops;
    struct waiting s = {.needs = memory_alloc((size_t)w->ops + 1, sizeof(uint32_t)),
                        .first = memory_alloc(lists + 2, sizeof(uint32_t)),
                        .list = memory_alloc((size_t)w->edges + 1, sizeof(uint32_t))};
    for (uint32_t i = 0; i < w->edges; i++) {
        s.needs[w->edge[i].op]++;
        s.first[2 * (size_t)w->edge[i].on + w->edge[i].start + 2]++;
    }
    for (size_t i = 2; i < lists + 2; i++)
        s.first[i] += s.first[i - 1];
    for (uint32_t i = 0; i < w->edges; i++)
        s.list[s.first[2 * (size_t)w->edge[i].on + w->edge[i].start + 1]++] = w->edge[i].op;
    return s; /* a list's first is now where the one before it ends */
}

static void put_op(struct goal_writer *w, const struct goal_op *op, uint32_t needs,
                   const uint32_t *first)
{
    unsigned char bytes[GOAL_OP_BYTES];
    size_t at = pack(bytes, needs, 4);
    at += pack(bytes + at, op->kind, 1);
    at += pack(bytes + at, op->peer, 4);
    at += pack(bytes + at, op->size, 8);
    at += pack(bytes + at, op->tag, 4);
    at += pack(bytes + at, op->cpu, 1);
    at += pack(bytes + at, op->nic, 1);
    at += pack(bytes + at, first[1] - first[0], 4);
    at += pack(bytes + at, first[0], 4);
    at += pack(bytes + at, first[2] - first[1], 4);
    at += pack(bytes + at, first[1], 4);
    put(w, bytes, at);
}

static void put_rank(struct goal_writer *w)
{
    struct waiting s = sort_edges(w);
    uint32_t roots = 0;
    w->extent[w->rank][0] = w->at;
    for (uint32_t i = 0; i < w->ops; i++)
        roots += !s.needs[i];
    put_u32(w, w->ops);
    put_u32(w, roots);
    for (uint32_t i = 0; i < w->ops; i++)
        if (!s.needs[i])
            put_u32(w, i);
    for (uint32_t i = 0; i < w->ops; i++)
        put_op(w, &w->op[i], s.needs[i], &s.first[2 * (size_t)i]);
    for (uint32_t i = 0; i < w->edges; i++)
        put_u32(w, s.list[i]);
    w->extent[w->rank][1] = w->at;
    free(s.needs);
    free(s.first);
    free(s.list);
}

static void put_head(struct goal_writer *w)
{
    unsigned char head[GOAL_TABLE], entry[GOAL_TABLE_ENTRY];
    size_t at = pack(head, GOAL_MAGIC, 8);
    at += pack(head + at, w->ranks, 4);
    at += pack(head + at, w->most_cpu, 1);
    at += pack(head + at, w->most_nic, 1);
    put(w, head, at);
    for (uint32_t i = 0; i < w->ranks; i++) {
        pack(entry, w->extent[i][0] - GOAL_BASE, 8);
        pack(entry + 8, w->extent[i][1] - GOAL_BASE, 8);
        put(w, entry, sizeof(entry));
    }
}

/* The head is known once all is written, and comes first. */
static void finish_binary(struct goal_writer *w)
{
    for (w->rank = 0; w->rank < w->ranks; w->rank++)
        if (!w->extent[w->rank][0])
            put_rank(w);
    flush(w);
    if (lseek(w->file.descriptor, 0, SEEK_SET) != 0 && !w->file.error)
        w->file.error = errno;
    put_head(w);
}

/* ---- life cycle ---- */

static struct goal_writer *create(const struct output_file *file, uint32_t ranks, bool binary)
{
    struct goal_writer *w = memory_alloc(1, sizeof(*w));
    w->file = *file;
    w->ranks = ranks;
    w->rank = GOAL_NONE;
    w->binary = binary;
    if (binary) {
        w->extent = memory_alloc(ranks, sizeof(*w->extent));
        put_head(w); /* for now */
    } else {
        put_field(w, "num_ranks ", ranks);
        put_text(w, "\n");
    }
    return w;
}

weft_status goal_write_open(struct goal_writer **writer, const char *path, uint32_t ranks,
                            bool binary)
{
    struct output_file file;
    TRY(output_open_again(&file, path));
    if (binary && lseek(file.descriptor, 0, SEEK_CUR) < 0) {
        output_abandon(&file);
        return BAD_PLACE(("%s", path),
                         ("a binary trace is not written from its beginning to its end"),
                         ("name a file"));
    }
    *writer = create(&file, ranks, binary);
    (*writer)->owned = true;
    return WEFT_OK;
}

struct goal_writer *goal_write_to(int descriptor, uint32_t ranks)
{
    return create(&(struct output_file){.descriptor = descriptor}, ranks, true);
}

/* Ends the rank that is being written. */
static void end_rank(struct goal_writer *w)
{
    if (w->rank != GOAL_NONE && w->binary)
        put_rank(w);
    else if (w->rank != GOAL_NONE)
        put_text(w, "}\n");
    w->ops = w->edges = 0;
}

/* Text has all ranks, in order. */
static void fill_text(struct goal_writer *w, uint32_t end)
{
    for (uint32_t i = w->rank == GOAL_NONE ? 0 : w->rank + 1; i < end && !w->binary; i++) {
        begin_text(w, i);
        put_text(w, "}\n");
    }
}

void goal_write_rank(struct goal_writer *w, uint32_t rank)
{
    end_rank(w);
    fill_text(w, rank);
    w->rank = rank;
    if (!w->binary)
        begin_text(w, rank);
}

uint32_t goal_write_op(struct goal_writer *w, const struct goal_op *op)
{
    if (!w->binary) {
        text_op(w, op);
        return w->ops++;
    }
    *LIST_ADD(w->op, w->ops, w->op_room) = *op;
    w->most_cpu = op->cpu > w->most_cpu ? op->cpu : w->most_cpu;
    w->most_nic = op->nic > w->most_nic ? op->nic : w->most_nic;
    return w->ops - 1;
}

void goal_write_edge(struct goal_writer *w, const struct goal_edge *edge)
{
    if (w->binary) {
        *LIST_ADD(w->edge, w->edges, w->edge_room) = *edge;
        return;
    }
    put_field(w, "l", edge->op);
    put_field(w, edge->start ? " irequires l" : " requires l", edge->on);
    put_text(w, "\n");
}

static void destroy(struct goal_writer *w)
{
    free(w->op);
    free(w->edge);
    free(w->extent);
    free(w);
}

weft_status goal_write_close(struct goal_writer *w)
{
    end_rank(w);
    fill_text(w, w->ranks);
    if (w->binary)
        finish_binary(w);
    flush(w);
    weft_status status = WEFT_OK;
    if (w->owned)
        status = output_commit(&w->file);
    else if (w->file.error)
        status = temporary_failed(w->file.error);
    destroy(w);
    return status;
}

void goal_write_abandon(struct goal_writer *w)
{
    if (w->owned)
        output_abandon(&w->file);
    destroy(w);
}

/* ---- whole traces ---- */

static void write_lists(struct goal_writer *w, const struct goal_rank *rank)
{
    struct goal_node node;
    for (uint32_t i = 0; i < rank->op_count; i++) {
        goal_node(rank, i, &node);
        for (uint32_t k = 0; k < node.after.count; k++)
            goal_write_edge(w, &(struct goal_edge){goal_list_at(&node.after, k), i, false});
        for (uint32_t k = 0; k < node.with.count; k++)
            goal_write_edge(w, &(struct goal_edge){goal_list_at(&node.with, k), i, true});
    }
}

weft_status goal_convert(const struct goal *goal, const char *path, bool binary)
{
    enum { OFTEN = 1 << 17 };
    struct goal_writer *w;
    struct goal_node node;
    uint64_t written = 0; /* since the trace was let go of */
    TRY(goal_write_open(&w, path, goal->ranks, binary));
    for (uint32_t i = 0; i < goal->ranks; i++) {
        struct goal_rank rank = goal_rank(goal, i);
        goal_write_rank(w, i);
        for (uint32_t k = 0; k < rank.op_count; k++) {
            goal_node(&rank, k, &node);
            goal_write_op(w, &node.op);
        }
        write_lists(w, &rank);
        if ((written += rank.op_count) > OFTEN) {
            written = 0;
            goal_forget(goal);
        }
    }
    return goal_write_close(w);
}

/* ---- strands ---- */

static void add(struct strand_list *l, uint32_t op)
{
    *LIST_ADD(l->op, l->count, l->room) = op;
}

void strand_init(struct strand *s, struct goal_writer *w)
{
    *s = (struct strand){.w = w};
}

void strand_fini(struct strand *s)
{
    free(s->before.op);
    free(s->started.op);
}

void strand_clear(struct strand *s)
{
    s->before.count = s->started.count = 0;
}

/* An operation that waits for what the strand has joined. */
static uint32_t start(struct strand *s, const struct goal_op *op)
{
    uint32_t number = goal_write_op(s->w, op);
    for (uint32_t i = 0; i < s->before.count; i++)
        goal_write_edge(s->w, &(struct goal_edge){number, s->before.op[i], false});
    return number;
}

static uint32_t start_message(struct strand *s, enum goal_kind kind, uint32_t peer, uint64_t bytes)
{
    return start(s, &(struct goal_op){.kind = kind, .peer = peer, .size = bytes, .tag = s->tag});
}

void strand_send(struct strand *s, uint32_t to, uint64_t bytes)
{
    add(&s->started, start_message(s, GOAL_SEND, to, bytes));
}

void strand_send_aside(struct strand *s, uint32_t to, uint64_t bytes)
{
    start_message(s, GOAL_SEND, to, bytes);
}

void strand_receive(struct strand *s, uint32_t from, uint64_t bytes)
{
    add(&s->started, start_message(s, GOAL_RECEIVE, from, bytes));
}

/* What was started takes the place of what was joined before, which it waits for. */
static void swap(struct strand *s)
{
    struct strand_list started = s->started;
    s->started = s->before;
    s->before = started;
    s->started.count = 0;
}

/* Of several operations, one that does nothing stands for all: or each that follows would have to
 * name each of them. */
void strand_join(struct strand *s)
{
    enum { FEW = 2 };
    if (!s->started.count)
        return;
    swap(s);
    if (s->before.count <= FEW)
        return;
    uint32_t all = start(s, &(struct goal_op){.kind = GOAL_CALC});
    s->before.count = 0;
    add(&s->before, all);
}

void strand_calc(struct strand *s, uint64_t ns)
{
    if (s->started.count)
        swap(s);
    uint32_t calc = start(s, &(struct goal_op){.kind = GOAL_CALC, .size = ns});
    s->before.count = 0;
    add(&s->before, calc);
}

void strand_follow(struct strand *s, const struct strand *other)
{
    strand_join(s);
    for (uint32_t i = 0; i < other->before.count; i++)
        add(&s->before, other->before.op[i]);
}
