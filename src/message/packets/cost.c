/* Times of a core, from processor cycles. */
#include "message/packets/packets.h"

fine_t cost_length(const struct packets *p, double cycles)
{
    return fine_length(cycles * p->link_cycles);
}

void cost_spend(struct here *h, enum core_work work, double cycles)
{
    core_spend(&h->loop->core, work, cost_length(h->all, cycles));
}

void cost_software(struct here *h, double cycles)
{
    cost_spend(h, WORK_SOFTWARE, cycles);
}

void cost_combine(struct here *h, uint64_t bytes)
{
    cost_spend(h, WORK_PROGRAM, (double)bytes * h->all->reduce_cycles_per_byte);
}

void cost_copy(struct here *h, uint64_t bytes)
{
    cost_spend(h, WORK_COPY, (double)bytes / h->all->cores.memory_bytes_per_cycle);
}

/* A packet takes as long as its share of a full one. */
static double share(const struct here *h, uint32_t packet_bytes)
{
    return (double)packet_bytes / h->all->cores.packet_bytes;
}

void cost_write(struct here *h, uint32_t packet_bytes, uint64_t message_bytes)
{
    const struct core_params *c = &h->all->cores;
    double full = message_bytes > c->cache_bytes ? c->memory_write_cycles : c->write_cycles;
    cost_software(h, h->all->steps.out_cycles);
    cost_spend(h, WORK_WRITE, full * share(h, packet_bytes));
}

void cost_read(struct here *h, uint32_t packet_bytes)
{
    cost_software(h, h->all->steps.in_cycles);
    cost_spend(h, WORK_READ, h->all->cores.read_cycles * share(h, packet_bytes));
}

void cost_flush(struct here *h)
{
    cost_spend(h, WORK_FLUSH, h->all->cores.flush_cycles);
}

/* Data that are not where the registers want them are copied first. */
void cost_shape_out(struct here *h, uint8_t shape, uint32_t bytes)
{
    if (shape & (SHAPE_UNALIGNED | SHAPE_STRIDED))
        cost_copy(h, bytes);
}

/* Realignment overlaps with the read (MSG, 5.3), all but that of the last quad word. */
void cost_shape_in(struct here *h, uint8_t shape, uint32_t bytes)
{
    enum { QUAD_WORD = 16 };
    if (shape & SHAPE_STRIDED)
        cost_copy(h, bytes);
    else if (shape & SHAPE_UNALIGNED)
        cost_copy(h, bytes < QUAD_WORD ? bytes : QUAD_WORD);
}
