/*
 * Closed workloads: all-to-all, hot spot, ping-pong, line and plane fill.
 *
 * Fills broadcast a message in colours, one for each direction, so that all links carry different
 * data (TORUS, "Line and plane fill"). A line: colour plus goes all the way round the ring in
 * direction plus, colour minus the other way. A plane with sides a and b: colour a+ is deposited
 * along a+ in the root's row; each node of the row turns the corner and deposits it along b+; the
 * root's own column is served from the row's far end, over the ring's closing link. The colours b+,
 * a-, b- do the same with a and b, plus and minus exchanged, and no two of them share a link.
 */
#include "workload/workload.h"

#include "base/random.h"
#include "topology/bound.h"

/* ---- all-to-all, and its kin the hot spot ---- */

/* The group's node number `index`, for the group in which `node` is. */
static uint32_t group_node(const struct workload *w, uint32_t node, uint32_t index)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(w->torus, node, c);
    for (unsigned d = 0; d < w->torus->dims; d++)
        if (w->group_dims >> d & 1) {
            c[d] = index % w->torus->size[d];
            index /= w->torus->size[d];
        }
    return torus_node(w->torus, c);
}

static uint32_t group_index(const struct workload *w, uint32_t node)
{
    uint32_t c[TORUS_MAX_DIMS], index = 0;
    torus_coordinates(w->torus, node, c);
    for (unsigned d = w->torus->dims; d-- > 0;)
        if (w->group_dims >> d & 1)
            index = index * w->torus->size[d] + c[d];
    return index;
}

/*
 * Rounds: in each, a visit of some packets to every destination, in an order drawn for node and
 * round. Splits a sequence number into the destination (of `count`), the packet of its pair and
 * the number of the visit, from 1.
 */
static uint32_t visit(const struct workload *w, uint32_t node, uint32_t count, uint32_t sequence,
                      uint32_t packets, uint32_t *packet, uint32_t *number)
{
    uint32_t stay = w->params.packets_per_visit < packets ? w->params.packets_per_visit : packets;
    uint32_t round = sequence / (stay * count), in_round = sequence % (stay * count);
    if ((round + 1) * stay > packets) { /* the last round is shorter */
        in_round = sequence - round * stay * count;
        uint32_t rest = packets - round * stay;
        *packet = round * stay + in_round % rest;
        in_round /= rest;
    } else {
        *packet = round * stay + in_round % stay;
        in_round /= stay;
    }
    uint64_t key = random_draw(random_key(w->seed, node, RANDOM_ORDER), round);
    *number = 1 + round * count + in_round;
    return random_permute(key, count, in_round);
}

/* The next packet of a node that sends to `count` destinations; false: it has sent all. */
static bool pair_packet(const struct workload *w, uint32_t node, uint32_t count, uint32_t sequence,
                        struct send *send, uint32_t *to)
{
    uint32_t packet, packets = w->pair_packets;
    if (count == 0 || packets == 0 || sequence / count >= packets)
        return false;
    *to = visit(w, node, count, sequence, packets, &packet, &send->message);
    if (w->params.bytes_per_pair)
        workload_message_packet(w, w->params.bytes_per_pair, packet, send);
    return true;
}

static bool alltoall_packet(void *ctx, uint32_t node, uint32_t sequence, struct send *send)
{
    const struct workload *w = ctx;
    uint32_t to;
    if (!pair_packet(w, node, w->group_nodes - 1, sequence, send, &to))
        return false;
    to += to >= group_index(w, node);
    send->destination = group_node(w, node, to);
    workload_dress(w, node, sequence, send);
    return true;
}

static bool hotspot_packet(void *ctx, uint32_t node, uint32_t sequence, struct send *send)
{
    const struct workload *w = ctx;
    uint32_t to;
    if (workload_is_hot(w, node) || !pair_packet(w, node, w->hot_nodes, sequence, send, &to))
        return false;
    send->destination = workload_hot_node(w, to);
    workload_dress(w, node, sequence, send);
    return true;
}

/* A node's packets are numbered in 32 bits, answers from the top. */
static weft_status check_sequence(double packets)
{
    if (packets > INT32_MAX)
        return BAD_INPUT("workload.packets_per_pair workload.bytes_per_pair workload.message_bytes",
                         ("a node would send %.3g packets", packets),
                         ("use fewer workload.packets_per_pair, workload.bytes_per_pair or "
                          "workload.message_bytes, for at most 2 billion"));
    return WEFT_OK;
}

