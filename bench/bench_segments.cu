/* bench_segments.cu - rows given by offsets: cw_sort_rows against CUB's segmented sorts.
 *
 *      bench_segments [log2 of all keys, 27] > segments.csv
 *
 * u32 keys; rows of one length, 32 .. 32768, and a mix of lengths 0 .. 32768, all given by offsets;
 * the same random keys for all, in one run.  A line each: GPU, driver, keys, rows, lengths, method,
 * Gkey/s (median of 9, events, after a warm-up), and Clearway's speed over it.  Outputs are checked.
 * With `longest` Clearway is told the longest length, otherwise it must take 32768 into account.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <cub/cub.cuh>

#include "clearway.h"

#define RUNS 9

static void ok(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "bench_segments: %s: %s\n", what, cudaGetErrorString(status));
        exit(1);
    }
}

static void ok(cw_status status, const char *what)
{
    if (status != CW_OK) {
        fprintf(stderr, "bench_segments: %s: %s\n", what, cw_last_error());
        exit(1);
    }
}

static __device__ __host__ uint32_t scramble(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static __global__ void fill(uint32_t *keys, uint64_t n)
{
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * blockDim.x)
        keys[i] = scramble((uint32_t)i + 0x9e3779b9u);
}

/* One warp a row: descents, and rows that lost or gained a key. */
static __global__ void faults(const uint32_t *in, const uint32_t *out, const uint64_t *offsets,
                              uint64_t rows, unsigned long long *count)
{
    const uint32_t lane = threadIdx.x % 32;
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x / 32;

    for (uint64_t r = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; r < rows; r += step) {
        unsigned long long sum = 0;
        unsigned bad = 0;

        for (uint64_t i = offsets[r] + lane; i < offsets[r + 1]; i += 32) {
            sum += (scramble(in[i]) | 1ull) * (scramble(in[i] ^ 0x55u) + 1ull);
            sum -= (scramble(out[i]) | 1ull) * (scramble(out[i] ^ 0x55u) + 1ull);
            bad += i + 1 < offsets[r + 1] && out[i] > out[i + 1];
        }
        for (int d = 16; d; d /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, d);
        bad += lane == 0 && sum != 0;
        if (bad)
            atomicAdd(count, bad);
    }
}

struct bench {
    uint64_t n, rows;
    uint32_t *in, *out;
    uint64_t *offsets;
    unsigned long long *faults;
    cudaEvent_t from, to;
    char gpu[160];
    std::string lengths;
};

typedef std::function<void()> method;

static double measure(const bench *b, const char *name, const method &run)
{
    unsigned long long bad = 0;
    std::vector<float> ms(RUNS);

    ok(cudaMemset(b->out, 0xa5, b->n * 4), "memset");
    ok(cudaMemset(b->faults, 0, sizeof *b->faults), "memset");
    run();
    faults<<<2048, 256>>>(b->in, b->out, b->offsets, b->rows, b->faults);
    ok(cudaMemcpy(&bad, b->faults, sizeof bad, cudaMemcpyDeviceToHost), "check");
    if (bad) {
        fprintf(stderr, "bench_segments: %s, %s: %llu faults\n", name, b->lengths.c_str(), bad);
        exit(1);
    }
    run();
    for (float &t : ms) {
        ok(cudaEventRecord(b->from), "event");
        run();
        ok(cudaEventRecord(b->to), "event");
        ok(cudaEventSynchronize(b->to), "event");
        ok(cudaEventElapsedTime(&t, b->from, b->to), "event");
    }
    std::sort(ms.begin(), ms.end());
    return b->n / ms[RUNS / 2] / 1e6;
}

static double line(const bench *b, const char *name, double ours, const method &run)
{
    const double speed = measure(b, name, run);

    printf("%s,%llu,%llu,%s,%s,%.2f,%.2f\n", b->gpu, (unsigned long long)b->n,
           (unsigned long long)b->rows, b->lengths.c_str(), name, speed,
           ours > 0 ? ours / speed : 1.0);
    fflush(stdout);
    return speed;
}

