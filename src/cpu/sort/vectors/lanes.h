/* lanes.h - vectors of 64 bytes of words of WORD_LOG: the few instructions that sorting takes.  AVX-512. */
#ifndef CW_CPU_SORT_VECTORS_LANES_H
#define CW_CPU_SORT_VECTORS_LANES_H

#include <immintrin.h>

#include "cpu/inline.h"
#include "cpu/word.h"

#if WORD_LOG == 1
#define ISA __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,popcnt")))
#else
#define ISA __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))
#endif
#define LANE ISA CW_INLINE
#define WIDE LANES /* words of a vector */
#define FULL (0xffffffffu >> (32u - WIDE))

typedef __m512i vec;

#if WORD_LOG == 1
typedef __mmask32 mask;
#define all_of(x)            _mm512_set1_epi16((short)(x))
#define lesser(x, y)         _mm512_min_epu16(x, y)
#define greater(x, y)        _mm512_max_epu16(x, y)
#define up_to(x, p)          _mm512_cmple_epu16_mask(x, p)
#define pressed(m, x)        _mm512_maskz_compress_epi16(m, x)
#define load_some(z, m, at)  _mm512_mask_loadu_epi16(z, m, at)
#define store_some(at, m, x) _mm512_mask_storeu_epi16(at, m, x)
#define others(m)            _knot_mask32(m)
#define differ(x, y)         _mm512_cmpneq_epi16_mask(x, y)
#elif WORD_LOG == 2
typedef __mmask16 mask;
#define all_of(x)            _mm512_set1_epi32((int)(x))
#define lesser(x, y)         _mm512_min_epu32(x, y)
#define greater(x, y)        _mm512_max_epu32(x, y)
#define up_to(x, p)          _mm512_cmple_epu32_mask(x, p)
#define pressed(m, x)        _mm512_maskz_compress_epi32(m, x)
#define load_some(z, m, at)  _mm512_mask_loadu_epi32(z, m, at)
#define store_some(at, m, x) _mm512_mask_storeu_epi32(at, m, x)
#define others(m)            _knot_mask16(m)
#define differ(x, y)         _mm512_cmpneq_epi32_mask(x, y)
#else
typedef __mmask8 mask;
#define all_of(x)            _mm512_set1_epi64((long long)(x))
#define lesser(x, y)         _mm512_min_epu64(x, y)
#define greater(x, y)        _mm512_max_epu64(x, y)
#define up_to(x, p)          _mm512_cmple_epu64_mask(x, p)
#define pressed(m, x)        _mm512_maskz_compress_epi64(m, x)
#define load_some(z, m, at)  _mm512_mask_loadu_epi64(z, m, at)
#define store_some(at, m, x) _mm512_mask_storeu_epi64(at, m, x)
#define others(m)            _knot_mask8(m)
#define differ(x, y)         _mm512_cmpneq_epi64_mask(x, y)
#endif

/* The first `count` lanes, all if there are not so many; none below 1. */
LANE mask first_lanes(int count)
{
    return (mask)(count >= (int)WIDE ? FULL : count <= 0 ? 0u : (1u << count) - 1u);
}

/* Lane l ^ x to lane l; x is a constant. */
LANE vec lanes_crossed(vec v, int x)
{
#if WORD_LOG == 1
    const short x2 = (short)x;
    const vec lanes = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17,
                                       16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);

    if (x == 2)
        return _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0xb1);
    if (x == 4)
        return _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x4e);
    if (x == 8)
        return _mm512_shuffle_i64x2(v, v, 0xb1);
    return _mm512_permutexvar_epi16(_mm512_xor_si512(lanes, _mm512_set1_epi16(x2)), v);
#elif WORD_LOG == 2
    if (x == 1)
        return _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0xb1);
    if (x == 2)
        return _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x4e);
    if (x == 3)
        return _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x1b);
    if (x == 4)
        return _mm512_shuffle_i64x2(v, v, 0xb1);
    if (x == 7)
        return _mm512_permutexvar_epi32(
            _mm512_set_epi32(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7), v);
    return _mm512_permutexvar_epi32(
        _mm512_set_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), v);
#else
    if (x == 1)
        return _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x4e);
    if (x == 2)
        return _mm512_permutex_epi64(v, 0x4e);
    if (x == 3)
        return _mm512_permutex_epi64(v, 0x1b);
    return _mm512_permutexvar_epi64(_mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), v);
#endif
}

LANE void order(vec *x, vec *y)
{
    const vec less = lesser(*x, *y);

    *y = greater(*x, *y);
    *x = less;
}

/* Lanes l and l ^ x of one vector; those of `up` keep the greater word. */
LANE void order_lanes(vec *v, int x, unsigned up)
{
    const vec y = lanes_crossed(*v, x), less = lesser(*v, y);

#if WORD_LOG == 1
    *v = _mm512_mask_max_epu16(less, (mask)up, *v, y);
#elif WORD_LOG == 2
    *v = _mm512_mask_max_epu32(less, (mask)up, *v, y);
#else
    *v = _mm512_mask_max_epu64(less, (mask)up, *v, y);
#endif
}

#endif
