/*
 * Attempts: work that runs out of memory, or is no longer wanted, returns a status to the innermost
 * attempt of its thread, and the error record says why; outside any attempt the program ends with
 * one line. Memory: zeroed and aligned as promised, and no size, however large, wraps around to a
 * small block.
 */
#include "group.h"
#include "child.h"

#include <pthread.h>
#include <sys/mman.h>

#include "base/status.h"
#include "base/memory.h"

/* More than any address space holds. */
static const size_t EXBIBYTE = (size_t)1 << 60;

/* ---- attempts ---- */

static weft_status return_it(void *arg)
{
    return *(weft_status *)arg;
}

static void a_body_that_returns_gives_its_status(void **state)
{
    (void)state;
    for (weft_status s = WEFT_OK; s <= WEFT_BAD_INPUT; s++)
        assert_int_equal(protected_call(return_it, &s), s);
}

/* One request for memory. */
struct request {
    enum { ALLOC, ALLOC_LINES, GROW, RESERVE, EXTEND, REQUESTS } kind;
    size_t count, size;
    void *block; /* NULL: the call did not return */
};

static weft_status ask(void *arg)
{
    struct request *r = arg;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    switch (r->kind) {
    case ALLOC:
        r->block = memory_alloc(r->count, r->size);
        break;
    case ALLOC_LINES:
        r->block = memory_alloc_lines(r->count, r->size);
        break;
    case GROW:
        r->block = memory_grow(NULL, r->count, r->size);
        break;
    case RESERVE:
        r->block = memory_reserve(r->count * r->size);
        break;
    default:
        r->block = memory_extend(memory_reserve(page), page, r->count * r->size);
    }
    return WEFT_OK;
}

static void out_of_memory_is_a_status_and_a_record(void **state)
{
    (void)state;
    for (int kind = 0; kind < REQUESTS; kind++) {
        struct request r = {.kind = kind, .count = EXBIBYTE / 8, .size = 8};
        RUN_FAILED(("something else"), NO_REMEDY);
        assert_int_equal(protected_call(ask, &r), WEFT_BAD_INPUT);
        assert_null(r.block);
        assert_string_equal(weft_last_error(),
                            "out of memory (1.0 EiB requested); use a smaller machine");
    }
}

static void a_size_beyond_any_number_is_out_of_memory(void **state)
{
    (void)state;
    static const struct {
        size_t count, size;
    } large[] = {{(size_t)1 << 33, (size_t)1 << 33},
                 {(size_t)1 << 63, 2}, /* 0 modulo 2^64 */
                 {3, SIZE_MAX / 3 + 1},
                 {SIZE_MAX, SIZE_MAX},
                 {SIZE_MAX, 1}, /* a product, but without room to round it up to a line */
                 {1, SIZE_MAX - 62}};
    for (int kind = ALLOC; kind <= GROW; kind++)
        for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
            struct request r = {.kind = kind, .count = large[i].count, .size = large[i].size};
            assert_int_equal(protected_call(ask, &r), WEFT_BAD_INPUT);
            assert_null(r.block);
            assert_string_equal(weft_last_error(),
                                "out of memory (16.0 EiB requested); use a smaller machine");
        }
}

static weft_status leave(void *arg)
{
    RUN_FAILED(("%s", (const char *)arg), NO_REMEDY);
    protected_call_abandon();
}

static weft_status fail_within(void *arg)
{
    assert_int_equal(protected_call(leave, "inner"), WEFT_FAILED);
    assert_string_equal(weft_last_error(), "inner");
    *(bool *)arg = true;
    return WEFT_OK;
}

static void a_failure_goes_to_the_innermost_attempt(void **state)
{
    (void)state;
    bool went_on = false;
    assert_int_equal(protected_call(fail_within, &went_on), WEFT_OK);
    assert_true(went_on);
}

static weft_status leave_after_another(void *arg)
{
    weft_status fine = WEFT_OK;
    if (*(bool *)arg)
        protected_call(leave, "inner");
    else
        protected_call(return_it, &fine);
    leave("outer");
    return WEFT_OK;
}

static void when_the_inner_attempt_is_over_the_outer_one_counts(void **state)
{
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        bool inner_fails = fails;
        assert_int_equal(protected_call(leave_after_another, &inner_fails), WEFT_FAILED);
        assert_string_equal(weft_last_error(), "outer");
    }
}

static weft_status forward(void *arg)
{
    return protected_call(leave, arg);
}

static void an_inner_failure_can_be_forwarded(void **state)
{
    (void)state;
    assert_int_equal(protected_call(forward, "forwarded"), WEFT_FAILED);
    assert_string_equal(weft_last_error(), "forwarded");
}

/* Another thread, in the middle of an attempt of its own. */
struct elsewhere {
    pthread_t thread;
    pthread_barrier_t barrier;
    weft_status status;
    char text[64];
};

static weft_status wait_and_leave(void *arg)
{
    struct elsewhere *e = arg;
    pthread_barrier_wait(&e->barrier);
    pthread_barrier_wait(&e->barrier);
    return leave("there");
}

