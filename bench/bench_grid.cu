/* bench_grid.cu - cw_sort beside cub::DeviceRadixSort, over the whole grid: width of key and payload, order,
 * n, input.
 *
 *      bench_grid [--quick] [--keys 1,2,4,8] [--payload 0,4,8,16] [--order any,stable] [--n 12,16,20:1000000]
 *                 [--input NAME,..] [--repeats N]
 *
 * Every cell is checked: keys against CUB's, payloads item by item where the order is stable, else as a
 * permutation under which each goes with its key.  Writes CSV: key, payload, order, n, input, us, cub_us,
 * ratio.  Ends with the number of cells below 1, the worst and the geometric mean; exits 1 if an output is
 * wrong.  Memory is taken for the widest keys and payloads that were asked for, as far as the GPU has it.
 */
#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "clearway.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

struct wide {
    u64 a, b;
};

#define CK(x)                                                                           \
    do {                                                                                \
        cudaError_t e_ = (x);                                                           \
        if (e_ != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
            exit(1);                                                                    \
        }                                                                               \
    } while (0)
#define CW(x)                                                                    \
    do {                                                                         \
        if ((x) != CW_OK) {                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cw_last_error()); \
            exit(1);                                                             \
        }                                                                        \
    } while (0)

/* ---- inputs --------------------------------------------------------------------------------- */

static const char *const inputs[] = {"uniform", "power",  "heavy3", "times", "ids",    "sorted",
                                     "reverse", "nearly", "equal",  "few16", "narrow", "stairs",
                                     "saw",     "organ",  "splat",  "gauss", "zipf"};

__device__ u64 mix(u64 x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* Key i of n, as 64 bits of which a key of fewer bits takes the upper ones, or the lower ones where the value is a
 * number (`low`). */
__device__ u64 make(int kind, u64 i, u64 n, u32 bits, u64 seed)
{
    const u64 r = mix(i * 2 + seed), s = mix(i * 2 + 1 + seed);
    const u64 most = bits == 64 ? ~0ull : (1ull << bits) - 1;

    switch (kind) {
    case 1: { /* power law: rank = n^u, many small numbers */
        const double u = (double)(r >> 11) / 9007199254740992.0;
        return (u64)exp(u * log((double)n)) & most;
    }
    case 2: /* nine tenths in three values */
        return s % 10 < 9 ? (mix(s % 3 + 77) & most) : (r & most);
    case 3: /* time stamps: they rise, with a jitter */
        return (1700000000ull + i / 1000 + r % 64) & most;
    case 4:
        return (r % n) & most;
    case 5:
        return bits < 64 ? (u64)((double)i / n * most) : i * (~0ull / n);
    case 6:
        return bits < 64 ? (u64)((double)(n - 1 - i) / n * most) : (n - 1 - i) * (~0ull / n);
    case 7: /* one in a thousand anywhere */
        return s % 1000 == 0 ? (r & most)
               : bits < 64   ? (u64)((double)i / n * most)
                             : i * (~0ull / n);
    case 8:
        return 0x123456789abcdefull & most;
    case 9:
        return (mix(r % 16 + 5) & most);
    case 10: /* a narrow range far from 0 */
        return (most / 3 + r % 4096) & most;
    case 11: /* stairs: steps of a few thousand equal keys */
        return (mix(i / 3000) & most);
    case 12:
        return (i % 1000) & most;
    case 13:
        return (i < n / 2 ? i : n - 1 - i) & most;
    case 14: /* a splat's frame: tile and depth, 45 bits */
        return ((r % 8160) << 32 | (0x3f800000u + (s & 0xffffff))) & most;
    case 15: { /* floats of a normal distribution, as their bits in order */
        float u = ((float)(r >> 40) + 1) / 16777217.0f, v = (float)(s >> 40) / 16777216.0f;
        float g = sqrtf(-2 * logf(u)) * cospif(2 * v);
        u32 b = __float_as_uint(g);
        b = b >> 31 ? ~b : b | 0x80000000u;
        return bits >= 32 ? b : b >> (32 - bits);
    }
    case 16: { /* numbers by Zipf's law, P(x) ~ x^-1.2 */
        const double u = ((double)(r >> 11) + 1.0) / 9007199254740992.0;
        return (u64)fmin(pow(u, -5.0), 1e9) & most;
    }
    default:
        return r & most;
    }
}

template <class K> __global__ void fill(K *x, u64 n, int kind, u64 seed)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n;
         i += (u64)gridDim.x * blockDim.x)
        x[i] = (K)make(kind, i, n, 8 * sizeof(K), seed);
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

/* ---- the check ------------------------------------------------------------------------------ */

template <class K> __global__ void check_keys(const K *a, const K *b, u64 n, u64 *bad)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n;
         i += (u64)gridDim.x * blockDim.x) {
        if (a[i] != b[i])
            atomicAdd((unsigned long long *)bad, 1ull);
    }
}

