#!/bin/sh
# weft --help, weft keys, weft --version. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/help.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

"$weft" study list | grep -q '^alltoall-512 '
say $? "study list lists the first study"
"$weft" keys | grep -q '^workload.load '
say $? "keys lists the keys"
[ "$("$weft" --version)" = "weft 0.2.0" ]
say $? "version"
commands="run mpirun jobs goal mpicc mpicxx mpif90 resume sweep view compare study check bench machines show keys help version"
[ "$("$weft" --help | sed -n 's/^  weft \([a-z0-9]*\).*/\1/p' | tr '\n' ' ')" = "$commands " ]
say $? "--help has every command"
{
    "$weft" --help
    for command in $commands; do "$weft" $command --help; done
    "$weft" keys
    for machine in bluegene-l ideal k-computer sc5832; do "$weft" show $machine; done
} >out 2>err && [ ! -s err ] && [ "$(wc -l <out)" -gt 300 ] && ! grep -n '.\{101\}' out
say $? "help, keys and machines fit 100 columns"
"$weft" run -m bluegene-l --help >out && "$weft" run -h | cmp -s - out && grep -q '^  -m MACHINE  *the machine: ' out &&
    grep -q '^  --every SECONDS ' out && ! grep -q -e --over out
say $? "a command's help has its own options"
refuses "weft: unknown command 'fly'; \`weft --help\` lists them" fly --help
"$weft" keys | sed -n '/^machine.link.protocol /{N;p;q;}' | tail -n 1 | grep -q '^ \{4\}[^ ]'
say $? "keys: a long meaning continues under its column"

[ "$("$weft" --complete run -s workload.pattern=t | sort -u | tr '\n' ' ')" = "workload.pattern=tornado workload.pattern=transpose " ] &&
    [ "$("$weft" --complete run -s workload.hot_d | sort -u)" = workload.hot_dims= ]
say $? "keys are completed, those that a pattern owns too"
echo "1..$number"
