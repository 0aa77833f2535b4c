/* bench_rows.cu - rows of u32 and u64 keys: Clearway's networks against CUB's block and warp sorts.
 *
 *      bench_rows [log2 of all keys, 27] > rows.csv
 *
 * For every length 128 .. 32768: Clearway, then CUB's block radix sort, block merge sort and warp
 * merge sort over several shapes (threads x keys a thread), all in one run on the same random
 * keys.  A line each: GPU, driver, keys, type, length, method, shape or input, Gkey/s (median of
 * 9), and Clearway's speed over it.  Then u64 keys, half as many; then Clearway on sorted,
 * reversed, equal and 0-1 keys, where a network should take the same time, and on rows of other
 * lengths.  Every output is checked: rows must ascend and hold the keys of the input, by a sum
 * that the order does not change.
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

#include "clearway.h"

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

static __device__ __host__ uint32_t scramble(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

template <typename KEY>
static __global__ void fill(KEY *keys, uint64_t n, uint32_t length, int pattern)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        const uint32_t column = (uint32_t)(i % length);
        const uint32_t r = scramble((uint32_t)i + 0x9e3779b9u);
        KEY x = (KEY)((uint64_t)scramble(r + 1) << 32 | r);

        if (pattern == SORTED)
            x = column << 12;
        if (pattern == REVERSED)
            x = ~(KEY)(column << 12);
        if (pattern == EQUAL)
            x = 42;
        if (pattern == ZERO_ONE)
            x = r & 1;
        keys[i] = x;
    }
}

/* One warp a row: descents, and rows that lost or gained a key. */
template <typename KEY>
static __global__ void faults(const KEY *in, const KEY *out, uint64_t rows, uint32_t length,
                              unsigned long long *count)
{
    const uint32_t lane = threadIdx.x % 32;
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x / 32;

    for (uint64_t r = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; r < rows; r += step) {
        const KEY *const a = in + r * length;
        const KEY *const b = out + r * length;
        unsigned long long sum = 0;
        unsigned bad = 0;

        for (uint32_t i = lane; i < length; i += 32) {
            sum += (scramble((uint32_t)a[i]) | 1ull) * (scramble((uint32_t)(a[i] >> 16)) + a[i]);
            sum -= (scramble((uint32_t)b[i]) | 1ull) * (scramble((uint32_t)(b[i] >> 16)) + b[i]);
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

template <typename KEY, int THREADS, int ITEMS>
static __global__ void __launch_bounds__(THREADS) block_radix(const KEY *in, KEY *out)
{
    typedef cub::BlockRadixSort<KEY, THREADS, ITEMS> Sort;
    extern __shared__ __align__(16) unsigned char bytes[];
    const size_t row = (size_t)blockIdx.x * THREADS * ITEMS;
    KEY keys[ITEMS];

    cub::LoadDirectStriped<THREADS>(threadIdx.x, in + row, keys);
    Sort(*(typename Sort::TempStorage *)bytes).SortBlockedToStriped(keys);
    cub::StoreDirectStriped<THREADS>(threadIdx.x, out + row, keys);
}

struct less {
    template <typename KEY> __device__ bool operator()(KEY a, KEY b) const
    {
        return a < b;
    }
};

template <typename KEY, int THREADS, int ITEMS>
static __global__ void __launch_bounds__(THREADS) block_merge(const KEY *in, KEY *out)
{
    typedef cub::BlockMergeSort<KEY, THREADS, ITEMS> Sort;
    typedef cub::BlockStore<KEY, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    extern __shared__ __align__(16) unsigned char bytes[];
    const size_t row = (size_t)blockIdx.x * THREADS * ITEMS;
    KEY keys[ITEMS];

    cub::LoadDirectStriped<THREADS>(threadIdx.x, in + row, keys);
    Sort(*(typename Sort::TempStorage *)bytes).Sort(keys, less());
    __syncthreads();
    Store(*(typename Store::TempStorage *)bytes).Store(out + row, keys);
}

/* A block of four warps; LANES lanes a row. */
template <typename KEY, int LANES, int ITEMS>
static __global__ void __launch_bounds__(128) warp_merge(const KEY *in, KEY *out)
{
    typedef cub::WarpMergeSort<KEY, ITEMS, LANES> Sort;
    typedef cub::WarpStore<KEY, ITEMS, cub::WARP_STORE_TRANSPOSE, LANES> Store;
    union shared {
        typename Sort::TempStorage sort;
        typename Store::TempStorage store;
    };
    extern __shared__ __align__(16) unsigned char bytes[];
    shared *const mine = (shared *)bytes + threadIdx.x / LANES;
    const size_t row = ((size_t)blockIdx.x * (128 / LANES) + threadIdx.x / LANES) * LANES * ITEMS;
    KEY keys[ITEMS];

    cub::LoadDirectStriped<LANES>(threadIdx.x % LANES, in + row, keys);
    Sort(mine->sort).Sort(keys, less());
    __syncwarp();
    Store(mine->store).Store(out + row, keys);
}

/* -- what is run ---------------------------------------------------------------------------- */

struct method {
    const char *name;
    std::string shape;
    uint32_t key_bytes;
    uint32_t length;
    const void *kernel; /* NULL: Clearway */
    uint32_t threads;
    uint32_t block_keys;
    size_t shared;
};

static std::string shape_of(int threads, int items)
{
    return std::to_string(threads) + "x" + std::to_string(items);
}

template <typename KEY, int THREADS, int ITEMS> static void add_block(std::vector<method> *all)
{
    typedef typename cub::BlockRadixSort<KEY, THREADS, ITEMS>::TempStorage Radix;
    typedef typename cub::BlockMergeSort<KEY, THREADS, ITEMS>::TempStorage Merge;
    typedef cub::BlockStore<KEY, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    const size_t store = sizeof(typename Store::TempStorage);
    const uint32_t n = THREADS * ITEMS;

    all->push_back({"cub block radix", shape_of(THREADS, ITEMS), sizeof(KEY), n,
                    (const void *)block_radix<KEY, THREADS, ITEMS>, THREADS, n, sizeof(Radix)});
    all->push_back({"cub block merge", shape_of(THREADS, ITEMS), sizeof(KEY), n,
                    (const void *)block_merge<KEY, THREADS, ITEMS>, THREADS, n,
                    std::max(sizeof(Merge), store)});
}

template <typename KEY, int LANES, int ITEMS> static void add_warp(std::vector<method> *all)
{
    typedef typename cub::WarpMergeSort<KEY, ITEMS, LANES>::TempStorage Temp;
    typedef cub::WarpStore<KEY, ITEMS, cub::WARP_STORE_TRANSPOSE, LANES> Store;
    const size_t store = sizeof(typename Store::TempStorage);

    all->push_back({"cub warp merge", shape_of(LANES, ITEMS), sizeof(KEY), LANES * ITEMS,
                    (const void *)warp_merge<KEY, LANES, ITEMS>, 128, 128 * ITEMS,
                    128 / LANES * std::max(sizeof(Temp), store)});
}

static std::vector<method> peers()
{
    std::vector<method> all;

    add_warp<uint32_t, 8, 16>(&all), add_warp<uint32_t, 16, 8>(&all);
    add_warp<uint32_t, 32, 4>(&all);
    add_block<uint32_t, 32, 4>(&all), add_block<uint32_t, 64, 2>(&all);
    add_warp<uint32_t, 8, 32>(&all), add_warp<uint32_t, 16, 16>(&all);
    add_warp<uint32_t, 32, 8>(&all);
    add_block<uint32_t, 32, 8>(&all), add_block<uint32_t, 64, 4>(&all);
    add_warp<uint32_t, 16, 32>(&all), add_warp<uint32_t, 32, 16>(&all);
    add_block<uint32_t, 32, 16>(&all), add_block<uint32_t, 64, 8>(&all);
    add_block<uint32_t, 128, 4>(&all);
    add_warp<uint32_t, 32, 32>(&all), add_block<uint32_t, 64, 16>(&all);
    add_block<uint32_t, 128, 8>(&all), add_block<uint32_t, 256, 4>(&all);
    add_block<uint32_t, 128, 16>(&all), add_block<uint32_t, 256, 8>(&all);
    add_block<uint32_t, 512, 4>(&all);
    add_block<uint32_t, 128, 32>(&all), add_block<uint32_t, 256, 16>(&all);
    add_block<uint32_t, 512, 8>(&all);
    add_block<uint32_t, 256, 32>(&all), add_block<uint32_t, 512, 16>(&all);
    add_block<uint32_t, 1024, 8>(&all);
    add_block<uint32_t, 512, 32>(&all), add_block<uint32_t, 1024, 16>(&all);
    add_block<uint32_t, 1024, 32>(&all), add_block<uint32_t, 512, 64>(&all);

    add_warp<uint64_t, 16, 16>(&all), add_warp<uint64_t, 32, 8>(&all);
    add_block<uint64_t, 64, 4>(&all);
    add_warp<uint64_t, 32, 32>(&all), add_block<uint64_t, 64, 16>(&all);
    add_block<uint64_t, 128, 8>(&all), add_block<uint64_t, 256, 4>(&all);
    add_block<uint64_t, 256, 16>(&all), add_block<uint64_t, 512, 8>(&all);
    add_block<uint64_t, 512, 32>(&all), add_block<uint64_t, 1024, 16>(&all);
    return all;
}

struct bench {
    cw_context *context;
    uint64_t bytes;
    void *in, *out;
    unsigned long long *faults;
    cudaEvent_t from, to;
    char gpu[160]; /* and driver: how every line begins */
};

static void fill_keys(const struct bench *b, uint32_t key_bytes, uint32_t length, int pattern)
{
    if (key_bytes == 4)
        fill<<<4096, 256>>>((uint32_t *)b->in, b->bytes / 4, length, pattern);
    else
        fill<<<4096, 256>>>((uint64_t *)b->in, b->bytes / 8, length, pattern);
}

static cw_status sort_rows(const struct bench *b, const method &m)
{
    cw_rows job = {};

    job.type = m.key_bytes == 4 ? CW_U32 : CW_U64;
    job.length = m.length;
    job.rows = b->bytes / m.key_bytes / m.length;
    job.keys_in = b->in;
    job.keys_out = b->out;
    return cw_sort_rows(b->context, &job, NULL, 0, NULL);
}

static void run(const struct bench *b, const method &m)
{
    const uint64_t n = b->bytes / m.key_bytes;
    void *args[] = {(void *)&b->in, (void *)&b->out};
    cudaError_t status;

    if (m.kernel)
        status = cudaLaunchKernel(m.kernel, dim3((unsigned)(n / m.block_keys)), dim3(m.threads),
                                  args, m.shared, NULL);
    else
        status = sort_rows(b, m) == CW_OK ? cudaSuccess : cudaErrorLaunchFailure;
    ok(status, "launch");
}

static void check(const struct bench *b, const method &m)
{
    const uint64_t rows = b->bytes / m.key_bytes / m.length;
    unsigned long long bad = 0;

    ok(cudaMemset(b->out, 0xa5, b->bytes), "memset");
    ok(cudaMemset(b->faults, 0, sizeof *b->faults), "memset");
    run(b, m);
    if (m.key_bytes == 4)
        faults<<<2048, 256>>>((uint32_t *)b->in, (uint32_t *)b->out, rows, m.length, b->faults);
    else
        faults<<<2048, 256>>>((uint64_t *)b->in, (uint64_t *)b->out, rows, m.length, b->faults);
    ok(cudaMemcpy(&bad, b->faults, sizeof bad, cudaMemcpyDeviceToHost), "check");
    if (bad) {
        fprintf(stderr, "bench_rows: %s %s: %llu faults\n", m.name, m.shape.c_str(), bad);
        exit(1);
    }
}

/* Gkey/s, median of RUNS, after a run that is checked and one that is not. */
static double measure(const struct bench *b, const method &m)
{
    const uint64_t rows = b->bytes / m.key_bytes / m.length;
    std::vector<float> ms(RUNS);

    if (m.kernel)
        ok(cudaFuncSetAttribute(m.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)m.shared),
           "shared memory");
    check(b, m);
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

/* Measure and print a line; `ours` is Clearway's speed, 0 if that is what is measured. */
static double line(const struct bench *b, const method &m, const char *shape, double ours)
{
    const double speed = measure(b, m);

    printf("%s,%llu,u%u,%u,%s,%s,%.1f,%.2f\n", b->gpu, (unsigned long long)(b->bytes / m.key_bytes),
           8 * m.key_bytes, m.length, m.name, shape, speed, ours > 0 ? ours / speed : 1.0);
    return speed;
}

static method clearway(uint32_t key_bytes, uint32_t length)
{
    return {"clearway", "", key_bytes, length, NULL, 0, 0, 0};
}

static void against_peers(const struct bench *b, uint32_t key_bytes)
{
    const std::vector<method> all = peers();

    fill_keys(b, key_bytes, 1, RANDOM);
    for (uint32_t length = 128; length <= (key_bytes == 4 ? 32768u : 16384u); length *= 2) {
        const double ours = line(b, clearway(key_bytes, length), "random", 0);
        double best = 0;

        for (const method &m : all) {
            if (m.key_bytes == key_bytes && m.length == length && m.shared <= 232448)
                best = std::max(best, line(b, m, m.shape.c_str(), ours));
        }
        if (best > 0)
            fprintf(stderr, "u%u %6u: clearway %6.1f, best of cub %6.1f Gkey/s, %.2f times\n",
                    8 * key_bytes, length, ours, best, ours / best);
        else
            fprintf(stderr, "u%u %6u: clearway %6.1f Gkey/s\n", 8 * key_bytes, length, ours);
    }
}

/* Clearway alone: other inputs, and lengths that are short or no powers of two. */
static void alone(const struct bench *b)
{
    static const uint32_t other[] = {2,    3,    4,    8,    16,    24,    32,    48,
                                     64,   100,  200,  500,  1000,  1500,  2000,  3000,
                                     3840, 4000, 6000, 7680, 12000, 15360, 24000, 32000};

    for (uint32_t length = 128; length <= 32768; length *= 2) {
        double least = 1e9, most = 0;

        for (int p = RANDOM; p < PATTERNS; p++) {
            fill_keys(b, 4, length, p);
            const double speed = line(b, clearway(4, length), pattern_name[p], 0);

            least = std::min(least, speed);
            most = std::max(most, speed);
        }
        fprintf(stderr, "u32 %6u: %.1f to %.1f Gkey/s over %d inputs, %.1f %%\n", length, least,
                most, PATTERNS, 100 * (most / least - 1));
    }
    fill_keys(b, 4, 1, RANDOM);
    for (uint32_t length : other)
        fprintf(stderr, "u32 %6u: clearway %.1f Gkey/s\n", length,
                line(b, clearway(4, length), "random", 0));
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
    if (cw_context_create(CW_CUDA, &b.context)) {
        fprintf(stderr, "bench_rows: %s\n", cw_last_error());
        return 1;
    }
    b.bytes = 4ull << log_n;
    snprintf(b.gpu, sizeof b.gpu, "%s,%d", gpu.name, driver);
    ok(cudaMalloc(&b.in, b.bytes), "memory");
    ok(cudaMalloc(&b.out, b.bytes), "memory");
    ok(cudaMalloc(&b.faults, sizeof *b.faults), "memory");
    ok(cudaEventCreate(&b.from), "event");
    ok(cudaEventCreate(&b.to), "event");
    printf("gpu,driver,n,type,length,method,shape,gkeys,clearway_over_it\n");
    against_peers(&b, 4);
    against_peers(&b, 8);
    alone(&b);
    return 0;
}
