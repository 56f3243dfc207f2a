/* The queues of a switch, and the entries behind its links: how packets enter and leave them. */
#ifndef WEFT_FABRIC_CROSSPOINT_QUEUE_H
#define WEFT_FABRIC_CROSSPOINT_QUEUE_H

#include "fabric/crosspoint/state.h"

/* Which VCs lost, or regained, their last entry of a buffer behind a link. */
static inline void crosspoint_detail_room(struct crosspoint_part *p,
                                          const struct crosspoint_node *s, unsigned output,
                                          uint16_t before, uint16_t after)
{
    for (unsigned vc = 0; vc < p->params->vcs; vc++) {
        uint16_t open = p->derived->vc_entries[vc];
        bool had = open & ~before, has = open & ~after;
        if (had != has)
            detail_room(&p->base.detail, &p->base.measure, crosspoint_slot(p, s, output), vc, has);
    }
}

/* Says which entries of a buffer behind a link are taken. */
static inline void crosspoint_set_busy(struct crosspoint_part *p, struct crosspoint_node *s,
                                       unsigned output, unsigned behind, uint16_t entries)
{
    uint16_t *busy = &s->busy[output][behind];
    if (part_is_detailed(&p->base))
        crosspoint_detail_room(p, s, output, *busy, entries);
    *busy = entries;
}

/* Counts packets that enter a buffer of an input, or leave it; those of the node's own are no
 * link's. */
static inline void crosspoint_occupy(struct crosspoint_part *p, const struct crosspoint_node *s,
                                     unsigned input, unsigned vc, int packets)
{
    measure_occupy(&p->base.measure, vc, packets);
    if (part_is_detailed(&p->base) && input < p->degree)
        detail_queue(&p->base.detail, &p->base.measure, crosspoint_slot(p, s, input), vc, packets);
}

/* Queues a packet in the buffer of its input, for the output that its route names. */
static inline void crosspoint_enqueue(struct crosspoint_part *p, struct crosspoint_node *s,
                                      unsigned input, uint32_t index)
{
    struct crosspoint_packet *packet = &p->pool[index];
    unsigned output = crosspoint_output(p->derived, packet->route);
    WEFT_CHECK(s->outputs >> output & 1 && packet->vc < p->params->vcs,
               "node %u has a packet for output %u on VC %u", s->node, output, packet->vc);
    struct crosspoint_queue *q =
        crosspoint_queue_at(p, (uint32_t)(s - p->node), output, input, packet->vc);
    packet->next = NO_PACKET;
    if (q->head == NO_PACKET)
        q->head = index;
    else
        p->pool[q->tail].next = index;
    q->tail = index;
    s->waiting[output] |= 1ull << (8 * input + packet->vc);
    s->look |= (uint8_t)(1u << output);
    crosspoint_occupy(p, s, input, packet->vc, 1);
}

/* Takes the head of an output's queue. */
static inline uint32_t crosspoint_dequeue(struct crosspoint_part *p, struct crosspoint_node *s,
                                          unsigned output, unsigned number)
{
    struct crosspoint_queue *q =
        crosspoint_queue_at(p, (uint32_t)(s - p->node), output, number / 8, number % 8);
    uint32_t index = q->head;
    q->head = p->pool[index].next;
    if (q->head == NO_PACKET)
        s->waiting[output] &= ~(1ull << number);
    crosspoint_occupy(p, s, number / 8, number % 8, -1);
    return index;
}

#endif
