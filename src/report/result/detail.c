/* What each link and each node did: sections of the result, and tables. */
#include <math.h>
#include <string.h>

#include "machine/family.h"
#include "report/result/columns.h"
#include "report/result/result.h"

/* ---- what both tables have ---- */

static double index_of(const struct column_source *s, const struct column *c, size_t index)
{
    (void)s, (void)c;
    return (double)index;
}

static double steady_of(const struct column_source *s, const struct column *c, size_t index)
{
    (void)c, (void)index;
    return s->result->judged ? s->result->steady : NAN;
}

/* ---- links ---- */

/* On larger machines, links are only in the result if run.detail asks for them. */
enum { USUAL_NODES = 4096 };

static const unsigned char *array_of(const struct run_result *r, const struct column *c)
{
    return *(const unsigned char *const *)((const char *)r->links + c->member);
}

/* A number of an array of links. */
static double array_value(const struct column_source *s, const struct column *c, size_t at)
{
    uint64_t number = 0;
    memcpy(&number, array_of(s->result, c) + at * c->bytes, c->bytes);
    return (double)number;
}

static double span_of(const struct column_source *s)
{
    return (double)s->result->span;
}

/* The same of cycles, as a share of the window. */
static double time_share(const struct column_source *s, const struct column *c, size_t at)
{
    return run_ratio(array_value(s, c, at), span_of(s));
}

/* A share of 255. */
static double coarse_share(const struct column_source *s, const struct column *c, size_t at)
{
    return array_value(s, c, at) / 255.0;
}

static double vc_of(const struct column_source *s, const struct column *c, size_t at)
{
    (void)c;
    return (double)(at % s->result->links->vcs);
}

static double queue_of(const struct column_source *s, const struct column *c, size_t at)
{
    const struct run_links *l = s->result->links;
    return run_ratio(array_value(s, c, at), span_of(s) * l->map.queue[at % l->vcs]);
}

static double blocked_of(const struct column_source *s, const struct column *c, size_t at)
{
    return run_ratio(array_value(s, c, at), span_of(s) * s->result->links->map.rooms);
}

/* Some have an array only with run.detail, a timeline, hosts or VCs. */
static bool has_array(const struct run_result *r, const struct column *c)
{
    return array_of(r, c) && (r->vcs || !strstr(c->per, " vc"));
}

#define ARRAY(name)                                                                                \
    .member = offsetof(struct run_links, name), .bytes = sizeof(*((struct run_links *)0)->name)

static const struct column columns_of_links[] = {
    {NULL, "link", COLUMN_COUNT, "link", .value = index_of},
    {"from", "from", COLUMN_VERTEX, "link", .needed = true, .value = array_value, ARRAY(from)},
    {"to", "to", COLUMN_VERTEX, "link", .needed = true, .value = array_value, ARRAY(to)},
    {"direction", "direction", COLUMN_WORD, "link", .list = "directions", .needed = true,
     .value = array_value, ARRAY(direction)},
    {"state", "state", COLUMN_WORD, "link", .list = "states", .value = array_value, ARRAY(state)},
    {"utilisation", "link_utilisation", COLUMN_SHARE, "link", "share of time", .needed = true,
     .value = time_share, ARRAY(busy)},
    {NULL, "vc", COLUMN_WORD, "link vc", .list = "vcs", .value = vc_of},
    {"vc_utilisation", "utilisation", COLUMN_SHARE, "link vc", "share of time", .value = time_share,
     .present = has_array, ARRAY(vc_busy)},
    {NULL, "packets", COLUMN_COUNT, "link vc", .value = array_value, ARRAY(vc_packets)},
    {"queue", "queue", COLUMN_SHARE, "link vc", "share of buffers", .value = queue_of,
     .present = has_array, ARRAY(vc_queued)},
    {"blocked", "blocked", COLUMN_SHARE, "link vc", "share of time", .value = blocked_of,
     .present = has_array, ARRAY(vc_blocked)},
    {NULL, "steady", COLUMN_TRUTH, "link", .value = steady_of},
    {"switch_of_host", NULL, COLUMN_VERTEX, "host", .value = array_value, .present = has_array,
     ARRAY(map.switch_of)},
    {"timeline", NULL, COLUMN_COARSE_SHARE, "row link", "share of time", .value = coarse_share,
     .present = has_array, ARRAY(timeline)},
    {"vc_timeline", NULL, COLUMN_COARSE_SHARE, "row link vc", "share of time",
     .value = coarse_share, .present = has_array, ARRAY(vc_timeline)},
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
    if (l->timeline) {
        json_object_set_new(o, "rows", json_integer((json_int_t)l->rows));
        json_object_set_new(o, "interval_cycles", json_integer((json_int_t)l->row_cycles));
    }
    columns_put(o, &link_columns, &source, &sizes);
}

