/* Made-up programs as images: words get the right values in every copy, and what is missing is
 * named. */
#define _GNU_SOURCE
#include "group.h"
#include "made_elf.h"

#include "image/image.h"
#include "image/thread.h"

static int anything[2];

static void *find_all(const char *name, const char *version)
{
    if (strcmp(name, "__libc_start_main") == 0)
        assert_string_equal(version, "NEW_1.0");
    return &anything[1];
}

static void *find_none(const char *name, const char *version)
{
    (void)name;
    (void)version;
    return NULL;
}

static weft_status create(const struct made *m, struct image *image)
{
    const struct image_host host = {.find = find_all};
    return image_create(made_write(m, sizeof(*m)), &host, image);
}

static uint64_t word_of(const struct image *image, const unsigned char *at, unsigned word)
{
    uint64_t value;
    memcpy(&value, at + image->object[0].base + AT(word[0]) + 8 * word, sizeof(value));
    return value;
}

static void every_copy_has_its_own_words(void **state)
{
    (void)state;
    struct made m = made_program();
    struct image image;
    struct copies copies;
    if (create(&m, &image) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    assert_int_equal(copies_create(&image, 3, &copies), WEFT_OK);
    for (uint32_t rank = 0; rank < 3; rank++) {
        unsigned char *copy = copy_at(&copies, rank);
        uint64_t base = (uint64_t)(uintptr_t)copy + image.object[0].base;
        uint32_t whose = UINT32_MAX;
        assert_int_equal(word_of(&image, copy, 0), base + 5);
        assert_int_equal(word_of(&image, copy, 1), base + AT(word[9]) + 3);
        assert_int_equal(word_of(&image, copy, 3), (uint64_t)(uintptr_t)&anything[1]);
        assert_int_equal(word_of(&image, copy, 11), base + 11);
        assert_int_equal(word_of(&image, copy, 12), 12);
        assert_int_equal(word_of(&image, copy, 13), base + 13);
        assert_true(copies_find(&copies, copy + 8, &whose));
        assert_int_equal(whose, rank);
    }
    assert_false(copies_find(&copies, anything, &(uint32_t){0}));
    copies_destroy(&copies);
    image_destroy(&image);
}

static void thread_local_data_are_beside_the_pointer(void **state)
{
    (void)state;
    struct made m = made_program();
    struct image image;
    struct thread_layout layout = {.bytes = 0};
    if (create(&m, &image) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    int64_t place = thread_add(&layout, 24, 8);
    assert_true(image.fixed_bytes >= 24 && image.fixed_bytes <= thread_most());
    assert_int_equal(word_of(&image, image.template, 2), (uint64_t)place + 8);
    image_destroy(&image);
}

static void symbols_are_offsets(void **state)
{
    (void)state;
    struct made m = made_program();
    struct image image;
    uint64_t at = 0;
    assert_int_equal(create(&m, &image), WEFT_OK);
    assert_true(image_find(&image, "own", &at));
    assert_int_equal(at, image.object[0].base + AT(word[9]));
    assert_false(image_find(&image, "other", &at));
    assert_int_equal(image.used.count, 1);
    assert_string_equal(image.used.name[0], "__libc_start_main");
    image_destroy(&image);
}

static void variables_of_the_host_are_copied(void **state)
{
    (void)state;
    static const uint64_t first = 4711;
    struct made m = made_program();
    struct image image;
    struct image_variable variable = {.name = "own", .initial = &first, .bytes = sizeof(first)};
    const struct image_host host = {.find = find_all, .variable = &variable, .variables = 1};
    m.symbol[MADE_OWN].st_value = AT(word[20]);
    m.relocation[0] = (Elf64_Rela){AT(word[20]), ELF64_R_INFO(MADE_OWN, (uint64_t)MADE_COPY), 0};
    assert_int_equal(image_create(made_write(&m, sizeof(m)), &host, &image), WEFT_OK);
    assert_true(variable.used);
    assert_int_equal(variable.at, image.object[0].base + AT(word[20])); /* the program's own */
    assert_int_equal(word_of(&image, image.template, 20), first);
    image_destroy(&image);
}

/* ---- mistakes ---- */

static void assert_refused(const struct made *m, const struct image_host *host, const char *words)
{
    struct image image;
    assert_int_equal(image_create(made_write(m, sizeof(*m)), host, &image), WEFT_BAD_INPUT);
    if (!strstr(weft_last_error(), words))
        fail_msg("'%s' is not in '%s'", words, weft_last_error());
}

static void programs_that_cannot_begin_are_refused(void **state)
{
    (void)state;
    const struct image_host all = {.find = find_all};
    struct made m = made_program();
    m.segment[MADE_INTERP].p_type = PT_NULL;
    assert_refused(&m, &all, "is a library; name a program");
    m = made_program();
    m.call[0].r_info = ELF64_R_INFO(MADE_OWN, (uint64_t)MADE_SLOT);
    assert_refused(&m, &all, "does not begin as programs of the GNU C library do");
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    const struct image_host all = {.find = find_all}, none = {.find = find_none};
    struct made m = made_program();
    assert_refused(&m, &none, "GNU C library");
    m.dynamic[16] = (Elf64_Dyn){DT_NEEDED, {TEXT_NEEDED}};
    assert_refused(&m, &all, "needs libwanted.so, which is not to be found");
    m.dynamic[16].d_un.d_val = UINT32_MAX;
    assert_refused(&m, &all, "which has no name");
}

static void copies_of_what_has_another_size_are_refused(void **state)
{
    (void)state;
    const struct image_host all = {.find = find_all};
    struct made m = made_program();
    m.symbol[MADE_START].st_size = 64;
    m.relocation[0] = (Elf64_Rela){AT(word[20]), ELF64_R_INFO(MADE_START, (uint64_t)MADE_COPY), 0};
    assert_refused(&m, &all, "copies the variable __libc_start_main, which has not its size");
}

static void too_much_thread_local_data_are_refused(void **state)
{
    (void)state;
    const struct image_host all = {.find = find_all};
    struct made m = made_program();
    m.segment[MADE_THREAD].p_memsz = 1 << 20;
    assert_refused(&m, &all, "bytes of thread-local data; use no more than 16384");
}

static void segments_that_share_a_page_must_be_alike(void **state)
{
    (void)state;
    const struct image_host all = {.find = find_all};
    struct made m = made_program();
    m.relocation[2] = m.relocation[0];
    m.segment[MADE_THREAD] = (Elf64_Phdr){
        .p_type = PT_LOAD, .p_flags = PF_R, .p_vaddr = (sizeof(m) + 107) / 8 * 8, .p_memsz = 8};
    assert_refused(&m, &all, "has segments that share a page");
    struct image image;
    m.segment[MADE_THREAD].p_flags = m.segment[MADE_LOAD].p_flags;
    assert_int_equal(create(&m, &image), WEFT_OK);
    image_destroy(&image);
}

/* Whatever one byte becomes: under ASan, nothing outside of the file and the image is touched. */
static void no_byte_is_trusted(void **state)
{
    (void)state;
    const struct made right = made_program();
    for (size_t at = 0; at < sizeof(right); at++)
        for (unsigned i = 0; i < 4; i++) {
            struct made m = right;
            struct image image;
            unsigned char *byte = (unsigned char *)&m + at;
            const unsigned char values[] = {0, 0xff, (unsigned char)(*byte + 1),
                                            (unsigned char)(*byte ^ 0x10)};
            *byte = values[i];
            const struct image_host host = {.find = find_none};
            if (image_create(made_write(&m, sizeof(m)), &host, &image) == WEFT_OK)
                image_destroy(&image);
        }
}

GROUP(image)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_copy_has_its_own_words),
        cmocka_unit_test(thread_local_data_are_beside_the_pointer),
        cmocka_unit_test(symbols_are_offsets),
        cmocka_unit_test(variables_of_the_host_are_copied),
        cmocka_unit_test(programs_that_cannot_begin_are_refused),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(copies_of_what_has_another_size_are_refused),
        cmocka_unit_test(too_much_thread_local_data_are_refused),
        cmocka_unit_test(segments_that_share_a_page_must_be_alike),
        cmocka_unit_test(no_byte_is_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
