/*
 * Fibers: they run in turns as they are resumed, on any thread, and find their registers, locals
 * and attempts as they left them; tens of thousands fit; a failure on a fiber arrives at the
 * attempt around its resumption; whoever overruns a stack is stopped, whatever guards the system
 * has.
 */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "sanitizers.h"

#include "base/status.h"
#include "base/fiber.h"
#include "base/memory.h"

enum {
    STACK = 64 << 10,
    MANY = TSAN ? 300 : 65536, /* gcc 12's TSan has room for some 400 on aarch64 */
    MOST_BYTES_EACH = TSAN   ? 1 << 20
                      : ASAN ? 16384
                             : 6144
};

/* Locals elsewhere than on the stack neither overrun it nor fit 65,536 times. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_stack_use_after_return=0";
}

/* ---- systems with fewer guards: these take the place of the C library's ---- */

static enum { HAS_MARKS, HAS_MPROTECT, HAS_NONE } guards;

int madvise(void *block, size_t bytes, int advice)
{
    if (advice == 102 && guards != HAS_MARKS) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_madvise, block, bytes, advice);
}

int mprotect(void *block, size_t bytes, int protection)
{
    if (protection == PROT_NONE && guards == HAS_NONE) {
        errno = ENOMEM;
        return -1;
    }
    return (int)syscall(SYS_mprotect, block, bytes, protection);
}

/* ---- turns ---- */

static char said[64];

static void say(const char *words)
{
    strcat(said, words);
}

static void count_to_three(void *name)
{
    for (int i = 1; i <= 3; i++) {
        char text[8];
        snprintf(text, sizeof(text), "%s%d ", (const char *)name, i);
        say(text);
        if (i < 3)
            fiber_yield();
    }
}

static void they_run_when_resumed(void **state)
{
    (void)state;
    struct fibers *p = fibers_create(2, STACK);
    said[0] = '\0';
    fiber_start(p, 0, count_to_three, "a");
    fiber_start(p, 1, count_to_three, "b");
    assert_string_equal(said, "");
    assert_true(fiber_resume(p, 0));
    assert_true(fiber_resume(p, 1));
    assert_true(fiber_resume(p, 1));
    say("| ");
    assert_true(fiber_resume(p, 0));
    assert_false(fiber_resume(p, 0));
    assert_false(fiber_resume(p, 1));
    assert_string_equal(said, "a1 b1 b2 | a2 a3 b3 ");
    fibers_destroy(p);
}

static void an_index_is_used_again(void **state)
{
    (void)state;
    struct fibers *p = fibers_create(1, STACK);
    for (int round = 0; round < 1000; round++) {
        said[0] = '\0';
        fiber_start(p, 0, count_to_three, "c");
        while (fiber_resume(p, 0))
            say("| ");
        assert_string_equal(said, "c1 | c2 | c3 ");
    }
    fibers_destroy(p);
}

static void store_self(void *arg)
{
    uint32_t *self = arg;
    for (;;) {
        *self = fiber_inside() ? fiber_self() : UINT32_MAX;
        fiber_yield();
    }
}

static void a_fiber_knows_itself(void **state)
{
    (void)state;
    struct fibers *p = fibers_create(5, STACK);
    uint32_t self[5];
    for (uint32_t i = 0; i < 5; i++)
        fiber_start(p, i, store_self, &self[i]);
    for (uint32_t i = 0; i < 10; i++) {
        self[i % 5] = UINT32_MAX;
        assert_false(fiber_inside());
        assert_true(fiber_resume(p, i % 5));
        assert_int_equal(self[i % 5], i % 5);
    }
    assert_false(fiber_inside());
    fibers_destroy(p);
}

static void run_another(void *arg)
{
    struct fibers *p = arg;
    bool more = true;
    while (more) {
        more = fiber_resume(p, 1);
        say(fiber_self() == 0 ? "| " : "? ");
        fiber_yield();
    }
}

static void a_fiber_resumes_another(void **state)
{
    (void)state;
    struct fibers *p = fibers_create(2, STACK);
    said[0] = '\0';
    fiber_start(p, 0, run_another, p);
    fiber_start(p, 1, count_to_three, "d");
    while (fiber_resume(p, 0))
        say("host ");
    assert_string_equal(said, "d1 | host d2 | host d3 | host ");
    fibers_destroy(p);
}

