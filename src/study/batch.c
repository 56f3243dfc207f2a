/* The workers of a batch. */
#define _GNU_SOURCE
#include "study/batch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/attempt.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/random.h"
#include "config/data.h"
#include "jobs/run.h"

struct worker {
    pid_t pid; /* 0: idle */
    int error; /* pipe in which it reports why it failed */
    size_t item;
};

/* ---- names of results ---- */

/* Whether there is a whole result; a truncated one is computed again. */
static bool has_result(const char *path)
{
    struct yaml y;
    if (access(path, R_OK) != 0 || yaml_load(path, &y) != WEFT_OK)
        return false;
    bool whole = yaml_get(&y, "digest") != NULL;
    yaml_fini(&y);
    return whole;
}

/* "3f9c0a7be1d24c55.json.part" without its end; false: the file is not ours. */
static bool is_left_over(const char *name, char *result, size_t size)
{
    enum { DIGITS = 16 };
    static const char end[] = ".json" OUTPUT_PART;
    if (strspn(name, "0123456789abcdef") != DIGITS || strcmp(name + DIGITS, end) != 0)
        return false;
    snprintf(result, size, "%.*s.json", DIGITS, name);
    return true;
}

/* Removes what earlier batches were writing when they were killed. */
static void clean_folder(const char *folder)
{
    char name[64], path[4300];
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (is_left_over(e->d_name, name, sizeof(name)) &&
            snprintf(path, sizeof(path), "%s/%s", folder, name) < (int)sizeof(path))
            output_clean(path);
    if (d)
        closedir(d);
}

static weft_status name_results(struct batch_item *item, size_t items, const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return BAD_PLACE(("%s", folder), ("%s", strerror(errno)), ("start it where you may write"));
    clean_folder(folder);
    uint64_t program = data_program();
    for (size_t i = 0; i < items; i++) {
        snprintf(item[i].path, sizeof(item[i].path), "%s/%016llx.json", folder,
                 (unsigned long long)random_mix(program ^ machine_hash(&item[i].config)));
        item[i].done = has_result(item[i].path);
    }
    return WEFT_OK;
}

/* ---- workers ---- */

/* Long runs start first. */
static double weight(const struct batch_item *item)
{
    return machine_weight(&item->config);
}

static size_t heaviest_waiting(const struct batch_item *item, size_t items, const bool *taken)
{
    size_t best = items;
    for (size_t i = 0; i < items; i++)
        if (!item[i].done && !taken[i] && (best == items || weight(&item[i]) > weight(&item[best])))
            best = i;
    return best;
}

struct job {
    const struct batch_item *item;
    const struct batch_options *options;
    uint32_t threads;
};

static weft_status compute(void *arg)
{
    const struct job *job = arg;
    const struct batch_item *item = job->item;
    struct run_result result;
    struct output_file file;
    struct run_options options = {.threads = job->threads};
    weft_status status = jobs_run_config(&item->config, &options, &result);
    if (status == WEFT_OK)
        status = output_open_again(&file, item->path);
    if (status != WEFT_OK)
        return status;
    char *text = job->options->text(&item->config, &result);
    status = output_commit_text(&file, text);
    free(text);
    return status;
}

/* A worker depends on its parent: only the parent reacts to signals from the terminal, and the
 * worker ends when the parent does. */
static void depend_on(pid_t parent)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended before prctl() */
        _exit(WEFT_FAILED);
}

static _Noreturn void work(struct job *job, pid_t parent, int error)
{
    depend_on(parent);
    weft_status status = attempt(compute, job);
    if (status != WEFT_OK) {
        ssize_t told = write(error, error_last(), sizeof(struct error));
        (void)told; /* if this fails, the exit code still tells of the failure */
    }
    _exit(status);
}

static weft_status start(struct worker *w, size_t index, const struct batch_item *item,
                         const struct batch_options *o, uint32_t threads)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return RUN_FAILED(("cannot open a pipe to a worker: %s", strerror(errno)), NO_REMEDY);
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        work(&(struct job){&item[index], o, threads}, parent, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return RUN_FAILED(("cannot start a worker: %s", strerror(errno)), NO_REMEDY);
    }
    *w = (struct worker){.pid = pid, .error = ends[0], .item = index};
    return WEFT_OK;
}

/* Waits for a worker that is ending; returns its status, as waitpid() gives it. */
static int leave(struct worker *w, const struct batch_item *item)
{
    int how = -1;
    close(w->error);
    while (waitpid(w->pid, &how, 0) < 0 && errno == EINTR)
        ;
    w->pid = 0;
    if (how != 0)
        output_clean(item[w->item].path);
    return how;
}

