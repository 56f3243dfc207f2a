/* Ping-pong, of packets or between two processes: a message there, and one as long back. */
#include <stdio.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "workload/patterns/patterns.h"

struct pingpong_params {
    uint32_t hops; /* between ping and pong */
};

static const struct key rows[] = {
    {"workload.hops", KEY_U32, offsetof(struct pingpong_params, hops), "", "1", 0, KEY_U32_TOP,
     .help = "pingpong: distance", .before = "workload.processes_per_node"},
};

static const struct key_section section = {sizeof(struct pingpong_params)};
static const struct key_table keys = {rows, sizeof(rows) / sizeof(rows[0]), &section};

/* Of packets. */
struct pingpong {
    uint32_t packets;    /* of a message */
    uint32_t ping, pong; /* nodes */
    uint32_t arrived[2]; /* packets of the current message at ping, pong */
    cycle_t arrived_last[2];
};

static uint32_t hops_of(const struct config *c)
{
    return ((const struct pingpong_params *)config_section(c, &section))->hops;
}

/* An answer is made in one piece when the ball has arrived, so its length is limited. */
enum { PINGPONG_MAX_PACKETS = 1000000 };

/* Packet `index` of the message from one end to the other. */
static void ball(const struct workload *w, uint32_t from, uint32_t sequence, uint32_t index,
                 struct step *step)
{
    const struct pingpong *p = w->state;
    *step = (struct step){.to = from == p->ping ? p->pong : p->ping,
                          .bytes = workload_message_packet(w, w->params.message_bytes, index)};
    workload_dress(w, from, sequence, step);
}

static bool pingpong_step(void *ctx, uint32_t node, uint32_t sequence, struct step *step)
{
    const struct workload *w = ctx;
    const struct pingpong *p = w->state;
    if (node != p->ping || node == p->pong || sequence >= p->packets || !w->params.messages)
        return false;
    ball(w, node, sequence, sequence, step);
    return true;
}

/* Sends the message back once it is whole, unless the game is over. Each end owns its counters. */
static void pingpong_received(void *ctx, struct replies *replies, const struct receipt *receipt,
                              cycle_t when)
{
    const struct workload *w = ctx;
    struct pingpong *p = w->state;
    int end = receipt->node == p->pong;
    if (p->arrived_last[end] < when)
        p->arrived_last[end] = when;
    uint32_t count = ++p->arrived[end];
    if (count % p->packets)
        return;
    if (end == 0 && count / p->packets == w->params.messages)
        return;
    for (uint32_t i = 0; i < p->packets; i++) {
        struct step step;
        ball(w, receipt->node, count + i, i, &step);
        replies->send(replies, &step, p->arrived_last[end]);
    }
}

static bool is_dead(const struct site *site, uint32_t node)
{
    return site->dead && site->dead[node];
}

/* The first living node from an endpoint on that is so far from another one, if that is not NOBODY.
 * NOBODY: there is none. */
static uint32_t find_living(const struct site *site, uint32_t endpoint, uint32_t from,
                            uint32_t hops)
{
    for (; endpoint < site->endpoints; endpoint++) {
        uint32_t node = site_node(site, endpoint);
        if (!is_dead(site, node) && node != from &&
            (from == NOBODY || site->distance(site, from, node) == hops))
            return node;
    }
    return NOBODY;
}

/* "1 to 6"; of nodes here and there, those that exist: "2, 5 or 6". */
static void list_distances(const struct workload *w, uint32_t from, uint32_t diameter, char *text,
                           size_t size)
{
    size_t at = 0;
    bool all = true;
    text[0] = '\0';
    for (uint32_t hops = 1; hops <= diameter && at < size; hops++) {
        bool there = find_living(w->site, 0, from, hops) != NOBODY;
        all &= there;
        if (there)
            at = text_append(text, size, at, "%s%u",
                             !at                ? ""
                             : hops == diameter ? " or "
                                                : ", ",
                             hops);
    }
    if (all && diameter > 1)
        snprintf(text, size, "1 to %u", diameter);
}

/* There is nobody to play with. */
static weft_status refuse_alone(const struct workload *w)
{
    const char *within =
        w->as == LAYER_MESSAGES ? ", or two processes per node and workload.hops = 0" : "";
    if (w->site->endpoints > 1)
        return BAD_INPUT("machine.dead_nodes",
                         ("a ping-pong needs two nodes, and all but one are dead"),
                         ("use fewer dead nodes%s", within));
    return BAD_INPUT("workload.pattern", ("a ping-pong needs two nodes, and there is one"),
                     ("use a larger %s%s", w->site->part ? "part" : "machine", within));
}

