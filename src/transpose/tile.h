/* tile.h - transpose matrices, tile by tile; square ones also in place.
 *
 *      tile      a tile is read by rows, and written by rows of the output
 *      ragged    the same where rows of the output do not start on sectors.  A sector that is
 *                written in parts costs twice, so every row of the output is cut where sectors
 *                begin, or pairs of them; for that a tile has some rows more of the input, before
 *                its own
 *      swap      a tile and the one on the other side of the diagonal change places
 *
 * A row of a tile has a place more than elements, so 32 neighbours of a row are in different banks,
 * and 32 of a column, too: the pitch is odd.  (8 bytes: 16 lanes, 16 bytes: 8, go together; an odd
 * number of such units is prime to both.)  Addresses depend on the shape alone.
 *
 * Tiles through shared memory: Ruetsch and Micikevicius (2009).
 */
#ifndef CW_TRANSPOSE_TILE_H
#define CW_TRANSPOSE_TILE_H

#include "prim/element.h"
#include "transpose/job.h"

#define SIDE       TRANSPOSE_SIDE(VALUE_LOG)
#define SIDE_PITCH (VALUE_WORD * (SIDE + 1u))
#define SIDE_LINES (TRANSPOSE_THREADS / SIDE) /* rows of a tile that the block reads at a time */
#define SIDE_TURNS (SIDE / SIDE_LINES)
#define SIDE_BYTES (SIDE * SIDE_PITCH)

/* A tile from (i, j) on of a matrix with rows of `width`; beyond `down` and `across` is nothing. */
struct tile {
    uint64_t i, j;
    uint64_t width;
    uint64_t down, across;
};

#define tile_load(v, from, t)                                                        \
    do {                                                                             \
        const uint64_t i_ = (t).i + THREAD_ID / SIDE, j_ = (t).j + THREAD_ID % SIDE; \
        const uint8_t *const p_ = value_at(from, i_ * (t).width + j_);               \
        const uint64_t step_ = SIDE_LINES * (t).width * VALUE_BYTES;                 \
                                                                                     \
        if ((t).i + SIDE <= (t).down && (t).j + SIDE <= (t).across) {                \
            UNROLL for (uint32_t k_ = 0; k_ < SIDE_TURNS; k_++) v[k_] =              \
                gm_ld_value(p_ + k_ * step_);                                        \
        } else {                                                                     \
            UNROLL for (uint32_t k_ = 0; k_ < SIDE_TURNS; k_++)                      \
            {                                                                        \
                v[k_] = zero;                                                        \
                if (i_ + k_ * SIDE_LINES < (t).down && j_ < (t).across)              \
                    v[k_] = gm_ld_value(p_ + k_ * step_);                            \
            }                                                                        \
        }                                                                            \
    } while (0)

#define tile_keep(v, base)                                                           \
    do {                                                                             \
        UNROLL for (uint32_t k_ = 0; k_ < SIDE_TURNS; k_++)                          \
        {                                                                            \
            sh_st_value((base) + (THREAD_ID / SIDE + k_ * SIDE_LINES) * SIDE_PITCH + \
                            THREAD_ID % SIDE * VALUE_WORD,                           \
                        v[k_]);                                                      \
        }                                                                            \
    } while (0)

/* Write the transposed tile, which belongs from (i, j) on of t's matrix. */
DEV void tile_write(void *to, struct tile t, uint32_t base)
{
    const uint64_t i = t.i + THREAD_ID / SIDE, j = t.j + THREAD_ID % SIDE;
    uint8_t *const p = value_to(to, i * t.width + j);
    const uint64_t step = SIDE_LINES * t.width * VALUE_BYTES;
    const uint32_t from = base + THREAD_ID % SIDE * SIDE_PITCH + THREAD_ID / SIDE * VALUE_WORD;

    if (t.i + SIDE <= t.down && t.j + SIDE <= t.across) {
        UNROLL for (uint32_t k = 0; k < SIDE_TURNS; k++)
        {
            const value v = sh_ld_value(from + k * SIDE_LINES * VALUE_WORD);

            gm_st_value(p + k * step, v);
        }
    } else {
        UNROLL for (uint32_t k = 0; k < SIDE_TURNS; k++)
        {
            const value v = sh_ld_value(from + k * SIDE_LINES * VALUE_WORD);

            if (i + k * SIDE_LINES < t.down && j < t.across)
                gm_st_value(p + k * step, v);
        }
    }
}

/* Where tile `rest` of a matrix is.  Tiles are numbered across in strips, from the top of a strip
 * down, one strip after another: what is worked on at a time is a tall piece of the input and so
 * long pieces of the output's rows, and sectors and lines that neighbours share meet in the L2. */
DEV void tile_place(const struct transpose_arg *arg, uint32_t rest, uint32_t *down,
                    uint32_t *across)
{
    const uint32_t left = rest / (TRANSPOSE_STRIP * arg->down) * TRANSPOSE_STRIP;
    const uint32_t wide =
        arg->across - left < TRANSPOSE_STRIP ? arg->across - left : TRANSPOSE_STRIP;

    rest -= left * arg->down;
    *down = rest / wide;
    *across = left + rest - *down * wide;
}

