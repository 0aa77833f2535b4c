/* bench_sort.cu - cw_sort on a GPU against CUB's radix sort, on the same keys in one run.
 *
 *      bench_sort [-t] [-a] [-e u32|u64|p32|i32|i64|f32|u8] [-x log2 of the largest n, 28] [-n n] [-g]
 *      bench_sort -c [-e u32|u64|f32|p32] [-x log2 of the largest n, 30]
 *
 * For every type (p32: pairs of u32, in any order of equals, then stable; i32 and i64: keys that
 * are mapped) and input: Gkey/s of Clearway and of CUB, their ratio; medians of 5, events.  Every
 * output of Clearway is checked: ascending, the items of the input by a sum that the order does
 * not change, equal keys in the order of the input for stable sorts.  -t: the time of every launch,
 * too.  -a: all inputs and sizes.  -n: this length alone.
 * -g: every case once more, captured in a graph, and checked again.
 * -c: CSV for docs/performance.md, against CUB's merge sort too (sort_table.h).
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>

#include <cub/cub.cuh>

#include "clearway.h"
#include "backend/cuda/device.h"

extern "C" {
#include "sort/sort.h"
}

#define BENCH "bench_sort"
#include "device_bench.h"
#include "origin.h"

struct engine {
    const char *name;
    cw_type type;
    uint32_t key_bytes, value_bytes;
};

static const struct engine engines[] = {
    {"u32", CW_U32, 4, 0}, {"u64", CW_U64, 8, 0}, {"p32", CW_U32, 4, 4}, {"i32", CW_I32, 4, 0},
    {"i64", CW_I64, 8, 0}, {"f32", CW_F32, 4, 0}, {"u8", CW_U8, 1, 0}}; /* only if asked for */

static cw_context *context;

/* -- inputs ----------------------------------------------------------------------------------- */

enum {
    UNIFORM,
    EQUAL,
    TWO,
    SORTED,
    REVERSE,
    HEAVY,
    ZIPF,
    TOP_EQUAL,
    LOW_EQUAL,
    FAR_KEYS,
    NANS, /* from here on, floats only */
    NANS_ZEROS,
    INPUTS
};
static const char *const input_name[] = {
    "uniform", "equal",        "two values",   "sorted",   "reverse",           "one heavy bucket",
    "zipf",    "equal top 16", "equal low 16", "far keys", "NaNs among others", "NaNs and zeros"};

static int inputs_of(const struct engine *e)
{
    return e->type == CW_F32 ? INPUTS : NANS;
}

static __device__ uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* One key in eight is a NaN of either sign, one a zero or an infinity of either sign; or, if `only`, all
 * are the usual NaN or a zero of either sign. */
static __device__ uint32_t special_key(uint32_t x, uint64_t r, int only)
{
    static const uint32_t infinity = 0x7f800000u, sign = 1u << 31;
    const uint32_t kind = only ? (uint32_t)(r >> 32) % 3u : (uint32_t)(r >> 32) % 8u + 3u;

    if (kind < 3u)
        return kind == 0 ? 0x7fc00000u : kind == 1u ? 0u : sign;
    if (kind == 3u)
        return x | infinity | 1u;
    if (kind == 4u)
        return (x & sign) | (x & 1u ? infinity : 0u);
    return (x >> 23 & 255u) == 255u ? x ^ 1u << 30 : x;
}

/* Bits of a float: no NaN, but where there should be; and sorted inputs are so by value. */
static __device__ uint32_t float_key(uint32_t x, uint64_t i, uint64_t n, int input)
{
    if (input >= NANS)
        return special_key(x, mix(i), input == NANS_ZEROS);
    if (input == SORTED || input == REVERSE) {
        const float rank = (float)((double)i / n * 2 - 1);
        return __float_as_uint(input == SORTED ? rank : -rank);
    }
    if (input == ZIPF)
        return __float_as_uint((float)x);
    return (x >> 23 & 255u) == 255u ? x ^ 1u << 30 : x;
}