/* The outcome of a worker that has ended, or is about to. */
static weft_status finish(struct worker *w, struct batch_item *item)
{
    struct error error;
    size_t length = 0;
    while (length < sizeof(error)) {
        ssize_t got = read(w->error, (char *)&error + length, sizeof(error) - length);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        length += got > 0 ? (size_t)got : 0;
    }
    int how = leave(w, item);
    if (how == 0) {
        item[w->item].done = true;
        return WEFT_OK;
    }
    if (length == sizeof(error))
        error_restore(&error);
    else
        RUN_FAILED(("its process was killed by signal %d", WIFSIGNALED(how) ? WTERMSIG(how) : 0),
                   ("if memory ran out, use fewer processes (-j)"));
    const char *name = item[w->item].name;
    if (*name && length == sizeof(error) && error.place[0])
        error_place("%s: %s", name, error.place);
    else
        error_place("%s", name);
    return error_status();
}

/* Waits briefly for a worker to end; SIZE_MAX: none has. */
static size_t wait_for_one(const struct worker *worker, size_t workers)
{
    struct pollfd *fd = memory_alloc(workers, sizeof(*fd));
    size_t ended = SIZE_MAX;
    for (size_t i = 0; i < workers; i++)
        fd[i] = (struct pollfd){.fd = worker[i].pid ? worker[i].error : -1, .events = POLLIN};
    if (poll(fd, (nfds_t)workers, 200) > 0)
        for (size_t i = 0; i < workers && ended == SIZE_MAX; i++)
            if (fd[i].fd >= 0 && fd[i].revents)
                ended = i;
    free(fd);
    return ended;
}

static void report(const struct batch_item *item, size_t items, const struct batch_options *o)
{
    double all = 0, finished = 0;
    size_t done = 0;
    for (size_t i = 0; i < items; i++) {
        all += weight(&item[i]);
        finished += item[i].done ? weight(&item[i]) : 0;
        done += item[i].done;
    }
    if (o->progress)
        o->progress(o->arg, done, items, all > 0 ? finished / all : 1);
}

static bool any_runs(const struct worker *worker, size_t workers)
{
    for (size_t i = 0; i < workers; i++)
        if (worker[i].pid)
            return true;
    return false;
}

/* Whether a run is more than one worker's share of the remaining work. */
static bool is_large(const struct batch_item *item, size_t items, size_t index, uint32_t workers)
{
    double left = 0;
    for (size_t i = 0; i < items; i++)
        left += item[i].done ? 0 : weight(&item[i]);
    return workers > 1 && weight(&item[index]) * workers > left;
}

/* Gives idle workers something to do. A large run comes first, alone and on all cores. */
static weft_status start_some(struct batch_item *item, size_t items, const struct batch_options *o,
                              struct worker *worker, bool *taken, bool *alone)
{
    weft_status status = WEFT_OK;
    if (!any_runs(worker, o->workers))
        *alone = false;
    for (size_t i = 0; i < o->workers && status == WEFT_OK && !*alone; i++) {
        size_t next = worker[i].pid ? items : heaviest_waiting(item, items, taken);
        if (next == items)
            continue;
        *alone = !any_runs(worker, o->workers) && is_large(item, items, next, o->workers);
        taken[next] = true;
        status = start(&worker[i], next, item, o, *alone ? o->workers : 1);
    }
    return status;
}

static weft_status say_interrupted(const struct batch_options *o)
{
    if (o->in_passing)
        return RUN_FAILED(("interrupted"), ("nothing was kept"));
    return RUN_FAILED(
        ("interrupted"),
        ("what is done stays in %s, and the same command continues from there", o->folder));
}

static weft_status run_workers(struct batch_item *item, size_t items, const struct batch_options *o,
                               struct worker *worker, bool *taken)
{
    weft_status status = WEFT_OK;
    bool alone = false;
    for (;;) {
        if (status == WEFT_OK)
            status = start_some(item, items, o, worker, taken, &alone);
        if (status == WEFT_OK && o->interrupted && o->interrupted(o->arg))
            status = say_interrupted(o);
        if (status != WEFT_OK || !any_runs(worker, o->workers))
            return status;
        report(item, items, o);
        size_t ended = wait_for_one(worker, o->workers);
        if (ended != SIZE_MAX)
            status = finish(&worker[ended], item);
    }
}

weft_status batch_run(struct batch_item *item, size_t items, const struct batch_options *o,
                      size_t *resumed)
{
    *resumed = 0;
    weft_status status = name_results(item, items, o->folder);
    if (status != WEFT_OK)
        return status;
    for (size_t i = 0; i < items; i++)
        *resumed += item[i].done;
    struct worker *worker = memory_alloc(o->workers, sizeof(*worker));
    bool *taken = memory_alloc(items, sizeof(*taken));
    status = run_workers(item, items, o, worker, taken);
    for (size_t i = 0; i < o->workers; i++)
        if (worker[i].pid) {
            kill(worker[i].pid, SIGKILL);
            leave(&worker[i], item);
        }
    free(taken);
    free(worker);
    return status;
}
