#!/bin/sh
# weft run: several workloads at once, each on its nodes. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/run_parts.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
. "$here/common.sh"

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
    refuses "weft: --on: part 1: '$place' is not a place; use nodes:0-63,70, file:PATH, cells:0-3, a box as 3x3x2@0/4/1, or all" \
        run -m bluegene-l -w uniform --on "$place"
done
refuses "weft: --on: part 1: 'a' is not a place; use nodes:0-63,70, file:PATH, or all" run -m sc5832 -w uniform --on a
refuses "weft: --on: part 1: 'a' is not a place; use nodes:0-63,70, file:PATH, cells:0-3, a box as 3x3x2@0/4/1, or all" \
    run -m k-computer -w uniform --on a
refuses "weft: --on: part 1: workload.parts = '4x4x4' does not fit into the machine; it has 1x1x1 cells for jobs, from 0/0/0 to 0/0/0; a cell has 8x8x8 nodes (jobs.cell)" \
    run -m bluegene-l -w uniform --on 4x4x4
refuses "weft: --on: part 1: file: names no file; name one, as file:nodes.txt" run -m bluegene-l -w uniform --on file:
printf '3/0/0\n' >nodes
refuses "weft: nodes:1:1: part 1: node 3/0/0 is dead; leave it out" run -m bluegene-l -s machine.dead_nodes=3/0/0 -w uniform --on file:nodes

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

# ---- several at once ----
small="-m k-computer -s machine.dims=6x6x3x2x3x2 -w parts"
"$weft" run $small -s workload.parts="3x3x2 alltoall messages=1; nodes:0-20 ring" -o parts.json >out 2>err
[ $? -eq 0 ] && grep -q "^    2  *ring  *21 " out && grep -qE "^         on nodes:0-20, digest [0-9a-f]{16}$" out && ! grep "^    .*part\|^    [12] \|digest" out | grep -q '.\{81\}' && grep -q '"part_2": {' parts.json && grep -q '"place": "nodes:0-20"' parts.json
say $? "parts: a table, and an object for each"
digest=$(sed -n 's/^         on 3x3x2, digest \([0-9a-f]*\)$/\1/p' out)
"$weft" run $small -s workload.parts="3x3x2 alltoall messages=1" >out 2>err
[ "$digest" ] && [ "$digest" = "$(sed -n 's/^         on 3x3x2, digest \([0-9a-f]*\)$/\1/p' out)" ]
say $? "parts: the same alone"
"$weft" sweep $small -s workload.parts="3x3x2 uniform; 3x3x2@3/0/1 uniform load=0.1" --over workload.load=0.1,0.2 --metric parts.part_1.response_cycles.mean >out 2>err
[ $? -eq 0 ] && grep -q "^0.2 " out
say $? "parts: a sweep over what they have in common"
printf 'machine: {name: k-computer, dims: 6x6x3x2x3x2}\nworkload:\n  pattern: parts\n  parts: |\n    1x1x1 ring;\n    1x1x1@1/0/1\talltoall\n' >parts.yaml
"$weft" run parts.yaml >out 2>err && grep -q "^    2    alltoall" out && grep -q "^         on 1x1x1@1/0/1, digest" out
say $? "parts: on lines of a file"
refuses "weft: --over workload.parts: its values have semicolons themselves; sweep what parts have in common, as workload.load, or write a study" \
    sweep $small --over "workload.parts=1x1x1 ring;2x1x1 ring" --metric sim_seconds
refuses "weft: -s workload.parts=garbage: part 1: it has no pattern; write PLACE PATTERN, as 4x4x4@0/0/1 alltoall" check $small -s workload.parts=garbage
refuses "weft: -s workload.parts=nodes:0-7 uniform packet_bytes=33: part 1: workload.packet_bytes = 33 is not a packet size; use a multiple of 32 from 32 to 256, or several joined by commas" \
    run -m bluegene-l -w parts -s "workload.parts=nodes:0-7 uniform packet_bytes=33"
