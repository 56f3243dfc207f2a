/*
 * Packets of the tree that are for one node: single ones of programs and scripts, and the calls
 * that processes ship to the I/O node of their processing set (node/io.h), for which they wait. A
 * core pays for each as for any other packet. They come to a FIFO that all processes of a node
 * share: whichever core polls first reads the next one, and leaves it where its process finds it.
 */
#include "message/packets/packets.h"

#include "node/io.h"

static const struct nic_tree *tree_of(const struct here *h)
{
    return h->me.all->nic->tree;
}

/* The core that a process of this node runs on. */
static struct here core_of(const struct here *h, uint32_t slot)
{
    return here_at(h->me.all, &h->me.at, core_main(h->all->cores.mode, slot));
}

/* ---- calls ---- */

/* The next piece: what goes out, and what is to come back. */
static void begin_piece(struct here *h)
{
    struct collective *c = &h->loop->collective;
    const struct nic_tree *tree = tree_of(h);
    uint32_t most = tree->io_piece_bytes, header = tree->io_header_bytes;
    c->piece = c->left < most ? (uint32_t)c->left : most;
    uint32_t data = io_packets(c->piece, header, tree->packet_bytes);
    uint32_t alone = io_packets(0, header, tree->packet_bytes);
    c->writes = c->kind == STEP_WRITE_OUT ? data : alone;
    c->reads = c->kind == STEP_WRITE_OUT ? alone : data;
}

/* The next packet of a call, in which the first one says what it is. */
static uint64_t call_cargo(const struct here *h)
{
    const struct collective *c = &h->loop->collective;
    const struct nic_tree *tree = tree_of(h);
    bool writes = c->kind == STEP_WRITE_OUT;
    uint32_t all = io_packets(writes ? c->piece : 0, tree->io_header_bytes, tree->packet_bytes);
    return io_pack((struct io_cargo){.kind = c->writes < all ? IO_DATA
                                             : writes        ? IO_WRITE
                                                             : IO_READ,
                                     .slot = (uint8_t)h->me.slot,
                                     .bytes = c->piece});
}

/* A packet of the answer to this process, read by `when`. */
static void take_answer(struct here *h, fine_t when)
{
    struct collective *c = &h->loop->collective;
    WEFT_CHECK(io_is(c->kind) && !c->writes && c->reads,
               "node %u is sent an answer that nobody waits for", h->me.at.node);
    if (--c->reads)
        return;
    if (c->kind == STEP_READ_IN)
        process_count(&h->me, c->piece, when);
    c->left -= c->piece;
    if (c->left)
        begin_piece(h);
}

/* ---- what a process does ---- */

void point_start(struct here *h)
{
    struct collective *c = &h->loop->collective;
    c->writes = c->kind == STEP_POINT_OUT;
    if (!io_is(c->kind))
        return;
    c->began = h->loop->core.until;
    c->left = h->loop->action.bytes;
    h->me.p->receiver |= c->kind == STEP_READ_IN;
    begin_piece(h);
}

/* Whether another core of the node is at the FIFO, which one at a time writes, and one reads. */
static bool is_another(const struct here *h, enum doing doing)
{
    for (uint32_t core = 0; core < h->all->loops; core++)
        if (core != h->core && here_at(h->me.all, &h->me.at, core).loop->doing == doing)
            return true;
    return false;
}

bool point_has_packet(const struct here *h)
{
    const struct nic_tree *tree = tree_of(h);
    return h->loop->collective.writes && tree->has_room(tree, &h->me.at, 1) &&
           !is_another(h, DOING_TREE_WRITE);
}

void point_written(struct here *h)
{
    struct collective *c = &h->loop->collective;
    const struct processes *all = h->me.all;
    const struct action *a = &h->loop->action;
    struct nic_tree *tree = h->me.all->nic->tree;
    struct nic_tree_packet packet = {.route = TREE_POINT};
    WEFT_CHECK(c->writes, "node %u has written what is not to be", h->me.at.node);
    if (io_is(c->kind)) {
        packet.target = tree->io_node(tree, &h->me.at);
        packet.cargo = call_cargo(h);
    } else {
        struct cargo cargo = {.code = CODE_SINGLE,
                              .from = h->me.slot,
                              .to = process_slot(all, a->to),
                              .number = (uint32_t)a->bytes,
                              .argument = a->attachment == ATTACHMENT_NONE ? 0 : a->attachment,
                              .attachment = a->attachment != ATTACHMENT_NONE};
        packet.target = process_node(all, a->to);
        packet.cargo = cargo_pack(&cargo);
    }
    tree->inject(tree, &h->me.at, &packet);
    c->writes--;
}

