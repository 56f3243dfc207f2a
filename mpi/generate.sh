#!/bin/sh
# Makes what follows from the list of functions in mpi.h.in:
#
#   generate.sh header mpi.h.in         mpi.h: the same functions as PMPI_ too
#   generate.sh calls mpi.h.in          what Weft calls them: call_Send() is MPI_Send(), and mpi_Send() does what it is for
#   generate.sh table mpi.h.in          their names, chapters, and what stands for them
#   generate.sh entries mpi.h.in        call_...(): each begins the call, looks up handles, calls mpi_...(), ends the call
#   generate.sh collectives mpi.h.in    call_...() of collective operations: collective_call() with arguments by name
#   generate.sh stubs mpi.h.in          a library for linking, whose functions say how to run a program
#
# A chapter is a heading in mpi.h.in: its first word names it here. A comment behind a function names the newer one that
# stands for it.
set -eu

# CHAPTER PROTOTYPE, a line each
functions() {
    awk '/^\/\* ---- / { chapter = toupper($3) }
        /^(int|double|MPI_[A-Za-z]+) MPIX?_[A-Za-z0-9_]+\(/ { print chapter, $0 }' "$1"
}
prototypes() { functions "$1" | sed 's|^[A-Z]* ||; s| */[*].*||'; }

# Declares mpi_...() for each function, or defines call_...() by it. Objects whose handles must be valid come as pointers;
# handles of data (their types are checked with their counts) and those that may be null stay handles.
entries() {
    functions "$2" | awk -v define="$1" '
    function look_up(type, name) {
        if (type == "MPI_Comm" && name ~ /^comm/) return "struct comm *:find_comm(r, " name
        if (type == "MPI_Group") return "const struct group *:find_group(r, " name
        if (type == "MPI_Request") return "struct mpi_request *:find_request(r, " name
        if (type == "MPI_Datatype" && function_name ~ /^(Type|Get|Status)_/) return "struct type *:find_type(r, NULL, " name
        if (type == "MPI_Info" && function_name ~ /^Info_/) return "struct info *:find_info(r, " name
        return ""
    }
    $1 == "COLLECTIVE" || $1 == "HANDLES" || $2 != "int" || /[.][.][.]/ { next }
    {
        match($0, /MPIX?_[A-Za-z0-9_]+[(]/)
        function_name = substr($0, RSTART, RLENGTH - 1)
        sub(/MPIX?_/, "", function_name)
        parameters = substr($0, RSTART + RLENGTH)
        newer = parameters ~ /[*] MPI_/ ? parameters : ""
        gsub(/.*[*] MPI_|[(].*/, "", newer)
        sub(/[)];.*/, "", parameters)
        taken = "struct rank *r"; given = "r"; same = ""; objects = ""; lookups = ""
        n = parameters == "void" ? 0 : split(parameters, parameter, ", ")
        for (i = 1; i <= n; i++) {
            name = parameter[i]; sub(/(\[[0-9]*\])+$/, "", name); sub(/.*[ *]/, "", name)
            type = parameter[i]; sub(/ .*/, "", type)
            same = same (i > 1 ? ", " : "") name
            if (parameter[i] == type " " name && split(look_up(type, name), found, ":")) {
                taken = taken ", " found[1] name; given = given ", object" i
                objects = objects "    " found[1] "object" i ";\n"
                lookups = lookups "    error = error ? error : " found[2] ", &object" i ");\n"
            } else {
                taken = taken ", " parameter[i]; given = given ", " name
            }
        }
        if (!define) {
            if (!newer) print "int mpi_" function_name "(" taken ");"
            next
        }
        print "int call_" function_name "(" parameters ")\n{"
        print "    struct rank *r = call_begin(CALL_" function_name ");"
        if (newer) print "    return call_end(r, call_" newer "(" same "));\n}"
        else if (!lookups) print "    return call_end(r, mpi_" function_name "(" given "));\n}"
        else print objects "    int error = MPI_SUCCESS;\n" lookups "    return call_end(r, error ? error : mpi_" function_name "(" given "));\n}"
    }'
}

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
    echo 'struct comm; struct group; struct info; struct mpi_request; struct rank; struct type;'
    entries '' "$2"
    echo '#endif'
    ;;
table)
    echo '/* Made by generate.sh. */'
    functions "$2" | sed -E 's/^([A-Z]*) [A-Za-z_]+ (MPIX?_)([A-Za-z0-9_]+)\(.*/{"\2\3", CHAPTER_\1, (void (*)(void))call_\3},/'
    ;;
entries)
    echo '/* Made by generate.sh. */'
    entries define "$2"
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
