/* group.c - an ncclComm_t as a group.
 *
 * NCCL moves memory of GPUs only.  Items are there already.  What ranks tell each other is the
 * host's: it is copied to a buffer of the GPU, which grows as it must, moved, and copied back.
 * alltoallv is a group of sends and receives, each of 2^62 bytes at most. */
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "clearway_nccl.h"

enum { CUDA_FAILED = 1000 }; /* codes from here on are CUDA's, below NCCL's */

struct cw_nccl {
    ncclComm_t comm;
    cudaStream_t stream;
    cw_group group;
    char *room; /* of the GPU */
    size_t bytes;
};

static int by_cuda(cudaError_t error)
{
    return error == cudaSuccess ? 0 : CUDA_FAILED + (int)error;
}

static int grow(struct cw_nccl *n, size_t bytes)
{
    int code;

    if (bytes <= n->bytes)
        return 0;
    (void)cudaFree(n->room);
    n->room = NULL;
    n->bytes = 0;
    code = by_cuda(cudaMalloc((void **)&n->room, bytes));
    n->bytes = code ? 0 : bytes;
    return code;
}

static int to_gpu(struct cw_nccl *n, size_t at, const void *host, size_t bytes)
{
    if (!bytes)
        return 0;
    return by_cuda(cudaMemcpyAsync(n->room + at, host, bytes, cudaMemcpyHostToDevice, n->stream));
}

/* Waits, so that the host may read it. */
static int from_gpu(struct cw_nccl *n, size_t at, void *host, size_t bytes)
{
    const int code =
        bytes
            ? by_cuda(cudaMemcpyAsync(host, n->room + at, bytes, cudaMemcpyDeviceToHost, n->stream))
            : 0;

    return code ? code : by_cuda(cudaStreamSynchronize(n->stream));
}

/* ---- the functions --------------------------------------------------------------------------- */

static int allgather(void *self, const void *mine, void *all, size_t bytes)
{
    struct cw_nccl *const n = (struct cw_nccl *)self;
    const size_t everyone = bytes * n->group.ranks;
    int code = grow(n, bytes + everyone);

    if (!code)
        code = to_gpu(n, everyone, mine, bytes);
    if (!code)
        code =
            (int)ncclAllGather(n->room + everyone, n->room, bytes, ncclUint8, n->comm, n->stream);
    return code ? code : from_gpu(n, 0, all, everyone);
}

static int allreduce(void *self, uint64_t *values, size_t count, cw_reduction reduction)
{
    struct cw_nccl *const n = (struct cw_nccl *)self;
    int code = grow(n, count * sizeof *values);

    if (!code)
        code = to_gpu(n, 0, values, count * sizeof *values);
    if (!code)
        code = (int)ncclAllReduce(n->room, n->room, count, ncclUint64,
                                  reduction == CW_SUM ? ncclSum : ncclMax, n->comm, n->stream);
    return code ? code : from_gpu(n, 0, values, count * sizeof *values);
}

static int pairs(const struct cw_nccl *n, const cw_exchange *x, const char *send, char *recv,
                 cudaStream_t stream)
{
    ncclResult_t code = ncclGroupStart(), ended;

    for (uint32_t r = 0; r < n->group.ranks && code == ncclSuccess; r++) {
        if (x->send_bytes[r])
            code = ncclSend(send + x->send_at[r], x->send_bytes[r], ncclUint8, (int)r, n->comm,
                            stream);
        if (x->recv_bytes[r] && code == ncclSuccess)
            code = ncclRecv(recv + x->recv_at[r], x->recv_bytes[r], ncclUint8, (int)r, n->comm,
                            stream);
    }
    ended = ncclGroupEnd();
    return (int)(code == ncclSuccess ? ended : code);
}

/* Bytes up to the end of the last part. */
static uint64_t extent(const uint64_t *at, const uint64_t *bytes, uint32_t ranks)
{
    uint64_t end = 0;

    for (uint32_t r = 0; r < ranks; r++)
        end = bytes[r] && at[r] + bytes[r] > end ? at[r] + bytes[r] : end;
    return (end + 15u) / 16u * 16u;
}

static int alltoallv(void *self, const cw_exchange *x)
{
    struct cw_nccl *const n = (struct cw_nccl *)self;
    const uint64_t out = extent(x->send_at, x->send_bytes, n->group.ranks);
    const uint64_t in = extent(x->recv_at, x->recv_bytes, n->group.ranks);
    int code;

    if (x->device) {
        const cudaStream_t stream = (cudaStream_t)x->stream;

        code = pairs(n, x, (const char *)x->send, (char *)x->recv, stream);
        return code ? code : by_cuda(cudaStreamSynchronize(stream));
    }
    code = grow(n, out + in + 32);
    for (uint32_t r = 0; r < n->group.ranks && !code; r++)
        code = to_gpu(n, x->send_at[r], (const char *)x->send + x->send_at[r], x->send_bytes[r]);
    if (!code)
        code = pairs(n, x, n->room, n->room + out, n->stream);
    for (uint32_t r = 0; r < n->group.ranks && !code; r++)
        code = from_gpu(n, out + x->recv_at[r], (char *)x->recv + x->recv_at[r], x->recv_bytes[r]);
    return code;
}

static int barrier(void *self)
{
    uint64_t none = 0;

    return allreduce(self, &none, 1, CW_SUM);
}

static const char *text(void *self, int code)
{
    (void)self;
    return code >= CUDA_FAILED ? cudaGetErrorString((cudaError_t)(code - CUDA_FAILED))
                               : ncclGetErrorString((ncclResult_t)code);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

cw_status cw_nccl_open(ncclComm_t comm, cw_stream stream, cw_nccl **out)
{
    struct cw_nccl *n;
    int rank = 0, ranks = 0;

    if (!out)
        return cw_group_error(CW_ERR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (!comm || ncclCommUserRank(comm, &rank) != ncclSuccess ||
        ncclCommCount(comm, &ranks) != ncclSuccess)
        return cw_group_error(CW_ERR_ARGUMENT, "the communicator is none");
    n = (struct cw_nccl *)calloc(1, sizeof *n);
    if (!n)
        return cw_group_error(CW_ERR_MEMORY, "no memory for a group");
    n->comm = comm;
    n->stream = (cudaStream_t)stream;
    n->group.self = n;
    n->group.rank = (uint32_t)rank;
    n->group.ranks = (uint32_t)ranks;
    n->group.device = 1;
    n->group.allgather = allgather;
    n->group.allreduce = allreduce;
    n->group.alltoallv = alltoallv;
    n->group.barrier = barrier;
    n->group.text = text;
    *out = n;
    return CW_OK;
}

void cw_nccl_close(cw_nccl *nccl)
{
    if (nccl)
        (void)cudaFree(nccl->room);
    free(nccl);
}

const cw_group *cw_nccl_group(const cw_nccl *nccl)
{
    return nccl ? &nccl->group : NULL;
}
