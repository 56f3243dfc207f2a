/*
 * Where an instruction of a rank is in its program's source: the function by the symbols of its
 * file, the line by its debugging information (DWARF), if libdw is there to read it. Files are
 * searched only when a rank has failed; nothing that they say is trusted.
 */
#define _GNU_SOURCE
#include "image/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WEFT_DWARF
#include <dwarf.h>
#include <elfutils/libdw.h>
#endif

/* ---- functions ---- */

/* A section's bytes; NULL: they are not all in the file. */
static const void *section_bytes(const struct elf *e, const Elf64_Shdr *s)
{
    bool fits = s->sh_size <= e->bytes && s->sh_offset <= e->bytes - s->sh_size;
    return fits && s->sh_type != SHT_NOBITS && s->sh_offset % 8 == 0 ? e->file + s->sh_offset
                                                                     : NULL;
}

/* The table of sections; 0: there is none that can be read. */
static unsigned find_sections(const struct elf *e, const Elf64_Shdr **table)
{
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)e->file;
    uint64_t bytes = (uint64_t)h->e_shnum * sizeof(**table);
    if (h->e_shentsize != sizeof(**table) || h->e_shoff % 8 || bytes > e->bytes ||
        h->e_shoff > e->bytes - bytes)
        return 0;
    *table = (const Elf64_Shdr *)(e->file + h->e_shoff);
    return h->e_shnum;
}

static bool is_function_at(const Elf64_Sym *s, uint64_t address)
{
    return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF &&
           address - s->st_value < s->st_size;
}

/* The name of the function that an address of the file is in, by one table of symbols, or NULL. */
static const char *search_table(const struct elf *e, const Elf64_Shdr *section, unsigned sections,
                                const Elf64_Shdr *table, uint64_t address)
{
    const Elf64_Sym *symbol = section_bytes(e, table);
    const Elf64_Shdr *names = table->sh_link < sections ? &section[table->sh_link] : NULL;
    if (!symbol || !names || names->sh_offset > e->bytes ||
        names->sh_size > e->bytes - names->sh_offset)
        return NULL;
    const char *text = (const char *)e->file + names->sh_offset;
    for (uint64_t i = 0; i < table->sh_size / sizeof(*symbol); i++) {
        uint64_t at = symbol[i].st_name;
        if (is_function_at(&symbol[i], address) && at < names->sh_size &&
            memchr(text + at, '\0', names->sh_size - at))
            return text + at;
    }
    return NULL;
}

static const char *find_function(const struct elf *e, uint64_t address)
{
    const Elf64_Shdr *section = NULL;
    unsigned sections = find_sections(e, &section);
    const char *name = NULL;
    for (unsigned i = 0; i < sections && !name; i++)
        if (section[i].sh_type == SHT_SYMTAB || section[i].sh_type == SHT_DYNSYM)
            name = search_table(e, section, sections, &section[i], address);
    return name;
}

/* ---- lines ---- */

struct source_line {
    char function[128], file[128];
    int number;
};

#ifdef WEFT_DWARF

/* The innermost function, which a compiler may have put into another one; its name is that of the
 * source. */
static void name_function(Dwarf_Die *unit, uint64_t address, struct source_line *line)
{
    Dwarf_Die *scope = NULL;
    int scopes = dwarf_getscopes(unit, address, &scope);
    for (int i = 0; i < scopes && !line->function[0]; i++) {
        int tag = dwarf_tag(&scope[i]);
        const char *name = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine
                               ? dwarf_diename(&scope[i])
                               : NULL;
        if (name)
            snprintf(line->function, sizeof(line->function), "%s", name);
    }
    free(scope);
}

static bool find_line_in(Dwarf *dwarf, uint64_t address, struct source_line *line)
{
    Dwarf_Off at = 0, next;
    for (size_t header; dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0; at = next) {
        Dwarf_Die unit;
        if (!dwarf_offdie(dwarf, at + header, &unit) || dwarf_haspc(&unit, address) != 1)
            continue;
        Dwarf_Line *found = dwarf_getsrc_die(&unit, address);
        const char *file = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
        if (!file || dwarf_lineno(found, &line->number) != 0)
            return false;
        const char *name = strrchr(file, '/');
        name_function(&unit, address, line);
        snprintf(line->file, sizeof(line->file), "%s", name ? name + 1 : file);
        return line->number > 0;
    }
    return false;
}

static bool find_line(const struct elf *e, uint64_t address, struct source_line *line)
{
    (void)elf_version(EV_CURRENT); /* libelf wants to be told which one */
    Elf *file = elf_memory((char *)e->file, e->bytes);
    Dwarf *dwarf = file ? dwarf_begin_elf(file, DWARF_C_READ, NULL) : NULL;
    bool found = dwarf && find_line_in(dwarf, address, line);
    if (dwarf)
        dwarf_end(dwarf);
    if (file)
        elf_end(file);
    return found;
}

#else

static bool find_line(const struct elf *e, uint64_t address, struct source_line *line)
{
    (void)e, (void)address, (void)line;
    return false;
}

#endif

/* ---- places ---- */

/* "store() at heat.c:12"; less, where the file has no symbols or no lines. */
static void describe(const struct elf *e, uint64_t address, const struct source_line *line,
                     bool has_line, char text[IMAGE_PLACE])
{
    const char *function = line->function[0] ? line->function : find_function(e, address);
    const char *file = strrchr(e->path, '/');
    file = file ? file + 1 : e->path;
    size_t at = 0;
    if (function)
        at = (size_t)snprintf(text, IMAGE_PLACE, "%.200s() ", function);
    if (has_line)
        snprintf(text + at, IMAGE_PLACE - at, "at %s:%d", line->file, line->number);
    else if (function)
        snprintf(text + at, IMAGE_PLACE - at, "of %.200s", file);
    else
        snprintf(text, IMAGE_PLACE, "%.200s at 0x%llx", file, (unsigned long long)address);
}

bool image_describe(const struct image *image, uint64_t at, char text[IMAGE_PLACE])
{
    for (size_t i = 0; i < image->objects; i++) {
        const struct image_object *o = &image->object[i];
        struct source_line line = {.number = 0};
        if (at < o->base + o->elf.low || at >= o->base + o->elf.high)
            continue;
        bool has_line = find_line(&o->elf, at - o->base, &line);
        describe(&o->elf, at - o->base, &line, has_line, text);
        return true;
    }
    return false;
}
