/* "4x4x4@0/0/1 alltoall bytes_per_pair=4096; nodes:0-63 uniform load=0.3" */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "workload/parts/parts.h"

/* Copies what comes before the next semicolon that is not quoted; returns the offset behind it. */
static size_t cut_part(const char *text, size_t at, char *to)
{
    char quote = 0;
    for (; text[at] && (quote || text[at] != ';'); at++) {
        if (text[at] == '\\' && quote != '\'' && text[at + 1])
            *to++ = text[at++];
        else if (quote ? text[at] == quote : text[at] == '\'' || text[at] == '"')
            quote = quote ? 0 : text[at];
        *to++ = text[at];
    }
    *to = '\0';
    return text[at] ? at + 1 : at;
}

/* Keys that a part can have for itself: those of its pattern, unless they are the whole run's. */
static bool is_own(const struct pattern *p, enum layer as, const char *name)
{
    static const char common[] = "warmup_cycles cycles most_cycles precision drain_cycles";
    bool packets = as != LAYER_MESSAGES && p->packet_keys && text_has_word(p->packet_keys, name);
    bool messages = as != LAYER_PACKETS && p->message_keys && text_has_word(p->message_keys, name);
    return (packets || messages) && !text_has_word(common, name);
}

/* Every part has the keys of machines with coordinates: a box has them. */
static const struct key_table *const tables[] = {&workload_keys, &coordinate_keys, NULL};
static const struct schema part_schema = {.fabric = "part", .table = tables};
static const struct schema *const part_schemas[] = {&part_schema, NULL};

/* What the run says is every part's, too. */
static void copy_values(const struct config *from, struct config *to)
{
    config_init(to, part_schemas);
    config_choose(to, part_schema.fabric, NULL);
    for (uint32_t i = 0; i < to->sections; i++) {
        const void *values = config_section(from, to->section[i].section);
        if (values)
            memcpy(to->section[i].values, values, to->section[i].section->size);
    }
}

static weft_status set_key(struct part_text *part, const char *name, const char *value)
{
    char full[80];
    snprintf(full, sizeof(full), "workload.%s", name);
    const struct config *c = &part->config;
    const struct config_entry *e = &c->entry[config_find(c, full)];
    return key_parse(e->key, value, config_section(c, e->section));
}

static const struct pattern *pattern_of(const struct part_text *part)
{
    return config_workload(&part->config)->pattern;
}

static weft_status refuse_word(const struct pattern *p, enum layer as, const char *word)
{
    bool packets = as == LAYER_PACKETS || !p->message_keys;
    char names[512] = "planes, axes";
    const char *own = packets ? p->packet_keys : p->message_keys;
    for (size_t at = 0; own[at]; at += strspn(own + at, TEXT_BLANKS)) {
        char name[64];
        at = text_word(own, at, name);
        if (is_own(p, as, name))
            text_append(names, sizeof(names), strlen(names), ", %s", name);
    }
    return BAD_INPUT(
        NULL,
        ("'%.60s' is not a setting of %s as %s", word, p->name, packets ? "packets" : "messages"),
        ("use NAME=VALUE, with a NAME of %s", names));
}

/* "load=0.3" */
static weft_status apply_setting(struct part_text *part, char *word)
{
    const struct pattern *p = pattern_of(part);
    char *value = strchr(word, '=');
    int64_t axes;
    if (!value)
        return refuse_word(p, LAYER_AUTO, word);
    *value++ = '\0';
    if (strcmp(word, "planes") == 0) {
        snprintf(part->planes, sizeof(part->planes), "%s", value);
        return WEFT_OK;
    }
    if (strcmp(word, "axes") == 0) {
        if (!number_integer(value, &axes) || axes < 1 || axes > VIEW_MOST_AXES)
            return BAD_INPUT(NULL, ("axes = '%.40s' is not 1, 2 or 3", value), NO_REMEDY);
        part->axes = (uint32_t)axes;
        return WEFT_OK;
    }
    if (!is_own(p, LAYER_AUTO, word))
        return refuse_word(p, LAYER_AUTO, word);
    text_append(part->set, strlen(part->text) + 1, strlen(part->set), "%s ", word);
    return set_key(part, word, value);
}

weft_status part_check_layer(const struct part_text *part, enum layer as)
{
    char name[64];
    for (size_t at = 0; part->set[at]; at += strspn(part->set + at, TEXT_BLANKS)) {
        at = text_word(part->set, at, name);
        if (!is_own(pattern_of(part), as, name))
            return refuse_word(pattern_of(part), as, name);
    }
    return WEFT_OK;
}

