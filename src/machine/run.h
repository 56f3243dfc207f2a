/*
 * One run: builds machine and workload from a configuration, runs them, and gathers what was
 * measured. With several ranks, all must call it with the same arguments; only the first rank gets
 * the whole result.
 */
#ifndef WEFT_MACHINE_RUN_H
#define WEFT_MACHINE_RUN_H

#include "machine/checkpoint.h"
#include "machine/machine.h"
#include "machine/result.h"
#include "node/nic.h"

/*
 * WEFT_OK: done. WEFT_FAILED: a deadlock (the result is filled in and says so), an interruption or
 * a broken invariant. WEFT_BAD_INPUT: it could not start. The caller must call run_result_fini()
 * after WEFT_OK and after a deadlock.
 */
weft_status run_config(const struct config *config, const struct run_options *options,
                       struct run_result *result);

/*
 * The same step by step, for callers that drive a run themselves.
 *
 *   session_open(config, options, &s)     machine and workload are built; nothing has happened yet
 *   session_run(s, until)                 once, or repeatedly with later cycles
 *   session_finish(s, &result)            what was measured, and whether it ended well
 *   session_close(s)
 *
 * With options->host only the host sends: it posts to the model's nic between calls of
 * session_run().
 */
struct session;
struct model;

/* On failure *session is NULL. */
weft_status session_open(const struct config *config, const struct run_options *options,
                         struct session **session);
void session_close(struct session *session);

/* Runs all events before a cycle; CYCLE_NEVER: to the workload's end. WEFT_FAILED: interrupted, or
 * an invariant is broken. */
weft_status session_run(struct session *session, cycle_t until);

/* WEFT_FAILED: a deadlock, which the result explains, or an interruption. The caller must call
 * run_result_fini() after WEFT_OK and after a deadlock. */
weft_status session_finish(struct session *session, struct run_result *result);

/* Packets are under way and cannot move; session_finish() explains it. */
bool session_is_stuck(const struct session *session);

/* The last run was interrupted, between two windows: the session is sound. */
bool session_was_interrupted(const struct session *session);

/* The machine and its workload (family.h). */
const struct model *session_model(const struct session *session);

/* Tells the engine of a cycle in which something will happen that it does not know of yet. */
void session_rouse(struct session *session, cycle_t when);

/* Whether nothing is left to happen. */
bool session_is_over(const struct session *session);

#endif
