/* tree_digit.h - the bin of a word by the table that splitters/tree_build.h made. */
#ifndef CW_SORT_SPLITTERS_TREE_DIGIT_H
#define CW_SORT_SPLITTERS_TREE_DIGIT_H

#include "sort/radix/word.h"

#if RADIX_COUNTS

/* An entry of the table of splitters/tree_build.h:
 *
 *      leaf    bits 0 .. 8     a bin
 *              bits 9 .. 13    a shift
 *              bits 14 .. 24   a limit: if the 10 bits of t from the shift on are not below it, the
 *                              key goes to the next bin
 *              bits 25, 26     of both bins, whether they are counted (counting/counted_buckets.h)
 *      node    bits 0 .. 4     32 less the bits that its pieces are told apart by
 *              bits 5 ..       these bits
 *              bits 16 ..      where its pieces begin, in bytes; bit 31 is TREE_NODE
 */
#define TREE_NODE 0x80000000u

/* One step of a walk down the tree.  `rest` is what is left of t, from its highest bit on.  A leaf
 * asks for nothing, and there is no branch: lanes that leave a loop at different times do not come
 * together again before the next key, and after some keys each of them goes alone. */
#define TREE_STEP(e, rest, tree)                                                   \
    do {                                                                           \
        const uint32_t at_ =                                                       \
            (tree) - (TREE_NODE >> 16) + ((e) >> 16) + 4u * ((rest) >> ((e)&31u)); \
        const uint32_t bits_ = (e) >> 5;                                           \
                                                                                   \
        (e) = sh_ld4_if((e)&TREE_NODE, at_, (e));                                  \
        (rest) <<= bits_ & 31u;                                                    \
    } while (0)

/* Whether t goes to the bin after the leaf's. */
#define TREE_UP(e, t) (((t) >> ((e) >> 9 & 31u) & 1023u) >= ((e) >> 14 & 2047u))

#define COUNTED_LEAF 25u  /* bits of a leaf: its bin is counted, the bin above is */
#define BIN_COUNTED  512u /* added to a bin's number */

/* The bin of t. */
DEV uint32_t tree_bin(uint32_t t, uint32_t tree)
{
    uint32_t e = sh_ld4(tree + 4u * (t >> (32u - RADIX_TREE_ROOT)));
    uint32_t rest = t << RADIX_TREE_ROOT;
    uint32_t up;

    UNROLL for (uint32_t k = 0; k < RADIX_TREE_STEPS; k++) TREE_STEP(e, rest, tree);
    up = TREE_UP(e, t);
    return (e & 511u) + up;
}

/* Bins of four words.  BIN_COUNTED is added where keys are counted (counting/counted_buckets.h).
 * Four walks go side by side, so that several loads are under way at a time. */
DEV void tree_four(const key *word, uint32_t *bin, struct digit d)
{
    uint32_t t[4], e[4], rest[4];

    UNROLL for (uint32_t i = 0; i < 4u; i++)
    {
        t[i] = top_bits(offset_within(word[i], d), d.lead);
        e[i] = sh_ld4(d.tree + 4u * (t[i] >> (32u - RADIX_TREE_ROOT)));
        rest[i] = t[i] << RADIX_TREE_ROOT;
    }
    UNROLL for (uint32_t k = 0; k < RADIX_TREE_STEPS; k++)
    {
        if (k + 1u < RADIX_TREE_STEPS || d.deep) {
            UNROLL for (uint32_t i = 0; i < 4u; i++) TREE_STEP(e[i], rest[i], d.tree);
        }
    }
    UNROLL for (uint32_t i = 0; i < 4u; i++)
    {
        const uint32_t up = TREE_UP(e[i], t[i]);

        bin[i] = (e[i] & 511u) + up;
        bin[i] += (e[i] >> (COUNTED_LEAF + up) & 1u) * BIN_COUNTED;
    }
}

#endif
#endif
