#!/bin/sh
# weft run -p: programs that do what they must not do. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/run_programs.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

# Programs that do what they must not do.
cat >wrong.c <<'C'
#include <stdlib.h>
#include <weft_program.h>
static int deep(int n) { volatile char x[1000]; x[n % 1000] = 1; return n ? deep(n - 1) + x[3] : x[5]; }
void weft_program(weft_task *t)
{
    char data[8] = {0};
    switch (t->argc ? atoi(t->argv[0]) : 0) {
    case 0: if (t->rank == 1) weft_receive(t, 0, data, 8, 7); break;
    case 1: if (t->rank) weft_barrier(t); break;
    case 2: if (t->rank == 1) deep(1000); break;
    case 3: weft_send(t, t->size, data, 8, 0); break;
    case 4: weft_broadcast(t, 99, data, 8); break;
    case 5: weft_allreduce(t, data, 1, WEFT_DOUBLE, WEFT_AND); break;
    case 6: weft_wait(t, 12345); break;
    case 7: weft_release(t, data); break;
    case 8: { weft_request r = weft_start_send(t, 0, data, 8, 0); weft_wait(t, r); weft_wait(t, r); break; }
    case 9: { weft_request r[2] = {weft_start_send(t, 0, data, 8, 0)}; r[1] = r[0]; weft_wait_all(t, r, 2, NULL); break; }
    case 10: weft_alloc(t, SIZE_MAX); break;
    case 11: { weft_data d = {data, (size_t)1 << 33, (size_t)1 << 31, 8}; weft_start_send_data(t, 0, &d, 0); break; }
    case 12: weft_compute(t, 1e300); break;
    case 13: weft_look(t, 99, 0, NULL); break;
    case 14: if (t->rank == 0) weft_receive_packet(t, data, 8); break;
    case 15: weft_send_packet(t, t->rank, data, 8); break;
    case 16: weft_send_packet(t, t->rank ^ 1, NULL, t->packet_bytes + 1); break;
    case 17: weft_try_packet(t, t->packet_fifos, t->rank ^ 1, NULL, 1); break;
    case 18: weft_send_tree_packet(t, t->rank ^ 1, NULL, t->tree_packet_bytes + 1); break;
    case 19: weft_send_tree_packet(t, t->size, data, 8); break;
    case 20: weft_read_in(t, 8); break;
    case 21: weft_write_out(t, SIZE_MAX); break;
    }
}
C
cc -shared -fPIC -O1 -I"$WEFT_DATA/include" -o wrong.so wrong.c
wrong() { # NUMBER TEXT SETTINGS...
    mistake=$1 expected=$2
    shift 2
    "$weft" run -m bluegene-l -s machine.dims=2x2x1 -p ./wrong.so -s workload.arguments="$mistake" "$@" >out 2>err
    code=$?
    [ $code -eq 1 ] && grep -qF "$expected" err && [ ! -s out ]
    verdict=$?
    [ $verdict -eq 0 ] || { echo "# exit $code"; sed 's/^/# /' err; }
    say $verdict "a wrong program: $expected"
}
wrong 0 "process 1 waits for a message from process 0 with tag 7"
wrong 1 "process 1 is in a collective operation that others are not in"
wrong 1 "process 1 waits for a message from process 0, of a collective operation" -s workload.collectives=messages
wrong 2 "a process of the program has overrun its stack; give it more with workload.stack_bytes"
wrong 3 ": sends to a process that does not exist"
wrong 4 ": names a root that does not exist"
wrong 5 ": combines what cannot be combined so"
wrong 6 ": waits for a request that does not exist"
wrong 7 ": releases memory that it was not given"
wrong 8 ": waits for a request that does not exist"
wrong 9 ": waits for one request twice"
wrong 10 ": asks for more memory than there can be"
wrong 11 ": names more data than there can be"
wrong 12 ": computes for longer than the clock can count"
wrong 13 ": probes for a message of a process that does not exist"
wrong 14 "process 0 waits for a packet"
wrong 15 ": sends a packet to itself, or to a process that does not exist"
wrong 16 ": sends more in a packet than t->packet_bytes"
wrong 17 ": sends a packet through a FIFO that is not below t->packet_fifos"

# ---- single packets ----

