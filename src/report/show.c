/* One machine resolved, with peak figures and sources; and all keys. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/summary.h"
#include "topology/bound.h"

/* ---- machines on a torus ---- */

static void print_topology(FILE *out, const struct config *c)
{
    const struct torus *t = &c->torus;
    char dims[80], a[32];
    double hops = 0, mb = c->router.link_mb_per_s;
    fprintf(out, "%s, %s\n\n", c->machine, torus_text(t, dims));
    fprintf(out, "  nodes                  %s\n", summary_count(t->nodes, a));
    fprintf(out, "  links, one way         %s at %.6g MB/s\n", summary_count(torus_links(t), a),
            mb);
    if (faults_any(&c->faults))
        fprintf(out,
                "  dead                   %u nodes, %u links; the figures below are of the "
                "whole machine\n",
                c->faults.nodes, c->faults.links);
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
    double full = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES;
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

/* ---- machines on a graph ---- */

static void print_graph(FILE *out, const struct config *c, const struct digraph *g)
{
    char a[32], size[CONFIG_TEXT];
    struct digraph_survey survey = digraph_survey(g);
    fprintf(out, "%s, %s\n\n", c->machine, config_size_text(c, size));
    fprintf(out, "  nodes                  %s of degree %u, %u processors\n",
            summary_count(g->nodes - g->dead_nodes, a), g->degree,
            (g->nodes - g->dead_nodes) * c->dma.queues);
    fprintf(out, "  links, one way         %s at %.6g MB/s\n", summary_count(g->links, a),
            c->crosspoint.link_mb_per_s);
    if (!survey.connected) {
        fprintf(out, "  not connected          no route from node %u to node %u\n", survey.cut_from,
                survey.cut_to);
        return;
    }
    fprintf(out, "  diameter               %u hops\n", survey.diameter);
    fprintf(out, "  mean distance          %.4f hops\n", survey.mean_distance);
}

static void print_graph_peaks(FILE *out, const struct config *c, const struct digraph *g)
{
    const struct crosspoint_params *p = &c->crosspoint;
    struct crosspoint_derived d;
    double words = dma_words(&c->dma, c->dma.packet_bytes);
    double link = p->link_mb_per_s * c->dma.packet_bytes / (words * CROSSPOINT_WORD_BYTES);
    struct digraph_survey survey = digraph_survey(g);
    fprintf(out, "  full packet            %u B of payload in %.0f words: %.1f MB/s of a link\n",
            c->dma.packet_bytes, words, link);
    if (survey.connected && survey.mean_distance > 0)
        fprintf(out, "  even traffic at most   %.1f MB/s a node, %.1f MB/s a processor\n",
                link * (double)g->links / (g->nodes - g->dead_nodes) / survey.mean_distance,
                link * (double)g->links / (g->nodes - g->dead_nodes) / survey.mean_distance /
                    c->dma.queues);
    if (crosspoint_params_derive(p, g, &d) == WEFT_OK)
        fprintf(out, "  zero-load hop          %u cycles = %.1f ns\n", d.hop_cycles,
                d.hop_cycles * 1e3 * CROSSPOINT_WORD_BYTES / p->link_mb_per_s);
}

/* KAUTZ, Table 1: diameter and bisection, with the tori as the paper has them (roots of the number
 * of nodes, no wrap links) and as the nearest true tori are. */
static void print_table_1(FILE *out)
{
    fprintf(
        out,
        "\n  diameter/bisection width (KAUTZ, Table 1); true tori and Kautz in one-way links\n");
    fprintf(out, "  %-42s %10s %10s %10s\n", "nodes", "108", "324", "972");
    static const uint32_t sizes[3] = {108, 324, 972};
    char row[5][3][24];
    for (unsigned i = 0; i < 3; i++) {
        struct digraph g;
        uint32_t k = 4 + i, n = sizes[i];
        double root2 = sqrt(n), root3 = cbrt(n);
        struct torus flat, cube;
        torus_near(n, 2, &flat);
        torus_near(n, 3, &cube);
        if (digraph_kautz(3, k, &g) != WEFT_OK)
            return;
        snprintf(row[0][i], 24, "%u/%.0f", digraph_survey(&g).diameter, 4 * pow(3, k) / (2.0 * k));
        snprintf(row[1][i], 24, "%.1f/%.1f", root2, root2);
        snprintf(row[2][i], 24, "%.1f/%.1f", 1.5 * root3, root3 * root3);
        snprintf(row[3][i], 24, "%u/%u", torus_diameter(&flat),
                 (unsigned)torus_bisection_links(&flat));
        snprintf(row[4][i], 24, "%u/%u", torus_diameter(&cube),
                 (unsigned)torus_bisection_links(&cube));
        digraph_fini(&g);
    }
    static const char *const names[5] = {
        "Kautz, d = 3; bound (d+1) d^k / 2k", "2-D torus as the paper: N^1/2, N^1/2",
        "3-D torus as the paper: 3/2 N^1/3, N^2/3", "2-D torus, truly", "3-D torus, truly"};
    for (unsigned r = 0; r < 5; r++)
        fprintf(out, "  %-42s %10s %10s %10s\n", names[r], row[r][0], row[r][1], row[r][2]);
}

static void print_graph_machine(FILE *out, const struct config *c)
{
    struct digraph g;
    if (config_graph(c, &g) != WEFT_OK)
        return;
    print_graph(out, c, &g);
    print_graph_peaks(out, c, &g);
    if (strncmp(c->graph, "kautz:3:", 8) == 0)
        print_table_1(out);
    digraph_fini(&g);
}

static void print_torus_machine(FILE *out, const struct config *c)
{
    print_topology(out, c);
    print_peaks(out, c);
}

void summary_machine(FILE *out, const struct config *c)
{
    static void (*const head[FABRICS])(FILE *, const struct config *) = {
        [FABRIC_TORUS] = print_torus_machine, [FABRIC_CROSSPOINT] = print_graph_machine};
    char text[CONFIG_TEXT];
    head[c->fabric](out, c);
    fprintf(out, "\n  %-38s %-14s %-17s %s\n", "key", "value", "unit", "source");
    for (size_t i = 0; i < config_key_count; i++) {
        const struct key *key = &config_keys[i];
        if (key->default_value || !config_has(c, key))
            continue;
        fprintf(out, "  %-38s %-14s %-17s %s\n", key->name, config_text(c, key, text), key->unit,
                c->source[i] ? c->source[i] : "");
    }
}

void summary_keys(FILE *out)
{
    fprintf(out, "%-38s %-14s %-17s %-11s %s\n", "key", "default", "unit", "fabric", "meaning");
    for (size_t i = 0; i < config_key_count; i++) {
        const struct key *k = &config_keys[i];
        const char *fabric = "all";
        for (unsigned f = 0; f < FABRICS; f++)
            if (k->fabrics == 1u << f)
                fabric = fabric_kinds[f].name;
        fprintf(out, "%-38s %-14s %-17s %-11s %s", k->name,
                k->default_value ? k->default_value : "machine", k->unit, fabric, k->help);
        for (unsigned choice = 0; k->choices && k->choices[choice]; choice++)
            fprintf(out, "%s%s", choice ? ", " : ": ", k->choices[choice]);
        fputc('\n', out);
    }
}
