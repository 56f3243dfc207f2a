/*
 * Fibers: functions with a stack of their own, which stop midway and go on later.
 *
 *   fibers = fibers_create(count, stack_bytes)
 *   fiber_start(fibers, index, body, arg)        body(arg) is ready, and does not run yet
 *   while (fiber_resume(fibers, index))          runs it until it
 *       ...                                        calls fiber_yield(): true
 *                                                  returns: false; the index can be started again
 *   fibers_destroy(fibers)
 *
 * Rules:
 *   - Any thread may resume a fiber, but never two at once. Threads may run different fibers of one
 *     pool side by side. A fiber may resume others.
 *   - A fiber's protected calls (status.h) move with it. A failure that none of them catches ends
 *     the fiber and leaves the protected call around fiber_resume().
 *   - The error record belongs to the thread, like errno and all its other variables: after
 *     fiber_yield() it may be another one, or hold what another fiber wrote.
 *   - Who overruns a stack is stopped: by a guard of 64 KiB (SIGSEGV), or where the system has no
 *     guards left for so many stacks, by a check after each visit. Only a large local variable that
 *     nobody writes to can leap over them.
 */
#ifndef WEFT_BASE_FIBER_H
#define WEFT_BASE_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fibers;

/* Stacks are at least 16 KiB, in whole pages; memory is taken as it is touched. */
struct fibers *fibers_create(uint32_t count, size_t stack_bytes);

/* Drops the fibers that have not ended: their stacks go, what they had allocated leaks. */
void fibers_destroy(struct fibers *fibers);

/* The fiber must be new, or have ended. */
void fiber_start(struct fibers *fibers, uint32_t index, void (*body)(void *arg), void *arg);

/* Runs a fiber until it yields; false: it has ended. */
bool fiber_resume(struct fibers *fibers, uint32_t index);

/* Goes back to whoever resumed this fiber. */
void fiber_yield(void);

/* Lets programs execute what is on the stacks of the pool whose fiber runs on this thread. Where
 * the system forbids it, such code ends by SIGSEGV. */
void fibers_allow_code(void);

/* For programs that want to explain SIGSEGV: whether an address is in the guard of the fiber that
 * runs on this thread; and what to call on each thread before its first fiber runs. */
bool fiber_is_guard(const void *at);
void fibers_prepare_threads(void (*prepare)(void));

/* Whether a fiber is running on this thread, and its index in its pool. */
bool fiber_inside(void);
uint32_t fiber_self(void);

#endif
