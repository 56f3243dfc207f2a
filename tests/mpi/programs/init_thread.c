/* Init_thread: gives a level of threads that Query_thread confirms, to the main thread. */
#include "check.h"

int main(int argc, char **argv)
{
    int provided = -1, queried = -2, is_main = 0, initialized = 0, sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Initialized(&initialized);
    expect("begun", 1, initialized);
    expect("order of levels", 1,
           MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED &&
               MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
    expect("a level", 1, provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    MPI_Query_thread(&queried);
    expect("same level", provided, queried);
    MPI_Is_thread_main(&is_main);
    expect("main thread", 1, is_main);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("sum", size * (size - 1) / 2, sum);
    return finish("init_thread");
}
