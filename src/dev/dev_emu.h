/* dev_emu.h - the kernels' vocabulary on the emulator (machine/emu/emu.h).
 *
 * The words of dev_cuda.h, with the same meaning; there is their list.  Each carries the line
 * that it stands in, so that costs and errors have a place in the source.
 *
 * In a shuffle, lane numbers and distances count modulo 32, as on a GPU; with shfl_up a lane
 * that nobody stands below by that much keeps its own value.
 */
#ifndef CW_DEV_EMU_H
#define CW_DEV_EMU_H

#ifdef CW_DEV_MODEL_H
#error "a source file speaks one vocabulary: dev_model.h or dev_emu.h"
#endif

#include "dev/shapes.h"
#include "machine/emu/emu.h"
#include "machine/wavefronts.h"

#define DEV_INLINE static __attribute__((unused))
#define DEV_APART  static __attribute__((unused))
#define rarely(p)  (p)
#define DEV        DEV_INLINE

typedef struct cw_quad vec16;

#define DEV_TEXT2(x) #x
#define DEV_TEXT(x)  DEV_TEXT2(x)
/* "file:line", and behind its end a number: two words of one line have the same text, but at two
 * addresses. */
#define DEV_SITE   (__FILE__ ":" DEV_TEXT(__LINE__) "\0" DEV_TEXT(__COUNTER__))
#define DEV_SITE_2 (__FILE__ ":" DEV_TEXT(__LINE__) " high") /* the second request of a word */

#define THREAD_ID cw_emu_thread(cw_emu_now)
#define BLOCK_ID  cw_emu_block(cw_emu_now)
#define BLOCK_DIM cw_emu_threads(cw_emu_now)
#define GRID_DIM  cw_emu_blocks(cw_emu_now)
#define LANE_ID   (cw_emu_thread(cw_emu_now) % CW_WARP)
#define WARP_ID   (cw_emu_thread(cw_emu_now) / CW_WARP)

#define sh_ld4(at)     cw_emu_read4(cw_emu_now, (at), DEV_SITE)
#define sh_ld8(at)     cw_emu_read8(cw_emu_now, (at), DEV_SITE)
#define sh_ld16(at)    cw_emu_read16(cw_emu_now, (at), DEV_SITE)
#define sh_ld8_all     sh_ld8
#define sh_ld16_all    sh_ld16
#define sh_st4(at, v)  cw_emu_write4(cw_emu_now, (at), (v), DEV_SITE)
#define sh_st8(at, v)  cw_emu_write8(cw_emu_now, (at), (v), DEV_SITE)
#define sh_st16(at, v) cw_emu_write16(cw_emu_now, (at), (v), DEV_SITE)
#define sh_add4(at, v) cw_emu_add4(cw_emu_now, (at), (v), DEV_SITE)
#define sh_inc4(at)    cw_emu_count4(cw_emu_now, (at), DEV_SITE)
#define sh_skip()      cw_emu_skip(cw_emu_now, DEV_SITE)
#define sh_ld4_if(p, at, x) \
    ((p) ? cw_emu_read4(cw_emu_now, (at), DEV_SITE) : (cw_emu_skip(cw_emu_now, DEV_SITE), (x)))

#define sh_ld4x2(at, apart) cw_emu_read_pair(cw_emu_now, (at), (apart), DEV_SITE, DEV_SITE_2)
#define sh_st4x2(at, apart, v) \
    cw_emu_write_pair(cw_emu_now, (at), (apart), (v), DEV_SITE, DEV_SITE_2)

#define gm_ld1(p)     cw_emu_load1(cw_emu_now, (p), DEV_SITE)
#define gm_ld2(p)     cw_emu_load2(cw_emu_now, (p), DEV_SITE)
#define gm_soon(p)    ((void)(p))
#define gm_ld4(p)     cw_emu_load4(cw_emu_now, (p), DEV_SITE)
#define gm_ld8(p)     cw_emu_load8(cw_emu_now, (p), DEV_SITE)
#define gm_ld16(p)    cw_emu_load16(cw_emu_now, (p), DEV_SITE)
#define gm_st1(p, v)  cw_emu_store1(cw_emu_now, (p), (v), DEV_SITE)
#define gm_st2(p, v)  cw_emu_store2(cw_emu_now, (p), (v), DEV_SITE)
#define gm_st4(p, v)  cw_emu_store4(cw_emu_now, (p), (v), DEV_SITE)
#define gm_st8(p, v)  cw_emu_store8(cw_emu_now, (p), (v), DEV_SITE)
#define gm_st16(p, v) cw_emu_store16(cw_emu_now, (p), (v), DEV_SITE)
#define gm_add4(p, v) cw_emu_fetch_add4(cw_emu_now, (p), (v), DEV_SITE)
#define gm_add8(p, v) cw_emu_fetch_add8(cw_emu_now, (p), (v), DEV_SITE)

