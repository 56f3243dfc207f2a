/* A resolved machine, with peak figures and sources. */
#include <stdio.h>
#include <string.h>

#include "base/text/terminal.h"
#include "base/text/text.h"
#include "machine/family.h"
#include "report/text/summary.h"

/* Where the source of a value is, if there is room enough. */
enum { COLUMN = 61, LEAST_WIDTH = 36, INDENT = 6 };

/* Prints a source beside its value, after `used` columns of the line; on a narrow screen, and if it
 * is not short, below. */
static void print_source(FILE *out, int used, const char *text)
{
    unsigned width = terminal_columns(), column = COLUMN;
    bool fits = used < COLUMN && COLUMN + strlen(text) <= width;
    if (!fits && width < COLUMN + LEAST_WIDTH)
        column = INDENT;
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
    family_of(c)->show(out, c);
    bool wide = terminal_columns() >= COLUMN + LEAST_WIDTH;
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
