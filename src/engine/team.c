/*
 * Threads, their cores (hwloc) and their barrier.
 *
 * The barrier counts arrivals; the last one opens the next phase. Waiters poll for a while, which
 * is the fast case when every thread has a core of its own, and then sleep in the kernel, which is
 * the kind one when threads outnumber cores.
 */
#define _GNU_SOURCE
#include "engine/team.h"

#include <hwloc.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

struct member {
    uint32_t index;
    void (*body)(void *arg, uint32_t member);
    void *arg;
    hwloc_topology_t topology; /* NULL: do not bind */
    pthread_t thread;
};

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

void team_barrier(struct team *t)
{
    if (t->size == 1)
        return;
    uint32_t phase = atomic_load_explicit(&t->phase, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&t->arrived, 1, memory_order_acq_rel) + 1 == t->size) {
        atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&t->phase, phase + 1, memory_order_release);
        syscall(SYS_futex, &t->phase, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
        return;
    }
    for (uint32_t spin = 0; spin < t->spins; spin++) {
        if (atomic_load_explicit(&t->phase, memory_order_acquire) != phase)
            return;
        relax();
    }
    while (atomic_load_explicit(&t->phase, memory_order_acquire) == phase)
        syscall(SYS_futex, &t->phase, FUTEX_WAIT_PRIVATE, phase, NULL, NULL, 0);
}

static void bind_to_core(hwloc_topology_t topology, uint32_t index)
{
    hwloc_cpuset_t allowed = hwloc_bitmap_alloc();
    hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS);
    int count = hwloc_bitmap_weight(allowed);
    if (count <= 0) {
        hwloc_bitmap_free(allowed);
        return;
    }
    int want = (int)(index % (uint32_t)count), cpu = hwloc_bitmap_first(allowed);
    while (want-- > 0)
        cpu = hwloc_bitmap_next(allowed, cpu);
    hwloc_cpuset_t set = hwloc_bitmap_alloc();
    hwloc_bitmap_only(set, (unsigned)cpu);
    hwloc_set_cpubind(topology, set, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(set);
    hwloc_bitmap_free(allowed);
}

static void *member_main(void *arg)
{
    struct member *m = arg;
    if (m->topology)
        bind_to_core(m->topology, m->index);
    m->body(m->arg, m->index);
    return NULL;
}

uint32_t team_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return (uint32_t)CPU_COUNT(&set);
    return 1;
}

double team_cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void team_run(struct team *t, uint32_t size, void (*body)(void *arg, uint32_t member), void *arg)
{
    *t = (struct team){.size = size};
    if (size == 1) {
        body(arg, 0);
        return;
    }
    bool roomy = size <= team_cores();
    t->spins = roomy ? 20000 : 0;
    hwloc_topology_t topology = NULL;
    /* More threads than cores: the kernel places them better than a fixed binding would. */
    if (roomy && hwloc_topology_init(&topology) == 0 && hwloc_topology_load(topology) != 0) {
        hwloc_topology_destroy(topology);
        topology = NULL;
    }
    struct member *member = weft_alloc(size, sizeof(*member));
    uint32_t started = 0;
    for (; started < size; started++) {
        member[started] =
            (struct member){.index = started, .body = body, .arg = arg, .topology = topology};
        if (pthread_create(&member[started].thread, NULL, member_main, &member[started]) != 0)
            break;
    }
    if (started < size) {
        /* The members that run wait in their first barrier for ever: nothing to save. */
        fprintf(stderr, "weft: cannot start %u threads; use fewer with -j\n", size);
        exit(2);
    }
    for (uint32_t i = 0; i < size; i++)
        pthread_join(member[i].thread, NULL);
    free(member);
    if (topology)
        hwloc_topology_destroy(topology);
}
