#!/bin/bash
# Several programs in one MPI_COMM_WORLD: which ranks run which, each with its own arguments, variables, globals and
# libraries; one digest on any number of threads, and from the result's configuration; complaints. Prints TAP.
#
#   tests/mpi/mpmd.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

# same WORDS EXPECTED NAME
same() {
    [ "$1" = "$2" ]
    local code=$?
    [ $code -eq 0 ] || { echo "# expected:"; echo "$2" | sed 's/^/#   /'; echo "# came:"; echo "$1" | sed 's/^/#   /'; }
    say $code "$3"
}

# Both have a global and a thread-local variable of the same name, of other sizes and contents, and a library of their own;
# servers sum up what clients send.
cat >common.h <<'C'
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int rank, size, *number, known;
static void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &known);
}
C
cat >server.c <<'C'
#include "common.h"
int state = 1;
_Thread_local int mine[100] = {1};
int main(int argc, char **argv)
{
    int got, sum = 0, split;
    MPI_Comm own;
    begin(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, *number, rank, &own);
    MPI_Comm_size(own, &split);
    for (int from = split; rank == 0 && from < size; from++) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += got;
        mine[99] += state;
    }
    if (rank == 0)
        printf("server %d of %d in %d: program %d, sum %d, %d messages, argument %s, ROLE %s\n", rank, split, size, *number,
               sum, mine[99], argv[1], getenv("ROLE"));
    return MPI_Finalize();
}
C
cat >client.c <<'C'
#include "common.h"
int twice(int x);
char state[1000] = "client";
_Thread_local char mine = 'c';
int main(int argc, char **argv)
{
    MPI_Comm own;
    begin(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, *number, rank, &own);
    int value = twice(rank);
    if (argc > 1 && strcmp(argv[1], "fail") == 0)
        *(volatile int *)8 = value;
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    printf("%s %d: program %d, %d arguments, last '%s', ROLE %s, %c\n", state, rank, *number, argc, argv[argc - 1],
           getenv("ROLE"), mine);
    return MPI_Finalize();
}
C
echo 'int twice(int x) { return 2 * x; }' >twice.c
"$weft" mpicc -shared -o libtwice.so twice.c &&
    "$weft" mpicc -o server server.c && "$weft" mpicc -o client client.c -L. -ltwice '-Wl,-rpath,$ORIGIN'
say $? "programs are built"

programs=(-np 2 -x ROLE=s ./server one : -np 3 -x ROLE=c ./client 'two words' '' : --np 1 ./client)
expected="client 2: program 1, 3 arguments, last '', ROLE c, c
client 3: program 1, 3 arguments, last '', ROLE c, c
client 4: program 1, 3 arguments, last '', ROLE c, c
client 5: program 2, 1 arguments, last './client', ROLE here, c
server 0 of 2 in 6: program 0, sum 28, 4 messages, argument one, ROLE s"
for machine in ideal bluegene-l sc5832 k-computer; do
    for threads in 1 2 4; do
        ROLE=here timeout 60 "$weft" mpirun -m $machine -j $threads -q -o $threads.json "${programs[@]}" >out 2>&1
        same "$(sort out)" "$expected" "$machine, $threads threads"
        cmp -s <(grep digest 1.json) <(grep digest $threads.json)
        say $? "$machine, $threads threads: the same digest"
    done
    ROLE=here timeout 60 "$weft" run -q 1.json -o again.json >out 2>&1
    same "$(sort out) $(grep digest again.json)" "$expected $(grep digest 1.json)" "$machine: the result runs again"
done
grep -q '"work": ' 1.json && grep -q "6 processes of the MPI program ./server one : 3 ROLE=c ./client two\\\\\\\\ words '' : 1 ./client\"" 1.json
say $? "the result names all programs"

timeout 60 "$weft" mpirun -np 2 -m ideal -q ./server x : -np 1 ./client fail >out 2>err
code=$?
[ $code -eq 1 ] && grep -q '^weft: rank 2 (./client): .*Segmentation fault' err
say $? "a failure names the program"

"$weft" mpicc --count -o counted server.c
timeout 60 "$weft" mpirun -np 2 -m ideal -q --compute counted ./counted x : -np 1 ./client >out 2>err
[ $? -eq 0 ] && [ "$(cat err)" = "weft: computation takes no time: the program was not built with \`weft mpicc --count\`" ]
say $? "--compute counted, of two programs of which one does not count"

mpirun_refuses() { # EXPECTED WORDS...
    refuses "weft: $1" mpirun -m ideal -np 2 "${@:2}"
}
mpirun_refuses "no program behind a colon; write : -np RANKS PROGRAM" ./server :
mpirun_refuses "no program behind a colon; write : -np RANKS PROGRAM" ./server : -np 2
mpirun_refuses "no program behind a colon; write : -np RANKS PROGRAM" ./server : -np 2 : ./client
mpirun_refuses "no number of ranks for ./client; give it with -np" ./server : ./client
mpirun_refuses "-np '0' is not a number of ranks; use a whole number from 1" ./server : -np 0 ./client
mpirun_refuses "option '-m' behind a colon; only -np and -x can be there" ./server : -m ideal -np 2 ./client
mpirun_refuses "-x 'ROLE' is not a variable; write -x NAME=VALUE" ./server : -np 1 -x ROLE ./client
mpirun_refuses "./nobody: No such file or directory; name a file that can be read" ./server : -np 1 ./nobody
more() { # EXPECTED TEXT
    refuses "weft: -s workload.more_programs=$2: $1; write : RANKS PROGRAM ARGUMENT..." run -m ideal -s machine.nodes=4 -w mpi \
        -s workload.program=./server -s "workload.more_programs=$2"
}
more "'2' stands where a colon must be" "2 ./client"
more "'two' is not a number of ranks" ": two ./client"
more "there is no program for 2 ranks" ": 2 A=1"
refuses "weft: -s workload.more_programs=: 4 ./client: further programs have 4 ranks, and there are 4 processes; use more processes" run \
    -m ideal -s machine.nodes=4 -w mpi -s workload.program=./server -s 'workload.more_programs=: 4 ./client'
refuses "weft: -s workload.environment=A: 'A' is not a variable; write NAME=VALUE" run \
    -m ideal -s machine.nodes=4 -w mpi -s workload.program=./server -s workload.environment=A
echo "1..$number"
