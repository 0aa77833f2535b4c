/* plan.h - the stable partition of items of any width, as launches. */
#ifndef CW_PARTITION_STABLE_PLAN_H
#define CW_PARTITION_STABLE_PLAN_H

#include "backend/queue.h"
#include "partition/stable/job.h"

struct stable_task {
    uint64_t n;
    const void *count; /* NULL, or how many items there are, in the context's memory */
    uint32_t count_bytes;
    struct partition_rule rule;
    uint32_t drop, mark;
    uint32_t key_bytes, value_bytes; /* value 0: none */
    const void *keys, *values;
    void *keys_out, *values_out; /* keys NULL: not wanted */
    void *index_out, *inverse_out;
    uint32_t index_bytes;
    uint64_t choices;
    int places;           /* the index is wanted in the workspace, of 4 bytes */
    uint64_t places_room; /* items that it has room for there */
    uint64_t *offsets, *padded;
    uint64_t pad_to;
    uint32_t *blocks;
    uint64_t block_count;
};

/* Where the workspace has what others look at. */
struct stable_result {
    struct partition_state *state;
    const uint64_t *total; /* items that there are, and that are kept */
    const uint32_t *places;
};

/* Bytes of workspace, which begins with the state. */
uint64_t cw_stable_bytes(const struct stable_task *task, enum cw_shapes shapes);

cw_status cw_stable_enqueue(struct cw_queue *q, const struct stable_task *task,
                            enum cw_shapes shapes, void *workspace);

/* The result of a partition that was queued with this workspace. */
struct stable_result cw_stable_result(const struct stable_task *task, enum cw_shapes shapes,
                                      void *workspace);

#endif
