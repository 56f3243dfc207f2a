/* Gathering what each link and node did. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "engine/ranks.h"
#include "machine/session_state.h"

/* Numbers of a timeline, at most: above that, rows of each link become longer, and those of each VC
 * are left out. */
#define TIMELINE_MOST ((size_t)32 << 20)

/* ---- links ---- */

/* The counters of one end of a link; NULL: there are none, or they are another rank's. */
static const struct detail *detail_of(const struct session *s, struct link_slot at)
{
    return at.partition == NO_PARTITION ? NULL : network_detail(s->model->network, at.partition);
}

static void add_link(struct run_links *l, const struct machine_link *link)
{
    l->from[l->count] = link->from;
    l->to[l->count] = link->to;
    l->direction[l->count] = link->direction;
    l->state[l->count] = (uint8_t)link->state;
    l->busy[l->count] = link->busy;
    l->count++;
}

/* Adds what this rank has of a link's VCs. */
static void add_vcs(const struct session *s, struct run_links *l, uint64_t index,
                    const struct machine_link *link)
{
    const struct detail *sender = detail_of(s, link->sender);
    const struct detail *receiver = detail_of(s, link->receiver);
    for (uint32_t vc = 0; vc < l->vcs; vc++) {
        size_t at = index * l->vcs + vc;
        if (sender) {
            const struct detail_flow *flow = detail_flow_at(sender, link->sender.slot, vc);
            l->vc_busy[at] = flow->busy;
            l->vc_packets[at] = flow->packets;
            l->vc_blocked[at] = flow->blocked;
        }
        if (receiver)
            l->vc_queued[at] = detail_flow_at(receiver, link->receiver.slot, vc)->queued;
    }
}

/* Cycles that a link, or a VC of it, was busy in an interval, as a byte: 0 only if it was idle. */
static uint8_t quantum(uint64_t busy, cycle_t interval)
{
    double share = (double)busy / (double)interval;
    return busy ? (uint8_t)(1 + 254 * (share < 1 ? share : 1)) : 0;
}

/* Cycles of a flow in some rows from one on. */
static uint64_t flow_busy(const struct detail *d, uint32_t slot, uint32_t flow, size_t from,
                          size_t rows)
{
    uint64_t sum = 0;
    for (size_t row = from; row < from + rows && row < d->rows; row++)
        sum += d->row[(row * d->slots + slot) * d->flows + flow];
    return sum;
}

/* One row, of `merged` measured ones: cycles by link and flow, of all ranks, to bytes. */
static void fill_row(const struct session *s, struct run_links *l, const struct link_slot *sender,
                     uint64_t *busy, size_t row, size_t merged)
{
    uint32_t flows = l->vcs + 1;
    for (uint64_t i = 0; i < l->count; i++) {
        const struct detail *d = detail_of(s, sender[i]);
        for (uint32_t flow = 0; flow < flows; flow++)
            busy[i * flows + flow] =
                d ? flow_busy(d, sender[i].slot, flow, row * merged, merged) : 0;
    }
    ranks_sum(busy, l->count * flows);
    for (uint64_t i = 0; i < l->count; i++) {
        uint64_t sum = 0;
        for (uint32_t flow = 0; flow < flows; flow++)
            sum += busy[i * flows + flow];
        l->timeline[row * l->count + i] = quantum(sum, l->row_cycles);
        for (uint32_t vc = 0; l->vc_timeline && vc < l->vcs; vc++)
            l->vc_timeline[(row * l->count + i) * l->vcs + vc] =
                quantum(busy[i * flows + vc], l->row_cycles);
    }
}

