/* rows_bench.h - what the benchmarks of rows share: keys, a check of every output, timing, CSV.
 *
 * A batch is described by the cw_rows that Clearway gets, for the peers too.  A line of CSV is
 *
 *      gpu, driver, commit, n, type, length, method, shape, gkeys, ratio
 *
 * where n is the keys of the batch; type has what travels with a key (u32+u32: values of 4 bytes);
 * shape is a peer's threads x keys a thread, or Clearway's input or order; gkeys is 10^9 keys a
 * second, the median of 9 runs (3, where one takes over 0.1 s) by events after a run that is
 * checked and one that is not; ratio is Clearway's speed over the line's.  Driver and commit come
 * from the environment (CW_DRIVER, CW_COMMIT): scripts/bench sets them.
 */
#ifndef ROWS_BENCH_H
#define ROWS_BENCH_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "clearway.h"

struct bench {
    const char *program;
    uint64_t n;
    cw_context *context;
    void *keys_in, *keys_out;
    uint32_t *values_in, *values_out; /* values_out: of indices too */
    void *workspace;
    size_t workspace_bytes;
    unsigned long long *faults;
    cudaEvent_t from, to;
    std::string begin; /* of every line: GPU, driver, commit */
    int failed;        /* an output was wrong; its method has no line */
};

static void ok(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        exit(1);
    }
}

static void ok(cw_status status, const char *what)
{
    if (status != CW_OK) {
        fprintf(stderr, "%s: %s: %s\n", what, cw_status_name(status), cw_last_error());
        exit(1);
    }
}

/* -- keys ------------------------------------------------------------------------------------- */

/* ALTERNATING: places with their bits reversed, so that every merge of two halves takes from both in
 * turn, and a merge sort's lanes start at strides of powers of two. */
enum pattern { RANDOM, SORTED, REVERSED, EQUAL, ZERO_ONE, ALTERNATING, PATTERNS };
static const char *const pattern_name[] = {"random", "sorted", "reversed",
                                           "equal",  "0-1",    "alternating"};

static __device__ __host__ uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* `clear` is a bit of the exponent for floats, so that there are no NaNs, and else 0. */
template <typename KEY>
static __global__ void fill(KEY *keys, uint32_t *values, uint64_t n, uint32_t length, int pattern,
                            KEY clear)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        const uint32_t column = (uint32_t)(i % length);
        const uint64_t r = mix(i + 0x9e3779b97f4a7c15ull);
        KEY x = (KEY)((KEY)r & (KEY)~clear);

        if (pattern == SORTED)
            x = (KEY)(column << 12);
        if (pattern == REVERSED)
            x = (KEY) ~(KEY)(column << 12);
        if (pattern == EQUAL)
            x = 42;
        if (pattern == ZERO_ONE)
            x = r & 1;
        if (pattern == ALTERNATING)
            x = (KEY)__brev(column);
        keys[i] = x;
        values[i] = (uint32_t)(r >> 32) + (uint32_t)i;
    }
}

static int is_float(cw_type type)
{
    return type == CW_F16 || type == CW_BF16 || type == CW_F32 || type == CW_F64;
}

template <typename KEY>
static void fill_as(const bench *b, cw_type type, uint32_t length, int pattern)
{
    const KEY clear = is_float(type) ? (KEY)((KEY)1 << (8 * sizeof(KEY) - 2)) : 0;

    fill<<<4096, 256>>>((KEY *)b->keys_in, b->values_in, b->n, length, pattern, clear);
}

/* Keys and values of a batch.  Patterns other than RANDOM are of rows of this length. */
static void fill_keys(const bench *b, cw_type type, uint32_t length, int pattern)
{
    switch (cw_type_bytes(type)) {
    case 1:
        fill_as<uint8_t>(b, type, length, pattern);
        break;
    case 2:
        fill_as<uint16_t>(b, type, length, pattern);
        break;
    case 4:
        fill_as<uint32_t>(b, type, length, pattern);
        break;
    default:
        fill_as<uint64_t>(b, type, length, pattern);
    }
    ok(cudaGetLastError(), "fill");
}

/* -- checks ----------------------------------------------------------------------------------- */

/* Unsigned and ascending: x ^ always, and where x has `sign`, ^ negative too. */
struct order {
    uint64_t sign, always, negative;
};

