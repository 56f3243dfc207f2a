/* Runs gnuplot in its own process, and reports its complaints. */
#define _GNU_SOURCE
#include "report/picture/gnuplot.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A file in memory that nobody else sees. */
static FILE *open_memory(void)
{
    int descriptor = memfd_create("weft-plot", MFD_CLOEXEC);
    FILE *f = descriptor < 0 ? NULL : fdopen(descriptor, "w+");
    if (!f && descriptor >= 0)
        close(descriptor);
    return f;
}

FILE *gnuplot_begin(void)
{
    return open_memory();
}

/* gnuplot's complaint without the line number, which is meaningless as nobody sees the script:
 *
 *   gnuplot> set terminal foo
 *                         ^
 *            line 0: unknown or ambiguous terminal type
 */
static const char *find_complaint(char *line)
{
    char *found = strstr(line, "line ");
    size_t digits = found ? strspn(found + 5, "0123456789") : 0;
    if (!digits || found[5 + digits] != ':')
        return NULL;
    found += 5 + digits + 1;
    return found + strspn(found, " \t");
}

/* The first complaint in gnuplot's output or, without one, the first line. */
static void tell_failure(FILE *errors, int how, char *why)
{
    char line[200], first[200] = "";
    const char *complaint = NULL;
    rewind(errors);
    while (!complaint && fgets(line, sizeof(line), errors)) {
        line[strcspn(line, "\r\n")] = '\0';
        for (char *c = line; *c; c++)
            *c = iscntrl((unsigned char)*c) ? ' ' : *c;
        complaint = find_complaint(line);
        if (!first[0])
            strcpy(first, line + strspn(line, " "));
    }
    if (!complaint && first[0])
        complaint = first;
    if (complaint)
        snprintf(why, GNUPLOT_WHY, "gnuplot failed: %s", complaint);
    else if (WIFSIGNALED(how))
        snprintf(why, GNUPLOT_WHY, "gnuplot was killed by signal %d", WTERMSIG(how));
    else
        snprintf(why, GNUPLOT_WHY, "gnuplot failed without a message (exit %d)", WEXITSTATUS(how));
}

/* Starts gnuplot with these as its standard input and error; returns an error number, or 0. */
static int start(FILE *script, FILE *errors, pid_t *pid)
{
    char *const arguments[] = {"gnuplot", NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = posix_spawnp(pid, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static bool run(FILE *script, FILE *errors, char *why)
{
    pid_t pid, ended;
    int how = 0, error = start(script, errors, &pid);
    if (error) {
        if (error == ENOENT || error == ENOTDIR)
            snprintf(why, GNUPLOT_WHY, "gnuplot is not installed");
        else
            snprintf(why, GNUPLOT_WHY, "gnuplot cannot be run: %s", strerror(error));
        return false;
    }
    do
        ended = waitpid(pid, &how, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        snprintf(why, GNUPLOT_WHY, "gnuplot cannot be waited for: %s", strerror(errno));
    else if (how != 0)
        tell_failure(errors, how, why);
    return ended == pid && how == 0;
}

bool gnuplot_end(FILE *script, char why[GNUPLOT_WHY])
{
    FILE *errors = open_memory();
    bool done = false;
    if (!script || !errors || fflush(script) != 0 || lseek(fileno(script), 0, SEEK_SET) != 0)
        snprintf(why, GNUPLOT_WHY, "there is not enough memory for it");
    else
        done = run(script, errors, why);
    if (script)
        fclose(script);
    if (errors)
        fclose(errors);
    return done;
}
