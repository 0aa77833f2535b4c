/* bits.h - out[A i xor b] = in[i]: an affine map of index bits, by tiles, with no table.
 *
 * A tile is a coset of a space V of indices that holds both the lowest bits of the source and the
 * preimages of the lowest bits of the destination, so that it is read in runs of neighbours and
 * written in runs of neighbours.  src/offline/bits.c chooses V, and two of its bases: one in which
 * items are read, one in which they are written.  The number of an item in either order, bit by
 * bit, picks the vectors that make its address and its slot in shared memory.
 *
 * Why no bank is asked twice: the slot's lowest bits, which are the bank, are a linear map that is
 * one-to-one on the vectors of the lanes in the order read and on those in the order written (two
 * spaces of one dimension have a common complement: its kernel).  A warp's other bits add the same
 * to all of its lanes.
 *
 * Each item is read and written once.  kernels/words.h includes this for each kind of item.
 */
#include "offline/kernels/job.h"

#ifndef CW_OFFLINE_KERNELS_BITS_H
#define CW_OFFLINE_KERNELS_BITS_H

/* The vectors that the ones of x, below bit `bits`, pick. */
DEV uint32_t plan_pick(const uint32_t *vector, uint32_t x, uint32_t bits)
{
    uint32_t sum = 0;

    UNROLL4 for (uint32_t k = 0; k < bits; k++) sum ^= x >> k & 1u ? vector[k] : 0u;
    return sum;
}

#endif

#define ROUNDS (1u << (2u * PLAN_RUN_BITS_OF(WORD_BYTES) - 8u)) /* of PLAN_BITS_THREADS items */

KERNEL(PLAN(cw_plan_bits), struct plan_bits, PLAN_BITS_THREADS, 4)
{
    const uint32_t from = plan_pick(arg->block_from, BLOCK_ID, arg->block_bits) ^
                          plan_pick(arg->read_from, THREAD_ID, 8);
    const uint32_t to = plan_pick(arg->block_to, BLOCK_ID, arg->block_bits) ^
                        plan_pick(arg->write_to, THREAD_ID, 8) ^ arg->start;
    const uint32_t in_slot = plan_pick(arg->read_slot, THREAD_ID, 8);
    const uint32_t out_slot = plan_pick(arg->write_slot, THREAD_ID, 8);

    UNROLL for (uint32_t first = 0; first < ROUNDS; first += PLAN_BITS_ROUND)
    {
        word x[PLAN_BITS_ROUND];

        UNROLL for (uint32_t r = 0; r < PLAN_BITS_ROUND; r++)
        {
            const uint32_t more = plan_pick(arg->read_from + 8, first + r, 4);

            x[r] = PLAN(plan_load)(arg->in, from ^ more, ITEM_BYTES, ITEM_UNIT);
        }
        UNROLL for (uint32_t r = 0; r < PLAN_BITS_ROUND; r++)
        {
            const uint32_t slot = in_slot ^ plan_pick(arg->read_slot + 8, first + r, 4);

            sh_stw(slot * WORD_BYTES, x[r]);
        }
    }
    block_sync();
    UNROLL for (uint32_t r = 0; r < ROUNDS; r++)
    {
        const uint32_t slot = out_slot ^ plan_pick(arg->write_slot + 8, r, 4);
        const uint32_t more = plan_pick(arg->write_to + 8, r, 4);
        const word x = sh_ldw(slot * WORD_BYTES);

        PLAN(plan_store)(arg->out, to ^ more, x, ITEM_BYTES, ITEM_UNIT);
    }
}

#undef ROUNDS
