#!/bin/bash
# Fuzzes parsers with libFuzzer under ASan and UBSan. Prints TAP.
#
#   tests/fuzz/run.sh build-asan/weft RUNS TARGET...     RUNS executions of each
#
# Targets are tests/fuzz/fuzz_TARGET.c in that build, which is set up with -Dfuzz=true (tests/run.sh does it). What is
# found lies below it, in fuzz/.
set -u
weft=$(realpath "$1")
runs=$2
targets=${*:3}
export WEFT_DATA
WEFT_DATA=$(realpath "$(dirname "$0")/../..")
cd "$WEFT_DATA" || exit 1
program=$(dirname "$weft")/tests/fuzz
build=$(dirname "$weft")/fuzz
number=0
mkdir -p "$build"/corpus/{checkpoint,elf}

say() { # STATUS NAME
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; fi
}

# Checkpoints to start from, of this version.
seed() { # NAME SETTINGS...
    ASAN_OPTIONS=detect_leaks=0 timeout -s INT 0.5 "$weft" run "${@:2}" -q --checkpoint "$build/corpus/checkpoint/seed-$1" 2>/dev/null
    rm -f "$build/corpus/checkpoint/seed-$1.part"
}
torus="-m bluegene-l -s machine.dims=2x2x2"
graph="-m sc5832 -s machine.graph=kautz:2:2"
tofu="-m k-computer -s machine.dims=1x1x1x2x3x2"
switches="-m dragonfly -s machine.graph=dragonfly:1:2:1"
endless="-s workload.messages=100000000"
open="-w uniform -s workload.cycles=1000000000"
fifos="-s machine.node.injection_fifo_bytes=512 -s machine.node.reception_fifo_bytes=512"
errors="-s machine.link.bit_error_rate=1e-4"
# shellcheck disable=SC2086
if [[ " $targets " == *" checkpoint "* ]]; then
    rm -f "$build"/corpus/checkpoint/seed*
    seed torus-uniform $torus $open -s workload.load=0.9
    seed torus-file $torus -w file -s workload.file=tests/fuzz/corpus/timetable/lines
    seed torus-paths $torus $open -s workload.load=0.9 -s machine.router.vc_transfers=3 -s machine.router.request_cycles=2
    seed torus-cut $torus $open -s workload.load=0.9 -s run.bricks=2x1x1
    seed torus-pingpong $torus -w pingpong $endless
    seed torus-errors $torus $open -s workload.load=0.7 $errors
    seed torus-fifos $torus -w alltoall -s workload.packets_per_pair=100000000 $fifos
    seed torus-fill $torus -w planefill -s workload.message_bytes=400000000
    seed torus-ring $torus -w ring $endless -s workload.message_bytes=2000
    seed torus-ring-errors $torus -w ring $endless -s workload.message_bytes=2000 $errors -s run.bricks=1x2x1
    seed torus-virtual $torus -w grid $endless -s workload.message_bytes=2000 -s machine.node.mode=virtual_node
    seed torus-tree $torus -w allreduce -s workload.algorithm=tree $endless -s workload.message_bytes=20000 $errors
    seed torus-deposit $torus -w broadcast -s workload.algorithm=deposit $endless -s workload.message_bytes=20000
    seed torus-each $torus -w alltoall -s workload.as=messages -s workload.algorithm=packets $endless -s workload.sizes=varied
    seed torus-interrupts $torus -w allreduce $endless -s workload.message_bytes=20000 -s machine.node.interrupts=true
    seed graph-uniform $graph $open -s workload.load=0.9
    seed graph-ring $graph -w ring $endless -s workload.message_bytes=200 -s workload.processes_per_node=2
    seed graph-long $graph -w ring $endless -s workload.message_bytes=200000 -s run.partitions=2
    seed graph-errors $graph $open -s workload.load=0.5 $errors -s run.partitions=2
    seed graph-ring-errors $graph -w ring $endless -s workload.message_bytes=3000 $errors
    seed tofu-uniform $tofu $open -s workload.load=0.9
    seed tofu-errors $tofu $open -s workload.load=0.9 $errors
    seed tofu-ring $tofu -w ring $endless -s workload.message_bytes=20000 -s machine.tni.path=turn
    seed tofu-rails $tofu -w alltoall -s workload.as=messages $endless -s workload.message_bytes=20000 \
        -s machine.node.rails=4 -s machine.node.rails_bytes=10000 $errors
    seed tofu-cut $tofu -s machine.dims=2x1x1x2x3x2 $open -s workload.load=0.5 -s machine.dead_nodes=1/0/0/1/1/1 -s run.bricks=2x1x1x1x1x1
    seed switches-uniform $switches $open -s workload.load=0.9 -s run.partitions=2
    seed switches-ring $switches -w ring $endless -s workload.message_bytes=3000 -s machine.host.lanes=2
    seed switches-torus -m torus-pod -s machine.graph=torus:3x2 $open -s workload.load=1.2
    seed ideal-ring -m ideal -s machine.nodes=8 -w ring $endless -s run.partitions=2
    "$weft" goal halo -n 8 iterations=10000 bytes=2000 compute=10us --binary -o "$build/halo.bin"
    seed ideal-goal -m ideal -s machine.nodes=8 -w goal -s workload.file="$build/halo.bin"
    seed torus-goal $torus -w goal -s workload.file="$build/halo.bin"
    seed ideal-uniform -m ideal -s machine.nodes=8 $open -s workload.load=0.5
