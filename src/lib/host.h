/*
 * A host's traffic: messages that are injected while a session is idle, and reported when they have
 * arrived. The host is the client of the machine's nic, whatever kind that is.
 */
#ifndef WEFT_LIB_HOST_H
#define WEFT_LIB_HOST_H

#include "machine/run.h"

struct host;

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

uint64_t host_injected(const struct host *host);
uint64_t host_delivered(const struct host *host);

#endif
