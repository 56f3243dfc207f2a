#!/bin/bash
# The C library of ranks. The programs of posix/ in C print, to both streams, what they print on this computer without Weft,
# and end with the same code: one rank, and each of three. The others check themselves. Prints TAP.
#
#   tests/mpi/posix.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"
printf '42 rest\nsecond line\nthird line\nword and more\nlast' >lines
: >nothing
same="timeout 60 $weft mpirun -m ideal -q"

build() { # NAME
    ${CC:-cc} -w -O1 -fPIE -pie -o "$1" "$here/posix/$1.c" || echo "# $1 does not compile"
}

differ() { # NAME WHAT
    echo "# $1: $2"
    wrong=1
}

# compare NAME INPUT WORDS...: rank 0 has the input, others have none
compare() {
    wrong=0
    build "$1"
    "./$1" "${@:3}" <"$2" >here.out 2>here.err
    code=$?
    $same -np 1 "./$1" "${@:3}" <"$2" >out 2>err
    [ $? -eq $code ] || differ "$1" "another exit status than $code"
    sed -i '/^weft: .* calls /d' err
    cmp -s here.out out || differ "$1" "another output"
    cmp -s here.err err || differ "$1" "other errors"
    "./$1" "${@:3}" <nothing >none.out 2>none.err
    $same -np 3 "./$1" "${@:3}" <"$2" >out 2>err
    sed -i '/^weft: .* calls /d' err
    for stream in out err; do
        cat here.$stream none.$stream none.$stream | sed '$a\' | tr -d '\n' | wc -c >expected
        tr -d '\n' <$stream | wc -c | cmp -s expected || differ "$1" "three ranks: another length of $stream"
    done
    say $wrong "$1"
}

compare state nothing -a word -b value -cx --
compare input lines
compare messages nothing
compare output nothing
compare wide nothing
compare signals nothing
compare threads nothing
compare keys nothing
compare children nothing
compare processes nothing
compare reopened lines
POSIX_WORD=value POSIX_OTHER=entry compare words nothing one "two words" ""

# Thread-local variables in every way in which code finds them. Clang has one dialect per processor, and no option.
dialects="trad desc"
[ "$(uname -m)" != x86_64 ] || dialects="gnu gnu2"
${CC:-cc} "-mtls-dialect=${dialects%% *}" -E -x c /dev/null >/dev/null 2>&1 || dialects=default
for dialect in $dialects; do
    for model in global-dynamic local-dynamic initial-exec; do
        how="-O1 -ftls-model=$model"
        [ "$dialect" = default ] || how="$how -mtls-dialect=$dialect"
        # shellcheck disable=SC2086
        ${CC:-cc} $how -fPIC -shared -DKNOWN -o libknown.so "$here/posix/variables_library.c" &&
            ${CC:-cc} $how -fPIC -shared -o libown.so "$here/posix/variables_library.c" &&
            "$weft" mpicc -O1 -Wall -o variables "$here/posix/variables.c" -L. -lknown -lown '-Wl,-rpath,$ORIGIN' &&
            $same -np 5 ./variables >out 2>err && [ "$(grep -cx ok out)" -eq 5 ] &&
            "$weft" mpicc -O1 -Wall -DTHREADS -pthread -o variables "$here/posix/variables.c" -L. -lknown -lown '-Wl,-rpath,$ORIGIN' &&
            $same -np 5 ./variables >out 2>err && [ "$(grep -cx ok out)" -eq 5 ]
        wrong=$?
        [ $wrong -eq 0 ] || sed 's/^/# /' out err
        say $wrong "thread-local variables, $dialect, $model"
    done
done
for threads in 1 2; do
    # The threads of OpenMP outlive their ranks: what happens then differs from run to run.
    "$weft" mpicxx -O1 -Wall -fopenmp -pthread -o threads-of-cpp "$here/posix/threads.cpp"
    wrong=$?
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ $wrong -ne 0 ] || { $same -np 5 -j $threads ./threads-of-cpp >out 2>err && [ "$(sort -u out)" = ok ]; } || wrong=1
    done
    [ $wrong -eq 0 ] || sed 's/^/# /' out err
    say $wrong "threads of C++ and OpenMP, $threads threads"
    "$weft" mpicc -O1 -Wall -o floats "$here/posix/floats.c" -lm && $same -np 9 -j $threads ./floats >out 2>&1 && [ "$(sort -u out)" = ok ]
    wrong=$?
    [ $wrong -eq 0 ] || sed 's/^/# /' out
    say $wrong "floating-point exceptions, $threads threads"
done
"$weft" mpicc -O1 -Wall -o endless "$here/posix/endless.c"
for threads in 1 2; do
    for what in loop memory; do
        timeout --preserve-status -s INT 2 "$weft" mpirun -m ideal -q -np 3 -j $threads ./endless $what >out 2>&1
        [ $? -eq 1 ] && [ "$(wc -l <out)" -eq 1 ] && grep -qx 'weft: interrupted while rank 2 \(computed\|was busy\)' out
        wrong=$?
        [ $wrong -eq 0 ] || sed 's/^/# /' out
        say $wrong "one SIGINT ends a rank's endless $what, $threads threads"
    done
