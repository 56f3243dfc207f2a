/* Maps of cells, and the places in them. */
#include "topology/places/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void space_init(struct space *s, const uint32_t size[SPACE_AXES], const bool wrap[SPACE_AXES],
                bool wired)
{
    *s = (struct space){
        .wired = wired, .rows = size[1] * size[2], .cells = size[0] * size[1] * size[2]};
    WEFT_CHECK(size[0] <= SPACE_MOST_ALONG, "a row has %u cells", size[0]);
    memcpy(s->size, size, sizeof(s->size));
    memcpy(s->wrap, wrap, sizeof(s->wrap));
    s->words = s->rows * (wired ? SPACE_WIRES + SPACE_AXES : SPACE_WIRES);
    s->scratch = memory_alloc(2 * (size_t)s->rows, sizeof(*s->scratch));
}

void space_fini(struct space *s)
{
    free(s->scratch);
    s->scratch = NULL;
}

space_row *space_map(const struct space *s)
{
    return memory_alloc(s->words, sizeof(space_row));
}

static space_row *map_layer(const struct space *s, space_row *map, unsigned which)
{
    return map + (size_t)which * s->rows;
}

static space_row ones(uint32_t count)
{
    return count >= 64 ? UINT64_MAX : (1ull << count) - 1;
}

static void fill_rows(const struct space *s, space_row *rows, const struct place *p, bool set)
{
    uint32_t left = s->size[0] - p->at[0], fits = left < p->size[0] ? left : p->size[0];
    space_row run = ones(fits) << p->at[0] | ones(p->size[0] - fits); /* around the row's end */
    for (uint32_t z = 0; z < p->size[2]; z++)
        for (uint32_t y = 0; y < p->size[1]; y++) {
            space_row *row =
                &rows[(p->at[1] + y) % s->size[1] + s->size[1] * ((p->at[2] + z) % s->size[2])];
            *row = set ? *row | run : *row & ~run;
        }
}

/* Whether a ring of so many cells along an axis goes back over a wire. */
static bool needs_wire(const struct space *s, unsigned axis, uint32_t size)
{
    return s->wired && size > 1 && size < s->size[axis];
}

void space_take(const struct space *s, space_row *map, const struct place *p, bool take)
{
    fill_rows(s, map_layer(s, map, SPACE_TAKEN), p, take);
    for (unsigned d = 0; d < SPACE_AXES; d++) {
        struct place rows = *p;
        rows.size[d] = s->size[d];
        if (needs_wire(s, d, p->size[d]))
            fill_rows(s, map_layer(s, map, SPACE_WIRES + d), &rows, take);
    }
}

int space_conflict(const struct space *s, const struct place *a, const struct place *b)
{
    space_row *of_a = space_map(s), *of_b = space_map(s);
    int both = -1;
    space_take(s, of_a, a, true);
    space_take(s, of_b, b, true);
    for (uint32_t i = 0; i < s->words && both < 0; i++)
        both = of_a[i] & of_b[i] ? (int)(i / s->rows) : -1;
    free(of_a);
    free(of_b);
    return both;
}

void space_close(const struct space *s, space_row *map, uint32_t cell, bool close)
{
    space_row *row = &map_layer(s, map, SPACE_CLOSED)[cell / s->size[0]];
    space_row bit = 1ull << cell % s->size[0];
    *row = close ? *row | bit : *row & ~bit;
}

static space_row open_cells(const struct space *s, const space_row *map, uint32_t row)
{
    return ~(map[row] | map[row + s->rows]) & ones(s->size[0]);
}

bool space_scatter(const struct space *s, const space_row *map, uint32_t cells, space_row *taken)
{
    for (uint32_t i = 0; i < s->rows && cells; i++) {
        space_row left = open_cells(s, map, i);
        while (left && cells) {
            taken[i] |= left & -left;
            left &= left - 1;
            cells--;
        }
    }
    return !cells;
}

uint32_t space_free(const struct space *s, const space_row *map)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->rows; i++)
        count += (uint32_t)__builtin_popcountll(open_cells(s, map, i));
    return count;
}

