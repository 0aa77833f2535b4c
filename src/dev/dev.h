/* dev.h - the vocabulary that algorithms are written in.
 *
 * An algorithm is one function that every lane runs.  It may say:
 *
 *   DEV                            marks a function of the vocabulary
 *   word, mem                      an item; the banked memory, always called s
 *   lane_id(s)                     which processor this is
 *   bank_read(s, row, col)         one word of bank `row`: the lane stops here
 *   bank_write(s, row, col, x)     the same, to write
 *   lane_skip(s)                   let one step pass without an access
 *   lane_pass(s)                   on a warp, let an access of other lanes pass; on the model
 *                                  nothing, and free
 *   lane_clock(s)                  steps that are over, on the model; on a warp 0
 *   lane_pace(s, from, length)     let steps pass until the clock shows from + length; on a warp
 *                                  nothing
 *   ROLL                           before a loop whose length differs from lane to lane: a compiler
 *                                  must not unroll it, or the last rounds are other instructions
 *                                  than the first
 *   group_sync(s, f, st, h)        wait for lanes f, f+st, .. (h of them): free
 *   phase_mark(s, f, st, h, c, n, name)   the same, and say that a phase is done
 *
 * Everything else is plain C on registers, and free: the paper counts
 * accesses, with any computation on a constant number of items between them.
 * Sources are the common subset of C11 and C++, so that a C compiler and nvcc
 * read the same file.  One body a machine: dev_model.h is the model's, dev_warp.h
 * that of a warp, on a GPU or (with CW_ON_WARP defined) on the emulator.
 */
#ifndef CW_DEV_H
#define CW_DEV_H

#if defined(__CUDACC__) || defined(CW_ON_WARP)
#include "dev/dev_warp.h"
#else
#include "dev/dev_model.h"
#endif

#endif
