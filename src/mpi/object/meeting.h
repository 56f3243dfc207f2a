/*
 * Meetings: where members of a communicator tell each other what their messages have only the
 * length of. A collective operation of many ranks, such as MPI_Comm_split(), would give each of
 * them a copy of what all have said; here it is kept once. Who comes to a meeting says something
 * before the messages of the operation are exchanged, and looks at what others said after them: so
 * all have spoken by then, whatever thread they are on.
 */
#ifndef WEFT_MPI_OBJECT_MEETING_H
#define WEFT_MPI_OBJECT_MEETING_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/fine.h"

struct meeting {
    struct meeting *next;
    uint64_t key;
    uint32_t members, left; /* left: who has not gone yet */
    bool *has_come;         /* [member] */
    int64_t *word;          /* [member][words] */
    unsigned words;
    void *made; /* from all words, by the first who needs it */
};

struct meetings {
    pthread_mutex_t lock;
    struct meeting *first;
};

void meetings_fini(struct meetings *m);

/* Comes to the next meeting with this key, and says some words. */
struct meeting *meeting_come(struct meetings *all, uint64_t key, uint32_t members, uint32_t member,
                             const int64_t *word, unsigned words);

/* What all members should say of a collective operation. */
struct agreement {
    int64_t call, context, root;
    int64_t op;    /* of a reduction, and its type; else 0 */
    int64_t bytes; /* negative: they may differ */
    bool empty;    /* it moves nothing: no message shows that others move something */
};

/* Who says it, and when. */
struct speaker {
    struct agreement what;
    fine_t when;
    int64_t call; /* that it is in */
    uint32_t rank;
};

/* Of all that has been said, in simulated time: the first, and the first that differs from it. */
struct agreed {
    struct speaker first, other;
    bool differ;
};

/* Says it, and does not come again. Returns what has been said so far; later ones of the same
 * window may have spoken before. *alone: those that were heard until now said something else. */
void meeting_agree(struct meetings *all, uint64_t key, uint32_t members, const struct speaker *me,
                   struct agreed *agreed, bool *alone);

/* What somebody said. */
const int64_t *meeting_words(const struct meeting *m, uint32_t member);

/* What make() makes from all that was said; once, by one of them. */
void *meeting_make(struct meetings *all, struct meeting *m,
                   void *(*make)(const struct meeting *m, void *arg), void *arg);

/* Goes; with the last one what was made goes too. */
void meeting_go(struct meetings *all, struct meeting *m, void (*drop_made)(void *made));

#endif
