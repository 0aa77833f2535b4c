/* copy.h - payloads of 1, 2, 4, 8 or 16 bytes, each as a word of 16. */
#ifndef CW_PARTITION_STABLE_COPY_H
#define CW_PARTITION_STABLE_COPY_H

#include "dev/kernel.h"

DEV vec16 copy_load(const void *from, uint64_t i, uint32_t bytes)
{
    vec16 x = {0, 0, 0, 0};
    uint64_t two;

    switch (bytes) {
    case 1:
        x.x = gm_ld1((const uint8_t *)from + i);
        break;
    case 2:
        x.x = gm_ld2((const uint16_t *)from + i);
        break;
    case 4:
        x.x = gm_ld4((const uint32_t *)from + i);
        break;
    case 8:
        two = gm_ld8((const uint64_t *)from + i);
        x.x = (uint32_t)two;
        x.y = (uint32_t)(two >> 32);
        break;
    default:
        x = gm_ld16((const vec16 *)from + i);
    }
    return x;
}

DEV void copy_store(void *to, uint64_t i, vec16 x, uint32_t bytes)
{
    switch (bytes) {
    case 1:
        gm_st1((uint8_t *)to + i, x.x);
        break;
    case 2:
        gm_st2((uint16_t *)to + i, x.x);
        break;
    case 4:
        gm_st4((uint32_t *)to + i, x.x);
        break;
    case 8:
        gm_st8((uint64_t *)to + i, (uint64_t)x.y << 32 | x.x);
        break;
    default:
        gm_st16((vec16 *)to + i, x);
    }
}

#endif
