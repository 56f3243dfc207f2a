#!/bin/bash
# The installation: what `make install` puts where, and that it works from there alone, whatever
# folder a host is in and wherever the whole is moved. Prints TAP.
#
#   tests/install/run.sh WEFT     builds in build-install, which stays, and installs below it. It starts from a copy of
#                                 WEFT's folder: only what knows the prefix is compiled again.
set -u
weft_build=$(dirname "$(realpath "$1")")
source=$(realpath "$(dirname "$0")/../..")
cd "$source" || exit 1
unset WEFT_DATA WEFT_LIBRARY DESTDIR PKG_CONFIG_PATH LD_LIBRARY_PATH
export PYTHONDONTWRITEBYTECODE=1
build=$source/build-install
prefix=$build/prefix
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
number=0

say() { # CODE NAME
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; fi
}

# same WORDS EXPECTED NAME
same() {
    [ "$1" = "$2" ]
    local code=$?
    [ $code -eq 0 ] || { echo "# expected:"; echo "$2" | sed 's/^/#   /'; echo "# came:"; echo "$1" | sed 's/^/#   /'; }
    say $code "$3"
}

# A folder that was copied is set up for its new place; its objects are up to date.
copy_build() {
    rm -rf "$build" && cp -a "$1" "$build" && rm -rf "$build/meson-private/cmd_line.txt.lock" &&
        meson setup --reconfigure "$build" -Dtests=disabled >"$dir/log" 2>&1
}
[ -f "$build/build.ninja" ] || copy_build "$weft_build" || sed 's/^/# /' "$dir/log"
rm -rf "$prefix" "$build/moved"
make --no-print-directory install BUILD=build-install PREFIX="$prefix" >"$dir/installed" 2>&1
say $? "make install PREFIX=..."
[ -d "$prefix" ] || sed 's/^/# /' "$dir/installed"
lib=$prefix/lib
export PKG_CONFIG_PATH=$lib/pkgconfig

same "$(cd "$prefix" && find . -type f -o -type l | grep -v '^./share/weft/\|^./lib/python3/dist-packages/weft/\|/mpi[_a-z0-9]*.mod$' | sort)" "$(cat <<'E'
./bin/weft
./include/weft.h
./include/weft_program.h
./lib/libweft.a
./lib/libweft.so
./lib/libweft.so.0
./lib/libweft.so.0.2.0
./lib/pkgconfig/weft.pc
./lib/weft/mpi/bin/mpiCC
./lib/weft/mpi/bin/mpic++
./lib/weft/mpi/bin/mpicc
./lib/weft/mpi/bin/mpicxx
./lib/weft/mpi/bin/mpiexec
./lib/weft/mpi/bin/mpif77
./lib/weft/mpi/bin/mpif90
./lib/weft/mpi/bin/mpifort
./lib/weft/mpi/bin/mpirun
./lib/weft/mpi/include/mpi.f90
./lib/weft/mpi/include/mpi.h
./lib/weft/mpi/include/mpif.h
./lib/weft/mpi/lib/libmpi.so
./lib/weft/mpi/lib/libmpi_abi.so
./lib/weft/mpi/lib/libmpi_abi.so.1
./lib/weft/mpi/lib/libmpi_abi.so.1.0
./lib/weft/mpi/lib/pkgconfig/mpi.pc
./lib/weft/mpi/lib/pkgconfig/ompi-c.pc
./lib/weft/mpi/lib/pkgconfig/ompi-cxx.pc
./lib/weft/mpi/lib/pkgconfig/ompi-fort.pc
./lib/weft/mpi/programs/collective
./lib/weft/mpi/programs/exchange
./lib/weft/mpi/programs/fft_slabs
./lib/weft/mpi/programs/fft_volume
./lib/weft/mpi/programs/grid
./lib/weft/mpi/programs/pingpong
./share/bash-completion/completions/weft
./share/man/man1/weft.1
./share/zsh/site-functions/_weft
E
)" "it installs these files"
for folder in machines studies claims; do
    diff -r "$source/$folder" "$prefix/share/weft/$folder" >"$dir/log" 2>&1
    say $? "$folder are installed as they are"
done
same "$(cd "$prefix/share/weft/view" && ls)" "$(printf 'LICENSE.three\nbundle.js\npage.html\nstyle.css')" "so is what pages are made of"
(cd "$dir" && "$prefix/bin/weft" run -m ideal -s machine.nodes=4 -q -o r.json && "$prefix/bin/weft" view r.json >/dev/null && grep -q '"digest"' r.html)
say $? "an installed program makes pages"

diff -r -x __pycache__ python/weft "$prefix/lib/python3/dist-packages/weft" >"$dir/log" 2>&1
say $? "so is the Python module"

