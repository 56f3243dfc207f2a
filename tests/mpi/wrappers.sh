#!/bin/bash
# The commands of lib/weft/mpi/bin, here those of the build folder: mpicc and its kin as make, configure scripts, CMake and
# Meson call them, and mpirun with what people type. Prints TAP.
#
#   tests/mpi/wrappers.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
mpi=$(dirname "$weft")/mpi
plain=$PATH
export PATH=$mpi/bin:$PATH
export OMPI_MCA_rmaps_base_oversubscribe=1
unset WEFT_CC WEFT_CXX WEFT_FC MPICH_CC OMPI_CC WEFT_MACHINE PKG_CONFIG_PATH CC CXX FC CFLAGS MPICC MPI_HOME
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# same WORDS EXPECTED NAME
same() {
    [ "$1" = "$2" ]
    local code=$?
    [ $code -eq 0 ] || { echo "# expected:"; echo "$2" | sed 's/^/#   /'; echo "# came:"; echo "$1" | sed 's/^/#   /'; }
    say $code "$3"
}

skip() { # NAME WHY
    echo "ok $((number += 1)) - $1 # SKIP $2"
}

cat >hello.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("%d of %d%s%s\n", rank, size, argc > 1 ? " " : "", argc > 1 ? argv[1] : "");
    if (getenv("SHOWN"))
        printf("%s\n", getenv("SHOWN"));
    if (argc > 2)
        MPI_Abort(MPI_COMM_WORLD, atoi(argv[2]));
    MPI_Finalize();
    return argc > 1 ? atoi(argv[1]) : 0;
}
C
cp hello.c hello.cc
printf 'program p\nuse mpi\ncall MPI_Init(i)\ncall MPI_Comm_rank(MPI_COMM_WORLD, n, i)\nprint "(i1,a)", n, " of 2"\ncall MPI_Finalize(i)\nend\n' >hello.f90
printf "      include 'mpif.h'\n      call MPI_Init(i)\n      call MPI_Comm_rank(MPI_COMM_WORLD, n, i)\n      print '(i1,a)', n, ' of 2'\n      call MPI_Finalize(i)\n      end\n" >old.f
two=$'0 of 2\n1 of 2'
languages=C
command -v c++ >/dev/null && languages="$languages CXX"
[ -f "$mpi/mpi.mod" ] && command -v gfortran >/dev/null && languages="$languages Fortran"
case $languages in *CXX*) cxx="5.0 " ;; *) cxx=" " ;; esac
case $languages in *Fortran) fortran="TRUE TRUE" ;; *) fortran=" " ;; esac
echo "# languages: $languages"

# ---- compilers ----

# like_cc NAME ARGS...: mpicc prints and returns what cc does
like_cc() {
    cc "${@:2}" >expected 2>&1
    local code=$?
    mpicc "${@:2}" >out 2>&1
    same "$? $(cat out)" "$code $(cat expected)" "as cc: $1"
}
like_cc "no arguments"
like_cc "--version" --version
like_cc "-dumpmachine" -dumpmachine
like_cc "-V" -V
like_cc "-o alone" -o nothing
like_cc "a file that is not there" nothing.c
mpicc -v 2>&1 | tail -n 1 | grep -q version
say $? "-v"
mpicc -E hello.c | grep -q MPI_Comm_rank
say $? "-E"
mpicc -M hello.c | grep -q "$mpi/include/mpi.h"
say $? "-M"
echo 'int twice(int x) { return 2 * x; }' >twice.c
same "$(mpicc -c hello.c twice.c && mpicc -o joined hello.o twice.o && mpirun -n 2 ./joined)" "$two" "several files, and linking without sources"
echo '-O2 -o listed hello.c' >list
same "$(mpicc @list && mpirun -n 2 ./listed)" "$two" "@file"
same "$(mpicc -o piped -x c - <hello.c && mpirun -n 2 ./piped)" "$two" "standard input"
mpicc -shared -o libtwice.so twice.c hello.c && readelf -d libtwice.so | grep -q libmpi_abi.so.1
say $? "-shared"
same "$(mpicc -no-pie -fno-pie -o pie hello.c && mpirun -n 2 ./pie)" "$two" "-no-pie is left out"
same "$(mpicc -static hello.c 2>&1) $?" "weft: -static: MPI programs are linked dynamically; leave it out 2" "-static is refused"
mpicc -c -static hello.c
say $? "-static without linking"
printf '#!/bin/sh\necho "compiler $*"\n' >compiler && chmod +x compiler
for choice in WEFT_CC MPICH_CC OMPI_CC; do
    same "$(env $choice="./compiler two" mpicc --version)" "compiler two -I$mpi/include -fPIE -fstack-clash-protection --version" "$choice"
