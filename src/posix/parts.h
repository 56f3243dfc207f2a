/* The functions that stand in for others, as table.c lists them, and what they have in common. */
#ifndef WEFT_POSIX_PARTS_H
#define WEFT_POSIX_PARTS_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE first"
#endif

#include <dlfcn.h>
#include <getopt.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "posix/posix.h"

/* ---- life.c ---- */
int rank_libc_start_main(int (*main)(int, char **, char **), int argc, char **argv);
_Noreturn void rank_exit(int code);
_Noreturn void rank_exit_now(int code);
_Noreturn void rank_abort(void);
_Noreturn void rank_abort_by(int signal);
int rank_atexit(void (*function)(void));
int rank_cxa_atexit(void (*function)(void *arg), void *arg, void *object);
void rank_cxa_finalize(void *object);
_Noreturn void rank_stack_chk_fail(void);
_Noreturn void rank_assert_fail(const char *what, const char *file, unsigned line,
                                const char *function);

/* ---- clocks.c ---- */
int rank_clock_gettime(clockid_t clock, struct timespec *time);
int rank_clock_getres(clockid_t clock, struct timespec *time);
int rank_gettimeofday(struct timeval *time, void *zone);
time_t rank_time(time_t *time);
clock_t rank_clock(void);
clock_t rank_times(struct tms *times);
int rank_getrusage(int who, struct rusage *usage);
unsigned rank_sleep(unsigned seconds);
int rank_usleep(useconds_t us);
int rank_nanosleep(const struct timespec *time, struct timespec *left);
int rank_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                         struct timespec *left);
int rank_sched_yield(void);

/* ---- chance.c ---- */
int rank_rand(void);
void rank_srand(unsigned seed);
long rank_random(void);
char *rank_initstate(unsigned seed, char *state, size_t bytes);
char *rank_setstate(char *state);
double rank_drand48(void);
long rank_lrand48(void);
long rank_mrand48(void);
void rank_srand48(long seed);
unsigned short *rank_seed48(unsigned short seed[3]);

/* ---- options.c ---- */
int rank_getopt(int argc, char *const *argv, const char *letters);
int rank_getopt_long(int argc, char *const *argv, const char *letters, const struct option *longs,
                     int *index);
int rank_getopt_long_only(int argc, char *const *argv, const char *letters,
                          const struct option *longs, int *index);

/* ---- streams.c ---- */

/* A rank's own stream, made when it is first used or asked for. */
FILE *streams_get(struct posix_rank *rank, enum posix_stream stream);
void streams_begin(struct posix_rank *rank);
void streams_end(struct posix_rank *rank);

int rank_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int rank_vprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
int rank_printf_chk(int flag, const char *format, ...) __attribute__((format(printf, 2, 3)));
int rank_vprintf_chk(int flag, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
int rank_puts(const char *text);
int rank_putchar(int letter);
void rank_perror(const char *text);
int rank_fflush(FILE *stream);
int rank_fclose(FILE *stream);
int rank_fileno(FILE *stream);
ssize_t rank_write(int file, const void *bytes, size_t count);
ssize_t rank_writev(int file, const struct iovec *part, int parts);
int rank_fstat(int file, struct stat *what);

/* ---- context.c ---- */
char *rank_getenv(const char *name);
int rank_setenv(const char *name, const char *value, int overwrite);
int rank_unsetenv(const char *name);
int rank_putenv(char *assignment);
int rank_clearenv(void);
int rank_gethostname(char *name, size_t size);
int rank_uname(struct utsname *name);
pid_t rank_getpid(void);
pid_t rank_getppid(void);
void (*rank_signal(int number, void (*handler)(int)))(int);
int rank_sigaction(int number, const struct sigaction *action, struct sigaction *old);
int rank_raise(int number);
int rank_kill(pid_t process, int number);
char *rank_strtok(char *text, const char *delimiters);
struct tm *rank_localtime(const time_t *time);
struct tm *rank_gmtime(const time_t *time);
char *rank_asctime(const struct tm *date);
char *rank_ctime(const time_t *time);

/* ---- unwind.c ---- */
#ifdef DLFO_STRUCT_HAS_EH_DBASE
int rank_dl_find_object(void *address, struct dl_find_object *result);
#endif
int rank_dl_iterate_phdr(int (*visit)(struct dl_phdr_info *info, size_t size, void *arg),
                         void *arg);

#endif
