/* kernel_list.h - every kernel that is shipped, once, by its full name:
 *
 *      K(name, its argument, conflict-free?, the same addresses of shared memory for every input?)
 *
 * A name that a profiler shows is found here.  KERNEL in src/dev gives name_entry() for CUDA, and
 * name_emulated and name_large (a GPU's shapes) for the emulator.  Tables of both are made from
 * this list.  Kernels in small shapes (dev/shapes.h) have names and a list of their own.
 */
#ifndef CW_BACKEND_KERNEL_LIST_H
#define CW_BACKEND_KERNEL_LIST_H

#include <stdint.h>

/* clang-format off */
/* Rows (src/rows). */
#define CW_ROWS_KERNELS(K) \
    K(cw_rows_classes, struct cw_rows_arg, 1, 1)         \
    K(cw_rows_list_parts, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u32_any, struct cw_rows_arg, 1, 1)         \
    K(cw_rows_u32_any_11, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u32_any_12, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u32_any_13, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u32_any_14, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u32_any_15, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u32_three_11, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u32_three_12, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u32_three_13, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u32_three_14, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u32_three_15, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u32_five_7, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_five_8, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_five_9, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_five_10, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u32_five_11, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u32_five_12, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u32_five_13, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u32_five_14, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u32_five_15, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u32_lane_8, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u32_lane_12, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_lane_16, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_lane_24, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_lane_32, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_lane_40, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_full, struct cw_rows_arg, 1, 1)        \
    K(cw_rows_u32_full_11, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_full_12, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_full_13, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_full_14, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_full_15, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u32_parts, struct cw_rows_arg, 1, 1)       \
    K(cw_rows_u32_step, struct cw_rows_arg, 1, 1)        \
    K(cw_rows_u32_join, struct cw_rows_arg, 1, 0)        \
    K(cw_rows_u32_merge, struct cw_rows_arg, 1, 1)       \
    K(cw_rows_u64_any, struct cw_rows_arg, 1, 1)         \
    K(cw_rows_u64_any_10, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u64_any_11, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u64_any_12, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u64_any_13, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u64_any_14, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u64_three_10, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u64_three_11, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u64_three_12, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u64_three_13, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u64_three_14, struct cw_rows_arg, 1, 1)    \
    K(cw_rows_u64_lane_8, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u64_lane_12, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u64_lane_16, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u64_lane_24, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u64_full, struct cw_rows_arg, 1, 1)        \
    K(cw_rows_u64_full_10, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u64_full_11, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u64_full_12, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u64_full_13, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u64_full_14, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u64_parts, struct cw_rows_arg, 1, 1)       \
    K(cw_rows_u64_step, struct cw_rows_arg, 1, 1)        \
    K(cw_rows_u64_join, struct cw_rows_arg, 1, 0)        \
    K(cw_rows_u64_merge, struct cw_rows_arg, 1, 1)       \
    K(cw_rows_u128_any, struct cw_rows_arg, 1, 1)        \
    K(cw_rows_u128_any_10, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u128_any_11, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u128_any_12, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u128_any_13, struct cw_rows_arg, 1, 1)     \
    K(cw_rows_u128_three_10, struct cw_rows_arg, 1, 1)   \
    K(cw_rows_u128_three_11, struct cw_rows_arg, 1, 1)   \
    K(cw_rows_u128_three_12, struct cw_rows_arg, 1, 1)   \
    K(cw_rows_u128_three_13, struct cw_rows_arg, 1, 1)   \
    K(cw_rows_u128_parts, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_u128_step, struct cw_rows_arg, 1, 1)       \
    K(cw_rows_u128_join, struct cw_rows_arg, 1, 0)       \
    K(cw_rows_u128_merge, struct cw_rows_arg, 1, 1)      \
    K(cw_rows_index_10, struct cw_rows_arg, 0, 0)        \
    K(cw_rows_index_11, struct cw_rows_arg, 0, 0)        \
    K(cw_rows_index_12, struct cw_rows_arg, 0, 0)        \
    K(cw_rows_index_13, struct cw_rows_arg, 0, 0)        \
    K(cw_rows_index_14, struct cw_rows_arg, 0, 0)        \
    K(cw_rows_index_15, struct cw_rows_arg, 0, 0)        \
    K(cw_rows_index_three_10, struct cw_rows_arg, 0, 0)  \
    K(cw_rows_index_three_11, struct cw_rows_arg, 0, 0)  \
    K(cw_rows_index_three_12, struct cw_rows_arg, 0, 0)  \
    K(cw_rows_index_three_13, struct cw_rows_arg, 0, 0)  \
    K(cw_rows_index_three_14, struct cw_rows_arg, 0, 0)  \
    K(cw_rows_index_three_15, struct cw_rows_arg, 0, 0)

