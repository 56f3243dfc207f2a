/* Bytes of data and control packets, and errors in them. */
#include "fabric/crosspoint/state.h"

#include <string.h>

#include "base/crc.h"
#include "fabric/errors.h"

enum {
    START_MARK = 0xfb,
    END_MARK = 0xfd,
    TYPE_DATA = 1,
    TYPE_POISONED = 14,
    TYPE_RECOVER = 15,
    FRAME_BYTES = CROSSPOINT_MAX_WORDS * CROSSPOINT_WORD_BYTES,
};

static uint64_t header(const struct crosspoint_packet *packet)
{
    uint64_t word = 0;
    unsigned left = 64;
    put_bits(&word, &left, 8, START_MARK);
    put_bits(&word, &left, 32, packet->route);
    put_bits(&word, &left, 4, packet->vc);
    put_bits(&word, &left, 5, packet->words);
    put_bits(&word, &left, 4, packet->number);
    put_bits(&word, &left, 4, packet->entry);
    return word;
}

/* The trailer, with the CRC in its place. */
static uint64_t trailer(const struct crosspoint_packet *packet, enum frame_kind kind, uint32_t crc)
{
    uint64_t word = 0;
    unsigned left = 64;
    unsigned type = kind == FRAME_RECOVER                 ? TYPE_RECOVER
                    : packet->flags & CROSSPOINT_POISONED ? TYPE_POISONED
                                                          : TYPE_DATA;
    put_bits(&word, &left, 8, END_MARK);
    put_bits(&word, &left, 32, crc);
    put_bits(&word, &left, 4, type);
    put_bits(&word, &left, 20, packet->sequence);
    return word;
}

/* The CRC of a frame, with its own field taken as zero. */
static uint32_t frame_crc(const uint8_t *bytes, uint32_t size)
{
    uint8_t last[8];
    uint64_t word = get_bytes(bytes + size - 8, 8) & ~(0xffffffffull << 24);
    put_bytes(last, 8, word);
    return crc_update(CRC_32, crc_update(CRC_32, 0, bytes, size - 8), last, 8);
}

static uint32_t pack(const struct crosspoint_packet *packet, enum frame_kind kind, uint8_t *bytes)
{
    uint32_t size = packet->words * CROSSPOINT_WORD_BYTES;
    put_bytes(bytes, 8, header(packet));
    for (uint32_t at = 8; at < size - 8; at += 8)
        put_bytes(bytes + at, 8, payload_word(packet->source, packet->sequence, at));
    put_bytes(bytes + size - 8, 8, trailer(packet, kind, 0));
    put_bytes(bytes + size - 8, 8, trailer(packet, kind, frame_crc(bytes, size)));
    return size;
}

enum crosspoint_wire crosspoint_wire_frame(struct crosspoint_part *p,
                                           const struct crosspoint_node *s, unsigned output,
                                           struct crosspoint_packet *packet, enum frame_kind kind,
                                           cycle_t time)
{
    struct error_source *errors =
        &p->links->sender[(size_t)(s - p->node) * p->degree + output].errors;
    const struct error_params *rates = &p->params->errors;
    uint32_t bits = 8u * packet->words * CROSSPOINT_WORD_BYTES;
    uint8_t bytes[FRAME_BYTES];
    part_count(&p->base, LINK_PACKETS);
    if (!errors_will_hit(errors, rates, s->node, output, time, bits))
        return WIRE_GOOD;
    uint32_t size = pack(packet, kind, bytes);
    unsigned flipped = errors_pass(errors, rates, s->node, output, time, bytes, bits);
    p->base.measure.link[LINK_FLIPPED] += flipped;
    if (!flipped)
        return WIRE_GOOD;
    part_count(&p->base, LINK_CORRUPTED);
    uint32_t crc = (uint32_t)(get_bytes(bytes + size - 8, 8) >> 24);
    if (crc == frame_crc(bytes, size)) {
        part_count(&p->base, LINK_ESCAPED);
        return WIRE_GOOD; /* once in 2^32: it continues as it was */
    }
    part_count(&p->base, LINK_PACKET_CRC);
    uint64_t word = get_bytes(bytes, 8);
    unsigned left = 64;
    if (take_bits(word, &left, 8) != START_MARK)
        return WIRE_NO_HEAD;
    packet->route = (uint32_t)take_bits(word, &left, 32);
    packet->vc = (uint8_t)take_bits(word, &left, 4);
    take_bits(word, &left, 5); /* the end mark gives the length, too */
    take_bits(word, &left, 4);
    packet->entry = (uint8_t)take_bits(word, &left, 4);
    return WIRE_BAD;
}

/* bad_links are data links: their drivers fail, and the retries with them (KAUTZ, 6.3). The control
 * link has drivers of its own. */
#define NO_LINK GRAPH_NONE, 0

bool crosspoint_wire_control(struct crosspoint_part *p, const struct crosspoint_node *s,
                             unsigned input, cycle_t time)
{
    struct crosspoint_receiver *x = &p->links->receiver[(size_t)(s - p->node) * p->degree + input];
    const struct error_params *rates = &p->params->errors;
    uint32_t size = p->params->control_bytes, outputs = p->derived->ports;
    uint8_t bytes[256] = {START_MARK, (uint8_t)(x->last << 4 | x->error)};
    part_count(&p->base, LINK_ACKS);
    if (!errors_will_hit(&x->errors, rates, NO_LINK, time, 8 * size))
        return true;
    for (unsigned i = 0; i < outputs; i++)
        put_bytes(bytes + 2 + 2 * i, 2, x->used[i]);
    put_bytes(bytes + size - 4, 4, crc_update(CRC_32, 0, bytes, size - 4));
    unsigned flipped = errors_pass(&x->errors, rates, NO_LINK, time, bytes, 8 * size);
    p->base.measure.link[LINK_FLIPPED] += flipped;
    if (!flipped)
        return true;
    bool escaped = get_bytes(bytes + size - 4, 4) == crc_update(CRC_32, 0, bytes, size - 4);
    part_count(&p->base, escaped ? LINK_ESCAPED : LINK_ACK_CRC);
    return false;
}
