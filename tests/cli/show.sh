#!/bin/sh
# weft show, weft machines, and machine files. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/show.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

"$weft" show bluegene-l -s machine.dims=64x32x32 >out 2>err
[ $? -eq 0 ] && grep -q 'all-to-all at peak     66.7 % of all links busy, 59.3 % with payload' out
say $? "show prints the peak of an asymmetric machine"
"$weft" show bluegene-l | grep -q 'zero-load hop          16 cycles = 91.4 ns'
say $? "show prints the time of a hop"
[ "$("$weft" machines | cut -d' ' -f1 | tr '\n' ' ')" = "bluegene-l bluegene-l-sim2003 bluegene-p dragonfly fat-tree ideal k-computer sc5832 torus-pod " ]
say $? "machines lists all of them"
printf 'fabric: torus\nnic: tni\n' >odd.yaml
refuses "weft: odd.yaml:2:6: fabric torus has no nic 'tni': its engines choose among the paths of Tofu; use 'nic: fifo' or 'nic: dma'" show odd.yaml
printf 'base: bluegene-l\nnic: dma\n' >odd.yaml
refuses "weft: odd.yaml:1:7: a machine with a base has the nic of its base; remove 'base' or 'nic'" show odd.yaml
refuses "weft: -s machine.node.injection_fifo_bytes=0: machine.node.injection_fifo_bytes = 0: the FIFOs that a DMA engine fills are bounded; use a multiple of 32, at least 256" \
    run -m bluegene-p -s machine.node.injection_fifo_bytes=0
refuses "weft: -s machine.node.injection_choice=direction: packets cannot choose among unbounded injection FIFOs; use machine.node.injection_choice=turn, or give machine.node.injection_fifo_bytes" \
    run -m bluegene-l-sim2003 -s machine.node.injection_choice=direction
printf 'base: sc5832\nfabric: torus\n' >mine.yaml
refuses "weft: ./mine.yaml:1:7: a machine with a base has the fabric of its base; remove 'base' or 'fabric'" run -m ./mine.yaml
printf 'base: ./mine.yaml\n' >mine.yaml
refuses "weft: ./mine.yaml:1:7: more than 8 machine files are each other's base; give one of them a fabric and all keys" run -m ./mine.yaml
mkdir -p bases && printf 'base: other.yaml\n' >bases/mine.yaml && printf 'base: ideal\nlatency_ns: 5\n' >bases/other.yaml
"$weft" show bases/mine.yaml | grep -q 'latency_ns *5 '
say $? "a base is looked for beside the file that names it"
"$weft" run -m bluegene-l -w pingpong -s machine.dims=2x2x1 -s machine.software_header_bytes=0 -s workload.message_bytes=0 \
    -s machine.link.bit_error_rate=1e-4 -s workload.messages=100 --check -q
say $? "a packet has at least one chunk"
printf 'base: bluegene-l\nnode: {packet_read_cycles: {source: nowhere}}\n' >mine.yaml
refuses "weft: ./mine.yaml:2:37: 'machine.node.packet_read_cycles' has no value here; add 'value: ...' beside it" run -m ./mine.yaml
refuses "weft: -s machine.node.injection_choice=direction: the message layer chooses the injection FIFOs of its packets; use machine.node.injection_choice=turn" \
    run -m bluegene-l -w exchange -s machine.node.injection_choice=direction
printf 'base: sc5833\n' >mine.yaml
refuses "weft: ./mine.yaml:1:7: machine 'sc5833' is not known; did you mean 'sc5832'?" run -m ./mine.yaml
[ "$("$weft" show bluegene-l -s machine.link.mb_per_s=2.8Gb/s -s machine.router.request_cycles=90ns | awk '$1 ~ /link.mb_per_s|request_cycles/ {printf "%s ", $2}')" = "350 32 " ]
say $? "units: rates in bits, times that become cycles"
printf 'name: mine\nbase: bluegene-l\nlink: {mb_per_s: {value: 350, unit: MB/s, source: "an early plan"}, gap_bytes: 3}\n' >mine.yaml
"$weft" show ./mine.yaml >out 2>err
[ $? -eq 0 ] && grep -q "link.mb_per_s .*350.*an early plan" out && grep -q "link.gap_bytes *3 *B *$" out && grep -q "^mine, 8x8x8" out
say $? "a machine is its base but for what it says itself, its name for one"

