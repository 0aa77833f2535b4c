/* bench_transpose.cu - cw_transpose on a GPU against a copy of as many bytes, in one run.
 *
 *      bench_transpose [-t] [-q]
 *
 * CSV: place, bytes of an element, rows, columns, batch, GB/s read and written, of a copy, their
 * ratio.  Medians of 9, events; in place, a matrix is transposed to and fro.  Every output is
 * checked.  -t: the time of every launch, too.
 * -q: few shapes, for a run under a checker.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>

#include <cuda_runtime.h>

#include "clearway.h"
#include "backend/cuda/device.h"

extern "C" {
#include "transpose/plan.h"
}

#define BENCH "bench_transpose"
#include "device_bench.h"
#include "origin.h"

static __device__ uint8_t byte_of(uint64_t e, uint64_t k)
{
    uint64_t x = e * 0x9e3779b97f4a7c15ull;

    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
    return (uint8_t)(x >> (8 * (k & 7)));
}

static __global__ void fill(uint8_t *in, uint64_t n, uint64_t bytes)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        for (uint64_t k = 0; k < bytes; k++)
            in[i * bytes + k] = byte_of(i, k);
    }
}

static __global__ void check(const uint8_t *out, uint64_t rows, uint64_t columns, uint64_t n,
                             uint64_t bytes, unsigned long long *bad)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x, each = rows * columns;

    for (uint64_t t = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; t < n; t += step) {
        const uint64_t e = t % each, j = e / rows, i = e % rows;

        for (uint64_t k = 0; k < bytes; k++)
            if (out[t * bytes + k] != byte_of(t - e + i * columns + j, k))
                atomicAdd(bad, 1ull);
    }
}

static cudaEvent_t from, to;

static double ms_of(void)
{
    float t;

    ok(cudaEventSynchronize(to), "run");
    ok(cudaEventElapsedTime(&t, from, to), "time");
    return t;
}

template <typename F> static double median_ms(F run)
{
    std::vector<double> ms;

    for (int k = 0; k < 11; k++) {
        ok(cudaEventRecord(from), "event");
        run(k);
        ok(cudaEventRecord(to), "event");
        if (k >= 2)
            ms.push_back(ms_of());
        else
            (void)ms_of();
    }
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

struct data {
    uint8_t *a, *b, *work;
    unsigned long long *bad;
    uint32_t processors;
    int every_launch;
    int large; /* 0: as on the emulator, which calls small matrices large */
};

