/*
 * Letters: what a packet or message carries beyond what the simulator's own words have room for:
 * data, lengths in 64 bits, envelopes. Whoever sends copies them in; the letter's number travels;
 * whoever receives copies them out. A process of the simulator holds them all, so several ranks
 * cannot exchange any.
 *
 * A letter is made by the thread of the sender's partition and ends at that of its last holder.
 * Numbers of letters depend on the order of threads; nothing that is simulated depends on them.
 */
#ifndef WEFT_NODE_LETTERS_H
#define WEFT_NODE_LETTERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LETTER_NONE UINT32_MAX

struct letter {
    uint64_t bytes;
    uint32_t context, tag;
    unsigned char *data; /* NULL: none, or no bytes */
    unsigned char *kept; /* memory for short data, which stays with the letter */
    uint32_t owner;      /* partition that made it */
    uint32_t next;       /* free: the next one; else its holder's */
    _Atomic(uint32_t) holders;
};

struct letters;

struct letters *letters_create(uint32_t partitions);
void letters_destroy(struct letters *letters);

/* A letter of a partition, with room for its data, and one holder. */
uint32_t letter_new(struct letters *letters, uint32_t partition, uint64_t bytes);

/* Gives it to several, before anybody else knows of it: each of them is to free it. */
void letter_share(struct letters *letters, uint32_t number, uint32_t holders);
void letter_free(struct letters *letters, uint32_t number);

/* Whether there can be such a letter. */
bool letter_is(const struct letters *letters, uint32_t number);

/* Stays where it is. */
struct letter *letter_at(const struct letters *letters, uint32_t number);

#endif
