/* The parts together: one workload, whose nodes and processes are those of all. */
#include "workload/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text/text.h"

/* ---- what all of them are ---- */

/* Packets if a pattern can be nothing else, and so for messages; else as is usual. */
weft_status parts_layer(const struct workload_params *params, enum layer usual, enum layer *as)
{
    struct part_text *text = memory_alloc(1, sizeof(*text));
    const char *packets = NULL, *messages = NULL; /* patterns that are only for these */
    bool rather = false;                          /* messages */
    struct parts_reader r = {.params = params};
    while (parts_read(&r, text)) {
        const struct pattern *p = text->params.pattern;
        packets = p->messages ? packets : p->name;
        messages = p->packets ? messages : p->name;
        rather = rather || p->usual == LAYER_MESSAGES;
    }
    free(text);
    if (r.status != WEFT_OK)
        return r.status;
    *as = params->as != LAYER_AUTO ? params->as
          : packets                ? LAYER_PACKETS
          : messages || rather     ? LAYER_MESSAGES
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

uint32_t parts_count(const struct workload_params *params)
{
    struct part_text *text = memory_alloc(1, sizeof(*text));
    struct parts_reader r = {.params = params};
    while (parts_read(&r, text))
        continue;
    free(text);
    return r.number;
}

bool parts_use(const struct workload_params *params, enum layer as, const char *key)
{
    struct part_text *text = memory_alloc(1, sizeof(*text));
    struct parts_reader r = {.params = params, .as = as};
    bool used = false;
    while (!used && parts_read(&r, text))
        used = workload_uses(&text->params, as, key);
    free(text);
    return used;
}

bool parts_write(const struct workload_params *params, const char *path)
{
    struct part_text *text = memory_alloc(1, sizeof(*text));
    struct parts_reader r = {.params = params};
    bool writes = false;
    while (!writes && parts_read(&r, text))
        writes = workload_writes(&text->params, path);
    free(text);
    return writes;
}

uint64_t parts_fingerprint(const struct workload_params *params)
{
    struct part_text *text = memory_alloc(1, sizeof(*text));
    struct parts_reader r = {.params = params};
    uint64_t hash = 0;
    while (parts_read(&r, text)) {
        const char *file = text_behind(text->place, PART_FILE);
        hash = random_mix(hash + workload_fingerprint(&text->params));
        hash ^= file ? input_hash(file) : 0;
    }
    free(text);
    return hash;
}

uint32_t workload_members(const struct workload *w)
{
    return w->parts ? w->parts->count : 1;
}

struct workload *workload_member(struct workload *w, uint32_t index)
{
    return w->parts ? w->parts->part[index].workload : w;
}

/* ---- steps ---- */

static void to_machine(const struct workload_part *part, struct step *step)
{
    if (step->to != NOBODY)
        step->to = part->view.node[step->to];
}

static const struct workload_part *part_of_node(const struct workload *w, uint32_t node)
{
    uint16_t number = w->parts->of[node];
    return number ? &w->parts->part[number - 1] : NULL;
}

static bool packet_step(void *ctx, uint32_t node, uint32_t number, struct step *step)
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
    return part ? program_births(&part->workload->program, part->local[node])
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

static bool message_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    const struct task_group *group = task_group_of(w->group, w->groups, process);
    const struct workload_part *part = &w->parts->part[group->part - 1];
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
    double least = 0;
    w->program.step = packet_step;
    for (uint32_t i = 0; i < w->parts->count; i++) {
        const struct workload *own = w->parts->part[i].workload;
        double mean = own->program.mean_gap_cycles;
        w->program.received = own->program.received ? received : w->program.received;
        w->program.timed = w->program.timed || own->program.timed;
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
    size_t places = (size_t)w->site->nodes * w->per_node;
    struct mapping *m = &w->mapping;
    m->ranks = w->processes;
    m->place = memory_alloc(w->processes, sizeof(*m->place));
    m->rank = memory_alloc(places, sizeof(*m->rank));
    memset(m->rank, 0xff, places * sizeof(*m->rank)); /* MAPPING_NONE */
    for (uint32_t i = 0; i < w->parts->count; i++) {
        const struct workload_part *part = &w->parts->part[i];
        const struct workload *own = part->workload;
        for (uint32_t k = 0; k < own->processes; k++) {
            uint32_t place = own->mapping.place[k];
            uint32_t node = part->view.node[place / own->per_node];
            place = node * w->per_node + place % own->per_node;
            m->place[part->first + k] = place;
            m->rank[place] = part->first + k;
        }
    }
}

static void join_messages(struct workload *w)
{
    w->program.step = message_step;
    w->group = memory_alloc(w->parts->count, sizeof(*w->group));
    w->groups = w->parts->count;
    for (uint32_t i = 0; i < w->parts->count; i++) {
        struct workload_part *part = &w->parts->part[i];
        const struct workload *own = part->workload;
        part->first = w->processes;
        w->processes += own->processes;
        w->per_node = own->per_node > w->per_node ? own->per_node : w->per_node;
        w->group[i] = own->groups ? *own->group : (struct task_group){.program = {.main = NULL}};
        w->group[i].first = part->first;
        w->group[i].processes = own->processes;
        w->group[i].part = part->site.part;
        /* The machine's own networks are not a job's. */
        if (w->group[i].program.collectives == COLLECTIVES_AUTO)
            w->group[i].program.collectives = COLLECTIVES_MESSAGES;
        w->program.timed = w->program.timed || own->program.timed;
        if (own->params.message_bytes > w->params.message_bytes)
            w->params.message_bytes = own->params.message_bytes;
    }
    join_mapping(w);
}

/* Whether packets of some are generated, or messages without end, and others are of programs. */
bool workload_mixes_loops(const struct workload *w)
{
    bool open = false, closed = false;
    for (uint32_t i = 0; w->parts && i < w->parts->count; i++) {
        const struct workload *own = w->parts->part[i].workload;
        bool generated = own->open || own->program.timed;
        open = open || generated;
        closed = closed || !generated;
    }
    return open && closed;
}

static weft_status join(struct workload *w)
{
    bool known = true;
    w->parts->whole = memory_alloc(w->parts->count + 1, sizeof(*w->parts->whole));
    for (uint32_t i = 0; i < w->parts->count; i++) {
        const struct workload *own = w->parts->part[i].workload;
        w->open = w->open || own->open;
        w->parts->whole[i + 1] = !own->open;
        known = known && own->deliveries;
        w->deliveries += own->deliveries;
    }
    w->deliveries = known && !w->open ? w->deliveries : 0;
    w->program.stop_at = w->open ? w->params.warmup_cycles + w->params.cycles : CYCLE_NEVER;
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

/* Its random numbers are its own, and the same whoever is beside it. */
static uint64_t part_seed(const struct workload *w, const struct workload_part *part)
{
    return random_key(w->seed, part->view.node[0], RANDOM_PART);
}

static weft_status make_part(struct workload *w, const struct part_text *text)
{
    struct workload_parts *all = w->parts;
    struct workload_part *part = &all->part[all->count];
    struct workload_params own = text->params;
    *part = (struct workload_part){
        .machine = w->site, .site.part = ++all->count, .local = all->local, .of = all->of};
    own.as = w->as;
    weft_status status = workload_complete_sizes(&own, &w->site->sizes);
    if (status == WEFT_OK)
        status = workload_part_place(part, text);
    if (status == WEFT_OK)
        status = claim_nodes(all, part);
    if (status == WEFT_OK)
        status = workload_create(&own, &part->site, part_seed(w, part), &part->workload);
    if (status == WEFT_OK && w->as == LAYER_PACKETS && !part->workload->senders)
        status = BAD_INPUT(NULL, ("no node of it has another one to send to"),
                           ("use another place or pattern"));
    return status;
}

/* Files that two parts would write. */
static weft_status check_files(const struct workload_parts *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t k = 0; k < all->count; k++) {
            const struct workload *a = all->part[i].workload, *b = all->part[k].workload;
            if (i != k &&
                (mpi_writes(&b->params, a->params.trace) ||
                 mpi_writes(&b->params, a->params.matrix)) &&
                a->world && b->world)
                return BAD_INPUT("workload.parts workload.trace workload.matrix",
                                 ("parts %u and %u would write the same file", i + 1, k + 1),
                                 ("give each part a trace and a matrix of its own"));
        }
    return WEFT_OK;
}

static weft_status make_parts(struct workload *w)
{
    struct part_text *text = memory_alloc(1, sizeof(*text));
    struct workload_parts *all = w->parts;
    struct parts_reader r = {.params = &w->params, .as = w->as};
    weft_status status = WEFT_OK;
    while (status == WEFT_OK && parts_read(&r, text)) {
        status = make_part(w, text);
        if (status != WEFT_OK) {
            error_prefix("part %u: ", r.number);
            error_keys("workload.parts");
        }
    }
    free(text);
    status = status == WEFT_OK ? r.status : status;
    if (status == WEFT_OK && !all->count)
        return BAD_INPUT(
            "workload.parts workload.pattern", ("workload.parts is empty"),
            ("name places and patterns, as '4x4x4@0/0/0 alltoall; nodes:0-63 uniform'"));
    return status == WEFT_OK ? check_files(all) : status;
}

weft_status parts_setup(struct workload *w)
{
    struct workload_parts *all = w->parts = memory_alloc(1, sizeof(*all));
    all->part = memory_alloc(parts_count(&w->params), sizeof(*all->part));
    all->of = memory_alloc(w->site->nodes, sizeof(*all->of));
    all->local = memory_alloc(w->site->nodes, sizeof(*all->local));
    TRY(make_parts(w));
    return join(w);
}

struct measure_classes parts_classes(const struct workload_parts *all)
{
    return (struct measure_classes){all->count + 1, all->of, all->whole};
}

void parts_destroy(struct workload_parts *all)
{
    for (uint32_t i = 0; all && i < all->count; i++)
        workload_part_fini(&all->part[i]);
    if (all) {
        free(all->part);
        free(all->of);
        free(all->whole);
        free(all->local);
    }
    free(all);
}

void parts_archive(struct workload_parts *all, struct archive *a)
{
    for (uint32_t i = 0; i < all->count; i++)
        workload_archive(all->part[i].workload, a);
}
