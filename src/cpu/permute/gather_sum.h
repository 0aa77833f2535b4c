/* gather_sum.h - cw_gather_sum on threads of the host. */
#ifndef CW_CPU_PERMUTE_GATHER_SUM_H
#define CW_CPU_PERMUTE_GATHER_SUM_H

#include "base/threads.h"
#include "clearway.h"

/* For arguments that were checked, CW_CHECK too. */
cw_status cw_cpu_gather_sum(const cw_gather_job *job, struct cw_team *team);

#endif
