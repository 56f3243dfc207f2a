#!/bin/bash
# Builds and runs all tests; the last line is "N passed, N failed".
#
#   gcc, release        all tests
#   clang, ASan + UBSan unit and model tests, the command line, MPI programs (gcc if there is no clang)
#   gcc, TSan           the tests that use threads
#
# As many tests run at once as there are cores. Every one prints TAP: lines "ok ..." and "not ok ...".
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

# begin NAME COMMAND...: starts it as soon as a core is free; finish: waits for all, and reports
begun=()
begin() {
    [ "$(jobs -p | wc -l)" -lt "$(nproc)" ] || wait -n
    start "$log/${#begun[@]}" "${@:2}" &
    begun+=("$1")
}

finish() {
    wait
    for i in "${!begun[@]}"; do report "${begun[$i]}" "$log/$i"; done
    begun=()
}

run() { # NAME COMMAND...
    begin "$@"
    finish
}

# together KIND FOLDER SUFFIX TEST...: test programs
together() {
    for t in "${@:4}"; do begin "$1 $t$3" "$2/tests/test_$t"; done
    finish
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
    run "ranks" tests/ranks/run.sh build/weft # its processes spin: alone
    # The longest first, so that no core waits for one of them in the end.
    if command -v clang >/dev/null; then begin "fuzz, short" tests/fuzz/run.sh build/weft 1000; else skip "fuzz, short" "no clang"; fi
    begin "studies, small" tests/studies/run.sh build/weft
    begin "matrix: one digest" build/tests/test_matrix
    begin "MPI programs" tests/mpi/run.sh build/weft
    begin "installation" tests/install/run.sh
    begin "pages in a browser" tests/view/page.py build/weft
    begin "traces in OTF2" tests/mpi/otf2.sh build/weft
    begin "digests" tests/digests/run.sh build/weft
    begin "Python module" tests/python/run.sh build/weft
    begin "traces in GOAL" tests/goal/run.sh build/weft
    begin "kills" tests/kill/run.sh build/weft 5
    begin "traces of MPI programs" tests/mpi/trace.sh build/weft
    begin "replays of traces" tests/mpi/replay.sh build/weft
    begin "command line" tests/cli/run.sh build/weft
    begin "C library of ranks" tests/mpi/posix.sh build/weft
    begin "first steps" tests/cli/first_steps.sh build/weft
    begin "sweeps" tests/cli/sweeps.sh build/weft
    begin "moves" tests/moves/run.sh build/weft
    begin "links and nodes" tests/detail/run.py build/weft
    begin "MPI programs in Fortran" tests/mpi/fortran/run.sh build/weft
    begin "MPI programs that are refused" tests/mpi/refused.sh build/weft
    begin "options of MPI programs" tests/mpi/options.sh build/weft
    begin "MPI programs under gdb" tests/mpi/gdb.sh build/weft
    begin "claims" build/tests/test_claims
    begin "the page's program" tests/view/bundle.py
    begin "house" tests/house/house.py
    finish
fi
# Both compilers build everything without a warning.
if CC=$(command -v clang || echo cc) build build-asan -Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=debugoptimized; then
    together unit build-asan ", ASan UBSan" $units
    together model build-asan ", ASan UBSan" $models
    # On aarch64 the search for leaks takes four seconds per process: here only the programs above pay.
    [ "$(uname -m)" != aarch64 ] || export ASAN_OPTIONS=detect_leaks=0
    begin "command line, ASan UBSan" tests/cli/run.sh build-asan/weft
    begin "kills, ASan UBSan" tests/kill/run.sh build-asan/weft 1
    begin "links and nodes, ASan UBSan" tests/detail/run.py build-asan/weft
    begin "first steps, ASan UBSan" tests/cli/first_steps.sh build-asan/weft
    begin "sweeps, ASan UBSan" env ASAN_OPTIONS=detect_leaks=0 tests/cli/sweeps.sh build-asan/weft
    # The search for leaks does not see the memory of ranks, which keeps what MPI has given them.
    begin "MPI programs that are refused, ASan UBSan" env ASAN_OPTIONS=detect_leaks=0 tests/mpi/refused.sh build-asan/weft
    begin "C library of ranks, ASan UBSan" env ASAN_OPTIONS=detect_leaks=0 tests/mpi/posix.sh build-asan/weft
    finish
fi
if build build-tsan -Db_sanitize=thread -Db_lundef=false -Dbuildtype=debugoptimized; then
    begin "matrix (small), TSan" build-tsan/tests/test_matrix small
    begin "kills, TSan" tests/kill/run.sh build-tsan/weft 1 "pairs|deposit"
    begin "model tasks, TSan" build-tsan/tests/test_tasks
    begin "model collect, TSan" build-tsan/tests/test_collect
    begin "unit fiber, TSan" build-tsan/tests/test_fiber
    begin "unit engine, TSan" build-tsan/tests/test_engine
    finish
fi
command -v clang >/dev/null || skip "clang" "it is not installed"
echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
