#!/bin/sh
# setup.sh on computers with various things missing: what it installs, what it says, how it ends.
# The computers are folders of stubs that stand for PATH, root and Debian's packages. Prints TAP.
set -u
source=$(realpath "$(dirname "$0")/../..")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
number=0

# stub NAME: a command of the computer, read from standard input
stub() {
    { echo '#!/bin/sh'; cat; } >"$dir/bin/$1"
    chmod +x "$dir/bin/$1"
}

# computer UID: with a shell, apt-get, and nothing installed. has/THING: what a package brings.
computer() {
    rm -rf "${dir:?}/bin" "$dir/has" "$dir/project" "$dir/log"
    mkdir -p "$dir/bin" "$dir/has" "$dir/project"
    cp "$source/setup.sh" "$dir/project"
    for tool in sh cat tr dirname uname env touch; do ln -s "$(command -v $tool)" "$dir/bin/$tool"; done
    echo "echo $1" | stub id
    stub apt-get <<'S'
echo "apt-get $*" >>"$DIR/log"
[ -e "$DIR/offline" ] && exit 100
[ "$1" = install ] || exit 0
for package; do [ ! -e "$DIR/lacks-$package" ] || exit 100; done
for package; do
    case $package in
    gcc) for name in cc gcc; do brings $name; done ;;
    libc6-dev) touch "$DIR/has/stdio.h" ;;
    libmetis-dev) touch "$DIR/has/metis.h" ;;
    meson | pkg-config | python3 | clang | chromium | gfortran | cmake) brings "$package" ;;
    chromium-driver) brings chromedriver ;;
    ninja-build) brings ninja ;;
    gnuplot-nox) brings gnuplot ;;
    openmpi-bin) brings mpirun ;;
    libyaml-dev) touch "$DIR/has/yaml-0.1" ;;
    libjansson-dev) touch "$DIR/has/jansson" ;;
    libhwloc-dev) touch "$DIR/has/hwloc" ;;
    zlib1g-dev) touch "$DIR/has/zlib" ;;
    libcmocka-dev) touch "$DIR/has/cmocka" ;;
    libopenmpi-dev) touch "$DIR/has/mpi-c" ;;
    libotf2-trace-dev) touch "$DIR/has/otf2.h" ;;
    libdw-dev) touch "$DIR/has/libdw" ;;
    python3-venv) touch "$DIR/has/ensurepip" ;;
    python3-pandas) touch "$DIR/has/pandas" ;;
    libclang-rt-dev) touch "$DIR/has/libclang_rt.fuzzer-$(uname -m).a" ;;
    esac
done
S
    stub brings <<'S'
cat >"$DIR/bin/$1" <<'T'
#!/bin/sh
case "${0##*/} $*" in
"pkg-config --exists "*) test -e "$DIR/has/$2" ;;
"cc -E"* | "gcc -E"*) read -r _ header && header=${header#<} && header=${header%>} && test -e "$DIR/has/${header##*/}" ;;
"clang -print-runtime-dir") echo "$DIR/has" ;;
"python3 -c "*) module=${2#*find_spec(\'} && test -e "$DIR/has/${module%%\'*}" ;;
"meson "*) echo "meson $*" >>"$DIR/log" ;;
esac
T
chmod +x "$DIR/bin/$1"
S
    ln -s "$(command -v chmod)" "$dir/bin/chmod"
    rm -f "$dir"/offline "$dir"/lacks-*
}

# installed PACKAGE...: on this computer, before we come
installed() { DIR="$dir" PATH="$dir/bin" "$dir/bin/apt-get" install "$@" && rm -f "$dir/log"; }
needed="gcc libc6-dev meson ninja-build pkg-config libyaml-dev libjansson-dev libhwloc-dev zlib1g-dev libmetis-dev"
useful="gnuplot-nox libopenmpi-dev openmpi-bin libotf2-trace-dev libdw-dev"
testing="python3 python3-venv python3-pandas libcmocka-dev clang libclang-rt-dev gfortran cmake"

# with_sudo CODE: of `sudo -n`: 0 without a password
with_sudo() {
    stub sudo <<S
[ "\$1" = -n ] && exit $1
echo sudo >>"\$DIR/log"
exec "\$@"
S
}

