/* bench_cpu_moves.c - how fast permute, partition and transpose are on threads of the host.
 *
 *      bench_cpu_moves [-n LOG] [-t THREADS] [-r RUNS] [TEXT]     cases whose name has TEXT in it
 *
 * One CSV line a case, over 2^26 items: seconds on the clock and of all processors together (the
 * best of 5 runs each), and GB/s by the clock, of bytes that must be read and written once: items,
 * index, labels.  "copy" is memcpy by one thread.  Outputs are compared with their definition at
 * 2^16 places.  bench/cpu_numpy.py does the same beside NumPy.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* madvise */
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "cpu/partition/partition.h"
#include "cpu/permute/permute.h"
#include "base/threads.h"
#include "cpu/transpose/transpose.h"

enum { SPOTS = 65536 };

enum kind { COPY, PERMUTE, PARTITION, TRANSPOSE, IN_PLACE };

struct bench {
    const char *name;
    enum kind kind;
    size_t bytes;
    unsigned flags;   /* of a permutation */
    cw_rule rule;     /* of a partition, */
    uint32_t buckets; /* and into how many */
    size_t rows;      /* 0: a square, or twice as wide */
};

static const struct bench benches[] = {
    {"copy 4", COPY, 4, 0, 0, 0, 0},
    {"scatter 1", PERMUTE, 1, 0, 0, 0, 0},
    {"scatter 4", PERMUTE, 4, 0, 0, 0, 0},
    {"scatter 4 checked", PERMUTE, 4, CW_CHECK, 0, 0, 0},
    {"scatter 8", PERMUTE, 8, 0, 0, 0, 0},
    {"scatter 16", PERMUTE, 16, 0, 0, 0, 0},
    {"gather 4", PERMUTE, 4, CW_GATHER, 0, 0, 0},
    {"gather 8", PERMUTE, 8, CW_GATHER, 0, 0, 0},
    {"partition label 2", PARTITION, 4, 0, CW_BY_LABEL, 2, 0},
    {"partition label 256", PARTITION, 4, 0, CW_BY_LABEL, 256, 0},
    {"partition label 4096", PARTITION, 4, 0, CW_BY_LABEL, 4096, 0},
    {"partition label 65536", PARTITION, 4, 0, CW_BY_LABEL, 65536, 0},
    {"partition bits 256", PARTITION, 4, 0, CW_BY_BITS, 256, 0},
    {"partition hash 256", PARTITION, 4, 0, CW_BY_HASH, 256, 0},
    {"partition splitter 256", PARTITION, 4, 0, CW_BY_SPLITTER, 256, 0},
    {"transpose 4", TRANSPOSE, 4, 0, 0, 0, 0},
    {"transpose in place 4", IN_PLACE, 4, 0, 0, 0, 0},
    {"transpose in place 1000 rows 4", IN_PLACE, 4, 0, 0, 0, 1000},
};

struct arrays {
    char *in, *out, *workspace;
    uint32_t *index, *splitters;
    size_t n;
};

static void *memory(size_t bytes)
{
    const size_t page = (size_t)2 << 20, all = (bytes + page) / page * page;
    void *p = aligned_alloc(page, all);

    if (!p) {
        fprintf(stderr, "bench_cpu_moves: no %zu bytes\n", all);
        exit(1);
    }
#if defined(MADV_HUGEPAGE)
    (void)madvise(p, all, MADV_HUGEPAGE);
#endif
    memset(p, 0, all);
    return p;
}

static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Items are random; the index is a random permutation, or labels. */
static struct arrays arrays_of(const struct bench *b, size_t n)
{
    struct arrays a = {0};

    a.n = n;
    a.in = (char *)memory(n * b->bytes);
    a.out = (char *)memory(n * b->bytes);
    a.index = (uint32_t *)memory(4 * n);
    a.splitters = (uint32_t *)memory(4 * (b->buckets + 1));
    for (size_t x = 0; x < n * b->bytes / 8; x++)
        ((uint64_t *)(void *)a.in)[x] = mix(x);
    for (uint32_t x = 0; x < b->buckets; x++)
        a.splitters[x] = (uint32_t)(((uint64_t)(x + 1) << 32) / b->buckets);
    for (size_t x = 0; x < n; x++)
        a.index[x] = b->kind == PARTITION
                         ? (uint32_t)(mix(x) >> 32) % (b->rule ? UINT32_MAX : b->buckets)
                         : (uint32_t)x;
    for (size_t x = n - 1; x && b->kind == PERMUTE; x--) {
        const size_t y = (size_t)(mix(x) % (x + 1));
        const uint32_t was = a.index[x];

        a.index[x] = a.index[y];
        a.index[y] = was;
    }
    return a;
}

/* ---- one call ------------------------------------------------------------------------------- */

