/* element.h - elements of 1 << VALUE_LOG bytes, in registers, shared and global memory.
 *
 * In shared memory an element has a word of 4 bytes at least.  same_value passes an element from a
 * lane to itself: a compiler that moves loads behind branches cannot move one past that.
 */
#ifndef CW_PRIM_ELEMENT_H
#define CW_PRIM_ELEMENT_H

#include "dev/kernel.h"

#define VALUE_BYTES (1u << VALUE_LOG)
#define VALUE_WORD  (VALUE_LOG < 2 ? 4u : VALUE_BYTES)

#define value_at(array, i) ((const uint8_t *)(array) + (uint64_t)(i)*VALUE_BYTES)
#define value_to(array, i) ((uint8_t *)(array) + (uint64_t)(i)*VALUE_BYTES)

#if VALUE_LOG == 4
typedef vec16 value;
#define same_value(to, v)               \
    do {                                \
        (to).x = shfl4((v).x, LANE_ID); \
        (to).y = shfl4((v).y, LANE_ID); \
        (to).z = shfl4((v).z, LANE_ID); \
        (to).w = shfl4((v).w, LANE_ID); \
    } while (0)
#define VALUE_ZERO     \
    {                  \
        0u, 0u, 0u, 0u \
    }
#define gm_ld_value(p)     gm_ld16(p)
#define gm_st_value(p, v)  gm_st16(p, v)
#define sh_ld_value(at)    sh_ld16(at)
#define sh_st_value(at, v) sh_st16(at, v)
#elif VALUE_LOG == 3
typedef uint64_t value;
#define same_value(to, v)  ((to) = shfl8(v, LANE_ID))
#define VALUE_ZERO         0u
#define gm_ld_value(p)     gm_ld8(p)
#define gm_st_value(p, v)  gm_st8(p, v)
#define sh_ld_value(at)    sh_ld8(at)
#define sh_st_value(at, v) sh_st8(at, v)
#else
typedef uint32_t value;
#define same_value(to, v)  ((to) = shfl4(v, LANE_ID))
#define VALUE_ZERO         0u
#define sh_ld_value(at)    sh_ld4(at)
#define sh_st_value(at, v) sh_st4(at, v)
#if VALUE_LOG == 2
#define gm_ld_value(p)    gm_ld4(p)
#define gm_st_value(p, v) gm_st4(p, v)
#elif VALUE_LOG == 1
#define gm_ld_value(p)    gm_ld2(p)
#define gm_st_value(p, v) gm_st2(p, v)
#else
#define gm_ld_value(p)    gm_ld1(p)
#define gm_st_value(p, v) gm_st1(p, v)
#endif
#endif

#endif
