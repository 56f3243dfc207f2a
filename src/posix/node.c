/* A rank's node: its name, its processes, and the one processor that the rank has of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "posix/parts.h"

/* ---- names ---- */

int rank_gethostname(char *name, size_t size)
{
    const struct posix_rank *r = posix_current();
    char full[256];
    r->host->name(r->owner, full, sizeof(full));
    if (strlen(full) >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(name, full, strlen(full) + 1);
    return 0;
}

int rank_uname(struct utsname *name)
{
    int result = uname(name);
    rank_gethostname(name->nodename, sizeof(name->nodename));
    return result;
}

enum { FIRST_PROCESS = 10000 };

pid_t rank_getpid(void)
{
    return FIRST_PROCESS + (pid_t)posix_current()->number;
}

pid_t rank_getppid(void)
{
    return 1;
}

/* Alike for ranks of one node. */
long rank_gethostid(void)
{
    char name[256] = "";
    uint32_t id = 0;
    rank_gethostname(name, sizeof(name));
    for (const char *c = name; *c; c++)
        id = id * 31 + (unsigned char)*c;
    return (long)(int32_t)id;
}

/* ---- processors ---- */

int rank_get_nprocs(void)
{
    return 1;
}

long rank_sysconf(int name)
{
    return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? 1 : sysconf(name);
}

int rank_sched_getcpu(void)
{
    return 0;
}

int rank_sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *set)
{
    (void)process;
    CPU_ZERO_S(bytes, set);
    CPU_SET_S(0, bytes, set);
    return 0;
}

int rank_pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set)
{
    (void)thread;
    return rank_sched_getaffinity(0, bytes, set);
}

/* The threads are the simulator's. */
int rank_sched_setaffinity(pid_t process, size_t bytes, const cpu_set_t *set)
{
    (void)process;
    (void)bytes;
    (void)set;
    return 0;
}

int rank_pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set)
{
    (void)thread;
    return rank_sched_setaffinity(0, bytes, set);
}

/* ---- calls of the system by number ---- */

/* LLVM's OpenMP asks in this way which processors it has. */
static long get_affinity(size_t bytes, cpu_set_t *set)
{
    size_t most = bytes < sizeof(*set) ? bytes : sizeof(*set);
    if (!set || most < sizeof(long)) {
        errno = set ? EINVAL : EFAULT;
        return -1;
    }
    rank_sched_getaffinity(0, most, set);
    return sizeof(long);
}

long rank_syscall(long number, ...)
{
    enum { ARGUMENTS = 6 };
    long word[ARGUMENTS];
    va_list args;
    va_start(args, number);
    for (int i = 0; i < ARGUMENTS; i++)
        word[i] = va_arg(args, long);
    va_end(args);
    if (number == SYS_sched_getaffinity)
        return get_affinity((size_t)word[1], (cpu_set_t *)word[2]);
    if (number == SYS_sched_setaffinity)
        return rank_sched_setaffinity(0, 0, NULL);
    return syscall(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}
