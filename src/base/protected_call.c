/* Leaving a protected call. */
#define _GNU_SOURCE
#include "base/protected_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

static _Thread_local jmp_buf *way_out;
static _Thread_local struct {
    bool (*unwanted)(void *arg);
    void *arg;
} watcher;

/* Never inlined: a body on a fiber may return on another thread, whose variable it then is. */
__attribute__((noinline)) void *protected_call_swap(void *innermost)
{
    __asm__ volatile("");
    jmp_buf *before = way_out;
    way_out = innermost;
    return before;
}

weft_status protected_call(weft_status (*body)(void *arg), void *arg)
{
    jmp_buf here;
    void *before = protected_call_swap(&here);
    weft_status status;
    if (_setjmp(here) == 0)
        status = body(arg);
    else
        status = error_status();
    protected_call_swap(before);
    return status;
}

_Noreturn void protected_call_abandon(void)
{
    if (way_out)
        _longjmp(*way_out, 1);
    protected_call_outside(false);
}

void protected_call_watch(bool (*unwanted)(void *arg), void *arg)
{
    watcher.unwanted = unwanted;
    watcher.arg = arg;
}

void protected_call_poll(void)
{
    if (!watcher.unwanted || !watcher.unwanted(watcher.arg))
        return;
    RUN_FAILED(("interrupted before the first cycle"), ("nothing was written"));
    protected_call_abandon();
}

_Noreturn void panic(const char *file, int line, const char *format, ...)
{
    char what[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    RUN_FAILED(("invariant broken at %s:%d: %s", file, line, what), NO_REMEDY);
    if (way_out)
        protected_call_abandon();
    protected_call_outside(true);
}
