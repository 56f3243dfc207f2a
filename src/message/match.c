/* Rings of entries by the hash of their envelope, and a list per process of what arrived. */
#include "message/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"

struct match_entry {
    struct envelope envelope;
    uint64_t order; /* of a receive: posted before those with a higher one */
    uint32_t value;
    uint32_t next;          /* in its ring */
    uint32_t before, after; /* of a message: in the list of its process */
};

static struct match_entry *entry_at(const struct match *m, uint32_t index)
{
    return (struct match_entry *)m->entries.item + index;
}

static uint64_t hash_of(const struct envelope *e)
{
    uint64_t low = random_mix((uint64_t)e->source << 32 | e->tag);
    return low ^ ((uint64_t)e->process << 32 | e->context) * 0x9e3779b97f4a7c15u;
}

static bool is_open(const struct envelope *receive)
{
    return receive->source == MATCH_ANY || receive->tag == MATCH_ANY;
}

static bool fits(const struct envelope *receive, const struct envelope *message)
{
    return receive->context == message->context &&
           (receive->source == MATCH_ANY || receive->source == message->source) &&
           (receive->tag == MATCH_ANY || receive->tag == message->tag);
}

/* ---- rings ---- */

static void ring_add(struct match *m, struct map *rings, uint32_t index)
{
    struct match_entry *e = entry_at(m, index);
    uint32_t *newest = map_add(rings, hash_of(&e->envelope), index);
    e->next = index;
    if (*newest == index)
        return;
    e->next = entry_at(m, *newest)->next;
    entry_at(m, *newest)->next = index;
    *newest = index;
}

/* Where an entry is: in a ring, after `before`. */
struct position {
    uint32_t *newest; /* of the ring, in its map; valid until a key is added or removed */
    uint32_t index, before;
};

/* The oldest entry with exactly this envelope, that is_it() says yes to, if it is not NULL; index
 * MATCH_NONE: there is none. */
static struct position ring_find(const struct match *m, const struct map *rings,
                                 const struct envelope *envelope,
                                 bool (*is_it)(void *arg, uint32_t value), void *arg)
{
    struct position p = {.newest = map_find(rings, hash_of(envelope)), .index = MATCH_NONE};
    if (!p.newest)
        return p;
    uint32_t at = *p.newest;
    do {
        p.before = at;
        at = entry_at(m, at)->next;
        if (memcmp(&entry_at(m, at)->envelope, envelope, sizeof(*envelope)) == 0 &&
            (!is_it || is_it(arg, entry_at(m, at)->value))) {
            p.index = at;
            return p;
        }
    } while (at != *p.newest);
    return p;
}

/* Takes an entry out of its ring; returns its value. */
static uint32_t ring_take(struct match *m, struct map *rings, const struct position *p)
{
    uint32_t value = entry_at(m, p->index)->value;
    entry_at(m, p->before)->next = entry_at(m, p->index)->next;
    if (p->before == p->index)
        map_drop(rings, p->newest);
    else if (*p->newest == p->index)
        *p->newest = p->before;
    slots_put(&m->entries, p->index);
    return value;
}

/* ---- receives ---- */

void match_add_posted(struct match *m, const struct envelope *receive, uint32_t value)
{
    uint32_t index = slots_get(&m->entries);
    *entry_at(m, index) =
        (struct match_entry){.envelope = *receive, .order = m->order++, .value = value};
    m->process[receive->process].open += is_open(receive);
    ring_add(m, &m->posted, index);
}

uint32_t match_take_posted(struct match *m, const struct envelope *message)
{
    struct match_process *p = &m->process[message->process];
    struct position best = ring_find(m, &m->posted, message, NULL, NULL);
    for (unsigned open = 1; p->open && open < 4; open++) {
        struct envelope receive = *message;
        receive.source = open & 1 ? MATCH_ANY : receive.source;
        receive.tag = open & 2 ? MATCH_ANY : receive.tag;
        struct position found = ring_find(m, &m->posted, &receive, NULL, NULL);
        if (found.index != MATCH_NONE &&
            (best.index == MATCH_NONE ||
             entry_at(m, found.index)->order < entry_at(m, best.index)->order))
            best = found;
    }
    if (best.index == MATCH_NONE)
        return MATCH_NONE;
    p->open -= is_open(&entry_at(m, best.index)->envelope);
    return ring_take(m, &m->posted, &best);
}

uint32_t match_take_back(struct match *m, const struct envelope *receive,
                         bool (*is_it)(void *arg, uint32_t value), void *arg)
{
    struct position p = ring_find(m, &m->posted, receive, is_it, arg);
    if (p.index == MATCH_NONE)
        return MATCH_NONE;
    m->process[receive->process].open -= is_open(receive);
    return ring_take(m, &m->posted, &p);
}

/* ---- messages ---- */

void match_add_arrived(struct match *m, const struct envelope *message, uint32_t value)
{
    uint32_t index = slots_get(&m->entries);
    struct match_process *p = &m->process[message->process];
    *entry_at(m, index) = (struct match_entry){
        .envelope = *message, .value = value, .before = p->last, .after = MATCH_NONE};
    *(p->last == MATCH_NONE ? &p->first : &entry_at(m, p->last)->after) = index;
    p->last = index;
    ring_add(m, &m->arrived, index);
}

