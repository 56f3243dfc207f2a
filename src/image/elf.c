/* Reading ELF files, distrustfully. */
#include "image/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

#if defined(__x86_64__)
enum { OUR_MACHINE = EM_X86_64 };
#define RELOCATION(X86_64, AARCH64) R_X86_64_##X86_64
#elif defined(__aarch64__)
enum { OUR_MACHINE = EM_AARCH64 };
#define RELOCATION(X86_64, AARCH64) R_AARCH64_##AARCH64
#else
enum { OUR_MACHINE = EM_NONE };
#define RELOCATION(X86_64, AARCH64) R_X86_64_##X86_64
#endif

enum {
    SEGMENTS_MOST = 64,
    SPAN_MOST_GIB = 4,
};

#define BAD_ELF(E, WHAT, REMEDY) BAD_PLACE(("%s", (E)->path), WHAT, REMEDY)
#define BROKEN(E, WHAT)          BAD_ELF(E, ("%s", WHAT), ("build it again"))

/* ---- bytes ---- */

static bool fits(uint64_t at, uint64_t bytes, uint64_t all)
{
    return bytes <= all && at <= all - bytes;
}

/* The segment that addresses are in: as far as the file has it, or all of it; NULL: none. */
static const Elf64_Phdr *segment_of(const struct elf *e, uint64_t address, uint64_t bytes,
                                    bool in_file)
{
    for (unsigned i = 0; i < e->segments; i++) {
        const Elf64_Phdr *s = &e->segment[i];
        if (s->p_type == PT_LOAD && address >= s->p_vaddr &&
            fits(address - s->p_vaddr, bytes, in_file ? s->p_filesz : s->p_memsz))
            return s;
    }
    return NULL;
}

const void *elf_at(const struct elf *e, uint64_t address, uint64_t bytes)
{
    const Elf64_Phdr *s = segment_of(e, address, bytes, true);
    return s ? e->file + s->p_offset + (address - s->p_vaddr) : NULL;
}

/* Takes bytes that need not be aligned; false: they are not in the file. */
static bool read_at(const struct elf *e, uint64_t address, void *to, size_t bytes)
{
    const void *at = elf_at(e, address, bytes);
    if (at)
        memcpy(to, at, bytes);
    return at;
}

static uint32_t word_at(const struct elf *e, uint64_t address)
{
    uint32_t word = 0;
    read_at(e, address, &word, sizeof(word));
    return word;
}

const char *elf_text(const struct elf *e, uint64_t offset)
{
    const char *texts = elf_at(e, e->texts.at, e->texts.bytes);
    if (!texts || offset >= e->texts.bytes ||
        !memchr(texts + offset, '\0', e->texts.bytes - offset))
        return "";
    return texts + offset;
}

/* ---- the file ---- */

static weft_status not_a_program(const struct elf *e, const char *what)
{
    return BAD_ELF(e, ("%s", what), ("name a program that weft mpicc has built"));
}

/* Without waiting for somebody to write, should it be a pipe. */
static weft_status map_file(struct elf *e)
{
    struct stat about;
    int fd = open(e->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return BAD_ELF(e, ("%s", strerror(errno)), ("name a file that can be read"));
    bool is_file = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    void *file = is_file && about.st_size
                     ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                     : MAP_FAILED;
    close(fd);
    if (file == MAP_FAILED)
        return not_a_program(e, !is_file         ? "is not a file"
                                : !about.st_size ? "is empty"
                                                 : strerror(errno));
    e->file = file;
    e->bytes = (size_t)about.st_size;
    return WEFT_OK;
}

static weft_status check_header(struct elf *e)
{
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)e->file;
    const unsigned char *kind = e->file;
    if (e->bytes < EI_NIDENT || memcmp(kind, ELFMAG, SELFMAG) != 0)
        return not_a_program(e, "is not a program (no ELF file)");
    if (kind[EI_CLASS] == ELFCLASS32)
        return BAD_ELF(e, ("was built for 32 bits"), ("build it for 64"));
    if (e->bytes < sizeof(*h))
        return BROKEN(e, "it ends in its header");
    if (kind[EI_CLASS] != ELFCLASS64 || kind[EI_DATA] != ELFDATA2LSB || h->e_machine != OUR_MACHINE)
        return BAD_ELF(e, ("was built for another kind of computer"), ("build it on this one"));
    if (h->e_type != ET_DYN && h->e_type != ET_EXEC)
        return not_a_program(e, "is neither a program nor a library");
    if (h->e_phentsize != sizeof(Elf64_Phdr) || !h->e_phnum || h->e_phnum > SEGMENTS_MOST ||
        h->e_phoff % 8 || !fits(h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr), e->bytes))
        return BROKEN(e, "its table of segments is broken");
    e->segment = (const Elf64_Phdr *)(e->file + h->e_phoff);
    e->segments = h->e_phnum;
    e->entry = h->e_entry;
    return WEFT_OK;
}

