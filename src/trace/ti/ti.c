/*
 * Time-independent traces, as SimGrid has them (its documentation, "Replaying a time-independent
 * trace"; the actions of smpi_replay.cpp) and as `weft mpirun --trace` writes them
 * (mpi/observe/call_log.h).
 *
 * Each line is "RANK ACTION ARGUMENTS". The file holds the lines of all ranks, in any order as far
 * as those of one rank are in theirs; or it is an index, which names a file in each of its lines,
 * by paths from its own folder or from the current one.
 *
 * Sizes count elements of a datatype, by SimGrid's numbers: of the action's, or else of bytes, or
 * else, if `init` has an argument, of doubles. Older traces have no tags: "send PEER SIZE [TYPE]",
 * and `wait` waits for what was started last; one line of either form says that a trace is old.
 *
 * Weft's own actions: "wait operation N" for the rank's Nth nonblocking operation, "comm_split N
 * MEMBERS", "probe PEER TAG" and "iprobe PEER TAG", "poll", "copy BYTES" and "combine BYTES" (see
 * mpi/observe/call_log.h). And its own options, behind the arguments of an action:
 *
 *   calls             of compute: what calls cost that did nothing else
 *   more              it belongs to the call of the rank's line before
 *   by CALL           the call, if it is not the action's: sendrecv, ssend, cart_create ...
 *   in_place          MPI_IN_PLACE
 *   strided           the data are not in one piece
 *   op OP TYPE [N]    of a reduction: sum, double, and the bytes of an element of several
 *   comm N            the communicator, if it is not MPI_COMM_WORLD; self: MPI_COMM_SELF
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/input.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "trace/format.h"
#include "trace/ti/ti.h"

enum { PATH = 4096 };

/* ---- lines ---- */

static weft_status do_init(struct ti *t)
{
    t->usual = datatype_named(t->numbers ? "double" : "byte");
    return WEFT_OK;
}

static weft_status do_finalize(struct ti *t)
{
    t->rank[t->me].ended = true;
    return WEFT_OK;
}

static weft_status put_amount(struct ti *t)
{
    TRY(ti_real(t, 0, "amount", &t->e.amount));
    return t->e.amount > 0 ? ti_put(t) : WEFT_OK;
}

static weft_status put_bytes(struct ti *t)
{
    int64_t bytes = 0;
    TRY(ti_whole(t, 0, "size", 0, (int64_t)1 << 50, &bytes));
    t->e.amount = (double)bytes;
    return ti_put(t);
}

static const struct action {
    const char *name;
    weft_status (*act)(struct ti *t); /* NULL: it does nothing */
    enum record_kind kind;            /* of the record that it makes, if it makes one, */
    uint8_t flags;                    /* and the record's flags */
    bool names;                       /* its arguments are not numbers */
} actions[] = {
    {"init", do_init, RECORD_END, 0, false},
    {"finalize", do_finalize, RECORD_END, 0, false},
    {"compute", put_amount, RECORD_COMPUTE, 0, false},
    {"sleep", put_amount, RECORD_SLEEP, 0, false},
    {"send", ti_message, RECORD_SEND, 0, false},
    {"recv", ti_message, RECORD_RECEIVE, 0, false},
    {"isend", ti_message, RECORD_START_SEND, 0, false},
    {"irecv", ti_message, RECORD_START_RECEIVE, 0, false},
    {"wait", ti_wait, RECORD_END, 0, false},
    {"test", ti_test, RECORD_TEST, 0, false},
    {"waitall", ti_wait_all, RECORD_END, 0, false},
    {"sendRecv", ti_exchange, RECORD_END, 0, false},
    {"sendrecv", ti_exchange, RECORD_END, 0, false},
    {"comm_size", NULL, RECORD_END, 0, true},
    {"comm_dup", NULL, RECORD_END, 0, true},
    {"comm_split", ti_split, RECORD_END, 0, true},
    {"location", NULL, RECORD_END, 0, true},
    {"probe", ti_probe, RECORD_PROBE, 0, false},
    {"iprobe", ti_probe, RECORD_PROBE, RECORD_LATER, false},
    {"poll", ti_put, RECORD_POLL, 0, false},
    {"copy", put_bytes, RECORD_COPY, 0, false},
    {"combine", put_bytes, RECORD_COMBINE, 0, false},
};
enum { ACTIONS = sizeof(actions) / sizeof(actions[0]) };

