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
# stands for it; or, for Weft alone, the function that several share, with arguments by name and constants, or says that it
# is missing. COUNT, DISP and BYTES are int, int and MPI_Aint. A function with such parameters is there a second time, as
# MPI_..._c(), with MPI_Count, MPI_Aint and MPI_Count. Weft has one for both, with MPI_Count; lists are struct numbers.
set -eu

# CHAPTER PROTOTYPE, a line each
functions() {
    awk '/^\/\* ---- / { chapter = toupper($3) }
        /^(int|double|MPI_[A-Za-z]+) MPIX?_[A-Za-z0-9_]+\(/ { print chapter, $0 }' "$1"
}
both() {
    awk '!/^([A-Z]+ )?(int|double|MPI_[A-Za-z]+) MPIX?_[A-Za-z0-9_]+\(/ { print; next }
        {
            small = large = $0
            gsub(/COUNT |DISP /, "int ", small); gsub(/BYTES /, "MPI_Aint ", small); print small
            gsub(/COUNT |BYTES /, "MPI_Count ", large); gsub(/DISP /, "MPI_Aint ", large); sub(/\(/, "_c(", large)
            if (small != $0) print large
        }'
}
prototypes() { functions "$1" | sed 's| */[*].*||' | both | sed 's|^[A-Z]* ||'; }

# Declares what does the work of each function, or defines call_...() by it. Objects whose handles must be valid come as
# pointers, those of functions that end a handle with the handle; handles of data (their types are checked with their
# counts) and those that may be null stay handles.
entries() {
    functions "$2" | awk -v define="$1" '
    # TYPE:CALL that finds the object of a handle; "": it stays a handle
    function look_up(type, name) {
        if (function_name ~ /_(set|get|delete)_attr$/ && name ~ /^(comm|type|win)$/) return "struct owner :find_" name "_owner(r, " name
        if (type == "MPI_Comm" && name ~ /^[*]?comm/) {
            if (function_name ~ /^(Comm_remote_|Intercomm_merge)/) return "struct comm *:find_sides(r, 2, " name
            if (function_name ~ /^(Comm_create_group|Comm_split_type|Intercomm_create|(Cart|Graph)_(create|map)|Dist_graph_create|Win_|File_open)/) return "struct comm *:find_sides(r, 1, " name
            if (function_name ~ /^Cart(dim)?_(get|rank|coords|shift|sub)/) return "struct comm *:find_topology(r, TOPOLOGY_GRID, " name
            if (function_name ~ /^Graph(dims)?_(get|neighbors)/) return "struct comm *:find_topology(r, TOPOLOGY_GRAPH, " name
            if (function_name ~ /^Dist_graph_neighbors/) return "struct comm *:find_topology(r, TOPOLOGY_EDGES, " name
            return "struct comm *:find_comm(r, " name
        }
        if (type == "MPI_Session") return "struct mpi_session *:find_session(r, " name
        if (type == "MPI_Win" && name ~ /^[*]?win/) return "struct mpi_window *:find_window(r, " name
        if (type == "MPI_Group") return "const struct group *:find_group(r, " name
        if (type == "MPI_Request") return "struct mpi_request *:find_request(r, " name
        if (type == "MPI_Datatype" && function_name ~ /^(Type_|Get_(count|elements)|Status_)/) return "struct type *:find_type(r, NULL, " name
        if (type == "MPI_File" && function_name !~ /_errhandler$/) return "struct file *:find_file(r, " name
        if (type == "MPI_Info" && function_name ~ /^Info_/) return "struct info *:find_info(r, " name
        if (type == "MPI_Op" && function_name ~ /^Op_/) return "struct op *:find_op(r, NULL, " name ", NULL"
        if (type == "MPI_Errhandler" && function_name ~ /^Errhandler_/) return "struct errhandler *:find_errhandler(r, NULL, " name
        return ""
    }
    function takes_address() { return function_name ~ /^(Cancel|Start|Type_commit)$/ }
    function ends_handle() { return function_name ~ /_(free|close)$|^(Comm_disconnect|Session_finalize|Test|Wait)$/ }
    # A parameter as a function has it, with small or large counts; and as Weft has it
    function spelled(text, large) {
        sub(/COUNT /, large ? "MPI_Count " : "int ", text)
        sub(/DISP /, large ? "MPI_Aint " : "int ", text)
        sub(/BYTES /, large ? "MPI_Count " : "MPI_Aint ", text)
        return text
    }
    function is_list(text) { return text ~ /^const (COUNT|DISP) .*\[\]$/ }
    function inner(text) {
        if (!is_list(text)) return spelled(text, 1)
        sub(/^const [A-Z]+ /, "struct numbers ", text); sub(/\[\]$/, "", text)
        return text
    }
    # What it is without its name
    function without_name(text, brackets) {
        brackets = text; sub(/^[^[]*/, "", brackets)
        sub(/[A-Za-z0-9_]+(\[[0-9]*\])*$/, "", text)
        return text brackets
    }
    # Notes the parameters of a function that others share: constants leave open what a parameter is
    function share(target, arguments) {
        m = split(arguments, argument, ", ")
        if (!(target in shared)) { order[++targets] = target; shared[target] = m }
        for (i = 1; i <= m; i++) {
            name = argument[i]
            if (name in unnamed && wanted[target, i] !~ /^const/) wanted[target, i] = unnamed[name]
            else if (!wanted[target, i] && name != "NULL") wanted[target, i] = name ~ /^(true|false)$/ ? "bool" : "int"
        }
    }
    # Defines call_...(): objects that were looked up, lists and addresses of counts stand for parameters
    function entry(suffix, large) {
        list = ""; same = ""; given = "r"; before = ""; after = ""; unused = ""
        for (i = 1; i <= n; i++) {
            name = names[i]; value[name] = name; comma = i > 1 ? ", " : ""
            list = list comma spelled(parameter[i], large); same = same comma name; unused = unused "    (void)" name ";\n"
            if (is_list(parameter[i])) value[name] = "(struct numbers){" (large ? ".large" : ".small") " = " name "}"
            if (parameter[i] ~ /^(COUNT|DISP) [*]/ && !large) {
                value[name] = "&large" i
                before = before "    MPI_Count large" i " = " (name == "position" ? "*position" : "0") ";\n"
                after = after "    if (!error)\n        *" name " = as_int(large" i ");\n"
            }
            if (i in found_type) given = given ", object" i
            if (i in found_type && found_type[i] != "") value[name] = "object" i
            else given = given ", " value[name]
        }
        if (arguments != "") {
            m = split(arguments, argument, ", "); given = "r"
            for (i = 1; i <= m; i++) given = given ", " (argument[i] in value ? value[argument[i]] : argument[i])
            for (i = 1; i <= n; i++) if (index(arguments, names[i]) == 0) before = before "    (void)" names[i] ";\n"
        }
        print "int call_" function_name suffix "(" (n ? list : "void") ")\n{"
        if (note == "missing") { print unused "    return call_missing(CALL_" function_name ");\n}"; return }
        print "    struct rank *r = call_begin(CALL_" function_name ");"
        if (large) print "    r->large = true;"
        if (list ~ /MPI_Comm [*]newcomm/) print "    *newcomm = MPI_COMM_NULL; /* unless it succeeds */"
        call = newer ? "call_" newer "(" same ")" : target "(" given ")"
        if (lookups != "") print objects "    int error = MPI_SUCCESS;\n" lookups before "    error = error ? error : " call ";"
        else print before "    int error = " call ";"
        print after "    return call_end(r, error);\n}"
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
        taken = "struct rank *r"; objects = ""; lookups = ""; arguments = ""
        split("", value); split("", unnamed); split("", found_type)
        n = parameters == "void" ? 0 : split(parameters, parameter, ", ")
        for (i = 1; i <= n; i++) {
            name = parameter[i]; sub(/(\[[0-9]*\])+$/, "", name); sub(/.*[ *]/, "", name)
            names[i] = name
            type = parameter[i]; sub(/ .*/, "", type)
            unnamed[name] = without_name(inner(parameter[i]))
            direct = parameter[i] == type " " name; address = parameter[i] == type " *" name
            if ((direct || (address && (takes_address() || ends_handle()))) && split(look_up(type, (direct ? "" : "*") name), found, ":")) {
                stands = direct || takes_address()
                found_type[i] = stands ? found[1] : ""
                taken = taken ", " found[1] (address && ends_handle() ? "object" : name)
                if (stands) unnamed[name] = found[1]
                objects = objects "    " found[1] "object" i ";\n"
                lookups = lookups "    error = error ? error : " found[2] ", &object" i ");\n"
                if (stands) continue
            }
            taken = taken ", " inner(parameter[i])
        }
        newer = note ~ /^MPI_/ ? note : ""; gsub(/MPI_|[(].*/, "", newer)
        target = "mpi_" function_name
        if (!newer && note ~ /[(]/) {
            target = note; sub(/[(].*/, "", target)
            arguments = note; sub(/^[^(]*[(]/, "", arguments); sub(/[)]$/, "", arguments)
            share(target, arguments)
        }
        if (!define && !note) print "int " target "(" taken ");"
        if (define) entry("", 0)
        if (define && parameters ~ /COUNT |DISP |BYTES /) entry("_c", 1)
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
    both <"$2" | sed -E -e "/^@PMPI@\$/{
r $2.tmp$$
d
}
s: /[*] ([a-z][a-z_A-Z]*\(.*|missing [*]/)::"
    rm -f "$2.tmp$$"
    ;;
calls)
    echo '/* Made by generate.sh. */'
    echo '#ifndef WEFT_MPI_CALLS_H'
    echo '#define WEFT_MPI_CALLS_H'
    echo '#include <stdbool.h>'
    echo '#include "mpi.h"'
    echo '#include "mpi/object/numbers.h"'
    echo 'enum chapter {'
    functions "$2" | sed -E 's/^([A-Z]*) .*/    CHAPTER_\1,/' | uniq
    echo '};'
    echo 'enum call {'
    functions "$2" | sed -E 's/^[A-Z]* [A-Za-z_]+ MPIX?_([A-Za-z0-9_]+)\(.*/    CALL_\1,/'
    echo '    CALLS'
    echo '};'
    echo 'enum op_kind {'
    sed -nE '/OP_NULL/!s/^#define MPI_([A-Z_]+) +\(\(MPI_Op\)(0x[0-9a-f]+)\)/    OP_\1 = \2,/p' "$2"
    echo '};'
    echo 'const char *call_name(enum call call);'
    echo 'enum chapter call_chapter(enum call call);'
    prototypes "$2" | sed -E 's/ MPIX?_([A-Za-z0-9_]+)\(/ call_\1(/'
    echo 'struct comm; struct errhandler; struct file; struct group; struct info; struct mpi_request; struct op; struct owner; struct rank; struct mpi_session; struct type; struct mpi_window;'
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
    functions "$2" | sed -E 's/^([A-Z]*) [A-Za-z_]+ (MPIX?_)([A-Za-z0-9_]+)(\(.*)/\1 \2\3 \3 \4/' | while read -r chapter name function rest; do
        large=NULL missing=false
        case $rest in *"COUNT "*|*"DISP "*|*"BYTES "*) large="(void (*)(void))call_${function}_c" ;; esac
        case $rest in *"/* missing */") missing=true ;; esac
        echo "{\"$name\", CHAPTER_$chapter, (void (*)(void))call_$function, $large, $missing},"
    done
    ;;
entries)
    echo '/* Made by generate.sh. */'
    entries define "$2"
    conversions "$2"
    ;;
collectives)
    echo '/* Made by generate.sh. */'
    functions "$2" | both | sed -nE 's/^COLLECTIVE int MPIX?_([A-Za-z0-9_]+)\((.*)\);/\1(\2/p' | while IFS='(' read -r name parameters; do
        fields=$(echo "$parameters" | tr ',' '\n' | sed -E 's/^.*[ *]([a-z]+)$/\1/
            s/^ *const int ([a-z]+)\[\]$/\1.small = \1/
            s/^ *const MPI_(Count|Aint) ([a-z]+)\[\]$/\2.large = \2/
            s/^.*[ *]([a-z]+)\[\]$/\1/
            /^.*[ *]info$|^info$/d
            s/^([a-z]+)$/\1 = \1/
            s/^sendbuf /.out.at /
            s/^(recv)?buf /.in.at /
            s/^s(end)?(counts?|types?|displs)\b/.out.\2/
            s/^r(ecv)?(counts?|types?|displs)\b/.in.\2/
            s/^(count|type|displs)(.*)$/.out.\1\2, .in.\1\2/
            s/^[a-z]/.&/' | paste -sd, -)
        hints=; case $name in *_init|*_init_c) hints='(void)info; ' ;; esac # they change nothing
        echo "int call_$name($parameters)"
        echo "{ ${hints}return collective_call(CALL_${name%_c}, &(struct collective_arguments){$fields}); }"
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
