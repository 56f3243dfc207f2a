#!/bin/sh
# weft sweep: files, plots, workers. (sweeps.sh: tables, seeds, saturation.) Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/sweep.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
. "$here/common.sh"

small_study
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

echo "1..$number"
