/*
 * Threads that a rank makes. They run beside the simulation, take no simulated time, and find their
 * rank's C library as it was when they were made. Thread-local data are their own, unless a program
 * has too many for that: then those of libraries may be common to all threads of a rank. They must
 * not call MPI: there is no owner for it to find. A thread that is still there when its rank is
 * dropped (OpenMP keeps its threads for the next loop) ends as soon as it finds its code gone, as
 * it would with its process.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include "base/status.h"
#include "base/memory.h"
#include "posix/parts.h"

int __cxa_thread_atexit_impl(void (*function)(void *arg), void *arg, void *object);

/* Of a rank that has made threads: whether it is still there. Whoever lets go last frees it. */
struct posix_threads {
    atomic_bool over;
    atomic_uint holders; /* the rank, and its threads */
};

/* Stands for the rank in its thread. */
struct helper {
    struct posix_rank rank; /* first: whoever finds it takes it for a rank */
    struct posix_rank *of;
    struct posix_threads *threads;
    void *(*function)(void *arg);
    int (*function_of_c)(void *arg); /* if there is no other */
    void *arg;
};

/* The thread alone, without a word to the C library: what it holds is the rank's, which is gone. */
static _Noreturn void leave(void)
{
    for (;;)
        syscall(SYS_exit, 0);
}

static struct posix_rank *master_of(const struct helper *h)
{
    if (atomic_load(&h->threads->over))
        leave();
    return h->of;
}

static const struct posix_rank *master(void)
{
    return master_of((const struct helper *)posix_current());
}

static double last_seconds(void *owner)
{
    (void)owner;
    return master()->now;
}

static void no_sleep(void *owner, double seconds)
{
    (void)owner;
    (void)seconds;
}

static void write_for(void *owner, enum posix_stream stream, const char *text, size_t bytes)
{
    const struct posix_rank *r = master();
    (void)owner;
    r->host->write(r->owner, stream, text, bytes);
}

static void name_for(void *owner, char *name, size_t size)
{
    const struct posix_rank *r = master();
    (void)owner;
    r->host->name(r->owner, name, size);
}

static const struct posix_host helpers = {
    .seconds = last_seconds, .sleep = no_sleep, .write = write_for, .name = name_for};

struct posix_rank *threads_master(struct posix_rank *rank)
{
    return threads_is_helper(rank) ? master_of((struct helper *)rank) : rank;
}

bool threads_is_helper(const struct posix_rank *rank)
{
    return rank->host == &helpers;
}

/* ---- life ---- */

static struct posix_threads *hold_threads(struct posix_rank *r)
{
    struct posix_threads *t = threads_is_helper(r) ? ((struct helper *)r)->threads : r->threads;
    if (!t) {
        t = r->threads = memory_alloc(1, sizeof(*t));
        atomic_store(&t->holders, 1);
    }
    atomic_fetch_add(&t->holders, 1);
    return t;
}

static void release_threads(struct posix_threads *t)
{
    if (atomic_fetch_sub(&t->holders, 1) == 1)
        free(t);
}

static struct helper *make_helper(void)
{
    struct posix_rank *r = posix_current();
    struct helper *h = memory_alloc(1, sizeof(*h));
    for (unsigned s = 0; s < POSIX_STREAMS; s++)
        streams_get(r, s);
    h->rank = *r;
    h->rank.host = &helpers;
    h->rank.owner = NULL;
    h->rank.chance = NULL;
    h->rank.table = NULL;
    h->rank.handlers = NULL;
    h->rank.signals = NULL;
    h->rank.values = NULL;
    h->rank.value_count = 0;
    h->rank.threads = NULL;
    h->of = threads_master(r);
    h->threads = hold_threads(r);
    return h;
}

static void drop_helper(struct helper *h)
{
    release_threads(h->threads);
    free(h);
}

void threads_drop(struct posix_rank *rank)
{
    if (!rank->threads)
        return;
    atomic_store(&rank->threads->over, true);
    release_threads(rank->threads);
}

/* Destructors of C++'s objects have run by then, and call functions of the rank's C library. */
static pthread_key_t key;

static void end_helper(void *arg)
{
    struct helper *h = arg;
    keys_end_thread(&h->rank);
    posix_switch(NULL);
    free(h->rank.chance);
    drop_helper(h);
}

static void make_key(void)
{
    pthread_key_create(&key, end_helper);
}

static void enter(struct helper *h)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    pthread_setspecific(key, h);
    posix_switch(&h->rank);
    begin_thread(h->rank.image, h->rank.copy);
}

static void *run(void *arg)
{
    struct helper *h = arg;
    enter(h);
    return h->function(h->arg);
}

static int run_of_c(void *arg)
{
    struct helper *h = arg;
    enter(h);
    return h->function_of_c(h->arg);
}

int rank_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*function)(void *arg), void *arg)
{
    struct helper *h = make_helper();
    h->function = function;
    h->arg = arg;
    int code = pthread_create(thread, attributes, run, h);
    if (code)
        drop_helper(h);
    return code;
}

int rank_thrd_create(thrd_t *thread, thrd_start_t function, void *arg)
{
    struct helper *h = make_helper();
    h->function_of_c = function;
    h->arg = arg;
    int code = thrd_create(thread, run_of_c, h);
    if (code != thrd_success)
        drop_helper(h);
    return code;
}

/* A rank that ends its thread ends itself. */
_Noreturn void rank_pthread_exit(void *result)
{
    if (threads_is_helper(posix_current()))
        pthread_exit(result);
    rank_exit(0);
}

_Noreturn void rank_thrd_exit(int result)
{
    if (threads_is_helper(posix_current()))
        thrd_exit(result);
    rank_exit(0);
}

/* Destructors of thread-local variables: those of the rank's own thread run when it exits. */
int rank_cxa_thread_atexit(void (*function)(void *arg), void *arg, void *object)
{
    return threads_is_helper(posix_current()) ? __cxa_thread_atexit_impl(function, arg, object)
                                              : rank_cxa_atexit(function, arg, object);
}

_Noreturn void threads_fail(const struct posix_rank *helper)
{
    if (atomic_load(&((const struct helper *)helper)->threads->over))
        leave();
    RUN_FAILED(("rank %u: a thread that it made has failed, or called MPI", helper->number),
               ("call MPI from the rank's own thread"));
    protected_call_outside(false); /* no simulation runs on that thread that could be given up */
}
