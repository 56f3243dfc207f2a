/*
 * Processes that a rank makes. They are not ranks: time is the computer's for them, what they print
 * appears at once, and they cannot call MPI. They may become other programs, as a rank cannot: the
 * simulator would be gone. A rank sees its own children only, though those of all ranks are the
 * simulator's.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

#include "base/list.h"
#include "posix/internal.h"

/* ---- the world of a child ---- */

/* In the child: the rank that it was, and when that was. */
static struct posix_rank parent;
static struct timespec born;

static double child_seconds(void *owner)
{
    struct timespec now;
    (void)owner;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return parent.now + (double)(now.tv_sec - born.tv_sec) +
           1e-9 * (double)(now.tv_nsec - born.tv_nsec);
}

static void child_sleep(void *owner, double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    (void)owner;
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    nanosleep(&time, NULL);
}

static void child_write(void *owner, enum posix_stream stream, const char *text, size_t bytes)
{
    (void)owner;
    if (write(stream == POSIX_OUT ? STDOUT_FILENO : STDERR_FILENO, text, bytes) < 0)
        return;
}

static void child_name(void *owner, char *name, size_t size)
{
    (void)owner;
    parent.host->name(parent.owner, name, size);
}

static const struct posix_host child_host = {
    .seconds = child_seconds, .sleep = child_sleep, .write = child_write, .name = child_name};

/* Signals end a child as they would any process. */
static void become_child(struct posix_rank *r)
{
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    parent = *r;
    clock_gettime(CLOCK_MONOTONIC, &born);
    r->host = &child_host;
    r->owner = NULL;
    r->timers = 0;
    r->child_count = 0;
}

/* ---- making them ---- */

static void add_child(pid_t child)
{
    struct posix_rank *r = threads_master(posix_current());
    *LIST_ADD(r->child, r->child_count, r->child_room) = child;
}

static void remove_child(struct posix_rank *r, pid_t child)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->child_count; i++)
        if (r->child[i] != child)
            r->child[kept++] = r->child[i];
    r->child_count = kept;
}

bool children_has(const struct posix_rank *r, pid_t child)
{
    for (size_t i = 0; i < r->child_count; i++)
        if (r->child[i] == child)
            return true;
    return false;
}

void children_drop(struct posix_rank *r)
{
    free(r->child);
}

static pid_t rank_fork(void)
{
    pid_t child = fork();
    if (child > 0)
        add_child(child);
    else if (child == 0)
        become_child(posix_current());
    return child;
}

/* Defines a function that makes a child by running a program. */
#define SPAWN(NAME)                                                                                \
    static int rank_##NAME(                                                                        \
        pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,                 \
        const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])        \
    {                                                                                              \
        pid_t made;                                                                                \
        int code = NAME(&made, path, actions, attributes, argv, environment);                      \
        if (code == 0)                                                                             \
            add_child(made);                                                                       \
        if (code == 0 && child)                                                                    \
            *child = made;                                                                         \
        return code;                                                                               \
    }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

/* ---- waiting for them ---- */

/* For any of its own: one after the other, until one has ended. */
static pid_t wait_for_any(struct posix_rank *r, int *status, int options, struct rusage *usage)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (r->child_count) {
        for (size_t i = r->child_count; i-- > 0;) {
            pid_t child = r->child[i], ended = wait4(child, status, options | WNOHANG, usage);
            if (ended && !(ended > 0 && (WIFSTOPPED(*status) || WIFCONTINUED(*status))))
                remove_child(r, child);
            if (ended > 0)
                return ended;
        }
        if (options & WNOHANG)
            return 0;
        nanosleep(&pause, NULL);
    }
    errno = ECHILD;
    return -1;
}

static pid_t rank_wait4(pid_t child, int *status, int options, struct rusage *usage)
{
    struct posix_rank *r = threads_master(posix_current());
    int unasked = 0, *where = status ? status : &unasked;
    if (child == -1 || child == 0)
        return wait_for_any(r, where, options, usage);
    pid_t ended = wait4(child, where, options, usage);
    if (ended > 0 && !WIFSTOPPED(*where) && !WIFCONTINUED(*where))
        remove_child(r, ended);
    return ended;
}

static pid_t rank_waitpid(pid_t child, int *status, int options)
{
    return rank_wait4(child, status, options, NULL);
}

static pid_t rank_wait3(int *status, int options, struct rusage *usage)
{
    return rank_wait4(-1, status, options, usage);
}

static pid_t rank_wait(int *status)
{
    return rank_wait4(-1, status, 0, NULL);
}

/* ---- becoming another program ---- */

static void refuse_for_ranks(void)
{
    const struct posix_rank *r = threads_master(posix_current());
    if (!life_is_child(r))
        r->host->fail(r->owner, "it becomes another program (exec), as only a child of it can");
}

static int rank_execve(const char *path, char *const argv[], char *const environment[])
{
    refuse_for_ranks();
    return execve(path, argv, environment);
}

static char **own_environment(void)
{
    return *(char ***)variable_of(posix_current(), VARIABLE_ENVIRONMENT);
}

static int rank_execv(const char *path, char *const argv[])
{
    return rank_execve(path, argv, own_environment());
}

static int rank_execvpe(const char *file, char *const argv[], char *const environment[])
{
    refuse_for_ranks();
    return execvpe(file, argv, environment);
}

static int rank_execvp(const char *file, char *const argv[])
{
    return rank_execvpe(file, argv, own_environment());
}

static int rank_fexecve(int file, char *const argv[], char *const environment[])
{
    refuse_for_ranks();
    return fexecve(file, argv, environment);
}

/* Defines a function whose arguments are in a list that ends with NULL, maybe with an environment
 * behind. */
#define EXEC_LIST(NAME, CALL, ENVIRONMENT)                                                         \
    static int NAME(const char *path, const char *first, ...)                                      \
    {                                                                                              \
        size_t count = 1;                                                                          \
        va_list args, again;                                                                       \
        va_start(args, first);                                                                     \
        va_copy(again, args);                                                                      \
        while (first && va_arg(again, char *))                                                     \
            count++;                                                                               \
        va_end(again);                                                                             \
        char **argv = alloca((count + 1) * sizeof(*argv));                                         \
        argv[0] = (char *)first;                                                                   \
        for (size_t i = 1; first && i <= count; i++)                                               \
            argv[i] = va_arg(args, char *);                                                        \
        char **environment = ENVIRONMENT;                                                          \
        va_end(args);                                                                              \
        return CALL(path, argv, environment);                                                      \
    }
EXEC_LIST(rank_execl, rank_execve, own_environment())
EXEC_LIST(rank_execlp, rank_execvpe, own_environment())
EXEC_LIST(rank_execle, rank_execve, va_arg(args, char **))

const struct posix_function children_functions[] = {
    FUNCTION_AS("fork vfork", rank_fork), /* a caller of vfork() cannot tell */
    FUNCTION(posix_spawn),
    FUNCTION(posix_spawnp),
    FUNCTION(wait),
    FUNCTION(waitpid),
    FUNCTION(wait3),
    FUNCTION(wait4),
    FUNCTION(execve),
    FUNCTION(execv),
    FUNCTION(execvp),
    FUNCTION(execvpe),
    FUNCTION(fexecve),
    FUNCTION(execl),
    FUNCTION(execlp),
    FUNCTION(execle),
    {NULL, NULL},
};
