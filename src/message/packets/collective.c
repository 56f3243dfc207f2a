/* Operations of the tree and of the global interrupts; others are spread.c's. */
#include "message/packets/packets.h"

#include <string.h>

#include "base/random.h"

/* ---- two processes of a node ---- */

/* The node's other process, if it has two; its core. */
static bool find_partner(const struct here *h, struct here *partner)
{
    struct processes *all = h->me.all;
    if (all->o.per_node == 1)
        return false;
    *partner = here_at(all, &h->me.at, core_main(h->all->cores.mode, 1 - h->me.slot));
    return true;
}

/* Through memory that both cores see, what the partner has goes into what this process has. */
static void join_partner(struct here *h, const struct here *partner)
{
    const struct action *a = &h->loop->action;
    if (a->collective != STEP_TREE_ALL && a->collective != STEP_TREE_RECAST)
        return;
    cost_combine(h, a->bytes, a->bytes);
    if (a->data && a->bytes)
        alu_combine((enum nic_operation)a->data->operation, a->data->width, a->data->data,
                    partner->loop->action.data->data, a->bytes);
}

static void copy_from_partner(struct here *h)
{
    uint64_t bytes = h->loop->action.bytes;
    cost_copy(h, bytes, bytes);
    process_count(&h->me, bytes, h->loop->core.until);
    h->me.p->receiver |= bytes > 0;
}

bool collective_serves(const struct here *h, struct here *partner)
{
    return h->loop->collective.role == ROLE_ACTS && find_partner(h, partner);
}

/* Both have the same from now on, and the partner may go on. The root of a broadcast has it from
 * the beginning: this process copies it, then. */
static void serve_partner(struct here *h)
{
    const struct action *a = &h->loop->action;
    struct here partner;
    if (!collective_serves(h, &partner))
        return;
    const struct action *other = &partner.loop->action;
    bool from_root = a->collective == STEP_TREE_CAST && self_number(&partner.me) == a->root;
    if (from_root)
        copy_from_partner(h);
    if (a->data && a->bytes && from_root)
        memcpy(a->data->data, other->data->data, a->bytes);
    else if (a->data && a->bytes)
        memcpy(other->data->data, a->data->data, a->bytes);
    partner.loop->collective.role = ROLE_SERVED;
    partner.loop->collective.served = h->loop->core.until;
}

/* ---- the tree ---- */

bool collective_is_over(const struct here *h)
{
    const struct collective *c = &h->loop->collective;
    const struct nic *nic = h->me.all->nic;
    if (spread_is(c->kind))
        return spread_is_over(h);
    if (single_is(c->kind))
        return single_is_over(h);
    if (point_is(c->kind))
        return point_is_over(h);
    if (c->role == ROLE_WAITS || (c->role == ROLE_SERVED && c->served > h->loop->core.until))
        return false;
    if (c->kind == STEP_BARRIER)
        return nic->tree->barriers(nic->tree, &h->me.at) >= c->barrier;
    return !c->writes && !c->reads && !c->casts;
}

static uint64_t tree_packets(const struct here *h)
{
    return packets_of(h->loop->action.bytes, h->me.all->nic->tree->packet_bytes);
}

/* The node takes part. */
static void begin(struct here *h)
{
    struct collective *c = &h->loop->collective;
    struct nic *nic = h->me.all->nic;
    bool cast = c->kind == STEP_TREE_CAST;
    bool root = process_node(h->me.all, h->loop->action.root) == h->me.at.node;
    if (c->kind == STEP_BARRIER) {
        nic->tree->enter(nic->tree, &h->me.at);
        return;
    }
    c->writes = cast && !root ? 0 : tree_packets(h);
    c->reads = cast && root ? 0 : tree_packets(h);
    h->me.p->receiver |= c->reads > 0;
}

