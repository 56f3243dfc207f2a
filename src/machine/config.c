/* Reading values into a configuration, and saying exactly what is wrong with them. */
#define _GNU_SOURCE
#include "machine/config.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"

static void *field(const struct config *c, const struct key *key)
{
    return (char *)(uintptr_t)c + key->offset;
}

static const struct key *find_key(const struct config *c, const char *name)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (config_has(c, &config_keys[i]) && strcmp(config_keys[i].name, name) == 0)
            return &config_keys[i];
    return NULL;
}

/* Whether a key exists, if not for this machine. */
static bool is_key_of_others(const char *name)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (strcmp(config_keys[i].name, name) == 0)
            return true;
    return false;
}

/* ---- values ---- */

static weft_status parse_real(const struct key *key, const char *text, double *value)
{
    char *end;
    errno = 0;
    double v = strtod(text, &end);
    if (end == text || *end != '\0' || isnan(v) || isinf(v))
        return BAD_INPUT(NULL, ("%s = '%.60s' is no number", key->name, text),
                         ("use one from %.15g to %.15g", key->min, key->max));
    if (v < key->min || v > key->max)
        return BAD_INPUT(NULL, ("%s = %.60s is out of range", key->name, text),
                         ("use %.15g to %.15g", key->min, key->max));
    *value = v;
    return WEFT_OK;
}

static weft_status parse_integer(const struct key *key, const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    if (end == text || *end != '\0')
        return BAD_INPUT(NULL, ("%s = '%.60s' is no whole number", key->name, text),
                         ("use one from %.15g to %.15g", key->min, key->max));
    if (errno == ERANGE || (double)v < key->min || (double)v > key->max)
        return BAD_INPUT(NULL, ("%s = %.60s is out of range", key->name, text),
                         ("use %.15g to %.15g", key->min, key->max));
    *value = v;
    return WEFT_OK;
}

static weft_status parse_choice(const struct key *key, const char *text, uint32_t *value)
{
    char list[256] = "";
    for (uint32_t i = 0; key->choices[i]; i++) {
        if (strcmp(key->choices[i], text) == 0) {
            *value = i;
            return WEFT_OK;
        }
        snprintf(list + strlen(list), sizeof(list) - strlen(list), i ? ", %s" : "%s",
                 key->choices[i]);
    }
    return BAD_INPUT(NULL, ("%s = '%.60s' is not known", key->name, text), ("use one of %s", list));
}

static weft_status parse_bool(const struct key *key, const char *text, bool *value)
{
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return BAD_INPUT(NULL, ("%s = '%.60s' is neither true nor false", key->name, text),
                         ("use one of them"));
    *value = text[0] == 't';
    return WEFT_OK;
}

const char *config_list_item(const char *text, char item[32])
{
    size_t length = strcspn(text, ",");
    snprintf(item, 32, "%.*s", (int)(length < 31 ? length : 31), text);
    return text[length] == ',' ? text + length + 1 : NULL;
}

static weft_status parse_sizes(struct config *c, const struct key *key, const char *text)
{
    struct workload_params *w = &c->workload;
    uint8_t chunks[TORUS_MAX_CHUNKS];
    uint32_t count = 0;
    const char *whole = text;
    while (text) {
        char item[32], *end;
        text = config_list_item(text, item);
        long bytes = strtol(item, &end, 10);
        if (count == TORUS_MAX_CHUNKS)
            return BAD_INPUT(NULL,
                             ("%s = '%.60s' has over %d sizes", key->name, whole, TORUS_MAX_CHUNKS),
                             ("use fewer"));
        if (end == item || *end || bytes < TORUS_CHUNK_BYTES || bytes % TORUS_CHUNK_BYTES ||
            bytes > TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES)
            return BAD_INPUT(NULL, ("%s = '%.60s' is no packet size", key->name, whole),
                             ("use a multiple of 32 from 32 to 256, or several joined by commas"));
        chunks[count++] = (uint8_t)(bytes / TORUS_CHUNK_BYTES);
    }
    memcpy(w->chunks, chunks, sizeof(chunks));
    w->sizes = count;
    return WEFT_OK;
}

