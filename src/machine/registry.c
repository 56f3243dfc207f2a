/* The families of machines, one row each; nothing else knows their names. */
#include "machine/family.h"

extern const struct family torus_family, torus_dma_family, crosspoint_family, tofu_family,
    switches_family, ideal_family;

const struct family *const families[] = {
    &torus_family, &torus_dma_family, &crosspoint_family,
    &tofu_family,  &switches_family,  &ideal_family,
    NULL,
};
