/* Processes: who carries their messages, where they are, what they achieved. */
#include "message/process.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "engine/ranks.h"
#include "message/calls.h"
#include "message/engine/engine.h"
#include "message/layer.h"
#include "message/packets/packets.h"
#include "message/runners.h"

/* ---- life cycle ---- */

static void prepare(void *ctx, uint32_t partition, uint32_t nodes)
{
    struct processes *all = ctx;
    struct process_part *s = &all->part[partition];
    s->nodes = nodes;
    s->processes = nodes * all->o.per_node;
    s->process = memory_alloc(s->processes, sizeof(*s->process));
    match_init(&s->match, s->processes);
    all->runner.prepare(all->runner.ctx, partition, s->processes);
    all->carrier->prepare(all, partition);
}

/* All nodes with processes take part in operations of gates, in the order of their first ones. */
static void arrange_gates(const struct processes *all)
{
    const struct processes_options *o = &all->o;
    uint32_t *node = memory_alloc(o->processes, sizeof(*node)), count = 0;
    uint32_t *processes = memory_alloc(o->processes, sizeof(*processes));
    uint32_t *number = memory_alloc(o->nodes, sizeof(*number));
    for (uint32_t i = 0; i < o->processes; i++) {
        uint32_t at = process_node(all, i);
        if (!number[at]) {
            node[count] = at;
            number[at] = ++count;
        }
        processes[number[at] - 1]++;
    }
    o->nic->gates->arrange(o->nic->gates, node, processes, count);
    free(node);
    free(processes);
    free(number);
}

static enum task_way way_of(const void *arg, uint64_t bytes, uint8_t shape)
{
    const struct processes *all = arg;
    return all->carrier->way(all, bytes, shape);
}

static void choose_runner(struct processes *all)
{
    const struct processes_options *o = &all->o;
    struct tasks_options t = {
        .group = o->group,
        .groups = o->groups,
        .attachments = all->attachments,
        .partitions = o->nic->partitions,
        .line_bytes = o->cores ? o->cores->line_bytes : 1,
        .clock_hz = 1e6 * (o->cores ? o->cores->clock_mhz : o->software->clock_mhz),
        .cycles_per_us = o->nic->traits.cycles_per_us,
        .coprocessor = o->cores && o->cores->mode == MODE_COPROCESSOR,
        .offers = (o->nic->tree ? TASK_TREE : 0) | (o->nic->gates ? TASK_GATES : 0) | TASK_PACKETS,
        .limits = &o->software->limits,
        .calls = &program_calls,
        .way = way_of,
        .way_arg = all};
    all->runners = runners_create(&o->program, &t);
    all->runner = runners_runner(all->runners);
}

struct processes *processes_create(const struct processes_options *o)
{
    struct processes *all = memory_alloc(1, sizeof(*all));
    WEFT_CHECK(o->per_node <= o->nic->traits.queues, "%u processes share %u queues", o->per_node,
               o->nic->traits.queues);
    WEFT_CHECK(o->processes <= PROCESSES_MOST, "there are more than %d processes", PROCESSES_MOST);
    all->o = *o;
    all->nic = o->nic;
    all->software = *o->software;
    if (!o->mapping) {
        size_t places = (size_t)o->nodes * o->per_node;
        all->nobody.rank = memory_alloc(places, sizeof(*all->nobody.rank));
        memset(all->nobody.rank, 0xff, places * sizeof(*all->nobody.rank)); /* MAPPING_NONE */
        all->o.mapping = &all->nobody;
    }
    all->part = memory_alloc_lines(o->nic->partitions, sizeof(*all->part));
    all->attachments = attachments_create(o->nic->partitions);
    choose_runner(all);
    all->carrier = o->nic->kind->fifos ? &packets_carrier : &engine_carrier;
    all->carried = all->carrier->create(all);
    if (o->nic->gates && o->processes)
        arrange_gates(all);
    return all;
}

void processes_destroy(struct processes *all)
{
    if (!all)
        return;
    all->carrier->destroy(all);
    runners_destroy(all->runners);
    attachments_destroy(all->attachments);
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        free(all->part[i].process);
        match_fini(&all->part[i].match);
    }
    mapping_fini(&all->nobody);
    free(all->part);
    free(all);
}

struct nic_client processes_client(struct processes *all)
{
    struct nic_client client = all->carrier->client;
    client.ctx = all;
    client.prepare = prepare;
    return client;
}

static const char *flaw(const struct process_part *s)
{
    for (uint32_t i = 0; i < s->processes; i++) {
        const struct process *p = &s->process[i];
        if (!visited_is_bool(&p->started) || !visited_is_bool(&p->active) ||
            !visited_is_bool(&p->receiver) || !visited_is_bool(&p->waiting) ||
            !visited_is_bool(&p->probes) || !visited_is_bool(&p->done) || p->probes)
            return "a process is not valid";
    }
    return NULL;
}

void processes_archive(struct processes *all, struct archive *a)
{
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        struct process_part *s = &all->part[i];
        archive_bytes(a, s->process, s->processes * sizeof(*s->process));
        if (archive_has_read(a))
            archive_sound(a, flaw(s));
        all->runner.archive(all->runner.ctx, i, a);
        match_archive(&s->match, a);
        all->carrier->archive(all, i, a);
    }
}

