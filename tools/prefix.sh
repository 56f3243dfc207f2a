#!/bin/sh
# Sets up a build folder for an install prefix, unless it already is.
#
#   BUILD=FOLDER tools/prefix.sh PREFIX LIBDIR     PREFIX "": leave it as it is
set -eu
build=${BUILD:-build} prefix=$1 libdir=$2

say_if_it_fails() {
    said=$("$@" 2>&1) || { echo "$said" >&2; exit 1; }
}

[ -f "$build/build.ninja" ] || say_if_it_fails meson setup "$build"
[ -n "$prefix" ] || exit 0
prefix=$(realpath -m "$prefix")
now=$(meson introspect --buildoptions "$build" | tr '{' '\n' | sed -n 's/.*"name": "\(prefix\|libdir\)", "value": "\([^"]*\)".*/\1=\2/p')
[ "$now" = "prefix=$prefix
libdir=$libdir" ] || [ "$now" = "libdir=$libdir
prefix=$prefix" ] || say_if_it_fails meson configure "$build" --prefix="$prefix" --libdir="$libdir"
