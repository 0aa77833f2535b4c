/* registry.h - the one list of algorithms. */
#ifndef CW_PAPER_REGISTRY_H
#define CW_PAPER_REGISTRY_H

#include "paper/paper.h"

#define CW_ALGORITHM_LIST(X) \
    X(transpose)             \
    X(transpose_in_place)    \
    X(transpose_square)      \
    X(row_sort)              \
    X(sort)                  \
    X(sort_short)            \
    X(sort_square)           \
    X(sort_wide)             \
    X(sort_tall)             \
    X(sort_tall_cole)        \
    X(shearsort)             \
    X(bitonic)               \
    X(odd_even)              \
    X(padded_bitonic)        \
    X(padded_odd_even)       \
    X(blocked_bitonic)       \
    X(merge)                 \
    X(partition)             \
    X(partition_tall)        \
    X(sort_integers)         \
    X(sort_tall_recursive)   \
    X(permute)               \
    X(permute_offline)

#define CW_DECLARE(id) extern const struct cw_algorithm cw_alg_##id;
CW_ALGORITHM_LIST(CW_DECLARE)
#undef CW_DECLARE

#endif
