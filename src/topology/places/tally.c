/* A summed-volume table. */
#include "topology/places/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static size_t index_of(const struct tally *t, uint32_t x, uint32_t y, uint32_t z)
{
    return x + (size_t)(t->size[0] + 1) * (y + (size_t)(t->size[1] + 1) * z);
}

static size_t sums(const struct tally *t)
{
    return index_of(t, t->size[0], t->size[1], t->size[2]) + 1;
}

void tally_init(struct tally *t, const uint32_t size[SPACE_AXES])
{
    memcpy(t->size, size, sizeof(t->size));
    t->sum = memory_alloc(sums(t), sizeof(*t->sum));
}

void tally_fini(struct tally *t)
{
    free(t->sum);
    t->sum = NULL;
}

void tally_clear(struct tally *t)
{
    memset(t->sum, 0, sums(t) * sizeof(*t->sum));
}

void tally_add(struct tally *t, const uint32_t at[SPACE_AXES])
{
    t->sum[index_of(t, at[0] + 1, at[1] + 1, at[2] + 1)]++;
}

/* Along one axis after the other. */
void tally_sum(struct tally *t)
{
    size_t step[SPACE_AXES] = {index_of(t, 1, 0, 0), index_of(t, 0, 1, 0), index_of(t, 0, 0, 1)};
    for (unsigned d = 0; d < SPACE_AXES; d++)
        for (uint32_t z = 1; z <= t->size[2]; z++)
            for (uint32_t y = 1; y <= t->size[1]; y++)
                for (uint32_t x = 1; x <= t->size[0]; x++) {
                    size_t i = index_of(t, x, y, z);
                    t->sum[i] += t->sum[i - step[d]];
                }
}

/* Points from one corner up to another, which lie within the space. */
static uint32_t between(const struct tally *t, const uint32_t from[SPACE_AXES],
                        const uint32_t to[SPACE_AXES])
{
    uint32_t count = 0;
    for (unsigned corner = 0; corner < 8; corner++) {
        uint32_t sum = t->sum[index_of(t, corner & 1 ? from[0] : to[0],
                                       corner & 2 ? from[1] : to[1], corner & 4 ? from[2] : to[2])];
        count += __builtin_parity(corner) ? -sum : sum;
    }
    return count;
}

uint32_t tally_in(const struct tally *t, const struct place *p)
{
    uint32_t count = 0, from[SPACE_AXES], to[SPACE_AXES];
    for (unsigned part = 0; part < 8; part++) { /* of each axis, up to its end or from its begin */
        bool any = true;
        for (unsigned d = 0; d < SPACE_AXES; d++) {
            uint32_t end = p->at[d] + p->size[d];
            bool again = part >> d & 1;
            from[d] = again ? 0 : p->at[d];
            to[d] = !again ? (end < t->size[d] ? end : t->size[d])
                           : (end > t->size[d] ? end - t->size[d] : 0);
            any &= to[d] > from[d];
        }
        count += any ? between(t, from, to) : 0;
    }
    return count;
}
