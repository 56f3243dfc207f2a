/* Reading values into a configuration, and saying exactly what is wrong with them. */
#define _GNU_SOURCE
#include "study/config.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"
#include "workload/digraph_workload.h"

static void *field(const struct config *c, const struct key *key)
{
    return (char *)(uintptr_t)c + key->offset;
}

const char *const fabric_names[FABRICS + 1] = {
    [FABRIC_TORUS] = "torus", [FABRIC_CROSSPOINT] = "crosspoint"};

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
        return weft_fail(WEFT_BAD_INPUT, "%s = '%.60s' is no number; use one from %.15g to %.15g",
                         key->name, text, key->min, key->max);
    if (v < key->min || v > key->max)
        return weft_fail(WEFT_BAD_INPUT, "%s = %.60s is out of range; use %.15g to %.15g",
                         key->name, text, key->min, key->max);
    *value = v;
    return WEFT_OK;
}

static weft_status parse_integer(const struct key *key, const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    if (end == text || *end != '\0')
        return weft_fail(WEFT_BAD_INPUT,
                         "%s = '%.60s' is no whole number; use one from %.15g to %.15g", key->name,
                         text, key->min, key->max);
    if (errno == ERANGE || (double)v < key->min || (double)v > key->max)
        return weft_fail(WEFT_BAD_INPUT, "%s = %.60s is out of range; use %.15g to %.15g",
                         key->name, text, key->min, key->max);
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
    return weft_fail(WEFT_BAD_INPUT, "%s = '%.60s' is not known; use one of %s", key->name, text,
                     list);
}

static weft_status parse_bool(const struct key *key, const char *text, bool *value)
{
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return weft_fail(WEFT_BAD_INPUT, "%s = '%.60s' is neither true nor false; use one of them",
                         key->name, text);
    *value = text[0] == 't';
    return WEFT_OK;
}

/* The next of a comma-separated list into `item`; NULL at its end. */
static const char *list_item(const char *text, char item[32])
{
    size_t length = strcspn(text, ",");
    snprintf(item, 32, "%.*s", (int)(length < 31 ? length : 31), text);
    return text[length] == ',' ? text + length + 1 : NULL;
}

