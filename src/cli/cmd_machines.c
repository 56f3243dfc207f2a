/* weft machines, weft show, weft keys: what there is. */
#include "cli/cli.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/data.h"
#include "report/summary.h"

static int is_yaml(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

int cmd_machines(int argc, char **argv)
{
    char folder[4200];
    struct dirent **entry;
    (void)argv;
    if (argc > 0)
        return cli_fail(BAD_INPUT(NULL, ("`weft machines` takes no arguments"), ("use it alone")));
    snprintf(folder, sizeof(folder), "%s/machines", data_folder());
    int count = scandir(folder, &entry, is_yaml, alphasort);
    if (count < 0)
        return cli_fail(BAD_PLACE(("%s", folder), ("no machines there"), ("set WEFT_DATA")));
    for (int i = 0; i < count; i++) {
        char path[4600];
        struct yaml y;
        snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
        if (yaml_load(path, &y) == WEFT_OK) {
            const char *text = yaml_get(&y, "description");
            printf("%-16.*s %s\n", (int)strlen(entry[i]->d_name) - 5, entry[i]->d_name,
                   text ? text : "");
            yaml_fini(&y);
        } else {
            cli_fail(WEFT_BAD_INPUT);
        }
        free(entry[i]);
    }
    free(entry);
    return 0;
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
        status = cli_attempt(show, &c, "not all was shown");
    config_fini(&c);
    return status == WEFT_OK ? 0 : cli_fail(status);
}

int cmd_keys(int argc, char **argv)
{
    (void)argv;
    if (argc > 0)
        return cli_fail(BAD_INPUT(NULL, ("`weft keys` takes no arguments"), ("use it alone")));
    summary_keys(stdout);
    return 0;
}
