#!/bin/bash
# The options of weft mpirun: complaints of one line with exit status 2, what is doubtful is said before the run, and what
# the summary says. Prints TAP.
#
#   tests/mpi/options.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

cat >sizes.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <time.h>
static char bytes[2 << 20];
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int size = 0; size <= 1 << 20; size = size ? 1024 * size : 1)
        if (rank == 0)
            MPI_Send(bytes, size, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        else if (rank == 1)
            MPI_Recv(bytes, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    if (rank == 0)
        printf("no end");
    return 0;
}
C
"$weft" mpicc -o sizes sizes.c

complains() { # TEXT OPTION...
    timeout 60 "$weft" mpirun "${@:2}" ./sizes >out 2>err </dev/null
    [ $? -eq 2 ] && [ ! -s out ] && [ "$(cat err)" = "weft: $1" ]
    wrong=$?
    [ $wrong -eq 0 ] || sed 's/^/# /' out err
    say $wrong "${*:2}: ${1%%;*}"
}

complains "-np '0' is not a number of ranks; use a whole number from 1" -np 0 -m ideal
complains "-n 'x' is not a number of ranks; use a whole number from 1" -n x -m ideal
complains "no machine; name one with -m; \`weft machines\` lists them" -np 2
for factor in -1 x nan ''; do
    complains "--compute measured=$factor: '$factor' is not a factor; use a number from 0 to 1000000000" \
        -np 2 -m ideal --compute "measured=$factor"
done

for option in -np -n --np; do
    [ "$(timeout 60 "$weft" mpirun $option 2 -m ideal -q ./sizes 2>&1)" = "no end" ]
    say $? "$option 2"
done

timeout 60 "$weft" mpirun -np 2 -m ideal ./sizes >out 2>err
[ "$(head -n 1 out)" = "no end" ] && sed -n 2p out | grep -q '^ideal 2, '
say $? "the summary begins on a line of its own"
grep -qx '               0 B        25.0 %   < 2 B      25.0 %   < 2 KiB    25.0 %   < 2 MiB    25.0 %' out
wrong=$?
[ $wrong -eq 0 ] || sed 's/^/# /' out
say $wrong "sizes of messages have units"

uncounted="weft: computation takes no time: the program was not built with \`weft mpicc --count\`"
timeout 60 "$weft" mpirun -np 2 -m ideal -q --compute counted ./sizes >out 2>err
[ "$(cat err)" = "$uncounted" ]
say $? "--compute counted, of a program that does not count"
"$weft" mpicc --count -o counted sizes.c
timeout 60 "$weft" mpirun -np 2 -m ideal -q --compute counted ./counted >out 2>err
[ $? -eq 0 ] && [ ! -s err ]
say $? "--compute counted, of a program that counts"
# Nothing is sent where counts are zero, as in MPICH.
cat >zero.c <<'C'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int size, byte = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *none = calloc(size, sizeof(*none));
    MPI_Alltoallv(&byte, none, none, MPI_CHAR, &byte, none, none, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Gatherv(&byte, 0, MPI_CHAR, &byte, none, none, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Scatterv(&byte, none, none, MPI_CHAR, &byte, 0, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(&byte, 0, MPI_CHAR, &byte, none, none, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Allgather(&byte, 0, MPI_CHAR, &byte, 0, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Alltoall(&byte, 0, MPI_CHAR, &byte, 0, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Gather(&byte, 0, MPI_CHAR, &byte, 0, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Scatter(&byte, 0, MPI_CHAR, &byte, 0, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Reduce_scatter(&size, &byte, none, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(&size, &byte, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
}
C
"$weft" mpicc -w -o zero zero.c
timeout 60 "$weft" mpirun -np 64 -m bluegene-l -q -o zero.json ./zero && grep -q '"packets_delivered": 0,' zero.json
say $? "blocks without elements are not sent"
cat >zeros.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, none = 0;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&none, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(&rank, &none, 0, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &none, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
}
C
printf '#include <mpi.h>\nint main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n    MPI_Finalize();\n}\n' >nothing.c
"$weft" mpicc -w -o zeros zeros.c && "$weft" mpicc -o nothing nothing.c
for program in zeros nothing; do timeout 60 "$weft" mpirun -np 64 -m sc5832 -q -o $program.json ./$program; done
[ "$(grep '"packets_delivered"' zeros.json)" = "$(grep '"packets_delivered"' nothing.json)" ]
say $? "operations on nothing send nothing"
echo "1..$number"
