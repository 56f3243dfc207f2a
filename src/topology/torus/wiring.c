/* Which box a node is in, and the links there. */
#include "topology/torus/wiring.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { NOT_YET = UINT32_MAX };

/* Adds a box, and its nodes. */
static void add_box(struct wiring *w, const struct torus *t, const struct box *box)
{
    struct wiring_box *own = &w->box[w->boxes];
    *own = (struct wiring_box){.box = *box, .torus = {.dims = t->dims, .nodes = 1}};
    for (unsigned d = 0; d < t->dims; d++) {
        own->torus.size[d] = box->size[d];
        own->torus.wrap[d] = true;
        own->torus.nodes *= box->size[d];
    }
    own->torus.wraps = t->dims;
    for (uint32_t i = 0; i < own->torus.nodes; i++) {
        uint32_t node = box_node(t, box, i);
        WEFT_CHECK(w->of[node] == NOT_YET, "node %u is in two boxes", node);
        w->of[node] = w->boxes;
        w->number[node] = i;
    }
    w->boxes++;
}

/* The cell that begins at a node. */
static bool begins_cell(const struct torus *t, const uint32_t *cell, uint32_t node, struct box *box)
{
    torus_coordinates(t, node, box->at);
    memcpy(box->size, cell, sizeof(box->size));
    for (unsigned d = 0; d < t->dims; d++)
        if (box->at[d] % cell[d])
            return false;
    return true;
}

struct wiring *wiring_create(const struct torus *t, const uint32_t cell[TORUS_MAX_DIMS],
                             const struct box *box, uint32_t boxes)
{
    struct wiring *w = memory_alloc(1, sizeof(*w));
    uint32_t cells = t->nodes;
    struct box single;
    for (unsigned d = 0; d < t->dims; d++)
        cells /= cell[d];
    w->box = memory_alloc(cells, sizeof(*w->box));
    w->of = memory_alloc(t->nodes, sizeof(*w->of));
    w->number = memory_alloc(t->nodes, sizeof(*w->number));
    memset(w->of, 0xff, t->nodes * sizeof(*w->of)); /* NOT_YET */
    for (uint32_t i = 0; i < boxes; i++)
        add_box(w, t, &box[i]);
    w->given = boxes;
    for (uint32_t node = 0; node < t->nodes; node++)
        if (w->of[node] == NOT_YET && begins_cell(t, cell, node, &single))
            add_box(w, t, &single);
    return w;
}

void wiring_destroy(struct wiring *w)
{
    if (!w)
        return;
    free(w->box);
    free(w->of);
    free(w->number);
    free(w);
}
