/* plan.h - a sort of an array's words on the whole device, as launches. */
#ifndef CW_SORT_RADIX_PLAN_H
#define CW_SORT_RADIX_PLAN_H

#include "sort/radix/job.h"
#include "sort/radix/table.h"
#include "backend/queue.h"

#define RADIX_MOST ((uint64_t)1 << 40) /* items; the counters of a chunk have 32 bits */

/* in may be out. */
struct radix_task {
    uint64_t n;
    uint32_t stable; /* engines with values only */
    struct cw_key_map map;
    const void *in, *in_values;
    void *out, *out_values;
    /* NULL, or a word in the context's memory that becomes 1 if the array is left to another
     * method; only where cw_radix_samples(). */
    uint32_t *gate;
    uint32_t leaves;      /* it is left if keys are skewed; */
    uint32_t leaves_runs; /* if neighbours tell of runs; pairs are for either */
};

/* Whether arrays of n items are sampled, so that they may be left. */
int cw_radix_samples(const struct radix_table *t, uint64_t n);

/* Bytes of workspace, the second buffer included; a multiple of 256; grows with n. */
uint64_t cw_radix_bytes(const struct radix_table *t, uint64_t n);

cw_status cw_radix_enqueue(struct cw_queue *q, const struct radix_table *t,
                           const struct radix_task *task, void *workspace);

#endif
