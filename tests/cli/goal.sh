#!/bin/sh
# weft goal, and traces in GOAL. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/goal.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

# ---- traces in GOAL ----
printf 'num_ranks 3\nrank 0 {\na: send 8b to 1\nb: calc 5\nb requires c\n}\n' >label.goal
refuses "weft: label.goal:5:12: no operation has the label 'c' so far; label one, above" \
    run -m ideal -w goal -s workload.file=label.goal
printf 'num_ranks 3\nrank 0 {\na: calc 1\nb: calc 5\nb requires a\na requires b\n}\n' >circle.goal
refuses "weft: circle.goal:3:1: this operation waits for itself, through others; remove one of the \`requires\` of rank 0" \
    run -m ideal -w goal -s workload.file=circle.goal
printf 'num_ranks 3\nrank 0 {\na: send 8b to 1 tag 7\n}\nrank 1 {\na: recv 8b from 0 tag 7\n}\n' >three.goal
refuses "weft: -s workload.file=three.goal: the trace three.goal has 3 ranks, and 2 nodes with 1 process each make 2; use a larger machine, or more workload.processes_per_node" \
    run -m ideal -s machine.nodes=2 -w goal -s workload.file=three.goal
refuses "weft: -s workload.file=three.goal: messages with tags, or of 4 GiB and more, cannot leave their process; run the trace without --checkpoint" \
    run -m ideal -w goal -s workload.file=three.goal --checkpoint state
refuses "weft: -w goal: no trace is named; name a file in GOAL by workload.file" run -m ideal -w goal
refuses "weft: nowhere.goal: No such file or directory; name a trace in GOAL" run -m ideal -w goal -s workload.file=nowhere.goal
"$weft" goal --convert three.goal -o three.bin && head -c 100 three.bin >short.bin
refuses "weft: short.bin: byte 14: rank 0 lies outside of the file, or on its head; make it again, by txt2bin or \`weft goal --convert\`" \
    run -m ideal -w goal -s workload.file=short.bin
"$weft" run -m ideal -w goal -s workload.file=three.goal >out && grep -q '^  trace        3 ranks, 1 message, 8 bytes$' out &&
    grep -q '^ideal 3, 3 nodes: goal three.goal$' out
say $? "a trace: what it held"
[ "$("$weft" goal barrier -n 2 messages=1)" = "num_ranks 2

rank 0 {
l0: send 0b to 1
l1: recv 0b from 1
}

rank 1 {
l0: send 0b to 0
l1: recv 0b from 0
}" ]
say $? "goal: a pattern as text"
"$weft" goal --list >out && grep -q '^  allreduce              algorithm=doubling or halving$' out &&
    grep -q '^    bytes=32768          B    of a face$' out && [ "$(wc -L <out)" -le 100 ]
say $? "goal --list lines up"
refuses "weft: 'uniform' is no pattern of messages and no skeleton; \`weft goal --list\` lists them" goal uniform
refuses "weft: no pattern and no skeleton; \`weft goal --list\` lists them" goal
refuses "weft: halo has no 'wings'; \`weft goal --list\` lists what it has" goal halo -n 8 wings=2
refuses "weft: no number of ranks; give -n RANKS or grid=" goal halo
refuses "weft: grid=2x2x2 is no grid of 9 ranks in 3 dimensions; use 3 sides whose product is that" goal halo -n 9 grid=2x2x2
refuses "weft: 10 ranks are not data=0 times tensor=4 times pipeline=4; use numbers whose product they are" goal training -n 10
refuses "weft: algorithm=tree: this machine has no tree network and no global interrupts; use another workload.algorithm" goal allreduce -n 4 algorithm=tree
refuses "weft: messages=0: workload.messages = 0: the run must end; use 1 or more" goal allreduce -n 4 messages=0
refuses "weft: no file to write; name it by -o" goal --convert three.goal
refuses "weft: --convert and -o name the same file; use two" goal --convert three.goal -o three.goal

echo "1..$number"
