/*
 * What the page takes for granted: sizes of packed arrays, and that
 * numbers of nodes, directions and jobs are of what exists. All else in a result is only shown.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/page/page.h"
#include "report/result/columns.h"
#include "report/result/values.h"
#include "report/sections.h"

/* Largest sizes that are believed. */
enum { NODES_MOST = 1 << 24, LINKS_MOST = 1 << 28, NAMES_MOST = 255, ROWS_MOST = 1 << 24 };
#define BYTES_MOST ((uint64_t)1 << 30)

/* A section of a result: where it is, for complaints. */
struct section {
    const char *path, *name;
    const json_t *json;
};

static weft_status wrong(const struct section *s, const char *field, const char *what)
{
    return BAD_PLACE(("%s", s->path), ("%s.%s %s", s->name, field, what),
                     ("write the result again by `weft run`"));
}

/* A whole number from `least` on. `absent`: what a missing one stands for; -1: none may be missing.
 */
static weft_status read_number(const struct section *s, const char *field, int64_t least,
                               int64_t most, int64_t absent, int64_t *number)
{
    const json_t *j = json_object_get(s->json, field);
    *number = !j ? absent : json_is_integer(j) ? json_integer_value(j) : -1;
    bool right = (!j && absent >= 0) || (*number >= least && *number <= most);
    return right ? WEFT_OK : wrong(s, field, "is not a whole number in range");
}

/* ---- packed arrays ---- */

struct array {
    const char *field;
    uint64_t count;   /* numbers */
    unsigned bytes;   /* of each */
    bool needed;      /* it may not be missing */
    uint32_t ceiling; /* they are below it; 0: any. Only of 1, 2 and 4 bytes */
};

static bool below(const unsigned char *bytes, const struct array *a)
{
    for (uint64_t i = 0; a->ceiling && i < a->count; i++) {
        uint32_t value = 0;
        memcpy(&value, bytes + i * a->bytes, a->bytes);
        if (value >= a->ceiling)
            return false;
    }
    return true;
}

static weft_status check_array(const struct section *s, const struct array *a)
{
    const json_t *j = json_object_get(s->json, a->field);
    if (!j && !a->needed)
        return WEFT_OK;
    if (!json_is_string(j))
        return wrong(s, a->field, j ? "is not a packed array" : "is missing");
    if (a->count * a->bytes > BYTES_MOST)
        return wrong(s, a->field, "would be over 1 GiB");
    unsigned char *bytes =
        packed_read(json_string_value(j), json_string_length(j), a->count * a->bytes);
    if (!bytes)
        return wrong(s, a->field, "is damaged, or has another length than the section says");
    bool fits = below(bytes, a);
    free(bytes);
    return fits ? WEFT_OK : wrong(s, a->field, "names something that does not exist");
}

/* ---- links and nodes ---- */

/* How many names a list has; -1: it is no list of names. */
static int64_t names_of(const struct section *s, const char *field)
{
    const json_t *list = json_object_get(s->json, field), *name;
    size_t i;
    if (!json_is_array(list) || json_array_size(list) > NAMES_MOST)
        return -1;
    json_array_foreach(list, i, name) if (!json_is_string(name)) return -1;
    return (int64_t)json_array_size(list);
}

/* Whether a result describes a column as it is read. */
static bool is_described(const json_t *told, const struct column *c)
{
    static const char *const fields[] = {"type", "one", "per", "index_of"};
    json_t *expected = column_json(c);
    bool same = json_is_object(told);
    for (size_t i = 0; same && i < sizeof(fields) / sizeof(fields[0]); i++) {
        const json_t *a = json_object_get(told, fields[i]);
        const json_t *b = json_object_get(expected, fields[i]);
        same = a && b ? json_equal(a, b) : a == b;
    }
    json_decref(expected);
    return same;
}

/* What numbers of a column are below; 0: anything. -1: what it is an index of is no list. */
static int64_t ceiling_of(const struct section *s, const struct column *c, uint32_t vertices)
{
    switch (c->type) {
    case COLUMN_VERTEX:
        return vertices;
    case COLUMN_WORD:
        return names_of(s, c->list);
    default:
        return c->type == COLUMN_TRUTH ? 2 : 0;
    }
}

