/*
 * The error record: its parts are printed as "place: what; remedy"; a part that does not fit is
 * truncated; each thread has its own record, which can be handed to another thread. A broken
 * invariant stops the program and says where.
 */
#include "group.h"
#include "child.h"

#include <pthread.h>

#include "base/status.h"

static void the_text_is_place_what_and_remedy(void **state)
{
    (void)state;
    weft_status status =
        BAD_PLACE(("%s:%u:1", "a.yaml", 7u), ("'%s' is not a number", "x"), ("use %d digits", 3));
    assert_int_equal(status, WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), "a.yaml:7:1: 'x' is not a number; use 3 digits");
}

static void missing_parts_leave_no_punctuation(void **state)
{
    (void)state;
    RUN_FAILED(("interrupted at cycle %d", 12), NO_REMEDY);
    assert_string_equal(weft_last_error(), "interrupted at cycle 12");
    BAD_PLACE(("here"), ("wrong"), NO_REMEDY);
    assert_string_equal(weft_last_error(), "here: wrong");
    BAD_INPUT(NULL, ("wrong"), ("do this"));
    assert_string_equal(weft_last_error(), "wrong; do this");
}

static void each_part_has_its_field(void **state)
{
    (void)state;
    const struct error *e = error_last();
    assert_int_equal(BAD_INPUT("machine.dims machine.router.vcs", ("w"), ("r")), WEFT_BAD_INPUT);
    assert_int_equal(e->status, WEFT_BAD_INPUT);
    assert_string_equal(e->keys, "machine.dims machine.router.vcs");
    assert_string_equal(e->place, "");
    assert_string_equal(e->what, "w");
    assert_string_equal(e->remedy, "r");
    assert_int_equal(RUN_FAILED(("w"), ("r")), WEFT_FAILED);
    assert_int_equal(error_status(), WEFT_FAILED);
}

static void a_new_failure_empties_the_record(void **state)
{
    (void)state;
    const struct error *e = error_last();
    error_begin(WEFT_BAD_INPUT, "machine.dims");
    error_place("place");
    error_what("what");
    error_remedy("remedy");
    error_begin(WEFT_FAILED, NULL);
    assert_int_equal(e->status, WEFT_FAILED);
    assert_string_equal(e->keys, "");
    assert_string_equal(weft_last_error(), "");
}

static void the_place_and_the_keys_may_come_later(void **state)
{
    (void)state;
    BAD_INPUT(NULL, ("9 VCs do not fit"), ("use at most 8"));
    error_keys("machine.router.vcs");
    error_place("-s machine.router.vcs=9");
    assert_string_equal(error_last()->keys, "machine.router.vcs");
    assert_string_equal(weft_last_error(),
                        "-s machine.router.vcs=9: 9 VCs do not fit; use at most 8");
}

static void a_prefix_goes_before_what(void **state)
{
    (void)state;
    BAD_PLACE(("p"), ("is too large"), ("r"));
    error_prefix("%s = %d ", "vcs", 9);
    error_prefix("machine.");
    assert_string_equal(weft_last_error(), "p: machine.vcs = 9 is too large; r");
    error_what("%s", "");
    error_prefix("alone");
    assert_string_equal(error_last()->what, "alone");
}

static void a_prefix_pushes_out_the_end_of_a_long_text(void **state)
{
    (void)state;
    static char text[sizeof(error_last()->what)];
    const size_t most = sizeof(text) - 1;
    for (size_t i = 0; i < most; i++)
        text[i] = (char)('a' + i % 26);
    BAD_INPUT(NULL, ("%s", text), NO_REMEDY);
    assert_string_equal(error_last()->what, text);
    error_prefix("12345");
    assert_int_equal(strlen(error_last()->what), most);
    assert_memory_equal(error_last()->what, "12345", 5);
    assert_memory_equal(error_last()->what + 5, text, most - 5);
    error_what("%.*s", (int)most - 3, text); /* room for 3 of the 5 */
    error_prefix("12345");
    assert_int_equal(strlen(error_last()->what), most);
    assert_memory_equal(error_last()->what + 5, text, most - 5);
}

static void what_does_not_fit_is_truncated(void **state)
{
    (void)state;
    static char text[10000];
    const struct error *e = error_last();
    memset(text, 'x', sizeof(text) - 1);
    error_begin(WEFT_FAILED, text);
    error_place("%s", text);
    error_what("%s", text);
    error_remedy("%s", text);
    assert_int_equal(strlen(e->keys), sizeof(e->keys) - 1);
    assert_int_equal(strlen(e->place), sizeof(e->place) - 1);
    assert_int_equal(strlen(e->what), sizeof(e->what) - 1);
    assert_int_equal(strlen(e->remedy), sizeof(e->remedy) - 1);
    assert_int_equal(strlen(weft_last_error()), /* the text as a whole is not */
                     strlen(e->place) + 2 + strlen(e->what) + 2 + strlen(e->remedy));
    error_keys(text);
    assert_int_equal(strlen(e->keys), sizeof(e->keys) - 1);
}

struct elsewhere {
    char before[64]; /* the thread's text before anything failed there */
    struct error error;
};

static void *fail_elsewhere(void *arg)
{
    struct elsewhere *e = arg;
    snprintf(e->before, sizeof(e->before), "%s", weft_last_error());
    BAD_PLACE(("elsewhere"), ("failed"), ("try again"));
    e->error = *error_last();
    return NULL;
}

static void each_thread_has_its_record_and_can_hand_it_over(void **state)
{
    (void)state;
    static struct elsewhere theirs;
    pthread_t thread;
    RUN_FAILED(("here"), NO_REMEDY);
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &theirs), 0);
    pthread_join(thread, NULL);
    assert_string_equal(theirs.before, "");
    assert_string_equal(weft_last_error(), "here");
    assert_int_equal(error_restore(&theirs.error), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), "elsewhere: failed; try again");
    assert_int_equal(error_status(), WEFT_BAD_INPUT);
}

static void restoring_the_record_that_is_there_changes_nothing(void **state)
{
    (void)state;
    RUN_FAILED(("stalled"), ("look at it"));
    assert_int_equal(error_restore(error_last()), WEFT_FAILED);
    assert_string_equal(weft_last_error(), "stalled; look at it");
}

static void check(void *arg)
{
    WEFT_CHECK(*(int *)arg == 5, "five is %d", *(int *)arg);
}

static void a_broken_invariant_stops_with_its_context(void **state)
{
    (void)state;
    int five = 5, six = 6;
    struct child_end end = child_run(check, &five);
    assert_int_equal(end.status, 0);
    assert_string_equal(end.text, "");
    assert_aborts(check, &six, "weft: invariant broken at ");
    assert_aborts(check, &six, "test_status.c:");
    assert_aborts(check, &six, ": five is 6\n");
}

GROUP(status)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_is_place_what_and_remedy),
        cmocka_unit_test(missing_parts_leave_no_punctuation),
        cmocka_unit_test(each_part_has_its_field),
        cmocka_unit_test(a_new_failure_empties_the_record),
        cmocka_unit_test(the_place_and_the_keys_may_come_later),
        cmocka_unit_test(a_prefix_goes_before_what),
        cmocka_unit_test(a_prefix_pushes_out_the_end_of_a_long_text),
        cmocka_unit_test(what_does_not_fit_is_truncated),
        cmocka_unit_test(each_thread_has_its_record_and_can_hand_it_over),
        cmocka_unit_test(restoring_the_record_that_is_there_changes_nothing),
        cmocka_unit_test(a_broken_invariant_stops_with_its_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
