/* Claims: arithmetic, figures and statistics of curves, and one line for what is wrong. */
#include "group.h"
#include "testing.h"

#include <math.h>

#include "study/expression.h"

/* Curve "a" is twice x; "b" is 10. Any other has no figures. */
static weft_status figure(void *ctx, const char *curve, const char *name, double x, double *value)
{
    (void)ctx;
    if (strcmp(name, "response_cycles.mean") != 0 || !strchr("ab", curve[0]))
        return BAD_INPUT(NULL, ("no %s of %s", name, curve), NO_REMEDY);
    *value = curve[0] == 'a' ? 2 * x : 10;
    return WEFT_OK;
}

/* "up" rises from 0 to 9; "down" falls; "peak" goes 0 4 10 9 8 7 6 6 6 6. */
static weft_status series(void *ctx, const char *curve, const char *name, double **values,
                          size_t *count)
{
    static const double peak[10] = {0, 4, 10, 9, 8, 7, 6, 6, 6, 6};
    (void)ctx;
    (void)curve;
    *count = 10;
    *values = calloc(10, sizeof(**values));
    for (int i = 0; i < 10; i++)
        (*values)[i] = strcmp(name, "up") == 0 ? i : strcmp(name, "down") == 0 ? 9 - i : peak[i];
    return WEFT_OK;
}

static const struct expression_source source = {.figure = figure, .series = series};

static double value_of(const char *text)
{
    double value;
    if (expression_value(text, &source, &value) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    return value;
}

static void arithmetic(void **state)
{
    (void)state;
    assert_near(value_of("1 + 2 * 3 - 8 / 4"), 5, 0);
    assert_near(value_of("-(1 - 3) * 2"), 4, 0);
    assert_near(value_of("2 * 3 > 5"), 1, 0);
    assert_near(value_of("(1 < 0.5) + 1e1"), 10, 0);
    assert_near(value_of("abs(3 - 5)"), 2, 0);
}

static void figures(void **state)
{
    (void)state;
    assert_near(value_of("at(a, response_cycles.mean, 0.95) / at(b, response_cycles.mean, 1) - 1"),
                1.9 / 10 - 1, 1e-12);
    assert_near(value_of("at(\"a\", response_cycles.mean, 1 + 1)"), 4, 0);
}

static void statistics(void **state)
{
    (void)state;
    assert_near(value_of("mean(c, up, 0, 1)"), 4.5, 1e-12);
    assert_near(value_of("mean(c, up, 0.5, 1)"), 7, 1e-12);
    assert_near(value_of("max(c, up, 0, 0.5) + min(c, up, 0.5, 1)"), 9, 0);
    assert_near(value_of("swing(c, peak, 0.6, 1)"), 0, 0);
    assert_near(value_of("swing(c, up, 0, 1)"), 2, 1e-12);
    assert_near(value_of("turns(c, up, 0, 1)"), 1, 0);
    assert_near(value_of("turns(c, peak, 0, 1)"), 2, 0);
    assert_near(value_of("turns(c, peak, 0.6, 1)"), 0, 0);
    assert_near(value_of("follows(c, up, down, 0, 1)"), -1, 1e-12);
    assert_near(value_of("follows(c, up, up, 0.2, 0.9)"), 1, 1e-12);
    assert_near(value_of("moves(c, peak, peak, 0, 1)"), 1, 1e-12);
    assert_near(value_of("moves(c, up, down, 0, 1)"), 0, 0); /* all changes are the same */
    assert_near(value_of("falls(c, peak, 0.75)"), 0.5, 1e-12);
    assert_near(value_of("falls(c, up, 0.5)"), 1, 0);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "1 +",
                                        "1 2",
                                        "(1",
                                        "1 / 0",
                                        "half(1)",
                                        "at(a)",
                                        "at(, x, 1)",
                                        "at(z, response_cycles.mean, 1)",
                                        "mean(c, up, 1, 0)",
                                        "mean(c, up, 0.5, 0.5)",
                                        "mean(c, up, 0, 2)",
                                        "at(\"a, x, 1)",
                                        "((((((((((((((((((((((((((((((((((((((((((((1",
                                        ")"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        double value;
        assert_int_equal(expression_value(wrong[i], &source, &value), WEFT_BAD_INPUT);
        assert_true(strlen(weft_last_error()) > 0 && !strchr(weft_last_error(), '\n'));
    }
}

GROUP(expression)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(figures),
        cmocka_unit_test(statistics),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
