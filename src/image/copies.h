/*
 * The images of ranks: copies of one image (image.h), side by side.
 *
 * A process may have no more than some 65,530 mappings. So, as there are more ranks,
 *   - every segment of every copy is protected as its file says, up to COPIES_PROTECTED ranks;
 *   - a copy is one mapping, which can be written and executed;
 *   - copies have a mapping in common, and their own text.
 * Text that nobody writes exists once in the first two cases.
 */
#ifndef WEFT_IMAGE_COPIES_H
#define WEFT_IMAGE_COPIES_H

#include "image/image.h"

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

#endif
