#!/bin/sh
# MPI ranks: every workload gives the same result, not only the same digest, on any number of ranks
# and threads; and a rank that dies ends the run with a message. Prints TAP.
#
#   tests/ranks/run.sh WEFT
set -u
weft=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
export WEFT_DATA="$root"
# In containers tests run as root, on fewer cores than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_mpi_yield_when_idle=1 # waiting ranks leave the cores to what runs beside them
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
number=0

say() { # STATUS NAME
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; fi
}

if ! ldd "$weft" | grep -q libmpi || ! timeout 60 mpirun -n 2 true >/dev/null 2>&1; then
    echo "ok 1 - ranks # SKIP no MPI, or mpirun does not work here"
    exit 0
fi

# All of a result but how it was computed.
same() { # A.json B.json
    python3 - "$1" "$2" <<'PYTHON'
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:3])
for result in a, b:
    del result["engine"]
if a != b:
    print("# differ:", [key for key in a if a[key] != b.get(key)])
sys.exit(a != b)
PYTHON
}

machine=bluegene-l
compare() { # RANKS THREADS NAME SETTINGS...
    ranks=$1 threads=$2 name=$3
    shift 3
    timeout 120 mpirun -n "$ranks" "$weft" run -m $machine -j "$threads" --check -q \
        -o "$folder/many.json" "$@" 2>"$folder/err" && same "$folder/one.json" "$folder/many.json"
    code=$?
    say $code "$name on $ranks ranks of $threads"
    [ $code -eq 0 ] || sed 's/^/# /' "$folder/err"
    rm -f "$folder/many.json"
}

mixed="-s workload.load=1.1 -s workload.cycles=3000 -s workload.warmup_cycles=1000
-s workload.packet_bytes=32,96,256 -s workload.high_share=0.1 -s workload.dynamic_share=0.8
-s workload.groups=2 -s workload.message_bytes=5000 -s run.interval_cycles=500"
# Links that make errors, and dead nodes.
set -- -w alltoall -s machine.dims=4x4x4 -s workload.packets_per_pair=3 -s machine.link.bit_error_rate=1e-5 \
    -s machine.dead_nodes=1/2/3,0/0/0
"$weft" run -m bluegene-l -q --check -o "$folder/one.json" "$@" || say 1 "errors alone"
compare 2 1 "errors and dead nodes" "$@"
compare 3 2 "errors and dead nodes" "$@"
# Memories that still have work when the run ends, which the first rank alone knows.
machine=bluegene-p
set -- -w permutation -s machine.dims=4x4x1 -s machine.node.memory_total_mb_per_s=2 -s workload.load=0.3 -s workload.warmup_cycles=100 \
    -s workload.cycles=1500
"$weft" run -m bluegene-p -q --check -o "$folder/one.json" "$@" || say 1 "memories alone"
compare 2 1 "memories" "$@"
machine=k-computer
set -- -w uniform -s machine.dims=3x3x2x2x3x2 -s workload.load=0.8 -s workload.warmup_cycles=1000 -s workload.cycles=5000 \
    -s machine.swap=fail:1/1/0@3000-,1/2/1/0/0/0@2000-4000
"$weft" run -m k-computer -q --check -o "$folder/one.json" "$@" || say 1 "swaps alone"
compare 2 1 "lost and withheld packets" "$@"
machine=bluegene-l
for pattern in alltoall uniform hotregion hotspot neighbour pingpong linefill planefill pairs ring allreduce; do
    for dims in 4x4x4 3x5x7; do
        # shellcheck disable=SC2086  # a list of words
        set -- -w $pattern -s machine.dims=$dims $mixed
        "$weft" run -m bluegene-l -q --check -o "$folder/one.json" "$@" || say 1 "$pattern alone"
        case $dims in
        4x4x4) compare 2 1 "$pattern $dims" "$@" ;;
        *) compare 3 2 "$pattern $dims" "$@" ;;
        esac
    done
done
for order in ascending distance staggered; do
    set -- -w alltoall -s machine.dims=4x4x4 -s workload.order=$order
    [ $order = ascending ] || set -- "$@" -s workload.as=messages -s workload.messages=1 -s workload.algorithm=packets
    "$weft" run -m bluegene-l -q --check -o "$folder/one.json" "$@" || say 1 "an order alone"
    compare 2 1 "an all-to-all in order ($order)" "$@"
