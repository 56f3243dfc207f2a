/*
 * Letters: what a message says beyond what its packets can carry in the simulator's own words: its
 * envelope, its length in 64 bits, and its data. The sender copies them in when it posts the
 * message; the first packet brings the letter's number; the receiver copies them out when the last
 * packet has come. A process of the simulator holds them all, so several ranks cannot exchange any.
 *
 * A letter is made by the thread of the sender's partition and ends at that of the receiver's.
 * Numbers of letters depend on the order of threads; nothing that is simulated depends on them.
 */
#ifndef WEFT_MESSAGE_LETTERS_H
#define WEFT_MESSAGE_LETTERS_H

#include <stddef.h>
#include <stdint.h>

#define LETTER_NONE UINT32_MAX

struct letter {
    uint64_t bytes;
    uint32_t context, tag;
    unsigned char *data;  /* NULL: none, or no bytes */
    uint32_t owner, next; /* partition that made it; next free one */
};

struct letters;

struct letters *letters_create(uint32_t partitions);
void letters_destroy(struct letters *letters);

/* A letter of a partition, with room for its data. */
uint32_t letter_new(struct letters *letters, uint32_t partition, uint64_t bytes);
void letter_free(struct letters *letters, uint32_t number);

/* Stays where it is. */
struct letter *letter_at(const struct letters *letters, uint32_t number);

#endif
