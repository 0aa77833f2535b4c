/* odd_rows.h - permute rows whose number of bytes, or whose address, is no multiple of 4.
 *
 * A thread writes an aligned word of the output.  Its bytes begin anywhere in the input, so two
 * aligned words are read, which its neighbours read too, and shifted together.  Words that hang
 * over the ends of a row, or would be read over those of the input, are moved byte by byte.
 * Nothing in shared memory.
 */
#ifndef CW_PERMUTE_ODD_ROWS_H
#define CW_PERMUTE_ODD_ROWS_H

#include "dev/kernel.h"
#include "permute/job.h"

/* Word `slot` of the row at `to`, counted from the aligned address at or before it. */
DEV void odd_move(const struct permute_odd *a, const uint8_t *from, uint8_t *to, uint32_t slot)
{
    const uint8_t *const all = (const uint8_t *)a->in;
    const int32_t at = (int32_t)(4u * slot) - (int32_t)((uintptr_t)to & 3u);
    const uint8_t *const source = from + at;
    const uint32_t off = (uint32_t)((uintptr_t)source & 3u);

    if (at >= 0 && (uint32_t)at + 4u <= a->bytes && source - off >= all &&
        source - off + 8 <= all + a->n * a->bytes) {
        const uint32_t low = gm_ld4(source - off), high = gm_ld4(source - off + 4);

        gm_st4(to + at, off ? low >> 8u * off | high << (32u - 8u * off) : low);
    } else {
        ROLL for (int32_t k = at < 0 ? 0 : at; k < at + 4 && k < (int32_t)a->bytes; k++)
            gm_st1(to + k, gm_ld1(from + k));
    }
}

KERNEL(cw_permute_odd_rows, struct permute_odd, PERMUTE_PLAIN, 8)
{
    const uint32_t words = PERMUTE_ODD_WORDS(arg->bytes);
    const uint64_t total = arg->n * words, step = (uint64_t)GRID_DIM * BLOCK_DIM;

    ROLL for (uint64_t start = (uint64_t)BLOCK_ID * BLOCK_DIM; start < total; start += step)
    {
        const uint64_t first = start / words;
        const uint32_t rest = (uint32_t)(start - first * words) + THREAD_ID;
        const uint64_t i = first + rest / words;
        uint64_t p = UINT64_MAX;

        if (i < arg->n)
            p = arg->wide ? gm_ld8((const uint64_t *)arg->index + i)
                          : gm_ld4((const uint32_t *)arg->index + i);
        if (p < arg->n)
            odd_move(arg, (const uint8_t *)arg->in + (arg->gather ? p : i) * arg->bytes,
                     (uint8_t *)arg->out + (arg->gather ? i : p) * arg->bytes, rest % words);
    }
}

#endif
