/* The longest loop of a narrow plane, column by column. */
#include "topology/places/places.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What is known of a loop between two columns: not begun, open at two rows, or closed. */
enum loop_state { NOT_BEGUN, OPEN_02, OPEN_12, OPEN_01, CLOSED, LOOP_STATES };

static const uint8_t open_rows[LOOP_STATES] = {[OPEN_02] = 5, [OPEN_12] = 6, [OPEN_01] = 3};

/* Links within a column: 01, 12, 20. */
static const uint8_t link_rows[3] = {3, 6, 5};

/* What a loop may do in a column. */
struct crossing {
    uint8_t from, to; /* enum loop_state */
    uint8_t links;    /* within the column, a mask */
    uint8_t rows;     /* that it passes, a mask */
};

enum { MOST_CROSSINGS = 64 };

struct crossings {
    struct crossing list[MOST_CROSSINGS];
    unsigned count;
};

/* The rows that links connect with a row, itself included. */
static unsigned connected_rows(unsigned links, unsigned row)
{
    unsigned rows = 1u << row;
    for (unsigned again = 0; again < 2; again++)
        for (unsigned l = 0; l < 3; l++)
            if (links >> l & 1 && rows & link_rows[l])
                rows |= link_rows[l];
    return rows;
}

/* Whether every row that a crossing touches has two of its links. */
static bool is_even(const struct crossing *c)
{
    for (unsigned row = 0; row < 3; row++) {
        unsigned degree = (open_rows[c->from] >> row & 1) + (open_rows[c->to] >> row & 1);
        for (unsigned l = 0; l < 3; l++)
            degree += (c->links >> l & 1) && (link_rows[l] >> row & 1);
        if (degree != (c->rows >> row & 1 ? 2u : 0u))
            return false;
    }
    return true;
}

/* Whether a crossing is part of one loop: begins it, goes on with it, or ends it. */
static bool is_one_loop(const struct crossing *c)
{
    unsigned in = open_rows[c->from], out = open_rows[c->to];
    if (!c->rows)
        return c->from == c->to;
    if (!is_even(c))
        return false;
    unsigned there = connected_rows(c->links, (unsigned)__builtin_ctz(c->rows));
    if (!in || !out) /* all in one piece */
        return there == c->rows && (in || c->from == NOT_BEGUN) && (out || c->to == CLOSED);
    return there != c->rows && __builtin_popcount(there & in) == 1; /* two strands, not joined */
}

static struct crossings find_crossings(uint32_t across, bool ring)
{
    /* Among loops of the same length the first in this order is taken: the one of the paper. */
    static const uint8_t order[] = {OPEN_02, OPEN_12, OPEN_01, CLOSED, NOT_BEGUN};
    struct crossings all = {.count = 0};
    unsigned links = across == 2 ? 1 : across == 3 ? (ring ? 7 : 3) : 0;
    unsigned column = (1u << across) - 1;
    for (unsigned to = 0; to < LOOP_STATES; to++)
        for (unsigned from = 0; from < LOOP_STATES; from++)
            for (unsigned l = 0; l < 8; l++) {
                struct crossing c = {(uint8_t)from, order[to], (uint8_t)l, 0};
                c.rows = open_rows[c.from] | open_rows[c.to];
                for (unsigned i = 0; i < 3; i++)
                    c.rows |= l >> i & 1 ? link_rows[i] : 0;
                if ((l & ~links) || (c.rows & ~column) || !is_one_loop(&c))
                    continue;
                WEFT_CHECK(all.count < MOST_CROSSINGS, "a column has %u crossings", all.count);
                all.list[all.count++] = c;
            }
    return all;
}

/* Columns of 0 to 3 points, and the ring of 3. */
enum { RING = LOOP_MOST_ACROSS + 1, COLUMNS };

static struct crossings column_crossings[COLUMNS];

static void find_all_crossings(void)
{
    for (unsigned i = 0; i < COLUMNS; i++)
        column_crossings[i] = find_crossings(i == RING ? LOOP_MOST_ACROSS : i, i == RING);
}

static const struct crossings *crossings_of(const struct plane *p)
{
    static pthread_once_t found = PTHREAD_ONCE_INIT;
    WEFT_CHECK(p->across <= LOOP_MOST_ACROSS, "a plane is %u across", p->across);
    pthread_once(&found, find_all_crossings);
    return &column_crossings[p->ring && p->across == LOOP_MOST_ACROSS ? RING : p->across];
}

