/* The shares of each stretch. */
#include "engine/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

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

static void list_parts(struct share *m, const struct sharing *s)
{
    m->parts = 0;
    for (int urgent = 1; urgent >= 0; urgent--)
        for (uint32_t p = s->first; p < s->end; p++) {
            uint32_t owner = m->alone ? 0 : m->owner[p - s->first];
            if (owner == m->index && s->urgent[p] == urgent)
                m->part[m->parts++] = p;
        }
}

void share_init(struct share *m, const struct sharing *s, uint32_t index)
{
    uint32_t parts = s->end - s->first;
    *m = (struct share){.index = index, .shares = s->members > 1};
    m->part = memory_alloc(parts, sizeof(*m->part));
    m->owner = memory_alloc(parts, sizeof(*m->owner));
    m->noted = memory_alloc(parts, sizeof(*m->noted));
    m->lately = memory_alloc(parts, sizeof(*m->lately));
    m->pace = memory_alloc(s->members, sizeof(*m->pace));
    balance_room_init(&m->room, parts, s->members);
    balance_evenly(parts, s->members, m->owner);
    list_parts(m, s);
}

void share_start(struct share *m, uint64_t window)
{
    m->last = window + SHARED_STRETCH - 1;
}

void share_fini(struct share *m)
{
    free(m->part);
    free(m->owner);
    free(m->noted);
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

/* Whether one member might run a window in the time that all take together: most of that time is
 * waiting, and part of their work is the cost of sharing. A trial will tell. */
static bool may_be_small(const struct sharing *s)
{
    uint64_t sum = 0;
    for (uint32_t m = 0; m < s->members; m++)
        sum += s->time[m];
    return 2 * sum <= s->members * s->window_time && sum <= 4 * s->window_time;
}

/* Whether the first member runs the next stretch alone; the others try again after a while. */
static bool is_alone(struct share *m, const struct sharing *s)
{
    if (!m->alone) {
        m->patience -= m->patience > 0;
        return !s->always && !m->patience && may_be_small(s);
    }
    bool pays = s->time[0] <= s->window_time;
    if (!pays && m->alone_stretches == 0)
        m->patience = PATIENCE;
    return pays && ++m->alone_stretches < ALONE_STRETCHES;
}

void share_next(struct share *m, const struct sharing *s)
{
    uint32_t parts = s->end - s->first;
    if (!m->shares || s->stays) {
        m->last += SHARED_STRETCH;
        return;
    }
    for (uint32_t p = 0; p < parts; p++) {
        m->lately[p] = s->work[p] - m->noted[p];
        m->noted[p] = s->work[p];
    }
    bool was_alone = m->alone, moved = false;
    m->alone = is_alone(m, s);
    if (!m->alone)
        m->alone_stretches = 0;
    if (!m->alone && !was_alone) /* else times say nothing about the others */
        moved = balance(&m->room, m->lately, s->paced ? s->time : NULL, m->pace, m->owner);
    if (moved || m->alone != was_alone)
        list_parts(m, s);
    m->last += m->alone_stretches ? ALONE_STRETCH : SHARED_STRETCH; /* a trial is short */
}
