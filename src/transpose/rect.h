/* rect.h - transpose by rectangles: thin matrices, many small ones, elements of any size to 64
 * bytes.
 *
 * An element is `each` units of 1 to 16 bytes.  A block takes a rectangle of the input, reads it by
 * rows into shared memory, and writes it by rows of the output.  A thin matrix has rectangles as
 * thin and as long, so runs of memory are long on both sides; of small matrices a block takes
 * several, which stand one after another on both sides.  Numbers are below 2^16, so that a
 * multiplication divides them.
 *
 * Rows are `pitch` units apart in shared memory: a multiple of 32 plus `each` where there is room
 * for that, so that neighbours of a column follow each other from bank to bank; else an odd number.
 * Thin rectangles of several units, and small matrices, may meet in banks.
 *
 * Tiles through shared memory whose rows are padded: Ruetsch and Micikevicius (2009).
 */
#ifndef CW_TRANSPOSE_RECT_H
#define CW_TRANSPOSE_RECT_H

#include "prim/element.h"
#include "transpose/job.h"

#define RECT_AHEAD 4u /* units of a thread that are under way */

/* x / d; by: 2^32 / d rounded up, 0 for a d of 1. */
DEV uint32_t rect_quotient(uint32_t x, uint32_t by)
{
    return by ? high4(x, by) : x;
}

/* Where a unit of the rectangle is: matrix, row, unit of the row. */
struct rect_at {
    uint32_t matrix, row, unit;
};

/* Unit t, where rows have so many elements; by: rect_quotient divides by their units. */
DEV struct rect_at rect_unit(const struct transpose_rect *a, uint32_t t, uint32_t elements,
                             uint32_t by)
{
    struct rect_at at = {0, 0, 0};

    if (a->matrices > 1u) {
        at.matrix = rect_quotient(t, a->by_all);
        t -= at.matrix * a->high * a->wide * a->each;
    }
    at.row = rect_quotient(t, by);
    at.unit = t - at.row * elements * a->each;
    return at;
}

/* In the order of the input. */
DEV struct rect_at rect_in(const struct transpose_rect *a, uint32_t t)
{
    return rect_unit(a, t, a->wide, a->by_wide);
}

/* In the order of the output: here `row` is a column of the input. */
DEV struct rect_at rect_out(const struct transpose_rect *a, uint32_t t)
{
    return rect_unit(a, t, a->high, a->by_high);
}

/* A rectangle's first matrix, row and column, and how many of each it has. */
struct rect_place {
    uint64_t matrix, row, column;
    uint32_t matrices, high, wide;
};

DEV struct rect_place rect_place(const struct transpose_rect *a)
{
    const uint64_t per = (uint64_t)a->down * a->across;
    const uint64_t group = BLOCK_ID / per;
    const uint32_t rest = (uint32_t)(BLOCK_ID - group * per);
    const uint32_t down = rest / a->across, across = rest - down * a->across;
    struct rect_place p;
    uint64_t left;

    p.matrix = group * a->matrices;
    p.row = (uint64_t)down * a->high;
    p.column = (uint64_t)across * a->wide;
    left = a->batch - p.matrix;
    p.matrices = left < a->matrices ? (uint32_t)left : a->matrices;
    left = a->rows - p.row;
    p.high = left < a->high ? (uint32_t)left : a->high;
    left = a->columns - p.column;
    p.wide = left < a->wide ? (uint32_t)left : a->wide;
    return p;
}

DEV void rect_read(const struct transpose_rect *a, struct rect_place p, uint32_t units)
{
    const value zero = VALUE_ZERO;
    const uint64_t matrix = a->rows * a->columns * a->each, row = a->columns * a->each;
    const uint8_t *const in = value_at(a->in, p.matrix * matrix + p.row * row + p.column * a->each);

    ROLL for (uint32_t t = THREAD_ID; t < units; t += RECT_AHEAD * TRANSPOSE_THREADS)
    {
        uint32_t to[RECT_AHEAD];
        value v[RECT_AHEAD];

        UNROLL for (uint32_t k = 0; k < RECT_AHEAD; k++)
        {
            const struct rect_at at = rect_in(a, t + k * TRANSPOSE_THREADS);

            v[k] = zero;
            to[k] = UINT32_MAX;
            if (t + k * TRANSPOSE_THREADS < units && at.matrix < p.matrices && at.row < p.high &&
                at.unit < p.wide * a->each) {
                to[k] = (at.matrix * a->high + at.row) * a->pitch + at.unit;
                v[k] = gm_ld_value(value_at(in, at.matrix * matrix + at.row * row + at.unit));
            }
        }
        UNROLL for (uint32_t k = 0; k < RECT_AHEAD; k++)
        {
            if (to[k] != UINT32_MAX)
                sh_st_value(to[k] * VALUE_WORD, v[k]);
        }
    }
}

DEV void rect_write(const struct transpose_rect *a, struct rect_place p, uint32_t units)
{
    const uint64_t matrix = a->rows * a->columns * a->each, row = a->rows * a->each;
    uint8_t *const out = value_to(a->out, p.matrix * matrix + p.column * row + p.row * a->each);

    UNROLL4 for (uint32_t t = THREAD_ID; t < units; t += TRANSPOSE_THREADS)
    {
        const struct rect_at at = rect_out(a, t);
        const uint32_t down = rect_quotient(at.unit, a->by_each);
        const uint32_t part = at.unit - down * a->each;

        if (at.matrix < p.matrices && at.row < p.wide && down < p.high) {
            const value v = sh_ld_value(
                ((at.matrix * a->high + down) * a->pitch + at.row * a->each + part) * VALUE_WORD);

            gm_st_value(value_to(out, at.matrix * matrix + at.row * row + at.unit), v);
        }
    }
}

KERNEL(TRANSPOSE_NAME(rect), struct transpose_rect, TRANSPOSE_THREADS, 4)
{
    const struct rect_place p = rect_place(arg);
    const uint32_t units = arg->matrices * arg->high * arg->wide * arg->each;

    rect_read(arg, p, units);
    block_sync();
    rect_write(arg, p, units);
}

#endif
