/* The summary of a run. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "machine/figures.h"
#include "machine/result.h"
#include "report/sections.h"
#include "report/text/tables.h"
#include "workload/workload.h"

/* ---- what ran ---- */

/* Keys that the title has as the machine's size. */
static const char sizes[] = "machine.dims machine.nodes machine.graph";

/* Whether a run's value of a machine key is neither the machine file's nor one that follows from
 * others, as a time in cycles does. The key has the same number in both. */
static bool is_changed(const struct config *c, const struct config *own, size_t i)
{
    char text[CONFIG_TEXT], usual[CONFIG_TEXT];
    const char *key = c->entry[i].key->name, *place = c->entry[i].place;
    if (!text_behind(key, "machine.") || text_has_word(sizes, key) || !place)
        return false;
    if (own->entry[i].place && strcmp(place, own->entry[i].place) == 0)
        return false;
    return strcmp(config_text(c, i, text), config_text(own, i, usual)) != 0;
}

/* Whether a key says that no axis is a ring; those within a group of Tofu, after the first three,
 * are what they are. */
static bool is_mesh(const struct config *c, size_t i)
{
    char text[CONFIG_TEXT], item[32];
    const char *rest = config_text(c, i, text);
    bool ring = false;
    for (unsigned axis = 0; rest && axis < 3; axis++) {
        rest = key_list_item(rest, item);
        ring |= strcmp(item, "true") == 0;
    }
    return strcmp(c->entry[i].key->name, "machine.wrap") == 0 && !ring;
}

/* Lists what was changed, "machine.router.paths=1", as -s has it, and says whether the machine was
 * made a mesh. */
static bool list_changes(const struct config *c, const struct config *own, char *line, size_t size)
{
    enum { VALUE_MOST = 60 };
    char text[CONFIG_TEXT];
    bool mesh = false;
    size_t at = 0;
    line[0] = '\0';
    for (size_t i = 0; i < c->entries; i++) {
        if (!is_changed(c, own, i))
            continue;
        mesh |= is_mesh(c, i);
        bool cut = strlen(config_text(c, i, text)) > VALUE_MOST;
        if (!is_mesh(c, i))
            at = text_append(line, size, at, "%s%s=%.*s%s", at ? ", " : "", c->entry[i].key->name,
                             cut ? VALUE_MOST - 3 : VALUE_MOST, text[0] ? text : "''",
                             cut ? "..." : "");
    }
    return mesh;
}

static void print_title(FILE *out, const struct config *c, bool mesh)
{
    const struct workload_params *w = config_workload(c);
    struct machine_facts facts = machine_facts(c);
    char text[CONFIG_TEXT], nodes[32], living[32];
    fprintf(out, "%s %s%s, ", config_name(c), machine_size_text(c, text), mesh ? " mesh" : "");
    if (facts.dead_nodes)
        fprintf(out, "%s of ", text_count(facts.nodes - facts.dead_nodes, living));
    fprintf(out, "%s node%s: %s", text_count(facts.nodes, nodes), facts.nodes == 1 ? "" : "s",
            w->pattern->name);
    machine_describe(c, text);
    fprintf(out, "%s\n", text);
}

/* The machine as its file has it, in the size of a run. */
static weft_status take_own(const struct config *c, struct config *own)
{
    char text[CONFIG_TEXT];
    machine_init(own);
    weft_status status = config_machine(own, c->machine);
    if (status == WEFT_OK && own->schema != c->schema)
        status = WEFT_BAD_INPUT;
    for (size_t i = 0; i < c->entries && status == WEFT_OK; i++)
        if (text_has_word(sizes, c->entry[i].key->name))
            status = config_set(own, c->entry[i].key->name, config_text(c, i, text), "size");
    return status == WEFT_OK ? machine_finish(own) : status;
}

/* The machine and the workload, and what of the machine is not as its file has it: a figure of a
 * mesh, or of another routing, is not taken for one of the machine. */
