#!/bin/bash
# Traces in OTF2: what they record is replayed as the same calls in a time-independent trace are, packet by packet; time
# outside calls is computation; traces that cannot be replayed, and files that are damaged, are refused with one line.
# Prints TAP.
#
#   tests/mpi/otf2.sh WEFT     with otf2_write of the same build
set -u
. "$(dirname "$0")/../tap.sh"
write=$(dirname "$weft")/tests/otf2_write

field() { # RESULT.json EXPRESSION
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

refuse() { # TEXT PATH [OPTION...]
    "$weft" run -q -m ideal -w replay -s workload.file="$2" "${@:3}" >out 2>&1
    [ $? -eq 2 ] && [ "$(wc -l <out)" -eq 1 ] && grep -q -F -e "$1" out && return 0
    sed 's/^/# /' out
    return 1
}

refuse "none.otf2: No such file or directory; name a trace" none.otf2
say $? "a file that does not exist"

if [ ! -x "$write" ]; then
    printf '\3BOTF2' >short.otf2
    refuse "short.otf2: this Weft was built without OTF2; install libotf2 3.0 or later (Debian package libotf2-trace-dev), and build again" short.otf2
    say $? "a build without libotf2 says so, and how to get it"
    echo "ok $((number += 1)) - traces in OTF2 # SKIP no libotf2"
    echo "1..$number"
    exit
fi

# ---- the same, in two forms ----

run() { "$weft" run -q -w replay "$@" -o r.json >out 2>&1 || { sed 's/^/# /' out; return 1; }; }
trace() { # PREFIX PARTS [REPEATS]
    rm -rf "$1"
    "$here/otf2.py" "$@" && "$write" "$1" <"$1.events"
}

same() { # PARTS
    wrong=0
    trace t "$1" 2 || wrong=1
    for machine in ideal bluegene-l sc5832 "k-computer -s machine.dims=2x1x1x2x3x2"; do
        # shellcheck disable=SC2086
        run -m $machine -s workload.file=t.ti || wrong=1
        expected=$(field r.json 'r["digest"], r["cycles"], r["mpi"]["seconds"]')
        for threads in 1 2 4; do
            # shellcheck disable=SC2086
            run -m $machine -s workload.file=t/traces.otf2 -j $threads || wrong=1
            [ "$(field r.json 'r["digest"], r["cycles"], r["mpi"]["seconds"]')" = "$expected" ] || wrong=1
        done
    done
    say $wrong "$1: the same packets at the same times as in the other form"
}

for part in ring blocking exchange persistent wildcard collectives in_place later communicators tests sides; do same $part; done
same ring,later,wildcard,communicators,blocking,collectives,tests

# ---- time ----

trace t ring
run -m ideal -s workload.file=t/traces.otf2 && one=$(field r.json 'r["mpi"]["seconds"]') &&
    run -m ideal -s workload.file=t/traces.otf2 -s workload.compute_factor=101 &&
    python3 -c "import sys; sys.exit(abs($(field r.json 'r["mpi"]["seconds"]') - $one - 4e-4) > 2e-6)"
say $? "time between calls is computation, multiplied by workload.compute_factor"

# Two calls 10 us apart, of which the measurement takes 4 us for itself and is off for 5 us: 1 us is left.
lines() { # EVENT...: of one rank
    printf '%s\n' "clock 1000000000" "locations 5" "region 1 MPI_Barrier" "region 2 MPI_Send" "region 3 MPI_Put" "region 4 MPI_Neighbor_alltoall" \
        "comm 0 MPI_COMM_WORLD 0" "comm 7 MPI_COMM_SELF self" "$@"
}
one() { rm -rf o && lines "$@" | "$write" o; }
one "5 1000 enter 1" "5 1010 leave 1" "5 2000 flush 6000" "5 6005 measure 0" "5 11005 measure 1" "5 11010 enter 1" "5 11020 leave 1" &&
    run -m ideal -s workload.file=o/traces.otf2 -s workload.trace=again.json &&
    grep -q '^0 compute 1000$' again.ti && [ "$(grep -c compute again.ti)" -eq 1 ]
say $? "what the measurement takes for itself is no computation"

# A rank that has done nothing has no file.
one "location 5" && rm -f o/traces/5.evt && run -m ideal -s workload.file=o/traces.otf2
say $? "a rank without events needs no file"

# ---- communicators that are made ----

printf '%s\n' "clock 1000000000" "locations 0,1" "region 1 MPI_Comm_dup" "region 2 MPI_Init" "comm 0 MPI_COMM_WORLD 0,1" "comm 1 copy 0,1" \
    "0 10 enter 2" "0 11 collective 17 0 - 0 0" "0 12 leave 2" "1 10 enter 2" "1 11 collective 17 0 - 0 0" "1 12 leave 2" \
    "0 20 enter 1" "0 21 create 1" "0 22 collective 17 0 - 0 0" "0 23 leave 1" \
    "1 20 enter 1" "1 21 create 1" "1 22 collective 17 0 - 0 0" "1 23 leave 1" | "$write" made &&
    run -m ideal -s workload.file=made/traces.otf2 &&
    [ "$(field r.json '[(c["call"], c["calls"]) for c in r["mpi"]["collectives"]][:1]')" = "[('MPI_Allgather', 2)]" ]
say $? "who makes a communicator tells the others where it belongs"

# ---- definitions of locations ----

# Region 77 of this location is region 3 of the trace.
one "definitions" "map 5 77 3" "5 10 enter 77" && refuse "o/traces.otf2: rank 0, event 1: one-sided communication" o/traces.otf2
say $? "references of a location are its own, where its definitions say so"
printf 'nonsense' >o/traces/5.def
refuse "o/traces.otf2: location 5: its definitions cannot be read: libotf2:" o/traces.otf2
say $? "definitions of a location that are none"

# ---- what cannot be replayed ----

bad() { # NAME TEXT EVENT...
    one "${@:3}"
    refuse "$2" o/traces.otf2
    say $? "$1"
}
at="o/traces.otf2: rank 0, event"
bad "one-sided communication" "$at 1: one-sided communication cannot be replayed; use a program" "5 10 enter 3"
bad "... by its events alone" "$at 1: one-sided communication cannot be replayed" "5 10 put 0"
bad "operations of neighbours" "$at 1: the neighbours of a collective operation are not told in OTF2; replay the program" "5 10 enter 4"
bad "a request that was not begun" "$at 2: request 3 ends, but no such request was begun; look at it with otf2-print" "5 10 enter 1" "5 11 isent 3"
bad "a request that ends as another" "$at 2: request 3 ends, but no such request was begun" "5 10 irequest 3" "5 11 isent 3"
bad "a request that is begun twice" "$at 2: request 3 is begun twice" "5 10 irequest 3" "5 11 irequest 3"
bad "an operation that never ends" "$at 1: a collective operation is begun, and never ends; trace the program up to" "5 10 icollective 3"
bad "a communicator that is not defined" "$at 1: communicator 6 is not defined" "5 10 send 0 6 0 8"
bad "a rank that the communicator does not have" "$at 1: rank 1 of a communicator that has 1" "5 10 send 1 0 0 8"
bad "a root that it does not have" "$at 2: root 4294967295 of a communicator that has 1" "5 10 collective 1 0 - 8 8"
bad "a message that is too long" "$at 1: a message of 99999999999 bytes with tag 0; use at most 68719476704 bytes" "5 10 send 0 0 0 99999999999"
bad "a tag that is too high" "$at 1: a message of 8 bytes with tag 2147483648" "5 10 send 0 0 2147483648 8"
bad "an operation that is too long" "$at 2: a collective operation has more than 2147483647 bytes" "5 10 collective 1 0 0 0 2147483648"
bad "a kind of operation that is unknown" "$at 2: a collective operation of an unknown kind" "5 10 collective 99 0 - 0 0"
bad "a call that is left and was not entered" "$at 1: a call of MPI is left that was not entered" "5 10 leave 1"
bad "a thread that calls MPI" "o/traces.otf2: location 6, event 1: a thread besides the first one of its rank calls MPI; trace" "5 10 enter 1" "6 10 send 0 0 0 8"
bad "a communicator with a rank that the trace does not have" "o/traces.otf2: communicator 9 has rank 1, and the trace has 1 ranks" "comm 9 x 1"
bad "a communicator with a rank twice" "o/traces.otf2: communicator 9 has rank 0 twice" "comm 9 x 0,0"
bad "a rank without a location" "o/traces.otf2: rank 0: location 5 is not defined; look at it with otf2-print"

printf '%s\n' "clock 1000000000" "region 1 MPI_Barrier" "5 10 enter 1" | "$write" none
refuse "none/traces.otf2: it has no ranks of MPI; look at it with otf2-print" none/traces.otf2
say $? "a trace of no MPI program"
trace t ring
refuse "t/traces.otf2 has 6 ranks, and the machine room for 4 processes" t/traces.otf2 -s machine.nodes=4
say $? "more ranks than the machine has processes"
one "5 10 recv 0 0 3 8" && "$weft" run -q -m ideal -w replay -s workload.file=o/traces.otf2 >out 2>&1
[ $? -eq 1 ] && grep -q deadlock out && grep -q "rank 0: MPI_Recv waits for a message from rank 0, tag 3" out
say $? "a receive without its send ends as a deadlock, with the ranks that wait"

# ---- files that are damaged ----

rm -f t/traces/20.evt
refuse "t/traces.otf2: rank 2: its events cannot be read: libotf2: File or directory does not exist" t/traces.otf2
say $? "a rank without its file"
trace t ring && trace u blocking && cp u/traces/20.evt t/traces/20.evt
refuse "t/traces.otf2: rank 2: 18 events are defined, and there are" t/traces.otf2
say $? "a rank with the file of another trace"
trace t ring && rm t/traces.def
refuse "t/traces.otf2: the definitions cannot be read: libotf2: File or directory does not exist" t/traces.otf2
say $? "no definitions"
trace t ring && printf 'nonsense' >t/traces.otf2
refuse "t/traces.otf2:byte 0: an anchor file of OTF2 does not begin so; use a trace that is not damaged" t/traces.otf2
say $? "an anchor file that is none"
# libotf2 3.0.2 makes room for twice as many in 32 bits, which is none, and writes there.
trace t ring && printf '\0\0\0\200' | dd of=t/traces.otf2 bs=1 seek=49 conv=notrunc 2>/dev/null &&
    refuse "t/traces.otf2:byte 49: 2147483648 properties, for which the file is too short" t/traces.otf2
say $? "an anchor file with a forged number"
trace t ring && cp t/traces.otf2 t/anchor && refuse "t/anchor: it is an OTF2 trace under another name; give it a name that ends in .otf2" t/anchor
say $? "an anchor file is known by its bytes, too"
echo "1..$number"