static weft_status parse_sizes(struct config *c, const struct key *key, const char *text)
{
    struct workload_params *w = &c->workload;
    uint8_t chunks[PACKET_MAX_CHUNKS];
    uint32_t count = 0;
    const char *whole = text;
    while (text) {
        char item[32], *end;
        text = list_item(text, item);
        long bytes = strtol(item, &end, 10);
        if (count == PACKET_MAX_CHUNKS)
            return weft_fail(WEFT_BAD_INPUT, "%s = '%.60s' has over %d sizes; use fewer", key->name,
                             whole, PACKET_MAX_CHUNKS);
        if (end == item || *end || bytes < CHUNK_BYTES || bytes % CHUNK_BYTES ||
            bytes > PACKET_MAX_CHUNKS * CHUNK_BYTES)
            return weft_fail(
                WEFT_BAD_INPUT,
                "%s = '%.60s' is no packet size; use a multiple of 32 from 32 to 256, or "
                "several joined by commas",
                key->name, whole);
        chunks[count++] = (uint8_t)(bytes / CHUNK_BYTES);
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
        text = list_item(text, item);
        unsigned long bytes = strtoul(item, &end, 10);
        if (!isdigit((unsigned char)item[0]) || *end || bytes > MOST_BYTES || parsed.count == MOST)
            return weft_fail(WEFT_BAD_INPUT,
                             "%s = '%.60s' does not work; use 0 to %d bytes, or up to %d such "
                             "joined by commas",
                             key->name, whole, MOST_BYTES, MOST);
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
            return weft_fail(WEFT_BAD_INPUT, "%s has more values than dimensions; use one for each",
                             key->name);
        char item[32];
        text = list_item(text, item);
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
            char why[512];
            snprintf(why, sizeof(why), "%s", weft_last_error());
            return weft_fail(status, "%s = %s", key->name, why);
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
            return weft_fail(WEFT_BAD_INPUT, "%s is too long; use fewer than %d letters", key->name,
                             CONFIG_TEXT);
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

weft_status config_set(struct config *c, const char *name, const char *value, const char *place)
{
    const struct key *key = find_key(c, name);
    char why[768];
    if (!key && is_key_of_others(name))
        return weft_fail(WEFT_BAD_INPUT,
                         "%s: '%s' is no key of a machine with a %s fabric; `weft keys` lists "
                         "those of each",
                         place, name, fabric_names[c->fabric]);
    if (!key)
        return weft_fail(WEFT_BAD_INPUT, "%s: unknown key '%.80s'; did you mean '%s'?", place, name,
                         nearest_key(c, name));
    weft_status status = parse_value(c, key, value);
    if (status != WEFT_OK) {
        snprintf(why, sizeof(why), "%s", weft_last_error());
        return weft_fail(status, "%s: %s", place, why);
    }
    c->is_set[key - config_keys] = true;
    return WEFT_OK;
}

weft_status config_override(struct config *c, const char *assignment)
{
    char name[128], place[256];
    const char *equals = strchr(assignment, '=');
    snprintf(place, sizeof(place), "-s %.80s", assignment);
    if (!equals || equals == assignment || (size_t)(equals - assignment) >= sizeof(name))
        return weft_fail(WEFT_BAD_INPUT, "%s: is no assignment; use -s KEY=VALUE", place);
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
    for (size_t i = 0; i < config_key_count; i++)
        free(c->source[i]);
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
    if (!key)
        return;
    free(c->source[key - config_keys]);
    c->source[key - config_keys] = strdup(text);
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
            return weft_fail(WEFT_BAD_INPUT, "%s: unknown key '%.80s'; did you mean '%s'?", place,
                             path, nearest_key(c, path));
        bool is_source = strcmp(strrchr(e->path, '.') + 1, "source") == 0;
        if (is_source)
            keep_source(c, path, e->value);
        else if (strcmp(key->unit, e->value) != 0)
            return weft_fail(WEFT_BAD_INPUT, "%s: %s is in '%s'; give it in '%s'", place, path,
                             e->value, key->unit);
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
        return config_set(c, path, joined, place);
    }
    if (key && seen[key - config_keys])
        return weft_fail(WEFT_BAD_INPUT, "%s: '%s' is given twice; remove one", place, path);
    if (key)
        seen[key - config_keys] = true;
    return config_set(c, path, e->value, place);
}

/* The first thing to be known of a machine. */
static weft_status find_fabric(struct config *c, const struct yaml *y)
{
    const char *name = yaml_get(y, "fabric");
    for (unsigned i = 0; name && i < FABRICS; i++)
        if (strcmp(name, fabric_names[i]) == 0) {
            c->fabric = (enum fabric)i;
            return WEFT_OK;
        }
    return weft_fail(WEFT_BAD_INPUT,
                     "%s:1:1: its fabric is %s%.60s; use 'fabric: torus' or "
                     "'fabric: crosspoint'",
                     y->file, name ? "" : "not given", name ? name : "");
}

weft_status config_machine(struct config *c, const char *name)
{
    char path[4200];
    struct yaml y;
    bool seen[CONFIG_KEYS_MAX] = {false};
    config_find("machines", name, path, sizeof(path));
    if (access(path, F_OK) != 0 && !strchr(name, '/'))
        return weft_fail(WEFT_BAD_INPUT,
                         "machine '%s' is not known; `weft machines` lists those there are", name);
    weft_status status = yaml_load(path, &y);
    if (status != WEFT_OK)
        return status;
    if (snprintf(c->machine, sizeof(c->machine), "%s", name) >= (int)sizeof(c->machine))
        status = weft_fail(WEFT_BAD_INPUT, "machine '%s' has too long a name; shorten it", name);
    if (status == WEFT_OK)
        status = find_fabric(c, &y);
    for (size_t i = 0; i < y.entries && status == WEFT_OK; i++)
        status = apply_machine_entry(c, &y, &y.entry[i], seen);
    for (size_t i = 0; i < config_key_count && status == WEFT_OK; i++)
        if (!config_keys[i].default_value && !c->is_set[i] && config_has(c, &config_keys[i]))
            status = weft_fail(WEFT_BAD_INPUT, "%s:1:1: '%s' is missing; add it with its source",
                               path, config_keys[i].name + strlen("machine."));
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
            return weft_fail(WEFT_BAD_INPUT, "%s: this list is too long; use fewer than %d letters",
                             place, CONFIG_TEXT);
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
        return weft_fail(WEFT_BAD_INPUT,
                         "%s:1:1: the study names no machine; add 'machine: bluegene-l'", y->file);
    weft_status status = config_machine(c, machine);
    for (size_t i = 0; i < y->entries && status == WEFT_OK; i++)
        if (!skip || strncmp(y->entry[i].path, "config.", skip) == 0)
            status = apply_study_entry(c, y, &i, skip);
    return status;
}

/* Rows of a timeline: more are no use to anybody. */
#define MOST_INTERVALS 1000000

static weft_status find_datelines(struct config *c)
{
    const char *text = c->dateline;
    bool highest = strcmp(text, "highest") == 0, none = strcmp(text, "none") == 0;
    for (unsigned d = 0; d < c->torus.dims; d++) {
        char item[32], *end;
        c->router.dateline[d] = highest ? (int32_t)c->torus.size[d] - 1 : -1;
        if (highest || none)
            continue;
        text = text ? list_item(text, item) : NULL;
        long line = strtol(item, &end, 10);
        if (end == item || *end || line < 0 || line > UINT16_MAX ||
            !text != (d + 1 == c->torus.dims))
            return weft_fail(WEFT_BAD_INPUT,
                             "machine.router.dateline = '%.60s' does not work; use highest, none, "
                             "or a coordinate of each dimension as 7,7,7",
                             c->dateline);
        c->router.dateline[d] = (int32_t)line;
    }
    return WEFT_OK;
}

/* The one link that a text names. */
static bool find_torus_link(const struct config *c, const char *text, uint32_t *node,
                            uint32_t *port)
{
    struct faults one;
    if (faults_parse(&c->torus, "none", text, &one) != WEFT_OK || one.links != 1)
        return false;
    *node = one.link[0].node;
    *port = one.link[0].port;
    return true;
}

/* A link of dead_links' kind, and when: "1/2/3:x+@1000-5000". */
static weft_status find_bad_links(struct config *c, struct error_params *l,
                                  bool (*find)(const struct config *, const char *, uint32_t *,
                                               uint32_t *))
{
    const char *text = strcmp(c->bad_links, "none") == 0 ? "" : c->bad_links;
    for (l->bad_links = 0; *text; l->bad_links++) {
        char link[64], *end = NULL;
        uint32_t node = 0, port = 0;
        size_t length = strcspn(text, "@");
        unsigned long long from = 0, to = CYCLE_NEVER;
        snprintf(link, sizeof(link), "%.*s", (int)(length < 63 ? length : 63), text);
        bool right =
            text[length] == '@' && l->bad_links < ERRORS_BAD_MAX && find(c, link, &node, &port);
        if (right) {
            from = strtoull(text + length + 1, &end, 10);
            right = isdigit((unsigned char)text[length + 1]) && *end == '-';
        }
        if (right && end[1] && end[1] != ',') {
            char *start = end + 1;
            to = strtoull(start, &end, 10);
            right = isdigit((unsigned char)*start) && to > from;
        } else if (right) {
            end++;
        }
        if (!right || (*end && *end != ','))
            return weft_fail(WEFT_BAD_INPUT,
                             "machine.link.bad_links = '%.60s' does not work; use up to %d as "
                             "%s@1000-5000, joined by commas, or none",
                             c->bad_links, ERRORS_BAD_MAX,
                             c->fabric == FABRIC_TORUS ? "1/2/3:x+" : "5>77");
        l->bad[l->bad_links].node = node;
        l->bad[l->bad_links].port = port;
        l->bad[l->bad_links].from = from;
        l->bad[l->bad_links].to = to;
        text = *end ? end + 1 : end;
    }
    return WEFT_OK;
}

static weft_status find_torus_errors(struct config *c)
{
    weft_status status = find_bad_links(c, &c->router.link.errors, find_torus_link);
    if (status != WEFT_OK)
        return status;
    c->router.link.protocol |= errors_any(&c->router.link.errors);
    if (c->router.link.protocol && (c->router.ack_bytes != 8 || c->router.trailer_bytes != 4))
        return weft_fail(WEFT_BAD_INPUT, "the link protocol has acknowledgments of 8 bytes and "
                                         "trailers of 4; set machine.link.ack_bytes and "
                                         "trailer_bytes so");
    return WEFT_OK;
}

static weft_status find_faults(struct config *c)
{
    weft_status status = faults_parse(&c->torus, c->dead_nodes, c->dead_links, &c->faults);
    if (status != WEFT_OK || !faults_any(&c->faults))
        return status;
    if (c->node.hints == HINTS_HARDWARE)
        return weft_fail(WEFT_BAD_INPUT, "hardware cannot set hint bits around dead nodes and "
                                         "links; use machine.node.hints = software");
    if (c->workload.pattern == PATTERN_PINGPONG || c->workload.pattern == PATTERN_LINEFILL ||
        c->workload.pattern == PATTERN_PLANEFILL)
        return weft_fail(WEFT_BAD_INPUT,
                         "workload.pattern = %s is for a whole machine; remove machine.dead_nodes "
                         "and dead_links",
                         pattern_name(c->workload.pattern));
    return WEFT_OK;
}

static weft_status finish_torus(struct config *c)
{
    struct torus_derived derived;
    if (c->torus.dims > ROUTER_DIMS)
        return weft_fail(
            WEFT_BAD_INPUT,
            "machine.dims has %u dimensions; this router has links for 3; use at most %d",
            c->torus.dims, ROUTER_DIMS);
    for (unsigned d = 0; d < c->torus.dims; d++)
        if (c->torus.size[d] > UINT16_MAX)
            return weft_fail(WEFT_BAD_INPUT,
                             "machine.dims = %u along a dimension is too much; use at most 65535",
                             c->torus.size[d]);
    if (c->node.injection_watermark_bytes && !c->router.injection_fifo_bytes)
        return weft_fail(WEFT_BAD_INPUT, "machine.node.injection_watermark_bytes needs bounded "
                                         "FIFOs; set machine.node.injection_fifo_bytes too");
    if (c->node.reception_watermark_bytes && !c->router.reception_fifo_bytes)
        return weft_fail(WEFT_BAD_INPUT, "machine.node.reception_watermark_bytes needs bounded "
                                         "FIFOs; set machine.node.reception_fifo_bytes too");
    uint32_t full = PACKET_MAX_CHUNKS * CHUNK_BYTES;
    if ((c->router.injection_fifo_bytes && c->router.injection_fifo_bytes < full) ||
        (c->router.reception_fifo_bytes && c->router.reception_fifo_bytes < full))
        return weft_fail(WEFT_BAD_INPUT,
                         "a bounded FIFO must hold a packet; use at least %u bytes "
                         "for machine.node.*_fifo_bytes, or 0",
                         full);
    if (c->router.injection_fifo_bytes % CHUNK_BYTES ||
        c->router.reception_fifo_bytes % CHUNK_BYTES)
        return weft_fail(WEFT_BAD_INPUT, "machine.node.*_fifo_bytes must be whole chunks; use a "
                                         "multiple of 32");
    if (c->node.injection_watermark_bytes > c->router.injection_fifo_bytes ||
        c->node.reception_watermark_bytes > c->router.reception_fifo_bytes)
        return weft_fail(WEFT_BAD_INPUT,
                         "a watermark above its FIFO's size is never reached; use at "
                         "most machine.node.*_fifo_bytes");
    weft_status status = find_datelines(c);
    if (status == WEFT_OK)
        status = find_faults(c);
    if (status == WEFT_OK)
        status = find_torus_errors(c);
    return status == WEFT_OK ? torus_params_derive(&c->router, &derived) : status;
}

/* ---- graphs ---- */

/* A number from 0 to below `most` at the start of a text; the rest of it. NULL: there is none. */
static const char *node_number(const char *text, uint32_t most, uint32_t *number)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return NULL;
    unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return value < most ? end : NULL;
}

