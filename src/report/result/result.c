/* Writing results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/figures.h"
#include "report/result/columns.h"
#include "report/result/result.h"
#include "report/result/values.h"
#include "report/sections.h"

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
    char name[128];
    const char *dot;
    while ((dot = strchr(path, '.'))) {
        snprintf(name, sizeof(name), "%.*s", (int)(dot - path), path);
        json_t *next = json_object_get(root, name);
        if (!next) {
            next = json_object();
            json_object_set_new(root, name, next);
        }
        root = next;
        path = dot + 1;
    }
    json_object_set_new(root, path, value);
}

/* ---- what is no number ---- */

/* Each returns NULL where a run has no such section. */

static json_t *histogram_json(const struct run_result *r)
{
    const struct histogram *h = &r->measure.response;
    json_t *buckets = json_array();
    for (unsigned b = 0; h->count && b < HISTOGRAM_BUCKETS; b++)
        if (h->bucket[b])
            json_array_append_new(buckets, json_pack("[I, I]", (json_int_t)histogram_lower(b),
                                                     (json_int_t)h->bucket[b]));
    return buckets;
}

static json_t *ports_json(const struct run_result *r)
{
    json_t *o = json_object();
    for (unsigned port = 0; port < MEASURE_PORTS; port++)
        if (r->links_by_port[port])
            json_object_set_new(o, r->port_name[port], json_real(r->utilisation_by_port[port]));
    return o;
}

/* Several sizes are a text, "32,64". */
static json_t *work_json(const struct config *c)
{
    struct work w;
    if (!machine_work(c, &w))
        return NULL;
    json_t *o = json_pack("{s:o, s:s, s:s}", "text", utf8_json(w.text), "pattern", w.pattern,
                          "unit", w.as == LAYER_MESSAGES ? "messages" : "packets");
    if (w.participants)
        json_object_set_new(o, "participants", count(w.participants));
    if (w.count)
        json_object_set_new(o, "count", count(w.count));
    if (w.bytes[0])
        json_object_set_new(
            o, "bytes", strchr(w.bytes, ',') ? json_string(w.bytes) : json_integer(atoll(w.bytes)));
    json_object_set_new(o, "definition", utf8_json(w.definition));
    return o;
}

/* A share of each VC, by its place in struct run_vc. */
static json_t *vcs_json(const struct run_result *r, size_t member)
{
    json_t *o = json_object();
    for (unsigned v = 0; v < r->vcs; v++) {
        const double *share = (const double *)((const char *)&r->vc[v] + member);
        json_object_set_new(o, r->vc[v].name, json_real(*share));
    }
    return o;
}

/* The first links whose CRCs differ at their ends, or those that gave up. */
static json_t *verdicts_json(const struct run_result *r, bool differs)
{
    if (!r->link_protocol)
        return NULL;
    json_t *names = json_array();
    for (uint32_t i = 0; i < r->link_report.named; i++)
        if (r->link_report.first[i].differs == differs)
            json_array_append_new(names, json_string(r->link_report.first[i].name));
    return names;
}

/* On larger machines checksums would be longer than the rest of the result. */
enum { CHECKSUM_NODES = 512 };

