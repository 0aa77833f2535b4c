/* pass.h - one pass of a sort by digits of 8 bits, from the lowest up, for items of any width.
 *
 *      count    chunks: how many keys of each digit
 *      sum      a warp a digit: how many items of the digit stand before each chunk's
 *      move     chunks: items go to where they belong, in their order
 *      keys     keys again, by an index that was moved without them
 *
 * A chunk is moved a tile at a time.  Lanes whose digits agree find each other by votes; a warp's
 * counters stand in shared memory, and sums over warps and digits say where the items of a warp go in
 * the tile.  What is put into order there is only where an item comes from, 4 bytes: then keys,
 * values and index are copied, an array after the other, from a tile's piece of the array, which is in cache, to
 * runs of consecutive places.  So arrays of any width take the same way, and the space is a
 * second array of each (lsd/plan.c).
 *
 * What must not meet: counters of the next tile are cleared by the warp that read them last before
 * the barrier that ends `order`; its order is written after another barrier, behind the copies.
 */
#ifndef CW_SORT_LSD_PASS_H
#define CW_SORT_LSD_PASS_H

#include "dev/kernel.h"
#include "sort/index/job.h"
#include "prim/load_bits.h"
#include "prim/warp_match.h"

#if SHAPES != SHAPES_TINY
#define LSD_ITEMS LSD_PER
#else
#define LSD_ITEMS 3u
#endif

#define LSD_WARPS  (LSD_THREADS / 32u)
#define LSD_COUNT  (LSD_THREADS * LSD_ITEMS)
#define LSD_SUMS   0u   /* u32 a warp */
#define LSD_TOTALS 64u  /* u64 a warp */
#define LSD_DELTA  256u /* u64 a digit: its place in the output, less that in the tile */
#define LSD_COUNTS (LSD_DELTA + 2048u)              /* u32 a warp and digit */
#define LSD_ORDER  (LSD_COUNTS + 1024u * LSD_WARPS) /* u32 an item */
FITS(LSD_SHARED);

/* The tile's place of this thread's item i: a warp has 32 consecutive ones in a round. */
DEV uint32_t lsd_at(uint32_t i)
{
    return (WARP_ID * LSD_ITEMS + i) * 32u + LANE_ID;
}

DEV uint32_t lsd_of(const struct lsd_job *a, uint64_t key)
{
    return (uint32_t)(CW_KEY_TO_WORD(&a->map, key) >> a->shift) & a->mask;
}

/* Digits of this thread's items of the tile, of `count`, that begins at `from`.  `bytes` of a key is a
 * constant: the decision stands outside, so that no load waits for another. */
DEV void lsd_load_of(const struct lsd_job *a, uint32_t *d, uint64_t from, uint32_t count,
                     uint32_t bytes)
{
    UNROLL for (uint32_t i = 0; i < LSD_ITEMS; i++) d[i] =
        lsd_at(i) < count ? lsd_of(a, load_bits(a->keys, from + lsd_at(i), bytes)) : 0u;
}

DEV void lsd_load(const struct lsd_job *a, uint32_t *d, uint64_t from, uint32_t count)
{
    switch (a->key_bytes) {
    case 1:
        lsd_load_of(a, d, from, count, 1u);
        break;
    case 2:
        lsd_load_of(a, d, from, count, 2u);
        break;
    case 4:
        lsd_load_of(a, d, from, count, 4u);
        break;
    default:
        lsd_load_of(a, d, from, count, 8u);
    }
}

/* The items of chunk c: *from .. *to - 1. */
DEV void lsd_chunk(const struct lsd_job *a, uint32_t c, uint64_t *from, uint64_t *to)
{
    *from = c * a->chunk;
    *to = a->n - *from < a->chunk ? a->n : *from + a->chunk;
}

DEV uint32_t lsd_left(uint64_t from, uint64_t to)
{
    return to - from < LSD_COUNT ? (uint32_t)(to - from) : LSD_COUNT;
}

KERNEL(cw_sort_lsd_histogram, struct lsd_job, LSD_THREADS, 4)
{
    ROLL for (uint32_t c = BLOCK_ID; c < arg->chunks; c += GRID_DIM)
    {
        uint64_t from, to;

        lsd_chunk(arg, c, &from, &to);
        sh_st4(4u * THREAD_ID, 0u);
        block_sync();
        ROLL for (; from < to; from += LSD_COUNT)
        {
            const uint32_t count = lsd_left(from, to);
            uint32_t d[LSD_ITEMS];

            lsd_load(arg, d, from, count);
            UNROLL for (uint32_t i = 0; i < LSD_ITEMS; i++)
            {
                if (lsd_at(i) < count)
                    sh_inc4(4u * d[i]);
            }
        }
        block_sync();
        gm_st8(arg->counts + (uint64_t)THREAD_ID * arg->chunks + c,
               (uint64_t)sh_ld4(4u * THREAD_ID));
        block_sync();
    }
}

