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
    K(cw_rows_u128_merge, struct cw_rows_arg, 1, 1)
/* clang-format on */

#define CW_KERNELS(K)  \
    CW_ROWS_KERNELS(K) \
    CW_TILES(K)

enum cw_kernel {
#define CW_KERNEL_ENUM(name, type, free, oblivious) CW_KERNEL_##name,
    CW_KERNELS(CW_KERNEL_ENUM)
#undef CW_KERNEL_ENUM
        CW_KERNEL_COUNT
};

#endif
