/*
 * Threads that a rank makes. They run beside the simulation, take no simulated time, and find their
 * rank's C library as it was when they were made. Thread-local data are their own, unless a program
 * has too many for that: then those of libraries may be common to all threads of a rank. They must
 * not call MPI: there is no owner for it to find. A thread that is still there when its rank is
 * dropped (OpenMP keeps its threads for the next loop) ends as soon as it finds its code gone, as
 * it would with its process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/status.h"
#include "base/memory.h"
#include "posix/internal.h"

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

/* Threads have a clock of their own, or loops on it would never end. */
static double own_seconds(void *owner)
{
    enum { READS_PER_SECOND = 10000000 };
    (void)owner;
    return fmax(posix_current()->now, master()->now) + 1.0 / READS_PER_SECOND;
}

static void sleep_alone(void *owner, double seconds)
{
    (void)owner;
    posix_current()->now += seconds;
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
    .seconds = own_seconds, .sleep = sleep_alone, .write = write_for, .name = name_for};

struct posix_rank *threads_master(struct posix_rank *rank)
{
    return threads_is_helper(rank) ? master_of((struct helper *)rank) : rank;
}

bool threads_is_helper(const struct posix_rank *rank)
{
    return rank->host == &helpers;
}

/*
 * ---- data by keys ----
 *
 * The computer has about a thousand keys, and ranks share its threads; so each rank has keys of its
 * own, and values are its own and those of the threads that it makes.
 */

struct posix_key {
    bool used;
    unsigned uses; /* how often it was made: older values of its number are not its own */
    void (*destructor)(void *value);
};

struct posix_value {
    unsigned use; /* of the key; 0: none */
    void *value;
};

/* Threads of one rank may make keys at the same time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What a key is now; all zero: there is none of this number. */
static struct posix_key look_up(unsigned number)
{
    const struct posix_rank *r = threads_master(posix_current());
    struct posix_key key = {.used = false};
    pthread_mutex_lock(&lock);
    if (number < r->key_count)
        key = r->keys[number];
    pthread_mutex_unlock(&lock);
    return key.used ? key : (struct posix_key){.used = false};
}

static unsigned find_free(struct posix_rank *r)
{
    unsigned number = 0;
    while (number < r->key_count && r->keys[number].used)
        number++;
    if (number == r->key_count && number < PTHREAD_KEYS_MAX) {
        r->keys = memory_grow(r->keys, number + 1, sizeof(*r->keys));
        r->keys[r->key_count++] = (struct posix_key){.used = false};
    }
    return number;
}

static int rank_pthread_key_create(pthread_key_t *key, void (*destructor)(void *value))
{
    struct posix_rank *r = threads_master(posix_current());
    pthread_mutex_lock(&lock);
    unsigned number = find_free(r);
    if (number < PTHREAD_KEYS_MAX)
        r->keys[number] = (struct posix_key){true, r->keys[number].uses + 1, destructor};
    pthread_mutex_unlock(&lock);
    *key = number;
    return number < PTHREAD_KEYS_MAX ? 0 : EAGAIN;
}

static int rank_pthread_key_delete(pthread_key_t key)
{
    struct posix_rank *r = threads_master(posix_current());
    if (!look_up(key).used)
        return EINVAL;
    pthread_mutex_lock(&lock);
    r->keys[key].used = false;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *rank_pthread_getspecific(pthread_key_t key)
{
    const struct posix_rank *r = posix_current();
    struct posix_key now = look_up(key);
    return now.used && key < r->value_count && r->values[key].use == now.uses ? r->values[key].value
                                                                              : NULL;
}

static int rank_pthread_setspecific(pthread_key_t key, const void *value)
{
    struct posix_rank *r = posix_current();
    struct posix_key now = look_up(key);
    if (!now.used)
        return EINVAL;
    if (key >= r->value_count) {
        r->values = memory_grow(r->values, key + 1, sizeof(*r->values));
        memset(r->values + r->value_count, 0, (key + 1 - r->value_count) * sizeof(*r->values));
        r->value_count = key + 1;
    }
    r->values[key] = (struct posix_value){now.uses, (void *)value};
    return 0;
}

static int rank_tss_create(tss_t *key, void (*destructor)(void *value))
{
    return rank_pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}

static int rank_tss_set(tss_t key, void *value)
{
    return rank_pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error;
}

/* One round of destructors, which may set other values; whether there was anything to do. */
static bool destroy_values(const struct posix_rank *r)
{
    bool any = false;
    for (unsigned i = 0; i < r->value_count; i++) {
        struct posix_key key = look_up(i);
        void *value = r->values[i].use == key.uses ? r->values[i].value : NULL;
        r->values[i].value = NULL;
        if (!key.destructor || !value)
            continue;
        key.destructor(value);
        any = true;
    }
    return any;
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
static pthread_key_t end_key;

static void end_helper(void *arg)
{
    struct helper *h = arg;
    for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS && destroy_values(&h->rank); i++)
        ;
    free(h->rank.values);
    posix_switch(NULL);
    free(h->rank.chance);
    drop_helper(h);
}

static void make_key(void)
{
    pthread_key_create(&end_key, end_helper);
}

static void enter(struct helper *h)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    pthread_setspecific(end_key, h);
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

static int rank_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
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

static int rank_thrd_create(thrd_t *thread, thrd_start_t function, void *arg)
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
static _Noreturn void rank_pthread_exit(void *result)
{
    if (threads_is_helper(posix_current()))
        pthread_exit(result);
    rank_exit(0);
}

static _Noreturn void rank_thrd_exit(int result)
{
    if (threads_is_helper(posix_current()))
        thrd_exit(result);
    rank_exit(0);
}

/* Destructors of thread-local variables: those of the rank's own thread run when it exits. */
static int rank_cxa_thread_atexit(void (*function)(void *arg), void *arg, void *object)
{
    return threads_is_helper(posix_current()) ? __cxa_thread_atexit_impl(function, arg, object)
                                              : rank_cxa_atexit(function, arg, object);
}

_Noreturn void threads_fail(const struct posix_rank *helper, const char *what)
{
    if (atomic_load(&((const struct helper *)helper)->threads->over))
        leave();
    RUN_FAILED(("rank %u: in a thread that it has made: %s", helper->number, what), NO_REMEDY);
    protected_call_outside(false); /* no simulation runs on that thread that could be given up */
}

const struct posix_function threads_functions[] = {
    FUNCTION_AS("__cxa_thread_atexit __cxa_thread_atexit_impl", rank_cxa_thread_atexit),
    FUNCTION(pthread_create),
    FUNCTION(thrd_create),
    FUNCTION(pthread_exit),
    FUNCTION(thrd_exit),
    FUNCTION_AS("pthread_key_create __pthread_key_create", rank_pthread_key_create),
    FUNCTION_AS("pthread_key_delete tss_delete", rank_pthread_key_delete),
    FUNCTION_AS("pthread_getspecific tss_get", rank_pthread_getspecific),
    FUNCTION(pthread_setspecific),
    FUNCTION(tss_create),
    FUNCTION(tss_set),
    {NULL, NULL},
};
