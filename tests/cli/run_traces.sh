#!/bin/sh
# weft run: traces and files of traffic. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/run_traces.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

# Files of traces that are none, or the wrong ones.
mkdir -p folder
refuses "weft: -s workload.file=folder: folder: Is a directory; name a traffic file" run -m bluegene-l -w file -s workload.file=folder
refuses "weft: -s workload.file=folder: folder: Is a directory; name a file of rates" run -m bluegene-l -w matrix -s workload.file=folder
refuses "weft: folder: Is a directory; name a trace" run -m bluegene-l -w goal -s workload.file=folder
refuses "weft: folder: Is a directory; name a trace" run -m bluegene-l -w replay -s workload.file=folder
refuses "weft: ./folder: Is a directory; name a file" run -m ./folder
: >x.meta
refuses "weft: x.meta: it is empty; give the .meta file of a DUMPI trace" run -m ideal -w replay -s workload.file=x.meta
printf '\377\252\335\104UMPI' >rank.dumpi
refuses "weft: rank.dumpi: it is a binary file, as DUMPI has one of each rank; give the .meta file of a DUMPI trace" \
    run -m ideal -w replay -s workload.file=rank.dumpi
printf '\000\001' >traces.def
refuses "weft: traces.def: it is one of several files of an OTF2 trace; give the .otf2 file of an OTF2 trace" \
    run -m ideal -w replay -s workload.file=traces.def
printf 'ABOTF2' >traces.bar
refuses "weft: traces.bar: it is an OTF2 trace under another name; give it a name that ends in .otf2, beside its other files" \
    run -m ideal -w replay -s workload.file=traces.bar
"$weft" goal halo -n 8 --binary -o halo.bin
refuses "weft: halo.bin: it is a trace in GOAL; replay it by -w goal" run -m ideal -w replay -s workload.file=halo.bin
refuses "weft: -n '0' is not a number of ranks; use a whole number from 1" goal halo -n 0

