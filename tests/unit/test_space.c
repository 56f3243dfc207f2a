/* Maps of cells against plain arrays: places that are found, taken and given back; closed cells,
 * ends that wrap, wires of rings. */
#include "group.h"
#include "testing.h"

#include "base/random.h"
#include "topology/places/places.h"

enum { MOST_CELLS = 512, MOST_PLACES = 12 };

/* The same as a space and a map, one flag per cell; of wires, that of a row is in all its cells. */
struct model {
    struct space space;
    space_row *map;
    bool taken[MOST_CELLS], closed[MOST_CELLS], wire[SPACE_AXES][MOST_CELLS];
    struct place place[MOST_PLACES];
    unsigned places;
};

static uint64_t seed;

static uint32_t below(uint32_t bound)
{
    return random_below(random_next(&seed), bound);
}

static void begin(struct model *m, const uint32_t size[SPACE_AXES], bool wired)
{
    bool wrap[SPACE_AXES] = {below(2), below(2), below(2)};
    memset(m, 0, sizeof(*m));
    space_init(&m->space, size, wrap, wired);
    m->map = space_map(&m->space);
    assert_int_equal(m->space.cells, size[0] * size[1] * size[2]);
    assert_true(m->space.cells <= MOST_CELLS);
}

static void end(struct model *m)
{
    free(m->map);
    space_fini(&m->space);
}

static uint32_t cell_at(const struct space *s, uint32_t x, uint32_t y, uint32_t z)
{
    return x % s->size[0] + s->size[0] * (y % s->size[1] + s->size[1] * (z % s->size[2]));
}

static bool uses_wire(const struct space *s, unsigned axis, uint32_t size)
{
    return s->wired && size > 1 && size < s->size[axis];
}

/* A cell of a place, counted along the first axis first. */
static uint32_t cell_of(const struct space *s, const struct place *p, uint32_t i)
{
    return cell_at(s, p->at[0] + i % p->size[0], p->at[1] + i / p->size[0] % p->size[1],
                   p->at[2] + i / p->size[0] / p->size[1]);
}

static uint32_t volume(const uint32_t size[SPACE_AXES])
{
    return size[0] * size[1] * size[2];
}

static bool is_place(const struct model *m, const struct place *p, bool closed)
{
    const struct space *s = &m->space;
    for (unsigned d = 0; d < SPACE_AXES; d++)
        if (p->size[d] > s->size[d] || (!s->wrap[d] && p->at[d] + p->size[d] > s->size[d]))
            return false;
    for (uint32_t i = 0; i < volume(p->size); i++) {
        uint32_t cell = cell_of(s, p, i);
        if (m->taken[cell] || (!closed && m->closed[cell]))
            return false;
        for (unsigned d = 0; d < SPACE_AXES; d++)
            if (uses_wire(s, d, p->size[d]) && m->wire[d][cell])
                return false;
    }
    return true;
}

static void take(struct model *m, const struct place *p, bool set)
{
    const struct space *s = &m->space;
    for (uint32_t i = 0; i < volume(p->size); i++)
        m->taken[cell_of(s, p, i)] = set;
    for (unsigned d = 0; d < SPACE_AXES; d++) {
        struct place row = *p;
        row.size[d] = s->size[d];
        for (uint32_t i = 0; uses_wire(s, d, p->size[d]) && i < volume(row.size); i++)
            m->wire[d][cell_of(s, &row, i)] = set;
    }
    space_take(s, m->map, p, set);
}

static struct place random_place(const struct space *s)
{
    struct place p;
    for (unsigned d = 0; d < SPACE_AXES; d++) {
        p.size[d] = 1 + below(below(2) ? s->size[d] : (s->size[d] + 1) / 2);
        p.at[d] = below(s->size[d]);
    }
    return p;
}

/* Takes a place, gives one back, opens or closes a cell. */
static void change(struct model *m)
{
    const struct space *s = &m->space;
    struct place p = random_place(s);
    uint32_t what = below(5), cell = below(s->cells);
    if (what < 3 && m->places < MOST_PLACES && is_place(m, &p, true)) {
        take(m, &p, true);
        m->place[m->places++] = p;
    } else if (what == 3 && m->places) {
        unsigned i = below(m->places);
        take(m, &m->place[i], false);
        m->place[i] = m->place[--m->places];
    } else if (what == 4) {
        m->closed[cell] = below(2);
        space_close(s, m->map, cell, m->closed[cell]);
    }
}

static uint32_t count_free(const struct model *m)
{
    uint32_t count = 0;
    for (uint32_t cell = 0; cell < m->space.cells; cell++)
        count += !m->taken[cell] && !m->closed[cell];
    return count;
}