static order order_of(const cw_rows &job)
{
    const uint64_t top = 1ull << (8 * cw_type_bytes(job.type) - 1), all = top | (top - 1);
    order o = {0, 0, 0};

    if (is_float(job.type))
        o = {top, top, all ^ top};
    else if (job.type >= CW_I8 && job.type <= CW_I64)
        o = {0, top, 0};
    if (job.flags & CW_DESCENDING)
        o.always ^= all;
    return o;
}

static __device__ uint64_t ordered(uint64_t x, const order &o)
{
    return x ^ o.always ^ (x & o.sign ? o.negative : 0);
}

/* One warp a row: keys out of order, equal keys whose indices are, and rows that lost or gained an
 * item: a sum over keys with their values or places, which the order does not change. */
template <typename KEY>
static __global__ void count_faults(cw_rows job, order o, unsigned long long *count)
{
    const uint32_t lane = threadIdx.x % 32;
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x / 32;
    const uint32_t *const values_in = (const uint32_t *)job.values_in;
    const uint32_t *const values_out = (const uint32_t *)job.values_out;

    for (uint64_t r = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; r < job.rows;
         r += step) {
        const uint64_t start = job.offsets ? job.offsets[r] : r * job.length;
        const uint64_t length = (job.offsets ? job.offsets[r + 1] : start + job.length) - start;
        const KEY *const in = (const KEY *)job.keys_in + start;
        const KEY *const out = job.keys_out ? (const KEY *)job.keys_out + start : NULL;
        const uint32_t *const index = job.index_out ? job.index_out + start : NULL;
        unsigned long long sum = 0;
        unsigned bad = 0;

        for (uint64_t i = lane; i < length; i += 32) {
            const uint64_t next = i + 1 < length ? i + 1 : i;
            const uint64_t p = index ? index[i] % length : 0, q = index ? index[next] % length : 0;
            const uint64_t x = out ? out[i] : in[p], y = out ? out[next] : in[q];
            const uint64_t a = values_in ? values_in[start + i] : index ? i : 0;
            const uint64_t b = values_out ? values_out[start + i] : index ? index[i] : 0;

            sum += mix(in[i] + (a + 1) * 0x9e3779b97f4a7c15ull);
            sum -= mix(x + (b + 1) * 0x9e3779b97f4a7c15ull);
            bad += ordered(x, o) > ordered(y, o) || (index && x == y && p > q);
        }
        for (int d = 16; d; d /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, d);
        bad += lane == 0 && sum != 0;
        if (bad)
            atomicAdd(count, bad);
    }
}

static unsigned long long faults(const bench *b, const cw_rows &job)
{
    const order o = order_of(job);
    unsigned long long bad = 0;

    ok(cudaMemset(b->faults, 0, sizeof *b->faults), "memset");
    switch (cw_type_bytes(job.type)) {
    case 1:
        count_faults<uint8_t><<<2048, 256>>>(job, o, b->faults);
        break;
    case 2:
        count_faults<uint16_t><<<2048, 256>>>(job, o, b->faults);
        break;
    case 4:
        count_faults<uint32_t><<<2048, 256>>>(job, o, b->faults);
        break;
    default:
        count_faults<uint64_t><<<2048, 256>>>(job, o, b->faults);
    }
    ok(cudaMemcpy(&bad, b->faults, sizeof bad, cudaMemcpyDeviceToHost), "check");
    return bad;
}

/* -- time ------------------------------------------------------------------------------------- */

typedef std::function<void()> method;

static uint64_t items_of(const cw_rows &job)
{
    return job.offsets ? job.items : job.rows * job.length;
}

static float time_once(const bench *b, const method &run)
{
    float ms;

    ok(cudaEventRecord(b->from), "event");
    run();
    ok(cudaEventRecord(b->to), "event");
    ok(cudaEventSynchronize(b->to), "event");
    ok(cudaEventElapsedTime(&ms, b->from, b->to), "event");
    return ms;
}

/* 10^9 keys a second. */
static double time_runs(const bench *b, uint64_t keys, const method &run)
{
    std::vector<float> ms(time_once(b, run) > 100 ? 3 : 9);

    for (float &t : ms)
        t = time_once(b, run);
    std::sort(ms.begin(), ms.end());
    return keys / ms[ms.size() / 2] / 1e6;
}

