/* bench_plan.cu - offline plans on a GPU, against a naive gather, a naive scatter and a copy.
 *
 *      bench_plan [-b BYTES] [-m MAP] [-p PASSES] [-t TILE] LOG2N ..
 *
 * MAP: random, transpose, reversal, rotation, backwards, affine, ragged, identity, shuffle (perfect), blocks (of 2^10
 * items, anywhere), halves (the second one random); all of them if none, or all, is said.  -p and -t ask for so many passes and items of a tile instead of what is best.  CSV; each
 * line has its peers in the same run.  Medians of 9 by events, outputs checked.  The columns
 * pass1 .. pass3 are single launches, by events around each.
 */
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include "clearway.h"
#include "backend/cuda/device.h"

extern "C" {
#include "offline/plan.h"
#include "transpose/plan.h"
}

#include "origin.h"

#define RUNS 9

static void must(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "bench_plan: %s: %s; %s\n", what, cw_last_error(),
                cudaGetErrorString(cudaGetLastError()));
        exit(1);
    }
}

/* ---- peers and checks ----------------------------------------------------------------------- */

template <class T> __global__ void scatter(const T *in, T *out, const uint32_t *p, uint32_t n)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[p[i]] = in[i];
}

template <class T> __global__ void gather(const T *in, T *out, const uint32_t *p, uint32_t n)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[p[i]];
}

static __global__ void copy16(const uint4 *in, uint4 *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i];
}

static __global__ void fill(uint32_t *x, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        x[i] = (uint32_t)i * 2654435761u ^ (uint32_t)(i >> 11);
}

template <class T>
__global__ void compare(const T *in, const T *out, const uint32_t *p, uint32_t n, uint32_t *wrong)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        const unsigned char *const a = (const unsigned char *)&in[i];
        const unsigned char *const b = (const unsigned char *)&out[p[i]];

        for (unsigned k = 0; k < sizeof(T); k++)
            if (a[k] != b[k])
                atomicAdd(wrong, 1u);
    }
}

/* ---- maps ----------------------------------------------------------------------------------- */

static uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* A keyed bijection of numbers of so many bits: four rounds of an unbalanced Feistel network. */
static uint32_t shuffled(uint32_t x, int bits)
{
    int low = bits / 2, high = bits - low;

    for (uint32_t round = 0; round < 6; round++) {
        const uint32_t l = x & ((1u << low) - 1), h = x >> low;
        const uint32_t f = h ^ (mix(l + round * 0x9e3779b9u) & ((1u << high) - 1));

        x = l << high | f; /* the halves change places, and so do their sizes */
        std::swap(low, high);
    }
    return x;
}

static uint32_t reversed(uint32_t x, int bits)
{
    uint32_t r = 0;

    for (int k = 0; k < bits; k++)
        r |= (x >> k & 1u) << (bits - 1 - k);
    return r;
}

static uint64_t size_of(const char *map, int bits)
{
    if (!strcmp(map, "ragged")) { /* 16381 x 16411 around 2^28 */
        const uint64_t side = (uint64_t)1 << bits / 2;

        return (side - 3) * (side + 27);
    }
    return (uint64_t)1 << bits;
}

static void make_map(const char *map, int bits, std::vector<uint32_t> &p)
{
    const int64_t n = (int64_t)p.size();
    const int64_t columns = ((int64_t)1 << bits / 2) + 27, rows = n / columns;

    for (int64_t i = 0; i < n; i++) {
        const uint32_t x = (uint32_t)i;

        if (!strcmp(map, "random"))
            p[i] = shuffled(x, bits);
        else if (!strcmp(map, "transpose"))
            p[i] = (x << bits / 2 | x >> (bits - bits / 2)) & (uint32_t)(n - 1);
        else if (!strcmp(map, "reversal"))
            p[i] = reversed(x, bits);
        else if (!strcmp(map, "rotation"))
            p[i] = (uint32_t)((i + 12345) % n);
        else if (!strcmp(map, "backwards"))
            p[i] = (uint32_t)(n - 1 - i);
        else if (!strcmp(map, "affine"))
            p[i] = (reversed(x ^ x << 3 & (uint32_t)(n - 1), bits) ^ 5u);
        else if (!strcmp(map, "identity"))
            p[i] = x;
        else if (!strcmp(map, "shuffle"))
            p[i] = i < n / 2 ? 2 * x : 2 * (x - (uint32_t)(n / 2)) + 1;
        else if (!strcmp(map, "blocks"))
            p[i] = shuffled(x >> 10, bits - 10) << 10 | (x & 1023);
        else if (!strcmp(map, "halves"))
            p[i] = i < n / 2 ? x : (uint32_t)(n / 2) + shuffled(x - (uint32_t)(n / 2), bits - 1);
        else
            p[i] = (uint32_t)(i % columns * rows + i / columns);
    }
}

