#!/bin/sh
# Pipes at whose other end there is nobody, in the place of every file that is read or written: either they are refused at
# once, with exit 2 and one line, or Ctrl-C ends the wait, with exit 1. All wait at the same time. Prints TAP.
#
#   tests/cli/pipes.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
cases=0

# of ARGS...: a command with a pipe of its own, or a file named as `pipe` is, in the place of each word PIPE.
of() {
    cases=$((cases + 1))
    mkdir "$cases"
    mkfifo "$cases/${pipe:=pipe}"
    command=$(echo "$* " | sed "s#PIPE#$cases/$pipe#g")
    echo "$command" >"$cases/command"
    # shellcheck disable=SC2086  # a list of words
    "$weft" $command >"$cases/out" 2>"$cases/err" &
    echo $! >"$cases/pid"
}

small="-m bluegene-l -s machine.dims=2x2x2"
of run ./PIPE
of check ./PIPE
of sweep ./PIPE --over run.seed=1,2
of study run ./PIPE
of study check ./PIPE
of show ./PIPE
of run -m ./PIPE
for format in goal ti meta otf2 def bin txt; do
    pipe=pipe.$format
    of run -m ideal -w replay -s workload.file=PIPE
done
pipe=pipe
of run -m ideal -w replay -s workload.file=PIPE
of run -m ideal -w goal -s workload.file=PIPE
of run -m ideal -w goal -s workload.file=PIPE --checkpoint state
of goal --convert PIPE -o goal
of run $small -w matrix -s workload.file=PIPE
of run $small -w file -s workload.file=PIPE
of run $small -w pairs -s workload.file=PIPE
of run $small -w pairs -s workload.list=file:PIPE
of run $small -w ring -s workload.mapping=PIPE
of run -m sc5832 -s machine.graph=PIPE
of run -m dragonfly -s machine.graph=PIPE
of run -m ideal -s machine.topology=PIPE
of run -m ideal -p ./PIPE
of jobs PIPE -m bluegene-l
of run -m bluegene-l -w jobs -s jobs.log=PIPE
of resume PIPE
of compare PIPE PIPE
of view PIPE
of view -o page.html PIPE
of mpirun -np 2 -m ideal ./PIPE
of mpirun -np 2 $small -map PIPE /bin/true
of run $small -q -o PIPE
of run $small -q --links PIPE
of run $small -q --nodes PIPE
of run -m ideal -q -w replay -s workload.file="$WEFT_DATA/tests/matrix/replay.ti" -s workload.trace=PIPE
of run -m ideal -q -w replay -s workload.file="$WEFT_DATA/tests/matrix/replay.ti" -s workload.matrix=PIPE
of run -m bluegene-l -s machine.dims=4x4x4 -s workload.packets_per_pair=200 -q --checkpoint PIPE --every 0.05
of goal ring -n 4 -o PIPE
of goal ring -n 4 --binary -o PIPE

# Files that another one names.
mkdir traces
mkfifo traces/rank traces/lu-0000.bin traces/nodes
echo rank >traces/list.ti
printf 'hostname=a\nnumprocs=1\nfileprefix=lu\n' >traces/lu.meta
printf 'machine: bluegene-l\nworkload: {pattern: parts, parts: "file:traces/nodes ring"}\n' >traces/parts.yaml
of run ./traces/parts.yaml
of run -m ideal -w replay -s workload.file=traces/list.ti
of run -m ideal -w replay -s workload.file=traces/lu.meta
write=$(dirname "$weft")/tests/otf2_write
if [ -x "$write" ]; then
    for file in traces.def traces/0.evt; do
        trace="otf2-${file##*.}"
        "$here/../mpi/otf2.py" ring ring 1 && "$write" "$trace" <ring.events && rm "$trace/$file" && mkfifo "$trace/$file"
        say $? "an OTF2 trace whose $file is a pipe"
        of run -m ideal -w replay -s workload.file="$trace/traces.otf2"
    done
fi

# Before they catch signals it is too early.
catches() { case $(sed -n 's/^SigCgt:.*\(.\)$/\1/p' "/proc/$1/status" 2>/dev/null) in [2367abef] | '') true ;; *) false ;; esac; }
for i in $(seq $cases); do
    until catches "$(cat "$i/pid")"; do sleep 0.1; done
done
sleep 1
for i in $(seq $cases); do
    kill -INT "$(cat "$i/pid")" 2>/dev/null
done
sleep 1.5
for i in $(seq $cases); do
    pid=$(cat "$i/pid")
    ended=true
    if [ "$(sed 's/.*) //; s/ .*//' "/proc/$pid/stat" 2>/dev/null)" != Z ] && kill -KILL "$pid" 2>/dev/null; then ended=false; fi
    wait "$pid" 2>/dev/null
    code=$?
    $ended && case $code in
    1) [ "$(cat "$i/err")" = "weft: interrupted; nothing was written" ] ;;
    2) [ "$(wc -l <"$i/err")" -eq 1 ] ;;
    *) false ;;
    esac
    verdict=$?
    echo "# exit $code, ended in time: $ended: $(head -c 300 "$i/err")"
    say "$verdict" "$(cat "$i/command")"
done

echo "1..$number"
