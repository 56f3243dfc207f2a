#!/bin/sh
# Runs `weft bench` and adds its rows to bench/results.csv under the commit that is checked out.
#
#   bench/record.sh [WEFT] [-j THREADS] [rows...]
set -eu
cd "$(dirname "$0")/.."
weft=build/weft
if [ $# -gt 0 ] && [ -x "$1" ]; then
    weft=$1
    shift
fi
commit=$(git rev-parse --short=10 HEAD)
git diff --quiet HEAD -- src || commit=$commit-dirty
result=$(mktemp)
trap 'rm -f "$result"' EXIT
"$weft" bench "$@" -o "$result"
python3 - "$result" "$commit" >>bench/results.csv <<'PYTHON'
import json, sys
bench, commit = json.load(open(sys.argv[1])), sys.argv[2]
for row in bench["rows"]:
    rate = row.get("mpi_messages", 0) / row["cpu_seconds"] / 1e6
    print(commit, bench["processor"].replace(",", ""), row["threads"], row["traffic"], row["dims"],
          "%.3f" % (row["packet_hops_per_cpu_second"] / 1e6),
          "%.3f" % (row["packet_hops"] / row["wall_seconds"] / 1e6),
          "%.3f" % row["simulated_us_per_wall_second"], "%.0f" % row["bytes_per_node"],
          "%.3f M messages per CPU second" % rate if rate else "", sep=",")
PYTHON
echo "added to bench/results.csv as $commit"