fi

# Programs to start from, small ones: ways of relocating, of finding symbols, of having variables.
library=$(realpath "$build")/corpus
program() { # NAME OPTIONS...
    clang -O1 -s -fPIE -pie -Wl,-z,max-page-size=4096 -o "$build/corpus/elf/seed-$1" tests/fuzz/corpus/elf/program.c \
        "${@:2}" -L"$library" -lfuzz "-Wl,-rpath,$library" 2>"$build/seed.log" || echo "# no seed $1"
}
if [[ " $targets " == *" elf "* ]]; then
    rm -f "$build"/corpus/elf/seed*
    clang -s -fPIC -shared -o "$library/libfuzz.so" tests/fuzz/corpus/elf/library.c || exit 1
    program plain
    program copies -fuse-ld=lld -fdirect-access-external-data -Wl,-z,now,--hash-style=sysv
    program dynamic -ftls-model=global-dynamic -Wl,--hash-style=both
    program packed -fuse-ld=lld -Wl,--pack-dyn-relocs=relr,-z,separate-loadable-segments
    program needy -Wl,--no-as-needed -lm -lgcc_s
fi

for target in $targets; do
    seeds="tests/fuzz/corpus/$target"
    case $target in
    yaml) seeds="machines studies" ;;
    study) seeds="studies" ;;
    checkpoint | elf) seeds="$build/corpus/$target" ;;
    esac
    longest=65536 leaks=
    { [ $target = override ] || [ $target = parts ]; } && longest=1024
    [ $target = pairs ] && longest=4096
    # Each builds a machine and runs it; what is given up halfway is lost with the run.
    [ $target = checkpoint ] && longest=1048576 leaks="-detect_leaks=0"
    mkdir -p "$build/found/$target"
    # shellcheck disable=SC2086
    WEFT_FUZZ=$target "$program" -runs="$runs" -seed=1 $leaks -max_len=$longest -timeout=20 -rss_limit_mb=4096 \
        -artifact_prefix="$build/" -verbosity=1 "$build/found/$target" $seeds >"$build/$target.log" 2>&1
    code=$?
    [ $code -eq 0 ] || tail -n 30 "$build/$target.log" | sed 's/^/# /'
    say $code "fuzz $target: $(grep -o 'Done [0-9]* runs in [0-9]* second' "$build/$target.log")"
done
echo "1..$number"
