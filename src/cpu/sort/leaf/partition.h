/* partition.h - words up to a pivot to one array, the others to the front of their own.
 *
 * A vector of words at a time: a comparison, and both halves pressed together and stored whole,
 * with no branch.  What is stored too much is within words that were read, or is stored again:
 * after k words, of which l went away, words l .. k + 15 of the other array and 0 .. k + 15 of
 * this one are free.
 *
 * Compiled for words of WORD_LOG by sort/leaf/partition4.c and 8; only for AVX-512.
 */
#include "cpu/sort/work.h"
#include "cpu/word.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define ISA __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))

#if WORD_LOG == 2
#define WIDE                 16u
#define up_to(x, p, m)       _mm512_mask_cmple_epu32_mask(m, x, p)
#define all_of(x)            _mm512_set1_epi32((int)(x))
#define pressed(m, x)        _mm512_maskz_compress_epi32((__mmask16)(m), x)
#define store_some(to, m, x) _mm512_mask_storeu_epi32(to, (__mmask16)(m), x)
#define load_some(m, from)   _mm512_maskz_loadu_epi32((__mmask16)(m), from)
#else
#define WIDE                 8u
#define up_to(x, p, m)       _mm512_mask_cmple_epu64_mask(m, x, p)
#define all_of(x)            _mm512_set1_epi64((long long)(x))
#define pressed(m, x)        _mm512_maskz_compress_epi64((__mmask8)(m), x)
#define store_some(to, m, x) _mm512_mask_storeu_epi64(to, (__mmask8)(m), x)
#define load_some(m, from)   _mm512_maskz_loadu_epi64((__mmask8)(m), from)
#endif

#define FULL ((1u << WIDE) - 1u)

cw_words_partition PARTITION;

ISA uint32_t PARTITION(void *words, uint32_t n, void *low, uint64_t pivot)
{
    word *x = (word *)words, *y = (word *)low;
    const __m512i p = all_of(pivot);
    uint32_t k = 0, l = 0;

    for (; n - k >= WIDE; k += WIDE) {
        const __m512i v = _mm512_loadu_si512(x + k);
        const uint32_t m = up_to(v, p, FULL);

        _mm512_storeu_si512(y + l, pressed(m, v));
        _mm512_storeu_si512(x + (k - l), pressed(~m & FULL, v));
        l += (uint32_t)__builtin_popcount(m);
    }
    if (k < n) {
        const uint32_t left = FULL >> (WIDE - (n - k));
        const __m512i v = load_some(left, x + k);
        const uint32_t m = up_to(v, p, left), count = (uint32_t)__builtin_popcount(m);

        store_some(y + l, (1u << count) - 1u, pressed(m, v));
        store_some(x + (k - l), (1u << (n - k - count)) - 1u, pressed(~m & left, v));
        l += count;
    }
    return l;
}

#endif