static weft_status parse_bytes(const struct key *key, const char *text, struct byte_list *list)
{
    enum { MOST = sizeof(list->value) / sizeof(list->value[0]), MOST_BYTES = 144 };
    struct byte_list parsed = {.count = 0};
    const char *whole = text;
    while (text) {
        char item[32], *end;
        text = config_list_item(text, item);
        unsigned long bytes = strtoul(item, &end, 10);
        if (!isdigit((unsigned char)item[0]) || *end || bytes > MOST_BYTES || parsed.count == MOST)
            return BAD_INPUT(
                NULL, ("%s = '%.60s' does not work", key->name, whole),
                ("use 0 to %d bytes, or up to %d such joined by commas", MOST_BYTES, MOST));
        parsed.value[parsed.count++] = (uint32_t)bytes;
    }
    *list = parsed;
    return WEFT_OK;
}

static weft_status parse_wrap(struct config *c, const struct key *key, const char *text)
{
    bool wrap[TORUS_MAX_DIMS] = {false};
    unsigned count = 0;
    while (text) {
        if (count == TORUS_MAX_DIMS)
            return BAD_INPUT(NULL, ("%s has more values than dimensions", key->name),
                             ("use one for each"));
        char item[32];
        text = config_list_item(text, item);
        weft_status status = parse_bool(key, item, &wrap[count++]);
        if (status != WEFT_OK)
            return status;
    }
    for (unsigned d = count; d < TORUS_MAX_DIMS; d++)
        wrap[d] = wrap[count - 1];
    memcpy(c->torus.wrap, wrap, sizeof(wrap));
    return WEFT_OK;
}

static weft_status parse_dims(const struct key *key, const char *text, struct torus *torus)
{
    struct torus parsed = {.dims = 0};
    if (strcmp(text, "auto") != 0 || !key->default_value) {
        weft_status status = torus_parse(text, &parsed);
        if (status != WEFT_OK) {
            error_prefix("%s = ", key->name);
            return status;
        }
    }
    memcpy(parsed.wrap, torus->wrap, sizeof(parsed.wrap)); /* set by its own key */
    *torus = parsed;
    return WEFT_OK;
}

static weft_status parse_value(struct config *c, const struct key *key, const char *text)
{
    weft_status status;
    double real = 0;
    int64_t integer = 0;
    switch (key->type) {
    case KEY_DIMS:
        return parse_dims(key, text, field(c, key));
    case KEY_WRAP:
        return parse_wrap(c, key, text);
    case KEY_SIZES:
        return parse_sizes(c, key, text);
    case KEY_BYTES:
        return parse_bytes(key, text, field(c, key));
    case KEY_CHOICE:
        return parse_choice(key, text, field(c, key));
    case KEY_BOOL:
        return parse_bool(key, text, field(c, key));
    case KEY_REAL:
        if ((status = parse_real(key, text, &real)) == WEFT_OK)
            *(double *)field(c, key) = real;
        return status;
    case KEY_TEXT:
        if (strlen(text) >= CONFIG_TEXT)
            return BAD_INPUT(NULL, ("%s is too long", key->name),
                             ("use fewer than %d letters", CONFIG_TEXT));
        strcpy(field(c, key), text);
        return WEFT_OK;
    default:
        break;
    }
    if ((status = parse_integer(key, text, &integer)) != WEFT_OK)
        return status;
    if (key->type == KEY_U32)
        *(uint32_t *)field(c, key) = (uint32_t)integer;
    else if (key->type == KEY_I32)
        *(int32_t *)field(c, key) = (int32_t)integer;
    else
        *(uint64_t *)field(c, key) = (uint64_t)integer;
    return WEFT_OK;
}

/* ---- keys ---- */

/* Letters to change to come from one word to the other; at most 63 letters count. */
static unsigned edit_distance(const char *a, const char *b)
{
    unsigned row[64];
    size_t n = strnlen(b, 63);
    for (size_t j = 0; j <= n; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; a[i - 1]; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            unsigned drop = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < drop ? change : drop;
        }
    }
    return row[n];
}

