/* external_sample.h - where an external sort looks at keys: pieces of up to 64, one at a random
 * place of each of up to 1024 equal parts of the array. */
#ifndef CW_FILES_EXTERNAL_SAMPLE_H
#define CW_FILES_EXTERNAL_SAMPLE_H

#include "inputs/random.h"

#define CW_EXTERNAL_PIECES 1024u
#define CW_EXTERNAL_PIECE  64u

/* Of n keys. */
static inline uint64_t cw_external_pieces(uint64_t n)
{
    return n / CW_EXTERNAL_PIECE < CW_EXTERNAL_PIECES ? n / CW_EXTERNAL_PIECE + 1
                                                      : CW_EXTERNAL_PIECES;
}

/* Piece k: its first key, and how many it has. */
static inline uint64_t cw_external_piece(uint64_t *random, uint64_t n, uint64_t k, uint64_t *count)
{
    const uint64_t pieces = cw_external_pieces(n), from = n / pieces * k;
    const uint64_t part = k + 1 < pieces ? n / pieces : n - from;

    *count = part < CW_EXTERNAL_PIECE ? part : CW_EXTERNAL_PIECE;
    return from + cw_drawn_below(random, part - *count + 1);
}

/* The seed after one that misled, where tests want to foresee it. */
static inline uint64_t cw_external_next_seed(uint64_t seed)
{
    return cw_mixed(seed + 1);
}

#endif