static const Elf64_Phdr *find_segment(const struct elf *e, uint32_t type)
{
    for (unsigned i = 0; i < e->segments; i++)
        if (e->segment[i].p_type == type)
            return &e->segment[i];
    return NULL;
}

static weft_status is_static(const struct elf *e)
{
    return BAD_ELF(e, ("is linked statically"), ("build it with -fPIE -pie, not -static"));
}

/* Whether it names the system's loader, and can be loaded anywhere. */
static weft_status check_linking(struct elf *e)
{
    bool anywhere = ((const Elf64_Ehdr *)e->file)->e_type == ET_DYN;
    e->is_program = find_segment(e, PT_INTERP);
    if (!anywhere && !e->is_program)
        return is_static(e);
    return anywhere ? WEFT_OK
                    : BAD_ELF(e, ("can run at one address only"), ("build it with -fPIE -pie"));
}

/* Segments follow each other, and none is larger than what is in the file and a bounded rest. Words
 * are aligned in the file where their addresses are. */
static weft_status check_segments(struct elf *e)
{
    const uint64_t most = (uint64_t)SPAN_MOST_GIB << 30;
    e->low = UINT64_MAX;
    for (unsigned i = 0; i < e->segments; i++) {
        const Elf64_Phdr *s = &e->segment[i];
        if (s->p_type != PT_LOAD)
            continue;
        if (!fits(s->p_offset, s->p_filesz, e->bytes))
            return BROKEN(e, "it ends before its segments do");
        if (s->p_filesz > s->p_memsz || !fits(s->p_vaddr, s->p_memsz, most) ||
            s->p_vaddr < e->high || (s->p_offset - s->p_vaddr) % 8)
            return BROKEN(e, "its segments are broken");
        e->low = e->low == UINT64_MAX ? s->p_vaddr : e->low;
        e->high = s->p_vaddr + s->p_memsz;
    }
    return e->high ? WEFT_OK : BROKEN(e, "it has no segments");
}

static weft_status read_thread_data(struct elf *e, const Elf64_Phdr *s)
{
    uint64_t alignment = s->p_align ? s->p_align : 1;
    bool power = alignment <= 4096 && (alignment & (alignment - 1)) == 0;
    if (!power || s->p_vaddr % alignment || s->p_filesz > s->p_memsz || s->p_memsz > 1 << 20 ||
        (s->p_filesz && !elf_at(e, s->p_vaddr, s->p_filesz)))
        return BROKEN(e, "its thread-local data are broken");
    e->thread_data = (struct elf_table){s->p_vaddr, s->p_filesz};
    e->thread_bytes = s->p_memsz;
    e->thread_alignment = alignment;
    return WEFT_OK;
}

static weft_status read_segments(struct elf *e)
{
    const Elf64_Phdr *dynamic = find_segment(e, PT_DYNAMIC), *s;
    if ((s = find_segment(e, PT_GNU_EH_FRAME)) && elf_at(e, s->p_vaddr, s->p_filesz))
        e->frames = s->p_vaddr;
    s = find_segment(e, PT_GNU_STACK);
    e->code_on_stack = s && s->p_flags & PF_X;
    if (!dynamic)
        return is_static(e);
    e->dynamic = dynamic->p_vaddr % 8 ? NULL : elf_at(e, dynamic->p_vaddr, dynamic->p_filesz);
    e->dynamics = dynamic->p_filesz / sizeof(Elf64_Dyn);
    if (!e->dynamic)
        return BROKEN(e, "its dynamic section is broken");
    s = find_segment(e, PT_TLS);
    return s && s->p_memsz ? read_thread_data(e, s) : WEFT_OK;
}

/* ---- versions of symbols ---- */

static uint16_t version_index(const struct elf *e, uint32_t symbol)
{
    uint16_t version = 0;
    if (e->versions)
        read_at(e, e->versions + (uint64_t)symbol * 2, &version, sizeof(version));
    return version;
}

/* Versions of libraries that the file needs, one after the other. */
struct version_walk {
    Elf64_Verneed file;
    Elf64_Vernaux version;
    uint64_t at, files, entry; /* of the file, files that follow it, of the next version */
    unsigned left;             /* versions of the file */
};

