/* Pictures as PNG (RFC 2083): 8 bits each of red, green and blue, nothing else. */
#ifndef WEFT_REPORT_PICTURE_PNG_H
#define WEFT_REPORT_PICTURE_PNG_H

#include <stddef.h>
#include <stdint.h>

/* The file of a picture, whose rows begin at the top; both sizes are at least 1. The caller must
 * free it. */
unsigned char *png_encode(const unsigned char *rgb, uint32_t width, uint32_t height, size_t *size);

#endif
