/* weft mpirun: MPI programs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "mpi/observe/debugger.h"
#include "workload/programs/programs.h"

/* ---- --gdb ---- */

/* Tells the process under gdb that it is there, and where to write commands for gdb. */
static const char variable[] = "WEFT_GDB_COMMANDS";

/* A file for the commands, in a folder whose name needs no quotes, neither for gdb nor for the
 * shell. */
static weft_status make_file(char *path, size_t size)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
    const char *folder = getenv("TMPDIR");
    bool usable = folder && *folder && *folder != '-' && !folder[strspn(folder, plain)];
    snprintf(path, size, "%s/weft-gdb-XXXXXX", usable ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0)
        return RUN_FAILED(("%s: %s", path, strerror(errno)),
                          ("set TMPDIR to a folder that can be written"));
    close(file);
    return WEFT_OK;
}

static weft_status call_gdb(const struct cli_options *o)
{
    char path[4096], source[4160], clean[4160], program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    if (length < 0)
        return RUN_FAILED(("/proc/self/exe: %s", strerror(errno)), NO_REMEDY);
    TRY(make_file(path, sizeof(path)));
    program[length] = '\0';
    snprintf(source, sizeof(source), "source %s", path);
    snprintf(clean, sizeof(clean), "shell rm -f %s", path); /* if the rank never began */
    const char *first[] = {"gdb", "-q",  "-ex",    "run",   "-ex",   source,
                           "-ex", clean, "--args", program, "mpirun"};
    size_t before = sizeof(first) / sizeof(first[0]);
    char **word = memory_alloc(before + (size_t)o->argc + 1, sizeof(*word));
    memcpy(word, first, sizeof(first));
    memcpy(word + before, o->argv, (size_t)o->argc * sizeof(*word));
    setenv(variable, path, 1);
    execvp(word[0], word);
    remove(path);
    free(word);
    return BAD_INPUT(NULL, ("gdb: %s", strerror(errno)), ("install it"));
}

/* --gdb: becomes gdb, which runs this command again; does nothing if it is not asked for, or if
 * that has been done. Refuses a rank that there is not. */
static weft_status debug(const struct cli_options *o, uint32_t ranks)
{
    const char *path = getenv(variable);
    if (o->debugged_rank == CLI_NO_RANK)
        return WEFT_OK;
    if (ranks && o->debugged_rank >= ranks)
        return BAD_INPUT(NULL, ("--gdb %u: there are %u ranks", o->debugged_rank, ranks),
                         ("use 0 to %u", ranks - 1));
    if (!path)
        return call_gdb(o);
    debugger_expect(o->debugged_rank, path);
    return WEFT_OK;
}

/* ---- the programs ---- */

/* Words as one text: blanks, quotes and backslashes in them have a backslash before them, and empty
 * ones are two quotes (workload/programs/mpi_programs.c reads it). */
struct joined {
    char text[CONFIG_TEXT];
    size_t length;
};

static weft_status join(struct joined *to, const char *word)
{
    char *text = to->text;
    size_t at = to->length;
    if (at + 2 * strlen(word) + 4 > CONFIG_TEXT)
        return BAD_INPUT(NULL, ("the arguments of the program are too long"),
                         ("use fewer than %d bytes, or a file", CONFIG_TEXT / 2));
    if (at)
        text[at++] = ' ';
    for (const char *c = word; *c; c++) {
        if (strchr(TEXT_BLANKS "'\"\\", *c))
            text[at++] = '\\';
        text[at++] = *c;
    }
    if (!*word)
        at += (size_t)snprintf(text + at, 3, "''");
    text[at] = '\0';
    to->length = at;
    return WEFT_OK;
}

static weft_status join_variable(struct joined *to, const char *word)
{
    if (!mpi_is_variable(word))
        return BAD_INPUT(NULL, ("-x '%.60s' is not a variable", word), ("write -x NAME=VALUE"));
    return join(to, word);
}

static bool is_colon(const char *word)
{
    return strcmp(word, ":") == 0;
}

