/*
 * Combining vectors: in software, element by element; and over a tree whose ALU knows unsigned
 * operands only (node/nic.h).
 *
 * For the ALU, elements are turned into what it can compare or add, and back: maxima of signed
 * integers by turning the sign, minima as maxima of complements, those of floating-point numbers by
 * an image that keeps their order. A sum of floating-point numbers takes two phases (MSG, 3): the
 * largest exponent of each element; then a sum of mantissas, as 64-bit integers with that exponent
 * in common. It does not depend on the order of summands; of 53 bits, those are lost that processes
 * need for carries (none up to 512, 7 of 65,536), and those below the largest summand's.
 */
#ifndef WEFT_MESSAGE_REDUCE_H
#define WEFT_MESSAGE_REDUCE_H

#include <stdbool.h>

#include "node/nic.h"
#include "weft_program.h"

/* Bytes of an element; 0: there is no such type. */
size_t reduce_size(weft_type type);

/* Whether elements of a type can be combined so. */
bool reduce_is(weft_type type, weft_operation operation);

/* mine[] = mine[] op other[] */
void reduce_combine(weft_type type, weft_operation operation, void *mine, const void *other,
                    size_t count);

/* What the ALU does; OPERATION_NONE: it takes two phases. */
enum nic_operation reduce_on_tree(weft_type type, weft_operation operation);

/* Turns elements into operands for it, and back; whether that is any work. */
bool reduce_turns(weft_type type, weft_operation operation);
void reduce_to_tree(weft_type type, weft_operation operation, void *data, size_t count);
void reduce_from_tree(weft_type type, weft_operation operation, void *data, size_t count);

/* The two phases: exponents, of which the maximum is to be found; mantissas with that exponent, to
 * be added; and the sum of both. */
void reduce_exponents(const double *data, uint16_t *exponent, size_t count);
void reduce_mantissas(const double *data, const uint16_t *exponent, uint32_t processes,
                      uint64_t *mantissa, size_t count);
void reduce_sums(const uint64_t *mantissa, const uint16_t *exponent, uint32_t processes,
                 double *data, size_t count);

#endif
