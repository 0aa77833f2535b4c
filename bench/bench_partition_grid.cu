/* bench_partition_grid.cu - cw_partition beside cub::DeviceRadixSort over some bits, over the whole grid: width of key
 * and payload, buckets, order, n, input; and tokens routed to experts.
 *
 *      bench_partition_grid [--keys 1,2,4,8] [--payload 0,4,8,16] [--bits 1,5,8,10,16] [--order any,stable]
 *                           [--n 10,16,20:1000000] [--input uniform,heavy,sorted,runs,equal] [--route] [--rule] [--steps]
 *
 * Buckets are the lowest bits of the key.  Stable outputs must equal CUB's, byte for byte; of others the buckets
 * must, and keys and payloads as sets.  Writes CSV: key, payload, bits, order, n, input, us, cub_us, ratio.  Ends with
 * the number of cells below 0.97 and the geometric mean; exits 1 if an output is wrong.
 * --route: index, inverse, offsets, padded offsets and blocks of labels, beside CUB's order and histogram; also
 * in a graph of 16 of them, for one, and the host's time for a call.  CSV: n, buckets, labels (all, or an eighth to
 * drop), us, graph_us, host_us, order_us, order_and_histogram_us, ratio (of that to us), output.
 * --rule: the same keys by 255 splitters and by a hash, without a peer.  --steps: the time of every launch too, in ms.
 */
#include <cub/cub.cuh>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "clearway.h"

extern "C" {
#include "partition/request.h"
}

#define BENCH "bench_partition_grid"
#include "device_bench.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

struct wide {
    u64 a, b;
};
struct none {
};

static cw_context *context;
static std::vector<int> bit_list = {1, 4, 5, 8, 10, 12, 16};
static std::vector<u64> n_list = {1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 26};
static std::vector<std::string> input_list = {"uniform", "heavy"};
static std::vector<int> order_list = {1};
static std::vector<int> key_list = {1, 2, 4, 8}, payload_list = {0, 4, 8, 16};
static int cells, below, wrong, rules, steps;
static double logs;

static __device__ u64 mix(u64 x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

enum { UNIFORM, HEAVY, SORTED, RUNS, EQUAL };

template <class K> __global__ void fill(K *x, u64 n, int kind, int bits)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n;
         i += (u64)gridDim.x * blockDim.x) {
        u64 r = mix(i);

        if (kind == HEAVY && mix(i + n) % 10 < 9) /* nine tenths in three buckets */
            r = r >> 16 << 16 | mix(mix(i) % 3 + 7) % 65536;
        if (kind == SORTED)
            r = (u64)((double)i / n * (double)(1ull << bits)) | (r >> 16 << 16);
        if (kind == RUNS)
            r = mix(i / 16);
        if (kind == EQUAL)
            r = 0x1234567;
        x[i] = (K)r;
    }
}

template <class V> __global__ void number(V *v, u64 n)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n;
         i += (u64)gridDim.x * blockDim.x) {
        if constexpr (sizeof(V) == 16) {
            v[i].a = i;
            v[i].b = ~i;
        } else {
            v[i] = (V)i;
        }
    }
}

static __global__ void differ(const u8 *a, const u8 *b, u64 bytes, unsigned long long *bad)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < bytes;
         i += (u64)gridDim.x * blockDim.x)
        if (a[i] != b[i])
            atomicAdd(bad, 1);
}

/* Buckets in order, and a sum over all items that does not depend on their order. */
template <class K, class V>
__global__ void look(const K *k, const V *v, u64 n, u64 mask, int ordered, unsigned long long *out)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n;
         i += (u64)gridDim.x * blockDim.x) {
        u64 h = (u64)k[i];

        if constexpr (sizeof(V) == 16)
            h = mix(h ^ mix(v[i].a ^ v[i].b << 1));
        else if constexpr (sizeof(V) >= 4)
            h = mix(h ^ mix((u64)v[i]));
        atomicAdd(out, mix(h));
        if (ordered && i && ((u64)k[i - 1] & mask) > ((u64)k[i] & mask))
            atomicAdd(out + 1, 1);
    }
}

