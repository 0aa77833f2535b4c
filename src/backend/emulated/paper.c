#include "backend/emulated/paper.h"

#include "paper/warp/launch.h"

extern void cw_paper_warp4_emulated(struct cw_emu *e, const void *arg);
extern void cw_paper_warp8_emulated(struct cw_emu *e, const void *arg);

cw_status cw_emulated_paper_check(const struct cw_algorithm *alg, uint32_t w, uint32_t columns,
                                  uint32_t word_bytes)
{
    return paper_check(alg, w, columns, word_bytes, CW_EMU_SHARED);
}

cw_status cw_emulated_paper_run(const struct cw_job *job, const struct cw_paper_batch *batch,
                                struct cw_emu **e)
{
    const struct cw_emu_config config = {PAPER_W, batch->columns * PAPER_W * batch->word_bytes};
    const size_t bytes = (size_t)batch->matrices * PAPER_W * job->m * sizeof(cw_word);
    const struct cw_emu_buffer buffers[] = {{batch->in, bytes, 0}, {batch->out, bytes, 1}};
    const struct paper_launch a = {.job = *job,
                                   .body = job->algorithm ? paper_body_of(job->algorithm->name)
                                                          : NOTHING,
                                   .labels = batch->labels,
                                   .result = batch->result,
                                   .order_in = batch->order_in,
                                   .order_out = batch->order_out,
                                   .in = batch->in,
                                   .out = batch->out};
    const struct cw_emu_launch launch = {batch->word_bytes == 4 ? cw_paper_warp4_emulated
                                                                : cw_paper_warp8_emulated,
                                         &a, batch->matrices, buffers, 2};
    const cw_status status = cw_emu_create(&config, e);

    return status ? status : cw_emu_launch(*e, &launch);
}
