/*
 * Channels that wait for channels, and the cycles among them.
 *
 * A packet that holds a channel (a buffer, a VC of a link) may wait for room in another. Without a
 * cycle of such waits something can always move (Dally and Seitz 1987). The graph is not stored:
 * whoever asks lists the channels for which a given one may wait.
 *
 *   if (dependency_components(&graph, component))                some channels wait for each other
 *       length = dependency_cycle(&graph, component, &cycle);    the fewest that do
 *
 * Both may be given up in the middle (base/attempt.h).
 */
#ifndef WEFT_TOPOLOGY_DEPENDENCY_H
#define WEFT_TOPOLOGY_DEPENDENCY_H

#include <stdbool.h>
#include <stdint.h>

enum { DEPENDENCY_MOST_EDGES = 16 }; /* out of one channel */

struct dependency {
    uint32_t channels; /* at most 2^31; they are numbered from 0 on */
    /* The channels for which one may wait, and how many: the same at every call, in the same
     * order. */
    unsigned (*list)(const void *ctx, uint32_t channel, uint32_t edge[DEPENDENCY_MOST_EDGES]);
    const void *ctx;
};

/*
 * Strongly connected components into component[channel]: two channels have the same number if and
 * only if each may wait for the other, directly or through others. True: some channel may wait for
 * itself, that is, there is a cycle.
 */
bool dependency_components(const struct dependency *graph, uint32_t *component);

/*
 * The shortest cycle: its channels in order, each waiting for the next and the last for the first,
 * into *cycle, which the caller frees. How many there are; 0: there is no cycle, and *cycle is
 * NULL. Searches start from 4096 channels at most, so that in a graph with more channels on
 * tangled cycles the one found may not be the shortest.
 */
uint32_t dependency_cycle(const struct dependency *graph, const uint32_t *component,
                          uint32_t **cycle);

#endif
