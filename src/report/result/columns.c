/* Columns packed, described, and written as text. */
#include <math.h>
#include <string.h>

#include "base/file/output.h"
#include "report/result/columns.h"
#include "report/result/values.h"

static const struct {
    const char *name;
    unsigned bytes, one; /* one: the number that stands for 1; 0: it is no share */
} types[] = {
    [COLUMN_COUNT] = {"u32", 4, 0},     [COLUMN_VERTEX] = {"u32", 4, 0},
    [COLUMN_WORD] = {"u8", 1, 0},       [COLUMN_TRUTH] = {"bool", 1, 0},
    [COLUMN_SHARE] = {"u16", 2, 65535}, [COLUMN_COARSE_SHARE] = {"u8", 1, 255},
    [COLUMN_REAL] = {"f32", 4, 0},
};

unsigned column_bytes(const struct column *c)
{
    return types[c->type].bytes;
}

/* ---- what a column is per ---- */

uint64_t column_count(const struct column *c, const struct column_sizes *s)
{
    uint64_t count = 1;
    for (const char *word = c->per; word; word = strchr(word, ' ')) {
        word += *word == ' ';
        count *= *word == 'v'   ? s->vcs
                 : *word == 'r' ? s->rows
                 : *word == 'h' ? s->hosts
                                : s->items;
    }
    return count;
}

/* ---- in the result ---- */

static void put_text(json_t *o, const char *name, const char *text)
{
    if (text && text[0])
        json_object_set_new(o, name, json_string(text));
}

json_t *column_json(const struct column *c)
{
    json_t *o = json_object();
    put_text(o, "type", types[c->type].name);
    if (types[c->type].one)
        json_object_set_new(o, "one", json_integer(types[c->type].one));
    put_text(o, "per", c->per);
    put_text(o, "index_of", c->type == COLUMN_VERTEX ? "vertices" : c->list);
    put_text(o, "unit", c->unit);
    if (c->heading && strcmp(c->heading, c->name) != 0)
        put_text(o, "heading", c->heading);
    return o;
}

struct packing {
    const struct column *column;
    const struct column_source *source;
};

static uint64_t packed_value(const void *ctx, size_t index)
{
    const struct packing *p = ctx;
    double value = p->column->value(p->source, p->column, index);
    float narrow = (float)value;
    uint32_t bits;
    switch (p->column->type) {
    case COLUMN_SHARE:
        return (uint64_t)(65535 * fmin(fmax(value, 0), 1) + 0.5);
    case COLUMN_COARSE_SHARE:
        return (uint64_t)(255 * value + 0.5);
    case COLUMN_REAL:
        memcpy(&bits, &narrow, sizeof(bits));
        return bits;
    default:
        return (uint64_t)value;
    }
}

void columns_put(json_t *section, const struct column_table *t, const struct column_source *source,
                 const struct column_sizes *sizes)
{
    json_t *columns = json_object();
    json_object_set_new(section, "columns", columns);
    for (const struct column *c = t->column; c < t->column + t->columns; c++) {
        if (!c->name || (c->present && !c->present(source->result, c)))
            continue;
        const struct packing p = {c, source};
        json_object_set_new(columns, c->name, column_json(c));
        json_object_set_new(
            section, c->name,
            packed_numbers(column_count(c, sizes), column_bytes(c), packed_value, &p));
    }
}

/* ---- as text ---- */

static const char *word_of(const struct run_result *r, const char *list, size_t index)
{
    if (strcmp(list, "directions") == 0)
        return r->links->map.direction[index];
    if (strcmp(list, "vcs") == 0)
        return r->vcs ? r->vc[index].name : "";
    return link_state_names[index];
}

static void write_value(struct writer *w, const struct column *c, const struct run_result *r,
                        double value)
{
    char vertex[VERTEX_TEXT];
    switch (isnan(value) ? UINT32_MAX : c->type) {
    case COLUMN_COUNT:
        writer_put(w, "%.0f", value);
        break;
    case COLUMN_VERTEX:
        writer_put(w, "%s", vertex_text(&r->links->map, (uint32_t)value, vertex));
        break;
    case COLUMN_WORD:
        writer_put(w, "%s", word_of(r, c->list, (size_t)value));
        break;
    case COLUMN_TRUTH:
        writer_put(w, "%s", value > 0 ? "true" : "false");
        break;
    case COLUMN_SHARE:
    case COLUMN_REAL:
        writer_put(w, "%.6g", value);
        break;
    default:
        break;
    }
}

static void write_row(struct writer *w, const struct column_table *t,
                      const struct column_source *source, size_t row, size_t several)
{
    const char *joint = "";
    for (const struct column *c = t->column; c < t->column + t->columns; c++) {
        if (!c->heading)
            continue;
        writer_put(w, "%s", joint);
        write_value(w, c, source->result,
                    c->value(source, c, strchr(c->per, ' ') ? row : row / several));
        joint = ",";
    }
    writer_put(w, "\n");
}

weft_status columns_write_csv(const char *path, const struct column_table *t,
                              const struct column_source *source, size_t rows, size_t several)
{
    struct writer *w;
    const char *joint = "";
    TRY(writer_open(&w, path));
    for (const struct column *c = t->column; c < t->column + t->columns; c++)
        if (c->heading) {
            writer_put(w, "%s%s", joint, c->heading);
            joint = ",";
        }
    writer_put(w, "\n");
    for (size_t row = 0; row < rows; row++)
        write_row(w, t, source, row, several);
    return writer_close(w);
}
