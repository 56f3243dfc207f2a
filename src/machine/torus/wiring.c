/* Partitions of a run that link chips keep apart (MSG, 2): the places of its parts, as a wiring. */
#include <stdlib.h>

#include "machine/torus/model.h"
#include "topology/torus/wiring.h"
#include "workload/parts/parts.h"

/* A ring needs the cable back that a mesh has not. */
static weft_status check_rings(const struct torus *t)
{
    for (unsigned d = 0; d < t->dims; d++)
        if (!t->wrap[d])
            return BAD_INPUT("machine.wrap",
                             ("partitions that are wired apart are rings along each axis, and "
                              "machine.wrap = false makes lines"),
                             ("leave out machine.wrap, or name nodes, as nodes:0-63"));
    return WEFT_OK;
}

/* A dateline given by its coordinate is at that coordinate of each partition. */
static weft_status check_datelines(const struct torus_config *c, const struct wiring *w)
{
    for (uint32_t i = 0; i < w->given; i++)
        for (unsigned d = 0; d < c->torus.dims; d++) {
            const struct torus *own = &w->box[i].torus;
            int32_t line = torus_dateline(&c->torus, own, &c->router, d);
            if (line >= (int32_t)own->size[d])
                return BAD_INPUT("machine.router.dateline workload.parts",
                                 ("machine.router.dateline = %.60s is beyond the %u nodes along %c "
                                  "of part %u",
                                  c->dateline, own->size[d], "xyz"[d], i + 1),
                                 ("use highest, or coordinates that every partition has"));
        }
    return WEFT_OK;
}

/* An axis with one node of a partition has no links there, whatever the machine has. */
static weft_status check_bad_links(const struct torus_config *c, const struct torus *t)
{
    const struct error_params *errors = &c->router.link.errors;
    for (uint32_t i = 0; i < errors->bad_links; i++)
        TRY(faults_check_link(t, "machine.link.bad_links", errors->bad[i].node,
                              errors->bad[i].port));
    return WEFT_OK;
}

static weft_status wire_boxes(const struct config *c, const struct ground *g, struct torus_wired *w)
{
    const struct torus_config *t = config_torus(c);
    struct box *box = NULL;
    uint32_t boxes = 0;
    TRY(check_rings(&t->torus));
    TRY(parts_boxes(c, g, &box, &boxes));
    w->torus.wiring = w->wiring = wiring_create(&t->torus, g->cell, box, boxes);
    free(box);
    TRY(check_datelines(t, w->wiring));
    TRY(check_bad_links(t, &w->torus));
    return faults_parse(&w->torus, t->dead_nodes, t->dead_links, &w->faults); /* their neighbours */
}

bool torus_is_apart(const struct config *c)
{
    return config_workload(c)->pattern->kind == PATTERN_PARTS && parts_have_boxes(c);
}

weft_status torus_wire(const struct config *c, struct torus_wired *w)
{
    const struct torus_config *t = config_torus(c);
    struct ground g;
    *w = (struct torus_wired){.torus = t->torus, .faults = t->faults};
    if (!torus_is_apart(c))
        return WEFT_OK;
    TRY(torus_ground(c, &g));
    weft_status status = wire_boxes(c, &g, w);
    ground_fini(&g);
    return status;
}

void torus_unwire(struct torus_wired *w)
{
    wiring_destroy(w->wiring);
    w->wiring = NULL;
}
