/* Operations as messages of a context of their own, or as actions of the machine. */
#include "message/collect.h"

#include "message/reduce.h"
#include "message/schedule.h"
#include "node/program.h"

/* Messages of collective operations do not meet those of the program. */
enum { CONTEXT = 1, TAG = 0 };

/* ---- over messages ---- */

/* How what comes is combined with what is there. */
struct combining {
    weft_type type;
    weft_operation operation;
};

static unsigned char *at(unsigned char *data, uint64_t offset)
{
    return data ? data + offset : NULL;
}

/* `data` may be NULL if no step has any bytes. */
static void play_step(weft_task *t, const struct schedule_step *s, unsigned char *data,
                      unsigned char *other, const struct combining *how)
{
    weft_request request[2];
    size_t count = 0;
    if (s->from != NOBODY) {
        weft_data in = weft_block(s->combine ? other : at(data, s->in_at), s->in_bytes);
        request[count++] = task_receive(t, CONTEXT, s->from, TAG, &in);
    }
    if (s->to != NOBODY) {
        weft_data out = weft_block(at(data, s->out_at), s->out_bytes);
        request[count++] = task_send(t, CONTEXT, s->to, TAG, &out);
    }
    task_wait(t, request, count, NULL);
    if (!s->combine || !s->in_bytes)
        return;
    task_combine(t, s->in_bytes);
    reduce_combine(how->type, how->operation, data + s->in_at, other,
                   s->in_bytes / reduce_size(how->type));
}

static void play(weft_task *t, const struct schedule *s, void *data, const struct combining *how)
{
    struct schedule_step step;
    unsigned char *other = how ? task_alloc(t, s->bytes) : NULL;
    for (uint32_t at = 0; schedule_step(s, t->rank, at, &step); at++)
        play_step(t, &step, data, other, how);
    task_release(t, other);
}

/* ---- by the machine ---- */

/* The machine takes and stores data while the program does not run: if it cannot, the fault comes
 * before that, and is the program's. A byte of each page is read, and written to if the operation
 * will. */
static void touch_pages(void *data, size_t bytes, bool written)
{
    enum { PAGE_BYTES = 4096 };
    size_t end = bytes ? bytes + PAGE_BYTES - 1 : 0; /* the last step: the last byte's page */
    for (size_t at = 0; at < end; at += PAGE_BYTES) {
        volatile unsigned char *byte = (unsigned char *)data + (at < bytes ? at : bytes - 1);
        unsigned char value = *byte;
        if (written)
            *byte = value;
    }
}

/* Who takes part in an operation of the machine: all processes, or those of a class of the tree. */
struct taking_part {
    unsigned class;
    uint32_t size;
};

static struct taking_part everybody(const weft_task *t)
{
    return (struct taking_part){0, t->size};
}

static void act(weft_task *t, enum step_collective kind, unsigned class, uint32_t root,
                uint64_t bytes, const struct action_data *data)
{
    task_act(t, &(struct action){.kinds = ACTION_COLLECTIVE,
                                 .collective = (uint8_t)kind,
                                 .tree_class = (uint8_t) class,
                                 .root = root,
                                 .bytes = bytes,
                                 .data = data});
}

/* Combines vectors of operands; it takes time even to combine none. */
static void combine(weft_task *t, enum step_collective kind, unsigned class,
                    enum nic_operation operation, size_t width, void *data, size_t count)
{
    touch_pages(data, count * width, true);
    act(t, kind, class, 0, count * width,
        &(struct action_data){
            .data = data, .operation = (uint8_t)operation, .width = (uint8_t)width});
}

/* A sum of floating-point numbers takes two phases. */
static void sum_on_tree(weft_task *t, const struct taking_part *who, double *data, size_t count)
{
    size_t bytes = count * sizeof(*data);
    uint16_t *exponent = task_alloc(t, count * sizeof(*exponent));
    uint64_t *mantissa = task_alloc(t, count * sizeof(*mantissa));
    reduce_exponents(data, exponent, count);
    task_combine(t, bytes);
    combine(t, STEP_TREE_ALL, who->class, OPERATION_MAX, sizeof(*exponent), exponent, count);
    reduce_mantissas(data, exponent, who->size, mantissa, count);
    task_combine(t, bytes);
    combine(t, STEP_TREE_ALL, who->class, OPERATION_ADD, sizeof(*mantissa), mantissa, count);
    reduce_sums(mantissa, exponent, who->size, data, count);
    task_combine(t, bytes);
    task_release(t, mantissa);
    task_release(t, exponent);
}

