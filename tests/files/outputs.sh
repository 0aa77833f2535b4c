#!/bin/bash
# outputs.sh TOOL SOURCE - what the tool writes: no input is lost, no output meets another, links and
# devices are respected, and whatever ends the tool leaves nothing behind.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

same() # same A B: these files are equal
{
    cmp -s "$1" "$2" || bad "$1 is not $2"
}

only() # only FOLDER NAME...: the folder holds these and nothing else, hidden ones included
{
    local folder=$1 got
    shift
    # shellcheck disable=SC2012 # names are ours
    got=$(ls -A "$folder" | sort | tr '\n' ' ')
    [ "${got% }" = "$*" ] || bad "$folder holds '$got', not '$*'"
}

fresh() # the folder box, with x.npy in it, a copy of the x.npy that the scratch folder has
{
    rm -rf box
    mkdir box
    cp x.npy labels.npy box
}

# Devices of our own where we may: root could replace the system's, if the tool were wrong.
null=/dev/null full=/dev/full
if [ "$(id -u)" -eq 0 ]; then
    null=null full=full
    mknod null c 1 3 2>err && : 2>err >null || null=
    mknod full c 1 7 2>err && : 2>err >full || full=
fi

works generate uniform --n 5000 --type u32 -o x.npy
works generate few --n 5000 --type u8 -o labels.npy
works partition x.npy -o right.npy --buckets 16 --offsets right_offsets.npy

# ---- all outputs, or none ------------------------------------------------------------------

fresh
refuses 1 "cannot write /nonexistent/o.npy: there is no folder /nonexistent" \
    partition box/x.npy -o box/x.npy --buckets 16 --offsets /nonexistent/o.npy
same box/x.npy x.npy
only box labels.npy x.npy
if [ -n "$full" ]; then
    refuses 1 "cannot write $full: No space left" \
        partition box/x.npy -o box/x.npy --buckets 16 --offsets "$full"
    same box/x.npy x.npy
    only box labels.npy x.npy
fi
echo old >box/offsets.npy
works partition box/x.npy -o box/x.npy --buckets 16 --offsets box/offsets.npy
same box/x.npy right.npy
same box/offsets.npy right_offsets.npy
only box labels.npy offsets.npy x.npy
fresh
refuses 1 "cannot write none/t: there is no folder none" \
    model permute-offline -w 8 -m 8 --save-plan box/plan --trace none/t --html box/page.html
only box labels.npy x.npy
works model permute-offline -w 8 -m 8 --save-plan box/plan --trace box/t --html box/page.html
only box labels.npy page.html plan t x.npy

# ---- no output is an input, nor another output ----------------------------------------------

fresh
ln -s x.npy box/link.npy
ln box/x.npy box/hard.npy
ln -s new.npy box/dangling.npy
ln -s . box/here
apart() # apart TEXT ARGUMENT...: refused before anything was written
{
    refuses 2 "$@"
    same box/x.npy x.npy
    same box/labels.npy labels.npy
    only box dangling.npy hard.npy here labels.npy link.npy x.npy
}
for other in box/new.npy ./box/new.npy box/../box/new.npy box/here/new.npy box/dangling.npy \
    "$scratch/box/new.npy"; do
    apart "same file" partition box/x.npy -o box/new.npy --buckets 16 --offsets "$other"
    apart "same file" partition box/x.npy -o "$other" --buckets 16 --offsets box/new.npy
done
for other in box/x.npy ./box/x.npy box/link.npy box/hard.npy box/here/link.npy; do
    apart "it is the input" partition box/x.npy -o box/new.npy --buckets 16 --offsets "$other"
    apart "same file" partition box/x.npy -o box/x.npy --buckets 16 --offsets "$other"
done
apart "it is the input" partition box/x.npy -o box/labels.npy --by label --labels box/labels.npy \
    --buckets 16
apart "it is the input" partition box/x.npy -o box/link.npy --by splitters --buckets 5001 \
    --splitters box/x.npy
