/* What models of all families share: memory, threads, the workload and its clients. */
#include "base/memory.h"
#include "engine/ranks.h"
#include "engine/team.h"
#include "machine/checkpoint.h"
#include "machine/family.h"
#include "machine/machine.h"

weft_status model_check_memory(const char *key, uint32_t nodes, uint64_t bytes)
{
    char need[32], have[32];
    if (bytes <= memory_physical())
        return WEFT_OK;
    return BAD_INPUT(key,
                     ("%s: %u nodes need about %s and this computer has %s", key, nodes,
                      memory_text(bytes, need), memory_text(memory_physical(), have)),
                     ("use a smaller machine"));
}

weft_status model_threads(const struct run_options *o, uint32_t *threads)
{
    *threads = o->threads * ranks_count();
    if (o->checkpoint && ranks_count() > 1)
        return BAD_INPUT(NULL, ("--checkpoint works with one process only"),
                         ("start it without mpirun"));
    if (o->checkpoint && *threads < team_cores())
        *threads = team_cores();
    return WEFT_OK;
}

void model_resumed_cuts(const struct run_options *o, uint32_t *cuts, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        cuts[i] = o->resume->head.cuts[i];
}

weft_status model_check_resumed(const struct run_options *o, uint32_t partitions)
{
    if (o->resume && partitions > archive_room(&o->resume->state, sizeof(struct wheel)))
        return BAD_PLACE(("%s", o->resume->path),
                         ("does not hold what a checkpoint holds (%u partitions)", partitions),
                         ("start over"));
    return WEFT_OK;
}

weft_status model_cut(struct model *m, const struct run_options *o, uint32_t most, uint32_t asked)
{
    uint32_t threads;
    TRY(model_threads(o, &threads));
    m->partitions = asked ? asked : threads < most ? threads : most;
    if (o->resume)
        model_resumed_cuts(o, &m->partitions, 1);
    if (ranks_count() > most)
        return BAD_INPUT(NULL,
                         ("%u ranks, but this machine can be cut into %u", ranks_count(), most),
                         ("use fewer ranks"));
    if (m->partitions > most || m->partitions < ranks_count())
        return BAD_INPUT("run.partitions", ("run.partitions = %u is not possible", m->partitions),
                         ("use %u to %u, or 0", ranks_count(), most));
    return model_check_resumed(o, m->partitions);
}

/* With what the machine hands out to jobs, if there are some. */
static weft_status create_workload(struct model *m, uint64_t seed)
{
    const struct family *f = family_of(m->config);
    struct ground ground;
    bool shared = config_workload(m->config)->pattern->kind == PATTERN_PARTS;
    bool has_ground = shared && f->ground && f->ground(m->config, &ground) == WEFT_OK;
    m->site.ground = has_ground ? &ground : NULL;
    weft_status status = workload_create(m->config, &m->site, seed, &m->workload);
    m->site.ground = NULL;
    if (has_ground)
        ground_fini(&ground);
    return status;
}

weft_status model_workload(struct model *m, const struct run_options *o)
{
    const struct config *c = m->config;
    const struct workload_params *p = config_workload(c);
    const struct run_params *run = config_section(c, &run_section);
    const struct software_params *software = config_section(c, &software_section);
    m->host = o->host;
    m->site.limits = &software->limits;
    struct machine_facts facts = family_of(c)->facts(c);
    m->site.sizes = facts.sizes;
    m->site.mpi = config_section(c, &mpi_section);
    m->site.cycles_per_second = facts.cycles_per_second;
    if (pattern_is_silent(p->pattern) || m->host)
        return WEFT_OK;
    TRY(create_workload(m, run->seed));
    if (workload_has_programs(m->workload) && (o->checkpoint || ranks_count() > 1))
        return BAD_INPUT("workload.pattern", ("a program's stacks cannot leave their process"),
                         ("run it without %s", o->checkpoint ? "--checkpoint" : "mpirun"));
    if (workload_reads_on(m->workload) && ranks_count() > 1)
        return BAD_INPUT("workload.pattern", ("packets of a file are read by one process"),
                         ("run it without mpirun"));
    if (workload_has_letters(m->workload) && (o->checkpoint || ranks_count() > 1))
        return BAD_INPUT("workload.file",
                         ("messages with tags, or of 4 GiB and more, cannot leave their process"),
                         ("run the trace without %s", o->checkpoint ? "--checkpoint" : "mpirun"));
    m->open = m->workload->open;
    m->deliveries = m->workload->deliveries;
    if (m->workload->as == LAYER_MESSAGES && m->open) /* they never end */
        m->stop_at = p->warmup_cycles + p->cycles;
    return WEFT_OK;
}

struct measure_plan model_plan(const struct model *m)
{
    const struct workload_params *p = config_workload(m->config);
    const struct run_params *run = config_section(m->config, &run_section);
    return (struct measure_plan){.from = m->open ? p->warmup_cycles : 0,
                                 .to = m->open ? p->warmup_cycles + p->cycles : CYCLE_NEVER,
                                 .interval = run->interval_cycles,
                                 .detail = run->detail};
}

/* A survey has no workload: it gets zero processes. */
static void attach_processes(struct model *m)
{
    const struct workload *w = m->workload;
    struct measure_plan plan = model_plan(m);
    struct processes_options o = {.nic = m->nic,
                                  .software = config_section(m->config, &software_section),
                                  .cores = m->cores,
                                  .steps = m->steps,
                                  .program = w ? w->program : (struct program){.ctx = NULL},
                                  .group = w ? w->group : NULL,
                                  .groups = w ? w->groups : 0,
                                  .torus = m->site.torus,
                                  .processes = w ? w->processes : 0,
                                  .per_node = w ? w->per_node : 1,
                                  .mapping = w ? &w->mapping : NULL,
                                  .nodes = m->site.nodes,
                                  .measure_from = plan.from,
                                  .measure_to = plan.to};
    m->processes = processes_create(&o);
    m->nic->client = processes_client(m->processes);
}

void model_attach(struct model *m, struct nic *nic)
{
    const struct run_params *run = config_section(m->config, &run_section);
    m->nic = nic;
    if (m->host) {
        nic->client = *m->host;
        return;
    }
    if (!m->workload || m->workload->as == LAYER_MESSAGES) {
        attach_processes(m);
        return;
    }
    struct source_options o = {
        .nic = nic, .program = m->workload->program, .seed = run->seed, .dead = m->site.dead};
    m->sources = sources_create(&o);
    nic->client = sources_client(m->sources);
}
