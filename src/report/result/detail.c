/* What each link and each node did: sections of the result, and tables. */
#include <math.h>

#include "machine/family.h"
#include "report/result/columns.h"
#include "report/result/result.h"

/* ---- links ---- */

/* On larger machines, links are only in the result if run.detail asks for them. */
enum { USUAL_NODES = 4096 };

static const struct run_links *links_of(const struct column_source *s)
{
    return s->result->links;
}

static double from_of(const struct column_source *s, size_t i)
{
    return links_of(s)->from[i];
}

static double to_of(const struct column_source *s, size_t i)
{
    return links_of(s)->to[i];
}

static double direction_of(const struct column_source *s, size_t i)
{
    return links_of(s)->direction[i];
}

static double state_of(const struct column_source *s, size_t i)
{
    return links_of(s)->state[i];
}

static double utilisation_of(const struct column_source *s, size_t i)
{
    return run_ratio((double)links_of(s)->busy[i], (double)s->result->span);
}

static double vc_of(const struct column_source *s, size_t at)
{
    return (double)(at % links_of(s)->vcs);
}

static double vc_utilisation_of(const struct column_source *s, size_t at)
{
    return run_ratio((double)links_of(s)->vc_busy[at], (double)s->result->span);
}

static double packets_of(const struct column_source *s, size_t at)
{
    return (double)links_of(s)->vc_packets[at];
}

static double queue_of(const struct column_source *s, size_t at)
{
    const struct run_links *l = links_of(s);
    double holds = l->map.queue[at % l->vcs];
    return run_ratio((double)l->vc_queued[at], (double)s->result->span * holds);
}

static double blocked_of(const struct column_source *s, size_t at)
{
    const struct run_links *l = links_of(s);
    return run_ratio((double)l->vc_blocked[at], (double)s->result->span * l->map.rooms);
}

static double timeline_of(const struct column_source *s, size_t at)
{
    return links_of(s)->timeline[at] / 255.0;
}

static double vc_timeline_of(const struct column_source *s, size_t at)
{
    return links_of(s)->vc_timeline[at] / 255.0;
}

static double switch_of(const struct column_source *s, size_t host)
{
    return links_of(s)->map.switch_of[host];
}

static bool has_hosts(const struct run_result *r)
{
    return r->links->map.switch_of != NULL;
}

static bool has_vcs(const struct run_result *r)
{
    return r->links->vc_busy && r->vcs;
}

static bool has_timeline(const struct run_result *r)
{
    return r->links->vc_busy && r->links->timeline;
}

static bool has_vc_timeline(const struct run_result *r)
{
    return has_timeline(r) && r->links->vc_timeline && r->vcs;
}

static const struct column columns_of_links[] = {
    {NULL, "link", COLUMN_COUNT, "link", .value = column_index},
    {"from", "from", COLUMN_VERTEX, "link", .needed = true, .value = from_of},
    {"to", "to", COLUMN_VERTEX, "link", .needed = true, .value = to_of},
    {"direction", "direction", COLUMN_WORD, "link", .words = "directions", .needed = true,
     .value = direction_of},
    {"state", "state", COLUMN_WORD, "link", .words = "states", .value = state_of},
    {"utilisation", "link_utilisation", COLUMN_SHARE, "link", "share of time", .needed = true,
     .value = utilisation_of},
    {NULL, "vc", COLUMN_WORD, "link vc", .words = "vcs", .value = vc_of},
    {"vc_utilisation", "utilisation", COLUMN_SHARE, "link vc", "share of time",
     .value = vc_utilisation_of, .present = has_vcs},
    {NULL, "packets", COLUMN_COUNT, "link vc", .value = packets_of},
    {"queue", "queue", COLUMN_SHARE, "link vc", "share of buffers", .value = queue_of,
     .present = has_vcs},
    {"blocked", "blocked", COLUMN_SHARE, "link vc", "share of time", .value = blocked_of,
     .present = has_vcs},
    {NULL, "steady", COLUMN_TRUTH, "link", .value = column_steady},
    {"switch_of_host", NULL, COLUMN_VERTEX, "host", .value = switch_of, .present = has_hosts},
    {"timeline", NULL, COLUMN_COARSE_SHARE, "row link", "share of time", .value = timeline_of,
     .present = has_timeline},
    {"vc_timeline", NULL, COLUMN_COARSE_SHARE, "row link vc", "share of time",
     .value = vc_timeline_of, .present = has_vc_timeline},
};
const struct column_table link_columns = {columns_of_links,
                                          sizeof(columns_of_links) / sizeof(columns_of_links[0])};

static json_t *names(const char *const *name, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(name[i]));
    return list;
}

static void put_shape(json_t *o, const struct torus *t)
{
    json_t *dims = json_array(), *wrap = json_array();
    for (unsigned d = 0; d < t->dims; d++) {
        json_array_append_new(dims, json_integer(t->size[d]));
        json_array_append_new(wrap, json_boolean(t->wrap[d]));
    }
    json_object_set_new(o, "dims", dims);
    json_object_set_new(o, "wrap", wrap);
}

