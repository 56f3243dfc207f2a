/* "Did you mean": only what is suggestion, and the nearest. */
#include "group.h"
#include "testing.h"

#include "base/text/suggest.h"

static const char *nearest(const char *word, const char *a, const char *b)
{
    static struct suggestion suggestion;
    suggestion = suggestion_for(word);
    suggestion_offer(&suggestion, a);
    suggestion_offer(&suggestion, b);
    return suggestion.best;
}

static const char *nearest_key(const char *word, const char *a, const char *b)
{
    static struct suggestion suggestion;
    suggestion = suggestion_for(word);
    suggestion_offer_key(&suggestion, a);
    suggestion_offer_key(&suggestion, b);
    return suggestion.best;
}

static void letters_may_be_wrong_missing_too_many_or_swapped(void **state)
{
    (void)state;
    assert_string_equal(nearest("unifurm", "uniform", "tornado"), "uniform");
    assert_string_equal(nearest("unform", "uniform", "tornado"), "uniform");
    assert_string_equal(nearest("unniform", "uniform", "tornado"), "uniform");
    assert_string_equal(nearest("unifrom", "uniform", "tornado"), "uniform");
    assert_string_equal(nearest("Uniform", "tornado", "uniform"), "uniform");
}

static void a_third_of_the_letters_may_be_wrong_and_no_more(void **state)
{
    (void)state;
    assert_string_equal(nearest("abcxyz", "abcdyw", ""), "abcdyw");
    assert_string_equal(nearest("abcxyz", "abcdew", ""), "");
    assert_string_equal(nearest("ab", "ac", ""), "");
    assert_string_equal(nearest("-x", "-j", "-m"), "");
    assert_string_equal(nearest("", "a", "abc"), "");
}

static void the_beginning_of_a_word_is_near_if_it_is_half_of_it(void **state)
{
    (void)state;
    assert_string_equal(nearest("--checkp", "--checkpoint", "--check"), "--check");
    assert_string_equal(nearest("--checkpoi", "--checkpoint", "--every"), "--checkpoint");
    assert_string_equal(nearest("drag", "dragonfly", "ideal"), "");
    assert_string_equal(nearest("drago", "dragonfly", "ideal"), "dragonfly");
    assert_string_equal(nearest("Drago", "dragonfly", "ideal"), "dragonfly");
}

static void the_nearest_wins_and_of_equals_the_first(void **state)
{
    (void)state;
    assert_string_equal(nearest("mpicxc", "mpicc", "mpicxx"), "mpicc");
    assert_string_equal(nearest("mpicxxx", "mpicc", "mpicxx"), "mpicxx");
}

static void keys_are_near_by_their_last_word(void **state)
{
    (void)state;
    assert_string_equal(nearest_key("run.load", "workload.load", "run.seed"), "workload.load");
    assert_string_equal(nearest_key("load", "jobs.load", "run.seed"), "jobs.load");
    assert_string_equal(nearest_key("machine.dim", "workload.dim", "machine.dims"), "machine.dims");
    assert_string_equal(nearest_key("machine.router.foo", "machine.router.vcs", "run.seed"), "");
    assert_string_equal(nearest_key("workloadload", "workload.load", "jobs.load"), "workload.load");
}

/* Words of any length, from files. */
static void long_words_are_cut(void **state)
{
    (void)state;
    char word[500];
    memset(word, 'a', sizeof(word) - 1);
    word[sizeof(word) - 1] = '\0';
    struct suggestion suggestion = suggestion_for(word);
    suggestion_offer(&suggestion, word + 1);
    assert_int_equal(strlen(suggestion.best), SUGGESTION_WORD - 1);
    suggestion_offer_key(&suggestion, word);
}

static void a_failure_keeps_its_remedy_if_nothing_is_near(void **state)
{
    (void)state;
    struct suggestion suggestion = suggestion_for("spiral");
    assert_int_equal(suggestion_remedy(&suggestion, BAD_INPUT(NULL, ("no"), ("use another"))),
                     WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), "no; use another");
    suggestion_offer(&suggestion, "spirals");
    suggestion_remedy(&suggestion, BAD_INPUT(NULL, ("no"), ("use another")));
    assert_string_equal(weft_last_error(), "no; did you mean 'spirals'?");
}

GROUP(suggest)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_may_be_wrong_missing_too_many_or_swapped),
        cmocka_unit_test(a_third_of_the_letters_may_be_wrong_and_no_more),
        cmocka_unit_test(the_beginning_of_a_word_is_near_if_it_is_half_of_it),
        cmocka_unit_test(the_nearest_wins_and_of_equals_the_first),
        cmocka_unit_test(keys_are_near_by_their_last_word),
        cmocka_unit_test(long_words_are_cut),
        cmocka_unit_test(a_failure_keeps_its_remedy_if_nothing_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
