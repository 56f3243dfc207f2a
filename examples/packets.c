/*
 * A program for simulated nodes: an all-to-all by single packets, as users of the system
 * programming interface of Blue Gene/L wrote them. Every process sends each other one PACKETS
 * packets, one after the other in some order, and takes what comes in between.
 *
 *   cc -shared -fPIC -o packets.so packets.c $(pkg-config --cflags weft)
 *   weft run -m bluegene-l -p ./packets.so -s workload.arguments="staggered 1"
 *
 * The arguments are an order (ascending, staggered, random, distance) and PACKETS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft_program.h>

/* A small generator: each process has a sequence of its own, the same in every run. */
static uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* Hops along the axes of a torus; XYZT: one process on each node, node by node. */
static uint32_t hops(const weft_task *t, uint32_t to)
{
    uint32_t sum = 0;
    for (uint32_t d = 0; d < t->dims; to /= t->dim[d++]) {
        uint32_t size = t->dim[d], far = (to % size + size - t->coordinate[d]) % size;
        sum += far < size - far ? far : size - far;
    }
    return sum;
}

/* The others, in the order in which this process turns to them. */
static void set_order(const weft_task *t, const char *order, uint32_t *to)
{
    uint32_t others = t->size - 1;
    uint64_t state = t->rank + 1;
    int ascending = strcmp(order, "ascending") == 0;
    for (uint32_t i = 0; i < others; i++)
        to[i] = ascending ? i + (i >= t->rank) : (t->rank + 1 + i) % t->size;
    for (uint32_t i = others; strcmp(order, "random") == 0 && i > 1; i--) {
        uint32_t pick = draw(&state) % i, swap = to[i - 1];
        to[i - 1] = to[pick];
        to[pick] = swap;
    }
    /* Those as far away stay staggered: an insertion sort keeps their order. */
    for (uint32_t i = 1; strcmp(order, "distance") == 0 && i < others; i++) {
        uint32_t one = to[i], k = i;
        for (; k > 0 && hops(t, to[k - 1]) > hops(t, one); k--)
            to[k] = to[k - 1];
        to[k] = one;
    }
}

void weft_program(weft_task *t)
{
    const char *order = t->argc > 0 ? t->argv[0] : "staggered";
    uint32_t packets = t->argc > 1 ? (uint32_t)atoi(t->argv[1]) : 1, others = t->size - 1;
    uint32_t *to = weft_alloc(t, others * sizeof(*to));
    uint32_t *got = weft_alloc(t, t->size * sizeof(*got));
    unsigned char *data = weft_alloc(t, t->packet_bytes + 1);
    uint32_t from;
    if (!t->packet_bytes)
        weft_fail(t, "needs a machine whose processors write packets, as bluegene-l");
    set_order(t, order, to);
    memcpy(data, &t->rank, sizeof(t->rank));
    for (uint32_t round = 0; round < packets; round++)
        for (uint32_t i = 0; i < others; i++)
            weft_send_packet(t, to[i], data, t->packet_bytes);
    for (uint64_t i = 0; i < (uint64_t)packets * others; i++) {
        weft_info info = weft_receive_packet(t, &from, sizeof(from));
        if (info.bytes != t->packet_bytes || info.source != from || got[from]++ == packets)
            weft_fail(t, "got a packet that nobody sent it");
    }
    if (t->rank == 0)
        printf("%s: %.3f us\n", order, 1e6 * weft_seconds(t));
    weft_release(t, data);
    weft_release(t, got);
    weft_release(t, to);
}