/* The known key nearest to a wrong one: by its last word first, for keys on the wrong shelf. */
static const char *nearest_key(const struct config *c, const char *name)
{
    const char *best = config_keys[0].name;
    unsigned best_distance = UINT32_MAX;
    const char *word = strrchr(name, '.');
    for (size_t i = 0; i < config_key_count; i++) {
        const char *key = config_keys[i].name;
        if (!config_has(c, &config_keys[i]))
            continue;
        unsigned whole = edit_distance(name, key);
        unsigned last = 2 * edit_distance(word ? word + 1 : name, strrchr(key, '.') + 1);
        unsigned distance = whole < last + 1 ? whole : last + 1;
        if (distance < best_distance) {
            best_distance = distance;
            best = key;
        }
    }
    return best;
}

static void keep_text(char **kept, const char *text)
{
    free(*kept);
    *kept = strdup(text);
}

static weft_status set_value(struct config *c, const char *name, const char *value,
                             const char *place)
{
    const struct key *key = find_key(c, name);
    if (!key && is_key_of_others(name))
        return BAD_PLACE(
            ("%s", place),
            ("'%s' is no key of a machine with a %s fabric", name, config_fabric(c)->name),
            ("`weft keys` lists those of each"));
    if (!key)
        return BAD_PLACE(("%s", place), ("unknown key '%.80s'", name),
                         ("did you mean '%s'?", nearest_key(c, name)));
    weft_status status = parse_value(c, key, value);
    if (status != WEFT_OK) {
        error_place("%s", place);
        return status;
    }
    c->given[key - config_keys] = ++c->givings;
    keep_text(&c->place[key - config_keys], place);
    return WEFT_OK;
}

weft_status config_set(struct config *c, const char *name, const char *value, const char *place)
{
    weft_status status = set_value(c, name, value, place);
    if (status == WEFT_OK)
        keep_text(&c->source[find_key(c, name) - config_keys], place);
    return status;
}

/* Whether a list of keys, separated by spaces, has one. */
static bool has_name(const char *keys, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = keys; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, name, length) == 0 && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

weft_status config_locate(const struct config *c, weft_status status)
{
    const struct error *error = error_last();
    size_t last = config_key_count;
    if (status != WEFT_BAD_INPUT || error->place[0])
        return status;
    /* All was right before the last of them was given. */
    for (size_t i = 0; i < config_key_count; i++)
        if (c->given[i] && has_name(error->keys, config_keys[i].name) &&
            (last == config_key_count || c->given[i] > c->given[last]))
            last = i;
    if (last < config_key_count)
        error_place("%s", c->place[last]);
    return status;
}

weft_status config_override(struct config *c, const char *assignment)
{
    char name[128], place[256];
    const char *equals = strchr(assignment, '=');
    snprintf(place, sizeof(place), "-s %.80s", assignment);
    if (!equals || equals == assignment || (size_t)(equals - assignment) >= sizeof(name))
        return BAD_PLACE(("%s", place), ("is no assignment"), ("use -s KEY=VALUE"));
    snprintf(name, sizeof(name), "%.*s", (int)(equals - assignment), assignment);
    return config_set(c, name, equals + 1, place);
}

void config_init(struct config *c)
{
    memset(c, 0, sizeof(*c));
    for (size_t i = 0; i < config_key_count; i++)
        if (config_keys[i].default_value) {
            weft_status status = parse_value(c, &config_keys[i], config_keys[i].default_value);
            WEFT_CHECK(status == WEFT_OK, "default of %s: %s", config_keys[i].name,
                       weft_last_error());
        }
}

void config_fini(struct config *c)
{
    for (size_t i = 0; i < config_key_count; i++) {
        free(c->place[i]);
        free(c->source[i]);
    }
}

/* ---- files ---- */

