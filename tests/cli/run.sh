#!/bin/sh
# The command line: exact outputs, exact complaints, exit codes. Usage: run.sh PATH/TO/weft
# Prints TAP.
set -u
weft=$(realpath "$1")
export WEFT_DATA
WEFT_DATA=$(realpath "$(dirname "$0")/../..")
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
count=0

result() { # CODE NAME
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}

# refuses EXPECTED ARGS...: exit 2, exactly this line on stderr, nothing on stdout
refuses() {
    expected=$1
    shift
    "$weft" "$@" >out 2>err
    code=$?
    [ "$code" -eq 2 ] && [ "$(cat err)" = "$expected" ] && [ ! -s out ]
    verdict=$?
    [ "$verdict" -eq 0 ] || { echo "# weft $*: exit $code"; sed 's/^/# /' err; }
    result "$verdict" "refuses: $*"
}

refuses "weft: -s machine.dimz=8: unknown key 'machine.dimz'; did you mean 'machine.dims'?" \
    run -m bluegene-l -s machine.dimz=8
refuses "weft: -s workload.cycles=soon: workload.cycles = 'soon' is no whole number; use one from 1 to 70000000000000" \
    run -m bluegene-l -s workload.cycles=soon
refuses "weft: -s machine.dims=8x0x8: machine.dims = '8x0x8' is no machine size; use positive sizes joined by x, as 8x8x8" \
    run -m bluegene-l -s machine.dims=8x0x8
refuses "weft: -s machine.dims=8x-8x8: machine.dims = '8x-8x8' is no machine size; use positive sizes joined by x, as 8x8x8" \
    run -m bluegene-l -s machine.dims=8x-8x8
refuses "weft: -s workload.packet_bytes=33: workload.packet_bytes = '33' is no packet size; use a multiple of 32 from 32 to 256, or several joined by commas" \
    run -m bluegene-l -s workload.packet_bytes=33
refuses "weft: -s workload.load=-0.5: workload.load = -0.5 is out of range; use 0 to 1000" \
    run -m bluegene-l -w uniform -s workload.load=-0.5
refuses "weft: -s workload.load=nan: workload.load = 'nan' is no number; use one from 0 to 1000" \
    run -m bluegene-l -w uniform -s workload.load=nan
refuses "weft: nofile.yaml: No such file or directory; name a file that can be read" run nofile.yaml
refuses "weft: machine 'cray' is not known; \`weft machines\` lists those there are" run -m cray
refuses "weft: /nowhere/r.json: No such file or directory; name a place that can be written" \
    run -m bluegene-l -s machine.dims=2x2x2 -o /nowhere/r.json
refuses "weft: nothing to run; name a study or a machine (-m)" run
refuses "weft: unknown option '-x'; \`weft --help\` lists them" run -x
refuses "weft: -s needs a value; \`weft --help\` shows how" run -s
refuses "weft: -j '0' is no number of threads; use 1 to 4096" run -m bluegene-l -j 0
refuses "weft: unknown command 'fly'; \`weft --help\` lists them" fly
refuses "weft: study 'nostudy' is not known; \`weft study list\` lists those there are" study run nostudy
refuses "weft: -s workload.pattern=spiral: workload.pattern = 'spiral' is not known; use one of alltoall, uniform, hotregion, hotspot, neighbour, pingpong, linefill, planefill, transpose, bitcomplement, bitreverse, tornado, shuffle, permutation" \
    run -m bluegene-l -s workload.pattern=spiral
refuses "weft: machine.dims has 4 dimensions; this router has links for 3; use at most 3" \
    run -m bluegene-l -s machine.dims=2x2x2x2

printf 'machine: bluegene-l\nworkload:\n  pattern: uniform\n  lod: 1\n' >s.yaml
refuses "weft: s.yaml:4:8: unknown key 'workload.lod'; did you mean 'workload.load'?" run s.yaml
printf 'workload: uniform\n' >s.yaml
refuses "weft: s.yaml:1:1: the study names no machine; add 'machine: bluegene-l'" run s.yaml
printf 'machine: bluegene-l\nworkload: {pattern: uniform\n' >s.yaml
refuses "weft: s.yaml:3:1: did not find expected ',' or '}'; mend the YAML" run s.yaml

