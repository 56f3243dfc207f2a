/* weft mpirun --gdb RANK: the same command, under gdb. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "mpi/observe/debugger.h"

/* Tells the process under gdb that it is there, and where to write commands for gdb. */
static const char variable[] = "WEFT_GDB_COMMANDS";

/* A folder whose name needs no quotes, neither for gdb nor for the shell. */
static const char *find_folder(void)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
    const char *folder = getenv("TMPDIR");
    bool usable = folder && *folder && *folder != '-' && !folder[strspn(folder, plain)];
    return usable ? folder : "/tmp";
}

/* A file for the commands; false: there is none, and the complaint was recorded. */
static bool make_file(char *path, size_t size)
{
    snprintf(path, size, "%s/weft-gdb-XXXXXX", find_folder());
    int file = mkstemp(path);
    if (file < 0) {
        RUN_FAILED(("%s: %s", path, strerror(errno)),
                   ("set TMPDIR to a folder that can be written"));
        return false;
    }
    close(file);
    return true;
}

static weft_status call_gdb(int argc, char **argv)
{
    char path[4096], source[4160], clean[4160], program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    if (length < 0 || !make_file(path, sizeof(path)))
        return length < 0 ? RUN_FAILED(("/proc/self/exe: %s", strerror(errno)), NO_REMEDY)
                          : WEFT_FAILED;
    program[length] = '\0';
    snprintf(source, sizeof(source), "source %s", path);
    snprintf(clean, sizeof(clean), "shell rm -f %s", path); /* if the rank never began */
    const char *first[] = {"gdb", "-q",  "-ex",    "run",   "-ex",   source,
                           "-ex", clean, "--args", program, "mpirun"};
    size_t before = sizeof(first) / sizeof(first[0]);
    char **word = memory_alloc(before + (size_t)argc + 1, sizeof(*word));
    memcpy(word, first, sizeof(first));
    memcpy(word + before, argv, (size_t)argc * sizeof(*word));
    setenv(variable, path, 1);
    execvp(word[0], word);
    remove(path);
    free(word);
    return BAD_INPUT(NULL, ("gdb: %s", strerror(errno)), ("install it"));
}

weft_status cli_debug(const struct cli_options *o, int argc, char **argv)
{
    const char *path = getenv(variable);
    if (!o->debugged)
        return WEFT_OK;
    if (!path)
        return call_gdb(argc, argv);
    debugger_expect(o->debugged_rank, path);
    return WEFT_OK;
}
