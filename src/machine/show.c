/* Lines that several families print for `weft show`. */
#include "base/text/text.h"
#include "machine/family.h"

void show_dead(FILE *out, uint32_t nodes, uint32_t links)
{
    if (nodes || links)
        fprintf(out,
                "  dead                   %u nodes, %u links; the figures below are for the "
                "whole machine\n",
                nodes, links);
}

void show_diameter(FILE *out, uint32_t hops, const char *between)
{
    fprintf(out, "  diameter               %u hop%s%s\n", hops, hops == 1 ? "" : "s", between);
}

void show_mean_distance(FILE *out, double hops)
{
    fprintf(out, "  mean distance          %.4f hops\n", hops);
}

void show_bisection(FILE *out, uint64_t links, double mb_per_s)
{
    char count[32];
    fprintf(out, "  bisection              %s links, %.6g GB/s\n", text_count(links, count),
            (double)links * mb_per_s / 1e3);
}

void show_packet(FILE *out, uint32_t bytes, double words, const char *unit, double mb_per_s)
{
    fprintf(out, "  full packet            %u B of payload in %.0f %s: %.1f MB/s per link\n", bytes,
            words, unit, mb_per_s);
}

void show_hop(FILE *out, uint32_t cycles, double ns)
{
    fprintf(out, "  zero-load hop          %u cycles = %.1f ns\n", cycles, ns);
}
