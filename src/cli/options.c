/* Arguments and progress. */
#define _GNU_SOURCE
#include "cli/cli.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text/suggest.h"
#include "base/text/number.h"
#include "base/file/output.h"
#include "base/text/text.h"
#include "engine/ranks.h"
#include "study/sweep.h"

/* ---- arguments ---- */

static weft_status add_setting(struct cli_options *o, const char *option, const char *key,
                               const char *value)
{
    if (o->sets == sizeof(o->set) / sizeof(o->set[0]))
        return BAD_INPUT(NULL, ("too many settings"), ("put them into a study file"));
    o->set[o->sets++] = (struct cli_setting){option, key, value};
    return WEFT_OK;
}

static weft_status add_file(struct cli_options *o, const char *option, const char *key,
                            const char *file)
{
    if (!file[0])
        return BAD_INPUT(NULL, ("%s: '' is not a file name", option), ("name a file"));
    return add_setting(o, option, key, file);
}

static weft_status add_program(struct cli_options *o, const char *program)
{
    TRY(add_setting(o, "-p", "workload.pattern", "program"));
    return add_setting(o, "-p", "workload.program", program);
}

weft_status cli_apply(const struct cli_options *o, struct config *c)
{
    weft_status status = WEFT_OK;
    if (several_given(o))
        return several_apply(o, c);
    for (unsigned i = 0; i < o->sets && status == WEFT_OK; i++) {
        const struct cli_setting *s = &o->set[i];
        char place[128];
        snprintf(place, sizeof(place), "%s %.80s", s->option, s->value);
        status = s->key ? config_set(c, s->key, s->value, place) : config_override(c, s->value);
    }
    return status;
}

static weft_status add_over(struct cli_options *o, const char *assignment)
{
    if (o->overs == SWEEP_AXES_MAX)
        return BAD_INPUT(NULL, ("too many keys to sweep over"), ("use at most %d", SWEEP_AXES_MAX));
    o->over[o->overs++] = assignment;
    return WEFT_OK;
}

/* A whole number of a range; blank or wrong: false. */
static bool read_count(const char *text, int64_t most, uint32_t *count)
{
    int64_t value;
    if (!number_integer(text, &value) || value < 1 || value > most)
        return false;
    *count = (uint32_t)value;
    return true;
}

/* One number of threads, or several. */
static weft_status parse_threads(const char *text, struct cli_options *o)
{
    char list[256], *at = list, *word;
    size_t most = sizeof(o->team) / sizeof(o->team[0]);
    snprintf(list, sizeof(list), "%s", text);
    for (o->teams = 0; (word = strsep(&at, ","));) {
        if (o->teams == most || strlen(text) >= sizeof(list))
            return BAD_INPUT(NULL, ("-j '%.60s' is too long", text),
                             ("use at most %zu numbers", most));
        if (!read_count(word, 4096, &o->team[o->teams++]))
            return BAD_INPUT(NULL, ("-j '%.60s' is not a number of threads", text),
                             ("use 1 to 4096"));
    }
    o->threads = o->team[0];
    return WEFT_OK;
}

static weft_status parse_repeat(const char *text, uint32_t *repeat)
{
    if (!read_count(text, 1000, repeat))
        return BAD_INPUT(NULL, ("--repeat '%.60s' is not a number of passes", text),
                         ("use 1 to 1000"));
    return WEFT_OK;
}

static weft_status parse_rank(const char *text, struct cli_options *o)
{
    int64_t rank;
    if (!number_integer(text, &rank) || rank < 0 || rank > UINT32_MAX)
        return BAD_INPUT(NULL, ("--gdb '%.60s' is not a rank", text), ("use 0 or more"));
    o->debugged = true;
    o->debugged_rank = (uint32_t)rank;
    return WEFT_OK;
}

static weft_status parse_every(const char *text, double *seconds)
{
    if (!number_real(text, seconds) || !(*seconds > 0) || *seconds > 1e6)
        return BAD_INPUT(NULL, ("--every '%.60s' is not a time", text),
                         ("use seconds, above 0 and up to 1000000"));
    return WEFT_OK;
}