static bool walk_file(const struct elf *e, struct version_walk *w)
{
    if (!w->files-- || !read_at(e, w->at, &w->file, sizeof(w->file)))
        return false;
    w->left = w->file.vn_cnt;
    w->entry = w->at + w->file.vn_aux;
    w->at += w->file.vn_next;
    w->files = w->file.vn_next >= sizeof(w->file) ? w->files : 0;
    return true;
}

static bool walk_versions(const struct elf *e, struct version_walk *w)
{
    while (!w->left)
        if (!walk_file(e, w))
            return false;
    w->left--;
    if (!read_at(e, w->entry, &w->version, sizeof(w->version)))
        return false;
    w->entry += w->version.vna_next;
    return true;
}

static struct version_walk begin_walk(const struct elf *e)
{
    return (struct version_walk){.at = e->needed_versions, .files = e->needed_files};
}

/* The file size bounds the walk. */
static weft_status check_versions(const struct elf *e)
{
    struct version_walk w = begin_walk(e);
    size_t most = e->bytes / sizeof(w.version);
    while (walk_versions(e, &w))
        if (!most--)
            return BROKEN(e, "its versions are broken");
    return WEFT_OK;
}

const char *elf_symbol_version(const struct elf *e, uint32_t symbol)
{
    uint16_t version = version_index(e, symbol) & 0x7fff;
    struct version_walk w = begin_walk(e);
    while (version > 1 && walk_versions(e, &w))
        if ((w.version.vna_other & 0x7fff) == version)
            return elf_text(e, w.version.vna_name);
    return "";
}

/* ---- the dynamic section ---- */

static void read_dynamic_entry(struct elf *e, const Elf64_Dyn *d)
{
#define AT(TAG, FIELD)                                                                             \
    {                                                                                              \
        TAG, offsetof(struct elf, FIELD)                                                           \
    }
    static const struct {
        int64_t tag;
        size_t at; /* of the field that has its value */
    } fields[] = {
        AT(DT_STRTAB, texts.at),
        AT(DT_STRSZ, texts.bytes),
        AT(DT_SYMTAB, symbols),
        AT(DT_HASH, hash),
        AT(DT_GNU_HASH, gnu_hash),
        AT(DT_VERSYM, versions),
        AT(DT_VERNEED, needed_versions),
        AT(DT_VERNEEDNUM, needed_files),
        AT(DT_RELA, relocations.at),
        AT(DT_RELASZ, relocations.bytes),
        AT(DT_JMPREL, plt_relocations.at),
        AT(DT_PLTRELSZ, plt_relocations.bytes),
        AT(DT_RELR, packed.at),
        AT(DT_RELRSZ, packed.bytes),
        AT(DT_INIT, first_begin),
        AT(DT_INIT_ARRAY, begin.at),
        AT(DT_INIT_ARRAYSZ, begin.bytes),
        AT(DT_FINI, last_end),
        AT(DT_FINI_ARRAY, end.at),
        AT(DT_FINI_ARRAYSZ, end.bytes),
    };
#undef AT
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (fields[i].tag == d->d_tag)
            memcpy((char *)e + fields[i].at, &d->d_un.d_val, sizeof(d->d_un.d_val));
    if (d->d_tag == DT_FLAGS_1)
        e->is_static = !e->is_program && d->d_un.d_val & DF_1_PIE;
}

static weft_status check_table(const struct elf *e, const struct elf_table *t, const char *what)
{
    if (!t->bytes || (t->at % 8 == 0 && t->bytes % 8 == 0 && elf_at(e, t->at, t->bytes)))
        return WEFT_OK;
    return BAD_ELF(e, ("its %s are broken", what), ("build it again"));
}

static weft_status read_dynamic(struct elf *e)
{
    size_t count = 0;
    while (count < e->dynamics && e->dynamic[count].d_tag != DT_NULL)
        read_dynamic_entry(e, &e->dynamic[count++]);
    e->dynamics = count;
    if (e->is_static)
        return is_static(e);
    if (!e->symbols || e->symbols % 8 || !elf_symbol(e, 0) ||
        !elf_at(e, e->texts.at, e->texts.bytes))
        return BROKEN(e, "its symbols are broken");
    TRY(check_table(e, &e->relocations, "relocations"));
    TRY(check_table(e, &e->plt_relocations, "relocations of calls"));
    TRY(check_table(e, &e->packed, "packed relocations"));
    TRY(check_table(e, &e->begin, "initialisers"));
    TRY(check_table(e, &e->end, "finalisers"));
    return check_versions(e);
}

