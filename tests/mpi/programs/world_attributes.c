/* Predefined attributes of MPI_COMM_WORLD: those that must be there, and sense in the others. */
#include "check.h"

static int *get(int key)
{
    int *value = NULL, flag = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
    return flag ? value : NULL;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int *tag_ub = get(MPI_TAG_UB), *global = get(MPI_WTIME_IS_GLOBAL), *app = get(MPI_APPNUM);
    int *universe = get(MPI_UNIVERSE_SIZE), *last = get(MPI_LASTUSEDCODE);
    expect("tag limit is there", 1, tag_ub != NULL);
    if (tag_ub)
        expect("tag limit", 1, *tag_ub >= 32767);
    if (global)
        expect("global time is yes or no", 1, *global == 0 || *global == 1);
    if (app)
        expect("number of the application", 1, *app >= 0);
    if (universe)
        expect("size of the universe", 1, *universe >= 1);
    expect("last code is there", 1, last != NULL);
    if (last)
        expect("last code", 1, *last >= 0);
    if (tag_ub) { /* the same for all */
        int least, most;
        MPI_Allreduce(tag_ub, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(tag_ub, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        expect("same tag limit", least, most);
    }
    if (global && *global) { /* with one clock, a message arrives after it was sent */
        double sent = MPI_Wtime(), left;
        MPI_Sendrecv(&sent, 1, MPI_DOUBLE, (rank + 1) % size, 0, &left, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect("order of time", 1, MPI_Wtime() >= left);
    }
    return finish("world_attributes");
}
