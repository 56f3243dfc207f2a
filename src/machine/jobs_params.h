/* The keys of a machine that is shared: where its jobs come from, and how they are placed. */
#ifndef WEFT_MACHINE_JOBS_PARAMS_H
#define WEFT_MACHINE_JOBS_PARAMS_H

#include "config/keys.h"
#include "topology/places/places.h"

/* The longest time that a log may have: sums of some of them do not overflow. */
#define JOBS_MOST_SECONDS 1e10

enum policy { POLICY_FCFS, POLICY_EASY, POLICY_CONSERVATIVE };
enum estimates { ESTIMATES_USER, ESTIMATES_PERFECT };

/* Of generated jobs (jobs/log.h). */
struct gamma_shape {
    double alpha, beta; /* mean: their product */
};

struct generate_params {
    uint32_t jobs;
    uint32_t processors;               /* of the machine */
    double serial_share, power_share;  /* of jobs: of one processor; of a larger power of two */
    double low, middle_below, first;   /* log2 of sizes: from `low` up to `middle_below` under the
                                          machine's with probability `first`, else above that */
    struct gamma_shape brief, lasting; /* ln of seconds */
    double brief_slope, brief_share;   /* probability of `brief`: slope x processors + share */
    struct gamma_shape apart;          /* ln of seconds between arrivals */
    struct gamma_shape day;            /* half hours from 5:00 on */
    double overestimate;               /* the most that a user asks for, in run times; at least 1 */
};

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

#endif