#define gm_or4(p, v)  cw_emu_update4(cw_emu_now, (p), (v), CW_EMU_OR, CW_EMU_RELAXED, DEV_SITE)
#define gm_max4(p, v) cw_emu_update4(cw_emu_now, (p), (v), CW_EMU_MAX, CW_EMU_RELAXED, DEV_SITE)
#define gm_min4(p, v) cw_emu_update4(cw_emu_now, (p), (v), CW_EMU_MIN, CW_EMU_RELAXED, DEV_SITE)
#define gm_fence()    cw_emu_fence(cw_emu_now, DEV_SITE)
#define GM_ANY(store) GM_ANY_IF(1, store)

#define GM_ANY_IF(p, store) (cw_emu_any(cw_emu_now, (p) != 0), (store), cw_emu_any(cw_emu_now, 0))

#define gm_ld4_relaxed(p)     cw_emu_strong_load4(cw_emu_now, (p), CW_EMU_RELAXED, DEV_SITE)
#define gm_ld8_relaxed(p)     cw_emu_strong_load8(cw_emu_now, (p), CW_EMU_RELAXED, DEV_SITE)
#define gm_ld16_relaxed(p)    cw_emu_strong_load16(cw_emu_now, (p), DEV_SITE)
#define gm_st4_relaxed(p, v)  cw_emu_strong_store4(cw_emu_now, (p), (v), CW_EMU_RELAXED, DEV_SITE)
#define gm_st8_relaxed(p, v)  cw_emu_strong_store8(cw_emu_now, (p), (v), CW_EMU_RELAXED, DEV_SITE)
#define gm_st16_relaxed(p, v) cw_emu_strong_store16(cw_emu_now, (p), (v), DEV_SITE)
#define gm_ld4_acquire(p)     cw_emu_strong_load4(cw_emu_now, (p), CW_EMU_ACQUIRE, DEV_SITE)
#define gm_ld8_acquire(p)     cw_emu_strong_load8(cw_emu_now, (p), CW_EMU_ACQUIRE, DEV_SITE)
#define gm_st4_release(p, v)  cw_emu_strong_store4(cw_emu_now, (p), (v), CW_EMU_RELEASE, DEV_SITE)
#define gm_st8_release(p, v)  cw_emu_strong_store8(cw_emu_now, (p), (v), CW_EMU_RELEASE, DEV_SITE)
#define gm_add4_release(p, v) \
    ((void)cw_emu_update4(cw_emu_now, (p), (v), CW_EMU_PLUS, CW_EMU_RELEASE, DEV_SITE))

#define SPIN_UNTIL(p)                          \
    do {                                       \
        while (!(p))                           \
            cw_emu_spin(cw_emu_now, DEV_SITE); \
        cw_emu_spun(cw_emu_now);               \
    } while (0)

#define gm_wait4(p, mask, value) dev_wait4((p), (mask), (value), DEV_SITE)

static inline uint32_t dev_wait4(const void *p, uint32_t mask, uint32_t value, const char *site)
{
    uint32_t x = cw_emu_strong_load4(cw_emu_now, p, CW_EMU_ACQUIRE, site);

    while ((x & mask) != value) {
        cw_emu_spin(cw_emu_now, site);
        x = cw_emu_strong_load4(cw_emu_now, p, CW_EMU_ACQUIRE, site);
    }
    cw_emu_spun(cw_emu_now);
    return x;
}

