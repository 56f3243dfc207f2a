/* The inside of a session, for session.c and gather.c. */
#ifndef WEFT_MACHINE_SESSION_STATE_H
#define WEFT_MACHINE_SESSION_STATE_H

#include "machine/family.h"
#include "machine/machine.h"

struct session {
    const struct config *config;
    struct machine_facts facts; /* of it */
    struct run_options options;
    const struct family *family;
    const struct run_params *params;
    const struct workload_params *workload;
    struct model *model;
    bool created; /* the model exists: whole, or as far as it was built before a failure */
    struct workload **program; /* those of its workloads that are MPI programs */
    uint32_t programs;
    struct engine_options engine;
    struct engine_outcome outcome; /* times summed over all runs */
    bool ran;
    double setup_seconds;
    double started, save_at; /* for checkpoints */
};

/* What was measured (gather.c); of links, VCs and, with run.detail, nodes (gather_links.c): first
 * each of them, then in sum. */
weft_status session_gather(struct session *s, struct run_result *r);
void session_gather_links(const struct session *s, struct run_result *r);
void session_sum_up_links(const struct session *s, struct run_result *r);

/* Whether the topology is surveyed, without traffic. */
static inline bool session_is_survey(const struct session *s)
{
    return s->workload->pattern->kind == PATTERN_SURVEY;
}

/* The cycle at which an open loop's measurement ends, as far as is known now. */
static inline cycle_t session_measured_end(const struct session *s)
{
    return s->model->window.to;
}

/* Cycles of it. */
static inline cycle_t session_measured(const struct session *s)
{
    return s->model->window.to - s->model->window.from;
}

#endif
