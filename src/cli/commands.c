/* The commands of `weft` and their options, in one place: main() and the parser use them, and help,
 * manual and completion describe them. */
#include "cli/cli.h"

#include <string.h>

#include "base/text/suggest.h"
#include "base/text/text.h"

const struct cli_command cli_commands[] = {
    {"run", cmd_run,
     "[STUDY.yaml] [-m MACHINE] [-w PATTERN [--on NODES] | -p PROGRAM] [-s KEY=VALUE]... [-j "
     "THREADS] [--seed N] [-o RESULT.json] [--links FILE.csv] [--nodes FILE.csv] [-q] [--check] "
     "[--alone] [--checkpoint FILE [--every "
     "SECONDS]]",
     "simulate a workload on a machine",
     "-m -w --on -p -s --seed -j -o --links --nodes -q --check --alone --checkpoint --every",
     "Runs one simulation and prints what was measured. Machine, workload and settings are given "
     "by options, by a study file, or by both; options override the file. An earlier result "
     "(RESULT.json) is also a study file: it runs again as it ran then."},
    {"mpirun", cmd_mpirun,
     "-np RANKS -m MACHINE [-s KEY=VALUE]... [-map MAPPING] [-mode MODE] [--compute HOW] [--seed "
     "N] "
     "[-j THREADS] [-o RESULT.json] [--links FILE.csv] [--nodes FILE.csv] [-q] [--check] "
     "[--tag-output] [--trace FILE] [--matrix FILE] "
     "[--gdb RANK] "
     "PROGRAM "
     "[ARGUMENT]...",
     "run an MPI program on a simulated machine",
     "-np -n --np -m -s -map -mode --compute --seed -j -o --links --nodes -q --check --tag-output "
     "--trace --matrix "
     "--gdb",
     "Runs an unmodified MPI program, built by `weft mpicc` or for any MPI with the standard ABI, "
     "on "
     "a simulated machine. Its ranks really compute and really exchange their data; clocks are "
     "simulated. A torus is as large as the ranks need, unless -s machine.dims says otherwise. "
     "What "
     "is printed comes in the order of simulated time. The exit status is the program's, or 1 if "
     "it "
     "fails."},
    {"jobs", cmd_jobs,
     "[LOG.swf] -m MACHINE [--policy POLICY] [--shapes SHAPES] [--estimates WHOSE] [--load LOAD] "
     "[-s "
     "KEY=VALUE]... [--seed N] [-o RESULT.json] [--csv FILE] [--gantt FILE.svg] [--frames "
     "FILE.svg] [-q] [--check]",
     "share a machine among the jobs of a log",
     "-m --policy --shapes --estimates --load -s --seed -o --csv --gantt --frames -q --check",
     "Schedules the jobs of a log in the Standard Workload Format (plain or gzip-compressed) on a "
     "machine, each in a box of its own with a torus view, and prints how much of the machine was "
     "used and how long jobs waited. Sizes are scaled to the machine. Without a log, jobs are "
     "generated (keys jobs.model.*). What jobs send is not simulated."},
    {"goal", cmd_goal,
     "{PATTERN | SKELETON} [-n RANKS] [KEY=VALUE]... [-m MACHINE [-s KEY=VALUE]...] [--seed N] [-o "
     "FILE] [--binary] | --convert FILE -o FILE | --list",
     "write a trace in GOAL, for `weft run -w goal`",
     "-n -m -s --seed -o --binary --convert --list",
     "Writes the messages of a pattern, or those of a program that a skeleton stands for, as a "
     "trace in GOAL, which LogGOPSim, ATLAHS and `weft run -w goal -s workload.file=FILE` take. "
     "Patterns have the keys of workload.*; the time in which vectors are combined is the "
     "machine's (ideal, unless -m names another). --convert makes text of a binary trace, and a "
     "binary trace of text."},
    {"mpicc", cmd_mpicc, "[--count] ARGUMENT...", "compile an MPI program in C", "--count -show",
     "Calls the C compiler (cc, or what $WEFT_CC names) with Weft's mpi.h and its MPI library. "
     "`weft mpicxx` and `weft mpif90` do the same with "
     "the "
     "compilers of C++ and Fortran (c++ and gfortran, or $WEFT_CXX and $WEFT_FC)."},
    {"mpicxx", cmd_mpicxx, "[--count] ARGUMENT...", "compile an MPI program in C++",
     "--count -show",
     "Calls the C++ compiler (c++, or what $WEFT_CXX names) with Weft's mpi.h and its MPI library; "
     "see `weft mpicc --help`."},
    {"mpif90", cmd_mpif90, "[--count] ARGUMENT...", "compile an MPI program in Fortran", "",
     "Calls the Fortran compiler (gfortran, or what $WEFT_FC names) with Weft's mpif.h, its module "
     "mpi and its MPI library; see `weft mpicc --help`. `use mpi` needs the version of gfortran "
     "that "
     "Weft was built with."},
    {"resume", cmd_resume,
     "FILE [-j THREADS] [-o RESULT.json] [--links FILE.csv] [--nodes FILE.csv] [-q] [--check] "
     "[--checkpoint FILE] [--every SECONDS]",
     "continue a run from its checkpoint", "-j -o --links --nodes -q --check --checkpoint --every",
     "Continues a run that was interrupted or killed, from the last checkpoint it wrote. The "
     "result is the same as that of an uninterrupted run."},
    {"sweep", cmd_sweep,
     "[STUDY.yaml] [-m MACHINE] [-w PATTERN | -p PROGRAM] [-s KEY=VALUE]... --over KEY=V1,V2,... "
     "[--over KEY=...]... [--seeds N] [--metric NAME]... [--find-saturation [--precision SHARE]] "
     "[--log-x] [--log-y] [--title TEXT] [--full] [--seed N] [-j PROCESSES] [-o NAME] [-q]",
     "run all combinations of some values: a table, a CSV file and a plot",
     "-m -w -p -s --seed --over --seeds --metric --find-saturation --precision --log-x --log-y "
     "--title --full -j -o -q",
     "Runs one simulation for each combination of the values, several at a time, and writes a CSV "
     "file with one row per run, a plot for each metric and, in a folder, each result. The first "
     "key is x; every combination of the others is a curve. The curves, points and seeds of a "
     "study "
     "file are swept too. A run that fails is marked, and the others go on; the exit status is 1 "
     "then. Results that are in the folder already are not computed again. Under mpirun, the runs "
     "are spread over the ranks."},
    {"view", cmd_view, "RESULT.json... [-o PAGE.html]",
     "make a page for the browser that shows results: the machine, its links, charts", "-o",
     "Writes one HTML file that needs no server and loads nothing: the machine in three dimensions "
     "with its links coloured by load, over time and by direction and virtual channel, charts and "
     "tables; of two results also their difference, and of jobs who was where. Results of "
     "machines of up to 4,096 nodes have the load of each link; `-s run.detail=true` adds more, on "
     "machines of any size, and `-s run.interval_cycles=N` a timeline. The page lies beside the "
     "first result, "
     "as r.html for r.json, or where -o says; - is standard output."},
    {"compare", cmd_compare, "A.json B.json [-o FILE.csv] [-q]",
     "compare two results: what was set, what came out", "-o -q",
     "Prints in what the configurations of two results differ, then the figures that differ, with "
     "their change; a star marks figures of runs that are not steady. Exit status: 0 if the "
     "results "
     "are the same, 1 if they differ, 2 if a file is not a result. -o writes all figures as CSV."},
    {"study", cmd_study,
     "{list | run NAME... | check [NAME...] | record NAME... | report} [--full] [-j PROCESSES] "
     "[-m MACHINE] [-s KEY=VALUE]... [--seed N] [-q]",
     "rerun published results and compare", "-m -s --seed --full -j -q",
     "Reruns results of the papers and compares them with what was published. list: list the "
     "studies; run: run some, print their tables and write data and plots; check: run some, or "
     "all, and fail if a claim is missed; record: run some in full size and keep their figures; "
     "report: print all claims and recorded figures as a Markdown page."},
    {"check", cmd_check,
     "[STUDY.yaml] [-m MACHINE] [-w PATTERN | -p PROGRAM] [-s KEY=VALUE]... [--seed N]",
     "check routes; prove deadlock freedom or show a cycle", "-m -w -p -s --seed",
     "Checks the input without running it: that all nodes reach each other, and that the network "
     "cannot deadlock. If it can, the cycle of buffers that wait for each other is printed, and "
     "the exit status is 1."},
    {"bench", cmd_bench,
     "[TRAFFIC | SIZE]... [-j THREADS[,THREADS]...] [--repeat PASSES] [-o BENCH.json]",
     "measure the speed of this build on this computer", "-j --repeat -o",
     "Times fixed traffic on fixed machines. Names select rows: a kind of traffic (saturated, "
     "light, alltoall, hotregion, one-packet, pairs, mpi-pairs, mpi-halo, mpi-barrier), a size "
     "(8x8x8, kautz:3:6, ...) or both."},
    {"machines", cmd_machines, "", "list the machines", "",
     "Lists the machines that -m takes by name."},
    {"show", cmd_show, "MACHINE [-s KEY=VALUE]...",
     "show a machine: peak figures, parameters and their sources", "-s",
     "Prints a machine's size, distances and peak figures, and each of its parameters with its "
     "source."},
    {"keys", cmd_keys, "[PREFIX] [-m MACHINE]",
     "list the keys of -s with defaults, units and meanings", "-m",
     "Lists the keys that -s and study files can set, with defaults and units: all of them, by the "
     "fabrics that have them, or those that begin with PREFIX, such as machine.router. Where the "
     "default "
     "is \"machine\", the machine file gives the value; with -m, it lists the keys of one machine "
     "with their values there."},
    {"help", cmd_help, "[COMMAND]", "explain a command and its options, or list all commands", "",
     "Explains a command, as `weft COMMAND --help` does; alone, it lists the commands."},
    {"version", cmd_version, "", "tell the version and how it was built", "",
     "Prints the version, and what this program was built with: the compiler, MPI, OTF2 and other "
     "libraries; and where its machines and studies are. `weft --version` prints the version "
     "alone."},
};
const size_t cli_command_count = sizeof(cli_commands) / sizeof(cli_commands[0]);