/* Packets of a pair into w->pair_packets, and the byte times that all of them take of one link. */
static weft_status count_pair(struct workload *w, const struct torus_params *router,
                              uint32_t destinations, double *slots)
{
    const struct workload_params *p = &w->params;
    double overhead = router->trailer_bytes + router->gap_bytes;
    uint64_t packets =
        p->bytes_per_pair ? workload_message_packets(w, p->bytes_per_pair) : p->packets_per_pair;
    weft_status status = check_sequence((double)packets * destinations);
    if (status != WEFT_OK)
        return status;
    w->pair_packets = (uint32_t)packets;
    *slots = (double)packets * workload_mean_slot(w, router);
    if (p->bytes_per_pair) {
        struct send last = {.chunks = 0};
        workload_message_packet(w, p->bytes_per_pair, w->pair_packets - 1, &last);
        *slots = ((double)packets - 1) * (TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES + overhead) +
                 last.chunks * (double)TORUS_CHUNK_BYTES + overhead;
    }
    return WEFT_OK;
}

static weft_status setup_alltoall(struct workload *w, const struct torus_params *router)
{
    const struct torus *t = w->torus;
    struct bound b;
    double slots;
    uint32_t line = 1u << w->params.dim, all = (1u << t->dims) - 1;
    w->group_dims = w->params.within == WITHIN_ALL    ? all
                    : w->params.within == WITHIN_LINE ? line
                                                      : all & ~line;
    w->group_nodes = 1;
    for (unsigned d = 0; d < t->dims; d++)
        if (w->group_dims >> d & 1)
            w->group_nodes *= t->size[d];
    uint32_t others = w->group_nodes - 1;
    weft_status status = count_pair(w, router, others, &slots);
    if (status != WEFT_OK)
        return status;
    uint32_t packets = w->pair_packets;
    w->program.packet = alltoall_packet;
    w->senders = others ? t->nodes : 0;
    w->deliveries = (uint64_t)packets * others * t->nodes;
    if (packets && others) {
        bound_init(&b, t);
        bound_add_uniform(&b, w->group_dims, others);
        w->bound_cycles = bound_worst(&b, slots, (double)packets * router->ack_bytes);
        bound_fini(&b);
    }
    return WEFT_OK;
}

static weft_status setup_hotspot(struct workload *w, const struct torus_params *router)
{
    double slots;
    weft_status status = count_pair(w, router, w->hot_nodes, &slots);
    if (status != WEFT_OK)
        return status;
    w->program.packet = hotspot_packet;
    w->senders = w->torus->nodes - w->hot_nodes;
    w->deliveries = (uint64_t)w->senders * w->hot_nodes * w->pair_packets;
    if (w->hot_links)
        w->bound_cycles = slots * w->senders * w->hot_nodes / w->hot_links;
    return WEFT_OK;
}

/* ---- ping-pong ---- */

/* An answer is made as a whole when the ball has arrived. */
enum { PINGPONG_MAX_PACKETS = 1000000 };

/* Packet `index` of the message from one end to the other. */
static void ball(const struct workload *w, uint32_t from, uint32_t sequence, uint32_t index,
                 struct send *send)
{
    *send = (struct send){.destination = from == w->ping ? w->pong : w->ping};
    workload_message_packet(w, w->params.message_bytes, index, send);
    workload_dress(w, from, sequence, send);
}

static bool pingpong_packet(void *ctx, uint32_t node, uint32_t sequence, struct send *send)
{
    const struct workload *w = ctx;
    if (node != w->ping || node == w->pong || sequence >= w->message_packets || !w->params.messages)
        return false;
    ball(w, node, sequence, sequence, send);
    return true;
}

