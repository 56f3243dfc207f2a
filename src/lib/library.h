/* The inside of a weft_run, for the command line, which shows progress and summaries too. */
#ifndef WEFT_LIB_LIBRARY_H
#define WEFT_LIB_LIBRARY_H

#include <stdatomic.h>

#include "machine/run.h"

struct host;

/* What a run is doing while one of the host's functions is called. */
enum library_doing {
    LIBRARY_RESTS,
    LIBRARY_TELLS, /* deliveries: it stands between two cycles */
    LIBRARY_WORKS,
};

struct weft_run {
    enum library_doing doing;
    struct config config;
    struct run_result result;
    bool executed; /* result is filled in */
    char *json;
    _Atomic bool cancelled;
    void (*progress)(void *arg, const weft_progress *progress);
    void *progress_arg;
    void (*delivery)(void *arg, const weft_delivery *delivery);
    void *delivery_arg;

    /* While a host drives it. */
    struct session *session;
    struct host *host;
    cycle_t now; /* everything before this cycle has been run */
    bool broken; /* work on the session was given up halfway: it must not be used any more */
};

/* Creates a run with the configuration of a checkpoint, which loses it to the run. */
weft_status library_resume(struct checkpoint *checkpoint, weft_run **run);

weft_status library_execute(weft_run *run, const struct run_options *options);

/*
 * ---- host.c ----
 *
 * A host's traffic: messages that are injected while a session is idle, and reported when they have
 * arrived. The host is the client of the machine's nic, whatever kind that is.
 */

struct host *host_create(uint32_t nodes);
void host_destroy(struct host *host);

/* The client to give to the session. */
const struct nic_client *host_client(struct host *host);

/* Sends a message through a session, which must be idle and have been run at least once, but not
 * past the message's cycle. */
void host_inject(struct host *host, struct session *session, const weft_message *message);

/* Reports all deliveries before a cycle that have not been reported yet, in order. */
void host_tell(struct host *host, cycle_t until,
               void (*told)(void *arg, const weft_delivery *delivery), void *arg);

/* Fills in what is counted of messages. */
void host_count(const struct host *host, weft_counters *counters);

#endif
