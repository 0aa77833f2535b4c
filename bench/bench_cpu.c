/* bench_cpu.c - how fast cw_sort is on threads of the host.
 *
 *      bench_cpu [-n LOG] [-t THREADS] [-r RUNS] [TEXT]     cases whose name has TEXT in it
 *
 * One CSV line a case, over 2^26 keys: seconds on the clock and of all processors together (the
 * best of 5 runs each, as the machine may be busy with other things), and million keys a second by
 * the clock.  Integers are uniform over all their values, floats over 0 .. 1; other inputs are
 * named.  The input is copied before each run and the output checked after the last: it is in
 * order, and the keys are those that there were; indices and values lead back to them.
 * bench/cpu_numpy.py does the same beside NumPy, in one run.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* madvise */
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "clearway.h"
#include "cpu/entropy.h"
#include "cpu/sort/sort.h"
#include "base/threads.h"

struct bench {
    const char *name;
    cw_type type;
    unsigned flags;
    int keys, index;
    size_t value_bytes;
    const char *input;
};

static const struct bench benches[] = {
    {"u32 sort", CW_U32, 0, 1, 0, 0, "uniform"},
    {"u64 sort", CW_U64, 0, 1, 0, 0, "uniform"},
    {"f32 sort", CW_F32, 0, 1, 0, 0, "uniform"},
    {"f64 sort", CW_F64, 0, 1, 0, 0, "uniform"},
    {"u16 sort", CW_U16, 0, 1, 0, 0, "uniform"},
    {"u8 sort", CW_U8, 0, 1, 0, 0, "uniform"},
    {"u32 argsort", CW_U32, 0, 0, 1, 0, "uniform"},
    {"u64 argsort", CW_U64, 0, 0, 1, 0, "uniform"},
    {"f32 argsort", CW_F32, 0, 0, 1, 0, "uniform"},
    {"u32 pairs 4", CW_U32, 0, 1, 0, 4, "uniform"},
    {"u64 pairs 8", CW_U64, 0, 1, 0, 8, "uniform"},
    {"u32 sort", CW_U32, 0, 1, 0, 0, "zipf"},
    {"u32 sort", CW_U32, 0, 1, 0, 0, "sorted"},
    {"u32 sort", CW_U32, 0, 1, 0, 0, "reverse"},
    {"u32 sort", CW_U32, 0, 1, 0, 0, "two"},
    {"u32 sort", CW_U32, 0, 1, 0, 0, "heavy"},
    {"u64 sort", CW_U64, 0, 1, 0, 0, "zipf"},
    {"u32 argsort", CW_U32, 0, 0, 1, 0, "zipf"},
    {"u32 compared", CW_U32, CW_CONFLICT_FREE, 1, 0, 0, "uniform"},
    {"u64 compared", CW_U64, CW_CONFLICT_FREE, 1, 0, 0, "uniform"},
    {"u32 compared argsort", CW_U32, CW_CONFLICT_FREE, 0, 1, 0, "uniform"},
};

struct options {
    unsigned log, threads, runs;
    const char *text;
};

struct arrays {
    void *given, *keys_in, *keys_out, *values_in, *values_out, *index, *workspace;
};

/* ---- input ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Key x of n, in the high bits where fewer than 64 are taken. */
static uint64_t bits_of(const char *input, size_t x, size_t n)
{
    const uint64_t random = mix(x);

    if (!strcmp(input, "sorted"))
        return (uint64_t)((double)x / (double)n * 0x1p63) * 2;
    if (!strcmp(input, "reverse"))
        return (uint64_t)((double)(n - x) / (double)n * 0x1p63) * 2;
    if (!strcmp(input, "two"))
        return random >> 63 ? UINT64_C(1) << 40 : UINT64_C(1) << 60;
    if (!strcmp(input, "zipf")) /* rank r about as often as 1 / r; hashed */
        return mix((uint64_t)1 << (random % 27) |
                   (random >> 32 & (((uint64_t)1 << random % 27) - 1)));
    if (!strcmp(input, "heavy")) /* half of all keys in a 2^20th of the range */
        return random % 2 ? random : UINT64_C(0x123) << 52 | random >> 20;
    return random;
}

static void make_key(const struct bench *b, size_t x, size_t n, void *keys)
{
    const uint64_t bits = bits_of(b->input, x, n);
    const uint32_t x4 = (uint32_t)(bits >> 32);
    const uint16_t x2 = (uint16_t)(bits >> 48);

    switch (b->type) {
    case CW_F32:
        ((float *)keys)[x] = (float)(bits >> 40) * 0x1p-24f;
        break;
    case CW_F64:
        ((double *)keys)[x] = (double)(bits >> 11) * 0x1p-53;
        break;
    default:
        if (cw_type_bytes(b->type) == 8)
            ((uint64_t *)keys)[x] = bits;
        else if (cw_type_bytes(b->type) == 4)
            ((uint32_t *)keys)[x] = x4;
        else if (cw_type_bytes(b->type) == 2)
            ((uint16_t *)keys)[x] = x2;
        else
            ((uint8_t *)keys)[x] = (uint8_t)(x2 >> 8);
    }
}

