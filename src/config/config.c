/* Values by key, and precise error messages about them. */
#define _GNU_SOURCE
#include "config/config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text/suggest.h"
#include "base/text/text.h"
#include "base/random.h"
#include "config/data.h"

void config_init(struct config *c, const struct schema *const *schemas)
{
    memset(c, 0, sizeof(*c));
    c->schemas = schemas;
}

void config_keep(const struct config *c, void *value, void (*release)(void *value))
{
    if (c->kept->value)
        c->kept->release(c->kept->value);
    *c->kept = (struct config_kept){value, release};
}

void *config_kept(const struct config *c)
{
    return c->kept ? c->kept->value : NULL;
}

void config_fini(struct config *c)
{
    if (c->kept)
        config_keep(c, NULL, NULL);
    free(c->kept);
    c->kept = NULL;
    for (size_t i = 0; i < c->entries; i++) {
        free(c->entry[i].place);
        free(c->entry[i].source);
    }
    free(c->entry);
    for (uint32_t i = 0; i < c->sections; i++)
        free(c->section[i].values);
    c->entry = NULL;
    c->entries = c->sections = c->givings = 0;
}

void *config_section(const struct config *c, const struct key_section *section)
{
    for (uint32_t i = 0; i < c->sections; i++)
        if (c->section[i].section == section)
            return c->section[i].values;
    return NULL;
}

/* ---- schemas ---- */

static void add_table(struct config *c, const struct key_table *t)
{
    size_t keys;
    struct listed_key *list = key_table_list(t, &keys);
    c->entry = memory_grow(c->entry, c->entries + keys, sizeof(*c->entry));
    for (size_t i = 0; i < keys; i++) {
        const struct key *key = list[i].key;
        const struct key_section *section = list[i].section;
        c->entry[c->entries++] =
            (struct config_entry){.key = key, .section = section, .seconds = -1};
        if (!config_section(c, section)) {
            WEFT_CHECK(c->sections < CONFIG_SECTIONS_MOST, "more than %d sections",
                       CONFIG_SECTIONS_MOST);
            c->section[c->sections].section = section;
            c->section[c->sections++].values = memory_alloc(1, section->size);
        }
        if (!key->default_value)
            continue;
        weft_status status = key_parse(key, key->default_value, config_section(c, section));
        WEFT_CHECK(status == WEFT_OK, "default of %s: %s", key->name, weft_last_error());
    }
    free(list);
}

/* "'fabric: torus', 'fabric: ideal' or 'fabric: tofu'", each once; or the nics of one fabric. */
static void list_schemas(const struct config *c, const char *fabric, char *list, size_t size)
{
    enum { LISTED_MOST = 32 };
    const char *last = NULL, *name[LISTED_MOST];
    size_t count = 0;
    for (const struct schema *const *s = c->schemas; *s; s++) {
        bool same =
            fabric ? strcmp((*s)->fabric, fabric) != 0 : last && strcmp((*s)->fabric, last) == 0;
        last = (*s)->fabric;
        if (!same && count < LISTED_MOST)
            name[count++] = fabric ? (*s)->nic : (*s)->fabric;
    }
    list[0] = '\0';
    for (size_t i = 0; i < count; i++)
        snprintf(list + strlen(list), size - strlen(list), "%s'%s: %s'",
                 i == 0           ? ""
                 : i + 1 == count ? " or "
                                  : ", ",
                 fabric ? "nic" : "fabric", name[i]);
}

weft_status config_choose(struct config *c, const char *fabric, const char *nic)
{
    const struct schema *usual = NULL;
    const char *why = "";
    char list[256];
    for (const struct schema *const *s = c->schemas; *s; s++) {
        if (strcmp((*s)->fabric, fabric) != 0)
            continue;
        usual = usual ? usual : *s;
        if (nic && strcmp((*s)->nic, nic) != 0)
            continue;
        config_fini(c);
        c->schema = *s;
        c->kept = memory_alloc(1, sizeof(*c->kept));
        for (const struct key_table *const *t = c->schema->table; *t; t++)
            add_table(c, *t);
        return WEFT_OK;
    }
    list_schemas(c, usual ? fabric : NULL, list, sizeof(list));
    if (!usual)
        return BAD_INPUT(NULL, ("its fabric is '%.60s'", fabric), ("use %s", list));
    for (const struct schema_refusal *r = usual->refused; r && r->nic; r++)
        why = strcmp(r->nic, nic) == 0 ? r->why : why;
    return BAD_INPUT("nic",
                     ("fabric %s has no nic '%.60s'%s%s", fabric, nic, why[0] ? ": " : "", why),
                     ("use %s", list));
}

