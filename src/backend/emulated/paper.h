/* paper.h - the paper's algorithms on the emulator: one warp a matrix, from the sources of the
 * model, by the kernel that a GPU runs (paper/warp/kernel.h). */
#ifndef CW_BACKEND_EMULATED_PAPER_H
#define CW_BACKEND_EMULATED_PAPER_H

#include "backend/paper_batch.h"
#include "machine/emu/emu.h"

/* CW_OK if `alg` runs on a warp at all and the shape fits: w = 32, and the areas into shared
 * memory with words of that size. */
cw_status cw_emulated_paper_check(const struct cw_algorithm *alg, uint32_t w, uint32_t columns,
                                  uint32_t word_bytes);

/* Run the job on every matrix of the batch.  With job->algorithm NULL they are only loaded and
 * stored.  *e is the machine that ran it, to be asked what it cost and destroyed; NULL if there
 * was no memory for one. */
cw_status cw_emulated_paper_run(const struct cw_job *job, const struct cw_paper_batch *batch,
                                struct cw_emu **e);

#endif
