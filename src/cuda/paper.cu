/* paper.cu - one warp a matrix: the bodies of the model, compiled for a GPU.
 *
 * Shared memory holds the matrix and its auxiliary areas as dev_warp.h lays them out.  A block
 * is one warp, so that a matrix may have all of an SM's shared memory; blocks run beside
 * each other as far as it reaches.  Loading and storing go by own rows, so that every
 * request of shared memory is free of conflicts, as the algorithm's are.
 */
#include "cuda/paper.h"

#include <algorithm>
#include <cstring>

#include "machine/status.h"
#include "paper/bodies.h"

#define W       32
#define REPEATS 9

/* name, function: what runs on a GPU.  NOTHING only loads and stores. */
#define BODIES(X)                                                  \
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
    X(PERMUTE, "permute", body_permute)                            \
    X(OFFLINE, "permute-offline", body_permute_offline)

enum body {
    NOTHING,
#define BODY_ENUM(id, name, function) id,
    BODIES(BODY_ENUM)
#undef BODY_ENUM
};

struct launch {
    struct cw_job job;
    enum body body;
    uint32_t result;
    enum cw_order order_in, order_out;
    const cw_word *in;
    cw_word *out;
};

static __device__ __forceinline__ size_t place(enum cw_order order, uint32_t m, uint32_t row,
                                               uint32_t col)
{
    return order == CW_ROW_MAJOR ? (size_t)row * m + col : (size_t)col * W + row;
}

static __global__ void __launch_bounds__(W) paper_kernel(const struct launch a)
{
    const uint32_t m = a.job.m, row = LANE_ID;
    const size_t base = (size_t)BLOCK_ID * W * m;
    const mem s = 0;

    for (uint32_t c = 0; c < m; c++) {
        const word x = gm_ld8(a.in + base + place(a.order_in, m, row, c));

        bank_write(s, row, c, x);
    }
    __syncwarp();
    switch (a.body) {
#define BODY_CASE(id, name, function) \
    case id:                          \
        function(s, &a.job);          \
        break;
        BODIES(BODY_CASE)
#undef BODY_CASE
    default:
        break;
    }
    __syncwarp();
    for (uint32_t c = 0; c < m; c++) {
        const word x = bank_read(s, row, a.result + c);

        gm_st8(a.out + base + place(a.order_out, m, row, c), x);
    }
}

/* ---- host ---------------------------------------------------------------- */

static enum body body_of(const char *name)
{
#define BODY_NAME(id, text, function) \
    if (!strcmp(name, text))          \
        return id;
    BODIES(BODY_NAME)
#undef BODY_NAME
    return NOTHING;
}

static cw_status failed(const char *what, cudaError_t error)
{
    return cw_fail(error == cudaErrorMemoryAllocation ? CW_ERR_MEMORY : CW_ERR_DEVICE, "%s: %s",
                   what, cudaGetErrorString(error));
}

cw_status cw_cuda_paper_check(const struct cw_algorithm *alg, uint32_t w, uint32_t columns)
{
    int device, most;
    cudaError_t error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (body_of(alg->name) == NOTHING)
        return cw_fail(CW_ERR_SHAPE, "%s does not run on a GPU", alg->name);
    if (w != W)
        return cw_fail(CW_ERR_SHAPE, "a GPU has 32 banks: w must be 32, not %u", w);
    if (error != cudaSuccess)
        return failed("no GPU", error);
    if ((uint64_t)columns * W * sizeof(cw_word) > (uint64_t)most)
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
static cudaError_t time_launch(const struct launch *a, const struct cw_cuda_batch *batch,
                               double *ms)
{
    const size_t bytes = (size_t)batch->columns * W * sizeof(cw_word);
    float times[REPEATS];
    cudaEvent_t from = NULL, to = NULL;
    cudaError_t error = cudaEventCreate(&from);

    if (error == cudaSuccess)
        error = cudaEventCreate(&to);
    for (int k = -1; k < REPEATS && error == cudaSuccess; k++) {
        cudaEventRecord(from);
        paper_kernel<<<batch->matrices, W, bytes>>>(*a);
        error = cudaGetLastError();
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
    const size_t bytes = (size_t)batch->columns * W * sizeof(cw_word);
    struct buffers b = {};
    struct launch a = {};
    cudaError_t error = buffers_make(&b, job, batch);

    a.job = *job;
    a.job.algorithm = NULL;
    a.job.input = b.plan;
    a.job.output = NULL;
    a.result = batch->result;
    a.order_in = batch->order_in;
    a.order_out = batch->order_out;
    a.in = b.in;
    a.out = b.out;
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(paper_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)bytes);
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