template <typename F> static double median_us(F run, int rounds)
{
    std::vector<float> ms;
    cudaEvent_t a, b;

    cudaEventCreate(&a), cudaEventCreate(&b);
    for (int r = 0; r < rounds + 2; r++) {
        float t;

        cudaEventRecord(a), run(), cudaEventRecord(b);
        ok(cudaEventSynchronize(b), "run");
        cudaEventElapsedTime(&t, a, b);
        if (r >= 2)
            ms.push_back(t);
    }
    cudaEventDestroy(a), cudaEventDestroy(b);
    std::sort(ms.begin(), ms.end());
    return 1000.0 * ms[ms.size() / 2];
}

template <class T> static T *memory(u64 bytes)
{
    void *p;

    ok(cudaMalloc(&p, bytes ? bytes : 1), "memory");
    return (T *)p;
}

template <class K, class V> struct arrays {
    K *in, *out, *cub;
    V *v_in, *v_out, *v_cub;
    u64 *offsets;
    u8 *work, *temp;
    size_t work_bytes, temp_bytes;
    unsigned long long *sums;
};

template <class K> static cw_type type_of()
{
    return sizeof(K) == 1 ? CW_U8 : sizeof(K) == 2 ? CW_U16 : sizeof(K) == 4 ? CW_U32 : CW_U64;
}

template <class K, class V>
static int is_right(const arrays<K, V> &a, u64 n, int bits, int stable, int pairs)
{
    unsigned long long s[4] = {0, 0, 0, 0};
    const u64 mask = (1ull << bits) - 1;

    ok(cudaMemset(a.sums, 0, 32), "clear");
    if (stable) {
        differ<<<2048, 256>>>((u8 *)a.out, (u8 *)a.cub, n * sizeof(K), a.sums + 1);
        if (pairs)
            differ<<<2048, 256>>>((u8 *)a.v_out, (u8 *)a.v_cub, n * sizeof(V), a.sums + 1);
    } else {
        look<<<2048, 256>>>(a.in, a.v_in, n, mask, 0, a.sums);
        look<<<2048, 256>>>(a.out, a.v_out, n, mask, 1, a.sums + 2);
    }
    ok(cudaMemcpy(s, a.sums, 32, cudaMemcpyDeviceToHost), "sums");
    return stable ? s[1] == 0 : s[0] == s[2] && s[3] == 0;
}

template <class K, class V>
static void cell(arrays<K, V> &a, u64 n, int bits, int stable, const std::string &input)
{
    const int kind = input == "heavy"    ? HEAVY
                     : input == "sorted" ? SORTED
                     : input == "runs"   ? RUNS
                     : input == "equal"  ? EQUAL
                                         : UNIFORM;
    const int pairs = sizeof(V) > 1, rounds = n > 1u << 24 ? 7 : 21;
    const cw_payload payload = {a.v_in, a.v_out, sizeof(V)};
    cw_partition_job job;
    double ours, theirs;
    size_t need;
    int right;

    fill<<<2048, 256>>>(a.in, n, kind, bits);
    theirs = median_us(
        [&]() {
            size_t bytes = a.temp_bytes;

            if constexpr (sizeof(V) > 1)
                ok(cub::DeviceRadixSort::SortPairs(a.temp, bytes, a.in, a.cub, a.v_in, a.v_cub, n,
                                                   0, bits),
                   "cub");
            else
                ok(cub::DeviceRadixSort::SortKeys(a.temp, bytes, a.in, a.cub, n, 0, bits), "cub");
        },
        rounds);
    memset(&job, 0, sizeof job);
    job.type = type_of<K>();
    job.rule = CW_BY_BITS;
    job.flags = stable ? 0 : CW_UNSTABLE;
    job.n = n;
    job.buckets = 1u << bits;
    job.keys_in = a.in;
    job.keys_out = a.out;
    job.payloads = &payload;
    job.payload_count = pairs ? 1 : 0;
    job.offsets = a.offsets;
    good(cw_partition_workspace(&job, &need), "workspace");
    if (need > a.work_bytes) {
        cudaFree(a.work);
        a.work = memory<u8>(need);
        a.work_bytes = need;
    }
    ok(cudaMemset(a.out, 0, n * sizeof(K)), "clear");
    ours = median_us(
        [&]() { good(cw_partition(context, &job, a.work, a.work_bytes, NULL), "run"); }, rounds);
    right = is_right(a, n, bits, stable, pairs);
    cells++, wrong += !right, below += theirs / ours < 0.97, logs += log(theirs / ours);
    printf("%zu,%d,%d,%s,%llu,%s,%.1f,%.1f,%.3f%s\n", sizeof(K), pairs ? (int)sizeof(V) : 0, bits,
           stable ? "stable" : "any", (unsigned long long)n, input.c_str(), ours, theirs,
           theirs / ours, right ? "" : ",WRONG");
    if (steps)
        print_steps(
            [&](struct cw_queue *q) {
                return cw_partition_request(q, &job, CW_SHAPES_LARGE, a.work, 1);
            },
            3, "#  ", 13, -1.0f);
    fflush(stdout);
    if (rules && stable && bits == 8) {
        std::vector<K> cuts(255);

        for (int i = 0; i < 255; i++)
            cuts[i] = (K)((K) ~(K)0 / 256 * (i + 1));
        ok(cudaMemcpy(a.offsets + 512, cuts.data(), 255 * sizeof(K), cudaMemcpyHostToDevice),
           "cuts");
        for (int rule = CW_BY_SPLITTER; rule <= CW_BY_HASH; rule++) {
            job.rule = (cw_rule)rule;
            job.splitters = a.offsets + 512;
            ours = median_us(
                [&]() { good(cw_partition(context, &job, a.work, a.work_bytes, NULL), "run"); },
                rounds);
            printf("# by %s: %.1f us, %.2f of CUB by bits\n",
                   rule == CW_BY_HASH ? "hash" : "splitters", ours, theirs / ours);
        }
    }
}