wrong 18 ": sends more in a packet than t->tree_packet_bytes"
wrong 19 ": sends a packet to itself, or to a process that does not exist"
wrong 20 "writes or reads outside, and its machine, or its part of one, has no I/O nodes" -s machine.io.nodes_per=0
wrong 21 "writes or reads more than 2^44 bytes at once"
refuses_run() { # MACHINE NUMBER TEXT
    "$weft" run -m "$1" -p ./wrong.so -s workload.arguments="$2" >out 2>err
    [ $? -eq 1 ] && grep -qF "$3" err
    say $? "single packets on $1: $3"
}
refuses_run bluegene-p 19 ": uses packets of the tree, which its machine, or its part of one, does not have; use messages"
refuses_run k-computer 20 ": writes or reads outside, and its machine, or its part of one, has no I/O nodes"
refuses_run ideal 15 ": uses single packets, which the processors of this machine do not write; use messages"
cat >mixed.c <<'C'
#include <stdio.h>
#include <weft_program.h>
void weft_program(weft_task *t)
{
    uint32_t other = t->rank ^ 1, mine = t->rank + 1, got = 0, message = 0;
    weft_info info;
    weft_send_packet(t, other, &mine, sizeof(mine)); /* packets do not meet messages */
    weft_exchange(t, other, &mine, sizeof(mine), other, &message, sizeof(message), 0);
    weft_barrier(t);
    weft_receive_packet(t, &got, sizeof(got));
    if (got != other + 1 || message != got)
        weft_fail(t, "got something else");
    weft_send_packet(t, other, NULL, t->packet_bytes);
    info = weft_receive_packet(t, NULL, 0);
    if (info.source != other || info.bytes != 240 || weft_test_packet(t, NULL, 0, &info))
        weft_fail(t, "got another packet");
    if (t->rank == 0) {
        weft_compute(t, 1000);
        weft_send_packet(t, 1, &mine, sizeof(mine));
    } else if (t->rank == 1) {
        unsigned tests = 0;
        while (!weft_test_packet(t, &got, sizeof(got), &info))
            tests++;
        printf("%s\n", tests && got == 1 ? "tested" : "wrong");
    }
}
C
cc -shared -fPIC -O1 -I"$WEFT_DATA/include" -o mixed.so mixed.c
for mode in heater coprocessor virtual_node; do
    "$weft" run -m bluegene-l -s machine.dims=2x2x2 -s machine.node.mode=$mode -p ./mixed.so --check -q >out 2>err && [ "$(cat out)" = tested ]
    say $? "packets, with messages beside them ($mode)"
done
# Packets of the tree, beside those of the torus, messages, collective operations and I/O.
cat >tree.c <<'C'
#include <stdio.h>
#include <string.h>
#include <weft_program.h>
void weft_program(weft_task *t)
{
    uint32_t to = (t->rank + 1) % t->size, from = (t->rank + t->size - 1) % t->size, got[64] = {0}, mine[64];
    weft_info info;
    for (int i = 0; i < 64; i++)
        mine[i] = t->rank * 64 + i;
    for (int round = 0; round < 6; round++) {
        uint64_t sum = 1;
        weft_send_tree_packet(t, to, mine, sizeof(mine));
        weft_send_packet(t, to, mine, 128);
        if (t->rank % 3 == 0)
            weft_write_out(t, 3000);
        weft_allreduce(t, &sum, 1, WEFT_UINT64, WEFT_SUM);
        info = weft_receive_tree_packet(t, got, sizeof(got));
        if (sum != t->size || info.source != from || info.bytes != 256 || got[63] != from * 64 + 63)
            weft_fail(t, "got something else");
        info = weft_receive_packet(t, got, sizeof(got));
        if (info.source != from || info.bytes != 128)
            weft_fail(t, "got another packet");
        if (t->rank % 3 == 1)
            weft_read_in(t, 30000);
    }
    if (weft_test_tree_packet(t, NULL, 0, &info))
        weft_fail(t, "got one more");
    if (t->rank == 0)
        printf("all there\n");
}
C
cc -shared -fPIC -O1 -I"$WEFT_DATA/include" -o tree.so tree.c
for mode in heater coprocessor virtual_node; do
    for threads in 1 2 3; do
        "$weft" run -m bluegene-l -s machine.dims=3x3x2 -s machine.node.mode=$mode -s machine.io.nodes_per=5 -j $threads -p ./tree.so --check -q -o tree$threads.json >out 2>err &&
            [ "$(cat out)" = "all there" ] || sed 's/^/# /' err
    done
    python3 -c 'import json; a, b, c = (json.load(open(f"tree{i}.json")) for i in (1, 2, 3)); assert a["digest"] == b["digest"] == c["digest"] and a["io_calls"] == b["io_calls"] > 0'
    say $? "packets of the tree, with everything else beside them ($mode)"
