/* weft bench: the speed of this build on this computer. */
#include "cli/cli.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text/suggest.h"
#include "base/file/output.h"
#include "base/text/text.h"
#include "engine/team.h"
#include "study/bench.h"

/* Names are of traffic or of sizes: a row is asked for if both of its own are, or may be any. */
static bool is_asked(const struct cli_options *o, const struct bench_row *row)
{
    bool traffic = false, size = false, any_traffic = true, any_size = true;
    for (unsigned i = 0; i < o->names; i++) {
        bool is_traffic = false;
        for (size_t r = 0; r < bench_row_count; r++)
            is_traffic |= strcmp(o->name[i], bench_rows[r].traffic) == 0;
        traffic |= strcmp(o->name[i], row->traffic) == 0;
        size |= strcmp(o->name[i], row->size) == 0;
        any_traffic &= !is_traffic;
        any_size &= is_traffic;
    }
    return (traffic || any_traffic) && (size || any_size);
}

static weft_status check_names(const struct cli_options *o)
{
    for (unsigned i = 0; i < o->names; i++) {
        bool known = false;
        struct suggestion suggestion = suggestion_for(o->name[i]);
        for (size_t r = 0; r < bench_row_count; r++) {
            const struct bench_row *row = &bench_rows[r];
            suggestion_offer(&suggestion, row->traffic);
            suggestion_offer(&suggestion, row->size);
            known |= strcmp(o->name[i], row->traffic) == 0 || strcmp(o->name[i], row->size) == 0;
        }
        if (!known)
            return suggestion_remedy(
                &suggestion, BAD_INPUT(NULL, ("'%.60s' is not a row of the benchmark", o->name[i]),
                                       ("`weft bench --help` lists them")));
    }
    return WEFT_OK;
}

/* The processor's name, as Linux tells it. */
static void processor_name(char *name, size_t size)
{
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown");
    while (f && fgets(line, sizeof(line), f)) {
        char *colon = strchr(line, ':');
        bool named = strncmp(line, "model name", 10) == 0 || strncmp(line, "CPU part", 8) == 0;
        if (!colon || !named)
            continue;
        line[strcspn(line, "\n")] = '\0';
        colon += 1 + strspn(colon + 1, " ");
        snprintf(name, size, "%s%s", line[0] == 'C' ? "ARM part " : "", colon);
        break;
    }
    if (f)
        fclose(f);
}

static double rate(const struct bench_row *r)
{
    return r->cpu_seconds > 0 ? (double)r->hops / r->cpu_seconds : 0;
}

static double wall_rate(const struct bench_row *r)
{
    return r->wall_seconds > 0 ? (double)r->hops / r->wall_seconds : 0;
}

static void print_head(const struct cli_options *o)
{
    char name[128], one[16];
    processor_name(name, sizeof(name));
    printf("weft " WEFT_VERSION " on %s, %u core%s", name, team_cores(),
           team_cores() == 1 ? "" : "s");
    if (o->repeat > 1)
        printf("; the best of %u passes", o->repeat);
    snprintf(one, sizeof(one), "-j %u", o->team[0]);
    printf("\n\n%-11s %-15s %2s %13s %5s %6s %9s %6s %5s\n", "traffic", "machine", "-j",
           "M packet-hops", "times", "events", "simulated", "bytes", "ready");
    printf("%37s %6s %5s %6s %9s %6s %5s\n", "/CPU s", "/s", one, "/hop", "us/s", "/node", "s");
}

/* `one`: the same row on the first number of threads. */
static void print_row(const struct bench_row *r, const struct bench_row *one)
{
    double simulated = r->simulated_us / r->wall_seconds;
    printf("%-11s %-15s %2u %6.3f %6.3f %5.2f %6.2f %9.*f %6.0f %5.3f\n", r->traffic, r->size,
           r->threads, rate(r) / 1e6, wall_rate(r) / 1e6, wall_rate(r) / wall_rate(one),
           (double)r->events / (double)r->hops, simulated < 1000 ? 3 : 0, simulated,
           (double)r->bytes / r->nodes, r->setup_seconds);
    if (r->messages)
        printf("%11s %.3f M messages per CPU second\n", "",
               1e-6 * (double)r->messages / r->cpu_seconds);
    fflush(stdout);
}

static json_t *row_json(const struct bench_row *r)
{
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "traffic", r->traffic,
        "dims", r->size, "nodes", (json_int_t)r->nodes, "threads", (json_int_t)r->threads,
        "packet_hops", (json_int_t)r->hops, "mpi_messages", (json_int_t)r->messages,
        "events_per_packet_hop", (double)r->events / (double)r->hops, "cpu_seconds", r->cpu_seconds,
        "wall_seconds", r->wall_seconds, "setup_seconds", r->setup_seconds,
        "packet_hops_per_cpu_second", rate(r), "simulated_us_per_wall_second",
        r->simulated_us / r->wall_seconds, "bytes_per_node", (double)r->bytes / r->nodes);
}

