/* The ALU of a tree node and of barrier gates: operand by operand, 16 bits at a time. */
#include "node/nic.h"

#include <string.h>

static uint16_t load(const unsigned char *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static void add(unsigned char *mine, const unsigned char *other, unsigned width)
{
    uint32_t sum = 0; /* its upper half is the carry */
    for (unsigned i = 0; i < width; i += 2) {
        sum = (sum >> 16) + load(mine + i) + load(other + i);
        mine[i] = (unsigned char)sum;
        mine[i + 1] = (unsigned char)(sum >> 8);
    }
}

static bool is_less(const unsigned char *a, const unsigned char *b, unsigned width)
{
    for (unsigned i = width; i; i -= 2) {
        uint16_t left = load(a + i - 2), right = load(b + i - 2);
        if (left != right)
            return left < right;
    }
    return false;
}

void alu_combine(enum nic_operation operation, unsigned width, unsigned char *mine,
                 const unsigned char *other, size_t bytes)
{
    bool arithmetic = operation == OPERATION_ADD || operation == OPERATION_MAX; /* else bits */
    size_t whole = bytes - bytes % width;
    if (arithmetic)
        for (size_t at = 0; at < whole; at += width) {
            if (operation == OPERATION_ADD)
                add(mine + at, other + at, width);
            else if (is_less(mine + at, other + at, width))
                memcpy(mine + at, other + at, width);
        }
    else
        for (size_t i = 0; i < whole; i++)
            mine[i] = (unsigned char)(operation == OPERATION_OR    ? mine[i] | other[i]
                                      : operation == OPERATION_AND ? mine[i] & other[i]
                                                                   : mine[i] ^ other[i]);
}
