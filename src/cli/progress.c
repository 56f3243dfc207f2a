/* What is shown on a terminal while a command works. */
#include "cli/cli.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text/text.h"
#include "engine/ranks.h"

enum { LINE = 4096 };

static struct {
    const char *label;
    double start; /* in seconds */
    bool shown;
} bar;

/* The line has no control characters; what is around it may have. */
static void print_line(const char *before, const char *format, va_list args, const char *after)
{
    char text[LINE];
    vsnprintf(text, sizeof(text), format, args);
    text_tame(text, false);
    fprintf(stderr, "%s%s%s", before, text, after);
    fflush(stderr);
}

void cli_show_line(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_line("\r", format, args, "\033[K");
    va_end(args);
    bar.shown = true;
}

void cli_log_line(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_line("", format, args, "\n");
    va_end(args);
}

void cli_bar_show(double share, const char *where)
{
    enum { WIDTH = 32 };
    char cells[WIDTH + 1], left[32] = "";
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    int filled = (int)(share * WIDTH);
    memset(cells, '#', (size_t)filled);
    memset(cells + filled, '.', (size_t)(WIDTH - filled));
    cells[WIDTH] = '\0';
    if (share > 0.02)
        snprintf(left, sizeof(left), "  %.0f s left",
                 ceil((clock_seconds() - bar.start) * (1 - share) / share));
    cli_show_line("%s [%s] %3.0f %%  %s%s", bar.label, cells, 100 * share, where, left);
}

static void show_progress(void *arg, const struct run_progress *p)
{
    char where[48], time[32], packets[32];
    (void)arg;
    snprintf(where, sizeof(where), "cycle %llu", (unsigned long long)p->now);
    if (p->share >= 0)
        cli_bar_show(p->share, where);
    else /* nobody knows its end: how far it has come */
        cli_show_line("%s  %s simulated, %s packets delivered  %.0f s", bar.label,
                      text_time(p->seconds, time), text_count(p->delivered, packets),
                      clock_seconds() - bar.start);
}

/* The program's last line has no end yet. */
static bool midway;

void cli_end_line(void)
{
    if (midway)
        putchar('\n');
    midway = false;
}

static void print_output(void *arg, bool is_error, const char *text, size_t bytes)
{
    (void)arg;
    cli_progress_end();
    if (bytes && !is_error)
        midway = text[bytes - 1] != '\n';
    if (is_error) {
        fflush(stdout);
        fwrite(text, 1, bytes, stderr);
    } else {
        cli_print_exactly(text, bytes);
    }
}

void cli_progress_end(void)
{
    if (bar.shown)
        fprintf(stderr, "\r\033[K");
    bar.shown = false;
}

/* mpirun gives its ranks a pipe for standard error even on a terminal, and a terminal of its own
 * for standard output even in a pipe: what counts is what it has itself. */
static bool launcher_has_terminal(void)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getppid(), STDERR_FILENO);
    int fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    bool terminal = fd >= 0 && isatty(fd);
    if (fd >= 0)
        close(fd);
    return terminal;
}

bool cli_bar_start(const struct cli_options *o, const char *label)
{
    bar.label = label;
    bar.shown = false;
    bar.start = clock_seconds();
    return !o->quiet && (isatty(STDERR_FILENO) || (ranks_count() > 1 && launcher_has_terminal()));
}

struct run_options cli_run_options(const struct cli_options *o, const char *label)
{
    bool visible = cli_bar_start(o, label);
    return (struct run_options){.threads = o->threads,
                                .check = o->check,
                                .checkpoint = o->checkpoint,
                                .every = o->every,
                                .progress = visible ? show_progress : NULL,
                                .print = print_output,
                                .interrupted = cli_interrupted};
}
