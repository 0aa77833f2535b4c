/* bench_rows.cu - rows of u32 keys: Clearway's networks against CUB's block and warp sorts.
 *
 *      bench_rows [log2 of all keys, 27] > rows.csv
 *
 * For every length 128 .. 32768: Clearway, then CUB's block radix sort, block merge sort and warp
 * merge sort over several shapes (threads x keys a thread), all in one run on the same random
 * keys.  A line each: GPU, driver, keys, length, method, shape, Gkey/s (median of 9), and
 * Clearway's speed over it.  Then Clearway on sorted, reversed, equal and 0-1 keys, where a
 * network should take the same time, and on short rows.  Every output is checked: rows must
 * ascend and hold the keys of the input, by a sum that the order does not change.
 *
 * CUB's sorts get what suits them: keys are loaded striped, in any order of the row, and stored
 * striped (radix) or through CUB's transposing store (merge).
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <string>
#include <vector>

#include <cub/cub.cuh>

#include "cuda/sort_rows.h"

#define RUNS 9

static void ok(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "bench_rows: %s: %s\n", what, cudaGetErrorString(status));
        exit(1);
    }
}

/* -- keys and checks ------------------------------------------------------------------------ */

enum pattern { RANDOM, SORTED, REVERSED, EQUAL, ZERO_ONE, PATTERNS };
static const char *const pattern_name[] = {"random", "sorted", "reversed", "equal", "0-1"};

static __device__ uint32_t scramble(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static __global__ void fill(uint32_t *keys, uint64_t n, uint32_t length, int pattern)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        const uint32_t column = (uint32_t)(i % length);
        const uint32_t r = scramble((uint32_t)i + 0x9e3779b9u);
        uint32_t x = r;

        if (pattern == SORTED)
            x = column << 12;
        if (pattern == REVERSED)
            x = ~(column << 12);
        if (pattern == EQUAL)
            x = 42;
        if (pattern == ZERO_ONE)
            x = r & 1;
        keys[i] = x;
    }
}

/* One warp a row: descents, and rows that lost or gained a key. */
static __global__ void faults(const uint32_t *in, const uint32_t *out, uint64_t rows,
                              uint32_t length, unsigned long long *count)
{
    const uint32_t lane = threadIdx.x % 32;
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x / 32;

    for (uint64_t r = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; r < rows; r += step) {
        const uint32_t *const a = in + r * length;
        const uint32_t *const b = out + r * length;
        unsigned long long sum = 0;
        unsigned bad = 0;

        for (uint32_t i = lane; i < length; i += 32) {
            sum += (unsigned long long)scramble(a[i]) * (a[i] | 1u);
            sum -= (unsigned long long)scramble(b[i]) * (b[i] | 1u);
            bad += i + 1 < length && b[i] > b[i + 1];
        }
        for (int d = 16; d; d /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, d);
        bad += lane == 0 && sum != 0;
        if (bad)
            atomicAdd(count, bad);
    }
}

/* -- the peers ------------------------------------------------------------------------------ */

template <int THREADS, int ITEMS>
static __global__ void __launch_bounds__(THREADS) block_radix(const uint32_t *in, uint32_t *out)
{
    typedef cub::BlockRadixSort<uint32_t, THREADS, ITEMS> Sort;
    extern __shared__ __align__(16) unsigned char bytes[];
    const size_t row = (size_t)blockIdx.x * THREADS * ITEMS;
    uint32_t keys[ITEMS];

    cub::LoadDirectStriped<THREADS>(threadIdx.x, in + row, keys);
    Sort(*(typename Sort::TempStorage *)bytes).SortBlockedToStriped(keys);
    cub::StoreDirectStriped<THREADS>(threadIdx.x, out + row, keys);
}

struct less_u32 {
    __device__ bool operator()(uint32_t a, uint32_t b) const
    {
        return a < b;
    }
};

template <int THREADS, int ITEMS>
static __global__ void __launch_bounds__(THREADS) block_merge(const uint32_t *in, uint32_t *out)
{
    typedef cub::BlockMergeSort<uint32_t, THREADS, ITEMS> Sort;
    typedef cub::BlockStore<uint32_t, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    extern __shared__ __align__(16) unsigned char bytes[];
    const size_t row = (size_t)blockIdx.x * THREADS * ITEMS;
    uint32_t keys[ITEMS];

    cub::LoadDirectStriped<THREADS>(threadIdx.x, in + row, keys);
    Sort(*(typename Sort::TempStorage *)bytes).Sort(keys, less_u32());
    __syncthreads();
    Store(*(typename Store::TempStorage *)bytes).Store(out + row, keys);
}

