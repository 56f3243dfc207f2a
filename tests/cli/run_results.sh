#!/bin/sh
# weft run: what it says and writes. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/run_results.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
. "$here/common.sh"

"$weft" run -m bluegene-l -w alltoall -s machine.dims=2x2x2 -s workload.load=0.9 -s workload.packets_per_pair=1 >out &&
    grep -q '^  not used     workload.load = 0.9: alltoall does not use it$' out && [ "$(grep -c 'not used' out)" -eq 1 ]
say $? "a setting that the pattern does not use is named"
"$weft" run -m bluegene-l -w uniform -s machine.dims=2x2x2 -s workload.warmup_cycles=100 -s workload.cycles=100 \
    -s workload.precision=0.1 -s workload.most_cycles=200 >out &&
    [ "$(grep -c 'not used .*: uniform with a number for workload.warmup_cycles does not use it$' out)" -eq 2 ]
say $? "and what a window that is given does not use"
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
[ -n "$(digest r.json)" ] && [ "$(digest r.json)" = "$(digest again.json)" ] &&
    [ "$(digest r.json)" = "$(digest third.json)" ]
say $? "a result, and its config alone, run again to the same digest"

"$weft" run -m sc5832 -w uniform -j 2 -s machine.graph=kautz:2:3 -s machine.routing.vc_rule=none -s machine.router.vcs=1 \
    -s machine.router.crosspoint_packets=1 -s machine.dma.mb_per_s=10000 -s run.stall_cycles=20000 -s workload.cycles=5000 \
    -s workload.load=3 -o dead.json >out 2>err
[ $? -eq 1 ] && head -n 1 err | grep -q '^weft: deadlock: .* 4 buffers wait for each other:$' &&
    grep -q '"deadlock"' dead.json
say $? "a deadlock is exit 1, explained, and in the result"

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

echo "1..$number"
