/*
 * A rank's life in its copy, on its own stack: its thread-local data get their first values, its
 * libraries begin, the program is entered as the system would enter it. It then calls
 * __libc_start_main(), which the host provides, and which begins the program itself, calls its
 * main() and ends it.
 */
#ifndef WEFT_IMAGE_BEGIN_H
#define WEFT_IMAGE_BEGIN_H

#include "image/image.h"

/* What the program gets; `argv` ends with NULL, and is the rank's own. */
struct begin_words {
    int argc;
    char **argv, **environment;
};

/* Enters the program; it ends in the host's functions, never here. */
_Noreturn void begin_program(const struct image *image, unsigned char *copy,
                             const struct begin_words *words);

/* Gives a thread that a rank has made its first thread-local data: those at fixed places. */
void begin_thread(const struct image *image, const unsigned char *copy);

/* Runs what the program must run before main(), and what it and its libraries must after. */
void begin_main(const struct image *image, unsigned char *copy, const struct begin_words *words);
void end_program(const struct image *image, unsigned char *copy);

#endif
