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

for program in jacobi3d waitany persistent mprobe comm_split inter_coll ineighbor dist_graph ibarrier alltoallw gather cancel_recv; do
    check $program bluegene-l 7
    check $program ideal 12
done

"$weft" mpirun -q -m ideal -np 2 --trace nowhere/t.json ./waitany >out 2>&1
[ $? -eq 2 ] && grep -q nowhere out && [ ! -e nowhere ]
say $? "a place that cannot be written is refused before the run"