size_t config_find(const struct config *c, const char *name)
{
    size_t i = 0;
    while (i < c->entries && strcmp(c->entry[i].key->name, name) != 0)
        i++;
    return i;
}

/* Whether some other schema has a key; of one fabric, or of all (NULL). */
static bool is_key_of_others(const struct config *c, const char *fabric, const char *name)
{
    bool found = false;
    for (const struct schema *const *s = c->schemas; *s && !found; s++)
        for (const struct key_table *const *t = (*s)->table; *t && !found; t++) {
            size_t keys;
            struct listed_key *list = key_table_list(*t, &keys);
            for (size_t i = 0; i < keys; i++)
                found |= (!fabric || strcmp((*s)->fabric, fabric) == 0) &&
                         strcmp(list[i].key->name, name) == 0;
            free(list);
        }
    return found;
}

/* ---- keys ---- */

static weft_status unknown_key(const struct config *c, const char *name, const char *place)
{
    struct suggestion suggestion = suggestion_for(name);
    const char *renamed = key_renamed(name);
    if (renamed && config_find(c, renamed) < c->entries)
        return BAD_PLACE(("%s", place), ("unknown key '%s'", name), ("use '%s'", renamed));
    if (renamed)
        name = renamed;
    bool of_fabric = is_key_of_others(c, c->schema->fabric, name);
    if (of_fabric || is_key_of_others(c, NULL, name))
        return BAD_PLACE(("%s", place),
                         ("'%s' is not a key of machines whose fabric is %s%s%s", name,
                          c->schema->fabric, of_fabric ? " and whose nic is " : "",
                          of_fabric ? c->schema->nic : ""),
                         ("`weft keys` lists the keys of each"));
    for (size_t i = 0; i < c->entries; i++)
        suggestion_offer_key(&suggestion, c->entry[i].key->name);
    return suggestion_remedy(&suggestion, BAD_PLACE(("%s", place), ("unknown key '%.80s'", name),
                                                    ("`weft keys` lists the keys")));
}

static void keep_text(char **kept, const char *text)
{
    char *copy = memory_copy(text);
    free(*kept);
    *kept = copy;
}

/* Times become cycles once their length is known: config_settle(). */
static bool is_in_cycles(const struct key *key)
{
    const char *unit = strstr(key->unit, "cycles");
    return unit && !unit[strlen("cycles")];
}

weft_status config_settle(struct config *c, const char *unit, double per_second)
{
    for (size_t i = 0; i < c->entries; i++) {
        struct config_entry *e = &c->entry[i];
        char text[32];
        if (e->seconds < 0 || strcmp(e->key->unit, unit) != 0)
            continue;
        double cycles = e->seconds * per_second;
        snprintf(text, sizeof(text), e->key->type == KEY_REAL ? "%.15g" : "%.0f", cycles);
        weft_status status = key_parse(e->key, text, config_section(c, e->section));
        if (status != WEFT_OK) {
            error_place("%s", e->place);
            return status;
        }
        e->seconds = -1;
        config_keep(c, NULL, NULL);
    }
    return WEFT_OK;
}

static weft_status set_value(struct config *c, const char *name, const char *value,
                             const char *place)
{
    size_t i = config_find(c, name);
    if (!c->schema)
        return BAD_PLACE(("%s", place), ("no machine has been named yet"), ("name one first (-m)"));
    if (i == c->entries)
        return unknown_key(c, name, place);
    struct config_entry *e = &c->entry[i];
    weft_status status = WEFT_OK;
    e->seconds = -1;
    if (!is_in_cycles(e->key) || !unit_seconds(value, &e->seconds))
        status = key_parse(e->key, value, config_section(c, e->section));
    else if (e->seconds < 0)
        status = BAD_INPUT(NULL, ("%s = '%.60s' is before 0", name, value), ("use 0 or more"));
    if (status != WEFT_OK) {
        error_place("%s", place);
        return status;
    }
    e->given = ++c->givings;
    config_keep(c, NULL, NULL);
    keep_text(&e->place, place);
    return WEFT_OK;
}

weft_status config_set(struct config *c, const char *name, const char *value, const char *place)
{
    weft_status status = set_value(c, name, value, place);
    if (status == WEFT_OK)
        keep_text(&c->entry[config_find(c, name)].source, place);
    return status;
}