/* In large pages, as NumPy has its arrays; touched, so that no run pays for that. */
static void *memory(size_t bytes)
{
    const size_t page = (size_t)2 << 20, all = (bytes + page) / page * page;
    void *p = aligned_alloc(page, all);

    if (!p) {
        fprintf(stderr, "bench_cpu: no %zu bytes\n", all);
        exit(1);
    }
#if defined(MADV_HUGEPAGE)
    (void)madvise(p, all, MADV_HUGEPAGE);
#endif
    memset(p, 0, all);
    return p;
}

/* ---- check ---------------------------------------------------------------------------------- */

static uint64_t item(const void *array, size_t x, size_t bytes)
{
    uint64_t out = 0;

    memcpy(&out, (const char *)array + x * bytes, bytes); /* the low bytes come first */
    return out;
}

/* All inputs are positive, so floats are in the order of their bits. */
static int right(const struct bench *b, const struct arrays *a, size_t n)
{
    const size_t bytes = cw_type_bytes(b->type);
    uint64_t before = 0, sum = 0;

    for (size_t x = 0; x < n; x++) {
        const size_t from = b->index ? (size_t)item(a->index, x, 4) : 0;
        const uint64_t key = item(b->keys ? a->keys_out : a->given, b->keys ? x : from, bytes);

        if (key < before)
            return 0;
        if (b->value_bytes &&
            item(a->given, (size_t)item(a->values_out, x, b->value_bytes), bytes) != key)
            return 0;
        sum += mix(key) - mix(item(a->given, x, bytes));
        before = key;
    }
    return sum == 0;
}

/* ---- one case ------------------------------------------------------------------------------- */

static double now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cw_array job_of(const struct bench *b, const struct arrays *a, size_t n)
{
    cw_array job = {0};

    job.type = b->type;
    job.flags = b->flags;
    job.n = n;
    job.keys_in = a->keys_in;
    job.keys_out = b->keys ? a->keys_out : NULL;
    job.value_bytes = b->value_bytes;
    job.values_in = b->value_bytes ? a->values_in : NULL;
    job.values_out = b->value_bytes ? a->values_out : NULL;
    job.index_out = b->index ? a->index : NULL;
    job.index_bytes = b->index ? 4 : 0;
    return job;
}

static struct arrays arrays_of(const struct bench *b, size_t n)
{
    const size_t bytes = cw_type_bytes(b->type);
    struct arrays a = {0};

    a.given = a.keys_in = memory(n * bytes);
    a.keys_out = memory(b->keys ? n * bytes : 1);
    a.values_in = memory(n * b->value_bytes);
    a.values_out = memory(n * b->value_bytes);
    a.index = memory(b->index ? 4 * n : 1);
    for (size_t x = 0; x < n; x++) {
        make_key(b, x, n, a.given);
        memcpy((char *)a.values_in + x * b->value_bytes, &x, b->value_bytes);
    }
    return a;
}

static int run(const struct bench *b, const struct options *o)
{
    struct cw_team team = {.wanted = o->threads};
    const size_t n = (size_t)1 << o->log;
    struct arrays a = arrays_of(b, n);
    const cw_array job = job_of(b, &a, n);
    double best = 1e9, cpu = 1e9;
    int ok = 1;

    a.workspace = memory(cw_cpu_sort_workspace(&job));
    for (unsigned k = 0; k < o->runs && ok; k++) {
        const double wall0 = now(CLOCK_MONOTONIC), cpu0 = now(CLOCK_PROCESS_CPUTIME_ID);
        double wall, used;

        ok = cw_cpu_sort(&job, a.workspace, &team, cw_entropy()) == CW_OK;
        wall = now(CLOCK_MONOTONIC) - wall0;
        used = now(CLOCK_PROCESS_CPUTIME_ID) - cpu0;
        best = wall < best ? wall : best;
        cpu = used < cpu ? used : cpu;
    }
    ok = ok && right(b, &a, n);
    cw_team_end(&team);
    printf("clearway,%s,%s,%zu,%u,%.3f,%.3f,%.1f%s\n", b->name, b->input, n, o->threads, best, cpu,
           (double)n / best * 1e-6, ok ? "" : ",WRONG");
    fflush(stdout);
    free(a.given);
    free(a.keys_out);
    free(a.values_in);
    free(a.values_out);
    free(a.index);
    free(a.workspace);
    return ok;
}

int main(int argc, char **argv)
{
    struct options o = {26, 0, 5, ""};
    int ok = 1;

    for (int x = 1; x < argc; x++) {
        unsigned *number = !strcmp(argv[x], "-n")   ? &o.log
                           : !strcmp(argv[x], "-t") ? &o.threads
                           : !strcmp(argv[x], "-r") ? &o.runs
                                                    : NULL;

        if (number && x + 1 < argc)
            *number = (unsigned)strtoul(argv[++x], NULL, 10);
        else
            o.text = argv[x];
    }
    printf("method,case,input,n,threads,wall_s,cpu_s,mkeys\n");
    for (size_t k = 0; k < sizeof benches / sizeof *benches; k++)
        if (strstr(benches[k].name, o.text) || strstr(benches[k].input, o.text))
            ok &= run(&benches[k], &o);
    return !ok;
}
