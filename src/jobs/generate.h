/*
 * Logs of jobs that nobody ran: the model of Lublin and Feitelson ("The workload on parallel
 * supercomputers: modeling the characteristics of rigid jobs", JPDC 2003), all jobs of one kind.
 *
 *   processors   1 with some probability; else 2 to the power of a number from one of two uniform
 *                distributions, rounded for those that ask for powers of two
 *   run time     e to the power of a number from one of two gamma distributions: the first for
 *                short jobs; the more processors, the more often the second
 *   arrivals     e to the power of a gamma-distributed number of seconds apart, at the pace of the
 *                hour: half hours have weights by another gamma distribution, the day's cycle
 *
 * The model has no estimates: a user asks for the run time times a number between 1 and a most
 * (Mu'alem and Feitelson 2001).
 */
#ifndef WEFT_JOBS_GENERATE_H
#define WEFT_JOBS_GENERATE_H

#include "jobs/swf.h"

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

/* The published values, of a machine of 128 processors. */
extern const struct generate_params generate_published;

/* Makes a log; the same seed makes the same one. */
void generate_log(const struct generate_params *params, uint64_t seed, struct swf_log *log);

/* For tests: the weight of each half hour of a day, 1 on average; a number from a gamma
 * distribution, and its cumulative probability. */
enum { HALF_HOURS = 48 };
void generate_weights(struct gamma_shape day, double weight[HALF_HOURS]);
double gamma_below(double x, struct gamma_shape shape);

#endif
