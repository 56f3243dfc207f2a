#!/bin/bash
# Files that are not programs which ranks can run: each is refused in one line that says why, with exit status 2, before
# anything runs. Prints TAP.
#
#   tests/mpi/refused.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
broken="build it again"
another="name a program that weft mpicc has built"
compiler=${CC:-cc}

refused() { # FILE TEXT
    timeout 60 "$weft" mpirun -np 2 -m ideal -q "$1" >out 2>err </dev/null
    code=$?
    [ $code -eq 2 ] && [ ! -s out ] && [ "$(cat err)" = "weft: $1: $2" ]
    wrong=$?
    [ $wrong -eq 0 ] || { echo "# status $code"; sed 's/^/# /' out err; }
    say $wrong "$1: ${2%%;*}"
}

cat >good.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    printf("this ran\n");
    return MPI_Finalize();
}
C
"$weft" mpicc -o good good.c

compile() { # FILE OPTIONS... <SOURCE
    $compiler -x c -o "$1" - "${@:2}"
}

poke() { # FILE OFFSET BYTES: a copy of `good` with other bytes, as printf writes them
    cp good "$1"
    printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

number_at() { # OFFSET BYTES
    od -An "-tu$2" -j "$1" -N "$2" good | tr -d ' '
}

segment() { # TYPE: the offset of the header of the first such segment of `good`
    for ((i = 0, at = 64; i < $(number_at 56 2); i++, at += 56)); do
        [ "$(number_at $at 4)" -ne "$1" ] || { echo $at; return; }
    done
}

timeout 60 "$weft" mpirun -np 2 -m ideal -q ./good >out 2>&1 </dev/null && [ "$(cat out)" = "this ran
this ran" ]
say $? "the program of which the others are spoilt copies runs"

# ---- no programs ----
printf '#!/bin/sh\nexit 0\n' >script && chmod +x script
: >empty
mkdir folder
mkfifo pipe
printf '\177ELF' >four
refused ./script "is not a program (no ELF file); $another"
refused ./empty "is empty; $another"
refused ./folder "is not a file; $another"
refused ./pipe "is not a file; $another"
refused ./nowhere "No such file or directory; name a file that can be read"
refused ./four "is not a program (no ELF file); $another"
echo 'int x;' | compile object.o -c
refused ./object.o "is neither a program nor a library; $another"

# ---- other kinds of programs ----
other='\267\0' # aarch64
[ "$(number_at 18 2)" -eq 62 ] || other='\076\0'
poke another 18 "$other"
poke small 4 '\001'
poke backwards 5 '\002'
refused ./another "was built for another kind of computer; build it on this one"
refused ./small "was built for 32 bits; build it for 64"
refused ./backwards "was built for another kind of computer; build it on this one"
echo 'int main(void) { return 0; }' >empty.c
for how in -static -static-pie; do
    if compile "static$how" "$how" <empty.c 2>/dev/null; then
        refused "./static$how" "is linked statically; build it with -fPIE -pie, not -static"
    else
        number=$((number + 1))
        echo "ok $number - # SKIP $how does not link here"
    fi
done
compile fixed -no-pie <empty.c
refused ./fixed "can run at one address only; build it with -fPIE -pie"
echo 'int f(void) { return 1; }' | compile library.so -shared -fPIC
refused ./library.so "is a library; name a program"
echo 'void begin(void) { for (;;); }' | compile own -nostdlib -pie -fPIE -Wl,-e,begin -Wl,-dynamic-linker,/lib/ld.so
refused ./own "does not begin as programs of the GNU C library do; $another"
cat >text.c <<'C'
int there = 3;
__asm__(".text\n.globl word\nword: .quad there\n");
extern int *word;
int main(void) { return *word; }
C
compile text -pie -fPIE -Wl,-z,notext <text.c 2>/dev/null
refused ./text "has relocations in its text; build it with -fPIE -pie"

# ---- libraries ----
echo 'int gone(void) { return 1; } int lost(void) { return 2; } int there(void) { return 3; }' | compile libgone.so -shared -fPIC
echo 'int gone(void), lost(void), there(void); int main(void) { return gone() + lost() + there(); }' |
    compile needy -pie -fPIE -L. -lgone '-Wl,-rpath,$ORIGIN'
echo 'int there(void) { return 3; } int lost(void) { return 2; }' | compile libgone.so -shared -fPIC
refused ./needy "needs gone, which does not exist here; leave it out, or link what defines it"
echo 'int there(void) { return 3; }' | compile libgone.so -shared -fPIC
refused ./needy "needs gone, lost, which do not exist here; leave it out, or link what defines it"
echo 'not a library' >libgone.so
timeout 60 "$weft" mpirun -np 2 -m ideal -q ./needy >out 2>err
[ $? -eq 2 ] && grep -q 'libgone.so: is not a program (no ELF file); ' err && [ "$(wc -l <err)" -eq 1 ]
say $? "a library that is none is named"
rm libgone.so
refused ./needy "needs libgone.so, which is not to be found; name its folder in LD_LIBRARY_PATH"
{ for i in {1..100}; do echo "int a_function_that_is_gone_$i(void) { return 1; }"; done; } | compile libgone.so -shared -fPIC
{
    for i in {1..100}; do echo "int a_function_that_is_gone_$i(void);"; done
    echo 'int main(void) { return 0'
    for i in {1..100}; do echo "+ a_function_that_is_gone_$i()"; done
    echo '; }'
} | compile needy -pie -fPIE -L. -lgone '-Wl,-rpath,$ORIGIN'
echo 'int there;' | compile libgone.so -shared -fPIC
timeout 60 "$weft" mpirun -np 2 -m ideal -q ./needy >out 2>err
[ $? -eq 2 ] && [ "$(grep -o 'a_function_that_is_gone_[0-9]*[,]' err | sort -u | wc -l)" -eq 100 ] && [ "$(wc -l <err)" -eq 1 ]
say $? "a hundred functions that do not exist are all named"
echo 'int x;' | compile libmpi.so.40 -shared -fPIC -Wl,-soname,libmpi.so.40
echo 'extern int x; int main(void) { return x; }' | compile foreign -pie -fPIE -L. -l:libmpi.so.40
refused ./foreign "needs libmpi.so.40, which is another MPI library; build it with weft mpicc, without that"

# ---- broken files ----
load=$(segment 1) dynamic=$(segment 2)
poke phnum 56 '\0\0'
poke phmany 56 '\377\377'
poke phoff 38 '\377'
poke phsize 54 '\070\001'
for file in phnum phmany phoff phsize; do refused ./$file "its table of segments is broken; $broken"; done
poke filesz $((load + 38)) '\001'
poke offset $((load + 14)) '\001'
for file in filesz offset; do refused ./$file "it ends before its segments do; $broken"; done
poke memsz $((load + 46)) '\001'
poke vaddr $((load + 22)) '\001'
poke askew $((load + 16)) '\004'
for file in memsz vaddr askew; do refused ./$file "its segments are broken; $broken"; done
poke dynamic $((dynamic + 21)) '\001'
refused ./dynamic "its dynamic section is broken; $broken"
poke undynamic "$dynamic" '\006'
refused ./undynamic "is linked statically; build it with -fPIE -pie, not -static"
poke entry 28 '\001'
refused ./entry "its entry point is in no executable segment; $broken"
poke relocatable 16 '\001'
refused ./relocatable "is neither a program nor a library; $another"

# Of a program that was cut off, all but what only debuggers read is missed.
size=$(stat -c %s good) wrong=0 cuts=0
for ((end = 0, i = 0; i < $(number_at 56 2); i++)); do
    at=$((64 + 56 * i))
    [ "$(number_at $at 4)" -eq 1 ] || continue
    last=$(($(number_at $((at + 8)) 8) + $(number_at $((at + 32)) 8)))
    [ $last -le $end ] || end=$last
done
for length in 1 16 17 63 64 65 119 120 $(seq 200 997 $((end - 1))) $((end - 1)); do
    head -c "$length" good >cut
    timeout 60 "$weft" mpirun -np 2 -m ideal -q ./cut >out 2>err </dev/null
    [ $? -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] || { wrong=1; echo "# cut after $length of $size bytes"; }
    cuts=$((cuts + 1))
done
say $wrong "$cuts programs that were cut off"
echo "1..$number"
