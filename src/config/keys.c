/* Units, values and tables of keys. */
#include "config/keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/suggest.h"
#include "base/text/number.h"
#include "base/text/text.h"

/* ---- units ---- */

enum kind { KIND_BYTES, KIND_RATE, KIND_FREQUENCY, KIND_TIME, KINDS };

static const struct {
    const char *name;
    enum kind kind;
    double size; /* in bytes, bytes per second, Hz or seconds */
} units[] = {
    {"B", KIND_BYTES, 1},         {"KB", KIND_BYTES, 1e3},      {"kB", KIND_BYTES, 1e3},
    {"MB", KIND_BYTES, 1e6},      {"GB", KIND_BYTES, 1e9},      {"KiB", KIND_BYTES, 0x1p10},
    {"MiB", KIND_BYTES, 0x1p20},  {"GiB", KIND_BYTES, 0x1p30},  {"B/s", KIND_RATE, 1},
    {"KB/s", KIND_RATE, 1e3},     {"kB/s", KIND_RATE, 1e3},     {"MB/s", KIND_RATE, 1e6},
    {"GB/s", KIND_RATE, 1e9},     {"KiB/s", KIND_RATE, 0x1p10}, {"MiB/s", KIND_RATE, 0x1p20},
    {"GiB/s", KIND_RATE, 0x1p30}, {"Mb/s", KIND_RATE, 1e6 / 8}, {"Gb/s", KIND_RATE, 1e9 / 8},
    {"Hz", KIND_FREQUENCY, 1},    {"kHz", KIND_FREQUENCY, 1e3}, {"MHz", KIND_FREQUENCY, 1e6},
    {"GHz", KIND_FREQUENCY, 1e9}, {"ps", KIND_TIME, 1e-12},     {"ns", KIND_TIME, 1e-9},
    {"us", KIND_TIME, 1e-6},      {"ms", KIND_TIME, 1e-3},      {"s", KIND_TIME, 1},
    {"min", KIND_TIME, 60},       {"h", KIND_TIME, 3600},       {"d", KIND_TIME, 86400},
};
enum { UNITS = sizeof(units) / sizeof(units[0]) };

static unsigned find_unit(const char *name)
{
    unsigned i = 0;
    while (i < UNITS && strcmp(units[i].name, name) != 0)
        i++;
    return i;
}

/* The unit behind a number; UNITS: there is none. */
static unsigned split(const char *text, char number[UNIT_NUMBER])
{
    size_t length = strlen(text);
    if (length >= UNIT_NUMBER)
        return UNITS;
    memcpy(number, text, length + 1);
    while (length && !number_is_written(number))
        number[--length] = '\0';
    if (!length)
        return UNITS;
    return find_unit(text + length + strspn(text + length, " "));
}

bool unit_split(const char *text, const char *unit, char number[UNIT_NUMBER], double *factor)
{
    unsigned to = find_unit(unit), from = to < UNITS ? split(text, number) : UNITS;
    if (from == UNITS || units[from].kind != units[to].kind)
        return false;
    double size = units[from].size, of = units[to].size;
    *factor = size < of ? 1 / (of / size) : size / of; /* without the error of 1e-9 and its like */
    return true;
}

bool unit_seconds(const char *text, double *seconds)
{
    char number[UNIT_NUMBER];
    double value, factor;
    if (!unit_split(text, "s", number, &factor) || !number_real(number, &value))
        return false;
    *seconds = value * factor;
    return true;
}

/* The units of the same kind, for messages; NULL: there are none. */
static const char *unit_list(const char *unit)
{
    static const char *const lists[KINDS] = {
        [KIND_BYTES] = "B, KB, MB, GB, KiB, MiB or GiB",
        [KIND_RATE] = "KB/s, MB/s, GB/s, MiB/s, Mb/s or Gb/s",
        [KIND_FREQUENCY] = "kHz, MHz or GHz",
        [KIND_TIME] = "ps, ns, us, ms, s, min, h or d",
    };
    unsigned i = find_unit(unit);
    return i < UNITS ? lists[units[i].kind] : NULL;
}

