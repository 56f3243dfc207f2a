/* Operations of all processes that a process takes part in (state.h). */
#ifndef WEFT_MESSAGE_PACKETS_COLLECTIVE_H
#define WEFT_MESSAGE_PACKETS_COLLECTIVE_H

#include "message/packets/state.h"

/* Begins what the process's action says. */
void collective_start(struct here *h);

/* Starts the core's next piece of work for it; false: there is none now. */
bool collective_advance(struct here *h);

/* That piece takes effect. */
void collective_finish(struct here *h, enum doing doing);

/* Whether it is over for this process; and its end. */
bool collective_is_over(const struct here *h);
void collective_end(struct here *h);

/* Whether this process acts for the node's other one, which goes on when it has ended. */
bool collective_serves(const struct here *h, struct here *partner);

/* Whether a core that rests has something to do for it, and from when on. */
bool collective_is_due(const struct here *h, cycle_t now, fine_t *when);

#endif