static weft_status add_metric(struct cli_options *o, const char *name)
{
    if (o->metrics == CLI_METRICS_MAX)
        return BAD_INPUT(NULL, ("too many metrics"), ("use at most %d", CLI_METRICS_MAX));
    for (unsigned i = 0; i < o->metrics; i++)
        if (strcmp(o->metric[i], name) == 0)
            return BAD_INPUT(NULL, ("--metric %.60s is given twice", name), ("name each once"));
    o->metric[o->metrics++] = name;
    return WEFT_OK;
}

static weft_status parse_seeds(const char *text, uint32_t *seeds)
{
    if (!read_count(text, SWEEP_SEEDS_MAX, seeds))
        return BAD_INPUT(NULL, ("--seeds '%.60s' is not a number of seeds", text),
                         ("use 1 to %d", SWEEP_SEEDS_MAX));
    return WEFT_OK;
}

static weft_status parse_precision(const char *text, double *precision)
{
    if (!number_real(text, precision) || !(*precision >= 0.0001) || *precision > 0.5)
        return BAD_INPUT(NULL, ("--precision '%.60s' is not a share of the load", text),
                         ("use 0.0001 to 0.5, as 0.01"));
    return WEFT_OK;
}

/* With a hyphen or an underscore. */
static weft_status add_mode(struct cli_options *o, const char *mode)
{
    bool virtual = strcmp(mode, "virtual-node") == 0;
    return add_setting(o, "-mode", "machine.node.mode", virtual ? "virtual_node" : mode);
}

static weft_status add_ranks(struct cli_options *o, const char *option, const char *ranks)
{
    uint32_t count;
    if (!read_count(ranks, UINT32_MAX, &count))
        return BAD_INPUT(NULL, ("%s '%.60s' is not a number of ranks", option, ranks),
                         ("use a whole number from 1"));
    o->ranks = count;
    return add_setting(o, "-np", "workload.processes", ranks);
}

/* "measured=2.5" sets two keys. */
static weft_status add_compute(struct cli_options *o, const char *how)
{
    bool measured = strncmp(how, "measured=", 9) == 0;
    double factor;
    if (measured && (!number_real(how + 9, &factor) || !(factor >= 0) || factor > 1e9))
        return BAD_INPUT(NULL, ("--compute %.60s: '%.60s' is not a factor", how, how + 9),
                         ("use a number from 0 to 1000000000"));
    weft_status status =
        add_setting(o, "--compute", "workload.compute", measured ? "measured" : how);
    if (status == WEFT_OK && measured)
        status = add_setting(o, "--compute", "workload.compute_factor", how + 9);
    return status;
}

/* A table of links or nodes, which are then measured one by one. */
static weft_status add_table(struct cli_options *o, const char *option, const char *path)
{
    *(strcmp(option, "--links") == 0 ? &o->links : &o->nodes) = path;
    return add_setting(o, option, "run.detail", "true");
}

/* Options that are short for a key; NULL: it is none. */
static const char *key_of(const char *option)
{
    static const char *const names[][2] = {
        {"-w", "workload.pattern"},  {"--on", "on"},
        {"--seed", "run.seed"},      {"-map", "workload.mapping"},
        {"--policy", "jobs.policy"}, {"--shapes", "jobs.shapes"},
        {"--load", "jobs.load"},     {"--estimates", "jobs.estimates"}};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i][0], option) == 0)
            return names[i][1];
    return NULL;
}

