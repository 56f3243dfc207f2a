/* weft machines, weft show, weft keys: what there is. */
#include "cli/cli.h"

#include <limits.h>
#include <stdio.h>

#include "base/text/text.h"
#include "report/text/tables.h"

void cli_list(const char *name, const char *text)
{
    enum { COLUMN = 21 };
    unsigned width = terminal_width();
    printf("%-*s ", COLUMN - 1, name);
    text_wrap(stdout, text, COLUMN, COLUMN, width ? width : UINT_MAX);
}

static void print_machine(void *arg, const char *name, const char *description)
{
    (void)arg;
    cli_list(name, description);
}

int cmd_machines(int argc, char **argv)
{
    (void)argv;
    if (argc > 0)
        return cli_fail(BAD_INPUT(NULL, ("`weft machines` takes no arguments"), ("use it alone")));
    weft_status status = weft_machines(print_machine, NULL);
    return status == WEFT_OK ? 0 : cli_fail(status);
}

static weft_status show(void *config)
{
    summary_machine(stdout, config);
    return WEFT_OK;
}

int cmd_show(int argc, char **argv)
{
    struct cli_options o;
    struct config c;
    weft_status status = cli_parse(argc, argv, "show", &o);
    if (status == WEFT_OK && o.names != 1)
        status = BAD_INPUT(NULL, ("`weft show` takes one machine"), ("`weft machines` lists them"));
    machine_init(&c);
    if (status == WEFT_OK)
        status = config_machine(&c, o.name[0]);
    if (status == WEFT_OK)
        status = cli_apply(&o, &c);
    if (status == WEFT_OK)
        status = machine_finish(&c);
    if (status == WEFT_OK)
        status = cli_protected_call(show, &c, "not all was shown");
    config_fini(&c);
    return status == WEFT_OK ? 0 : cli_fail(status);
}

static weft_status machine_keys(const char *machine, const char *prefix)
{
    struct config c;
    machine_init(&c);
    weft_status status = config_machine(&c, machine);
    if (status == WEFT_OK)
        status = machine_finish(&c);
    if (status == WEFT_OK)
        status = summary_machine_keys(stdout, &c, prefix);
    config_fini(&c);
    return status;
}

int cmd_keys(int argc, char **argv)
{
    struct cli_options o;
    weft_status status = cli_parse(argc, argv, "keys", &o);
    const char *prefix = o.names ? o.name[0] : "";
    if (status == WEFT_OK && o.names > 1)
        status = BAD_INPUT(NULL, ("`weft keys` takes one beginning of keys"), ("use one, or none"));
    if (status == WEFT_OK)
        status = o.machine ? machine_keys(o.machine, prefix) : summary_keys(stdout, prefix);
    return status == WEFT_OK ? 0 : cli_fail(status);
}