static void print_header(FILE *out, const struct config *c)
{
    char line[CONFIG_TEXT] = "";
    bool mesh = false;
    struct error before = *error_last(); /* of the run, which is still to be reported */
    struct config own;
    if (take_own(c, &own) == WEFT_OK)
        mesh = list_changes(c, &own, line, sizeof(line));
    config_fini(&own);
    error_restore(&before);
    print_title(out, c, mesh);
    if (line[0])
        fprintf(out, "  changed      %s\n", line);
    if (machine_clock_moved(c, line))
        fprintf(out, "  clock        %s\n", line);
}

/* ---- what was measured ---- */

/* Settings that the pattern does not use: most likely a mistake. */
static void print_unused(FILE *out, const struct config *c)
{
    const struct workload_params *w = config_workload(c);
    char text[CONFIG_TEXT];
    for (size_t i = 0; i < c->entries; i++) {
        const struct key *key = c->entry[i].key;
        if (!c->entry[i].given || machine_uses(c, key->name) ||
            strcmp(config_text(c, i, text), key->default_value) == 0)
            continue;
        const char *with = workload_unused_with(w, key->name);
        fprintf(out, "  not used     %s = %s: %s%s%s does not use it\n", key->name, text,
                w->pattern->name, with ? " with " : "", with ? with : "");
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
                    text_time(value / machine_facts(c).cycles_per_second, time));
        else if (strcmp(f->unit, "s") == 0)
            fprintf(out, "%s", text_time(value, time));
        else if (strcmp(f->unit, "B/s") == 0)
            fprintf(out, "%.1f MB/s", value / 1e6);
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

/* When an open loop was measured. */
static void print_window(FILE *out, const struct config *c, const struct run_result *r)
{
    char warmup[32], measured[32];
    fprintf(out, "  measured     %s cycles after a warm-up of %s",
            text_count((uint64_t)r->measured_cycles, measured),
            text_count((uint64_t)r->warmup_cycles, warmup));
    if (r->searched && !r->settled)
        fprintf(out, ": workload.most_cycles = %llu came before the mean had settled",
                (unsigned long long)config_workload(c)->most_cycles);
    fputc('\n', out);
}

/* In cycles, and in microseconds below: "*" says that it grows with the run's length. */
static void print_response(FILE *out, const struct config *c, const struct run_result *r)
{
    const struct histogram *h = &r->measure.response;
    double us = 1e6 / machine_facts(c).cycles_per_second;
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
        fprintf(out, "  busiest link %6.2f %%    of the time; least busy %.2f %%%s\n",
                100 * busiest, 100 * run_result_figure(r, "idlest_link_utilisation"),
                r->links && r->links->map.of_hosts ? " (between switches)" : "");
}

/* How many packets there were; or why there was none. */
static void print_packets(FILE *out, const struct config *c, const struct run_result *r)
{
    char a[32], b[32];
    struct machine_facts facts = machine_facts(c);
    fprintf(out, "  packets      ");
    if (r->measure.generated || run_result_figure(r, "processes") >= 0)
        fprintf(out, "%s delivered, %s hops\n", text_count(r->measure.delivered, a),
                text_count(r->measure.hops, b));
    else if (facts.nodes - facts.dead_nodes == 1)
        fprintf(out, "none: there is no other node to send to\n");
    else if (r->open && r->offered_load > 0)
        fprintf(out, "none: at load %g no node sends; raise it, or workload.cycles\n",
                r->offered_load);
    else
        fprintf(out, "none: no node has anything to send\n");
}

/* A unit that was out of service for a time. */
static void print_swap(FILE *out, const struct run_result *r, const struct run_swap *s)
{
    char a[32], b[32], c[32];
    fprintf(out, "  swap         %s: %s at %s", s->unit, s->fails ? "failed" : "out",
            text_count(s->from, a));
    if (r->cycles < s->from) {
        fprintf(out, ", after the end of the run\n");
        return;
    }
    if (s->fails && s->lost)
        fprintf(out, ", last packet lost at %s", text_count(s->emptied, a));
    else if (!s->fails && run_swap_is_empty(r, s))
        fprintf(out, ", empty at %s", text_count(s->emptied, a));
    else if (!s->fails)
        fprintf(out, ", at the end packets from before were still under way");
    if (s->to == CYCLE_NEVER || s->to > r->cycles)
        fprintf(out, ", not back");
    else
        fprintf(out, ", back at %s", text_count(s->to, a));
    fprintf(out, "; %s packet%s led around it, %s not sent from it or to it",
            text_count(s->detoured, a), s->detoured == 1 ? "" : "s", text_count(s->withheld, b));
    if (s->fails)
        fprintf(out, ", %s lost", text_count(s->lost, c));
    fputc('\n', out);
}

static void print_run(FILE *out, const struct config *c, const struct run_result *r)
{
    char a[32], time[32];
    const struct measure *m = &r->measure;
    struct work work;
    const struct pattern *pattern = config_workload(c)->pattern;
    print_header(out, c);
    if (pattern->kind == PATTERN_SURVEY || (pattern_is_jobs(pattern) && !r->jobs)) {
        for (uint32_t i = 0; i < r->figures; i++)
            fprintf(out, "  %-26s %.6g\n", r->figure[i].name, r->figure[i].value);
        return;
    }
    if (r->jobs) {
        jobs_print(out, config_section(c, &jobs_section), r->jobs);
        fprintf(out, "  digest       %016llx\n  engine       %.2f s, %s\n",
                (unsigned long long)m->digest, r->wall_seconds, memory_text(r->peak_rss_bytes, a));
        return;
    }
    print_unused(out, c);
    fprintf(out, "  time         %s cycles = %s\n", text_count(r->cycles, a),
            text_time(r->sim_seconds, time));
    if (machine_work(c, &work))
        fprintf(out, "  work         %s\n", work.text);
    print_packets(out, c, r);
    print_peak(out, r);
    print_links(out, r);
    print_plain(out, c, r, true);
    if (r->mpi.ranks)
        mpi_print(out, &r->mpi);
    print_figures(out, c, r);
    if (r->open)
        print_window(out, c, r);
    if (m->response.count)
        print_response(out, c, r);
    else if (r->open && m->generated)
        fprintf(out, "  response     none: no packet was born while measuring\n");
    if (r->cut_off)
        fprintf(out, "  cut off      at the end of workload.drain_cycles: packets that take longer "
                     "are missing\n");
    print_vcs(out, r);
    if (r->parts)
        workload_parts_print(out, r);
    for (uint32_t i = 0; i < r->swaps; i++)
        print_swap(out, r, &r->swap[i]);
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

/* ---- lines on a narrow terminal ---- */

enum { COLUMN = 15 }; /* of the text beside a label */

/* "  links busy   80.24 %    x+ 80.0": two blanks, a label, and blanks up to the column; or blanks
 * alone, if the line belongs to the label before. */
static bool has_label(const char *line, size_t length)
{
    bool goes_on = strspn(line, " ") == COLUMN;
    return length > COLUMN && strncmp(line, "  ", 2) == 0 && line[COLUMN - 1] == ' ' &&
           (line[2] != ' ' || goes_on);
}

/* How much of a line fits behind its indent, up to where two blanks are, or, if that is too little,
 * one. */
static size_t fitting(const char *line, size_t length, size_t indent, size_t width)
{
    size_t blank = 0, gap = 0;
    if (indent + length <= width)
        return length;
    for (size_t i = COLUMN + 1 - indent; indent + i <= width; i++) {
        if (line[i] != ' ' || line[i - 1] == ' ')
            continue;
        blank = i;
        if (line[i + 1] == ' ')
            gap = i;
    }
    if (gap && indent + gap > width / 2)
        return gap;
    return blank ? blank : length;
}

static void print_line(FILE *out, const char *line, size_t length, unsigned width)
{
    size_t fits = 0, indent = 0;
    for (; length; indent = COLUMN) {
        fits = fitting(line, length, indent, width);
        fprintf(out, "%*s%.*s\n", (int)indent, "", (int)fits, line);
        fits += strspn(line + fits, " ");
        line += fits;
        length -= fits;
    }
}

/* Prints a text, and breaks those of its lines that have a label and are wider than this: between
 * two figures, or else between two words; what is behind goes on under the text beside the label.
 * Rows of tables stay whole. */
static void print_narrow(FILE *out, const char *text, unsigned width)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length > width && has_label(text, length))
            print_line(out, text, length, width);
        else
            fprintf(out, "%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
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
    print_narrow(out, text, width);
    free(text);
}