/* ---- what a switch preserves ---- */

#if defined(__aarch64__)
#define IN_REGISTERS(w, r) __asm__ volatile("" : "+r"(w), "+w"(r))
#elif defined(__x86_64__)
#define IN_REGISTERS(w, r) __asm__ volatile("" : "+r"(w), "+x"(r))
#else
#define IN_REGISTERS(w, r) (void)0
#endif

struct sums {
    uint64_t seed, whole;
    double real;
};

/* As many values as a function must preserve at most; all fibers have them in the same registers.
 */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define BEGIN(i)                                                                                   \
    uint64_t whole##i = s->seed + i;                                                               \
    double real##i = (double)s->seed + 0.5 * i;
#define STEP(i)                                                                                    \
    IN_REGISTERS(whole##i, real##i);                                                               \
    whole##i += 1;                                                                                 \
    real##i += 0.25;
#define END(i)                                                                                     \
    s->whole += whole##i;                                                                          \
    s->real += real##i;

static void add_up(void *arg)
{
    struct sums *s = arg;
    EACH(BEGIN)
    for (int round = 0; round < 50; round++) {
        fiber_yield();
        EACH(STEP)
    }
    EACH(END)
}

static void registers_stay(void **state)
{
    (void)state;
    enum { FIBERS = 7 };
    struct fibers *p = fibers_create(FIBERS, STACK);
    struct sums s[FIBERS];
    for (uint32_t i = 0; i < FIBERS; i++) {
        s[i] = (struct sums){.seed = 100 * i};
        fiber_start(p, i, add_up, &s[i]);
    }
    for (uint32_t visit = 0; visit < 51 * FIBERS; visit++)
        assert_int_equal(fiber_resume(p, visit % FIBERS), visit < 50 * FIBERS);
    for (uint32_t i = 0; i < FIBERS; i++) {
        assert_int_equal(s[i].whole, 8 * (100 * i + 50) + 28);
        assert_true(s[i].real == 8 * (100 * i + 12.5) + 14);
    }
    fibers_destroy(p);
}

/* In arithmetic and by the control word, which may be two different ones. */
static bool rounds(int mode)
{
    volatile double little = 1e-30;
    return fegetround() == mode && (1.0 + little > 1.0) == (mode == FE_UPWARD);
}

static void round_upwards(void *arg)
{
    bool *as_expected = arg;
    *as_expected = rounds(FE_TONEAREST);
    fesetround(FE_UPWARD);
    fiber_yield();
    *as_expected &= rounds(FE_UPWARD);
}

static void each_fiber_rounds_in_its_own_way(void **state)
{
    (void)state;
    struct fibers *p = fibers_create(1, STACK);
    bool as_expected = false;
    fiber_start(p, 0, round_upwards, &as_expected);
    assert_true(fiber_resume(p, 0));
    assert_true(rounds(FE_TONEAREST));
    fesetround(FE_DOWNWARD);
    assert_false(fiber_resume(p, 0));
    assert_true(rounds(FE_DOWNWARD));
    fesetround(FE_TONEAREST);
    assert_true(as_expected);
    fibers_destroy(p);
}

/* ---- many ---- */

static void add_twice(void *arg)
{
    uint64_t *sum = arg, self = fiber_self();
    *sum += self;
    fiber_yield();
    *sum += self;
}

static void many_fibers_take_a_page_each(void **state)
{
    (void)state;
    for (guards = HAS_MARKS; guards <= HAS_NONE; guards++) {
        uint64_t before = memory_peak(), sum = 0;
        struct fibers *p = fibers_create(MANY, STACK);
        for (uint32_t i = 0; i < MANY; i++)
            fiber_start(p, i, add_twice, &sum);
        for (uint32_t i = 0; i < MANY; i++)
            assert_true(fiber_resume(p, i));
        for (uint32_t i = 0; i < MANY; i++)
            assert_false(fiber_resume(p, i));
        assert_int_equal(sum, (uint64_t)MANY * (MANY - 1));
        assert_true(memory_peak() - before < (uint64_t)MANY * MOST_BYTES_EACH);
        fibers_destroy(p);
    }
    guards = HAS_MARKS;
}

static void destroy_unfinished_ones(void **state)
{
    (void)state;
    for (int round = 0; round < 3; round++) {
        struct fibers *p = fibers_create(100, STACK);
        uint64_t sum = 0;
        for (uint32_t i = 0; i < 75; i++)
            fiber_start(p, i, add_twice, &sum);
        for (uint32_t i = 0; i < 50; i++)
            fiber_resume(p, i);
        for (uint32_t i = 0; i < 25; i++)
            fiber_resume(p, i);
        fibers_destroy(p);
    }
    fibers_destroy(fibers_create(0, 0));
    fibers_destroy(NULL);
}

/* ---- threads ---- */

enum { CREW = 8, TURNS = 200 };

/* Fibers that one thread resumes, then the other. */
struct crew {
    struct fibers *fibers;
    pthread_barrier_t barrier;
    uint32_t host[CREW];    /* the thread that resumes it */
    bool failed_well[CREW]; /* its attempts gave what they should */
};

static weft_status fail_after_a_yield(void *arg)
{
    fiber_yield();
    WEFT_CHECK(false, "fiber %u", *(uint32_t *)arg);
    return WEFT_OK;
}

/* Fails over and over, always on another thread than it began the attempt on. */
static void fail_all_the_time(void *arg)
{
    struct crew *c = arg;
    uint32_t self = fiber_self();
    char expected[16];
    snprintf(expected, sizeof(expected), ": fiber %u", self);
    for (int turn = 0; turn < TURNS; turn++) {
        uint32_t host = c->host[self];
        weft_status status = protected_call(fail_after_a_yield, &self);
        c->failed_well[self] &= status == WEFT_FAILED && !!strstr(weft_last_error(), expected);
        c->failed_well[self] &= c->host[self] != host;
        c->failed_well[self] &= fiber_self() == self;
    }
}

/* Resumes every second fiber, then the others, and so on. */
static void resume_in_turns(struct crew *c, uint32_t thread)
{
    for (int turn = 0; turn <= TURNS; turn++) {
        for (uint32_t i = (thread + (unsigned)turn) % 2; i < CREW; i += 2) {
            c->host[i] = thread;
            c->failed_well[i] &= fiber_resume(c->fibers, i) == (turn < TURNS);
        }
        pthread_barrier_wait(&c->barrier);
    }
}

static void *second_thread(void *arg)
{
    resume_in_turns(arg, 1);
    return NULL;
}

static void fibers_and_their_attempts_move_between_threads(void **state)
{
    (void)state;
    struct crew c = {.fibers = fibers_create(CREW, STACK)};
    pthread_t thread;
    pthread_barrier_init(&c.barrier, NULL, 2);
    for (uint32_t i = 0; i < CREW; i++) {
        c.failed_well[i] = true;
        fiber_start(c.fibers, i, fail_all_the_time, &c);
    }
    assert_int_equal(pthread_create(&thread, NULL, second_thread, &c), 0);
    resume_in_turns(&c, 0);
    pthread_join(thread, NULL);
    for (uint32_t i = 0; i < CREW; i++)
        assert_true(c.failed_well[i]);
    pthread_barrier_destroy(&c.barrier);
    fibers_destroy(c.fibers);
}

/* ---- failures ---- */

static void break_invariant(void *arg)
{
    fiber_yield();
    WEFT_CHECK(arg == NULL, "an invariant of fiber %u", fiber_self());
}

static void run_out_of_memory(void *arg)
{
    memory_reserve(*(size_t *)arg);
}

struct job {
    struct fibers *fibers;
    int resumed;
};

static weft_status resume_all(void *arg)
{
    struct job *j = arg;
    for (j->resumed = 1; fiber_resume(j->fibers, 0); j->resumed++)
        continue;
    return WEFT_OK;
}

static void a_failure_arrives_around_the_resumption(void **state)
{
    (void)state;
    size_t too_much = (size_t)1 << 60;
    struct job j = {.fibers = fibers_create(1, STACK)};
    for (int round = 0; round < 100; round++) {
        fiber_start(j.fibers, 0, break_invariant, &j);
        assert_int_equal(protected_call(resume_all, &j), WEFT_FAILED);
        assert_int_equal(j.resumed, 2);
        assert_non_null(strstr(weft_last_error(), "an invariant of fiber 0"));
        assert_false(fiber_inside());
        fiber_start(j.fibers, 0, run_out_of_memory, &too_much);
        assert_int_equal(protected_call(resume_all, &j), WEFT_BAD_INPUT);
        assert_int_equal(j.resumed, 1);
        assert_string_equal(weft_last_error(),
                            "out of memory (1.0 EiB requested); use a smaller machine");
        fiber_start(j.fibers, 0, break_invariant, NULL);
        assert_int_equal(protected_call(resume_all, &j), WEFT_OK);
    }
    fibers_destroy(j.fibers);
}

static weft_status yield_once(void *arg)
{
    (void)arg;
    fiber_yield();
    return WEFT_OK;
}

static void attempt_to_yield(void *arg)
{
    protected_call(yield_once, arg);
}

static weft_status resume_and_fail(void *arg)
{
    fiber_resume(arg, 0);
    return RUN_FAILED(("host"), NO_REMEDY), protected_call_abandon(), WEFT_OK;
}

static void a_host_does_not_fail_into_a_fiber(void **state)
{
    (void)state;
    struct fibers *p = fibers_create(1, STACK);
    fiber_start(p, 0, attempt_to_yield, NULL);
    assert_int_equal(protected_call(resume_and_fail, p), WEFT_FAILED);
    assert_string_equal(weft_last_error(), "host");
    assert_false(fiber_resume(p, 0));
    fibers_destroy(p);
}

static void fail_on_an_inner_fiber(void *arg)
{
    struct job *j = arg, inner = {.fibers = fibers_create(1, STACK)};
    fiber_start(inner.fibers, 0, break_invariant, &inner);
    weft_status status = protected_call(resume_all, &inner);
    j->resumed = status == WEFT_FAILED && fiber_self() == 0 ? inner.resumed : 0;
    fiber_start(inner.fibers, 0, break_invariant, NULL); /* the index is free */
    fibers_destroy(inner.fibers);
}

static void a_failure_stops_at_the_fiber_that_catches_it(void **state)
{
    (void)state;
    struct job j = {.fibers = fibers_create(1, STACK)};
    fiber_start(j.fibers, 0, fail_on_an_inner_fiber, &j);
    assert_false(fiber_resume(j.fibers, 0));
    assert_int_equal(j.resumed, 2);
    fibers_destroy(j.fibers);
}

static void fail_outside_any_attempt(void *arg)
{
    size_t too_much = (size_t)1 << 60;
    fiber_start(arg, 0, run_out_of_memory, &too_much);
    fiber_resume(arg, 0);
}

static void outside_any_attempt_the_program_ends(void **state)
{
    (void)state;
    struct fibers *p = fibers_create(1, STACK);
    struct child_end end = child_run(fail_outside_any_attempt, p);
    assert_true(WIFEXITED(end.status));
    assert_int_equal(WEXITSTATUS(end.status), WEFT_BAD_INPUT);
    assert_non_null(strstr(end.text, "weft: out of memory (1.0 EiB requested)"));
    fibers_destroy(p);
}

static weft_status create_too_much(void *arg)
{
    fibers_create(UINT32_MAX, *(size_t *)arg);
    return WEFT_OK;
}

static void a_pool_that_is_too_large_is_out_of_memory(void **state)
{
    (void)state;
    const size_t sizes[] = {(size_t)1 << 30, (size_t)1 << 40, SIZE_MAX / 2, SIZE_MAX - 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        size_t bytes = sizes[i];
        assert_int_equal(protected_call(create_too_much, &bytes), WEFT_BAD_INPUT);
        assert_non_null(strstr(weft_last_error(), "out of memory"));
    }
}

/* ---- misuse ---- */

static void yield_outside(void *arg)
{
    (void)arg;
    fiber_yield();
}

static void resume_a_new_one(void *arg)
{
    fiber_resume(arg, 0);
}

static void resume_none(void *arg)
{
    fiber_resume(arg, 3);
}

static void resume_one_that_ended(void *arg)
{
    fiber_start(arg, 0, count_to_three, "e");
    while (fiber_resume(arg, 0))
        continue;
    fiber_resume(arg, 0);
}

static void start_twice(void *arg)
{
    fiber_start(arg, 0, count_to_three, "f");
    fiber_start(arg, 0, count_to_three, "f");
}

static void misuse_is_found(void **state)
{
    (void)state;
    struct fibers *p = fibers_create(3, STACK);
    assert_aborts(yield_outside, p, "a yield outside any fiber");
    assert_aborts(resume_a_new_one, p, "fiber 0 is not ready to run");
    assert_aborts(resume_none, p, "fiber 3 of 3");
    assert_aborts(resume_one_that_ended, p, "fiber 0 is not ready to run");
    assert_aborts(start_twice, p, "fiber 0 has not ended");
    fibers_destroy(p);
}

/* ---- overruns ---- */

/* Calls itself until the stack has grown by so many bytes, and fills it. */
__attribute__((noinline)) static int dig(const char *start, ptrdiff_t bytes)
{
    char block[256];
    memset(block, 1, sizeof(block));
    __asm__ volatile("" : : "r"(block) : "memory");
    if (start - block < bytes)
        return dig(start, bytes) + block[7];
    return 0;
}

static void dig_to(void *arg)
{
    char here = 0;
    dig(&here, *(ptrdiff_t *)arg);
    fiber_yield();
    dig(&here, *(ptrdiff_t *)arg);
}

static const ptrdiff_t shallow = STACK - 8192, deep = STACK, far = STACK + 2048;

static void overrun(void *arg)
{
    struct fibers *p = arg;
    signal(SIGSEGV, SIG_DFL); /* cmocka would catch it */
    fiber_start(p, 2, dig_to, (void *)&far);
    fiber_resume(p, 2);
}

static void a_guard_page_stops_an_overrun(void **state)
{
    (void)state;
    for (guards = HAS_MARKS; guards <= HAS_MPROTECT; guards++) {
        struct fibers *p = fibers_create(4, STACK);
        struct child_end end = child_run(overrun, p);
        assert_true(WIFSIGNALED(end.status) ? WTERMSIG(end.status) == SIGSEGV
                                            : WEXITSTATUS(end.status) != 0);
        fibers_destroy(p);
    }
    guards = HAS_MARKS;
}

static weft_status resume_second(void *arg)
{
    fiber_resume(arg, 2);
    return WEFT_OK;
}

static void a_check_finds_an_overrun(void **state)
{
    (void)state;
    guards = HAS_NONE;
    struct fibers *p = fibers_create(4, STACK);
    guards = HAS_MARKS;
    fiber_start(p, 2, dig_to, (void *)&deep);
    assert_int_equal(protected_call(resume_second, p), WEFT_FAILED);
    assert_non_null(strstr(weft_last_error(), "fiber 2 overran its stack of 65536 bytes"));
    fibers_destroy(p);
}

static void a_stack_can_be_used_up_with_any_guard(void **state)
{
    (void)state;
    for (guards = HAS_MARKS; guards <= HAS_NONE; guards++) {
        struct fibers *p = fibers_create(4, STACK);
        for (uint32_t i = 0; i < 4; i++)
            fiber_start(p, i, dig_to, (void *)&shallow);
        for (uint32_t i = 0; i < 8; i++)
            assert_int_equal(fiber_resume(p, i % 4), i < 4);
        fibers_destroy(p);
    }
    guards = HAS_MARKS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_run_when_resumed),
        cmocka_unit_test(an_index_is_used_again),
        cmocka_unit_test(a_fiber_knows_itself),
        cmocka_unit_test(a_fiber_resumes_another),
        cmocka_unit_test(registers_stay),
        cmocka_unit_test(each_fiber_rounds_in_its_own_way),
        cmocka_unit_test(many_fibers_take_a_page_each),
        cmocka_unit_test(destroy_unfinished_ones),
        cmocka_unit_test(fibers_and_their_attempts_move_between_threads),
        cmocka_unit_test(a_failure_arrives_around_the_resumption),
        cmocka_unit_test(a_host_does_not_fail_into_a_fiber),
        cmocka_unit_test(a_failure_stops_at_the_fiber_that_catches_it),
        cmocka_unit_test(outside_any_attempt_the_program_ends),
        cmocka_unit_test(a_pool_that_is_too_large_is_out_of_memory),
        cmocka_unit_test(misuse_is_found),
        cmocka_unit_test(a_guard_page_stops_an_overrun),
        cmocka_unit_test(a_check_finds_an_overrun),
        cmocka_unit_test(a_stack_can_be_used_up_with_any_guard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
