/* scatter_tile.h - one block moves a range of items to their bins, in their order.
 *
 * Items are taken a tile at a time.  A warp has consecutive items of the tile, 32 a round, and
 * counters of its own:
 *
 *      count     every item adds to its warp's counter of its bin
 *      columns   sums over warps and bins: where in the tile the items of each warp and bin go
 *      put       lanes whose items go to one bin find each other by votes, so that a counter is
 *                asked for once a round, whatever the keys are; every item goes to its place
 *      write     the tile is in order now: a bin's items go to consecutive addresses
 *
 * The next tile is loaded before this one is written.  Only the tile and the counters are kept, so
 * that a multiprocessor holds several blocks, which are in different steps.
 *
 * After Merrill and Grimshaw (2011); lanes find each other by votes as in GPU Multisplit (Ashkiani
 * et al. 2016).  It departs in that it counts before it ranks: an item's place is known as soon as
 * it is ranked, and need not be kept in a register.
 *
 * Stable sorts use it, and all sorts for chunks of skewed keys.  Its time depends on keys only by
 * how writes to shared memory meet.
 */
#ifndef CW_SORT_RADIX_SCATTER_TILE_H
#define CW_SORT_RADIX_SCATTER_TILE_H

#include <stddef.h>

#include "sort/radix/histogram.h"
#include "prim/warp_scan.h"

#define TILE_BATCH (TILE_THREADS < 256u ? TILE_THREADS / 32u : 8u)
#define TILE_NONE  ((1u << TILE_BITS) - 1u) /* the bin of no item */

/* Shared memory of a block that has tiles: this, then a counter for each warp and bin, then the
 * tile. */
struct tile_head {
    struct radix_shared all;
    uint64_t delta[RADIX_BINS]; /* from places in the tile to those in the output */
};

/* Of the kernel that does nothing else, and of those that sort medium buckets. */
struct tile_alone {
    struct tile_head head;
    uint32_t counts[TILE_THREADS / 32u][RADIX_BINS];
    item items[TILE_THREADS * TILE_PER];
};

struct tile_medium {
    struct tile_head head;
    uint32_t counts[RADIX_THREADS / 32u][RADIX_BINS];
    item items[RADIX_THREADS * TILE_PER_MEDIUM];
};

#define TILE_DELTA  SHARED_AT(tile_head, delta)
#define TILE_COUNTS SHARED_AT(tile_alone, counts)
#define TILE_AT(threads) \
    (TILE_COUNTS + (threads) / 32u * (uint32_t)sizeof(uint32_t[RADIX_BINS])) /* the tile */

STATIC_ASSERT(TILE_AT(TILE_THREADS) == SHARED_AT(tile_alone, items) &&
                  TILE_AT(RADIX_THREADS) == SHARED_AT(tile_medium, items),
              "tiles stand where TILE_AT does not say");

/* Digits are made again from items, as registers are too few to keep them.  The compiler must not
 * know that they are the same. */
#if !defined(__CUDACC__)
#define tile_forget(x) ((void)(x))
#elif PAYLOAD_BYTES || KEY_LOG == 3
#define tile_forget(x) asm volatile("" : "+l"(x))
#else
#define tile_forget(x) asm volatile("" : "+r"(x))
#endif

/* Lanes whose b is the same.  In sorted arrays that is mostly all of them, which saves the
 * votes. */
DEV uint32_t tile_peers(uint32_t b)
{
    uint32_t peers = 0xffffffffu;

    if (all_of(b == shfl4(b, 0)))
        return peers;
    UNROLL for (uint32_t i = 0; i < TILE_BITS; i++)
    {
        const uint32_t one = ballot(b >> i & 1u);

        peers &= b >> i & 1u ? one : ~one;
    }
    return peers;
}