/* What follows a colon: -np RANKS, -x NAME=VALUE, and a program with its arguments; *word then is
 * the next colon or NULL. Adds to *ranks. */
static weft_status join_program(char *const **word, struct joined *to, uint64_t *ranks)
{
    char *const *first = *word, *const *at = first;
    int64_t count = 0;
    for (; *at && **at == '-' && at[1]; at += 2) {
        bool counts = text_has_word("-np -n --np", at[0]);
        if (counts && (!number_integer(at[1], &count) || count < 1 || count > UINT32_MAX))
            return BAD_INPUT(NULL, ("%s '%.60s' is not a number of ranks", at[0], at[1]),
                             ("use a whole number from 1"));
        if (!counts && strcmp(at[0], "-x") != 0)
            return BAD_INPUT(NULL, ("option '%.60s' behind a colon", at[0]),
                             ("only -np and -x can be there"));
    }
    if (!*at || is_colon(*at))
        return BAD_INPUT(NULL, ("no program behind a colon"), ("write : -np RANKS PROGRAM"));
    if (!count)
        return BAD_INPUT(NULL, ("no number of ranks for %.200s", *at), ("give it with -np"));
    char number[32];
    snprintf(number, sizeof(number), "%u", (uint32_t)count);
    *ranks += (uint32_t)count;
    TRY(join(to, ":"));
    TRY(join(to, number));
    for (; first < at; first += 2)
        if (strcmp(first[0], "-x") == 0)
            TRY(join_variable(to, first[1]));
    for (; *at && !is_colon(*at); at++)
        TRY(join(to, *at));
    *word = at;
    return WEFT_OK;
}

/* Sets the programs; adds the ranks of those behind colons to *ranks. */
static weft_status set_programs(struct config *c, const struct cli_options *o, uint64_t *ranks)
{
    struct joined arguments = {.length = 0}, environment = {.length = 0}, more = {.length = 0};
    char *const *word = o->rest + 1;
    for (; *word && !is_colon(*word); word++)
        TRY(join(&arguments, *word));
    for (unsigned i = 0; i < o->variables; i++)
        TRY(join_variable(&environment, o->variable[i]));
    while (*word) {
        word++;
        TRY(join_program(&word, &more, ranks));
    }
    TRY(config_set(c, "workload.pattern", "mpi", "mpirun"));
    TRY(config_set(c, "workload.program", o->rest[0], o->rest[0]));
    TRY(config_set(c, "workload.arguments", arguments.text, "mpirun"));
    if (environment.length)
        TRY(config_set(c, "workload.environment", environment.text, "-x"));
    return more.length ? config_set(c, "workload.more_programs", more.text, "mpirun") : WEFT_OK;
}

static weft_status configure(struct config *c, const struct cli_options *o)
{
    uint64_t more = 0;
    char processes[32];
    TRY(set_programs(c, o, &more));
    if (o->tag_output)
        TRY(config_set(c, "workload.tag_output", "true", "--tag-output"));
    TRY(cli_apply(o, c));
    const struct workload_params *p = config_workload(c);
    snprintf(processes, sizeof(processes), "%llu", (unsigned long long)(p->processes + more));
    if (more && p->processes)
        TRY(config_set(c, "workload.processes", processes, "-np"));
    return p->pattern->kind == PATTERN_PARTS ? WEFT_OK : machine_fit(c, p->processes);
}

static weft_status run_program(struct cli_options *o, weft_run *run)
{
    TRY(configure(&run->config, o));
    TRY(debug(o, config_workload(&run->config)->processes));
    weft_status status = cli_execute(run, o, NULL);
    o->exit_code = run->result.mpi.code; /* after a failure: of MPI_Abort() */
    return status;
}

weft_status cmd_mpirun(struct cli_options *o)
{
    if (!o->rest)
        return BAD_INPUT(NULL, ("no program"), ("`weft mpirun -np 8 -m ideal ./PROGRAM` runs one"));
    return cli_with_run(o, o->machine, NULL, run_program);
}
