/* bench_compare.cu - cw_sort with CW_CONFLICT_FREE on a GPU against CUB's merge sort, on the same keys
 * in one run.
 *
 *      bench_compare [-t] [-s] [-f] [-e u32|u64|p32] [-x log2 of n, 28] [-n items] [-i input]
 *
 * u32, u64, p32 (pairs of u32 in any order of equals): Gkey/s of Clearway and of CUB, and their
 * ratio, for uniform keys; medians of 9, events.  -s: for n from 2^10 on, too; -n: for one n alone.  -i: for
 * one kind of keys that -f prints, not uniform ones.  -f: flatness: both
 * over all inputs, with the slowest over the fastest of each at the end; n is 17 * 2^(x - 5) then, the largest below 2^x for which there are
 * inputs after Berney and Sitchinava (below).  -t: the time of every launch.  Every output of Clearway
 * is checked: ascending, and the items of the input by a sum that order does not change.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <thread>
#include <vector>

#include <cub/cub.cuh>

#include "clearway.h"
#include "backend/cuda/device.h"

extern "C" {
#include "inputs/adversary.h"
#include "sort/sample_sort/request.h"
}

#define BENCH "bench_compare"
#include "device_bench.h"

struct engine {
    const char *name;
    cw_type type;
    uint32_t key_bytes, value_bytes;
};

static const struct engine engines[] = {
    {"u32", CW_U32, 4, 0}, {"u64", CW_U64, 8, 0}, {"p32", CW_U32, 4, 4}};

/* -- inputs ----------------------------------------------------------------------------------- */

enum {
    UNIFORM,
    EQUAL,
    TWO,
    SORTED,
    REVERSE,
    HEAVY,
    ZIPF,
    TOP,
    LOW,
    PERIODIC,
    ADVERSARIAL,
    RADIX,
    PHASED, /* made for this very sort */
    NEARLY, /* sorted, but one key in a thousand is anywhere */
    INPUTS
};
static const char *const input_name[] = {
    "uniform",  "equal",        "two values",   "sorted",   "reverse",     "heavy",
    "zipf",     "equal top 16", "equal low 16", "periodic", "adversarial", "adversarial radix",
    "in phase", "nearly sorted"};

static __device__ uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* After Berney and Sitchinava (IPDPS 2020): a merge sort whose threads merge E = 17 keys each, 32
 * banks.  In every merge the threads of the first half take 16 keys of the one run, then 1 of the
 * other, those of the second half the other way round: so the threads of a warp read from two banks,
 * in all steps but one.  Of n = 17 * 2^k keys, the one of rank p stands at: */
static __device__ uint64_t adversarial_place(uint64_t p, uint64_t n)
{
    uint64_t start = 0;

    for (uint64_t threads = n / 17; threads > 1; threads /= 2) {
        const uint64_t half = threads / 2, t = p / 17, j = p % 17;
        const uint64_t long_run = t < half ? t * 16 + j : half + (t - half) * 16 + j;
        const uint64_t short_run = t < half ? t : half * 16 + (t - half);
        const int second = (t < half) != (j < 16);

        p = j < 16 ? long_run : short_run;
        start += second ? half * 17 : 0;
    }
    return start + p;
}

template <typename K>
static __global__ void fill(K *keys, uint32_t *values, uint64_t n, int input, uint32_t tile)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    const int bits = 8 * sizeof(K);

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        const uint64_t r = mix(i);
        const K rank = (K)((double)i / n * (bits == 32 ? 4294967296.0 : 18446744073709551616.0));
        uint64_t to = i;
        K x = (K)r;

        if (input == EQUAL)
            x = (K)0x123456789abcdefull;
        if (input == TWO)
            x = r & 1 ? (K)0x123456789abcdefull : (K)0x8765432123456789ull;
        if (input == SORTED || input == ADVERSARIAL || (input == NEARLY && r % 1000))
            x = rank;
        if (input == REVERSE)
            x = ~rank;
        if (input == HEAVY && r >> 63)
            x = (K)(((K)0x5a << (bits - 8)) | ((K)mix(r) >> 16));
        if (input == ZIPF) {
            const double u = ((r >> 11) + 0.5) / 9007199254740992.0;
            x = (K)exp(u * log(1e7)); /* P(x) ~ 1/x, x < 10^7 */
        }
        if (input == TOP)
            x = (x & (K)((K) ~(K)0 >> 16)) | (K)0xabcd << (bits - 16);
        if (input == LOW)
            x = (x & ~(K)0xffff) | 0x1234;
        if (input == PERIODIC) /* every tile the same, every bucket a key of each */
            x = (K)mix(i % 16384);
        if (input == PHASED) { /* every tile other keys, but the same samples (drawn_place) */
            const uint32_t q = tile / 512; /* of 17 * 2^23 items, or as many */
            const uint64_t at = i * 2654435761u % tile + q - (i / tile * 13 & (q - 1));

            x = (K)(at << (bits - 15)) | (K)(r % 65536);
        }
        if (input == ADVERSARIAL)
            to = adversarial_place(i, n);
        keys[to] = x;
        if (values)
            values[to] = (uint32_t)i;
    }
}

