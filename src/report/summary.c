/* Tables for the terminal. */
#include "report/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "topology/bound.h"

const char *summary_count(uint64_t value, char text[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value), at = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[at++] = ' ';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

static void print_seconds(FILE *out, double seconds)
{
    if (seconds >= 1)
        fprintf(out, "%.3f s", seconds);
    else if (seconds >= 1e-3)
        fprintf(out, "%.3f ms", seconds * 1e3);
    else
        fprintf(out, "%.3f us", seconds * 1e6);
}

static void print_title(FILE *out, const struct config *c)
{
    char dims[80], sizes[CONFIG_TEXT], nodes[32];
    const struct workload_params *w = &c->workload;
    fprintf(out, "%s %s, %s nodes: %s", c->machine, torus_text(&c->torus, dims),
            summary_count(c->torus.nodes, nodes), pattern_name(w->pattern));
    for (size_t i = 0; i < config_key_count; i++)
        if (config_keys[i].type == KEY_SIZES)
            config_text(c, &config_keys[i], sizes);
    if (pattern_is_open(w->pattern))
        fprintf(out, ", %s B packets, load %.3g\n", sizes, w->load);
    else if (w->pattern == PATTERN_PINGPONG)
        fprintf(out, ", %llu B over %u hops\n", (unsigned long long)w->message_bytes, w->hops);
    else if (w->pattern == PATTERN_LINEFILL || w->pattern == PATTERN_PLANEFILL)
        fprintf(out, ", %llu B %s the deposit bit\n", (unsigned long long)w->message_bytes,
                w->deposit ? "with" : "without");
    else if (w->bytes_per_pair)
        fprintf(out, ", %llu B a pair\n", (unsigned long long)w->bytes_per_pair);
    else
        fprintf(out, ", %u x %s B a pair\n", w->packets_per_pair, sizes);
}

static void print_links(FILE *out, const struct run_result *r)
{
    fprintf(out, "  links busy   %6.2f %%  ", 100 * r->link_utilisation);
    for (unsigned p = 0; p < MEASURE_PORTS; p++)
        if (r->links_by_port[p])
            fprintf(out, "  %s %.1f", r->port_name[p], 100 * r->utilisation_by_port[p]);
    fprintf(out, "\n  payload      %6.2f %%    of link bytes; %.1f MB/s a node\n",
            100 * r->payload_utilisation, r->throughput / 1e6);
    if (r->hot_link_utilisation >= 0)
        fprintf(out, "  hot links    %6.2f %%    busy, of those into the hot box\n",
                100 * r->hot_link_utilisation);
}

static void print_vcs(FILE *out, const struct run_result *r)
{
    fprintf(out, "  VC           hops %%  filled %%   full %%\n");
    for (unsigned v = 0; v < r->vcs; v++)
        if (r->vc[v].share > 0)
            fprintf(out, "    %-8s %8.2f %9.2f %8.2f\n", r->vc[v].name, 100 * r->vc[v].share,
                    100 * r->vc[v].occupancy, 100 * r->vc[v].unavailable_share);
}

static void print_protocol(FILE *out, const struct config *c, const struct run_result *r)
{
    char a[32], b[32], text[64];
    const uint64_t *n = r->measure.link;
    const struct link_report *l = &r->link_report;
    fprintf(out, "  errors       %s bits flipped, %s packets hit",
            summary_count(n[LINK_FLIPPED], a), summary_count(n[LINK_CORRUPTED], b));
    fprintf(out, ": header CRC saw %s", summary_count(n[LINK_HEADER_CRC], a));
    fprintf(out, ", packet CRC %s, none %s\n", summary_count(n[LINK_PACKET_CRC], a),
            summary_count(n[LINK_ESCAPED], b));
    fprintf(out, "  mended       %s retransmissions after %s time-outs",
            summary_count(n[LINK_RETRANSMITTED], a), summary_count(n[LINK_TIMEOUTS], b));
    fprintf(out, ", %s acknowledgments lost\n", summary_count(n[LINK_ACK_CRC], a));
    fprintf(out, "  link CRCs    %s of %s differ at their ends", summary_count(l->differing, a),
            summary_count(l->links, b));
    for (uint32_t i = 0; i < l->named; i++) {
        const struct link_verdict *v = &l->first[i];
        fprintf(out, "%s %s%s", i ? "," : ":", faults_link_text(&c->torus, v->node, v->port, text),
                v->differs ? "" : " (in vain)");
    }
    fputc('\n', out);
}

void summary_run(FILE *out, const struct config *c, const struct run_result *r)
{
    char a[32], b[32];
    const struct measure *m = &r->measure;
    print_title(out, c);
    fprintf(out, "  time         %s cycles = ", summary_count(r->cycles, a));
    print_seconds(out, r->sim_seconds);
    fprintf(out, "\n  packets      %s delivered, %s hops\n", summary_count(m->delivered, a),
            summary_count(m->hops, b));
    if (r->fraction_of_peak >= 0) {
        fprintf(out, "  of peak      %6.2f %%", 100 * r->fraction_of_peak);
        if (r->bound_cycles > 0)
            fprintf(out, "    the busiest links need %s cycles",
                    summary_count((uint64_t)(r->bound_cycles + 0.5), a));
        fputc('\n', out);
    }
    print_links(out, r);
    if (r->one_way_cycles >= 0) {
        fprintf(out, "  one way      %.1f cycles = ", r->one_way_cycles);
        print_seconds(out, r->one_way_cycles / config_cycles_per_second(c));
        fputc('\n', out);
    }
    fprintf(out, "  response     mean %.1f", r->response_mean);
    if (r->response_interval >= 0)
        fprintf(out, " +- %.1f", r->response_interval);
    fprintf(out, ", median %llu, 99 %% %llu, max %llu cycles\n",
            (unsigned long long)histogram_quantile(&m->response, 0.5),
            (unsigned long long)histogram_quantile(&m->response, 0.99),
            (unsigned long long)m->response.max);
    print_vcs(out, r);
    if (r->link_protocol)
        print_protocol(out, c, r);
    fprintf(out, "  digest       %016llx\n", (unsigned long long)m->digest);
    fprintf(out, "  engine       ");
    if (r->ranks > 1)
        fprintf(out, "%u ranks of ", r->ranks);
    fprintf(out, "%u thread%s, %.2f s, %.2f M packet-hops a CPU second, %s\n", r->threads,
            r->threads == 1 ? "" : "s", r->wall_seconds,
            r->cpu_seconds > 0 ? (double)m->hops / r->cpu_seconds / 1e6 : 0,
            weft_bytes_text(r->peak_rss_bytes, a));
}

/* ---- machines ---- */

static void print_topology(FILE *out, const struct config *c)
{
    const struct torus *t = &c->torus;
    char dims[80], a[32];
    double hops = 0, mb = c->router.link_mb_per_s;
    fprintf(out, "%s, %s\n\n", c->machine, torus_text(t, dims));
    fprintf(out, "  nodes                  %s\n", summary_count(t->nodes, a));
    fprintf(out, "  links, one way         %s at %.6g MB/s\n", summary_count(torus_links(t), a),
            mb);
    fprintf(out, "  diameter               %u hops\n", torus_diameter(t));
    fprintf(out, "  mean distance          ");
    for (unsigned d = 0; d < t->dims; d++)
        hops += torus_mean_hops(t, d);
    fprintf(out, "%.4f hops (", hops);
    for (unsigned d = 0; d < t->dims; d++)
        fprintf(out, d ? ", %c %.4f" : "%c %.4f", "xyzuvw"[d], torus_mean_hops(t, d));
    uint64_t bisection = torus_bisection_links(t);
    fprintf(out, ")\n  bisection              %s links, %.6g GB/s\n", summary_count(bisection, a),
            (double)bisection * mb / 1e3);
}

static void print_peaks(FILE *out, const struct config *c)
{
    const struct torus_params *p = &c->router;
    const struct torus *t = &c->torus;
    struct torus_derived d;
    struct bound b;
    double full = PACKET_MAX_CHUNKS * CHUNK_BYTES;
    double slot = full + p->trailer_bytes + p->gap_bytes, ack = p->ack_bytes;
    double payload = (full - c->software_header_bytes) / (slot + ack);
    bound_init(&b, t);
    bound_add_uniform(&b, (1u << t->dims) - 1, 1);
    double peak = bound_peak_utilisation(&b, slot, ack);
    double worst = bound_worst(&b, slot, ack);
    bound_fini(&b);
    fprintf(out, "  256-byte packet        %.0f byte times, acknowledgment included\n", slot + ack);
    fprintf(out, "  all-to-all at peak     %.1f %% of all links busy, %.1f %% with payload",
            100 * peak, 100 * peak * payload);
    if (worst > 0)
        fprintf(out, ", %.1f MB/s a node",
                (full - c->software_header_bytes) / worst * p->link_mb_per_s);
    fputc('\n', out);
    if (torus_params_derive(p, &d) == WEFT_OK)
        fprintf(out, "  zero-load hop          %u cycles = %.1f ns\n", d.hop_cycles,
                d.hop_cycles * 1e3 / p->link_mb_per_s);
}

void summary_machine(FILE *out, const struct config *c)
{
    char text[CONFIG_TEXT];
    print_topology(out, c);
    print_peaks(out, c);
    fprintf(out, "\n  %-38s %-14s %-17s %s\n", "key", "value", "unit", "source");
    for (size_t i = 0; i < config_key_count; i++) {
        const struct key *key = &config_keys[i];
        if (key->default_value)
            continue;
        fprintf(out, "  %-38s %-14s %-17s %s\n", key->name, config_text(c, key, text), key->unit,
                c->source[i] ? c->source[i] : "");
    }
}

void summary_keys(FILE *out)
{
    fprintf(out, "%-38s %-14s %-17s %s\n", "key", "default", "unit", "meaning");
    for (size_t i = 0; i < config_key_count; i++) {
        const struct key *k = &config_keys[i];
        fprintf(out, "%-38s %-14s %-17s %s", k->name,
                k->default_value ? k->default_value : "machine", k->unit, k->help);
        for (unsigned choice = 0; k->choices && k->choices[choice]; choice++)
            fprintf(out, "%s%s", choice ? ", " : ": ", k->choices[choice]);
        fputc('\n', out);
    }
}

/* ---- studies ---- */

static int wider(int width, const char *text)
{
    return (int)strlen(text) > width ? (int)strlen(text) : width;
}

/* One row a point: a column for every curve, the paper's value where there is one curve. */
static void print_points(FILE *out, const struct study *s)
{
    int name = wider(4, s->over), column = 10, paper = 10;
    bool judged = false;
    for (size_t p = 0; p < s->points; p++) {
        name = wider(name, s->point[p].name);
        paper = wider(paper, s->point[p].paper_text);
        judged |= s->point[p].has_paper;
    }
    for (size_t c = 0; c < s->curves; c++)
        column = wider(column, s->curve[c].name);
    fprintf(out, "%-*s", name, s->over);
    if (judged)
        fprintf(out, " %*s", paper, "paper");
    for (size_t c = 0; c < s->curves; c++)
        fprintf(out, " %*s", column, s->curve[c].name);
    fprintf(out, judged ? "   verdict\n" : "\n");
    for (size_t p = 0; p < s->points; p++) {
        fprintf(out, "%-*s", name, s->point[p].name);
        if (judged)
            fprintf(out, " %*s", paper, s->point[p].paper_text);
        for (size_t c = 0; c < s->curves; c++)
            fprintf(out, " %*.*f", column, s->result[c * s->points + p].measured < 100 ? 4 : 1,
                    s->result[c * s->points + p].measured);
        if (judged)
            fprintf(out, study_point_verdict(s, 0, p)[0] ? "   %s" : "%s",
                    study_point_verdict(s, 0, p));
        if (s->point[p].claim[0])
            fprintf(out, " (%s)", s->point[p].claim);
        fputc('\n', out);
    }
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

static void print_claims(FILE *out, const struct study *s)
{
    char text[48];
    int width = 5;
    for (size_t i = 0; i < s->claims; i++) {
        summary_claim_range(&s->claim[i], text);
        width = wider(width, text);
    }
    fprintf(out, "%-6s %-*s %10s   %-7s %s\n", "claim", width, "paper", "Weft", "verdict", "what");
    for (size_t i = 0; i < s->claims; i++) {
        const struct study_claim *c = &s->claim[i];
        if (!c->judged)
            continue; /* it is of the other size */
        summary_claim_range(c, text);
        fprintf(out, "%-6s %-*s %10.4g   %-7s %s\n", c->id, width, text, c->measured,
                study_claim_verdict(c), c->says);
    }
}

void summary_study(FILE *out, const struct study *s)
{
    fprintf(out, "%s", s->title[0] ? s->title : s->name);
    fprintf(out, s->source[0] ? " (%s)\n\n" : "\n\n", s->source);
    if (s->metric[0])
        print_points(out, s);
    bool judged = false;
    for (size_t i = 0; i < s->claims; i++)
        judged |= s->claim[i].judged;
    if (s->metric[0] && judged)
        fputc('\n', out);
    if (judged)
        print_claims(out, s);
    else if (s->claims)
        fprintf(out, "%sits claims are judged in the paper's size: --full\n",
                s->metric[0] ? "\n" : "");
}
