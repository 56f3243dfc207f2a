/* Figures of a result. */
#include "machine/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const link_state_names[LINK_STATES] = {
    [LINK_GOOD] = "good", [LINK_BAD] = "bad", [LINK_DEAD] = "dead"};

const char *vertex_text(const struct links_map *map, uint32_t vertex, char text[VERTEX_TEXT])
{
    uint32_t hosts = map->switches ? map->vertices - map->switches : 0;
    if (map->shape.dims && (!map->switches || vertex >= hosts))
        torus_node_text(&map->shape, vertex - hosts, text);
    else if (map->switches && vertex >= hosts)
        snprintf(text, VERTEX_TEXT, "switch %u", vertex - hosts);
    else
        snprintf(text, VERTEX_TEXT, "%u", vertex);
    return text;
}

static void run_links_free(struct run_links *l)
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

void run_result_fini(struct run_result *r)
{
    if (r->jobs)
        r->free_jobs(r->jobs);
    for (uint32_t i = 0; i < r->parts; i++) {
        free(r->part[i].place);
        free(r->part[i].mpi);
    }
    free(r->part);
    free(r->part_of);
    free(r->swap);
    free(r->link_report.checksum);
    measure_fini(&r->measure);
    run_links_free(r->links);
    if (r->nodes) {
        free(r->nodes->node);
        free(r->nodes->dead);
    }
    free(r->nodes);
}

void run_result_add(struct run_result *r, const char *name, double value)
{
    WEFT_CHECK(r->figures < sizeof(r->figure) / sizeof(r->figure[0]), "no room for %s", name);
    r->figure[r->figures].name = name;
    r->figure[r->figures++].value = value;
}

void run_result_hops(struct run_result *r)
{
    if (r->measure.delivered)
        run_result_add(r, "hops_per_packet",
                       (double)r->measure.hops / (double)r->measure.delivered);
}

double run_result_figure(const struct run_result *r, const char *name)
{
    for (uint32_t i = 0; i < r->figures; i++)
        if (strcmp(r->figure[i].name, name) == 0)
            return r->figure[i].value;
    return -1;
}

void run_result_links(struct run_result *r, double bytes)
{
    double busy = 0, links = 0, span = (double)r->span;
    for (unsigned port = 0; port < MEASURE_PORTS; port++) {
        r->utilisation_by_port[port] =
            run_ratio((double)r->measure.busy[port], (double)r->links_by_port[port] * span);
        busy += (double)r->measure.busy[port];
        links += (double)r->links_by_port[port];
    }
    r->link_utilisation = run_ratio(busy, links * span);
    double payload =
        (double)(r->open ? r->measure.window_payload_hop_bytes : r->measure.payload_hop_bytes);
    r->payload_utilisation = run_ratio(payload, links * span * bytes);
}
