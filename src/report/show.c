/* A resolved machine, with peak figures and sources; and all keys. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "machine/family.h"
#include "report/summary.h"

enum { WIDTH = 100 };

/* Prints text in a column of its own, after `used` columns of the line, or below if these are too
 * many. */
static void print_column(FILE *out, int used, int column, const char *text)
{
    if (used >= column) {
        fputc('\n', out);
        used = 0;
    }
    fprintf(out, "%*s", column - used, "");
    text_wrap(out, text, (unsigned)column, (unsigned)column, WIDTH);
}

void summary_machine(FILE *out, const struct config *c)
{
    char text[CONFIG_TEXT];
    family_of(c)->show(out, c);
    fprintf(out, "\n  %-36s %-14s %-6s %s\n", "key", "value", "unit", "source");
    for (size_t i = 0; i < c->entries; i++) {
        const struct config_entry *e = &c->entry[i];
        if (e->key->default_value)
            continue;
        int used =
            fprintf(out, "  %-36s %-14s %s", e->key->name, config_text(c, i, text), e->key->unit);
        print_column(out, used, 61, e->source ? e->source : "");
    }
}

static bool has_table(const struct family *f, const struct key_table *table)
{
    for (const struct key_table *const *t = f->schema.table; *t; t++)
        if (*t == table)
            return true;
    return false;
}

/* "all", or the fabrics that have a table. */
static void list_fabrics(const struct key_table *table, char *text, size_t size)
{
    unsigned with = 0, all = 0;
    text[0] = '\0';
    for (const struct family *const *f = families; *f; f++, all++)
        if (has_table(*f, table)) {
            snprintf(text + strlen(text), size - strlen(text), with++ ? ", %s" : "%s",
                     (*f)->schema.fabric);
        }
    if (with == all)
        snprintf(text, size, "all");
}

static void print_keys(FILE *out, const struct key_table *table)
{
    char meaning[1024];
    for (size_t i = 0; i < table->keys; i++) {
        const struct key *k = &table->key[i];
        size_t length = text_append(meaning, sizeof(meaning), 0, "%s", k->help);
        for (unsigned choice = 0; k->choices && k->choices[choice]; choice++)
            length = text_append(meaning, sizeof(meaning), length, "%s%s", choice ? ", " : ": ",
                                 k->choices[choice]);
        int used = fprintf(out, "%-38s %-9s %s", k->name,
                           k->default_value ? k->default_value : "machine", k->unit);
        print_column(out, used, 56, meaning);
    }
}

enum { TABLES_MOST = 64 };

/* The tables of all families, each once. */
static size_t list_tables(const struct key_table *table[TABLES_MOST])
{
    size_t count = 0;
    for (const struct family *const *f = families; *f; f++)
        for (const struct key_table *const *t = (*f)->schema.table; *t; t++) {
            size_t known = 0;
            while (known < count && table[known] != *t)
                known++;
            if (known == count && count < TABLES_MOST)
                table[count++] = *t;
        }
    return count;
}

/* Tables of the same fabrics are printed together, under one heading. */
void summary_keys(FILE *out)
{
    const struct key_table *table[TABLES_MOST];
    char fabrics[64], others[64];
    size_t count = list_tables(table);
    fprintf(out, "%-38s %-9s %-6s %s\n", "key", "default", "unit", "meaning");
    for (size_t i = 0; i < count; i++) {
        if (!table[i])
            continue; /* printed already */
        list_fabrics(table[i], fabrics, sizeof(fabrics));
        fprintf(out, "\nfabric: %s\n", fabrics);
        for (size_t k = i; k < count; k++) {
            if (table[k])
                list_fabrics(table[k], others, sizeof(others));
            if (!table[k] || strcmp(fabrics, others) != 0)
                continue;
            print_keys(out, table[k]);
            table[k] = NULL;
        }
    }
}
