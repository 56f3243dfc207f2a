#!/bin/sh
# Checks for what Weft needs, installs what is missing if it may, and says what doing without costs.
#
#   ./setup.sh build    what `make` needs: a compiler, build tools and libraries
#   ./setup.sh          the same, and what plots, ranks, tests and fuzzing need (`make run`)
#   ./setup.sh test     the same, and a browser for the tests of pages (`make test`)
#
# It installs only Debian packages, as root or by sudo; `build` only if sudo asks for no password.
# If a needed package is missing, it exits with 1; without another, Weft is built without its feature.
set -u
cd "$(dirname "$0")" || exit 1
mode=${1:-all}

# How to detect it : Debian package
needed="compiler:gcc header=stdio.h:libc6-dev meson:meson ninja:ninja-build pkg-config:pkg-config \
lib=yaml-0.1:libyaml-dev lib=jansson:libjansson-dev lib=hwloc:libhwloc-dev lib=zlib:zlib1g-dev header=metis.h:libmetis-dev"
# ... : what is lost without it
useful="gnuplot:gnuplot-nox:no_plots mpi:libopenmpi-dev:weft_runs_in_one_process \
mpirun:openmpi-bin:weft_runs_in_one_process OTF2:libotf2-trace-dev:traces_of_Score-P_are_refused \
libdw:libdw-dev:reports_of_failed_programs_name_no_lines"
[ "$mode" = build ] || useful="$useful python3:python3:no_tests_of_the_command_line \
module=ensurepip:python3-venv:no_tests_of_pip module=pandas:python3-pandas:no_tests_of_frames \
cmocka:libcmocka-dev:no_unit_tests clang:clang:no_fuzzing_and_no_second_compiler \
libFuzzer:libclang-rt-dev:no_fuzzing gfortran:gfortran:no_tests_of_MPI_in_Fortran cmake:cmake:no_tests_of_CMake"
[ "$mode" != test ] || useful="$useful chromium:chromium:no_tests_of_pages chromedriver:chromium-driver:no_tests_of_pages"

exists() { command -v "$1" >/dev/null 2>&1; }

# The compiler that Meson would choose; CC may have arguments.
compiler() {
    for name in "${CC:-cc}" "${CC:-gcc}" "${CC:-clang}"; do
        exists "${name%% *}" && echo "$name" && return
    done
    return 1
}

has_header() {
    # shellcheck disable=SC2046  # a command and its arguments
    echo "#include <$1>" | $(compiler) -E -x c - >/dev/null 2>&1
}

# For any Python of the PATH: packages are for Debian's, which may not be the first.
has_module() (
    IFS=:
    for folder in $PATH; do
        [ -x "$folder/python3" ] || continue
        "$folder/python3" -c "import importlib.util as u; exit(not u.find_spec('$1'))" && return
    done
    return 1
)

has() {
    case $1 in
    compiler) compiler >/dev/null ;;
    header=*) has_header "${1#header=}" ;;
    module=*) has_module "${1#module=}" ;;
    lib=*) pkg-config --exists "${1#lib=}" 2>/dev/null ;;
    cmocka) has lib=cmocka ;;
    libdw) has lib=libdw ;;
    OTF2) has_header otf2/otf2.h ;;
    mpi) has lib=mpi-c || has lib=ompi-c || exists mpicc ;;
    libFuzzer) test -e "$(clang -print-runtime-dir 2>/dev/null)/libclang_rt.fuzzer-$(uname -m).a" ;;
    *) exists "$1" ;;
    esac
}

# Packages of a list that are missing.
missing() {
    for item in "$@"; do
        package=${item#*:}
        has "${item%%:*}" || printf ' %s' "${package%%:*}"
    done
}

# How to become root: nothing, or sudo. false: there is no way, or no apt-get.
root=""
may_install() {
    exists apt-get || return 1
    [ "$(id -u)" -eq 0 ] && return 0
    root=sudo
    exists sudo && { sudo -n true 2>/dev/null || { [ "$mode" != build ] && [ -t 0 ]; }; }
}

get() { # PACKAGE...
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Together or, as a system may not have all of them, one by one.
install() { # PACKAGE...
    echo "setup: installing $*"
    $root apt-get update -qq || { echo "setup: apt-get failed" >&2; return; }
    get "$@" 2>/dev/null && return
    for package; do get "$package" || echo "setup: apt-get failed: $package" >&2; done
}

# What Meson looks for once; a folder that was set up without it is set up again.
refresh() {
    now=$(for item in mpi cmocka OTF2 libdw gfortran; do has $item && echo $item; done)
    folders=${BUILD:-build}
    [ "$mode" = build ] || folders="$folders $(ls -d build-* 2>/dev/null)"
    # shellcheck disable=SC2086
    for folder in $folders; do
        if [ -f "$folder/build.ninja" ] && [ "$(cat "$folder/setup" 2>/dev/null)" != "$now" ]; then
            if meson setup --reconfigure "$folder" >/dev/null 2>&1; then
                echo "$now" >"$folder/setup"
            else
                echo "setup: $folder cannot be set up again; remove it" >&2
            fi
        fi
    done
    return 0
}

# shellcheck disable=SC2086  # lists of words, here and below
wanted=$(missing $needed)
# shellcheck disable=SC2086
[ "$mode" = build ] || wanted="$wanted$(missing $useful)"
# shellcheck disable=SC2086
if [ -n "$wanted" ] && may_install; then install $wanted; fi
# shellcheck disable=SC2086
wanted=$(missing $needed)
if [ -n "$wanted" ]; then
    echo "setup: Weft cannot be built: packages are missing; as root: apt-get install$wanted" >&2
    exit 1
fi
for item in $useful; do
    has "${item%%:*}" && continue
    package=${item#*:} name=${item%%:*}
    name=${name#module=}
    [ "$name" = mpi ] && name=MPI
    [ "$name" = mpirun ] && ! has mpi && continue # said already
    echo "setup: no $name: $(echo "${package#*:}" | tr _ ' ') (Debian package ${package%%:*})"
done
refresh
