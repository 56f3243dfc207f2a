/*
 * Thread-local data of programs. The code of a program knows how far its own are from the thread's
 * pointer. There the computer's threads have Weft's thread-local data; the first of these is a
 * reserve that nobody uses, so that data of a rank can be put there while it runs.
 *
 *   x86-64    ... Weft's | reserve |> pointer
 *   aarch64   pointer <| 16 bytes | reserve | Weft's ...
 *
 * Libraries ask where their data are; the answer is in the image of the rank (image.h), or, if
 * some of their code knows it too, in the reserve.
 */
#ifndef WEFT_IMAGE_THREAD_H
#define WEFT_IMAGE_THREAD_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

/* Places, one after the other, away from the thread's pointer. */
struct thread_layout {
    uint64_t bytes;
};

/* Where the next data go, from the thread's pointer. */
int64_t thread_add(struct thread_layout *l, uint64_t bytes, uint64_t alignment);

/* Bytes that were taken, and where a place is among them. */
uint64_t thread_span(const struct thread_layout *l);
uint64_t thread_offset(const struct thread_layout *l, int64_t place);

/* Bytes that can be had; 0: this program was linked in such a way that the reserve is elsewhere. */
uint64_t thread_most(void);

/* What is beside the pointer of this thread, `bytes` as thread_span() said. */
void *thread_reserve(uint64_t bytes);

/* What __tls_get_addr() is to programs. A module is the address of its data, or, if these are in
 * the reserve, their place: a number that is no address, as it is near 0. */
struct thread_index {
    uint64_t module, offset;
};
void *thread_address(const struct thread_index *index);

/* The address of a function for descriptors of variables. */
uint64_t thread_resolver(bool fixed);

#endif
