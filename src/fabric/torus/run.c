/*
 * A partition's cycle: apply all events, then let every node that an event touched take its step.
 *
 * Applying an event only writes what no other event of that cycle reads, so the order does not
 * matter (docs/architecture.md): an arrival touches its own VC, acknowledgments add to counts of
 * tokens, everything else leaves a mark for the step.
 */
#include "base/clock.h"
#include "fabric/torus/queue.h"
#include "fabric/torus/fetch.h"
#include "fabric/torus/link.h"

/*
 * Whether an arriving packet cannot move on in this cycle, whatever else happens: packets are
 * leaving by all its ports, or its reception bus is taken. When that ends, another event wakes the
 * node. (Saves a saturated run a sixth of its steps.)
 */
static bool must_wait(const struct torus_router *r, unsigned receiver,
                      const struct torus_packet *packet, cycle_t now)
{
    unsigned hint = packet->hint;
    if (!hint)
        return !(packet->flags & TORUS_HIGH) && (r->busy_reception[0] >> receiver & 1);
    return !(hint & ~(unsigned)r->sending) && !(hint & free_links(r, now));
}

/* A packet has come through the input pipeline. */
WEFT_INLINE void apply_arrival(struct torus_part *p, struct torus_router *r, uint32_t node,
                               unsigned port, unsigned vc, uint32_t index, cycle_t now)
{
    const struct torus_derived *d = p->derived;
    unsigned q = port * d->receiver_queues + vc;
    unsigned tokens = vc_tokens(d, vc, &p->pool[index]);
    bool waits = !p->unavailable && must_wait(r, port, &p->pool[index], now);
    bool bypass = !waits && (int32_t)r->filled[vc][port] <= d->bypass_chunks[vc];
    r->filled[vc][port] = (uint8_t)(r->filled[vc][port] + tokens);
    part_occupy(&p->base, torus_slot(node, port), vc, (int)tokens);
    if (bypass) {
        r->port[port].arrival = index;
        r->arrived |= (uint8_t)(1u << port);
        mark_dirty(p, r, node, DIRTY_OTHER);
        return;
    }
    torus_enqueue(p, r, node, q, index, now + p->params->vc_fifo_cycles);
    if (!waits && queue_at(p, node, q)->head == index)
        mark_dirty(p, r, node, DIRTY_OTHER);
}

/* `lossy`: links make errors; a compile-time constant. */
WEFT_INLINE void apply_event(struct torus_part *p, event_t e, cycle_t now, bool lossy)
{
    uint32_t node = event_node(e);
    struct torus_router *r = &p->router[node];
    unsigned port = event_port(e), vc = event_vc(e);
    uint8_t bit = (uint8_t)(1u << port);
    switch (event_kind(e)) {
    case TORUS_EVENT_ARRIVE:
        apply_arrival(p, r, node, port, vc, event_payload(e), now);
        return;
    case TORUS_EVENT_ACK:
        p->base.cut_dependent_events++;
        if (event_payload(e)) {
            measure_ack(&p->base.measure, now);
            torus_apply_ack(p, r, node, port, vc, event_payload(e));
        } else {
            settle_acks(p, r, node, port, now, now);
        }
        return;
    case TORUS_EVENT_SENT:
        r->sent |= bit;
        mark_dirty(p, r, node, DIRTY_SENT);
        return;
    case TORUS_EVENT_RECEIVED:
        r->received[vc] |= bit;
        break;
    case TORUS_EVENT_LINK_FREE:
        r->watched &= (uint8_t)~bit;
        break;
    case TORUS_EVENT_SOURCE:
        r->refill |= bit;
        break;
    case TORUS_EVENT_CONSUMED:
        p->reception_room[(size_t)node * TORUS_RECEPTION_FIFOS + (event_payload(e) >> 8)] +=
            (uint8_t)event_payload(e);
        break;
    case TORUS_EVENT_STEP:
        break;
    case TORUS_EVENT_OTHER:
        p->network->client.other(p->network->client.ctx, p->base.index, node, port, vc,
                                 event_payload(e), now);
        r->refill |= 1;
        break;
    default:
        if (!lossy)
            __builtin_unreachable();
        torus_link_note(p, node, e);
        break;
    }
    mark_dirty(p, r, node, DIRTY_OTHER);
}

