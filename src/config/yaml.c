/* Flattening YAML with libyaml's event parser. */
#include "config/yaml.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/file/input.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/text/text.h"

enum { MAX_DEPTH = 16, MAX_PATH = 256, MAX_ENTRIES = 4000000 };

/* The collections around the current place. */
struct level {
    bool sequence;
    bool want_value;  /* mapping: the key has been read */
    unsigned index;   /* sequence */
    size_t path_size; /* of the collection itself */
};

struct reader {
    struct yaml *yaml;
    yaml_parser_t parser;
    struct level level[MAX_DEPTH];
    int depth;
    unsigned documents;
    char path[MAX_PATH];
};

const char *yaml_where(const struct yaml *yaml, const struct yaml_entry *entry,
                       char place[YAML_PLACE])
{
    snprintf(place, YAML_PLACE, "%s:%u:%u", yaml->file, entry->line, entry->column);
    return place;
}

weft_status yaml_place(const struct yaml *yaml, const struct yaml_entry *entry)
{
    error_place("%s:%u:%u", yaml->file, entry->line, entry->column);
    return error_status();
}

#define FAIL_AT(READER, MARK, WHAT, REMEDY)                                                        \
    BAD_PLACE(("%s:%zu:%zu", (READER)->yaml->file, (MARK).line + 1, (MARK).column + 1), WHAT,      \
              REMEDY)

/* Extends the path by a key or an index. */
static weft_status extend_path(struct reader *r, const char *name, yaml_mark_t mark)
{
    size_t base = r->level[r->depth - 1].path_size;
    int added = snprintf(r->path + base, MAX_PATH - base, base ? ".%s" : "%s", name);
    if (added < 0 || base + (size_t)added >= MAX_PATH)
        return FAIL_AT(r, mark, ("the key is too long"), ("shorten it"));
    return WEFT_OK;
}

/* Before a value: sequences add the item's index to the path. */
static weft_status begin_value(struct reader *r, yaml_mark_t mark)
{
    struct level *l = &r->level[r->depth - 1];
    if (!l->sequence)
        return WEFT_OK;
    char index[16];
    snprintf(index, sizeof(index), "%u", l->index++);
    return extend_path(r, index, mark);
}

/* The key of a path: its hash or, if another path has that, the next that is free. */
static uint64_t key_of(const struct yaml *y, const char *path)
{
    uint64_t key = text_hash(TEXT_HASH, path, strlen(path));
    const uint32_t *index;
    while ((index = map_find(&y->paths, key)) && strcmp(y->entry[*index].path, path) != 0)
        key++;
    return key;
}

/* ---- events ---- */

static weft_status add_entry(struct reader *r, const char *value, yaml_mark_t mark)
{
    struct yaml *y = r->yaml;
    if (y->entries == MAX_ENTRIES)
        return FAIL_AT(r, mark, ("the file has too many values"), ("use fewer than 4 million"));
    uint64_t key = key_of(y, r->path);
    if (map_find(&y->paths, key))
        return FAIL_AT(r, mark, ("'%s' is given twice", r->path), ("remove one"));
    map_add(&y->paths, key, (uint32_t)y->entries);
    *LIST_ADD(y->entry, y->entries, y->capacity) =
        (struct yaml_entry){memory_copy(r->path), memory_copy(value), (unsigned)mark.line + 1,
                            (unsigned)mark.column + 1};
    return WEFT_OK;
}

/* Whether a text does more to a terminal than to be read. Lines of an explanation may end. */
static bool has_control(const char *text)
{
    for (; *text; text++)
        if (text_is_control(text) && *text != '\n' && *text != '\t')
            return true;
    return false;
}

static weft_status read_scalar(struct reader *r, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    if (strlen(text) != event->data.scalar.length)
        return FAIL_AT(r, event->start_mark, ("the text has a zero byte"), ("remove it"));
    if (r->depth == 0)
        return FAIL_AT(r, event->start_mark, ("the file is not a list of keys"),
                       ("write 'key: value'"));
    if (has_control(text))
        return FAIL_AT(r, event->start_mark, ("the text has a control character"), ("remove it"));
    struct level *l = &r->level[r->depth - 1];
    if (!l->sequence && !l->want_value) {
        l->want_value = true;
        return extend_path(r, text, event->start_mark);
    }
    l->want_value = false;
    TRY(begin_value(r, event->start_mark));
    return add_entry(r, text, event->start_mark);
}

static weft_status read_start(struct reader *r, const yaml_event_t *event, bool sequence)
{
    if (r->depth == MAX_DEPTH)
        return FAIL_AT(r, event->start_mark, ("the file is nested too deeply"),
                       ("use fewer levels"));
    if (r->depth == 0 && sequence)
        return FAIL_AT(r, event->start_mark, ("the file is a list"), ("write 'key: value'"));
    if (r->depth) {
        struct level *l = &r->level[r->depth - 1];
        if (!l->sequence && !l->want_value)
            return FAIL_AT(r, event->start_mark, ("a key must be a word"), ("write 'key: value'"));
        l->want_value = false;
        TRY(begin_value(r, event->start_mark));
    }
    size_t path_size = r->depth ? strlen(r->path) : 0;
    r->level[r->depth++] = (struct level){.sequence = sequence, .path_size = path_size};
    return WEFT_OK;
}

