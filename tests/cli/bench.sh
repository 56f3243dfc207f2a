#!/bin/sh
# weft bench, and options that a command does not have. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/bench.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

refuses "weft: \`weft run\` has no option --full; \`weft run --help\` lists the options" run -m bluegene-l --full
refuses "weft: \`weft run\` has no option --over; \`weft run --help\` lists the options" run -m bluegene-l --over run.seed=1,2
# Benchmarks: one row, its JSON, and no others.
refuses "weft: 'dark' is not a row of the benchmark; \`weft bench --help\` lists them" bench dark
refuses "weft: \`weft bench\` has no option -m; \`weft bench --help\` lists the options" bench -m bluegene-l
refuses "weft: \`weft show\` has no option -w; \`weft show --help\` lists the options" show ideal -w uniform
refuses "weft: \`weft sweep\` has no option --check; \`weft sweep --help\` lists the options" sweep -m ideal --check
refuses "weft: --repeat '0' is not a number of passes; use 1 to 1000" bench --repeat 0
refuses "weft: -j '1,,2' is not a number of threads; use 1 to 4096" bench -j 1,,2
refuses "weft: -j with a list is for \`weft bench\`; use one number" run -m bluegene-l -j 1,2
refuses "weft: \`weft study\` has no option --repeat; \`weft study --help\` lists the options" study list --repeat 2
"$weft" bench alltoall 8x8x8 -o bench.json >out 2>err && python3 - <<'PYTHON'
import json
bench = json.load(open("bench.json"))
row, = bench["rows"]
assert (row["traffic"], row["dims"], row["nodes"]) == ("alltoall", "8x8x8", 512)
assert row["packet_hops"] == 512 * 6 * 512  # mean distance 6 with itself at 0
assert row["packet_hops_per_cpu_second"] > 0 and row["simulated_us_per_wall_second"] > 0
assert row["threads"] == 1 and 2 < row["events_per_packet_hop"] < 4
assert bench["stages"] == []
PYTHON
say $? "bench: one row"
"$weft" bench alltoall 8x8x8 -j 2,1 --repeat 2 -o bench.json >out 2>err && python3 - <<'PYTHON'
import json
two, one = json.load(open("bench.json"))["rows"]
assert (two["threads"], one["threads"]) == (2, 1)
assert two["packet_hops"] == one["packet_hops"]
PYTHON
say $? "bench: two numbers of threads, two passes"

echo "1..$number"
