/* weft mpirun, weft mpicc and its kin: MPI programs. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "config/data.h"
#include "fabric/tofu/route.h"
#include "topology/torus/torus.h"
#include "workload/workload.h"

/* ---- mpirun ---- */

/* The arguments of the program in one text: blanks, quotes and backslashes in them have a backslash
 * before them, and empty ones are two quotes (workload/programs/mpi.c reads it). */
static weft_status join_arguments(char *const *word, char text[CONFIG_TEXT])
{
    size_t at = 0;
    for (; *word; word++) {
        if (at + 2 * strlen(*word) + 4 > CONFIG_TEXT)
            return BAD_INPUT(NULL, ("the arguments of the program are too long"),
                             ("use fewer than %d bytes, or a file", CONFIG_TEXT / 2));
        if (at)
            text[at++] = ' ';
        for (const char *c = *word; *c; c++) {
            if (strchr(" '\"\\", *c))
                text[at++] = '\\';
            text[at++] = *c;
        }
        if (!**word)
            at += (size_t)snprintf(text + at, 3, "''");
    }
    text[at] = '\0';
    return WEFT_OK;
}

/* The smallest box near a cube that has so many nodes. */
static void choose_box(uint32_t nodes, char text[64])
{
    struct torus t;
    for (;; nodes++) {
        torus_near(nodes, 3, &t);
        uint32_t least = t.size[0], most = t.size[0];
        for (unsigned d = 1; d < 3; d++) {
            least = t.size[d] < least ? t.size[d] : least;
            most = t.size[d] > most ? t.size[d] : most;
        }
        if (most <= 2 * least || nodes < 3)
            break;
    }
    snprintf(text, 64, "%ux%ux%u", t.size[2], t.size[1], t.size[0]);
}

/* Machines of six axes consist of groups, which are as they are. */
#define GROUP_DIMS "x2x3x2"

static unsigned count_axes(const char *dims)
{
    unsigned axes = 1;
    for (; *dims; dims++)
        axes += *dims == 'x';
    return axes;
}

/* A torus as large as the ranks need, unless an option has given its size: `before` options, so
 * many settings were made. */
static weft_status choose_size(struct config *c, uint32_t before)
{
    const struct workload_params *p = config_section(c, &workload_section);
    size_t dims = config_find(c, "machine.dims"), mode = config_find(c, "machine.node.mode");
    uint32_t per_node = p->processes_per_node;
    char box[64], text[CONFIG_TEXT];
    if (dims == c->entries || c->entry[dims].given > before || !p->processes ||
        p->pattern->kind == PATTERN_PARTS)
        return WEFT_OK;
    if (!per_node || per_node == KEY_AUTO)
        per_node =
            mode < c->entries && strcmp(config_text(c, mode, text), "virtual_node") == 0 ? 2 : 1;
    uint32_t nodes = (p->processes + per_node - 1) / per_node;
    bool six = count_axes(config_text(c, dims, text)) == TOFU_AXES;
    choose_box(six ? (nodes + TOFU_GROUP_NODES - 1) / TOFU_GROUP_NODES : nodes, box);
    if (six)
        strcat(box, GROUP_DIMS);
    return config_set(c, "machine.dims", box, "-np");
}

/* An ideal network likewise. */
static weft_status choose_nodes(struct config *c, uint32_t before)
{
    const struct workload_params *p = config_section(c, &workload_section);
    size_t nodes = config_find(c, "machine.nodes");
    char text[32];
    if (nodes == c->entries || c->entry[nodes].given > before || !p->processes ||
        p->pattern->kind == PATTERN_PARTS)
        return WEFT_OK;
    snprintf(text, sizeof(text), "%u", p->processes);
    return config_set(c, "machine.nodes", text, "-np");
}

static weft_status configure(weft_run *run, const struct cli_options *o)
{
    struct config *c = &run->config;
    char arguments[CONFIG_TEXT];
    uint32_t before = c->givings;
    weft_status status = join_arguments(o->rest + 1, arguments);
    if (status == WEFT_OK)
        status = config_set(c, "workload.pattern", "mpi", "mpirun");
    if (status == WEFT_OK)
        status = config_set(c, "workload.program", o->rest[0], o->rest[0]);
    if (status == WEFT_OK)
        status = config_set(c, "workload.arguments", arguments, "mpirun");
    if (status == WEFT_OK && o->tag_output)
        status = config_set(c, "workload.tag_output", "true", "--tag-output");
    if (status == WEFT_OK)
        status = cli_apply(o, c);
    if (status == WEFT_OK)
        status = choose_size(c, before);
    return status == WEFT_OK ? choose_nodes(c, before) : status;
}