done
for options in -O0 "-O2 -fPIC" "-O2 -D_FORTIFY_SOURCE=2 -D_GLIBCXX_ASSERTIONS"; do
    # shellcheck disable=SC2086
    "$weft" mpicxx -Wall -Wextra $options -pthread -o objects "$here/posix/objects.cpp" &&
        for threads in 1 2; do
            $same -np 7 -j $threads ./objects <lines >out.$threads 2>&1 || echo "status $?" >>out.$threads
        done
    [ "$(grep -c '^destroyed: static of [0-6]$' out.1)" -eq 7 ] && grep -qx ok out.1 && [ "$(wc -l <out.1)" -eq 8 ] && cmp -s out.1 out.2
    wrong=$?
    [ $wrong -eq 0 ] || sed 's/^/# /' out.1
    say $wrong "C++, $options"
done
# ---- time that does not pass ----

"$weft" mpicc -O1 -Wall -pthread -o clocks "$here/posix/clocks.c"
for options in "-m bluegene-l" "-m ideal -s machine.mpi.call_cycles=0"; do
    word=
    [ "$options" = "-m bluegene-l" ] || word=fine
    for threads in 1 2; do
        # shellcheck disable=SC2086
        timeout 100 "$weft" mpirun -np 3 $options -q -j $threads -o clocks.$threads ./clocks $word >out 2>&1 && [ "$(tail -n 1 out)" = ok ]
        wrong=$?
        [ $wrong -eq 0 ] || sed 's/^/# /' out
        say $wrong "clocks move between two reads, $options, $threads threads"
    done
    [ "$(grep '"digest"' clocks.1)" = "$(grep '"digest"' clocks.2)" ]
    say $? "... by as much on any number of threads"
done

# computes SECONDS EXPECTED OPTIONS...: on standard error; the result is the same
"$weft" mpicc -O1 -Wall -o computes "$here/posix/computes.c"
computes() {
    timeout 200 "$weft" mpirun -np 3 -m ideal -q -o "computes.$1" "${@:3}" ./computes "$1" >out 2>err && [ ! -s out ] && grep -v 'another run' err | sed 's/ in [a-z]*() of computes//' >said
    [ "$(cat said)" = "$2" ]
    wrong=$?
    [ $wrong -eq 0 ] || sed 's/^/# /' err
    say $wrong "a rank computes for $1 s, ${*:3}"
}
computes 7 "weft: rank 1 has computed for 5 s without a call of MPI or a clock,; computation takes no simulated time: if it waits for time to pass, use --compute measured or counted"
computes 0.1 ""
[ "$(grep '"digest"' computes.7)" = "$(grep '"digest"' computes.0.1)" ]
say $? "... and the result is the same"
computes 7 "" --compute measured

# ---- what is no rank ----

"$weft" mpicc -O1 -Wall -pthread -o outsiders "$here/posix/outsiders.c"
# outsider WORD STATUS EXPECTED
outsider() {
    timeout 60 "$weft" mpirun -np 2 -m ideal -q ./outsiders "$1" >out 2>&1
    [ $? -eq "$2" ] && grep -v ' calls ' out >said
    [ "$(cat said)" = "$3" ]
    wrong=$?
    [ $wrong -eq 0 ] || sed 's/^/# /' out
    say $wrong "what is no rank: $1"
}
outsider thread 1 "weft: rank 1: in a thread that it has made: MPI_Comm_rank is called, which only its own thread may do"
outsider fault 1 "weft: rank 1: in a thread that it has made: Segmentation fault, in work() of outsiders"
outsider exec 1 "weft: rank 1: it becomes another program (exec), as only a child of it can"
outsider child 0 "weft: rank 1: MPI_Barrier is called by a child process, which is no rank
its child has ended with code 1"

# ---- where a rank has failed ----

# place WORD EXPECTED OPTIONS...: without libdw, lines are not known
place() {
    "$weft" mpicc -w "${@:3}" -o where "$here/posix/where.c" && timeout 60 "$weft" mpirun -np 2 -m ideal -q ./where "$1" >out 2>&1
    [ $? -eq 1 ] && tail -n 1 out | grep -qx "weft: rank 1: $2"
    wrong=$?
    [ $wrong -eq 0 ] || sed 's/^/# /' out
    say $wrong "where a rank has failed: ${*:3}, $1"
}
fault="Segmentation fault at address [^,]*, in"
if ldd "$weft" | grep -q libdw; then
    place inlined "$fault store() at where.c:14" -g -O2
    place library "$fault measure() at where.c:19" -g -O2
    place failure "it ended by abort(), in give_up() at where.c:24" -g
else
    say 0 "lines of programs that fail # SKIP libdw is not there"
fi
place library "$fault measure() of where"
place library "$fault where at 0x[0-9a-f]*" -s
place failure "it ended by abort(), in give_up() of where"

# ---- apart: alarms, folders, dates, and how ranks end ----

"$weft" mpicc -w -O1 -o apart "$here/posix/apart.c"