template <class V> __device__ u64 number_of(V v)
{
    if constexpr (sizeof(V) == 16)
        return v.b == ~v.a ? v.a : ~0ull;
    else
        return (u64)v;
}

template <class K, class V>
__global__ void check_values(const K *in, const K *keys, const V *v, const V *ref, u64 n,
                             int stable, u32 *seen, u64 *bad)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n;
         i += (u64)gridDim.x * blockDim.x) {
        const u64 x = number_of(v[i]);
        int wrong = x >= n || in[x < n ? x : 0] != keys[i];

        if (!wrong)
            wrong = atomicOr(seen + x / 32, 1u << x % 32) >> x % 32 & 1;
        if (stable && x != number_of(ref[i]))
            wrong = 1;
        if (wrong)
            atomicAdd((unsigned long long *)bad, 1ull);
    }
}

/* ---- a cell --------------------------------------------------------------------------------- */

static cudaStream_t stream;
static cw_context *context;
static u64 cells, below, wrong;
static double logs, worst = 1e9;
static std::string worst_name;
static u64 most_bytes;
static char *memory; /* one allocation for all arrays */
static u64 *bad;
static int repeats = 9;

template <class F> static float median(F f, float guess_us)
{
    const int inner = guess_us < 40 ? 20 : guess_us < 400 ? 8 : 2;
    cudaEvent_t a, b;
    std::vector<float> t;

    CK(cudaEventCreate(&a));
    CK(cudaEventCreate(&b));
    f();
    for (int r = 0; r < repeats; r++) {
        CK(cudaEventRecord(a, stream));
        for (int k = 0; k < inner; k++)
            f();
        CK(cudaEventRecord(b, stream));
        CK(cudaEventSynchronize(b));
        float ms;
        CK(cudaEventElapsedTime(&ms, a, b));
        t.push_back(ms * 1000 / inner);
    }
    cudaEventDestroy(a);
    cudaEventDestroy(b);
    std::sort(t.begin(), t.end());
    return t[t.size() / 2];
}

struct place {
    char *at;
    template <class T> T *take(u64 n)
    {
        T *const p = (T *)at;

        at += (n * sizeof(T) + 255) / 256 * 256;
        if (at > memory + most_bytes) {
            fprintf(stderr, "not enough memory\n");
            exit(1);
        }
        return p;
    }
};

template <class K, class V, bool HAS> static void cell(u64 n, int kind, int stable, u32 bits)
{
    place p = {memory};
    K *in = p.take<K>(n), *out = p.take<K>(n), *ref = p.take<K>(n);
    V *vin = p.take<V>(HAS ? n : 0), *vout = p.take<V>(HAS ? n : 0), *vref = p.take<V>(HAS ? n : 0);
    u32 *seen = p.take<u32>(n / 32 + 1);
    const u32 blocks = (u32)std::min<u64>((n + 255) / 256, 4096);
    size_t ours = 0, theirs = 0;
    u64 count = 0;
    cw_array job = {};

    fill<K><<<blocks, 256, 0, stream>>>(in, n, kind, 12345 + n);
    if (HAS)
        number<V><<<blocks, 256, 0, stream>>>(vin, n);
    job.type = sizeof(K) == 1 ? CW_U8 : sizeof(K) == 2 ? CW_U16 : sizeof(K) == 4 ? CW_U32 : CW_U64;
    job.flags = stable ? CW_STABLE : 0;
    job.n = n;
    job.keys_in = in;
    job.keys_out = out;
    job.bits = bits == 8 * sizeof(K) ? 0 : bits;
    if (HAS) {
        job.values_in = vin;
        job.values_out = vout;
        job.value_bytes = sizeof(V);
    }
    CW(cw_sort_workspace(&job, &ours));
    void *work = p.take<char>(ours);
    auto cub_sort = [&](void *temp) {
        if constexpr (HAS)
            CK(cub::DeviceRadixSort::SortPairs(temp, theirs, in, ref, vin, vref, (int64_t)n, 0,
                                               (int)bits, stream));
        else
            CK(cub::DeviceRadixSort::SortKeys(temp, theirs, in, ref, (int64_t)n, 0, (int)bits,
                                              stream));
    };
    cub_sort(nullptr);
    void *temp = p.take<char>(theirs);
    const float guess = (float)n * (sizeof(K) + (HAS ? sizeof(V) : 0)) * sizeof(K) / 5e5f + 20;
    const float cub = median([&] { cub_sort(temp); }, guess);

    CK(cudaMemsetAsync(out, 0x5a, n * sizeof(K), stream));
    CK(cudaMemsetAsync(seen, 0, 4 * (n / 32 + 1), stream));
    CK(cudaMemsetAsync(bad, 0, 8, stream));
    const float us = median([&] { CW(cw_sort(context, &job, work, ours, stream)); }, guess);
    check_keys<K><<<blocks, 256, 0, stream>>>(out, ref, n, bad);
    if (HAS)
        check_values<K, V><<<blocks, 256, 0, stream>>>(in, out, vout, vref, n, stable, seen, bad);
    CK(cudaMemcpyAsync(&count, bad, 8, cudaMemcpyDeviceToHost, stream));
    CK(cudaStreamSynchronize(stream));
    const double ratio = cub / us;
    char name[128];
    snprintf(name, sizeof name, "u%zu,%zu,%s,%llu,%s", 8 * sizeof(K), HAS ? sizeof(V) : (size_t)0,
             stable ? "stable" : "any", (unsigned long long)n, inputs[kind]);
    printf("%s,%.2f,%.2f,%.3f%s\n", name, us, cub, ratio, count ? ",WRONG" : "");
    fflush(stdout);
    cells++;
    below += ratio < 0.97;
    wrong += count != 0;
    logs += log(ratio);
    if (ratio < worst) {
        worst = ratio;
        worst_name = name;
    }
}

