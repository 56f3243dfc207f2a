/* Strict, locale-independent numbers. */
#define _GNU_SOURCE
#include "base/text/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The parts of a number, within its text:
 *
 *   -0012.3400e+5    negative; digits "0012" "3400", point after the 4th; exponent 5
 */
struct decimal {
    bool negative;
    const char *whole, *fraction; /* digits before and after the point */
    size_t wholes, fractions;     /* how many */
    int64_t exponent;             /* cut at +-EXPONENT_MOST */
};

/* Far beyond any double, and far from overflow when digits are counted. */
enum { EXPONENT_MOST = 1000000000 };

/* Texts are a few digits long: strspn(), which makes a table of all characters first, takes longer.
 */
static size_t count_digits(const char *text)
{
    size_t digits = 0;
    while (text[digits] >= '0' && text[digits] <= '9')
        digits++;
    return digits;
}

static const char *skip_sign(const char *at, bool *negative)
{
    *negative = *at == '-';
    return at + (*at == '-' || *at == '+');
}

static const char *read_exponent(const char *at, int64_t *exponent)
{
    bool negative;
    at = skip_sign(at + 1, &negative); /* after the e */
    size_t digits = count_digits(at);
    for (size_t i = 0; i < digits && *exponent < EXPONENT_MOST; i++)
        *exponent = *exponent * 10 + (at[i] - '0');
    *exponent = negative ? -*exponent : *exponent;
    return digits ? at + digits : NULL;
}

static bool read_decimal(const char *text, struct decimal *p)
{
    *p = (struct decimal){.exponent = 0};
    const char *at = skip_sign(text, &p->negative);
    p->whole = at;
    p->wholes = count_digits(at);
    at += p->wholes;
    if (*at == '.') {
        p->fraction = at + 1;
        p->fractions = count_digits(p->fraction);
        at += 1 + p->fractions;
    }
    if (!p->wholes && !p->fractions)
        return false;
    if (*at == 'e' || *at == 'E')
        at = read_exponent(at, &p->exponent);
    return at && !*at;
}

static char digit_at(const struct decimal *p, size_t i)
{
    return i < p->wholes ? p->whole[i] : p->fraction[i - p->wholes];
}

/* Digits from *first up to the returned one are significant: all others are zeros. */
static size_t significant(const struct decimal *p, size_t *first)
{
    size_t end = p->wholes + p->fractions;
    for (*first = 0; *first < end && digit_at(p, *first) == '0';)
        ++*first;
    while (end > *first && digit_at(p, end - 1) == '0')
        end--;
    return end;
}

bool number_is_written(const char *text)
{
    struct decimal p;
    return read_decimal(text, &p);
}

bool number_real(const char *text, double *value)
{
    struct decimal p;
    size_t first;
    if (!read_decimal(text, &p))
        return false;
    int before = errno;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return false;
    double read = strtod_l(text, NULL, plain);
    freelocale(plain);
    errno = before;
    if (!isnormal(read) && significant(&p, &first) > first)
        return false;
    *value = read;
    return true;
}

bool number_integer(const char *text, int64_t *value)
{
    struct decimal p;
    size_t first, end;
    uint64_t sum = 0;
    if (!read_decimal(text, &p))
        return false;
    end = significant(&p, &first);
    /* Zeros between the last significant digit and the point; below 0: there is a fraction. */
    int64_t zeros = (int64_t)p.wholes - (int64_t)end + p.exponent;
    if (first < end && (zeros < 0 || (int64_t)(end - first) + zeros > 19))
        return false;
    for (size_t i = first; i < end; i++)
        sum = sum * 10 + (uint64_t)(digit_at(&p, i) - '0');
    for (; first < end && zeros > 0; zeros--)
        sum *= 10; /* 19 digits fit into 64 bits */
    if (sum > (uint64_t)INT64_MAX + p.negative)
        return false;
    *value = p.negative ? (int64_t)-sum : (int64_t)sum;
    return true;
}
