/* Pieces of text, sorted when they are printed. */
#include "mpi/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void output_init(struct output *o, uint32_t ranks, bool tags)
{
    *o = (struct output){.tags = tags,
                         .midway = memory_alloc(2 * (size_t)ranks, sizeof(*o->midway))};
    pthread_mutex_init(&o->lock, NULL);
}

void output_fini(struct output *o)
{
    for (size_t i = 0; i < o->count; i++)
        free(o->piece[i].text);
    free(o->piece);
    free(o->midway);
    pthread_mutex_destroy(&o->lock);
}

void output_add(struct output *o, const struct output_piece *piece)
{
    struct output_piece copy = *piece;
    copy.text = memory_alloc(piece->bytes + 1, 1);
    memcpy(copy.text, piece->text, piece->bytes);
    pthread_mutex_lock(&o->lock);
    if (o->count == o->room) {
        o->room = o->room ? 2 * o->room : 64;
        o->piece = memory_grow(o->piece, o->room, sizeof(*o->piece));
    }
    o->piece[o->count++] = copy;
    pthread_mutex_unlock(&o->lock);
}

static int earlier(const void *a, const void *b)
{
    const struct output_piece *x = a, *y = b;
    if (x->when != y->when)
        return x->when < y->when ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Text that may have several lines, each with the rank in front. */
static void print_tagged(struct output *o, const struct output_piece *p, output_sink *sink,
                         void *arg)
{
    bool *midway = &o->midway[2 * (size_t)p->rank + p->is_error];
    for (size_t at = 0; at < p->bytes;) {
        const char *end = memchr(p->text + at, '\n', p->bytes - at);
        size_t length = end ? (size_t)(end - p->text) + 1 - at : p->bytes - at;
        char tag[32];
        int letters =
            snprintf(tag, sizeof(tag), "[%u]<%s>: ", p->rank, p->is_error ? "stderr" : "stdout");
        if (!*midway)
            sink(arg, p->is_error, tag, (size_t)letters);
        sink(arg, p->is_error, p->text + at, length);
        *midway = !end;
        at += length;
    }
}

void output_print(struct output *o, double before, output_sink *sink, void *arg)
{
    size_t due = 0;
    pthread_mutex_lock(&o->lock);
    if (o->count)
        qsort(o->piece, o->count, sizeof(*o->piece), earlier);
    for (; due < o->count && o->piece[due].when < before; due++) {
        const struct output_piece *p = &o->piece[due];
        if (sink && o->tags)
            print_tagged(o, p, sink, arg);
        else if (sink)
            sink(arg, p->is_error, p->text, p->bytes);
        free(p->text);
    }
    o->count -= due;
    if (o->count)
        memmove(o->piece, o->piece + due, o->count * sizeof(*o->piece));
    pthread_mutex_unlock(&o->lock);
}
