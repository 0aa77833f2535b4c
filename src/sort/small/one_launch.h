/* one_launch.h - a stable LSD radix sort of short and middle arrays in one launch.  Its time hardly
 * depends on keys.
 *
 * All blocks run at once (a cooperative launch).  Each has a slice of the array in its registers.
 * In a pass a block does four things:
 *
 *      rank     the slice by a digit of 8 bits (prim/radix_tile.h)
 *      tell     the others how many items of each bucket it has
 *      read     what all others have said
 *      write    its items to where they belong
 *
 * A count carries a bit that says that it is there, so reading counts is the barrier in the middle
 * of a pass.  Between passes there is another barrier, for the items.
 *
 * A pass in which all items have one digit moves nothing.  Which passes these are is not known
 * before.  So the result may end in the workspace, or as words that are no keys yet.  Then each
 * block copies its slice.
 *
 * After Merrill and Grimshaw (2011).  That counts are their own flags is from look-back (Merrill
 * and Garland 2016).
 *
 * Time, H200, a pass: 4 us up to 2^17 items, then by the bytes moved.
 */
#ifndef CW_SORT_SMALL_ONE_LAUNCH_H
#define CW_SORT_SMALL_ONE_LAUNCH_H

#include "prim/count.h"
#include "sort/small/job.h"

#define COUNTS_JOB           struct small_job
#define COUNTS_ROW           128u
#define COUNTS_ROWS(a, pass) ((a)->counts + (uint64_t)(pass)*GRID_DIM * COUNTS_ROW)
#define COUNTS_MINE(a, pass) ((a)->counts + (uint64_t)((pass)*GRID_DIM + BLOCK_ID) * COUNTS_ROW)
#include "prim/grid_counts.h"

#define SMALL_FLAG TILE_MORE(0) /* whether a bucket has all items */

DEV uint32_t small_items(const struct small_job *a)
{
    return (uint32_t)items_counted(a->n, a->count, a->count_bytes);
}

/* Find where bucket THREAD_ID of the slice goes, to TILE_DELTA.  Returns 1 if all items have one
 * digit. */
DEV int small_delta(const struct small_job *a, uint32_t pass, uint32_t start)
{
    uint32_t before[8], rest[8];
    uint32_t sum, total, first;

    if (THREAD_ID == 0)
        sh_st4(SMALL_FLAG, 0u);
    counts_read(a, pass, before, rest);
    sum = counts_sum(before);
    block_sync();
    total = sum + counts_sum(rest);
    first = tile_scan(total);
    if (THREAD_ID < TILE_BUCKETS) {
        sh_st8(TILE_DELTA + 8u * THREAD_ID, (uint64_t)first + sum - start);
        if (total == small_items(a))
            sh_st4(SMALL_FLAG, 1u);
    }
    block_sync();
    return (int)sh_ld4(SMALL_FLAG);
}

/* Barrier number k of all blocks: what was written before it can be read after it. */
DEV void small_barrier(const struct small_job *a, uint32_t k)
{
    grid_sync(a->barrier, k * GRID_DIM);
}

/* ---- writing -------------------------------------------------------------------------------- */

DEV void small_write_keys(const struct small_job *a, void *out, uint32_t *digits,
                          struct radix_digit d, uint32_t count, int last, uint32_t bytes)
{
    const int back = last && !a->map.plain, wanted = !last || !a->drop_keys;

    UNROLL for (uint32_t k = 0; k < TILE_ITEMS; k++)
    {
        const uint32_t i = k * TILE_THREADS + THREAD_ID;

        digits[k / 4u] = k % 4u ? digits[k / 4u] : 0u;
        if (k >= a->rounds)
            break;
        if (i < count)
            tile_write_key(out, i, k, digits, d, &a->map, back, wanted, bytes);
    }
}

#if defined(PAYLOAD_LOG)
DEV void small_write_payload(void *out, const uint32_t *digits, uint32_t count, uint32_t rounds,
                             uint32_t bytes)
{
    UNROLL for (uint32_t k = 0; k < TILE_ITEMS; k++)
    {
        const uint32_t i = k * TILE_THREADS + THREAD_ID;

        if (k >= rounds)
            break;
        if (i < count)
            tile_write_payload(out, i, k, digits, bytes);
    }
}
#endif

/* Copy the slice to the output, from where the last pass that moved has left it.  `words`: words
 * become keys.  An index that no pass has made is made.  All of it is read before anything is
 * written. */