template <typename K>
static __global__ void fill(K *keys, uint32_t *values, uint64_t n, int input, int floats)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    const int bits = 8 * sizeof(K);

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        const uint64_t r = mix(i);
        K x = (K)r;

        if (input == EQUAL)
            x = (K)0x123456789abcdefull;
        if (input == TWO)
            x = r & 1 ? (K)0x123456789abcdefull : (K)0x8765432123456789ull;
        if (input == SORTED || input == REVERSE)
            x = (K)((double)i / n * (bits == 32 ? 4294967296.0 : 18446744073709551616.0));
        if (input == REVERSE)
            x = ~x;
        if (input == HEAVY && r >> 63)
            x = (K)(((K)0x5a << (bits - 8)) | ((K)mix(r) >> 16));
        if (input == ZIPF) {
            const double u = ((r >> 11) + 0.5) / 9007199254740992.0;
            x = (K)exp(u * log(1e7)); /* P(x) ~ 1/x, x < 10^7 */
        }
        if (input == TOP_EQUAL || (input == FAR_KEYS && mix(r) % 100000)) /* but for a few */
            x = (x & (K)((K) ~(K)0 >> 16)) | (K)0xabcd << (bits > 16 ? bits - 16 : 0);
        if (input == LOW_EQUAL)
            x = (x & ~(K)0xffff) | 0x1234;
        keys[i] = floats ? (K)float_key((uint32_t)x, i, n, input) : x;
        if (values)
            values[i] = (uint32_t)i;
    }
}

template <typename K> static __device__ uint64_t bits_of(K x)
{
    return (uint64_t)x;
}

template <> __device__ uint64_t bits_of<float>(float x)
{
    return __float_as_uint(x);
}

template <typename K> static __device__ bool ahead(K x, K y)
{
    return x < y;
}

/* Of floats: -0 before 0, NaNs behind all others. */
template <> __device__ bool ahead<float>(float x, float y)
{
    if (isnan(x) || isnan(y))
        return !isnan(x);
    return x < y || (x == y && signbit(x) && !signbit(y));
}

template <typename K>
static __global__ void check(const K *keys, const uint32_t *values, uint64_t n, int order,
                             int stable, unsigned long long *out)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    unsigned long long sum = 0, bad = 0;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        const uint64_t v = values ? values[i] : 0;
        sum += mix(bits_of(keys[i]) ^ mix(v));
        if (order && i + 1 < n)
            bad += ahead(keys[i + 1], keys[i]) ||
                   (stable && values && keys[i] == keys[i + 1] && values[i] > values[i + 1]);
    }
    atomicAdd(out, sum);
    atomicAdd(out + 1, bad);
}

/* -- runs -------------------------------------------------------------------------------------- */

struct data {
    void *in, *out, *work, *cub;
    uint32_t *in_values, *out_values;
    size_t cub_bytes, work_bytes;
    unsigned long long *sums;
};

static cw_array job_of(const struct engine *e, const struct data *d, uint64_t n, int stable)
{
    cw_array job;

    memset(&job, 0, sizeof job);
    job.type = e->type;
    job.flags = stable ? CW_STABLE : 0;
    job.n = n;
    job.keys_in = d->in;
    job.keys_out = d->out;
    job.value_bytes = e->value_bytes;
    job.values_in = e->value_bytes ? d->in_values : NULL;
    job.values_out = e->value_bytes ? d->out_values : NULL;
    return job;
}

static void print_sort(cw_array job, void *work)
{
    job.bits = 8u * (unsigned)cw_type_bytes(job.type);
    print_steps([&](struct cw_queue *q) { return cw_sort_enqueue(q, &job, CW_SHAPES_LARGE, work); },
                2, "   ", 8, 0.004f);
}

static void cub_sort(const struct engine *e, struct data *d, uint64_t n)
{
    size_t bytes = d->cub_bytes;

    if (e->value_bytes)
        ok(cub::DeviceRadixSort::SortPairs(d->cub, bytes, (const uint32_t *)d->in,
                                           (uint32_t *)d->out, d->in_values, d->out_values, n),
           "cub");
    else if (e->type == CW_I32)
        ok(cub::DeviceRadixSort::SortKeys(d->cub, bytes, (const int32_t *)d->in, (int32_t *)d->out,
                                          n),
           "cub");
    else if (e->type == CW_F32)
        ok(cub::DeviceRadixSort::SortKeys(d->cub, bytes, (const float *)d->in, (float *)d->out, n),
           "cub");
    else if (e->type == CW_I64)
        ok(cub::DeviceRadixSort::SortKeys(d->cub, bytes, (const int64_t *)d->in, (int64_t *)d->out,
                                          n),
           "cub");
    else if (e->key_bytes == 1)
        ok(cub::DeviceRadixSort::SortKeys(d->cub, bytes, (const uint8_t *)d->in, (uint8_t *)d->out,
                                          n),
           "cub");
    else if (e->key_bytes == 4)
        ok(cub::DeviceRadixSort::SortKeys(d->cub, bytes, (const uint32_t *)d->in,
                                          (uint32_t *)d->out, n),
           "cub");
    else
        ok(cub::DeviceRadixSort::SortKeys(d->cub, bytes, (const uint64_t *)d->in,
                                          (uint64_t *)d->out, n),
           "cub");
}