static weft_status read_all(struct elf *e)
{
    TRY(map_file(e));
    TRY(check_header(e));
    TRY(check_linking(e));
    TRY(check_segments(e));
    TRY(read_segments(e));
    TRY(read_dynamic(e));
    if (!e->is_program)
        return WEFT_OK;
    const Elf64_Phdr *first = segment_of(e, e->entry, 4, false);
    return first && first->p_flags & PF_X
               ? WEFT_OK
               : BROKEN(e, "its entry point is in no executable segment");
}

weft_status elf_open(const char *path, struct elf *e)
{
    *e = (struct elf){.path = memory_copy(path)};
    weft_status status = read_all(e);
    if (status != WEFT_OK)
        elf_close(e);
    return status;
}

void elf_close(struct elf *e)
{
    if (e->file)
        munmap((void *)e->file, e->bytes);
    free(e->path);
    *e = (struct elf){.path = NULL};
}

/* ---- names ---- */

const char *elf_needed(const struct elf *e, size_t index)
{
    for (size_t i = 0; i < e->dynamics; i++)
        if (e->dynamic[i].d_tag == DT_NEEDED && index-- == 0)
            return elf_text(e, e->dynamic[i].d_un.d_val);
    return NULL;
}

const char *elf_search_path(const struct elf *e)
{
    const char *path = "";
    for (size_t i = 0; i < e->dynamics; i++)
        if (e->dynamic[i].d_tag == DT_RUNPATH || (e->dynamic[i].d_tag == DT_RPATH && !*path))
            path = elf_text(e, e->dynamic[i].d_un.d_val);
    return path;
}

