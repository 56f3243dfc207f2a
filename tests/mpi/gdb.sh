#!/bin/bash
# weft mpirun --gdb RANK: gdb stops in that rank's main(), knows its lines and variables, and steps over MPI calls that other
# ranks take part in. Prints TAP.
#
#   tests/mpi/gdb.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
cat >ring.c <<'END'
#include <mpi.h>
#include <stdio.h>
int seen;
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &seen, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
END
if ! command -v gdb >/dev/null; then
    say 0 "gdb sees a rank # SKIP no gdb"
    exit
fi
"$weft" mpicc -g -O0 -o ring ring.c
printf 'tbreak 12\ncontinue\nprint seen\nprint rank\ncontinue\n' |
    TMPDIR=$folder timeout 100 "$weft" mpirun -q -np 7 -m bluegene-l --gdb 3 ./ring >out 2>&1
grep -q 'main (argc=1' out && grep -q '^(gdb) $1 = 2$\|^$1 = 2$' out && grep -q '$2 = 3$' out && grep -q 'exited normally' out
wrong=$?
[ $wrong -eq 0 ] || sed 's/^/# /' out
say $wrong "gdb sees a rank"
[ -z "$(ls weft-gdb-* 2>/dev/null)" ]
say $? "and leaves no file behind"
"$weft" mpirun -q -np 2 -m ideal --gdb x ./ring >out 2>&1
[ $? -eq 2 ] && grep -q "'x' is not a rank" out
say $? "what is no rank is refused"
"$weft" mpirun -q -np 2 -m ideal --gdb 2 ./ring >out 2>&1
[ $? -eq 2 ] && grep -q "there are 2 ranks" out
say $? "so is a rank that there is not"
