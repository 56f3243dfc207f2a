#!/bin/sh
# Runs that are interrupted, and weft resume. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/resume.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

# Commands that complaints suggest work as they stand.
suggested() { sed -n 's/^[^`]*`weft \([^`]*\)`.*/\1/p' "$1"; }
printf 'machine: bluegene-l\ncurves:\n  - {name: a}\n' >many.yaml
cp many.yaml many.yml
refuses "weft: many.yml:3:12: a study of several runs; use \`weft study run ./many.yml\`, or \`weft sweep\`" run many.yml
cp many.yaml "it's a study.yaml"
refuses "weft: it's a study.yaml:3:12: a study of several runs; use \`weft study run 'it'\\''s a study.yaml'\`, or \`weft sweep\`" \
    run "it's a study.yaml"
sh -c "'$weft' $(suggested err) -s machine.dims=2x2x2" >out 2>again
say $? "the command that a complaint suggests works, whatever the file's name"
"$weft" run -m bluegene-l -s workload.packets_per_pair=1000 --checkpoint 'my "run".state' >out 2>err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
grep -q "^weft: interrupted at cycle [0-9]*; \`weft resume 'my \"run\".state'\` continues\$" err &&
    sh -c "timeout -s INT 1 '$weft' $(suggested err)" >out 2>again
[ $? -eq 124 ] && grep -q '^weft: interrupted at cycle' again
say $? "the command that goes on from a checkpoint works, whatever the file's name"
# The last word of a torus' state, the cycle of its last sweep, is changed, and the checksum made to fit.
python3 - 'my "run".state' forged.state <<'END'
import struct, sys
ALL = (1 << 64) - 1
data = open(sys.argv[1], "rb").read()[:-16] + b"\xff" * 8
total = 0
for start in range(0, len(data), 1 << 16):
    block = data[start:start + (1 << 16)]
    for word, in struct.iter_unpack("<Q", block + bytes(-len(block) % 8)):
        total = (total ^ word) * 0x9e3779b97f4a7c15 & ALL
        total ^= total >> 29
    total = (total ^ len(block)) * 0xbf58476d1ce4e5b9 & ALL
open(sys.argv[2], "wb").write(data + struct.pack("<Q", total))
END
refuses "weft: forged.state: does not hold what a checkpoint holds (a sweep is still to come); start over" \
    resume forged.state -q

# What was changed of the machine is what it was before, not what follows from it; and so is its clock.
settings="-m bluegene-l -s machine.dims=4x4x4 -s workload.packets_per_pair=20 -s machine.link.bit_error_rate=1e-7 -s machine.link.mb_per_s=100"
# shellcheck disable=SC2086
"$weft" run $settings | grep -v '^  engine' >whole
# shellcheck disable=SC2086
"$weft" run $settings --checkpoint changed.state --every 0.05 >out 2>err &
pid=$!
until [ -e changed.state ] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -INT $pid
wait $pid
"$weft" resume changed.state | grep -v '^  engine' >resumed
grep -q '^  changed ' whole && grep -q '^  clock ' whole && cmp -s whole resumed
say $? "a run that goes on prints what it would have printed"

# Interrupted: nothing half-written.
"$weft" run -m bluegene-l -s workload.packets_per_pair=1000 -o long.json >out 2>err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
[ $? -eq 1 ] && grep -q '^weft: interrupted at cycle .*; nothing was written$' err && [ ! -e long.json ] &&
    ! ls | grep -q 'long.json'
say $? "SIGINT ends a run and leaves nothing behind"

# gives_up EXPECTED ARGS...: SIGTERM a second after the start, in the middle of what takes far longer:
# within two seconds exit 1, exactly this line on stderr, and no result. What was allocated by then is
# lost on purpose: no leak to be told of.
gives_up() {
    expected=$1
    shift
    ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$weft" "$@" >out 2>err &
    pid=$!
    sleep 1
    start=$(date +%s%N)
    kill -TERM $pid
    wait $pid
    code=$? took=$((($(date +%s%N) - start) / 1000000))
    [ "$code" -eq 1 ] && [ "$took" -lt 2000 ] && [ "$(cat err)" = "$expected" ] && ! ls | grep -q 'given-up.json'
    verdict=$?
    [ "$verdict" -eq 0 ] || { echo "# weft $*: exit $code after $took ms"; sed 's/^/# /' err; }
    say "$verdict" "gives up when told to: $*"
}
gives_up "weft: interrupted; nothing was decided" \
    check -m sc5832 -s machine.graph=kautz:3:9 -s machine.router.vcs=5 -s machine.router.crosspoint_packets=5
gives_up "weft: interrupted; nothing was decided" \
    check -m bluegene-l -s machine.dims=64x32x32 -s machine.dead_nodes=1/2/3,20/9/9,40/20/20
gives_up "weft: interrupted before the first cycle; nothing was written" \
    run -m bluegene-l -s machine.dims=64x32x32 -s machine.dead_nodes=1/2/3,20/9/9,40/20/20 -o given-up.json
gives_up "weft: interrupted before the first cycle; nothing was written" \
    run -m sc5832 -w uniform -s machine.graph=kautz:3:9 -s machine.router.vcs=5 -s machine.router.crosspoint_packets=5 \
    -o given-up.json
gives_up "weft: interrupted before the first cycle; nothing was written" \
    run -m sc5832 -w survey -s machine.graph=kautz:3:7 -s machine.router.vcs=5 -s machine.router.crosspoint_packets=5 \
    -o given-up.json

# A run in a deep folder puts its result there, from wherever it is resumed; too deep a one is refused at once.
cat >deep.py <<'P'
import os, sys
depth, out, *command = sys.argv[1:]
for _ in range(int(depth)):  # 200 letters each
    os.makedirs("d" * 199, exist_ok=True)
    os.chdir("d" * 199)
os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
os.execv(command[0], command)
P
rm -f state
python3 deep.py 15 "$folder/err" "$weft" run -m bluegene-l -q -o deep.json -s machine.dims=4x4x4 \
    -s workload.packets_per_pair=150 --checkpoint "$folder/state" --every 0.05 &
pid=$!
until [ -e state ] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -INT $pid
wait $pid
grep -q 'continues$' err && "$weft" resume state -q -j 2 && [ ! -e deep.json ] && [ "$(find . -path './ddd*/deep.json' | wc -l)" -eq 1 ]
say $? "a relative -o in a folder 3000 letters deep is found again"
python3 deep.py 30 "$folder/err" "$weft" run -m bluegene-l -o deep.json --checkpoint "$folder/state" >out
[ $? -eq 2 ] && [ ! -s out ] &&
    [ "$(cat err)" = "weft: -o deep.json: the full path, which the checkpoint keeps, is over 4079 bytes long; use a shorter one, or start in another folder" ]
say $? "a relative -o in a folder 6000 letters deep is refused at once"

echo "1..$number"