/* A process has come; the second one of its node acts for both. */
void collective_enter(struct here *h)
{
    struct here partner;
    bool two = find_partner(h, &partner);
    if (two && partner.loop->collective.role != ROLE_WAITS) {
        h->loop->collective.role = ROLE_WAITS;
        return;
    }
    if (two) {
        const struct action *a = &h->loop->action, *b = &partner.loop->action;
        const struct action_data *x = a->data, *y = b->data;
        if (a->collective != b->collective || a->tree_class != b->tree_class ||
            a->bytes != b->bytes || a->root != b->root || !x != !y ||
            (x && (x->operation != y->operation || x->width != y->width)))
            RUN_ABANDONED(("processes %u and %u call different collective operations",
                           self_number(&h->me), self_number(&partner.me)),
                          NO_REMEDY);
        h->loop->collective.role = ROLE_ACTS;
        join_partner(h, &partner);
    }
    begin(h);
}

void collective_start(struct here *h)
{
    struct collective *c = &h->loop->collective;
    const struct nic *nic = h->me.all->nic;
    *c = (struct collective){.kind = h->loop->action.collective, .attachment = ATTACHMENT_NONE};
    if (single_is(c->kind) || point_is(c->kind)) { /* below the message layer: nothing is posted */
        (single_is(c->kind) ? single_start : point_start)(h);
        return;
    }
    cost_software(h, h->all->steps.post_cycles);
    if (spread_is(c->kind)) {
        spread_start(h);
        return;
    }
    c->barrier = nic->tree->barriers(nic->tree, &h->me.at) + 1;
    if (c->kind == STEP_BARRIER || h->me.all->o.per_node > 1)
        h->loop->doing = DOING_ENTER; /* others can tell when */
    else
        begin(h);
}

/* The data of a tree packet: those of the root, if there is one. */
static unsigned char *data_of(const struct here *h)
{
    const struct action *a = &h->loop->action;
    struct here partner;
    if (a->collective == STEP_TREE_CAST && self_number(&h->me) != a->root &&
        process_node(h->me.all, a->root) == h->me.at.node && find_partner(h, &partner))
        return partner.loop->action.data->data;
    return a->data->data;
}

/* Bytes of an operation's packet number `index`, and where they are. */
static uint64_t piece_at(const struct here *h, uint64_t index, uint64_t *at)
{
    uint64_t full = h->me.all->nic->tree->packet_bytes, bytes = h->loop->action.bytes;
    *at = index * full;
    return bytes - *at < full ? bytes - *at : full;
}

/* The way of the next packet to be written: what the root has read goes first. */
static enum nic_tree_route next_route(const struct here *h)
{
    const struct collective *c = &h->loop->collective;
    if (c->casts || c->kind == STEP_TREE_CAST)
        return TREE_CAST;
    return c->kind == STEP_TREE_ALL ? TREE_ALL : TREE_REDUCE;
}

/* Whether a packet is to be written, and there is room for it. */
static bool can_write(const struct here *h)
{
    const struct collective *c = &h->loop->collective;
    const struct nic_tree *tree = h->me.all->nic->tree;
    return (c->writes || c->casts) && tree->has_room(tree, &h->me.at, next_route(h) == TREE_CAST);
}

static bool start_read(struct here *h)
{
    struct advance_loop *loop = h->loop;
    const struct nic *nic = h->me.all->nic;
    struct nic_tree_packet packet;
    cycle_t there;
    if (early_is_kept(h)) {
        loop->doing = DOING_TREE_READ;
        cost_copy(h, nic->tree->packet_bytes, nic->tree->packet_bytes);
        return true;
    }
    if (!loop->collective.reads || !nic->tree->peek(nic->tree, &h->me.at, 0, &packet, &there) ||
        fine_at(there) > loop->core.until || !early_is_own(h, &packet) || early_is_read(h))
        return false;
    loop->doing = DOING_TREE_READ;
    cost_read(h, nic->tree->packet_bytes);
    return true;
}

void collective_written(struct here *h)
{
    struct collective *c = &h->loop->collective;
    const struct action_data *data = h->loop->action.data;
    struct nic *nic = h->me.all->nic;
    if (point_is(c->kind)) {
        point_written(h);
        return;
    }
    struct nic_tree_packet packet = {.route = (uint8_t)next_route(h),
                                     .class = h->loop->action.tree_class};
    unsigned char bytes[TREE_PACKET_MOST] = {0};
    if (data && h->loop->action.bytes) {
        /* What the root casts, it has read before. */
        uint64_t index = tree_packets(h) - (c->casts ? c->reads + c->casts : c->writes), at;
        uint64_t count = piece_at(h, index, &at);
        memcpy(bytes, data_of(h) + at, count);
        packet.data = bytes;
        packet.operation = data->operation;
        packet.width = data->width;
    }
    nic->tree->inject(nic->tree, &h->me.at, &packet);
    if (c->casts)
        c->casts--;
    else
        c->writes--;
}

