/* Keys of every run, and questions that families answer. */
#include "machine/machine.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/text/number.h"
#include "base/random.h"
#include "config/data.h"
#include "machine/family.h"
#include "machine/figures.h"
#include "workload/patterns/patterns.h"

/* The most rows that a timeline may have. */
#define MOST_INTERVALS 1000000

#define AT(field) offsetof(struct run_params, field)

static const struct key rows[] = {
    {"run.seed", KEY_U64, AT(seed), "", "1", 0, 9e18, .help = "seed of all random draws"},
    {"run.interval_cycles", KEY_U64, AT(interval_cycles), "cycles", "0", 0, KEY_CYCLE_TOP,
     .help = "cycles per row of the timeline; 0: no timeline"},
    {"run.detail", KEY_BOOL, AT(detail), "", "false",
     .help = "measure each link, its VCs, and each node by itself"},
    {"run.stall_cycles", KEY_U64, AT(stall_cycles), "cycles", "1000000", 1000, KEY_CYCLE_TOP,
     .help = "cycles without progress before a run is declared deadlocked"},
};

const struct key_section run_section = {sizeof(struct run_params)};
const struct key_table run_keys = {rows, sizeof(rows) / sizeof(rows[0]), &run_section};

enum { FAMILIES_MOST = 16 };

static const struct schema *schemas[FAMILIES_MOST + 1];

static void list_schemas(void)
{
    for (unsigned i = 0; families[i] && i < FAMILIES_MOST; i++)
        schemas[i] = &families[i]->schema;
}

void machine_init(struct config *c)
{
    static pthread_once_t listed = PTHREAD_ONCE_INIT;
    pthread_once(&listed, list_schemas);
    config_init(c, schemas);
}

/* ---- finishing ---- */

static bool has_pattern(const struct config *c, const struct pattern *p)
{
    return !(p->needs & ~family_of(c)->offers(c));
}

static weft_status check_pattern(const struct config *c)
{
    const struct pattern *asked = config_workload(c)->pattern;
    unsigned lacks = asked->needs & ~family_of(c)->offers(c);
    const char *what = lacks & SITE_COORDINATES ? "coordinates"
                       : lacks & SITE_DEPOSIT   ? "packets that leave copies on their way"
                       : lacks & SITE_CELLS     ? "cells to give to jobs"
                       : lacks & SITE_GROUPS    ? "groups of nodes"
                       : lacks & SITE_IO        ? "I/O nodes"
                                                : "a graph to survey";
    char list[512] = "";
    if (has_pattern(c, asked))
        return WEFT_OK;
    for (size_t i = 0; i < pattern_count; i++)
        if (has_pattern(c, patterns[i]))
            snprintf(list + strlen(list), sizeof(list) - strlen(list), *list ? ", %s" : "%s",
                     patterns[i]->name);
    return BAD_INPUT(
        "workload.pattern",
        ("workload.pattern = %s needs %s, which this machine does not have", asked->name, what),
        ("use one of %s", list));
}

static weft_status check_interval(const struct config *c)
{
    const struct workload_params *w = config_workload(c);
    const struct run_params *run = config_section(c, &run_section);
    bool open = w->pattern->kind == PATTERN_OPEN && machine_layer(c) == LAYER_PACKETS;
    uint64_t end = workload_warmup(w) + w->cycles;
    if (open && w->warmup_cycles == KEY_AUTO_LONG && end < w->most_cycles)
        end = w->most_cycles;
    if (run->interval_cycles && (open || w->pattern->kind == PATTERN_PARTS) &&
        end / run->interval_cycles > MOST_INTERVALS)
        return BAD_INPUT("run.interval_cycles",
                         ("run.interval_cycles = %llu makes the timeline too long",
                          (unsigned long long)run->interval_cycles),
                         ("use at least %llu", (unsigned long long)(end / MOST_INTERVALS + 1)));
    if (run->detail && run->interval_cycles > UINT32_MAX) /* what a row of detail.h counts to */
        return BAD_INPUT("run.interval_cycles",
                         ("run.interval_cycles = %llu is too long for run.detail",
                          (unsigned long long)run->interval_cycles),
                         ("use at most %u", UINT32_MAX));
    return WEFT_OK;
}

static weft_status finish(struct config *c)
{
    const struct family *f = family_of(c);
    enum layer as;
    size_t clock = config_find(c, "machine.clock_mhz");
    char text[CONFIG_TEXT];
    TRY(machine_fit_trace(c));
    /* Times of keys that are in cycles: of the network, and of processors. */
    TRY(config_settle(c, "cycles", machine_facts(c).cycles_per_second));
    if (clock < c->entries)
        TRY(config_settle(c, "processor cycles", 1e6 * atof(config_text(c, clock, text))));
    TRY(check_pattern(c));
    if (config_workload(c)->pattern->kind == PATTERN_PARTS)
        TRY(workload_layer(c, f->usual, &as)); /* what can be known before there is a machine */
    TRY(check_interval(c));
    TRY(f->finish(c));
    struct packet_sizes sizes = machine_facts(c).sizes;
    return workload_complete_sizes(config_section(c, &workload_section), &sizes);
}

weft_status machine_finish(struct config *c)
{
    return config_locate(c, finish(c));
}

/* ---- questions ---- */

struct machine_facts machine_facts(const struct config *c)
{
    return family_of(c)->facts(c);
}

