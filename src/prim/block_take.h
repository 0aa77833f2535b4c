/* block_take.h - the next number of a global counter, for the whole block. */
#ifndef CW_PRIM_BLOCK_TAKE_H
#define CW_PRIM_BLOCK_TAKE_H

#include "dev/kernel.h"

/* Handed round through the 4 bytes at `at`.  Two barriers. */
DEV uint32_t block_take(uint32_t *counter, uint32_t at)
{
    uint32_t x;

    if (THREAD_ID == 0)
        sh_st4(at, gm_add4(counter, 1u));
    block_sync();
    x = sh_ld4(at);
    block_sync();
    return x;
}

#endif
