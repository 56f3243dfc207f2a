#!/bin/sh
# Makes the folder that each floor of src/ may include from: links to itself and the floors below it.
#
#   tools/floors.sh SOURCE FOLDER FLOOR...      floors from the bottom up
#
# A floor is compiled with FOLDER/FLOOR as its only include folder, so an include that points
# upwards does not compile.
set -eu
source=$1 folder=$2
shift 2
below=""
for floor in "$@"; do
    below="$below $floor"
    mkdir -p "$folder/$floor"
    for lower in $below; do
        ln -sfn "$source/src/$lower" "$folder/$floor/$lower"
    done
done