const char *config_data_folder(void)
{
    static char folder[4096];
    const char *given = getenv("WEFT_DATA");
    if (given)
        return given;
    ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 32);
    if (length <= 0)
        return ".";
    folder[length] = '\0';
    /* PREFIX/bin/weft has PREFIX/share/weft; build/weft has the source tree above it. */
    char *slash = strrchr(folder, '/');
    strcpy(slash, "/../share/weft/machines");
    if (access(folder, F_OK) == 0)
        strcpy(slash, "/../share/weft");
    else
        strcpy(slash, "/..");
    return folder;
}

void config_find(const char *folder, const char *name, char *path, size_t size)
{
    size_t length = strlen(name);
    bool is_path = strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".yaml") == 0);
    if (is_path)
        snprintf(path, size, "%s", name);
    else
        snprintf(path, size, "%s/%s/%s.yaml", config_data_folder(), folder, name);
}

static void keep_source(struct config *c, const char *name, const char *text)
{
    const struct key *key = find_key(c, name);
    if (key)
        keep_text(&c->source[key - config_keys], text);
}

/* Whether `path` ends in ".word"; if so, cuts it off. */
static bool cut_suffix(char *path, const char *word)
{
    char *dot = strrchr(path, '.');
    if (!dot || strcmp(dot + 1, word) != 0)
        return false;
    *dot = '\0';
    return true;
}

static bool is_note(const char *path)
{
    static const char *const notes[] = {"name", "title", "description", "fabric"};
    for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
        if (strcmp(path, notes[i]) == 0)
            return true;
    return false;
}

/* An entry of a machine file: key, or key.value with key.unit and key.source beside it. */
static weft_status apply_machine_entry(struct config *c, const struct yaml *y,
                                       const struct yaml_entry *e, bool *seen)
{
    char path[320], place[512];
    if (is_note(e->path))
        return WEFT_OK;
    snprintf(path, sizeof(path), "machine.%s", e->path);
    snprintf(place, sizeof(place), "%s:%u:%u", y->file, e->line, e->column);
    if (cut_suffix(path, "source") || cut_suffix(path, "unit")) {
        const struct key *key = find_key(c, path);
        if (!key)
            return BAD_PLACE(("%s", place), ("unknown key '%.80s'", path),
                             ("did you mean '%s'?", nearest_key(c, path)));
        bool is_source = strcmp(strrchr(e->path, '.') + 1, "source") == 0;
        if (is_source)
            keep_source(c, path, e->value);
        else if (strcmp(key->unit, e->value) != 0)
            return BAD_PLACE(("%s", place), ("%s is in '%s'", path, e->value),
                             ("give it in '%s'", key->unit));
        return WEFT_OK;
    }
    char *item = strrchr(path, '.');
    bool further = isdigit((unsigned char)item[1]) && strcmp(item, ".0") != 0;
    if (isdigit((unsigned char)item[1])) /* of a list, whose items are joined by commas */
        *item = '\0';
    cut_suffix(path, "value");
    const struct key *key = find_key(c, path);
    if (key && further) {
        char text[CONFIG_TEXT], joined[2 * CONFIG_TEXT];
        snprintf(joined, sizeof(joined), "%s,%.*s", config_text(c, key, text), CONFIG_TEXT - 1,
                 e->value);
        return set_value(c, path, joined, place);
    }
    if (key && seen[key - config_keys])
        return BAD_PLACE(("%s", place), ("'%s' is given twice", path), ("remove one"));
    if (key)
        seen[key - config_keys] = true;
    return set_value(c, path, e->value, place);
}

/* The first thing to be known of a machine. */
static weft_status find_fabric(struct config *c, const struct yaml *y)
{
    const char *name = yaml_get(y, "fabric");
    for (unsigned i = 0; name && i < FABRICS; i++)
        if (strcmp(name, fabric_kinds[i].name) == 0) {
            c->fabric = (enum fabric)i;
            return WEFT_OK;
        }
    return BAD_PLACE(("%s:1:1", y->file),
                     ("its fabric is %s%.60s", name ? "" : "not given", name ? name : ""),
                     ("use 'fabric: torus' or 'fabric: crosspoint'"));
}

