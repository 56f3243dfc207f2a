/*
 * Several workloads at once: jobs that share a machine, each with a part of its nodes to itself.
 *
 *   workload.parts = 4x4x4@0/0/1 alltoall bytes_per_pair=4096; nodes:0-63 uniform load=0.3
 *
 * A part is a box of cells, which its pattern sees as a torus (topology/places/places.h) and which
 * some machines wire apart from all others (topology/torus/wiring.h), or a list of cells or nodes,
 * cells:0-7,12, nodes:0-63 or file:PATH, wherever they are. After the place come a pattern and
 * settings that differ from the run's: keys of workload.*, without that prefix. To a pattern a part
 * is a site like any other; what it does depends on other parts only through the time that its
 * packets take.
 *
 *   parts.c        the parts together, as one workload
 *   part_site.c    a part as a site
 *   part_wiring.c  parts that are wired apart
 *   part_text.c    reading
 */
#ifndef WEFT_WORKLOAD_PARTS_PARTS_H
#define WEFT_WORKLOAD_PARTS_PARTS_H

#include <string.h>

#include "fabric/measure.h"
#include "topology/places/places.h"
#include "workload/workload.h"

enum { PART_PLACE = 1024 };
#define PART_FILE "file:"

struct parts_params {
    char parts[CONFIG_TEXT];
};

extern const struct key_section parts_section;

/* A part as it was written. */
struct part_text {
    char *text;             /* all of it */
    char place[PART_PLACE]; /* a box, cells:LIST, nodes:LIST or file:PATH */
    char planes[64];        /* of a box's view; auto: the one most like a cube */
    uint32_t axes;          /* that view's; 0: three */
    struct config config;   /* the run's keys of workload.*, and those that it sets */
    char *set;              /* their names, separated by blanks */
};

struct part_list {
    uint32_t count, room;
    struct part_text *part;
};

/* The parts of a configuration, which are read once. WEFT_BAD_INPUT: they cannot be read. */
weft_status parts_list(const struct config *c, const struct part_list **list);

/* Them, or none, where they cannot be read: whoever runs them is told why. */
const struct part_list *parts_readable(const struct config *c);

/* How many there are; none, where they cannot be read. */
uint32_t parts_count(const struct config *c);

/* Whether its place is a box of cells, by its sizes. */
static inline bool part_is_box(const struct part_text *part)
{
    const char *at = part->place;
    return *at >= '1' && *at <= '9' && at[strspn(at, "0123456789")] == 'x';
}

/* Whether some part is a box of cells. */
bool parts_have_boxes(const struct config *c);

/* Where partitions are wired apart: the nodes of each part. WEFT_BAD_INPUT: some part is not a box,
 * or two need the same cell or wire. */
weft_status parts_boxes(const struct config *c, const struct ground *g, struct box **box,
                        uint32_t *count);

/* WEFT_BAD_INPUT: a part sets a key that its pattern does not have as packets, or messages. */
weft_status part_check_layer(const struct part_text *part, enum layer as);

struct workload_part {
    char *place; /* as it was written */
    const struct site *machine;
    struct site site;
    struct view view; /* its nodes and, of a box, its torus */
    uint32_t nodes;
    uint32_t plane[TORUS_MAX_DIMS]; /* links in a plane across each axis of the machine: of a box
                                     * its own, for a list all of the machine's */
    const uint32_t *local; /* [node of the machine]: its number in the part that it is in */
    const uint16_t *of;    /* [node of the machine]: the number of that part, from 1; 0: none */
    struct workload *workload;
    uint32_t first; /* of its processes */
    bool apart;     /* a partition that is wired apart: a torus of its own */
    bool *dead;     /* of it: [its node]; NULL: none */
};

struct workload_parts {
    uint32_t count;
    struct workload_part *part;
    uint32_t *local; /* as above */
    uint16_t *of;
    bool *whole; /* [number]: measured from its begin to its end */
};

/* NULL: a workload has none. */
static inline const struct workload_parts *workload_parts(const struct workload *w)
{
    return w->pattern->kind == PATTERN_PARTS ? w->state : NULL;
}

/* Which packets are whose: class 0 is what no part has. */
struct measure_classes parts_classes(const struct workload_parts *parts);

/* ---- part_text.c ---- */

/* Adds a part to a text as in workload.parts: nodes as "0-63", or any place; and a setting to the
 * last part. WEFT_BAD_INPUT: there is no room for it. */
weft_status parts_append(char text[CONFIG_TEXT], const char *on, const char *pattern);
weft_status parts_append_setting(char text[CONFIG_TEXT], const char *name, const char *value);

/* ---- part_site.c ---- */

/* Finds the nodes of a part, and makes it a site. Complaints name workload.parts. */
weft_status workload_part_place(struct workload_part *part, const struct part_text *text);
void workload_part_fini(struct workload_part *part);

/* ---- part_wiring.c ---- */

/* The same, of a part that is wired apart: a box of the machine's wiring (topology/torus/wiring.h).
 */
void workload_part_apart(struct workload_part *part);

#endif
