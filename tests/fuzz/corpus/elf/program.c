/* What loaders have to do with: thread-local data, copied variables, words and functions of others,
 * choices, functions before and after main(). */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;
extern int shown[4], *shown_last;
extern __thread int shared_counter;
__thread int counter = 3;
_Thread_local char room[64];
static const char *const names[] = {"one", "two", "three"};
FILE *const *output = &stdout;
int (*print)(const char *, ...) = printf;

static int first(void)
{
    return 1;
}

static int (*choose(void))(void)
{
    return first;
}

int chosen(void) __attribute__((ifunc("choose")));

__attribute__((constructor)) static void begin(void)
{
    counter++;
}

__attribute__((destructor)) static void end(void)
{
    counter--;
}

int main(int argc, char **argv)
{
    (void)argv;
    shared_counter += shown[argc % 4] + *shown_last;
    room[argc % 64] = *names[argc % 3];
    return fprintf(*output, "%d %s %p\n", chosen() + counter, room, (void *)environ) < 0
               ? 1
               : print("") + abs(argc);
}
