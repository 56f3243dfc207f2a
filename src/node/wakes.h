/*
 * Wake-ups of a node that are pending: each makes its network interface look at the node in a
 * cycle. They are remembered, since every near one would otherwise ask for a distant one again.
 */
#ifndef WEFT_NODE_WAKES_H
#define WEFT_NODE_WAKES_H

#include <stdbool.h>

#include "engine/wheel.h"

enum { WAKES_KEPT = 4 };

struct wakes {
    cycle_t at[WAKES_KEPT]; /* 0, or past: none */
};

/* Whether a wake-up in cycle `when` has to be asked for, which is then remembered. `itself`: for an
 * engine that asks again whenever it is woken, so that an earlier wake-up will do. */
static inline bool wakes_add(struct wakes *w, cycle_t now, cycle_t when, bool itself)
{
    unsigned free = WAKES_KEPT;
    for (unsigned i = 0; i < WAKES_KEPT; i++) {
        if (w->at[i] == when || (itself && w->at[i] > now && w->at[i] < when))
            return false;
        free = w->at[i] <= now ? i : free;
    }
    if (free < WAKES_KEPT)
        w->at[free] = when;
    return true;
}

#endif
