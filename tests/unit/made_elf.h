/* A made-up program in one segment, in which addresses are places in the file: it has everything
 * that a loader looks at, and no code. Tests change it before they write it. */
#ifndef WEFT_TESTS_MADE_ELF_H
#define WEFT_TESTS_MADE_ELF_H

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "testing.h"

#if defined(__x86_64__)
enum {
    MADE_MACHINE = EM_X86_64,
    MADE_BASE = R_X86_64_RELATIVE,
    MADE_WORD = R_X86_64_64,
    MADE_SLOT = R_X86_64_JUMP_SLOT,
    MADE_COPY = R_X86_64_COPY,
    MADE_CHOICE = R_X86_64_IRELATIVE,
    MADE_PLACE = R_X86_64_TPOFF64,
};
#else
enum {
    MADE_MACHINE = EM_AARCH64,
    MADE_BASE = R_AARCH64_RELATIVE,
    MADE_WORD = R_AARCH64_ABS64,
    MADE_SLOT = R_AARCH64_JUMP_SLOT,
    MADE_COPY = R_AARCH64_COPY,
    MADE_CHOICE = R_AARCH64_IRELATIVE,
    MADE_PLACE = R_AARCH64_TLS_TPREL,
};
#endif

enum { MADE_LOAD, MADE_DYNAMIC, MADE_INTERP, MADE_THREAD, MADE_SEGMENTS };
enum { MADE_NONE, MADE_START, MADE_OWN, MADE_LOCAL, MADE_SYMBOLS }; /* symbols */
enum { MADE_WORDS = 80 };

struct made {
    Elf64_Ehdr head;
    Elf64_Phdr segment[MADE_SEGMENTS];
    Elf64_Dyn dynamic[24];
    Elf64_Sym symbol[MADE_SYMBOLS];
    Elf64_Rela relocation[3], call[1];
    uint64_t packed[2];
    struct {
        uint32_t buckets, first, bloom_words, shift;
        uint64_t bloom;
        uint32_t bucket, chain[MADE_SYMBOLS - MADE_OWN];
    } gnu_hash;
    struct {
        uint32_t buckets, symbols, bucket, chain[MADE_SYMBOLS];
    } hash;
    Elf64_Verneed needed_version;
    Elf64_Vernaux version;
    uint16_t versions[MADE_SYMBOLS];
    uint64_t thread_data;
    uint64_t word[MADE_WORDS];
    char text[128];
};

#define AT(FIELD) ((uint64_t)offsetof(struct made, FIELD))

/* Texts of the program, each with its place. */
#define MADE_TEXTS "\0__libc_start_main\0own\0libwanted.so\0/folder\0NEW_1.0\0local"
enum { TEXT_START = 1, TEXT_OWN = 19, TEXT_NEEDED = 23, TEXT_PATH = 36, TEXT_VERSION = 44 };
enum { TEXT_LOCAL = 52 };

static inline uint32_t made_hash(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

static inline void made_dynamic(struct made *m)
{
    const Elf64_Dyn entries[] = {
        {DT_STRTAB, {AT(text)}},     {DT_STRSZ, {sizeof(m->text)}},
        {DT_SYMTAB, {AT(symbol)}},   {DT_GNU_HASH, {AT(gnu_hash)}},
        {DT_RELA, {AT(relocation)}}, {DT_RELASZ, {sizeof(m->relocation)}},
        {DT_JMPREL, {AT(call)}},     {DT_PLTRELSZ, {sizeof(m->call)}},
        {DT_RELR, {AT(packed)}},     {DT_RELRSZ, {sizeof(m->packed)}},
        {DT_VERSYM, {AT(versions)}}, {DT_VERNEED, {AT(needed_version)}},
        {DT_VERNEEDNUM, {1}},        {DT_INIT_ARRAY, {AT(word[70])}},
        {DT_INIT_ARRAYSZ, {16}},     {DT_RUNPATH, {TEXT_PATH}},
    };
    memcpy(m->dynamic, entries, sizeof(entries));
}

static inline void made_symbols(struct made *m)
{
    m->symbol[MADE_START] =
        (Elf64_Sym){.st_name = TEXT_START, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)};
    m->symbol[MADE_OWN] = (Elf64_Sym){.st_name = TEXT_OWN,
                                      .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                                      .st_shndx = 1,
                                      .st_value = AT(word[9]),
                                      .st_size = 8};
    m->symbol[MADE_LOCAL] = (Elf64_Sym){.st_name = TEXT_LOCAL,
                                        .st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT),
                                        .st_shndx = 1,
                                        .st_value = AT(word[5])};
    m->gnu_hash.buckets = m->gnu_hash.bloom_words = 1;
    m->gnu_hash.first = m->gnu_hash.bucket = MADE_OWN;
    m->gnu_hash.chain[0] = made_hash("own") & ~1u;
    m->gnu_hash.chain[1] = 1; /* the last */
    m->hash.buckets = 1;
    m->hash.symbols = MADE_SYMBOLS;
    m->hash.bucket = MADE_START;
    m->hash.chain[MADE_START] = MADE_OWN;
    m->needed_version = (Elf64_Verneed){.vn_version = 1, .vn_cnt = 1, .vn_aux = 16};
    m->version = (Elf64_Vernaux){.vna_other = 5, .vna_name = TEXT_VERSION};
    m->versions[MADE_START] = 5;
    m->versions[MADE_OWN] = 1;
}

