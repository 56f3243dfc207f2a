#!/bin/sh
# weft check. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/check.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
. "$here/common.sh"

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
refuses "weft: -s machine.dead_nodes=8/0/0: machine.dead_nodes: '8/0/0' is not a node of this machine; use coordinates as 1/2/3, joined by commas, or none" \
    run -m bluegene-l -s machine.dead_nodes=8/0/0
refuses "weft: -s machine.router.dateline=1,2: machine.router.dateline = '1,2' is not valid; use highest, none, or a coordinate per dimension as 7,7,7" \
    run -m bluegene-l -s machine.router.dateline=1,2

# A workload that is given is built, with the files that it names.
refuses "weft: -s workload.file=nowhere: nowhere: No such file or directory; name a file of rates, or write one with lines FROM TO RATE" \
    check -m bluegene-l -w matrix -s workload.file=nowhere
refuses "weft: -s workload.processes=99: workload.processes = 99: 8 nodes with 1 each make 8; use at most that many, or more workload.processes_per_node" \
    check -m bluegene-l -w ring -s machine.dims=2x2x2 -s workload.processes=99
"$weft" check -m bluegene-l -p halo -s machine.dims=2x2x2 | grep -q '^bluegene-l 2x2x2: the machine and its workload are valid$'
say $? "a workload is valid, too"
"$weft" check -m bluegene-l -s machine.dims=2x2x2 | grep -q '^bluegene-l 2x2x2: the machine is valid$'
say $? "without one, the machine is"

sed 's/^dead_nodes:.*/dead_nodes: {value: [1\/2\/3, 0\/0\/1], source: test}/' "$WEFT_DATA/machines/bluegene-l.yaml" >m.yaml
"$weft" show ./m.yaml >out 2>err && grep -q '^  machine.dead_nodes  *1/2/3,0/0/1 ' out &&
    "$weft" check -m ./m.yaml | grep -q "510 living nodes"
say $? "a machine file lists dead nodes"

echo "1..$number"
