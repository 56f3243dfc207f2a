#!/bin/bash
# MPI programs on simulated machines. Each program of programs/ runs on one machine with 1 and 64 ranks, on the others with
# 2 and 24, and on every machine with 7: the few on 1 thread, 7 on 1 and 2, the many on 1 and 4. It checks its own results,
# and the digest and what it prints do not depend on threads. All-to-alls also run by packets of Blue Gene/L's message layer. With 7 ranks it prints what it printed with Open MPI (recorded.txt). Each program of bad/ is wrong on
# purpose: it ends as bad/expected says. Prints TAP.
#
#   tests/mpi/run.sh WEFT [PROGRAM...]
#   tests/mpi/run.sh WEFT record     records what programs print with the computer's own MPI
set -u
. "$(dirname "$0")/../tap.sh"
shift
machines="bluegene-l sc5832 ideal"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,tcp OMPI_MCA_osc=^ucx # without these, windows need means that few computers have

# Programs that need names that Open MPI does not have, or with which Open MPI 4 is known to go wrong; those whose output is the machine's own.
alone="coll_derived comm_free_icoll persistent environment large_counts persistent_coll partitioned buffers sessions tools \
type_marks win_objects win_pairs file_basics file_shared file_views type_signatures mixed_waits"

complain() { # NAME WHAT FILE
    echo "# $1: $2"
    tail -n 3 "$3" | sed 's/^/#   /'
    echo wrong >>"$1.wrong"
}

# What a program prints on one machine, with settings: the same on any number of threads, and so is the digest.
run_threads() { # NAME MACHINE RANKS THREADS...
    for threads in "${@:4}"; do
        # shellcheck disable=SC2086
        timeout 120 "$weft" mpirun -np "$3" -m $2 -j "$threads" -q -o "$1.json" "./$1" >"$1.$threads" 2>&1 </dev/null ||
            { complain "$1" "$2, $3 ranks, $threads threads: exit status $?" "$1.$threads"; return; }
        sed -n 's/.*"digest": //p' "$1.json" >>"$1.$threads"
        cmp -s "$1.1" "$1.$threads" || complain "$1" "$2, $3 ranks: $threads threads differ" "$1.$threads"
    done
    sed '$d' "$1.1" >"$1.out"
    [ "$(tail -n 1 "$1.out")" = "$1: ok" ] || complain "$1" "$2, $3 ranks" "$1.out"
}

# Open MPI says the same, with 7 ranks.
compare() { # NAME
    case " $alone " in *" $1 "*) return ;; esac
    sed -n "s/^$1|//p" "$here/recorded.txt" | cmp -s - "$1.out" || complain "$1" "Open MPI says otherwise" "$1.out"
}

record() { # NAME
    case " $alone " in *" $1 "*) return ;; esac
    mpicc -w -o "$1" "$here/programs/$1.c" -lm && timeout 120 mpirun -n 7 "./$1" </dev/null | sed "s/^/$1|/" >>recorded
}

test_program() { # NAME
    "$weft" mpicc -Wall -Wextra -Werror -O1 -o "$1" "$here/programs/$1.c" -lm 2>"$1.log" || complain "$1" "does not compile" "$1.log"
    for machine in $machines; do
        few="2 1" many="24 1 4"
        [ "$machine" != bluegene-l ] || few="1 1" many="64 1 4"
        for ranks in "$few" "7 1 2" "$many"; do
            # shellcheck disable=SC2086
            [ -f "$1.wrong" ] || run_threads "$1" "$machine" $ranks
            [ "$machine $ranks" != "ideal 7 1 2" ] || compare "$1"
        done
    done
    case $1 in
    alltoall* | fft) # by packets of the message layer, too
        run_threads "$1" "bluegene-l -s workload.collectives=packets" 7 1 2
        run_threads "$1" "bluegene-l -s workload.collectives=packets -mode virtual-node" 64 1 4 ;;
    esac
}

test_bad() { # NAME STATUS TEXT
    "$weft" mpicc -w -o "bad-$1" "$here/bad/$1.c" -lm
    for machine in bluegene-l ideal; do
        timeout 60 "$weft" mpirun -np 2 -m "$machine" -q "./bad-$1" >"bad-$1.out" 2>&1 </dev/null
        status=$?
        [ $status -eq "$2" ] || complain "bad-$1" "$machine: exit status $status, not $2" "bad-$1.out"
        [ "$3" = ".*" ] || grep -q -e "$3" "bad-$1.out" || complain "bad-$1" "$machine: does not say \"$3\"" "bad-$1.out"
    done
}

names=$(cd "$here/programs" && ls ./*.c | sed 's,\./\(.*\)\.c,\1,')
if [ "${1-}" = record ]; then
    for name in $names; do record "$name"; done
    mv recorded "$here/recorded.txt"
    exit 0
fi
[ $# -eq 0 ] || names="$*"
for name in $names; do
    [ "$(jobs -p | wc -l)" -lt "$(nproc)" ] || wait -n
    test_program "$name" &
done
wait
for name in $names; do
    [ ! -f "$name.wrong" ]
    say $? "$name"
done
[ $# -eq 0 ] || exit 0
while read -r name status text; do
    test_bad "$name" "$status" "$text"
    [ ! -f "bad-$name.wrong" ]
    say $? "bad: $name"
done < <(grep -v '^#' "$here/bad/expected")
echo "1..$number"
