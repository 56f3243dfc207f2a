/* Bytes of packets and control lines, and errors in them. */
#include "fabric/tofu/state.h"

#include "base/crc.h"
#include "fabric/errors.h"

enum { HEADER_LINES = 4, FRAME_BYTES = TOFU_MAX_LINES * TOFU_LINE_BYTES };

static uint64_t third_word(const struct tofu_packet *packet)
{
    uint64_t word = 0;
    unsigned left = 64;
    put_bits(&word, &left, 32, packet->sequence);
    put_bits(&word, &left, 9, packet->lines);
    put_bits(&word, &left, 8, packet->number);
    put_bits(&word, &left, 2, packet->vc);
    put_bits(&word, &left, 2, packet->engine);
    put_bits(&word, &left, 8, packet->flags);
    return word;
}

/* The shortest packets, of the barrier interface, have no room for the fourth line of a header:
 * their last line is the CRC's. */
static uint32_t pack(const struct tofu_packet *packet, uint8_t *bytes)
{
    uint32_t size = packet->lines * TOFU_LINE_BYTES;
    put_bytes(bytes, 8, packet->route);
    put_bytes(bytes + 8, 4, packet->destination);
    put_bytes(bytes + 12, 4, packet->source);
    put_bytes(bytes + 16, 8, third_word(packet));
    for (uint32_t at = 24; at < size - 8; at += 8)
        put_bytes(bytes + at, 8, payload_word(packet->source, packet->sequence, at));
    put_bytes(bytes + size - 8, 8, crc_update(CRC_32, 0, bytes, size - 8));
    return size;
}

/* What the receiver takes for a packet; false: it is none of this length. */
static bool unpack(const uint8_t *bytes, struct tofu_packet *packet)
{
    uint64_t word = get_bytes(bytes + 16, 8);
    unsigned left = 64;
    packet->route = get_bytes(bytes, 8);
    take_bits(word, &left, 32);
    if (take_bits(word, &left, 9) != packet->lines)
        return false;
    take_bits(word, &left, 8);
    packet->vc = (uint8_t)take_bits(word, &left, 2);
    packet->engine = (uint8_t)take_bits(word, &left, 2);
    packet->flags = (uint8_t)((packet->flags & TOFU_POISONED) |
                              (take_bits(word, &left, 8) & (TOFU_BARRIER | TOFU_IO)));
    return true;
}

enum tofu_wire tofu_wire_packet(struct tofu_part *p, const struct tofu_node *s, unsigned output,
                                struct tofu_packet *packet, cycle_t time)
{
    struct error_source *errors =
        &p->links->sender[(size_t)(s - p->node) * TOFU_LINKS + output].errors;
    const struct error_params *rates = &p->params->errors;
    uint32_t bits = 8u * packet->lines * TOFU_LINE_BYTES;
    uint8_t bytes[FRAME_BYTES];
    part_count(&p->base, LINK_PACKETS);
    if (!errors_will_hit(errors, rates, s->node, output, time, bits))
        return TOFU_WIRE_GOOD;
    uint32_t size = pack(packet, bytes);
    unsigned flipped = errors_pass(errors, rates, s->node, output, time, bytes, bits);
    p->base.measure.link[LINK_FLIPPED] += flipped;
    if (!flipped)
        return TOFU_WIRE_GOOD;
    part_count(&p->base, LINK_CORRUPTED);
    if (get_bytes(bytes + size - 8, 8) == crc_update(CRC_32, 0, bytes, size - 8)) {
        part_count(&p->base, LINK_ESCAPED);
        return TOFU_WIRE_GOOD; /* once in 2^32: it continues as it was */
    }
    part_count(&p->base, LINK_PACKET_CRC);
    return unpack(bytes, packet) ? TOFU_WIRE_BAD : TOFU_WIRE_NO_HEAD;
}

/* A bad link is bad for control lines, too: they leave by the same wires as packets the other way.
 */
bool tofu_wire_control(struct tofu_part *p, const struct tofu_node *s, unsigned input,
                       uint32_t words, cycle_t time)
{
    struct tofu_receiver *x = &p->links->receiver[(size_t)(s - p->node) * TOFU_LINKS + input];
    const struct error_params *rates = &p->params->errors;
    uint8_t bytes[TOFU_LINE_BYTES];
    part_count(&p->base, LINK_ACKS);
    if (!errors_will_hit(&x->errors, rates, s->node, input, time, 8 * TOFU_LINE_BYTES))
        return true;
    put_bytes(bytes, 4, words);
    put_bytes(bytes + 4, 4, crc_update(CRC_32, 0, bytes, 4));
    unsigned flipped =
        errors_pass(&x->errors, rates, s->node, input, time, bytes, 8 * TOFU_LINE_BYTES);
    p->base.measure.link[LINK_FLIPPED] += flipped;
    if (!flipped)
        return true;
    bool escaped = get_bytes(bytes + 4, 4) == crc_update(CRC_32, 0, bytes, 4);
    part_count(&p->base, escaped ? LINK_ESCAPED : LINK_ACK_CRC);
    return false;
}