/* Whether a time within 2^31 cycles of `before` has come by `now`, however late `now` is. */
static bool has_come_since(uint32_t time, cycle_t before, cycle_t now)
{
    return has_come(time, before) || time - (uint32_t)before <= now - before;
}

/*
 * Times in routers are low bits of cycles. Every NOTE_REACH cycles, a sweep moves past times to now
 * and counts the acknowledgments that have arrived, so that nothing gets older than its bits can
 * express; it also adds the links' short counters to their long ones.
 */
static void sweep(struct torus_part *p, cycle_t now)
{
    cycle_t before = p->base.wheel.now;
    uint32_t seen_after = p->params->request_cycles;
    for (uint32_t local = 0; local < p->base.nodes; local++) {
        struct torus_router *r = &p->router[local];
        if (has_come_since(r->young_until, before, now))
            r->young = 0;
        for (unsigned port = 0; port < TORUS_PORTS; port++) {
            if (has_come_since(r->link_free[port] + seen_after, before, now)) {
                if (r->link_free[port] != torus_swept(p))
                    p->link_end[torus_slot(local, port)] =
                        before + (cycle_t)(int32_t)(r->link_free[port] - (uint32_t)before);
                r->link_free[port] = (uint32_t)now - seen_after;
            }
            settle_acks(p, r, local, port, before, now);
            p->link_busy[(size_t)local * TORUS_PORTS + port] += r->port[port].link_busy;
            r->port[port].link_busy = 0;
        }
    }
    p->swept = now;
}

/* A node steps once per cycle, whatever its step causes: it stays marked until the step is over. */
WEFT_INLINE void step_nodes(struct torus_part *p, enum dirty_list list, cycle_t now, bool fetches)
{
    struct waves waves;
    if (fetches)
        waves_start(&waves, p, list, now);
    for (uint32_t i = 0; i < p->dirty[list].count; i++) {
        uint32_t node = p->dirty[list].node[i];
        if (fetches) {
            stage_now = TORUS_STAGE_FETCH;
            waves_move(&waves, p, i, now);
        }
        p->step(p, node, now);
        p->router[node].dirty = 0;
    }
    p->dirty[list].count = 0;
}

WEFT_INLINE void run_cycle(struct torus_part *p, cycle_t now, bool lossy, bool fetches)
{
    struct wheel *w = &p->base.wheel;
    p->slq_cycle = (uint32_t)(now % p->params->slq_period_cycles);
    stage_now = TORUS_STAGE_EVENTS;
    struct scout scout = {.time = 0};
    if (fetches)
        scout = scout_start(p, now);
    for (struct wheel_chain c = wheel_take(w, now); c.block; c = wheel_next_block(w, c)) {
        w->events += c.count;
        for (uint32_t i = 0; i < c.count; i++) {
            if (fetches)
                scout_move(&scout, p);
            apply_event(p, wheel_events(w, c)[i], now, lossy);
        }
    }
    step_nodes(p, DIRTY_SENT, now, fetches);
    step_nodes(p, DIRTY_OTHER, now, fetches);
    stage_now = TORUS_STAGE_ENGINE;
}

WEFT_INLINE void advance_part(struct torus_part *p, cycle_t until, bool lossy)
{
    cycle_t now;
    while (part_next_cycle(&p->base, until, &now)) {
        if (now - p->swept >= NOTE_REACH)
            sweep(p, now);
        if (p->fetches)
            run_cycle(p, now, lossy, true);
        else
            run_cycle(p, now, lossy, false);
    }
}

void torus_advance(struct network_part *part, cycle_t until)
{
    struct torus_part *p = (struct torus_part *)part;
    if (p->links)
        advance_part(p, until, true);
    else
        advance_part(p, until, false);
}

