# Sourced by tests that print TAP, with the program as their first argument: an empty folder to work in, the project's
# data, say STATUS NAME, and refuses EXPECTED ARGS...
#
#   . "$(dirname "$0")/../tap.sh"
weft=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
WEFT_DATA=$(realpath "$here/../..")
export WEFT_DATA
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
number=0

say() { # STATUS NAME
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; fi
}

# refuses EXPECTED ARGS...: exit 2, exactly this line on stderr, nothing on stdout
refuses() {
    expected=$1
    shift
    "$weft" "$@" >out 2>err
    code=$?
    [ "$code" -eq 2 ] && [ "$(cat err)" = "$expected" ] && [ ! -s out ]
    verdict=$?
    [ "$verdict" -eq 0 ] || { echo "# weft $*: exit $code"; sed 's/^/# /' err; }
    say "$verdict" "refuses: $*"
}
