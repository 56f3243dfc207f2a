/* What models of all families share: life, memory, partitions, the workload and its clients. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ranks.h"
#include "engine/team.h"
#include "machine/checkpoint.h"
#include "machine/family.h"
#include "machine/figures.h"
#include "machine/machine.h"

weft_status model_check_memory(const char *key, uint32_t nodes, uint64_t shared, uint64_t whole)
{
    uint64_t bytes = whole * ranks_here() + shared * ranks_here() / ranks_count();
    char need[32], have[32];
    if (bytes <= memory_physical())
        return WEFT_OK;
    return BAD_INPUT(key,
                     ("%s: %u nodes need about %s and this computer has %s", key, nodes,
                      memory_text(bytes, need), memory_text(memory_physical(), have)),
                     ("use a smaller machine"));
}

/* ---- sites ---- */

uint32_t coordinates_distance(const struct site *site, uint32_t from, uint32_t to)
{
    return torus_distance(site->torus, from, to);
}

uint32_t coordinates_diameter(const struct site *site)
{
    return torus_diameter(site->torus);
}

uint32_t graph_model_diameter(const struct site *site)
{
    return ((const struct model *)site->ctx)->routes.diameter;
}

void model_release_graph(struct model *m)
{
    free(m->partition);
    graph_routes_fini(&m->routes);
    graph_fini(&m->graph);
}

static void living_fini(struct living *l)
{
    free(l->node);
    free(l->dead);
    *l = (struct living){NULL, NULL};
}

void model_list_living(struct model *m, uint32_t nodes,
                       bool (*is_dead)(const void *faults, uint32_t node), const void *faults)
{
    struct living *l = &m->living;
    uint32_t count = 0;
    l->node = memory_alloc(nodes, sizeof(*l->node));
    l->dead = memory_alloc(nodes, sizeof(*l->dead));
    for (uint32_t node = 0; node < nodes; node++) {
        l->dead[node] = is_dead(faults, node);
        if (!l->dead[node])
            l->node[count++] = node;
    }
    if (count == nodes)
        living_fini(l);
}

/* ---- partitions ---- */

/* Threads of all ranks that need partitions; with checkpoints one per core, since the run may be
 * resumed on more threads. */
static weft_status count_threads(const struct run_options *o, uint32_t *threads)
{
    *threads = o->threads * ranks_count();
    if (o->checkpoint && ranks_count() > 1)
        return BAD_INPUT(NULL, ("--checkpoint works with one process only"),
                         ("start it without mpirun"));
    if (o->checkpoint && *threads < team_cores())
        *threads = team_cores();
    return WEFT_OK;
}

/* Whether the state of a resumed run can have that many partitions. */
static weft_status check_resumed(const struct run_options *o, uint32_t partitions)
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
    TRY(count_threads(o, &threads));
    m->partitions = asked ? asked : threads < most ? threads : most;
    if (o->resume)
        m->partitions = o->resume->head.cuts[0];
    if (ranks_count() > most)
        return BAD_INPUT(NULL,
                         ("%u ranks, but this machine can be cut into %u", ranks_count(), most),
                         ("use fewer ranks"));
    if (m->partitions > most || m->partitions < ranks_count())
        return BAD_INPUT("run.partitions", ("run.partitions = %u is not possible", m->partitions),
                         ("use %u to %u, or 0", ranks_count(), most));
    return check_resumed(o, m->partitions);
}

weft_status model_cut_graph(struct model *m, const struct run_options *o, uint32_t asked)
{
    TRY(model_cut(m, o, m->graph.nodes, asked));
    m->partition = memory_alloc(m->graph.nodes, sizeof(*m->partition));
    graph_cut(&m->graph, m->partitions, m->partition);
    return WEFT_OK;
}

/* Few large bricks cost least; several per thread let the work be shared evenly. */
static weft_status choose_bricks(const struct torus *t, uint32_t threads, struct bricks *bricks)
{
    struct bricks_wish wish = {.most_nodes = 16384,
                               .least = threads,
                               .good = threads > 1 ? 4 * threads : 1,
                               .good_nodes = 1024};
    bricks_init(bricks, t, &wish);
    if (bricks->count < ranks_count())
        return BAD_INPUT("machine.dims",
                         ("%u nodes are too few for %u ranks", t->nodes, ranks_count()),
                         ("use fewer ranks"));
    return WEFT_OK;
}

