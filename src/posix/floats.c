/*
 * Floating-point exceptions that a rank has raised: flags of the thread, which it shares with
 * others. Rounding and traps are the fiber's (base/fiber_switch.S).
 */
#define _GNU_SOURCE
#include <fenv.h>

#include "posix/parts.h"

bool posix_has_floats(const struct image *image)
{
    static const char *const names[] = {"fetestexcept",    "feraiseexcept",   "feclearexcept",
                                        "fegetexceptflag", "fesetexceptflag", "fegetenv",
                                        "fesetenv",        "feholdexcept",    "feupdateenv"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (image_uses(image, names[i]))
            return true;
    return false;
}

void floats_leave(struct posix_rank *r)
{
    fexcept_t flags;
    if (fegetexceptflag(&flags, FE_ALL_EXCEPT) == 0)
        r->float_flags = flags;
}

void floats_enter(const struct posix_rank *r)
{
    fexcept_t flags = (fexcept_t)r->float_flags;
    fesetexceptflag(&flags, FE_ALL_EXCEPT);
}
