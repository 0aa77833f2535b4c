/* test_nccl_group.c - the group of clearway_nccl.h with several ranks, where there is no GPU.
 *
 * The functions of NCCL and CUDA that it calls are replaced: ranks are threads, a GPU's memory is the host's.  So this
 * shows what the group does with more ranks than there are GPUs, and what it does without memory; not what NCCL does.
 * nccl/ranks.c runs on a GPU.  Skipped where there are no headers of both. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* alarm, pthread_barrier_t */
#endif

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "group_case.h"
#include "test.h"

#if defined(__has_include)
#if __has_include(<nccl.h>) && __has_include(<cuda_runtime_api.h>)
#define HEADERS 1
#endif
#endif

#ifdef HEADERS
#include <cuda_runtime_api.h>
#include <nccl.h>

/* ---- what takes the place of NCCL and CUDA ------------------------------------------------------ */

#define RANKS 5

struct message {
    struct message *next;
    size_t bytes;
    char data[];
};

static struct job {
    pthread_barrier_t barrier;
    pthread_mutex_t lock;
    pthread_cond_t sent;
    struct message *first[RANKS][RANKS], **last[RANKS][RANKS]; /* from, to */
    const void *data[RANKS];
    int ranks;
} job;

struct ncclComm {
    int rank;
};

/* Receives wait until the group ends, as NCCL's do. */
struct receive {
    void *to;
    size_t bytes;
    int from, rank;
};

static _Thread_local struct receive receives[RANKS];
static _Thread_local int waiting, allocations_left = 1000;