"$weft" run -m bluegene-l -s machine.dims=4096x4096x64 >out 2>err
[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] &&
    grep -q '^weft: machine.dims: 1073741824 nodes need about .* and this computer has .*; use a smaller machine$' err
result $? "a machine too large for the memory is one line and exit 2"

if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod a-w locked
    "$weft" run -m bluegene-l -s machine.dims=2x2x2 -o locked/r.json 2>err
    [ $? -eq 2 ] && grep -q 'Permission denied; name a place that can be written' err
    result $? "an unwritable folder is refused"
else
    echo "ok $((count += 1)) - an unwritable folder is refused # SKIP root may write everywhere"
fi

refuses "weft: .: is a folder; name a file in it" run -m bluegene-l -s machine.dims=2x2x2 -o .
refuses "weft: -s foo?bar=1: unknown key 'foo?bar'; did you mean 'run.seed'?" run -m bluegene-l -s "foo
bar=1"
printf 'machine: bluegene-l\ntitle: none\n' >none.yaml
refuses "weft: ./none.yaml:1:1: the study has no runs; list them under 'runs:'" study run ./none.yaml
refuses "weft: a node would send 4.29e+09 packets; give workload.*_per_pair or message_bytes so that it is at most 2 billion" \
    run -m bluegene-l -s machine.dims=2x1x1 -s workload.packets_per_pair=4294967295
"$weft" run -m bluegene-l -s machine.dims=2x2x2 -q -o target.json && ln -s target.json link.json &&
    "$weft" run -m bluegene-l -s machine.dims=2x2x2 -q -o link.json && [ -L link.json ]
result $? "a link to a result is followed"

# A run: the result's names, one digest for any number of threads, and the config fed back.
"$weft" run -m bluegene-l -w alltoall -s machine.dims=4x4x2 -s workload.packets_per_pair=2 \
    -s run.interval_cycles=2000 -j 2 -q -o r.json >out 2>err
[ $? -eq 0 ] && [ ! -s out ] && [ ! -s err ]
result $? "a quiet run prints nothing"
ls | grep -q 'r.json\..*'
[ $? -ne 0 ]
result $? "no temporary file is left"
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
result $? "the result has the promised names and adds up"
"$weft" run r.json -q -o again.json && "$weft" run config.json -q -j 3 -o third.json
digest() { sed -n 's/^ *"digest": "\(.*\)",/\1/p' "$1"; }
[ -n "$(digest r.json)" ] && [ "$(digest r.json)" = "$(digest again.json)" ] &&
    [ "$(digest r.json)" = "$(digest third.json)" ]
result $? "a result, and its config alone, run again to the same digest"

"$weft" run -m bluegene-l -j 2 -s machine.dims=16x16x1 -s workload.packet_bytes=32,256 \
    -s workload.packets_per_pair=10 -s workload.dynamic_share=0 -s machine.router.in_network_share=0 \
    -s machine.router.bubble_rule=actual_size --seed 2 -o dead.json >out 2>err
[ $? -eq 1 ] && head -n 1 err | grep -q '^weft: deadlock: .* 16 buffers wait for each other:$' &&
    grep -q '"deadlock"' dead.json
result $? "a deadlock is exit 1, explained, and in the result"

"$weft" show bluegene-l -s machine.dims=64x32x32 >out 2>err
[ $? -eq 0 ] && grep -q 'all-to-all at peak     66.7 % of all links busy, 59.3 % with payload' out
result $? "show prints the peak of an asymmetric machine"
"$weft" show bluegene-l | grep -q 'zero-load hop          16 cycles = 91.4 ns'
result $? "show prints the time of a hop"
[ "$("$weft" machines | cut -d' ' -f1)" = bluegene-l ]
result $? "machines lists Blue Gene/L"
"$weft" study list | grep -q '^alltoall-512 '
result $? "study list lists the first study"
"$weft" keys | grep -q '^workload.load '
result $? "keys lists the keys"
[ "$("$weft" --version)" = "weft 0.1.0" ]
result $? "version"

