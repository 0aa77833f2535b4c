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
#define WORDS_AHEAD 9u /* rows of a warp that are under way */

/* A tile: its matrix, its first row and column, and how many columns it has. */
struct words_tile {
    const uint8_t *in;
    uint8_t *out;
    uint64_t top, left;
    uint32_t width;
    uint32_t low, high; /* of the rows that are read, those that have one on either side */
};

DEV int words_safe(const struct words_tile *t, uint32_t r)
{
    return r >= t->low && r < t->high;
}

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
    t.low = t.top > a->before ? 0u : a->before + 1u - (uint32_t)t.top;
    t.high = a->all.rows - 1u > t.top ? least_of(a->all.rows - 1u - t.top, WORDS_HIGH) + a->before
                                      : least_of(a->all.rows - 1u + a->before - t.top, a->before);
    return t;
}

/* An aligned word of an input of `total` bytes, of which at least a byte is there. */
DEV uint32_t words_load(const void *in, uint64_t total, const uint8_t *at)
{
    const uint8_t *const first = (const uint8_t *)in;
    const uint8_t *const last = first + total;
    uint32_t v = 0;

    if (at >= first && at + 4 <= last)
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

/* Rows r, r + WORDS_WARPS .. of a tile to shared memory, of those that are safe: two words of each are a
 * lane's.  Some bytes behind a row are read, too. */
DEV void words_some(const struct transpose_words *a, const struct words_tile *t, uint32_t r,
                    uint32_t kinds)
{
    const uint64_t step = a->all.columns * a->bytes;
    const uint8_t *const row = t->in + (t->top - a->before + r) * step + t->left * a->bytes;
    const uint32_t words = t->width * a->bytes / 4u + 2u;
    const int two = LANE_ID + 32u < words;
    uint32_t v[WORDS_AHEAD][2];

    UNROLL for (uint32_t k = 0; k < WORDS_AHEAD; k++)
    {
        const uint8_t *const from = row + k * WORDS_WARPS * step;
        const uint8_t *const at = from - ((uintptr_t)from & 3u) + 4u * LANE_ID;

        v[k][0] = v[k][1] = 0;
        if (words_safe(t, r + k * WORDS_WARPS)) {
            if (LANE_ID < words)
                v[k][0] = gm_ld4(at);
            if (two)
                v[k][1] = gm_ld4(at + 128u);
        }
    }
    UNROLL for (uint32_t k = 0; k < WORDS_AHEAD; k++)
    {
        const uint32_t to = words_row(r + k * WORDS_WARPS, kinds) * a->pitch + LANE_ID;

        if (words_safe(t, r + k * WORDS_WARPS)) {
            sh_st4(4u * to, v[k][0]);
            sh_st4(4u * to + 128u, v[k][1]);
        }
    }
}

/* Row r of any tile. */
DEV void words_one(const struct transpose_words *a, const struct words_tile *t, uint32_t r,
                   uint32_t kinds)
{
    const uint64_t i = t->top - a->before + r; /* may wrap: then it is not below rows */
    const uint8_t *const from = t->in + (i * a->all.columns + t->left) * a->bytes;
    const uint32_t off = (uint32_t)(uintptr_t)from & 3u;
    const uint32_t words = i < a->all.rows ? (off + t->width * a->bytes + 3u) / 4u : 0u;
    const uint32_t to = words_row(r, kinds) * a->pitch + LANE_ID;
    uint32_t v[2] = {0, 0};

    if (LANE_ID < words)
        v[0] = words_load(a->all.in, a->total, from - off + 4u * LANE_ID);
    if (LANE_ID + 32u < words)
        v[1] = words_load(a->all.in, a->total, from - off + 4u * LANE_ID + 128u);
    sh_st4(4u * to, v[0]);
    sh_st4(4u * to + 128u, v[1]);
}

DEV void words_read(const struct transpose_words *a, const struct words_tile *t, uint32_t kinds)
{
    const uint32_t rows = WORDS_HIGH + a->before;

    ROLL for (uint32_t r = WARP_ID; r < rows; r += WORDS_AHEAD * WORDS_WARPS)
        words_some(a, t, r, kinds);
    if (t->low || t->high < rows) {
        ROLL for (uint32_t r = WARP_ID; r < rows; r += WORDS_WARPS)
        {
            if (!words_safe(t, r))
                words_one(a, t, r, kinds);
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
    const uint64_t end = a->all.rows * a->bytes + head, here = t->top * a->bytes;
    struct words_line l;

    l.first = first - head;
    l.low = t->top ? 0u : head;
    l.high = end > here ? least_of(end - here, WORDS_HIGH * a->bytes) : 0u;
    l.skip = a->before * a->bytes - head;
    return l;
}

/* The line of another lane. */
DEV struct words_line words_line_of(const struct words_line *mine, uint32_t lane)
{
    struct words_line l;
    const uint32_t ends = shfl4(mine->low | mine->high << 16, lane);

    l.first = (uint8_t *)(uintptr_t)shfl8((uintptr_t)mine->first, lane);
    l.low = ends & 0xffffu;
    l.high = ends >> 16;
    l.skip = shfl4(mine->skip, lane);
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

/* Elements of a column whose rows are 4 or 2 apart begin equally far into a word: where lane 0 finds
 * them, and what to pick from their words, is made by one lane for all, two numbers in a word. */
struct words_pick {
    uint32_t from[WORDS_KINDS / 2u], pick;
};

DEV struct words_pick words_pick(const struct transpose_words *a, const struct words_tile *t,
                                 uint32_t column, uint32_t skip)
{
    const uint32_t row = skip / VALUE_BYTES; /* lane 0's first */
    const uint32_t step = (uint32_t)a->all.columns * VALUE_BYTES;
    const uint32_t off = (uint32_t)(uintptr_t)t->in + (uint32_t)t->left * VALUE_BYTES +
                         ((uint32_t)t->top - a->before + row) * step;
    uint32_t from[WORDS_KINDS], pick[WORDS_KINDS];
    struct words_pick p;

    UNROLL for (uint32_t k = 0; k < WORDS_KINDS; k++)
    {
        const uint32_t byte = ((off + k * step) & 3u) + column * VALUE_BYTES;

        from[k] = 4u * words_row(row + k, WORDS_KINDS) * a->pitch + (byte & ~3u);
        pick[k] = byte & 3u;
    }
    UNROLL for (uint32_t k = 0; k < WORDS_KINDS / 2u; k++) p.from[k] =
        from[2u * k] | from[2u * k + 1u] << 16;
#if VALUE_LOG == 1
    p.pick = 0x5410u + 0x11u * pick[0] + 0x1100u * pick[1];
#else
    p.pick = 0x400040u + pick[0] + 0x10u * pick[1] + ((pick[2] + 0x10u * pick[3]) << 16);
#endif
    return p;
}

DEV void words_column(const struct transpose_words *a, const struct words_line *l,
                      const struct words_pick *mine, uint32_t lane)
{
    const uint32_t pitch = 4u * a->pitch, pick = shfl4(mine->pick, lane);
    uint32_t from[WORDS_KINDS];

    UNROLL for (uint32_t k = 0; k < WORDS_KINDS; k += 2u)
    {
        const uint32_t both = shfl4(mine->from[k / 2u], lane);

        from[k] = (both & 0xffffu) + LANE_ID * pitch;
        from[k + 1u] = (both >> 16) + LANE_ID * pitch;
    }
    UNROLL for (uint32_t x = 0; x < WORDS_TURNS; x++)
    {
        uint32_t v[WORDS_KINDS];

        UNROLL for (uint32_t k = 0; k < WORDS_KINDS; k++)
        {
            v[k] = sh_ld4(from[k] + 32u * x * pitch);
        }
#if VALUE_LOG == 1
        v[0] = bytes4(v[0], v[1], pick);
#else
        v[0] = bytes4(v[0], v[1], pick);
        v[2] = bytes4(v[2], v[3], pick >> 16);
        v[0] = bytes4(v[0], v[2], 0x5410u);
#endif
        words_store(l, 128u * x + 4u * LANE_ID, v[0]);
    }
}

KERNEL(TRANSPOSE_NAME(words), struct transpose_words, TRANSPOSE_THREADS, 5)
{
    const struct words_tile t = words_tile(arg);
    const uint32_t mine = WARP_ID + LANE_ID * WORDS_WARPS;
    const struct words_line line = words_line(arg, &t, mine);
    const struct words_pick pick = words_pick(arg, &t, mine, line.skip);

    words_read(arg, &t, WORDS_KINDS);
    block_sync();
    UNROLL4 for (uint32_t k = 0; WARP_ID + k * WORDS_WARPS < t.width; k++)
    {
        const struct words_line l = words_line_of(&line, k);

        words_column(arg, &l, &pick, k);
    }
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
    const struct words_line line = words_line(arg, &t, WARP_ID + LANE_ID * WORDS_WARPS);

    words_read(arg, &t, 1u);
    block_sync();
    ROLL for (uint32_t k = 0; WARP_ID + k * WORDS_WARPS < t.width; k++)
    {
        const uint32_t column = WARP_ID + k * WORDS_WARPS;
        const struct words_line l = words_line_of(&line, k);

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