/* The packet that the core has read, or copied; false: it was early, and is kept. */
static bool read_own(struct here *h, unsigned char *bytes)
{
    struct nic_tree *tree = h->me.all->nic->tree;
    struct nic_tree_packet packet;
    cycle_t there;
    if (early_is_kept(h)) {
        early_take(h, bytes);
        return true;
    }
    bool found = tree->peek(tree, &h->me.at, 0, &packet, &there);
    WEFT_CHECK(found, "node %u has read what is gone", h->me.at.node);
    packet.data = tree->read(tree, &h->me.at, 0, bytes) ? bytes : NULL;
    if (early_is_own(h, &packet))
        return true;
    early_keep(h, &packet);
    nic_record(h->me.all->nic, h->me.at.partition, 0);
    return false;
}

void collective_read(struct here *h)
{
    struct collective *c = &h->loop->collective;
    const struct action *a = &h->loop->action;
    struct nic *nic = h->me.all->nic;
    unsigned char bytes[TREE_PACKET_MOST];
    if (!read_own(h, bytes))
        return;
    uint64_t at, count = piece_at(h, tree_packets(h) - c->reads, &at);
    cost_store(h, (uint32_t)count, a->bytes);
    process_count(&h->me, count, h->loop->core.until);
    if (a->data && count)
        memcpy(a->data->data + at, bytes, count);
    c->reads--;
    c->casts += c->kind == STEP_TREE_RECAST && nic->tree->is_root(nic->tree, &h->me.at);
    nic_record(nic, h->me.at.partition, 0);
}

void collective_end(struct here *h)
{
    struct collective *c = &h->loop->collective;
    uint64_t hash = random_mix(self_number(&h->me) * 8ull + c->kind);
    bool is_root = c->kind == STEP_TREE_CAST && self_number(&h->me) == h->loop->action.root;
    if (spread_is(c->kind))
        spread_end(h);
    else if (single_is(c->kind))
        single_end(h);
    else if (point_is(c->kind))
        point_end(h);
    else if (c->role == ROLE_SERVED && c->kind != STEP_BARRIER && !is_root)
        copy_from_partner(h); /* what its partner has got */
    serve_partner(h);
    nic_record(h->me.all->nic, h->me.at.partition, random_mix(hash + h->loop->core.until));
    c->kind = STEP_NO_COLLECTIVE;
    c->role = ROLE_ALONE;
}

bool collective_advance(struct here *h)
{
    uint8_t kind = h->loop->collective.kind;
    if (!kind || picks_are(kind))
        return false;
    if (!point_is(kind) && start_read(h))
        return true;
    if (point_is(kind) ? !point_has_packet(h) : !can_write(h))
        return false;
    h->loop->doing = DOING_TREE_WRITE;
    /* A request to read has no data of the buffer. */
    uint64_t buffer = kind == STEP_READ_IN ? 0 : h->loop->action.bytes;
    cost_write(h, h->me.all->nic->tree->packet_bytes, buffer);
    return true;
}

bool collective_is_due(const struct here *h, cycle_t now, fine_t *when)
{
    const struct nic *nic = h->me.all->nic;
    const struct collective *c = &h->loop->collective;
    struct nic_tree_packet packet;
    cycle_t there;
    *when = UINT64_MAX;
    if (!c->kind || picks_are(c->kind) || c->role == ROLE_WAITS)
        return false;
    if (c->role == ROLE_SERVED)
        *when = c->served;
    else if (early_is_kept(h))
        *when = fine_at(now);
    else if (!point_is(c->kind) && c->reads && !early_is_read(h) &&
             nic->tree->peek(nic->tree, &h->me.at, 0, &packet, &there))
        *when = fine_at(there);
    if ((point_is(c->kind) ? point_has_packet(h) : can_write(h)) || collective_is_over(h))
        *when = fine_at(now) < *when ? fine_at(now) : *when;
    return *when != UINT64_MAX;
}
