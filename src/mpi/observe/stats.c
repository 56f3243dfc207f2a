/* Rows of operations and algorithms. */
#include "mpi/observe/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/output.h"
#include "base/list.h"
#include "base/memory.h"

const char *const algorithm_names[USED_MOST] = {
    [USED_DISSEMINATION] = "dissemination",
    [USED_BINOMIAL] = "binomial",
    [USED_SCATTER_DOUBLING] = "scatter, doubling",
    [USED_SCATTER_RING] = "scatter, ring",
    [USED_DOUBLING] = "doubling",
    [USED_HALVING] = "halving",
    [USED_RING] = "ring",
    [USED_BRUCK] = "Bruck",
    [USED_PAIRWISE] = "pairwise",
    [USED_LINEAR] = "all at once",
    [USED_REDUCE_SCATTER] = "reduce, scatter",
    [USED_NEIGHBOURS] = "neighbours",
    [USED_INTERRUPT] = "global interrupt",
    [USED_GATES] = "barrier gates",
    [USED_TREE] = "tree network",
    [USED_DEPOSIT] = "deposit bit",
    [USED_PACKETS] = "packets",
    [USED_ALONE] = "alone",
};

void stats_add(struct rank_stats *s, unsigned call, enum algorithm_used used, double seconds)
{
    unsigned i = 0;
    while (i < s->rows && (s->row[i].call != call || s->row[i].used != used))
        i++;
    if (i == STATS_ROWS)
        return;
    if (i == s->rows)
        s->row[s->rows++] = (struct stats_row){.call = (uint16_t)call, .used = (uint8_t)used};
    s->row[i].calls++;
    s->row[i].seconds += seconds;
}

/* ---- figures of the program ---- */

bool figures_set(struct figures *f, const char *name, double value)
{
    unsigned i = 0;
    pthread_mutex_lock(&f->lock);
    while (i < f->count && strcmp(f->figure[i].name, name) != 0)
        i++;
    bool room = i < FIGURES_MOST;
    if (room) {
        snprintf(f->figure[i].name, sizeof(f->figure[i].name), "%s", name);
        f->figure[i].value = value;
        f->count += i == f->count;
    }
    pthread_mutex_unlock(&f->lock);
    return room;
}

/* ---- the communication matrix ---- */

static bool is_at(const struct peers *p, uint32_t row, uint32_t process)
{
    return row < p->count && p->peer[row].process == process;
}

/* Programs send to the same processes in the same order, or to one many times. */
void peers_add(struct peers *p, uint32_t process, enum peer_use use, uint64_t bytes)
{
    uint32_t next = p->last + 1 < p->count ? p->last + 1 : 0;
    if (is_at(p, next, process))
        p->last = next;
    else if (!is_at(p, p->last, process)) {
        p->last = *map_add(&p->row, process, p->count);
        if (p->last == p->count)
            *LIST_ADD(p->peer, p->count, p->room) = (struct peer_row){.process = process};
    }
    p->peer[p->last].messages[use]++;
    p->peer[p->last].bytes[use] += bytes;
}

static int by_process(const void *a, const void *b)
{
    const struct peer_row *x = a, *y = b;
    return (x->process > y->process) - (x->process < y->process);
}

static void put_rank(struct writer *w, uint32_t rank, const struct peers *p)
{
    struct peer_row *sorted = memory_alloc(p->count, sizeof(*sorted));
    for (uint32_t i = 0; i < p->count; i++)
        sorted[i] = p->peer[i];
    qsort(sorted, p->count, sizeof(*sorted), by_process);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct peer_row *to = &sorted[i];
        writer_put(w, "%u,%u,%llu,%llu,%llu,%llu\n", rank, to->process,
                   (unsigned long long)to->messages[USE_MESSAGES],
                   (unsigned long long)to->bytes[USE_MESSAGES],
                   (unsigned long long)to->messages[USE_COLLECTIVE],
                   (unsigned long long)to->bytes[USE_COLLECTIVE]);
    }
    free(sorted);
}

weft_status matrix_write(const char *path, uint32_t ranks,
                         const struct peers *(*of)(const void *arg, uint32_t rank), const void *arg)
{
    struct writer *w;
    TRY(writer_open(&w, path));
    writer_put(w, "from,to,messages,bytes,collective_messages,collective_bytes\n");
    for (uint32_t rank = 0; rank < ranks; rank++)
        put_rank(w, rank, of(arg, rank));
    return writer_close(w);
}
