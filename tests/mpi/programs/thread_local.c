/* Thread-local variables keep their values and their addresses while processes wait. */
#include "check.h"

enum { ROUNDS = 200 };

static _Thread_local long mine = 5;
static _Thread_local double real[3] = {1, 2, 3};

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    long *at = &mine;
    for (int i = 0; i < ROUNDS; i++) {
        int token = i;
        mine += rank + 1;
        *at += 1;
        real[i % 3] += 1;
        MPI_Bcast(&token, 1, MPI_INT, i % size, MPI_COMM_WORLD);
        for (volatile int busy = 0; rank == i % size && busy < 10000; busy++)
            ;
        expect("round", i, token);
    }
    expect("sum", 5 + ROUNDS * (rank + 2), mine);
    expect("by its address", mine, *at);
    expect_real("real", 6 + ROUNDS, real[0] + real[1] + real[2]);
    return finish("thread_local");
}
