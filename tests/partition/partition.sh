#!/bin/bash
# partition.sh TOOL SOURCE - partition of data that the tool makes, and of files.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

keys='^{"command": "partition", "n": .*, "type": .*, "input": .*, "seed": .*, "by": .*, "buckets": .*,'
keys+=' "value_bytes": .*, "stable": .*, "on": .*, "threads": .*, "workspace": .*, "runs": .*,'
keys+=' "seconds": .*, "keys_per_second": .*, "share_of_copy": .*, "verified": true}$'

verified()
{
    works partition "$@" --json
    grep -q "$keys" out || bad "keys are not as promised: $out"
    valid_json
}

# ---- data of its own -------------------------------------------------------------------

for rule in bits hash splitters label; do
    for on in cpu emu; do
        verified --n 3001 --by $rule --on $on --pairs 4
        is by "\"$rule\""
        verified --n 3001 --by $rule --on $on --buckets 2 --unstable
        is stable false
    done
    for n in 0 1 31; do
        verified --n $n --by $rule --on cpu --buckets 64
    done
done
for type in u8 u16 u64 i8 i16 i32 i64 f16 bf16 f32 f64; do
    verified --n 2000 --type $type --by splitters --buckets 10 --on cpu --pairs 2
    verified --n 2000 --type $type --by bits --buckets 16 --first-bit 3 --on cpu
    verified --n 2000 --type $type --by hash --buckets 1000 --on cpu --pairs 16
done
for kind in equal zipf sorted heavy; do
    verified --n 20000 --input $kind --by splitters --buckets 4096 --pairs 8 --on cpu
done
works partition --n 1000 --buckets 8 --time --on cpu
has "partition of 1000 u32 keys into 8 buckets by bits" "median of 5" "key/s" "verified  yes"
fits_80_columns

# ---- files -----------------------------------------------------------------------------

words() # words FORMAT FILE: the items, as od prints them
{
    od -An -v -t"$1" "$2" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}

printf '\5\2\7\0\3\6' >raw
works partition raw --type u8 --buckets 2 --by bits -o result --offsets at
[ "$(words u1 result)" = "2 0 6 5 7 3" ] || bad "by bit 0 it is $(words u1 result)"
[ "$(words d8 at)" = "0 3 6" ] || bad "the offsets are $(words d8 at)"
works partition raw --type u8 --buckets 8 --by label -o result --offsets at.npy
[ "$(words u1 result)" = "0 2 3 5 6 7" ] || bad "by label it is $(words u1 result)"
works check at.npy
has "9 i64 keys"

npy() # npy TYPE SHAPE: a head of version 1
{
    local text="{'descr': '$1', 'fortran_order': False, 'shape': $2, }"
    printf '\x93NUMPY\x01\x00\x76\x00%s%*s\n' "$text" $((117 - ${#text})) ""
}
{ npy '|u1' '(1,)'; printf '\4'; } >splitters.npy
works partition raw --type u8 --buckets 2 --by splitters --splitters splitters.npy -o result
[ "$(words u1 result)" = "2 0 3 5 7 6" ] || bad "by a splitter it is $(words u1 result)"
works partition raw --type u8 --buckets 3 --by hash -o result
works check result --of raw --type u8

# Rows by labels of their own, byte order kept.
{ npy '>u2' '(3, 2)'; printf '\0\1\0\2\0\3\0\4\0\5\0\6'; } >rows.npy
{ npy '<u4' '(3,)'; printf '\1\0\0\0\1\0\0\0\0\0\0\0'; } >labels.npy
works partition rows.npy --by label --labels labels.npy --buckets 2 -o out.npy
tail -c 12 out.npy | cmp -s - <(printf '\0\5\0\6\0\1\0\2\0\3\0\4') || bad "rows are not moved whole"
works partition rows.npy --labels labels.npy --buckets 2 -o same.npy
cmp -s out.npy same.npy || bad "is not what --by label gives"
{ npy '<i8' '(3,)'; printf '\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'; } >labels8.npy # as NumPy makes them
works partition rows.npy --labels labels8.npy --buckets 2 -o same.npy
cmp -s out.npy same.npy || bad "is not what labels of u32 give"
{ npy '<i8' '(3,)'; printf '\1\0\0\0\0\0\0\0\xfd\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0'; } >below.npy
refuses 2 "below.npy: label 1 is -3" partition rows.npy --labels below.npy --buckets 2 -o x.npy
for type in u64 i8 i16 i32 i64; do
    works partition --n 1e4 --by label --type $type --buckets 200 --json
    is verified true
done
refuses 2 "--labels is for --by label" partition rows.npy --by hash --labels labels.npy -o x.npy
works partition rows.npy --by label --labels labels.npy --buckets 2 -o rows.npy
cmp -s out.npy rows.npy || bad "in place it is another result"
works generate uniform --n 0 -o none.npy
works partition none.npy -o out.npy --offsets at.npy

echo before >result
refuses 2 "label" partition raw --type u8 --buckets 7 --by label -o result
refuses 2 "--by label: labels are whole numbers, not f32" partition --n 9 --by label --type f32
works generate uniform --n 9 --type f32 -o reals.npy
refuses 2 "reals.npy: labels are whole numbers, not f32" partition reals.npy --by label --buckets 4 -o result
refuses 2 "no power of two" partition --n 9 --buckets 3
verified --n 2000 --type u64 --by bits --buckets 16 --on cpu # from bit 0 on, and to the last
verified --n 2000 --type u64 --by bits --buckets 2 --first-bit 63 --on cpu
verified --n 2000 --type u8 --by bits --buckets 256 --on cpu
refuses 2 "have not bits" partition --n 9 --type u64 --buckets 4 --first-bit 63
refuses 2 "have not bits" partition --n 9 --type u8 --buckets 512
refuses 2 "have not bits" partition --n 9 --type u8 --buckets 2 --first-bit 8
refuses 2 "--buckets must be between 1 and 65536" partition --n 9 --buckets 2^17
refuses 2 "-o is missing" partition raw --type u8
refuses 2 "--splitters is missing" partition raw --type u8 --by splitters -o result
refuses 2 "splitters.npy holds 1 splitters, not 3" partition raw --type u8 --by splitters \
    --splitters splitters.npy --buckets 4 -o result
refuses 2 "holds u8, but the items are u16" partition raw --type u16 --by splitters \
    --splitters splitters.npy --buckets 2 -o result
refuses 2 "labels.npy holds 3 labels, not 6" partition raw --type u8 --by label \
    --labels labels.npy -o result
refuses 2 "two dimensions" partition rows.npy -o result
refuses 2 "are for files" partition --n 5 --labels labels.npy
refuses 2 "make data, but there is the file raw" partition raw --type u8 --n 5 -o result
refuses 2 "a file, or --n" partition
[ "$(<result)" = before ] || bad "the output changed"

finish
