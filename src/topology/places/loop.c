/* The longest loop of a narrow plane, column by column. */
#include "topology/places/places.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/*
 * What is known of a loop between two columns: how the strands that lie behind connect its ends. It
 * goes on to the next column in some rows, and in a plane that is a ring along, it also passes the
 * seam, from the last column to the first. Ends 0 to 2 are rows here, ends 3 to 5 rows of the seam.
 */
enum { SEAM = LOOP_MOST_ACROSS, ENDS = 2 * LOOP_MOST_ACROSS, NO_END = 255 };

struct loop_state {
    uint8_t partner[ENDS]; /* the other end of its strand; NO_END: the loop does not pass there */
    bool closed;           /* the loop is complete */
};

/* What a loop may do in a column. */
struct crossing {
    uint8_t from, to; /* states before and behind it */
    uint8_t links;    /* within the column, a mask */
    uint8_t rows;     /* that it passes, a mask */
};

enum { MOST_STATES = 32, MOST_CROSSINGS = 160 };

/* Loops that pass the seam in the same rows. State 0 is the one before the first column. */
struct crossings {
    struct loop_state state[MOST_STATES];
    bool may_end[MOST_STATES]; /* behind the last column: there is one loop, or none */
    unsigned states;
    struct crossing list[MOST_CROSSINGS];
    unsigned count;
};

static unsigned open_rows(const struct loop_state *s)
{
    unsigned rows = 0;
    for (unsigned row = 0; row < SEAM; row++)
        rows |= s->partner[row] == NO_END ? 0 : 1u << row;
    return rows;
}

/* ---- one column ---- */

/* Links within a column: 01, 12, 20. */
static const uint8_t link_rows[3] = {3, 6, 5};

/* Ways from a point: links within its column, and to both neighbouring columns. */
enum { WAY_BACK = 3, WAY_ON };

struct column {
    const struct loop_state *from;
    unsigned links, on; /* that the loop takes; rows in which it goes on to the next column */
    unsigned passed;    /* rows that strands were followed through */
};

static unsigned ways_of(const struct column *c, unsigned row)
{
    unsigned ways = (unsigned)(c->from->partner[row] != NO_END) << WAY_BACK | (c->on >> row & 1)
                                                                                  << WAY_ON;
    for (unsigned l = 0; l < 3; l++)
        ways |= (c->links >> l & link_rows[l] >> row & 1) << l;
    return ways;
}

/* The rows that the loop passes; UINT_MAX: it would branch or stop in one of them. */
static unsigned rows_passed(const struct column *c)
{
    unsigned rows = 0;
    for (unsigned row = 0; row < LOOP_MOST_ACROSS; row++) {
        int ways = __builtin_popcount(ways_of(c, row));
        if (ways != 0 && ways != 2)
            return UINT_MAX;
        rows |= ways ? 1u << row : 0;
    }
    return rows;
}

/* The other end of a strand that comes to a row by a way. */
static uint8_t follow(struct column *c, unsigned row, unsigned came)
{
    for (;;) {
        c->passed |= 1u << row;
        unsigned way = (unsigned)__builtin_ctz(ways_of(c, row) & ~(1u << came));
        unsigned end = c->from->partner[row];
        if (way == WAY_ON || (way == WAY_BACK && end >= SEAM))
            return (uint8_t)(way == WAY_ON ? row : end);
        row = way == WAY_BACK ? end : (unsigned)__builtin_ctz(link_rows[way] & ~(1u << row));
        came = way;
    }
}

/* The state behind a column; false: what is there would not be part of one loop. */
static bool cross(struct column *c, unsigned rows, struct loop_state *to)
{
    bool seam = false;
    memset(to->partner, NO_END, sizeof(to->partner));
    for (unsigned end = 0; end < ENDS; end++) {
        uint8_t partner = c->from->partner[end];
        if (end < SEAM && c->on >> end & 1)
            to->partner[end] = follow(c, end, WAY_ON);
        else if (end >= SEAM && partner != NO_END)
            to->partner[end] = partner < SEAM ? follow(c, partner, WAY_BACK) : partner;
        seam |= to->partner[end] != NO_END;
    }
    bool closes = rows & ~c->passed;
    to->closed = closes || c->from->closed;
    return !to->closed || (!seam && closes != c->from->closed);
}

/* ---- all columns of a kind ---- */

static unsigned add_state(struct crossings *all, const struct loop_state *s)
{
    for (unsigned i = 0; i < all->states; i++)
        if (memcmp(&all->state[i], s, sizeof(*s)) == 0)
            return i;
    WEFT_CHECK(all->states < MOST_STATES, "loops have over %d states", MOST_STATES);
    all->state[all->states] = *s;
    return all->states++;
}

/* Whether the ends at the last column and at the seam, joined, make one loop. */
static bool joins(const struct loop_state *s, unsigned seam)
{
    unsigned strands = 0, first = SEAM;
    if (open_rows(s) != seam)
        return false;
    while (first < ENDS && s->partner[first] == NO_END)
        first++;
    if (first == ENDS)
        return true;
    unsigned end = first;
    do {
        end = (s->partner[end] + SEAM) % ENDS;
        strands++;
    } while (end != first);
    return strands == (unsigned)__builtin_popcount(seam);
}