/* "5>77" */
static bool find_link(const struct digraph *g, const char *text, uint32_t *node, uint32_t *port)
{
    uint32_t to;
    const char *end = node_number(text, g->nodes, node);
    if (!end || *end != '>' || !(end = node_number(end + 1, g->nodes, &to)) || *end)
        return false;
    *port = digraph_port(g, *node, to);
    return *port < g->degree;
}

static bool find_graph_link(const struct config *c, const char *text, uint32_t *node,
                            uint32_t *port)
{
    struct digraph g;
    if (digraph_parse(c->graph, &g) != WEFT_OK)
        return false;
    bool found = find_link(&g, text, node, port);
    digraph_fini(&g);
    return found;
}

static weft_status kill_links(const struct config *c, struct digraph *g)
{
    const char *text = strcmp(c->dead_links, "none") == 0 || !*c->dead_links ? NULL : c->dead_links;
    while (text) {
        char item[32];
        uint32_t node, port;
        text = list_item(text, item);
        if (!find_link(g, item, &node, &port))
            return weft_fail(WEFT_BAD_INPUT,
                             "machine.dead_links: '%s' is no link, or named twice; use FROM>TO of "
                             "two nodes that have one",
                             item);
        digraph_kill_link(g, node, port);
    }
    return WEFT_OK;
}

