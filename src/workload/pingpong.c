/* Ping-pong of packets: a message there, and one of the same length back. */
#include <stdio.h>

#include "base/text/text.h"
#include "workload/workload.h"

/* An answer is made in one piece when the ball has arrived, so its length is limited. */
enum { PINGPONG_MAX_PACKETS = 1000000 };

/* Packet `index` of the message from one end to the other. */
static void ball(const struct workload *w, uint32_t from, uint32_t sequence, uint32_t index,
                 struct step *step)
{
    *step = (struct step){.to = from == w->ping ? w->pong : w->ping,
                          .bytes = workload_message_packet(w, w->params.message_bytes, index)};
    workload_dress(w, from, sequence, step);
}

static bool pingpong_step(void *ctx, uint32_t node, uint32_t sequence, struct step *step)
{
    const struct workload *w = ctx;
    if (node != w->ping || node == w->pong || sequence >= w->message_packets || !w->params.messages)
        return false;
    ball(w, node, sequence, sequence, step);
    return true;
}

/* Sends the message back once it is whole, unless the game is over. Each end owns its counters. */
static void pingpong_received(void *ctx, struct replies *replies, const struct receipt *receipt,
                              cycle_t when)
{
    struct workload *w = ctx;
    int end = receipt->node == w->pong;
    if (w->arrived_last[end] < when)
        w->arrived_last[end] = when;
    uint32_t count = ++w->arrived[end];
    if (count % w->message_packets)
        return;
    if (end == 0 && count / w->message_packets == w->params.messages)
        return;
    for (uint32_t i = 0; i < w->message_packets; i++) {
        struct step step;
        ball(w, receipt->node, count + i, i, &step);
        replies->send(replies, &step, w->arrived_last[end]);
    }
}

/* Within a node, messages need two processes; packets have no way. */
static weft_status refuse_inside(uint32_t diameter)
{
    return BAD_INPUT("workload.hops workload.processes_per_node",
                     ("workload.hops = 0 is within a node, which has one process"),
                     ("use workload.processes_per_node above 1, or 1 to %u", diameter));
}

/* "1 to 6"; of nodes here and there, those that exist: "2, 5 or 6". */
static void list_distances(const struct workload *w, uint32_t diameter, char *text, size_t size)
{
    const struct site *site = w->site;
    size_t at = 0;
    text[0] = '\0';
    if (!site->part || site->torus) {
        snprintf(text, size, "1 to %u", diameter);
        return;
    }
    for (uint32_t hops = 1; hops <= diameter && at < size; hops++)
        for (uint32_t place = 1; place < site->places; place++)
            if (site->distance(site, 0, place) == hops) {
                at = text_append(text, size, at, "%s%u",
                                 !at                ? ""
                                 : hops == diameter ? " or "
                                                    : ", ",
                                 hops);
                break;
            }
}

weft_status pingpong_refuse(const struct workload *w)
{
    uint32_t diameter = w->site->places > 1 ? w->site->diameter(w->site) : 0;
    bool messages = w->as == LAYER_MESSAGES;
    if (messages && !w->params.hops && diameter)
        return refuse_inside(diameter);
    if (!diameter && w->site->places > 1)
        return BAD_INPUT("workload.pattern",
                         ("a ping-pong needs links between nodes, and all are at one switch"),
                         ("use -w pairs -s workload.list=0-1 -s workload.exchange=turns"));
    if (!diameter)
        return BAD_INPUT("workload.pattern", ("a ping-pong needs two nodes, and there is one"),
                         ("use a larger %s%s", w->site->part ? "part" : "machine",
                          messages ? ", or two processes per node and workload.hops = 0" : ""));
    char distances[128];
    list_distances(w, diameter, distances, sizeof(distances));
    return BAD_INPUT("workload.hops",
                     ("workload.hops = %u: no node is that far from the first", w->params.hops),
                     ("use %s", distances));
}

/* Finds the other end at the distance asked for: along the first dimensions first or, without
 * coordinates, the first such node. */
static weft_status find_pong(struct workload *w)
{
    const struct torus *t = w->site->torus;
    uint32_t c[TORUS_MAX_DIMS] = {0}, left = w->params.hops;
    w->ping = w->pong = workload_node(w, 0);
    for (unsigned d = 0; t && d < t->dims; d++) {
        uint32_t most = t->wrap[d] ? t->size[d] / 2 : t->size[d] - 1;
        c[d] = left < most ? left : most;
        left -= c[d];
    }
    if (t && w->params.hops && !left) {
        w->pong = torus_node(t, c);
        return WEFT_OK;
    }
    for (uint32_t place = 1; !t && place < w->site->places; place++)
        if (w->site->distance(w->site, w->ping, workload_node(w, place)) == w->params.hops) {
            w->pong = workload_node(w, place);
            return WEFT_OK;
        }
    return pingpong_refuse(w);
}

weft_status pingpong_packets(struct workload *w)
{
    TRY(find_pong(w));
    uint64_t packets = workload_message_packets(w, w->params.message_bytes);
    if (packets > PINGPONG_MAX_PACKETS)
        return BAD_INPUT("workload.message_bytes",
                         ("workload.message_bytes = %llu is too long for a ping-pong",
                          (unsigned long long)w->params.message_bytes),
                         ("use at most %llu",
                          (unsigned long long)PINGPONG_MAX_PACKETS * w->site->packet_payload));
    w->message_packets = (uint32_t)packets;
    w->program.step = pingpong_step;
    w->program.received = pingpong_received;
    w->senders = w->ping != w->pong ? 2 : 0;
    w->deliveries = w->senders * (uint64_t)w->message_packets * w->params.messages;
    return workload_check_sequence((double)w->message_packets * w->params.messages);
}
