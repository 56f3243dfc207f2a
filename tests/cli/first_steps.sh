#!/bin/sh
# What a new user meets: help, words that are nearly right, options that do not go together, results on standard output,
# tables that fit the screen, runs in which nothing happens. Usage: first_steps.sh PATH/TO/weft
# Prints TAP.
set -u
. "$(dirname "$0")/../tap.sh"

# ---- help ----

for command in run mpirun jobs goal mpicc mpicxx mpif90 resume sweep view compare study check bench machines show keys help version; do
    "$weft" help $command >out 2>err && [ ! -s err ] && "$weft" $command --help | cmp -s - out && grep -q "^  weft $command" out
    say $? "help $command: what $command --help says"
done
"$weft" help >out 2>err && [ ! -s err ] && "$weft" --help | cmp -s - out
say $? "help: all commands"
"$weft" >out 2>err
[ $? -eq 2 ] && [ ! -s out ] && "$weft" help | cmp -s - err
say $? "without arguments: help, and exit 2"
refuses "weft: unknown command 'nonsense'; \`weft --help\` lists them" help nonsense
refuses "weft: unknown command 'swep'; did you mean 'sweep'?" help swep
refuses "weft: \`weft help\` takes one command; name one, or none" help run sweep
"$weft" version >out 2>err && [ ! -s err ] && [ "$(head -n 1 out)" = "$("$weft" --version)" ] &&
    [ "$(sed -n 's/^  \([a-zA-Z0-9]*\) .*/\1/p' out | tr '\n' ' ')" = "compiler build MPI OTF2 libraries data " ] &&
    [ "$(sed -n 's/^  data *//p' out)" = "$WEFT_DATA" ]
say $? "version: how it was built, and where its data are"
sed -n '/^<!-- Made by `weft --figures`/,/^<!-- The end of what/p' "$WEFT_DATA/docs/guide.md" >guide
"$weft" --figures | diff - guide >diff
say $? "the guide has the figures of a result (if not, put what \`weft --figures\` prints there)"
refuses "weft: \`weft version\` takes no arguments; use it alone" version 3

# ---- words that are nearly right ----

