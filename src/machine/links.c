/* Names of vertices, and the end of arrays. */
#include "machine/links.h"

#include <stdio.h>
#include <stdlib.h>

const char *const link_state_names[LINK_STATES] = {
    [LINK_GOOD] = "good", [LINK_BAD] = "bad", [LINK_DEAD] = "dead"};

void run_links_free(struct run_links *l)
{
    if (!l)
        return;
    free(l->map.switch_of);
    free(l->from);
    free(l->to);
    free(l->direction);
    free(l->state);
    free(l->busy);
    free(l->vc_busy);
    free(l->vc_packets);
    free(l->vc_blocked);
    free(l->vc_queued);
    free(l->timeline);
    free(l->vc_timeline);
    free(l);
}

void run_nodes_free(struct run_nodes *n)
{
    if (!n)
        return;
    free(n->node);
    free(n->dead);
    free(n);
}

const char *vertex_text(const struct link_map *map, uint32_t vertex, char text[VERTEX_TEXT])
{
    uint32_t hosts = map->switches ? map->vertices - map->switches : 0;
    if (map->shape.dims && (!map->switches || vertex >= hosts))
        torus_place_text(&map->shape, vertex - hosts, text);
    else if (map->switches && vertex >= hosts)
        snprintf(text, VERTEX_TEXT, "switch %u", vertex - hosts);
    else
        snprintf(text, VERTEX_TEXT, "%u", vertex);
    return text;
}
