/* grid_plan.h - a sort of an array's words on the whole device, as launches. */
#ifndef CW_GRID_PLAN_H
#define CW_GRID_PLAN_H

#include "kernels/grid_job.h"
#include "kernels/grid_table.h"
#include "kernels/queue.h"

#define GRID_MOST ((uint64_t)1 << 40) /* items; the counters of a chunk have 32 bits */

/* in may be out. */
struct grid_task {
    uint64_t n;
    uint32_t stable; /* engines with values only */
    struct cw_key_map map;
    const void *in, *in_values;
    void *out, *out_values;
};

/* Bytes of workspace, the second buffer included; a multiple of 256; grows with n. */
uint64_t cw_grid_bytes(const struct grid_table *t, uint64_t n);

cw_status cw_grid_enqueue(struct cw_queue *q, const struct grid_table *t,
                          const struct grid_task *task, void *workspace);

#endif
