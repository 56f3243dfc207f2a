/*
 * Threads, their cores (hwloc) and their barrier.
 *
 * The barrier counts arrivals; the last one opens the next phase. Waiters poll for a while, which
 * is fast when every thread has a core of its own, and then sleep in the kernel, which leaves the
 * cores to others when threads outnumber them.
 */
#define _GNU_SOURCE
#include "engine/team.h"

#include <hwloc.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "engine/ranks.h"

struct member {
    uint32_t index;
    unsigned processor;
    void (*body)(void *arg, uint32_t member);
    void *arg;
    hwloc_topology_t topology; /* NULL: do not bind */
    pthread_t thread;
    struct gate *gate;
};

/* Holds members until all have started; if one cannot start, none runs. */
struct gate {
    pthread_mutex_t lock; /* held by who starts them */
    bool open;
};

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

void team_pause(const struct team *t, uint32_t *polls)
{
    if (++*polls < t->spins)
        relax();
    else
        sched_yield();
}

void team_barrier(struct team *t)
{
    if (t->size == 1)
        return;
    uint32_t phase = atomic_load_explicit(&t->phase, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&t->arrived, 1, memory_order_acq_rel) + 1 == t->size) {
        atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
        /* Sequentially consistent: a sleeper counts itself before it looks at the phase. */
        atomic_store_explicit(&t->phase, phase + 1, memory_order_seq_cst);
        if (atomic_load_explicit(&t->sleepers, memory_order_seq_cst))
            syscall(SYS_futex, &t->phase, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
        return;
    }
    for (uint32_t spin = 0; spin < t->spins; spin++) {
        if (atomic_load_explicit(&t->phase, memory_order_acquire) != phase)
            return;
        relax();
    }
    atomic_fetch_add_explicit(&t->sleepers, 1, memory_order_seq_cst);
    while (atomic_load_explicit(&t->phase, memory_order_seq_cst) == phase)
        syscall(SYS_futex, &t->phase, FUTEX_WAIT_PRIVATE, phase, NULL, NULL, 0);
    atomic_fetch_sub_explicit(&t->sleepers, 1, memory_order_relaxed);
}

/*
 * The processors that this process may use, in the order in which members take them: one of each
 * core, then the second of each (hyperthreads), and so on. Returns how many; the caller must free.
 */
static uint32_t list_processors(hwloc_topology_t topology, unsigned **list)
{
    hwloc_cpuset_t allowed = hwloc_bitmap_alloc(), core = hwloc_bitmap_alloc();
    hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_THREAD);
    int count = hwloc_bitmap_weight(allowed), found = 0;
    *list = memory_alloc(count > 0 ? (size_t)count : 1, sizeof(**list));
    for (int nth = 0; found < count && nth < count; nth++) {
        hwloc_obj_t at = NULL;
        while ((at = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, at)) != NULL) {
            hwloc_bitmap_and(core, at->cpuset, allowed);
            int cpu = hwloc_bitmap_first(core);
            for (int i = 0; i < nth && cpu >= 0; i++)
                cpu = hwloc_bitmap_next(core, cpu);
            if (cpu >= 0 && found < count)
                (*list)[found++] = (unsigned)cpu;
        }
    }
    hwloc_bitmap_free(core);
    hwloc_bitmap_free(allowed);
    return (uint32_t)found;
}

uint32_t team_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return (uint32_t)CPU_COUNT(&set);
    return 1;
}

bool team_is_roomy(uint32_t size)
{
    return size * ranks_sharing() <= team_cores();
}

static void *member_main(void *arg)
{
    const struct member *m = arg;
    pthread_mutex_lock(&m->gate->lock);
    bool open = m->gate->open;
    pthread_mutex_unlock(&m->gate->lock);
    if (!open)
        return NULL;
    if (m->topology) {
        hwloc_cpuset_t set = hwloc_bitmap_alloc();
        hwloc_bitmap_only(set, m->processor);
        hwloc_set_cpubind(m->topology, set, HWLOC_CPUBIND_THREAD);
        hwloc_bitmap_free(set);
    }
    m->body(m->arg, m->index);
    return NULL;
}

double team_cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hwloc_topology_t computer; /* loaded once, which takes milliseconds; NULL: unknown */

static void load_computer(void)
{
    if (hwloc_topology_init(&computer) != 0) {
        computer = NULL;
    } else if (hwloc_topology_load(computer) != 0) {
        hwloc_topology_destroy(computer);
        computer = NULL;
    }
}

weft_status team_run(struct team *t, uint32_t size, void (*body)(void *arg, uint32_t member),
                     void *arg)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct gate gate = {.lock = PTHREAD_MUTEX_INITIALIZER};
    *t = (struct team){.size = size};
    if (size == 1) {
        body(arg, 0);
        return WEFT_OK;
    }
    uint32_t sharing = ranks_sharing(), processors = 0;
    bool roomy = team_is_roomy(size);
    t->spins = roomy ? 4000 : 0; /* about 0.2 ms; by then the awaited thread has lost its core */
    /* More threads than cores: the kernel places them better than a fixed binding would. */
    if (roomy)
        pthread_once(&once, load_computer);
    hwloc_topology_t topology = roomy ? computer : NULL; /* NULL: members are not bound */
    unsigned *processor = NULL;
    if (topology && (processors = list_processors(topology, &processor)) == 0)
        topology = NULL;
    struct member *member = memory_alloc(size, sizeof(*member));
    uint32_t first = ranks_me_sharing() * size, started = 1;
    /* Spread out: neighbours may be hyperthreads of a core that a virtual machine shows as two. */
    uint32_t apart = processors / (size * sharing);
    apart = apart ? apart : 1;
    for (uint32_t i = 0; i < size; i++)
        member[i] =
            (struct member){.index = i,
                            .processor = topology ? processor[(first + i) * apart % processors] : 0,
                            .body = body,
                            .arg = arg,
                            .topology = topology,
                            .gate = &gate};
    pthread_mutex_lock(&gate.lock);
    for (; started < size; started++)
        if (pthread_create(&member[started].thread, NULL, member_main, &member[started]) != 0)
            break;
    gate.open = started == size;
    pthread_mutex_unlock(&gate.lock);
    /* The caller's thread is the first member; its binding is restored afterwards. */
    cpu_set_t before;
    bool moved = topology && sched_getaffinity(0, sizeof(before), &before) == 0;
    if (started == size && moved)
        member_main(&member[0]);
    else if (started == size)
        body(arg, 0);
    if (moved)
        sched_setaffinity(0, sizeof(before), &before);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(member[i].thread, NULL);
    free(member);
    free(processor);
    if (started < size)
        return BAD_INPUT(NULL, ("cannot start %u threads", size), ("use fewer with -j"));
    return WEFT_OK;
}
