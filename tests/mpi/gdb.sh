#!/bin/bash
# weft mpirun --gdb RANK: gdb stops in that rank's main(), knows its lines and variables, steps over MPI calls that other ranks
# take part in, and stops again before the rank ends the run by a mistake. Prints TAP.
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
left_behind() { [ -n "$(ls "$folder"/weft-gdb-* 2>/dev/null)" ]; }
! left_behind
say $? "and leaves no file behind"

# debug NAME RANK PROGRAM WORDS... <COMMANDS: what gdb must print is in the file `expected`, a line for each
debug() {
    # shellcheck disable=SC2086
    TMPDIR=$folder timeout 100 "$weft" mpirun -q -np 4 -m ideal $options --gdb "$2" "${@:3}" >out 2>&1
    wrong=0
    while read -r line; do grep -qF -e "$line" out || wrong=1; done <expected
    ! grep -q 'Cannot insert' out && ! left_behind || wrong=1
    [ $wrong -eq 0 ] || sed 's/^/# /' out
    say $wrong "$1"
}

for options in "-j 1" "-j 2"; do
    printf '%s\n' 'return 0;' 'exited normally' >expected
    debug "next steps over all calls, $options" 1 ./ring < <(printf 'next\nnext\nnext\nnext\nnext\nnext\ncontinue\n')
done
options=
mkdir "a b'c"
for name in 'a "quoted' 'back\slash' '$HOME #'; do
    cp ring "a b'c/$name"
    printf '%s\n' 'main (argc=1' 'exited normally' >expected
    debug "a program called $name" 2 "a b'c/$name" < <(echo continue)
done
cat >fail.c <<'END'
#include <assert.h>
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && argc > 1)
        MPI_Send(&rank, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    assert(rank != 1);
    MPI_Finalize();
    return 0;
}
END
"$weft" mpicc -g -O0 -o fail fail.c
printf '%s\n' 'about to end the run: Aborted' 'at fail.c:10' 'it ended by abort()' >expected
debug "gdb stops in a failed assertion" 1 ./fail < <(printf 'continue\nbacktrace\ncontinue\n')
printf '%s\n' 'about to end the run: the count is -1' 'at fail.c:9' 'weft: rank 1: MPI_Send: the count is -1' >expected
debug "gdb stops in a call that fails" 1 ./fail word < <(printf 'continue\nbacktrace\ncontinue\n')
cat >early.c <<'END'
#include <mpi.h>
int main(void)
{
    return MPI_Barrier(MPI_COMM_WORLD);
}
END
"$weft" mpicc -o early early.c
echo 'before MPI_Init()' >expected
debug "gdb meets a rank although others have failed at once" 3 ./early < <(printf 'continue\ncontinue\n')
if command -v gfortran >/dev/null; then
    printf 'program p\n  use mpi\n  integer :: e\n  call mpi_init(e)\n  call mpi_finalize(e)\nend program\n' >p.f90
    "$weft" mpif90 -g -O0 -o p p.f90
    printf '%s\n' 'p () at p.f90:4' 'exited normally' >expected
    debug "Fortran stops in the program" 1 ./p < <(echo continue)
else
    say 0 "Fortran stops in the program # SKIP no gfortran"
fi
mkdir "odd folder"
echo continue | TMPDIR="$folder/odd folder" timeout 100 "$weft" mpirun -q -np 2 -m ideal --gdb 1 ./ring >out 2>&1
grep -q 'main (argc=1' out && [ -z "$(ls "odd folder")" ]
say $? "a folder for files whose name needs quotes is not used"
"$weft" mpirun -q -np 2 -m ideal --gdb x ./ring >out 2>&1
[ $? -eq 2 ] && grep -q "'x' is not a rank" out
say $? "what is no rank is refused"
"$weft" mpirun -q -np 2 -m ideal --gdb 2 ./ring >out 2>&1
[ $? -eq 2 ] && grep -q "there are 2 ranks" out
say $? "so is a rank that there is not"
