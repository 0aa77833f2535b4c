/* bench_mpi.c - cw_mpi_sort on CPU ranks beside one cw_sort of the same array.
 *
 *      mpirun -n 8 bench_mpi [-n LOG] [-r RUNS] [-i INPUT]      2^LOG u32 in all
 *
 * INPUT: uniform, equal, sorted, reverse, zipf.  First rank 0 sorts all of it alone, by one thread, while the
 * others sleep; then all of them sort it together, one thread each.  One CSV line: seconds on the clock,
 * and of all processors together, of both, best of the runs.  Ranks that wait for each other use the
 * processor too, which is counted.  Then bytes sent beside the least, imbalance in items, rounds, and memory besides the
 * arrays of the rank that needs most beside a share (the buffers of cw_sort's threads are not in it).  The output is
 * checked. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* usleep, clock_gettime */
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clearway_mpi.h"

struct bench {
    uint64_t n;
    unsigned runs;
    const char *input;
    int rank, ranks;
    cw_context *context;
};

static double now(clockid_t clock)
{
    struct timespec t;

    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t mixed(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t key_of(const struct bench *b, uint64_t i)
{
    const uint64_t drawn = mixed(i + UINT64_C(0x9e3779b97f4a7c15));

    switch (b->input[0]) {
    case 'e':
        return 7;
    case 's':
        return (uint32_t)(i * (UINT32_MAX / b->n));
    case 'r':
        return (uint32_t)((b->n - i) * (UINT32_MAX / b->n));
    case 'z':
        return (uint32_t)(1e6 / (1.0 + (double)(drawn >> 40)));
    default:
        return (uint32_t)drawn;
    }
}

/* Others wait without using the processor. */
static void sleepy_barrier(void)
{
    MPI_Request request;
    int done = 0;

    (void)MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
        (void)usleep(1000);
}

/* ---- one rank alone --------------------------------------------------------------------------- */

static int alone(const struct bench *b, double *wall, double *cpu)
{
    cw_array job = {.type = CW_U32, .n = b->n};
    uint32_t *const in = (uint32_t *)malloc(b->n * 4), *const out = (uint32_t *)malloc(b->n * 4);
    void *workspace;
    size_t need;

    *wall = *cpu = 1e30;
    job.keys_in = in;
    job.keys_out = out;
    if (!in || !out || cw_sort_workspace(&job, &need) ||
        cw_memory_alloc(b->context, need, &workspace))
        return 1;
    for (uint64_t i = 0; i < b->n; i++)
        in[i] = key_of(b, i);
    for (unsigned x = 0; x <= b->runs; x++) {
        const double w = now(CLOCK_MONOTONIC), c = now(CLOCK_PROCESS_CPUTIME_ID);

        if (cw_sort(b->context, &job, workspace, need, NULL))
            return 1;
        if (x) {
            const double used = now(CLOCK_PROCESS_CPUTIME_ID) - c;

            *wall = now(CLOCK_MONOTONIC) - w < *wall ? now(CLOCK_MONOTONIC) - w : *wall;
            *cpu = used < *cpu ? used : *cpu;
        }
    }
    cw_memory_free(b->context, workspace);
    free(in);
    free(out);
    return 0;
}

/* ---- all together ----------------------------------------------------------------------------- */

struct part {
    uint64_t total, first, count;
    uint32_t *in, *out;
    void *workspace;
    size_t need;
    cw_group_report report;
};

static int prepare(const struct bench *b, struct part *p)
{
    cw_array job = {.type = CW_U32, .keys_out = p};

    cw_group_share(b->n, (uint32_t)b->ranks, (uint32_t)b->rank, &p->first, &p->count);
    job.n = p->count;
    p->in = (uint32_t *)malloc(p->count * 4 + 4);
    p->out = (uint32_t *)malloc(p->count * 4 + 4);
    if (!p->in || !p->out ||
        cw_group_sort_workspace(b->context, &job, b->n, (uint32_t)b->ranks, &p->need) ||
        cw_memory_alloc(b->context, p->need, &p->workspace))
        return 1;
    for (uint64_t i = 0; i < p->count; i++)
        p->in[i] = key_of(b, p->first + i);
    return 0;
}

/* In order, also behind the rank before, and with the sums that all keys have. */
static int right(const struct part *p)
{
    uint64_t sums[2] = {0, 0};
    int bad = 0, all = 0;

    for (uint64_t i = 0; i < p->count; i++) {
        sums[0] += mixed(p->in[i] + UINT64_C(1));
        sums[1] += mixed(p->out[i] + UINT64_C(1));
        bad |= i && p->out[i - 1] > p->out[i];
    }
    (void)MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    (void)MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return !all && sums[0] == sums[1];
}

static int together(const struct bench *b, struct part *p, double *wall, double *cpu)
{
    cw_array job = {.type = CW_U32, .n = p->count, .keys_in = p->in, .keys_out = p->out};

    *wall = *cpu = 1e30;
    for (unsigned x = 0; x <= b->runs; x++) {
        double both[2], c, w;

        (void)MPI_Barrier(MPI_COMM_WORLD);
        w = now(CLOCK_MONOTONIC);
        c = now(CLOCK_PROCESS_CPUTIME_ID);
        if (cw_mpi_sort(MPI_COMM_WORLD, b->context, &job, p->workspace, p->need, NULL, &p->report))
            return 1;
        both[0] = now(CLOCK_PROCESS_CPUTIME_ID) - c;
        both[1] = now(CLOCK_MONOTONIC) - w;
        (void)MPI_Allreduce(MPI_IN_PLACE, &both[0], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        (void)MPI_Allreduce(MPI_IN_PLACE, &both[1], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (x) {
            *cpu = both[0] < *cpu ? both[0] : *cpu;
            *wall = both[1] < *wall ? both[1] : *wall;
        }
    }
    return 0;
}

static void print(const struct bench *b, const struct part *p, const double one[2],
                  const double all[2], int is_right)
{
    uint64_t most[3] = {p->report.items_out, UINT64_MAX - p->report.items_out,
                        p->need + p->report.host_bytes};
    uint64_t sent[2] = {p->report.exchange_bytes, p->report.control_bytes};
    const double share = (double)b->n * 4 / b->ranks;

    (void)MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    (void)MPI_Allreduce(MPI_IN_PLACE, sent, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (b->rank)
        return;
    printf("input,n,ranks,one_wall,one_cpu,wall,cpu,cpu_ratio,rounds,sent_bytes,control_bytes,"
           "sent_to_least,imbalance,extra_memory,right\n");
    printf("%s,%llu,%d,%.3f,%.3f,%.3f,%.3f,%.2f,%u,%llu,%llu,%.4f,%llu,%.4f,%s\n", b->input,
           (unsigned long long)b->n, b->ranks, one[0], one[1], all[0], all[1], all[1] / one[1],
           p->report.rounds, (unsigned long long)sent[0], (unsigned long long)sent[1],
           sent[0] ? (double)(sent[0] + sent[1]) / (double)sent[0] : 1.0,
           (unsigned long long)(most[0] - (UINT64_MAX - most[1])), (double)most[2] / share,
           is_right ? "yes" : "NO");
}

int main(int argc, char **argv)
{
    struct bench b = {.n = (uint64_t)1 << 26, .runs = 3, .input = "uniform"};
    double one[2] = {1, 1}, all[2] = {0, 0};
    struct part p = {0};
    int wrong = 0, is_right;

    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 1;
    for (int x = 1; x + 1 < argc; x += 2) {
        if (!strcmp(argv[x], "-n"))
            b.n = (uint64_t)1 << atoi(argv[x + 1]);
        else if (!strcmp(argv[x], "-r"))
            b.runs = (unsigned)atoi(argv[x + 1]);
        else if (!strcmp(argv[x], "-i"))
            b.input = argv[x + 1];
    }
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
    if (cw_context_create(CW_CPU, &b.context) || cw_context_set_threads(b.context, 1))
        return 1;
    if (!b.rank)
        wrong = alone(&b, &one[0], &one[1]);
    sleepy_barrier();
    wrong = wrong || prepare(&b, &p) || together(&b, &p, &all[0], &all[1]);
    is_right = !wrong && right(&p);
    print(&b, &p, one, all, is_right);
    cw_context_destroy(b.context);
    (void)MPI_Finalize();
    return !is_right;
}
