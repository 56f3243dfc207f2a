/* The program and its ranks. */
#define _GNU_SOURCE
#include "mpi/world.h"

#include <ctype.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fiber.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "image/thread.h"
#include "mpi/object/comm.h"
#include "mpi/call.h"
#include "mpi/collective/collective.h"
#include "mpi/observe/debugger.h"
#include "mpi/object/request.h"
#include "mpi/object/window.h"

extern char **environ;

/* What programs call that count their basic blocks. */
#define COUNT_FUNCTION "__sanitizer_cov_trace_pc"

/* ---- loading ---- */

/* Whether a function is MPI's: what Weft has not got of it nobody else has, though another MPI
 * library may be in this process. */
static bool is_mpi(const char *name, void **found)
{
    const char *plain = name + (name[0] == 'P' || name[0] == 'p');
    bool fortran = strncmp(plain, "mpi_", 4) == 0 || strncmp(plain, "mpix_", 5) == 0;
    if (!fortran && strncmp(plain, "MPI_", 4) != 0 && strncmp(plain, "MPIX_", 5) != 0)
        return false;
    *found = fortran ? fortran_find(name) : call_find(name);
    return true;
}

/* What a program finds: MPI, the C library of ranks, what this process has. Memory comes from one
 * place, whoever asks: a tool's that watches it (ASan), which knows no versions, or the C
 * library's.
 */
static void *find(const char *name, const char *version)
{
    static const char *const memory = "malloc calloc realloc free memalign posix_memalign "
                                      "aligned_alloc";
    void *found = NULL;
    if (is_mpi(name, &found))
        return found;
    void (*count)(void) = rank_count_block;
    if (strcmp(name, COUNT_FUNCTION) == 0)
        memcpy(&found, &count, sizeof(found));
    if (!found)
        found = posix_find(name);
    if (found)
        return found;
    bool versioned = version && *version && !text_has_word(memory, name);
    return versioned ? dlvsym(RTLD_DEFAULT, name, version) : dlsym(RTLD_DEFAULT, name);
}

/* ---- environments ---- */

static bool is_same_variable(const char *a, const char *b)
{
    size_t length = strcspn(a, "=");
    return strncmp(a, b, length + 1) == 0;
}

/* Whether a list sets a variable. */
static bool sets(char *const *list, const char *variable)
{
    while (*list && !is_same_variable(*list, variable))
        list++;
    return *list;
}

/* This computer's environment, and a program's own; of a variable that is set twice the last one.
 * The caller frees the list. */
static char **join_environments(char *const *own)
{
    size_t count = 0, all = 0;
    for (char *const *v = environ; *v; v++)
        all++;
    for (char *const *v = own; *v; v++)
        all++;
    char **list = memory_alloc(all + 1, sizeof(*list));
    for (char *const *v = environ; *v; v++)
        if (!sets(own, *v))
            list[count++] = *v;
    for (char *const *v = own; *v; v++)
        if (!sets(v + 1, *v))
            list[count++] = *v;
    return list;
}

/* ---- programs ---- */

static weft_status load(struct executable *e)
{
    char **environment = join_environments(e->o.environment);
    struct image_host host = {.find = find, .argv = e->o.argv, .environment = environment};
    host.variable = posix_variables(&host.variables);
    weft_status status = image_create(e->o.path, &host, &e->image);
    free(environment);
    TRY(status);
    e->places = posix_places();
    e->floats = posix_has_floats(&e->image);
    e->fortran_at = fortran_places(&e->image);
    return copies_create(&e->image, e->o.ranks, &e->copies);
}

static void drop_executables(struct world *w)
{
    for (struct executable *e = w->executable; e < w->executable + w->o.programs; e++) {
        copies_destroy(&e->copies);
        image_destroy(&e->image);
        free((char *)e->o.path);
    }
    free(w->executable);
}