template <typename F> static double median_ms(F f, int runs, int inner)
{
    std::vector<float> ms(runs);
    cudaEvent_t from, to;

    cudaEventCreate(&from), cudaEventCreate(&to);
    f();
    cudaEventRecord(from), f(), cudaEventRecord(to);
    ok(cudaEventSynchronize(to), "run");
    cudaEventElapsedTime(&ms[0], from, to);
    if (ms[0] > 100)
        ms.resize(3);
    for (float &t : ms) {
        cudaEventRecord(from);
        for (int i = 0; i < inner; i++)
            f();
        cudaEventRecord(to);
        ok(cudaEventSynchronize(to), "run");
        cudaEventElapsedTime(&t, from, to);
        t /= inner;
    }
    std::sort(ms.begin(), ms.end());
    cudaEventDestroy(from), cudaEventDestroy(to);
    return ms[ms.size() / 2];
}

static void sum(const struct engine *e, const struct data *d, uint64_t n, int of_out, int stable,
                unsigned long long *sums)
{
    const void *const keys = of_out ? d->out : d->in;
    const uint32_t *const values = e->value_bytes ? of_out ? d->out_values : d->in_values : NULL;

    ok(cudaMemset(d->sums, 0, 16), "memset");
    if (e->type == CW_I32)
        check<<<1056, 256>>>((const int32_t *)keys, values, n, of_out, stable, d->sums);
    else if (e->type == CW_F32)
        check<<<1056, 256>>>((const float *)keys, values, n, of_out, stable, d->sums);
    else if (e->type == CW_I64)
        check<<<1056, 256>>>((const int64_t *)keys, values, n, of_out, stable, d->sums);
    else if (e->key_bytes == 1)
        check<<<1056, 256>>>((const uint8_t *)keys, values, n, of_out, stable, d->sums);
    else if (e->key_bytes == 4)
        check<<<1056, 256>>>((const uint32_t *)keys, values, n, of_out, stable, d->sums);
    else
        check<<<1056, 256>>>((const uint64_t *)keys, values, n, of_out, stable, d->sums);
    ok(cudaMemcpy(sums, d->sums, 16, cudaMemcpyDeviceToHost), "check");
}

static int graphs; /* -g */

/* The same sort as a graph. */
static void sort_in_graph(const cw_array *job, const struct data *d)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t run;

    ok(cudaStreamCreate(&stream), "stream");
    ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
    good(cw_sort(context, job, d->work, d->work_bytes, stream), "cw_sort");
    ok(cudaStreamEndCapture(stream, &graph), "capture");
    ok(cudaGraphInstantiate(&run, graph, 0), "graph");
    ok(cudaGraphLaunch(run, stream), "graph");
    ok(cudaStreamSynchronize(stream), "graph");
    cudaGraphExecDestroy(run), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
}

static void one(const struct engine *e, struct data *d, uint64_t n, int input, int stable,
                int steps, double cub)
{
    const cw_array job = job_of(e, d, n, stable);
    const int inner = n <= 1 << 22 ? 20 : 1;
    unsigned long long a[2], b[2];
    size_t need;
    double ms;

    good(cw_sort_workspace(&job, &need), "workspace");
    if (need > d->work_bytes)
        fprintf(stderr, "workspace %zu > %zu\n", need, d->work_bytes), exit(1);
    sum(e, d, n, 0, 0, a);
    for (int g = 0; g <= graphs; g++) {
        ok(cudaMemset(d->out, 0xa5, n * e->key_bytes), "memset");
        if (g)
            sort_in_graph(&job, d);
        else
            good(cw_sort(context, &job, d->work, d->work_bytes, NULL), "cw_sort");
        ok(cudaDeviceSynchronize(), "sort");
        sum(e, d, n, 1, stable, b);
        if (a[0] != b[0] || b[1])
            printf("WRONG%s: %s n %llu %s stable %d: sums %s, %llu descents\n",
                   g ? " in a graph" : "", e->name, (unsigned long long)n, input_name[input],
                   stable, a[0] == b[0] ? "agree" : "differ", b[1]);
    }
    ms = median_ms([&]() { good(cw_sort(context, &job, d->work, d->work_bytes, NULL), "cw_sort"); },
                   5, inner);
    printf("%-5s%s 2^%-4.1f %-17s %8.4f ms %7.1f Gkey/s  cub %7.1f  ratio %.2f\n", e->name,
           stable ? "s" : " ", log2((double)n), input_name[input], ms, n / ms / 1e6,
           cub > 0 ? n / cub / 1e6 : 0.0, cub > 0 ? cub / ms : 0.0);
    if (steps)
        print_sort(job, d->work);
    fflush(stdout);
}

