/* The truncation rule finds where a beginning ends; intervals hold for correlated values, too. */
#include "group.h"
#include "testing.h"

#include <math.h>

#include "base/random.h"
#include "base/statistics/interval.h"
#include "base/statistics/series.h"

enum { VALUES = 64 };

/* Uniform within +-1, of variance 1/3. */
static double noise(uint64_t key, uint64_t number)
{
    return (double)(random_draw(key, number) >> 11) * 0x1p-52 - 1;
}

static void a_step_is_cut_off(void **state)
{
    (void)state;
    double y[VALUES];
    for (size_t step = 0; step < VALUES / 2; step++) {
        for (size_t i = 0; i < VALUES; i++)
            y[i] = i < step ? 10 : 20 + noise(1, i);
        assert_true(series_truncation(y, VALUES) >= step);
        assert_true(series_truncation(y, VALUES) <= step + 8);
    }
}

static void a_short_beginning_is_in_the_first_half_and_a_long_one_is_not(void **state)
{
    (void)state;
    double fast[VALUES], slow[VALUES];
    unsigned seen = 0;
    for (uint64_t key = 0; key < 100; key++) {
        for (size_t i = 0; i < VALUES; i++) {
            fast[i] = 1000 - 500 * exp(-(double)i / 4) + 10 * noise(key, i);
            slow[i] = 1000 - 500 * exp(-(double)i / 100) + 10 * noise(key, i);
        }
        assert_true(series_truncation(fast, VALUES) >= 4);
        seen += series_truncation(fast, VALUES) <= VALUES / 2;
        assert_true(series_truncation(slow, VALUES) > VALUES / 2);
    }
    assert_true(seen >= 85); /* by chance the mean of a short rest may look better known */
}

static void constants_are_steady(void **state)
{
    (void)state;
    double y[VALUES];
    for (size_t i = 0; i < VALUES; i++)
        y[i] = 276;
    assert_int_equal(series_truncation(y, VALUES), 0);
    assert_int_equal(series_truncation(y, 0), 0);
    assert_int_equal(series_truncation(y, 3), 0);
    assert_true(series_correlation(y, VALUES) == 0);
    assert_true(series_half_width(y, VALUES) == 0);
    assert_true(isnan(series_half_width(y, 1)));
}

/* Each value is r times the one before, and noise: how many of 2000 intervals hold the mean. */
static unsigned intervals_that_hold(double r, bool corrected)
{
    unsigned hold = 0;
    for (uint64_t key = 0; key < 2000; key++) {
        double y[VALUES], last = 0;
        struct interval all = {.count = 0};
        for (size_t i = 0; i < 50 + VALUES; i++) {
            last = r * last + noise(key, i);
            if (i >= 50) {
                y[i - 50] = last;
                interval_add(&all, last);
            }
        }
        double half = corrected ? series_half_width(y, VALUES) : interval_half_width(&all);
        hold += fabs(interval_mean(&all)) <= half;
    }
    return hold;
}

static void intervals_hold_for_correlated_values(void **state)
{
    (void)state;
    assert_true(intervals_that_hold(0, true) > 1880);
    assert_true(intervals_that_hold(0.5, true) > 1820);
    assert_true(intervals_that_hold(0.8, true) > 1700);
    assert_true(intervals_that_hold(0.8, false) < 1200); /* as of independent values */
}

GROUP(series)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_cut_off),
        cmocka_unit_test(a_short_beginning_is_in_the_first_half_and_a_long_one_is_not),
        cmocka_unit_test(constants_are_steady),
        cmocka_unit_test(intervals_hold_for_correlated_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
