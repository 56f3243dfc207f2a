/* Lines of KEY=VALUE, as given to -s, applied to the machine that the first character picks: 's' is
 * the SC5832 and 'i' ideal, on a line of its own; anything else is Blue Gene/L. Empty lines do not
 * count, the first wrong one ends it. Accepted values are printed and must read back as the same.
 */
#include "fuzz.h"

#include "machine/machine.h"

/* Takes all values over from another configuration. */
static void copy(struct config *to, const struct config *from)
{
    char value[CONFIG_TEXT];
    machine_init(to);
    if (config_choose(to, from->schema->fabric, from->schema->nic) != WEFT_OK)
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

static const char *const names[] = {"bluegene-l", "sc5832", "k-computer", "ideal"};
enum { MACHINES = sizeof(names) / sizeof(names[0]) };

/* The machines as their files say, read once. */
static const struct config *machine(unsigned which)
{
    static struct config machines[MACHINES];
    static bool read;
    for (unsigned m = 0; !read && m < MACHINES; m++) {
        machine_init(&machines[m]);
        if (config_machine(&machines[m], names[m]) != WEFT_OK)
            abort();
    }
    read = true;
    return &machines[which];
}

int fuzz_override(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *at = text, *line;
    unsigned which = 0;
    for (unsigned m = 1; m < MACHINES; m++)
        which = text[0] == names[m][0] ? m : which;
    if (which)
        strsep(&at, "\n"); /* the line that says so */
    struct config config;
    copy(&config, machine(which));
    weft_status status = WEFT_OK;
    while (status == WEFT_OK && (line = strsep(&at, "\n")))
        status = *line ? config_override(&config, line) : WEFT_OK;
    if (status == WEFT_OK && machine_finish(&config) == WEFT_OK)
        check_texts(&config);
    config_fini(&config);
    free(text);
    return 0;
}
