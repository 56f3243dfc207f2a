#!/bin/bash
# Runs MPI programs of other people, as they are. They are no part of the project: a folder holds them, built with
# `weft mpicc`, and a file `list` that says how each is run and what it prints when it is right. Prints TAP.
#
#   tests/mpi/public.sh WEFT FOLDER [MACHINE]
#
# A line of the list: RANKS STATUS TEXT | PROGRAM ARGUMENTS...     TEXT: a regular expression that a line of the output fits
set -u
programs=$(realpath "$2")
machine=${3:-bluegene-l}
. "$(dirname "$0")/../tap.sh"
cd "$programs" || exit 1
while IFS='|' read -r expected command; do
    read -r ranks status text <<<"$expected"
    # shellcheck disable=SC2086
    out=$(timeout 600 "$weft" mpirun -np "$ranks" -m "$machine" -q $command 2>&1 </dev/null)
    [ $? -eq "$status" ] && grep -q -e "$text" <<<"$out"
    code=$?
    [ $code -eq 0 ] || tail -n 5 <<<"$out" | sed 's/^/# /'
    say $code "$ranks ranks: $command"
done < <(grep -v '^#' list)
echo "1..$number"