done
"$weft" run -m bluegene-l -s machine.dims=3x3x2 -s workload.processes=5 -p ./tree.so -q >out 2>err && [ "$(cat out)" = "all there" ]
say $? "packets of the tree between processes on some of the nodes"
# A broadcast that is under way when others have still to write out, to read in, or to pass a packet first.
cat >late.c <<'C'
#include <stdlib.h>
#include <weft_program.h>
void weft_program(weft_task *t)
{
    uint32_t root = 3, what = (uint32_t)atoi(t->argv[0]), word = 7;
    char *data = weft_alloc(t, 65536);
    if (what == 0 && t->rank != root)
        weft_write_out(t, 10000);
    if (what == 1 && t->rank != root)
        weft_read_in(t, 10000);
    if (what == 2 && t->rank == 1) {
        weft_compute(t, 1e6);
        weft_send_tree_packet(t, 2, &word, sizeof(word));
    }
    if (what == 2 && t->rank == 2)
        weft_receive_tree_packet(t, &word, sizeof(word));
    for (int i = 0; i < 65536; i++)
        data[i] = (char)(t->rank == root ? i % 100 : 0);
    weft_broadcast(t, root, data, 65536);
    if (data[65535] != 65535 % 100)
        weft_fail(t, "got something else");
    weft_release(t, data);
}
C
cc -shared -fPIC -O1 -I"$WEFT_DATA/include" -o late.so late.c
for classes in none nodes:0-1; do # with several, packets of the broadcast are kept meanwhile
    for what in 0 1 2; do
        for threads in 1 3; do
            "$weft" run -m bluegene-l -s machine.dims=2x2x2 -s machine.tree.classes=$classes -j $threads -p ./late.so -s workload.arguments=$what --check -q -o late$threads.json 2>err || sed 's/^/# /' err
        done
        [ "$(grep '"digest"' late1.json)" = "$(grep '"digest"' late3.json)" ] && grep -q '"digest"' late1.json
        say $? "packets to one node pass a broadcast that waits for their processes ($what, classes: $classes)"
        rm -f late1.json late3.json
    done
done
# With interrupts, a program that computes is interrupted for a packet that has room, also if its FIFO drained while the program posted more.
cat >posts.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <weft_program.h>
void weft_program(weft_task *t)
{
    static char data[2][20000];
    int posts = atoi(t->argv[0]);
    weft_request r[32] = {0};
    if (t->rank == 0) {
        r[posts] = weft_start_send(t, 1, data[0], 20000, 0);
        for (int i = 0; i < posts; i++)
            r[i] = weft_start_receive(t, 1, data[1], 100, 7);
        weft_compute(t, 7e6); /* 10 ms */
        weft_wait_all(t, r, (size_t)posts + 1, NULL);
    } else {
        weft_receive(t, 0, data[0], 20000, 0);
        printf("%s\n", weft_seconds(t) < 200e-6 ? "soon" : "late");
        for (int i = 0; i < posts; i++)
            weft_send(t, 0, data[0], 100, 7);
    }
}
C
cc -shared -fPIC -O1 -I"$WEFT_DATA/include" -o posts.so posts.c
for posts in 0 1 2 20; do
    "$weft" run -m bluegene-l -s machine.dims=2x1x1 -s machine.node.interrupts=true -s machine.node.injection_watermark_bytes=256 -s machine.message.protocol=eager -p ./posts.so -s workload.arguments=$posts --check -q >out 2>err && [ "$(cat out)" = soon ]
    say $? "interrupts: data are sent while the program computes, after $posts more posts"
done
# Communicators whose processes are those of a class's nodes, inside each other, on the tree; without classes, over messages.
"$weft" mpicc "$WEFT_DATA/tests/cli/classes.c" -o classes
classes() { # PROCESSES MODE MAP THREADS SETTINGS...
    processes=$1 mode=$2 map=$3 threads=$4
    shift 4
    ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$weft" mpirun -np "$processes" -m bluegene-l -s machine.dims=4x4x4 -s machine.node.mode="$mode" -map "$map" -j "$threads" --check -o classes.json "$@" ./classes >out 2>err &&
        grep -q '^all right$' out
}
for mode in heater virtual_node; do
    [ $mode = heater ] && processes=64 || processes=128
    classes $processes $mode TXYZ 1 "-s" "machine.tree.classes=4x4x2@0/0/0;nodes:0-15" && grep -q 'MPI_Allreduce  *tree network' out && ! grep -q 'MPI_.*\(halving\|binomial\)' out
    say $? "classes of the tree: communicators use it ($mode)"
    digest=$(grep '"digest"' classes.json)
    classes $processes $mode TXYZ 3 "-s" "machine.tree.classes=4x4x2@0/0/0;nodes:0-15" -s run.bricks=2x2x2 && [ "$(grep '"digest"' classes.json)" = "$digest" ]
    say $? "... whatever the cut ($mode)"
