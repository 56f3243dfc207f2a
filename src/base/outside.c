/*
 * The end of a program that gives up work outside any protected call. Built twice: libweft's copy
 * (WEFT_LIBRARY) neither prints nor exits, since standard error and exit belong to its host.
 */
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text/text.h"

#ifdef WEFT_LIBRARY

_Noreturn void protected_call_outside(bool broken)
{
    (void)broken;
    abort(); /* a defect of Weft: every public function that can give up is a protected call */
}

#else

_Noreturn void protected_call_outside(bool broken)
{
    char text[8192];
    fflush(stdout);
    snprintf(text, sizeof(text), "%s", weft_last_error());
    text_tame(text, true);
    fprintf(stderr, "weft: %s\n", text);
    if (broken)
        abort();
    exit(error_status());
}

#endif
