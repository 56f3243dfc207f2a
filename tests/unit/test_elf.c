/* ELF files that a linker has not made: what is in them is found, and what is wrong is refused. */
#define _GNU_SOURCE
#include "group.h"
#include "made_elf.h"

#include "image/elf.h"

static struct elf open_made(const struct made *m)
{
    struct elf e;
    if (elf_open(made_write(m, sizeof(*m)), &e) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    return e;
}

static void a_program_is_read(void **state)
{
    (void)state;
    struct made m = made_program();
    struct elf e = open_made(&m);
    assert_true(e.is_program);
    assert_int_equal(e.entry, AT(word[40]));
    assert_int_equal(e.low, 0);
    assert_int_equal(e.high, sizeof(m) + 100);
    assert_int_equal(e.begin.bytes, 16);
    assert_int_equal(e.thread_bytes, 24);
    assert_string_equal(elf_search_path(&e), "/folder");
    assert_null(elf_needed(&e, 0));
    assert_int_equal(*(const uint64_t *)elf_at(&e, AT(word[7]), 8), 7);
    assert_null(elf_at(&e, sizeof(m) - 7, 8));
    assert_null(elf_at(&e, UINT64_MAX - 3, 8));
    assert_null(elf_symbol(&e, UINT32_MAX));
    assert_string_equal(elf_text(&e, UINT64_MAX), "");
    elf_close(&e);
}

static void needed_libraries_come_in_order(void **state)
{
    (void)state;
    struct made m = made_program();
    m.dynamic[16] = (Elf64_Dyn){DT_NEEDED, {TEXT_NEEDED}};
    m.dynamic[17] = (Elf64_Dyn){DT_NEEDED, {TEXT_OWN}};
    struct elf e = open_made(&m);
    assert_string_equal(elf_needed(&e, 0), "libwanted.so");
    assert_string_equal(elf_needed(&e, 1), "own");
    assert_null(elf_needed(&e, 2));
    elf_close(&e);
}

static void assert_definitions(const struct made *m)
{
    struct elf e = open_made(m);
    const Elf64_Sym *own = elf_find(&e, "own");
    assert_non_null(own);
    assert_int_equal(own->st_value, AT(word[9]));
    assert_null(elf_find(&e, "__libc_start_main")); /* it only needs that */
    assert_null(elf_find(&e, "local"));
    assert_null(elf_find(&e, ""));
    elf_close(&e);
}

static void definitions_are_found_by_either_hash(void **state)
{
    (void)state;
    struct made m = made_program();
    assert_definitions(&m);
    *made_entry(&m, DT_GNU_HASH) = (Elf64_Dyn){DT_HASH, {AT(hash)}};
    assert_definitions(&m);
}

static void old_versions_are_not_found(void **state)
{
    (void)state;
    struct made m = made_program();
    m.versions[MADE_OWN] |= 0x8000;
    struct elf e = open_made(&m);
    assert_null(elf_find(&e, "own"));
    elf_close(&e);
}

static void hashes_that_lead_astray_end(void **state)
{
    (void)state;
    struct made m = made_program();
    m.gnu_hash.chain[0] = m.gnu_hash.chain[1] = 0; /* no last one */
    struct elf e = open_made(&m);
    assert_null(elf_find(&e, "other"));
    elf_close(&e);
    *made_entry(&m, DT_GNU_HASH) = (Elf64_Dyn){DT_HASH, {AT(hash)}};
    m.hash.chain[MADE_OWN] = MADE_START; /* a circle */
    e = open_made(&m);
    assert_null(elf_find(&e, "other"));
    elf_close(&e);
}

static void versions_have_names(void **state)
{
    (void)state;
    struct made m = made_program();
    struct elf e = open_made(&m);
    assert_string_equal(elf_symbol_version(&e, MADE_START), "NEW_1.0");
    assert_string_equal(elf_symbol_version(&e, MADE_OWN), "");
    assert_string_equal(elf_symbol_version(&e, UINT32_MAX), "");
    elf_close(&e);
}

/* ---- relocations ---- */

struct seen {
    struct elf_relocation r[16];
    size_t count;
};

static weft_status see(void *arg, const struct elf *e, const struct elf_relocation *r)
{
    struct seen *seen = arg;
    (void)e;
    seen->r[seen->count++ % 16] = *r;
    return WEFT_OK;
}

static void relocations_come_packed_first(void **state)
{
    (void)state;
    static const enum elf_kind kinds[] = {ELF_BASE, ELF_BASE,         ELF_BASE, ELF_BASE,
                                          ELF_WORD, ELF_THREAD_PLACE, ELF_WORD};
    static const unsigned words[] = {10, 11, 13, 0, 1, 2, 3};
    struct made m = made_program();
    struct elf e = open_made(&m);
    struct seen seen = {.count = 0};
    assert_int_equal(elf_relocate(&e, see, &seen), WEFT_OK);
    assert_int_equal(seen.count, 7);
    for (size_t i = 0; i < seen.count; i++) {
        assert_int_equal(seen.r[i].kind, kinds[i]);
        assert_int_equal(seen.r[i].at, AT(word[0]) + 8 * words[i]);
    }
    assert_int_equal(seen.r[2].addend, 13); /* the word that was there */
    assert_int_equal(seen.r[4].addend, 3);
    assert_int_equal(seen.r[4].symbol, MADE_OWN);
    elf_close(&e);
}

/* ---- mistakes ---- */

static weft_status open_and_relocate(const char *path)
{
    struct elf e;
    struct seen seen = {.count = 0};
    weft_status status = elf_open(path, &e);
    if (status != WEFT_OK)
        return status;
    status = elf_relocate(&e, see, &seen);
    elf_find(&e, "own");
    elf_symbol_version(&e, MADE_START);
    elf_close(&e);
    return status;
}

static void assert_refused(const struct made *m, size_t bytes, const char *words)
{
    weft_status status = open_and_relocate(made_write(m, bytes));
    if (status != WEFT_BAD_INPUT)
        fail_msg("'%s' is not refused", words);
    if (!strstr(weft_last_error(), words))
        fail_msg("'%s' is not in '%s'", words, weft_last_error());
}

#define REFUSED(CHANGE, WORDS)                                                                     \
    do {                                                                                           \
        struct made m = made_program();                                                            \
        CHANGE;                                                                                    \
        assert_refused(&m, sizeof(m), WORDS);                                                      \
    } while (0)

static void other_files_are_refused(void **state)
{
    (void)state;
    REFUSED(m.head.e_ident[1] = 'e', "is not a program");
    REFUSED(m.head.e_ident[EI_CLASS] = ELFCLASS32, "32 bits");
    REFUSED(m.head.e_ident[EI_DATA] = ELFDATA2MSB, "another kind of computer");
    REFUSED(m.head.e_machine = EM_SPARCV9, "another kind of computer");
    REFUSED(m.head.e_type = ET_REL, "neither a program nor a library");
    REFUSED(m.head.e_type = ET_EXEC, "one address only");
    REFUSED(m.segment[MADE_DYNAMIC].p_type = PT_NULL, "linked statically");
    REFUSED((m.segment[MADE_INTERP].p_type = PT_NULL, m.head.e_type = ET_EXEC),
            "linked statically");
    REFUSED((m.segment[MADE_INTERP].p_type = PT_NULL,
             m.dynamic[16] = (Elf64_Dyn){DT_FLAGS_1, {DF_1_PIE}}),
            "linked statically");
}

static void broken_segments_are_refused(void **state)
{
    (void)state;
    REFUSED(m.head.e_phnum = 0, "table of segments");
    REFUSED(m.head.e_phnum = UINT16_MAX, "table of segments");
    REFUSED(m.head.e_phoff = UINT64_MAX - 7, "table of segments");
    REFUSED(m.head.e_phoff += 1, "table of segments");
    REFUSED(m.segment[MADE_LOAD].p_filesz += 1, "ends before its segments");
    REFUSED(m.segment[MADE_LOAD].p_offset = UINT64_MAX, "ends before its segments");
    REFUSED(m.segment[MADE_LOAD].p_memsz = 8, "segments are broken");
    REFUSED(m.segment[MADE_LOAD].p_memsz = UINT64_MAX, "segments are broken");
    REFUSED(m.segment[MADE_LOAD].p_vaddr = 4, "segments are broken");
    REFUSED(m.segment[MADE_THREAD] = m.segment[MADE_LOAD], "segments are broken");
    REFUSED(m.segment[MADE_LOAD].p_type = PT_NULL, "no segments");
    REFUSED(m.segment[MADE_THREAD].p_align = 3, "thread-local data");
    REFUSED(m.segment[MADE_THREAD].p_vaddr += 4, "thread-local data");
    REFUSED(m.segment[MADE_THREAD].p_filesz = 25, "thread-local data");
    REFUSED(m.head.e_entry = UINT64_MAX, "no executable segment");
    REFUSED(m.segment[MADE_LOAD].p_flags = PF_R | PF_W, "no executable segment");
}

static void broken_tables_are_refused(void **state)
{
    (void)state;
    REFUSED(m.segment[MADE_DYNAMIC].p_vaddr += 4, "dynamic section");
    REFUSED(made_entry(&m, DT_SYMTAB)->d_un.d_val = UINT64_MAX - 7, "symbols");
    REFUSED(made_entry(&m, DT_STRSZ)->d_un.d_val = UINT64_MAX, "symbols");
    REFUSED(made_entry(&m, DT_RELASZ)->d_un.d_val = 1 << 20, "relocations are broken");
    REFUSED(made_entry(&m, DT_PLTRELSZ)->d_un.d_val = 7, "relocations of calls");
    REFUSED(made_entry(&m, DT_RELR)->d_un.d_val = 4, "packed relocations");
    REFUSED(made_entry(&m, DT_INIT_ARRAY)->d_un.d_val = sizeof(m), "initialisers");
    REFUSED(m.needed_version.vn_cnt = UINT16_MAX, "versions are broken");
}

static void broken_relocations_are_refused(void **state)
{
    (void)state;
    REFUSED(m.relocation[0].r_info = 99999, "type 99999");
    REFUSED(m.relocation[0].r_offset = sizeof(m) + 93, "outside of its segments");
    REFUSED(m.packed[0] = UINT64_MAX - 1, "outside of its segments");
    REFUSED(m.relocation[1].r_info = ELF64_R_INFO(1u << 30, MADE_WORD), "does not exist");
    REFUSED((m.relocation[1].r_info = ELF64_R_INFO(MADE_OWN, (uint64_t)MADE_COPY),
             m.symbol[MADE_OWN].st_size = UINT64_MAX),
            "outside of its segments");
    REFUSED((m.relocation[1].r_info = ELF64_R_INFO(MADE_OWN, (uint64_t)MADE_COPY),
             m.segment[MADE_INTERP].p_type = PT_NULL),
            "copies variables");
    REFUSED(m.segment[MADE_LOAD].p_flags = PF_R | PF_X, "relocations in its text");
}

static void a_file_that_was_cut_off_is_refused(void **state)
{
    (void)state;
    struct made m = made_program();
    for (size_t bytes = 0; bytes < sizeof(m); bytes++)
        assert_refused(&m, bytes, "; ");
}

/* Whatever one byte becomes, the file is refused, or is another one that is sound. */
static void no_byte_is_trusted(void **state)
{
    (void)state;
    const struct made right = made_program();
    for (size_t at = 0; at < sizeof(right); at++)
        for (unsigned i = 0; i < 6; i++) {
            struct made m = right;
            unsigned char *byte = (unsigned char *)&m + at;
            const unsigned char values[] = {
                0, 0x7f, 0x80, 0xff, (unsigned char)(*byte + 1), (unsigned char)(*byte - 1)};
            *byte = values[i];
            open_and_relocate(made_write(&m, sizeof(m)));
        }
}

GROUP(elf)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_is_read),
        cmocka_unit_test(needed_libraries_come_in_order),
        cmocka_unit_test(definitions_are_found_by_either_hash),
        cmocka_unit_test(old_versions_are_not_found),
        cmocka_unit_test(hashes_that_lead_astray_end),
        cmocka_unit_test(versions_have_names),
        cmocka_unit_test(relocations_come_packed_first),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(broken_segments_are_refused),
        cmocka_unit_test(broken_tables_are_refused),
        cmocka_unit_test(broken_relocations_are_refused),
        cmocka_unit_test(a_file_that_was_cut_off_is_refused),
        cmocka_unit_test(no_byte_is_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
