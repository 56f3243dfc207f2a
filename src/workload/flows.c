/* The load of a pattern, flow by flow, and on the planes of a torus. */
#include "workload/patterns/patterns.h"

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

struct load {
    struct bound *bound;
    double *into;
};

static void add_flow(void *ctx, uint32_t from, uint32_t to, double packets)
{
    const struct load *load = ctx;
    bound_add(load->bound, from, to, packets);
    if (load->into)
        load->into[to] += packets;
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

static void add_hot_region(const struct flows *f, struct bound *b, double *into)
{
    const struct workload *w = f->workload;
    const struct hot_box *hot = w->hot;
    const struct torus *t = w->site->torus;
    double senders = t->nodes - (hot->apart ? hot->nodes : 0);
    if (hot->apart)
        add_outside(f, b, senders);
    else
        bound_add_uniform(b, (1u << t->dims) - 1, 1 - hot->share);
    for (unsigned d = 0; d < t->dims; d++)
        for (uint32_t from = 0; from < t->size[d]; from++) {
            double line = senders_at(f, d, from) * t->size[d];
            double pair = hot->share * line / ((double)t->size[d] * hot->box.size[d]);
            for (uint32_t to = 0; to < hot->box.size[d]; to++)
                bound_add_dim(b, d, from, to, pair);
        }
    for (uint32_t node = 0; into && node < t->nodes; node++) {
        bool is_hot = workload_is_hot(w, node);
        into[node] += (is_hot && hot->apart ? 0 : 1 - hot->share) +
                      (is_hot ? hot->share * senders / hot->nodes : 0);
    }
}

uint32_t flows_load(const struct flows *f, struct bound *b, double *into)
{
    const struct site *site = f->workload->site;
    struct load load = {b, into};
    if (!f->uniform)
        return flows_each(f, add_flow, &load);
    if (flows_are_hot(f)) {
        bool apart = f->workload->hot->apart;
        uint32_t senders = 0;
        add_hot_region(f, b, into);
        for (uint32_t node = 0; node < site->nodes; node++)
            senders +=
                !(site->dead && site->dead[node]) && !(apart && workload_is_hot(f->workload, node));
        return senders;
    }
    bound_add_uniform(b, f->group_dims, f->packets);
    for (uint32_t node = 0; into && node < site->nodes; node++)
        into[node] += f->packets;
    return site->living;
}
