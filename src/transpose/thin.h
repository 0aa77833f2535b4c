/* thin.h - transpose matrices of few rows or few columns: one side is below 16, the other long.
 *
 * A block takes `span` places of the long side, all of the short one.  The side of memory that has
 * short rows is one run there; the other has a run for each of the few rows.  Runs are read and
 * written as they stand, several elements of a thread under way at a time, and change order in
 * shared memory.
 *
 * Element i of the run stands at i + i / 32: lanes that take every 2nd, 4th or 8th element find
 * themselves in different banks; an odd step needs no help.  Steps of 6, 10, 12 and 14 may meet
 * twice in a bank.
 */
#ifndef CW_TRANSPOSE_THIN_H
#define CW_TRANSPOSE_THIN_H

#include "prim/element.h"
#include "transpose/job.h"

#define THIN_AHEAD TRANSPOSE_THIN_AHEAD

DEV uint32_t thin_at(uint32_t i)
{
    return (i + i / 32u) * VALUE_WORD;
}

/* Elements 0 .. count - 1 of a run of memory, to places first, first + step .. of shared memory. */
DEV void thin_read(const void *from, uint64_t at, uint32_t count, uint32_t first, uint32_t step)
{
    const value zero = VALUE_ZERO;

    ROLL for (uint32_t i = THREAD_ID; i < count; i += THIN_AHEAD * TRANSPOSE_THREADS)
    {
        value v[THIN_AHEAD];

        UNROLL for (uint32_t k = 0; k < THIN_AHEAD; k++)
        {
            const uint32_t j = i + k * TRANSPOSE_THREADS;

            v[k] = zero;
            if (j < count)
                v[k] = gm_ld_value(value_at(from, at + j));
        }
        UNROLL for (uint32_t k = 0; k < THIN_AHEAD; k++)
        {
            const uint32_t j = i + k * TRANSPOSE_THREADS;

            if (j < count)
                sh_st_value(thin_at(first + j * step), v[k]);
        }
    }
}

/* The same back. */
DEV void thin_write(void *to, uint64_t at, uint32_t count, uint32_t first, uint32_t step)
{
    UNROLL4 for (uint32_t j = THREAD_ID; j < count; j += TRANSPOSE_THREADS)
    {
        const value v = sh_ld_value(thin_at(first + j * step));

        gm_st_value(value_to(to, at + j), v);
    }
}

KERNEL(TRANSPOSE_NAME(thin), struct transpose_thin, TRANSPOSE_THREADS, 4)
{
    const uint64_t matrix = BLOCK_ID / arg->blocks;
    const uint64_t from = (BLOCK_ID - matrix * arg->blocks) * arg->span;
    const uint64_t left = arg->length - from, start = matrix * arg->length * arg->few;
    const uint32_t span = left < arg->span ? (uint32_t)left : arg->span;

    if (arg->flat) { /* few rows */
        ROLL for (uint32_t r = 0; r < arg->few; r++)
            thin_read(arg->in, start + r * arg->length + from, span, r, arg->few);
        block_sync();
        thin_write(arg->out, start + from * arg->few, span * arg->few, 0, 1u);
    } else {
        thin_read(arg->in, start + from * arg->few, span * arg->few, 0, 1u);
        block_sync();
        ROLL for (uint32_t r = 0; r < arg->few; r++)
            thin_write(arg->out, start + r * arg->length + from, span, r, arg->few);
    }
}

#endif
