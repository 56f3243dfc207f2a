/* Summing the loads of planes. */
#include "topology/torus/bound.h"

#include <stdlib.h>

#include "base/memory.h"

void bound_init(struct bound *b, const struct torus *torus)
{
    *b = (struct bound){.torus = torus};
    for (unsigned d = 0; d < torus->dims; d++)
        b->step[d] = memory_alloc(torus->size[d] + 1, sizeof(*b->step[d]));
}

void bound_fini(struct bound *b)
{
    for (unsigned d = 0; d < b->torus->dims; d++)
        free(b->step[d]);
}

/* Packets that go `hops` planes plus (or minus) from coordinate `from`. */
static void add_run(struct bound *b, unsigned dim, uint32_t from, uint32_t hops, bool minus,
                    double packets)
{
    uint32_t size = b->torus->size[dim];
    uint32_t first = minus ? (from + size - hops) % size : from, end = first + hops;
    double(*step)[2] = b->step[dim];
    step[first][minus] += packets;
    step[end < size ? end : size][minus] -= packets;
    if (end > size) { /* continues from the first plane */
        step[0][minus] += packets;
        step[end - size][minus] -= packets;
    }
}

void bound_add_dim(struct bound *b, unsigned dim, uint32_t from, uint32_t to, double packets)
{
    bool tie;
    int32_t offset = torus_offset(b->torus, dim, from, to, &tie);
    uint32_t hops = (uint32_t)abs(offset);
    add_run(b, dim, from, hops, offset < 0, tie ? packets / 2 : packets);
    if (tie)
        add_run(b, dim, from, hops, true, packets / 2);
}

void bound_add(struct bound *b, uint32_t from, uint32_t to, double packets)
{
    uint32_t a[TORUS_MAX_DIMS], c[TORUS_MAX_DIMS];
    torus_coordinates(b->torus, from, a);
    torus_coordinates(b->torus, to, c);
    for (unsigned d = 0; d < b->torus->dims; d++)
        bound_add_dim(b, d, a[d], c[d], packets);
}

void bound_add_uniform(struct bound *b, uint32_t dims, double packets)
{
    const struct torus *t = b->torus;
    double group = 1;
    for (unsigned d = 0; d < t->dims; d++)
        if (dims >> d & 1)
            group *= t->size[d];
    if (group == 1)
        return;
    for (unsigned d = 0; d < t->dims; d++) {
        uint32_t size = t->size[d];
        if (!(dims >> d & 1) || size == 1)
            continue;
        /* Between two coordinates of a line: all packets of its nodes except to themselves. */
        double lines = (double)t->nodes / size;
        double pair = packets * lines * (group / size) / (group - 1);
        if (t->wrap[d]) {
            /* A ring is the same everywhere: the total of hops, half each way, over `size` planes.
             */
            double hops = size % 2 ? (size * size - 1.0) / 4 : size * size / 4.0;
            for (int minus = 0; minus < 2; minus++)
                b->step[d][0][minus] += pair * hops / 2;
        } else {
            /* (plane + 1) (size - plane - 1) pairs each way; the difference is linear. */
            for (uint32_t plane = 0; plane < size; plane++)
                for (int minus = 0; minus < 2; minus++)
                    b->step[d][plane][minus] += pair * (size - 2.0 * plane - 1);
        }
    }
}

double bound_worst(const struct bound *b, double slot, double ack)
{
    double worst = 0;
    for (unsigned d = 0; d < b->torus->dims; d++) {
        double links = (double)b->torus->nodes / b->torus->size[d], plus = 0, minus = 0;
        for (uint32_t plane = 0; plane < b->torus->size[d]; plane++) {
            plus += b->step[d][plane][0];
            minus += b->step[d][plane][1];
            double more = plus > minus ? plus * slot + minus * ack : minus * slot + plus * ack;
            if (more / links > worst)
                worst = more / links;
        }
    }
    return worst;
}

double bound_peak_utilisation(const struct bound *b, double slot, double ack)
{
    double worst = bound_worst(b, slot, ack), busy = 0;
    for (unsigned d = 0; d < b->torus->dims; d++) {
        double load = 0;
        for (uint32_t plane = 0; plane < b->torus->size[d]; plane++) {
            load += b->step[d][plane][0] + b->step[d][plane][1];
            busy += load * (slot + ack);
        }
    }
    return worst > 0 ? busy / ((double)torus_links(b->torus) * worst) : 0;
}