refuses "weft: -s workload.parts=nodes:0,5,77 pingpong hops=9: part 1: workload.hops = 9: no node is that far from the first; use 3 or 5" \
    run -m bluegene-l -w parts -s "workload.parts=nodes:0,5,77 pingpong hops=9"
refuses "weft: -s workload.parts=3x3x2 alltoall; 1x1x1 ring: part 2: node 36 is in part 1 already; use other nodes" run $small -s "workload.parts=3x3x2 alltoall; 1x1x1 ring"
refuses "weft: -s workload.parts=2x2x2 ring: part 1: this machine has no cells for jobs; name nodes, as nodes:0-63" run -m sc5832 -w parts -s "workload.parts=2x2x2 ring"

# ---- partitions that are wired apart ----
chips="-m bluegene-l -s jobs.cell=2x2x2 -s workload.warmup_cycles=500 -s workload.cycles=2000"
digest_of() { sed -n "s/^         on $1, digest \\([0-9a-f]*\\)\$/\\1/p" out; } # PLACE
"$weft" run $chips -s machine.dims=8x4x4 -w uniform --on 2x1x1@3/1/0 -s workload.load=0.5 -w uniform --on 1x2x2@1/0/0 -s workload.load=1 --alone >out 2>err &&
    grep -q '^  part 1: 1.000 times as long as alone' out
say $? "partitions: a victim beside an aggressor takes as long as alone"
digest=$(digest_of "2x1x1@3\/1\/0")
"$weft" run $chips -s machine.dims=4x2x2 -s workload.load=0.5 -w uniform >out 2>err
[ "$digest" ] && grep -q "^  digest       $digest$" out
say $? "partitions: the digest of a machine of that size"
"$weft" run $chips -s machine.dims=8x2x2 -s workload.as=packets -w alltoall --on 2x1x1@1/0/0 -w alltoall --on 1x1x1@0/0/0 --links links.csv -q -o r.json
awk -F, '$2 == "5/0/0" && $4 == "x+" && $3 == "2/0/0" { ring = 1 } $2 ~ /^[2345]\// && $3 !~ /^[2345]\// { out = 1 }
    $2 ~ /^[67]\// && $6 != 0 { busy = 1 } END { exit !(ring && !out && !busy) }' links.csv
say $? "partitions: links, by the rings that they close"
"$weft" view r.json -o r.html >/dev/null 2>err && grep -q 'r.json' r.html
say $? "partitions: a page"
"$weft" check $chips -s machine.dims=8x4x4 -w parts -s workload.parts="2x1x1@3/1/0 alltoall; 1x1x1 alltoall" >out 2>err &&
    grep -q '^routes: every pair of nodes within a part has one, and no link joins parts$' out && grep -q '^deadlock: impossible; the bubble' out
say $? "partitions: weft check proves their rings"
cat >halo.c <<'EOF'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, turn, sent = 1, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (turn = 0; turn < 20; turn++) {
        MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&got, &sent, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    return MPI_Finalize();
}
EOF
"$weft" mpicc halo.c -o halo 2>err
"$weft" mpirun -np 16 $chips -s machine.dims=4x2x2 -s workload.pattern=parts -s workload.parts='2x1x1 mpi' ./halo >out 2>err
digest=$(digest_of 2x1x1)
"$weft" mpirun -np 16 $chips -s machine.dims=8x4x4 -s workload.pattern=parts -s workload.parts='2x2x1@0/0/1 alltoall processes=0 messages=1 message_bytes=5000; 2x1x1@3/1/0 mpi' ./halo >out 2>err
[ "$digest" ] && [ "$digest" = "$(digest_of "2x1x1@3\/1\/0")" ]
say $? "partitions: an MPI program beside an all-to-all does what it does on a machine of that size"
refuses "weft: --on: part 2: nodes:0-3 is a list of nodes, and part 1 (1x1x1) is a partition that is wired apart from all other nodes; use boxes of cells for all parts, or lists for all" \
    run $chips -w ring --on 1x1x1 -w ring --on 0-3
