#!/bin/bash
# killed.sh TOOL SOURCE - SIGKILL at random moments, over all commands that write: inputs are there as
# they were, each output is what it was or whole and new, and if some are new and some old, those
# that get their names first are new.  30 times while they run; 200 times, on a disk, with CW_LONG=1.
[ -n "${CW_LONG:-}" ] && [ "$CW_LONG" != 0 ] && times=200 || times=30
[ $times -eq 200 ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

seed=${CW_SEED:-$RANDOM}
RANDOM=$seed

works generate uniform --n 300000 --type u64 --seed $seed -o x.npy
works argsort x.npy -o index.npy
works model sort -w 64 -m 64 --seed $seed --trace run
{
    printf '\x93NUMPY\x01\x00\x76\x00'
    printf '%-117s\n' "{'descr': '<u8', 'fortran_order': False, 'shape': (500, 600), }"
    tail -c 2400000 x.npy
} >matrix.npy

# Outputs in the order in which they get their names, then the command.
gallery='1-with-and-without 2-theorem-1 3-proof 4-lemma-1 5-tall 6-shearsort 7-padding 8-partition'
gallery+=' 9-permutation 10-transpose calculator index'
cases=(
    "new.npy: sort box/x.npy -o box/new.npy"
    "old.npy: sort box/x.npy -o box/old.npy"
    "x.npy: sort box/x.npy -o box/x.npy"
    "x.npy: argsort box/x.npy -o box/x.npy"
    "x.npy old.npy: sort box/index.npy --values box/x.npy --values-output box/x.npy -o box/old.npy"
    "old.npy: generate zipf --n 300000 -o box/old.npy"
    "o.npy x.npy: partition box/x.npy -o box/x.npy --buckets 64 --offsets box/o.npy"
    "old.npy new.npy: partition box/x.npy -o box/new.npy --buckets 64 --offsets box/old.npy"
    "x.npy: permute box/x.npy --index box/index.npy -o box/x.npy"
    "matrix.npy: transpose box/matrix.npy -o box/matrix.npy"
    "old.npy: plan box/index.npy -o box/old.npy --on cpu"
    "plan old.npy page: model permute-offline -w 64 -m 64 --save-plan box/plan --trace box/old.npy --html box/page"
    "page: view box/run -o box/page"
    "page: conflicts t --html box/page"
    "${gallery// /.html }.html: gallery -o box"
)

fresh() # fresh FOLDER: what there is before
{
    rm -rf "$1"
    mkdir "$1"
    cp x.npy index.npy matrix.npy run "$1"
    echo before >"$1/old.npy"
}

# What comes out, and how long it takes.
for k in "${!cases[@]}"; do
    fresh box
    begin=${EPOCHREALTIME/./}
    # shellcheck disable=SC2086 # a command line
    works ${cases[k]#*: }
    took[k]=$((${EPOCHREALTIME/./} - begin))
    mkdir "after$k"
    for name in ${cases[k]%%: *}; do
        mv "box/$name" "after$k"
    done
done

as_before() # as_before NAME: it is what it was, or is not there, as before
{
    if [ -e "before/$1" ]; then
        cmp -s "box/$1" "before/$1"
    else
        [ ! -e "box/$1" ]
    fi
}

fresh before
killed=0
for ((n = 0; killed < times && n < 4 * times; n++)); do # some are through before they are killed
    k=$((RANDOM % ${#cases[@]}))
    outputs=${cases[k]%%: *}
    what="${cases[k]#*: }, killed (CW_SEED=$seed, time $n)"
    checks=$((checks + 1))
    fresh box
    # shellcheck disable=SC2086 # a command line
    "$tool" ${cases[k]#*: } >out 2>err &
    child=$!
    late=$(((RANDOM * 32768 + RANDOM) % took[k]))
    sleep "$(printf '%d.%06d' $((late / 1000000)) $((late % 1000000)))"
    kill -KILL $child 2>err
    wait $child 2>err
    [ $? -ne 137 ] || killed=$((killed + 1))
    seen_old=
    for name in $outputs; do
        if cmp -s "box/$name" "after$k/$name"; then
            [ -z "$seen_old" ] || bad "$name is new, but an output before it is not"
        elif as_before "$name"; then
            seen_old=1
        else
            bad "$name is neither what it was nor what it should be"
        fi
    done
    for name in x.npy index.npy matrix.npy run old.npy; do
        [[ " $outputs " == *" $name "* ]] || cmp -s "box/$name" "before/$name" || bad "$name changed"
    done
    for path in box/.[!.]* box/*; do # a name that is temporary may be left, nothing else
        [[ ! -e $path || $path == box/.clearway-* || -e before/${path#box/} ||
            " $outputs " == *" ${path#box/} "* ]] || bad "leaves $path"
    done
done 2>/dev/null
[ $killed -eq $times ] || bad "only $killed of $n commands were killed while they ran, not $times"
echo "$killed of $n commands were killed while they ran"
finish