bool machine_clock_moved(const struct config *c, char text[CONFIG_TEXT])
{
    struct error before = *error_last(); /* of a run, which is still to be reported */
    double own = machine_facts(c).cycles_per_second, usual = own;
    struct config root;
    machine_init(&root);
    if (c->root[0] && config_machine(&root, c->root) == WEFT_OK && root.schema == c->schema)
        usual = machine_facts(&root).cycles_per_second;
    if (own != usual)
        snprintf(
            text, CONFIG_TEXT,
            "a cycle is %.4g ns, on %s %.4g ns: delays given in cycles, as a hop's, moved with "
            "it; those given as times did not",
            1e9 / own, config_name(&root), 1e9 / usual);
    config_fini(&root);
    error_restore(&before);
    return own != usual;
}

const char *machine_size_text(const struct config *c, char text[CONFIG_TEXT])
{
    return family_of(c)->size_text(c, text);
}

/* How a machine is cut for threads does not change its result. */
static bool is_about_cuts(const char *key)
{
    return strcmp(key, "run.bricks") == 0 || strcmp(key, "run.partitions") == 0;
}

uint64_t machine_hash(const struct config *c)
{
    const struct family *f = family_of(c);
    uint64_t hash = config_hash(c, is_about_cuts);
    hash ^= workload_fingerprint(c);
    if (pattern_is_jobs(config_workload(c)->pattern))
        hash ^= input_hash(((const struct jobs_params *)config_section(c, &jobs_section))->log);
    return random_mix(hash ^ (f->fingerprint ? f->fingerprint(c) : 0));
}

uint64_t machine_result_hash(const struct config *c)
{
    return random_mix(data_program() ^ machine_hash(c));
}

/* 0.2 and 0.20000000000000001 are the same. */
static bool is_same_value(const char *a, const char *b)
{
    double x, y;
    if (strcmp(a, b) == 0)
        return true;
    return number_real(a, &x) && number_real(b, &y) &&
           fabs(x - y) <= 1e-12 * fmax(fabs(x), fabs(y));
}

bool machine_is_of(const struct config *c, const struct yaml *result)
{
    char path[160], text[CONFIG_TEXT];
    const char *name = yaml_get(result, "config.machine.name"), *seed = yaml_get(result, "seed");
    const struct run_params *run = config_section(c, &run_section);
    snprintf(text, sizeof(text), "%llu", (unsigned long long)run->seed);
    bool same = name && strcmp(name, c->machine) == 0 && seed && strcmp(seed, text) == 0;
    for (size_t i = 0; i < c->entries && same; i++) {
        const char *key = c->entry[i].key->name;
        snprintf(path, sizeof(path), "config.%.120s", key);
        const char *value = yaml_get(result, path);
        same = !value || is_about_cuts(key) || is_same_value(value, config_text(c, i, text));
    }
    return same;
}

enum layer machine_layer(const struct config *c)
{
    enum layer as = LAYER_PACKETS;
    workload_layer(c, family_of(c)->usual, &as);
    return as;
}

unsigned machine_run_kinds(const struct config *c)
{
    const struct run_params *run = config_section(c, &run_section);
    const struct pattern *p = config_workload(c)->pattern;
    bool messages = machine_layer(c) == LAYER_MESSAGES, parts = p->kind == PATTERN_PARTS;
    if (p->kind == PATTERN_SURVEY)
        return RUNS_SURVEY;
    if (pattern_is_jobs(p))
        return RUNS_JOBS;
    unsigned kinds = RUNS_TRAFFIC;
    kinds |= run->detail ? RUNS_DETAIL : 0;
    kinds |= messages ? RUNS_MESSAGES : 0;
    kinds |= parts ? RUNS_PARTS : 0;
    kinds |= p->kind == PATTERN_MPI || (parts && messages) ? RUNS_PROGRAM : 0;
    return kinds;
}

bool machine_uses(const struct config *c, const char *key)
{
    return workload_uses(c, machine_layer(c), key);
}

bool machine_work(const struct config *c, struct work *work)
{
    struct machine_facts facts = machine_facts(c);
    struct workplace place = {.nodes = facts.nodes - facts.dead_nodes,
                              .processors = facts.processors,
                              .tasks = facts.tasks,
                              .full = facts.sizes.most,
                              .header = facts.sizes.header};
    return work_of(c, machine_layer(c), &place, work);
}

weft_status machine_check_same_work(const struct config *c, const struct config *other)
{
    struct work a, b;
    if (!machine_work(c, &a) || !machine_work(other, &b))
        return WEFT_OK;
    return work_check_same(config_name(c), &a, config_name(other), &b);
}

void machine_describe(const struct config *c, char text[CONFIG_TEXT])
{
    const struct workload_params *w = config_workload(c);
    enum layer as = machine_layer(c);
    char sizes[SIZES_TEXT];
    workload_sizes_text(w, sizes);
    text[0] = '\0';
    if (pattern_is_silent(w->pattern) ||
        (w->pattern->describe && w->pattern->describe(c, as, text)))
        return;
    if (workload_rates_absolute(w))
        snprintf(text, CONFIG_TEXT, ", %s B packets at the rates of %.200s", sizes, w->file);
    else if (w->pattern->kind == PATTERN_OPEN && as == LAYER_PACKETS)
        snprintf(text, CONFIG_TEXT, ", %s B packets, load %.3g", sizes, w->load);
    else if (w->pattern->from_file)
        snprintf(text, CONFIG_TEXT, " %.200s", w->file);
    else if (as == LAYER_MESSAGES)
        snprintf(text, CONFIG_TEXT, ", %llu B messages", (unsigned long long)w->message_bytes);
}

double machine_weight(const struct config *c)
{
    const struct workload_params *w = config_workload(c);
    const struct pairwise_params *pair = config_section(c, &pairwise_section);
    double nodes = machine_facts(c).nodes;
    if (machine_uses(c, "workload.packets_per_pair"))
        return nodes * nodes * (pair->packets_per_pair ? pair->packets_per_pair : 1);
    return nodes * (double)(w->cycles + workload_warmup(w)) * w->load / 20;
}
