/* one_block.h - arrays that one block sorts (local.h), and which of its kernels does. */
#ifndef CW_SORT_HYBRID_ONE_BLOCK_H
#define CW_SORT_HYBRID_ONE_BLOCK_H

#include "sort/hybrid/table.h"
#include "sort/lsd/plan.h"

/* Bytes of a payload while it moves: an index of fewer than 2^32 items has 4. */
uint32_t cw_local_moved(const struct lsd_task *task);

/* 0 for no payload, 1 for up to 4 bytes, 2 for 8, 3 for 16. */
uint32_t cw_payload_class(uint32_t bytes);

/* The local sort's part of the table, for short groups of such keys and payloads. */
void cw_block_shape(struct hybrid_shape *s, const struct lsd_task *task, enum cw_shapes shapes);

/* Does one block sort the array?  It needs no workspace then. */
int cw_block_fits(const struct lsd_task *task, enum cw_shapes shapes);
cw_status cw_block_enqueue(struct cw_queue *q, const struct lsd_task *task, enum cw_shapes shapes);

#endif
