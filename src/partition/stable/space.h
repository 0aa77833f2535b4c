/* space.h - one stable partition while its launches are made, and where everything is kept. */
#ifndef CW_PARTITION_STABLE_SPACE_H
#define CW_PARTITION_STABLE_SPACE_H

#include "partition/stable/plan.h"
#include "partition/stable/table.h"

#define STABLE_ONE_BUCKETS 1024u /* at most, in one launch */

struct stable_run {
    const struct stable_task *task;
    struct cw_queue *q;
    struct stable_shape shape;
    struct stable_job job;
    uint64_t tiles, portions, rows;
    uint32_t *state[2]; /* rows, and behind them the ticket */
    uint64_t cleared;   /* bytes from the workspace's begin on */
    void *keys_tmp, *values_tmp, *keys_last;
    uint32_t *index_tmp, *places;
};

/* Bits of the number of a bucket. */
uint32_t cw_stable_bits(uint32_t buckets);

/* Does the caller ask where buckets begin? */
int cw_stable_wants_starts(const struct stable_task *t);

/* All that does not depend on where the workspace is. */
void cw_stable_begin(struct stable_run *r, const struct stable_task *t, enum cw_shapes shapes);

/* Lay out the workspace from `base` on; NULL: to learn its size, which is returned. */
uint64_t cw_stable_layout(struct stable_run *r, uint8_t *base);

#endif
