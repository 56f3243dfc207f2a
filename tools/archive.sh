#!/bin/sh
# Makes an archive of one object that holds what the first archive needs from the others, and exports
# only symbols of default visibility.
#
#   tools/archive.sh OBJCOPY AR OUTPUT ARCHIVE... -- COMPILER...
set -eu
objcopy=$1 ar=$2 output=$3
shift 3
whole=$1 parts=""
shift
while [ "$1" != -- ]; do
    parts="$parts $1"
    shift
done
shift
object=${output%.a}.o
# The parts may need each other in a circle: a group.
# shellcheck disable=SC2086
"$@" -r -nostdlib -o "$object" -Wl,--whole-archive "$whole" -Wl,--no-whole-archive -Wl,--start-group $parts -Wl,--end-group
"$objcopy" --localize-hidden "$object"
rm -f "$output"
"$ar" rcsD "$output" "$object"
rm -f "$object"
