/* bench_shuffle.cu - cw_shuffle, and rows that are permuted or gathered and added, beside a copy.
 *
 *      bench_shuffle [-x log2 of the largest n, 28]
 *
 * CSV: what, bytes of an element or row, n, ms, Gelem/s, and its bytes (each read once and written once)
 * as a share of the speed of a copy of as many.  Medians of 9, events; every output is checked.
 * What torch takes for the same is printed by bench/shuffle_torch.py.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#include "clearway.h"
#include "backend/cuda/device.h"

extern "C" {
#include "permute/plan.h"
#include "permute/sum_plan.h"
}
#include "prim/bijection.h"

#define BENCH "bench_shuffle"
#include "device_bench.h"
#include "origin.h"

static cudaStream_t stream;
static uint32_t processors;

template <typename F> static double median_ms(F run)
{
    std::vector<float> ms;
    cudaEvent_t from, to;

    ok(cudaEventCreate(&from), "event");
    ok(cudaEventCreate(&to), "event");
    for (int k = 0; k < 11; k++) {
        float t;

        ok(cudaEventRecord(from, stream), "event");
        run();
        ok(cudaEventRecord(to, stream), "event");
        ok(cudaEventSynchronize(to), "run");
        ok(cudaEventElapsedTime(&t, from, to), "time");
        if (k >= 2)
            ms.push_back(t);
    }
    ok(cudaEventDestroy(from), "event");
    ok(cudaEventDestroy(to), "event");
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

static __device__ uint32_t mixed(uint64_t i)
{
    return (uint32_t)(bijection_word(7, i) >> 32);
}

static __global__ void fill(uint32_t *words, uint64_t count)
{
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < count;
         i += (uint64_t)gridDim.x * blockDim.x)
        words[i] = mixed(i);
}

/* Byte x of element i of the output must be that of element from(i). */
static __global__ void check(const uint8_t *out, const uint8_t *in, uint64_t n, uint64_t bytes,
                             struct bijection by, int inverse, unsigned long long *bad)
{
    for (uint64_t t = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; t < n * bytes;
         t += (uint64_t)gridDim.x * blockDim.x) {
        const uint64_t i = t / bytes, x = t % bytes;
        const uint64_t from = inverse ? bijection_at(&by, i) : bijection_back(&by, i);

        if (out[t] != in[from * bytes + x])
            atomicAdd(bad, 1ull);
    }
}

static __global__ void make_index(uint32_t *p, uint64_t n, struct bijection by)
{
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x)
        p[i] = (uint32_t)bijection_at(&by, i);
}

struct data {
    uint8_t *in, *out, *work;
    uint32_t *index;
    float *weights;
    unsigned long long *bad;
};

static void line(const struct data *d, const char *what, uint64_t bytes, uint64_t n, double ms,
                 const struct bijection *by, int inverse)
{
    unsigned long long bad = 0;
    double copy;

    ok(cudaMemset(d->bad, 0, 8), "clear");
    if (by)
        check<<<4096, 256>>>(d->out, d->in, n, bytes, *by, inverse, d->bad);
    ok(cudaMemcpy(&bad, d->bad, 8, cudaMemcpyDeviceToHost), "check");
    copy = median_ms([&] {
        ok(cudaMemcpyAsync(d->out, d->in, n * bytes, cudaMemcpyDeviceToDevice, stream), "copy");
    });
    printf("%s%s,%llu,%llu,%.4f,%.2f,%.3f,%s\n", origin(), what, (unsigned long long)bytes,
           (unsigned long long)n, ms, n / ms / 1e6, copy / ms, bad ? "WRONG" : "right");
    fflush(stdout);
}

static void shuffle(const struct data *d, uint64_t bytes, uint64_t n, int inverse)
{
    const struct bijection by = bijection_of(n, 5);
    cw_shuffle_job job;
    struct cw_cuda_queue q;
    double ms;

    memset(&job, 0, sizeof job);
    job.n = n, job.bytes = bytes, job.seed = 5, job.inverse = inverse;
    job.in = d->in, job.out = d->out;
    cw_cuda_queue_begin(&q, stream, processors);
    ok(cudaMemset(d->out, 0, n * bytes), "clear");
    ms = median_ms(
        [&] { good(cw_shuffle_enqueue(&q.queue, &job, CW_PERMUTE_AUTO, 1, d->work), "shuffle"); });
    line(d, inverse ? "shuffle back" : "shuffle", bytes, n, ms, &by, inverse);
}

