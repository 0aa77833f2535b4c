/* kernel.h - one warp a matrix: the bodies of the model, as a kernel.
 *
 * Included once for each size of a word (CW_WORD_BYTES).  Shared memory holds the matrix and its
 * auxiliary areas as dev_warp.h lays them out.  A block is one warp, so that a matrix may have all
 * of a multiprocessor's shared memory; blocks run beside each other as far as it reaches.  Loading
 * and storing go by own rows, so that every request of shared memory is free of conflicts,
 * as the algorithm's are.
 *
 * With words of 4 bytes an item keeps 32 bits: its low half, or, if it has a label, 16 bits
 * of the label and 16 of the payload.
 */
#define CW_ON_WARP

#include "paper/warp/launch.h"
#include "paper/bodies.h"

#undef DEV
#define DEV DEV_INLINE

#define W PAPER_W

DEV size_t place(enum cw_order order, uint32_t m, uint32_t row, uint32_t col)
{
    return order == CW_ROW_MAJOR ? (size_t)row * m + col : (size_t)col * W + row;
}

/* An item of 64 bits as a word, and back. */
DEV word narrow(uint64_t x, int labels)
{
#if WORD_BITS >= 64
    (void)labels;
    return x;
#else
    return labels ? (word)(x >> 32 << 16 | (x & 0xffff)) : (word)x;
#endif
}

DEV uint64_t widen(word x, int labels)
{
#if WORD_BITS >= 64
    (void)labels;
    return x;
#else
    return labels ? (uint64_t)(x >> 16) << 32 | (x & 0xffff) : x;
#endif
}

DEV void run_body(mem s, enum paper_body body, const struct cw_job *job)
{
    switch (body) {
#define BODY_CASE(id, name, function) \
    case id:                          \
        function(s, job);             \
        break;
        PAPER_BODIES(BODY_CASE)
#if WORD_BITS >= 64
        PAPER_BODIES_64(BODY_CASE)
#endif
#undef BODY_CASE
    default:
        break;
    }
}

#if CW_WORD_BYTES == 8
#define PAPER_WARP cw_paper_warp8
#else
#define PAPER_WARP cw_paper_warp4
#endif

KERNEL(PAPER_WARP, struct paper_launch, W, 1)
{
    const uint32_t m = arg->job.m, row = LANE_ID;
    const size_t base = (size_t)BLOCK_ID * W * m;
    const mem s = 0;

    for (uint32_t c = 0; c < m; c++) {
        const uint64_t x = gm_ld8(arg->in + base + place(arg->order_in, m, row, c));

        bank_write(s, row, c, narrow(x, arg->labels));
    }
    warp_sync();
    run_body(s, arg->body, &arg->job);
    warp_sync();
    for (uint32_t c = 0; c < m; c++) {
        const word x = bank_read(s, row, arg->result + c);

        gm_st8(arg->out + base + place(arg->order_out, m, row, c), widen(x, arg->labels));
    }
}
