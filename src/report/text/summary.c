/* Tables for the terminal. */
#include "report/text/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/terminal.h"
#include "base/text/text.h"
#include "machine/figures.h"
#include "machine/links.h"
#include "workload/workload.h"
#include "report/text/header.h"
#include "report/jobs.h"
#include "report/text/lines.h"
#include "report/mpi.h"
#include "report/parts.h"
#include "study/metric.h"

/* Settings that the pattern does not use: most likely a mistake. */
static void print_unused(FILE *out, const struct config *c)
{
    const struct workload_params *w = config_section(c, &workload_section);
    char text[CONFIG_TEXT];
    for (size_t i = 0; i < c->entries; i++) {
        const struct key *key = c->entry[i].key;
        if (c->entry[i].given && !machine_uses(c, key->name) &&
            strcmp(config_text(c, i, text), key->default_value) != 0)
            fprintf(out, "  not used     %s = %s: %s%s does not use it\n", key->name, text,
                    w->pattern->name,
                    workload_rates_absolute(w) ? " with workload.rates=absolute" : "");
    }
}

/* Figures that have a line of their own: those that are stored, or those that were added. */
static void print_plain(FILE *out, const struct config *c, const struct run_result *r, bool stored)
{
    char time[32];
    double value;
    for (const struct result_figure *f = figures; f < figures + figure_count; f++) {
        if (!f->line.label || figure_is_stored(f) != stored || !figure_value(f, r, &value))
            continue;
        fprintf(out, "  %-12s ", f->line.label);
        if (text_behind(f->unit, "share"))
            fprintf(out, "%6.2f %%", 100 * value);
        else if (strcmp(f->unit, "cycles") == 0)
            fprintf(out, "%.1f cycles = %s", value,
                    text_time(value / machine_cycles_per_second(c), time));
        else if (strcmp(f->unit, "s") == 0)
            fprintf(out, "%s", text_time(value, time));
        else
            fprintf(out, "%.6g %s", value, f->unit);
        fprintf(out, "%s%s\n", f->line.after ? "    " : "", f->line.after ? f->line.after : "");
    }
}

/* The share of the peak that was reached, and what the peak is. */
static void print_peak(FILE *out, const struct run_result *r)
{
    char cycles[32];
    if (r->fraction_of_peak < 0)
        return;
    bool faults = r->wounded; /* the bound ignores faults */
    fprintf(out, "  of peak      %6.2f %%", 100 * r->fraction_of_peak);
    if (r->bound_cycles > 0)
        fprintf(out, "    the busiest links%s need %s cycles", faults ? " of a whole machine" : "",
                text_count((uint64_t)(r->bound_cycles + 0.5), cycles));
    else if (faults)
        fprintf(out, "    of a whole machine's");
    if (!r->steady)
        fprintf(out, "%s of %.4g %% offered: not steady, response grows with time",
                faults ? ";" : "   ", 100 * r->offered_load);
    fputc('\n', out);
}

static void print_links(FILE *out, const struct run_result *r)
{
    fprintf(out, "  links busy   %6.2f %%  ", 100 * r->link_utilisation);
    for (unsigned p = 0; p < MEASURE_PORTS; p++)
        if (r->links_by_port[p])
            fprintf(out, "  %s %.1f", r->port_name[p], 100 * r->utilisation_by_port[p]);
    fprintf(out, "\n  payload      %6.2f %%    of link bytes; %.1f MB/s per node\n",
            100 * r->payload_utilisation, r->throughput / 1e6);
}

static void print_vcs(FILE *out, const struct run_result *r)
{
    if (!r->vcs || !r->measure.hops)
        return;
    bool full = r->vc[0].unavailable_share >= 0;
    fprintf(out, "  VC           hops %%  filled %%%s\n", full ? "   full %" : "");
    for (unsigned v = 0; v < r->vcs; v++) {
        if (r->vc[v].share <= 0)
            continue;
        fprintf(out, "    %-8s %8.2f %9.2f", r->vc[v].name, 100 * r->vc[v].share,
                100 * r->vc[v].occupancy);
        if (full)
            fprintf(out, " %8.2f", 100 * r->vc[v].unavailable_share);
        fputc('\n', out);
    }
}