static void fill_keys(const struct engine *e, struct data *d, uint64_t n, int input)
{
    if (e->key_bytes == 1)
        fill<<<1056, 256>>>((uint8_t *)d->in, (uint32_t *)NULL, n, input, 0);
    else if (e->key_bytes == 4)
        fill<<<1056, 256>>>((uint32_t *)d->in, e->value_bytes ? d->in_values : NULL, n, input,
                            e->type == CW_F32);
    else
        fill<<<1056, 256>>>((uint64_t *)d->in, (uint32_t *)NULL, n, input, 0);
    ok(cudaDeviceSynchronize(), "fill");
}

#include "sort_table.h"

static void case_of(const struct engine *e, struct data *d, uint64_t n, int input, int steps,
                    int with_cub)
{
    double cub = 0;

    fill_keys(e, d, n, input);
    if (with_cub)
        cub = median_ms([&]() { cub_sort(e, d, n); }, 5, n <= 1 << 22 ? 20 : 1);
    one(e, d, n, input, 0, steps, cub);
    if (e->value_bytes)
        one(e, d, n, input, 1, steps, cub);
}

/* Memory for n items of any of the engines that are asked for. */
static void make_room(struct data *d, uint64_t n, const char *only)
{
    uint64_t keys = 0, values = 0;

    for (const struct engine &e : engines) {
        if (only ? !strcmp(only, e.name) : e.key_bytes > 1) {
            keys = std::max(keys, n * e.key_bytes);
            values = std::max(values, n * e.value_bytes);
        }
    }
    d->work_bytes = keys + values + (64u << 20) + (keys + values) / 64u;
    d->cub_bytes = keys + values + (256u << 20);
    ok(cudaMalloc(&d->in, keys), "memory");
    ok(cudaMalloc(&d->out, keys), "memory");
    ok(cudaMalloc(&d->in_values, values + 4), "memory");
    ok(cudaMalloc(&d->out_values, values + 4), "memory");
    ok(cudaMalloc(&d->work, d->work_bytes), "memory");
    ok(cudaMalloc(&d->cub, d->cub_bytes), "memory");
    ok(cudaMalloc(&d->sums, 16), "memory");
}

static void all_of(const struct engine *e, struct data *d, uint64_t n, int steps)
{
    for (int l = 0; l < 2; l++)
        for (int input = EQUAL; input < inputs_of(e); input++)
            case_of(e, d, n >> (2 * l), input, steps, 1);
    for (uint64_t m : {1ull << 12, 1ull << 16, 1ull << 20, 1ull << 22, 1ull << 24, 1ull << 26, 1ull,
                       2ull, 4097ull, 8193ull, 65537ull, 1000003ull, 99999989ull})
        if (m <= n)
            case_of(e, d, m, UNIFORM, steps, 1);
}

int main(int argc, char **argv)
{
    const char *only = NULL;
    int steps = 0, all = 0, csv = 0, largest = 0;
    uint64_t n = 1ull << 28;
    struct data d;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-t"))
            steps = 1;
        else if (!strcmp(argv[i], "-a"))
            all = 1;
        else if (!strcmp(argv[i], "-g"))
            graphs = 1;
        else if (!strcmp(argv[i], "-e") && i + 1 < argc)
            only = argv[++i];
        else if (!strcmp(argv[i], "-c"))
            csv = 1;
        else if (!strcmp(argv[i], "-x") && i + 1 < argc)
            n = 1ull << (largest = atoi(argv[++i]));
        else if (!strcmp(argv[i], "-n") && i + 1 < argc)
            n = strtoull(argv[++i], NULL, 10);
    }
    largest = largest ? largest : 30;
    n = csv ? 1ull << largest : n;
    make_room(&d, n, only);
    good(cw_context_create(CW_CUDA, &context), "context");
    if (csv)
        return table(&d, largest, only);
    for (const struct engine &e : engines) {
        if (only ? strcmp(only, e.name) != 0 : e.key_bytes == 1)
            continue;
        case_of(&e, &d, n, UNIFORM, steps, 1);
        if (all)
            all_of(&e, &d, n, steps);
    }
    return 0;
}