/* All corners of a size, and the first of them. */
static void assert_same_places(struct model *m, const uint32_t size[SPACE_AXES], bool closed)
{
    struct space *s = &m->space;
    struct place found = {.size = {0}};
    bool any = false, finds = !closed && space_find(s, m->map, size, &found);
    const space_row *corner = space_corners(s, m->map, size, closed);
    for (uint32_t cell = 0; cell < s->cells; cell++) {
        uint32_t x = cell % s->size[0], row = cell / s->size[0];
        struct place p = {{x, row % s->size[1], row / s->size[1]}, {size[0], size[1], size[2]}};
        bool is = is_place(m, &p, closed);
        assert_int_equal(corner[row] >> x & 1, is);
        if (is && !any && !closed)
            assert_memory_equal(&found, &p, sizeof(p));
        any |= is;
    }
    for (uint32_t row = 0; row < s->rows; row++)
        assert_true(s->size[0] == 64 || corner[row] >> s->size[0] == 0);
    assert_int_equal(finds, any && !closed);
}

static void assert_same(struct model *m)
{
    struct place p = random_place(&m->space);
    assert_int_equal(space_free(&m->space, m->map), count_free(m));
    p.size[below(3)] += below(8) == 0; /* now and then one that is larger than the space */
    assert_same_places(m, p.size, below(4) == 0);
}

static void places_are_those_of_plain_arrays(void **state)
{
    (void)state;
    static struct model m;
    seed = 1;
    for (unsigned i = 0; i < 4000; i++) {
        uint32_t size[SPACE_AXES] = {1 + below(9), 1 + below(7), 1 + below(6)};
        if (i % 50 == 0)
            size[0] = 63 + i / 50 % 2, size[1] = 1 + below(4), size[2] = 1 + below(2);
        begin(&m, size, i % 2);
        for (unsigned k = below(20); k > 0; k--)
            change(&m);
        for (unsigned k = 0; k < 6; k++) {
            assert_same(&m);
            change(&m);
        }
        end(&m);
    }
}

/* Two places can be taken one after the other unless both need a cell or a wire. */
static void places_in_conflict_exclude_each_other(void **state)
{
    (void)state;
    static struct model m;
    unsigned count[3] = {0, 0, 0}; /* neither, a cell, a wire */
    seed = 3;
    for (unsigned i = 0; i < 4000; i++) {
        uint32_t size[SPACE_AXES] = {1 + below(5), 1 + below(5), 1 + below(4)};
        begin(&m, size, i % 4 != 0);
        struct place a = random_place(&m.space), b = random_place(&m.space);
        if (is_place(&m, &a, false) && is_place(&m, &b, false)) {
            int both = space_conflict(&m.space, &a, &b);
            assert_int_equal(both, space_conflict(&m.space, &b, &a));
            take(&m, &a, true);
            assert_int_equal(both < 0, is_place(&m, &b, false));
            if (both >= SPACE_WIRES) {
                unsigned d = (unsigned)both - SPACE_WIRES;
                assert_true(uses_wire(&m.space, d, a.size[d]) && uses_wire(&m.space, d, b.size[d]));
            }
            count[both < 0 ? 0 : both == SPACE_TAKEN ? 1 : 2]++;
        }
        end(&m);
    }
    for (unsigned i = 0; i < 3; i++)
        assert_true(count[i] > 20);
}

/* Whatever was taken is given back: cells and wires. */
static void an_emptied_map_is_empty(void **state)
{
    (void)state;
    static struct model m;
    seed = 2;
    for (unsigned i = 0; i < 500; i++) {
        uint32_t size[SPACE_AXES] = {1 + below(8), 1 + below(6), 1 + below(6)};
        begin(&m, size, i % 2);
        for (unsigned k = 0; k < 30; k++)
            change(&m);
        while (m.places)
            take(&m, &m.place[--m.places], false);
        for (uint32_t cell = 0; cell < m.space.cells; cell++)
            space_close(&m.space, m.map, cell, false);
        for (uint32_t word = 0; word < m.space.words; word++)
            assert_int_equal(m.map[word], 0);
        end(&m);
    }
}

/* A row of eight cells: a ring of some needs the one wire that leads back, others do not. */
static void rings_share_no_wire(void **state)
{
    (void)state;
    static const uint32_t row[SPACE_AXES] = {8, 1, 1}, one[SPACE_AXES] = {1, 1, 1},
                          two[SPACE_AXES] = {2, 1, 1};
    static const bool wrap[SPACE_AXES] = {true, true, true};
    struct space s;
    struct place p;
    space_init(&s, row, wrap, true);
    space_row *map = space_map(&s);
    assert_true(space_find(&s, map, two, &p));
    space_take(&s, map, &p, true);
    assert_false(space_find(&s, map, two, &p)); /* six cells are free, the wire is not */
    assert_true(space_find(&s, map, one, &p));
    assert_int_equal(p.at[0], 2);
    space_take(&s, map, &(struct place){{0, 0, 0}, {2, 1, 1}}, false);
    assert_true(space_find(&s, map, row, &p)); /* all of a row: its ends are neighbours */
    space_take(&s, map, &p, true);
    space_take(&s, map, &p, false);
    assert_true(space_find(&s, map, two, &p));
    free(map);
    space_fini(&s);
}

