/* Two lines per part, and what else there is to say of it. */
#include <string.h>

#include "base/text/text.h"
#include "report/result/values.h"
#include "report/sections.h"

/* Two lines, so that they fit 80 columns. A place of many nodes is cut: its number says which it
 * is. */
static void print_row(FILE *out, unsigned number, const struct run_part *p)
{
    enum { PLACE_WIDTH = 40 };
    char nodes[32], time[32], peak[16] = "-", mean[24] = "-", p99[24] = "-";
    bool cut = strlen(p->place) > PLACE_WIDTH;
    if (p->fraction_of_peak >= 0)
        snprintf(peak, sizeof(peak), "%.2f", 100 * p->fraction_of_peak);
    if (p->responses) {
        snprintf(mean, sizeof(mean), "%.1f", p->response_mean);
        snprintf(p99, sizeof(p99), "%llu", (unsigned long long)p->response_99);
    }
    fprintf(out, "    %-4u %-13s %8s %11s %8.1f %7s %9s %8s\n", number, p->pattern,
            text_count(p->nodes, nodes), text_time(p->seconds, time), p->throughput / 1e6, peak,
            mean, p99);
    fprintf(out, "         on %.*s%s, digest %016llx\n", cut ? PLACE_WIDTH - 3 : PLACE_WIDTH,
            p->place, cut ? "..." : "", (unsigned long long)p->digest);
}

/* How much more than alone; 0: nothing to compare. */
static double slowdown(double here, double alone)
{
    return alone > 0 ? here / alone : 0;
}

/* Of a part that ends its time, of an open loop its response. */
static double part_slowdown(const struct run_part *p)
{
    return p->open ? slowdown(p->response_mean, p->alone_response_mean)
                   : slowdown(p->seconds, p->alone_seconds);
}

/* Responses that grow as long as a run lasts say nothing. */
static bool has_slowdown(const struct run_part *p)
{
    return p->compared && part_slowdown(p) > 0 && (!p->open || (p->steady && p->alone_steady));
}

static void print_slowdown(FILE *out, unsigned number, const struct run_part *p)
{
    char time[32];
    if (!(part_slowdown(p) > 0)) {
        fprintf(out, "  part %u: no slowdown, since no packet was measured\n", number);
        return;
    }
    if (!has_slowdown(p)) {
        fprintf(out, "  part %u: no slowdown, since it is steady %s\n", number,
                p->alone_steady ? "alone only"
                : p->steady     ? "here only"
                                : "neither here nor alone");
        return;
    }
    fprintf(out, "  part %u: %.3f times as long as alone", number, part_slowdown(p));
    if (p->open)
        fprintf(out, " (response %.1f cycles)", p->alone_response_mean);
    else
        fprintf(out, " (%s)", text_time(p->alone_seconds, time));
    if (!p->open && p->responses)
        fprintf(out, ";\n          response %.1f cycles alone, %.3f times that here",
                p->alone_response_mean, slowdown(p->response_mean, p->alone_response_mean));
    fputc('\n', out);
}

void workload_parts_print(FILE *out, const struct run_result *r)
{
    char left[32];
    fprintf(out,
            "    part pattern          nodes        time     MB/s  %% peak  response     99 %%\n");
    fprintf(out, "%44s%8s%18s%9s\n", "", "per node", "cycles", "cycles");
    for (uint32_t i = 0; i < r->parts; i++)
        print_row(out, i + 1, &r->part[i]);
    for (uint32_t i = 0; i < r->parts; i++) {
        const struct run_part *p = &r->part[i];
        if (p->left_out)
            fprintf(out, "  part %u: %s node%s left out\n", i + 1, text_count(p->left_out, left),
                    p->left_out == 1 ? "" : "s");
        if (p->open && !p->steady)
            fprintf(out, "  part %u: of %.4g %% offered: not steady, response grows with time\n",
                    i + 1, 100 * p->offered_load);
        if (p->compared)
            print_slowdown(out, i + 1, p);
        if (p->mpi) {
            fprintf(out, "  part %u:\n", i + 1);
            mpi_print(out, p->mpi);
        }
    }
}

static json_t *part_json(const struct run_part *p)
{
    char digest[24];
    snprintf(digest, sizeof(digest), "%016llx", (unsigned long long)p->digest);
    json_t *o =
        json_pack("{s:o, s:s, s:I, s:I, s:s, s:I, s:I, s:f, s:f}", "place", utf8_json(p->place),
                  "pattern", p->pattern, "nodes", (json_int_t)p->nodes, "nodes_left_out",
                  (json_int_t)p->left_out, "digest", digest, "packets_delivered",
                  (json_int_t)p->delivered, "payload_bytes_delivered", (json_int_t)p->payload_bytes,
                  "sim_seconds", p->seconds, "payload_bytes_per_node_second", p->throughput);
    if (p->responses)
        json_object_set_new(o, "response_cycles",
                            json_pack("{s:f, s:I, s:I}", "mean", p->response_mean, "p99",
                                      (json_int_t)p->response_99, "max",
                                      (json_int_t)p->response_most));
    if (p->offered_load >= 0)
        json_object_set_new(o, "offered_load", json_real(p->offered_load));
    if (p->open)
        json_object_set_new(o, "steady", json_boolean(p->steady));
    if (p->fraction_of_peak >= 0)
        json_object_set_new(o, "fraction_of_peak", json_real(p->fraction_of_peak));
    if (p->processes) {
        json_object_set_new(o, "processes", json_integer((json_int_t)p->processes));
        json_object_set_new(o, "messages_received", json_integer((json_int_t)p->messages));
        json_object_set_new(o, "bytes_per_process_second", json_real(p->process_rate));
    }
    if (p->compared) {
        json_t *alone = json_pack("{s:f}", "sim_seconds", p->alone_seconds);
        if (p->alone_response_mean > 0)
            json_object_set_new(alone, "response_mean", json_real(p->alone_response_mean));
        if (p->open)
            json_object_set_new(alone, "steady", json_boolean(p->alone_steady));
        if (has_slowdown(p))
            json_object_set_new(alone, "slowdown", json_real(part_slowdown(p)));
        json_object_set_new(o, "alone", alone);
    }
    if (p->mpi)
        json_object_set_new(o, "mpi", mpi_json(p->mpi));
    return o;
}

json_t *workload_parts_json(const struct run_result *r)
{
    json_t *o = r->parts ? json_object() : NULL;
    char name[32];
    for (uint32_t i = 0; i < r->parts; i++) {
        snprintf(name, sizeof(name), "part_%u", i + 1);
        json_object_set_new(o, name, part_json(&r->part[i]));
    }
    return o;
}

json_t *workload_part_of_node_json(const struct run_result *r)
{
    if (!r->parts)
        return NULL;
    return json_pack("{s:I, s:o}", "count", (json_int_t)r->part_of_nodes, "part",
                     packed_json(r->part_of, r->part_of_nodes * sizeof(*r->part_of)));
}
