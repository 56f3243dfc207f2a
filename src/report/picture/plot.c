/*
 * A study's curves as CSV, and as SVG and PNG by gnuplot, which runs in its own process. The script
 * is in memory, not in a pipe: a gnuplot that is missing, or ends early, raises no SIGPIPE, and the
 * host program's signal handlers stay untouched.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/output.h"
#include "report/picture/drawing.h"
#include "report/picture/picture.h"

/* ---- CSV ---- */

static void print_timeline(FILE *f, const struct study *s)
{
    for (size_t row = 0; *script_cycle(s, row); row++) {
        fprintf(f, "%s", script_cycle(s, row));
        for (size_t line = 0; line < script_lines(s); line++)
            fprintf(f, ",%s", script_value(s, line, row));
        fputc('\n', f);
    }
}

static void print_point(FILE *f, const struct study *s, size_t p, bool judged)
{
    static const char *const steady[] = {"", "true", "false"};
    double paper;
    fprintf(f, "%.15g", s->point[p].x);
    for (size_t c = 0; c < s->curves; c++)
        fprintf(f, ",%.15g", study_figure(s, c, p).mean);
    for (size_t c = 0; c < s->curves && s->seeds > 1; c++)
        fprintf(f, ",%.6g", study_figure(s, c, p).half_width);
    for (size_t c = 0; c < s->curves; c++)
        if (study_paper_value(s, c, p, &paper))
            fprintf(f, ",%.15g", paper);
        else
            fputc(',', f);
    for (size_t c = 0; c < s->curves && judged; c++)
        fprintf(f, ",%s", steady[study_figure(s, c, p).steady]);
    fputc(',', f);
    script_quote(f, s->point[p].name, '"');
    fputc('\n', f);
}

/* Names of columns, one per curve: "paper", or "paper: CURVE" of several. */
static void print_heads(FILE *f, const struct study *s, const char *what)
{
    char name[160];
    for (size_t c = 0; c < s->curves; c++) {
        if (s->curves == 1)
            snprintf(name, sizeof(name), "%s", what);
        else
            snprintf(name, sizeof(name), "%s: %s", what, s->curve[c].name);
        fputc(',', f);
        script_quote(f, name, '"');
    }
}

/* Columns: x, one per line and, for points, intervals over the seeds, the paper's values, whether
 * runs were steady, and their names. */
static void print_csv(FILE *f, const void *study)
{
    const struct study *s = study;
    bool judged = false; /* some run is steady, or is not */
    char name[160];
    fprintf(f, s->series ? "cycle" : "x");
    for (size_t line = 0; line < script_lines(s); line++) {
        fputc(',', f);
        script_quote(f, script_line_name(s, line, name, sizeof(name)), '"');
    }
    if (s->series) {
        fputc('\n', f);
        print_timeline(f, s);
        return;
    }
    for (size_t i = 0; i < study_runs(s); i++)
        judged |= study_result_steady(&s->result[i]) != STEADY_UNKNOWN;
    if (s->seeds > 1)
        print_heads(f, s, "interval");
    print_heads(f, s, "paper");
    if (judged)
        print_heads(f, s, "steady");
    fprintf(f, ",run\n");
    for (size_t p = 0; p < s->points; p++)
        print_point(f, s, p, judged);
}

/* ---- gnuplot ---- */

extern char **environ;

/* Letters of a reason why there is no picture. */
enum { PLOT_WHY = sizeof(((struct plot *)0)->why) };

/* A file in memory that nobody else sees. */
static FILE *open_memory(void)
{
    int descriptor = memfd_create("weft-plot", MFD_CLOEXEC);
    FILE *f = descriptor < 0 ? NULL : fdopen(descriptor, "w+");
    if (!f && descriptor >= 0)
        close(descriptor);
    return f;
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
        snprintf(why, PLOT_WHY, "gnuplot failed: %s", complaint);
    else if (WIFSIGNALED(how))
        snprintf(why, PLOT_WHY, "gnuplot was killed by signal %d", WTERMSIG(how));
    else
        snprintf(why, PLOT_WHY, "gnuplot failed without a message (exit %d)", WEXITSTATUS(how));
}

