/* The distance of words: letters that are wrong, missing, too many, or swapped with the next one
 * (optimal string alignment; Damerau 1964). */
#include "base/text/suggest.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct suggestion suggestion_for(const char *word)
{
    return (struct suggestion){.word = word, .score = UINT_MAX};
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned distance(const char *a, const char *b)
{
    unsigned table[SUGGESTION_WORD][SUGGESTION_WORD];
    size_t m = strnlen(a, SUGGESTION_WORD - 1), n = strnlen(b, SUGGESTION_WORD - 1);
    for (size_t i = 0; i <= m; i++)
        table[i][0] = (unsigned)i;
    for (size_t j = 0; j <= n; j++)
        table[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++)
        for (size_t j = 1; j <= n; j++) {
            unsigned change = table[i - 1][j - 1] + !same(a[i - 1], b[j - 1]);
            unsigned shift = least(table[i - 1][j], table[i][j - 1]) + 1;
            table[i][j] = least(change, shift);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
        }
    return table[m][n];
}

/* Without the hyphens of an option, which are always right. */
static const char *letters(const char *word)
{
    return word + strspn(word, "-");
}

/* Whether a word is near, and how far it is. */
static bool measure(const char *word, const char *known, unsigned *far)
{
    size_t length = strlen(letters(word));
    unsigned most = (unsigned)length / 3;
    *far = distance(word, known);
    if (*far > most && length >= 3 && 2 * length >= strlen(letters(known)) &&
        strncasecmp(letters(known), letters(word), length) == 0)
        *far = most; /* so that one that is spelt wrong comes first */
    return *far <= most;
}

static void take(struct suggestion *n, const char *known, unsigned score)
{
    if (score >= n->score)
        return;
    n->score = score;
    snprintf(n->best, sizeof(n->best), "%s", known);
}

void suggestion_offer(struct suggestion *n, const char *known)
{
    unsigned far;
    if (measure(n->word, known, &far))
        take(n, known, far);
}

static const char *last_word(const char *key)
{
    const char *dot = strrchr(key, '.');
    return dot ? dot + 1 : key;
}

/* A letter of the last word counts as much as several of the section. */
void suggestion_offer_key(struct suggestion *n, const char *known)
{
    enum { LAST_WORD = 3 };
    unsigned far, whole = distance(n->word, known);
    if (measure(last_word(n->word), last_word(known), &far) ||
        (!strchr(n->word, '.') && measure(n->word, known, &far)))
        take(n, known, LAST_WORD * far + whole);
}

weft_status suggestion_remedy(const struct suggestion *n, weft_status status)
{
    if (n->best[0])
        error_remedy("did you mean '%s'?", n->best);
    return status;
}