/* A block of four warps; LANES lanes a row. */
template <int LANES, int ITEMS>
static __global__ void __launch_bounds__(128) warp_merge(const uint32_t *in, uint32_t *out)
{
    typedef cub::WarpMergeSort<uint32_t, ITEMS, LANES> Sort;
    typedef cub::WarpStore<uint32_t, ITEMS, cub::WARP_STORE_TRANSPOSE, LANES> Store;
    union shared {
        typename Sort::TempStorage sort;
        typename Store::TempStorage store;
    };
    extern __shared__ __align__(16) unsigned char bytes[];
    shared *const mine = (shared *)bytes + threadIdx.x / LANES;
    const size_t row = ((size_t)blockIdx.x * (128 / LANES) + threadIdx.x / LANES) * LANES * ITEMS;
    uint32_t keys[ITEMS];

    cub::LoadDirectStriped<LANES>(threadIdx.x % LANES, in + row, keys);
    Sort(mine->sort).Sort(keys, less_u32());
    __syncwarp();
    Store(mine->store).Store(out + row, keys);
}

/* -- what is run ---------------------------------------------------------------------------- */

typedef void (*peer_kernel)(const uint32_t *, uint32_t *);

struct method {
    const char *name;
    std::string shape;
    uint32_t length;
    peer_kernel kernel; /* NULL: Clearway */
    uint32_t threads;
    uint32_t block_keys;
    size_t shared;
};

template <int THREADS, int ITEMS> static void add_radix(std::vector<method> *all)
{
    typedef typename cub::BlockRadixSort<uint32_t, THREADS, ITEMS>::TempStorage Temp;
    const std::string shape = std::to_string(THREADS) + "x" + std::to_string(ITEMS);

    all->push_back({"cub block radix", shape, THREADS * ITEMS, block_radix<THREADS, ITEMS>, THREADS,
                    THREADS * ITEMS, sizeof(Temp)});
}

template <int THREADS, int ITEMS> static void add_merge(std::vector<method> *all)
{
    typedef typename cub::BlockMergeSort<uint32_t, THREADS, ITEMS>::TempStorage Temp;
    typedef cub::BlockStore<uint32_t, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    const std::string shape = std::to_string(THREADS) + "x" + std::to_string(ITEMS);
    const size_t store = sizeof(typename Store::TempStorage);

    all->push_back({"cub block merge", shape, THREADS * ITEMS, block_merge<THREADS, ITEMS>, THREADS,
                    THREADS * ITEMS, std::max(sizeof(Temp), store)});
}

template <int LANES, int ITEMS> static void add_warp(std::vector<method> *all)
{
    typedef typename cub::WarpMergeSort<uint32_t, ITEMS, LANES>::TempStorage Temp;
    typedef cub::WarpStore<uint32_t, ITEMS, cub::WARP_STORE_TRANSPOSE, LANES> Store;
    const std::string shape = std::to_string(LANES) + "x" + std::to_string(ITEMS);
    const size_t store = sizeof(typename Store::TempStorage);

    all->push_back({"cub warp merge", shape, LANES * ITEMS, warp_merge<LANES, ITEMS>, 128,
                    128 * ITEMS, 128 / LANES * std::max(sizeof(Temp), store)});
}

template <int THREADS, int ITEMS> static void add_block(std::vector<method> *all)
{
    add_radix<THREADS, ITEMS>(all);
    add_merge<THREADS, ITEMS>(all);
}

static std::vector<method> peers()
{
    std::vector<method> all;

    add_warp<8, 16>(&all), add_warp<16, 8>(&all), add_warp<32, 4>(&all);
    add_block<32, 4>(&all), add_block<64, 2>(&all);
    add_warp<8, 32>(&all), add_warp<16, 16>(&all), add_warp<32, 8>(&all);
    add_block<32, 8>(&all), add_block<64, 4>(&all);
    add_warp<16, 32>(&all), add_warp<32, 16>(&all);
    add_block<32, 16>(&all), add_block<64, 8>(&all), add_block<128, 4>(&all);
    add_warp<32, 32>(&all);
    add_block<64, 16>(&all), add_block<128, 8>(&all), add_block<256, 4>(&all);
    add_block<128, 16>(&all), add_block<256, 8>(&all), add_block<512, 4>(&all);
    add_block<128, 32>(&all), add_block<256, 16>(&all), add_block<512, 8>(&all);
    add_block<256, 32>(&all), add_block<512, 16>(&all), add_block<1024, 8>(&all);
    add_block<512, 32>(&all), add_block<1024, 16>(&all);
    add_block<1024, 32>(&all), add_block<512, 64>(&all);
    return all;
}

struct bench {
    uint64_t n;
    uint32_t *in, *out;
    unsigned long long *faults;
    cudaEvent_t from, to;
    char prefix[160]; /* gpu, driver, n: how every line begins */
};

static void run(const struct bench *b, const method &m)
{
    if (!m.kernel) {
        ok((cudaError_t)cw_cuda_sort_rows_u32(b->in, b->out, b->n / m.length, m.length, NULL),
           "launch");
        return;
    }
    m.kernel<<<(unsigned)(b->n / m.block_keys), m.threads, m.shared>>>(b->in, b->out);
    ok(cudaGetLastError(), "launch");
}

