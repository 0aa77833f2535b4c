/* bench_ranks.c - cw_group_sort on ranks that are threads of this process, beside one cw_sort of the same array.
 *
 *      bench_ranks [-n LOG] [-r RUNS] [-p RANKS] [--gpu] [--direct | --staged]
 *
 * 2^LOG u32, uniform; best of RUNS; -p: so many ranks, not 1, 2 and 4; one way only.
 *
 * On the host every rank has one thread; --gpu: all ranks share the GPU, each with a stream of its own.
 * `direct`: ranks take items from each other's memory; `staged`: through page-locked memory of the host,
 * as where a communicator cannot reach a GPU; `copies`: such an exchange of equal parts, alone, in which
 * the host's memory is not exchanged, so that what is left is the copies.  One CSV line a case: seconds of the slowest rank, and of
 * these its local sorts, the search for splitters, the exchange, and waiting for copies in it; rounds;
 * bytes sent beside the least (what does not stay on its rank); items of the largest rank less those of the
 * smallest; workspace and host memory beside a share; and the time of one cw_sort of all.  Last, bytes sent in all of the
 * time, as a share of what one copy each way at a time does, from and to the GPU.  The output is
 * checked: in order across ranks, with the keys that there were. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "clearway_distributed.h"
#include "distributed/move.h"
#include "distributed/ranks/group.h"
#include "inputs/random.h"

#define RANKS 16u

enum way { DIRECT, STAGED, COPIES };

static const char *const ways_names[] = {"direct", "staged", "copies"};

struct bench {
    cw_backend on;
    uint64_t n;
    unsigned runs;
    uint32_t ranks;
    enum way way;
    cw_threads *threads;
    uint32_t *given, *sorted; /* of all ranks, on the host */
    double engines;           /* bytes a second each way, of the copy engines; 0 on the host */
};

struct rank {
    pthread_t thread;
    struct bench *bench;
    uint32_t number;
    cw_group group;
    cw_context *context;
    cw_stream stream;
    uint64_t first, count;
    void *in, *out, *workspace;
    size_t need;
    cw_group_report report;
    double seconds;
    cw_status status;
};

static cw_status prepare(struct rank *r)
{
    const struct bench *const b = r->bench;
    cw_array job = {.type = CW_U32, .n = r->count, .keys_out = r};
    cw_status status = cw_context_create(b->on, &r->context);

    if (!status)
        status = cw_context_set_threads(r->context, 1);
    if (!status)
        status = r->context->on->stream(&r->stream);
    if (!status)
        status = cw_group_sort_workspace(r->context, &job, b->n, b->ranks, &r->need);
    if (!status)
        status = cw_memory_alloc(r->context, r->count * 4 + 4, &r->in);
    if (!status)
        status = cw_memory_alloc(r->context, r->count * 4 + 4, &r->out);
    if (!status)
        status = cw_memory_alloc(r->context, r->need, &r->workspace);
    if (!status)
        status = cw_memory_write(r->context, r->in, b->given + r->first, r->count * 4);
    return status;
}

/* `copies`: an equal part goes to every rank, as far as the host's memory. */

static int (*exchange)(void *self, const cw_exchange *x); /* of the group */

static int exchange_sizes(void *self, const cw_exchange *x)
{
    return x->small ? exchange(self, x) : 0;
}

static cw_status copy_only(struct rank *r, cw_group_report *report)
{
    const uint64_t share = r->count / r->bench->ranks;
    uint64_t cuts[RANKS + 1] = {0};
    struct cw_peers peers;
    struct cw_moves moves;
    cw_status status = cw_peers_begin(&peers, &r->group, report);

    for (uint32_t x = 0; x < r->bench->ranks; x++)
        cuts[x + 1] = cuts[x] + share;
    if (!status)
        status = cw_moves_begin(&moves, &peers, cuts);
    if (status)
        return status;
    status = cw_moves_run(&moves, &peers, r->context, r->stream, r->in, r->out, 4);
    cw_moves_end(&moves, &peers);
    return status;
}

/* Best of the runs, by the time of this rank; all begin together. */
static void *run(void *of)
{
    struct rank *const r = (struct rank *)of;
    cw_array job = {.type = CW_U32, .n = r->count};
    cw_group_report report;

    job.keys_in = r->in;
    job.keys_out = r->out;
    r->seconds = 1e30;
    for (unsigned x = 0; x <= r->bench->runs && !r->status; x++) {
        double began, seconds;

        (void)r->group.barrier(r->group.self);
        began = cw_peers_clock();
        if (r->bench->way == COPIES)
            r->status = copy_only(r, &report);
        else
            r->status = cw_group_sort(&r->group, r->context, &job, r->workspace, r->need, r->stream,
                                      &report);
        seconds = cw_peers_clock() - began;
        if (x && seconds < r->seconds) { /* the first one warms up */
            r->seconds = seconds;
            r->report = report;
        }
    }
    if (r->status)
        fprintf(stderr, "rank %u: %s\n", r->number, cw_last_error());
    else
        r->status = cw_memory_read(r->context, r->bench->sorted + r->first, r->out, r->count * 4);
    return NULL;
}

