/* What all workloads share: endpoints, packet sizes, life cycle. */
#include "workload/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/memory.h"
#include "base/random.h"
#include "topology/graph/graph.h"

/* ---- endpoints ---- */

/* Nodes at endpoints are in ascending order: a binary search finds them. */
uint32_t site_endpoint(const struct site *site, uint32_t node)
{
    uint32_t low = 0, high = site->endpoints - 1;
    if (!site->node_at)
        return node;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (site->node_at[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t site_neighbour(const struct site *site, uint32_t node, uint32_t turn, struct step *step)
{
    uint8_t found[GRAPH_MAX_PORTS], count = 0;
    for (unsigned port = 0; port < site->ports; port++)
        if (site->behind(site, node, port) != NOBODY)
            found[count++] = (uint8_t)port;
    if (!count)
        return 0;
    uint8_t port = found[turn % count];
    step->to = site->behind(site, node, port);
    if (site->picks_port)
        step->way = (struct step_way){true, port, 1};
    return count;
}

/* ---- packets ---- */

uint64_t workload_message_packets(const struct workload *w, uint64_t payload)
{
    uint64_t full = w->site->packet_payload;
    return payload ? (payload + full - 1) / full : 1;
}

uint64_t workload_message_packet(const struct workload *w, uint64_t payload, uint32_t index)
{
    uint64_t full = w->site->packet_payload, left = payload - full * index;
    return left < full ? left : full;
}

void workload_dress(const struct workload *w, uint32_t node, uint32_t sequence, struct step *step)
{
    const struct workload_params *p = &w->params;
    if (step->bytes == BYTES_DRAWN) {
        uint32_t pick = 0;
        if (p->packet_bytes.count > 1)
            pick = random_below(random_draw(random_key(w->seed, node, RANDOM_SIZE), sequence),
                                p->packet_bytes.count);
        step->bytes = p->packet_bytes.value[pick] - w->site->packet_header;
    }
    bool high = false, dynamic = p->dynamic_share >= 1;
    if ((p->high_share > 0 && !w->open) || (p->dynamic_share > 0 && p->dynamic_share < 1)) {
        uint64_t draw = random_draw(random_key(w->seed, node, RANDOM_CLASS), sequence);
        dynamic = (double)(draw >> 40) < p->dynamic_share * (1 << 24);
        high = !w->open && (double)(draw & 0xffffff) < p->high_share * (1 << 24);
    }
    if (high)
        step->flags |= STEP_HIGH;
    else if (dynamic)
        step->flags |= STEP_ADAPTIVE;
    /* One core has the plus directions, the other the minus ones (TORUS, "Line and plane fill");
     * packets whose direction is not chosen by the program go to both in turn. */
    if (p->groups == 2 && ((step->way.chosen ? step->way.port : sequence) & 1))
        step->flags |= STEP_SECOND;
}

double workload_mean_bytes(const struct workload *w)
{
    const struct byte_list *sizes = &w->params.packet_bytes;
    double bytes = 0;
    for (uint32_t i = 0; i < sizes->count; i++)
        bytes += (double)sizes->value[i] / sizes->count;
    return bytes;
}

weft_status workload_complete_sizes(struct workload_params *p, const struct packet_sizes *sizes)
{
    char keys[128], header_keys[128];
    if (!p->packet_bytes.count)
        p->packet_bytes = (struct byte_list){1, {sizes->most}};
    snprintf(keys, sizeof(keys), "workload.packet_bytes %s", sizes->most_key);
    snprintf(header_keys, sizeof(header_keys), "workload.packet_bytes %s",
             sizes->header_key ? sizes->header_key : "");
    for (uint32_t i = 0; i < p->packet_bytes.count; i++) {
        uint32_t bytes = p->packet_bytes.value[i];
        if (sizes->step > 1 && (bytes % sizes->step || !bytes || bytes > sizes->most))
            return BAD_INPUT("workload.packet_bytes",
                             ("workload.packet_bytes = %u is not a packet size", bytes),
                             ("use a multiple of %u from %u to %u, or several joined by commas",
                              sizes->step, sizes->step, sizes->most));
        if (bytes > sizes->most)
            return BAD_INPUT(keys,
                             ("workload.packet_bytes = %u: a packet holds %u (%s)", bytes,
                              sizes->most, sizes->most_key),
                             ("use at most %u", sizes->most));
        if (sizes->header_key && bytes <= sizes->header)
            return BAD_INPUT(header_keys,
                             ("workload.packet_bytes = %u leaves no room after a header of %u",
                              bytes, sizes->header),
                             ("use larger packets"));
    }
    return WEFT_OK;
}

const char *workload_sizes_text(const struct workload_params *p, char text[SIZES_TEXT])
{
    const struct byte_list *sizes = &p->packet_bytes;
    text[0] = '\0';
    for (uint32_t i = 0; i < sizes->count; i++)
        snprintf(text + strlen(text), SIZES_TEXT - strlen(text), "%s%u",
                 i == 0                 ? ""
                 : i + 1 < sizes->count ? ", "
                                        : " or ",
                 sizes->value[i]);
    return text;
}

weft_status workload_check_sequence(double packets)
{
    if (packets > INT32_MAX)
        return BAD_INPUT("workload.packets_per_pair workload.bytes_per_pair workload.message_bytes",
                         ("a node would send %.3g packets", packets),
                         ("use fewer workload.packets_per_pair, workload.bytes_per_pair or "
                          "workload.message_bytes, for at most 2 billion"));
    return WEFT_OK;
}

/* ---- life cycle ---- */

weft_status workload_layer(const struct config *c, enum layer usual, enum layer *as)
{
    const struct workload_params *p = config_workload(c);
    const struct pattern *pattern = p->pattern;
    if (pattern->layer)
        return pattern->layer(c, usual, as);
    enum layer only = !pattern->messages  ? LAYER_PACKETS
                      : !pattern->packets ? LAYER_MESSAGES
                                          : LAYER_AUTO;
    usual = pattern->usual != LAYER_AUTO ? pattern->usual : usual;
    *as = p->as != LAYER_AUTO ? p->as : only != LAYER_AUTO ? only : usual;
    if (only != LAYER_AUTO && *as != only)
        return BAD_INPUT("workload.as workload.pattern",
                         ("workload.pattern = %s is only for %s", pattern->name,
                          only == LAYER_PACKETS ? "packets" : "messages"),
                         ("use workload.as = auto"));
    return WEFT_OK;
}

/* "XYZT" on a torus, the first letter fastest; elsewhere node by node. */
static weft_status map_processes(struct workload *w)
{
    const struct site *site = w->site;
    const char *text = w->params.mapping;
    struct mapping_options o = {.dims = 1,
                                .size = {site->nodes},
                                .letters = "N",
                                .per_node = w->per_node,
                                .dead = site->dead,
                                .key = "workload.mapping",
                                .processes = w->processes};
    char letters[TORUS_MAX_DIMS + 1] = "", order[TORUS_MAX_DIMS + 2] = "TN";
    if (site->torus) {
        o.dims = site->torus->dims;
        memcpy(o.size, site->torus->size, sizeof(o.size));
        snprintf(letters, sizeof(letters), "%.*s", (int)o.dims, "XYZUVW");
        snprintf(order, sizeof(order), "%sT", letters);
        o.letters = letters;
    }
    return mapping_create(&o, strcmp(text, "auto") == 0 ? order : text, &w->mapping);
}

static uint32_t process_hops(const void *ctx, uint32_t from, uint32_t to)
{
    const struct workload *w = ctx;
    const uint32_t *processor = w->mapping.processor;
    uint32_t a = processor[from] / w->per_node, b = processor[to] / w->per_node;
    return a == b ? 0 : w->site->distance(w->site, a, b);
}

weft_status workload_order_processes(struct workload *w)
{
    return order_init(&w->order, w->params.order, w->processes, w->seed, process_hops, w);
}

uint64_t workload_map_hash(const struct workload_params *p)
{
    return strcmp(p->mapping, "auto") != 0 ? input_hash(p->mapping) : 0;
}

uint64_t workload_files(const struct config *c)
{
    const struct workload_params *p = config_workload(c);
    return workload_map_hash(p) ^ (p->file[0] ? input_hash(p->file) : 0);
}

uint64_t workload_fingerprint(const struct config *c)
{
    const struct pattern *p = config_workload(c)->pattern;
    return (p->fingerprint ? p->fingerprint : workload_files)(c);
}

bool workload_writes(const struct config *c, const char *path)
{
    const struct pattern *p = config_workload(c)->pattern;
    return p->writes && p->writes(c, path);
}

void workload_own(const struct workload *w, const struct key_section *section, void *values)
{
    const void *own = config_section(w->config, section);
    if (own)
        memcpy(values, own, section->size);
    else
        memset(values, 0, section->size);
}

static void set_group(struct workload *w)
{
    w->group = memory_alloc(1, sizeof(*w->group));
    w->groups = 1;
    *w->group = (struct task_group){.program = w->task,
                                    .own = w->own,
                                    .processes = w->processes,
                                    .mapping = &w->mapping,
                                    .order = &w->order,
                                    .per_node = w->per_node,
                                    .torus = w->site->torus,
                                    .part = w->site->part};
}

static weft_status setup_processes(struct workload *w)
{
    const struct workload_params *p = &w->params;
    uint32_t asked = p->processes;
    w->per_node = workload_per_node(p, w->site->processors, w->site->tasks);
    uint32_t all = w->site->living * w->per_node;
    if (w->per_node > w->site->processors)
        return BAD_INPUT("workload.processes_per_node",
                         ("workload.processes_per_node = %u: a node has %u processor%s",
                          w->per_node, w->site->processors, w->site->processors == 1 ? "" : "s"),
                         ("use at most that many"));
    if (w->per_node < w->site->tasks)
        return BAD_INPUT("workload.processes_per_node machine.node.mode",
                         ("workload.processes_per_node = %u: here each node has %u processes",
                          w->per_node, w->site->tasks),
                         ("use another machine.node.mode"));
    if (w->pattern->count)
        TRY(w->pattern->count(w, &asked));
    if (asked > all)
        return BAD_INPUT("workload.processes workload.processes_per_node",
                         ("workload.processes = %u: %u nodes with %u each make %u", asked,
                          w->site->living, w->per_node, all),
                         ("use at most that many, or more workload.processes_per_node"));
    if (p->message_bytes > UINT32_MAX)
        return BAD_INPUT("workload.message_bytes", ("workload.message_bytes is too large"),
                         ("use at most %u", UINT32_MAX));
    w->processes = asked ? asked : all;
    w->open = !p->messages;
    w->program.stop_at = w->open ? workload_warmup(p) + p->cycles : CYCLE_NEVER;
    TRY(workload_check_algorithm(p));
    TRY(map_processes(w));
    TRY(w->pattern->messages(w));
    if (w->task.main || w->own.make)
        set_group(w);
    return WEFT_OK;
}

/* The smallest packet, header included; it may be the last one. */
static double least_bytes(const struct workload *w)
{
    const struct byte_list *sizes = &w->params.packet_bytes;
    uint64_t least = UINT32_MAX;
    for (uint32_t i = 0; i < sizes->count; i++)
        least = sizes->value[i] < least ? sizes->value[i] : least;
    return (double)(w->least_bytes ? w->least_bytes : least);
}

static weft_status setup(struct workload *w)
{
    TRY(workload_layer(w->config, w->site->usual, &w->as));
    if (w->pattern->kind == PATTERN_PARTS)
        return w->pattern->packets(w);
    if (!w->site->living)
        return BAD_INPUT("machine.dead_nodes", ("all nodes are dead"), ("leave some alive"));
    if (w->as == LAYER_MESSAGES)
        return setup_processes(w);
    w->open = w->pattern->kind == PATTERN_OPEN;
    weft_status status = w->pattern->packets(w);
    /* The run ends with the last byte, and so does its bound. */
    double tail = w->site->tail ? w->site->tail(w->site, least_bytes(w)) : 0;
    if (w->bound_cycles > tail)
        w->bound_cycles -= tail;
    return status;
}

weft_status workload_create(const struct config *c, const struct site *site, uint64_t seed,
                            struct workload **workload)
{
    struct workload *w = memory_alloc(1, sizeof(*w));
    *w = (struct workload){.params = *config_workload(c), .config = c, .site = site, .seed = seed};
    w->pattern = w->params.pattern;
    w->program = (struct program){.ctx = w, .stop_at = CYCLE_NEVER};
    weft_status status = setup(w);
    w->config = NULL;
    if (status != WEFT_OK) {
        workload_destroy(w);
        return status;
    }
    *workload = w;
    return WEFT_OK;
}

void workload_destroy(struct workload *w)
{
    if (!w)
        return;
    if (w->state && w->pattern->fini)
        w->pattern->fini(w);
    mapping_fini(&w->mapping);
    order_fini(&w->order);
    free(w->group);
    free(w->state);
    free(w);
}

bool workload_has_programs(const struct workload *w)
{
    for (uint32_t i = 0; i < w->groups; i++)
        if (w->group[i].program.main)
            return true;
    return false;
}

bool workload_stays(const struct workload *w)
{
    for (uint32_t i = 0; i < w->groups; i++)
        if (w->group[i].program.stays)
            return true;
    return false;
}

void workload_archive(struct workload *w, struct archive *a)
{
    if (w->pattern->archive)
        w->pattern->archive(w, a);
}