static double clearway(const bench *b, const char *name, cw_context *context, uint32_t longest)
{
    cw_rows job = {};
    size_t bytes;
    void *workspace;
    double speed;

    job.type = CW_U32;
    job.rows = b->rows;
    job.length = longest;
    job.offsets = b->offsets;
    job.items = b->n;
    job.keys_in = b->in;
    job.keys_out = b->out;
    ok(cw_sort_rows_workspace(&job, &bytes), "workspace");
    ok(cudaMalloc(&workspace, bytes), "memory");
    speed = line(b, name, 0,
                 [&] { ok(cw_sort_rows(context, &job, workspace, bytes, NULL), "cw_sort_rows"); });
    ok(cudaFree(workspace), "free");
    return speed;
}

static double cub_segments(const bench *b, const char *name, double ours, int radix)
{
    size_t bytes = 0;
    void *temp = NULL;
    double speed;
    const auto call = [&] {
        if (radix)
            ok(cub::DeviceSegmentedRadixSort::SortKeys(temp, bytes, b->in, b->out, (int64_t)b->n,
                                                       (int64_t)b->rows, b->offsets,
                                                       b->offsets + 1),
               name);
        else
            ok(cub::DeviceSegmentedSort::SortKeys(temp, bytes, b->in, b->out, (int64_t)b->n,
                                                  (int64_t)b->rows, b->offsets, b->offsets + 1),
               name);
    };

    call();
    ok(cudaMalloc(&temp, bytes), "memory");
    speed = line(b, name, ours, call);
    ok(cudaFree(temp), "free");
    return speed;
}

/* Lengths: 0 means a mix of 0 .. 32768. */
static void compare(bench *b, cw_context *context, uint32_t length)
{
    std::vector<uint64_t> offsets(1, 0);
    uint32_t seed = 1;

    while (offsets.back() < b->n) {
        const uint64_t one = length ? length : scramble(seed++) % 32769u;

        offsets.push_back(std::min<uint64_t>(b->n, offsets.back() + one));
    }
    b->rows = offsets.size() - 1;
    b->lengths = length ? std::to_string(length) : "mixed";
    ok(cudaMalloc(&b->offsets, offsets.size() * 8), "memory");
    ok(cudaMemcpy(b->offsets, offsets.data(), offsets.size() * 8, cudaMemcpyHostToDevice), "copy");
    const double ours = clearway(b, "clearway", context, length ? length : 32768);
    const double blind = clearway(b, "clearway (longest unknown)", context, 32768);
    const double sort = cub_segments(b, "cub segmented sort", ours, 0);
    const double radix = cub_segments(b, "cub segmented radix sort", ours, 1);
    fprintf(stderr,
            "u32 rows of %s: clearway %.1f (longest unknown %.1f), cub %.1f, radix %.1f: "
            "%.2f times\n",
            b->lengths.c_str(), ours, blind, sort, radix, ours / std::max(sort, radix));
    ok(cudaFree(b->offsets), "free");
}

int main(int argc, char **argv)
{
    const int log_n = argc > 1 ? atoi(argv[1]) : 27;
    static const uint32_t lengths[] = {32, 128, 512, 1024, 2048, 3000, 4096, 8192, 16384, 32768, 0};
    bench b;
    cudaDeviceProp gpu;
    cw_context *context;
    int driver = 0;

    if (log_n < 15 || log_n > 32) {
        fprintf(stderr, "usage: bench_segments [15..32]\n");
        return 2;
    }
    if (cudaGetDeviceProperties(&gpu, 0) != cudaSuccess) {
        fprintf(stderr, "bench_segments: no GPU\n");
        return 1;
    }
    ok(cudaDriverGetVersion(&driver), "driver");
    ok(cw_context_create(CW_CUDA, &context), "context");
    snprintf(b.gpu, sizeof b.gpu, "%s,%d", gpu.name, driver);
    b.n = 1ull << log_n;
    ok(cudaMalloc(&b.in, b.n * 4), "memory");
    ok(cudaMalloc(&b.out, b.n * 4), "memory");
    ok(cudaMalloc(&b.faults, sizeof *b.faults), "memory");
    ok(cudaEventCreate(&b.from), "event");
    ok(cudaEventCreate(&b.to), "event");
    fill<<<4096, 256>>>(b.in, b.n);
    printf("gpu,driver,n,rows,lengths,method,gkeys,clearway_over_it\n");
    for (uint32_t length : lengths)
        compare(&b, context, length);
    cw_context_destroy(context);
    return 0;
}
