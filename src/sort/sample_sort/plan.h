/* plan.h - the comparison sort of items, as launches. */
#ifndef CW_SORT_SAMPLE_SORT_PLAN_H
#define CW_SORT_SAMPLE_SORT_PLAN_H

#include "sort/sample_sort/job.h"
#include "sort/sample_sort/table.h"
#include "backend/queue.h"

/* Items to sort.  `in` may be `out` or `mid`, and `mid` may be `out`: a block reads its tile of
 * `in` before it writes, and nothing else is written before all of `in` was read.  What a task does
 * not say is 0. */
struct sample_sort_task {
    const struct sample_sort_table *tables; /* one for each engine */
    enum sample_sort_engine engine;
    uint64_t n;
    const void *in;
    const uint32_t *in_rest; /* NULL, in an engine with rest: the item's number */
    void *out;               /* NULL: keys are not wanted */
    uint32_t *out_rest;
    void *mid; /* room for all items; an array that is not needed meanwhile */
    uint32_t *mid_rest;
    struct cw_key_map map; /* tied: `out` is not `in`, or NULL */
    uint32_t key_bytes;
    uint32_t shift;
    uint64_t mask; /* of the word's bits that count: all, if `out` is wanted */
};

/* Bytes of workspace, for such a key; grows with n, as far as the table goes. */
uint64_t cw_sample_sort_bytes(const struct sample_sort_table *tables,
                              enum sample_sort_engine engine, uint64_t n, uint32_t key_bytes);

cw_status cw_sample_sort_enqueue(struct cw_queue *q, const struct sample_sort_task *task,
                                 void *workspace);

#endif
