/* Adds up what ranks have done. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "mpi/rank.h"
#include "mpi/world.h"

static struct world_row *row_of(struct world_result *all, const struct stats_row *s)
{
    const char *call = call_name((enum call)s->call), *used = algorithm_names[s->used];
    for (unsigned i = 0; i < all->rows; i++)
        if (strcmp(all->row[i].call, call) == 0 && strcmp(all->row[i].used, used) == 0)
            return &all->row[i];
    if (all->rows == WORLD_ROWS)
        return NULL;
    all->row[all->rows] = (struct world_row){.call = call, .used = used};
    return &all->row[all->rows++];
}

static int by_name(const void *a, const void *b)
{
    const struct world_row *x = a, *y = b;
    int order = strcmp(x->call, y->call);
    return order ? order : strcmp(x->used, y->used);
}

static void add_rank(struct world_result *all, const struct rank *r)
{
    const struct rank_stats *s = &r->stats;
    double end = r->state == MPI_AFTER ? s->ended : s->began, time = end - s->began, calls = 0;
    all->mean_seconds += time;
    all->most_seconds = time > all->most_seconds ? time : all->most_seconds;
    all->least_seconds =
        r->task->rank == 0 || time < all->least_seconds ? time : all->least_seconds;
    all->seconds = end > all->seconds ? end : all->seconds;
    for (unsigned i = 0; i < STATS_TIMES; i++) {
        all->share[i] += s->in[i];
        calls += s->in[i];
    }
    all->share[STATS_TIMES] += time > calls ? time - calls : 0;
    all->messages += s->messages;
    all->bytes += s->bytes;
    for (uint32_t to = 0; to < all->blocks; to++)
        all->matrix[r->task->rank / all->block_ranks][to] += s->sent_to[to];
    all->pairs += r->peers.count;
    all->most_partners = r->peers.count > all->most_partners ? r->peers.count : all->most_partners;
    for (unsigned i = 0; i < STATS_SIZES; i++)
        all->sizes[i] += s->sizes[i];
    for (unsigned i = 0; i < s->rows; i++) {
        struct world_row *row = row_of(all, &s->row[i]);
        if (row) {
            row->calls += s->row[i].calls;
            row->seconds += s->row[i].seconds;
        }
    }
}

void world_result(const struct world *w, struct world_result *all)
{
    double total = 0;
    uint32_t block = w->block_ranks;
    *all = (struct world_result){.ranks = w->o.processes,
                                 .code = world_code(w),
                                 .block_ranks = block,
                                 .blocks = (w->o.processes + block - 1) / block};
    for (uint32_t i = 0; i < w->o.processes; i++)
        if (w->rank[i].task)
            add_rank(all, &w->rank[i]);
    all->figures = w->figures.count;
    memcpy(all->figure, w->figures.figure, sizeof(all->figure));
    all->mean_seconds /= all->ranks;
    for (unsigned i = 0; i <= STATS_TIMES; i++)
        total += all->share[i];
    for (unsigned i = 0; i <= STATS_TIMES; i++)
        all->share[i] = total > 0 ? all->share[i] / total : 0;
    for (unsigned i = 0; i < all->rows; i++)
        all->row[i].seconds /= all->ranks;
    qsort(all->row, all->rows, sizeof(*all->row), by_name);
}
