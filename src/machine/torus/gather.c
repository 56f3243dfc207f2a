/* Links, virtual channels and figures of a torus at the end of a run. */
#include "engine/ranks.h"
#include "machine/machine.h"
#include "machine/torus/model.h"
#include "workload/patterns/hot.h"
#include "workload/patterns/pairwise.h"

static void gather_links(const struct torus_model *m, struct run_result *r)
{
    const struct torus *t = &m->machine->torus;
    for (unsigned port = 0; port < 2 * t->dims; port++) {
        unsigned d = port / 2;
        if (t->size[d] > 1)
            r->links_by_port[port] =
                (uint64_t)(t->nodes / t->size[d]) * (t->wrap[d] ? t->size[d] : t->size[d] - 1) -
                faults_links(&m->machine->faults, t, port);
        r->port_name[port] = torus_port_name(port);
    }
    run_result_links(r, 1);
}

static void gather_vcs(const struct torus_model *m, struct run_result *r)
{
    const struct torus_derived *d = &m->derived;
    double links = 0, span = (double)r->span;
    for (unsigned port = 0; port < MEASURE_PORTS; port++)
        links += (double)r->links_by_port[port];
    r->vcs = d->vcs;
    for (unsigned v = 0; v < d->vcs; v++)
        r->vc[v] = (struct run_vc){
            .name = torus_vc_name(&m->machine->router, v),
            .share = run_ratio((double)r->measure.hops_by_vc[v], (double)r->measure.hops),
            .occupancy = run_ratio((double)r->measure.occupied[v], links * span * d->capacity[v]),
            .unavailable_share = run_ratio((double)r->measure.unavailable[v], links * span),
        };
}

void torus_map(const struct model *model, struct link_map *map)
{
    const struct torus_model *m = (const struct torus_model *)model;
    const struct torus *t = &m->machine->torus;
    *map = (struct link_map){.vertices = t->nodes,
                             .shape = *t,
                             .directions = 2 * t->dims,
                             .numbers = (uint64_t)t->nodes * 2 * t->dims,
                             .rooms = 1};
    for (unsigned port = 0; port < map->directions; port++)
        map->direction[port] = torus_port_name(port);
    for (unsigned vc = 0; vc < m->derived.vcs; vc++)
        map->queue[vc] = m->derived.capacity[vc];
}

bool torus_link(const struct model *model, uint64_t number, struct machine_link *link)
{
    const struct torus_model *m = (const struct torus_model *)model;
    const struct torus *t = &m->machine->torus;
    uint32_t node = (uint32_t)(number / (2 * t->dims)), local, there;
    unsigned port = (unsigned)(number % (2 * t->dims));
    uint32_t to = torus_neighbour(t, node, port);
    if (to == TORUS_NO_NODE)
        return false;
    bool dead = faults_neighbour(&m->machine->faults, t, node, port) == TORUS_NO_NODE;
    bool bad = errors_is_bad(&m->machine->router.link.errors, node, port);
    *link = (struct machine_link){.from = node,
                                  .to = to,
                                  .direction = (uint8_t)port,
                                  .state = link_state(dead, bad),
                                  .busy = torus_network_link_busy(m->network, node, port)};
    if (!model->network->plan.detail)
        return true;
    bricks_find(&m->bricks, node, &link->sender.partition, &local);
    bricks_find(&m->bricks, to, &link->receiver.partition, &there);
    link->sender.slot = torus_slot(local, port);
    link->receiver.slot = torus_slot(there, port); /* numbered by where packets go */
    return true;
}

/* Mean utilisation of the links that lead into the hot box. */
static double hot_links(const struct torus_model *m, const struct run_result *r)
{
    const struct workload *w = m->base.workload;
    const struct torus *t = &m->machine->torus;
    const struct hot_box *hot = w ? w->hot : NULL;
    if (!hot || !hot->links)
        return -1;
    uint64_t busy = 0;
    for (uint32_t i = 0; i < hot->nodes; i++) {
        uint32_t node = workload_hot_node(w, i);
        for (unsigned port = 0; port < 2 * t->dims; port++) {
            uint32_t from = torus_neighbour(t, node, port);
            if (from != TORUS_NO_NODE && !workload_is_hot(w, from))
                busy += torus_network_link_busy(m->network, from, torus_opposite(port));
        }
    }
    ranks_sum(&busy, 1);
    return run_ratio((double)busy, (double)hot->links * (double)r->span);
}

/* With several packet sizes: the bytes that were drawn relative to those expected. */
static double drawn_size(const struct torus_model *m, const struct measure *measured)
{
    const struct workload *w = m->base.workload;
    bool drawn = w && !w->open && machine_uses(m->base.config, "workload.packet_bytes") &&
                 w->params.packet_bytes.count > 1 && !pairwise_bytes(m->base.config);
    if (!drawn || !measured->delivered)
        return 1;
    double bytes =
        (double)measured->payload_bytes / (double)measured->delivered + m->base.site.packet_header;
    const struct site *site = &m->base.site;
    double ack = site->ack_cycles;
    return (site->slot(site, bytes) + ack) / (site->slot(site, workload_mean_bytes(w)) + ack);
}

void torus_gather(const struct model *model, struct run_result *r)
{
    const struct torus_model *m = (const struct torus_model *)model;
    gather_links(m, r);
    gather_vcs(m, r);
    r->bound_cycles *= drawn_size(m, &r->measure);
    r->hot_link_utilisation = hot_links(m, r);
    r->link_protocol = m->machine->router.link.protocol;
    torus_network_links(m->network, &r->link_report);
    if (m->nic->gather)
        m->nic->gather(m, r);
}
