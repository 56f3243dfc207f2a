#!/bin/sh
# The K computer: weft check, weft show and weft run. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/run_k_computer.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
. "$here/common.sh"

# ---- the K computer ----

judged=k-computer
judges 0 "^deadlock: impossible; the channels of links (4 VCs) never wait in a cycle, on any of the 12 paths in either order, whatever node, board, group or link is dead or out of service$" \
    -s machine.dims=3x1x2x2x3x2
judges 0 "^routes: every pair of its 72 nodes has one$" -s machine.dims=3x1x2x2x3x2
judges 0 "every pair of its 55 living nodes" -s machine.dims=3x1x2x2x3x2 -s machine.dead_groups=1/0/1 -s machine.dead_boards=0/0/0/2 \
    -s machine.dead_nodes=2/0/0/1/1/1 -s machine.dead_links=0/0/0/0/0/0:x-
judges 0 "^deadlock: impossible; .* is dead or out of service$" -s machine.dims=3x1x2x2x3x2 -s machine.swap=1/0/1@1000-2000,fail:0/0/0/2@1500-
judges 0 "^routes: every pair of its 72 living nodes has one$" -s machine.dims=3x1x2x2x3x2 -s machine.swap=1/0/1@1000-2000
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
"$weft" show k-computer -s machine.swap=1/2/3/0@100-200,fail:0/0/1@5- 2>&1 | grep -q '^  out for a time         2 units (machine.swap)$'
say $? "show prints what is swapped"

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
declined "-s machine.dead_boards=1/1/1/5: machine.dead_boards: '1/1/1/5' is not a board of this machine; use 1/2/3/2 (x, y, z and b), joined by commas, or none" \
    machine.dead_boards=1/1/1/5
declined "-s machine.dead_nodes=24/0/0/0/0/0: machine.dead_nodes: '24/0/0/0/0/0' is not a node of this machine; use 1/2/3/0/1/0, joined by commas, or none" \
    machine.dead_nodes=24/0/0/0/0/0
declined "-s machine.dead_groups=1/1: machine.dead_groups: '1/1' is not a node group of this machine; use 1/2/3, joined by commas, or none" \
    machine.dead_groups=1/1
declined "-s machine.dead_links=0/0/0/0/0/0:d+: machine.dead_links: '0/0/0/0/0/0:d+' is not a link of this machine; use 1/2/3/0/1/0:x+, joined by commas, or none" \
    machine.dead_links=0/0/0/0/0/0:d+
declined "-s machine.dead_groups=1/0/0: no path leads from node 0/0/0/0/0/0 to node 2/0/0/0/0/0 around what is dead; name fewer, or make the axes rings" \
    machine.dims=3x1x1x2x3x2 machine.wrap=false machine.dead_groups=1/0/0
declined "-s machine.dead_groups=0/0/0: no node is alive; name fewer" machine.dims=1x1x1x2x3x2 machine.dead_groups=0/0/0
declined "-s machine.dead_groups=3/4/5: no path leads from node 0/4/5/0/0/0 to node 3/0/5/0/0/0 around what is dead; name fewer" \
    machine.router.io_order=xyz machine.dims=8x8x8x2x3x2 machine.dead_groups=3/4/5
declined "-s machine.dead_groups=1/1/1,6/6/6: no path leads from node 1/6/1/0/0/0 to node 6/1/6/0/0/0 around what is dead; name fewer" \
    machine.dims=8x8x8x2x3x2 machine.dead_groups=1/1/1,6/6/6
declined "-s machine.swap=24/0/0@5-: machine.swap: '24/0/0@5-' is not a unit of this machine; use a node as 1/2/3/0/1/0@1000-5000, a board as 1/2/3/2@1000-5000 (x, y, z and b) or a group as 1/2/3@1000-5000" \
    machine.swap=24/0/0@5-
declined "-s machine.swap=1/0/0: machine.swap: '1/0/0' has no time; use @1000-5000, or @1000- with no end (cycles)" machine.swap=1/0/0
declined "-s machine.swap=0/0/0@1-2,1/0/0@9-5: machine.swap: '1/0/0@9-5' comes back before it is out; use a later end" \
    machine.swap=0/0/0@1-2,1/0/0@9-5
declined "-s machine.swap=1/0/0@7-: while group 1/0/0 is out of service, from cycle 7 on: no path leads from node 0/0/0/0/0/0 to node 2/0/0/0/0/0 around what is dead; name fewer, or make the axes rings" \
    machine.dims=3x1x1x2x3x2 machine.wrap=false machine.swap=1/0/0@7-
declined "-s machine.swap=1/0/0/2@7-: machine.swap: board 1/0/0/2 has packets of workload.pattern = pingpong, which would wait for it; leave its nodes out, by a part of the machine (-w parts)" \
    machine.dims=3x1x1x2x3x2 workload.as=packets machine.swap=1/0/0/2@7-
for path in 13 0 -1 1x turns; do
    declined "-s machine.tni.path=$path: machine.tni.path = '$path' is no path; use a number of 1 to 12, or turn" machine.tni.path=$path
