/* The jobs of a run: read or generated, and scaled to the machine. */
#ifndef WEFT_JOBS_INPUT_H
#define WEFT_JOBS_INPUT_H

#include "jobs/generate.h"
#include "jobs/schedule.h"

/* A log as the keys say, with its jobs' sizes scaled to a machine of so many nodes. */
struct jobs_input {
    struct swf_log log; /* as it was read or made; its jobs are gone */
    struct job *job;
    uint32_t jobs;
    double own_load; /* node seconds over those that the machine had from the first submission to
                        the last */
};

weft_status jobs_input(const struct jobs_params *params, uint32_t nodes, uint64_t seed,
                       struct jobs_input *input);

#endif