works argsort x.npy -o index.npy
cp index.npy box/labels.npy
cp index.npy labels.npy
apart "it is the input" permute box/x.npy --index box/labels.npy -o box/here/labels.npy
apart "it is the input" plan box/labels.npy -o box/here/labels.npy --on cpu
works plan index.npy -o plan --on cpu
works plan --load plan -o box/plan --on cpu
refuses 2 "it is the input" plan --load box/plan -o ./box/plan --on cpu
rm box/plan
works model permute-offline -w 8 -m 8 --save-plan paper --trace t
refuses 2 "it is the input" model permute-offline -w 8 -m 8 --plan paper --save-plan ./paper
refuses 2 "same file" model sort -w 8 -m 8 --trace box/new --html box/here/new
seq 64 >numbers
cp numbers kept
refuses 2 "it is the input" model sort -w 8 -m 8 --input numbers --trace ./numbers
same numbers kept
cp t kept
refuses 2 "it is the input" view t -o ./t
same t kept
ln -s t t.html
refuses 2 "it is the input" view t -o t.html
same t kept
apart "it is the input" permute box/x.npy --index box/labels.npy -o box/labels.npy

# ---- links ------------------------------------------------------------------------------------

fresh
mkdir box/far
ln -s far/away.npy box/to.npy
ln -s to.npy box/way.npy
works sort box/x.npy -o box/way.npy
[ -L box/way.npy ] && [ -L box/to.npy ] || bad "a link was replaced"
[ -f box/far/away.npy ] || bad "the dangling link was not followed"
works check box/far/away.npy --of x.npy
ln -s none/such.npy box/lost.npy
refuses 1 "cannot write box/lost.npy: No such file" sort box/x.npy -o box/lost.npy
ln -s loop.npy box/loop.npy
refuses 1 "cannot write box/loop.npy: Too many levels" sort box/x.npy -o box/loop.npy
refuses 1 "cannot write box/new/: it is a directory" sort box/x.npy -o box/new/
for name in page.html plan t; do # names that were fixed once, and would have been followed
    for end in .part .tmp .$$.part; do
        ln -s ../x.npy box/$name$end
    done
done
cp x.npy kept
works view t -o box/page.html
works plan index.npy -o box/plan --on cpu
works model sort -w 8 -m 8 --trace box/t
same x.npy kept
[ -f box/page.html ] && [ ! -L box/page.html ] || bad "no page"

# ---- devices, FIFOs and pipes -------------------------------------------------------------------

fresh
works view t -o page.html
{
    printf '\x93NUMPY\x01\x00\x76\x00'
    printf '%-117s\n' "{'descr': '<u4', 'fortran_order': False, 'shape': (50, 100), }"
    tail -c 20000 x.npy
} >m.npy
while read -r command; do
    rm -f box/pipe file got
    # shellcheck disable=SC2086 # a command line
    works $command -o file
    mkfifo box/pipe
    timeout 20 cat box/pipe >got &
    reader=$!
    # shellcheck disable=SC2086
    works $command -o box/pipe
    wait $reader
    [ -p box/pipe ] || bad "the FIFO was replaced"
    same got file
    if [ -n "$null" ]; then
        # shellcheck disable=SC2086
        works $command -o "$null"
        [ -c "$null" ] || bad "the device was replaced"
    fi
