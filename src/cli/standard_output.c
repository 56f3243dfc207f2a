/*
 * Standard output. Names of files, arguments and other texts of a user may hold control characters,
 * which a terminal would obey. So stdout is a stream that puts question marks in their place, and
 * in that of bytes that are no UTF-8, before it writes to the descriptor. Results, which go to "-",
 * are written without it.
 */
#define _GNU_SOURCE
#include "cli/cli.h"

#include <unistd.h>

#include "base/text/text.h"

static FILE *exact; /* standard output itself; NULL: stdout still is it */

/* Bytes that may become a character of UTF-8 with those that follow, and a NUL. */
static struct {
    char text[5];
    unsigned bytes;
} character;

static void put_character(void)
{
    text_tame(character.text, true);
    fputs(character.text, exact);
    character.bytes = 0;
}

static void put_byte(char byte)
{
    bool continues = ((unsigned char)byte & 0xc0) == 0x80;
    if (character.bytes && (!continues || character.bytes == sizeof(character.text) - 1))
        put_character();
    character.text[character.bytes++] = byte;
    character.text[character.bytes] = '\0';
    if (text_character(character.text) == character.bytes)
        put_character();
}

static ssize_t write_tame(void *cookie, const char *bytes, size_t size)
{
    (void)cookie;
    for (size_t i = 0; i < size; i++)
        put_byte(bytes[i]);
    return fflush(exact) == 0 && !ferror(exact) ? (ssize_t)size : 0;
}

void cli_tame_output(void)
{
    FILE *tame = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_tame});
    if (!tame)
        return;
    setvbuf(tame, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    exact = stdout;
    stdout = tame;
}

/* A character that has begun has ended early. */
static bool flush_tame(void)
{
    bool written = fflush(stdout) == 0;
    if (character.bytes)
        put_character();
    return written;
}

void cli_print_exactly(const void *bytes, size_t size)
{
    FILE *out = exact ? exact : stdout;
    flush_tame();
    fwrite(bytes, 1, size, out);
    fflush(out);
}

bool cli_output_arrived(void)
{
    return flush_tame() && (!exact || fflush(exact) == 0) && !ferror(stdout) &&
           (!exact || !ferror(exact));
}
