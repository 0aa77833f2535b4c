#include "gpu.h"

#include "base/status.h"

#ifdef CW_HAVE_CUDA
#include <stdlib.h>

#include "backend/cuda/paper.h"
#include "paper/inputs.h"
#include "paper/verify.h"

#define STRIDE 7919 /* neighbours in the batch get the items turned by this much more */

/* Matrix k: the items turned round, so that matrices differ; a plan is for one order only. */
static uint64_t turned(const struct input *in, uint64_t n, uint64_t k, uint64_t i)
{
    return in->plan ? i : (i + k * STRIDE) % n;
}

/* Do items fit into words of 4 bytes: keys of 32 bits, or labels and payloads of 16? */
static int small_items(const struct input *in, uint64_t n, int labels)
{
    for (uint64_t i = 0; i < n; i++)
        if (labels ? in->items[i] >> 48 || (uint32_t)in->items[i] >> 16 : in->items[i] >> 32)
            return 0;
    return 1;
}

static cw_status check_matrices(const struct cw_job *job, const struct cw_paper_batch *batch)
{
    const uint64_t n = (uint64_t)job->w * job->m;

    for (uint32_t k = 0; k < batch->matrices; k++) {
        const cw_status status = cw_verify(job->algorithm->problem, job->w, job->m,
                                           batch->in + k * n, batch->out + k * n);

        if (status)
            return status;
    }
    return CW_OK;
}

cw_status gpu_run(const struct request *r, const struct input *in, struct cw_model *model,
                  const struct cw_job *job, struct result *out)
{
    const uint64_t n = r->w * r->m, matrices = r->batch;
    const enum cw_order order = run_order_in(job->algorithm);
    cw_word *const items = (cw_word *)malloc(matrices * n * sizeof *items);
    cw_word *const results = (cw_word *)malloc(matrices * n * sizeof *results);
    struct cw_paper_batch batch = {(uint32_t)matrices,
                                   cw_model_columns(model),
                                   8,
                                   cw_problem_has_labels(job->algorithm->problem),
                                   job->input ? job->aux[0] : 0,
                                   order,
                                   run_order_out(job->algorithm),
                                   items,
                                   results,
                                   0,
                                   0};
    cw_status status = cw_cuda_paper_check(job->algorithm, job->w, batch.columns, 8);

    if (status == CW_ERR_SHAPE && small_items(in, n, batch.labels)) {
        batch.word_bytes = 4;
        status = cw_cuda_paper_check(job->algorithm, job->w, batch.columns, 4);
    }

    if (!status && (!items || !results))
        status = cw_fail(CW_ERR_MEMORY, "out of memory for %u matrices", batch.matrices);
    for (uint64_t k = 0; !status && k < matrices; k++)
        for (uint64_t i = 0; i < n; i++)
            items[k * n + i] = in->items[turned(in, n, k, i)];
    if (!status)
        status = cw_cuda_paper_run(job, &batch);
    if (!status) {
        out->gpu.matrices = batch.matrices;
        out->gpu.ms = batch.ms;
        out->gpu.move_ms = batch.move_ms;
        out->verified = out->verified && !check_matrices(job, &batch);
    }
    free(items);
    free(results);
    return status;
}
#else
cw_status gpu_run(const struct request *r, const struct input *in, struct cw_model *model,
                  const struct cw_job *job, struct result *out)
{
    (void)r;
    (void)in;
    (void)model;
    (void)job;
    (void)out;
    return cw_fail(CW_ERR_DEVICE, "this tool was built without CUDA: no --on gpu");
}
#endif
