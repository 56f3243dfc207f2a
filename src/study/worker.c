/* One process per run. */
#define _GNU_SOURCE
#include "study/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/file/output.h"
#include "engine/ranks.h"
#include "jobs/jobs.h"

/* ---- in the worker's process ---- */

struct assignment {
    const struct worker_task *task;
    int text; /* where the result's text goes; -1: into its file */
};

static weft_status write_all(int file, const char *text)
{
    for (size_t left = strlen(text); left;) {
        ssize_t wrote = write(file, text, left);
        if (wrote < 0 && errno != EINTR)
            return RUN_FAILED(("no memory for the result: %s", strerror(errno)), NO_REMEDY);
        text += wrote > 0 ? wrote : 0;
        left -= wrote > 0 ? (size_t)wrote : 0;
    }
    return WEFT_OK;
}

static weft_status compute(void *arg)
{
    const struct assignment *a = arg;
    const struct worker_task *task = a->task;
    struct run_result result;
    struct output_file file;
    struct run_options options = {.threads = task->threads};
    weft_status status = jobs_run_config(task->config, &options, &result);
    if (status == WEFT_OK && task->path)
        status = output_open_again(&file, task->path);
    if (status != WEFT_OK)
        return status;
    char *text = task->text(task->config, &result);
    status = task->path ? output_commit_text(&file, text) : write_all(a->text, text);
    free(text);
    return status;
}

static _Noreturn void work(struct assignment *a, pid_t parent, int error)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended before prctl() */
        _exit(WEFT_FAILED);
    ranks_leave();
    weft_status status = protected_call(compute, a);
    if (status != WEFT_OK) {
        ssize_t told = write(error, error_last(), sizeof(struct error));
        (void)told; /* if this fails, the exit code still tells of the failure */
    }
    _exit(status);
}

/* ---- in its parent's ---- */

weft_status worker_start(struct worker *w, uint64_t item, const struct worker_task *task)
{
    int ends[2], text = task->path ? -1 : memfd_create("weft-result", MFD_CLOEXEC);
    if ((!task->path && text < 0) || pipe2(ends, O_CLOEXEC) != 0) {
        if (text >= 0)
            close(text);
        return RUN_FAILED(("cannot open a pipe to a worker: %s", strerror(errno)), NO_REMEDY);
    }
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        work(&(struct assignment){task, text}, parent, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        if (text >= 0)
            close(text);
        return RUN_FAILED(("cannot start a worker: %s", strerror(errno)), NO_REMEDY);
    }
    *w = (struct worker){.pid = pid,
                         .error = ends[0],
                         .text = text,
                         .item = item,
                         .rank = w->rank,
                         .busy = true,
                         .since = clock_seconds(),
                         .path = task->path};
    return WEFT_OK;
}

/* Reads up to so many bytes, or to the end; returns how many there are. */
static size_t read_up_to(int file, void *to, size_t size)
{
    size_t got = 0;
    while (got < size) {
        ssize_t more = read(file, (char *)to + got, size - got);
        if (more == 0 || (more < 0 && errno != EINTR))
            break;
        got += more > 0 ? (size_t)more : 0;
    }
    return got;
}

/* Waits for a worker that is ending, and takes its text if all went well and somebody wants it;
 * returns its status, as waitpid() gives it. */
static int leave(struct worker *w, char **text, size_t *bytes)
{
    int how = -1;
    close(w->error);
    while (waitpid(w->pid, &how, 0) < 0 && errno == EINTR)
        ;
    w->pid = 0;
    w->busy = false;
    if (how != 0 && w->path)
        output_clean(w->path);
    off_t size = w->text >= 0 ? lseek(w->text, 0, SEEK_END) : -1;
    if (how == 0 && text && size >= 0) {
        *text = memory_alloc((size_t)size + 1, 1);
        lseek(w->text, 0, SEEK_SET);
        *bytes = read_up_to(w->text, *text, (size_t)size);
    }
    if (w->text >= 0)
        close(w->text);
    w->text = -1;
    return how;
}

weft_status worker_finish(struct worker *w, char **text, size_t *bytes)
{
    struct error error;
    size_t length = read_up_to(w->error, &error, sizeof(error));
    int how = leave(w, text, bytes);
    if (how == 0)
        return WEFT_OK;
    if (length == sizeof(error))
        return error_restore(&error);
    return RUN_FAILED(("its process was killed by signal %d", WIFSIGNALED(how) ? WTERMSIG(how) : 0),
                      ("if memory ran out, use fewer processes (-j)"));
}

void worker_kill(struct worker *w)
{
    kill(w->pid, SIGKILL);
    leave(w, NULL, NULL);
}

size_t worker_wait(const struct worker *worker, size_t workers, int milliseconds)
{
    struct pollfd *fd = memory_alloc(workers, sizeof(*fd));
    size_t ended = SIZE_MAX;
    for (size_t i = 0; i < workers; i++)
        fd[i] = (struct pollfd){.fd = worker[i].pid ? worker[i].error : -1, .events = POLLIN};
    if (poll(fd, (nfds_t)workers, milliseconds) > 0)
        for (size_t i = 0; i < workers && ended == SIZE_MAX; i++)
            if (fd[i].fd >= 0 && fd[i].revents)
                ended = i;
    free(fd);
    return ended;
}