template <class K, class V> static void all_of()
{
    const int pairs = sizeof(V) > 1;
    const u64 most = *std::max_element(n_list.begin(), n_list.end());
    arrays<K, V> a;

    if (std::find(key_list.begin(), key_list.end(), (int)sizeof(K)) == key_list.end() ||
        std::find(payload_list.begin(), payload_list.end(), pairs ? (int)sizeof(V) : 0) ==
            payload_list.end())
        return;
    a.in = memory<K>(most * sizeof(K)), a.out = memory<K>(most * sizeof(K));
    a.cub = memory<K>(most * sizeof(K));
    a.v_in = memory<V>(pairs ? most * sizeof(V) : 0),
    a.v_out = memory<V>(pairs ? most * sizeof(V) : 0);
    a.v_cub = memory<V>(pairs ? most * sizeof(V) : 0);
    a.offsets = memory<u64>(8 * 65537), a.sums = memory<unsigned long long>(32);
    a.work_bytes = 256, a.work = memory<u8>(256);
    a.temp_bytes = most * (sizeof(K) + (pairs ? sizeof(V) : 0)) + ((size_t)64 << 20);
    a.temp = memory<u8>(a.temp_bytes);
    if constexpr (sizeof(V) > 1)
        number<<<2048, 256>>>(a.v_in, most);
    for (int order : order_list)
        for (int bits : bit_list)
            for (u64 n : n_list)
                for (const std::string &input : input_list)
                    if (bits <= 8 * (int)sizeof(K))
                        cell(a, n, bits, order, input);
    cudaFree(a.in), cudaFree(a.out), cudaFree(a.cub), cudaFree(a.v_in), cudaFree(a.v_out);
    cudaFree(a.v_cub), cudaFree(a.offsets), cudaFree(a.work), cudaFree(a.temp), cudaFree(a.sums);
}

/* ---- routing -------------------------------------------------------------------------------- */

static __global__ void make_labels(int32_t *x, u64 n, int buckets, int drop)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n;
         i += (u64)gridDim.x * blockDim.x)
        x[i] = drop && mix(i + 9) % 8 == 0 ? -1 : (int32_t)(mix(i) % buckets);
}