/* ---- time ----------------------------------------------------------------------------------- */

template <class F> static float median(F work)
{
    cudaEvent_t a, b;
    std::vector<float> ms;

    cudaEventCreate(&a);
    cudaEventCreate(&b);
    for (int r = -2; r < RUNS; r++) {
        float t = 0;

        cudaEventRecord(a);
        work();
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        cudaEventElapsedTime(&t, a, b);
        if (r >= 0)
            ms.push_back(t);
    }
    cudaEventDestroy(a);
    cudaEventDestroy(b);
    std::sort(ms.begin(), ms.end());
    return ms[RUNS / 2];
}

/* A queue with events around each launch. */
static struct {
    cw_status (*launch)(struct cw_queue *q, const struct cw_launch *l);
    cudaEvent_t at[8];
    int count;
} timed;

static cw_status launch_timed(struct cw_queue *q, const struct cw_launch *l)
{
    const cw_status status = timed.launch(q, l);

    cudaEventRecord(timed.at[++timed.count]);
    return status;
}

struct options {
    int bytes;
    const char *map;
    struct cw_plan_wish wish;
};

template <class T> static void run(const options &o, const char *map, int bits)
{
    const uint32_t n = (uint32_t)size_of(map, bits);
    std::vector<uint32_t> p(n);
    cw_context *context;
    cw_plan *plan;
    void *in, *out, *table, *index, *wrong, *workspace;
    size_t bytes = (size_t)n * sizeof(T), workspace_bytes;
    uint32_t bad = 0;
    float pass[3] = {0, 0, 0};

    make_map(map, bits, p);
    must(cw_context_create(CW_CUDA, &context) == CW_OK, "context");
    const auto begin = std::chrono::steady_clock::now();
    must(cw_plan_make(p.data(), 4, n, sizeof(T), 0, 0, &o.wish, &plan) == CW_OK, "plan");
    const double make =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    must(cw_plan_workspace(plan, &workspace_bytes) == CW_OK, "workspace");
    must(!cw_memory_alloc(context, bytes, &in) && !cw_memory_alloc(context, bytes, &out) &&
             !cw_memory_alloc(context, (size_t)n * 4, &index) &&
             !cw_memory_alloc(context, 4, &wrong) &&
             !cw_memory_alloc(context, workspace_bytes, &workspace) &&
             !cw_memory_alloc(context, cw_plan_table_bytes(plan), &table),
         "memory");
    must(!cw_memory_write(context, index, p.data(), (size_t)n * 4), "index");
    must(!cw_plan_write_table(context, plan, table), "table");
    fill<<<4096, 256>>>((uint32_t *)in, bytes / 4);
    cudaMemset(out, 0xff, bytes);
    cudaMemset(wrong, 0, 4);

    const float ms = median([&] {
        must(!cw_plan_execute(context, plan, table, in, out, workspace, workspace_bytes, NULL),
             "execute");
    });
    compare<<<(n + 255) / 256, 256>>>((const T *)in, (const T *)out, (const uint32_t *)index, n,
                                      (uint32_t *)wrong);
    cudaMemcpy(&bad, wrong, 4, cudaMemcpyDeviceToHost);

    {
        struct cw_cuda_queue q;
        uint32_t processors;
        int device;

        must(!cw_cuda_open(&device, &processors), "device");
        cw_cuda_queue_begin(&q, NULL, processors);
        timed.launch = q.queue.launch;
        q.queue.launch = launch_timed;
        timed.count = 0;
        cudaEventRecord(timed.at[0]);
        cw_transpose_job job;

        (void)(cw_plan_transposes(plan, in, out, &job)
                   ? cw_transpose_enqueue(&q.queue, &job, 1, NULL, 0)
                   : cw_plan_queue(plan, (const unsigned char *)table, in, out, workspace,
                                   &q.queue));
        cudaDeviceSynchronize();
        for (int k = 0; k < timed.count && k < 3; k++)
            cudaEventElapsedTime(&pass[k], timed.at[k], timed.at[k + 1]);
    }
    const float g = median([&] {
        gather<<<(n + 255) / 256, 256>>>((const T *)in, (T *)out, (const uint32_t *)index, n);
    });
    const float s = median([&] {
        scatter<<<(n + 255) / 256, 256>>>((const T *)in, (T *)out, (const uint32_t *)index, n);
    });
    const float c = median([&] {
        copy16<<<(unsigned)((bytes / 16 + 255) / 256), 256>>>((const uint4 *)in, (uint4 *)out,
                                                              bytes / 16);
    });
    const double item = n * 1e-6;

    printf("%s%u,%zu,%s,%s,%u,%.4f,%.1f,%.1f,%.1f,%.1f,%.2f,%.2f,%.3f,%.1f,%.4f,%.4f,%.4f,%s\n",
           origin(), n, sizeof(T), map, cw_plan_kind(plan),
           plan->way == CW_PLAN_PASSES ? plan->tile : 0, ms, item / ms, item / g, item / s,
           item / c, g / ms, s / ms, c / ms, make * 1e9 / n, pass[0], pass[1], pass[2],
           bad ? "WRONG" : "right");
    fflush(stdout);
    cw_memory_free(context, in);
    cw_memory_free(context, out);
    cw_memory_free(context, index);
    cw_memory_free(context, wrong);
    cw_memory_free(context, workspace);
    cw_memory_free(context, table);
    cw_plan_destroy(plan);
    cw_context_destroy(context);
    must(cudaDeviceSynchronize() == cudaSuccess, "end");
}

