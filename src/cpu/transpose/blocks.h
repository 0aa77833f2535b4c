/* blocks.h - elements of a matrix turned from one place to another, 16 bytes of a row at a time.
 *
 * A block is 16 bytes wide, and as many rows high as a row of it has elements, K.  Two halves of its rows are shuffled like
 * a pack of cards, element by element: this turns the bits of an element's number by one, so log2(K) times transpose.
 * What is left over goes one by one.
 */
#ifndef CW_CPU_TRANSPOSE_BLOCKS_H
#define CW_CPU_TRANSPOSE_BLOCKS_H

#include <stddef.h>
#include <string.h>

#include "cpu/inline.h"

/* Rows are `pitch` bytes apart. */
struct cw_side_of_turn {
    const char *in;
    size_t in_pitch;
    char *out;
    size_t out_pitch;
};

/* Rows r .. high - 1 and columns c .. wide - 1; `bytes` is a constant wherever it can be. */
CW_INLINE void turn_rest(const struct cw_side_of_turn *t, size_t r, size_t high, size_t c,
                         size_t wide, size_t bytes)
{
    for (; c < wide; c++) {
        const char *from = t->in + c * bytes + r * t->in_pitch;
        char *to = t->out + c * t->out_pitch + r * bytes;

        for (size_t k = r; k < high; k++, from += t->in_pitch, to += bytes)
            memcpy(to, from, bytes);
    }
}

#if defined(__SSE2__)

#include <emmintrin.h>

#define CW_BLOCK 16u /* bytes */

CW_INLINE void cards(__m128i a, __m128i b, __m128i *to, size_t bytes)
{
    to[0] = bytes == 1   ? _mm_unpacklo_epi8(a, b)
            : bytes == 2 ? _mm_unpacklo_epi16(a, b)
            : bytes == 4 ? _mm_unpacklo_epi32(a, b)
                         : _mm_unpacklo_epi64(a, b);
    to[1] = bytes == 1   ? _mm_unpackhi_epi8(a, b)
            : bytes == 2 ? _mm_unpackhi_epi16(a, b)
            : bytes == 4 ? _mm_unpackhi_epi32(a, b)
                         : _mm_unpackhi_epi64(a, b);
}

CW_INLINE void turn_block(const struct cw_side_of_turn *t, size_t r, size_t c, size_t bytes)
{
    const size_t side = CW_BLOCK / bytes;
    const char *const from = t->in + r * t->in_pitch + c * bytes;
    char *const to = t->out + c * t->out_pitch + r * bytes;
    __m128i x[CW_BLOCK], y[CW_BLOCK];

#if defined(__GNUC__)
#pragma GCC unroll 16
#endif
    for (size_t k = 0; k < side; k++)
        x[k] = _mm_loadu_si128((const __m128i *)(const void *)(from + k * t->in_pitch));
#if defined(__GNUC__)
#pragma GCC unroll 4
#endif
    for (size_t span = 1; span < side; span *= 2) {
#if defined(__GNUC__)
#pragma GCC unroll 8
#endif
        for (size_t k = 0; k < side / 2; k++)
            cards(x[k], x[k + side / 2], y + 2 * k, bytes);
#if defined(__GNUC__)
#pragma GCC unroll 16
#endif
        for (size_t k = 0; k < side; k++)
            x[k] = y[k];
    }
#if defined(__GNUC__)
#pragma GCC unroll 16
#endif
    for (size_t k = 0; k < side; k++)
        _mm_storeu_si128((__m128i *)(void *)(to + k * t->out_pitch), x[k]);
}

CW_INLINE void turn_blocks(const struct cw_side_of_turn *t, size_t high, size_t wide, size_t bytes)
{
    const size_t side = CW_BLOCK / bytes, r = high / side * side, c = wide / side * side;

    for (size_t x = 0; x < c; x += side)
        for (size_t k = 0; k < r; k += side)
            turn_block(t, k, x, bytes);
    turn_rest(t, r, high, 0, c, bytes);
    turn_rest(t, 0, high, c, wide, bytes);
}

#else

CW_INLINE void turn_blocks(const struct cw_side_of_turn *t, size_t high, size_t wide, size_t bytes)
{
    turn_rest(t, 0, high, 0, wide, bytes);
}

#endif

/* `high` rows of `wide` elements. */
static void turn_any(const struct cw_side_of_turn *t, size_t high, size_t wide, size_t bytes)
{
    switch (bytes) {
    case 1:
        turn_blocks(t, high, wide, 1);
        break;
    case 2:
        turn_blocks(t, high, wide, 2);
        break;
    case 4:
        turn_blocks(t, high, wide, 4);
        break;
    case 8:
        turn_blocks(t, high, wide, 8);
        break;
    case 16:
        turn_rest(t, 0, high, 0, wide, 16);
        break;
    default:
        turn_rest(t, 0, high, 0, wide, bytes);
    }
}

#endif
