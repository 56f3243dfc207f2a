#!/bin/bash
# Builds and runs all tests; the last line is "N passed, N failed".
#
#   build        gcc, release            all tests
#   build-asan   clang, ASan and UBSan   unit tests, most model tests, some digests, the command line, MPI programs,
#                                        fuzzing (gcc without fuzzing, if there is no clang)
#   build-tsan   gcc, TSan               the tests that use threads
#
# tests/meson.build has the tests, their suites and their limits; `meson test` runs them, as many at once as there are
# cores, and tests/summary.py counts what they print.
set -u
cd "$(dirname "$0")/.."
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

fail() {
    echo "FAILED: $1"
    echo "0 1" >>"$log/counts"
}

# check FOLDER NAME COMPILER SETUP-OPTIONS...: sets up, builds, tests, counts. The programs that tests compile are built
# with the caller's compiler, whichever built Weft.
check() {
    folder=$1 name=$2 compiler=$3
    if [ ! -f "$folder/build.ninja" ]; then
        CC=$compiler meson setup "$folder" "${@:4}" >"$log/setup" 2>&1 || { cat "$log/setup"; fail "set-up of $folder"; return; }
    fi
    ninja -C "$folder" >"$log/build" 2>&1 || { tail -n 40 "$log/build"; fail "build of $folder"; return; }
    meson test -C "$folder" --no-rebuild --num-processes "$(nproc)" >"$log/test" 2>&1
    tests/summary.py "$folder" "$name" "$log/counts" || { tail -n 40 "$log/test"; fail "tests of $folder"; }
}

can_fuzz() { [ -e "$(clang -print-runtime-dir 2>/dev/null)/libclang_rt.fuzzer-$(uname -m).a" ]; }
fuzz=false
if can_fuzz; then fuzz=true; else echo "fuzzing: skipped: no clang with libFuzzer"; fi

check build "" "${CC:-cc}"
check build-asan ", ASan UBSan" "$(command -v clang || echo cc)" -Db_sanitize=address,undefined -Db_lundef=false \
    -Dbuildtype=debugoptimized -Doptimization=1 -Dfuzz=$fuzz
check build-tsan ", TSan" "${CC:-cc}" -Db_sanitize=thread -Db_lundef=false -Dbuildtype=debugoptimized
command -v clang >/dev/null || echo "clang: skipped: it is not installed"
echo
awk '{passed += $1; failed += $2} END {print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0}' "$log/counts"
