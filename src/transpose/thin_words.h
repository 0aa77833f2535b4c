/* thin_words.h - transpose matrices of few rows or few columns, of elements of 1 and 2 bytes, by words.
 *
 * As transpose/thin.h, but a lane moves words of 4 bytes.  What a block takes is read as the aligned
 * words that it lies in: one run, or a run for each of the few rows, which stand `pitch` words apart
 * in shared memory.  A word of the output has 2 or 4 elements, each in a word of its own there.
 * Words at the ends of a run of the output may be parts.
 *
 * Few rows: elements of a word are in different runs, and the pitch is 32 / few more than a multiple of
 * 32, so that neighbours are in different banks, more or less.  Few columns: they are as many
 * elements apart, and word i stands at i + i / 32.  Some meet in banks.
 */
#ifndef CW_TRANSPOSE_THIN_WORDS_H
#define CW_TRANSPOSE_THIN_WORDS_H

#include "prim/element.h"
#include "transpose/job.h"
#include "transpose/words.h"

#define THIN_AHEAD TRANSPOSE_THIN_AHEAD
#define THIN_KINDS (4u >> VALUE_LOG) /* elements of a word */

/* What a block takes: places from .. of the long side of a matrix that begins at element `start`. */
struct thin_part {
    uint64_t start, from;
    uint32_t span;
};

DEV uint32_t thin_place(const struct transpose_thin *a, uint32_t word)
{
    return 4u * (a->flat ? word : word + word / 32u);
}

DEV uint32_t thin_load(const struct transpose_thin *a, const uint8_t *at)
{
    return words_load(a->in, a->total, at);
}

/* `runs` of so many elements, from element `first` of the input on, `length` apart. */
DEV void thin_read(const struct transpose_thin *a, uint64_t first, uint32_t runs, uint32_t elements)
{
    ROLL for (uint32_t t = THREAD_ID; t < runs * a->pitch; t += THIN_AHEAD * TRANSPOSE_THREADS)
    {
        uint32_t v[THIN_AHEAD];

        UNROLL for (uint32_t k = 0; k < THIN_AHEAD; k++)
        {
            const uint32_t i = t + k * TRANSPOSE_THREADS;
            const uint32_t run = runs > 1u ? high4(i, a->by_pitch) : 0u;
            const uint32_t word = i - run * a->pitch;
            const uint8_t *const from = value_at(a->in, first + run * a->length);
            const uint32_t off = (uint32_t)(uintptr_t)from & 3u;

            v[k] = 0;
            if (run < runs && 4u * word < off + elements * VALUE_BYTES)
                v[k] = thin_load(a, from - off + 4u * word);
        }
        UNROLL for (uint32_t k = 0; k < THIN_AHEAD; k++)
        {
            const uint32_t i = t + k * TRANSPOSE_THREADS;

            if (i < runs * a->pitch)
                sh_st4(thin_place(a, i), v[k]);
        }
    }
}

/* Put elements together that begin at bytes of shared memory, counted without gaps. */
DEV uint32_t thin_word(const struct transpose_thin *a, const uint32_t *at)
{
    uint32_t v[THIN_KINDS];

    UNROLL for (uint32_t k = 0; k < THIN_KINDS; k++)
    {
        v[k] = sh_ld4(thin_place(a, at[k] / 4u));
    }
#if VALUE_LOG == 1
    return bytes4(v[0], v[1], 0x5410u + 0x11u * (at[0] & 2u) + 0x1100u * (at[1] & 2u));
#else
    v[0] = bytes4(v[0], v[1], 0x40u + (at[0] & 3u) + 0x10u * (at[1] & 3u));
    v[2] = bytes4(v[2], v[3], 0x40u + (at[2] & 3u) + 0x10u * (at[3] & 3u));
    return bytes4(v[0], v[2], 0x5410u);
#endif
}

/* A run of the output: element `first` of it, and so many. */
DEV struct words_line thin_line(const struct transpose_thin *a, uint64_t first, uint32_t elements)
{
    uint8_t *const to = value_to(a->out, first);
    struct words_line l = {to, 0, 0, 0};

    l.low = (uint32_t)(uintptr_t)to & 3u;
    l.first = to - l.low;
    l.high = l.low + elements * VALUE_BYTES;
    return l;
}

/* Few rows: element t of the output's run is in run t modulo few. */
DEV void thin_write_flat(const struct transpose_thin *a, struct thin_part p)
{
    const struct words_line l = thin_line(a, p.start + p.from * a->few, p.span * a->few);
    const uint32_t apart = (uint32_t)a->length * VALUE_BYTES;
    const uint32_t off = (uint32_t)(uintptr_t)a->in + (uint32_t)(p.start + p.from) * VALUE_BYTES;

    UNROLL4 for (uint32_t w = THREAD_ID; 4u * w < l.high; w += TRANSPOSE_THREADS)
    {
        uint32_t t = 4u * w < l.low ? 0u : (4u * w - l.low) / VALUE_BYTES;
        uint32_t c = a->few > 1u ? high4(t, a->by_few) : t, at[THIN_KINDS];

        t -= c * a->few;    /* now the run */
        if (4u * w < l.low) /* begins so much before the run that its elements are the last */
            t -= l.low / VALUE_BYTES;
        UNROLL for (uint32_t k = 0; k < THIN_KINDS; k++)
        {
            const uint32_t run = (int32_t)t < 0 ? 0u : t;

            at[k] = 4u * run * a->pitch + ((off + run * apart) & 3u) + c * VALUE_BYTES;
            t++;
            if (t == a->few) {
                t = 0;
                c++;
            }
        }
        words_store(&l, 4u * w, thin_word(a, at));
    }
}

/* Few columns: elements of run r of the output are `few` apart. */
DEV void thin_write_tall(const struct transpose_thin *a, struct thin_part p)
{
    const uint32_t off = (uint32_t)(uintptr_t)value_at(a->in, p.start + p.from * a->few) & 3u;

    ROLL for (uint32_t r = 0; r < a->few; r++)
    {
        const struct words_line l = thin_line(a, p.start + r * a->length + p.from, p.span);

        UNROLL4 for (uint32_t w = THREAD_ID; 4u * w < l.high; w += TRANSPOSE_THREADS)
        {
            const uint32_t first = 4u * w / VALUE_BYTES - l.low / VALUE_BYTES;
            uint32_t at[THIN_KINDS];

            UNROLL for (uint32_t k = 0; k < THIN_KINDS; k++)
            {
                const uint32_t c = first + k < p.span ? first + k : 0u;

                at[k] = off + (c * a->few + r) * VALUE_BYTES;
            }
            words_store(&l, 4u * w, thin_word(a, at));
        }
    }
}

KERNEL(TRANSPOSE_NAME(thin), struct transpose_thin, TRANSPOSE_THREADS, 5)
{
    const uint64_t matrix = BLOCK_ID / arg->blocks;
    const uint64_t from = (BLOCK_ID - matrix * arg->blocks) * arg->span;
    const uint64_t left = arg->length - from;
    const struct thin_part p = {matrix * arg->length * arg->few, from,
                                left < arg->span ? (uint32_t)left : arg->span};

    if (arg->flat)
        thin_read(arg, p.start + from, arg->few, p.span);
    else
        thin_read(arg, p.start + from * arg->few, 1u, p.span * arg->few);
    block_sync();
    if (arg->flat)
        thin_write_flat(arg, p);
    else
        thin_write_tall(arg, p);
}

#endif
