/* What each node did: a section of the result, and a table. */
#include "report/result/nodes.h"

#include <math.h>

#include "base/file/writer.h"
#include "machine/links.h"
#include "report/result/packed.h"

struct nodes_view {
    const struct run_result *result;
    double per_second; /* what a byte within the window adds to a rate */
};

static struct nodes_view view_of(const struct config *c, const struct run_result *r)
{
    return (struct nodes_view){r, run_ratio(machine_cycles_per_second(c), (double)r->span)};
}

static const struct detail_node *node_of(const void *ctx, size_t i)
{
    return &((const struct nodes_view *)ctx)->result->nodes->node[i];
}

/* What has no packet has no time. */
static double mean(uint64_t sum, uint64_t count)
{
    return count ? (double)sum / (double)count : NAN;
}

static uint64_t sent_of(const void *ctx, size_t i)
{
    return node_of(ctx, i)->sent_packets;
}

static uint64_t received_of(const void *ctx, size_t i)
{
    return node_of(ctx, i)->received_packets;
}

static uint64_t sent_rate_of(const void *ctx, size_t i)
{
    const struct nodes_view *v = ctx;
    return packed_float((double)node_of(ctx, i)->sent_bytes * v->per_second);
}

static uint64_t received_rate_of(const void *ctx, size_t i)
{
    const struct nodes_view *v = ctx;
    return packed_float((double)node_of(ctx, i)->received_bytes * v->per_second);
}

static uint64_t waiting_of(const void *ctx, size_t i)
{
    return packed_float(mean(node_of(ctx, i)->waited, node_of(ctx, i)->waits));
}

static uint64_t response_of(const void *ctx, size_t i)
{
    return packed_float(mean(node_of(ctx, i)->response, node_of(ctx, i)->responses));
}

static uint64_t dead_of(const void *ctx, size_t i)
{
    return ((const struct nodes_view *)ctx)->result->nodes->dead[i];
}

json_t *nodes_json(const struct config *c, const struct run_result *r)
{
    if (!r->nodes)
        return NULL;
    struct nodes_view v = view_of(c, r);
    uint32_t count = r->nodes->count;
    json_t *o = json_object();
    json_object_set_new(o, "count", json_integer(count));
    json_object_set_new(o, "sent_packets", packed_numbers(count, 4, sent_of, &v));
    json_object_set_new(o, "received_packets", packed_numbers(count, 4, received_of, &v));
    json_object_set_new(o, "sent_bytes_per_second", packed_numbers(count, 4, sent_rate_of, &v));
    json_object_set_new(o, "received_bytes_per_second",
                        packed_numbers(count, 4, received_rate_of, &v));
    json_object_set_new(o, "source_queueing_cycles", packed_numbers(count, 4, waiting_of, &v));
    json_object_set_new(o, "response_cycles", packed_numbers(count, 4, response_of, &v));
    json_object_set_new(o, "dead", packed_numbers(count, 1, dead_of, &v));
    return o;
}

static void write_nodes(struct writer *w, const struct nodes_view *v)
{
    const struct run_nodes *n = v->result->nodes;
    const struct link_map *map = &v->result->links->map;
    char place[VERTEX_TEXT];
    writer_put(w, "%s",
               "node,place,dead,sent_packets,sent_bytes_per_second,received_packets,"
               "received_bytes_per_second,source_queueing_mean_cycles,source_queueing_max_cycles,"
               "response_mean_cycles,response_max_cycles,steady\n");
    for (uint32_t i = 0; i < n->count; i++) {
        const struct detail_node *d = &n->node[i];
        writer_put(w, "%u,%s,%s,%llu,%.6g,%llu,%.6g,", i, vertex_text(map, i, place),
                   n->dead[i] ? "true" : "false", (unsigned long long)d->sent_packets,
                   (double)d->sent_bytes * v->per_second, (unsigned long long)d->received_packets,
                   (double)d->received_bytes * v->per_second);
        if (d->waits)
            writer_put(w, "%.6g,%llu,", mean(d->waited, d->waits),
                       (unsigned long long)d->waited_most);
        else
            writer_put(w, ",,");
        if (d->responses)
            writer_put(w, "%.6g,%llu,", mean(d->response, d->responses),
                       (unsigned long long)d->response_most);
        else
            writer_put(w, ",,");
        writer_put(w, "%s\n", run_steady_text(v->result));
    }
}

weft_status nodes_write_csv(const char *path, const struct config *c, const struct run_result *r)
{
    struct nodes_view v = view_of(c, r);
    struct writer *w;
    TRY(writer_open(&w, path));
    write_nodes(w, &v);
    return writer_close(w);
}
