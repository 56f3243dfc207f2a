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

weft_status cmd_machines(struct cli_options *o)
{
    (void)o;
    return weft_machines(print_machine, NULL);
}

/* A machine with the settings, or as its file has it. */
static weft_status configure(const struct cli_options *o, const char *machine, struct config *c)
{
    TRY(config_machine(c, machine));
    TRY(cli_apply(o, c));
    return machine_finish(c);
}

static weft_status show(void *config)
{
    summary_machine(stdout, config);
    return WEFT_OK;
}

weft_status cmd_show(struct cli_options *o)
{
    struct config c;
    machine_init(&c);
    weft_status status = configure(o, o->name[0], &c);
    if (status == WEFT_OK)
        status = cli_protected_call(show, &c, "not all was shown");
    config_fini(&c);
    return status;
}

weft_status cmd_keys(struct cli_options *o)
{
    const char *prefix = o->names ? o->name[0] : "";
    struct config c;
    if (!o->machine)
        return summary_keys(stdout, prefix);
    machine_init(&c);
    weft_status status = configure(o, o->machine, &c);
    if (status == WEFT_OK)
        status = summary_machine_keys(stdout, &c, prefix);
    config_fini(&c);
    return status;
}
