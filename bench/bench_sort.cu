/* bench_sort.cu - the whole-device sort against CUB's radix sort, on the same keys in one run.
 *
 *      bench_sort [-t] [-a] [-e u32|u64|p32] [-x log2 of the largest n, 28]
 *
 * For every type (p32: pairs of u32, in any order of equals, then stable) and input: Gkey/s of
 * Clearway and of CUB, and their ratio; medians of 5, events.  Every output of Clearway is checked:
 * ascending, the items of the input by a sum that the order does not change, equal keys in the order
 * of the input for stable sorts.  -t: the time of every launch, too.  -a: all inputs and sizes.
 *
 * Compiled five times, with SORT_U32, SORT_U64, SORT_U64_ROWS, SORT_P32 for the kernels of a type,
 * and with none for the program.
 */
#if defined(SORT_U32)
#include "dev/kernel.h"
#define KEY_LOG      2
#define GRID_NAME(x) cw_grid_u32_##x
#define GRID_ITEMS   8
#define TILE_PER     12
#define GRID_BLOCKS  3
#define GRID_RING    67584u
#include "kernels/grid_kernels.h"
#include "kernels/grid_row_kernels.h"
#elif defined(SORT_U64)
#include "dev/kernel.h"
#define KEY_LOG      3
#define GRID_NAME(x) cw_grid_u64_##x
#define GRID_ITEMS   4
#define GRID_BLOCKS  3
#define GRID_RING    67584u
#include "kernels/grid_kernels.h"
#elif defined(SORT_U64_ROWS)
#include "dev/kernel.h"
#define KEY_LOG      2
#define ROW_WIDE     1
#define GRID_NAME(x) cw_grid_u64_##x
#include "kernels/grid_row_kernels.h"
#elif defined(SORT_P32)
#include "dev/kernel.h"
#define KEY_LOG      2
#define GRID_VALUES  4
#define GRID_NAME(x) cw_grid_p32_##x
#define GRID_THREADS 1024u
#define GRID_ITEMS   4
#define GRID_BLOCKS  1
#define GRID_RING    135168u
#include "kernels/grid_kernels.h"
#include "kernels/grid_row_kernels.h"
#else
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>

#include <cub/cub.cuh>

#include "kernels/grid_table.h"

struct grid_rows_job {
    struct grid_job job;
    uint32_t which, one, alone;
};

#define TABLE_OF(type)                                            \
    extern "C" void cw_grid_##type##_table(struct grid_table *t); \
    extern "C" void cw_grid_##type##_row_table(struct grid_table *t);
TABLE_OF(u32)
TABLE_OF(u64)
TABLE_OF(p32)

struct engine : grid_table {
    const char *name;
};

static void ok(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "bench_sort: %s: %s\n", what, cudaGetErrorString(status));
        exit(1);
    }
}

/* -- inputs ----------------------------------------------------------------------------------- */

enum { UNIFORM, EQUAL, TWO, SORTED, REVERSE, HEAVY, ZIPF, TOP_EQUAL, LOW_EQUAL, INPUTS };
static const char *const input_name[] = {"uniform", "equal",        "two values",
                                         "sorted",  "reverse",      "one heavy bucket",
                                         "zipf",    "equal top 16", "equal low 16"};

static __device__ __host__ uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

template <typename K> static __global__ void fill(K *keys, uint32_t *values, uint64_t n, int input)
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
        if (input == TOP_EQUAL)
            x = (x & (K)((K) ~(K)0 >> 16)) | (K)0xabcd << (bits - 16);
        if (input == LOW_EQUAL)
            x = (x & ~(K)0xffff) | 0x1234;
        keys[i] = x;
        if (values)
            values[i] = (uint32_t)i;
    }
}

