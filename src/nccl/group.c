/* group.c - an ncclComm_t as a group.
 *
 * NCCL moves memory of GPUs only.  Items are there already.  What ranks tell each other is the
 * host's: it is copied to a buffer of the GPU, moved, and copied back, in pieces where it is longer.
 * The buffer is there from the beginning, since a rank that found no memory for it in the middle of a
 * call could not say so: that, too, goes through the buffer.
 *
 * alltoallv is a group of sends and receives, each of 2^62 bytes at most. */
#include <cuda_runtime_api.h>
#include <stdlib.h>

#include "clearway_nccl.h"

enum { CUDA_FAILED = 1000 }; /* codes from here on are CUDA's, below NCCL's */

#define ROOM      ((size_t)4 << 20) /* of the buffer, and .. */
#define ROOM_RANK ((size_t)1 << 10) /* .. for each rank */

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

static int to_gpu(struct cw_nccl *n, size_t at, const void *host, size_t bytes)
{
    if (!bytes)
        return 0;
    return by_cuda(cudaMemcpyAsync(n->room + at, host, bytes, cudaMemcpyHostToDevice, n->stream));
}

static int from_gpu(struct cw_nccl *n, size_t at, void *host, size_t bytes)
{
    if (!bytes)
        return 0;
    return by_cuda(cudaMemcpyAsync(host, n->room + at, bytes, cudaMemcpyDeviceToHost, n->stream));
}

/* The host may read what was copied, and the buffer is free. */
static int wait(const struct cw_nccl *n)
{
    return by_cuda(cudaStreamSynchronize(n->stream));
}

static size_t least(uint64_t a, uint64_t b)
{
    return (size_t)(a < b ? a : b);
}

/* ---- the functions --------------------------------------------------------------------------- */

/* Bytes at .. at + now - 1 of what each rank has. */
static int gather_piece(struct cw_nccl *n, const char *mine, char *all, size_t bytes, size_t at,
                        size_t now)
{
    const uint32_t ranks = n->group.ranks;
    const size_t everyone = now * ranks;
    int code = to_gpu(n, everyone, mine + at, now);

    if (!code)
        code = (int)ncclAllGather(n->room + everyone, n->room, now, ncclUint8, n->comm, n->stream);
    if (!code && now == bytes)
        code = from_gpu(n, 0, all, everyone);
    for (uint32_t r = 0; r < ranks && !code && now < bytes; r++)
        code = from_gpu(n, r * now, all + r * bytes + at, now);
    return code ? code : wait(n);
}

static int allgather(void *self, const void *mine, void *all, size_t bytes)
{
    struct cw_nccl *const n = (struct cw_nccl *)self;
    const size_t most = n->bytes / (n->group.ranks + (size_t)1) / 16 * 16;
    int code = 0;

    for (size_t at = 0; at < bytes && !code; at += most)
        code = gather_piece(n, (const char *)mine, (char *)all, bytes, at, least(bytes - at, most));
    return code;
}

static int allreduce(void *self, uint64_t *values, size_t count, cw_reduction reduction)
{
    struct cw_nccl *const n = (struct cw_nccl *)self;
    const size_t most = n->bytes / sizeof *values;
    int code = 0;

    for (size_t at = 0; at < count && !code; at += most) {
        const size_t now = least(count - at, most), bytes = now * sizeof *values;

        code = to_gpu(n, 0, values + at, bytes);
        if (!code)
            code = (int)ncclAllReduce(n->room, n->room, now, ncclUint64,
                                      reduction == CW_SUM ? ncclSum : ncclMax, n->comm, n->stream);
        if (!code)
            code = from_gpu(n, 0, values + at, bytes);
        if (!code)
            code = wait(n);
    }
    return code;
}

/* From GPU to GPU as it is. */
static int pairs(const struct cw_nccl *n, const cw_exchange *x, cudaStream_t stream)
{
    const char *const send = (const char *)x->send;
    char *const recv = (char *)x->recv;
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

/* Of `bytes` to or from a rank, how many are in piece k. */
static size_t part(uint64_t bytes, uint64_t k, size_t each)
{
    return bytes > k * each ? least(bytes - k * each, each) : 0;
}

/* Piece k of what goes to each rank and comes from it.  Both ranks of a pair know how long it is; one that
 * has nothing for any is left out.  *more: there was something. */
static int pairs_piece(struct cw_nccl *n, const cw_exchange *x, uint64_t k, int *more)
{
    const uint32_t ranks = n->group.ranks;
    const size_t each = n->bytes / 2 / ranks / 16 * 16, half = each * ranks;
    const char *const send = (const char *)x->send + k * each;
    char *const recv = (char *)x->recv + k * each;
    ncclResult_t status = ncclSuccess, ended;
    int code = 0;

    *more = 0;
    for (uint32_t r = 0; r < ranks && !code; r++) {
        const size_t out = part(x->send_bytes[r], k, each);

        *more |= out || part(x->recv_bytes[r], k, each);
        code = to_gpu(n, r * each, send + x->send_at[r], out);
    }
    if (code || !*more)
        return code;
    status = ncclGroupStart();
    for (uint32_t r = 0; r < ranks && status == ncclSuccess; r++) {
        const size_t out = part(x->send_bytes[r], k, each), in = part(x->recv_bytes[r], k, each);

        if (out)
            status = ncclSend(n->room + r * each, out, ncclUint8, (int)r, n->comm, n->stream);
        if (in && status == ncclSuccess)
            status = ncclRecv(n->room + half + r * each, in, ncclUint8, (int)r, n->comm, n->stream);
    }
    ended = ncclGroupEnd();
    code = (int)(status == ncclSuccess ? ended : status);
    for (uint32_t r = 0; r < ranks && !code; r++)
        code = from_gpu(n, half + r * each, recv + x->recv_at[r], part(x->recv_bytes[r], k, each));
    return code ? code : wait(n);
}

static int alltoallv(void *self, const cw_exchange *x)
{
    struct cw_nccl *const n = (struct cw_nccl *)self;
    int code = 0, more = 1;

    if (x->device) {
        const cudaStream_t stream = (cudaStream_t)x->stream;

        code = pairs(n, x, stream);
        return code ? code : by_cuda(cudaStreamSynchronize(stream));
    }
    for (uint64_t k = 0; more && !code; k++)
        code = pairs_piece(n, x, k, &more);
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
    n->bytes = ROOM + (size_t)ranks * ROOM_RANK;
    if (cudaMalloc((void **)&n->room, n->bytes) != cudaSuccess) {
        free(n);
        return cw_group_error(CW_ERR_MEMORY, "no memory of the GPU for a group's buffer");
    }
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
