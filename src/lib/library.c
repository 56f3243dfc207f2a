/*
 * libweft's public functions (include/weft.h). Each function that does any work runs as a protected
 * call (base/status.h), so that running out of memory, or a broken invariant, is returned
 * as a status.
 */
#include "lib/library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/statistics/interval.h"
#include "base/text/text.h"
#include "config/data.h"
#include "jobs/jobs.h"
#include "machine/family.h"
#include "machine/figures.h"
#include "report/result/result.h"
#include "study/study.h"

const char *weft_version(void)
{
    return WEFT_VERSION;
}

void weft_use_data(const char *folder)
{
    data_set(folder);
}

/* What a caller must not leave out. */
static weft_status check_given(const void *argument, const char *name)
{
    return argument ? WEFT_OK : BAD_INPUT(NULL, ("%s is NULL", name), ("give one"));
}

/* ---- machines ---- */

struct listing {
    void (*told)(void *arg, const char *name, const char *description);
    void *arg;
};

static weft_status tell_machine(const struct listing *l, const char *name)
{
    char path[DATA_PATH];
    struct yaml y;
    data_find("machines", name, path, sizeof(path));
    TRY(yaml_load(path, &y));
    const char *text = yaml_get(&y, "description");
    l->told(l->arg, name, text ? text : "");
    yaml_fini(&y);
    return WEFT_OK;
}

static weft_status list_machines(void *arg)
{
    char **names;
    weft_status worst = data_check();
    if (worst != WEFT_OK)
        return worst;
    size_t count = data_list("machines", &names);
    for (size_t i = 0; i < count; i++) {
        weft_status status = tell_machine(arg, names[i]);
        worst = status != WEFT_OK ? status : worst;
        free(names[i]);
    }
    free(names);
    return worst;
}

weft_status weft_machines(void (*told)(void *arg, const char *name, const char *description),
                          void *arg)
{
    struct listing listing = {told, arg};
    TRY(check_given(told ? &listing : NULL, "told"));
    return protected_call(list_machines, &listing);
}

void weft_figures(void (*told)(void *arg, const weft_figure *figure), void *arg)
{
    for (const struct result_figure *f = figures; told && f < figures + figure_count; f++) {
        weft_figure figure = {.name = f->name,
                              .unit = f->unit ? f->unit : "",
                              .runs = figure_runs(f)->runs,
                              .help = figure_help(f)};
        told(arg, &figure);
    }
}

/* ---- creating ---- */

/* What a run is created from; `run` is the result. */
struct making {
    const char *machine, *study;
    const char *text;
    size_t size;
    struct checkpoint *checkpoint;
    weft_run *run;
};

/* What makes it a study of several runs, or of one in two sizes; NULL: nothing. */
static const struct yaml_entry *find_several(const struct yaml *y)
{
    static const char *const lists[] = {"runs.", "curves.", "over.", "seeds", "small.", "full."};
    for (size_t i = 0; i < y->entries; i++)
        for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++)
            if (strncmp(y->entry[i].path, lists[k], strlen(lists[k])) == 0)
                return &y->entry[i];
    return NULL;
}

static weft_status check_single(const struct making *m, const struct yaml *y)
{
    const struct yaml_entry *several = find_several(y);
    char word[900], path[4200], found[4200];
    if (!several)
        return WEFT_OK;
    if (m->text)
        return YAML_BAD(y, several, ("a study of several runs"),
                        ("give one; several may be in a file, for `weft study` and `weft sweep`"));
    /* `weft study` treats a word without slash or .yaml as a name. */
    data_find("studies", y->file, found, sizeof(found));
    snprintf(path, sizeof(path), "%s%s", strcmp(found, y->file) == 0 ? "" : "./", y->file);
    return YAML_BAD(
        y, several, ("a study of several runs"),
        ("use `weft study run %s`, or `weft sweep`", text_quote(path, word, sizeof(word))));
}

