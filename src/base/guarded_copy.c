/* What a thread copies. */
#include "base/guarded_copy.h"

#include <stddef.h>

static _Thread_local const struct guarded_copy *current;

void guarded_copy_begin(const struct guarded_copy *touch)
{
    current = touch;
    __asm__ volatile("" ::: "memory"); /* the copy stays behind this */
}

void guarded_copy_end(void)
{
    __asm__ volatile("" ::: "memory");
    current = NULL;
}

void guarded_copy_fault(int signal, const void *address)
{
    const struct guarded_copy *touch = current;
    current = NULL;
    if (touch)
        touch->fault(touch->arg, signal, address);
}
