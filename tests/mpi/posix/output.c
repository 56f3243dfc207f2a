/* Much output, in all ways: complete and in order. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 20000, BYTES = 1 << 20 };

int main(void)
{
    char *much = malloc(BYTES + 1);
    for (int i = 0; i < LINES; i++)
        printf("line %d of %d, which is not short: %s\n", i, LINES, "abcdefghijklmnopqrstuvwxyz");
    memset(much, 'x', BYTES);
    much[BYTES] = '\0';
    fwrite(much, 1, BYTES, stdout);
    puts(much);
    fputs("fputs\n", stdout);
    for (const char *c = "putc\n"; *c; c++)
        putc(*c, stdout);
    for (const char *c = "putchar\n"; *c; c++)
        putchar(*c);
    for (const char *c = "unlocked\n"; *c; c++)
        putchar_unlocked(*c);
    fflush(stdout);
    dprintf(STDOUT_FILENO, "dprintf %d\n", 1);
    printf("%d %d\n", fileno(stdout), fileno(stderr));
    fflush(NULL);
    if (write(STDOUT_FILENO, "write\n", 6) != 6)
        return 1;
    setvbuf(stdout, NULL, _IOFBF, 4096);
    printf("kept to the end");
    free(much);
    return 0;
}
