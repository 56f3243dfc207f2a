/*
 * ELF files: programs and libraries for this computer, as their linker wrote them. Everything in a
 * file is checked before it is used; addresses are the file's own, which begin near 0.
 *
 *   elf_open(path, &e)     refuses what is not a program or library that can be loaded anywhere
 *   elf_close(&e)
 */
#ifndef WEFT_IMAGE_ELF_H
#define WEFT_IMAGE_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A table in a file: its address and size. */
struct elf_table {
    uint64_t at, bytes;
};

struct elf {
    char *path;
    const unsigned char *file;
    size_t bytes;
    const Elf64_Phdr *segment;
    unsigned segments;
    uint64_t low, high; /* addresses that its segments take, from the first to behind the last */
    uint64_t entry;
    bool is_program;    /* it names the system's loader, and begins at its entry */
    bool is_static;     /* it is a program that does not */
    bool code_on_stack; /* its nested functions need stacks that can be executed */
    struct elf_table texts, relocations, plt_relocations, packed; /* packed: RELR */
    struct elf_table begin, end;                                  /* addresses of functions */
    uint64_t first_begin, last_end; /* a function before those of `begin`, after those of `end` */
    uint64_t symbols, hash, gnu_hash, versions, needed_versions;
    uint64_t needed_files; /* entries of needed_versions */
    struct elf_table thread_data;
    uint64_t thread_bytes, thread_alignment; /* thread_bytes: 0 if there are no such data */
    uint64_t frames;                         /* of exceptions: its .eh_frame_hdr; 0: none */
    const Elf64_Dyn *dynamic;
    size_t dynamics;
};

weft_status elf_open(const char *path, struct elf *e);
void elf_close(struct elf *e);

/* Bytes of the file by their address; NULL: they are not all in it. */
const void *elf_at(const struct elf *e, uint64_t address, uint64_t bytes);

/* A text of the dynamic section; "": there is none at this offset. */
const char *elf_text(const struct elf *e, uint64_t offset);

/* Libraries that it needs, one after the other; NULL: no more. And where to look for them, or "".
 */
const char *elf_needed(const struct elf *e, size_t index);
const char *elf_search_path(const struct elf *e);

/* A symbol by its number; NULL: there is none. */
const Elf64_Sym *elf_symbol(const struct elf *e, uint32_t index);

/* The version that a symbol must have, or ""; what the file itself defines under a name, or NULL.
 */
const char *elf_symbol_version(const struct elf *e, uint32_t index);
const Elf64_Sym *elf_find(const struct elf *e, const char *name);

/* What the loader must write at an address; `symbol` is a number, 0: none. */
enum elf_kind {
    ELF_BASE,          /* the address of 0, plus the addend */
    ELF_WORD,          /* the address of a symbol, plus the addend */
    ELF_COPY,          /* the contents of a variable of a library */
    ELF_IFUNC,         /* what a function at the addend returns */
    ELF_THREAD_MODULE, /* of a thread-local variable: whose it is, */
    ELF_THREAD_OFFSET, /* where it is among those of its owner, */
    ELF_THREAD_PLACE,  /* how far from the thread's pointer, */
    ELF_THREAD_CALL,   /* a function that says the latter, and its argument */
    ELF_NOTHING,
    ELF_UNKNOWN,
};

struct elf_relocation {
    enum elf_kind kind;
    uint32_t type; /* as the file has it */
    uint32_t symbol;
    uint64_t at;
    int64_t addend;
};

/* Visits all relocations, in the file's order; ends with the first failure. */
typedef weft_status elf_visit(void *arg, const struct elf *e, const struct elf_relocation *r);
weft_status elf_relocate(const struct elf *e, elf_visit *visit, void *arg);

/* ---- search.c: where the libraries of a program are ---- */

enum { SEARCH_PATH_MOST = 4096 };

/* Finds a library that a file needs: in the folders that the file names, those of LD_LIBRARY_PATH,
 * and the system's. */
weft_status search_library(const struct elf *by, const char *name, char path[SEARCH_PATH_MOST]);

/* Whether all ranks can share the computer's own copy of a library: it keeps nothing of a rank, or
 * Weft keeps that for it. */
bool search_is_shared(const char *name);

/* Whether a file is a compiler's library: it names functions that few programs have it call. */
bool search_is_compilers(const char *path);

/* Whether a library is one that Weft stands in for: an MPI library. */
bool search_is_ours(const char *name);

/* Why a program that needs a library cannot run; NULL: it can. */
const char *search_refuses(const char *name);

#endif