weft_status config_locate(const struct config *c, weft_status status)
{
    const struct error *error = error_last();
    const struct config_entry *last = NULL;
    if (status != WEFT_BAD_INPUT || error->place[0])
        return status;
    /* Everything was fine until the last of them was given. */
    for (size_t i = 0; i < c->entries; i++)
        if (c->entry[i].given && text_has_word(error->keys, c->entry[i].key->name) &&
            (!last || c->entry[i].given > last->given))
            last = &c->entry[i];
    if (last)
        error_place("%s", last->place);
    return status;
}

weft_status config_override(struct config *c, const char *assignment)
{
    char name[128], place[256];
    const char *equals = strchr(assignment, '=');
    snprintf(place, sizeof(place), "-s %.80s", assignment);
    if (!equals || equals == assignment || (size_t)(equals - assignment) >= sizeof(name))
        return BAD_PLACE(("%s", place), ("is not an assignment"), ("use -s KEY=VALUE"));
    snprintf(name, sizeof(name), "%.*s", (int)(equals - assignment), assignment);
    return config_set(c, name, equals + 1, place);
}

/* ---- files ---- */

/* Whether `path` ends in ".word"; if so, cuts it off. */
static bool cut_suffix(char *path, const char *word)
{
    char *dot = strrchr(path, '.');
    if (!dot || strcmp(dot + 1, word) != 0)
        return false;
    *dot = '\0';
    return true;
}

static bool is_about_file(const char *path)
{
    static const char *const names[] = {"name", "title", "description", "fabric", "nic", "base"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(path, names[i]) == 0)
            return true;
    return false;
}

/* An entry of a machine file: key, or key.value with key.unit and key.source beside it. */
static weft_status apply_machine_entry(struct config *c, const struct yaml *y,
                                       const struct yaml_entry *e, bool *seen)
{
    char path[320], place[YAML_PLACE];
    if (is_about_file(e->path))
        return WEFT_OK;
    snprintf(path, sizeof(path), "machine.%s", e->path);
    yaml_where(y, e, place);
    if (cut_suffix(path, "source") || cut_suffix(path, "unit")) {
        size_t i = config_find(c, path);
        if (i == c->entries)
            return unknown_key(c, path, place);
        if (strcmp(strrchr(e->path, '.') + 1, "source") == 0)
            keep_text(&c->entry[i].source, e->value);
        else if (strcmp(c->entry[i].key->unit, e->value) != 0)
            return BAD_PLACE(("%s", place), ("%s is in '%s'", path, e->value),
                             ("give it in '%s'", c->entry[i].key->unit));
        return WEFT_OK;
    }
    char *item = strrchr(path, '.');
    bool further = isdigit((unsigned char)item[1]) && strcmp(item, ".0") != 0;
    if (isdigit((unsigned char)item[1])) /* a list: its items are joined by commas */
        *item = '\0';
    cut_suffix(path, "value");
    size_t i = config_find(c, path);
    if (i < c->entries && further) {
        char text[CONFIG_TEXT], joined[2 * CONFIG_TEXT];
        snprintf(joined, sizeof(joined), "%s,%.*s", config_text(c, i, text), CONFIG_TEXT - 1,
                 e->value);
        return set_value(c, path, joined, place);
    }
    if (i < c->entries && seen[i])
        return BAD_PLACE(("%s", place), ("'%s' is given twice", path), ("remove one"));
    if (i < c->entries)
        seen[i] = true;
    return set_value(c, path, e->value, place);
}

/* What a file says of a key replaces the source of an earlier file along with the value. */
static void forget_source(struct config *c, const struct yaml_entry *e)
{
    char path[320];
    snprintf(path, sizeof(path), "machine.%s", e->path);
    if (!cut_suffix(path, "source"))
        cut_suffix(path, "value");
    size_t i = config_find(c, path);
    if (i < c->entries)
        keep_text(&c->entry[i].source, "");
}

/* The schema must be known before any key. */
static weft_status choose_schema(struct config *c, const struct yaml *y)
{
    const char *name = yaml_get(y, "fabric");
    for (size_t i = 0; i < y->entries; i++)
        if (strncmp(y->entry[i].path, "base.", 5) == 0)
            return YAML_BAD(y, &y->entry[i], ("'base' is the name of one machine"),
                            ("write 'base: bluegene-l'"));
    if (!name)
        return BAD_PLACE(("%s:1:1", y->file),
                         ("a machine has a base, or a fabric and all its keys"),
                         ("add 'base: bluegene-l', or another machine that it is like"));
    weft_status status = config_choose(c, name, yaml_get(y, "nic"));
    if (status != WEFT_OK && strcmp(error_last()->keys, "nic") == 0)
        return yaml_place(y, yaml_find(y, "nic"));
    if (status != WEFT_OK)
        error_place("%s:1:1", y->file);
    return status;
}

