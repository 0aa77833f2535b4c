/* plan.h - items of 4 bytes, or pairs of them, split into buckets: as launches. */
#ifndef CW_PARTITION_PLAN_H
#define CW_PARTITION_PLAN_H

#include "backend/queue.h"
#include "partition/job.h"
#include "partition/table.h"

struct partition_task {
    uint64_t n;
    struct partition_rule rule;
    int stable;
    int pairs;
    const void *keys, *values; /* values NULL: places, which are below 2^32 */
    void *keys_out, *values_out;
};

/* Bytes of workspace. */
uint64_t cw_partition_plan_bytes(const struct partition_table *t,
                                 const struct partition_task *task);

/* Queue it all.  state was cleared.  *starts: where buckets begin, in the workspace. */
cw_status cw_partition_enqueue(struct cw_queue *q, const struct partition_table *t,
                               const struct partition_task *task, struct partition_state *state,
                               void *workspace, const uint64_t **starts);

#endif