static void print_protocol(FILE *out, const struct run_result *r)
{
    char a[32], b[32];
    const uint64_t *n = r->measure.link;
    const struct link_report *l = &r->link_report;
    bool recovers = !l->times_out; /* a protocol without header CRCs, time-outs or link CRCs */
    fprintf(out, "  errors       %s bits flipped, %s packets hit: ", text_count(n[LINK_FLIPPED], a),
            text_count(n[LINK_CORRUPTED], b));
    if (!recovers)
        fprintf(out, "header CRC found %s, ", text_count(n[LINK_HEADER_CRC], a));
    fprintf(out, "packet CRC %s%s, undetected %s", recovers ? "found " : "",
            text_count(n[LINK_PACKET_CRC], a), text_count(n[LINK_ESCAPED], b));
    if (recovers)
        fprintf(out, ", %s passed on poisoned", text_count(n[LINK_GHOSTS], a));
    fputc('\n', out);
    fprintf(out, "  recovered    %s retransmissions after %s %s",
            text_count(n[LINK_RETRANSMITTED], a),
            text_count(n[recovers ? LINK_RECOVERIES : LINK_TIMEOUTS], b),
            recovers ? "recoveries" : "time-outs");
    fprintf(out, ", %s %s lost\n", text_count(n[LINK_ACK_CRC], a),
            recovers ? "control packets" : "acknowledgments");
    if (recovers && !l->named)
        return;
    if (recovers)
        fprintf(out, "  in vain      %s of %s links", text_count(l->links_given_up, a),
                text_count(l->links, b));
    else
        fprintf(out, "  link CRCs    %s of %s differ at their ends", text_count(l->differing, a),
                text_count(l->links, b));
    for (uint32_t i = 0; i < l->named; i++) {
        const struct link_verdict *v = &l->first[i];
        fprintf(out, "%s %s%s", i ? "," : ":", v->name, v->differs || recovers ? "" : " (in vain)");
    }
    fputc('\n', out);
}

/* What a trace held, and when its ranks ended. */
static void print_trace(FILE *out, const struct run_result *r)
{
    char count[32], bytes[32], first[32], last[32];
    double ranks = run_result_figure(r, "trace_ranks");
    double left = run_result_figure(r, "unreceived_messages");
    if (ranks < 0)
        return;
    uint64_t messages = (uint64_t)run_result_figure(r, "trace_messages");
    fprintf(out, "  trace        %.0f rank%s, %s message%s, %s\n", ranks, ranks == 1 ? "" : "s",
            text_count(messages, count), messages == 1 ? "" : "s",
            text_bytes(run_result_figure(r, "trace_bytes"), bytes));
    fprintf(out, "  ranks        end after %s to %s; %.1f %% of their time they compute\n",
            text_time(run_result_figure(r, "first_end_seconds"), first),
            text_time(run_result_figure(r, "last_end_seconds"), last),
            100 * run_result_figure(r, "computing_share"));
    if (left > 0)
        fprintf(out, "  not received %s message%s: no receive is for %s\n",
                text_count((uint64_t)left, count), left == 1 ? "" : "s", left == 1 ? "it" : "them");
}

/* In cycles, and in microseconds below: "*" says that it grows with the run's length. */
static void print_response(FILE *out, const struct config *c, const struct run_result *r)
{
    const struct histogram *h = &r->measure.response;
    double us = 1e6 / machine_cycles_per_second(c);
    double median = (double)histogram_quantile(h, 0.5), most = (double)histogram_quantile(h, 0.99);
    fprintf(out, "  response%s    mean %.1f", r->steady ? " " : "*", r->response_mean);
    if (r->response_interval >= 0)
        fprintf(out, " +- %.1f", r->response_interval);
    fprintf(out, ", median %.0f, 99 %% %.0f, max %llu cycles\n", median, most,
            (unsigned long long)h->max);
    fprintf(out, "               mean %.4g", r->response_mean * us);
    if (r->response_interval >= 0)
        fprintf(out, " +- %.2g", r->response_interval * us);
    fprintf(out, ", median %.4g, 99 %% %.4g, max %.4g us\n", median * us, most * us,
            (double)h->max * us);
    if (r->network_mean >= 0)
        fprintf(out,
                "               of the mean, %.1f cycles (%.4g us) at the source, %.1f (%.4g us) "
                "in the network\n",
                r->waiting_mean, r->waiting_mean * us, r->network_mean, r->network_mean * us);
}