/* Offline plans (src/offline).  A table says where a pass puts items. */
#define CW_OFFLINE_KERNELS(K) \
    K(cw_plan_partition_4, struct plan_pass, 0, 0)           \
    K(cw_plan_place_4, struct plan_pass, 0, 0)          \
    K(cw_plan_bits_4, struct plan_bits, 1, 0)           \
    K(cw_plan_gather_4, struct plan_simple, 1, 1)       \
    K(cw_plan_turn_4, struct plan_simple, 1, 1)         \
    K(cw_plan_partition_8, struct plan_pass, 0, 0)           \
    K(cw_plan_place_8, struct plan_pass, 0, 0)          \
    K(cw_plan_bits_8, struct plan_bits, 1, 0)           \
    K(cw_plan_gather_8, struct plan_simple, 1, 1)       \
    K(cw_plan_turn_8, struct plan_simple, 1, 1)         \
    K(cw_plan_partition_16, struct plan_pass, 0, 0)          \
    K(cw_plan_place_16, struct plan_pass, 0, 0)         \
    K(cw_plan_bits_16, struct plan_bits, 1, 0)          \
    K(cw_plan_gather_16, struct plan_simple, 1, 1)      \
    K(cw_plan_turn_16, struct plan_simple, 1, 1)        \
    K(cw_plan_partition_odd_4, struct plan_pass, 0, 0)       \
    K(cw_plan_place_odd_4, struct plan_pass, 0, 0)      \
    K(cw_plan_bits_odd_4, struct plan_bits, 1, 0)       \
    K(cw_plan_gather_odd_4, struct plan_simple, 1, 1)   \
    K(cw_plan_turn_odd_4, struct plan_simple, 1, 1)     \
    K(cw_plan_partition_odd_8, struct plan_pass, 0, 0)       \
    K(cw_plan_place_odd_8, struct plan_pass, 0, 0)      \
    K(cw_plan_bits_odd_8, struct plan_bits, 1, 0)       \
    K(cw_plan_gather_odd_8, struct plan_simple, 1, 1)   \
    K(cw_plan_turn_odd_8, struct plan_simple, 1, 1)     \
    K(cw_plan_partition_odd_16, struct plan_pass, 0, 0)      \
    K(cw_plan_place_odd_16, struct plan_pass, 0, 0)     \
    K(cw_plan_bits_odd_16, struct plan_bits, 1, 0)      \
    K(cw_plan_gather_odd_16, struct plan_simple, 1, 1)  \
    K(cw_plan_turn_odd_16, struct plan_simple, 1, 1)

