/* paper.h - the paper's algorithms on a GPU: one warp a matrix, from the sources of the model. */
#ifndef CW_BACKEND_CUDA_PAPER_H
#define CW_BACKEND_CUDA_PAPER_H

#include "paper/paper.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cw_cuda_batch {
    uint32_t matrices;
    uint32_t columns;    /* of the matrix and its auxiliary areas */
    uint32_t word_bytes; /* 8, or 4 if items have 32 bits, or labels and payloads 16 each */
    int labels;          /* items have labels in their upper half */
    uint32_t result;     /* column where the result stands in the end */
    enum cw_order order_in, order_out;
    const cw_word *in; /* matrices * 32 * m items, one matrix after the other */
    cw_word *out;
    double ms;      /* out: the kernel, median of nine */
    double move_ms; /* out: of it, loading the matrices and storing them */
};

/* CW_OK if `alg` runs on a GPU at all and the shape fits: w = 32, and the areas into shared
 * memory with words of that size. */
cw_status cw_cuda_paper_check(const struct cw_algorithm *alg, uint32_t w, uint32_t columns,
                              uint32_t word_bytes);

/* Run the job on every matrix of the batch.  CW_ERR_DEVICE: no GPU, or it failed. */
cw_status cw_cuda_paper_run(const struct cw_job *job, struct cw_cuda_batch *batch);

#ifdef __cplusplus
}
#endif
#endif
