#!/bin/sh
# Results do not change: a list of configurations of every machine with the digest, the length and
# the hops that each had when it was recorded. Prints TAP.
#
#   tests/digests/run.sh WEFT            compare with tests/digests/digests.txt
#   tests/digests/run.sh WEFT quick      every fourth line of those that are not cut; rest: the others
#   tests/digests/run.sh WEFT brief      every eighth
#   tests/digests/run.sh WEFT record     print a new list (the commit must say why results changed)
#
# A line of the list: digest, cycles, packet-hops, and the arguments of `weft run`. Lines run on one and on
# two threads, four by four; what more threads do is in tests/matrix.
set -u
mode=${2:-compare}
. "$(dirname "$0")/../tap.sh"
cp "$WEFT_DATA/tests/fuzz/corpus/graph/irregular" irregular
cp "$WEFT_DATA/tests/matrix/matrix.txt" rates
cp "$WEFT_DATA/tests/matrix/file.txt" packets

field() { sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" r.json; }

# The figures of a run; of one that is to be cut, a checkpoint is taken on the way and gone on from.
measure() {
    rm -f r.json state
    case $1 in
    cut)
        shift
        # shellcheck disable=SC2086
        "$weft" run $* -q -o r.json --checkpoint state --every 0.2 2>/dev/null &
        while [ ! -e state ] && kill -0 $! 2>/dev/null; do sleep 0.02; done
        kill -INT $! 2>/dev/null
        wait $!
        [ -e r.json ] || "$weft" resume state -q
        ;;
    *)
        # shellcheck disable=SC2086
        "$weft" run $* -q -j $((1 + line / 4 % 2)) -o r.json
        ;;
    esac
    echo "$(field digest) $(field cycles) $(field packet_hops)"
}

# Whether a line is among those asked for.
asked() { # MODE LINE ARGUMENTS...
    case $1 in
    quick) [ $(($2 % 4)) -eq 1 ] && [ "$3" != cut ] ;;
    brief) [ $(($2 % 8)) -eq 5 ] && [ "$3" != cut ] ;;
    rest) ! asked quick "$2" "$3" ;;
    esac
}

line=0
while read -r digest cycles hops arguments; do
    case $digest in '#'* | '') [ "$mode" = record ] && echo "$digest $cycles $hops $arguments" | sed 's/ *$//'; continue ;; esac
    line=$((line + 1))
    # shellcheck disable=SC2086
    asked "$mode" $line $arguments || continue
    # shellcheck disable=SC2086
    found=$(measure $arguments 2>&1)
    if [ "$mode" = record ]; then
        echo "$found $arguments"
        continue
    fi
    [ "$found" = "$digest $cycles $hops" ] || echo "# found $found, not $digest $cycles $hops"
    [ "$found" = "$digest $cycles $hops" ]
    say $? "$arguments"
done <"$here/digests.txt"
[ "$mode" = record ] || echo "1..$number"
