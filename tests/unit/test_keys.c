/*
 * Keys of every type: what each accepts, stores and prints, what it refuses and how it says so; a
 * value that is refused leaves the field as it was. Then tables as a configuration uses them:
 * defaults, sections that tables share, the place that a complaint is given.
 */
#include "group.h"
#include "testing.h"

#include "config/config.h"

enum colour { RED, GREEN, BLUE };

struct section {
    uint32_t u32;
    uint64_t u64;
    int32_t i32;
    double real;
    bool flag;
    enum colour colour;
    char text[CONFIG_TEXT];
    struct byte_list bytes;
    uint32_t even;
};

#define AT(field) offsetof(struct section, field)

/* A type of its own: even numbers in words. */
static weft_status parse_even(const struct key *key, const char *text, void *field)
{
    static const char *const words[] = {"zero", "two", "four"};
    for (uint32_t i = 0; i < 3; i++)
        if (strcmp(words[i], text) == 0) {
            *(uint32_t *)field = 2 * i;
            return WEFT_OK;
        }
    return BAD_INPUT(NULL, ("%s = %s is odd", key->name, text), ("use zero, two or four"));
}

static void print_even(const struct key *key, const void *field, char text[CONFIG_TEXT])
{
    static const char *const words[] = {"zero", "two", "four"};
    (void)key;
    strcpy(text, words[*(const uint32_t *)field / 2]);
}

static const struct key_format even_format = {parse_even, print_even};
static const char *const colours[] = {"red", "green", "blue", NULL};

static const struct key rows[] = {
    {"a.u32", KEY_U32, AT(u32), "", "7", 3, KEY_U32_TOP, .help = "-"},
    {"a.u64", KEY_U64, AT(u64), "B", "12345678901", 0, 9e18, .help = "-"},
    {"a.i32", KEY_I32, AT(i32), "", "-5", -8, 100, .help = "-"},
    {"a.real", KEY_REAL, AT(real), "MHz", "0.1", -1, 1e9, .help = "-"},
    {"a.flag", KEY_BOOL, AT(flag), "", "true", .help = "-"},
    {"a.colour", KEY_CHOICE, AT(colour), "", "blue", .choices = colours, .help = "-"},
    {"a.text", KEY_TEXT, AT(text), "", "none", .help = "-"},
    {"a.bytes", KEY_BYTES, AT(bytes), "B", "auto", 0, 4096, .help = "-"},
    {"a.even", KEY_OTHER, AT(even), "", "two", .format = &even_format, .help = "-"},
};
enum { U32, U64, I32, REAL, FLAG, COLOUR, TEXT, BYTES, EVEN, ROWS };

static const struct key_section section = {sizeof(struct section)};
static const struct key_table first_table = {rows, EVEN, &section};
static const struct key_table second_table = {rows + EVEN, ROWS - EVEN, &section};

/* ---- values ---- */

