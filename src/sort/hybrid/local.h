/* local.h - a block sorts a group of items, stably, in shared memory: the last step of the hybrid
 * sort, and all of the sort of a short array.
 *
 * Words stay in shared memory where they are loaded.  A *tag* moves instead: the place of an item's
 * word.  Items are sorted by a *prefix* of their words: the 16 bits from the highest one in which
 * words of the group differ.  That takes two passes over 8 bits (prim/radix_tile.h).  A pass needs
 * no bits of the passes before it, so prefix and tag fit in 32 bits from the first exchange on.
 * With a prefix of 24 bits:
 *
 *      rank by bits 0 - 7     ->  bits 8 - 23, tag
 *      rank by bits 8 - 15    ->  the same
 *      rank by bits 16 - 23   ->  tags in order
 *
 * Neighbours that are out of order after that share a prefix.  local_runs.h puts them right; a
 * group of random words has some hundred.  If they are too many, a prefix of 24 bits is tried, then
 * all bits, 24 at a time from the lowest up.  So a group takes at most seven times the passes that
 * random words take.  An array of one block begins with 24 bits and takes at most four times the
 * passes.  Keys are written by their tags.  Payloads go through shared memory once.
 *
 * Places behind the last item of a group are filled with items whose prefix is the largest.  They
 * end up where they began, so only loads and stores ask which items there are.
 *
 * After Stehle and Jacobsen (2017), whose local sort moves whole items by all of their bits.
 *
 * The includer defines LOCAL_KEY_LOG: 3, or 2 for keys of 1, 2 and 4 bytes.  KEY_LOG is 2, for what
 * moves in passes.
 */
#ifndef CW_SORT_HYBRID_LOCAL_H
#define CW_SORT_HYBRID_LOCAL_H

#define TILE_PLACES_APART
#define TILE_STEP LOCAL_STEP
#include "dev/kernel.h"
/* By one instruction as elsewhere, ptxas of CUDA 13.0 runs out of predicates in k8_v16_local. */
#define and3(x, y, z) ((x) & (y) & (z))
#include "prim/radix_tile.h"
#include "sort/hybrid/job.h"

#include "sort/hybrid/local_out.h"

#include "sort/hybrid/local_runs.h"

#define LOCAL_PREFIX 24u  /* bits, at most */
#define LOCAL_SHORT  512u /* items of a group for which 16 bits are enough */
#if defined(BLOCK_ALONE)
#define LOCAL_FIRST 24u /* bits that are tried first: mending takes one block as long as a pass */
#else
#define LOCAL_FIRST 16u
#endif

/* ---- by 24 bits ----------------------------------------------------------------------------- */

/* 24 bits of the words, from bit `from` on. */
DEV void local_prefixes(const struct local *l, const struct local_items *x, struct radix_tile *t,
                        uint32_t from)
{
    const uint32_t first = local_place(l);
    const uint32_t all = (1u << LOCAL_PREFIX) - 1u;

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (LOCAL_ENDS(l, i))
            break;
        t->x[i] = (uint32_t)((local_word(local_tag(x, i)) - l->least) >> from) & all;
        if (first + 32u * i >= l->count)
            t->x[i] = all;
    }
}

/* Turn the counters of all warps into first places. */
DEV void local_count(void)
{
    const uint32_t at = TILE_COUNTS + 4u * THREAD_ID;
    uint32_t own[TILE_WARPS], sum = 0, start;

    block_sync();
    UNROLL for (uint32_t w = 0; w < TILE_WARPS; w++)
    {
        own[w] = 0;
        if (THREAD_ID < TILE_BUCKETS)
            own[w] = sh_ld4(at + 4u * TILE_BUCKETS * w);
        sum += own[w];
    }
    start = tile_scan(sum);
    if (THREAD_ID < TILE_BUCKETS) {
        UNROLL for (uint32_t w = 0; w < TILE_WARPS; w++)
        {
            sh_st4(at + 4u * TILE_BUCKETS * w, start);
            start += own[w];
        }
    }
    block_sync();
}

/* Write what t->x has of items to the places of a digit.  In the first pass that is a prefix, and
 * tags join it. */
DEV void local_exchange(const struct local *l, const struct radix_tile *t, struct radix_digit d,
                        const struct local_items *x, uint32_t pass)
{
    const uint32_t counts = TILE_COUNTS + 4u * TILE_BUCKETS * WARP_ID;

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        uint32_t place;

        if (LOCAL_ENDS(l, i))
            break;
        place = tile_place(t, i) + sh_ld4(counts + 4u * tile_digit(t->x[i], d));
        sh_st4(TILE_BUFFER + 4u * tile_swizzle(place),
               pass ? t->x[i] : t->x[i] >> 8 << 16 | local_tag(x, i));
    }
    block_sync();
}

/* Sort by `passes` times 8 bits: from prefixes in t and tags in x, to the buffer. */
DEV void local_order(const struct local *l, struct radix_tile *t, const struct local_items *x,
                     uint32_t passes)
{
    const uint32_t first = local_place(l);
    ROLL for (uint32_t pass = 0; pass < passes; pass++)
    {
        const struct radix_digit d =
            tile_digit_by(&l->job->map, pass ? 8u + 8u * pass : 0u, 255u, 0);

        if (pass) {
            UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
            {
                if (LOCAL_ENDS(l, i))
                    break;
                t->x[i] = sh_ld4(TILE_BUFFER + 4u * tile_swizzle(first + 32u * i));
            }
        }
        tile_rank(t, d, l->count, l->rounds, TILE_WHOLE_ROUNDS);
        local_count();
        local_exchange(l, t, d, x, pass);
    }
}

/* Are items that were sorted from bit `from` on in order?  If nearly, they are mended. */
DEV uint32_t local_is_sorted(const struct local *l, struct local_items *x, uint32_t from)
{
    const uint32_t found = from ? local_unordered(l, x) : 0u;
    uint32_t left;

    if (!found)
        return 1;
    left = local_runs(l, l->drop + from, found);
    local_take(l, x);
    return !left;
}

/* Sort the items into x: by a prefix, by a longer one, or by all bits from the lowest up. */
DEV void local_sort(const struct local *l, struct local_items *x, uint32_t bits)
{
    uint32_t width = l->count <= LOCAL_SHORT ? 16u : LOCAL_FIRST;
    uint32_t from = bits > width ? bits - width : 0u, all = 0;
    struct radix_tile t;

    local_first_tags(l, x);
    ROLL for (;;)
    {
        const uint32_t left = bits - from;

        local_prefixes(l, x, &t, l->drop + from);
        local_order(l, &t, x, left > 16u ? 3u : left > 8u ? 2u : 1u);
        local_take(l, x);
        if (all) {
            from += LOCAL_PREFIX;
            if (from >= bits)
                return;
        } else {
            if (all_of(
                    local_is_sorted(l, x, from))) /* which they agree on; so the compiler knows */
                return;
            all = width == LOCAL_PREFIX;
            width = LOCAL_PREFIX;
            from = all || bits < width ? 0u : bits - width;
            local_runs_again();
        }
    }
}

DEV void hybrid_local(const struct hybrid_job *a)
{
    struct local_items x;
    struct local l;
    uint32_t bits;

    if (a->gate && gm_ld4(a->gate))
        return;
    local_begin(&l, a);
    if (!l.count)
        return;
    bits = local_load(&l);
    local_sort(&l, &x, bits);
    local_write_keys(&l, &x);
#if defined(PAYLOAD_LOG)
    local_write_payload(&l, &x);
#endif
}

#endif
