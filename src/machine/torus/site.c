/* A torus as workloads see it: neighbours, distances and bandwidth bounds. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "machine/torus/model.h"

static const struct torus_model *model_at(const struct site *site)
{
    return site->ctx;
}

double torus_slot_cycles(const struct torus_params *p, double bytes)
{
    return bytes + p->trailer_bytes + p->gap_bytes;
}

static double slot(const struct site *site, double bytes)
{
    return torus_slot_cycles(&model_at(site)->machine->router, bytes);
}

static double tail(const struct site *site, double bytes)
{
    const struct torus_params *p = &model_at(site)->machine->router;
    (void)bytes;
    return p->trailer_bytes + p->gap_bytes + p->ack_bytes;
}

static uint32_t behind(const struct site *site, uint32_t node, unsigned port)
{
    return torus_neighbour(site->torus, node, port);
}

enum { PORT_SETS = 1 << TORUS_PORTS };

/* Packets of each node by the set of links that shortest routes can begin with, or end with. */
struct node_load {
    const struct torus *torus;
    double (*out)[PORT_SETS], (*in)[PORT_SETS];
};

/* The ports by which a shortest route from one node to another can leave. */
static unsigned ways_out(const struct torus *t, uint32_t from, uint32_t to)
{
    uint32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    unsigned ports = 0;
    torus_coordinates(t, from, a);
    torus_coordinates(t, to, b);
    for (unsigned d = 0; d < t->dims; d++) {
        uint32_t up = b[d] >= a[d] ? b[d] - a[d] : b[d] + t->size[d] - a[d];
        bool wraps = t->wrap[d], any = up != 0;
        bool plus = wraps ? 2 * up <= t->size[d] : b[d] > a[d];
        bool minus = wraps ? 2 * up >= t->size[d] : b[d] < a[d];
        ports |= (any && plus ? 1u : 0) << 2 * d | (any && minus ? 1u : 0) << (2 * d + 1);
    }
    return ports;
}

static void add_flow(void *ctx, uint32_t from, uint32_t to, double packets)
{
    struct node_load *l = ctx;
    l->out[from][ways_out(l->torus, from, to)] += packets;
    l->in[to][ways_out(l->torus, to, from)] += packets;
}

/* Whatever a set of links must carry, one of them carries as much as all do on average. */
static double busiest_set(const double load[PORT_SETS])
{
    double worst = 0;
    for (unsigned set = 1; set < PORT_SETS; set++) {
        double sum = 0;
        for (unsigned part = set; part; part = (part - 1) & set)
            sum += load[part];
        worst = fmax(worst, sum / __builtin_popcount(set));
    }
    return worst;
}

/* Where nodes differ, a link of one may be busier than any plane: packets over the busiest. */
static double busiest_node(const struct site *site, const struct flows *f)
{
    double(*load)[PORT_SETS] = memory_alloc(2 * (size_t)site->nodes, sizeof(*load)), worst = 0;
    struct node_load l = {site->torus, load, load + site->nodes};
    flows_each(f, add_flow, &l);
    for (size_t i = 0; i < 2 * (size_t)site->nodes; i++)
        worst = fmax(worst, busiest_set(load[i]));
    free(load);
    return worst;
}

static double find_bound(const struct site *site, const struct flows *f, uint32_t *senders)
{
    struct bound b;
    double bytes = site->slot(site, workload_mean_bytes(f->workload));
    bound_init(&b, site->torus);
    *senders = flows_load(f, &b);
    double worst = bound_worst(&b, bytes, site->ack_cycles);
    bound_fini(&b);
    return f->rates ? fmax(worst, busiest_node(site, f) * bytes) : worst;
}

static bool is_dead(const void *faults, uint32_t node)
{
    return faults_is_dead(faults, node);
}

void torus_fill_site(struct torus_model *m)
{
    const struct torus_config *t = m->machine;
    model_list_living(&m->base, t->torus.nodes, is_dead, &m->wired.faults);
    m->base.site = (struct site){.ways = 2 * t->torus.dims,
                                 .torus = &m->wired.torus,
                                 .whole = !faults_any(&m->wired.faults),
                                 .ack_cycles = t->router.ack_bytes,
                                 .tail = tail,
                                 .slot = slot,
                                 .distance = coordinates_distance,
                                 .diameter = coordinates_diameter,
                                 .behind = behind,
                                 .ports = 2 * t->torus.dims,
                                 .picks_port = true,
                                 .bound = find_bound};
    m->nic->site(m, &m->base.site);
}
