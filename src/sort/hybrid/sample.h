/* sample.h - hybrid sort: a sample of the keys makes the bucket map, or leaves the array to the LSD
 * sort.
 *
 * The array is cut in as many parts as there are samples.  Each part gives the key at a place that a
 * seed draws, so that no array can be made to look even when it is not.  All blocks of a launch
 * gather the samples: one multiprocessor alone would take long to load so many lines.
 *
 * Then one block looks at them.  Half of the buckets are given to cells of the sampled range by
 * their shares of the sample, the other half evenly: a cell that chance has left without samples has
 * buckets, too.  Then the samples are counted by bucket: where one bucket has so many that it cannot
 * fit in a group, keys are too few or too uneven for the map, and the LSD sort does the work.  In a
 * long array a bucket's samples are too few to tell.  But runs of equal keys that are longer than a
 * bucket may be show where a key equals one so far away.
 *
 * Counts of buckets are bytes, four in a word.  One that overflows has been found too large before.
 *
 * prim/bucket_map.h says whose idea the map is.
 */
#ifndef CW_SORT_HYBRID_SAMPLE_H
#define CW_SORT_HYBRID_SAMPLE_H

#include "prim/block_scan.h"
#include "sort/hybrid/job.h"

#define SAMPLE_RUNS  64u /* one in so many samples of long runs is too much */
#define SAMPLE_WARPS (SAMPLE_THREADS / 32u)
#define SAMPLE_OWN   (BUCKET_CELLS_COUNT / SAMPLE_THREADS) /* cells of a thread */

/* Shared memory. */
struct sample_shared {
    uint32_t sums[32];            /* of each warp */
    uint64_t least[32], most[32]; /* the same */
    uint32_t leave;               /* is the array left to the LSD sort? */
    uint32_t same;                /* samples of long runs of equal keys */
    uint32_t unused[94];
    uint32_t cells[BUCKET_CELLS_COUNT];
    uint8_t counts[HYBRID_TWO]; /* a byte a bucket */
};

#define SAMPLE_SUMS   SHARED_AT(sample_shared, sums)
#define SAMPLE_LEAST  SHARED_AT(sample_shared, least)
#define SAMPLE_MOST   SHARED_AT(sample_shared, most)
#define SAMPLE_LEAVE  SHARED_AT(sample_shared, leave)
#define SAMPLE_SAME   SHARED_AT(sample_shared, same)
#define SAMPLE_CELLS  SHARED_AT(sample_shared, cells)
#define SAMPLE_COUNTS SHARED_AT(sample_shared, counts)
#define SAMPLE_SHARED ((uint32_t)sizeof(struct sample_shared))

/* 32 bits drawn for sample i. */
DEV uint32_t sample_drawn(uint64_t seed, uint32_t i)
{
    uint32_t x = (uint32_t)seed ^ (i + 1u) * 0x9e3779b9u;

    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13 ^ (uint32_t)(seed >> 32)) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

DEV uint32_t sample_count(const struct hybrid_job *a)
{
    return SAMPLE_THREADS * a->sample_rounds;
}

/* Items that a bucket may have. */
DEV uint32_t sample_room(const struct hybrid_job *a)
{
    return a->passes == 1u ? a->capacity : a->capacity - a->span;
}

/* Samples are gathered as words whose highest bit is bit 63.  Behind them all stands of each whether
 * a key that is further away than a bucket may be long is the same.  How far is drawn, too, so that
 * an array that repeats itself does not look so. */
DEV void hybrid_gather(const struct hybrid_job *a)
{
    const uint64_t *const in = (const uint64_t *)a->keys_in;
    const uint32_t count = sample_count(a), room = sample_room(a);
    const uint64_t stride = a->n / count;

    ROLL for (uint32_t i = THREAD_ID * GRID_DIM + BLOCK_ID; i < count; i += BLOCK_DIM * GRID_DIM)
    {
        const uint64_t at = i * stride + high4((uint32_t)stride, sample_drawn(a->seed, i));
        const uint64_t far = at + room + high4(room / 8u, sample_drawn(a->seed, i + count));
        const key x = gm_ld8(in + at);
        const key y = gm_ld8(in + (far < a->n ? far : at));

        gm_st8(a->sample + i, bucket_word(x, &a->map) << (64u - a->bits));
        gm_st8(a->sample + count + i, (uint64_t)(x == y && far < a->n));
    }
}

