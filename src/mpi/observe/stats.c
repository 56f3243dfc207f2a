/* Rows of operations and algorithms. */
#include "mpi/observe/stats.h"

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
