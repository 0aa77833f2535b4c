/* launch.h - what a launch of warp/kernel.h takes: the argument, and the bodies it names. */
#ifndef CW_PAPER_WARP_LAUNCH_H
#define CW_PAPER_WARP_LAUNCH_H

#include <string.h>

#include "base/status.h"
#include "paper/paper.h"

#define PAPER_W 32 /* rows: the lanes of a warp, and the banks of shared memory */

/* id, name, function: what runs on a warp. */
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
    const cw_word *in; /* one matrix after the other; a block takes one */
    cw_word *out;
};

static inline enum paper_body paper_body_of(const char *name)
{
#define PAPER_NAME(id, text, function) \
    if (!strcmp(name, text))           \
        return id;
    PAPER_BODIES(PAPER_NAME)
    PAPER_BODIES_64(PAPER_NAME)
#undef PAPER_NAME
    return NOTHING;
}

/* CW_OK if a warp can run it with words of that size, and a matrix of so many columns, the
 * auxiliary ones among them, fits into `most` bytes of shared memory. */
static inline cw_status paper_check(const struct cw_algorithm *alg, uint32_t w, uint32_t columns,
                                    uint32_t word_bytes, uint32_t most)
{
    const enum paper_body body = paper_body_of(alg->name);

    if (body == NOTHING)
        return cw_fail(CW_ERR_SHAPE, "%s does not run on a GPU", alg->name);
    if (word_bytes == 4 && body == PERMUTE)
        return cw_fail(CW_ERR_SHAPE, "%s needs words of 8 bytes: m is too large, or items are",
                       alg->name);
    if (w != PAPER_W)
        return cw_fail(CW_ERR_SHAPE, "a GPU has 32 banks: w must be 32, not %u", w);
    if ((uint64_t)columns * PAPER_W * word_bytes > most)
        return cw_fail(CW_ERR_SHAPE,
                       "%u columns with the auxiliary ones do not fit into %u bytes of shared "
                       "memory: m is too large",
                       columns, most);
    return CW_OK;
}

#endif