done
for key in compute_order io_order; do
    declined "-s machine.router.$key=xyy: machine.router.$key = 'xyy' is no order of x, y and z; use each of them once, as in zxy" \
        machine.router.$key=xyy
done
declined "-s machine.router.vcs=5: machine.router.vcs = 5 is out of range; use 1 to 4" machine.router.vcs=5
declined "-s machine.tni.engines=5: machine.tni.engines = 5 is out of range; use 1 to 4" machine.tni.engines=5
declined "-s machine.router.vc_bytes=2052: machine.router.vc_bytes = 2052 does not hold a packet of 2048; use a multiple of 8 from there on" \
    machine.router.vc_bytes=2052
declined "-s machine.link.retransmission_bytes=2052: machine.link.retransmission_bytes = 2052 does not hold a packet of 2048; use a multiple of 8 from there on" \
    machine.link.retransmission_bytes=2052
declined "-s machine.tni.payload_bytes=2016: machine.tni.payload_bytes = 2016 with a header of 40 does not fit a packet of 2048; use less" \
    machine.tni.payload_bytes=2016
declined "-s machine.link.bad_links=9x: machine.link.bad_links = '9x' is not valid; use up to 16 as 1/2/3/0/1/0:x+@1000-5000, joined by commas, or none" \
    machine.link.bad_links=9x
declined "-s machine.link.wire_cycles=0: a hop takes no time; use machine.router.switch_cycles or machine.link.wire_cycles above 0" \
    machine.router.receive_cycles=0 machine.router.route_cycles=0 machine.router.switch_cycles=0 machine.router.send_cycles=0 \
    machine.link.wire_cycles=0
declined "-s machine.graph=kautz:2:2: 'machine.graph' is not a key of machines whose fabric is tofu; \`weft keys\` lists the keys of each" \
    machine.graph=kautz:2:2
refuses "weft: -s workload.parts=nodes:0 ring; nodes:1-35 alltoall messages=1: machine.swap: group 1/0/0 has processes of workload.pattern = alltoall, which would wait for it; leave its nodes out, by a part of the machine (-w parts) or workload.mapping" \
    run -m k-computer -s machine.dims=3x1x1x2x3x2 -s machine.io_plane=false -s machine.swap=1/0/0@5- -w parts -s "workload.parts=nodes:0 ring; nodes:1-35 alltoall messages=1"
for dead in 0/0/0/0/0/0 1/0/0/0/0/0; do
    "$weft" run -m k-computer -s machine.dims=3x3x1x2x3x2 -s machine.dead_nodes=$dead -s workload.as=packets -w pingpong --check >out 2>err &&
        grep -q '^  packets  *20 delivered, 20 hops$' out
    say $? "a ping-pong of packets is between living nodes: $dead is dead"
done
refuses "weft: -s machine.swap=1/0/0@5-: 'machine.swap' is not a key of machines whose fabric is torus; \`weft keys\` lists the keys of each" \
    run -m bluegene-l -s machine.swap=1/0/0@5-
"$weft" run -m k-computer -w uniform -s machine.dims=3x2x2x2x3x2 -s workload.load=0.3 -s workload.cycles=8000 -s workload.warmup_cycles=1000 \
    -s machine.swap=1/1/1@2000-5000,fail:0/0/0/1@3000-,2/1/0@90000- -s run.interval_cycles=1000 -o r.json >out 2>err &&
    [ "$(grep -c '^  swap ' out)" -eq 3 ] &&
    grep -q '^  swap         group 1/1/1: out at 2 000, empty at 2 [0-9]*, back at 5 000; [0-9]* packets led around it, [0-9]* not sent from it or to it$' out &&
    grep -q '^  swap         board 0/0/0/1: failed at 3 000, last packet lost at 3 [0-9]*, not back; .* [0-9]* lost$' out &&
    grep -q '^  swap         group 2/1/0: out at 90 000, after the end of the run$' out &&
    python3 -c 'import json
r = json.load(open("r.json"))
assert [s["unit"] for s in r["swaps"]] == ["group 1/1/1", "board 0/0/0/1", "group 2/1/0"]
assert [row["units_out"] for row in r["timeline"]][:7] == [0, 0, 1, 2, 2, 1, 1]
assert r["packets_lost"] == r["swaps"][1]["lost"] > 0
assert r["packets_injected"] - r["packets_delivered"] == r["packets_lost"]
assert "to" not in r["swaps"][1] and "empty" not in r["swaps"][2]' &&
    "$weft" view r.json -o r.html >/dev/null
say $? "units that are swapped are reported, in the timeline too"
"$weft" run -m k-computer -w pairs -s machine.dims=2x1x2x2x3x2 -s workload.message_bytes=50000 -j 2 -q -o r.json &&
    "$weft" run r.json -q -o again.json && [ -n "$(digest r.json)" ] && [ "$(digest r.json)" = "$(digest again.json)" ]
say $? "a result of the K computer runs again to the same digest"

echo "1..$number"
