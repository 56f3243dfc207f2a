#!/bin/sh
# The command line: exact outputs, exact error messages, exit codes. Usage: run.sh PATH/TO/weft
# Prints TAP.
set -u
. "$(dirname "$0")/../tap.sh"

refuses "weft: -s machine.dimz=8: unknown key 'machine.dimz'; did you mean 'machine.dims'?" \
    run -m bluegene-l -s machine.dimz=8
refuses "weft: -s workload.cycles=soon: workload.cycles = 'soon' is not a whole number of cycles; use one from 1 to 70000000000000" \
    run -m bluegene-l -s workload.cycles=soon
refuses "weft: -s machine.dims=8x0x8: machine.dims = '8x0x8' is not a machine size; use positive sizes joined by x, as 8x8x8" \
    run -m bluegene-l -s machine.dims=8x0x8
refuses "weft: -s machine.dims=8x-8x8: machine.dims = '8x-8x8' is not a machine size; use positive sizes joined by x, as 8x8x8" \
    run -m bluegene-l -s machine.dims=8x-8x8
refuses "weft: -s workload.packet_bytes=33: workload.packet_bytes = 33 is not a packet size; use a multiple of 32 from 32 to 256, or several joined by commas" \
    run -m bluegene-l -s workload.packet_bytes=33
refuses "weft: -s workload.load=-0.5: workload.load = -0.5 is out of range; use 0 to 1000" \
    run -m bluegene-l -w uniform -s workload.load=-0.5
refuses "weft: -s workload.load=nan: workload.load = 'nan' is not a number; use one from 0 to 1000" \
    run -m bluegene-l -w uniform -s workload.load=nan
refuses "weft: nofile.yaml: No such file or directory; name a file that can be read" run nofile.yaml
refuses "weft: machine 'cray' is not known; \`weft machines\` lists those available" run -m cray
refuses "weft: /nowhere/r.json: No such file or directory; name a place that can be written" \
    run -m bluegene-l -s machine.dims=2x2x2 -o /nowhere/r.json
refuses "weft: nothing to run; name a study or a machine (-m)" run
refuses "weft: unknown option '-x'; \`weft run --help\` lists the options" run -x
refuses "weft: -s needs a value; give it as -s KEY=VALUE" run -s
refuses "weft: -j '0' is not a number of threads; use 1 to 4096" run -m bluegene-l -j 0
# Numbers are decimal, without blanks; a whole one may have an exponent.
for word in ' 2' '2 ' 0x2 2.5 1e4 9999999999999999999 ''; do
    refuses "weft: -j '$word' is not a number of threads; use 1 to 4096" run -m bluegene-l -j "$word"
done
refuses "weft: -j '1,1,1,1,1,1,1,1,1' is too long; use at most 8 numbers" bench -j 1,1,1,1,1,1,1,1,1
for word in ' 1' '1 ' 0x1p3 nan inf 1e-400 0 -1 1e7; do
    refuses "weft: --every '$word' is not a time; use seconds, above 0 and up to 1000000" \
        run -m bluegene-l --checkpoint c --every "$word"
done
"$weft" run -m bluegene-l -s machine.dims=2x2x2 -q -j 0.2e1
say $? "-j 0.2e1 is 2"
refuses "weft: unknown command 'fly'; \`weft --help\` lists them" fly
refuses "weft: study 'nostudy' is not known; \`weft study list\` lists those available" study run nostudy
refuses "weft: -s workload.hot_dims=4x4x4: workload.hot_apart needs two nodes outside the hot box, which has 64 of 64; use a smaller workload.hot_dims" \
    run -m bluegene-l -s machine.dims=4x4x4 -w hotregion -s workload.hot_apart=true -s workload.hot_dims=4x4x4
refuses "weft: -w matrix: workload.pattern = matrix needs a file of rates; name it by workload.file" run -m bluegene-l -w matrix
printf '0 1 1\n0 512 1\n' >rates
refuses "weft: rates:2:3: '512' is not a node; use a number below 512, or coordinates as 1/2/3" run -m bluegene-l -w matrix -s workload.file=rates
printf '0 1 1\n0 5/0 1\n' | gzip >rates
refuses "weft: rates:2:3: '5/0' is not a node; use a number below 972" run -m sc5832 -w matrix -s workload.file=rates
printf '1 0 20\n2 0 0.03GB/s\n3 5 100\n' >rates
for machine in "bluegene-l -s machine.dims=4x4x4" "sc5832 -s machine.graph=kautz:2:3" "k-computer -s machine.dims=1x1x1x2x3x2" \
    "dragonfly -s machine.graph=dragonfly:1:2:1" "ideal -s machine.nodes=8"; do
    "$weft" run -q -m $machine -w matrix -s workload.file=rates -s workload.rates=absolute -s workload.cycles=20ms -o r.json && python3 -c '
import json
r = json.load(open("r.json"))
assert abs(r["payload_bytes_delivered"] / r["sim_seconds"] / 150e6 - 1) < 0.03, r["payload_bytes_delivered"] / r["sim_seconds"]
assert r["steady"] and 0 < r["offered_load"] < 0.5, r["offered_load"]'
    say $? "absolute rates are carried as the file has them: ${machine%% *}"
done
printf '0 5 9 # some\n1/2/3 0\n' >nodes
refuses "weft: nodes:2:7: part 1: node 0 is named twice; name each once" run -m bluegene-l -w uniform --on file:nodes
refuses "weft: --on: part 1: '3-9:0' is not a list of nodes; use numbers and ranges, as 0-63,70 or 0-62:2" \
    run -m bluegene-l -w uniform --on 3-9:0
printf '0\n4 8\n' >nodes
"$weft" run -m bluegene-l -s workload.as=packets -w uniform --on file:nodes -o r.json -q && "$weft" run -m bluegene-l -s workload.as=packets \
    -w uniform --on 0-8:4 -o r2.json -q && python3 -c '
import json
a, b = (json.load(open(f)) for f in ("r.json", "r2.json"))
assert a["digest"] == b["digest"] and a["packets_delivered"] > 0'
say $? "nodes of a file are those of a list"
printf '0 1 100GB/s\n' >rates
"$weft" run -q -m torus-pod -s machine.graph=torus:4x4x4 -w matrix -s workload.file=rates -s workload.rates=absolute -o r.json && python3 -c '
import json
r = json.load(open("r.json"))
assert abs(r["offered_load"] - 100 / 50 * 17 / 16) < 1e-6 and not r["steady"], r["offered_load"]'
say $? "rates over a link that must be taken are a share of that link"
for pattern in ring uniform none; do
    "$weft" run -m bluegene-l -s machine.dims=2x2x2 -w $pattern -s workload.rates=absolute >out 2>err &&
        { [ $pattern = none ] || grep -q "^  not used     workload.rates = absolute: $pattern does not use it" out; }
    say $? "absolute rates are a matrix's: $pattern does without"
done
printf '0 1 1e20GB/s\n' >rates
refuses "weft: -s workload.file=rates: the rates of rates come to 2.12e+18 times what can be carried; use at most 1000 times that" \
    run -m torus-pod -s machine.graph=torus:4x4x4 -w matrix -s workload.file=rates -s workload.rates=absolute
"$weft" run -m bluegene-l -s workload.as=packets -w uniform --on 0-8:4 -s workload.load=0.05 -w uniform --on 9-62:2 -s workload.load=0.9 --alone -o r.json >out &&
    grep -q "^  part 2: of 90 % offered: not steady, response grows with time" out &&
    grep -q "^  part 2: no slowdown, since it is steady neither here nor alone" out && python3 -c '
import json
p = json.load(open("r.json"))["parts"]
assert p["part_1"]["steady"] and not p["part_2"]["steady"] and "slowdown" not in p["part_2"]["alone"], p'
say $? "a part that is overloaded is not steady, and has no slowdown"
for place in "" a 0x1 0/0/0; do
    refuses "weft: --on: part 1: '$place' is not a place; use nodes:0-63,70, file:PATH, cells:0-3, or all" \
        run -m bluegene-l -w uniform --on "$place"
done
refuses "weft: --on: part 1: 'a' is not a place; use nodes:0-63,70, file:PATH, or all" run -m sc5832 -w uniform --on a
refuses "weft: --on: part 1: 'a' is not a place; use nodes:0-63,70, file:PATH, cells:0-3, a box as 3x3x2@0/4/1, or all" \
    run -m k-computer -w uniform --on a
refuses "weft: --on: part 1: a partition of this machine is wired apart from all others; run it as a machine of its own, by machine.dims; or name nodes, as nodes:0-63" \
    run -m bluegene-l -w uniform --on 4x4x4
refuses "weft: --on: part 1: file: names no file; name one, as file:nodes.txt" run -m bluegene-l -w uniform --on file:
printf '3/0/0\n' >nodes
refuses "weft: nodes:1:1: part 1: node 3/0/0 is dead; leave it out" run -m bluegene-l -s machine.dead_nodes=3/0/0 -w uniform --on file:nodes

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
refuses "weft: -w uniform has no --on; name the nodes of each of several workloads" run -m bluegene-l -w uniform --on 0-9 -w uniform
refuses "weft: --on 0-9 has no workload; write -w PATTERN --on NODES for each" run -m bluegene-l --on 0-9 -w uniform
refuses "weft: --alone is for several workloads at once; name them by -w PATTERN --on NODES, or leave it out" run -m bluegene-l -w uniform --alone
refuses "weft: --on: part 1: 'speed' is not a setting of ring as messages; use NAME=VALUE, with a NAME of planes, axes, message_bytes, messages, processes_per_node, processes, mapping" \
    run -m bluegene-l -w ring --on 0-9 -s workload.speed=3
printf 'machine: bluegene-l\nworkloads:\n  - {pattern: uniform}\n' >mix.yaml
refuses "weft: mix.yaml:3:15: a workload without its nodes; write {pattern: uniform, on: 0-63, load: 0.3}" run mix.yaml
printf 'machine: bluegene-l\nworkloads:\n  - {on: 0-5, pattern: uniform, load: x}\n' >mix.yaml
refuses "weft: mix.yaml:3:10: part 1: workload.load = 'x' is not a number; use one from 0 to 1000" run mix.yaml
# Three ways to say the same, and what each does alone.
cat >mix.yaml <<EOF
machine: {name: bluegene-l, dims: 4x4x4}
workload: {cycles: 3000}
workloads:
  - {pattern: uniform, on: 0-31, load: 0.2, packet_bytes: [32, 256]}
  - {pattern: permutation, on: nodes:32-63, load: 0.3}
EOF
"$weft" run mix.yaml -q -o a.json &&
    "$weft" run -m bluegene-l -s machine.dims=4x4x4 -s workload.cycles=3000 -w uniform --on 0-31 -s workload.load=0.2 -s workload.packet_bytes=32,256 \
        -w permutation --on 32-63 -s workload.load=0.3 -q -o b.json --alone &&
    "$weft" run -m bluegene-l -s machine.dims=4x4x4 -s workload.cycles=3000 -w parts \
        -s workload.parts="nodes:0-31 uniform load=0.2 packet_bytes=32,256; nodes:32-63 permutation load=0.3" -q -o c.json
say $? "several workloads at once, in three ways"
[ "$(grep '"digest"' a.json)" = "$(grep '"digest"' b.json)" ] && [ "$(grep '"digest"' a.json)" = "$(grep '"digest"' c.json)" ]
say $? "several workloads: the same digests"
[ "$(grep -c '"slowdown"' b.json)" -eq 2 ] && ! grep -q '"slowdown"' a.json
say $? "--alone: how much slower each is than alone"
"$weft" run -m bluegene-l -w alltoall --on 0-7 -w alltoall --on 256-263 --alone >out 2>err
grep -q '^  part 1: 1.000 times as long as alone' out && grep -q '^  part 2: 1.000 times as long as alone' out
say $? "--alone: workloads that do not meet take as long as alone"
refuses "weft: -s workload.burst_gap_cycles=2000: workload.burst_gap_cycles = 2000: at this load a burst and its pause take 738 cycles; use at most that many, longer bursts or less load" \
    run -m sc5832 -s machine.graph=kautz:3:3 -w uniform -s workload.load=0.3 -s workload.burst=geometric -s workload.burst_packets=12 -s workload.burst_gap_cycles=2000
refuses "weft: -s workload.pattern=spiral: workload.pattern = 'spiral' is not known; use one of alltoall, uniform, hotregion, hotspot, neighbour, pingpong, linefill, planefill, nextgroup, transpose, bitcomplement, bitreverse, tornado, shuffle, permutation, matrix, file, pairs, ring, exchange, grid, allreduce, broadcast, reduce, allgather, barrier, program, mpi, goal, replay, parts, survey, jobs, view, none" \
    run -m bluegene-l -s workload.pattern=spiral
refuses "weft: -s machine.dims=2x2x2x2: machine.dims has 4 dimensions; this router has links for 3; use at most 3, or a torus of switches, as -m torus-pod -s machine.graph=torus:2x2x2x2" \
    run -m bluegene-l -s machine.dims=2x2x2x2
refuses "weft: -s machine.wrap=true,true,true,false: machine.wrap has 4 values; machine.dims has 3 dimensions; use one for each, or one for all" \
    run -m bluegene-l -s machine.wrap=true,true,true,false