done
same "$(mpicc -cc=./compiler -c x.c)" "compiler -I$mpi/include -fPIE -fstack-clash-protection -c x.c" "-cc="
compile="-I$mpi/include -fPIE -fstack-clash-protection"
link="-pie -L$mpi/lib -Wl,-rpath,$mpi/lib -lmpi_abi"
same "$(mpicc -show)" "cc $compile $link" "-show"
same "$(mpicc -showme x.c -o x)" "cc $compile x.c -o x $link" "-showme"
same "$(mpicxx -show -c x.cc)" "c++ $compile -c x.cc" "-show -c"
same "$(mpicc -compile_info)" "cc $compile" "-compile_info"
same "$(mpicc -link-info)" "cc $link" "-link-info"
same "$(mpicc -showme:compile)" "${compile/PIE/PIC}" "-showme:compile"
same "$(mpicc --showme:link)" "$link" "--showme:link"
same "$(mpicc -showme:incdirs) $(mpicc -showme:libdirs) $(mpicc -showme:libs) $(mpicc -showme:command)" \
    "$mpi/include $mpi/lib mpi_abi cc" "-showme:incdirs, libdirs, libs, command"
same "$(mpicxx -showme:version)" "mpicxx: Weft $("$weft" --version | cut -d' ' -f2) (Language: C++)" "-showme:version"
same "$(mpicc -showme:no 2>&1)" "weft: unknown option '-showme:no'; use -showme, -showme:compile or -showme:link" "-showme:no"
for name in mpicxx mpic++ mpiCC; do same "$($name -showme:command)" c++ $name; done
for name in mpif77 mpif90 mpifort; do same "$($name -showme:command)" gfortran $name; done

# ---- configure scripts and make ----

echo 'int main(void) { return 0; }' >conftest.c
mpicc conftest.c && ./a.out
say $? "what a configure script builds runs"
printf 'char MPI_Init();\nint main(void) { return MPI_Init(); }\n' >conftest.c
mpicc -w conftest.c && mpicc -w conftest.c -lmpi
say $? "it finds MPI_Init, also in -lmpi"
printf 'hello: hello.o\n\t$(CXX) -o $@ $^\nhello.o: hello.cc\n\t$(CXX) -c $<\n' >Makefile
if [ "$cxx" = " " ]; then
    skip "make CXX=mpicxx" "no c++"
else
    same "$(make -s CXX=mpicxx && mpirun -n 2 ./hello)" "$two" "make CXX=mpicxx"
fi
same "$(cc -fPIE -I"$mpi/include" -c hello.c && cc -pie -o byhand hello.o -L"$mpi/lib" -lmpi && mpirun -n 2 ./byhand)" "$two" "by MPI_HOME's include and lib"

# ---- CMake ----

mkdir cmake
cp hello.* old.f cmake
cat >cmake/CMakeLists.txt <<E
cmake_minimum_required(VERSION 3.10)
project(hello $languages)
find_package(MPI 3 REQUIRED COMPONENTS $languages)
file(WRITE \${CMAKE_BINARY_DIR}/found "\${MPI_C_VERSION} \${MPI_CXX_VERSION} \${MPI_Fortran_HAVE_F77_HEADER} \${MPI_Fortran_HAVE_F90_MODULE} \${MPIEXEC_EXECUTABLE}")
foreach(program hello.c-C hello.cc-CXX hello.f90-Fortran old.f-Fortran)
  string(REPLACE "-" ";" words \${program})
  list(GET words 0 source)
  list(GET words 1 language)
  if("$languages" MATCHES "\${language}")
    string(REPLACE "." "_" name \${source})
    add_executable(\${name} \${source})
    target_link_libraries(\${name} MPI::MPI_\${language})
  endif()
