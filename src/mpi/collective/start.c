/* Which phases an operation takes, by its operands: as MPICH chooses. Where all members know that
 * there is nothing to move, it takes none. */

#include "base/memory.h"
#include "message/schedule.h"
#include "mpi/collective/series.h"

/* Bytes of a block at which an all-to-all changes, and of all blocks of a reduce-scatter. */
enum { BRUCK_BYTES = 256, BRUCK_PROCESSES = 8, SPREAD_BYTES = 32768, HALVE_BYTES = 524288 };

static bool is_inter(const struct series *s)
{
    return s->comm->remote != NULL;
}

static bool is_power(uint32_t n)
{
    return !(n & (n - 1));
}

static void add_schedule(struct series *s, enum schedule_kind kind, uint64_t bytes, uint32_t unit)
{
    s->schedule = memory_alloc(1, sizeof(*s->schedule));
    *s->schedule = (struct schedule){
        .kind = kind, .processes = s->size, .root = s->root, .unit = unit, .bytes = bytes};
    series_add_phase(s, phase_schedule);
}

/* ---- copies at the ends ---- */

/* The vector that a reduction begins with. */
static void once_load(struct series *s)
{
    struct block from = side_block(s->o.in_place ? &s->o.in : &s->o.out, 0);
    round_copy(s, s->work, from);
    if (s->sum.type)
        round_copy(s, s->sum, from);
}

static void once_store(struct series *s)
{
    round_copy(s, side_block(&s->o.in, 0), s->sum.type ? s->sum : s->work);
}

/* Packed data, of one vector: into one piece, and back. */
static void once_pack(struct series *s)
{
    struct block b = side_block(&s->o.in, 0);
    if (s->me == s->root)
        round_copy(s, block_bytes(s->bytes, block_length(&b)), b);
}

static void once_unpack(struct series *s)
{
    struct block b = side_block(&s->o.in, 0);
    if (s->me != s->root)
        round_copy(s, b, block_bytes(s->bytes, block_length(&b)));
}

/* ---- barrier, broadcast ---- */

static bool phase_cast_nothing(struct series *s, uint32_t round)
{
    s->work = block_bytes(NULL, 0);
    s->root = 0;
    return phase_cast(s, round);
}

void start_agreement(struct series *s)
{
    start_barrier(s);
    s->each = sizeof(uint32_t);
}

void start_barrier(struct series *s)
{
    s->used = USED_DISSEMINATION;
    if (!is_inter(s)) {
        series_add_phase(s, phase_barrier);
        return;
    }
    series_add_phase(s, phase_notify);
    series_add_once(s, once_meet);
    series_add_phase(s, phase_cast_nothing);
}

/* From the root on the other side to rank 0 here, which passes it on. */
static void once_cross(struct series *s)
{
    if (s->o.root == MPI_ROOT)
        round_send(s, remote_process(s, 0), side_block(&s->o.in, 0));
    else if (s->o.root >= 0 && s->me == 0)
        round_receive(s, remote_process(s, (uint32_t)s->o.root), side_block(&s->o.in, 0));
}

void start_broadcast(struct series *s)
{
    struct block b = side_block(&s->o.in, 0);
    s->work = b;
    s->used = USED_BINOMIAL;
    if (is_inter(s)) {
        series_add_once(s, once_cross);
        if (s->o.root >= 0)
            series_add_phase(s, phase_cast);
        return;
    }
    uint64_t bytes = block_length(&b);
    enum schedule_kind kind = schedule_broadcast_kind(s->limits, s->size, bytes);
    s->root = (uint32_t)s->o.root;
    if (!bytes)
        return;
    if (kind == SCHEDULE_BROADCAST) {
        series_add_phase(s, phase_cast);
        return;
    }
    s->used = kind == SCHEDULE_BROADCAST_RING ? USED_SCATTER_RING : USED_SCATTER_DOUBLING;
    s->work.type = NULL; /* the schedule cuts it between any two bytes */
    bool dense = b.type->dense;
    s->bytes = dense ? b.at : series_data(s, bytes);
    if (!dense)
        series_add_once(s, once_pack);
    add_schedule(s, kind, bytes, 1);
    if (!dense)
        series_add_once(s, once_unpack);
}

/* ---- gather, scatter ---- */

