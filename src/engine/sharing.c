/* Moving partitions between members; the shares of each stretch. */
#include "engine/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

/* ---- balance ---- */

/* A member's load: its work, and the time it will take. */
struct balance_load {
    double work, time;
    bool known; /* whether its speed is known */
};

/* The member that takes longest, or (`sign` -1) the one that finishes first. */
static uint32_t extreme(const struct balance_load *load, uint32_t members, int sign)
{
    uint32_t found = 0;
    for (uint32_t m = 1; m < members; m++)
        found = sign * load[m].time > sign * load[found].time ? m : found;
    return found;
}

/*
 * A member that had little to do tells little about its core: most of its time went into looking
 * for work. It is assumed to be as fast as it was and, after a while, as fast as the others; so are
 * members whose time is unknown.
 */
static void measure_loads(const uint64_t *work, uint32_t partitions, const uint64_t *time,
                          double *pace, uint32_t members, const uint32_t *member,
                          struct balance_load *load)
{
    double all = 0, known_time = 0, known_work = 0;
    for (uint32_t p = 0; p < partitions; p++) {
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
 * `partitions`: no move would end both before the first one ends now. */
static uint32_t best_move(const uint64_t *work, uint32_t partitions, const uint32_t *member,
                          const struct balance_load *load, const double *pace, uint32_t from,
                          uint32_t to)
{
    uint32_t best = partitions;
    double least = load[from].time;
    for (uint32_t p = 0; p < partitions; p++) {
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

void balance_room_init(struct balance_room *room, uint32_t partitions, uint32_t members)
{
    *room = (struct balance_room){.partitions = partitions, .members = members};
    room->load = memory_alloc(members, sizeof(*room->load));
    room->fresh = memory_alloc(partitions, sizeof(*room->fresh));
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
    uint32_t *fresh = room->fresh, partitions = room->partitions, members = room->members;
    memset(load, 0, members * sizeof(*load));
    memcpy(fresh, member, partitions * sizeof(*fresh));
    measure_loads(work, partitions, time, pace, members, member, load);
    double before = load[extreme(load, members, 1)].time;
    for (uint32_t moves = 0; moves < partitions; moves++) {
        uint32_t from = extreme(load, members, 1), to = extreme(load, members, -1);
        uint32_t p = best_move(work, partitions, fresh, load, pace, from, to);
        if (p == partitions)
            break;
        load[from].time -= (double)work[p] * pace[from];
        load[to].time += (double)work[p] * pace[to];
        fresh[p] = to;
    }
    bool worth = load[extreme(load, members, 1)].time < before * 15 / 16;
    if (worth)
        memcpy(member, fresh, partitions * sizeof(*fresh));
    return worth;
}

void balance_evenly(uint32_t partitions, uint32_t members, uint32_t *member)
{
    for (uint32_t m = 0; m < members; m++) {
        uint32_t end = (uint32_t)((uint64_t)partitions * (m + 1) / members);
        for (uint32_t p = (uint32_t)((uint64_t)partitions * m / members); p < end; p++)
            member[p] = m;
    }
}

/* ---- shares ---- */

void sharing_init(struct sharing *s, uint32_t members, uint32_t first, uint32_t end,
                  const bool *urgent)
{
    *s = (struct sharing){.members = members, .first = first, .end = end, .urgent = urgent};
    s->work = memory_alloc(end - first, sizeof(*s->work));
    s->time = memory_alloc(members, sizeof(*s->time));
}

void sharing_fini(struct sharing *s)
{
    free(s->work);
    free(s->time);
}

static void list_partitions(struct share *m, const struct sharing *s)
{
    m->partitions = 0;
    for (int urgent = 1; urgent >= 0; urgent--)
        for (uint32_t p = s->first; p < s->end; p++) {
            uint32_t owner = m->alone ? 0 : m->owner[p - s->first];
            if (owner == m->index && s->urgent[p] == urgent)
                m->partition[m->partitions++] = p;
        }
}

void share_init(struct share *m, const struct sharing *s, uint32_t index)
{
    uint32_t partitions = s->end - s->first;
    *m = (struct share){.index = index, .shares = s->members > 1};
    m->partition = memory_alloc(partitions, sizeof(*m->partition));
    m->owner = memory_alloc(partitions, sizeof(*m->owner));
    m->recorded = memory_alloc(partitions, sizeof(*m->recorded));
    m->lately = memory_alloc(partitions, sizeof(*m->lately));
    m->pace = memory_alloc(s->members, sizeof(*m->pace));
    balance_room_init(&m->room, partitions, s->members);
    balance_evenly(partitions, s->members, m->owner);
    list_partitions(m, s);
}

void share_start(struct share *m, uint64_t window)
{
    m->last = window + SHARED_STRETCH - 1;
}

void share_fini(struct share *m)
{
    free(m->partition);
    free(m->owner);
    free(m->recorded);
    free(m->lately);
    free(m->pace);
    balance_room_fini(&m->room);
}

/* ---- times ---- */

static bool is_timed(const struct share *m, uint64_t window)
{
    return m->shares && window % TIMED_WINDOWS == 0;
}

static uint64_t since(const struct share *m)
{
    return (uint64_t)(1e9 * (clock_seconds() - m->started));
}

static int smaller_first(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static uint64_t median(const uint64_t times[TIMES])
{
    uint64_t sorted[TIMES];
    memcpy(sorted, times, sizeof(sorted));
    qsort(sorted, TIMES, sizeof(*sorted), smaller_first);
    return sorted[TIMES / 2];
}

void share_begins(struct share *m, uint64_t window)
{
    if (is_timed(m, window))
        m->started = clock_seconds();
}

void share_has_run(struct share *m, struct sharing *s, uint64_t window)
{
    if (is_timed(m, window))
        m->work_time[window / TIMED_WINDOWS % TIMES] = since(m);
    if (!m->shares || window != m->last)
        return;
    s->time[m->index] = median(m->work_time);
    if (m->index == 0 && !m->alone)
        s->window_time = median(m->window_time);
}

void share_is_over(struct share *m, uint64_t window)
{
    if (is_timed(m, window))
        m->window_time[window / TIMED_WINDOWS % TIMES] = since(m);
}

/* ---- the next stretch ---- */

/* Whether the first member runs the next stretch alone; the others try again after a while. */
static bool is_alone(struct share *m, const struct sharing *s)
{
    if (!m->alone) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < s->members; i++)
            sum += s->time[i];
        m->patience -= m->patience > 0;
        /* One might run a window in the time that all take together if most of that is waiting, and
         * part of their work is the cost of sharing. A trial will tell. */
        return !s->always && !m->patience && 2 * sum <= s->members * s->window_time &&
               sum <= 4 * s->window_time;
    }
    bool pays = s->time[0] <= s->window_time;
    if (!pays && m->alone_stretches == 0)
        m->patience = PATIENCE;
    return pays && ++m->alone_stretches < ALONE_STRETCHES;
}

void share_next(struct share *m, const struct sharing *s)
{
    uint32_t partitions = s->end - s->first;
    if (!m->shares || s->stays) {
        m->last += SHARED_STRETCH;
        return;
    }
    for (uint32_t p = 0; p < partitions; p++) {
        m->lately[p] = s->work[p] - m->recorded[p];
        m->recorded[p] = s->work[p];
    }
    bool was_alone = m->alone, moved = false;
    m->alone = is_alone(m, s);
    if (!m->alone)
        m->alone_stretches = 0;
    if (!m->alone && !was_alone) /* else times say nothing about the others */
        moved = balance(&m->room, m->lately, s->paced ? s->time : NULL, m->pace, m->owner);
    if (moved || m->alone != was_alone)
        list_partitions(m, s);
    m->last += m->alone_stretches ? ALONE_STRETCH : SHARED_STRETCH; /* a trial is short */
}
