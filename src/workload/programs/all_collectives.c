/*
 * All collective operations, with sizes, roots and values that all processes can work out: each
 * checks what it gets.
 *
 *   arguments: ROUNDS, bytes of the LONGEST vector or message
 */
#include "workload/programs/builtin.h"

/* A number that all processes agree on. */
static uint64_t draw(uint32_t round, uint32_t a, uint32_t b)
{
    uint64_t x = ((uint64_t)round << 40 ^ (uint64_t)a << 20 ^ b) + 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static void check_broadcast(weft_task *t, uint32_t round, size_t longest)
{
    uint32_t root = (uint32_t)(draw(round, 0, 0) % t->size);
    size_t bytes = draw(round, 0, 1) % (longest + 1);
    unsigned char *data = weft_alloc(t, bytes + 1);
    if (t->rank == root)
        program_fill(data, bytes, root, 0, round);
    weft_broadcast(t, root, data, bytes);
    program_check(t, data, bytes, root, 0, round);
    weft_release(t, data);
}

static void check_allgather(weft_task *t, uint32_t round, size_t longest)
{
    size_t bytes = draw(round, 0, 2) % (longest / t->size + 2);
    unsigned char *data = weft_alloc(t, bytes * t->size + 1);
    program_fill(data + bytes * t->rank, bytes, t->rank, 0, round);
    weft_allgather(t, data, bytes);
    for (uint32_t from = 0; from < t->size; from++)
        program_check(t, data + bytes * from, bytes, from, 0, round);
    weft_release(t, data);
}

/* ---- all-to-all: each pair has a size of its own ---- */

static uint64_t pair_bytes(uint32_t round, uint32_t from, uint32_t to, size_t longest)
{
    return draw(round, from + 1, to + 1) % (longest + 1);
}

static void check_alltoall(weft_task *t, uint32_t round, size_t longest)
{
    size_t count = t->size;
    uint64_t *table = weft_alloc(t, 4 * count * sizeof(*table));
    uint64_t *out_bytes = table, *out_first = table + count;
    uint64_t *in_bytes = table + 2 * count, *in_first = table + 3 * count;
    uint64_t out_sum = 0, in_sum = 0;
    for (uint32_t i = 0; i < t->size; i++) {
        out_first[i] = out_sum;
        in_first[i] = in_sum;
        out_sum += out_bytes[i] = pair_bytes(round, t->rank, i, longest);
        in_sum += in_bytes[i] = pair_bytes(round, i, t->rank, longest);
    }
    unsigned char *out = weft_alloc(t, out_sum + 1), *in = weft_alloc(t, in_sum + 1);
    for (uint32_t i = 0; i < t->size; i++)
        program_fill(out + out_first[i], out_bytes[i], t->rank, i, round);
    weft_parts from = {out, out_bytes, out_first}, to = {in, in_bytes, in_first};
    weft_alltoall(t, &from, &to);
    for (uint32_t i = 0; i < t->size; i++)
        program_check(t, in + in_first[i], in_bytes[i], i, t->rank, round);
    weft_release(t, out);
    weft_release(t, in);
    weft_release(t, table);
}

/* ---- combining ---- */

/* Small numbers, of both signs if the type has them, whose sums are exact in every type. */
static int64_t value_at(uint32_t round, uint32_t rank, uint32_t index, weft_type type)
{
    int64_t least = type == WEFT_UINT32 || type == WEFT_UINT64 ? 0 : -1000;
    return least + (int64_t)(draw(round, rank + 1, index) % 2001);
}

static int64_t combine(int64_t a, int64_t b, weft_operation operation)
{
    switch (operation) {
    case WEFT_SUM:
        return a + b;
    case WEFT_MAX:
        return a > b ? a : b;
    case WEFT_MIN:
        return a < b ? a : b;
    case WEFT_AND:
        return a & b;
    case WEFT_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static void store(void *data, weft_type type, size_t at, int64_t value)
{
    if (type == WEFT_INT32 || type == WEFT_UINT32)
        ((int32_t *)data)[at] = (int32_t)value;
    else if (type == WEFT_DOUBLE)
        ((double *)data)[at] = (double)value / 8;
    else
        ((int64_t *)data)[at] = value;
}

static int holds(const void *data, weft_type type, size_t at, int64_t value)
{
    if (type == WEFT_INT32 || type == WEFT_UINT32)
        return ((const int32_t *)data)[at] == (int32_t)value;
    if (type == WEFT_DOUBLE)
        return ((const double *)data)[at] == (double)value / 8;
    return ((const int64_t *)data)[at] == value;
}

static void check_vector(weft_task *t, uint32_t round, const void *data, size_t count,
                         weft_type type, weft_operation operation)
{
    for (uint32_t i = 0; i < count; i++) {
        int64_t value = value_at(round, 0, i, type);
        for (uint32_t rank = 1; rank < t->size; rank++)
            value = combine(value, value_at(round, rank, i, type), operation);
        if (!holds(data, type, i, value))
            weft_fail(t, "a combined vector is wrong");
    }
}

static void check_reduction(weft_task *t, uint32_t round, size_t longest)
{
    weft_type type = (weft_type)(round % 5);
    weft_operation operation = (weft_operation)(draw(round, 0, 3) % (type == WEFT_DOUBLE ? 3 : 6));
    uint32_t root = (uint32_t)(draw(round, 0, 4) % t->size);
    size_t count = draw(round, 0, 5) % (longest / 8 + 1);
    int all = round / 5 % 2;
    void *data = weft_alloc(t, 8 * count + 1);
    for (uint32_t i = 0; i < count; i++)
        store(data, type, i, value_at(round, t->rank, i, type));
    if (all)
        weft_allreduce(t, data, count, type, operation);
    else
        weft_reduce(t, root, data, count, type, operation);
    if (all || t->rank == root)
        check_vector(t, round, data, count, type, operation);
    else
        for (uint32_t i = 0; i < count; i++)
            if (!holds(data, type, i, value_at(round, t->rank, i, type)))
                weft_fail(t, "a reduction changed what is not its root's");
    weft_release(t, data);
}

/* Nobody leaves before the last has come. */
static void check_barrier(weft_task *t, uint32_t round)
{
    double latest;
    weft_compute(t, (double)(draw(round, t->rank, 6) % 5000));
    latest = weft_seconds(t);
    weft_barrier(t);
    double left = weft_seconds(t);
    weft_allreduce(t, &latest, 1, WEFT_DOUBLE, WEFT_MAX);
    if (left < latest)
        weft_fail(t, "a process has left a barrier too early");
}

void program_collectives(weft_task *t)
{
    uint32_t rounds = (uint32_t)program_number(t, 0, 20);
    size_t longest = program_number(t, 1, 2000);
    for (uint32_t round = 0; round < rounds; round++) {
        check_barrier(t, round);
        check_broadcast(t, round, longest);
        check_reduction(t, round, longest);
        check_allgather(t, round, longest);
        check_alltoall(t, round, longest / 4);
    }
}
