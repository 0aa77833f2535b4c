/* paper_launch.h - between the host side (paper.cu) and the kernel for each size of a word. */
#ifndef CW_CUDA_PAPER_LAUNCH_H
#define CW_CUDA_PAPER_LAUNCH_H

#include <cuda_runtime.h>

#include "paper/paper.h"

/* id, name, function: what runs on a GPU. */
#define PAPER_BODIES(X)                                            \
    X(TRANSPOSE, "transpose", body_transpose)                      \
    X(IN_PLACE, "transpose-in-place", body_transpose_in_place)     \
    X(TRANSPOSE_SQUARE, "transpose-square", body_transpose_square) \
    X(ROW_SORT, "row-sort", body_row_sort)                         \
    X(SHORT, "sort-short", body_short)                             \
    X(SQUARE, "sort-square", body_square)                          \
    X(WIDE, "sort-wide", body_wide)                                \
    X(TALL, "sort-tall", body_tall)                                \
    X(BLOCKED, "blocked-bitonic", body_blocked)                    \
    X(PARTITION, "partition", body_partition)                      \
    X(INTEGERS, "sort-integers", body_integers)                    \
    X(OFFLINE, "permute-offline", body_permute_offline)

/* The same, with words of 64 bits only. */
#define PAPER_BODIES_64(X) X(PERMUTE, "permute", body_permute)

enum paper_body {
    NOTHING, /* only load and store */
#define PAPER_ENUM(id, name, function) id,
    PAPER_BODIES(PAPER_ENUM) PAPER_BODIES_64(PAPER_ENUM)
#undef PAPER_ENUM
};

struct paper_launch {
    struct cw_job job;
    enum paper_body body;
    int labels; /* items have labels in their upper half */
    uint32_t result;
    enum cw_order order_in, order_out;
    const cw_word *in;
    cw_word *out;
};

extern "C" cudaError_t cw_paper_launch4(const struct paper_launch *a, uint32_t matrices,
                                        size_t bytes);
extern "C" cudaError_t cw_paper_launch8(const struct paper_launch *a, uint32_t matrices,
                                        size_t bytes);

#endif