/* Exclusive prefix sums over the bins' x, one a thread. */
DEV uint32_t scan_bins(uint32_t x)
{
    const uint32_t sum = warp_scan(x);
    uint32_t before = 0;

    if (LANE_ID == 31u)
        sh_st4(SH_MISC + MISC_WARP + 4u * WARP_ID, sum);
    block_sync();
    UNROLL for (uint32_t w = 0; w < (RADIX_BINS - 1u) / 32u; w++)
    {
        const uint32_t of = sh_ld4(SH_MISC + MISC_WARP + 4u * w);

        before += w < WARP_ID ? of : 0u;
    }
    return before + sum - x;
}

/* Load this thread's items of the tile at `from`, of at most `left` items. */
DEV void tile_load(item *x, const struct radix_job *j, uint32_t at, uint64_t from, uint64_t left,
                   uint32_t threads, uint32_t per)
{
    const uint32_t first = WARP_ID * 32u * per + LANE_ID;
    const key *const keys = keys_at(j, at) + from + first;
#if PAYLOAD_BYTES
    const uint32_t *const values = values_at(j, at) + from + first;
#else
    const uint32_t *const values = NULL;
#endif

    if (left >= threads * per) {
        UNROLL for (uint32_t i = 0; i < per; i++) x[i] = load_item(keys, values, 32u * i);
    } else {
        UNROLL for (uint32_t i = 0; i < per; i++) x[i] =
            first + 32u * i < left ? load_item(keys, values, 32u * i) : 0u;
    }
}

/* Count the items of each bin in this warp.  Returns 1 if there is only one bin, which saves all
 * votes (sorted arrays).  TILE_LAST becomes the last warp's bin, if it has only one. */
DEV int tile_count(const item *x, uint32_t count, struct digit d, uint32_t per, int full)
{
    const uint32_t first = WARP_ID * 32u * per + LANE_ID;
    const uint32_t counts = TILE_COUNTS + 4u * RADIX_BINS * WARP_ID;
    const uint32_t one = shfl4(item_digit(x[0], d), 0);
    uint32_t other = !full;

    UNROLL for (uint32_t b = 0; b < RADIX_BINS; b += 32u)
    {
        if (b + 32u <= RADIX_BINS || b + LANE_ID < RADIX_BINS)
            sh_st4(counts + 4u * (b + LANE_ID), 0u);
    }
    warp_sync();
    UNROLL for (uint32_t i = 0; i < per; i++)
    {
        const uint32_t b = item_digit(x[i], d);

        other |= b ^ one;
        if (full || first + 32u * i < count)
            sh_inc4(counts + 4u * b);
    }
    other = !all_of(other == 0);
    if (THREAD_ID == BLOCK_DIM - 32u)
        sh_st4(SH_MISC + TILE_LAST, other ? RADIX_BINS : one);
    block_sync();
    return !other;
}

/* Sums over warps and bins: counters become places in the tile.  SH_BASE moves on. */
DEV void tile_columns(uint32_t bins, uint32_t threads)
{
    const uint32_t to = TILE_COUNTS + 4u * THREAD_ID;
    uint32_t total = 0;
    uint32_t start;

    if (THREAD_ID < bins) {
        UNROLL for (uint32_t w = 0; w < threads / 32u; w++) total +=
            sh_ld4(to + 4u * RADIX_BINS * w);
    }
    start = scan_bins(total);
    if (THREAD_ID < bins) {
        const uint64_t base = sh_ld8(SH_BASE + 8u * THREAD_ID);

        sh_st8(TILE_DELTA + 8u * THREAD_ID, base - start);
        sh_st8(SH_BASE + 8u * THREAD_ID, base + total);
        UNROLL for (uint32_t w = 0; w < threads / 32u; w += TILE_BATCH)
        {
            uint32_t count[TILE_BATCH];

            UNROLL for (uint32_t k = 0; k < TILE_BATCH; k++) count[k] =
                sh_ld4(to + 4u * RADIX_BINS * (w + k));
            UNROLL for (uint32_t k = 0; k < TILE_BATCH; k++)
            {
                sh_st4(to + 4u * RADIX_BINS * (w + k), start);
                start += count[k];
            }
        }
    }
    block_sync();
}

