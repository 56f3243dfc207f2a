/* What there is: a machine's parameters, keys, figures. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/suggest.h"
#include "base/text/text.h"
#include "machine/family.h"
#include "machine/figures.h"
#include "report/text/tables.h"

/* ---- a machine ---- */

/* Where the text behind a label is; where the source of a value is, if there is room enough. */
enum { CLOCK_COLUMN = 25, SOURCE_COLUMN = 61, SOURCE_WIDTH = 36, SOURCE_INDENT = 6 };

/* Prints a source beside its value, after `used` columns of the line; on a narrow screen, and if it
 * is not short, below. */
static void print_source(FILE *out, int used, const char *text)
{
    unsigned width = terminal_columns(), column = SOURCE_COLUMN;
    bool fits = used < SOURCE_COLUMN && SOURCE_COLUMN + strlen(text) <= width;
    if (!fits && width < SOURCE_COLUMN + SOURCE_WIDTH)
        column = SOURCE_INDENT;
    if (used >= (int)column) {
        fputc('\n', out);
        used = 0;
    }
    if (*text)
        fprintf(out, "%*s", (int)column - used, "");
    text_wrap(out, text, column, column, width);
}

void summary_machine(FILE *out, const struct config *c)
{
    char text[CONFIG_TEXT];
    fprintf(out, "%s, %s\n\n", config_name(c), machine_size_text(c, text));
    family_of(c)->show(out, c);
    if (machine_clock_moved(c, text)) {
        fprintf(out, "  %-22s ", "clock");
        text_wrap(out, text, CLOCK_COLUMN, CLOCK_COLUMN, terminal_columns());
    }
    bool wide = terminal_columns() >= SOURCE_COLUMN + SOURCE_WIDTH;
    fprintf(out, "\n  %-36s %-14s %s\n", "key", "value", wide ? "unit   source" : "unit");
    for (size_t i = 0; i < c->entries; i++) {
        const struct config_entry *e = &c->entry[i];
        if (e->key->default_value)
            continue;
        int used = fprintf(out, "  %-36s %s", e->key->name, config_text(c, i, text));
        if (e->key->unit[0])
            used += fprintf(out, "%*s %s", used < 53 ? 53 - used : 0, "", e->key->unit);
        print_source(out, used, e->source ? e->source : "");
    }
}

/* ---- keys: a key, its value and unit have a line; its meaning is below, so that it fits a narrow
 * screen ---- */

enum { HELP_INDENT = 4, NAME_WIDTH = 38, VALUE_WIDTH = 16 };

static void print_head(FILE *out, const char *values)
{
    fprintf(out, "%-*s %-*s %s\n", NAME_WIDTH, "key", VALUE_WIDTH, values, "unit");
}

/* mark: "*", or "". */
static void print_key(FILE *out, const struct key *k, const char *value, const char *mark)
{
    char meaning[CONFIG_TEXT], marked[CONFIG_TEXT + 2];
    size_t length = strlen(key_help(k, meaning));
    for (unsigned choice = 0; key_choice(k, choice); choice++)
        length = text_append(meaning, sizeof(meaning), length, "%s%s%s", choice ? ", " : " [",
                             key_choice(k, choice), key_choice(k, choice + 1) ? "" : "]");
    snprintf(marked, sizeof(marked), "%s%s", value, mark);
    if (k->unit[0])
        fprintf(out, "%-*s %-*s %s\n", NAME_WIDTH, k->name, VALUE_WIDTH, marked, k->unit);
    else if (marked[0])
        fprintf(out, "%-*s %s\n", NAME_WIDTH, k->name, marked);
    else
        fprintf(out, "%s\n", k->name);
    fprintf(out, "%*s", HELP_INDENT, "");
    text_wrap(out, meaning, HELP_INDENT, HELP_INDENT, terminal_columns());
}

static bool has_table(const struct family *f, const struct key_table *table)
{
    for (const struct key_table *const *t = f->schema.table; *t; t++)
        if (*t == table)
            return true;
    return false;
}

/* "all", or the fabrics that have a table, each once: a fabric's rows follow each other. */
static void list_fabrics(const struct key_table *table, char *text, size_t size)
{
    const char *last = "";
    bool all = true;
    text[0] = '\0';
    for (const struct family *const *f = families; *f; f++) {
        const struct schema *s = &(*f)->schema;
        bool has = has_table(*f, table), all_nics = true;
        for (const struct family *const *other = families; *other; other++)
            all_nics &= strcmp((*other)->schema.fabric, s->fabric) != 0 || has_table(*other, table);
        all &= has;
        if (!has || strcmp(last, s->fabric) == 0)
            continue;
        last = s->fabric;
        size_t at = strlen(text);
        snprintf(text + at, size - at, "%s%s%s%s", at ? ", " : "", last,
                 all_nics ? "" : " with nic ", all_nics ? "" : s->nic);
    }
    if (all)
        snprintf(text, size, "all");
}

enum { TABLES_MOST = 64 };

/* A table of keys, and the fabrics that have it. */
struct fabric_table {
    const struct key_table *table;
    char fabrics[96];
};

/* Puts a table behind those of the same fabrics, unless it is there. */
static size_t add_table(struct fabric_table list[TABLES_MOST], size_t count,
                        const struct key_table *table)
{
    struct fabric_table own = {.table = table};
    size_t at = count;
    for (size_t i = 0; i < count; i++)
        if (list[i].table == table || count == TABLES_MOST)
            return count;
    list_fabrics(table, own.fabrics, sizeof(own.fabrics));
    while (at > 0 && strcmp(list[at - 1].fabrics, own.fabrics) != 0)
        at--;
    at = at ? at : count;
    memmove(&list[at + 1], &list[at], (count - at) * sizeof(*list));
    list[at] = own;
    return count + 1;
}