/* Nanoseconds a packet-hop spends in each stage. */
static void report_stages(const struct bench_row *r, const char *const *names,
                          const uint64_t *samples, json_t *stages)
{
    uint64_t all = 0;
    for (unsigned s = 0; names[s]; s++)
        all += samples[s];
    double whole = 1e9 * r->cpu_seconds / (double)r->hops;
    json_t *row = json_object();
    char text[640];
    size_t at = 0;
    for (unsigned s = 0; names[s]; s++) {
        double ns = all ? whole * (double)samples[s] / (double)all : 0;
        at = text_append(text, sizeof(text), at, "%s%s%c%.0f", s ? ", " : "", names[s],
                         TEXT_HARD_SPACE, ns);
        json_object_set_new(row, names[s], json_real(ns));
    }
    unsigned column = (unsigned)printf("%-11s %-15s %4.0f: ", r->traffic, r->size, whole);
    text_wrap(stdout, text, column, column, terminal_columns());
    json_array_append_new(stages, json_pack("{s:s, s:s, s:o}", "traffic", r->traffic, "dims",
                                            r->size, "ns_per_packet_hop", row));
    fflush(stdout);
}

static weft_status measure_stages(const struct cli_options *o, json_t *stages)
{
    bool headed = false;
    for (size_t i = 0; i < bench_row_count; i++) {
        struct bench_row row = bench_rows[i];
        uint64_t samples[STAGES_MOST];
        if (strcmp(row.traffic, "saturated") != 0 || !is_asked(o, &row))
            continue;
        const char *const *names = bench_stage_names(&row);
        if (!names)
            continue;
        if (!headed)
            printf("\nns per packet-hop, and by stage, one thread (sampled)\n");
        headed = true;
        TRY(bench_measure(&row, 1, samples, cli_interrupted));
        report_stages(&row, names, samples, stages);
    }
    return WEFT_OK;
}

/* The rows that are asked for, each for every number of threads in turn. */
static struct bench_row *asked_rows(const struct cli_options *o, size_t *count)
{
    struct bench_row *row = memory_alloc(bench_row_count * o->teams, sizeof(*row));
    *count = 0;
    for (size_t i = 0; i < bench_row_count; i++)
        for (unsigned team = 0; team < o->teams && is_asked(o, &bench_rows[i]); team++) {
            row[*count] = bench_rows[i];
            row[(*count)++].threads = o->team[team];
        }
    return row;
}

/* Pass by pass, so that what disturbs the computer for a while does not meet one row alone. Of each
 * row, the pass that took the least time is kept. */
static weft_status measure_rows(const struct cli_options *o, json_t *rows)
{
    weft_status status = WEFT_OK;
    uint32_t passes = o->repeat ? o->repeat : 1;
    size_t count;
    struct bench_row *row = asked_rows(o, &count);
    print_head(o);
    for (uint32_t pass = 1; pass <= passes && status == WEFT_OK; pass++)
        for (size_t i = 0; i < count && status == WEFT_OK; i++) {
            if (isatty(STDERR_FILENO))
                cli_show_line("pass %u of %u: %s %s", pass, passes, row[i].traffic, row[i].size);
            struct bench_row again = row[i];
            status = bench_measure(&again, row[i].threads, NULL, cli_interrupted);
            cli_progress_end();
            if (status == WEFT_OK && (!row[i].hops || again.wall_seconds < row[i].wall_seconds))
                row[i] = again;
            if (status != WEFT_OK || pass < passes)
                continue;
            print_row(&row[i], &row[i - i % o->teams]);
            json_array_append_new(rows, row_json(&row[i]));
        }
    free(row);
    return status;
}

weft_status cmd_bench(struct cli_options *o)
{
    struct output_file file;
    char name[128];
    TRY(check_names(o));
    if (o->output)
        TRY(output_open(&file, o->output));
    processor_name(name, sizeof(name));
    json_t *rows = json_array(), *stages = json_array();
    weft_status status = measure_rows(o, rows);
    if (status == WEFT_OK && o->teams == 1) /* with more, threads are what is asked about */
        status = measure_stages(o, stages);
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:I, s:I, s:o, s:o}", "format", "weft-bench-1", "weft",
                  WEFT_VERSION, "processor", name, "cores", (json_int_t)team_cores(), "threads",
                  (json_int_t)o->threads, "rows", rows, "stages", stages);
    char *text = json_dumps(root, JSON_INDENT(2));
    if (o->output && status == WEFT_OK)
        status = output_commit_text(&file, text);
    else if (o->output)
        output_abandon(&file);
    free(text);
    json_decref(root);
    return status;
}
