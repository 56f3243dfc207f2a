/*
 * Programs for simulated nodes. A program is a C function that every process of the machine runs,
 * on a stack of its own; simulated time passes in the calls below and nowhere else.
 *
 *   #include <weft_program.h>
 *
 *   void weft_program(weft_task *t)
 *   {
 *       double x = t->rank, y;
 *       uint32_t next = (t->rank + 1) % t->size, last = (t->rank + t->size - 1) % t->size;
 *       weft_exchange(t, next, &x, sizeof(x), last, &y, sizeof(y), 0);
 *       weft_compute(t, 1000);
 *   }
 *
 *   cc -shared -fPIC -o ring.so ring.c
 *   weft run -m bluegene-l -p ./ring.so
 *
 * Data really move. A buffer belongs to its send or receive until that is complete. Messages of one
 * sender with one tag arrive in order. All processes share their global variables: use none, or
 * only constants. Nothing may wait for another process except through these calls. A process has a
 * stack of workload.stack_bytes; if large variables may be on it, compile with
 * -fstack-clash-protection.
 */
#ifndef WEFT_PROGRAM_H
#define WEFT_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_DIMS_MOST = 6 };

/* In place of a process or of a tag, when receiving: any. */
#define WEFT_ANY UINT32_MAX

typedef struct weft_task weft_task;
typedef uint32_t weft_request; /* of a send or receive under way */

/* What was received. */
typedef struct weft_info {
    uint32_t source, tag;
    uint64_t bytes; /* of the message; a shorter buffer got only its beginning */
} weft_info;

/* Data: `count` blocks of `bytes` each, which begin `stride` bytes apart. */
typedef struct weft_data {
    void *at;
    size_t bytes, count, stride;
} weft_data;

/* Elements of a vector, and how two of them are combined; sums of integers wrap. */
typedef enum weft_type {
    WEFT_INT32,
    WEFT_UINT32,
    WEFT_INT64,
    WEFT_UINT64,
    WEFT_DOUBLE,
} weft_type;

typedef enum weft_operation {
    WEFT_SUM,
    WEFT_MAX,
    WEFT_MIN,
    WEFT_AND, /* the last three: integers only */
    WEFT_OR,
    WEFT_XOR,
} weft_operation;

/* Data for, or from, every process: how many bytes, and where they begin. */
typedef struct weft_parts {
    void *at;
    const uint64_t *bytes, *first; /* [process] */
} weft_parts;

/* What a process can do; use the functions below. */
typedef struct weft_calls {
    weft_request (*send)(weft_task *t, uint32_t to, uint32_t tag, const weft_data *data);
    weft_request (*receive)(weft_task *t, uint32_t from, uint32_t tag, const weft_data *data);
    void (*wait)(weft_task *t, const weft_request *request, size_t count, weft_info *info);
    size_t (*wait_any)(weft_task *t, const weft_request *request, size_t count, weft_info *info);
    int (*test)(weft_task *t, weft_request request, weft_info *info);
    int (*probe)(weft_task *t, uint32_t from, uint32_t tag, int wait, weft_info *info);
    void (*compute)(weft_task *t, double cycles);
    double (*seconds)(weft_task *t);
    void *(*alloc)(weft_task *t, size_t bytes);
    void (*release)(weft_task *t, void *memory);
    void (*give_up)(weft_task *t, const char *text);
    void (*co_start)(weft_task *t, void (*work)(void *arg), void *arg, double cycles);
    void (*co_join)(weft_task *t);
    void (*barrier)(weft_task *t);
    void (*broadcast)(weft_task *t, uint32_t root, void *data, size_t bytes);
    void (*reduce)(weft_task *t, uint32_t root, void *data, size_t count, weft_type type,
                   weft_operation operation);
    void (*allreduce)(weft_task *t, void *data, size_t count, weft_type type,
                      weft_operation operation);
    void (*allgather)(weft_task *t, void *data, size_t bytes);
    void (*alltoall)(weft_task *t, const weft_parts *out, const weft_parts *in);
    void (*send_packet)(weft_task *t, uint32_t to, const void *at, uint32_t bytes);
    int (*receive_packet)(weft_task *t, void *at, uint32_t bytes, int wait, weft_info *info);
    void (*stream)(weft_task *t, uint64_t bytes);
    int (*try_packet)(weft_task *t, uint32_t fifo, uint32_t to, const void *at, uint32_t bytes);
    void (*send_tree_packet)(weft_task *t, uint32_t to, const void *at, uint32_t bytes);
    int (*receive_tree_packet)(weft_task *t, void *at, uint32_t bytes, int wait, weft_info *info);
    void (*write_out)(weft_task *t, uint64_t bytes);
    void (*read_in)(weft_task *t, uint64_t bytes);
} weft_calls;

