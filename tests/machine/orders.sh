#!/bin/bash
# orders.sh TOOL SOURCE - every kernel also with its blocks in other orders than one after another (verify.sh).
# The emulator refuses what an order must not change.
#
# The adversarial order is the random one with shorter turns, with stops before blocks speak to each other, and with
# stores that other blocks see late.  So all cases run in that one; of the random order, a quarter of the cases, which one
# the seed says.  With CW_LONG=1 all cases run in both, and reversed.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

export CW_EMU_SEED=${CW_SEED:-$RANDOM}
all_pass() # all_pass ORDER OPTION..
{
    CW_EMU_ORDER=$1 works verify "${@:2}"
    [[ $out == *passed* ]] || bad "blocks in $1 order, ${*:2}, CW_EMU_SEED=$CW_EMU_SEED: does not pass"
}

all_pass adversarial
if [ "${CW_LONG:-}" = 1 ]; then
    all_pass random
    all_pass reversed
else
    all_pass random --part $(((CW_EMU_SEED & 3) + 1))/4
fi

CW_EMU_ORDER=sideways run verify --kernel cw_tiles_transpose_warp_8
[ $status -eq 1 ] || bad "takes an order that there is not"
[[ $err == *"CW_EMU_ORDER=sideways: neither sequential, reversed, random nor adversarial"* ]] ||
    bad "says '$err' of an order that there is not"
CW_EMU_GPU=sm_12 run verify --kernel cw_tiles_transpose_warp_8
[[ $err == *"CW_EMU_GPU=sm_12: there is no such"* ]] || bad "says '$err' of a GPU that there is not"
CW_EMU_GPU=sm_86 run verify --kernel cw_tiles_transpose_block_4
[[ $err == *"bytes of shared memory: on sm_86 a block has 101376 at most"* ]] ||
    bad "says '$err' of a launch that does not fit"

finish