static weft_status read_study(const struct making *m, weft_status parsed, struct yaml *yaml)
{
    if (parsed != WEFT_OK)
        return parsed;
    weft_status status = check_single(m, yaml);
    if (status == WEFT_OK)
        status = study_apply(&m->run->config, yaml, m->machine);
    yaml_fini(yaml);
    return status;
}

static weft_status make(void *arg)
{
    struct making *m = arg;
    struct yaml yaml;
    m->run = memory_alloc(1, sizeof(*m->run));
    machine_init(&m->run->config);
    if (m->checkpoint) {
        m->run->config = m->checkpoint->config;
        machine_init(&m->checkpoint->config);
        return WEFT_OK;
    }
    if (m->text)
        return read_study(m, yaml_parse("text", (const unsigned char *)m->text, m->size, &yaml),
                          &yaml);
    if (m->study)
        return read_study(m, yaml_load(m->study, &yaml), &yaml);
    if (m->machine)
        return config_machine(&m->run->config, m->machine);
    return BAD_INPUT(NULL, ("nothing to run"), ("name a study or a machine (-m)"));
}

static weft_status create(struct making *m, weft_run **run)
{
    TRY(check_given(run, "run"));
    *run = NULL;
    weft_status status = protected_call(make, m);
    if (status == WEFT_OK)
        *run = m->run;
    else
        weft_run_destroy(m->run);
    return status;
}

weft_status weft_run_create(const char *machine, const char *study, weft_run **run)
{
    struct making m = {.machine = machine, .study = study};
    return create(&m, run);
}

weft_status weft_run_create_text(const char *text, size_t size, weft_run **run)
{
    struct making m = {.text = text, .size = size};
    return create(&m, run);
}

weft_status library_resume(struct checkpoint *checkpoint, weft_run **run)
{
    struct making m = {.checkpoint = checkpoint};
    return create(&m, run);
}

static void forget_result(weft_run *r)
{
    if (r->executed)
        run_result_fini(&r->result);
    free(r->json);
    r->json = NULL;
    r->executed = false;
}

static void end_session(weft_run *r)
{
    session_close(r->session);
    host_destroy(r->host);
    r->session = NULL;
    r->host = NULL;
}

void weft_run_destroy(weft_run *r)
{
    if (!r)
        return;
    end_session(r);
    forget_result(r);
    config_fini(&r->config);
    free(r);
}

/* ---- a call with one argument ---- */

struct call {
    weft_status (*body)(weft_run *run, const void *argument);
    weft_run *run;
    const void *argument;
};

static weft_status make_call(void *arg)
{
    const struct call *c = arg;
    return c->body(c->run, c->argument);
}

/* The call is refused if the run does more than what is allowed; those that are allowed while it
 * tells may be made by the host's functions that are told of deliveries. */
static weft_status guarded(weft_status (*body)(weft_run *run, const void *argument), weft_run *run,
                           const void *argument, enum library_doing allowed)
{
    TRY(check_given(run, "run"));
    enum library_doing before = run->doing;
    if (before > allowed)
        return BAD_INPUT(NULL,
                         ("called while the run is %s",
                          before == LIBRARY_TELLS ? "reporting deliveries" : "working"),
                         ("call it when the run's current call has returned"));
    run->doing = before == LIBRARY_TELLS ? before : LIBRARY_WORKS;
    weft_status status = protected_call(make_call, &(struct call){body, run, argument});
    run->doing = before;
    return status;
}

static weft_status set(weft_run *r, const void *assignment)
{
    if (r->session)
        return BAD_INPUT(NULL, ("the run has started"), ("set keys before weft_run_start()"));
    forget_result(r);
    return config_override(&r->config, assignment);
}

weft_status weft_run_set(weft_run *r, const char *assignment)
{
    TRY(check_given(assignment, "assignment"));
    return guarded(set, r, assignment, LIBRARY_RESTS);
}

/* ---- keys ---- */

struct key_listing {
    void (*told)(void *arg, const weft_key *key);
    void *arg;
};

