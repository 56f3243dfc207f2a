/* The head of `weft show`: topology and peak figures of a torus. */
#include "base/text/text.h"
#include "machine/torus/model.h"

static void print_topology(FILE *out, const struct config *c)
{
    const struct torus_config *m = config_torus(c);
    const struct torus *t = &m->torus;
    char dims[80], a[32];
    double hops = 0, mb = m->router.link_mb_per_s;
    fprintf(out, "%s, %s\n\n", config_name(c), torus_text(t, dims));
    fprintf(out, "  nodes                  %s\n", text_count(t->nodes, a));
    fprintf(out, "  links, one way         %s at %.6g MB/s\n", text_count(torus_links(t), a), mb);
    if (faults_any(&m->faults))
        fprintf(out,
                "  dead                   %u nodes, %u links; the figures below are for the "
                "whole machine\n",
                m->faults.nodes, m->faults.links);
    fprintf(out, "  diameter               %u hop%s\n", torus_diameter(t),
            torus_diameter(t) == 1 ? "" : "s");
    fprintf(out, "  mean distance          ");
    for (unsigned d = 0; d < t->dims; d++)
        hops += torus_mean_hops(t, d);
    fprintf(out, "%.4f hops (", hops);
    for (unsigned d = 0; d < t->dims; d++)
        fprintf(out, d ? ", %c %.4f" : "%c %.4f", "xyzuvw"[d], torus_mean_hops(t, d));
    uint64_t bisection = torus_bisection_links(t),
             memory = torus_network_memory(&m->router, t->nodes);
    fprintf(out, ")\n  bisection              %s links, %.6g GB/s\n", text_count(bisection, a),
            (double)bisection * mb / 1e3);
    fprintf(out, "  memory of its state    %.0f bytes per node, %.1f MB if all of it is used\n",
            (double)memory / t->nodes, (double)memory / 1e6);
}

static void print_peaks(FILE *out, const struct config *c)
{
    const struct torus_config *m = config_torus(c);
    const struct torus_params *p = &m->router;
    const struct torus *t = &m->torus;
    struct torus_derived d;
    struct bound b;
    double full = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES;
    double slot = full + p->trailer_bytes + p->gap_bytes, ack = p->ack_bytes;
    double payload = (full - m->software_header_bytes) / (slot + ack);
    bound_init(&b, t);
    bound_add_uniform(&b, (1u << t->dims) - 1, 1);
    double peak = bound_peak_utilisation(&b, slot, ack);
    double worst = bound_worst(&b, slot, ack);
    bound_fini(&b);
    fprintf(out, "  256-byte packet        %.0f byte times, acknowledgment included\n", slot + ack);
    fprintf(out, "  all-to-all at peak     %.1f %% of all links busy, %.1f %% with payload",
            100 * peak, 100 * peak * payload);
    if (worst > 0)
        fprintf(out, ", %.1f MB/s per node",
                (full - m->software_header_bytes) / worst * p->link_mb_per_s);
    fputc('\n', out);
    if (torus_params_derive(p, &d) == WEFT_OK)
        fprintf(out, "  zero-load hop          %u cycles = %.1f ns\n", d.hop_cycles,
                d.hop_cycles * 1e3 / p->link_mb_per_s);
}

void torus_show(FILE *out, const struct config *c)
{
    print_topology(out, c);
    print_peaks(out, c);
}
