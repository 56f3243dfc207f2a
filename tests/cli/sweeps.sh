#!/bin/sh
# Sweeps and comparisons: seeds, several metrics, tidy tables, failures, saturation, studies, names, lines in logs.
# Usage: sweeps.sh PATH/TO/weft
# Prints TAP.
set -u
. "$(dirname "$0")/../tap.sh"

small="-m bluegene-l -w uniform -s machine.dims=2x2x2 -s workload.cycles=2000 -s workload.warmup_cycles=500"

# ---- what is refused before anything runs ----

refuses "weft: --metric link_utilization: results have no such number; did you mean 'link_utilisation'?" \
    sweep $small --over workload.load=0.1,0.2 --metric link_utilization
refuses "weft: --metric response_cycles.maen: results have no such number; did you mean 'response_cycles.mean'?" \
    sweep $small --over workload.load=0.1,0.2 --metric link_utilisation --metric response_cycles.maen
refuses "weft: --metric flux: results have no such number; use one in the result file, such as link_utilisation or response_cycles.mean" \
    sweep $small --over workload.load=0.1,0.2 --metric flux
refuses "weft: --metric utilisation: only runs of jobs and views have this figure; use a figure of traffic, such as link_utilisation" \
    sweep $small --over workload.load=0.1,0.2 --metric utilisation
refuses "weft: --metric received_fairness: only runs with run.detail have this figure; add -s run.detail=true" \
    sweep $small --over workload.load=0.1,0.2 --metric received_fairness
refuses "weft: --metric seconds_per_round: only runs of messages have this figure; use a figure of packets, such as response_cycles.mean" \
    sweep $small --over workload.load=0.1,0.2 --metric seconds_per_round
survey="-m k-computer -w survey --over machine.dims=1x1x1x2x3x2,2x1x1x2x3x2"
for metric in link_utilisation response_cycles.mean; do
    refuses "weft: --metric $metric: only runs of traffic have this figure; name another by --metric, as \`weft run\` prints them" \
        sweep $survey --metric $metric
done
refuses "weft: --metric link_utilisation: only runs of traffic have this figure; name another by --metric, as \`weft run\` prints them" sweep $survey
refuses "weft: --metric parts.part_1.sim_seconds: only runs of several workloads have this figure; use a figure of the whole run" \
    sweep $small --over workload.load=0.1,0.2 --metric parts.part_1.sim_seconds
refuses "weft: --metric fairness is given twice; name each once" sweep $small --over run.seed=1,2 --metric fairness --metric fairness
for word in 0 101 two; do
    refuses "weft: --seeds '$word' is not a number of seeds; use 1 to 100" sweep $small --over workload.load=0.1 --seeds $word
done
refuses "weft: --seeds and --over run.seed both choose seeds; use one of them" sweep $small --over run.seed=1,2 --seeds 2
printf 'machine: bluegene-l\nworkload: uniform\nseeds: 2\n' >seeds.yaml
refuses "weft: the seeds of seeds.yaml and --over run.seed both choose seeds; use one of them" sweep seeds.yaml --over run.seed=1,2
echo 'over: {run.seed: [4, 5]}' >>seeds.yaml
for command in "sweep seeds.yaml" "study run ./seeds.yaml"; do
    refuses "weft: ${command##* }:1:1: 'seeds' and 'over' both choose seeds; remove one" $command
done
refuses "weft: --over workload.load is given twice; join its values by commas" \
    sweep $small --over workload.load=0.1 --over workload.load=0.2
refuses "weft: --over workload.load=much: workload.load = 'much' is not a number; use one from 0 to 1000" \
    sweep $small --over workload.load=0.1,much
refuses "weft: --log-x: '0' has no logarithm; use numbers above 0" sweep $small --over workload.load=0,0.1 --log-x
refuses "weft: --precision '2' is not a share of the load; use 0.0001 to 0.5, as 0.01" \
    sweep $small --find-saturation --precision 2
refuses "weft: --precision without --find-saturation; add it, or remove it" sweep $small --over run.seed=1,2 --precision 0.1
refuses "weft: --find-saturation: alltoall ends by itself, and is never saturated; use an open-loop pattern, such as uniform" \
    sweep -m bluegene-l -w alltoall --find-saturation
refuses "weft: --metric response_cycles: it has several figures; use one of response_cycles.mean, response_cycles.p50, response_cycles.p99" \
    sweep $small --over workload.load=0.1,0.2 --metric response_cycles
refuses "weft: --over workload.load has the value 0.10 twice; name each once" sweep $small --over workload.load=0.1,0.10
refuses "weft: --over workload.pattern has the value tornado twice; name each once" sweep $small --over workload.pattern=tornado,uniform,tornado
refuses "weft: --seeds: run.seed = 9000000000000000001 is out of range; use 0 to 9e+18" \
    sweep $small --over workload.load=0.1 --seed 9000000000000000000 --seeds 2
refuses "weft: -s workload.load=0.3: workload.load is swept over; give its values by --over alone" \
    sweep $small -s workload.load=0.3 --over workload.load=0.1,0.2