/* ---- the grid ------------------------------------------------------------------------------- */

static std::vector<std::string> words(const char *s)
{
    std::vector<std::string> out;

    for (const char *p = s; *p;) {
        const char *e = strchr(p, ',');
        out.push_back(e ? std::string(p, e) : std::string(p));
        p = e ? e + 1 : p + strlen(p);
    }
    return out;
}

static bool has(const std::vector<std::string> &v, const std::string &x)
{
    return v.empty() || std::find(v.begin(), v.end(), x) != v.end();
}

static std::vector<std::string> want_keys, want_payload, want_order, want_input;
static std::vector<u64> want_n;

template <class K, class V, bool HAS> static void cells_of(void)
{
    if (!has(want_keys, std::to_string(sizeof(K))) ||
        !has(want_payload, std::to_string(HAS ? sizeof(V) : 0)))
        return;
    for (u64 n : want_n)
        for (int stable = 0; stable < (HAS ? 2 : 1); stable++)
            for (int kind = 0; kind < (int)(sizeof inputs / sizeof *inputs); kind++) {
                const bool splat = !strcmp(inputs[kind], "splat");
                if (!has(want_order, stable ? "stable" : "any") || !has(want_input, inputs[kind]))
                    continue;
                if (splat && sizeof(K) < 8)
                    continue;
                cell<K, V, HAS>(n, kind, stable, splat ? 45 : 8 * sizeof(K));
            }
}

template <class K> static void payloads_of(void)
{
    cells_of<K, u32, false>();
    cells_of<K, u32, true>();
    cells_of<K, u64, true>();
    cells_of<K, wide, true>();
}

/* Bytes of all arrays of a cell with so many items. */
static u64 bytes_for(u64 most)
{
    size_t room, all;
    u64 widest = 0;

    for (u64 key : {1, 2, 4, 8})
        for (u64 payload : {0, 4, 8, 16})
            if (has(want_keys, std::to_string(key)) && has(want_payload, std::to_string(payload)))
                widest = std::max(widest, key + payload);
    CK(cudaMemGetInfo(&room, &all));
    return std::min<u64>(most * widest * 8 + (512ull << 20), room - (256ull << 20));
}

int main(int argc, char **argv)
{
    const char *ns = "12,14,16,18,20,22,24,26";

    for (int i = 1; i < argc; i++) {
        const char *const next = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--quick")) {
            want_input = words("uniform,power,heavy3,times,ids");
            repeats = 5;
            continue;
        }
        if (!strcmp(argv[i], "--keys"))
            want_keys = words(next);
        else if (!strcmp(argv[i], "--payload"))
            want_payload = words(next);
        else if (!strcmp(argv[i], "--order"))
            want_order = words(next);
        else if (!strcmp(argv[i], "--input"))
            want_input = words(next);
        else if (!strcmp(argv[i], "--n"))
            ns = next;
        else if (!strcmp(argv[i], "--repeats"))
            repeats = atoi(next);
        else {
            fprintf(stderr, "bench_grid: what is %s?\n", argv[i]);
            return 2;
        }
        i++;
    }
    u64 most = 0;
    for (const std::string &w : words(ns)) {
        const u64 x = strtoull(w.c_str(), nullptr, 10);
        want_n.push_back(x < 64 ? 1ull << x : x);
        most = std::max(most, want_n.back());
    }
    CK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CW(cw_context_create(CW_CUDA, &context));
    most_bytes = bytes_for(most);
    CK(cudaMalloc(&memory, most_bytes));
    CK(cudaMalloc(&bad, 8));
    printf("key,payload,order,n,input,us,cub_us,ratio\n");
    payloads_of<u32>();
    payloads_of<u64>();
    payloads_of<u8>();
    payloads_of<u16>();
    fprintf(stderr,
            "%llu cells, %llu below 0.97, worst %.3f (%s), geometric mean %.3f, %llu wrong\n",
            (unsigned long long)cells, (unsigned long long)below, worst, worst_name.c_str(),
            exp(logs / cells), (unsigned long long)wrong);
    return wrong != 0;
}
