# Sourced by the tests of commands, after tests/tap.sh.

# The digest of a result.
digest() { sed -n 's/^ *"digest": "\(.*\)",/\1/p' "$1"; }

# judges CODE WORDS ARGS...: exit 0 (proved) or 1 (doubted), and these words
judged=bluegene-l
judges() {
    expected=$1 words=$2
    shift 2
    "$weft" check -m $judged "$@" >out 2>err
    code=$?
    [ "$code" -eq "$expected" ] && grep -q "$words" out && [ ! -s err ]
    verdict=$?
    [ "$verdict" -eq 0 ] || { echo "# weft check $*: exit $code"; sed 's/^/# /' out err; }
    say "$verdict" "check: $words: $*"
}

# small.yaml: a study of two runs, one of whose claims is missed
small_study() {
    cat >small.yaml <<'S'
title: Small
machine: bluegene-l
workload: {pattern: alltoall}
runs:
  - {name: one, x: 1, set: {machine.dims: 2x2x2}}
  - {name: two, x: 2, set: {machine.dims: 2x2x1}}
plot: {metric: fraction_of_peak, x: size, y: share}
claims:
  - {id: X1, says: half, of: "at(Weft, fraction_of_peak, 1)", value: 0.5, tolerance: 0.5}
  - {id: X2, says: nine, of: "at(Weft, fraction_of_peak, 2)", value: 9, tolerance: 0.1}
S
}