/* Against radix sorts, which are made on the host. */
template <typename K> static void fill_radix(K *keys, uint64_t n)
{
    std::vector<K> made(n);
    std::vector<std::thread> threads;
    struct cw_adversary a;

    good(cw_adversary_of(NULL, sizeof(K), &a), "adversary");
    for (uint64_t t = 0; t < 16; t++)
        threads.emplace_back([&, t]() {
            for (uint64_t i = n * t / 16; i < n * (t + 1) / 16; i++)
                made[i] = (K)cw_adversary_radix(&a, n, sizeof(K), i);
        });
    for (std::thread &t : threads)
        t.join();
    ok(cudaMemcpy(keys, made.data(), n * sizeof(K), cudaMemcpyHostToDevice), "copy");
}

template <typename K>
static __global__ void check(const K *keys, const uint32_t *values, uint64_t n, int order,
                             unsigned long long *out)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    unsigned long long sum = 0, bad = 0;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        sum += mix((uint64_t)keys[i] ^ mix(values ? values[i] : 0));
        bad += order && i + 1 < n && keys[i] > keys[i + 1];
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
    struct cw_cuda_queue q;
};

static cw_array job_of(const struct engine *e, const struct data *d, uint64_t n)
{
    cw_array job;

    memset(&job, 0, sizeof job);
    job.type = e->type;
    job.flags = CW_CONFLICT_FREE;
    job.n = n;
    job.keys_in = d->in;
    job.keys_out = d->out;
    job.value_bytes = e->value_bytes;
    job.values_in = e->value_bytes ? d->in_values : NULL;
    job.values_out = e->value_bytes ? d->out_values : NULL;
    job.bits = 8u * e->key_bytes;
    return job;
}

static void print_sort(const cw_array *job, void *work)
{
    print_steps(
        [&](struct cw_queue *q) {
            return cw_sample_sort_enqueue_job(q, job, CW_SHAPES_LARGE, work);
        },
        2, "   ", 3, job->n < 1u << 23 ? 0.0f : 0.006f);
}

struct less {
    template <typename T> __device__ bool operator()(const T &a, const T &b) const
    {
        return a < b;
    }
};

static void cub_sort(const struct engine *e, struct data *d, uint64_t n)
{
    size_t bytes = d->cub_bytes;

    if (e->value_bytes)
        ok(cub::DeviceMergeSort::SortPairsCopy(d->cub, bytes, (const uint32_t *)d->in,
                                               (const uint32_t *)d->in_values, (uint32_t *)d->out,
                                               d->out_values, n, less()),
           "cub");
    else if (e->key_bytes == 4)
        ok(cub::DeviceMergeSort::SortKeysCopy(d->cub, bytes, (const uint32_t *)d->in,
                                              (uint32_t *)d->out, n, less()),
           "cub");
    else
        ok(cub::DeviceMergeSort::SortKeysCopy(d->cub, bytes, (const uint64_t *)d->in,
                                              (uint64_t *)d->out, n, less()),
           "cub");
}

template <typename F> static double median_ms(F f, int runs, int inner)
{
    std::vector<float> ms(runs);
    cudaEvent_t from, to;

    cudaEventCreate(&from), cudaEventCreate(&to);
    f();
    f();
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
    return ms[runs / 2];
}

static void sum(const struct engine *e, const struct data *d, uint64_t n, int of_out,
                unsigned long long *sums)
{
    const void *const keys = of_out ? d->out : d->in;
    const uint32_t *const values = e->value_bytes ? of_out ? d->out_values : d->in_values : NULL;

    ok(cudaMemset(d->sums, 0, 16), "memset");
    if (e->key_bytes == 4)
        check<<<1056, 256>>>((const uint32_t *)keys, values, n, of_out, d->sums);
    else
        check<<<1056, 256>>>((const uint64_t *)keys, values, n, of_out, d->sums);
    ok(cudaMemcpy(sums, d->sums, 16, cudaMemcpyDeviceToHost), "check");
}

struct times {
    double ours, cub;
};