/* ---- values ---- */

/* Both readers take units, too. */
static bool read_real(const struct key *key, const char *text, double *value)
{
    char number[UNIT_NUMBER];
    double factor;
    if (number_real(text, value))
        return true;
    if (!unit_split(text, key->unit, number, &factor) || !number_real(number, value))
        return false;
    *value *= factor;
    return true;
}

static bool read_integer(const struct key *key, const char *text, int64_t *value)
{
    char number[UNIT_NUMBER];
    double factor, real;
    if (number_integer(text, value))
        return true;
    if (!unit_split(text, key->unit, number, &factor) || !number_real(number, &real))
        return false;
    real *= factor;
    *value = fabs(real) < 0x1p62 ? (int64_t)llround(real) : INT64_MAX;
    return fabs(real - (double)*value) <= 1e-12 * fabs(real);
}

/* Says why a text is not a valid number for a key: not a number, or out of range. */
static weft_status refuse_number(const struct key *key, const char *text, bool whole)
{
    double v;
    bool written = read_real(key, text, &v), broken = written && whole && v != floor(v);
    const char *others = unit_list(key->unit);
    if ((written || number_is_written(text)) && !broken)
        return BAD_INPUT(
            NULL, ("%s = %.60s is out of range", key->name, text),
            ("use %.15g to %.15g%s%s", key->min, key->max, *key->unit ? " " : "", key->unit));
    return BAD_INPUT(NULL,
                     ("%s = '%.60s' is not a %snumber%s%s", key->name, text, whole ? "whole " : "",
                      *key->unit ? " of " : "", key->unit),
                     ("use one from %.15g to %.15g%s%s", key->min, key->max,
                      others ? ", or another unit: " : "", others ? others : ""));
}

static weft_status parse_real(const struct key *key, const char *text, double *value)
{
    double v;
    if (!read_real(key, text, &v) || v < key->min || v > key->max)
        return refuse_number(key, text, false);
    *value = v;
    return WEFT_OK;
}

static weft_status parse_integer(const struct key *key, const char *text, int64_t *value)
{
    int64_t v;
    /* As whole numbers: doubles have no 9e18 + 1. */
    if (!read_integer(key, text, &v) || v < (int64_t)key->min || v > (int64_t)key->max)
        return refuse_number(key, text, true);
    *value = v;
    return WEFT_OK;
}

static const struct key_choice *choice_row(const struct key *key, size_t choice)
{
    return (const void *)((const char *)key->rows + choice * key->row_size);
}

const char *key_choice(const struct key *key, size_t choice)
{
    if (key->rows)
        return choice_row(key, choice)->name;
    return key->choices ? key->choices[choice] : NULL;
}

const char *key_help(const struct key *key, char text[CONFIG_TEXT])
{
    size_t at = text_append(text, CONFIG_TEXT, 0, "%s", key->help);
    for (size_t i = 0; key->rows && key_choice(key, i); i++) {
        const struct key_choice *c = choice_row(key, i);
        at = text_append(text, CONFIG_TEXT, at, "%s%s%s%s", at ? "; " : "", c->name,
                         *c->help ? ": " : "", c->help);
    }
    return text;
}

static weft_status parse_choice(const struct key *key, const char *text, uint32_t *value)
{
    char list[512] = "";
    struct suggestion suggestion = suggestion_for(text);
    const char *word;
    for (uint32_t i = 0; (word = key_choice(key, i)) != NULL; i++) {
        if (strcmp(word, text) == 0) {
            *value = i;
            return WEFT_OK;
        }
        snprintf(list + strlen(list), sizeof(list) - strlen(list), i ? ", %s" : "%s", word);
        suggestion_offer(&suggestion, word);
    }
    return suggestion_remedy(
        &suggestion,
        BAD_INPUT(NULL, ("%s = '%.60s' is not known", key->name, text), ("use one of %s", list)));
}