/* Sort, most significant digit first (src/sort/radix, splitters, counting). */
#define CW_SORT_RADIX_KERNELS(K) \
    K(cw_sort_radix_u32_begin, struct radix_job, 0, 0)               \
    K(cw_sort_radix_u32_histogram, struct radix_job, 0, 0)           \
    K(cw_sort_radix_u32_histogram_plain, struct radix_job, 0, 0)     \
    K(cw_sort_radix_u32_classify, struct radix_job, 0, 0)            \
    K(cw_sort_radix_u32_scatter, struct radix_job, 0, 0)             \
    K(cw_sort_radix_u32_scatter_plain, struct radix_job, 0, 0)       \
    K(cw_sort_radix_u32_scatter_tiles, struct radix_job, 0, 0)       \
    K(cw_sort_radix_u32_medium, struct radix_job, 0, 0)              \
    K(cw_sort_radix_u32_sample, struct radix_job, 0, 0)              \
    K(cw_sort_radix_u32_histogram_tree, struct radix_job, 0, 0)      \
    K(cw_sort_radix_u32_scatter_tree, struct radix_job, 0, 0)        \
    K(cw_sort_radix_u32_scatter_tiles_tree, struct radix_job, 0, 0)  \
    K(cw_sort_radix_u32_local_10, struct radix_job, 0, 0)            \
    K(cw_sort_radix_u32_local_11, struct radix_job, 0, 0)            \
    K(cw_sort_radix_u32_local_12, struct radix_job, 0, 0)            \
    K(cw_sort_radix_u32_local_13, struct radix_job, 0, 0)            \
    K(cw_sort_radix_u64_begin, struct radix_job, 0, 0)               \
    K(cw_sort_radix_u64_histogram, struct radix_job, 0, 0)           \
    K(cw_sort_radix_u64_histogram_plain, struct radix_job, 0, 0)     \
    K(cw_sort_radix_u64_classify, struct radix_job, 0, 0)            \
    K(cw_sort_radix_u64_scatter, struct radix_job, 0, 0)             \
    K(cw_sort_radix_u64_scatter_plain, struct radix_job, 0, 0)       \
    K(cw_sort_radix_u64_scatter_tiles, struct radix_job, 0, 0)       \
    K(cw_sort_radix_u64_medium, struct radix_job, 0, 0)              \
    K(cw_sort_radix_u64_sample, struct radix_job, 0, 0)              \
    K(cw_sort_radix_u64_histogram_tree, struct radix_job, 0, 0)      \
    K(cw_sort_radix_u64_scatter_tree, struct radix_job, 0, 0)        \
    K(cw_sort_radix_u64_scatter_tiles_tree, struct radix_job, 0, 0)  \
    K(cw_sort_radix_u64_local_10, struct radix_job, 0, 0)            \
    K(cw_sort_radix_u64_local_11, struct radix_job, 0, 0)            \
    K(cw_sort_radix_u64_local_12, struct radix_job, 0, 0)            \
    K(cw_sort_radix_u64_local_13, struct radix_job, 0, 0)            \
    K(cw_sort_radix_p32_begin, struct radix_job, 0, 0)               \
    K(cw_sort_radix_p32_histogram, struct radix_job, 0, 0)           \
    K(cw_sort_radix_p32_histogram_plain, struct radix_job, 0, 0)     \
    K(cw_sort_radix_p32_classify, struct radix_job, 0, 0)            \
    K(cw_sort_radix_p32_scatter, struct radix_job, 0, 0)             \
    K(cw_sort_radix_p32_scatter_plain, struct radix_job, 0, 0)       \
    K(cw_sort_radix_p32_scatter_tiles, struct radix_job, 0, 0)       \
    K(cw_sort_radix_p32_medium, struct radix_job, 0, 0)              \
    K(cw_sort_radix_p32_sample, struct radix_job, 0, 0)              \
    K(cw_sort_radix_u32_local_narrow_10, struct radix_job, 0, 0)     \
    K(cw_sort_radix_p32_local_narrow_10, struct radix_job, 0, 0)     \
    K(cw_sort_radix_u32_local_narrow_11, struct radix_job, 0, 0)     \
    K(cw_sort_radix_p32_local_narrow_11, struct radix_job, 0, 0)     \
    K(cw_sort_radix_u32_local_narrow_12, struct radix_job, 0, 0)     \
    K(cw_sort_radix_p32_local_narrow_12, struct radix_job, 0, 0)     \
    K(cw_sort_radix_u32_local_narrow_13, struct radix_job, 0, 0)     \
    K(cw_sort_radix_p32_local_narrow_13, struct radix_job, 0, 0)     \
    K(cw_sort_radix_p32_scan, struct radix_job, 0, 0)                \
    K(cw_sort_radix_u32_write_out, struct radix_job, 0, 0)           \
    K(cw_sort_radix_u64_write_out, struct radix_job, 0, 0)           \
    K(cw_sort_radix_p32_stable, struct radix_job, 0, 0)              \
    K(cw_sort_radix_p32_stable_plain, struct radix_job, 0, 0)

/* Sort: least significant digit first, keys of 1 and 2 bytes, an index as payload. */
#define CW_SORT_KERNELS(K) \
    K(cw_sort_block_k4, struct hybrid_job, 0, 0) \
    K(cw_sort_block_k4_v4, struct hybrid_job, 0, 0) \
    K(cw_sort_block_k4_v8, struct hybrid_job, 0, 0) \
    K(cw_sort_block_k4_v16, struct hybrid_job, 0, 0) \
    K(cw_sort_block_k8, struct hybrid_job, 0, 0) \
    K(cw_sort_block_k8_v4, struct hybrid_job, 0, 0) \
    K(cw_sort_block_k8_v8, struct hybrid_job, 0, 0) \
    K(cw_sort_block_k8_v16, struct hybrid_job, 0, 0) \
    K(cw_sort_small_k4, struct small_job, 0, 0) \
    K(cw_sort_small_k4_few, struct small_job, 0, 0) \
    K(cw_sort_small_k4_v4, struct small_job, 0, 0) \
    K(cw_sort_small_k4_v4_few, struct small_job, 0, 0) \
    K(cw_sort_small_k4_v8, struct small_job, 0, 0) \
    K(cw_sort_small_k4_v16, struct small_job, 0, 0) \
    K(cw_sort_small_k8, struct small_job, 0, 0) \
    K(cw_sort_small_k8_few, struct small_job, 0, 0) \
    K(cw_sort_small_k8_v4, struct small_job, 0, 0) \
    K(cw_sort_small_k8_v4_few, struct small_job, 0, 0) \
    K(cw_sort_small_k8_v8, struct small_job, 0, 0) \
    K(cw_sort_small_k8_v16, struct small_job, 0, 0) \
    K(cw_sort_hybrid_gather, struct hybrid_job, 1, 1) \
    K(cw_sort_hybrid_sample, struct hybrid_job, 0, 0) \
    K(cw_sort_hybrid_histogram, struct hybrid_job, 0, 0) \
    K(cw_sort_hybrid_routes, struct hybrid_job, 0, 0) \
    K(cw_sort_hybrid_groups, struct hybrid_job, 0, 0) \
    K(cw_sort_hybrid_k8_v4_pass, struct lsd_job, 0, 0) \
    K(cw_sort_hybrid_k8_v4_local, struct hybrid_job, 0, 0) \
    K(cw_sort_hybrid_k8_v8_pass, struct lsd_job, 0, 0) \
    K(cw_sort_hybrid_k8_v8_local, struct hybrid_job, 0, 0) \
    K(cw_sort_hybrid_k8_v16_pass, struct lsd_job, 0, 0) \
    K(cw_sort_hybrid_k8_v16_local, struct hybrid_job, 0, 0) \
    K(cw_sort_lsd_k4_histogram, struct lsd_job, 0, 0) \
    K(cw_sort_lsd_k8_histogram, struct lsd_job, 0, 0) \
    K(cw_sort_lsd_routes, struct lsd_job, 0, 1) \
    K(cw_sort_lsd_copy, struct lsd_job, 1, 1) \
    K(cw_sort_lsd_k4_pass, struct lsd_job, 0, 0) \
    K(cw_sort_lsd_k4_v4_pass, struct lsd_job, 0, 0) \
    K(cw_sort_lsd_k4_v8_pass, struct lsd_job, 0, 0) \
    K(cw_sort_lsd_k4_v16_pass, struct lsd_job, 0, 0) \
    K(cw_sort_lsd_k8_pass, struct lsd_job, 0, 0) \
    K(cw_sort_lsd_k8_v4_pass, struct lsd_job, 0, 0) \
    K(cw_sort_lsd_k8_v8_pass, struct lsd_job, 0, 0) \
    K(cw_sort_lsd_k8_v16_pass, struct lsd_job, 0, 0) \
    K(cw_sort_index_gather, struct index_job, 1, 1)          \
    K(cw_sort_counting_histogram, struct small_keys_job, 0, 0)  \
    K(cw_sort_counting_scan, struct small_keys_job, 0, 0)       \
    K(cw_sort_counting_write, struct small_keys_job, 1, 1)

