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
