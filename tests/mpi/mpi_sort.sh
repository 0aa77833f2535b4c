#!/bin/bash
# mpi_sort.sh TOOL SOURCE - `mpirun -n 4 clearway sort FILE -o FILE`: the same bytes as one process writes, old
# files kept where it fails, and nothing left behind by a rank that is killed.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"
ranks=${tool%/*}/clearway-mpi
mpiexec=$(command -v mpiexec)
[ -x "$ranks" ] && [ -n "$mpiexec" ] || {
    echo "no MPI: skipped"
    exit 77
}
on() # on RANKS ARGUMENT..: like run, on so many ranks
{
    local n=$1
    shift
    what="$* (on $n ranks)"
    checks=$((checks + 1))
    bash "$source/tests/mpi/mpirun.bash" "$mpiexec" "$n" "$tool" "$@" >out 2>err
    status=$?
    out=$(<out)
    err=$(<err)
}
good()
{
    on "$@"
    [ $status -eq 0 ] || bad "exit $status: $err"
}
same() # same FILE FILE
{
    cmp -s "$1" "$2" || bad "$1 is not $2"
}
nothing_left()
{
    [ -z "$(find . -name '.clearway-*')" ] || bad "leaves $(find . -name '.clearway-*')"
}
source=$2

[ "${CW_LONG:-}" = 1 ] && { types="u8 i16 f32 u64 f64" inputs="uniform zipf sorted few" moments="0 0.02 0.1 0.3" least=3; } ||
    { types=f64 inputs=zipf moments="0 0.1" least=1; }
for type in $types; do
    works generate uniform --n 30011 --type $type -o keys.npy
    works sort keys.npy -o one.npy
    works sort keys.npy --descending -o down.npy
    works argsort keys.npy -o places.npy
    good 4 sort keys.npy -o all.npy
    same all.npy one.npy
    good 3 sort keys.npy --descending -o all.npy # replaces it
    same all.npy down.npy
    good 3 argsort keys.npy -o all.npy
    same all.npy places.npy
done
works generate zipf --n 5000 --type u32 -o keys.npy
works sort keys.npy -o one.npy
good 7 sort keys.npy -o keys.npy # in place
same keys.npy one.npy
works generate uniform --n 3 --type u32 -o few.npy
works sort few.npy -o one.npy
good 4 sort few.npy -o all.npy # more ranks than keys
same all.npy one.npy
works generate uniform --n 0 --type u32 -o none.npy
good 2 sort none.npy -o all.npy
same all.npy none.npy
works generate uniform --n 1000 --type u16 -o keys.raw
works sort keys.raw --type u16 -o one.raw
on 2 sort --help
has "half of its machine's"
good 2 sort keys.raw --type u16 -o all.raw --time
same all.raw one.raw
has "1000 keys of type u16, 2 ranks"

# ---- larger than the memory of all ranks ------------------------------------------------------------
for input in $inputs; do
    works generate $input --n 900000 --type u32 -o keys.npy
    works sort keys.npy -o one.npy
    good 3 sort keys.npy -o all.npy --memory 1M --time
    same all.npy one.npy
    has "900000 keys of type u32, 3 ranks: on disk "
done
works generate uniform --n 900000 --type f64 -o keys.npy
works sort keys.npy --descending -o one.npy
good 4 sort keys.npy --descending -o all.npy --memory 1500000 --tmpdir .
same all.npy one.npy
printf '\0\0\0\200\0\0\0\0\0\0\200\77' >zeros.raw # -0, 0, 1, .. : two thirds are equal, and not the same
for ((k = 0; k < 17; k++)); do
    cat zeros.raw zeros.raw >twice.raw
    mv twice.raw zeros.raw
done
works sort zeros.raw --type f32 --stable -o one.raw
good 3 sort zeros.raw --type f32 --stable -o all.raw --memory 1M
same all.raw one.raw
cp one.npy old.npy
on 2 sort keys.npy -o old.npy --on gpu --memory 1M # which processors would do, and say nothing
[ $status -ne 0 ] || bad "exit 0"
[ "$(grep -c 'sorted on the CPU only' err)" -eq 1 ] || bad "not one rank says why: $err"
same old.npy one.npy
on 2 argsort keys.npy -o all.npy --memory 1M
[ $status -ne 0 ] || bad "exit 0"

# ---- what fails leaves what there was --------------------------------------------------------------
cp one.npy old.npy
on 3 sort missing.npy -o old.npy
[ $status -ne 0 ] || bad "exit 0"
[ "$(grep -c missing.npy err)" -eq 1 ] || bad "not one rank tells of missing.npy: $err"
same old.npy one.npy
on 3 sort keys.npy -o old.npy --no-such-option
[ $status -ne 0 ] || bad "exit 0"
[ "$(grep -c no-such-option err)" -eq 1 ] || bad "not one rank tells of --no-such-option: $err"
mkdir elsewhere # as on a machine that has another disk there: the others do not wait for that rank
what="sort keys.npy, which rank 1 does not see"
checks=$((checks + 1))
bash "$source/tests/mpi/mpirun.bash" "$mpiexec" 3 bash -c '
    [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-x}}" != 1 ] || cd elsewhere
    exec timeout 60 "$0" sort keys.npy -o "$1/old.npy"' "$tool" "$PWD" >out 2>err
status=$?
[ $status -ne 0 ] && [ $status -ne 124 ] || bad "exit $status"
grep -q "rank 1 of 3: cannot open keys.npy" err || bad "does not say which rank: $(<err)"
same old.npy one.npy
on 3 sort keys.npy -o no/such/folder.npy
[ $status -ne 0 ] || bad "exit 0"
on 3 sort keys.npy
[ $status -ne 0 ] || bad "exit 0"
on 2 sort keys.npy -o old.npy --on gpu
[ $status -eq 0 ] || same old.npy one.npy
for words in "keys.npy -o -" "- -o all.npy"; do # no files of that name
    # shellcheck disable=SC2086
    on 2 sort $words
    [ $status -eq 2 ] || bad "exit $status"
    [ "$(grep -c 'files only' err)" -eq 1 ] || bad "not one rank says why: $err"
    [ ! -e ./- ] || bad "a file named -"
done
nothing_left

# ---- a rank that is killed --------------------------------------------------------------------------
# The kill comes when there is a temporary file, or so much later; a fast machine may have renamed it by then.
gone() # gone SECONDS: the temporary file is, within them
{
    local k
    for ((k = 0; k < 20 * $1; k++)); do
        [ -n "$(find . -name '.clearway-*')" ] || return 0
        sleep 0.05
    done
    nothing_left
}
killer='
    [[ " $CW_TEST_KILL " == *" ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-x}} "* ]] && {
        for ((k = 0; k < 6000; k++)); do
            compgen -G ".clearway-*" >/dev/null && break
            [ ! -e killed.npy ] && [ -e /proc/$$ ] || exit
            sleep 0.01
        done
        sleep $CW_TEST_AFTER
        kill -9 $$
    } >/dev/null 2>&1 &
    exec "$0" sort long.npy -o killed.npy'
works generate uniform --n 5000000 --type u64 -o long.npy
if command -v script >/dev/null; then # ranks write to a pipe, mpirun to a terminal
    what="a bar on the terminal of mpirun"
    checks=$((checks + 1))
    cp long.npy bar.npy
    for n in 10000000 20000000 40000000 none; do # a bar comes after a tenth of a second
        script -qec "bash '$source/tests/mpi/mpirun.bash' '$mpiexec' 2 '$tool' sort bar.npy -o killed.npy" seen >out 2>err
        grep -q 'sort \[#.* %' seen || [ $n = none ] && break
        works generate uniform --n $n --type u64 -o bar.npy
    done
    grep -q 'sort \[#.* %' seen || bad "none: $(<seen)"
    good 2 sort bar.npy -o killed.npy
    rm bar.npy
    ! grep -q 'sort \[' err || bad "a bar, but stderr is a file: $(<err)"
fi
killed=0
for after in $moments; do
    for victim in 1 0 2 "0 1 2"; do
        rm -f killed.npy .clearway-*
        what="sort long.npy, with rank $victim killed $after s after it began to write"
        checks=$((checks + 1))
        CW_TEST_KILL=$victim CW_TEST_AFTER=$after bash "$source/tests/mpi/mpirun.bash" "$mpiexec" 3 \
            bash -c "$killer" "$tool" >out 2>err
        status=$?
        [ $status -eq 0 ] || killed=$((killed + 1))
        if [ -e killed.npy ]; then # whole, also if the kill came between its name and the end
            works check killed.npy --of long.npy
        elif [ $status -eq 0 ]; then
            bad "exit 0, but no file"
        fi
        gone 20
    done
done
what="sort long.npy, with ranks killed"
[ $killed -ge $least ] || bad "only $killed of them were"

echo "$checks checks, $wrong wrong"
[ $wrong -eq 0 ]
