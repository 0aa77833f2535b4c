/* msd.h - a partition by passes, most significant digit first. */
#ifndef CW_PARTITION_MSD_H
#define CW_PARTITION_MSD_H

#include "backend/queue.h"
#include "partition/job.h"

/* Is there one payload, of 4 bytes? */
int cw_partition_one_word(const cw_partition_job *job);

/* Is a job done so? */
int cw_partition_msd_takes(const cw_partition_job *job, enum cw_shapes shapes);

/* Bytes of workspace. */
uint64_t cw_partition_msd_bytes(const cw_partition_job *job, const struct partition_rule *rule,
                                enum cw_shapes shapes);

/* Queue it all.  mark: offsets become ~0 if there are bad labels. */
cw_status cw_partition_msd_enqueue(struct cw_queue *q, const cw_partition_job *job,
                                   const struct partition_rule *rule, enum cw_shapes shapes,
                                   void *workspace, int mark);

/* What comes after passes: a thread for every 4 of n, or as many as may be. */
cw_status cw_partition_after(struct cw_queue *q, enum cw_kernel kernel, uint64_t n,
                             const struct partition_after *arg);

#endif
