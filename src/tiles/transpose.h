/* transpose.h - transpose tiles of r x c words, 4 or 8 bytes each, for any r and c.
 *
 * A tile is r c words in a row in global memory, before and after, so all threads read and write
 * it from end to end, 32 neighbours a warp, whatever r and c are.  On the way through shared
 * memory no bank may be asked twice, neither by 32 neighbours of a row-major tile nor by 32
 * neighbours of a column-major one.  Words of 8 bytes are moved as two halves, in two planes that
 * look alike.
 *
 * Word (i, j) is number e = i c + j.  It stands in line e div 32, which is turned by a number that
 * depends on the row:
 *
 *      bank(i, j) = (e + turn(i)) mod 32     turn(i) = (i g div 32) mod g     g = gcd(c, 32)
 *
 *   - turn(i) changes only where i is a multiple of 32/g, so where e is a multiple of c 32/g, which
 *     is one of 32: inside a line it is constant.  So 32 neighbours by e, from a multiple of 32 on,
 *     which are a line, are in different banks.
 *   - 32 neighbours of a column are too.  Suppose rows i and i' = i + d, 0 < d < 32, share a bank.
 *     All e of a column agree modulo g, as g divides c, so turn(i) = turn(i') modulo g, so
 *     they are equal.  Then c d = 0 modulo 32, so d is a multiple of 32/g, d = s 32/g.  Then
 *     turn(i') = turn(i) + s modulo g, so g divides s and 32 divides d: it does not.
 *
 * With c a multiple of 32 that is the well-known skew by one a row, with c odd nothing is turned.
 *
 * 32 neighbours by the column-major order may come from several columns.  Those of one column then
 * go first, those of the next follow, each a request that is free of conflicts; global memory is
 * asked once for all 32.  That is one request where 32 divides r, and two at most where r is 31 or
 * more.  The roles of rows and columns can be exchanged (lines in the order of the output, rows in
 * turn), and are if that comes to fewer turns.  So only a tile that is narrow both ways has more
 * turns, 32 over its longer side and one; and it has one if all of it is a line.
 *
 * Addresses depend on r and c alone.
 * Time: 1 write and 1 or 2 reads of shared memory a word of 4 bytes, or the other way round.
 * Space: r c words, each plane rounded up to 128 bytes: nothing is padded.
 */
#ifndef CW_TILES_TRANSPOSE_H
#define CW_TILES_TRANSPOSE_H

#include "dev/kernel.h"
#include "tiles/tiles.h"

#define TRANSPOSE_BATCH 4 /* words in flight, of a thread */

/* How a tile is laid out.  `width` and `g` are of the side whose neighbours make lines. */
struct transpose_plan {
    uint32_t rows, columns;
    uint32_t by_rows; /* lines are neighbours of the input */
    uint32_t width, g;
    uint32_t turns; /* of the other side, at most */
};

/* Who works on it, in shared memory from `base` on; a plane has so many bytes. */
struct transpose_unit {
    uint32_t t, threads, base, plane;
    int planes;
};

/* A word in the order of one side: number `at` = y width + x. */
struct transpose_walk {
    uint32_t at, x, y;
};

/* Runs of `length` that 32 words, from a multiple of 32 on, may meet. */
DEV uint32_t transpose_turns(uint32_t length)
{
    if (length % 32u == 0)
        return 1;
    return 32u % length == 0 ? 32u / length : 30u / length + 2u;
}

DEV struct transpose_plan transpose_plan_of(uint32_t rows, uint32_t columns)
{
    const uint32_t down = transpose_turns(rows);
    const uint32_t across = transpose_turns(columns);
    struct transpose_plan p;

    p.rows = rows;
    p.columns = columns;
    p.by_rows = down <= across;
    p.width = p.by_rows ? columns : rows;
    p.g = (p.width | 32u) & (0u - (p.width | 32u)); /* the highest power of two in both */
    p.turns = rows * columns <= 32u ? 1u : p.by_rows ? down : across;
    return p;
}

DEV struct transpose_walk walk_to(uint32_t at, uint32_t width)
{
    struct transpose_walk w;

    w.at = at;
    w.y = at / width;
    w.x = at - w.y * width;
    return w;
}

/* Further by `step`, which is a walk from 0. */
DEV struct transpose_walk walk_on(struct transpose_walk w, struct transpose_walk step,
                                  uint32_t width)
{
    w.at += step.at;
    w.x += step.x;
    w.y += step.y;
    if (w.x >= width) {
        w.x -= width;
        w.y++;
    }
    return w;
}

/* The byte of shared memory for a word of a walk along the lines, or across them. */
DEV uint32_t transpose_byte(struct transpose_plan p, struct transpose_unit u,
                            struct transpose_walk w, int along)
{
    const uint32_t i = along ? w.y : w.x;
    const uint32_t e = along ? w.at : w.x * p.width + w.y;
    const uint32_t turn = i * p.g / 32u & (p.g - 1u);

    return u.base + 4u * ((e & ~31u) | ((e + turn) & 31u));
}

