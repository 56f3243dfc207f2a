/* The `weft` command. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/text.h"
#include "config/data.h"
#include "engine/ranks.h"
#include "report/text/tables.h"

/* Prints the last error as one line; returns the exit code. */
static int fail(weft_status status)
{
    char text[8192];
    if (ranks_me() != 0)
        return status; /* the first rank says it */
    snprintf(text, sizeof(text), "%s", weft_last_error());
    /* Input is quoted in complaints: they stay on one line, whatever it holds. */
    text_tame(text, status != WEFT_BAD_INPUT);
    size_t length = strlen(text);
    fprintf(stderr, "weft: %s%s", text, length && text[length - 1] == '\n' ? "" : "\n");
    return status;
}

/* What was printed must have arrived. */
static int finish_output(int code)
{
    if (cli_output_arrived())
        return code;
    fprintf(stderr, "weft: standard output cannot be written; make room or send it elsewhere\n");
    return 2;
}

/* Machines and studies lie beside the program: PREFIX/bin/weft has PREFIX/share/weft, build/weft
 * the source tree above it. */
static void find_data(void)
{
    char folder[4096], machines[4200];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 32);
    if (getenv("WEFT_DATA") || length <= 0)
        return;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    static const char *const ways[] = {"/../share/weft", "/.."};
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        strcpy(slash, ways[i]);
        snprintf(machines, sizeof(machines), "%s/machines", folder);
        if (access(machines, F_OK) == 0) {
            data_set(folder);
            return;
        }
    }
}

static int run_command(const struct cli_command *command, int argc, char **argv)
{
    struct cli_options o = {.exit_code = 0};
    if (ranks_begin() != WEFT_OK)
        return fail(WEFT_BAD_INPUT);
    cli_catch_signals();
    find_data();
    weft_status status =
        ranks_count() > 1 && !command->on_ranks
            ? BAD_INPUT(NULL, ("only `weft run` and `weft sweep` work on several ranks"),
                        ("start `weft %s` alone", command->name))
            : cli_parse(command, argc, argv, &o);
    if (status == WEFT_OK)
        status = command->run(&o);
    if (status == WEFT_BAD_INPUT && cli_interrupted(NULL)) /* while a file was being opened */
        status = RUN_FAILED(("interrupted"), ("nothing was written"));
    int code = status == WEFT_OK ? 0 : fail(status);
    code = finish_output(o.exit_code ? o.exit_code : code);
    ranks_end();
    return code;
}

/* `weft run --help`, with or without other arguments. What is behind the name of a program, or for
 * a compiler, is theirs. */
static bool asks_for_help(const struct cli_command *command, int argc, char **argv)
{
    int end = command->passes && argc > 3 ? 3 : argc;
    for (int i = 2; i < end; i++)
        if (strcmp(argv[i], "--help") == 0 || (i == 2 && strcmp(argv[i], "-h") == 0))
            return true;
    return false;
}

/* Does what needs no command; false: that was not asked for. */
static bool answer(int argc, char **argv)
{
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_all(stdout);
    } else if (strcmp(argv[1], "--version") == 0) {
        puts("weft " WEFT_VERSION);
    } else if (strcmp(argv[1], "--man") == 0) {
        help_manual();
    } else if (strcmp(argv[1], "--figures") == 0) {
        figures_markdown(stdout);
    } else if (strcmp(argv[1], "--complete") == 0) {
        find_data();
        complete(argc - 2, argv + 2);
    } else {
        return false;
    }
    return true;
}

/* As the MPI command whose name this program is called by; NULL: by its own. */
static const struct cli_command *called_as(const char *path)
{
    const char *slash = strrchr(path, '/');
    return cli_find_called(slash ? slash + 1 : path);
}

static int run_called(const struct cli_command *command, int argc, char **argv)
{
    cli_tame_output();
    if (command->run != cmd_mpirun)
        return run_command(command, argc - 1, argv + 1);
    weft_status status = launcher_translate(&argc, &argv);
    if (status != WEFT_OK)
        return fail(status);
    int code = argv ? run_command(command, argc, argv) : finish_output(0);
    launcher_drop(argc, argv);
    return code;
}

int main(int argc, char **argv)
{
    const struct cli_command *called = argc ? called_as(argv[0]) : NULL;
    if (called)
        return run_called(called, argc, argv);
    if (argc < 2) {
        help_all(stderr);
        return 2;
    }
    if (answer(argc, argv))
        return finish_output(0);
    cli_tame_output();
    const struct cli_command *command = cli_find_command(argv[1]);
    if (!command)
        return fail(cli_unknown_command(argv[1]));
    if (asks_for_help(command, argc, argv)) {
        help_command(stdout, command);
        return finish_output(0);
    }
    return run_command(command, argc - 2, argv + 2);
}
