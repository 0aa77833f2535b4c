/* one.h - a stable partition of an array that all blocks together hold in registers, as of
 * tokens that are routed to experts.
 *
 * Each block has a slice of the array.  It ranks the slice and learns how many items of each bucket
 * are in the slices before it, and in all.  Then it knows where buckets begin, rounded up or not,
 * which block is of which bucket, and where its own items go.  Up to ONE_SELF items, it counts the
 * others itself: one launch.  Of longer arrays, a launch before counts slices: a row of counts each
 * (prim/grid_counts.h).  No block waits for another, and nothing need be cleared.  That is worth a
 * second reading of the keys: a cooperative launch that clears its flags before took the host
 * 3 us more.
 *
 * Labels out of range are in no count.  If fewer items were counted than there are, every block
 * sees it, and none moves anything.
 *
 * After Merrill and Grimshaw (2011): count, scan, scatter.  Time, H200: docs/partition.md.
 */
#ifndef CW_PARTITION_STABLE_ONE_H
#define CW_PARTITION_STABLE_ONE_H

#include "partition/stable/copy.h"
#include "partition/stable/tile.h"

#define COUNTS_JOB           struct stable_job
#define COUNTS_ROW           (uint64_t)(TILE_BUCKETS / 2u)
#define COUNTS_ROWS(a, pass) (a)->slices
#define COUNTS_MINE(a, pass) ((a)->slices + (uint64_t)BLOCK_ID * COUNTS_ROW)
#include "prim/grid_counts.h"

#define ONE_KEPT TILE_MORE(2) /* items that go somewhere */

/* The part of the array that this block moves. */
struct one_slice {
    uint32_t n, from, count, rounds;
};

DEV struct one_slice one_slice_of(const struct stable_job *a)
{
    const uint32_t lanes = TILE_THREADS * GRID_DIM;
    struct one_slice s;
    uint32_t items;

    s.n = (uint32_t)stable_count(a);
    s.rounds = (s.n + lanes - 1u) / lanes;
    items = s.rounds * TILE_THREADS;
    s.from = BLOCK_ID * items < s.n ? BLOCK_ID * items : s.n;
    s.count = s.n - s.from < items ? s.n - s.from : items;
    return s;
}

/* ---- counts of other slices ------------------------------------------------------------------ */

#define ONE_BATCH  8u /* keys that a thread asks for at once */
#define ONE_VALUES 4u /* payloads */

/* Count the keys from `from` to `to`, but for those of a slice: those before it at TILE_COUNTS, those
 * behind it after these.  `bytes` and `plain` are constants. */
DEV void one_count_of(const struct stable_job *a, uint32_t from, uint32_t to,
                      const struct one_slice *skip, uint32_t bytes, int plain)
{
    ROLL for (uint32_t first = from + THREAD_ID; first < to; first += ONE_BATCH * TILE_THREADS)
    {
        key x[ONE_BATCH];

        UNROLL for (uint32_t k = 0; k < ONE_BATCH; k++)
        {
            const uint32_t at = first + k * TILE_THREADS;

            x[k] = at < to ? (key)load_bits(a->keys, at, bytes) : 0u;
        }
        UNROLL for (uint32_t k = 0; k < ONE_BATCH; k++)
        {
            const uint32_t at = first + k * TILE_THREADS;
            const uint32_t behind = at < skip->from ? 0u : 4u * TILE_BUCKETS;

            if (at < to && at - skip->from >= skip->count && x[k] <= a->rule.most)
                sh_inc4(TILE_COUNTS + behind + 4u * stable_digit_of(a, x[k], plain));
        }
    }
}