struct weft_task {
    const weft_calls *calls;
    uint32_t rank, size; /* this process, and how many there are */
    uint32_t node, slot; /* where it runs */
    uint32_t dims;       /* 0: nodes have no coordinates */
    uint32_t dim[WEFT_DIMS_MOST], coordinate[WEFT_DIMS_MOST];
    double clock_hz; /* of the processor */
    int argc;        /* words of workload.arguments */
    char **argv;
    uint32_t packet_bytes;      /* data of a single packet, at most; 0: processors write none */
    uint32_t packet_fifos;      /* injection FIFOs that this process can choose from; 0: likewise */
    uint32_t tree_packet_bytes; /* the same of the tree; 0: there is no tree */
    int has_io;                 /* there are I/O nodes to write to and to read from */
};

/* What a program exports. */
void weft_program(weft_task *t);

static inline weft_data weft_block(const void *at, size_t bytes)
{
    weft_data data = {(void *)at, bytes, 1, bytes};
    return data;
}

/* Starts to send or receive; data may be strided. */
static inline weft_request weft_start_send(weft_task *t, uint32_t to, const void *at, size_t bytes,
                                           uint32_t tag)
{
    weft_data data = weft_block(at, bytes);
    return t->calls->send(t, to, tag, &data);
}

static inline weft_request weft_start_receive(weft_task *t, uint32_t from, void *at, size_t bytes,
                                              uint32_t tag)
{
    weft_data data = weft_block(at, bytes);
    return t->calls->receive(t, from, tag, &data);
}

static inline weft_request weft_start_send_data(weft_task *t, uint32_t to, const weft_data *data,
                                                uint32_t tag)
{
    return t->calls->send(t, to, tag, data);
}

static inline weft_request weft_start_receive_data(weft_task *t, uint32_t from,
                                                   const weft_data *data, uint32_t tag)
{
    return t->calls->receive(t, from, tag, data);
}

/* Waits until a request is complete; it is then gone. */
static inline weft_info weft_wait(weft_task *t, weft_request request)
{
    weft_info info;
    t->calls->wait(t, &request, 1, &info);
    return info;
}

/* Waits until all are; info: one each, or NULL. */
static inline void weft_wait_all(weft_task *t, const weft_request *request, size_t count,
                                 weft_info *info)
{
    t->calls->wait(t, request, count, info);
}

/* Waits until one of several is, which is then gone; returns which. */
static inline size_t weft_wait_any(weft_task *t, const weft_request *request, size_t count,
                                   weft_info *info)
{
    return t->calls->wait_any(t, request, count, info);
}

/* Whether a request is complete; if so, it is gone. Takes some time, and handles what has come. */
static inline int weft_test(weft_task *t, weft_request request, weft_info *info)
{
    return t->calls->test(t, request, info);
}

/* Sends, or receives, and waits. */
static inline void weft_send(weft_task *t, uint32_t to, const void *at, size_t bytes, uint32_t tag)
{
    weft_wait(t, weft_start_send(t, to, at, bytes, tag));
}

static inline weft_info weft_receive(weft_task *t, uint32_t from, void *at, size_t bytes,
                                     uint32_t tag)
{
    return weft_wait(t, weft_start_receive(t, from, at, bytes, tag));
}

/* Both at once. */
static inline weft_info weft_exchange(weft_task *t, uint32_t to, const void *out, size_t out_bytes,
                                      uint32_t from, void *in, size_t in_bytes, uint32_t tag)
{
    weft_info info[2];
    weft_request both[2];
    both[0] = weft_start_receive(t, from, in, in_bytes, tag);
    both[1] = weft_start_send(t, to, out, out_bytes, tag);
    weft_wait_all(t, both, 2, info);
    return info[0];
}

/* Waits until a message has come that a receive would take, which stays. */
static inline weft_info weft_probe(weft_task *t, uint32_t from, uint32_t tag)
{
    weft_info info;
    t->calls->probe(t, from, tag, 1, &info);
    return info;
}

/* Whether one has. Takes some time, and handles what has come. */
static inline int weft_look(weft_task *t, uint32_t from, uint32_t tag, weft_info *info)
{
    return t->calls->probe(t, from, tag, 0, info);
}

/*
 * Single packets, as users of a system programming interface send them: the processor writes each
 * into an injection FIFO and reads each out of a reception FIFO, and pays for that what it pays for
 * any packet; nothing is posted, matched or acknowledged, and packets may overtake each other. They
 * exist where processors write packets themselves (Blue Gene/L): elsewhere t->packet_bytes is 0.
 *
 * Sending waits for room in the FIFO, and reads what comes in the meantime. Packets that have been
 * read wait until the program takes them, in the order of reading; packets and messages do not mix.
 */

/* Sends up to t->packet_bytes to another process. at NULL: a length, and no data. */
static inline void weft_send_packet(weft_task *t, uint32_t to, const void *at, uint32_t bytes)
{
    t->calls->send_packet(t, to, at, bytes);
}

/* Sends a packet through the injection FIFO with this number, below t->packet_fifos, if there is room
 * for it: whether there was. Never waits; without room it takes the time of a poll. (The others send
 * through the FIFO of a direction in which the packet may go.) */
