#!/bin/bash
# Replays: a trace of weft mpirun takes the time that the program took, with the same packets; SimGrid's traces mean what
# they say; a trace that cannot be replayed is refused, or ends as a deadlock that names the ranks. Prints TAP.
#
#   tests/mpi/replay.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

field() { # RESULT.json EXPRESSION
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

# ---- traces of programs ----

# On the machine that the program ran on: the digest covers every packet, with its time.
same() { # PROGRAM MACHINE RANKS
    wrong=0
    [ -x "$1" ] || "$weft" mpicc -O1 -o "$1" "$here/programs/$1.c" -lm || wrong=1
    timeout 60 "$weft" mpirun -q -m "$2" -np "$3" -o ran.json --trace t.json "./$1" >out 2>&1 || wrong=1
    dims=$(field ran.json 'r["config"]["machine"].get("dims", "")')
    for threads in 1 2 4; do
        timeout 60 "$weft" run -q -m "$2" ${dims:+-s machine.dims="$dims"} -w replay -s workload.file=t.ti -j $threads \
            -o again.json >out 2>&1 || wrong=1
        [ "$(field ran.json 'r["digest"], r["cycles"], r["mpi"]["seconds"]')" = \
            "$(field again.json 'r["digest"], r["cycles"], r["mpi"]["seconds"]')" ] || wrong=1
    done
    [ $wrong -eq 0 ] || sed 's/^/# /' out
    say $wrong "$1, $3 ranks of $2: the same packets at the same times"
}

for program in jacobi2d jacobi3d conjugate_gradient fft master_worker waitany sendrecv_replace comm_split in_place \
    isend_modes wildcards alltoallv; do
    same $program bluegene-l 8
    same $program ideal 7
done
for program in jacobi2d waitsome ssend_waits icoll_many; do
    same $program sc5832 12
    same $program k-computer 12
done

# And once more, from the trace of the replay.
"$weft" mpirun -q -m ideal -np 7 --trace one.json ./jacobi2d >/dev/null &&
    "$weft" run -q -m ideal -w replay -s workload.file=one.ti -s workload.trace=two.json -o two.result &&
    "$weft" run -q -m ideal -w replay -s workload.file=two.ti -o three.result &&
    [ "$(field two.result 'r["digest"]')" = "$(field three.result 'r["digest"]')" ]
say $? "the trace of a replay can be replayed"

# ---- SimGrid's ----

printf '0 init\n0 compute 1e6\n0 send 1 0 1e6\n0 finalize\n' >zero.txt
printf '1 init\n1 recv 0 0 1e6\n1 barrier comm self\n1 finalize\n' | gzip >one.txt
printf 'zero.txt\none.txt\n' >index
{ cat zero.txt; zcat one.txt; } >merged
run() { "$weft" run -q -m ideal -w ti "$@" -o r.json >out 2>&1; }
run -s workload.file=index && index=$(field r.json 'r["digest"]') && run -s workload.file=merged &&
    [ "$(field r.json 'r["digest"]')" = "$index" ]
say $? "an index of files, one of them packed, is the trace that they make together"

run -s workload.file=merged -s workload.flops=1e9 && slow=$(field r.json 'r["cycles"]') &&
    run -s workload.file=merged -s workload.flops=1e9 -s workload.compute_factor=3 &&
    [ "$(($(field r.json 'r["cycles"]') - slow))" -eq 2000000 ]
say $? "a million operations at 1e9 a second take 1 ms, and three times that by workload.compute_factor"

(cd / && run -s workload.file="$folder/index" && [ "$(field "$folder/r.json" 'r["digest"]')" = "$index" ]) 2>/dev/null ||
    (cd / && "$weft" run -q -m ideal -w ti -s workload.file="$folder/index" -o "$folder/r.json")
say $? "an index names its files from its own folder"

# ---- DUMPI's ----

dumpi() { "$weft" run -q -w replay -s workload.file=prog.meta "$@" -o r.json >out 2>&1 || sed 's/^/# /' out; }
"$here/dumpi.py" prog
wrong=0
for machine in ideal bluegene-l; do
    dumpi -m $machine && one=$(field r.json 'r["digest"]')
    for threads in 2 4; do dumpi -m $machine -j $threads && [ "$(field r.json 'r["digest"]')" = "$one" ] || wrong=1; done
done
[ "$(field r.json '[(c["call"], c["calls"]) for c in r["mpi"]["collectives"] if "ather" in c["call"]]')" = \
    "[('MPI_Allgather', 12), ('MPI_Allgatherv', 4), ('MPI_Gather', 4)]" ] && [ "$(field r.json 'r["mpi"]["messages"]')" -eq 18 ] || wrong=1
say $wrong "a DUMPI trace as text: one digest on any number of threads, with its messages and operations"

mkdir text && mv prog-000?.txt text && cp prog.meta text && "$here/dumpi.py" prog 1e-6 binary
wrong=0
for machine in ideal bluegene-l; do
    "$weft" run -q -m $machine -w replay -s workload.file=text/prog.meta -o r.json && one=$(field r.json 'r["digest"], r["cycles"]')
    for threads in 1 2 4; do
        dumpi -m $machine -j $threads && [ "$(field r.json 'r["digest"], r["cycles"]')" = "$one" ] || wrong=1
    done
done
say $wrong "the same in its binary form: the same digest and time as its text's, on any number of threads"

echo "no text" >prog-0001.txt
dumpi -m bluegene-l && [ "$(field r.json 'r["digest"], r["cycles"]')" = "$one" ]
say $? "of a rank with both forms, the binary one counts"

dumpi -m ideal -s workload.trace=again.json && one=$(field r.json 'r["digest"]') &&
    "$weft" run -q -m ideal -w replay -s workload.file=again.ti -o r.json && [ "$(field r.json 'r["digest"]')" = "$one" ]
say $? "its replay can be traced and replayed, communicators included"

dumpi -m ideal && fast=$(field r.json 'r["mpi"]["seconds"]') && dumpi -m ideal -s workload.compute_factor=101 &&
    python3 -c "import sys; sys.exit(abs($(field r.json 'r["mpi"]["seconds"]') - $fast - 27e-4) > 3e-6)"
say $? "time between calls is computation, multiplied by workload.compute_factor"

# A file of rank 2 that is not whole, or says what cannot be: one line, with the byte.
damaged() { # MESSAGE PYTHON
    python3 -c "
import sys
b = bytearray(open('whole.bin', 'rb').read())
header, footer = (int.from_bytes(b[at:at + 8], 'big') for at in (-32, -16))
$2
open('prog-0002.bin', 'wb').write(b)"
    "$weft" run -q -m ideal -w replay -s workload.file=prog.meta >out 2>&1
    [ $? -eq 2 ] && [ "$(wc -l <out)" -eq 1 ] && grep -q -E -e "^weft: prog-0002.bin:byte [0-9]+: $1.*; use " out && return
    sed 's/^/# /' out
    wrong=1
}
cp prog-0002.bin whole.bin
wrong=0
damaged "it has no index at its end" "b = b[:-5]"
damaged "it has no index at its end" "b = b[:300]"
damaged "its first bytes are not those of a DUMPI trace" "b = b[:0]"
damaged "its first bytes are not those of a DUMPI trace" "b[3] = 0"
damaged "its index has the header at byte 42949[0-9]*, where none can be" "b[-29] = 1"
damaged "its footer does not begin as one" "b[footer] ^= 1"
damaged "its footer counts calls of fewer than 290 functions" "b[-40:-32] = (footer + 99).to_bytes(8, 'big')"
damaged "it is of DUMPI's version 77.0.0, which is not known" "b[header] = 77"
damaged "it has a call of function 555, which does not exist" "b[16:18] = (555).to_bytes(2, 'big')"
damaged "MPI_Init has flags 0x5f, of which some are not known" "b[18] |= 16"
damaged "MPI_Init has a time with 1342177280 nanoseconds" "b[35:39] = (0x50000000).to_bytes(4, 'big')"
damaged "MPI_Init has an array of -1 elements, which does not fit" "b[49:53] = b'\\xff' * 4"
damaged "MPI_Init has an array of 99999 elements, which does not fit" "b[49:53] = (99999).to_bytes(4, 'big')"
damaged "it ends within a record" "b[-24:-16], b[-32:-24] = b[-24:-16], (30).to_bytes(8, 'big')"
say $wrong "files in the binary form that are cut off or damaged are refused, with the byte"

rm prog-0002.bin
"$weft" run -q -m ideal -w replay -s workload.file=prog.meta >out 2>&1
[ $? -eq 2 ] && grep -q "prog.meta: there is no file prog-0002.bin or .txt of rank 2; copy the files of all ranks" out
say $? "a rank without a file is refused"

# ---- what cannot be replayed ----

refuse() { # TEXT OPTION...
    text=$1
    shift
    "$weft" run -q "$@" >out 2>&1
    [ $? -eq 2 ] && [ "$(wc -l <out)" -eq 1 ] && grep -q -F -e "$text" out && return 0
    sed 's/^/# /' out
    return 1
}

for rank in 0 1 2 3 4 5 6 7 8; do echo "$rank init"; done >nine
refuse "nine has 9 ranks, and the machine room for 8 processes" -m bluegene-l -s machine.dims=2x2x2 -w ti -s workload.file=nine
say $? "more ranks than the machine has processes"
refuse "workload.processes = 4, and nine has 9 ranks" -m ideal -w ti -s workload.file=nine -s workload.processes=4
say $? "another number of processes than ranks"
refuse "workload.file names no trace" -m ideal -w replay
say $? "no file"
refuse "none: No such file or directory; name a trace" -m ideal -w replay -s workload.file=none
say $? "a file that does not exist"
echo '0 sendd 0 0 8' >bad
refuse "bad:1:3: 'sendd' is no action" -m ideal -w replay -s workload.file=bad
say $? "a line that is none"
echo '1 sendd 0 0 8' >bad
printf 'zero.txt\nbad\n' >index
refuse "bad:1:3: 'sendd' is no action" -m ideal -w replay -s workload.file=index
say $? "a line of a file that an index names"

printf '0 init\n1 init\n2 init\n1 recv 0 5 8\n' >stuck
"$weft" run -q -m ideal -w replay -s workload.file=stuck >out 2>&1
[ $? -eq 1 ] && grep -q "deadlock" out && grep -q "rank 1: MPI_Recv waits for a message from rank 0, tag 5" out &&
    grep -q "ranks 0, 2: MPI_Finalize" out
say $? "a receive without its send ends as a deadlock, with the ranks that wait"

printf '0 init\n1 init\n0 barrier\n1 reduce 8 0\n' >apart
"$weft" run -q -m ideal -w replay -s workload.file=apart >out 2>&1
[ $? -eq 1 ] && grep -q "is in MPI_[A-Z][a-z]* on the same communicator meanwhile" out
say $? "ranks in different operations at a time"

printf '0 init\n1 init\n0 send 1 5 800\n1 recv 0 5 8\n' >longer
"$weft" run -q -m ideal -w replay -s workload.file=longer >out 2>&1
[ $? -eq 1 ] && grep -q "rank 1: MPI_Recv: the message of rank 0 with tag 5 is longer than the 8 bytes" out
say $? "a message that is longer than its receive"
echo "1..$number"
