/* least.h - the lesser of two. */
#ifndef CW_PRIM_LEAST_H
#define CW_PRIM_LEAST_H

#include "dev/kernel.h"

DEV uint32_t least4(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

DEV uint64_t least8(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The lesser of what is left and b. */
DEV uint32_t least_of(uint64_t a, uint32_t b)
{
    return a < b ? (uint32_t)a : b;
}

#endif