/* The same.  Clears the counters before; they are free, and whole after a barrier. */
DEV void one_count(const struct stable_job *a, uint32_t from, uint32_t to,
                   const struct one_slice *skip)
{
    ROLL for (uint32_t i = THREAD_ID; i < 2u * TILE_BUCKETS; i += TILE_THREADS)
        sh_st4(TILE_COUNTS + 4u * i, 0u);
    block_sync();
    if (!a->rule.plain)
        one_count_of(a, from, to, skip, a->key_bytes, 0);
#if KEY_LOG == 3
    else
        one_count_of(a, from, to, skip, 8u, 1);
#else
    else if (a->key_bytes == 4u)
        one_count_of(a, from, to, skip, 4u, 1);
    else if (a->key_bytes == 2u)
        one_count_of(a, from, to, skip, 2u, 1);
    else
        one_count_of(a, from, to, skip, 1u, 1);
#endif
    block_sync();
}

/* Of bucket THREAD_ID: items in slices before this one, and in all. */
DEV void one_totals(const struct stable_job *a, const struct one_slice *s, uint32_t own,
                    uint32_t *before, uint32_t *total)
{
    uint32_t x[8], rest[8];

    *before = 0;
    *total = own;
    if (GRID_DIM == 1u)
        return;
    if (a->phase == STABLE_ALL) {
        block_sync(); /* the exchange is done with the counters */
        one_count(a, 0, s->n, s);
        if (THREAD_ID < TILE_BUCKETS) {
            *before = sh_ld4(TILE_COUNTS + 4u * THREAD_ID);
            *total = *before + own + sh_ld4(TILE_COUNTS + 4u * (TILE_BUCKETS + THREAD_ID));
        }
        return;
    }
    counts_read(a, 0, x, rest);
    block_sync();
    *before = counts_sum(x);
    block_sync();
    *total = *before + counts_sum(rest);
}

/* ---- what is written ------------------------------------------------------------------------- */

/* The bucket of each block of pad_to places.  Starts of buckets, in blocks, stand at
 * TILE_COUNTS. */
DEV void one_blocks(const struct stable_job *a, uint32_t all)
{
    const uint64_t step = (uint64_t)GRID_DIM * TILE_THREADS;

    ROLL for (uint64_t i = (uint64_t)BLOCK_ID * TILE_THREADS + THREAD_ID; i < a->block_count;
              i += step)
    {
        uint32_t b = 0;

        UNROLL for (uint32_t by = TILE_BUCKETS / 2u; by; by /= 2u)
        {
            const uint32_t start = sh_ld4(TILE_COUNTS + 4u * (b + by));

            b = start <= i ? b + by : b;
        }
        gm_st4(a->blocks + i, i < all ? b : ~0u);
    }
}

/* Offsets, rounded up or not, and blocks.  Barriers inside. */
DEV void one_tell(const struct stable_job *a, uint32_t first, uint32_t total, uint32_t kept,
                  uint32_t bad)
{
    const uint32_t buckets = a->rule.buckets, b = THREAD_ID;
    const uint64_t none = ~(uint64_t)0;

    if (BLOCK_ID == 0 && a->offsets) {
        if (b < buckets)
            gm_st8(a->offsets + b, bad ? none : first);
        if (b == 0)
            gm_st8(a->offsets + buckets, bad ? none : kept);
    }
    if (a->padded || a->blocks) {
        const uint32_t pads =
            b < buckets && !bad ? (uint32_t)((total + a->pad_to - 1u) / a->pad_to) : 0u;
        uint32_t before, all;

        before = tile_scan(pads);
        if (b < TILE_BUCKETS)
            sh_st4(TILE_COUNTS + 4u * b, before);
        if (b == TILE_BUCKETS - 1u)
            sh_st4(STABLE_TICKET, before + pads);
        block_sync();
        all = sh_ld4(STABLE_TICKET);
        if (a->padded && BLOCK_ID == 0) {
            if (b < buckets)
                gm_st8(a->padded + b, bad ? none : before * a->pad_to);
            if (b == 0)
                gm_st8(a->padded + buckets, bad ? none : all * a->pad_to);
        }
        if (a->blocks)
            one_blocks(a, all);
    }
}