# A study: table, verdicts, files; exit 1 if a claim is missed.
cat >small.yaml <<'S'
title: Small
machine: bluegene-l
workload: {pattern: alltoall}
runs:
  - {name: one, x: 1, set: {machine.dims: 2x2x2}, paper: {text: half, value: 0.5, tolerance: 0.5, claim: X1}}
  - {name: two, x: 2, set: {machine.dims: 2x2x1}, paper: {text: "9", value: 9, tolerance: 0.1}}
plot: {metric: fraction_of_peak, x: size, y: share}
S
"$weft" study check ./small.yaml >out 2>err
[ $? -eq 1 ] && grep -q '^one .*half .* ok (X1)$' out && grep -q '^two .*9 .* MISSED$' out
result $? "study check judges and exits 1 when a claim is missed"
"$weft" study run ./small.yaml >out 2>err
[ $? -eq 0 ] && [ "$(wc -l <weft-small.csv)" -eq 3 ] && grep -q 'data: weft-small.csv' out
result $? "study run writes its data"

# Interrupted: nothing half-written.
"$weft" run -m bluegene-l -s workload.packets_per_pair=1000 -o long.json >out 2>err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
[ $? -eq 1 ] && grep -q '^weft: interrupted at cycle .*; nothing was written$' err && [ ! -e long.json ] &&
    ! ls | grep -q 'long.json'
result $? "SIGINT ends a run and leaves nothing behind"

# Sweeps: a table, a CSV, a plot; done again they are read, not run; interrupted they go on.
refuses "weft: nothing to sweep over; add --over KEY=V1,V2,... (\`weft keys\` lists keys)" sweep -m bluegene-l
refuses "weft: nothing to sweep; name a study or a machine (-m)" sweep --over run.seed=1,2
refuses "weft: --over run.seed is no KEY=V1,V2,...; name a key and values" sweep -m bluegene-l --over run.seed
refuses "weft: -s run.sead=1: unknown key 'run.sead'; did you mean 'run.seed'?" sweep -m bluegene-l --over run.sead=1,2
refuses "weft: 32 curves are too many for one plot; use at most 16" sweep -m bluegene-l --over run.seed=1 \
    --over machine.router.paths=1,2,3,4 --over run.interval_cycles=1,2,3,4,5,6,7,8
sweep="sweep -m bluegene-l -w uniform -s machine.dims=2x2x2 --over workload.load=0.2,0.4,0.6 --over machine.router.paths=1,2 --metric response_cycles.mean"
# shellcheck disable=SC2086  # a list of words
"$weft" $sweep -j 2 >out 2>err && [ "$(wc -l <weft-sweep-bluegene-l.csv)" -eq 4 ] &&
    grep -q '^workload.load *paths 1 *paths 2$' out && [ "$(ls weft-sweep-bluegene-l | wc -l)" -eq 6 ]
result $? "sweep over two keys"
cp weft-sweep-bluegene-l.csv first.csv
rm "weft-sweep-bluegene-l/$(ls weft-sweep-bluegene-l | head -1)"
# shellcheck disable=SC2086
"$weft" $sweep >out 2>err && grep -q '^5 of 6 results were in weft-sweep-bluegene-l already$' out &&
    cmp -s first.csv weft-sweep-bluegene-l.csv
result $? "a sweep goes on where it stopped"
"$weft" sweep -m bluegene-l --over workload.packets_per_pair=1,2000 -j 2 >out 2>err &
pid=$!
sleep 2
kill -INT $pid
wait $pid
[ $? -eq 1 ] && grep -q '^weft: interrupted; what is done stays in weft-sweep-bluegene-l' err
result $? "SIGINT ends a sweep"

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
result $? "study check judges claims and leaves nothing behind"
"$weft" study run ./claims.yaml --full >out 2>err && [ "$(head -1 weft-claims.csv)" = 'cycle,"one","two"' ] &&
    [ "$(wc -l <weft-claims.csv)" -eq 21 ]
result $? "study run --full writes its timeline"
sed 's/mean(two/mean(three/' claims.yaml >wrong.yaml
refuses "weft: ./wrong.yaml:12:30: no curve is named 'three'; use one of the study's" study check ./wrong.yaml
sed 's/"mean.*1)"/"mean(two"/' claims.yaml >wrong.yaml
refuses "weft: ./wrong.yaml:12:30: 'mean(two', letter 9: ',' is missing; add it" study check ./wrong.yaml
sed 's/, above: 50//' claims.yaml >wrong.yaml
refuses "weft: ./wrong.yaml:13:31: claim 'C2' says nothing to check; give it 'of' and value, above or below" study check ./wrong.yaml

