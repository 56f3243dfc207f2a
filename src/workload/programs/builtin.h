/*
 * Programs that come with Weft (weft_program.h). They check the data that they receive, and are
 * examples of how to write others. Who exchanges with whom is in message/process_grid.h, as traces
 * of the same programs ask for it, too.
 *
 *   halo       neighbours in a three-dimensional grid exchange faces, then compute
 *   wavefront  a sweep over a two-dimensional grid: from the west and north, to the east and south
 *   master     one process hands out work to all others, as they ask for it
 *   fft        the transposes of a three-dimensional FFT: all-to-all in rows, then in columns
 *   boxes      all-to-alls by single packets, within boxes of nodes
 *   transposes  the exchanges of a three-dimensional FFT by single packets, as IBM's program
 *   collectives  all collective operations, with all types, roots and sizes
 */
#ifndef WEFT_WORKLOAD_PROGRAMS_BUILTIN_H
#define WEFT_WORKLOAD_PROGRAMS_BUILTIN_H

#include "weft_program.h"

/* A stack for programs that come with Weft, and those like them. */
enum { PROGRAM_STACK_BYTES = 1 << 16 };

void program_halo(weft_task *t);
void program_wavefront(weft_task *t);
void program_master(weft_task *t);
void program_fft(weft_task *t);
void program_boxes(weft_task *t);
void program_transposes(weft_task *t);
void program_collectives(weft_task *t);

/* For the pattern `broadcast`. */
void program_mesh_broadcast(weft_task *t);

/* The number in a word of the program's arguments; `usual` if there is none. Fails if it is no
 * whole number of up to 2^40. */
uint64_t program_number(weft_task *t, int word, uint64_t usual);

/* Fills a buffer with what nobody else would write, and checks it. */
void program_fill(unsigned char *at, size_t bytes, uint32_t from, uint32_t to, uint32_t round);
void program_check(weft_task *t, const unsigned char *at, size_t bytes, uint32_t from, uint32_t to,
                   uint32_t round);

#endif
