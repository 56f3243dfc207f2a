#!/bin/bash
# What a run writes beside its result: tracing changes nothing, the time line is JSON, the time-independent trace can be
# replayed (trace.py), the communication matrix has every message, and all three are the same on any number of threads.
# Prints TAP.
#
#   tests/mpi/trace.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

figures() { # RESULT.json
    python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
print(r["digest"], r["cycles"], json.dumps(r["mpi"]["collectives"]))' "$1"
}

# Point-to-point messages, and bytes, of a matrix; and as the result has them.
sums() { awk -F, 'NR > 1 {m += $3; b += $4} END {printf "%d %d\n", m, b}' "$1"; }
told() { python3 -c '
import json, sys
m = json.load(open(sys.argv[1]))["mpi"]
print(m["messages"], m["message_bytes"])' "$1"; }

check() { # PROGRAM MACHINE RANKS
    wrong=0
    [ -x "$1" ] || "$weft" mpicc -O1 -o "$1" "$here/programs/$1.c" -lm || wrong=1
    run="timeout 60 $weft mpirun -q -m $2 -np $3"
    $run -o plain.json "./$1" >plain.out || wrong=1
    $run -o traced.json --trace one.json --matrix one.csv "./$1" >traced.out || wrong=1
    $run -j 2 --trace two.json --matrix two.csv "./$1" >/dev/null || wrong=1
    cmp plain.out traced.out || wrong=1
    [ "$(figures plain.json)" = "$(figures traced.json)" ] || wrong=1
    cmp one.json two.json && cmp one.ti two.ti && cmp one.csv two.csv || wrong=1
    python3 -m json.tool one.json >/dev/null || wrong=1
    "$here/trace.py" one.ti >why || { sed 's/^/# /' why && wrong=1; }
    [ "$(sums one.csv)" = "$(told traced.json)" ] || wrong=1
    say $wrong "$1, $3 ranks of $2"
}

for program in jacobi3d waitany persistent mprobe comm_split inter_coll ineighbor dist_graph ibarrier alltoallw gather cancel_recv in_place unwaited win_fence win_pscw win_lock; do
    check $program bluegene-l 7
    check $program ideal 12
done

# ---- names ----

refuse() { # TEXT OPTION...
    text=$1
    shift
    "$weft" mpirun -q -m ideal -np 2 "$@" ./waitany >out 2>&1
    [ $? -eq 2 ] && [ "$(wc -l <out)" -eq 1 ] && grep -q -e "$text" out || return 1
    [ ! -e t.json ] && [ ! -e t.ti ]
}

refuse nowhere --trace nowhere/t.json && [ ! -e nowhere ]
say $? "a place that cannot be written is refused before the run"

mkdir folder.ti
refuse "folder.ti: is a folder" --trace folder.json && [ ! -e folder.json ]
say $? "so is that of the trace without times"

refuse "is not a file name" --trace "" && refuse "is not a file name" --matrix ""
say $? "an empty name is refused"

ln -s t.json link
refuse "same file" --trace t.json --matrix t.json && refuse "same file" --trace t.json --matrix ./t.ti &&
    refuse "same file" --trace t.json -o "$PWD/t.json" && refuse "same file" --trace t.json -o t.ti &&
    refuse "same file" --matrix t.txt -o t.txt && refuse "same file" --trace t.json -o link
say $? "one file for two of them is refused"

"$weft" mpirun -q -m ideal -np 2 --trace /dev/null --matrix /dev/null ./waitany >/dev/null && [ ! -e /dev/null.ti ] &&
    "$weft" mpirun -q -m ideal -np 2 --trace >(cat >piped.json) ./ibarrier >/dev/null && [ -c /dev/null ]
say $? "what goes to a device or a pipe has no other file beside it"

# ---- programs that do not end as they should ----

# The calls of a rank, in order.
calls() { sed -n 's/.*"name":"MPI_\([A-Z][a-z_]*\)".*"tid":'"$2"',.*/\1/p' "$1" | paste -sd ' '; }
lines() { sed -n "s/^$2 \\([a-z]*\\).*/\\1/p" "$1" | paste -sd ' '; }

fail() { # PROGRAM CALLS-OF-RANK-0 LINES-OF-RANK-0
    "$weft" mpicc -w -o "$1" "$here/bad/$1.c" && rm -f bad.*
    "$weft" mpirun -q -m ideal -np 2 --trace bad.json --matrix bad.csv "./$1" >out 2>&1 && return 1
    python3 -m json.tool bad.json >/dev/null && [ -f bad.csv ] || return 1
    [ "$(calls bad.json 0)" = "$2" ] && [ "$(lines bad.ti 0)" = "$3" ] && return 0
    echo "# $1: $(calls bad.json 0); $(lines bad.ti 0)"
    return 1
}

fail recv_without_send "Init Comm_rank Recv" "init compute"
say $? "a deadlock: the call that does not end is in the time line, and nothing has come of it"
fail left_receive "Init Comm_rank Irecv Finalize" "init compute finalize"
say $? "a receive that is left under way comes to nothing"
fail mpi_abort "Init Comm_rank Abort" "init compute" && fail segfault "Init Comm_rank Barrier" "init compute barrier" &&
    fail exit_without_finalize "Init Comm_rank Barrier" "init compute barrier"
say $? "programs that fail are traced up to there"

cat >remove.c <<'C'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    rmdir(argv[1]);
    MPI_Abort(MPI_COMM_WORLD, 3);
}
C
mkdir gone && "$weft" mpicc -w -o remove remove.c
"$weft" mpirun -q -m ideal -np 2 --trace gone/t.json ./remove gone >out 2>&1
[ $? -eq 3 ] && grep -q "weft: no trace was written: No such file" out && grep -q "MPI_Abort: the program aborts" out
say $? "a trace of such a program that cannot be written is mentioned"
echo "1..$number"