const struct cli_option cli_known_options[] = {
    {"-m", "MACHINE", "the machine: a name that `weft machines` lists, or a file"},
    {"-w", "PATTERN", "the workload's pattern; short for -s workload.pattern=PATTERN"},
    {"-p", "PROGRAM",
     "what every process runs: halo, wavefront, master, fft, collectives, or a shared object"},
    {"-np", "RANKS", "how many ranks; short for -s workload.processes=RANKS"},
    {"-n", "RANKS", "how many ranks (mpirun: the same as -np)"},
    {"--np", "RANKS", "the same as -np"},
    {"-map", "MAPPING",
     "of ranks to nodes: an order as XYZT, or a map file; short for -s workload.mapping=MAPPING"},
    {"-mode", "MODE", "coprocessor or virtual-node: what a node's second processor does"},
    {"--compute", "HOW",
     "what computation takes: none, measured=FACTOR (host time, not reproducible) or counted"},
    {"--count", NULL, "the program counts its basic blocks, for `weft mpirun --compute counted`"},
    {"-show", NULL, "print the compiler's command, and do not run it"},
    {"--trace", "FILE",
     "write a time line of all calls, which a browser's trace viewer opens (Perfetto, "
     "about:tracing), and beside it what ranks did, without times (.ti)"},
    {"--gdb", "RANK", "run under gdb, which stops in the main() of this rank"},
    {"--matrix", "FILE", "write what each rank sent to each other one, as CSV"},
    {"--tag-output", NULL, "print the rank before each line of output"},
    {"--policy", "POLICY", "fcfs, easy or conservative backfill; short for -s jobs.policy=POLICY"},
    {"--shapes", "SHAPES",
     "boxes to try for a job: single, rotations, view, any, or scattered cells; short for "
     "-s jobs.shapes=SHAPES"},
    {"--estimates", "WHOSE", "user or perfect; short for -s jobs.estimates=WHOSE"},
    {"--load", "LOAD",
     "share of the machine that jobs ask for; 0: the log's own; short for -s jobs.load=LOAD"},
    {"--binary", NULL, "write LogGOPSim's binary form, not text"},
    {"--convert", "FILE", "a trace to write in the other form"},
    {"--list", NULL, "list patterns and skeletons, with their keys and defaults"},
    {"--links", "FILE.csv",
     "write what each link did, by virtual channel: utilisation, packets, queue, time without "
     "room; "
     "sets run.detail"},
    {"--nodes", "FILE.csv",
     "write what each node did: what it sent and received, how long its packets waited there, and "
     "the response of packets to it; sets run.detail"},
    {"--csv", "FILE", "write a table of all jobs to this file"},
    {"--gantt", "FILE.svg", "draw the machine over time: which job had which nodes when"},
    {"--frames", "FILE.svg", "draw the machine in space, at twelve moments"},
    {"-s", "KEY=VALUE", "set a key; `weft keys` lists them. May be repeated"},
    {"--on", "NODES",
     "the nodes of the workload before it, as 0-63,70 or file:PATH or any place of workload.parts: "
     "several "
     "workloads run at once, each with the settings of workload.* that follow it"},
    {"--alone", NULL,
     "of several workloads, run each by itself too, and say how much longer it takes among the "
     "others"},
    {"--seed", "N", "the seed of all random draws; short for -s run.seed=N"},
    {"-j", "NUMBER",
     "how many threads (run, resume, bench) or processes (sweep, study) work at the same time. "
     "Results do not depend on it"},
    {"-o", "FILE",
     "write the result to this file, as JSON; -: to standard output, and the summary to standard "
     "error"},
    {"-q", NULL,
     "no progress bar or lines; a run or a sweep prints nothing but errors, a comparison nothing, "
     "a "
     "study its tables"},
    {"--check", NULL, "verify the simulator's invariants while it runs"},
    {"--checkpoint", "FILE",
     "write the state of the run to this file from time to time, and when it is interrupted"},
    {"--every", "SECONDS", "time between checkpoints; 60 by default"},
    {"--over", "KEY=V1,V2,...",
     "values to sweep over; separate them by semicolons if they have commas"},
    {"--metric", "NAME",
     "what the sweep tabulates and plots: a number in the result, link_utilisation by default. May "
     "be repeated"},
    {"--seeds", "N", "run each combination with N seeds; the mean and its 95 % interval are shown"},
    {"--find-saturation", NULL,
     "find, for each curve, the largest load that is still steady; without --over of a load, "
     "workload.load is swept from 0.1 to 1"},
    {"--precision", "SHARE", "how near the load is found by --find-saturation; 0.01 by default"},
    {"--log-x", NULL, "logarithmic x axis"},
    {"--log-y", NULL, "logarithmic y axis"},
    {"--title", "TEXT", "the title of the plots"},
    {"--full", NULL, "run the study in the size of the paper, not in a small one"},
    {"--repeat", "PASSES", "measure each row this many times and keep the fastest"},
};
const size_t cli_known_option_count = sizeof(cli_known_options) / sizeof(cli_known_options[0]);

