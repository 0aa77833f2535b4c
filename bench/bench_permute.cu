/* bench_permute.cu - cw_permute on a GPU against the naive kernels, on the same index in one run.
 *
 *      bench_permute [-m log2 of the smallest n, 20] [-x of the largest, 28] [-p] [-w] [-s] [-t]
 *
 * CSV: direction, bytes of an element, n, what, Gelem/s of it, of the naive kernel that does the
 * same, their ratio, GB/s of a copy of as many bytes, and the index.  Medians of 9, events (up to 2^20
 * elements of 20 runs in a graph).  The permutation is a random one (a Feistel network, with cycles
 * walked); every output is checked.  -p: permutations with structure instead, of all sizes of elements.
 * -w: every way that permute/plan.h has, not only the one that is chosen.  -s: small n, from 2^10.
 * -t: the time of every launch.
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
#include "permute/plan.h"
}

#define BENCH "bench_permute"
#include "device_bench.h"
#include "origin.h"

/* -- inputs ------------------------------------------------------------------------------------ */

static __device__ uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* A bijection of 0 .. n - 1. */
static __device__ uint64_t shuffled(uint64_t i, uint64_t n, int bits)
{
    const int half = (bits + 1) / 2;
    const uint64_t mask = (1ull << half) - 1;

    do {
        uint64_t a = i >> half, b = i & mask;

        for (int k = 0; k < 4; k++) {
            const uint64_t c = a ^ (mix(b + 77u * k) & mask);
            a = b;
            b = c;
        }
        i = a << half | b;
    } while (i >= n);
    return i;
}

enum kind {
    RANDOM,
    IDENTITY,
    REVERSAL,
    TURN,
    SHUFFLE,
    UNSHUFFLE,
    HALVES,
    MIXED,
    BLOCKS,
    WITHIN,
    STRIDE
};

struct pattern {
    enum kind kind;
    int log; /* of a block, or of a stride */
};

static __host__ __device__ inline int even_bits(uint64_t n)
{
    int bits = 2;

    while (n > 1ull << bits)
        bits += 2;
    return bits;
}

/* The bijection of 0 .. n - 1 that a pattern is. */
static __device__ uint64_t target(struct pattern p, uint64_t i, uint64_t n)
{
    const uint64_t h = (n + 1) / 2, block = 1ull << p.log;

    switch (p.kind) {
    case RANDOM:
        return shuffled(i, n, even_bits(n));
    case REVERSAL:
        return n - 1 - i;
    case TURN:
        return i < n - n / 3 ? i + n / 3 : i - (n - n / 3);
    case SHUFFLE:
        return i < h ? 2 * i : 2 * (i - h) + 1;
    case UNSHUFFLE:
        return i % 2 ? h + i / 2 : i / 2;
    case HALVES: /* local, then random */
        return i < h ? i : h + shuffled(i - h, n - h, even_bits(n - h));
    case MIXED: /* the same, and targets of both are everywhere */
        return i < h ? 2 * i : 2 * shuffled(i - h, n - h, even_bits(n - h)) + 1;
    case BLOCKS: /* blocks are moved as a whole; what is left stays */
        return i < n / block * block
                   ? shuffled(i / block, n / block, even_bits(n / block)) * block + i % block
                   : i;
    case WITHIN: /* random, in each block by itself */
        return i < n / block * block
                   ? i / block * block + shuffled(i % block, block, even_bits(block))
                   : i;
    case STRIDE: /* a transposition */
        return i < n / block * block ? i % (n / block) * block + i / (n / block) : i;
    default:
        return i;
    }
}

static const char *name_of(struct pattern p)
{
    static const char *const names[] = {"random",    "identity",  "reversal", "turn",
                                        "shuffle",   "unshuffle", "halves",   "mixed",
                                        "blocks of", "within",    "stride"};
    static char text[40];

    if (p.log)
        snprintf(text, sizeof text, "%s 2^%d", names[p.kind], p.log);
    else
        snprintf(text, sizeof text, "%s", names[p.kind]);
    return text;
}