/* Sort by comparing, CW_CONFLICT_FREE (src/sort/sample_sort). */
#define CW_SAMPLE_SORT_KERNELS(K) \
    K(cw_sample_sort_u32_tiles, struct sample_sort_job, 1, 1) K(cw_sample_sort_u32_short_tiles, struct sample_sort_job, 1, 1) K(cw_sample_sort_u32_short_merge, struct sample_sort_job, 1, 1) \
    K(cw_sample_sort_u32_coarse, struct sample_sort_job, 1, 0)          \
    K(cw_sample_sort_u32_fine, struct sample_sort_job, 1, 0)            \
    K(cw_sample_sort_u32_long, struct sample_sort_job, 1, 0)            \
    K(cw_sample_sort_u64_tiles, struct sample_sort_job, 1, 1) K(cw_sample_sort_u64_short_tiles, struct sample_sort_job, 1, 1) K(cw_sample_sort_u64_short_merge, struct sample_sort_job, 1, 1) \
    K(cw_sample_sort_u64_coarse, struct sample_sort_job, 1, 0)          \
    K(cw_sample_sort_u64_fine, struct sample_sort_job, 1, 0)            \
    K(cw_sample_sort_u64_long, struct sample_sort_job, 1, 0)            \
    K(cw_sample_sort_p32_tiles, struct sample_sort_job, 1, 1) K(cw_sample_sort_p32_short_tiles, struct sample_sort_job, 1, 1) K(cw_sample_sort_p32_short_merge, struct sample_sort_job, 1, 1) \
    K(cw_sample_sort_p32_coarse, struct sample_sort_job, 1, 0)          \
    K(cw_sample_sort_p32_fine, struct sample_sort_job, 1, 0)            \
    K(cw_sample_sort_p32_long, struct sample_sort_job, 1, 0)            \
    K(cw_sample_sort_p64_tiles, struct sample_sort_job, 1, 1) K(cw_sample_sort_p64_short_tiles, struct sample_sort_job, 1, 1) K(cw_sample_sort_p64_short_merge, struct sample_sort_job, 1, 1) \
    K(cw_sample_sort_p64_coarse, struct sample_sort_job, 1, 0)          \
    K(cw_sample_sort_p64_fine, struct sample_sort_job, 1, 0)            \
    K(cw_sample_sort_p64_long, struct sample_sort_job, 1, 0)            \
    K(cw_sample_sort_u32_sample, struct sample_sort_job, 1, 1)          \
    K(cw_sample_sort_u64_sample, struct sample_sort_job, 1, 1)          \
    K(cw_sample_sort_u32_splitter_ranks, struct sample_sort_job, 1, 1)  \
    K(cw_sample_sort_u64_splitter_ranks, struct sample_sort_job, 1, 1)  \
    K(cw_sample_sort_layout, struct sample_sort_job, 1, 1)              \
    K(cw_sample_sort_bucket_scan, struct sample_sort_job, 1, 1)