done
# Watermarks whose interrupts computing programs take, of what other ranks send.
awk -v rounds=2 -v bytes=20000 -v ns=1000000 -f "$root/tests/goal/computing_exchange.awk" >"$folder/exchange.goal"
set -- -w goal -s workload.file="$folder/exchange.goal" -s machine.dims=3x3x3 -s machine.node.mode=virtual_node \
    -s machine.message.protocol=eager -s machine.node.interrupts=true -s machine.node.reception_watermark_bytes=512 \
    -s machine.node.injection_watermark_bytes=256
"$weft" run -m bluegene-l -q --check -o "$folder/one.json" "$@" || say 1 "watermarks alone"
python3 -c 'import json, sys
r = json.load(open(sys.argv[1])); sys.exit(not (r["reception_interrupts"] > 100 and r["injection_interrupts"] > 10))' "$folder/one.json"
say $? "watermarks interrupt programs"
compare 2 1 "watermarks" "$@"
compare 3 2 "watermarks" "$@"
# Partitions that are wired apart, of packets and of messages.
for as in "packets uniform 2x1x2@3/1/0" "packets alltoall 2x1x2@3/1/0" "messages alltoall 1x2x1@0/0/1"; do
    # shellcheck disable=SC2086  # a list of words
    set -- $as
    set -- -s machine.dims=8x4x4 -s jobs.cell=2x2x2 -s workload.as=$1 -s workload.cycles=3000 -s workload.warmup_cycles=500 \
        -w $2 --on $3 -w $2 --on 1x1x1@1/0/0
    "$weft" run -m bluegene-l -q --check -o "$folder/one.json" "$@" || say 1 "partitions alone"
    compare 2 1 "partitions ($as)" "$@"
    compare 3 2 "partitions ($as)" "$@"
done
# Packets of the tree to one node, and I/O nodes.
for what in "-w io -s workload.messages=2 -s workload.message_bytes=9000 -s machine.io.nodes_per=7" \
    "-w io -s workload.operation=read -s workload.messages=2 -s workload.message_bytes=9000 -s machine.node.mode=virtual_node" \
    "-w pairs -s workload.algorithm=tree -s workload.messages=20"; do
    # shellcheck disable=SC2086
    set -- $what -s machine.dims=4x3x2 -s machine.link.bit_error_rate=1e-5
    "$weft" run -m bluegene-l -q --check -o "$folder/one.json" "$@" || say 1 "$what alone"
    compare 2 1 "$what" "$@"
done
set -- -w hotregion -s machine.dims=8x8x8 -s workload.load=0.8 -s workload.cycles=3000 -s run.bricks=4x2x2
"$weft" run -m bluegene-l -q --check -o "$folder/one.json" "$@"
compare 4 1 "hotregion 8x8x8 in 16 bricks" "$@"

# The SC5832: packets over links that make errors, messages around dead ones, messages without end,
# packets of a closed program.
machine=sc5832
set -- -w uniform -s workload.load=1.1 -s workload.cycles=2000 -s workload.warmup_cycles=500 \
    -s workload.packet_bytes=8,128 -s machine.link.bit_error_rate=1e-5 -s machine.link.burst_bits=20
