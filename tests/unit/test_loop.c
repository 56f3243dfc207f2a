/* Loops through a plane are the longest there are, and the ones of the paper. */
#include "group.h"
#include "testing.h"

#include "topology/places/places.h"

enum { MOST_POINTS = 15 };

static bool linked(const struct plane *p, uint32_t a, uint32_t b)
{
    uint32_t i = a / p->across, j = a % p->across, k = b / p->across, l = b % p->across;
    uint32_t across = j > l ? j - l : l - j, along = i > k ? i - k : k - i;
    return along == 0 ? across == 1 || (p->ring_across && p->across == 3 && across == 2)
                      : across == 0 && (along == 1 || (p->ring_along && along == p->along - 1));
}

static bool lives(const struct plane *p, uint32_t a)
{
    return !(p->dead[a / p->across] >> a % p->across & 1);
}

/* The longest loop that starts at a point and has only higher ones: all are tried. */
static uint32_t try_all(const struct plane *p, uint32_t start, uint32_t here, uint32_t length,
                        bool *used)
{
    uint32_t best = length <= 2 || linked(p, here, start) ? length : 0;
    for (uint32_t next = start + 1; next < p->along * p->across; next++) {
        if (used[next] || !lives(p, next) || !linked(p, here, next))
            continue;
        used[next] = true;
        uint32_t found = try_all(p, start, next, length + 1, used);
        used[next] = false;
        best = found > best ? found : best;
    }
    return best;
}

static uint32_t longest(const struct plane *p)
{
    uint32_t best = 0;
    for (uint32_t start = 0; start < p->along * p->across; start++) {
        bool used[MOST_POINTS] = {false};
        uint32_t found = lives(p, start) ? try_all(p, start, start, 1, used) : 0;
        best = found > best ? found : best;
    }
    return best;
}

static void assert_loop(const struct plane *p, uint32_t length)
{
    uint32_t point[MOST_POINTS];
    bool seen[MOST_POINTS] = {false};
    assert_int_equal(loop_length(p), length);
    assert_int_equal(loop_find(p, point), length);
    for (uint32_t i = 0; i < length; i++) {
        assert_true(lives(p, point[i]) && !seen[point[i]]);
        seen[point[i]] = true;
        assert_true(length < 2 || linked(p, point[i], point[(i + 1) % length]));
    }
}

/* Whatever is dead: all sets of dead points of small planes, every 37th of larger ones; on lines
 * and rings of columns. */
static void loops_are_the_longest(void **state)
{
    (void)state;
    for (uint32_t along = 1; along <= 5; along++)
        for (uint32_t across = 1; across <= 3; across++)
            for (unsigned rings = 0; rings < 4; rings++) {
                uint32_t sets = 1u << along * across;
                for (uint32_t set = 0; set<sets; set += sets> 4096 ? 37 : 1) {
                    uint8_t dead[5];
                    for (uint32_t i = 0; i < along; i++)
                        dead[i] = (uint8_t)(set >> i * across & ((1u << across) - 1));
                    struct plane p = {along, across, rings & 1, rings >> 1, dead};
                    assert_loop(&p, longest(&p));
                }
            }
}

/* With up to two dead points, longer rings too: loops may go round them twice and lie across the
 * end. */
static void loops_of_long_rings_are_the_longest(void **state)
{
    (void)state;
    for (uint32_t along = 6; along <= MOST_POINTS / 2; along++)
        for (uint32_t one = 0; one < 2 * along; one++)
            for (uint32_t other = one; other < 2 * along; other++) {
                uint8_t dead[MOST_POINTS / 2] = {0};
                dead[one / 2] |= (uint8_t)(1u << one % 2);
                dead[other / 2] |= (uint8_t)(1u << other % 2);
                struct plane p = {along, 2, true, false, dead};
                assert_loop(&p, longest(&p));
            }
}

/* A loop that goes round a ring is only taken where it is longer. */
static void loops_keep_to_the_line_where_that_will_do(void **state)
{
    (void)state;
    for (uint32_t along = 3; along <= 7; along++)
        for (uint32_t across = 2; across <= 3; across++) {
            struct plane line = {along, across, false, true, NULL},
                         ring = {along, across, true, true, NULL};
            uint32_t by_line[3 * 7], by_ring[3 * 7];
            assert_int_equal(loop_find(&line, by_line), along * across);
            assert_int_equal(loop_find(&ring, by_ring), along * across);
            assert_memory_equal(by_line, by_ring, along * across * sizeof(*by_line));
        }
}

/* Two points across, the columns a ring: a dead point costs itself, and one more if all others
 * cannot be a loop because links join even and odd points. */
static void a_dead_point_is_passed_on_a_ring(void **state)
{
    (void)state;
    for (uint32_t along = 3; along <= 24; along++)
        for (uint32_t point = 0; point < 2 * along; point++) {
            uint8_t dead[24] = {0};
            dead[point / 2] = (uint8_t)(1u << point % 2);
            struct plane p = {along, 2, true, false, dead};
            assert_int_equal(loop_length(&p), 2 * along - (along % 2 ? 1 : 2));
        }
}

/* TOFU, Figure 3: nine nodes on x and b, coordinate 5 at x = 2, b = 0; eight with (1, 1) dead. */
static void figure_3_comes_out(void **state)
{
    (void)state;
    static uint8_t dead[3] = {0, 2, 0};
    uint32_t point[9];
    struct plane whole = {3, 3, false, true, NULL}, faulty = {3, 3, false, true, dead};
    assert_int_equal(loop_find(&whole, point), 9);
    assert_int_equal(point[0], 0);
    assert_int_equal(point[5], 2 * 3 + 0);
    assert_int_equal(loop_find(&faulty, point), 8);
    for (uint32_t i = 0; i < 8; i++)
        assert_true(point[i] != 1 * 3 + 1 && linked(&faulty, point[i], point[(i + 1) % 8]));
}

/* In a plane with b, one dead point costs no other one, wherever it is. */
static void one_dead_point_costs_no_other(void **state)
{
    (void)state;
    for (uint32_t along = 2; along <= 24; along++)
        for (uint32_t point = 0; point < 3 * along; point++) {
            uint8_t dead[24] = {0};
            dead[point / 3] = (uint8_t)(1u << point % 3);
            struct plane p = {along, 3, false, true, dead};
            assert_int_equal(loop_length(&p), 3 * along - 1);
        }
}

/* Two points across, on a line, a dead one ends the plane: a loop keeps to one side of it. */
static void a_dead_point_cuts_a_plane_of_two(void **state)
{
    (void)state;
    for (uint32_t along = 2; along <= 24; along++)
        for (uint32_t point = 0; point < 2 * along; point++) {
            uint8_t dead[24] = {0};
            uint32_t column = point / 2, behind = along - 1 - column;
            dead[column] = (uint8_t)(1u << point % 2);
            struct plane p = {along, 2, false, false, dead};
            assert_int_equal(loop_length(&p), 2 * (column > behind ? column : behind));
        }
}

GROUP(loop)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_the_longest),
        cmocka_unit_test(loops_of_long_rings_are_the_longest),
        cmocka_unit_test(loops_keep_to_the_line_where_that_will_do),
        cmocka_unit_test(figure_3_comes_out),
        cmocka_unit_test(one_dead_point_costs_no_other),
        cmocka_unit_test(a_dead_point_cuts_a_plane_of_two),
        cmocka_unit_test(a_dead_point_is_passed_on_a_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
