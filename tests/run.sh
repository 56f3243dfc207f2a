#!/bin/bash
# Builds and runs all tests; the last line is "N passed, N failed".
#
#   gcc, release        all tests
#   gcc, ASan + UBSan   unit and model tests
#   gcc, TSan           the tests that use threads
#   clang               builds without a warning, unit tests
#
# Every test program prints TAP: lines "ok ..." and "not ok ...".
set -u
cd "$(dirname "$0")/.."
export CMOCKA_MESSAGE_OUTPUT=TAP UBSAN_OPTIONS=halt_on_error=1
passed=0
failed=0
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

fail() {
    echo "FAILED: $1"
    failed=$((failed + 1))
}

# build FOLDER SETUP-OPTIONS...
build() {
    folder=$1
    shift
    if [ ! -f "$folder/build.ninja" ]; then
        meson setup "$folder" "$@" >"$log/setup" 2>&1 || { cat "$log/setup"; fail "set-up of $folder"; return 1; }
    fi
    ninja -C "$folder" >"$log/build" 2>&1 || { tail -n 40 "$log/build"; fail "build of $folder"; return 1; }
}

# start FILE COMMAND...: the command's output goes to FILE.out and FILE.err, its status and seconds to FILE.end
start() {
    file=$1 begin=$(date +%s)
    shift
    "$@" >"$file.out" 2>"$file.err"
    echo "$? $(($(date +%s) - begin))" >"$file.end"
}

# report NAME FILE: counts the TAP lines; a program that ends badly counts as one failure more.
report() {
    read -r code seconds <"$2.end"
    ok=$(grep -c '^ok ' "$2.out")
    bad=$(grep -c '^not ok ' "$2.out")
    if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ] || [ "$ok" -eq 0 ]; then
        bad=$((bad + 1))
    fi
    passed=$((passed + ok))
    failed=$((failed + bad))
    printf '%-44s %4d passed %3d failed %5d s\n' "$1" "$ok" "$bad" "$seconds"
    grep '# SKIP' "$2.out"
    [ "$bad" -eq 0 ] || { grep -v '^ok ' "$2.out" | tail -n 40; tail -n 20 "$2.err"; }
}

run() { # NAME COMMAND...
    name=$1
    shift
    start "$log/one" "$@"
    report "$name" "$log/one"
}

# together KIND FOLDER SUFFIX TEST...: test programs, one per core at a time
together() {
    kind=$1 folder=$2 suffix=$3
    shift 3
    for t in "$@"; do
        start "$log/$t" "$folder/tests/test_$t" &
        [ "$(jobs -p | wc -l)" -lt "$(nproc)" ] || wait -n
    done
    wait
    for t in "$@"; do report "$kind $t$suffix" "$log/$t"; done
}

skip() { # NAME WHY
    printf '%-44s skipped: %s\n' "$1" "$2"
}

# The tests' names are those of tests/meson.build.
names() { sed -n "s/^ *'$1': \[\(.*\)\],$/\1/p" tests/meson.build | tr -d "',"; }
units=$(names unit)
models=$(names model)

run "set-up" tests/setup/run.sh
if build build; then
    together unit build "" $units
    together model build "" $models
    run "matrix: one digest" build/tests/test_matrix
    run "claims" build/tests/test_claims
    run "command line" tests/cli/run.sh build/weft
    run "installation" tests/install/run.sh
    run "house" tests/house/house.py
    run "digests" tests/digests/run.sh build/weft
    run "ranks" tests/ranks/run.sh build/weft
    run "studies, small" tests/studies/run.sh build/weft
    run "kills" tests/kill/run.sh build/weft
    if command -v clang >/dev/null; then run "fuzz, short" tests/fuzz/run.sh build/weft 5000; else skip "fuzz, short" "no clang"; fi
fi
if build build-asan -Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=debugoptimized; then
    together unit build-asan ", ASan UBSan" $units
    together model build-asan ", ASan UBSan" $models
    # On aarch64 the search for leaks takes four seconds per process: here only the programs above pay.
    [ "$(uname -m)" != aarch64 ] || export ASAN_OPTIONS=detect_leaks=0
    run "command line, ASan UBSan" tests/cli/run.sh build-asan/weft
    run "kills, ASan UBSan" tests/kill/run.sh build-asan/weft 3
fi
if build build-tsan -Db_sanitize=thread -Db_lundef=false -Dbuildtype=debugoptimized; then
    run "unit engine, TSan" build-tsan/tests/test_engine
    run "unit fiber, TSan" build-tsan/tests/test_fiber
    run "model tasks, TSan" build-tsan/tests/test_tasks
    run "matrix (small), TSan" build-tsan/tests/test_matrix small
    run "kills, TSan" tests/kill/run.sh build-tsan/weft 2
fi
if ! command -v clang >/dev/null; then
    skip "clang" "it is not installed"
elif CC=clang build build-clang; then
    together unit build-clang ", clang" $units
fi
echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