static weft_status list_keys(weft_run *r, const void *listing)
{
    const struct key_listing *l = listing;
    const struct config *config = &r->config;
    char value[CONFIG_TEXT];
    for (size_t i = 0; i < config->entries; i++) {
        const struct config_entry *e = &config->entry[i];
        weft_key key = {.name = e->key->name,
                        .value = config_text(config, i, value),
                        .default_value = e->key->default_value,
                        .unit = e->key->unit,
                        .choices = e->key->choices,
                        .source = e->source ? e->source : "",
                        .help = e->key->help};
        l->told(l->arg, &key);
    }
    return WEFT_OK;
}

weft_status weft_run_keys(weft_run *r, void (*told)(void *arg, const weft_key *key), void *arg)
{
    struct key_listing listing = {told, arg};
    TRY(check_given(told ? &listing : NULL, "told"));
    return guarded(list_keys, r, &listing, LIBRARY_RESTS);
}

/* ---- metrics ---- */

static weft_status check_metric(weft_run *r, const void *name)
{
    return metric_check(name, machine_run_kinds(&r->config));
}

weft_status weft_run_check_metric(weft_run *r, const char *name)
{
    TRY(check_given(name, "name"));
    return guarded(check_metric, r, name, LIBRARY_RESTS);
}

/* ---- which run it is ---- */

static weft_status find_hash(weft_run *r, const void *hash)
{
    if (r->session)
        return BAD_INPUT(NULL, ("the run has started"), ("ask before weft_run_start()"));
    TRY(machine_finish(&r->config));
    *(uint64_t *)(uintptr_t)hash = machine_result_hash(&r->config);
    return WEFT_OK;
}

weft_status weft_run_hash(weft_run *r, uint64_t *hash)
{
    TRY(check_given(hash, "hash"));
    return guarded(find_hash, r, hash, LIBRARY_RESTS);
}

static weft_status check_same_work(weft_run *r, const void *arg)
{
    weft_run *other = (weft_run *)(uintptr_t)arg;
    TRY(machine_finish(&r->config));
    TRY(machine_finish(&other->config));
    return machine_check_same_work(&r->config, &other->config);
}

weft_status weft_run_same_work(weft_run *r, weft_run *other)
{
    TRY(check_given(other, "other"));
    return guarded(check_same_work, r, other, LIBRARY_RESTS);
}

/* ---- running ---- */

static bool is_cancelled(void *arg)
{
    return atomic_load(&((weft_run *)arg)->cancelled);
}

static weft_status check_not_cancelled(const weft_run *r)
{
    return atomic_load(&r->cancelled)
               ? RUN_FAILED(("cancelled at cycle %llu", (unsigned long long)r->now),
                            ("create another run"))
               : WEFT_OK;
}

static void tell_progress(void *arg, const struct run_progress *p)
{
    weft_run *r = arg;
    if (!r->progress)
        return;
    weft_progress progress = {
        .share = p->share, .cycle = p->now, .packets_delivered = p->delivered};
    r->progress(r->progress_arg, &progress);
}

static weft_status execute(weft_run *r, const void *options)
{
    if (r->session)
        return BAD_INPUT(NULL, ("the run has started"), ("use weft_run_advance(), or another run"));
    forget_result(r);
    TRY(check_not_cancelled(r));
    TRY(machine_finish(&r->config));
    weft_status status = jobs_run_config(&r->config, options, &r->result);
    r->executed = status == WEFT_OK || r->result.deadlock;
    return status;
}

weft_status library_execute(weft_run *r, const struct run_options *options)
{
    return guarded(execute, r, options, LIBRARY_RESTS);
}

static struct run_options own_options(weft_run *r, unsigned threads)
{
    return (struct run_options){.threads = threads ? threads : 1,
                                .progress = tell_progress,
                                .interrupted = is_cancelled,
                                .arg = r};
}

