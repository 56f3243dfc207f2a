/*
 * Work that may have to be given up in the middle: memory runs out, or nobody wants it any more.
 *
 *   status = attempt(body, arg)      runs body(arg); comes back at once if the work is given up
 *     attempt_poll()                 in long loops within: gives up if whoever watches says so
 *     attempt_leave()                gives up; the error record says why
 *
 * It concerns the calling thread only. What the body had allocated by then is lost, so this is for
 * failures after which nobody goes on for long. Outside of any attempt, giving up ends the program
 * with one line; the library's functions are all attempts, and its copy of this floor says nothing.
 */
#ifndef WEFT_BASE_ATTEMPT_H
#define WEFT_BASE_ATTEMPT_H

#include <stdbool.h>

#include "base/status.h"

weft_status attempt(weft_status (*body)(void *arg), void *arg);

_Noreturn void attempt_leave(void);

/* What happens outside of any attempt: broken: an invariant. */
_Noreturn void attempt_outside(bool broken);

/* From now on attempt_poll() asks this; NULL: nobody watches. */
void attempt_watch(bool (*unwanted)(void *arg), void *arg);
void attempt_poll(void);

#endif