/* Put items to their places in the tile, in the order of the array among those of a bin. */
DEV void tile_put(const item *x, uint32_t count, struct digit d, uint32_t threads, uint32_t per,
                  int full)
{
    const uint32_t first = WARP_ID * 32u * per + LANE_ID;
    const uint32_t counts = TILE_COUNTS + 4u * RADIX_BINS * WARP_ID;

    UNROLL for (uint32_t i = 0; i < per; i++)
    {
        const int there = full || first + 32u * i < count;
        const uint32_t b = there ? item_digit(x[i], d) : TILE_NONE;
        const uint32_t peers = tile_peers(b);
        const uint32_t below = bit_count(peers & ((1u << LANE_ID) - 1u));
        const uint32_t at = there ? sh_ld4(counts + 4u * b) : 0u;

        warp_sync();
        if (there && below == 0)
            sh_st4(counts + 4u * b, at + bit_count(peers));
        warp_sync();
        if (there)
            sh_st_item(TILE_AT(threads) + (at + below) * ITEM_BYTES, x[i]);
    }
}

/* Put the items of a warp that has one bin. */
DEV void tile_put_one(const item *x, struct digit d, uint32_t threads, uint32_t per)
{
    const uint32_t b = item_digit(x[0], d);
    const uint32_t at = sh_ld4(TILE_COUNTS + 4u * (RADIX_BINS * WARP_ID + b)) + LANE_ID;

    UNROLL for (uint32_t i = 0; i < per; i++)
        sh_st_item(TILE_AT(threads) + (at + 32u * i) * ITEM_BYTES, x[i]);
}

/* May several chunks write to one place?  They may in counted bins of a tree, whose keys are
 * written later. */
#define tile_meets(d) (RADIX_COUNTS && (d).tree)

/* Write the tile, which stands in order. */
DEV void tile_write(const struct radix_job *j, uint32_t at, uint32_t count, struct digit d,
                    uint32_t threads)
{
    key *const keys = (key *)keys_at(j, moved_to(at));
    uint32_t *const values = (uint32_t *)values_at(j, moved_to(at));

    UNROLL4 for (uint32_t i = THREAD_ID; i < count; i += threads)
    {
        const item y = sh_ld_item(TILE_AT(threads) + i * ITEM_BYTES);
        const uint64_t delta = sh_ld8(TILE_DELTA + 8u * item_digit(y, d));

        GM_ANY_IF(tile_meets(d), store_item(keys, values, delta + i, y));
    }
}

/* ---- tiles of one bin ------------------------------------------------------------------------ */

/* A sorted array has long runs of items of one bin.  A tile of one bin is written from registers.
 * If the bin's range of keys is known, as a tree's is, its digits are not even made. */
struct tile_run {
    uint32_t bin; /* RADIX_BINS: none is expected */
    uint32_t which;
    key lo, last; /* of a tree's bin: its words */
    uint64_t to;  /* where its next item goes */
    int moved;    /* by this run */
};

DEV void run_begin(struct tile_run *r)
{
    r->bin = RADIX_BINS;
    r->which = 0;
    r->lo = 0;
    r->last = 0;
    r->to = 0;
    r->moved = 0;
    if (THREAD_ID < 2u)
        sh_st4(SH_MISC + TILE_OTHERS + 4u * THREAD_ID, 0u);
}

/* After a tile whose last warp had bin b alone, expect more of it (RADIX_BINS: of none).  SH_BASE
 * says where they go. */
DEV void run_expect(struct tile_run *r, const struct radix_job *j, uint32_t b, struct digit d)
{
    r->bin = b;
    r->moved = 0;
    if (b == RADIX_BINS)
        return;
    r->to = sh_ld8(SH_BASE + 8u * b);
    if (d.tree) {
        r->lo = b ? (key)(gm_ld8(&j->tree_ends[b - 1u]) + 1u) : 0u;
        r->last = (key)gm_ld8(&j->tree_ends[b]) - r->lo;
    }
}