static const struct action *find_action(const char *name)
{
    for (unsigned i = 0; i < ACTIONS; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

/* The number of a rank; SimGrid's older files have "p0". */
static weft_status check_rank(const struct line_reader *w, int64_t *rank)
{
    const char *word = w->field[0];
    if (number_integer(word[0] == 'p' ? word + 1 : word, rank) && *rank >= 0 &&
        *rank < RECORD_RANKS_MOST)
        return WEFT_OK;
    return LINE_REFUSE(w, 0, ("'%.40s' is no rank", w->field[0]),
                       ("%s, or the path of a file in each line", TI_FORM));
}

static weft_status read_line(struct line_reader *w, void *arg)
{
    struct ti *t = arg;
    int64_t rank;
    bool later = false;
    TRY(check_rank(w, &rank));
    if (w->count < 2)
        return LINE_REFUSE(w, 1, ("there is no action"), ("%s", TI_FORM));
    const struct action *action = find_action(w->field[1]);
    const struct collective_kind *kind = action ? NULL : collective_by_action(w->field[1], &later);
    if (!action && !kind)
        return LINE_REFUSE(w, 1, ("'%.40s' is no action", w->field[1]), ("%s", TI_FORM));
    t->me = (uint32_t)rank;
    t->e = action ? (struct record){.kind = action->kind, .flags = action->flags}
                  : (struct record){.kind = RECORD_END};
    t->rank[t->me].seen = true;
    if (t->rank[t->me].ended)
        return LINE_REFUSE(w, 1, ("rank %u has finalized before", t->me), ("%s", TI_FORM));
    t->options = 2;
    while (t->options < w->count && number_is_written(w->field[t->options]))
        t->options++;
    t->numbers = t->options - 2;
    if (action && !action->act)
        return WEFT_OK;
    if (action && action->names)
        return action->act(t);
    if (w->count > 3 && strcmp(w->field[2], "operation") == 0)
        t->options = 4;
    TRY(ti_read_options(t));
    return kind ? ti_operation(t, kind, later) : action->act(t);
}

/* ---- files ---- */

typedef weft_status each_file(const char *path, void *arg);

static weft_status visit_index(struct line_reader *w, each_file *each, void *arg)
{
    char path[PATH];
    const char *index = w->stream.path, *slash = strrchr(index, '/');
    for (uint64_t file = 0; w->count; file++) {
        const char *name = w->field[0];
        if (w->count > 1 || file >= RECORD_RANKS_MOST)
            return LINE_REFUSE(w, w->count > 1, ("this is no path of a file"),
                               ("write one in each line"));
        /* From the folder of the index, or from the current one. */
        snprintf(path, PATH, "%.*s%s", slash && name[0] != '/' ? (int)(slash - index) + 1 : 0,
                 index, name);
        if (access(path, F_OK) != 0 && access(name, F_OK) == 0)
            snprintf(path, PATH, "%s", name);
        if (access(path, R_OK) != 0)
            return LINE_REFUSE(w, 0, ("there is no file %.200s", name),
                               ("write paths from the folder of this file"));
        TRY(each(path, arg));
        TRY(line_reader_next(w));
    }
    return WEFT_OK;
}

/* Calls each() for the files that an index names. *lines: it is none, but has lines of its own. */
static weft_status visit_named(struct line_reader *w, each_file *each, void *arg, bool *lines)
{
    int64_t rank;
    bool later;
    TRY(line_reader_next(w));
    if (!w->count)
        return BAD_PLACE(("%s", w->stream.path), ("it is empty"), ("%s", TI_FORM));
    *lines = w->count > 1;
    if (!*lines)
        return visit_index(w, each, arg);
    TRY(check_rank(w, &rank));
    if (!find_action(w->field[1]) && !collective_by_action(w->field[1], &later))
        return LINE_REFUSE(w, 1, ("'%.40s' is no action", w->field[1]), ("%s", TI_FORM));
    return WEFT_OK;
}

/* Calls each() for the files of a trace: itself, or those that it names. */
static weft_status visit_files(const char *path, each_file *each, void *arg)
{
    struct line_reader w;
    bool lines = false;
    TRY(line_reader_open(&w, path, "trace"));
    weft_status status = visit_named(&w, each, arg, &lines);
    line_reader_close(&w);
    return status == WEFT_OK && lines ? each(path, arg) : status;
}

/* ---- ranks ---- */

struct count {
    uint32_t ranks;
    uint64_t lines;
};

static weft_status count_line(struct line_reader *w, void *arg)
{
    struct count *count = arg;
    int64_t rank;
    TRY(check_rank(w, &rank));
    count->lines++;
    count->ranks = rank >= count->ranks ? (uint32_t)rank + 1 : count->ranks;
    return WEFT_OK;
}

static weft_status each_line(struct line_reader *w, const char *path,
                             weft_status (*take)(struct line_reader *w, void *arg), void *arg)
{
    TRY(line_reader_open(w, path, "trace"));
    weft_status status = line_reader_next(w);
    while (status == WEFT_OK && w->count) {
        protected_call_poll();
        status = take(w, arg);
        if (status == WEFT_OK)
            status = line_reader_next(w);
    }
    line_reader_close(w);
    return status;
}

static weft_status count_ranks(const char *path, void *arg)
{
    struct line_reader w;
    return each_line(&w, path, count_line, arg);
}

static weft_status read_lines(const char *path, void *arg)
{
    return each_line(&((struct ti *)arg)->w, path, read_line, arg);
}

static void drop(struct ti *t)
{
    for (uint32_t i = 0; i < t->to->ranks; i++) {
        requests_drop(&t->rank[i].requests);
        free(t->rank[i].waits);
    }
    free(t->rank);
    free(t->list);
    map_fini(&t->comms);
}

static weft_status read_ranks(struct ti *t, const char *path)
{
    TRY(visit_files(path, read_lines, t));
    for (uint32_t i = 0; i < t->to->ranks; i++) {
        if (!t->rank[i].seen)
            return BAD_PLACE(("%s", path), ("rank %u of %u has no line", i, t->to->ranks),
                             ("write at least init and finalize for each"));
        ti_put_waits(t, i);
    }
    return WEFT_OK;
}

static weft_status read_trace(const char *path, struct recording *to)
{
    struct count count = {.ranks = 0};
    TRY(visit_files(path, count_ranks, &count));
    if (count.lines < count.ranks)
        return BAD_PLACE(
            ("%s", path),
            ("%llu lines are of fewer than %u ranks", (unsigned long long)count.lines, count.ranks),
            ("write at least init and finalize for each"));
    struct ti t = {.to = to,
                   .usual = datatype_named("byte"),
                   .rank = memory_alloc(count.ranks, sizeof(*t.rank))};
    to->ranks = count.ranks;
    weft_status status = read_ranks(&t, path);
    drop(&t);
    return status;
}

/* ---- the format ---- */

static bool matches(const struct trace_file *file)
{
    (void)file;
    return true;
}

static weft_status add_hash(const char *path, void *arg)
{
    uint64_t *hash = arg;
    *hash = trace_hash_add(*hash, path);
    return WEFT_OK;
}

static uint64_t hash_files(const char *path)
{
    uint64_t hash = TEXT_HASH;
    if (access(path, R_OK) != 0)
        return 0;
    return visit_files(path, add_hash, &hash) == WEFT_OK ? hash : input_hash(path);
}

const struct trace_format ti_format = {
    .name = "TI", .matches = matches, .read = read_trace, .hash = hash_files};
