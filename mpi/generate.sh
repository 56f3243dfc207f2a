#!/bin/sh
# Makes what follows from the list of functions in mpi.h.in:
#
#   generate.sh header mpi.h.in    mpi.h: the same functions as PMPI_ too
#   generate.sh calls mpi.h.in     what Weft calls them: call_Send() is MPI_Send()
#   generate.sh table mpi.h.in     their names, and what stands for them
#   generate.sh stubs mpi.h.in     a library for linking, whose functions say how to run a program
set -eu
functions='^(int|double|MPI_[A-Za-z]+) MPIX?_[A-Za-z0-9_]+\('
case $1 in
header)
    grep -E "$functions" "$2" | sed -E 's/ (MPIX?_)/ P\1/' >"$2.tmp$$"
    sed -e "/^@PMPI@\$/{
r $2.tmp$$
d
}" "$2"
    rm -f "$2.tmp$$"
    ;;
calls)
    echo '/* Made by generate.sh. */'
    echo '#ifndef WEFT_MPI_CALLS_H'
    echo '#define WEFT_MPI_CALLS_H'
    echo '#include "mpi.h"'
    echo 'enum call {'
    grep -E "$functions" "$2" | sed -E 's/^[A-Za-z_]+ MPIX?_([A-Za-z0-9_]+)\(.*/    CALL_\1,/'
    echo '    CALLS'
    echo '};'
    echo 'const char *call_name(enum call call);'
    grep -E "$functions" "$2" | sed -E 's/ MPIX?_([A-Za-z0-9_]+)\(/ call_\1(/'
    echo '#endif'
    ;;
table)
    echo '/* Made by generate.sh. */'
    grep -E "$functions" "$2" | sed -E 's/^[A-Za-z_]+ (MPIX?_)([A-Za-z0-9_]+)\(.*/{"\1\2", (void (*)(void))call_\2},/'
    ;;
stubs)
    echo '/* Made by generate.sh. */'
    echo '#include <stdio.h>'
    echo '#include <stdlib.h>'
    echo 'static int stop(void) { fputs("This program runs on a simulated machine: weft mpirun -np 2 PROGRAM", stderr); fputc(10, stderr); exit(2); }'
    echo 'void __sanitizer_cov_trace_pc(void) { }'
    grep -E "$functions" "$2" | sed -E 's/^[A-Za-z_]+ (MPIX?_[A-Za-z0-9_]+)\(.*/int P\1(void) { return stop(); }\nint \1(void) __attribute__((weak, alias("P\1")));/'
    ;;
esac