static struct position find_arrived(const struct match *m, const struct envelope *receive)
{
    const struct envelope *exact = receive;
    if (is_open(receive)) {
        uint32_t at = m->process[receive->process].first;
        while (at != MATCH_NONE && !fits(receive, &entry_at(m, at)->envelope))
            at = entry_at(m, at)->after;
        if (at == MATCH_NONE)
            return (struct position){.index = MATCH_NONE};
        exact = &entry_at(m, at)->envelope;
    }
    return ring_find(m, &m->arrived, exact, NULL, NULL);
}

uint32_t match_take_arrived(struct match *m, const struct envelope *receive)
{
    struct match_process *p = &m->process[receive->process];
    if (p->first == MATCH_NONE)
        return MATCH_NONE;
    struct position found = find_arrived(m, receive);
    if (found.index == MATCH_NONE)
        return MATCH_NONE;
    const struct match_entry *e = entry_at(m, found.index);
    *(e->before == MATCH_NONE ? &p->first : &entry_at(m, e->before)->after) = e->after;
    *(e->after == MATCH_NONE ? &p->last : &entry_at(m, e->after)->before) = e->before;
    return ring_take(m, &m->arrived, &found);
}

uint32_t match_probe(const struct match *m, const struct envelope *receive,
                     struct envelope *message)
{
    struct position found = find_arrived(m, receive);
    if (found.index == MATCH_NONE)
        return MATCH_NONE;
    *message = entry_at(m, found.index)->envelope;
    return entry_at(m, found.index)->value;
}

/* ---- life cycle ---- */

void match_init(struct match *m, uint32_t processes)
{
    *m = (struct match){.processes = processes};
    slots_init(&m->entries, sizeof(struct match_entry), offsetof(struct match_entry, next));
    m->process = memory_alloc(processes, sizeof(*m->process));
    for (uint32_t i = 0; i < processes; i++)
        m->process[i] = (struct match_process){.first = MATCH_NONE, .last = MATCH_NONE};
}

void match_fini(struct match *m)
{
    slots_fini(&m->entries);
    map_fini(&m->posted);
    map_fini(&m->arrived);
    free(m->process);
}

uint32_t match_posted(const struct match *m, uint32_t process, struct envelope *oldest)
{
    uint32_t count = 0;
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < m->posted.capacity; i++) {
        const struct map_entry *ring = &m->posted.entry[i];
        uint32_t at = ring->value;
        do {
            const struct match_entry *e = ring->used ? entry_at(m, at) : NULL;
            if (e && e->envelope.process == process) {
                count++;
                if (e->order < first) {
                    first = e->order;
                    *oldest = e->envelope;
                }
            }
            at = e ? e->next : ring->value;
        } while (at != ring->value);
    }
    return count;
}

void match_archive(struct match *m, struct archive *a)
{
    slots_archive(&m->entries, a);
    map_archive(&m->posted, a);
    map_archive(&m->arrived, a);
    archive_bytes(a, m->process, m->processes * sizeof(*m->process));
    archive_bytes(a, &m->order, sizeof(m->order));
}

/* ---- whether a state can be one ---- */

/* A check of a table: entries found in rings, and in lists of processes; receives need no list. */
struct check {
    const struct match *m;
    struct visited ringed, listed;
    uint32_t *open; /* [process] */
    bool (*visit)(void *arg, const struct envelope *e, bool posted, uint32_t value);
    void *arg;
};

static bool is_entry(struct check *c, uint32_t at, uint64_t hash, bool posted)
{
    const struct match_entry *e = entry_at(c->m, at);
    const struct envelope *v = &e->envelope;
    if (v->process >= c->m->processes || hash_of(v) != hash || (!posted && is_open(v)))
        return false;
    c->open[v->process] += posted && is_open(v);
    return (!posted || visited_mark(&c->listed, at)) && c->visit(c->arg, v, posted, e->value);
}

/* Every entry of a ring is where its envelope belongs. */
static bool are_rings(struct check *c, const struct map *rings, bool posted)
{
    for (uint32_t i = 0; i < rings->capacity; i++) {
        const struct map_entry *ring = &rings->entry[i];
        uint32_t at = ring->value;
        if (ring->used && !visited_ring(&c->ringed, slots_items(&c->m->entries), at))
            return false;
        for (bool more = ring->used; more; more = at != ring->value) {
            if (!is_entry(c, at, ring->key, posted))
                return false;
            at = entry_at(c->m, at)->next;
        }
    }
    return true;
}

/* The list of a process holds its own messages, each once. */
static bool is_list(struct check *c, uint32_t process)
{
    uint32_t before = MATCH_NONE;
    for (uint32_t at = c->m->process[process].first; at != MATCH_NONE;) {
        if (!visited_mark(&c->listed, at))
            return false;
        const struct match_entry *e = entry_at(c->m, at);
        if (e->envelope.process != process || e->before != before)
            return false;
        before = at;
        at = e->after;
    }
    return c->m->process[process].last == before;
}

bool match_is_sound(const struct match *m,
                    bool (*visit)(void *, const struct envelope *, bool, uint32_t), void *arg)
{
    struct check c = {.m = m, .visit = visit, .arg = arg};
    c.open = memory_alloc(m->processes, sizeof(*c.open));
    bool right = slots_visited(&m->entries, &c.ringed);
    right = slots_visited(&m->entries, &c.listed) && right && are_rings(&c, &m->posted, true) &&
            are_rings(&c, &m->arrived, false);
    for (uint32_t p = 0; p < m->processes && right; p++)
        right = m->process[p].open == c.open[p] && is_list(&c, p);
    right = right && visited_is_full(&c.ringed) && visited_is_full(&c.listed);
    visited_fini(&c.ringed);
    visited_fini(&c.listed);
    free(c.open);
    return right;
}