static int routed_right(const std::vector<int32_t> &x, const std::vector<u32> &index,
                        const std::vector<u32> &inverse, const std::vector<u64> &offsets,
                        const std::vector<u64> &padded, const std::vector<u32> &blocks, int buckets,
                        int choices, int pad)
{
    std::vector<std::vector<u32>> rows(buckets);
    u64 at = 0, up = 0;

    for (size_t i = 0; i < x.size(); i++)
        if (x[i] >= 0)
            rows[x[i]].push_back((u32)i);
        else if (inverse[i] != ~0u)
            return 0;
    for (int b = 0; b < buckets; b++) {
        if (offsets[b] != at || padded[b] != up)
            return 0;
        for (u32 i : rows[b]) {
            if (index[at] != i / choices || inverse[i] != at)
                return 0;
            at++;
        }
        for (u64 u = 0; u < (rows[b].size() + pad - 1) / pad; u++, up += pad)
            if (blocks[up / pad] != (u32)b)
                return 0;
    }
    for (u64 u = up / pad; u < blocks.size(); u++)
        if (blocks[u] != ~0u)
            return 0;
    return offsets[buckets] == at && padded[buckets] == up;
}

/* A graph of 16 routings, one after the other: the time of one, without the host. */
static double in_graph_us(const cw_partition_job *job, void *work, size_t bytes)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    double us;

    ok(cudaStreamCreate(&stream), "stream");
    ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    for (int i = 0; i < 16; i++)
        good(cw_partition(context, job, work, bytes, (cw_stream)stream), "route");
    ok(cudaStreamEndCapture(stream, &graph), "capture");
    ok(cudaGraphInstantiate(&run, graph, 0), "graph");
    us = median_us([&]() { ok(cudaGraphLaunch(run, 0), "graph"); }, 21) / 16;
    cudaGraphExecDestroy(run), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
    return us;
}

/* Of the host, for one call. */
static double host_us(const cw_partition_job *job, void *work, size_t bytes)
{
    const auto begin = std::chrono::steady_clock::now();
    double us;

    for (int i = 0; i < 100; i++)
        good(cw_partition(context, job, work, bytes, NULL), "route");
    us = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() * 1e4;
    ok(cudaDeviceSynchronize(), "route");
    return us;
}

static void route(u64 n, int buckets, int drop)
{
    const int pad = 64, choices = 8;
    const u64 block_count = n / pad + buckets;
    int32_t *const labels = memory<int32_t>(4 * n), *const sorted = memory<int32_t>(4 * n);
    u32 *const index = memory<u32>(4 * n), *const inverse = memory<u32>(4 * n);
    u32 *const numbers = memory<u32>(4 * n), *const order = memory<u32>(4 * n);
    u32 *const blocks = memory<u32>(4 * block_count);
    u32 *const histogram = memory<u32>(4 * buckets);
    u64 *const offsets = memory<u64>(8 * (buckets + 1)), *const padded =
                                                             memory<u64>(8 * (buckets + 1));
    size_t temp_bytes = (size_t)64 << 20, need;
    u8 *const temp = memory<u8>(temp_bytes);
    const int bits = (int)ceil(log2((double)buckets));
    double theirs, both, ours;
    cw_partition_job job;
    void *work;
    int right;

    make_labels<<<1024, 256>>>(labels, n, buckets, drop);
    number<<<1024, 256>>>(numbers, n);
    theirs = median_us(
        [&]() {
            size_t bytes = temp_bytes;

            ok(cub::DeviceRadixSort::SortPairs(temp, bytes, labels, sorted, numbers, order, n, 0,
                                               bits),
               "cub");
        },
        51);
    both = theirs + median_us(
                        [&]() {
                            size_t bytes = temp_bytes;

                            ok(cub::DeviceHistogram::HistogramEven(temp, bytes, labels, histogram,
                                                                   buckets + 1, 0, buckets, (int)n),
                               "histogram");
                        },
                        51);
    memset(&job, 0, sizeof job);
    job.type = CW_I32;
    job.rule = CW_BY_LABEL;
    job.flags = drop ? CW_DROP : 0;
    job.n = n;
    job.buckets = buckets;
    job.keys_in = labels;
    job.index_out = index;
    job.inverse_out = inverse;
    job.index_bytes = 4;
    job.offsets = offsets;
    job.padded = padded;
    job.pad_to = pad;
    job.block_buckets = blocks;
    job.block_count = block_count;
    job.choices = choices;
    good(cw_partition_workspace(&job, &need), "workspace");
    work = memory<u8>(need);
    ours = median_us([&]() { good(cw_partition(context, &job, work, need, NULL), "route"); }, 51);
    {
        std::vector<int32_t> x(n);
        std::vector<u32> i(n), v(n), b(block_count);
        std::vector<u64> o(buckets + 1), p(buckets + 1);

        ok(cudaMemcpy(x.data(), labels, 4 * n, cudaMemcpyDeviceToHost), "read");
        ok(cudaMemcpy(i.data(), index, 4 * n, cudaMemcpyDeviceToHost), "read");
        ok(cudaMemcpy(v.data(), inverse, 4 * n, cudaMemcpyDeviceToHost), "read");
        ok(cudaMemcpy(b.data(), blocks, 4 * block_count, cudaMemcpyDeviceToHost), "read");
        ok(cudaMemcpy(o.data(), offsets, 8 * (buckets + 1), cudaMemcpyDeviceToHost), "read");
        ok(cudaMemcpy(p.data(), padded, 8 * (buckets + 1), cudaMemcpyDeviceToHost), "read");
        right = routed_right(x, i, v, o, p, b, buckets, choices, pad);
    }
    wrong += !right;
    printf("%llu,%d,%s,%.1f,%.1f,%.1f,%.1f,%.1f,%.3f,%s\n", (unsigned long long)n, buckets,
           drop ? "drop" : "all", ours, in_graph_us(&job, work, need), host_us(&job, work, need),
           theirs, both, both / ours, right ? "right" : "WRONG");
    fflush(stdout);
    for (void *p : {(void *)labels, (void *)sorted, (void *)index, (void *)inverse, (void *)numbers,
                    (void *)order, (void *)blocks, (void *)histogram, (void *)offsets,
                    (void *)padded, (void *)temp, work})
        cudaFree(p);
}

