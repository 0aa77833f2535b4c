/* transpose_ragged.h - transpose where rows of the output do not start on sectors.
 *
 * A sector that is written in parts costs twice, so every row of the output is cut where memory has a
 * multiple of `cut` elements: of output row r a tile writes what it has, less the last `by` elements,
 * and the last ones of the tile above, where by < cut depends on r.  So a block walks down, `walk`
 * tiles one after another, and keeps the tile above: there are two in shared memory, which take
 * turns.  Only before its first tile a walk reads some rows, `cut` of them, that another reads, too.
 * While a tile is written, the next one is on its way into registers.
 *
 * A tile's rows have an odd pitch (transpose_tile.h), and the two tiles are 2 * SIDE rows, a
 * multiple of 32, in a ring: so neighbours of a column are in different banks where they go around,
 * too.  Addresses depend on the shape alone.
 *
 * Barriers: one before a tile is read, which all have stored; one after, before the next takes the
 * place of the tile above.
 */
#ifndef CW_TRANSPOSE_RAGGED_H
#define CW_TRANSPOSE_RAGGED_H

#include "kernels/transpose_tile.h"

/* SIDE columns, from `left` on, of a matrix and of its transpose. */
struct strip {
    const uint8_t *in;
    uint8_t *out;
    uint64_t rows, columns, left;
    uint32_t cut;
};

/* Row q of the ring, where an element of such a column is. */
#define ring_at(q, column) (((q) & (2u * SIDE - 1u)) * SIDE_PITCH + (column)*VALUE_WORD)

/* A tile's rows from `top` on, as far as there are; of those, none before row `from`. */
#define strip_load(v, s, top, from)                                                     \
    do {                                                                                \
        const uint64_t i_ = (top) + THREAD_ID / SIDE, j_ = (s).left + THREAD_ID % SIDE; \
        const uint8_t *const p_ = value_at((s).in, i_ * (s).columns + j_);              \
        const uint64_t step_ = SIDE_LINES * (s).columns * VALUE_BYTES;                  \
                                                                                        \
        if ((from) == (top) && (top) < (s).rows && (top) + SIDE <= (s).rows &&          \
            (s).left + SIDE <= (s).columns) {                                           \
            UNROLL for (uint32_t k_ = 0; k_ < SIDE_TURNS; k_++) v[k_] =                 \
                gm_ld_value(p_ + k_ * step_);                                           \
        } else {                                                                        \
            UNROLL for (uint32_t k_ = 0; k_ < SIDE_TURNS; k_++)                         \
            {                                                                           \
                const uint64_t row_ = i_ + k_ * SIDE_LINES;                             \
                                                                                        \
                v[k_] = zero;                                                           \
                if (row_ >= (from) && row_ < (s).rows && j_ < (s).columns)              \
                    v[k_] = gm_ld_value(p_ + k_ * step_);                               \
            }                                                                           \
        }                                                                               \
    } while (0)

#define strip_keep(v, q)                                                                     \
    do {                                                                                     \
        UNROLL for (uint32_t k_ = 0; k_ < SIDE_TURNS; k_++)                                  \
        {                                                                                    \
            sh_st_value(ring_at((q) + THREAD_ID / SIDE + k_ * SIDE_LINES, THREAD_ID % SIDE), \
                        v[k_]);                                                              \
        }                                                                                    \
    } while (0)

/* The tile from row `top` on, which is row q of the ring. */
DEV void strip_write(const struct strip *s, uint64_t top, uint32_t q)
{
    const uint32_t x = THREAD_ID % SIDE, y = THREAD_ID / SIDE;
    const uint32_t aligned = (uint32_t)((uintptr_t)s->out / VALUE_BYTES);
    const uint32_t rows = (uint32_t)s->rows;
    const uint32_t first = aligned + ((uint32_t)s->left + y) * rows; /* right modulo 2^32 */
    uint8_t *const p = value_to(s->out, (s->left + y) * s->rows + top + x);
    const uint64_t step = SIDE_LINES * s->rows * VALUE_BYTES;
    const int inside = top >= s->cut && top + SIDE <= s->rows && s->left + SIDE <= s->columns;

    UNROLL for (uint32_t k = 0; k < SIDE_TURNS; k++)
    {
        const uint32_t by = (first + k * SIDE_LINES * rows) & (s->cut - 1u);
        const value v = sh_ld_value(ring_at(q - by + x, y + k * SIDE_LINES));
        uint8_t *const to = p + k * step - by * VALUE_BYTES;

        if (inside || (top + x - by < s->rows && s->left + y + k * SIDE_LINES < s->columns))
            gm_st_value(to, v);
    }
}

KERNEL(TRANSPOSE_NAME(ragged), struct transpose_arg, TRANSPOSE_THREADS, VALUE_LOG == 2 ? 5 : 4)
{
    const value zero = VALUE_ZERO;
    const uint32_t per = arg->down * arg->across;
    const uint32_t which = BLOCK_ID / per;
    const uint32_t rest = BLOCK_ID - which * per;
    const uint32_t down = rest / arg->across;
    const uint64_t matrix = which * arg->rows * arg->columns;
    const struct strip s = {value_at(arg->in, matrix),
                            value_to(arg->out, matrix),
                            arg->rows,
                            arg->columns,
                            (uint64_t)(rest - down * arg->across) * SIDE,
                            arg->cut};
    const uint32_t left = arg->tiles - down * arg->walk; /* tiles of this strip, from here on */
    const uint32_t tiles = left < arg->walk ? left : arg->walk;
    uint64_t top = (uint64_t)down * arg->walk * SIDE;
    value v[SIDE_TURNS];

    strip_load(v, s, top - SIDE, top - s.cut);
    strip_keep(v, SIDE);
    strip_load(v, s, top, top);
    strip_keep(v, 0u);
    block_sync();
    ROLL for (uint32_t t = 0; t < tiles; t++, top += SIDE)
    {
        const uint32_t q = (t & 1u) * SIDE;

        if (t + 1u < tiles)
            strip_load(v, s, top + SIDE, top + SIDE);
        strip_write(&s, top, q);
        if (t + 1u < tiles) {
            block_sync();
            strip_keep(v, SIDE - q);
            block_sync();
        }
    }
}

#endif