weft_status config_machine(struct config *c, const char *name)
{
    char path[4200];
    struct yaml y;
    bool seen[CONFIG_KEYS_MAX] = {false};
    config_find("machines", name, path, sizeof(path));
    if (access(path, F_OK) != 0 && !strchr(name, '/'))
        return BAD_INPUT(NULL, ("machine '%s' is not known", name),
                         ("`weft machines` lists those there are"));
    weft_status status = yaml_load(path, &y);
    if (status != WEFT_OK)
        return status;
    if (snprintf(c->machine, sizeof(c->machine), "%s", name) >= (int)sizeof(c->machine))
        status = BAD_INPUT(NULL, ("machine '%s' has too long a name", name), ("shorten it"));
    if (status == WEFT_OK)
        status = find_fabric(c, &y);
    for (size_t i = 0; i < y.entries && status == WEFT_OK; i++)
        status = apply_machine_entry(c, &y, &y.entry[i], seen);
    const struct key *missing = NULL;
    size_t others = 0;
    for (size_t i = 0; i < config_key_count && status == WEFT_OK; i++)
        if (!config_keys[i].default_value && !c->given[i] && config_has(c, &config_keys[i])) {
            others += missing != NULL;
            missing = missing ? missing : &config_keys[i];
        }
    if (missing)
        status = BAD_PLACE(
            ("%s:1:1", path),
            ("'%s' is missing, and %zu others", missing->name + strlen("machine."), others),
            ("add them with their sources, or start from a copy of a machine that has all"));
    yaml_fini(&y);
    return status;
}