template <typename P> static __global__ void make_index(P *p, uint64_t n, struct pattern by)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step)
        p[i] = (P)target(by, i, n);
}

template <typename E> static __device__ E element(uint64_t i)
{
    return (E)mix(i);
}

template <> __device__ uint4 element<uint4>(uint64_t i)
{
    const uint64_t x = mix(i);
    return make_uint4((uint32_t)x, (uint32_t)(x >> 32), (uint32_t)i, 7u);
}

template <typename E> static __global__ void make_in(E *in, uint64_t n)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step)
        in[i] = element<E>(i);
}

template <typename E> static __device__ int differ(E a, E b)
{
    return a != b;
}

template <> __device__ int differ<uint4>(uint4 a, uint4 b)
{
    return a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w;
}

template <typename E, typename P>
static __global__ void check(const E *out, const P *p, uint64_t n, int gather,
                             unsigned long long *bad)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        const uint64_t q = p[i];
        if (differ(out[gather ? i : q], element<E>(gather ? q : i)))
            atomicAdd(bad, 1ull);
    }
}

/* -- peers ------------------------------------------------------------------------------------- */

template <typename E, typename P>
static __global__ void scatter(E *out, const E *in, const P *p, uint64_t n)
{
    const uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

    if (i < n)
        out[p[i]] = in[i];
}

template <typename E, typename P>
static __global__ void gather(E *out, const E *in, const P *p, uint64_t n)
{
    const uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[p[i]];
}

/* -- runs -------------------------------------------------------------------------------------- */

struct clock {
    cudaEvent_t from, to;
};

static cudaStream_t stream;
static uint64_t short_n = 1u << 20; /* up to this, many runs are timed together */

/* Median of `times`, in ms.  Short ones are captured in a graph, SHORT_RUNS times, so that it is not
 * the host that is timed. */
#define SHORT_RUNS 20
template <typename F> static double median_ms(const struct clock *c, F run, int times, uint64_t n)
{
    const int runs = n <= short_n ? SHORT_RUNS : 1;
    std::vector<float> ms;
    cudaGraph_t graph;
    cudaGraphExec_t exec = NULL;

    if (runs > 1) {
        ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "capture");
        for (int k = 0; k < runs; k++)
            run();
        ok(cudaStreamEndCapture(stream, &graph), "capture");
        ok(cudaGraphInstantiate(&exec, graph, 0), "graph");
        ok(cudaGraphDestroy(graph), "graph");
    }
    for (int k = 0; k < times + 2; k++) {
        float t;
        ok(cudaEventRecord(c->from, stream), "event");
        if (exec)
            ok(cudaGraphLaunch(exec, stream), "graph");
        else
            run();
        ok(cudaEventRecord(c->to, stream), "event");
        ok(cudaEventSynchronize(c->to), "run");
        ok(cudaEventElapsedTime(&t, c->from, c->to), "time");
        if (k >= 2)
            ms.push_back(t / runs);
    }
    if (exec)
        ok(cudaGraphExecDestroy(exec), "graph");
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

static const char *const way_name[] = {"auto", "naive", "place", "route"};

/* What AUTO became: these look at every tile first. */
static const char *way_of(enum cw_permute_way way)
{
    return way == CW_PERMUTE_PLACE   ? "look place"
           : way == CW_PERMUTE_ROUTE ? "look route"
                                     : "naive";
}
static int every_way, every_launch,
    forced; /* forced: what is chosen, and a way that does not look */

struct data {
    void *in, *out, *index, *work;
    unsigned long long *bad;
    struct clock clock;
    uint32_t processors;
};