/* in_place: 1, or 2 with a workspace as large as a matrix. */
static void one(struct data *d, uint64_t rows, uint64_t columns, uint64_t batch, uint64_t bytes,
                int in_place)
{
    const uint64_t n = rows * columns * batch;
    cw_transpose_job job, back;
    struct cw_cuda_queue q;
    unsigned long long bad = 0;
    double ms, copy;

    memset(&job, 0, sizeof job);
    job.rows = rows;
    job.columns = columns;
    job.batch = batch;
    job.bytes = bytes;
    job.in = d->a;
    job.out = in_place ? d->a : d->b;
    back = job;
    back.rows = columns;
    back.columns = rows;
    cw_cuda_queue_begin(&q, NULL, d->processors);
    copy = median_ms(
        [&](int) { ok(cudaMemcpyAsync(d->b, d->a, n * bytes, cudaMemcpyDeviceToDevice), "copy"); });
    fill<<<4096, 256>>>(d->a, n, bytes);
    ok(cudaMemset(d->bad, 0, 8), "clear");
    ms = median_ms([&](int k) {
        good(cw_transpose_enqueue(&q.queue, k % 2 && in_place ? &back : &job, d->large, d->work,
                                  in_place == 2 ? SIZE_MAX : 0),
             "transpose");
    });
    check<<<4096, 256>>>((const uint8_t *)job.out, rows, columns, n, bytes, d->bad);
    ok(cudaMemcpy(&bad, d->bad, 8, cudaMemcpyDeviceToHost), "check");
    printf("%s%s,%llu,%llu,%llu,%llu,%.0f,%.0f,%.3f,%s\n", origin(),
           in_place == 2 ? "in place with room"
           : in_place    ? "in place"
                         : "out of place",
           (unsigned long long)bytes, (unsigned long long)rows, (unsigned long long)columns,
           (unsigned long long)batch, 2e-6 * n * bytes / ms, 2e-6 * n * bytes / copy, copy / ms,
           bad ? "WRONG" : "right");
    if (d->every_launch)
        print_steps(
            [&](struct cw_queue *steps) {
                return cw_transpose_enqueue(steps, in_place ? &back : &job, d->large, d->work,
                                            in_place == 2 ? SIZE_MAX : 0);
            },
            1, "#   ", 3, 0.0f);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const uint64_t shapes[][3] = {{16384, 16384, 1}, {16381, 16411, 1}, {16384, 16416, 1},
                                         {16411, 16381, 1}, {32768, 8192, 1},  {8192, 32768, 1},
                                         {1000, 1000, 256}, {100, 100, 25600}, {67108864, 4, 1},
                                         {4, 67108864, 1}};
    struct data d;
    int device, quick = 0;

    memset(&d, 0, sizeof d);
    for (int i = 1; i < argc; i++) {
        d.every_launch |= !strcmp(argv[i], "-t");
        quick |= !strcmp(argv[i], "-q");
    }
    d.large = !quick;
    good(cw_cuda_open(&device, &d.processors), "open");
    ok(cudaMalloc(&d.a, 5ull << 30), "memory");
    ok(cudaMalloc(&d.b, 5ull << 30), "memory");
    ok(cudaMalloc(&d.work, 5ull << 30), "memory");
    ok(cudaMalloc(&d.bad, 8), "memory");
    ok(cudaEventCreate(&from), "event");
    ok(cudaEventCreate(&to), "event");
    printf(ORIGIN_HEAD "place,bytes,rows,columns,batch,GB/s,copy GB/s,ratio,output\n");
    for (uint64_t bytes = 1; quick && bytes <= 16; bytes *= 2) {
        one(&d, 300, 257, 3, bytes, 0);
        one(&d, 301, 301, 2, bytes, 1);
        one(&d, 330, 260, 1, bytes, 1);
        one(&d, 320, 416, 1, bytes, 1);
    }
    for (uint64_t bytes : {1, 2, 3, 6, 7, 12, 20, 63}) {
        if (quick) {
            one(&d, 301, 259, 2, bytes, 0);
            one(&d, 383, 131, 2, bytes, 0);
            one(&d, 3, 9011, 2, bytes, 0);
            one(&d, 9011, 5, 2, bytes, 0);
        }
    }
    if (quick)
        return 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (int in_place = 0; in_place < (shapes[s][0] == shapes[s][1] ? 2 : 3); in_place++)
            one(&d, shapes[s][0], shapes[s][1], shapes[s][2], 4, in_place);
    }
    for (uint64_t bytes = 1; bytes <= 16; bytes *= 2) {
        one(&d, 16384, 16384, 1, bytes, 0);
        one(&d, 16384, 16384, 1, bytes, 1);
        one(&d, 16381, 16411, 1, bytes, 1);
    }
    for (uint64_t bytes = 2; bytes <= 16; bytes *= 2) {
        one(&d, 16381, 16411, 1, bytes, 0);
        one(&d, 1000, 268435, 1, bytes, 0);
        one(&d, 268435, 1000, 1, bytes, 0);
        one(&d, 3, 89478485, 1, bytes, 0);
        one(&d, 89478485, 3, 1, bytes, 0);
    }
    one(&d, 16381, 16411, 1, 1, 0);
    one(&d, 3, 89478485, 1, 1, 0);
    one(&d, 89478485, 3, 1, 1, 0);
    one(&d, 16320, 16410, 1, 4, 1);
    for (uint64_t bytes : {3, 5, 6, 7, 9, 12, 20, 24, 32, 48, 63, 64})
        one(&d, 8192, (1 << 18) / bytes / 2, 1, bytes, 0);
    for (uint64_t bytes : {3, 6, 12})
        one(&d, 8191, 32771 / bytes * 3, 1, bytes, 0);
    one(&d, 4, 4, 1 << 24, 4, 0);
    one(&d, 8, 8, 1 << 22, 2, 0);
    one(&d, 30, 30, 1 << 18, 4, 0);
    return 0;
}
