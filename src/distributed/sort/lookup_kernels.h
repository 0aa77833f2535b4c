/* lookup_kernels.h - samples and binary searches in a rank's sorted keys, where they lie.
 *
 * A thread a sample, or a search: log2 n dependent reads.  Merging what arrived (runs.h): lanes a
 * tile that look for its cuts, a block a tile that gathers it.  No shared memory. */
#ifndef CW_DISTRIBUTED_SORT_LOOKUP_KERNELS_H
#define CW_DISTRIBUTED_SORT_LOOKUP_KERNELS_H

#include "dev/kernel.h"
#include "distributed/sort/lookup_job.h"

DEV uint64_t lookup_word(const struct lookup_keys *k, uint64_t at)
{
    uint64_t key;

    if (k->bytes == 8)
        key = gm_ld8((const uint64_t *)k->keys + at);
    else if (k->bytes == 4)
        key = gm_ld4((const uint32_t *)k->keys + at);
    else if (k->bytes == 2)
        key = gm_ld2((const uint16_t *)k->keys + at);
    else
        key = gm_ld1((const uint8_t *)k->keys + at);
    key = CW_KEY_TO_WORD(&k->map, key);
    return CW_WORD_TO_RANK(&k->map, key) >> k->first & k->range;
}

KERNEL(cw_lookup_words, struct lookup_words, LOOKUP_THREADS, 8)
{
    const uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID;

    if (i < arg->count)
        gm_st8(arg->at + i, lookup_word(&arg->keys, gm_ld8(arg->at + i)));
}

/* The first of words lo .. hi - 1 that is not below `word`, or (upper) that is above it. */
DEV uint64_t lookup_first(const struct lookup_keys *k, uint64_t word, int upper, uint64_t lo,
                          uint64_t hi)
{
    ROLL while (lo < hi)
    {
        const uint64_t middle = lo + (hi - lo) / 2u;
        const uint64_t here = lookup_word(k, middle);

        if (here < word || (upper && here == word))
            lo = middle + 1u;
        else
            hi = middle;
    }
    return lo;
}

KERNEL(cw_lookup_probes, struct lookup_probes, LOOKUP_THREADS, 8)
{
    const uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID;

    if (i < arg->count) {
        uint64_t *const probe = arg->probes + 4u * i;
        const uint64_t word = gm_ld8(probe), upper = gm_ld8(probe + 3);
        const uint64_t lo = gm_ld8(probe + 1), hi = gm_ld8(probe + 2);

        gm_st8(probe + 1, lookup_first(&arg->keys, word, upper != 0, lo, hi));
    }
}

KERNEL(cw_lookup_add, struct lookup_add, LOOKUP_THREADS, 8)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;

    ROLL for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < arg->count; i += step)
    {
        if (arg->bytes == 8) {
            uint64_t *const at = (uint64_t *)arg->numbers + i;

            gm_st8(at, gm_ld8(at) + arg->by);
        } else {
            uint32_t *const at = (uint32_t *)arg->numbers + i;

            gm_st4(at, gm_ld4(at) + (uint32_t)arg->by);
        }
    }
}

/* Over the lanes of a tile, on all of them. */
DEV uint64_t lookup_sum(uint64_t x, uint32_t lanes)
{
    ROLL for (uint32_t by = 1; by < lanes; by *= 2u) x += shfl_xor8(x, by);
    return x;
}

DEV uint64_t lookup_most(uint64_t x, uint32_t lanes)
{
    ROLL for (uint32_t by = 1; by < lanes; by *= 2u)
    {
        const uint64_t other = shfl_xor8(x, by);

        x = other > x ? other : x;
    }
    return x;
}

/* Of the lanes of a tile before this one. */
DEV uint64_t lookup_before(uint64_t x, uint32_t lane, uint32_t lanes)
{
    const uint64_t own = x;

    ROLL for (uint32_t by = 1; by < lanes; by *= 2u)
    {
        const uint64_t other = shfl_up8(x, by);

        x += lane >= by ? other : 0;
    }
    return x - own;
}

/* Where item i * step of all runs is in the result: a lane a run counts what comes before it there.
 * Of equal keys those of earlier runs do. */
KERNEL(cw_lookup_ranks, struct lookup_cuts, LOOKUP_THREADS, 8)
{
    const struct lookup_runs *const runs = &arg->runs;
    const uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID;
    const uint64_t sample = i >> arg->log_lanes, at = sample * runs->step;
    const uint32_t lanes = 1u << arg->log_lanes, lane = (uint32_t)i & (lanes - 1u);
    const int has = sample < runs->samples && lane < runs->runs;
    const uint64_t begin = has ? runs->starts[lane] : 0, end = has ? runs->starts[lane + 1u] : 0;
    const uint64_t word = has ? lookup_word(&arg->keys, at) : 0;
    const int mine = begin <= at && at < end;
    uint64_t before = at - begin;

    if (!mine)
        before = lookup_first(&arg->keys, word, end <= at, begin, end) - begin;
    before = lookup_sum(before, lanes);
    if (has && mine)
        gm_st8(runs->ranks + sample, before);
}

