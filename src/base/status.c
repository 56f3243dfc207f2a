/* The error record of each thread, and leaving a protected call. */
#include "base/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local struct error last;
static _Thread_local char last_text[sizeof(struct error) + 8];

const struct error *error_last(void)
{
    return &last;
}

weft_status error_restore(const struct error *error)
{
    if (error != &last)
        last = *error;
    return last.status;
}

void error_begin(weft_status status, const char *keys)
{
    last.status = status;
    snprintf(last.keys, sizeof(last.keys), "%s", keys ? keys : "");
    last.place[0] = last.what[0] = last.remedy[0] = '\0';
}

#define FORMAT_INTO(field)                                                                         \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        vsnprintf(field, sizeof(field), format, args);                                             \
        va_end(args);                                                                              \
    } while (0)

void error_place(const char *format, ...)
{
    FORMAT_INTO(last.place);
}

void error_what(const char *format, ...)
{
    FORMAT_INTO(last.what);
}

void error_remedy(const char *format, ...)
{
    FORMAT_INTO(last.remedy);
}

void error_prefix(const char *format, ...)
{
    char before[512];
    FORMAT_INTO(before);
    size_t length = strlen(before), rest = strlen(last.what) + 1;
    if (length + rest > sizeof(last.what))
        rest = sizeof(last.what) - length;
    memmove(last.what + length, last.what, rest);
    memcpy(last.what, before, length);
    last.what[sizeof(last.what) - 1] = '\0';
}

void error_keys(const char *keys)
{
    snprintf(last.keys, sizeof(last.keys), "%s", keys);
}

/* Never inlined into protected_call(): see protected_call_swap(). */
__attribute__((noinline)) weft_status error_status(void)
{
    __asm__ volatile("");
    return last.status;
}

const char *weft_last_error(void)
{
    snprintf(last_text, sizeof(last_text), "%s%s%s%s%s", last.place, last.place[0] ? ": " : "",
             last.what, last.remedy[0] ? "; " : "", last.remedy);
    return last_text;
}

/* ---- protected calls ---- */

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
    if (watcher.unwanted && watcher.unwanted(watcher.arg))
        RUN_ABANDONED(("interrupted before the first cycle"), ("nothing was written"));
}

_Noreturn void panic(const char *file, int line, const char *format, ...)
{
    char what[4096];
    FORMAT_INTO(what);
    RUN_FAILED(("invariant broken at %s:%d: %s", file, line, what), NO_REMEDY);
    if (way_out)
        protected_call_abandon();
    protected_call_outside(true);
}

/* ---- guarded copies ---- */

static _Thread_local const struct guarded_copy *copying;

void guarded_copy_begin(const struct guarded_copy *copy)
{
    copying = copy;
    __asm__ volatile("" ::: "memory"); /* the copy stays behind this */
}

void guarded_copy_end(void)
{
    __asm__ volatile("" ::: "memory");
    copying = NULL;
}

void guarded_copy_fault(int signal, const void *address)
{
    const struct guarded_copy *copy = copying;
    copying = NULL;
    if (copy)
        copy->fault(copy->arg, signal, address);
}