/* As run.bricks says. */
static weft_status take_bricks(const struct torus *t, const char *text, struct bricks *bricks)
{
    enum { MOST_BRICKS = 4096 };
    struct torus cuts;
    if (torus_parse(text, &cuts) != WEFT_OK || cuts.dims != t->dims)
        return BAD_INPUT("run.bricks", ("run.bricks = '%s' does not fit the machine", text),
                         ("cut each of its %u dimensions, as in %s, or use auto", t->dims,
                          t->dims > 3 ? "2x2x1x1x1x1" : "2x2x1"));
    bricks_init_cuts(bricks, t, cuts.size);
    uint32_t count = bricks->count;
    if (count < ranks_count())
        return BAD_INPUT(
            "run.bricks",
            ("run.bricks = '%s' makes %u partitions for %u ranks", text, count, ranks_count()),
            ("use more, or auto"));
    if (count > MOST_BRICKS)
        return BAD_INPUT("run.bricks", ("run.bricks = '%s' makes %u partitions", text, count),
                         ("use at most %d", MOST_BRICKS));
    return WEFT_OK;
}

/* Threads with at least one packet-hop per window: more would only synchronise. At least one per
 * rank. Hops are few in an open loop that offers little load. */
static uint32_t useful_threads(const struct workload *w, double full_hops, uint32_t threads)
{
    bool open = w && w->pattern->kind == PATTERN_OPEN && w->as == LAYER_PACKETS;
    double hops = open ? w->params.load * full_hops : INFINITY;
    uint32_t useful = hops < threads ? (uint32_t)ceil(hops) : threads;
    return useful > ranks_count() ? useful : ranks_count();
}

weft_status model_cut_bricks(struct model *m, const struct run_options *o, const struct torus *t,
                             const char *text, double full_hops)
{
    uint32_t threads;
    if (o->resume) {
        bricks_init_cuts(&m->bricks, t, o->resume->head.cuts);
    } else {
        TRY(count_threads(o, &threads));
        uint32_t useful = useful_threads(m->workload, full_hops, threads);
        TRY(strcmp(text, "auto") == 0 ? choose_bricks(t, useful, &m->bricks)
                                      : take_bricks(t, text, &m->bricks));
    }
    m->partitions = m->bricks.count;
    return check_resumed(o, m->partitions);
}

struct nic_node model_locate(const struct model *m, uint32_t node)
{
    const struct family *f = family_of(m->config);
    struct nic_node at = {.node = node};
    if (f->locate)
        f->locate(m, &at);
    else
        network_locate(m->network, node, &at.partition, &at.local);
    return at;
}

struct machine_link model_link(const struct model *m, uint32_t from, unsigned port, uint32_t to,
                               unsigned back, enum link_state state)
{
    const struct network *n = m->network;
    return (struct machine_link){.from = from,
                                 .to = to,
                                 .direction = (uint8_t)port,
                                 .state = state,
                                 .busy = network_link_busy(n, from, port),
                                 .sender = {n->partition[from], network_slot(n, from, port)},
                                 .receiver = {n->partition[to], network_slot(n, to, back)}};
}

/* ---- the workload ---- */

/* With what the machine hands out to jobs, if there are some. */
static weft_status create_workload(struct model *m)
{
    const struct family *f = family_of(m->config);
    struct ground ground;
    bool shared = config_workload(m->config)->pattern->kind == PATTERN_PARTS;
    bool has_ground = shared && f->ground && f->ground(m->config, &ground) == WEFT_OK;
    m->site.ground = has_ground ? &ground : NULL;
    weft_status status = workload_create(m->config, &m->site, m->seed, &m->workload);
    m->site.ground = NULL;
    if (has_ground)
        ground_fini(&ground);
    return status;
}

/* What every site has. */
static void complete_site(struct model *m)
{
    const struct config *c = m->config;
    const struct software_params *software = config_section(c, &software_section);
    struct machine_facts facts = machine_facts(c);
    struct site *site = &m->site;
    site->ctx = m;
    site->usual = family_of(c)->usual;
    site->nodes = facts.nodes;
    site->living = facts.nodes - facts.dead_nodes;
    site->endpoints = site->node_at ? site->living : site->nodes;
    site->dead = m->living.dead;
    site->limits = &software->limits;
    site->sizes = facts.sizes;
    site->processors = facts.processors;
    site->tasks = facts.tasks;
    site->mpi = config_section(c, &mpi_section);
    site->io_nodes = config_section(c, &io_section);
    site->cycles_per_second = facts.cycles_per_second;
}

/* Creates the workload at the site and sets what follows from it; with a host there is none. */
static weft_status make_workload(struct model *m, const struct run_options *o)
{
    const struct config *c = m->config;
    const struct workload_params *p = config_workload(c);
    m->host = o->host;
    m->window.look = CYCLE_NEVER;
    complete_site(m);
    if (pattern_is_silent(p->pattern) || m->host)
        return WEFT_OK;
    TRY(create_workload(m));
    if (workload_has_programs(m->workload) && (o->checkpoint || ranks_count() > 1))
        return BAD_INPUT("workload.pattern", ("a program's stacks cannot leave their process"),
                         ("run it without %s", o->checkpoint ? "--checkpoint" : "mpirun"));
    if (m->workload->program.timed && ranks_count() > 1) /* by nodes of one process */
        return BAD_INPUT("workload.pattern", ("packets of a file are read by one process"),
                         ("run it without mpirun"));
    if (m->workload->letters && (o->checkpoint || ranks_count() > 1))
        return BAD_INPUT("workload.file",
                         ("messages with tags, or of 4 GiB and more, cannot leave their process"),
                         ("run the trace without %s", o->checkpoint ? "--checkpoint" : "mpirun"));
    m->open = m->workload->open;
    m->deliveries = m->workload->deliveries;
    m->window = window_of(m->workload);
    if (m->workload->program.stop_at) /* else nothing is ever born */
        m->workload->program.stop_at =
            m->open ? window_births_end(&m->window) : m->workload->program.stop_at;
    if (m->workload->as == LAYER_MESSAGES && m->open) /* they never end */
        m->stop_at = m->window.to;
    return WEFT_OK;
}

