/* bench_partition.cu - cw_partition on a GPU against CUB, on the same keys in one run.
 *
 *      bench_partition [-t] [-s] [-x log2 of n, 28] [-i input] [-b bits]
 *
 * CSV, a line for each number of bits: keys of 4 bytes, or pairs of 4 and 4, partitioned by the lowest bits
 * of the key, stable and not, against CUB's radix sort on these bits; by one bit against
 * DevicePartition; 262144 labels of 256 buckets with index and offsets, against CUB's stable sort of pairs
 * (partition_torch.py has PyTorch's).  Medians of 9, events; every output of Clearway is checked.
 * -t: the time of every launch too.  -s: skewed inputs too.  -i: only input 0, 1, ..
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
#include "partition/request.h"
}

#define BENCH "bench_partition"
#include "device_bench.h"
#include "origin.h"

static cw_context *context;

/* -- inputs ----------------------------------------------------------------------------------- */

enum { UNIFORM, EQUAL, SORTED, HEAVY, RUNS, INPUTS };
static const char *const input_name[] = {"uniform", "equal", "sorted", "half in one bucket",
                                         "runs of 16"};

static __device__ uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static __global__ void fill(uint32_t *keys, uint32_t *values, uint64_t n, int input, int bits)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        uint32_t x = (uint32_t)mix(i);

        if (input == EQUAL)
            x = 0x12345678u;
        if (input == SORTED)
            x = (uint32_t)((double)i / n * (1u << bits));
        if (input == HEAVY && mix(i) >> 63)
            x = 5;
        if (input == RUNS)
            x = (uint32_t)mix(i / 16);
        keys[i] = x;
        values[i] = (uint32_t)i;
    }
}

static __global__ void check(const uint32_t *keys, const uint32_t *values, uint64_t n,
                             uint32_t mask, int stable, const uint64_t *offsets,
                             unsigned long long *out)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    unsigned long long sum = 0, bad = 0;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        const uint32_t b = keys[i] & mask;

        sum += mix((uint64_t)keys[i] ^ mix(values ? values[i] : 0));
        if (offsets) {
            bad += i < offsets[b] || i >= offsets[b + 1];
            if (i + 1 < n && stable && values && b == (keys[i + 1] & mask))
                bad += values[i] > values[i + 1];
        }
    }
    atomicAdd(out, sum);
    atomicAdd(out + 1, bad);
}

/* -- runs ------------------------------------------------------------------------------------- */

struct data {
    uint32_t *in, *out, *in_values, *out_values;
    uint64_t *offsets;
    void *work, *cub;
    size_t work_bytes, cub_bytes;
    unsigned long long *sums;
};

struct low_bit {
    __device__ bool operator()(uint32_t x) const
    {
        return !(x & 1u);
    }
};

