/*
 * The end of a program whose work is given up outside of any attempt. Built twice: libweft's copy
 * (WEFT_LIBRARY) neither prints nor exits, for its host's standard error and exit are not its own.
 */
#include "base/attempt.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef WEFT_LIBRARY

_Noreturn void attempt_outside(bool broken)
{
    (void)broken;
    abort(); /* a defect of Weft: every public function that can give up is an attempt */
}

#else

_Noreturn void attempt_outside(bool broken)
{
    fflush(stdout);
    fprintf(stderr, "weft: %s\n", weft_last_error());
    if (broken)
        abort();
    exit(error_status());
}

#endif
