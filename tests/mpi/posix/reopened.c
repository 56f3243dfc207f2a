/* Files in the place of standard streams: they stay the streams that they were. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void show(const char *path)
{
    char line[100];
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof(line), f))
        fprintf(stderr, "%s: %s", path, line);
    if (f)
        fclose(f);
}

int main(void)
{
    FILE *kept = stdout;
    int number = 0;
    char word[20] = "", line[40] = "";
    printf("before\n");
    printf("%d\n", freopen(NULL, "a", stdout) == stdout);
    fflush(stdout);
    int same = freopen("reopened.out", "w", stdout) == stdout;
    printf("%d to the file\n", same);
    fprintf(kept, "kept\n");
    fflush(stdout);
    if (write(1, "direct\n", 7) != 7)
        return 1;
    printf("12 words and\na line\n");
    fflush(stdout);
    same = freopen("reopened.out", "r", stdin) == stdin;
    int fields = scanf("%d %19s", &number, word);
    fprintf(stderr, "%d %d %d %s\n", same, fields, number, word);
    rewind(stdin);
    fprintf(stderr, "%s", fgets(line, sizeof(line), stdin));
    fprintf(stderr, "%d\n", freopen("/nowhere/at/all", "r", stdin) == NULL);
    fprintf(stderr, "%d\n", fclose(stdout));
    show("reopened.out");
    fflush(stderr);
    same = freopen("reopened.err", "w", stderr) == stderr;
    perror("reopened");
    exit(same ? 3 : 4);
}
