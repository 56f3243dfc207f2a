/* Writing results. */
#define _GNU_SOURCE
#include "report/result/result.h"
#include "report/jobs.h"
#include "report/result/links.h"
#include "report/mpi.h"
#include "report/result/nodes.h"
#include "report/parts.h"
#include "report/result/utf8.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *count(uint64_t value)
{
    return json_integer((json_int_t)value);
}

/* ---- config ---- */

static json_t *key_value(const struct config *c, size_t entry)
{
    char text[CONFIG_TEXT];
    config_text(c, entry, text);
    switch (c->entry[entry].key->type) {
    case KEY_U32:
    case KEY_U64:
    case KEY_I32:
        return json_integer(atoll(text));
    case KEY_REAL:
        return json_real(atof(text));
    case KEY_BOOL:
        return json_boolean(text[0] == 't');
    default:
        return utf8_json(text);
    }
}

/* Puts a value at a dotted path, creating the objects on the way. */
static void put(json_t *root, const char *path, json_t *value)
{
    char part[128];
    const char *dot;
    while ((dot = strchr(path, '.'))) {
        snprintf(part, sizeof(part), "%.*s", (int)(dot - path), path);
        json_t *next = json_object_get(root, part);
        if (!next) {
            next = json_object();
            json_object_set_new(root, part, next);
        }
        root = next;
        path = dot + 1;
    }
    json_object_set_new(root, path, value);
}

static json_t *config_json(const struct config *c)
{
    json_t *root = json_object();
    put(root, "machine.name", utf8_json(c->machine));
    for (size_t i = 0; i < c->entries; i++)
        put(root, c->entry[i].key->name, key_value(c, i));
    return root;
}

/* ---- measures ---- */

static json_t *response_json(const struct run_result *r)
{
    const struct histogram *h = &r->measure.response;
    if (!h->count) /* a time of 0 would be a lie */
        return json_pack("{s:I, s:[]}", "count", (json_int_t)0, "histogram");
    json_t *o = json_pack("{s:f, s:I, s:I, s:I, s:I}", "mean", r->response_mean, "p50",
                          (json_int_t)histogram_quantile(h, 0.5), "p99",
                          (json_int_t)histogram_quantile(h, 0.99), "max", (json_int_t)h->max,
                          "count", (json_int_t)h->count);
    if (r->response_interval >= 0)
        json_object_set_new(o, "mean_95_half_width", json_real(r->response_interval));
    json_t *buckets = json_array();
    for (unsigned b = 0; b < HISTOGRAM_BUCKETS; b++)
        if (h->bucket[b])
            json_array_append_new(buckets, json_pack("[I, I]", (json_int_t)histogram_lower(b),
                                                     (json_int_t)h->bucket[b]));
    json_object_set_new(o, "histogram", buckets);
    return o;
}

/* The two parts of the response: until a packet leaves its source, and from then on. */
static void put_split(json_t *o, const struct run_result *r)
{
    const struct histogram *h = &r->measure.waiting;
    if (r->network_mean < 0)
        return;
    json_object_set_new(o, "source_queueing_cycles",
                        json_pack("{s:f, s:I, s:I, s:I, s:I}", "mean", r->waiting_mean, "p50",
                                  (json_int_t)histogram_quantile(h, 0.5), "p99",
                                  (json_int_t)histogram_quantile(h, 0.99), "max",
                                  (json_int_t)h->max, "count", (json_int_t)h->count));
    json_object_set_new(o, "network_cycles", json_pack("{s:f}", "mean", r->network_mean));
}

static json_t *ports_json(const struct run_result *r)
{
    json_t *o = json_object();
    for (unsigned port = 0; port < MEASURE_PORTS; port++)
        if (r->links_by_port[port])
            json_object_set_new(o, r->port_name[port], json_real(r->utilisation_by_port[port]));
    return o;
}

static json_t *vcs_json(const struct run_result *r, double (*get)(const struct run_vc *))
{
    json_t *o = json_object();
    for (unsigned v = 0; v < r->vcs; v++)
        json_object_set_new(o, r->vc[v].name, json_real(get(&r->vc[v])));
    return o;
}

static double vc_share(const struct run_vc *vc)
{
    return vc->share;
}

static double vc_occupancy(const struct run_vc *vc)
{
    return vc->occupancy;
}

static double vc_unavailable(const struct run_vc *vc)
{
    return vc->unavailable_share;
}

