/* words.c - when matrices are transposed by words (transpose/words.h), and the launch. */
#include "transpose/words_plan.h"

#include "transpose/job.h"

#define LEAST 48u /* rows, columns: below, tiles would be mostly empty */

/* Which kernel; CW_KERNEL_COUNT if none. */
static enum cw_kernel kernel_of(const cw_transpose_job *job, const void *in, const void *out)
{
    const uintptr_t all = (uintptr_t)in | (uintptr_t)out | job->bytes;

    if (job->rows < LEAST || job->columns < LEAST)
        return CW_KERNEL_COUNT;
    if (job->bytes == 1u)
        return CW_KERNEL_cw_transpose_b1_words;
    if (job->bytes == 2u)
        return all % 2u ? CW_KERNEL_COUNT : CW_KERNEL_cw_transpose_b2_words;
    if (job->bytes == 4u || all % 8u == 0)
        return CW_KERNEL_COUNT;
    return all % 4u ? CW_KERNEL_cw_transpose_b1_odd : CW_KERNEL_cw_transpose_b4_odd;
}

int cw_transpose_words(struct cw_queue *q, const cw_transpose_job *job, const void *in, void *out,
                       uint64_t batch, cw_status *status)
{
    const uint32_t bytes = (uint32_t)job->bytes;
    const enum cw_kernel kernel = kernel_of(job, in, out);
    struct transpose_words a = {
        .all = {.rows = job->rows, .columns = job->columns, .batch = batch, .in = in, .out = out},
        .total = (uint64_t)job->rows * job->columns * batch * bytes,
        .bytes = bytes,
        .wide = TRANSPOSE_WORDS_ROW / bytes,
        .before = TRANSPOSE_WORDS_BEFORE(bytes),
        .pitch = 64u + (bytes + 3u) / 4u,
        .by = bytes > 1u ? UINT32_MAX / bytes + 1u : 0u};
    const uint64_t down = (job->rows + a.before + TRANSPOSE_WORDS_HIGH - 1u) / TRANSPOSE_WORDS_HIGH;
    const uint64_t across = (job->columns + a.wide - 1u) / a.wide;
    struct cw_launch l = {kernel, 0, TRANSPOSE_THREADS, 0, &a, 0};

    if (kernel == CW_KERNEL_COUNT || down > INT32_MAX / across || down * across > INT32_MAX / batch)
        return 0;
    a.all.down = (uint32_t)down;
    a.all.across = (uint32_t)across;
    l.blocks = (uint32_t)(down * across * batch);
    l.shared = (TRANSPOSE_WORDS_HIGH + a.before) * a.pitch * 4u;
    *status = q->launch(q, &l);
    return 1;
}
