/* What a thread copies. */
#include "base/touch.h"

#include <stddef.h>

static _Thread_local const struct touch *current;

void touch_begin(const struct touch *touch)
{
    current = touch;
    __asm__ volatile("" ::: "memory"); /* the copy stays behind this */
}

void touch_end(void)
{
    __asm__ volatile("" ::: "memory");
    current = NULL;
}

void touch_fault(int signal, const void *address)
{
    const struct touch *touch = current;
    current = NULL;
    if (touch)
        touch->fault(touch->arg, signal, address);
}