/* Nobody is that many hops away. */
static weft_status refuse_hops(const struct workload *w, uint32_t from, uint32_t asked)
{
    if (w->site->living < 2)
        return refuse_alone(w);
    uint32_t diameter = w->site->diameter(w->site);
    if (!diameter)
        return BAD_INPUT("workload.pattern",
                         ("a ping-pong needs links between nodes, and all are at one switch"),
                         ("use -w pairs -s workload.list=0-1 -s workload.exchange=turns"));
    char distances[128];
    list_distances(w, from, diameter, distances, sizeof(distances));
    if (w->as == LAYER_MESSAGES && !asked) /* packets have no way within a node */
        return BAD_INPUT("workload.hops workload.processes_per_node",
                         ("workload.hops = 0 is within a node, which has one process"),
                         ("use workload.processes_per_node above 1, or %s", distances));
    return BAD_INPUT("workload.hops",
                     ("workload.hops = %u: no node is that far from the first", asked),
                     ("use %s", distances));
}

/* Along the first dimensions first. NOBODY: no node is that far from the first. */
static uint32_t walk_hops(const struct torus *t, uint32_t hops)
{
    uint32_t c[TORUS_MAX_DIMS] = {0};
    for (unsigned d = 0; d < t->dims; d++) {
        uint32_t most = t->wrap[d] ? t->size[d] / 2 : t->size[d] - 1;
        c[d] = hops < most ? hops : most;
        hops -= c[d];
    }
    return hops ? NOBODY : torus_node(t, c);
}

/* Finds the other end at the distance asked for: without coordinates, and if an end would be dead,
 * the first such node. */
static weft_status find_pong(const struct workload *w, struct pingpong *p)
{
    const struct site *site = w->site;
    uint32_t hops = hops_of(w->config), first = site_node(site, 0);
    p->ping = find_living(site, 0, NOBODY, 0);
    p->pong = site->torus && hops && p->ping == first ? walk_hops(site->torus, hops) : NOBODY;
    if (p->pong == NOBODY || is_dead(site, p->pong))
        p->pong = find_living(site, 1, p->ping, hops);
    return p->pong == NOBODY ? refuse_hops(w, p->ping, hops) : WEFT_OK;
}

static weft_status pingpong_packets(struct workload *w)
{
    struct pingpong *p = w->state = memory_alloc(1, sizeof(*p));
    TRY(find_pong(w, p));
    uint64_t packets = workload_message_packets(w, w->params.message_bytes);
    if (packets > PINGPONG_MAX_PACKETS)
        return BAD_INPUT("workload.message_bytes",
                         ("workload.message_bytes = %llu is too long for a ping-pong",
                          (unsigned long long)w->params.message_bytes),
                         ("use at most %llu",
                          (unsigned long long)PINGPONG_MAX_PACKETS * w->site->packet_payload));
    p->packets = (uint32_t)packets;
    w->program.step = pingpong_step;
    w->program.received = pingpong_received;
    w->senders = p->ping != p->pong ? 2 : 0;
    w->deliveries = w->senders * (uint64_t)p->packets * w->params.messages;
    return workload_check_sequence((double)p->packets * w->params.messages);
}

static void archive(struct workload *w, struct archive *a)
{
    struct pingpong *p = w->state;
    if (w->as != LAYER_PACKETS)
        return;
    archive_bytes(a, p->arrived, sizeof(p->arrived));
    archive_bytes(a, p->arrived_last, sizeof(p->arrived_last));
}

static uint32_t node_of(const struct workload *w, uint32_t process)
{
    return w->mapping.processor[process] / w->per_node;
}

static weft_status pingpong_messages(struct workload *w)
{
    const struct site *site = w->site;
    uint32_t hops = hops_of(w->config);
    TRY(pairs_check_tree(w));
    if (w->params.processes || !w->params.messages)
        return BAD_INPUT("workload.processes workload.messages",
                         ("a pingpong has two processes and must end"),
                         ("use workload.processes = 0 and workload.messages above 0"));
    for (uint32_t i = 1; i < w->processes; i++)
        if (site->distance(site, node_of(w, 0), node_of(w, i)) == hops) {
            pairs_play(w, 0, i);
            return WEFT_OK;
        }
    return refuse_hops(w, node_of(w, 0), hops);
}

/* ", 240 B over 1 hop" */
static bool describe(const struct config *c, enum layer as, char text[CONFIG_TEXT])
{
    uint32_t hops = hops_of(c);
    (void)as;
    snprintf(text, CONFIG_TEXT, ", %llu B over %u hop%s",
             (unsigned long long)config_workload(c)->message_bytes, hops, hops == 1 ? "" : "s");
    return true;
}

const struct pattern pingpong_pattern = {.name = "pingpong",
                                         .packets = pingpong_packets,
                                         .packet_keys = "message_bytes messages hops",
                                         .messages = pingpong_messages,
                                         .message_keys = MESSAGE_KEYS "hops algorithm",
                                         .algorithms = "tree",
                                         .keys = &keys,
                                         .archive = archive,
                                         .packet_work = "ping-pong of two nodes (hops: {hops}): "
                                                        "{what} there and back",
                                         .message_work = "ping-pong of two processes (hops: "
                                                         "{hops}): {what} there and back",
                                         .describe = describe};
