/* Phases with a root. */
#include "message/schedule.h"
#include "mpi/collective/series.h"
#include "node/program.h"

/* ---- blocks ---- */

static unsigned char *moved(void *at, int64_t bytes)
{
    return (unsigned char *)((uintptr_t)at + (uintptr_t)bytes);
}

struct block side_block(const struct side *side, uint32_t i)
{
    struct block b = {side->at, side->count, side->type};
    switch (side->layout) {
    case LAYOUT_NONE:
    case LAYOUT_ONE:
    case LAYOUT_VECTOR:
        break;
    case LAYOUT_EVEN:
        b.at = moved(side->at, (int64_t)i * side->count * side->type->extent);
        break;
    case LAYOUT_LISTED:
        b.at = moved(side->at, number_at(side->displacements, i) * side->type->extent);
        b.count = number_at(side->counts, i);
        break;
    case LAYOUT_TYPED:
        b.at = moved(side->at, number_at(side->displacements, i));
        b.count = number_at(side->counts, i);
        b.type = side->types[i];
        break;
    }
    return b;
}

struct block out_block(const struct series *s, uint32_t i)
{
    if (s->o.in_place && s->offset)
        return block_bytes(s->bytes + s->offset[i], s->offset[i + 1] - s->offset[i]);
    return side_block(&s->o.out, i);
}

struct block in_block(const struct series *s, uint32_t i)
{
    return side_block(&s->o.in, i);
}

struct block series_vector(struct series *s, int64_t count, struct type *t)
{
    int64_t span = count ? (count - 1) * t->extent + t->true_high - t->true_low : 0;
    unsigned char *memory = series_data(s, (uint64_t)(span > 0 ? span : 0));
    return (struct block){moved(memory, -t->true_low), count, t};
}

/* ---- trees ---- */

/* The largest step from a process to a child. */
static uint32_t first_step(const struct series *s, uint32_t relative)
{
    uint32_t step = 1;
    if (relative)
        return (relative & -relative) / 2;
    while (step < s->size)
        step *= 2;
    return step / 2;
}

/* A round of a tree towards the root: what to do with the process `step` away. False: over. */
static bool is_up(const struct series *s, uint32_t round, uint32_t *relative, uint32_t *step)
{
    *relative = relative_rank(s, s->me);
    *step = round < 32 ? 1u << round : 0;
    return *step && *step < s->size && !(*relative & (*step - 1));
}

bool phase_barrier(struct series *s, uint32_t round)
{
    uint64_t step = 1ull << round;
    if (round > 31 || step >= s->size)
        return false;
    round_send_silent(s, process_of(s, (uint32_t)((s->me + step) % s->size)), s->each);
    round_receive_silent(s, process_of(s, (uint32_t)((s->me + s->size - step) % s->size)), s->each);
    return true;
}

bool phase_notify(struct series *s, uint32_t round)
{
    uint32_t relative, step;
    if (!is_up(s, round, &relative, &step))
        return false;
    if (relative & step)
        round_send_silent(s, process_at(s, relative - step), 0);
    else if (relative + step < s->size)
        round_receive_silent(s, process_at(s, relative + step), 0);
    return true;
}

void once_meet(struct series *s)
{
    if (s->me != 0)
        return;
    round_send_silent(s, remote_process(s, 0), 0);
    round_receive_silent(s, remote_process(s, 0), 0);
}

void once_swap(struct series *s)
{
    if (s->me != 0)
        return;
    round_send(s, remote_process(s, 0), s->work);
    round_receive(s, remote_process(s, 0), s->other);
}

bool phase_cast(struct series *s, uint32_t round)
{
    uint32_t relative = relative_rank(s, s->me);
    if (round == 0 && relative)
        round_receive(s, process_at(s, relative - (relative & -relative)), s->work);
    if (round == (relative != 0))
        for (uint32_t step = first_step(s, relative); step; step /= 2)
            if (relative + step < s->size)
                round_send(s, process_at(s, relative + step), s->work);
    return round < 2;
}

