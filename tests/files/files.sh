#!/bin/bash
# files.sh TOOL SOURCE - arrays in files: sort, argsort, generate, check; and what goes wrong.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

npy() # npy VERSION TYPE SHAPE FORTRAN: a head on stdout
{
    local text="{'descr': '$2', 'fortran_order': $4, 'shape': $3, }" begin=10 all
    [ "$1" -eq 1 ] || begin=12
    all=$(((begin + ${#text} + 64) / 64 * 64))
    # shellcheck disable=SC2059 # the format is made of bytes
    printf "\\x93NUMPY\\x0$1\\x00\\x$(printf %02x $(((all - begin) % 256)))\\x$(printf %02x $(((all - begin) / 256)))"
    [ "$1" -eq 1 ] || printf '\x00\x00'
    printf '%s%*s\n' "$text" $((all - begin - ${#text} - 1)) ""
}

tail_is() # tail_is FILE BYTES...: the file ends with these bytes, as od prints them
{
    local file=$1 got
    shift
    got=$(tail -c $# "$file" | od -An -v -tu1 | tr -s ' \n' ' ')
    [ "${got# }" = "$* " ] || [ "${got# }" = "$*" ] || bad "$file ends with $got, not $*"
}

only() # only NAME...: the folder box holds these and nothing else, hidden ones included
{
    local got
    # shellcheck disable=SC2012 # names are ours
    got=$(ls -A box | sort | tr '\n' ' ')
    [ "${got% }" = "$*" ] || bad "the folder holds '$got', not '$*'"
}

mkdir box

# ---- every type, .npy and raw ----------------------------------------------------------

for type in u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64; do
    works generate uniform --n 3001 --type $type --seed 3 -o raw
    works sort raw --type $type -o sorted
    works check sorted --of raw --type $type
    has "3001 $type keys" "sorted" "a permutation of raw"
    works argsort raw --type $type --descending -o places.npy
    works check places.npy --of places.npy --json
    is type '"i64"'
    is length 3001
    [ $type = bf16 ] && continue
    works generate uniform --n 3001 --type $type --seed 3 -o a.npy
    tail -c $(($(wc -c <raw))) a.npy | cmp -s - raw || bad ".npy and raw differ"
    works sort a.npy -o b.npy
    works check b.npy --of a.npy --json
    valid_json
    is sorted true
    is permutation true
    tail -c $(($(wc -c <raw))) b.npy | cmp -s - sorted || bad ".npy and raw are sorted differently"
    works sort a.npy -o raw2 --descending
    works check raw2 --type $type --descending
done

# The places are those of a stable sort: small enough to see.
printf '\3\1\2\1' >small
works argsort small --type u8 -o places
tail_is places 1 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
works argsort small --type i8 --descending -o places
tail_is places 0 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0

# ---- byte orders, versions, shapes -------------------------------------------------------

for version in 1 2 3; do
    { npy $version '>u2' '(3,)' False; printf '\2\0\0\1\1\0'; } >big.npy
    works sort big.npy -o out.npy
    tail_is out.npy 0 1 1 0 2 0
    grep -q "'>u2'" out.npy || bad "the byte order is not kept"
    { npy $version '<u2' '(3,)' True; printf '\2\0\0\1\1\0'; } >little.npy
    works sort little.npy -o out.npy
    tail_is out.npy 1 0 2 0 0 1
done
{ npy 1 '>f4' '(2,)' False; printf '\x3f\x80\0\0\xbf\x80\0\0'; } >big.npy
works sort big.npy -o out.npy
tail_is out.npy 191 128 0 0 63 128 0 0
works argsort big.npy -o out.npy
tail_is out.npy 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0

{ npy 1 '|u1' '(2, 3)' False; printf '321ACB'; } >rows.npy
works sort rows.npy -o out.npy
tail_is out.npy 49 50 51 65 66 67
works check out.npy --of rows.npy
has "2 rows of 3 u8 keys" sorted "a permutation"
works argsort rows.npy -o out.npy --descending
tail_is out.npy 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0 \
    1 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
{ npy 1 '|u1' '(2, 3)' False; printf '21A3BC'; } >other.npy
refuses_but_prints() # exit 1 and one line, with something on stdout
{
    run "${@:2}"
    [ $status -eq 1 ] || bad "exit $status, not 1"
    [[ $err == "clearway: "*"$1"* && $(wc -l <err) -eq 1 ]] || bad "says '$err', without '$1'"
}
refuses_but_prints "no permutation" check other.npy --of rows.npy
has "row 0 holds other keys"
refuses_but_prints "rows.npy is not sorted" check rows.npy
has "key 1 of row 0 should stand before key 0"

# Byte order and shape of what is only moved.
{ npy 1 '>u2' '(2, 3)' False; printf '\0\1\0\2\0\3\0\4\0\5\0\6'; } >big.npy
works transpose big.npy -o out.npy
tail_is out.npy 0 1 0 4 0 2 0 5 0 3 0 6
grep -q "'>u2'.*(3, 2)" out.npy || bad "byte order or shape is wrong"
{ npy 1 '>i8' '(2,)' False; printf '\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0'; } >index.npy
works permute big.npy --index index.npy -o out.npy
tail_is out.npy 0 4 0 5 0 6 0 1 0 2 0 3

# Long rows, more rows than fit at once, and rows that do not fit at all.
works generate uniform --n 600000 --type f64 --seed 5 -o raw
{ npy 1 '<f8' '(15, 40000)' False; cat raw; } >rows.npy
works sort rows.npy -o out.npy
works check out.npy --of rows.npy
{ npy 1 '<f8' '(600, 1000)' False; cat raw; } >rows.npy
works sort rows.npy -o out.npy --memory 16M
works check out.npy --of rows.npy

# ---- n = 0, NaNs, in place ---------------------------------------------------------------

: >empty
works sort empty --type u32 -o box/out
[ -f box/out ] && [ ! -s box/out ] || bad "no empty output"
works check box/out --type u32
rm box/out
for shape in '(0,)' '(0, 5)' '(5, 0)'; do
    npy 1 '<i4' "$shape" False >empty.npy
    works sort empty.npy -o out.npy
    works argsort empty.npy -o places.npy
    works check out.npy --of empty.npy
done
works generate nan --n 5000 --type f16 -o nan.npy
works sort nan.npy -o out.npy
works check out.npy --of nan.npy
[[ $out =~ ,\ [1-9][0-9]*\ of\ them\ NaN ]] || bad "sees no NaNs"
works sort nan.npy -o out.npy --descending
works check out.npy --of nan.npy --descending
has sorted

# All patterns of f16 in every order: an argsort is held against values as Python compares them.
python3 - <<'END'
import random
import struct
keys = list(range(65536)) * 2
random.Random(5).shuffle(keys)
open("halves", "wb").write(struct.pack("<%dH" % len(keys), *keys))
END
cat >order.py <<'END'
import math
import struct
import sys
order, down, name = sys.argv[1], sys.argv[2] == "--descending", sys.argv[3]
data = open("halves", "rb").read()
keys = struct.unpack("<%dH" % (len(data) // 2), data)
values = struct.unpack("<%de" % (len(data) // 2), data)
def rank(i):
    if math.isnan(values[i]):
        return (0, 0) if order == "nan-first" or (order == "nan-greatest" and down) else (2, 0)
    return (1, -values[i] if down else values[i])
if order == "total":
    signed = [k if k < 0x8000 else -1 - (k & 0x7fff) for k in keys]
    want = sorted(range(len(keys)), key=lambda i: -signed[i] if down else signed[i])
else:
    want = sorted(range(len(keys)), key=rank)
got = struct.unpack("<%dq" % len(keys), open(name, "rb").read())
sys.exit(list(got) != want)
END
for order in numeric total nan-first nan-greatest; do
    for down in "" --descending; do
        # shellcheck disable=SC2086
        works argsort halves --type f16 --order $order $down -o places
        python3 order.py $order "$down" places || bad "argsort --order $order $down"
        # shellcheck disable=SC2086
        works sort halves --type f16 --order $order $down --stable -o sorted
        # shellcheck disable=SC2086
        works check sorted --type f16 --order $order $down
        # shellcheck disable=SC2086
        works check sorted --type f16 --of halves --order $order $down
    done
done
refuses 2 "is none of numeric, total, nan-first, nan-greatest" sort halves --type f16 -o x --order size

works generate uniform --n 5000 -o box/a.npy
cp box/a.npy a.npy
chmod 640 box/a.npy
ln -s a.npy box/link.npy
works sort box/link.npy -o box/link.npy
[ -L box/link.npy ] || bad "the link is no link any more"
[ "$(stat -c %a box/a.npy)" = 640 ] || bad "the mode is not kept"
works check box/a.npy --of a.npy
has sorted
only a.npy link.npy
rm box/*

# ---- larger than memory --------------------------------------------------------------------

for kind in uniform zipf; do
    works generate $kind --n 3M --type i64 -o raw
    works sort raw --type i64 -o sorted --memory 1G
    works sort raw --type i64 -o box/out --memory 16M --threads 2
    cmp -s sorted box/out || bad "$kind: memory changes the result"
    only out
done
works sort raw --type i64 -o raw.npy --memory 16M --tmpdir box --time
has "sort of 3145728 i64 keys: " "B/s"
works argsort raw --type i64 -o sorted --memory 1G
works argsort raw --type i64 -o box/out --memory 16M
cmp -s sorted box/out || bad "memory changes the places"
only out
{ npy 1 '<i8' '(2, 1572864)' False; cat raw; } >rows.npy
works sort rows.npy -o sorted.npy --memory 1G
works sort rows.npy -o rows.npy --memory 16M
cmp -s sorted.npy rows.npy || bad "memory changes rows"
refuses 2 "larger than --memory" sort raw --type i64 -o box/new --memory 16M --on emu
refuses 1 "nowhere" sort raw --type i64 -o box/new --memory 16M --tmpdir nowhere
only out

# A bar, on a terminal only.  It appears after 0.1 s, so a fast machine is given more keys.
if command -v script >/dev/null; then
    what="sort long --memory 16M, on a terminal"
    checks=$((checks + 1))
    cp raw long
    for doubled in 0 1 2 3 4 5; do # up to 32 times as many: 768 MB
        [ $doubled -eq 0 ] || { cat long long >longer && mv longer long; }
        script -qec "'$tool' sort long --type i64 -o sorted --memory 16M --threads 1" typed >/dev/null
        grep -q 'sort \[#*\.*\] .* %' typed && break
    done
    grep -q 'sort \[#*\.*\] .* %' typed ||
        bad "shows no bar for $(wc -c <long) bytes: $(head -c 300 typed)"
    # Where there is no terminal, not a byte, though the sort is as long.
    works sort long --type i64 -o sorted --memory 16M --threads 1
    [ -z "$out" ] || bad "prints $out"
    rm long sorted
else
    echo "script is missing: the bar is not tested"
fi

# ---- killed at any moment -------------------------------------------------------------------

# The output had the name before: it stays as it was.  What is read stays whole.
cp raw whole
mkdir -p box/tmp
begun=$(date +%s%N)
works sort raw --type i64 -o box/out --memory 16M --tmpdir box/tmp
lasts=$((($(date +%s%N) - begun) / 1000)) # us: signals come while a sort of this machine's speed runs
echo before >box/out
killed=0
named=0
for signal in KILL TERM KILL INT KILL HUP KILL KILL; do
    what="sort raw -o box/out, SIG$signal"
    checks=$((checks + 1))
    (trap - INT HUP TERM; exec "$tool" sort raw --type i64 -o box/out --memory 16M --tmpdir box/tmp) \
        2>/dev/null &
    child=$!
    wait_us=$((lasts * (RANDOM % 100) / 100))
    sleep "$((wait_us / 1000000)).$(printf %06d $((wait_us % 1000000)))"
    kill -$signal $child 2>/dev/null && killed=$((killed + 1))
    wait $child 2>/dev/null
    cmp -s raw whole || bad "the input changed"
    [ "$(ls -A box/tmp)" = "" ] || bad "leaves $(ls -A box/tmp)"
    # kill -9 between the two calls that put the file in place leaves its first name: once, at most
    left=$(find box -name '.clearway-*')
    [ -z "$left" ] || [ $signal != KILL ] || [ $named -gt 0 ] || { rm "$left" && named=1; }
    only out tmp
    if [ "$(<box/out)" = before ] 2>/dev/null; then
        continue
    fi
    works check box/out --of whole --type i64 # it was through
    [[ $out == *$'\n'sorted* ]] || bad "something partial has the final name"
    echo before >box/out
done 2>/dev/null
[ $killed -gt 0 ] || bad "every sort was through before it was killed"
rm -r box/*

# ---- what is wrong with files ----------------------------------------------------------------

echo before >box/out.npy
wrong_file() # wrong_file TEXT ARGUMENT...: refused, and nothing changed
{
    refuses 2 "$@"
    only out.npy
    [ "$(<box/out.npy)" = before ] || bad "the output changed"
}
{ npy 1 '<u4' '(100,)' False; printf '12345678'; } >cut.npy
wrong_file "cut.npy is cut off: 8 bytes of items, its head tells of 400" sort cut.npy -o box/out.npy
head -c 40 cut.npy >torn.npy
wrong_file "torn.npy: damaged .npy head: the file ends inside it" sort torn.npy -o box/out.npy
{ npy 1 '<u4' '(1,)' False; printf '12345678'; } >long.npy
wrong_file "long.npy: 4 bytes follow the array" argsort long.npy -o box/out.npy
echo hello >text.npy
wrong_file "text.npy: not a .npy file" sort text.npy -o box/out.npy
: >none.npy
wrong_file "none.npy is empty: 0 bytes are no .npy file" sort none.npy -o box/out.npy
{ npy 1 '<c8' '(1,)' False; printf '12345678'; } >complex.npy
wrong_file "NumPy's type '<c8'" sort complex.npy -o box/out.npy
{ npy 1 '<u4' '(2, 2)' True; printf '0123456789abcdef'; } >fortran.npy
wrong_file "Fortran order" sort fortran.npy -o box/out.npy
{ npy 1 '<u4' '(1, 2, 2)' False; printf '0123456789abcdef'; } >cube.npy
wrong_file "3 dimensions" sort cube.npy -o box/out.npy
{ npy 7 '<u4' '(1,)' False; printf '0123'; } >new.npy
wrong_file "version 7.0" sort new.npy -o box/out.npy
wrong_file "a.npy holds u32, not f32" sort a.npy --type f32 -o box/out.npy
wrong_file "raw is raw binary: of which type?" sort raw -o box/out.npy
head -c 10 raw >ten
wrong_file "ten has 10 bytes, which is no multiple of 4 (u32)" sort ten --type u32 -o box/out.npy
wrong_file "ten has 10 bytes" check ten --type u32
wrong_file ".npy has no type bf16" sort ten --type bf16 -o box/out.npy
wrong_file ".npy has no type bf16" generate uniform --n 9 --type bf16 -o box/out.npy
for command in "permute cut.npy --index a.npy" "transpose cut.npy" "partition cut.npy"; do
    # shellcheck disable=SC2086 # a command line
    wrong_file "cut.npy is cut off" $command -o box/out.npy
done
wrong_file "cut.npy is cut off" permute a.npy --index cut.npy -o box/out.npy
wrong_file "nan.npy: an index of f16" permute nan.npy --index nan.npy -o box/out.npy
wrong_file "gone: No such file" sort gone --type u32 -o box/out.npy
wrong_file "it is a directory" sort box --type u32 -o box/out.npy
mkfifo pipe
wrong_file "it is a pipe, which is read as standard input: - for the file" sort pipe --type u32 -o box/out.npy
refuses 1 "it is a directory" sort a.npy -o box
refuses 1 "no/such/out.npy: there is no folder no/such" sort a.npy -o no/such/out.npy
works generate uniform --n 4999 -o fewer.npy
refuses 1 "a.npy has 1 x 5000 keys and fewer.npy has 1 x 4999" check a.npy --of fewer.npy
refuses 1 "a.npy holds u32 and rows.npy holds i64" check a.npy --of rows.npy

# ---- usage -------------------------------------------------------------------------------------

refuses 2 "Give a file, or --n N for generated ones" sort
refuses 2 "Give a file, or --n N for generated ones" argsort --type f32
refuses 2 "Give a file, or --n N for generated ones" partition
refuses 2 "-o is missing" sort a.npy
refuses 2 "one file, got 'b.npy' too" sort a.npy b.npy -o c.npy
refuses 2 "make data, but there is the file a.npy" sort a.npy -o b.npy --n 5
refuses 2 "--pairs is not for files" sort a.npy -o b.npy --pairs 4
refuses 2 "are for files" sort --n 5 -o b.npy
refuses 2 "--memory must be between 16M and 2^50, got 1M" sort a.npy -o b.npy --memory 1M
refuses 2 "'lots' is no size" sort a.npy -o b.npy --memory lots
refuses 2 "which kind?" generate -o x
refuses 2 "did you mean uniform?" generate unifrom --n 5 -o x
refuses 2 "one kind" generate uniform few --n 5 -o x
refuses 2 "--n N says how many keys" generate uniform 1e6 -o x
refuses 2 "-o is missing" generate uniform --n 5
refuses 2 "--n is missing" generate uniform -o x
refuses 2 "--items is not for uniform" generate uniform --n 5 --items 17 -o x
refuses 2 "--tile must be between 1024" generate adversarial-radix --n 5 --tile 10 -o x
refuses 2 "which file?" check
refuses 2 "none.npy is empty: 0 bytes are no .npy file" check none.npy
[ ! -e x ] || bad "x was made"
works generate adversarial-merge --n 40000 --items 15 -o x.npy
works sort x.npy -o x.npy
works check x.npy
works generate adversarial-radix --n 40000 --type f32 --tile 4096 -o x.npy
works check x.npy --of x.npy

# ---- no room, no permission ---------------------------------------------------------------------

# A file that may not grow: as good as a full disk, everywhere.
works generate uniform --n 100000 -o raw
what="sort raw -o box/new, ulimit -f"
checks=$((checks + 1))
says=$( (ulimit -f 100; exec "$tool" sort raw --type u32 -o box/new) 2>&1)
[ $? -eq 1 ] || bad "exit is not 1"
[[ $says == "clearway: cannot write "*"box/new: File too large" ]] || bad "says $says"
only out.npy

# A full disk, where a small tmpfs may be mounted.
cat >full <<'END'
mount -t tmpfs -o size=256k tmpfs box || exit 99
"$1" sort raw --type u32 -o box/new 2>err
status=$?
ls -A box >left
umount box
exit $status
END
what="sort raw -o box/new, full disk"
if [ "$(id -u)" -eq 0 ]; then
    unshare -m bash full "$tool" 2>/dev/null
else
    unshare -rm bash full "$tool" 2>/dev/null
fi
full=$?
if [ $full -eq 99 ] || [ ! -f left ]; then
    echo "no tmpfs may be mounted: the full disk is not tested"
else
    checks=$((checks + 1))
    [ $full -eq 1 ] || bad "exit $full, not 1"
    err=$(<err)
    [[ $err == "clearway: cannot write "*"box/new: No space left on device" ]] || bad "says $err"
    [ ! -s left ] || bad "leaves $(<left)"
fi

# A folder without permission, as somebody who is not allowed everything.
chmod 755 "$scratch"
chmod 555 box
as=()
[ "$(id -u)" -ne 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${as[@]}" "$tool" --version >/dev/null 2>&1; then
    what="sort raw -o box/new, no permission"
    checks=$((checks + 1))
    says=$("${as[@]}" "$tool" sort raw --type u32 -o box/new 2>&1)
    [ $? -eq 1 ] || bad "exit is not 1"
    [[ $says == "clearway: cannot write box/new: Permission denied" ]] || bad "says $says"
    says=$("${as[@]}" "$tool" sort raw --type u32 -o box/out.npy 2>&1)
    [ $? -eq 1 ] || bad "exit is not 1"
    [[ $says == "clearway: cannot write box/out.npy: Permission denied" ]] || bad "says $says"
else
    echo "the tool cannot be run as nobody: no permission is not tested"
fi
chmod 755 box
only out.npy

finish