/* A value is taken, and prints as `text` (NULL: as it was given), which reads back as the same. */
static struct section accept(unsigned row, const char *value, const char *text)
{
    struct section s, again;
    char printed[CONFIG_TEXT], same[CONFIG_TEXT];
    memset(&s, 0, sizeof(s));
    memset(&again, 0, sizeof(again));
    if (key_parse(&rows[row], value, &s) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    assert_ptr_equal(key_text(&rows[row], &s, printed), printed);
    assert_string_equal(printed, text ? text : value);
    assert_int_equal(key_parse(&rows[row], printed, &again), WEFT_OK);
    assert_string_equal(key_text(&rows[row], &again, same), printed);
    assert_memory_equal(&s, &again, sizeof(s));
    return s;
}

/* A value is refused in these words, and nothing is changed. */
static void refuse(unsigned row, const char *value, const char *words)
{
    struct section s, before;
    memset(&s, 0x11, sizeof(s));
    before = s;
    if (key_parse(&rows[row], value, &s) != WEFT_BAD_INPUT)
        fail_msg("%s accepts '%s'", rows[row].name, value);
    assert_string_equal(weft_last_error(), words);
    assert_memory_equal(&s, &before, sizeof(s));
}

static void whole_numbers(void **state)
{
    (void)state;
    assert_int_equal(accept(U32, "3", NULL).u32, 3);
    assert_true(accept(U32, "4294967295", NULL).u32 == UINT32_MAX);
    assert_true(accept(U64, "0", NULL).u64 == 0);
    assert_true(accept(U64, "9000000000000000000", NULL).u64 == 9000000000000000000u);
    assert_int_equal(accept(I32, "-8", NULL).i32, -8);
    assert_int_equal(accept(I32, "100", NULL).i32, 100);
    assert_int_equal(accept(I32, "+007", "7").i32, 7);
    refuse(U32, "2", "a.u32 = 2 is out of range; use 3 to 4294967295");
    refuse(U32, "4294967296", "a.u32 = 4294967296 is out of range; use 3 to 4294967295");
    refuse(U32, "-1", "a.u32 = -1 is out of range; use 3 to 4294967295");
    refuse(I32, "-9", "a.i32 = -9 is out of range; use -8 to 100");
    refuse(I32, "101", "a.i32 = 101 is out of range; use -8 to 100");
    refuse(U64, "99999999999999999999",
           "a.u64 = 99999999999999999999 is out of range; use 0 to 9e+18 B");
    /* Powers of ten and points are whole numbers where they stand for one. */
    assert_int_equal(accept(U32, "1e3", "1000").u32, 1000);
    assert_int_equal(accept(U32, "2.5e3", "2500").u32, 2500);
    assert_int_equal(accept(U32, "70.0e-1", "7").u32, 7);
    refuse(U32, "1e30", "a.u32 = 1e30 is out of range; use 3 to 4294967295");
    refuse(U32, "2.0", "a.u32 = 2.0 is out of range; use 3 to 4294967295");
    static const char *const none[] = {"",      "x",    "7x",  "7 ",  " 7", "1.5",
                                       "75e-1", "0x10", "--3", "7,8", "e3"};
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        char words[128];
        snprintf(words, sizeof(words),
                 "a.u32 = '%s' is not a whole number; use one from 3 to 4294967295", none[i]);
        refuse(U32, none[i], words);
    }
}

static void real_numbers(void **state)
{
    (void)state;
    assert_near(accept(REAL, "0.1", NULL).real, 0.1, 0);
    assert_near(accept(REAL, "-1", NULL).real, -1, 0);
    assert_near(accept(REAL, "1e9", "1000000000").real, 1e9, 0);
    assert_near(accept(REAL, "1e-300", "1e-300").real, 1e-300, 0);
    assert_near(accept(REAL, ".5", "0.5").real, 0.5, 0);
    /* As many digits as it takes, and no more. */
    assert_near(accept(REAL, "0.30000000000000004", NULL).real, 0.1 + 0.2, 0);
    assert_near(accept(REAL, "0.333333333333333314829616256247", "0.33333333333333331").real,
                1.0 / 3, 0);
    refuse(REAL, "-1.0000001", "a.real = -1.0000001 is out of range; use -1 to 1000000000 MHz");
    refuse(REAL, "1000000001", "a.real = 1000000001 is out of range; use -1 to 1000000000 MHz");
    refuse(REAL, "1e999", "a.real = 1e999 is out of range; use -1 to 1000000000 MHz");
    static const char *const none[] = {"",   "nan", "inf", "-inf", "1x",
                                       "1 ", " 1",  "one", "1,5",  "0x1p3"};
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        char words[160];
        snprintf(words, sizeof(words),
                 "a.real = '%s' is not a number of MHz; use one from -1 to 1000000000, or another "
                 "unit: kHz, MHz or GHz",
                 none[i]);
        refuse(REAL, none[i], words);
    }
}

