#!/bin/sh
# Makes what follows from the list of functions in mpi.h.in:
#
#   generate.sh header mpi.h.in         mpi.h: the same functions as PMPI_ too
#   generate.sh calls mpi.h.in          what Weft calls them: call_Wait() is MPI_Wait(), and mpi_Wait() does what it is for
#   generate.sh table mpi.h.in          their names, chapters, and what stands for them
#   generate.sh errors mpi.h.in         classes of errors, and what they mean
#   generate.sh basics mpi.h.in         basic datatypes: of which class, and which type of C; of pairs, of which two
#   generate.sh entries mpi.h.in        call_...(): each begins the call, looks up handles, calls mpi_...(), ends the call
#   generate.sh collectives mpi.h.in    call_...() of collective operations: collective_call() with arguments by name
#   generate.sh stubs mpi.h.in          a library for linking, whose functions say how to run a program
#
# A chapter is a heading in mpi.h.in: its first word names it here. A comment behind a function names the newer one that
# stands for it; or, for Weft alone, the function that several share, with arguments by name and constants.
set -eu

# CHAPTER PROTOTYPE, a line each
functions() {
    awk '/^\/\* ---- / { chapter = toupper($3) }
        /^(int|double|MPI_[A-Za-z]+) MPIX?_[A-Za-z0-9_]+\(/ { print chapter, $0 }' "$1"
}
prototypes() { functions "$1" | sed 's|^[A-Z]* ||; s| */[*].*||'; }

# Declares what does the work of each function, or defines call_...() by it. Objects whose handles must be valid come as
# pointers, those of functions that end a handle with the handle; handles of data (their types are checked with their
# counts) and those that may be null stay handles.
entries() {
    functions "$2" | awk -v define="$1" '
    # TYPE:CALL that finds the object of a handle; "": it stays a handle
    function look_up(type, name) {
        if (function_name ~ /_(set|get|delete)_attr$/ && name ~ /^(comm|type)$/) return "struct owner :find_" name "_owner(r, " name
        if (type == "MPI_Comm" && name ~ /^[*]?comm/) {
            if (function_name ~ /^(Comm_remote_|Intercomm_merge)/) return "struct comm *:find_sides(r, 2, " name
            if (function_name ~ /^(Comm_create_group|Comm_split_type|Intercomm_create|(Cart|Graph)_(create|map)|Dist_graph_create)/) return "struct comm *:find_sides(r, 1, " name
            if (function_name ~ /^Cart(dim)?_(get|rank|coords|shift|sub)/) return "struct comm *:find_topology(r, TOPOLOGY_GRID, " name
            if (function_name ~ /^Graph(dims)?_(get|neighbors)/) return "struct comm *:find_topology(r, TOPOLOGY_GRAPH, " name
            if (function_name ~ /^Dist_graph_neighbors/) return "struct comm *:find_topology(r, TOPOLOGY_EDGES, " name
            return "struct comm *:find_comm(r, " name
        }
        if (type == "MPI_Group") return "const struct group *:find_group(r, " name
        if (type == "MPI_Request") return "struct mpi_request *:find_request(r, " name
        if (type == "MPI_Datatype" && function_name ~ /^(Type|Get|Status)_/) return "struct type *:find_type(r, NULL, " name
        if (type == "MPI_Info" && function_name ~ /^Info_/) return "struct info *:find_info(r, " name
        if (type == "MPI_Op" && function_name ~ /^Op_/) return "struct op *:find_op(r, NULL, " name ", NULL"
        if (type == "MPI_Errhandler" && function_name ~ /^Errhandler_/) return "struct errhandler *:find_errhandler(r, NULL, " name
        return ""
    }
    function takes_address() { return function_name ~ /^(Cancel|Start|Type_commit)$/ }
    function ends_handle() { return function_name ~ /_free$|^(Test|Wait)$/ }
    # Notes the parameters of a function that others share: constants leave open what a parameter is
    function share(target, arguments) {
        n = split(arguments, argument, ", ")
        if (!(target in shared)) { order[++targets] = target; shared[target] = n }
        given = "r"
        for (i = 1; i <= n; i++) {
            name = argument[i]
            given = given ", " (name in value ? value[name] : name)
            if (name in unnamed && wanted[target, i] !~ /^const/) wanted[target, i] = unnamed[name]
            else if (!wanted[target, i] && name != "NULL") wanted[target, i] = name ~ /^(true|false)$/ ? "bool" : "int"
        }
    }
    $1 == "COLLECTIVE" || $1 == "HANDLES" || $2 != "int" || /[.][.][.]/ { next }
    {
        match($0, /MPIX?_[A-Za-z0-9_]+[(]/)
        function_name = substr($0, RSTART, RLENGTH - 1)
        sub(/MPIX?_/, "", function_name)
        parameters = substr($0, RSTART + RLENGTH)
        note = parameters ~ /[*] / ? parameters : ""
        sub(/.*[)]; *[/][*] /, "", note); sub(/ [*][/]$/, "", note)
        sub(/[)];.*/, "", parameters)
        taken = "struct rank *r"; given = "r"; same = ""; objects = ""; lookups = ""
        split("", value); split("", unnamed)
        n = parameters == "void" ? 0 : split(parameters, parameter, ", ")
        for (i = 1; i <= n; i++) {
            name = parameter[i]; sub(/(\[[0-9]*\])+$/, "", name); sub(/.*[ *]/, "", name)
            type = parameter[i]; sub(/ .*/, "", type)
            same = same (i > 1 ? ", " : "") name
            direct = parameter[i] == type " " name
            value[name] = name
            brackets = parameter[i]; sub(/^[^[]*/, "", brackets)
            unnamed[name] = parameter[i]; sub(/[A-Za-z0-9_]+(\[[0-9]*\])*$/, "", unnamed[name])
            unnamed[name] = unnamed[name] brackets
            address = parameter[i] == type " *" name
            if ((direct || (address && (takes_address() || ends_handle()))) && split(look_up(type, (direct ? "" : "*") name), found, ":")) {
                taken = taken ", " found[1] (address && ends_handle() ? "object" : name); given = given ", object" i
                objects = objects "    " found[1] "object" i ";\n"
                lookups = lookups "    error = error ? error : " found[2] ", &object" i ");\n"
                if (direct || takes_address()) { value[name] = "object" i; unnamed[name] = found[1] }
            }
            if (value[name] == name) { taken = taken ", " parameter[i]; given = given ", " name }
        }
        newer = note ~ /^MPI_/ ? note : ""; gsub(/MPI_|[(].*/, "", newer)
        target = "mpi_" function_name
        if (!newer && note) {
            target = note; sub(/[(].*/, "", target)
            arguments = note; sub(/^[^(]*[(]/, "", arguments); sub(/[)]$/, "", arguments)
            share(target, arguments)
        }
        if (!define) {
            if (!note) print "int " target "(" taken ");"
            next
        }
        print "int call_" function_name "(" parameters ")\n{"
        print "    struct rank *r = call_begin(CALL_" function_name ");"
        if (newer) print "    return call_end(r, call_" newer "(" same "));\n}"
        else if (!lookups) print "    return call_end(r, " target "(" given "));\n}"
        else print objects "    int error = MPI_SUCCESS;\n" lookups "    return call_end(r, error ? error : " target "(" given "));\n}"
    }
    END {
        for (k = 1; k <= targets && !define; k++) {
            if (order[k] ~ /^mpi_/) continue
            taken = "struct rank *r"
            for (i = 1; i <= shared[order[k]]; i++) taken = taken ", " wanted[order[k], i]
            print "int " order[k] "(" taken ");"
        }
    }'
}

# call_Comm_c2f() and its kin: a handle is a small number.
conversions() {
    functions "$1" | sed -nE '/_Status_/!s/^HANDLES ([A-Za-z_]+) MPI_([A-Za-z0-9_]+)\(([A-Za-z_]+ ([a-z]+))\);/\1 call_\2(\3) { return (\1)(intptr_t)\4; }/p'
}

case $1 in
header)
    prototypes "$2" | sed -E 's/ (MPIX?_)/ P\1/' >"$2.tmp$$"
    sed -e "/^@PMPI@\$/{
r $2.tmp$$
d
}
s| /[*] [a-z][a-z_A-Z]*(.*||" "$2"
    rm -f "$2.tmp$$"
    ;;
calls)
    echo '/* Made by generate.sh. */'
    echo '#ifndef WEFT_MPI_CALLS_H'
    echo '#define WEFT_MPI_CALLS_H'
    echo '#include <stdbool.h>'
    echo '#include "mpi.h"'
    echo 'enum chapter {'
    functions "$2" | sed -E 's/^([A-Z]*) .*/    CHAPTER_\1,/' | uniq
    echo '};'
    echo 'enum call {'
    prototypes "$2" | sed -E 's/^[A-Za-z_]+ MPIX?_([A-Za-z0-9_]+)\(.*/    CALL_\1,/'
    echo '    CALLS'
    echo '};'
    echo 'enum op_kind {'
    sed -nE '/OP_NULL/!s/^#define MPI_([A-Z_]+) +\(\(MPI_Op\)(0x[0-9a-f]+)\)/    OP_\1 = \2,/p' "$2"
    echo '};'
    echo 'const char *call_name(enum call call);'
    echo 'enum chapter call_chapter(enum call call);'
    prototypes "$2" | sed -E 's/ MPIX?_([A-Za-z0-9_]+)\(/ call_\1(/'
    echo 'struct comm; struct errhandler; struct group; struct info; struct mpi_request; struct op; struct owner; struct rank; struct type;'
    entries '' "$2"
    echo '#endif'
    ;;
errors)
    echo '/* Made by generate.sh. */'
    sed -nE 's|^ +(MPI_[A-Z_]+),? /[*] (.*) [*]/|TEXT(\1, "\2"),|p' "$2"
    ;;
basics)
    echo '/* Made by generate.sh. */'
    awk 'function flush() { if (row) print row ", \"" name "\")," ; row = "" }
        /^#define MPI_[A-Z0-9_]+ +MPI_/ { if ($3 == name) name = $2; next }
        { flush() }
        /^#define .*MPI_Datatype/ {
            name = $2; handle = $3; gsub(/.*[)]0x|[)]/, "", handle); handle = "0x" handle; number[name] = handle
            what = $0; if (!sub(/.*[/][*] /, "", what)) next
            sub(/ [*][/]$/, "", what); split(what, part, /: |, /)
            if (part[1] == "pair") row = "PAIR(" handle ", " number[part[2]] ", " number[part[3]]
            else row = "BASIC(" handle ", BASIC_" toupper(part[1]) ", " part[2]
        }
        END { flush() }' "$2"
    ;;
table)
    echo '/* Made by generate.sh. */'
    functions "$2" | sed -E 's/^([A-Z]*) [A-Za-z_]+ (MPIX?_)([A-Za-z0-9_]+)\(.*/{"\2\3", CHAPTER_\1, (void (*)(void))call_\3},/'
    ;;
entries)
    echo '/* Made by generate.sh. */'
    entries define "$2"
    conversions "$2"
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
