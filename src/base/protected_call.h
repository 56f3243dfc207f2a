/*
 * Work that may have to be abandoned midway: memory runs out, or nobody wants it any more.
 *
 *   status = protected_call(body, arg)      runs body(arg); returns at once if the work is given up
 *     protected_call_poll()                 in long loops within: gives up if the watcher says so
 *     protected_call_abandon()                gives up; the error record says why
 *
 * It affects the calling thread only. What the body had allocated by then leaks, so this is for
 * failures after which the program does not run for long. Outside any protected_call, giving up
 * ends the program with one line; all library functions are protected calls, and the library's copy
 * of this floor prints nothing.
 */
#ifndef WEFT_BASE_PROTECTED_CALL_H
#define WEFT_BASE_PROTECTED_CALL_H

#include <stdbool.h>

#include "base/status.h"

weft_status protected_call(weft_status (*body)(void *arg), void *arg);

_Noreturn void protected_call_abandon(void);

/* What happens outside any protected call; `broken`: an invariant is broken. */
_Noreturn void protected_call_outside(bool broken);

/* Makes another protected call this thread's innermost, and returns the one that was; NULL: none.
 * For fibers (fiber.h), which take theirs along. */
void *protected_call_swap(void *innermost);

/* Sets what protected_call_poll() asks from now on; NULL: nobody watches. */
void protected_call_watch(bool (*unwanted)(void *arg), void *arg);
void protected_call_poll(void);

#endif
