/* Files that are written atomically, and temporary ones. */
#define _GNU_SOURCE
#include "base/file/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"

#define RAISE_LIMIT "raise the limit on the size of files (ulimit -f)"

static int standard = -1; /* standard output as it was; -1: "-" is not its name */

weft_status output_take_standard(void)
{
    if (standard >= 0)
        return WEFT_OK;
    int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (kept < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return BAD_INPUT(NULL, ("standard output: %s", strerror(errno)),
                         ("name a file, or open it and standard error"));
    standard = kept;
    return WEFT_OK;
}

static bool is_standard(const char *path)
{
    return standard >= 0 && strcmp(path, "-") == 0;
}

/* Follows a link without a target to where the file will be. */
static void follow_link(struct output_file *f)
{
    enum { LINKS_MOST = 40 };
    for (int i = 0; i < LINKS_MOST; i++) {
        char target[PATH_MAX], joined[PATH_MAX];
        ssize_t length = readlink(f->path, target, sizeof(target) - 1);
        if (length < 0)
            return;
        target[length] = '\0';
        const char *slash = strrchr(f->path, '/');
        int folder = target[0] == '/' || !slash ? 0 : (int)(slash - f->path) + 1;
        if (snprintf(joined, sizeof(joined), "%.*s%s", folder, f->path, target) >=
            (int)sizeof(joined))
            return;
        strcpy(f->path, joined);
    }
}

/* Looks at what already exists there: follows links, refuses folders, writes to devices. */
static weft_status look_at_location(struct output_file *f)
{
    struct stat there;
    char real[PATH_MAX];
    f->direct = false;
    if (stat(f->path, &there) != 0) {
        if (errno == ELOOP) /* renaming would replace one of the links */
            return BAD_PLACE(("%s", f->path), ("%s", strerror(ELOOP)),
                             ("name a place that can be written"));
        follow_link(f);
        return WEFT_OK;
    }
    if (S_ISDIR(there.st_mode))
        return BAD_PLACE(("%s", f->path), ("is a folder"), ("name a file in it"));
    f->direct = !S_ISREG(there.st_mode);
    if (realpath(f->path, real) && strlen(real) < sizeof(f->path))
        strcpy(f->path, real);
    return WEFT_OK;
}

/* The full name of a file, which may not exist yet. */
static bool find_location(const char *path, char location[PATH_MAX])
{
    struct output_file f;
    char folder[PATH_MAX] = ".";
    if (!path[0] || strlen(path) >= sizeof(f.path))
        return false;
    strcpy(f.path, path);
    if (look_at_location(&f) != WEFT_OK || f.direct)
        return false;
    const char *slash = strrchr(f.path, '/'), *name = slash ? slash + 1 : f.path;
    if (slash)
        snprintf(folder, sizeof(folder), "%.*s/", (int)(slash - f.path), f.path);
    if (!realpath(folder, location))
        return false;
    size_t length = strlen(location);
    return snprintf(location + length, PATH_MAX - length, "/%s", name) < (int)(PATH_MAX - length);
}

bool output_is_same(const char *a, const char *b)
{
    char location_a[PATH_MAX], location_b[PATH_MAX];
    if (is_standard(a) || is_standard(b))
        return is_standard(a) && is_standard(b);
    return find_location(a, location_a) && find_location(b, location_b) &&
           strcmp(location_a, location_b) == 0;
}

/* Opens a new file beside the place, under an unused name. */
static int open_new(struct output_file *f)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    char *suffix = f->temporary + strlen(f->temporary) - 6;
    struct timespec now;
    for (int i = 0; i < 1000; i++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        uint64_t draw = random_mix((uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32 ^ (uint64_t)i);
        for (int k = 0; k < 6; k++, draw /= 36)
            suffix[k] = letters[draw % 36];
        int fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Locks a file that others may be writing; false: one of them does not finish. Without support for
 * locks, does not wait. */
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

/* Opens a file empty; others who do so wait until it is closed. -1 and errno: it failed. */
static int open_alone(const char *path)
{
    for (;;) {
        struct stat ours, there;
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return -1;
        bool locked = lock(fd), still = false;
        if (locked) /* the last holder may have renamed it meanwhile */
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
    f->direct = false;
    if (!path[0] || strlen(path) >= sizeof(f->path))
        return BAD_INPUT(NULL, ("'%.60s' is not a file name", path), ("use another"));
    strcpy(f->path, is_standard(path) ? "standard output" : path);
    TRY(is_standard(path) ? WEFT_OK : look_at_location(f));
    f->direct |= is_standard(path);
    snprintf(f->temporary, sizeof(f->temporary), "%s%s", f->path, suffix);
    if (is_standard(path))
        f->descriptor = fcntl(standard, F_DUPFD_CLOEXEC, 3);
    else if (f->direct)
        f->descriptor = open(f->path, O_WRONLY | O_CLOEXEC);
    else if (suffix[1] == 'X')
        f->descriptor = open_new(f);
    else
        f->descriptor = open_alone(f->temporary);
    if (f->descriptor < 0)
        return BAD_PLACE(
            ("%s", path),
            ("%s", errno == EBUSY ? "another run has been writing it for 5 s" : strerror(errno)),
            ("name a place that can be written"));
    return WEFT_OK;
}

weft_status output_open(struct output_file *f, const char *path)
{
    return open_beside(f, path, ".XXXXXX");
}

weft_status output_open_again(struct output_file *f, const char *path)
{
    return open_beside(f, path, OUTPUT_PART);
}

/* A process that opens it meanwhile waits for the lock, and then sees that it is gone. */
void output_clean(const char *path)
{
    char left[sizeof(((struct output_file *)0)->temporary)];
    if (snprintf(left, sizeof(left), "%s" OUTPUT_PART, path) >= (int)sizeof(left))
        return;
    int fd = open(left, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        unlink(left);
    close(fd);
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
    return BAD_PLACE(("%s", f->path), ("%s", strerror(f->error)),
                     ("%s", f->error == EFBIG ? RAISE_LIMIT : "make room or name another place"));
}

weft_status output_commit_text(struct output_file *f, const char *text)
{
    output_write(f, text, strlen(text));
    return output_commit(f);
}

weft_status output_whole(const char *path, void (*print)(FILE *out, const void *what),
                         const void *what)
{
    struct output_file file;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return RUN_FAILED(("not enough memory for %s", path), NO_REMEDY);
    print(out, what);
    bool whole = !ferror(out);
    whole &= fclose(out) == 0;
    weft_status status = whole ? output_open(&file, path)
                               : RUN_FAILED(("not enough memory for %s", path), NO_REMEDY);
    if (status == WEFT_OK)
        status = output_commit_text(&file, text);
    free(text);
    return status;
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

weft_status output_try(const char *path)
{
    struct output_file file;
    weft_status status = output_open(&file, path);
    output_abandon(&file);
    return status;
}

/* ---- writers ---- */

struct writer {
    struct output_file file;
    size_t used;
    char text[1 << 16];
};

weft_status writer_open(struct writer **writer, const char *path)
{
    struct writer *w = memory_alloc(1, sizeof(*w));
    weft_status status = output_open(&w->file, path);
    if (status != WEFT_OK) {
        free(w);
        return status;
    }
    *writer = w;
    return WEFT_OK;
}

static void writer_flush(struct writer *w)
{
    output_write(&w->file, w->text, w->used);
    w->used = 0;
}

void writer_put(struct writer *w, const char *format, ...)
{
    va_list args;
    if (w->used + WRITER_PIECE > sizeof(w->text))
        writer_flush(w);
    va_start(args, format);
    int length = vsnprintf(w->text + w->used, WRITER_PIECE, format, args);
    va_end(args);
    WEFT_CHECK(length >= 0 && length < WRITER_PIECE, "a piece of %d bytes", length);
    w->used += (size_t)length;
}

weft_status writer_close(struct writer *w)
{
    writer_flush(w);
    weft_status status = output_commit(&w->file);
    free(w);
    return status;
}

/* ---- temporary files ---- */

/* O_TMPFILE where the file system has it; elsewhere a name that is removed at once. */
static int open_temporary(const char *folder)
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
    *file = open_temporary(folder);
    if (*file < 0)
        return RUN_FAILED(("%s: no temporary file can be made: %s", folder, strerror(errno)),
                          ("set TMPDIR to a folder with room"));
    return WEFT_OK;
}

weft_status temporary_failed(int error)
{
    return RUN_FAILED(("a temporary file cannot be used: %s", strerror(error)),
                      ("%s", error == EFBIG ? RAISE_LIMIT : "set TMPDIR to a folder with room"));
}