/* Reports machine keys that the file leaves out. */
static weft_status check_complete(const struct config *c, const char *file)
{
    const struct key *missing = NULL;
    size_t others = 0;
    for (size_t i = 0; i < c->entries; i++)
        if (!c->entry[i].key->default_value && !c->entry[i].given) {
            others += missing != NULL;
            missing = missing ? missing : c->entry[i].key;
        }
    if (!missing)
        return WEFT_OK;
    return BAD_PLACE(
        ("%s:1:1", file),
        ("'%s' is missing, and %zu others", missing->name + strlen("machine."), others),
        ("add them with their sources, or start from a copy of a machine that has all"));
}

/* A source belongs to a value, and a value that an earlier file gave has its source there. */
static weft_status check_sources(const struct config *c, const struct yaml *y, const bool *seen)
{
    for (size_t i = 0; i < y->entries; i++) {
        char path[320];
        snprintf(path, sizeof(path), "machine.%s", y->entry[i].path);
        if ((cut_suffix(path, "source") || cut_suffix(path, "unit")) && !seen[config_find(c, path)])
            return YAML_BAD(y, &y->entry[i], ("'%s' has no value here", path),
                            ("add 'value: ...' beside it"));
    }
    return WEFT_OK;
}

static weft_status apply_machine_entries(struct config *c, const struct yaml *y)
{
    weft_status status = WEFT_OK;
    bool *seen = memory_alloc(c->entries, sizeof(*seen));
    for (size_t i = 0; i < y->entries; i++)
        forget_source(c, &y->entry[i]);
    for (size_t i = 0; i < y->entries && status == WEFT_OK; i++)
        status = apply_machine_entry(c, y, &y->entry[i], seen);
    if (status == WEFT_OK)
        status = check_sources(c, y, seen);
    free(seen);
    return status;
}

enum { BASE_MOST = 8 };

/* Where a machine file is: a path begins at the folder of the file that names it. */
static void find_machine(const char *name, const char *named_in, char *path, size_t size)
{
    const char *slash = named_in ? strrchr(named_in, '/') : NULL;
    data_find("machines", name, path, size);
    bool is_path = slash && name[0] != '/' && strcmp(path, name) == 0;
    if (strncmp(name, "./", 2) == 0)
        name += 2;
    if (is_path)
        snprintf(path, size, "%.*s/%s", (int)(slash - named_in), named_in, name);
}

/* Reads a machine file. One that has a `base` says only in what it differs from it. */
static weft_status read_machine(struct config *c, const char *name, const char *named_in,
                                unsigned depth)
{
    char path[4200];
    struct yaml y;
    find_machine(name, named_in, path, sizeof(path));
    if (access(path, F_OK) != 0 && !strchr(name, '/'))
        return data_unknown("machines", "machine", name, "weft machines");
    TRY(yaml_load(path, &y));
    weft_status status = WEFT_OK;
    const struct yaml_entry *base = yaml_find(&y, "base");
    if (base && yaml_get(&y, "fabric"))
        status = YAML_BAD(&y, base, ("a machine with a base has the fabric of its base"),
                          ("remove 'base' or 'fabric'"));
    else if (base && yaml_get(&y, "nic"))
        status = YAML_BAD(&y, base, ("a machine with a base has the nic of its base"),
                          ("remove 'base' or 'nic'"));
    else if (base && depth == BASE_MOST)
        status = YAML_BAD(&y, base, ("more than %d machine files are each other's base", BASE_MOST),
                          ("give one of them a fabric and all keys"));
    else if (base && (status = read_machine(c, base->value, path, depth + 1)) != WEFT_OK &&
             !error_last()->place[0])
        yaml_place(&y, base);
    else if (!base) {
        snprintf(c->root, sizeof(c->root), "%.*s", (int)sizeof(c->root) - 1, path);
        status = choose_schema(c, &y);
    }
    snprintf(c->name, sizeof(c->name), "%s", yaml_get(&y, "name") ? yaml_get(&y, "name") : "");
    if (status == WEFT_OK)
        status = apply_machine_entries(c, &y);
    if (status == WEFT_OK)
        status = check_complete(c, path);
    yaml_fini(&y);
    return status;
}

