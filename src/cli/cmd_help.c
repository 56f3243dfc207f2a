/* weft help, weft version: what this program is and can do. */
#include "cli/cli.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/data.h"
#include "engine/ranks.h"
#include "trace/format.h"

int cmd_help(int argc, char **argv)
{
    const struct cli_command *command = argc == 1 ? cli_find_command(argv[0]) : NULL;
    if (argc > 1)
        return cli_fail(
            BAD_INPUT(NULL, ("`weft help` takes one command"), ("use `weft help %.60s`", argv[0])));
    if (argc == 1 && !command)
        return cli_fail(cli_unknown_command(argv[0]));
    if (command)
        help_command(stdout, command);
    else
        help_all(stdout);
    return 0;
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

/* "Open MPI v4.1.4", of the many words that a library may have for itself. */
static void print_mpi(void)
{
    const char *text = ranks_library();
    if (text)
        printf("  MPI        %.*s\n", (int)strcspn(text, ",\n"), text);
    else
        printf("  MPI        none: built without it, Weft runs in one process\n");
}

/* Those that are read with a library. */
static void print_trace_formats(void)
{
    for (const struct trace_format *const *f = trace_formats; *f; f++) {
        if (!(*f)->library)
            continue;
        const char *text = (*f)->library();
        printf("  %-10s %s\n", (*f)->name,
               text ? text : "none: built without it, Weft reads no such traces");
    }
}

int cmd_version(int argc, char **argv)
{
    char data[PATH_MAX];
    (void)argv;
    if (argc > 0)
        return cli_fail(BAD_INPUT(NULL, ("`weft version` takes no arguments"), ("use it alone")));
    printf("weft " WEFT_VERSION "\n");
    printf("  compiler   " COMPILER ", for " WEFT_PROCESSOR "\n");
    printf("  build      " WEFT_BUILD ASSERTIONS "\n");
    print_mpi();
    print_trace_formats();
    printf("  libraries  " WEFT_LIBRARIES "\n");
    printf("  data       %s\n", realpath(data_folder(), data) ? data : data_folder());
    return 0;
}