static void units_are_converted(void **state)
{
    (void)state;
    assert_near(accept(REAL, "1.5 GHz", "1500").real, 1500, 0);
    assert_near(accept(REAL, "300kHz", "0.3").real, 0.3, 1e-15);
    assert_near(accept(REAL, "2e3MHz", "2000").real, 2000, 0);
    assert_true(accept(U64, "2KB", "2000").u64 == 2000);
    assert_true(accept(U64, "2 KiB", "2048").u64 == 2048);
    assert_true(accept(U64, "0.5GiB", "536870912").u64 == 1u << 29);
    assert_true(accept(U64, "7B", "7").u64 == 7);
    assert_int_equal(accept(BYTES, "1KB,32", "1000,32").bytes.value[0], 1000);
    refuse(U64, "1.5B",
           "a.u64 = '1.5B' is not a whole number of B; use one from 0 to 9e+18, or "
           "another unit: B, KB, MB, GB, KiB, MiB or GiB");
    refuse(REAL, "2GB",
           "a.real = '2GB' is not a number of MHz; use one from -1 to 1000000000, or "
           "another unit: kHz, MHz or GHz");
    refuse(REAL, "1e9GHz", "a.real = 1e9GHz is out of range; use -1 to 1000000000 MHz");
    refuse(U32, "3B", "a.u32 = '3B' is not a whole number; use one from 3 to 4294967295");
}

static void answers_and_choices(void **state)
{
    (void)state;
    assert_true(accept(FLAG, "true", NULL).flag);
    assert_false(accept(FLAG, "false", NULL).flag);
    static const char *const none[] = {"", "1", "yes", "True", "truely", "true "};
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        char words[128];
        snprintf(words, sizeof(words), "a.flag = '%s' is neither true nor false; use one of them",
                 none[i]);
        refuse(FLAG, none[i], words);
    }
    for (unsigned i = 0; colours[i]; i++)
        assert_int_equal(accept(COLOUR, colours[i], NULL).colour, i);
    refuse(COLOUR, "gree", "a.colour = 'gree' is not known; did you mean 'green'?");
    refuse(COLOUR, "", "a.colour = '' is not known; use one of red, green, blue");
    assert_int_equal(accept(EVEN, "four", NULL).even, 4);
    refuse(EVEN, "three", "a.even = three is odd; use zero, two or four");
}

static void texts(void **state)
{
    (void)state;
    char full[CONFIG_TEXT + 1];
    memset(full, 'x', sizeof(full));
    full[CONFIG_TEXT] = '\0';
    assert_string_equal(accept(TEXT, "1/2/3:x+, and = more", NULL).text, "1/2/3:x+, and = more");
    assert_string_equal(accept(TEXT, "", NULL).text, "");
    refuse(TEXT, full, "a.text is too long; use fewer than 4096 letters");
    full[CONFIG_TEXT - 1] = '\0';
    assert_string_equal(accept(TEXT, full, NULL).text, full);
}

static void lists_of_sizes(void **state)
{
    (void)state;
    assert_int_equal(accept(BYTES, "auto", NULL).bytes.count, 0);
    struct byte_list one = accept(BYTES, "0", NULL).bytes;
    assert_true(one.count == 1 && one.value[0] == 0);
    struct byte_list most = accept(BYTES, "1,2,3,4,5,6,7,4096", NULL).bytes;
    assert_int_equal(most.count, KEY_LIST_MOST);
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(most.value[i], i + 1);
    assert_int_equal(most.value[7], 4096);
    assert_int_equal(accept(BYTES, "007,8", "7,8").bytes.value[0], 7);
    assert_int_equal(accept(BYTES, "+1,1e2", "1,100").bytes.value[1], 100);
    static const char *const none[] = {"",
                                       ",",
                                       "1,",
                                       ",1",
                                       "1,,2",
                                       "1, 2",
                                       "-1",
                                       "1x",
                                       "1,auto",
                                       "4097",
                                       "1,4097",
                                       "0x8",
                                       "1.5",
                                       "99999999999999999999999",
                                       "1,2,3,4,5,6,7,8,9"};
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        char words[160];
        snprintf(words, sizeof(words),
                 "a.bytes = '%s' is not a size in bytes; use 0 to 4096 bytes, or up to 8 such "
                 "sizes joined "
                 "by commas",
                 none[i]);
        refuse(BYTES, none[i], words);
    }
}