const Elf64_Sym *elf_symbol(const struct elf *e, uint32_t index)
{
    return elf_at(e, e->symbols + (uint64_t)index * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
}

/* ---- definitions ---- */

/* Whether a symbol is a definition of this name, for others to use. */
static bool defines(const struct elf *e, uint32_t index, const char *name)
{
    const Elf64_Sym *s = elf_symbol(e, index);
    if (!s || s->st_shndx == SHN_UNDEF || ELF64_ST_BIND(s->st_info) == STB_LOCAL)
        return false;
    bool hidden = version_index(e, index) & 0x8000; /* an old version */
    return !hidden && strcmp(elf_text(e, s->st_name), name) == 0;
}

static uint32_t gnu_hash(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* Chains of symbols, whose hashes end with a bit at the last of a chain. */
static uint32_t find_by_gnu_hash(const struct elf *e, const char *name)
{
    uint32_t buckets = word_at(e, e->gnu_hash), first = word_at(e, e->gnu_hash + 4);
    uint64_t bucket = e->gnu_hash + 16 + 8 * (uint64_t)word_at(e, e->gnu_hash + 8);
    uint64_t chain = bucket + 4 * (uint64_t)buckets;
    uint32_t hash = gnu_hash(name), own;
    if (!buckets)
        return 0;
    uint32_t index = word_at(e, bucket + 4 * (uint64_t)(hash % buckets));
    if (index < first)
        return 0;
    do {
        uint64_t at = chain + 4 * (uint64_t)(index - first);
        if (!elf_at(e, at, 4))
            return 0;
        own = word_at(e, at);
        if ((own | 1) == (hash | 1) && defines(e, index, name))
            return index;
        index++;
    } while (!(own & 1));
    return 0;
}

static uint32_t old_hash(const char *name)
{
    uint32_t hash = 0;
    for (; *name; name++) {
        hash = (hash << 4) + (unsigned char)*name;
        uint32_t high = hash & 0xf0000000;
        hash = (hash ^ high >> 24) & ~high;
    }
    return hash;
}

static uint32_t find_by_hash(const struct elf *e, const char *name)
{
    uint32_t buckets = word_at(e, e->hash), symbols = word_at(e, e->hash + 4);
    uint64_t bucket = e->hash + 8, chain = bucket + 4 * (uint64_t)buckets;
    if (!buckets)
        return 0;
    uint32_t index = word_at(e, bucket + 4 * (uint64_t)(old_hash(name) % buckets));
    for (uint32_t steps = 0; index && index < symbols && steps < symbols; steps++) {
        if (defines(e, index, name))
            return index;
        index = word_at(e, chain + 4 * (uint64_t)index);
    }
    return 0;
}

const Elf64_Sym *elf_find(const struct elf *e, const char *name)
{
    uint32_t index = e->gnu_hash ? find_by_gnu_hash(e, name) : e->hash ? find_by_hash(e, name) : 0;
    return index ? elf_symbol(e, index) : NULL;
}

/* ---- relocations ---- */

static enum elf_kind kind_of(uint32_t type)
{
    static const struct {
        uint32_t type;
        enum elf_kind kind;
    } kinds[] = {
        {RELOCATION(NONE, NONE), ELF_NOTHING},
        {RELOCATION(RELATIVE, RELATIVE), ELF_BASE},
        {RELOCATION(GLOB_DAT, GLOB_DAT), ELF_WORD},
        {RELOCATION(JUMP_SLOT, JUMP_SLOT), ELF_WORD},
        {RELOCATION(64, ABS64), ELF_WORD},
        {RELOCATION(COPY, COPY), ELF_COPY},
        {RELOCATION(IRELATIVE, IRELATIVE), ELF_IFUNC},
        {RELOCATION(DTPMOD64, TLS_DTPMOD), ELF_THREAD_MODULE},
        {RELOCATION(DTPOFF64, TLS_DTPREL), ELF_THREAD_OFFSET},
        {RELOCATION(TPOFF64, TLS_TPREL), ELF_THREAD_PLACE},
        {RELOCATION(TLSDESC, TLSDESC), ELF_THREAD_CALL},
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (kinds[i].type == type)
            return kinds[i].kind;
    return ELF_UNKNOWN;
}

static weft_status check_place(const struct elf *e, uint64_t at, uint64_t bytes)
{
    const Elf64_Phdr *segment = segment_of(e, at, bytes, false);
    if (!segment)
        return BROKEN(e, "a relocation is outside of its segments");
    if (!(segment->p_flags & PF_W))
        return BAD_ELF(e, ("has relocations in its text"),
                       ("build it with %s", e->is_program ? "-fPIE -pie" : "-fPIC"));
    return WEFT_OK;
}

static weft_status check_relocation(const struct elf *e, const struct elf_relocation *r)
{
    const Elf64_Sym *symbol = elf_symbol(e, r->symbol);
    if (r->kind == ELF_UNKNOWN)
        return BAD_ELF(e, ("has a relocation of type %u, which is not known", r->type),
                       ("build it with gcc or clang, with -fPIE -pie"));
    if (!symbol)
        return BROKEN(e, "a relocation names a symbol that does not exist");
    if (r->kind == ELF_NOTHING)
        return WEFT_OK;
    if (r->kind == ELF_COPY && !e->is_program)
        return BAD_ELF(e, ("is a library that copies variables"), ("build it with -fPIC"));
    return check_place(e, r->at,
                       r->kind == ELF_THREAD_CALL ? 16
                       : r->kind == ELF_COPY      ? symbol->st_size
                                                  : 8);
}

static weft_status relocate_table(const struct elf *e, const struct elf_table *t, elf_visit *visit,
                                  void *arg)
{
    const Elf64_Rela *rela = elf_at(e, t->at, t->bytes);
    for (uint64_t i = 0; i < t->bytes / sizeof(*rela); i++) {
        uint32_t type = (uint32_t)ELF64_R_TYPE(rela[i].r_info);
        struct elf_relocation r = {.kind = kind_of(type),
                                   .type = type,
                                   .symbol = (uint32_t)ELF64_R_SYM(rela[i].r_info),
                                   .at = rela[i].r_offset,
                                   .addend = rela[i].r_addend};
        TRY(check_relocation(e, &r));
        TRY(visit(arg, e, &r));
    }
    return WEFT_OK;
}

/* A packed relocation adds the base to the word that is there. */
static weft_status relocate_packed(const struct elf *e, uint64_t at, elf_visit *visit, void *arg)
{
    struct elf_relocation r = {.kind = ELF_BASE, .at = at};
    TRY(check_place(e, at, 8));
    read_at(e, at, &r.addend, sizeof(r.addend)); /* or 0, where the file has nothing */
    return visit(arg, e, &r);
}

/* An even word is an address; an odd one a bit map of the 63 words that follow. */
static weft_status unpack(const struct elf *e, elf_visit *visit, void *arg)
{
    const uint64_t *packed = elf_at(e, e->packed.at, e->packed.bytes);
    uint64_t next = 0;
    for (uint64_t i = 0; i < e->packed.bytes / 8; i++) {
        if (!(packed[i] & 1)) {
            TRY(relocate_packed(e, packed[i], visit, arg));
            next = packed[i] + 8;
            continue;
        }
        for (unsigned bit = 1; bit < 64; bit++)
            if (packed[i] >> bit & 1)
                TRY(relocate_packed(e, next + 8 * (bit - 1), visit, arg));
        next += 63 * 8;
    }
    return WEFT_OK;
}

weft_status elf_relocate(const struct elf *e, elf_visit *visit, void *arg)
{
    TRY(unpack(e, visit, arg));
    TRY(relocate_table(e, &e->relocations, visit, arg));
    return relocate_table(e, &e->plt_relocations, visit, arg);
}
