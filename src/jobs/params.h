/* The keys of a machine that is shared: where its jobs come from, and how they are placed. */
#ifndef WEFT_JOBS_PARAMS_H
#define WEFT_JOBS_PARAMS_H

#include "config/keys.h"
#include "jobs/generate.h"
#include "jobs/schedule.h"

enum estimates { ESTIMATES_USER, ESTIMATES_PERFECT };

struct jobs_params {
    char log[CONFIG_TEXT];        /* empty: jobs are generated */
    uint32_t processors;          /* that the log is of; KEY_AUTO: as it says */
    double load;                  /* that its submit times are scaled to; 0: its own */
    uint64_t shake_seconds;       /* submit times are drawn within so many before and after */
    struct generate_params model; /* of generated jobs */
    enum policy policy;
    enum estimates estimates;
    enum shapes_choice shapes;
    double waste;
    uint32_t large_nodes, spares;
    double mtbf_hours, repair_hours;
    uint32_t most_lost;
    char box[CONFIG_TEXT];    /* whose view is shown (ground_parse()) */
    char planes[CONFIG_TEXT]; /* of that view (view_parse()); auto */
    uint32_t axes, coordinate;
    struct torus cell; /* of machines without node groups; dims 0: a midplane */
};

extern const struct key_section jobs_section;
extern const struct key_table jobs_keys;

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
