#!/bin/sh
# Installs what is missing to build, test and plot: Debian packages only, and says which. Asks for
# sudo only if it is needed.
set -eu

# command or pkg-config name : Debian package
needs="gcc:gcc make:make meson:meson ninja:ninja-build pkg-config:pkg-config python3:python3 \
gnuplot:gnuplot-nox clang:clang lib=yaml-0.1:libyaml-dev lib=jansson:libjansson-dev \
lib=hwloc:libhwloc-dev lib=cmocka:libcmocka-dev file=libclang_rt.asan:libclang-rt-dev \
file=stdio.h:libc6-dev"

has() {
    case $1 in
    lib=*) command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "${1#lib=}" ;;
    file=libclang_rt*) ls /usr/lib/llvm-*/lib/clang/*/lib/linux/"${1#file=}"* >/dev/null 2>&1 ;;
    file=*) test -e "/usr/include/${1#file=}" ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

missing=""
for need in $needs; do
    has "${need%%:*}" || missing="$missing ${need##*:}"
done
[ -z "$missing" ] && exit 0

# The sanitizers' runtime carries clang's version in its name.
runtime=$(apt-cache search --names-only '^libclang-rt-[0-9]+-dev$' 2>/dev/null | sort -V | head -n 1 | cut -d' ' -f1)

echo "setup: installing$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: this is no Debian system; install these by hand and try again" >&2
    exit 1
fi
sudo=""
[ "$(id -u)" -eq 0 ] || sudo=sudo
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
if [ -z "$runtime" ]; then
    runtime=$(apt-cache search --names-only '^libclang-rt-[0-9]+-dev$' | sort -V | head -n 1 | cut -d' ' -f1)
fi
missing=$(echo "$missing" | sed "s/libclang-rt-dev/$runtime/")
# shellcheck disable=SC2086  # a list of words
$sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
echo "setup: done"
