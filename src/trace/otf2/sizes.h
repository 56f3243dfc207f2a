/*
 * How much each member of a collective operation gives and gets, from what an OTF2 trace says of
 * one member: the bytes that it sent and received, by Score-P's count. That counts the part which a
 * member has for itself, unless the data are in place:
 *
 *   N members, x bytes from or to each         sent          received      in place
 *   broadcast               root               N x           x
 *                           others             0             x
 *   gather, reduce          root               x             N x           0, (N - 1) x
 *                           others             x             0
 *   scatter                 root               N x           x             (N - 1) x, 0
 *                           others             0             x
 *   allgather, all-to-all, allreduce, reduce-scatter of blocks
 *                                              N x           N x           (N - 1) x, (N - 1) x
 *   scan, member i                             (N - i) x     (i + 1) x     (N - i - 1) x, i x
 *   exscan, member i                           (N - i - 1) x i x
 *
 * Where members have different sizes (gatherv and so on), one member's numbers are not enough:
 * those of all members are put side by side, as a row (finish.c).
 */
#ifndef WEFT_TRACE_OTF2_SIZES_H
#define WEFT_TRACE_OTF2_SIZES_H

#include "trace/record.h"

/* What one member says. */
struct otf2_sizes {
    uint64_t sent, received;
};

/* Turns bytes and other, that were sent and received, into those of a record, for member `me` of n;
 * those of listed operations stay. False: they are too many. */
bool otf2_sizes_fill(struct record *e, uint32_t n, uint32_t me);

/* The list of an operation, from a row with the sizes of all members. False: too many bytes. */
bool otf2_sizes_list(struct record *e, const struct otf2_sizes *row, uint32_t n, uint32_t me,
                     uint64_t *list);

/* What is combined, which the trace does not say: doubles, if the sizes allow. */
void otf2_sizes_combine(struct record *e);

#endif
