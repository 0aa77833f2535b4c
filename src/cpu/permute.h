/* permute.h - cw_permute on threads of the host. */
#ifndef CW_CPU_PERMUTE_H
#define CW_CPU_PERMUTE_H

#include "clearway.h"

size_t cw_cpu_permute_workspace(const cw_permute_job *job);
cw_status cw_cpu_permute(const cw_permute_job *job, void *workspace, unsigned threads);

#endif