void space_reach(const struct space *s, const space_row *map, uint32_t cell,
                 uint32_t reach[SPACE_AXES])
{
    uint32_t at[SPACE_AXES] = {cell % s->size[0], cell / s->size[0] % s->size[1],
                               cell / s->size[0] / s->size[1]};
    for (unsigned d = 0; d < SPACE_AXES; d++) {
        uint32_t n = s->size[d];
        reach[d] = 0;
        for (unsigned back = 0; back < 2 && (!back || reach[d]); back++)
            for (uint32_t i = back; i < n && reach[d] < n; i++) {
                uint32_t c[SPACE_AXES] = {at[0], at[1], at[2]};
                if (!s->wrap[d] && (back ? i > at[d] : at[d] + i >= n))
                    break;
                c[d] = (back ? at[d] + n - i : at[d] + i) % n;
                if (!(open_cells(s, map, c[1] + s->size[1] * c[2]) >> c[0] & 1))
                    break;
                reach[d]++;
            }
    }
}

void space_add(const struct space *s, space_row *map, const space_row *other)
{
    for (uint32_t i = 0; i < s->words; i++)
        map[i] |= other[i];
}

void space_remove(const struct space *s, space_row *map, const space_row *other)
{
    for (uint32_t i = 0; i < s->words; i++)
        map[i] &= ~other[i];
}

/* ---- places ---- */

/* Row by row, cells that `step` free ones in a row begin at become those that `step + more` do. */
static void shift_rows(const struct space *s, space_row *map, uint32_t more)
{
    uint32_t n = s->size[0];
    space_row all = ones(n);
    if (s->wrap[0])
        for (uint32_t i = 0; i < s->rows; i++)
            map[i] &= (map[i] >> more | map[i] << (n - more)) & all;
    else
        for (uint32_t i = 0; i < s->rows; i++)
            map[i] &= map[i] >> more;
}

/* The same for blocks of `width` words, of which there are `count` in a ring or line, in each of
 * `groups` groups: block k takes what block k + more has. */
static void shift_blocks(space_row *to, const space_row *from, uint32_t width, uint32_t count,
                         uint32_t groups, uint32_t more, bool wrap)
{
    size_t inside = (size_t)(count - more) * width, whole = (size_t)count * width;
    for (uint32_t g = 0; g < groups; g++, to += whole, from += whole) {
        for (size_t i = 0; i < inside; i++)
            to[i] = from[i] & from[i + (size_t)more * width];
        for (size_t i = inside; i < whole; i++)
            to[i] = wrap ? from[i] & from[i - inside] : 0;
    }
}

/* Lets corners of one cell grow to corners of `length`, doubling; each step overlaps at the last.
 */
static space_row *grow(struct space *s, space_row *map, unsigned axis, uint32_t length)
{
    uint32_t width = axis == 1 ? 1 : s->size[1], groups = axis == 1 ? s->size[2] : 1;
    for (uint32_t done = 1; done < length;) {
        uint32_t more = length - done < done ? length - done : done;
        space_row *to = map == s->scratch ? s->scratch + s->rows : s->scratch;
        done += more;
        if (axis == 0) {
            shift_rows(s, map, more);
            continue;
        }
        shift_blocks(to, map, width, s->size[axis], groups, more, s->wrap[axis]);
        map = to;
    }
    return map;
}

/* Cells of one layer that a place of a size can use. */
static void usable(const struct space *s, const space_row *map, const uint32_t size[SPACE_AXES],
                   bool closed, space_row *rows)
{
    space_row all = ones(s->size[0]);
    for (uint32_t i = 0; i < s->rows; i++)
        rows[i] = ~(closed ? map[i] : map[i] | map[i + s->rows]) & all;
    for (unsigned d = 0; d < SPACE_AXES; d++)
        for (uint32_t i = 0; i < s->rows && needs_wire(s, d, size[d]); i++)
            rows[i] &= ~map[i + (SPACE_WIRES + d) * s->rows];
}

static bool has_any(const struct space *s, const space_row *rows)
{
    space_row any = 0;
    for (uint32_t i = 0; i < s->rows; i++)
        any |= rows[i];
    return any;
}

