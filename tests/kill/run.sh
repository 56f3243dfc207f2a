#!/bin/bash
# A run that is killed repeatedly, and resumed from its checkpoint, ends as if nothing had happened.
# Prints TAP.
#
#   tests/kill/run.sh WEFT [KILLS [CASES [SHARE]]]     CASES: a pattern of names; all by default
#                                                      SHARE: runs are so many times shorter, for slow builds
set -u
weft=$(realpath "$1")
kills=${2:-10}
cases=${3:-.}
share=${4:-1}
export WEFT_DATA
WEFT_DATA=$(realpath "$(dirname "$0")/../..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
number=0
RANDOM=1 # moments differ by load, not by chance

say() { # STATUS NAME
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; fi
}

# All of a result but for how it was computed.
result() {
    python3 -c 'import json,sys
r = json.load(open(sys.argv[1])); r.pop("engine"); print(json.dumps(r, sort_keys=True))' "$1"
}

# Kills a run so often, and lets it come to its end.
kill_and_resume() { # NAME KILLS SETTINGS...
    name=$1 wanted=$2
    shift 2
    echo "$name" | grep -qE "$cases" || return 0
    rm -f state killed.json
    "$weft" run "$@" -q -j 2 -o whole.json || exit 1
    killed=0 attempts=0
    while [ $killed -lt "$wanted" ] && [ $attempts -lt $((3 * wanted)) ]; do
        attempts=$((attempts + 1))
        threads=$((1 + attempts % 3))
        if [ -e state ]; then
            "$weft" resume state -q -j $threads 2>err &
        else
            "$weft" run "$@" -q -j $threads -o killed.json --checkpoint state --every 0.1 2>err &
        fi
        process=$!
        until [ -e state ] || ! kill -0 $process 2>/dev/null; do sleep 0.05; done # the first checkpoint
        sleep "0.$((RANDOM % 4))$((RANDOM % 10))5"
        if kill -9 $process 2>/dev/null; then killed=$((killed + 1)); fi
        wait $process 2>/dev/null
        code=$?
        if [ $code -ne 137 ]; then
            [ $code -eq 0 ] || { sed 's/^/# /' err; break; }
            [ $killed -ge "$wanted" ] || rm -f state # it came to its end early: once more
        fi
    done
    echo "# $killed kills"
    [ $killed -ge "$wanted" ]
    say $? "$name was killed $wanted times"
    if [ -e state ]; then "$weft" resume state -q -j 2 2>err || sed 's/^/# /' err; fi
    [ "$(result whole.json)" = "$(result killed.json)" ]
    say $? "$name ends with the same result, whatever was killed"
    python3 -c 'import json
whole, killed = (json.load(open(f))["engine"]["windows"] for f in ("whole.json", "killed.json"))
exit(abs(killed - whole) > 0.02 * whole + 10)' # another cut skips other windows
    say $? "$name has counted the windows before it was killed"
    [ "$(find . -name 'state?*' -o -name 'killed.json?*' | wc -l)" -le 1 ]
    say $? "$name leaves no litter"
}

# The SC5832: messages, and packets over links that make errors.
few=$((1 + kills / 5))
length() { echo $((($1 * few + share - 1) / share)); } # of a run, in messages, packets or cycles
kill_and_resume "pairs on the SC5832" $few -m sc5832 -w pairs -s machine.graph=kautz:3:4 -s run.interval_cycles=20000 \
    -s workload.processes_per_node=6 -s workload.message_bytes=40000 -s workload.messages=$(length 3) -s machine.node.rails_bytes=30000 \
    -s machine.node.memory_total_mb_per_s=6000
kill_and_resume "uniform on the SC5832" $few -m sc5832 -w uniform -s machine.graph=kautz:3:4 -s workload.load=0.9 \
    -s workload.cycles=$(length 75000) -s machine.link.bit_error_rate=1e-5 -s 'machine.link.bad_links=0>107@1000-20000'
kill_and_resume "packets of an all-to-all on the SC5832" $few -m sc5832 -w alltoall -s workload.as=packets -s machine.graph=kautz:3:4 \
    -s workload.packets_per_pair=$(length 80) -s run.interval_cycles=20000
# The K computer: packets over links that make errors, and messages over several engines at once.
kill_and_resume "uniform on the K computer" $few -m k-computer -w uniform -s machine.dims=3x2x2x2x3x2 -s workload.load=0.9 \
    -s workload.cycles=$(length 150000) -s machine.link.bit_error_rate=1e-6 -s machine.link.bad_links=0/0/0/0/0/0:x+@1000-20000 \
    -s machine.dead_nodes=1/1/1/1/1/1
kill_and_resume "units of the K computer that are swapped" $few -m k-computer -w uniform -s machine.dims=3x2x2x2x3x2 -s workload.load=0.7 \
    -s workload.cycles=$(length 100000) -s machine.link.bit_error_rate=1e-7 -s run.interval_cycles=20000 \
    -s machine.swap=1/1/1@10000-$(length 60000),fail:0/0/0/1@20000-70000,2/1/0/0/1/1@$(length 50000)-
kill_and_resume "messages of an all-to-all on the K computer" $few -m k-computer -w alltoall -s workload.as=messages \
    -s machine.dims=2x2x2x2x3x2 -s workload.message_bytes=40000 -s workload.messages=$(length 1) -s machine.node.rails=4 \
    -s machine.node.rails_bytes=30000 -s machine.tni.path=turn -s run.interval_cycles=20000
# Blue Gene/L: messages, and the tree, over links that make errors.
kill_and_resume "ring on Blue Gene/L" $few -m bluegene-l -w ring -s machine.dims=4x4x4 -s workload.message_bytes=10000 \
    -s workload.messages=$(length 16) -s machine.link.bit_error_rate=1e-6 -s run.interval_cycles=20000
awk -v rounds="$(length 12)" -v bytes=40000 -v ns=1000000 -f "$WEFT_DATA/tests/goal/computing_exchange.awk" >exchange.goal
kill_and_resume "watermarks" $few -m bluegene-l -w goal -s workload.file=exchange.goal -s machine.dims=3x3x3 \
    -s machine.node.mode=heater -s machine.message.protocol=eager -s machine.node.interrupts=true \
    -s machine.node.reception_watermark_bytes=512 -s machine.node.injection_watermark_bytes=256
kill_and_resume "allreduce over the tree" $few -m bluegene-l -w allreduce -s workload.algorithm=tree -s machine.dims=4x4x4 \
    -s workload.message_bytes=200000 -s workload.messages=$(length 6) -s machine.link.bit_error_rate=1e-6
kill_and_resume "broadcast with the deposit bit" $few -m bluegene-l -w broadcast -s workload.algorithm=deposit -s machine.dims=4x4x4 \
    -s workload.message_bytes=100000 -s workload.messages=$(length 4) -s machine.link.bit_error_rate=1e-6

# Partitions that are wired apart, one of them around an end of the machine, over links that make errors.
kill_and_resume "partitions of Blue Gene/L" $few -m bluegene-l -s machine.dims=8x4x4 -s jobs.cell=2x2x2 -s workload.as=packets \
    -s machine.link.bit_error_rate=1e-6 -w alltoall --on 2x1x2@3/1/0 -s workload.packets_per_pair=$(length 900) \
    -w alltoall --on 1x2x1@1/0/0 -s workload.packets_per_pair=$(length 2000)

dims=8x8x8
[ "$share" -lt 8 ] || dims=4x8x4
settings="-m bluegene-l -w alltoall -s machine.dims=$dims -s run.interval_cycles=20000
    -s workload.packets_per_pair=$((2 + kills / 5)) -s machine.node.injection_fifo_bytes=1024"
# shellcheck disable=SC2086
kill_and_resume alltoall "$kills" $settings

# Two runs that share a checkpoint write it in turn: both end well, and it is whole at any time.
rm -f state one.json two.json
shared="$settings -q -j 1 --checkpoint state --every 0.02"
# shellcheck disable=SC2086
"$weft" run $shared -o one.json 2>err1 & one=$!
# shellcheck disable=SC2086
"$weft" run $shared -o two.json 2>err2 & two=$!
damaged=0
while kill -0 $one 2>/dev/null && kill -0 $two 2>/dev/null; do
    if [ -e state ] && timeout -s KILL 0.3 "$weft" resume state -q -o /dev/null 2>&1 | grep -q .; then
        damaged=$((damaged + 1))
    fi
done
wait $one && wait $two && [ $damaged -eq 0 ] && [ "$(result one.json)" = "$(result two.json)" ]
say $? "two runs with one checkpoint do not disturb each other"

# What is no whole checkpoint is refused with one line.
refused() { # NAME FILE WORDS
    out=$("$weft" resume "$2" 2>&1)
    code=$?
    [ $code -eq 2 ] && [ "$(echo "$out" | wc -l)" -eq 1 ] && echo "$out" | grep -q "$3"
    say $? "$1 is refused: $out"
}
size=$(stat -c %s state)
head -c $((size / 2)) state >short
refused "a truncated checkpoint" short "cut short"
head -c 10 state >stub
refused "a stub" stub "not a checkpoint"
python3 - "$size" <<'P'
import sys
bytes_ = bytearray(open('state', 'rb').read())
for name, at in (('flipped', len(bytes_) // 3), ('flipped-end', len(bytes_) - 3)):
    copy = bytearray(bytes_); copy[at] ^= 4; open(name, 'wb').write(copy)
copy = bytearray(bytes_); copy[8] = 200; open('newer', 'wb').write(copy)
copy = bytearray(bytes_); copy[12] ^= 1; open('foreign', 'wb').write(copy)
P
refused "a flipped bit" flipped "damaged"
refused "a flipped checksum" flipped-end "damaged"
refused "a newer version" newer "newer"
refused "another layout" foreign "another"
echo "{}" >text
refused "another file" text "not a checkpoint"
refused "a missing file" missing "No such file"
refused "a folder" . "not a plain file"

# Nowhere to write: one line, exit 2, nothing half-written. A file size limit stands for a full disk.
one_line() { # NAME WORDS: of the command that just ended
    [ "$code" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "$2" err
    say $? "$1: $(head -1 err)"
}
if (ulimit -f 100 && exec "$weft" run -m bluegene-l -s machine.dims=2x2x2 -q) >out 2>&1; then
    # shellcheck disable=SC2086
    (ulimit -f 100 && exec "$weft" run $settings -q -o full.json --checkpoint full --every 0.1) 2>err
    code=$?
    one_line "a disk that is full" "File too large"
    [ "$(find . -name 'full*' | wc -l)" -eq 0 ]
    say $? "leaves nothing half-written"
else
    say 0 "a disk that is full # SKIP ThreadSanitizer itself writes a file at its start"
fi
# shellcheck disable=SC2086
"$weft" run $settings -q --checkpoint nowhere/state 2>err
code=$?
one_line "a folder that is not there" "No such file"
"$weft" resume state -q -o ./state 2>err
code=$?
one_line "a result in the checkpoint's place" "same file"
# A stall that was interrupted ends when it would have ended.
if echo stall | grep -qE "$cases"; then
    stuck="-m bluegene-l -w alltoall -s machine.dims=4x2x2 -s workload.packets_per_pair=6 -s machine.link.bit_error_rate=1e-7
        -s machine.link.bad_links=1/0/0:x+@500- -s machine.link.bad_error_rate=1 -s run.stall_cycles=30000000"
    # shellcheck disable=SC2086
    "$weft" run $stuck -q -o whole.json 2>whole.err
    for seconds in 0.5 1 2 4 8; do # the computer may be busy
        rm -f stuck
        # shellcheck disable=SC2086
        timeout -s INT $seconds "$weft" run $stuck -q -o killed.json --checkpoint stuck 2>err
        [ "$(sed -n 's/^weft: interrupted at cycle \([0-9]*\); .*/\1/p' err)" -gt 100000 ] 2>/dev/null && break
    done
    "$weft" resume stuck -q -j 2 2>killed.err
    [ "$(result whole.json)" = "$(result killed.json)" ] && cmp -s whole.err killed.err
    say $? "a run that is stuck fails as if it had not been interrupted"
fi

echo "1..$number"
