/* The commands of `weft`, in one place: main() and the parser use them, and help, manual and
 * completion describe them. options.c has their options. */
#include "cli/cli.h"

#include <string.h>

#include "base/text/suggest.h"
#include "base/text/text.h"

const struct cli_command cli_commands[] = {
    {"run", cmd_run,
     "[STUDY.yaml] [-m MACHINE] [-w PATTERN [--on NODES] | -p PROGRAM] [-s KEY=VALUE]... [-j "
     "THREADS] [--seed N] [-o RESULT.json] [--links FILE.csv] [--nodes FILE.csv] [-q] [--check] "
     "[--alone] [--checkpoint FILE [--every SECONDS]]",
     "simulate a workload on a machine",
     "Runs one simulation and prints what was measured. Machine, workload and settings are given "
     "by options, by a study file, or by both; options override the file. An earlier result "
     "(RESULT.json) is also a study file: it runs again as it ran then.",
     .most = 1, .takes = "one study", .remedy = "name one, or none", .on_ranks = true},
    {"mpirun", cmd_mpirun,
     "-np RANKS -m MACHINE [-s KEY=VALUE]... [-map MAPPING] [-mode MODE] [--compute HOW] [--seed "
     "N] [-j THREADS] [-o RESULT.json] [--links FILE.csv] [--nodes FILE.csv] [-q] [--check] "
     "[--tag-output] [--trace FILE] [--matrix FILE] [--gdb RANK] [-x NAME=VALUE]... PROGRAM "
     "[ARGUMENT]... [: -np RANKS [-x NAME=VALUE]... PROGRAM [ARGUMENT]...]...",
     "run an MPI program on a simulated machine",
     "Runs an unmodified MPI program, built by `weft mpicc` or for any MPI with the standard ABI, "
     "on a simulated machine. Its ranks really compute and really exchange their data; clocks are "
     "simulated. A torus is as large as the ranks need, unless -s machine.dims says otherwise. "
     "What is printed comes in the order of simulated time. The exit status is the program's, or 1 "
     "if it fails. Behind a colon is one more program, which further ranks run. The folder "
     "lib/weft/mpi/bin has mpirun and mpiexec, which take the options of other MPIs.",
     .passes = CLI_PASSES_PROGRAM, .called = "mpirun mpiexec"},
    {"jobs", cmd_jobs,
     "[LOG.swf] -m MACHINE [--policy POLICY] [--shapes SHAPES] [--estimates WHOSE] [--load LOAD] "
     "[-s KEY=VALUE]... [--seed N] [-o RESULT.json] [--csv FILE] [--gantt FILE.svg] [--frames "
     "FILE.svg] [-q] [--check]",
     "share a machine among the jobs of a log",
     "Schedules the jobs of a log in the Standard Workload Format (plain or gzip-compressed) on a "
     "machine, each in a box of its own with a torus view, and prints how much of the machine was "
     "used and how long jobs waited. Sizes are scaled to the machine. Without a log, jobs are "
     "generated (keys jobs.model.*). What jobs send is not simulated.",
     .most = 1, .takes = "one log", .remedy = "name one, or none to generate jobs"},
    {"goal", cmd_goal,
     "{PATTERN | SKELETON} [-n RANKS] [KEY=VALUE]... [-m MACHINE [-s KEY=VALUE]...] [--seed N] [-o "
     "FILE] [--binary] | --convert FILE -o FILE | --list",
     "write a trace in GOAL, for `weft run -w goal`",
     "Writes the messages of a pattern, or those of a program that a skeleton stands for, as a "
     "trace in GOAL, which LogGOPSim, ATLAHS and `weft run -w goal -s workload.file=FILE` take. "
     "Patterns have the keys of workload.*; the time in which vectors are combined is the "
     "machine's (ideal, unless -m names another). --convert makes text of a binary trace, and a "
     "binary trace of text.",
     .completes = CLI_NOTHING},
    {"mpicc", cmd_compiler, "[--count] ARGUMENT...", "compile an MPI program in C",
     "Calls the C compiler (cc, or what $WEFT_CC names) with Weft's mpi.h and its MPI library. "
     "`weft mpicxx` and `weft mpif90` do the same with the compilers of C++ and Fortran (c++ and "
     "gfortran, or $WEFT_CXX and $WEFT_FC). The folder lib/weft/mpi/bin has them as commands of "
     "their own, for `CC=mpicc ./configure`.",
     .passes = CLI_PASSES_ALL, .called = "mpicc"},
    {"mpicxx", cmd_compiler, "[--count] ARGUMENT...", "compile an MPI program in C++",
     "Calls the C++ compiler (c++, or what $WEFT_CXX names) with Weft's mpi.h and its MPI library; "
     "see `weft mpicc --help`.",
     .passes = CLI_PASSES_ALL, .called = "mpicxx mpic++ mpiCC"},
    {"mpif90", cmd_compiler, "[--count] ARGUMENT...", "compile an MPI program in Fortran",
     "Calls the Fortran compiler (gfortran, or what $WEFT_FC names) with Weft's mpif.h, its "
     "modules mpi and mpi_f08, and its MPI library; see `weft mpicc --help`. The modules need the "
     "version of gfortran that Weft was built with.",
     .passes = CLI_PASSES_ALL, .called = "mpif90 mpif77 mpifort"},
    {"resume", cmd_resume,
     "FILE [-j THREADS] [-o RESULT.json] [--links FILE.csv] [--nodes FILE.csv] [-q] [--check] "
     "[--checkpoint FILE] [--every SECONDS]",
     "continue a run from its checkpoint",
     "Continues a run that was interrupted or killed, from the last checkpoint it wrote. The "
     "result is the same as that of an uninterrupted run.",
     .least = 1, .most = 1, .takes = "one checkpoint", .remedy = "name the one to continue from"},
    {"sweep", cmd_sweep,
     "[STUDY.yaml] [-m MACHINE] [-w PATTERN | -p PROGRAM] [-s KEY=VALUE]... --over KEY=V1,V2,... "
     "[--over KEY=...]... [--seeds N] [--metric NAME]... [--find-saturation [--precision SHARE]] "
     "[--log-x] [--log-y] [--title TEXT] [--full] [--seed N] [-j PROCESSES] [-o NAME] [-q]",
     "run all combinations of some values: a table, a CSV file and a plot",
     "Runs one simulation for each combination of the values, several at a time, and writes a CSV "
     "file with one row per run, a plot for each metric and, in a folder, each result. The first "
     "key is x; every combination of the others is a curve. `machine` may be swept too: the "
     "machines then do the same work, or are refused. The curves, points and seeds of a "
     "study file are swept too. A run that fails is marked, and the others go on; the exit status "
     "is 1 then. Results that are in the folder already are not computed again. Under mpirun, the "
     "runs are spread over the ranks.",
     .most = 1, .takes = "one study", .remedy = "name one, or none", .on_ranks = true},
    {"view", cmd_view, "RESULT.json... [-o PAGE.html]",
     "make a page for the browser that shows results: the machine, its links, charts",
     "Writes one HTML file that needs no server and loads nothing: the machine in three dimensions "
     "with its links coloured by load, over time and by direction and virtual channel, charts and "
     "tables; of two results also their difference, and of jobs who was where. Results of machines "
     "of up to 4,096 nodes have the load of each link; `-s run.detail=true` adds more, on machines "
     "of any size, and `-s run.interval_cycles=N` a timeline. The page lies beside the first "
     "result, as r.html for r.json, or where -o says; - is standard output.",
     .completes = CLI_NOTHING},
    {"compare", cmd_compare, "A.json B.json [-o FILE.csv] [-q]",
     "compare two results: what was set, what came out",
     "Prints in what the configurations of two results differ, then the figures that differ, with "
     "their change; a star marks figures of runs that are not steady. Results of two machines "
     "must be of the same work. Exit status: 0 if the "
     "results are the same, 1 if they differ, 2 if a file is not a result. -o writes all figures "
     "as CSV.",
     .least = 2, .most = 2, .takes = "two results", .remedy = "name two files"},
    {"study", cmd_study,
     "{list | run NAME... | check [NAME...] | record NAME... | report} [--full] [-j PROCESSES] [-m "
     "MACHINE] [-s KEY=VALUE]... [--seed N] [-q]",
     "rerun published results and compare",
     "Reruns results of the papers and compares them with what was published. list: list the "
     "studies; run: run some, print their tables and write data and plots; check: run some, or "
     "all, and fail if a claim is missed; record: run some in full size and keep their figures; "
     "report: print all claims and recorded figures as a Markdown page.",
     .completes = CLI_STUDIES},
    {"check", cmd_check,
     "[STUDY.yaml] [-m MACHINE] [-w PATTERN | -p PROGRAM] [-s KEY=VALUE]... [--seed N]",
     "check routes; prove deadlock freedom or show a cycle",
     "Checks the input without running it: that the workload, if one is given, fits the machine "
     "and its files can be read, that all nodes reach each other, and that the network cannot "
     "deadlock. If it can, the cycle of buffers that wait for each other is printed, and the exit "
     "status is 1.",
     .most = 1, .takes = "one study or machine",
     .remedy = "use weft check STUDY.yaml, or -m MACHINE [-s ...]"},
    {"bench", cmd_bench,
     "[TRAFFIC | SIZE]... [-j THREADS[,THREADS]...] [--repeat PASSES] [-o BENCH.json]",
     "measure the speed of this build on this computer",
     "Times fixed traffic on fixed machines. Names select rows: a kind of traffic (saturated, "
     "light, alltoall, hotregion, one-packet, pairs, mpi-pairs, mpi-halo, mpi-barrier), a size "
     "(8x8x8, kautz:3:6, ...) or both.",
     .completes = CLI_ROWS},
    {"machines", cmd_machines, "", "list the machines", "Lists the machines that -m takes by name.",
     .takes = "no arguments", .remedy = "use it alone"},
    {"show", cmd_show, "MACHINE [-s KEY=VALUE]...",
     "show a machine: peak figures, parameters and their sources",
     "Prints a machine's size, distances and peak figures, and each of its parameters with its "
     "source.",
     .least = 1, .most = 1, .takes = "one machine", .remedy = "`weft machines` lists them",
     .completes = CLI_MACHINES},
    {"keys", cmd_keys, "[PREFIX] [-m MACHINE]",
     "list the keys of -s with defaults, units and meanings",
     "Lists the keys that -s and study files can set, with defaults and units: all of them, by the "
     "fabrics that have them, or those that begin with PREFIX, such as machine.router. Where the "
     "default is \"machine\", the machine file gives the value; with -m, it lists the keys of one "
     "machine with their values there.",
     .most = 1, .takes = "one beginning of keys", .remedy = "use one, or none",
     .completes = CLI_PREFIXES},
    {"help", cmd_help, "[COMMAND]", "explain a command and its options, or list all commands",
     "Explains a command, as `weft COMMAND --help` does; alone, it lists the commands.", .most = 1,
     .takes = "one command", .remedy = "name one, or none", .completes = CLI_COMMANDS},
    {"version", cmd_version, "", "tell the version and how it was built",
     "Prints the version, and what this program was built with: the compiler, MPI, OTF2 and other "
     "libraries; and where its machines and studies are. `weft --version` prints the version "
     "alone.",
     .takes = "no arguments", .remedy = "use it alone"},
};
const size_t cli_command_count = sizeof(cli_commands) / sizeof(cli_commands[0]);

const char *const cli_study_verbs[] = {"list", "run", "check", "record", "report", NULL};

const struct cli_command *cli_find_command(const char *name)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}

const struct cli_command *cli_find_called(const char *name)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_commands[i].called && text_has_word(cli_commands[i].called, name))
            return &cli_commands[i];
    return NULL;
}

weft_status cli_unknown_command(const char *name)
{
    struct suggestion suggestion = suggestion_for(name);
    suggestion_offer(&suggestion, "--help");
    suggestion_offer(&suggestion, "--version");
    if (name[0] == '-' && !suggestion.best[0])
        return BAD_INPUT(NULL, ("no command before '%.60s'", name),
                         ("begin with one, as `weft run`; `weft --help` lists them"));
    for (size_t i = 0; i < cli_command_count; i++)
        suggestion_offer(&suggestion, cli_commands[i].name);
    return suggestion_remedy(&suggestion, BAD_INPUT(NULL, ("unknown command '%.60s'", name),
                                                    ("`weft --help` lists them")));
}
