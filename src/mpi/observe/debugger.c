/* Commands for gdb, and a stop. */
#define _GNU_SOURCE
#include "mpi/observe/debugger.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    uint32_t rank;
    const char *path; /* NULL: nobody debugs */
} expected;

void debugger_expect(uint32_t rank, const char *path)
{
    expected.rank = rank;
    expected.path = path;
}

bool debugger_is_expected(void)
{
    return expected.path;
}

static void stop(void)
{
    syscall(SYS_tgkill, getpid(), gettid(), SIGTRAP);
}

/* A path as gdb reads it; what does not begin with a slash might look like an option or a user. */
static void write_path(FILE *f, const char *path)
{
    static const char plain[] = "/._-+,=:@%";
    fputs(*path == '/' ? "" : "./", f);
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        fprintf(f, isalnum(c) || c > 127 || strchr(plain, c) ? "%c" : "\\%c", c);
    }
}

static weft_status look_for_fortran(void *arg, const struct elf *e, const struct elf_relocation *r)
{
    const char *name = elf_text(e, elf_symbol(e, r->symbol)->st_name);
    *(bool *)arg |= strcmp(name, "_gfortran_set_args") == 0;
    return WEFT_OK;
}

/* Questions would wait for answers that nobody gives. The file has been read by then. */
static void write_commands(FILE *f, const struct image *image, const unsigned char *copy)
{
    bool fortran = false; /* gfortran's main() only prepares the program's own */
    (void)elf_relocate(&image->object[0].elf, look_for_fortran, &fortran);
    fprintf(f, "shell rm -f %s\nset confirm off\n", expected.path);
    for (size_t i = 0; i < image->objects; i++) {
        const struct image_object *o = &image->object[i];
        fputs("add-symbol-file ", f);
        write_path(f, o->elf.path);
        fprintf(f, " -o %p\n", (const void *)(copy + o->base));
    }
    fprintf(f, "set confirm on\ntbreak %s\ncontinue\n", fortran ? "MAIN__" : "main");
}

void debugger_meet(uint32_t rank, const struct image *image, const unsigned char *copy)
{
    if (!expected.path || rank != expected.rank)
        return;
    FILE *f = fopen(expected.path, "w");
    if (!f)
        return;
    write_commands(f, image, copy);
    fclose(f);
    stop();
}

void debugger_stop(uint32_t rank, const char *why)
{
    if (!expected.path || rank != expected.rank)
        return;
    dprintf(STDERR_FILENO, "weft: rank %u is about to end the run: %s\n", rank, why);
    stop();
}