static weft_status take_value(struct cli_options *o, const char *option, const char *value)
{
    if (key_of(option))
        return add_setting(o, option, key_of(option), value);
    if (strcmp(option, "-m") == 0)
        o->machine = value;
    else if (strcmp(option, "-o") == 0)
        o->output = value;
    else if (strcmp(option, "--title") == 0)
        o->title = value;
    else if (strcmp(option, "--checkpoint") == 0)
        o->checkpoint = value;
    else if (strcmp(option, "--convert") == 0)
        o->convert = value;
    else if (strcmp(option, "--links") == 0 || strcmp(option, "--nodes") == 0)
        return add_table(o, option, value);
    else if (strcmp(option, "--csv") == 0)
        o->csv = value;
    else if (strcmp(option, "--gantt") == 0)
        o->gantt = value;
    else if (strcmp(option, "--frames") == 0)
        o->frames = value;
    else if (strcmp(option, "--every") == 0)
        return parse_every(value, &o->every);
    else if (strcmp(option, "--repeat") == 0)
        return parse_repeat(value, &o->repeat);
    else if (strcmp(option, "--over") == 0)
        return add_over(o, value);
    else if (strcmp(option, "--metric") == 0)
        return add_metric(o, value);
    else if (strcmp(option, "--seeds") == 0)
        return parse_seeds(value, &o->seeds);
    else if (strcmp(option, "--precision") == 0)
        return parse_precision(value, &o->precision);
    else if (strcmp(option, "-s") == 0)
        return add_setting(o, "-s", NULL, value);
    else if (strcmp(option, "-p") == 0)
        return add_program(o, value);
    else if (strcmp(option, "-np") == 0 || strcmp(option, "-n") == 0 || strcmp(option, "--np") == 0)
        return add_ranks(o, option, value);
    else if (strcmp(option, "--trace") == 0)
        return add_file(o, "--trace", "workload.trace", value);
    else if (strcmp(option, "--gdb") == 0)
        return parse_rank(value, o);
    else if (strcmp(option, "--matrix") == 0)
        return add_file(o, "--matrix", "workload.matrix", value);
    else if (strcmp(option, "-mode") == 0)
        return add_mode(o, value);
    else if (strcmp(option, "--compute") == 0)
        return add_compute(o, value);
    else
        return parse_threads(value, o);
    return WEFT_OK;
}

static void take_flag(struct cli_options *o, const char *option)
{
    o->quiet |= strcmp(option, "-q") == 0;
    o->check |= strcmp(option, "--check") == 0;
    o->alone |= strcmp(option, "--alone") == 0;
    o->full |= strcmp(option, "--full") == 0;
    o->tag_output |= strcmp(option, "--tag-output") == 0;
    o->list |= strcmp(option, "--list") == 0;
    o->binary |= strcmp(option, "--binary") == 0;
    o->log_x |= strcmp(option, "--log-x") == 0;
    o->log_y |= strcmp(option, "--log-y") == 0;
    o->find_saturation |= strcmp(option, "--find-saturation") == 0;
}

/* Options whose value is a file to write: - is standard output. */
static const char written[] = "-o --csv --gantt --frames --matrix --links --nodes";

/* Options that may be given several times. */
static const char repeated[] = "-s --over --metric -w --on";

/* One of two values would be lost. */
static weft_status note_once(struct cli_options *o, const char *option, const char *value)
{
    static const char ranks[] = "-n -np --np"; /* three names of one */
    if (text_has_word(repeated, option))
        return WEFT_OK;
    for (unsigned i = 0; i < o->onces; i++) {
        const struct cli_setting *s = &o->once[i];
        if (strcmp(s->option, option) == 0 ||
            (text_has_word(ranks, s->option) && text_has_word(ranks, option)))
            return BAD_INPUT(
                NULL,
                ("%s %.60s and %s %.60s: only one can be", s->option, s->value, option, value),
                ("leave one out"));
    }
    WEFT_CHECK(o->onces < sizeof(o->once) / sizeof(o->once[0]), "more options than there are");
    o->once[o->onces++] = (struct cli_setting){.option = option, .value = value};
    return WEFT_OK;
}