static void rows(const struct data *d, uint64_t bytes, uint64_t n, int gather)
{
    const struct bijection by = bijection_of(n, 6);
    cw_permute_job job;
    struct cw_cuda_queue q;
    double ms;

    make_index<<<1024, 256>>>(d->index, n, by);
    memset(&job, 0, sizeof job);
    job.n = n, job.bytes = bytes, job.flags = gather ? CW_GATHER : 0;
    job.in = d->in, job.out = d->out, job.index = d->index, job.index_bytes = 4;
    cw_cuda_queue_begin(&q, stream, processors);
    ok(cudaMemset(d->out, 0, n * bytes), "clear");
    ms = median_ms(
        [&] { good(cw_permute_enqueue(&q.queue, &job, CW_PERMUTE_AUTO, 1, d->work), "permute"); });
    line(d, gather ? "gather rows" : "scatter rows", bytes, n, ms, &by, gather);
}

/* The way back from experts: tokens of `columns` bf16, `per` rows each.  Bytes: all that are read. */
static void sums(const struct data *d, uint64_t tokens, uint64_t columns, uint64_t per)
{
    const uint64_t n = tokens * per;
    cw_gather_job job;
    struct cw_cuda_queue q;
    double ms;

    make_index<<<1024, 256>>>(d->index, n, bijection_of(n, 8));
    memset(&job, 0, sizeof job);
    job.type = CW_BF16, job.n = tokens, job.rows = n, job.columns = columns, job.per = per;
    job.in = d->in, job.out = d->out, job.index = d->index, job.index_bytes = 4;
    job.weights = d->weights, job.weight_type = CW_F32;
    cw_cuda_queue_begin(&q, stream, processors);
    ms = median_ms([&] { good(cw_gather_sum_enqueue(&q.queue, &job), "sum"); });
    line(d, "gather sum", 2 * columns, n, ms, NULL, 0);
}

int main(int argc, char **argv)
{
    static const uint64_t widths[] = {24, 100, 256, 1000, 1024, 4096, 8192, 14336, 65536, 7001};
    int largest = 28, device;
    struct data d;
    uint64_t most;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-x") && i + 1 < argc)
            largest = atoi(argv[++i]);
        else
            return fprintf(stderr, "usage: bench_shuffle [-x log2 n]\n"), 2;
    }
    good(cw_cuda_open(&device, &processors), "open");
    most = std::max(16ull << largest, 1ull << 32);
    ok(cudaMalloc(&d.in, most), "memory");
    ok(cudaMalloc(&d.out, most), "memory");
    ok(cudaMalloc(&d.work, 2 * most + (7ull << largest) + (64 << 20)), "memory");
    ok(cudaMalloc(&d.index, 1 << 28), "memory");
    ok(cudaMalloc(&d.weights, 1 << 28), "memory");
    ok(cudaMalloc(&d.bad, 8), "memory");
    ok(cudaStreamCreate(&stream), "stream");
    fill<<<4096, 256>>>((uint32_t *)d.in, most / 4);
    ok(cudaMemset(d.weights, 0, 1 << 28), "clear");
    printf(ORIGIN_HEAD "what,bytes,n,ms,Gelem/s,of a copy,output\n");
    for (int log = 16; log <= largest; log += 2)
        for (uint64_t bytes = 1; bytes <= 16; bytes *= 2)
            if (bytes == 4 || log >= 26)
                shuffle(&d, bytes, 1ull << log, 0);
    shuffle(&d, 4, (1ull << largest) - 58, 0);
    shuffle(&d, 4, (1ull << (largest - 1)) + 1, 0);
    shuffle(&d, 4, 1ull << largest, 1);
    for (uint64_t width : widths) {
        shuffle(&d, width, (1ull << 29) / width, 0);
        rows(&d, width, (1ull << 29) / width, 0);
        rows(&d, width, (1ull << 29) / width, 1);
    }
    rows(&d, 4096, 65536, 1);
    rows(&d, 8192, 65536, 1);
    rows(&d, 8192, 65536, 0);
    sums(&d, 8192, 7168, 8);
    sums(&d, 8192, 4096, 8);
    sums(&d, 65536, 4096, 2);
    return 0;
}