/* Starts gnuplot with these as its standard input and error; returns an error number, or 0. */
static int start_gnuplot(FILE *script, FILE *errors, pid_t *pid)
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

static bool await_gnuplot(FILE *script, FILE *errors, char *why)
{
    pid_t pid, ended;
    int how = 0, error = start_gnuplot(script, errors, &pid);
    if (error) {
        if (error == ENOENT || error == ENOTDIR)
            snprintf(why, PLOT_WHY, "gnuplot is not installed");
        else
            snprintf(why, PLOT_WHY, "gnuplot cannot be run: %s", strerror(error));
        return false;
    }
    do
        ended = waitpid(pid, &how, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        snprintf(why, PLOT_WHY, "gnuplot cannot be waited for: %s", strerror(errno));
    else if (how != 0)
        tell_failure(errors, how, why);
    return ended == pid && how == 0;
}

/* Runs a script (may be NULL: no memory) and closes it. false: `why` says why not. */
static bool run_gnuplot(FILE *script, char *why)
{
    FILE *errors = open_memory();
    bool done = false;
    if (!script || !errors || fflush(script) != 0 || lseek(fileno(script), 0, SEEK_SET) != 0)
        snprintf(why, PLOT_WHY, "there is not enough memory for it");
    else
        done = await_gnuplot(script, errors, why);
    if (script)
        fclose(script);
    if (errors)
        fclose(errors);
    return done;
}

/* ---- pictures ---- */

/* Draws one picture; if that fails, sets `why` and leaves no partial file. */
static bool draw(const struct study *s, const char *picture, const char *terminal, unsigned width,
                 char *why)
{
    FILE *script = open_memory();
    if (script)
        script_print(script, s, picture, terminal, width);
    bool drawn = run_gnuplot(script, why);
    if (!drawn)
        unlink(picture);
    return drawn;
}

static weft_status try_file(const char *name, const char *end)
{
    char path[200];
    snprintf(path, sizeof(path), "weft-%.180s.%s", name, end);
    weft_status status = output_try(path);
    if (status != WEFT_OK)
        error_remedy("move it away, or start elsewhere");
    return status;
}

weft_status plot_try_csv(const char *name)
{
    return try_file(name, "csv");
}

weft_status plot_try_picture(const char *name)
{
    TRY(try_file(name, "svg"));
    return try_file(name, "png");
}

void plot_picture(const struct study *s, const char *name, struct plot *plot)
{
    snprintf(plot->svg, sizeof(plot->svg), "weft-%s.svg", name);
    snprintf(plot->png, sizeof(plot->png), "weft-%s.png", name);
    plot->why[0] = '\0';
    bool any = false;
    for (size_t i = 0; i < study_runs(s); i++)
        any |= s->result[i].there;
    if (!any) {
        unlink(plot->svg); /* those of an earlier sweep show something else */
        unlink(plot->png);
        plot->svg[0] = plot->png[0] = '\0';
        snprintf(plot->why, sizeof(plot->why), "no run succeeded");
    } else if (!draw(s, plot->svg, "svg font 'sans,13' background 'white'", 720, plot->why))
        plot->svg[0] = plot->png[0] = '\0';
    else if (!draw(s, plot->png, "pngcairo font 'sans,13'", 1080, plot->why))
        plot->png[0] = '\0';
}

weft_status plot_study(const struct study *s, struct plot *plot)
{
    *plot = (struct plot){.why = ""};
    snprintf(plot->csv, sizeof(plot->csv), "weft-%s.csv", s->name);
    weft_status status = output_whole(plot->csv, print_csv, s);
    if (status == WEFT_OK)
        plot_picture(s, s->name, plot);
    return status;
}