refuses "weft: -s machine.wrap=true,true,true,true: machine.wrap has a ring along axis a; use values for x, y and z only: a and c are lines, b is a ring" \
    run -m k-computer -s machine.wrap=true,true,true,true
refuses "weft: -s machine.wrap=false,false,false,false,false: machine.wrap has a line along axis b; use values for x, y and z only: a and c are lines, b is a ring" \
    run -m k-computer -s machine.wrap=false,false,false,false,false
"$weft" show k-computer -s machine.wrap=true,false,true,false,true,false >out && grep -q 'wrap .*true,false,true,false,true,false' out
say $? "machine.wrap of all six axes, as a result has it, is taken"
"$weft" run -m k-computer -s machine.dims=2x2x2x2x3x2 -w alltoall --on 1x1x1@0/0/0 -w allreduce --on 1x1x1@1/0/0 --alone >out && grep -q 'times as long as alone' out
say $? "the K computer's parts run alone, too"
"$weft" run -m bluegene-l -s machine.dims=2x3x2 -w uniform -s workload.cycles=500 -q -o rings.json && "$weft" run rings.json -s machine.dims=4x4 -q
say $? "a result's three rings are two of a machine of two dimensions"

# Programs that do what they must not do.
cat >wrong.c <<'C'
#include <stdlib.h>
#include <weft_program.h>
static int deep(int n) { volatile char x[1000]; x[n % 1000] = 1; return n ? deep(n - 1) + x[3] : x[5]; }
void weft_program(weft_task *t)
{
    char data[8] = {0};
    switch (t->argc ? atoi(t->argv[0]) : 0) {
    case 0: if (t->rank == 1) weft_receive(t, 0, data, 8, 7); break;
    case 1: if (t->rank) weft_barrier(t); break;
    case 2: if (t->rank == 1) deep(1000); break;
    case 3: weft_send(t, t->size, data, 8, 0); break;
    case 4: weft_broadcast(t, 99, data, 8); break;
    case 5: weft_allreduce(t, data, 1, WEFT_DOUBLE, WEFT_AND); break;
    case 6: weft_wait(t, 12345); break;
    case 7: weft_release(t, data); break;
    case 8: { weft_request r = weft_start_send(t, 0, data, 8, 0); weft_wait(t, r); weft_wait(t, r); break; }
    case 9: { weft_request r[2] = {weft_start_send(t, 0, data, 8, 0)}; r[1] = r[0]; weft_wait_all(t, r, 2, NULL); break; }
    case 10: weft_alloc(t, SIZE_MAX); break;
    case 11: { weft_data d = {data, (size_t)1 << 33, (size_t)1 << 31, 8}; weft_start_send_data(t, 0, &d, 0); break; }
    case 12: weft_compute(t, 1e300); break;
    case 13: weft_look(t, 99, 0, NULL); break;
    }
}
C
cc -shared -fPIC -O1 -I"$WEFT_DATA/include" -o wrong.so wrong.c
wrong() { # NUMBER TEXT SETTINGS...
    mistake=$1 expected=$2
    shift 2
    "$weft" run -m bluegene-l -s machine.dims=2x2x1 -p ./wrong.so -s workload.arguments="$mistake" "$@" >out 2>err
    code=$?
    [ $code -eq 1 ] && grep -qF "$expected" err && [ ! -s out ]
    verdict=$?
    [ $verdict -eq 0 ] || { echo "# exit $code"; sed 's/^/# /' err; }
    say $verdict "a wrong program: $expected"
}
wrong 0 "process 1 waits for a message from process 0 with tag 7"
wrong 1 "process 1 is in a collective operation that others are not in"
wrong 1 "process 1 waits for a message from process 0, of a collective operation" -s workload.collectives=messages
wrong 2 "a process of the program has overrun its stack; give it more with workload.stack_bytes"
wrong 3 ": sends to a process that does not exist"
wrong 4 ": names a root that does not exist"
wrong 5 ": combines what cannot be combined so"
wrong 6 ": waits for a request that does not exist"
wrong 7 ": releases memory that it was not given"
wrong 8 ": waits for a request that does not exist"
wrong 9 ": waits for one request twice"
wrong 10 ": asks for more memory than there can be"
wrong 11 ": names more data than there can be"
wrong 12 ": computes for longer than the clock can count"
wrong 13 ": probes for a message of a process that does not exist"
"$weft" run -m bluegene-l -s machine.dims=2x2x1 -p halo -s workload.arguments=1x 2>err
[ $? -eq 1 ] && grep -q "argument '1x' is not a whole number" err
say $? "a wrong argument of a program"

printf 'machine: bluegene-l\nworkload:\n  pattern: uniform\n  lod: 1\n' >s.yaml
refuses "weft: s.yaml:4:8: unknown key 'workload.lod'; did you mean 'workload.load'?" run s.yaml
printf 'workload: uniform\n' >s.yaml
refuses "weft: s.yaml:1:1: the study names no machine; add 'machine: bluegene-l'" run s.yaml
printf 'machine: bluegene-l\nworkload: {pattern: uniform\n' >s.yaml
refuses "weft: s.yaml:3:1: did not find expected ',' or '}'; fix the YAML" run s.yaml
# What does not fit together has a place too: that of the key that somebody changed.
printf 'machine: bluegene-l\nworkload: uniform\nrun: {bricks: 2x2}\n' >s.yaml
refuses "weft: s.yaml:3:15: run.bricks = '2x2' does not fit the machine; cut each of its 3 dimensions, as in 2x2x1, or use auto" run s.yaml
printf 'machine: {name: bluegene-l, node: {injection_fifo_bytes: 512,\n  injection_watermark_bytes: 1024}}\n' >s.yaml
refuses "weft: s.yaml:2:30: machine.node.injection_watermark_bytes = 1024 is never reached; use at most machine.node.injection_fifo_bytes, 512" run s.yaml
refuses "weft: -s machine.node.injection_fifo_bytes=100: machine.node.injection_fifo_bytes = 100 does not hold a packet; use at least 256, or 0 for an unbounded FIFO" \
    run -m bluegene-l -s machine.node.injection_fifo_bytes=100
refuses "weft: -s machine.node.reception_fifo_bytes=300: machine.node.reception_fifo_bytes = 300 is not made of whole chunks; use a multiple of 32" \
    run -m bluegene-l -s machine.node.reception_fifo_bytes=300
refuses "weft: -s machine.link.trailer_bytes=9: machine.link.trailer_bytes = 9: the link protocol has trailers of 4; use 4" \
    run -m bluegene-l -s machine.link.protocol=true -s machine.link.ack_bytes=8 -s machine.link.trailer_bytes=9
"$weft" run -m sc5832 -w uniform -s machine.graph=kautz:2:2 -s workload.cycles=500 -q -o rg.json # which sets all keys
refuses "weft: -s machine.dead_nodes=1,2,3: machine.graph has no route from node 4 to node 0; use a graph in which every node reaches every other, or fewer machine.dead_nodes and machine.dead_links" \
    run rg.json -s machine.dead_nodes=1,2,3
printf 'machine: bluegene-l\ncurves:\n  - {name: a}\n' >many.yaml
refuses "weft: many.yaml:3:12: a study of several runs; use \`weft study run many.yaml\`, or \`weft sweep\`" run many.yaml
# Commands that complaints suggest work as they stand.
suggested() { sed -n 's/^[^`]*`weft \([^`]*\)`.*/\1/p' "$1"; }
cp many.yaml many.yml
refuses "weft: many.yml:3:12: a study of several runs; use \`weft study run ./many.yml\`, or \`weft sweep\`" run many.yml
cp many.yaml "it's a study.yaml"
refuses "weft: it's a study.yaml:3:12: a study of several runs; use \`weft study run 'it'\\''s a study.yaml'\`, or \`weft sweep\`" \
    run "it's a study.yaml"
sh -c "'$weft' $(suggested err) -s machine.dims=2x2x2" >out 2>again
say $? "the command that a complaint suggests works, whatever the file's name"
"$weft" run -m bluegene-l -s workload.packets_per_pair=1000 --checkpoint 'my "run".state' >out 2>err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
grep -q "^weft: interrupted at cycle [0-9]*; \`weft resume 'my \"run\".state'\` continues\$" err &&
    sh -c "timeout -s INT 1 '$weft' $(suggested err)" >out 2>again
[ $? -eq 124 ] && grep -q '^weft: interrupted at cycle' again
say $? "the command that goes on from a checkpoint works, whatever the file's name"
# The last word of a torus' state, the cycle of its last sweep, is changed, and the checksum made to fit.
python3 - 'my "run".state' forged.state <<'END'
import struct, sys
ALL = (1 << 64) - 1
data = open(sys.argv[1], "rb").read()[:-16] + b"\xff" * 8
total = 0
for start in range(0, len(data), 1 << 16):
    block = data[start:start + (1 << 16)]
    for word, in struct.iter_unpack("<Q", block + bytes(-len(block) % 8)):
        total = (total ^ word) * 0x9e3779b97f4a7c15 & ALL
        total ^= total >> 29
    total = (total ^ len(block)) * 0xbf58476d1ce4e5b9 & ALL
open(sys.argv[2], "wb").write(data + struct.pack("<Q", total))
END
refuses "weft: forged.state: does not hold what a checkpoint holds (a sweep is still to come); start over" \
    resume forged.state -q
"$weft" run -m bluegene-l -w alltoall -s machine.dims=2x2x2 -s workload.load=0.9 -s workload.packets_per_pair=1 >out &&
    grep -q '^  not used     workload.load = 0.9: alltoall does not use it$' out && [ "$(grep -c 'not used' out)" -eq 1 ]
say $? "a setting that the pattern does not use is named"
"$weft" run -m bluegene-l -w uniform -s machine.dims=4x4x4 -s workload.load=1.2 -o open.json >out &&
    grep -q 'of 120 % offered: not steady, response grows with time$' out && grep -q '"steady": false' open.json &&
    "$weft" run -m bluegene-l -w uniform -s machine.dims=4x4x4 -s workload.load=0.6 -o open.json >out &&
    ! grep -q 'not steady' out && grep -q '"steady": true' open.json && ! grep -q drained open.json
say $? "more load than can be carried is told"
"$weft" run -m bluegene-l -w uniform -s machine.dims=4x4x4 -s workload.load=1.2 -s workload.drain_cycles=100 -o open.json >out &&
    grep -q '^  cut off  ' out && grep -q '"drained": false' open.json
say $? "packets that were cut off are told"
"$weft" run -m bluegene-l -s machine.dims=4x4x4 -s machine.dead_nodes=1/2/3 -s workload.packet_bytes=32,64,256 >out &&
    grep -q '4x4x4, 63 of 64 nodes: alltoall, 1 x 32, 64 or 256 B per pair$' out &&
    grep -q 'the busiest links of a whole machine need .* cycles$' out
say $? "dead nodes are not counted, and the bound is told to be without them"
"$weft" show bluegene-l -s machine.dims=4x4x4 >out && grep -A 1 'machine.dims  *4x4x4$' out | grep -q '^ *-s machine.dims=4x4x4$' &&
    ! grep -A 1 'machine.wrap' out | grep -q -e ' -s '
say $? "show: the source of a value that was overridden is who did"