# ---- what the libraries show ----

declared=$(sed -n 's/^WEFT_API .*\b\(weft_[a-z_]*\)(.*/\1/p' include/weft.h | sort)
same "$(nm -D --defined-only "$lib/libweft.so" | awk '{print $3}' | sort)" "$declared" "libweft.so shows the functions of weft.h alone"
same "$(nm -g --defined-only "$lib/libweft.a" | awk 'NF == 3 {print $3}' | sort)" "$declared" "so does libweft.a"
same "$(readelf -d "$lib/libweft.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" libweft.so.0 "the SONAME is libweft.so.0"
# A library neither ends its host nor speaks, nor handles signals, nor changes what belongs to the process. Only a program that it
# runs as ranks may have children, and signal or become them (src/posix/children.c).
asked="fork|kill|execve|execvpe|signal"
same "$(nm -D --undefined-only "$lib/libweft.so" | awk '{print $2}' | sed 's/@.*//' | grep -vxE "$asked" |
    grep -xE '_?exit|quick_exit|fork|vfork|system|popen|exec.*|kill|raise|signal|sig.*|alarm|setitimer|umask|chdir|setenv|putenv|setlocale|srand|perror|puts|putchar|v?printf|stdout|stderr|MPI_.*')" \
    "" "libweft.so calls nothing that ends, signals or speaks for its host"

# ---- hosts ----

# What examples/embed.c prints, the same on every computer.
expected() { # MACHINE
    case $1 in
    ideal) echo "63 workers, 252 answers, 215.43 us each on average" ;;
    bluegene-l) echo "63 workers, 252 answers, 311.18 us each on average" ;;
    sc5832) echo "35 workers, 140 answers, 99.41 us each on average" ;;
    esac
}
settings() { # MACHINE
    case $1 in
    ideal) echo machine.nodes=64 ;;
    bluegene-l) echo machine.dims=4x4x4 ;;
    sc5832) echo machine.graph=kautz:3:3 ;;
    esac
}
# hosts HOW COMMAND...: the example, on all machines, from a folder of its own
hosts() {
    local how=$1
    shift
    mkdir -p "$dir/elsewhere"
    for machine in ideal bluegene-l sc5832; do
        same "$(cd "$dir/elsewhere" && "$@" $machine "$(settings $machine)" 2>&1)" "$(expected $machine)" "$how: $machine"
    done
}

cp examples/embed.c "$dir"
# shellcheck disable=SC2046
(cd "$dir" && cc -Wall -Wextra -Werror embed.c $(pkg-config --cflags --libs weft) -o embed) 2>"$dir/log"
say $? "a host is built as its first lines say"
sed 's/^/# /' "$dir/log"
LD_LIBRARY_PATH=$lib hosts "a host with libweft.so" "$dir/embed"
# shellcheck disable=SC2046
(cd "$dir" && cc embed.c $(pkg-config --cflags --libs weft) -Wl,-rpath,"$lib" -o embed-rpath) && hosts "a host that knows where it is" "$dir/embed-rpath"

# A program for simulated nodes, on every machine.
cp examples/ring.c "$dir"
# shellcheck disable=SC2046
(cd "$dir" && cc -shared -fPIC -Wall -Wextra -Werror -o ring.so ring.c $(pkg-config --cflags weft)) 2>"$dir/log"
say $? "a program is built as its first lines say"
sed 's/^/# /' "$dir/log"
for machine in ideal bluegene-l sc5832; do
    same "$(cd "$dir" && "$prefix/bin/weft" run -q -m $machine -s "$(settings $machine)" -s workload.processes=8 -p ./ring.so 2>&1 |
        sed 's/, [0-9.]* us$//')" "8 processes, sum 28" "a program runs on $machine"
done

cp examples/packets.c "$dir"
# shellcheck disable=SC2046
(cd "$dir" && cc -shared -fPIC -Wall -Wextra -Werror -o packets.so packets.c $(pkg-config --cflags weft) &&
    "$prefix/bin/weft" run -q -m bluegene-l -s machine.dims=2x2x2 -p ./packets.so) >"$dir/log" 2>&1
say $? "a program that sends single packets runs as its first lines say"

# The archive alone: the linker would take the shared object.
cp -r "$prefix" "$dir/archive" && rm "$dir"/archive/lib/libweft.so*
# shellcheck disable=SC2046
(cd "$dir" && export PKG_CONFIG_PATH="$dir/archive/lib/pkgconfig" &&
    cc embed.c $(pkg-config --define-variable=prefix="$dir/archive" --static --cflags --libs weft) -o embed-static) 2>"$dir/log"
