/* Where to break a line. */
#include "report/text/lines.h"

#include <stdbool.h>
#include <string.h>

enum { COLUMN = 15 }; /* of the text beside a label */

/* "  links busy   80.24 %    x+ 80.0": two blanks, a label, and blanks up to the column; or blanks
 * alone, if the line belongs to the label before. */
static bool has_label(const char *line, size_t length)
{
    bool goes_on = strspn(line, " ") == COLUMN;
    return length > COLUMN && strncmp(line, "  ", 2) == 0 && line[COLUMN - 1] == ' ' &&
           (line[2] != ' ' || goes_on);
}

/* How much of a line fits, up to where two blanks are, or, if that is too little, one. */
static size_t fitting(const char *line, size_t length, size_t room)
{
    size_t words = 0, figures = 0;
    if (length <= room)
        return length;
    for (size_t i = COLUMN + 1; i <= room; i++) {
        if (line[i] != ' ' || line[i - 1] == ' ')
            continue;
        words = i;
        if (line[i + 1] == ' ')
            figures = i;
    }
    if (figures > room / 2)
        return figures;
    return words ? words : length;
}

static void print_line(FILE *out, const char *line, size_t length, unsigned width)
{
    char rest[8192];
    for (;;) {
        size_t fits = fitting(line, length, width);
        fprintf(out, "%.*s\n", (int)fits, line);
        if (fits == length)
            return;
        size_t blanks = strspn(line + fits, " "), behind = length - fits - blanks;
        if (behind + COLUMN >= sizeof(rest)) {
            fprintf(out, "%*s%.*s\n", COLUMN, "", (int)behind, line + fits + blanks);
            return;
        }
        memmove(rest + COLUMN, line + fits + blanks, behind);
        memset(rest, ' ', COLUMN);
        rest[length = behind + COLUMN] = '\0';
        line = rest;
    }
}

void lines_print(FILE *out, const char *text, unsigned width)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length > width && has_label(text, length))
            print_line(out, text, length, width);
        else
            fprintf(out, "%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}
