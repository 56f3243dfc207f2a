#!/bin/sh
# weft run: options, keys and patterns, and what is wrong with them. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/run_options.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

refuses "weft: -s machine.node.gather_bytes=1: unknown key 'machine.node.gather_bytes'; use 'machine.collective.gather_bytes'" \
    run -m bluegene-l -s machine.node.gather_bytes=1
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
for as in "" " -s workload.algorithm=pairwise"; do
    refuses "weft: -s workload.order=random: workload.order has no meaning in a pairwise exchange, which is staggered; use workload.algorithm = post_all or packets" \
        run -m bluegene-l -s machine.dims=2x2x2 -w alltoall -s workload.as=messages$as -s workload.order=random
done
for m in "ideal -s machine.nodes=8" "k-computer -s machine.dims=1x1x1x2x3x2"; do
    refuses "weft: -s workload.order=random: workload.order has no meaning in a pairwise exchange, which is staggered; use workload.algorithm = post_all" \
        run -m $m -w alltoall -s workload.as=messages -s workload.order=random
done
refuses "weft: -s workload.order=distance: workload.order = distance is for at most 8192 nodes or processes, and there are 16384; use ascending, random or staggered" \
    run -m ideal -s machine.nodes=16384 -w alltoall -s workload.as=packets -s workload.order=distance
refuses "weft: -s workload.order=nearest: workload.order = 'nearest' is not known; use one of auto, ascending, random, distance, staggered" \
    run -m bluegene-l -s workload.order=nearest
for order in auto random; do
    "$weft" run -m bluegene-l -s machine.dims=4x4x4 -s workload.order=$order -q -o order-$order.json
    "$weft" run -m bluegene-l -s machine.dims=2x2x2 -w alltoall -s workload.as=messages -s workload.order=$(echo $order | sed s/random/staggered/) -q -o orders-$order.json
done
"$weft" compare order-auto.json order-random.json -q && "$weft" compare orders-auto.json orders-random.json -q
say $? "orders: auto is random as packets and staggered as messages"
refuses "weft: nofile.yaml: No such file or directory; name a file that can be read" run nofile.yaml
refuses "weft: machine 'cray' is not known; \`weft machines\` lists those available" run -m cray
refuses "weft: /nowhere/r.json: No such file or directory; name a place that can be written" \
    run -m bluegene-l -s machine.dims=2x2x2 -o /nowhere/r.json
refuses "weft: nothing to run; name a study or a machine (-m)" run
refuses "weft: unknown option '-y'; \`weft run --help\` lists the options" run -y
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

refuses "weft: -s workload.burst_gap_cycles=2000: workload.burst_gap_cycles = 2000: at this load a burst and its pause take 738 cycles; use at most that many, longer bursts or less load" \
    run -m sc5832 -s machine.graph=kautz:3:3 -w uniform -s workload.load=0.3 -s workload.burst=geometric -s workload.burst_packets=12 -s workload.burst_gap_cycles=2000
refuses "weft: -s workload.pattern=spiral: workload.pattern = 'spiral' is not known; use one of alltoall, uniform, hotregion, hotspot, neighbour, pingpong, linefill, planefill, nextgroup, transpose, bitcomplement, bitreverse, tornado, shuffle, permutation, matrix, file, pairs, ring, exchange, grid, allreduce, broadcast, reduce, allgather, barrier, io, program, mpi, goal, replay, parts, survey, jobs, view, none" \
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
"$weft" run -m k-computer -s machine.dims=2x2x2x2x3x2 -w alltoall --on 1x1x1@0/0/1 -w allreduce --on 1x1x1@1/0/1 --alone >out && grep -q 'times as long as alone' out
say $? "the K computer's parts run alone, too"
"$weft" run -m bluegene-l -s machine.dims=2x3x2 -w uniform -s workload.cycles=500 -q -o rings.json && "$weft" run rings.json -s machine.dims=4x4 -q
say $? "a result's three rings are two of a machine of two dimensions"
for mode in heater coprocessor virtual_node; do
    "$weft" run -m bluegene-l -s machine.dims=4x3x2 -w none -s machine.node.mode=$mode >out 2>err && grep -q "none: no node has anything to send" out
    say $? "a machine that waits for a host, in mode $mode"
done
printf '5 1 0\n4 5 0\n5 1 2.5\n' >few
for bricks in 1x1x1 1x1x3; do # cut so, an acknowledgment is on its way when the last cycle has passed
    "$weft" run -m bluegene-l-sim2003 -s machine.dims=5x1x3 -w matrix -s workload.file=few -s workload.packet_bytes=256 -s workload.load=1.3 \
        -s workload.warmup_cycles=100 -s workload.cycles=300 -s workload.drain_cycles=500 -s run.seed=871 -s run.bricks=$bricks >out-$bricks
done
sed -i '/^  engine /d' out-1x1x1 out-1x1x3
grep -q "^  packets      4 delivered, 8 hops" out-1x1x1 && cmp out-1x1x1 out-1x1x3 && ! grep -q "cut off" out-1x1x1
say $? "a drain is over when all packets have come, whatever still goes back to their senders"
# With the link protocol, too: the sender of the last packet keeps a copy of it until it is acknowledged.
"$weft" run -m bluegene-l-sim2003 -s machine.dims=5x1x3 -w matrix -s workload.file=few -s workload.packet_bytes=256 -s workload.load=1.3 \
    -s workload.warmup_cycles=100 -s workload.cycles=300 -s workload.drain_cycles=500 -s run.seed=871 -s machine.link.bit_error_rate=1e-12 >out
grep -q "^  packets      4 delivered, 8 hops" out && ! grep -q "cut off" out
say $? "a drain is over when all packets have come, whatever copies their senders keep"
"$weft" run -m bluegene-l-sim2003 -s machine.dims=5x1x3 -w matrix -s workload.file=few -s workload.packet_bytes=256 -s workload.load=1.3 \
    -s workload.warmup_cycles=100 -s workload.cycles=300 -s workload.drain_cycles=500 -s run.seed=871 -s machine.link.bit_error_rate=1e-3 >out
grep -q "cut off" out
say $? "a drain is cut off while a packet that was hit has not been sent again"
for machine in "bluegene-l -s machine.dims=1x1x1 -s machine.wrap=false" "ideal -s machine.topology=torus:7x1x2 -s machine.nodes=0 -s workload.links=1"; do
    # shellcheck disable=SC2086  # a machine and its settings
    timeout 20 "$weft" run -m $machine -w exchange -s workload.messages=0 -s workload.warmup_cycles=0 -s workload.cycles=1000 -q
    say $? "an exchange without end ends where processes have no partner: $machine"
done

echo "1..$number"
