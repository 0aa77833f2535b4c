/* simple.h - permutations that need no tiles.
 *
 *      gather      out[i] = in[index[i]]: what fits in the L2
 *      turn        out[i] = in[(first + i) mod n], or (first - i)
 *
 * kernels/words.h includes this for each kind of item.
 */
#include "offline/kernels/job.h"

KERNEL(PLAN(cw_plan_gather), struct plan_simple, PLAN_SIMPLE_THREADS, 4)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;

    UNROLL4 for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < arg->n; i += step)
    {
        const uint32_t from = gm_ld4(arg->index + i);

        PLAN(plan_store)
        (arg->out, i, PLAN(plan_load)(arg->in, from, ITEM_BYTES, ITEM_UNIT), ITEM_BYTES, ITEM_UNIT);
    }
}

/* A block moves PLAN_SIMPLE_ROUND * BLOCK_DIM items. */
KERNEL(PLAN(cw_plan_turn), struct plan_simple, PLAN_SIMPLE_THREADS, 4)
{
    const uint64_t begin = (uint64_t)BLOCK_ID * BLOCK_DIM * PLAN_SIMPLE_ROUND + THREAD_ID;
    word x[PLAN_SIMPLE_ROUND];

    UNROLL for (uint32_t r = 0; r < PLAN_SIMPLE_ROUND; r++)
    {
        const uint64_t i = begin + r * BLOCK_DIM;

        if (i < arg->n) {
            const uint64_t from =
                arg->back ? arg->first + (i > arg->first ? arg->n : 0) - i : arg->first + i;

            x[r] = PLAN(plan_load)(arg->in, from - (from >= arg->n ? arg->n : 0), ITEM_BYTES,
                                   ITEM_UNIT);
        }
    }
    UNROLL for (uint32_t r = 0; r < PLAN_SIMPLE_ROUND; r++)
    {
        const uint64_t i = begin + r * BLOCK_DIM;

        if (i < arg->n)
            PLAN(plan_store)(arg->out, i, x[r], ITEM_BYTES, ITEM_UNIT);
    }
}
