/* The colours of jobs: calm, and far apart for jobs that follow each other. */
#ifndef WEFT_REPORT_PICTURE_COLOUR_H
#define WEFT_REPORT_PICTURE_COLOUR_H

#include <stdint.h>

struct colour {
    unsigned char red, green, blue;
};

struct colour colour_of_job(uint32_t job);

/* The same hue, darker: what was lost. */
struct colour colour_of_lost(uint32_t job);

#endif