static void items_of_lists(void **state)
{
    (void)state;
    char item[32];
    const char *rest = key_list_item("12,,x y,last", item);
    assert_string_equal(item, "12");
    rest = key_list_item(rest, item);
    assert_string_equal(item, "");
    rest = key_list_item(rest, item);
    assert_string_equal(item, "x y");
    assert_null(key_list_item(rest, item));
    assert_string_equal(item, "last");
    /* One that is too long is marked, so that nobody takes it for a number, and the next is where
     * it should be. */
    rest = key_list_item("0123456789012345678901234567890123456789,b", item);
    assert_string_equal(item, "0123456789012345678901234567...");
    assert_string_equal(rest, "b");
    assert_null(key_list_item("", item));
    assert_string_equal(item, "");
}

/* ---- tables ---- */

static const struct key other_rows[] = {
    {"b.given", KEY_U32, 0, "", NULL, 0, 10, .help = "the machine file's"},
    {"b.usual", KEY_U32, sizeof(uint32_t), "", "4", 0, 10, .help = "-"},
};
static const struct key_section other_section = {2 * sizeof(uint32_t)};
static const struct key_table other_table = {other_rows, 2, &other_section};

static const struct key_table *const plain_tables[] = {&first_table, &second_table, &other_table,
                                                       NULL};
static const struct key_table *const small_tables[] = {&other_table, NULL};
static const struct schema plain = {"plain", "only", plain_tables, NULL},
                           small = {"small", "only", small_tables, NULL};
static const struct schema *const schemas[] = {&plain, &small, NULL};

static void defaults_fill_a_section_that_tables_share(void **state)
{
    (void)state;
    struct config c;
    char text[CONFIG_TEXT];
    config_init(&c, schemas);
    assert_null(config_section(&c, &section));
    assert_int_equal(config_choose(&c, "plain", NULL), WEFT_OK);
    assert_int_equal(c.entries, ROWS + 2);
    const struct section *s = config_section(&c, &section);
    assert_int_equal(s->u32, 7);
    assert_true(s->u64 == 12345678901u);
    assert_int_equal(s->i32, -5);
    assert_near(s->real, 0.1, 0);
    assert_true(s->flag);
    assert_int_equal(s->colour, BLUE);
    assert_string_equal(s->text, "none");
    assert_int_equal(s->bytes.count, 0);
    assert_int_equal(s->even, 2); /* of the second table */
    for (size_t i = 0; i < c.entries; i++) {
        assert_int_equal(c.entry[i].given, 0);
        assert_null(c.entry[i].place);
        if (c.entry[i].key->default_value)
            assert_string_equal(config_text(&c, i, text), c.entry[i].key->default_value);
    }
    const uint32_t *other = config_section(&c, &other_section);
    assert_true(other[0] == 0 && other[1] == 4);
    /* Another schema has its own keys only. */
    assert_int_equal(config_set(&c, "a.u32", "9", "here"), WEFT_OK);
    assert_int_equal(s->u32, 9);
    assert_int_equal(config_choose(&c, "small", NULL), WEFT_OK);
    assert_int_equal(c.entries, 2);
    assert_null(config_section(&c, &section));
    assert_int_equal(config_set(&c, "a.u32", "9", "here"), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), "here: 'a.u32' is not a key of machines whose "
                                           "fabric is small; `weft keys` lists the keys of each");
    config_fini(&c);
}

