/* stream.cu - rows of mixed lengths on a stream of your own, captured in a graph and replayed.
 *
 *      nvcc stream.cu $(pkg-config --cflags --libs clearway) && ./a.out
 *
 * All that cw_sort_rows does is queued on the stream: it allocates nothing and waits for nothing.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "clearway.h"

#define ROWS  2000u
#define ITEMS (ROWS * 100u)

static void check(cw_status status)
{
    if (status != CW_OK) {
        fprintf(stderr, "%s: %s\n", cw_status_name(status), cw_last_error());
        exit(1);
    }
}

static void check_cuda(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

int main(void)
{
    static uint32_t keys[ITEMS];
    static uint64_t offsets[ROWS + 1];
    cw_context *context;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t again;
    void *in, *out, *where, *workspace;
    cw_rows job = {};
    size_t bytes, wrong = 0;

    if (cw_context_create(CW_CUDA, &context) != CW_OK) {
        printf("no GPU here: %s\n", cw_last_error());
        return 0;
    }
    for (uint32_t r = 0; r < ROWS; r++) /* rows of 0 .. 199 keys */
        offsets[r + 1] = offsets[r] + (r * 73u) % 200u;
    for (uint32_t i = 0; i < ITEMS; i++)
        keys[i] = (uint32_t)rand();

    check_cuda(cudaStreamCreate(&stream));
    check_cuda(cudaMalloc(&in, sizeof keys));
    check_cuda(cudaMalloc(&out, sizeof keys));
    check_cuda(cudaMalloc(&where, sizeof offsets));
    check_cuda(cudaMemcpy(where, offsets, sizeof offsets, cudaMemcpyHostToDevice));

    job.type = CW_U32;
    job.flags = CW_DESCENDING;
    job.rows = ROWS;
    job.length = 199; /* no row is longer */
    job.offsets = (const uint64_t *)where;
    job.items = ITEMS;
    job.keys_in = in;
    job.keys_out = out;
    check(cw_sort_rows_workspace(&job, &bytes));
    check_cuda(cudaMalloc(&workspace, bytes));

    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    check(cw_sort_rows(context, &job, workspace, bytes, stream));
    check_cuda(cudaStreamEndCapture(stream, &graph));
    check_cuda(cudaGraphInstantiate(&again, graph, 0));

    for (int round = 0; round < 3; round++) { /* new keys, the same graph */
        static uint32_t sorted[ITEMS];

        for (uint32_t i = 0; i < ITEMS; i++)
            keys[i] ^= (uint32_t)rand();
        check_cuda(cudaMemcpyAsync(in, keys, sizeof keys, cudaMemcpyHostToDevice, stream));
        check_cuda(cudaGraphLaunch(again, stream));
        check_cuda(cudaMemcpyAsync(sorted, out, sizeof keys, cudaMemcpyDeviceToHost, stream));
        check(cw_wait(context, stream));
        for (uint32_t r = 0; r < ROWS; r++)
            for (uint64_t i = offsets[r] + 1; i < offsets[r + 1]; i++)
                wrong += sorted[i - 1] < sorted[i];
    }
    printf("%u rows of 0 .. 199 keys, descending, three times by one graph: %zu out of order\n",
           ROWS, wrong);

    check_cuda(cudaGraphExecDestroy(again));
    check_cuda(cudaGraphDestroy(graph));
    check_cuda(cudaStreamDestroy(stream));
    check_cuda(cudaFree(in));
    check_cuda(cudaFree(out));
    check_cuda(cudaFree(where));
    check_cuda(cudaFree(workspace));
    cw_context_destroy(context);
    return wrong != 0;
}