/* The whole message is here: send it back, unless the game is over. Each end owns its counters. */
static void pingpong_received(void *ctx, struct endpoint *endpoint, uint32_t node,
                              const struct torus_packet *packet, cycle_t when)
{
    struct workload *w = ctx;
    (void)packet;
    int end = node == w->pong;
    if (w->arrived_last[end] < when)
        w->arrived_last[end] = when;
    uint32_t count = ++w->arrived[end];
    if (count % w->message_packets)
        return;
    if (end == 0 && count / w->message_packets == w->params.messages)
        return;
    for (uint32_t i = 0; i < w->message_packets; i++) {
        struct send send;
        ball(w, node, count + i, i, &send);
        endpoint_send(endpoint, &send, w->arrived_last[end]);
    }
}

static weft_status setup_pingpong(struct workload *w)
{
    const struct torus *t = w->torus;
    uint32_t c[TORUS_MAX_DIMS] = {0}, left = w->params.hops;
    for (unsigned d = 0; d < t->dims; d++) {
        uint32_t most = t->wrap[d] ? t->size[d] / 2 : t->size[d] - 1;
        c[d] = left < most ? left : most;
        left -= c[d];
    }
    if (left && t->nodes > 1)
        return BAD_INPUT("workload.hops",
                         ("workload.hops = %u is more than the machine's diameter", w->params.hops),
                         ("use at most %u", torus_diameter(t)));
    w->ping = 0;
    w->pong = torus_node(t, c);
    uint64_t packets = workload_message_packets(w, w->params.message_bytes);
    if (packets > PINGPONG_MAX_PACKETS)
        return BAD_INPUT("workload.message_bytes",
                         ("workload.message_bytes = %llu is too long for a ping-pong",
                          (unsigned long long)w->params.message_bytes),
                         ("use at most %llu", PINGPONG_MAX_PACKETS * 240ull));
    w->message_packets = (uint32_t)packets;
    w->program.packet = pingpong_packet;
    w->program.received = pingpong_received;
    w->senders = w->ping != w->pong ? 2 : 0;
    w->deliveries = w->senders * (uint64_t)w->message_packets * w->params.messages;
    return check_sequence((double)w->message_packets * w->params.messages);
}

/* ---- fills ---- */

/* Deposits `send` at all nodes along a direction: the whole ring but its start. */
static void along(const struct workload *w, unsigned port, struct send *send)
{
    send->routed = true;
    send->hint = (uint8_t)(1u << port);
    send->hops[port / 2] = (uint16_t)(w->torus->size[port / 2] - 1);
    send->flags |= TORUS_DEPOSIT;
}

static bool is_root(const struct workload *w, uint32_t node)
{
    return group_index(w, node) == 0;
}

/* The directions that have nodes, in the order of their colours: a+, b+, a-, b-. */
static unsigned colours(const struct workload *w, unsigned *port)
{
    unsigned count = 0;
    for (unsigned minus = 0; minus < 2; minus++)
        for (unsigned d = 0; d < w->torus->dims; d++)
            if ((w->group_dims >> d & 1) && w->torus->size[d] > 1 && (w->torus->wrap[d] || !minus))
                port[count++] = 2 * d + minus;
    return count;
}

/* Without the deposit bit the root sends every packet to every node of its group. */
static bool unicast_fill(const struct workload *w, uint32_t node, uint32_t sequence,
                         struct send *send)
{
    uint32_t others = w->group_nodes - 1;
    if (sequence / others >= w->message_packets)
        return false;
    send->destination = group_node(w, node, 1 + sequence % others);
    workload_message_packet(w, w->params.message_bytes, sequence / others, send);
    return true;
}

static bool fill_packet(void *ctx, uint32_t node, uint32_t sequence, struct send *send)
{
    const struct workload *w = ctx;
    unsigned port[TORUS_MAX_PORTS], count = colours(w, port);
    if (!is_root(w, node) || w->group_nodes == 1)
        return false;
    if (!w->params.deposit) {
        if (!unicast_fill(w, node, sequence, send))
            return false;
    } else {
        if (sequence >= w->message_packets)
            return false;
        workload_message_packet(w, w->params.message_bytes, sequence, send);
        send->tag = (uint8_t)(sequence % count);
        along(w, port[send->tag], send);
    }
    workload_dress(w, node, sequence, send);
    return true;
}

/* Tags: colour, and how many corners the packet has turned. */
enum { TAG_COLOUR = 3, TAG_TURN = 4 };

