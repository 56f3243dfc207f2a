/*
 * What ranks print: kept until simulated time has passed, and then printed in its order, ranks that
 * print at the same time by their numbers. Several programs that run at once are printed together,
 * in the same order.
 */
#ifndef WEFT_MPI_OUTPUT_H
#define WEFT_MPI_OUTPUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Something that a rank has written. */
struct output_piece {
    double when;
    uint32_t rank, number; /* number: among those of the rank */
    bool is_error;         /* to standard error */
    size_t bytes;
    char *text;
};

struct output {
    pthread_mutex_t lock;
    struct output_piece *piece;
    size_t count, room;
    bool tags;     /* every line begins with its rank, */
    uint32_t part; /* after the number of its part; 0: there is one program */
    bool *midway;  /* [rank][stream]: what it printed last has not ended its line */
};

void output_init(struct output *o, uint32_t ranks, uint32_t part, bool tags);
void output_fini(struct output *o);

/* Takes a copy of the text. */
void output_add(struct output *o, const struct output_piece *piece);

/* Forgets what ranks other than this one have written. */
void output_keep(struct output *o, uint32_t rank);

/* Hands over what was written before a time that all ranks have reached. */
typedef void output_sink(void *arg, bool is_error, const char *text, size_t bytes);
void output_print(struct output *const *outputs, uint32_t count, double before, output_sink *sink,
                  void *arg);

#endif
