#!/bin/sh
# weft run: study files, and where in them something is wrong. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/run_files.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

printf 'machine: bluegene-l\nworkload:\n  pattern: uniform\n  lod: 1\n' >s.yaml
refuses "weft: s.yaml:4:8: unknown key 'workload.lod'; did you mean 'workload.load'?" run s.yaml
printf 'workload: uniform\n' >s.yaml
refuses "weft: s.yaml:1:1: the study names no machine; add 'machine: bluegene-l'" run s.yaml
printf 'machine: bluegene-l\nworkload: {pattern: uniform\n' >s.yaml
refuses "weft: s.yaml:3:1: did not find expected ',' or '}'; fix the YAML" run s.yaml
# What does not fit together has a place too: that of the key that somebody changed.
printf 'machine: bluegene-l\nworkload: uniform\nrun: {bricks: 2x2}\n' >s.yaml
refuses "weft: s.yaml:3:15: run.bricks = '2x2' does not fit the machine; cut each of its 3 dimensions, as in 2x2x1, or use auto" run s.yaml
printf 'machine: {name: bluegene-l, node: {injection_fifo_bytes: 512,\n  injection_watermark_bytes: 1024}}\n' >s.yaml
refuses "weft: s.yaml:2:30: machine.node.injection_watermark_bytes = 1024 is never reached; use at most machine.node.injection_fifo_bytes, 512" run s.yaml
refuses "weft: -s machine.node.reception_watermark_bytes=500: machine.node.reception_watermark_bytes = 500 is not made of whole chunks; use a multiple of 32" \
    run -m bluegene-l -s machine.node.reception_watermark_bytes=500
refuses "weft: -s machine.node.consumer_mb_per_s=5: machine.node.consumer_mb_per_s is for packets, and this workload has messages; set it to 0" \
    run -m bluegene-l -w ring -s machine.node.consumer_mb_per_s=5
refuses "weft: -s machine.node.injection_fifo_bytes=100: machine.node.injection_fifo_bytes = 100 does not hold a packet; use at least 256, or 0 for an unbounded FIFO" \
    run -m bluegene-l -s machine.node.injection_fifo_bytes=100
refuses "weft: -s machine.node.reception_fifo_bytes=300: machine.node.reception_fifo_bytes = 300 is not made of whole chunks; use a multiple of 32" \
    run -m bluegene-l -s machine.node.reception_fifo_bytes=300
refuses "weft: -s machine.link.trailer_bytes=9: machine.link.trailer_bytes = 9: the link protocol has trailers of 4; use 4" \
    run -m bluegene-l -s machine.link.protocol=true -s machine.link.ack_bytes=8 -s machine.link.trailer_bytes=9
"$weft" run -m sc5832 -w uniform -s machine.graph=kautz:2:2 -s workload.cycles=500 -q -o rg.json # which sets all keys
refuses "weft: -s machine.dead_nodes=1,2,3: machine.graph has no route from node 4 to node 0; use a graph in which every node reaches every other, or fewer machine.dead_nodes and machine.dead_links" \
    run rg.json -s machine.dead_nodes=1,2,3
printf 'machine: bluegene-l\ncurves:\n  - {name: a}\n' >many.yaml
refuses "weft: many.yaml:3:12: a study of several runs; use \`weft study run many.yaml\`, or \`weft sweep\`" run many.yaml

echo "1..$number"
