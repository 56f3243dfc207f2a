/* What the files of this folder know of each other. */
#ifndef WEFT_POSIX_INTERNAL_H
#define WEFT_POSIX_INTERNAL_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE first"
#endif

#include <dlfcn.h>
#include <getopt.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <threads.h>
#include <unistd.h>
#include <wchar.h>

#include "posix/posix.h"

/* A function that stands in for one of the C library, or for several; names are separated by single
 * spaces. Each file has a list of those that it defines, which ends with a row without a name. */
struct posix_function {
    const char *names;
    void (*function)(void);
};

#define FUNCTION(NAME)                                                                             \
    {                                                                                              \
#NAME, (void (*)(void))rank_##NAME                                                         \
    }
#define FUNCTION_AS(NAMES, RANK)                                                                   \
    {                                                                                              \
        NAMES, (void (*)(void))RANK                                                                \
    }

extern const struct posix_function life_functions[], clocks_functions[], random_functions[],
    options_functions[], streams_functions[], print_functions[], threads_functions[],
    context_functions[], signals_functions[], unwind_functions[], timers_functions[],
    folder_functions[], children_functions[];

/* A variable of the rank's own. */
static inline void *variable_of(const struct posix_rank *r, enum posix_variable variable)
{
    return r->copy + r->places->at[variable];
}

/* ---- life.c ---- */
bool life_is_child(const struct posix_rank *rank); /* it is one, made by fork() */
_Noreturn void rank_exit(int code);
_Noreturn void rank_abort_by(int signal);
int rank_cxa_atexit(void (*function)(void *arg), void *arg, void *object);

/* ---- print.c ---- */
void print_begin(struct posix_rank *rank); /* gives the program its name */

/* ---- threads.c ---- */

/* Whether this stands for a rank in a thread that the rank has made; and how that ends if it cannot
 * go on, and why. */
bool threads_is_helper(const struct posix_rank *rank);
struct posix_rank *threads_master(struct posix_rank *rank); /* itself, if it is no helper */
_Noreturn void threads_fail(const struct posix_rank *helper, const char *what);
void threads_drop(struct posix_rank *rank); /* those that are left end */

/* ---- streams.c ---- */

/* A rank's own stream, made when it is first used or asked for. */
FILE *streams_get(struct posix_rank *rank, enum posix_stream stream);
void streams_begin(struct posix_rank *rank);

/* The number of a file, if the stream is one of this rank's own; -1: it is not. */
int streams_file(const FILE *stream);
void streams_end(struct posix_rank *rank);
void streams_drop(struct posix_rank *rank);
int rank_fflush(FILE *stream);
ssize_t rank_write(int file, const void *bytes, size_t count);

/* ---- signals.c ---- */
_Noreturn void rank_abort(void);
int rank_raise(int number);

/* ---- clocks.c ---- */
double clocks_seconds(void); /* simulated, and takes some time itself */

/* ---- unwind.c ---- */
void unwind_look(struct posix_rank *rank, int signal); /* where it has failed */

/* ---- timers.c ---- */
double timers_next(const struct posix_rank *rank); /* when the next one does; INFINITY: never */

/* ---- folder.c ---- */
void folder_enter(const struct posix_rank *rank); /* on this thread; NULL: the simulator's own */
void folder_drop(const struct posix_rank *rank);

/* ---- children.c ---- */
bool children_has(const struct posix_rank *rank, pid_t child);
void children_drop(struct posix_rank *rank);

/* ---- context.c ---- */
void context_drop_table(struct posix_rank *rank);
pid_t rank_getpid(void);

#endif
