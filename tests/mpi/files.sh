#!/bin/bash
# What files cost: ranks of an I/O node take turns there, and work meanwhile where they do not wait. And what is in files,
# as other programs see it. Prints TAP.
#
#   tests/mpi/files.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

# Rank 3 of 4 says how long a piece took, in units of 10 us.
cat >times.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    static char data[100000];
    double cycles = atof(argv[1]), first, second;
    int rank;
    MPI_File file;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "times.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int i = 0; i < 100000; i++)
        data[i] = 'a' + rank;
    MPI_Barrier(MPI_COMM_WORLD);
    MPIX_Compute(1000 * rank);
    first = MPI_Wtime();
    MPI_File_iwrite_at(file, 100000 * rank, data, 100000, MPI_CHAR, &request);
    MPIX_Compute(cycles);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    first = MPI_Wtime() - first;
    MPI_Barrier(MPI_COMM_WORLD);
    second = MPI_Wtime();
    if (rank == 3)
        MPI_File_read_at(file, 0, data, 100000, MPI_CHAR, MPI_STATUS_IGNORE);
    second = MPI_Wtime() - second;
    MPI_File_close(&file);
    if (rank == 3)
        printf("%.0f %.0f\n", first * 1e5, second * 1e5);
    MPI_Finalize();
    return 0;
}
C
"$weft" mpicc -O1 -o times times.c

# 100,000 bytes take 1 ms at 100 MB/s, and a call 50 us: the last of two ranks waits for the other one's data.
takes() { # WHAT EXPECTED CYCLES OPTION...
    got=$("$weft" mpirun -np 4 -m ideal -s machine.node.clock_mhz=1000 -s machine.io.mb_per_s=100 -s machine.io.call_us=50 \
        -q "${@:4}" ./times "$3")
    [ "$got" = "$2" ] || echo "# $got, not $2"
    [ "$got" = "$2" ]
    say $? "$1"
}
takes "four I/O nodes" "105 105" 0 -s machine.io.nodes_per=1
takes "two I/O nodes" "205 105" 0 -s machine.io.nodes_per=2
takes "one I/O node" "405 105" 0 -s machine.io.nodes_per=4
takes "work meanwhile" "205 105" 2000000 -s machine.io.nodes_per=2
takes "longer work" "300 105" 3000000 -s machine.io.nodes_per=2

for letter in a b c d; do head -c 100000 /dev/zero | tr '\0' $letter; done | cmp - times.data
say $? "what was written is in the file"

cat >none.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_SELF, "none.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Finalize();
    return 0;
}
C
"$weft" mpicc -o none none.c
[ "$("$weft" mpirun -np 1 -m ideal -q -s machine.io.nodes_per=0 ./none 2>&1)" = "weft: rank 0: MPI_File_open: the machine has no I/O nodes; set machine.io.nodes_per (MPI_ERR_UNSUPPORTED_OPERATION)" ]
say $? "without I/O nodes files are refused"

# Relative names are of the folder that the rank is in.
mkdir -p folder
cat >apart.c <<'C'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    if (chdir("folder"))
        return 1;
    MPI_File_open(MPI_COMM_WORLD, "apart.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_ordered(file, "word", 4, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
C
"$weft" mpicc -o apart apart.c
"$weft" mpirun -np 3 -m bluegene-l -j 2 -q ./apart && [ "$(cat folder/apart.data)" = wordwordword ]
say $? "names are of the rank's folder"
echo "1..$number"