/* Two patterns, or a pattern and a program, without nodes of their own. */
static weft_status check_workloads(const struct cli_command *command, const struct cli_options *o)
{
    const struct cli_setting *first = NULL;
    bool places = cli_takes_option(command, cli_find_option("--on"));
    for (unsigned i = 0; i < o->sets && !several_given(o); i++) {
        const struct cli_setting *s = &o->set[i];
        if (strcmp(s->option, "-w") != 0 &&
            (strcmp(s->option, "-p") != 0 || strcmp(s->key, "workload.program") != 0))
            continue;
        if (first)
            return BAD_INPUT(NULL,
                             ("%s %.60s and %s %.60s: only one can be", first->option, first->value,
                              s->option, s->value),
                             ("leave one out%s",
                              places ? ", or give each its nodes: -w PATTERN --on NODES" : ""));
        first = s;
    }
    return WEFT_OK;
}

/* "-s machine.dims 8x8x8", and "machine.dims = 8x8x8": what is meant by the words that follow. */
static weft_status refuse_blank(const struct cli_option *option, const char *key, char *const *next,
                                int count)
{
    bool sign = next && count > 1 && strcmp(next[0], "=") == 0;
    const char *value = next && count > sign ? next[sign] : "-";
    if (value[0] == '-')
        return BAD_INPUT(NULL, ("%s %.60s has no value", option->name, key),
                         ("write %s %.60s=%s", option->name, key, strchr(option->value, '=') + 1));
    return BAD_INPUT(
        NULL, ("%s %.60s%s %.60s is not one word", option->name, key, sign ? " =" : "", value),
        ("write %s %.60s=%.60s", option->name, key, value));
}

static weft_status unknown_option(const struct cli_command *command, const char *word)
{
    char name[64];
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
    struct suggestion suggestion = suggestion_for(name);
    for (size_t i = 0; i < cli_known_option_count; i++)
        if (cli_takes_option(command, &cli_known_options[i]))
            suggestion_offer(&suggestion, cli_known_options[i].name);
    return suggestion_remedy(&suggestion,
                             BAD_INPUT(NULL, ("unknown option '%.60s'", word),
                                       ("`weft %s --help` lists the options", command->name)));
}

/* The option of a word, and its value if that is in the same word: -j2, --seed=2. NULL: there is
 * none; -seed is no -s. */
static const struct cli_option *split_option(const char *word, const char **value)
{
    char name[64];
    const struct cli_option *option = cli_find_option(word);
    const char *equals = strchr(word, '=');
    *value = NULL;
    if (option)
        return option;
    bool is_long = word[1] == '-';
    if (is_long && !equals)
        return NULL;
    if (is_long) {
        snprintf(name, sizeof(name), "%.*s", (int)(equals - word), word);
        *value = equals + 1;
    } else {
        snprintf(name, sizeof(name), "-%s", word);
        if (cli_find_option(name))
            return NULL;
        snprintf(name, sizeof(name), "-%c", word[1]);
        *value = word + 2;
    }
    option = cli_find_option(name);
    return option && option->value ? option : NULL;
}

/* Takes one option, and its value: in the same word or in the next one. */
static weft_status take_option(const struct cli_command *command, int argc, char **argv, int *at,
                               struct cli_options *o)
{
    const char *value;
    const struct cli_option *option = split_option(argv[*at], &value);
    if (!option)
        return unknown_option(command, argv[*at]);
    if (!cli_takes_option(command, option))
        return BAD_INPUT(NULL, ("`weft %s` has no option %s", command->name, option->name),
                         ("`weft %s --help` lists the options", command->name));
    if (!option->value) {
        take_flag(o, option->name);
        return WEFT_OK;
    }
    if (!value && (*at + 1 == argc || cli_find_option(argv[*at + 1])))
        return BAD_INPUT(NULL, ("%s needs a value", option->name),
                         ("give it as %s %s", option->name, option->value));
    value = value ? value : argv[++*at];
    weft_status status = note_once(o, option->name, value);
    if (status == WEFT_OK && strcmp(value, "-") == 0 && text_has_word(written, option->name))
        status = output_take_standard();
    if (status == WEFT_OK && text_has_word("-s --over", option->name) && !strchr(value, '='))
        status = refuse_blank(option, value, cli_passes_on(command) ? NULL : argv + *at + 1,
                              argc - *at - 1);
    return status == WEFT_OK ? take_value(o, option->name, value) : status;
}