void torus_receive(struct network_part *part, const struct channel_buffer *messages)
{
    struct torus_part *p = (struct torus_part *)part;
    const unsigned char *body = messages->body;
    for (uint32_t i = 0; i < messages->count; i++) {
        event_t e = messages->message[i].event;
        if (event_kind(e) == TORUS_EVENT_ACK) {
            note_ack(p, event_node(e), event_port(e), event_vc(e), event_payload(e),
                     messages->message[i].time);
            continue;
        }
        if (event_kind(e) == TORUS_EVENT_ARRIVE || event_kind(e) == TORUS_EVENT_FRAME) {
            make_room(p);
            e = part_unpack(&p->base, e, &body, torus_pool(p));
        }
        wheel_push(&p->base.wheel, messages->message[i].time, e);
        if (p->fetches)
            fetch_event(p, e);
    }
}

/* ---- for clients ---- */

void torus_inject(struct network_part *part, uint32_t local, unsigned fifo,
                  const struct torus_packet *packet, uint64_t cargo, cycle_t ready)
{
    struct torus_part *p = (struct torus_part *)part;
    struct torus_router *r = &p->router[local];
    unsigned q = TORUS_PORTS * p->derived->receiver_queues + fifo;
    uint32_t index = pool_get(p);
    WEFT_CHECK(packet->hint & r->links, "node %u injects a packet with hint bits 0x%x", r->node,
               packet->hint);
    p->pool[index] = *packet;
    if (p->cargo)
        p->cargo[index] = cargo;
    p->base.measure.generated++;
    r->fifo_filled[fifo] += packet->chunks;
    if (__builtin_expect(p->links != NULL, 0)) {
        uint32_t *sum = &p->links->checksum[(size_t)local * TORUS_FIFOS + fifo];
        *sum = wire_crc(p, *sum, r->node, packet, 0);
    }
    torus_enqueue(p, r, local, q, index, ready);
}

void torus_wake(struct network_part *part, uint32_t local, unsigned fifo, cycle_t when)
{
    wheel_push(&part->wheel, when, event_make(TORUS_EVENT_SOURCE, local, fifo, 0, 0));
}

uint32_t torus_fifo_chunks(const struct network_part *part, uint32_t local, unsigned fifo)
{
    return ((const struct torus_part *)part)->router[local].fifo_filled[fifo];
}

void torus_consume(struct network_part *part, uint32_t local, unsigned fifo, uint32_t chunks,
                   cycle_t when)
{
    wheel_push(&part->wheel, when,
               event_make(TORUS_EVENT_CONSUMED, local, 0, 0, fifo << 8 | chunks));
}

uint32_t torus_reception_chunks(const struct network_part *part, uint32_t local, unsigned fifo)
{
    const struct torus_part *p = (const struct torus_part *)part;
    return p->params->reception_fifo_bytes / TORUS_CHUNK_BYTES -
           p->reception_room[(size_t)local * TORUS_RECEPTION_FIFOS + fifo];
}

void torus_client_event(struct network_part *part, uint32_t local, unsigned what, unsigned more,
                        uint32_t payload, cycle_t when)
{
    wheel_push(&part->wheel, when, event_make(TORUS_EVENT_OTHER, local, what, more, payload));
}

void torus_client_event_far(struct network_part *part, uint32_t channel, uint32_t local,
                            unsigned what, unsigned more, uint32_t payload, cycle_t when)
{
    struct torus_part *p = (struct torus_part *)part;
    part_ship(&p->base, &p->network->base.engine.channel[channel], when,
              event_make(TORUS_EVENT_OTHER, local, what, more, payload), false, torus_pool(p));
}

uint32_t torus_connect(struct torus_network *n, uint32_t from, uint32_t to)
{
    return engine_connect(&n->base.engine, from, to);
}

void torus_extend_run(struct network_part *part, cycle_t when)
{
    cycle_t *last = &part->measure.last_read;
    *last = when > *last ? when : *last;
}
