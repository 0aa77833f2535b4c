#!/bin/bash
# arguments.sh TOOL SOURCE - random words after each command: the tool ends with 0, 1 or 2 and says why, whatever they are.
#
# Words are the command's own options (--complete lists them) and what their values might be, right and wrong.  A call that
# crashes, hangs, ends with another status, fails without a word, or changes a file that it was only given to read is wrong.
# 200 calls; 5000 with CW_LONG=1.  CW_SEED repeats a run.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

seed=${CW_SEED:-$(($(date +%s) % 1000000))}
echo "seed $seed"
RANDOM=$((seed % 32768))
calls=200
[ "${CW_LONG:-}" != 1 ] || calls=5000

"$tool" generate uniform --n 300 --type u32 -o keep.npy >keep.out
"$tool" generate uniform --n 256 --type f64 -o reals.npy >keep.out
printf '3 1 2\n7;8, 9 # end\n' >numbers.txt
printf 'request,lane,address\n0,0,0\n0,1,4\n' >lanes.csv
mkdir folder
before=$(md5sum keep.npy reals.npy numbers.txt lanes.csv)

# verify, compare and gallery take long whatever they are told.
commands=(sort argsort partition generate check plan permute transpose model conflicts view info help version)
values=(0 1 2 3 7 8 16 31 70 100 -1 -0 1e2 2^6 1K 4KB 0.5 1_000 1__0 99999999999999999999 '' ' ' nan u8 i16 u64 f16 f32 f64 bf16 u33
    uniform zipf adversarial-radix random rotation transpose bit-reversal sort-square bitonic permute cpu emu gpu total nan-first
    keep.npy reals.npy numbers.txt lanes.csv missing.npy folder . / - -- --= -= --x -q $'\xff\xfe' $'a\nb' 't % 32' '(t*33' '%n%s%s'
    --help --n=5 -w4 -m=4)
outputs=(out.npy out2.npy out.html missing/out.npy folder)

declare -A options
for command in "${commands[@]}"; do
    options[$command]=$("$tool" --complete "$command" - 2>/dev/null | cut -f1)
done

pick() # one of the arguments, to $picked
{
    local at=$((RANDOM % $# + 1))
    picked=${!at}
}

for ((call = 0; call < calls; call++)); do
    pick "${commands[@]}"
    words=("$picked")
    mapfile -t own <<<"${options[$picked]}"
    for ((k = RANDOM % 8; k > 0; k--)); do
        if ((RANDOM % 2)); then
            pick "${own[@]}"
        else
            pick "${values[@]}"
        fi
        words+=("$picked")
        # Files are written, but not those that are read.
        case $picked in
        -o | --output | --offsets | --trace | --trace-text | --html | --save-plan | --values-output)
            pick "${outputs[@]}"
            words+=("$picked")
            ;;
        esac
    done
    what=$(printf '%q ' "${words[@]}")
    checks=$((checks + 1))
    (ulimit -t 60 && exec timeout 60 "$tool" "${words[@]}") </dev/null >out 2>err
    status=$?
    case $status in
    0) ;;
    1 | 2) grep -q '^clearway: ' err || bad "exit $status without a word: $(head -c 300 err)" ;;
    *) bad "exit $status: $(head -c 300 err)" ;;
    esac
done
what="all calls"
[ "$(md5sum keep.npy reals.npy numbers.txt lanes.csv)" = "$before" ] || bad "a file that was only read is changed"
finish