static weft_status kill_nodes(const struct config *c, struct digraph *g)
{
    const char *text = strcmp(c->dead_nodes, "none") == 0 || !*c->dead_nodes ? NULL : c->dead_nodes;
    while (text) {
        char item[32];
        uint32_t node;
        text = list_item(text, item);
        const char *end = node_number(item, g->nodes, &node);
        if (!end || *end)
            return weft_fail(WEFT_BAD_INPUT,
                             "machine.dead_nodes: '%s' is no node; use numbers from 0 to %u", item,
                             g->nodes - 1);
        digraph_kill_node(g, node);
    }
    if (g->dead_nodes == g->nodes)
        return weft_fail(WEFT_BAD_INPUT, "machine.dead_nodes: no node is left; name fewer");
    return WEFT_OK;
}

weft_status config_graph(const struct config *c, struct digraph *g)
{
    char why[512];
    weft_status status = digraph_parse(c->graph, g);
    if (status != WEFT_OK) {
        snprintf(why, sizeof(why), "%s", weft_last_error());
        return weft_fail(status, "machine.graph: %s", why);
    }
    status = kill_links(c, g); /* before nodes, which take theirs with them */
    if (status == WEFT_OK)
        status = kill_nodes(c, g);
    if (status != WEFT_OK)
        digraph_fini(g);
    return status;
}

