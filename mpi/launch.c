/*
 * A part of the library that MPI programs are linked with. `mpirun ./SCRIPT` cannot run a script on
 * simulated ranks. It runs the script as it is, once, and a program of MPI that the script starts
 * becomes `weft mpirun`, before its main(), with the words of a variable (src/cli/launcher.c).
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc hands the arguments of main() to constructors, too. */
__attribute__((constructor)) static void launch(int argc, char **argv)
{
    const char *words = getenv("WEFT_LAUNCH");
    char path[4096], *copy = words ? strdup(words) : NULL;
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (!copy || length < 0)
        return;
    path[length] = '\0';
    char **word = calloc(strlen(words) + (size_t)argc + 2, sizeof(*word));
    size_t count = 0;
    for (char *at = strtok(copy, "\n"); word && at; at = strtok(NULL, "\n"))
        word[count++] = at;
    if (!count)
        return;
    word[count++] = path;
    for (int i = 1; i < argc; i++)
        word[count++] = argv[i];
    unsetenv("WEFT_LAUNCH");
    execv(word[0], word);
    perror(word[0]);
    _exit(2);
}
