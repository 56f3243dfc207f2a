/* Which entries of a result are single values. */
#include "report/result/scalars.h"

#include <string.h>

#include "base/text/text.h"

/* Whether a part of a path is the number of an item. */
static bool in_list(const char *path)
{
    for (const char *part = path; part; part = strchr(part, '.')) {
        part += *part == '.';
        size_t digits = strspn(part, "0123456789");
        if (digits && (part[digits] == '.' || !part[digits]))
            return true;
    }
    return false;
}

/* Whether a section of packed arrays (report/result/packed.h) has it. */
static bool in_packed(const char *path)
{
    static const char *const sections[] = {"each_link.", "each_node.", "jobs.runs.",
                                           "part_of_node."};
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
        if (text_behind(path, sections[i]))
            return true;
    return false;
}

enum scalar_kind scalar_kind(const char *path)
{
    if (in_list(path) || in_packed(path))
        return SCALAR_NONE;
    if (text_behind(path, "config."))
        return SCALAR_CONFIG;
    return text_behind(path, "engine.") ? SCALAR_ENGINE : SCALAR_RESULT;
}

void scalar_csv(FILE *f, const char *value)
{
    if (!strpbrk(value, ",\"\r\n")) {
        fputs(value, f);
        return;
    }
    fputc('"', f);
    for (; *value; value++) {
        if (*value == '"')
            fputc('"', f);
        fputc(*value, f);
    }
    fputc('"', f);
}