# says NAME CODE EXPECTED MODE: the exit code, and all that setup.sh prints
says() {
    number=$((number + 1))
    # shellcheck disable=SC2086  # no mode is no argument
    said=$(cd / && DIR="$dir" PATH="$dir/bin" CC='' "$dir/project/setup.sh" $4 </dev/null 2>&1)
    code=$?
    if [ $code -eq "$2" ] && [ "$said" = "$3" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        printf 'exit %d\n%s\n' $code "$said" | sed 's/^/# /'
    fi
}
# logs NAME EXPECTED: what was run
logs() {
    number=$((number + 1))
    if [ "$(cat "$dir/log" 2>/dev/null)" = "$2" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/# /' "$dir/log"
    fi
}
flags="-y -qq --no-install-recommends"
no_plots="setup: no gnuplot: no plots (Debian package gnuplot-nox)"
no_mpi="setup: no MPI: weft runs in one process (Debian package libopenmpi-dev)"
no_otf2="setup: no OTF2: traces of Score-P are refused (Debian package libotf2-trace-dev)"
no_lines="setup: no libdw: reports of failed programs name no lines (Debian package libdw-dev)"

# shellcheck disable=SC2086  # lists of packages, here and below
{
    computer 0
    installed $needed $useful
    says "what building needs is there: nothing is said" 0 "" build
    logs "... nor done" ""
    says "for tests the rest is installed" 0 "setup: installing $testing" ""
    logs "... and nothing else" "apt-get update -qq
apt-get install $flags $testing"
    says "all is there: nothing is said" 0 "" ""

    computer 0
    says "root, a bare computer: make installs what building needs, and says what that does without" 0 \
        "setup: installing $needed
$no_plots
$no_mpi
$no_otf2
$no_lines" build
    logs "... by apt-get" "apt-get update -qq
apt-get install $flags $needed"
    says "make test installs the rest" 0 "setup: installing $useful $testing" ""

    computer 0
    says "root, a bare computer: make test installs everything" 0 "setup: installing $needed $useful $testing" ""

    computer 0
    installed $needed $useful $testing
    says "tests of pages have a browser" 0 "setup: installing chromium chromium-driver" test
    logs "... and nothing else" "apt-get update -qq
apt-get install $flags chromium chromium-driver"
    says "... once" 0 "" test
    computer 1000
    installed $needed $useful $testing
    says "no browser: told" 0 "setup: no chromium: no tests of pages (Debian package chromium)
setup: no chromedriver: no tests of pages (Debian package chromium-driver)" test

    computer 1000
    installed $needed
    says "no root, no sudo: built with what is there" 0 "$no_plots
$no_mpi
$no_otf2
$no_lines" build
    says "... and tested" 0 "$no_plots
$no_mpi
$no_otf2
$no_lines
setup: no python3: no tests of the command line (Debian package python3)
setup: no ensurepip: no tests of pip (Debian package python3-venv)
setup: no pandas: no tests of frames (Debian package python3-pandas)
setup: no cmocka: no unit tests (Debian package libcmocka-dev)
setup: no clang: no fuzzing and no second compiler (Debian package clang)
setup: no libFuzzer: no fuzzing (Debian package libclang-rt-dev)
setup: no gfortran: no tests of MPI in Fortran (Debian package gfortran)
setup: no cmake: no tests of CMake (Debian package cmake)" ""
    logs "... without apt-get" ""

    computer 1000
    installed gcc libc6-dev meson ninja-build pkg-config libyaml-dev libjansson-dev libhwloc-dev zlib1g-dev $useful
    says "no root, no sudo, a library is missing: its package is named" 1 \
        "setup: Weft cannot be built: packages are missing; as root: apt-get install libmetis-dev" build
    with_sudo 1
    says "sudo that wants a password is not asked" 1 \
        "setup: Weft cannot be built: packages are missing; as root: apt-get install libmetis-dev" build
    with_sudo 0
    says "sudo without a password is used" 0 "setup: installing libmetis-dev" build
    logs "... as little as possible" "sudo
apt-get update -qq
sudo
apt-get install $flags libmetis-dev"

    computer 0
    touch "$dir/offline"
    says "packages cannot be had: told, and what is missing is named" 1 "setup: installing $needed
setup: apt-get failed
setup: Weft cannot be built: packages are missing; as root: apt-get install $needed" build
    computer 0
    installed $needed $useful
    touch "$dir/offline"
    says "packages that only tests want cannot be had: goes on without" 0 "setup: installing $testing
setup: apt-get failed
setup: no python3: no tests of the command line (Debian package python3)
setup: no ensurepip: no tests of pip (Debian package python3-venv)
setup: no pandas: no tests of frames (Debian package python3-pandas)
setup: no cmocka: no unit tests (Debian package libcmocka-dev)
setup: no clang: no fuzzing and no second compiler (Debian package clang)
setup: no libFuzzer: no fuzzing (Debian package libclang-rt-dev)
setup: no gfortran: no tests of MPI in Fortran (Debian package gfortran)
setup: no cmake: no tests of CMake (Debian package cmake)" ""

    computer 0
    installed $needed $testing gnuplot-nox libopenmpi-dev
    touch "$dir/lacks-libotf2-trace-dev"
    says "a package that the system does not have: the others are installed" 0 "setup: installing openmpi-bin libotf2-trace-dev libdw-dev
setup: apt-get failed: libotf2-trace-dev
$no_otf2" ""

    computer 1000
    rm "$dir/bin/apt-get"
    says "no Debian system: told what is missing" 1 \
        "setup: Weft cannot be built: packages are missing; as root: apt-get install $needed" build

    # What was set up without MPI is set up again when MPI comes.
    computer 1000
    installed $needed gnuplot-nox libotf2-trace-dev libdw-dev
    mkdir "$dir/project/build" "$dir/project/build-asan"
    touch "$dir/project/build/build.ninja"
    says "a build folder without MPI" 0 "$no_mpi" build
    installed libopenmpi-dev openmpi-bin
    says "MPI comes" 0 "" build
    says "nothing comes" 0 "" build
    logs "... the folder is set up again, once" "meson setup --reconfigure build"
}
echo "1..$number"