/* When this word has its turn, among those of its warp. */
DEV uint32_t transpose_turn(struct transpose_plan p, struct transpose_walk w, int along)
{
    uint32_t turn = 0;

    if (!along && p.turns > 1u)
        turn = w.y - shfl4(w.y, 0);
    return w.at < p.rows * p.columns ? turn : 0xffffffffu;
}

/* ---- in and out ----------------------------------------------------------------------------- */

DEV uint64_t transpose_load(const void *in, uint32_t at, int planes)
{
    if (planes == 2)
        return gm_ld8((const uint64_t *)in + at);
    return gm_ld4((const uint32_t *)in + at);
}

DEV void transpose_in(const void *in, struct transpose_plan p, struct transpose_unit u)
{
    const uint32_t n = p.rows * p.columns;
    const int along = (int)p.by_rows;
    const struct transpose_walk step = walk_to(u.threads, p.columns);
    struct transpose_walk w = walk_to(u.t, p.columns);

    ROLL for (uint32_t done = 0; done < n; done += TRANSPOSE_BATCH * u.threads)
    {
        uint64_t x[TRANSPOSE_BATCH];
        uint32_t at[TRANSPOSE_BATCH], turn[TRANSPOSE_BATCH];

        UNROLL for (int i = 0; i < TRANSPOSE_BATCH; i++)
        {
            at[i] = transpose_byte(p, u, w, along);
            turn[i] = transpose_turn(p, w, along);
            x[i] = w.at < n ? transpose_load(in, w.at, u.planes) : 0u;
            w = walk_on(w, step, p.columns);
        }
        UNROLL for (int i = 0; i < TRANSPOSE_BATCH; i++)
        {
            ROLL for (uint32_t k = 0; k < (along ? 1u : p.turns); k++)
            {
                if (turn[i] == k)
                    sh_st4(at[i], (uint32_t)x[i]);
                if (turn[i] == k && u.planes == 2)
                    sh_st4(at[i] + u.plane, (uint32_t)(x[i] >> 32));
                warp_sync(); /* no lane goes ahead into another turn */
            }
        }
    }
}

DEV void transpose_out(void *out, struct transpose_plan p, struct transpose_unit u)
{
    const uint32_t n = p.rows * p.columns;
    const int along = !p.by_rows;
    const struct transpose_walk step = walk_to(u.threads, p.rows);
    struct transpose_walk w = walk_to(u.t, p.rows);

    ROLL for (uint32_t done = 0; done < n; done += u.threads)
    {
        const uint32_t at = transpose_byte(p, u, w, along);
        const uint32_t turn = transpose_turn(p, w, along);
        uint64_t x = 0;

        ROLL for (uint32_t k = 0; k < (along ? 1u : p.turns); k++)
        {
            if (turn == k)
                x = sh_ld4(at);
            if (turn == k && u.planes == 2)
                x |= (uint64_t)sh_ld4(at + u.plane) << 32;
            warp_sync();
        }
        if (w.at < n && u.planes == 2)
            gm_st8((uint64_t *)out + w.at, x);
        else if (w.at < n)
            gm_st4((uint32_t *)out + w.at, (uint32_t)x);
        w = walk_on(w, step, p.rows);
    }
}

/* ---- batches -------------------------------------------------------------------------------- */

DEV void transpose_tiles(const struct cw_tiles_transpose *a, struct transpose_plan p, int planes,
                         int wide)
{
    const uint64_t bytes = (uint64_t)a->rows * a->columns * 4u * (uint32_t)planes;
    const uint64_t warps = BLOCK_DIM / 32u;
    const uint64_t step = wide ? GRID_DIM : GRID_DIM * warps;
    struct transpose_unit u;

    u.t = wide ? THREAD_ID : LANE_ID;
    u.threads = wide ? BLOCK_DIM : 32u;
    u.planes = planes;
    u.plane = (a->rows * a->columns + 31u) / 32u * CW_TILES_LINE;
    u.base = wide ? 0u : WARP_ID * u.plane * (uint32_t)planes;
    ROLL for (uint64_t tile = wide ? BLOCK_ID : BLOCK_ID * warps + WARP_ID; tile < a->count;
              tile += step)
    {
        transpose_in((const char *)a->in + tile * bytes, p, u);
        if (wide)
            block_sync();
        else
            warp_sync();
        transpose_out((char *)a->out + tile * bytes, p, u);
        if (wide)
            block_sync(); /* before the next tile comes to the same places */
        else
            warp_sync();
    }
}

#ifdef TILES_TRANSPOSE

#define TRANSPOSE_KERNEL(name, threads, blocks, planes, wide)                           \
    KERNEL(name, struct cw_tiles_transpose, threads, blocks)                            \
    {                                                                                   \
        transpose_tiles(arg, transpose_plan_of(arg->rows, arg->columns), planes, wide); \
    }
TRANSPOSE_KERNEL(cw_tiles_transpose_warp_4, 1024, 1, 1, 0)
TRANSPOSE_KERNEL(cw_tiles_transpose_warp_8, 1024, 1, 2, 0)
TRANSPOSE_KERNEL(cw_tiles_transpose_block_4, 1024, 2, 1, 1)
TRANSPOSE_KERNEL(cw_tiles_transpose_block_8, 1024, 2, 2, 1)

#endif

#endif
