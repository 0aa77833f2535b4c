/* partition.h - an array partitioned by threads of the host. */
#ifndef CW_CPU_PARTITION_PARTITION_H
#define CW_CPU_PARTITION_PARTITION_H

#include "clearway.h"

struct cw_team;

/* Bytes of workspace for arguments that were checked: a place for each bucket. */
size_t cw_cpu_partition_workspace(const cw_partition_job *job);

/* cw_partition for arguments that were checked, always stable; n may be 0.  A bad label:
 * CW_ERR_LABEL before anything but the workspace is written.  For each thread, up to 64 bytes a
 * bucket for each array and 16 more are allocated, before anything is written. */
cw_status cw_cpu_partition(const cw_partition_job *job, void *workspace, struct cw_team *team);

#endif
