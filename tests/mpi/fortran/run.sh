#!/bin/bash
# MPI programs in Fortran compile with `weft mpif90`, and find nothing wrong, on several machines. Prints TAP.
#
#   tests/mpi/fortran/run.sh WEFT [RANKS]     RANKS: "1 2 7 64" by default
. "$(dirname "$0")/../../tap.sh"
ranks=${2:-1 2 7 64}
WEFT_DATA=$(realpath "$here/../../..")
fortran=${WEFT_FC:-gfortran}
if ! command -v "$fortran" >/dev/null; then
    echo "ok 1 - MPI programs in Fortran # SKIP no $fortran"
    echo 1..1
    exit
fi

runs_everywhere() { # NAME
    for machine in bluegene-l sc5832 ideal; do
        for np in $ranks; do
            "$weft" mpirun -np "$np" -m "$machine" -q "./$1" >out 2>&1 && [ "$(tail -n 1 out)" = "$1: ok" ] || {
                sed "s/^/# $machine, $np ranks: /" out
                return 1
            }
        done
    done
}

for source in "$here"/*.f90 "$here"/*.f; do
    name=$(basename "${source%.*}")
    "$weft" mpif90 -g -O2 -w "$source" -o "$name" && runs_everywhere "$name"
    say $? "$name"
done

# The modules are Fortran 2018, but for common blocks, which it calls old.
modules=$("$weft" mpif90 -show main.f90 | sed 's/.* -I\([^ ]*\).*/\1/')
"$fortran" -std=f2018 -ffree-line-length-none -fsyntax-only "-I$modules" "$modules/mpi.f90" 2>modules.log &&
    ! grep Warning modules.log | grep -v "COMMON block"
say $? "modules are standard"

# What ranks print comes line by line, and the code of `stop` is the program's.
[ "$("$weft" mpirun -np 3 -m ideal -q ./output)" = $'rank 0\nrank 1\nrank 2\noutput: ok' ]
say $? "lines come in turn"
printf 'program p\nuse mpi\ncall MPI_Init(i)\ncall MPI_Finalize(i)\n%s 3\nend\n' stop >stop.f90
printf 'program p\nuse mpi\ncall MPI_Init(i)\ncall MPI_Finalize(i)\n%s 4\nend\n' 'error stop' >error_stop.f90
for code in 'stop 3' 'error_stop 4'; do
    set -- $code
    "$weft" mpif90 -w "$1.f90" -o "$1" && "$weft" mpirun -np 2 -m ideal -q "./$1" 2>/dev/null
    [ $? -eq "$2" ]
    say $? "$1 $2"
done

# C and Fortran call each other's MPI with the same handles.
cat >twice.c <<'C'
#include <mpi.h>
void twice_(MPI_Fint *comm, int *sum)
{
    MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INT, MPI_SUM, MPI_Comm_f2c(*comm));
    *sum *= MPI_Comm_c2f(MPI_COMM_WORLD) == *comm ? 2 : 0;
}
C
printf 'program p\nuse mpi\ncall MPI_Init(i)\nn = 1\ncall twice(MPI_COMM_WORLD, n)\ncall MPI_Finalize(i)\nprint *, n\nend\n' >main.f90
"$weft" mpicc -c twice.c && "$weft" mpif90 -w main.f90 twice.o -o both &&
    [ "$("$weft" mpirun -np 5 -m ideal -q ./both | sort -u | tr -d ' ')" = 10 ]
say $? "C and Fortran in one program"
echo "1..$number"
