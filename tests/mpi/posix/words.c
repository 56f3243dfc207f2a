/* Arguments and environment are each rank's own, and may be written to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static void spoil(const char *what, char *text)
{
    printf("%s %s\n", what, text ? text : "is gone");
    if (text)
        memset(text, 'x', strlen(text) / 2);
}

int main(int argc, char **argv, char **envp)
{
    printf("%d %d %d\n", argc, argv[argc] == NULL, envp == environ);
    for (int i = 0; i < argc; i++)
        spoil("argument", argv[i]);
    argv[0] = NULL;
    spoil("variable", getenv("POSIX_WORD"));
    for (char **e = envp; *e; e++)
        if (strncmp(*e, "POSIX_OTHER=", 12) == 0)
            spoil("entry", *e);
    environ[0] = NULL;
    printf("%d\n", getenv("POSIX_WORD") == NULL);
    return 0;
}