static void allreduce_on_tree(weft_task *t, struct taking_part who, void *data, size_t count,
                              const struct combining *how)
{
    enum nic_operation operation = reduce_on_tree(how->type, how->operation);
    if (operation == OPERATION_NONE) {
        sum_on_tree(t, &who, data, count);
        return;
    }
    size_t size = reduce_size(how->type), turned = reduce_turns(how->type, how->operation) * size;
    reduce_to_tree(how->type, how->operation, data, count);
    task_combine(t, turned * count);
    combine(t, STEP_TREE_ALL, who.class, operation, size, data, count);
    reduce_from_tree(how->type, how->operation, data, count);
    task_combine(t, turned * count);
}

/* One operand: for more of them, one after the other, messages are quicker. */
static void allreduce_by_gates(weft_task *t, void *data, const struct combining *how)
{
    enum nic_operation operation = reduce_on_tree(how->type, how->operation);
    reduce_to_tree(how->type, how->operation, data, 1);
    combine(t, STEP_GATES, 0, operation ? operation : OPERATION_ADD_REAL, reduce_size(how->type),
            data, 1);
    reduce_from_tree(how->type, how->operation, data, 1);
}

bool collect_gates(weft_task *t, size_t count)
{
    return task_offers(t) & TASK_GATES && count == 1;
}

/* ---- calls ---- */

static void check_root(weft_task *t, uint32_t root)
{
    if (root >= t->size)
        task_give_up(t, "names a root that does not exist");
}

static void check_combining(weft_task *t, const struct combining *how)
{
    if (!reduce_is(how->type, how->operation))
        task_give_up(t, "combines what cannot be combined so");
}

void collect_barrier(weft_task *t)
{
    struct schedule s = {.kind = SCHEDULE_BARRIER, .processes = t->size};
    if (task_offers(t) & (TASK_TREE | TASK_GATES))
        act(t, STEP_BARRIER, 0, 0, 0, NULL);
    else
        play(t, &s, NULL, NULL);
}

void collect_broadcast(weft_task *t, uint32_t root, void *data, size_t bytes)
{
    struct action_data whole = {.data = data};
    bool silent = bytes && !data;
    check_root(t, root);
    struct schedule s = {.kind = schedule_broadcast_kind(task_limits(t), t->size, bytes),
                         .processes = t->size,
                         .root = root,
                         .bytes = bytes};
    if (!silent && (task_offers(t) & (TASK_TREE | TASK_FLOOD)))
        touch_pages(data, bytes, t->rank != root);
    if (task_offers(t) & TASK_TREE)
        act(t, STEP_TREE_CAST, 0, root, bytes, silent ? NULL : &whole);
    else if (task_offers(t) & TASK_FLOOD)
        act(t, STEP_FLOOD, 0, root, bytes, silent ? NULL : &whole);
    else
        play(t, &s, data, NULL);
}

void collect_allreduce(weft_task *t, void *data, size_t count, weft_type type,
                       weft_operation operation)
{
    struct combining how = {type, operation};
    check_combining(t, &how);
    size_t size = reduce_size(type);
    struct schedule s = {.kind = schedule_allreduce_kind(task_limits(t), t->size, count * size),
                         .processes = t->size,
                         .unit = (uint32_t)size,
                         .bytes = count * size};
    if (task_offers(t) & TASK_TREE)
        allreduce_on_tree(t, everybody(t), data, count, &how);
    else if (collect_gates(t, count))
        allreduce_by_gates(t, data, &how);
    else
        play(t, &s, data, &how);
}

void collect_class_broadcast(weft_task *t, unsigned class, uint32_t root, void *data, size_t bytes)
{
    struct action_data whole = {.data = data};
    bool silent = bytes && !data;
    if (!silent)
        touch_pages(data, bytes, t->rank != root);
    act(t, STEP_TREE_CAST, class, root, bytes, silent ? NULL : &whole);
}

void collect_class_allreduce(weft_task *t, unsigned class, uint32_t size, void *data, size_t count,
                             weft_type type, weft_operation operation)
{
    struct combining how = {type, operation};
    check_combining(t, &how);
    allreduce_on_tree(t, (struct taking_part){class, size}, data, count, &how);
}

void collect_reduce(weft_task *t, uint32_t root, void *data, size_t count, weft_type type,
                    weft_operation operation)
{
    struct combining how = {type, operation};
    check_root(t, root);
    check_combining(t, &how);
    size_t bytes = count * reduce_size(type);
    /* Only the root's data change. */
    void *mine = t->rank == root ? data : task_alloc(t, bytes);
    if (mine != data)
        task_copy(t, mine, data, bytes);
    struct schedule s = {
        .kind = SCHEDULE_REDUCE, .processes = t->size, .root = root, .unit = 1, .bytes = bytes};
    if (task_offers(t) & TASK_TREE)
        allreduce_on_tree(t, everybody(t), mine, count, &how);
    else
        play(t, &s, mine, &how);
    if (mine != data)
        task_release(t, mine);
}