refuses "weft: --full is for \`weft study\`; remove it" run -m bluegene-l --full
refuses "weft: --over and --metric are for \`weft sweep\`; remove them" run -m bluegene-l --over run.seed=1,2
# Benchmarks: one row, its JSON, and no others.
refuses "weft: 'dark' is no row of the benchmark; use saturated, light, alltoall, hotregion, 8x8x8, 16x16x16, 32x32x32 or 64x32x32" \
    bench dark
refuses "weft: a benchmark is always of the same runs; use -j, -o and names of rows" bench -m bluegene-l
"$weft" bench alltoall 8x8x8 -o bench.json >out 2>err && python3 - <<'PYTHON'
import json
bench = json.load(open("bench.json"))
row, = bench["rows"]
assert (row["traffic"], row["dims"], row["nodes"]) == ("alltoall", "8x8x8", 512)
assert row["packet_hops"] == 512 * 6 * 512  # mean distance 6 with itself at 0
assert row["packet_hops_per_cpu_second"] > 0 and row["simulated_us_per_wall_second"] > 0
assert bench["stages"] == []
PYTHON
result $? "bench: one row"

# proves WORDS ARGS...: exit 0 and these words; doubts: exit 1
judges() {
    expected=$1 words=$2
    shift 2
    "$weft" check -m bluegene-l "$@" >out 2>err
    code=$?
    [ "$code" -eq "$expected" ] && grep -q "$words" out && [ ! -s err ]
    verdict=$?
    [ "$verdict" -eq 0 ] || { echo "# weft check $*: exit $code"; sed 's/^/# /' out err; }
    result "$verdict" "check: $words: $*"
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
judges 1 "less than full size" -s machine.router.bubble_rule=actual_size -s workload.packet_bytes=32,256
judges 1 "not proved: 6 nodes" -s machine.dead_nodes=1/1/1
judges 0 "every pair of its 512 living nodes" -s machine.dead_links=1/1/1:x+ -s workload.dynamic_share=0
refuses "weft: no hint bits lead a dynamic packet from node 2/0/0 to node 0/2/3 around the dead ones; remove machine.dead_nodes or dead_links" \
    run -m bluegene-l -s machine.dead_nodes=1/2/3,4/2/3
refuses "weft: machine.dead_nodes = '8/0/0' names no node of this machine; use coordinates as 1/2/3, joined by commas, or none" \
    run -m bluegene-l -s machine.dead_nodes=8/0/0
refuses "weft: machine.router.dateline = '1,2' does not work; use highest, none, or a coordinate of each dimension as 7,7,7" \
    run -m bluegene-l -s machine.router.dateline=1,2

# Corruption that no check saw is no success.
"$weft" run -m bluegene-l -w alltoall -s machine.dims=2x2x2 -s workload.packets_per_pair=100 -q \
    -s machine.link.bit_error_rate=1e-5 -s machine.link.crc_bits=0 -o r.json 2>err
code=$?
[ $code -eq 1 ] && grep -q "links differ at their ends" err && [ -s r.json ]
result $? "differing link CRCs: exit 1, with the result written"
refuses "weft: no hint bits lead a fixed-path packet from node 0/0/0 to node 1/1/0 around the dead ones; use workload.dynamic_share = 1 and high_share = 0" \
    run -m bluegene-l -s machine.dims=4x4x1 -s machine.dead_nodes=1/0/0 -s machine.router.dynamic_vcs=0
refuses "weft: machine.link.bad_links = '1/1/1:x+@5--3' does not work; use up to 16 as 1/2/3:x+@1000-5000, joined by commas, or none" \
    run -m bluegene-l -s machine.link.bad_links=1/1/1:x+@5--3
sed 's/^dead_nodes:.*/dead_nodes: {value: [1\/2\/3, 0\/0\/1], source: test}/' "$WEFT_DATA/machines/bluegene-l.yaml" >m.yaml
"$weft" check -m ./m.yaml >out 2>err
grep -q "510 living nodes" out
result $? "a machine file lists dead nodes"

echo "1..$count"
