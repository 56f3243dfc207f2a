/*
 * How failures are reported, and how work is given up.
 *
 * There are only three kinds:
 *   - a user's mistake, or a run that cannot continue: the function that detects it fills in this
 *     thread's error record and returns its status; its callers forward the status. A caller that
 *     knows more (the place of a key, the name of a run) adds it to the record. Whoever asked for
 *     the work prints it once, as "place: what; remedy";
 *   - a broken invariant: WEFT_CHECK(), always compiled in, gives up the work at hand
 *     (a protected call) with its context, or stops the program;
 *   - a debug assertion: assert().
 *
 *   return BAD_INPUT("machine.router.vcs", ("%u VCs do not fit", vcs), ("use at most %u", most));
 *   return BAD_PLACE(("%s:%u:1", file, line), ("'%s' is not a number", word), ("use digits"));
 *   return RUN_FAILED(("interrupted at cycle %llu", now), NO_REMEDY);
 *   TRY(config_read(path, &c)); -- forwards a failure
 */
#ifndef WEFT_BASE_STATUS_H
#define WEFT_BASE_STATUS_H

#include <stdbool.h>

#include "weft.h" /* weft_status, weft_last_error() */

struct error {
    weft_status status;
    char keys[256];   /* keys that the failure is about, separated by spaces; "": none */
    char place[1024]; /* "file:line:column" or "-s key=value"; "": none */
    char what[6144];
    char remedy[1024]; /* "": none */
};

/* This thread's last failure. */
const struct error *error_last(void);

/* Makes a record from another thread or process this thread's; returns its status. */
weft_status error_restore(const struct error *error);

/* The parts of a record; error_begin() empties it. */
void error_begin(weft_status status, const char *keys);
void error_place(const char *format, ...) __attribute__((format(printf, 1, 2)));
void error_what(const char *format, ...) __attribute__((format(printf, 1, 2)));
void error_remedy(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prepends a text to what went wrong: "machine.dims = ". */
void error_prefix(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says which keys a failure is about, if only the caller knows. */
void error_keys(const char *keys);

weft_status error_status(void);

#define BAD_INPUT(KEYS, WHAT, REMEDY)                                                              \
    (error_begin(WEFT_BAD_INPUT, KEYS), error_what WHAT, error_remedy REMEDY, error_status())
#define BAD_PLACE(PLACE, WHAT, REMEDY)                                                             \
    (error_begin(WEFT_BAD_INPUT, 0), error_place PLACE, error_what WHAT, error_remedy REMEDY,      \
     error_status())
#define RUN_FAILED(WHAT, REMEDY)                                                                   \
    (error_begin(WEFT_FAILED, 0), error_what WHAT, error_remedy REMEDY, error_status())
#define NO_REMEDY ("%s", "")

/* Returns from the calling function if the call fails. */
#define TRY(CALL)                                                                                  \
    do {                                                                                           \
        weft_status try_status_ = (CALL);                                                          \
        if (try_status_ != WEFT_OK)                                                                \
            return try_status_;                                                                    \
    } while (0)

_Noreturn void panic(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define WEFT_CHECK(condition, ...)                                                                 \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            panic(__FILE__, __LINE__, __VA_ARGS__);                                                \
    } while (0)

/*
 * ---- protected calls ----
 *
 * Work that may have to be abandoned midway: memory runs out, or nobody wants it any more.
 *
 *   status = protected_call(body, arg)      runs body(arg); returns at once if the work is given up
 *     protected_call_poll()                 in long loops within: gives up if the watcher says so
 *     protected_call_abandon()              gives up; the error record says why
 *
 * It affects the calling thread only. What the body had allocated by then leaks, so this is for
 * failures after which the program does not run for long. Outside any protected call, giving up
 * ends the program with one line; all library functions are protected calls, and the library's copy
 * of this floor prints nothing.
 */
weft_status protected_call(weft_status (*body)(void *arg), void *arg);

_Noreturn void protected_call_abandon(void);

/* Gives up, and says why. */
#define RUN_ABANDONED(WHAT, REMEDY) ((void)RUN_FAILED(WHAT, REMEDY), protected_call_abandon())

/* What happens outside any protected call; `broken`: an invariant is broken. */
_Noreturn void protected_call_outside(bool broken);

/* Makes another protected call this thread's innermost, and returns the one that was; NULL: none.
 * For fibers (fiber.h), which take theirs along. */
void *protected_call_swap(void *innermost);

/* Sets what protected_call_poll() asks from now on; NULL: nobody watches. */
void protected_call_watch(bool (*unwanted)(void *arg), void *arg);
void protected_call_poll(void);

/*
 * ---- guarded copies ----
 *
 * Copies into memory that a program has named, and that it may not have: a fault there is the
 * program's mistake. Around such a copy its thread knows whom to tell:
 *
 *   guarded_copy_begin(&copy);
 *   memcpy(...);
 *   guarded_copy_end();
 *
 * The handler of signals calls guarded_copy_fault().
 */
struct guarded_copy {
    void (*fault)(void *arg, int signal, const void *address); /* does not come back */
    void *arg;
};

void guarded_copy_begin(const struct guarded_copy *copy);
void guarded_copy_end(void);

/* Comes back if this thread copies nothing of the kind. */
void guarded_copy_fault(int signal, const void *address);

#endif
