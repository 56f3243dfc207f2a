/* Setting hint bits at injection. */
#include "fabric/torus/hints.h"

struct cutoffs hints_cutoffs(const struct torus *t, unsigned dim, const uint32_t *coordinate)
{
    int32_t size = (int32_t)t->size[dim], here = (int32_t)coordinate[dim];
    if (!t->wrap[dim])
        return (struct cutoffs){size - 1, 0};
    uint32_t parity = 0;
    for (unsigned d = 0; d < t->dims; d++)
        parity ^= coordinate[d];
    /* The last coordinate that is at most (or, for odd nodes, less than) half a ring away. */
    int32_t half = size / 2, below_half = (size - 1) / 2;
    return parity & 1 ? (struct cutoffs){here + below_half, here - half}
                      : (struct cutoffs){here + half, here - below_half};
}

/* Whether a packet goes plus, by the registers. */
static bool goes_plus(struct cutoffs c, uint32_t here, uint32_t to)
{
    return here < to ? (int32_t)to <= c.plus : (int32_t)to < c.minus;
}

/* No branches on where the packet goes: they could not be predicted. */
void hints_set(const struct torus *t, enum hint_source source, uint32_t from, uint32_t to,
               uint64_t draw, struct torus_packet *packet)
{
    uint32_t a[TORUS_MAX_DIMS], b[TORUS_MAX_DIMS];
    torus_coordinates(t, from, a);
    torus_coordinates(t, to, b);
    unsigned hint = 0;
    for (unsigned d = 0; d < t->dims; d++) {
        bool ahead = b[d] > a[d], plus = ahead;
        uint32_t hops = ahead ? b[d] - a[d] : a[d] - b[d];
        if (t->wrap[d]) {
            uint32_t ring = t->size[d], around = ring - hops;
            uint32_t forth = ahead ? hops : around; /* if it goes plus */
            hops = hops < around ? hops : around;
            plus = source == HINTS_HARDWARE ? goes_plus(hints_cutoffs(t, d, a), a[d], b[d])
                                            : 2 * forth < ring + (draw >> d & 1);
        }
        packet->hops[d] = (uint16_t)hops;
        hint |= (unsigned)(hops != 0) << (2 * d + !plus);
    }
    packet->hint = (uint8_t)hint;
}
