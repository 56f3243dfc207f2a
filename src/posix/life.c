/* A rank from its first instruction to its last. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "posix/parts.h"

static _Thread_local struct posix_rank *current;

/* Never inlined: a rank may be on another thread after each call that waits, and a compiler that
 * sees a thread's variable on both sides of one may take its address only once. */
__attribute__((noinline)) struct posix_rank *posix_current(void)
{
    __asm__ volatile("");
    return current;
}

__attribute__((noinline)) void posix_switch(struct posix_rank *rank)
{
    __asm__ volatile("");
    if (current)
        current->error = errno;
    current = rank;
    if (rank)
        errno = rank->error;
}

/* ---- the end ---- */

static _Noreturn void end(enum posix_end how, int code)
{
    struct posix_rank *r = posix_current();
    r->how = how;
    r->code = code;
    longjmp(r->end, 1);
}

void posix_fault(int signal, const void *address)
{
    struct posix_rank *r = posix_current();
    if (!r)
        return;
    r->fault = address;
    end(POSIX_ABORTED, signal);
}

static void run_handlers(struct posix_rank *r)
{
    for (struct posix_handler *h; (h = r->handlers);) {
        r->handlers = h->next;
        struct posix_handler now = *h;
        free(h);
        now.function(now.arg);
    }
}

_Noreturn void rank_exit(int code)
{
    struct posix_rank *r = posix_current();
    run_handlers(r);
    end_program(r->image, r->copy);
    end(POSIX_EXITED, code & 0xff);
}

_Noreturn void rank_exit_now(int code)
{
    end(POSIX_EXITED, code & 0xff);
}

_Noreturn void rank_abort(void)
{
    end(POSIX_ABORTED, SIGABRT);
}

_Noreturn void rank_abort_by(int signal)
{
    end(POSIX_ABORTED, signal);
}

_Noreturn void rank_stack_chk_fail(void)
{
    fprintf(streams_get(posix_current(), POSIX_ERR), "*** stack smashing detected ***\n");
    end(POSIX_ABORTED, SIGABRT);
}

_Noreturn void rank_assert_fail(const char *what, const char *file, unsigned line,
                                const char *function)
{
    fprintf(streams_get(posix_current(), POSIX_ERR), "%s:%u: %s: Assertion `%s' failed.\n", file,
            line, function ? function : "?", what);
    end(POSIX_ABORTED, SIGABRT);
}

/* ---- handlers ---- */

int rank_cxa_atexit(void (*function)(void *arg), void *arg, void *object)
{
    struct posix_rank *r = posix_current();
    struct posix_handler *h = memory_alloc(1, sizeof(*h));
    (void)object;
    *h = (struct posix_handler){r->handlers, function, arg};
    r->handlers = h;
    return 0;
}

int rank_atexit(void (*function)(void))
{
    void (*handler)(void *);
    memcpy(&handler, &function, sizeof(handler)); /* which ignores its argument */
    return rank_cxa_atexit(handler, NULL, NULL);
}

/* Handlers have been run by then, and a rank's libraries stay for its whole life. */
void rank_cxa_finalize(void *object)
{
    (void)object;
}

/* ---- the beginning ---- */

/* What the program's first instructions call. */
int rank_libc_start_main(int (*main)(int, char **, char **), int argc, char **argv)
{
    struct posix_rank *r = posix_current();
    (void)argc;
    (void)argv;
    begin_main(r->image, r->copy, &r->words);
    rank_exit(main(r->words.argc, r->words.argv, r->words.environment));
}

void posix_run(struct posix_rank *rank)
{
    rank->how = POSIX_RUNS;
    streams_begin(rank);
    if (!setjmp(rank->end))
        begin_program(rank->image, rank->copy, &rank->words);
    rank = posix_current();
    streams_end(rank);
}

void posix_drop(struct posix_rank *rank)
{
    for (struct posix_handler *h; (h = rank->handlers);) {
        rank->handlers = h->next;
        free(h);
    }
    for (char **e = rank->environment; e && *e; e++)
        free(*e);
    free(rank->environment);
    free(rank->chance);
}
