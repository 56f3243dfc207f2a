/*
 * Matching: which receive takes which message. A message has an envelope (context, source, tag); a
 * receive names one too, and may leave source or tag open. A message goes to the oldest receive
 * that fits, a receive takes the oldest message that fits, as MPI demands.
 *
 *   a message arrives     match_take_posted()      MATCH_NONE: match_add_arrived()
 *   a receive is posted   match_take_arrived()     MATCH_NONE: match_add_posted()
 *
 * Receives and messages are numbers that only the caller understands. Finding one takes the same
 * time however many wait, by a hash of the whole envelope; only a receive that leaves something
 * open goes through the messages of its process, oldest first.
 */
#ifndef WEFT_MESSAGE_MATCH_H
#define WEFT_MESSAGE_MATCH_H

#include "base/map.h"
#include "base/slots.h"

#define MATCH_NONE UINT32_MAX
#define MATCH_ANY  UINT32_MAX /* of a receive: any source, any tag */

struct envelope {
    uint32_t process; /* the receiver, as the owner of the table numbers them */
    uint32_t context, source, tag;
};

/* Messages that arrived at one process, oldest first, and how many of its receives leave something
 * open. */
struct match_process {
    uint32_t first, last;
    uint32_t open;
};

struct match {
    struct slots entries;          /* struct match_entry */
    struct map posted, arrived;    /* hash of an envelope: the newest of a ring of entries */
    struct match_process *process; /* [process] */
    uint32_t processes;
    uint64_t order; /* receives posted so far */
};

void match_init(struct match *m, uint32_t processes);
void match_fini(struct match *m);

/* Takes the oldest receive that a message fits, or the oldest message that fits a receive. */
uint32_t match_take_posted(struct match *m, const struct envelope *message);
uint32_t match_take_arrived(struct match *m, const struct envelope *receive);

void match_add_posted(struct match *m, const struct envelope *receive, uint32_t value);
void match_add_arrived(struct match *m, const struct envelope *message, uint32_t value);

/* Takes back a receive that was posted with this envelope: the first that is_it() says yes to. */
uint32_t match_take_back(struct match *m, const struct envelope *receive,
                         bool (*is_it)(void *arg, uint32_t value), void *arg);

/* The oldest message that fits a receive, which stays, and its envelope. */
uint32_t match_probe(const struct match *m, const struct envelope *receive,
                     struct envelope *message);

/* How many receives of a process wait, and the oldest of them; for reports: it looks at all. */
uint32_t match_posted(const struct match *m, uint32_t process, struct envelope *oldest);

void match_archive(struct match *m, struct archive *archive);

/* Whether a restored table can be one. Its values belong to the caller: visit() is called for each
 * of them, and false means that it cannot be. */
bool match_is_sound(const struct match *m,
                    bool (*visit)(void *arg, const struct envelope *e, bool posted, uint32_t value),
                    void *arg);

#endif