/* Partition (src/partition). */
#define CW_PARTITION_KERNELS(K) \
    K(cw_partition_k32_two_any, struct partition_job, 0, 0)            \
    K(cw_partition_k32_two, struct partition_job, 0, 0)                \
    K(cw_partition_k32_scatter5, struct partition_job, 0, 0)           \
    K(cw_partition_k32_scatter5_any, struct partition_job, 0, 0)       \
    K(cw_partition_k32_scatter8, struct partition_job, 0, 0)           \
    K(cw_partition_k32_scatter8_any, struct partition_job, 0, 0)       \
    K(cw_partition_k32_combining, struct partition_job, 0, 0)          \
    K(cw_partition_k32_combining_any, struct partition_job, 0, 0)      \
    K(cw_partition_p32_two_any, struct partition_job, 0, 0)            \
    K(cw_partition_p32_two, struct partition_job, 0, 0)                \
    K(cw_partition_p32_scatter5, struct partition_job, 0, 0)           \
    K(cw_partition_p32_scatter5_any, struct partition_job, 0, 0)       \
    K(cw_partition_p32_scatter8, struct partition_job, 0, 0)           \
    K(cw_partition_p32_scatter8_any, struct partition_job, 0, 0)       \
    K(cw_partition_p32_combining, struct partition_job, 0, 0)          \
    K(cw_partition_p32_combining_any, struct partition_job, 0, 0)      \
    K(cw_partition_pass_k4, struct stable_job, 0, 0) \
    K(cw_partition_pass_k4_v4, struct stable_job, 0, 0) \
    K(cw_partition_pass_k4_v8, struct stable_job, 0, 0) \
    K(cw_partition_pass_k4_v16, struct stable_job, 0, 0) \
    K(cw_partition_pass_k8, struct stable_job, 0, 0) \
    K(cw_partition_pass_k8_v4, struct stable_job, 0, 0) \
    K(cw_partition_pass_k8_v8, struct stable_job, 0, 0) \
    K(cw_partition_pass_k8_v16, struct stable_job, 0, 0) \
    K(cw_partition_one_k4_256, struct stable_job, 0, 0) \
    K(cw_partition_one_k4_1024, struct stable_job, 0, 0) \
    K(cw_partition_one_k8_256, struct stable_job, 0, 0) \
    K(cw_partition_one_k8_1024, struct stable_job, 0, 0) \
    K(cw_partition_short, struct stable_job, 0, 0) \
    K(cw_partition_count_k4, struct stable_job, 0, 0) \
    K(cw_partition_count_k8, struct stable_job, 0, 0) \
    K(cw_partition_begin, struct stable_job, 0, 1) \
    K(cw_partition_find, struct stable_job, 0, 0) \
    K(cw_partition_blocks, struct stable_job, 1, 1) \
    K(cw_partition_histogram_plain, struct partition_job, 0, 0)        \
    K(cw_partition_histogram, struct partition_job, 0, 0)              \
    K(cw_partition_scan, struct partition_job, 0, 0)                   \
    K(cw_partition_starts, struct partition_job, 0, 0)                 \
    K(cw_partition_pieces, struct partition_job, 1, 1)                 \
    K(cw_partition_offsets, struct partition_after, 1, 1)             \
    K(cw_partition_padded, struct partition_after, 0, 0)              \
    K(cw_partition_gather, struct partition_after, 1, 1)

