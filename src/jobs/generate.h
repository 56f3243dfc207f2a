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
#include "machine/jobs_params.h"

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
