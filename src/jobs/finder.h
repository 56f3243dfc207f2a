/*
 * Places for jobs: a job's size says which boxes can serve it, and a map of the machine at some
 * time where one of them is free. Jobs that can do without some nodes may be given a box with dead
 * nodes, if its view is still large enough.
 */
#ifndef WEFT_JOBS_FINDER_H
#define WEFT_JOBS_FINDER_H

#include "topology/places/places.h"

/* Jobs of one size. */
struct kind {
    uint32_t nodes;
    struct shapes shapes;
    uint32_t cells;  /* that a job takes, at least */
    uint32_t spares; /* dead nodes that it can do without */
    bool placeable;  /* it has a place in the empty machine, without what is dead for good */
};

/* A node that is dead, and until when. */
struct outage {
    uint32_t node, cell;
    uint32_t at[SPACE_AXES]; /* of the cell */
    int64_t until;           /* seconds; INT64_MAX: for good */
};

/* What a job is given. */
struct spot {
    struct place place;   /* a box; or, if it has none, */
    space_row *scattered; /* a map of cells */
};

struct finder {
    const struct ground *ground;
    struct space space;
    struct shapes_options shapes;
    struct kind *kind; /* by size */
    uint32_t kinds;
    struct outage *outage; /* those for good first, then by their ends */
    uint32_t outages, outage_room;
    uint32_t for_good;  /* of them */
    bool *is_dead;      /* [node] */
    uint32_t *in_place; /* scratch: dead nodes of a place */
    struct tally tally; /* scratch: dead nodes at a time */
};

/* `nodes`: the sizes of all jobs, in any order. The ground's dead nodes are dead for good. */
void finder_init(struct finder *f, const struct ground *ground, const struct shapes_options *shapes,
                 const uint32_t *nodes, uint32_t jobs);
void finder_fini(struct finder *f);

uint32_t finder_kind(const struct finder *f, uint32_t nodes);

/* A node dies; false: it is dead already. No outage may end before one that began earlier. */
bool finder_break(struct finder *f, uint32_t node, int64_t until);

/* Nodes come back; when the next one will: INT64_MAX: none. */
void finder_repair(struct finder *f, int64_t now);
int64_t finder_next_repair(const struct finder *f);

/* Closes, in a map of some time, the cells of the nodes that are dead then. */
void finder_close(const struct finder *f, space_row *map, int64_t time);

/* Whether so many free cells can be enough. A job with spares may use closed cells too, each of
 * which has a dead node. */
static inline bool finder_may_fit(const struct finder *f, uint32_t kind, uint32_t free)
{
    const struct kind *k = &f->kind[kind];
    return k->cells <= free + (k->spares < f->outages ? k->spares : f->outages);
}

/* A spot in a map of some time; false: there is none. The caller must free it. */
bool finder_find(struct finder *f, const space_row *map, uint32_t kind, int64_t time,
                 struct spot *spot);
void spot_fini(struct spot *spot);

/* Whether there may be a spot for a kind, if there was none before a cell of the map became free.
 */
bool finder_may_gain(const struct finder *f, const space_row *map, uint32_t kind, uint32_t cell);

/* Takes a spot in a map, or gives it back. */
void spot_take(const struct finder *f, space_row *map, const struct spot *spot, bool take);

/* Whether a spot has a cell. */
bool spot_has(const struct finder *f, const struct spot *spot, uint32_t cell);

#endif