for workload in uniform pairs ring alltoall; do
    set -- "$@" -s machine.graph=kautz:3:4 -s run.interval_cycles=500
    "$weft" run -m $machine -q --check -o "$folder/one.json" "$@" || say 1 "$workload on a graph alone"
    for way in "1 2" "2 1" "2 2" "3 1" "3 2"; do
        compare ${way% *} ${way#* } "$workload kautz:3:4" "$@"
    done
    if [ $workload = uniform ]; then
        set -- -w pairs -s workload.message_bytes=5000 -s workload.messages=2 -s machine.node.rails_bytes=4000 \
            -s machine.dead_nodes=3,77 -s 'machine.dead_links=0>107' -s 'machine.link.bad_links=0>106@100-3000'
    elif [ $workload = ring ]; then
        set -- -w alltoall -s workload.as=packets -s workload.packets_per_pair=2 -s workload.packet_bytes=8,128
    else
        set -- -w ring -s workload.messages=0 -s workload.message_bytes=700 -s workload.processes_per_node=3 \
            -s workload.cycles=3000 -s workload.warmup_cycles=500
    fi
done
mpirun -n 2 "$weft" run -m $machine -w uniform -s machine.graph=kautz:2:3 -s machine.routing.vc_rule=none \
    -s machine.router.vcs=1 -s machine.router.crosspoint_packets=1 -s workload.load=3 -s machine.dma.mb_per_s=10000 \
    -s run.stall_cycles=20000 -q >"$folder/out" 2>&1
grep -q '[0-9] buffers wait for each other:$' "$folder/out"
say $? "a deadlock on a graph is explained across ranks"

# Hosts at switches: packets with detours, messages that overtake each other.
machine=dragonfly
for workload in "uniform -s workload.load=0.8 -s workload.cycles=2000 -s workload.warmup_cycles=500" \
    "alltoall -s workload.message_bytes=3000 -s workload.messages=1 -s machine.routing.algorithm=valiant -s machine.host.lanes=3"; do
    # shellcheck disable=SC2086
    set -- -w $workload -s machine.graph=dragonfly:2:4:2
    "$weft" run -m $machine -q --check -o "$folder/one.json" "$@" || say 1 "${workload%% *} on a dragonfly alone"
    for way in "2 1" "3 2"; do compare ${way% *} ${way#* } "${workload%% *} on a dragonfly" "$@"; done
done

# Units of Tofu that are swapped: packets that are led around them, and messages that keep their order.
machine=k-computer
for as in packets messages; do
    set -- -w uniform -s workload.load=0.7 -s workload.cycles=8000 -s workload.warmup_cycles=1000 -s run.interval_cycles=500 \
        -s machine.swap=1/1/0@2000-5000,fail:0/0/1/2@3000-,2/1/1/0/1/1@1500-2500
    [ $as = packets ] || set -- -w parts -s workload.as=messages -s machine.swap=1/1/0/0/1/0@20000-90000,1/1/0/0/1/0@100000-120000 \
        -s workload.parts="nodes:0-27,29-143 alltoall message_bytes=3000 messages=1 processes_per_node=1"
    set -- "$@" -s machine.dims=3x2x2x2x3x2
    "$weft" run -m $machine -q --check -o "$folder/one.json" "$@" || say 1 "$as around units that are swapped alone"
    for way in "2 1" "3 2"; do compare ${way% *} ${way#* } "$as around units that are swapped" "$@"; done
done
machine=bluegene-l

# What one process complains about, the first rank says once.
mpirun -n 2 "$weft" run -m bluegene-l -s machine.dims=0x1x1 >"$folder/out" 2>"$folder/err"
[ "$(grep -c '^weft: ' "$folder/err")" -eq 1 ]
say $? "a complaint comes once"
mpirun -n 2 "$weft" run -m bluegene-l -s machine.dims=1x1x1 2>&1 | grep -q 'too few for 2 ranks'
say $? "too few nodes for the ranks"
mpirun -n 2 "$weft" run -m bluegene-l -w alltoall -s machine.dims=16x16x1 -s workload.packet_bytes=32,256 \
    -s workload.packets_per_pair=10 -s workload.packets_per_visit=10 -s workload.dynamic_share=0 \
    -s machine.router.in_network_share=0 -s machine.router.bubble_rule=actual_size --seed 1 -q >"$folder/out" 2>&1
grep -q '16 buffers wait for each other' "$folder/out"
say $? "a deadlock is explained across ranks"
mpirun -n 2 "$weft" study list 2>&1 | grep -q 'only `weft run` and `weft sweep` work on several ranks'
say $? "other commands refuse ranks"

# A sweep's runs are spread over the ranks: whole runs, same files, same table.
cd "$folder" || exit 1
many="sweep -m bluegene-l -w uniform -s machine.dims=4x4x4 -s workload.cycles=2000 --over workload.load=0.2,0.5,0.8,1.1,4
--over machine.router.paths=1,2 --seeds 2 --metric response_cycles.mean --find-saturation --precision 0.1"
"$weft" $many -o spread -j 2 >one.out 2>err && mv weft-spread.csv one.csv && mv weft-spread one
say $? "a sweep alone"
for ranks in 2 4; do
    timeout 120 mpirun -n $ranks "$weft" $many -o spread >many.out 2>err && cmp one.csv weft-spread.csv && cmp one.out many.out &&
        [ "$(ls one)" = "$(ls weft-spread)" ] && [ "$(grep -c 'of 20: .*: done in ' err)" -eq 20 ]
    code=$?
    for file in one/*; do same "$file" "weft-spread/${file#one/}" || code=1; done
    say $code "a sweep on $ranks ranks"
    rm -r weft-spread
done
# Several runs at a time on a rank: orders and answers cross.
timeout 60 mpirun -n 2 "$weft" sweep -m bluegene-l -w uniform -s machine.dims=2x2x2 -s workload.cycles=2000 -s run.interval_cycles=20 \
    --over workload.load=0.1,0.3,0.5,0.7,0.9 --seeds 10 -j 3 -q -o crossing >out 2>err && [ "$(grep -c ',done,' weft-crossing.csv)" -eq 50 ]
say $? "a sweep on 2 ranks, three runs at a time on each"
timeout 60 mpirun -n 3 "$weft" sweep -m bluegene-l -w hotregion -s machine.dims=4x4x4 -s workload.cycles=500 -o holes \
    --over workload.hot_dims=2x2x2,8x8x8,1x1x1,9x9x9 >out 2>err
[ $? -eq 1 ] && [ "$(cut -d, -f2,4 weft-holes.csv | tr '\n' ' ')" = \
    "workload.hot_dims,status 2x2x2,done 8x8x8,failed 1x1x1,done 9x9x9,failed " ] &&
    [ "$(grep -c '^  workload.hot_dims = .*: --over workload.hot_dims=.* is larger than the machine' out)" -eq 2 ]
say $? "runs that fail on other ranks are marked, with their reasons"
timeout 60 mpirun -n 3 "$weft" sweep -m bluegene-l --over run.sead=1,2 >out 2>err
[ $? -ne 124 ] && [ "$(grep -c '^weft: --over run.sead=1: unknown key' err)" -eq 1 ] && [ ! -s out ]
say $? "a sweep that is wrong is refused once, and all ranks end"
mpirun -n 3 "$weft" sweep -m bluegene-l --over workload.packets_per_pair=3000,3001,3002,3003,3004,3005 -o cut >out 2>err &
pid=$!
until [ "$(pgrep -P "$(pgrep -P $pid | head -n 1)" | wc -l)" -ge 1 ] || ! kill -0 $pid 2>/dev/null; do sleep 0.1; done
sleep 0.5
started=$(pgrep -P $pid)
kill -INT $pid
timeout 60 tail --pid=$pid -f /dev/null
wait $pid
[ $? -ne 0 ] && grep -q '^weft: interrupted; what is done stays in weft-cut' err && [ -z "$(ls weft-cut)" ] &&
    for rank in $started; do ! pgrep -P "$rank" >/dev/null || exit 1; done
say $? "an interrupted sweep ends on all ranks"

# One rank that fails, or has other input, ends all with one line: not a hang.
timeout 60 mpirun -n 1 "$weft" run -m bluegene-l -q : -n 1 "$weft" run ./nothere.yaml -q >"$folder/out" 2>"$folder/err"
code=$?
[ $code -ne 124 ] && [ "$(grep -c '^weft: rank 1: ./nothere.yaml' "$folder/err")" -eq 1 ]
say $? "a rank without its input is named"
timeout 60 mpirun -n 1 "$weft" run -m bluegene-l -q : -n 1 "$weft" run -m bluegene-l --seed 7 -q >"$folder/out" 2>"$folder/err"
code=$?
[ $code -ne 124 ] && grep -q '^weft: rank 1 was started with different input than rank 0' "$folder/err"
say $? "ranks with different input are told so"

for threads in 1 100; do # memory for partitions, or for threads, is not there
    timeout 60 mpirun -n 1 "$weft" run -m bluegene-l -s machine.dims=32x32x32 -w uniform -q -j $threads : -n 1 \
        sh -c "ulimit -v 500000; exec '$weft' run -m bluegene-l -s machine.dims=32x32x32 -w uniform -q -j $threads" \
        >"$folder/out" 2>"$folder/err"
    code=$?
    [ $code -eq 2 ] && grep -q '^weft: rank 1: \(out of memory\|cannot start 100 threads\)' "$folder/err"
    say $? "a rank without memory ends all ($(head -1 "$folder/err"))"
done

# A rank that dies ends the run: not a hang, and not without a word.
timeout 60 mpirun -n 2 "$weft" run -m bluegene-l -w uniform -s machine.dims=8x8x8 -s workload.load=1 \
    -s workload.cycles=100000000 -q -o "$folder/never.json" >"$folder/out" 2>&1 &
job=$!
sleep 2
rank=$(grep -l 'never[.]json' /proc/[0-9]*/cmdline 2>/dev/null | tr -dc '0-9\n' | sort -n | tail -1) # the newest
kill -KILL "$rank"
wait $job
code=$?
[ $code -ne 0 ] && [ $code -ne 124 ] && [ -s "$folder/out" ] && [ ! -e "$folder/never.json" ]
say $? "a rank that dies ends the run with a message (exit status $code)"
echo "1..$number"
