/* What the C library prints to standard error by itself, and how a program ends. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void at_exit(void)
{
    printf("at exit, ");
}

static void on_exit_(int code, void *arg)
{
    printf("on exit %d %s, ", code, (char *)arg);
}

__attribute__((destructor)) static void at_end(void)
{
    printf("at end: no newline");
}

int main(void)
{
    atexit(at_exit);
    on_exit(on_exit_, "with this");
    errno = ENOENT;
    warn("a %s", "warning");
    warnx("another");
    errno = EPERM;
    perror("perror");
    perror(NULL);
    psignal(SIGUSR1, "psignal");
    error(0, ENOMEM, "error %d", 1);
    error(0, 0, "error 2");
    error_at_line(0, 0, "file.c", 12, "error 3");
    dprintf(STDERR_FILENO, "dprintf %d\n", 4);
    fprintf(stderr, "%s\n", program_invocation_short_name);
    if (write(STDERR_FILENO, "write\n", 6) != 6)
        return 1;
    errno = EBADF;
    err(3, "the end");
}
