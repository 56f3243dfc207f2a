/* Draws depend on all parts of their key; exponential numbers have mean 1; computed permutations
 * are permutations. */
#include "group.h"
#include "testing.h"

#include <math.h>

#include "base/random.h"

static void draws_depend_on_seed_owner_purpose_and_counter(void **state)
{
    (void)state;
    uint64_t base = random_draw(random_key(1, 2, RANDOM_SIZE), 3);
    assert_int_equal(base, random_draw(random_key(1, 2, RANDOM_SIZE), 3));
    assert_int_not_equal(base, random_draw(random_key(2, 2, RANDOM_SIZE), 3));
    assert_int_not_equal(base, random_draw(random_key(1, 3, RANDOM_SIZE), 3));
    assert_int_not_equal(base, random_draw(random_key(1, 2, RANDOM_TIE), 3));
    assert_int_not_equal(base, random_draw(random_key(1, 2, RANDOM_SIZE), 4));
}

static void below_is_even(void **state)
{
    (void)state;
    enum { BINS = 7, DRAWS = 70000 };
    unsigned bin[BINS] = {0};
    uint64_t key = random_key(5, 0, RANDOM_DESTINATION);
    for (unsigned i = 0; i < DRAWS; i++)
        bin[random_below(random_draw(key, i), BINS)]++;
    for (unsigned b = 0; b < BINS; b++)
        assert_near(bin[b], (double)DRAWS / BINS, 400); /* four standard deviations */
}

static void exponential_has_mean_and_variance_one(void **state)
{
    (void)state;
    double sum = 0, squares = 0, n = 200000;
    uint64_t key = random_key(7, 0, RANDOM_INTERVAL);
    for (unsigned i = 0; i < n; i++) {
        double x = random_exponential(random_draw(key, i));
        assert_true(x >= 0);
        sum += x;
        squares += x * x;
    }
    assert_near(sum / n, 1, 0.01);
    assert_near(squares / n - sum / n * sum / n, 1, 0.03);
}

static void exponential_is_a_logarithm(void **state)
{
    (void)state;
    /* The draw's top 53 bits are the number u; half of all gives ln 2, a quarter 2 ln 2. */
    assert_near(random_exponential(1ull << 63), 0.6931471805599453, 1e-12);
    assert_near(random_exponential(1ull << 62), 1.3862943611198906, 1e-12);
    assert_near(random_exponential(3ull << 62), 0.2876820724517809, 1e-12);
}

static void logarithms_and_powers_are_those_of_the_library(void **state)
{
    (void)state;
    for (double value = 1; value < 1e12; value *= 1.37)
        assert_near(random_logarithm(value), log(value), 1e-12);
    for (double shape = 1.05; shape < 20; shape *= 1.5)
        for (unsigned i = 0; i < 1000; i++) {
            uint64_t draw = random_draw(3, i);
            double power = exp(random_exponential(draw) / shape);
            assert_near(random_pareto(draw, shape), power, 1e-12 * power);
        }
    /* The smallest draw has the largest number: 2^(53 / shape). */
    assert_near(random_pareto(0, 1.06), 1.1259e15, 1e13);
}

static void permute_is_a_permutation_of_any_size(void **state)
{
    (void)state;
    for (uint32_t count = 1; count < 600; count += count < 40 ? 1 : 37) {
        char *seen = calloc(count, 1);
        uint64_t key = random_key(9, count, RANDOM_ORDER);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t image = random_permute(key, count, i);
            assert_true(image < count);
            assert_false(seen[image]);
            seen[image] = 1;
        }
        free(seen);
    }
}

static void permute_differs_by_key_and_moves_most(void **state)
{
    (void)state;
    unsigned same = 0, fixed = 0;
    for (uint32_t i = 0; i < 512; i++) {
        uint32_t a = random_permute(random_key(1, 1, RANDOM_ORDER), 512, i);
        same += a == random_permute(random_key(1, 2, RANDOM_ORDER), 512, i);
        fixed += a == i;
    }
    assert_true(same < 8);
    assert_true(fixed < 8);
}

GROUP(random)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_depend_on_seed_owner_purpose_and_counter),
        cmocka_unit_test(below_is_even),
        cmocka_unit_test(exponential_has_mean_and_variance_one),
        cmocka_unit_test(exponential_is_a_logarithm),
        cmocka_unit_test(logarithms_and_powers_are_those_of_the_library),
        cmocka_unit_test(permute_is_a_permutation_of_any_size),
        cmocka_unit_test(permute_differs_by_key_and_moves_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