template <class T> static std::vector<T> numbers_of(const char *s, int logs_too)
{
    std::vector<T> list;

    while (*s) {
        const int whole = *s == ':';
        char *end;
        const u64 x = strtoull(s + whole, &end, 10);

        list.push_back((T)(logs_too && !whole && x < 40 ? 1ull << x : x));
        s = *end == ',' ? end + 1 : end;
        if (s == end && *s && *s != ':')
            break;
    }
    return list;
}

int main(int argc, char **argv)
{
    int routes = 0;

    for (int i = 1; i < argc; i++) {
        const std::string o = argv[i];

        if (o == "--route")
            routes = 1;
        else if (o == "--rule")
            rules = 1;
        else if (o == "--steps")
            steps = 1;
        else if (i + 1 == argc)
            break;
        else if (o == "--keys")
            key_list = numbers_of<int>(argv[++i], 0);
        else if (o == "--payload")
            payload_list = numbers_of<int>(argv[++i], 0);
        else if (o == "--bits")
            bit_list = numbers_of<int>(argv[++i], 0);
        else if (o == "--n")
            n_list = numbers_of<u64>(argv[++i], 1);
        else if (o == "--order") {
            order_list.clear();
            if (strstr(argv[i + 1], "any"))
                order_list.push_back(0);
            if (strstr(argv[++i], "stable"))
                order_list.push_back(1);
        } else if (o == "--input") {
            input_list.clear();
            for (char *s = strtok(argv[++i], ","); s; s = strtok(NULL, ","))
                input_list.push_back(s);
        }
    }
    good(cw_context_create(CW_CUDA, &context), "context");
    if (routes) {
        printf(
            "n,buckets,labels,us,graph_us,host_us,order_us,order_and_histogram_us,ratio,output\n");
        for (int drop = 0; drop < 2; drop++)
            for (int buckets : {8, 64, 256, 1024})
                for (u64 n : {1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144})
                    if (!drop || n % 32768 == 0)
                        route(n, buckets, drop);
        return wrong != 0;
    }
    printf("key,payload,bits,order,n,input,us,cub_us,ratio\n");
    all_of<u8, none>(), all_of<u8, u32>();
    all_of<u16, none>(), all_of<u16, u32>();
    all_of<u32, none>(), all_of<u32, u32>(), all_of<u32, u64>(), all_of<u32, wide>();
    all_of<u64, none>(), all_of<u64, u32>(), all_of<u64, u64>(), all_of<u64, wide>();
    printf("# %d cells, %d below 0.97, geometric mean %.3f, %d wrong\n", cells, below,
           cells ? exp(logs / cells) : 0, wrong);
    return wrong != 0;
}
