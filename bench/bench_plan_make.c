/* bench_plan_make.c - how long offline plans take to make on the host, and to execute there.
 *
 *      bench_plan_make [LOG2N ..]       default 20 22 24
 *
 * CSV: wall time by 1 and 2 threads, best of 3, and the processor time of all threads, in ns an item
 * of 4 bytes; random permutations, scattered and gathered, and a map that is recognised.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clearway.h"

#define RUNS 3

static double now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(cw_status status)
{
    if (status) {
        fprintf(stderr, "bench_plan_make: %s\n", cw_last_error());
        exit(1);
    }
}

static void shuffle(uint32_t *p, uint32_t n)
{
    uint64_t state = 1;

    for (uint32_t i = n; i > 1; i--) {
        uint32_t j, x;

        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        j = (uint32_t)((state >> 32) * i >> 32);
        x = p[i - 1];
        p[i - 1] = p[j];
        p[j] = x;
    }
}

static void row(const uint32_t *p, uint32_t n, const char *map, unsigned flags, unsigned threads)
{
    double wall = 1e9, processor = 0;
    const char *kind = "";
    size_t table = 0;

    for (int run = 0; run < RUNS; run++) {
        const double begin = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
        cw_plan *plan;
        double t;

        must(cw_plan_create(p, sizeof *p, n, 4, flags, threads, &plan));
        t = now(CLOCK_MONOTONIC) - begin;
        if (t < wall) {
            wall = t;
            processor = now(CLOCK_PROCESS_CPUTIME_ID) - used;
        }
        kind = cw_plan_kind(plan);
        table = cw_plan_table_bytes(plan);
        cw_plan_destroy(plan);
    }
    printf("%u,%s,%s,%s,%u,%.2f,%.2f,%.2f\n", n, map, flags ? "gather" : "scatter", kind, threads,
           1e9 * wall / n, 1e9 * processor / n, (double)table / n);
    fflush(stdout);
}

static void rows(int bits)
{
    const uint32_t n = 1u << bits;
    uint32_t *const p = (uint32_t *)malloc(n * sizeof *p);

    if (!p)
        exit(1);
    for (uint32_t i = 0; i < n; i++)
        p[i] = (i << bits / 2 | i >> (bits - bits / 2)) & (n - 1);
    row(p, n, "transpose", 0, 1);
    for (uint32_t i = 0; i < n; i++)
        p[i] = i;
    shuffle(p, n);
    for (unsigned threads = 1; threads <= 2; threads++) {
        row(p, n, "random", 0, threads);
        row(p, n, "random", CW_GATHER, threads);
    }
    free(p);
}

int main(int argc, char **argv)
{
    printf("n,map,flags,kind,threads,wall_ns,processor_ns,table_bytes\n");
    for (int a = 1; a < argc; a++)
        rows(atoi(argv[a]));
    if (argc < 2) {
        rows(20);
        rows(22);
        rows(24);
    }
    return 0;
}
