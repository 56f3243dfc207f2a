/* Phases in which all are alike. */
#include "mpi/collective/series.h"

#include <stdlib.h>

static uint32_t after(const struct series *s, uint32_t step)
{
    return (uint32_t)(((uint64_t)s->me + step) % s->size);
}

static uint32_t before(const struct series *s, uint32_t step)
{
    return (s->me + s->size - step % s->size) % s->size;
}

/* ---- gathering at all ---- */

bool phase_allgather_ring(struct series *s, uint32_t round)
{
    if (round == 0) {
        if (!s->o.in_place)
            round_copy(s, in_block(s, s->me), side_block(&s->o.out, s->me));
        return true;
    }
    if (round >= s->size)
        return false;
    round_send_some(s, process_of(s, after(s, 1)), in_block(s, before(s, round - 1)));
    round_receive_some(s, process_of(s, before(s, 1)), in_block(s, before(s, round)));
    return true;
}

/* Packed block i is that of the process i after this one; in the end all go where they belong. */
bool phase_allgather_bruck(struct series *s, uint32_t round)
{
    uint64_t have = round && round < 33 ? 1ull << (round - 1) : 0;
    if (round == 0) {
        round_copy(s, packed_blocks(s, 0, 1),
                   s->o.in_place ? in_block(s, s->me) : side_block(&s->o.out, s->me));
        return true;
    }
    if (have && have < s->size) {
        uint32_t step = (uint32_t)have, more = s->size - step < step ? s->size - step : step;
        round_send(s, process_of(s, before(s, step)), packed_blocks(s, 0, more));
        round_receive(s, process_of(s, after(s, step)), packed_blocks(s, step, more));
        return true;
    }
    if (!have || have / 2 >= s->size)
        return false;
    for (uint32_t i = 0; i < s->size; i++)
        round_copy(s, in_block(s, after(s, i)), packed_blocks(s, i, 1));
    return true;
}

/* By doubling where there is a power of two, else around: only lengths matter. */
bool phase_silent_gather(struct series *s, uint32_t round)
{
    uint64_t have = round < 32 ? 1ull << round : 0;
    if (!have || have >= s->size)
        return false;
    uint64_t more = s->size - have < have ? s->size - have : have;
    round_send_silent(s, process_of(s, before(s, (uint32_t)have)), more * s->each);
    round_receive_silent(s, process_of(s, after(s, (uint32_t)have)), more * s->each);
    return true;
}

/* ---- all to all ---- */

void once_keep(struct series *s)
{
    uint64_t total = 0;
    if (!s->o.in_place)
        return;
    s->offset = series_memory(s, (s->remote_size + 1ull) * sizeof(*s->offset));
    for (uint32_t i = 0; i < s->remote_size; i++) {
        struct block b = in_block(s, i);
        s->offset[i] = total;
        total += block_length(&b);
    }
    s->offset[s->remote_size] = total;
    s->bytes = series_data(s, total);
    for (uint32_t i = 0; i < s->remote_size; i++)
        round_copy(s, out_block(s, i), in_block(s, i));
}

void once_alltoall_all(struct series *s)
{
    bool one = !s->comm->remote;
    uint32_t *turns = one ? group_turns(s->group, s->me, s->order) : NULL;
    for (uint32_t i = one; i < s->remote_size; i++) {
        uint32_t from =
            (uint32_t)(((uint64_t)s->me + s->remote_size - i % s->remote_size) % s->remote_size);
        round_receive_some(s, remote_process(s, from), in_block(s, from));
    }
    for (uint32_t i = one; i < s->remote_size; i++) {
        uint32_t to = turns ? turns[i - 1] : (uint32_t)(((uint64_t)s->me + i) % s->remote_size);
        round_send_some(s, remote_process(s, to), out_block(s, to));
    }
    free(turns);
    if (one)
        round_copy(s, in_block(s, s->me), out_block(s, s->me));
}

bool phase_alltoall_pairs(struct series *s, uint32_t round)
{
    if (round == 0) {
        round_copy(s, in_block(s, s->me), out_block(s, s->me));
        return true;
    }
    if (round >= s->size)
        return false;
    bool even = !(s->size & (s->size - 1)); /* a power of two: the same partner both ways */
    uint32_t to = even ? s->me ^ round : after(s, round);
    uint32_t from = even ? to : before(s, round);
    round_receive(s, process_of(s, from), in_block(s, from));
    round_send(s, process_of(s, to), out_block(s, to));
    return true;
}