struct measure_plan model_plan(const struct model *m)
{
    const struct run_params *run = config_section(m->config, &run_section);
    struct measure_plan plan = {.to = CYCLE_NEVER};
    if (m->open)
        plan = window_plan(&m->window);
    plan.interval = run->interval_cycles;
    plan.detail = run->detail;
    return plan;
}

/* ---- a window that is found ---- */

/* Has births go on; `when`: nodes are woken. */
static void go_on(struct model *m, cycle_t when)
{
    cycle_t end = window_births_end(&m->window);
    if (!m->workload->program.stop_at)
        return;
    if (m->sources)
        sources_go_on(m->sources, end, when);
    else
        m->nic->kind->go_on(m->nic, end, when);
}

void model_look(struct model *m)
{
    cycle_t now = m->window.look;
    window_look(&m->window, m->network, m->workload);
    go_on(m, now + 1);
}

void model_archive_window(struct model *m, struct archive *a)
{
    if (!m->window.is_found)
        return;
    window_archive(&m->window, a);
    if (archive_has_read(a) && !a->broken) {
        struct measure_plan plan = window_plan(&m->window);
        m->network->plan.from = plan.from;
        m->network->plan.to = plan.to;
        go_on(m, 0);
    }
}

/* A survey has no workload: it gets zero processes, at as many seats per node as the mode has. */
static void attach_processes(struct model *m)
{
    const struct workload *w = m->workload;
    uint32_t tasks = m->site.tasks ? m->site.tasks : 1;
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
                                  .per_node = w ? w->per_node : tasks,
                                  .mapping = w ? &w->mapping : NULL,
                                  .order = w ? &w->order : NULL,
                                  .nodes = m->site.nodes,
                                  .whole = m->site.whole,
                                  .measure_from = plan.from,
                                  .measure_to = plan.to};
    m->processes = processes_create(&o);
    m->nic->client = processes_client(m->processes);
}

weft_status model_check_node_memory(const struct config *c, bool engine)
{
    const struct memory_params *p = config_section(c, &node_memory_section);
    const char *key = "machine.node.memory_total_mb_per_s";
    bool packets = machine_run_kinds(c) & RUNS_TRAFFIC && machine_layer(c) == LAYER_PACKETS;
    bool asked = c->entry[config_find(c, key)].given > c->own_givings; /* not by the file */
    TRY(memory_check(p));
    if (p->total_mb_per_s > 0 && asked && packets && !engine)
        return BAD_INPUT(key,
                         ("%s is for messages, and this workload has packets, which do not come "
                          "from memory here",
                          key),
                         ("set it to 0, or use workload.as=messages"));
    return WEFT_OK;
}

void model_attach(struct model *m, struct nic *nic)
{
    m->nic = nic;
    nic_share_memory(nic, config_section(m->config, &node_memory_section));
    if (m->host) {
        nic->client = *m->host;
        return;
    }
    if (!m->workload || m->workload->as == LAYER_MESSAGES) {
        attach_processes(m);
        return;
    }
    struct source_options o = {
        .nic = nic, .program = m->workload->program, .seed = m->seed, .dead = m->site.dead};
    if (m->site.torus && m->site.torus->wiring)
        o.number = m->site.torus->wiring->number;
    m->sources = sources_create(&o);
    nic->client = sources_client(m->sources);
}

/* ---- life cycle ---- */

weft_status model_create(const struct config *c, const struct run_options *o, struct model **model)
{
    const struct family *f = family_of(c);
    struct model *m = *model = memory_alloc(1, f->model_size);
    m->config = c;
    m->seed = ((const struct run_params *)config_section(c, &run_section))->seed;
    TRY(f->prepare(m));
    TRY(make_workload(m, o));
    TRY(f->cut(m, o));
    return f->build(m, o);
}

void model_destroy(struct model *m)
{
    const struct family *f = family_of(m->config);
    sources_destroy(m->sources);
    processes_destroy(m->processes);
    network_destroy(m->network);
    nic_destroy(m->nic);
    if (f->release)
        f->release(m);
    workload_destroy(m->workload);
    model_release_graph(m);
    living_fini(&m->living);
    free(m);
}
