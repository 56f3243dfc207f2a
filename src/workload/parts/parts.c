/* The parts together: one workload, whose nodes and processes are those of all. */
#include "workload/parts/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text/text.h"
#include "workload/programs/programs.h"

static const struct key rows[] = {
    {"workload.parts", KEY_TEXT, offsetof(struct parts_params, parts), "", "",
     .help = "parts: places of jobs and what runs in each, as \"4x4x4@0/0/1 alltoall "
             "bytes_per_pair=4096; nodes:0-63 uniform load=0.3\"",
     .before = "workload.pairs"},
};

const struct key_section parts_section = {sizeof(struct parts_params)};
static const struct key_table keys = {rows, sizeof(rows) / sizeof(rows[0]), &parts_section};

/* ---- what all of them are ---- */

const struct part_list *parts_readable(const struct config *c)
{
    static const struct part_list none = {.count = 0};
    const struct part_list *list = &none;
    parts_list(c, &list);
    return list;
}

uint32_t parts_count(const struct config *c)
{
    return parts_readable(c)->count;
}

/* Packets if a pattern can be nothing else, and so for messages; else as is usual. */
static weft_status parts_layer(const struct config *c, enum layer usual, enum layer *as)
{
    const struct part_list *list;
    const char *packets = NULL, *messages = NULL; /* patterns that are only for these */
    bool rather = false;                          /* messages */
    enum layer asked = config_workload(c)->as;
    TRY(parts_list(c, &list));
    for (uint32_t i = 0; i < list->count; i++) {
        const struct pattern *p = config_workload(&list->part[i].config)->pattern;
        packets = p->messages ? packets : p->name;
        messages = p->packets ? messages : p->name;
        rather = rather || p->usual == LAYER_MESSAGES;
    }
    *as = asked != LAYER_AUTO  ? asked
          : packets            ? LAYER_PACKETS
          : messages || rather ? LAYER_MESSAGES
                               : usual;
    const char *unfit = *as == LAYER_PACKETS ? messages : packets;
    if (!unfit)
        return WEFT_OK;
    return BAD_INPUT("workload.parts workload.as",
                     ("%s is only for %s, and parts are to exchange %s", unfit,
                      *as == LAYER_PACKETS ? "messages" : "packets",
                      *as == LAYER_PACKETS ? "packets" : "messages"),
                     ("run all parts as packets, or all as messages"));
}

static bool uses(const struct config *c, enum layer as, const char *key)
{
    const struct part_list *list = parts_readable(c);
    for (uint32_t i = 0; i < list->count; i++)
        if (workload_uses(&list->part[i].config, as, key))
            return true;
    return false;
}

static bool writes(const struct config *c, const char *path)
{
    const struct part_list *list = parts_readable(c);
    for (uint32_t i = 0; i < list->count; i++)
        if (workload_writes(&list->part[i].config, path))
            return true;
    return false;
}

static uint64_t fingerprint(const struct config *c)
{
    const struct part_list *list = parts_readable(c);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const char *file = text_behind(list->part[i].place, PART_FILE);
        hash = random_mix(hash + workload_fingerprint(&list->part[i].config));
        hash ^= file ? input_hash(file) : 0;
    }
    return hash;
}

/* ", 2 at once, as packets" */
static bool describe(const struct config *c, enum layer as, char text[CONFIG_TEXT])
{
    snprintf(text, CONFIG_TEXT, ", %u at once, as %s", parts_count(c),
             as == LAYER_MESSAGES ? "messages" : "packets");
    return true;
}

uint32_t workload_members(const struct workload *w)
{
    return workload_parts(w) ? workload_parts(w)->count : 1;
}

struct workload *workload_member(struct workload *w, uint32_t index)
{
    return workload_parts(w) ? workload_parts(w)->part[index].workload : w;
}

/* ---- steps ---- */

static void to_machine(const struct workload_part *part, struct step *step)
{
    if (step->to != NOBODY)
        step->to = part->view.node[step->to];
}

static const struct workload_part *part_of_node(const struct workload *w, uint32_t node)
{
    const struct workload_parts *all = w->state;
    uint16_t number = all->of[node];
    return number ? &all->part[number - 1] : NULL;
}

static bool part_packet_step(void *ctx, uint32_t node, uint32_t number, struct step *step)
{
    const struct workload_part *part = part_of_node(ctx, node);
    if (!part)
        return false;
    const struct program *p = &part->workload->program;
    if (!p->stop_at /* an open loop without load */ ||
        !p->step(p->ctx, part->local[node], number, step))
        return false;
    to_machine(part, step);
    return true;
}

static struct arrival_process arrivals(void *ctx, uint32_t node)
{
    const struct workload_part *part = part_of_node(ctx, node);
    return part ? program_arrivals(&part->workload->program, part->local[node])
                : (struct arrival_process){.mean_gap_cycles = 0};
}

/* Answers of a part, on their way out of it. */
struct part_replies {
    struct replies base;
    struct replies *machine;
    const struct workload_part *part;
};