static weft_status finish_graph(struct config *c)
{
    struct digraph g;
    struct crosspoint_derived derived;
    weft_status status = config_graph(c, &g);
    if (status != WEFT_OK)
        return status;
    c->graph_nodes = g.nodes;
    status = crosspoint_params_derive(&c->crosspoint, &g, &derived);
    digraph_fini(&g);
    if (status == WEFT_OK)
        status = find_bad_links(c, &c->crosspoint.errors, find_graph_link);
    c->crosspoint.protocol |= errors_any(&c->crosspoint.errors);
    uint32_t map = 7 + 2 * derived.ports;
    if (status == WEFT_OK && c->crosspoint.protocol && c->crosspoint.control_bytes < map)
        return weft_fail(WEFT_BAD_INPUT,
                         "machine.link.control_bytes = %u does not hold the map of %u outputs; use "
                         "%u or more",
                         c->crosspoint.control_bytes, derived.ports, map);
    uint32_t words = dma_words(&c->dma, c->dma.packet_bytes), most = 0;
    for (uint32_t i = 0; i < c->workload.payloads.count; i++)
        most = c->workload.payloads.value[i] > most ? c->workload.payloads.value[i] : most;
    if (status == WEFT_OK && words > CROSSPOINT_MAX_WORDS)
        return weft_fail(WEFT_BAD_INPUT,
                         "machine.dma.packet_bytes = %u makes packets of %u words; use fewer, for "
                         "at most %d",
                         c->dma.packet_bytes, words, CROSSPOINT_MAX_WORDS);
    if (status == WEFT_OK && most > c->dma.packet_bytes)
        return weft_fail(
            WEFT_BAD_INPUT,
            "workload.packet_bytes = %u: a packet holds %u (machine.dma.packet_bytes); "
            "use at most as many",
            most, c->dma.packet_bytes);
    return status;
}