/* Permute (src/permute). */
#define CW_PERMUTE_KERNELS(K) \
    K(cw_permute_b1_pass, struct permute_pass, 0, 0)       \
    K(cw_permute_b1_deal, struct permute_pass, 0, 0)       \
    K(cw_permute_b1_draw, struct permute_draw, 1, 1)       \
    K(cw_permute_b1_place, struct permute_place, 0, 0)     \
    K(cw_permute_b1_scatter, struct permute_naive, 1, 1)   \
    K(cw_permute_b1_rows, struct permute_naive, 1, 1)      \
    K(cw_permute_b1_gather, struct permute_naive, 1, 1)    \
    K(cw_permute_b1_route, struct permute_route, 0, 0)     \
    K(cw_permute_b1_fetch, struct permute_route, 1, 1)     \
    K(cw_permute_b1_back, struct permute_route, 0, 0)      \
    K(cw_permute_b2_pass, struct permute_pass, 0, 0)       \
    K(cw_permute_b2_deal, struct permute_pass, 0, 0)       \
    K(cw_permute_b2_draw, struct permute_draw, 1, 1)       \
    K(cw_permute_b2_place, struct permute_place, 0, 0)     \
    K(cw_permute_b2_scatter, struct permute_naive, 1, 1)   \
    K(cw_permute_b2_rows, struct permute_naive, 1, 1)      \
    K(cw_permute_b2_gather, struct permute_naive, 1, 1)    \
    K(cw_permute_b2_route, struct permute_route, 0, 0)     \
    K(cw_permute_b2_fetch, struct permute_route, 1, 1)     \
    K(cw_permute_b2_back, struct permute_route, 0, 0)      \
    K(cw_permute_b4_pass, struct permute_pass, 0, 0)       \
    K(cw_permute_b4_deal, struct permute_pass, 0, 0)       \
    K(cw_permute_b4_draw, struct permute_draw, 1, 1)       \
    K(cw_permute_b4_place, struct permute_place, 0, 0)     \
    K(cw_permute_b4_scatter, struct permute_naive, 1, 1)   \
    K(cw_permute_b4_rows, struct permute_naive, 1, 1)      \
    K(cw_permute_b4_gather, struct permute_naive, 1, 1)    \
    K(cw_permute_b4_route, struct permute_route, 0, 0)     \
    K(cw_permute_b4_fetch, struct permute_route, 1, 1)     \
    K(cw_permute_b4_back, struct permute_route, 0, 0)      \
    K(cw_permute_b8_pass, struct permute_pass, 0, 0)       \
    K(cw_permute_b8_deal, struct permute_pass, 0, 0)       \
    K(cw_permute_b8_draw, struct permute_draw, 1, 1)       \
    K(cw_permute_b8_place, struct permute_place, 0, 0)     \
    K(cw_permute_b8_scatter, struct permute_naive, 1, 1)   \
    K(cw_permute_b8_rows, struct permute_naive, 1, 1)      \
    K(cw_permute_b8_gather, struct permute_naive, 1, 1)    \
    K(cw_permute_b8_route, struct permute_route, 0, 0)     \
    K(cw_permute_b8_fetch, struct permute_route, 1, 1)     \
    K(cw_permute_b8_back, struct permute_route, 0, 0)      \
    K(cw_permute_b16_pass, struct permute_pass, 0, 0)      \
    K(cw_permute_b16_draw, struct permute_draw, 1, 1)      \
    K(cw_permute_b16_place, struct permute_place, 0, 0)    \
    K(cw_permute_b16_scatter, struct permute_naive, 1, 1)  \
    K(cw_permute_b16_rows, struct permute_naive, 1, 1)     \
    K(cw_permute_b16_gather, struct permute_naive, 1, 1)   \
    K(cw_permute_survey, struct permute_survey, 1, 1)      \
    K(cw_permute_odd_rows, struct permute_odd, 1, 1)       \
    K(cw_permute_counted, struct permute_counted, 1, 1) \
    K(cw_permute_check, struct permute_naive, 1, 1)        \
    K(cw_gather_sum_f16_wide, struct gather_sum, 1, 1)     \
    K(cw_gather_sum_f16_any, struct gather_sum, 1, 1)      \
    K(cw_gather_sum_bf16_wide, struct gather_sum, 1, 1)    \
    K(cw_gather_sum_bf16_any, struct gather_sum, 1, 1)     \
    K(cw_gather_sum_f32_wide, struct gather_sum, 1, 1)     \
    K(cw_gather_sum_f32_any, struct gather_sum, 1, 1)      \
    K(cw_gather_sum_check, struct gather_range, 1, 1)

