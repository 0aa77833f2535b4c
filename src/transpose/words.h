/* words.h - transpose elements that are no words of 4 bytes: rows of the output are put together
 * from words, whatever the sides of the matrix.
 *
 *      words     elements of 1 and 2 bytes
 *      odd       elements of 3, 5, 6, 7, 9 .. bytes; of 12, 20, 28 ..
 *
 * A tile is 128 rows of some 250 bytes.  They are read as the aligned words that they lie in, and
 * stand in shared memory as they stand outside.  A warp writes rows of the output: a lane has a word,
 * whose bytes are of one element, or of neighbours in a column, and picks them from the words that
 * they lie in.  Rows of the output are cut at 32 bytes, where sectors begin: for that a tile has
 * some more rows, before its own.  Only the ends of a row of the output may be parts of words.
 *
 * The 4 or 2 elements of a word are in different rows of the tile.  Those of row e, modulo 4 or 2,
 * stand together, and rows have an odd number of words, so neighbours of a column are in different
 * banks: words has no conflicts.  odd has few: rows are a multiple of 32 words apart, and the words
 * of an element.
 */
#ifndef CW_TRANSPOSE_WORDS_H
#define CW_TRANSPOSE_WORDS_H

#include "prim/element.h"
#include "prim/least.h"
#include "transpose/job.h"
#include "transpose/tile.h"

#define WORDS_HIGH  TRANSPOSE_WORDS_HIGH
#define WORDS_CUT   TRANSPOSE_WORDS_CUT
#define WORDS_WARPS (TRANSPOSE_THREADS / 32u)
#define WORDS_AHEAD 4u /* rows of a warp that are under way */

/* A tile: its matrix, its first row and column, and how many columns it has. */
struct words_tile {
    const uint8_t *in;
    uint8_t *out;
    uint64_t top, left;
    uint32_t width;
    int inside; /* all of its rows, and those before */
    int safe;   /* and a row on either side */
};

DEV struct words_tile words_tile(const struct transpose_words *a)
{
    const uint32_t per = a->all.down * a->all.across;
    const uint32_t which = BLOCK_ID / per;
    const uint64_t first = which * a->all.rows * a->all.columns * a->bytes;
    struct words_tile t;
    uint32_t down, across;

    tile_place(&a->all, BLOCK_ID - which * per, &down, &across);
    t.in = (const uint8_t *)a->all.in + first;
    t.out = (uint8_t *)a->all.out + first;
    t.top = (uint64_t)down * WORDS_HIGH;
    t.left = (uint64_t)across * a->wide;
    t.width = a->all.columns - t.left < a->wide ? (uint32_t)(a->all.columns - t.left) : a->wide;
    t.inside = t.top >= a->before && t.top + WORDS_HIGH <= a->all.rows;
    t.safe = t.inside && t.top > a->before && t.top + WORDS_HIGH < a->all.rows;
    return t;
}

/* An aligned word of the input, of which at least a byte is there. */
DEV uint32_t words_load(const struct transpose_words *a, const struct words_tile *t,
                        const uint8_t *at)
{
    const uint8_t *const first = (const uint8_t *)a->all.in;
    const uint8_t *const last = first + a->total;
    uint32_t v = 0;

    if (t->safe || (at >= first && at + 4 <= last))
        return gm_ld4(at);
    ROLL for (uint32_t k = 0; k < 4u; k++)
    {
        if (at + k >= first && at + k < last)
            v |= gm_ld1(at + k) << 8u * k;
    }
    return v;
}

/* Row r of the tile, counted from the first that is read, stands in row words_row(r) of shared
 * memory: rows of one kind, of `kinds`, together. */
DEV uint32_t words_row(uint32_t r, uint32_t kinds)
{
    return r % kinds * ((WORDS_HIGH + TRANSPOSE_WORDS_BEFORE(4u / kinds)) / kinds) + r / kinds;
}