static void add_crossings(struct crossings *all, unsigned from, unsigned links, unsigned column)
{
    /* Among loops of the same length the first in this order is taken: the one of the paper. */
    static const uint8_t order[] = {5, 6, 3, 0, 7, 1, 2, 4};
    for (unsigned i = 0; i < sizeof(order); i++)
        for (unsigned l = 8; l-- > 0;) {
            struct column c = {&all->state[from], l, order[i], 0};
            struct loop_state to;
            unsigned rows = rows_passed(&c);
            if ((l & ~links) || (c.on & ~column) || rows == UINT_MAX || !cross(&c, rows, &to))
                continue;
            WEFT_CHECK(all->count < MOST_CROSSINGS, "a column has %u crossings", all->count);
            all->list[all->count++] = (struct crossing){(uint8_t)from, (uint8_t)add_state(all, &to),
                                                        (uint8_t)l, (uint8_t)rows};
        }
}

/* Of loops that pass the seam in some rows. */
static void find_crossings(struct crossings *all, uint32_t across, bool ring, unsigned seam)
{
    unsigned links = across == 2 ? 1 : across == 3 ? (ring ? 7 : 3) : 0;
    struct loop_state start = {.closed = false};
    memset(start.partner, NO_END, sizeof(start.partner));
    for (unsigned row = 0; row < SEAM; row++)
        if (seam >> row & 1) {
            start.partner[row] = (uint8_t)(SEAM + row);
            start.partner[SEAM + row] = (uint8_t)row;
        }
    add_state(all, &start);
    for (unsigned from = 0; from < all->states; from++) {
        all->may_end[from] = joins(&all->state[from], seam);
        add_crossings(all, from, links, (1u << across) - 1);
    }
}

/* Columns of 0 to 3 points, and the ring of 3; rows of the seam. */
enum { RING = LOOP_MOST_ACROSS + 1, COLUMNS, SEAMS = 1 << LOOP_MOST_ACROSS };

static struct crossings column_crossings[COLUMNS][SEAMS];

static void find_all_crossings(void)
{
    for (unsigned i = 0; i < COLUMNS; i++)
        for (unsigned across = i == RING ? LOOP_MOST_ACROSS : i, seam = 0; seam < 1u << across;
             seam++)
            find_crossings(&column_crossings[i][seam], across, i == RING, seam);
}

/* [seam]. */
static const struct crossings *crossings_of(const struct plane *p)
{
    static pthread_once_t found = PTHREAD_ONCE_INIT;
    WEFT_CHECK(p->across <= LOOP_MOST_ACROSS, "a plane is %u across", p->across);
    pthread_once(&found, find_all_crossings);
    return column_crossings[p->ring_across && p->across == LOOP_MOST_ACROSS ? RING : p->across];
}

static unsigned dead_rows(const struct plane *p, uint32_t column)
{
    return p->dead ? p->dead[column] : 0;
}

enum { IMPOSSIBLE = -1 };

/* The most points behind the last column, for each state. */
static void end_best(const struct crossings *all, int64_t *best)
{
    for (unsigned s = 0; s < all->states; s++)
        best[s] = all->may_end[s] ? 0 : IMPOSSIBLE;
}

/* The most points of a loop that crosses a column so, by those from the next column on. */
static int64_t points_by(const struct crossing *c, unsigned dead, const int64_t *next)
{
    bool possible = next[c->to] != IMPOSSIBLE && !(c->rows & dead);
    return possible ? next[c->to] + __builtin_popcount(c->rows) : IMPOSSIBLE;
}

/* The most points from a column on, for each state before it, by those from the next one on. */
static void step_best(const struct plane *p, const struct crossings *all, uint32_t column,
                      const int64_t *next, int64_t *here)
{
    unsigned dead = dead_rows(p, column);
    for (unsigned s = 0; s < all->states; s++)
        here[s] = IMPOSSIBLE;
    for (unsigned i = 0; i < all->count; i++) {
        const struct crossing *c = &all->list[i];
        int64_t points = points_by(c, dead, next);
        here[c->from] = points > here[c->from] ? points : here[c->from];
    }
}

/* [column * states + state]. */
static int64_t *find_best(const struct plane *p, const struct crossings *all)
{
    int64_t *best = memory_alloc((size_t)(p->along + 1) * all->states, sizeof(*best));
    end_best(all, best + (size_t)p->along * all->states);
    for (uint32_t column = p->along; column-- > 0;) {
        int64_t *here = best + (size_t)column * all->states;
        step_best(p, all, column, here + all->states, here);
    }
    return best;
}

/* Points of the longest loop that passes the seam so; 0: there is none. */
static uint32_t longest(const struct plane *p, const struct crossings *all)
{
    int64_t best[2][MOST_STATES];
    unsigned here = 0;
    end_best(all, best[here]);
    for (uint32_t column = p->along; column-- > 0; here = !here)
        step_best(p, all, column, best[here], best[!here]);
    return best[here][0] == IMPOSSIBLE ? 0 : (uint32_t)best[here][0];
}

