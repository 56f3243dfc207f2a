/* weft machines, weft show, weft keys: what there is. */
#include "cli/cli.h"

#include <limits.h>

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

weft_status cmd_machines(struct cli_options *o)
{
    (void)o;
    return weft_machines(print_machine, NULL);
}

static weft_status show(void *config)
{
    summary_machine(stdout, config);
    return WEFT_OK;
}

static weft_status show_run(struct cli_options *o, weft_run *run)
{
    TRY(cli_apply(o, &run->config));
    TRY(machine_finish(&run->config));
    return cli_protected_call(show, &run->config, "not all was shown");
}

weft_status cmd_show(struct cli_options *o)
{
    return cli_with_run(o, o->name[0], NULL, show_run);
}

static weft_status list_keys(struct cli_options *o, weft_run *run)
{
    TRY(machine_finish(&run->config));
    return summary_machine_keys(stdout, &run->config, o->names ? o->name[0] : "");
}

weft_status cmd_keys(struct cli_options *o)
{
    return o->machine ? cli_with_run(o, o->machine, NULL, list_keys)
                      : summary_keys(stdout, o->names ? o->name[0] : "");
}
