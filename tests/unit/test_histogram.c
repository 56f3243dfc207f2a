/* Buckets tile the numbers; quantiles are right to a bucket's width; merging adds. */
#include "group.h"
#include "testing.h"

#include "base/statistics/histogram.h"

static void buckets_tile_the_numbers(void **state)
{
    (void)state;
    for (unsigned b = 0; b + 1 < HISTOGRAM_BUCKETS; b++) {
        uint64_t lower = histogram_lower(b), next = histogram_lower(b + 1);
        assert_true(lower < next);
        assert_int_equal(histogram_bucket(lower), b);
        assert_int_equal(histogram_bucket(next - 1), b);
        assert_true(next - lower <= 1 || (double)(next - lower) / (double)lower <= 1.0 / 64);
    }
    assert_int_equal(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}

static void small_numbers_are_exact(void **state)
{
    (void)state;
    static struct histogram h;
    for (uint64_t v = 1; v <= 100; v++)
        histogram_add(&h, v);
    assert_int_equal(histogram_quantile(&h, 0.5), 50);
    assert_int_equal(histogram_quantile(&h, 0.99), 99);
    assert_int_equal(histogram_quantile(&h, 1), 100);
    assert_int_equal(h.sum, 5050);
    assert_int_equal(h.max, 100);
}

static void an_empty_histogram_has_no_quantile(void **state)
{
    (void)state;
    static struct histogram h;
    assert_int_equal(histogram_quantile(&h, 0.5), 0);
}

static void merging_is_adding(void **state)
{
    (void)state;
    static struct histogram all, part[2];
    for (uint64_t v = 0; v < 5000; v++) {
        histogram_add(&all, v * v);
        histogram_add(&part[v % 2], v * v);
    }
    histogram_merge(&part[0], &part[1]);
    assert_memory_equal(&all, &part[0], sizeof(all));
}

GROUP(histogram)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_tile_the_numbers),
        cmocka_unit_test(small_numbers_are_exact),
        cmocka_unit_test(an_empty_histogram_has_no_quantile),
        cmocka_unit_test(merging_is_adding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
