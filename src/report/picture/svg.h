/*
 * Pictures as SVG, in one style; the file appears whole or not at all (base/file/writer.h).
 *
 *   svg_open(&w, path, width, height)
 *   svg_text(w, ...), or writer_put(w, ...) of anything else
 *   svg_close(w)
 */
#ifndef WEFT_REPORT_PICTURE_SVG_H
#define WEFT_REPORT_PICTURE_SVG_H

#include <stdint.h>

#include "base/file/writer.h"

/* A part of a picture, in pixels from its top left corner. */
struct svg_box {
    double x, y, width, height;
};

weft_status svg_open(struct writer **writer, const char *path, unsigned width, unsigned height);
weft_status svg_close(struct writer *w);

/* Texts; the last runs upwards. What XML cannot hold is left out, and what is too long for a
 * picture ends in "...". `style`: words of the style sheet: "note", "tick", "small" or "axis", and
 * "middle" or "end" if `x` is not where the text begins. */
void svg_title(struct writer *w, double x, double y, const char *text);
void svg_text(struct writer *w, double x, double y, const char *style, const char *text);
void svg_text_up(struct writer *w, double x, double y, const char *style, const char *text);

/* A straight line. `style`: "frame", "grid" or "mark". */
void svg_line(struct writer *w, const char *style, double x0, double y0, double x1, double y1);
void svg_frame(struct writer *w, struct svg_box box);

/* A raster, stretched to fill a box; its rows begin at the top. */
void svg_image(struct writer *w, struct svg_box box, const unsigned char *rgb, uint32_t columns,
               uint32_t rows);

#endif
