/* Operations of the tree and of the global interrupts. */
#include "message/packets/collective.h"

#include "base/random.h"
#include "message/packets/spread.h"

bool collective_is_over(const struct here *h)
{
    const struct collective *c = &h->lane->collective;
    const struct nic *nic = h->me.all->nic;
    if (spread_is(c->kind))
        return spread_is_over(h);
    if (c->kind == STEP_BARRIER)
        return nic->tree->barriers(nic, &h->me.at) >= c->barrier;
    return !c->writes && !c->reads && !c->casts;
}

void collective_start(struct here *h)
{
    struct collective *c = &h->lane->collective;
    const struct action *a = &h->lane->action;
    const struct nic *nic = h->me.all->nic;
    *c = (struct collective){.kind = a->collective};
    cost_software(h, h->all->steps.post_cycles);
    if (spread_is(c->kind)) {
        spread_start(h);
        return;
    }
    uint64_t full = nic->tree->packet_bytes, packets = a->bytes ? (a->bytes + full - 1) / full : 1;
    bool root = nic->tree->is_root(nic, &h->me.at);
    if (c->kind == STEP_BARRIER) {
        c->barrier = nic->tree->barriers(nic, &h->me.at) + 1;
        h->lane->doing = DOING_ENTER;
        return;
    }
    c->writes = c->kind == STEP_TREE_CAST && !root ? 0 : packets;
    c->reads = c->kind == STEP_TREE_CAST && root ? 0 : packets;
}

/* The VC and way of the next packet to be written: what the root has read goes first. */
static struct nic_tree_packet next_packet(const struct here *h)
{
    const struct collective *c = &h->lane->collective;
    bool cast = c->casts || c->kind == STEP_TREE_CAST;
    return (struct nic_tree_packet){.route = cast                       ? TREE_CAST
                                             : c->kind == STEP_TREE_ALL ? TREE_ALL
                                                                        : TREE_REDUCE};
}

static bool start_read(struct here *h)
{
    struct lane *lane = h->lane;
    const struct nic *nic = h->me.all->nic;
    struct nic_tree_packet packet;
    cycle_t there;
    if (!lane->collective.reads || !nic->tree->peek(nic, &h->me.at, 0, &packet, &there) ||
        fine_at(there) > lane->core.until)
        return false;
    lane->doing = DOING_TREE_READ;
    cost_read(h, nic->tree->packet_bytes);
    return true;
}

static bool start_write(struct here *h)
{
    struct lane *lane = h->lane;
    const struct nic *nic = h->me.all->nic;
    const struct collective *c = &lane->collective;
    if (!c->writes && !c->casts)
        return false;
    if (!nic->tree->has_room(nic, &h->me.at, next_packet(h).route == TREE_CAST))
        return false;
    lane->doing = DOING_TREE_WRITE;
    cost_write(h, nic->tree->packet_bytes, lane->action.bytes);
    return true;
}

static void end_write(struct here *h)
{
    struct collective *c = &h->lane->collective;
    struct nic *nic = h->me.all->nic;
    struct nic_tree_packet packet = next_packet(h);
    nic->tree->inject(nic, &h->me.at, &packet);
    if (c->casts)
        c->casts--;
    else
        c->writes--;
}

static void end_read(struct here *h)
{
    struct collective *c = &h->lane->collective;
    struct nic *nic = h->me.all->nic;
    nic->tree->read(nic, &h->me.at, 0);
    c->reads--;
    c->casts += c->kind == STEP_TREE_RECAST && nic->tree->is_root(nic, &h->me.at);
    nic_record(nic, h->me.at.partition, 0);
}

void collective_end(struct here *h)
{
    uint64_t hash = random_mix(self_number(&h->me) * 8ull + h->lane->collective.kind);
    nic_record(h->me.all->nic, h->me.at.partition, random_mix(hash + h->lane->core.until));
    if (spread_is(h->lane->collective.kind))
        spread_end(h);
    h->lane->collective.kind = STEP_NO_COLLECTIVE;
}

bool collective_advance(struct here *h)
{
    if (spread_is(h->lane->collective.kind))
        return false;
    return start_read(h) || start_write(h);
}

void collective_finish(struct here *h, enum doing doing)
{
    struct nic *nic = h->me.all->nic;
    if (doing == DOING_ENTER)
        nic->tree->enter(nic, &h->me.at);
    else if (doing == DOING_TREE_WRITE)
        end_write(h);
    else
        end_read(h);
}

bool collective_is_due(const struct here *h, cycle_t now, cycle_t *when)
{
    const struct nic *nic = h->me.all->nic;
    const struct collective *c = &h->lane->collective;
    struct nic_tree_packet packet;
    cycle_t there = CYCLE_NEVER;
    if (spread_is(c->kind))
        return false;
    if (c->reads && !nic->tree->peek(nic, &h->me.at, 0, &packet, &there))
        there = CYCLE_NEVER;
    if (((c->writes || c->casts) &&
         nic->tree->has_room(nic, &h->me.at, next_packet(h).route == TREE_CAST)) ||
        collective_is_over(h))
        there = there < now ? there : now;
    *when = there;
    return there != CYCLE_NEVER;
}