static void put_columns(json_t *o, const struct run_result *r)
{
    const struct run_links *l = r->links;
    const struct column_source source = {.result = r};
    const struct column_sizes sizes = {.items = l->count,
                                       .vcs = r->vcs,
                                       .rows = l->rows,
                                       .hosts = l->map.vertices - l->map.switches};
    if (has_timeline(r)) {
        json_object_set_new(o, "rows", json_integer((json_int_t)l->rows));
        json_object_set_new(o, "interval_cycles", json_integer((json_int_t)l->row_cycles));
    }
    columns_put(o, &link_columns, &source, &sizes);
}

json_t *links_json(const struct config *c, const struct run_result *r)
{
    const struct run_links *l = r->links;
    const char *vc[MEASURE_VCS];
    if (!l || !l->count || (!l->vc_busy && machine_nodes(c) > USUAL_NODES))
        return NULL;
    for (uint32_t v = 0; v < r->vcs; v++)
        vc[v] = r->vc[v].name;
    json_t *o = json_pack("{s:s, s:I, s:I, s:I}", "kind", family_of(c)->schema.fabric, "count",
                          (json_int_t)l->count, "vertices", (json_int_t)l->map.vertices, "switches",
                          (json_int_t)l->map.switches);
    if (l->map.shape.dims)
        put_shape(o, &l->map.shape);
    json_object_set_new(o, "directions", names(l->map.direction, l->map.directions));
    json_object_set_new(o, "vcs", names(vc, r->vcs));
    json_object_set_new(o, "states", names(link_state_names, LINK_STATES));
    put_columns(o, r);
    return o;
}

weft_status links_write_csv(const char *path, const struct run_result *r)
{
    const struct column_source source = {.result = r};
    const struct run_links *l = r->links;
    return columns_write_csv(path, &link_columns, &source, l->count * l->vcs, l->vcs);
}

/* ---- nodes ---- */

static const struct detail_node *node_of(const struct column_source *s, size_t i)
{
    return &s->result->nodes->node[i];
}

/* What has no packet has no time. */
static double mean(uint64_t sum, uint64_t count)
{
    return count ? (double)sum / (double)count : NAN;
}

static double dead_of(const struct column_source *s, size_t i)
{
    return s->result->nodes->dead[i];
}

static double sent_of(const struct column_source *s, size_t i)
{
    return (double)node_of(s, i)->sent_packets;
}

static double sent_rate_of(const struct column_source *s, size_t i)
{
    return (double)node_of(s, i)->sent_bytes * s->per_second;
}

static double received_of(const struct column_source *s, size_t i)
{
    return (double)node_of(s, i)->received_packets;
}

static double received_rate_of(const struct column_source *s, size_t i)
{
    return (double)node_of(s, i)->received_bytes * s->per_second;
}

static double waiting_of(const struct column_source *s, size_t i)
{
    return mean(node_of(s, i)->waited, node_of(s, i)->waits);
}

static double longest_waiting_of(const struct column_source *s, size_t i)
{
    return node_of(s, i)->waits ? (double)node_of(s, i)->waited_most : NAN;
}

static double response_of(const struct column_source *s, size_t i)
{
    return mean(node_of(s, i)->response, node_of(s, i)->responses);
}

static double longest_response_of(const struct column_source *s, size_t i)
{
    return node_of(s, i)->responses ? (double)node_of(s, i)->response_most : NAN;
}

static const struct column columns_of_nodes[] = {
    {NULL, "node", COLUMN_COUNT, "node", .value = column_index},
    {NULL, "place", COLUMN_VERTEX, "node", .value = column_index},
    {"dead", "dead", COLUMN_TRUTH, "node", .value = dead_of},
    {"sent_packets", "sent_packets", COLUMN_COUNT, "node", .value = sent_of},
    {"sent_bytes_per_second", "sent_bytes_per_second", COLUMN_REAL, "node", "B/s",
     .value = sent_rate_of},
    {"received_packets", "received_packets", COLUMN_COUNT, "node", .value = received_of},
    {"received_bytes_per_second", "received_bytes_per_second", COLUMN_REAL, "node", "B/s",
     .value = received_rate_of},
    {"source_queueing_cycles", "source_queueing_mean_cycles", COLUMN_REAL, "node", "cycles",
     .value = waiting_of},
    {NULL, "source_queueing_max_cycles", COLUMN_COUNT, "node", .value = longest_waiting_of},
    {"response_cycles", "response_mean_cycles", COLUMN_REAL, "node", "cycles",
     .value = response_of},
    {NULL, "response_max_cycles", COLUMN_COUNT, "node", .value = longest_response_of},
    {NULL, "steady", COLUMN_TRUTH, "node", .value = column_steady},
};
const struct column_table node_columns = {columns_of_nodes,
                                          sizeof(columns_of_nodes) / sizeof(columns_of_nodes[0])};

static struct column_source source_of(const struct config *c, const struct run_result *r)
{
    return (struct column_source){r, run_ratio(machine_cycles_per_second(c), (double)r->span)};
}

json_t *nodes_json(const struct config *c, const struct run_result *r)
{
    if (!r->nodes)
        return NULL;
    const struct column_source source = source_of(c, r);
    json_t *o = json_pack("{s:I}", "count", (json_int_t)r->nodes->count);
    columns_put(o, &node_columns, &source, &(struct column_sizes){.items = r->nodes->count});
    return o;
}

weft_status nodes_write_csv(const char *path, const struct config *c, const struct run_result *r)
{
    const struct column_source source = source_of(c, r);
    return columns_write_csv(path, &node_columns, &source, r->nodes->count, 1);
}
