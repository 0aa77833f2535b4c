/* transpose.h - cw_transpose on threads of the host. */
#ifndef CW_CPU_TRANSPOSE_H
#define CW_CPU_TRANSPOSE_H

#include "clearway.h"

size_t cw_cpu_transpose_workspace(const cw_transpose_job *job, int in_place);
cw_status cw_cpu_transpose(const cw_transpose_job *job, void *workspace, unsigned threads);

#endif
