/* key.h - the part of an item that is compared: read, written, made a word and back.
 *
 * A part has 4 or 8 bytes in registers (PART_LOG is 2 or 3).  In memory it has key_bytes: as many,
 * or 1 or 2.  Functions that read many parts are written once and compiled twice, for narrow keys
 * too.
 */
#ifndef CW_SORT_SAMPLE_SORT_KEY_H
#define CW_SORT_SAMPLE_SORT_KEY_H

#include "dev/kernel.h"
#include "sort/sample_sort/job.h"

#if PART_LOG == 2
typedef uint32_t part;

#define get_part(array, i)    gm_ld4((const part *)(array) + (i))
#define put_part(array, i, x) gm_st4((part *)(array) + (i), x)
#define shfl_part             shfl4

#define IS_NARROW(a) ((a)->key_bytes != 4u)

DEV part load_from(const struct sample_sort_job *a, const void *array, uint64_t i, int narrow)
{
    const uint8_t *const in = (const uint8_t *)array;

    if (narrow) {
        const uint32_t low = gm_ld1(in + i * a->key_bytes);

        return a->key_bytes == 1u ? low : low | gm_ld1(in + 2u * i + 1u) << 8;
    }
    return gm_ld4((const uint32_t *)array + i);
}

DEV void store_part(const struct sample_sort_job *a, uint64_t i, part x)
{
    if (a->key_bytes == 4u)
        gm_st4((uint32_t *)a->out + i, x);
    else if (a->key_bytes == 2u)
        gm_st2((uint16_t *)a->out + i, x);
    else
        gm_st1((uint8_t *)a->out + i, x);
}
#else
typedef uint64_t part;

#define get_part(array, i)    gm_ld8((const part *)(array) + (i))
#define put_part(array, i, x) gm_st8((part *)(array) + (i), x)
#define shfl_part             shfl8

#define IS_NARROW(a) 0

DEV part load_from(const struct sample_sort_job *a, const void *array, uint64_t i, int narrow)
{
    (void)a;
    (void)narrow;
    return gm_ld8((const uint64_t *)array + i);
}

DEV void store_part(const struct sample_sort_job *a, uint64_t i, part x)
{
    gm_st8((uint64_t *)a->out + i, x);
}
#endif

DEV part load_part(const struct sample_sort_job *a, uint64_t i, int narrow)
{
    return load_from(a, a->in, i, narrow);
}

/* At which place of every line of q items tile t of a segment has its sample.  Any q tiles that
 * follow each other have all places, and a few of them have places far apart.  A tile that is not
 * full has its samples at the end of lines. */
DEV uint32_t drawn_place(uint32_t t, uint32_t q, int full)
{
    return full ? t * 13u & (q - 1u) : q - 1u;
}

DEV part part_to_word(const struct sample_sort_job *a, part x)
{
    const struct cw_key_map *const m = &a->map;
    const part sign = x >> (m->bits - 1u) & 1u;
    const part w =
        ((x ^ (sign ? (part)m->flip : 0u) ^ (part)m->toggle) - (part)m->bias) & (part)m->mask;

    return (m->tied ? (part)CW_WORD_TO_RANK(m, w) : w) >> a->shift & (part)a->mask;
}

DEV part part_to_key(const struct sample_sort_job *a, part x)
{
    const struct cw_key_map *const m = &a->map;
    const part y = ((x + (part)m->bias) & (part)m->mask) ^ (part)m->toggle;
    const part sign = y >> (m->bits - 1u) & 1u;

    return y ^ (sign ? (part)m->flip : 0u);
}

/* What is written of an item in the end.  Several keys may share a rank (zeros, NaNs:
 * prim/key_map.h).  Then the key is fetched from where it came from. */
DEV part part_out(const struct sample_sort_job *a, part x, uint32_t place)
{
    if (a->original && CW_RANK_SHARED(&a->map, x))
        return load_from(a, a->original, place, IS_NARROW(a));
    return a->from_words ? part_to_key(a, x) : x;
}

#endif
