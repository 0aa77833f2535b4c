/* gather_sum.h - out[i] = sum over k of weight[i][k] * in[index[i][k]], rows of f16, bf16 or f32.
 *
 *      wide      a thread has 16 bytes of a row of the output, and asks for those of several rows
 *                at a time
 *      any       a thread has an element: rows that do not begin on 16 bytes
 *
 * Sums are f32, in the order of k, each step one fused multiplication and addition; so every
 * machine has the same bits.  An index out of range adds nothing.  Nothing in shared memory.
 *
 * A source defines SUM_NAME(what), SUM_HALF (elements of 2 bytes), SUM_LOAD and SUM_STORE (bits to
 * f32 and back).
 */
#ifndef CW_PERMUTE_GATHER_SUM_H
#define CW_PERMUTE_GATHER_SUM_H

#include "dev/kernel.h"
#include "permute/sum_job.h"
#include "prim/float16.h"

#define SUM_BYTES   (SUM_HALF ? 2u : 4u)
#define SUM_OF_WIDE (16u / SUM_BYTES)

DEV uint64_t sum_index(const struct gather_sum *a, uint64_t at)
{
    return a->wide_index ? gm_ld8((const uint64_t *)a->index + at)
                         : gm_ld4((const uint32_t *)a->index + at);
}

DEV float sum_weight(const struct gather_sum *a, uint64_t at)
{
    if (!a->weights)
        return 1.0f;
    if (a->weight_bytes == 4u)
        return f32_of_bits(gm_ld4((const uint32_t *)a->weights + at));
#if SUM_HALF
    return SUM_LOAD(gm_ld2((const uint16_t *)a->weights + at));
#else
    return 0.0f;
#endif
}

#if SUM_HALF
#define sum_word(sum, word, weight)                                  \
    do {                                                             \
        (sum)[0] = fmaf(weight, SUM_LOAD((word)&0xffffu), (sum)[0]); \
        (sum)[1] = fmaf(weight, SUM_LOAD((word) >> 16), (sum)[1]);   \
    } while (0)
#define sum_bits(sum) (SUM_STORE((sum)[0]) | SUM_STORE((sum)[1]) << 16)
#define SUM_OF_WORD   2u
#else
#define sum_word(sum, word, weight) ((sum)[0] = fmaf(weight, f32_of_bits(word), (sum)[0]))
#define sum_bits(sum)               bits_of_f32((sum)[0])
#define SUM_OF_WORD                 1u
#endif

/* The row of this thread, and its unit there. */
DEV uint64_t sum_row(uint32_t units, uint64_t *at)
{
    const uint64_t start = (uint64_t)BLOCK_ID * BLOCK_DIM, first = start / units;
    const uint32_t rest = (uint32_t)(start - first * units) + THREAD_ID;

    *at = rest % units;
    return first + rest / units;
}

#define SUM_AHEAD 4u /* rows that are under way */

KERNEL(SUM_NAME(wide), struct gather_sum, SUM_THREADS, 4)
{
    uint64_t at;
    const uint64_t row = sum_row(arg->units, &at);
    float sum[SUM_OF_WIDE];

    if (row >= arg->n)
        return;
    UNROLL for (uint32_t e = 0; e < SUM_OF_WIDE; e++) sum[e] = 0.0f;
    ROLL for (uint32_t k = 0; k < arg->per; k += SUM_AHEAD)
    {
        const vec16 zero = {0u, 0u, 0u, 0u};
        vec16 x[SUM_AHEAD];
        float weight[SUM_AHEAD];
        uint32_t there[SUM_AHEAD];

        UNROLL for (uint32_t j = 0; j < SUM_AHEAD; j++)
        {
            there[j] = 0;
            weight[j] = 0.0f;
            x[j] = zero;
            if (k + j < arg->per) {
                const uint64_t p = sum_index(arg, row * arg->per + k + j);

                if (p < arg->rows) {
                    x[j] = gm_ld16((const uint8_t *)arg->in + (p * arg->units + at) * 16u);
                    weight[j] = sum_weight(arg, row * arg->per + k + j);
                    there[j] = 1;
                }
            }
        }
        UNROLL for (uint32_t j = 0; j < SUM_AHEAD; j++)
        {
            if (there[j]) {
                sum_word(sum, x[j].x, weight[j]);
                sum_word(sum + SUM_OF_WORD, x[j].y, weight[j]);
                sum_word(sum + 2u * SUM_OF_WORD, x[j].z, weight[j]);
                sum_word(sum + 3u * SUM_OF_WORD, x[j].w, weight[j]);
            }
        }
    }
    {
        vec16 y;

        y.x = sum_bits(sum);
        y.y = sum_bits(sum + SUM_OF_WORD);
        y.z = sum_bits(sum + 2u * SUM_OF_WORD);
        y.w = sum_bits(sum + 3u * SUM_OF_WORD);
        gm_st16((uint8_t *)arg->out + (row * arg->units + at) * 16u, y);
    }
}

/* `units` are elements here. */
KERNEL(SUM_NAME(any), struct gather_sum, SUM_THREADS, 4)
{
    uint64_t at;
    const uint64_t row = sum_row(arg->units, &at);
    float sum = 0.0f;

    if (row >= arg->n)
        return;
    ROLL for (uint32_t k = 0; k < arg->per; k++)
    {
        const uint64_t p = sum_index(arg, row * arg->per + k);

        if (p < arg->rows) {
            const float weight = sum_weight(arg, row * arg->per + k);
#if SUM_HALF
            sum = fmaf(weight, SUM_LOAD(gm_ld2((const uint16_t *)arg->in + p * arg->units + at)),
                       sum);
#else
            sum = fmaf(weight, f32_of_bits(gm_ld4((const uint32_t *)arg->in + p * arg->units + at)),
                       sum);
#endif
        }
    }
#if SUM_HALF
    gm_st2((uint16_t *)arg->out + row * arg->units + at, SUM_STORE(sum));
#else
    gm_st4((uint32_t *)arg->out + row * arg->units + at, bits_of_f32(sum));
#endif
}

#endif
