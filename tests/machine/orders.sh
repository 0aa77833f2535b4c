#!/bin/bash
# orders.sh TOOL SOURCE - every kernel also with its blocks in other orders than one after another (verify.sh):
# by chance several at a time, and with stores that other blocks see late.  With CW_LONG=1 also reversed.
# The emulator refuses what an order must not change.
# shellcheck source=tests/support/tool.bash
. "$2/tests/support/tool.bash"

export CW_EMU_SEED=${CW_SEED:-$RANDOM}
for order in random adversarial ${CW_LONG:+reversed}; do
    CW_EMU_ORDER=$order works verify
    [[ $out == *passed* ]] || bad "blocks in $order order, CW_EMU_SEED=$CW_EMU_SEED: does not pass"
done

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
