/* ranks.c - the group of clearway_nccl.h with one rank, on the GPU of this machine: random sorts, permutations and
 * partitions against a serial oracle. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clearway_nccl.h"
#include "group_case.h"

/* Each function by itself: with one rank, all get what they gave. */
static int functions(const cw_group *g)
{
    uint64_t mine[3] = {5, 6, 7}, all[3] = {0}, bytes = 24, at = 0;
    const cw_exchange x = {mine, all, &bytes, &at, &bytes, &at, 0, 1, NULL};
    int wrong = g->allgather(g->self, mine, all, 24) || memcmp(mine, all, 24);

    memset(all, 0, sizeof all);
    wrong += g->alltoallv(g->self, &x) || memcmp(mine, all, 24);
    wrong += g->allreduce(g->self, all, 3, CW_SUM) || memcmp(mine, all, 24);
    wrong += g->allreduce(g->self, all, 3, CW_MAX) || memcmp(mine, all, 24);
    return wrong + (g->barrier(g->self) != 0);
}

int main(void)
{
    ncclComm_t comm;
    cudaStream_t stream;
    cw_context *context;
    cw_nccl *nccl;
    int version = 0, wrong;

    (void)ncclGetVersion(&version);
    if (ncclCommInitAll(&comm, 1, NULL) != ncclSuccess ||
        cudaStreamCreate(&stream) != cudaSuccess || cw_context_create(CW_CUDA, &context) ||
        cw_nccl_open(comm, stream, &nccl))
        return printf("nccl: %s\n", cw_last_error()), 1;
    wrong = functions(cw_nccl_group(nccl));
    for (uint64_t seed = 0; seed < 60; seed++) {
        wrong += group_sort_case(cw_nccl_group(nccl), context, seed, 100000);
        wrong += group_permute_case(cw_nccl_group(nccl), context, seed, 5000);
        wrong += group_partition_case(cw_nccl_group(nccl), context, seed, 2000);
    }
    printf("NCCL %d, one rank: 180 cases, %d wrong\n", version, wrong);
    cw_nccl_close(nccl);
    cw_context_destroy(context);
    (void)ncclCommDestroy(comm);
    return wrong != 0;
}