/* A program that begins with __libc_start_main(); words 0 to 3 are relocated by a table, 10, 11 and
 * 13 are packed. */
static inline struct made made_program(void)
{
    struct made m = {.text = MADE_TEXTS, .thread_data = 77, .packed = {AT(word[10]), 0xb}};
    memcpy(m.head.e_ident, ELFMAG, SELFMAG);
    m.head.e_ident[EI_CLASS] = ELFCLASS64;
    m.head.e_ident[EI_DATA] = ELFDATA2LSB;
    m.head.e_type = ET_DYN;
    m.head.e_machine = MADE_MACHINE;
    m.head.e_phoff = AT(segment);
    m.head.e_phentsize = sizeof(Elf64_Phdr);
    m.head.e_phnum = MADE_SEGMENTS;
    m.head.e_entry = AT(word[40]);
    m.segment[MADE_LOAD] = (Elf64_Phdr){.p_type = PT_LOAD,
                                        .p_flags = PF_R | PF_W | PF_X,
                                        .p_filesz = sizeof(m),
                                        .p_memsz = sizeof(m) + 100};
    m.segment[MADE_DYNAMIC] =
        (Elf64_Phdr){.p_type = PT_DYNAMIC, .p_vaddr = AT(dynamic), .p_filesz = sizeof(m.dynamic)};
    m.segment[MADE_INTERP] = (Elf64_Phdr){.p_type = PT_INTERP};
    m.segment[MADE_THREAD] = (Elf64_Phdr){
        .p_type = PT_TLS, .p_vaddr = AT(thread_data), .p_filesz = 8, .p_memsz = 24, .p_align = 8};
    made_dynamic(&m);
    made_symbols(&m);
    m.relocation[0] = (Elf64_Rela){AT(word[0]), ELF64_R_INFO(0, MADE_BASE), 5};
    m.relocation[1] = (Elf64_Rela){AT(word[1]), ELF64_R_INFO(MADE_OWN, MADE_WORD), 3};
    m.relocation[2] = (Elf64_Rela){AT(word[2]), ELF64_R_INFO(0, MADE_PLACE), 8};
    m.call[0] = (Elf64_Rela){AT(word[3]), ELF64_R_INFO(MADE_START, (uint64_t)MADE_SLOT), 0};
    for (unsigned i = 0; i < MADE_WORDS; i++)
        m.word[i] = i;
    return m;
}

/* An entry of the dynamic section, by its tag. */
static inline Elf64_Dyn *made_entry(struct made *m, int64_t tag)
{
    for (unsigned i = 0; m->dynamic[i].d_tag; i++)
        if (m->dynamic[i].d_tag == tag)
            return &m->dynamic[i];
    fail_msg("no entry of tag %lld", (long long)tag);
    return NULL;
}

/* Writes it, or the beginning of it; one at a time, by its path. */
static inline const char *made_write(const struct made *m, size_t bytes)
{
    static char path[64];
    static int file = -1;
    if (file < 0)
        file = memfd_create("made", MFD_CLOEXEC);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    assert_int_equal(ftruncate(file, 0), 0);
    assert_int_equal(pwrite(file, m, bytes, 0), bytes);
    return path;
}

#endif
