/* Sizes of collective operations. */
#include "trace/otf2/otf2.h"

#include <string.h>

/* The root of a gather or a reduction has its own block, unless it is in place. */
static uint64_t block_of_root(uint64_t own, uint64_t all, uint32_t n, bool *in_place)
{
    *in_place = !own && all && n > 1;
    return *in_place ? all / (n - 1) : own;
}

static uint64_t block_of_scan(const struct record *e, bool inclusive, uint32_t n, uint32_t me,
                              bool *in_place)
{
    uint64_t x = e->bytes / (n - me);
    *in_place = x * (n - me) != e->bytes || x * (me + 1) != e->other;
    if (inclusive && !*in_place)
        return x;
    *in_place = inclusive;
    return me ? e->other / me : n > 1 ? e->bytes / (n - 1) : 0;
}

static uint64_t block(const struct record *e, const struct collective_kind *kind, uint32_t n,
                      uint32_t me, bool *in_place)
{
    bool root = (uint32_t)e->peer == me;
    *in_place = false;
    if (!kind->in)
        return 0;
    if (kind->prefix)
        return block_of_scan(e, kind->prefix == PREFIX_INCLUSIVE, n, me, in_place);
    switch (kind->root) {
    case ROOT_CASTS:
        return e->other || !root ? e->other : e->bytes / n;
    case ROOT_RECEIVES:
        return root ? block_of_root(e->bytes, e->other, n, in_place) : e->bytes;
    case ROOT_SENDS:
        return root ? block_of_root(e->other, e->bytes, n, in_place) : e->other;
    default: /* n or, in place, n - 1 were counted; both may fit, the first is more common */
        *in_place = e->bytes % n && n > 1 && e->bytes % (n - 1) == 0;
        return *in_place ? e->bytes / (n - 1) : (e->bytes + n - 1) / n;
    }
}

bool otf2_sizes_fill(struct record *e, uint32_t n, uint32_t me)
{
    bool in_place;
    if (e->bytes > INT64_MAX || e->other > INT64_MAX)
        return false;
    const struct collective_kind *kind = record_collective(e);
    if (collective_is_listed(kind))
        return true;
    e->bytes = e->other = block(e, kind, n, me, &in_place);
    e->flags |= in_place ? RECORD_IN_PLACE : 0;
    return e->bytes <= INT32_MAX;
}

/* ---- rows ---- */

/* Blocks of members, which were counted so many times; returns their sum. */
static uint64_t divide(const struct otf2_sizes *row, bool sent, uint32_t n, uint32_t times,
                       uint64_t *list)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < n; i++) {
        list[i] = (sent ? row[i].sent : row[i].received) / times;
        all += list[i];
    }
    return all;
}

/* The sum of all blocks proves whether they are in place. */
static void fill_blocks(const struct otf2_sizes *row, bool sent, uint32_t n, uint32_t me,
                        uint64_t *list)
{
    uint64_t sum = sent ? row[me].received : row[me].sent;
    if (divide(row, sent, n, n, list) == sum || n == 1)
        return;
    if (divide(row, sent, n, n - 1, list) - list[me] != sum)
        divide(row, sent, n, n, list);
}

/* Only the sums of what members send and receive are known: of each member's, everybody gets a
 * share by what it receives. Both ends of a pair find the same number. */
static uint64_t share(uint64_t sent, uint64_t received, uint64_t total)
{
    return total ? (uint64_t)(((unsigned __int128)sent * received + total / 2) / total) : 0;
}

static void fill_shares(const struct otf2_sizes *row, uint32_t n, uint32_t me, uint64_t *list)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += row[i].received;
    for (uint32_t i = 0; i < n; i++) {
        list[i] = share(row[me].sent, row[i].received, total);
        list[n + i] = share(row[i].sent, row[me].received, total);
    }
}

static bool fits(const uint64_t *list, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] > INT32_MAX)
            return false;
        sum += list[i];
    }
    return sum <= INT32_MAX;
}

bool otf2_sizes_list(struct record *e, const struct otf2_sizes *row, uint32_t n, uint32_t me,
                     uint64_t *list)
{
    const struct collective_kind *kind = record_collective(e);
    bool two = layout_is_listed(kind->out) && layout_is_listed(kind->in);
    bool gathers = kind->root == ROOT_RECEIVES;
    e->list = list;
    e->listed = two ? 2 * n : n;
    memset(list, 0, e->listed * sizeof(*list));
    e->bytes = e->other = 0;
    if (kind->root) {
        if ((uint32_t)e->peer == me) /* others do not know what goes to it, or comes from it */
            divide(row, gathers, n, 1, list);
        e->bytes = gathers ? row[me].sent : row[me].received;
    } else if (two) {
        fill_shares(row, n, me, list);
    } else {
        fill_blocks(row, !kind->combines, n, me, list);
        e->bytes = kind->combines ? 0 : list[me];
    }
    return e->bytes <= INT32_MAX && fits(list, n) && (!two || fits(list + n, n));
}

/* ---- what is combined ---- */

void otf2_sizes_combine(struct record *e)
{
    uint64_t all = e->bytes;
    if (!record_collective(e)->combines)
        return;
    for (uint32_t i = 0; i < e->listed; i++)
        all |= e->list[i];
    record_guess_elements(e, all);
}