const char *const cli_study_verbs[] = {"list", "run", "check", "record", "report", NULL};

const struct cli_command *cli_find_command(const char *name)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
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

const struct cli_option *cli_find_option(const char *name)
{
    for (size_t i = 0; i < cli_known_option_count; i++)
        if (strcmp(cli_known_options[i].name, name) == 0)
            return &cli_known_options[i];
    return NULL;
}

bool cli_takes_option(const struct cli_command *command, const struct cli_option *option)
{
    return text_has_word(command->options, option->name);
}

const struct cli_option *cli_option_of(const struct cli_command *command,
                                       const struct cli_option *option)
{
    static const struct {
        const char *command;
        struct cli_option option;
    } own[] = {
        {"sweep",
         {"-o", "NAME",
          "call the files weft-NAME.csv, weft-NAME.svg and .png, and the folder weft-NAME"}},
        {"view", {"-o", "PAGE.html", "write the page to this file; -: to standard output"}},
        {"compare",
         {"-o", "FILE.csv",
          "write all figures to this file, as CSV; -: to standard output, and what is printed to "
          "standard error"}},
        {"goal", {"-o", "FILE", "write the trace to this file, not to standard output"}},
    };
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (strcmp(own[i].command, command->name) == 0 &&
            strcmp(own[i].option.name, option->name) == 0)
            return &own[i].option;
    return option;
}

bool cli_passes_on(const struct cli_command *command)
{
    return strncmp(command->name, "mpi", 3) == 0;
}
