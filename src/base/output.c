/* Files that appear whole. */
#define _GNU_SOURCE
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What is there already, if anything: links are followed, folders refused, devices written to. */
static weft_status look_at_place(struct output_file *f)
{
    struct stat there;
    char real[PATH_MAX];
    f->direct = false;
    if (stat(f->path, &there) != 0)
        return WEFT_OK;
    if (S_ISDIR(there.st_mode))
        return weft_fail(WEFT_BAD_INPUT, "%s: is a folder; name a file in it", f->path);
    f->direct = !S_ISREG(there.st_mode);
    if (realpath(f->path, real) && strlen(real) < sizeof(f->path))
        strcpy(f->path, real);
    return WEFT_OK;
}

/* Locks a file that others may be writing; false: one of them does not come to an end. Where there
 * are no locks, nobody is waited for. */
static bool lock(int fd)
{
    static const struct timespec moment = {.tv_nsec = 10000000};
    for (int i = 0; i < 500; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return true;
        nanosleep(&moment, NULL);
    }
    errno = EBUSY;
    return false;
}

/* Opens a file empty; whoever else does so waits until it is closed. -1 and errno: it cannot be. */
static int open_alone(const char *path)
{
    for (;;) {
        struct stat ours, there;
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0)
            return -1;
        bool locked = lock(fd), still = false;
        if (locked) /* whoever had it may have renamed it meanwhile */
            still = fstat(fd, &ours) == 0 && stat(path, &there) == 0 &&
                    ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
        if (still && ftruncate(fd, 0) == 0)
            return fd;
        int error = errno;
        close(fd);
        errno = error;
        if (!locked || still)
            return -1;
    }
}

static weft_status open_beside(struct output_file *f, const char *path, const char *suffix)
{
    f->descriptor = -1;
    f->error = 0;
    if (!path[0] || strlen(path) >= sizeof(f->path))
        return weft_fail(WEFT_BAD_INPUT, "'%.60s' is no name for a file; use another", path);
    strcpy(f->path, path);
    weft_status status = look_at_place(f);
    if (status != WEFT_OK)
        return status;
    snprintf(f->temporary, sizeof(f->temporary), "%s%s", f->path, suffix);
    if (f->direct)
        f->descriptor = open(f->path, O_WRONLY | O_CLOEXEC);
    else if (suffix[1] == 'X')
        f->descriptor = mkostemp(f->temporary, O_CLOEXEC);
    else
        f->descriptor = open_alone(f->temporary);
    if (f->descriptor < 0)
        return weft_fail(WEFT_BAD_INPUT, "%s: %s; name a place that can be written", path,
                         errno == EBUSY ? "another run has been writing it for 5 s"
                                        : strerror(errno));
    mode_t mask = umask(0);
    umask(mask);
    if (!f->direct)
        fchmod(f->descriptor, 0666 & ~mask);
    return WEFT_OK;
}

weft_status output_open(struct output_file *f, const char *path)
{
    return open_beside(f, path, ".XXXXXX");
}

weft_status output_open_again(struct output_file *f, const char *path)
{
    return open_beside(f, path, ".part");
}

void output_write(struct output_file *f, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size && !f->error) {
        ssize_t written = write(f->descriptor, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            f->error = errno ? errno : ENOSPC;
            return;
        }
        at += written;
        size -= (size_t)written;
    }
}

weft_status output_commit(struct output_file *f)
{
    if (!f->error && !f->direct && fsync(f->descriptor) != 0)
        f->error = errno;
    if (!f->error && !f->direct && rename(f->temporary, f->path) != 0)
        f->error = errno;
    if (f->error && !f->direct)
        unlink(f->temporary);
    if (close(f->descriptor) != 0 && !f->error)
        f->error = errno;
    f->descriptor = -1;
    if (!f->error)
        return WEFT_OK;
    return weft_fail(WEFT_BAD_INPUT, "%s: %s; make room or name another place", f->path,
                     strerror(f->error));
}

weft_status output_commit_text(struct output_file *f, const char *text)
{
    output_write(f, text, strlen(text));
    return output_commit(f);
}

void output_abandon(struct output_file *f)
{
    if (f->descriptor < 0)
        return;
    if (!f->direct)
        unlink(f->temporary);
    close(f->descriptor);
    f->descriptor = -1;
}
