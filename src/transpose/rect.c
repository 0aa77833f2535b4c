/* rect.c - the shape of rectangles by which matrices are transposed (transpose/rect.h), and their
 * launch. */
#include "transpose/rect_plan.h"

#include "transpose/job.h"
#include "base/arith.h"
#include "base/status.h"

#define BY_SIZE(what)                                                           \
    {                                                                           \
        CW_KERNEL_cw_transpose_b1_##what, CW_KERNEL_cw_transpose_b2_##what,     \
            CW_KERNEL_cw_transpose_b4_##what, CW_KERNEL_cw_transpose_b8_##what, \
            CW_KERNEL_cw_transpose_b16_##what                                   \
    }

#define ROOM 49152u /* bytes of shared memory, at most */

/* Down to a multiple of 32, unless that is all or nothing. */
static uint64_t rounded(uint64_t x, uint64_t all)
{
    return x < all && x > 32u ? x / 32u * 32u : x;
}

/* 2^32 / d, rounded up; 0 for 1. */
static uint32_t reciprocal(uint32_t d)
{
    return d == 1u ? 0u : (uint32_t)((((uint64_t)1 << 32) + d - 1u) / d);
}

/* As square as the matrix lets it be, of so many elements at most. */
static void choose(struct transpose_rect *a, uint64_t most)
{
    uint64_t side = 1, high, wide;

    while ((side + 1u) * (side + 1u) <= most)
        side++;
    wide = cw_least(a->columns, side);
    high = rounded(cw_least(a->rows, most / wide), a->rows);
    wide = rounded(cw_least(a->columns, most / high), a->columns);
    a->high = (uint32_t)high;
    a->wide = (uint32_t)wide;
}

/* Units from row to row in shared memory. */
static uint32_t pitch_of(const struct transpose_rect *a)
{
    const uint32_t row = a->wide * a->each;

    if (a->matrices > 1u)
        return row;
    return row < 96u ? row | 1u : (row - a->each + 31u) / 32u * 32u + a->each;
}

cw_status cw_transpose_rect(struct cw_queue *q, const cw_transpose_job *job, const void *in,
                            void *out, uint64_t batch)
{
    static const enum cw_kernel kernel[] = BY_SIZE(rect);
    const uintptr_t all = (uintptr_t)in | (uintptr_t)out | job->bytes | 16u;
    const uint32_t unit = (uint32_t)(all & (0u - all)), word = unit < 4u ? 4u : unit;
    struct transpose_rect a = {.rows = job->rows,
                               .columns = job->columns,
                               .batch = batch,
                               .in = in,
                               .out = out,
                               .each = (uint32_t)(job->bytes / unit),
                               .matrices = 1};
    struct cw_launch l = {kernel[0], 0, TRANSPOSE_THREADS, 0, &a, 0};
    unsigned log = 0;
    uint64_t most, blocks;

    while (1u << log < unit)
        log++;
    most = TRANSPOSE_RECT(log) / a.each;
    choose(&a, most);
    if (a.high == a.rows && a.wide == a.columns)
        a.matrices = (uint32_t)cw_least(most / (a.high * a.wide), batch);
    a.pitch = pitch_of(&a);
    while (a.matrices * a.high * a.pitch * word > ROOM && a.high > 1u)
        a.high -= (a.high + 15u) / 16u;
    a.down = (uint32_t)((a.rows + a.high - 1u) / a.high);
    a.across = (uint32_t)((a.columns + a.wide - 1u) / a.wide);
    a.by_each = reciprocal(a.each);
    a.by_wide = reciprocal(a.wide * a.each);
    a.by_high = reciprocal(a.high * a.each);
    a.by_all = reciprocal(a.high * a.wide * a.each);
    blocks = (batch + a.matrices - 1u) / a.matrices;
    if (a.rows / a.high >= UINT32_MAX || a.columns / a.wide >= UINT32_MAX ||
        blocks > (uint64_t)INT32_MAX / a.down || blocks * a.down > (uint64_t)INT32_MAX / a.across)
        return cw_fail(CW_ERR_SHAPE,
                       "%llu matrices of %zu x %zu: more than a launch has blocks for",
                       (unsigned long long)batch, job->rows, job->columns);
    l.kernel = kernel[log];
    l.blocks = (uint32_t)(blocks * a.down * a.across);
    l.shared = a.matrices * a.high * a.pitch * word;
    return q->launch(q, &l);
}
