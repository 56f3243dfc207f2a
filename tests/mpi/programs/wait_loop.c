/* A loop on MPI_Wtime ends: time goes on for a program that does nothing but ask for it. */
#include "check.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    double start = MPI_Wtime(), now = start;
    while (now < start + 1e-3) {
        double before = now;
        now = MPI_Wtime();
        expect("time goes forward", 1, now >= before);
    }
    return finish("wait_loop");
}
