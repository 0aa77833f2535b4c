/* in_place.h - the steps of a transposition in place, for matrices that are not square.
 *
 * Catanzaro, Keller and Garland (PPoPP 2014) take an m x n matrix to its transpose by three steps,
 * each a permutation inside columns or inside rows.  With c = gcd(m, n), a = m / c, b = n / c:
 *
 *      rotate     (i, j) <- ((i + j div b) mod m, j)                        only if c > 1
 *      rows       (i, ((i + j div b) mod m + j m) mod n) <- (i, j)
 *      shuffle    (i, j) <- ((j + i n - i div a) mod m, j)
 *
 * They follow cycles where a column does not fit on the chip; here a group of slices, 32 columns
 * each, is brought to a workspace, and from there back.  Shuffling is a
 * rotation of column j by j, done in shared memory on the way in, and one permutation of whole rows
 * of the slice on the way back; so global memory is asked for 32 neighbours at a time.  While one
 * group is written back, the next is read.
 *      A lane's column is its bank, so the rotation has no conflicts.  A row is held by one block;
 * neighbours go m apart there (modulo n), and rows are folded so that multiples of 32 do not share
 * a bank: few conflicts are left, not none.
 */
#ifndef CW_TRANSPOSE_IN_PLACE_H
#define CW_TRANSPOSE_IN_PLACE_H

#include "prim/least.h"
#include "prim/element.h"
#include "transpose/job.h"

#define SLICE_ROWS  TRANSPOSE_ROWS(VALUE_LOG)
#define SLICE_OUT   (SLICE_ROWS - TRANSPOSE_SLICE) /* rows that a block has all of, after rotation */
#define SLICE_WARPS (TRANSPOSE_THREADS / 32u)
#define SLICE_AHEAD 8u

/* Rows first .. of a slice, columns from j on, rotated, to the workspace.  Lane l's column goes up
 * by l for a shuffle. */
DEV void slice_enter(const struct transpose_step *a, uint32_t first, uint32_t j, uint8_t *work)
{
    const value zero = VALUE_ZERO;
    const uint32_t start = (uint32_t)(((uint64_t)first + j) % a->m);
    const int mine = j + LANE_ID < a->n;
    const uint8_t *const data = value_at(a->data, j + LANE_ID);

    ROLL for (uint32_t k = WARP_ID; k < SLICE_ROWS; k += SLICE_AHEAD * SLICE_WARPS)
    {
        value v[SLICE_AHEAD];

        UNROLL for (uint32_t x = 0; x < SLICE_AHEAD; x++)
        {
            const uint32_t at = start + k + x * SLICE_WARPS; /* below 2 m: slices are no longer */
            const uint64_t row = at >= a->m ? at - a->m : at;

            v[x] = zero;
            if (mine)
                v[x] = gm_ld_value(data + row * a->n * VALUE_BYTES);
        }
        UNROLL for (uint32_t x = 0; x < SLICE_AHEAD; x++)
        {
            sh_st_value(((k + x * SLICE_WARPS) * 32u + LANE_ID) * VALUE_WORD, v[x]);
        }
    }
    block_sync();
    ROLL for (uint32_t k = WARP_ID; k < SLICE_OUT; k += SLICE_WARPS)
    {
        const value v = sh_ld_value(((k + LANE_ID) * 32u + LANE_ID) * VALUE_WORD);

        if (first + k < a->m)
            gm_st_value(work + (((uint64_t)first + k) * a->pitch + LANE_ID) * VALUE_BYTES, v);
    }
}

/* The same with column j going up by j div b. */
DEV void slice_rotate(const struct transpose_step *a, uint32_t first, uint32_t j, uint8_t *work)
{
    const value zero = VALUE_ZERO;
    const int mine = j + LANE_ID < a->n;
    const uint32_t by = (j + LANE_ID) / a->b;
    const uint8_t *const data = value_at(a->data, j + LANE_ID);

    ROLL for (uint32_t k = WARP_ID; k < SLICE_OUT; k += SLICE_AHEAD * SLICE_WARPS)
    {
        value v[SLICE_AHEAD];

        UNROLL for (uint32_t x = 0; x < SLICE_AHEAD; x++)
        {
            const uint32_t i = first + k + x * SLICE_WARPS;
            const uint64_t row = (uint64_t)i + by;

            v[x] = zero;
            if (mine && i < a->m)
                v[x] = gm_ld_value(data + (row >= a->m ? row - a->m : row) * a->n * VALUE_BYTES);
        }
        UNROLL for (uint32_t x = 0; x < SLICE_AHEAD; x++)
        {
            const uint32_t i = k + x * SLICE_WARPS;

            if (i < SLICE_OUT && first + i < a->m)
                gm_st_value(work + (((uint64_t)first + i) * a->pitch + LANE_ID) * VALUE_BYTES,
                            v[x]);
        }
    }
}

/* Rows first .. of a group from the workspace back to the matrix: of each row 32 columns, cut where
 * lines of memory begin, so that `chunk` 0 and the last are part of one. */
