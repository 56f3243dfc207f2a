/* Numbers: what is one, what is not, and what does not fit; in any locale. */
#include "group.h"
#include "testing.h"

#include <locale.h>
#include <math.h>

#include "base/text/number.h"

static void assert_real(const char *text, double expected)
{
    double value = NAN;
    if (!number_real(text, &value))
        fail_msg("'%s' is refused", text);
    if (memcmp(&value, &expected, sizeof(value)) != 0)
        fail_msg("'%s' is read as %.17g, not %.17g", text, value, expected);
}

static void assert_integer(const char *text, int64_t expected)
{
    int64_t value = -99;
    if (!number_integer(text, &value))
        fail_msg("'%s' is refused", text);
    if (value != expected)
        fail_msg("'%s' is read as %lld, not %lld", text, (long long)value, (long long)expected);
}

static void assert_no_real(const char *text)
{
    double value = 77;
    if (number_real(text, &value) || value != 77)
        fail_msg("'%s' is read as %g", text, value);
}

static void assert_no_integer(const char *text)
{
    int64_t value = 77;
    if (number_integer(text, &value) || value != 77)
        fail_msg("'%s' is read as %lld", text, (long long)value);
}

static void real_numbers_are_read(void **state)
{
    (void)state;
    assert_real("0", 0);
    assert_real("-0", -0.0);
    assert_real("0.1", 0.1);
    assert_real("+.5", 0.5);
    assert_real("5.", 5);
    assert_real("-12.50e-1", -1.25);
    assert_real("1E6", 1e6);
    assert_real("00010", 10);
    assert_real("0e99999999999999999999", 0);
    assert_real("0.000e-99999999999999999999", 0);
    assert_real("1.7976931348623157e308", 1.7976931348623157e308);
    assert_real("2.2250738585072014e-308", 2.2250738585072014e-308);
    assert_real("123456789012345678901234567890", 123456789012345678901234567890.0);
}

static void integers_are_read_exactly(void **state)
{
    (void)state;
    assert_integer("0", 0);
    assert_integer("-0", 0);
    assert_integer("+42", 42);
    assert_integer("0042", 42);
    assert_integer("7.0", 7);
    assert_integer("1e6", 1000000);
    assert_integer("2.5e3", 2500);
    assert_integer("-1.25E+2", -125);
    assert_integer("1200e-2", 12);
    assert_integer("0.00012e5", 12);
    assert_integer("0e99999999999999999999", 0);
    assert_integer("9007199254740993", 9007199254740993); /* no double */
    assert_integer("9223372036854775807", INT64_MAX);
    assert_integer("-9223372036854775808", INT64_MIN);
    assert_integer("9.223372036854775807e18", INT64_MAX);
    assert_integer("000000000000000000000000000001", 1);
}

static void what_is_not_a_number_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",      " ",     " 1",   "1 ",    "\t1",      "1\n",        "one", "1x",  "0x10",
        "0x1p3", "inf",   "-inf", "nan",   "NaN(1)",   "INF",        "1e",  "1e+", "e5",
        ".",     "-",     "+",    "--1",   "+-1",      "1.2.3",      "1,5", "1_0", "1e5.0",
        "1e 5",  "1 000", ".e5",  "0b101", "infinity", "\xc2\xa0+1", "1d5", "1f"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_false(number_is_written(texts[i]));
        assert_no_real(texts[i]);
        assert_no_integer(texts[i]);
    }
}

static void what_does_not_fit_is_refused_though_it_is_a_number(void **state)
{
    (void)state;
    static const char *const reals[] = {"1e309",
                                        "-1e309",
                                        "1e-400",
                                        "-1e-400",
                                        "1e-310",
                                        "1.8e308",
                                        "1e99999999999999999999",
                                        "1e-99999999999999999999"};
    static const char *const integers[] = {"9223372036854775808",
                                           "-9223372036854775809",
                                           "1e19",
                                           "18446744073709551616",
                                           "99999999999999999999",
                                           "1e99999999999999999999",
                                           "0.5",
                                           "2.55e1",
                                           "1e-1",
                                           "1e-99999999999999999999"};
    for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
        assert_true(number_is_written(reals[i]));
        assert_no_real(reals[i]);
    }
    for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++) {
        assert_true(number_is_written(integers[i]));
        assert_no_integer(integers[i]);
    }
}

/* Debian has no other locale than C unless somebody makes one: then there is nothing to see. */
static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool any = false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !any; i++)
        any = setlocale(LC_ALL, names[i]) != NULL;
    if (!any)
        print_message("# SKIP no locale with a decimal comma is installed\n");
    assert_real("0.5", 0.5);
    assert_no_real("0,5");
    setlocale(LC_ALL, "C");
}

GROUP(number)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_numbers_are_read),
        cmocka_unit_test(integers_are_read_exactly),
        cmocka_unit_test(what_is_not_a_number_is_refused),
        cmocka_unit_test(what_does_not_fit_is_refused_though_it_is_a_number),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