/* Sample k of this thread.  It is read again whenever it is wanted: short code counts for more here
 * than a second look at the cache. */
DEV key sample_word(const struct hybrid_job *a, uint32_t k)
{
    return gm_ld8(a->sample + k * SAMPLE_THREADS + THREAD_ID);
}

/* The least and the greatest sample, to all threads.  Counts samples of long runs. */
DEV void sample_range(const struct hybrid_job *a, key *least, key *most)
{
    key lo = (key) ~(key)0, hi = 0;
    uint32_t same = 0;

    UNROLL4 for (uint32_t k = 0; k < a->sample_rounds; k++)
    {
        const key w = sample_word(a, k);

        lo = w < lo ? w : lo;
        hi = w > hi ? w : hi;
        same += (uint32_t)sample_word(a, a->sample_rounds + k);
    }
    UNROLL for (uint32_t by = 16; by; by /= 2)
    {
        const key x = shfl_xor8(lo, by), y = shfl_xor8(hi, by);

        lo = x < lo ? x : lo;
        hi = y > hi ? y : hi;
    }
    if (LANE_ID == 0) {
        sh_st8(SAMPLE_LEAST + 8u * WARP_ID, lo);
        sh_st8(SAMPLE_MOST + 8u * WARP_ID, hi);
    }
    block_sync();
    if (same)
        sh_add4(SAMPLE_SAME, same);
    ROLL for (uint32_t k = 0; k < SAMPLE_WARPS; k++)
    {
        const key x = sh_ld8(SAMPLE_LEAST + 8u * k);
        const key y = sh_ld8(SAMPLE_MOST + 8u * k);

        lo = x < lo ? x : lo;
        hi = y > hi ? y : hi;
    }
    *least = lo;
    *most = hi;
}

DEV uint32_t zeros_above(uint64_t x)
{
    uint32_t zeros = 0;

    ROLL for (uint32_t by = 32; by; by /= 2)
    {
        if (!(x >> (64u - by))) {
            zeros += by;
            x <<= by;
        }
    }
    return zeros;
}

/* Counts of cells become first buckets and numbers of buckets; `cells` are reached by the range. */
DEV void sample_cells(const struct hybrid_job *a, uint32_t buckets, uint32_t cells)
{
    const uint32_t even = (sample_count(a) + cells - 1u) / cells;
    uint32_t count[SAMPLE_OWN];
    uint32_t sum = 0, before, all;

    UNROLL for (uint32_t k = 0; k < SAMPLE_OWN; k++)
    {
        const uint32_t c = SAMPLE_OWN * THREAD_ID + k;

        count[k] = sh_ld4(SAMPLE_CELLS + 4u * c) + (c < cells ? even : 0u);
        sum += count[k];
    }
    before = sum;
    all = block_scan_items(&before, 1, 0, SAMPLE_SUMS);
    UNROLL for (uint32_t k = 0; k < SAMPLE_OWN; k++)
    {
        const uint32_t c = SAMPLE_OWN * THREAD_ID + k;
        const uint32_t first = (uint32_t)((uint64_t)before * buckets / all);
        const uint32_t end = (uint32_t)((uint64_t)(before + count[k]) * buckets / all);
        const uint32_t wide = end - first < 0xffffu ? end - first : 0xffffu;
        const uint32_t cell = (first < buckets ? first : buckets - 1u) | wide << 16;

        sh_st4(SAMPLE_CELLS + 4u * c, cell);
        gm_st4(a->buckets->cells + c, cell);
        before += count[k];
    }
}