void collect_allgather(weft_task *t, void *data, size_t bytes)
{
    struct schedule s = {.kind = schedule_allgather_kind(task_limits(t), t->size, bytes),
                         .processes = t->size,
                         .bytes = bytes};
    play(t, &s, data, NULL);
}

static unsigned char *block_at(const weft_parts *p, uint32_t process)
{
    return (unsigned char *)p->at + p->first[process];
}

/* Everything at once, as MPICH does for short messages. */
static void exchange_all(weft_task *t, const weft_parts *out, const weft_parts *in)
{
    uint32_t n = t->size, me = t->rank;
    const struct send_order *order = task_order(t);
    weft_request *request = task_alloc(t, 2 * (size_t)n * sizeof(*request));
    size_t count = 0;
    if (out->bytes[me])
        task_copy(t, block_at(in, me), block_at(out, me), out->bytes[me]);
    for (uint32_t far = 1; far < n; far++) {
        uint32_t to = (uint32_t)(((uint64_t)me + far) % n), from = (me + n - far) % n;
        if (order)
            to = from = order_other(order, me, far - 1);
        weft_data block_in = weft_block(block_at(in, from), in->bytes[from]);
        weft_data block_out = weft_block(block_at(out, to), out->bytes[to]);
        request[count++] = task_receive(t, CONTEXT, from, TAG, &block_in);
        request[count++] = task_send(t, CONTEXT, to, TAG, &block_out);
    }
    task_wait(t, request, count, NULL);
    task_release(t, request);
}

void collect_each(weft_task *t, const struct members *members, const weft_parts *out,
                  const weft_parts *in)
{
    struct members all = *members;
    struct action_data each = {.data = out->at,
                               .in = in->at,
                               .out_bytes = out->bytes,
                               .out_at = out->first,
                               .in_bytes = in->bytes,
                               .in_at = in->first};
    uint64_t longest = 0; /* block of this process */
    for (uint32_t i = 0; i < all.size; i++)
        longest = out->bytes[i] > longest ? out->bytes[i] : longest;
    all.base = task_first(t);
    task_act(t, &(struct action){.kinds = ACTION_COLLECTIVE,
                                 .collective = STEP_EACH,
                                 .bytes = longest,
                                 .data = &each,
                                 .members = &all});
}

void collect_alltoall(weft_task *t, const weft_parts *out, const weft_parts *in)
{
    const struct send_order *order = task_order(t);
    struct members all = {.size = t->size, .me = t->rank, .stride = 1};
    uint32_t *turns = order ? task_alloc(t, t->size * sizeof(*turns)) : NULL;
    for (uint32_t i = 0; turns && i < t->size; i++)
        turns[i] = i + 1 < t->size ? order_other(order, t->rank, i) : t->rank;
    all.turns = turns;
    if (out->bytes[t->rank] != in->bytes[t->rank])
        task_give_up(t, "sends itself more or less than it expects");
    if (task_offers(t) & TASK_EACH)
        collect_each(t, &all, out, in);
    else
        exchange_all(t, out, in);
    task_release(t, turns);
}

/* ---- what programs can call ---- */

static weft_request send_data(weft_task *t, uint32_t to, uint32_t tag, const weft_data *data)
{
    return task_send(t, 0, to, tag, data);
}

static weft_request receive_data(weft_task *t, uint32_t from, uint32_t tag, const weft_data *data)
{
    return task_receive(t, 0, from, tag, data);
}

const weft_calls program_calls = {.send = send_data,
                                  .receive = receive_data,
                                  .wait = task_wait,
                                  .wait_any = task_wait_any,
                                  .test = task_test,
                                  .probe = task_probe,
                                  .compute = task_compute,
                                  .seconds = task_seconds,
                                  .alloc = task_alloc,
                                  .release = task_release,
                                  .give_up = task_give_up,
                                  .co_start = task_co_start,
                                  .co_join = task_co_join,
                                  .barrier = collect_barrier,
                                  .broadcast = collect_broadcast,
                                  .reduce = collect_reduce,
                                  .allreduce = collect_allreduce,
                                  .allgather = collect_allgather,
                                  .alltoall = collect_alltoall,
                                  .send_packet = task_send_packet,
                                  .receive_packet = task_receive_packet,
                                  .stream = task_stream,
                                  .try_packet = task_try_packet,
                                  .send_tree_packet = task_send_tree_packet,
                                  .receive_tree_packet = task_receive_tree_packet,
                                  .write_out = task_write_out,
                                  .read_in = task_read_in};