DEV void small_finish(const struct small_job *a, uint32_t at, uint32_t from, uint32_t count,
                      int words, uint32_t barrier)
{
    struct radix_tile t;
#if defined(PAYLOAD_LOG)
    struct radix_payload v;

    if (a->indexed && at == SORT_IN)
        tile_index_payload(&v, from, a->rounds);
    else
        tile_load_payload(&v, a->values[at], from, count, a->rounds, a->value_bytes, 0);
#endif
    tile_load(&t, a->keys[at], from, count, a->rounds, a->key_bytes, 0);
    small_barrier(a, barrier);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t k = tile_at(i, a->rounds);

        if (i >= a->rounds)
            break;
        if (k < count) {
            if (!a->drop_keys)
                tile_store_key((void *)a->keys[SORT_OUT], (uint64_t)from + k,
                               words ? tile_key(t.x[i], &a->map) : t.x[i], a->key_bytes);
#if defined(PAYLOAD_LOG)
            payload_store((void *)a->values[SORT_OUT], (uint64_t)from + k, v.v[i], a->last_bytes);
#endif
        }
    }
}

/* ---- the sort ------------------------------------------------------------------------------- */

/* Where pass p writes what is at `at`.  The last pass writes to the output, if none is left out. */
DEV uint32_t small_to(const struct small_job *a, uint32_t p, uint32_t at)
{
    const uint32_t to = (a->passes - p) % 2u ? SORT_OUT : SORT_TMP;

    if (at == SORT_IN)
        return a->in_place ? SORT_TMP : to;
    return at == SORT_TMP ? SORT_OUT : SORT_TMP;
}

/* Do one pass of the slice.  Returns 1 if it moved.  `tied` is a constant. */
DEV int small_pass(const struct small_job *a, uint32_t p, uint32_t at, uint32_t to, uint32_t from,
                   uint32_t count, int tied)
{
    const struct radix_digit d =
        tile_digit_by(&a->map, a->first_bit + 8u * p, small_mask(a->bits, p), tied);
    const int last = p + 1u == a->passes;
    uint32_t digits[TILE_ITEMS / 4u];
    uint32_t own = 0, start;
    struct radix_tile t;
#if defined(PAYLOAD_LOG)
    const int made = a->indexed && at == SORT_IN; /* the index, which is not read */
    struct radix_payload v;
#endif

    tile_load(&t, a->keys[at], from, count, a->rounds, a->key_bytes, 0);
    if (at == SORT_IN && !a->map.plain)
        tile_words(&t, &a->map, a->rounds);
    tile_rank(&t, d, count, a->rounds, 0);
    block_sync();
    if (THREAD_ID < TILE_BUCKETS) {
        own = tile_column();
        if (THREAD_ID == TILE_BUCKETS - 1u)
            own -= a->rounds * TILE_THREADS - count;
        counts_publish(a, p, own);
    }
    start = tile_scan(own);
    if (THREAD_ID < TILE_BUCKETS)
        tile_starts(start);
    block_sync();
    tile_exchange(&t, d, count, a->rounds, 0);
#if defined(PAYLOAD_LOG)
    if (!made)
        tile_load_payload(&v, a->values[at], from, count, a->rounds, a->value_bytes, 0);
#endif
    block_sync();
    if (small_delta(a, p, start))
        return 0;
    small_write_keys(a, (void *)a->keys[to], digits, d, count, last, a->key_bytes);
#if defined(PAYLOAD_LOG)
    block_sync();
    if (made)
        tile_exchange_index(&t, from, count, a->rounds, 0);
    else
        tile_exchange_payload(&t, &v, count, a->rounds, 0);
    block_sync();
    small_write_payload((void *)a->values[to], digits, count, a->rounds,
                        last && to == SORT_OUT ? a->last_bytes : a->value_bytes);
#endif
    return 1;
}

DEV void small_sort(const struct small_job *a)
{
    const uint32_t slice = a->rounds * TILE_THREADS;
    const uint32_t n = small_items(a);
    const uint32_t from = BLOCK_ID * slice < n ? BLOCK_ID * slice : n;
    const uint32_t count = n - from < slice ? n - from : slice;
    uint32_t at = SORT_IN, barriers = 0;
    int moved = 0;

    if (!n)
        return; /* as all blocks do */
    ROLL for (uint32_t p = 0; p < a->passes; p++)
    {
        const uint32_t to = small_to(a, p, at);

        if (moved) {
            barriers++;
            small_barrier(a, barriers);
        } else {
            block_sync();
        }
        moved = a->map.tied ? small_pass(a, p, at, to, from, count, 1)
                            : small_pass(a, p, at, to, from, count, 0);
        at = moved ? to : at;
    }
    if (at == SORT_OUT &&
        (moved || (a->map.plain && a->value_bytes == a->last_bytes))) /* all is there */
        return;
    if (at != SORT_IN) {
        barriers++;
        small_barrier(a, barriers);
    }
    small_finish(a, at, from, count, at != SORT_IN && !moved && !a->map.plain, barriers + 1u);
}

#endif
