/* What the programs of this folder share: the start, counting mistakes, and the line at the end. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_ERRORS = 5 };

static int rank, size; /* of this process and of MPI_COMM_WORLD */
static int errors;     /* that this process has seen */

static inline void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* True if a mistake is one of the first few, which are shown. */
static inline int count_error(void)
{
    return errors++ < SHOWN_ERRORS;
}

static inline void expect(const char *what, long long expected, long long got)
{
    if (expected != got && count_error())
        printf("rank %d: %s, expected %lld, got %lld\n", rank, what, expected, got);
}

/* Equal but for what rounding and the order of a sum may change. */
static inline void expect_real(const char *what, double expected, double got)
{
    double scale = fabs(expected) > 1 ? fabs(expected) : 1;
    if (!(fabs(expected - got) <= 1e-9 * scale) && count_error())
        printf("rank %d: %s, expected %.12g, got %.12g\n", rank, what, expected, got);
}

static inline void expect_text(const char *what, const char *expected, const char *got)
{
    if (strcmp(expected, got) != 0 && count_error())
        printf("rank %d: %s, expected '%s', got '%s'\n", rank, what, expected, got);
}

static inline void expect_class(const char *what, int expected, int code)
{
    int class = code;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    expect(what, expected, class);
}

/* What element i of a message is that `who` made: different for every small who and i. */
static inline int pattern(int who, int i)
{
    return (int)(((unsigned)who * 40503u + (unsigned)i * 2654435761u + 12345u) & 0x3fffffffu);
}

static inline void fill(int *data, int count, int who)
{
    for (int i = 0; i < count; i++)
        data[i] = pattern(who, i);
}

static inline void expect_pattern(const char *what, const int *data, int count, int who)
{
    for (int i = 0; i < count; i++)
        expect(what, pattern(who, i), data[i]);
}

static inline void *allocate(size_t bytes)
{
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory)
        MPI_Abort(MPI_COMM_WORLD, 99);
    return memory;
}

/* Sums up the mistakes, says how it went, ends MPI; returns the exit status. */
static inline int finish(const char *name)
{
    int total = 0;
    MPI_Reduce(&errors, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && total == 0)
        printf("%s: ok\n", name);
    else if (rank == 0)
        printf("%s: %d errors\n", name, total);
    fflush(stdout);
    MPI_Finalize();
    return errors > 0 || total > 0;
}

#endif
