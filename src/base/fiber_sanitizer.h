/*
 * What the sanitizers must be told about fibers, for fiber.c only; nothing in other builds.
 *
 *   host    visit_begins                       visit_ends
 *   fiber                 arrives ... leaves               for the first time, or again
 *
 * All of it is macros, not functions: TSan counts calls and returns for each fiber, and a function
 * that switches to another would be left there.
 */
#ifndef WEFT_BASE_FIBER_SANITIZER_H
#define WEFT_BASE_FIBER_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define FIBER_ASAN
#elif defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define FIBER_TSAN
#endif

struct sanitized {
#if defined(FIBER_ASAN)
    const void *host_low; /* the stack of the host */
    size_t host_bytes;
    void *host_fake, *fake; /* ASan's stacks for locals that may outlive their function */
#elif defined(FIBER_TSAN)
    void *host, *fiber;
#endif
};

#if defined(FIBER_ASAN)

#define sanitized_start(s) (*(s) = (struct sanitized){.host_low = NULL})

/* Frames that never returned are still poisoned: those between sp and the top. */
#define sanitized_drop(s, sp, top)                                                                 \
    __asan_unpoison_memory_region(sp, (size_t)((char *)(top) - (char *)(sp)))

#define sanitized_visit_begins(s, low, bytes)                                                      \
    __sanitizer_start_switch_fiber(&(s)->host_fake, low, bytes)
#define sanitized_visit_ends(s) __sanitizer_finish_switch_fiber((s)->host_fake, NULL, NULL)
#define sanitized_arrives(s)                                                                       \
    __sanitizer_finish_switch_fiber((s)->fake, &(s)->host_low, &(s)->host_bytes)
#define sanitized_leaves(s, for_good)                                                              \
    __sanitizer_start_switch_fiber((for_good) ? NULL : &(s)->fake, (s)->host_low, (s)->host_bytes)

#elif defined(FIBER_TSAN)

#define sanitized_start(s)         ((s)->fiber = __tsan_create_fiber(0))
#define sanitized_drop(s, sp, top) __tsan_destroy_fiber((s)->fiber)
#define sanitized_visit_begins(s, low, bytes)                                                      \
    ((s)->host = __tsan_get_current_fiber(), __tsan_switch_to_fiber((s)->fiber, 0))
#define sanitized_visit_ends(s)       (void)(s)
#define sanitized_arrives(s)          (void)(s)
#define sanitized_leaves(s, for_good) __tsan_switch_to_fiber((s)->host, 0)

#else

#define sanitized_start(s)                    (void)(s)
#define sanitized_drop(s, sp, top)            (void)(s)
#define sanitized_visit_begins(s, low, bytes) (void)(s)
#define sanitized_visit_ends(s)               (void)(s)
#define sanitized_arrives(s)                  (void)(s)
#define sanitized_leaves(s, for_good)         (void)(s)

#endif

#endif