refuses "weft: --on: part 2: all is a list of nodes, and part 1 (1x1x1) is a partition that is wired apart from all other nodes; use boxes of cells for all parts, or lists for all" \
    run $chips -w ring --on 1x1x1 -w ring --on all
refuses "weft: --on: part 2: 2x1x1@2/0/0 needs the wire along x that part 1, 2x1x1, takes: some cells of a row, more than one and not all, close their ring over the row's one wire; use one cell, or all, of those rows along x, or other rows" \
    run $chips -w ring --on 2x1x1 -w ring --on 2x1x1@2/0/0
refuses "weft: -s machine.wrap=false: partitions that are wired apart are rings along each axis, and machine.wrap = false makes lines; leave out machine.wrap, or name nodes, as nodes:0-63" \
    run $chips -s machine.wrap=false -w ring --on 1x1x1 -w ring --on 1x1x1@1/0/0
dead=0/0/0,1/0/0,0/1/0,1/1/0,0/0/1,1/0/1,0/1/1,1/1/1
for pattern in uniform alltoall transpose; do
    refuses "weft: --on: part 1: all nodes are dead; leave some alive" \
        run $chips -s machine.dims=4x2x2 -s machine.dead_nodes=$dead -s workload.as=packets -w $pattern --on 1x1x1
done
for pattern in alltoall ring; do
    refuses "weft: -s machine.dead_nodes=$dead: all nodes are dead; leave some alive" \
        run -m bluegene-l -s machine.dims=2x2x2 -s machine.dead_nodes=$dead -w $pattern
done
refuses "weft: -s machine.dead_nodes=1/0/0: a ping-pong needs two nodes, and all but one are dead; use fewer dead nodes, or two processes per node and workload.hops = 0" \
    run -m bluegene-l -s machine.dims=2x1x1 -s machine.dead_nodes=1/0/0 -s workload.as=messages -w pingpong
refuses "weft: -s machine.dead_nodes=1/0/0: a ping-pong needs two nodes, and all but one are dead; use fewer dead nodes" \
    run -m bluegene-l -s machine.dims=2x1x1 -s machine.dead_nodes=1/0/0 -s workload.as=packets -w pingpong
refuses "weft: -s workload.hops=4294967295: workload.hops = 4294967295: no node is that far from the first; use 1 to 2" \
    run -m bluegene-l -s machine.dims=4x1x1 -s machine.dead_nodes=1/0/0 -s workload.as=packets -w pingpong -s workload.hops=4294967295
refuses "weft: -s workload.hops=2: workload.hops = 2: no node is that far from the first; use 1" \
    run -m bluegene-l -s machine.dims=2x1x1 -w pingpong -s workload.hops=2
refuses "weft: -s workload.hops=0: workload.hops = 0: no node is that far from the first; use 1 to 6" \
    run -m bluegene-l -s machine.dims=4x4x4 -s machine.dead_nodes=0/0/0 -s workload.as=packets -w pingpong -s workload.hops=0
# A ping-pong of packets with dead nodes: between living ones, and as on a whole machine where all of them are elsewhere.
"$weft" run -m bluegene-l -s machine.dims=4x4x4 -s machine.dead_nodes=1/0/0,0/0/0 -s workload.as=packets -w pingpong -s workload.hops=2 >out 2>err &&
    grep -q "20 delivered, 40 hops" out
say $? "a ping-pong of packets beside dead nodes"
"$weft" run $chips -s machine.dims=2x2x2 -s workload.as=packets -w pingpong >out 2>err
digest=$(sed -n 's/^  digest  *\([0-9a-f]*\)$/\1/p' out)
"$weft" run $chips -s machine.dims=6x2x2 -s machine.dead_nodes=3/1/1 -s workload.as=packets -w pingpong --on 1x1x1 >out 2>err
[ "$digest" ] && [ "$digest" = "$(digest_of 1x1x1)" ]
say $? "partitions: a ping-pong of packets beside a midplane with a dead node"

echo "1..$number"
