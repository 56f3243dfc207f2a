#!/bin/bash
# What accesses to windows cost: engines put and get without the target's processor, which does all else; on Blue Gene/L it
# does everything, when its program is in MPI or is interrupted. Prints TAP.
#
#   tests/mpi/windows.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

# Rank 1 computes for a million cycles while rank 0 accesses it; figures in microseconds.
cat >overlap.c <<'C'
#include <mpi.h>
static void figure(const char *name, double since) { MPIX_Figure(name, 1e6 * (MPI_Wtime() - since)); }
int main(int argc, char **argv)
{
    double data = 1, *base, began;
    int rank;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    *base = 0;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPIX_Compute(1e6);
    } else {
        began = MPI_Wtime();
        if (argc > 1)
            MPI_Accumulate(&data, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, MPI_SUM, win);
        else
            MPI_Put(&data, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win);
        MPI_Win_flush(1, win);
        figure("access", began);
        began = MPI_Wtime();
        MPI_Get(&data, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win);
        MPI_Win_flush(1, win);
        figure("get", began);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return data != 1;
}
C
"$weft" mpicc -O1 -o overlap overlap.c

# A figure of the program is between two bounds.
takes() { # LEAST MOST FIGURE ARGUMENT MACHINE...
    timeout 60 "$weft" mpirun -np 2 -q -o r.json -m ${*:5} ./overlap $4 >out 2>&1 || { sed 's/^/# /' out; return 1; }
    python3 -c '
import json, sys
least, most, value = float(sys.argv[1]), float(sys.argv[2]), json.load(open("r.json"))[sys.argv[3]]
print("#", sys.argv[3], value)
sys.exit(not least <= value <= most)' "$1" "$2" "$3"
}

for machine in k-computer sc5832 fat-tree ideal; do
    takes 0.1 4 access "" $machine
    say $? "$machine: a put proceeds while the target computes"
    takes 300 2100 access sum $machine
    say $? "$machine: an accumulate waits until the target is in MPI"
done
takes 1400 1450 access "" bluegene-l
say $? "bluegene-l: a put waits until the target is in MPI"
takes 4 8 get "" bluegene-l
say $? "bluegene-l: then it proceeds"
takes 4 10 access "" bluegene-l -s machine.node.interrupts=true
say $? "bluegene-l: or interrupts the program"
echo "1..$number"
