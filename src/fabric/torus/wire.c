/* Bytes of packets and acknowledgments, and errors in them. */
#include "fabric/torus/link.h"

#include <string.h>

#include "base/crc.h"
#include "fabric/errors.h"

enum { HEADER_BYTES = 8, ACK_BYTES = 8 };

/* ---- bytes ---- */

/* The hardware header on the link into `to` (IBM's public BGL_TorusPktSPI.h; the last two bytes are
 * the link's: sequence number and header CRC). */
static void pack_header(const struct torus *machine, uint32_t to, const struct torus_packet *packet,
                        uint8_t sequence, uint8_t bytes[HEADER_BYTES])
{
    uint32_t c[TORUS_MAX_DIMS] = {0};
    uint64_t word = 0;
    unsigned left = 64, hint = 0;
    const struct torus *t = wiring_home(machine, to, c);
    for (unsigned port = 0; port < TORUS_PORTS; port++)
        hint |= (packet->hint >> port & 1u) << (5 - port); /* x+ is the first */
    for (unsigned d = 0; d < t->dims; d++) {
        bool minus = packet->hint >> (2 * d + 1) & 1;
        uint32_t hops = packet->hops[d] % t->size[d];
        c[d] = (minus ? c[d] + t->size[d] - hops : c[d] + hops) % t->size[d];
    }
    put_bits(&word, &left, 8, 0); /* checksum: skip nothing */
    put_bits(&word, &left, 6, hint);
    put_bits(&word, &left, 1, (packet->flags & TORUS_DEPOSIT) != 0);
    put_bits(&word, &left, 1, (packet->flags & TORUS_GROUP1) != 0);
    put_bits(&word, &left, 3, packet->chunks - 1u);
    put_bits(&word, &left, 2, 0);
    put_bits(&word, &left, 1, (packet->flags & TORUS_DYNAMIC) != 0);
    put_bits(&word, &left, 2, packet->vc);
    for (unsigned d = 0; d < 3; d++)
        put_bits(&word, &left, 8, c[d]);
    put_bits(&word, &left, 8, sequence);
    put_bytes(bytes, HEADER_BYTES, word);
    bytes[HEADER_BYTES - 1] = (uint8_t)crc_update(CRC_8, 0, bytes, HEADER_BYTES - 1);
}

/* A packet's payload: arbitrary bytes, always the same for the same packet. */
static void make_payload(const struct torus *t, const struct torus_packet *packet, uint8_t *bytes)
{
    uint32_t source = wiring_number(t, packet->source);
    for (unsigned i = 0; i < torus_packet_bytes(packet) - HEADER_BYTES; i += 8) {
        uint64_t word = payload_word(source, packet->sequence, i + 1);
        memcpy(bytes + i, &word, 8);
    }
}

static void pack_frame(const struct torus *t, uint32_t to, const struct torus_packet *packet,
                       uint8_t sequence, uint8_t bytes[WIRE_FRAME_BYTES])
{
    uint32_t size = torus_packet_bytes(packet);
    pack_header(t, to, packet, sequence, bytes);
    make_payload(t, packet, bytes + HEADER_BYTES);
    bytes[size] = packet->flags & TORUS_GHOST ? 0 : 0xff;
    put_bytes(bytes + size + 1, 3, crc_update(CRC_24, 0, bytes, size + 1));
}

/* Continues a link CRC (or a FIFO's checksum) over a packet. */
uint32_t wire_crc(const struct torus_part *p, uint32_t crc, uint32_t to,
                  const struct torus_packet *packet, uint8_t sequence)
{
    uint8_t bytes[WIRE_FRAME_BYTES];
    pack_header(p->network->torus, to, packet, sequence, bytes);
    make_payload(p->network->torus, packet, bytes + HEADER_BYTES);
    return crc_update(CRC_32, crc, bytes, torus_packet_bytes(packet));
}

/* ---- errors ---- */

static bool will_err(struct torus_part *p, const struct torus_router *r,
                     struct torus_link_sender *s, unsigned port, cycle_t time, uint32_t bits)
{
    return errors_will_hit(&s->errors, &p->params->link.errors, r->node, port, time, bits);
}

static unsigned pass_bits(struct torus_part *p, const struct torus_router *r,
                          struct torus_link_sender *s, unsigned port, cycle_t time, uint8_t *bytes,
                          uint32_t bits)
{
    unsigned flipped =
        errors_pass(&s->errors, &p->params->link.errors, r->node, port, time, bytes, bits);
    p->base.measure.link[LINK_FLIPPED] += flipped;
    return flipped;
}

enum torus_wire wire_frame(struct torus_part *p, const struct torus_router *r,
                           struct torus_link_sender *s, unsigned port,
                           const struct torus_packet *packet, uint8_t sequence, cycle_t time)
{
    uint8_t sent[WIRE_FRAME_BYTES], came[WIRE_FRAME_BYTES];
    uint32_t size = wire_bytes(packet), mask = (1u << p->params->link.crc_bits) - 1;
    part_count(&p->base, LINK_PACKETS);
    if (!will_err(p, r, s, port, time, 8 * size))
        return FRAME_GOOD;
    pack_frame(p->network->torus, torus_neighbour(p->network->torus, r->node, port), packet,
               sequence, sent);
    memcpy(came, sent, size);
    if (!pass_bits(p, r, s, port, time, came, 8 * size))
        return FRAME_GOOD;
    part_count(&p->base, LINK_CORRUPTED);
    if (crc_update(CRC_8, 0, came, HEADER_BYTES - 1) != came[HEADER_BYTES - 1]) {
        part_count(&p->base, LINK_HEADER_CRC);
        return FRAME_BAD_HEADER;
    }
    uint32_t crc = (uint32_t)get_bytes(came + size - 3, 3);
    if ((crc_update(CRC_24, 0, came, size - 3) ^ crc) & mask) {
        part_count(&p->base, LINK_PACKET_CRC);
        return memcmp(sent, came, HEADER_BYTES) ? FRAME_HELD : FRAME_BAD_TAIL;
    }
    part_count(&p->base, LINK_ESCAPED);
    size = torus_packet_bytes(packet); /* what the link CRC covers */
    return crc_update(CRC_32, 0, sent, size) == crc_update(CRC_32, 0, came, size) ? FRAME_GOOD
                                                                                  : FRAME_ESCAPED;
}

/* Whether an acknowledgment arrives as it was sent. */
bool wire_ack(struct torus_part *p, const struct torus_router *r, struct torus_link_sender *s,
              unsigned port, unsigned vc, uint32_t state, cycle_t time)
{
    uint8_t bytes[ACK_BYTES] = {(uint8_t)(0xa0 | vc), (uint8_t)(state >> 8), (uint8_t)state,
                                (uint8_t)(state >> 16)};
    part_count(&p->base, LINK_ACKS);
    if (!will_err(p, r, s, port, time, 8 * ACK_BYTES))
        return true;
    put_bytes(bytes + 5, 3, crc_update(CRC_24, 0, bytes, 5));
    if (!pass_bits(p, r, s, port, time, bytes, 8 * ACK_BYTES))
        return true;
    bool escaped = crc_update(CRC_24, 0, bytes, 5) == get_bytes(bytes + 5, 3);
    part_count(&p->base, escaped ? LINK_ESCAPED : LINK_ACK_CRC);
    return false; /* if no check saw it, its odd numbers would get it dropped */
}