KERNEL(TRANSPOSE_NAME(tile), struct transpose_arg, TRANSPOSE_THREADS, VALUE_LOG <= 2 ? 6 : 4)
{
    const value zero = VALUE_ZERO;
    const uint32_t per = arg->down * arg->across;
    const uint32_t which = BLOCK_ID / per;
    const uint64_t first = which * arg->rows * arg->columns;
    struct tile from = {0, 0, arg->columns, arg->rows, arg->columns};
    struct tile to = {0, 0, arg->rows, arg->columns, arg->rows};
    uint32_t down, across;
    value v[SIDE_TURNS];

    tile_place(arg, BLOCK_ID - which * per, &down, &across);
    from.i = to.j = (uint64_t)down * SIDE;
    from.j = to.i = (uint64_t)across * SIDE;
    tile_load(v, value_at(arg->in, first), from);
    tile_keep(v, 0u);
    block_sync();
    tile_write(value_to(arg->out, first), to, 0u);
}

#define SECTOR TRANSPOSE_SECTOR(VALUE_LOG)
#define TALL   TRANSPOSE_TALL(VALUE_LOG)

DEV void ragged_tile(const struct transpose_arg *arg, uint32_t which, uint32_t down,
                     uint32_t across)
{
    const value zero = VALUE_ZERO;
    const uint64_t first = which * arg->rows * arg->columns;
    const uint64_t top = (uint64_t)down * SIDE; /* the rows before it wrap: they are not below */
    const uint64_t left = (uint64_t)across * SIDE;
    const uint32_t x = THREAD_ID % SIDE, y = THREAD_ID / SIDE;
    const uint8_t *const in = value_at(arg->in, first);
    uint8_t *const out = value_to(arg->out, first);
    /* This thread's first row of the output starts so many elements into memory, modulo 2^32. */
    const uint32_t begin =
        (uint32_t)((uintptr_t)out / VALUE_BYTES) + ((uint32_t)left + y) * (uint32_t)arg->rows;
    uint8_t *const to = value_to(out, (left + y) * arg->rows + top + x);
    const uint64_t out_step = SIDE_LINES * arg->rows * VALUE_BYTES;
    const int inside =
        top >= SECTOR && top - SECTOR + TALL <= arg->rows && left + SIDE <= arg->columns;
    value v[TALL / SIDE_LINES];

    if (inside) {
        const uint8_t *const p = value_at(in, (top - SECTOR + y) * arg->columns + left + x);
        const uint64_t step = SIDE_LINES * arg->columns * VALUE_BYTES;

        UNROLL for (uint32_t k = 0; k < TALL / SIDE_LINES; k++) v[k] = gm_ld_value(p + k * step);
    } else {
        UNROLL for (uint32_t k = 0; k < TALL / SIDE_LINES; k++)
        {
            const uint64_t i = top - SECTOR + y + k * SIDE_LINES;

            v[k] = zero;
            if (i < arg->rows && left + x < arg->columns)
                v[k] = gm_ld_value(value_at(in, i * arg->columns + left + x));
        }
    }
    UNROLL for (uint32_t k = 0; k < TALL / SIDE_LINES; k++)
    {
        sh_st_value((y + k * SIDE_LINES) * SIDE_PITCH + x * VALUE_WORD, v[k]);
    }
    block_sync();
    UNROLL for (uint32_t k = 0; k < SIDE_TURNS; k++)
    {
        const uint32_t row = y + k * SIDE_LINES;
        const uint32_t by = (begin + k * SIDE_LINES * (uint32_t)arg->rows) & (SECTOR - 1u);
        const value w = sh_ld_value((SECTOR - by + x) * SIDE_PITCH + row * VALUE_WORD);

        if (inside || (left + row < arg->columns && top + x - by < arg->rows))
            gm_st_value(to + k * out_step - by * VALUE_BYTES, w);
    }
}

KERNEL(TRANSPOSE_NAME(ragged), struct transpose_arg, TRANSPOSE_THREADS, 4)
{
    const uint32_t per = arg->down * arg->across;
    const uint32_t which = BLOCK_ID / per;
    uint32_t down, across;

    tile_place(arg, BLOCK_ID - which * per, &down, &across);
    ragged_tile(arg, which, down, across);
}

KERNEL(TRANSPOSE_NAME(swap), struct transpose_arg, TRANSPOSE_THREADS, VALUE_LOG <= 2 ? 4 : 3)
{
    const value zero = VALUE_ZERO;
    const uint32_t side = arg->down;
    const uint32_t per = side * (side + 1u) / 2u;
    const uint32_t which = BLOCK_ID / per;
    const uint32_t rest = BLOCK_ID - which * per;
    /* Rows of tiles from the diagonal on: one from the top and one from the bottom are side + 1. */
    const uint32_t fold = rest / (side + 1u);
    const uint32_t k = rest - fold * (side + 1u);
    const uint32_t down = k < side - fold ? fold : side - 1u - fold;
    const uint32_t across = k < side - fold ? fold + k : k - 1u;
    uint8_t *const data = value_to(arg->out, which * arg->rows * arg->columns);
    const struct tile a = {(uint64_t)down * SIDE, (uint64_t)across * SIDE, arg->columns, arg->rows,
                           arg->columns};
    const struct tile b = {a.j, a.i, arg->columns, arg->rows, arg->columns};
    value v[SIDE_TURNS], w[SIDE_TURNS];

    tile_load(v, data, a);
    tile_load(w, data, b);
    tile_keep(v, 0u);
    tile_keep(w, SIDE_BYTES);
    block_sync();
    tile_write(data, b, 0u);
    if (down != across)
        tile_write(data, a, SIDE_BYTES);
}

#endif