/* Top-level parts of a study (study.h) that are no keys of the configuration. */
static bool is_study_part(const char *path)
{
    static const char *const whole[] = {"title", "source", "description", "machine",
                                        "machine.name"};
    static const char *const parts[] = {"runs.", "curves.", "over.", "claims.",
                                        "plot.", "small.",  "full."};
    for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
        if (strcmp(path, whole[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strncmp(path, parts[i], strlen(parts[i])) == 0)
            return true;
    return false;
}

/* Whether a path has `key` and a dot behind its first `skip` letters. */
static bool is_item_of(const char *path, size_t skip, const char *key, size_t length)
{
    return strlen(path) > skip + length && strncmp(path + skip, key, length) == 0 &&
           path[skip + length] == '.';
}

weft_status config_entry(struct config *c, const struct yaml *y, size_t *index, size_t skip)
{
    const struct yaml_entry *e = &y->entry[*index];
    char place[512], key[256], value[CONFIG_TEXT + 256] = "";
    snprintf(place, sizeof(place), "%s:%u:%u", y->file, e->line, e->column);
    const char *path = e->path + skip, *dot = strrchr(path, '.');
    if (!dot || dot[1] < '0' || dot[1] > '9')
        return config_set(c, path, e->value, place);
    /* Values of a list come one by one: "workload.packet_bytes.1" goes on after ".0". */
    size_t length = (size_t)(dot - path), i = *index;
    snprintf(key, sizeof(key), "%.*s", (int)length, path);
    for (; i < y->entries && is_item_of(y->entry[i].path, skip, key, length); i++) {
        size_t at = strlen(value), room = sizeof(value) - at;
        if (snprintf(value + at, room, at ? ",%s" : "%s", y->entry[i].value) >= (int)room)
            return BAD_PLACE(("%s", place), ("this list is too long"),
                             ("use fewer than %d letters", CONFIG_TEXT));
    }
    *index = i - 1;
    return config_set(c, key, value, place);
}

static weft_status apply_study_entry(struct config *c, const struct yaml *y, size_t *index,
                                     size_t skip)
{
    const struct yaml_entry *e = &y->entry[*index];
    char place[512];
    if (is_study_part(e->path + skip))
        return WEFT_OK;
    if (strcmp(e->path + skip, "workload") != 0)
        return config_entry(c, y, index, skip);
    snprintf(place, sizeof(place), "%s:%u:%u", y->file, e->line, e->column);
    return config_set(c, "workload.pattern", e->value, place);
}

weft_status config_study(struct config *c, const struct yaml *y, const char *machine)
{
    /* A result file holds its configuration under `config`. */
    size_t skip = yaml_get(y, "digest") ? strlen("config.") : 0;
    if (!machine)
        machine = yaml_get(y, skip ? "config.machine.name" : "machine");
    if (!machine)
        machine = yaml_get(y, "machine.name");
    if (!machine)
        return BAD_PLACE(("%s:1:1", y->file), ("the study names no machine"),
                         ("add 'machine: bluegene-l'"));
    weft_status status = config_machine(c, machine);
    for (size_t i = 0; i < y->entries && status == WEFT_OK; i++)
        if (!skip || strncmp(y->entry[i].path, "config.", skip) == 0)
            status = apply_study_entry(c, y, &i, skip);
    return status;
}

/* With as many digits as it takes to read the same number back. */
static void real_text(double value, char *text)
{
    snprintf(text, CONFIG_TEXT, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, CONFIG_TEXT, "%.17g", value);
}

const char *config_text(const struct config *c, const struct key *key, char *text)
{
    const void *at = field(c, key);
    text[0] = '\0';
    switch (key->type) {
    case KEY_DIMS:
        if (((const struct torus *)at)->dims)
            return torus_text(at, text);
        return strcpy(text, "auto");
    case KEY_WRAP:
        for (unsigned d = 0; d < c->torus.dims; d++)
            sprintf(text + strlen(text), d ? ",%s" : "%s", c->torus.wrap[d] ? "true" : "false");
        break;
    case KEY_SIZES:
        for (uint32_t i = 0; i < c->workload.sizes; i++)
            sprintf(text + strlen(text), i ? ",%u" : "%u",
                    c->workload.chunks[i] * TORUS_CHUNK_BYTES);
        break;
    case KEY_BYTES:
        for (uint32_t i = 0; i < ((const struct byte_list *)at)->count; i++)
            sprintf(text + strlen(text), i ? ",%u" : "%u",
                    ((const struct byte_list *)at)->value[i]);
        break;
    case KEY_U32:
        sprintf(text, "%u", *(const uint32_t *)at);
        break;
    case KEY_I32:
        sprintf(text, "%d", *(const int32_t *)at);
        break;
    case KEY_U64:
        sprintf(text, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case KEY_REAL:
        real_text(*(const double *)at, text);
        break;
    case KEY_BOOL:
        return strcpy(text, *(const bool *)at ? "true" : "false");
    case KEY_CHOICE:
        return strcpy(text, key->choices[*(const uint32_t *)at]);
    case KEY_TEXT:
        return strcpy(text, at);
    }
    return text;
}

uint32_t config_nodes(const struct config *c)
{
    return config_fabric(c)->nodes(c);
}

uint32_t config_living_nodes(const struct config *c)
{
    return config_nodes(c) - config_fabric(c)->dead_nodes(c);
}

const char *config_size_text(const struct config *c, char text[CONFIG_TEXT])
{
    return config_fabric(c)->size_text(c, text);
}

double config_cycles_per_second(const struct config *c)
{
    return config_fabric(c)->cycles_per_second(c);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = random_mix(hash ^ (unsigned char)*text);
    return random_mix(hash ^ 0x100);
}

uint64_t config_hash(const struct config *c)
{
    char text[CONFIG_TEXT];
    uint64_t hash = hash_text(0, c->machine);
    for (size_t i = 0; i < config_key_count; i++)
        if (config_has(c, &config_keys[i]) && strcmp(config_keys[i].name, "run.bricks") != 0 &&
            strcmp(config_keys[i].name, "run.partitions") != 0)
            hash = hash_text(hash, config_text(c, &config_keys[i], text));
    return random_mix(hash ^ config_graph_hash(c));
}

uint64_t config_program(void)
{
    static uint64_t hash; /* made once */
    unsigned char bytes[4096];
    if (hash)
        return hash;
    hash = 0xcbf29ce484222325u;
    FILE *f = fopen("/proc/self/exe", "rb");
    for (size_t got; f && (got = fread(bytes, 1, sizeof(bytes), f)) > 0;)
        for (size_t i = 0; i < got; i++)
            hash = (hash ^ bytes[i]) * 0x100000001b3u;
    if (f)
        fclose(f);
    return hash;
}