static void gather_rows(const struct session *s, struct run_links *l,
                        const struct link_slot *sender)
{
    const struct network *n = s->model->network;
    for (uint32_t i = n->engine.first; i < n->engine.end; i++)
        if (network_part(n, i)->detail.rows > l->rows)
            l->rows = network_part(n, i)->detail.rows;
    l->rows = ranks_max(l->rows);
    if (!l->rows || !l->count)
        return;
    size_t merged = (l->rows * l->count + TIMELINE_MOST - 1) / TIMELINE_MOST;
    l->rows = (l->rows + merged - 1) / merged;
    l->row_cycles = merged * n->plan.interval;
    uint64_t *busy = memory_alloc(l->count * (l->vcs + 1), sizeof(*busy));
    l->timeline = memory_alloc(l->rows * l->count, 1);
    if (merged == 1 && l->rows * l->count * l->vcs <= TIMELINE_MOST)
        l->vc_timeline = memory_alloc(l->rows * l->count * l->vcs, 1);
    for (size_t row = 0; row < l->rows; row++)
        fill_row(s, l, sender, busy, row, merged);
    free(busy);
}

static void make_room(struct run_links *l, bool detail)
{
    size_t most = (size_t)l->map.rows * l->map.ports, vcs = most * l->vcs;
    l->from = memory_alloc(most, sizeof(*l->from));
    l->to = memory_alloc(most, sizeof(*l->to));
    l->direction = memory_alloc(most, sizeof(*l->direction));
    l->state = memory_alloc(most, sizeof(*l->state));
    l->busy = memory_alloc(most, sizeof(*l->busy));
    if (!detail)
        return;
    l->vc_busy = memory_alloc(vcs, sizeof(*l->vc_busy));
    l->vc_packets = memory_alloc(vcs, sizeof(*l->vc_packets));
    l->vc_blocked = memory_alloc(vcs, sizeof(*l->vc_blocked));
    l->vc_queued = memory_alloc(vcs, sizeof(*l->vc_queued));
}

static struct run_links *gather_links(const struct session *s)
{
    bool detail = s->model->network->plan.detail;
    struct run_links *l = memory_alloc(1, sizeof(*l));
    struct machine_link link;
    s->family->map(s->model, &l->map);
    l->vcs = session_is_survey(s) || !l->map.vcs ? 1 : l->map.vcs;
    make_room(l, detail);
    struct link_slot *sender = /* of each link */
        memory_alloc((size_t)l->map.rows * l->map.ports, sizeof(*sender));
    for (uint32_t row = 0; row < l->map.rows; row++)
        for (uint32_t port = 0; port < l->map.ports; port++) {
            if (!s->family->link(s->model, row, port, &link))
                continue;
            sender[l->count] = link.sender;
            if (detail)
                add_vcs(s, l, l->count, &link);
            add_link(l, &link);
        }
    ranks_sum(l->busy, l->count);
    if (detail) {
        ranks_sum(l->vc_busy, l->count * l->vcs);
        ranks_sum(l->vc_packets, l->count * l->vcs);
        ranks_sum(l->vc_blocked, l->count * l->vcs);
        ranks_sum(l->vc_queued, l->count * l->vcs);
        gather_rows(s, l, sender);
    }
    free(sender);
    return l;
}

/* ---- ports and VCs ---- */

/* Links between switches or nodes, by direction; hosts' own are not counted. */
static void count_links(const struct run_links *l, struct run_result *r)
{
    uint32_t ports = l->map.directions - l->map.of_hosts;
    for (uint32_t port = 0; port < ports; port++)
        r->port_name[port] = l->map.direction[port];
    for (uint64_t i = 0; i < l->count; i++)
        if (l->state[i] != LINK_DEAD && l->direction[i] < ports)
            r->links_by_port[l->direction[i]]++;
}