static json_t *row_json(const struct config *c, const struct run_result *r, size_t index)
{
    const struct measure_row *row = &r->measure.row[index];
    cycle_t interval = r->measure.interval;
    double links = 0, busy = 0;
    json_t *ports = json_object(), *vcs = json_object(), *filled = json_object();
    for (unsigned port = 0; port < MEASURE_PORTS; port++) {
        double n = (double)r->links_by_port[port];
        links += n;
        busy += (double)row->busy[port];
        if (n > 0)
            json_object_set_new(ports, r->port_name[port],
                                json_real((double)row->busy[port] / (n * (double)interval)));
    }
    for (unsigned v = 0; v < r->vcs; v++) {
        json_object_set_new(vcs, r->vc[v].name, count(row->hops[v]));
        json_object_set_new(filled, r->vc[v].name, count(row->occupied[v]));
    }
    double seconds = (double)interval / machine_cycles_per_second(c);
    json_t *o = json_object();
    json_object_set_new(o, "cycle", count(index * interval));
    json_object_set_new(o, "packets_delivered", count(row->delivered));
    json_object_set_new(o, "payload_bytes_per_second",
                        json_real((double)row->payload_bytes / seconds));
    json_object_set_new(o, "link_utilisation",
                        json_real(links > 0 ? busy / (links * (double)interval) : 0));
    json_object_set_new(o, "link_utilisation_by_direction", ports);
    json_object_set_new(o, "hops_by_vc", vcs);
    json_object_set_new(o, "vc_chunks", filled);
    if (row->acks)
        json_object_set_new(o, "unblocking_probability",
                            json_real((double)row->unblocking / (double)row->acks));
    return o;
}

static json_t *engine_json(const struct run_result *r)
{
    double rate = r->cpu_seconds > 0 ? (double)r->measure.hops / r->cpu_seconds : 0;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:I, s:f}", "threads",
                     (json_int_t)r->threads, "ranks", (json_int_t)r->ranks, "partitions",
                     (json_int_t)r->partitions, "window_cycles", (json_int_t)r->window_cycles,
                     "windows", (json_int_t)r->windows, "events", (json_int_t)r->events,
                     "cpu_seconds", r->cpu_seconds, "wall_seconds", r->wall_seconds,
                     "setup_seconds", r->setup_seconds, "peak_rss_bytes",
                     (json_int_t)r->peak_rss_bytes, "packet_hops_per_cpu_second", rate);
}

/* Figures that only some workloads have. */
static void put_optional(json_t *o, const char *name, double value)
{
    if (value >= 0)
        json_object_set_new(o, name, json_real(value));
}

/* A program's figures are the run's, but none replaces one of Weft's. */
static void put_own_figures(json_t *o, const struct world_result *program)
{
    for (unsigned i = 0; i < program->figures; i++)
        if (!json_object_get(o, program->figure[i].name))
            json_object_set_new(o, program->figure[i].name, json_real(program->figure[i].value));
}

static void put_section(json_t *o, const char *name, json_t *section)
{
    if (section)
        json_object_set_new(o, name, section);
}

/* On larger machines checksums would be longer than the rest of the result. */
enum { CHECKSUM_NODES = 512 };

/* One checksum per injection FIFO of every node. */
static json_t *checksums_json(const struct link_report *l)
{
    json_t *nodes = json_array();
    for (uint32_t node = 0; node < l->checksum_nodes; node++) {
        json_t *fifos = json_array();
        for (uint32_t fifo = 0; fifo < l->checksums_per_node; fifo++)
            json_array_append_new(fifos,
                                  count(l->checksum[(size_t)node * l->checksums_per_node + fifo]));
        json_array_append_new(nodes, fifos);
    }
    return nodes;
}

static json_t *protocol_json(const struct run_result *r)
{
    static const char *const names[LINK_COUNTS] = {
        [LINK_PACKETS] = "packets_sent",
        [LINK_ACKS] = "acknowledgments_sent",
        [LINK_FLIPPED] = "bits_flipped",
        [LINK_CORRUPTED] = "packets_corrupted",
        [LINK_HEADER_CRC] = "detected_by_header_crc",
        [LINK_PACKET_CRC] = "detected_by_packet_crc",
        [LINK_ESCAPED] = "undetected",
        [LINK_ACK_CRC] = "acknowledgments_corrupted",
        [LINK_TIMEOUTS] = "timeouts",
        [LINK_RETRANSMITTED] = "retransmissions",
        [LINK_GHOSTS] = "ghosts",
        [LINK_OUT_OF_ORDER] = "ignored_out_of_order",
        [LINK_DUPLICATES] = "ignored_duplicates",
        [LINK_ACK_ONLY] = "ack_only_packets",
        [LINK_RECOVERIES] = "recoveries",
    };
    json_t *o = json_object(), *differing = json_array(), *links_given_up = json_array();
    for (unsigned i = 0; i < LINK_COUNTS; i++)
        json_object_set_new(o, names[i], count(r->measure.link[i]));
    for (uint32_t i = 0; i < r->link_report.named; i++) {
        const struct link_verdict *v = &r->link_report.first[i];
        json_array_append_new(v->differs ? differing : links_given_up, json_string(v->name));
    }
    json_object_set_new(o, "links_with_differing_crcs", count(r->link_report.differing));
    json_object_set_new(o, "differing", differing);
    json_object_set_new(o, "links_given_up", links_given_up);
    if (r->link_report.checksum && r->link_report.checksum_nodes <= CHECKSUM_NODES)
        json_object_set_new(o, "injection_checksums", checksums_json(&r->link_report));
    return o;
}

