#!/bin/sh
# Makes what follows from the list of functions in mpi.h.in:
#
#   generate.sh header mpi.h.in         mpi.h: the same functions as PMPI_ too
#   generate.sh calls mpi.h.in          what Weft calls them: call_Send() is MPI_Send()
#   generate.sh table mpi.h.in          their names, chapters, and what stands for them
#   generate.sh collectives mpi.h.in    call_...() of collective operations: collective_call() with arguments by name
#   generate.sh stubs mpi.h.in          a library for linking, whose functions say how to run a program
#
# A chapter is a heading in mpi.h.in: its first word names it here.
set -eu

# CHAPTER PROTOTYPE, a line each
functions() {
    awk '/^\/\* ---- / { chapter = toupper($3) }
        /^(int|double|MPI_[A-Za-z]+) MPIX?_[A-Za-z0-9_]+\(/ { print chapter, $0 }' "$1"
}
prototypes() { functions "$1" | sed 's/^[A-Z]* //'; }

case $1 in
header)
    prototypes "$2" | sed -E 's/ (MPIX?_)/ P\1/' >"$2.tmp$$"
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
    echo 'enum chapter {'
    functions "$2" | sed -E 's/^([A-Z]*) .*/    CHAPTER_\1,/' | uniq
    echo '};'
    echo 'enum call {'
    prototypes "$2" | sed -E 's/^[A-Za-z_]+ MPIX?_([A-Za-z0-9_]+)\(.*/    CALL_\1,/'
    echo '    CALLS'
    echo '};'
    echo 'const char *call_name(enum call call);'
    echo 'enum chapter call_chapter(enum call call);'
    prototypes "$2" | sed -E 's/ MPIX?_([A-Za-z0-9_]+)\(/ call_\1(/'
    echo '#endif'
    ;;
table)
    echo '/* Made by generate.sh. */'
    functions "$2" | sed -E 's/^([A-Z]*) [A-Za-z_]+ (MPIX?_)([A-Za-z0-9_]+)\(.*/{"\2\3", CHAPTER_\1, (void (*)(void))call_\3},/'
    ;;
collectives)
    echo '/* Made by generate.sh. */'
    functions "$2" | sed -nE 's/^COLLECTIVE int MPIX?_([A-Za-z0-9_]+)\((.*)\);/\1(\2/p' | while IFS='(' read -r name parameters; do
        fields=$(echo "$parameters" | tr ',' '\n' | sed -E 's/.*[ *]([a-z]+)(\[\])?$/\1/
            s/^sendbuf$/.out.at = &/
            s/^(recv)?buf$/.in.at = &/
            s/^s(end)?(counts?|types?|displs)$/.out.\2 = &/
            s/^r(ecv)?(counts?|types?|displs)$/.in.\2 = &/
            s/^(count|type|displs)$/.out.& = &, .in.& = &/
            s/^[a-z]+$/.& = &/' | paste -sd, -)
        echo "int call_$name($parameters)"
        echo "{ return collective_call(CALL_$name, &(struct collective_arguments){$fields}); }"
    done
    ;;
stubs)
    echo '/* Made by generate.sh. */'
    echo '#include <stdio.h>'
    echo '#include <stdlib.h>'
    echo 'static int stop(void) { fputs("This program runs on a simulated machine: weft mpirun -np 2 PROGRAM", stderr); fputc(10, stderr); exit(2); }'
    echo 'void __sanitizer_cov_trace_pc(void) { }'
    prototypes "$2" | sed -E 's/^[A-Za-z_]+ (MPIX?_[A-Za-z0-9_]+)\(.*/int P\1(void) { return stop(); }\nint \1(void) __attribute__((weak, alias("P\1")));/'
    ;;
esac
