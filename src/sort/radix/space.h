/* space.h - one sort while its launches are made: what it tells its kernels, and where all is kept. */
#ifndef CW_SORT_RADIX_SPACE_H
#define CW_SORT_RADIX_SPACE_H

#include "sort/radix/plan.h"

/* From 2 to this power on slots take chunks one after another; shorter arrays have a chunk a slot. */
#define RADIX_MANY_CHUNKS 25

struct radix_run {
    struct cw_queue *q;
    const struct radix_table *t;
    struct radix_job job;
    uint32_t log; /* rows are of 2^log items, or twice that */
};

/* How n items are divided: chunks, buckets, rows, passes, and room in lists. */
void cw_radix_sizes(struct radix_run *r, uint64_t n);

/* What the kernels keep, from `base` on (NULL: to learn its size, which is returned). */
uint64_t cw_radix_layout(struct radix_run *r, uint8_t *base);

/* Stable sorts: tickets of a pass, which cut chunks. */
uint64_t cw_radix_ticket_room(const struct radix_run *r);

/* Rounds for the medium buckets of a pass, at most.  Every round but the last one uses up the room
 * for rows, less what one bucket claims (radix/medium_buckets.h). */
uint64_t cw_radix_rounds(const struct radix_run *r);

#endif