/* The direction a colour turns into: a+ into b+, b+ into a+, a- into b-, b- into a-. */
static unsigned corner(const struct workload *w, unsigned port)
{
    for (unsigned d = 0; d < w->torus->dims; d++)
        if ((w->group_dims >> d & 1) && d != port / 2 && w->torus->size[d] > 1)
            return 2 * d + port % 2;
    return port;
}

static void plane_received(void *ctx, struct endpoint *endpoint, uint32_t node,
                           const struct torus_packet *packet, cycle_t when)
{
    const struct workload *w = ctx;
    unsigned port[TORUS_MAX_PORTS];
    uint32_t c[TORUS_MAX_DIMS];
    if (!w->params.deposit)
        return;
    colours(w, port);
    unsigned first = port[packet->tag & TAG_COLOUR], second = corner(w, first);
    unsigned turns = packet->tag / TAG_TURN;
    if (second == first)
        return;
    struct send send = {.chunks = packet->chunks,
                        .padding = packet->padding,
                        .tag = (uint8_t)(packet->tag + TAG_TURN)};
    if (turns == 0) {
        along(w, second, &send);
    } else {
        /* The far end of the row hands its column on to the root's, over the closing link. */
        torus_coordinates(w->torus, node, c);
        uint32_t far = first % 2 ? 1 : w->torus->size[first / 2] - 1;
        if (turns != 1 || c[first / 2] != far)
            return;
        send.routed = true;
        send.hint = (uint8_t)(1u << first);
        send.hops[first / 2] = 1;
    }
    workload_dress(w, node, packet->sequence, &send);
    endpoint_send(endpoint, &send, when);
}

static weft_status setup_fill(struct workload *w, const struct torus_params *router)
{
    const struct torus *t = w->torus;
    unsigned port[TORUS_MAX_PORTS];
    bool plane = w->params.pattern == PATTERN_PLANEFILL;
    uint32_t line = 1u << w->params.dim, all = (1u << t->dims) - 1;
    w->group_dims = plane ? all & ~line : line;
    w->group_nodes = 1;
    for (unsigned d = 0; d < t->dims; d++) {
        if (!(w->group_dims >> d & 1))
            continue;
        w->group_nodes *= t->size[d];
        if (plane && w->params.deposit && !t->wrap[d])
            return BAD_INPUT("workload.deposit",
                             ("planefill with the deposit bit goes round the rings"),
                             ("wrap the machine or set workload.deposit=false"));
    }
    double packets = (double)workload_message_packets(w, w->params.message_bytes);
    weft_status status = check_sequence(packets * (w->params.deposit ? 1 : w->group_nodes - 1.0));
    if (status != WEFT_OK)
        return status;
    w->message_packets = (uint32_t)packets;
    w->program.packet = fill_packet;
    w->program.received = plane ? plane_received : NULL;
    w->senders = t->nodes / w->group_nodes;
    w->deliveries = (uint64_t)w->message_packets * (w->group_nodes - 1) * w->senders;
    unsigned count = colours(w, port);
    if (count) {
        /* Each direction carries its share of the message; rings carry acknowledgments back. */
        struct send last = {.chunks = 0};
        workload_message_packet(w, w->params.message_bytes, w->message_packets - 1, &last);
        double bytes =
            (packets - 1) * TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES + last.chunks * TORUS_CHUNK_BYTES;
        double slot = bytes / packets + router->trailer_bytes + router->gap_bytes;
        double copies = w->params.deposit ? 1 : w->group_nodes - 1.0;
        bool both_ways = w->params.deposit && count > 1 && w->group_nodes > 2;
        w->bound_cycles = packets * copies / count * (slot + (both_ways ? router->ack_bytes : 0));
    }
    return WEFT_OK;
}

weft_status program_setup(struct workload *w, const struct torus_params *router)
{
    if (w->params.dim >= w->torus->dims)
        return BAD_INPUT("workload.dim", ("workload.dim is dimension %u", w->params.dim + 1),
                         ("use one of the machine's %u", w->torus->dims));
    switch (w->params.pattern) {
    case PATTERN_ALLTOALL:
        return setup_alltoall(w, router);
    case PATTERN_HOTSPOT:
        return setup_hotspot(w, router);
    case PATTERN_PINGPONG:
        return setup_pingpong(w);
    default:
        return setup_fill(w, router);
    }
}