/* ---- results ---- */

/* Bytes per second that a process received: while measuring or, in a run to the end, until its own
 * end. */
static uint64_t rate_of(const struct processes *all, const struct process *p)
{
    bool window = all->o.measure_to != CYCLE_NEVER;
    double cycles = window ? (double)(all->o.measure_to - all->o.measure_from)
                           : (double)p->ended / (1 << FRACTION_BITS);
    double cycles_per_second = all->nic->traits.cycles_per_us * 1e6;
    double rate = cycles > 0 ? (double)p->bytes / cycles * cycles_per_second : 0;
    return rate < 0x1p63 ? (uint64_t)rate : 1ull << 63;
}

struct processes_result processes_result_of(const struct processes *all, uint32_t first,
                                            uint32_t count)
{
    uint64_t sums[5] = {0}, least = UINT64_MAX, most = 0;
    fine_t ended = 0, first_ended = UINT64_MAX;
    for (uint32_t i = 0; i < all->nic->partitions; i++)
        for (uint32_t p = 0; p < all->part[i].processes; p++) {
            const struct process *process = &all->part[i].process[p];
            uint64_t rate = rate_of(all, process);
            if (!process->active || process->rank - first >= count)
                continue;
            ended = fine_max(ended, process->ended);
            first_ended = process->ended < first_ended ? process->ended : first_ended;
            sums[0]++;
            sums[1] += process->messages;
            sums[2] += process->bytes;
            if (!process->receiver)
                continue;
            sums[3]++;
            sums[4] += rate;
            least = rate < least ? rate : least;
            most = rate > most ? rate : most;
        }
    ranks_sum(sums, 5);
    return (struct processes_result){
        .active = sums[0],
        .messages = sums[1],
        .bytes = sums[2],
        .receivers = sums[3],
        .mean_rate = sums[3] ? (double)sums[4] / (double)sums[3] : 0,
        .least_rate = UINT64_MAX - ranks_max(UINT64_MAX - least),
        .most_rate = ranks_max(most),
        .ended = fine_cycle_after(ranks_max(ended)),
        .first_ended = fine_cycle_after(UINT64_MAX - ranks_max(UINT64_MAX - first_ended))};
}

struct processes_result processes_result(const struct processes *all)
{
    struct processes_result r = processes_result_of(all, 0, all->o.processes);
    all->carrier->result(all, &r);
    return r;
}

/* ---- reports ---- */

static const char *name_of(const struct processes *all, uint32_t process, char text[TASK_NAME])
{
    const struct processes_options *o = &all->o;
    const struct task_group *g = o->groups ? task_group_of(o->group, o->groups, process) : NULL;
    return task_name(g, process, text);
}

/* "process 3 waits for a message from process 1 with tag 7". Odd contexts are those of collective
 * operations. */
static size_t explain_receive(const struct processes *all, const struct process *p,
                              const struct envelope *e, uint32_t more, char *text, size_t size,
                              size_t at)
{
    char name[TASK_NAME];
    at = text_append(text, size, at, "  %s waits for a message from ", name_of(all, p->rank, name));
    at = text_append(text, size, at, "%s",
                     e->source == MATCH_ANY ? "anybody" : name_of(all, e->source, name));
    if (e->context % 2)
        at = text_append(text, size, at, ", of a collective operation");
    else if (e->tag == MATCH_ANY)
        at = text_append(text, size, at, " with any tag");
    else if (e->tag)
        at = text_append(text, size, at, " with tag %u", e->tag);
    if (more)
        at = text_append(text, size, at, " (and for %u more)", more);
    return text_append(text, size, at, "\n");
}

static size_t explain_process(const struct processes *all, uint32_t partition, uint32_t index,
                              char *text, size_t size, size_t at)
{
    const struct process_part *s = &all->part[partition];
    const struct process *p = &s->process[index];
    struct envelope oldest;
    char name[TASK_NAME];
    if (all->carrier->collects && all->carrier->collects(all, partition, index))
        return text_append(text, size, at,
                           "  %s is in a collective operation that others are not in\n",
                           name_of(all, p->rank, name));
    if (p->probes)
        return explain_receive(all, p, &p->probe, 0, text, size, at);
    uint32_t receives = match_posted(&s->match, index, &oldest);
    if (receives)
        return explain_receive(all, p, &oldest, receives - 1, text, size, at);
    return text_append(text, size, at, "  %s waits until a message of its own is received\n",
                       name_of(all, p->rank, name));
}

size_t processes_explain(const struct processes *all, char *text, size_t size)
{
    enum { SHOWN = 8 };
    size_t at = 0;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < all->nic->partitions; i++)
        for (uint32_t k = 0; k < all->part[i].processes; k++) {
            const struct process *p = &all->part[i].process[k];
            if (p->active && !p->done && waiting++ < SHOWN)
                at = explain_process(all, i, k, text, size, at);
        }
    if (waiting > SHOWN)
        at = text_append(text, size, at, "  ... (%u more)\n", waiting - SHOWN);
    return at;
}
