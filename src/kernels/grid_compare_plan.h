/* grid_compare_plan.h - the comparison sort of items, as launches. */
#ifndef CW_GRID_COMPARE_PLAN_H
#define CW_GRID_COMPARE_PLAN_H

#include "kernels/grid_compare_job.h"
#include "kernels/grid_compare_table.h"
#include "kernels/queue.h"

/* Items to sort.  in may be out or mid, and mid may be out: all of `in` is read before anything but
 * its own tile is written.  What a task does not say is 0. */
struct compare_task {
    const struct compare_table *tables; /* one for each engine */
    enum compare_engine engine;
    uint64_t n;
    const void *in;
    const uint32_t *in_rest; /* NULL, in an engine with rest: the item's number */
    void *out;               /* NULL: keys are not wanted */
    uint32_t *out_rest;
    void *mid; /* room for all items; an array that is not needed meanwhile */
    uint32_t *mid_rest;
    struct cw_key_map map;
    uint32_t key_bytes;
    uint32_t shift;
    uint64_t mask; /* of the word's bits that count: all, if `out` is wanted */
};

/* Bytes of workspace, for such a key; grows with n, as far as the table goes. */
uint64_t cw_compare_bytes(const struct compare_table *tables, enum compare_engine engine,
                          uint64_t n, uint32_t key_bytes);

cw_status cw_compare_enqueue(struct cw_queue *q, const struct compare_task *task, void *workspace);

#endif