static uint32_t living_points(const struct plane *p)
{
    uint32_t living = 0, column = (1u << p->across) - 1;
    for (uint32_t i = 0; i < p->along; i++)
        living += (uint32_t)__builtin_popcount(column & ~dead_rows(p, i));
    return living;
}

/* The seam of the longest loop, one that is not passed if that will do; and its points. A ring of
 * two columns has no other loops than the line. */
static const struct crossings *find_seam(const struct plane *p, uint32_t *length)
{
    const struct crossings *all = crossings_of(p), *best = all;
    uint32_t living = living_points(p), seams = p->ring_along && p->along > 2 ? 1u << p->across : 1;
    *length = longest(p, all);
    for (uint32_t seam = 1; seam < seams && *length < living; seam++) {
        uint32_t points = longest(p, &all[seam]);
        best = points > *length ? &all[seam] : best;
        *length = points > *length ? points : *length;
    }
    return best;
}

/* ---- loops of less than three ---- */

static bool lives(const struct plane *p, uint32_t i, uint32_t j)
{
    return i < p->along && j < p->across && !(dead_rows(p, i) >> j & 1);
}

static uint32_t find_short(const struct plane *p, uint32_t *point)
{
    uint32_t length = 0;
    for (uint32_t i = 0; i < p->along && length < 2; i++)
        for (uint32_t j = 0; j < p->across && length < 2; j++) {
            if (!lives(p, i, j))
                continue;
            uint32_t here = i * p->across + j, next = UINT32_MAX;
            if (lives(p, i, j + 1))
                next = here + 1;
            else if (lives(p, i + 1, j))
                next = here + p->across;
            else if (p->ring_across && p->across == 3 && j == 0 && lives(p, i, 2))
                next = here + 2;
            else if (p->ring_along && i == 0 && p->along > 2 && lives(p, p->along - 1, j))
                next = (p->along - 1) * p->across + j;
            if (length && next == UINT32_MAX)
                continue;
            point[0] = here;
            length = 1;
            if (next != UINT32_MAX)
                point[length++] = next;
        }
    return length;
}

/* ---- the loop itself ---- */

/* The two neighbours of every point on the loop: [point]. */
typedef uint32_t strands[2];

static void tie(strands *next_of, uint32_t a, uint32_t b)
{
    uint32_t ends[2] = {a, b};
    for (unsigned i = 0; i < 2; i++) {
        uint32_t *next = next_of[ends[i]];
        next[next[0] != UINT32_MAX] = ends[1 - i];
    }
}

static void tie_column(strands *s, const struct plane *p, uint32_t column, unsigned links,
                       unsigned on)
{
    static const uint8_t ends[3][2] = {{0, 1}, {1, 2}, {0, 2}};
    uint32_t first = column * p->across, next = (column + 1) % p->along * p->across;
    for (unsigned l = 0; l < 3; l++)
        if (links >> l & 1)
            tie(s, first + ends[l][0], first + ends[l][1]);
    for (unsigned row = 0; row < p->across; row++)
        if (on >> row & 1)
            tie(s, first + row, next + row);
}

static const struct crossing *choose_crossing(const struct plane *p, const struct crossings *all,
                                              const int64_t *best, uint32_t column, unsigned state)
{
    const int64_t *here = best + (size_t)column * all->states, *next = here + all->states;
    for (unsigned i = 0; i < all->count; i++) {
        const struct crossing *c = &all->list[i];
        if (c->from == state && points_by(c, dead_rows(p, column), next) == here[state])
            return c;
    }
    WEFT_CHECK(false, "no way leads on from column %u", column);
    return NULL;
}

/* Goes round: from the first point, to the lower one of its neighbours. */
static uint32_t walk(const struct plane *p, const strands *s, uint32_t *point)
{
    uint32_t first = 0, length = 0;
    while (s[first][0] == UINT32_MAX)
        first++;
    uint32_t here = first, before = UINT32_MAX;
    do {
        const uint32_t *next = s[here];
        point[length++] = here;
        bool lower = before == UINT32_MAX ? next[0] < next[1] : next[0] != before;
        before = here;
        here = next[!lower];
    } while (here != first && length <= (uint64_t)p->along * p->across);
    return length;
}

uint32_t loop_find(const struct plane *p, uint32_t *point)
{
    uint32_t length;
    const struct crossings *all = find_seam(p, &length);
    if (length == 0)
        return find_short(p, point);
    int64_t *best = find_best(p, all);
    strands *s = memory_alloc((size_t)p->along * p->across, sizeof(*s));
    memset(s, 0xff, (size_t)p->along * p->across * sizeof(*s));
    unsigned state = 0;
    for (uint32_t column = 0; column < p->along; column++) {
        const struct crossing *c = choose_crossing(p, all, best, column, state);
        tie_column(s, p, column, c->links, open_rows(&all->state[c->to]));
        state = c->to;
    }
    length = walk(p, s, point);
    free(s);
    free(best);
    return length;
}

uint32_t loop_length(const struct plane *p)
{
    uint32_t length, point[2];
    find_seam(p, &length);
    return length ? length : find_short(p, point);
}
