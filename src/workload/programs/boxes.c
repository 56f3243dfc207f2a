/*
 * All-to-alls by single packets within boxes of equal size, all at once, as users of Blue Gene/L's
 * packet layer wrote them: the exchanges of a three-dimensional Fourier transform.
 *
 *   arguments: BYTES to each, then the box's size along each axis (1: no others along it), ROUNDS
 *
 * The machine is a whole torus or mesh with a process on each node, in the order of nodes.
 */
#include "workload/programs/builtin.h"

struct boxes {
    uint32_t size[WEFT_DIMS_MOST], members, me;
};

/* Its arguments, and where this process is in its box. */
static struct boxes boxes_of(weft_task *t)
{
    struct boxes b = {.members = 1};
    uint64_t index = 0, scale = 1;
    for (uint32_t d = 0; d < t->dims; d++) {
        b.size[d] = (uint32_t)program_number(t, 1 + (int)d, t->dim[d]);
        if (!b.size[d] || t->dim[d] % b.size[d])
            weft_fail(t, "the box does not divide the machine");
        b.me += t->coordinate[d] % b.size[d] * b.members;
        b.members *= b.size[d];
        index += t->coordinate[d] * scale;
        scale *= t->dim[d];
    }
    if (!t->packet_bytes || !t->dims || index != t->rank || scale != t->size)
        weft_fail(t, "boxes needs a torus whose processors write packets, with a process on each "
                     "node, in the order of nodes");
    return b;
}

/* The process of a member of this one's box. */
static uint32_t member_at(const weft_task *t, const struct boxes *b, uint32_t member)
{
    uint32_t rank = 0, scale = 1;
    for (uint32_t d = 0; d < t->dims; d++) {
        rank += (t->coordinate[d] / b->size[d] * b->size[d] + member % b->size[d]) * scale;
        member /= b->size[d];
        scale *= t->dim[d];
    }
    return rank;
}

static void exchange(weft_task *t, const struct boxes *b, uint64_t bytes)
{
    uint64_t got = 0, due = bytes * (b->members - 1);
    for (uint64_t first = 0; first < bytes; first += t->packet_bytes) {
        uint64_t left = bytes - first;
        uint32_t piece = left < t->packet_bytes ? (uint32_t)left : t->packet_bytes;
        for (uint32_t i = 1; i < b->members; i++)
            weft_send_packet(t, member_at(t, b, (b->me + i) % b->members), NULL, piece);
    }
    while (got < due)
        got += weft_receive_packet(t, NULL, 0).bytes;
    if (got > due)
        weft_fail(t, "got more than was sent");
}

void program_boxes(weft_task *t)
{
    uint64_t bytes = program_number(t, 0, 64);
    struct boxes b = boxes_of(t);
    uint64_t rounds = program_number(t, 1 + (int)t->dims, 1);
    for (uint64_t i = 0; i < rounds; i++) {
        exchange(t, &b, bytes);
        weft_barrier(t);
    }
}
