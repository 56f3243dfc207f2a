#!/bin/bash
# Fuzzes every parser with libFuzzer under ASan and UBSan. Prints TAP.
#
#   tests/fuzz/run.sh WEFT [RUNS [TARGET...]]     RUNS executions per target (few by default)
set -u
weft=$(realpath "$1")
runs=${2:-20000}
targets=${*:3}
export WEFT_DATA
WEFT_DATA=$(realpath "$(dirname "$0")/../..")
cd "$WEFT_DATA" || exit 1
build=${BUILD:-build-fuzz}
number=0
rm -rf "$build"/objects # of sources that may be no more
mkdir -p "$build"/{corpus/checkpoint,objects}

say() { # STATUS NAME
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; fi
}

flags="-std=gnu17 -g -O1 -Wall -Wextra -Werror -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize-recover=all -Isrc -Iinclude -Itests/fuzz"
sources=$(find src -name '*.c' -not -path 'src/cli/*')
# shellcheck disable=SC2086
echo $sources | tr ' ' '\n' | xargs -P "$(nproc)" -I{} sh -c \
    "clang $(echo $flags) -c {} -o $build/objects/\$(echo {} | tr / _).o" || exit 1

# Checkpoints to start from, of this version.
rm -f "$build"/corpus/checkpoint/seed*
seed() { # NAME SETTINGS...
    timeout -s INT 1 "$weft" run "${@:2}" -q --checkpoint "$build/corpus/checkpoint/seed-$1" 2>/dev/null
    rm -f "$build/corpus/checkpoint/seed-$1.part"
}
seed packets -m bluegene-l -w pingpong -s machine.dims=2x1x1 -s workload.messages=100000000
seed messages -m sc5832 -w ring -s machine.graph=kautz:2:1 -s workload.messages=100000000

for target in ${targets:-yaml study override expression graph checkpoint}; do
    # shellcheck disable=SC2086
    clang $flags -fsanitize=fuzzer,address,undefined tests/fuzz/fuzz_$target.c \
        "$build"/objects/*.o -lyaml -ljansson -lhwloc -lmetis -lm -ldl -lpthread -o "$build/fuzz_$target" || exit 1
    seeds="tests/fuzz/corpus/$target"
    case $target in
    yaml) seeds="machines studies" ;;
    study) seeds="studies" ;;
    checkpoint) seeds="$build/corpus/checkpoint" ;;
    esac
    longest=65536
    [ $target = override ] && longest=1024
    mkdir -p "$build/found/$target"
    # shellcheck disable=SC2086
    "$build/fuzz_$target" -runs="$runs" -seed=1 -max_len=$longest -timeout=20 -rss_limit_mb=4096 \
        -artifact_prefix="$build/" -verbosity=1 "$build/found/$target" $seeds >"$build/$target.log" 2>&1
    code=$?
    [ $code -eq 0 ] || tail -n 30 "$build/$target.log" | sed 's/^/# /'
    say $code "fuzz $target: $(grep -o 'Done [0-9]* runs in [0-9]* second' "$build/$target.log")"
done
echo "1..$number"
