#!/bin/bash
# Builds and runs all tests; the last line is "N passed, N failed".
#
#   build        gcc, release            all tests
#   build-asan   clang, ASan and UBSan   unit tests, most model tests, some digests, the command line, MPI programs,
#                                        fuzzing (gcc without fuzzing, if there is no clang)
#   build-tsan   gcc, TSan               the tests that use threads
#
# tests/meson.build has the tests, their suites and their limits; `meson test` runs them, as many at once as there are
# cores, and tests/summary.py counts what they print. Tests also wait, so that something goes on beside them: while those
# of build run, build-asan is compiled; while those of build-asan run, build-tsan is compiled and tested.
set -u
cd "$(dirname "$0")/.."
log=$(mktemp -d)
beside=
trap '[ -z "$beside" ] || kill -- "-$beside" 2>/dev/null; rm -rf "$log"' EXIT

fail() {
    echo "FAILED: $1"
    echo "0 1" >>"$log/counts"
}

# build FOLDER COMPILER SETUP-OPTIONS...: sets up and builds. The programs that tests compile are built with the caller's
# compiler, whichever built Weft.
build() {
    if [ -f "$1/build.ninja" ] || CC=$2 meson setup "$1" "${@:3}"; then ninja -C "$1"; fi >"$log/build" 2>&1 ||
        { tail -n 40 "$log/build" >"$log/$1-failed"; return 1; }
}

run() { # FOLDER PROCESSES OPTIONS...
    [ -e "$log/$1-failed" ] || meson test -C "$1" --no-rebuild --num-processes "${@:2}" >"$log/$1-tests" 2>&1
}

# check FOLDER NAME: what came of its build and its tests.
check() {
    if [ -e "$log/$1-failed" ]; then
        cat "$log/$1-failed"
        fail "build of $1"
    else
        tests/summary.py "$1" "$2" "$log/counts" || { tail -n 40 "$log/$1-tests"; fail "tests of $1"; }
    fi
}

# A job of its own, which ends as a whole if this script ends before it.
start() { # COMMAND...
    set -m
    "$@" &
    beside=$!
    set +m
}

finish() {
    wait "$beside"
    beside=
}

can_fuzz() { [ -e "$(clang -print-runtime-dir 2>/dev/null)/libclang_rt.fuzzer-$(uname -m).a" ]; }
fuzz=false
if can_fuzz; then fuzz=true; else echo "fuzzing: skipped: no clang with libFuzzer"; fi

prepare_asan() {
    renice -n 19 $BASHPID >/dev/null
    build build-asan "$(command -v clang || echo cc)" -Db_sanitize=address,undefined -Db_lundef=false \
        -Dbuildtype=debugoptimized -Doptimization=1 -Ddebug=false -Dfuzz=$fuzz
}

# One at a time, with higher limits, as those with ASan have the cores; most use several threads.
do_tsan() {
    renice -n 19 $BASHPID >/dev/null
    build build-tsan "${CC:-cc}" -Db_sanitize=thread -Db_lundef=false -Dbuildtype=debugoptimized -Doptimization=1 -Ddebug=false
    run build-tsan 1 --timeout-multiplier 4
}

build build "${CC:-cc}"
start prepare_asan
run build $(($(nproc) + 1)) # some of them wait more than they work
check build ""
finish
start do_tsan
run build-asan "$(nproc)"
check build-asan ", ASan UBSan"
finish
check build-tsan ", TSan"
command -v clang >/dev/null || echo "clang: skipped: it is not installed"
echo
awk '{passed += $1; failed += $2} END {print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0}' "$log/counts"