bool point_is_over(const struct here *h)
{
    const struct collective *c = &h->loop->collective;
    const struct action_single *taken = h->loop->action.single;
    if (c->kind == STEP_POINT_IN)
        return h->loop->point.first != NONE || (taken && !taken->wait);
    return !c->writes && !c->reads;
}

void point_end(struct here *h)
{
    const struct collective *c = &h->loop->collective;
    if (c->kind == STEP_POINT_IN)
        single_hand_over(h, &h->loop->point);
    if (!io_is(c->kind))
        return;
    h->s->io_calls++;
    h->s->io_time += h->loop->core.until - c->began;
}

/* ---- reading ---- */

bool point_is_due(const struct here *h, fine_t *when)
{
    const struct nic_tree *tree = tree_of(h);
    struct nic_tree_packet packet;
    cycle_t there;
    if (!tree || h->core != core_main(h->all->cores.mode, h->me.slot) ||
        !tree->peek(tree, &h->me.at, 1, &packet, &there) || is_another(h, DOING_POINT_READ))
        return false;
    *when = fine_at(there);
    return true;
}

bool point_start_read(struct here *h)
{
    fine_t there;
    if (!point_is_due(h, &there) || there > h->loop->core.until)
        return false;
    h->loop->doing = DOING_POINT_READ;
    cost_read(h, tree_of(h)->packet_bytes);
    return true;
}

/* A single packet, for whichever process of this node. */
static void take_single(struct here *h, const struct nic_tree_packet *packet)
{
    const struct processes *all = h->me.all;
    struct cargo w = cargo_unpack(packet->cargo);
    WEFT_CHECK(w.code == CODE_SINGLE && w.to < all->o.per_node && w.from < all->o.per_node &&
                   w.number <= tree_of(h)->packet_bytes &&
                   process_number(all, packet->source, w.from) < all->o.processes &&
                   (!w.attachment || attachment_is(all->attachments, w.argument)),
               "node %u was sent what no process sends over the tree", h->me.at.node);
    struct here own = core_of(h, w.to);
    struct nic_packet single = {.node = packet->source, .bytes = w.number, .cargo = packet->cargo};
    single_keep(&own, &own.loop->point, &single, h->loop->core.until);
}

void point_read(struct here *h)
{
    struct nic *nic = h->me.all->nic;
    struct nic_tree_packet packet;
    cycle_t there;
    bool found = nic->tree->peek(nic->tree, &h->me.at, 1, &packet, &there);
    WEFT_CHECK(found, "node %u has read what is gone", h->me.at.node);
    nic->tree->read(nic->tree, &h->me.at, 1, NULL);
    nic_record(nic, h->me.at.partition, 0);
    if (packet.source < h->me.all->o.nodes) {
        take_single(h, &packet);
        return;
    }
    uint32_t slot = io_unpack(packet.cargo).slot;
    WEFT_CHECK(slot < h->me.all->o.per_node, "node %u is sent an answer for nobody", h->me.at.node);
    struct here own = core_of(h, slot);
    if (own.loop->collective.kind == STEP_READ_IN)
        cost_store(h, nic->tree->packet_bytes, own.loop->action.bytes);
    take_answer(&own, h->loop->core.until);
}

/* ---- whether a state can be one ---- */

bool point_is_valid(const struct processes *all, const struct collective *c)
{
    const struct nic_tree *tree = all->nic->tree;
    if (!io_is(c->kind))
        return c->writes <= 1 && !c->reads;
    uint64_t most = io_packets(c->piece, tree->io_header_bytes, tree->packet_bytes);
    return c->piece <= tree->io_piece_bytes && c->piece <= c->left && c->writes <= most &&
           c->reads <= most;
}
