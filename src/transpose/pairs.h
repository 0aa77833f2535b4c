/* pairs.h - transpose elements of 2 bytes two at a time, where rows and columns are even.
 *
 * A tile of 128 x 128 is read by words of two neighbours of a row.  A word of the output has two
 * neighbours of a column, which are the same halves of two words of the tile; two such words give
 * two rows of the output.  Even rows of the tile stand before odd ones in shared memory, with a
 * word more than they have: lane l reads row 2 l, which is at 65 l, so no bank is asked twice.
 */
#ifndef CW_TRANSPOSE_PAIRS_H
#define CW_TRANSPOSE_PAIRS_H

#include "transpose/tile.h"

#define PAIRS_WORDS (TRANSPOSE_PAIRS / 2u) /* of a row of a tile */
#define PAIRS_PITCH (4u * (PAIRS_WORDS + 1u))
#define PAIRS_LINES (TRANSPOSE_THREADS / PAIRS_WORDS) /* rows that a block reads at a time */
#define PAIRS_AHEAD 8u

/* Where row i of the tile is kept. */
DEV uint32_t pairs_row(uint32_t i)
{
    return ((i & 1u) * PAIRS_WORDS + (i >> 1)) * PAIRS_PITCH;
}

DEV void pairs_read(const struct transpose_arg *a, const uint8_t *in, uint64_t top, uint64_t left)
{
    const uint32_t x = THREAD_ID % PAIRS_WORDS, y = THREAD_ID / PAIRS_WORDS;
    const int mine = left + 2u * x < a->columns;

    ROLL for (uint32_t i = y; i < TRANSPOSE_PAIRS; i += PAIRS_AHEAD * PAIRS_LINES)
    {
        uint32_t v[PAIRS_AHEAD];

        UNROLL for (uint32_t k = 0; k < PAIRS_AHEAD; k++)
        {
            const uint64_t row = top + i + k * PAIRS_LINES;

            v[k] = 0;
            if (mine && row < a->rows)
                v[k] = gm_ld4(in + 2u * (row * a->columns + left + 2u * x));
        }
        UNROLL for (uint32_t k = 0; k < PAIRS_AHEAD; k++)
        {
            sh_st4(pairs_row(i + k * PAIRS_LINES) + 4u * x, v[k]);
        }
    }
}

DEV void pairs_write(const struct transpose_arg *a, uint8_t *out, uint64_t top, uint64_t left)
{
    const uint32_t x = THREAD_ID % PAIRS_WORDS, y = THREAD_ID / PAIRS_WORDS;
    const int mine = top + 2u * x < a->rows;

    UNROLL4 for (uint32_t j = y; j < PAIRS_WORDS; j += PAIRS_LINES)
    {
        const uint32_t even = sh_ld4(x * PAIRS_PITCH + 4u * j);
        const uint32_t odd = sh_ld4((PAIRS_WORDS + x) * PAIRS_PITCH + 4u * j);
        uint8_t *const to = out + 2u * ((left + 2u * j) * a->rows + top + 2u * x);

        if (mine && left + 2u * j < a->columns) {
            gm_st4(to, bytes4(even, odd, 0x5410u));
            gm_st4(to + 2u * a->rows, bytes4(even, odd, 0x7632u));
        }
    }
}

KERNEL(TRANSPOSE_NAME(pairs), struct transpose_arg, TRANSPOSE_THREADS, 5)
{
    const uint32_t per = arg->down * arg->across;
    const uint32_t which = BLOCK_ID / per;
    const uint64_t first = which * arg->rows * arg->columns;
    uint32_t down, across;

    tile_place(arg, BLOCK_ID - which * per, &down, &across);
    pairs_read(arg, value_at(arg->in, first), (uint64_t)down * TRANSPOSE_PAIRS,
               (uint64_t)across * TRANSPOSE_PAIRS);
    block_sync();
    pairs_write(arg, value_to(arg->out, first), (uint64_t)down * TRANSPOSE_PAIRS,
                (uint64_t)across * TRANSPOSE_PAIRS);
}

#endif