static void reply(struct replies *base, const struct step *step, cycle_t when)
{
    const struct part_replies *r = (const struct part_replies *)base;
    struct step out = *step;
    to_machine(r->part, &out);
    r->machine->send(r->machine, &out, when);
}

static void received(void *ctx, struct replies *replies, const struct receipt *receipt,
                     cycle_t when)
{
    const struct workload_part *part = part_of_node(ctx, receipt->node);
    const struct program *p = &part->workload->program;
    struct part_replies r = {.base = {reply}, .machine = replies, .part = part};
    struct receipt inside = *receipt;
    inside.node = part->local[receipt->node];
    inside.source = part->local[receipt->source];
    if (p->received)
        p->received(p->ctx, &r.base, &inside, when);
}

static bool part_message_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    const struct task_group *group = task_group_of(w->group, w->groups, process);
    const struct workload_part *part = &workload_parts(w)->part[group->part - 1];
    const struct program *p = &part->workload->program;
    if (!p->step(p->ctx, process - part->first, number, step))
        return false;
    step->to = step->to == NOBODY ? NOBODY : step->to + part->first;
    step->from = step->from == NOBODY ? NOBODY : step->from + part->first;
    return true;
}

/* ---- putting them together ---- */

static void join_packets(struct workload *w)
{
    const struct workload_parts *all = w->state;
    double least = 0;
    w->program.step = part_packet_step;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct workload *own = all->part[i].workload;
        double mean = own->program.mean_gap_cycles;
        w->program.received = own->program.received ? received : w->program.received;
        w->senders += own->senders;
        if (mean > 0 && (least == 0 || mean < least))
            least = mean;
    }
    if (!w->open)
        return;
    w->program.arrivals = arrivals;
    w->program.mean_gap_cycles = least;
    w->program.high_share = w->params.high_share;
}

/* Where every process is, by the numbers of the whole machine. */
static void join_mapping(struct workload *w)
{
    size_t processors = (size_t)w->site->nodes * w->per_node;
    const struct workload_parts *all = w->state;
    struct mapping *m = &w->mapping;
    m->ranks = w->processes;
    m->processor = memory_alloc(w->processes, sizeof(*m->processor));
    m->rank = memory_alloc(processors, sizeof(*m->rank));
    memset(m->rank, 0xff, processors * sizeof(*m->rank)); /* MAPPING_NONE */
    for (uint32_t i = 0; i < all->count; i++) {
        const struct workload_part *part = &all->part[i];
        const struct workload *own = part->workload;
        for (uint32_t k = 0; k < own->processes; k++) {
            uint32_t processor = own->mapping.processor[k];
            uint32_t node = part->view.node[processor / own->per_node];
            processor = node * w->per_node + processor % own->per_node;
            m->processor[part->first + k] = processor;
            m->rank[processor] = part->first + k;
        }
    }
}

static void join_messages(struct workload *w)
{
    const struct workload_parts *all = w->state;
    w->program.step = part_message_step;
    w->group = memory_alloc(all->count, sizeof(*w->group));
    w->groups = all->count;
    for (uint32_t i = 0; i < all->count; i++) {
        struct workload_part *part = &all->part[i];
        const struct workload *own = part->workload;
        part->first = w->processes;
        w->processes += own->processes;
        w->per_node = own->per_node > w->per_node ? own->per_node : w->per_node;
        w->group[i] = own->groups ? *own->group : (struct task_group){.program = {.main = NULL}};
        w->group[i].first = part->first;
        w->group[i].processes = own->processes;
        w->group[i].part = part->site.part;
        w->group[i].apart = part->apart;
        /* The machine's own networks are not a job's. */
        if (w->group[i].program.collectives == COLLECTIVES_AUTO)
            w->group[i].program.collectives = COLLECTIVES_MESSAGES;
        if (own->params.message_bytes > w->params.message_bytes)
            w->params.message_bytes = own->params.message_bytes;
    }
    join_mapping(w);
}

bool workload_mixes_loops(const struct workload *w)
{
    const struct workload_parts *all = workload_parts(w);
    bool open = false, closed = false;
    for (uint32_t i = 0; all && i < all->count; i++) {
        const struct workload *own = all->part[i].workload;
        bool generated = own->open || own->program.timed;
        open = open || generated;
        closed = closed || !generated;
    }
    return open && closed;
}

static weft_status join(struct workload *w)
{
    struct workload_parts *all = w->state;
    bool known = true;
    all->whole = memory_alloc(all->count + 1, sizeof(*all->whole));
    for (uint32_t i = 0; i < all->count; i++) {
        const struct workload *own = all->part[i].workload;
        w->open = w->open || own->open;
        w->letters = w->letters || own->letters;
        w->program.timed = w->program.timed || own->program.timed;
        all->whole[i + 1] = !own->open;
        known = known && own->deliveries;
        w->deliveries += own->deliveries;
    }
    w->deliveries = known && !w->open ? w->deliveries : 0;
    w->program.stop_at = w->open ? workload_warmup(&w->params) + w->params.cycles : CYCLE_NEVER;
    if (w->as == LAYER_PACKETS) {
        join_packets(w);
        return WEFT_OK;
    }
    join_messages(w);
    if (workload_mixes_loops(w))
        return BAD_INPUT("workload.parts workload.messages",
                         ("messages of some parts never end (messages = 0), and others must"),
                         ("use messages = 0 for all parts of messages, or for none"));
    return WEFT_OK;
}

