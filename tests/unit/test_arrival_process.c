/*
 * Births of open loops have the mean rate that was asked for, with bursts and without, from the
 * first cycle on; bursts have the lengths that their distributions say; and a birth depends on
 * nothing but the packet's number and what is left of its burst.
 */
#include "group.h"
#include "testing.h"

#include <math.h>
#include <string.h>

#include "node/arrival_process.h"

enum { PACKETS = 400000 };

static const enum burst kinds[] = {BURST_NONE, BURST_GEOMETRIC, BURST_PARETO};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Mean gap of a source's arrivals, and the mean and variance of its bursts. */
struct account {
    double gap, length, squares, bursts, longest;
};

static struct account account_of(const struct arrival_process *b, uint32_t node)
{
    struct account a = {0};
    uint32_t left = 0;
    double length = 0;
    for (uint32_t i = 0; i < PACKETS; i++) {
        a.gap += arrival_process_next(b, 3, node, i, &left) / PACKETS;
        length++;
        if (!left) {
            a.length += length;
            a.squares += length * length;
            a.bursts++;
            a.longest = length > a.longest ? length : a.longest;
            length = 0;
        }
    }
    a.length /= a.bursts;
    a.squares /= a.bursts;
    return a;
}

static void the_mean_rate_is_the_same(void **state)
{
    (void)state;
    for (unsigned k = 0; k < KINDS; k++)
        for (double spacing = 0; spacing <= 50; spacing += 25) {
            /* A shape of 3: with long tails, sums do not settle. */
            struct arrival_process b = arrival_process_spaced(kinds[k], 40, 8, 3, spacing);
            struct account a = account_of(&b, 1);
            assert_near(a.gap, 40, 1);
            assert_true(b.spacing_cycles <= 40 && b.pause_cycles >= 0);
        }
}

/* Variance of a geometric number: (1 - p) / p^2. */
static void geometric_bursts_have_their_mean_and_variance(void **state)
{
    (void)state;
    for (double mean = 1; mean < 100; mean *= 5) {
        struct arrival_process b = arrival_process_spaced(BURST_GEOMETRIC, 40, mean, 0, 10);
        struct account a = account_of(&b, 2);
        double variance = (1 - 1 / mean) * mean * mean;
        assert_near(a.length, mean, 0.03 * mean);
        assert_near(a.squares - a.length * a.length, variance, 0.1 * variance + 1e-9);
    }
}

static void paretos_bursts_have_their_mean_and_a_long_tail(void **state)
{
    (void)state;
    struct arrival_process light = arrival_process_spaced(BURST_PARETO, 40, 16, 4, 10);
    struct arrival_process heavy = arrival_process_spaced(BURST_PARETO, 40, 16, 1.2, 10);
    assert_near(account_of(&light, 2).length, 16, 0.5);
    assert_near(account_of(&heavy, 2).length, 16, 8);
    assert_true(account_of(&heavy, 2).longest > 4 * account_of(&light, 2).longest);
}

/* Births of many sources in a first interval: none of them begins with a pause, or with a burst,
 * more often than it should. */
static void a_run_begins_as_it_goes_on(void **state)
{
    (void)state;
    enum { SOURCES = 40000 };
    for (unsigned k = 0; k < 2; k++) {
        struct arrival_process b = arrival_process_spaced(kinds[k], 40, 8, 0, 10);
        double born = 0;
        for (uint32_t node = 0; node < SOURCES; node++) {
            uint32_t left = 0, number = 0;
            double at = arrival_process_next(&b, 5, node, number++, &left);
            for (; at < 100; at += arrival_process_next(&b, 5, node, number++, &left))
                born++;
        }
        assert_near(born / SOURCES, 100.0 / 40, 0.08);
    }
}

static void a_birth_is_a_function_of_its_number(void **state)
{
    (void)state;
    struct arrival_process b = arrival_process_spaced(BURST_PARETO, 40, 4, 1.5, 1);
    uint32_t left = 0, again = 0, other = 0;
    bool differs = false;
    for (uint32_t i = 0; i < 1000; i++) {
        double gap = arrival_process_next(&b, 9, 4, i, &left);
        assert_near(arrival_process_next(&b, 9, 4, i, &again), gap, 0);
        differs = differs || arrival_process_next(&b, 10, 4, i, &other) != gap;
    }
    assert_true(differs);
}

GROUP(arrival_process)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_rate_is_the_same),
        cmocka_unit_test(geometric_bursts_have_their_mean_and_variance),
        cmocka_unit_test(paretos_bursts_have_their_mean_and_a_long_tail),
        cmocka_unit_test(a_run_begins_as_it_goes_on),
        cmocka_unit_test(a_birth_is_a_function_of_its_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