near() { # WORD EXPECTED ARGS...: the complaint ends so
    word=$1 expected=$2
    shift 2
    "$weft" "$@" >out 2>err
    [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF "; did you mean '$expected'?" err
    verdict=$?
    [ $verdict -eq 0 ] || sed 's/^/# /' err
    say $verdict "'$word' may be '$expected'"
}
far() { # WORD ARGS...: no guess
    word=$1
    shift
    "$weft" "$@" >out 2>err
    [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && ! grep -q "did you mean" err
    verdict=$?
    [ $verdict -eq 0 ] || sed 's/^/# /' err
    say $verdict "'$word' is near nothing"
}
near swepe sweep swepe -m ideal
near benhc bench benhc
far fly fly
near --sed --seed run -m ideal --sed 3
near -seed --seed run -m ideal -seed 3
near --checkpiont=x --checkpoint run -m ideal --checkpiont=x
far --fast run -m ideal --fast
far --full run -m ideal --full
near blugene-l bluegene-l run -m blugene-l
near BlueGene-L bluegene-l show BlueGene-L
near bluegene bluegene-l run -m bluegene
far cray run -m cray
near unifrom uniform run -m ideal -w unifrom
near all-to-all alltoall run -m ideal -w all-to-all
far spiral run -m ideal -w spiral
near workload.lod workload.load run -m ideal -s workload.lod=1
near dims machine.dims run -m bluegene-l -s dims=2x2x2
near run.load workload.load run -m ideal -s run.load=1
far machine.router.foo run -m bluegene-l -s machine.router.foo=1
far machine.colour run -m bluegene-l -s machine.colour=1
near buble bubble run -m bluegene-l -s machine.router.escape=buble
near altoall-512 alltoall-512 study run altoall-512
far figure-9 study run figure-9
near saturate saturated bench saturate
near hallo halo goal hallo -n 8
near bites bytes goal halo -n 8 bites=8

# ---- options that do not go together ----

refuses "weft: -m bluegene-l and -m ideal: only one can be; leave one out" run -m bluegene-l -m ideal
refuses "weft: -w uniform and -w ring: only one can be; leave one out, or give each its nodes: -w PATTERN --on NODES" run -m ideal -w uniform -w ring
refuses "weft: -w uniform and -w ring: only one can be; leave one out" sweep -m ideal -w uniform -w ring --over workload.load=1,2
refuses "weft: -w uniform and -p halo: only one can be; leave one out, or give each its nodes: -w PATTERN --on NODES" run -m ideal -w uniform -p halo
refuses "weft: --seed 1 and --seed 2: only one can be; leave one out" run -m ideal --seed 1 --seed=2
refuses "weft: -o a.json and -o b.json: only one can be; leave one out" run -m ideal -o a.json -ob.json
refuses "weft: -j 1 and -j 2: only one can be; leave one out" run -m ideal -j1 -j 2
refuses "weft: -np 4 and -n 4: only one can be; leave one out" mpirun -m ideal -np 4 -n 4 true
refuses "weft: --policy easy and --policy fcfs: only one can be; leave one out" jobs -m k-computer --policy easy --policy fcfs

# ---- what is missing ----

refuses "weft: -s machine.dims 8x8x8 is not one word; write -s machine.dims=8x8x8" run -m bluegene-l -s machine.dims 8x8x8
refuses "weft: -s machine.dims = 8x8x8 is not one word; write -s machine.dims=8x8x8" run -m bluegene-l -s machine.dims = 8x8x8
refuses "weft: -s machine.dims has no value; write -s machine.dims=VALUE" run -m bluegene-l -s machine.dims
refuses "weft: -s machine.dims has no value; write -s machine.dims=VALUE" run -m bluegene-l -s machine.dims -j 2
refuses "weft: -s machine.dims has no value; write -s machine.dims=VALUE" mpirun -np 2 -m bluegene-l -s machine.dims ./program
refuses "weft: --over workload.load 0.1,0.2 is not one word; write --over workload.load=0.1,0.2" sweep -m ideal -w uniform --over workload.load 0.1,0.2
refuses "weft: --over workload.load has no value; write --over workload.load=V1,V2,..." sweep -m ideal -w uniform --over workload.load

# ---- standard output ----

is_result() { python3 -c 'import json, sys; assert len(json.load(sys.stdin)["digest"]) == 16'; }
"$weft" run -m ideal -s machine.nodes=8 -o - 2>err | is_result && grep -q '^ideal 8, 8 nodes: ' err && grep -q '^  digest ' err
say $? "run -o -: the result in a pipe, the summary on standard error"
"$weft" run -m ideal -s machine.nodes=8 -o - -q >out 2>err && is_result <out && [ ! -s err ] && [ ! -e - ]
say $? "run -o - -q: the result alone"
echo first >out && "$weft" run -m ideal -s machine.nodes=8 -o - -q >>out && [ "$(head -n 1 out)" = first ] && sed 1d out | is_result
say $? "run -o -: what was in the file before stays"
"$weft" jobs -m k-computer -s jobs.count=20 -o - 2>err | is_result && grep -q '^  log  *20 jobs generated' err
say $? "jobs -o -"
"$weft" jobs -m k-computer -s jobs.count=20 --csv - 2>err | head -n 1 | grep -q '^job,submit_s,' && grep -q '^  log  *20 jobs generated' err
say $? "jobs --csv -"
"$weft" run -m ideal -s machine.nodes=8 --links - 2>err | head -n 1 | grep -q ',' && grep -q '^ideal 8, ' err && [ ! -e - ]
say $? "run --links -"
refuses "weft: -o and --csv name the same file; use different ones" jobs -m k-computer -o - --csv -
printf '#include <mpi.h>\n#include <stdio.h>\nint main(int n, char **v) { MPI_Init(&n, &v); puts("hello"); return MPI_Finalize(); }\n' >hello.c
"$weft" mpicc hello.c -o hello && "$weft" mpirun -np 2 -m ideal -o - ./hello 2>err | is_result && [ "$(grep -c '^hello$' err)" -eq 2 ]
say $? "mpirun -o -: what the program prints is on standard error"
printf '#include <mpi.h>\nint main(int n, char **v) { MPI_Init(&n, &v); MPIX_Figure("digest", 1); MPIX_Figure("fairness", 7); MPIX_Figure("mine", 3); return MPI_Finalize(); }\n' >own.c
"$weft" mpicc own.c -o own && "$weft" mpirun -np 2 -m ideal -o own.json ./own >out && "$weft" view own.json -o own.html >err && ! grep -q "Jain's index" out && python3 -c '
import json
r = json.load(open("own.json"))
assert len(r["digest"]) == 16 and r["mine"] == 3 and r["fairness"] == 7, r["digest"]'
say $? "a program's own figures replace none of the run's"
"$weft" bench light 8x8x8 -o - 2>err | python3 -c 'import json, sys; assert json.load(sys.stdin)["rows"]' && grep -q '^light ' err && [ "$(sed 1d err | wc -L)" -le 80 ]
say $? "bench -o -"
"$weft" run -m ideal -s machine.nodes=8 -o - >&- 2>err
[ $? -eq 2 ] && [ "$(cat err)" = "weft: standard output: Bad file descriptor; name a file, or open it and standard error" ]
say $? "run -o -: standard output is closed"
"$weft" run -m ideal -s machine.nodes=8 -q -o - >/dev/full 2>err
[ $? -eq 2 ] && [ "$(cat err)" = "weft: standard output: No space left on device; make room or name another place" ]
say $? "run -o -: standard output is full"
"$weft" goal barrier -n 2 >out && "$weft" goal barrier -n 2 -o - | cmp -s - out && [ "$(head -n 1 out)" = "num_ranks 2" ]
say $? "goal -o -: as without -o"
refuses "weft: -o r.csv: a result is JSON; name it r.json, or use --links or --nodes for a table" run -m ideal -o r.csv
refuses "weft: -o r.csv: a result is JSON; name it r.json, or use --csv for a table of jobs" jobs -m k-computer -o r.csv
"$weft" run -m ideal -s machine.nodes=8 -q -o r.txt && is_result <r.txt && "$weft" run -m ideal -s machine.nodes=8 -q -o ./- && is_result <./-
say $? "other names are as you like, ./- too"

# ---- runs in which nothing happens ----

for machine in "bluegene-l" "sc5832 -s machine.graph=kautz:2:3" "k-computer -s machine.dims=2x2x2x2x3x2" "dragonfly -s machine.graph=dragonfly:1:2:1" ideal; do
    "$weft" run -m $machine -w uniform -s workload.as=packets -s workload.load=1e-300 -o r.json >out &&
        grep -q '^  packets      none: at load 1e-300 no node sends; raise it, or workload.cycles$' out && ! grep -q '^  \(response\|VC\) ' out && python3 -c '
import json
r = json.load(open("r.json"))
assert r["response_cycles"] == {"count": 0, "histogram": []} and not any("response" in name for name in r if name != "response_cycles"), r'
    say $? "no packet, no response time: ${machine%% *}"
done
"$weft" run -m bluegene-l -w none -o r.json >out && grep -q '^  packets      none: no node has anything to send$' out &&
    grep -q '"count": 0' r.json && ! grep -q '"mean": 0' r.json
say $? "-w none: nobody has anything to send"
"$weft" run -m bluegene-l -w uniform -s workload.load=0.0001 -s workload.cycles=1 >out && grep -q '^  packets      [1-9]' out &&
    grep -q '^  response     none: no packet was born while measuring$' out
say $? "packets of the warm-up alone have no response time"
"$weft" run -m bluegene-l -s workload.as=packets -w uniform --on 0-7 -s workload.load=1e-300 -w uniform --on 8-63 --alone -o r.json >out &&
    grep -q '^  part 1: no slowdown, since no packet was measured$' out && python3 -c '
import json
p = json.load(open("r.json"))["parts"]["part_1"]
assert "response_cycles" not in p and "response_mean" not in p["alone"] and "slowdown" not in p["alone"], p'
say $? "a part without packets has no response time and no slowdown"

# ---- what is not as the machine has it ----

# heads EXPECTED MACHINE ARGS...: the lines of a summary before `time`; the same when the result runs again
heads() {
    expected=$1
    shift
    "$weft" run -m "$@" -s workload.as=packets -w uniform -s workload.cycles=1000 -o r.json >out 2>err && [ "$(sed '/^  time /,$d' out)" = "$expected" ] &&
        "$weft" run r.json >again && [ "$(sed '/^  time /,$d' again)" = "$expected" ]
    verdict=$?
    [ $verdict -eq 0 ] || sed 's/^/# /' err out
    say $verdict "the head of a run: $*"
}
heads "bluegene-l 8x8x8, 512 nodes: uniform, 256 B packets, load 0.5" bluegene-l
heads "bluegene-l 4x4x4 mesh, 64 nodes: uniform, 256 B packets, load 0.5
  changed      machine.router.escape=dateline, machine.router.paths=1" \
    bluegene-l -s machine.dims=4x4x4 -s machine.wrap=false -s machine.router.paths=1 -s machine.router.escape=dateline
heads "bluegene-l 4x4x4, 64 nodes: uniform, 256 B packets, load 0.5
  changed      machine.wrap=true,false,true" bluegene-l -s machine.dims=4x4x4 -s machine.wrap=true,false,true
heads "bluegene-l 4x4x4, 64 nodes: uniform, 256 B packets, load 0.5" bluegene-l -s machine.dims=4x4x4 -s machine.wrap=true
heads "k-computer 2x2x2x2x3x2, 96 nodes: uniform, 2008 B packets, load 0.5" k-computer -s machine.dims=2x2x2x2x3x2
heads "k-computer 2x2x2x2x3x2 mesh, 96 nodes: uniform, 2008 B packets, load 0.5" k-computer -s machine.dims=2x2x2x2x3x2 -s machine.wrap=false
heads "sc5832 kautz:2:3, 12 nodes: uniform, 128 B packets, load 0.5
  changed      machine.router.vcs=6" sc5832 -s machine.graph=kautz:2:3 -s machine.router.vcs=6
heads "dragonfly dragonfly:1:2:1, 6 nodes: uniform, 16 B packets, load 0.5
  changed      machine.routing.algorithm=valiant" \
    dragonfly -s machine.graph=dragonfly:1:2:1 -s machine.routing.algorithm=valiant
heads "ideal 8, 8 nodes: uniform, 240 B packets, load 0.5
  changed      machine.latency_ns=5" ideal -s machine.nodes=8 -s machine.latency_ns=5
printf 'name: mine\nbase: bluegene-l\ndims: 4x4x4\nwrap: false\nrouter: {paths: 1}\n' >mine.yaml
heads "mine 4x4x4, 64 nodes: uniform, 256 B packets, load 0.5" ./mine.yaml
heads "mine 4x4x4, 64 nodes: uniform, 256 B packets, load 0.5
  changed      machine.router.paths=2" ./mine.yaml -s machine.router.paths=2
"$weft" run -m sc5832 -w uniform -s machine.graph=kautz:2:3 -s machine.routing.vc_rule=none -s machine.router.vcs=1 \
    -s machine.router.crosspoint_packets=1 -s machine.dma.mb_per_s=10000 -s run.stall_cycles=20000 -s workload.cycles=5000 -s workload.load=3 >out 2>err
[ $? -eq 1 ] && head -n 1 err | grep -q '^weft: deadlock: ' && [ ! -s out ]
say $? "a deadlock is reported as before"

# ---- keys ----

"$weft" keys -m dragonfly machine.routing >out 2>err && [ ! -s err ] && [ "$(head -n 1 out)" = "key                                    value            unit" ] &&
    grep -q '^machine.routing.algorithm              ugal\*$' out && grep -q '^machine.routing.bias_words             4\*               words$' out &&
    [ "$(grep -c '^[a-z]*\.' out)" -eq "$(grep -c '^machine\.routing\.' out)" ] && grep -q '\[minimal,' out &&
    [ "$(tail -n 1 out)" = "* by dragonfly; the others are defaults of all machines" ]
say $? "keys -m: those that begin so, with the machine's values"
"$weft" keys -m bluegene-l workload. >out && grep -q '^workload.packet_bytes                  256\*             B$' out &&
    grep -q '^workload.load                          0.5$' out && ! grep -q '^machine' out
say $? "keys -m: defaults that the machine decides"
printf 'base: bluegene-l\nrouter: {paths: 1}\n' >mine.yaml
"$weft" keys -m ./mine.yaml machine.router.paths | grep -q '^machine.router.paths                   1\*$' &&
    "$weft" keys machine.router.paths | grep -q '^machine.router.paths                   machine$'
say $? "keys: of an own machine, and of all"
{ "$weft" keys && "$weft" keys -m k-computer && "$weft" show k-computer && "$weft" show torus-pod && "$weft" help && "$weft" help mpirun; } >out &&
    ! sed '/^  [a-z].*  [0-9]/d' out | grep -n '.\{81\}' && ! grep -q ' $' out
say $? "keys, machines and help fit 80 columns, and no line ends with a blank"
# The example of the key and that of the page: a box, and nodes that are in it on machines of other sizes, too.
example=$("$weft" keys machine.tree.classes | grep -o '[^ ]*;nodes:[^ ,]*')
[ "$example" ] && grep -q "for example \`$example\`" "$WEFT_DATA/docs/machines/bluegene-l.md" &&
    "$weft" check -m bluegene-l -s machine.tree.classes="$example" -w ring >out 2>err &&
    "$weft" check -m bluegene-l -s machine.dims=16x16x16 -s machine.tree.classes="$example" -w ring >out 2>err
say $? "keys: the example of machine.tree.classes runs: $example $(cat err)"
refuses "weft: no key begins with 'machine.ruoter'; did you mean 'machine.router'?" keys machine.ruoter
refuses "weft: no key of ideal begins with 'machine.router'; leave it out to list all" keys -m ideal machine.router
refuses "weft: \`weft keys\` takes one beginning of keys; use one, or none" keys run workload
refuses "weft: machine 'idea' is not known; did you mean 'ideal'?" keys -m idea

# ---- names in the wrong place ----

refuses "weft: 'alltoall-512' is not a file, but the name of a study; use \`weft study run alltoall-512\`" run alltoall-512
refuses "weft: 'ideal' is not a file, but the name of a machine; use \`weft run -m ideal\`" run ideal
refuses "weft: 'uniform' is not a file, but the name of a pattern; use \`weft run -m MACHINE -w uniform\`" run uniform
: >empty.yaml
refuses "weft: machine 'empty' is not known; for the file here, write empty.yaml" run -m empty
refuses "weft: empty.yaml:1:1: a machine has a base, or a fabric and all its keys; add 'base: bluegene-l', or another machine that it is like" show empty.yaml
refuses "weft: empty.yaml:1:1: the study names no machine; add 'machine: bluegene-l'" run empty.yaml
refuses "weft: no command before '-m'; begin with one, as \`weft run\`; \`weft --help\` lists them" -m ideal
refuses "weft: unknown command '--versoin'; did you mean '--version'?" --versoin
refuses "weft: \`weft study\` has no 'lst'; did you mean 'list'?" study lst
refuses "weft: \`weft study\` alone does nothing; use weft study list, run NAME..., check [NAME...], record NAME... or report" study
refuses "weft: \`weft study run\` needs the name of a study; \`weft study list\` lists them" study run
refuses "weft: \`weft study list\` takes no names; use it alone" study list all

# ---- a narrow terminal ----

cat >terminal.py <<'P'
# terminal.py COLUMNS COMMAND...: what it prints on a terminal of that width
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 25, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
text = b""
try:
    while piece := os.read(fd, 65536):
        text += piece
except OSError: # its end
    pass
os.waitpid(pid, 0)
print(text.decode().replace("\r\n", "\n"), end="")
P
narrow="run -m k-computer -s machine.dims=2x2x2x2x3x2 -w uniform -s workload.as=packets -s workload.cycles=1000"
"$weft" $narrow -s machine.tni.engines=2 -s machine.router.io_order=xyz -s machine.tni.path=2 >out
python3 terminal.py 72 "$weft" $narrow -s machine.tni.engines=2 -s machine.router.io_order=xyz -s machine.tni.path=2 -j 1 2>&1 | sed 's/^.*\x1b\[K//' >shown
grep -q '.\{90\}' out && ! grep -q '.\{73\}' shown && python3 -c '
words = [open(name).read().split("  engine ")[0].split() for name in ("out", "shown")]
assert words[0] == words[1], words
lines = [line for line in open("shown") if line.startswith("               ")]
assert len(lines) >= 4 and not any(line.split()[0][0].isdigit() for line in lines[:1]), lines'
say $? "a summary is broken at the edge of a terminal, and stays whole in a pipe"
for command in machines "study list" "keys run" "show ideal" "help run"; do
    python3 terminal.py 64 "$weft" $command >shown && [ -s shown ] && ! sed '/^  [a-z].*  [0-9]/d' shown | grep -n '.\{65\}'
    say $? "$command: fits a narrow terminal"
done
"$weft" machines | grep -q '^bluegene-l .* (IBM, 2004)$'
say $? "machines: a line each in a pipe"

# ---- the study of the guide ----

python3 - "$WEFT_DATA/docs/guide.md" <<'P'
import re, sys
guide = open(sys.argv[1]).read()
section = guide[guide.index("### The file of a study"):]
open("mesh.yaml", "w").write(re.search(r"```yaml\n(.*?)```", section, re.S)[1])
open("printed", "w").write(re.search(r"```\n(throughput.*?)```", section, re.S)[1])
P
"$weft" study run ./mesh.yaml -q >out 2>err && [ ! -s err ] && sed -n '/^throughput/,/^ours-2/p' out | cmp - printed &&
    "$weft" study check ./mesh.yaml | tail -n 1 | grep -q '^verdicts: 2 ok, 0 missed$'
say $? "the study in the guide runs, and prints what is there"
sed -i 's/machine.wrap: false/machine.wrp: false/' mesh.yaml
"$weft" study run ./mesh.yaml >out 2>err
[ $? -eq 2 ] && [ "$(cat err)" = "weft: ./mesh.yaml:10:37: unknown key 'machine.wrp'; did you mean 'machine.wrap'?" ]
say $? "a wrong key in a study is told by its place"

printf 'machine: {name: ideal, nodes: 8}\nover: {workload.packet_bytes: ["32,64", 128], workload.load: "1, 2"}\n' >two.yaml
for part in smal:small curve:curves claim:claims ovr:over; do
    printf 'machine: {name: ideal, nodes: 8}\nover: {workload.load: "1, 2"}\n%s:\n  x: 1\n' "${part%:*}" >near.yaml
    refuses "weft: ./near.yaml:4:6: a study has no part '${part%:*}'; did you mean '${part#*:}'?" study run ./near.yaml
done
refuses "weft: ./two.yaml:2:62: 'over' has two keys; keep one, and make curves of the other" study run ./two.yaml
printf 'machine: {name: ideal, nodes: 8}\nworkload: uniform\nworkload.as: packets\nover: {workload.packet_bytes: ["32,64", 128]}\nsmall: {over: {workload.load: [0.1, 0.2, 0.3]}}\n' >list.yaml
"$weft" study run ./list.yaml -q | grep -c '^0\.[123] ' | grep -qx 3 && "$weft" study run ./list.yaml -q --full >out && grep -q '^32,64 ' out && grep -q '^128 ' out
say $? "over: lists, whose items may have commas; a size has its own"
[ "$(cut -d, -f1 weft-list.csv | tr '\n' ' ')" = "x 0 1 " ]
say $? "over: where one item is a word, all stand side by side"

cp "$WEFT_DATA/examples/heat.c" . && "$weft" mpicc -O2 -Wall -Wextra -Werror heat.c -o heat &&
    "$weft" mpirun -np 4 -m bluegene-l -q ./heat 1000 | grep -q '^4 ranks as 2 x 2, 1000 steps: the last changed 1.711e-04; ' &&
    "$weft" mpirun -np 4 -m ideal -q --trace heat.json ./heat 10 >out && "$weft" run -m ideal -s machine.nodes=4 -w replay -s workload.file=heat.ti -q
say $? "the guide's MPI program: the same figure as by any other MPI, and its trace"

cat >wide.yaml <<'Y'
machine: {name: ideal, nodes: 8}
workload: {pattern: uniform, as: packets, cycles: 1000}
curves: [{name: "λ ≤ 1"}, {name: "gegenüber", set: {workload.load: 0.3}}]
runs: [{name: "größer als je", x: 1}, {name: klein, x: 2}]
claims: [{id: a-long-name, of: "at(\"λ ≤ 1\", fraction_of_peak, 1)", above: 0}, {id: b, of: "at(\"λ ≤ 1\", fraction_of_peak, 2)", above: 0, says: words}]
Y
"$weft" study run ./wide.yaml -q >out && python3 -c '
lines = open("out").read().splitlines()
table = [line for line in lines if line.startswith((" ", "größer", "klein")) or "gegenüber" in line]
assert len(table) == 3 and len({len(line) for line in table}) == 1, table
claims = lines[next(i for i, line in enumerate(lines) if line.startswith("claim ")):]
assert len({line.index(">") for line in claims[1:3]}) == 1 and not any(line.endswith(" ") for line in claims), claims'
say $? "tables are aligned whatever their letters"

# ---- spellings ----

for spelling in neighbour neighbor; do
    "$weft" run -m bluegene-l -s machine.dims=4x4x4 -w $spelling -s workload.cycles=500 -q -o $spelling.json
    printf 'machine: {name: bluegene-l, dims: 4x4x4}\nworkload: {pattern: %s, cycles: 500}\n' $spelling >n.yaml
    "$weft" run n.yaml -q -o $spelling-file.json
    printf 'machine: {name: bluegene-l, dims: 4x4x4}\nworkload: {cycles: 500}\nworkloads:\n  - {pattern: %s, on: 0-63}\n' $spelling >n.yaml
    "$weft" run n.yaml -q -o $spelling-part.json
done
python3 -c '
import json
for way in "", "-file", "-part":
    a, b = (json.load(open(s + way + ".json")) for s in ("neighbour", "neighbor"))
    assert a["digest"] == b["digest"] and a["packets_delivered"] > 0
    assert way == "-part" or a["config"]["workload"]["pattern"] == b["config"]["workload"]["pattern"] == "neighbour"'
say $? "neighbor is neighbour: by -w, in a file, among several"

# ---- a long run is lost ----

long="run -m bluegene-l -s workload.packets_per_pair=100000"
"$weft" $long 2>err >out &
pid=$!
printf '#include <mpi.h>\nint main(int n, char **v) { for (MPI_Init(&n, &v);;) MPI_Barrier(MPI_COMM_WORLD); }\n' >ever.c
"$weft" mpicc ever.c -o ever
"$weft" mpirun -np 2 -m ideal ./ever 2>of_program >out & # whose ranks cannot be saved
program=$!
sleep 8
kill -INT $pid
wait $pid
[ $? -eq 1 ] && [ "$(sed 's/cycle [0-9]*;/cycle N;/' err)" = "weft: interrupted at cycle N; nothing was written; with --checkpoint FILE (--every 600: every ten minutes), \`weft resume FILE\` goes on from there" ]
say $? "a long run that is interrupted says what would have kept it"
kill -INT $program
wait $program
[ $? -eq 1 ] && grep -q '^weft: interrupted' of_program && ! grep -q checkpoint of_program
say $? "what cannot be kept says nothing of it"
"$weft" $long 2>err >out &
pid=$!
sleep 1
kill -TERM $pid
wait $pid
[ $? -eq 1 ] && ! grep -q checkpoint err && grep -q '^weft: interrupted' err
say $? "a short run says nothing of it"

echo "1..$number"