static void values_know_where_they_were_given(void **state)
{
    (void)state;
    struct config c;
    config_init(&c, schemas);
    assert_int_equal(config_choose(&c, "plain", NULL), WEFT_OK);
    assert_int_equal(config_set(&c, "a.i32", "5", "f.yaml:3:1"), WEFT_OK);
    assert_int_equal(config_override(&c, "a.real=2.5"), WEFT_OK);
    assert_int_equal(config_override(&c, "a.text=b=c"), WEFT_OK);
    const struct config_entry *i32 = &c.entry[config_find(&c, "a.i32")];
    const struct config_entry *real = &c.entry[config_find(&c, "a.real")];
    const struct section *s = config_section(&c, &section);
    assert_string_equal(i32->place, "f.yaml:3:1");
    assert_string_equal(real->place, "-s a.real=2.5");
    assert_string_equal(real->source, "-s a.real=2.5");
    assert_string_equal(s->text, "b=c");
    assert_true(i32->given && i32->given < real->given);
    /* What is refused changes neither value nor place. */
    assert_int_equal(config_override(&c, "a.real=x"), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "-s a.real=x: a.real = 'x' is not a number of MHz; use one from -1 to "
                        "1000000000, or another unit: kHz, MHz or GHz");
    assert_near(s->real, 2.5, 0);
    assert_string_equal(real->place, "-s a.real=2.5");
    /* Given again, it comes after the others. */
    assert_int_equal(config_set(&c, "a.i32", "6", "f.yaml:9:1"), WEFT_OK);
    assert_string_equal(i32->place, "f.yaml:9:1");
    assert_true(i32->given > real->given);
    config_fini(&c);
}

/* A complaint about several keys is placed at the one that was given last; not at a key whose name
 * only begins alike, nor over a place that is known already. */
static void a_complaint_is_placed_at_the_last_of_its_keys(void **state)
{
    (void)state;
    struct config c;
    config_init(&c, schemas);
    assert_int_equal(config_choose(&c, "plain", NULL), WEFT_OK);
    assert_int_equal(config_override(&c, "a.u32=8"), WEFT_OK);
    assert_int_equal(config_override(&c, "a.u64=9"), WEFT_OK);
    assert_int_equal(config_override(&c, "a.i32=3"), WEFT_OK);
    static const struct {
        const char *keys, *error;
    } cases[] = {
        {"a.u32", "-s a.u32=8: no; mend it"},
        {"a.u32 a.u64", "-s a.u64=9: no; mend it"},
        {"a.u64 a.u32", "-s a.u64=9: no; mend it"},
        {"a.u32 a.real", "-s a.u32=8: no; mend it"},
        {"a.real", "no; mend it"},
        {"a.u a.i", "no; mend it"},
        {"a.u640", "no; mend it"},
        {"", "no; mend it"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        weft_status status = BAD_INPUT(cases[i].keys, ("no"), ("mend it"));
        assert_int_equal(config_locate(&c, status), WEFT_BAD_INPUT);
        assert_string_equal(weft_last_error(), cases[i].error);
    }
    error_begin(WEFT_BAD_INPUT, "a.u32");
    error_place("line 5");
    error_what("no");
    assert_int_equal(config_locate(&c, WEFT_BAD_INPUT), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), "line 5: no");
    assert_int_equal(config_locate(&c, WEFT_OK), WEFT_OK);
    config_fini(&c);
}

static bool leave_out_text(const char *key)
{
    return strcmp(key, "a.text") == 0;
}

static void the_hash_is_of_values_not_of_places(void **state)
{
    (void)state;
    struct config c;
    config_init(&c, schemas);
    assert_int_equal(config_choose(&c, "plain", NULL), WEFT_OK);
    uint64_t first = config_hash(&c, leave_out_text);
    assert_int_equal(config_override(&c, "a.real=0.10"), WEFT_OK);
    assert_int_equal(config_override(&c, "a.text=another"), WEFT_OK);
    assert_true(config_hash(&c, leave_out_text) == first);
    assert_int_equal(config_override(&c, "a.real=0.2"), WEFT_OK);
    assert_true(config_hash(&c, leave_out_text) != first);
    config_fini(&c);
}

