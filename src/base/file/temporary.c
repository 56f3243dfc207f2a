/* O_TMPFILE where the file system has it; elsewhere a name that is removed at once. */
#define _GNU_SOURCE
#include "base/file/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_in(const char *folder)
{
    char path[4096];
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    if (snprintf(path, sizeof(path), "%s/weft-XXXXXX", folder) >= (int)sizeof(path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

weft_status temporary_open(int *file)
{
    const char *folder = getenv("TMPDIR");
    folder = folder && *folder ? folder : "/tmp";
    *file = open_in(folder);
    if (*file < 0)
        return RUN_FAILED(("%s: no temporary file can be made: %s", folder, strerror(errno)),
                          ("set TMPDIR to a folder with room"));
    return WEFT_OK;
}
