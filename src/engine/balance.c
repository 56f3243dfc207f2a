/* Members' loads, and moving partitions between them. */
#include "engine/balance.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A member's load: its work, and the time it will take. */
struct balance_load {
    double work, time;
    bool known; /* whether its speed is known */
};

static uint32_t slowest(const struct balance_load *load, uint32_t members)
{
    uint32_t found = 0;
    for (uint32_t m = 1; m < members; m++)
        if (load[m].time > load[found].time)
            found = m;
    return found;
}

static uint32_t quickest(const struct balance_load *load, uint32_t members)
{
    uint32_t found = 0;
    for (uint32_t m = 1; m < members; m++)
        if (load[m].time < load[found].time)
            found = m;
    return found;
}

/*
 * A member that had little to do tells little about its core: most of its time went into looking
 * for work. It is assumed to be as fast as it was and, after a while, as fast as the others; so are
 * members whose time is unknown.
 */
static void measure_loads(const uint64_t *work, uint32_t parts, const uint64_t *time, double *pace,
                          uint32_t members, const uint32_t *member, struct balance_load *load)
{
    double all = 0, known_time = 0, known_work = 0;
    for (uint32_t p = 0; p < parts; p++) {
        load[member[p]].work += (double)work[p];
        all += (double)work[p];
    }
    for (uint32_t m = 0; m < members; m++) {
        load[m].known = time && time[m] && load[m].work > all / members / 8;
        known_time += load[m].known ? (double)time[m] : 0;
        known_work += load[m].known ? load[m].work : 0;
    }
    double mean = known_work > 0 ? known_time / known_work : 1;
    for (uint32_t m = 0; m < members; m++) {
        pace[m] = load[m].known ? (double)time[m] / load[m].work
                  : pace[m] > 0 ? (15 * pace[m] + mean) / 16
                                : mean;
        load[m].time = load[m].work * pace[m];
    }
}

/* The partition to move from one member to another so that the later of the two ends soonest;
 * `parts`: no move would end both before the first one ends now. */
static uint32_t best_move(const uint64_t *work, uint32_t parts, const uint32_t *member,
                          const struct balance_load *load, const double *pace, uint32_t from,
                          uint32_t to)
{
    uint32_t best = parts;
    double least = load[from].time;
    for (uint32_t p = 0; p < parts; p++) {
        if (member[p] != from)
            continue;
        double rest = load[from].time - (double)work[p] * pace[from];
        double more = load[to].time + (double)work[p] * pace[to];
        double both = rest > more ? rest : more;
        if (work[p] && both < least) {
            least = both;
            best = p;
        }
    }
    return best;
}

void balance_room_init(struct balance_room *room, uint32_t parts, uint32_t members)
{
    *room = (struct balance_room){.parts = parts, .members = members};
    room->load = memory_alloc(members, sizeof(*room->load));
    room->fresh = memory_alloc(parts, sizeof(*room->fresh));
}

void balance_room_fini(struct balance_room *room)
{
    free(room->load);
    free(room->fresh);
}

bool balance(struct balance_room *room, const uint64_t *work, const uint64_t *time, double *pace,
             uint32_t *member)
{
    struct balance_load *load = room->load;
    uint32_t *fresh = room->fresh, parts = room->parts, members = room->members;
    memset(load, 0, members * sizeof(*load));
    memcpy(fresh, member, parts * sizeof(*fresh));
    measure_loads(work, parts, time, pace, members, member, load);
    double before = load[slowest(load, members)].time;
    for (uint32_t moves = 0; moves < parts; moves++) {
        uint32_t from = slowest(load, members), to = quickest(load, members);
        uint32_t p = best_move(work, parts, fresh, load, pace, from, to);
        if (p == parts)
            break;
        load[from].time -= (double)work[p] * pace[from];
        load[to].time += (double)work[p] * pace[to];
        fresh[p] = to;
    }
    bool worth = load[slowest(load, members)].time < before * 15 / 16;
    if (worth)
        memcpy(member, fresh, parts * sizeof(*fresh));
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