DEV void slice_leave(const struct transpose_step *a, uint32_t first, uint32_t chunk)
{
    const uint32_t begin = a->leave.first * TRANSPOSE_SLICE;
    const uint32_t width = least_of(a->n - begin, a->leave.slices * TRANSPOSE_SLICE);
    const uint32_t aligned = (uint32_t)((uintptr_t)a->data / VALUE_BYTES) + begin;
    const uint8_t *const work = (const uint8_t *)a->leave.work;
    uint8_t *const data = value_to(a->data, begin);

    ROLL for (uint32_t k = 32u * WARP_ID; k < SLICE_OUT; k += 32u * SLICE_WARPS)
    {
        const uint64_t i = (uint64_t)first + k + LANE_ID;
        const uint32_t from = (uint32_t)(a->shuffle ? (i * a->n - i / a->a) % a->m : i % a->m);

        ROLL for (uint32_t y = 0; y < 32u; y += SLICE_AHEAD)
        {
            const value zero = VALUE_ZERO;
            value v[SLICE_AHEAD];

            UNROLL for (uint32_t x = 0; x < SLICE_AHEAD; x++)
            {
                const uint32_t to = first + k + y + x;
                const uint32_t j = 32u * chunk + LANE_ID - ((aligned + to * a->n) & 31u);
                const uint64_t row = shfl4(from, y + x);

                v[x] = zero;
                if (to < a->m && j < width)
                    v[x] = gm_ld_value(work + (row * a->pitch + j) * VALUE_BYTES);
            }
            UNROLL for (uint32_t x = 0; x < SLICE_AHEAD; x++)
            {
                const uint32_t to = first + k + y + x;
                const uint32_t j = 32u * chunk + LANE_ID - ((aligned + to * a->n) & 31u);

                if (to < a->m && j < width)
                    gm_st_value(data + ((uint64_t)to * a->n + j) * VALUE_BYTES, v[x]);
            }
        }
    }
}

KERNEL(TRANSPOSE_NAME(columns), struct transpose_step, TRANSPOSE_THREADS, VALUE_LOG <= 3 ? 3 : 2)
{
    const uint32_t per = (arg->m + SLICE_OUT - 1u) / SLICE_OUT;
    const uint32_t task = BLOCK_ID / per;
    const uint32_t first = (BLOCK_ID - task * per) * SLICE_OUT;
    const uint32_t chunks = arg->leave.slices ? arg->leave.slices + 1u : 0u;
    const uint32_t slice = task - chunks;
    uint8_t *const work = value_to(arg->enter.work, slice * TRANSPOSE_SLICE);

    if (task < chunks)
        slice_leave(arg, first, task);
    else if (arg->shuffle)
        slice_enter(arg, first, (arg->enter.first + slice) * TRANSPOSE_SLICE, work);
    else
        slice_rotate(arg, first, (arg->enter.first + slice) * TRANSPOSE_SLICE, work);
}

/* Where element d of a row stands in shared memory. */
DEV uint32_t row_place(uint32_t d)
{
    return (d ^ (d >> 5 & 31u)) * VALUE_WORD;
}

#define ROW_AHEAD 8u

/* A block a row.  Threads are numbered so that warps ask for whole lines of memory. */
KERNEL(TRANSPOSE_NAME(rows), struct transpose_step, TRANSPOSE_ROW_THREADS, VALUE_LOG <= 2 ? 3 : 2)
{
    const value zero = VALUE_ZERO;
    const uint32_t m = arg->m, n = arg->n, b = arg->b, i = BLOCK_ID;
    const uint32_t step = (uint32_t)((uint64_t)BLOCK_DIM * m % n);
    uint8_t *const row = value_to(arg->data, (uint64_t)i * n);
    const uint32_t off = (uint32_t)((uintptr_t)row / VALUE_BYTES) & 31u;
    const uint32_t first = THREAD_ID >= off ? THREAD_ID - off : THREAD_ID + BLOCK_DIM - off;
    uint32_t jm = (uint32_t)((uint64_t)first * m % n);

    ROLL for (uint32_t j = first; j < n; j += ROW_AHEAD * BLOCK_DIM)
    {
        value v[ROW_AHEAD];

        UNROLL for (uint32_t x = 0; x < ROW_AHEAD; x++)
        {
            v[x] = zero;
            if (j + x * BLOCK_DIM < n)
                v[x] = gm_ld_value(row + (uint64_t)(j + x * BLOCK_DIM) * VALUE_BYTES);
        }
        UNROLL for (uint32_t x = 0; x < ROW_AHEAD; x++)
        {
            uint32_t to = i + (b == n ? 0u : (j + x * BLOCK_DIM) / b);

            to -= to >= m ? m : 0u;
            to = m > n ? to % n : to;
            to += jm;
            to -= to >= n ? n : 0u;
            if (j + x * BLOCK_DIM < n)
                sh_st_value(row_place(to), v[x]);
            jm += step;
            jm -= jm >= n ? n : 0u;
        }
    }
    block_sync();
    UNROLL4 for (uint32_t j = first; j < n; j += BLOCK_DIM)
    {
        const value v = sh_ld_value(row_place(j));

        gm_st_value(row + (uint64_t)j * VALUE_BYTES, v);
    }
}

#endif