done <<'END'
sort x.npy
argsort x.npy
generate uniform --n 5000
transpose m.npy
partition x.npy --buckets 16
permute x.npy --index index.npy
plan index.npy --on cpu
view t
END
[ -z "$null" ] || works partition x.npy --buckets 16 -o "$null" --offsets "$null"
rm -f box/pipe
mkfifo box/pipe
timeout 20 cat box/pipe >got &
reader=$!
works model sort -w 8 -m 8 --trace box/pipe --html box/page.html
wait $reader
works model sort -w 8 -m 8 --trace t2
same got t2
refuses 1 "nobody reads it" sort x.npy -o box/pipe
what="generate -o /dev/stdout"
checks=$((checks + 1))
works sort x.npy -o sorted
{ printf head; "$tool" sort x.npy -o /dev/stdout; printf tail; } >got
{ printf head; cat sorted; printf tail; } >want
same got want
"$tool" sort x.npy -o /dev/fd/7 7>got
same got sorted
"$tool" sort x.npy -o /dev/stdout | cmp -s - sorted || bad "a pipe gets something else"
refuses 1 "cannot write /dev/fd/9: Bad file" sort x.npy -o /dev/fd/9
cp x.npy box/x.npy
seq 64 >numbers
cp numbers box/numbers
onto() # onto COMMAND INPUT ARGUMENT...: the input is open as an output, which is written in place and not replaced
{
    what="$* (onto its input)"
    checks=$((checks + 1))
    "$tool" "$@" 2>err 7<>"$2" >>"$2"
    [ $? -eq 2 ] || bad "is not refused"
    [[ $(<err) == *"would be written over: it is the input $2"* ]] || bad "says $(<err)"
    same "$2" "${2#box/}"
}
onto sort box/x.npy -o -
onto sort box/x.npy -o /dev/fd/7
onto argsort box/x.npy -o /dev/stdout
onto partition box/x.npy --buckets 16 -o -
onto permute box/x.npy --index index.npy -o -
onto sort box/numbers --text -o -

# What is read may be a pipe; a FIFO that nobody writes is not waited for.
read_fifo() # read_fifo EXIT TEXT ARGUMENT...
{
    local exit=$1 text=$2
    shift 2
    what="$* (a FIFO)"
    checks=$((checks + 1))
    timeout 10 "$tool" "$@" >out 2>err
    status=$?
    [ $status -eq "$exit" ] || bad "exit $status, not $exit"
    [[ $(<err) == "clearway: "*"$text"* ]] || bad "says '$(<err)', without '$text'"
}
read_fifo 2 "not a trace" view box/pipe -o box/page.html
read_fifo 2 "holds 0 numbers" model sort -w 8 -m 8 --input box/pipe
read_fifo 2 "box/pipe" conflicts --csv box/pipe
read_fifo 2 "it is a pipe, which is read as standard input" sort box/pipe -o box/new --type u32
read_fifo 2 "it is a pipe, which is read as standard input" permute x.npy --index box/pipe -o box/new
what="view /dev/stdin"
checks=$((checks + 1))
cat t | "$tool" view /dev/stdin -o box/page.html || bad "a pipe is not read"
same box/page.html page.html

# ---- owner, group, mode, attributes ---------------------------------------------------------------