DEV void words_read(const struct transpose_words *a, const struct words_tile *t, uint32_t kinds)
{
    const uint32_t rows = WORDS_HIGH + a->before;

    ROLL for (uint32_t r = WARP_ID; r < rows; r += WORDS_AHEAD * WORDS_WARPS)
    {
        uint32_t v[WORDS_AHEAD][2];

        UNROLL for (uint32_t k = 0; k < WORDS_AHEAD; k++)
        {
            const uint64_t i = t->top - a->before + r + k * WORDS_WARPS; /* wraps: not below rows */
            const uint8_t *const row = t->in + (i * a->all.columns + t->left) * a->bytes;
            const uint32_t off = (uint32_t)(uintptr_t)row & 3u;
            const uint32_t words = (off + t->width * a->bytes + 3u) / 4u;

            v[k][0] = v[k][1] = 0;
            if (r + k * WORDS_WARPS < rows && i < a->all.rows) {
                if (LANE_ID < words)
                    v[k][0] = words_load(a, t, row - off + 4u * LANE_ID);
                if (LANE_ID + 32u < words)
                    v[k][1] = words_load(a, t, row - off + 4u * LANE_ID + 128u);
            }
        }
        UNROLL for (uint32_t k = 0; k < WORDS_AHEAD; k++)
        {
            const uint32_t to = words_row(r + k * WORDS_WARPS, kinds) * a->pitch + LANE_ID;

            if (r + k * WORDS_WARPS < rows) {
                sh_st4(4u * to, v[k][0]);
                sh_st4(4u * to + 128u, v[k][1]);
            }
        }
    }
}

/* A row of the output, from the first byte on that the tile may write: bytes low .. high - 1 of it are
 * there. */
struct words_line {
    uint8_t *first;
    uint32_t low, high;
    uint32_t skip; /* bytes of a column of what was read, before that byte */
};

DEV struct words_line words_line(const struct transpose_words *a, const struct words_tile *t,
                                 uint32_t column)
{
    uint8_t *const begin = t->out + (t->left + column) * a->all.rows * a->bytes;
    uint8_t *const first = begin + t->top * a->bytes;
    const uint32_t head = (uint32_t)(uintptr_t)first & (WORDS_CUT - 1u);
    const uint64_t left = a->all.rows > t->top ? (a->all.rows - t->top) * a->bytes : 0u;
    struct words_line l;

    l.first = first - head;
    l.low = t->top ? 0u : head;
    l.high = least_of(left, TRANSPOSE_WORDS_HIGH * a->bytes) + head;
    l.skip = a->before * a->bytes - head;
    return l;
}

/* Word `at` of a line, counted in bytes. */
DEV void words_store(const struct words_line *l, uint32_t at, uint32_t v)
{
    if (at >= l->low && at + 4u <= l->high) {
        gm_st4(l->first + at, v);
    } else {
        ROLL for (uint32_t k = 0; k < 4u; k++)
        {
            if (at + k >= l->low && at + k < l->high)
                gm_st1(l->first + at + k, v >> 8u * k);
        }
    }
}

#if VALUE_LOG <= 1
#define WORDS_KINDS (4u >> VALUE_LOG) /* elements of a word */
#define WORDS_TURNS (WORDS_HIGH * VALUE_BYTES / 128u)

/* Elements of a column whose rows are 4 or 2 apart begin equally far into a word: what to pick is
 * the same for all lanes. */
DEV void words_column(const struct transpose_words *a, const struct words_tile *t, uint32_t column)
{
    const struct words_line l = words_line(a, t, column);
    const uint32_t row = l.skip / VALUE_BYTES; /* lane 0's first */
    const uint32_t step = (uint32_t)a->all.columns * VALUE_BYTES;
    uint32_t off = (uint32_t)(uintptr_t)t->in + (uint32_t)t->left * VALUE_BYTES +
                   ((uint32_t)t->top - a->before + row) * step;
    uint32_t from[WORDS_KINDS], pick[WORDS_KINDS];

    off &= 3u;
    UNROLL for (uint32_t k = 0; k < WORDS_KINDS; k++)
    {
        const uint32_t byte = ((off + k * step) & 3u) + column * VALUE_BYTES;

        from[k] = 4u * ((words_row(row + k, WORDS_KINDS) + LANE_ID) * a->pitch) + (byte & ~3u);
        pick[k] = byte & 3u;
    }
    UNROLL for (uint32_t x = 0; x < WORDS_TURNS; x++)
    {
        uint32_t v[WORDS_KINDS];

        UNROLL for (uint32_t k = 0; k < WORDS_KINDS; k++)
        {
            v[k] = sh_ld4(from[k] + 128u * x * a->pitch);
        }
#if VALUE_LOG == 1
        v[0] = bytes4(v[0], v[1], 0x5410u + 0x11u * pick[0] + 0x1100u * pick[1]);
#else
        v[0] = bytes4(v[0], v[1], 0x40u + pick[0] + 0x10u * pick[1]);
        v[2] = bytes4(v[2], v[3], 0x40u + pick[2] + 0x10u * pick[3]);
        v[0] = bytes4(v[0], v[2], 0x5410u);
#endif
        words_store(&l, 128u * x + 4u * LANE_ID, v[0]);
    }
}

