/*
 * Single packets that programs send and receive (weft_program.h), as users of the system
 * programming interface do: a core pays for each as for any other (cost_write, cost_read), and
 * there is no protocol. A packet goes by any way that its destination leaves it; packets may
 * overtake each other. What a core has read waits, in the order of reading, until its program takes
 * it.
 */
#include "message/packets/packets.h"

#include "base/random.h"

/* The injection FIFO of a packet: that of a direction in which it may go, unless its program
 * chooses. */
static uint8_t fifo_of(const struct here *h, const struct nic_packet *packet)
{
    const struct action *a = &h->loop->action;
    uint8_t ring = protocol_ring(h, packet);
    if (ring == VIRTUAL_RING || !a->single)
        return ring;
    const struct nic_traits *traits = &h->me.all->nic->traits;
    bool shared = h->all->cores.mode == MODE_VIRTUAL_NODE;
    return (uint8_t)(a->fifo + (shared ? h->me.slot * (traits->directions / traits->groups) : 0));
}

void single_start(struct here *h)
{
    struct nic_packet packet;
    h->loop->collective.writes = h->loop->collective.kind == STEP_PACKET_OUT;
    if (!h->loop->action.single || !single_packet(h, &packet) || loop_has_room(h, &packet))
        return;
    h->loop->collective.writes = 0;
    cost_software(h, h->all->steps.poll_cycles);
}

bool single_packet(const struct here *h, struct nic_packet *packet)
{
    const struct action *a = &h->loop->action;
    const struct processes *all = h->me.all;
    if (h->loop->collective.kind != STEP_PACKET_OUT || !h->loop->collective.writes)
        return false;
    struct cargo cargo = {.code = CODE_SINGLE,
                          .from = h->me.slot,
                          .to = process_slot(all, a->to),
                          .argument = a->attachment == ATTACHMENT_NONE ? 0 : a->attachment,
                          .attachment = a->attachment != ATTACHMENT_NONE};
    uint64_t pair = (uint64_t)self_drawn(&h->me) << 32 | process_drawn(all, a->to);
    *packet = (struct nic_packet){.node = process_node(all, a->to),
                                  .bytes = (uint32_t)a->bytes,
                                  .cargo = cargo_pack(&cargo),
                                  .turn = (uint32_t)random_mix(pair + h->loop->singles_sent),
                                  .flags = NIC_ADAPTIVE,
                                  .group = protocol_group(h, a->to)};
    packet->fifo = fifo_of(h, packet);
    return true;
}

void single_written(struct here *h)
{
    h->loop->collective.writes = 0;
    h->loop->singles_sent++;
    if (h->loop->action.single)
        h->loop->action.single->there = true;
}

void single_keep(struct here *h, struct slots_list *list, const struct nic_packet *packet,
                 fine_t when)
{
    struct cargo w = cargo_unpack(packet->cargo);
    WEFT_CHECK(w.to == h->me.slot && w.from < h->me.all->o.per_node,
               "node %u was sent what no process sends", h->me.at.node);
    uint32_t index = slots_get(&h->s->singles);
    *single_at(h->s, index) =
        (struct single){.from = process_number(h->me.all, packet->node, w.from),
                        .bytes = packet->bytes,
                        .attachment = w.attachment ? w.argument : ATTACHMENT_NONE};
    slots_append(&h->s->singles, list, index);
    process_count(&h->me, packet->bytes, when);
    h->me.p->receiver = true;
    h->me.p->messages++;
}

void single_read(struct here *h, const struct nic_packet *packet)
{
    single_keep(h, &h->loop->single, packet, h->loop->core.until);
}

bool single_is_over(const struct here *h)
{
    if (h->loop->collective.kind == STEP_PACKET_OUT)
        return !h->loop->collective.writes;
    return h->loop->single.first != NONE || !h->loop->action.single->wait;
}

void single_hand_over(struct here *h, struct slots_list *list)
{
    struct action_single *taken = h->loop->action.single;
    if (list->first == NONE)
        return;
    uint32_t index = slots_take(&h->s->singles, list);
    const struct single *packet = single_at(h->s, index);
    if (taken) {
        taken->there = true;
        taken->from = packet->from;
        taken->bytes = packet->bytes;
        taken->attachment = packet->attachment;
    }
    slots_put(&h->s->singles, index);
}

void single_end(struct here *h)
{
    if (h->loop->collective.kind == STEP_PACKET_IN)
        single_hand_over(h, &h->loop->single);
}
