/* load_bits.h - item i of an array of 1, 2, 4 or 8 bytes each, as a number. */
#ifndef CW_PRIM_LOAD_BITS_H
#define CW_PRIM_LOAD_BITS_H

#include <stdint.h>

#include "dev/kernel.h"

DEV uint64_t load_bits(const void *from, uint64_t i, uint32_t bytes)
{
    switch (bytes) {
    case 1:
        return gm_ld1((const uint8_t *)from + i);
    case 2:
        return gm_ld2((const uint16_t *)from + i);
    case 4:
        return gm_ld4((const uint32_t *)from + i);
    default:
        return gm_ld8((const uint64_t *)from + i);
    }
}

#endif
