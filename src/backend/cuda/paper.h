/* paper.h - the paper's algorithms on a GPU: one warp a matrix, from the sources of the model. */
#ifndef CW_BACKEND_CUDA_PAPER_H
#define CW_BACKEND_CUDA_PAPER_H

#include "backend/paper_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CW_OK if `alg` runs on a GPU at all and the shape fits: w = 32, and the areas into shared
 * memory with words of that size. */
cw_status cw_cuda_paper_check(const struct cw_algorithm *alg, uint32_t w, uint32_t columns,
                              uint32_t word_bytes);

/* Run the job on every matrix of the batch.  CW_ERR_DEVICE: no GPU, or it failed. */
cw_status cw_cuda_paper_run(const struct cw_job *job, struct cw_paper_batch *batch);

#ifdef __cplusplus
}
#endif
#endif
