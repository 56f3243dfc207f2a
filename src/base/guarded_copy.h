/*
 * Copies into memory that a program has named, and that it may not have: a fault there is the
 * program's mistake. Around such a copy its thread knows whom to tell:
 *
 *   guarded_copy_begin(&touch);
 *   memcpy(...);
 *   guarded_copy_end();
 *
 * The handler of signals calls guarded_copy_fault().
 */
#ifndef WEFT_BASE_GUARDED_COPY_H
#define WEFT_BASE_GUARDED_COPY_H

struct guarded_copy {
    void (*fault)(void *arg, int signal, const void *address); /* does not come back */
    void *arg;
};

void guarded_copy_begin(const struct guarded_copy *touch);
void guarded_copy_end(void);

/* Comes back if this thread copies nothing of the kind. */
void guarded_copy_fault(int signal, const void *address);

#endif
