/* item.h - an item of 1 .. 16 bytes as a word of WORD_BYTES, 4, 8 or 16.
 *
 * kernels/words.h includes this for each kind of item: those that are a word, and odd ones, which
 * are less than a word and are read in parts.
 */
#include "dev/kernel.h"

#ifndef CW_OFFLINE_KERNELS_ITEM_H
#define CW_OFFLINE_KERNELS_ITEM_H

/* The first `left` bytes (0 .. 4 or more, of which 4 count), by units of 1, 2 or 4. */
DEV uint32_t plan_load_bytes(const uint8_t *at, uint32_t left, uint32_t unit)
{
    uint32_t x = 0;

    if (left >= 4 && unit >= 4)
        return gm_ld4(at);
    for (uint32_t k = 0; k < 4 && k < left; k += unit)
        x |= (unit == 1 ? gm_ld1(at + k) : gm_ld2(at + k)) << 8 * k;
    return x;
}

DEV void plan_store_bytes(uint8_t *at, uint32_t x, uint32_t left, uint32_t unit)
{
    if (left >= 4 && unit >= 4) {
        gm_st4(at, x);
        return;
    }
    for (uint32_t k = 0; k < 4 && k < left; k += unit) {
        if (unit == 1)
            gm_st1(at + k, x >> 8 * k);
        else
            gm_st2(at + k, x >> 8 * k);
    }
}

#define PLAN_PASTE2(a, b) a##_##b
#define PLAN_PASTE(a, b)  PLAN_PASTE2(a, b)

#endif

#undef PLAN
#undef ITEM_BYTES
#undef ITEM_UNIT
#undef ITEM_WIDE
#undef word
#undef gm_ldw
#undef gm_stw
#undef sh_ldw
#undef sh_stw
#if defined(ITEM_ODD)
#define PLAN(name)      PLAN_PASTE(name##_odd, WORD_BYTES)
#define ITEM_BYTES      arg->bytes
#define ITEM_UNIT       arg->unit
#define ITEM_WIDE(flag) 0
#else
#define PLAN(name)      PLAN_PASTE(name, WORD_BYTES)
#define ITEM_BYTES      WORD_BYTES
#define ITEM_UNIT       4u
#define ITEM_WIDE(flag) (flag)
#endif

#if WORD_BYTES == 4
#define word          uint32_t
#define gm_ldw(p)     gm_ld4(p)
#define gm_stw(p, x)  gm_st4(p, x)
#define sh_ldw(at)    sh_ld4(at)
#define sh_stw(at, x) sh_st4(at, x)
#elif WORD_BYTES == 8
#define word          uint64_t
#define gm_ldw(p)     gm_ld8(p)
#define gm_stw(p, x)  gm_st8(p, x)
#define sh_ldw(at)    sh_ld8(at)
#define sh_stw(at, x) sh_st8(at, x)
#else
#define word          vec16
#define gm_ldw(p)     gm_ld16(p)
#define gm_stw(p, x)  gm_st16(p, x)
#define sh_ldw(at)    sh_ld16(at)
#define sh_stw(at, x) sh_st16(at, x)
#endif

/* Item i of an array of items of so many bytes. */
DEV word PLAN(plan_load)(const void *array, uint64_t i, uint32_t bytes, uint32_t unit)
{
    const uint8_t *const at = (const uint8_t *)array + i * bytes;

    if (bytes == WORD_BYTES)
        return gm_ldw((const word *)array + i);
#if WORD_BYTES == 4
    return plan_load_bytes(at, bytes, unit);
#elif WORD_BYTES == 8
    return (uint64_t)plan_load_bytes(at + 4, bytes - 4, unit) << 32 | plan_load_bytes(at, 4, unit);
#else
    {
        word x;

        x.x = plan_load_bytes(at, 4, unit);
        x.y = plan_load_bytes(at + 4, 4, unit);
        x.z = plan_load_bytes(at + 8, bytes - 8, unit);
        x.w = bytes > 12 ? plan_load_bytes(at + 12, bytes - 12, unit) : 0;
        return x;
    }
#endif
}

DEV void PLAN(plan_store)(void *array, uint64_t i, word x, uint32_t bytes, uint32_t unit)
{
    uint8_t *const at = (uint8_t *)array + i * bytes;

    if (bytes == WORD_BYTES) {
        gm_stw((word *)array + i, x);
        return;
    }
#if WORD_BYTES == 4
    plan_store_bytes(at, x, bytes, unit);
#elif WORD_BYTES == 8
    plan_store_bytes(at, (uint32_t)x, 4, unit);
    plan_store_bytes(at + 4, (uint32_t)(x >> 32), bytes - 4, unit);
#else
    plan_store_bytes(at, x.x, 4, unit);
    plan_store_bytes(at + 4, x.y, 4, unit);
    plan_store_bytes(at + 8, x.z, bytes - 8, unit);
    if (bytes > 12)
        plan_store_bytes(at + 12, x.w, bytes - 12, unit);
#endif
}
