/* The queues of a router: how packets enter and leave them, and what their heads ask for. */
#ifndef WEFT_FABRIC_TOFU_QUEUE_H
#define WEFT_FABRIC_TOFU_QUEUE_H

#include "fabric/tofu/state.h"

/* Lets the head of a queue ask for its place, if there is one and the queue is not being read. */
static inline void tofu_expose(struct tofu_part *p, struct tofu_node *s, unsigned queue)
{
    struct tofu_queue *q = tofu_queue_at(p, (uint32_t)(s - p->node), queue);
    if (q->head == NO_PACKET || s->reading >> queue & 1)
        return;
    const struct tofu_packet *packet = &p->pool[q->head];
    unsigned place = tofu_wanted(p, s, queue, packet);
    q->lines = packet->lines;
    q->place = (uint8_t)place;
    s->wants[place] |= 1ull << queue;
    s->look |= (uint16_t)(1u << tofu_place_port(place));
}

/* Queues a packet at an input. */
static inline void tofu_enqueue(struct tofu_part *p, struct tofu_node *s, unsigned queue,
                                uint32_t index)
{
    struct tofu_queue *q = tofu_queue_at(p, (uint32_t)(s - p->node), queue);
    struct tofu_packet *packet = &p->pool[index];
    packet->next = NO_PACKET;
    if (queue < TOFU_LINK_PLACES)
        part_occupy(&p->base, tofu_slot((uint32_t)(s - p->node), queue / TOFU_VCS), packet->vc,
                    packet->lines);
    if (q->head == NO_PACKET) {
        q->head = q->tail = index;
        q->fresh = (uint32_t)p->base.wheel.now;
        tofu_expose(p, s, queue);
        return;
    }
    p->pool[q->tail].next = index;
    q->tail = index;
}

/* Takes the head of a queue; *fresh: it arrived in this cycle. */
static inline uint32_t tofu_dequeue(struct tofu_part *p, struct tofu_node *s, unsigned queue,
                                    cycle_t now, bool *fresh)
{
    struct tofu_queue *q = tofu_queue_at(p, (uint32_t)(s - p->node), queue);
    uint32_t index = q->head;
    const struct tofu_packet *packet = &p->pool[index];
    q->head = packet->next;
    *fresh = q->fresh == (uint32_t)now;
    q->fresh = (uint32_t)now - 1;
    s->wants[q->place] &= ~(1ull << queue);
    s->reading |= 1ull << queue;
    if (queue < TOFU_LINK_PLACES)
        part_occupy(&p->base, tofu_slot((uint32_t)(s - p->node), queue / TOFU_VCS), packet->vc,
                    -(int)packet->lines);
    return index;
}

#endif