KERNEL(TRANSPOSE_NAME(words), struct transpose_words, TRANSPOSE_THREADS, 5)
{
    const struct words_tile t = words_tile(arg);

    words_read(arg, &t, WORDS_KINDS);
    block_sync();
    UNROLL4 for (uint32_t column = WARP_ID; column < t.width; column += WORDS_WARPS)
        words_column(arg, &t, column);
}
#endif

#if VALUE_LOG == 0
/* So many bytes, 4 or more meaning 4, of an element that begins at a byte of shared memory. */
DEV uint32_t odd_part(uint32_t at, uint32_t bytes)
{
    const uint32_t off = at & 3u;
    const uint32_t low = sh_ld4(at - off);
    const uint32_t high = sh_ld4_if(off + least_of(bytes, 4u) > 4u, at - off + 4u, 0u);

    return bytes4(low, high, 0x3210u + 0x1111u * off);
}

/* The word of a line that is `at` bytes into a column of what was read. */
DEV uint32_t odd_word(const struct transpose_words *a, uint32_t off, uint32_t column, uint32_t at)
{
    const uint32_t e = high4(at, a->by), part = at - e * a->bytes, rest = a->bytes - part;
    const uint32_t step = (uint32_t)a->all.columns * a->bytes, pitch = 4u * a->pitch;
    const uint32_t first = e * pitch + ((off + e * step) & 3u) + column * a->bytes + part;
    const uint32_t next = (e + 1u) * pitch + ((off + (e + 1u) * step) & 3u) + column * a->bytes;
    const uint32_t v = odd_part(first, rest);

    if (rest >= 4u)
        return v;
    return bytes4(v, odd_part(next, 4u - rest), 0x3210u + (4u - rest) * (0x1111u << 4u * rest));
}
#elif VALUE_LOG == 2
/* All addresses are multiples of 4. */
DEV uint32_t odd_word(const struct transpose_words *a, uint32_t off, uint32_t column, uint32_t at)
{
    const uint32_t e = high4(at, a->by), part = at - e * a->bytes;

    (void)off;
    return sh_ld4(e * 4u * a->pitch + column * a->bytes + part);
}
#endif

#if VALUE_LOG == 0 || VALUE_LOG == 2
KERNEL(TRANSPOSE_NAME(odd), struct transpose_words, TRANSPOSE_THREADS, 5)
{
    const struct words_tile t = words_tile(arg);
    const uint32_t off = (uint32_t)(uintptr_t)t.in + (uint32_t)t.left * arg->bytes +
                         ((uint32_t)t.top - arg->before) * (uint32_t)arg->all.columns * arg->bytes;
    const uint32_t turns = WORDS_HIGH / 128u * arg->bytes;

    words_read(arg, &t, 1u);
    block_sync();
    ROLL for (uint32_t column = WARP_ID; column < t.width; column += WORDS_WARPS)
    {
        const struct words_line l = words_line(arg, &t, column);

        UNROLL4 for (uint32_t x = 0; x < turns; x++)
        {
            const uint32_t at = 128u * x + 4u * LANE_ID;
            const uint32_t v = odd_word(arg, off, column, l.skip + at);

            words_store(&l, at, v);
        }
    }
}
#endif

#endif