static cudaError_t fake_malloc(void **out, size_t bytes)
{
    *out = allocations_left-- > 0 ? malloc(bytes) : NULL;
    return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t fake_free(void *memory)
{
    free(memory);
    return cudaSuccess;
}

static cudaError_t fake_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                             cudaStream_t stream)
{
    (void)kind;
    (void)stream;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

static cudaError_t fake_wait(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

static const char *fake_cuda_text(cudaError_t error)
{
    (void)error;
    return "an error of CUDA";
}

static const char *fake_text(ncclResult_t error)
{
    (void)error;
    return "an error of NCCL";
}

static ncclResult_t fake_rank(const ncclComm_t comm, int *rank)
{
    *rank = comm->rank;
    return ncclSuccess;
}

static ncclResult_t fake_ranks(const ncclComm_t comm, int *ranks)
{
    (void)comm;
    *ranks = job.ranks;
    return ncclSuccess;
}

static ncclResult_t fake_gather(const void *mine, void *all, size_t bytes, ncclDataType_t type,
                                ncclComm_t comm, cudaStream_t stream)
{
    (void)type;
    (void)stream;
    job.data[comm->rank] = mine;
    (void)pthread_barrier_wait(&job.barrier);
    for (int r = 0; r < job.ranks; r++)
        memcpy((char *)all + (size_t)r * bytes, job.data[r], bytes);
    (void)pthread_barrier_wait(&job.barrier);
    return ncclSuccess;
}

static ncclResult_t fake_reduce(const void *mine, void *out, size_t count, ncclDataType_t type,
                                ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
    uint64_t *const result = (uint64_t *)calloc(count, sizeof *result);

    (void)type;
    (void)stream;
    job.data[comm->rank] = mine;
    (void)pthread_barrier_wait(&job.barrier);
    for (int r = 0; r < job.ranks; r++) {
        const uint64_t *const theirs = (const uint64_t *)job.data[r];

        for (size_t i = 0; i < count; i++) {
            const uint64_t most = theirs[i] > result[i] ? theirs[i] : result[i];

            result[i] = op == ncclSum ? result[i] + theirs[i] : most;
        }
    }
    (void)pthread_barrier_wait(&job.barrier);
    memcpy(out, result, count * sizeof *result);
    free(result);
    return ncclSuccess;
}

static ncclResult_t fake_send(const void *from, size_t bytes, ncclDataType_t type, int to,
                              ncclComm_t comm, cudaStream_t stream)
{
    struct message *const m = (struct message *)malloc(sizeof *m + bytes);

    (void)type;
    (void)stream;
    m->next = NULL;
    m->bytes = bytes;
    memcpy(m->data, from, bytes);
    (void)pthread_mutex_lock(&job.lock);
    *job.last[comm->rank][to] = m;
    job.last[comm->rank][to] = &m->next;
    (void)pthread_cond_broadcast(&job.sent);
    (void)pthread_mutex_unlock(&job.lock);
    return ncclSuccess;
}

static ncclResult_t fake_receive(void *to, size_t bytes, ncclDataType_t type, int from,
                                 ncclComm_t comm, cudaStream_t stream)
{
    const struct receive r = {to, bytes, from, comm->rank};

    (void)type;
    (void)stream;
    receives[waiting++] = r;
    return ncclSuccess;
}

static ncclResult_t fake_begin(void)
{
    waiting = 0;
    return ncclSuccess;
}

static ncclResult_t fake_end(void)
{
    int wrong = 0;

    for (int x = 0; x < waiting; x++) {
        const struct receive *const r = &receives[x];
        struct message *m;

        (void)pthread_mutex_lock(&job.lock);
        while (!job.first[r->from][r->rank])
            (void)pthread_cond_wait(&job.sent, &job.lock);
        m = job.first[r->from][r->rank];
        job.first[r->from][r->rank] = m->next;
        if (!m->next)
            job.last[r->from][r->rank] = &job.first[r->from][r->rank];
        (void)pthread_mutex_unlock(&job.lock);
        wrong |= m->bytes != r->bytes;
        memcpy(r->to, m->data, m->bytes < r->bytes ? m->bytes : r->bytes);
        free(m);
    }
    return wrong ? ncclInvalidUsage : ncclSuccess;
}

#define cudaMalloc            fake_malloc
#define cudaFree              fake_free
#define cudaMemcpyAsync       fake_copy
#define cudaStreamSynchronize fake_wait
#define cudaGetErrorString    fake_cuda_text
#define ncclGetErrorString    fake_text
#define ncclCommUserRank      fake_rank
#define ncclCommCount         fake_ranks
#define ncclAllGather         fake_gather
#define ncclAllReduce         fake_reduce
#define ncclSend              fake_send
#define ncclRecv              fake_receive
#define ncclGroupStart        fake_begin
#define ncclGroupEnd          fake_end
#include "nccl/group.c"

/* ---- ranks ------------------------------------------------------------------------------------ */

struct rank {
    pthread_t thread;
    struct ncclComm comm;
    int (*body)(const cw_group *group);
    int wrong;
};

static void *run(void *of)
{
    struct rank *const r = (struct rank *)of;
    cw_nccl *nccl;

    r->wrong = cw_nccl_open(&r->comm, NULL, &nccl) != CW_OK;
    if (!r->wrong)
        r->wrong = r->body(cw_nccl_group(nccl));
    cw_nccl_close(nccl);
    return NULL;
}

static void on_ranks(int ranks, int (*body)(const cw_group *group))
{
    struct rank all[RANKS];

    job.ranks = ranks;
    assert_int_equal(pthread_barrier_init(&job.barrier, NULL, (unsigned)ranks), 0);
    assert_int_equal(pthread_mutex_init(&job.lock, NULL), 0);
    assert_int_equal(pthread_cond_init(&job.sent, NULL), 0);
    for (int from = 0; from < RANKS; from++) {
        for (int to = 0; to < RANKS; to++) {
            job.first[from][to] = NULL;
            job.last[from][to] = &job.first[from][to];
        }
    }
    (void)alarm(60);
    for (int r = 0; r < ranks; r++) {
        all[r].comm.rank = r;
        all[r].body = body;
        assert_int_equal(pthread_create(&all[r].thread, NULL, run, &all[r]), 0);
    }
    for (int r = 0; r < ranks; r++) {
        assert_int_equal(pthread_join(all[r].thread, NULL), 0);
        assert_int_equal(all[r].wrong, 0);
    }
    (void)alarm(0);
    (void)pthread_barrier_destroy(&job.barrier);
    (void)pthread_mutex_destroy(&job.lock);
    (void)pthread_cond_destroy(&job.sent);
}

/* ---- bodies ----------------------------------------------------------------------------------- */

/* The arrays are of the host's, which is said of them. */
static int cases(const cw_group *group)
{
    cw_group host = *group;
    cw_context *context;
    int wrong;

    host.device = 0;
    wrong = cw_context_create(CW_CPU, &context) || cw_context_set_threads(context, 1);
    for (uint64_t seed = 0; seed < (CW_SANITIZED ? 10u : 40u) && !wrong; seed++) {
        wrong += group_sort_case(&host, context, seed, 3000);
        wrong += group_permute_case(&host, context, seed, 1000);
        wrong += group_partition_case(&host, context, seed, 500);
    }
    cw_context_destroy(context);
    return wrong;
}

static unsigned char byte_of(uint64_t from, uint64_t to, uint64_t i)
{
    return (unsigned char)(from * 7 + to * 31 + i * 13 + (i >> 8));
}

/* Longer than the buffer, by some for some, with a rank that gets nothing; and no more memory of the GPU on one
 * of them, which it need not say. */
static int long_ones(const cw_group *g)
{
    const uint64_t most = (uint64_t)6 << 20, each = most / 4 + 5;
    uint64_t send[RANKS], send_at[RANKS], recv[RANKS], recv_at[RANKS], out = 0, in = 0;
    char *const from = (char *)malloc(RANKS * most), *const to = (char *)malloc(RANKS * most);
    uint64_t *const many = (uint64_t *)malloc(most);
    cw_exchange x = {from, to, send, send_at, recv, recv_at, 0, 0, NULL};
    int wrong = 0;

    if (g->rank == 1)
        allocations_left = 0;
    for (uint32_t r = 0; r < g->ranks; r++) {
        send[r] = r == 2 ? 0 : most / (1 + (g->rank + r) % 3) - r;
        recv[r] = g->rank == 2 ? 0 : most / (1 + (g->rank + r) % 3) - g->rank;
        send_at[r] = out;
        recv_at[r] = in;
        out += send[r];
        in += recv[r];
        for (uint64_t i = 0; i < send[r]; i++)
            from[send_at[r] + i] = (char)byte_of(g->rank, r, i);
    }
    wrong += g->alltoallv(g->self, &x) != 0;
    for (uint32_t r = 0; r < g->ranks; r++) {
        for (uint64_t i = 0; i < recv[r] && !wrong; i++)
            wrong += (unsigned char)to[recv_at[r] + i] != byte_of(r, g->rank, i);
    }
    wrong += g->allgather(g->self, from, to, each) != 0;
    for (uint32_t r = 0; r < g->ranks && !wrong; r++)
        wrong += (unsigned char)to[r * each] != byte_of(r, 0, 0) ||
                 (unsigned char)to[(r + 1) * each - 1] != byte_of(r, 0, each - 1);
    for (uint64_t i = 0; i < most / 8; i++)
        many[i] = i + g->rank;
    wrong += g->allreduce(g->self, many, most / 8, CW_MAX) != 0;
    for (uint64_t i = 0; i < most / 8 && !wrong; i++)
        wrong += many[i] != i + g->ranks - 1;
    free(from);
    free(to);
    free(many);
    return wrong;
}

/* ---- the claims ------------------------------------------------------------------------------- */

static void calls_work_on_several_ranks(void **state)
{
    (void)state;
    on_ranks(1, cases);
    on_ranks(2, cases);
    on_ranks(5, cases);
}

static void what_is_longer_than_the_buffer_goes_in_pieces(void **state)
{
    (void)state;
    on_ranks(3, long_ones);
    on_ranks(5, long_ones);
}

static int never(const cw_group *group)
{
    return group != NULL;
}

static void no_memory_is_said_when_a_group_is_opened(void **state)
{
    struct ncclComm comm = {0};
    cw_nccl *nccl = NULL;

    (void)state;
    allocations_left = 0;
    assert_int_equal(cw_nccl_open(&comm, NULL, &nccl), CW_ERR_MEMORY);
    allocations_left = 1000;
    assert_true(!nccl && !never(cw_nccl_group(nccl)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_work_on_several_ranks),
        cmocka_unit_test(what_is_longer_than_the_buffer_goes_in_pieces),
        cmocka_unit_test(no_memory_is_said_when_a_group_is_opened),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
int main(void)
{
    puts("no headers of NCCL and CUDA: skipped");
    return 77;
}
#endif
