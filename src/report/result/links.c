/* What each link did: a section of the result, and a table. */
#include "report/result/links.h"

#include "base/file/writer.h"
#include "machine/family.h"
#include "machine/links.h"
#include "report/result/packed.h"

/* On larger machines, links are only in the result if run.detail asks for them. */
enum { USUAL_NODES = 4096 };

/* A VC of a link, as shares of the time that was measured. */
struct vc_shares {
    double utilisation, queue, blocked;
};

static struct vc_shares vc_shares(const struct run_result *r, size_t at)
{
    const struct run_links *l = r->links;
    double span = (double)r->span, holds = l->map.queue[at % l->vcs];
    return (struct vc_shares){
        .utilisation = run_ratio((double)l->vc_busy[at], span),
        .queue = run_ratio((double)l->vc_queued[at], span * holds),
        .blocked = run_ratio((double)l->vc_blocked[at], span * l->map.rooms),
    };
}

static uint64_t from_of(const void *ctx, size_t i)
{
    return ((const struct run_result *)ctx)->links->from[i];
}

static uint64_t to_of(const void *ctx, size_t i)
{
    return ((const struct run_result *)ctx)->links->to[i];
}

static uint64_t switch_of(const void *ctx, size_t i)
{
    return ((const struct run_result *)ctx)->links->map.switch_of[i];
}

static uint64_t utilisation_of(const void *ctx, size_t i)
{
    const struct run_result *r = ctx;
    return packed_share(run_ratio((double)r->links->busy[i], (double)r->span));
}

static uint64_t vc_utilisation_of(const void *ctx, size_t i)
{
    return packed_share(vc_shares(ctx, i).utilisation);
}

static uint64_t queue_of(const void *ctx, size_t i)
{
    return packed_share(vc_shares(ctx, i).queue);
}

static uint64_t blocked_of(const void *ctx, size_t i)
{
    return packed_share(vc_shares(ctx, i).blocked);
}

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

static void put_detail(json_t *o, const struct run_result *r)
{
    const struct run_links *l = r->links;
    size_t lanes = l->count * r->vcs; /* none where there are no VCs */
    if (lanes) {
        json_object_set_new(o, "vc_utilisation", packed_numbers(lanes, 2, vc_utilisation_of, r));
        json_object_set_new(o, "queue", packed_numbers(lanes, 2, queue_of, r));
        json_object_set_new(o, "blocked", packed_numbers(lanes, 2, blocked_of, r));
    }
    if (!l->timeline)
        return;
    json_object_set_new(o, "rows", json_integer((json_int_t)l->rows));
    json_object_set_new(o, "interval_cycles", json_integer((json_int_t)l->row_cycles));
    json_object_set_new(o, "timeline", packed_json(l->timeline, l->rows * l->count));
    if (l->vc_timeline && lanes)
        json_object_set_new(o, "vc_timeline", packed_json(l->vc_timeline, l->rows * lanes));
}

json_t *links_json(const struct config *c, const struct run_result *r)
{
    const struct run_links *l = r->links;
    const char *vc[MEASURE_VCS];
    if (!l || !l->count || (!l->vc_busy && machine_nodes(c) > USUAL_NODES))
        return NULL;
    for (uint32_t v = 0; v < r->vcs; v++)
        vc[v] = r->vc[v].name;
    json_t *o = json_object();
    json_object_set_new(o, "kind", json_string(family_of(c)->schema.fabric));
    json_object_set_new(o, "count", json_integer((json_int_t)l->count));
    json_object_set_new(o, "vertices", json_integer(l->map.vertices));
    json_object_set_new(o, "switches", json_integer(l->map.switches));
    if (l->map.shape.dims)
        put_shape(o, &l->map.shape);
    if (l->map.switch_of)
        json_object_set_new(o, "switch_of_host",
                            packed_numbers(l->map.vertices - l->map.switches, 4, switch_of, r));
    json_object_set_new(o, "directions", names(l->map.direction, l->map.directions));
    json_object_set_new(o, "vcs", names(vc, r->vcs));
    json_object_set_new(o, "from", packed_numbers(l->count, 4, from_of, r));
    json_object_set_new(o, "to", packed_numbers(l->count, 4, to_of, r));
    json_object_set_new(o, "direction", packed_json(l->direction, l->count));
    json_object_set_new(o, "state", packed_json(l->state, l->count));
    json_object_set_new(o, "utilisation", packed_numbers(l->count, 2, utilisation_of, r));
    if (l->vc_busy)
        put_detail(o, r);
    return o;
}

static void write_links(struct writer *w, const struct run_result *r)
{
    static const char *const states[] = {
        [LINK_GOOD] = "good", [LINK_BAD] = "bad", [LINK_DEAD] = "dead"};
    const struct run_links *l = r->links;
    char from[VERTEX_TEXT], to[VERTEX_TEXT];
    writer_put(w, "%s",
               "link,from,to,direction,state,link_utilisation,vc,utilisation,packets,queue,blocked,"
               "steady\n");
    for (uint64_t i = 0; i < l->count; i++)
        for (uint32_t v = 0; v < l->vcs; v++) {
            size_t at = i * l->vcs + v;
            struct vc_shares s = vc_shares(r, at);
            writer_put(w, "%llu,%s,%s,%s,%s,%.6g,%s,%.6g,%llu,%.6g,%.6g,%s\n",
                       (unsigned long long)i, vertex_text(&l->map, l->from[i], from),
                       vertex_text(&l->map, l->to[i], to), l->map.direction[l->direction[i]],
                       states[l->state[i]], run_ratio((double)l->busy[i], (double)r->span),
                       r->vcs ? r->vc[v].name : "", s.utilisation,
                       (unsigned long long)l->vc_packets[at], s.queue, s.blocked,
                       run_steady_text(r));
        }
}

weft_status links_write_csv(const char *path, const struct run_result *r)
{
    struct writer *w;
    TRY(writer_open(&w, path));
    write_links(w, r);
    return writer_close(w);
}