/* All of them: where one cannot be loaded, the others can be dropped. */
static weft_status load_all(struct world *w)
{
    weft_status status = WEFT_OK;
    uint32_t first = 0;
    w->executable = memory_alloc(w->o.programs, sizeof(*w->executable));
    for (uint32_t i = 0; i < w->o.programs; i++) {
        struct executable *e = &w->executable[i];
        *e = (struct executable){.o = w->o.program[i], .first = first, .number = (int)i};
        e->o.path = memory_copy(e->o.path);
        e->image.file = -1;
        first += e->o.ranks;
    }
    for (uint32_t i = 0; i < w->o.programs && status == WEFT_OK; i++)
        status = load(&w->executable[i]);
    return status;
}

static struct executable *executable_of(const struct world *w, uint32_t rank)
{
    uint32_t i = 0;
    while (i < w->o.programs && rank - w->executable[i].first >= w->executable[i].o.ranks)
        i++;
    return i < w->o.programs ? &w->executable[i] : NULL;
}

/* Whether any program takes this from Weft. */
static bool uses(const struct world *w, const char *name)
{
    bool any = false;
    for (uint32_t i = 0; i < w->o.programs; i++)
        any = any || image_uses(&w->executable[i].image, name);
    return any;
}

/* Whether a program calls a function of MPI, with or without large counts, or from Fortran. */
static bool refers_to(const struct executable *e, enum call call)
{
    static const char *const prefixes[] = {"", "P"}, *const suffixes[] = {"", "_c", "_"};
    char name[64];
    for (unsigned i = 0; i < 6; i++) {
        bool fortran = i % 3 == 2;
        snprintf(name, sizeof(name), "%s%s%s", prefixes[i / 3], call_name(call), suffixes[i % 3]);
        for (char *c = name; *c && fortran; c++)
            *c = (char)tolower((unsigned char)*c);
        if (image_uses(&e->image, name))
            return true;
    }
    return false;
}

static void doubt_functions(const struct executable *e, output_sink *sink, void *arg)
{
    char text[SEARCH_PATH_MOST + 256];
    for (size_t i = 0; i < e->image.used.count; i++) {
        const char *name = e->image.used.name[i], *doubt = posix_doubt(name);
        int length = doubt ? snprintf(text, sizeof(text), "weft: %s calls %s(), %s\n", e->o.path,
                                      name, doubt)
                           : 0;
        if (length > 0)
            sink(arg, true, text, strlen(text));
    }
    for (enum call call = 0; call < CALLS; call++) {
        if (!call_is_missing(call) || !refers_to(e, call))
            continue;
        snprintf(text, sizeof(text),
                 "weft: %s calls %s(), which is not implemented: there the program would end\n",
                 e->o.path, call_name(call));
        sink(arg, true, text, strlen(text));
    }
}

void world_doubts(const struct world *w, output_sink *sink, void *arg)
{
    static const char measured[] =
        "weft: computation takes the time that it takes here: another run "
        "gives another result\n";
    static const char uncounted[] =
        "weft: computation takes no time: the program was not built with "
        "`weft mpicc --count`\n";
    bool all_count = true;
    for (uint32_t i = 0; i < w->o.programs; i++)
        all_count = all_count && image_uses(&w->executable[i].image, COUNT_FUNCTION);
    if (w->o.compute == COMPUTE_MEASURED)
        sink(arg, true, measured, sizeof(measured) - 1);
    if (w->o.compute == COMPUTE_COUNTED && !all_count)
        sink(arg, true, uncounted, sizeof(uncounted) - 1);
    for (uint32_t i = 0; i < w->o.programs; i++)
        doubt_functions(&w->executable[i], sink, arg);
}

/* Whether any program calls it. */
static bool calls(const struct world *w, enum call call)
{
    bool any = false;
    for (uint32_t i = 0; i < w->o.programs; i++)
        any = any || refers_to(&w->executable[i], call);
    return any;
}

static void fail_rank(struct rank *r, const char *text)
{
    error_fatal(r, "%s", text);
}