/* Figures of processes, in everyday units. */
static void print_figures(FILE *out, const struct config *c, const struct run_result *r)
{
    double processes = run_result_figure(r, "processes");
    if (processes >= 0)
        fprintf(
            out,
            "  processes    %.0f, %.1f MB/s each until its own end (%.1f to %.1f), %.2f GB/s in "
            "total until the last ends\n",
            processes, run_result_figure(r, "bytes_per_process_second") / 1e6,
            run_result_figure(r, "least_bytes_per_process_second") / 1e6,
            run_result_figure(r, "most_bytes_per_process_second") / 1e6,
            run_result_figure(r, "total_bytes_per_second") / 1e9);
    print_plain(out, c, r, false);
    print_trace(out, r);
    double fairness = run_result_figure(r, "fairness");
    if (fairness >= 0)
        fprintf(out, "  fairness     %6.4f      (Jain's index): %.0f to %.0f packets from a node\n",
                fairness, run_result_figure(r, "least_packets_of_a_node"),
                run_result_figure(r, "most_packets_of_a_node"));
    double busiest = run_result_figure(r, "busiest_link_utilisation");
    if (busiest >= 0)
        fprintf(out, "  busiest link %6.2f %%    of the time; the idlest %.2f %%%s\n",
                100 * busiest, 100 * run_result_figure(r, "idlest_link_utilisation"),
                r->links && r->links->map.of_hosts ? " (between switches)" : "");
}

/* A run without any packet. */
static void print_silence(FILE *out, const struct config *c, const struct run_result *r)
{
    if (machine_living_nodes(c) == 1)
        fprintf(out, "  packets      none: there is no other node to send to\n");
    else if (r->open && r->offered_load > 0)
        fprintf(out,
                "  packets      none: at load %g no node sends; raise it, or workload.cycles\n",
                r->offered_load);
    else
        fprintf(out, "  packets      none: no node has anything to send\n");
}

/* What a survey of the topology found. */
static void print_survey(FILE *out, const struct config *c, const struct run_result *r)
{
    header_print(out, c);
    for (uint32_t i = 0; i < r->figures; i++)
        fprintf(out, "  %-26s %.6g\n", r->figure[i].name, r->figure[i].value);
}

static void print_run(FILE *out, const struct config *c, const struct run_result *r)
{
    char a[32], b[32], time[32];
    const struct measure *m = &r->measure;
    const struct pattern *pattern =
        ((const struct workload_params *)config_section(c, &workload_section))->pattern;
    if (pattern->kind == PATTERN_SURVEY || (pattern_is_jobs(pattern) && !r->jobs)) {
        print_survey(out, c, r);
        return;
    }
    if (r->jobs) {
        header_print(out, c);
        jobs_print(out, config_section(c, &jobs_section), r->jobs);
        fprintf(out, "  digest       %016llx\n  engine       %.2f s, %s\n",
                (unsigned long long)m->digest, r->wall_seconds, memory_text(r->peak_rss_bytes, a));
        return;
    }
    header_print(out, c);
    print_unused(out, c);
    fprintf(out, "  time         %s cycles = %s\n", text_count(r->cycles, a),
            text_time(r->sim_seconds, time));
    if (!m->generated && run_result_figure(r, "processes") < 0)
        print_silence(out, c, r);
    else
        fprintf(out, "  packets      %s delivered, %s hops\n", text_count(m->delivered, a),
                text_count(m->hops, b));
    print_peak(out, r);
    print_links(out, r);
    print_plain(out, c, r, true);
    if (r->mpi.ranks)
        mpi_print(out, &r->mpi);
    print_figures(out, c, r);
    if (m->response.count)
        print_response(out, c, r);
    else if (r->open && m->generated)
        fprintf(out, "  response     none: no packet was born while measuring\n");
    if (r->cut_off)
        fprintf(out, "  cut off      at the end of workload.drain_cycles: packets that take longer "
                     "are missing\n");
    print_vcs(out, r);
    if (r->parts)
        parts_print(out, r);
    if (r->link_protocol)
        print_protocol(out, r);
    fprintf(out, "  digest       %016llx\n", (unsigned long long)m->digest);
    fprintf(out, "  engine       ");
    if (r->ranks > 1)
        fprintf(out, "%u ranks of ", r->ranks);
    fprintf(out, "%u thread%s, %.2f s, %.2f M packet-hops per CPU second, %s\n", r->threads,
            r->threads == 1 ? "" : "s", r->wall_seconds, r->hops_per_cpu_second / 1e6,
            memory_text(r->peak_rss_bytes, a));
}