fresh
chmod 640 box/x.npy
attribute=
if command -v python3 >/dev/null; then
    attribute=$(cd box && python3 -c '
import os
try:
    os.setxattr("x.npy", "user.clearway", b"kept")
    print("kept")
except OSError:
    pass')
fi
[ "$(id -u)" -ne 0 ] || chown 1234:1235 box/x.npy
before=$(stat -c '%a %u %g' box/x.npy)
works sort box/x.npy -o box/x.npy
after=$(stat -c '%a %u %g' box/x.npy)
[ "$before" = "$after" ] || bad "mode, owner and group were $before and are $after"
if [ -n "$attribute" ]; then
    after=$(cd box && python3 -c 'import os; print(os.getxattr("x.npy", "user.clearway").decode())')
    [ "$after" = kept ] || bad "the attribute is '$after'"
fi
# An access list, which lets one more user read: 1234.
cat >list.py <<'END'
import os, struct, sys

NAME, NOBODY = "system.posix_acl_access", 0xffffffff
LIST = struct.pack("<I", 2) + b"".join(
    struct.pack("<HHI", *entry)
    for entry in ((1, 6, NOBODY), (2, 4, 1234), (4, 0, NOBODY), (16, 4, NOBODY), (32, 0, NOBODY)))
if sys.argv[1] == "set":
    os.setxattr("box/x.npy", NAME, LIST)
else:
    print("kept" if os.getxattr("box/x.npy", NAME) == LIST else "another")
END
if command -v python3 >/dev/null && python3 list.py set 2>err; then
    works sort box/x.npy -o box/x.npy
    [ "$(python3 list.py get 2>&1)" = kept ] || bad "the access list: $(python3 list.py get 2>&1 | tail -1)"
fi
for command in "view t" "plan index.npy --on cpu"; do
    echo old >box/out
    chmod 604 box/out
    [ "$(id -u)" -ne 0 ] || chown 1234:1235 box/out
    before=$(stat -c '%a %u %g' box/out)
    # shellcheck disable=SC2086 # a command line
    works $command -o box/out
    after=$(stat -c '%a %u %g' box/out)
    [ "$before" = "$after" ] || bad "mode, owner and group were $before and are $after"
done
(umask 027 && "$tool" sort x.npy -o box/new.npy)
[ "$(stat -c %a box/new.npy)" = 640 ] || bad "the mode of a new file is $(stat -c %a box/new.npy)"
# Somebody who may write the file and its folder, but not give files away.
if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups "$tool" info >/dev/null 2>&1; then
    cp x.npy box/x.npy
    chmod 755 "$scratch"
    chmod 777 box
    chmod 666 box/x.npy
    what="sort of a file of somebody else, in place"
    checks=$((checks + 1))
    says=$(setpriv --reuid=65534 --regid=65534 --clear-groups "$tool" sort box/x.npy -o box/x.npy 2>&1)
    [ $? -eq 1 ] || bad "exit is not 1"
    [[ $says == *"cannot write box/x.npy: its owner cannot be kept"* ]] || bad "says $says"
    same box/x.npy x.npy
fi

# ---- signals ----------------------------------------------------------------------------------------

# A file that may not grow, while it is written: no signal ends the tool, nothing is left.
fresh
small() # small ARGUMENT...: exit 1 and one line, in files of at most 4 KiB
{
    what="$* (ulimit -f)"
    checks=$((checks + 1))
    (ulimit -f 4; exec "$tool" "$@") >out 2>err
    status=$?
    [ $status -eq 1 ] || bad "exit $status, not 1"
    [[ $(<err) == "clearway: "*"cannot write box/"*": File too large" ]] || bad "says $(<err)"
    same box/x.npy x.npy
    only box labels.npy x.npy
}
small plan index.npy -o box/plan --on cpu
small model sort -w 32 -m 32 --trace box/t
small model sort -w 32 -m 32 --html box/page.html --trace box/t
small model permute-offline -w 64 -m 64 --save-plan box/plan
small view t -o box/page.html
small sort box/x.npy -o box/x.npy
small partition box/x.npy -o box/x.npy --buckets 16 --offsets box/offsets.npy

# Ended while it works: nothing is left, what was there is there.
ended() # ended SIGNAL ARGUMENT...: it must be seen to work, so it takes some seconds
{
    local signal=$1 child
    shift
    what="$* (SIG$signal)"
    checks=$((checks + 1))
    (trap - INT HUP TERM; exec "$tool" "$@") >/dev/null 2>&1 &
    child=$!
    sleep "0.$((RANDOM % 3 + 1))$((RANDOM % 10))"
    kill -"$signal" $child || bad "it was through before the signal"
    wait $child 2>/dev/null
    status=$?
    [ $status -gt 128 ] || bad "exit $status"
    same box/x.npy x.npy
    only box labels.npy x.npy
}
# Signals come within 0.4 s, so a fast machine is given more to do.
long() # long N ARGUMENT...: the least N x 2^k with which the command, N at its end, takes half a second
{
    local n=$1 begun
    shift
    while [ "$n" -lt $((1 << 26)) ]; do
        begun=$(date +%s%N)
        "$tool" "$@" "$n" >/dev/null
        [ $(($(date +%s%N) - begun)) -lt 500000000 ] || break
        n=$((n * 2))
    done
    echo "$n"
}
m=$(long 4096 model sort -w 256 -m)
for signal in TERM INT HUP KILL; do
    ended $signal model sort -w 256 -m "$m" --trace box/t
    ended $signal model sort -w 256 -m "$m" --html box/page.html
done
ended XCPU model sort -w 256 -m "$m" --html box/page.html --trace box/t
ended TERM plan --passes 2 --on cpu -o box/plan --n "$(long 16777216 plan --passes 2 --on cpu --n)"

finish
