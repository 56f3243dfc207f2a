/* A run of the pattern `view`: a box of the machine as a torus. Nothing is sent. */
#ifndef WEFT_JOBS_VIEW_H
#define WEFT_JOBS_VIEW_H

#include "config/config.h"
#include "topology/places/places.h"
#include "machine/result.h"

/* Adds what the keys ask for to a result. */
weft_status view_show(const struct config *config, const struct ground *ground,
                      struct run_result *result);

#endif