/* ---- making them ---- */

/* No node is in two parts. */
static weft_status claim_nodes(struct workload_parts *all, struct workload_part *part)
{
    for (uint32_t i = 0; i < part->nodes; i++) {
        uint32_t node = part->view.node[i];
        if (all->of[node])
            return BAD_INPUT(NULL, ("node %u is in part %u already", node, all->of[node]),
                             ("use other nodes"));
        all->of[node] = (uint16_t)part->site.part;
        all->local[node] = i;
    }
    return WEFT_OK;
}

static weft_status make_part(struct workload *w, struct part_text *text)
{
    struct workload_parts *all = w->state;
    struct workload_part *part = &all->part[all->count];
    struct workload_params *own = config_section(&text->config, &workload_section);
    *part = (struct workload_part){
        .machine = w->site, .site.part = ++all->count, .local = all->local, .of = all->of};
    own->as = w->as;
    TRY(part_check_layer(text, w->as));
    TRY(workload_complete_sizes(own, &w->site->sizes));
    TRY(workload_part_place(part, text));
    TRY(claim_nodes(all, part));
    /* Its random numbers are its own, and the same whoever is beside it. */
    uint64_t seed = part->apart ? w->seed : random_key(w->seed, part->view.node[0], RANDOM_PART);
    TRY(workload_create(&text->config, &part->site, seed, &part->workload));
    if (w->as == LAYER_PACKETS && !part->workload->senders)
        return BAD_INPUT(NULL, ("no node of it has another one to send to"),
                         ("use another place or pattern"));
    return WEFT_OK;
}

/* Files that two parts would write. */
static weft_status check_files(const struct part_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t k = 0; k < list->count; k++) {
            const struct config *a = &list->part[i].config, *b = &list->part[k].config;
            const struct mpi_run_params *p = config_section(a, &mpi_run_section);
            if (i != k && config_workload(a)->pattern->writes &&
                (workload_writes(b, p->trace) || workload_writes(b, p->matrix)))
                return BAD_INPUT("workload.parts workload.trace workload.matrix",
                                 ("parts %u and %u would write the same file", i + 1, k + 1),
                                 ("give each part a trace and a matrix of its own"));
        }
    return WEFT_OK;
}

static weft_status make_parts(struct workload *w, const struct part_list *list)
{
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < list->count && status == WEFT_OK; i++) {
        status = make_part(w, &list->part[i]);
        if (status != WEFT_OK) {
            error_prefix("part %u: ", i + 1);
            error_keys("workload.parts");
        }
    }
    if (status == WEFT_OK && !list->count)
        return BAD_INPUT(
            "workload.parts workload.pattern", ("workload.parts is empty"),
            ("name places and patterns, as '4x4x4@0/0/1 alltoall; nodes:0-63 uniform'"));
    return status == WEFT_OK ? check_files(list) : status;
}

static weft_status setup_parts(struct workload *w)
{
    struct workload_parts *all = w->state = memory_alloc(1, sizeof(*all));
    const struct part_list *list;
    TRY(parts_list(w->config, &list));
    all->part = memory_alloc(list->count, sizeof(*all->part));
    all->of = memory_alloc(w->site->nodes, sizeof(*all->of));
    all->local = memory_alloc(w->site->nodes, sizeof(*all->local));
    TRY(make_parts(w, list));
    return join(w);
}

struct measure_classes parts_classes(const struct workload_parts *all)
{
    bool apart = all->count && all->part[0].apart;
    return (struct measure_classes){.count = all->count + 1,
                                    .of = all->of,
                                    .whole = all->whole,
                                    .number = apart ? all->local : NULL};
}

static void fini(struct workload *w)
{
    struct workload_parts *all = w->state;
    for (uint32_t i = 0; i < all->count; i++)
        workload_part_fini(&all->part[i]);
    free(all->part);
    free(all->of);
    free(all->whole);
    free(all->local);
}

static void archive(struct workload *w, struct archive *a)
{
    struct workload_parts *all = w->state;
    for (uint32_t i = 0; i < all->count; i++)
        workload_archive(all->part[i].workload, a);
}

const struct pattern parts_pattern = {.name = "parts",
                                      .kind = PATTERN_PARTS,
                                      .packets = setup_parts,
                                      .packet_keys = "parts",
                                      .messages = setup_parts,
                                      .message_keys = "parts",
                                      .keys = &keys,
                                      .packet_work = "packets of several workloads: {parts}",
                                      .message_work = "messages of several workloads: {parts}",
                                      .fini = fini,
                                      .archive = archive,
                                      .layer = parts_layer,
                                      .uses = uses,
                                      .describe = describe,
                                      .fingerprint = fingerprint,
                                      .writes = writes};
