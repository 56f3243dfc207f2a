/* Pieces of text, sorted when they are printed. */
#include "mpi/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"

void output_init(struct output *o, uint32_t ranks, uint32_t part, bool tags)
{
    *o = (struct output){
        .tags = tags, .part = part, .midway = memory_alloc(2 * (size_t)ranks, sizeof(*o->midway))};
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
    *LIST_ADD(o->piece, o->count, o->room) = copy;
    pthread_mutex_unlock(&o->lock);
}

void output_keep(struct output *o, uint32_t rank)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->count; i++)
        if (o->piece[i].rank == rank)
            o->piece[kept++] = o->piece[i];
        else
            free(o->piece[i].text);
    o->count = kept;
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
        char tag[48], part[16] = "";
        if (o->part)
            snprintf(part, sizeof(part), "%u:", o->part);
        int letters = snprintf(tag, sizeof(tag), "[%s%u]<%s>: ", part, p->rank,
                               p->is_error ? "stderr" : "stdout");
        if (!*midway)
            sink(arg, p->is_error, tag, (size_t)letters);
        sink(arg, p->is_error, p->text + at, length);
        *midway = !end;
        at += length;
    }
}

/* Of the pieces that come next, one of each program, the earliest; `count`: none is due. */
static uint32_t find_earliest(struct output *const *o, uint32_t count, const size_t *printed,
                              double before)
{
    uint32_t first = count;
    for (uint32_t i = 0; i < count; i++)
        if (printed[i] < o[i]->count && o[i]->piece[printed[i]].when < before) {
            before = o[i]->piece[printed[i]].when;
            first = i;
        }
    return first;
}

void output_print(struct output *const *o, uint32_t count, double before, output_sink *sink,
                  void *arg)
{
    size_t *printed = memory_alloc(count, sizeof(*printed));
    for (uint32_t i = 0; i < count; i++) {
        pthread_mutex_lock(&o[i]->lock);
        if (o[i]->count)
            qsort(o[i]->piece, o[i]->count, sizeof(*o[i]->piece), earlier);
    }
    for (uint32_t i; (i = find_earliest(o, count, printed, before)) < count;) {
        const struct output_piece *p = &o[i]->piece[printed[i]++];
        if (sink && o[i]->tags)
            print_tagged(o[i], p, sink, arg);
        else if (sink)
            sink(arg, p->is_error, p->text, p->bytes);
        free(p->text);
    }
    for (uint32_t i = 0; i < count; i++) {
        o[i]->count -= printed[i];
        if (o[i]->count)
            memmove(o[i]->piece, o[i]->piece + printed[i], o[i]->count * sizeof(*o[i]->piece));
        pthread_mutex_unlock(&o[i]->lock);
    }
    free(printed);
}