weft_status weft_run_execute(weft_run *r, unsigned threads)
{
    struct run_options options = own_options(r, threads);
    return library_execute(r, &options);
}

static weft_status make_json(weft_run *r, const void *nothing)
{
    (void)nothing;
    r->json = result_json(&r->config, &r->result);
    return WEFT_OK;
}

const char *weft_run_json(weft_run *r)
{
    if (r && !r->json && r->executed)
        guarded(make_json, r, NULL, LIBRARY_RESTS);
    return r ? r->json : NULL;
}

void weft_interval(const double *value, size_t count, double *mean, double *half_width)
{
    struct interval values = {0};
    for (size_t i = 0; value && i < count; i++)
        interval_add(&values, value[i]);
    if (mean)
        *mean = interval_mean(&values);
    if (half_width)
        *half_width = value && count > 1 ? interval_half_width(&values) : NAN;
}

void weft_run_on_progress(weft_run *r, void (*told)(void *arg, const weft_progress *progress),
                          void *arg)
{
    if (!r)
        return;
    r->progress = told;
    r->progress_arg = arg;
}

void weft_run_cancel(weft_run *r)
{
    if (r)
        atomic_store(&r->cancelled, true);
}

/* ---- driven by a host ---- */

static weft_status check_started(const weft_run *r)
{
    if (!r->session)
        return BAD_INPUT(NULL, ("the run was not started"), ("call weft_run_start()"));
    if (r->broken)
        return RUN_FAILED(("the run has failed halfway"), ("destroy it and create another"));
    return WEFT_OK;
}

static weft_status start(weft_run *r, const void *threads)
{
    struct run_options options = own_options(r, *(const unsigned *)threads);
    if (r->session)
        return BAD_INPUT(NULL, ("the run was started already"), ("create another"));
    TRY(check_not_cancelled(r));
    TRY(config_set(&r->config, "workload.pattern", "none", "weft_run_start()"));
    TRY(machine_finish(&r->config));
    forget_result(r);
    r->host = host_create(machine_facts(&r->config).nodes);
    r->now = 0;
    r->broken = false;
    options.host = host_client(r->host);
    weft_status status = session_open(&r->config, &options, &r->session);
    return status == WEFT_OK ? session_run(r->session, 0) : status; /* allocates its memory */
}

weft_status weft_run_start(weft_run *r, unsigned threads)
{
    TRY(check_given(r, "run"));
    bool runs = r->session || r->doing != LIBRARY_RESTS;
    weft_status status = guarded(start, r, &threads, LIBRARY_RESTS);
    if (status != WEFT_OK && !runs)
        end_session(r);
    return status;
}

/* The simulator's times end there. */
static weft_status check_cycle(uint64_t cycle)
{
    return cycle <= (uint64_t)KEY_CYCLE_TOP
               ? WEFT_OK
               : BAD_INPUT(NULL, ("cycle %llu", (unsigned long long)cycle),
                           ("use at most %llu", (unsigned long long)KEY_CYCLE_TOP));
}

static weft_status check_nodes(const weft_run *r, uint32_t from, uint32_t to)
{
    uint32_t nodes = machine_facts(&r->config).nodes;
    const bool *dead = session_model(r->session)->site.dead;
    if (from >= nodes || to >= nodes)
        return BAD_INPUT(NULL, ("a message from node %u to node %u", from, to),
                         ("use nodes 0 to %u", nodes - 1));
    if (from == to)
        return BAD_INPUT(NULL, ("a message of node %u to itself", from),
                         ("keep it in the host: it does not pass the network"));
    for (int end = 0; end < 2; end++)
        if (dead && dead[end ? to : from])
            return BAD_INPUT(
                NULL,
                ("a message from node %u to node %u: node %u is dead", from, to, end ? to : from),
                ("use living nodes"));
    return WEFT_OK;
}