void summary_run(FILE *out, const struct config *c, const struct run_result *r)
{
    unsigned width = terminal_width();
    char *text = NULL;
    size_t size;
    FILE *whole = width ? open_memstream(&text, &size) : NULL;
    print_run(whole ? whole : out, c, r);
    if (!whole)
        return;
    fclose(whole);
    lines_print(out, text, width);
    free(text);
}

/* ---- studies ---- */

static int wider(int width, const char *text)
{
    int columns = (int)text_columns(text);
    return columns > width ? columns : width;
}

/* For printf(), which counts bytes: a width of so many columns. */
static int bytes_for(int columns, const char *text)
{
    return columns + (int)(strlen(text) - text_columns(text));
}

/* "412.3 +- 5.1*": the mean, its interval over the seeds, and a star where runs were not steady. */
static void figure_text(const struct study *s, size_t curve, size_t point, char text[64])
{
    struct study_figure f = study_figure(s, curve, point);
    double size = fabs(f.mean);
    bool plain = size < 1e5 && (size >= 0.01 || size == 0); /* readable in plain digits */
    int digits = size < 100 ? 4 : 1;
    size_t at = plain ? text_append(text, 64, 0, "%.*f", digits, f.mean)
                      : text_append(text, 64, 0, "%.5g", f.mean);
    if (s->seeds > 1 && plain)
        at = text_append(text, 64, at, " +- %.*f", digits, f.half_width);
    else if (s->seeds > 1)
        at = text_append(text, 64, at, " +- %.2g", f.half_width);
    if (f.steady == STEADY_NOT)
        text_append(text, 64, at, "*");
    if (!f.runs)
        snprintf(text, 64, "%s", study_failed(s, curve, point) ? "failed" : "-");
}

/* Right-aligned; stars, where there are any, have a column of their own. */
static void print_cell(FILE *out, int width, const char *text, bool stars)
{
    size_t length = strlen(text);
    bool star = text[length - 1] == '*';
    fprintf(out, " %*.*s%s", width, (int)(length - star), text, star ? "*" : stars ? " " : "");
}

/* How wide a table of points is. */
struct points_table {
    int name, column; /* letters of the points' names, and of each curve */
    bool stars;
};

/* The rows of some curves. */
static void print_block(FILE *out, const struct study *s, struct points_table t, size_t from,
                        size_t to)
{
    char text[64];
    fprintf(out, "%-*s", t.name, s->over);
    for (size_t c = from; c < to; c++)
        fprintf(out, " %*s%s", bytes_for(t.column, s->curve[c].name), s->curve[c].name,
                t.stars && c + 1 < to ? " " : "");
    fputc('\n', out);
    for (size_t p = 0; p < s->points; p++) {
        fprintf(out, "%-*s", bytes_for(t.name, s->point[p].name), s->point[p].name);
        for (size_t c = from; c < to; c++) {
            figure_text(s, c, p, text);
            print_cell(out, t.column, text, t.stars && c + 1 < to);
        }
        fputc('\n', out);
    }
}

/* One row per point, one column per curve; as many curves side by side as a terminal has room for.
 */
static void print_points(FILE *out, const struct study *s)
{
    enum { ROOM = 80 };
    int name = wider(4, s->over), column = 10;
    char text[64];
    bool stars = false;
    for (size_t p = 0; p < s->points; p++)
        name = wider(name, s->point[p].name);
    for (size_t c = 0; c < s->curves; c++) {
        column = wider(column, s->curve[c].name);
        for (size_t p = 0; p < s->points; p++) {
            figure_text(s, c, p, text);
            column = wider(column, text);
            stars |= strchr(text, '*') != NULL;
        }
    }
    int fit = (ROOM - name) / (column + 1 + stars);
    size_t block = fit > 1 ? (size_t)fit : 1;
    for (size_t c = 0; c < s->curves; c += block) {
        if (c)
            fputc('\n', out);
        print_block(out, s, (struct points_table){name, column, stars}, c,
                    c + block < s->curves ? c + block : s->curves);
    }
    if (stars)
        fprintf(out, "* not steady: less arrives than is offered%s\n",
                metric_needs_steady(s->metric) ? ", and this grows with the length of the run"
                                               : "");
}

