#!/bin/sh
# weft study. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/study.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
. "$here/common.sh"

# A study: table, verdicts, files; exit 1 if a claim is missed.
small_study
"$weft" study check ./small.yaml >out 2>err
[ $? -eq 1 ] && grep -q '^X1 .* ok  *half$' out && grep -q '^X2 .* MISSED  *nine$' out &&
    [ "$(tail -n 1 out)" = "verdicts: 1 ok, 1 missed" ]
say $? "study check judges, counts, and exits 1 when a claim is missed"
sed -e 's/^machine:/seeds: 3\n&/' -e 's/{id: X2,/{id: X2, known: both, note: it cannot be,/' \
    -e 's/{id: X1,/{id: X1, kind: calibrated,/' small.yaml >seeds.yaml
cat >>seeds.yaml <<'S'
  - {id: X3, kind: formula, says: one, of: "1", value: 1, tolerance: 0}
  - {id: X4, kind: both, weft: 1, says: two, of: "1", value: 2, tolerance: 0}
  - {id: X5, kind: words, says: little, of: "1", below: 2}
S
"$weft" study check ./seeds.yaml >out 2>err
[ $? -eq 0 ] && grep -qE '^X1 .* \+- [0-9.e-]+ +calibrated +half$' out && grep -q '^X2 .* known missed nine$' out &&
    [ "$(tail -n 1 out)" = "verdicts: 0 ok, 1 calibrated, 1 formula, 1 in words, 1 both shown, 1 known missed, 0 missed" ]
say $? "a study has seeds, kinds of verdicts, and misses that are known"
# The limit of a claim within the 95 % interval of its mean, and beyond it.
limits=$(awk '$1 == "X1" { for (i = 3; i < NF; i++) if ($i == "+-" && $(i + 2) == "calibrated")
    printf "%.9g %.9g", $(i - 1) - $(i + 1) / 2, $(i - 1) - 2 * $(i + 1) }' out)
of=$(sed -n 's/.*id: X1,.*of: \("[^"]*"\).*/\1/p' seeds.yaml)
cat >uncertain.yaml <<S
$(sed '/^claims:/q' seeds.yaml)
  - {id: X1, says: near, of: $of, above: ${limits% *}}
  - {id: X2, says: far, of: $of, above: ${limits#* }}
S
"$weft" study check ./uncertain.yaml >out 2>err
[ $? -eq 0 ] && grep -qE '^X1 .* uncertain +near$' out && grep -qE '^X2 .* ok +far$' out &&
    [ "$(tail -n 1 out)" = "verdicts: 1 ok, 1 uncertain, 0 missed" ]
say $? "a claim whose limit lies within the interval of the mean is uncertain, and does not fail"
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
refuses "weft: ./without.yaml:13:20: 'none' is not known; use one of measured, calibrated, formula, words, both" study check ./without.yaml
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
sed -e 's/{name: two, x: 2,/{name: two, x: 2, size: full,/' -e 's/{id: X2,/{id: X2, size: full,/' small.yaml >sized.yaml
"$weft" study check ./sized.yaml >out 2>err
[ $? -eq 0 ] && [ "$(tail -n 1 out)" = "verdicts: 1 ok, 0 missed" ] && ! grep -q '^two ' out
say $? "a run of the full size is left out of the small one"
"$weft" study run ./sized.yaml --full >out 2>err
grep -q '^two ' out && grep -q '^X2 .* MISSED' out
say $? "and is in the full one"
sed 's/size: full/size: large/' sized.yaml >without.yaml
refuses "weft: ./without.yaml:6:29: 'large' is not known; use one of small, full, both" study check ./without.yaml
cat >lists.yaml <<'S'
machine: {name: bluegene-l, dims: 2x2x1}
workload: {pattern: alltoall, packets_per_pair: 6}
curves: [{name: Weft}]
runs:
  - {name: two sizes, x: 1, set: {workload.packet_bytes: [32, 64]}}
  - {name: one size, x: 2, set: {workload.packet_bytes: [128]}}
plot: {metric: payload_bytes_delivered}
S
"$weft" study run ./lists.yaml >out 2>err
[ $? -eq 0 ] && grep -q '^1,2112,' weft-lists.csv && grep -q "^2,$((12 * 6 * (128 - 16)))," weft-lists.csv
say $? "lists of two runs, one after the other, stay two lists"

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

echo "1..$number"