/* A key that may be meant by a beginning of keys, or as much of it as there is of that. */
static void offer_beginning(struct suggestion *suggestion, const char *key)
{
    char cut[SUGGESTION_WORD];
    size_t length = 0;
    suggestion_offer_key(suggestion, key);
    for (const char *dot = suggestion->word; dot; dot = strchr(dot + 1, '.')) {
        length += key[length] == '.';
        length += strcspn(key + length, ".");
        if (!*dot)
            break;
    }
    snprintf(cut, sizeof(cut), "%.*s", (int)length, key);
    suggestion_offer_key(suggestion, cut);
}

static weft_status refuse_prefix(const struct suggestion *suggestion, const char *of,
                                 const char *machine)
{
    const char *renamed = key_renamed(suggestion->word);
    if (renamed)
        return BAD_INPUT(NULL, ("unknown key '%s'", suggestion->word), ("use '%s'", renamed));
    return suggestion_remedy(
        suggestion,
        BAD_INPUT(NULL, ("no key%s%s begins with '%.60s'", of, machine, suggestion->word),
                  ("leave it out to list all")));
}

/* Tables of the same fabrics have one heading. */
weft_status summary_keys(FILE *out, const char *prefix)
{
    struct suggestion suggestion = suggestion_for(prefix);
    struct fabric_table table[TABLES_MOST];
    const char *heading = NULL;
    size_t count = 0, keys;
    for (const struct family *const *f = families; *f; f++)
        for (const struct key_table *const *t = (*f)->schema.table; *t; t++)
            count = add_table(table, count, *t);
    for (size_t i = 0; i < count; i++) {
        struct listed_key *list = key_table_list(table[i].table, &keys);
        for (size_t at = 0; at < keys; at++) {
            const struct key *k = list[at].key;
            offer_beginning(&suggestion, k->name);
            if (!text_behind(k->name, prefix))
                continue;
            if (!heading)
                print_head(out, "default");
            if (!heading || strcmp(heading, table[i].fabrics) != 0)
                fprintf(out, "\nfabric: %s\n", table[i].fabrics);
            heading = table[i].fabrics;
            print_key(out, k, k->default_value ? k->default_value : "machine", "");
        }
        free(list);
    }
    return heading ? WEFT_OK : refuse_prefix(&suggestion, "", "");
}

weft_status summary_machine_keys(FILE *out, const struct config *c, const char *prefix)
{
    struct suggestion suggestion = suggestion_for(prefix);
    char text[CONFIG_TEXT];
    bool any = false;
    for (size_t i = 0; i < c->entries; i++) {
        const struct key *k = c->entry[i].key;
        offer_beginning(&suggestion, k->name);
        if (!text_behind(k->name, prefix))
            continue;
        if (!any)
            print_head(out, "value");
        any = true;
        const char *usual = k->default_value, *value = config_text(c, i, text);
        print_key(out, k, value, usual && strcmp(value, usual) == 0 ? "" : "*");
    }
    if (!any)
        return refuse_prefix(&suggestion, " of ", config_name(c));
    fprintf(out, "\n* by %s; the others are defaults of all machines\n", config_name(c));
    return WEFT_OK;
}

/* ---- figures ---- */

/* Units of a group, each once. */
static void print_units(FILE *out, const struct result_figure *from, const struct result_figure *to)
{
    const char *joint = "";
    for (const struct result_figure *f = from; f < to; f++) {
        bool told = !f->unit || !f->unit[0];
        for (const struct result_figure *before = from; before < f && !told; before++)
            told = before->unit && strcmp(before->unit, f->unit) == 0;
        if (told)
            continue;
        fprintf(out, "%s%s", joint, f->unit);
        joint = ", ";
    }
}

/* Of a section and all of its members, the section is named. */
static void print_figure_group(FILE *out, const struct result_figure *from,
                               const struct result_figure *to)
{
    fputs("| ", out);
    for (const struct result_figure *f = from; f < to; f++)
        if (f->form != FIGURE_MEMBER || !strstr(f->name, ".*"))
            fprintf(out, "%s`%s`", f > from ? ", " : "", f->name);
    fputs(" | ", out);
    print_units(out, from, to);
    fprintf(out, " | %s |\n", from->help);
}

static void print_figures_of(FILE *out, const struct run_kind_text *kind)
{
    const char *runs = kind->runs[0] ? kind->runs : "all runs";
    fprintf(out, "\n**%c%s**\n\n| name | unit | meaning |\n|---|---|---|\n", toupper(runs[0]),
            runs + 1);
    for (const struct result_figure *f = figures, *end; f < figures + figure_count; f = end) {
        for (end = f + 1; end < figures + figure_count && !end->help;)
            end++; /* rows without help share that of the one before */
        if (f->runs == kind->kind)
            print_figure_group(out, f, end);
    }
}

void figures_markdown(FILE *out)
{
    fputs("<!-- Made by `weft --figures` from the table of figures. -->\n", out);
    for (size_t i = 0; i < run_kind_count; i++)
        print_figures_of(out, &run_kind_texts[i]);
    fputs("\n<!-- The end of what `weft --figures` made. -->\n", out);
}