static weft_status check_debugged(const weft_run *run, const struct cli_options *o)
{
    const struct workload_params *p = config_section(&run->config, &workload_section);
    if (!o->debugged || !p->processes || o->debugged_rank < p->processes)
        return WEFT_OK;
    return BAD_INPUT(NULL, ("--gdb %u: there are %u ranks", o->debugged_rank, p->processes),
                     ("use 0 to %u", p->processes - 1));
}

int cmd_mpirun(int argc, char **argv)
{
    struct cli_options o;
    weft_run *run = NULL;
    int code = 0;
    weft_status status = cli_parse(argc, argv, "mpirun", &o);
    if (status == WEFT_OK && !o.rest)
        status =
            BAD_INPUT(NULL, ("no program"), ("`weft mpirun -np 8 -m ideal ./PROGRAM` runs one"));
    if (status == WEFT_OK && !o.machine)
        status = BAD_INPUT(NULL, ("no machine"), ("name one with -m; `weft machines` lists them"));
    if (status == WEFT_OK)
        status = weft_run_create(o.machine, NULL, &run);
    if (status == WEFT_OK)
        status = configure(run, &o);
    if (status == WEFT_OK)
        status = check_debugged(run, &o);
    if (status == WEFT_OK)
        status = cli_debug(&o, argc, argv);
    if (status == WEFT_OK)
        status = cli_execute(run, &o, NULL);
    if (run)
        code = run->result.mpi.code; /* after a failure: of MPI_Abort() */
    if (status != WEFT_OK)
        cli_fail(status);
    weft_run_destroy(run);
    return status == WEFT_OK || code ? code : (int)status;
}

/* ---- mpicc ---- */

/* Whether the compiler is to link, and a program rather than a library. */
static bool links(int argc, char **argv)
{
    static const char *const stops[] = {"-c", "-E", "-S", "-M", "-MM", "-fsyntax-only"};
    for (int i = 0; i < argc; i++)
        for (size_t k = 0; k < sizeof(stops) / sizeof(stops[0]); k++)
            if (strcmp(argv[i], stops[k]) == 0)
                return false;
    return true;
}

static bool has(int argc, char **argv, const char *word)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return true;
    return false;
}

/* `own`: an option that this compiler needs; NULL: none. */
static int call_compiler(const char *variable, const char *usual, const char *own, int argc,
                         char **argv)
{
    enum { MORE = 16 };
    char folder[DATA_PATH], include[DATA_PATH + 8], library[DATA_PATH + 8];
    const char *chosen = getenv(variable);
    char **word = memory_alloc((size_t)argc + MORE, sizeof(*word));
    int words = 0;
    if (!argc) {
        BAD_INPUT(NULL, ("nothing to compile"),
                  ("name a program, as in `weft mpicc heat.c -o heat`"));
        return cli_fail(WEFT_BAD_INPUT);
    }
    if (!data_mpi(folder)) {
        BAD_INPUT(NULL, ("mpi.h is not where it was installed"), ("install Weft again"));
        return cli_fail(WEFT_BAD_INPUT);
    }
    bool shared = has(argc, argv, "-shared"), show = has(argc, argv, "-show");
    snprintf(include, sizeof(include), "-I%s", folder);
    snprintf(library, sizeof(library), "-L%s", folder);
    word[words++] = (char *)(chosen && *chosen ? chosen : usual);
    word[words++] = include;
    word[words++] = (char *)(shared ? "-fPIC" : "-fPIE");
    if (own)
        word[words++] = (char *)own;
    word[words++] = (char *)"-fstack-clash-protection"; /* large frames meet the guard */
    if (has(argc, argv, "--count"))
        word[words++] = (char *)"-fsanitize-coverage=trace-pc";
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--count") != 0 && strcmp(argv[i], "-show") != 0)
            word[words++] = argv[i];
    if (links(argc, argv)) {
        if (!shared)
            word[words++] = (char *)"-pie";
        word[words++] = library;
        word[words++] = (char *)"-lmpi_abi";
    }
    if (show) {
        for (int i = 0; i < words; i++)
            printf("%s%s", i ? " " : "", word[i]);
        printf("\n");
        return 0;
    }
    execvp(word[0], word);
    BAD_INPUT(NULL, ("%s: %s", word[0], strerror(errno)), ("install it, or set %s", variable));
    return cli_fail(WEFT_BAD_INPUT);
}

int cmd_mpicc(int argc, char **argv)
{
    return call_compiler("WEFT_CC", "cc", NULL, argc, argv);
}

int cmd_mpicxx(int argc, char **argv)
{
    return call_compiler("WEFT_CXX", "c++", NULL, argc, argv);
}

/* With mpif.h, calls of one function with buffers of several types are no mistake. */
int cmd_mpif90(int argc, char **argv)
{
    return call_compiler("WEFT_FC", "gfortran", "-fallow-argument-mismatch", argc, argv);
}
