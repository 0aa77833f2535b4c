/* list.h - every kernel that is shipped, once:
 *
 *      K(name, its argument, conflict-free?, the same addresses of shared memory for every input?)
 *
 * KERNEL in src/dev gives name_entry() for CUDA and name_emulated for the emulator; tables of both
 * are made from this list.
 */
#ifndef CW_KERNELS_LIST_H
#define CW_KERNELS_LIST_H

#include "kernels/tiles.h"

/* clang-format off */
#define CW_ROWS_KERNELS(K)                                         \
    K(cw_rows_sift, struct cw_rows_arg, 1, 1)                      \
    K(cw_rows_u32_any, struct cw_rows_arg, 1, 1)                   \
    K(cw_rows_u32_any_11, struct cw_rows_arg, 1, 1)                \
    K(cw_rows_u32_any_12, struct cw_rows_arg, 1, 1)                \
    K(cw_rows_u32_any_13, struct cw_rows_arg, 1, 1)                \
    K(cw_rows_u32_any_14, struct cw_rows_arg, 1, 1)                \
    K(cw_rows_u32_any_15, struct cw_rows_arg, 1, 1)                \
    K(cw_rows_u32_full, struct cw_rows_arg, 1, 1)                  \
    K(cw_rows_u32_full_11, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u32_full_12, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u32_full_13, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u32_full_14, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u32_full_15, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u64_any, struct cw_rows_arg, 1, 1)                   \
    K(cw_rows_u64_any_10, struct cw_rows_arg, 1, 1)                \
    K(cw_rows_u64_any_11, struct cw_rows_arg, 1, 1)                \
    K(cw_rows_u64_any_12, struct cw_rows_arg, 1, 1)                \
    K(cw_rows_u64_any_13, struct cw_rows_arg, 1, 1)                \
    K(cw_rows_u64_any_14, struct cw_rows_arg, 1, 1)                \
    K(cw_rows_u64_full, struct cw_rows_arg, 1, 1)                  \
    K(cw_rows_u64_full_10, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u64_full_11, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u64_full_12, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u64_full_13, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u64_full_14, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u64_step, struct cw_rows_arg, 1, 1)                  \
    K(cw_rows_u64_merge, struct cw_rows_arg, 1, 1)                 \
    K(cw_rows_u128_any, struct cw_rows_arg, 1, 1)                  \
    K(cw_rows_u128_any_10, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u128_any_11, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u128_any_12, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u128_any_13, struct cw_rows_arg, 1, 1)               \
    K(cw_rows_u128_step, struct cw_rows_arg, 1, 1)                 \
    K(cw_rows_u128_merge, struct cw_rows_arg, 1, 1)                \
    K(cw_rows_places_10, struct cw_rows_arg, 0, 0)                 \
    K(cw_rows_places_11, struct cw_rows_arg, 0, 0)                 \
    K(cw_rows_places_12, struct cw_rows_arg, 0, 0)                 \
    K(cw_rows_places_13, struct cw_rows_arg, 0, 0)                 \
    K(cw_rows_places_14, struct cw_rows_arg, 0, 0)                 \
    K(cw_rows_places_15, struct cw_rows_arg, 0, 0)