const space_row *space_corners(struct space *s, const space_row *map,
                               const uint32_t size[SPACE_AXES], bool closed)
{
    space_row *rows = s->scratch;
    if (size[0] > s->size[0] || size[1] > s->size[1] || size[2] > s->size[2]) {
        memset(rows, 0, s->rows * sizeof(*rows));
        return rows;
    }
    usable(s, map, size, closed, rows);
    for (unsigned d = 0; d < SPACE_AXES && (!d || has_any(s, rows)); d++)
        rows = grow(s, rows, d, size[d]);
    return rows;
}

bool space_find(struct space *s, const space_row *map, const uint32_t size[SPACE_AXES],
                struct place *place)
{
    const space_row *corners = space_corners(s, map, size, false);
    for (uint32_t i = 0; i < s->rows; i++)
        if (corners[i]) {
            *place = (struct place){
                {(uint32_t)__builtin_ctzll(corners[i]), i % s->size[1], i / s->size[1]},
                {size[0], size[1], size[2]}};
            return true;
        }
    return false;
}

/* ---- tallies: summed-volume tables ---- */

static size_t index_of(const struct tally *t, uint32_t x, uint32_t y, uint32_t z)
{
    return x + (size_t)(t->size[0] + 1) * (y + (size_t)(t->size[1] + 1) * z);
}

static size_t sums(const struct tally *t)
{
    return index_of(t, t->size[0], t->size[1], t->size[2]) + 1;
}

void tally_init(struct tally *t, const uint32_t size[SPACE_AXES])
{
    memcpy(t->size, size, sizeof(t->size));
    t->sum = memory_alloc(sums(t), sizeof(*t->sum));
}

void tally_fini(struct tally *t)
{
    free(t->sum);
    t->sum = NULL;
}

void tally_clear(struct tally *t)
{
    memset(t->sum, 0, sums(t) * sizeof(*t->sum));
}

void tally_add(struct tally *t, const uint32_t at[SPACE_AXES])
{
    t->sum[index_of(t, at[0] + 1, at[1] + 1, at[2] + 1)]++;
}

/* Along one axis after the other. */
void tally_sum(struct tally *t)
{
    size_t step[SPACE_AXES] = {index_of(t, 1, 0, 0), index_of(t, 0, 1, 0), index_of(t, 0, 0, 1)};
    for (unsigned d = 0; d < SPACE_AXES; d++)
        for (uint32_t z = 1; z <= t->size[2]; z++)
            for (uint32_t y = 1; y <= t->size[1]; y++)
                for (uint32_t x = 1; x <= t->size[0]; x++) {
                    size_t i = index_of(t, x, y, z);
                    t->sum[i] += t->sum[i - step[d]];
                }
}

/* Points from one corner up to another, which lie within the space. */
static uint32_t between(const struct tally *t, const uint32_t from[SPACE_AXES],
                        const uint32_t to[SPACE_AXES])
{
    uint32_t count = 0;
    for (unsigned corner = 0; corner < 8; corner++) {
        uint32_t sum = t->sum[index_of(t, corner & 1 ? from[0] : to[0],
                                       corner & 2 ? from[1] : to[1], corner & 4 ? from[2] : to[2])];
        count += __builtin_parity(corner) ? -sum : sum;
    }
    return count;
}

uint32_t tally_in(const struct tally *t, const struct place *p)
{
    uint32_t count = 0, from[SPACE_AXES], to[SPACE_AXES];
    for (unsigned piece = 0; piece < 8;
         piece++) { /* of each axis, up to its end or from its begin */
        bool any = true;
        for (unsigned d = 0; d < SPACE_AXES; d++) {
            uint32_t end = p->at[d] + p->size[d];
            bool again = piece >> d & 1;
            from[d] = again ? 0 : p->at[d];
            to[d] = !again ? (end < t->size[d] ? end : t->size[d])
                           : (end > t->size[d] ? end - t->size[d] : 0);
            any &= to[d] > from[d];
        }
        count += any ? between(t, from, to) : 0;
    }
    return count;
}