static weft_status check_pattern(const struct config *c)
{
    bool torus = c->fabric == FABRIC_TORUS;
    enum pattern pattern = c->workload.pattern;
    if (torus ? pattern_is_for_torus(pattern) : digraph_workload_has(pattern))
        return WEFT_OK;
    char list[512] = "";
    for (unsigned i = 0; i < PATTERN_COUNT; i++)
        if (torus ? pattern_is_for_torus(i) : digraph_workload_has(i))
            snprintf(list + strlen(list), sizeof(list) - strlen(list), *list ? ", %s" : "%s",
                     pattern_name(i));
    return weft_fail(WEFT_BAD_INPUT,
                     "workload.pattern = %s is not for a machine with a %s fabric; use one of %s",
                     pattern_name(pattern), fabric_names[c->fabric], list);
}

static weft_status check_interval(const struct config *c)
{
    uint64_t end = c->workload.warmup_cycles + c->workload.cycles;
    if (c->interval_cycles && pattern_is_open(c->workload.pattern) &&
        end / c->interval_cycles > MOST_INTERVALS)
        return weft_fail(WEFT_BAD_INPUT,
                         "run.interval_cycles = %llu makes too long a timeline; use at least %llu",
                         (unsigned long long)c->interval_cycles,
                         (unsigned long long)(end / MOST_INTERVALS + 1));
    return WEFT_OK;
}

weft_status config_finish(struct config *c)
{
    weft_status status = check_pattern(c);
    if (status == WEFT_OK)
        status = check_interval(c);
    if (status != WEFT_OK)
        return status;
    return c->fabric == FABRIC_TORUS ? finish_torus(c) : finish_graph(c);
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
            sprintf(text + strlen(text), i ? ",%u" : "%u", c->workload.chunks[i] * CHUNK_BYTES);
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
    return c->fabric == FABRIC_TORUS ? c->torus.nodes : c->graph_nodes;
}

const char *config_size_text(const struct config *c, char text[CONFIG_TEXT])
{
    if (c->fabric == FABRIC_TORUS)
        return torus_text(&c->torus, text);
    return strcpy(text, c->graph);
}

double config_cycles_per_second(const struct config *c)
{
    if (c->fabric == FABRIC_TORUS)
        return c->router.link_mb_per_s * 1e6;
    return c->crosspoint.link_mb_per_s * 1e6 / CROSSPOINT_WORD_BYTES;
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
    return hash;
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