template <typename E, typename P>
static void one(struct data *d, struct pattern by, uint64_t n, int way, int gathers, double naive,
                double copy)
{
    cw_permute_job job;
    struct cw_cuda_queue q;
    unsigned long long bad = 0;
    double ms;

    memset(&job, 0, sizeof job);
    job.flags = gathers ? CW_GATHER : 0;
    job.n = n;
    job.bytes = sizeof(E);
    job.in = d->in;
    job.out = d->out;
    job.index = d->index;
    job.index_bytes = sizeof(P);
    if (way && cw_permute_way_of(&job, (enum cw_permute_way)way, 1) != way)
        return;
    cw_cuda_queue_begin(&q, stream, d->processors);
    ok(cudaMemset(d->out, 0, n * sizeof(E)), "clear");
    ok(cudaMemset(d->bad, 0, 8), "clear");
    ms = median_ms(
        &d->clock,
        [&] {
            good(cw_permute_enqueue(&q.queue, &job, (enum cw_permute_way)way, 1, d->work),
                 "permute");
        },
        9, n);
    check<E, P><<<4096, 256>>>((const E *)d->out, (const P *)d->index, n, gathers, d->bad);
    ok(cudaMemcpy(&bad, d->bad, 8, cudaMemcpyDeviceToHost), "check");
    printf("%s%s,%zu,%zu,%llu,%s,%.2f,%.2f,%.3f,%.0f,%s,%s\n", origin(),
           gathers ? "gather" : "scatter", sizeof(E), sizeof(P), (unsigned long long)n,
           way ? way_name[way] : way_of(cw_permute_way_of(&job, CW_PERMUTE_AUTO, 1)), n / ms / 1e6,
           n / naive / 1e6, naive / ms, 2.0 * n * sizeof(E) / copy / 1e6, bad ? "WRONG" : "right",
           name_of(by));
    if (every_launch)
        print_steps(
            [&](struct cw_queue *steps) {
                return cw_permute_enqueue(steps, &job, (enum cw_permute_way)way, 1, d->work);
            },
            1, "#   ", 3, 0.0f);
    fflush(stdout);
}

template <typename E, typename P>
static void size(struct data *d, uint64_t n, struct pattern by = {RANDOM, 0})
{
    const unsigned blocks = (unsigned)((n + 255) / 256);
    double naive[2], copy;

    make_index<P><<<4096, 256>>>((P *)d->index, n, by);
    make_in<E><<<4096, 256>>>((E *)d->in, n);
    naive[0] = median_ms(
        &d->clock,
        [&] {
            scatter<E, P>
                <<<blocks, 256, 0, stream>>>((E *)d->out, (const E *)d->in, (const P *)d->index, n);
        },
        9, n);
    naive[1] = median_ms(
        &d->clock,
        [&] {
            gather<E, P>
                <<<blocks, 256, 0, stream>>>((E *)d->out, (const E *)d->in, (const P *)d->index, n);
        },
        9, n);
    copy = median_ms(
        &d->clock,
        [&] {
            ok(cudaMemcpyAsync(d->out, d->in, n * sizeof(E), cudaMemcpyDeviceToDevice, stream),
               "copy");
        },
        9, n);
    for (int g = 0; g < 2; g++) {
        for (int way = every_way ? 1 : 0; way < (every_way || forced ? 4 : 1); way++)
            if (way != 1 || every_way)
                one<E, P>(d, by, n, way, g, naive[g], copy);
    }
}

