/* A resolved machine, with peak figures and sources; and all keys. */
#include <stdio.h>
#include <string.h>

#include "machine/family.h"
#include "report/summary.h"

void summary_machine(FILE *out, const struct config *c)
{
    char text[CONFIG_TEXT];
    family_of(c)->show(out, c);
    fprintf(out, "\n  %-38s %-14s %-17s %s\n", "key", "value", "unit", "source");
    for (size_t i = 0; i < c->entries; i++) {
        const struct config_entry *e = &c->entry[i];
        if (!e->key->default_value)
            fprintf(out, "  %-38s %-14s %-17s %s\n", e->key->name, config_text(c, i, text),
                    e->key->unit, e->source ? e->source : "");
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

static void print_table(FILE *out, const struct key_table *table)
{
    char fabrics[64];
    list_fabrics(table, fabrics, sizeof(fabrics));
    for (size_t i = 0; i < table->keys; i++) {
        const struct key *k = &table->key[i];
        fprintf(out, "%-38s %-14s %-17s %-11s %s", k->name,
                k->default_value ? k->default_value : "machine", k->unit, fabrics, k->help);
        for (unsigned choice = 0; k->choices && k->choices[choice]; choice++)
            fprintf(out, "%s%s", choice ? ", " : ": ", k->choices[choice]);
        fputc('\n', out);
    }
}

void summary_keys(FILE *out)
{
    fprintf(out, "%-38s %-14s %-17s %-11s %s\n", "key", "default", "unit", "fabric", "meaning");
    for (const struct family *const *f = families; *f; f++)
        for (const struct key_table *const *t = (*f)->schema.table; *t; t++) {
            bool first = true; /* a table of several families is printed once, with the first */
            for (const struct family *const *before = families; before != f; before++)
                first &= !has_table(*before, *t);
            if (first)
                print_table(out, *t);
        }
}