static void run_bytes(const options &o, const char *map, int bits)
{
    if (o.bytes == 1)
        run<uint8_t>(o, map, bits);
    else if (o.bytes == 2)
        run<uint16_t>(o, map, bits);
    else if (o.bytes == 8)
        run<uint2>(o, map, bits);
    else if (o.bytes == 12)
        run<uint3>(o, map, bits);
    else if (o.bytes == 16)
        run<uint4>(o, map, bits);
    else
        run<uint32_t>(o, map, bits);
}

int main(int argc, char **argv)
{
    static const char *const maps[] = {"random",    "transpose", "reversal", "rotation",
                                       "backwards", "affine",    "ragged",   "identity",
                                       "shuffle",   "blocks",    "halves"};
    options o = {4, NULL, {0, 0, 0, 0}};

    for (auto &e : timed.at)
        cudaEventCreate(&e);
    printf(ORIGIN_HEAD
           "n,bytes,map,kind,tile,ms,gelem_s,gather,scatter,copy,x_gather,x_scatter,x_copy,make_ns,"
           "pass1,pass2,pass3,check\n");
    for (int a = 1; a < argc; a++) {
        if (argv[a][0] == '-' && a + 1 < argc) {
            const char option = argv[a++][1];

            if (option == 'm') {
                o.map = strcmp(argv[a], "all") ? argv[a] : NULL;
            } else if (option == 'b') {
                o.bytes = atoi(argv[a]);
            } else if (option == 'p') { /* 0: a gather */
                o.wish.table = 1;
                o.wish.gather = atoi(argv[a]) ? -1 : 1;
                o.wish.partitions = (uint32_t)atoi(argv[a]);
            } else if (option == 't') {
                o.wish.tile = (uint32_t)atoi(argv[a]);
            }
            continue;
        }
        for (const char *map : maps) {
            if (!o.map || !strcmp(o.map, map))
                run_bytes(o, map, atoi(argv[a]));
        }
    }
    return 0;
}
