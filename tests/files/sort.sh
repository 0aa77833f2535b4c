#!/bin/bash
# sort.sh TOOL SOURCE - sort and argsort of data that the tool makes.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

keys='^{"command": .*, "n": .*, "type": .*, "input": .*, "seed": .*, "value_bytes": .*, "stable": .*,'
keys+=' "descending": .*, "order": .*, "conflict_free": .*, "on": .*, "threads": .*, "workspace": .*, "runs": .*,'
keys+=' "seconds": .*, "keys_per_second": .*, "share_of_copy": .*, "verified": .*}$'

verified() # a run whose result is right, and which says so
{
    works "$@" --json
    grep -q "$keys" out || bad "keys are not as promised: $out"
    valid_json
    is verified true
}

# ---- every kind and every type -------------------------------------------------------

kinds="uniform sorted reverse equal two few zipf heavy top-equal low-equal adversarial-merge
adversarial-radix"
types="u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64" emulated=$types ordered="f16 f32"
# With CW_QUICK=1, as under sanitizers, fewer of those that run the same code of the tool.
[ "${CW_QUICK:-}" != 1 ] || { kinds="uniform two zipf adversarial-merge" emulated="u16 i64 f32" ordered=f16; }
for kind in $kinds; do
    verified sort --n 20000 --input "$kind" --on cpu
    is input "\"$kind\""
    is n 20000
    verified argsort --n 20000 --input "$kind" --on cpu --type i64
done
for type in $types; do
    verified sort --n 3001 --type $type --on cpu --pairs 4 --stable
    is type "\"$type\""
    is stable true
done
for type in $emulated; do
    verified argsort --n 3001 --type $type --on emu --descending
    is on '"emu"'
    is descending true
done
for type in f16 bf16 f32 f64; do
    verified sort --n 3001 --type $type --input nan --on cpu --descending
done
for order in numeric total nan-first nan-greatest; do
    for type in $ordered; do
        verified sort --n 3001 --type $type --input nan --on cpu --order $order --pairs 4 --stable
        is order "\"$order\""
        verified argsort --n 3001 --type $type --input nan --on emu --order $order --descending
        verified sort --n 3001 --type $type --input nan --on emu --order $order --stable
    done
done
for bytes in 1 2 4 8 16; do
    verified sort --n 5000 --pairs $bytes --stable --input few --on cpu
    is value_bytes $bytes
    verified sort --n 1000 --pairs $bytes --on emu
done
for on in cpu emu; do
    verified sort --n 3001 --conflict-free --on $on
    is conflict_free true
done
verified sort --n 20000 --conflict-free --on cpu --input adversarial-merge --pairs 4
for n in 0 1 2 31 1025; do
    for on in cpu emu; do
        verified sort --n $n --on $on
        verified argsort --n $n --on $on
    done
done

# ---- sizes, times and what people read ------------------------------------------------

verified sort --n 2^14 --on cpu --threads 1
is n 16384
is threads 1
verified sort --n 16K --on cpu --time
is n 16384
is runs 5
verified sort --n 1000 --seed 7
is seed 7
works sort --n 1000 --pairs 8 --stable --descending --on cpu
has "sort of 1000 u32 keys with values of 8 bytes, stable, descending" "uniform, seed 1" \
    "on        cpu, " "rate " "pair/s" "verified  yes"
fits_80_columns
works argsort --n 1000 --on cpu --time
has "argsort of 1000" "median of 5" "key/s"

# ---- what is refused -------------------------------------------------------------------

refuses 2 "a file, or --n" sort
refuses 2 "--n must be between 0 and 2^40, got 2^80" sort --n 2^80
refuses 2 "--n must be between 0 and 2^40, got -5" sort --n -5
refuses 2 "--n must be between" sort --n 99999T
refuses 2 "'12x' is no size" sort --n 12x
refuses 2 "'2^x' is no size" sort --n 2^x
refuses 2 "'x' is none of uniform, sorted" sort --n 9 --input x
refuses 2 "'u128' is none of u8, u16" sort --n 9 --type u128
refuses 2 "'3' is none of 0, 1, 2, 4, 8, 16" sort --n 9 --pairs 3
refuses 2 "--pairs is for sort" argsort --n 9 --pairs 4
refuses 2 "keys of type u32 cannot be NaN" sort --n 9 --input nan
refuses 2 "300 keys that all differ" sort --n 300 --type u8 --input adversarial-merge
refuses 2 "GiB of memory" sort --n 2^39
refuses 2 "unknown option '--inputs': did you mean --input?" sort --n 9 --inputs x

finish