refuses "weft: -s workload.load=0.3: workload.load is swept over; give its values by --over alone" \
    sweep $small -s workload.load=0.3 --find-saturation
refuses "weft: -w uniform: workload.pattern is swept over; give its values by --over alone" \
    sweep $small --over workload.pattern=uniform,tornado
refuses "weft: --seed 4: run.seed is swept over; give its values by --over alone" sweep $small --seed 4 --over run.seed=1,2
cat >vary.yaml <<'S'
machine: bluegene-l
machine.dims: 2x2x2
workload: {pattern: uniform, cycles: 1000, warmup_cycles: 200}
curves:
  - {name: torus}
  - {name: mesh, set: {machine.wrap: false, workload.packet_bytes: [32, 256]}}
over: {workload.load: [0.2, 0.5]}
plot: {metric: fraction_of_peek}
S
for command in "sweep vary.yaml" "study run ./vary.yaml"; do
    name=${command##* }
    refuses "weft: -s workload.load=0.3: $name sweeps over workload.load; use \`weft sweep\` with --over workload.load=..." $command -s workload.load=0.3
    for setting in machine.wrap=false workload.packet_bytes=64; do
        refuses "weft: -s $setting: the curves of $name set ${setting%%=*}; change them in the file, or leave this out" $command -s $setting
    done
    refuses "weft: $name:8:16: results have no such number; did you mean 'fraction_of_peak'?" $command
done
refuses "weft: --over machine.wrap: the curves of vary.yaml set machine.wrap; change them in the file, or leave this out" \
    sweep vary.yaml --over machine.wrap=true,false
sed 's/metric: .*/timeline: "link_utilisation, packets_in_flight"}/' vary.yaml >rows.yaml
refuses "weft: rows.yaml:8:18: no timeline has a series 'packets_in_flight'; use packets_delivered, payload_bytes_per_second, link_utilisation, unblocking_probability, or one of link_utilisation_by_direction, hops_by_vc and vc_chunks, as hops_by_vc.D0" \
    sweep rows.yaml
sed 's/packets_in_flight/packet_delivered/' rows.yaml >near.yaml
refuses "weft: near.yaml:8:18: no timeline has a series 'packet_delivered'; did you mean 'packets_delivered'?" sweep near.yaml
sed 's/metric: .*/timeline: link_utilisation}/' vary.yaml >still.yaml
refuses "weft: ./still.yaml:8:18: a timeline needs run.interval_cycles, which is 0; set it, as in run: {interval_cycles: 1000}" \
    study run ./still.yaml
# Claims are read before anything runs.
sed 's/peek/peak/' vary.yaml >claims.yaml
echo 'claims: [{id: C1, says: more, value: 1, of: "OF"}]' >>claims.yaml
while IFS='|' read -r claim complaint; do
    sed "s/OF/$claim/" claims.yaml >claim.yaml
    refuses "weft: ./claim.yaml:9:45: $complaint" study run ./claim.yaml
done <<'C'
at(mash, cycles, 0.2)|no curve is named 'mash'; use one of the study's
at(mesh, cycles, 0.9)|the study has no run at 0.9; use a value between its own
at(mesh, response_cycles.maen, 0.2)|'response_cycles.maen': results have no such number; did you mean 'response_cycles.mean'?
at(mesh, cycles, 0.2|'at(mesh, cycles, 0.2', character 21: ')' is missing; add it
1 \/ swing(mesh, link_utilisation, 0, 1)|a timeline needs run.interval_cycles, which is 0; set it, as in run: {interval_cycles: 1000}
mean(mesh, link_utilization, 0, 1)|no timeline has a series 'link_utilization'; did you mean 'link_utilisation'?
C
sed '/^curves/,$d' vary.yaml >runs.yaml
printf 'runs:\n  - {name: one}\n  - {name: two, set: {machine.wrap: false}}\n' >>runs.yaml
refuses "weft: --find-saturation: the runs of a study are not loads; sweep a load: remove 'runs' from the file, or write 'over'" \
    sweep runs.yaml --find-saturation
sed 's/workload.load: .*/workload.packet_bytes: [64, 128]}/; s/peek/peak/; s/, workload.packet_bytes: .32, 256.//' vary.yaml >sizes.yaml
refuses "weft: --find-saturation: sizes.yaml sweeps over workload.packet_bytes, not over a load; sweep a load: remove 'over' from the file, or name a load there" \
    sweep sizes.yaml --find-saturation
refuses "weft: --over =1,2 has no key; write --over KEY=V1,V2,... (\`weft keys\` lists keys)" sweep $small --over =1,2
refuses "weft: --over machine.wrap: the runs of runs.yaml set machine.wrap; change them in the file, or leave this out" \
    sweep runs.yaml --over machine.wrap=true
for name in x.csv - .. a/b; do
    refuses "weft: -o $name: a sweep writes weft-NAME.csv and others here; use a NAME of at most 40 letters without slashes and .csv, that begins with neither - nor a dot" \
        sweep $small --over run.seed=1,2 -o $name
done
for verb in run record; do # the first does not run before the second is known to be one
    refuses "weft: study 'hot-policy' is not known; did you mean 'hot-policies'?" study $verb hot-policies hot-policy
done
refuses "weft: -s machine.wrap=false: the curves of ./vary.yaml set machine.wrap; change them in the file, or leave this out" \
    study run hot-policies ./vary.yaml -s machine.wrap=false
[ -z "$(ls -d weft-* 2>/dev/null)" ]
say $? "what is refused leaves nothing"
touch weft-q && mkdir weft-r.csv weft-s.svg weft-t-fairness.png weft-vary.png && sed -i 's/peek/peak/' vary.yaml
refuses "weft: weft-q: is a file, where results are to be in a folder; rename it, or start elsewhere" sweep $small --over run.seed=1,2 -o q
for name in r.csv s.svg; do
    refuses "weft: weft-$name: is a folder; move it away, or start elsewhere" sweep $small --over run.seed=1,2 -o "${name%.*}"
done
refuses "weft: weft-t-fairness.png: is a folder; move it away, or start elsewhere" sweep $small --over run.seed=1,2 --metric link_utilisation --metric fairness -o t
refuses "weft: weft-vary.png: is a folder; move it away, or start elsewhere" study run ./vary.yaml
[ "$(echo weft-*)" = "weft-q weft-r.csv weft-s.svg weft-t-fairness.png weft-vary.png" ]
say $? "what cannot be written is refused before anything runs"
mkdir weft-u.svg weft-u.png weft-u-fairness.csv
"$weft" sweep $small --over run.seed=1 --metric link_utilisation --metric fairness -q -o u >out 2>err
say $? "what is not written may be a folder"
"$weft" sweep -m ideal -s machine.nodes=4 --over workload.as=packets,messages --metric seconds_per_round -q -o both >out 2>err
[ $? -eq 0 ] && [ ! -s err ]
say $? "a metric that some of the runs can have is taken"
"$weft" sweep $small --over run.seed=1 --metric vc_share.VC9 --metric link_utilisation -o part >out 2>err
[ $? -eq 2 ] && grep -q "^weft: the runs have no 'vc_share.VC9'; " err && grep -q '^link utilisation (share of time)$' out &&
    grep -q '^plot: weft-part-link_utilisation.svg.*, data: weft-part.csv, results: weft-part/$' out && grep -qx 'no plot: no run has vc_share.VC9' out
say $? "a figure that no run has does not hide the others"
rm -r weft-*

# ---- the tidy table ----

"$weft" sweep $small --over workload.load=0.2,0.4 --over machine.router.paths=1,2 --seeds 3 --metric response_cycles.mean \
    --metric fraction_of_peak -o tidy -j 2 >out 2>err && python3 - <<'P'
import csv, json, math
rows = list(csv.DictReader(open("weft-tidy.csv")))
assert len(rows) == 12, len(rows)
assert len(set(rows[0])) == len(rows[0]), "a column twice"
for row in rows:
    result = json.load(open(row["file"]))
    def at(path):
        value = result
        for word in path.split("."):
            value = value[word]
        return value
    assert row["status"] == "done" and row["reason"] == "" and row["digest"] == result["digest"]
    assert row["steady"] == str(result["steady"]).lower()
    # every key, and every single value of the result
    def leaves(tree, path=""):
        for name, value in tree.items():
            if isinstance(value, dict):
                yield from leaves(value, path + name + ".")
            elif not isinstance(value, list):
                yield path + name, value
    for key, value in leaves(result["config"]):
        if key == "machine.name":
            continue
        assert key in row, key
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            assert math.isclose(float(row[key]), value, rel_tol=1e-9, abs_tol=1e-12), (key, row[key], value)
    for name, value in leaves({k: v for k, v in result.items() if k not in ("config", "engine", "seed", "each_link", "each_node")}):
        assert name in row, name
        if isinstance(value, float):
            assert math.isclose(float(row[name]), value, rel_tol=1e-9, abs_tol=1e-12), name
# mean and interval by Student's distribution with two degrees of freedom
for load in "0.2", "0.4":
    for paths in "1", "2":
        group = [r for r in rows if float(r["workload.load"]) == float(load) and r["machine.router.paths"] == paths]
        assert sorted(r["run.seed"] for r in group) == ["1", "2", "3"]
        for metric in "response_cycles.mean", "fraction_of_peak":
            values = [float(r[metric]) for r in group]
            mean = sum(values) / 3
            half = 4.303 * math.sqrt(sum((v - mean) ** 2 for v in values) / 2 / 3)
            for r in group:
                assert math.isclose(float(r[metric + ".interval"]), half, rel_tol=1e-4), (half, r)
P
say $? "a row per run: all keys, all figures, intervals over the seeds"
grep -q '^mean response time by offered load: bluegene-l 2x2x2, uniform$' out && grep -q '^mean response time (cycles)$' out &&
    grep -q '^throughput (share of the bound)$' out && grep -q '^0.2  *[0-9.]* +- [0-9.]*  *[0-9.]* +- [0-9.]*$' out
say $? "titles and units come from the keys; tables have intervals"
[ -s weft-tidy-response_cycles.mean.svg ] && [ -s weft-tidy-fraction_of_peak.svg ] && [ ! -e weft-tidy.svg ] &&
    grep -q 'offered load (share of the bound)' weft-tidy-fraction_of_peak.svg && grep -q 'mean response time (cycles)' weft-tidy-response_cycles.mean.svg
say $? "a plot for each metric, with units on its axes"
# Where nobody sees a bar, a line for each run, in order; none with -q, and none for results that are there.
[ "$(wc -l <err)" -eq 12 ] && head -n 1 err | grep -q '^1 of 12: workload.load = 0.[24], paths [12], seed [123]: done in [0-9.]* s$' &&
    tail -n 1 err | grep -q '^12 of 12: '
say $? "a log has a line for each run"
"$weft" sweep $small --over workload.load=0.2,0.4 -q -o quiet >out 2>err && [ ! -s out ] && [ ! -s err ] && [ "$(wc -l <weft-quiet.csv)" -eq 3 ]
say $? "-q: no lines"
"$weft" sweep $small --over workload.load=0.2,0.4 --title 'A "title", own' --log-x --log-y --metric sim_seconds -q -o own &&
    grep -q 'A "title", own\|A &quot;title&quot;, own' weft-own.svg
say $? "--title, --log-x and --log-y"
"$weft" sweep $small --over workload.load=0.2,0.4 --title "$(printf 'odd\377 \303\244\033')" -q -o odd &&
    python3 -c 'import xml.etree.ElementTree as tree; text = tree.parse("weft-odd.svg").getroot().itertext(); assert "odd? ä?" in "".join(text)'
say $? "a title that is no UTF-8 leaves a plot well-formed"
"$weft" sweep $small --seed 7 --seeds 2 --over workload.load=0.2 -q -o seeds && [ "$(cut -d, -f3 weft-seeds.csv | tr '\n' ' ')" = "run.seed 7 8 " ]
say $? "--seed 7 --seeds 2 are the seeds 7 and 8"
"$weft" sweep $small --seed 107 --seeds 2 --over workload.load=0.2 -o named >out 2>err && [ "$(grep -o 'seed [0-9]*' err | sort | tr '\n' ' ')" = "seed 107 seed 108 " ]
say $? "a log names the seeds that were run"
printf 'machine: bluegene-l\nmachine.dims: 2x2x2\nworkload: {pattern: uniform, cycles: 1000}\nseeds: 2\n' >once.yaml
"$weft" sweep once.yaml -q -o once && [ "$(wc -l <weft-once.csv)" -eq 3 ]
say $? "a file with nothing but seeds is swept as one point"

# ---- names ----

mkdir apart && cd apart || exit 1
"$weft" sweep $small --over workload.load=0.2,0.4 -q && "$weft" sweep $small --over workload.load=0.2,0.4 --metric fairness -q &&
    "$weft" sweep $small --over machine.router.paths=1,2 -q && "$weft" sweep $small -s workload.load=0.3 --over machine.router.paths=1,2 -q
[ $? -eq 0 ] && [ "$(ls weft-sweep-bluegene-l-load-????.csv | wc -l)" -eq 2 ] && [ "$(ls weft-sweep-bluegene-l-paths-????.csv | wc -l)" -eq 2 ] &&
    [ "$(ls -d weft-*/)" = "weft-sweep-bluegene-l/" ] && [ "$(ls weft-sweep-bluegene-l | wc -l)" -eq 6 ]
say $? "two sweeps have two names, and share only results of one configuration"
# A result that lies where another belongs is not taken for it.
"$weft" sweep $small --over workload.load=0.2,0.4 -q -o kept && cp weft-kept.csv right.csv && set -- weft-kept/*.json && cp "$1" "$2" &&
    "$weft" sweep $small --over workload.load=0.2,0.4 -o kept >out 2>err && grep -q '^1 of 2 results were in weft-kept already$' out && cmp weft-kept.csv right.csv &&
    sed -i 's/^  "seed": 1,/  "seed": 2,/' "$1" && "$weft" sweep $small --over workload.load=0.2,0.4 -o kept >out 2>err && grep -q '^1 of 2 results were' out &&
    "$weft" sweep $small --over workload.load=0.2,0.4 -o kept >out 2>err && grep -q '^2 of 2 results were' out
say $? "kept results are those of the configuration that they say"
cd ..

# ---- runs that fail ----

"$weft" sweep -m bluegene-l -w hotregion -s machine.dims=4x4x4 -s workload.cycles=1000 --over workload.hot_dims=2x2x2,8x8x8,1x1x1 -o holes >out 2>err
[ $? -eq 1 ] && grep -q '^8x8x8  *failed$' out && grep -q '^1 of 3 runs failed$' out &&
    grep -q '^  workload.hot_dims = 8x8x8: --over workload.hot_dims=8x8x8: workload.hot_dims is larger than the machine; ' out &&
    [ "$(tail -n 1 err)" = "weft: 1 of 3 runs failed; weft-holes.csv has the reasons; the same command tries them again" ] &&
    [ "$(cut -d, -f2,4 weft-holes.csv | tr '\n' ' ')" = "workload.hot_dims,status 2x2x2,done 8x8x8,failed 1x1x1,done " ]
say $? "a combination that does not fit together is marked; the others run"
# A deadlock is found while it runs: one channel for all hops, of small queues.
deadlocks="-m sc5832 -w uniform -s machine.graph=kautz:2:3 -s machine.routing.vc_rule=none -s machine.router.vcs=1
-s machine.router.crosspoint_packets=1 -s machine.dma.mb_per_s=10000 -s run.stall_cycles=20000 -s workload.cycles=5000"
"$weft" sweep $deadlocks --over workload.load=3,0.01 -o dead >out 2>err
[ $? -eq 1 ] && grep -q '^3  *failed$' out && grep -q '^workload.load  *Weft$' out && grep -q '^0.01  *[0-9.]*$' out &&
    grep -q '^1 of 2 runs failed$' out && grep -q ',failed,.*wait for each other' weft-dead.csv
say $? "a run that deadlocks is marked; the others run"
"$weft" sweep -m bluegene-l -w hotregion -s machine.dims=4x4x4 --over workload.hot_dims=8x8x8 -o all >out 2>err
[ $? -eq 1 ] && grep -q '^1 of 1 runs failed$' out && [ "$(wc -l <weft-all.csv)" -eq 2 ]
say $? "all runs fail: a table says why"
"$weft" sweep $deadlocks -s workload.load=3 --over run.seed=2 -o deadlocked >out 2>err
[ $? -eq 1 ] && grep -q '^no plot: no run succeeded$' out
say $? "no plot of nothing"
"$weft" sweep -m bluegene-l -w hotregion -s machine.dims=4x4x4 -s workload.hot_dims=8x8x8 -s workload.cycles=1000 --over workload.load=0.1,0.2 --seeds 2 --find-saturation \
    -o same >out 2>err
grep -q '^  workload.load = 0.1, seed 1 and 3 more: ' out && [ "$(grep -c 'larger than the machine' out)" -eq 1 ] &&
    grep -q '^  Weft  *not found: all runs failed$' out
say $? "a reason is said once"
refuses "weft: --over workload.packet_bytes=33: workload.packet_bytes = 33 is not a packet size; use a multiple of 32 from 32 to 256, or several joined by commas" \
    sweep $small --over workload.packet_bytes=33

# ---- names of figures ----

# Each number of a result is known; the second metric is not, so nothing runs.
for machine in "bluegene-l -s machine.dims=2x2x2 -s machine.link.bit_error_rate=1e-6" "sc5832 -s machine.graph=kautz:2:3" \
    "k-computer -s machine.dims=1x1x1x2x3x2" "dragonfly -s machine.graph=dragonfly:1:2:1" "ideal -s machine.nodes=8"; do
    "$weft" run -m $machine -w uniform -s workload.load=0.3 -s workload.cycles=2000 -s run.detail=true -q -o figures.json && python3 - >names <<'P'
import json
def leaves(tree, path=""):
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, path + name + ".")
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield path + name
result = json.load(open("figures.json"))
result = {name: value for name, value in result.items() if name not in ("config", "seed", "each_link", "each_node")}
print("\n".join(leaves(result)))
P
    # shellcheck disable=SC2046  # words without blanks, seven at a time
    unknown=$(xargs -n 7 <names | while read -r seven; do
        "$weft" sweep -m $machine -w uniform -s run.detail=true --over run.seed=1 $(printf -- '--metric %s ' $seven) --metric flux 2>&1 | grep -v -e '--metric flux'
    done)
    [ "$(wc -l <names)" -gt 20 ] && [ -z "$unknown" ]
    verdict=$?
    say $verdict "every figure of ${machine%% *} can be asked for"
    [ $verdict -eq 0 ] || echo "$unknown" | sed 's/^/# /'
done

# ---- figures that only some runs have ----

"$weft" sweep -m bluegene-l -s machine.dims=2x2x2 -s workload.cycles=1000 --over workload.pattern=uniform,pingpong --metric one_way_cycles -o some >out 2>err &&
    grep -q '^uniform  *-$' out && grep -q '^pingpong  *[0-9]' out
say $? "a figure that only some runs have"
"$weft" sweep $small --over workload.load=0.2,0.4 --metric one_way_cycles -q -o none >out 2>err
[ $? -eq 2 ] && grep -q "^weft: the runs have no 'one_way_cycles'; " err
say $? "a figure that none of them has"

# ---- saturation ----

"$weft" sweep $small --over workload.load=0.5,1.5 --find-saturation --precision 0.05 --metric response_cycles.mean -o sat >out 2>err &&
    grep -q '^saturation: the largest workload.load that is steady$' out && python3 - <<'P'
import csv
rows = list(csv.DictReader(open("weft-sat.csv")))
steady = [float(r["workload.load"]) for r in rows if r["steady"] == "true"]
unsteady = [float(r["workload.load"]) for r in rows if r["steady"] == "false"]
at = {float(r["saturation"]) for r in rows}
assert at == {max(steady)} and 0 < min(unsteady) - max(steady) <= 0.05 * min(unsteady), (at, steady, unsteady)
assert 4 < len(rows) < 12, len(rows)
P
say $? "saturation lies between the last run that is steady and the first that is not, as near as asked"
"$weft" sweep $small --over workload.load=0.5,1.5 --find-saturation --precision 0.1 --seeds 3 --metric response_cycles.mean -q -o sats && python3 - <<'P'
import csv, math
rows = list(csv.DictReader(open("weft-sats.csv")))
groups = {}
for r in rows:
    groups.setdefault(float(r["workload.load"]), []).append(r)
assert len(groups) > 3 and all(len(g) == 3 for g in groups.values())
for group in groups.values():
    values = [float(r["response_cycles.mean"]) for r in group]
    mean = sum(values) / 3
    half = 4.303 * math.sqrt(sum((v - mean) ** 2 for v in values) / 2 / 3)
    for r in group:
        assert math.isclose(float(r["response_cycles.mean.interval"]), half, rel_tol=1e-3), (half, r)
P
say $? "intervals are over the seeds, of the runs of a bisection, too"
grep -q 'saturates at ' weft-sat.svg && grep -q '^1.5 .*\*$' out && grep -q '^\* not steady' out && grep -q 'hollow: not steady' weft-sat.svg
say $? "saturation is in the plot; what is not steady is hollow, and has a star"
"$weft" sweep $small --over workload.load=0.1,0.2 --find-saturation -o low >out 2>err && grep -q '  Weft  *not reached: steady up to 0.2$' out
say $? "no saturation in the range"
"$weft" sweep $small --over workload.load=3,4 --find-saturation -o high >out 2>err && grep -q '  Weft  *below 3: no run is steady$' out
say $? "saturation below the range"
"$weft" sweep $small --over machine.router.paths=1,2 --find-saturation --precision 0.2 -o paths -q && [ "$(cut -d, -f1 weft-paths.csv | sort -u | wc -l)" -eq 3 ]
say $? "--find-saturation sweeps over workload.load, with a curve for each of the other values"

# ---- studies ----

cat >curves.yaml <<'S'
title: Two curves
machine: bluegene-l
workload: {pattern: uniform, cycles: 1000, warmup_cycles: 200}
small: {machine.dims: 2x2x2}
full: {machine.dims: 4x2x2}
seeds: 2
curves:
  - {name: one path, set: {machine.router.paths: 1}}
  - {name: two paths, set: {machine.router.paths: 2}}
over: {workload.load: "0.2, 0.4"}
plot: {metric: response_cycles.mean, x: load, y: cycles}
S
"$weft" sweep curves.yaml -o study >out 2>err && [ "$(wc -l <weft-study.csv)" -eq 9 ] && grep -q '^workload.load  *one path  *two paths$' out &&
    [ "$(cut -d, -f1 weft-study.csv | sort | uniq -c | tr -s ' \n' ' ')" = " 1 curve 4 one path 4 two paths " ]
say $? "a study is swept with its curves, points and seeds"
"$weft" sweep curves.yaml --over workload.load=0.3 --over machine.router.vc_choice=random,jsq --seeds 1 --full -o other >out 2>err &&
    [ "$(wc -l <weft-other.csv)" -eq 5 ] && grep -q '^workload.load .*one path, vc_choice random .*two paths, vc_choice random$' out &&
    grep -q '^workload.load .*one path, vc_choice jsq .*two paths, vc_choice jsq$' out &&
    [ "$(sed '/^plot:/d' out | wc -L)" -le 80 ] &&
    grep -q ',4x2x2,' weft-other.csv
say $? "options override a study's points, seeds and size, and add curves"
refuses "weft: curves.yaml:4:23: a study of several runs; use \`weft study run curves.yaml\`, or \`weft sweep\`" run curves.yaml
"$weft" study run ./curves.yaml >out 2>err &&
    [ "$(head -n 1 weft-curves.csv)" = 'x,"one path","two paths","interval: one path","interval: two paths","paper: one path","paper: two paths","steady: one path","steady: two paths",run' ] &&
    grep -q '^0.2,.*,true,true,"0.2"$' weft-curves.csv && grep -q '^8 of 8: ' err
say $? "a study's table says what is steady"
sed 's/^over.*//; s/^seeds.*//; s/^plot.*/plot: {timeline: link_utilisation, x: cycle, y: share}\nrun: {interval_cycles: 100}/' curves.yaml >time.yaml
"$weft" study run ./time.yaml -q >out 2>err && grep -q '>warm-up<\|warm-up' weft-time.svg && grep -q 'drain' weft-time.svg
say $? "timelines mark warm-up and drain"
"$weft" sweep $small --over workload.load=0.2 --over machine.router.paths=1,2 --metric response_cycles.mean --find-saturation --precision 0.2 -q -o bars &&
    grep -q 'offered load (share of the bound): 0.2<' weft-bars.svg && grep -q '>mean response time: bluegene-l 2x2x2, uniform<' weft-bars.svg &&
    ! grep -q '>Weft<' weft-bars.svg
say $? "bars say what they have in common, and have no axis of loads"
sed 's/interval_cycles: 100/interval_cycles: 400/; s/{machine.router.paths: 2}/{workload.cycles: 1700}/' time.yaml >ends.yaml
"$weft" study run ./ends.yaml -q >out 2>err && grep -q '^800,0.*,0' weft-ends.csv && grep -q '^1200,,0' weft-ends.csv
say $? "timelines leave out the last row of each run, which is cut short"

# ---- comparisons ----

long="$small -s workload.cycles=8000"
"$weft" run $long -s workload.load=0.2 -q -o a.json && "$weft" run $long -s workload.load=0.2 -j 2 -q -o b.json &&
    "$weft" run $long -s workload.load=3 -q -o c.json
"$weft" compare a.json b.json >out 2>err && [ "$(cat out)" = "the configurations are the same
the results are the same" ]
say $? "compare: the same, whatever computed it"
sed '/^    "columns": {$/,/^    },$/d' a.json >old.json && ! cmp -s a.json old.json &&
    "$weft" compare a.json old.json -q >out 2>err && [ ! -s err ]
say $? "compare: a result of an older version, which does not say its columns"
"$weft" compare a.json c.json -o diff.csv >out 2>err
[ $? -eq 1 ] && [ ! -s err ] && grep -q '^configuration  *A  *B  *change$' out && grep -q '^  workload.load  *0.2  *3.0  *+2.8  *+1400.00 %$' out &&
    grep -q '^  response_cycles.mean  *[0-9.]*  *[0-9.]*\*  *+[0-9.]*  *+[0-9.]* %  more than chance$' out && grep -q '^\* not steady' out &&
    ! grep -q engine out && python3 - <<'P'
import csv, json
a, c = json.load(open("a.json")), json.load(open("c.json"))
rows = {(r["kind"], r["name"]): r for r in csv.DictReader(open("diff.csv"))}
r = rows["result", "response_cycles.mean"]
assert float(r["a"]) == a["response_cycles"]["mean"] and float(r["b"]) == c["response_cycles"]["mean"]
assert abs(float(r["change"]) - (float(r["b"]) - float(r["a"]))) < 1e-9 and r["significant"] == "true"
assert abs(float(r["relative_change"]) - float(r["change"]) / float(r["a"])) < 1e-12
assert r["a_steady"] == "true" and r["b_steady"] == "false"
assert rows["config", "machine.dims"]["differs"] == "false" and ("engine", "cpu_seconds") not in rows and ("engine", "engine.events") in rows
P
say $? "compare: keys, then figures with their change"
for seed in 1 2; do
    "$weft" jobs -m bluegene-l -s jobs.count=20 --seed $seed -q -o jobs$seed.json
    "$weft" run -m bluegene-l -s machine.dims=2x2x2 -w parts -s workload.cycles=4000 -s workload.parts="nodes:0-$seed uniform load=0.1; nodes:4-7 uniform load=5" -q -o parts$seed.json
done
for kind in jobs parts; do
    "$weft" compare ${kind}1.json ${kind}2.json -o arrays.csv >out 2>err
    [ $? -eq 1 ] && grep -q '^  digest ' out && grep -q '^result,digest,' arrays.csv && ! grep -qE 'jobs\.runs|part_of_node' out arrays.csv
    say $? "compare: packed arrays are no figures ($kind)"
done
[ "$(grep 'response_cycles.mean,' arrays.csv | cut -d, -f9,10 | tr '\n' ' ')" = "true,true false,false false,false " ]
say $? "compare: a part's figures are steady if the part is"
[ "$("$weft" compare a.json c.json | sed -n '1p' | cut -c1-60)" = "A: uniform: each of 8 nodes sends full packets of 256 bytes," ] && "$weft" compare a.json c.json | sed -n 2p | grep -q '^B: .* at load 3;'
say $? "compare: works of one machine may differ, and are said"

# ---- machines side by side do the same work ----

packets="'all-to-all of 8 nodes: each sends every other 1 packet of 256 bytes, 16 of them header'"
messages="'all-to-all of 8 processes: each sends every other 10 messages of 240 bytes'"
printf 'base: bluegene-l\ndims: 2x2x2\n' >small.yaml && printf 'base: ideal\nnodes: 8\n' >ideal8.yaml && printf 'base: ideal\nnodes: 6\n' >ideal6.yaml
for m in small ideal8 ideal6; do
    for as in auto messages; do
        "$weft" run -m ./$m.yaml -w alltoall -s workload.as=$as -o $m-$as.json >$m-$as.out
    done
done
grep -q "^  work         $(echo "$packets" | tr -d "'")$" small-auto.out && grep -q "^  work         $(echo "$messages" | tr -d "'")$" ideal8-auto.out
say $? "a summary says what was run"
python3 - <<'P'
import json
def work(name):
    w = json.load(open(name + ".json"))["work"]
    return w["pattern"], w["unit"], w["participants"], w["count"], w["bytes"]
assert work("small-auto") == ("alltoall", "packets", 8, 1, 256), work("small-auto")
assert work("ideal8-auto") == work("small-messages") == ("alltoall", "messages", 8, 10, 240)
P
say $? "a result says what was run"
refuses "weft: not the same work: small-auto.json: $packets; ideal8-auto.json: $messages; use -s workload.as=messages for both, or packets" \
    compare small-auto.json ideal8-auto.json
refuses "weft: not the same work: ideal8-auto.json: $messages; ideal6-auto.json: $(echo "$messages" | sed s/8/6/); give both the same workload.processes" \
    compare ideal8-auto.json ideal6-auto.json
# A size that can be followed: full packets of Blue Gene/L are too large for ports, and 240 bytes are no size of the torus.
"$weft" run -m ./ideal8.yaml -w alltoall -s workload.as=packets -o ideal8-packets.json -q
"$weft" compare small-auto.json ideal8-packets.json >out 2>err
[ $? -eq 2 ] && grep -q "; give both the same workload.packet_bytes, which both must allow; most machines allow 64$" err &&
    "$weft" sweep -w alltoall -s workload.as=packets -s workload.packet_bytes=64 --over machine=./small.yaml,./ideal8.yaml --over run.seed=1 -q -o same64
say $? "a hint to the same size of packets can be followed"
"$weft" compare small-messages.json ideal8-messages.json >out 2>err
[ $? -eq 1 ] && [ ! -s err ] && head -n 1 out | grep -q ^configuration
say $? "compare: two machines with the same work"
sed '/^  "work": {$/,/^  },$/d' small-auto.json >before.json && "$weft" compare before.json ideal8-auto.json -q 2>err
[ $? -eq 1 ] && [ ! -s err ]
say $? "compare: a result that does not say its work"
refuses "weft: not the same work: ./small.yaml: $packets; ./ideal8.yaml: $messages; use -s workload.as=messages for both, or packets" \
    sweep -w alltoall --over machine=./small.yaml,./ideal8.yaml --over run.seed=1,2
refuses "weft: -m ideal: the machine is swept over; give its values by --over alone" sweep -m ideal -w alltoall --over machine=bluegene-l,ideal
"$weft" sweep -w alltoall -s workload.as=messages --over workload.message_bytes=100,200 --over machine=./small.yaml,./ideal8.yaml --metric sim_seconds -o sides >out 2>err &&
    grep -q '^workload.message_bytes  *machine ./small.yaml *machine ./ideal8.yaml$' out &&
    grep -q '^  ./small.yaml all-to-all of 8 processes: each sends every other 10 messages of 100 bytes$' out &&
    [ "$(tail -n +2 weft-sides.csv | wc -l)" -eq 4 ] && [ "$(head -n 1 out)" = "time by message size: alltoall" ]
say $? "a sweep over machines: curves, and the work of each"
"$weft" sweep -w uniform --over machine=./small.yaml,./ideal6.yaml -s workload.load=0.2 -o loads -q 2>err
say $? "loads are relative: machines of any size, in their own full packets"
"$weft" compare a.json c.json -q >out 2>err
[ $? -eq 1 ] && [ ! -s out ] && [ ! -s err ]
say $? "compare -q: an exit status"
"$weft" compare a.json c.json -o - >out 2>err
[ $? -eq 1 ] && cmp -s out diff.csv && grep -q '^configuration ' err
say $? "compare -o -: CSV on standard output"
"$weft" help compare | grep -q -e '-o FILE.csv .*as CSV' && "$weft" help sweep | grep -q -e '-o NAME .*weft-NAME.csv' && "$weft" help view | grep -q -e '-o PAGE.html' &&
    ! "$weft" help compare | grep -q JSON && "$weft" help run | grep -q -e '-o FILE .*as JSON'
say $? "-o is explained as the command means it"
refuses "weft: -o x.csv: a page is HTML; use a name that ends in .html" view a.json -o x.csv
refuses "weft: \`weft compare\` takes two results; name two files" compare a.json
head -c 300 a.json >cut.json && echo '[1,2' >list.json && echo '{"digest": "x"}' >other.json && head -c 70000000 /dev/zero >long.json
gzip -c a.json >a.json.gz && "$weft" compare a.json.gz a.json -q
say $? "compare: packed results, too"
for name in curves.yaml cut.json list.json other.json long.json nothere.json .; do # the words of `weft view`
    "$weft" view $name >out 2>words
    grep -q "^weft: $name: \|^weft: $name:[0-9]*:[0-9]*: not JSON: " words && ! grep -q 'YAML\|machine' words
    say $? "view: $name is no result"
    refuses "$(cat words)" compare a.json $name
done
refuses "weft: -o x.json: a comparison is written as CSV; use a name that ends in .csv" compare a.json b.json -o x.json

echo "1..$number"