say $? "a host is built with the archive by pkg-config --static"
sed 's/^/# /' "$dir/log"
! ldd "$dir/embed-static" | grep -q libweft
say $? "which needs no libweft.so"
hosts "a host with libweft.a" "$dir/embed-static"

# Memory that runs out, wherever, is a status; the host goes on and its standard error stays its own.
# shellcheck disable=SC2046
cc -Wall -Wextra -Werror tests/install/memory.c $(pkg-config --cflags --libs weft) -Wl,-rpath,"$lib" -o "$dir/memory" 2>&1 | sed 's/^/# /'
starve() { # MACHINE SETTING
    for limit in 16000 20000 26000 34000 44000 56000 70000 100000; do
        (ulimit -v $limit && exec "$dir/memory" "$1" "$2" >>"$dir/said" 2>"$dir/err") && [ ! -s "$dir/err" ] ||
            { echo "# ulimit -v $limit: code $?"; return 1; }
    done
    grep -q '^\(start\|inject\|advance\): 2 out of memory' "$dir/said"
}
for machine in ideal bluegene-l sc5832; do
    : >"$dir/said"
    starve $machine "$(settings $machine)"
    say $? "a host that runs out of memory gets a status: $machine"
done

# A C++ host.
if command -v c++ >/dev/null; then
    printf '#include <weft.h>\n#include <cstdio>\nint main() { return std::puts(weft_version()) < 0; }\n' >"$dir/host.cc"
    # shellcheck disable=SC2046
    (cd "$dir" && c++ -Wall -Wextra -Wpedantic -Werror host.cc $(pkg-config --cflags --libs weft) -o host) 2>"$dir/log"
    same "$(LD_LIBRARY_PATH=$lib "$dir/host" 2>&1)" "$(pkg-config --modversion weft)" "a host in C++ compiles and runs"
else
    echo "ok $((number += 1)) - a host in C++ compiles and runs # SKIP no C++ compiler"
fi

# ---- the program ----

run_elsewhere() { (cd "$dir/elsewhere" && "$@"); }
run_elsewhere "$prefix/bin/weft" run -m ideal -q >"$dir/log" 2>&1 && [ ! -s "$dir/log" ]
say $? "the program runs from another folder"
same "$(run_elsewhere "$prefix/bin/weft" --version)" "weft $(pkg-config --modversion weft)" "program and weft.pc are of one version"
ln -s "$prefix/bin/weft" "$dir/a-link"
run_elsewhere "$dir/a-link" run -m ideal -q
say $? "the program finds its data through a link"

# ---- MPI ----

printf '#include <mpi.h>\nint main(void)\n{\n    MPI_Init(0, 0);\n    return MPI_Finalize();\n}\n' >"$dir/elsewhere/nothing.c"
# mpi PREFIX: what mpicc there makes runs by mpirun there
# shellcheck disable=SC2046
mpi() {
    local bin=$1/lib/weft/mpi/bin
    run_elsewhere "$bin/mpicc" -o nothing nothing.c && run_elsewhere "$bin/mpiexec" -n 2 ./nothing &&
        (PATH=$bin:$PATH && cd "$dir/elsewhere" && mpicc -c nothing.c && mpicc -o nothing nothing.o && mpirun -n 2 ./nothing) &&
        [ "$("$bin/mpicc" -showme:incdirs)" = "$1/lib/weft/mpi/include" ] &&
        (cd "$dir/elsewhere" && export PKG_CONFIG_PATH=$1/lib/weft/mpi/lib/pkgconfig &&
            cc -pie nothing.c $(pkg-config --cflags --libs ompi-c) -o nothing && "$bin/mpirun" -n 2 ./nothing)
}
mpi "$prefix"
say $? "mpicc and mpirun"
same "$(cd "$lib/weft/mpi/bin" && readlink -- * | sort -u)" ../../../../bin/weft "which are links to weft that can be moved"

# ---- the Python module ----