char *result_json(const struct config *c, const struct run_result *r)
{
    const struct measure *m = &r->measure;
    const struct run_params *run = config_section(c, &run_section);
    char digest[24];
    json_t *o = json_object();
    snprintf(digest, sizeof(digest), "%016llx", (unsigned long long)m->digest);
    json_object_set_new(o, "version", json_string(WEFT_VERSION));
    json_object_set_new(o, "seed", count(run->seed));
    json_object_set_new(o, "digest", json_string(digest));
    if (r->deadlock)
        json_object_set_new(o, "deadlock", json_string(r->deadlock_text));
    json_object_set_new(o, "cycles", count(r->cycles));
    json_object_set_new(o, "sim_seconds", json_real(r->sim_seconds));
    json_object_set_new(o, "packets_injected", count(m->injected));
    json_object_set_new(o, "packets_delivered", count(m->delivered));
    json_object_set_new(o, "packet_hops", count(m->hops));
    json_object_set_new(o, "payload_bytes_delivered", count(m->payload_bytes));
    json_object_set_new(o, "link_utilisation", json_real(r->link_utilisation));
    json_object_set_new(o, "payload_utilisation", json_real(r->payload_utilisation));
    put_optional(o, "fraction_of_peak", r->fraction_of_peak);
    if (r->bound_cycles > 0)
        json_object_set_new(o, "bound_cycles", json_real(r->bound_cycles));
    put_optional(o, "offered_load", r->offered_load);
    if (r->judged)
        json_object_set_new(o, "steady", json_boolean(r->steady));
    if (r->cut_off)
        json_object_set_new(o, "drained", json_false());
    json_object_set_new(o, "payload_bytes_per_node_second", json_real(r->throughput));
    put_optional(o, "one_way_cycles", r->one_way_cycles);
    put_optional(o, "hot_link_utilisation", r->hot_link_utilisation);
    put_optional(o, "unblocking_probability", r->unblocking_probability);
    for (uint32_t i = 0; i < r->figures; i++)
        json_object_set_new(o, r->figure[i].name, json_real(r->figure[i].value));
    put_own_figures(o, &r->mpi);
    if (r->jobs)
        json_object_set_new(o, "jobs", jobs_json(r->jobs));
    if (r->parts) {
        json_object_set_new(o, "parts", parts_json(r));
        json_object_set_new(o, "part_of_node", part_of_node_json(r));
    }
    if (r->mpi.ranks)
        json_object_set_new(o, "mpi", mpi_json(&r->mpi));
    json_object_set_new(o, "bypassed_hops", count(m->bypassed));
    json_object_set_new(o, "response_cycles", response_json(r));
    put_split(o, r);
    json_object_set_new(o, "link_utilisation_by_direction", ports_json(r));
    json_object_set_new(o, "vc_share", vcs_json(r, vc_share));
    json_object_set_new(o, "vc_occupancy", vcs_json(r, vc_occupancy));
    if (r->vcs && r->vc[0].unavailable_share >= 0)
        json_object_set_new(o, "vc_unavailable_share", vcs_json(r, vc_unavailable));
    json_object_set_new(o, "injection_watermark_crossings", count(r->injection_watermarks));
    json_object_set_new(o, "reception_watermark_crossings", count(r->reception_watermarks));
    if (r->link_protocol)
        json_object_set_new(o, "link_protocol", protocol_json(r));
    put_section(o, "each_link", links_json(c, r));
    put_section(o, "each_node", nodes_json(c, r));
    if (m->interval) {
        json_t *timeline = json_array();
        for (size_t i = 0; i < m->rows; i++)
            json_array_append_new(timeline, row_json(c, r, i));
        json_object_set_new(o, "timeline", timeline);
    }
    json_object_set_new(o, "config", config_json(c));
    json_object_set_new(o, "engine", engine_json(r));
    char *text = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(o);
    return text;
}
