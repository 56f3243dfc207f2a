/* The rows of `weft bench`, and running them. */
#include "study/bench.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "machine/family.h"

#define BGL(dims)       "bluegene-l", "machine.dims=" dims " "
#define SC(k)           "sc5832", "machine.graph=kautz:3:" k " "
#define K(dims)         "k-computer", "machine.dims=" dims " workload.as=packets "
#define GRAPH(m, graph) m, "machine.graph=" graph " "
#define SATURATED       "workload.pattern=uniform workload.load=1"
#define LIGHT           "workload.pattern=uniform workload.load=0.01"
#define ALL_TO_ALL      "workload.pattern=alltoall"
#define HOT_REGION      "workload.pattern=hotregion workload.load=0.9"
#define PAIRS                                                                                      \
    "workload.pattern=pairs workload.messages=0 workload.processes_per_node=6 "                    \
    "workload.message_bytes=16384"

#define EXCHANGE                                                                                   \
    "workload.pattern=exchange workload.messages=0 workload.message_bytes=100" /* a hop each */

#define IDEAL(nodes) "ideal", "machine.nodes=" nodes " "
#define MPI(program) "workload.pattern=mpi workload.collectives=messages workload.program=" program

/* Timed once the network is full, for a second or two on a core from 2020. */
const struct bench_row bench_rows[] = {
    {"saturated", "8x8x8", BGL("8x8x8") SATURATED, .warm = 20000, .cycles = 150000},
    {"saturated", "16x16x16", BGL("16x16x16") SATURATED, .warm = 20000, .cycles = 20000},
    {"saturated", "32x32x32", BGL("32x32x32") SATURATED, .warm = 20000, .cycles = 4000},
    {"saturated", "64x32x32", BGL("64x32x32") SATURATED, .warm = 20000, .cycles = 3000},
    {"light", "8x8x8", BGL("8x8x8") LIGHT, .warm = 5000, .cycles = 10000000},
    {"light", "16x16x16", BGL("16x16x16") LIGHT, .warm = 5000, .cycles = 1500000},
    {"light", "32x32x32", BGL("32x32x32") LIGHT, .warm = 5000, .cycles = 200000},
    {"light", "64x32x32", BGL("64x32x32") LIGHT, .warm = 5000, .cycles = 100000},
    {"alltoall", "8x8x8", BGL("8x8x8") ALL_TO_ALL, .warm = 0, .cycles = 0},
    {"alltoall", "16x16x16", BGL("16x16x16") ALL_TO_ALL, .warm = 20000, .cycles = 20000},
    {"alltoall", "32x32x32", BGL("32x32x32") ALL_TO_ALL, .warm = 20000, .cycles = 4000},
    {"alltoall", "64x32x32", BGL("64x32x32") ALL_TO_ALL, .warm = 20000, .cycles = 3000},
    {"hotregion", "8x8x8", BGL("8x8x8") HOT_REGION, .warm = 20000, .cycles = 200000},
    {"hotregion", "16x16x16", BGL("16x16x16") HOT_REGION, .warm = 20000, .cycles = 20000},
    {"hotregion", "32x32x32", BGL("32x32x32") HOT_REGION, .warm = 20000, .cycles = 4000},
    {"hotregion", "64x32x32", BGL("64x32x32") HOT_REGION, .warm = 20000, .cycles = 3000},
    {"one-packet", "8x8x8", BGL("8x8x8") EXCHANGE, .warm = 20000, .cycles = 700000},
    {"one-packet", "32x32x32", BGL("32x32x32") EXCHANGE, .warm = 20000, .cycles = 10000},
    {"saturated", "kautz:3:6", SC("6") SATURATED, .warm = 20000, .cycles = 60000},
    {"saturated", "kautz:3:8", SC("8") "machine.router.vcs=5 " SATURATED, .warm = 20000,
     .cycles = 6000},
    {"light", "kautz:3:6", SC("6") LIGHT, .warm = 5000, .cycles = 3000000},
    {"light", "kautz:3:8", SC("8") "machine.router.vcs=5 " LIGHT, .warm = 5000, .cycles = 300000},
    {"pairs", "kautz:3:6", SC("6") PAIRS, .warm = 50000, .cycles = 50000},
    {"saturated", "4x4x4x2x3x2", K("4x4x4x2x3x2") SATURATED, .warm = 20000, .cycles = 80000},
    {"saturated", "24x18x17x2x3x2", K("24x18x17x2x3x2") SATURATED, .warm = 10000, .cycles = 1500},
    {"light", "24x18x17x2x3x2", K("24x18x17x2x3x2") LIGHT, .warm = 3000, .cycles = 60000},
    {"saturated", "dragonfly:4:8:4", GRAPH("dragonfly", "dragonfly:4:8:4") SATURATED, .warm = 5000,
     .cycles = 8000},
    {"light", "dragonfly:4:8:4", GRAPH("dragonfly", "dragonfly:4:8:4") LIGHT, .warm = 3000,
     .cycles = 300000},
    {"saturated", "fattree:16:3", GRAPH("fat-tree", "fattree:16:3") SATURATED, .warm = 20000,
     .cycles = 80000},
    {"saturated", "torus:16x16x16", GRAPH("torus-pod", "torus:16x16x16") SATURATED, .warm = 5000,
     .cycles = 3000},
    {"mpi-pairs", "8x8x8", BGL("8x8x8") MPI("collective"), .arguments = "pairs 8 2"},
    {"mpi-pairs", "512", IDEAL("512") MPI("collective"), .arguments = "pairs 8 4"},
    {"mpi-halo", "8x8x8", BGL("8x8x8") MPI("exchange"), .arguments = "64 6 100"},
    {"mpi-halo", "512", IDEAL("512") MPI("exchange"), .arguments = "64 6 200"},
    {"mpi-barrier", "16x16x16", BGL("16x16x16") MPI("collective"), .arguments = "barrier 0 1"},
    {"mpi-barrier", "64x32x32", BGL("64x32x32") MPI("collective"), .arguments = "barrier 0 1"},
};
const size_t bench_row_count = sizeof(bench_rows) / sizeof(bench_rows[0]);