/* What the samples of a run say of where the first `target` items of the result end in it: from
 * *lo on, up to *hi. */
DEV void lookup_between(const struct lookup_runs *runs, uint64_t target, uint64_t *lo, uint64_t *hi)
{
    const uint64_t least = (*lo + runs->step - 1u) / runs->step;
    uint64_t from = least, to = (*hi + runs->step - 1u) / runs->step;

    ROLL while (from < to)
    {
        const uint64_t middle = from + (to - from) / 2u;

        if (gm_ld8(runs->ranks + middle) < target)
            from = middle + 1u;
        else
            to = middle;
    }
    if (from * runs->step < *hi)
        *hi = from * runs->step;
    if (from > least)
        *lo = (from - 1u) * runs->step + 1u;
}

/* A lane has one run's candidates, [lo, hi), and with the others of its tile bisects words: the
 * least word that is not below the tile's first item.  Of those equal to it, the first runs' come
 * first. */
KERNEL(cw_lookup_cuts, struct lookup_cuts, LOOKUP_THREADS, 8)
{
    const struct lookup_runs *const runs = &arg->runs;
    const uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID;
    const uint64_t t = i >> arg->log_lanes;
    const uint32_t lanes = 1u << arg->log_lanes, lane = (uint32_t)i & (lanes - 1u);
    const int has = t < runs->tiles && lane < runs->runs;
    const uint64_t begin = has ? runs->starts[lane] : 0, end = has ? runs->starts[lane + 1u] : 0;
    const uint64_t target = t * runs->tile;
    uint64_t lo = begin, hi = end, least, most, left;

    if (has)
        lookup_between(runs, target, &lo, &hi);
    least = lo < hi ? lookup_word(&arg->keys, lo) : UINT64_MAX;
    most = lo < hi ? lookup_word(&arg->keys, hi - 1u) : 0;
    least = ~lookup_most(~least, lanes);
    most = lookup_most(most, lanes);
    left = lookup_sum(hi - lo, lanes);
    ROLL while (any_of(left && least < most))
    {
        const int looks = left && least < most;
        const uint64_t word = least + (most - least) / 2u;
        const uint64_t at = looks ? lookup_first(&arg->keys, word, 1, lo, hi) : lo;
        const uint64_t before = lookup_sum(at - begin, lanes);

        if (looks && before >= target) {
            most = word;
            hi = at;
        } else if (looks) {
            least = word + 1u;
            lo = at;
        }
        left = lookup_sum(hi - lo, lanes);
    }
    {
        const uint64_t below = lookup_sum(lo - begin, lanes);
        const uint64_t earlier = lookup_before(hi - lo, lane, lanes);
        const uint64_t wanted = target - below > earlier ? target - below - earlier : 0;

        if (has)
            gm_st8(runs->cuts + t * runs->runs + lane, lo + (wanted < hi - lo ? wanted : hi - lo));
    }
}

/* Four at a time, so that reads do not wait for each other. */
#define LOOKUP_COPY(type, load, store)                                          \
    ROLL for (uint64_t x = THREAD_ID; x < n; x += 4u * LOOKUP_THREADS)          \
    {                                                                           \
        type four[4];                                                           \
                                                                                \
        UNROLL for (uint32_t k = 0; k < 4; k++) four[k] =                       \
            x + k * LOOKUP_THREADS < n                                          \
                ? load((const type *)arg->in + from + x + k * LOOKUP_THREADS)   \
                : 0;                                                            \
        UNROLL for (uint32_t k = 0; k < 4; k++)                                 \
        {                                                                       \
            if (x + k * LOOKUP_THREADS < n)                                     \
                store((type *)arg->out + to + x + k * LOOKUP_THREADS, four[k]); \
        }                                                                       \
    }

/* A block a tile. */
KERNEL(cw_lookup_gather, struct lookup_gather, LOOKUP_THREADS, 8)
{
    const struct lookup_runs *const runs = &arg->runs;
    const uint64_t t = BLOCK_ID;
    const uint64_t *const here = runs->cuts + t * runs->runs;
    uint64_t to = t * runs->tile;

    ROLL for (uint32_t r = 0; r < runs->runs; r++)
    {
        const uint64_t from = gm_ld8(here + r);
        const uint64_t end =
            t + 1u < runs->tiles ? gm_ld8(here + runs->runs + r) : runs->starts[r + 1u];
        const uint64_t n = end - from;

        if (arg->bytes == 8) {
            LOOKUP_COPY(uint64_t, gm_ld8, gm_st8)
        } else if (arg->bytes == 4) {
            LOOKUP_COPY(uint32_t, gm_ld4, gm_st4)
        } else if (arg->bytes == 2) {
            LOOKUP_COPY(uint16_t, gm_ld2, gm_st2)
        } else {
            LOOKUP_COPY(uint8_t, gm_ld1, gm_st1)
        }
        to += n;
    }
}

#endif
