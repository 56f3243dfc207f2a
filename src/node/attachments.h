/*
 * Attachments: what a packet or message carries beyond what the simulator's own words have room
 * for: data, lengths in 64 bits, envelopes. Whoever sends copies them in; the attachment's number
 * travels; whoever receives copies them out. A process of the simulator holds them all, so several
 * ranks cannot exchange any.
 *
 * An attachment is made by the thread of the sender's partition and ends at that of its last
 * holder. Numbers of attachments depend on the order of threads; nothing that is simulated depends
 * on them.
 */
#ifndef WEFT_NODE_ATTACHMENTS_H
#define WEFT_NODE_ATTACHMENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ATTACHMENT_NONE UINT32_MAX

/* A message may meet no receive: it is a call that the other process's layer serves without its
 * program, or the reply to one. */
enum remote_kind { REMOTE_NONE, REMOTE_CALL, REMOTE_REPLY };

struct attachment {
    uint64_t bytes;
    uint32_t context, tag;
    uint64_t signature;  /* what its sender says of the data, for its receiver */
    uint32_t call;       /* the number of the call */
    const void *what;    /* of a call: for whoever serves it */
    uint8_t remote;      /* enum remote_kind; if it is one: */
    uint8_t shape;       /* of the memory that the data go to (enum shape) */
    bool direct;         /* engines move the data, where there are any, and no processor */
    bool combines;       /* the data are combined with what is there */
    unsigned char *data; /* NULL: none, or no bytes */
    unsigned char *kept; /* memory for short data, which stays with the attachment */
    uint32_t owner;      /* partition that made it */
    uint32_t next;       /* free: the next one; else its holder's */
    _Atomic(uint32_t) holders;
};

struct attachments;

struct attachments *attachments_create(uint32_t partitions);
void attachments_destroy(struct attachments *attachments);

/* An attachment of a partition, with room for its data, and one holder. */
uint32_t attachment_new(struct attachments *attachments, uint32_t partition, uint64_t bytes);

/* Gives it to several, before anybody else knows of it: each of them is to free it. */
void attachment_share(struct attachments *attachments, uint32_t number, uint32_t holders);
void attachment_free(struct attachments *attachments, uint32_t number);

/* Whether there can be such an attachment. */
bool attachment_is(const struct attachments *attachments, uint32_t number);

/* Stays where it is. */
struct attachment *attachment_at(const struct attachments *attachments, uint32_t number);

#endif