/* Payloads from where they stand to where their items go, some at a time.  `bytes` is a constant. */
DEV void one_values_of(const struct stable_job *a, const struct stable_tile *t,
                       const struct one_slice *s, uint32_t bytes)
{
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i += ONE_VALUES)
    {
        vec16 x[ONE_VALUES];

        if (i >= s->rounds)
            break;
        UNROLL for (uint32_t k = 0; k < ONE_VALUES; k++)
        {
            if (stable_lives(t, i + k, 0))
                x[k] = copy_load(a->values, s->from + tile_at(i + k, s->rounds), bytes);
        }
        UNROLL for (uint32_t k = 0; k < ONE_VALUES; k++)
        {
            if (stable_lives(t, i + k, 0)) {
                const uint64_t delta = sh_ld8(TILE_DELTA + 8u * stable_digit(t->digits, i + k));

                copy_store(a->values_to, delta + tile_place(&t->t, i + k), x[k], bytes);
            }
        }
    }
}

DEV void one_values(const struct stable_job *a, const struct stable_tile *t,
                    const struct one_slice *s)
{
    if (a->value_bytes == 4u)
        one_values_of(a, t, s, 4u);
    else if (a->value_bytes == 8u)
        one_values_of(a, t, s, 8u);
    else if (a->value_bytes == 16u)
        one_values_of(a, t, s, 16u);
    else if (a->value_bytes == 2u)
        one_values_of(a, t, s, 2u);
    else
        one_values_of(a, t, s, 1u);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* The launch before: how many items of each bucket a slice has. */
DEV void one_count_slice(const struct stable_job *a)
{
    const struct one_slice s = one_slice_of(a);
    const struct one_slice none = {s.n, s.n, 0, 0};

    one_count(a, s.from, s.from + s.count, &none);
    if (THREAD_ID < TILE_BUCKETS)
        counts_publish(a, 0, sh_ld4(TILE_COUNTS + 4u * THREAD_ID));
}

DEV void one_move(const struct stable_job *a)
{
    const struct one_slice s = one_slice_of(a);
    uint32_t digits[TILE_ITEMS / DIGIT_PACK];
    uint32_t own, before, total, start, first, kept, bad;
    struct stable_tile t;

    tile_load(&t.t, a->keys, s.from, s.count, s.rounds, a->key_bytes, 0);
    stable_digits(a, &t, s.count, s.rounds, 0);
    stable_rank(&t, s.rounds, 0);
    start = tile_count(STABLE_LIVE, &own);
    stable_exchange(&t, s.rounds, 0);
    one_totals(a, &s, own, &before, &total);
    first = tile_scan(total);
    if (THREAD_ID < TILE_BUCKETS)
        sh_st8(TILE_DELTA + 8u * THREAD_ID, (uint64_t)first + before - start);
    if (THREAD_ID == TILE_BUCKETS - 1u)
        sh_st4(ONE_KEPT, first + total);
    block_sync();
    kept = sh_ld4(ONE_KEPT);
    bad = a->drop ? 0u : s.n - kept;
    if (BLOCK_ID == 0 && THREAD_ID == 0) {
        gm_st4(&a->state->bad, bad);
        gm_st8(a->total, (uint64_t)s.n);
        gm_st8(a->total + 1, (uint64_t)kept);
    }
    if (!bad || a->mark)
        one_tell(a, first, total, kept, bad);
    if (bad)
        return;
    if (a->values_to)
        one_values(a, &t, &s);
    stable_keys(a, digits, sh_ld4(STABLE_LIVE), s.rounds, 0);
    stable_index(a, &t, digits, s.from, s.count, sh_ld4(STABLE_LIVE), s.rounds, 0);
}

DEV void stable_one(const struct stable_job *a)
{
    stable_load_cuts(&a->rule, STABLE_CUTS);
    if (a->phase == STABLE_COUNT)
        one_count_slice(a);
    else
        one_move(a);
}

#endif