static void drop(struct rank *r)
{
    cw_memory_free(r->context, r->in);
    cw_memory_free(r->context, r->out);
    cw_memory_free(r->context, r->workspace);
    if (r->stream)
        r->context->on->end_stream(r->stream);
    cw_context_destroy(r->context);
}

/* ---- one sort of all -------------------------------------------------------------------------- */

static double alone(const struct bench *b)
{
    struct rank r = {.bench = (struct bench *)(uintptr_t)b, .count = b->n};
    cw_array job = {.type = CW_U32, .n = b->n};
    struct bench one = *b;
    double best = 1e30;

    one.ranks = 1;
    r.bench = &one;
    if (prepare(&r)) {
        fprintf(stderr, "alone: %s\n", cw_last_error());
        return 0;
    }
    job.keys_in = r.in;
    job.keys_out = r.out;
    for (unsigned x = 0; x <= b->runs; x++) {
        const double began = cw_peers_clock();
        double seconds;

        if (cw_sort(r.context, &job, r.workspace, r.need, r.stream) || cw_wait(r.context, r.stream))
            return 0;
        seconds = cw_peers_clock() - began;
        best = x && seconds < best ? seconds : best;
    }
    drop(&r);
    return best;
}

/* ---- what came of it -------------------------------------------------------------------------- */

static uint64_t sum_of(const uint32_t *keys, uint64_t n)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < n; i++)
        sum += cw_mixed(keys[i] + UINT64_C(1));
    return sum;
}