static void *attempt_on_a_thread(void *arg)
{
    struct elsewhere *e = arg;
    e->status = protected_call(wait_and_leave, e);
    snprintf(e->text, sizeof(e->text), "%s", weft_last_error());
    return NULL;
}

static weft_status leave_while_it_waits(void *arg)
{
    struct elsewhere *e = arg;
    assert_int_equal(pthread_create(&e->thread, NULL, attempt_on_a_thread, e), 0);
    pthread_barrier_wait(&e->barrier);
    return leave("here");
}

static void an_attempt_concerns_its_thread_only(void **state)
{
    (void)state;
    struct elsewhere e = {.status = WEFT_OK};
    pthread_barrier_init(&e.barrier, NULL, 2);
    assert_int_equal(protected_call(leave_while_it_waits, &e), WEFT_FAILED);
    assert_string_equal(weft_last_error(), "here");
    pthread_barrier_wait(&e.barrier);
    pthread_join(e.thread, NULL);
    assert_int_equal(e.status, WEFT_FAILED);
    assert_string_equal(e.text, "there");
    assert_string_equal(weft_last_error(), "here");
    pthread_barrier_destroy(&e.barrier);
}

static void reserve_too_much(void *arg)
{
    memory_reserve(*(size_t *)arg);
}

static void reserve_too_much_after_an_attempt(void *arg)
{
    protected_call(leave, "earlier");
    reserve_too_much(arg);
}

static void outside_any_attempt_the_program_ends_with_one_line(void **state)
{
    (void)state;
    size_t bytes = EXBIBYTE;
    void (*const body[])(void *) = {reserve_too_much, reserve_too_much_after_an_attempt};
    for (int i = 0; i < 2; i++) {
        struct child_end end = child_run(body[i], &bytes);
        assert_true(WIFEXITED(end.status));
        assert_int_equal(WEXITSTATUS(end.status), WEFT_BAD_INPUT);
        assert_string_equal(end.text,
                            "weft: out of memory (1.0 EiB requested); use a smaller machine\n");
    }
}

/* ---- watching ---- */

/* Says yes once it has said no `most` times. */
struct patience {
    int asked, most;
};

static bool is_out_of_patience(void *arg)
{
    struct patience *p = arg;
    return ++p->asked > p->most;
}

static weft_status poll_ten_times(void *arg)
{
    int *polls = arg;
    for (*polls = 0; *polls < 10; ++*polls)
        protected_call_poll();
    return WEFT_OK;
}

static void a_poll_gives_up_when_the_watcher_says_so(void **state)
{
    (void)state;
    struct patience p = {.most = 4};
    int polls;
    protected_call_watch(is_out_of_patience, &p);
    assert_int_equal(protected_call(poll_ten_times, &polls), WEFT_FAILED);
    assert_int_equal(polls, 4);
    assert_int_equal(p.asked, 5);
    assert_string_equal(weft_last_error(),
                        "interrupted before the first cycle; nothing was written");
    protected_call_watch(NULL, NULL);
}

static void a_poll_that_nobody_minds_goes_on(void **state)
{
    (void)state;
    struct patience p = {.most = 10}, late = {.most = 0};
    int polls;
    protected_call_watch(is_out_of_patience, &p);
    assert_int_equal(protected_call(poll_ten_times, &polls), WEFT_OK);
    assert_int_equal(p.asked, 10);
    protected_call_watch(is_out_of_patience, &late);
    protected_call_watch(NULL, NULL);
    assert_int_equal(protected_call(poll_ten_times, &polls), WEFT_OK);
    assert_int_equal(late.asked, 0);
}

static void *poll_on_a_thread(void *arg)
{
    poll_ten_times(arg);
    return NULL;
}

static void a_watcher_is_asked_on_its_thread_only(void **state)
{
    (void)state;
    struct patience p = {.most = 0};
    int polls = 0;
    pthread_t thread;
    protected_call_watch(is_out_of_patience, &p);
    assert_int_equal(pthread_create(&thread, NULL, poll_on_a_thread, &polls), 0);
    pthread_join(thread, NULL);
    protected_call_watch(NULL, NULL);
    assert_int_equal(polls, 10);
    assert_int_equal(p.asked, 0);
}

/* ---- memory ---- */

static void assert_zeros(const unsigned char *block, size_t size)
{
    for (size_t i = 0; i < size; i++)
        assert_int_equal(block[i], 0);
}

/* Leaves free blocks of about this size behind that are full of ones. */
static void soil(size_t size)
{
    void *block[8];
    for (int i = 0; i < 8; i++)
        memset(block[i] = malloc(size + 64), 0xff, size + 64);
    for (int i = 0; i < 8; i++)
        free(block[i]);
}