/* Packed block i is for the process i after this one. In each round, blocks whose number has a bit
 * go that far; they are gathered behind the others. */
bool phase_alltoall_bruck(struct series *s, uint32_t round)
{
    if (round == 0) {
        for (uint32_t i = 0; i < s->size; i++)
            round_copy(s, packed_blocks(s, i, 1), out_block(s, after(s, i)));
        return true;
    }
    uint32_t bit = round < 64 ? (round - 1) / 2 : 32, n = 0;
    bool pack = round % 2;
    if (bit < 32 && 1ull << bit < s->size) {
        uint32_t step = 1u << bit, out = s->size, in = s->size + s->size / 2 + 1;
        for (uint32_t i = 0; i < s->size; i++)
            n += (i & step) != 0;
        if (pack) {
            for (uint32_t i = 0, at = out; i < s->size; i++)
                if (i & step)
                    round_copy(s, packed_blocks(s, at++, 1), packed_blocks(s, i, 1));
            return true;
        }
        round_send(s, process_of(s, after(s, step)), packed_blocks(s, out, n));
        round_receive(s, process_of(s, before(s, step)), packed_blocks(s, in, n));
        for (uint32_t i = 0, at = in; i < s->size; i++)
            if (i & step)
                round_copy(s, packed_blocks(s, i, 1), packed_blocks(s, at++, 1));
        return true;
    }
    if (!pack || (bit && 1ull << (bit - 1) >= s->size))
        return false;
    for (uint32_t i = 0; i < s->size; i++)
        round_copy(s, in_block(s, before(s, i)), packed_blocks(s, i, 1));
    return true;
}

/* ---- reducing and scattering ---- */

struct block vector_share(const struct series *s, struct block vector, uint32_t first, uint32_t end)
{
    int64_t from = (int64_t)s->offset[first], to = (int64_t)s->offset[end];
    vector.at = (unsigned char *)vector.at + from * vector.type->extent;
    vector.count = to - from;
    return vector;
}

bool phase_halve(struct series *s, uint32_t round)
{
    uint32_t half = round < 32 ? s->size >> (round + 1) : 0;
    if (!half)
        return false;
    uint32_t keep = s->me & ~(half - 1), give = keep ^ half;
    round_send(s, process_of(s, s->me ^ half), vector_share(s, s->work, give, give + half));
    round_receive(s, process_of(s, s->me ^ half), vector_share(s, s->other, keep, keep + half));
    round_combine(s, vector_share(s, s->work, keep, keep + half),
                  vector_share(s, s->other, keep, keep + half), false);
    return true;
}

bool phase_reduce_pairs(struct series *s, uint32_t round)
{
    uint32_t step = round + 1;
    if (step >= s->size)
        return false;
    uint32_t to = after(s, step), from = before(s, step);
    struct block came = vector_share(s, s->other, s->me, s->me + 1);
    round_send(s, process_of(s, to), vector_share(s, s->work, to, to + 1));
    round_receive(s, process_of(s, from), came);
    round_combine(s, s->sum, came, false);
    return true;
}

/* ---- scans ---- */

/* `work` is combined over more and more neighbours, `sum` over those before this one. */
bool phase_scan(struct series *s, uint32_t round)
{
    uint64_t step = round < 32 ? 1ull << round : 0;
    if (!step || step >= s->size)
        return false;
    uint32_t partner = s->me ^ (uint32_t)step;
    if (partner >= s->size)
        return true;
    round_send(s, process_of(s, partner), s->work);
    round_receive(s, process_of(s, partner), s->other);
    if (partner > s->me) {
        round_combine(s, s->work, s->other, true);
        return true;
    }
    if (s->exclusive && !(s->me & (step - 1)))
        round_copy(s, s->sum, s->other); /* the first that it gets */
    else
        round_combine(s, s->sum, s->other, false);
    round_combine(s, s->work, s->other, false);
    return true;
}

/* ---- neighbours ---- */

void once_neighbours(struct series *s)
{
    const struct topology *t = s->topology;
    for (uint32_t k = 0; k < t->ins; k++) {
        /* In a grid, what comes from the next one was sent to the one before. */
        uint32_t i = t->kind == TOPOLOGY_GRID ? k ^ 1 : k;
        if (t->in[i] >= 0)
            round_receive_some(s, process_of(s, (uint32_t)t->in[i]), in_block(s, i));
    }
    for (uint32_t i = 0; i < t->outs; i++)
        if (t->out[i] >= 0)
            round_send_some(s, process_of(s, (uint32_t)t->out[i]), out_block(s, i));
}
