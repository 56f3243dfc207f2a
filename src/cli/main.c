/* The `weft` command. */
#define _GNU_SOURCE
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/data.h"
#include "engine/ranks.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage, *help;
} commands[] = {
    {"run", cmd_run, "[STUDY.yaml] [-m MACHINE] [-w PATTERN] [-s KEY=VALUE]... [-j THREADS]",
     "simulate"},
    {"", NULL, "[--seed N] [-o RESULT.json] [-q] [--check]", ""},
    {"", NULL, "[--checkpoint FILE [--every SECONDS]]", ""},
    {"resume", cmd_resume, "FILE [-j THREADS] [-o RESULT.json]", "goes on from a checkpoint"},
    {"sweep", cmd_sweep,
     "[STUDY.yaml] [-m MACHINE] [-w PATTERN] [-s KEY=VALUE]... --over KEY=V1,V2,...",
     "many runs: a table, a CSV, a plot"},
    {"", NULL, "[--over KEY=...]... [--metric NAME] [-j PROCESSES]", ""},
    {"study", cmd_study, "list | run NAME... | check [NAME...]  [--full] [-j PROCESSES]",
     "the papers' results"},
    {"", NULL, "record NAME... | report", "kept, and told as a page"},
    {"check", cmd_check, "[STUDY.yaml] [-m MACHINE] [-s KEY=VALUE]...",
     "routes, and a proof that it cannot deadlock, or a cycle"},
    {"bench", cmd_bench,
     "[TRAFFIC | SIZE]... [-j THREADS[,THREADS]...] [--repeat PASSES] [-o BENCH.json]",
     "the speed of this build on this computer"},
    {"machines", cmd_machines, "", "what there is"},
    {"show", cmd_show, "MACHINE [-s KEY=VALUE]...",
     "one machine: peak figures, parameters, sources"},
    {"keys", cmd_keys, "", "all keys of -s with units, defaults and meaning"},
};

static void print_usage(FILE *out)
{
    fprintf(out, "Weft " WEFT_VERSION ", a laboratory for supercomputer interconnects\n\n");
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        fprintf(out, "  %s %-8s %-80s %s\n", commands[i].name[0] ? "weft" : "    ",
                commands[i].name, commands[i].usage, commands[i].help);
    fprintf(out, "\nExit status: 0 done; 1 the run or check failed; 2 the input is wrong.\n");
}

/* What was printed must have arrived. */
static int finish_output(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "weft: standard output cannot be written; make room or send it elsewhere\n");
    return 2;
}

/* Machines and studies lie beside the program: PREFIX/bin/weft has PREFIX/share/weft, build/weft
 * the source tree above it. */
static void find_data(void)
{
    char folder[4096], machines[4200];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 32);
    if (getenv("WEFT_DATA") || length <= 0)
        return;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    static const char *const ways[] = {"/../share/weft", "/.."};
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        strcpy(slash, ways[i]);
        snprintf(machines, sizeof(machines), "%s/machines", folder);
        if (access(machines, F_OK) == 0) {
            data_set(folder);
            return;
        }
    }
}

static int run_command(size_t command, int argc, char **argv)
{
    int code;
    if (ranks_begin() != WEFT_OK)
        return cli_fail(WEFT_BAD_INPUT);
    cli_catch_signals();
    find_data();
    if (ranks_count() > 1 && commands[command].run != cmd_run) {
        BAD_INPUT(NULL, ("only `weft run` works on several ranks"),
                  ("start `weft %s` alone", commands[command].name));
        code = cli_fail(WEFT_BAD_INPUT);
    } else {
        code = finish_output(commands[command].run(argc, argv));
    }
    ranks_end();
    return code;
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage(argc < 2 ? stderr : stdout);
        return argc < 2 ? 2 : 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("weft " WEFT_VERSION);
        return 0;
    }
    if (argc == 3 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)) {
        print_usage(stdout);
        return 0;
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        if (commands[i].run && strcmp(commands[i].name, argv[1]) == 0)
            return run_command(i, argc - 2, argv + 2);
    fprintf(stderr, "weft: unknown command '%.60s'; `weft --help` lists them\n", argv[1]);
    return 2;
}
