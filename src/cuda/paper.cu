/* paper.cu - host side: memory, launches and time of the paper on a GPU (paper_kernel.h). */
#include "cuda/paper.h"

#include <algorithm>
#include <cstring>

#include "cuda/paper_launch.h"
#include "machine/status.h"
#include "paper/plan.h"

#define W       32
#define REPEATS 9

static enum paper_body body_of(const char *name)
{
#define BODY_NAME(id, text, function) \
    if (!strcmp(name, text))          \
        return id;
    PAPER_BODIES(BODY_NAME)
    PAPER_BODIES_64(BODY_NAME)
#undef BODY_NAME
    return NOTHING;
}

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

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (body_of(alg->name) == NOTHING)
        return cw_fail(CW_ERR_SHAPE, "%s does not run on a GPU", alg->name);
    if (word_bytes == 4 && body_of(alg->name) == PERMUTE)
        return cw_fail(CW_ERR_SHAPE, "%s needs words of 8 bytes: m is too large, or items are",
                       alg->name);
    if (w != W)
        return cw_fail(CW_ERR_SHAPE, "a GPU has 32 banks: w must be 32, not %u", w);
    if (error != cudaSuccess)
        return failed("no GPU", error);
    if ((uint64_t)columns * W * word_bytes > (uint64_t)most)
        return cw_fail(CW_ERR_SHAPE,
                       "%u columns with the auxiliary ones do not fit into %d bytes of shared "
                       "memory: m is too large",
                       columns, most);
    return CW_OK;
}

struct buffers {
    cw_word *in, *out;
    uint64_t *entries;
    struct cw_plan *plan;
};

static cudaError_t buffers_make(struct buffers *b, const struct cw_job *job,
                                const struct cw_cuda_batch *batch)
{
    const size_t words = (size_t)batch->matrices * W * job->m, bytes = words * sizeof(cw_word);
    const struct cw_plan *plan = (const struct cw_plan *)job->input;
    cudaError_t error = cudaMalloc((void **)&b->in, bytes);

    if (error == cudaSuccess)
        error = cudaMalloc((void **)&b->out, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(b->in, batch->in, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess && plan) {
        const size_t size = (size_t)plan->w * plan->m * sizeof *plan->entry;
        struct cw_plan there = *plan;

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

/* Median time of REPEATS launches, after one to warm up. */
static cudaError_t time_launch(const struct paper_launch *a, const struct cw_cuda_batch *batch,
                               double *ms)
{
    const size_t bytes = (size_t)batch->columns * W * batch->word_bytes;
    float times[REPEATS];
    cudaEvent_t from = NULL, to = NULL;
    cudaError_t error = cudaEventCreate(&from);

    if (error == cudaSuccess)
        error = cudaEventCreate(&to);
    for (int k = -1; k < REPEATS && error == cudaSuccess; k++) {
        cudaEventRecord(from);
        error = batch->word_bytes == 4 ? cw_paper_launch4(a, batch->matrices, bytes)
                                       : cw_paper_launch8(a, batch->matrices, bytes);
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

cw_status cw_cuda_paper_run(const struct cw_job *job, struct cw_cuda_batch *batch)
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
    a.body = body_of(job->algorithm->name);
    if (error == cudaSuccess)
        error = time_launch(&a, batch, &batch->ms);
    if (error == cudaSuccess)
        error =
            cudaMemcpy(batch->out, b.out, (size_t)batch->matrices * W * job->m * sizeof(cw_word),
                       cudaMemcpyDeviceToHost);
    buffers_free(&b);
    return error == cudaSuccess ? CW_OK : failed("the GPU failed", error);
}
