/* What ran. */
#include "report/text/header.h"

#include <string.h>

#include "base/text/text.h"
#include "workload/workload.h"

/* Keys that the title has as the machine's size. */
static const char sizes[] = "machine.dims machine.nodes machine.graph";

/* Whether a run's value of a machine key is neither the machine file's nor one that follows from
 * others, as a time in cycles does. The key has the same number in both. */
static bool is_changed(const struct config *c, const struct config *own, size_t i)
{
    char text[CONFIG_TEXT], usual[CONFIG_TEXT];
    const char *key = c->entry[i].key->name, *place = c->entry[i].place;
    if (!text_behind(key, "machine.") || text_has_word(sizes, key) || !place)
        return false;
    if (own->entry[i].place && strcmp(place, own->entry[i].place) == 0)
        return false;
    return strcmp(config_text(c, i, text), config_text(own, i, usual)) != 0;
}

/* Whether a key says that no axis is a ring; those within a group of Tofu, after the first three,
 * are what they are. */
static bool is_mesh(const struct config *c, size_t i)
{
    char text[CONFIG_TEXT], item[32];
    const char *rest = config_text(c, i, text);
    bool ring = false;
    for (unsigned axis = 0; rest && axis < 3; axis++) {
        rest = key_list_item(rest, item);
        ring |= strcmp(item, "true") == 0;
    }
    return strcmp(c->entry[i].key->name, "machine.wrap") == 0 && !ring;
}

/* "machine.router.paths=1", as -s has it, behind what is in the line already. */
static size_t describe(const struct config *c, size_t i, char *line, size_t size, size_t at)
{
    enum { VALUE_MOST = 60 };
    char text[CONFIG_TEXT];
    bool cut = strlen(config_text(c, i, text)) > VALUE_MOST;
    return text_append(line, size, at, "%s%s=%.*s%s", at ? ", " : "", c->entry[i].key->name,
                       cut ? VALUE_MOST - 3 : VALUE_MOST, text[0] ? text : "''", cut ? "..." : "");
}

/* Lists what was changed, and says whether the machine was made a mesh. */
static bool list_changes(const struct config *c, const struct config *own, char *line, size_t size)
{
    bool mesh = false;
    size_t at = 0;
    line[0] = '\0';
    for (size_t i = 0; i < c->entries; i++) {
        if (!is_changed(c, own, i))
            continue;
        if (is_mesh(c, i))
            mesh = true;
        else
            at = describe(c, i, line, size, at);
    }
    return mesh;
}

static void print_title(FILE *out, const struct config *c, bool mesh)
{
    const struct workload_params *w = config_section(c, &workload_section);
    char text[CONFIG_TEXT], nodes[32], living[32];
    fprintf(out, "%s %s%s, ", config_name(c), machine_size_text(c, text), mesh ? " mesh" : "");
    if (machine_living_nodes(c) < machine_nodes(c))
        fprintf(out, "%s of ", text_count(machine_living_nodes(c), living));
    fprintf(out, "%s node%s: %s", text_count(machine_nodes(c), nodes),
            machine_nodes(c) == 1 ? "" : "s", w->pattern->name);
    machine_describe(c, text);
    fprintf(out, "%s\n", text);
}

/* The machine as its file has it, in the size of a run. */
static weft_status take_own(const struct config *c, struct config *own)
{
    char text[CONFIG_TEXT];
    machine_init(own);
    weft_status status = config_machine(own, c->machine);
    if (status == WEFT_OK && own->schema != c->schema)
        status = WEFT_BAD_INPUT;
    for (size_t i = 0; i < c->entries && status == WEFT_OK; i++)
        if (text_has_word(sizes, c->entry[i].key->name))
            status = config_set(own, c->entry[i].key->name, config_text(c, i, text), "size");
    return status == WEFT_OK ? machine_finish(own) : status;
}

void header_print(FILE *out, const struct config *c)
{
    char line[CONFIG_TEXT] = "";
    bool mesh = false;
    struct error before = *error_last(); /* of the run, which is still to be reported */
    struct config own;
    if (take_own(c, &own) == WEFT_OK)
        mesh = list_changes(c, &own, line, sizeof(line));
    config_fini(&own);
    error_restore(&before);
    print_title(out, c, mesh);
    if (line[0])
        fprintf(out, "  changed      %s\n", line);
}