# module PREFIX: runs as a new user would do it, and says which library it took
module() {
    (cd "$dir/elsewhere" && PYTHONPATH=$1/lib/python3/dist-packages python3 -c '
import weft
print(weft.libweft.find(), weft.run("ideal", "uniform").digest)' 2>&1)
}
digest=$(run_elsewhere "$prefix/bin/weft" run -m ideal -w uniform | sed -n 's/ *digest *//p')
same "$(module "$prefix")" "$lib/libweft.so.0 $digest" "the Python module finds its library, and the program's result"
same "$(pkg-config --variable=pythondir weft)" "$prefix/lib/python3/dist-packages" "weft.pc knows where it is"
grep -q "^Python module: $prefix/lib/python3/dist-packages " "$dir/installed"
say $? "make install says so"

# ---- the manual ----

manual=$prefix/share/man/man1/weft.1
if command -v groff >/dev/null; then
    same "$(groff -man -ww -Tutf8 "$manual" 2>&1 >/dev/null)" "" "groff takes the manual page without a warning"
else
    echo "ok $((number += 1)) - groff takes the manual page without a warning # SKIP no groff"
fi
if command -v mandoc >/dev/null; then
    same "$(mandoc -Tlint -Wwarning "$manual" | grep -v 'missing date')" "" "so does mandoc"
else
    echo "ok $((number += 1)) - so does mandoc # SKIP no mandoc"
fi
same "$(sed -n 's/^\.SS weft //p' "$manual")" "$("$prefix/bin/weft" --help | sed -n 's/^  weft \([a-z0-9]*\).*/\1/p')" \
    "the manual has every command"
missing=$("$prefix/bin/weft" --help | grep -oE '[[ ]--?[a-z][a-z-]*' | tr -d '[ ' | sort -u | while read -r option; do
    [ "$option" = --help ] || grep -qF "\\fB$(echo "$option" | sed 's/-/\\-/g')\\fR" "$manual" || echo "$option"
done)
same "$missing" "" "the manual has every option"

# ---- completion ----

# completes EXPECTED WORD...: what the last word can become; words as bash cuts them, at = too
completes() {
    local expected=$1
    shift
    # shellcheck disable=SC2016
    same "$(cd "$dir/elsewhere" && bash -c '
        source "$0/share/bash-completion/completions/weft"
        COMP_WORDS=("$0/bin/weft" "$@") COMP_CWORD=$# COMP_LINE="${COMP_WORDS[*]}"
        COMP_LINE=${COMP_LINE// = /=} COMP_LINE=${COMP_LINE// =/=}
        _weft && echo "${COMPREPLY[*]}"' "$prefix" "$@" 2>&1)" "$expected" "completion: weft $*"
}
completes "machines" mach
completes "bluegene-l bluegene-l-sim2003 bluegene-p dragonfly fat-tree ideal k-computer sc5832 torus-pod" run -m ""
completes "allgather allreduce alltoall" run -j 2 -w all
completes "workload.pattern=" run -s workload.pat
completes "tornado transpose" run -s workload.pattern = t
completes "false true" run -s machine.link.protocol =
completes "--check --checkpoint" run -m ideal --che
completes "check list record report run" study ""
completes "sc-allreduce" study run -j 2 sc-a
completes "sc5832" show s
completes "machine.routing.vc_rule machine.routing.via" keys -m dragonfly machine.routing.v
completes "mpicc mpicxx mpif90 mpirun" help mpi
completes "run.seed=" sweep --over run.se
completes "response_cycles.mean response_cycles.mean_95_half_width" sweep --metric response_cycles.me
completes "--find-saturation --full" sweep --f
completes "" run -o ""
if command -v zsh >/dev/null; then
    zsh -n completion/_weft
    say $? "zsh can read its completion"
else
    echo "ok $((number += 1)) - zsh can read its completion # SKIP no zsh"
fi

# ---- moved, and below another root ----

mv "$prefix" "$build/moved"
run_elsewhere "$build/moved/bin/weft" run -m ideal -q
say $? "a moved program finds the data beside it"
mpi "$build/moved"
say $? "so do moved mpicc and mpirun"
LD_LIBRARY_PATH=$build/moved/lib hosts "a moved libweft.so finds the data beside it" "$dir/embed"
same "$(module "$build/moved")" "$build/moved/lib/libweft.so.0 $digest" "so does a moved Python module"
ln -s "$build/moved/lib/libweft.so.0" "$dir/elsewhere/libweft.so.0"
LD_LIBRARY_PATH=$dir/elsewhere hosts "libweft.so through a link" "$dir/embed"
same "$(run_elsewhere "$dir/embed-static" ideal 2>&1)" \
    "$prefix/share/weft/machines: no such folder; set WEFT_DATA, or call weft_use_data(), to where Weft's machines/ and studies/ are" "a host with an archive whose data are gone is told so"
mv "$build/moved" "$prefix"
make --no-print-directory install BUILD=build-install PREFIX="$prefix" DESTDIR="$dir/root" >"$dir/log" 2>&1
say $? "make install DESTDIR=..."
same "$(cd "$dir/root$prefix" && find . | sort)" "$(cd "$prefix" && find . | sort)" "a package has the same files below its root"
cmp -s "$dir/root$prefix/lib/pkgconfig/weft.pc" "$lib/pkgconfig/weft.pc" && ! grep -q "$dir" "$dir/root$prefix/lib/pkgconfig/weft.pc"
say $? "which do not know of that root"
echo "1..$number"
