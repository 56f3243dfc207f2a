/*
 * Channels that wait for channels, and the cycles among them.
 *
 * A packet that holds a channel (a buffer, a VC of a link) may wait for room in another. Without a
 * cycle of such waits something can always move (Dally and Seitz 1987). The graph is not stored:
 * the caller lists the channels that a given one may wait for.
 *
 *   length = dependency_find_cycle(&graph, &cycle);    the fewest channels that wait for each other
 *
 * It may be abandoned midway (base/status.h).
 */
#ifndef WEFT_TOPOLOGY_DEPENDENCY_H
#define WEFT_TOPOLOGY_DEPENDENCY_H

#include <stdbool.h>
#include <stdint.h>

enum { DEPENDENCY_MOST_EDGES = 512 }; /* out of one channel */

struct dependency {
    uint32_t channels; /* at most 2^31, numbered from 0 */
    /* Lists the channels that one may wait for, and returns how many; it must give the same list in
     * the same order at every call. */
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
 * Writes the channels of the shortest cycle into *cycle, in order, each waiting for the next and
 * the last for the first; the caller must free it. Returns how many there are; 0: there is no
 * cycle, and *cycle is NULL. Searches start from at most 4096 channels, so in a graph with more
 * channels on tangled cycles the one found may not be the shortest.
 */
uint32_t dependency_cycle(const struct dependency *graph, const uint32_t *component,
                          uint32_t **cycle);

/* Both at once: the shortest cycle, if there is one. */
uint32_t dependency_find_cycle(const struct dependency *graph, uint32_t **cycle);

#endif