weft_status world_create(const struct world_options *o, struct world **world)
{
    struct world *w = memory_alloc(1, sizeof(*w));
    *w = (struct world){.o = *o, .fail = fail_rank};
    weft_status status = load_all(w);
    if (status != WEFT_OK) {
        drop_executables(w);
        free(w);
        return status;
    }
    const struct collective_kind *kind;
    w->blocks_only = o->body ? !o->body->nonblocking : !calls(w, CALL_Comm_idup);
    for (unsigned i = 0; !o->body && (kind = collective_at(i)); i++)
        w->blocks_only =
            w->blocks_only && !calls(w, kind->nonblocking) && !calls(w, kind->persistent);
    w->groups = groups_create();
    w->everybody = group_of_range(w->groups, 0, 1, o->processes);
    w->nobody = group_of_range(w->groups, 0, 1, 0);
    atomic_init(&w->next_context, CONTEXT_FIRST);
    pthread_mutex_init(&w->meetings.lock, NULL);
    output_init(&w->output, o->processes, o->part, o->tag_output);
    pthread_mutex_init(&w->figures.lock, NULL);
    storage_init(&w->storage);
    w->rank = memory_alloc(o->processes, sizeof(*w->rank));
    w->block_ranks = (o->processes + MATRIX_BLOCKS - 1) / MATRIX_BLOCKS;
    *world = w;
    return WEFT_OK;
}

static void drop_rank(struct world *w, struct rank *r)
{
    posix_drop(&r->posix);
    free(r->handles.slot);
    info_drop(r->surroundings);
    requests_fini(r);
    map_fini(&r->peers.row);
    free(r->peers.peer);
    free(r->trace.call);
    call_log_drop(&r->log, w->groups);
    memory_free_list(r->keyvals);
    memory_free_list(r->classes);
    memory_free_list(r->type_names);
    memory_free_list(r->fortran_keys);
    memory_free_list(r->sessions);
}

void world_destroy(struct world *w)
{
    if (!w)
        return;
    posix_switch(NULL); /* a rank that failed was not left */
    /* Backwards, so that a rank's streams are the first in the C library's list. */
    for (uint32_t i = w->o.processes; i-- > 0;)
        drop_rank(w, &w->rank[i]);
    free(w->rank);
    output_fini(&w->output);
    pthread_mutex_destroy(&w->figures.lock);
    meetings_fini(&w->meetings);
    storage_fini(&w->storage);
    groups_destroy(w->groups);
    drop_executables(w);
    free(w);
}

static const struct call_log *log_of(const void *arg, uint32_t rank)
{
    return &((const struct world *)arg)->rank[rank].log;
}

/* heat.json, and heat.ti */
weft_status world_trace(struct world *w, const char *path)
{
    char other[CALL_LOG_PATH];
    bool both = call_log_path(path, other);
    for (struct rank *r = w->rank; r < w->rank + w->o.processes; r++) {
        if (!r->task)
            continue;
        unfinished_settle(r);
        if (r->call != CALLS) /* what it was doing when the run ended */
            trace_add(r, true);
    }
    weft_status status = trace_write(path, w);
    return status == WEFT_OK && both ? call_log_write(other, w->o.processes, log_of, w) : status;
}

static const struct peers *peers_of(const void *arg, uint32_t rank)
{
    return &((const struct world *)arg)->rank[rank].peers;
}

weft_status world_matrix(const struct world *w, const char *path)
{
    return matrix_write(path, w->o.processes, peers_of, w);
}

/* ---- running ---- */

/* ", in store() at heat.c:12", or nothing. */
static void say_place(const struct rank *r, char text[IMAGE_PLACE + 8])
{
    char place[IMAGE_PLACE];
    bool known = r->posix.where && r->executable &&
                 image_describe(&r->executable->image, r->posix.where, place);
    snprintf(text, IMAGE_PLACE + 8, "%s%s", known ? ", in " : "", known ? place : "");
}

