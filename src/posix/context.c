/*
 * What surrounds a rank: its environment, dates, tables; its node's name, its processes, and the
 * one processor that the rank has of it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/memory.h"
#include "posix/internal.h"

/* ---- environment ---- */

static char **environment(const struct posix_rank *r)
{
    return *(char ***)variable_of(r, VARIABLE_ENVIRONMENT);
}

/* The entry of a name, or of the name in "NAME=VALUE"; NULL: there is none. */
static char **find_entry(const struct posix_rank *r, const char *name)
{
    size_t length = strcspn(name, "=");
    for (char **e = environment(r); e && *e; e++)
        if (strncmp(*e, name, length) == 0 && (*e)[length] == '=')
            return e;
    return NULL;
}

/* Makes a copy before the first change, with room for one more entry and NULL. */
static char **own_environment(struct posix_rank *r)
{
    char **from = environment(r);
    size_t count = 0;
    while (from && from[count])
        count++;
    bool first = from != r->environment || !from;
    char **to = memory_alloc(count + 2, sizeof(*to));
    for (size_t i = 0; i < count; i++)
        to[i] = first ? memory_copy(from[i]) : from[i];
    if (!first)
        free(from);
    r->environment = to;
    memcpy(variable_of(r, VARIABLE_ENVIRONMENT), &to, sizeof(to));
    return to;
}

static char *rank_getenv(const char *name)
{
    char **entry = find_entry(posix_current(), name);
    return entry ? *entry + strlen(name) + 1 : NULL;
}

static void set_entry(char *assignment)
{
    struct posix_rank *r = posix_current();
    char **all = own_environment(r), **entry = find_entry(r, assignment);
    if (entry)
        free(*entry);
    else
        for (entry = all; *entry; entry++)
            ;
    *entry = assignment;
}

static bool is_name(const char *name)
{
    if (name && *name && !strchr(name, '='))
        return true;
    errno = EINVAL;
    return false;
}

static int rank_setenv(const char *name, const char *value, int overwrite)
{
    if (!is_name(name))
        return -1;
    if (!overwrite && rank_getenv(name))
        return 0;
    size_t length = strlen(name), all = length + strlen(value) + 2;
    char *assignment = memory_alloc(all, 1);
    snprintf(assignment, all, "%s=%s", name, value);
    set_entry(assignment);
    return 0;
}

static int rank_unsetenv(const char *name)
{
    struct posix_rank *r = posix_current();
    if (!is_name(name))
        return -1;
    if (!find_entry(r, name))
        return 0;
    own_environment(r);
    char **entry = find_entry(r, name);
    free(*entry);
    for (; *entry; entry++)
        entry[0] = entry[1];
    return 0;
}

/* The text stays the caller's, who may change it later; here it is copied. */
static int rank_putenv(char *assignment)
{
    if (!strchr(assignment, '='))
        return rank_unsetenv(assignment);
    set_entry(memory_copy(assignment));
    return 0;
}

static int rank_clearenv(void)
{
    struct posix_rank *r = posix_current();
    char **all = own_environment(r);
    for (char **e = all; *e; e++)
        free(*e);
    *all = NULL;
    return 0;
}

/* ---- texts and dates that the C library would keep for all ---- */

static char *rank_strtok(char *text, const char *delimiters)
{
    return strtok_r(text, delimiters, &posix_current()->rest);
}

/* Defines a function whose answer is kept by the rank. */
#define CONVERT_DATE(TYPE, NAME, FROM, KEPT)                                                       \
    static TYPE *rank_##NAME(const FROM *from)                                                     \
    {                                                                                              \
        return NAME##_r(from, KEPT);                                                               \
    }
CONVERT_DATE(struct tm, localtime, time_t, &posix_current()->date)
CONVERT_DATE(struct tm, gmtime, time_t, &posix_current()->date)
CONVERT_DATE(char, asctime, struct tm, posix_current()->date_text)
CONVERT_DATE(char, ctime, time_t, posix_current()->date_text)

/* ---- the table of hsearch() ---- */

static int rank_hcreate(size_t entries)
{
    struct posix_rank *r = posix_current();
    if (!r->table)
        r->table = memory_alloc(1, sizeof(*r->table));
    return hcreate_r(entries, r->table);
}

void context_drop_table(struct posix_rank *r)
{
    if (r->table)
        hdestroy_r(r->table);
    free(r->table);
    r->table = NULL;
}

static void rank_hdestroy(void)
{
    context_drop_table(posix_current());
}

static ENTRY *rank_hsearch(ENTRY entry, ACTION action)
{
    struct posix_rank *r = posix_current();
    ENTRY *found = NULL;
    errno = ESRCH;
    if (r->table)
        hsearch_r(entry, action, &found, r->table);
    return found;
}

/* ---- names ---- */

static int rank_gethostname(char *name, size_t size)
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

static int rank_uname(struct utsname *name)
{
    int result = uname(name);
    rank_gethostname(name->nodename, sizeof(name->nodename));
    return result;
}

enum { FIRST_PROCESS = 10000 };

pid_t rank_getpid(void)
{
    if (life_is_child(posix_current()))
        return getpid();
    return FIRST_PROCESS + (pid_t)posix_current()->number;
}

static pid_t rank_getppid(void)
{
    const struct posix_rank *r = posix_current();
    return life_is_child(r) ? FIRST_PROCESS + (pid_t)r->number : 1;
}

/* Alike for ranks of one node. */
static long rank_gethostid(void)
{
    char name[256] = "";
    uint32_t id = 0;
    rank_gethostname(name, sizeof(name));
    for (const char *c = name; *c; c++)
        id = id * 31 + (unsigned char)*c;
    return (long)(int32_t)id;
}

/* ---- processors ---- */

static int rank_get_nprocs(void)
{
    return 1;
}

static long rank_sysconf(int name)
{
    return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? 1 : sysconf(name);
}

static int rank_sched_getcpu(void)
{
    return 0;
}

/* Of processes and of threads, whichever they are. */
static int rank_sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *set)
{
    (void)process;
    CPU_ZERO_S(bytes, set);
    CPU_SET_S(0, bytes, set);
    return 0;
}

/* The threads are the simulator's. */
static int rank_sched_setaffinity(pid_t process, size_t bytes, const cpu_set_t *set)
{
    (void)process, (void)bytes, (void)set;
    return 0;
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

static long rank_syscall(long number, ...)
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

const struct posix_function context_functions[] = {
    FUNCTION_AS("getenv secure_getenv", rank_getenv),
    FUNCTION(setenv),
    FUNCTION(unsetenv),
    FUNCTION(putenv),
    FUNCTION(clearenv),
    FUNCTION(gethostname),
    FUNCTION(uname),
    FUNCTION(getpid),
    FUNCTION(getppid),
    FUNCTION(gethostid),
    FUNCTION_AS("get_nprocs get_nprocs_conf", rank_get_nprocs),
    FUNCTION_AS("sysconf __sysconf", rank_sysconf),
    FUNCTION(syscall),
    FUNCTION(sched_getcpu),
    FUNCTION_AS("sched_getaffinity pthread_getaffinity_np", rank_sched_getaffinity),
    FUNCTION_AS("sched_setaffinity pthread_setaffinity_np", rank_sched_setaffinity),
    FUNCTION(strtok),
    FUNCTION(localtime),
    FUNCTION(gmtime),
    FUNCTION(asctime),
    FUNCTION(ctime),
    FUNCTION(hcreate),
    FUNCTION(hdestroy),
    FUNCTION(hsearch),
    {NULL, NULL},
};