static cw_permute_job permutation(const struct bench *b, const struct arrays *a)
{
    const cw_permute_job job = {b->flags, a->n, b->bytes, a->in, a->out, a->index, 4};

    return job;
}

static cw_transpose_job transposition(const struct bench *b, const struct arrays *a)
{
    cw_transpose_job job = {b->rows ? b->rows : 1, 0, 1, b->bytes, a->in, a->out};

    while (!b->rows && job.rows * job.rows * 4 <= a->n)
        job.rows *= 2;
    job.columns = a->n / job.rows;
    job.in = b->kind == IN_PLACE ? a->out : a->in;
    return job;
}

static cw_status call(const struct bench *b, const struct arrays *a, struct cw_team *team)
{
    const cw_payload items = {a->in, a->out, b->bytes};
    const cw_permute_job permute = permutation(b, a);
    const cw_transpose_job transpose = transposition(b, a);
    cw_partition_job job = {0};

    switch (b->kind) {
    case COPY:
        memcpy(a->out, a->in, a->n * b->bytes);
        return CW_OK;
    case PERMUTE:
        return cw_cpu_permute(&permute, a->workspace, team);
    case PARTITION:
        job.type = CW_U32;
        job.rule = b->rule;
        job.n = a->n;
        job.buckets = b->buckets;
        job.first_bit = 3;
        job.splitters = a->splitters;
        job.keys_in = a->index;
        job.payloads = &items;
        job.payload_count = 1;
        return cw_cpu_partition(&job, a->workspace, team);
    default:
        return cw_cpu_transpose(&transpose, a->workspace, team);
    }
}

/* Is the output what it should be, at some places?  Partitions and what was transposed in place,
 * as often as it was run, are left to the tests. */
static int right(const struct bench *b, const struct arrays *a)
{
    const cw_transpose_job t = transposition(b, a);

    for (size_t k = 0; k < SPOTS; k++) {
        const size_t x = (size_t)(mix(k) % a->n), y = a->index[x];
        const char *from = a->in + x * b->bytes, *to = a->out + x * b->bytes;

        if (b->kind == PERMUTE && b->flags & CW_GATHER)
            from = a->in + y * b->bytes;
        else if (b->kind == PERMUTE)
            to = a->out + y * b->bytes;
        else if (b->kind == TRANSPOSE)
            to = a->out + (x % t.columns * t.rows + x / t.columns) * b->bytes;
        else if (b->kind != COPY)
            continue;
        if (memcmp(from, to, b->bytes))
            return 0;
    }
    return 1;
}

static double now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run(const struct bench *b, unsigned log, unsigned threads, unsigned runs)
{
    struct cw_team team = {.wanted = threads};
    struct arrays a = arrays_of(b, (size_t)1 << log);
    const cw_permute_job permute = permutation(b, &a);
    const size_t bytes = 2 * b->bytes + (b->kind == PERMUTE || b->kind == PARTITION ? 4 : 0);
    double best = 1e9, cpu = 1e9;
    int ok = 1;

    a.workspace =
        (char *)memory(b->kind == PERMUTE ? cw_cpu_permute_workspace(&permute) : 8 * b->buckets);
    for (unsigned k = 0; k < runs && ok; k++) {
        const double wall0 = now(CLOCK_MONOTONIC), cpu0 = now(CLOCK_PROCESS_CPUTIME_ID);
        double wall, used;

        ok = call(b, &a, &team) == CW_OK;
        wall = now(CLOCK_MONOTONIC) - wall0;
        used = now(CLOCK_PROCESS_CPUTIME_ID) - cpu0;
        best = wall < best ? wall : best;
        cpu = used < cpu ? used : cpu;
    }
    ok = ok && right(b, &a);
    cw_team_end(&team);
    printf("%s,%zu,%u,%.3f,%.3f,%.1f%s\n", b->name, a.n, threads, best, cpu,
           (double)(a.n * bytes) / best * 1e-9, ok ? "" : ",WRONG");
    fflush(stdout);
    free(a.in);
    free(a.out);
    free(a.index);
    free(a.splitters);
    free(a.workspace);
    return ok;
}

int main(int argc, char **argv)
{
    unsigned log = 26, threads = 0, runs = 5;
    const char *text = "";
    int ok = 1;

    for (int x = 1; x < argc; x++) {
        unsigned *number = !strcmp(argv[x], "-n")   ? &log
                           : !strcmp(argv[x], "-t") ? &threads
                           : !strcmp(argv[x], "-r") ? &runs
                                                    : NULL;

        if (number && x + 1 < argc)
            *number = (unsigned)strtoul(argv[++x], NULL, 10);
        else
            text = argv[x];
    }
    printf("case,n,threads,wall_s,cpu_s,gbytes\n");
    for (size_t k = 0; k < sizeof benches / sizeof *benches; k++)
        if (strstr(benches[k].name, text))
            ok &= run(&benches[k], log, threads, runs);
    return !ok;
}
