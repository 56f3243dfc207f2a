/*
 * Work that may have to be abandoned midway: memory runs out, or nobody wants it any more.
 *
 *   status = attempt(body, arg)      runs body(arg); returns at once if the work is given up
 *     attempt_poll()                 in long loops within: gives up if the watcher says so
 *     attempt_leave()                gives up; the error record says why
 *
 * It affects the calling thread only. What the body had allocated by then leaks, so this is for
 * failures after which the program does not run for long. Outside any attempt, giving up ends the
 * program with one line; all library functions are attempts, and the library's copy of this floor
 * prints nothing.
 */
#ifndef WEFT_BASE_ATTEMPT_H
#define WEFT_BASE_ATTEMPT_H

#include <stdbool.h>

#include "base/status.h"

weft_status attempt(weft_status (*body)(void *arg), void *arg);

_Noreturn void attempt_leave(void);

/* What happens outside any attempt; `broken`: an invariant is broken. */
_Noreturn void attempt_outside(bool broken);

/* Makes another attempt this thread's innermost, and returns the one that was; NULL: none. For
 * fibers (fiber.h), which take theirs along. */
void *attempt_swap(void *innermost);

/* Sets what attempt_poll() asks from now on; NULL: nobody watches. */
void attempt_watch(bool (*unwanted)(void *arg), void *arg);
void attempt_poll(void);

#endif