static void scattered_cells_are_the_first_free_ones(void **state)
{
    (void)state;
    static struct model m;
    seed = 3;
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t size[SPACE_AXES] = {i % 20 ? 1 + below(9) : 64, 1 + below(4), 1 + below(2)};
        begin(&m, size, i % 2);
        for (unsigned k = below(12); k > 0; k--)
            change(&m);
        uint32_t free_cells = count_free(&m), cells = below(free_cells + 3), left = cells;
        space_row *taken = space_map(&m.space);
        bool enough = space_scatter(&m.space, m.map, cells, taken);
        assert_int_equal(enough, cells <= free_cells);
        for (uint32_t cell = 0; enough && cell < m.space.cells; cell++) {
            bool is = left && !m.taken[cell] && !m.closed[cell];
            assert_int_equal(taken[cell / size[0]] >> cell % size[0] & 1, is);
            left -= is;
        }
        for (uint32_t word = m.space.rows; word < m.space.words; word++)
            assert_int_equal(taken[word], 0);
        if (enough) {
            space_add(&m.space, m.map, taken);
            assert_int_equal(space_free(&m.space, m.map), free_cells - cells);
            space_remove(&m.space, m.map, taken);
            assert_int_equal(space_free(&m.space, m.map), free_cells);
        }
        free(taken);
        end(&m);
    }
}

/* No place with a free cell is longer than its reach; along one axis, one is as long. */
static void no_place_reaches_farther(void **state)
{
    (void)state;
    struct model m;
    for (uint32_t round = 0; round < 300; round++) {
        uint32_t reach[SPACE_AXES];
        begin(&m, (const uint32_t[]){1 + below(8), 1 + below(6), 1 + below(5)}, false);
        for (uint32_t cell = 0; cell < m.space.cells; cell++)
            if (below(3) == 0)
                space_close(&m.space, m.map, cell, true);
        for (uint32_t cell = 0; cell < m.space.cells; cell++) {
            const uint32_t *n = m.space.size;
            uint32_t at[SPACE_AXES] = {cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
            bool is_free = !(m.map[m.space.rows + cell / n[0]] >> at[0] & 1);
            space_reach(&m.space, m.map, cell, reach);
            for (unsigned d = 0; d < SPACE_AXES; d++) {
                uint32_t most = 0;
                for (uint32_t length = 1; length <= n[d] && is_free; length++) {
                    uint32_t size[SPACE_AXES] = {1, 1, 1};
                    size[d] = length;
                    const space_row *corners = space_corners(&m.space, m.map, size, false);
                    for (uint32_t back = 0; back < length; back++) {
                        uint32_t c[SPACE_AXES] = {at[0], at[1], at[2]};
                        c[d] = (at[d] + n[d] - back) % n[d];
                        most = corners[c[1] + n[1] * c[2]] >> c[0] & 1 ? length : most;
                    }
                }
                assert_int_equal(reach[d], most);
            }
        }
        end(&m);
    }
}

static void points_of_places_are_tallied(void **state)
{
    (void)state;
    struct model m;
    for (uint32_t round = 0; round < 100; round++) {
        struct tally t;
        uint32_t points[MOST_CELLS] = {0};
        begin(&m, (const uint32_t[]){1 + below(8), 1 + below(6), 1 + below(5)}, false);
        const uint32_t *n = m.space.size;
        tally_init(&t, n);
        tally_clear(&t);
        for (uint32_t i = below(20); i-- > 0;) {
            uint32_t cell = below(m.space.cells);
            points[cell]++;
            tally_add(&t, (const uint32_t[]){cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]});
        }
        tally_sum(&t);
        for (uint32_t k = 0; k < 50; k++) {
            struct place p = random_place(&m.space);
            uint32_t expected = 0;
            for (uint32_t i = 0; i < volume(p.size); i++)
                expected += points[cell_of(&m.space, &p, i)];
            assert_int_equal(tally_in(&t, &p), expected);
        }
        tally_fini(&t);
        end(&m);
    }
}

GROUP(space)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_those_of_plain_arrays),
        cmocka_unit_test(places_in_conflict_exclude_each_other),
        cmocka_unit_test(an_emptied_map_is_empty),
        cmocka_unit_test(rings_share_no_wire),
        cmocka_unit_test(scattered_cells_are_the_first_free_ones),
        cmocka_unit_test(no_place_reaches_farther),
        cmocka_unit_test(points_of_places_are_tallied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