/* Everybody sends its block to the root, or gets it from there, all at once. On two sides,
 * everybody is over there. */
static void once_with_root(struct series *s)
{
    bool gathers = collective_of(s->call)->root == ROOT_RECEIVES;
    const struct side *many = gathers ? &s->o.in : &s->o.out;
    struct block mine = side_block(gathers ? &s->o.out : &s->o.in, s->me);
    bool root = is_inter(s) ? s->o.root == MPI_ROOT : s->me == (uint32_t)s->o.root;
    for (uint32_t i = 0; root && i < s->remote_size; i++)
        if (is_inter(s) || i != s->me)
            (gathers ? round_receive_some : round_send_some)(s, remote_process(s, i),
                                                             side_block(many, i));
    if (!root && s->o.root >= 0)
        (gathers ? round_send_some : round_receive_some)(s, remote_process(s, (uint32_t)s->o.root),
                                                         mine);
    if (!root || is_inter(s) || s->o.in_place)
        return;
    struct block own = side_block(many, s->me);
    round_copy(s, gathers ? own : mine, gathers ? mine : own);
}

/* Equal blocks go through a binomial tree, packed with those below them. False: they differ. */
static bool use_tree(struct series *s, const struct side *many, const struct side *one)
{
    s->used = USED_LINEAR;
    if (is_inter(s) || many->layout != LAYOUT_EVEN)
        return false;
    s->used = USED_BINOMIAL;
    s->root = (uint32_t)s->o.root;
    struct block mine = side_block(s->me == s->root ? many : one, s->me);
    s->each = block_length(&mine);
    s->bytes = series_data(s, subtree_blocks(s, relative_rank(s, s->me)) * s->each);
    return true;
}

void start_gather(struct series *s)
{
    if (!use_tree(s, &s->o.in, &s->o.out)) {
        series_add_once(s, once_with_root);
        return;
    }
    if (!s->each)
        return;
    series_add_phase(s, phase_gather);
    series_add_once(s, once_gather_end);
}

void start_scatter(struct series *s)
{
    if (!use_tree(s, &s->o.out, &s->o.in))
        series_add_once(s, once_with_root);
    else if (s->each)
        series_add_phase(s, phase_scatter);
}

/* ---- allgather, all-to-all ---- */

/* Packed blocks of all, in their order: this one's own; and from there to where they belong. */
static void once_own_block(struct series *s)
{
    if (!s->o.in_place || s->bytes != s->o.in.at)
        round_copy(s, packed_blocks(s, s->me, 1),
                   s->o.in_place ? in_block(s, s->me) : side_block(&s->o.out, s->me));
}

static void once_all_blocks(struct series *s)
{
    for (uint32_t i = 0; s->bytes != s->o.in.at && i < s->size; i++)
        round_copy(s, in_block(s, i), packed_blocks(s, i, 1));
}

/* Everybody's one block goes to all on the other side. */
static void once_cross_allgather(struct series *s)
{
    for (uint32_t i = 0; i < s->remote_size; i++)
        round_receive(s, remote_process(s, i), in_block(s, i));
    for (uint32_t i = 0; i < s->remote_size; i++)
        round_send(s, remote_process(s, i), side_block(&s->o.out, 0));
}

void start_allgather(struct series *s)
{
    s->used = is_inter(s) ? USED_LINEAR : USED_RING;
    if (is_inter(s) || s->o.in.layout != LAYOUT_EVEN) {
        if (is_inter(s))
            series_add_once(s, once_cross_allgather);
        else
            series_add_phase(s, phase_allgather_ring);
        return;
    }
    struct block mine = in_block(s, s->me);
    s->each = block_length(&mine);
    uint64_t all = s->each * s->size;
    if (!all)
        return;
    if (!is_power(s->size) && all < s->limits->gather_bytes) {
        s->used = USED_BRUCK;
        s->bytes = series_data(s, all);
        series_add_phase(s, phase_allgather_bruck);
        return;
    }
    enum schedule_kind kind = schedule_allgather_kind(s->limits, s->size, s->each);
    s->used = kind == SCHEDULE_ALLGATHER_RING ? USED_RING : USED_DOUBLING;
    s->bytes = mine.type->dense ? s->o.in.at : series_data(s, all);
    series_add_once(s, once_own_block);
    add_schedule(s, kind, s->each, 1);
    series_add_once(s, once_all_blocks);
}

