/*
 * What the definitions of an OTF2 trace say: which locations are ranks of MPI_COMM_WORLD, who is in
 * which communicator, which regions are calls of MPI. Definitions are added in any order, then
 * settled; all that they refer to must be there by then. Nothing here knows libotf2 (otf2.c), so
 * that definitions and events can come from elsewhere, as tests have it.
 */
#ifndef WEFT_TRACE_OTF2_WORLD_H
#define WEFT_TRACE_OTF2_WORLD_H

#include "base/map.h"
#include "trace/record.h"

/* What a region is to a replay. */
enum otf2_region {
    REGION_OUTSIDE, /* no call of MPI */
    REGION_CALL,    /* whose events say everything */
    REGION_SEND,    /* with a mode */
    REGION_START,   /* begins what is waited for elsewhere; with a mode */
    REGION_EXCHANGE,
    REGION_TEST,
    REGION_PROBE,
    REGION_INIT,
    REGION_FINALIZE,
    REGION_BY_MEMBERS, /* makes a communicator, and only its members take part */
    REGION_NEIGHBOURS, /* a collective operation of neighbours */
    REGION_ONE_SIDED,
};

enum otf2_group_sort { GROUP_OTHER, GROUP_LOCATIONS, GROUP_RANKS, GROUP_SELF };

struct otf2_group {
    enum otf2_group_sort sort;
    uint64_t *member; /* locations, or places among those */
    uint32_t members;
};

/* A communicator as it is defined; of two sides, the second has a group too. */
struct otf2_comm {
    uint32_t ref, name, group[2];
    bool two;
};

struct otf2_region_name {
    uint32_t ref, name;
    bool mpi;
};

struct otf2_world {
    const char *path; /* of the trace */
    struct recording *to;
    double ticks; /* of the clock, in a second; 0: not known */
    struct map strings, groups;
    char **string;
    struct otf2_group *group;
    struct otf2_comm *comm;
    struct otf2_region_name *name;
    uint32_t comm_count, names;
    /* Once it is settled. */
    uint64_t *location; /* of each rank */
    struct map ranks;   /* location: rank */
    struct map comms;   /* reference: number of a communicator (record.h) */
    struct map regions; /* reference: enum otf2_region, its mode from bit 8 on */
};

void otf2_world_init(struct otf2_world *w, const char *path, struct recording *to);
void otf2_world_fini(struct otf2_world *w);

void otf2_world_string(struct otf2_world *w, uint32_t ref, const char *text);
void otf2_world_region(struct otf2_world *w, uint32_t ref, uint32_t name, bool mpi);
void otf2_world_group(struct otf2_world *w, uint32_t ref, enum otf2_group_sort sort,
                      const uint64_t *member, uint32_t members);
void otf2_world_comm(struct otf2_world *w, const struct otf2_comm *comm);

weft_status otf2_world_settle(struct otf2_world *w);

static inline uint32_t otf2_world_size(const struct otf2_world *w, uint32_t comm, unsigned side)
{
    if (comm < COMM_FIRST)
        return comm == COMM_SELF ? 1 : w->to->ranks;
    return w->to->comm[comm - COMM_FIRST].side[side].members;
}

/* Where a rank is in communicators, found once for each. */
struct otf2_member {
    const struct otf2_world *world;
    uint32_t rank;
    struct map places; /* number of a communicator: place, or side and place */
};

/* Its place and side; false: it is no member. */
bool otf2_place(struct otf2_member *m, uint32_t comm, uint32_t *place, unsigned *side);

#endif