/* Do all items of the tile have the expected bin?  Two tiles use two flags by turns, so that one
 * barrier is enough. */
DEV int run_goes_on(struct tile_run *r, const item *x, struct digit d, uint32_t per)
{
    const uint32_t flag = SH_MISC + TILE_OTHERS + 4u * r->which;
    uint32_t others = 0;

    if (r->bin == RADIX_BINS)
        return 0;
    UNROLL for (uint32_t i = 0; i < per; i++)
    {
        if (d.tree)
            others |= word_of((key)x[i], d) - r->lo > r->last;
        else
            others |= item_digit(x[i], d) ^ r->bin;
    }
    if (any_of(others != 0) && LANE_ID == 0)
        sh_add4(flag, 1u);
    r->which ^= 1u;
    block_sync();
    return sh_ld4(flag) == 0;
}

/* Write a tile of the run from registers. */
DEV void run_write(struct tile_run *r, const item *x, const struct radix_job *j, uint32_t at,
                   struct digit d, uint32_t threads, uint32_t per)
{
    const uint64_t first = r->to + WARP_ID * 32u * per + LANE_ID;
    key *const keys = (key *)keys_at(j, moved_to(at));
    uint32_t *const values = (uint32_t *)values_at(j, moved_to(at));

    UNROLL for (uint32_t i = 0; i < per; i++)
        GM_ANY_IF(tile_meets(d), store_item(keys, values, first + 32u * i, x[i]));
    r->to += threads * per;
    r->moved = 1;
    (void)d;
}

/* Bring SH_BASE up to date before a tile of several bins.  tile_count's barrier follows. */
DEV void run_end(const struct tile_run *r)
{
    if (r->moved && THREAD_ID == 0)
        sh_st8(SH_BASE + 8u * r->bin, r->to);
}

/* Move items from .. to - 1, by a block of `threads` with `per` items each.  Both are constants,
 * and so is `runs`: look for runs of one bin.  SH_BASE says where the bins' next items go.
 *
 * Barriers: counts of the next tile may be written while others still write this tile from shared
 * memory.  Its places and items may not, and are not: tile_count ends with a barrier. */
DEV void tile_range_of(const struct radix_job *j, uint32_t at, uint64_t from, uint64_t to,
                       struct digit d, uint32_t bins, uint32_t threads, uint32_t per, int runs)
{
    const uint32_t items = threads * per;
    struct tile_run run;
    item x[32];

    run_begin(&run);
    tile_load(x, j, at, from, to - from, threads, per);
    ROLL for (; to - from >= items; from += items)
    {
        if (runs && run_goes_on(&run, x, d, per)) {
            run_write(&run, x, j, at, d, threads, per);
            if (to - from > items)
                tile_load(x, j, at, from + items, to - from - items, threads, per);
        } else {
            uint32_t last;
            int one;

            run_end(&run);
            one = tile_count(x, items, d, per, 1);
            last = sh_ld4(SH_MISC + TILE_LAST);
            if (THREAD_ID < 2u)
                sh_st4(SH_MISC + TILE_OTHERS + 4u * THREAD_ID, 0u);
            tile_columns(bins, threads);
            UNROLL for (uint32_t i = 0; i < per; i++) tile_forget(x[i]);
            if (one)
                tile_put_one(x, d, threads, per);
            else
                tile_put(x, items, d, threads, per, 1);
            block_sync();
            if (to - from > items)
                tile_load(x, j, at, from + items, to - from - items, threads, per);
            tile_write(j, at, items, d, threads);
            if (runs)
                run_expect(&run, j, last, d);
        }
    }
    if (from < to) {
        const uint32_t count = (uint32_t)(to - from);

        run_end(&run);
        (void)tile_count(x, count, d, per, 0);
        tile_columns(bins, threads);
        UNROLL for (uint32_t i = 0; i < per; i++) tile_forget(x[i]);
        tile_put(x, count, d, threads, per, 0);
        block_sync();
        tile_write(j, at, count, d, threads);
    }
    block_sync();
}

#endif
