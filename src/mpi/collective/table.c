/* The table of collective operations. */
#include "mpi/collective/collective.h"

#include <string.h>

#include "mpi/collective/series.h"

/* clang-format off */
static const struct collective_kind table[] = {
    {CALL_Barrier, CALL_Ibarrier, CALL_Barrier_init, .action = "barrier",
     .machine = machine_barrier, .start = start_barrier},
    {CALL_Bcast, CALL_Ibcast, CALL_Bcast_init, .in = LAYOUT_ONE, .root = ROOT_CASTS, .action = "bcast",
     .machine = machine_broadcast, .start = start_broadcast},
    {CALL_Gather, CALL_Igather, CALL_Gather_init, LAYOUT_ONE, LAYOUT_EVEN, ROOT_RECEIVES, .action = "gather",
     .start = start_gather},
    {CALL_Gatherv, CALL_Igatherv, CALL_Gatherv_init, LAYOUT_ONE, LAYOUT_LISTED, ROOT_RECEIVES, .action = "gatherv",
     .start = start_gather},
    {CALL_Scatter, CALL_Iscatter, CALL_Scatter_init, LAYOUT_EVEN, LAYOUT_ONE, ROOT_SENDS, .action = "scatter",
     .start = start_scatter},
    {CALL_Scatterv, CALL_Iscatterv, CALL_Scatterv_init, LAYOUT_LISTED, LAYOUT_ONE, ROOT_SENDS, .action = "scatterv",
     .start = start_scatter},
    {CALL_Allgather, CALL_Iallgather, CALL_Allgather_init, LAYOUT_ONE, LAYOUT_EVEN, .action = "allgather",
     .start = start_allgather},
    {CALL_Allgatherv, CALL_Iallgatherv, CALL_Allgatherv_init, LAYOUT_ONE, LAYOUT_LISTED, .action = "allgatherv",
     .start = start_allgather},
    {CALL_Alltoall, CALL_Ialltoall, CALL_Alltoall_init, LAYOUT_EVEN, LAYOUT_EVEN, .action = "alltoall",
     .machine = machine_alltoall, .start = start_alltoall},
    {CALL_Alltoallv, CALL_Ialltoallv, CALL_Alltoallv_init, LAYOUT_LISTED, LAYOUT_LISTED, .action = "alltoallv",
     .machine = machine_alltoall, .start = start_alltoall},
    /* Traces have its sizes in bytes, whatever the types. */
    {CALL_Alltoallw, CALL_Ialltoallw, CALL_Alltoallw_init, LAYOUT_TYPED, LAYOUT_TYPED, .action = "alltoallw",
     .replayed_as = CALL_Alltoallv, .machine = machine_alltoall, .start = start_alltoall},
    {CALL_Reduce, CALL_Ireduce, CALL_Reduce_init, LAYOUT_ONE, LAYOUT_ONE, ROOT_RECEIVES, .combines = true,
     .action = "reduce", .machine = machine_reduce, .start = start_reduce},
    {CALL_Allreduce, CALL_Iallreduce, CALL_Allreduce_init, LAYOUT_ONE, LAYOUT_ONE, .combines = true,
     .action = "allreduce", .machine = machine_allreduce, .start = start_allreduce},
    {CALL_Reduce_scatter, CALL_Ireduce_scatter, CALL_Reduce_scatter_init, LAYOUT_VECTOR, LAYOUT_LISTED, .combines = true,
     .action = "reducescatter", .old_action = "reduceScatter", .start = start_reduce_scatter},
    {CALL_Reduce_scatter_block, CALL_Ireduce_scatter_block, CALL_Reduce_scatter_block_init, LAYOUT_VECTOR, LAYOUT_ONE,
     .combines = true, .action = "reducescatterblock", .start = start_reduce_scatter},
    {CALL_Scan, CALL_Iscan, CALL_Scan_init, LAYOUT_ONE, LAYOUT_ONE, .combines = true, .prefix = PREFIX_INCLUSIVE,
     .action = "scan", .start = start_scan},
    {CALL_Exscan, CALL_Iexscan, CALL_Exscan_init, LAYOUT_ONE, LAYOUT_ONE, .combines = true,
     .prefix = PREFIX_EXCLUSIVE, .action = "exscan", .start = start_scan},
    {CALL_Neighbor_allgather, CALL_Ineighbor_allgather, CALL_Neighbor_allgather_init, LAYOUT_ONE, LAYOUT_EVEN,
     .neighbours = true, .start = start_neighbours},
    {CALL_Neighbor_allgatherv, CALL_Ineighbor_allgatherv, CALL_Neighbor_allgatherv_init, LAYOUT_ONE, LAYOUT_LISTED,
     .neighbours = true, .start = start_neighbours},
    {CALL_Neighbor_alltoall, CALL_Ineighbor_alltoall, CALL_Neighbor_alltoall_init, LAYOUT_EVEN, LAYOUT_EVEN,
     .neighbours = true, .start = start_neighbours},
    {CALL_Neighbor_alltoallv, CALL_Ineighbor_alltoallv, CALL_Neighbor_alltoallv_init, LAYOUT_LISTED, LAYOUT_LISTED,
     .neighbours = true, .start = start_neighbours},
    {CALL_Neighbor_alltoallw, CALL_Ineighbor_alltoallw, CALL_Neighbor_alltoallw_init, LAYOUT_TYPED, LAYOUT_TYPED,
     .neighbours = true, .start = start_neighbours},
};
/* clang-format on */
enum { ROWS = sizeof(table) / sizeof(table[0]) };

const struct collective_kind *collective_at(unsigned i)
{
    return i < ROWS ? &table[i] : NULL;
}

const struct collective_kind *collective_of(enum call call)
{
    if (call >= CALLS || call_chapter(call) != CHAPTER_COLLECTIVE)
        return NULL;
    const struct collective_kind *kind = table;
    while (kind < table + ROWS && kind->call != call && kind->nonblocking != call &&
           kind->persistent != call)
        kind++;
    return kind < table + ROWS ? kind : NULL;
}

static bool is_action(const struct collective_kind *kind, const char *action)
{
    return (kind->action && strcmp(kind->action, action) == 0) ||
           (kind->old_action && strcmp(kind->old_action, action) == 0);
}

const struct collective_kind *collective_by_action(const char *action, bool *nonblocking)
{
    for (*nonblocking = false;; *nonblocking = true, action++) {
        for (const struct collective_kind *kind = table; kind < table + ROWS; kind++)
            if (is_action(kind, action))
                return kind;
        if (*nonblocking || action[0] != 'i')
            return NULL;
    }
}