/* A rank has ended: as it should, or not. */
static void end_rank(struct rank *r)
{
    const struct posix_rank *p = &r->posix;
    char place[IMAGE_PLACE + 8];
    r->waits = NULL; /* they were on the stack of the program */
    say_place(r, place);
    /* Nobody wants the run any more, and this rank did not stop. */
    if (p->how == POSIX_STOPPED)
        RUN_ABANDONED(("interrupted while rank %u computed", r->task->rank), NO_REMEDY);
    if (p->how == POSIX_ABORTED && p->fault && fiber_is_guard(p->fault))
        error_fatal(r, "it has overrun its stack of %u KiB%s; workload.stack_bytes gives it more",
                    task_stack(r->task) / 1024, place);
    if (p->how == POSIX_ABORTED && (p->code == SIGSEGV || p->code == SIGBUS))
        error_fatal(r, "%s at address %p%s", strsignal(p->code), p->fault, place);
    r->call = p->how == POSIX_ABORTED ? r->call : CALLS;
    if (p->how == POSIX_ABORTED)
        error_fatal(r, "it ended by %s%s", p->code == SIGABRT ? "abort()" : strsignal(p->code),
                    place);
    if (r->state == MPI_INSIDE)
        error_fatal(r, "it ended with code %d, without MPI_Finalize()", p->code);
    rank_catch_up(r);
}

static void run_rank(weft_task *t)
{
    struct world *w = task_argument(t);
    struct rank *r = &w->rank[t->rank];
    unsigned char *copy = r->posix.copy;
    r->task = t;
    r->world = w;
    r->call = CALLS;
    r->last_code = MPI_ERR_LASTCODE;
    handles_init(&r->handles);
    rank_look_at_clock(r);
    if (w->o.body) {
        w->o.body->run(r, w->o.body->arg);
        r->posix.how = POSIX_EXITED;
        return;
    }
    const struct executable *e = r->executable;
    char **argv = (char **)(copy + e->image.argv_at);
    char **environment = (char **)(copy + e->image.environment_at);
    r->posix.words = (struct begin_words){e->o.argc, argv, environment};
    memcpy(copy + e->places.at[VARIABLE_ENVIRONMENT], &environment, sizeof(environment));
    debugger_meet(t->rank, &e->image, copy);
    posix_run(&r->posix);
    end_rank(r);
}

/* The thread's data beside its pointer are the rank's while it runs. */
static void swap_thread_data(struct rank *r, bool enters)
{
    uint64_t bytes = r->executable ? r->executable->image.fixed_bytes : 0;
    if (!bytes)
        return;
    void *here = thread_reserve(bytes), *kept = r->posix.copy;
    memcpy(enters ? here : kept, enters ? kept : here, bytes);
}

/* Before a rank is entered for the first time. */
static void prepare_rank(struct world *w, struct rank *r, uint32_t process)
{
    struct executable *e = r->executable = executable_of(w, process);
    r->posix = (struct posix_rank){
        .host = &rank_host, .owner = r, .number = process, .epoch = (time_t)w->o.date};
    if (!e)
        return;
    r->posix.image = &e->image;
    r->posix.copy = copy_at(&e->copies, process - e->first);
    r->posix.places = &e->places;
    r->posix.floats = e->floats;
}

static void enter(void *arg, uint32_t process)
{
    struct world *w = arg;
    struct rank *r = &w->rank[process];
    if (!r->posix.owner)
        prepare_rank(w, r, process);
    swap_thread_data(r, true);
    posix_switch(&r->posix);
}

static void leave(void *arg, uint32_t process)
{
    struct world *w = arg;
    posix_switch(NULL);
    swap_thread_data(&w->rank[process], false);
}

static void fail(void *arg, uint32_t process, const char *text)
{
    fail_rank(&((struct world *)arg)->rank[process], text);
}

