/* sum_plan.c - cw_gather_sum: which kernel. */
#include "permute/sum_plan.h"

#include "permute/sum_job.h"

static cw_status launch(struct cw_queue *q, enum cw_kernel kernel, uint64_t blocks, const void *arg)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, SUM_THREADS, 0, arg, 0};

    return q->launch(q, &l);
}

/* 0, 1, 2: f16, bf16, f32. */
static int kind_of(cw_type type)
{
    return type == CW_F16 ? 0 : type == CW_BF16 ? 1 : 2;
}

cw_status cw_gather_sum_enqueue(struct cw_queue *q, const cw_gather_job *job)
{
    static const enum cw_kernel kernels[2][3] = {
        {CW_KERNEL_cw_gather_sum_f16_any, CW_KERNEL_cw_gather_sum_bf16_any,
         CW_KERNEL_cw_gather_sum_f32_any},
        {CW_KERNEL_cw_gather_sum_f16_wide, CW_KERNEL_cw_gather_sum_bf16_wide,
         CW_KERNEL_cw_gather_sum_f32_wide}};
    const size_t bytes = job->columns * cw_type_bytes(job->type);
    const int wide = (((uintptr_t)job->in | (uintptr_t)job->out | bytes) & 15u) == 0;
    const struct gather_sum arg = {
        .n = job->n,
        .rows = job->rows,
        .per = (uint32_t)job->per,
        .units = (uint32_t)(wide ? bytes / 16u : job->columns),
        .in = job->in,
        .out = job->out,
        .index = job->index,
        .weights = job->weights,
        .wide_index = job->index_bytes == 8,
        .weight_bytes = job->weights ? (uint32_t)cw_type_bytes(job->weight_type) : 0u,
    };

    if (!job->n)
        return CW_OK;
    return launch(q, kernels[wide][kind_of(job->type)],
                  ((uint64_t)job->n * arg.units + SUM_THREADS - 1u) / SUM_THREADS, &arg);
}

cw_status cw_gather_sum_enqueue_check(struct cw_queue *q, const cw_gather_job *job, void *workspace)
{
    const struct gather_range arg = {.count = (uint64_t)job->n * job->per,
                                     .rows = job->rows,
                                     .index = job->index,
                                     .wide_index = job->index_bytes == 8,
                                     .bad = (uint32_t *)workspace};
    const uint64_t blocks = (arg.count + SUM_THREADS - 1u) / SUM_THREADS;
    const uint64_t most = 8u * (uint64_t)q->processors;
    const cw_status status = q->clear(q, workspace, sizeof *arg.bad);

    if (status)
        return status;
    return launch(q, CW_KERNEL_cw_gather_sum_check, blocks < most ? blocks : most, &arg);
}
