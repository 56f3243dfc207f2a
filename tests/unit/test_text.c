/* File names in texts: quoted for a shell, and without folder and suffix. */
#define _GNU_SOURCE
#include "group.h"
#include "testing.h"

#include "base/text/text.h"

static void assert_quoted(const char *path, const char *expected)
{
    char out[64];
    assert_ptr_equal(text_quote(path, out, sizeof(out)), out);
    assert_string_equal(out, expected);
}

static void plain_words_stay_as_they_are(void **state)
{
    (void)state;
    assert_quoted("run.state", "run.state");
    assert_quoted("/tmp/a-b_c,d:e=f@g%h+i.json", "/tmp/a-b_c,d:e=f@g%h+i.json");
}

static void other_words_are_quoted(void **state)
{
    (void)state;
    assert_quoted("", "''");
    assert_quoted("my run.state", "'my run.state'");
    assert_quoted("it's", "'it'\\''s'");
    assert_quoted("~/x", "'~/x'");
    assert_quoted("$(x) `y` \"z\" *", "'$(x) `y` \"z\" *'");
    assert_quoted("caf\xc3\xa9", "'caf\xc3\xa9'");
}

static void a_name_that_looks_like_an_option_gets_its_folder(void **state)
{
    (void)state;
    assert_quoted("-x", "./-x");
    assert_quoted("-x y", "'./-x y'");
}

static void what_does_not_fit_is_left_out_whole(void **state)
{
    (void)state;
    char out[8];
    assert_string_equal(text_quote("1234567", out, sizeof(out)), "1234567");
    assert_string_equal(text_quote("12345678", out, sizeof(out)), "...");
    assert_string_equal(text_quote("1234 ", out, sizeof(out)), "'1234 '");
    assert_string_equal(text_quote("12345 ", out, sizeof(out)), "...");
    assert_string_equal(text_quote("''", out, sizeof(out)), "...");
}

/* All bytes but 0 and newline come back from sh as they were. */
static void a_shell_reads_it_back(void **state)
{
    (void)state;
    for (int byte = 1; byte < 256; byte++) {
        char path[] = {'a', (char)byte, 'b', '\0'}, out[32], command[64], back[16] = "";
        if (byte == '\n')
            continue;
        snprintf(command, sizeof(command), "printf %%s %s", text_quote(path, out, sizeof(out)));
        FILE *f = popen(command, "r");
        assert_non_null(f);
        size_t length = fread(back, 1, sizeof(back) - 1, f);
        assert_int_equal(pclose(f), 0);
        assert_int_equal(length, 3);
        assert_memory_equal(back, path, 3);
    }
}

static void assert_stem(const char *path, const char *expected)
{
    char out[16];
    assert_string_equal(text_stem(path, out, sizeof(out)), expected);
}

static void a_stem_has_no_folder_and_no_suffix(void **state)
{
    (void)state;
    assert_stem("bluegene-l", "bluegene-l");
    assert_stem("mine.yaml", "mine");
    assert_stem("/home/a.b/mine.yaml", "mine");
    assert_stem("./mine.v2.yaml", "mine.v2");
    assert_stem("../a/.yaml", ".yaml");
    assert_stem("a/", "");
    assert_stem("0123456789abcdefgh.yaml", "0123456789abcde");
}

/* ---- words ---- */

static void words_are_those_of_a_shell(void **state)
{
    (void)state;
    static const char text[] = "plain 'a b;c' x=\"it's \\\"here\\\"\" back\\ slash '";
    static const char *const words[] = {"plain", "a b;c", "x=it's \"here\"", "back slash", ""};
    char word[sizeof(text)];
    size_t at = 0;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        at = text_word(text, at + (i > 0), word);
        assert_string_equal(word, words[i]);
    }
    assert_int_equal(at, sizeof(text) - 1);
}

static void begins_and_ends_are_found(void **state)
{
    (void)state;
    char text[32];
    assert_string_equal(text_behind("file:x", "file:"), "x");
    assert_string_equal(text_behind("file:", "file:"), "");
    assert_null(text_behind("fil", "file:"));
    assert_true(text_ends("a.otf2", ".otf2"));
    assert_false(text_ends(".otf2", ".otf2")); /* an end and no name */
    assert_false(text_ends("otf2", ".otf2"));
    assert_string_equal(text_bytes(1, text), "1 byte");
    assert_string_equal(text_bytes(999, text), "999 bytes");
    assert_string_equal(text_bytes(1000, text), "1 KB");
    assert_string_equal(text_bytes(20132659200, text), "20.13 GB");
    assert_string_equal(text_bytes(5e18, text), "5000 PB");
}

static void a_character_takes_one_column(void **state)
{
    (void)state;
    assert_int_equal(text_columns(""), 0);
    assert_int_equal(text_columns("plain"), 5);
    assert_int_equal(text_columns("caf\xc3\xa9 \xce\xbb \xe2\x89\xa4 1"), 10);
}

static void characters_are_valid_utf8(void **state)
{
    static const struct {
        const char *text;
        unsigned bytes;
    } row[] = {{"a", 1},
               {"\xc3\xa4", 2},
               {"\xe2\x82\xac", 3},
               {"\xf0\x9f\x8c\x8d", 4},
               {"\xe4"
                "chs",
                0},
               {"\xc0\x80", 0},
               {"\xc3", 0},
               {"\xed\xa0\x80", 0},
               {"\xf4\x90\x80\x80", 0},
               {"\xff", 0},
               {"\x80", 0},
               {"\xe0\x80\x80", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
        assert_int_equal(text_character(row[i].text), row[i].bytes);
}

GROUP(text)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_words_stay_as_they_are),
        cmocka_unit_test(other_words_are_quoted),
        cmocka_unit_test(a_name_that_looks_like_an_option_gets_its_folder),
        cmocka_unit_test(what_does_not_fit_is_left_out_whole),
        cmocka_unit_test(a_shell_reads_it_back),
        cmocka_unit_test(a_stem_has_no_folder_and_no_suffix),
        cmocka_unit_test(words_are_those_of_a_shell),
        cmocka_unit_test(begins_and_ends_are_found),
        cmocka_unit_test(a_character_takes_one_column),
        cmocka_unit_test(characters_are_valid_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
