/* Packets as engines know them, in FIFOs. */
#include "fabric/torus/network.h"

#include "base/random.h"

uint32_t torus_face_payload(uint32_t header_bytes)
{
    return TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES - header_bytes;
}

/* ---- sending ---- */

/* The FIFO that takes a packet; TORUS_NORMAL_FIFOS: none has room. */
static unsigned find_fifo(const struct torus_face *f, const struct network_part *part,
                          uint32_t local, const struct torus_packet *packet)
{
    unsigned first = address_first_port(&f->addressing, packet);
    unsigned tries = packet->flags & TORUS_DYNAMIC ? TORUS_NORMAL_FIFOS : 1;
    for (unsigned i = 0; i < tries; i++) {
        unsigned fifo = (first + i) % TORUS_NORMAL_FIFOS;
        uint32_t chunks = torus_fifo_chunks(part, local, fifo) + packet->chunks;
        if (chunks * TORUS_CHUNK_BYTES <= f->router->injection_fifo_bytes)
            return fifo;
    }
    return TORUS_NORMAL_FIFOS;
}

static bool inject(const struct face *base, struct network_part *part, uint32_t local,
                   unsigned port, const struct face_packet *p, cycle_t *free_at)
{
    const struct torus_face *f = (const struct torus_face *)base;
    uint32_t chunks = torus_chunks(f->header_bytes + p->bytes);
    (void)port;
    struct torus_packet packet = {
        .birth = p->birth,
        .source = p->source,
        .sequence = p->sequence,
        .chunks = (uint8_t)chunks,
        .flags = p->flags & FACE_ADAPTIVE ? TORUS_DYNAMIC : 0,
        .tag = p->flags,
        .padding = (uint8_t)(chunks * TORUS_CHUNK_BYTES - f->header_bytes - p->bytes)};
    /* Of two equally long ways, packets that keep their order always take the same. */
    const struct torus *t = f->addressing.torus;
    uint64_t pair = (uint64_t)wiring_number(t, p->source) << 32 | wiring_number(t, p->destination);
    uint64_t draw = random_mix(pair);
    draw = p->flags & FACE_ADAPTIVE ? random_mix(draw + p->sequence) : draw;
    address_packet(&f->addressing, p->source, p->destination, draw, &packet);
    unsigned fifo = find_fifo(f, part, local, &packet);
    if (fifo == TORUS_NORMAL_FIFOS)
        return false;
    *free_at = part_now(part);
    torus_inject(part, local, fifo, &packet, p->cargo,
                 part_now(part) + f->router->arbitration_cycles);
    return true;
}

static bool leads(const struct face *base, const struct network_part *part, uint32_t local,
                  uint32_t to, uint64_t route)
{
    const struct torus_face *f = (const struct torus_face *)base;
    const struct torus *t = f->addressing.torus;
    return to < t->nodes && wiring_joins(t, part->members[local], to) && !route;
}

/* ---- receiving ---- */

static void prepare(void *ctx, struct network_part *part)
{
    struct torus_face *f = ctx;
    f->client.prepare(f->client.ctx, part);
}

static void refill(void *ctx, struct network_part *part, uint32_t local, uint32_t node,
                   unsigned fifos, cycle_t now)
{
    struct torus_face *f = ctx;
    (void)fifos; /* the engine looks at all */
    f->client.serve(f->client.ctx, part, local, node, now);
}

static void deliver(void *ctx, struct network_part *part, uint32_t local, uint32_t node,
                    const struct torus_packet *packet, uint64_t cargo, unsigned fifo, cycle_t when)
{
    struct torus_face *f = ctx;
    uint32_t chunks = packet->chunks;
    struct face_packet out = {.birth = packet->birth,
                              .cargo = cargo,
                              .source = packet->source,
                              .sequence = packet->sequence,
                              .destination = node,
                              .bytes =
                                  chunks * TORUS_CHUNK_BYTES - f->header_bytes - packet->padding,
                              .flags = packet->tag};
    struct face_taken taken = f->client.deliver(f->client.ctx, part, local, &out, when);
    if (f->router->reception_fifo_bytes)
        torus_consume(part, local, fifo, chunks, taken.done > when ? taken.done : when);
}

/* ---- life cycle ---- */

struct torus_client torus_face_client(struct torus_face *f, struct face_client client)
{
    f->client = client;
    return (struct torus_client){
        .ctx = f, .prepare = prepare, .refill = refill, .deliver = deliver, .cargoes = true};
}

weft_status torus_face_init(struct torus_face *f, const struct torus *torus,
                            const struct torus_params *router, const struct torus_faults *faults,
                            uint32_t header_bytes)
{
    struct torus_derived derived;
    TRY(torus_params_derive(router, &derived));
    *f = (struct torus_face){.face = {.routes_most = 1,
                                      .ports = 1,
                                      .overtaking = true,
                                      .cycles_per_us = router->link_mb_per_s,
                                      .inject = inject,
                                      .leads = leads},
                             .addressing =
                                 addressing_make(torus, router, &derived, faults, HINTS_SOFTWARE),
                             .router = router,
                             .header_bytes = header_bytes};
    return WEFT_OK;
}