void start_alltoall(struct series *s)
{
    bool even = s->o.in.layout == LAYOUT_EVEN && !is_inter(s);
    struct block mine = in_block(s, 0);
    s->each = even ? block_length(&mine) : 0;
    s->used = USED_LINEAR;
    if (even && !s->each)
        return;
    if (even && s->each <= BRUCK_BYTES && s->size >= BRUCK_PROCESSES && !s->o.in_place) {
        s->used = USED_BRUCK;
        s->bytes = series_data(s, (2ull * s->size + 2) * s->each);
        series_add_phase(s, phase_alltoall_bruck);
        return;
    }
    if (s->o.in_place)
        series_add_once(s, once_keep);
    bool pairs = even && s->each > SPREAD_BYTES;
    s->used = pairs ? USED_PAIRWISE : USED_LINEAR;
    if (pairs)
        series_add_phase(s, phase_alltoall_pairs);
    else
        series_add_once(s, once_alltoall_all);
}

void start_neighbours(struct series *s)
{
    s->used = USED_NEIGHBOURS;
    s->topology = s->comm->topology;
    series_add_once(s, once_neighbours);
}

void start_silent_gather(struct series *s, uint64_t bytes)
{
    s->used = USED_BRUCK;
    s->each = bytes;
    series_add_phase(s, phase_silent_gather);
    if (!is_inter(s))
        return;
    series_add_once(s, once_meet);
    series_add_phase(s, phase_cast_nothing);
}

/* ---- reductions ---- */

/* Vectors for a reduction; the result's own memory serves where it can. */
static void make_vectors(struct series *s, bool own)
{
    struct block b = side_block(s->o.in_place ? &s->o.in : &s->o.out, 0);
    s->work = own ? side_block(&s->o.in, 0) : series_vector(s, b.count, b.type);
    s->work.count = b.count;
    s->work.type = b.type;
    s->other = series_vector(s, b.count, b.type);
}

/* From rank 0 of the other side, the vector that was reduced there. */
static void once_cross_result(struct series *s)
{
    if (s->o.root == MPI_ROOT)
        round_receive(s, remote_process(s, 0), side_block(&s->o.in, 0));
    else if (s->o.root >= 0 && s->me == 0)
        round_send(s, remote_process(s, (uint32_t)s->o.root), s->work);
}

void start_reduce(struct series *s)
{
    s->used = USED_BINOMIAL;
    if (is_inter(s)) {
        if (s->o.root >= 0) {
            make_vectors(s, false);
            series_add_once(s, once_load);
            series_add_phase(s, phase_reduce);
        }
        series_add_once(s, once_cross_result);
        return;
    }
    bool mine = s->me == (uint32_t)s->o.root;
    s->root = s->o.op->commutes ? (uint32_t)s->o.root : 0;
    make_vectors(s, mine);
    uint64_t bytes = block_length(&s->work);
    if (!bytes)
        return;
    series_add_once(s, once_load);
    enum schedule_kind kind = schedule_reduce_kind(s->limits, s->size, bytes);
    if (kind == SCHEDULE_REDUCE_HALVING && s->o.op->commutes && s->work.type->dense) {
        s->used = USED_HALVING;
        s->bytes = s->work.at;
        add_schedule(s, kind, bytes, (uint32_t)s->work.type->size);
        return;
    }
    series_add_phase(s, phase_reduce);
    series_add_once(s, once_hand_on);
}

/* What has come from the other side is the result, and goes to all here. */
static bool phase_cast_other(struct series *s, uint32_t round)
{
    if (round)
        return phase_cast(s, round - 1);
    s->work = side_block(&s->o.in, 0);
    if (s->me == 0)
        round_copy(s, s->work, s->other);
    return true;
}