static weft_status configure(const struct bench_row *row, struct config *c)
{
    char text[256];
    machine_init(c);
    weft_status status = config_machine(c, row->machine);
    snprintf(text, sizeof(text), "%s workload.warmup_cycles=%llu workload.cycles=%llu",
             row->settings, (unsigned long long)row->warm,
             (unsigned long long)(row->cycles ? row->cycles : 1));
    for (char *at = text, *word; status == WEFT_OK && (word = strsep(&at, " "));)
        status = config_override(c, word);
    if (status == WEFT_OK && row->arguments)
        status = config_set(c, "workload.arguments", row->arguments, row->traffic);
    return status == WEFT_OK ? machine_finish(c) : status;
}

/* Runs a row in this process. Traffic stops when timing does, so there is no tail. */
static weft_status run_row(struct bench_row *row, struct run_options *options,
                           struct run_result *result)
{
    struct config c;
    uint64_t before = memory_peak();
    weft_status status = configure(row, &c);
    options->timed_from = row->warm;
    options->until = row->cycles ? row->warm + row->cycles : 0;
    if (status == WEFT_OK)
        status = run_config(&c, options, result);
    if (status == WEFT_OK) {
        row->nodes = machine_facts(&c).nodes;
        row->hops = result->timed_hops;
        row->events = result->timed_events;
        double messages = run_result_figure(result, "messages_received");
        row->messages = row->arguments && messages > 0 ? (uint64_t)messages : 0;
        row->threads = options->threads;
        row->cpu_seconds = result->cpu_seconds;
        row->wall_seconds = result->wall_seconds;
        row->setup_seconds = result->setup_seconds;
        row->simulated_us = (double)(row->cycles ? row->cycles : result->cycles) /
                            machine_facts(&c).cycles_per_second * 1e6;
        row->bytes = result->peak_rss_bytes - before;
        run_result_fini(result);
    }
    config_fini(&c);
    return status;
}

/* What a child reports: its row and samples, or why there are none. */
struct answer {
    weft_status status;
    struct bench_row row;
    uint64_t samples[STAGES_MOST];
    struct error error;
};

static _Noreturn void child(struct bench_row *row, struct run_options *options, int out)
{
    struct run_result result = {.cycles = 0};
    struct answer answer = {.status = run_row(row, options, &result)};
    answer.row = *row;
    memcpy(answer.samples, result.stage_samples, sizeof(answer.samples));
    answer.error = *error_last();
    bool told = write(out, &answer, sizeof(answer)) == (ssize_t)sizeof(answer);
    _exit(told ? 0 : 1);
}

static weft_status run_child(struct bench_row *row, struct run_options *options,
                             struct answer *answer)
{
    int ends[2], how;
    if (pipe(ends) != 0)
        return RUN_FAILED(("cannot open a pipe for a benchmark"), NO_REMEDY);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        child(row, options, ends[1]);
    close(ends[1]);
    size_t got = 0;
    while (pid > 0 && got < sizeof(*answer)) {
        ssize_t more = read(ends[0], (char *)answer + got, sizeof(*answer) - got);
        if (more > 0)
            got += (size_t)more;
        else if (more == 0 || errno != EINTR)
            break;
        else if (options->interrupted && options->interrupted(options->arg))
            kill(pid, SIGTERM); /* it ends its run cleanly, and says so */
    }
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &how, 0) < 0 && errno == EINTR)
        ;
    if (pid < 0 || got != sizeof(*answer))
        return RUN_FAILED(("the process that ran %s %s ended early", row->traffic, row->size),
                          NO_REMEDY);
    if (answer->status != WEFT_OK)
        return error_restore(&answer->error);
    /* The child's pointers are valid here: it was forked from this process. */
    *row = answer->row;
    return WEFT_OK;
}

const char *const *bench_stage_names(const struct bench_row *row)
{
    struct config c;
    const char *const *names = configure(row, &c) == WEFT_OK ? family_of(&c)->stages : NULL;
    config_fini(&c);
    return names;
}

/* ---- the stages of a router, sampled once per millisecond of CPU time ---- */

static volatile uint64_t seen[STAGES_MOST];
static struct sigaction old_action;

static void sample(int number)
{
    (void)number;
    seen[stage_now % STAGES_MOST]++;
}

static void set_timer(long microseconds)
{
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void start_timer(void)
{
    struct sigaction action = {.sa_handler = sample, .sa_flags = SA_RESTART};
    for (unsigned i = 0; i < STAGES_MOST; i++)
        seen[i] = 0;
    sigaction(SIGPROF, &action, &old_action);
    set_timer(1000);
}

static void stop_timer(uint64_t samples[STAGES_MOST])
{
    set_timer(0);
    sigaction(SIGPROF, &old_action, NULL);
    for (unsigned i = 0; i < STAGES_MOST; i++)
        samples[i] = seen[i];
}

static const struct stage_timer stage_timer = {start_timer, stop_timer};

weft_status bench_measure(struct bench_row *row, uint32_t threads, uint64_t samples[STAGES_MOST],
                          bool (*interrupted)(void *))
{
    struct run_options options = {
        .threads = threads, .stages = samples ? &stage_timer : NULL, .interrupted = interrupted};
    struct answer answer;
    TRY(run_child(row, &options, &answer));
    if (samples)
        memcpy(samples, answer.samples, sizeof(answer.samples));
    return WEFT_OK;
}