static std::string type_name(const cw_rows &job)
{
    std::string name = cw_type_name(job.type);

    if (job.value_bytes)
        name += "+u" + std::to_string(8 * job.value_bytes);
    if (job.index_out)
        name += job.keys_out ? "+index" : " argsort";
    return name;
}

static void print(const bench *b, uint64_t n, const std::string &type, const std::string &length,
                  const std::string &name, const std::string &shape, double speed, double ratio)
{
    printf("%s,%llu,%s,%s,%s,%s,%.2f,%.2f\n", b->begin.c_str(), (unsigned long long)n, type.c_str(),
           length.c_str(), name.c_str(), shape.c_str(), speed, ratio);
    fflush(stdout);
}

/* Check and measure one method and print its line; `ours` is Clearway's speed, 0 if that is what is
 * measured.  Returns the speed, 0 if the output was wrong. */
static double line(bench *b, const cw_rows &job, const std::string &length, const std::string &name,
                   const std::string &shape, double ours, const method &run)
{
    unsigned long long bad;
    double speed;

    if (job.keys_out)
        ok(cudaMemset(job.keys_out, 0xa5, items_of(job) * cw_type_bytes(job.type)), "memset");
    ok(cudaMemset(b->values_out, 0xa5, b->n * sizeof *b->values_out), "memset");
    run();
    bad = faults(b, job);
    if (bad) {
        fprintf(stderr, "%s: %s rows of %s, %s %s: %llu faults\n", b->program,
                type_name(job).c_str(), length.c_str(), name.c_str(), shape.c_str(), bad);
        b->failed = 1;
        return 0;
    }
    speed = time_runs(b, items_of(job), run);
    print(b, items_of(job), type_name(job), length, name, shape, speed,
          ours > 0 ? ours / speed : 1.0);
    return speed;
}

static double clearway(bench *b, const cw_rows &job, const std::string &length,
                       const std::string &shape, double ours)
{
    size_t bytes;

    ok(cw_sort_rows_workspace(&job, &bytes), "workspace");
    if (bytes > b->workspace_bytes) {
        ok(cudaFree(b->workspace), "free");
        ok(cudaMalloc(&b->workspace, bytes), "memory");
        b->workspace_bytes = bytes;
    }
    return line(
        b, job, length, job.flags & CW_CONFLICT_FREE ? "clearway conflict-free" : "clearway", shape,
        ours, [&] { ok(cw_sort_rows(b->context, &job, b->workspace, bytes, NULL), "sort_rows"); });
}

/* -- begin ------------------------------------------------------------------------------------ */

static std::string given(const char *name, const std::string &otherwise)
{
    const char *const text = getenv(name);

    return text && *text ? text : otherwise;
}

/* The GPU, memory for 2^log_n keys of up to 8 bytes with values, and the head of the CSV. */
static bench open_bench(const char *program, int argc, char **argv)
{
    const int log_n = argc > 1 ? atoi(argv[1]) : 27;
    bench b = {};
    cudaDeviceProp gpu;
    int cuda = 0;

    if (log_n < 20 || log_n > 32) {
        fprintf(stderr, "usage: %s [log2 of all keys, 20..32]\n", program);
        exit(2);
    }
    if (cudaGetDeviceProperties(&gpu, 0) != cudaSuccess) {
        fprintf(stderr, "%s: no GPU\n", program);
        exit(1);
    }
    ok(cudaDriverGetVersion(&cuda), "driver");
    ok(cw_context_create(CW_CUDA, &b.context), "context");
    b.program = program;
    b.n = 1ull << log_n;
    b.begin = gpu.name;
    b.begin += "," + given("CW_DRIVER", "CUDA " + std::to_string(cuda / 1000)) + "," +
               given("CW_COMMIT", "unknown");
    ok(cudaMalloc(&b.keys_in, b.n * 8), "memory");
    ok(cudaMalloc(&b.keys_out, b.n * 8), "memory");
    ok(cudaMalloc(&b.values_in, b.n * sizeof *b.values_in), "memory");
    ok(cudaMalloc(&b.values_out, b.n * sizeof *b.values_out), "memory");
    ok(cudaMalloc(&b.faults, sizeof *b.faults), "memory");
    ok(cudaEventCreate(&b.from), "event");
    ok(cudaEventCreate(&b.to), "event");
    printf("gpu,driver,commit,n,type,length,method,shape,gkeys,ratio\n");
    return b;
}

#endif