# apart STATUS EXPECTED OPTIONS... ./apart WORD
apart() {
    timeout 60 "$weft" mpirun -m ideal -q "${@:3}" >out 2>&1 </dev/null
    code=$?
    [ $code -eq "$1" ] && [ "$(cat out)" = "$2" ]
    verdict=$?
    [ $verdict -eq 0 ] || { echo "# exit $code"; sed 's/^/# /' out; }
    say $verdict "apart: ${*:3}"
}
apart 0 $'0: 1 rung, 8 left, 2.0 s\n1: 1 rung, 8 left, 2.0 s\n0: 5 rung, 4.0 s\n1: 5 rung, 4.0 s' -np 2 ./apart alarms
apart 1 "weft: rank 0: it ended by Alarm clock" -np 2 ./apart alarm
apart 1 "weft: rank 0: it ended by Broken pipe" -np 2 ./apart pipe
apart 0 $'0: -1, EPIPE\n1: -1, EPIPE' -np 2 ./apart ignored
apart 1 "weft: rank 1: it ended with code 7, without MPI_Finalize()" -np 2 ./apart exit
apart 0 $'0: folder0\n1: folder1\n2: folder2\n3: folder3' -np 4 -j 2 -o folders.json ./apart folders
[ -f folders.json ] && [ "$(cat folder?/ranks | tr '\n' ' ')" = "0 0 0 1 1 1 2 2 2 3 3 3 " ]
say $? "ranks that change their folders move neither each other nor the result"
apart 0 "0: 2005-01-01 00:00:00" -np 1 ./apart date
apart 0 "0: 2026-11-19 12:30:00" -np 1 -s workload.date=2026-11-19T12:30:00 ./apart date
for date in 2023-02-30 2023-04-31 2023-02-29T12:00:00 2024-02-28T23:59:60; do
    refuses "weft: -s workload.date=$date: workload.date = '$date' is no date; use one like 2005-01-01 or 2005-01-01T12:00:00, or now" \
        mpirun -np 1 -m ideal -s workload.date=$date ./apart date
done
apart 0 "0: 2024-02-29 23:59:59" -np 1 -s workload.date=2024-02-29T23:59:59 ./apart date
refuses "weft: -s workload.date=tomorrow: workload.date = 'tomorrow' is no date; use one like 2005-01-01 or 2005-01-01T12:00:00, or now" \
    mpirun -np 1 -m ideal -s workload.date=tomorrow ./apart date
printf '#include <mpi.h>\n#include <stdio.h>\nint main(int c, char **v) { MPI_Init(&c, &v); printf("%%d\\n", c); return MPI_Finalize(); }\n' >count.c
"$weft" mpicc -o count count.c && [ "$(timeout 60 "$weft" mpirun -np 1 -m ideal -q ./count "$(printf 'a\tb')" "$(printf 'c\nd')" 'e f' '')" = 5 ]
say $? "arguments with tabs and ends of lines stay whole"
if (ulimit -f 8 && exec "$weft" run -m ideal -w pingpong -q) >out 2>&1; then
    (ulimit -f 8 && exec timeout 60 "$weft" mpirun -np 1 -m ideal -q ./count) >out 2>&1
    [ $? -eq 1 ] && sed 's/[0-9]* KiB/N KiB/' out | grep -qx "weft: the limit on the size of files is below the program's N KiB; raise it (ulimit -f)"
    say $? "a limit on the size of files that a program is above is named: $(head -n 1 out)"
else
    say 0 "a limit on the size of files # SKIP ThreadSanitizer itself writes a file at its start"
fi
# What a program prints arrives as it is; its name and arguments are Weft's to show.
odd=$(printf '\033[1m\t\302\233\377')
printf '#include <mpi.h>\n#include <stdio.h>\nint main(int c, char **v) { MPI_Init(&c, &v); printf("%%s\\n", v[1]); MPI_Finalize(); }\n' >say.c
"$weft" mpicc -o "say$odd" say.c && timeout 60 "$weft" mpirun -np 1 -m ideal "./say$odd" "$odd" >out 2>&1
[ $? -eq 0 ] && [ "$(LC_ALL=C grep -caxF "$odd" out)" -eq 1 ] && grep -qaF 'say?[1m????' out && [ "$(LC_ALL=C grep -ca "$(printf '\033')" out)" -eq 1 ]
verdict=$?
[ $verdict -eq 0 ] || cat -v out | sed 's/^/# /'
say $verdict "a program's output keeps its control characters, its name is shown without"
for threads in 1 2 3 4; do
    timeout 60 "$weft" mpirun -m bluegene-l -np 12 -q -j $threads ./apart fail >"fail.$threads" 2>&1
    echo "exit $?" >>"fail.$threads"
done
grep -qx "weft: rank 1: it ended by abort(), in main() of apart" fail.1 && cmp -s fail.1 fail.2 && cmp -s fail.1 fail.3 && cmp -s fail.1 fail.4
say $? "of several ranks that fail the same is named on any number of threads, and others have printed as much"
echo "1..$number"