/* Whether a bucket has `most` samples or more. */
DEV void sample_judge(const struct hybrid_job *a, struct radix_digit d, uint32_t most)
{
    UNROLL4 for (uint32_t k = 0; k < a->sample_rounds; k++)
    {
        const uint32_t position = bucket_position_of(sample_word(a, k), d);
        const uint32_t cell = sh_ld4(SAMPLE_CELLS + 4u * (position >> (32u - BUCKET_CELLS_LOG)));
        const uint32_t b = bucket_of_cell(position, cell);
        const uint32_t had = sh_add4(SAMPLE_COUNTS + (b & ~3u), 1u << 8u * (b % 4u));

        if ((had >> 8u * (b % 4u) & 255u) + 1u >= most)
            sh_inc4(SAMPLE_LEAVE);
    }
}

DEV void sample_clear(const struct hybrid_job *a)
{
    ROLL for (uint32_t i = THREAD_ID; i < BUCKET_CELLS_COUNT; i += SAMPLE_THREADS)
        sh_st4(SAMPLE_CELLS + 4u * i, 0u);
    ROLL for (uint32_t i = THREAD_ID; i < (a->passes == 1u ? HYBRID_ONE : HYBRID_TWO) / 4u;
              i += SAMPLE_THREADS) sh_st4(SAMPLE_COUNTS + 4u * i, 0u);
    ROLL for (uint32_t i = THREAD_ID; i < LSD_BUCKETS * a->passes; i += SAMPLE_THREADS)
        gm_st8(a->histogram + i, (uint64_t)0);
    if (THREAD_ID == 0) {
        sh_st4(SAMPLE_LEAVE, 0u);
        sh_st4(SAMPLE_SAME, 0u);
    }
}

/* So many samples of a bucket say that it has more items than a group may.  At least 8: fewer are
 * chance. */
DEV uint32_t sample_most(const struct hybrid_job *a)
{
    const uint64_t most = (uint64_t)sample_room(a) * sample_count(a) / a->n;

    return most < 8u ? 8u : most > 200u ? 200u : (uint32_t)most;
}

/* The range that is mapped: the sampled one, and a 64th of it more on either side, where keys are
 * that no sample has met. */
DEV void sample_extend(struct radix_digit *d, key least, key most)
{
    const key more = (most - least) / 64u;

    d->lo = least > more ? least - more : 0u;
    d->last = (most < (key) ~(key)0 - more ? most + more : (key) ~(key)0) - d->lo;
    d->lead = d->last ? zeros_above(d->last) : 0u;
}

DEV void hybrid_sample(const struct hybrid_job *a)
{
    struct radix_digit d = {&a->map, 0, 0, 0, 64u - a->bits, 0};
    key least, most;

    sample_clear(a);
    sample_range(a, &least, &most);
    sample_extend(&d, least, most);
    UNROLL4 for (uint32_t k = 0; k < a->sample_rounds; k++)
    {
        const uint32_t position = bucket_position_of(sample_word(a, k), d);

        sh_inc4(SAMPLE_CELLS + 4u * (position >> (32u - BUCKET_CELLS_LOG)));
    }
    block_sync();
    sample_cells(a, a->passes == 1u ? HYBRID_ONE : HYBRID_TWO,
                 ((uint32_t)(d.last << d.lead >> 32) >> (32u - BUCKET_CELLS_LOG)) + 1u);
    block_sync();
    sample_judge(a, d, sample_most(a));
    block_sync();
    if (THREAD_ID == 0) {
        const int runs = sh_ld4(SAMPLE_SAME) > sample_count(a) / SAMPLE_RUNS;
        const uint32_t leave = least == most || runs || sh_ld4(SAMPLE_LEAVE) ? 1u : 0u;

        gm_st8(&a->buckets->lo, d.lo);
        gm_st8(&a->buckets->last, d.last);
        gm_st4(&a->buckets->lead, d.lead);
        gm_st4(a->leave, leave);
    }
}

#endif