static void allocated_memory_is_zero(void **state)
{
    (void)state;
    for (size_t size = 0; size < 3000; size = 2 * size + 1) {
        soil(size);
        unsigned char *block = memory_alloc(size, 1), *lines = memory_alloc_lines(1, size);
        assert_zeros(block, size);
        assert_zeros(lines, size);
        free(block);
        free(lines);
    }
}

static void lines_start_on_a_cache_line(void **state)
{
    (void)state;
    void *block[200];
    for (size_t i = 0; i < 200; i++) {
        block[i] = memory_alloc_lines(i, 7);
        assert_non_null(block[i]);
        assert_int_equal((uintptr_t)block[i] % 64, 0);
        memset(block[i], 0xff, 7 * i);
    }
    for (size_t i = 0; i < 200; i++)
        free(block[i]);
}

static void nothing_at_all_is_a_block_too(void **state)
{
    (void)state;
    void *block[] = {memory_alloc(0, 8), memory_alloc(8, 0), memory_alloc_lines(0, 8),
                     memory_grow(NULL, 0, 8)};
    for (size_t i = 0; i < sizeof(block) / sizeof(block[0]); i++) {
        assert_non_null(block[i]);
        free(block[i]);
    }
    memory_release(memory_reserve(0), 0);
    memory_release(NULL, 0);
}

static void growing_keeps_what_is_there(void **state)
{
    (void)state;
    uint32_t *list = NULL;
    for (uint32_t count = 1; count < 100000; count *= 3) {
        list = memory_grow(list, count, sizeof(*list));
        list[count - 1] = count;
        for (uint32_t i = 1; i <= count; i *= 3)
            assert_int_equal(list[i - 1], i);
    }
    free(list);
}

static void reserved_memory_costs_what_is_touched(void **state)
{
    (void)state;
    const size_t bytes = (size_t)1 << 36;
    unsigned char *block = memory_reserve(bytes);
    assert_int_equal(block[0] | block[bytes / 2] | block[bytes - 1], 0);
    block[0] = block[bytes - 1] = 1;
    assert_true(memory_peak() < (uint64_t)1 << 32);
    memory_release(block, bytes);
}

static void extending_keeps_what_is_there_and_adds_zeros(void **state)
{
    (void)state;
    const size_t bytes = 1 << 16;
    unsigned char *block = memory_reserve(bytes);
    for (size_t i = 0; i < bytes; i++)
        block[i] = (unsigned char)(i * 7);
    /* With the addresses behind it taken, the block has to move. */
    void *behind = mmap(block + bytes, bytes, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    block = memory_extend(block, bytes, 4 * bytes);
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal(block[i], (unsigned char)(i * 7));
    assert_zeros(block + bytes, 3 * bytes);
    memory_release(block, 4 * bytes);
    if (behind != MAP_FAILED)
        munmap(behind, bytes);
}

static void a_copy_is_a_text_of_its_own(void **state)
{
    (void)state;
    char text[] = "bubble";
    char *copy = memory_copy(text), *empty = memory_copy("");
    text[0] = 'd';
    assert_string_equal(copy, "bubble");
    assert_string_equal(empty, "");
    free(copy);
    free(empty);
}

static void sizes_are_printed_with_a_unit(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *text;
    } row[] = {{0, "0 B"},
               {1023, "1023 B"},
               {1024, "1.0 KiB"},
               {1536, "1.5 KiB"},
               {(uint64_t)3 << 29, "1.5 GiB"},
               {(uint64_t)1 << 60, "1.0 EiB"},
               {UINT64_MAX, "16.0 EiB"}};
    char buffer[32];
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
        assert_string_equal(memory_text(row[i].bytes, buffer), row[i].text);
}

GROUP(protected_call)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_that_returns_gives_its_status),
        cmocka_unit_test(out_of_memory_is_a_status_and_a_record),
        cmocka_unit_test(a_size_beyond_any_number_is_out_of_memory),
        cmocka_unit_test(a_failure_goes_to_the_innermost_attempt),
        cmocka_unit_test(when_the_inner_attempt_is_over_the_outer_one_counts),
        cmocka_unit_test(an_inner_failure_can_be_forwarded),
        cmocka_unit_test(an_attempt_concerns_its_thread_only),
        cmocka_unit_test(outside_any_attempt_the_program_ends_with_one_line),
        cmocka_unit_test(a_poll_gives_up_when_the_watcher_says_so),
        cmocka_unit_test(a_poll_that_nobody_minds_goes_on),
        cmocka_unit_test(a_watcher_is_asked_on_its_thread_only),
        cmocka_unit_test(allocated_memory_is_zero),
        cmocka_unit_test(lines_start_on_a_cache_line),
        cmocka_unit_test(nothing_at_all_is_a_block_too),
        cmocka_unit_test(growing_keeps_what_is_there),
        cmocka_unit_test(reserved_memory_costs_what_is_touched),
        cmocka_unit_test(extending_keeps_what_is_there_and_adds_zeros),
        cmocka_unit_test(a_copy_is_a_text_of_its_own),
        cmocka_unit_test(sizes_are_printed_with_a_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