static weft_status check_column(const struct section *s, const struct column *c,
                                const struct column_sizes *sizes, uint32_t vertices)
{
    const json_t *columns = json_object_get(s->json, "columns");
    int64_t ceiling = ceiling_of(s, c, vertices);
    if (!json_object_get(s->json, c->name))
        return c->needed ? wrong(s, c->name, "is missing") : WEFT_OK;
    if (!is_described(json_object_get(columns, c->name), c))
        return wrong(s, c->name, "is not described by the section's columns as Weft writes it");
    if (ceiling < 0)
        return wrong(s, c->list, "is not a list of names");
    const struct array array = {c->name, column_count(c, sizes), column_bytes(c), c->needed,
                                (uint32_t)ceiling};
    return check_array(s, &array);
}

static weft_status check_columns(const struct section *s, const struct column_table *t,
                                 const struct column_sizes *sizes, uint32_t vertices)
{
    json_t *told = json_object_get(s->json, "columns"), *column;
    const char *name;
    if (!json_is_object(told))
        return wrong(s, "columns", "is missing, as in results of older versions");
    json_object_foreach(told, name, column)
    {
        bool known = false;
        for (const struct column *c = t->column; c < t->column + t->columns; c++)
            known |= c->name && strcmp(c->name, name) == 0;
        if (!known)
            return wrong(s, name, "is a column that this version does not know");
    }
    for (const struct column *c = t->column; c < t->column + t->columns; c++)
        if (c->name)
            TRY(check_column(s, c, sizes, vertices));
    return WEFT_OK;
}

/* The nodes that have coordinates; 0: none, -1: the sizes are no sizes. */
static int64_t dims_of(const struct section *s)
{
    enum { DIMS_MOST = 8 };
    const json_t *dims = json_object_get(s->json, "dims"), *wrap = json_object_get(s->json, "wrap");
    int64_t nodes = 1;
    if (!dims)
        return 0;
    size_t count = json_array_size(dims);
    if (!count || count > DIMS_MOST || json_array_size(wrap) != count)
        return -1;
    for (size_t i = 0; i < count; i++) {
        json_int_t size = json_integer_value(json_array_get(dims, i));
        if (size < 1 || size > NODES_MOST || !json_is_boolean(json_array_get(wrap, i)))
            return -1;
        nodes *= size;
        if (nodes > NODES_MOST)
            return -1;
    }
    return nodes;
}

static weft_status check_links(const char *path, const json_t *json)
{
    const struct section s = {path, "each_link", json};
    int64_t count, nodes, rows, switches, directions = names_of(&s, "directions"),
                                          vcs = names_of(&s, "vcs"), grid = dims_of(&s);
    TRY(read_number(&s, "count", 0, LINKS_MOST, -1, &count));
    TRY(read_number(&s, "vertices", 1, NODES_MOST, -1, &nodes));
    TRY(read_number(&s, "rows", 0, ROWS_MOST, 0, &rows));
    TRY(read_number(&s, "switches", 0, nodes, 0, &switches));
    if (directions < (count > 0) || vcs < 0)
        return wrong(&s, vcs < 0 ? "vcs" : "directions", "is not a list of names");
    if (grid < 0 || (grid && grid != nodes && grid != switches && grid != nodes - switches))
        return wrong(&s, "dims", "are not the sizes of this machine");
    const struct column_sizes sizes = {(uint64_t)count, (uint64_t)vcs, (uint64_t)rows,
                                       switches ? (uint64_t)(nodes - switches) : 0};
    return check_columns(&s, &link_columns, &sizes, (uint32_t)nodes);
}

/* ---- who was where ---- */

