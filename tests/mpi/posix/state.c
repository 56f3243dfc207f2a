/* What the C library keeps between calls: the same numbers and texts as on the computer itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void numbers(void)
{
    char state[64], other[256];
    unsigned short x[3] = {1, 2, 3}, seven[7] = {1, 2, 3, 4, 5, 6, 7};
    printf("%d %d %ld\n", rand(), rand(), random());
    srand(7);
    printf("%d %ld\n", rand(), random());
    char *first = initstate(5, state, sizeof(state));
    printf("%ld %ld\n", random(), random());
    char *second = initstate(6, other, sizeof(other));
    printf("%ld %d\n", random(), second == state);
    setstate(second);
    printf("%ld\n", random());
    setstate(first);
    printf("%ld\n", random());
    printf("%.17g %ld %ld\n", drand48(), lrand48(), mrand48());
    srand48(11);
    printf("%.17g %.17g %ld %ld\n", drand48(), erand48(x), nrand48(x), jrand48(x));
    unsigned short *old = seed48(x);
    printf("%d %d %d %.17g\n", old[0], old[1], old[2], drand48());
    lcong48(seven);
    printf("%.17g %ld\n", drand48(), lrand48());
    srand48(11);
    printf("%.17g\n", drand48());
}

static void words(int argc, char **argv)
{
    char text[] = "one two,three";
    int option;
    for (char *word = strtok(text, " ,"); word; word = strtok(NULL, " ,"))
        printf("%s\n", word);
    while ((option = getopt(argc, argv, "ab:c::")) != -1)
        printf("-%c %s\n", option, optarg ? optarg : "-");
    for (; optind < argc; optind++)
        printf("%s\n", argv[optind]);
}

static void tables(void)
{
    ENTRY a = {(char *)"a", (void *)"first"}, b = {(char *)"b", NULL};
    hcreate(10);
    hsearch(a, ENTER);
    printf("%s %d\n", (char *)hsearch(a, FIND)->data, hsearch(b, FIND) != NULL);
    hdestroy();
    setenv("POSIX_TEST", "yes", 1);
    printf("%s\n", getenv("POSIX_TEST"));
    unsetenv("POSIX_TEST");
    printf("%d\n", getenv("POSIX_TEST") != NULL);
}

static void dates(void)
{
    time_t day = 86400 * 365;
    setenv("TZ", "UTC", 1);
    printf("%s%s", asctime(gmtime(&day)), ctime(&day));
    errno = ENOENT;
    printf("%m\n");
}

int main(int argc, char **argv)
{
    numbers();
    words(argc, argv);
    tables();
    dates();
    return 0;
}
