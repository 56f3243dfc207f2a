#!/bin/bash
# The Python module: its unit tests, its examples, and that pip installs it without a network. Prints TAP.
#
#   tests/python/run.sh build/weft
set -u
. "$(dirname "$0")/../tap.sh"
tree=$WEFT_DATA
unset WEFT_DATA PYTHONPATH PYTHONHOME VIRTUAL_ENV
export WEFT=$weft PYTHONDONTWRITEBYTECODE=1
WEFT_LIBRARY=$(dirname "$weft")/libweft.so.0
export WEFT_LIBRARY

command -v python3 >/dev/null || { echo "ok 1 - the Python module # SKIP no python3"; exit 0; }

skip() { # WHY NAME
    number=$((number + 1))
    echo "ok $number - $2 # SKIP $1"
}

# suite PYTHON [PATTERN]: the unit tests' lines, counted on
suite() {
    PYTHONPATH=$tree/python "$1" "$tree/tests/python/tap.py" "${@:2}" >lines
    local code=$?
    while IFS= read -r line; do
        case $line in
        1..*) ;;
        "ok "* | "not ok "*) number=$((number + 1)) && echo "${line%%ok *}ok $number - ${line#* - }" ;;
        *) echo "$line" ;;
        esac
    done <lines
    grep -q '^not ok ' lines || [ $code -eq 0 ] || say 1 "$1 ends well"
}

# The first Python of the PATH that has pandas: it may be Debian's, after the user's own.
with_pandas() {
    hash -r # of those that it remembers, the shell lists only one
    for python in $(type -aP python3); do
        "$python" -c 'import pandas' 2>/dev/null && echo "$python" && return
    done
    return 1
}

suite python3
if pandas=$(with_pandas); then
    [ "$pandas" = "$(type -P python3)" ] || suite "$pandas" 'test_result.py'
else
    skip "no pandas" "frames"
    pandas=python3
fi

# ---- examples ----

for example in "$tree"/examples/*.py; do
    PYTHONPATH=$tree/python MPLBACKEND=Agg "$pandas" "$example" >said 2>&1
    code=$?
    [ $code -eq 0 ] || sed 's/^/# /' said
    say $code "examples/${example##*/} runs"
    wanted=$(sed -n 's/^\(# \)\{0,1\}prints: //p' "$example")
    [ -n "$wanted" ] && grep -qxF -- "$wanted" said
    say $? "... and prints what it says: $wanted"
done

# ---- pip, in an environment of its own, without a network ----

if python3 -m venv environment >said 2>&1; then
    their=$folder/environment/bin
    pip() { "$their/pip" --disable-pip-version-check "$@" >said 2>&1 || { sed 's/^/# /' said; false; }; }
    check() { # NAME PLACE: the module there runs, on its own
        (cd / && env -u WEFT_LIBRARY "$their/python" -c 'import weft
print(weft.__file__, weft.run("ideal", set={"machine.nodes": 8}).digest)') >said 2>&1
        grep -q "^$2/weft/__init__.py [0-9a-f]\{16\}$" said
        say $? "$1"
    }
    site=$("$their/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    for source in python .; do
        pip install --no-index "$tree/$source"
        say $? "pip install ./$source, without a network"
        # All that it needs is inside: neither the tree nor the build folder is asked for.
        check "... which works from elsewhere" "$site"
        pip uninstall -y weft
        say $? "... and can be uninstalled"
        [ -z "$(find "$site" -name 'weft*')" ]
        say $? "... without a trace"
    done
    # A tree whose library cannot be built.
    mkdir -p copy/include tools && cp -r "$tree/python" "$tree/LICENSE" copy && cp "$tree/include/weft.h" copy/include
    printf '#!/bin/sh\nexit 2\n' >tools/make && chmod +x tools/make
    (unset WEFT_LIBRARY && PATH=$folder/tools:$PATH pip install --no-index ./copy/python >tried)
    grep -q "weft: libweft cannot be built; run \`make\` in $folder/copy, which says why" tried
    say $? "a library that cannot be built is told of"
    (WEFT_LIBRARY=/nowhere pip install --no-index ./copy/python >tried)
    grep -q "weft: WEFT_LIBRARY=/nowhere: no such file" tried
    say $? "so is one that is not there"
    pip install --no-index -e "$tree/python"
    say $? "pip install -e ./python"
    if [ "$(dirname "$weft")" = "$tree/build" ]; then
        check "... which is the tree's" "$tree/python"
    else
        skip "another build folder" "... which is the tree's"
    fi
else
    skip "no python3-venv" "pip install ./python"
fi
echo "1..$number"
