/* paper_batch.h - matrices that warps work on, one each, by an algorithm of the paper. */
#ifndef CW_BACKEND_PAPER_BATCH_H
#define CW_BACKEND_PAPER_BATCH_H

#include "paper/paper.h"

struct cw_paper_batch {
    uint32_t matrices;
    uint32_t columns;    /* of the matrix and its auxiliary areas */
    uint32_t word_bytes; /* 8, or 4 if items have 32 bits, or labels and payloads 16 each */
    int labels;          /* items have labels in their upper half */
    uint32_t result;     /* column where the result stands in the end */
    enum cw_order order_in, order_out;
    const cw_word *in; /* matrices * 32 * m items, one matrix after the other */
    cw_word *out;
    double ms;      /* out, of a GPU: the kernel, median of nine; */
    double move_ms; /* of it, loading the matrices and storing them */
};

#endif
