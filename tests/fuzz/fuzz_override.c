/* Lines of KEY=VALUE, as given to -s, applied to the machine that the first character picks: 's' is
 * the SC5832, anything else Blue Gene/L. The first wrong line ends it. Accepted values are printed
 * and must read back as the same. */
#include "fuzz.h"

#include "machine/machine.h"

/* Takes all values over from another configuration. */
static void copy(struct config *to, const struct config *from)
{
    char value[CONFIG_TEXT];
    machine_init(to);
    if (config_choose(to, from->schema->fabric) != WEFT_OK)
        abort();
    for (size_t i = 0; i < from->entries; i++)
        if (config_set(to, from->entry[i].key->name, config_text(from, i, value), "") != WEFT_OK)
            abort();
}

static void check_texts(const struct config *c)
{
    struct config again;
    copy(&again, c);
    for (size_t i = 0; i < c->entries; i++) {
        char value[CONFIG_TEXT], same[CONFIG_TEXT];
        if (strlen(config_text(c, i, value)) >= sizeof(value) ||
            strcmp(value, config_text(&again, i, same)) != 0)
            abort();
    }
    config_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct config machine[2]; /* read once, copied for each input */
    static bool read;
    char *text = fuzz_text(data, size), *at = text, *line;
    bool graph = size && data[0] == 's';
    if (!read) {
        for (unsigned m = 0; m < 2; m++) {
            machine_init(&machine[m]);
            if (config_machine(&machine[m], m ? "sc5832" : "bluegene-l") != WEFT_OK)
                abort();
        }
        read = true;
    }
    struct config config;
    copy(&config, &machine[graph]);
    if (graph)
        strsep(&at, "\n"); /* the line that says so */
    weft_status status = WEFT_OK;
    while (status == WEFT_OK && (line = strsep(&at, "\n")))
        status = config_override(&config, line);
    if (status == WEFT_OK && machine_finish(&config) == WEFT_OK)
        check_texts(&config);
    config_fini(&config);
    free(text);
    return 0;
}
