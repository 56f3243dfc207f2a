/* Runs code in its own process, to test code that ends the program. */
#ifndef WEFT_TESTS_CHILD_H
#define WEFT_TESTS_CHILD_H

#include "testing.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct child_end {
    int status;      /* as waitpid() reports it */
    char text[1024]; /* what it wrote to stderr */
};

/* Runs body(arg) in a child process and waits for it; a body that returns exits with code 0. */
static inline struct child_end child_run(void (*body)(void *arg), void *arg)
{
    struct child_end end = {.status = 0};
    int err[2];
    assert_int_equal(pipe(err), 0);
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); /* cmocka would catch it */
        dup2(err[1], STDERR_FILENO);
        body(arg);
        _exit(0);
    }
    close(err[1]);
    size_t size = 0;
    for (ssize_t got; (got = read(err[0], end.text + size, sizeof(end.text) - 1 - size)) > 0;)
        size += (size_t)got;
    close(err[0]);
    assert_int_equal(waitpid(child, &end.status, 0), child);
    return end;
}

/* The program must abort, with `words` in its message. */
static inline void assert_aborts(void (*body)(void *arg), void *arg, const char *words)
{
    struct child_end end = child_run(body, arg);
    if (!WIFSIGNALED(end.status) || WTERMSIG(end.status) != SIGABRT)
        fail_msg("no abort: status %#x, stderr '%s'", (unsigned)end.status, end.text);
    if (!strstr(end.text, words))
        fail_msg("'%s' is not in '%s'", words, end.text);
}

#endif
