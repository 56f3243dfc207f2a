/*
 * Who runs which partition: for a stretch of windows, each member of a team has a share, a list of
 * partitions. In the last window of a stretch all members record the work of their partitions and
 * the time they took; then every member computes the shares of the next stretch from the same
 * numbers.
 *
 * If members mostly wait for each other, the first runs all partitions alone for some windows while
 * the others sleep, and continues as long as that is faster; now and then all try again together.
 * So more threads than are useful do little harm. The result cannot depend on it.
 */
#ifndef WEFT_ENGINE_SHARING_H
#define WEFT_ENGINE_SHARING_H

#include <stdbool.h>
#include <stdint.h>

/* ---- balance ---- */

/*
 * Which member runs which partition, by the partitions' recent work and the time their members
 * took: cores differ in speed when shared with other programs, and a window lasts as long as its
 * slowest member. All members compute it from the same numbers, so none has to be told.
 */

/* Memory for balance(), which allocates none: it runs where nobody can give up. */
struct balance_load;
struct balance_room {
    uint32_t partitions, members;
    struct balance_load *load;
    uint32_t *fresh;
};
void balance_room_init(struct balance_room *room, uint32_t partitions, uint32_t members);
void balance_room_fini(struct balance_room *room);

/*
 * Moves partitions, one by one, from members that take long to those that finish first; few, since
 * a partition that moves leaves a warm cache behind. work: of each partition; time: that each
 * member took for all its partitions, in any unit; NULL or 0: unknown; pace: each member's time per
 * unit of work, kept from call to call, initially 0. Returns whether any moved: none do if the gain
 * would be small.
 */
bool balance(struct balance_room *room, const uint64_t *work, const uint64_t *time, double *pace,
             uint32_t *member);

/* The initial shares: equally many consecutive partitions each. */
void balance_evenly(uint32_t partitions, uint32_t members, uint32_t *member);

/* ---- shares ---- */

enum {
    SHARED_STRETCH = 64, /* windows */
    ALONE_STRETCH = 512,
    ALONE_STRETCHES = 16, /* before the others try again */
    PATIENCE = 64,        /* shared stretches after a trial that did not pay off */
    /* One window in this many is timed; the median counts, so that a thread that was interrupted
     * does not pass for a slow one. */
    TIMED_WINDOWS = 4,
    TIMES = SHARED_STRETCH / TIMED_WINDOWS,
};

/* What members tell each other. */
struct sharing {
    uint32_t members;
    uint32_t first, end;  /* partitions */
    const bool *urgent;   /* by partition: run it before the others */
    bool always;          /* share windows of any size */
    bool stays;           /* members keep their first shares */
    bool paced;           /* times tell how fast cores are: every member has its own */
    uint64_t *work;       /* of each partition so far */
    uint64_t *time;       /* of each member's work in a window, in ns */
    uint64_t window_time; /* of a window that all share, including the first member's wait */
};

/* A member's own state. */
struct share {
    uint32_t index;
    bool shares;         /* there are other members */
    uint32_t *partition; /* partitions it runs, the urgent ones first */
    uint32_t partitions;
    uint32_t *owner;    /* each partition's member when all share; the same for all members */
    double *pace;       /* of each member (balance()); also the same for all */
    uint64_t *recorded; /* work of each partition when it was last recorded */
    uint64_t *lately;   /* and since */
    struct balance_room room;
    uint64_t last; /* last window of the stretch */
    bool alone;    /* the first member runs all; the same for all members */
    uint32_t alone_stretches, patience;
    double started; /* when the timed window began */
    uint64_t work_time[TIMES], window_time[TIMES];
};

/* Shares out partitions first..end-1, initially in rows; `urgent` must outlive the sharing. */
void sharing_init(struct sharing *s, uint32_t members, uint32_t first, uint32_t end,
                  const bool *urgent);
void sharing_fini(struct sharing *s);

void share_init(struct share *m, const struct sharing *s, uint32_t index);
void share_fini(struct share *m);

/* Begins the first stretch with this window. */
void share_start(struct share *m, uint64_t window);

/* Called three times per window: it begins; the member has run its partitions; all here have. */
void share_begins(struct share *m, uint64_t window);
void share_has_run(struct share *m, struct sharing *s, uint64_t window);
void share_is_over(struct share *m, uint64_t window);

/* A stretch is over for all members: begins the next one. */
void share_next(struct share *m, const struct sharing *s);

#endif
