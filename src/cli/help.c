/* `weft --help`, `weft COMMAND --help` and the manual page, all from the tables of
 * commands.c and options.c; `weft version`. */
#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "config/data.h"
#include "engine/ranks.h"
#include "trace/format.h"

/* What is in brackets stays on one line. */
static void print_usage(FILE *out, const struct cli_command *c)
{
    char usage[512];
    unsigned depth = 0;
    snprintf(usage, sizeof(usage), "%s", c->usage);
    for (char *at = usage; *at; at++) {
        depth += *at == '[';
        depth -= *at == ']';
        if (*at == ' ' && depth)
            *at = TEXT_HARD_SPACE;
    }
    int indent = fprintf(out, usage[0] ? "  weft %s " : "  weft %s", c->name);
    text_wrap(out, usage, (unsigned)indent, (unsigned)indent, terminal_columns());
}

void help_all(FILE *out)
{
    enum { INDENT = 6 };
    fprintf(out, "Weft " WEFT_VERSION ", a laboratory for supercomputer interconnects\n\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        print_usage(out, &cli_commands[i]);
        fprintf(out, "%*s", INDENT, "");
        text_wrap(out, cli_commands[i].help, INDENT, INDENT, terminal_columns());
    }
    fprintf(out, "\nTo begin with: `weft machines`, `weft run -m bluegene-l -w uniform`.\n"
                 "`weft help COMMAND` explains a command and its options, `man weft` all of them.\n"
                 "Exit status: 0 done; 1 the run or check failed; 2 the input is wrong.\n");
}

void help_command(FILE *out, const struct cli_command *c)
{
    enum { COLUMN = 24 };
    print_usage(out, c);
    fprintf(out, "\n");
    text_wrap(out, c->text, 0, 0, terminal_columns());
    const char *before = "\n";
    for (size_t i = 0; i < cli_known_option_count; i++) {
        const struct cli_option *o = &cli_known_options[i];
        if (cli_option_of(c, o->name) != o)
            continue;
        fputs(before, out);
        before = "";
        int used = fprintf(out, "  %s %s", o->name, o->value ? o->value : "");
        fprintf(out, "%*s", used < COLUMN ? COLUMN - used : 1, "");
        text_wrap(out, o->help, COLUMN, COLUMN, terminal_columns());
    }
}

weft_status cmd_help(struct cli_options *o)
{
    const struct cli_command *command = o->names ? cli_find_command(o->name[0]) : NULL;
    if (o->names && !command)
        return cli_unknown_command(o->name[0]);
    if (command)
        help_command(stdout, command);
    else
        help_all(stdout);
    return WEFT_OK;
}

/* ---- the manual page ---- */

/* Text as troff reads it; what is between backquotes is bold. */
static void put_troff(const char *text)
{
    bool bold = false;
    if (*text == '.' || *text == '\'')
        printf("\\&");
    for (; *text; text++) {
        if (*text == '`')
            printf("%s", (bold = !bold) ? "\\fB" : "\\fR");
        else if (*text == '-')
            printf("\\-");
        else if (*text == '\\')
            printf("\\e");
        else
            putchar(*text);
    }
}

static void man_commands(void)
{
    printf(".SH COMMANDS\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        const struct cli_command *c = &cli_commands[i];
        printf(".SS weft %s\n.nh\n.ad l\n.B weft %s\n", c->name, c->name);
        put_troff(c->usage);
        printf("%s.ad\n.hy\n.PP\n", c->usage[0] ? "\n" : "");
        put_troff(c->text);
        putchar('\n');
    }
}

/* What an option means to some commands only. */
static void man_meanings(const struct cli_option *option)
{
    for (size_t i = 0; i < cli_command_count; i++) {
        const struct cli_option *own = cli_option_of(&cli_commands[i], option->name);
        if (!own || own == option)
            continue;
        printf(".\nOf %s: ", cli_commands[i].name);
        put_troff(own->help);
    }
}

static void man_options(void)
{
    printf(".SH OPTIONS\n");
    for (size_t i = 0; i < cli_known_option_count; i++) {
        const struct cli_option *o = &cli_known_options[i];
        const char *before = "Commands:";
        if (cli_option_of(NULL, o->name) != o)
            continue;
        printf(".TP\n\\fB");
        put_troff(o->name);
        printf("\\fR");
        if (o->value)
            printf(" \\fI%s\\fR", o->value);
        putchar('\n');
        put_troff(o->help);
        man_meanings(o);
        printf(".\n");
        for (size_t k = 0; k < cli_command_count; k++)
            if (cli_option_of(&cli_commands[k], o->name)) {
                printf("%s %s", before, cli_commands[k].name);
                before = ",";
            }
        printf(".\n");
    }
}

