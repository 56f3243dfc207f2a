/* The shares of members, and moving partitions between them. */
#include "engine/balance.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A member's share, the time that it will need for it, and for one unit of work. */
struct share {
    double work, time, pace;
    bool known; /* how fast it is */
};

static uint32_t slowest(const struct share *share, uint32_t members)
{
    uint32_t found = 0;
    for (uint32_t m = 1; m < members; m++)
        if (share[m].time > share[found].time)
            found = m;
    return found;
}

static uint32_t quickest(const struct share *share, uint32_t members)
{
    uint32_t found = 0;
    for (uint32_t m = 1; m < members; m++)
        if (share[m].time < share[found].time)
            found = m;
    return found;
}

/*
 * Whoever had little to do tells little about its core: most of its time went into looking for
 * work. It is taken to be as fast as the others, like those whose time is not known.
 */
static void measure_shares(const uint64_t *work, uint32_t parts, const uint64_t *time,
                           uint32_t members, const uint32_t *member, struct share *share)
{
    double all = 0, known_time = 0, known_work = 0;
    for (uint32_t p = 0; p < parts; p++) {
        share[member[p]].work += (double)work[p];
        all += (double)work[p];
    }
    for (uint32_t m = 0; m < members; m++) {
        share[m].known = time[m] && share[m].work > all / members / 8;
        known_time += share[m].known ? (double)time[m] : 0;
        known_work += share[m].known ? share[m].work : 0;
    }
    for (uint32_t m = 0; m < members; m++) {
        share[m].pace = share[m].known   ? (double)time[m] / share[m].work
                        : known_work > 0 ? known_time / known_work
                                         : 1;
        share[m].time = share[m].work * share[m].pace;
    }
}

/* The partition of one member with which another would end soonest, both considered; parts: none
 * would end both before the one does now. */
static uint32_t best_move(const uint64_t *work, uint32_t parts, const uint32_t *member,
                          const struct share *share, uint32_t from, uint32_t to)
{
    uint32_t best = parts;
    double least = share[from].time;
    for (uint32_t p = 0; p < parts; p++) {
        if (member[p] != from)
            continue;
        double rest = share[from].time - (double)work[p] * share[from].pace;
        double more = share[to].time + (double)work[p] * share[to].pace;
        double both = rest > more ? rest : more;
        if (work[p] && both < least) {
            least = both;
            best = p;
        }
    }
    return best;
}

bool balance(const uint64_t *work, uint32_t parts, const uint64_t *time, uint32_t members,
             uint32_t *member)
{
    struct share *share = weft_alloc(members, sizeof(*share));
    uint32_t *fresh = weft_alloc(parts, sizeof(*fresh));
    memcpy(fresh, member, parts * sizeof(*fresh));
    measure_shares(work, parts, time, members, member, share);
    double before = share[slowest(share, members)].time;
    for (uint32_t moves = 0; moves < parts; moves++) {
        uint32_t from = slowest(share, members), to = quickest(share, members);
        uint32_t p = best_move(work, parts, fresh, share, from, to);
        if (p == parts)
            break;
        share[from].time -= (double)work[p] * share[from].pace;
        share[to].time += (double)work[p] * share[to].pace;
        fresh[p] = to;
    }
    bool worth = share[slowest(share, members)].time < before * 15 / 16;
    if (worth)
        memcpy(member, fresh, parts * sizeof(*fresh));
    free(fresh);
    free(share);
    return worth;
}

void balance_evenly(uint32_t parts, uint32_t members, uint32_t *member)
{
    for (uint32_t m = 0; m < members; m++) {
        uint32_t end = (uint32_t)((uint64_t)parts * (m + 1) / members);
        for (uint32_t p = (uint32_t)((uint64_t)parts * m / members); p < end; p++)
            member[p] = m;
    }
}