/* Sum of x over lanes up to this one. */
DEV uint64_t lsd_scan(uint64_t x)
{
    UNROLL for (uint32_t k = 1; k < 32u; k *= 2)
    {
        const uint64_t below = shfl_up8(x, k);

        x += LANE_ID >= k ? below : 0u;
    }
    return x;
}

/* Sum of x over threads below this one; *all: over all.  Barriers around. */
DEV uint64_t lsd_before(uint64_t x, uint64_t *all)
{
    const uint64_t sum = lsd_scan(x);
    uint64_t before = 0;

    if (LANE_ID == 31u)
        sh_st8(LSD_TOTALS + 8u * WARP_ID, sum);
    block_sync();
    *all = 0;
    UNROLL for (uint32_t w = 0; w < LSD_WARPS; w++)
    {
        const uint64_t y = sh_ld8(LSD_TOTALS + 8u * w);

        before += w < WARP_ID ? y : 0u;
        *all += y;
    }
    block_sync();
    return before + sum - x;
}

KERNEL(cw_sort_lsd_scan, struct lsd_job, LSD_THREADS, 1)
{
    ROLL for (uint32_t d = BLOCK_ID * LSD_WARPS + WARP_ID; d < 256u; d += GRID_DIM * LSD_WARPS)
    {
        uint64_t *const counts = arg->counts + (uint64_t)d * arg->chunks;
        uint64_t sum = 0;

        ROLL for (uint32_t c = LANE_ID; c - LANE_ID < arg->chunks; c += 32u)
        {
            const uint64_t x = c < arg->chunks ? gm_ld8(counts + c) : 0u;
            const uint64_t all = lsd_scan(x);

            if (c < arg->chunks)
                gm_st8(counts + c, sum + all - x);
            sum += shfl8(all, 31u);
        }
        if (LANE_ID == 0)
            gm_st8(arg->totals + d, sum);
    }
}

/* Ranks of this thread's items among the warp's of the same digit, above the digit in d. */
DEV void lsd_rank(uint32_t *d, uint32_t count)
{
    const uint32_t counts = LSD_COUNTS + 1024u * WARP_ID;
    const vec16 none = {0, 0, 0, 0};

    UNROLL for (uint32_t b = 0; b < 2u; b++) sh_st16(counts + 16u * (32u * b + LANE_ID), none);
    warp_sync();
    UNROLL for (uint32_t i = 0; i < LSD_ITEMS; i++)
    {
        const int in = lsd_at(i) < count;
        struct votes v;
        uint32_t below, old;

        vote(&v, d[i], ballot(in), 8u, 0, 1);
        below = bit_count(v.peers & ((1u << LANE_ID) - 1u));
        old = sh_ld4(counts + 4u * d[i]);
        warp_sync();
        if (in && below == 0)
            sh_st4(counts + 4u * d[i], old + bit_count(v.peers));
        warp_sync();
        d[i] |= (old + below) << 8;
    }
}

/* The tile's order to LSD_ORDER, and to LSD_DELTA.  *base: where the next item of digit THREAD_ID
 * goes. */
DEV void lsd_order(uint32_t *d, uint32_t count, uint64_t *base)
{
    const uint32_t column = LSD_COUNTS + 4u * THREAD_ID;
    uint64_t all;
    uint32_t total = 0;
    uint32_t before;

    lsd_rank(d, count);
    block_sync();
    UNROLL for (uint32_t w = 0; w < LSD_WARPS; w++) total += sh_ld4(column + 1024u * w);
    before = (uint32_t)lsd_before(total, &all);
    sh_st8(LSD_DELTA + 8u * THREAD_ID, *base - before);
    *base += total;
    UNROLL for (uint32_t w = 0; w < LSD_WARPS; w++)
    {
        const uint32_t x = sh_ld4(column + 1024u * w);

        sh_st4(column + 1024u * w, before);
        before += x;
    }
    block_sync();
    UNROLL for (uint32_t i = 0; i < LSD_ITEMS; i++)
    {
        const uint32_t b = d[i] & 255u;

        if (lsd_at(i) < count)
            sh_st4(LSD_ORDER + 4u * (sh_ld4(LSD_COUNTS + 1024u * WARP_ID + 4u * b) + (d[i] >> 8)),
                   b << 16 | lsd_at(i));
    }
    block_sync();
}