/* ---- further tables ---- */

static const struct key guest_rows[] = {
    {"c.guest", KEY_U32, 0, "", "3", 0, 10, .help = "-", .before = "b.usual"},
    {"c.last", KEY_U32, sizeof(uint32_t), "", "5", 0, 10, .help = "-"},
};
static const struct key_section guest_section = {2 * sizeof(uint32_t)};
static const struct key_table guest_table = {guest_rows, 2, &guest_section};

/* Two owners of one table, and one without any. */
static bool more(const struct key *key, size_t index, const struct key_table **table)
{
    (void)key;
    *table = index == 1 ? NULL : &guest_table;
    return index < 3;
}

static void keys_of_further_tables_are_listed_where_they_say(void **state)
{
    (void)state;
    static const struct key host_rows[] = {
        {"b.given", KEY_U32, 0, "", "1", 0, 10, .help = "-"},
        {"b.usual", KEY_U32, sizeof(uint32_t), "", "4", 0, 10, .help = "-"},
        {.type = KEY_MORE, .more = more},
    };
    static const struct key_table host_table = {host_rows, 3, &other_section};
    static const struct key_table *const tables[] = {&host_table, NULL};
    static const struct schema host = {.fabric = "host", .table = tables};
    static const struct schema *const hosts[] = {&host, NULL};
    static const char *const order[] = {"b.given", "c.guest", "b.usual", "c.last"};
    struct config c;
    config_init(&c, hosts);
    assert_int_equal(config_choose(&c, "host", NULL), WEFT_OK);
    assert_int_equal(c.entries, 4);
    for (size_t i = 0; i < c.entries; i++)
        assert_string_equal(c.entry[i].key->name, order[i]);
    assert_int_equal(config_set(&c, "c.guest", "7", "-"), WEFT_OK);
    const uint32_t *guest = config_section(&c, &guest_section);
    assert_true(guest[0] == 7 && guest[1] == 5);
    config_fini(&c);
}

static unsigned released;

static void release(void *value)
{
    released += value != NULL;
}

static void what_is_kept_goes_when_a_key_is_set(void **state)
{
    (void)state;
    struct config c;
    int value;
    config_init(&c, schemas);
    assert_int_equal(config_choose(&c, "small", NULL), WEFT_OK);
    assert_null(config_kept(&c));
    config_keep(&c, &value, release);
    assert_ptr_equal(config_kept(&c), &value);
    assert_int_equal(config_set(&c, "b.usual", "nonsense", "-"), WEFT_BAD_INPUT);
    assert_ptr_equal(config_kept(&c), &value);
    assert_int_equal(config_set(&c, "b.usual", "5", "-"), WEFT_OK);
    assert_true(!config_kept(&c) && released == 1);
    config_keep(&c, &value, release);
    config_fini(&c);
    assert_int_equal(released, 2);
}

GROUP(keys)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(real_numbers),
        cmocka_unit_test(units_are_converted),
        cmocka_unit_test(answers_and_choices),
        cmocka_unit_test(texts),
        cmocka_unit_test(lists_of_sizes),
        cmocka_unit_test(items_of_lists),
        cmocka_unit_test(defaults_fill_a_section_that_tables_share),
        cmocka_unit_test(values_know_where_they_were_given),
        cmocka_unit_test(a_complaint_is_placed_at_the_last_of_its_keys),
        cmocka_unit_test(the_hash_is_of_values_not_of_places),
        cmocka_unit_test(keys_of_further_tables_are_listed_where_they_say),
        cmocka_unit_test(what_is_kept_goes_when_a_key_is_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