weft_status cli_parse(int argc, char **argv, const char *name, struct cli_options *o)
{
    const struct cli_command *command = cli_find_command(name);
    weft_status status = WEFT_OK;
    *o = (struct cli_options){.threads = 1, .team = {1}, .teams = 1};
    for (int i = 0; i < argc && status == WEFT_OK && !o->rest; i++) {
        if (argv[i][0] == '-' && argv[i][1])
            status = take_option(command, argc, argv, &i, o);
        else if (cli_passes_on(command))
            o->rest = &argv[i];
        else if (o->names == sizeof(o->name) / sizeof(o->name[0]))
            status = BAD_INPUT(NULL, ("too many arguments"), ("use fewer"));
        else
            o->name[o->names++] = argv[i];
    }
    if (status == WEFT_OK)
        status = check_workloads(command, o);
    if (status == WEFT_OK && o->teams > 1 && strcmp(name, "bench") != 0)
        status = BAD_INPUT(NULL, ("-j with a list is for `weft bench`"), ("use one number"));
    return status;
}

int cli_fail(weft_status status)
{
    char text[8192];
    if (ranks_me() != 0)
        return status; /* the first rank says it */
    snprintf(text, sizeof(text), "%s", weft_last_error());
    /* Input is quoted in complaints: they stay on one line, whatever it holds. */
    for (char *c = text; *c && status == WEFT_BAD_INPUT; c++)
        if ((unsigned char)*c < ' ')
            *c = '?';
    size_t length = strlen(text);
    fprintf(stderr, "weft: %s%s", text, length && text[length - 1] == '\n' ? "" : "\n");
    return status;
}

/* ---- progress ---- */

static struct {
    const char *label;
    struct timespec start;
    bool shown;
} bar;

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

void cli_bar_show(double share, const char *where)
{
    enum { WIDTH = 32 };
    char cells[WIDTH + 1];
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    int filled = (int)(share * WIDTH);
    memset(cells, '#', (size_t)filled);
    memset(cells + filled, '.', (size_t)(WIDTH - filled));
    cells[WIDTH] = '\0';
    double spent = seconds_since(&bar.start);
    fprintf(stderr, "\r%s [%s] %3.0f %%  %s", bar.label, cells, 100 * share, where);
    if (share > 0.02)
        fprintf(stderr, "  %.0f s left", ceil(spent * (1 - share) / share));
    fprintf(stderr, "\033[K");
    fflush(stderr);
    bar.shown = true;
}

/* Of a run whose end nobody knows: how far it has come. */
static void show_advance(const struct run_progress *p)
{
    char time[32], packets[32];
    fprintf(stderr, "\r%s  %s simulated, %s packets delivered  %.0f s\033[K", bar.label,
            text_time(p->seconds, time), text_count(p->delivered, packets),
            seconds_since(&bar.start));
    fflush(stderr);
    bar.shown = true;
}

static void show_progress(void *arg, const struct run_progress *p)
{
    char where[48];
    (void)arg;
    if (p->share < 0) {
        show_advance(p);
        return;
    }
    snprintf(where, sizeof(where), "cycle %llu", (unsigned long long)p->now);
    cli_bar_show(p->share, where);
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
    if (is_error)
        fflush(stdout);
    fwrite(text, 1, bytes, is_error ? stderr : stdout);
    if (!is_error)
        fflush(stdout);
}

void cli_progress_end(void)
{
    if (bar.shown)
        fprintf(stderr, "\r\033[K");
    bar.shown = false;
}

void cli_note_progress(const char *format, ...)
{
    va_list args;
    if (!isatty(STDERR_FILENO))
        return;
    va_start(args, format);
    fprintf(stderr, "\r");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\033[K");
    fflush(stderr);
    va_end(args);
    bar.shown = true;
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
    clock_gettime(CLOCK_MONOTONIC, &bar.start);
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
