/* Distances, the living and the dead. */
#include "machine/coordinates.h"

#include <stdlib.h>

#include "base/memory.h"

uint32_t coordinates_distance(const struct site *site, uint32_t from, uint32_t to)
{
    return torus_distance(site->torus, from, to);
}

uint32_t coordinates_diameter(const struct site *site)
{
    return torus_diameter(site->torus);
}

struct living living_list(uint32_t nodes, living_question *is_dead, const void *faults)
{
    struct living l = {memory_alloc(nodes, sizeof(*l.node)), memory_alloc(nodes, sizeof(*l.dead))};
    uint32_t count = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        l.dead[node] = is_dead(faults, node);
        if (!l.dead[node])
            l.node[count++] = node;
    }
    if (count == nodes)
        living_fini(&l);
    return l;
}

void living_fini(struct living *l)
{
    free(l->node);
    free(l->dead);
    *l = (struct living){NULL, NULL};
}