static weft_status read_event(struct reader *r, const yaml_event_t *event, bool *end)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return read_scalar(r, event);
    case YAML_MAPPING_START_EVENT:
        return read_start(r, event, false);
    case YAML_SEQUENCE_START_EVENT:
        return read_start(r, event, true);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        r->depth--;
        r->path[r->level[r->depth].path_size] = '\0';
        return WEFT_OK;
    case YAML_DOCUMENT_START_EVENT:
        if (r->documents++ > 0)
            return FAIL_AT(r, event->start_mark, ("a second document starts here"),
                           ("use a file for each"));
        return WEFT_OK;
    case YAML_ALIAS_EVENT:
        return FAIL_AT(r, event->start_mark, ("aliases are not supported"),
                       ("write the value out"));
    case YAML_STREAM_END_EVENT:
        *end = true;
        return WEFT_OK;
    default:
        return WEFT_OK;
    }
}

/* ---- the parser's errors ---- */

/* Line and column of a byte, as the parser counts them: in characters, from 1. */
static void find_place(const unsigned char *text, size_t offset, size_t *line, size_t *column)
{
    size_t at = offset >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* skips a BOM */
    *line = *column = 1;
    for (; at < offset; at++) {
        bool ends = text[at] == '\n' || (text[at] == '\r' && text[at + 1] != '\n');
        if (ends) {
            ++*line;
            *column = 1;
        } else if ((text[at] & 0xc0) != 0x80 && text[at] != '\r') {
            ++*column;
        }
    }
}

/* What the parser says; of bytes that are not text, where they are: in UTF-16, the offset alone. */
static weft_status complain(const struct reader *r, const unsigned char *text, size_t size)
{
    const yaml_parser_t *p = &r->parser;
    if (p->error != YAML_READER_ERROR || !size)
        return FAIL_AT(r, p->problem_mark, ("%s", p->problem ? p->problem : "not readable"),
                       ("fix the YAML"));
    size_t offset = p->problem_offset < size ? p->problem_offset : size - 1, line, column;
    if (p->encoding != YAML_UTF8_ENCODING)
        return BAD_PLACE(("%s", r->yaml->file), ("%s at byte %zu", p->problem, offset),
                         ("save the file as UTF-8"));
    if (strstr(p->problem, "trailing")) /* Latin-1: the culprit is the byte that promised more */
        while (offset && (text[--offset] & 0xc0) == 0x80)
            ;
    find_place(text, offset, &line, &column);
    if (p->problem_value >= 0 && !strstr(p->problem, "UTF-8")) /* it can be read */
        return BAD_PLACE(("%s:%zu:%zu", r->yaml->file, line, column),
                         ("character U+%04X is not allowed", (unsigned)p->problem_value),
                         ("remove it"));
    return BAD_PLACE(("%s:%zu:%zu", r->yaml->file, line, column),
                     ("byte 0x%02x is not UTF-8", text[offset]), ("save the file as UTF-8"));
}

weft_status yaml_parse(const char *file, const unsigned char *text, size_t size, struct yaml *yaml)
{
    struct reader r = {.yaml = yaml};
    weft_status status = WEFT_OK;
    bool end = false;
    *yaml = (struct yaml){.file = memory_copy(file)};
    if (!yaml_parser_initialize(&r.parser))
        return BAD_PLACE(("%s", file), ("the parser cannot start"), ("free some memory"));
    yaml_parser_set_input_string(&r.parser, text, size);
    while (!end && status == WEFT_OK) {
        yaml_event_t event;
        if (!yaml_parser_parse(&r.parser, &event)) {
            status = complain(&r, text, size);
            break;
        }
        status = read_event(&r, &event, &end);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&r.parser);
    if (status != WEFT_OK)
        yaml_fini(yaml);
    return status;
}

weft_status yaml_load(const char *file, struct yaml *yaml)
{
    char *text;
    size_t size;
    TRY(input_no_folder(file, "file"));
    const char *wrong = input_whole(file, &text, &size);
    if (wrong)
        return BAD_PLACE(("%s", file), ("%s", wrong), ("name a file that can be read"));
    weft_status status = yaml_parse(file, (const unsigned char *)text, size, yaml);
    free(text);
    return status;
}

void yaml_fini(struct yaml *yaml)
{
    for (size_t i = 0; i < yaml->entries; i++) {
        free(yaml->entry[i].path);
        free(yaml->entry[i].value);
    }
    free(yaml->entry);
    map_fini(&yaml->paths);
    free(yaml->file);
    *yaml = (struct yaml){0};
}

const struct yaml_entry *yaml_find(const struct yaml *yaml, const char *path)
{
    const uint32_t *index = map_find(&yaml->paths, key_of(yaml, path));
    return index ? &yaml->entry[*index] : NULL;
}

const char *yaml_get(const struct yaml *yaml, const char *path)
{
    const struct yaml_entry *entry = yaml_find(yaml, path);
    return entry ? entry->value : NULL;
}