static void gather_vcs(const struct links_map *map, struct run_result *r)
{
    double links = 0, span = (double)r->span;
    for (unsigned port = 0; port < MEASURE_PORTS; port++)
        links += (double)r->links_by_port[port];
    r->vcs = map->vcs;
    for (unsigned v = 0; v < map->vcs; v++) {
        double room = map->queues[v] > 0 ? map->queues[v] * span : links * span * map->queue[v];
        r->vc[v] = (struct run_vc){
            .name = map->vc_name[v],
            .share = run_ratio((double)r->measure.hops_by_vc[v], (double)r->measure.hops),
            .occupancy = run_ratio((double)r->measure.occupied[v], room),
            .unavailable_share = map->measures_room
                                     ? run_ratio((double)r->measure.unavailable[v], links * span)
                                     : -1};
    }
}

void session_gather_links(const struct session *s, struct run_result *r)
{
    r->links = gather_links(s);
    if (session_is_survey(s))
        return;
    count_links(r->links, r);
    run_result_links(r, r->links->map.bytes_per_cycle);
    gather_vcs(&r->links->map, r);
}

/* ---- nodes ---- */

static struct run_nodes *gather_nodes(const struct session *s)
{
    struct run_nodes *all = memory_alloc(1, sizeof(*all));
    const struct network *n = s->model->network;
    all->count = s->facts.nodes;
    all->node = memory_alloc(all->count, sizeof(*all->node));
    all->dead = memory_alloc(all->count, sizeof(*all->dead));
    for (uint32_t node = 0; node < all->count; node++) {
        struct nic_node at = model_locate(s->model, node);
        const struct detail *d = network_detail(n, at.partition);
        if (d)
            all->node[node] = d->node[at.local];
        all->dead[node] = s->model->site.dead && s->model->site.dead[node];
    }
    /* Counters that only one rank has are sums too. */
    ranks_sum((uint64_t *)all->node, all->count * sizeof(*all->node) / sizeof(uint64_t));
    return all;
}

/* ---- the summary ---- */

/* Least and most of some amounts, and what Jain's index needs. */
struct spread {
    double least, most, sum, squares, count;
};

static void spread_add(struct spread *s, double value)
{
    s->least = s->count ? fmin(s->least, value) : value;
    s->most = fmax(s->most, value);
    s->sum += value;
    s->squares += value * value;
    s->count++;
}

static void sum_up_links(const struct run_links *l, struct run_result *r)
{
    struct spread busy = {.count = 0};
    for (uint64_t i = 0; i < l->count; i++)
        if (l->state[i] != LINK_DEAD && l->direction[i] < l->map.directions - l->map.of_hosts)
            spread_add(&busy, run_ratio((double)l->busy[i], (double)r->span));
    if (!busy.count || !r->measure.hops)
        return;
    run_result_add(r, "busiest_link_utilisation", busy.most);
    run_result_add(r, "idlest_link_utilisation", busy.least);
    if (busy.sum > 0)
        run_result_add(r, "link_fairness", run_fairness(busy.sum, busy.squares, busy.count));
}

static void sum_up_nodes(const struct session *s, const struct run_nodes *n, struct run_result *r)
{
    struct spread received = {.count = 0}, response = {.count = 0};
    double per_second = s->facts.cycles_per_second;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct detail_node *node = &n->node[i];
        if (!n->dead[i])
            spread_add(&received,
                       run_ratio((double)node->received_bytes * per_second, (double)r->span));
        if (node->responses)
            spread_add(&response, (double)node->response / (double)node->responses);
    }
    if (received.sum <= 0)
        return;
    run_result_add(r, "least_received_bytes_per_node_second", received.least);
    run_result_add(r, "most_received_bytes_per_node_second", received.most);
    run_result_add(r, "received_fairness",
                   run_fairness(received.sum, received.squares, received.count));
    if (!response.count)
        return;
    run_result_add(r, "least_node_response_cycles", response.least);
    run_result_add(r, "most_node_response_cycles", response.most);
}

void session_sum_up_links(const struct session *s, struct run_result *r)
{
    sum_up_links(r->links, r);
    if (!s->model->network->plan.detail)
        return;
    r->nodes = gather_nodes(s);
    sum_up_nodes(s, r->nodes, r);
}
