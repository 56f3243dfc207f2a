/*
 * What a packet says: the 64-bit cargo that it carries for the message layer.
 *
 *   | argument 32 | number 18 | spare 2 | attachment 1 | to 3 | from 3 | code 5 |
 *
 * `code` is the carrier's; `from` and `to` are slots of the two nodes; `number` tells the messages
 * of one process apart; the argument depends on the code. If the message has an attachment
 * (attachments.h), that is the argument wherever it would else be the message's bytes.
 */
#ifndef WEFT_MESSAGE_CARGO_H
#define WEFT_MESSAGE_CARGO_H

#include <stdbool.h>
#include <stdint.h>

enum { CARGO_NUMBERS = 1 << 18, CARGO_SLOTS = 8, CARGO_CODES = 32 };

struct cargo {
    uint32_t code, from, to, number, argument;
    bool attachment;
};

static inline uint64_t cargo_pack(const struct cargo *w)
{
    return (uint64_t)w->argument << 32 | (uint64_t)(w->number & (CARGO_NUMBERS - 1)) << 14 |
           (uint64_t)w->attachment << 11 | w->to << 8 | w->from << 5 | w->code;
}

static inline struct cargo cargo_unpack(uint64_t cargo)
{
    return (struct cargo){.code = cargo & (CARGO_CODES - 1),
                          .from = cargo >> 5 & (CARGO_SLOTS - 1),
                          .to = cargo >> 8 & (CARGO_SLOTS - 1),
                          .number = cargo >> 14 & (CARGO_NUMBERS - 1),
                          .argument = (uint32_t)(cargo >> 32),
                          .attachment = cargo >> 11 & 1};
}

#endif