template <typename K>
static __global__ void check(const K *keys, const uint32_t *values, uint64_t n, int order,
                             int stable, unsigned long long *out)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    unsigned long long sum = 0, bad = 0;

    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) {
        const uint64_t v = values ? values[i] : 0;
        sum += mix((uint64_t)keys[i] ^ mix(v));
        if (order && i + 1 < n)
            bad += keys[i] > keys[i + 1] ||
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

static void launch(const struct engine *e, const struct grid_plan *p, int i)
{
    const struct grid_step *const s = &p->step[i];
    const int row = s->kernel == GRID_ROW_SORT_0 || s->kernel == GRID_ROW_SORT_1;
    const int log = p->row_log + (s->kernel == GRID_ROW_SORT_1);
    struct grid_rows_job rows;
    void *args[1];

    memset(&rows, 0, sizeof rows);
    rows.job = p->job;
    rows.job.level = s->level;
    rows.which = s->kernel == GRID_ROW_SORT_1;
    rows.one = 1;
    rows.alone = p->steps == 1;
    args[0] = &rows; /* a job is how it begins */
    if (row)
        ok(cudaLaunchKernel(e->row[log - 10], dim3(s->blocks), dim3(1u << (log - 5)), args,
                            e->row_shared[log - 10], 0),
           "launch");
    else
        ok(cudaLaunchKernel(e->kernel[s->kernel], dim3(s->blocks), dim3(e->threads[s->kernel]),
                            args, e->shared[s->kernel], 0),
           "launch");
}

static void plan(const struct engine *e, struct grid_plan *p, const struct data *d, uint64_t n,
                 int stable)
{
    struct grid_task t;

    memset(&t, 0, sizeof t);
    t.n = n;
    t.key_bytes = e->key_bytes;
    t.value_bytes = e->value_bytes;
    t.stable = stable;
    t.processors = 132;
    t.round_items = e->round_items;
    t.move_blocks = e->move_blocks;
    t.row_threads = e->row_threads;
    grid_plan(p, &t, (uint64_t)d->work);
    if (p->bytes > d->work_bytes)
        fprintf(stderr, "workspace %llu > %llu\n", (unsigned long long)p->bytes,
                (unsigned long long)d->work_bytes),
            exit(1);
    p->job.in = d->in;
    p->job.out = d->out;
    p->job.in_values = d->in_values;
    p->job.out_values = d->out_values;
}

static void cub_sort(const struct engine *e, struct data *d, uint64_t n)
{
    size_t bytes = d->cub_bytes;

    if (e->value_bytes)
        ok(cub::DeviceRadixSort::SortPairs(d->cub, bytes, (const uint32_t *)d->in,
                                           (uint32_t *)d->out, d->in_values, d->out_values, n),
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

static void sum(const struct engine *e, const struct data *d, uint64_t n, int of_out, int stable,
                unsigned long long *sums)
{
    const void *const keys = of_out ? d->out : d->in;
    const uint32_t *const values = e->value_bytes ? of_out ? d->out_values : d->in_values : NULL;

    ok(cudaMemset(d->sums, 0, 16), "memset");
    if (e->key_bytes == 4)
        check<<<1056, 256>>>((const uint32_t *)keys, values, n, of_out, stable, d->sums);
    else
        check<<<1056, 256>>>((const uint64_t *)keys, values, n, of_out, stable, d->sums);
    ok(cudaMemcpy(sums, d->sums, 16, cudaMemcpyDeviceToHost), "check");
}

static const char *const step_name[] = {"begin", "count",   "order", "split", "move",
                                        "tiles", "crowded", "mids",  "rows0", "rows1"};

static double one(const struct engine *e, struct data *d, uint64_t n, int input, int stable,
                  int steps, double cub)
{
    struct grid_plan p;
    unsigned long long a[2], b[2];
    const int inner = n <= 1 << 22 ? 20 : 1;
    double ms;

    plan(e, &p, d, n, stable);
    ok(cudaMemset(d->out, 0xa5, n * e->key_bytes), "memset");
    for (int i = 0; i < p.steps; i++)
        launch(e, &p, i);
    ok(cudaDeviceSynchronize(), "sort");
    sum(e, d, n, 0, 0, a);
    sum(e, d, n, 1, stable, b);
    if (a[0] != b[0] || b[1])
        printf("WRONG: %s n %llu %s stable %d: sums %s, %llu descents\n", e->name,
               (unsigned long long)n, input_name[input], stable, a[0] == b[0] ? "agree" : "differ",
               b[1]);
    if (p.steps > 1 && steps) {
        struct grid_state s;

        ok(cudaMemcpy(&s, p.job.state, sizeof s, cudaMemcpyDeviceToHost), "state");
        printf("    rows of 2^%d: %u %u mids %u; parts, chunks, crowded", p.row_log, s.rows[0],
               s.rows[1], s.mids);
        for (unsigned l = 0; l < p.job.levels; l++)
            printf("  %u %u %u", s.level[l].parts, s.level[l].chunks, s.level[l].crowded);
        printf("\n");
    }
    ms = median_ms(
        [&]() {
            for (int i = 0; i < p.steps; i++)
                launch(e, &p, i);
        },
        5, inner);
    printf("%-5s%s 2^%-4.1f %-17s %8.4f ms %7.1f Gkey/s  cub %7.1f  ratio %.2f\n", e->name,
           stable ? "s" : " ", log2((double)n), input_name[input], ms, n / ms / 1e6,
           cub > 0 ? n / cub / 1e6 : 0.0, cub > 0 ? cub / ms : 0.0);
    if (steps) {
        std::vector<cudaEvent_t> ev(p.steps + 1);
        float t;

        for (auto &x : ev)
            cudaEventCreate(&x);
        for (int r = 0; r < 2; r++) {
            cudaEventRecord(ev[0]);
            for (int i = 0; i < p.steps; i++)
                launch(e, &p, i), cudaEventRecord(ev[i + 1]);
            ok(cudaDeviceSynchronize(), "steps");
        }
        printf("   ");
        for (int i = 0; i < p.steps; i++) {
            cudaEventElapsedTime(&t, ev[i], ev[i + 1]);
            printf(" %s%u %.3f", step_name[p.step[i].kernel], p.step[i].level, t);
        }
        printf("\n");
        for (auto &x : ev)
            cudaEventDestroy(x);
    }
    fflush(stdout);
    return ms;
}

static void case_of(const struct engine *e, struct data *d, uint64_t n, int input, int steps,
                    int with_cub)
{
    double cub = 0;

    if (e->key_bytes == 4)
        fill<<<1056, 256>>>((uint32_t *)d->in, d->in_values, n, input);
    else
        fill<<<1056, 256>>>((uint64_t *)d->in, (uint32_t *)NULL, n, input);
    ok(cudaDeviceSynchronize(), "fill");
    if (with_cub)
        cub = median_ms([&]() { cub_sort(e, d, n); }, 5, n <= 1 << 22 ? 20 : 1);
    one(e, d, n, input, 0, steps, cub);
    if (e->value_bytes)
        one(e, d, n, input, 1, steps, cub);
}

int main(int argc, char **argv)
{
    const char *only = NULL;
    int steps = 0, all = 0, most = 28;
    struct data d;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-t"))
            steps = 1;
        else if (!strcmp(argv[i], "-a"))
            all = 1;
        else if (!strcmp(argv[i], "-e"))
            only = argv[++i];
        else if (!strcmp(argv[i], "-x"))
            most = atoi(argv[++i]);
    }
    const uint64_t n = 1ull << most;
    d.work_bytes = 8 * n + (64u << 20);
    d.cub_bytes = 8 * n + (256u << 20);
    ok(cudaMalloc(&d.in, 8 * n), "memory");
    ok(cudaMalloc(&d.out, 8 * n), "memory");
    ok(cudaMalloc(&d.in_values, 4 * n), "memory");
    ok(cudaMalloc(&d.out_values, 4 * n), "memory");
    ok(cudaMalloc(&d.work, d.work_bytes), "memory");
    ok(cudaMalloc(&d.cub, d.cub_bytes), "memory");
    ok(cudaMalloc(&d.sums, 16), "memory");
    struct engine engines[3];
    memset(engines, 0, sizeof engines);
    engines[0].name = "u32", cw_grid_u32_table(&engines[0]), cw_grid_u32_row_table(&engines[0]);
    engines[1].name = "u64", cw_grid_u64_table(&engines[1]), cw_grid_u64_row_table(&engines[1]);
    engines[2].name = "p32", cw_grid_p32_table(&engines[2]), cw_grid_p32_row_table(&engines[2]);
    for (const struct engine &each : engines) {
        const struct engine *const e = &each;

        if (only && strcmp(only, e->name))
            continue;
        for (int k = 0; k < 4; k++)
            ok(cudaFuncSetAttribute(e->row[k], cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)e->row_shared[k]),
               "shared memory");
        for (int k = 0; k < GRID_ROW_SORT_0; k++)
            ok(cudaFuncSetAttribute(e->kernel[k], cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)e->shared[k]),
               "shared memory");
        case_of(e, &d, n, UNIFORM, steps, 1);
        if (all) {
            for (int l = 0; l < 2; l++)
                for (int input = EQUAL; input < INPUTS; input++)
                    case_of(e, &d, n >> (2 * l), input, steps, 1);
            for (uint64_t m :
                 {1ull << 12, 1ull << 16, 1ull << 20, 1ull << 22, 1ull << 24, 1ull << 26, 1ull,
                  2ull, 4097ull, 8193ull, 65537ull, 1000003ull, 99999989ull})
                if (m <= n)
                    case_of(e, &d, m, UNIFORM, steps, 1);
        }
    }
    return 0;
}
#endif
