/* plan.h - the hybrid sort as launches. */
#ifndef CW_SORT_HYBRID_PLAN_H
#define CW_SORT_HYBRID_PLAN_H

#include "sort/lsd/plan.h"

/* Whether the hybrid sort may take such a task: keys of 8 bytes with a payload, sorted by all of
 * their bits, and as many items as pay.  (Ranges of bits are asked for where keys are put together
 * of several fields, of which the map knows too little.)  Looks at no pointer. */
int cw_hybrid_suits(const struct lsd_task *task, enum cw_shapes shapes);

/* Whether it takes this one: of those that suit, not an index of a long array that is sorted in
 * place. */
int cw_hybrid_takes(const struct lsd_task *task, enum cw_shapes shapes);

/* Bytes of workspace, which grow with n. */
uint64_t cw_hybrid_bytes(const struct lsd_task *task, enum cw_shapes shapes);

/* The launches, after which *gate (a word in the context's memory) is 1 if the array is left to
 * another stable sort, from the input that the task names. */
cw_status cw_hybrid_enqueue(struct cw_queue *q, const struct lsd_task *task, enum cw_shapes shapes,
                            uint32_t *gate, void *workspace);

#endif