template <typename F> static double median(F run)
{
    std::vector<float> ms;
    cudaEvent_t a, b;

    cudaEventCreate(&a), cudaEventCreate(&b);
    for (int r = 0; r < 11; r++) {
        float t;

        cudaEventRecord(a), run(), cudaEventRecord(b);
        ok(cudaEventSynchronize(b), "run");
        cudaEventElapsedTime(&t, a, b);
        if (r >= 2)
            ms.push_back(t);
    }
    cudaEventDestroy(a), cudaEventDestroy(b);
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

static void print_partition(const cw_partition_job *job, void *work)
{
    print_steps(
        [&](struct cw_queue *q) { return cw_partition_request(q, job, CW_SHAPES_LARGE, work, 1); },
        3, "#  ", 9, -1.0f);
}

struct question {
    uint64_t n;
    int pairs, bits, stable, input;
};

static double peer(const struct data *d, const struct question *q, const char **name)
{
    const int two = !q->pairs && q->bits == 1;
    uint64_t *const selected = d->offsets;

    *name = two ? "CUB partition" : "CUB radix sort";
    return median([&]() {
        size_t bytes = d->cub_bytes;

        if (two)
            ok(cub::DevicePartition::If(d->cub, bytes, d->in, d->out, selected, q->n, low_bit()),
               "cub");
        else if (q->pairs)
            ok(cub::DeviceRadixSort::SortPairs(d->cub, bytes, d->in, d->out, d->in_values,
                                               d->out_values, q->n, 0, q->bits),
               "cub");
        else
            ok(cub::DeviceRadixSort::SortKeys(d->cub, bytes, d->in, d->out, q->n, 0, q->bits),
               "cub");
    });
}

static const char *checked(const struct data *d, const struct question *q, int index)
{
    const uint32_t mask = (1u << q->bits) - 1u;
    unsigned long long s[4];

    ok(cudaMemset(d->sums, 0, 32), "clear");
    check<<<1024, 256>>>(d->in, q->pairs ? d->in_values : NULL, q->n, mask, 0, NULL, d->sums);
    check<<<1024, 256>>>(d->out, q->pairs ? d->out_values : NULL, q->n, mask, q->stable, d->offsets,
                         d->sums + 2);
    ok(cudaMemcpy(s, d->sums, 32, cudaMemcpyDeviceToHost), "sums");
    (void)index;
    return s[0] == s[2] && s[3] == 0 ? "right" : "WRONG";
}

static void one(const struct data *d, const struct question *q, int steps)
{
    const cw_payload payload = {d->in_values, d->out_values, 4};
    const char *name;
    cw_partition_job job;
    double theirs, ours;
    size_t need;

    fill<<<1024, 256>>>(d->in, d->in_values, q->n, q->input, q->bits);
    theirs = peer(d, q, &name);
    memset(&job, 0, sizeof job);
    job.type = CW_U32;
    job.rule = CW_BY_BITS;
    job.flags = q->stable ? 0 : CW_UNSTABLE;
    job.n = q->n;
    job.buckets = 1u << q->bits;
    job.keys_in = d->in;
    job.keys_out = d->out;
    job.payloads = &payload;
    job.payload_count = q->pairs ? 1 : 0;
    job.offsets = d->offsets;
    good(cw_partition_workspace(&job, &need), "workspace");
    if (need > d->work_bytes) {
        fprintf(stderr, "bench_partition: %zu bytes of workspace\n", need);
        exit(1);
    }
    ok(cudaMemset(d->out, 0, 4 * q->n), "clear");
    ours =
        median([&]() { good(cw_partition(context, &job, d->work, d->work_bytes, NULL), "run"); });
    printf("%s%s,%s,%llu,%u,%s,%.4f,%.1f,%s,%.4f,%.1f,%.3f,%s\n", origin(),
           q->pairs ? "u32+u32" : "u32", input_name[q->input], (unsigned long long)q->n,
           job.buckets, q->stable ? "stable" : "unstable", ours, q->n / ours * 1e-6, name, theirs,
           q->n / theirs * 1e-6, theirs / ours, checked(d, q, 0));
    if (steps)
        print_partition(&job, d->work);
    fflush(stdout);
}

/* Labels with an index and offsets, as a router of tokens asks for them. */
static void labels(const struct data *d, int steps)
{
    const uint64_t n = 262144;
    const struct question q = {n, 1, 8, 1, UNIFORM};
    cw_partition_job job;
    double theirs, ours;

    fill<<<1024, 256>>>(d->in, d->in_values, n, UNIFORM, 8);
    memset(&job, 0, sizeof job);
    job.type = CW_U32;
    job.rule = CW_BY_BITS; /* the same keys as labels: below */
    theirs = median([&]() {
        size_t bytes = d->cub_bytes;

        ok(cub::DeviceRadixSort::SortPairs(d->cub, bytes, d->in, d->out, d->in_values,
                                           d->out_values, n, 0, 8),
           "cub");
    });
    std::vector<uint32_t> host(n);
    ok(cudaMemcpy(host.data(), d->in, 4 * n, cudaMemcpyDeviceToHost), "labels");
    for (uint64_t i = 0; i < n; i++)
        host[i] &= 255u;
    ok(cudaMemcpy(d->in, host.data(), 4 * n, cudaMemcpyHostToDevice), "labels");
    job.rule = CW_BY_LABEL;
    job.n = n;
    job.buckets = 256;
    job.keys_in = d->in;
    job.keys_out = d->out;
    job.offsets = d->offsets;
    job.index_out = d->out_values;
    job.index_bytes = 4;
    ours = median(
        [&]() { good(cw_partition(context, &job, d->work, d->work_bytes, NULL), "labels"); });
    printf("%slabels with index and offsets,uniform,%llu,256,stable,%.4f,%.1f,CUB radix "
           "sort,%.4f,%.1f,%.3f,%s\n",
           origin(), (unsigned long long)n, ours, n / ours * 1e-6, theirs, n / theirs * 1e-6,
           theirs / ours, checked(d, &q, 1));
    job.keys_out = NULL;
    ours = median(
        [&]() { good(cw_partition(context, &job, d->work, d->work_bytes, NULL), "labels"); });
    printf("%slabels to index and offsets alone,uniform,%llu,256,stable,%.4f,%.1f,CUB radix "
           "sort,%.4f,%.1f,%.3f,-\n",
           origin(), (unsigned long long)n, ours, n / ours * 1e-6, theirs, n / theirs * 1e-6,
           theirs / ours);
    if (steps)
        print_partition(&job, d->work);
}

int main(int argc, char **argv)
{
    static const int pair_bits[] = {5, 8, 10, 12, 16}, key_bits[] = {1, 5, 8};
    int log = 28, steps = 0, all = 0, only = -1, bits = 0;
    struct data d;
    uint64_t n;

    for (int i = 1; i < argc; i++) {
        steps |= !strcmp(argv[i], "-t");
        all |= !strcmp(argv[i], "-s");
        if (!strcmp(argv[i], "-x") && i + 1 < argc)
            log = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-i") && i + 1 < argc)
            only = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-b") && i + 1 < argc)
            bits = atoi(argv[++i]);
    }
    n = (uint64_t)1 << log;
    good(cw_context_create(CW_CUDA, &context), "context");
    d.work_bytes = 8 * n + ((size_t)64 << 20);
    d.cub_bytes = 9 * n + ((size_t)64 << 20);
    ok(cudaMalloc(&d.in, 4 * n), "memory"), ok(cudaMalloc(&d.out, 4 * n), "memory");
    ok(cudaMalloc(&d.in_values, 4 * n), "memory"), ok(cudaMalloc(&d.out_values, 4 * n), "memory");
    ok(cudaMalloc(&d.offsets, 8 * 65537), "memory"), ok(cudaMalloc(&d.sums, 32), "memory");
    ok(cudaMalloc(&d.work, d.work_bytes), "memory"), ok(cudaMalloc(&d.cub, d.cub_bytes), "memory");
    printf(ORIGIN_HEAD "items,input,n,buckets,order,ms,G/s,peer,peer ms,peer G/s,ratio,output\n");
    for (int input = 0; input < (all ? INPUTS : 1); input++) {
        if (only >= 0 && input != only)
            continue;
        for (int stable = 0; stable < 2; stable++) {
            for (int b : pair_bits)
                if (!bits || b == bits) {
                    const struct question q = {n, 1, b, stable, input};
                    one(&d, &q, steps);
                }
            for (int b : key_bits)
                if (!bits || b == bits) {
                    const struct question q = {n, 0, b, stable, input};
                    one(&d, &q, steps);
                }
        }
    }
    if (!bits)
        labels(&d, steps);
    return 0;
}
