/* The load of a pattern, flow by flow, and on the planes of a torus. */
#include "workload/patterns/patterns.h"

#include <string.h>

/* Of a file of rates: what each node sends to each. */
static uint32_t rates_each(const struct flows *f,
                           void (*add)(void *ctx, uint32_t from, uint32_t to, double packets),
                           void *ctx)
{
    const struct workload *w = f->workload;
    const struct rates *r = f->rates;
    for (uint32_t endpoint = 0; endpoint < r->endpoints; endpoint++)
        for (size_t i = r->first[endpoint]; i < r->first[endpoint + 1]; i++)
            add(ctx, site_node(w->site, endpoint), site_node(w->site, r->to[i]),
                f->packets * r->of[endpoint] * rates_share(r, endpoint, i));
    return r->senders;
}

double flows_most(const struct flows *f)
{
    return f->packets * (f->rates ? f->rates->busiest : 1);
}

uint32_t flows_each(const struct flows *f,
                    void (*add)(void *ctx, uint32_t from, uint32_t to, double packets), void *ctx)
{
    const struct workload *w = f->workload;
    uint32_t senders = 0;
    if (f->rates)
        return rates_each(f, add, ctx);
    for (uint32_t endpoint = 0; endpoint < w->site->endpoints; endpoint++) {
        uint32_t node = site_node(w->site, endpoint);
        struct step step = {.to = NOBODY};
        uint32_t ways = f->neighbours ? site_neighbour(w->site, node, 0, &step)
                                      : open_destination(w, node, 0, &step);
        for (uint32_t turn = 0; turn < ways; turn++) {
            if (f->neighbours)
                site_neighbour(w->site, node, turn, &step);
            add(ctx, node, step.to, f->packets / ways);
        }
        senders += ways > 0;
    }
    return senders;
}

/* ---- on a torus ---- */

static void add_flow(void *bound, uint32_t from, uint32_t to, double packets)
{
    bound_add(bound, from, to, packets);
}

/* Nodes that send with a coordinate along an axis: all, or those outside the hot box. */
static double senders_at(const struct flows *f, unsigned d, uint32_t c)
{
    const struct torus *t = f->workload->site->torus, *box = &f->workload->hot->box;
    bool apart = f->workload->hot->apart;
    double boxed = apart && c < box->size[d] ? (double)box->nodes / box->size[d] : 0;
    return (double)t->nodes / t->size[d] - boxed;
}

/* What goes from nodes outside the hot box to others outside it. */
static void add_outside(const struct flows *f, struct bound *b, double senders)
{
    const struct torus *t = f->workload->site->torus;
    double pair = senders > 1 ? (1 - f->workload->hot->share) / (senders - 1) : 0;
    for (unsigned d = 0; d < t->dims; d++)
        for (uint32_t from = 0; from < t->size[d]; from++)
            for (uint32_t to = 0; to < t->size[d]; to++)
                bound_add_dim(b, d, from, to, senders_at(f, d, from) * senders_at(f, d, to) * pair);
}

/* Nodes of a torus that send, as the bound has it: what is dead in it counts. */
static double hot_senders(const struct flows *f)
{
    const struct hot_box *hot = f->workload->hot;
    return f->workload->site->torus->nodes - (hot->apart ? hot->nodes : 0);
}

static void add_hot_region(const struct flows *f, struct bound *b)
{
    const struct hot_box *hot = f->workload->hot;
    const struct torus *t = f->workload->site->torus;
    if (hot->apart)
        add_outside(f, b, hot_senders(f));
    else
        bound_add_uniform(b, (1u << t->dims) - 1, 1 - hot->share);
    for (unsigned d = 0; d < t->dims; d++)
        for (uint32_t from = 0; from < t->size[d]; from++) {
            double line = senders_at(f, d, from) * t->size[d];
            double pair = hot->share * line / ((double)t->size[d] * hot->box.size[d]);
            for (uint32_t to = 0; to < hot->box.size[d]; to++)
                bound_add_dim(b, d, from, to, pair);
        }
}

/* Nodes that send uniform flows. */
static uint32_t count_senders(const struct flows *f)
{
    const struct site *site = f->workload->site;
    uint32_t senders = 0;
    if (!flows_are_hot(f))
        return site->living;
    for (uint32_t node = 0; node < site->nodes; node++)
        senders += !(site->dead && site->dead[node]) &&
                   !(f->workload->hot->apart && workload_is_hot(f->workload, node));
    return senders;
}

uint32_t flows_load(const struct flows *f, struct bound *b)
{
    if (!f->uniform)
        return flows_each(f, add_flow, b);
    if (flows_are_hot(f))
        add_hot_region(f, b);
    else
        bound_add_uniform(b, f->group_dims, f->packets);
    return count_senders(f);
}

/* All is what the hot box has and what it has not: what goes there, and between nodes outside it.
 */
static void add_hot_boxes(const struct flows *f, const struct box *whole,
                          void (*add)(void *ctx, const struct box_flow *flow), void *ctx)
{
    const struct hot_box *hot = f->workload->hot;
    struct box box = {.at = {0}};
    uint32_t dims = (1u << f->workload->site->torus->dims) - 1;
    double senders = hot_senders(f), aimed = hot->share / hot->nodes;
    double rest = senders > 1 ? (1 - hot->share) / (senders - 1) : 0;
    memcpy(box.size, hot->box.size, sizeof(box.size));
    add(ctx, &(struct box_flow){*whole, *whole, dims, rest});
    add(ctx, &(struct box_flow){*whole, box, dims, aimed - (hot->apart ? rest : 0)});
    if (hot->apart) {
        add(ctx, &(struct box_flow){box, *whole, dims, -rest});
        add(ctx, &(struct box_flow){box, box, dims, rest - aimed});
    }
}

uint32_t flows_boxes(const struct flows *f, void (*add)(void *ctx, const struct box_flow *flow),
                     void *ctx)
{
    const struct torus *t = f->workload->site->torus;
    struct box whole = {.at = {0}};
    double group = 1;
    memcpy(whole.size, t->size, sizeof(whole.size));
    for (unsigned d = 0; d < t->dims; d++)
        if (f->group_dims >> d & 1)
            group *= t->size[d];
    if (flows_are_hot(f))
        add_hot_boxes(f, &whole, add, ctx);
    else if (group > 1)
        add(ctx, &(struct box_flow){whole, whole, f->group_dims, f->packets / (group - 1)});
    return count_senders(f);
}

static void add_into(void *into, uint32_t from, uint32_t to, double packets)
{
    (void)from;
    ((double *)into)[to] += packets;
}

void flows_into(const struct flows *f, double *into)
{
    const struct workload *w = f->workload;
    bool hot = f->uniform && flows_are_hot(f);
    if (!f->uniform)
        flows_each(f, add_into, into);
    for (uint32_t node = 0; f->uniform && node < w->site->nodes; node++) {
        bool is_hot = hot && workload_is_hot(w, node), silent = is_hot && w->hot->apart;
        into[node] += hot ? (silent ? 0 : 1 - w->hot->share) : f->packets;
        into[node] += is_hot ? w->hot->share * hot_senders(f) / w->hot->nodes : 0;
    }
}