/* One checksum per injection FIFO of every node. */
static json_t *checksums_json(const struct run_result *r)
{
    const struct link_report *l = &r->link_report;
    if (!r->link_protocol || !l->checksum || l->checksum_nodes > CHECKSUM_NODES)
        return NULL;
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

/* Units that were out of service for a time. */
static json_t *swaps_json(const struct run_result *r)
{
    json_t *swaps = r->swaps ? json_array() : NULL;
    for (uint32_t i = 0; i < r->swaps; i++) {
        const struct run_swap *s = &r->swap[i];
        json_t *o = json_pack("{s:s, s:b, s:o}", "unit", s->unit, "fails", s->fails, "from",
                              count(s->from));
        if (s->to != CYCLE_NEVER)
            json_object_set_new(o, "to", count(s->to));
        if (run_swap_is_empty(r, s))
            json_object_set_new(o, "empty", count(s->emptied));
        json_object_set_new(o, "passed", count(s->passed));
        json_object_set_new(o, "detoured", count(s->detoured));
        json_object_set_new(o, "withheld", count(s->withheld));
        json_object_set_new(o, "lost", count(s->lost));
        json_array_append_new(swaps, o);
    }
    return swaps;
}

/* Units that were out at some time of a row. */
static uint64_t units_out(const struct run_result *r, cycle_t start)
{
    uint64_t out = 0;
    for (uint32_t i = 0; i < r->swaps; i++)
        out += r->swap[i].from < start + r->measure.interval && r->swap[i].to > start;
    return out;
}

static json_t *row_json(const struct config *c, const struct run_result *r, size_t index)
{
    const struct measure_row *row = &r->measure.row[index];
    double cycles = (double)r->measure.interval, links = 0, busy = 0;
    json_t *ports = json_object(), *vcs = json_object(), *filled = json_object();
    for (unsigned port = 0; port < MEASURE_PORTS; port++) {
        double n = (double)r->links_by_port[port];
        links += n;
        busy += (double)row->busy[port];
        if (n > 0)
            json_object_set_new(ports, r->port_name[port],
                                json_real((double)row->busy[port] / (n * cycles)));
    }
    for (unsigned v = 0; v < r->vcs; v++) {
        json_object_set_new(vcs, r->vc[v].name, count(row->hops[v]));
        json_object_set_new(filled, r->vc[v].name, count(row->occupied[v]));
    }
    double seconds = cycles / machine_facts(c).cycles_per_second;
    json_t *o =
        json_pack("{s:o, s:o, s:f, s:f, s:o, s:o, s:o}", "cycle",
                  count(index * r->measure.interval), "packets_delivered", count(row->delivered),
                  "payload_bytes_per_second", (double)row->payload_bytes / seconds,
                  "link_utilisation", links > 0 ? busy / (links * cycles) : 0.0,
                  "link_utilisation_by_direction", ports, "hops_by_vc", vcs, "vc_chunks", filled);
    if (r->swaps)
        json_object_set_new(o, "units_out", count(units_out(r, index * r->measure.interval)));
    if (row->acks)
        json_object_set_new(o, "unblocking_probability",
                            json_real((double)row->unblocking / (double)row->acks));
    return o;
}

static json_t *timeline_json(const struct config *c, const struct run_result *r)
{
    if (!r->measure.interval)
        return NULL;
    json_t *timeline = json_array();
    for (size_t i = 0; i < r->measure.rows; i++)
        json_array_append_new(timeline, row_json(c, r, i));
    return timeline;
}

/* By their names in the table of figures; NULL is left out. What has no entry is a part of the one
 * before. */
static json_t *sections_json(const struct config *c, const struct run_result *r)
{
    const struct run_params *run = config_section(c, &run_section);
    bool unavailable = r->vcs && r->vc[0].unavailable_share >= 0;
    char digest[24];
    snprintf(digest, sizeof(digest), "%016llx", (unsigned long long)r->measure.digest);
    json_t *config = json_object();
    put(config, "machine.name", utf8_json(c->machine));
    for (size_t i = 0; i < c->entries; i++)
        put(config, c->entry[i].key->name, key_value(c, i));
    const struct {
        const char *name;
        json_t *json;
    } sections[] = {
        {"version", json_string(WEFT_VERSION)},
        {"seed", count(run->seed)},
        {"digest", json_string(digest)},
        {"work", work_json(c)},
        {"deadlock", r->deadlock ? json_string(r->deadlock_text) : NULL},
        {"steady", r->judged ? json_boolean(r->steady) : NULL},
        {"settled", r->searched ? json_boolean(r->settled) : NULL},
        {"drained", r->cut_off ? json_false() : NULL},
        {"jobs", jobs_json(r)},
        {"parts", workload_parts_json(r)},
        {"part_of_node", workload_part_of_node_json(r)},
        {"mpi", r->mpi.ranks ? mpi_json(&r->mpi) : NULL},
        {"response_cycles.histogram", histogram_json(r)},
        {"link_utilisation_by_direction", ports_json(r)},
        {"vc_share", vcs_json(r, offsetof(struct run_vc, share))},
        {"vc_occupancy", vcs_json(r, offsetof(struct run_vc, occupancy))},
        {"vc_unavailable_share",
         unavailable ? vcs_json(r, offsetof(struct run_vc, unavailable_share)) : NULL},
        {"link_protocol.differing", verdicts_json(r, true)},
        {"link_protocol.links_given_up", verdicts_json(r, false)},
        {"link_protocol.injection_checksums", checksums_json(r)},
        {"swaps", swaps_json(r)},
        {"each_link", links_json(c, r)},
        {"each_node", nodes_json(c, r)},
        {"timeline", timeline_json(c, r)},
        {"config", config},
    };
    json_t *all = json_object();
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
        if (sections[i].json)
            json_object_set_new(all, sections[i].name, sections[i].json);
    return all;
}

/* ---- numbers ---- */

/* Figures in the order in which they were measured. Those of a program are the run's, but none
 * replaces one of Weft's. */
static void put_added(json_t *o, const struct run_result *r)
{
    for (uint32_t i = 0; i < r->figures; i++)
        json_object_set_new(o, r->figure[i].name, json_real(r->figure[i].value));
    for (unsigned i = 0; i < r->mpi.figures; i++)
        if (!json_object_get(o, r->mpi.figure[i].name))
            json_object_set_new(o, r->mpi.figure[i].name, json_real(r->mpi.figure[i].value));
}

/* ---- the whole ---- */

char *result_json(const struct config *c, const struct run_result *r)
{
    json_t *o = json_object(), *sections = sections_json(c, r);
    bool added = false;
    for (const struct result_figure *f = figures; f < figures + figure_count; f++) {
        double value;
        json_t *section = json_object_get(sections, f->name);
        if (figure_is_stored(f) && figure_value(f, r, &value))
            put(o, f->name, figure_is_count(f) ? count(figure_counted(f, r)) : json_real(value));
        else if (f->form == FIGURE_SECTION && section)
            put(o, f->name, json_incref(section));
        if (f->form == FIGURE_ADDED && !added)
            put_added(o, r);
        added |= f->form == FIGURE_ADDED;
    }
    char *text = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(sections);
    json_decref(o);
    return text;
}
