/*
 * A program and the libraries that a rank has to itself, as every rank gets them.
 *
 *   image   | thread-local data | variables | words | program | library | library | ...
 *
 * Images of ranks are views of one file in memory, the template: pages to which nobody writes exist
 * once. The template holds all that ranks have in common, addresses of the computer's and of Weft's
 * functions among it; words that depend on where an image is are patches, and written for each.
 */
#ifndef WEFT_IMAGE_IMAGE_H
#define WEFT_IMAGE_IMAGE_H

#include "image/elf.h"

/* A variable that the program takes from a library that all ranks share, and of which each rank
 * must have its own. */
struct image_variable {
    const char *name;
    const void *initial;
    size_t bytes;
    uint64_t at; /* in an image; image_create() sets it, */
    bool used;   /* and whether the program names it */
};

/* Where a program finds what neither it nor its libraries define. */
struct image_host {
    void *(*find)(const char *name, const char *version); /* NULL: there is no such thing */
    struct image_variable *variable;
    size_t variables;
    char *const *argv, *const *environment; /* of the program; each rank has its own */
};

struct image_object {
    struct elf elf;
    uint64_t base;      /* in the image: of the file's address 0 */
    uint64_t thread_at; /* in the image: of its thread-local data */
    int64_t place;      /* of those that are fixed, from the thread's pointer */
    bool fixed;         /* its code knows where its thread-local data are */
};

/* A segment of an object that is loaded, and what the file has of it. */
struct image_segment {
    const struct image_object *object;
    uint64_t at, bytes, file_bytes;
    const unsigned char *from;
    int protection;
};

/* The word at an offset of the image is the address of another, or what a function there returns.
 */
struct patch {
    uint64_t at, value;
};

struct patches {
    struct patch *item;
    size_t count, room;
};

/* Bytes that were copied from a library's variable to the program's. */
struct image_range {
    uint64_t at, bytes;
};

/* Names, each once. */
struct image_names {
    const char **name;
    size_t count, room;
};

struct image {
    struct image_object *object; /* the program first */
    size_t objects;
    struct image_segment *segment;
    size_t segments, segment_room;
    int file; /* the template */
    unsigned char *template;
    size_t bytes, page;
    uint64_t argv_at, environment_at;
    struct patches patch, choice;
    struct image_range *copy;
    size_t copied, copy_room;
    bool threads;            /* its ranks may make threads */
    uint64_t fixed_bytes;    /* thread-local data at its start, beside the thread's pointer */
    struct image_names used; /* what comes from the host; not for compilers' libraries */
};

/* Loads a program. Complaints name all functions that it needs and that do not exist. */
weft_status image_create(const char *path, const struct image_host *host, struct image *image);
void image_destroy(struct image *image);

/* Adds a patch to image.patch or image.choice. */
void patch_add(struct patches *p, uint64_t at, uint64_t value);

/* Whether the program, or a library of it that is not its compiler's, takes this from the host. */
bool image_uses(const struct image *image, const char *name);

/* The offset of what the program or a library of it defines; false: none of them does. */
bool image_find(const struct image *image, const char *name, uint64_t *at);

/* Says where an offset of the image is in its source: "store() at heat.c:12", or as much of it as
 * its file tells (symbols.c). False: it is in no file. */
enum { IMAGE_PLACE = 512 };
bool image_describe(const struct image *image, uint64_t at, char text[IMAGE_PLACE]);

/* ---- copies.c ---- */

/*
 * The images of ranks: copies of one image, side by side.
 *
 * A process may have no more than some 65,530 mappings. So, as there are more ranks,
 *   - every segment of every copy is protected as its file says, up to COPIES_PROTECTED ranks;
 *   - a copy is one mapping, which can be written and executed;
 *   - copies have a mapping in common, and their own text.
 * Text that nobody writes exists once in the first two cases.
 */

enum { COPIES_PROTECTED = 10000 };

struct copies {
    const struct image *image;
    unsigned char *first;
    size_t stride;
    uint32_t count;
    uint32_t shared; /* the copies from here on have a mapping in common */
    bool protected;
};

/* Makes copies for `count` ranks. Functions of the program that choose among others are run once.
 */
weft_status copies_create(struct image *image, uint32_t count, struct copies *copies);
void copies_destroy(struct copies *copies);

static inline unsigned char *copy_at(const struct copies *c, uint32_t rank)
{
    return c->first + (size_t)rank * c->stride;
}

/* Whose copy an address is in; false: nobody's. */
bool copies_find(const struct copies *copies, const void *address, uint32_t *rank);

/*
 * A rank's life in its copy, on its own stack: its thread-local data get their first values, its
 * libraries begin, the program is entered as the system would enter it. It then calls
 * __libc_start_main(), which the host provides, and which begins the program itself, calls its
 * main() and ends it.
 */

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