bool phase_reduce(struct series *s, uint32_t round)
{
    uint32_t relative, step;
    if (!is_up(s, round, &relative, &step))
        return false;
    if (relative & step) {
        round_send(s, process_at(s, relative - step), s->work);
    } else if (relative + step < s->size) {
        round_receive(s, process_at(s, relative + step), s->other);
        round_combine(s, s->work, s->other, true);
    }
    return true;
}

void once_hand_on(struct series *s)
{
    uint32_t root = (uint32_t)s->o.root;
    if (root == s->root || (s->me != root && s->me != s->root))
        return;
    if (s->me == s->root)
        round_send(s, process_of(s, root), s->work);
    else
        round_receive(s, process_of(s, s->root), s->work);
}

/* ---- gathering ---- */

bool phase_gather(struct series *s, uint32_t round)
{
    uint32_t relative, step;
    if (round == 0) {
        if (!s->o.in_place)
            round_copy(s, packed_blocks(s, 0, 1), side_block(&s->o.out, s->me));
        return true;
    }
    if (!is_up(s, round - 1, &relative, &step))
        return false;
    if (relative & step)
        round_send(s, process_at(s, relative - step),
                   packed_blocks(s, 0, subtree_blocks(s, relative)));
    else if (relative + step < s->size)
        round_receive(s, process_at(s, relative + step),
                      packed_blocks(s, step, subtree_blocks(s, relative + step)));
    return true;
}

void once_gather_end(struct series *s)
{
    if (s->me != s->root)
        return;
    for (uint32_t relative = s->o.in_place; relative < s->size; relative++)
        round_copy(s, in_block(s, rank_at(s, relative)), packed_blocks(s, relative, 1));
}

/* ---- scattering ---- */

/* Rounds: the root packs; everybody gets its part; passes on what is others'; takes its own. */
bool phase_scatter(struct series *s, uint32_t round)
{
    uint32_t relative = relative_rank(s, s->me);
    if (round == 0 && !relative)
        for (uint32_t i = 0; i < s->size; i++)
            round_copy(s, packed_blocks(s, i, 1), side_block(&s->o.out, rank_at(s, i)));
    if (round == 1 && relative)
        round_receive(s, process_at(s, relative - (relative & -relative)),
                      packed_blocks(s, 0, subtree_blocks(s, relative)));
    if (round == 2)
        for (uint32_t step = first_step(s, relative); step; step /= 2)
            if (relative + step < s->size)
                round_send(s, process_at(s, relative + step),
                           packed_blocks(s, step, subtree_blocks(s, relative + step)));
    if (round == 2 && !s->o.in_place)
        round_copy(s, side_block(&s->o.in, s->me), packed_blocks(s, 0, 1));
    return round < 3;
}

/* ---- schedules ---- */

/* Bytes of the packed data, or elements of the vector that they are. */
static struct block part_of(const struct series *s, unsigned char *data, uint64_t at,
                            uint64_t bytes)
{
    if (!s->work.type)
        return block_bytes(data + at, bytes);
    int64_t size = s->work.type->size;
    return (struct block){data + at, size ? (int64_t)bytes / size : 0, s->work.type};
}

bool phase_schedule(struct series *s, uint32_t round)
{
    struct schedule_step step;
    unsigned char *data = s->bytes;
    if (!schedule_step(s->schedule, s->me, round, &step))
        return false;
    if (step.to != NOBODY)
        round_send(s, process_of(s, step.to), part_of(s, data, step.out_at, step.out_bytes));
    if (step.from == NOBODY)
        return true;
    struct block in = part_of(s, data, step.in_at, step.in_bytes);
    if (!step.combine) {
        round_receive(s, process_of(s, step.from), in);
        return true;
    }
    struct block came = part_of(s, s->other.at, 0, step.in_bytes);
    round_receive(s, process_of(s, step.from), came);
    round_combine(s, in, came, false);
    return true;
}