static weft_status set_pattern(struct part_text *part, const char *word)
{
    TRY(set_key(part, "pattern", word));
    const struct pattern *p = pattern_of(part);
    if (pattern_is_silent(p) || p->kind == PATTERN_PARTS || (p->needs & (SITE_DEPOSIT | SITE_IO)))
        return BAD_INPUT(NULL, ("%s does not run in a part of a machine", p->name),
                         ("use another pattern"));
    return WEFT_OK;
}

/* The words of one part: its place, its pattern, settings. */
static weft_status read_words(struct part_text *part)
{
    const char *text = part->text;
    char *word = memory_alloc(strlen(text) + 1, 1);
    weft_status status = WEFT_OK;
    unsigned words = 0;
    for (size_t at = strspn(text, TEXT_BLANKS); text[at] && status == WEFT_OK;
         at += strspn(text + at, TEXT_BLANKS)) {
        at = text_word(text, at, word);
        if (words == 0 && strlen(word) < sizeof(part->place))
            snprintf(part->place, sizeof(part->place), "%s", word);
        else if (words == 0)
            status = BAD_INPUT(
                NULL, ("its place has more than %d characters", PART_PLACE - 1),
                ("use ranges of nodes, as nodes:0-63, or name them in a file, as file:PATH"));
        else if (words == 1)
            status = set_pattern(part, word);
        else
            status = apply_setting(part, word);
        words++;
    }
    free(word);
    if (status == WEFT_OK && words < 2)
        return BAD_INPUT(NULL, ("it has no pattern"),
                         ("write PLACE PATTERN, as 4x4x4@0/0/1 alltoall"));
    return status;
}

static void free_list(void *value)
{
    struct part_list *l = value;
    for (uint32_t i = 0; i < l->count; i++) {
        config_fini(&l->part[i].config);
        free(l->part[i].text);
        free(l->part[i].set);
    }
    free(l->part);
    free(l);
}

static weft_status read_part(const struct config *c, struct part_list *l, const char *text)
{
    struct part_text *part = LIST_ADD(l->part, l->count, l->room);
    *part = (struct part_text){.text = memory_copy(text), .planes = "auto"};
    part->set = memory_alloc(strlen(text) + 1, 1);
    copy_values(c, &part->config);
    weft_status status = read_words(part);
    if (status != WEFT_OK) {
        error_prefix("part %u: ", l->count);
        error_keys("workload.parts");
    }
    return status;
}

static weft_status read_parts(const struct config *c, const char *parts, struct part_list *l)
{
    char *text = memory_alloc(strlen(parts) + 1, 1);
    weft_status status = WEFT_OK;
    for (size_t at = 0; parts[at] && status == WEFT_OK;) {
        at = cut_part(parts, at, text);
        if (text[strspn(text, TEXT_BLANKS)])
            status = read_part(c, l, text);
    }
    free(text);
    return status;
}

weft_status parts_list(const struct config *c, const struct part_list **list)
{
    const struct parts_params *own = config_section(c, &parts_section);
    struct part_list *l = config_kept(c);
    if (!l) {
        l = memory_alloc(1, sizeof(*l));
        weft_status status = read_parts(c, own->parts, l);
        if (status != WEFT_OK) {
            free_list(l);
            return status;
        }
        config_keep(c, l, free_list);
    }
    *list = l;
    return WEFT_OK;
}

/* ---- writing ---- */

/* A word as text_word() reads it: quoted, if it must be. */
static weft_status append_word(char text[CONFIG_TEXT], const char *before, const char *word)
{
    bool quoted = !*word || word[strcspn(word, TEXT_BLANKS "'\"\\;")];
    size_t at = text_append(text, CONFIG_TEXT, strlen(text), "%s%s", before, quoted ? "'" : "");
    for (; *word && at < CONFIG_TEXT; word++)
        if (*word == '\'')
            at = text_append(text, CONFIG_TEXT, at, "'\\''");
        else
            at = text_append(text, CONFIG_TEXT, at, "%c", *word);
    if (quoted && at < CONFIG_TEXT)
        at = text_append(text, CONFIG_TEXT, at, "'");
    if (at < CONFIG_TEXT)
        return WEFT_OK;
    return BAD_INPUT("workload.parts", ("these workloads take over %d characters", CONFIG_TEXT - 1),
                     ("use ranges of nodes, files of nodes, or fewer settings"));
}

weft_status parts_append(char text[CONFIG_TEXT], const char *on, const char *pattern)
{
    bool numbers = *on && !on[strspn(on, "0123456789-,:")];
    char before[16];
    snprintf(before, sizeof(before), "%s%s", text[0] ? "; " : "", numbers ? "nodes:" : "");
    TRY(append_word(text, before, on));
    return append_word(text, " ", pattern);
}

weft_status parts_append_setting(char text[CONFIG_TEXT], const char *name, const char *value)
{
    char before[160];
    snprintf(before, sizeof(before), " %.150s=", name);
    return append_word(text, before, value);
}
