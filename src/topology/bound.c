/* Loads of planes, summed. */
#include "topology/bound.h"

#include <stdlib.h>

#include "base/memory.h"

void bound_init(struct bound *b, const struct torus *torus)
{
    *b = (struct bound){.torus = torus};
    for (unsigned d = 0; d < torus->dims; d++)
        b->load[d] = weft_alloc(torus->size[d], sizeof(*b->load[d]));
}

void bound_fini(struct bound *b)
{
    for (unsigned d = 0; d < b->torus->dims; d++)
        free(b->load[d]);
}

/* Packets that go `hops` planes plus (or minus) from coordinate `from`. */
static void add_run(struct bound *b, unsigned dim, uint32_t from, uint32_t hops, bool minus,
                    double packets)
{
    uint32_t size = b->torus->size[dim];
    uint32_t plane = minus ? (from + size - hops) % size : from;
    for (uint32_t i = 0; i < hops; i++) {
        b->load[dim][plane][minus] += packets;
        plane = plane + 1 == size ? 0 : plane + 1;
    }
}

void bound_add_dim(struct bound *b, unsigned dim, uint32_t from, uint32_t to, double packets)
{
    bool tie;
    int32_t offset = torus_offset(b->torus, dim, from, to, &tie);
    uint32_t hops = (uint32_t)abs(offset);
    if (tie) {
        add_run(b, dim, from, hops, false, packets / 2);
        add_run(b, dim, from, hops, true, packets / 2);
    } else {
        add_run(b, dim, from, hops, offset < 0, packets);
    }
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
        /* Between two coordinates of a line: all packets of the line's nodes, but to themselves. */
        double lines = (double)t->nodes / size;
        double pair = packets * lines * (group / size) / (group - 1);
        if (t->wrap[d]) {
            /* A ring is alike everywhere: hops in all, half each way, over `size` planes. */
            double hops = size % 2 ? (size * size - 1.0) / 4 : size * size / 4.0;
            for (uint32_t plane = 0; plane < size; plane++)
                for (int minus = 0; minus < 2; minus++)
                    b->load[d][plane][minus] += pair * hops / 2;
        } else {
            for (uint32_t plane = 0; plane + 1 < size; plane++)
                for (int minus = 0; minus < 2; minus++)
                    b->load[d][plane][minus] += pair * (plane + 1.0) * (size - plane - 1.0);
        }
    }
}

double bound_worst(const struct bound *b, double slot, double ack)
{
    double worst = 0;
    for (unsigned d = 0; d < b->torus->dims; d++) {
        double links = (double)b->torus->nodes / b->torus->size[d];
        for (uint32_t plane = 0; plane < b->torus->size[d]; plane++)
            for (int minus = 0; minus < 2; minus++) {
                double busy = b->load[d][plane][minus] * slot + b->load[d][plane][!minus] * ack;
                if (busy / links > worst)
                    worst = busy / links;
            }
    }
    return worst;
}

double bound_peak_utilisation(const struct bound *b, double slot, double ack)
{
    double worst = bound_worst(b, slot, ack), busy = 0;
    for (unsigned d = 0; d < b->torus->dims; d++)
        for (uint32_t plane = 0; plane < b->torus->size[d]; plane++)
            busy += (b->load[d][plane][0] + b->load[d][plane][1]) * (slot + ack);
    return worst > 0 ? busy / ((double)torus_links(b->torus) * worst) : 0;
}
