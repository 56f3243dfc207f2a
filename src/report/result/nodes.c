/* What each node did: a section of the result, and a table. */
#include "report/result/nodes.h"

#include <math.h>

#include "machine/links.h"

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

static const struct column columns[] = {
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
const struct column_table node_columns = {columns, sizeof(columns) / sizeof(columns[0])};

static struct column_source source_of(const struct config *c, const struct run_result *r)
{
    return (struct column_source){r, run_ratio(machine_cycles_per_second(c), (double)r->span)};
}

json_t *nodes_json(const struct config *c, const struct run_result *r)
{
    if (!r->nodes)
        return NULL;
    const struct column_source source = source_of(c, r);
    json_t *o = json_object();
    json_object_set_new(o, "count", json_integer(r->nodes->count));
    columns_put(o, &node_columns, &source, &(struct column_sizes){.items = r->nodes->count});
    return o;
}

weft_status nodes_write_csv(const char *path, const struct config *c, const struct run_result *r)
{
    const struct column_source source = source_of(c, r);
    return columns_write_csv(path, &node_columns, &source, r->nodes->count, 1);
}
