/*
 * How failures are reported.
 *
 * There are only three kinds:
 *   - a user's mistake, or a run that cannot continue: the function that detects it fills in this
 *     thread's error record and returns its status; its callers forward the status. A caller that
 *     knows more (the place of a key, the name of a run) adds it to the record. Whoever asked for
 *     the work prints it once, as "place: what; remedy";
 *   - a broken invariant: WEFT_CHECK(), always compiled in, gives up the work at hand
 * (protected_call.h) with its context, or stops the program;
 *   - a debug assertion: assert().
 *
 *   return BAD_INPUT("machine.router.vcs", ("%u VCs do not fit", vcs), ("use at most %u", most));
 *   return BAD_PLACE(("%s:%u:1", file, line), ("'%s' is not a number", word), ("use digits"));
 *   return RUN_FAILED(("interrupted at cycle %llu", now), NO_REMEDY);
 *   TRY(config_read(path, &c)); -- forwards a failure
 */
#ifndef WEFT_BASE_STATUS_H
#define WEFT_BASE_STATUS_H

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

#endif
