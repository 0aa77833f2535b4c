/* staged.h - an exchange of memory that the group cannot reach, through page-locked memory of the
 * host.
 *
 * In pieces, so that copies from the GPU, the exchange and copies to the GPU go on at the same
 * time:
 *
 *      from the GPU    0  1  2  3
 *      exchange           0  1  2  3
 *      to the GPU            0  1  2  3
 *
 * A piece is for one rank, or for as many as it is large enough for: few long copies, since short ones
 * do not keep a copy engine busy.  All ranks send to those at the same distance.  What stays on this
 * rank is copied on the GPU at once.  Memory: four pieces on the host, a 25th of what arrives, but not
 * less than 4 MB nor more than 64 MB; it is kept (pinned.h). */
#ifndef CW_DISTRIBUTED_RANKS_STAGED_H
#define CW_DISTRIBUTED_RANKS_STAGED_H

#include "distributed/ranks/group.h"

#define CW_STAGED_PIECES 100u /* of what arrives */
#define CW_STAGED_LEAST  ((size_t)1 << 20)
#define CW_STAGED_MOST   ((size_t)16 << 20)

/* `piece`: 0, or for tests the bytes of one. */
cw_status cw_staged_exchange(struct cw_peers *p, cw_context *context, const cw_exchange *x,
                             size_t piece);

#endif
