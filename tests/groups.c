/*
 * Runs groups of tests: those named, or all. One program for all of them links once, and looks for
 * leaks once.
 *
 *   groups [NAME...]
 */
#include "group.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ASan would end the program where malloc() returns NULL, which some tests provoke. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static struct test_group *groups;

void test_group_add(struct test_group *g)
{
    g->next = groups;
    groups = g;
}

static bool named(const struct test_group *g, char **names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(g->name, names[i]) == 0)
            return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    int ran = 0, failed = 0;
    for (struct test_group *g = groups; g; g = g->next)
        if (named(g, argv + 1, argc - 1)) {
            failed += g->run();
            ran++;
        }
    if (ran < argc - 1)
        printf("Bail out! there is no such group: %d of %d were found\n", ran, argc - 1);
    return failed > 0 || ran < argc - 1;
}