/* What the tables do not say, as troff reads it. */
static const char man_rest[] =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\nDone.\n"
    ".TP\n.B 1\nThe run or check failed: a deadlock, an interruption, a missed claim.\n"
    ".TP\n.B 2\n"
    "The input is wrong, or this computer cannot handle it. One line on standard error says "
    "where, what, and what to do about it.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B WEFT_DATA\n"
    "The folder that holds machines/, studies/, claims/ and view/. By default: share/weft "
    "beside the program's folder.\n"
    ".TP\n.B WEFT_CC, WEFT_CXX, WEFT_FC\n"
    "The compilers that \\fBweft mpicc\\fR, \\fBmpicxx\\fR and \\fBmpif90\\fR call.\n"
    ".TP\n.B WEFT_MACHINE\n"
    "The machine of \\fBmpirun\\fR in lib/weft/mpi/bin, and further options of \\fBweft "
    "mpirun\\fR; ideal by default.\n"
    ".TP\n.B TMPDIR\n"
    "Where \\fBweft study check\\fR keeps its results while it works; /tmp by default.\n"
    ".SH FILES\n"
    ".TP\n.I share/weft/machines/*.yaml\n"
    "Machines, each parameter with its unit and its source.\n"
    ".TP\n.I share/weft/studies/*.yaml\n"
    "Studies: the runs behind a published figure or table, and its claims.\n"
    ".TP\n.I share/weft/view/\nWhat \\fBweft view\\fR makes pages of.\n"
    ".SH EXAMPLES\n"
    "An all\\-to\\-all on 512 nodes of Blue Gene/L, on two threads:\n.PP\n.RS 4\n.EX\n"
    "weft run \\-m bluegene\\-l \\-w alltoall \\-s machine.dims=8x8x8 \\-j 2\n.EE\n.RE\n.PP\n"
    "Uniform traffic under rising load, as a table and a plot:\n.PP\n.RS 4\n.EX\n"
    "weft sweep \\-m bluegene\\-l \\-w uniform \\-\\-over workload.load=0.2,0.4,0.6,0.8 \\-j 2\n"
    ".EE\n.RE\n.PP\n"
    "A long run that can be continued after an interruption:\n.PP\n.RS 4\n.EX\n"
    "weft run long.yaml \\-\\-checkpoint long.state \\-o long.json\n"
    "weft resume long.state\n.EE\n.RE\n.PP\n"
    "Whether a machine of another size is free of deadlock:\n.PP\n.RS 4\n.EX\n"
    "weft check \\-m sc5832 \\-s machine.graph=kautz:3:4\n.EE\n.RE\n"
    ".SH SEE ALSO\n"
    "The library: weft.h and \\fBpkg\\-config weft\\fR. The user guide: docs/guide.md in the "
    "sources.\n";

void help_manual(void)
{
    printf(".\\\" Made by `weft --man` from the tables of the program.\n"
           ".TH WEFT 1 \"\" \"Weft " WEFT_VERSION "\" \"User Commands\"\n.SH NAME\n"
           "weft \\- a laboratory for supercomputer interconnects\n.SH SYNOPSIS\n"
           ".B weft\n.I COMMAND\n.RI [ ARGUMENT ]...\n.br\n.B weft help\n.RI [ COMMAND ]\n"
           ".br\n.B weft version\n.SH DESCRIPTION\n");
    put_troff(
        "Weft simulates the interconnects of supercomputers packet by packet and cycle by "
        "cycle: the torus of Blue Gene/L, the Kautz graph of the SC5832, and an ideal network "
        "without contention to compare them with.\n");
    man_commands();
    man_options();
    fputs(man_rest, stdout);
}

/* ---- version ---- */

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

#ifdef NDEBUG
#define ASSERTIONS ""
#else
#define ASSERTIONS ", with assertions"
#endif

weft_status cmd_version(struct cli_options *o)
{
    char data[PATH_MAX];
    const char *mpi = ranks_library();
    (void)o;
    printf("weft " WEFT_VERSION "\n");
    printf("  compiler   " COMPILER ", for " WEFT_PROCESSOR "\n");
    printf("  build      " WEFT_BUILD ASSERTIONS "\n");
    if (mpi) /* "Open MPI v4.1.4", of the many words that a library may have for itself */
        printf("  MPI        %.*s\n", (int)strcspn(mpi, ",\n"), mpi);
    else
        printf("  MPI        none: built without it, Weft runs in one process\n");
    for (const struct trace_format *const *f = trace_formats; *f; f++) {
        if (!(*f)->reader_version) /* it is read without a library */
            continue;
        const char *text = (*f)->reader_version();
        printf("  %-10s %s\n", (*f)->name,
               text ? text : "none: built without it, Weft reads no such traces");
    }
    printf("  libraries  " WEFT_LIBRARIES "\n");
    printf("  data       %s\n", realpath(data_folder(), data) ? data : data_folder());
    return WEFT_OK;
}