"$weft" run -m bluegene-l -s machine.dims=4096x4096x64 >out 2>err
[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q '^weft: -s machine.dims=4096x4096x64: machine.dims: 1073741824 nodes need about .* and this computer has .*; use a smaller machine$' err
say $? "a machine too large for the memory is one line and exit 2"

if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod a-w locked
    "$weft" run -m bluegene-l -s machine.dims=2x2x2 -o locked/r.json 2>err
    [ $? -eq 2 ] && grep -q 'Permission denied; name a place that can be written' err
    say $? "an unwritable folder is refused"
else
    echo "ok $((number += 1)) - an unwritable folder is refused # SKIP root may write everywhere"
fi

refuses "weft: .: is a folder; name a file in it" run -m bluegene-l -s machine.dims=2x2x2 -o .
refuses "weft: -s run.?seed=1: unknown key 'run.?seed'; did you mean 'run.seed'?" run -m bluegene-l -s "run.
seed=1"
printf 'machine: bluegene-l\ntitle: none\n' >none.yaml
refuses "weft: ./none.yaml:1:1: the study has no runs; add 'over', 'runs' or 'curves'" study run ./none.yaml
refuses "weft: -s workload.packets_per_pair=4294967295: a node would send 4.29e+09 packets; use fewer workload.packets_per_pair, workload.bytes_per_pair or workload.message_bytes, for at most 2 billion" \
    run -m bluegene-l -s machine.dims=2x1x1 -s workload.packets_per_pair=4294967295
"$weft" run -m bluegene-l -s machine.dims=2x2x2 -q -o target.json && ln -s target.json link.json &&
    "$weft" run -m bluegene-l -s machine.dims=2x2x2 -q -o link.json && [ -L link.json ]
say $? "a link to a result is followed"

# A run: the result's names, one digest for any number of threads, and the config fed back.
"$weft" run -m bluegene-l -w alltoall -s machine.dims=4x4x2 -s workload.packets_per_pair=2 \
    -s run.interval_cycles=2000 -j 2 -q -o r.json >out 2>err
[ $? -eq 0 ] && [ ! -s out ] && [ ! -s err ]
say $? "a quiet run prints nothing"
ls | grep -q 'r.json\..*'
[ $? -ne 0 ]
say $? "no temporary file is left"
python3 - <<'P'
import json
r = json.load(open("r.json"))
for name in """version seed config digest cycles sim_seconds packets_injected packets_delivered packet_hops
payload_bytes_delivered link_utilisation payload_utilisation fraction_of_peak response_cycles vc_share
timeline engine""".split():
    assert name in r, name
assert len(r["digest"]) == 16 and int(r["digest"], 16)
for name in "mean p50 p99 max".split():
    assert name in r["response_cycles"], name
for name in """threads ranks window_cycles events cpu_seconds wall_seconds peak_rss_bytes
packet_hops_per_cpu_second""".split():
    assert name in r["engine"], name
for row in r["timeline"]:
    for name in "cycle packets_delivered link_utilisation".split():
        assert name in row, name
assert r["packets_delivered"] == 32 * 31 * 2 == r["packets_injected"]
assert sum(row["packets_delivered"] for row in r["timeline"]) == r["packets_delivered"]
assert r["config"]["machine"]["dims"] == "4x4x2" and r["config"]["workload"]["pattern"] == "alltoall"
assert abs(sum(r["vc_share"].values()) - 1) < 1e-9
json.dump(r["config"], open("config.json", "w"))
P
say $? "the result has the promised names and adds up"
"$weft" run r.json -q -o again.json && "$weft" run config.json -q -j 3 -o third.json
digest() { sed -n 's/^ *"digest": "\(.*\)",/\1/p' "$1"; }
[ -n "$(digest r.json)" ] && [ "$(digest r.json)" = "$(digest again.json)" ] &&
    [ "$(digest r.json)" = "$(digest third.json)" ]
say $? "a result, and its config alone, run again to the same digest"

"$weft" run -m bluegene-l -j 2 -s machine.dims=16x16x1 -s workload.packet_bytes=32,256 \
    -s workload.packets_per_pair=10 -s workload.packets_per_visit=10 -s workload.dynamic_share=0 \
    -s machine.router.in_network_share=0 -s machine.router.bubble_rule=actual_size --seed 2 -o dead.json >out 2>err
[ $? -eq 1 ] && head -n 1 err | grep -q '^weft: deadlock: .* 16 buffers wait for each other:$' &&
    grep -q '"deadlock"' dead.json
say $? "a deadlock is exit 1, explained, and in the result"

"$weft" show bluegene-l -s machine.dims=64x32x32 >out 2>err
[ $? -eq 0 ] && grep -q 'all-to-all at peak     66.7 % of all links busy, 59.3 % with payload' out
say $? "show prints the peak of an asymmetric machine"
"$weft" show bluegene-l | grep -q 'zero-load hop          16 cycles = 91.4 ns'
say $? "show prints the time of a hop"
[ "$("$weft" machines | cut -d' ' -f1 | tr '\n' ' ')" = "bluegene-l bluegene-l-sim2003 bluegene-p dragonfly fat-tree ideal k-computer sc5832 torus-pod " ]
say $? "machines lists all of them"
printf 'fabric: torus\nnic: tni\n' >odd.yaml
refuses "weft: odd.yaml:1:1: fabric torus has no nic 'tni': its engines choose among the paths of Tofu; use 'nic: fifo' or 'nic: dma'" show odd.yaml
printf 'base: bluegene-l\nnic: dma\n' >odd.yaml
refuses "weft: odd.yaml:1:7: a machine with a base has the nic of its base; remove 'base' or 'nic'" show odd.yaml
refuses "weft: -s machine.node.injection_fifo_bytes=0: machine.node.injection_fifo_bytes = 0: the FIFOs that a DMA engine fills are bounded; use a multiple of 32, at least 256" \
    run -m bluegene-p -s machine.node.injection_fifo_bytes=0
refuses "weft: -s machine.node.injection_choice=direction: packets cannot choose among unbounded injection FIFOs; use machine.node.injection_choice=turn, or give machine.node.injection_fifo_bytes" \
    run -m bluegene-l-sim2003 -s machine.node.injection_choice=direction
printf 'base: sc5832\nfabric: torus\n' >mine.yaml
refuses "weft: ./mine.yaml:1:7: a machine with a base has the fabric of its base; remove 'base' or 'fabric'" run -m ./mine.yaml
printf 'base: ./mine.yaml\n' >mine.yaml
refuses "weft: ./mine.yaml:1:7: more than 8 machine files are each other's base; give one of them a fabric and all keys" run -m ./mine.yaml
mkdir -p bases && printf 'base: other.yaml\n' >bases/mine.yaml && printf 'base: ideal\nlatency_ns: 5\n' >bases/other.yaml
"$weft" show bases/mine.yaml | grep -q 'latency_ns *5 '
say $? "a base is looked for beside the file that names it"
"$weft" run -m bluegene-l -w pingpong -s machine.dims=2x2x1 -s machine.software_header_bytes=0 -s workload.message_bytes=0 \
    -s machine.link.bit_error_rate=1e-4 -s workload.messages=100 --check -q
say $? "a packet has at least one chunk"
printf 'base: bluegene-l\nnode: {packet_read_cycles: {source: nowhere}}\n' >mine.yaml
refuses "weft: ./mine.yaml:2:37: 'machine.node.packet_read_cycles' has no value here; add 'value: ...' beside it" run -m ./mine.yaml
refuses "weft: -s machine.node.injection_choice=direction: the message layer chooses the injection FIFOs of its packets; use machine.node.injection_choice=turn" \
    run -m bluegene-l -w exchange -s machine.node.injection_choice=direction
printf 'base: sc5833\n' >mine.yaml
refuses "weft: ./mine.yaml:1:7: machine 'sc5833' is not known; did you mean 'sc5832'?" run -m ./mine.yaml
[ "$("$weft" show bluegene-l -s machine.link.mb_per_s=2.8Gb/s -s machine.router.request_cycles=90ns | awk '$1 ~ /link.mb_per_s|request_cycles/ {printf "%s ", $2}')" = "350 32 " ]
say $? "units: rates in bits, times that become cycles"
printf 'name: mine\nbase: bluegene-l\nlink: {mb_per_s: {value: 350, unit: MB/s, source: "an early plan"}, gap_bytes: 3}\n' >mine.yaml
"$weft" show ./mine.yaml >out 2>err
[ $? -eq 0 ] && grep -q "link.mb_per_s .*350.*an early plan" out && grep -q "link.gap_bytes *3 *B *$" out && grep -q "^mine, 8x8x8" out
say $? "a machine is its base but for what it says itself, its name for one"
# ---- several at once ----
small="-m k-computer -s machine.dims=6x6x3x2x3x2 -w parts"
"$weft" run $small -s workload.parts="3x3x2 alltoall messages=1; nodes:0-20 ring" -o parts.json >out 2>err
[ $? -eq 0 ] && grep -q "^    2  *ring  *21 " out && grep -qE "^         on nodes:0-20, digest [0-9a-f]{16}$" out && ! grep "^    .*part\|^    [12] \|digest" out | grep -q '.\{81\}' && grep -q '"part_2": {' parts.json && grep -q '"place": "nodes:0-20"' parts.json
say $? "parts: a table, and an object for each"
digest=$(sed -n 's/^         on 3x3x2, digest \([0-9a-f]*\)$/\1/p' out)
"$weft" run $small -s workload.parts="3x3x2 alltoall messages=1" >out 2>err
[ "$digest" ] && [ "$digest" = "$(sed -n 's/^         on 3x3x2, digest \([0-9a-f]*\)$/\1/p' out)" ]
say $? "parts: the same alone"
"$weft" sweep $small -s workload.parts="3x3x2 uniform; 3x3x2@3/0/0 uniform load=0.1" --over workload.load=0.1,0.2 --metric parts.part_1.response_cycles.mean >out 2>err
[ $? -eq 0 ] && grep -q "^0.2 " out
say $? "parts: a sweep over what they have in common"
printf 'machine: {name: k-computer, dims: 6x6x3x2x3x2}\nworkload:\n  pattern: parts\n  parts: |\n    1x1x1 ring;\n    1x1x1@1/0/0\talltoall\n' >parts.yaml
"$weft" run parts.yaml >out 2>err && grep -q "^    2    alltoall" out && grep -q "^         on 1x1x1@1/0/0, digest" out
say $? "parts: on lines of a file"
refuses "weft: --over workload.parts: its values have semicolons themselves; sweep what parts have in common, as workload.load, or write a study" \
    sweep $small --over "workload.parts=1x1x1 ring;2x1x1 ring" --metric sim_seconds
refuses "weft: -s workload.parts=garbage: part 1: it has no pattern; write PLACE PATTERN, as 4x4x4@0/0/0 alltoall" check $small -s workload.parts=garbage
refuses "weft: -s workload.parts=nodes:0-7 uniform packet_bytes=33: part 1: workload.packet_bytes = 33 is not a packet size; use a multiple of 32 from 32 to 256, or several joined by commas" \
    run -m bluegene-l -w parts -s "workload.parts=nodes:0-7 uniform packet_bytes=33"
refuses "weft: -s workload.parts=nodes:0,5,77 pingpong hops=9: part 1: workload.hops = 9: no node is that far from the first; use 3 or 5" \
    run -m bluegene-l -w parts -s "workload.parts=nodes:0,5,77 pingpong hops=9"
refuses "weft: -s workload.parts=3x3x2 alltoall; 1x1x1 ring: part 2: node 36 is in part 1 already; use other nodes" run $small -s "workload.parts=3x3x2 alltoall; 1x1x1 ring"
refuses "weft: -s workload.parts=1x1x1 ring: part 1: a partition of this machine is wired apart from all others; run it as a machine of its own, by machine.dims; or name nodes, as nodes:0-63" \
    run -m bluegene-l -w parts -s "workload.parts=1x1x1 ring"
refuses "weft: -s workload.parts=2x2x2 ring: part 1: this machine has no cells for jobs; name nodes, as nodes:0-63" run -m sc5832 -w parts -s "workload.parts=2x2x2 ring"

# ---- traces in GOAL ----
printf 'num_ranks 3\nrank 0 {\na: send 8b to 1\nb: calc 5\nb requires c\n}\n' >label.goal
refuses "weft: label.goal:5:12: no operation has the label 'c' so far; label one, above" \
    run -m ideal -w goal -s workload.file=label.goal
printf 'num_ranks 3\nrank 0 {\na: calc 1\nb: calc 5\nb requires a\na requires b\n}\n' >circle.goal
refuses "weft: circle.goal:3:1: this operation waits for itself, through others; remove one of the \`requires\` of rank 0" \
    run -m ideal -w goal -s workload.file=circle.goal
printf 'num_ranks 3\nrank 0 {\na: send 8b to 1 tag 7\n}\nrank 1 {\na: recv 8b from 0 tag 7\n}\n' >three.goal
refuses "weft: -s workload.file=three.goal: the trace three.goal has 3 ranks, and 2 nodes with 1 process each make 2; use a larger machine, or more workload.processes_per_node" \
    run -m ideal -s machine.nodes=2 -w goal -s workload.file=three.goal
refuses "weft: -s workload.file=three.goal: messages with tags, or of 4 GiB and more, cannot leave their process; run the trace without --checkpoint" \
    run -m ideal -w goal -s workload.file=three.goal --checkpoint state
refuses "weft: -w goal: no trace is named; name a file in GOAL by workload.file" run -m ideal -w goal
refuses "weft: nowhere.goal: No such file or directory; name a trace in GOAL" run -m ideal -w goal -s workload.file=nowhere.goal
"$weft" goal --convert three.goal -o three.bin && head -c 100 three.bin >short.bin
refuses "weft: short.bin: byte 14: rank 0 lies outside of the file, or on its head; make it again, by txt2bin or \`weft goal --convert\`" \
    run -m ideal -w goal -s workload.file=short.bin
"$weft" run -m ideal -w goal -s workload.file=three.goal >out && grep -q '^  trace        3 ranks, 1 message, 8 bytes$' out &&
    grep -q '^ideal 512, 512 nodes: goal three.goal$' out
say $? "a trace: what it held"
[ "$("$weft" goal barrier -n 2 messages=1)" = "num_ranks 2

rank 0 {
l0: send 0b to 1
l1: recv 0b from 1
}

rank 1 {
l0: send 0b to 0
l1: recv 0b from 0
}" ]
say $? "goal: a pattern as text"
"$weft" goal --list >out && grep -q '^  allreduce              algorithm=doubling or halving$' out &&
    grep -q '^    bytes=32768          B    of a face$' out && [ "$(wc -L <out)" -le 100 ]
say $? "goal --list lines up"
refuses "weft: 'uniform' is no pattern of messages and no skeleton; \`weft goal --list\` lists them" goal uniform
refuses "weft: no pattern and no skeleton; \`weft goal --list\` lists them" goal
refuses "weft: halo has no 'wings'; \`weft goal --list\` lists what it has" goal halo -n 8 wings=2
refuses "weft: no number of ranks; give -n RANKS or grid=" goal halo
refuses "weft: grid=2x2x2 is no grid of 9 ranks in 3 dimensions; use 3 sides whose product is that" goal halo -n 9 grid=2x2x2
refuses "weft: 10 ranks are not data=0 times tensor=4 times pipeline=4; use numbers whose product they are" goal training -n 10
refuses "weft: algorithm=tree: this machine has no tree network and no global interrupts; use another workload.algorithm" goal allreduce -n 4 algorithm=tree
refuses "weft: messages=0: workload.messages = 0: the run must end; use 1 or more" goal allreduce -n 4 messages=0
refuses "weft: no file to write; name it by -o" goal --convert three.goal
refuses "weft: --convert and -o name the same file; use two" goal --convert three.goal -o three.goal

# ---- jobs that share a machine ----
cat >log.swf <<'S'
; MaxProcs: 100
1 0 -1 100 50 -1 -1 50 200 -1 1 1 1 1 1 1 -1 -1
; a comment in the middle
2 10 -1 100 100 -1 -1 100 100 -1 1 1 1 1 1 1 -1 -1
3 20 -1 50 -1 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1
4 5 -1 30 2 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1
5 30 -1 -1 25 -1 -1 25 100 -1 0 1 1 1 1 1 -1 -1
6 40 -1 10 0 -1 -1 -1 100 -1 0 1 1 1 1 1 -1 -1
S
gzip -k log.swf
"$weft" jobs log.swf -m k-computer --csv jobs.csv -o jobs.json --check >out 2>err
[ $? -eq 0 ] && grep -q "4 jobs of log.swf" out && grep -q "1 job without a run time: left out" out &&
    grep -q "1 job without processors: left out" out && grep -q "1 job not in the order of submit times: sorted" out &&
    [ "$(cut -d, -f1,8 jobs.csv | tr '\n' ' ')" = "job,start_s 1,0 4,5 2,100 3,20 " ] && grep -q '"jobs_finished": 4' jobs.json
say $? "jobs: a log with gaps; EASY lets the job start early that ends in time"
"$weft" jobs log.swf.gz -m k-computer -o packed.json -q && [ "$(grep '"digest"' packed.json)" = "$(grep '"digest"' jobs.json)" ]
say $? "jobs: gzip-compressed, the same"
"$weft" jobs log.swf -m k-computer --policy fcfs --csv jobs.csv -q && [ "$(cut -d, -f1,8 jobs.csv | tr '\n' ' ')" = "job,start_s 1,0 4,5 2,100 3,200 " ]
say $? "jobs: first come, first served"
"$weft" jobs -m bluegene-l -s machine.dims=32x16x16 -s jobs.count=200 --policy conservative --shapes rotations --check -o jobs.json >out 2>err &&
    grep -q "to 8 192 nodes in 16 cells of 512" out && grep -q '"jobs_finished": 200' jobs.json
say $? "jobs: generated, on midplanes"
head -n 3 log.swf >cut.swf && echo "2 10 -1 100 many" >>cut.swf
refuses "weft: cut.swf:4:13: 'many' is not a number of processors; write 18 numbers per job, -1 for what is not known, and ';' before comments" jobs cut.swf -m k-computer
refuses "weft: no machine; name one with -m; \`weft machines\` lists them" jobs log.swf
refuses "weft: --policy best: jobs.policy = 'best' is not known; use one of fcfs, easy, conservative" jobs log.swf -m k-computer --policy best
refuses "weft: machine sc5832 has no cells to give to jobs; use one that is a torus or a Tofu network, as k-computer" jobs log.swf -m sc5832
refuses "weft: machine ideal has no cells to give to jobs; use one that is a torus or a Tofu network, as k-computer" jobs -m ideal
refuses "weft: none.swf: No such file or directory; name a log of jobs, or leave jobs.log out to generate jobs" jobs none.swf -m k-computer
refuses "weft: -s jobs.large_nodes=100: jobs.large_nodes: partitions of this machine cannot leave nodes out; use 0" jobs log.swf -m bluegene-l -s jobs.large_nodes=100
refuses "weft: the log and --csv name the same file; use different ones" jobs log.swf -m k-computer --csv log.swf
refuses "weft: --csv and --gantt name the same file; use different ones" jobs log.swf -m k-computer --csv both --gantt both
refuses "weft: -s machine.dims=65x1x2x2x3x2: jobs can be placed on at most 64 groups along x, not 65; use fewer" jobs log.swf -m k-computer -s machine.dims=65x1x2x2x3x2
refuses "weft: -s jobs.mtbf_hours=1e-300: jobs.mtbf_hours = 1e-300: nodes fail too often; use 0, for never, or at least 1" jobs log.swf -m k-computer -s jobs.mtbf_hours=1e-300
refuses "weft: --load 1e-300: jobs.load = 1e-300 is too small; use 0, for the log's own, or at least 1e-6" jobs log.swf -m k-computer --load 1e-300
refuses "weft: -s jobs.box=30x1x1: jobs.box = '30x1x1' does not fit into the machine; it has 24x18x16 cells for jobs" run -m k-computer -w view -s jobs.box=30x1x1
refuses "weft: -s jobs.planes=xa,yb: jobs.planes = 'xa,yb' does not name planes that have each axis once; use one to three, as xb,ya,zc or xyzacb: the last of each is a, b or c" run -m k-computer -w view -s jobs.planes=xa,yb
refuses "weft: -s workload.pattern=alltoall: \`weft jobs\` runs no other pattern than jobs; use \`weft run\`" jobs log.swf -m k-computer -s workload.pattern=alltoall
refuses "weft: -s jobs.log=other.swf: the log is 'log.swf' already; name one log" jobs log.swf -m k-computer -s jobs.log=other.swf
refuses "weft: -s jobs.processors=4294967295: jobs.processors = 4294967295 is out of range; use 1 to 4294967294" jobs log.swf -m k-computer -s jobs.processors=4294967295
refuses "weft: -s jobs.axes=2: jobs.axes = 2: a view of this machine has the machine's axes; use 3, or leave it out" run -m bluegene-l -w view -s jobs.axes=2
refuses "weft: -s jobs.axes=2: jobs.axes = 2, but jobs.planes names 3; leave jobs.axes out" run -m k-computer -w view -s jobs.planes=xb,ya,zc -s jobs.axes=2
refuses "weft: -s jobs.coordinate=99: jobs.coordinate = 99: the first axis of the view has 48 nodes; use 0 to 47" run -m k-computer -w view -s jobs.coordinate=99
head -n 2 log.swf >single.swf
refuses "weft: --load 1: jobs.load: all jobs of the log are submitted at once; use 0: there are no times to scale" jobs single.swf -m k-computer --load 1
"$weft" jobs single.swf -m k-computer >out 2>err && grep -q "1 job of single.swf over 0 s" out
say $? "jobs: one job"
echo "2 10 -1 2e10 100 -1 -1 100 100 -1 1 1 1 1 1 1 -1 -1" >long.swf
refuses "weft: long.swf:1:9: a run time of 2e10 is out of range; use at most 10000000000" jobs long.swf -m k-computer
{ cat log.swf && echo "7 -1 -1 0 25 -1 -1 25 100 -1 1 1 1 1 1 1 -1 -1"; } >gaps.swf
"$weft" jobs gaps.swf -m k-computer -o jobs.json >out 2>err && grep -q "1 job without a submit time: taken as 0" out &&
    grep -q "1 job with a run time of 0: taken as 1 s" out && grep -q '"no_submit_time": 1' jobs.json && grep -q '"zero_run_time": 1' jobs.json
say $? "jobs: no submit time, no run time"
"$weft" jobs -m k-computer -s jobs.count=100 -s jobs.mtbf_hours=2000 -s jobs.most_lost=0 --csv jobs.csv --check -q &&
    [ "$(awk -F, 'NR > 1 && ($6 == "finished") != ($10 != "" && $11 != "")' jobs.csv | wc -l)" -eq 0 ] && grep -q ',failed,1,[0-9]' jobs.csv
say $? "jobs: those that were lost have a start, but no wait and no slowdown"
# ---- pages ----

refuses "weft: no result; name at least one that \`weft run -o\` wrote" view
refuses "weft: nowhere.json: No such file or directory; name a result, or make one by \`weft run -o RESULT.json\`" view nowhere.json
mkdir -p folder && refuses "weft: folder: Is a directory; name a result" view folder
printf 'machine: bluegene-l\n' >study.yaml
refuses "weft: study.yaml:1:7: not JSON: '[' or '{' expected near 'machine'; name a file that \`weft run -o\` wrote" view study.yaml
echo '{"a": 1}' >other.json
refuses "weft: other.json: is not a result of Weft: it has no version or digest; name a file that \`weft run -o\` wrote" view other.json
"$weft" run -m bluegene-l -s machine.dims=2x2x2 -q -o page.json
head -c 300 page.json >cut.json
"$weft" view cut.json 2>err; [ $? -eq 2 ] && grep -q '^weft: cut.json:[0-9]*:[0-9]*: not JSON: ' err && [ "$(wc -l <err)" -eq 1 ] && [ ! -e cut.html ]
say $? "view: refuses a result that was cut, and writes nothing"
cp page.json page.copy
refuses "weft: the page would take the place of page.copy; name another file by -o" view page.copy -o page.copy
refuses "weft: -o page.json: a page is HTML; use a name that ends in .html" view page.json -o page.json
refuses "weft: /nowhere/p.html: No such file or directory; name a place that can be written" view page.json -o /nowhere/p.html
# shellcheck disable=SC2046
refuses "weft: 17 results; name at most 16" view $(yes page.json | head -n 17)
[ "$("$weft" view page.json)" = "page.html: open it in a browser" ] && grep -q '^<!doctype html>' page.html && grep -q "$(sed -n 's/.*"digest": "\(.*\)".*/\1/p' page.json)" page.html
say $? "view: a page beside the result, which holds it"
gzip -k page.json && "$weft" view page.json.gz page.json -o - >two.html && [ "$(grep -o '"name":"page.json[.gz]*"' two.html | wc -l)" -eq 2 ]
say $? "view: packed results, several of them, to standard output"
sed 's|"digest": "|&</script><!--|' page.json >evil.json && "$weft" view evil.json -o - >evil.html && ! grep -q '"digest":"</script' evil.html && grep -q '"digest":"\\u003c/script>\\u003c!--' evil.html
say $? "view: nothing in a result ends its script"
# Sections with wrong sizes, and numbers of what does not exist.
cat >section.py <<'P'
import base64, json, sys, zlib
result = json.load(open("page.json"))
pack = lambda *bytes: base64.b64encode(zlib.compress(b"".join(bytes))).decode()
u32 = lambda *numbers: b"".join(n.to_bytes(4, "little") for n in numbers)
vertices, share = {"type": "u32", "index_of": "vertices"}, {"type": "u16", "one": 65535, "per": "link"}
columns = {"from": {**vertices, "per": "link"}, "to": {**vertices, "per": "link"}, "utilisation": share,
           "direction": {"type": "u8", "per": "link", "index_of": "directions"}}
links = {"columns": columns, "count": 2, "vertices": 8, "dims": [2, 2, 2], "wrap": [True] * 3, "kind": "torus", "directions": ["x+", "x-"], "vcs": ["D0"],
         "from": pack(u32(0, 1)), "to": pack(u32(1, 0)), "direction": pack(b"\0\1"), "utilisation": pack(b"\0\1\2\3")}
exec(sys.argv[1])
result["each_link"] = links
json.dump(result, open("section.json", "w"))
P
python3 section.py pass && "$weft" view section.json >out 2>err
say $? "view: a section of links"
broken() { # PYTHON WHAT
    python3 section.py "$1"
    refuses "weft: section.json: $2; write the result again by \`weft run\`" view section.json
}
broken 'links["to"] = pack(u32(1, 8))' "each_link.to names something that does not exist"
broken 'links["from"] = pack(u32(1))' "each_link.from is damaged, or has another length than the section says"
broken 'links["from"] = pack(u32(1, 0, 1))' "each_link.from is damaged, or has another length than the section says"
broken 'links["switches"] = 4; columns["switch_of_host"] = {**vertices, "per": "host"}; links["switch_of_host"] = pack(u32(4, 5, 6, 8))' "each_link.switch_of_host names something that does not exist"
broken 'links["direction"] = pack(b"\0\2")' "each_link.direction names something that does not exist"
broken 'links["utilisation"] = "no base64"' "each_link.utilisation is damaged, or has another length than the section says"
broken 'del links["utilisation"]' "each_link.utilisation is missing"
broken 'links["count"] = 1 << 27' "each_link.from is damaged, or has another length than the section says"
broken 'del links["columns"]' "each_link.columns is missing, as in results of older versions"
broken 'share["one"] = 255' "each_link.utilisation is not described by the section's columns as Weft writes it"
broken 'columns["warm"] = share' "each_link.warm is a column that this version does not know"
broken 'links["state"] = pack(b"\0\3"); links["states"] = ["good", "bad", "dead"]; columns["state"] = {**columns["direction"], "index_of": "states"}' \
    "each_link.state names something that does not exist"
broken 'links["count"] = -1' "each_link.count is not a whole number in range"
broken 'links["dims"] = [2, 2, 3]' "each_link.dims are not the sizes of this machine"
broken 'links["vcs"] = [1]' "each_link.vcs is not a list of names"
broken 'links["directions"] = []' "each_link.directions is not a list of names"
broken 'links["rows"] = 1 << 20; columns["timeline"] = {"type": "u8", "one": 255, "per": "row link"}; links["timeline"] = pack(bytes(20))' "each_link.timeline is damaged, or has another length than the section says"
broken 'result["each_node"] = {"count": 8, "columns": {"sent_packets": {"type": "u32", "per": "node"}}, "sent_packets": pack(u32(1))}' "each_node.sent_packets is damaged, or has another length than the section says"
"$weft" jobs -m k-computer -s jobs.count=20 -q -o jobs.json && "$weft" view jobs.json >out && python3 -c '
import base64, json, zlib
jobs = json.load(open("jobs.json"))
runs = jobs["jobs"]["runs"]
size = zlib.decompress(base64.b64decode(runs["size"]))
assert runs["cells"] == [24, 18, 16] and runs["count"] == jobs["job_runs"] and len(size) == 6 * runs["count"]'
say $? "view: jobs, with where they were"
"$weft" run -m bluegene-l -s machine.dims=4x4x4 -w uniform --on 0-31 -w uniform --on 40-63 -q -o parts.json && "$weft" view parts.json >out && python3 -c '
import base64, json, zlib
of = json.load(open("parts.json"))["part_of_node"]
part = zlib.decompress(base64.b64decode(of["part"]))[::2]
assert of["count"] == 64 and part == bytes([1] * 32 + [0] * 8 + [2] * 24)'
say $? "view: parts, with the part of each node"
latin=$(printf 'n\344chste.txt') && echo '0 1 2 3' >"$latin" &&
    "$weft" run -m bluegene-l -s machine.dims=2x2x2 -w parts -s workload.parts="file:$latin uniform" -q -o "$latin.json" && "$weft" view "$latin.json" -o - >latin.html &&
    grep -q '"name":"n?chste.txt.json"' latin.html && grep -q '"place": "file:n?chste.txt"' "$latin.json" && grep -q '"parts": "file:n?chste.txt uniform"' "$latin.json"
say $? "names that are not UTF-8 are in the result"

"$weft" study list | grep -q '^alltoall-512 '
say $? "study list lists the first study"
"$weft" keys | grep -q '^workload.load '
say $? "keys lists the keys"
[ "$("$weft" --version)" = "weft 0.2.0" ]
say $? "version"
commands="run mpirun jobs goal mpicc mpicxx mpif90 resume sweep view compare study check bench machines show keys help version"
[ "$("$weft" --help | sed -n 's/^  weft \([a-z0-9]*\).*/\1/p' | tr '\n' ' ')" = "$commands " ]
say $? "--help has every command"
{
    "$weft" --help
    for command in $commands; do "$weft" $command --help; done
    "$weft" keys
    for machine in bluegene-l ideal k-computer sc5832; do "$weft" show $machine; done
} >out 2>err && [ ! -s err ] && [ "$(wc -l <out)" -gt 300 ] && ! grep -n '.\{101\}' out
say $? "help, keys and machines fit 100 columns"
"$weft" run -m bluegene-l --help >out && "$weft" run -h | cmp -s - out && grep -q '^  -m MACHINE  *the machine: ' out &&
    grep -q '^  --every SECONDS ' out && ! grep -q -e --over out
say $? "a command's help has its own options"
refuses "weft: unknown command 'fly'; \`weft --help\` lists them" fly --help
"$weft" keys | sed -n '/^machine.link.protocol /{N;p;q;}' | tail -n 1 | grep -q '^ \{4\}[^ ]'
say $? "keys: a long meaning continues under its column"

# A study: table, verdicts, files; exit 1 if a claim is missed.
cat >small.yaml <<'S'
title: Small
machine: bluegene-l
workload: {pattern: alltoall}
runs:
  - {name: one, x: 1, set: {machine.dims: 2x2x2}}
  - {name: two, x: 2, set: {machine.dims: 2x2x1}}
plot: {metric: fraction_of_peak, x: size, y: share}
claims:
  - {id: X1, says: half, of: "at(Weft, fraction_of_peak, 1)", value: 0.5, tolerance: 0.5}
  - {id: X2, says: nine, of: "at(Weft, fraction_of_peak, 2)", value: 9, tolerance: 0.1}
S
"$weft" study check ./small.yaml >out 2>err
[ $? -eq 1 ] && grep -q '^X1 .* ok  *half$' out && grep -q '^X2 .* MISSED  *nine$' out &&
    [ "$(tail -n 1 out)" = "verdicts: 1 ok, 1 missed" ]
say $? "study check judges, counts, and exits 1 when a claim is missed"
sed -e 's/^machine:/seeds: 3\n&/' -e 's/{id: X2,/{id: X2, known: both, note: it cannot be,/' \
    -e 's/{id: X1,/{id: X1, kind: calibrated,/' small.yaml >seeds.yaml
cat >>seeds.yaml <<'S'
  - {id: X3, kind: formula, says: one, of: "1", value: 1, tolerance: 0}
  - {id: X4, kind: both, weft: 1, says: two, of: "1", value: 2, tolerance: 0}
S
"$weft" study check ./seeds.yaml >out 2>err
[ $? -eq 0 ] && grep -qE '^X1 .* \+- [0-9.e-]+ +calibrated +half$' out && grep -q '^X2 .* known missed nine$' out &&
    [ "$(tail -n 1 out)" = "verdicts: 0 ok, 1 calibrated, 1 formula, 1 both shown, 1 known missed, 0 missed" ]
say $? "a study has seeds, kinds of verdicts, and misses that are known"
cat >unsteady.yaml <<'S'
machine: {name: bluegene-l, dims: 4x4x4}
workload: {pattern: uniform, load: 2, warmup_cycles: 0, cycles: 5000}
curves:
  - {name: Weft}
plot: {metric: link_utilisation}
claims:
  - {id: X1, says: time, of: "at(Weft, response_cycles.mean, 0)", above: 1}
  - {id: X2, says: busy, of: "at(Weft, link_utilisation, 0)", above: 0.5}
S
"$weft" study check ./unsteady.yaml >out 2>err
[ $? -eq 1 ] && grep -q '^X1 .* not judged ' out && grep -q 'is not steady: .* arrive; it is saturated' out &&
    [ "$(tail -n 1 out)" = "verdicts: 1 ok, 0 missed, 1 not judged" ]
say $? "response times of a run that is not steady are not judged"
sed 's/known: both, note: it cannot be/known: both/' seeds.yaml >without.yaml
refuses "weft: ./without.yaml:11:43: claim 'X2' is known to be missed, without a reason; say why in 'note'" study check ./without.yaml
sed 's/seeds: 3/seeds: 0/' seeds.yaml >without.yaml
refuses "weft: ./without.yaml:2:8: '0' is not a number of seeds; use 1 to 10" study check ./without.yaml
refuses "weft: the study has seeds of its own; remove --seed" study check ./seeds.yaml --seed 7
sed 's/kind: both/kind: none/' seeds.yaml >without.yaml
refuses "weft: ./without.yaml:13:20: 'none' is not known; use one of measured, calibrated, formula, both" study check ./without.yaml
sed 's/weft: 1, //' seeds.yaml >without.yaml
refuses "weft: ./without.yaml:13:41: claim 'X4' must have both or neither of 'kind: both' and 'weft'; say in 'weft' what comes out here" \
    study check ./without.yaml
sed 's/weft: 1, /weft: 3, /' seeds.yaml >without.yaml
"$weft" study check ./without.yaml >out 2>err
[ $? -eq 1 ] && grep -q '^X4 .* MISSED  *two$' out
say $? "both are shown only if Weft gives what the study says"
"$weft" study run ./small.yaml >out 2>err
[ $? -eq 0 ] && [ "$(wc -l <weft-small.csv)" -eq 3 ] && grep -q 'data: weft-small.csv' out
say $? "study run writes its data"

# Interrupted: nothing half-written.
"$weft" run -m bluegene-l -s workload.packets_per_pair=1000 -o long.json >out 2>err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
[ $? -eq 1 ] && grep -q '^weft: interrupted at cycle .*; nothing was written$' err && [ ! -e long.json ] &&
    ! ls | grep -q 'long.json'
say $? "SIGINT ends a run and leaves nothing behind"

# gives_up EXPECTED ARGS...: SIGTERM a second after the start, in the middle of what takes far longer:
# within two seconds exit 1, exactly this line on stderr, and no result. What was allocated by then is
# lost on purpose: no leak to be told of.
gives_up() {
    expected=$1
    shift
    ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$weft" "$@" >out 2>err &
    pid=$!
    sleep 1
    start=$(date +%s%N)
    kill -TERM $pid
    wait $pid
    code=$? took=$((($(date +%s%N) - start) / 1000000))
    [ "$code" -eq 1 ] && [ "$took" -lt 2000 ] && [ "$(cat err)" = "$expected" ] && ! ls | grep -q 'given-up.json'
    verdict=$?
    [ "$verdict" -eq 0 ] || { echo "# weft $*: exit $code after $took ms"; sed 's/^/# /' err; }
    say "$verdict" "gives up when told to: $*"
}
gives_up "weft: interrupted; nothing was decided" \
    check -m sc5832 -s machine.graph=kautz:3:9 -s machine.router.vcs=5 -s machine.router.buffer_packets=5
gives_up "weft: interrupted; nothing was decided" \
    check -m bluegene-l -s machine.dims=64x32x32 -s machine.dead_nodes=1/2/3,20/9/9,40/20/20
gives_up "weft: interrupted before the first cycle; nothing was written" \
    run -m bluegene-l -s machine.dims=64x32x32 -s machine.dead_nodes=1/2/3,20/9/9,40/20/20 -o given-up.json
gives_up "weft: interrupted before the first cycle; nothing was written" \
    run -m sc5832 -w uniform -s machine.graph=kautz:3:9 -s machine.router.vcs=5 -s machine.router.buffer_packets=5 \
    -o given-up.json
gives_up "weft: interrupted before the first cycle; nothing was written" \
    run -m sc5832 -w survey -s machine.graph=kautz:3:7 -s machine.router.vcs=5 -s machine.router.buffer_packets=5 \
    -o given-up.json

# A run in a deep folder puts its result there, from wherever it is resumed; too deep a one is refused at once.
cat >deep.py <<'P'
import os, sys
depth, out, *command = sys.argv[1:]
for _ in range(int(depth)):  # 200 letters each
    os.makedirs("d" * 199, exist_ok=True)
    os.chdir("d" * 199)
os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
os.execv(command[0], command)
P
rm -f state
python3 deep.py 15 "$folder/err" "$weft" run -m bluegene-l -q -o deep.json -s machine.dims=4x4x4 \
    -s workload.packets_per_pair=300 --checkpoint "$folder/state" --every 0.1 &
pid=$!
until [ -e state ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
kill -INT $pid
wait $pid
grep -q 'continues$' err && "$weft" resume state -q -j 2 && [ ! -e deep.json ] && [ "$(find . -path './ddd*/deep.json' | wc -l)" -eq 1 ]
say $? "a relative -o in a folder 3000 letters deep is found again"
python3 deep.py 30 "$folder/err" "$weft" run -m bluegene-l -o deep.json --checkpoint "$folder/state" >out
[ $? -eq 2 ] && [ ! -s out ] &&
    [ "$(cat err)" = "weft: -o deep.json: the full path, which the checkpoint keeps, is over 4079 bytes long; use a shorter one, or start in another folder" ]
say $? "a relative -o in a folder 6000 letters deep is refused at once"

# Sweeps: a table, a CSV, a plot; done again they are read, not run; interrupted they go on.
refuses "weft: nothing to sweep over; add --over KEY=V1,V2,... (\`weft keys\` lists keys)" sweep -m bluegene-l
refuses "weft: nothing to sweep; name a study or a machine (-m)" sweep --over run.seed=1,2
refuses "weft: --over run.seed has no value; write --over run.seed=V1,V2,..." sweep -m bluegene-l --over run.seed
refuses "weft: --over run.sead=1: unknown key 'run.sead'; did you mean 'run.seed'?" sweep -m bluegene-l --over run.sead=1,2
refuses "weft: 32 curves are too many for one plot; use at most 16" sweep -m bluegene-l --over run.seed=1 \
    --over machine.router.paths=1,2,3,4 --over run.interval_cycles=1,2,3,4,5,6,7,8
sweep="sweep -m bluegene-l -w uniform -s machine.dims=2x2x2 --over workload.load=0.2,0.4,0.6 --over machine.router.paths=1,2 --metric response_cycles.mean"
cut_sweep="$sweep -o cut"
sweep="$sweep -o sweep-bluegene-l"
# shellcheck disable=SC2086  # a list of words
"$weft" $sweep -j 2 >out 2>err && [ "$(wc -l <weft-sweep-bluegene-l.csv)" -eq 7 ] &&
    grep -q '^workload.load *paths 1 *paths 2$' out && [ "$(ls weft-sweep-bluegene-l | wc -l)" -eq 6 ]
say $? "sweep over two keys"
cp weft-sweep-bluegene-l.csv first.csv
rm "weft-sweep-bluegene-l/$(ls weft-sweep-bluegene-l | head -1)"
# shellcheck disable=SC2086
"$weft" $sweep >out 2>err && grep -q '^5 of 6 results were in weft-sweep-bluegene-l already$' out &&
    cmp -s first.csv weft-sweep-bluegene-l.csv
say $? "a sweep goes on where it stopped"
for kept in weft-sweep-bluegene-l/*; do break; done
head -c 300 "$kept" >short && mv short "$kept"
# shellcheck disable=SC2086
"$weft" $sweep >out 2>err && grep -q '^5 of 6 results were in weft-sweep-bluegene-l already$' out &&
    cmp -s first.csv weft-sweep-bluegene-l.csv
say $? "a sweep makes a result anew that was cut short"
# Without gnuplot, or with one that fails, there is a table and data, and a line that says why there is no plot.
mkdir bin
no_plot() { # WHY NAME: of a sweep (three times: no SIGPIPE by chance) and of a study
    wrong=0
    for _ in 1 2 3; do
        # shellcheck disable=SC2086
        PATH="$folder/bin" "$weft" $sweep >out 2>err || wrong=1
    done
    [ $wrong -eq 0 ] && [ "$(tail -n 1 out)" = "no plot: $1" ] && [ ! -s err ] &&
        grep -q '^data: weft-sweep-bluegene-l.csv, results: weft-sweep-bluegene-l/$' out
    verdict=$?
    [ $verdict -eq 0 ] || { echo "# wrong: $wrong"; sed 's/^/# /' out err; }
    say $verdict "sweep: no plot: $2"
    PATH="$folder/bin" "$weft" study run ./small.yaml >out 2>err && [ "$(tail -n 1 out)" = "no plot: $1" ]
    say $? "study run: no plot: $2"
}
fake_gnuplot() { # COMMANDS
    printf '#!/bin/sh\n%s\n' "$1" >bin/gnuplot
    chmod +x bin/gnuplot
}
no_plot "gnuplot is not installed" "gnuplot is not there"
fake_gnuplot "echo >&2; echo 'gnuplot> set x' >&2; echo '         line 3: no such option' >&2; exit 2"
no_plot "gnuplot failed: no such option" "gnuplot complains of a line"
fake_gnuplot "echo 'libgd.so.3: cannot open' >&2; exit 127"
no_plot "gnuplot failed: libgd.so.3: cannot open" "gnuplot does not start"
fake_gnuplot "exit 3"
no_plot "gnuplot failed without a message (exit 3)" "gnuplot only fails"
fake_gnuplot 'kill -9 $$'
no_plot "gnuplot was killed by signal 9" "gnuplot is killed"
chmod -x bin/gnuplot
no_plot "gnuplot cannot be run: Permission denied" "gnuplot may not be run"
fake_gnuplot 'while read -r line; do case $line in *pngcairo*) echo "no pngcairo" >&2; exit 1;; esac; done'
# shellcheck disable=SC2086
PATH="$folder/bin" "$weft" $sweep >out 2>err && [ "$(tail -n 1 out)" = "no .png: gnuplot failed: no pngcairo" ] &&
    grep -q '^plot: weft-sweep-bluegene-l.svg, data: ' out
say $? "sweep: a picture, but no .png"
# Names come from the file's, without its folder and suffix.
cp "$WEFT_DATA/machines/bluegene-l.yaml" mine.v2.yaml
"$weft" sweep -m "$folder/mine.v2.yaml" -s machine.dims=2x2x2 --over run.seed=1,2 >out 2>err &&
    [ "$(ls weft-sweep-mine.v2 | wc -l)" -eq 2 ] && [ "$(wc -l <"$(ls weft-sweep-mine.v2-seed-????.csv)")" -eq 3 ] &&
    grep -q 'data: weft-sweep-mine.v2-seed-....\.csv, results: weft-sweep-mine.v2/$' out
say $? "a sweep of a machine file is named after the file"
cp small.yaml small.v2.yaml
"$weft" study run "$folder/small.v2.yaml" >out 2>err && [ -s weft-small.v2.csv ]
say $? "a study is named after its file"
# Processes that have a word among their arguments.
with_word() { grep -lsz -- "^$1\$" /proc/[0-9]*/cmdline; }
# interrupts SIGNAL CODE ARGS...: with workers at work, ends within 2 s and leaves no worker
interrupts() {
    signal=$1 expected=$2
    shift 2
    word=$$$signal # a seed that nobody else has
    word=$(echo "$word" | cksum | cut -d' ' -f1)
    "$weft" "$@" -s run.seed="$word" -j 2 >out 2>err &
    pid=$!
    until [ "$(with_word run.seed="$word" | wc -l)" -ge 2 ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
    sleep 0.5
    before=$(date +%s%N)
    kill -"$signal" $pid
    wait $pid 2>/dev/null
    code=$?
    while [ -n "$(with_word run.seed="$word")" ] && [ $(($(date +%s%N) - before)) -lt 2000000000 ]; do sleep 0.05; done
    took=$((($(date +%s%N) - before) / 1000000))
    left=$(with_word run.seed="$word")
    [ -z "$left" ] && [ $code -eq "$expected" ] && [ $took -lt 2000 ]
    verdict=$?
    [ $verdict -eq 0 ] || echo "# exit $code after $took ms; still there: $left"
    for process in $left; do kill -9 "$(echo "$process" | cut -d/ -f3)"; done
    return $verdict
}
for signal in INT TERM HUP; do
    interrupts $signal 1 sweep -m bluegene-l --over workload.packets_per_pair=1000,2000 -o cut &&
        [ "$(cat err)" = "weft: interrupted; what is done stays in weft-cut, and the same command continues from there" ] &&
        [ -z "$(ls weft-cut)" ]
    say $? "SIG$signal ends a sweep and its workers, and leaves nothing half-done"
done
interrupts KILL 137 sweep -m bluegene-l --over workload.packets_per_pair=1000,2000 -o cut
say $? "SIGKILL of a sweep ends its workers"
sed 's/{pattern: alltoall}/{pattern: alltoall, packets_per_pair: 1000}/; s/2x2x[12]/8x8x8/' small.yaml >long.yaml
mkdir passing
export TMPDIR="$folder/passing"
interrupts INT 1 study check ./long.yaml && [ "$(cat err)" = "weft: interrupted; nothing was kept" ] && [ -z "$(ls passing)" ]
say $? "SIGINT of a study check: nothing is kept, and that is told"
rmdir passing
refuses "weft: $folder/passing: No such file or directory; make room there, or set TMPDIR to another folder" \
    study check ./small.yaml
unset TMPDIR
# shellcheck disable=SC2086
"$weft" $cut_sweep -q && rm "weft-cut/$(ls weft-cut | head -1)" && touch weft-cut/0123456789abcdef.json.part &&
    "$weft" $cut_sweep -q && [ "$(ls weft-cut | wc -l)" -eq 6 ] && ! ls weft-cut | grep -q part
say $? "a sweep removes what was being written when another was killed"
if env --ignore-signal=CHLD true 2>/dev/null; then
    rm -r weft-cut
    # shellcheck disable=SC2086
    env --ignore-signal=CHLD "$weft" $cut_sweep >out 2>err && [ "$(ls weft-cut | wc -l)" -eq 6 ] && grep -q '^plot: ' out
    say $? "a sweep works though whoever started it ignores SIGCHLD"
fi

# Claims: figures, statistics over time, verdicts; complaints with their place.
cat >claims.yaml <<'S'
title: Claims
machine: bluegene-l
workload: {pattern: uniform, load: 0.8, cycles: 20000, warmup_cycles: 0, drain_cycles: 1}
run: {interval_cycles: 1000}
small: {machine.dims: 2x2x2}
full: {machine.dims: 4x4x4}
curves:
  - {name: one, set: {machine.router.paths: 1}}
  - {name: two}
plot: {timeline: link_utilisation, x: cycle, y: busy}
claims:
  - {id: C1, says: busy, of: "mean(two, link_utilisation, 0.2, 1)", value: 0.8, tolerance: 0.12}
  - {id: C2, says: never, of: "at(one, response_cycles.mean, 0) / at(two, response_cycles.mean, 0)", above: 50}
S
"$weft" study check ./claims.yaml -j 2 >out 2>err
[ $? -eq 1 ] && grep -q '^C1 .* ok *busy$' out && grep -q '^C2 *> 50 .* MISSED *never$' out &&
    [ ! -e weft-claims ]
say $? "study check judges claims and leaves nothing behind"
"$weft" study run ./claims.yaml --full >out 2>err && [ "$(head -1 weft-claims.csv)" = 'cycle,"one","two"' ] &&
    [ "$(wc -l <weft-claims.csv)" -eq 21 ]
say $? "study run --full writes its timeline"
sed 's/mean(two/mean(three/' claims.yaml >wrong.yaml
refuses "weft: ./wrong.yaml:12:30: no curve is named 'three'; use one of the study's" study check ./wrong.yaml -q
sed 's/"mean.*1)"/"mean(two"/' claims.yaml >wrong.yaml
refuses "weft: ./wrong.yaml:12:30: 'mean(two', character 9: ',' is missing; add it" study check ./wrong.yaml -q
sed 's/, above: 50//' claims.yaml >wrong.yaml
refuses "weft: ./wrong.yaml:13:31: claim 'C2' says nothing to check; give it 'of' and value, above or below" study check ./wrong.yaml -q

for word in 0x1p-1 ' 0.8' nan many; do
    sed "s/value: 0.8/value: '$word'/" claims.yaml >wrong.yaml
    refuses "weft: ./wrong.yaml:12:76: '$word' is not a number; use one such as 42, 0.5 or 1e6" study check ./wrong.yaml -q
done
sed 's/value: 0.8/value: 1e-400/' claims.yaml >wrong.yaml
refuses "weft: ./wrong.yaml:12:76: '1e-400' is out of range; use 0, or a number between 1e-307 and 1e308" study check ./wrong.yaml -q

refuses "weft: \`weft run\` has no option --full; \`weft run --help\` lists the options" run -m bluegene-l --full
refuses "weft: \`weft run\` has no option --over; \`weft run --help\` lists the options" run -m bluegene-l --over run.seed=1,2
# Benchmarks: one row, its JSON, and no others.
refuses "weft: 'dark' is not a row of the benchmark; \`weft bench --help\` lists them" bench dark
refuses "weft: \`weft bench\` has no option -m; \`weft bench --help\` lists the options" bench -m bluegene-l
refuses "weft: \`weft show\` has no option -w; \`weft show --help\` lists the options" show ideal -w uniform
refuses "weft: \`weft sweep\` has no option --check; \`weft sweep --help\` lists the options" sweep -m ideal --check
refuses "weft: --repeat '0' is not a number of passes; use 1 to 1000" bench --repeat 0
refuses "weft: -j '1,,2' is not a number of threads; use 1 to 4096" bench -j 1,,2
refuses "weft: -j with a list is for \`weft bench\`; use one number" run -m bluegene-l -j 1,2
refuses "weft: \`weft study\` has no option --repeat; \`weft study --help\` lists the options" study list --repeat 2
"$weft" bench alltoall 8x8x8 -o bench.json >out 2>err && python3 - <<'PYTHON'
import json
bench = json.load(open("bench.json"))
row, = bench["rows"]
assert (row["traffic"], row["dims"], row["nodes"]) == ("alltoall", "8x8x8", 512)
assert row["packet_hops"] == 512 * 6 * 512  # mean distance 6 with itself at 0
assert row["packet_hops_per_cpu_second"] > 0 and row["simulated_us_per_wall_second"] > 0
assert row["threads"] == 1 and 2 < row["events_per_packet_hop"] < 4
assert bench["stages"] == []
PYTHON
say $? "bench: one row"
"$weft" bench alltoall 8x8x8 -j 2,1 --repeat 2 -o bench.json >out 2>err && python3 - <<'PYTHON'
import json
two, one = json.load(open("bench.json"))["rows"]
assert (two["threads"], one["threads"]) == (2, 1)
assert two["packet_hops"] == one["packet_hops"]
PYTHON
say $? "bench: two numbers of threads, two passes"

# judges CODE WORDS ARGS...: exit 0 (proved) or 1 (doubted), and these words
judged=bluegene-l
judges() {
    expected=$1 words=$2
    shift 2
    "$weft" check -m $judged "$@" >out 2>err
    code=$?
    [ "$code" -eq "$expected" ] && grep -q "$words" out && [ ! -s err ]
    verdict=$?
    [ "$verdict" -eq 0 ] || { echo "# weft check $*: exit $code"; sed 's/^/# /' out err; }
    say "$verdict" "check: $words: $*"
}
pair="-s machine.router.escape=dateline"
order="-s machine.router.escape_order=direction"
judges 0 "impossible; the bubble"
# shellcheck disable=SC2086
judges 0 "impossible; the bubble" $order
# shellcheck disable=SC2086
judges 0 "impossible; no cycle" $pair
# shellcheck disable=SC2086
judges 0 "impossible; no cycle" $pair $order
judges 0 "impossible" -s machine.dims=1x1x1
judges 0 "impossible" -s machine.dims=2x1x1
# shellcheck disable=SC2086
judges 0 "impossible" -s machine.dims=3x5x7 $pair
# shellcheck disable=SC2086
judges 0 "impossible; no cycle" $pair -s machine.router.dateline=3,0,5
judges 0 "impossible; no cycle" -s machine.router.escape=none -s machine.wrap=false
judges 1 "node (.*) port [xyz][+-] VC BN" -s machine.router.escape=none
# shellcheck disable=SC2086
judges 1 "node (.*) port [xyz][+-] VC EL" $pair -s machine.router.dateline=none
# shellcheck disable=SC2086
judges 1 "node (.*) port [xyz][+-] VC EL" $pair $order -s machine.router.dateline=7,7,8
judges 1 "below full size" -s machine.router.bubble_rule=actual_size -s workload.packet_bytes=32,256
judges 1 "not proved: 6 nodes" -s machine.dead_nodes=1/1/1
judges 0 "every pair of its 512 living nodes" -s machine.dead_links=1/1/1:x+ -s workload.dynamic_share=0
judges 1 "not proved: 2 nodes" -s machine.dead_links=1/1/1:x+ -s workload.dynamic_share=0 -w ring # all are dynamic
refuses "weft: -s machine.dead_nodes=1/2/3,4/2/3: machine.dead_nodes, machine.dead_links: no hint bits lead a dynamic packet from node 2/0/0 to node 0/2/3 around them; name fewer" \
    run -m bluegene-l -s machine.dead_nodes=1/2/3,4/2/3
refuses "weft: -s machine.dead_nodes=8/0/0: machine.dead_nodes = '8/0/0' names no node of this machine; use coordinates as 1/2/3, joined by commas, or none" \
    run -m bluegene-l -s machine.dead_nodes=8/0/0
refuses "weft: -s machine.router.dateline=1,2: machine.router.dateline = '1,2' is not valid; use highest, none, or a coordinate per dimension as 7,7,7" \
    run -m bluegene-l -s machine.router.dateline=1,2

# Corruption that no check saw is no success.
"$weft" run -m bluegene-l -w alltoall -s machine.dims=2x2x2 -s workload.packets_per_pair=100 -q \
    -s machine.link.bit_error_rate=1e-5 -s machine.link.crc_bits=0 -o r.json 2>err
code=$?
[ $code -eq 1 ] && grep -q "links differ at their ends" err && [ -s r.json ]
say $? "differing link CRCs: exit 1, with the result written"
refuses "weft: -s machine.dead_nodes=1/0/0: machine.dead_nodes, machine.dead_links: no hint bits lead a fixed-path packet from node 0/0/0 to node 1/1/0 around them; use workload.dynamic_share = 1 and workload.high_share = 0" \
    run -m bluegene-l -s machine.dims=4x4x1 -s machine.dead_nodes=1/0/0 -s machine.router.dynamic_vcs=0
refuses "weft: -s machine.link.bad_links=1/1/1:x+@5--3: machine.link.bad_links = '1/1/1:x+@5--3' is not valid; use up to 16 as 1/2/3:x+@1000-5000, joined by commas, or none" \
    run -m bluegene-l -s machine.link.bad_links=1/1/1:x+@5--3
sed 's/^dead_nodes:.*/dead_nodes: {value: [1\/2\/3, 0\/0\/1], source: test}/' "$WEFT_DATA/machines/bluegene-l.yaml" >m.yaml
"$weft" show ./m.yaml >out 2>err && grep -q '^  machine.dead_nodes  *1/2/3,0/0/1 ' out &&
    "$weft" check -m ./m.yaml | grep -q "510 living nodes"
say $? "a machine file lists dead nodes"

# ---- the SC5832 ----

judged=sc5832
judges 0 "^deadlock: impossible; the 46656 channels .* whatever the routes; .*(up to 6 hops) need 4 VCs, and there are 4$"
judges 0 "^routes: every pair of its 972 nodes has one$"
judges 0 "need 2 VCs" -s machine.graph=kautz:3:3 -s machine.router.vcs=2
judges 0 "impossible" -s machine.graph=kautz:1:1 -s machine.router.vcs=1
judges 0 "every pair of its 971 living nodes" -s machine.dead_nodes=7 -s 'machine.dead_links=0>971'
# No shortest route comes back to a node, so that no cycle of turns is shorter than four.
judges 1 "^deadlock: possible; 4 channels wait for each other:$" -s machine.router.vc_rule=none
judges 1 "^deadlock: possible; 4 channels wait for each other:$" -s machine.router.vc_rule=none \
    -s machine.graph=kautz:2:3 -s machine.router.vcs=1
judges 1 "^  link [0-9]*>[0-9]*, output [0-2] next, VC0$" -s machine.router.vc_rule=none
refuses "weft: -s machine.router.vcs=3: machine.router.vcs = 3: the shortest route of machine.graph from node 1 to node 0 needs 4 by the decrement rule; use that many" \
    check -m sc5832 -s machine.router.vcs=3

"$weft" show sc5832 >out 2>err
[ $? -eq 0 ] && grep -q '^  Kautz, d = 3; bound (d+1) d^k / 2k  *4/40  *5/97  *6/243$' out &&
    grep -q '^  2-D torus in the paper: .* 31.2/31.2$' out && grep -q '^  3-D torus in the paper: .* 14.9/98.1$' out
say $? "show prints KAUTZ, Table 1"
grep -q '^  nodes  *972 of degree 3, 5832 processors$' out && grep -q '^  diameter  *6 hops$' out &&
    grep -q '^  zero-load hop  *10 cycles = 50.0 ns$' out
say $? "show prints nodes, diameter and the time of a hop"

# refused EXPECTED SETTINGS...: of the SC5832; each setting for a -s
refused() {
    expected=$1
    shift
    for setting; do
        set -- "$@" -s "$setting"
        shift
    done
    refuses "weft: $expected" run -m sc5832 -w pingpong "$@"
}
refused "-s machine.dims=8x8x8: 'machine.dims' is not a key of machines whose fabric is crosspoint; \`weft keys\` lists the keys of each" \
    machine.dims=8x8x8
refused "-s run.bricks=1x1x1: 'run.bricks' is not a key of machines whose fabric is crosspoint; \`weft keys\` lists the keys of each" \
    run.bricks=1x1x1
refused "-s machine.router.vcz=2: unknown key 'machine.router.vcz'; did you mean 'machine.router.vcs'?" \
    machine.router.vcz=2
refuses "weft: -s machine.graph=kautz:2:2: 'machine.graph' is not a key of machines whose fabric is torus; \`weft keys\` lists the keys of each" \
    run -m bluegene-l -s machine.graph=kautz:2:2
refused "-s workload.pattern=hotregion: workload.pattern = hotregion needs coordinates, which this machine does not have; use one of alltoall, uniform, hotspot, neighbour, pingpong, transpose, bitcomplement, bitreverse, shuffle, permutation, matrix, file, pairs, ring, grid, allreduce, broadcast, reduce, allgather, barrier, program, mpi, goal, replay, parts, survey, none" \
    workload.pattern=hotregion
refuses "weft: -w survey: workload.pattern = survey needs a graph to survey, which this machine does not have; use one of alltoall, uniform, hotregion, hotspot, neighbour, pingpong, linefill, planefill, transpose, bitcomplement, bitreverse, tornado, shuffle, permutation, matrix, file, pairs, ring, exchange, grid, allreduce, broadcast, reduce, allgather, barrier, program, mpi, goal, replay, parts, jobs, view, none" \
    run -m bluegene-l -w survey
refuses "weft: -s workload.as=packets: workload.pattern = ring is only for messages; use workload.as = auto" \
    run -m bluegene-l -w ring -s workload.as=packets
refuses "weft: -s workload.as=messages: workload.pattern = uniform is only for packets; use workload.as = auto" \
    run -m bluegene-l -w uniform -s workload.as=messages
refused "-s workload.pattern=uniform: workload.pattern = uniform is only for packets; use workload.as = auto" \
    workload.as=messages workload.pattern=uniform
refuses "weft: -s workload.processes_per_node=2: workload.processes_per_node = 2: a node has 1 processor; use at most that many" \
    run -m bluegene-l -w ring -s workload.processes_per_node=2
refuses "weft: -s workload.hops=13: workload.hops = 13: no node is that far from the first; use 1 to 12" \
    run -m bluegene-l -w pingpong -s workload.as=messages -s workload.hops=13
"$weft" run -m bluegene-l -w ring -s machine.dims=4x4x2 -s workload.messages=2 -s workload.high_share=0.5 -o r.json >out &&
    grep -q '4x4x2, 32 nodes: ring, 240 B messages$' out && grep -q '^  processes  *32, ' out &&
    grep -q '^  not used     workload.high_share = 0.5: ring does not use it$' out &&
    grep -q '"messages_received": 128.0' r.json && "$weft" run r.json -q -j 3 -o again.json &&
    [ "$(digest r.json)" = "$(digest again.json)" ]
say $? "messages on a torus"
"$weft" run -m sc5832 -w alltoall -s machine.graph=kautz:2:3 -s workload.as=packets -s workload.packets_per_pair=3 -o r.json >out &&
    grep -q 'kautz:2:3, 12 nodes: alltoall, 3 x 128 B per pair$' out && grep -q 'the busiest links need .* cycles$' out &&
    grep -q '"packets_delivered": 396' r.json && "$weft" run r.json -q -j 3 -o again.json &&
    [ "$(digest r.json)" = "$(digest again.json)" ]
say $? "packets of an all-to-all on a graph"

refused "-s machine.graph=kautz:3: machine.graph: 'kautz:3' is not a Kautz graph; use kautz:DEGREE:DIAMETER, as kautz:3:6" machine.graph=kautz:3
refused "-s machine.graph=kautz:3:6x: machine.graph: 'kautz:3:6x' is not a Kautz graph; use kautz:DEGREE:DIAMETER, as kautz:3:6" machine.graph=kautz:3:6x
refused "-s machine.graph=kautz:-1:2: machine.graph: 'kautz:-1:2' is not a Kautz graph; use kautz:DEGREE:DIAMETER, as kautz:3:6" machine.graph=kautz:-1:2
refused "-s machine.graph=kautz:0:3: machine.graph: kautz:0:3 has degree 0; use a degree from 1 to 7" machine.graph=kautz:0:3
refused "-s machine.graph=kautz:8:2: machine.graph: kautz:8:2 has degree 8; use a degree from 1 to 7" machine.graph=kautz:8:2
refused "-s machine.graph=kautz:3:0: machine.graph: kautz:3:0 has diameter 0; use a diameter above 0" machine.graph=kautz:3:0
refused "-s machine.graph=kautz:1:2: machine.graph: kautz:1:2 has only two nodes, one hop apart; use kautz:1:1 or a larger degree" machine.graph=kautz:1:2
refused "-s machine.graph=kautz:3:11: machine.graph: kautz:3:11 has more than 65536 nodes; use a diameter of at most 9" machine.graph=kautz:3:11
refused "-s machine.graph=nofile: machine.graph: nofile: No such file or directory; name a graph file, or a graph as kautz:DEGREE:DIAMETER" machine.graph=nofile
refused "-s machine.graph=.: machine.graph: .: Is a directory; name a graph file" machine.graph=.
form="write one line per node, FROM: TO TO ..., as 0: 1 2"
bad_file() { # TEXT EXPECTED
    printf "$1" >bad
    refused "bad:$2" machine.graph=bad
}
switch_form="SWITCH HOSTS: TO TO ..., as 0 4: 1 2"
bad_file '' "1:1: no node; $form; or per switch, $switch_form"
bad_file '0\n' "1:2: no ':' after node 0; $form"
bad_file '0 1\n' "1:4: no ':' after the number of hosts; write one line per switch, $switch_form"
bad_file '0: 1\n1: x\n' "2:4: 'x' is not a node number; $form"
bad_file '0: 0\n' "1:4: a link from node 0 to itself; remove it"
bad_file '0: 1 1\n1: 0\n' "1:6: a second link from node 0 to node 1; keep one: ports are identified by their neighbour"
bad_file '0: 1\n1: 0 2\n' "2:6: there is no node 2; give it a line or remove the link"
bad_file '0: 1\n1: 0\n0: 1\n' "3:1: node 0 already has line 1; give all its links on one line"
bad_file '0: 1 2 3 4 5 6 7 8\n' "1:18: more than 7 links out of node 0; remove some"
printf '0: 1\n1:\n' >bad
refused "-s machine.graph=bad: machine.graph has no route from node 1 to node 0; use a graph in which every node reaches every other, or fewer machine.dead_nodes and machine.dead_links" \
    machine.graph=bad

refused "-s machine.router.vcs=3: machine.router.vcs = 3: the shortest route of machine.graph from node 1 to node 0 needs 4 by the decrement rule; use that many" \
    machine.router.vcs=3
refused "-s machine.router.buffer_packets=3: machine.router.vcs = 4: each needs an entry of its own in a crosspoint buffer of 3; use fewer VCs, or more machine.router.buffer_packets" \
    machine.router.buffer_packets=3
refused "-s machine.dead_nodes=1,972: machine.dead_nodes: '972' is not a node; use numbers from 0 to 971" machine.dead_nodes=1,972
refused "-s machine.dead_nodes=1/2/3: machine.dead_nodes: '1/2/3' is not a node; use numbers from 0 to 971" machine.dead_nodes=1/2/3
refused "-s machine.dead_nodes=0,1: machine.dead_nodes: no node is left; name fewer" machine.graph=kautz:1:1 machine.dead_nodes=0,1
refused "-s machine.dead_links=0>5: machine.dead_links: '0>5' is not a link, or is named twice; use FROM>TO of two linked nodes" 'machine.dead_links=0>5'
refused "-s machine.dead_links=0>971,0>971: machine.dead_links: '0>971' is not a link, or is named twice; use FROM>TO of two linked nodes" \
    'machine.dead_links=0>971,0>971'
refused "-s machine.dead_links=0>971,0>970,0>969: machine.graph has no route from node 0 to node 1; use a graph in which every node reaches every other, or fewer machine.dead_nodes and machine.dead_links" \
    'machine.dead_links=0>971,0>970,0>969'
refused "-s machine.link.bad_links=0>5@1-2: machine.link.bad_links = '0>5@1-2' is not valid; use up to 16 as 5>77@1000-5000, joined by commas, or none" \
    'machine.link.bad_links=0>5@1-2'
refused "-s machine.link.bad_links=0>971@5-3: machine.link.bad_links = '0>971@5-3' is not valid; use up to 16 as 5>77@1000-5000, joined by commas, or none" \
    'machine.link.bad_links=0>971@5-3'
refused "-s machine.link.control_bytes=14: machine.link.control_bytes = 14 is too small for the map of 4 outputs; use 15 or more" \
    machine.link.protocol=true machine.link.control_bytes=14
refused "-s machine.link.control_bytes=14: machine.link.control_bytes = 14 is too small for the map of 4 outputs; use 15 or more" \
    machine.link.bit_error_rate=1e-9 machine.link.control_bytes=14
refused "-s machine.router.bypass_cycles=0: a hop takes no time; use machine.router.bypass_cycles or machine.link.wire_cycles above 0" \
    machine.link.wire_cycles=0 machine.router.bypass_cycles=0
refused "-s workload.hops=0: workload.hops = 0 is within a node, which has one process; use workload.processes_per_node above 1, or 1 to 6" \
    workload.hops=0
refused "-s workload.hops=0: workload.hops = 0: no node is that far from the first; use 1 to 6" workload.hops=0 workload.as=packets
refused "-s machine.dma.packet_bytes=145: machine.dma.packet_bytes = 145 is more than a packet of this network holds; use at most 144" machine.dma.packet_bytes=145
refused "-s workload.packet_bytes=8,129: workload.packet_bytes = 129: a packet holds 128 (machine.dma.packet_bytes); use at most 128" \
    workload.packet_bytes=8,129
refused "-s workload.processes=1000: workload.processes = 1000: 972 nodes with 1 each make 972; use at most that many, or more workload.processes_per_node" \
    workload.processes=1000
refused "-s workload.processes_per_node=7: workload.processes_per_node = 7: a node has 6 processors; use at most that many" workload.processes_per_node=7
refused "-s workload.pairs=487: workload.pairs = 487: there are 972 processes; use at most half as many" workload.pattern=pairs workload.pairs=487
refused "-s workload.hops=7: workload.hops = 7: no node is that far from the first; use 1 to 6" workload.hops=7
refused "-s workload.messages=0: workload.messages = 0: the run must end; use 1 or more" workload.pattern=allreduce workload.messages=0
refused "-s workload.message_bytes=4294967296: workload.message_bytes is too large; use at most 4294967295" workload.message_bytes=4294967296
refused "-s workload.processes=900: a pingpong has two processes and must end; use workload.processes = 0 and workload.messages above 0" \
    workload.processes=900
refused "-s run.partitions=1000: run.partitions = 1000 is not possible; use 1 to 972, or 0" \
    run.partitions=1000

"$weft" run -m sc5832 -w uniform -s machine.graph=kautz:2:3 -s machine.router.vc_rule=none -s machine.router.vcs=1 \
    -s machine.router.buffer_packets=1 -s workload.load=3 -s machine.dma.mb_per_s=10000 -s run.stall_cycles=20000 \
    -q -o dead.json >out 2>err
[ $? -eq 1 ] && head -n 1 err | grep -q '^weft: deadlock: .* [0-9]* buffers wait for each other:$' &&
    grep -q '^  node [0-9]* crosspoint [0-2],[0-2] VC0, 1 packets, waits for$' err && grep -q '"deadlock"' dead.json
say $? "a deadlock of the SC5832 is exit 1, explained, and in the result"
"$weft" run -m sc5832 -w alltoall -s machine.graph=kautz:2:3 -s 'machine.link.bad_links=4>3@100-' \
    -s run.stall_cycles=100000 -q >out 2>err
[ $? -eq 1 ] && grep -q '^weft: deadlock: .* 1 link has sent over and over in vain (if dead, mark in machine.dead_links): 4>3$' err
say $? "a link that never comes through is exit 1 and named"
"$weft" run -m sc5832 -w pairs -s machine.graph=kautz:2:3 -s workload.message_bytes=5000 -j 2 -q -o r.json &&
    "$weft" run r.json -q -o again.json && [ -n "$(digest r.json)" ] && [ "$(digest r.json)" = "$(digest again.json)" ]
say $? "a result of the SC5832 runs again to the same digest"
printf '0: 1\n1: 2\n2: 0\n' >ring
"$weft" run -m sc5832 -w neighbour -s machine.graph=ring -s machine.router.vcs=2 -q -o r.json 2>err &&
    grep -q '"graph": "ring"' r.json
say $? "a graph file"
mkfifo pipe
for machine in sc5832 fat-tree; do # nobody writes: whoever opened it would wait for ever
    refuses "weft: -s machine.graph=pipe: machine.graph: pipe: is not a file but a pipe or a device, and a graph file is read several times; write it to a file first" \
        run -m $machine -s machine.graph=pipe
done

# ---- the K computer ----

judged=k-computer
judges 0 "^deadlock: impossible; the channels of links (4 VCs) never wait in a cycle, on any of the 12 paths in either order, whatever node, board, group or link is dead$" \
    -s machine.dims=3x1x2x2x3x2
judges 0 "^routes: every pair of its 72 nodes has one$" -s machine.dims=3x1x2x2x3x2
judges 0 "every pair of its 55 living nodes" -s machine.dims=3x1x2x2x3x2 -s machine.dead_groups=1/0/1 -s machine.dead_boards=0/0/0/2 \
    -s machine.dead_nodes=2/0/0/1/1/1 -s machine.dead_links=0/0/0/0/0/0:x-
judges 1 "^deadlock: possible; 2 channels wait for each other:$" -s machine.dims=3x1x2x2x3x2 -s machine.router.vcs=3
judges 1 "^  link 0/0/0/0/0/0:z+, I0$" -s machine.dims=3x1x2x2x3x2 -s machine.router.vcs=3
judges 1 "^deadlock: possible; [0-9]* channels wait for each other:$" -s machine.dims=3x1x2x2x3x2 -s machine.wrap=false -s machine.router.vcs=3

"$weft" show k-computer >out 2>err
[ $? -eq 0 ] && [ "$(head -n 1 out)" = "k-computer, 24x18x17x2x3x2" ] &&
    grep -q '^  nodes  *88 128 in 7 344 groups of twelve; 5 184 of them for I/O$' out &&
    grep -q '^  links, one way  *881 280 at 5000 MB/s, 10 per node$' out && grep -q '^  diameter  *32 hops$' out &&
    grep -q '^  full packet  *2008 B of payload in 256 lines: 4902.3 MB/s per link$' out &&
    grep -q '^  node  *50000 MB/s into and out of 10 links, 19609.4 MB/s by 4 engines$' out &&
    grep -q '^  zero-load hop  *62 cycles = 99.2 ns$' out
say $? "show prints nodes, links, engines and the time of a hop"
"$weft" show k-computer -s machine.dead_boards=1/2/3/0 -s machine.dead_links=0/0/0/0/0/0:c 2>&1 |
    grep -q '^  dead  *4 nodes, 1 links; the figures below are for the whole machine$'
say $? "show prints what is dead"

# declined EXPECTED SETTINGS...: of the K computer; each setting for a -s
declined() {
    expected=$1
    shift
    for setting; do
        set -- "$@" -s "$setting"
        shift
    done
    refuses "weft: $expected" run -m k-computer -w pingpong "$@"
}
declined "-s machine.dims=4x4x4x3x3x2: machine.dims has 3 nodes along axis a; use 2: a and c have two nodes, b has three" \
    machine.dims=4x4x4x3x3x2
declined "-s machine.dims=4x4x4x2x2x2: machine.dims has 2 nodes along axis b; use 3: a and c have two nodes, b has three" \
    machine.dims=4x4x4x2x2x2
declined "-s machine.dims=4x4x4: machine.dims has 3 axes; Tofu has six; give x, y, z, a, b and c, as in 4x4x4x2x3x2" machine.dims=4x4x4
declined "-s machine.dims=5000x1x1x2x3x2: machine.dims = 5000 along an axis is too large; use at most 4096" machine.dims=5000x1x1x2x3x2
declined "-s machine.dead_boards=1/1/1/5: machine.dead_boards = '1/1/1/5' names no board of this machine; use 1/2/3/2 (x, y, z and b), joined by commas, or none" \
    machine.dead_boards=1/1/1/5
declined "-s machine.dead_nodes=24/0/0/0/0/0: machine.dead_nodes = '24/0/0/0/0/0' names no node of this machine; use 1/2/3/0/1/0, joined by commas, or none" \
    machine.dead_nodes=24/0/0/0/0/0
declined "-s machine.dead_groups=1/1: machine.dead_groups = '1/1' names no node group of this machine; use 1/2/3, joined by commas, or none" \
    machine.dead_groups=1/1
declined "-s machine.dead_links=0/0/0/0/0/0:d+: machine.dead_links = '0/0/0/0/0/0:d+' names no link of this machine; use 1/2/3/0/1/0:x+, joined by commas, or none" \
    machine.dead_links=0/0/0/0/0/0:d+
declined "-s machine.dead_groups=1/0/0: no path leads from node 0/0/0/0/0/0 to node 2/0/0/0/0/0 around what is dead; name fewer, or make the axes rings" \
    machine.dims=3x1x1x2x3x2 machine.wrap=false machine.dead_groups=1/0/0
declined "-s machine.dead_groups=0/0/0: no node is alive; name fewer" machine.dims=1x1x1x2x3x2 machine.dead_groups=0/0/0
declined "-s machine.dead_groups=3/4/5: no path leads from node 0/4/5/0/0/0 to node 3/0/5/0/0/0 around what is dead; name fewer" \
    machine.router.io_order=xyz machine.dead_groups=3/4/5
for path in 13 0 -1 1x turns; do
    declined "-s machine.tni.path=$path: machine.tni.path = '$path' is no path; use a number of 1 to 12, or turn" machine.tni.path=$path
done
for key in compute_order io_order; do
    declined "-s machine.router.$key=xyy: machine.router.$key = 'xyy' is no order of x, y and z; use each of them once, as in zxy" \
        machine.router.$key=xyy
done
declined "-s machine.router.vcs=5: machine.router.vcs = 5 is out of range; use 1 to 4" machine.router.vcs=5
declined "-s machine.tni.engines=5: machine.tni.engines = 5 is out of range; use 1 to 4" machine.tni.engines=5
declined "-s machine.router.buffer_bytes=2052: machine.router.buffer_bytes = 2052 does not hold a packet of 2048; use a multiple of 8 from there on" \
    machine.router.buffer_bytes=2052
declined "-s machine.link.retransmission_bytes=2052: machine.link.retransmission_bytes = 2052 does not hold a packet of 2048; use a multiple of 8 from there on" \
    machine.link.retransmission_bytes=2052
declined "-s machine.tni.packet_bytes=2016: machine.tni.packet_bytes = 2016 with a header of 40 does not fit a packet of 2048; use less" \
    machine.tni.packet_bytes=2016
declined "-s machine.link.bad_links=9x: machine.link.bad_links = '9x' is not valid; use up to 16 as 1/2/3/0/1/0:x+@1000-5000, joined by commas, or none" \
    machine.link.bad_links=9x
declined "-s machine.link.wire_cycles=0: a hop takes no time; use machine.router.switch_cycles or machine.link.wire_cycles above 0" \
    machine.router.receive_cycles=0 machine.router.route_cycles=0 machine.router.switch_cycles=0 machine.router.send_cycles=0 \
    machine.link.wire_cycles=0
declined "-s machine.graph=kautz:2:2: 'machine.graph' is not a key of machines whose fabric is tofu; \`weft keys\` lists the keys of each" \
    machine.graph=kautz:2:2
"$weft" run -m k-computer -w pairs -s machine.dims=2x1x2x2x3x2 -s workload.message_bytes=50000 -j 2 -q -o r.json &&
    "$weft" run r.json -q -o again.json && [ -n "$(digest r.json)" ] && [ "$(digest r.json)" = "$(digest again.json)" ]
say $? "a result of the K computer runs again to the same digest"

echo "1..$number"
