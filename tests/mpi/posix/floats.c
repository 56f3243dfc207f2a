/* The floating-point environment is each rank's own: rounding, exceptions that were raised, traps.
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <mpi.h>
#include <stdio.h>

static volatile double zero, one = 1, three = 3;

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static const int flags[] = {FE_DIVBYZERO, FE_INVALID, FE_INEXACT | FE_OVERFLOW, 0};
static const char *wrong;

static void expect(int is, const char *what)
{
    if (!is)
        wrong = what;
}

/* Raises one kind of exception, and changes the thread's environment as it may. */
static double calculate(int kind)
{
    fesetround(modes[kind]);
    feclearexcept(FE_ALL_EXCEPT);
    if (flags[kind])
        feraiseexcept(flags[kind]);
    return kind == 0 ? one / zero : kind == 1 ? zero / zero : 0;
}

int main(int argc, char **argv)
{
    int rank;
    expect(fegetround() == FE_TONEAREST, "rounding at the start");
    expect(!fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW), "exceptions at the start");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int kind = rank % 4, mine = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;
    for (int i = 0; i < 20; i++) {
        double result = calculate(kind);
        double third = one / three;
        MPI_Barrier(MPI_COMM_WORLD);
        expect(fegetround() == modes[kind], "rounding");
        expect(fetestexcept(mine) == (flags[kind] & mine), "exceptions");
        expect(one / three == third, "a third");
        expect(kind == 0 || kind == 1 || result == 0, "the result");
    }
    if (rank % 4 == 3 && feenableexcept(FE_DIVBYZERO) >= 0)
        expect(fegetexcept() == FE_DIVBYZERO, "traps");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 4 != 3)
        expect(fegetexcept() == 0 && one / zero > 0, "traps of others");
    if (wrong)
        printf("rank %d: wrong: %s\n", rank, wrong);
    MPI_Finalize();
    printf("ok\n");
    return 0;
}