# A limit on the size of files is met by a temporary file: that is what to raise.
limit="weft: a temporary file cannot be used: File too large; raise the limit on the size of files (ulimit -f)"
awk 'BEGIN {print "0 init"; for (i = 0; i < 100000; i++) print "0 compute", i; print "0 finalize"}' >large.ti
awk 'BEGIN {print "num_ranks 1\nrank 0 {"; for (i = 0; i < 20000; i++) print "l" i ": calc " i; print "}"}' >large.goal
if (ulimit -f 100 && exec "$weft" run -m ideal -s machine.nodes=2 -w pingpong -q) >out 2>&1; then
    for trace in "replay large.ti" "goal large.goal"; do
        (ulimit -f 100 && exec "$weft" run -m ideal -s machine.nodes=2 -w ${trace% *} -s workload.file=${trace#* } -q) >out 2>err
        [ $? -eq 1 ] && [ "$(cat err)" = "$limit" ]
        say $? "a limit on the size of files is named: -w $trace: $(head -n 1 err)"
    done
else
    say 0 "a limit on the size of files # SKIP ThreadSanitizer itself writes a file at its start"
fi

# 50 ms of computing after the last packet on a link, and then a message that stays in its node.
for cycles in 0 50000000; do
    {
        echo "num_ranks 6"
        printf 'rank 0 {\na: send 1000b to 1\n}\nrank 1 {\na: recv 1000b from 0\nb: calc %s\nb requires a\n' $cycles
        printf 'c: send 10b to 4 tag 2\nc requires b\n}\nrank 4 {\na: recv 10b from 1 tag 2\n}\n'
        printf 'rank %s {\n}\n' 2 3 5
    } >late.goal
    "$weft" run -m bluegene-l -s machine.dims=3x1x1 -s machine.node.mode=virtual_node -w goal -s workload.file=late.goal -o late-$cycles.json -q
done
[ "$(grep '"link_utilisation"' late-0.json)" = "$(grep '"link_utilisation"' late-50000000.json)" ]
say $? "what happens long after the last packet does not change how long links were busy"

echo '0 1 20' >rates
"$weft" run -m bluegene-l -w matrix -s workload.file=rates -s workload.rates=absolute -s workload.load=0.3 >out &&
    grep -q '^  not used     workload.load = 0.3: matrix with workload.rates=absolute does not use it$' out
say $? "absolute rates are why a load is not used"

printf 'num_ranks 2\nrank 0 {\na: send 8b to 1\n}\nrank 1 {\na: recv 8b from 0\n}\n' >two.goal
"$weft" run -m ideal -w goal -s workload.file=two.goal >out && grep -q '^  trace        2 ranks, 1 message, 8 bytes$' out
say $? "a short trace is counted in bytes"
"$weft" run -m ideal -w uniform -s workload.load=0 >out && grep -q "no node has anything to send" out && ! grep -q response out
say $? "without packets there is no response"
"$weft" show torus-pod -s machine.graph=full:1:2 >out && grep -q "2 at 1 switch, " out
say $? "a single switch"
"$weft" check -m torus-pod -s machine.graph=full:1:1 >out && grep -q "^routes: none is needed by a single node$" out
say $? "a single node"
for pattern in file goal replay; do
    echo '0 1 2 100' | timeout -s KILL 20 "$weft" run -m bluegene-l -w $pattern -s workload.file=/dev/stdin 2>err
    [ $? -eq 2 ] && grep -q "/dev/stdin: is not a file but a pipe or a device, and a .* is read several times; write it to a file first" err
    say $? "-w $pattern does not read a pipe"
done
refuses "weft: -s workload.list=0-5,0-6: process 0 is in two pairs; name each process once, or run pairs as packets" run -m bluegene-l -w pairs -s workload.list=0-5,0-6
refuses "weft: -s workload.list=0-5: pairs that are named are not chosen; leave out workload.pairs and workload.pairing" run -m bluegene-l -w pairs -s workload.pairing=transpose -s workload.list=0-5
refuses "weft: -s workload.list=0/0/0-8/0/0: workload.list: '8/0/0' is not a node; name pairs as 0-5,3-7, each of them by a number below 512, or coordinates as 1/2/3" \
    run -m bluegene-l -w pairs -s workload.as=packets -s workload.list=0/0/0-8/0/0
refuses "weft: -w file: workload.pattern = file needs a file of packets; name it by workload.file" run -m bluegene-l -w file
printf '0 0 1 8\n1ns 1/1/1 5 1KiB\n0 1 2 3\n' | gzip >packets
refuses "weft: packets:3:1: its time, 0, is before that of the line before, 1; sort the lines by time" run -m bluegene-l-sim2003 -s machine.link.mb_per_s=1000 -w file -s workload.file=packets
printf '0 0 1 8\n5 parsecs 5 1\n' >packets
refuses "weft: packets:2:3: 'parsecs' is not a node; use a number below 512, or coordinates as 1/2/3" run -m bluegene-l -w file -s workload.file=packets
refuses "weft: packets:2:3: 'parsecs' is not a process; use a number below 972" run -m sc5832 -w file -s workload.file=packets
refuses "weft: -s workload.file=missing: missing: No such file or directory; name a traffic file" run -m bluegene-l -w file -s workload.file=missing

# A machine whose size nobody has given is as large as the trace.
"$weft" goal halo -n 64 iterations=1 bytes=100 -o halo.goal
for case in "k-computer 2x2x2x2x3x2, 96" "bluegene-l 4x4x4, 64" "ideal 64, 64"; do
    "$weft" run -m ${case%% *} -w goal -s workload.file=halo.goal >out 2>err && head -n 1 out | grep -q "^$case nodes: goal halo.goal$"
    say $? "a trace of 64 ranks is replayed on $case nodes"
done
"$weft" run -m bluegene-l -s machine.dims=8x4x4 -w goal -s workload.file=halo.goal >out 2>err && head -n 1 out | grep -q "^bluegene-l 8x4x4, 128 nodes: "
say $? "... unless its size is given"

# A rank that is elsewhere fails, and the rank that it is beside is the first in simulated time, not on a thread. What
# ranks that fail hold is lost: no leak to be told of.
python3 - >elsewhere.ti <<'P'
ranks = range(7)
for rank in ranks:
    print(rank, "init")
for rank in ranks:
    print(rank, "irecv", (rank - 2) % 7, 2, 1024, 6)
    print(rank, "send", (rank + 2) % 7, 2, 1024, 6)
    print(rank, "wait", (rank - 2) % 7, rank, 2)
for rank in ranks:
    if rank != 1:
        print(rank, "gather 3000 3000 2")
    print(rank, "compute", 5000 if rank == 1 else 100)
    print(rank, "finalize")
P
wrong=0
for partitions in 1 2 3 4 5 7; do
    for threads in 1 3; do
        ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$weft" run -q -m torus-pod -s machine.graph=torus:4x4 -w replay -s workload.file=elsewhere.ti -s run.partitions=$partitions -j $threads 2>err
        [ $? -eq 1 ] && [ "$(cat err)" = "weft: rank 1: MPI_Finalize: rank 0 is in MPI_Gather on the same communicator meanwhile" ] || wrong=1
    done
done
say $wrong "of ranks that disagree, the first ones in simulated time are named, on any threads and partitions"

echo "1..$number"
