#!/bin/bash
# plan.sh TOOL SOURCE - clearway plan: made by name, saved, loaded, refused.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

works plan --help
has "usage: clearway plan" "--load" "--map" "--gather"

# ---- by name -------------------------------------------------------------------------

for map in identity rotation reversal transpose bit-reversal; do
    works plan --n 4096 --map $map --on cpu --json
    is verified true
    is table 0
    is n 4096
done
for where in cpu emu; do
    works plan --n 5000 --passes 2 --tile 512 --bytes 8 --on $where --json
    is kind '"two passes"'
    is verified true
    works plan --n 5000 --passes 3 --tile 512 --bytes 3 --gather --on $where --json
    is kind '"three passes"'
    is verified true
done
# For any GPU: tiles of 192 KiB do not fit where a block has 99 KB, and the message says what does.
export CW_EMU_GPU=sm_86
refuses 1 "CW_ANY_GPU (clearway plan --any-gpu)" plan --n 60000 --passes 2 --tile 49152 --on emu
works plan --n 60000 --passes 2 --tile 25344 --on emu --json
is verified true
unset CW_EMU_GPU
works plan --n 5000 --any-gpu -o saved --on cpu
refuses 2 "was made before" plan --load saved --any-gpu
works plan --n 1000 --on cpu
has "plan of 1000 items of 4 bytes: gather" "verified  yes"
works plan --n 0 --on cpu

# ---- files ---------------------------------------------------------------------------

works plan --n 5000 --passes 2 --tile 512 -o saved --on cpu
works plan --load saved --on cpu --json
is kind '"two passes"'
is n 5000
is verified true
head -c 20000 saved >cut
refuses 2 "cut" plan --load cut
printf 'x' | dd of=saved bs=1 seek=9000 conv=notrunc status=none
refuses 2 "saved is damaged" plan --load saved
printf "something else altogether, and long enough to be a head" >other
refuses 2 "not a plan" plan --load other
refuses 2 "nothing" plan --load nothing

printf '\2\0\0\0\0\0\0\0\1\0\0\0' >index # 2 0 1
works plan index --type u32 --on cpu --json
is n 3
is verified true
works plan index --type u32 --gather --on cpu
printf '\2\0\0\0\0\0\0\0\2\0\0\0' >twice
refuses 2 "index 2 is 2, which was there before" plan twice --type u32
printf '\2\0\0\0\0\0\0\0\3\0\0\0' >outside
refuses 2 "index 2 is 3: out of range" plan outside --type u32

# ---- asked for wrongly ---------------------------------------------------------------

refuses 2 "which permutation" plan
refuses 2 "which permutation" plan index --n 5
refuses 2 "one index" plan index index
refuses 2 "no power of two" plan --n 100 --map bit-reversal
refuses 2 "tiles of 33" plan --n 5000 --tile 33

finish
