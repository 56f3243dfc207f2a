/*
 * Cyclic redundancy checks, most significant bit first, initial value zero: the check of the sum of
 * two texts is the sum of their checks, so the effect of an error on a check does not depend on the
 * text.
 *
 *   CRC_8    0x2f      Hamming distance 4 up to 119 bits of text
 *   CRC_24   0x5d6dcb  6 up to 2024 bits, 4 beyond (FlexRay)
 *   CRC_32   0x1edc6f41  6 up to 5243 bits, 4 beyond (Castagnoli)
 *
 * The polynomials of Blue Gene/L are not public; these are good published ones of the same
 * widths. tests/unit/test_crc.c verifies the distances where it can.
 */
#ifndef WEFT_BASE_CRC_H
#define WEFT_BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

enum crc_kind { CRC_8, CRC_24, CRC_32, CRC_KINDS };

/* Continues from `crc` (0 at the start) over more bytes. */
uint32_t crc_update(enum crc_kind kind, uint32_t crc, const void *bytes, size_t size);

#endif