/* Gkey/s, median of RUNS, after a run that is checked. */
static double measure(const struct bench *b, const method &m)
{
    const uint64_t rows = b->n / m.length;
    unsigned long long bad = 0;
    std::vector<float> ms(RUNS);

    if (m.kernel)
        ok(cudaFuncSetAttribute((const void *)m.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)m.shared),
           "shared memory");
    ok(cudaMemset(b->out, 0xa5, b->n * 4), "memset");
    ok(cudaMemset(b->faults, 0, sizeof *b->faults), "memset");
    run(b, m);
    faults<<<2048, 256>>>(b->in, b->out, rows, m.length, b->faults);
    ok(cudaMemcpy(&bad, b->faults, sizeof bad, cudaMemcpyDeviceToHost), "check");
    if (bad) {
        fprintf(stderr, "bench_rows: %s %s: %llu faults\n", m.name, m.shape.c_str(), bad);
        exit(1);
    }
    run(b, m);
    for (float &t : ms) {
        ok(cudaEventRecord(b->from), "event");
        run(b, m);
        ok(cudaEventRecord(b->to), "event");
        ok(cudaEventSynchronize(b->to), "event");
        ok(cudaEventElapsedTime(&t, b->from, b->to), "event");
    }
    std::sort(ms.begin(), ms.end());
    return rows * m.length / ms[RUNS / 2] / 1e6;
}

static double measure_clearway(const struct bench *b, uint32_t length)
{
    const method m = {"clearway", "", length, NULL, 0, 0, 0};

    return measure(b, m);
}

static void against_peers(const struct bench *b)
{
    const std::vector<method> all = peers();

    for (uint32_t length = 128; length <= 32768; length *= 2) {
        const double ours = measure_clearway(b, length);
        double best = 0;

        printf("%s,%u,clearway,network,%.1f,1.00\n", b->prefix, length, ours);
        for (const method &m : all) {
            if (m.length != length || m.shared > 232448)
                continue;
            const double theirs = measure(b, m);

            best = std::max(best, theirs);
            printf("%s,%u,%s,%s,%.1f,%.2f\n", b->prefix, length, m.name, m.shape.c_str(), theirs,
                   ours / theirs);
        }
        fprintf(stderr, "%6u: clearway %6.1f, best of cub %6.1f Gkey/s, %.2f times\n", length, ours,
                best, ours / best);
    }
}

/* Clearway alone: other inputs, and lengths that are short or no powers of two. */
static void alone(const struct bench *b)
{
    static const uint32_t other[] = {2,    3,    4,    8,    16,    24,    32,    48,
                                     64,   100,  200,  500,  1000,  1500,  2000,  3000,
                                     3840, 4000, 6000, 7680, 12000, 15360, 24000, 32000};

    for (uint32_t length = 128; length <= 32768; length *= 2) {
        for (int p = SORTED; p < PATTERNS; p++) {
            fill<<<4096, 256>>>(b->in, b->n, length, p);
            printf("%s,%u,clearway,%s,%.1f,\n", b->prefix, length, pattern_name[p],
                   measure_clearway(b, length));
        }
    }
    fill<<<4096, 256>>>(b->in, b->n, 1, RANDOM);
    for (uint32_t length : other)
        printf("%s,%u,clearway,network,%.1f,\n", b->prefix, length, measure_clearway(b, length));
}

int main(int argc, char **argv)
{
    const int log_n = argc > 1 ? atoi(argv[1]) : 27;
    struct bench b;
    cudaDeviceProp gpu;
    int driver = 0;

    if (log_n < 15 || log_n > 32) {
        fprintf(stderr, "usage: bench_rows [15..32]\n");
        return 2;
    }
    if (cudaGetDeviceProperties(&gpu, 0) != cudaSuccess) {
        fprintf(stderr, "bench_rows: no GPU\n");
        return 1;
    }
    ok(cudaDriverGetVersion(&driver), "driver");
    b.n = 1ull << log_n;
    snprintf(b.prefix, sizeof b.prefix, "%s,%d,%llu", gpu.name, driver, (unsigned long long)b.n);
    ok(cudaMalloc(&b.in, b.n * 4), "memory");
    ok(cudaMalloc(&b.out, b.n * 4), "memory");
    ok(cudaMalloc(&b.faults, sizeof *b.faults), "memory");
    ok(cudaEventCreate(&b.from), "event");
    ok(cudaEventCreate(&b.to), "event");
    fill<<<4096, 256>>>(b.in, b.n, 1, RANDOM);
    printf("gpu,driver,n,length,method,shape,gkeys,clearway_over_it\n");
    against_peers(&b);
    alone(&b);
    return 0;
}
