/*
 * A run, step by step: what run_config() does in one call, for those who drive it themselves.
 *
 *   session_open(config, options, &s)     machine and workload are built; nothing has happened yet
 *   session_run(s, until)                 once, or again with a later cycle
 *   session_finish(s, &result)            what was measured, and whether it ended well
 *   session_close(s)
 *
 * With options->host nobody sends but the host: it posts to session_nic() while the session rests.
 */
#ifndef WEFT_MACHINE_SESSION_H
#define WEFT_MACHINE_SESSION_H

#include "config/config.h"
#include "machine/result.h"
#include "node/nic.h"

struct session;

/* *session is NULL if it fails. */
weft_status session_open(const struct config *config, const struct run_options *options,
                         struct session **session);
void session_close(struct session *session);

/* Runs all events before a cycle; CYCLE_NEVER: to the workload's end. WEFT_FAILED: interrupted, or
 * an invariant is broken. */
weft_status session_run(struct session *session, cycle_t until);

/* WEFT_FAILED: a deadlock, which the result explains, or an interruption. The caller calls
 * run_result_fini() after WEFT_OK and after a deadlock. */
weft_status session_finish(struct session *session, struct run_result *result);

/* The machine's nic, and where a node is. */
struct nic *session_nic(struct session *session);
struct nic_node session_node(const struct session *session, uint32_t node);

/* Something will happen in a cycle of which the engine does not know yet. */
void session_rouse(struct session *session, cycle_t when);

/* Nothing is left to happen. */
bool session_is_over(const struct session *session);

/* CPU and wall seconds count from here. */
void session_forget_times(struct session *session);

/* Between two runs: packet-hops and events so far, packets under way. */
uint64_t session_hops(const struct session *session);
uint64_t session_events(const struct session *session);
uint64_t session_pending(const struct session *session);

#endif
