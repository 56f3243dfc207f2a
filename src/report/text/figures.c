/* The table of figures, for the guide. */
#include "report/text/figures.h"

#include <ctype.h>
#include <string.h>

#include "machine/figures.h"

/* The row behind those that share the help of this one. */
static const struct result_figure *group_end(const struct result_figure *f)
{
    do
        f++;
    while (f < figures + figure_count && !f->help);
    return f;
}

/* Whether a row of a group has the unit of one before it. */
static bool is_told(const struct result_figure *from, const struct result_figure *f)
{
    for (; from < f; from++)
        if (from->unit && strcmp(from->unit, f->unit) == 0)
            return true;
    return false;
}

/* Units of a group, each once. */
static void print_units(FILE *out, const struct result_figure *from, const struct result_figure *to)
{
    const char *joint = "";
    for (const struct result_figure *f = from; f < to; f++)
        if (f->unit && f->unit[0] && !is_told(from, f)) {
            fprintf(out, "%s%s", joint, f->unit);
            joint = ", ";
        }
}

/* Of a section and all of its members, the section is named. */
static void print_group(FILE *out, const struct result_figure *from, const struct result_figure *to)
{
    fputs("| ", out);
    for (const struct result_figure *f = from; f < to; f++)
        if (f->form != FIGURE_MEMBER || !strstr(f->name, ".*"))
            fprintf(out, "%s`%s`", f > from ? ", " : "", f->name);
    fputs(" | ", out);
    print_units(out, from, to);
    fprintf(out, " | %s |\n", from->help);
}

static void print_kind(FILE *out, const struct run_kind_text *kind)
{
    const char *runs = kind->runs[0] ? kind->runs : "all runs";
    fprintf(out, "\n**%c%s**\n\n| name | unit | meaning |\n|---|---|---|\n", toupper(runs[0]),
            runs + 1);
    for (const struct result_figure *f = figures, *end; f < figures + figure_count; f = end) {
        end = group_end(f);
        if (f->runs == kind->kind)
            print_group(out, f, end);
    }
}

void figures_markdown(FILE *out)
{
    fputs("<!-- Made by `weft --figures` from the table of figures. -->\n", out);
    for (size_t i = 0; i < run_kind_count; i++)
        print_kind(out, &run_kind_texts[i]);
    fputs("\n<!-- The end of what `weft --figures` made. -->\n", out);
}