done
cat >apart.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, one = 1, sum;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &half);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, rank == 0 ? half : MPI_COMM_WORLD);
    return MPI_Finalize();
}
C
"$weft" mpicc apart.c -o apart
for classes in none nodes:0-3; do
    ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$weft" mpirun -q -np 8 -m bluegene-l -s machine.dims=4x2x1 -s machine.node.mode=heater -s machine.tree.classes=$classes ./apart >out 2>err
    [ $? -eq 1 ] && grep -q 'rank 0: MPI_Allreduce, in a communicator of 4$' err && grep -q 'ranks 1-7: MPI_Allreduce$' err
    say $? "a deadlock names the communicator of an operation of the tree, too (classes: $classes)"
done
classes 64 heater XYZT 1 && ! grep -q 'MPI_Allreduce  *tree network' out
say $? "without classes, they use messages"
classes 128 virtual_node XYZT 1 "-s" "machine.tree.classes=4x4x2@0/0/0;nodes:0-15" && ! grep -q 'MPI_Allreduce  *tree network' out
say $? "nor do communicators of some processes of the nodes"
# A core that polls takes early packets out of the tree's FIFO, whatever the node's other process computes: more of that never
# makes a broadcast of a class earlier.
cat >hold.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank;
    static char big[100000], small[2000];
    MPI_Comm class;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2 == 3 || rank / 2 == 4 ? 0 : MPI_UNDEFINED, rank, &class);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    if (class != MPI_COMM_NULL) {
        if (rank / 2 == 3)
            MPIX_Compute(20000);
        if (rank == 9)
            MPIX_Compute(atof(argv[1]));
        MPI_Bcast(small, sizeof(small), MPI_CHAR, 0, class);
        if (rank == 9)
            printf("%d\n", (int)(1e6 * (MPI_Wtime() - start)));
    }
    MPI_Bcast(big, sizeof(big), MPI_CHAR, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
C
"$weft" mpicc hold.c -o hold
for cycles in 100000 200000 240000 280000; do
    ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$weft" mpirun -q -np 14 -m bluegene-l -s machine.dims=7x1x1 -s machine.node.mode=virtual_node -map TXYZ -s machine.tree.classes=nodes:3-4 ./hold $cycles
done >times 2>err
[ "$(wc -l <times)" -eq 4 ] && sort -n -c times && [ "$(head -1 times)" -lt 400 ]
say $? "a process that computes does not keep its node's other one from taking early packets"
# The program of the examples does what the built-in all-to-all by packets does: as many packets and hops, and nearly the same time.
cc -shared -fPIC -O1 -I"$WEFT_DATA/include" -o packets.so "$WEFT_DATA/examples/packets.c"
for order in ascending staggered random distance; do
    for threads in 1 2 3; do
        "$weft" run -m bluegene-l -s machine.dims=4x4x4 -p ./packets.so -s workload.arguments="$order 4" -j $threads --check -q -o packets$threads.json >/dev/null
    done
    "$weft" run -m bluegene-l -s machine.dims=4x4x4 -w alltoall -s workload.packets_per_pair=4 -s workload.order=$order -q -o built-in.json
    python3 - <<'P'
import json
one, two, three, other = (json.load(open(f + ".json")) for f in ("packets1", "packets2", "packets3", "built-in"))
assert one["digest"] == two["digest"] == three["digest"]
for name in "packets_delivered", "packet_hops", "payload_bytes_delivered":
    assert one[name] == other[name], name
assert abs(one["cycles"] / other["cycles"] - 1) < 0.1, (one["cycles"], other["cycles"])
assert one["core_writing"] > 0 and one["core_reading"] > 0
P
    say $? "an all-to-all by a program's packets is near the built-in one: $order"
done
# Boxes: each node sends each other one of its box 1000 bytes in five packets, twice.
"$weft" run -m bluegene-l -s machine.dims=3x4x5 -p boxes -s workload.arguments="1000 3 2 1 2" --check -q -o boxes.json
python3 -c 'import json; r = json.load(open("boxes.json")); assert r["packets_delivered"] == 60 * 5 * 5 * 2 and r["payload_bytes_delivered"] == 60 * 5 * 1000 * 2'
say $? "exchanges within boxes"
"$weft" run -m bluegene-l -s machine.dims=3x4x5 -p boxes -s workload.arguments="1000 2" 2>err
[ $? -eq 1 ] && grep -q "process 0: the box does not divide the machine" err
say $? "a box that does not divide the machine"
# The transposes: every point but those that stay goes once, whatever the phase; one answer of any number of threads, and of ranks.
for phase in 0 1 2; do
    for threads in 1 2 3; do
        "$weft" run -m bluegene-l -s machine.dims=4x2x8 -p transposes -s workload.arguments="16 $phase 2" -j $threads --check -q -o transposes$threads.json
    done
    PHASE=$phase python3 - <<'P'
import json, os
phase, shape, n = int(os.environ["PHASE"]), (4, 2, 8), 16
axes = ((2, 0, 1), (1, 2, 0), (0, 2, 1))
def owner(phase, p):  # of a point after a phase; -1: at the beginning
    size = [n // s for s in shape]
    at = [c // s for c, s in zip(p, size)]
    if phase >= 0:
        along, slow, fast = axes[phase]
        row = p[slow] % size[slow] * size[fast] + p[fast] % size[fast]
        at[along] = row * shape[along] // (size[slow] * size[fast])
    return tuple(at)
points = [(x, y, z) for x in range(n) for y in range(n) for z in range(n)]
moved = sum(owner(phase - 1, p) != owner(phase, p) for p in points)
runs = [json.load(open(f"transposes{threads}.json")) for threads in (1, 2, 3)]
assert len({r["digest"] for r in runs}) == 1
assert runs[0]["payload_bytes_delivered"] == 2 * 16 * moved, (runs[0]["payload_bytes_delivered"], moved)
P
    say $? "the transposes of a Fourier transform, phase $phase"
done
# Packets of both directions in one FIFO wait for each other: the same packets take longer than with a FIFO for each direction.
"$weft" run -m bluegene-l -s machine.dims=4x4x16 -s machine.node.hints=hardware -p boxes -s workload.arguments="64 1 1 16" -q -o boxes.json
"$weft" run -m bluegene-l -s machine.dims=4x4x16 -s machine.node.hints=hardware -p transposes -s workload.arguments="16 0 1 64" -q -o transposes.json
python3 - <<'P'
import json
boxes, transposes = (json.load(open(name + ".json")) for name in ("boxes", "transposes"))
for figure in "packets_delivered", "packet_hops", "payload_bytes_delivered":
    assert boxes[figure] == transposes[figure], figure
assert 1.2 < transposes["cycles"] / boxes["cycles"] < 1.8, (boxes["cycles"], transposes["cycles"])
P
say $? "packets of two directions hold each other up in one injection FIFO"
# A FIFO of 1 KB holds four packets of 256 bytes; the first leaves it while they are written.
cat >fill.c <<'C'
#include <stdio.h>
#include <weft_program.h>
void weft_program(weft_task *t)
{
    uint32_t sent = 0, got = 0, all = 0;
    if (t->rank == 0) {
        while (weft_try_packet(t, t->packet_fifos - 1, 1, NULL, t->packet_bytes))
            sent++;
        while (!weft_try_packet(t, 0, 1, &sent, sizeof(sent)))
            ;
        printf("%u FIFOs, %u packets\n", t->packet_fifos, sent);
    }
    while (t->rank == 1 && (!all || got <= all)) {
        uint32_t data = 0;
        all = weft_receive_packet(t, &data, sizeof(data)).bytes == sizeof(data) ? data : all;
        got++;
    }
}
C
cc -shared -fPIC -O1 -I"$WEFT_DATA/include" -o fill.so fill.c
"$weft" run -m bluegene-l -s machine.dims=2x1x1 -p ./fill.so --check -q >out 2>err && [ "$(cat out)" = "6 FIFOs, 4 packets" ]
say $? "a program fills an injection FIFO of its choice: $(cat out err)"
"$weft" run -m bluegene-l -s machine.dims=2x1x1 -s machine.node.mode=virtual_node -p ./fill.so --check -q >out 2>err
[ "$(cut -d' ' -f1 out)" = 3 ]
say $? "processes of a node share its injection FIFOs: $(cat out err)"
# MPI_Alltoallv pays for the processes that it has something for: 4 of a column, 8 of the 16 of a plane.
for cycles in 0 70000; do
    "$weft" run -m bluegene-l -s machine.dims=4x4x4 -w mpi -s workload.program=fft_volume -s workload.arguments="8 4x4x4 0.4 1" \
        -s machine.mpi.each_cycles=$cycles -q -o each$cycles.json >/dev/null
done
python3 - <<'P'
import json
free, paid = (json.load(open(f"each{cycles}.json")) for cycles in (0, 70000))
for phase, partners in ("z", 4), ("y", 8), ("x", 8):
    extra = paid[f"exchange_{phase}_us"] - free[f"exchange_{phase}_us"]
    assert abs(extra - 100 * partners) < 1, (phase, extra)
P
say $? "an all-to-all with MPI costs what its partners cost"
"$weft" run -m bluegene-l -s machine.dims=3x4x5 -p transposes 2>err
[ $? -eq 1 ] && grep -q "process 0: 64 points along each axis cannot be cut into rows for 3x4x5 processes; use powers of two, at most 4096 points, and a shape in which each process gets a row" err
say $? "transposes that are not of powers of two"
for phase in 3 4294967296; do
    "$weft" run -m bluegene-l -s machine.dims=2x2x2 -p transposes -s workload.arguments="64 $phase" 2>err
    [ $? -eq 1 ] && grep -q "process 0: there is no such phase or size of a point; use a phase of 0, 1 or 2, and points of 1 to 4096 bytes" err
    say $? "transposes have no phase $phase"
done
"$weft" run -m bluegene-l -s machine.dims=2x2x2 -s machine.wrap=true,true,false -p transposes >out 2>err
[ $? -eq 2 ] && grep -q "the program transposes needs a torus, and the 2 nodes along axis z are a line; use machine.wrap = true, or another program" err
say $? "transposes on a mesh: $(cat err)"
"$weft" run -m bluegene-l -s machine.dims=2x2x1 -p halo -s workload.arguments=1x 2>err
[ $? -eq 1 ] && grep -q "argument '1x' is not a whole number" err
say $? "a wrong argument of a program"

# Two processes of a node stream as fast as its memory allows: each its own 3010 MB/s, or half of the total.
memory() { # TOTAL RESULT SETTINGS...
    total=$1 result=$2
    shift 2
    "$weft" run -m bluegene-l -s machine.dims=2x1x1 -s machine.node.mode=virtual_node -p halo -s workload.arguments="0 1 0 30100000" \
        -s machine.node.memory_total_mb_per_s="$total" -o "$result" "$@" >out 2>err
}
memory 0 free.json
! grep -q "memory busy" out && ! grep -q memory_busy free.json
say $? "without a limit, memory is no figure"
memory 3010 shared.json -j 1 && memory 3010 other.json -j 3
grep -q '^  memory busy  *9[0-9.]* %$' out
say $? "what memory did is printed"
python3 - <<'P'
import json
free, one, other = (json.load(open(f + ".json")) for f in ("free", "shared", "other"))
assert abs(free["sim_seconds"] - 0.01) < 2e-4 and abs(one["sim_seconds"] - 0.02) < 2e-4
assert one["digest"] == other["digest"] and one["memory_busy"] == other["memory_busy"] > 0.98
assert abs(one["memory_wait_seconds"] - 4 * 0.01) < 2e-3
P
say $? "two processes that stream share the memory of their node"
refuses "weft: -s machine.node.memory_total_mb_per_s=3000: machine.node.memory_total_mb_per_s is for messages, and this workload has packets, which do not come from memory here; set it to 0, or use workload.as=messages" \
    run -m bluegene-l -w alltoall -s machine.node.memory_total_mb_per_s=3000
refuses "weft: -s machine.node.memory_total_mb_per_s=0.5: machine.node.memory_total_mb_per_s = 0.5 is too slow for a memory; use at least 1, or 0 for no limit" \
    run -m sc5832 -w ring -s machine.node.memory_total_mb_per_s=0.5
cat >endless.c <<'C'
#include <weft_program.h>
void weft_program(weft_task *t) { weft_stream(t, UINT64_MAX); }
C
cc -shared -fPIC -I"$WEFT_DATA/include" -o endless.so endless.c
"$weft" run -m sc5832 -s machine.graph=kautz:1:1 -p ./endless.so 2>err
[ $? -eq 1 ] && grep -q "process 0: streams more than 2^44 bytes through memory at once" err
say $? "a stream that would not end"

echo "1..$number"