/* Transpose (src/transpose). */
#define CW_TRANSPOSE_KERNELS(K) \
    K(cw_transpose_b1_tile, struct transpose_arg, 1, 1)       \
    K(cw_transpose_b1_ragged, struct transpose_arg, 1, 1)     \
    K(cw_transpose_b1_thin, struct transpose_thin, 0, 1) \
    K(cw_transpose_b1_rect, struct transpose_rect, 0, 1)      \
    K(cw_transpose_b1_words, struct transpose_words, 1, 1)    \
    K(cw_transpose_b1_odd, struct transpose_words, 0, 1)      \
    K(cw_transpose_b1_swap, struct transpose_arg, 1, 1)       \
    K(cw_transpose_b1_turn, struct transpose_pages, 1, 1)     \
    K(cw_transpose_b1_spread, struct transpose_pages, 1, 1)   \
    K(cw_transpose_b1_rest, struct transpose_pages, 1, 1)     \
    K(cw_transpose_b1_pages, struct transpose_pages, 1, 1)    \
    K(cw_transpose_b1_columns, struct transpose_step, 1, 1)   \
    K(cw_transpose_b1_rows, struct transpose_step, 0, 1)      \
    K(cw_transpose_b2_tile, struct transpose_arg, 1, 1)       \
    K(cw_transpose_b2_ragged, struct transpose_arg, 1, 1)     \
    K(cw_transpose_b2_thin, struct transpose_thin, 0, 1) \
    K(cw_transpose_b2_rect, struct transpose_rect, 0, 1)      \
    K(cw_transpose_b2_pairs, struct transpose_arg, 1, 1)      \
    K(cw_transpose_b2_words, struct transpose_words, 1, 1)    \
    K(cw_transpose_b2_swap, struct transpose_arg, 1, 1)       \
    K(cw_transpose_b2_turn, struct transpose_pages, 1, 1)     \
    K(cw_transpose_b2_spread, struct transpose_pages, 1, 1)   \
    K(cw_transpose_b2_rest, struct transpose_pages, 1, 1)     \
    K(cw_transpose_b2_pages, struct transpose_pages, 1, 1)    \
    K(cw_transpose_b2_columns, struct transpose_step, 1, 1)   \
    K(cw_transpose_b2_rows, struct transpose_step, 0, 1)      \
    K(cw_transpose_b4_tile, struct transpose_arg, 1, 1)       \
    K(cw_transpose_b4_ragged, struct transpose_arg, 1, 1)     \
    K(cw_transpose_b4_thin, struct transpose_thin, 0, 1) \
    K(cw_transpose_b4_rect, struct transpose_rect, 0, 1)      \
    K(cw_transpose_b4_odd, struct transpose_words, 0, 1)      \
    K(cw_transpose_b4_swap, struct transpose_arg, 1, 1)       \
    K(cw_transpose_b4_turn, struct transpose_pages, 1, 1)     \
    K(cw_transpose_b4_spread, struct transpose_pages, 1, 1)   \
    K(cw_transpose_b4_rest, struct transpose_pages, 1, 1)     \
    K(cw_transpose_b4_pages, struct transpose_pages, 1, 1)    \
    K(cw_transpose_b4_columns, struct transpose_step, 1, 1)   \
    K(cw_transpose_b4_rows, struct transpose_step, 0, 1)      \
    K(cw_transpose_b8_tile, struct transpose_arg, 1, 1)       \
    K(cw_transpose_b8_ragged, struct transpose_arg, 1, 1)     \
    K(cw_transpose_b8_thin, struct transpose_thin, 0, 1) \
    K(cw_transpose_b8_rect, struct transpose_rect, 0, 1)      \
    K(cw_transpose_b8_swap, struct transpose_arg, 1, 1)       \
    K(cw_transpose_b8_turn, struct transpose_pages, 1, 1)     \
    K(cw_transpose_b8_spread, struct transpose_pages, 1, 1)   \
    K(cw_transpose_b8_rest, struct transpose_pages, 1, 1)     \
    K(cw_transpose_b8_pages, struct transpose_pages, 1, 1)    \
    K(cw_transpose_b8_columns, struct transpose_step, 1, 1)   \
    K(cw_transpose_b8_rows, struct transpose_step, 0, 1)      \
    K(cw_transpose_b16_tile, struct transpose_arg, 1, 1)      \
    K(cw_transpose_b16_ragged, struct transpose_arg, 1, 1)    \
    K(cw_transpose_b16_thin, struct transpose_thin, 0, 1) \
    K(cw_transpose_b16_rect, struct transpose_rect, 0, 1)     \
    K(cw_transpose_b16_swap, struct transpose_arg, 1, 1)      \
    K(cw_transpose_b16_turn, struct transpose_pages, 1, 1)     \
    K(cw_transpose_b16_spread, struct transpose_pages, 1, 1)   \
    K(cw_transpose_b16_rest, struct transpose_pages, 1, 1)     \
    K(cw_transpose_b16_pages, struct transpose_pages, 1, 1)    \
    K(cw_transpose_b16_columns, struct transpose_step, 1, 1)  \
    K(cw_transpose_b16_rows, struct transpose_step, 0, 1)

/* Tiles in shared memory (src/tiles). */
#define CW_TILES_KERNELS(K) \
    K(cw_tiles_scan_warp_1, struct cw_tiles_scan, 1, 1)             \
    K(cw_tiles_scan_warp_4, struct cw_tiles_scan, 1, 1)             \
    K(cw_tiles_scan_warp_16, struct cw_tiles_scan, 1, 1)            \
    K(cw_tiles_scan_block_1, struct cw_tiles_scan, 1, 1)            \
    K(cw_tiles_scan_block_4, struct cw_tiles_scan, 1, 1)            \
    K(cw_tiles_scan_block_16, struct cw_tiles_scan, 1, 1)           \
    K(cw_tiles_transpose_warp_4, struct cw_tiles_transpose, 1, 1)   \
    K(cw_tiles_transpose_warp_8, struct cw_tiles_transpose, 1, 1)   \
    K(cw_tiles_transpose_block_4, struct cw_tiles_transpose, 1, 1)  \
    K(cw_tiles_transpose_block_8, struct cw_tiles_transpose, 1, 1)  \
    K(cw_tiles_partition_warp, struct cw_tiles_items, 1, 0)         \
    K(cw_tiles_partition_block, struct cw_tiles_items, 1, 0)        \
    K(cw_tiles_permute_warp, struct cw_tiles_items, 1, 0)           \
    K(cw_tiles_permute_block, struct cw_tiles_items, 1, 0)          \
    K(cw_tiles_order_5, struct cw_tiles_items, 1, 1)                \
    K(cw_tiles_order_6, struct cw_tiles_items, 1, 1)                \
    K(cw_tiles_order_7, struct cw_tiles_items, 1, 1)                \
    K(cw_tiles_order_8, struct cw_tiles_items, 1, 1)                \
    K(cw_tiles_order_9, struct cw_tiles_items, 1, 1)                \
    K(cw_tiles_order_10, struct cw_tiles_items, 1, 1)               \
    K(cw_tiles_order_11, struct cw_tiles_items, 1, 1)               \
    K(cw_tiles_order_12, struct cw_tiles_items, 1, 1)               \
    K(cw_tiles_order_13, struct cw_tiles_items, 1, 1)

