/*
 * Fibers. All stacks of a pool are one mapping, as a process may have no more than some 65,000:
 *
 *   | guard | stack 0 | guard | stack 1 | ...         stacks grow down, towards their guard
 *
 * A guard is, as the system allows,
 *   - pages marked by MADV_GUARD_INSTALL (Linux 6.13), which take no mapping;
 *   - pages made inaccessible, which take two mappings: for the first MOST_MPROTECTED;
 *   - pages whose end, next to the stack, must stay zero, which is checked after each visit.
 * Reading it takes no memory: the system's one page of zeros is mapped.
 */
#include "base/fiber.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "base/fiber_sanitizer.h"
#include "base/memory.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

enum {
    LEAST_STACK = 16 << 10,  /* a failure needs 8 KiB to say what it is */
    MOST_MPROTECTED = 16384, /* takes half of Linux's 65,530 mappings */
    CHECKED_BYTES = 64,      /* of a guard, next to the stack */
    GUARD_LEAST = 1 << 16,   /* bytes: few variables leap over it */
};

enum fiber_state { FIBER_NEW, FIBER_READY, FIBER_RUNNING, FIBER_ENDED, FIBER_FAILED };

/* One cache line. Written by whoever visits it. */
struct fiber {
    _Alignas(64) void *sp; /* the stack pointer to go to: its own, or its host's while it runs */
    void *protected_call;  /* likewise, the innermost protected call */
    void (*body)(void *arg);
    void *arg;
    struct fibers *pool;
    uint32_t index;
    enum fiber_state state;
    struct sanitized sanitized;
};

enum guard { GUARD_MARKED, GUARD_MPROTECTED, GUARD_CHECKED };

struct fibers {
    struct fiber *fiber;
    char *slots; /* guards and stacks */
    size_t guard_bytes, slot_bytes;
    uint32_t count;
    enum guard guard;
    bool code_allowed;
};

/* ---- switching stacks ---- */

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__LP64__)

/* fiber_switch.S */
void fiber_swap(void **sp);
void *fiber_frame(void *top, void (*entry)(void));

#else

#include <ucontext.h>

/* Here the "stack pointer" is that of a context, which lies on the stack that is left. */
static void fiber_swap(void **sp)
{
    ucontext_t here, *there = *sp;
    *sp = &here;
    swapcontext(&here, there);
}

static void *fiber_frame(void *top, void (*entry)(void))
{
    ucontext_t *frame = (ucontext_t *)top - 1;
    getcontext(frame);
    frame->uc_stack.ss_sp = (char *)frame - LEAST_STACK / 2; /* only its end matters */
    frame->uc_stack.ss_size = LEAST_STACK / 2;
    makecontext(frame, entry, 0);
    return frame;
}

#endif

static _Thread_local struct fiber *running;

/* Never inlined: a fiber may be on another thread after each switch, and a compiler that sees a
 * thread's variable on both sides of one may take its address only once. */
__attribute__((noinline)) static struct fiber *running_fiber(void)
{
    __asm__ volatile("");
    return running;
}

__attribute__((noinline)) static void run_from_now(struct fiber *f)
{
    __asm__ volatile("");
    running = f;
}

/* ---- guards ---- */

static atomic_uint mprotected; /* guards in this process */

static char *guard_of(const struct fibers *p, uint32_t index)
{
    return p->slots + index * p->slot_bytes;
}

static char *stack_of(const struct fibers *p, uint32_t index)
{
    return guard_of(p, index) + p->guard_bytes;
}

static char *top_of(const struct fibers *p, uint32_t index)
{
    return guard_of(p, index) + p->slot_bytes;
}

static bool mark_guards(const struct fibers *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (madvise(guard_of(p, i), p->guard_bytes, MADV_GUARD_INSTALL) != 0)
            return false;
    return true;
}

static bool mprotect_guards(const struct fibers *p)
{
    uint32_t i = 0;
    if (atomic_fetch_add(&mprotected, p->count) + p->count <= MOST_MPROTECTED)
        while (i < p->count && mprotect(guard_of(p, i), p->guard_bytes, PROT_NONE) == 0)
            i++;
    if (i == p->count)
        return true;
    atomic_fetch_sub(&mprotected, p->count);
    if (i > 0)
        mprotect(p->slots, i * p->slot_bytes, PROT_READ | PROT_WRITE);
    return false;
}

static bool guard_is_zero(const struct fibers *p, uint32_t index)
{
    const uint64_t *word = (const uint64_t *)(stack_of(p, index) - CHECKED_BYTES);
    uint64_t bits = 0;
    for (unsigned i = 0; i < CHECKED_BYTES / sizeof(*word); i++)
        bits |= word[i];
    return bits == 0;
}

/* ---- pools ---- */

static size_t stacks_bytes(const struct fibers *p)
{
    return p->count * p->slot_bytes;
}

/* What no computer has is made small enough to multiply, and not had either. */
static struct fibers sized(uint32_t count, size_t stack_bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), most = SIZE_MAX / 4 / (count ? count : 1);
    if (stack_bytes < LEAST_STACK)
        stack_bytes = LEAST_STACK;
    if (stack_bytes > most)
        stack_bytes = most;
    size_t guard = page > GUARD_LEAST ? page : GUARD_LEAST;
    stack_bytes = (stack_bytes + page - 1) / page * page;
    return (struct fibers){.count = count, .guard_bytes = guard, .slot_bytes = guard + stack_bytes};
}