weft_status config_machine(struct config *c, const char *name)
{
    if (snprintf(c->machine, sizeof(c->machine), "%s", name) >= (int)sizeof(c->machine))
        return BAD_INPUT(NULL, ("the name of machine '%s' is too long", name), ("shorten it"));
    weft_status status = read_machine(c, name, NULL, 0);
    c->own_givings = c->givings;
    return status;
}

const char *config_name(const struct config *c)
{
    return c->name[0] ? c->name : c->machine;
}

weft_status config_take(struct config *c, const struct yaml *y, size_t *index, size_t skip)
{
    const struct yaml_entry *e = &y->entry[*index];
    char place[YAML_PLACE], key[256], value[CONFIG_TEXT + 256] = "";
    yaml_where(y, e, place);
    const char *path = e->path + skip, *dot = strrchr(path, '.');
    if (!dot || dot[1] < '0' || dot[1] > '9')
        return config_set(c, path, e->value, place);
    /* Values of a list come one by one: "workload.packet_bytes.1" follows ".0". */
    size_t common = skip + (size_t)(dot - path) + 1, i = *index; /* the list's path, and the dot */
    snprintf(key, sizeof(key), "%.*s", (int)(dot - path), path);
    for (; i < y->entries && strncmp(y->entry[i].path, e->path, common) == 0; i++) {
        size_t at = strlen(value), room = sizeof(value) - at;
        if (snprintf(value + at, room, at ? ",%s" : "%s", y->entry[i].value) >= (int)room)
            return BAD_PLACE(("%s", place), ("this list is too long"),
                             ("use fewer than %d letters", CONFIG_TEXT));
    }
    *index = i - 1;
    return config_set(c, key, value, place);
}

const char *config_text(const struct config *c, size_t entry, char text[CONFIG_TEXT])
{
    const struct config_entry *e = &c->entry[entry];
    return key_text(e->key, config_section(c, e->section), text);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = random_mix(hash ^ (unsigned char)*text);
    return random_mix(hash ^ 0x100);
}

uint64_t config_hash(const struct config *c, bool (*without)(const char *key))
{
    char text[CONFIG_TEXT];
    uint64_t hash = hash_text(0, c->machine);
    for (size_t i = 0; i < c->entries; i++)
        if (!without(c->entry[i].key->name))
            hash = hash_text(hash, config_text(c, i, text));
    return hash;
}

/* ---- as bytes: texts one after the other, each with its final NUL: machine, name, root, fabric,
 * nic; then key, value and place of each setting ---- */

static void put_text(FILE *f, const char *text)
{
    fwrite(text, 1, strlen(text) + 1, f);
}

char *config_pack(const struct config *c, size_t *size)
{
    char *bytes = NULL, text[CONFIG_TEXT];
    FILE *f = open_memstream(&bytes, size);
    WEFT_CHECK(f, "no memory for a configuration");
    put_text(f, c->machine);
    put_text(f, c->name);
    put_text(f, c->root);
    put_text(f, c->schema->fabric);
    put_text(f, c->schema->nic);
    for (size_t i = 0; i < c->entries; i++) {
        if (!c->entry[i].given)
            continue;
        put_text(f, c->entry[i].key->name);
        put_text(f, config_text(c, i, text));
        put_text(f, c->entry[i].place);
    }
    fclose(f);
    return bytes;
}

/* The next text; "" behind the last. */
static const char *next_text(const char **at, const char *end)
{
    const char *text = *at < end ? *at : "";
    *at += *at < end ? strlen(text) + 1 : 0;
    return text;
}

weft_status config_unpack(struct config *c, const char *bytes, size_t size)
{
    const char *at = bytes, *end = bytes + size;
    WEFT_CHECK(size && !end[-1], "%zu bytes are no configuration", size);
    snprintf(c->machine, sizeof(c->machine), "%s", next_text(&at, end));
    snprintf(c->name, sizeof(c->name), "%s", next_text(&at, end));
    snprintf(c->root, sizeof(c->root), "%s", next_text(&at, end));
    const char *fabric = next_text(&at, end);
    weft_status status = config_choose(c, fabric, next_text(&at, end));
    while (at < end && status == WEFT_OK) {
        const char *key = next_text(&at, end), *value = next_text(&at, end);
        status = config_set(c, key, value, next_text(&at, end));
    }
    return status;
}
