/*
 * The folder that a rank is in. The computer has one for each thread, once that thread has asked
 * for its own, and a rank's is taken along to whichever thread it runs on; so that ranks move
 * neither each other nor the files that the simulator writes. Where a thread may have none of its
 * own (a container may forbid it), the process's changes while the rank runs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>

#include "posix/internal.h"

static pthread_once_t looked = PTHREAD_ONCE_INIT;
static int home; /* where the simulator is */

static _Thread_local int here; /* where this thread is; 0: at home */

static void find_home(void)
{
    home = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void folder_enter(const struct posix_rank *r)
{
    int folder = r ? r->folder : 0;
    if (folder == here)
        return;
    if (!here)
        (void)unshare(CLONE_FS);
    if (fchdir(folder ? folder : home) == 0)
        here = folder;
}

void folder_drop(const struct posix_rank *r)
{
    if (r->folder)
        close(r->folder);
}

/* Takes over the descriptor. */
static int move(int folder)
{
    struct posix_rank *r = posix_current();
    int before = r->folder, kept = folder < 0 ? -1 : fcntl(folder, F_DUPFD_CLOEXEC, 3);
    pthread_once(&looked, find_home);
    if (folder >= 0)
        close(folder);
    if (kept < 0)
        return -1;
    r->folder = kept;
    folder_enter(r);
    bool entered = here == kept;
    r->folder = entered ? kept : before;
    int error = errno, left = entered ? before : kept;
    if (left)
        close(left);
    errno = error;
    return entered ? 0 : -1;
}

static int rank_chdir(const char *path)
{
    return move(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

static int rank_fchdir(int file)
{
    return move(openat(file, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

const struct posix_function folder_functions[] = {
    FUNCTION(chdir),
    FUNCTION(fchdir),
    {NULL, NULL},
};