/* Compilers compute the address of a thread's variable, and of errno, once for several calls; gdb
 * steps over a call on one thread. */
struct task_program world_program(struct world *w)
{
    bool fixed = false;
    for (uint32_t i = 0; i < w->o.programs; i++)
        fixed = fixed || w->executable[i].image.fixed_bytes;
    return (struct task_program){.main = run_rank,
                                 .arg = w,
                                 .enter = enter,
                                 .leave = leave,
                                 .serve = window_serve,
                                 .fail = fail,
                                 .timed = w->o.trace,
                                 .stays = fixed || uses(w, "__errno_location") ||
                                          debugger_is_expected()};
}

/* ---- sums over all ranks ---- */

static struct world_row *row_of(struct world_result *all, const struct stats_row *s)
{
    const char *call = call_name((enum call)s->call), *used = algorithm_names[s->used];
    for (unsigned i = 0; i < all->rows; i++)
        if (strcmp(all->row[i].call, call) == 0 && strcmp(all->row[i].used, used) == 0)
            return &all->row[i];
    if (all->rows == WORLD_ROWS)
        return NULL;
    all->row[all->rows] = (struct world_row){.call = call, .used = used};
    return &all->row[all->rows++];
}

static int by_name(const void *a, const void *b)
{
    const struct world_row *x = a, *y = b;
    int order = strcmp(x->call, y->call);
    return order ? order : strcmp(x->used, y->used);
}

static void add_rank(struct world_result *all, const struct rank *r)
{
    const struct rank_stats *s = &r->stats;
    all->code = all->code ? all->code : r->posix.code;
    double end = r->state == MPI_AFTER ? s->ended : s->began, time = end - s->began, calls = 0;
    all->mean_seconds += time;
    all->most_seconds = time > all->most_seconds ? time : all->most_seconds;
    all->least_seconds =
        r->task->rank == 0 || time < all->least_seconds ? time : all->least_seconds;
    all->seconds = end > all->seconds ? end : all->seconds;
    for (unsigned i = 0; i < STATS_TIMES; i++) {
        all->share[i] += s->in[i];
        calls += s->in[i];
    }
    all->share[STATS_TIMES] += time > calls ? time - calls : 0;
    all->messages += s->messages;
    all->bytes += s->bytes;
    for (uint32_t to = 0; to < all->blocks; to++)
        all->matrix[r->task->rank / all->block_ranks][to] += s->sent_to[to];
    all->pairs += r->peers.count;
    all->most_partners = r->peers.count > all->most_partners ? r->peers.count : all->most_partners;
    for (unsigned i = 0; i < STATS_SIZES; i++)
        all->sizes[i] += s->sizes[i];
    for (unsigned i = 0; i < s->rows; i++) {
        struct world_row *row = row_of(all, &s->row[i]);
        if (row) {
            row->calls += s->row[i].calls;
            row->seconds += s->row[i].seconds;
        }
    }
}

void world_result(const struct world *w, struct world_result *all)
{
    double total = 0;
    uint32_t block = w->block_ranks;
    *all = (struct world_result){.ranks = w->o.processes,
                                 .block_ranks = block,
                                 .blocks = (w->o.processes + block - 1) / block};
    for (uint32_t i = 0; i < w->o.processes; i++)
        if (w->rank[i].task)
            add_rank(all, &w->rank[i]);
    all->figures = w->figures.count;
    memcpy(all->figure, w->figures.figure, sizeof(all->figure));
    all->mean_seconds /= all->ranks;
    for (unsigned i = 0; i <= STATS_TIMES; i++)
        total += all->share[i];
    for (unsigned i = 0; i <= STATS_TIMES; i++)
        all->share[i] = total > 0 ? all->share[i] / total : 0;
    for (unsigned i = 0; i < all->rows; i++)
        all->row[i].seconds /= all->ranks;
    qsort(all->row, all->rows, sizeof(*all->row), by_name);
}
