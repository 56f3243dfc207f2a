/*
 * Watermarks of FIFOs (TORUS, "Torus network": "set by software for the injection and reception
 * FIFOs so that interrupts fire when the FIFO contents cross the corresponding threshold").
 */
#ifndef WEFT_NODE_WATERMARK_H
#define WEFT_NODE_WATERMARK_H

#include <stdbool.h>
#include <stdint.h>

/* In chunks; 0: none. */
struct watermarks {
    uint32_t injection, reception;
};

/* How often the content of a FIFO rose to its watermark, over all nodes. */
struct watermark_counts {
    uint64_t injection, reception;
};

/* Whether a packet takes the content from below a watermark to it, or beyond. */
static inline bool watermark_is_crossed(uint32_t mark, uint32_t before, uint32_t chunks)
{
    return before < mark && before + chunks >= mark;
}

#endif
