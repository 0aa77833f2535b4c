/* paper.cu - host side: memory, launches and time of the paper on a GPU (paper/warp/kernel.h). */
#include "backend/cuda/paper.h"

#include <algorithm>

#include <cuda_runtime.h>

#include "paper/warp/launch.h"
#include "base/status.h"
#include "paper/permute/plan.h"

#define W       PAPER_W
#define REPEATS 9

extern "C" const void *cw_paper_warp4_entry(void);
extern "C" const void *cw_paper_warp8_entry(void);

static cw_status failed(const char *what, cudaError_t error)
{
    return cw_fail(error == cudaErrorMemoryAllocation ? CW_ERR_MEMORY : CW_ERR_DEVICE, "%s: %s",
                   what, cudaGetErrorString(error));
}

cw_status cw_cuda_paper_check(const struct cw_algorithm *alg, uint32_t w, uint32_t columns,
                              uint32_t word_bytes)
{
    int device, most;
    cudaError_t error = cudaGetDevice(&device);
    cw_status status = paper_check(alg, w, 0, word_bytes, 0); /* refused without a GPU, too */

    if (status)
        return status;
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error != cudaSuccess)
        return failed("no GPU", error);
    return paper_check(alg, w, columns, word_bytes, (uint32_t)most);
}

struct buffers {
    cw_word *in, *out;
    uint64_t *entries;
    struct cw_paper_plan *plan;
};

static cudaError_t buffers_make(struct buffers *b, const struct cw_job *job,
                                const struct cw_paper_batch *batch)
{
    const size_t words = (size_t)batch->matrices * W * job->m, bytes = words * sizeof(cw_word);
    const struct cw_paper_plan *plan = (const struct cw_paper_plan *)job->input;
    cudaError_t error = cudaMalloc((void **)&b->in, bytes);

    if (error == cudaSuccess)
        error = cudaMalloc((void **)&b->out, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(b->in, batch->in, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess && plan) {
        const size_t size = (size_t)plan->w * plan->m * sizeof *plan->entry;
        struct cw_paper_plan there = *plan;

        error = cudaMalloc((void **)&b->entries, size);
        if (error == cudaSuccess)
            error = cudaMemcpy(b->entries, plan->entry, size, cudaMemcpyHostToDevice);
        there.entry = b->entries;
        if (error == cudaSuccess)
            error = cudaMalloc((void **)&b->plan, sizeof there);
        if (error == cudaSuccess)
            error = cudaMemcpy(b->plan, &there, sizeof there, cudaMemcpyHostToDevice);
    }
    return error;
}

static void buffers_free(struct buffers *b)
{
    cudaFree(b->in);
    cudaFree(b->out);
    cudaFree(b->entries);
    cudaFree(b->plan);
}

static cudaError_t launch(const struct paper_launch *a, const struct cw_paper_batch *batch)
{
    const void *const entry =
        batch->word_bytes == 4 ? cw_paper_warp4_entry() : cw_paper_warp8_entry();
    const size_t bytes = (size_t)batch->columns * W * batch->word_bytes;
    struct paper_launch argument = *a;
    void *args[] = {&argument};
    const cudaError_t error =
        cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);

    if (error != cudaSuccess)
        return error;
    return cudaLaunchKernel(entry, dim3(batch->matrices), dim3(W), args, bytes, NULL);
}

/* Median time of REPEATS launches, after one to warm up. */
static cudaError_t time_launch(const struct paper_launch *a, const struct cw_paper_batch *batch,
                               double *ms)
{
    float times[REPEATS];
    cudaEvent_t from = NULL, to = NULL;
    cudaError_t error = cudaEventCreate(&from);

    if (error == cudaSuccess)
        error = cudaEventCreate(&to);
    for (int k = -1; k < REPEATS && error == cudaSuccess; k++) {
        cudaEventRecord(from);
        error = launch(a, batch);
        cudaEventRecord(to);
        if (error == cudaSuccess)
            error = cudaEventSynchronize(to);
        if (error == cudaSuccess && k >= 0)
            error = cudaEventElapsedTime(&times[k], from, to);
    }
    if (error == cudaSuccess) {
        std::sort(times, times + REPEATS);
        *ms = times[REPEATS / 2];
    }
    if (from)
        cudaEventDestroy(from);
    if (to)
        cudaEventDestroy(to);
    return error;
}

cw_status cw_cuda_paper_run(const struct cw_job *job, struct cw_paper_batch *batch)
{
    struct buffers b = {};
    struct paper_launch a = {};
    cudaError_t error = buffers_make(&b, job, batch);

    a.job = *job;
    a.job.algorithm = NULL;
    a.job.input = b.plan;
    a.job.output = NULL;
    a.labels = batch->labels;
    a.result = batch->result;
    a.order_in = batch->order_in;
    a.order_out = batch->order_out;
    a.in = b.in;
    a.out = b.out;
    if (error == cudaSuccess)
        error = time_launch(&a, batch, &batch->move_ms);
    a.body = paper_body_of(job->algorithm->name);
    if (error == cudaSuccess)
        error = time_launch(&a, batch, &batch->ms);
    if (error == cudaSuccess)
        error =
            cudaMemcpy(batch->out, b.out, (size_t)batch->matrices * W * job->m * sizeof(cw_word),
                       cudaMemcpyDeviceToHost);
    buffers_free(&b);
    return error == cudaSuccess ? CW_OK : failed("the GPU failed", error);
}
