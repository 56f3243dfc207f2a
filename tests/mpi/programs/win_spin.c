/* All ask rank 0 again and again whether it has changed a word; it does so between their questions.
 */
#include "check.h"

int main(int argc, char **argv)
{
    int *word, asked = 0;
    MPI_Win win;
    begin(&argc, &argv);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &word, &win);
    *word = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (rank == 0) {
        int one = 1;
        for (int i = 0; i < 50; i++) { /* while questions come */
            int flag;
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
    } else {
        for (int seen = 0; !seen; asked++) {
            MPI_Fetch_and_op(NULL, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        }
        expect("questions", 1, asked > 0);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    return finish("win_spin");
}
