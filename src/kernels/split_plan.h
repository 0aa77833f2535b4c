/* split_plan.h - items of 4 bytes, or pairs of them, split into buckets: as launches. */
#ifndef CW_SPLIT_PLAN_H
#define CW_SPLIT_PLAN_H

#include "kernels/queue.h"
#include "kernels/split_job.h"
#include "kernels/split_table.h"

struct split_task {
    uint64_t n;
    struct split_rule rule;
    int stable;
    int pairs;
    const void *keys, *values; /* values NULL: places, which are below 2^32 */
    void *keys_out, *values_out;
};

/* Bytes of workspace. */
uint64_t cw_split_bytes(const struct split_table *t, const struct split_task *task);

/* Queue it all.  state was cleared.  *starts: where buckets begin, in the workspace. */
cw_status cw_split_enqueue(struct cw_queue *q, const struct split_table *t,
                           const struct split_task *task, struct split_state *state,
                           void *workspace, const uint64_t **starts);

#endif