struct fibers *fibers_create(uint32_t count, size_t stack_bytes)
{
    struct fibers p = sized(count, stack_bytes), *pool;
    p.slots = memory_reserve(stacks_bytes(&p));
    madvise(p.slots, stacks_bytes(&p), MADV_NOHUGEPAGE); /* or each touch commits 2 MiB */
    p.guard = mark_guards(&p)       ? GUARD_MARKED
              : mprotect_guards(&p) ? GUARD_MPROTECTED
                                    : GUARD_CHECKED;
    p.fiber = memory_reserve(count * sizeof(*p.fiber));
    pool = memory_alloc(1, sizeof(*pool));
    *pool = p;
    return pool;
}

void fibers_allow_code(void)
{
    const int all = PROT_READ | PROT_WRITE | PROT_EXEC;
    struct fibers *p = running_fiber()->pool;
    if (p->code_allowed)
        return;
    p->code_allowed = true;
    if (p->guard != GUARD_MPROTECTED)
        mprotect(p->slots, stacks_bytes(p), all);
    else
        for (uint32_t i = 0; i < p->count; i++)
            mprotect(stack_of(p, i), p->slot_bytes - p->guard_bytes, all);
}

static void fiber_drop(struct fiber *f)
{
    sanitized_drop(&f->sanitized, f->sp, top_of(f->pool, f->index));
    f->state = FIBER_NEW;
}

void fibers_destroy(struct fibers *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->fiber[i].state != FIBER_NEW)
            fiber_drop(&p->fiber[i]);
    if (p->guard == GUARD_MPROTECTED)
        atomic_fetch_sub(&mprotected, p->count);
    memory_release(p->fiber, p->count * sizeof(*p->fiber));
    memory_release(p->slots, stacks_bytes(p));
    free(p);
}

/* ---- fibers ---- */

static weft_status run_body(void *arg)
{
    struct fiber *f = arg;
    f->body(f->arg);
    f->state = FIBER_ENDED;
    return WEFT_OK;
}

/* ---- overruns ---- */

static void (*prepare_thread)(void);
static _Thread_local bool is_prepared;

bool fiber_is_guard(const void *at)
{
    const struct fiber *f = running_fiber();
    const char *byte = at;
    return f && byte >= guard_of(f->pool, f->index) && byte < stack_of(f->pool, f->index);
}

void fibers_prepare_threads(void (*prepare)(void))
{
    prepare_thread = prepare;
}

/* The outermost function on each stack. A failure ends here, and goes on in fiber_resume(). */
static void fiber_main(void)
{
    struct fiber *f = running_fiber();
    sanitized_arrives(&f->sanitized);
    protected_call(run_body, f);
    if (f->state != FIBER_ENDED)
        f->state = FIBER_FAILED;
    sanitized_leaves(&f->sanitized, true);
    fiber_swap(&f->sp);
    abort(); /* nobody resumes it */
}

static struct fiber *fiber_at(struct fibers *p, uint32_t index)
{
    WEFT_CHECK(index < p->count, "fiber %u of %u", index, p->count);
    return &p->fiber[index];
}

void fiber_start(struct fibers *p, uint32_t index, void (*body)(void *arg), void *arg)
{
    struct fiber *f = fiber_at(p, index);
    WEFT_CHECK(f->state == FIBER_NEW || f->state == FIBER_ENDED, "fiber %u has not ended", index);
    if (f->state == FIBER_ENDED)
        fiber_drop(f);
    *f = (struct fiber){.body = body, .arg = arg, .pool = p, .index = index, .state = FIBER_READY};
    f->sp = fiber_frame(top_of(p, index), fiber_main);
    sanitized_start(&f->sanitized);
}

/* Runs a fiber until it comes back. */
static void visit(struct fiber *f)
{
    struct fiber *outer = running_fiber();
    run_from_now(f);
    f->state = FIBER_RUNNING;
    f->protected_call = protected_call_swap(f->protected_call);
    sanitized_visit_begins(&f->sanitized, stack_of(f->pool, f->index),
                           f->pool->slot_bytes - f->pool->guard_bytes);
    fiber_swap(&f->sp);
    sanitized_visit_ends(&f->sanitized);
    f->protected_call = protected_call_swap(f->protected_call);
    run_from_now(outer);
}

bool fiber_resume(struct fibers *p, uint32_t index)
{
    struct fiber *f = fiber_at(p, index);
    WEFT_CHECK(f->state == FIBER_READY, "fiber %u is not ready to run", index);
    if (prepare_thread && !is_prepared) {
        is_prepared = true;
        prepare_thread();
    }
    visit(f);
    bool failed = f->state == FIBER_FAILED;
    if (failed)
        f->state = FIBER_ENDED;
    WEFT_CHECK(p->guard != GUARD_CHECKED || guard_is_zero(p, index),
               "fiber %u overran its stack of %zu bytes", index, p->slot_bytes - p->guard_bytes);
    if (failed)
        protected_call_abandon();
    return f->state == FIBER_READY;
}

void fiber_yield(void)
{
    struct fiber *f = running_fiber();
    WEFT_CHECK(f, "a yield outside any fiber");
    f->state = FIBER_READY;
    sanitized_leaves(&f->sanitized, false);
    fiber_swap(&f->sp);
    sanitized_arrives(&f->sanitized);
}

bool fiber_inside(void)
{
    return running_fiber() != NULL;
}

uint32_t fiber_self(void)
{
    struct fiber *f = running_fiber();
    WEFT_CHECK(f, "no fiber is running");
    return f->index;
}
