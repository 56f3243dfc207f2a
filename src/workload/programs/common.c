/* What the programs share. */
#include "workload/programs/programs.h"

#include <stdio.h>

uint64_t program_number(weft_task *t, int word, uint64_t usual)
{
    uint64_t value = 0;
    if (word >= t->argc)
        return usual;
    for (const char *at = t->argv[word]; *at; at++) {
        value = *at >= '0' && *at <= '9' ? value * 10 + (uint64_t)(*at - '0') : UINT64_MAX;
        if (value > 1ull << 40) {
            char text[128];
            snprintf(text, sizeof(text), "argument '%.40s' is not a whole number of up to 2^40",
                     t->argv[word]);
            weft_fail(t, text);
        }
    }
    return value;
}

/* The largest factor of a number that is not above a limit. */
static uint32_t factor(uint32_t number, double limit)
{
    uint32_t best = 1;
    for (uint32_t f = 1; f <= number && f <= limit + 1e-9; f++)
        best = number % f ? best : f;
    return best;
}

void program_grid(const weft_task *t, unsigned dims, uint32_t *side)
{
    uint32_t rest = t->size;
    for (unsigned d = 0; d + 1 < dims; d++) {
        double root = rest;
        for (unsigned step = 0; step < 60; step++) { /* the root of order dims - d, by Newton */
            double power = 1;
            for (unsigned k = 0; k + 1 < dims - d; k++)
                power *= root;
            root -= (root * power - rest) / ((dims - d) * power);
        }
        side[d] = factor(rest, root);
        rest /= side[d];
    }
    side[dims - 1] = rest;
}

static unsigned char byte_of(size_t i, uint32_t from, uint32_t to, uint32_t round)
{
    return (unsigned char)(i * 7 + from * 31u + to * 17u + round * 101u);
}

void program_fill(unsigned char *at, size_t bytes, uint32_t from, uint32_t to, uint32_t round)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = byte_of(i, from, to, round);
}

void program_check(weft_task *t, const unsigned char *at, size_t bytes, uint32_t from, uint32_t to,
                   uint32_t round)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != byte_of(i, from, to, round)) {
            char text[128];
            snprintf(text, sizeof(text), "byte %zu from process %u in round %u is wrong", i, from,
                     round);
            weft_fail(t, text);
        }
}