static weft_status check_runs(const char *path, const json_t *json)
{
    const struct section s = {path, "jobs.runs", json};
    int64_t count;
    const json_t *cells = json_object_get(json, "cells"),
                 *first = json_object_get(json, "first_cell"); /* 0, 0, 0 in older results */
    uint32_t most = 0;
    uint64_t all = 1;
    TRY(read_number(&s, "count", 0, LINKS_MOST, -1, &count));
    for (size_t i = 0; i < 3; i++) {
        json_int_t size = json_integer_value(json_array_get(cells, i)),
                   from = json_integer_value(json_array_get(first, i));
        if (first && (json_array_size(first) != 3 || from < 0 || from > UINT16_MAX))
            return wrong(&s, "first_cell", "has no three coordinates");
        all *= size > 0 && size <= UINT16_MAX ? (uint64_t)size : 0;
        most = from + size > most ? (uint32_t)(from + size) : most;
    }
    if (json_array_size(cells) != 3 || !all || all > NODES_MOST)
        return wrong(&s, "cells", "are not three sizes");
    const uint32_t ceiling[CEILINGS] = {[CEILING_CELL] = most,
                                        [CEILING_SIZE] = most + 1,
                                        [CEILING_CELLS] = (uint32_t)all + 1,
                                        [CEILING_FLAG] = 2};
    for (unsigned i = 0; i < RUN_COLUMNS; i++) {
        const struct run_column *c = &run_columns[i];
        TRY(check_array(&s, &(struct array){c->name, (uint64_t)count * c->numbers, c->bytes, true,
                                            ceiling[c->below]}));
    }
    return WEFT_OK;
}

static weft_status check_workload_parts(const char *path, const json_t *result, const json_t *parts)
{
    const struct section s = {path, "parts", parts};
    const json_t *packed = json_object_get(result, "part_of_node"), *part;
    const char *key;
    if (!json_is_object(parts))
        return wrong(&s, "part_1", "is missing");
    json_object_foreach((json_t *)parts, key,
                        part) if (!json_is_object(part)) return wrong(&s, key, "is not an object");
    if (!packed)
        return WEFT_OK;
    const struct section whole = {path, "part_of_node", packed};
    int64_t nodes;
    TRY(read_number(&whole, "count", 1, NODES_MOST, -1, &nodes));
    const struct array part_of = {"part", (uint64_t)nodes, 2, true,
                                  (uint32_t)json_object_size(parts) + 1};
    return check_array(&whole, &part_of);
}

/* ---- the whole ---- */

static weft_status check_sections(const char *path, const json_t *r)
{
    const json_t *links = json_object_get(r, "each_link");
    const struct section nodes = {path, "each_node", json_object_get(r, "each_node")};
    const json_t *runs = json_object_get(json_object_get(r, "jobs"), "runs");
    const json_t *parts = json_object_get(r, "parts");
    int64_t count;
    if (links)
        TRY(check_links(path, links));
    if (nodes.json) {
        TRY(read_number(&nodes, "count", 1, NODES_MOST, -1, &count));
        const struct column_sizes sizes = {.items = (uint64_t)count};
        TRY(check_columns(&nodes, &node_columns, &sizes, 0));
    }
    if (runs)
        TRY(check_runs(path, runs));
    return parts ? check_workload_parts(path, r, parts) : WEFT_OK;
}

weft_status page_check(const char *path, const json_t *r, bool sections)
{
    static const char *const objects[] = {"each_link", "each_node", "jobs", "response_cycles",
                                          "engine"};
    const char *flaw = NULL;
    if (!json_is_object(r))
        flaw = "it is not an object";
    else if (!json_is_string(json_object_get(r, "version")) ||
             !json_is_string(json_object_get(r, "digest")))
        flaw = "it has no version or digest";
    else if (!json_is_object(json_object_get(r, "config")))
        flaw = "it has no config";
    else if (!json_is_number(json_object_get(r, "cycles")))
        flaw = "it has no cycles";
    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
        const json_t *section = json_object_get(r, objects[i]);
        if (!flaw && section && !json_is_object(section))
            flaw = "a section is not an object";
    }
    if (flaw)
        return BAD_PLACE(("%s", path), ("is not a result of Weft: %s", flaw),
                         ("name a file that `weft run -o` wrote"));
    return sections ? check_sections(path, r) : WEFT_OK;
}
