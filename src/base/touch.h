/*
 * Copies into memory that a program has named, and that it may not have: a fault there is the
 * program's mistake. Around such a copy its thread knows whom to tell:
 *
 *   touch_begin(&touch);
 *   memcpy(...);
 *   touch_end();
 *
 * The handler of signals calls touch_fault().
 */
#ifndef WEFT_BASE_TOUCH_H
#define WEFT_BASE_TOUCH_H

struct touch {
    void (*fault)(void *arg, int signal, const void *address); /* does not come back */
    void *arg;
};

void touch_begin(const struct touch *touch);
void touch_end(void);

/* Comes back if this thread copies nothing of the kind. */
void touch_fault(int signal, const void *address);

#endif