static weft_status parse_bool(const struct key *key, const char *text, bool *value)
{
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return BAD_INPUT(NULL, ("%s = '%.60s' is neither true nor false", key->name, text),
                         ("use one of them"));
    *value = text[0] == 't';
    return WEFT_OK;
}

const char *key_list_item(const char *text, char item[32])
{
    size_t length = strcspn(text, ",");
    bool fits = length < 32; /* what does not is no item of any list */
    snprintf(item, 32, fits ? "%.*s" : "%.*s...", (int)(fits ? length : 28), text);
    return text[length] == ',' ? text + length + 1 : NULL;
}

static weft_status parse_bytes(const struct key *key, const char *text, struct byte_list *list)
{
    struct byte_list parsed = {.count = 0};
    const char *whole = text;
    if (strcmp(text, "auto") == 0)
        text = NULL;
    while (text) {
        char item[32];
        int64_t bytes;
        text = key_list_item(text, item);
        if (!read_integer(key, item, &bytes) || (double)bytes < key->min ||
            (double)bytes > key->max || parsed.count == KEY_LIST_MOST)
            return BAD_INPUT(NULL, ("%s = '%.60s' is not a size in bytes", key->name, whole),
                             ("use %.15g to %.15g bytes, or up to %d such sizes joined by commas",
                              key->min, key->max, KEY_LIST_MOST));
        parsed.value[parsed.count++] = (uint32_t)bytes;
    }
    *list = parsed;
    return WEFT_OK;
}

static weft_status parse_text(const struct key *key, const char *text, char *field)
{
    if (strlen(text) >= CONFIG_TEXT)
        return BAD_INPUT(NULL, ("%s is too long", key->name),
                         ("use fewer than %d letters", CONFIG_TEXT));
    strcpy(field, text);
    return WEFT_OK;
}

weft_status key_parse(const struct key *key, const char *text, void *section)
{
    void *field = (char *)section + key->offset;
    int64_t integer = 0;
    switch (key->type) {
    case KEY_OTHER:
        return key->format->parse(key, text, field);
    case KEY_BYTES:
        return parse_bytes(key, text, field);
    case KEY_CHOICE:
        return parse_choice(key, text, field);
    case KEY_BOOL:
        return parse_bool(key, text, field);
    case KEY_REAL:
        return parse_real(key, text, field);
    case KEY_TEXT:
        return parse_text(key, text, field);
    default:
        break;
    }
    if (key->type == KEY_AUTO_U64 && strcmp(text, "auto") == 0) {
        *(uint64_t *)field = KEY_AUTO_LONG;
        return WEFT_OK;
    }
    if (key->type == KEY_AUTO_U32 && strcmp(text, "auto") == 0)
        integer = KEY_AUTO;
    else
        TRY(parse_integer(key, text, &integer));
    if (key->type == KEY_U32 || key->type == KEY_AUTO_U32)
        *(uint32_t *)field = (uint32_t)integer;
    else if (key->type == KEY_I32)
        *(int32_t *)field = (int32_t)integer;
    else
        *(uint64_t *)field = (uint64_t)integer;
    return WEFT_OK;
}

/* Prints as many digits as it takes to read the same number back. */
static void real_text(double value, char *text)
{
    snprintf(text, CONFIG_TEXT, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, CONFIG_TEXT, "%.17g", value);
}