void start_allreduce(struct series *s)
{
    struct block b = side_block(&s->o.in, 0);
    uint64_t bytes = block_length(&b);
    enum schedule_kind kind = schedule_allreduce_kind(s->limits, s->size, bytes);
    s->used = USED_BINOMIAL;
    if (!bytes && !is_inter(s))
        return;
    make_vectors(s, !is_inter(s));
    series_add_once(s, once_load);
    if (is_inter(s)) {
        series_add_phase(s, phase_reduce);
        series_add_once(s, once_swap);
        series_add_phase(s, phase_cast_other);
        return;
    }
    if (!s->o.op->commutes || !b.type->dense) {
        series_add_phase(s, phase_reduce);
        series_add_phase(s, phase_cast);
        return;
    }
    s->used = kind == SCHEDULE_ALLREDUCE_HALVING ? USED_HALVING : USED_DOUBLING;
    s->bytes = s->work.at;
    add_schedule(s, kind, bytes, (uint32_t)b.type->size);
}

/* ---- reduce-scatter ---- */

/* Counts of all processes, or one for all; where each begins, and the sum. */
static int64_t add_up(struct series *s)
{
    const struct side *in = &s->o.in;
    int64_t total = 0;
    s->offset = series_memory(s, (s->size + 1ull) * sizeof(*s->offset));
    for (uint32_t i = 0; i < s->size; i++) {
        s->offset[i] = (uint64_t)total;
        total += numbers_are_there(in->counts) ? number_at(in->counts, i) : in->count;
    }
    s->offset[s->size] = (uint64_t)total;
    return total;
}

static struct block own_share(const struct series *s, struct block vector)
{
    return vector_share(s, vector, s->me, s->me + 1);
}

static void once_load_all(struct series *s)
{
    struct block from = s->work;
    from.at = s->o.in_place ? s->o.in.at : s->o.out.at;
    round_copy(s, s->work, from);
}

static void once_load_own(struct series *s)
{
    round_copy(s, s->sum, own_share(s, s->work));
}

static void once_store_own(struct series *s)
{
    struct block from = s->sum.type ? s->sum : own_share(s, s->work);
    from.type = s->work.type;
    round_copy(s, (struct block){s->o.in.at, from.count, from.type}, from);
}

/* Rank 0 has it all: each gets its share. On two sides, ranks 0 first exchange what they have: both
 * vectors are equally long, however they are shared. */
static bool phase_deal(struct series *s, uint32_t round)
{
    if (is_inter(s) && round == 0) {
        once_swap(s);
        if (s->me == 0)
            round_copy(s, s->work, s->other);
        return true;
    }
    if (round > is_inter(s))
        return false;
    for (uint32_t i = 1; s->me == 0 && i < s->size; i++)
        round_send(s, process_of(s, i), vector_share(s, s->work, i, i + 1));
    if (s->me)
        round_receive(s, process_of(s, 0), own_share(s, s->work));
    return true;
}

void start_reduce_scatter(struct series *s)
{
    struct type *t = s->o.in.type;
    int64_t total = add_up(s);
    uint64_t bytes = (uint64_t)(total * t->size);
    s->used = USED_REDUCE_SCATTER;
    if (!bytes && !is_inter(s))
        return;
    s->work = series_vector(s, total, t);
    s->other = series_vector(s, total, t);
    series_add_once(s, once_load_all);
    bool halve = is_power(s->size) && bytes < HALVE_BYTES;
    if (is_inter(s) || !s->o.op->commutes || (!halve && bytes < HALVE_BYTES)) {
        series_add_phase(s, phase_reduce);
        series_add_phase(s, phase_deal);
        series_add_once(s, once_store_own);
        return;
    }
    s->used = halve ? USED_HALVING : USED_PAIRWISE;
    if (!halve) {
        s->sum = series_vector(s, (int64_t)(s->offset[s->me + 1] - s->offset[s->me]), t);
        series_add_once(s, once_load_own);
    }
    series_add_phase(s, halve ? phase_halve : phase_reduce_pairs);
    series_add_once(s, once_store_own);
}

/* ---- scans ---- */

void start_scan(struct series *s)
{
    struct block b = side_block(&s->o.in, 0);
    s->exclusive = collective_of(s->call)->prefix == PREFIX_EXCLUSIVE;
    s->used = USED_DOUBLING;
    if (!block_length(&b))
        return;
    make_vectors(s, false);
    s->sum = series_vector(s, b.count, b.type);
    series_add_once(s, once_load);
    series_add_phase(s, phase_scan);
    if (!s->exclusive || s->me)
        series_add_once(s, once_store);
}
