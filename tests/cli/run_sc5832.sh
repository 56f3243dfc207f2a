#!/bin/sh
# The SC5832: weft check, weft show and weft run. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/run_sc5832.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
. "$here/common.sh"

# ---- the SC5832 ----

judged=sc5832
judges 0 "^deadlock: impossible; the 46656 channels .* whatever the routes; .*(up to 6 hops) need 4 VCs, and there are 4$"
judges 0 "^routes: every pair of its 972 nodes has one$"
judges 0 "need 2 VCs" -s machine.graph=kautz:3:3 -s machine.router.vcs=2
judges 0 "impossible" -s machine.graph=kautz:1:1 -s machine.router.vcs=1
judges 0 "every pair of its 971 living nodes" -s machine.dead_nodes=7 -s 'machine.dead_links=0>971'
# No shortest route comes back to a node, so that no cycle of turns is shorter than four.
judges 1 "^deadlock: possible; 4 channels wait for each other:$" -s machine.routing.vc_rule=none
judges 1 "^deadlock: possible; 4 channels wait for each other:$" -s machine.routing.vc_rule=none \
    -s machine.graph=kautz:2:3 -s machine.router.vcs=1
judges 1 "^  link [0-9]*>[0-9]*, output [0-2] next, VC0$" -s machine.routing.vc_rule=none
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
refuses "weft: -w survey: workload.pattern = survey needs a graph to survey, which this machine does not have; use one of alltoall, uniform, hotregion, hotspot, neighbour, pingpong, linefill, planefill, transpose, bitcomplement, bitreverse, tornado, shuffle, permutation, matrix, file, pairs, ring, exchange, grid, allreduce, broadcast, reduce, allgather, barrier, io, program, mpi, goal, replay, parts, jobs, view, none" \
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
refused "-s machine.router.crosspoint_packets=3: machine.router.vcs = 4: each needs an entry of its own in a crosspoint buffer of 3; use fewer VCs, or more machine.router.crosspoint_packets" \
    machine.router.crosspoint_packets=3
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
refused "-s machine.dma.payload_bytes=145: machine.dma.payload_bytes = 145 is more than a packet of this network holds; use at most 144" machine.dma.payload_bytes=145
refused "-s workload.packet_bytes=8,129: workload.packet_bytes = 129: a packet holds 128 (machine.dma.payload_bytes); use at most 128" \
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

"$weft" run -m sc5832 -w uniform -s machine.graph=kautz:2:3 -s machine.routing.vc_rule=none -s machine.router.vcs=1 \
    -s machine.router.crosspoint_packets=1 -s workload.load=3 -s machine.dma.mb_per_s=10000 -s run.stall_cycles=20000 \
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

for partitions in 1 5; do # packets on their way between partitions are under way, too
    "$weft" run -m sc5832 -p collectives -s machine.graph=mesh:3x3 -s machine.link.control_bytes=24 -s 'machine.link.bad_links=6>3@0-' \
        -s machine.link.bad_error_rate=1 -s machine.mpi.call_cycles=1 -s run.seed=236 -s run.stall_cycles=20000 -s 'workload.arguments=1 300' \
        -s run.partitions=$partitions -q 2>err-$partitions
done
grep -q "deadlock: .* 7 packets are under way and 9 processes wait" err-1 && cmp err-1 err-5
say $? "a deadlock's packets are counted alike, however the machine is cut"

echo "1..$number"
