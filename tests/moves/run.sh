#!/bin/sh
# Every parameter moves something: a list for each machine has, for each key of its file, another value and a run whose
# result differs with it. A key that is not listed, or that changes nothing, is a failure. Prints TAP.
#
#   tests/moves/run.sh WEFT [MACHINE...]
#
# A line of a list: KEY=VALUE : arguments of `weft run`.
set -u
. "$(dirname "$0")/../tap.sh"
shift

# What was computed: everything but the configuration and the engine's own figures.
result() { # ARGUMENTS...
    rm -f r.json
    "$weft" run "$@" -q -j 1 -o r.json 2>err # a run whose CRCs differ has a result, too
    [ -e r.json ] || return 1
    sed '/^  "config": {$/,$d' r.json
}

"$weft" mpicc --count -o exchange "$here/exchange.c"
"$weft" mpicc -o store "$here/store.c"
"$weft" mpicc --count -o classes "$here/../cli/classes.c"
for machine in ${*:-bluegene-l sc5832 k-computer ideal}; do
    for key in $("$weft" show "$machine" | grep -oE '^  machine\.[a-z_.]+'); do
        grep -q "^$key=" "$here/$machine.txt" || say 1 "$machine: $key is listed"
    done
    while IFS= read -r line; do
        setting=${line%% : *}
        # shellcheck disable=SC2086
        result -m "$machine" ${line#* : } >without || sed 's/^/# /' err
        # shellcheck disable=SC2086
        result -m "$machine" ${line#* : } -s "$setting" >with || sed 's/^/# /' err
        [ -s with ] && [ -s without ] && ! cmp -s with without
        say $? "$machine: $setting moves something"
    done <"$here/$machine.txt"
done
echo "1..$number"