/* Item `from` of an array to place `to` of another; bytes is a constant. */
DEV void lsd_copy_item(const void *in, void *out, uint64_t to, uint64_t from, uint32_t bytes)
{
    if (bytes == 1u)
        gm_st1((uint8_t *)out + to, gm_ld1((const uint8_t *)in + from));
    else if (bytes == 2u)
        gm_st2((uint16_t *)out + to, gm_ld2((const uint16_t *)in + from));
    else if (bytes == 4u)
        gm_st4((uint32_t *)out + to, gm_ld4((const uint32_t *)in + from));
    else if (bytes == 8u)
        gm_st8((uint64_t *)out + to, gm_ld8((const uint64_t *)in + from));
    else
        gm_st16((vec16 *)out + to, gm_ld16((const vec16 *)in + from));
}

/* The tile of one array; bytes is a constant. */
DEV void lsd_copy_of(const struct lsd_array *m, uint64_t from, uint32_t count, uint32_t bytes)
{
    UNROLL4 for (uint32_t i = THREAD_ID; i < count; i += LSD_THREADS)
    {
        const uint32_t e = sh_ld4(LSD_ORDER + 4u * i);

        lsd_copy_item(m->in, m->out, sh_ld8(LSD_DELTA + 8u * (e >> 16)) + i, from + (e & 0xffffu),
                      bytes);
    }
}

/* The same where items are the places they come from. */
DEV void lsd_places(const struct lsd_array *m, uint64_t from, uint32_t count)
{
    UNROLL4 for (uint32_t i = THREAD_ID; i < count; i += LSD_THREADS)
    {
        const uint32_t e = sh_ld4(LSD_ORDER + 4u * i);
        const uint64_t to = sh_ld8(LSD_DELTA + 8u * (e >> 16)) + i;

        if (m->bytes == 4u)
            gm_st4((uint32_t *)m->out + to, (uint32_t)(from + (e & 0xffffu)));
        else
            gm_st8((uint64_t *)m->out + to, from + (e & 0xffffu));
    }
}

DEV void lsd_copy(const struct lsd_array *m, uint64_t from, uint32_t count)
{
    if (!m->in) {
        lsd_places(m, from, count);
        return;
    }
    switch (m->bytes) {
    case 1:
        lsd_copy_of(m, from, count, 1u);
        break;
    case 2:
        lsd_copy_of(m, from, count, 2u);
        break;
    case 4:
        lsd_copy_of(m, from, count, 4u);
        break;
    case 8:
        lsd_copy_of(m, from, count, 8u);
        break;
    default:
        lsd_copy_of(m, from, count, 16u);
    }
}

KERNEL(cw_sort_lsd_scatter, struct lsd_job, LSD_THREADS, 3)
{
    uint64_t all;
    const uint64_t start = lsd_before(gm_ld8(arg->totals + THREAD_ID), &all);

    ROLL for (uint32_t c = BLOCK_ID; c < arg->chunks; c += GRID_DIM)
    {
        uint64_t base = start + gm_ld8(arg->counts + (uint64_t)THREAD_ID * arg->chunks + c);
        uint64_t from, to;

        lsd_chunk(arg, c, &from, &to);
        ROLL for (; from < to; from += LSD_COUNT)
        {
            const uint32_t count = lsd_left(from, to);
            uint32_t d[LSD_ITEMS];

            lsd_load(arg, d, from, count);
            lsd_order(d, count, &base);
            ROLL for (uint32_t m = 0; m < RADIX_MOVED; m++)
            {
                if (arg->moved[m].out)
                    lsd_copy(&arg->moved[m], from, count);
            }
            block_sync();
        }
    }
}

KERNEL(cw_sort_lsd_gather_keys, struct lsd_job, LSD_THREADS, 4)
{
    const struct lsd_array *const k = &arg->moved[0];
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;

    UNROLL4 for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < arg->n; i += step)
    {
        const uint64_t at = arg->index_bytes == 4u ? gm_ld4((const uint32_t *)arg->index + i)
                                                   : gm_ld8((const uint64_t *)arg->index + i);

        if (k->bytes == 4u)
            lsd_copy_item(k->in, k->out, i, at, 4u);
        else
            lsd_copy_item(k->in, k->out, i, at, 8u);
    }
}

#endif
