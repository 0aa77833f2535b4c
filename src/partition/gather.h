/* gather.h - what surrounds the moves: labels of keys, rows and indices by place.
 *
 *      labels    label i = the bucket of key i, of any type
 *      gather    row i of the output = row (place i) of the input, `unit` bytes a thread
 *      invert    entry (place i) of the output = i
 *      widen     entry i of the output, 8 bytes = place i
 */
#ifndef CW_PARTITION_GATHER_H
#define CW_PARTITION_GATHER_H

#include "dev/kernel.h"
#include "prim/load_bits.h"
#include "partition/rule.h"

/* How many splitters are not above w. */
DEV uint32_t search_cuts(const struct partition_rule *r, uint64_t w)
{
    uint32_t low = 0;
    uint32_t high = r->buckets - 1u;

    ROLL while (low < high)
    {
        const uint32_t mid = (low + high) / 2u;
        const uint64_t x = load_bits(r->cuts, mid, r->bytes);

        if (CW_KEY_TO_WORD(&r->map, x) <= w)
            low = mid + 1u;
        else
            high = mid;
    }
    return low;
}

DEV uint32_t label_of(const struct partition_rule *r, uint64_t x)
{
    const uint64_t w = CW_KEY_TO_WORD(&r->map, x);

    if (r->by == PARTITION_BY_HASH)
        return hash_bucket(x, r->multiplier, r->buckets);
    if (r->by == PARTITION_BY_CUTS)
        return search_cuts(r, w);
    return (uint32_t)(w >> r->first) & r->mask;
}

KERNEL(cw_partition_labels, struct partition_around, 256, 4)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;
    uint32_t *const out = (uint32_t *)arg->out;
    uint32_t bad = 0;

    UNROLL4 for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < arg->n; i += step)
    {
        const uint64_t x = load_bits(arg->in, i, arg->rule.bytes);

        bad += x > arg->rule.most;
        gm_st4(out + i, label_of(&arg->rule, x));
    }
    if (bad)
        (void)gm_add4(&arg->state->bad, bad);
}

DEV void move_unit(const struct partition_around *a, uint64_t to, uint64_t from)
{
    const uint8_t *const in = (const uint8_t *)a->in + from;
    uint8_t *const out = (uint8_t *)a->out + to;

    switch (a->unit) {
    case 1:
        gm_st1(out, gm_ld1(in));
        break;
    case 2:
        gm_st2(out, gm_ld2(in));
        break;
    case 4:
        gm_st4(out, gm_ld4(in));
        break;
    case 8:
        gm_st8(out, gm_ld8(in));
        break;
    default:
        gm_st16(out, gm_ld16(in));
    }
}

/* Rows of up to 32 units: a block has `some` of them at a time, a thread a unit.  Longer ones: a warp
 * a row. */
KERNEL(cw_partition_gather, struct partition_around, 256, 4)
{
    const uint64_t units = arg->row / arg->unit;

    if (gm_ld4(&arg->state->bad))
        return;
    if (units <= 32u) {
        const uint32_t per = (uint32_t)units;
        const uint32_t some = 1024u / per;

        ROLL for (uint64_t r = (uint64_t)BLOCK_ID * some; r < arg->n;
                  r += (uint64_t)GRID_DIM * some)
        {
            const uint32_t rows = arg->n - r < some ? (uint32_t)(arg->n - r) : some;

            UNROLL4 for (uint32_t k = THREAD_ID; k < rows * per; k += BLOCK_DIM)
            {
                const uint64_t row = r + k / per;
                const uint64_t at = (uint64_t)(k % per) * arg->unit;

                move_unit(arg, row * arg->row + at, gm_ld4(arg->places + row) * arg->row + at);
            }
        }
    } else {
        const uint64_t step = (uint64_t)GRID_DIM * (BLOCK_DIM / 32u);

        ROLL for (uint64_t r = (uint64_t)BLOCK_ID * (BLOCK_DIM / 32u) + WARP_ID; r < arg->n;
                  r += step)
        {
            const uint64_t from = gm_ld4(arg->places + r) * arg->row;

            UNROLL4 for (uint64_t k = LANE_ID; k < units; k += 32u)
                move_unit(arg, r * arg->row + k * arg->unit, from + k * arg->unit);
        }
    }
}

KERNEL(cw_partition_invert, struct partition_around, 256, 4)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;

    if (gm_ld4(&arg->state->bad))
        return;
    UNROLL4 for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < arg->n; i += step)
    {
        const uint32_t at = gm_ld4(arg->places + i);

        if (arg->row == 8)
            gm_st8((uint64_t *)arg->out + at, i);
        else
            gm_st4((uint32_t *)arg->out + at, (uint32_t)i);
    }
}

KERNEL(cw_partition_widen, struct partition_around, 256, 4)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;

    if (gm_ld4(&arg->state->bad))
        return;
    UNROLL4 for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < arg->n; i += step)
        gm_st8((uint64_t *)arg->out + i, (uint64_t)gm_ld4(arg->places + i));
}

#endif
