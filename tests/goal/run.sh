#!/bin/bash
# Traces in GOAL: they cost what the pattern costs that they were made of, on every machine; one
# digest on any number of threads, in both forms, and after a checkpoint; and traces that cannot end.
# Prints TAP.
#
#   tests/goal/run.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

ideal="-m ideal -s machine.nodes=48"
torus="-m bluegene-l -s machine.dims=4x4x3"
graph="-m sc5832 -s machine.graph=kautz:3:4"
tofu="-m k-computer -s machine.dims=2x2x1x2x3x2"

field() { sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$2"; }
replay() { # RESULT TRACE OPTIONS...
    "$weft" run -w goal -s workload.file="$2" -q -o "$1" "${@:3}"
}

# ---- the pattern and its trace ----

costs_as_much() { # MACHINE PATTERN KEYS: on it, both take the same cycles
    settings=$(for key in $3; do printf ' -s workload.%s' "$key"; done)
    # shellcheck disable=SC2086
    "$weft" goal "$2" $1 $3 -o t.goal && "$weft" run $1 -w "$2" -s workload.as=messages $settings -q -o pattern.json &&
        replay trace.json t.goal $1 &&
        [ "$(field cycles pattern.json)" = "$(field cycles trace.json)" ] && [ "$(field cycles trace.json)" -gt 0 ] &&
        [ "$(field hops pattern.json)" = "$(field hops trace.json)" ]
    say $? "costs as much as the pattern: $2 $3, $1"
}
# Combining takes a whole number of ns, so that the trace can say it.
for machine in "$ideal" "$torus" "$graph" "$tofu"; do
    # shellcheck disable=SC2086
    rate=$("$weft" show ${machine#-m } | sed -n 's/^ *machine.node.reduce_mb_per_s *\([0-9]*\) .*/\1/p')
    costs_as_much "$machine" allreduce "algorithm=doubling messages=3 message_bytes=$((4 * rate))"
    costs_as_much "$machine" allgather "algorithm=ring messages=2 message_bytes=3000"
    costs_as_much "$machine" broadcast "algorithm=scatter messages=2 message_bytes=100000"
    costs_as_much "$machine" alltoall "messages=1 message_bytes=700"
    costs_as_much "$machine" ring "messages=3 message_bytes=5000"
    costs_as_much "$machine" barrier "messages=4"
done

# ---- answers known by hand ----

# takes CYCLES NAME: on the ideal network, whose cycle is a nanosecond
takes() {
    replay t.json t.goal $ideal && [ "$(field cycles t.json)" = "$1" ]
    verdict=$?
    [ $verdict -eq 0 ] || echo "# $(field cycles t.json) cycles"
    say $verdict "$2"
}
printf 'num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 500\nc: calc 20\nb requires a\nc requires a\n}\n' >t.goal
takes 1520 "a rank's calcs take their sum"
printf 'num_ranks 2\nrank 0 {\na: calc 1000\n}\nrank 1 {\na: calc 700\nb: calc 800\nb irequires a\n}\n' >t.goal
takes 1500 "ranks compute side by side, one processor each"
printf 'num_ranks 2\nrank 0 {\na: calc 9000\ns: send 8b to 1\ns requires a\n}\nrank 1 {\nr: recv 8b from 0\nb: calc 500\nb requires r\n}\n' >t.goal
replay late.json t.goal $ideal
printf 'num_ranks 2\nrank 0 {\na: calc 9000\ns: send 8b to 1\ns irequires a\n}\nrank 1 {\nr: recv 8b from 0\nb: calc 500\nb irequires r\n}\n' >t.goal
replay early.json t.goal $ideal
[ $(($(field cycles late.json) - $(field cycles early.json))) -ge 500 ]
say $? "irequires waits for the start, requires for the end"

printf 'num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 700 cpu 1\nd: calc 200 cpu 1\nc: calc 10\nc requires a\nc requires b\ne: calc 30 cpu 1\ne requires d\n}\n' >t.goal
takes 1010 "several cpus of a rank compute side by side, each one calc after the other"
printf 'num_ranks 2\nrank 0 {\na: calc 9000\nz: calc 10 cpu 1\ns: send 8b to 1 cpu 1\ns requires z\n}\nrank 1 {\nr: recv 8b from 0\nb: calc 7000\nb requires r\n}\n' >t.goal
takes 9000 "a message does not wait for a calc of another cpu"

# counts MESSAGES SKELETON...: what it sends, by formula
counts() {
    "$weft" goal "${@:2}" -o t.goal && [ "$(grep -c ' send ' t.goal)" = "$1" ] && [ "$(grep -c ' recv ' t.goal)" = "$1" ]
    say $? "$1 messages: ${*:2}"
}
counts $((64 * 6 * 3)) halo grid=4x4x4 iterations=3
counts $((2 * (2 * 3 * 2 + 3 * 2 * 2 + 3 * 3 * 1))) halo grid=3x3x2 iterations=1 periodic=false
counts $((8 * 5 * (3 * 6 + 4 * 5))) wavefront grid=4x6 blocks=5
counts $((12 * (3 + 2) * 2)) fft grid=4x3 iterations=2 points=12
counts $((3 * 8 * 2 * 7)) data-parallel -n 8 layers=3
counts $((2 * 3 * 2 * 4 * 2 * 3)) tensor-parallel -n 4 layers=3
counts $((2 * 5 * 7)) pipeline-parallel -n 6 layers=6 microbatches=7
# 2 x 3 x 2 ranks: a layer's gradients in rings of 3, activations in rings of 2, four microbatches through two stages
counts $((12 * 2 * 4 + 2 * 4 * 2 * 12 * 2 * 2 + 6 * 4 * 2)) training data=3 tensor=2 pipeline=2 layers=4 microbatches=4
# Rings of 4, 2 and 3 ranks, there and back, for six parts; once for one part; of an allgather, back only
counts $((24 * 6 * 2 * (3 + 1 + 2))) rings grid=4x2x3
counts $((24 * 2 * (3 + 1 + 2))) rings grid=4x2x3 ways=1
counts $((12 * 4 * (3 + 2))) rings grid=4x3 operation=allgather

"$weft" goal pipeline-parallel -n 4 layers=4 microbatches=8 activations=0 forward=100us backward=200us update=0 -o t.goal &&
    replay t.json t.goal $ideal && cycles=$(field cycles t.json) && [ "$cycles" -ge 3300000 ] && [ "$cycles" -le 3333000 ]
say $? "1F1B: eight microbatches through four stages take eleven of their times"

# Parts of an allgather on links of their own: all links of a 4x4 torus are busy, which takes 10 MB x 15/16 / 4 links of 50 GB/s
# and 17 words for 16; parts that wait for each other at a chip would take half as long again
"$weft" goal rings grid=4x4 bytes=10MB operation=allgather --binary -o t.bin &&
    replay t.json t.bin -m torus-pod -s machine.graph=torus:4x4 && python3 -c '
import json
seconds, least = json.load(open("t.json"))["sim_seconds"], 10e6 * 15 / 16 / 4 / 50e9 * 17 / 16
assert least < seconds < 1.15 * least, (seconds, least)'
say $? "rings on a pod: each engine keeps its link busy"

# ---- one digest ----

one_digest() { # NAME MACHINE TRACE
    # shellcheck disable=SC2086
    replay one.json "$3" $2 -j 1 && replay two.json "$3" $2 -j 2 && replay four.json "$3" $2 -j 4 --check &&
        [ "$(field digest one.json)" = "$(field digest two.json)" ] && [ "$(field digest one.json)" = "$(field digest four.json)" ]
    say $? "one digest: $1, $2"
}
"$weft" goal halo -n 48 iterations=2 bytes=20KB -o halo.goal
"$weft" goal wavefront -n 12 blocks=3 -o wavefront.goal
"$weft" goal fft -n 48 points=48 -o fft.goal
"$weft" goal data-parallel -n 24 layers=2 gradients=30KB -o data-parallel.goal
"$weft" goal tensor-parallel -n 12 layers=2 activations=50KB algorithm=doubling -o tensor-parallel.goal
"$weft" goal pipeline-parallel -n 8 activations=100KB -o pipeline-parallel.goal
"$weft" goal training -n 24 tensor=2 pipeline=3 layers=6 microbatches=4 activations=10KB gradients=30KB algorithm=halving -o training.goal
"$weft" goal rings grid=4x2x3 bytes=100KB -o rings.goal
cp "$here/mixed.goal" .
for trace in halo wavefront fft data-parallel tensor-parallel pipeline-parallel training rings mixed; do
    for machine in "$ideal" "$torus" "$graph" "$tofu" "-m torus-pod -s machine.graph=torus:4x4x3"; do one_digest "$trace" "$machine" "$trace.goal"; done
done

# ---- forms ----

"$weft" goal --convert training.goal -o training.bin && replay text.json training.goal $ideal &&
    replay binary.json training.bin $ideal && [ "$(field digest text.json)" = "$(field digest binary.json)" ]
say $? "text and its binary form are one trace"
"$weft" goal --convert training.bin -o again.goal && cmp -s training.goal again.goal || {
    "$weft" goal --convert again.goal -o again.bin && cmp -s training.bin again.bin
}
say $? "binary to text and back changes nothing"
"$weft" goal halo -n 48 iterations=2 bytes=20KB --binary -o halo.bin && "$weft" goal --convert halo.goal -o halo2.bin && cmp -s halo.bin halo2.bin
say $? "--binary writes what --convert makes of the text"
gzip -k halo.goal && replay packed.json halo.goal.gz $ideal && replay plain.json halo.goal $ideal &&
    [ "$(field digest packed.json)" = "$(field digest plain.json)" ]
say $? "text may be packed"

# ---- on more than one process per node, beside others, slower ----

one_digest "two ranks per node" "-m ideal -s machine.nodes=24 -s machine.node.processors=2 -s workload.processes_per_node=2" halo.goal
replay slow.json halo.goal $ideal -s workload.compute_factor=3 && replay fast.json halo.goal $ideal -s workload.compute_factor=0 &&
    [ "$(field cycles slow.json)" -gt "$(field cycles plain.json)" ] && [ "$(field cycles fast.json)" -lt "$(field cycles plain.json)" ]
say $? "compute_factor scales what calcs take"
beside="workload.parts=nodes:0-47 goal file=$folder/halo.goal; nodes:48-63 ring messages=50"
"$weft" run -m ideal -s machine.nodes=64 -w parts -s "$beside" -q -o p1.json -j 1 && "$weft" run -m ideal -s machine.nodes=64 -w parts -s "$beside" -q -o p4.json -j 4 &&
    [ "$(field digest p1.json)" = "$(field digest p4.json)" ]
say $? "a trace beside another job"

# ---- checkpoints ----

resumes() { # MACHINE TRACE
    # shellcheck disable=SC2086
    replay whole.json "$2" $1
    for seconds in 0.5 1 2 4 8; do # the computer may be busy, and the run not begun by then
        rm -f state resumed.json
        # shellcheck disable=SC2086
        timeout -s INT $seconds "$weft" run -w goal -s workload.file="$2" $1 -q -o resumed.json --checkpoint state 2>err
        [ ! -e state ] || break
    done
    if [ -e state ]; then "$weft" resume state -q -j 2 -o resumed.json 2>err || sed 's/^/# /' err; else echo "# it ended too early"; fi
    [ "$(field digest whole.json)" = "$(field digest resumed.json)" ] && [ "$(field cycles whole.json)" = "$(field cycles resumed.json)" ]
    say $? "ends as if nothing had happened after a checkpoint: $1"
}
long() { "$weft" goal halo -n 48 iterations="$1" bytes=5000 --binary -o long.bin; }
long 1000
resumes "$ideal" long.bin
resumes "$tofu" long.bin
"$weft" goal --convert long.bin -o long.goal && sed -i 's/calc 100000$/calc 100000 cpu 1/' long.goal
"$weft" goal --convert long.goal -o cpus.bin && resumes "$ideal" cpus.bin # with two cpus
long 80
resumes "$torus" long.bin
resumes "$graph" long.bin
for seconds in 0.5 1 2 4; do
    timeout -s INT $seconds "$weft" run -w goal -s workload.file=long.bin $torus -q -o changed.json --checkpoint changed 2>err
    [ ! -e changed ] || break
done
long 81
"$weft" resume changed -q 2>err
[ $? -eq 2 ] && grep -q "(the trace has changed)" err
say $? "a trace that has changed is not gone on with"

# ---- traces that cannot end ----

cat >dead.goal <<'G'
num_ranks 3
rank 0 {
a: recv 8b from 1 tag 3
}
rank 1 {
a: recv 100000b from 2
b: send 8b to 0 tag 3
b requires a
}
rank 2 {
a: send 100000b to 0
}
G
for machine in "$ideal" "$torus" "$graph" "$tofu"; do
    # shellcheck disable=SC2086
    "$weft" run -w goal -s workload.file=dead.goal $machine -q 2>err
    [ $? -eq 1 ] && grep -q "^weft: deadlock: " err && grep -q "process 0 waits for a message from process 1 with tag 3" err &&
        grep -q "process 1 waits for a message from process 2$" err && grep -q "process 2 waits until a message of its own is received" err
    say $? "a receive without its send is a deadlock with names: $machine"
done

# A calc of another cpu ends while the processor has a packet to write, between two of its polls.
cat >between.goal <<'G'
num_ranks 2
rank 0 {
a: send 17000b to 1
b: calc 1 cpu 1
}
rank 1 {
}
G
for machine in "$ideal" "$torus" "$graph" "$tofu"; do
    # shellcheck disable=SC2086
    timeout -s KILL 60 "$weft" run -w goal -s workload.file=between.goal $machine -q 2>err
    [ $? -eq 1 ] && grep -q "process 0 waits until a message of its own is received" err
    say $? "a calc that ends between two polls: $machine"
done
echo "1..$number"