/* Ranks look into their sorted keys (src/distributed). */
#define CW_LOOKUP_KERNELS(K) \
    K(cw_lookup_words, struct lookup_words, 1, 1)    \
    K(cw_lookup_probes, struct lookup_probes, 1, 1)  \
    K(cw_lookup_add, struct lookup_add, 1, 1)        \
    K(cw_lookup_ranks, struct lookup_cuts, 1, 1)     \
    K(cw_lookup_cuts, struct lookup_cuts, 1, 1)      \
    K(cw_lookup_gather, struct lookup_gather, 1, 1)

/* The paper's algorithms on a warp (src/paper/warp). */
#define CW_PAPER_KERNELS(K) \
    K(cw_paper_warp4, struct paper_launch, 1, 0)  \
    K(cw_paper_warp8, struct paper_launch, 1, 0)

/* In small shapes: GPUs whose blocks have 101,376 bytes of shared memory. */
#define CW_SMALL_KERNELS(K) \
    K(cw_partition_p32_two_any_small, struct partition_job, 0, 0)         \
    K(cw_partition_p32_two_small, struct partition_job, 0, 0)             \
    K(cw_partition_p32_scatter5_small, struct partition_job, 0, 0)        \
    K(cw_partition_p32_scatter5_any_small, struct partition_job, 0, 0)    \
    K(cw_partition_p32_scatter8_small, struct partition_job, 0, 0)        \
    K(cw_partition_p32_scatter8_any_small, struct partition_job, 0, 0)    \
    K(cw_partition_p32_combining_small, struct partition_job, 0, 0)       \
    K(cw_partition_p32_combining_any_small, struct partition_job, 0, 0)   \
    K(cw_sample_sort_p64_tiles_small, struct sample_sort_job, 1, 1) K(cw_sample_sort_p64_short_tiles_small, struct sample_sort_job, 1, 1) K(cw_sample_sort_p64_short_merge_small, struct sample_sort_job, 1, 1) \
    K(cw_sample_sort_p64_coarse_small, struct sample_sort_job, 1, 0)      \
    K(cw_sample_sort_p64_fine_small, struct sample_sort_job, 1, 0)        \
    K(cw_sample_sort_p64_long_small, struct sample_sort_job, 1, 0)        \
    K(cw_rows_u32_parts_small, struct cw_rows_arg, 1, 1) \
    K(cw_rows_u32_step_small, struct cw_rows_arg, 1, 1) \
    K(cw_rows_u32_merge_small, struct cw_rows_arg, 1, 1) \
    K(cw_rows_u64_parts_small, struct cw_rows_arg, 1, 1) \
    K(cw_rows_u64_step_small, struct cw_rows_arg, 1, 1) \
    K(cw_rows_u64_merge_small, struct cw_rows_arg, 1, 1) \
    K(cw_rows_u128_parts_small, struct cw_rows_arg, 1, 1) \
    K(cw_rows_u128_step_small, struct cw_rows_arg, 1, 1) \
    K(cw_rows_u128_merge_small, struct cw_rows_arg, 1, 1)

#define CW_KERNELS(K) \
    CW_ROWS_KERNELS(K) \
    CW_OFFLINE_KERNELS(K) \
    CW_SORT_RADIX_KERNELS(K) \
    CW_SORT_KERNELS(K) \
    CW_SAMPLE_SORT_KERNELS(K) \
    CW_PARTITION_KERNELS(K) \
    CW_PERMUTE_KERNELS(K) \
    CW_TRANSPOSE_KERNELS(K) \
    CW_TILES_KERNELS(K) \
    CW_LOOKUP_KERNELS(K) \
    CW_PAPER_KERNELS(K)
/* clang-format on */

#if defined(CW_CUDA_INSTANCE) /* which needs no numbers: so a new kernel compiles no other again */
enum cw_kernel { CW_KERNEL_COUNT };
#else
enum cw_kernel {
#define CW_KERNEL_ENUM(name, type, free, oblivious) CW_KERNEL_##name,
    CW_KERNELS(CW_KERNEL_ENUM) CW_KERNEL_FIRST_SMALL,
    CW_KERNEL_LAST_LARGE = CW_KERNEL_FIRST_SMALL - 1,
    CW_SMALL_KERNELS(CW_KERNEL_ENUM)
#undef CW_KERNEL_ENUM
        CW_KERNEL_COUNT
};
#endif

#endif