static weft_status check_message(const weft_run *r, const weft_message *m)
{
    TRY(check_nodes(r, m->from, m->to));
    if (m->cycle < r->now)
        return BAD_INPUT(NULL,
                         ("a message for cycle %llu, when cycle %llu is next",
                          (unsigned long long)m->cycle, (unsigned long long)r->now),
                         ("inject it before time has passed it"));
    if (m->bytes > UINT32_MAX)
        return BAD_INPUT(NULL, ("a message of %llu bytes", (unsigned long long)m->bytes),
                         ("use at most %u", UINT32_MAX));
    return check_cycle(m->cycle);
}

static weft_status inject(weft_run *r, const void *message)
{
    TRY(check_started(r));
    TRY(check_not_cancelled(r));
    TRY(check_message(r, message));
    r->broken = true; /* unless it returns */
    host_inject(r->host, r->session, message);
    r->broken = false;
    return WEFT_OK;
}

weft_status weft_run_inject(weft_run *r, const weft_message *message)
{
    TRY(check_given(message, "message"));
    return guarded(inject, r, message, LIBRARY_TELLS);
}

static weft_status advance(weft_run *r, const void *cycle)
{
    cycle_t until = *(const uint64_t *)cycle;
    TRY(check_started(r));
    TRY(check_not_cancelled(r));
    if (until < r->now)
        return BAD_INPUT(NULL,
                         ("time cannot go back from cycle %llu to %llu", (unsigned long long)r->now,
                          (unsigned long long)until),
                         ("advance to a later cycle"));
    TRY(check_cycle(until));
    r->broken = true; /* unless it returns */
    weft_status status = session_run(r->session, until);
    r->broken = status != WEFT_OK && !session_was_interrupted(r->session);
    if (status != WEFT_OK)
        return status;
    r->now = until;
    r->doing = LIBRARY_TELLS;
    host_tell(r->host, until, r->delivery, r->delivery_arg);
    r->doing = LIBRARY_WORKS;
    if (session_is_stuck(r->session))
        return RUN_FAILED(
            ("deadlock: %llu packets are under way and cannot move",
             (unsigned long long)network_totals(session_model(r->session)->network).pending),
            ("weft_run_finish() explains it"));
    return WEFT_OK;
}

weft_status weft_run_advance(weft_run *r, uint64_t until)
{
    return guarded(advance, r, &until, LIBRARY_RESTS);
}

void weft_run_on_delivery(weft_run *r, void (*told)(void *arg, const weft_delivery *delivery),
                          void *arg)
{
    if (!r)
        return;
    r->delivery = told;
    r->delivery_arg = arg;
}

static weft_status finish(weft_run *r, const void *nothing)
{
    (void)nothing;
    TRY(check_started(r));
    weft_status status = session_finish(r->session, &r->result);
    r->executed = status == WEFT_OK || r->result.deadlock;
    return status;
}

weft_status weft_run_finish(weft_run *r)
{
    TRY(check_given(r, "run"));
    bool may = r->doing == LIBRARY_RESTS;
    weft_status status = guarded(finish, r, NULL, LIBRARY_RESTS);
    if (may)
        end_session(r);
    return status;
}

static weft_status count(weft_run *r, const void *counters)
{
    TRY(check_started(r));
    struct network_totals totals = network_totals(session_model(r->session)->network);
    weft_counters own = {.cycle = r->now,
                         .packet_hops = totals.hops,
                         .events = totals.events,
                         .packets_pending = totals.pending};
    host_count(r->host, &own);
    *(weft_counters *)(uintptr_t)counters = own;
    return WEFT_OK;
}

weft_status weft_run_counters(weft_run *r, weft_counters *counters)
{
    TRY(check_given(counters, "counters"));
    return guarded(count, r, counters, LIBRARY_TELLS);
}

uint32_t weft_run_nodes(const weft_run *r)
{
    return r && r->session ? machine_facts(&r->config).nodes : 0;
}

double weft_run_cycles_per_second(const weft_run *r)
{
    return r && r->session ? machine_facts(&r->config).cycles_per_second : 0;
}