printf 'name: fast\nbase: bluegene-l\nlink: {mb_per_s: {value: 1000, source: here}}\n' >mine.yaml
moved="a cycle is 1 ns, on bluegene-l 5.714 ns: delays given in cycles, as a hop's, moved with it; those given as times did not"
"$weft" show ./mine.yaml >out && sed -n '/^  clock/,/^$/p' out | tr -s ' \n' '  ' | grep -q "^ clock $moved" &&
    "$weft" run -m ./mine.yaml -w pingpong | grep -qxF "  clock        $moved" && ! "$weft" show bluegene-l | grep -q '^  clock'
say $? "that a cycle is not as long as on the machine's base is said"

printf 'name: "mine\\e[31m"\nbase: ideal\n' >mine.yaml
refuses "weft: ./mine.yaml:1:7: the text has a control character; remove it" show ./mine.yaml
"$weft" show "$(printf 'no\033[31m\302\233\377')" 2>err
[ $? -eq 2 ] && [ "$(cat err)" = "weft: machine 'no?[31m???' is not known; \`weft machines\` lists those available" ]
say $? "complaints hold no control characters, and nothing but UTF-8"

# Names of files and arguments are shown with '?' in place of control characters, and kept as they are in files.
odd=$(printf 'n\033[31mx \302\233\303\244')
tame='n?[31mx ??ä'
is_tame() { # NAME: the output of a command that exits with 0 or 1
    [ $? -le 1 ] && ! grep -q "$(printf '[\001-\010\013-\037]')" out err && grep -qF "$tame" out
    verdict=$?
    [ "$verdict" -eq 0 ] || cat -v out err | sed 's/^/# /'
    say "$verdict" "stdout has no control characters: $1"
}
"$weft" goal halo -n 8 -o "$odd.goal" >out 2>err && printf '2 0: 0 1 1\n0 3: 1\n1 2:\n' >"$odd.graph"
printf '0 init\n0 compute 1000\n0 finalize\n' >"$odd.ti"
echo '1 0 -1 100 50 -1 -1 50 200 -1 1 1 1 1 1 1 -1 -1' >"$odd.swf"
"$weft" run -m ideal -s machine.nodes=8 -w goal -s workload.file="$odd.goal" -o "$odd.json" >out 2>err
is_tame "run -w goal"
python3 -c 'import json, sys; assert json.load(open(sys.argv[1] + ".json"))["config"]["workload"]["file"] == sys.argv[1] + ".goal"' "$odd"
say $? "a result has a file's name as it is"
"$weft" run -m ideal -s machine.nodes=8 -w replay -s workload.file="$odd.ti" >out 2>err
is_tame "run -w replay"
"$weft" show dragonfly -s machine.graph="$odd.graph" >out 2>err
is_tame "show"
"$weft" jobs "$odd.swf" -m k-computer >out 2>err
is_tame "jobs"
"$weft" view "$odd.json" -o "$odd.html" >out 2>err
is_tame "view"
"$weft" sweep -m bluegene-l -s machine.dims=2x2x1 --over workload.packets_per_pair=1 --title "$odd" -o "$odd" >out 2>err
is_tame "sweep"
mkdir -p data/machines && cp "$WEFT_DATA/machines/ideal.yaml" "data/machines/$odd.yaml" && WEFT_DATA=data "$weft" machines >out 2>err
is_tame "machines"
"$weft" run -m ideal -s machine.nodes=8 -w goal -s workload.file="$odd.goal" -o - 2>out | python3 -c 'import json, sys; json.load(sys.stdin)' 2>err
is_tame "run -o -, which has its result there"

echo "1..$number"