static unsigned dead_rows(const struct plane *p, uint32_t column)
{
    return p->dead ? p->dead[column] : 0;
}

enum { IMPOSSIBLE = -1 };

/* The most points behind the last column, for each state. */
static void end_best(int64_t best[LOOP_STATES])
{
    for (unsigned s = 0; s < LOOP_STATES; s++)
        best[s] = s == NOT_BEGUN || s == CLOSED ? 0 : IMPOSSIBLE;
}

/* The most points of a loop that crosses a column so, by those from the next column on. */
static int64_t points_by(const struct crossing *c, unsigned dead, const int64_t next[LOOP_STATES])
{
    bool possible = next[c->to] != IMPOSSIBLE && !(c->rows & dead);
    return possible ? next[c->to] + __builtin_popcount(c->rows) : IMPOSSIBLE;
}

/* The most points from a column on, for each state before it, by those from the next one on. */
static void step_best(const struct plane *p, const struct crossings *all, uint32_t column,
                      const int64_t next[LOOP_STATES], int64_t here[LOOP_STATES])
{
    unsigned dead = dead_rows(p, column);
    for (unsigned s = 0; s < LOOP_STATES; s++)
        here[s] = IMPOSSIBLE;
    for (unsigned i = 0; i < all->count; i++) {
        const struct crossing *c = &all->list[i];
        int64_t points = points_by(c, dead, next);
        here[c->from] = points > here[c->from] ? points : here[c->from];
    }
}

/* [column * LOOP_STATES + state]. */
static int64_t *find_best(const struct plane *p, const struct crossings *all)
{
    int64_t *best = memory_alloc((size_t)(p->along + 1) * LOOP_STATES, sizeof(*best));
    end_best(best + (size_t)p->along * LOOP_STATES);
    for (uint32_t column = p->along; column-- > 0;) {
        int64_t *here = best + (size_t)column * LOOP_STATES;
        step_best(p, all, column, here + LOOP_STATES, here);
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
            else if (p->ring && p->across == 3 && j == 0 && lives(p, i, 2))
                next = here + 2;
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

static void tie_column(strands *s, const struct plane *p, uint32_t column, const struct crossing *c)
{
    static const uint8_t ends[3][2] = {{0, 1}, {1, 2}, {0, 2}};
    uint32_t first = column * p->across;
    for (unsigned l = 0; l < 3; l++)
        if (c->links >> l & 1)
            tie(s, first + ends[l][0], first + ends[l][1]);
    for (unsigned row = 0; row < 3; row++)
        if (open_rows[c->to] >> row & 1)
            tie(s, first + row, first + row + p->across);
}

static const struct crossing *choose_crossing(const struct plane *p, const struct crossings *all,
                                              const int64_t *best, uint32_t column, unsigned state)
{
    const int64_t *here = best + (size_t)column * LOOP_STATES, *next = here + LOOP_STATES;
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
    const struct crossings *all = crossings_of(p);
    int64_t *best = find_best(p, all);
    uint32_t length = (uint32_t)best[NOT_BEGUN];
    if (length == 0) {
        length = find_short(p, point);
    } else {
        strands *s = memory_alloc((size_t)p->along * p->across, sizeof(*s));
        memset(s, 0xff, (size_t)p->along * p->across * sizeof(*s));
        unsigned state = NOT_BEGUN;
        for (uint32_t column = 0; column < p->along; column++) {
            const struct crossing *c = choose_crossing(p, all, best, column, state);
            tie_column(s, p, column, c);
            state = c->to;
        }
        length = walk(p, s, point);
        free(s);
    }
    free(best);
    return length;
}

uint32_t loop_length(const struct plane *p)
{
    const struct crossings *all = crossings_of(p);
    int64_t best[2][LOOP_STATES];
    unsigned here = 0;
    end_best(best[here]);
    for (uint32_t column = p->along; column-- > 0; here = !here)
        step_best(p, all, column, best[here], best[!here]);
    uint32_t length = (uint32_t)best[here][NOT_BEGUN], point[2];
    return length ? length : find_short(p, point);
}
