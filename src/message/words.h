/*
 * What a packet says: the 64-bit cargo that it carries for the message layer.
 *
 *   | argument 32 | number 18 | spare 2 | letter 1 | to 3 | from 3 | code 5 |
 *
 * `code` is the carrier's; `from` and `to` are slots of the two nodes; `number` tells the messages
 * of one process apart; the argument depends on the code. If the message has a letter (letters.h),
 * that is the argument wherever it would else be the message's bytes.
 */
#ifndef WEFT_MESSAGE_WORDS_H
#define WEFT_MESSAGE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

enum { WORDS_NUMBERS = 1 << 18, WORDS_SLOTS = 8, WORDS_CODES = 32 };

struct words {
    uint32_t code, from, to, number, argument;
    bool letter;
};

static inline uint64_t words_pack(const struct words *w)
{
    return (uint64_t)w->argument << 32 | (uint64_t)(w->number & (WORDS_NUMBERS - 1)) << 14 |
           (uint64_t)w->letter << 11 | w->to << 8 | w->from << 5 | w->code;
}

static inline struct words words_unpack(uint64_t cargo)
{
    return (struct words){.code = cargo & (WORDS_CODES - 1),
                          .from = cargo >> 5 & (WORDS_SLOTS - 1),
                          .to = cargo >> 8 & (WORDS_SLOTS - 1),
                          .number = cargo >> 14 & (WORDS_NUMBERS - 1),
                          .argument = (uint32_t)(cargo >> 32),
                          .letter = cargo >> 11 & 1};
}

#endif