static struct times case_of(const struct engine *e, struct data *d, uint64_t n, int input,
                            int steps)
{
    const cw_array job = job_of(e, d, n);
    const int inner = n <= 1 << 22 ? 20 : 1;
    unsigned long long a[2], b[2];
    struct times t;

    if (e->key_bytes == 4)
        fill<<<1056, 256>>>((uint32_t *)d->in, d->in_values, n, input,
                            e->value_bytes ? 8192 : 16384);
    else
        fill<<<1056, 256>>>((uint64_t *)d->in, (uint32_t *)NULL, n, input, 8192);
    ok(cudaDeviceSynchronize(), "fill");
    if (input == RADIX && e->key_bytes == 4)
        fill_radix((uint32_t *)d->in, n);
    else if (input == RADIX)
        fill_radix((uint64_t *)d->in, n);
    if (cw_sample_sort_workspace(&job, CW_SHAPES_LARGE) > d->work_bytes)
        fprintf(stderr, "workspace\n"), exit(1);
    ok(cudaMemset(d->out, 0xa5, n * e->key_bytes), "memset");
    good(cw_sample_sort_enqueue_job(&d->q.queue, &job, CW_SHAPES_LARGE, d->work), "sort");
    ok(cudaDeviceSynchronize(), "sort");
    sum(e, d, n, 0, a);
    sum(e, d, n, 1, b);
    if (a[0] != b[0] || b[1])
        printf("WRONG: sums %s, %llu descents\n", a[0] == b[0] ? "agree" : "differ", b[1]);
    t.cub = median_ms([&]() { cub_sort(e, d, n); }, 9, inner);
    t.ours = median_ms(
        [&]() {
            good(cw_sample_sort_enqueue_job(&d->q.queue, &job, CW_SHAPES_LARGE, d->work), "sort");
        },
        9, inner);
    printf("%s,%llu,%s,%.4f,%.2f,%.4f,%.2f,%.3f\n", e->name, (unsigned long long)n,
           input_name[input], t.ours, n / t.ours / 1e6, t.cub, n / t.cub / 1e6, t.cub / t.ours);
    if (steps)
        print_sort(&job, d->work);
    fflush(stdout);
    return t;
}

static void flatness(const struct engine *e, struct data *d, uint64_t n, int steps)
{
    struct times low = {1e9, 1e9}, high = {0, 0};

    for (int input = 0; input < INPUTS; input++) {
        const struct times t = case_of(e, d, n, input, steps);

        low.ours = std::min(low.ours, t.ours), high.ours = std::max(high.ours, t.ours);
        low.cub = std::min(low.cub, t.cub), high.cub = std::max(high.cub, t.cub);
    }
    printf("%s,%llu,slowest over fastest,%.3f,CUB,%.3f\n", e->name, (unsigned long long)n,
           high.ours / low.ours, high.cub / low.cub);
}

int main(int argc, char **argv)
{
    const char *only = NULL;
    int steps = 0, flat = 0, sizes = 0, log_n = 28;
    int input = UNIFORM;
    uint64_t n = 0;
    struct data d;

    for (int i = 1; i < argc; i++) {
        steps |= !strcmp(argv[i], "-t");
        flat |= !strcmp(argv[i], "-f");
        sizes |= !strcmp(argv[i], "-s");
        if (!strcmp(argv[i], "-e") && i + 1 < argc)
            only = argv[++i];
        else if (!strcmp(argv[i], "-x") && i + 1 < argc)
            log_n = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-n") && i + 1 < argc)
            n = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "-i") && i + 1 < argc)
            for (input = INPUTS - 1, i++; input && strcmp(argv[i], input_name[input]);)
                input--;
    }
    n = n ? n : 1ull << log_n;
    d.work_bytes = 8 * n + (64u << 20);
    d.cub_bytes = 17 * n + (64u << 20);
    ok(cudaMalloc(&d.in, 8 * n), "memory");
    ok(cudaMalloc(&d.out, 8 * n), "memory");
    ok(cudaMalloc(&d.in_values, 4 * n), "memory");
    ok(cudaMalloc(&d.out_values, 4 * n), "memory");
    ok(cudaMalloc(&d.work, d.work_bytes), "memory");
    ok(cudaMalloc(&d.cub, d.cub_bytes), "memory");
    ok(cudaMalloc(&d.sums, 16), "memory");
    cw_cuda_queue_begin(&d.q, NULL, 132);
    printf("type,n,input,ms,Gkey/s,CUB ms,CUB Gkey/s,ratio\n");
    for (const struct engine &e : engines) {
        if (only && strcmp(only, e.name))
            continue;
        (void)case_of(&e, &d, n, input, steps);
        for (int l = 10; sizes && l < log_n; l += l < 22 ? 1 : 2)
            (void)case_of(&e, &d, 1ull << l, input, steps);
        if (sizes)
            (void)case_of(&e, &d, 99999989ull % n, UNIFORM, 0);
        if (flat)
            flatness(&e, &d, 17ull << (log_n - 5), steps);
    }
    return 0;
}
