/* warp_match.h - lanes that have the same digit find each other, by a vote a bit (Ashkiani et al.,
 * GPU Multisplit, 2016). */
#ifndef CW_PRIM_WARP_MATCH_H
#define CW_PRIM_WARP_MATCH_H

#include "dev/kernel.h"

/* Lanes of `there` that have this lane's digit; few: those that have the lane's number as
 * theirs. */
struct votes {
    uint32_t peers, mine;
};

/* `lean`, a constant: in fewer instructions, but with more predicates at a time, of which there are
 * seven. */
DEV void vote(struct votes *v, uint32_t b, uint32_t there, uint32_t bits, int few, int lean)
{
    v->peers = there;
    v->mine = there;
    UNROLL for (uint32_t k = 0; k < 9u; k++)
    {
        if (k < bits) {
            uint32_t one;

            if (lean) {
                v->peers &= same_bit(b, k, &one);
            } else {
                one = ballot(b >> k & 1u);
                v->peers &= b >> k & 1u ? one : ~one;
            }
            if (few)
                v->mine &= LANE_ID >> k & 1u ? one : ~one;
        }
    }
}

#endif