/* Offline plans (plan_kernels.h).  A table says where a pass puts items. */
#define CW_PLAN_WORD(K, bytes)                                     \
    K(cw_plan_part_##bytes, struct plan_pass, 0, 0)                \
    K(cw_plan_place_##bytes, struct plan_pass, 0, 0)               \
    K(cw_plan_bits_##bytes, struct plan_bits, 1, 0)                \
    K(cw_plan_gather_##bytes, struct plan_simple, 1, 1)            \
    K(cw_plan_turn_##bytes, struct plan_simple, 1, 1)

#define CW_PLAN_KERNELS(K)                                         \
    CW_PLAN_WORD(K, 4)                                             \
    CW_PLAN_WORD(K, 8)                                             \
    CW_PLAN_WORD(K, 16)                                            \
    CW_PLAN_WORD(K, odd_4)                                         \
    CW_PLAN_WORD(K, odd_8)                                         \
    CW_PLAN_WORD(K, odd_16)

/* The whole-device sort, for one type of item (grid_table.h). */
#define CW_GRID_PASSES(K, type)                                    \
    K(cw_grid_##type##_begin, struct grid_job, 0, 0)               \
    K(cw_grid_##type##_count, struct grid_job, 0, 0)               \
    K(cw_grid_##type##_count_plain, struct grid_job, 0, 0)         \
    K(cw_grid_##type##_split, struct grid_job, 0, 0)               \
    K(cw_grid_##type##_move, struct grid_job, 0, 0)                \
    K(cw_grid_##type##_move_plain, struct grid_job, 0, 0)          \
    K(cw_grid_##type##_hot, struct grid_job, 0, 0)                 \
    K(cw_grid_##type##_tiles, struct grid_job, 0, 0)               \
    K(cw_grid_##type##_mids, struct grid_job, 0, 0)                \
    K(cw_grid_##type##_sample, struct grid_job, 0, 0)              \
    K(cw_grid_##type##_count_tree, struct grid_job, 0, 0)          \
    K(cw_grid_##type##_move_tree, struct grid_job, 0, 0)           \
    K(cw_grid_##type##_tiles_tree, struct grid_job, 0, 0)          \
    K(cw_grid_##type##_rows_10, struct grid_job, 0, 0)             \
    K(cw_grid_##type##_rows_11, struct grid_job, 0, 0)             \
    K(cw_grid_##type##_rows_12, struct grid_job, 0, 0)             \
    K(cw_grid_##type##_rows_13, struct grid_job, 0, 0)

#define CW_GRID_KERNELS(K)                                         \
    CW_GRID_PASSES(K, u32)                                         \
    CW_GRID_PASSES(K, u64)                                         \
    CW_GRID_PASSES(K, p32)                                         \
    K(cw_grid_u32_narrow_10, struct grid_job, 0, 0)                \
    K(cw_grid_p32_narrow_10, struct grid_job, 0, 0)                \
    K(cw_grid_u32_narrow_11, struct grid_job, 0, 0)                \
    K(cw_grid_p32_narrow_11, struct grid_job, 0, 0)                \
    K(cw_grid_u32_narrow_12, struct grid_job, 0, 0)                \
    K(cw_grid_p32_narrow_12, struct grid_job, 0, 0)                \
    K(cw_grid_u32_narrow_13, struct grid_job, 0, 0)                \
    K(cw_grid_p32_narrow_13, struct grid_job, 0, 0)                \
    K(cw_grid_p32_order, struct grid_job, 0, 0)                    \
    K(cw_grid_u32_fill, struct grid_job, 0, 0)                     \
    K(cw_grid_u64_fill, struct grid_job, 0, 0)                     \
    K(cw_grid_p32_turns, struct grid_job, 0, 0)                    \
    K(cw_grid_p32_turns_plain, struct grid_job, 0, 0)              \
    K(cw_grid_p32_turns_tree, struct grid_job, 0, 0)               \
    K(cw_grid_words, struct grid_places, 1, 1)                     \
    K(cw_grid_gather, struct grid_places, 1, 1)                    \
    K(cw_grid_tally, struct grid_tally, 0, 0)                      \
    K(cw_grid_tally_sum, struct grid_tally, 0, 0)                  \
    K(cw_grid_tally_fill, struct grid_tally, 1, 1)                 \
    K(cw_grid_digits_count, struct grid_digits, 0, 0)              \
    K(cw_grid_digits_sum, struct grid_digits, 0, 0)                \
    K(cw_grid_digits_move, struct grid_digits, 0, 0)               \
    K(cw_grid_digits_keys, struct grid_digits, 1, 1)

#define CW_PERMUTE_SIZE(K, bytes)                                  \
    K(cw_permute_b##bytes##_pass, struct permute_pass, 0, 0)       \
    K(cw_permute_b##bytes##_place, struct permute_place, 0, 0)     \
    K(cw_permute_b##bytes##_scatter, struct permute_naive, 1, 1)   \
    K(cw_permute_b##bytes##_gather, struct permute_naive, 1, 1)    \
    K(cw_permute_b##bytes##_fetch, struct permute_route, 1, 1)     \
    K(cw_permute_b##bytes##_back, struct permute_route, 0, 0)

#define CW_PERMUTE_KERNELS(K)                                      \
    CW_PERMUTE_SIZE(K, 1)                                          \
    CW_PERMUTE_SIZE(K, 2)                                          \
    CW_PERMUTE_SIZE(K, 4)                                          \
    CW_PERMUTE_SIZE(K, 8)                                          \
    CW_PERMUTE_SIZE(K, 16)                                         \
    K(cw_permute_route, struct permute_route, 0, 0)                \
    K(cw_permute_units, struct permute_naive, 1, 1)                \
    K(cw_permute_check, struct permute_naive, 1, 1)

#define CW_TRANSPOSE_SIZE(K, bytes)                                \
    K(cw_transpose_b##bytes##_tile, struct transpose_arg, 1, 1)    \
    K(cw_transpose_b##bytes##_ragged, struct transpose_arg, 1, 1)  \
    K(cw_transpose_b##bytes##_swap, struct transpose_arg, 1, 1)    \
    K(cw_transpose_b##bytes##_columns, struct transpose_step, 1, 1) \
    K(cw_transpose_b##bytes##_rows, struct transpose_step, 0, 1)

#define CW_TRANSPOSE_KERNELS(K)                                    \
    CW_TRANSPOSE_SIZE(K, 1)                                        \
    CW_TRANSPOSE_SIZE(K, 2)                                        \
    CW_TRANSPOSE_SIZE(K, 4)                                        \
    CW_TRANSPOSE_SIZE(K, 8)                                        \
    CW_TRANSPOSE_SIZE(K, 16)                                       \
    K(cw_transpose_direct, struct transpose_arg, 1, 1)

/* The comparison sort (grid_compare_table.h). */
#define CW_COMPARE_KERNELS(K)                                      \
    K(cw_compare_u32_first, struct compare_job, 1, 1)              \
    K(cw_compare_u32_coarse, struct compare_job, 1, 0)             \
    K(cw_compare_u32_fine, struct compare_job, 1, 0)               \
    K(cw_compare_u32_long, struct compare_job, 1, 0)               \
    K(cw_compare_u64_first, struct compare_job, 1, 1)              \
    K(cw_compare_u64_coarse, struct compare_job, 1, 0)             \
    K(cw_compare_u64_fine, struct compare_job, 1, 0)               \
    K(cw_compare_u64_long, struct compare_job, 1, 0)               \
    K(cw_compare_p32_first, struct compare_job, 1, 1)              \
    K(cw_compare_p32_coarse, struct compare_job, 1, 0)             \
    K(cw_compare_p32_fine, struct compare_job, 1, 0)               \
    K(cw_compare_p32_long, struct compare_job, 1, 0)               \
    K(cw_compare_p64_first, struct compare_job, 1, 1)              \
    K(cw_compare_p64_coarse, struct compare_job, 1, 0)             \
    K(cw_compare_p64_fine, struct compare_job, 1, 0)               \
    K(cw_compare_p64_long, struct compare_job, 1, 0)               \
    K(cw_compare_u32_sample, struct compare_job, 1, 1)             \
    K(cw_compare_u64_sample, struct compare_job, 1, 1)             \
    K(cw_compare_u32_cut, struct compare_job, 1, 1)                \
    K(cw_compare_u64_cut, struct compare_job, 1, 1)                \
    K(cw_compare_layout, struct compare_job, 1, 1)                 \
    K(cw_compare_settle, struct compare_job, 1, 1)

/* Partitions, for one type of item (split_table.h). */
#define CW_SPLIT_MOVES(K, type)                                    \
    K(cw_split_##type##_once, struct split_job, 0, 0)              \
    K(cw_split_##type##_tile1, struct split_job, 0, 0)             \
    K(cw_split_##type##_tile5, struct split_job, 0, 0)             \
    K(cw_split_##type##_tile5_any, struct split_job, 0, 0)         \
    K(cw_split_##type##_tile8, struct split_job, 0, 0)             \
    K(cw_split_##type##_tile8_any, struct split_job, 0, 0)         \
    K(cw_split_##type##_ring, struct split_job, 0, 0)              \
    K(cw_split_##type##_ring_any, struct split_job, 0, 0)

#define CW_SPLIT_KERNELS(K)                                        \
    CW_SPLIT_MOVES(K, k32)                                         \
    CW_SPLIT_MOVES(K, p32)                                         \
    K(cw_split_p32_wide, struct split_job, 0, 0)                   \
    K(cw_split_p32_wide_any, struct split_job, 0, 0)               \
    K(cw_split_count_plain, struct split_job, 0, 0)                \
    K(cw_split_count, struct split_job, 0, 0)                      \
    K(cw_split_columns, struct split_job, 0, 0)                    \
    K(cw_split_starts, struct split_job, 0, 0)                     \
    K(cw_split_pieces, struct split_job, 1, 1)                     \
    K(cw_split_offsets, struct split_around, 1, 1)                 \
    K(cw_split_padded, struct split_around, 0, 0)                  \
    K(cw_split_labels, struct split_around, 1, 1)                  \
    K(cw_split_gather, struct split_around, 1, 1)                  \
    K(cw_split_invert, struct split_around, 1, 1)                  \
    K(cw_split_widen, struct split_around, 1, 1)
/* clang-format on */

#define CW_KERNELS(K)                            \
    CW_ROWS_KERNELS(K)                           \
    CW_PLAN_KERNELS(K)                           \
    CW_GRID_KERNELS(K)                           \
    CW_PERMUTE_KERNELS(K)                        \
    CW_TRANSPOSE_KERNELS(K)                      \
    CW_COMPARE_KERNELS(K)                        \
    CW_SPLIT_KERNELS(K)                          \
    CW_TILES(K)                                  \
    K(cw_paper_warp4, struct paper_launch, 1, 0) \
    K(cw_paper_warp8, struct paper_launch, 1, 0)

enum cw_kernel {
#define CW_KERNEL_ENUM(name, type, free, oblivious) CW_KERNEL_##name,
    CW_KERNELS(CW_KERNEL_ENUM)
#undef CW_KERNEL_ENUM
        CW_KERNEL_COUNT
};

#endif
