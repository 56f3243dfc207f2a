/* Building a torus: its partitions, nodes and network. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "engine/ranks.h"
#include "machine/machine.h"
#include "machine/torus/model.h"

/* The ranks on this computer hold their share of the machine. */
static weft_status check_memory(const struct torus_config *t)
{
    uint64_t bytes = torus_network_memory(&t->router, t->torus.nodes);
    return model_check_memory("machine.dims", t->torus.nodes, bytes * ranks_here() / ranks_count());
}

/* The most packet-hops in a window: few in an open loop that offers little load. */
static double window_hops(const struct torus_model *m)
{
    const struct workload *w = m->base.workload;
    const struct torus *t = &m->machine->torus;
    if (!w || w->pattern->kind != PATTERN_OPEN || w->as != LAYER_PACKETS)
        return INFINITY;
    return w->params.load * t->nodes * 2 * t->dims * m->derived.hop_cycles / workload_mean_bytes(w);
}

static weft_status build_network(struct torus_model *m, const struct run_options *o)
{
    const struct config *c = m->base.config;
    const struct torus_config *t = m->machine;
    const struct run_params *run = config_section(c, &run_section);
    struct torus_network_options no = {
        .torus = &t->torus,
        .params = &t->router,
        .faults = &t->faults,
        .bricks = m->bricks,
        .seed = run->seed,
        .plan = model_plan(&m->base),
        .software_header_bytes = t->software_header_bytes,
        .stages = o->stages != NULL,
        .threads = o->threads * ranks_count(),
    };
    TRY(m->nic->build(m, &no.client));
    no.least_other_cycles = m->tree ? tree_least_cycles(config_section(c, &tree_section)) : 0;
    weft_status status = torus_network_create(&no, &m->network);
    if (status == WEFT_OK && m->tree)
        tree_connect(m->tree, m->network);
    m->base.network = (struct network *)m->network;
    return status;
}

static weft_status build(struct torus_model *m, const struct config *c, const struct run_options *o)
{
    TRY(check_memory(m->machine));
    TRY(torus_params_derive(&m->machine->router, &m->derived));
    TRY(torus_check_routes(c));
    torus_fill_site(m);
    TRY(model_workload(&m->base, o));
    TRY(model_cut_bricks(&m->base, o, &m->machine->torus, m->machine->bricks, window_hops(m),
                         &m->bricks));
    return build_network(m, o);
}

weft_status torus_create(const struct config *c, const struct run_options *o, struct model **model)
{
    struct torus_model *m = memory_alloc(1, sizeof(*m));
    m->base.config = c;
    m->machine = config_torus(c);
    m->nic = config_torus_nic(c);
    *model = &m->base;
    return build(m, c, o);
}

void torus_destroy(struct model *model)
{
    struct torus_model *m = (struct torus_model *)model;
    network_destroy(m->base.network);
    nic_destroy(m->base.nic);
    living_fini(&m->living);
    free(m);
}

void torus_archive(struct model *model, struct archive *a)
{
    nic_archive(model->nic, a);
}

void torus_locate(const struct model *model, struct nic_node *at)
{
    bricks_find(&((const struct torus_model *)model)->bricks, at->node, &at->partition, &at->local);
}

void torus_cuts(const struct model *model, uint32_t out[MODEL_CUTS])
{
    const struct torus_model *m = (const struct torus_model *)model;
    for (unsigned d = 0; d < m->machine->torus.dims; d++)
        out[d] = m->bricks.cuts[d];
}