static inline int weft_try_packet(weft_task *t, uint32_t fifo, uint32_t to, const void *at,
                                  uint32_t bytes)
{
    return t->calls->try_packet(t, fifo, to, at, bytes);
}

/* Waits for a packet; a shorter buffer gets only its beginning. at NULL: nobody looks at it. */
static inline weft_info weft_receive_packet(weft_task *t, void *at, uint32_t bytes)
{
    weft_info info;
    t->calls->receive_packet(t, at, bytes, 1, &info);
    return info;
}

/* Takes a packet if one has come: whether it has. Takes some time, and handles what has come. */
static inline int weft_test_packet(weft_task *t, void *at, uint32_t bytes, weft_info *info)
{
    return t->calls->receive_packet(t, at, bytes, 0, info);
}

/*
 * Single packets of the tree, from any process to any other (Blue Gene/L): all of their
 * t->tree_packet_bytes are data. They do not mix with those above. On a machine without a tree, or
 * in a part of one, t->tree_packet_bytes is 0.
 */
static inline void weft_send_tree_packet(weft_task *t, uint32_t to, const void *at, uint32_t bytes)
{
    t->calls->send_tree_packet(t, to, at, bytes);
}

static inline weft_info weft_receive_tree_packet(weft_task *t, void *at, uint32_t bytes)
{
    weft_info info;
    t->calls->receive_tree_packet(t, at, bytes, 1, &info);
    return info;
}

static inline int weft_test_tree_packet(weft_task *t, void *at, uint32_t bytes, weft_info *info)
{
    return t->calls->receive_tree_packet(t, at, bytes, 0, info);
}

/*
 * Writes to, and reads from, the world outside: the call is shipped over the tree to the I/O node
 * of the process's processing set, and the process waits until it is done. What is written or read
 * has a length and no data. Without I/O nodes, t->has_io is 0.
 */
static inline void weft_write_out(weft_task *t, uint64_t bytes)
{
    t->calls->write_out(t, bytes);
}

static inline void weft_read_in(weft_task *t, uint64_t bytes)
{
    t->calls->read_in(t, bytes);
}

/* Works for so many cycles of the processor. */
static inline void weft_compute(weft_task *t, double cycles)
{
    t->calls->compute(t, cycles);
}

/* Reads or writes so many bytes of memory, one after the other, as fast as the processor copies as
 * many. All processors and engines of a node share its memory: where the machine says how fast that
 * is (machine.node.memory_total_mb_per_s), several at once may take longer. */
static inline void weft_stream(weft_task *t, uint64_t bytes)
{
    t->calls->stream(t, bytes);
}

/* Simulated time. */
static inline double weft_seconds(weft_task *t)
{
    return t->calls->seconds(t);
}

/* Memory that begins with a cache line, zeroed. Of other memory, where it begins does not count:
 * all computers give the same results. */
static inline void *weft_alloc(weft_task *t, size_t bytes)
{
    return t->calls->alloc(t, bytes);
}

static inline void weft_release(weft_task *t, void *memory)
{
    t->calls->release(t, memory);
}

/* Ends the run, which has failed. */
static inline void weft_fail(weft_task *t, const char *text)
{
    t->calls->give_up(t, text);
}

/* Has the second processor of the node work for so many cycles, at the end of which it calls
 * work(arg), which must not call Weft; and waits for that. Without one that is free, the first does
 * it when it waits. */
static inline void weft_co_start(weft_task *t, void (*work)(void *arg), void *arg, double cycles)
{
    t->calls->co_start(t, work, arg, cycles);
}

static inline void weft_co_join(weft_task *t)
{
    t->calls->co_join(t);
}

/*
 * Collective operations: all processes call them, in the same order and with the same sizes.
 * workload.collectives says what they use: the machine's own networks, packets, or messages.
 */

/* Comes back when all have come. */
static inline void weft_barrier(weft_task *t)
{
    t->calls->barrier(t);
}

/* All get what the root has. */
static inline void weft_broadcast(weft_task *t, uint32_t root, void *data, size_t bytes)
{
    t->calls->broadcast(t, root, data, bytes);
}

/* Combines the vectors of all, element by element; only the root gets the result, in place. */
static inline void weft_reduce(weft_task *t, uint32_t root, void *data, size_t count,
                               weft_type type, weft_operation operation)
{
    t->calls->reduce(t, root, data, count, type, operation);
}

/* The same; all get it. */
static inline void weft_allreduce(weft_task *t, void *data, size_t count, weft_type type,
                                  weft_operation operation)
{
    t->calls->allreduce(t, data, count, type, operation);
}

/* Data are a block of `bytes` for each process, in order, of which each has its own; all get all.
 */
static inline void weft_allgather(weft_task *t, void *data, size_t bytes)
{
    t->calls->allgather(t, data, bytes);
}

/* Each sends a part of its data to each, and gets one from each; sizes may differ, but both ends
 * must know them. */
static inline void weft_alltoall(weft_task *t, const weft_parts *out, const weft_parts *in)
{
    t->calls->alltoall(t, out, in);
}

#ifdef __cplusplus
}
#endif

#endif
