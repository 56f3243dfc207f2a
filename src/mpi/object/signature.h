/*
 * Signatures of datatypes: which basic values follow each other, wherever they are in memory. Those
 * of a message must be those that are received, as far as the message goes.
 *
 * A signature is the shortest sequence of values that a type repeats, a byte for each, the first in
 * the lowest: 0x34 is doubles, however many. 0 fits everything: MPI_PACKED, and sequences of more
 * than SIGNATURE_MOST values.
 */
#ifndef WEFT_MPI_OBJECT_SIGNATURE_H
#define WEFT_MPI_OBJECT_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

/* What a basic type is made of; how it is combined and converted depends on it. */
enum basic {
    BASIC_NONE, /* not basic */
    BASIC_SIGNED,
    BASIC_UNSIGNED,
    BASIC_FLOAT,
    BASIC_COMPLEX,
    BASIC_LOGICAL,
    BASIC_BYTE,
    BASIC_CHARACTER,
    BASIC_PAIR, /* a value and its place: listed, of two others */
};

enum { SIGNATURE_MOST = 8, SIGNATURE_TEXT = 128 };

uint64_t signature_of_basic(enum basic basic, int64_t bytes);

/* Of blocks one after the other, while they are added: what each repeats, and its bytes. */
struct signature_sum {
    uint64_t first, all;
    uint64_t length; /* values of `all`; more than SIGNATURE_MOST: too many */
    bool differ, unknown;
};
void signature_add(struct signature_sum *sum, uint64_t signature, uint64_t bytes);
uint64_t signature_end(const struct signature_sum *sum);

/* Whether the first bytes that were sent are other values than are received. Strictly, values must
 * be of the same kind, and single bytes are no parts of others; else only integers, reals, and
 * those of different sizes are told apart, and single bytes fit everything. */
bool signature_differs(uint64_t sent, uint64_t received, uint64_t bytes, bool strictly);

/* "4-byte integers" */
void signature_describe(uint64_t signature, char text[SIGNATURE_TEXT]);

#endif