#define DEV_MEET(what, x, arg) \
    cw_emu_meet(cw_emu_now, CW_EMU_##what, (x), (uint32_t)(arg), DEV_SITE)

#define shfl4(x, from)     ((uint32_t)DEV_MEET(SHFL, (uint32_t)(x), (from)))
#define shfl8(x, from)     DEV_MEET(SHFL, (uint64_t)(x), (from))
#define shfl_xor4(x, mask) ((uint32_t)DEV_MEET(SHFL_XOR, (uint32_t)(x), (mask)))
#define shfl_xor8(x, mask) DEV_MEET(SHFL_XOR, (uint64_t)(x), (mask))
#define shfl_up4(x, by)    ((uint32_t)DEV_MEET(SHFL_UP, (uint32_t)(x), (by)))
#define shfl_up8(x, by)    DEV_MEET(SHFL_UP, (uint64_t)(x), (by))

#define ballot(p)     ((uint32_t)DEV_MEET(BALLOT, (p) ? 1u : 0u, 0))
#define all_of(p)     ((int)DEV_MEET(ALL, (p) ? 1u : 0u, 0))
#define any_of(p)     ((int)DEV_MEET(ANY, (p) ? 1u : 0u, 0))
#define match_any4(x) ((uint32_t)DEV_MEET(MATCH, (uint32_t)(x), 0))
#define warp_sync()   cw_emu_warp_sync(cw_emu_now, DEV_SITE)
#define block_sync()  cw_emu_block_sync(cw_emu_now, DEV_SITE)

#define warp_sync_mask(mask) cw_emu_warp_sync_mask(cw_emu_now, (mask), DEV_SITE)

/* Words that are made of others stand where they are called. */
#define same_bit(x, k, one) dev_same_bit((x), (k), (one), DEV_SITE)

static inline uint32_t dev_same_bit(uint32_t x, uint32_t k, uint32_t *one, const char *site)
{
    *one = (uint32_t)cw_emu_meet(cw_emu_now, CW_EMU_BALLOT, x >> k & 1u, 0, site);
    return x >> k & 1u ? *one : ~*one;
}

#define and3(x, y, z) ((x) & (y) & (z))
#define rotate4(x, k) ((x) >> (k) | (x) << ((32u - (k)) & 31u))
#define bit_count(x)  ((uint32_t)__builtin_popcount(x))
#define low_bit(x)    ((uint32_t)__builtin_ctz(x))
#define high4(a, b)   ((uint32_t)((uint64_t)(a) * (b) >> 32))
#define mad4(a, b, c) ((uint32_t)(a) * (uint32_t)(b) + (uint32_t)(c))

static inline uint32_t min2x2(uint32_t x, uint32_t y)
{
    const uint32_t low = (x & 0xffffu) < (y & 0xffffu) ? x & 0xffffu : y & 0xffffu;

    return (x >> 16 < y >> 16 ? x >> 16 : y >> 16) << 16 | low;
}

static inline uint32_t max2x2(uint32_t x, uint32_t y)
{
    const uint32_t low = (x & 0xffffu) < (y & 0xffffu) ? y & 0xffffu : x & 0xffffu;

    return (x >> 16 < y >> 16 ? y >> 16 : x >> 16) << 16 | low;
}

static inline uint32_t bytes4(uint32_t x, uint32_t y, uint32_t pick)
{
    const uint64_t all = (uint64_t)y << 32 | x;
    uint32_t z = 0;

    for (uint32_t i = 0; i < 4; i++)
        z |= (uint32_t)(all >> (8u * (pick >> (4u * i) & 7u)) & 255u) << (8u * i);
    return z;
}

#define warp_min4(x) dev_warp_min4((x), DEV_SITE)
#define warp_max4(x) (~dev_warp_min4(~(uint32_t)(x), DEV_SITE))

static inline uint32_t dev_warp_min4(uint32_t x, const char *site)
{
    for (uint32_t d = 16; d; d /= 2) {
        const uint32_t y = (uint32_t)cw_emu_meet(cw_emu_now, CW_EMU_SHFL_XOR, x, d, site);

        x = y < x ? y : x;
    }
    return x;
}

#define forget(x) ((void)(x))
#define UNROLL
#define UNROLL4
#define ROLL

/* What a launch on the emulator takes: NAME_emulated, or NAME_large for a GPU's shapes.  A source
 * whose kernels do not depend on shapes (SHAPES_SAME) has both. */
#define KERNEL(name, type, threads, blocks) \
    DEV_KERNEL_OF(SHAPES_KERNEL(name), type, threads, blocks)
#define DEV_KERNEL_OF(name, type, threads, blocks) DEV_KERNEL(name, type, threads, blocks)
#define DEV_ENTRY(entry, name, type)                      \
    extern void entry(struct cw_emu *e, const void *arg); \
    void entry(struct cw_emu *e, const void *arg)         \
    {                                                     \
        (void)e;                                          \
        name((const type *)arg);                          \
    }

#if defined(SHAPES_SAME)
#define DEV_KERNEL(name, type, threads, blocks) \
    static void name(const type *arg);          \
    DEV_ENTRY(name##_emulated, name, type)      \
    DEV_ENTRY(name##_large, name, type)         \
    static void name(const type *arg)
#elif SHAPES == SHAPES_LARGE
#define DEV_KERNEL(name, type, threads, blocks) \
    static void name(const type *arg);          \
    DEV_ENTRY(name##_large, name, type)         \
    static void name(const type *arg)
#else
#define DEV_KERNEL(name, type, threads, blocks) \
    static void name(const type *arg);          \
    DEV_ENTRY(name##_emulated, name, type)      \
    static void name(const type *arg)
#endif

#endif
