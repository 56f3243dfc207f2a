/* What is asked of the configuration of a torus. */
#include "fabric/torus/network.h"
#include "machine/machine.h"
#include "machine/torus/model.h"
#include "workload/patterns/pairwise.h"

/* Refuses what dead nodes and links make impossible. */
static weft_status check_faults(const struct config *c)
{
    const struct torus_config *t = config_torus(c);
    const struct workload_params *w = config_workload(c);
    if (!faults_any(&t->faults))
        return WEFT_OK;
    bool whole = machine_uses(c, "workload.hops") || machine_uses(c, "workload.deposit");
    if (whole && machine_layer(c) != LAYER_MESSAGES)
        return BAD_INPUT("workload.pattern machine.dead_nodes machine.dead_links",
                         ("workload.pattern = %s needs a whole machine", w->pattern->name),
                         ("remove machine.dead_nodes and machine.dead_links"));
    return WEFT_OK;
}

weft_status torus_finish(struct config *c)
{
    TRY(torus_config_finish(config_torus(c)));
    TRY(config_torus_nic(c)->finish(c));
    return check_faults(c);
}

struct machine_facts torus_facts(const struct config *c)
{
    const struct torus_config *t = config_torus(c);
    return (struct machine_facts){.nodes = t->torus.nodes,
                                  .dead_nodes = t->faults.nodes,
                                  .damaged = faults_any(&t->faults),
                                  .cycles_per_second = t->router.link_mb_per_s * 1e6,
                                  .sizes = config_torus_nic(c)->sizes(c)};
}

unsigned torus_offers(const struct config *c)
{
    return SITE_COORDINATES | SITE_CELLS | config_torus_nic(c)->offers;
}

enum { MIDPLANE_SIDE = 8 };

/* Midplanes, whose rings link chips close (MSG: they redirect signals, and keep partitions apart).
 * A partition must not need a dead link: its node counts as dead. */
weft_status torus_ground(const struct config *c, struct ground *g)
{
    const struct torus_config *m = config_torus(c);
    const struct jobs_params *p = config_section(c, &jobs_section);
    const struct torus *t = &m->torus;
    *g = (struct ground){.torus = *t, .wired = true};
    if (t->dims > SPACE_AXES || (p->cell.dims && p->cell.dims != t->dims))
        return BAD_INPUT(
            "jobs.cell machine.dims",
            ("jobs.cell must have as many dimensions as the machine, at most %d", SPACE_AXES),
            ("use %u", t->dims < SPACE_AXES ? t->dims : SPACE_AXES));
    for (unsigned d = 0; d < t->dims; d++) {
        uint32_t usual = t->size[d] < MIDPLANE_SIDE ? t->size[d] : MIDPLANE_SIDE;
        g->cell[d] = p->cell.dims ? p->cell.size[d] : usual;
        g->box.size[d] = t->size[d];
        if (t->size[d] % g->cell[d] || t->size[d] / g->cell[d] > SPACE_MOST_ALONG)
            return BAD_INPUT("jobs.cell machine.dims",
                             ("%u nodes cannot be cut into at most %d cells of %u (jobs.cell)",
                              t->size[d], SPACE_MOST_ALONG, g->cell[d]),
                             ("use another jobs.cell"));
    }
    for (uint32_t i = 0; i < m->faults.nodes; i++)
        ground_kill(g, m->faults.node[i]);
    for (uint32_t i = 0; i < m->faults.links; i++)
        ground_kill(g, m->faults.link[i].node);
    return WEFT_OK;
}

const char *torus_size_text(const struct config *c, char text[CONFIG_TEXT])
{
    return torus_text(&config_torus(c)->torus, text);
}

weft_status torus_check_routes(const struct config *c)
{
    const struct torus_config *t = config_torus(c);
    const struct workload_params *w = config_workload(c);
    struct torus_classes classes = config_torus_nic(c)->classes(c);
    struct torus_derived derived;
    bool neighbours = w->pattern->kind == PATTERN_OPEN && !w->pattern->partner;
    if (!faults_any(&t->faults) || neighbours)
        return WEFT_OK;
    weft_status status = torus_params_derive(&t->router, &derived);
    if (status == WEFT_OK)
        status = faults_connected(&t->faults, &t->torus, derived.escape_order, classes.dynamic,
                                  classes.fixed);
    bool steps = config_section(c, &steps_section) != NULL;
    if (status != WEFT_OK && classes.fixed && machine_layer(c) == LAYER_MESSAGES)
        error_remedy("%s", steps ? "use machine.message.protocol = adaptive_eager, which needs no "
                                   "fixed paths"
                                 : "use machine.router.escape_order = direction, which has more "
                                   "fixed paths");
    return status;
}

static bool has_small_packets(const struct config *c)
{
    const struct workload_params *w = config_workload(c);
    if (machine_uses(c, "workload.message_bytes") || pairwise_bytes(c))
        return true;
    for (uint32_t i = 0; i < w->packet_bytes.count; i++)
        if (w->packet_bytes.value[i] < TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES)
            return true;
    return false;
}

weft_status torus_prove_config(const struct config *c, char *text, size_t size)
{
    const struct torus_config *t = config_torus(c);
    struct torus_classes classes = config_torus_nic(c)->classes(c);
    struct proof_traffic traffic = {.dynamic = classes.dynamic,
                                    .high = classes.high,
                                    .long_ways = machine_uses(c, "workload.deposit"),
                                    .small_packets = has_small_packets(c)};
    return torus_prove(&t->torus, &t->router, &t->faults, &traffic, text, size);
}