static int right(const struct bench *b)
{
    for (uint64_t i = 1; i < b->n; i++) {
        if (b->sorted[i - 1] > b->sorted[i])
            return 0;
    }
    return sum_of(b->given, b->n) == sum_of(b->sorted, b->n);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static int print(const struct bench *b, const struct rank *ranks, double one)
{
    double all = 0, local = 0, search = 0, exchange = 0, staging = 0;
    uint64_t sent = 0, most = 0, least = UINT64_MAX, host = 0;
    const double share = (double)b->n * 4 / b->ranks;
    const int is_right = b->way == COPIES || right(b);

    for (uint32_t r = 0; r < b->ranks; r++) {
        const cw_group_report *const p = &ranks[r].report;

        if (ranks[r].status)
            return fprintf(stderr, "rank %u: %s\n", r, cw_status_text(ranks[r].status));
        all = larger(all, ranks[r].seconds);
        local = larger(local, p->local_seconds);
        search = larger(search, p->search_seconds);
        exchange = larger(exchange, p->exchange_seconds);
        staging = larger(staging, p->staging_seconds);
        sent += p->exchange_bytes;
        most = p->items_out > most ? p->items_out : most;
        least = p->items_out < least ? p->items_out : least;
        host = p->host_bytes > host ? p->host_bytes : host;
    }
    printf("%s,%u,%s,%llu,%.6f,%.6f,%.6f,%.6f,%.6f,%u,%llu,%llu,%.4f,%.6f,%.2f,%.2f,%s,%.1f,%.3f\n",
           b->on == CW_CUDA ? "gpu" : "cpu", b->ranks, ways_names[b->way], (unsigned long long)b->n,
           all, local, search, exchange, staging, ranks[0].report.rounds, (unsigned long long)sent,
           (unsigned long long)(most - least), ((double)ranks[0].need + (double)host) / share, one,
           all / one, local / one,
           b->way == COPIES ? "-"
           : is_right       ? "yes"
                            : "NO",
           1e-9 * b->engines, b->engines > 0 ? (double)sent / all / b->engines : 0);
    fflush(stdout);
    return !is_right;
}

static int measure(struct bench *b, uint32_t ranks, enum way way, double one)
{
    struct rank all[RANKS];
    int wrong = 0;

    memset(all, 0, sizeof all);
    b->ranks = ranks;
    b->way = way;
    if (cw_threads_create(ranks, &b->threads))
        return 1;
    for (uint32_t r = 0; r < ranks && !wrong; r++) {
        all[r].bench = b;
        all[r].number = r;
        cw_group_share(b->n, ranks, r, &all[r].first, &all[r].count);
        wrong = cw_threads_group(b->threads, r, &all[r].group) || prepare(&all[r]);
        all[r].group.device = way == DIRECT;
        exchange = all[r].group.alltoallv;
        if (way == COPIES)
            all[r].group.alltoallv = exchange_sizes;
    }
    for (uint32_t r = 0; r < ranks && !wrong; r++)
        wrong = pthread_create(&all[r].thread, NULL, run, &all[r]);
    for (uint32_t r = 0; r < ranks && !wrong; r++)
        (void)pthread_join(all[r].thread, NULL);
    if (wrong)
        fprintf(stderr, "%u ranks: %s\n", ranks, cw_last_error());
    else
        wrong = print(b, all, one);
    for (uint32_t r = 0; r < ranks; r++)
        drop(&all[r]);
    cw_threads_destroy(b->threads);
    return wrong;
}

/* What the GPU's copy engines do, bytes a second: one copy from it and one to it at the same time. */
static double engines(void)
{
    const size_t bytes = (size_t)256 << 20;
    cw_context *context = NULL;
    void *there[2] = {NULL, NULL}, *here[2] = {NULL, NULL};
    cw_stream stream[2] = {NULL, NULL};
    double best = 1e30;
    cw_status status = cw_context_create(CW_CUDA, &context);

    for (int x = 0; x < 2 && !status; x++) {
        status = cw_memory_alloc(context, bytes, &there[x]);
        if (!status)
            status = context->on->pinned(bytes, &here[x]);
        if (!status)
            status = context->on->stream(&stream[x]);
    }
    for (int run = 0; run < 4 && !status; run++) {
        const double began = cw_peers_clock();
        double seconds;

        status = context->on->read_later(stream[0], here[0], there[0], bytes);
        if (!status)
            status = context->on->write_later(stream[1], there[1], here[1], bytes);
        for (int x = 0; x < 2 && !status; x++)
            status = context->on->wait(stream[x]);
        seconds = cw_peers_clock() - began;
        best = run && seconds < best ? seconds : best;
    }
    for (int x = 0; x < 2 && context; x++) {
        if (stream[x])
            context->on->end_stream(stream[x]);
        if (here[x])
            context->on->unpinned(here[x]);
        cw_memory_free(context, there[x]);
    }
    cw_context_destroy(context);
    return status ? 0 : (double)bytes / best;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: bench_ranks [-n LOG] [-r RUNS] [-p RANKS] [--gpu] [--direct | --staged]\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct bench b = {.on = CW_CPU, .n = (uint64_t)1 << 26, .runs = 5};
    uint32_t least = 1, most = 4;
    int ways = 3, wrong = 0;
    double one;

    for (int x = 1; x < argc; x++) {
        if (!strcmp(argv[x], "--gpu"))
            b.on = CW_CUDA;
        else if (!strcmp(argv[x], "-n") && x + 1 < argc)
            b.n = (uint64_t)1 << atoi(argv[++x]);
        else if (!strcmp(argv[x], "-r") && x + 1 < argc)
            b.runs = (unsigned)atoi(argv[++x]);
        else if (!strcmp(argv[x], "-p") && x + 1 < argc)
            least = most = (uint32_t)atoi(argv[++x]);
        else if (!strcmp(argv[x], "--direct"))
            ways = 1;
        else if (!strcmp(argv[x], "--staged"))
            ways = 2;
        else
            return usage();
    }
    if (!least || most > RANKS)
        return usage();
    b.given = (uint32_t *)malloc(b.n * 4);
    b.sorted = (uint32_t *)malloc(b.n * 4);
    if (!b.given || !b.sorted)
        return 1;
    for (uint64_t i = 0; i < b.n; i++)
        b.given[i] = (uint32_t)cw_mixed(i + 12345);
    if (b.on == CW_CUDA)
        b.engines = engines();
    one = alone(&b);
    printf("on,ranks,way,n,seconds,local,search,exchange,staging,rounds,sent_bytes,imbalance,"
           "extra_memory,one_sort,ratio,local_ratio,right,engines_gb_s,of_engines\n");
    for (uint32_t ranks = least; ranks <= most && ways & 1; ranks *= 2)
        wrong |= measure(&b, ranks, DIRECT, one);
    for (uint32_t ranks = least; ranks <= most && ways & 2 && b.on == CW_CUDA; ranks *= 2) {
        for (int way = STAGED; way <= COPIES && ranks > 1; way++)
            wrong |= measure(&b, ranks, (enum way)way, one);
    }
    free(b.given);
    free(b.sorted);
    return wrong != 0;
}