endforeach()
E
built() { # FOLDER: what the programs there print
    for program in "$1"/hello_* "$1"/old_f; do
        [ ! -f "$program" ] || mpirun -n 2 "$program"
    done
}
expected=$(for language in $languages; do
    echo "$two"
    [ "$language" != Fortran ] || echo "$two"
done)
# cmakes NAME MPIEXEC ASSIGNMENT... -- OPTION...
cmakes() {
    local name=$1 exec=$2 assignments=()
    shift 2
    while [ "$1" != -- ]; do assignments+=("$1") && shift; done
    shift
    if ! command -v cmake >/dev/null; then
        skip "CMake $name" "no cmake"
        skip "CMake $name: programs" "no cmake"
        return
    fi
    rm -rf b
    { env "${assignments[@]}" cmake -S cmake -B b "$@" && cmake --build b; } >log 2>&1 || sed 's/^/# /' log
    same "$(cat b/found)" "5.0 $cxx$fortran $exec" "CMake $name"
    same "$(built b)" "$expected" "CMake $name: programs"
}
other=$(PATH=$plain command -v mpiexec)
cmakes "by PATH" "$mpi/bin/mpiexec" A=A --
cmakes "by MPI_HOME" "$mpi/bin/mpiexec" PATH="$plain" MPI_HOME="$mpi" --
cmakes "by MPI_C_COMPILER" "${other:-MPIEXEC_EXECUTABLE-NOTFOUND}" PATH="$plain" -- -DMPI_C_COMPILER="$mpi/bin/mpicc" \
    -DMPI_CXX_COMPILER="$mpi/bin/mpicxx" -DMPI_Fortran_COMPILER="$mpi/bin/mpifort"
cmakes "by CC" "${other:-MPIEXEC_EXECUTABLE-NOTFOUND}" PATH="$plain" CC="$mpi/bin/mpicc" CXX="$mpi/bin/mpicxx" FC="$mpi/bin/mpifort" --

# ---- Meson ----

mkdir meson
cp hello.* old.f meson
{
    echo "project('hello', 'c')"
    echo "executable('hello_c', 'hello.c', dependencies: dependency('mpi', language: 'c'))"
    [ "$cxx" = " " ] || echo "add_languages('cpp')
executable('hello_cc', 'hello.cc', dependencies: dependency('mpi', language: 'cpp'))"
    [ "$fortran" = " " ] || echo "add_languages('fortran')
executable('hello_f90', 'hello.f90', dependencies: dependency('mpi', language: 'fortran'))
executable('old_f', 'old.f', dependencies: dependency('mpi', language: 'fortran'))"
} >meson/meson.build
mesons() { # NAME ASSIGNMENT...
    rm -rf b
    { env "${@:2}" meson setup b meson && ninja -C b; } >log 2>&1 || sed 's/^/# /' log
    same "$(built b)" "$expected" "Meson $1"
}
mesons "by PATH" PKG_CONFIG_LIBDIR=/nowhere
mesons "by CC" CC=mpicc CXX=mpicxx FC=mpifort PKG_CONFIG_LIBDIR=/nowhere
mesons "by pkg-config" PATH="$plain" PKG_CONFIG_PATH="$mpi/lib/pkgconfig"

# ---- mpirun ----

mpicc -o hello hello.c
# runs EXPECTED NAME WORDS...: what it prints, on standard error too, and its exit status
runs() {
    timeout 60 "${@:3}" >out 2>&1 </dev/null
    local code=$?
    same "$(cat out) $code" "$1" "$2"
}
runs "0 of 1 0" "one rank" mpirun ./hello
for option in -n -np --np -c --n; do runs "$two 0" "$option 2" mpirun $option 2 ./hello; done
runs "$two 0" "-np=2" mpirun -np=2 ./hello
runs $'0 of 2 3\n1 of 2 3 3' "the program's exit status" mpiexec -n 2 ./hello 3
timeout 60 mpirun -n 1 ./hello x 7 >out 2>err
same "$? $(cat out) $(cat err)" "7 0 of 1 x weft: rank 0: MPI_Abort: the program aborts with code 7" "MPI_Abort"
runs "$two 0" "what is so anyway" mpirun --oversubscribe --allow-run-as-root -genvall -q -n 2 ./hello
runs "weft: mpirun ignores --bind-to, --mca, -hostfile, --map-by, --report-bindings: its ranks run on a simulated machine
$two 0" "what is ignored is named once" mpirun --bind-to core --mca btl self -mca a b -hostfile f --map-by core --report-bindings -n 2 ./hello
runs $'0 of 1\nmine 0' "-x" mpirun -x SHOWN=mine -x PATH -x SHOWN_NOT ./hello
runs $'0 of 1\nmine 0' "-env" mpirun -env SHOWN mine ./hello
runs $'0 of 3\na\n1 of 3\nb\n2 of 3\nall 0' "several programs, with variables" \
    mpirun -genv SHOWN all -n 1 -env SHOWN a ./hello : -env SHOWN b ./hello : ./hello
