/* paper.h - the paper's algorithms on the emulator: one warp a matrix, from the sources of the
 * model, by the kernel that a GPU runs (paper/warp/kernel.h). */
#ifndef CW_BACKEND_EMULATED_PAPER_H
#define CW_BACKEND_EMULATED_PAPER_H

#include "machine/emu/emu.h"
#include "paper/paper.h"

struct cw_emulated_batch {
    uint32_t matrices;
    uint32_t columns;    /* of the matrix and its auxiliary areas */
    uint32_t word_bytes; /* 8, or 4 if items have 32 bits, or labels and payloads 16 each */
    int labels;          /* items have labels in their upper half */
    uint32_t result;     /* column where the result stands in the end */
    enum cw_order order_in, order_out;
    const cw_word *in; /* matrices * 32 * m items, one matrix after the other */
    cw_word *out;
};

/* CW_OK if `alg` runs on a warp at all and the shape fits: w = 32, and the areas into shared
 * memory with words of that size. */
cw_status cw_emulated_paper_check(const struct cw_algorithm *alg, uint32_t w, uint32_t columns,
                                  uint32_t word_bytes);

/* Run the job on every matrix of the batch.  With job->algorithm NULL they are only loaded and
 * stored.  *e is the machine that ran it, to be asked what it cost and destroyed; NULL if there
 * was no memory for one. */
cw_status cw_emulated_paper_run(const struct cw_job *job, const struct cw_emulated_batch *batch,
                                struct cw_emu **e);

#endif
