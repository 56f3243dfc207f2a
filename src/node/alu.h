/*
 * The ALU of a tree node: combines two packets operand by operand. Operands are unsigned, of any
 * multiple of 16 bits, their lowest byte first (IBM's public SPI headers name the operations). What
 * else is needed software makes from these: signed maxima by turning the sign, sums of
 * floating-point numbers in two phases (message/reduce.h).
 */
#ifndef WEFT_NODE_ALU_H
#define WEFT_NODE_ALU_H

#include <stddef.h>

#include "node/nic.h"

/* mine[] = mine[] op other[], for operands of `width` bytes. What is left of an operand stays. */
void alu_combine(enum nic_operation operation, unsigned width, unsigned char *mine,
                 const unsigned char *other, size_t bytes);

#endif
