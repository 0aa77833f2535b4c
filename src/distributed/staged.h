/* staged.h - an exchange of memory that the group cannot reach, through page-locked memory of the host.
 *
 * In pieces, so that copies from the GPU, the exchange and copies to the GPU go on at the same time:
 *
 *      from the GPU    0  1  2  3
 *      exchange           0  1  2  3
 *      to the GPU            0  1  2  3
 *
 * A piece has an equal part for every rank.  What stays on this rank is copied on the GPU at once.  Memory:
 * four pieces of CW_STAGED_PIECE bytes on the host. */
#ifndef CW_DISTRIBUTED_STAGED_H
#define CW_DISTRIBUTED_STAGED_H

#include "distributed/group.h"

#define CW_STAGED_PIECE ((size_t)32 << 20)

/* `piece`: 0, or for tests the bytes of one. */
cw_status cw_staged_exchange(struct cw_peers *p, cw_context *context, const cw_exchange *x,
                             size_t piece);

#endif
