/* count.h - how many items there are, where a number in global memory says so. */
#ifndef CW_PRIM_COUNT_H
#define CW_PRIM_COUNT_H

#include "dev/kernel.h"

/* The number of items, at most n.  count NULL: n. */
DEV uint64_t items_counted(uint64_t n, const void *count, uint32_t bytes)
{
    uint64_t x = n;

    if (count)
        x = bytes == 4u ? gm_ld4((const uint32_t *)count) : gm_ld8((const uint64_t *)count);
    return x < n ? x : n;
}

#endif
