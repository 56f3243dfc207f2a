#!/bin/sh
# Installs what is missing to build, test and plot: Debian packages only, and says which. Asks for
# sudo only if it is needed.
set -eu

# How to see that it is there : Debian package
needs="gcc:gcc file=stdio.h:libc6-dev meson:meson ninja:ninja-build pkg-config:pkg-config \
python3:python3 gnuplot:gnuplot-nox clang:clang fuzzer:libclang-rt-dev lib=yaml-0.1:libyaml-dev \
lib=jansson:libjansson-dev lib=hwloc:libhwloc-dev lib=cmocka:libcmocka-dev file=metis.h:libmetis-dev \
lib=mpi-c:libopenmpi-dev mpirun:openmpi-bin"

has() {
    case $1 in
    lib=*) command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "${1#lib=}" ;;
    fuzzer) test -e "$(clang -print-runtime-dir 2>/dev/null)/libclang_rt.fuzzer-$(uname -m).a" ;;
    file=*) test -e "/usr/include/${1#file=}" ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

missing=""
for need in $needs; do
    has "${need%%:*}" || missing="$missing ${need##*:}"
done
[ -z "$missing" ] && exit 0

echo "setup: installing$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: this is no Debian system; install these by hand and try again" >&2
    exit 1
fi
sudo=""
[ "$(id -u)" -eq 0 ] || sudo=sudo
$sudo apt-get update -qq
# shellcheck disable=SC2086  # a list of words
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
echo "setup: done"
