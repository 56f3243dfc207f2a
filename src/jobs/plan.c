/* Stages of the future. */
#include "jobs/scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"

void plan_init(struct plan *p, struct finder *finder)
{
    *p = (struct plan){.finder = finder,
                       .counts = finder->shapes.choice == SHAPES_SCATTERED,
                       .together = space_map(&finder->space),
                       .own = space_map(&finder->space)};
}

static void free_stage(struct plan_stage *s)
{
    free(s->map);
    free(s->fails);
    free(s->starts);
}

static void drop_stages(struct plan *p, uint32_t count)
{
    if (!count) /* there may be no array yet */
        return;
    for (uint32_t i = 0; i < count; i++)
        free_stage(&p->stage[i]);
    p->stages -= count;
    memmove(p->stage, p->stage + count, p->stages * sizeof(*p->stage));
}

void plan_fini(struct plan *p)
{
    drop_stages(p, p->stages);
    free(p->stage);
    free(p->together);
    free(p->own);
}

/* The stage that a time is in. */
static uint32_t find_stage(const struct plan *p, int64_t time)
{
    uint32_t low = 0, high = p->stages;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (p->stage[middle].from <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Fails for a moment: it does so whenever the map is the same. */
enum { AT_ONCE = 1 };

static void insert_stage(struct plan *p, uint32_t at, int64_t from, const space_row *map)
{
    const struct space *s = &p->finder->space;
    uint32_t kinds = p->finder->kinds;
    LIST_RESERVE(p->stage, p->stages + 1, p->room);
    memmove(p->stage + at + 1, p->stage + at, (p->stages - at) * sizeof(*p->stage));
    p->stage[at] = (struct plan_stage){.from = from,
                                       .map = space_map(s),
                                       .fails = memory_alloc(kinds + 1, sizeof(int64_t)),
                                       .starts = memory_alloc(kinds + 1, sizeof(bool))};
    memcpy(p->stage[at].map, map, s->words * sizeof(*map));
    for (uint32_t k = 0; k < kinds; k++)
        p->stage[at].fails[k] = INT64_MAX;
    p->stages++;
}

/* Makes a stage begin at a time, and returns its number. */
static uint32_t split(struct plan *p, int64_t time)
{
    uint32_t i = find_stage(p, time);
    if (p->stage[i].from == time)
        return i;
    insert_stage(p, i + 1, time, p->stage[i].map);
    p->stage[i + 1].free = p->stage[i].free;
    p->stage[i + 1].given = p->stage[i].given;
    for (uint32_t k = 0; k < p->finder->kinds; k++)
        if (p->stage[i].fails[k] == AT_ONCE)
            p->stage[i + 1].fails[k] = AT_ONCE;
    return i + 1;
}

/* From the last stage back: each has closed what the one behind it has, and what is repaired
 * between them. */
static void close_stages(struct plan *p)
{
    const struct finder *f = p->finder;
    const struct space *space = &f->space;
    uint32_t left = f->outages;
    finder_close(f, p->stage[p->stages - 1].map, p->stage[p->stages - 1].from);
    for (uint32_t i = p->stages; i-- > 0;) {
        struct plan_stage *s = &p->stage[i];
        if (i + 1 < p->stages)
            memcpy(s->map + space->rows, s[1].map + space->rows, space->rows * sizeof(*s->map));
        for (; left > f->for_good && f->outage[left - 1].until > s->from; left--)
            space_close(space, s->map, f->outage[left - 1].cell, true);
        s->free = space_free(space, s->map);
    }
}

void plan_reset(struct plan *p, int64_t now, const space_row *map)
{
    const struct finder *f = p->finder;
    drop_stages(p, p->stages);
    insert_stage(p, 0, now, map);
    for (uint32_t i = 0; i < f->outages; i++)
        if (f->outage[i].until < INT64_MAX)
            split(p, f->outage[i].until);
    close_stages(p);
}

void plan_advance(struct plan *p, int64_t now)
{
    uint32_t i = find_stage(p, now);
    drop_stages(p, i);
    if (p->stage[0].from == now)
        return;
    p->stage[0].from = now;
    for (uint32_t k = 0; k < p->finder->kinds; k++) {
        if (p->stage[0].fails[k] != AT_ONCE)
            p->stage[0].fails[k] = INT64_MAX;
        p->stage[0].starts[k] = p->stage[0].starts[k] && !p->finder->outages;
    }
}

/* Two stages that no longer differ become one. */
static void join(struct plan *p, uint32_t i)
{
    size_t bytes = p->finder->space.words * sizeof(*p->together);
    if (!i || i >= p->stages || p->stage[i - 1].free != p->stage[i].free ||
        memcmp(p->stage[i - 1].map, p->stage[i].map, bytes) != 0)
        return;
    if (p->stage[i].given > p->stage[i - 1].given)
        p->stage[i - 1].given = p->stage[i].given;
    free_stage(&p->stage[i]);
    p->stages--;
    memmove(p->stage + i, p->stage + i + 1, (p->stages - i) * sizeof(*p->stage));
}

/* Something is given back between two times: what reached into that may now succeed. */
static void forget_fails(struct plan *p, int64_t from, int64_t to)
{
    for (uint32_t i = 0; i < p->stages && p->stage[i].from < to; i++) {
        struct plan_stage *s = &p->stage[i];
        for (uint32_t k = 0; k < p->finder->kinds; k++)
            if (s->from >= from || s->fails[k] > from - s->from)
                s->fails[k] = INT64_MAX;
    }
}

void plan_take(struct plan *p, int64_t from, int64_t to, const struct spot *spot, bool take)
{
    uint32_t first = split(p, from), last = split(p, to);
    if (!take) {
        forget_fails(p, from, to);
        p->gives++;
    }
    for (uint32_t i = first; i < last; i++) {
        struct plan_stage *s = &p->stage[i];
        if (p->counts) {
            s->free = take ? s->free - spot->count : s->free + spot->count;
        } else {
            spot_take(p->finder, s->map, spot, take);
            s->free = space_free(&p->finder->space, s->map);
        }
        if (take)
            memset(p->stage[i].starts, 0, p->finder->kinds * sizeof(bool));
        else
            p->stage[i].given = p->gives;
    }
    join(p, last);
    join(p, first);
}

/* ---- the earliest time ---- */

static bool is_held(const struct plan_held *held, const struct plan_stage *s)
{
    return held && s->from >= held->from && s->from < held->to;
}

/* Whether a stage cannot have a spot, by its free cells alone. */
static bool has_too_few(const struct plan *p, uint32_t kind, const struct plan_stage *s,
                        const struct plan_held *held)
{
    if (p->counts)
        return s->free + (is_held(held, s) ? held->spot->count : 0) < p->finder->kind[kind].cells;
    return !is_held(held, s) && !finder_may_fit(p->finder, kind, s->free);
}

/* Whether a stage up to a time has too few cells, and the last of those. */
static bool is_short(const struct plan *p, uint32_t kind, uint32_t from, int64_t to,
                     const struct plan_held *held, uint32_t *last)
{
    bool found = false;
    for (uint32_t i = from; i < p->stages && p->stage[i].from < to; i++)
        if (has_too_few(p, kind, &p->stage[i], held)) {
            *last = i;
            found = true;
        }
    return found;
}

/* Adds what is taken from a stage's end to a time; without what the asker holds, which nobody else
 * has then. */
static void add_later(struct plan *p, uint32_t from, int64_t to, const struct plan_held *held)
{
    const struct space *space = &p->finder->space;
    bool any = false;
    for (uint32_t i = from + 1; i < p->stages && p->stage[i].from < to; i++) {
        if (!is_held(held, &p->stage[i])) {
            space_add(space, p->together, p->stage[i].map);
            continue;
        }
        if (!any)
            memset(p->own, 0, space->words * sizeof(*p->own));
        any = true;
        space_add(space, p->own, p->stage[i].map);
    }
    if (any) {
        spot_take(p->finder, p->own, held->spot, false);
        space_add(space, p->together, p->own);
    }
}

/* A spot that stays free from a stage's begin for some seconds. */
static bool find_spot(struct plan *p, uint32_t kind, uint32_t from, int64_t seconds,
                      const struct plan_held *held, struct spot *spot)
{
    struct finder *f = p->finder;
    struct plan_stage *s = &p->stage[from];
    int64_t to = s->from + seconds;
    bool within = from + 1 == p->stages || p->stage[from + 1].from >= to;
    if (within || !s->starts[kind]) {
        if (!finder_find(f, s->map, kind, s->from, spot)) {
            s->fails[kind] = AT_ONCE;
            return false;
        }
        if (within)
            return true;
        spot_fini(spot);
        s->starts[kind] = true;
    }
    memcpy(p->together, s->map, f->space.words * sizeof(*p->together));
    add_later(p, from, to, held);
    if (finder_may_fit(f, kind, space_free(&f->space, p->together)) &&
        finder_find(f, p->together, kind, s->from, spot))
        return true;
    s->fails[kind] = seconds < s->fails[kind] ? seconds : s->fails[kind];
    return false;
}

/* Whether something was given back, since the asker last asked, from a stage's begin to a time. */
static bool is_given(const struct plan *p, uint32_t from, int64_t to, const struct plan_held *held)
{
    for (uint32_t i = from; i < p->stages && p->stage[i].from < to; i++)
        if (p->stage[i].given > held->gives)
            return true;
    return false;
}

int64_t plan_earliest(struct plan *p, uint32_t kind, int64_t seconds, const struct plan_held *held,
                      struct spot *spot)
{
    for (uint32_t i = 0; i < p->stages && (!held || p->stage[i].from < held->from); i++) {
        int64_t begin = p->stage[i].from, fails = p->stage[i].fails[kind];
        /* Known to have no spot; with what the asker holds there may be one. */
        bool known = fails <= seconds && (!held || begin + fails <= held->from);
        if (known || (held && !is_given(p, i, begin + seconds, held)) ||
            is_short(p, kind, i, begin + seconds, held, &i)) /* goes on behind it */
            continue;
        if (p->counts)
            *spot = (struct spot){.count = p->finder->kind[kind].cells};
        if (p->counts || find_spot(p, kind, i, seconds, held, spot))
            return begin;
    }
    return INT64_MAX;
}