runs $'[0]<stdout>: 0 of 2\n[1]<stdout>: 1 of 2 0' "-l" mpirun -l -n 2 ./hello
runs "$two 0" "-N alone" mpirun -N 2 ./hello
nodes() { # WORDS...: ranks per node
    timeout 60 mpirun --weft "-o n.json" "$@" ./hello >/dev/null && sed -n 's/ *"processes_per_node": "\(.*\)",/\1/p' n.json
}
same "$(nodes -N 2 -n 4) $(nodes --map-by ppr:4:node -n 4) $(nodes -n 4)" "2 4 auto" "-N and --map-by ppr:4:node"
mkdir there && cp hello there/moved
runs "$two 0" "-wdir" mpirun -wdir there -n 2 ./moved
runs "weft: -wdir nowhere: No such file or directory; name a folder 2" "-wdir nowhere" mpirun -wdir nowhere ./hello
PATH=$folder/there:$PATH runs "$two 0" "a program of the PATH" mpirun -n 2 moved
runs "$two 0" "a program without a folder" mpirun -n 2 hello

machine() { grep -q "\"name\": \"$1\"" m.json; }
for words in bluegene-l "-m bluegene-l" "bluegene-l -s machine.dims=2x2x2"; do
    WEFT_MACHINE=$words runs "$two 0" "WEFT_MACHINE=$words" mpirun --weft "-o m.json" -n 2 ./hello
    machine bluegene-l
    say $? "it runs there"
done
grep -q '"dims": "2x2x2"' m.json
say $? "with its settings"
WEFT_MACHINE=bluegene-l runs "$two 0" "--weft names another machine" mpirun --weft "-m sc5832 -o 'm.json'" -n 2 ./hello
machine sc5832
say $? "which is taken"
mpirun -v -n 2 ./hello | grep -q '^ideal 2, '
say $? "-v prints the summary"
same "$(mpirun --version)" "mpirun (Weft $("$weft" --version | cut -d' ' -f2))" "--version"
mpirun --help | grep -q -- "-n -np -c"
say $? "--help"
runs "weft: unknown option '--nonsense'; \`mpirun --help\` lists the options 2" "an unknown option" mpirun --nonsense -n 2 ./hello
runs "weft: -n needs a value; \`mpirun --help\` lists the options 2" "no value" mpirun -n
runs "weft: -np 'x' is not a number of ranks; use a whole number from 1 2" "no number" mpirun -n x ./hello
runs "weft: no program; \`mpirun -n 4 ./PROGRAM\` runs one 2" "no program" mpirun -n 2
runs "weft: no program; \`mpirun -n 4 ./PROGRAM\` runs one 2" "no program behind a colon" mpirun -n 2 ./hello :
for threads in 1 2 4; do
    timeout 60 mpirun --weft "-m bluegene-l -j $threads -o $threads.json" -n 2 there/moved : -n 3 ./hello >/dev/null
    cmp -s <(grep '"digest"' 1.json) <(grep '"digest"' $threads.json)
    say $? "two programs, $threads threads: one digest"
done

# A script runs once, and what it starts on all ranks.
printf '#!/bin/sh\necho "in $1"\nSHOWN=script ./hello\n./hello 5 && echo ended\nexit 6\n' >script
chmod +x script
runs $'in turn\n0 of 2\nscript\n1 of 2\nscript\n0 of 2 5\n1 of 2 5 6' "a script" mpirun -n 2 ./script turn
runs "weft: ./script: is a script among several programs; name a program, or the script alone 2" "a script and a program" \
    mpirun -n 2 ./hello : -n 2 ./script

# Weft itself runs on ranks of the computer's own MPI, whichever mpirun is asked.
if PATH=$plain command -v mpirun >/dev/null && ! "$weft" version | grep -q 'MPI  *none'; then
    for mpirun in "$(PATH=$plain command -v mpirun)" mpirun; do
        timeout 60 "$mpirun" -n 2 "$weft" run -m ideal -q -o r.json && grep -q '"ranks": 2' r.json
        say $? "$mpirun -n 2 weft run"
    done
else
    skip "mpirun -n 2 weft run" "no MPI"
fi
echo "1..$number"
