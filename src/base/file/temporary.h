/* Temporary files, in the folder $TMPDIR (/tmp, if that is not set). They have no name, so that
 * nothing is left of them when the program ends. */
#ifndef WEFT_BASE_FILE_TEMPORARY_H
#define WEFT_BASE_FILE_TEMPORARY_H

#include "base/status.h"

/* Opens one to be read and written. WEFT_FAILED: there is no place for it. */
weft_status temporary_open(int *file);

#endif