json_t *links_json(const struct config *c, const struct run_result *r)
{
    const struct run_links *l = r->links;
    const char *vc[MEASURE_VCS];
    if (!l || !l->count || (!l->vc_busy && machine_facts(c).nodes > USUAL_NODES))
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

static double dead_of(const struct column_source *s, const struct column *c, size_t i)
{
    (void)c;
    return s->result->nodes->dead[i];
}

static double number_at(const struct column_source *s, size_t member, size_t i)
{
    return (double)*(const uint64_t *)((const char *)&s->result->nodes->node[i] + member);
}

static double node_number(const struct column_source *s, const struct column *c, size_t i)
{
    return number_at(s, c->member, i);
}

static double rate_of(const struct column_source *s, const struct column *c, size_t i)
{
    return number_at(s, c->member, i) * s->per_second;
}

/* What has no packet has no time. */
static double longest_of(const struct column_source *s, const struct column *c, size_t i)
{
    return number_at(s, c->packets, i) > 0 ? number_at(s, c->member, i) : NAN;
}

static double mean_of(const struct column_source *s, const struct column *c, size_t i)
{
    return longest_of(s, c, i) / number_at(s, c->packets, i);
}

#define NUMBER(name)  .member = offsetof(struct detail_node, name)
#define PACKETS(name) .packets = offsetof(struct detail_node, name)

static const struct column columns_of_nodes[] = {
    {NULL, "node", COLUMN_COUNT, "node", .value = index_of},
    {NULL, "place", COLUMN_VERTEX, "node", .value = index_of},
    {"dead", "dead", COLUMN_TRUTH, "node", .value = dead_of},
    {"sent_packets", "sent_packets", COLUMN_COUNT, "node", .value = node_number,
     NUMBER(sent_packets)},
    {"sent_bytes_per_second", "sent_bytes_per_second", COLUMN_REAL, "node", "B/s", .value = rate_of,
     NUMBER(sent_bytes)},
    {"received_packets", "received_packets", COLUMN_COUNT, "node", .value = node_number,
     NUMBER(received_packets)},
    {"received_bytes_per_second", "received_bytes_per_second", COLUMN_REAL, "node", "B/s",
     .value = rate_of, NUMBER(received_bytes)},
    {"source_queueing_cycles", "source_queueing_mean_cycles", COLUMN_REAL, "node", "cycles",
     .value = mean_of, NUMBER(waited), PACKETS(waits)},
    {NULL, "source_queueing_max_cycles", COLUMN_COUNT, "node", .value = longest_of,
     NUMBER(waited_most), PACKETS(waits)},
    {"response_cycles", "response_mean_cycles", COLUMN_REAL, "node", "cycles", .value = mean_of,
     NUMBER(response), PACKETS(responses)},
    {NULL, "response_max_cycles", COLUMN_COUNT, "node", .value = longest_of, NUMBER(response_most),
     PACKETS(responses)},
    {NULL, "steady", COLUMN_TRUTH, "node", .value = steady_of},
};
const struct column_table node_columns = {columns_of_nodes,
                                          sizeof(columns_of_nodes) / sizeof(columns_of_nodes[0])};

static struct column_source source_of(const struct config *c, const struct run_result *r)
{
    return (struct column_source){r,
                                  run_ratio(machine_facts(c).cycles_per_second, (double)r->span)};
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