/* Structure: 4 bytes at the largest n, with forced ways too; other sizes of elements and arrays. */
static void patterns(struct data *d, int largest)
{
    static const struct pattern all[] = {
        {IDENTITY, 0}, {REVERSAL, 0}, {TURN, 0},    {SHUFFLE, 0}, {UNSHUFFLE, 0}, {HALVES, 0},
        {MIXED, 0},    {RANDOM, 0},   {BLOCKS, 1},  {BLOCKS, 2},  {BLOCKS, 3},    {BLOCKS, 4},
        {BLOCKS, 6},   {BLOCKS, 10},  {BLOCKS, 20}, {WITHIN, 5},  {WITHIN, 7},    {WITHIN, 10},
        {WITHIN, 13},  {WITHIN, 18},  {STRIDE, 2},  {STRIDE, 3},  {STRIDE, 4},    {STRIDE, 6},
        {STRIDE, 10},  {STRIDE, 14}};
    static const struct pattern few[] = {{IDENTITY, 0}, {REVERSAL, 0}, {SHUFFLE, 0}, {MIXED, 0},
                                         {RANDOM, 0},   {BLOCKS, 1},   {BLOCKS, 4},  {WITHIN, 6},
                                         {WITHIN, 12},  {STRIDE, 3},   {STRIDE, 12}};

    forced = 1;
    for (const struct pattern &p : all)
        size<uint32_t, uint32_t>(d, 1ull << largest, p);
    for (const struct pattern &p : few) {
        size<uint64_t, uint32_t>(d, 1ull << (largest - 1), p);
        size<uint4, uint32_t>(d, 1ull << (largest - 2), p);
        size<uint8_t, uint32_t>(d, (1ull << (largest - 1)) + 12345, p);
        size<uint16_t, uint32_t>(d, (1ull << (largest - 1)) + 12345, p);
        size<uint32_t, uint64_t>(d, 1ull << (largest - 1), p);
    }
    forced = 0;
    for (const struct pattern &p : few) {
        for (int log = 10; log < largest; log += 2) {
            size<uint32_t, uint32_t>(d, (1ull << log) + 100, p);
            if (log >= 18) {
                size<uint64_t, uint32_t>(d, 1ull << log, p);
                size<uint4, uint32_t>(d, 1ull << log, p);
            }
        }
    }
}

int main(int argc, char **argv)
{
    int smallest = 20, largest = 28, small = 0, structure = 0, device;
    struct data d;
    uint64_t most;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-x") && i + 1 < argc)
            largest = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-m") && i + 1 < argc)
            smallest = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-w"))
            every_way = 1;
        else if (!strcmp(argv[i], "-t"))
            every_launch = 1;
        else if (!strcmp(argv[i], "-s"))
            small = 1;
        else if (!strcmp(argv[i], "-p"))
            structure = 1;
        else
            return fprintf(stderr,
                           "usage: bench_permute [-m log2 n] [-x log2 n] [-p] [-w] [-s] [-t]\n"),
                   2;
    }
    good(cw_cuda_open(&device, &d.processors), "open");
    most = std::max(4ull << largest, std::min(16ull << largest, 16ull << 28));
    ok(cudaMalloc(&d.in, most), "memory");
    ok(cudaMalloc(&d.out, most), "memory");
    ok(cudaMalloc(&d.index, std::max(4ull << largest, 8ull << std::min(largest, 28))), "memory");
    ok(cudaMalloc(&d.work, 2 * most + (7ull << largest) + (64 << 20)), "memory");
    ok(cudaMalloc(&d.bad, 8), "memory");
    ok(cudaStreamCreate(&stream), "stream");
    ok(cudaEventCreate(&d.clock.from), "event");
    ok(cudaEventCreate(&d.clock.to), "event");
    printf(
        ORIGIN_HEAD
        "direction,bytes,index_bytes,n,way,Gelem/s,naive Gelem/s,ratio,copy GB/s,output,index\n");
    if (structure) {
        patterns(&d, largest);
        return 0;
    }
    for (int log = 10; small && log < std::min(26, largest + 1); log++) {
        size<uint32_t, uint32_t>(&d, (1ull << log) + (log % 2 ? 0 : 3));
        if (log >= 19) {
            size<uint8_t, uint32_t>(&d, 1ull << log);
            size<uint64_t, uint32_t>(&d, 1ull << log);
            size<uint4, uint32_t>(&d, 1ull << log);
        }
    }
    for (int log = small ? 26 : smallest; log <= largest; log += 2) {
        size<uint32_t, uint32_t>(&d, 1ull << log);
        if (log >= 24 && log <= 28) {
            size<uint64_t, uint32_t>(&d, 1ull << log);
            size<uint4, uint32_t>(&d, 1ull << log);
        }
        if (log == 26) {
            size<uint32_t, uint64_t>(&d, 1ull << log);
            size<uint8_t, uint32_t>(&d, 1ull << log);
            size<uint16_t, uint32_t>(&d, 1ull << log);
            size<uint32_t, uint32_t>(&d, 100000007ull * (largest >= 27 ? 1 : 0) + 50000017);
        }
    }
    return 0;
}