void summary_claim_range(const struct study_claim *c, char text[48])
{
    if (c->has_value)
        snprintf(text, 48, "%g +- %g", c->value, c->tolerance);
    else if (c->has_above && c->has_below)
        snprintf(text, 48, "%g to %g", c->above, c->below);
    else
        snprintf(text, 48, c->has_above ? "> %g" : "< %g", c->has_above ? c->above : c->below);
}

void summary_claim_figure(const struct study_claim *c, char text[48])
{
    if (c->interval > 0)
        snprintf(text, 48, "%.4g +- %.2g", c->measured, c->interval);
    else
        snprintf(text, 48, "%.4g", c->measured);
}

static void print_claims(FILE *out, const struct study *s)
{
    char text[48], figure[48];
    int width = 5, measured = 10, id = 6;
    for (size_t i = 0; i < s->claims; i++) {
        summary_claim_range(&s->claim[i], text);
        summary_claim_figure(&s->claim[i], figure);
        width = wider(width, text);
        measured = wider(measured, figure);
        id = wider(id, s->claim[i].id);
    }
    fprintf(out, "%-*s %-*s %*s   %-12s %s\n", id, "claim", width, "paper", measured, "Weft",
            "verdict", "what");
    for (size_t i = 0; i < s->claims; i++) {
        const struct study_claim *c = &s->claim[i];
        if (c->verdict == VERDICT_NONE)
            continue; /* it belongs to the other size */
        summary_claim_range(c, text);
        summary_claim_figure(c, figure);
        fprintf(out, "%-*s %-*s %*s   %-*s%s%s\n", bytes_for(id, c->id), c->id, width, text,
                measured, figure, c->says[0] ? 12 : 0, verdict_names[c->verdict],
                c->says[0] ? " " : "", c->says);
        if (c->unsteady[0])
            fprintf(out, "%-*s %s\n", id, "", c->unsteady);
    }
}

void summary_study(FILE *out, const struct study *s)
{
    fprintf(out, "%s", s->title[0] ? s->title : s->name);
    fprintf(out, s->source[0] ? " (%s)\n" : "\n", s->source);
    if (s->has_sizes && s->size == STUDY_SMALL)
        fprintf(out, "in the small size; --full runs the full one\n");
    fputc('\n', out);
    if (s->metric[0]) {
        char label[METRIC_LABEL];
        metric_label(s->metric, label);
        fprintf(out, "%s\n", s->y_label[0] ? s->y_label : label);
        print_points(out, s);
    }
    bool judged = false;
    size_t left = 0;
    for (size_t i = 0; i < s->claims; i++) {
        bool here = s->claim[i].verdict != VERDICT_NONE;
        judged |= here;
        left += !here && s->claim[i].judged_in[STUDY_FULL];
    }
    if (s->metric[0] && judged)
        fputc('\n', out);
    if (judged)
        print_claims(out, s);
    if (judged && left && s->size == STUDY_SMALL)
        fprintf(out, "%zu more claim%s judged in the paper's size: --full\n", left,
                left == 1 ? " is" : "s are");
    else if (!judged && s->claims)
        fprintf(out, "%sthe claims are judged in the paper's size: --full\n",
                s->metric[0] ? "\n" : "");
}

void summary_verdicts(FILE *out, const size_t count[VERDICTS])
{
    const char *joint = "verdicts: ";
    for (unsigned v = VERDICT_OK; v < VERDICTS; v++) {
        bool always = v == VERDICT_OK || v == VERDICT_MISSED;
        if (!count[v] && !always)
            continue;
        fprintf(out, "%s%zu %s", joint, count[v],
                v == VERDICT_MISSED ? "missed" : verdict_names[v]);
        joint = ", ";
    }
    fputc('\n', out);
}