const char *key_text(const struct key *key, const void *section, char text[CONFIG_TEXT])
{
    const void *at = (const char *)section + key->offset;
    const struct byte_list *list = at;
    text[0] = '\0';
    switch (key->type) {
    case KEY_OTHER:
        key->format->print(key, at, text);
        break;
    case KEY_BYTES:
        if (!list->count)
            return strcpy(text, "auto");
        for (uint32_t i = 0; i < list->count; i++)
            sprintf(text + strlen(text), i ? ",%u" : "%u", list->value[i]);
        break;
    case KEY_MORE: /* no key */
        break;
    case KEY_AUTO_U32:
        if (*(const uint32_t *)at == KEY_AUTO)
            return strcpy(text, "auto");
        /* fall through */
    case KEY_U32:
        sprintf(text, "%u", *(const uint32_t *)at);
        break;
    case KEY_I32:
        sprintf(text, "%d", *(const int32_t *)at);
        break;
    case KEY_AUTO_U64:
        if (*(const uint64_t *)at == KEY_AUTO_LONG)
            return strcpy(text, "auto");
        /* fall through */
    case KEY_U64:
        sprintf(text, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case KEY_REAL:
        real_text(*(const double *)at, text);
        break;
    case KEY_BOOL:
        return strcpy(text, *(const bool *)at ? "true" : "false");
    case KEY_CHOICE:
        return strcpy(text, key_choice(key, *(const uint32_t *)at));
    case KEY_TEXT:
        return strcpy(text, at);
    }
    return text;
}

/* ---- tables ---- */

static size_t find_listed(const struct listed_key *list, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(list[i].key->name, name) != 0)
        i++;
    return i;
}

static void list_row(struct listed_key *list, size_t *count, const struct key *key,
                     const struct key_section *section)
{
    size_t at = key->before ? find_listed(list, *count, key->before) : *count;
    WEFT_CHECK(!key->before || at < *count, "%s is to be listed before %s, which is not there",
               key->name, key->before);
    memmove(&list[at + 1], &list[at], (*count - at) * sizeof(*list));
    list[at] = (struct listed_key){key, section};
    ++*count;
}

static struct listed_key *list_rows(struct listed_key *list, size_t *count,
                                    const struct key_table *t)
{
    list = memory_grow(list, *count + t->keys, sizeof(*list));
    for (size_t i = 0; i < t->keys; i++) {
        const struct key *key = &t->key[i];
        const struct key_table *further;
        if (key->type != KEY_MORE)
            list_row(list, count, key, t->section);
        for (size_t k = 0; key->type == KEY_MORE && key->more(key, k, &further); k++)
            if (further && find_listed(list, *count, further->key[0].name) == *count)
                list = list_rows(list, count, further);
    }
    return list;
}

struct listed_key *key_table_list(const struct key_table *table, size_t *count)
{
    *count = 0;
    return list_rows(NULL, count, table);
}

/* ---- keys that had another name: whoever uses the old one is told the new one ---- */

static const struct {
    const char *old, *new;
} renamed[] = {
    {"machine.router.arbitration", "machine.router.arbiter"},
    {"machine.router.buffer_bytes", "machine.router.vc_bytes"},
    {"machine.switch.buffer_words", "machine.switch.vc_words"},
    {"machine.router.buffer_packets", "machine.router.crosspoint_packets"},
    {"machine.router.vc_rule", "machine.routing.vc_rule"},
    {"machine.router.vc_start", "machine.routing.vc_start"},
    {"machine.routing.when_short", "machine.routing.too_few_vcs"},
    {"machine.adapter.packet_bytes", "machine.adapter.payload_bytes"},
    {"machine.dma.packet_bytes", "machine.dma.payload_bytes"},
    {"machine.tni.packet_bytes", "machine.tni.payload_bytes"},
    {"machine.tree.packet_bytes", "machine.tree.payload_bytes"},
    {"machine.packet_bytes", "machine.payload_bytes"},
    {"machine.node.allreduce_bytes", "machine.collective.allreduce_bytes"},
    {"machine.node.broadcast_bytes", "machine.collective.broadcast_bytes"},
    {"machine.node.gather_bytes", "machine.collective.gather_bytes"},
    {"machine.message.out_cycles", "machine.node.packet_out_cycles"},
    {"machine.message.in_cycles", "machine.node.packet_in_cycles"},
};

const char *key_renamed(const char *name)
{
    for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++)
        if (strcmp(renamed[i].old, name) == 0)
            return renamed[i].new;
    return NULL;
}
